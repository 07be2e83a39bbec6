/* The table of formats, and which of them a file is. */
#include "capture/formats.h"

#include "capture/points.h"

#include <string.h>

/* Below it a detector has not recognised anything; two that are nearer to each other than the gap
 * are a doubt that only the user can settle. */
enum { LEAST_SURE = 20, GAP = 10 };

static const ArcFormat formats[] = {
    {"csv", "the canonical CSV, and any text of columns whose header names them", arc_csv_detect,
     arc_csv_read},
};

enum { N_FORMATS = sizeof formats / sizeof formats[0] };

const ArcFormat *arc_formats(int *n)
{
    *n = N_FORMATS;
    return formats;
}

const char *arc_format_name(int index)
{
    return index >= 0 && index < N_FORMATS ? formats[index].name : NULL;
}

const char *arc_format_what(int index)
{
    return index >= 0 && index < N_FORMATS ? formats[index].what : NULL;
}

static ArcStatus find_by_name(const ArcSource *source, const ArcFormat **format, ArcError *err)
{
    for (int i = 0; i < N_FORMATS; i++) {
        if (strcmp(formats[i].name, source->settings->format) == 0) {
            *format = &formats[i];
            return ARC_OK;
        }
    }
    return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(source->settings),
                            "unknown format '%s'; `arcfit import --formats` lists them",
                            source->settings->format);
}

ArcStatus arc_format_find(const ArcSource *source, const ArcFormat **format, ArcError *err)
{
    int best = -1, second = -1, sure[N_FORMATS];
    if (source->settings->format != NULL && strcmp(source->settings->format, "auto") != 0)
        return find_by_name(source, format, err);
    for (int i = 0; i < N_FORMATS; i++) {
        sure[i] = formats[i].detect(source);
        if (best < 0 || sure[i] > sure[best]) {
            second = best;
            best = i;
        } else if (second < 0 || sure[i] > sure[second]) {
            second = i;
        }
    }
    ArcPlace at = {source->file, 1, 1};
    if (sure[best] < LEAST_SURE)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "no known format; `arcfit import --formats` lists them, and "
                                "capture.format says which it is");
    if (second >= 0 && sure[best] - sure[second] < GAP && sure[second] >= LEAST_SURE)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "may be of format '%s' or of '%s'; say which with capture.format",
                                formats[best].name, formats[second].name);
    *format = &formats[best];
    return ARC_OK;
}
