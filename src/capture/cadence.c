/* Frames and their times: the usual step, gaps, repeated and dropped frames.
 *
 * A frame that was dropped while the times went on by counting leaves the ball ahead by v h in all
 * points behind it. For every point j the improvement of chi2 by a slip of the clock from there on,
 *
 *   s^2 / (v'v - (J'v)' C (J'v)),   s = v'r,
 *
 * is had from sums over the points behind it: r residuals and v velocities by the errors, J the
 * partials of the flight's unknowns and C their covariance. The slip is s over the same.
 */
#include "capture/diagnosing.h"

#include <math.h>
#include <string.h>

enum { MOST_SLIPS = 6, LEAST_STEPS = 5, LEAST_POINTS = 8, MOST_FRAMES = 50, MOST_SCANNED = 20000 };
/* Steps within this share of a multiple of the usual one, so many of all, are regular. */
static const double same_share = 0.04, regular_share = 0.85, usual_share = 0.6;
/* A repeated frame stands still to rounding though the ball moves by so many errors. */
static const double moved_errors = 5.0;
/* A slip is clear, near a whole number of frames, and leaves much less unexplained. */
static const double clear_chi2 = 60.0, whole_share = 0.35, known_share = 0.12;
/* Of many frames at once so large a share is missed, since the ball falls meanwhile. */
static const double many_share = 0.15;
static const double explained_share = 0.3, gained_share = 0.5;

void arc_cadence_find(ArcDiagnosing *diagnosing, double *room)
{
    const ArcTrack *track = diagnosing->track;
    ArcDiagnosis *made = diagnosing->made;
    int n = track->n - 1, regular = 0, usual = 0, missing = 0;
    made->step_s = NAN;
    made->is_regular = false;
    if (n < 1)
        return;
    for (int i = 0; i < n; i++)
        room[i] = track->time_s[i + 1] - track->time_s[i];
    made->step_s = arc_track_median(n, room);
    for (int i = 0; i < n; i++) {
        double steps = (track->time_s[i + 1] - track->time_s[i]) / made->step_s;
        double whole = round(steps);
        bool is_whole = whole >= 1.0 && fabs(steps - whole) < same_share;
        regular += is_whole;
        usual += is_whole && whole == 1.0;
        missing += is_whole && whole > 1.0 ? (int)fmin(whole - 1.0, 1e6) : 0;
    }
    made->is_regular = n >= LEAST_STEPS && regular >= regular_share * n && usual >= usual_share * n;
    if (!made->is_regular || missing == 0)
        return;
    ArcWarning *warning = arc_diagnosing_warn(diagnosing, ARC_FINDING_GAPS);
    for (int i = 0; i < n && warning != NULL; i++)
        if (round((track->time_s[i + 1] - track->time_s[i]) / made->step_s) > 1.0)
            arc_diagnosing_name(diagnosing, warning, i + 1);
    if (warning != NULL) {
        warning->n = missing;
        warning->value = made->step_s;
    }
}

void arc_cadence_find_repeated(ArcDiagnosing *diagnosing)
{
    const ArcTrack *track = diagnosing->track;
    ArcWarning *warning = NULL;
    int d = track->d;
    for (int i = diagnosing->begin + 1; i < diagnosing->end; i++) {
        int row = i - diagnosing->begin;
        bool is_same = true;
        double moved = 0.0;
        for (int e = 0; e < d; e++) {
            double now = track->position_m[i * d + e], before = track->position_m[(i - 1) * d + e];
            is_same = is_same && now == before;
            double away = diagnosing->x[row * d + e] - diagnosing->x[(row - 1) * d + e];
            moved = fmax(moved, fabs(away) / track->sigma_m[i * d + e]);
        }
        if (!is_same || moved < moved_errors)
            continue;
        if (warning == NULL)
            warning = arc_diagnosing_warn(diagnosing, ARC_FINDING_REPEATED_FRAMES);
        if (warning != NULL)
            arc_diagnosing_name(diagnosing, warning, i);
    }
}

/* The clearest slip of the clock in the stretch: its point, its size in s, its chi2. */
typedef struct Slip {
    int point;
    double size_s, chi2;
} Slip;

static Slip find_slip(const ArcDiagnosing *diagnosing, const double *jacobian)
{
    const ArcTrack *track = diagnosing->track;
    const ArcBallistic *fit = &diagnosing->fit;
    int d = track->d, m = fit->m;
    double s = 0.0, square = 0.0, sum[ARC_BALLISTIC_MOST] = {0};
    Slip best = {-1, 0.0, 0.0};
    for (int i = diagnosing->end - 1; i > diagnosing->begin + 1; i--) {
        int row = i - diagnosing->begin;
        for (int e = 0; e < d; e++) {
            double x = track->position_m[i * d + e], error = track->sigma_m[i * d + e];
            double v = diagnosing->v[row * d + e] / error;
            if (isnan(x))
                continue;
            s += v * (x - diagnosing->x[row * d + e]) / error;
            square += v * v;
            for (int p = 0; p < m; p++)
                sum[p] += v * jacobian[(row * d + e) * m + p] / error;
        }
        double left = square;
        for (int p = 0; p < m; p++)
            for (int q = 0; q < m; q++)
                left -= sum[p] * fit->covariance[p * m + q] * sum[q];
        if (!(left > 1e-9 * square) || i > diagnosing->end - 3)
            continue;
        double chi2 = s * s / left;
        if (chi2 > best.chi2)
            best = (Slip){i, s / left, chi2};
    }
    return best;
}

/* What the residuals leave to explain beyond their number. */
static double unexplained(const ArcDiagnosing *diagnosing)
{
    int n = (diagnosing->end - diagnosing->begin) * diagnosing->track->d;
    double sum = -(double)diagnosing->fit.n_coordinates;
    for (int i = 0; i < n; i++)
        sum += diagnosing->off[i] * diagnosing->off[i];
    return sum;
}

/* Whole frames that a slip is clearly made of; 0 where it is not. */
static int whole_frames(const ArcDiagnosing *diagnosing, const Slip *slip)
{
    double step_s = diagnosing->made->step_s, caution = arc_diagnosing_caution(diagnosing);
    double frames = slip->size_s / step_s, whole = round(frames);
    /* Its sd in frames: what is not known to better than this is no whole number. */
    double sd = frames / sqrt(slip->chi2) * caution;
    if (slip->point < 0 || !(whole >= 1.0 && whole < MOST_FRAMES) ||
        fabs(frames - whole) > fmax(whole_share, many_share * frames) || sd > known_share)
        return 0;
    if (slip->chi2 < clear_chi2 * caution * caution ||
        slip->chi2 < explained_share * unexplained(diagnosing))
        return 0;
    return (int)whole;
}

/* Puts the times right behind a slip, and takes that back where the flight does not fit better. */
static bool set_right(ArcDiagnosing *diagnosing, const Slip *slip, int frames)
{
    double *time_s = diagnosing->points.time_s, before = unexplained(diagnosing);
    double by_s = frames * diagnosing->made->step_s;
    for (int i = slip->point; i < diagnosing->track->n; i++)
        time_s[i] += by_s;
    if (arc_diagnosing_fit(diagnosing) &&
        unexplained(diagnosing) < before - gained_share * slip->chi2)
        return true;
    for (int i = slip->point; i < diagnosing->track->n; i++)
        time_s[i] -= by_s;
    arc_diagnosing_fit(diagnosing);
    return false;
}

static ArcWarning *dropped_so_far(ArcDiagnosing *diagnosing)
{
    for (int i = 0; i < diagnosing->made->n_warnings; i++)
        if (diagnosing->made->warnings[i].finding == ARC_FINDING_DROPPED_FRAMES)
            return &diagnosing->made->warnings[i];
    return NULL;
}

ArcStatus arc_cadence_find_dropped(ArcDiagnosing *diagnosing, bool *found, ArcError *err)
{
    const ArcTrack *track = diagnosing->track;
    int n = diagnosing->end - diagnosing->begin, d = track->d, m = diagnosing->fit.m;
    ArcWarning *warning = dropped_so_far(diagnosing);
    *found = false;
    if (!diagnosing->made->is_regular || n < LEAST_POINTS || n > MOST_SCANNED)
        return ARC_OK;
    double *jacobian = ARC_ALLOC(diagnosing->arena, (size_t)(n * d * m), double);
    if (jacobian == NULL)
        return arc_error_no_memory(err);
    /* A slip leaves most points far off: all of them count. */
    diagnosing->expected.is_plain = true;
    bool is_open = arc_diagnosing_fit(diagnosing);
    for (int slips = 0; slips < MOST_SLIPS && is_open; slips++) {
        arc_ballistic_jacobian(&diagnosing->fit, &diagnosing->expected, n,
                               track->time_s + diagnosing->begin, jacobian);
        Slip slip = find_slip(diagnosing, jacobian);
        int frames = whole_frames(diagnosing, &slip);
        is_open = frames > 0 && set_right(diagnosing, &slip, frames);
        if (is_open && warning == NULL)
            warning = arc_diagnosing_warn(diagnosing, ARC_FINDING_DROPPED_FRAMES);
        if (!is_open || warning == NULL)
            break;
        arc_diagnosing_name(diagnosing, warning, slip.point);
        warning->n += frames - 1;
        *found = true;
    }
    diagnosing->expected.is_plain = false;
    diagnosing->made->has_flight = arc_diagnosing_fit(diagnosing) && diagnosing->made->has_flight;
    return ARC_OK;
}
