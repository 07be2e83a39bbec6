/* TOML as the tree that YAML gives (yaml.h): tables are mappings, arrays sequences, all else text.
 *
 * Read are tables, arrays of tables, dotted and quoted keys, inline tables, arrays over lines with
 * a comma behind the last value, all four kinds of strings, numbers (blank of their underscores),
 * true and false, and dates, which stay text. Refused with their place: keys and tables given
 * twice, text without quotes, files over 1 MB, nesting over 64 levels, more than 1000 keys in one
 * table, and what is not UTF-8 text. Grammar: TOML 1.0.0 (toml.io), with line breaks and a last
 * comma let pass in inline tables.
 */
#ifndef ARC_IO_TOML_H
#define ARC_IO_TOML_H

#include "io/yaml.h"

/* Parses bytes (size of them, '\0' not needed). file stands in places and is borrowed. A string is
 * is_quoted. ARC_INPUT with file:line:column (an empty file: 1:1). ARC_MEMORY. */
ArcStatus arc_toml_parse(const char *file, const char *bytes, size_t size, ArcArena *arena,
                         ArcYamlNode **root, ArcError *err);

#endif
