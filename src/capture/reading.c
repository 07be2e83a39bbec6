/* See reading.h. */
#include "capture/reading.h"

#include "base/number.h"

#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct Unit {
    const char *name;
    double si;
} Unit;

const char *arc_reading_text(const ArcSource *source, size_t *size)
{
    bool is_text = source->decoded.text != NULL;
    *size = is_text ? source->decoded.size : source->size;
    return is_text ? source->decoded.text : source->bytes;
}

bool arc_reading_has(const ArcSource *source, const char *text, size_t within)
{
    size_t size;
    const char *all = arc_reading_text(source, &size);
    return memmem(all, within > 0 && within < size ? within : size, text, strlen(text)) != NULL;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n' || byte == '\0';
}

/* The n-th byte that is not blank, from 0; '\0' where there is none. */
static char visible_byte(const ArcSource *source, int n)
{
    size_t size;
    const char *text = arc_reading_text(source, &size);
    for (size_t i = 0; i < size; i++) {
        if (!is_blank(text[i]) && n-- == 0)
            return text[i];
    }
    return '\0';
}

char arc_reading_first(const ArcSource *source)
{
    return visible_byte(source, 0);
}

bool arc_reading_is_json(const ArcSource *source)
{
    char first = visible_byte(source, 0), second = visible_byte(source, 1);
    return (first == '{' && (second == '"' || second == '}')) || (first == '[' && second == '{');
}

ArcPlace arc_reading_start(const ArcSource *source)
{
    return (ArcPlace){source->file, 1, 1};
}

static double unit_find(const Unit *units, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++) {
        if (strcasecmp(units[i].name, text) == 0)
            return units[i].si;
    }
    return NAN;
}

double arc_reading_length_unit(const char *text)
{
    static const Unit units[] = {
        {"m", 1.0},          {"meter", 1.0},         {"meters", 1.0},        {"metre", 1.0},
        {"metres", 1.0},     {"cm", 0.01},           {"centimeters", 0.01},  {"centimetres", 0.01},
        {"mm", 0.001},       {"millimeters", 0.001}, {"millimetres", 0.001}, {"um", 1e-6},
        {"\xc2\xb5m", 1e-6}, {"\xce\xbcm", 1e-6},    {"km", 1000.0},         {"in", 0.0254},
        {"inch", 0.0254},    {"inches", 0.0254},     {"ft", 0.3048},         {"foot", 0.3048},
        {"feet", 0.3048},    {"yd", 0.9144},         {"yard", 0.9144},       {"yards", 0.9144},
        {"mi", 1609.344},    {"mile", 1609.344},     {"miles", 1609.344},    {"dm", 0.1},
    };
    return unit_find(units, sizeof units / sizeof units[0], text);
}

double arc_reading_time_unit(const char *text)
{
    static const Unit units[] = {
        {"s", 1.0},   {"sec", 1.0},         {"second", 1.0},       {"seconds", 1.0},
        {"ms", 1e-3}, {"msec", 1e-3},       {"millisecond", 1e-3}, {"milliseconds", 1e-3},
        {"us", 1e-6}, {"\xc2\xb5s", 1e-6},  {"\xce\xbcs", 1e-6},   {"microseconds", 1e-6},
        {"ns", 1e-9}, {"nanosecond", 1e-9}, {"nanoseconds", 1e-9}, {"min", 60.0},
    };
    return unit_find(units, sizeof units / sizeof units[0], text);
}

bool arc_reading_is_pixel_unit(const char *text)
{
    return strcasecmp(text, "px") == 0 || strcasecmp(text, "pixel") == 0 ||
           strcasecmp(text, "pixels") == 0;
}

bool arc_reading_number(const char *text, double *value)
{
    size_t length = strlen(text);
    if (length == 0 || strcasecmp(text, "nan") == 0 || strcasecmp(text, "null") == 0) {
        *value = NAN;
        return true;
    }
    return arc_number_read(text, length, value) && isfinite(*value);
}

void arc_reading_in_si(ArcRecorder *recorder)
{
    recorder->is_in_si = true;
    recorder->time_unit_s = 1.0;
    recorder->position_unit_m = 1.0;
}
