/* Numbers with units as patterns of text (ECMA 262, as JSON Schema has them): by quantity those of
 * the table of units; of parameters any product of units (base/dimension.h). */
#include "experiment/schema.h"

#include "base/dimension.h"

#include <string.h>

#define DIGITS "([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?"
#define NUMBER "[+-]?" DIGITS
#define BLANKS "[ \\t]*"

const char *arc_schema_quantity(ArcQuantity quantity)
{
    const char *text = arc_quantity_text(quantity); /* "a length" */
    return strchr(text, ' ') + 1;
}

/* A unit's name in all of its spellings: m/s2 m/s^2 m/s², um µm, degC °C. */
static void append_unit(ArcText *text, const char *name)
{
    static const struct {
        const char *from, *to;
    } spellings[] = {{"^2", "(\\^?2|\xc2\xb2)"},
                     {"^3", "(\\^?3|\xc2\xb3)"},
                     {"u", "[u\xc2\xb5\xce\xbc]"},
                     {"deg", "(deg|\xc2\xb0)"}};
    while (*name != '\0') {
        size_t taken = 1;
        const char *to = NULL;
        for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
            if (strncmp(name, spellings[i].from, strlen(spellings[i].from)) == 0) {
                taken = strlen(spellings[i].from);
                to = spellings[i].to;
            }
        arc_text_append(text, "%.*s", to == NULL ? 1 : (int)strlen(to), to == NULL ? name : to);
        name += taken;
    }
}

static void append_units(ArcText *text, ArcQuantity quantity)
{
    const char *between = "";
    for (int i = 0; arc_unit_at(i) != NULL; i++) {
        if (arc_unit_at(i)->quantity != quantity)
            continue;
        arc_text_append(text, "%s", between);
        append_unit(text, arc_unit_at(i)->name);
        between = "|";
    }
}

/* {"type": "string", "pattern": "^...$"}; the text is taken over. */
static json_t *pattern_of(ArcSchema *schema, ArcText *text)
{
    char *pattern = NULL;
    json_t *object = arc_json_object(&schema->json);
    if (arc_text_finish(text, &pattern, NULL) != ARC_OK)
        schema->json.failed = true;
    arc_json_put_string(&schema->json, object, "type", "string");
    arc_json_put_string(&schema->json, object, "pattern", pattern == NULL ? "" : pattern);
    arc_text_free(pattern);
    return object;
}

json_t *arc_schema_unit_pattern(ArcSchema *schema, ArcQuantity quantity)
{
    ArcText text = {0};
    arc_text_append(&text, "^(");
    append_units(&text, quantity);
    arc_text_append(&text, ")$");
    return pattern_of(schema, &text);
}

static json_t *quantity_pattern(ArcSchema *schema, ArcQuantity quantity, const char *before)
{
    ArcText text = {0};
    arc_text_append(&text, "^%s" NUMBER BLANKS "(", before);
    append_units(&text, quantity);
    arc_text_append(&text, ")?$");
    return pattern_of(schema, &text);
}

/* Whether the table of units has that name in a row before. */
static bool is_repeated(int i)
{
    for (int k = 0; k < i; k++)
        if (strcmp(arc_unit_at(k)->name, arc_unit_at(i)->name) == 0)
            return true;
    return false;
}

/* Any unit: one of the table, or a product of powers. */
static void append_any_unit(ArcText *text)
{
    ArcText factor = {0};
    arc_text_append(&factor, "(");
    for (int i = 0; arc_dimension_factor(i) != NULL; i++) {
        arc_text_append(&factor, "%s", i == 0 ? "" : "|");
        append_unit(&factor, arc_dimension_factor(i));
    }
    for (int i = 0; arc_unit_at(i) != NULL; i++) {
        const char *name = arc_unit_at(i)->name;
        if (strpbrk(name, " /^1") != NULL || arc_unit_at(i)->offset != 0 || is_repeated(i))
            continue;
        arc_text_append(&factor, "|");
        append_unit(&factor, name);
    }
    arc_text_append(&factor, ")(\\^?-?[0-9]+|\xc2\xb2|\xc2\xb3)?");
    char *one = NULL;
    if (arc_text_finish(&factor, &one, NULL) != ARC_OK)
        text->failed = true;
    const char *const times = "([ \\t]*[*\xc2\xb7][ \\t]*|[ \\t]+)";
    const char *name = one == NULL ? "" : one;
    arc_text_append(text, "%s(%s%s)*(" BLANKS "/" BLANKS "(%s|\\(" BLANKS "%s(%s%s)*" BLANKS "\\))",
                    name, times, name, name, name, times, name);
    arc_text_append(text, ")*");
    for (int i = 0; arc_unit_at(i) != NULL; i++) /* degC, Hz, rpm and what else is no factor */
        if (!is_repeated(i)) {
            arc_text_append(text, "|");
            append_unit(text, arc_unit_at(i)->name);
        }
    arc_text_free(one);
}

static json_t *any_pattern(ArcSchema *schema, bool is_positive)
{
    ArcText text = {0};
    arc_text_append(&text,
                    is_positive ? "^\\+?(?=[0.]*[1-9])" DIGITS BLANKS "(" : "^" NUMBER BLANKS "(");
    append_any_unit(&text);
    arc_text_append(&text, ")?$");
    return pattern_of(schema, &text);
}

json_t *arc_schema_patterns(ArcSchema *schema)
{
    ArcJson *json = &schema->json;
    json_t *patterns = arc_json_object(json);
    for (int q = 0; q < ARC_N_QUANTITIES; q++) {
        const char *name = arc_schema_quantity((ArcQuantity)q);
        char key[64];
        snprintf(key, sizeof key, "%s", name);
        for (char *c = key; *c != '\0'; c++)
            *c = *c == ' ' ? '_' : *c;
        arc_json_put(json, patterns, key, quantity_pattern(schema, (ArcQuantity)q, ""));
    }
    ArcText pixels = {0};
    arc_text_append(&pixels, "^" NUMBER BLANKS "px$");
    arc_json_put(json, patterns, "pixels", pattern_of(schema, &pixels));
    arc_json_put(json, patterns, "level", quantity_pattern(schema, ARC_LENGTH, "[xyz] *= *"));
    arc_json_put(json, patterns, "with_unit", any_pattern(schema, false));
    arc_json_put(json, patterns, "positive_with_unit", any_pattern(schema, true));
    return patterns;
}

json_t *arc_schema_reference(ArcSchema *schema, const char *name)
{
    char target[96];
    json_t *object = arc_json_object(&schema->json);
    snprintf(target, sizeof target, "#/definitions/%s", name);
    for (char *c = target; *c != '\0'; c++)
        *c = *c == ' ' ? '_' : *c;
    arc_json_put_string(&schema->json, object, "$ref", target);
    return object;
}
