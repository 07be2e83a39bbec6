/* Derived numbers with first-order standard deviations.
 *
 * Times count from the release, so that t0 does not move them. The flight time's level is that of
 * the release: x_up(t) = x0_up, so dt = -(dx_up - dx0_up) / v_up. */
#include "fit/derived.h"

#include "fit/deriver.h"
#include "fit/release.h"

#include <math.h>
#include <string.h>

void arc_deriver_add(ArcDeriver *deriver, const char *name, const char *unit, double value,
                     const double *gradient)
{
    double sd = gradient != NULL ? arc_fit_sd(deriver->fit, gradient) : NAN;
    double half = deriver->fit->interval_factor * sd;
    const char *reason =
        gradient != NULL ? "depends on an unidentified parameter" : "does not change smoothly here";
    deriver->derived[deriver->n++] =
        (ArcEstimate){.name = name,
                      .unit = unit,
                      .value = value,
                      .sd = sd,
                      .ci95 = {value - half, value + half},
                      .start = NAN,
                      .status = isnan(sd) ? ARC_PARAMETER_UNIDENTIFIED : ARC_PARAMETER_FREE,
                      .free_index = -1,
                      .reason = isnan(sd) ? reason : NULL};
}

static void derive_release(ArcDeriver *deriver)
{
    static const char *const names[] = {"release_speed", "release_angle", "release_azimuth"};
    static const char *const units[] = {"m/s", "rad", "rad"};
    const ArcProblem *problem = deriver->problem;
    int d = problem->d, velocity = problem->t0_index + 1 + d, up = problem->flight.settings.up;
    double v[3], v_q[9], polar[3], g[9];
    arc_release_velocity(problem->release, d, up, deriver->values + velocity, v, v_q);
    arc_release_polar(d, up, v, polar, g);
    for (int k = 0; k < d; k++) {
        double gradient[ARC_MAX_GRADIENT] = {0};
        for (int j = 0; j < d; j++)
            for (int i = 0; i < d; i++)
                gradient[velocity + j] += g[k * d + i] * v_q[i * d + j];
        arc_deriver_add(deriver, names[k], units[k], polar[k], gradient);
    }
}

static void derive_flown(ArcDeriver *deriver, ArcFlown *flown)
{
    const ArcProblem *problem = deriver->problem;
    int up = problem->flight.settings.up, height = problem->t0_index + 1 + up;
    double t0 = deriver->values[problem->t0_index];
    double of_t[ARC_MAX_GRADIENT] = {0}, of_x[ARC_MAX_GRADIENT] = {0};
    double of_v[ARC_MAX_GRADIENT] = {0};
    double apex = arc_flown_apex(flown, up, ARC_LONGEST_FLIGHT_S);
    if (!isfinite(apex))
        return;
    arc_flown_time_gradient(flown, of_t);
    arc_flown_gradient(flown, up, of_x, of_v);
    arc_deriver_add(deriver, "apex_time", "s", apex - t0, of_t);
    arc_deriver_add(deriver, "apex_height", "m", flown->x[up], of_x);
    ArcPlane level = {up, deriver->values[height]};
    double landing = arc_flown_crossing(flown, level, ARC_SIM_FALLING, ARC_LONGEST_FLIGHT_S);
    if (!isfinite(landing))
        return;
    arc_flown_time_gradient(flown, of_t);
    of_t[height] += 1.0 / flown->v[up]; /* the level moves with the release */
    arc_deriver_add(deriver, "flight_time", "s", landing - t0, of_t);
}

ArcStatus arc_fit_derive(ArcFit *fit, const ArcProblem *problem, const double *values,
                         ArcError *err)
{
    ArcDeriver deriver = {.fit = fit, .problem = problem, .values = values};
    if (problem->equations != NULL)
        return ARC_OK; /* nothing of a flight follows from own equations */
    deriver.derived = ARC_ALLOC(fit->arena, ARC_MAX_DERIVED, ArcEstimate);
    deriver.remarks = ARC_ALLOC(fit->arena, ARC_MAX_REMARKS, const char *);
    if (deriver.derived == NULL || deriver.remarks == NULL)
        return arc_error_no_memory(err);
    ArcArena *scratch = arc_arena_create();
    if (scratch == NULL)
        return arc_error_no_memory(err);
    derive_release(&deriver);
    ArcFlown *flown = NULL;
    ArcThrow thrown = {&problem->flight, problem->release, values};
    ArcStatus status = arc_flown_create(thrown, 1, scratch, &flown, err);
    if (status == ARC_OK && problem->closure != NULL)
        status = arc_flown_close(flown, problem, scratch, err);
    if (status == ARC_OK) {
        derive_flown(&deriver, flown);
        arc_deriver_targets(&deriver, flown);
        status = deriver.failed ? arc_error_no_memory(err) : ARC_OK;
    }
    arc_arena_free(scratch);
    fit->n_derived = deriver.n;
    fit->derived = deriver.derived;
    fit->n_remarks = deriver.n_remarks;
    fit->remarks = deriver.remarks;
    return status;
}
