/* TOML by recursive descent. While it is read, is_quoted of a table or array says that it is
 * closed: a table that a header or braces defined, an array of values. */
#include "io/toml.h"

#include "base/number.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

typedef struct Toml {
    const char *file, *bytes;
    size_t size, at, line_start;
    int line;
    ArcArena *arena;
    char *scratch; /* (size + 1): a string while it is read */
    int depth;
} Toml;

static ArcPlace place_of(const Toml *toml)
{
    return (ArcPlace){toml->file, toml->line, (int)(toml->at - toml->line_start) + 1};
}

/* The byte so far ahead; 0 behind the end (there is no such byte in the text). */
static char ahead(const Toml *toml, size_t offset)
{
    return toml->at + offset < toml->size ? toml->bytes[toml->at + offset] : '\0';
}

static void step(Toml *toml)
{
    bool line_end = toml->bytes[toml->at++] == '\n';
    if (line_end) {
        toml->line++;
        toml->line_start = toml->at;
    }
}

static ArcStatus refuse(const Toml *toml, ArcError *err, const char *what)
{
    char next = ahead(toml, 0);
    if (next == '\0')
        return arc_error_set_at(err, ARC_INPUT, place_of(toml), "%s; the file ends here", what);
    if (next == '\n' || next == '\r')
        return arc_error_set_at(err, ARC_INPUT, place_of(toml), "%s; the line ends here", what);
    size_t length = arc_text_character_length(toml->bytes + toml->at, toml->size - toml->at);
    return arc_error_set_at(err, ARC_INPUT, place_of(toml), "%s; here is '%.*s'", what, (int)length,
                            toml->bytes + toml->at);
}

static void skip_blanks(Toml *toml)
{
    while (ahead(toml, 0) == ' ' || ahead(toml, 0) == '\t')
        step(toml);
}

static bool is_line_end(const Toml *toml)
{
    return ahead(toml, 0) == '\n' || (ahead(toml, 0) == '\r' && ahead(toml, 1) == '\n');
}

/* Blanks, comments and line ends. */
static void skip_lines(Toml *toml)
{
    for (;;) {
        skip_blanks(toml);
        while (ahead(toml, 0) == '#' || (ahead(toml, 0) != '\0' && is_line_end(toml))) {
            while (ahead(toml, 0) != '\n' && ahead(toml, 0) != '\0')
                step(toml);
            if (ahead(toml, 0) == '\n')
                step(toml);
        }
        if (ahead(toml, 0) != ' ' && ahead(toml, 0) != '\t')
            return;
    }
}

static bool is_bare(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '-';
}

/* A code point as UTF-8; how many bytes, 0 where it is none. */
static size_t encode(unsigned long code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return code == 0 ? 0 : 1;
    }
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return 0;
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)((0xf00 >> length & 0xff) | code);
    return length;
}

/* What a backslash stands for; the cursor is behind it. */
static ArcStatus take_escape(Toml *toml, char out[4], size_t *length, ArcError *err)
{
    static const char names[] = "btnfr\"\\", values[] = "\b\t\n\f\r\"\\";
    char name = ahead(toml, 0);
    const char *known = name == '\0' ? NULL : strchr(names, name);
    *length = 1;
    if (known != NULL) {
        out[0] = values[known - names];
        step(toml);
        return ARC_OK;
    }
    size_t digits = name == 'u' ? 4 : name == 'U' ? 8 : 0;
    unsigned long code = 0;
    for (size_t i = 1; i <= digits; i++) {
        char digit = ahead(toml, i);
        int value = digit >= '0' && digit <= '9'   ? digit - '0'
                    : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
                    : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                                   : -1;
        if (value < 0)
            digits = 0;
        else
            code = code << 4 | (unsigned long)value;
    }
    *length = digits == 0 ? 0 : encode(code, out);
    if (*length == 0)
        return refuse(toml, err, "an escape must be one of \\b \\t \\n \\f \\r \\\" \\\\ \\uXXXX");
    toml->at += digits + 1;
    return ARC_OK;
}

/* A string of any of the four kinds; the cursor is at its first quote. */
static ArcStatus take_string(Toml *toml, const char **text, ArcError *err)
{
    ArcPlace start = place_of(toml);
    char quote = ahead(toml, 0);
    size_t quotes = ahead(toml, 1) == quote && ahead(toml, 2) == quote ? 3 : 1, length = 0;
    toml->at += quotes;
    if (quotes == 3 && is_line_end(toml))
        while (toml->bytes[toml->at - 1] != '\n')
            step(toml);
    for (;;) {
        char byte = ahead(toml, 0);
        if (byte == '\0' || (quotes == 1 && (byte == '\n' || byte == '\r')))
            return arc_error_set_at(err, ARC_INPUT, start, "a string that starts here has no end");
        if (byte == quote && (quotes == 1 || (ahead(toml, 1) == quote && ahead(toml, 2) == quote &&
                                              ahead(toml, 3) != quote)))
            break;
        step(toml);
        if (byte != '\\' || quote == '\'') {
            toml->scratch[length++] = byte;
            continue;
        }
        if (quotes == 3 && (is_line_end(toml) || ahead(toml, 0) == ' ')) { /* joins lines */
            while (ahead(toml, 0) == ' ' || ahead(toml, 0) == '\t' || is_line_end(toml))
                step(toml);
            continue;
        }
        char out[4];
        size_t n;
        ArcStatus status = take_escape(toml, out, &n, err);
        if (status != ARC_OK)
            return status;
        memcpy(toml->scratch + length, out, n);
        length += n;
    }
    toml->at += quotes;
    *text = arc_arena_copy_text(toml->arena, toml->scratch, length);
    return *text == NULL ? arc_error_no_memory(err) : ARC_OK;
}

/* One part of a key. */
static ArcStatus take_key(Toml *toml, const char **key, ArcError *err)
{
    if (ahead(toml, 0) == '"' || ahead(toml, 0) == '\'')
        return take_string(toml, key, err);
    size_t start = toml->at;
    while (is_bare(ahead(toml, 0)))
        step(toml);
    if (toml->at == start)
        return refuse(toml, err, "a key is missing");
    *key = arc_arena_copy_text(toml->arena, toml->bytes + start, toml->at - start);
    return *key == NULL ? arc_error_no_memory(err) : ARC_OK;
}

static ArcYamlNode *add_node(Toml *toml, ArcYamlNode *parent, ArcYamlKind kind, ArcPlace place)
{
    ArcYamlNode *node = ARC_ALLOC(toml->arena, 1, ArcYamlNode);
    if (node == NULL)
        return NULL;
    node->kind = kind;
    node->place = place;
    if (parent->last == NULL)
        parent->first = node;
    else
        parent->last->next = node;
    parent->last = node;
    parent->n_children++;
    return node;
}

/* A key's last part, and where it stands. */
typedef struct Key {
    const char *name;
    ArcPlace place;
} Key;

static ArcStatus add_key(Toml *toml, ArcYamlNode *table, const Key *key, ArcYamlKind kind,
                         ArcYamlNode **node, ArcError *err)
{
    if (table->n_children >= ARC_YAML_MAX_KEYS)
        return arc_error_set_at(err, ARC_INPUT, key->place, "more than %d keys in one table",
                                ARC_YAML_MAX_KEYS);
    *node = add_node(toml, table, kind, key->place);
    if (*node == NULL)
        return arc_error_no_memory(err);
    (*node)->key = key->name;
    (*node)->key_place = key->place;
    return ARC_OK;
}

static ArcStatus given_twice(const char *what, const ArcYamlNode *before, ArcPlace place,
                             ArcError *err)
{
    return arc_error_set_at(err, ARC_INPUT, place,
                            "the %s '%s' is given twice, first in line %d; keep one", what,
                            before->key, before->key_place.line);
}

/* Goes down a dotted key to the table that holds its last part, making tables on the way. */
static ArcStatus take_path(Toml *toml, ArcYamlNode **table, Key *key, bool is_header, ArcError *err)
{
    for (int parts = 1;; parts++) {
        skip_blanks(toml);
        key->place = place_of(toml);
        ArcStatus status = take_key(toml, &key->name, err);
        skip_blanks(toml);
        if (status != ARC_OK || ahead(toml, 0) != '.')
            return status;
        if (parts == ARC_YAML_MAX_DEPTH)
            return arc_error_set_at(err, ARC_INPUT, key->place, "nested deeper than %d levels",
                                    ARC_YAML_MAX_DEPTH);
        step(toml);
        ArcYamlNode *next = arc_yaml_find(*table, key->name);
        if (next == NULL)
            status = add_key(toml, *table, key, ARC_YAML_MAPPING, &next, err);
        else if (next->kind == ARC_YAML_SEQUENCE && !next->is_quoted && is_header)
            next = next->last;
        else if (next->kind != ARC_YAML_MAPPING || (next->is_quoted && !is_header))
            return given_twice("key", next, key->place, err);
        if (status != ARC_OK)
            return status;
        *table = next;
    }
}

static ArcStatus take_value(Toml *toml, ArcYamlNode *node, ArcError *err);

static ArcStatus take_array(Toml *toml, ArcYamlNode *node, ArcError *err)
{
    node->kind = ARC_YAML_SEQUENCE;
    node->is_quoted = true;
    step(toml);
    for (;;) {
        skip_lines(toml);
        if (ahead(toml, 0) == ']')
            break;
        ArcYamlNode *item = add_node(toml, node, ARC_YAML_SCALAR, place_of(toml));
        if (item == NULL)
            return arc_error_no_memory(err);
        ArcStatus status = take_value(toml, item, err);
        if (status != ARC_OK)
            return status;
        skip_lines(toml);
        if (ahead(toml, 0) == ',')
            step(toml);
        else if (ahead(toml, 0) != ']')
            return refuse(toml, err, "an array goes on with a comma or ends with ']'");
    }
    step(toml);
    return ARC_OK;
}

/* key = value. */
static ArcStatus take_pair(Toml *toml, ArcYamlNode *table, ArcError *err)
{
    Key key;
    ArcYamlNode *node;
    ArcStatus status = take_path(toml, &table, &key, false, err);
    if (status != ARC_OK)
        return status;
    if (ahead(toml, 0) != '=')
        return refuse(toml, err, "a key and its value stand on one line, with '=' between them");
    step(toml);
    skip_blanks(toml);
    if ((node = arc_yaml_find(table, key.name)) != NULL)
        return given_twice("key", node, key.place, err);
    status = add_key(toml, table, &key, ARC_YAML_SCALAR, &node, err);
    return status == ARC_OK ? take_value(toml, node, err) : status;
}

static ArcStatus take_inline_table(Toml *toml, ArcYamlNode *node, ArcError *err)
{
    node->kind = ARC_YAML_MAPPING;
    step(toml);
    for (;;) {
        skip_lines(toml);
        if (ahead(toml, 0) == '}')
            break;
        ArcStatus status = take_pair(toml, node, err);
        if (status != ARC_OK)
            return status;
        skip_lines(toml);
        if (ahead(toml, 0) == ',')
            step(toml);
        else if (ahead(toml, 0) != '}')
            return refuse(toml, err, "a table in braces goes on with a comma or ends with '}'");
    }
    step(toml);
    node->is_quoted = true;
    return ARC_OK;
}

/* A number without its underscores, true, false, or a date. */
static ArcStatus take_word(Toml *toml, ArcYamlNode *node, ArcError *err)
{
    size_t start = toml->at, length = 0;
    while (is_bare(ahead(toml, 0)) || strchr("+.:", ahead(toml, 0)) != NULL) {
        if (ahead(toml, 0) == '\0')
            break;
        step(toml);
    }
    char *word = arc_arena_copy_text(toml->arena, toml->bytes + start, toml->at - start);
    if (word == NULL)
        return arc_error_no_memory(err);
    for (const char *c = word; *c != '\0'; c++)
        if (*c != '_')
            word[length++] = *c;
    word[length] = '\0';
    node->text = word;
    const char *plain = word + (word[0] == '+' || word[0] == '-');
    double number;
    bool is_date =
        length >= 5 && word[0] >= '0' && word[0] <= '9' && (word[2] == ':' || word[4] == '-');
    if (arc_number_read(word, length, &number) || is_date || strcmp(word, "true") == 0 ||
        strcmp(word, "false") == 0 || strcmp(plain, "nan") == 0 || strcmp(plain, "inf") == 0 ||
        (word[0] == '0' && length > 1 && strchr("xob", word[1]) != NULL))
        return ARC_OK;
    if (length == 0)
        return refuse(toml, err, "a value is missing");
    return arc_error_set_at(err, ARC_INPUT, node->place,
                            "'%.*s' is no value; a text stands in quotes, and a number has a "
                            "decimal point and no unit",
                            40, word);
}

static ArcStatus take_value(Toml *toml, ArcYamlNode *node, ArcError *err)
{
    ArcStatus status;
    node->place = place_of(toml);
    char byte = ahead(toml, 0);
    if (byte == '"' || byte == '\'') {
        node->is_quoted = true;
        return take_string(toml, &node->text, err);
    }
    if (byte != '[' && byte != '{')
        return take_word(toml, node, err);
    if (++toml->depth == ARC_YAML_MAX_DEPTH)
        return arc_error_set_at(err, ARC_INPUT, node->place, "nested deeper than %d levels",
                                ARC_YAML_MAX_DEPTH);
    status = byte == '[' ? take_array(toml, node, err) : take_inline_table(toml, node, err);
    toml->depth--;
    return status;
}

/* [table] or [[array of tables]]: the table that the lines below it fill. */
static ArcStatus take_header(Toml *toml, ArcYamlNode *root, ArcYamlNode **table, ArcError *err)
{
    bool is_array = ahead(toml, 1) == '[';
    Key key;
    toml->at += is_array ? 2 : 1;
    *table = root;
    ArcStatus status = take_path(toml, table, &key, true, err);
    if (status != ARC_OK)
        return status;
    if (ahead(toml, 0) != ']' || (is_array && ahead(toml, 1) != ']'))
        return refuse(toml, err,
                      is_array ? "']]' is missing behind the table's name"
                               : "']' is missing behind the table's name");
    toml->at += is_array ? 2 : 1;
    ArcYamlNode *node = arc_yaml_find(*table, key.name);
    if (node != NULL && (node->is_quoted || (node->kind == ARC_YAML_SEQUENCE) != is_array ||
                         node->kind == ARC_YAML_SCALAR))
        return given_twice("table", node, key.place, err);
    if (node == NULL)
        status = add_key(toml, *table, &key, is_array ? ARC_YAML_SEQUENCE : ARC_YAML_MAPPING, &node,
                         err);
    if (status == ARC_OK && is_array) {
        node = add_node(toml, node, ARC_YAML_MAPPING, key.place);
        if (node == NULL)
            return arc_error_no_memory(err);
    } else if (status == ARC_OK) {
        node->is_quoted = true;
        node->place = node->key_place = key.place;
    }
    *table = node;
    return status;
}

/* What the parser need not look at again: size, zeroes, control characters, UTF-8. */
static ArcStatus check_bytes(Toml *toml, ArcError *err)
{
    if (toml->size > ARC_YAML_MAX_BYTES)
        return arc_error_set_at(err, ARC_INPUT, place_of(toml),
                                "too large: %zu bytes, at most %d are read", toml->size,
                                ARC_YAML_MAX_BYTES);
    Toml walk = *toml;
    while (walk.at < walk.size) {
        size_t length = arc_text_character_length(walk.bytes + walk.at, walk.size - walk.at);
        unsigned char byte = (unsigned char)walk.bytes[walk.at];
        if (length == 0 || byte == 0x7f || (byte < 0x20 && strchr("\t\r\n", byte) == NULL) ||
            byte == 0)
            return arc_error_set_at(err, ARC_INPUT, place_of(&walk),
                                    "not UTF-8 text (byte 0x%02x); save the file as UTF-8", byte);
        if (length == 1)
            step(&walk);
        else
            walk.at += length;
    }
    return ARC_OK;
}

ArcStatus arc_toml_parse(const char *file, const char *bytes, size_t size, ArcArena *arena,
                         ArcYamlNode **root, ArcError *err)
{
    bool has_mark = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
    Toml toml = {.file = file,
                 .bytes = has_mark ? bytes + 3 : bytes,
                 .size = has_mark ? size - 3 : size,
                 .line = 1,
                 .arena = arena};
    ArcStatus status = check_bytes(&toml, err);
    if (status != ARC_OK)
        return status;
    toml.scratch = arc_arena_alloc(arena, toml.size + 1, 1);
    if (toml.scratch == NULL)
        return arc_error_no_memory(err);
    ArcYamlNode top = {.kind = ARC_YAML_MAPPING, .place = {file, 1, 1}}, *table = &top;
    for (skip_lines(&toml); ahead(&toml, 0) != '\0'; skip_lines(&toml)) {
        status = ahead(&toml, 0) == '[' ? take_header(&toml, &top, &table, err)
                                        : take_pair(&toml, table, err);
        if (status != ARC_OK)
            return status;
        skip_blanks(&toml);
        if (ahead(&toml, 0) != '\0' && ahead(&toml, 0) != '#' && !is_line_end(&toml))
            return refuse(&toml, err, "one key or table a line");
    }
    if (top.first == NULL)
        return arc_error_set_at(err, ARC_INPUT, top.place,
                                "empty: nothing but blanks and comments");
    ArcYamlNode *made = ARC_ALLOC(arena, 1, ArcYamlNode);
    if (made == NULL)
        return arc_error_no_memory(err);
    *made = top;
    *root = made;
    return ARC_OK;
}
