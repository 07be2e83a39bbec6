/* The used points of a capture as a track, and what is expected of the ball on it.
 *
 * Scatter: a point less the cubic through its two neighbours on either side, over the root of one
 * and the squares of the cubic's weights; the median size of all, as of normal numbers. A flight is
 * so smooth over five points that nothing of it is left.
 */
#include "capture/stretches.h"

#include "capture/seen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double normal_quartile = 0.67448975019608174;
/* Drag coefficients of balls lie about here; k of the usual ones between 0.004 and 0.16 1/m. */
static const double usual_cd = 0.4, cd_sd = 0.25, preset_cd_sd = 0.15;
static const double unknown_k = 0.05, unknown_k_sd = 0.1;
/* How far k may change where the speed does by itself: cd is nearly one, or of a law that bends. */
static const double drag_change = 0.4, steep_change = 1.0;
/* CL of a spinning ball, about; what a flight without a lift law still leaves room for. */
static const double usual_cl_sd = 0.25, unknown_lift_sd = 0.05, without_lift = 0.25;
static const double gravity_share = 0.05, clock_steps = 1.5;

ArcExpectation arc_expectation_of(const ArcFlight *flight, double first_s)
{
    ArcExpectation expected = {.air = &flight->settings, .first_s = first_s};
    memcpy(expected.gravity_m_s2, flight->gravity_m_s2, sizeof expected.gravity_m_s2);
    expected.slip_steps = clock_steps;
    expected.gravity_sd_m_s2 = gravity_share * fmax(flight->settings.gravity_m_s2, 1.0);
    double c = flight->drag_per_m * flight->inertia;
    bool is_steep = flight->settings.drag > ARC_DRAG_QUADRATIC;
    bool is_preset = flight->settings.ball.cd > 0.0 && !is_steep;
    expected.drag_per_m =
        c > 0.0 ? c * (is_preset ? flight->settings.ball.cd : usual_cd) : unknown_k;
    expected.drag_sd_per_m = c > 0.0 ? c * (is_preset ? preset_cd_sd : cd_sd) : unknown_k_sd;
    expected.drag_change = is_steep ? steep_change : drag_change;
    expected.lift_sd_per_m = c > 0.0 ? c * usual_cl_sd : unknown_lift_sd;
    if (flight->settings.lift == ARC_LIFT_NONE)
        expected.lift_sd_per_m *= without_lift;
    return expected;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double arc_track_median(int n, double *values)
{
    qsort(values, (size_t)n, sizeof *values, ascending);
    return values[n / 2];
}

/* Weight of neighbour j in the cubic through four neighbours at times t, at time at. */
static double lagrange(const double t[4], double at, int j)
{
    double weight = 1.0;
    for (int i = 0; i < 4; i++)
        if (i != j)
            weight *= (at - t[i]) / (t[j] - t[i]);
    return weight;
}

/* The scatter of one axis; NaN where there are fewer than five points. */
static double scatter_of(const ArcTrack *track, int axis, double *size)
{
    static const int neighbours[4] = {-2, -1, 1, 2};
    int n = 0, d = track->d;
    for (int i = 2; i + 2 < track->n; i++) {
        double t[4], off = track->position_m[i * d + axis], square = 1.0;
        for (int j = 0; j < 4; j++)
            t[j] = track->time_s[i + neighbours[j]];
        for (int j = 0; j < 4; j++) {
            double weight = lagrange(t, track->time_s[i], j);
            off -= weight * track->position_m[(i + neighbours[j]) * d + axis];
            square += weight * weight;
        }
        if (isfinite(off))
            size[n++] = fabs(off) / sqrt(square);
    }
    return n == 0 ? NAN : arc_track_median(n, size) / normal_quartile;
}

/* The scatter of each axis as its sigma; of exact points a billionth of how far they reach. */
static void take_scatter(ArcTrackPoints *points, double *size)
{
    const ArcTrack *track = &points->track;
    for (int axis = 0; axis < track->d; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < track->n; i++) {
            low = fmin(low, track->position_m[i * track->d + axis]);
            high = fmax(high, track->position_m[i * track->d + axis]);
        }
        double least = fmax(1e-9 * (high - low), 1e-12), sigma = scatter_of(track, axis, size);
        for (int i = 0; i < track->n; i++)
            points->sigma_m[i * track->d + axis] = isnan(sigma) ? 1e-3 : fmax(sigma, least);
    }
}

ArcStatus arc_track_create(const ArcCapture *capture, bool sigma_is_known, ArcArena *arena,
                           ArcTrackPoints *points, ArcError *err)
{
    size_t d = (size_t)capture->dimensions, most = (size_t)capture->n_points;
    ArcTrackPoints made = {.position_m = ARC_ALLOC(arena, most * d, double),
                           .sigma_m = ARC_ALLOC(arena, most * d, double),
                           .time_s = ARC_ALLOC(arena, most, double),
                           .point = ARC_ALLOC(arena, most, int)};
    double *size = ARC_ALLOC(arena, most, double);
    if (made.position_m == NULL || made.sigma_m == NULL || made.time_s == NULL ||
        made.point == NULL || size == NULL)
        return arc_error_no_memory(err);
    size_t n = 0;
    for (size_t i = 0; i < most && capture->n_cameras == 0; i++) {
        bool is_seen = false;
        for (size_t e = 0; e < d; e++)
            is_seen = is_seen || isfinite(capture->position_m[i * d + e]);
        if (capture->use[i] == ARC_POINT_UNUSED || !is_seen)
            continue;
        memcpy(made.position_m + n * d, capture->position_m + i * d, d * sizeof(double));
        memcpy(made.sigma_m + n * d, capture->sigma_m + i * d, d * sizeof(double));
        made.time_s[n] = capture->time_s[i];
        made.point[n++] = (int)i;
    }
    made.track = (ArcTrack){(int)n, (int)d, made.time_s, made.position_m, made.sigma_m};
    if (capture->n_cameras > 0)
        arc_seen_positions(capture, &made);
    if (!sigma_is_known)
        take_scatter(&made, size);
    *points = made;
    return ARC_OK;
}

double arc_track_way(const ArcTrack *track, int begin, int end)
{
    double way2 = 0.0;
    for (int e = 0; e < track->d; e++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = begin; i < end; i++) {
            low = fmin(low, track->position_m[i * track->d + e]);
            high = fmax(high, track->position_m[i * track->d + e]);
        }
        way2 += high > low ? (high - low) * (high - low) : 0.0;
    }
    return sqrt(way2);
}
