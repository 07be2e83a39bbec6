/* Warnings of a diagnosis in words. */
#include "report/warning_words.h"

#include "report/table.h"

#include <math.h>
#include <stdio.h>

static const double degrees = 180.0 / M_PI;

/* "line 26", "lines 26, 28", "lines 26, 28 and 5 more". */
static void append_lines(ArcText *text, const ArcCapture *capture, const ArcWarning *warning,
                         int n_points)
{
    int named = 0;
    while (named < ARC_WARNING_POINTS && warning->points[named] >= 0)
        named++;
    arc_text_append(text, "line%s", named == 1 ? "" : "s");
    for (int i = 0; i < named; i++)
        arc_text_append(text, "%s%d", i == 0 ? " " : ", ", capture->line[warning->points[i]]);
    if (n_points > named)
        arc_text_append(text, " and %d more", n_points - named);
}

static void append_reason(ArcText *text, const ArcReason *reason)
{
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER], c[ARC_TABLE_NUMBER];
    switch (reason->kind) {
    case ARC_REASON_RATE:
        arc_text_append(text,
                        "filmed at %s frames a second and timed as if at %s (capture.rate where "
                        "the file has frames, else times by %s)",
                        arc_table_plain(a, reason->rate_per_s, 4),
                        arc_table_plain(b, reason->stated_per_s, 4),
                        arc_table_plain(c, reason->stated_per_s / reason->rate_per_s, 4));
        break;
    case ARC_REASON_FRAMES:
        arc_text_append(text,
                        "the times are frame numbers at %s frames a second (capture.columns "
                        "{frame: ..}, capture.rate)",
                        arc_table_plain(a, reason->rate_per_s, 4));
        break;
    case ARC_REASON_MS:
        arc_text_append(text, "the times are in ms (capture.units: {t: ms})");
        break;
    case ARC_REASON_UNIT:
        arc_text_append(text, "the positions are in %s (capture.units: {position: %s})",
                        reason->unit, reason->unit);
        break;
    case ARC_REASON_METRES:
        arc_text_append(text,
                        "the positions are in m already, taken for %s (capture.units: {position: "
                        "m})",
                        reason->unit);
        break;
    }
}

static void append_scale(ArcText *text, const ArcWarning *warning)
{
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER], c[ARC_TABLE_NUMBER];
    double ratio = warning->value / warning->expected;
    arc_text_append(text, "gravity comes out as %s m/s^2, %s times the %s that is set: ",
                    arc_table_value(a, warning->value, warning->sd, 1.0),
                    arc_table_plain(b, ratio, 3), arc_table_plain(c, warning->expected, 4));
    for (int i = 0; i < warning->n_reasons; i++) {
        arc_text_append(text, "%s", i == 0 ? "" : "; or ");
        append_reason(text, &warning->reasons[i]);
    }
    if (warning->n_reasons > 0)
        return;
    double length = fabs(ratio - 1.0), time = fabs(sqrt(1.0 / ratio) - 1.0);
    arc_text_append(text,
                    "no usual unit or frame rate; positions %s %% too %s, or times %s %% too %s, "
                    "would do it (a scale stick, the frame rate), or leave it open by parameters: "
                    "{gravity: free}",
                    arc_table_plain(a, 100.0 * length, 2), ratio > 1.0 ? "large" : "small",
                    arc_table_plain(b, 100.0 * time, 2), ratio > 1.0 ? "short" : "long");
}

static void append_axis(ArcText *text, const ArcCapture *capture, const ArcFlight *flight,
                        const ArcWarning *warning)
{
    static const char axes[] = "xyz";
    int up = flight->settings.up;
    arc_text_append(text, "gravity points along %c%c", warning->sign > 0 ? '+' : '-',
                    axes[warning->axis]);
    if (warning->finding == ARC_FINDING_AXIS_FLIPPED) {
        if (capture->n_cameras > 0)
            arc_text_append(text, ", which should be up: the file counts its rows from the bottom "
                                  "(capture.rows_from: bottom, capture.image), or a camera stands "
                                  "on its head");
        else
            arc_text_append(text,
                            ", which should be up: the file counts %c downwards, as pictures do; "
                            "turn the sign of its %c",
                            axes[up], axes[up]);
        return;
    }
    arc_text_append(text,
                    ", not along -%c: axes are swapped; give flight.up: %c%s, or name them by "
                    "capture.columns",
                    axes[up], axes[warning->axis],
                    warning->sign > 0 ? " and turn the sign of that column" : "");
}

static void append_end(ArcText *text, const ArcCapture *capture, const ArcDiagnosis *diagnosis,
                       const ArcWarning *warning)
{
    int side = warning->finding == ARC_FINDING_AFTER_FLIGHT;
    const ArcStretch *stretch = &diagnosis->stretch;
    static const char *const why[2][4] = {
        {"", "a pause parts them from it", "a bounce parts them from it",
         "the ball was not free yet"},
        {"", "a pause parts them from it", "it has bounced", "it has been touched or lost"}};
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER], c[ARC_TABLE_NUMBER];
    arc_text_append(text, "%d point%s %s the flight, %s line %d (%s s)", warning->n,
                    warning->n == 1 ? "" : "s", side == 0 ? "before" : "after",
                    side == 0 ? "up to" : "from", capture->line[stretch->outside[side]],
                    arc_table_plain(a, capture->time_s[stretch->outside[side]], 5));
    arc_text_append(text, ", %s not part of it: %s", warning->n == 1 ? "is" : "are",
                    why[side][warning->why]);
    if (warning->why == ARC_END_BOUNCE || warning->why == ARC_END_CONTACT)
        arc_text_append(text, " (%s mm, %s errors, off at once)",
                        arc_table_plain(b, 1e3 * warning->value, 3),
                        arc_table_plain(c, warning->sd, 2));
    if (diagnosis->n_stretches > 1)
        arc_text_append(text, "; it is the longest of %d flights here", diagnosis->n_stretches);
    arc_text_append(text, "; leave them out by capture.window: auto, or [%s, %s]",
                    arc_table_plain(a, stretch->window_s[0], 5),
                    arc_table_plain(b, stretch->window_s[1], 5));
}

static void append_frames(ArcText *text, const ArcCapture *capture, const ArcDiagnosis *diagnosis,
                          const ArcWarning *warning)
{
    char a[ARC_TABLE_NUMBER];
    int named = 0;
    while (named < ARC_WARNING_POINTS && warning->points[named] >= 0)
        named++;
    if (warning->finding == ARC_FINDING_REPEATED_FRAMES) {
        arc_text_append(text, "%d frame%s shown twice: ", warning->n,
                        warning->n == 1 ? " is" : "s are");
        append_lines(text, capture, warning, warning->n);
        arc_text_append(text, " repeat the position before, though the ball moves; leave them out");
        return;
    }
    bool is_gap = warning->finding == ARC_FINDING_GAPS;
    arc_text_append(text, "%d frame%s missing before ", warning->n,
                    warning->n == 1 ? " is" : "s are");
    append_lines(text, capture, warning, is_gap ? 0 : named);
    if (is_gap)
        arc_text_append(text,
                        "%s by their times (steps of %s ms); no harm where the times are right",
                        warning->points[ARC_WARNING_POINTS - 1] >= 0 ? " and others" : "",
                        arc_table_plain(a, 1e3 * warning->value, 4));
    else
        arc_text_append(text,
                        ", and the times go on as if not: the ball is ahead there by whole frames; "
                        "add %s ms to all later times for each",
                        arc_table_plain(a, 1e3 * diagnosis->step_s, 4));
}

static void append_noise(ArcText *text, const ArcWarning *warning)
{
    char a[ARC_TABLE_NUMBER];
    bool is_large = warning->finding == ARC_FINDING_LARGE_NOISE;
    arc_text_append(text,
                    "the points scatter by %s times their sigma: standard deviations of a fit are "
                    "too %s; give another sigma, or sigma: estimate",
                    arc_table_value(a, warning->value, warning->sd, 1.0),
                    is_large ? "small" : "large");
}

static void append_tilt(ArcText *text, const ArcCapture *capture, const ArcFlight *flight,
                        const ArcWarning *warning)
{
    static const char *const free_tilt[] = {
        "tilt_y: free, tilt_z: free", "tilt_x: free, tilt_z: free", "tilt_x: free, tilt_y: free"};
    char a[ARC_TABLE_NUMBER];
    arc_text_append(
        text,
        "gravity leans by %s deg: the axes are not level (the camera is rolled), or the "
        "ball has a spin that the flight leaves out; level them, or leave it open by "
        "parameters: {%s}",
        arc_table_value(a, warning->value, warning->sd, degrees),
        capture->dimensions == 2 ? "tilt: free" : free_tilt[flight->settings.up]);
}

void arc_warning_words(ArcText *text, const ArcCapture *capture, const ArcFlight *flight,
                       const ArcDiagnosis *diagnosis, const ArcWarning *warning)
{
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    switch (warning->finding) {
    case ARC_FINDING_NO_FLIGHT:
        arc_text_append(text, "nothing among these points falls as a thrown ball does; look at "
                              "units, times and axes");
        break;
    case ARC_FINDING_AXIS_FLIPPED:
    case ARC_FINDING_AXIS_SWAPPED:
        append_axis(text, capture, flight, warning);
        break;
    case ARC_FINDING_SCALE:
        append_scale(text, warning);
        break;
    case ARC_FINDING_BEFORE_FLIGHT:
    case ARC_FINDING_AFTER_FLIGHT:
        append_end(text, capture, diagnosis, warning);
        break;
    case ARC_FINDING_DROPPED_FRAMES:
    case ARC_FINDING_REPEATED_FRAMES:
    case ARC_FINDING_GAPS:
        append_frames(text, capture, diagnosis, warning);
        break;
    case ARC_FINDING_JUMPS:
        arc_text_append(
            text, "%d point%s far off the flight, by %s mm or %s errors at most: ", warning->n,
            warning->n == 1 ? " lies" : "s lie", arc_table_plain(a, 1e3 * warning->value, 3),
            arc_table_plain(b, warning->sd, 2));
        append_lines(text, capture, warning, warning->n);
        arc_text_append(text, "; leave them out, or use fit.loss: huber");
        break;
    case ARC_FINDING_CAMERA_OFFSET:
        arc_text_append(text,
                        "the clock of camera %s is off by %s ms against that of %s (%d pairs of "
                        "pixels); leave it open by parameters: {%s.time_offset: free}",
                        capture->cameras[warning->axis].name,
                        arc_table_value(a, warning->value, warning->sd, 1e3),
                        capture->cameras[0].name, warning->n, capture->cameras[warning->axis].name);
        break;
    case ARC_FINDING_TILT:
        append_tilt(text, capture, flight, warning);
        break;
    case ARC_FINDING_DRAG:
        arc_text_append(text,
                        "drag comes out as k = %s 1/m where such a ball has about %s: scale or "
                        "axes are off, or its mass and diameter",
                        arc_table_value(a, warning->value, warning->sd, 1.0),
                        arc_table_plain(b, warning->expected, 2));
        break;
    case ARC_FINDING_LARGE_NOISE:
    case ARC_FINDING_SMALL_NOISE:
        append_noise(text, warning);
        break;
    }
}
