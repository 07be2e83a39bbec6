/* The canonical CSV. Numbers are written so that they read back as the same bits; a missing value
 * is an empty cell. */
#include "arcfit/capture.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "io/gzip.h"

#include <math.h>
#include <string.h>

static void append_cell(ArcText *text, double value)
{
    char number[ARC_NUMBER_TEXT];
    if (!isnan(value))
        arc_text_append(text, "%s", arc_number_write(number, value));
}

static void append_comment(ArcText *text, const char *comment)
{
    while (*comment != '\0') {
        size_t length = strcspn(comment, "\r\n");
        arc_text_append(text, "# %.*s\n", (int)length, comment);
        comment += length;
        comment += comment[0] == '\r' && comment[1] == '\n' ? 2 : comment[0] != '\0';
    }
}

/* What all axes of point i share, NaN where none has any; false where they differ. */
static bool sigma_is_shared(const ArcCapture *capture, int i, double *sigma_m)
{
    *sigma_m = NAN;
    for (int k = 0; k < capture->dimensions; k++) {
        double sigma = capture->sigma_m[i * capture->dimensions + k];
        if (isnan(sigma))
            continue;
        if (!isnan(*sigma_m) && sigma != *sigma_m)
            return false;
        *sigma_m = sigma;
    }
    return true;
}

static void append_row(ArcText *text, const ArcCapture *capture, int i, bool is_shared)
{
    int d = capture->dimensions;
    append_cell(text, capture->time_s[i]);
    for (int k = 0; k < d; k++) {
        arc_text_append(text, ",");
        append_cell(text, capture->position_m[i * d + k]);
    }
    double sigma_m = NAN;
    if (is_shared && sigma_is_shared(capture, i, &sigma_m)) {
        arc_text_append(text, ",");
        append_cell(text, sigma_m);
    }
    for (int k = 0; k < d && !is_shared; k++) {
        arc_text_append(text, ",");
        append_cell(text, capture->sigma_m[i * d + k]);
    }
    arc_text_append(text, "\n");
}

ArcStatus arc_capture_text(const ArcCapture *capture, const char *comment, char **text,
                           ArcError *err)
{
    ArcText out = {0};
    bool is_shared = true;
    double sigma_m;
    for (int i = 0; i < capture->n_points && is_shared; i++)
        is_shared = sigma_is_shared(capture, i, &sigma_m);
    if (comment != NULL)
        append_comment(&out, comment);
    bool is_space = capture->dimensions == 3;
    arc_text_append(&out, "time_s,x_m,y_m%s,", is_space ? ",z_m" : "");
    arc_text_append(&out, "%s\n",
                    is_shared  ? "sigma_m"
                    : is_space ? "sigma_x_m,sigma_y_m,sigma_z_m"
                               : "sigma_x_m,sigma_y_m");
    for (int i = 0; i < capture->n_points; i++)
        append_row(&out, capture, i, is_shared);
    return arc_text_finish(&out, text, err);
}

static bool path_is_gzip(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

ArcStatus arc_capture_write(const ArcCapture *capture, const char *comment, const char *path,
                            ArcError *err)
{
    char *text = NULL;
    ArcStatus status = arc_capture_text(capture, comment, &text, err);
    if (status != ARC_OK)
        return status;
    size_t size = strlen(text);
    if (!path_is_gzip(path)) {
        status = arc_file_replace(path, text, size, err);
    } else {
        ArcArena *arena = arc_arena_create();
        char *bytes = NULL;
        status = arena == NULL ? arc_error_no_memory(err)
                               : arc_gzip_compress(text, size, arena, &bytes, &size, err);
        if (status == ARC_OK)
            status = arc_file_replace(path, bytes, size, err);
        arc_arena_free(arena);
    }
    arc_text_free(text);
    return status;
}
