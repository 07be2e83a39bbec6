/* Synthetic captures: the experiment's own parameters flown, with seeded noise. */
#include "arcfit/fit.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/random.h"
#include "fit/predict.h"

#include <math.h>
#include <string.h>

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
    ArcThrow thrown = {&experiment->flight, experiment->release, values};
    status = arc_flown_create(thrown, 1, arena, &flown, err);
    if (status == ARC_OK) {
        int up = experiment->flight.settings.up, t0 = experiment->flight.n_parameters;
        ArcPlane level = {up, values[t0 + 1 + up]};
        *seconds =
            arc_flown_crossing(flown, level, ARC_SIM_FALLING, ARC_LONGEST_FLIGHT_S) - values[t0];
    }
    arc_arena_free(arena);
    return status;
}

/* Adds noise of sigma_m to n coordinates. */
static void add_noise(uint64_t seed, double sigma_m, size_t n, double *x_m)
{
    ArcRandom random = arc_random_create(seed, ARC_STREAM_NOISE);
    for (size_t i = 0; i < n; i++)
        x_m[i] += sigma_m * arc_random_normal(&random);
}

ArcStatus arc_simulate_capture(const ArcExperiment *experiment, int n, const double *t_s,
                               double sigma_m, ArcCapture **capture, ArcError *err)
{
    double values[ARC_MAX_PARAMETERS];
    char text[ARC_NUMBER_TEXT];
    ArcStatus status = synthetic_values(experiment, values, err);
    if (status != ARC_OK)
        return status;
    double t0 = values[experiment->flight.n_parameters];
    if (n < 1 || !(t_s[0] >= t0))
        return arc_error_set(err, ARC_INPUT,
                             "error: simulate needs times from the release at %s s on",
                             arc_number_write_digits(text, t0, 6));
    int d = experiment->flight.settings.dimensions;
    size_t size = (size_t)n * (size_t)d;
    ArcArena *arena = arc_arena_create();
    double *sigma = arena == NULL ? NULL : ARC_ALLOC(arena, size, double);
    ArcThrow thrown = {&experiment->flight, experiment->release, values};
    ArcFlown *flown = NULL;
    status =
        sigma == NULL ? arc_error_no_memory(err) : arc_flown_create(thrown, n, arena, &flown, err);
    if (status == ARC_OK && !arc_flown_states(flown, n, t_s, false))
        status = arc_error_set(
            err, ARC_NUMERIC,
            "error: the flight cannot be followed to %s s: %s; give earlier times",
            arc_number_write_digits(text, t_s[n - 1], 6), arc_flyer_why(flown->flyer));
    if (status == ARC_OK) {
        for (size_t i = 0; i < size; i++)
            sigma[i] = sigma_m;
        for (int i = 1; i < n; i++)
            memmove(flown->x + i * d, flown->x + i * experiment->flight.n_coordinates,
                    sizeof(double) * (size_t)d);
        add_noise(experiment->seed, sigma_m, size, flown->x);
        status = arc_capture_create(&(ArcCapture){.n_points = n,
                                                  .dimensions = d,
                                                  .time_s = t_s,
                                                  .position_m = flown->x,
                                                  .sigma_m = sigma},
                                    capture, err);
    }
    arc_arena_free(arena);
    return status;
}
