/* The arm's dynamics: the plane's two links as textbooks have them, inverse dynamics, power,
 * symmetries, every partial by differences, limits. */
#include "arcfit/arm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arm_case.h"
#include "sweep.h"

typedef struct State {
    ArcArm arm;
    double p[CASE_A], t, theta[CASE_J], omega[CASE_J];
} State;

static State state_of(int which, int first, uint64_t *seed)
{
    State state = {.arm = arm_case(which, first)};
    arm_values(&state.arm, state.p);
    arm_state(seed, &state.t, state.theta, state.omega);
    return state;
}

static void accelerate(void *context, double *a)
{
    State *at = context;
    ArcArmRates rates = {.a = a};
    arc_arm_acceleration(&at->arm, 1, &at->t, at->theta, at->omega, at->p, &rates);
}

/* All of a state; not a number where nothing is written. */
typedef struct Partials {
    double a[CASE_J], by_theta[CASE_J * CASE_J], by_omega[CASE_J * CASE_J], by_t[CASE_J];
    double by_p[CASE_J * CASE_A];
} Partials;

static Partials partials_of(const State *at, const bool *wanted)
{
    Partials made;
    memset(&made, 0xff, sizeof made);
    ArcArmRates rates = {made.a, made.by_theta, made.by_omega, made.by_t, made.by_p, wanted};
    arc_arm_acceleration(&at->arm, 1, &at->t, at->theta, at->omega, at->p, &rates);
    return made;
}

static void test_arm_acceleration_all_partials_are_the_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 11;
    bool wanted[CASE_A];
    for (int k = 0; k < CASE_A; k++)
        wanted[k] = true;
    for (int i = 0; i < 8 * N_ARM_CASES; i++) {
        State at = state_of(i % N_ARM_CASES, i / N_ARM_CASES, &seed);
        int J = at.arm.settings.n_joints, A = at.arm.n_parameters;
        Partials made = partials_of(&at, wanted);
        for (int k = 0; k < J; k++) {
            arm_check_column(accelerate, &at, &at.theta[k], made.by_theta + k, J, J, 1e-9);
            arm_check_column(accelerate, &at, &at.omega[k], made.by_omega + k, J, J, 1e-9);
        }
        arm_check_column(accelerate, &at, &at.t, made.by_t, J, 1, 1e-9);
        for (int k = 0; k < A; k++)
            arm_check_column(accelerate, &at, &at.p[k], made.by_p + k, J, A, 1e-9);
    }
}

/* Which columns are zero: what the dynamics know nothing of. */
static void test_arm_acceleration_columns_are_zero_only_where_they_must(void **state)
{
    (void)state;
    uint64_t seed = 5;
    bool wanted[CASE_A];
    memset(wanted, true, sizeof wanted);
    for (int i = 0; i < N_ARM_CASES; i++) {
        State at = state_of(i, 3, &seed);
        const ArcArm *arm = &at.arm;
        int J = arm->settings.n_joints, A = arm->n_parameters;
        at.t = -0.14; /* where every coefficient of every curve counts, but a spline's first */
        Partials made = partials_of(&at, wanted);
        for (int k = 0; k < A; k++) {
            const char *name = arm->parameters[k].name;
            double size = 0;
            for (int j = 0; j < J; j++)
                size = fmax(size, fabs(made.by_p[j * A + k]));
            bool is_idle =
                k < arm->length || (k >= arm->offset && k < arm->mass) || k >= arm->theta;
            bool is_some = strncmp(name, "mass", 4) == 0 || strncmp(name, "payload", 7) == 0 ||
                           strncmp(name, "viscous", 7) == 0 || strncmp(name, "coulomb", 7) == 0;
            assert_true(!is_idle || size == 0);
            /* a first joint that yaws or rolls may leave its link's parts where they are */
            if (is_some && name[strlen(name) - 1] != '1' && size == 0)
                fail_msg("arm %s: %s has no part in the acceleration", arm_cases[i].axes, name);
        }
    }
}

/* Spong, Hutchinson and Vidyasagar, Robot Modeling and Control (2006), ch. 7: the planar elbow
 * manipulator, D(q) q'' + C(q, q') q' + g(q) = tau. The payload is part of link 2. */
static void spong(const State *at, double tau1, double tau2, double *a)
{
    const ArcArm *arm = &at->arm;
    const double *p = at->p, *q = at->theta, *rate = at->omega;
    double m1 = p[arm->mass], lc1 = p[arm->centre], I1 = p[arm->inertia], l1 = p[arm->length];
    double link = p[arm->mass + 1], c = p[arm->centre + 1], mb = p[arm->payload];
    double lb = p[arm->length + 1] + p[arm->ball], g = 9.80665;
    double m2 = link + mb, lc2 = (link * c + mb * lb) / m2;
    double I2 = p[arm->inertia + 1] + link * c * c + mb * lb * lb - m2 * lc2 * lc2;
    double d11 = m1 * lc1 * lc1 + m2 * (l1 * l1 + lc2 * lc2 + 2 * l1 * lc2 * cos(q[1])) + I1 + I2;
    double d12 = m2 * (lc2 * lc2 + l1 * lc2 * cos(q[1])) + I2, d22 = m2 * lc2 * lc2 + I2;
    double h = -m2 * l1 * lc2 * sin(q[1]);
    double c1 = h * rate[1] * rate[0] + h * (rate[0] + rate[1]) * rate[1];
    double c2 = -h * rate[0] * rate[0];
    double g1 = (m1 * lc1 + m2 * l1) * g * cos(q[0]) + m2 * lc2 * g * cos(q[0] + q[1]);
    double g2 = m2 * lc2 * g * cos(q[0] + q[1]);
    double r1 = tau1 - c1 - g1, r2 = tau2 - c2 - g2, determinant = d11 * d22 - d12 * d12;
    a[0] = (d22 * r1 - d12 * r2) / determinant;
    a[1] = (d11 * r2 - d12 * r1) / determinant;
}

static void test_arm_acceleration_of_two_links_is_the_textbooks(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 100; i++) {
        State at = state_of(1 + i % 2, i, &seed);
        double motor[CASE_J], friction[CASE_J], a[CASE_J], expected[2];
        at.p[at.arm.ball + 1] = 0; /* across: not of the textbook */
        accelerate(&at, a);
        arc_arm_torques(&at.arm, at.t, at.omega, at.p, motor, friction);
        spong(&at, motor[0] - friction[0], motor[1] - friction[1], expected);
        for (int j = 0; j < 2; j++)
            assert_near(a[j], expected[j], 1e-12 * (1 + fabs(expected[0]) + fabs(expected[1])));
    }
}

static void test_arm_inverse_dynamics_gives_what_the_motors_give(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int i = 0; i < 4 * N_ARM_CASES; i++) {
        State at = state_of(i % N_ARM_CASES, i, &seed);
        double a[CASE_J], motor[CASE_J], torque[CASE_J], size = 1;
        int J = at.arm.settings.n_joints;
        accelerate(&at, a);
        arc_arm_torques(&at.arm, at.t, at.omega, at.p, motor, NULL);
        arc_arm_inverse_dynamics(&at.arm, at.theta, at.omega, a, at.p, torque);
        for (int j = 0; j < J; j++)
            size = fmax(size, fabs(a[j]));
        for (int j = 0; j < J; j++)
            assert_near(torque[j], motor[j], 1e-13 * size * 10);
    }
}

/* What a motion needs, accelerations that are no motor's among them. */
typedef struct Demanded {
    State at;
    double alpha[CASE_J];
} Demanded;

static void demand(void *context, double *torque)
{
    const Demanded *of = context;
    arc_arm_inverse_dynamics(&of->at.arm, of->at.theta, of->at.omega, of->alpha, of->at.p, torque);
}

static void test_arm_demand_all_partials_are_the_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int i = 0; i < 4 * N_ARM_CASES; i++) {
        Demanded of = {.at = state_of(i % N_ARM_CASES, i, &seed)};
        ArcArmDemand made;
        double torque[CASE_J];
        int J = of.at.arm.settings.n_joints, A = of.at.arm.n_parameters;
        for (int j = 0; j < J; j++)
            of.alpha[j] = 30 * arm_draw(&seed);
        memset(&made, 0xff, sizeof made);
        arc_arm_demand(&of.at.arm, of.at.theta, of.at.omega, of.alpha, of.at.p, &made);
        demand(&of, torque);
        assert_memory_equal(torque, made.torque_n_m, sizeof(double) * (size_t)J);
        for (int k = 0; k < J; k++) {
            arm_check_column(demand, &of, &of.at.theta[k], made.by_theta + k, J, J, 1e-9);
            arm_check_column(demand, &of, &of.at.omega[k], made.by_omega + k, J, J, 1e-9);
            arm_check_column(demand, &of, &of.alpha[k], made.by_acceleration + k, J, J, 1e-9);
        }
        for (int k = 0; k < A; k++)
            arm_check_column(demand, &of, &of.at.p[k], made.by_p + k, J, A, 1e-9);
    }
}

/* dE/dt along the motion, by differences of the energy alone. */
typedef struct Path {
    const State *at;
    double a[CASE_J], s;
} Path;

static void energy_on(void *context, double *out)
{
    const Path *path = context;
    double theta[CASE_J], omega[CASE_J], kinetic, height;
    for (int j = 0; j < path->at->arm.settings.n_joints; j++) {
        theta[j] = path->at->theta[j] + path->s * (path->at->omega[j] + path->s * path->a[j] / 2);
        omega[j] = path->at->omega[j] + path->s * path->a[j];
    }
    arc_arm_energy(&path->at->arm, theta, omega, path->at->p, &kinetic, &height);
    *out = kinetic + height;
}

static void test_arm_energy_changes_by_the_power_of_motors_and_friction(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int i = 0; i < 4 * N_ARM_CASES; i++) {
        State at = state_of(i % N_ARM_CASES, i, &seed);
        Path path = {.at = &at};
        double motor[CASE_J], friction[CASE_J], power = 0;
        accelerate(&at, path.a);
        arc_arm_torques(&at.arm, at.t, at.omega, at.p, motor, friction);
        for (int j = 0; j < at.arm.settings.n_joints; j++)
            power += at.omega[j] * (motor[j] - friction[j]);
        arm_check_column(energy_on, &path, &path.s, &power, 1, 1, 1e-9);
    }
}

/* Ends and ball move as arc_arm_point has them: kinetic energy of a payload alone, and its height.
 */
static void test_arm_energy_of_a_payload_is_that_of_the_ball(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < N_ARM_CASES; i++) {
        State at = state_of(i, 0, &seed);
        const ArcArm *arm = &at.arm;
        ArcArmPoint ball;
        double kinetic, height, expected = 0;
        for (int j = 0; j < arm->settings.n_joints; j++)
            at.p[arm->mass + j] = at.p[arm->inertia + j] = 0;
        arc_arm_point(arm, ARC_ARM_BALL, at.p, at.theta, at.omega, &ball);
        arc_arm_energy(arm, at.theta, at.omega, at.p, &kinetic, &height);
        for (int c = 0; c < arm->settings.dimensions; c++)
            expected += 0.31 * ball.v_m_s[c] * ball.v_m_s[c];
        assert_near(kinetic, expected, 1e-13 * (1 + expected));
        assert_near(height, 0.62 * 9.80665 * ball.x_m[arm->settings.up], 1e-13 * 10);
    }
}

/* In space two pitches behind a yaw that rests, and stays so, are the plane's. */
static void test_arm_acceleration_in_space_holds_the_plane(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 20; i++) {
        State plane = state_of(1, 0, &seed);
        ArcArmSettings settings = plane.arm.settings;
        settings.dimensions = 3;
        settings.up = 2;
        settings.n_joints = 3;
        settings.ball_m[2] = 0;
        memmove(settings.joints + 1, settings.joints, 2 * sizeof settings.joints[0]);
        settings.joints[0].axis = ARC_JOINT_YAW;
        settings.joints[0].length_m = 0;
        settings.joints[0].torque[0] = 0;
        State space = {.arm = arm_made(&settings), .t = plane.t, .theta = {0.7}, .omega = {0}};
        double a[CASE_J], b[CASE_J];
        arm_values(&space.arm, space.p);
        memcpy(space.theta + 1, plane.theta, 2 * sizeof(double));
        memcpy(space.omega + 1, plane.omega, 2 * sizeof(double));
        accelerate(&plane, a);
        accelerate(&space, b);
        assert_near(b[0], 0, 1e-12);
        for (int j = 0; j < 2; j++)
            assert_near(b[1 + j], a[j], 1e-12 * (1 + fabs(a[j])));
    }
}

static void test_arm_acceleration_batch_gives_the_bits_of_single_states(void **state)
{
    (void)state;
    uint64_t seed = 13;
    bool wanted[CASE_A] = {false};
    double t[5], theta[5 * CASE_J], omega[5 * CASE_J], a[5 * CASE_J], b[5 * CASE_J];
    double by_theta[5 * 16], by_omega[5 * 16], by_t[5 * CASE_J], by_p[5 * CASE_J * CASE_A];
    State at = state_of(5, 1, &seed);
    int J = at.arm.settings.n_joints, A = at.arm.n_parameters;
    for (int k = at.arm.mass; k < at.arm.theta; k += 3)
        wanted[k] = true;
    for (int i = 0; i < 5; i++)
        arm_state(&seed, &t[i], theta + i * J, omega + i * J);
    for (int i = 4; i >= 0; i--) { /* arm_state wrote one joint more */
        uint64_t own = (uint64_t)i + 1;
        double q[CASE_J], w[CASE_J];
        arm_state(&own, &t[i], q, w);
        memcpy(theta + i * J, q, sizeof(double) * (size_t)J);
        memcpy(omega + i * J, w, sizeof(double) * (size_t)J);
    }
    memset(by_p, 0xff, sizeof by_p);
    ArcArmRates rates = {a, by_theta, by_omega, by_t, by_p, wanted}, alone = {.a = b};
    arc_arm_acceleration(&at.arm, 5, t, theta, omega, at.p, &rates);
    arc_arm_acceleration(&at.arm, 5, t, theta, omega, at.p, &alone);
    assert_memory_equal(a, b, sizeof(double) * 5 * (size_t)J);
    for (int i = 0; i < 5; i++) {
        at.t = t[i];
        memcpy(at.theta, theta + i * J, sizeof(double) * (size_t)J);
        memcpy(at.omega, omega + i * J, sizeof(double) * (size_t)J);
        Partials one = partials_of(&at, wanted);
        size_t row = sizeof(double) * (size_t)J, square = row * (size_t)J;
        assert_memory_equal(one.a, a + i * J, row);
        assert_memory_equal(one.by_t, by_t + i * J, row);
        assert_memory_equal(one.by_theta, by_theta + i * J * J, square);
        assert_memory_equal(one.by_omega, by_omega + i * J * J, square);
        for (int k = 0; k < A; k++)
            for (int j = 0; j < J; j++) {
                double value = by_p[(i * J + j) * A + k];
                assert_int_equal(isnan(value), !wanted[k]); /* unwanted ones are left alone */
                assert_true(isnan(value) || value == one.by_p[j * A + k]);
            }
    }
}

static void test_arm_acceleration_not_finite_states_show(void **state)
{
    (void)state;
    uint64_t seed = 2;
    State at = state_of(1, 1, &seed);
    double a[CASE_J], kept = at.t;
    at.t = NAN;
    accelerate(&at, a);
    assert_false(isfinite(a[0]) && isfinite(a[1]));
    at.t = kept;
    for (int k = 0; k < 2; k++) {
        kept = at.theta[k];
        at.theta[k] = k == 0 ? NAN : INFINITY;
        accelerate(&at, a);
        assert_false(isfinite(a[0]) || isfinite(a[1]));
        at.theta[k] = kept;
        kept = at.omega[k];
        at.omega[k] = NAN;
        accelerate(&at, a);
        assert_false(isfinite(a[0]) || isfinite(a[1]));
        at.omega[k] = kept;
    }
    /* a payload alone does not resist the elbow of a straight arm */
    State bare = state_of(1, 1, &seed);
    for (int k = 0; k < 2; k++)
        bare.p[bare.arm.mass + k] = bare.p[bare.arm.inertia + k] = bare.p[bare.arm.ball + k] = 0;
    accelerate(&bare, a);
    assert_true(isfinite(a[0]) && isfinite(a[1]));
    bare.theta[1] = 0;
    for (int k = 0; k < 100; k++) {
        bare.theta[0] = 0.1 * k;
        accelerate(&bare, a);
        assert_false(isfinite(a[0]) || isfinite(a[1]));
    }
    for (int k = 0; k < 2; k++) /* nothing that resists: no acceleration that follows */
        at.p[at.arm.mass + k] = at.p[at.arm.inertia + k] = at.p[at.arm.payload] = 0;
    accelerate(&at, a);
    assert_false(isfinite(a[0]) || isfinite(a[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm_acceleration_all_partials_are_the_derivatives),
        cmocka_unit_test(test_arm_acceleration_columns_are_zero_only_where_they_must),
        cmocka_unit_test(test_arm_acceleration_of_two_links_is_the_textbooks),
        cmocka_unit_test(test_arm_inverse_dynamics_gives_what_the_motors_give),
        cmocka_unit_test(test_arm_demand_all_partials_are_the_derivatives),
        cmocka_unit_test(test_arm_energy_changes_by_the_power_of_motors_and_friction),
        cmocka_unit_test(test_arm_energy_of_a_payload_is_that_of_the_ball),
        cmocka_unit_test(test_arm_acceleration_in_space_holds_the_plane),
        cmocka_unit_test(test_arm_acceleration_batch_gives_the_bits_of_single_states),
        cmocka_unit_test(test_arm_acceleration_not_finite_states_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
