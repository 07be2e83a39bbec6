/* Robust losses, estimated sigma, intervals and outliers: both methods on flights with and without
 * points that are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/arcfit.h"
#include "base/random.h"
#include "fit_case.h"
#include "slow.h"
#include "solve/statistics.h"

enum { MOST_POINTS = 120, N_FREE = 5 };
static const double sigma_m = 0.003, span_s = 1.1;

#define TRUTH                                                                                      \
    "arcfit: 1\nflight: {ball: basketball, drag: quadratic}\nparameters: {cd: {fixed: 0.5}, "      \
    "x0: {start: 0}, y0: {start: 2}, vx0: {start: 7.2}, vy0: {start: 6.1}}\n"
#define FLIGHT "flight: {ball: basketball, drag: quadratic}\nparameters: {cd: {start: 0.4}}\n"
static const double truth[N_FREE] = {0.5, 0.0, 2.0, 7.2, 6.1};

static const char *text_of(const char *sigma, const char *loss)
{
    static char text[400];
    snprintf(text, sizeof text,
             "arcfit: 1\ncapture: {file: none.csv, sigma: %s}\n" FLIGHT "fit: {loss: %s}\n", sigma,
             loss);
    return text;
}

/* How points are spoilt. */
typedef enum Spoilt { CLEAN, GROSS, METRES } Spoilt;

/* n points of the true flight; a share of them spoilt on both axes, in either direction or all to
 * one side; marks them in bad (n), which may be NULL. */
static ArcCapture *spoilt_capture(int n, double share, Spoilt how, uint64_t seed, bool *bad)
{
    ArcError err;
    ArcRandom random = arc_random_create(seed, 96);
    ArcCapture *clean = case_capture_seed(TRUTH, n, span_s, sigma_m, seed), *capture = NULL;
    double x[2 * MOST_POINTS];
    for (int i = 0; i < n; i++) {
        bool is_bad = arc_random_uniform(&random, 0.0, 1.0) < share;
        if (bad != NULL)
            bad[i] = is_bad;
        for (int c = 0; c < 2; c++) {
            double off = how == METRES ? arc_random_uniform(&random, 1.0, 2.0)
                                       : 0.3 * arc_random_normal(&random);
            x[2 * i + c] = clean->position_m[2 * i + c] + (is_bad ? off : 0.0);
        }
    }
    if (arc_capture_create(GIVEN(n, 2, clean->time_s, x, clean->sigma_m), &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_capture_free(clean);
    return capture;
}

/* Largest distance of an estimate from the truth in its sd. */
static double worst_sd(const ArcFit *fit)
{
    double worst = 0.0;
    for (int i = 0, k = 0; i < fit->n_parameters; i++) {
        const ArcEstimate *e = &fit->parameters[i];
        if (e->free_index < 0)
            continue;
        double off = fabs(e->value - truth[k++]) / e->sd;
        worst = off <= worst ? worst : off;
    }
    return worst;
}

static void test_fit_both_methods_agree_under_every_loss(void **state)
{
    (void)state;
    static const char *const losses[] = {"gauss",  "huber",     "{kind: huber, tuning: 2}",
                                         "cauchy", "student-t", "{kind: student-t, dof: estimate}"};
    static const char *const sigmas[] = {"3 mm", "estimate"};
    for (size_t l = 0; l < sizeof losses / sizeof losses[0]; l++)
        for (int s = 0; s < 2; s++) {
            ArcCapture *capture = spoilt_capture(40, 0.1, GROSS, 10 + l, NULL);
            ArcFit *pinn = case_fit(text_of(sigmas[s], losses[l]), capture, ARC_PINN);
            ArcFit *direct = case_fit(text_of(sigmas[s], losses[l]), capture, ARC_DIRECT);
            assert_true(pinn->converged && direct->converged);
            CaseGap gap = case_gap(pinn, direct);
            if (!(gap.estimate_sd < 1e-2 && gap.sd_share < 1e-2))
                fail_msg("%s, sigma %s: %g sd apart, sds by %g", losses[l], sigmas[s],
                         gap.estimate_sd, gap.sd_share);
            assert_true(fabs(pinn->interval_factor / direct->interval_factor - 1.0) < 1e-3);
            assert_int_equal(pinn->spread.n_outliers, direct->spread.n_outliers);
            arc_fit_free(pinn);
            arc_fit_free(direct);
            arc_capture_free(capture);
        }
}

/* A robust loss finds the flight among points that are wrong, where gauss does not. */
static void test_fit_robust_losses_recover_the_truth(void **state)
{
    (void)state;
    static const struct {
        const char *loss;
        double share;
        Spoilt how;
    } rows[] = {{"huber", 0.1, GROSS},  {"huber", 0.3, GROSS},      {"huber", 0.1, METRES},
                {"cauchy", 0.1, GROSS}, {"cauchy", 0.3, METRES},    {"student-t", 0.1, METRES},
                {"cauchy", 0.3, GROSS}, {"student-t", 0.3, METRES}, {"student-t", 0.3, GROSS}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            ArcCapture *capture = spoilt_capture(100, rows[k].share, rows[k].how, seed, NULL);
            for (int method = ARC_PINN; method <= ARC_DIRECT; method++) {
                ArcFit *fit = case_fit(text_of("3 mm", rows[k].loss), capture, (ArcMethod)method);
                double off = worst_sd(fit);
                if (!(fit->converged && off < 5.0))
                    fail_msg("%s, %g bad, seed %d: %g sd off", rows[k].loss, rows[k].share,
                             (int)seed, off);
                if (rows[k].how == GROSS)
                    assert_true(fit->residuals.chi2_p > ARC_MISFIT_P);
                arc_fit_free(fit);
            }
            ArcFit *gauss = case_fit(text_of("3 mm", "gauss"), capture, ARC_DIRECT);
            assert_true(worst_sd(gauss) > 5.0);
            arc_fit_free(gauss);
            arc_capture_free(capture);
        }
}

/* Of a wrong model a robust loss does not make a good one. */
static void test_fit_robust_misfit_is_seen(void **state)
{
    (void)state;
    static const char *const losses[] = {"huber", "cauchy", "student-t"};
    ArcCapture *capture = spoilt_capture(60, 0.0, CLEAN, 3, NULL);
    for (int l = 0; l < 3; l++) {
        char text[300];
        snprintf(text, sizeof text, CASE_HEAD "flight: {dimensions: 2}\nfit: {loss: %s}\n",
                 losses[l]);
        ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
        assert_true(fit->residuals.chi2_p < ARC_MISFIT_P);
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* Without drag all is linear: s^2 = chi2 / (numbers - parameters), and t with as many degrees. */
static void test_fit_estimated_sigma_is_that_of_closed_form(void **state)
{
    (void)state;
    const char *text = "arcfit: 1\ncapture: {sigma: estimate}\nflight: {dimensions: 2}\n";
    enum { N = 9 };
    double t[N], x[2 * N], sigma[2 * N], chi2 = 0.0;
    ArcRandom random = arc_random_create(4, 96);
    for (int i = 0; i < N; i++) {
        t[i] = 0.1 * i;
        x[2 * i] = 1.0 + 4.0 * t[i] + 0.02 * arc_random_normal(&random);
        x[2 * i + 1] =
            2.0 + 6.0 * t[i] - 0.5 * 9.80665 * t[i] * t[i] + 0.02 * arc_random_normal(&random);
        sigma[2 * i] = sigma[2 * i + 1] = i % 2 == 0 ? 0.5 : 1.0;
    }
    for (int c = 0; c < 2; c++) {
        double w = 0, wt = 0, wtt = 0, wy = 0, wty = 0;
        for (int i = 0; i < N; i++) {
            double weight = 1.0 / (sigma[2 * i] * sigma[2 * i]);
            double y = x[2 * i + c] + (c == 1 ? 0.5 * 9.80665 * t[i] * t[i] : 0.0);
            w += weight, wt += weight * t[i], wtt += weight * t[i] * t[i];
            wy += weight * y, wty += weight * t[i] * y;
        }
        double slope = (w * wty - wt * wy) / (w * wtt - wt * wt), at0 = (wy - slope * wt) / w;
        for (int i = 0; i < N; i++) {
            double y = x[2 * i + c] + (c == 1 ? 0.5 * 9.80665 * t[i] * t[i] : 0.0);
            double off = (y - at0 - slope * t[i]) / sigma[2 * i];
            chi2 += off * off;
        }
    }
    ArcError err;
    ArcCapture *capture = NULL;
    assert_int_equal(arc_capture_create(GIVEN(N, 2, t, x, sigma), &capture, &err), ARC_OK);
    double s = sqrt(chi2 / (2 * N - 4));
    for (int method = ARC_PINN; method <= ARC_DIRECT; method++) {
        ArcFit *fit = case_fit(text, capture, (ArcMethod)method);
        assert_true(fit->spread.sigma_estimated && isnan(fit->spread.sigma_m));
        assert_true(fabs(fit->spread.sigma_factor / s - 1.0) < 1e-6);
        assert_true(fabs(fit->spread.sigma_factor_sd / (s / sqrt(4.0 * N - 8.0)) - 1.0) < 1e-6);
        assert_true(fabs(fit->spread.interval_dof - (2 * N - 4)) < 1e-3);
        assert_true(fabs(fit->interval_factor - arc_statistics_t_quantile(0.975, 2 * N - 4)) <
                    1e-4);
        assert_true(fabs(fit->residuals.chi2 - (2 * N - 4)) < 1e-3);
        assert_true(isnan(fit->residuals.chi2_p));
        const ArcEstimate *e = case_parameter(fit, "vx0");
        assert_true(fabs((e->ci95[1] - e->value) / (fit->interval_factor * e->sd) - 1.0) < 1e-12);
        const ArcEstimate *speed = case_derived(fit, "release_speed");
        assert_true(fabs((speed->ci95[1] - speed->value) / (fit->interval_factor * speed->sd) -
                         1.0) < 1e-12);
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* In other units of sigma everything but the factor is the same, with a prior, too: it keeps its
 * own scale. */
static void test_fit_estimated_sigma_does_not_depend_on_its_unit(void **state)
{
    (void)state;
    const char *text = "arcfit: 1\ncapture: {sigma: estimate}\n"
                       "flight: {ball: basketball, drag: quadratic}\n"
                       "parameters: {cd: {start: 0.4, prior: {mean: 0.45, sd: 0.02}}}\n";
    ArcCapture *capture = spoilt_capture(12, 0.0, CLEAN, 6, NULL), *other = NULL;
    ArcError err;
    double sigma[24];
    for (int i = 0; i < 24; i++)
        sigma[i] = 40.0 * sigma_m;
    assert_int_equal(
        arc_capture_create(GIVEN(12, 2, capture->time_s, capture->position_m, sigma), &other, &err),
        ARC_OK);
    ArcFit *fit = case_fit(text, capture, ARC_DIRECT), *same = case_fit(text, other, ARC_DIRECT);
    CaseGap gap = case_gap(fit, same);
    assert_true(gap.estimate_sd < 1e-4 && gap.sd_share < 1e-4);
    assert_true(fabs(fit->spread.sigma_factor / same->spread.sigma_factor / 40.0 - 1.0) < 1e-4);
    assert_true(fabs(fit->spread.sigma_m / same->spread.sigma_m - 1.0) < 1e-4);
    /* The prior tells part of cd, so that fewer than all five are determined by the points. */
    assert_true(fit->spread.interval_dof > 24 - N_FREE + 0.05);
    assert_true(fit->spread.interval_dof < 24 - N_FREE + 1.0);
    /* The equation of s: chi2 of the points is their number less those determined. */
    assert_true(fabs(fit->residuals.chi2 / fit->spread.interval_dof - 1.0) < 1e-4);
    arc_fit_free(fit);
    arc_fit_free(same);
    arc_capture_free(capture);
    arc_capture_free(other);
}

static void test_problem_without_spare_numbers_cannot_estimate_sigma(void **state)
{
    (void)state;
    ArcError err;
    ArcCapture *capture = spoilt_capture(2, 0.0, CLEAN, 1, NULL);
    ArcExperiment *experiment = case_experiment(text_of("estimate", "gauss"));
    ArcProblem *problem = NULL;
    assert_int_equal(arc_problem_create(experiment, capture, &problem, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "sigma cannot be estimated: 4 numbers and 0 priors for 5"));
    assert_null(problem);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

/* Points without any scatter: sigma stops at its least, and nothing is infinite. */
static void test_fit_estimated_sigma_of_exact_points_is_finite(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture_seed(TRUTH, 12, span_s, 1e-300, 1);
    ArcError err;
    ArcCapture *exact = NULL;
    double sigma[24];
    for (int i = 0; i < 24; i++)
        sigma[i] = 1e-3;
    assert_int_equal(
        arc_capture_create(GIVEN(12, 2, capture->time_s, capture->position_m, sigma), &exact, &err),
        ARC_OK);
    for (int method = ARC_PINN; method <= ARC_DIRECT; method++) {
        ArcFit *fit = case_fit(text_of("estimate", "gauss"), exact, (ArcMethod)method);
        assert_true(fit->spread.sigma_m >= 0.999e-9 && fit->spread.sigma_m < 1e-6);
        assert_true(fabs(case_parameter(fit, "cd")->value - 0.5) < 1e-5);
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
    arc_capture_free(exact);
}

static void test_fit_outliers_are_the_spoilt_points(void **state)
{
    (void)state;
    static const char *const losses[] = {"gauss", "huber", "cauchy"};
    for (int l = 0; l < 3; l++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            bool bad[MOST_POINTS];
            ArcCapture *capture = spoilt_capture(60, l == 0 ? 0.05 : 0.15, METRES, seed, bad);
            ArcFit *fit = case_fit(text_of("3 mm", losses[l]), capture, ARC_DIRECT);
            int n_bad = 0, n_sound = 0;
            for (int i = 0; i < 60; i++)
                n_bad += bad[i];
            for (int k = 0; k < fit->spread.n_outliers; k++) {
                const ArcOutlier *o = &fit->spread.outliers[k];
                n_sound += !bad[o->point];
                if (k > 0)
                    assert_true(fabs(o->residual_sd) <= fabs(o[-1].residual_sd));
                if (bad[o->point])
                    assert_true(o->residual_m > 0.95 && o->residual_m < 2.05);
                assert_true(l == 0 ? o->weight == 1.0 : o->weight < 0.35);
            }
            assert_int_equal(fit->spread.n_outliers - n_sound, 2 * n_bad);
            assert_true(n_sound <= 1);
            arc_fit_free(fit);
            arc_capture_free(capture);
        }
}

/* A metre among six points pulls the flight to itself under gauss; it alone is named. */
static void test_fit_outlier_among_few_points_does_not_hide(void **state)
{
    (void)state;
    for (int bad = 1; bad < 5; bad++) {
        ArcError err;
        ArcCapture *clean = case_capture_seed(TRUTH, 6, span_s, sigma_m, 8), *capture = NULL;
        double x[12];
        memcpy(x, clean->position_m, sizeof x);
        x[2 * bad + 1] -= 1.0;
        assert_int_equal(
            arc_capture_create(GIVEN(6, 2, clean->time_s, x, clean->sigma_m), &capture, &err),
            ARC_OK);
        for (int method = ARC_PINN; method <= ARC_DIRECT; method++) {
            ArcFit *fit = case_fit(text_of("3 mm", "gauss"), capture, (ArcMethod)method);
            assert_true(fit->spread.n_outliers >= 1);
            const ArcOutlier *o = &fit->spread.outliers[0];
            assert_int_equal(o->point, bad);
            assert_int_equal(o->axis, 1);
            assert_true(o->residual_m < -0.9 && o->residual_m > -1.1);
            arc_fit_free(fit);
        }
        arc_capture_free(capture);
        arc_capture_free(clean);
    }
}

/* One clean capture in a hundred has a point named. */
static void test_fit_outliers_of_clean_captures_are_rare(void **state)
{
    (void)state;
    enum { CAPTURES = FEWER(400, 100) };
    static const char *const sigmas[] = {"3 mm", "estimate"};
    for (int s = 0; s < 2; s++) {
        int named = 0;
        for (uint64_t seed = 1; seed <= CAPTURES; seed++) {
            ArcCapture *capture = spoilt_capture(20, 0.0, CLEAN, seed, NULL);
            ArcFit *fit = case_fit(text_of(sigmas[s], "gauss"), capture, ARC_DIRECT);
            named += fit->spread.n_outliers > 0;
            arc_fit_free(fit);
            arc_capture_free(capture);
        }
        assert_true(named <= 12); /* of 4 expected, with a chance of 3e-4 */
        assert_true(named >= FEWER(1, 0));
    }
}

static void test_fit_degrees_of_freedom_are_found(void **state)
{
    (void)state;
    const char *loss = "{kind: student-t, dof: estimate}";
    ArcCapture *clean = spoilt_capture(100, 0.0, CLEAN, 2, NULL);
    ArcFit *fit = case_fit(text_of("estimate", loss), clean, ARC_DIRECT);
    assert_true(fit->spread.loss.dof > 6.0 && isinf(fit->spread.loss_dof_ci95[1]));
    assert_true(fit->spread.loss_dof_ci95[0] > 2.0);
    arc_fit_free(fit);
    /* Errors of three degrees of freedom. */
    ArcError err;
    ArcRandom random = arc_random_create(5, 96);
    ArcCapture *exact = case_capture_seed(TRUTH, 100, span_s, 1e-300, 1), *heavy = NULL;
    double x[200], sigma[200];
    for (int i = 0; i < 200; i++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++)
            square += pow(arc_random_normal(&random), 2.0) / 3.0;
        x[i] = exact->position_m[i] + sigma_m * arc_random_normal(&random) / sqrt(square);
        sigma[i] = 0.001;
    }
    assert_int_equal(arc_capture_create(GIVEN(100, 2, exact->time_s, x, sigma), &heavy, &err),
                     ARC_OK);
    fit = case_fit(text_of("estimate", loss), heavy, ARC_DIRECT);
    assert_true(fit->spread.loss_dof_ci95[0] < 3.0 && fit->spread.loss_dof_ci95[1] > 3.0);
    assert_true(fit->spread.loss.dof > fit->spread.loss_dof_ci95[0] &&
                fit->spread.loss.dof < fit->spread.loss_dof_ci95[1]);
    assert_true(fit->spread.loss_dof_ci95[1] < 15.0);
    assert_true(fabs(fit->spread.sigma_m - sigma_m) < 4.0 * 0.003 * fit->spread.sigma_factor_sd);
    arc_fit_free(fit);
    arc_capture_free(clean);
    arc_capture_free(exact);
    arc_capture_free(heavy);
}

/* 95 % intervals over 300 captures: all five parameters together. */
static void test_fit_intervals_cover_the_truth(void **state)
{
    (void)state;
    enum { CAPTURES = FEWER(300, 60) };
    const double most = 0.03 * sqrt(300.0 / CAPTURES);
    static const struct {
        const char *sigma, *loss;
        int n;
        double share;
        ArcMethod method;
    } rows[] = {
        {"3 mm", "huber", 100, 0.1, ARC_DIRECT}, {"3 mm", "cauchy", 100, 0.1, ARC_DIRECT},
        {"3 mm", "huber", 30, 0.1, ARC_PINN},    {"estimate", "gauss", 8, 0.0, ARC_DIRECT},
        {"estimate", "gauss", 8, 0.0, ARC_PINN}, {"estimate", "huber", 50, 0.1, ARC_DIRECT}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        int hits = 0;
        for (uint64_t seed = 1; seed <= CAPTURES; seed++) {
            ArcCapture *capture = spoilt_capture(rows[k].n, rows[k].share, GROSS, seed, NULL);
            ArcFit *fit = case_fit(text_of(rows[k].sigma, rows[k].loss), capture, rows[k].method);
            for (int i = 0, j = 0; i < fit->n_parameters; i++) {
                const ArcEstimate *e = &fit->parameters[i];
                if (e->free_index < 0)
                    continue;
                hits += e->ci95[0] <= truth[j] && truth[j] <= e->ci95[1];
                j++;
            }
            arc_fit_free(fit);
            arc_capture_free(capture);
        }
        double covered = (double)hits / (N_FREE * CAPTURES);
        if (!(fabs(covered - 0.95) < most))
            fail_msg("%s, %s, %d points: %g covered", rows[k].sigma, rows[k].loss, rows[k].n,
                     covered);
    }
}

static void test_fit_robust_intervals_of_few_points_say_so(void **state)
{
    (void)state;
    ArcCapture *few = spoilt_capture(29, 0.0, CLEAN, 1, NULL);
    ArcCapture *enough = spoilt_capture(30, 0.0, CLEAN, 1, NULL);
    ArcFit *a = case_fit(text_of("3 mm", "huber"), few, ARC_DIRECT);
    ArcFit *b = case_fit(text_of("3 mm", "huber"), enough, ARC_DIRECT);
    ArcFit *c = case_fit(text_of("3 mm", "gauss"), few, ARC_DIRECT);
    assert_non_null(a->spread.note);
    assert_non_null(strstr(a->spread.note, "--bootstrap"));
    assert_null(b->spread.note);
    assert_null(c->spread.note);
    assert_true(c->interval_factor == 1.96 && isinf(c->spread.interval_dof));
    arc_fit_free(a);
    arc_fit_free(b);
    arc_fit_free(c);
    arc_capture_free(few);
    arc_capture_free(enough);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_both_methods_agree_under_every_loss),
        cmocka_unit_test(test_fit_robust_losses_recover_the_truth),
        cmocka_unit_test(test_fit_robust_misfit_is_seen),
        cmocka_unit_test(test_fit_estimated_sigma_is_that_of_closed_form),
        cmocka_unit_test(test_fit_estimated_sigma_does_not_depend_on_its_unit),
        cmocka_unit_test(test_problem_without_spare_numbers_cannot_estimate_sigma),
        cmocka_unit_test(test_fit_estimated_sigma_of_exact_points_is_finite),
        cmocka_unit_test(test_fit_outliers_are_the_spoilt_points),
        cmocka_unit_test(test_fit_outlier_among_few_points_does_not_hide),
        cmocka_unit_test(test_fit_outliers_of_clean_captures_are_rare),
        cmocka_unit_test(test_fit_degrees_of_freedom_are_found),
        cmocka_unit_test(test_fit_intervals_cover_the_truth),
        cmocka_unit_test(test_fit_robust_intervals_of_few_points_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
