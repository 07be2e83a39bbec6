/* Flying backwards by a motion whose time runs the other way. */
#include "fit/back.h"

#include <string.h>

struct ArcBack {
    ArcFlight flight;
    ArcSimulator *simulator;
    int D, Q;
    double *since_s;   /* (n) before the release, ascending */
    double *x, *v;     /* (n, D) */
    double *x_q, *v_q; /* (n, D, Q); NULL: without */
};

static void back_acceleration(void *context, double t, const double *x, const double *v,
                              const double *p, double *a, double *a_x, double *a_v, double *a_p)
{
    const ArcFlight *flight = context;
    int D = flight->n_coordinates;
    double clock = -t, forwards[ARC_SIM_MAX_DIMENSIONS] = {0};
    for (int c = 0; c < D; c++)
        forwards[c] = -v[c];
    arc_flight_acceleration(flight, 1, &clock, x, forwards, p, a, a_x, a_v, a_p);
    for (int i = 0; a_v != NULL && i < D * D; i++)
        a_v[i] = -a_v[i];
}

ArcStatus arc_back_create(const ArcFlight *flight, double tolerance, int n, bool with_q,
                          ArcArena *arena, ArcBack **result, ArcError *err)
{
    ArcBack *back = ARC_ALLOC(arena, 1, ArcBack);
    if (back == NULL)
        return arc_error_no_memory(err);
    back->flight = *flight;
    back->D = flight->n_coordinates;
    back->Q = flight->n_parameters + 2 * back->D;
    size_t states = (size_t)n * (size_t)back->D, rows = with_q ? states * (size_t)back->Q : 0;
    back->since_s = ARC_ALLOC(arena, (size_t)n, double);
    back->x = ARC_ALLOC(arena, 2 * states, double);
    back->x_q = ARC_ALLOC(arena, 2 * rows, double);
    if (back->since_s == NULL || back->x == NULL || back->x_q == NULL)
        return arc_error_no_memory(err);
    back->v = back->x + states;
    back->v_q = back->x_q + rows;
    ArcMotion motion = {.dimensions = back->D,
                        .n_parameters = flight->n_parameters,
                        .position_free = arc_flight_is_position_free(flight),
                        .context = &back->flight,
                        .acceleration = back_acceleration};
    if (flight->settings.gust.is_on) {
        motion.pulse_s = -flight->settings.gust.time_s;
        motion.pulse_width_s = flight->settings.gust.width_s;
    }
    ArcSimSettings settings = arc_sim_settings_default();
    settings.tolerance = tolerance;
    *result = back;
    return arc_sim_create(&motion, &settings, arena, &back->simulator, err);
}

/* The i-th state of the way back becomes the j-th of the output. */
static void back_copy(const ArcBack *back, int i, int j, const ArcSimOutput *output)
{
    int D = back->D, Q = back->Q, P = Q - 2 * D;
    memcpy(output->x + j * D, back->x + i * D, sizeof(double) * (size_t)D);
    for (int c = 0; output->v != NULL && c < D; c++)
        output->v[j * D + c] = -back->v[i * D + c];
    for (int c = 0; output->x_q != NULL && c < D; c++) {
        const double *from = back->x_q + (i * D + c) * Q;
        double *to = output->x_q + (j * D + c) * Q;
        memcpy(to, from, sizeof(double) * (size_t)(P + D));
        for (int k = P + D; k < Q; k++)
            to[k] = -from[k];
    }
}

bool arc_back_run(ArcBack *back, const ArcThrow *thrown, int n, const double *t_s,
                  const ArcSimOutput *output)
{
    double t0, x0[ARC_SIM_MAX_DIMENSIONS], v0[ARC_SIM_MAX_DIMENSIONS];
    bool with_q = output->x_q != NULL;
    arc_flyer_release(thrown, &t0, x0, v0);
    for (int c = 0; c < back->D; c++)
        v0[c] = -v0[c];
    for (int i = 0; i < n; i++)
        back->since_s[i] = t0 - t_s[n - 1 - i];
    const ArcSimStart start = {.t0 = 0.0, .origin = 0.0, .x0 = x0, .v0 = v0, .p = thrown->values};
    const ArcSimOutput states = {.x = back->x,
                                 .v = back->v,
                                 .x_q = with_q ? back->x_q : NULL,
                                 .v_q = with_q ? back->v_q : NULL};
    if (arc_sim_run(back->simulator, &start, n, back->since_s, &states, NULL) != ARC_SIM_DONE)
        return false;
    for (int i = 0; i < n; i++)
        back_copy(back, i, n - 1 - i, output);
    return true;
}
