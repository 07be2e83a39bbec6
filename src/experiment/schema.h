/* A JSON Schema (draft-07) while it is built: the parts that schema.c and schema_shape.c share.
 *
 * Draft-07, since that is what editors' language servers know best; nothing here needs a later one.
 * A YAML scalar is a number to an editor where it looks like one, and text elsewhere, so that a
 * quantity is a number in its range or a text by a pattern; the range of a text is for the program.
 */
#ifndef ARC_EXPERIMENT_SCHEMA_H
#define ARC_EXPERIMENT_SCHEMA_H

#include "base/arena.h"
#include "experiment/settings.h"
#include "io/json.h"

typedef struct ArcSchema {
    ArcJson json;
    ArcArena *arena;
} ArcSchema;

/* What a shape's text says of the row's value, in a new object: its keys are those of a schema.
 * part 0 is what flights accept, 1 what own equations do, -1 what either does. Alternatives stand
 * between '|', a second part for own equations behind ';'. A word in small letters is itself; a
 * list is [ALTERNATIVES COUNT unique], where COUNT is 2, 2..3 or 2.. ; words in capitals:
 *
 *   NUMBER    a number of the row's quantity, in its range where it has no unit
 *   WHOLE     a whole number in the row's range
 *   PIXELS    a text as 0.5 px
 *   SHARE     a plain number as text, as 20 %
 *   ANY       a number with whatever unit
 *   POSITIVE  the same above 0
 *   NOTHING   zero
 *   PAIR      [a number of the row's quantity, a plain one in the row's range]
 *   TEXT      any scalar but an empty one; FILE the same
 *   UNIT      the name of a unit of the row's quantity
 *   PLANE     a text as y=0.12 m
 *   FLAG, CHOICE  what rows of these types accept
 *   BALL, LAW, LOSS, THROW   one of the names that the program has
 *   KEYS      a mapping of the rows below; KEYS:name where that one stands alone
 *   ONE       the same with just one of them
 *   OPEN      the same with others beside, which are TEXT
 *   NAMES     a mapping by names, of the row NAME below; NAMES:camera, NAMES:target, NAMES:throw
 *             where names have rules
 *   CHANNELS  a mapping by names to POSITIVE, or to `estimate`
 *   PARAMETERS  the mapping of parameters
 *
 * NULL where memory is short; what the text has that is no word is told in *wrong (nullable). */
json_t *arc_schema_shape(ArcSchema *schema, const ArcSettingRow *row, int part, const char **wrong);

/* A row as a schema with its path as title, its doc and default. */
json_t *arc_schema_row(ArcSchema *schema, const ArcSettingRow *row);

/* The mapping of the rows that stand directly in section. */
json_t *arc_schema_section(ArcSchema *schema, const char *section);

/* A mapping by names, of the row NAME in section; kind is what stands behind NAMES. */
json_t *arc_schema_names(ArcSchema *schema, const char *section, const char *kind);

/* The mapping of parameters. */
json_t *arc_schema_parameters(ArcSchema *schema);

/* The texts that `$ref` names: patterns of quantities, and a parameter. */
json_t *arc_schema_patterns(ArcSchema *schema);

/* {"$ref": "#/definitions/name"}, with '_' for blanks. */
json_t *arc_schema_reference(ArcSchema *schema, const char *name);

/* The number of a row, or text with its unit, into the array of alternatives. */
void arc_schema_push_number(ArcSchema *schema, json_t *alternatives, const ArcSettingRow *row);

/* The name of a quantity among the definitions. */
const char *arc_schema_quantity(ArcQuantity quantity);

/* A pattern of the names of a quantity's units. */
json_t *arc_schema_unit_pattern(ArcSchema *schema, ArcQuantity quantity);

#endif
