/* JSON through Jansson, with one remembered failure instead of a check at every call. */
#include "io/json.h"

#include "base/arena.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

static json_t *json_keep(ArcJson *json, json_t *value)
{
    if (value == NULL)
        json->failed = true;
    return value;
}

json_t *arc_json_object(ArcJson *json)
{
    return json_keep(json, json_object());
}

json_t *arc_json_array(ArcJson *json)
{
    return json_keep(json, json_array());
}

/* A copy in which bytes that are no UTF-8 are U+FFFD; NULL on exhaustion. */
static char *json_clean(const char *text)
{
    ArcText clean = {0};
    char *bytes;
    const char *end = text + strlen(text);
    for (const char *c = text; c < end;) {
        size_t length = arc_text_character_length(c, (size_t)(end - c));
        arc_text_append_bytes(&clean, length > 0 ? c : "\xef\xbf\xbd", length > 0 ? length : 3);
        c += length > 0 ? length : 1;
    }
    return arc_text_finish(&clean, &bytes, NULL) == ARC_OK ? bytes : NULL;
}

json_t *arc_json_string(ArcJson *json, const char *text)
{
    if (text == NULL)
        return json_keep(json, json_null());
    char *clean = json_clean(text);
    json_t *value = clean == NULL ? NULL : json_string(clean);
    arc_text_free(clean);
    return json_keep(json, value);
}

/* Names come from files too. */
static bool json_is_clean(const char *key)
{
    const char *end = key + strlen(key);
    size_t length;
    for (const char *c = key; c < end; c += length)
        if ((length = arc_text_character_length(c, (size_t)(end - c))) == 0)
            return false;
    return true;
}

void arc_json_put(ArcJson *json, json_t *object, const char *key, json_t *value)
{
    char *clean = json_is_clean(key) ? NULL : json_clean(key);
    if (json_object_set_new(object, clean == NULL ? key : clean, value) != 0)
        json->failed = true;
    arc_text_free(clean);
}

void arc_json_push(ArcJson *json, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        json->failed = true;
}

json_t *arc_json_number(ArcJson *json, double value)
{
    return json_keep(json, isfinite(value) ? json_real(value) : json_null());
}

json_t *arc_json_vector(ArcJson *json, int n, const double *values)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < n; i++)
        arc_json_push(json, array, arc_json_number(json, values[i]));
    return array;
}

json_t *arc_json_matrix(ArcJson *json, int rows, int columns, const double *values)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < rows; i++)
        arc_json_push(json, array,
                      arc_json_vector(json, columns, values + (size_t)i * (size_t)columns));
    return array;
}

void arc_json_put_number(ArcJson *json, json_t *object, const char *key, double value)
{
    arc_json_put(json, object, key, arc_json_number(json, value));
}

void arc_json_put_integer(ArcJson *json, json_t *object, const char *key, long long value)
{
    arc_json_put(json, object, key, json_keep(json, json_integer(value)));
}

void arc_json_put_string(ArcJson *json, json_t *object, const char *key, const char *text)
{
    arc_json_put(json, object, key, arc_json_string(json, text));
}

void arc_json_put_bool(ArcJson *json, json_t *object, const char *key, bool value)
{
    arc_json_put(json, object, key, json_keep(json, json_boolean(value)));
}

ArcStatus arc_json_read(const char *file, const char *bytes, size_t size, json_t **root,
                        ArcError *err)
{
    json_error_t error;
    json_t *read = json_loadb(bytes, size, JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, &error);
    if (read == NULL && json_error_code(&error) == json_error_out_of_memory)
        return arc_error_no_memory(err);
    if (read == NULL) {
        ArcPlace at = {file, error.line > 0 ? error.line : 1, error.column > 0 ? error.column : 1};
        return arc_error_set_at(err, ARC_INPUT, at, "not JSON: %.120s", error.text);
    }
    *root = read;
    return ARC_OK;
}

static int json_take(const char *bytes, size_t size, void *text)
{
    arc_text_append_bytes(text, bytes, size);
    return ((ArcText *)text)->failed ? -1 : 0;
}

static ArcStatus json_write(ArcJson *json, json_t *root, size_t form, char **text, ArcError *err)
{
    ArcText written = {0};
    if (root == NULL || json_dump_callback(root, json_take, &written, form) != 0)
        json->failed = true;
    json_decref(root);
    arc_text_append_bytes(&written, "\n", 1);
    written.failed = written.failed || json->failed;
    return arc_text_finish(&written, text, err);
}

ArcStatus arc_json_text(ArcJson *json, json_t *root, char **text, ArcError *err)
{
    return json_write(json, root, JSON_INDENT(2) | JSON_REAL_PRECISION(17), text, err);
}

ArcStatus arc_json_line(ArcJson *json, json_t *root, char **text, ArcError *err)
{
    return json_write(json, root, JSON_REAL_PRECISION(12), text, err);
}
