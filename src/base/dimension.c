/* See dimension.h. A product is read factor by factor, left to right; parentheses only behind a
 * slash. */
#include "base/dimension.h"

#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACTOR_TEXT = 24, MOST_POWER = 9, SUFFIX_TEXT = 48 };

typedef struct Factor {
    const char *name;
    double slope;
    int power[ARC_N_DIMENSIONS]; /* m kg s rad K A mol px */
} Factor;

/* The base units, and derived ones that the table of units has not by themselves. */
static const Factor factors[] = {
    {"1", 1, {0}},
    {"m", 1, {1}},
    {"kg", 1, {0, 1}},
    {"s", 1, {0, 0, 1}},
    {"rad", 1, {0, 0, 0, 1}},
    {"K", 1, {0, 0, 0, 0, 1}},
    {"A", 1, {0, 0, 0, 0, 0, 1}},
    {"mol", 1, {0, 0, 0, 0, 0, 0, 1}},
    {"px", 1, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"mg", 1e-6, {0, 1}},
    {"t", 1e3, {0, 1}},
    {"h", 3600, {0, 0, 1}},
    {"d", 86400, {0, 0, 1}},
    {"mrad", 1e-3, {0, 0, 0, 1}},
    {"mA", 1e-3, {0, 0, 0, 0, 0, 1}},
    {"mmol", 1e-3, {0, 0, 0, 0, 0, 0, 1}},
    {"l", 1e-3, {3}},
    {"L", 1e-3, {3}},
    {"ml", 1e-6, {3}},
    {"mL", 1e-6, {3}},
    {"N", 1, {1, 1, -2}},
    {"mN", 1e-3, {1, 1, -2}},
    {"kN", 1e3, {1, 1, -2}},
    {"lbf", 4.4482216152605, {1, 1, -2}},
    {"MPa", 1e6, {-1, 1, -2}},
    {"GPa", 1e9, {-1, 1, -2}},
    {"J", 1, {2, 1, -2}},
    {"mJ", 1e-3, {2, 1, -2}},
    {"kJ", 1e3, {2, 1, -2}},
    {"W", 1, {2, 1, -3}},
    {"mW", 1e-3, {2, 1, -3}},
    {"kW", 1e3, {2, 1, -3}},
    {"C", 1, {0, 0, 1, 0, 0, 1}},
    {"V", 1, {2, 1, -3, 0, 0, -1}},
    {"mV", 1e-3, {2, 1, -3, 0, 0, -1}},
    {"kV", 1e3, {2, 1, -3, 0, 0, -1}},
    {"ohm", 1, {2, 1, -3, 0, 0, -2}},
    {"S", 1, {-2, -1, 3, 0, 0, 2}},
    {"F", 1, {-2, -1, 4, 0, 0, 2}},
    {"uF", 1e-6, {-2, -1, 4, 0, 0, 2}},
    {"H", 1, {2, 1, -2, 0, 0, -2}},
    {"mH", 1e-3, {2, 1, -2, 0, 0, -2}},
    {"Wb", 1, {2, 1, -2, 0, 0, -1}},
    {"T", 1, {0, 1, -2, 0, 0, -1}},
};

enum { N_FACTORS = sizeof factors / sizeof factors[0] };

const char *arc_dimension_factor(int i)
{
    return i < N_FACTORS ? factors[i].name : NULL;
}

/* A row of the table of units: what it is of, in base units. */
static bool factor_of_table(const char *name, ArcDimension *factor)
{
    for (int i = 0; arc_unit_at(i) != NULL; i++) {
        const ArcUnit *unit = arc_unit_at(i);
        const char *si_unit = arc_quantity_unit(unit->quantity);
        if (strcmp(unit->name, name) != 0 || unit->offset != 0 || strcmp(name, "Hz") == 0 ||
            strcmp(name, si_unit) == 0)
            continue;
        if (!arc_dimension_read(si_unit, factor, NULL, NULL))
            return false;
        factor->slope *= unit->slope;
        return true;
    }
    return false;
}

static bool factor_find(const char *name, ArcDimension *factor)
{
    for (int i = 0; i < N_FACTORS; i++) {
        if (strcmp(factors[i].name, name) != 0)
            continue;
        factor->slope = factors[i].slope;
        memcpy(factor->power, factors[i].power, sizeof factor->power);
        return true;
    }
    return strcmp(name, "Pa") == 0 ? arc_dimension_read("N/m^2", factor, NULL, NULL)
                                   : factor_of_table(name, factor);
}

/* Text while it is read. */
typedef struct Scan {
    const char *at;
    const char *wrong;
    int length;
    ArcDimension *product;
} Scan;

static bool scan_fail(Scan *scan, const char *wrong, int length)
{
    scan->wrong = wrong;
    scan->length = length;
    return false;
}

static void scan_blanks(Scan *scan)
{
    scan->at += strspn(scan->at, " \t");
}

/* How many bytes the text takes of one of these; 0: none. */
static int starts_with(const char *text, const char *word)
{
    int length = (int)strlen(word);
    return strncmp(text, word, (size_t)length) == 0 ? length : 0;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A factor's name, with µ as u and ° as deg. */
static bool scan_name(Scan *scan, char name[FACTOR_TEXT])
{
    const char *begin = scan->at;
    size_t n = 0;
    while (n + 4 < FACTOR_TEXT) {
        int micro = starts_with(scan->at, "\xc2\xb5") + starts_with(scan->at, "\xce\xbc");
        int degree = starts_with(scan->at, "\xc2\xb0");
        if (micro > 0)
            name[n++] = 'u';
        else if (degree > 0)
            n += (size_t)(stpcpy(name + n, "deg") - (name + n));
        else if (is_letter(*scan->at) || *scan->at == '%')
            name[n++] = *scan->at;
        else
            break;
        scan->at += micro + degree > 0 ? micro + degree : 1;
    }
    if (n == 0 && *scan->at == '1') {
        name[n++] = '1';
        scan->at++;
    }
    name[n] = '\0';
    return n > 0 || scan_fail(scan, begin, *begin == '\0' ? 0 : 1);
}

/* "2", "^2", "^-1", "²" behind a factor; 1 without. */
static bool scan_power(Scan *scan, int *power)
{
    const char *begin = scan->at;
    *power = 1;
    int square = starts_with(begin, "\xc2\xb2"), cube = starts_with(begin, "\xc2\xb3");
    if (square + cube > 0) {
        *power = square > 0 ? 2 : 3;
        scan->at += square + cube;
        return true;
    }
    bool is_marked = *scan->at == '^';
    if (!is_marked && !(*scan->at >= '0' && *scan->at <= '9'))
        return true;
    char *end;
    long number = strtol(scan->at + is_marked, &end, 10);
    if (end == scan->at + is_marked || labs(number) > MOST_POWER || number == 0)
        return scan_fail(scan, begin, (int)(end > begin ? end - begin : 1));
    *power = (int)number;
    scan->at = end;
    return true;
}

/* One factor with its power; sign -1 behind a slash. */
static bool scan_factor(Scan *scan, int sign)
{
    char name[FACTOR_TEXT];
    const char *begin = scan->at;
    int power;
    ArcDimension factor;
    if (!scan_name(scan, name))
        return false;
    int length = (int)(scan->at - begin);
    if (!factor_find(name, &factor))
        return scan_fail(scan, begin, length);
    if (strcmp(name, "1") == 0)
        return true;
    if (!scan_power(scan, &power))
        return false;
    scan->product->slope *= pow(factor.slope, sign * power);
    for (int k = 0; k < ARC_N_DIMENSIONS; k++)
        scan->product->power[k] += sign * power * factor.power[k];
    return true;
}

/* A blank, '*' or '·' before a further factor. */
static bool scan_times(Scan *scan)
{
    const char *begin = scan->at;
    scan_blanks(scan);
    int dot = starts_with(scan->at, "\xc2\xb7");
    if (dot > 0 || *scan->at == '*') {
        scan->at += dot > 0 ? dot : 1;
        scan_blanks(scan);
        return true;
    }
    return scan->at > begin && *scan->at != '\0' && *scan->at != '/' && *scan->at != ')';
}

static bool scan_factors(Scan *scan, int sign)
{
    if (!scan_factor(scan, sign))
        return false;
    while (scan_times(scan))
        if (!scan_factor(scan, sign))
            return false;
    return true;
}

static bool scan_divisor(Scan *scan)
{
    scan->at++;
    scan_blanks(scan);
    if (*scan->at != '(') {
        if (!scan_factor(scan, -1))
            return false;
        const char *behind = scan->at;
        return !scan_times(scan) || scan_fail(scan, behind, (int)strlen(behind));
    }
    scan->at++;
    scan_blanks(scan);
    if (!scan_factors(scan, -1))
        return false;
    scan_blanks(scan);
    if (*scan->at != ')')
        return scan_fail(scan, scan->at, *scan->at == '\0' ? 0 : 1);
    scan->at++;
    return true;
}

bool arc_dimension_read(const char *text, ArcDimension *dimension, const char **wrong, int *length)
{
    ArcDimension product = {.slope = 1};
    Scan scan = {.at = text, .product = &product};
    bool is_good = scan_factors(&scan, 1);
    scan_blanks(&scan);
    while (is_good && *scan.at == '/') {
        is_good = scan_divisor(&scan);
        scan_blanks(&scan);
    }
    if (is_good && *scan.at != '\0')
        is_good = scan_fail(&scan, scan.at, (int)strlen(scan.at));
    if (is_good)
        *dimension = product;
    else if (wrong != NULL) {
        *wrong = scan.wrong;
        *length = scan.length;
    }
    return is_good;
}

bool arc_dimension_is_alike(const ArcDimension *a, const ArcDimension *b)
{
    return memcmp(a->power, b->power, sizeof a->power) == 0;
}

const char *arc_dimension_suffix(const char *unit, char *suffix, size_t size)
{
    size_t n = 0;
    if (starts_with(unit, "1/") > 0) {
        n = size > 4 ? (size_t)(stpcpy(suffix, "per_") - suffix) : 0;
        unit += 2;
    } else if (strcmp(unit, "1") == 0) {
        unit++;
    }
    for (; *unit != '\0' && n + 1 < size; unit++) {
        char c = *unit;
        if (c == '^' || c == '(' || c == ')')
            continue;
        if (c == ' ' || c == '/' || c == '*' || c == '-')
            c = '_';
        suffix[n++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    suffix[n] = '\0';
    return suffix;
}

/* Whether the unit has that suffix, and what it then is. */
static bool suffix_is_of(const char *unit, const char *suffix, ArcDimension *found)
{
    char own[SUFFIX_TEXT];
    return strcmp(arc_dimension_suffix(unit, own, sizeof own), suffix) == 0 &&
           arc_dimension_read(unit, found, NULL, NULL);
}

double arc_dimension_of_suffix(const char *suffix, const ArcDimension *dimension, bool *is_unit)
{
    ArcDimension found;
    bool is_any = false;
    for (int i = 0; i < N_FACTORS || arc_unit_at(i - N_FACTORS) != NULL; i++) {
        const char *unit = i < N_FACTORS ? factors[i].name : arc_unit_at(i - N_FACTORS)->name;
        if (!suffix_is_of(unit, suffix, &found))
            continue;
        is_any = is_any || i >= N_FACTORS;
        if (arc_dimension_is_alike(&found, dimension))
            return found.slope;
    }
    if (is_unit != NULL)
        *is_unit = is_any;
    return NAN;
}
