/* Torque curves: their shapes, two derivatives, all partials by differences; the motor's limit and
 * friction. */
#include "physics/torque.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arm_case.h"
#include "sweep.h"

static double curve_at(const ArcArmJoint *joint, double xi)
{
    ArcTorque torque;
    arc_torque_curve(joint, xi, 1, joint->torque, &torque);
    return torque.value;
}

static ArcArmJoint joint_with(ArcTorqueCurve curve, int n, const double *q)
{
    ArcArmSettings settings = arc_arm_settings_default();
    ArcArmJoint joint = settings.joints[0];
    joint.curve = curve;
    joint.n_torques = n;
    memcpy(joint.torque, q, sizeof(double) * (size_t)n);
    return joint;
}

static void test_torque_curve_polynomial_is_its_formula(void **state)
{
    (void)state;
    static const double q[] = {3, -2, 5, 0.5};
    ArcArmJoint joint = joint_with(ARC_TORQUE_POLYNOMIAL, 4, q);
    for (double xi = 0; xi <= 1; xi += 0.125)
        assert_near(curve_at(&joint, xi), 3 - 2 * xi + 5 * xi * xi + 0.5 * xi * xi * xi, 1e-14);
}

/* Cubics by Marsden's identity: sum q_k B_k with q_k = t_(k+1) t_(k+2) t_(k+3) is xi^3, and so on
 * with the elementary symmetric means. */
static void test_torque_curve_spline_reproduces_cubics(void **state)
{
    (void)state;
    for (int n = 4; n <= ARC_ARM_MAX_TORQUES; n++) {
        double q[4][ARC_ARM_MAX_TORQUES];
        for (int k = 0; k < n; k++) {
            double t[3];
            for (int i = 0; i < 3; i++)
                t[i] = fmin(fmax((double)(k + 1 + i - 3) / (n - 3), 0), 1);
            q[0][k] = 1;
            q[1][k] = (t[0] + t[1] + t[2]) / 3;
            q[2][k] = (t[0] * t[1] + t[1] * t[2] + t[2] * t[0]) / 3;
            q[3][k] = t[0] * t[1] * t[2];
        }
        for (int power = 0; power < 4; power++) {
            ArcArmJoint joint = joint_with(ARC_TORQUE_SPLINE, n, q[power]);
            for (double xi = 0; xi <= 1; xi += 1.0 / 64)
                assert_near(curve_at(&joint, xi), pow(xi, power), 1e-14);
        }
    }
}

static void test_torque_curve_spline_begins_and_ends_at_its_coefficients(void **state)
{
    (void)state;
    static const double q[] = {4, -1, 6, 2, 8, -3, 5};
    ArcArmJoint joint = joint_with(ARC_TORQUE_SPLINE, 7, q);
    assert_near(curve_at(&joint, 0), 4, 1e-14);
    assert_near(curve_at(&joint, 1), 5, 1e-14);
    for (double xi = 0; xi <= 1; xi += 0.01)
        assert_true(curve_at(&joint, xi) > -3 && curve_at(&joint, xi) < 8);
}

static void test_torque_curve_trapezoid_is_straight_but_for_its_corners(void **state)
{
    (void)state;
    static const double q[] = {12, 0.2, 0.4};
    ArcArmJoint joint = joint_with(ARC_TORQUE_TRAPEZOID, 3, q);
    static const double at_zero[] = {-1, -1e-9, 0, 1, 1.2}, at_top[] = {0.2, 0.3, 0.5, 0.6};
    for (int i = 0; i < 5; i++)
        assert_near(curve_at(&joint, at_zero[i]), 0, 0);
    for (int i = 0; i < 4; i++)
        assert_near(curve_at(&joint, at_top[i]), 12, 1e-12);
    assert_near(curve_at(&joint, 0.1), 6, 1e-12); /* half way up and down */
    assert_near(curve_at(&joint, 0.8), 6, 1e-12);
    /* the middle half of a ramp is straight, 4/3 as steep as one without corners */
    assert_near(curve_at(&joint, 0.14) - curve_at(&joint, 0.06), 12 * 0.4 * 4 / 3, 1e-12);
    /* over a whole ramp it gives half */
    double sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += curve_at(&joint, 0.2 * (i + 0.5) / 1000) / 1000;
    assert_near(sum, 6, 1e-6);
}

/* Each curve with every partial, by differences of the fourth order. */
typedef struct Curve {
    ArcArmJoint joint;
    double xi;
} Curve;

static void curve_value(void *context, double *out)
{
    Curve *curve = context;
    *out = curve_at(&curve->joint, curve->xi);
}

static void test_torque_curve_all_partials_are_the_derivatives(void **state)
{
    (void)state;
    static const double places[] = {-0.03, 0.07, 0.21, 0.24, 0.5, 0.58, 0.72, 0.97, 1.04};
    for (int kind = 0; kind < 4; kind++) {
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            Curve curve = {.xi = places[i]};
            ArcTorque torque;
            arm_torques(&curve.joint, kind);
            arc_torque_curve(&curve.joint, curve.xi, 1, curve.joint.torque, &torque);
            arm_check_column(curve_value, &curve, &curve.xi, &torque.by_t, 1, 1, 1e-9);
            for (int k = 0; k < curve.joint.n_torques; k++)
                arm_check_column(curve_value, &curve, &curve.joint.torque[k], &torque.by[k], 1, 1,
                                 1e-9);
        }
    }
}

/* The slope's own slope does not jump: over a distance h it changes by about h, not by more. */
static void test_torque_curve_has_two_derivatives_everywhere(void **state)
{
    (void)state;
    for (int kind = 1; kind < 4; kind++) {
        ArcArmJoint joint = {0};
        double most[2] = {0};
        arm_torques(&joint, kind);
        for (int fine = 0; fine < 2; fine++) {
            double h = fine ? 1e-5 : 4e-5, before = NAN;
            for (double xi = -0.3; xi < 1.3; xi += h) {
                ArcTorque a, b;
                arc_torque_curve(&joint, xi, 1, joint.torque, &a);
                arc_torque_curve(&joint, xi + h, 1, joint.torque, &b);
                double bend = (b.by_t - a.by_t) / h;
                if (!isnan(before))
                    most[fine] = fmax(most[fine], fabs(bend - before));
                before = bend;
            }
        }
        print_message("curve %d: jumps of the second derivative %g, %g\n", kind, most[0], most[1]);
        assert_true(most[0] > 0 && most[1] < 0.4 * most[0]);
    }
}

static void test_torque_curve_stays_as_it_ended_beyond_the_span(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        ArcArmJoint joint = {0};
        arm_torques(&joint, kind);
        assert_near(curve_at(&joint, 2), curve_at(&joint, 40), 1e-12);
        assert_near(curve_at(&joint, -1), curve_at(&joint, -40), 1e-12);
        /* not far from where it was at the end itself */
        double change = fabs(curve_at(&joint, 40) - curve_at(&joint, 1));
        double slope = fabs(curve_at(&joint, 1) - curve_at(&joint, 0.999)) / 0.001;
        assert_true(change <= 0.05 * slope * 2 + 1e-12);
    }
}

static double motor_at(const ArcArm *arm, double torque, double omega)
{
    double p[CASE_A], motor[CASE_J], rates[CASE_J] = {omega};
    arm_values(arm, p);
    p[arm->torque[0]] = torque;
    arc_arm_torques(arm, 0, rates, p, motor, NULL);
    return motor[0];
}

static ArcArm limited_arm(double stall, double idle)
{
    ArcArmSettings settings = arm_case_settings(&arm_cases[0], ARC_TORQUE_CONSTANT);
    settings.joints[0].stall_n_m = stall;
    settings.joints[0].idle_rad_s = idle;
    return arm_made(&settings);
}

static void test_torque_motor_without_limit_is_the_curve(void **state)
{
    (void)state;
    ArcArm arm = limited_arm(INFINITY, INFINITY), idle = limited_arm(INFINITY, 10);
    for (double c = -50; c <= 50; c += 7.3) {
        assert_true(motor_at(&arm, c, 3) == c);
        assert_true(motor_at(&idle, c, 30) == c);
    }
}

static void test_torque_motor_never_gives_more_than_is_left(void **state)
{
    (void)state;
    ArcArm arm = limited_arm(40, 20);
    for (double omega = -30; omega <= 30; omega += 0.7) {
        for (double c = -100; c <= 100; c += 3.1) {
            double motor = motor_at(&arm, c, omega), sign = c < 0 ? -1 : 1;
            double left = 40 * (1 - sign * omega / 20);
            assert_true(sign * motor <= fmin(fmax(left, 0), fabs(c)) + 1e-12 || left < 4);
            assert_true(sign * motor >= 0);
            if (left <= 0)
                assert_near(motor, 0, 0);
            if (fabs(c) < left / 2 && left > 4)
                assert_near(motor / c, 1, 5e-4);
            if (fabs(c) > 2 * left && left > 4)
                assert_near(motor / (sign * left), 1, 5e-4);
        }
    }
    ArcArm stall = limited_arm(40, INFINITY);
    assert_near(motor_at(&stall, 1000, 500), 40, 1e-9);
    assert_near(motor_at(&stall, 40, -500), 40 * pow(2, -0.125), 1e-12);
}

/* Near the idle rate less and less is left, until there is none, by the head's polynomial. */
static void test_torque_motor_fades_out_at_the_idle_rate(void **state)
{
    (void)state;
    ArcArm arm = limited_arm(40, 20);
    for (double left = -0.02; left < 0.12; left += 0.01) {
        double u = fmax(left / 0.1, 0);
        double share = u < 1 ? 0.1 * (6 * u * u * u - 8 * pow(u, 4) + 3 * pow(u, 5)) : left;
        for (int sign = -1; sign <= 1; sign += 2)
            assert_near(motor_at(&arm, sign * 1e4, sign * 20 * (1 - left)), sign * 40 * share,
                        1e-12);
    }
}

typedef struct Motor {
    ArcArm arm;
    double p[CASE_A], t, omega;
    bool is_friction;
} Motor;

static ArcTorque torque_of(const Motor *motor)
{
    ArcTorque torque;
    if (motor->is_friction)
        arc_torque_friction(&motor->arm, 0, motor->omega, motor->p, &torque);
    else
        arc_torque_motor(&motor->arm, 0, motor->t, motor->omega, motor->p, &torque);
    return torque;
}

static void motor_value(void *context, double *out)
{
    *out = torque_of(context).value;
}

/* Far below, at and above the limit, either way, with and against the motion, near the idle rate.
 */
static void test_torque_motor_all_partials_are_the_derivatives(void **state)
{
    (void)state;
    static const double rates[] = {-19.2, -18.7, -6.3, 0.4, 7.1, 18.6, 19.3};
    for (int kind = 0; kind < 4; kind++) {
        ArcArmSettings settings = arm_case_settings(&arm_cases[0], kind);
        settings.joints[0].stall_n_m = 40;
        settings.joints[0].idle_rad_s = 20;
        Motor motor = {.arm = arm_made(&settings), .t = -0.2};
        int q = motor.arm.torque[0];
        for (int i = 0; i < 7 * 8; i++) {
            arm_values(&motor.arm, motor.p);
            for (int k = 0; k < settings.joints[0].n_torques; k++) {
                bool is_share = kind == ARC_TORQUE_TRAPEZOID && k > 0;
                motor.p[q + k] *= is_share ? 1 : ldexp(i % 2 == 0 ? 1 : -1, i / 2 % 4 - 1);
            }
            motor.omega = rates[i / 8];
            motor.is_friction = false;
            ArcTorque torque = torque_of(&motor);
            arm_check_column(motor_value, &motor, &motor.t, &torque.by_t, 1, 1, 1e-9);
            arm_check_column(motor_value, &motor, &motor.omega, &torque.by_omega, 1, 1, 1e-9);
            for (int k = 0; k < settings.joints[0].n_torques; k++)
                arm_check_column(motor_value, &motor, &motor.p[q + k], &torque.by[k], 1, 1, 1e-9);
            motor.is_friction = true;
            torque = torque_of(&motor);
            arm_check_column(motor_value, &motor, &motor.omega, &torque.by_omega, 1, 1, 1e-9);
        }
    }
}

static void test_torque_friction_is_its_formula(void **state)
{
    (void)state;
    ArcArm arm = limited_arm(INFINITY, INFINITY);
    double p[CASE_A], friction;
    arm_values(&arm, p);
    for (double omega = -2; omega <= 2; omega += 0.13) {
        arc_arm_torques(&arm, 0, &omega, p, NULL, &friction);
        assert_near(friction, 0.12 * omega + 0.3 * tanh(omega / 0.3), 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torque_curve_polynomial_is_its_formula),
        cmocka_unit_test(test_torque_curve_spline_reproduces_cubics),
        cmocka_unit_test(test_torque_curve_spline_begins_and_ends_at_its_coefficients),
        cmocka_unit_test(test_torque_curve_trapezoid_is_straight_but_for_its_corners),
        cmocka_unit_test(test_torque_curve_all_partials_are_the_derivatives),
        cmocka_unit_test(test_torque_curve_has_two_derivatives_everywhere),
        cmocka_unit_test(test_torque_curve_stays_as_it_ended_beyond_the_span),
        cmocka_unit_test(test_torque_motor_without_limit_is_the_curve),
        cmocka_unit_test(test_torque_motor_never_gives_more_than_is_left),
        cmocka_unit_test(test_torque_motor_fades_out_at_the_idle_rate),
        cmocka_unit_test(test_torque_motor_all_partials_are_the_derivatives),
        cmocka_unit_test(test_torque_friction_is_its_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
