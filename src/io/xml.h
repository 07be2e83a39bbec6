/* XML documents as a tree in an arena, through libxml2.
 *
 * Nothing is fetched, no document type is accepted (so that there are no entities but the five of
 * XML itself), and libxml2's limits for depth and length of text stay on. The encoding is found by
 * encoding.h, whatever the file declares: programs that write through the system's code page
 * declare UTF-8 nevertheless.
 */
#ifndef ARC_IO_XML_H
#define ARC_IO_XML_H

#include "arcfit/error.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ArcXmlAttribute {
    const char *name;
    const char *value;
    struct ArcXmlAttribute *next;
} ArcXmlAttribute;

typedef struct ArcXmlNode {
    const char *name;
    const char *text; /* that stands directly in it, without blanks at both ends */
    int line;         /* of its start, from 1 */
    ArcXmlAttribute *attributes;
    struct ArcXmlNode *first; /* child */
    struct ArcXmlNode *next;  /* sibling */
} ArcXmlNode;

/* Reads a whole file that stands in memory; file is its name in messages. ARC_INPUT with
 * file:line:column: what is no well-formed XML, a document type, deeper than 256. ARC_MEMORY. */
ArcStatus arc_xml_read(const char *file, const char *bytes, size_t size, ArcArena *arena,
                       ArcXmlNode **root, ArcError *err);

/* The first child of that name; NULL where there is none, or node is NULL. */
const ArcXmlNode *arc_xml_child(const ArcXmlNode *node, const char *name);

/* NULL where there is none. */
const char *arc_xml_attribute(const ArcXmlNode *node, const char *name);

/* True where the attribute is there and has that value. */
bool arc_xml_attribute_is(const ArcXmlNode *node, const char *name, const char *value);

#endif
