/* The canonical CSV. Numbers are written so that they read back as the same bits; a missing value
 * is an empty cell, a column in which nothing stands is left out. */
#include "arcfit/recording.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "io/gzip.h"

#include <math.h>
#include <string.h>

/* Which columns there are. */
typedef struct Layout {
    bool time, frame, positions, pixels, sigma_px, radius, sigma_radius, flight, camera;
    bool sigma_shared; /* one column for all axes */
    bool sigma;        /* any at all */
} Layout;

static void append_number(ArcText *text, double value)
{
    char number[ARC_NUMBER_TEXT];
    arc_text_append(text, ",");
    if (!isnan(value))
        arc_text_append(text, "%s", arc_number_write(number, value));
}

/* What all axes of the sample share, NaN where none has any; false where they differ. */
static bool sigma_is_shared(const ArcRecording *recording, int i, double *sigma_m)
{
    *sigma_m = NAN;
    for (int k = 0; k < recording->axes; k++) {
        double sigma = recording->samples[i].sigma_m[k];
        if (isnan(sigma))
            continue;
        if (!isnan(*sigma_m) && sigma != *sigma_m)
            return false;
        *sigma_m = sigma;
    }
    return true;
}

static Layout layout_of(const ArcRecording *recording)
{
    Layout layout = {.time = recording->has_times,
                     .positions = recording->axes > 0,
                     .pixels = recording->has_pixels,
                     .camera = recording->n_cameras > 0,
                     .sigma_shared = true};
    for (int i = 0; i < recording->n_samples; i++) {
        const ArcSample *sample = &recording->samples[i];
        double shared;
        layout.frame = layout.frame || !isnan(sample->frame);
        layout.sigma_px = layout.sigma_px || !isnan(sample->sigma_px);
        layout.radius = layout.radius || !isnan(sample->radius_px);
        layout.sigma_radius = layout.sigma_radius || !isnan(sample->sigma_radius_px);
        layout.flight = layout.flight || sample->flight >= 0;
        layout.sigma_shared = layout.sigma_shared && sigma_is_shared(recording, i, &shared);
        for (int k = 0; k < recording->axes; k++)
            layout.sigma = layout.sigma || !isnan(sample->sigma_m[k]);
    }
    return layout;
}

static void append_header(ArcText *text, const ArcRecording *recording, const Layout *layout)
{
    bool is_space = recording->axes == 3;
    arc_text_append(text, "%s", layout->time ? "time_s" : "frame");
    if (layout->positions)
        arc_text_append(text, ",x_m,y_m%s", is_space ? ",z_m" : "");
    if (layout->sigma)
        arc_text_append(text, "%s",
                        layout->sigma_shared ? ",sigma_m"
                        : is_space           ? ",sigma_x_m,sigma_y_m,sigma_z_m"
                                             : ",sigma_x_m,sigma_y_m");
    arc_text_append(text, "%s%s%s%s%s%s%s\n", layout->flight ? ",flight" : "",
                    layout->camera ? ",camera" : "", layout->time && layout->frame ? ",frame" : "",
                    layout->pixels ? ",u_px,v_px" : "", layout->sigma_px ? ",sigma_px" : "",
                    layout->radius ? ",radius_px" : "",
                    layout->sigma_radius ? ",sigma_radius_px" : "");
}

/* A camera's name; in quotes, those inside doubled, where it would break the line. */
static void append_camera(ArcText *text, const ArcRecording *recording, int camera)
{
    const char *name = camera >= 0 ? recording->cameras[camera] : "";
    bool is_plain = strpbrk(name, ",#") == NULL && name[0] != '"';
    arc_text_append(text, "%s", is_plain ? "," : ",\"");
    for (; *name != '\0'; name++) {
        if (*name == '"' && !is_plain)
            arc_text_append_bytes(text, name, 1);
        arc_text_append_bytes(text, name, 1);
    }
    arc_text_append(text, "%s", is_plain ? "" : "\"");
}

static void append_row(ArcText *text, const ArcRecording *recording, const Layout *layout, int i)
{
    const ArcSample *sample = &recording->samples[i];
    char number[ARC_NUMBER_TEXT];
    double first = layout->time ? sample->time_s : sample->frame, sigma_m;
    if (!isnan(first))
        arc_text_append(text, "%s", arc_number_write(number, first));
    for (int k = 0; k < recording->axes; k++)
        append_number(text, sample->position_m[k]);
    if (layout->sigma && layout->sigma_shared && sigma_is_shared(recording, i, &sigma_m))
        append_number(text, sigma_m);
    for (int k = 0; layout->sigma && !layout->sigma_shared && k < recording->axes; k++)
        append_number(text, sample->sigma_m[k]);
    if (layout->flight && sample->flight >= 0)
        arc_text_append(text, ",%d", sample->flight);
    else if (layout->flight)
        arc_text_append(text, ",");
    if (layout->camera)
        append_camera(text, recording, sample->camera);
    if (layout->time && layout->frame)
        append_number(text, sample->frame);
    for (int k = 0; layout->pixels && k < 2; k++)
        append_number(text, sample->pixel_px[k]);
    if (layout->sigma_px)
        append_number(text, sample->sigma_px);
    if (layout->radius)
        append_number(text, sample->radius_px);
    if (layout->sigma_radius)
        append_number(text, sample->sigma_radius_px);
    arc_text_append(text, "\n");
}

ArcStatus arc_recording_text(const ArcRecording *recording, const char *comment, char **text,
                             ArcError *err)
{
    ArcText out = {0};
    Layout layout = layout_of(recording);
    if (comment != NULL)
        arc_text_append_comment(&out, comment);
    append_header(&out, recording, &layout);
    for (int i = 0; i < recording->n_samples; i++)
        append_row(&out, recording, &layout, i);
    return arc_text_finish(&out, text, err);
}

static bool path_is_gzip(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

ArcStatus arc_recording_save(const char *text, const char *path, ArcError *err)
{
    size_t size = strlen(text);
    if (!path_is_gzip(path))
        return arc_file_replace(path, text, size, err);
    ArcArena *arena = arc_arena_create();
    char *bytes = NULL;
    ArcStatus status = arena == NULL ? arc_error_no_memory(err)
                                     : arc_gzip_compress(text, size, arena, &bytes, &size, err);
    if (status == ARC_OK)
        status = arc_file_replace(path, bytes, size, err);
    arc_arena_free(arena);
    return status;
}

ArcStatus arc_recording_write(const ArcRecording *recording, const char *comment, const char *path,
                              ArcError *err)
{
    char *text = NULL;
    ArcStatus status = arc_recording_text(recording, comment, &text, err);
    if (status == ARC_OK)
        status = arc_recording_save(text, path, err);
    arc_text_free(text);
    return status;
}
