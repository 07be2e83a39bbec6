/* See system_run.h. With x = scale X:  a = f / scale_e,  a_x = f_x scale_c / scale_e, and of first
 * order the same of a_v by f_x. */
#include "fit/system_run.h"

#include "fit/closed.h"

#include <stdbool.h>
#include <string.h>

ArcSystem arc_system(const ArcEquations *equations, const double *scale)
{
    ArcSystem system = {.equations = equations};
    for (int c = 0; c < equations->n_states; c++)
        system.scale[c] = scale == NULL ? 1.0 : scale[c];
    return system;
}

static void motion_accelerate(void *context, double t_s, const double *x, const double *v,
                              const double *p, double *a, double *a_x, double *a_v, double *a_p)
{
    const ArcSystem *system = context;
    const ArcEquations *equations = system->equations;
    int D = equations->n_states, P = equations->n_parameters;
    bool is_first = equations->order == 1;
    double scaled_x[ARC_EQUATIONS_MAX_STATES], scaled_v[ARC_EQUATIONS_MAX_STATES];
    for (int c = 0; c < D; c++) {
        scaled_x[c] = system->scale[c] * (is_first ? v[c] : x[c]);
        scaled_v[c] = is_first ? 0.0 : system->scale[c] * v[c];
    }
    if (is_first)
        arc_equations_rates(equations, 1, &t_s, scaled_x, NULL, p, a, a_v, NULL, a_p);
    else
        arc_equations_rates(equations, 1, &t_s, scaled_x, scaled_v, p, a, a_x, a_v, a_p);
    for (int e = 0; e < D; e++) {
        double inverse = 1.0 / system->scale[e];
        a[e] *= inverse;
        for (int c = 0; c < D && a_v != NULL; c++) {
            double factor = system->scale[c] * inverse;
            a_v[e * D + c] *= factor;
            a_x[e * D + c] = is_first ? 0.0 : a_x[e * D + c] * factor;
        }
        for (int k = 0; k < P && a_p != NULL; k++)
            a_p[e * P + k] *= inverse;
    }
    if (system->closure == NULL)
        return;
    const ArcClosed closed = {.closure = system->closure,
                              .D = D,
                              .P = P,
                              .K = system->K,
                              .size = system->scale,
                              .is_integral = is_first};
    const ArcPhaseStates states = {1, &t_s, x, v, a, a_x, a_v, a_p};
    arc_closed_add(&closed, p, p + P, true, &states);
}

/* Of the scaled coordinates, with n_parameters = P + K. */
static ArcMotion system_motion(ArcSystem *system)
{
    return (ArcMotion){.dimensions = system->equations->n_states,
                       .n_parameters = system->equations->n_parameters + system->K,
                       .position_free = system->equations->order == 1,
                       .context = system,
                       .acceleration = motion_accelerate};
}

struct ArcSystemRun {
    ArcSystem system;
    ArcSimulator *simulator;
    ArcSimEnd end;
    double *x, *v;     /* (n_times,D) */
    double *x_q, *v_q; /* (n_times,D,Q), Q = P + 2 D */
};

ArcStatus arc_system_run_create(const ArcSystem *system, double tolerance, int n_times,
                                ArcArena *arena, ArcSystemRun **run, ArcError *err)
{
    ArcSystemRun *made = ARC_ALLOC(arena, 1, ArcSystemRun);
    const ArcSimSettings settings = {.tolerance = tolerance, .max_steps = ARC_SYSTEM_STEPS};
    const ArcEquations *equations = system->equations;
    size_t D = (size_t)equations->n_states;
    size_t Q = (size_t)(equations->n_parameters + system->K) + 2 * D;
    size_t n = (size_t)n_times;
    if (made == NULL)
        return arc_error_no_memory(err);
    made->system = *system;
    made->x = ARC_ALLOC(arena, n * D, double);
    made->v = ARC_ALLOC(arena, n * D, double);
    made->x_q = ARC_ALLOC(arena, n * D * Q, double);
    made->v_q = ARC_ALLOC(arena, n * D * Q, double);
    if (made->x == NULL || made->v == NULL || made->x_q == NULL || made->v_q == NULL)
        return arc_error_no_memory(err);
    ArcMotion motion = system_motion(&made->system);
    ArcStatus status = arc_sim_create(&motion, &settings, arena, &made->simulator, err);
    if (status == ARC_OK)
        *run = made;
    return status;
}

/* Channels first to first + D of one time, from the simulator's x and x_q, or v and v_q. */
static void channels_take(const ArcSystemRun *run, int first, const double *x, const double *x_q,
                          double *y, double *y_q)
{
    const ArcEquations *equations = run->system.equations;
    const double *scale = run->system.scale;
    int D = equations->n_states, P = equations->n_parameters + run->system.K;
    int C = equations->n_channels;
    int Q = P + 2 * D, skipped = Q - P - C; /* X0 of first order */
    for (int c = 0; c < D; c++) {
        y[first + c] = scale[c] * x[c];
        if (y_q == NULL)
            continue;
        const double *from = x_q + c * Q;
        double *to = y_q + (first + c) * (P + C);
        for (int k = 0; k < P; k++)
            to[k] = scale[c] * from[k];
        for (int k = 0; k < C; k++)
            to[P + k] = scale[c] / scale[k % D] * from[P + skipped + k];
    }
}

bool arc_system_run(ArcSystemRun *run, const double *p, const double *start, int n,
                    const double *t_s, double *y, double *y_q)
{
    const ArcEquations *equations = run->system.equations;
    int D = equations->n_states, P = equations->n_parameters + run->system.K;
    int C = equations->n_channels;
    bool is_first = equations->order == 1;
    double x0[ARC_EQUATIONS_MAX_STATES], v0[ARC_EQUATIONS_MAX_STATES];
    for (int c = 0; c < D; c++) {
        x0[c] = is_first ? 0.0 : start[c] / run->system.scale[c];
        v0[c] = (is_first ? start[c] : start[D + c]) / run->system.scale[c];
    }
    ArcSimStart from = {.x0 = x0, .v0 = v0, .p = p};
    ArcSimOutput output = {.x = run->x, .v = run->v};
    if (y_q != NULL) {
        output.x_q = run->x_q;
        output.v_q = run->v_q;
    }
    run->end = arc_sim_run(run->simulator, &from, n, t_s, &output, NULL);
    if (run->end != ARC_SIM_DONE)
        return false;
    size_t step = (size_t)(D * (P + 2 * D));
    for (int i = 0; i < n; i++) {
        double *to = y + i * C, *to_q = y_q == NULL ? NULL : y_q + (size_t)(i * C * (P + C));
        if (!is_first)
            channels_take(run, 0, run->x + i * D, run->x_q + (size_t)i * step, to, to_q);
        channels_take(run, is_first ? 0 : D, run->v + i * D, run->v_q + (size_t)i * step, to, to_q);
    }
    return true;
}

const char *arc_system_run_why(const ArcSystemRun *run)
{
    switch (run->end) {
    case ARC_SIM_DONE:
        return "nothing is wrong with it";
    case ARC_SIM_NON_FINITE:
        return "its states become infinite or no numbers";
    case ARC_SIM_TOO_MANY_STEPS:
        return "it takes too many steps; it may be stiff, or run away";
    case ARC_SIM_NO_EVENT:
        break;
    }
    return "it does not come so far";
}
