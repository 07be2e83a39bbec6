/* Cells are copied with U+2212 as '-' and a decimal comma as '.', and then read as any number. */
#include "io/cell.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

enum { NUMBER_BYTES = 512, MOST_EXPONENT = 400 };

char arc_cell_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool text_is_like(const char *text, int length, const char *name)
{
    for (int i = 0; i < length; i++) {
        if (name[i] == '\0' || arc_cell_lower(text[i]) != arc_cell_lower(name[i]))
            return false;
    }
    return name[length] == '\0';
}

static bool text_is_one_of(const char *text, int length, int n, const char *const *words)
{
    for (int i = 0; i < n; i++) {
        if (text_is_like(text, length, words[i]))
            return true;
    }
    return false;
}

bool arc_cell_is(const ArcCell *cell, const char *name)
{
    return (size_t)cell->length == strlen(name) &&
           memcmp(cell->text, name, (size_t)cell->length) == 0;
}

bool arc_cell_is_like(const ArcCell *cell, const char *name)
{
    return text_is_like(cell->text, cell->length, name);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool arc_cell_is_thousand(const ArcCell *cell)
{
    const char *text = cell->text;
    int length = cell->length;
    int sign = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const char *comma = length > 0 ? memchr(text, ',', (size_t)length) : NULL;
    int whole = comma == NULL ? 0 : (int)(comma - text) - sign;
    return whole >= 1 && whole <= 3 && text[sign] != '0' && length - sign - whole == 4 &&
           memchr(comma + 1, ',', 3) == NULL;
}

/* Bytes of a separator of thousands at the start of text, 0 where there is none. */
static int separator_length(const char *text, int length)
{
    static const char *const separators[] = {
        ",", ".", " ", "'", "_", "\xc2\xa0", "\xe2\x80\x99", "\xe2\x80\xaf", "\xe2\x80\x89"};
    for (size_t i = 0; i < sizeof separators / sizeof separators[0]; i++) {
        int n = (int)strlen(separators[i]);
        if (n <= length && memcmp(text, separators[i], (size_t)n) == 0)
            return n;
    }
    return 0;
}

bool arc_cell_is_grouped(const ArcCell *cell)
{
    const char *text = cell->text;
    int length = cell->length, i = 0, n_groups = 0;
    if (length > 0 && (text[0] == '-' || text[0] == '+'))
        i++;
    int first = i;
    while (i < length && is_digit(text[i]))
        i++;
    if (i == first || i - first > 3)
        return false;
    for (;; n_groups++) {
        int n = separator_length(text + i, length - i);
        bool is_group = n > 0 && i + n + 3 <= length && is_digit(text[i + n]) &&
                        is_digit(text[i + n + 1]) && is_digit(text[i + n + 2]) &&
                        (i + n + 3 == length || !is_digit(text[i + n + 3]));
        if (!is_group)
            break;
        i += n + 3;
    }
    bool is_fraction = i == length || text[i] == '.' || text[i] == ',';
    return n_groups > 0 && is_fraction;
}

ArcCellKind arc_cell_kind(const ArcCell *cell, bool parted_by_comma, double *value)
{
    static const char *const missing[] = {"", "-", "nan", "na", "null"};
    static const char *const infinite[] = {"inf", "infinity", "\xe2\x88\x9e"};
    char text[NUMBER_BYTES];
    int n = 0;
    if (cell->length >= NUMBER_BYTES)
        return ARC_CELL_TEXT;
    for (int i = 0; i < cell->length; i++) {
        bool is_minus = i + 3 <= cell->length && memcmp(cell->text + i, "\xe2\x88\x92", 3) == 0;
        text[n++] = is_minus ? '-' : cell->text[i];
        i += is_minus ? 2 : 0;
    }
    if (text_is_one_of(text, n, 5, missing))
        return ARC_CELL_MISSING;
    int sign = text[0] == '-' || text[0] == '+' ? 1 : 0;
    if (text_is_one_of(text + sign, n - sign, 3, infinite))
        return ARC_CELL_INFINITE;
    bool may_have_comma = !parted_by_comma || (cell->is_quoted && !arc_cell_is_thousand(cell));
    char *comma = may_have_comma ? memchr(text, ',', (size_t)n) : NULL;
    if (comma != NULL) {
        bool has_digit = comma + 1 < text + n && is_digit(comma[1]);
        if (!has_digit || memchr(text, '.', (size_t)n) != NULL)
            return ARC_CELL_TEXT;
        *comma = '.';
    }
    double number;
    if (!arc_number_read(text, (size_t)n, &number))
        return ARC_CELL_TEXT;
    if (!isfinite(number))
        return ARC_CELL_INFINITE;
    *value = number;
    return ARC_CELL_NUMBER;
}

ArcCellMark arc_cell_mark(const ArcCell *cell)
{
    for (int i = 0; i < cell->length; i++) {
        if (cell->text[i] == '.' || cell->text[i] == ',')
            return cell->text[i] == '.' ? ARC_CELL_POINT : ARC_CELL_COMMA;
    }
    return ARC_CELL_NO_MARK;
}

bool arc_cell_form(const ArcCell *cell, ArcCellForm *form)
{
    double value, power = 0.0;
    if (arc_cell_kind(cell, false, &value) != ARC_CELL_NUMBER)
        return false;
    *form = (ArcCellForm){0, 0, 0};
    int i = 0;
    for (bool is_fraction = false; i < cell->length && arc_cell_lower(cell->text[i]) != 'e'; i++) {
        bool is_one = is_digit(cell->text[i]);
        form->decimals += is_fraction && is_one;
        form->digits += is_one && (form->digits > 0 || cell->text[i] != '0');
        is_fraction = is_fraction || cell->text[i] == '.' || cell->text[i] == ',';
    }
    ArcCell exponent = {cell->text + i + 1, cell->length - i - 1, 0, 0, false};
    if (i < cell->length && arc_cell_kind(&exponent, false, &power) == ARC_CELL_NUMBER)
        form->exponent = (int)fmax(-MOST_EXPONENT, fmin(MOST_EXPONENT, power));
    return true;
}
