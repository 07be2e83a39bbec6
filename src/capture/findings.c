/* What the flight with free gravity shows: gravity itself, where it ends, the size of errors.
 *
 * Gravity's covariance holds all that drag and lift of such a ball could do, by how they were
 * expected, and is taken by the size of the errors where they exceed the sigmas. Its size is off
 * where it differs by `clear_sds` of its sd and by a share at least, its direction where
 * d' C^-1 d of the components across exceeds what chance gives once in a million.
 */
#include "capture/findings.h"

#include <math.h>
#include <string.h>

static const double clear_sds = 4.5, least_ratio = 0.01;
static const double across_chi2[] = {0.0, 24.0, 27.7}; /* p 1e-6, of 1 and 2 components */
static const double least_tilt_rad = 0.003, turned_rad = 1.0, axis_rad = 0.5;
/* An axis is named where gravity itself is clear of its error. */
static const double direction_sds = 6.0;
/* Drag is no ball's where it is so many sds off what balls have. */
static const double drag_sds = 3.0;
/* A point far off, by the size of the errors; its distance, at least, of the stated sigmas. */
static const double far_errors = 7.0, far_sigmas = 5.0;
/* Sigmas are wrong where the errors are so much larger or smaller, clearly. */
static const double large_noise = 2.0, small_noise = 0.3, noise_sds = 6.0;
static const double least_dof = 8.0, other_unit = 3.0;
static const double normal_quartile = 0.67448975019608174;

/* Size along the gravity found, and its sd. */
typedef struct Direction {
    int d;
    double size, sd, unit[3], factor2;
    const ArcBallistic *fit;
} Direction;

static double covariance(const Direction *g, const double *a, const double *b)
{
    int d = g->d, m = g->fit->m;
    double sum = 0.0;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            sum += a[i] * b[j] * g->fit->covariance[(2 * d + i) * m + 2 * d + j];
    return g->factor2 * sum;
}

/* The components across the unit vector that is down, and their chi2. */
static double tilt_chi2(const Direction *g, const double *down, double *across_sd)
{
    double chi2 = 0.0, axes[2][3] = {{0}}, part[2] = {0, 0}, C[2][2] = {{0}};
    int n = 0;
    for (int e = 0; e < g->d && n < g->d - 1; e++) {
        double axis[3] = {e == 0, e == 1, e == 2}, along = down[e], size = 0.0;
        for (int k = 0; k < g->d; k++)
            axis[k] -= along * down[k];
        for (int before = 0; before < n; before++) {
            double dot = 0.0;
            for (int k = 0; k < g->d; k++)
                dot += axis[k] * axes[before][k];
            for (int k = 0; k < g->d; k++)
                axis[k] -= dot * axes[before][k];
        }
        for (int k = 0; k < g->d; k++)
            size += axis[k] * axis[k];
        if (size < 0.2)
            continue;
        for (int k = 0; k < g->d; k++) {
            axes[n][k] = axis[k] / sqrt(size);
            part[n] += axes[n][k] * g->unit[k] * g->size;
        }
        n++;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            C[i][j] = covariance(g, axes[i], axes[j]);
    if (n == 1) {
        *across_sd = sqrt(C[0][0]);
        return part[0] * part[0] / C[0][0];
    }
    double determinant = C[0][0] * C[1][1] - C[0][1] * C[1][0];
    chi2 = (part[0] * part[0] * C[1][1] - 2.0 * part[0] * part[1] * C[0][1] +
            part[1] * part[1] * C[0][0]) /
           determinant;
    double square = part[0] * part[0] + part[1] * part[1];
    *across_sd = square > 0.0
                     ? sqrt((part[0] * part[0] * C[0][0] + 2.0 * part[0] * part[1] * C[0][1] +
                             part[1] * part[1] * C[1][1]) /
                            square)
                     : sqrt(C[0][0]);
    return chi2;
}

/* Gravity along another axis or the wrong way; false where it is neither. */
static bool find_axis(ArcDiagnosing *diagnosing, const Direction *g)
{
    int up = diagnosing->flight->settings.up, axis = 0;
    for (int e = 1; e < g->d; e++)
        axis = fabs(g->unit[e]) > fabs(g->unit[axis]) ? e : axis;
    if (acos(fmin(fabs(g->unit[axis]), 1.0)) > axis_rad || g->size < direction_sds * g->sd)
        return false;
    ArcWarning *warning = arc_diagnosing_warn(diagnosing, axis == up ? ARC_FINDING_AXIS_FLIPPED
                                                                     : ARC_FINDING_AXIS_SWAPPED);
    if (warning == NULL)
        return false;
    warning->axis = axis;
    warning->sign = g->unit[axis] > 0.0 ? 1 : -1;
    warning->value = g->size / diagnosing->flight->gravity_share;
    return true;
}

/* Times that are whole numbers of seconds. */
static bool has_whole_times(const ArcTrack *track)
{
    for (int i = 0; i < track->n; i++)
        if (track->time_s[i] != round(track->time_s[i]))
            return false;
    return true;
}

static void find_scale(ArcDiagnosing *diagnosing, double g_m_s2, double sd, double expected)
{
    double ratio = g_m_s2 / expected, ratio_sd = sd / expected;
    double clear = clear_sds * arc_diagnosing_caution(diagnosing);
    if (fabs(ratio - 1.0) < clear * ratio_sd || fabs(ratio - 1.0) < least_ratio)
        return;
    ArcWarning *warning = arc_diagnosing_warn(diagnosing, ARC_FINDING_SCALE);
    const ArcDiagnosis *made = diagnosing->made;
    if (warning == NULL)
        return;
    warning->value = g_m_s2;
    warning->sd = sd;
    warning->expected = expected;
    warning->n_reasons = arc_reasons_find(ratio, ratio_sd, made->is_regular ? made->step_s : NAN,
                                          has_whole_times(diagnosing->track), warning->reasons);
}

/* More drag than any ball of this mass and size has, or a push in its place. */
static void find_drag(ArcDiagnosing *diagnosing)
{
    const ArcDiagnosis *made = diagnosing->made;
    const ArcExpectation *expected = &diagnosing->expected;
    double off = made->drag_per_m - expected->drag_per_m;
    double clear = clear_sds * arc_diagnosing_caution(diagnosing) * made->drag_sd_per_m;
    bool is_large = off > drag_sds * expected->drag_sd_per_m && off > clear;
    if (diagnosing->flight->drag_per_m == 0.0 || expected->air == NULL ||
        (!is_large && made->drag_per_m > -clear))
        return;
    ArcWarning *warning = arc_diagnosing_warn(diagnosing, ARC_FINDING_DRAG);
    if (warning == NULL)
        return;
    warning->value = made->drag_per_m;
    warning->sd = made->drag_sd_per_m;
    warning->expected = expected->drag_per_m;
}

static void find_speed(ArcDiagnosing *diagnosing)
{
    int d = diagnosing->track->d, last = diagnosing->end - diagnosing->begin - 1;
    for (int side = 0; side < 2; side++) {
        double square = 0.0;
        for (int e = 0; e < d; e++)
            square += diagnosing->v[side * last * d + e] * diagnosing->v[side * last * d + e];
        diagnosing->made->speed_m_s[side] = sqrt(square);
    }
}

void arc_findings_of_gravity(ArcDiagnosing *diagnosing)
{
    const ArcFlight *flight = diagnosing->flight;
    const ArcBallistic *fit = &diagnosing->fit;
    ArcDiagnosis *made = diagnosing->made;
    Direction g = {.d = fit->d, .factor2 = pow(arc_diagnosing_error(diagnosing), 2.0), .fit = fit};
    double expected = flight->settings.gravity_m_s2, down[3] = {0}, along = 0.0, across_sd;
    down[flight->settings.up] = -1.0;
    for (int e = 0; e < g.d; e++)
        g.size = hypot(g.size, fit->p[2 * g.d + e]);
    for (int e = 0; e < g.d; e++) {
        g.unit[e] = fit->p[2 * g.d + e] / fmax(g.size, 1e-300);
        along += g.unit[e] * down[e];
    }
    g.sd = sqrt(covariance(&g, g.unit, g.unit));
    find_speed(diagnosing);
    made->drag_per_m = fit->p[3 * g.d];
    made->drag_sd_per_m = sqrt(g.factor2 * fit->covariance[3 * g.d * fit->m + 3 * g.d]);
    made->gravity_m_s2 = g.size / flight->gravity_share;
    made->gravity_sd_m_s2 = g.sd / flight->gravity_share;
    double chi2 = tilt_chi2(&g, down, &across_sd), caution = arc_diagnosing_caution(diagnosing);
    made->tilt_rad = acos(fmax(-1.0, fmin(along, 1.0)));
    made->tilt_sd_rad = across_sd / g.size;
    if (!(expected > 0.0) || !isfinite(g.sd) || !isfinite(chi2))
        return;
    bool is_free = flight->settings.has_gravity || diagnosing->open.scale;
    double clear = clear_sds * caution, clear_chi2 = across_chi2[g.d - 1] * caution * caution;
    bool is_clear = chi2 > clear_chi2 || along < 0.0;
    bool is_turned = made->tilt_rad > turned_rad && is_clear && find_axis(diagnosing, &g);
    if (!is_free)
        find_scale(diagnosing, made->gravity_m_s2, made->gravity_sd_m_s2, expected);
    find_drag(diagnosing);
    bool may_tilt = diagnosing->open.tilt || flight->settings.has_tilt[0] ||
                    flight->settings.has_tilt[1] || flight->settings.has_tilt[2];
    if (is_turned || may_tilt || chi2 < clear_chi2 || made->tilt_rad < least_tilt_rad ||
        made->tilt_rad < clear * made->tilt_sd_rad)
        return;
    ArcWarning *warning = arc_diagnosing_warn(diagnosing, ARC_FINDING_TILT);
    if (warning != NULL) {
        warning->value = made->tilt_rad;
        warning->sd = made->tilt_sd_rad;
    }
}

void arc_findings_of_ends(ArcDiagnosing *diagnosing)
{
    const ArcStretch *stretch = &diagnosing->made->stretch;
    bool bounces = diagnosing->flight->settings.bounce.is_on;
    for (int side = 0; side < 2; side++) {
        if (stretch->outside[side] < 0 || (bounces && stretch->ends[side] == ARC_END_BOUNCE))
            continue;
        ArcWarning *warning = arc_diagnosing_warn(diagnosing, side == 0 ? ARC_FINDING_BEFORE_FLIGHT
                                                                        : ARC_FINDING_AFTER_FLIGHT);
        if (warning == NULL)
            return;
        warning->why = stretch->ends[side];
        warning->value = stretch->off_m[side];
        warning->sd = stretch->off_sd[side];
        if (side == 1)
            for (int i = diagnosing->end; i < diagnosing->track->n; i++)
                arc_diagnosing_name(diagnosing, warning, i);
        for (int i = diagnosing->begin - 1; i >= 0 && side == 0; i--)
            arc_diagnosing_name(diagnosing, warning, i);
    }
}

/* The size of the errors of one axis, by the median, in sigmas, and in m. */
static double axis_noise(ArcDiagnosing *diagnosing, int axis, double *room, double *sigma_m)
{
    const ArcTrack *track = diagnosing->track;
    int d = track->d, n = 0;
    double sum = 0.0;
    for (int i = diagnosing->begin; i < diagnosing->end; i++) {
        if (isnan(track->position_m[i * d + axis]))
            continue;
        room[n++] = fabs(diagnosing->off[(i - diagnosing->begin) * d + axis]);
        sum += track->sigma_m[i * d + axis];
    }
    if (n == 0)
        return NAN;
    *sigma_m = sum / n;
    double used = sqrt(diagnosing->fit.n_coordinates /
                       fmax(diagnosing->fit.dof, 0.1 * diagnosing->fit.n_coordinates));
    return arc_track_median(n, room) / normal_quartile * used;
}

static void find_far(ArcDiagnosing *diagnosing)
{
    const ArcTrack *track = diagnosing->track;
    int d = track->d;
    double error = fmax(diagnosing->fit.factor, diagnosing->sigma_is_known ? 1.0 : 0.0);
    error *= arc_diagnosing_caution(diagnosing);
    ArcWarning *warning = NULL;
    for (int i = diagnosing->begin; i < diagnosing->end; i++) {
        double most = 0.0, size = 0.0;
        for (int e = 0; e < d; e++) {
            double off = fabs(diagnosing->off[(i - diagnosing->begin) * d + e]);
            most = fmax(most, off);
            if (off > 0.0)
                size = hypot(size, off * track->sigma_m[i * d + e]);
        }
        if (most < far_errors * error || most < far_sigmas)
            continue;
        if (warning == NULL)
            warning = arc_diagnosing_warn(diagnosing, ARC_FINDING_JUMPS);
        if (warning == NULL)
            return;
        arc_diagnosing_name(diagnosing, warning, i);
        if (!(warning->value > size)) {
            warning->value = size;
            warning->sd = most / error;
        }
    }
}

ArcStatus arc_findings_of_errors(ArcDiagnosing *diagnosing, ArcError *err)
{
    const ArcBallistic *fit = &diagnosing->fit;
    int n = diagnosing->end - diagnosing->begin;
    double *room = ARC_ALLOC(diagnosing->arena, (size_t)n, double);
    if (room == NULL)
        return arc_error_no_memory(err);
    if (fit->dof < least_dof)
        return ARC_OK;
    for (int axis = 0; axis < fit->d; axis++) {
        double sigma_m = NAN, noise = axis_noise(diagnosing, axis, room, &sigma_m);
        diagnosing->made->noise_m[axis] = noise * sigma_m;
    }
    find_far(diagnosing);
    double sd = 1.17 * fit->factor / sqrt(2.0 * fit->dof);
    bool is_large = fit->factor > large_noise && fit->factor - 1.0 > noise_sds * sd / fit->factor;
    bool is_small = fit->factor < small_noise && 1.0 - fit->factor > noise_sds * sd;
    /* A sigma in another unit is no wrong sigma. */
    double ratio = diagnosing->made->gravity_m_s2 / diagnosing->flight->settings.gravity_m_s2;
    bool is_scaled = ratio > other_unit || ratio < 1.0 / other_unit;
    if (!diagnosing->sigma_is_known || is_scaled || (!is_large && !is_small))
        return ARC_OK;
    ArcWarning *warning = arc_diagnosing_warn(diagnosing, is_large ? ARC_FINDING_LARGE_NOISE
                                                                   : ARC_FINDING_SMALL_NOISE);
    if (warning != NULL) {
        warning->value = fit->factor;
        warning->sd = sd;
    }
    return ARC_OK;
}
