/* What `window: auto` took. */
#include "report/stretch_parts.h"

#include "report/table.h"

#include <math.h>
#include <stdio.h>

const char *arc_stretch_parts_why(ArcStretchEnd end)
{
    static const char *const names[] = {[ARC_END_OF_POINTS] = "points",
                                        [ARC_END_GAP] = "gap",
                                        [ARC_END_BOUNCE] = "bounce",
                                        [ARC_END_CONTACT] = "contact"};
    return names[end];
}

/* "it ends at a bounce: line 92 lies 27 mm (17 errors) off, and the velocity changes by 6 m/s". */
static void append_end(ArcText *text, const ArcCapture *capture, int side)
{
    const ArcStretch *stretch = capture->stretch;
    static const char *const words[2][4] = {{"begins with the points", "begins after a gap",
                                             "begins after a bounce", "begins with the release"},
                                            {"ends with the points", "ends at a gap",
                                             "ends at a bounce",
                                             "ends where the ball leaves its path"}};
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    arc_text_append(text, "%s", words[side][stretch->ends[side]]);
    if (stretch->outside[side] < 0 || stretch->ends[side] == ARC_END_GAP)
        return;
    double jump2 = 0.0;
    for (int e = 0; e < capture->dimensions; e++)
        jump2 += stretch->jump_m_s[side][e] * stretch->jump_m_s[side][e];
    arc_text_append(text, " (line %d lies %s mm, %s errors, off it",
                    capture->line[stretch->outside[side]],
                    arc_table_plain(a, 1e3 * stretch->off_m[side], 3),
                    arc_table_plain(b, stretch->off_sd[side], 2));
    if (isfinite(jump2) && stretch->ends[side] == ARC_END_BOUNCE)
        arc_text_append(text, ", the velocity changes by %s m/s",
                        arc_table_plain(a, sqrt(jump2), 2));
    arc_text_append(text, ")");
}

void arc_stretch_parts_text(ArcText *table, const ArcCapture *capture)
{
    const ArcStretch *stretch = capture->stretch;
    ArcText text = {0};
    char *words, a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    if (stretch == NULL)
        return;
    arc_text_append(&text, "auto: %s s to %s s, lines %d to %d",
                    arc_table_plain(a, stretch->window_s[0], 6),
                    arc_table_plain(b, stretch->window_s[1], 6), capture->line[stretch->first],
                    capture->line[stretch->last]);
    if (capture->n_stretches > 1)
        arc_text_append(&text, ", the longest of %d flights", capture->n_stretches);
    arc_text_append(&text, "; it ");
    append_end(&text, capture, 0);
    arc_text_append(&text, " and ");
    append_end(&text, capture, 1);
    if (arc_text_finish(&text, &words, NULL) != ARC_OK) {
        table->failed = true;
        return;
    }
    arc_table_entry(table, "window", words);
    arc_text_free(words);
}

static json_t *end_json(ArcJson *json, const ArcCapture *capture, int side)
{
    const ArcStretch *stretch = capture->stretch;
    json_t *object = arc_json_object(json);
    arc_json_put_string(json, object, "why", arc_stretch_parts_why(stretch->ends[side]));
    if (stretch->outside[side] < 0)
        return object;
    arc_json_put_integer(json, object, "line", capture->line[stretch->outside[side]]);
    arc_json_put_number(json, object, "off_m", stretch->off_m[side]);
    arc_json_put_number(json, object, "off_sd", stretch->off_sd[side]);
    arc_json_put(json, object, "jump_m_s",
                 arc_json_vector(json, capture->dimensions, stretch->jump_m_s[side]));
    return object;
}

json_t *arc_stretch_parts_json(ArcJson *json, const ArcCapture *capture)
{
    const ArcStretch *stretch = capture->stretch;
    if (stretch == NULL)
        return NULL;
    json_t *object = arc_json_object(json);
    arc_json_put_number(json, object, "from_s", stretch->window_s[0]);
    arc_json_put_number(json, object, "to_s", stretch->window_s[1]);
    arc_json_put_integer(json, object, "stretches", capture->n_stretches);
    arc_json_put(json, object, "begin", end_json(json, capture, 0));
    arc_json_put(json, object, "end", end_json(json, capture, 1));
    return object;
}
