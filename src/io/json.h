/* The little that arcfit adds to Jansson for writing and reading JSON.
 *
 * Failures are remembered, so that a document is built without a check at every line and one
 * arc_json_text at the end tells. Values that JSON has no word for (NaN, infinities) become null.
 * Numbers carry 17 digits, which read back as the same double, in any locale.
 */
#ifndef ARC_IO_JSON_H
#define ARC_IO_JSON_H

#include "arcfit/error.h"

#include <jansson.h>

#include <stdbool.h>

/* A document being built; start from ArcJson json = {0}. */
typedef struct ArcJson {
    bool failed; /* some allocation failed */
} ArcJson;

/* A new, empty object or array, owned by the caller until it is put somewhere; NULL on failure,
 * which the functions below accept. */
json_t *arc_json_object(ArcJson *json);
json_t *arc_json_array(ArcJson *json);

/* object[key] = value, or value at the end of array; value is taken over in any case. */
void arc_json_put(ArcJson *json, json_t *object, const char *key, json_t *value);
void arc_json_push(ArcJson *json, json_t *array, json_t *value);

/* A number, null where it is not finite. */
json_t *arc_json_number(ArcJson *json, double value);

/* A string; bytes that are no UTF-8 become U+FFFD. NULL text gives null. */
json_t *arc_json_string(ArcJson *json, const char *text);

/* values (n) as an array; (rows, columns), row-major, as an array of arrays. */
json_t *arc_json_vector(ArcJson *json, int n, const double *values);
json_t *arc_json_matrix(ArcJson *json, int rows, int columns, const double *values);

void arc_json_put_number(ArcJson *json, json_t *object, const char *key, double value);
void arc_json_put_integer(ArcJson *json, json_t *object, const char *key, long long value);
void arc_json_put_string(ArcJson *json, json_t *object, const char *key, const char *text);
void arc_json_put_bool(ArcJson *json, json_t *object, const char *key, bool value);

/* Reads text in UTF-8, without a byte-order mark (encoding.h); file is its name in messages. Whole
 * numbers become reals, so that none is too big; of a key that is given twice the last one holds.
 * The caller frees root with json_decref. ARC_INPUT with file:line:column: what is no JSON (NaN
 * among it), bytes that are no UTF-8, deeper than 2048. ARC_MEMORY. */
ArcStatus arc_json_read(const char *file, const char *bytes, size_t size, json_t **root,
                        ArcError *err);

/* The document as indented text with a line break at the end; root is freed in any case. The caller
 * frees text with arc_text_free. ARC_MEMORY where anything failed since the start. */
ArcStatus arc_json_text(ArcJson *json, json_t *root, char **text, ArcError *err);

/* The same on one line, numbers with 12 digits. */
ArcStatus arc_json_line(ArcJson *json, json_t *root, char **text, ArcError *err);

#endif
