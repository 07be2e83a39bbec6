/* The little language in which rows say what they accept (schema.h), read into a schema. */
#include "experiment/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_TEXT = 40 };

/* A shape while it is read. */
typedef struct Shape {
    ArcSchema *schema;
    const ArcSettingRow *row;
    const char *at, *wrong;
} Shape;

static void put_limit(ArcJson *json, json_t *object, const char *key, double value)
{
    if (value == rint(value) && fabs(value) < 1e15)
        arc_json_put_integer(json, object, key, (long long)value);
    else
        arc_json_put_number(json, object, key, value);
}

static json_t *push_typed(ArcSchema *schema, json_t *alternatives, const char *type)
{
    json_t *object = arc_json_object(&schema->json);
    arc_json_put_string(&schema->json, object, "type", type);
    arc_json_push(&schema->json, alternatives, object);
    return object;
}

static void push_pattern(ArcSchema *schema, json_t *alternatives, const char *pattern)
{
    arc_json_put_string(&schema->json, push_typed(schema, alternatives, "string"), "pattern",
                        pattern);
}

void arc_schema_push_number(ArcSchema *schema, json_t *alternatives, const ArcSettingRow *row)
{
    json_t *number = push_typed(schema, alternatives, "number");
    if (row->low < row->high) {
        put_limit(&schema->json, number, "minimum", row->low);
        put_limit(&schema->json, number, "maximum", row->high);
    }
    arc_json_push(&schema->json, alternatives,
                  arc_schema_reference(schema, arc_schema_quantity(row->quantity)));
}

static void word_number(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    arc_schema_push_number(shape->schema, into, shape->row);
}

static void word_whole(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    json_t *number = push_typed(shape->schema, into, "integer");
    put_limit(&shape->schema->json, number, "minimum", shape->row->low);
    put_limit(&shape->schema->json, number, "maximum", shape->row->high);
    push_pattern(shape->schema, into, "^[+-]?[0-9]+$");
}

static void word_pixels(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    arc_json_push(&shape->schema->json, into, arc_schema_reference(shape->schema, "pixels"));
}

static void word_share(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    arc_json_push(&shape->schema->json, into,
                  arc_schema_reference(shape->schema, arc_schema_quantity(ARC_ONE)));
}

static void word_any(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    push_typed(shape->schema, into, "number");
    arc_json_push(&shape->schema->json, into, arc_schema_reference(shape->schema, "with_unit"));
}

static void word_positive(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    json_t *number = push_typed(shape->schema, into, "number");
    arc_json_put_integer(&shape->schema->json, number, "exclusiveMinimum", 0);
    arc_json_push(&shape->schema->json, into,
                  arc_schema_reference(shape->schema, "positive_with_unit"));
}

static void word_nothing(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    json_t *zero = push_typed(shape->schema, into, "number");
    arc_json_put_integer(&shape->schema->json, zero, "const", 0);
    push_pattern(shape->schema, into, "^[+-]?0+\\.?0*([^0-9.]|$)");
}

/* Of a table: the first number from 0 on, the second in the row's range. */
static void word_pair(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    ArcJson *json = &shape->schema->json;
    ArcSettingRow x = *shape->row, y = *shape->row;
    x.low = 0;
    x.high = 1e4;
    y.quantity = ARC_ONE;
    json_t *pair = push_typed(shape->schema, into, "array"), *items = arc_json_array(json);
    for (int k = 0; k < 2; k++) {
        json_t *item = arc_json_object(json), *any = arc_json_array(json);
        arc_schema_push_number(shape->schema, any, k == 0 ? &x : &y);
        arc_json_put(json, item, "anyOf", any);
        arc_json_push(json, items, item);
    }
    arc_json_put(json, pair, "items", items);
    arc_json_put_integer(json, pair, "minItems", 2);
    arc_json_put_integer(json, pair, "maxItems", 2);
}

/* What YAML takes for a number or a truth value is as good a text. */
static void word_text(Shape *shape, json_t *into, const char *argument)
{
    static const char *const types[] = {"string", "number", "boolean"};
    (void)argument;
    ArcJson *json = &shape->schema->json;
    json_t *object = arc_json_object(json), *list = arc_json_array(json);
    for (int i = 0; i < 3; i++)
        arc_json_push(json, list, arc_json_string(json, types[i]));
    arc_json_put(json, object, "type", list);
    arc_json_put_integer(json, object, "minLength", 1);
    arc_json_push(json, into, object);
}

static void word_flag(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    push_typed(shape->schema, into, "boolean");
    push_pattern(shape->schema, into, "^(true|false)$");
}

static void word_unit(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    arc_json_push(&shape->schema->json, into,
                  arc_schema_unit_pattern(shape->schema, shape->row->quantity));
}

static void word_plane(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    arc_json_push(&shape->schema->json, into, arc_schema_reference(shape->schema, "level"));
}

static const char *ball_name(int index)
{
    int n;
    const ArcBall *presets = arc_ball_presets(&n);
    return index < n ? presets[index].name : NULL;
}

static void push_names(Shape *shape, json_t *into, const char *(*name)(int index))
{
    ArcJson *json = &shape->schema->json;
    json_t *object = arc_json_object(json), *list = arc_json_array(json);
    for (int i = 0; name(i) != NULL; i++)
        arc_json_push(json, list, arc_json_string(json, name(i)));
    arc_json_put(json, object, "enum", list);
    arc_json_push(json, into, object);
}

static void word_ball(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    push_names(shape, into, ball_name);
}

static void word_choice(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    push_names(shape, into, shape->row->choice);
}

static void word_law(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    push_names(shape, into, arc_law_stage_name);
}

static void word_loss(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    push_names(shape, into, arc_loss_name);
}

static void word_throw(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    push_names(shape, into, arc_aim_number_name);
}

/* {"dependencies": {"name": {"maxProperties": 1}}}, beside those of the section. */
static void word_keys(Shape *shape, json_t *into, const char *argument)
{
    ArcJson *json = &shape->schema->json;
    json_t *section = arc_schema_section(shape->schema, shape->row->path);
    arc_json_push(json, into, section);
    if (argument[0] == '\0')
        return;
    json_t *rules = json_object_get(section, "dependencies"), *alone = arc_json_object(json);
    arc_json_put_integer(json, alone, "maxProperties", 1);
    if (rules == NULL) {
        rules = arc_json_object(json);
        arc_json_put(json, section, "dependencies", rules);
    }
    arc_json_put(json, rules, argument, alone);
}

static void word_one(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    ArcJson *json = &shape->schema->json;
    json_t *section = arc_schema_section(shape->schema, shape->row->path);
    arc_json_put_integer(json, section, "minProperties", 1);
    arc_json_put_integer(json, section, "maxProperties", 1);
    arc_json_push(json, into, section);
}

static void word_open(Shape *shape, json_t *into, const char *argument)
{
    ArcJson *json = &shape->schema->json;
    json_t *section = push_typed(shape->schema, into, "object"), *texts = arc_json_array(json);
    word_text(shape, texts, argument);
    arc_json_put(json, section, "additionalProperties", json_incref(json_array_get(texts, 0)));
    json_decref(texts);
}

static void word_names(Shape *shape, json_t *into, const char *argument)
{
    arc_json_push(&shape->schema->json, into,
                  arc_schema_names(shape->schema, shape->row->path, argument));
}

static void word_channels(Shape *shape, json_t *into, const char *argument)
{
    ArcJson *json = &shape->schema->json;
    json_t *mapping = push_typed(shape->schema, into, "object");
    json_t *value = arc_json_object(json), *any = arc_json_array(json);
    word_positive(shape, any, argument);
    push_pattern(shape->schema, any, "^estimate$");
    arc_json_put(json, value, "anyOf", any);
    arc_json_put_integer(json, mapping, "minProperties", 1);
    arc_json_put(json, mapping, "additionalProperties", value);
}

static void word_parameters(Shape *shape, json_t *into, const char *argument)
{
    (void)argument;
    arc_json_push(&shape->schema->json, into, arc_schema_parameters(shape->schema));
}

/* A word in capitals, and what stands behind its colon. */
static void push_word(Shape *shape, json_t *into, const char *word)
{
    static const struct {
        const char *word;
        void (*push)(Shape *shape, json_t *into, const char *argument);
    } words[] = {{"NUMBER", word_number},     {"WHOLE", word_whole},
                 {"PIXELS", word_pixels},     {"SHARE", word_share},
                 {"ANY", word_any},           {"POSITIVE", word_positive},
                 {"NOTHING", word_nothing},   {"PAIR", word_pair},
                 {"TEXT", word_text},         {"FILE", word_text},
                 {"UNIT", word_unit},         {"PLANE", word_plane},
                 {"BALL", word_ball},         {"LAW", word_law},
                 {"LOSS", word_loss},         {"THROW", word_throw},
                 {"KEYS", word_keys},         {"ONE", word_one},
                 {"OPEN", word_open},         {"NAMES", word_names},
                 {"CHANNELS", word_channels}, {"PARAMETERS", word_parameters},
                 {"FLAG", word_flag},         {"CHOICE", word_choice}};
    size_t length = strcspn(word, ":");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].word) == length && strncmp(words[i].word, word, length) == 0) {
            words[i].push(shape, into, word + length + (word[length] == ':'));
            return;
        }
    shape->wrong = shape->at;
}

static json_t *read_alternatives(Shape *shape);

/* [ALTERNATIVES COUNT unique] */
static json_t *read_list(Shape *shape)
{
    ArcJson *json = &shape->schema->json;
    json_t *list = arc_json_object(json);
    shape->at++;
    arc_json_put_string(json, list, "type", "array");
    arc_json_put(json, list, "items", read_alternatives(shape));
    if (*shape->at == ' ' && shape->at[1] >= '0' && shape->at[1] <= '9') {
        char *end;
        long least = strtol(shape->at + 1, &end, 10), most = least;
        if (strncmp(end, "..", 2) == 0) {
            end += 2;
            most = *end >= '0' && *end <= '9' ? strtol(end, &end, 10) : -1;
        }
        arc_json_put_integer(json, list, "minItems", least);
        if (most >= 0)
            arc_json_put_integer(json, list, "maxItems", most);
        shape->at = end;
    }
    if (strncmp(shape->at, " unique", 7) == 0) {
        arc_json_put_bool(json, list, "uniqueItems", true);
        shape->at += 7;
    }
    if (*shape->at != ']')
        shape->wrong = shape->at;
    else
        shape->at++;
    return list;
}

/* A word in small letters is put into constants, all else into alternatives. */
static void read_one(Shape *shape, json_t *alternatives, json_t *constants)
{
    char word[WORD_TEXT];
    size_t length = strcspn(shape->at, "|;[] ");
    if (*shape->at == '[') {
        arc_json_push(&shape->schema->json, alternatives, read_list(shape));
        return;
    }
    if (length == 0 || length >= sizeof word) {
        shape->wrong = shape->at;
        return;
    }
    snprintf(word, sizeof word, "%.*s", (int)length, shape->at);
    if (word[0] >= 'A' && word[0] <= 'Z')
        push_word(shape, alternatives, word);
    else
        arc_json_push(&shape->schema->json, constants, arc_json_string(&shape->schema->json, word));
    shape->at += length;
}

/* The one alternative, or {"anyOf": [..]}; takes the array over. */
static json_t *any_of(ArcSchema *schema, json_t *alternatives)
{
    ArcJson *json = &schema->json;
    if (json_array_size(alternatives) == 1) {
        json_t *only = json_incref(json_array_get(alternatives, 0));
        json_decref(alternatives);
        return only;
    }
    json_t *object = arc_json_object(json);
    arc_json_put(json, object, "anyOf", alternatives);
    return object;
}

static void read_into(Shape *shape, json_t *alternatives)
{
    ArcJson *json = &shape->schema->json;
    json_t *constants = arc_json_array(json), *others = arc_json_array(json);
    bool goes_on = true;
    while (goes_on && shape->wrong == NULL) {
        read_one(shape, others, constants);
        goes_on = *shape->at == '|';
        shape->at += goes_on;
    }
    if (json_array_size(constants) > 0) { /* first, since editors offer them in this order */
        json_t *words = arc_json_object(json);
        arc_json_put(json, words, "enum", json_incref(constants));
        arc_json_push(json, alternatives, words);
    }
    if (json_array_extend(alternatives, others) != 0)
        json->failed = true;
    json_decref(constants);
    json_decref(others);
}

static json_t *read_alternatives(Shape *shape)
{
    json_t *alternatives = arc_json_array(&shape->schema->json);
    read_into(shape, alternatives);
    return any_of(shape->schema, alternatives);
}

json_t *arc_schema_shape(ArcSchema *schema, const ArcSettingRow *row, int part, const char **wrong)
{
    Shape shape = {schema, row, row->shape, NULL};
    json_t *alternatives = arc_json_array(&schema->json);
    const char *second = strchr(row->shape, ';');
    if (part == 1 && second != NULL)
        shape.at = second + 1;
    read_into(&shape, alternatives);
    if (part < 0 && shape.wrong == NULL && *shape.at == ';') {
        shape.at++;
        read_into(&shape, alternatives);
    }
    bool is_done = *shape.at == '\0' || (part == 0 && *shape.at == ';');
    if (wrong != NULL)
        *wrong = shape.wrong != NULL ? shape.wrong : is_done ? NULL : shape.at;
    return any_of(schema, alternatives);
}
