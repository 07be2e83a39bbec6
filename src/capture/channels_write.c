/* Runs of own equations as a table: time_s, a column for each channel that was seen, then their
 * standard deviations, and flight where there are several (channels.h). */
#include "capture/channels.h"

#include "base/dimension.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

enum { SUFFIX_BYTES = 64 };

/* Whether any run has a number of the channel. */
static bool is_seen(int n, const ArcCapture *const *captures, int c)
{
    for (int f = 0; f < n; f++)
        for (int i = 0; i < captures[f]->n_points; i++)
            if (!isnan(captures[f]->position_m[i * captures[f]->n_channels + c]))
                return true;
    return false;
}

static void append_header(ArcText *text, const ArcCapture *capture, const bool *seen, bool is_many)
{
    arc_text_append(text, "time_s");
    for (int k = 0; k < 2; k++) {
        for (int c = 0; c < capture->n_channels; c++) {
            char suffix[SUFFIX_BYTES];
            const ArcParameterInfo *channel = &capture->channels[c];
            arc_dimension_suffix(channel->unit, suffix, sizeof suffix);
            if (seen[c])
                arc_text_append(text, ",%s%s%s%s", k == 0 ? "" : "sigma_", channel->name,
                                suffix[0] == '\0' ? "" : "_", suffix);
        }
    }
    arc_text_append(text, "%s\n", is_many ? ",flight" : "");
}

static void append_row(ArcText *text, const ArcCapture *capture, const bool *seen, int i)
{
    char number[ARC_NUMBER_TEXT];
    arc_text_append(text, "%s", arc_number_write(number, capture->time_s[i]));
    for (int k = 0; k < 2; k++) {
        for (int c = 0; c < capture->n_channels; c++) {
            double value =
                (k == 0 ? capture->position_m : capture->sigma_m)[i * capture->n_channels + c];
            if (seen[c])
                arc_text_append(text, ",%s", isnan(value) ? "" : arc_number_write(number, value));
        }
    }
}

ArcStatus arc_channels_text(int n, const ArcCapture *const *captures, const char *comment,
                            char **text, ArcError *err)
{
    ArcText out = {0};
    bool seen[ARC_EQUATIONS_MAX_CHANNELS];
    for (int c = 0; c < captures[0]->n_channels; c++)
        seen[c] = is_seen(n, captures, c);
    if (comment != NULL)
        arc_text_append_comment(&out, comment);
    append_header(&out, captures[0], seen, n > 1);
    for (int f = 0; f < n; f++) {
        for (int i = 0; i < captures[f]->n_points; i++) {
            append_row(&out, captures[f], seen, i);
            if (n > 1)
                arc_text_append(&out, ",%d", f + 1);
            arc_text_append(&out, "\n");
        }
    }
    return arc_text_finish(&out, text, err);
}
