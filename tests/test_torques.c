/* The swing that aim plans: motions and torques against formulas written out, the numbers of its
 * throws and their gradients against differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "planned_swing_case.h"
#include "sweep.h"

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
        cmocka_unit_test(test_numbers_all_partials_pass_the_swing),
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
        cmocka_unit_test(test_numbers_in_space_pass_the_swing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
