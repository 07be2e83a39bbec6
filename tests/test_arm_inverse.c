/* Poses of an arm there and back, all elbows, spare joints, out of reach; rates that move its ball.
 */
#include "arcfit/arm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arm_case.h"
#include "sweep.h"

static double distance(const ArcArm *arm, const double *p, const double *theta, const double *x)
{
    static const double rest[CASE_J] = {0};
    ArcArmPoint ball;
    double sum = 0;
    arc_arm_point(arm, ARC_ARM_BALL, p, theta, rest, &ball);
    for (int c = 0; c < arm->settings.dimensions; c++)
        sum += (ball.x_m[c] - x[c]) * (ball.x_m[c] - x[c]);
    return sqrt(sum);
}

/* From a pose to the ball and back: it is among the poses, all of which put the ball there and are
 * within half a turn of near, the nearest first. */
static void test_arm_poses_there_and_back(void **state)
{
    (void)state;
    static const int fewest[N_ARM_CASES] = {1, 2, 2, 1, 1, 2, 1, 1, 1, 1};
    uint64_t seed = 17;
    for (int i = 0; i < 40 * N_ARM_CASES; i++) {
        int which = i % N_ARM_CASES;
        ArcArm arm = arm_case(which, 0);
        double p[CASE_A], t, truth[CASE_J], omega[CASE_J], near[CASE_J];
        double poses[ARC_ARM_MAX_POSES * CASE_J], before = 0;
        int J = arm.settings.n_joints, d = arm.settings.dimensions;
        ArcArmPoint ball;
        arm_values(&arm, p);
        arm_state(&seed, &t, truth, omega);
        arc_arm_point(&arm, ARC_ARM_BALL, p, truth, omega, &ball);
        for (int j = 0; j < J; j++) /* spare joints of an arm stand where they do */
            near[j] = J > d && j < J - 2 ? truth[j] : truth[j] + 6 * arm_draw(&seed);
        int n = arc_arm_poses(&arm, p, ball.x_m, near, poses);
        bool is_found = J > d;
        if (n < fewest[which])
            fail_msg("%s: %d poses", arm_cases[which].axes, n);
        for (int k = 0; k < n; k++) {
            double turned = 0, off = 0;
            assert_near(distance(&arm, p, poses + k * J, ball.x_m), 0, 3e-9);
            for (int j = 0; j < J; j++) {
                double turn = poses[k * J + j] - near[j];
                assert_true(fabs(turn) <= M_PI + 1e-12);
                turned += turn * turn;
                off = fmax(off, fabs(remainder(poses[k * J + j] - truth[j], 2 * M_PI)));
            }
            assert_true(turned >= before - 1e-9);
            before = turned;
            is_found = is_found || off < 1e-5;
        }
        if (!is_found)
            fail_msg("%s: none of %d poses is the one that it was", arm_cases[which].axes, n);
    }
}

/* Both elbows, front and back of the yaw: four; and both mirrored about the line to the ball. */
static void test_arm_poses_all_elbows_are_found(void **state)
{
    (void)state;
    ArcArm arm = arm_case(5, 0);
    double p[CASE_A], poses[ARC_ARM_MAX_POSES * CASE_J], near[CASE_J] = {0};
    arm_values(&arm, p);
    p[arm.length] = 0.1;
    const double x[3] = {p[0] + 0.5, p[1] + 0.3, p[2] + 0.4};
    assert_int_equal(arc_arm_poses(&arm, p, x, near, poses), 4);
    ArcArm plane = arm_case(1, 0);
    arm_values(&plane, p);
    p[plane.ball + 1] = 0;
    double reach = p[plane.length + 1] + p[plane.ball], l = p[plane.length];
    const double y[2] = {p[0] + 0.6, p[1] + 0.3};
    assert_int_equal(arc_arm_poses(&plane, p, y, near, poses), 2);
    assert_near(poses[1] + poses[3], 0, 1e-12);
    assert_near((poses[0] + poses[2]) / 2, atan2(0.3, 0.6), 1e-12);
    assert_near(cos(poses[1]), (0.45 - l * l - reach * reach) / (2 * l * reach), 1e-12);
}

/* Spare joints stay where near has them as long as the others suffice. */
static void test_arm_poses_spare_joints_stay(void **state)
{
    (void)state;
    ArcArm arm = arm_case(4, 0);
    double p[CASE_A], poses[ARC_ARM_MAX_POSES * CASE_J];
    const double near[CASE_J] = {0.4, -0.3, 0.5, 0.2};
    ArcArmPoint ball;
    arm_values(&arm, p);
    arc_arm_point(&arm, ARC_ARM_BALL, p, near, near, &ball);
    ball.x_m[0] -= 0.1;
    int n = arc_arm_poses(&arm, p, ball.x_m, near, poses);
    assert_int_equal(n, 2);
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 2; j++)
            assert_true(poses[4 * k + j] == near[j]);
    /* further away all of them must move */
    ball.x_m[0] = p[arm.base] + 1.5;
    ball.x_m[1] = p[arm.base + 1] + 0.8;
    const double below[CASE_J] = {-0.9, -0.3, 0.5, 0.2};
    assert_true(arc_arm_poses(&arm, p, ball.x_m, below, poses) >= 1);
    assert_near(distance(&arm, p, poses, ball.x_m), 0, 3e-9);
    assert_true(fabs(poses[0] - below[0]) > 0.1);
}

/* A first link of no length: on the circle, with any elbow, so with that of near. */
static void test_arm_poses_of_a_link_of_no_length_keep_the_elbow(void **state)
{
    (void)state;
    ArcArm arm = arm_case(1, 0);
    double p[CASE_A], poses[ARC_ARM_MAX_POSES * CASE_J];
    const double near[CASE_J] = {0.4, -0.3};
    ArcArmPoint ball;
    arm_values(&arm, p);
    p[arm.length] = 0;
    arc_arm_point(&arm, ARC_ARM_BALL, p, near, near, &ball);
    assert_int_equal(arc_arm_poses(&arm, p, ball.x_m, near, poses), 1);
    assert_near(poses[0], near[0], 1e-12);
    assert_near(poses[1], near[1], 1e-12);
}

/* Out of reach: the straight arm points at the target; too near: it is folded. */
static void test_arm_poses_out_of_reach_come_nearest(void **state)
{
    (void)state;
    ArcArm arm = arm_case(1, 0);
    double p[CASE_A], poses[ARC_ARM_MAX_POSES * CASE_J];
    const double near[CASE_J] = {0.1, 0.2};
    arm_values(&arm, p);
    double l = p[arm.length], r = hypot(p[arm.length + 1] + p[arm.ball], p[arm.ball + 1]);
    const double far[2] = {p[0] + 3, p[1] + 4}, inside[2] = {p[0] + 0.006, p[1] + 0.008};
    assert_int_equal(arc_arm_poses(&arm, p, far, near, poses), 0);
    assert_near(distance(&arm, p, poses, far), 5 - l - r, 1e-12);
    assert_int_equal(arc_arm_poses(&arm, p, inside, near, poses), 0);
    assert_near(distance(&arm, p, poses, inside), fabs(l - r) - 0.01, 1e-12);
    /* one joint alone reaches a circle; the nearest of it lies on the line to the target */
    ArcArm one = arm_case(0, 0);
    arm_values(&one, p);
    r = hypot(p[one.length] + p[one.ball], p[one.ball + 1]);
    assert_int_equal(arc_arm_poses(&one, p, far, near, poses), 0);
    assert_near(distance(&one, p, poses, far), 5 - r, 1e-12);
}

/* In space no pose about the one that comes nearest is nearer. */
static void test_arm_poses_out_of_reach_in_space_are_a_minimum(void **state)
{
    (void)state;
    uint64_t seed = 33;
    for (int which = 5; which < N_ARM_CASES; which++) {
        ArcArm arm = arm_case(which, 0);
        double p[CASE_A], poses[ARC_ARM_MAX_POSES * CASE_J];
        const double near[CASE_J] = {0.3, 0.4, -0.2, 0.5};
        int J = arm.settings.n_joints;
        arm_values(&arm, p);
        const double far[3] = {p[0] + 2, p[1] - 1.5, p[2] + 2.5};
        assert_int_equal(arc_arm_poses(&arm, p, far, near, poses), 0);
        double least = distance(&arm, p, poses, far);
        for (int i = 0; i < 2000; i++) {
            double moved[CASE_J], size = i % 2 == 0 ? 1e-3 : 3;
            for (int j = 0; j < J; j++)
                moved[j] = poses[j] + size * arm_draw(&seed);
            assert_true(distance(&arm, p, moved, far) >= least - 1e-12);
        }
    }
}

/* Whatever the numbers, the search ends, and says that it reached nothing. */
static void test_arm_poses_of_what_cannot_be_end(void **state)
{
    (void)state;
    for (int which = 0; which < N_ARM_CASES; which++) {
        ArcArm arm = arm_case(which, 0);
        double p[CASE_A], poses[ARC_ARM_MAX_POSES * CASE_J];
        const double near[CASE_J] = {0.1, 0.2, 0.3, 0.4}, nowhere[3] = {1, NAN, 0},
                     x[3] = {2, 2, 2};
        arm_values(&arm, p);
        assert_int_equal(arc_arm_poses(&arm, p, nowhere, near, poses), 0);
        memset(p + arm.length, 0, sizeof(double) * (size_t)(arm.n_geometry - arm.length));
        assert_int_equal(arc_arm_poses(&arm, p, x, near, poses), 0);
    }
}

static void test_arm_rates_for_move_the_ball_as_wanted(void **state)
{
    (void)state;
    uint64_t seed = 23;
    for (int i = 0; i < 20 * N_ARM_CASES; i++) {
        ArcArm arm = arm_case(i % N_ARM_CASES, 0);
        double p[CASE_A], t, theta[CASE_J], truth[CASE_J], omega[CASE_J], missing[3];
        int J = arm.settings.n_joints, d = arm.settings.dimensions;
        ArcArmPoint ball, again;
        double size = 0, sum = 0;
        arm_values(&arm, p);
        arm_state(&seed, &t, theta, truth);
        arc_arm_point(&arm, ARC_ARM_BALL, p, theta, truth, &ball);
        arc_arm_rates_for(&arm, p, theta, ball.v_m_s, omega, missing);
        arc_arm_point(&arm, ARC_ARM_BALL, p, theta, omega, &again);
        for (int c = 0; c < d; c++) {
            assert_near(missing[c], 0, 1e-11);
            assert_near(again.v_m_s[c], ball.v_m_s[c], 1e-11);
        }
        for (int j = 0; j < J; j++) {
            sum += truth[j] * truth[j];
            size += omega[j] * omega[j];
            if (J == d || J == 1) /* there are no others */
                assert_near(omega[j], truth[j], 1e-9);
        }
        assert_true(size <= sum * (1 + 1e-12)); /* the smallest of them */
        arc_arm_rates_for(&arm, p, theta, ball.v_m_s, omega, NULL);
    }
}

/* A straight arm cannot move the ball along itself; one joint only along its circle. */
static void test_arm_rates_for_say_what_no_rate_can_give(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        ArcArm arm = arm_case(which, 0);
        double p[CASE_A], omega[CASE_J], missing[2];
        const double theta[CASE_J] = {0.5, 0}, v[2] = {3, -2};
        arm_values(&arm, p);
        p[arm.ball + 1] = 0;
        arc_arm_rates_for(&arm, p, theta, v, omega, missing);
        double along = 3 * cos(0.5) - 2 * sin(0.5);
        assert_near(missing[0], along * cos(0.5), 1e-12);
        assert_near(missing[1], along * sin(0.5), 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm_poses_there_and_back),
        cmocka_unit_test(test_arm_poses_all_elbows_are_found),
        cmocka_unit_test(test_arm_poses_spare_joints_stay),
        cmocka_unit_test(test_arm_poses_of_a_link_of_no_length_keep_the_elbow),
        cmocka_unit_test(test_arm_poses_out_of_reach_come_nearest),
        cmocka_unit_test(test_arm_poses_out_of_reach_in_space_are_a_minimum),
        cmocka_unit_test(test_arm_poses_of_what_cannot_be_end),
        cmocka_unit_test(test_arm_rates_for_move_the_ball_as_wanted),
        cmocka_unit_test(test_arm_rates_for_say_what_no_rate_can_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
