/* Statuses, their texts and exit codes, and one-line messages. */
#include "arcfit/error.h"

#include <stdarg.h>
#include <stdio.h>

const char *arc_status_text(ArcStatus status)
{
    switch (status) {
#define ARC_X(name, exit_code, text)                                                               \
    case name:                                                                                     \
        return text;
        ARC_STATUS_LIST(ARC_X)
#undef ARC_X
    }
    return "unknown status";
}

int arc_status_exit_code(ArcStatus status)
{
    switch (status) {
#define ARC_X(name, exit_code, text)                                                               \
    case name:                                                                                     \
        return exit_code;
        ARC_STATUS_LIST(ARC_X)
#undef ARC_X
    }
    return 3;
}

/* A message must stay on one line, and steer no terminal, whatever a hostile file holds: neither
 * ASCII's control characters nor, in UTF-8, those from U+0080 to U+009F. */
static void error_make_printable(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c != '\0'; c++) {
        if (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
            c[0] = c[1] = '?';
        else if (*c < 0x20 || *c == 0x7f)
            *c = '?';
    }
}

static void error_format(ArcError *err, const char *place, const char *format, va_list arguments)
{
    int used = snprintf(err->text, sizeof err->text, "%s", place);
    if (used < 0)
        used = 0;
    if ((size_t)used < sizeof err->text)
        vsnprintf(err->text + used, sizeof err->text - (size_t)used, format, arguments);
    error_make_printable(err->text);
}

ArcStatus arc_error_set(ArcError *err, ArcStatus status, const char *format, ...)
{
    if (err != NULL) {
        va_list arguments;
        va_start(arguments, format);
        err->status = status;
        error_format(err, "", format, arguments);
        va_end(arguments);
    }
    return status;
}

ArcStatus arc_error_set_at(ArcError *err, ArcStatus status, ArcPlace place, const char *format, ...)
{
    if (err != NULL) {
        char where[512];
        snprintf(where, sizeof where, "%.400s:%d:%d: error: ", place.file, place.line,
                 place.column);
        va_list arguments;
        va_start(arguments, format);
        err->status = status;
        error_format(err, where, format, arguments);
        va_end(arguments);
    }
    return status;
}
