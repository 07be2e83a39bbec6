/* See markup.h. HTML: the WHATWG's standard, 13.1.2; JSON within a script: 4.12.1.3 there. */
#include "page/markup.h"

#include "base/number.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_UNITS = 3 };

/* The code point of a well-formed character of length bytes. */
static unsigned code_point(const char *text, size_t length)
{
    const unsigned char *c = (const unsigned char *)text;
    switch (length) {
    case 1:
        return c[0];
    case 2:
        return (c[0] & 0x1fu) << 6 | (c[1] & 0x3fu);
    case 3:
        return (c[0] & 0x0fu) << 12 | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
    default:
        return (c[0] & 0x07u) << 18 | (c[1] & 0x3fu) << 12 | (c[2] & 0x3fu) << 6 | (c[3] & 0x3fu);
    }
}

/* Embeddings, overrides and isolates make text read other than it is. */
static bool turns_direction(unsigned code)
{
    return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* The next character, as it is shown: a piece of text of *length bytes, in buffer where it is not
 * shown as it is. Returns the bytes that it took. */
static size_t next_shown(const char *text, size_t size, char buffer[16], const char **shown,
                         size_t *length)
{
    size_t taken = arc_text_character_length(text, size);
    unsigned code = taken == 0 ? 0xfffd : code_point(text, taken);
    *shown = buffer;
    if (taken == 0) {
        memcpy(buffer, "\xef\xbf\xbd", 4); /* the replacement character */
    } else if (code < 0x20 && code != '\n' && code != '\t') {
        snprintf(buffer, 16, "\xe2\x90%c", (char)(0x80 + (int)code)); /* pictures from U+2400 */
    } else if (code == 0x7f) {
        memcpy(buffer, "\xe2\x90\xa1", 4);
    } else if ((code >= 0x80 && code < 0xa0) || turns_direction(code)) {
        snprintf(buffer, 16, "[U+%04X]", code & 0xffffu);
    } else {
        *shown = text;
        *length = taken;
        return taken;
    }
    *length = strlen(buffer);
    return taken == 0 ? 1 : taken;
}

/* What a character is written as instead; NULL: as it is. */
typedef const char *(*Replace)(const char *character, size_t length);

static const char *replace_html(const char *character, size_t length)
{
    (void)length;
    switch (*character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static const char *replace_json(const char *character, size_t length)
{
    switch (*character) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\t':
        return "\\t";
    case '<':
        return "\\u003c";
    case '>':
        return "\\u003e";
    case '&':
        return "\\u0026";
    default: /* line ends to JavaScript */
        return length != 3                                 ? NULL
               : memcmp(character, "\xe2\x80\xa8", 3) == 0 ? "\\u2028"
               : memcmp(character, "\xe2\x80\xa9", 3) == 0 ? "\\u2029"
                                                           : NULL;
    }
}

/* Runs of what is written as it is go in one piece. */
static void append_replaced(ArcText *page, const char *text, Replace replace)
{
    size_t size = strlen(text), done = 0;
    for (size_t i = 0; i < size;) {
        char buffer[16];
        const char *shown;
        size_t length, taken = next_shown(text + i, size - i, buffer, &shown, &length);
        const char *instead = replace(shown, length);
        if (shown != text + i || instead != NULL) {
            arc_text_append_bytes(page, text + done, i - done);
            if (instead != NULL)
                arc_text_append_bytes(page, instead, strlen(instead));
            else
                arc_text_append_bytes(page, shown, length);
            done = i + taken;
        }
        i += taken;
    }
    arc_text_append_bytes(page, text + done, size - done);
}

void arc_markup_text(ArcText *page, const char *text)
{
    append_replaced(page, text, replace_html);
}

void arc_markup_sentence(ArcText *page, const char *text)
{
    ArcText part = {0};
    for (const char *power; (power = strstr(text, "/s^2")) != NULL; text = power + 4) {
        part.size = 0;
        arc_text_append(&part, "%.*s/s²", (int)(power - text), text);
        page->failed = page->failed || part.failed;
        if (!page->failed)
            arc_markup_text(page, part.bytes);
    }
    arc_text_free(part.bytes);
    arc_markup_text(page, text);
}

void arc_markup_name(ArcText *page, const char *name)
{
    arc_text_append(page, "<bdi>");
    arc_markup_text(page, name);
    arc_text_append(page, "</bdi>");
}

void arc_markup_json(ArcText *page, const char *text)
{
    arc_text_append(page, "\"");
    append_replaced(page, text, replace_json);
    arc_text_append(page, "\"");
}

void arc_markup_id(ArcText *page, const char *name)
{
    for (const char *c = name; *c != '\0'; c++) {
        bool is_plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                        (*c >= '0' && *c <= '9') || *c == '-' || *c == '_';
        if (is_plain)
            arc_text_append_bytes(page, c, 1);
        else
            arc_text_append(page, ".%02x", (unsigned char)*c);
    }
}

void arc_markup_number(ArcText *page, double value)
{
    char number[ARC_NUMBER_TEXT];
    if (!isfinite(value))
        arc_text_append(page, "null");
    else
        arc_text_append(page, "%s", arc_number_write_digits(number, value, 9));
}

/* "m/s^2" with raised digits. */
static void put_powers(ArcText *page, const char *unit)
{
    ArcText text = {0};
    arc_text_append(&text, "%s", "");
    for (const char *c = unit; *c != '\0'; c++) {
        bool is_power = *c == '^' && (c[1] == '2' || c[1] == '3') && (c[2] < '0' || c[2] > '9');
        if (is_power)
            arc_text_append(&text, "%s", *++c == '2' ? "²" : "³");
        else
            arc_text_append_bytes(&text, c, 1);
    }
    page->failed = page->failed || text.failed;
    if (!page->failed)
        arc_markup_text(page, text.bytes);
    arc_text_free(text.bytes);
}

void arc_markup_unit(ArcText *page, const char *unit)
{
    if (strcmp(unit, "1") == 0)
        return;
    if (strcmp(unit, "deg") == 0) { /* stands at its number */
        arc_text_append(page, "°");
        return;
    }
    arc_text_append(page, "&nbsp;");
    if (strcmp(unit, "degC") == 0 || strcmp(unit, "degF") == 0)
        arc_text_append(page, "°%s", unit + 3);
    else
        put_powers(page, unit);
}

void arc_markup_in_units(ArcText *page, ArcMarkupWrite write, const void *what)
{
    ArcText texts[N_UNITS] = {{0}};
    bool agree = true;
    for (int u = 0; u < N_UNITS; u++) {
        write(&texts[u], what, (ArcUnits)u);
        page->failed = page->failed || texts[u].failed;
        arc_text_append(&texts[u], "%s", "");
        agree = agree && texts[u].size == texts[0].size && texts[u].bytes != NULL &&
                texts[0].bytes != NULL &&
                memcmp(texts[u].bytes, texts[0].bytes, texts[0].size) == 0;
    }
    for (int u = 0; u < N_UNITS && !page->failed; u++) {
        if (agree && u > 0)
            break;
        if (!agree)
            arc_text_append(page, "<span class=\"in-%s\">", arc_units_name(u));
        arc_text_append_bytes(page, texts[u].bytes, texts[u].size);
        if (!agree)
            arc_text_append(page, "</span>");
    }
    for (int u = 0; u < N_UNITS; u++)
        arc_text_free(texts[u].bytes);
}

/* An estimate, or one end of its interval and another. */
typedef struct Value {
    double value, sd, high;
    const char *unit;
} Value;

static void write_value(ArcText *page, const void *what, ArcUnits units)
{
    const Value *v = what;
    char number[ARC_TABLE_NUMBER];
    ArcShownUnit shown = arc_units_shown(units, v->unit);
    double value = shown.slope * v->value + shown.offset;
    if (isnan(v->sd))
        arc_text_append(page, "%s ± ?", arc_table_plain(number, value, 4));
    else
        arc_text_append(page, "%s", arc_table_value(number, value, shown.slope * v->sd, 1));
    arc_markup_unit(page, shown.unit);
}

static void write_said(ArcText *page, const void *what, ArcUnits units)
{
    const Value *v = what;
    bool is_angle = strcmp(v->unit, "rad") == 0;
    write_value(page, what, is_angle && units == ARC_UNITS_SI ? ARC_UNITS_METRIC : units);
}

static void write_rounded(ArcText *page, const void *what, ArcUnits units)
{
    const Value *v = what;
    char number[ARC_TABLE_NUMBER];
    ArcShownUnit shown = arc_units_shown(units, v->unit);
    double value = shown.slope * v->value + shown.offset;
    arc_text_append(page, "%s",
                    v->sd > 0 ? arc_table_number(number, value, shown.slope * v->sd)
                              : arc_table_plain(number, value, 4));
    arc_markup_unit(page, shown.unit);
}

static void write_interval(ArcText *page, const void *what, ArcUnits units)
{
    const Value *v = what;
    char low[ARC_TABLE_NUMBER], high[ARC_TABLE_NUMBER];
    ArcShownUnit shown = arc_units_shown(units, v->unit);
    double sd = shown.slope * v->sd;
    arc_table_number(low, shown.slope * v->value + shown.offset, sd);
    arc_table_number(high, shown.slope * v->high + shown.offset, sd);
    arc_text_append(page, "%s to %s", isinf(v->value) ? "open" : low,
                    isinf(v->high) ? "open" : high);
    arc_markup_unit(page, shown.unit);
}

void arc_markup_value(ArcText *page, double value, double sd, const char *si_unit)
{
    arc_markup_in_units(page, write_value, &(Value){value, sd, 0, si_unit});
}

void arc_markup_interval(ArcText *page, const double interval[2], double sd, const char *si_unit)
{
    arc_markup_in_units(page, write_interval, &(Value){interval[0], sd, interval[1], si_unit});
}

void arc_markup_rounded(ArcText *page, double value, double sd, const char *si_unit)
{
    arc_markup_in_units(page, write_rounded, &(Value){value, sd, 0, si_unit});
}

void arc_markup_said(ArcText *page, double value, double sd, const char *si_unit)
{
    arc_markup_in_units(page, write_said, &(Value){value, sd, 0, si_unit});
}
