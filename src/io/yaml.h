/* YAML as a small tree in which every node knows its place.
 *
 * A strict subset: one document, plain and quoted scalars, sequences and mappings with scalar keys.
 * Refused with their place: aliases, anchors, tags, keys given twice, a second document, files over
 * 1 MB, nesting over 64 levels, more than 1000 keys in one mapping, and what is not UTF-8 text.
 * Nodes live in the caller's arena. Grammar: YAML 1.1 as libyaml reads it.
 */
#ifndef ARC_IO_YAML_H
#define ARC_IO_YAML_H

#include "arcfit/error.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum { ARC_YAML_MAX_BYTES = 1 << 20, ARC_YAML_MAX_DEPTH = 64, ARC_YAML_MAX_KEYS = 1000 };

typedef enum ArcYamlKind { ARC_YAML_SCALAR, ARC_YAML_SEQUENCE, ARC_YAML_MAPPING } ArcYamlKind;

/* A node. Lines and columns count from 1, columns in bytes. */
typedef struct ArcYamlNode {
    ArcYamlKind kind;
    bool is_quoted; /* scalar in quotes, or a block scalar */
    int n_children;
    ArcPlace place;
    const char *text; /* scalar: UTF-8 without zero bytes; else NULL */
    const char *key;  /* where the parent is a mapping; else NULL */
    ArcPlace key_place;
    struct ArcYamlNode *first, *last; /* children, in the file's order */
    struct ArcYamlNode *next;         /* in the parent */
} ArcYamlNode;

/* Parses bytes (size of them, '\0' not needed). file stands in places and is borrowed.
 * ARC_INPUT with file:line:column (an empty document: 1:1). ARC_MEMORY. */
ArcStatus arc_yaml_parse(const char *file, const char *bytes, size_t size, ArcArena *arena,
                         ArcYamlNode **root, ArcError *err);

/* The same of a file that OpenCV's FileStorage wrote: tags (!!opencv-matrix) are passed over, and
 * lines that begin with '%' above the first key are comments (%YAML:1.0, which is no YAML). */
ArcStatus arc_yaml_parse_storage(const char *file, const char *bytes, size_t size, ArcArena *arena,
                                 ArcYamlNode **root, ArcError *err);

/* Lays "path.to.key=value" over the tree: value is a YAML fragment; mappings that are missing on
 * the path are made; in a sequence the name is an index from 0. Places become "--set", line number
 * (which of the overrides it is, from 1), column in text. root is a mapping. */
ArcStatus arc_yaml_override(ArcYamlNode *root, const char *text, int number, ArcArena *arena,
                            ArcError *err);

/* The value of key in a mapping; NULL where there is none. */
ArcYamlNode *arc_yaml_find(const ArcYamlNode *mapping, const char *key);

/* True for a plain scalar that is empty, `~` or `null`. */
bool arc_yaml_is_null(const ArcYamlNode *node);

/* "a list", "a mapping", or "text"; for messages. */
const char *arc_yaml_kind_text(const ArcYamlNode *node);

#endif
