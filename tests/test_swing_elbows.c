/* Swings that do not show which way the arm was bent: both ways are fitted and listed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/arm_fit.h"
#include "swing_case.h"

#define ELBOWS_FIT SWING_SPLINES "parameters:\n  t0: {measured: {value: 0.3 s, sd: 0.5 ms}}\n"

static const ArcMethod methods[] = {ARC_DIRECT, ARC_PINN};

static SwingSight sight_of(bool elbow, bool hand, bool ball)
{
    SwingSight sight = swing_usual;
    sight.elbow = elbow;
    sight.hand = hand;
    sight.ball = ball;
    return sight;
}

/* The first link's angle and the second's of the other way to the same hand: links l1, l2. */
static void mirror(const double *theta, double l1, double l2, double *other)
{
    other[0] = theta[0] + 2.0 * atan2(l2 * sin(theta[1]), l1 + l2 * cos(theta[1]));
    other[1] = -theta[1];
}

static void check_both(const char *fit_text, SwingSight sight, ArcMethod method)
{
    SwingCase c;
    const double degree = M_PI / 180.0, truth[2] = {60.0 * degree, 25.0 * degree};
    double expected[2][2];
    memcpy(expected[0], truth, sizeof truth);
    mirror(truth, 0.5, 0.4, expected[1]);
    swing_case(SWING_TRUTH, 0.3, 0.9, sight, &c);
    ArcFit *fit = case_fit(fit_text, &c.seen, method);
    const ArcArmFit *arm = fit->arm;
    assert_int_equal(arm->n_solutions, 2);
    for (int way = 0; way < 2; way++) {
        double least = INFINITY;
        for (int i = 0; i < 2; i++) {
            const ArcArmSolution *pose = &arm->solutions[i];
            assert_true(pose->is_fitted && pose->converged && pose->is_within_limits);
            least = fmin(least, hypot(pose->theta_rad[0] - expected[way][0],
                                      pose->theta_rad[1] - expected[way][1]));
        }
        assert_true(least < 3.0 * degree);
    }
    print_message("%s: chi2 %.4g and %.4g\n", method == ARC_PINN ? "pinn" : "direct",
                  arm->solutions[0].chi2, arm->solutions[1].chi2);
    /* The fit is that of the first, and no other is more likely. */
    assert_true(fabs(arm->solutions[0].theta_rad[1] - fit->parameters[arm->theta + 1].value) <
                1e-12);
    assert_true(arm->solutions[1].chi2 > arm->solutions[0].chi2 - ARC_ARM_TOLD_APART);
    arc_fit_free(fit);
    swing_free(&c);
}

static void test_swing_of_hand_alone_lists_both_elbows(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        check_both(ELBOWS_FIT, sight_of(false, true, false), methods[k]);
}

static void test_swing_of_ball_alone_lists_both_elbows(void **state)
{
    (void)state;
    check_both(ELBOWS_FIT, sight_of(false, false, true), ARC_DIRECT);
}

/* A start of the angles chooses where to begin, not what is found. */
static void test_swing_begun_at_given_angles_lists_both_elbows(void **state)
{
    (void)state;
    check_both(ELBOWS_FIT "  theta1: {start: 60 deg}\n  theta2: {start: 25 deg}\n",
               sight_of(false, true, false), ARC_DIRECT);
}

static void check_one(const char *fit_text, SwingSight sight, ArcMethod method)
{
    SwingCase c;
    swing_case(SWING_TRUTH, 0.3, 0.9, sight, &c);
    ArcFit *fit = case_fit(fit_text, &c.seen, method);
    assert_int_equal(fit->arm->n_solutions, 1);
    assert_true(fabs(fit->parameters[fit->arm->theta + 1].value - 25.0 * M_PI / 180.0) < 0.05);
    arc_fit_free(fit);
    swing_free(&c);
}

static void test_swing_that_shows_the_elbow_has_one_pose(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        check_one(ELBOWS_FIT, sight_of(true, true, false), methods[k]);
}

static void test_swing_whose_encoders_tell_the_pose_has_one(void **state)
{
    (void)state;
    SwingSight sight = sight_of(false, true, false);
    sight.angles = true;
    check_one(ELBOWS_FIT, sight, ARC_DIRECT);
}

static void test_reading_of_an_angle_leaves_one_pose(void **state)
{
    (void)state;
    check_one(ELBOWS_FIT "  theta2: {measured: {value: 25 deg, sd: 0.1 deg}}\n",
              sight_of(false, true, false), ARC_DIRECT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swing_of_hand_alone_lists_both_elbows),
        cmocka_unit_test(test_swing_of_ball_alone_lists_both_elbows),
        cmocka_unit_test(test_swing_begun_at_given_angles_lists_both_elbows),
        cmocka_unit_test(test_swing_that_shows_the_elbow_has_one_pose),
        cmocka_unit_test(test_swing_whose_encoders_tell_the_pose_has_one),
        cmocka_unit_test(test_reading_of_an_angle_leaves_one_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
