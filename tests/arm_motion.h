/* An arm's swing by the simulator, for tests. Include after arm_case.h. */
#ifndef ARM_MOTION_H
#define ARM_MOTION_H

#include "sim/simulator.h"

enum { SWING_TIMES = 16, SWING_Q = CASE_A + 2 * CASE_J };

/* angles, rates (n,J); their partials (n,J,A + 2 J): by p, by the angles and rates at the start. */
typedef struct Swing {
    double theta[SWING_TIMES * CASE_J], omega[SWING_TIMES * CASE_J];
    double theta_q[SWING_TIMES * CASE_J * SWING_Q], omega_q[SWING_TIMES * CASE_J * SWING_Q];
} Swing;

static inline void swing_acceleration(void *context, double t, const double *x, const double *v,
                                      const double *p, double *a, double *a_x, double *a_v,
                                      double *a_p)
{
    const ArcArm *arm = context;
    static bool wanted[CASE_A];
    double by_t[CASE_J];
    memset(wanted, true, sizeof wanted);
    ArcArmRates rates = {a, a_x, a_v, a_x == NULL ? NULL : by_t, a_p, wanted};
    arc_arm_acceleration(arm, 1, &t, x, v, p, &rates);
}

/* From start_s; is_whole: with partials. */
static inline void swing_run(ArcArm *arm, const double *p, const ArcSimStart *start,
                             double tolerance, int n, const double *t, bool is_whole, Swing *swing)
{
    ArcError err;
    ArcArena *arena = arc_arena_create();
    ArcSimulator *simulator = NULL;
    ArcMotion motion = {.dimensions = arm->settings.n_joints,
                        .n_parameters = arm->n_parameters,
                        .context = arm,
                        .acceleration = swing_acceleration};
    ArcSimSettings settings = arc_sim_settings_default();
    ArcSimStart begin = *start;
    begin.p = p;
    settings.tolerance = tolerance;
    assert_non_null(arena);
    if (arc_sim_create(&motion, &settings, arena, &simulator, &err) != ARC_OK)
        fail_msg("%s", err.text);
    ArcSimOutput output = {.x = swing->theta, .v = swing->omega};
    if (is_whole) {
        output.x_q = swing->theta_q;
        output.v_q = swing->omega_q;
    }
    assert_true(n <= SWING_TIMES);
    assert_int_equal(arc_sim_run(simulator, &begin, n, t, &output, NULL), ARC_SIM_DONE);
    arc_arena_free(arena);
}

#endif
