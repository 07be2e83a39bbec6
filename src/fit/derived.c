/* Derived numbers with first-order standard deviations.
 *
 * apex: v_up(t) = 0, so dt = -dv_up / a_up and dh = dx_up (v_up is zero there);
 * flight time: x_up(t) = x_up(t0), so dt = -(dx_up - dx0_up) / v_up. Times count from t0, whose own
 * gradient is one in absolute time and so drops out for a flight that knows no clock. */
#include "fit/derived.h"

#include "fit/predict.h"
#include "fit/release.h"

#include <math.h>
#include <string.h>

typedef struct Deriver {
    ArcFit *fit;
    const ArcProblem *problem;
    const double *values;
    ArcEstimate *derived;
    int n;
} Deriver;

static void derive_add(Deriver *deriver, const char *name, const char *unit, double value,
                       const double *gradient)
{
    double sd = arc_fit_sd(deriver->fit, gradient), half = deriver->fit->interval_factor * sd;
    deriver->derived[deriver->n++] =
        (ArcEstimate){.name = name,
                      .unit = unit,
                      .value = value,
                      .sd = sd,
                      .ci95 = {value - half, value + half},
                      .start = NAN,
                      .status = isnan(sd) ? ARC_PARAMETER_UNIDENTIFIED : ARC_PARAMETER_FREE,
                      .free_index = -1,
                      .reason = isnan(sd) ? "depends on an unidentified parameter" : NULL};
}

static void derive_release(Deriver *deriver)
{
    static const char *const names[] = {"release_speed", "release_angle", "release_azimuth"};
    static const char *const units[] = {"m/s", "rad", "rad"};
    const ArcProblem *problem = deriver->problem;
    int d = problem->d, velocity = problem->t0_index + 1 + d, up = problem->flight.settings.up;
    double v[3], v_q[9], polar[3], g[9];
    arc_release_velocity(problem->release, d, up, deriver->values + velocity, v, v_q);
    arc_release_polar(d, up, v, polar, g);
    for (int k = 0; k < d; k++) {
        double gradient[ARC_MAX_PARAMETERS] = {0};
        for (int j = 0; j < d; j++)
            for (int i = 0; i < d; i++)
                gradient[velocity + j] += g[k * d + i] * v_q[i * d + j];
        derive_add(deriver, names[k], units[k], polar[k], gradient);
    }
}

/* Row of partials of the flown state's coordinate at the time found last, and its rate there. */
static void flown_row(const ArcFlown *flown, const double *partials, const double *rates, int axis,
                      double *row)
{
    const ArcFlight *flight = flown->thrown.flight;
    int Q = flight->n_parameters + 2 * flight->n_coordinates;
    arc_flyer_chain(&flown->thrown, partials + axis * Q, rates[axis], row);
}

static void derive_flown(Deriver *deriver, ArcFlown *flown)
{
    const ArcProblem *problem = deriver->problem;
    int up = problem->flight.settings.up, n = problem->n_parameters;
    int height = problem->t0_index + 1 + up;
    double t0 = deriver->values[problem->t0_index];
    double row[ARC_MAX_PARAMETERS], h[ARC_MAX_PARAMETERS];
    double apex = arc_flown_turning(flown, up, ARC_LONGEST_FLIGHT_S);
    if (!isfinite(apex) || !(flown->a[up] < 0.0))
        return;
    flown_row(flown, flown->v_q, flown->a, up, row);
    for (int i = 0; i < n; i++)
        row[i] /= -flown->a[up];
    row[problem->t0_index] -= 1.0;
    flown_row(flown, flown->x_q, flown->v, up, h);
    derive_add(deriver, "apex_time", "s", apex - t0, row);
    derive_add(deriver, "apex_height", "m", flown->x[up], h);
    ArcPlane level = {up, deriver->values[height]};
    double landing = arc_flown_crossing(flown, level, apex - t0, ARC_LONGEST_FLIGHT_S);
    if (!isfinite(landing))
        return;
    flown_row(flown, flown->x_q, flown->v, up, row);
    row[height] -= 1.0;
    for (int i = 0; i < n; i++)
        row[i] /= -flown->v[up];
    row[problem->t0_index] -= 1.0;
    derive_add(deriver, "flight_time", "s", landing - t0, row);
}

ArcStatus arc_fit_derive(ArcFit *fit, const ArcProblem *problem, const double *values,
                         ArcError *err)
{
    Deriver deriver = {.fit = fit, .problem = problem, .values = values};
    deriver.derived = ARC_ALLOC(fit->arena, ARC_MAX_DERIVED, ArcEstimate);
    if (deriver.derived == NULL)
        return arc_error_no_memory(err);
    ArcArena *scratch = arc_arena_create();
    if (scratch == NULL)
        return arc_error_no_memory(err);
    derive_release(&deriver);
    ArcFlown *flown = NULL;
    ArcThrow thrown = {&problem->flight, problem->release, values};
    ArcStatus status = arc_flown_create(thrown, ARC_FLOWN_SEARCH, scratch, &flown, err);
    if (status == ARC_OK)
        derive_flown(&deriver, flown);
    arc_arena_free(scratch);
    fit->n_derived = deriver.n;
    fit->derived = deriver.derived;
    return status;
}
