/* The arm: its parameters and refusals, forward kinematics with all partials. */
#include "arcfit/arm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arm_case.h"
#include "sweep.h"

static int index_of(const ArcArm *arm, const char *name)
{
    for (int k = 0; k < arm->n_parameters; k++)
        if (strcmp(arm->parameters[k].name, name) == 0)
            return k;
    fail_msg("there is no parameter %s", name);
    return -1;
}

static void test_arm_create_lists_the_parameters_in_order(void **state)
{
    (void)state;
    static const char *const names[] = {
        "base_x",    "base_y",    "l1",       "l2",       "ball_along", "ball_across",
        "offset1",   "offset2",   "gain1",    "gain2",    "mass1",      "mass2",
        "centre1",   "centre2",   "inertia1", "inertia2", "payload",    "viscous1",
        "viscous2",  "coulomb1",  "coulomb2", "torque1",  "torque2_1",  "torque2_2",
        "torque2_3", "torque2_4", "theta1",   "theta2",   "omega1",     "omega2"};
    ArcArm arm = arm_case(1, ARC_TORQUE_CONSTANT);
    assert_int_equal(arm.n_parameters, sizeof names / sizeof names[0]);
    for (int k = 0; k < arm.n_parameters; k++)
        assert_string_equal(arm.parameters[k].name, names[k]);
    const int indices[] = {arm.n_geometry, arm.base,    arm.azimuth, arm.length,    arm.ball,
                           arm.offset,     arm.gain,    arm.mass,    arm.centre,    arm.inertia,
                           arm.payload,    arm.viscous, arm.coulomb, arm.torque[0], arm.torque[1],
                           arm.torque[2],  arm.theta,   arm.omega};
    static const int expected[] = {6,  0,  -1, 2,  4,  6,  8,  10, 12,
                                   14, 16, 17, 19, 21, 22, -1, 26, 28};
    assert_memory_equal(indices, expected, sizeof expected);
}

static void test_arm_create_lists_what_there_is(void **state)
{
    (void)state;
    ArcArmSettings settings = arm_case_settings(&arm_cases[5], 0);
    settings.has_encoders = settings.has_swing = false;
    ArcArm arm = arm_made(&settings);
    assert_int_equal(arm.n_geometry, 3 + 1 + 3 + 3);
    assert_int_equal(arm.n_parameters, arm.n_geometry + 6);
    assert_int_equal(arm.azimuth, index_of(&arm, "azimuth"));
    assert_int_equal(arm.offset, -1);
    assert_int_equal(arm.payload, -1);
    assert_int_equal(arm.torque[0], -1);
    assert_int_equal(arm.theta, arm.n_geometry);
}

/* Names are unique, defaults are the settings' own and within their range, whatever the arm. */
static void test_arm_create_parameters_are_sound(void **state)
{
    (void)state;
    for (int i = 0; i < N_ARM_CASES; i++) {
        ArcArm arm = arm_case(i, i);
        int J = arm.settings.n_joints;
        assert_true(arm.n_parameters <= ARC_ARM_MAX_PARAMETERS);
        assert_true(arm.n_geometry <= ARC_ARM_MAX_GEOMETRY);
        for (int k = 0; k < arm.n_parameters; k++) {
            const ArcParameterInfo *info = &arm.parameters[k];
            assert_int_equal(index_of(&arm, info->name), k);
            assert_true(strlen(info->doc) > 0 && strlen(info->unit) > 0);
            assert_true(info->value >= info->low && info->value <= info->high);
        }
        for (int j = 0; j < J; j++) {
            const ArcArmJoint *joint = &arm.settings.joints[j];
            assert_true(arm.parameters[arm.length + j].value == joint->length_m);
            assert_true(arm.parameters[arm.mass + j].value == joint->mass_kg);
            assert_true(arm.parameters[arm.centre + j].value == joint->centre_m);
            assert_true(arm.parameters[arm.inertia + j].value == joint->inertia_kg_m2);
            assert_true(arm.parameters[arm.viscous + j].value == joint->viscous_n_m_s);
            assert_true(arm.parameters[arm.coulomb + j].value == joint->coulomb_n_m);
            assert_true(arm.parameters[arm.gain + j].value == 1);
            for (int k = 0; k < joint->n_torques; k++)
                assert_true(arm.parameters[arm.torque[j] + k].value == joint->torque[k]);
        }
        assert_true(arm.parameters[arm.payload].value == arm.settings.payload_kg);
    }
}

/* The most that can be: four joints in space with all their curves of eight. */
static void test_arm_create_the_largest_arm_fits(void **state)
{
    (void)state;
    ArcArmSettings settings = arm_case_settings(&arm_cases[7], 0);
    for (int j = 0; j < 4; j++) {
        settings.joints[j].curve = ARC_TORQUE_SPLINE;
        settings.joints[j].n_torques = ARC_ARM_MAX_TORQUES;
    }
    ArcArm arm = arm_made(&settings);
    assert_int_equal(arm.n_parameters, 80);
    assert_int_equal(arm.n_geometry, ARC_ARM_MAX_GEOMETRY);
}

typedef void (*Spoiler)(ArcArmSettings *settings);

static void spoil_dimensions(ArcArmSettings *s)
{
    s->dimensions = 4;
}
static void spoil_up(ArcArmSettings *s)
{
    s->up = 2;
}
static void spoil_joints(ArcArmSettings *s)
{
    s->n_joints = 5;
}
static void spoil_axis(ArcArmSettings *s)
{
    s->joints[1].axis = ARC_JOINT_YAW;
}
static void spoil_no_axis(ArcArmSettings *s)
{
    s->joints[1].axis = (ArcJointAxis)7;
}
static void spoil_limits(ArcArmSettings *s)
{
    s->joints[0].low_rad = s->joints[0].high_rad = 1;
}
static void spoil_nan_limit(ArcArmSettings *s)
{
    s->joints[0].high_rad = NAN;
}
static void spoil_rate(ArcArmSettings *s)
{
    s->joints[1].rate_limit_rad_s = 0;
}
static void spoil_length(ArcArmSettings *s)
{
    s->joints[1].length_m = -0.1;
}
static void spoil_mass(ArcArmSettings *s)
{
    s->joints[0].mass_kg = -1;
}
static void spoil_payload(ArcArmSettings *s)
{
    s->payload_kg = NAN;
}
static void spoil_gravity(ArcArmSettings *s)
{
    s->gravity_m_s2 = -9.8;
}
static void spoil_width(ArcArmSettings *s)
{
    s->friction_width_rad_s = 0;
}
static void spoil_span(ArcArmSettings *s)
{
    s->end_s = s->begin_s;
}
static void spoil_curve(ArcArmSettings *s)
{
    s->joints[0].curve = (ArcTorqueCurve)9;
}
static void spoil_spline(ArcArmSettings *s)
{
    s->joints[0].curve = ARC_TORQUE_SPLINE;
    s->joints[0].n_torques = 3;
}
static void spoil_trapezoid(ArcArmSettings *s)
{
    arm_torques(&s->joints[0], ARC_TORQUE_TRAPEZOID);
    s->joints[0].torque[1] = 1.2;
}
static void spoil_stall(ArcArmSettings *s)
{
    s->joints[0].stall_n_m = 0;
}
static void spoil_idle(ArcArmSettings *s)
{
    s->joints[0].idle_rad_s = -3;
}

static void test_arm_create_refuses_what_cannot_be(void **state)
{
    (void)state;
    static const struct {
        Spoiler spoil;
        const char *message;
    } rows[] = {
        {spoil_dimensions, "dimensions 4 is neither 2 (plane) nor 3 (space)"},
        {spoil_up, "axis 2 cannot be up in 2 dimensions; use x or y"},
        {spoil_joints, "an arm of 5 joints; give 1 to 4"},
        {spoil_axis, "joint 2 turns out of the plane; use 'pitch', or dimensions: 3"},
        {spoil_no_axis, "joint 2: there is no axis 7"},
        {spoil_limits, "joint 1: its limits 1 to 1 rad leave no angle; give the lower one first"},
        {spoil_nan_limit,
         "joint 1: its limits -inf to nan rad leave no angle; give the lower one first"},
        {spoil_rate, "joint 2: rate limit 0 rad/s is not above zero"},
        {spoil_length, "the arm's l2 -0.1 m is outside 0 to 1000 m"},
        {spoil_mass, "the arm's mass1 -1 kg is outside 0 to 1e+06 kg"},
        {spoil_payload, "the arm's payload nan kg is outside 0 to 1e+06 kg"},
        {spoil_gravity, "gravity -9.8 m/s^2 is outside 0 to 1000 m/s^2; give its size"},
        {spoil_width, "friction width 0 rad/s is not in 0 to 10000 rad/s"},
        {spoil_span, "the torque curves' span -0.4 to -0.4 s is empty; give its begin first"},
        {spoil_curve, "joint 1: there is no torque curve 9"},
        {spoil_spline, "joint 1: a torque curve 'spline' of 3 coefficients; give 4 to 8"},
        {spoil_trapezoid, "the arm's torque1_2 1.2 1 is outside 0.001 to 1 1"},
        {spoil_stall, "joint 1: stall torque 0 N m is not above zero"},
        {spoil_idle, "joint 1: idle rate -3 rad/s is not above zero"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcArmSettings settings = arm_case_settings(&arm_cases[1], 0);
        ArcArm arm, untouched;
        ArcError err;
        memset(&arm, 0x5a, sizeof arm);
        memset(&untouched, 0x5a, sizeof untouched);
        rows[i].spoil(&settings);
        assert_int_equal(arc_arm_create(&settings, &arm, &err), ARC_INPUT);
        assert_string_equal(err.text, rows[i].message);
        assert_memory_equal(&arm, &untouched, sizeof arm);
        assert_int_equal(arc_arm_create(&settings, &arm, NULL), ARC_INPUT);
    }
}

static void test_arm_create_without_a_swing_looks_at_no_motor(void **state)
{
    (void)state;
    static const Spoiler spoilers[] = {spoil_span, spoil_curve, spoil_stall, spoil_mass,
                                       spoil_width};
    for (size_t i = 0; i < sizeof spoilers / sizeof spoilers[0]; i++) {
        ArcArmSettings settings = arm_case_settings(&arm_cases[1], 0);
        settings.has_swing = false;
        spoilers[i](&settings);
        arm_made(&settings);
    }
    ArcArmSettings settings = arc_arm_settings_default();
    assert_int_equal(arm_made(&settings).n_parameters, 10);
}

/* The plane's formula: link i points at theta_1 + ... + theta_i above level. */
static void test_arm_point_in_the_plane_is_the_sum_of_links(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int which = 0; which < 5; which++) {
        ArcArm arm = arm_case(which, 0);
        double p[CASE_A], t, theta[CASE_J], omega[CASE_J], angle = 0, rate = 0;
        arm_values(&arm, p);
        arm_state(&seed, &t, theta, omega);
        int J = arm.settings.n_joints, up = arm.settings.up;
        double x = p[arm.base + 1 - up], y = p[arm.base + up], vx = 0, vy = 0;
        ArcArmPoint point;
        for (int place = 0; place <= J; place++) {
            arc_arm_point(&arm, place, p, theta, omega, &point);
            assert_near(point.x_m[1 - up], x, 1e-14);
            assert_near(point.x_m[up], y, 1e-14);
            assert_near(point.v_m_s[1 - up], vx, 1e-13);
            assert_near(point.v_m_s[up], vy, 1e-13);
            if (place == J)
                break;
            angle += theta[place];
            rate += omega[place];
            x += p[arm.length + place] * cos(angle);
            y += p[arm.length + place] * sin(angle);
            vx -= p[arm.length + place] * sin(angle) * rate;
            vy += p[arm.length + place] * cos(angle) * rate;
        }
        double along = p[arm.ball], across = p[arm.ball + 1];
        arc_arm_point(&arm, ARC_ARM_BALL, p, theta, omega, &point);
        assert_near(point.x_m[1 - up], x + along * cos(angle) - across * sin(angle), 1e-14);
        assert_near(point.x_m[up], y + along * sin(angle) + across * cos(angle), 1e-14);
    }
}

/* In space by products of rotation matrices, applied from the ball backwards. */
static void rotate(char axis, double angle, double *x)
{
    int i = axis == 'r' ? 1 : 0, k = axis == 'y' ? 1 : 2; /* the plane that turns */
    double c = cos(angle), s = sin(angle), a = x[i], b = x[k];
    x[i] = c * a - s * b;
    x[k] = s * a + c * b;
}

static void test_arm_point_in_space_is_a_product_of_rotations(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int which = 5; which < N_ARM_CASES; which++) {
        ArcArm arm = arm_case(which, 0);
        double p[CASE_A], t, theta[CASE_J], omega[CASE_J];
        arm_values(&arm, p);
        arm_state(&seed, &t, theta, omega);
        double x[3] = {p[arm.ball], p[arm.ball + 2], p[arm.ball + 1]};
        for (int j = arm.settings.n_joints - 1; j >= 0; j--) {
            x[0] += p[arm.length + j];
            rotate(arm_cases[which].axes[j], theta[j], x);
        }
        rotate('y', p[arm.azimuth], x);
        ArcArmPoint point;
        arc_arm_point(&arm, ARC_ARM_BALL, p, theta, omega, &point);
        int up = arm.settings.up;
        for (int i = 0; i < 3; i++) {
            int axis = (up + 1 + i) % 3; /* first level axis, second, up */
            assert_near(point.x_m[axis], p[arm.base + axis] + x[i], 1e-14);
        }
    }
}

typedef struct Place {
    ArcArm arm;
    int place;
    double p[CASE_A], theta[CASE_J], omega[CASE_J];
} Place;

/* Position, then velocity. */
static void place_value(void *context, double *out)
{
    const Place *at = context;
    ArcArmPoint point;
    arc_arm_point(&at->arm, at->place, at->p, at->theta, at->omega, &point);
    memcpy(out, point.x_m, sizeof point.x_m);
    memcpy(out + 3, point.v_m_s, sizeof point.v_m_s);
}

static void test_arm_point_all_partials_are_the_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 3 * N_ARM_CASES; i++) {
        Place at = {.arm = arm_case(i % N_ARM_CASES, 0)};
        double t, column[6];
        int J = at.arm.settings.n_joints;
        arm_values(&at.arm, at.p);
        arm_state(&seed, &t, at.theta, at.omega);
        for (at.place = ARC_ARM_BALL; at.place <= J; at.place++) {
            ArcArmPoint point;
            arc_arm_point(&at.arm, at.place, at.p, at.theta, at.omega, &point);
            for (int k = 0; k < J; k++) {
                for (int c = 0; c < 3; c++) {
                    column[c] = point.x_theta[c][k];
                    column[3 + c] = point.v_theta[c][k];
                }
                arm_check_column(place_value, &at, &at.theta[k], column, 6, 1, 1e-10);
                memcpy(column + 3, column, 3 * sizeof(double));
                memset(column, 0, 3 * sizeof(double));
                arm_check_column(place_value, &at, &at.omega[k], column, 6, 1, 1e-10);
            }
            for (int k = 0; k < at.arm.n_geometry; k++) {
                for (int c = 0; c < 3; c++) {
                    column[c] = point.x_p[c][k];
                    column[3 + c] = point.v_p[c][k];
                }
                arm_check_column(place_value, &at, &at.p[k], column, 6, 1, 1e-10);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm_create_lists_the_parameters_in_order),
        cmocka_unit_test(test_arm_create_lists_what_there_is),
        cmocka_unit_test(test_arm_create_parameters_are_sound),
        cmocka_unit_test(test_arm_create_the_largest_arm_fits),
        cmocka_unit_test(test_arm_create_refuses_what_cannot_be),
        cmocka_unit_test(test_arm_create_without_a_swing_looks_at_no_motor),
        cmocka_unit_test(test_arm_point_in_the_plane_is_the_sum_of_links),
        cmocka_unit_test(test_arm_point_in_space_is_a_product_of_rotations),
        cmocka_unit_test(test_arm_point_all_partials_are_the_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
