/* libyaml's events turned into a tree. libyaml counts columns in characters; places here count
 * bytes, so each mark is found again in the text by a cursor that walks along with the events. */
#include "io/yaml.h"

#include "base/number.h"

#include <string.h>
#include <yaml.h>

/* The text and a cursor in it; origin is the place of its first byte. */
typedef struct YamlSource {
    const char *bytes;
    size_t size;
    ArcPlace origin;
    size_t character;
    size_t offset;
    size_t line_start;
    int line; /* from 0 */
} YamlSource;

typedef struct YamlReader {
    YamlSource source;
    ArcArena *arena;
    bool passes_tags;
    ArcYamlNode *root;
    ArcYamlNode *open[ARC_YAML_MAX_DEPTH]; /* sequences and mappings not yet closed */
    int depth;
    int n_documents;
    const char *key; /* read, its value still to come */
    ArcPlace key_place;
} YamlReader;

static bool source_is_line_end(const YamlSource *source, size_t offset)
{
    char byte = source->bytes[offset];
    if (byte == '\r')
        return offset + 1 == source->size || source->bytes[offset + 1] != '\n';
    return byte == '\n';
}

static bool source_is_continuation(const YamlSource *source, size_t offset)
{
    return offset < source->size && ((unsigned char)source->bytes[offset] & 0xc0) == 0x80;
}

static void source_step_forward(YamlSource *source)
{
    bool line_end = source_is_line_end(source, source->offset);
    do
        source->offset++;
    while (source_is_continuation(source, source->offset));
    source->character++;
    if (line_end) {
        source->line++;
        source->line_start = source->offset;
    }
}

static void source_step_back(YamlSource *source)
{
    do
        source->offset--;
    while (source->offset > 0 && source_is_continuation(source, source->offset));
    source->character--;
    if (!source_is_line_end(source, source->offset))
        return;
    source->line--;
    source->line_start = source->offset;
    while (source->line_start > 0 && !source_is_line_end(source, source->line_start - 1))
        source->line_start--;
}

static ArcPlace source_place(const YamlSource *source)
{
    size_t column = source->offset - source->line_start + 1;
    if (source->line == 0)
        column += (size_t)source->origin.column - 1;
    return (ArcPlace){source->origin.file, source->origin.line + source->line, (int)column};
}

static ArcPlace source_place_of_character(YamlSource *source, size_t character)
{
    while (source->character < character && source->offset < source->size)
        source_step_forward(source);
    while (source->character > character)
        source_step_back(source);
    return source_place(source);
}

static ArcPlace source_place_of_byte(YamlSource *source, size_t offset)
{
    while (source->offset < offset && source->offset < source->size)
        source_step_forward(source);
    while (source->offset > offset && source->character > 0)
        source_step_back(source);
    return source_place(source);
}

ArcYamlNode *arc_yaml_find(const ArcYamlNode *mapping, const char *key)
{
    if (mapping->kind != ARC_YAML_MAPPING)
        return NULL;
    for (ArcYamlNode *node = mapping->first; node != NULL; node = node->next) {
        if (strcmp(node->key, key) == 0)
            return node;
    }
    return NULL;
}

bool arc_yaml_is_null(const ArcYamlNode *node)
{
    return node->kind == ARC_YAML_SCALAR && !node->is_quoted &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 ||
            strcmp(node->text, "null") == 0);
}

const char *arc_yaml_kind_text(const ArcYamlNode *node)
{
    static const char *const texts[] = {"text", "a list", "a mapping"};
    return texts[node->kind];
}

static void yaml_append(ArcYamlNode *parent, ArcYamlNode *node)
{
    if (parent->last == NULL)
        parent->first = node;
    else
        parent->last->next = node;
    parent->last = node;
    parent->n_children++;
}

/* A scalar where a mapping wants a key. */
static ArcStatus yaml_take_key(YamlReader *reader, const yaml_event_t *event, ArcPlace place,
                               ArcError *err)
{
    const ArcYamlNode *parent = reader->open[reader->depth - 1];
    if (event->type != YAML_SCALAR_EVENT)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "a key must be a word, not a list or a "
                                "mapping");
    const char *key = (const char *)event->data.scalar.value;
    const ArcYamlNode *before = arc_yaml_find(parent, key);
    if (before != NULL)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "the key '%s' is given twice, first in line %d; keep one", key,
                                before->key_place.line);
    if (parent->n_children >= ARC_YAML_MAX_KEYS)
        return arc_error_set_at(err, ARC_INPUT, place, "more than %d keys in one mapping",
                                ARC_YAML_MAX_KEYS);
    reader->key = arc_arena_copy_text(reader->arena, key, event->data.scalar.length);
    reader->key_place = place;
    return reader->key == NULL ? arc_error_no_memory(err) : ARC_OK;
}

static ArcYamlNode *yaml_create_node(YamlReader *reader, const yaml_event_t *event, ArcPlace place)
{
    ArcYamlNode *node = ARC_ALLOC(reader->arena, 1, ArcYamlNode);
    if (node == NULL)
        return NULL;
    node->place = place;
    node->kind = event->type == YAML_SEQUENCE_START_EVENT  ? ARC_YAML_SEQUENCE
                 : event->type == YAML_MAPPING_START_EVENT ? ARC_YAML_MAPPING
                                                           : ARC_YAML_SCALAR;
    if (node->kind == ARC_YAML_SCALAR) {
        node->is_quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        node->text = arc_arena_copy_text(reader->arena, (const char *)event->data.scalar.value,
                                         event->data.scalar.length);
        if (node->text == NULL)
            return NULL;
    }
    return node;
}

static ArcStatus yaml_take_node(YamlReader *reader, const yaml_event_t *event, ArcPlace place,
                                ArcError *err)
{
    ArcYamlNode *parent = reader->depth > 0 ? reader->open[reader->depth - 1] : NULL;
    if (parent != NULL && parent->kind == ARC_YAML_MAPPING && reader->key == NULL)
        return yaml_take_key(reader, event, place, err);
    ArcYamlNode *node = yaml_create_node(reader, event, place);
    if (node == NULL)
        return arc_error_no_memory(err);
    node->key = reader->key;
    node->key_place = reader->key_place;
    reader->key = NULL;
    if (parent == NULL)
        reader->root = node;
    else
        yaml_append(parent, node);
    if (node->kind == ARC_YAML_SCALAR)
        return ARC_OK;
    if (reader->depth == ARC_YAML_MAX_DEPTH)
        return arc_error_set_at(err, ARC_INPUT, place, "nested deeper than %d levels",
                                ARC_YAML_MAX_DEPTH);
    reader->open[reader->depth++] = node;
    return ARC_OK;
}

/* Refuses what would make one thing mean another elsewhere in the file. */
static ArcStatus yaml_check_plain(const YamlReader *reader, const yaml_char_t *anchor,
                                  const yaml_char_t *tag, ArcPlace place, ArcError *err)
{
    if (anchor != NULL)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "the anchor '&%s' is not accepted; write the value where it is "
                                "used",
                                (const char *)anchor);
    if (tag != NULL && !reader->passes_tags)
        return arc_error_set_at(err, ARC_INPUT, place, "the tag '%s' is not accepted; leave it out",
                                (const char *)tag);
    return ARC_OK;
}

static ArcStatus yaml_take_event(YamlReader *reader, const yaml_event_t *event, ArcError *err)
{
    ArcPlace place = source_place_of_character(&reader->source, event->start_mark.index);
    ArcStatus status = ARC_OK;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (reader->n_documents++ > 0)
            return arc_error_set_at(err, ARC_INPUT, place,
                                    "a second document starts here; one file holds one");
        return ARC_OK;
    case YAML_ALIAS_EVENT:
        return arc_error_set_at(err, ARC_INPUT, place,
                                "the alias '*%s' is not accepted; write the value itself",
                                (const char *)event->data.alias.anchor);
    case YAML_SCALAR_EVENT:
        status =
            yaml_check_plain(reader, event->data.scalar.anchor, event->data.scalar.tag, place, err);
        if (status == ARC_OK &&
            memchr(event->data.scalar.value, '\0', event->data.scalar.length) != NULL)
            status = arc_error_set_at(err, ARC_INPUT, place, "a zero character in a text");
        return status == ARC_OK ? yaml_take_node(reader, event, place, err) : status;
    case YAML_SEQUENCE_START_EVENT:
        status = yaml_check_plain(reader, event->data.sequence_start.anchor,
                                  event->data.sequence_start.tag, place, err);
        return status == ARC_OK ? yaml_take_node(reader, event, place, err) : status;
    case YAML_MAPPING_START_EVENT:
        status = yaml_check_plain(reader, event->data.mapping_start.anchor,
                                  event->data.mapping_start.tag, place, err);
        return status == ARC_OK ? yaml_take_node(reader, event, place, err) : status;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        reader->depth--;
        return ARC_OK;
    default:
        return ARC_OK;
    }
}

static ArcStatus yaml_parser_error(YamlReader *reader, const yaml_parser_t *parser, ArcError *err)
{
    const char *problem = parser->problem == NULL ? "cannot be read" : parser->problem;
    if (parser->error == YAML_MEMORY_ERROR)
        return arc_error_no_memory(err);
    if (parser->error == YAML_READER_ERROR) {
        ArcPlace place = source_place_of_byte(&reader->source, parser->problem_offset);
        return arc_error_set_at(err, ARC_INPUT, place,
                                "not UTF-8 text: %s (value %#x); save the file as UTF-8", problem,
                                (unsigned)parser->problem_value);
    }
    ArcPlace place = source_place_of_character(&reader->source, parser->problem_mark.index);
    size_t at = reader->source.offset;
    const char *hint = at < reader->source.size && reader->source.bytes[at] == '\t'
                           ? "; indent with blanks, not tabs"
                           : "";
    return arc_error_set_at(err, ARC_INPUT, place, "not valid YAML: %s%s%s%s", problem,
                            parser->context == NULL ? "" : " ",
                            parser->context == NULL ? "" : parser->context, hint);
}

static ArcStatus yaml_read_events(YamlReader *reader, yaml_parser_t *parser, ArcError *err)
{
    for (;;) {
        yaml_event_t event;
        if (yaml_parser_parse(parser, &event) == 0)
            return yaml_parser_error(reader, parser, err);
        ArcStatus status = yaml_take_event(reader, &event, err);
        bool at_end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (status != ARC_OK || at_end)
            return status;
    }
}

/* What libyaml would read in silence, or refuse in other words. */
static ArcStatus yaml_check_bytes(YamlSource *source, ArcError *err)
{
    const char *bytes = source->bytes;
    if (source->size > ARC_YAML_MAX_BYTES)
        return arc_error_set_at(err, ARC_INPUT, source->origin,
                                "too large: %zu bytes, at most %d are read", source->size,
                                ARC_YAML_MAX_BYTES);
    if (source->size >= 2 &&
        (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
        return arc_error_set_at(err, ARC_INPUT, source->origin,
                                "UTF-16 text; save the file as UTF-8");
    const char *zero = source->size == 0 ? NULL : memchr(bytes, '\0', source->size);
    if (zero != NULL)
        return arc_error_set_at(err, ARC_INPUT,
                                source_place_of_byte(source, (size_t)(zero - bytes)),
                                "a zero byte: this is not UTF-8 text; save the file as UTF-8");
    return ARC_OK;
}

/* Reads what source holds into root. */
static ArcStatus yaml_read(YamlReader *reader, ArcYamlNode **root, ArcError *err)
{
    YamlSource *source = &reader->source;
    ArcStatus status = yaml_check_bytes(source, err);
    if (status != ARC_OK)
        return status;
    /* libyaml does not count a byte order mark as a character */
    if (source->size >= 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0) {
        source->bytes += 3;
        source->size -= 3;
    }
    yaml_parser_t parser;
    if (!arc_memory_allows(sizeof parser) || yaml_parser_initialize(&parser) == 0)
        return arc_error_no_memory(err);
    yaml_parser_set_input_string(&parser, (const unsigned char *)source->bytes, source->size);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    status = yaml_read_events(reader, &parser, err);
    yaml_parser_delete(&parser);
    if (status != ARC_OK)
        return status;
    if (reader->root == NULL)
        return arc_error_set_at(err, ARC_INPUT, source->origin,
                                "empty: nothing but blanks and comments");
    *root = reader->root;
    return ARC_OK;
}

static ArcStatus yaml_parse_at(ArcPlace origin, const char *bytes, size_t size, ArcArena *arena,
                               ArcYamlNode **root, ArcError *err)
{
    YamlReader reader = {.source = {.bytes = bytes, .size = size, .origin = origin},
                         .arena = arena};
    return yaml_read(&reader, root, err);
}

ArcStatus arc_yaml_parse(const char *file, const char *bytes, size_t size, ArcArena *arena,
                         ArcYamlNode **root, ArcError *err)
{
    return yaml_parse_at((ArcPlace){file, 1, 1}, bytes, size, arena, root, err);
}

ArcStatus arc_yaml_parse_storage(const char *file, const char *bytes, size_t size, ArcArena *arena,
                                 ArcYamlNode **root, ArcError *err)
{
    char *copy = arc_arena_copy_text(arena, bytes, size);
    if (copy == NULL)
        return arc_error_no_memory(err);
    size_t start = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (start < size && strchr("%#\r\n", copy[start]) != NULL && copy[start] != '\0') {
        if (copy[start] == '%')
            copy[start] = '#';
        while (start < size && copy[start] != '\n')
            start++;
        start++;
    }
    YamlReader reader = {.source = {.bytes = copy, .size = size, .origin = {file, 1, 1}},
                         .arena = arena,
                         .passes_tags = true};
    return yaml_read(&reader, root, err);
}

/* The child of parent that an override names by text[0..length), made where it is missing. */
static ArcStatus override_step(ArcYamlNode *parent, const char *name, ArcPlace place,
                               ArcArena *arena, ArcYamlNode **child, ArcError *err)
{
    if (parent->kind == ARC_YAML_SEQUENCE) {
        long long index = -1;
        if (!arc_number_read_integer(name, strlen(name), &index) || index < 0 ||
            index >= parent->n_children)
            return arc_error_set_at(err, ARC_INPUT, place,
                                    "'%s' is not an index of a list of %d; they count from 0", name,
                                    parent->n_children);
        *child = parent->first;
        while (index-- > 0)
            *child = (*child)->next;
        return ARC_OK;
    }
    *child = arc_yaml_find(parent, name);
    if (*child != NULL)
        return ARC_OK;
    ArcYamlNode *made = ARC_ALLOC(arena, 1, ArcYamlNode);
    if (made == NULL)
        return arc_error_no_memory(err);
    *made =
        (ArcYamlNode){.kind = ARC_YAML_MAPPING, .place = place, .key = name, .key_place = place};
    yaml_append(parent, made);
    *child = made;
    return ARC_OK;
}

/* Puts value's content in node's stead; node stays where it hangs. */
static void override_replace(ArcYamlNode *node, const ArcYamlNode *value, ArcPlace key_place)
{
    ArcYamlNode old = *node;
    *node = *value;
    node->key = old.key;
    node->key_place = key_place;
    node->next = old.next;
}

/* A scalar on the path: `flight:` with nothing behind it may become a mapping, a value may not. */
static ArcStatus override_open(ArcYamlNode *node, ArcPlace place, ArcError *err)
{
    if (node->kind != ARC_YAML_SCALAR)
        return ARC_OK;
    if (!arc_yaml_is_null(node))
        return arc_error_set_at(err, ARC_INPUT, place,
                                "'%s' is '%s', which has no keys; set the whole of it, for "
                                "example to {key: value}",
                                node->key == NULL ? "it" : node->key, node->text);
    node->kind = ARC_YAML_MAPPING;
    node->text = NULL;
    return ARC_OK;
}

ArcStatus arc_yaml_override(ArcYamlNode *root, const char *text, int number, ArcArena *arena,
                            ArcError *err)
{
    ArcPlace place = {"--set", number, 1};
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "'%.200s' is not of the form path.to.key=value", text);
    if (strpbrk(text, "\r\n") != NULL)
        return arc_error_set_at(err, ARC_INPUT, place, "more than one line");
    place.column = (int)(equals - text) + 2;
    ArcYamlNode *value = NULL;
    ArcStatus status = yaml_parse_at(place, equals + 1, strlen(equals + 1), arena, &value, err);
    ArcYamlNode *node = root;
    const char *start = text;
    while (status == ARC_OK) {
        size_t length = strcspn(start, ".=");
        place.column = (int)(start - text) + 1;
        if (length == 0)
            return arc_error_set_at(err, ARC_INPUT, place, "a name is missing in '%.200s'", text);
        const char *name = arc_arena_copy_text(arena, start, length);
        if (name == NULL)
            return arc_error_no_memory(err);
        status = override_step(node, name, place, arena, &node, err);
        start += length + 1;
        if (status == ARC_OK && start > equals) {
            override_replace(node, value, place);
            return ARC_OK;
        }
        if (status == ARC_OK)
            status = override_open(node, place, err);
    }
    return status;
}
