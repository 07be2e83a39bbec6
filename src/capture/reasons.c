/* What explains a gravity of the wrong size.
 *
 * Positions stated L times and times T times as large as they are make gravity L / T^2 times as
 * large. Of lengths L is the number of units in a metre; times made of frames at a wrong rate have
 * T = true rate / stated rate.
 */
#include "capture/diagnosing.h"

#include <math.h>

/* Near enough: within so many sds, at least and at most these shares. */
static const double near_sds = 3.0, least_share = 0.025, most_share = 0.12;
/* Reasons this near are as far off as each other but for rounding, as milliseconds are and 25
 * frames a second stated as 0.025: the one that is looked at first comes first. */
static const double tie = 1e-9;

/* Frames a second of cameras and players. */
static const double rates[] = {24,  25,  30,  48,  50,  60,  90,  100, 120,  125,  180, 200,
                               240, 250, 300, 400, 480, 500, 600, 960, 1000, 1200, 2000};
static const struct {
    const char *name;
    double in_a_metre;
} units[] = {{"cm", 1e2}, {"mm", 1e3}, {"inch", 1 / 0.0254}, {"ft", 1 / 0.3048}};

/* Keeps the reason among the likeliest, in order of how far it is off. */
static int keep(int n, double off, ArcReason reason, double offs[ARC_REASONS_MOST],
                ArcReason reasons[ARC_REASONS_MOST])
{
    int at = n;
    while (at > 0 && offs[at - 1] > off + tie)
        at--;
    if (at >= ARC_REASONS_MOST)
        return n;
    n = n < ARC_REASONS_MOST ? n + 1 : n;
    for (int i = n - 1; i > at; i--) {
        offs[i] = offs[i - 1];
        reasons[i] = reasons[i - 1];
    }
    offs[at] = off;
    reasons[at] = reason;
    return n;
}

int arc_reasons_find(double ratio, double ratio_sd, double step_s, bool whole_times,
                     ArcReason reasons[ARC_REASONS_MOST])
{
    double offs[ARC_REASONS_MOST];
    double allowed = fmin(fmax(near_sds * ratio_sd / ratio, least_share), most_share);
    int n = 0;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        for (int side = 0; side < 2; side++) {
            double by = side == 0 ? units[i].in_a_metre : 1.0 / units[i].in_a_metre;
            double off = fabs(log(ratio / by));
            ArcReason reason = {side == 0 ? ARC_REASON_UNIT : ARC_REASON_METRES, NAN, NAN,
                                units[i].name};
            if (off < allowed)
                n = keep(n, off, reason, offs, reasons);
        }
    double off = fabs(log(ratio * 1e6));
    if (off < allowed)
        n = keep(n, off, (ArcReason){ARC_REASON_MS, NAN, NAN, NULL}, offs, reasons);
    double stated = 1.0 / step_s;
    bool is_frames = whole_times && fabs(stated - 1.0) < 1e-9;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0] && isfinite(stated); i++) {
        double stretch = rates[i] / stated;
        ArcReason reason = {is_frames ? ARC_REASON_FRAMES : ARC_REASON_RATE, rates[i], stated,
                            NULL};
        off = fabs(log(ratio * stretch * stretch));
        if (off < allowed && fabs(log(stretch)) > least_share)
            n = keep(n, off, reason, offs, reasons);
    }
    return n;
}
