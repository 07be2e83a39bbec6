/* Times sensitivities by transition matrices against those integrated forwards, for scripts/bench:
 * warm, the medians of both taken in turns, inside one process.
 *
 *   bench_adjoint              prints `NAME VALUE UNIT`, a line a measure
 *
 * A run is a second of a neural ODE (tests/neural_motion.h) in the plane at 30 times, positions and
 * their sensitivities; sim_adjoint_us_P has P columns of parameters, ratio_forward_adjoint_P is the
 * time of the forward run over it.
 */
#include "sim/simulator.h"

#include "../neural_motion.h"
#include "measure.h"

#include <stdio.h>

enum { TIMES = 30, ROUNDS = 101, MAX_Q = 270 };

static double p[MAX_Q], x[TIMES * 2], x_q[TIMES * 2 * MAX_Q];

static double time_run(ArcSimulator *simulator)
{
    static const double x0[2] = {0, 2}, v0[2] = {5, 6};
    double t[TIMES], begin = measure_now_us();
    ArcSimStart start = {.x0 = x0, .v0 = v0, .p = p};
    ArcSimOutput output = {.x = x, .x_q = x_q};
    for (int i = 0; i < TIMES; i++)
        t[i] = (i + 1.0) / TIMES;
    ArcSimEnd end = arc_sim_run(simulator, &start, TIMES, t, &output, NULL);
    return end == ARC_SIM_DONE ? measure_now_us() - begin : (double)NAN;
}

/* P = 1 + 8 units. */
static ArcStatus measure_units(int units, ArcError *err)
{
    double times_us[2][ROUNDS];
    NeuralMotion net = {2, units};
    ArcMotion motion = neural_motion(&net, p);
    ArcArena *arena = arc_arena_create();
    ArcSimulator *simulators[2];
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = ARC_OK;
    for (int k = 0; k < 2 && status == ARC_OK; k++) {
        ArcSimSettings settings = arc_sim_settings_default();
        settings.sensitivities = k == 0 ? ARC_SIM_FORWARD : ARC_SIM_ADJOINT;
        status = arc_sim_create(&motion, &settings, arena, &simulators[k], err);
    }
    for (int i = -10; i < ROUNDS && status == ARC_OK; i++)
        for (int k = 0; k < 2; k++)
            times_us[k][i < 0 ? 0 : i] = time_run(simulators[k]);
    arc_arena_free(arena);
    if (status != ARC_OK)
        return status;
    double forward = measure_median(ROUNDS, times_us[0]);
    double adjoint = measure_median(ROUNDS, times_us[1]);
    printf("sim_adjoint_us_%d %.1f us\n", motion.n_parameters, adjoint);
    printf("ratio_forward_adjoint_%d %.2f 1\n", motion.n_parameters, forward / adjoint);
    return ARC_OK;
}

int main(void)
{
    static const int units[] = {1, 4, 16, 32};
    ArcError err;
    ArcStatus status = ARC_OK;
    for (size_t i = 0; i < sizeof units / sizeof units[0] && status == ARC_OK; i++)
        status = measure_units(units[i], &err);
    if (status != ARC_OK)
        fprintf(stderr, "%s\n", err.text);
    return arc_status_exit_code(status);
}
