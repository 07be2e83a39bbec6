/* The swing that torques drive, against closed forms and another integrator, its sensitivities
 * against differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "planned_swing_case.h"
#include "sweep.h"

/* One link with all of its mass a point at its end. */
#define PENDULUM                                                                                   \
    HEAD "flight: {dimensions: 2, gravity: %s, ball: basketball}\n"                                \
         "arm:\n  payload: 0.62 kg\n  joints:\n"                                                   \
         "    - {length: 0.8 m, torque: {curve: constant, values: [%s]}}\n"                        \
         "aim: {target: {point: [3 m, 1 m]}, swing: {from: [-70 deg], time: 0.4 s}}\n"

static void test_release_one_link_without_weight_turns_as_its_torque_says(void **state)
{
    (void)state;
    char text[1024];
    snprintf(text, sizeof text, PENDULUM, "0 m/s^2", "5 N m");
    Case c = case_of(text);
    assert_true(arc_torques_is_driven(c.experiment));
    assert_true(arc_torques_release(c.torques, c.values + c.first, NULL));
    double alpha = 5.0 / (0.62 * 0.8 * 0.8);
    assert_near(*value_of(&c, "theta1"), -70.0 * M_PI / 180.0 + 0.5 * alpha * 0.16, 1e-10);
    assert_near(*value_of(&c, "omega1"), alpha * 0.4, 1e-10);
    case_free(&c);
}

static void test_release_one_link_has_the_energy_that_its_torque_gave(void **state)
{
    (void)state;
    char text[1024];
    snprintf(text, sizeof text, PENDULUM, "9.80665 m/s^2", "9 N m");
    Case c = case_of(text);
    double from = -70.0 * M_PI / 180.0, peak, energy;
    assert_true(arc_torques_release(c.torques, c.values + c.first, NULL));
    double theta = *value_of(&c, "theta1"), omega = *value_of(&c, "omega1");
    double work = 9.0 * (theta - from) - 0.62 * 9.80665 * 0.8 * (sin(theta) - sin(from));
    assert_true(theta > 0.0);
    assert_near(0.5 * 0.62 * 0.64 * omega * omega, work, 1e-8);
    assert_true(arc_shot_arm_energy(c.shot, c.values, &energy, NULL));
    assert_near(energy, work, 1e-8);
    assert_true(arc_shot_peak_torque(c.shot, c.values, &peak, NULL));
    assert_near(peak, 9.0, 0.0);
    case_free(&c);
}

/* The arm's state after T by Runge and Kutta's classical method, from its accelerations alone. */
static void step_through(const Case *c, const ArcArm *arm, double T, int n, double *y)
{
    const double *p = c->values + c->first;
    int J = c->J;
    for (int step = 0; step < n; step++) {
        double h = T / n, k[4][2 * J_MAX], at[2 * J_MAX];
        for (int stage = 0; stage < 4; stage++) {
            double share = stage == 0 ? 0.0 : stage == 3 ? 1.0 : 0.5;
            double t = arm->settings.begin_s + h * (step + share);
            for (int i = 0; i < 2 * J; i++)
                at[i] = y[i] + (stage == 0 ? 0.0 : share * h * k[stage - 1][i]);
            ArcArmRates rates = {.a = k[stage] + J};
            memcpy(k[stage], at + J, sizeof(double) * (size_t)J);
            arc_arm_acceleration(arm, 1, &t, at, at + J, p, &rates);
        }
        for (int i = 0; i < 2 * J; i++)
            y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

static void test_release_driven_is_where_another_integrator_gets(void **state)
{
    (void)state;
    static const char *const curves[][2] = {{SPLINE, POLYNOMIAL}, {TRAPEZOID, SPLINE}};
    for (int i = 0; i < 2; i++) {
        Case c = case_with(curves[i][0], curves[i][1], DRIVEN);
        ArcArm arm = c.experiment->arm;
        double y[2 * J_MAX] = {-60.0 * M_PI / 180.0, 40.0 * M_PI / 180.0};
        assert_true(isnan(arm.settings.begin_s));
        arm.settings.begin_s = 0.0;
        arm.settings.end_s = 0.3;
        step_through(&c, &arm, 0.3, 3000, y);
        assert_true(arc_shot_tie(c.shot, c.values));
        assert_near(*value_of(&c, "theta1"), y[0], 1e-8);
        assert_near(*value_of(&c, "theta2"), y[1], 1e-8);
        assert_near(*value_of(&c, "omega1"), y[2], 1e-7);
        assert_near(*value_of(&c, "omega2"), y[3], 1e-7);
        assert_true(fabs(y[2]) > 3.0);
        case_free(&c);
    }
}

/* A span that begins before the swing's clock is the curves' own. */
static void test_release_driven_begins_with_the_span(void **state)
{
    (void)state;
    char text[4096], arm[2048];
    snprintf(arm, sizeof arm, TWO_LINKS, SPLINE, POLYNOMIAL);
    snprintf(text, sizeof text, HEAD FLAT "%s  span: [-0.1 s, 0.4 s]\n" DRIVEN, arm);
    Case c = case_of(text);
    double y[2 * J_MAX] = {-60.0 * M_PI / 180.0, 40.0 * M_PI / 180.0};
    step_through(&c, &c.experiment->arm, 0.3, 3000, y);
    assert_true(arc_shot_tie(c.shot, c.values));
    assert_near(*value_of(&c, "theta1"), y[0], 1e-8);
    assert_near(*value_of(&c, "omega2"), y[3], 1e-7);
    case_free(&c);
}

static void release_of(void *context, double *out)
{
    Case *c = context;
    double p[ARC_ARM_MAX_PARAMETERS];
    memcpy(p, c->values + c->first, sizeof(double) * (size_t)c->A);
    assert_true(arc_torques_release(c->torques, p, NULL));
    memcpy(out, p + c->experiment->arm.theta, sizeof(double) * (size_t)(2 * c->J));
}

static void test_release_driven_all_partials_are_the_derivatives(void **state)
{
    (void)state;
    static const char *const curves[][2] = {{SPLINE, POLYNOMIAL}, {TRAPEZOID, SPLINE}};
    for (int i = 0; i < 2; i++) {
        Case c = case_with(curves[i][0], curves[i][1], DRIVEN);
        double by[2 * J_MAX * ARC_ARM_MAX_PARAMETERS], p[ARC_ARM_MAX_PARAMETERS];
        memcpy(p, c.values + c.first, sizeof(double) * (size_t)c.A);
        assert_true(arc_torques_release(c.torques, p, by));
        for (int k = 0; k < c.A; k++)
            arm_check_column(release_of, &c, &c.values[c.first + k], by + k, 2 * c.J, c.A, 1e-6);
        double moved = 0.0;
        for (int k = 0; k < c.experiment->arm.theta; k++)
            moved += by[k] != 0.0;
        assert_true(moved >= 14);
        case_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_release_one_link_without_weight_turns_as_its_torque_says),
        cmocka_unit_test(test_release_one_link_has_the_energy_that_its_torque_gave),
        cmocka_unit_test(test_release_driven_is_where_another_integrator_gets),
        cmocka_unit_test(test_release_driven_begins_with_the_span),
        cmocka_unit_test(test_release_driven_all_partials_are_the_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
