/* libxml2's tree is copied into the arena and freed at once. See xml.h. */
#include "io/xml.h"

#include "io/encoding.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <limits.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* What is left of the prolog begins with a document type. */
static bool has_document_type(const char *bytes, size_t size)
{
    const char *end = bytes + size;
    for (;;) {
        while (bytes < end && is_blank(*bytes))
            bytes++;
        size_t left = (size_t)(end - bytes);
        bool is_comment = left >= 4 && memcmp(bytes, "<!--", 4) == 0;
        bool is_instruction = left >= 2 && memcmp(bytes, "<?", 2) == 0;
        if (!is_comment && !is_instruction)
            return left >= 2 && memcmp(bytes, "<!", 2) == 0;
        const char *close = is_comment ? "-->" : "?>";
        const char *behind = memmem(bytes + 2, left - 2, close, strlen(close));
        if (behind == NULL)
            return false;
        bytes = behind + strlen(close);
    }
}

static const char *copy_text(ArcArena *arena, const xmlChar *text)
{
    return arc_arena_copy_text(arena, (const char *)text, strlen((const char *)text));
}

/* All text that stands directly in the element, trimmed. */
static const char *text_of(ArcArena *arena, const xmlNode *element)
{
    size_t size = 0, n = 0;
    for (const xmlNode *node = element->children; node != NULL; node = node->next) {
        if ((node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) &&
            node->content != NULL)
            size += strlen((const char *)node->content);
    }
    if (size == 0)
        return "";
    char *text = arc_arena_alloc(arena, size + 1, 1);
    if (text == NULL)
        return NULL;
    for (const xmlNode *node = element->children; node != NULL; node = node->next) {
        if ((node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) &&
            node->content != NULL) {
            size_t length = strlen((const char *)node->content);
            memcpy(text + n, node->content, length);
            n += length;
        }
    }
    while (n > 0 && is_blank(text[n - 1]))
        n--;
    text[n] = '\0';
    while (is_blank(*text))
        text++;
    return text;
}

static bool copy_attributes(ArcArena *arena, const xmlNode *from, ArcXmlNode *to)
{
    ArcXmlAttribute **end = &to->attributes;
    for (const xmlAttr *from_one = from->properties; from_one != NULL; from_one = from_one->next) {
        ArcXmlAttribute *one = ARC_ALLOC(arena, 1, ArcXmlAttribute);
        const xmlNode *value = from_one->children;
        if (one == NULL)
            return false;
        one->name = copy_text(arena, from_one->name);
        one->value =
            value == NULL || value->content == NULL ? "" : copy_text(arena, value->content);
        if (one->name == NULL || one->value == NULL)
            return false;
        *end = one;
        end = &one->next;
    }
    return true;
}

/* The element and all below it (libxml2 has bounded the depth); NULL on exhaustion. */
static ArcXmlNode *copy_element(ArcArena *arena, const xmlNode *from)
{
    ArcXmlNode *to = ARC_ALLOC(arena, 1, ArcXmlNode);
    if (to == NULL)
        return NULL;
    long line = xmlGetLineNo(from);
    to->line = line > 0 && line < INT_MAX ? (int)line : 1;
    to->name = copy_text(arena, from->name);
    to->text = text_of(arena, from);
    if (to->name == NULL || to->text == NULL || !copy_attributes(arena, from, to))
        return NULL;
    ArcXmlNode **end = &to->first;
    for (const xmlNode *node = from->children; node != NULL; node = node->next) {
        if (node->type != XML_ELEMENT_NODE)
            continue;
        *end = copy_element(arena, node);
        if (*end == NULL)
            return NULL;
        end = &(*end)->next;
    }
    return to;
}

static ArcStatus refuse(const char *file, const xmlError *error, ArcError *err)
{
    ArcPlace at = {file, 1, 1};
    const char *what = "it ends too early";
    if (error != NULL && error->code == XML_ERR_NO_MEMORY)
        return arc_error_no_memory(err);
    if (error != NULL && error->message != NULL) {
        what = error->message;
        at.line = error->line > 0 ? error->line : 1;
        at.column = error->int2 > 0 ? error->int2 : 1;
    }
    int length = (int)strcspn(what, "\r\n");
    return arc_error_set_at(err, ARC_INPUT, at, "not well-formed XML: %.*s",
                            length > 200 ? 200 : length, what);
}

ArcStatus arc_xml_read(const char *file, const char *bytes, size_t size, ArcArena *arena,
                       ArcXmlNode **root, ArcError *err)
{
    static const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                               XML_PARSE_BIG_LINES | XML_PARSE_NOBLANKS | XML_PARSE_COMPACT;
    ArcDecoded decoded;
    ArcStatus status = arc_encoding_decode(file, bytes, size, arena, &decoded, err);
    if (status != ARC_OK)
        return status;
    if (has_document_type(decoded.text, decoded.size))
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){file, 1, 1},
                                "a document type in front of the XML is not accepted; take the "
                                "lines from '<!DOCTYPE' on away");
    xmlParserCtxt *context = xmlNewParserCtxt();
    if (context == NULL || decoded.size > INT_MAX) {
        xmlFreeParserCtxt(context);
        return arc_error_no_memory(err);
    }
    xmlDoc *document =
        xmlCtxtReadMemory(context, decoded.text, (int)decoded.size, NULL, "UTF-8", options);
    xmlNode *element = document == NULL ? NULL : xmlDocGetRootElement(document);
    if (element == NULL || document->intSubset != NULL) {
        status = refuse(file, xmlCtxtGetLastError(context), err);
    } else {
        ArcXmlNode *copy = copy_element(arena, element);
        if (copy == NULL)
            status = arc_error_no_memory(err);
        else
            *root = copy;
    }
    xmlFreeDoc(document);
    xmlFreeParserCtxt(context);
    return status;
}

const ArcXmlNode *arc_xml_child(const ArcXmlNode *node, const char *name)
{
    for (node = node == NULL ? NULL : node->first; node != NULL; node = node->next) {
        if (strcmp(node->name, name) == 0)
            return node;
    }
    return NULL;
}

const char *arc_xml_attribute(const ArcXmlNode *node, const char *name)
{
    for (const ArcXmlAttribute *one = node->attributes; one != NULL; one = one->next) {
        if (strcmp(one->name, name) == 0)
            return one->value;
    }
    return NULL;
}

bool arc_xml_attribute_is(const ArcXmlNode *node, const char *name, const char *value)
{
    const char *found = arc_xml_attribute(node, name);
    return found != NULL && strcmp(found, value) == 0;
}
