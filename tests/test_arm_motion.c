/* Arms in motion, integrated by the simulator: the balance of energy, a pendulum by Jacobi's
 * elliptic functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arm_case.h"
#include "arm_motion.h"
#include "sweep.h"

#include <stdio.h>

/* A swing with two coordinates more, whose rates are the work of motors and of friction. */
static void with_work(void *context, double t, const double *x, const double *v, const double *p,
                      double *a, double *a_x, double *a_v, double *a_p)
{
    (void)a_x, (void)a_v, (void)a_p;
    const ArcArm *arm = context;
    int J = arm->settings.n_joints;
    double motor[CASE_J], friction[CASE_J];
    ArcArmRates rates = {.a = a};
    arc_arm_acceleration(arm, 1, &t, x, v, p, &rates);
    arc_arm_torques(arm, t, v, p, motor, friction);
    a[J] = a[J + 1] = 0;
    for (int j = 0; j < J; j++) {
        a[J] += v[j] * motor[j];
        a[J + 1] -= v[j] * friction[j];
    }
}

static double energy(const ArcArm *arm, const double *p, const double *x, const double *v)
{
    double kinetic, height;
    arc_arm_energy(arm, x, v, p, &kinetic, &height);
    return kinetic + height;
}

/* Off by how much of what was worked, over a whole swing. */
static double imbalance(int which, int first)
{
    ArcArm arm = arm_case(which, first);
    int J = arm.settings.n_joints, D = J + 2;
    ArcArena *arena = arc_arena_create();
    ArcSimulator *simulator = NULL;
    ArcError err;
    double p[CASE_A], x0[CASE_J + 2] = {-0.5, 0.9, 0.4}, v0[CASE_J + 2] = {0.6, -0.8, 1.1};
    double t[5], x[5 * (CASE_J + 2)], v[5 * (CASE_J + 2)], worked = 0, worst = 0;
    arm_values(&arm, p);
    for (int i = J; i < D; i++)
        x0[i] = v0[i] = 0;
    ArcMotion motion = {.dimensions = D,
                        .n_parameters = arm.n_parameters,
                        .context = &arm,
                        .acceleration = with_work};
    ArcSimSettings settings = arc_sim_settings_default();
    settings.tolerance = 1e-12;
    assert_non_null(arena);
    assert_int_equal(arc_sim_create(&motion, &settings, arena, &simulator, &err), ARC_OK);
    for (int i = 0; i < 5; i++)
        t[i] = -0.4 + 0.1 * (i + 1);
    ArcSimStart start = {.t0 = -0.4, .x0 = x0, .v0 = v0, .p = p};
    ArcSimOutput output = {.x = x, .v = v};
    assert_int_equal(arc_sim_run(simulator, &start, 5, t, &output, NULL), ARC_SIM_DONE);
    double before = energy(&arm, p, x0, v0);
    for (int i = 0; i < 5; i++) {
        double work = v[i * D + J] + v[i * D + J + 1];
        worked = fmax(worked, fabs(work));
        worst = fmax(worst, fabs(energy(&arm, p, x + i * D, v + i * D) - before - work));
        assert_true(v[i * D + J + 1] < 0); /* friction only takes */
    }
    arc_arena_free(arena);
    assert_true(worked > 0.1);
    return worst / worked;
}

static void test_arm_motion_energy_changes_by_the_work_of_motors_and_friction(void **state)
{
    (void)state;
    double worst = 0;
    for (int which = 0; which < N_ARM_CASES; which++)
        for (int first = 0; first < 4 && strlen(arm_cases[which].axes) < 4; first++) {
            double off = imbalance(which, first);
            if (!(off <= 1e-8))
                fail_msg("%s: off by %g of the work", arm_cases[which].axes, off);
            worst = fmax(worst, off);
        }
    print_message("energy balance off by at most %.1e of the work\n", worst);
    assert_true(worst > 0);
}

/* sn(u | k) and the quarter period by the arithmetic-geometric mean (Abramowitz and Stegun, 16.4
 * and 17.6). */
static double jacobi_sn(double u, double k, double *quarter)
{
    double a[16] = {1}, b = sqrt(1 - k * k), c[16] = {k};
    int n = 0;
    while (c[n] > 1e-17 && n < 15) {
        a[n + 1] = (a[n] + b) / 2;
        c[n + 1] = (a[n] - b) / 2;
        b = sqrt(a[n] * b);
        n++;
    }
    double phi = ldexp(a[n] * u, n);
    *quarter = M_PI / (2 * a[n]);
    for (; n > 0; n--)
        phi = (phi + asin(c[n] / a[n] * sin(phi))) / 2;
    return sin(phi);
}

/* One link without motor and friction that is let go at rest at an angle A from where it hangs:
 * sin(phi / 2) = k sn(K - w t), k = sin(A / 2), w^2 = g sum(m c) / sum(m c^2 + I). */
static void test_arm_motion_of_one_link_is_a_pendulum(void **state)
{
    (void)state;
    static const double amplitudes[] = {0.05, 1.0, 2.5, 3.1};
    static Swing swing;
    ArcArmSettings settings = arm_case_settings(&arm_cases[0], ARC_TORQUE_CONSTANT);
    ArcArmJoint *joint = &settings.joints[0];
    joint->viscous_n_m_s = joint->coulomb_n_m = joint->torque[0] = 0;
    settings.ball_m[1] = 0;
    ArcArm arm = arm_made(&settings);
    double p[CASE_A], at_rest = 0;
    arm_values(&arm, p);
    double reach = joint->length_m + settings.ball_m[0];
    double pull = joint->mass_kg * joint->centre_m + settings.payload_kg * reach;
    double inertia = joint->mass_kg * joint->centre_m * joint->centre_m + joint->inertia_kg_m2 +
                     settings.payload_kg * reach * reach;
    double w = sqrt(settings.gravity_m_s2 * pull / inertia);
    for (size_t i = 0; i < sizeof amplitudes / sizeof amplitudes[0]; i++) {
        double k = sin(amplitudes[i] / 2), quarter, t[SWING_TIMES], start_at;
        jacobi_sn(0, k, &quarter);
        for (int n = 0; n < SWING_TIMES; n++) /* up to one and a half periods; the 12th is one */
            t[n] = 4 * quarter / w * (n + 1) / 12 * (n == 11 ? 1 : 1.0001);
        start_at = -M_PI / 2 + amplitudes[i];
        ArcSimStart start = {.x0 = &start_at, .v0 = &at_rest};
        swing_run(&arm, p, &start, 1e-13, SWING_TIMES, t, false, &swing);
        double worst = 0;
        for (int n = 0; n < SWING_TIMES; n++) {
            double expected = k * jacobi_sn(quarter - w * t[n], k, &quarter);
            worst = fmax(worst, fabs(sin((swing.theta[n] + M_PI / 2) / 2) - expected));
        }
        print_message("pendulum of %g rad: off by %.1e, after its period by %.1e rad\n",
                      amplitudes[i], worst, fabs(swing.theta[11] - start_at));
        assert_near(worst, 0, 1e-9);
        assert_near(swing.theta[11], start_at, 1e-9); /* AGM: back after a period */
        assert_near(swing.omega[11], 0, 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm_motion_energy_changes_by_the_work_of_motors_and_friction),
        cmocka_unit_test(test_arm_motion_of_one_link_is_a_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
