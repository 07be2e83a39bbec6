/* Adapts ArcFlight to the simulator's ArcMotion. */
#include "fit/flyer.h"

#include "fit/release.h"

#include <string.h>

static void flyer_acceleration(void *context, double t, const double *x, const double *v,
                               const double *p, double *a, double *a_x, double *a_v, double *a_p)
{
    const ArcFlight *flight = context;
    arc_flight_acceleration(flight, 1, &t, x, v, p, a, a_x, a_v, a_p);
}

ArcStatus arc_flyer_create(const ArcFlight *flight, double tolerance, ArcArena *arena,
                           ArcSimulator **simulator, ArcError *err)
{
    /* The simulator's context is not const because other motions keep state there. */
    ArcFlight *copy = ARC_ALLOC(arena, 1, ArcFlight);
    if (copy == NULL)
        return arc_error_no_memory(err);
    *copy = *flight;
    ArcMotion motion = {.dimensions = flight->n_coordinates,
                        .n_parameters = flight->n_parameters,
                        .position_free = arc_flight_is_position_free(flight),
                        .context = copy,
                        .acceleration = flyer_acceleration};
    ArcSimSettings settings = arc_sim_settings_default();
    settings.tolerance = tolerance;
    return arc_sim_create(&motion, &settings, arena, simulator, err);
}

void arc_flyer_release(const ArcThrow *thrown, double *t0_s, double *x0, double *v0)
{
    const ArcFlight *flight = thrown->flight;
    const double *values = thrown->values;
    int d = flight->settings.dimensions, t0 = flight->n_parameters;
    *t0_s = values[t0];
    for (int c = d; c < flight->n_coordinates; c++)
        x0[c] = v0[c] = 0.0;
    memcpy(x0, values + t0 + 1, sizeof(double) * (size_t)d);
    arc_release_velocity(thrown->release, d, flight->settings.up, values + t0 + 1 + d, v0, NULL);
}

bool arc_flyer_run(ArcSimulator *simulator, const ArcThrow *thrown, int n, const double *t_s,
                   const ArcSimOutput *output)
{
    double x0[ARC_SIM_MAX_DIMENSIONS], v0[ARC_SIM_MAX_DIMENSIONS];
    ArcSimStart start = {.x0 = x0, .v0 = v0, .p = thrown->values};
    arc_flyer_release(thrown, &start.t0, x0, v0);
    start.origin = start.t0;
    return arc_sim_run(simulator, &start, n, t_s, output, NULL) == ARC_SIM_DONE;
}

void arc_flyer_chain(const ArcThrow *thrown, const double *q_row, double rate, double *row)
{
    const ArcFlight *flight = thrown->flight;
    int d = flight->settings.dimensions, D = flight->n_coordinates, P = flight->n_parameters;
    double v0[3], v_q[9];
    arc_release_velocity(thrown->release, d, flight->settings.up, thrown->values + P + 1 + d, v0,
                         v_q);
    memcpy(row, q_row, sizeof(double) * (size_t)P);
    row[P] = -rate;
    for (int c = 0; c < d; c++) {
        row[P + 1 + c] = q_row[P + c];
        row[P + 1 + d + c] = 0.0;
        for (int i = 0; i < d; i++)
            row[P + 1 + d + c] += q_row[P + D + i] * v_q[i * d + c];
    }
}
