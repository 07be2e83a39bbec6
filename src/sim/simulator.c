/* Runs of the simulator: what they are made of, and what they give at the times asked for. */
#include "sim/adjoint.h"
#include "sim/dop853.h"
#include "sim/integration.h"

#include <math.h>
#include <string.h>

/* Sensitivities steer an optimiser and give standard deviations: a thousand times looser is still
 * far finer than either needs, and saves steps. */
static const double sensitivity_looseness = 1000, sensitivity_loosest = 1e-4;

ArcSimSettings arc_sim_settings_default(void)
{
    return (ArcSimSettings){.tolerance = 1e-10, .max_steps = 10000};
}

static ArcStatus sim_check(const ArcMotion *motion, const ArcSimSettings *settings, ArcError *err)
{
    if (motion->dimensions < 1 || motion->dimensions > ARC_SIM_MAX_DIMENSIONS)
        return arc_error_set(err, ARC_INPUT, "error: a motion has 1 to %d dimensions, not %d",
                             ARC_SIM_MAX_DIMENSIONS, motion->dimensions);
    if (motion->n_parameters < 0)
        return arc_error_set(err, ARC_INPUT, "error: a motion cannot have %d parameters",
                             motion->n_parameters);
    if (!(settings->tolerance >= 1e-14 && settings->tolerance <= 1))
        return arc_error_set(err, ARC_INPUT, "error: simulation tolerance %g is outside 1e-14 to 1",
                             settings->tolerance);
    if (settings->max_steps < 1)
        return arc_error_set(err, ARC_INPUT, "error: simulation needs at least one step, not %d",
                             settings->max_steps);
    return ARC_OK;
}

ArcStatus arc_sim_create(const ArcMotion *motion, const ArcSimSettings *settings, ArcArena *arena,
                         ArcSimulator **simulator, ArcError *err)
{
    *simulator = NULL;
    ArcStatus status = sim_check(motion, settings, err);
    if (status != ARC_OK)
        return status;
    ArcSimulator *sim = ARC_ALLOC(arena, 1, ArcSimulator);
    if (sim == NULL)
        return arc_error_no_memory(err);
    int d = motion->dimensions, P = motion->n_parameters;
    sim->motion = *motion;
    sim->settings = *settings;
    sim->sensitivity_tolerance =
        fmax(settings->tolerance,
             fmin(sensitivity_looseness * settings->tolerance, sensitivity_loosest));
    sim->lanes = arc_sim_round_up(d, ARC_SIM_BLOCK);
    arc_sim_set_columns(sim, ARC_SIM_ALL_COLUMNS);
    size_t size = (size_t)sim->size, stride = (size_t)sim->stride;
    size_t n_partials = (size_t)(d * (2 * d + P)), n_vectors = 2 * ARC_DOP853_STAGES + 6;
    double *block = ARC_ALLOC(arena, n_vectors * size + n_partials + 2 * stride, double);
    if (block == NULL)
        return arc_error_no_memory(err);
    sim->v = block;
    sim->a = sim->v + ARC_DOP853_STAGES * size;
    sim->x = sim->a + ARC_DOP853_STAGES * size;
    sim->x_new = sim->x + size;
    sim->x_stage = sim->x_new + size;
    sim->x_dense = sim->x_stage + size;
    sim->v_dense = sim->x_dense + size;
    sim->inverse_scale = sim->v_dense + size;
    sim->peak = sim->inverse_scale + size;
    sim->peak_new = sim->peak + stride;
    sim->a_x = sim->peak_new + stride;
    sim->a_v = sim->a_x + d * d;
    sim->a_p = sim->a_v + d * d;
    sim->a_p_unasked = motion->spares_a_p ? NULL : sim->a_p;
    if (arc_sim_wants_adjoint(motion, settings)) {
        status = arc_sim_adjoint_create(sim, arena, err);
        if (status != ARC_OK)
            return status;
    }
    *simulator = sim;
    return ARC_OK;
}

/* Columns of the sensitivities of one output time, the left-out ones put back. */
static void sim_write_columns(const ArcSimulator *sim, const double *vector, double diagonal,
                              double *out)
{
    int d = sim->motion.dimensions, P = sim->n_p;
    const double *columns = vector + sim->lanes;
    for (int e = 0; e < d; e++) {
        const double *row = columns + e * sim->stride;
        for (int c = 0; c < P; c++)
            *out++ = *row++;
        for (int c = 0; c < d; c++)
            *out++ = !sim->motion.position_free ? *row++ : c == e ? diagonal : 0;
        for (int c = 0; c < d; c++)
            *out++ = *row++;
    }
}

void arc_sim_write(ArcSimulator *sim, const ArcSimOutput *output, int i, double t, const double *x,
                   const double *v)
{
    const ArcMotion *motion = &sim->motion;
    int d = motion->dimensions, Q = motion->n_parameters + 2 * d;
    size_t bytes = (size_t)d * sizeof(double);
    if (output->x != NULL)
        memcpy(output->x + i * d, x, bytes);
    if (output->v != NULL)
        memcpy(output->v + i * d, v, bytes);
    if (output->a != NULL)
        motion->acceleration(motion->context, t - sim->origin, x, v, sim->p, output->a + i * d,
                             NULL, NULL, NULL);
    if (output->x_q != NULL)
        sim_write_columns(sim, x, 1, output->x_q + i * d * Q);
    if (output->v_q != NULL)
        sim_write_columns(sim, v, 0, output->v_q + i * d * Q);
}

/* Outputs i.. with times inside the step or at its end; returns the next i. */
static int sim_write_step(ArcSimulator *sim, const ArcSimStep *step, int i, int n, const double *t,
                          const ArcSimOutput *output)
{
    int size = sim->size;
    if (i < n && t[i] < step->end)
        arc_sim_dense_prepare(sim, step);
    bool with_v = output->v != NULL || output->a != NULL || output->v_q != NULL;
    for (; i < n && t[i] < step->end; i++) {
        arc_sim_dense(sim, step, t[i], with_v);
        arc_sim_write(sim, output, i, t[i], sim->x_dense, sim->v_dense);
    }
    for (; i < n && t[i] == step->end; i++)
        arc_sim_write(sim, output, i, t[i], sim->x_new, sim->v + ARC_DOP853_STEP * size);
    return i;
}

ArcSimEnd arc_sim_run(ArcSimulator *sim, const ArcSimStart *start, int n, const double *t,
                      const ArcSimOutput *output, int *n_steps)
{
    int i = 0, own_steps;
    n_steps = n_steps != NULL ? n_steps : &own_steps;
    *n_steps = 0;
    bool with_q = output->x_q != NULL || output->v_q != NULL;
    if (with_q && sim->adjoint != NULL)
        return arc_sim_run_adjoint(sim, start, n, t, output, n_steps);
    if (!arc_sim_begin(sim, start, with_q ? ARC_SIM_ALL_COLUMNS : ARC_SIM_NO_COLUMNS))
        return ARC_SIM_NON_FINITE;
    for (; i < n && t[i] <= start->t0; i++)
        arc_sim_write(sim, output, i, start->t0, sim->x, sim->v);
    if (i == n)
        return ARC_SIM_DONE;
    ArcSimClock clock = arc_sim_clock(sim, start->t0, t[n - 1]);
    ArcSimStep step;
    while (i < n) {
        ArcSimEnd end = arc_sim_step(sim, &clock, &step);
        if (end != ARC_SIM_DONE)
            return end;
        i = sim_write_step(sim, &step, i, n, t, output);
        *n_steps = clock.n_steps;
        arc_sim_advance(sim);
    }
    return ARC_SIM_DONE;
}
