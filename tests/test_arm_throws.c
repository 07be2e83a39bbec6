/* Many throws by an arm: any arm in any pose, the scatter of the estimates, the cover of intervals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "slow.h"
#include "thrown_case.h"

enum { DRAWS = 200 };

/* Throws of any arm in any pose: the methods agree, and one of the poses that are listed is the
 * true one. */
static void test_fit_any_throw_is_recovered(void **state)
{
    (void)state;
    int n = slow_is_wanted() ? 1000 : FEWER(60, 20), astray = 0;
    ArcRandom random = arc_random_create(77, ARC_STREAM_TRUTH);
    for (int draw = 0; draw < n; draw++) {
        ArcArmSettings settings = arm_settings(2, arc_random_uniform(&random, 0.2, 0.6),
                                               arc_random_uniform(&random, 0.2, 0.6), 0.0);
        settings.ball_m[0] = arc_random_uniform(&random, 0.0, 0.1);
        settings.ball_m[1] = arc_random_uniform(&random, -0.05, 0.05);
        double theta[2], omega[2];
        for (int j = 0; j < 2; j++) {
            theta[j] = arc_random_uniform(&random, -160.0, 160.0) * DEGREE;
            omega[j] = arc_random_uniform(&random, -12.0, 12.0);
        }
        double bend =
            theta[1] + atan2(settings.ball_m[1], settings.joints[1].length_m + settings.ball_m[0]);
        if (fabs(sin(bend)) < 0.25)
            continue; /* stretched out the angles are no longer told to first order */
        ArcExperiment *experiment = arm_experiment(PLANE, &settings);
        Thrown *thrown =
            throw_with(arm_throw(&settings, theta, omega), PLANE_FLIGHT, 500 + (uint64_t)draw);
        ArcFit *fit = fit_both(experiment, thrown);
        double nearest = INFINITY;
        for (int i = 0; i < fit->arm->n_solutions; i++) {
            const ArcArmSolution *pose = &fit->arm->solutions[i];
            double most = 0.0;
            for (int j = 0; j < 2; j++) {
                double sd = case_parameter(fit, motion[j])->sd;
                double off = remainder(pose->theta_rad[j] - theta[j], 2.0 * M_PI);
                most = fmax(most, fabs(off) / sd);
            }
            nearest = fmin(nearest, most);
        }
        astray += !(nearest < 5.0);
        throw_free(thrown);
        arc_fit_free(fit);
        arc_experiment_free(experiment);
    }
    print_message("%d of %d astray\n", astray, n);
    assert_int_equal(astray, 0);
}

/* Sds are the scatter of the estimates, those of what is tied as well. */
static void test_fit_sds_are_the_scatter(void **state)
{
    (void)state;
    static const char *const names[] = {"l1",     "l2",     "theta1", "theta2",
                                        "omega1", "omega2", "x0",     "vy0"};
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    free_arm(experiment, true);
    CaseScatter scatter[8] = {0};
    ArmThrow truth = arm_throw(&settings, theta_plane, omega_plane);
    truth.t0_s = -0.02; /* not at the first point, which t0 does not pass */
    for (int draw = 0; draw < DRAWS; draw++) {
        Thrown *thrown = throw_with(truth, PLANE_FLIGHT, 100 + (uint64_t)draw);
        throw_read(thrown, "theta1", 0.1 * DEGREE);
        throw_read(thrown, "theta2", 0.1 * DEGREE);
        throw_read(thrown, "t0", 5e-4);
        ArcFit *fit = arm_fit(experiment, thrown->capture, ARC_DIRECT);
        assert_true(fit->converged);
        for (int i = 0; i < 8; i++) {
            const ArcEstimate *e = case_parameter(fit, names[i]);
            case_scatter_add(&scatter[i], e->value, e->sd);
        }
        arc_fit_free(fit);
        throw_free(thrown);
    }
    for (int i = 0; i < 8; i++)
        case_scatter_check(&scatter[i]);
    arc_experiment_free(experiment);
}

/* 95 % intervals over many throws, by both methods: the arm and the release time from the flight's
 * points and readings of the angles, and either of the release time or of the rates. */
static void test_fit_intervals_cover(void **state)
{
    (void)state;
    static const char *const names[] = {"l1", "l2", "theta1", "theta2", "omega1", "omega2", "t0"};
    int n = slow_is_wanted() ? 4000 : FEWER(100, 15);
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    free_arm(experiment, true);
    ArmThrow truth = arm_throw(&settings, theta_plane, omega_plane);
    truth.t0_s = -0.02;
    for (int which = 0; which < 4; which++) {
        bool by_rates = which % 2 == 1;
        int covered[7] = {0};
        for (int draw = 0; draw < n; draw++) {
            Thrown *thrown = throw_with(truth, PLANE_FLIGHT, 10000 + (uint64_t)draw);
            throw_read(thrown, "theta1", 0.1 * DEGREE);
            throw_read(thrown, "theta2", 0.1 * DEGREE);
            throw_read(thrown, by_rates ? "omega1" : "t0", by_rates ? 0.03 : 5e-4);
            if (by_rates)
                throw_read(thrown, "omega2", 0.09);
            ArcFit *fit = arm_fit(experiment, thrown->capture, which < 2 ? ARC_DIRECT : ARC_PINN);
            assert_true(fit->converged && fit->n_unidentified == 0);
            for (int i = 0; i < 7; i++) {
                const ArcEstimate *e = case_parameter(fit, names[i]);
                double value = i == 6 ? truth.t0_s : *arm_truth(&thrown->truth, names[i]);
                covered[i] += value >= e->ci95[0] && value <= e->ci95[1];
            }
            arc_fit_free(fit);
            throw_free(thrown);
        }
        for (int i = 0; i < 7; i++) {
            double off = fabs(covered[i] - 0.95 * n), sd = sqrt(0.95 * 0.05 * n);
            print_message("%s, %s read, %s: %d of %d\n", which < 2 ? "direct" : "pinn",
                          by_rates ? "rates" : "t0", names[i], covered[i], n);
            if (off > 4.0 * sd)
                fail_msg("%s: %d of %d intervals hold the truth", names[i], covered[i], n);
        }
    }
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_any_throw_is_recovered),
        cmocka_unit_test(test_fit_sds_are_the_scatter),
        cmocka_unit_test(test_fit_intervals_cover),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
