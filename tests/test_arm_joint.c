/* Calibration of an arm by the flights of its throws: lengths and encoder offsets that many throws
 * share, against the truth, against each other's method and against Fisher's information, which is
 * worked out here by differences of closed forms, of a flight in vacuum by two links. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <lapacke.h>

#include "arcfit/joint.h"
#include "slow.h"
#include "throw_case.h"

enum { THROWS = 30, POINTS = 12, OWN = 4, MOST_SHARED = 6, NUMBERS = 2 * POINTS + OWN };

#define SIGMA_M 0.002
#define SPAN_S 0.6
#define ANGLE_SD (0.1 * DEGREE)
#define RATE_SHARE 0.01
#define GRAVITY 9.80665
#define FLIGHT "drag: none"
#define TEXT                                                                                       \
    "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\nflight: {drag: none}\nrelease: "           \
    "cartesian\n"

static const char *const shared_names[MOST_SHARED] = {"l1",      "l2",     "offset1",
                                                      "offset2", "base_x", "base_y"};
static const double shared_truth[MOST_SHARED] = {0.5, 0.4, 1.0 * DEGREE, -1.0 * DEGREE, 0.0, 1.0};

/* Throws from poses within a range about 90 and -30 deg. */
typedef struct Calibration {
    int n_shared;
    double own[THROWS][OWN]; /* theta1, theta2, omega1, omega2 */
    ArcCapture *captures[THROWS];
    ArcReading readings[THROWS][OWN];
} Calibration;

/* Points, then readings, of a throw in units of their sd. */
static void numbers_of(const double *shared, const double *own, const double *rates, double *y)
{
    double a = own[0], b = own[0] + own[1], A = own[2], B = own[2] + own[3];
    double x0 = shared[4] + shared[0] * cos(a) + shared[1] * cos(b);
    double y0 = shared[5] + shared[0] * sin(a) + shared[1] * sin(b);
    double vx = -shared[0] * A * sin(a) - shared[1] * B * sin(b);
    double vy = shared[0] * A * cos(a) + shared[1] * B * cos(b);
    for (int i = 0; i < POINTS; i++) {
        double t = SPAN_S * i / (POINTS - 1);
        y[2 * i] = (x0 + vx * t) / SIGMA_M;
        y[2 * i + 1] = (y0 + vy * t - 0.5 * GRAVITY * t * t) / SIGMA_M;
    }
    y[2 * POINTS] = (own[0] + shared[2]) / ANGLE_SD;
    y[2 * POINTS + 1] = (own[1] + shared[3]) / ANGLE_SD;
    y[2 * POINTS + 2] = own[2] / (RATE_SHARE * fabs(rates[0]));
    y[2 * POINTS + 3] = own[3] / (RATE_SHARE * fabs(rates[1]));
}

/* sds of the shared ones by Fisher's information, own ones eliminated throw by throw:
 * M = sum (S'S - S'O (O'O)^-1 O'S). */
static void fisher(const Calibration *c, double *sd)
{
    double M[MOST_SHARED * MOST_SHARED] = {0};
    int n = c->n_shared, all = n + OWN;
    for (int f = 0; f < THROWS; f++) {
        double J[NUMBERS * (MOST_SHARED + OWN)], above[NUMBERS], below[NUMBERS], r[NUMBERS];
        const double *rates = c->own[f] + 2;
        for (int k = 0; k < all; k++) {
            double shared[MOST_SHARED], own[OWN], h = 1e-5;
            double *moved = k < n ? &shared[k] : &own[k - n];
            memcpy(shared, shared_truth, sizeof shared);
            memcpy(own, c->own[f], sizeof own);
            *moved += h;
            numbers_of(shared, own, rates, above);
            *moved -= 2.0 * h;
            numbers_of(shared, own, rates, below);
            for (int i = 0; i < NUMBERS; i++)
                J[i + k * NUMBERS] = (above[i] - below[i]) / (2.0 * h);
        }
        /* Each shared column less what the own ones explain of it. */
        for (int k = 0; k < n; k++) {
            double O[NUMBERS * OWN];
            memcpy(O, J + n * NUMBERS, sizeof O);
            memcpy(r, J + k * NUMBERS, sizeof r);
            assert_int_equal(
                LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', NUMBERS, OWN, 1, O, NUMBERS, r, NUMBERS), 0);
            for (int i = 0; i < NUMBERS; i++) {
                above[i] = J[i + k * NUMBERS];
                for (int o = 0; o < OWN; o++)
                    above[i] -= J[i + (n + o) * NUMBERS] * r[o];
            }
            for (int l = 0; l < n; l++)
                for (int i = 0; i < NUMBERS; i++)
                    M[k * n + l] += above[i] * J[i + l * NUMBERS];
        }
    }
    assert_int_equal(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, M, n), 0);
    assert_int_equal(LAPACKE_dpotri(LAPACK_ROW_MAJOR, 'L', n, M, n), 0);
    for (int k = 0; k < n; k++)
        sd[k] = sqrt(M[k * n + k]);
}

static void calibration_throw(Calibration *c, int n_shared, double range, uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, ARC_STREAM_TRUTH);
    ArcArmSettings settings = arm_settings(2, shared_truth[0], shared_truth[1], 0.0);
    *c = (Calibration){.n_shared = n_shared};
    for (int f = 0; f < THROWS; f++) {
        double *own = c->own[f];
        own[0] = 90 * DEGREE + arc_random_uniform(&random, -range, range);
        own[1] = -30 * DEGREE + arc_random_uniform(&random, -range, range);
        own[2] = arc_random_uniform(&random, -4.0, -2.0);
        own[3] = arc_random_uniform(&random, -10.0, -6.0);
        ArmThrow thrown = arm_throw(&settings, own, own + 2);
        c->captures[f] =
            arm_capture(&thrown, FLIGHT, POINTS, SPAN_S, SIGMA_M, 1000 * seed + (uint64_t)f + 1);
        static const char *const names[OWN] = {"theta1", "theta2", "omega1", "omega2"};
        for (int k = 0; k < OWN; k++) {
            double sd = k < 2 ? ANGLE_SD : RATE_SHARE * fabs(own[k]);
            double truth = own[k] + (k < 2 ? shared_truth[2 + k] : 0.0);
            c->readings[f][k] =
                (ArcReading){names[k], truth + sd * arc_random_normal(&random), sd, f + 2};
        }
        c->captures[f]->n_readings = OWN;
        c->captures[f]->readings = c->readings[f];
    }
}

static void calibration_free(Calibration *c)
{
    for (int f = 0; f < THROWS; f++)
        arc_capture_free(c->captures[f]);
}

/* Lengths 5 mm off and no offsets are what is known before. */
static ArcExperiment *calibration_experiment(int n_shared)
{
    ArcArmSettings settings =
        arm_settings(2, shared_truth[0] + 0.005, shared_truth[1] - 0.005, 0.0);
    settings.has_encoders = true;
    ArcExperiment *experiment = arm_experiment(TEXT, &settings);
    for (int k = 0; k < n_shared; k++)
        arm_free(experiment, shared_names[k]);
    return experiment;
}

static ArcFit *calibrate(const Calibration *c, ArcMethod method)
{
    ArcError err;
    ArcJoint *joint = NULL;
    ArcFit *fit = NULL;
    ArcExperiment *experiment = calibration_experiment(c->n_shared);
    if (arc_joint_create(experiment, THROWS, (const ArcCapture *const *)c->captures, &joint,
                         &err) != ARC_OK ||
        arc_joint_fit(joint, method, NULL, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_joint_free(joint);
    arc_experiment_free(experiment);
    assert_true(fit->converged);
    assert_int_equal(fit->n_unidentified, 0);
    assert_int_equal(fit->residuals.n_readings, OWN * THROWS);
    assert_int_equal(fit->residuals.dof, THROWS * (NUMBERS - OWN) - c->n_shared);
    return fit;
}

/* sds as Fisher says, of shared ones. */
static void check_fisher(const ArcFit *fit, const double *sd, int n)
{
    for (int k = 0; k < n; k++) {
        const ArcEstimate *e = case_parameter(fit, shared_names[k]);
        print_message("%s: off %.2g, sd %.3g, Fisher %.3g\n", e->name, e->value - shared_truth[k],
                      e->sd, sd[k]);
        if (!(fabs(e->sd / sd[k] - 1.0) < 0.05))
            fail_msg("%s: sd %.4g, by Fisher's information %.4g", e->name, e->sd, sd[k]);
    }
}

static void test_joint_throws_calibrate_the_arm(void **state)
{
    (void)state;
    Calibration c;
    double sd[MOST_SHARED];
    calibration_throw(&c, 4, 60 * DEGREE, 1);
    fisher(&c, sd);
    ArcFit *direct = calibrate(&c, ARC_DIRECT), *pinn = calibrate(&c, ARC_PINN);
    check_fisher(direct, sd, 4);
    CaseGap gap = case_gap(pinn, direct);
    assert_true(gap.estimate_sd < 0.05 && gap.sd_share < 1e-3);
    for (int k = 0; k < 4; k++) {
        const ArcEstimate *e = case_parameter(direct, shared_names[k]);
        double limit = k < 2 ? 0.002 : 0.2 * DEGREE;
        assert_true(fabs(e->value - shared_truth[k]) < limit);
    }
    for (int f = 0; f < THROWS; f++) {
        const ArcFit *one = &direct->flights[f], *other = &pinn->flights[f];
        CaseGap own = case_gap(other, one);
        assert_true(own.estimate_sd < 0.05 && own.sd_share < 1e-3);
        const ArcEstimate *x0 = case_parameter(one, "x0");
        assert_int_equal(x0->status, ARC_PARAMETER_TIED);
        assert_true(x0->sd > 0.0 && x0->sd < SIGMA_M);
        assert_true(one->arm->n_solutions >= 1);
        for (int i = 1; i < one->arm->n_solutions; i++)
            assert_true(one->arm->solutions[i].is_told_apart);
    }
    arc_fit_free(direct);
    arc_fit_free(pinn);
    calibration_free(&c);
}

/* Narrow poses or a base that is unknown too: wider, as Fisher's information has it. */
static void test_joint_narrow_poses_and_a_free_base_are_wider(void **state)
{
    (void)state;
    Calibration wide, narrow, base;
    double sd_wide[MOST_SHARED], sd_narrow[MOST_SHARED], sd_base[MOST_SHARED];
    calibration_throw(&wide, 4, 60 * DEGREE, 2);
    calibration_throw(&narrow, 4, 10 * DEGREE, 2);
    calibration_throw(&base, 6, 60 * DEGREE, 2);
    fisher(&wide, sd_wide);
    fisher(&narrow, sd_narrow);
    fisher(&base, sd_base);
    for (int k = 0; k < 4; k++)
        assert_true(sd_base[k] > sd_wide[k] && sd_narrow[k] > 1.2 * sd_wide[k]);
    for (int k = 0; k < 4; k++)
        print_message("%s: narrow %.2f, base %.2f times as wide\n", shared_names[k],
                      sd_narrow[k] / sd_wide[k], sd_base[k] / sd_wide[k]);
    ArcFit *fit = calibrate(&narrow, ARC_DIRECT);
    check_fisher(fit, sd_narrow, 4);
    arc_fit_free(fit);
    fit = calibrate(&base, ARC_DIRECT);
    check_fisher(fit, sd_base, 6);
    arc_fit_free(fit);
    calibration_free(&wide);
    calibration_free(&narrow);
    calibration_free(&base);
}

/* 95 % intervals over many calibrations. */
static void test_joint_intervals_cover(void **state)
{
    (void)state;
    int n = slow_is_wanted() ? 2000 : FEWER(60, 8), covered[4] = {0};
    for (int draw = 0; draw < n; draw++) {
        Calibration c;
        calibration_throw(&c, 4, 60 * DEGREE, 100 + (uint64_t)draw);
        ArcFit *fit = calibrate(&c, ARC_DIRECT);
        for (int k = 0; k < 4; k++) {
            const ArcEstimate *e = case_parameter(fit, shared_names[k]);
            covered[k] += shared_truth[k] >= e->ci95[0] && shared_truth[k] <= e->ci95[1];
        }
        arc_fit_free(fit);
        calibration_free(&c);
    }
    for (int k = 0; k < 4; k++) {
        double off = fabs(covered[k] - 0.95 * n), sd = sqrt(0.95 * 0.05 * n);
        print_message("%s: %d of %d\n", shared_names[k], covered[k], n);
        if (off > 4.0 * sd)
            fail_msg("%s: %d of %d intervals hold the truth", shared_names[k], covered[k], n);
    }
}

/* What the experiment says was measured of a shared parameter counts once. */
static void test_joint_shared_reading_counts_once(void **state)
{
    (void)state;
    ArcError err;
    Calibration c;
    calibration_throw(&c, 4, 60 * DEGREE, 3);
    ArcExperiment *experiment = calibration_experiment(4);
    double sd[2];
    for (int k = 0; k < 2; k++) {
        ArcJoint *joint = NULL;
        ArcFit *fit = NULL;
        if (k == 1)
            arm_measured(experiment, "l1", shared_truth[0], 5e-4);
        assert_int_equal(arc_joint_create(experiment, THROWS, (const ArcCapture *const *)c.captures,
                                          &joint, &err),
                         ARC_OK);
        assert_int_equal(arc_joint_fit(joint, ARC_DIRECT, NULL, &fit, &err), ARC_OK);
        sd[k] = case_parameter(fit, "l1")->sd;
        assert_int_equal(fit->residuals.n_readings, OWN * THROWS + k);
        arc_fit_free(fit);
        arc_joint_free(joint);
    }
    double expected = 1.0 / sqrt(1.0 / (sd[0] * sd[0]) + 1.0 / (5e-4 * 5e-4));
    if (!(fabs(sd[1] / expected - 1.0) < 0.01))
        fail_msg("sd %.4g, expected %.4g", sd[1], expected);
    arc_experiment_free(experiment);
    calibration_free(&c);
}

/* sigma: estimate looks at the points alone: readings have sds of their own. */
static void test_joint_estimated_sigma_is_that_of_the_points(void **state)
{
    (void)state;
    ArcError err;
    Calibration c;
    calibration_throw(&c, 4, 60 * DEGREE, 4);
    ArcExperiment *experiment = calibration_experiment(4);
    experiment->capture.sigma_estimated = true;
    ArcJoint *joint = NULL;
    ArcFit *fit = NULL;
    assert_int_equal(
        arc_joint_create(experiment, THROWS, (const ArcCapture *const *)c.captures, &joint, &err),
        ARC_OK);
    assert_int_equal(arc_joint_fit(joint, ARC_DIRECT, NULL, &fit, &err), ARC_OK);
    double off = (fit->spread.sigma_factor - 1.0) / fit->spread.sigma_factor_sd;
    print_message("sigma factor %.4f, sd %.4f\n", fit->spread.sigma_factor,
                  fit->spread.sigma_factor_sd);
    assert_true(fit->converged && fabs(off) < 4.0 && fit->spread.sigma_factor_sd < 0.04);
    arc_fit_free(fit);
    arc_joint_free(joint);
    arc_experiment_free(experiment);
    calibration_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joint_throws_calibrate_the_arm),
        cmocka_unit_test(test_joint_narrow_poses_and_a_free_base_are_wider),
        cmocka_unit_test(test_joint_intervals_cover),
        cmocka_unit_test(test_joint_shared_reading_counts_once),
        cmocka_unit_test(test_joint_estimated_sigma_is_that_of_the_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
