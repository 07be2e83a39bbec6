/* The swing that aim plans: driven by torques against closed forms and another integrator, planned
 * motions against formulas written out, all gradients against differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim/numbers.h"
#include "aim/torques.h"
#include "arm_case.h"
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { J_MAX = ARC_ARM_MAX_JOINTS, TIMES = 9 };

/* An experiment, what is made of it, and all its parameters. */
typedef struct Case {
    ArcExperiment *experiment;
    ArcArena *arena;
    ArcTorques *torques;
    ArcShot *shot;
    int first, A, J; /* of the arm */
    double values[ARC_MAX_PARAMETERS];
    int column; /* which number of theirs the functions below give */
} Case;

#define HEAD "arcfit: 1\ncapture: {sigma: 2 mm}\nrelease: arm\n"
#define FLAT "flight: {dimensions: 2, ball: basketball, drag: quadratic}\n"
#define SPACE "flight: {dimensions: 3, ball: basketball, drag: quadratic}\n"
/* An arm of two links that throws over its head; the second motor is near its limit. */
#define TWO_LINKS                                                                                  \
    "arm:\n  base: [0.1 m, 1.4 m]\n  ball: [4 cm, -2 cm]\n  encoders: true\n  joints:\n"           \
    "    - {length: 0.5 m, mass: 2 kg, centre: 0.22 m, inertia: 0.045 kg m^2, viscous: 0.3 N m s," \
    " coulomb: 0.4 N m, torque: {curve: %s}}\n"                                                    \
    "    - {length: 0.4 m, mass: 1.2 kg, centre: 0.18 m, inertia: 0.018 kg m^2, viscous: 0.2 "     \
    "N m s, stall: 60 N m, idle_rate: 30 rad/s, torque: {curve: %s}}\n"
#define SPLINE "spline, values: [70 N m, 60 N m, 85 N m, 40 N m]"
#define POLYNOMIAL "polynomial, values: [25 N m, 20 N m, -18 N m]"
#define TRAPEZOID "trapezoid, values: [75 N m, 0.2, 0.3]"
#define TARGET "aim:\n  target: {point: [-3.5 m, 2.2 m]}\n"
#define DRIVEN TARGET "  swing: {from: [-60 deg, 40 deg], time: 0.3 s}\n"
#define PLANNED                                                                                    \
    TARGET "  unknowns: [theta1, omega2]\n  swing: {from: [-60 deg, 40 deg], time: 0.3 s}\n"       \
           "parameters: {theta1: {start: 0.9}, theta2: {start: 0.3}, omega1: {start: 5}, "         \
           "omega2: {start: 7}}\n"
#define UNIFORM                                                                                    \
    TARGET "  unknowns: [theta1, omega2]\n  swing: {time: 0.3 s}\n"                                \
           "parameters: {theta1: {start: 0.9}, theta2: {start: 0.3}, omega1: {start: 5}, "         \
           "omega2: {start: 7}}\n"

static ArcExperiment *experiment_of(const char *text)
{
    ArcExperiment *experiment;
    ArcError err = {ARC_OK, ""};
    if (arc_experiment_parse("f.yaml", text, strlen(text), 0, NULL, &experiment, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return experiment;
}

static Case case_of(const char *text)
{
    Case c = {.experiment = experiment_of(text), .arena = arc_arena_create()};
    ArcError err = {ARC_OK, ""};
    if (arc_torques_create(c.experiment, c.arena, &c.torques, &err) != ARC_OK ||
        arc_shot_create(c.experiment, c.arena, &c.shot, &err) != ARC_OK)
        fail_msg("%s", err.text);
    c.A = c.experiment->arm.n_parameters;
    c.J = c.experiment->arm.settings.n_joints;
    c.first = arc_experiment_parameter(c.experiment, c.experiment->arm.parameters[0].name);
    for (int i = 0; i < c.experiment->n_parameters; i++)
        c.values[i] = c.experiment->parameters[i].start;
    return c;
}

static Case case_with(const char *first, const char *second, const char *aim)
{
    char text[4096], arm[2048];
    snprintf(arm, sizeof arm, TWO_LINKS, first, second);
    snprintf(text, sizeof text, HEAD FLAT "%s%s", arm, aim);
    return case_of(text);
}

static void case_free(Case *c)
{
    arc_arena_free(c->arena);
    arc_experiment_free(c->experiment);
}

static double *value_of(Case *c, const char *name)
{
    int i = arc_experiment_parameter(c->experiment, name);
    assert_true(i >= 0);
    return &c->values[i];
}

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

/* Offset, miss, time, entry angle, energy, speed and release of a throw. */
static void numbers_of(void *context, double *out)
{
    Case *c = context;
    static const ArcAimNumber wanted[] = {ARC_AIM_MISS,  ARC_AIM_ENTRY_ANGLE, ARC_AIM_TIME,
                                          ARC_AIM_SPEED, ARC_AIM_ENERGY,      ARC_AIM_HEIGHT};
    ArcShotNumbers numbers;
    assert_true(
        arc_shot_numbers(c->shot, c->values, ~(1u << ARC_AIM_PEAK_TORQUE), false, &numbers));
    memcpy(out, numbers.offset_m, sizeof(double) * 2);
    for (int k = 0; k < 6; k++)
        out[2 + k] = numbers.value[wanted[k]];
}

static void check_numbers(Case *c)
{
    static const ArcAimNumber wanted[] = {ARC_AIM_MISS,  ARC_AIM_ENTRY_ANGLE, ARC_AIM_TIME,
                                          ARC_AIM_SPEED, ARC_AIM_ENERGY,      ARC_AIM_HEIGHT};
    static ArcShotNumbers numbers;
    assert_true(arc_shot_numbers(c->shot, c->values, ~0u, true, &numbers));
    assert_true(numbers.value[ARC_AIM_MISS] < 3.0);
    for (int i = 0; i < c->experiment->n_parameters; i++) {
        double column[8] = {numbers.by_offset[0][i], numbers.by_offset[1][i]};
        for (int k = 0; k < 6; k++)
            column[2 + k] = numbers.by[wanted[k]][i];
        if (c->experiment->parameters[i].is_tied || i == c->experiment->flight.n_parameters)
            continue;
        arm_check_column(numbers_of, c, &c->values[i], column, 8, 1, 1e-6);
    }
}

static void test_numbers_all_partials_pass_the_swing(void **state)
{
    (void)state;
    static const char *const aims[] = {DRIVEN, PLANNED, UNIFORM};
    for (int i = 0; i < 3; i++) {
        Case c = case_with(SPLINE, POLYNOMIAL, aims[i]);
        assert_true(arc_torques_is_driven(c.experiment) == (i == 0));
        check_numbers(&c);
        case_free(&c);
    }
}

/* A point on a rod without mass: m l^2 alpha + m g l cos(theta), written out along the motion. */
static void test_torques_of_a_uniform_swing_are_those_by_hand(void **state)
{
    (void)state;
    static const char text[] = HEAD "flight: {dimensions: 2, ball: basketball}\n"
                                    "arm: {payload: 0.62 kg, joints: [{length: 0.8 m}]}\n"
                                    "aim: {target: {point: [3 m, 1 m]}, swing: {time: 0.4 s}}\n"
                                    "parameters: {theta1: {start: 1.1}, omega1: {start: 6}}\n";
    Case c = case_of(text);
    double torque[TIMES], peak, most = 0.0;
    assert_false(arc_torques_is_driven(c.experiment));
    assert_true(arc_shot_torques(c.shot, c.values, TIMES, torque, NULL));
    for (int i = 0; i < TIMES; i++) {
        double t = 0.4 * i / (TIMES - 1), theta = 1.1 - 0.5 * 6.0 * 0.4 + 0.5 * 15.0 * t * t;
        double by_hand = 0.62 * 0.64 * 15.0 + 0.62 * 9.80665 * 0.8 * cos(theta);
        assert_near(torque[i], by_hand, 1e-12);
        most = fmax(most, by_hand);
    }
    /* theta passes 0, where gravity's is largest, between the grid's times. */
    assert_true(arc_shot_peak_torque(c.shot, c.values, &peak, NULL));
    assert_near(peak, 0.62 * 0.64 * 15.0 + 0.62 * 9.80665 * 0.8, 1e-12);
    assert_true(most < peak);
    case_free(&c);
}

/* From rest at `from` to the release, as the torques' own accelerations say. */
static void test_torques_of_a_planned_swing_bring_it_to_its_release(void **state)
{
    (void)state;
    static const char *const aims[] = {PLANNED, UNIFORM};
    for (int which = 0; which < 2; which++) {
        Case c = case_with(SPLINE, POLYNOMIAL, aims[which]);
        const ArcArm *arm = &c.experiment->arm;
        double *p = c.values + c.first, T = 0.3, torque[2 * 2];
        const double theta[2] = {0.9, 0.3}, omega[2] = {5.0, 7.0};
        const double from[2] = {-60.0 * M_PI / 180.0, 40.0 * M_PI / 180.0};
        double alpha[2][2], at[2][2], expected[2], still[2] = {0};
        for (int j = 0; j < 2; j++) {
            double way = theta[j] - from[j];
            alpha[0][j] = which == 1 ? omega[j] / T : (6.0 * way - 2.0 * omega[j] * T) / (T * T);
            alpha[1][j] = which == 1 ? omega[j] / T : (4.0 * omega[j] * T - 6.0 * way) / (T * T);
            at[0][j] = which == 1 ? theta[j] - 0.5 * omega[j] * T : from[j];
            at[1][j] = theta[j];
        }
        assert_true(arc_shot_torques(c.shot, c.values, 2, torque, NULL));
        for (int end = 0; end < 2; end++) {
            arc_arm_inverse_dynamics(arm, at[end], end == 0 ? still : omega, alpha[end], p,
                                     expected);
            for (int j = 0; j < 2; j++)
                assert_near(torque[2 * end + j], expected[j], 1e-11);
        }
        case_free(&c);
    }
}

static void torques_of(void *context, double *out)
{
    Case *c = context;
    assert_true(arc_shot_torques(c->shot, c->values, TIMES, out, NULL));
}

static void peak_of(void *context, double *out)
{
    Case *c = context;
    assert_true(arc_shot_peak_torque(c->shot, c->values, out, NULL));
}

static void test_torques_and_peak_have_their_derivatives(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"spline, values: [50 N m, 75 N m, 70 N m, 40 N m]", POLYNOMIAL, DRIVEN},
        {POLYNOMIAL, TRAPEZOID, DRIVEN},
        {SPLINE, POLYNOMIAL, PLANNED},
        {SPLINE, POLYNOMIAL, UNIFORM}};
    /* The second peak is a motor's at its limit, which hangs on the rate: what differences of a run
     * are worth at its tolerance; at 1e-13 they are within 1e-5, too. */
    static const double near[] = {1e-5, 1e-3, 1e-5, 1e-5};
    static double by[TIMES * J_MAX * ARC_MAX_PARAMETERS];
    for (int which = 0; which < 4; which++) {
        Case c = case_with(cases[which][0], cases[which][1], cases[which][2]);
        int n = c.experiment->n_parameters;
        double torque[TIMES * J_MAX], peak, by_peak[ARC_MAX_PARAMETERS];
        assert_true(arc_shot_torques(c.shot, c.values, TIMES, torque, by));
        assert_true(arc_shot_peak_torque(c.shot, c.values, &peak, by_peak));
        int moved = 0;
        for (int i = 0; i < n; i++) {
            /* What is zero is looked at of some only: it takes its time. */
            if (by_peak[i] == 0.0 && i % 5 != 0)
                continue;
            arm_check_column(torques_of, &c, &c.values[i], by + i, TIMES * c.J, n, 1e-5);
            arm_check_column(peak_of, &c, &c.values[i], by_peak + i, 1, 1, near[which]);
            moved += by_peak[i] != 0.0;
        }
        if (moved < 3)
            fail_msg("case %d: the peak knows %d parameters", which, moved);
        for (int i = 0; i < TIMES * c.J; i++)
            assert_true(fabs(torque[i]) <= peak * (1.0 + 1e-9));
        case_free(&c);
    }
}

/* The largest of many times, none of which is the peak's. */
static void test_peak_is_the_largest_of_all_times(void **state)
{
    (void)state;
    static const char *const aims[] = {DRIVEN, PLANNED, UNIFORM};
    for (int which = 0; which < 3; which++) {
        Case c = case_with("trapezoid, values: [75 N m, 0.4, 0.9]", POLYNOMIAL, aims[which]);
        double torque[ARC_TORQUES_MOST_TIMES * J_MAX], most = 0.0;
        ArcTorquesPeak peak;
        for (int n = 2; n <= ARC_TORQUES_MOST_TIMES; n++) {
            assert_true(arc_torques_at(c.torques, c.values + c.first, n, torque, NULL));
            for (int i = 0; i < n * c.J; i++)
                most = fmax(most, fabs(torque[i]));
        }
        assert_true(arc_torques_peak(c.torques, c.values + c.first, false, &peak));
        assert_true(peak.torque_n_m >= most * (1.0 - 1e-12) && peak.torque_n_m < most * 1.001);
        assert_true(peak.time_s >= 0.0 && peak.time_s <= 0.3);
        case_free(&c);
    }
}

enum { OVER = 4 }; /* rows: high, low and rate of joint 1, rate of joint 2 */

static void over_of(void *context, double *out)
{
    Case *c = context;
    assert_int_equal(arc_shot_over_limits(c->shot, c->values, out, NULL), OVER);
}

static void limit(ArcArmJoint *joint, double low, double high, double rate)
{
    joint->low_rad = low;
    joint->high_rad = high;
    joint->rate_limit_rad_s = rate;
}

static void test_over_limits_is_the_worst_of_the_swing_and_has_its_derivatives(void **state)
{
    (void)state;
    static const char *const aims[] = {DRIVEN, PLANNED, UNIFORM};
    static double by[ARC_TORQUES_MOST_LIMITS * ARC_MAX_PARAMETERS];
    for (int which = 0; which < 3; which++) {
        Case c = case_with(SPLINE, POLYNOMIAL, aims[which]);
        int n = c.experiment->n_parameters;
        double over[ARC_TORQUES_MOST_LIMITS], first[ARC_TORQUES_MOST_LIMITS];
        assert_int_equal(arc_shot_over_limits(c.shot, c.values, over, NULL), 0);
        assert_int_equal(arc_shot_count_limits(c.shot), 0);
        ArcArmJoint *joints = c.experiment->arm.settings.joints;
        limit(&joints[0], -1.5, 1.2, 11.0);
        limit(&joints[1], -INFINITY, INFINITY, 12.0);
        ArcTorques *limited;
        assert_int_equal(arc_torques_create(c.experiment, c.arena, &limited, NULL), ARC_OK);
        assert_int_equal(arc_shot_create(c.experiment, c.arena, &c.shot, NULL), ARC_OK);
        assert_int_equal(arc_shot_count_limits(c.shot), OVER);
        assert_int_equal(arc_torques_over_limits(limited, c.values + c.first, first, NULL), OVER);
        assert_int_equal(arc_shot_over_limits(c.shot, c.values, over, by), OVER);
        for (int row = 0; row < OVER; row++)
            assert_near(over[row], first[row], 0.0);
        for (int i = 0; i < n; i++)
            arm_check_column(over_of, &c, &c.values[i], by + i, OVER, n, 1e-5);
        if (which == 2) { /* rates only grow, up to the release */
            assert_near(over[0], 0.9 - 1.2, 1e-12);
            assert_near(over[1], -1.5 - (0.9 - 0.5 * 5.0 * 0.3), 1e-12);
            assert_near(over[2], 5.0 - 11.0, 1e-12);
            assert_near(over[3], 7.0 - 12.0, 1e-12);
        }
        case_free(&c);
    }
}

static void energy_of(void *context, double *out)
{
    Case *c = context;
    assert_true(arc_shot_arm_energy(c->shot, c->values, out, NULL));
}

static void test_arm_energy_is_its_motions_and_has_its_gradient(void **state)
{
    (void)state;
    static const char *const aims[] = {DRIVEN, PLANNED};
    for (int which = 0; which < 2; which++) {
        Case c = case_with(SPLINE, POLYNOMIAL, aims[which]);
        const ArcArm *arm = &c.experiment->arm;
        double energy, kinetic, height, by[ARC_MAX_PARAMETERS];
        assert_true(arc_shot_tie(c.shot, c.values));
        const double *p = c.values + c.first;
        arc_arm_energy(arm, p + arm->theta, p + arm->omega, p, &kinetic, &height);
        assert_true(arc_shot_arm_energy(c.shot, c.values, &energy, by));
        assert_near(energy, kinetic, 1e-9);
        for (int i = 0; i < c.experiment->n_parameters; i++)
            arm_check_column(energy_of, &c, &c.values[i], by + i, 1, 1, 1e-6);
        case_free(&c);
    }
}

static void test_is_driven_by_what_is_unknown_and_given(void **state)
{
    (void)state;
    static const struct {
        const char *torque, *unknowns, *swing;
        bool is_driven;
    } cases[] = {
        {"{curve: constant}", "[theta1, omega1]", "swing: {from: [0 deg], time: 0.3 s}", false},
        {"{curve: constant}", "[torque1]", "swing: {from: [0 deg], time: 0.3 s}", true},
        {"{curve: constant, values: [3 N m]}", "[l1]", "swing: {from: [0 deg], time: 0.3 s}", true},
        {"{curve: constant, values: [3 N m]}", "[theta1]", "swing: {time: 0.3 s}", false},
        {"{curve: constant}", "[l1]", "swing: {time: 0.3 s}", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD FLAT "arm: {joints: [{length: 1 m, torque: %s}]}\n"
                           "aim: {target: {point: [3 m, 1 m]}, unknowns: %s, %s}\n",
                 cases[i].torque, cases[i].unknowns, cases[i].swing);
        Case c = case_of(text);
        assert_true(arc_torques_is_driven(c.experiment) == cases[i].is_driven);
        case_free(&c);
    }
}

static void test_create_says_what_a_swing_lacks(void **state)
{
    (void)state;
    static const struct {
        const char *unknowns, *swing, *message;
    } cases[] = {
        {"[theta1, torque1]", "swing: {from: [0 deg], time: 0.3 s}", "leave either out"},
        {"[torque1]", "swing: {time: 0.3 s}", "give aim.swing.from"},
        {"[torque1]", "swing: {from: [3 rad], time: 0.3 s}", "beyond the joints' limits"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        ArcTorques *torques;
        ArcError err = {ARC_OK, ""};
        ArcArena *arena = arc_arena_create();
        snprintf(text, sizeof text,
                 HEAD FLAT "arm: {joints: [{length: 1 m, limits: [-2 rad, 2 rad]}]}\n"
                           "aim: {target: {point: [3 m, 1 m]}, unknowns: %s, %s}\n",
                 cases[i].unknowns, cases[i].swing);
        ArcExperiment *experiment = experiment_of(text);
        assert_int_equal(arc_torques_create(experiment, arena, &torques, &err), ARC_INPUT);
        assert_non_null(strstr(err.text, cases[i].message));
        assert_non_null(strstr(err.text, "f.yaml:"));
        arc_experiment_free(experiment);
        arc_arena_free(arena);
    }
}

static void test_shot_without_a_swing_has_no_torques(void **state)
{
    (void)state;
    static const char text[] =
        HEAD FLAT "arm: {joints: [{length: 1 m}]}\n"
                  "aim: {target: {point: [3 m, 1 m]}}\n"
                  "parameters: {theta1: {start: -0.4}, omega1: {start: 9}}\n";
    Case c = case_of(text);
    double torque[TIMES * J_MAX], energy;
    ArcShotNumbers numbers;
    assert_null(c.torques);
    assert_false(arc_shot_torques(c.shot, c.values, TIMES, torque, NULL));
    assert_false(arc_shot_arm_energy(c.shot, c.values, &energy, NULL));
    assert_true(arc_shot_numbers(c.shot, c.values, ~0u, false, &numbers));
    assert_true(isnan(numbers.value[ARC_AIM_PEAK_TORQUE]));
    case_free(&c);
}

static void test_commands_are_as_the_encoders_read(void **state)
{
    (void)state;
    Case c = case_with(SPLINE, POLYNOMIAL, PLANNED);
    double commands[J_MAX];
    *value_of(&c, "offset1") = 0.05;
    *value_of(&c, "gain2") = -1.02;
    assert_true(arc_shot_commands(c.shot, c.values, commands));
    assert_near(commands[0], 0.95, 1e-15);
    assert_near(commands[1], -0.306, 1e-15);
    assert_near(commands[2], 0.0, 0.0);
    case_free(&c);
    c = case_with(SPLINE, POLYNOMIAL, DRIVEN);
    assert_true(arc_shot_commands(c.shot, c.values, commands));
    assert_true(arc_shot_tie(c.shot, c.values));
    assert_near(commands[0], *value_of(&c, "theta1"), 0.0);
    case_free(&c);
}

/* In space: a yaw below two pitches. */
static void test_numbers_in_space_pass_the_swing(void **state)
{
    (void)state;
    static const char text[] = HEAD SPACE
        "arm:\n  base: [0 m, 0 m, 1.4 m]\n  joints:\n"
        "    - {axis: yaw, length: 0.1 m, mass: 3 kg, inertia: 0.1 kg m^2, torque: "
        "{curve: constant, values: [4 N m]}}\n"
        "    - {length: 0.5 m, mass: 2 kg, torque: {curve: polynomial, values: [70 N m, "
        "9 N m]}}\n"
        "    - {length: 0.4 m, mass: 1 kg, torque: {curve: constant, values: [19 N m]}}\n"
        "aim:\n  target: {area: {plane: x=-3.5 m, centre: [-3.5 m, 0.5 m, 2.2 m], size: "
        "[0.3 m]}}\n  swing: {from: [-10 deg, -60 deg, 40 deg], time: 0.3 s}\n";
    static ArcShotNumbers numbers;
    Case c = case_of(text);
    assert_true(arc_shot_numbers(c.shot, c.values, ~0u, true, &numbers));
    for (int i = 0; i < c.experiment->n_parameters; i++) {
        double column[8] = {numbers.by_offset[0][i],       numbers.by_offset[1][i],
                            numbers.by[ARC_AIM_MISS][i],   numbers.by[ARC_AIM_ENTRY_ANGLE][i],
                            numbers.by[ARC_AIM_TIME][i],   numbers.by[ARC_AIM_SPEED][i],
                            numbers.by[ARC_AIM_ENERGY][i], numbers.by[ARC_AIM_HEIGHT][i]};
        if (!c.experiment->parameters[i].is_tied && i != c.experiment->flight.n_parameters)
            arm_check_column(numbers_of, &c, &c.values[i], column, 8, 1, 1e-6);
    }
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_release_one_link_without_weight_turns_as_its_torque_says),
        cmocka_unit_test(test_release_one_link_has_the_energy_that_its_torque_gave),
        cmocka_unit_test(test_release_driven_is_where_another_integrator_gets),
        cmocka_unit_test(test_release_driven_begins_with_the_span),
        cmocka_unit_test(test_release_driven_all_partials_are_the_derivatives),
        cmocka_unit_test(test_numbers_all_partials_pass_the_swing),
        cmocka_unit_test(test_numbers_in_space_pass_the_swing),
        cmocka_unit_test(test_torques_of_a_uniform_swing_are_those_by_hand),
        cmocka_unit_test(test_torques_of_a_planned_swing_bring_it_to_its_release),
        cmocka_unit_test(test_torques_and_peak_have_their_derivatives),
        cmocka_unit_test(test_peak_is_the_largest_of_all_times),
        cmocka_unit_test(test_over_limits_is_the_worst_of_the_swing_and_has_its_derivatives),
        cmocka_unit_test(test_arm_energy_is_its_motions_and_has_its_gradient),
        cmocka_unit_test(test_is_driven_by_what_is_unknown_and_given),
        cmocka_unit_test(test_create_says_what_a_swing_lacks),
        cmocka_unit_test(test_shot_without_a_swing_has_no_torques),
        cmocka_unit_test(test_commands_are_as_the_encoders_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
