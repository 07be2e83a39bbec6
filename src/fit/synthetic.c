/* Synthetic captures: the experiment's own parameters flown, with seeded noise. */
#include "arcfit/fit.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/random.h"
#include "fit/predict.h"

#include <math.h>
#include <string.h>

static const double longest_flight_s = 60.0;

/* All parameters at their fixed values or starts. */
static ArcStatus synthetic_values(const ArcExperiment *experiment, double *values, ArcError *err)
{
    int t0 = experiment->flight.n_parameters;
    for (int i = 0; i < experiment->n_parameters; i++) {
        const ArcParameter *parameter = &experiment->parameters[i];
        values[i] = parameter->start;
        if (i == t0 && !parameter->has_start)
            values[i] = 0.0;
        if (i > t0 && !parameter->has_start)
            return arc_error_set_at(err, ARC_INPUT, parameter->place,
                                    "simulate needs a value for '%s': fix it or give its start "
                                    "(--set parameters.%s=VALUE)",
                                    parameter->name, parameter->name);
    }
    return ARC_OK;
}

ArcStatus arc_simulate_flight_time(const ArcExperiment *experiment, double *seconds, ArcError *err)
{
    double values[ARC_MAX_PARAMETERS];
    ArcStatus status = synthetic_values(experiment, values, err);
    if (status != ARC_OK)
        return status;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcFlown *flown = NULL;
    status = arc_flown_create(&experiment->flight, experiment->release, values, ARC_FLOWN_SEARCH,
                              arena, &flown, err);
    if (status == ARC_OK) {
        int up = experiment->flight.settings.up, t0 = experiment->flight.n_parameters;
        double apex = arc_flown_turning(flown, up, longest_flight_s);
        *seconds = isfinite(apex) ? arc_flown_crossing(flown, up, values[t0 + 1 + up],
                                                       apex - values[t0], longest_flight_s) -
                                        values[t0]
                                  : NAN;
    }
    arc_arena_free(arena);
    return status;
}

static ArcStatus simulate(const ArcExperiment *experiment, int n, const double *t_s, double sigma_m,
                          ArcArena *arena, ArcCapture **capture, ArcError *err)
{
    double values[ARC_MAX_PARAMETERS];
    ArcStatus status = synthetic_values(experiment, values, err);
    if (status != ARC_OK)
        return status;
    int d = experiment->flight.settings.dimensions;
    double t0 = values[experiment->flight.n_parameters];
    char text[ARC_NUMBER_TEXT];
    if (n < 1 || !(t_s[0] >= t0))
        return arc_error_set(err, ARC_INPUT,
                             "error: simulate needs times from the release at %s s on",
                             arc_number_write_digits(text, t0, 6));
    size_t size = (size_t)n * (size_t)d;
    double *sigma = ARC_ALLOC(arena, size, double);
    if (sigma == NULL)
        return arc_error_no_memory(err);
    ArcFlown *flown = NULL;
    status =
        arc_flown_create(&experiment->flight, experiment->release, values, n, arena, &flown, err);
    if (status != ARC_OK)
        return status;
    if (!arc_flown_states(flown, n, t_s, false))
        return arc_error_set(err, ARC_NUMERIC, "error: the flight cannot be followed to %s s",
                             arc_number_write_digits(text, t_s[n - 1], 6));
    ArcRandom random = arc_random_create(experiment->seed, ARC_STREAM_NOISE);
    for (size_t i = 0; i < size; i++) {
        sigma[i] = sigma_m;
        flown->x[i] += sigma_m * arc_random_normal(&random);
    }
    return arc_capture_create(n, d, t_s, flown->x, sigma, capture, err);
}

ArcStatus arc_simulate_capture(const ArcExperiment *experiment, int n, const double *t_s,
                               double sigma_m, ArcCapture **capture, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = simulate(experiment, n, t_s, sigma_m, arena, capture, err);
    arc_arena_free(arena);
    return status;
}
