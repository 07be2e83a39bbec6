/* Models ranked: criteria by closed forms, tests between nested models over simulated flights, the
 * true law on top, and captures that do not compare. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/ranking.h"
#include "fit_case.h"
#include "slow.h"
#include "sweep.h"

enum { MODELS = 3 };

#define BALL "ball: {mass: 0.62 kg, diameter: 0.24 m}"
#define VACUUM CASE_HEAD "flight: {dimensions: 2, " BALL "}\n"
#define DRAG CASE_HEAD "flight: {dimensions: 2, " BALL ", drag: lumped}\n"
#define BOTH CASE_HEAD "flight: {dimensions: 2, " BALL ", drag: lumped, lift: lumped}\n"
#define RELEASE "x0: 0, y0: 2, vx0: 4.6, vy0: 6.4"

/* A result of one fit, with what a ranking looks at. */
typedef struct Model {
    ArcExperiment *experiment;
    ArcFit *fit;
    ArcResult result;
} Model;

static Model model_fit(const char *text, const ArcCapture *capture, ArcMethod method)
{
    Model model = {.experiment = case_experiment(text), .fit = case_fit(text, capture, method)};
    model.result = (ArcResult){.experiment_path = "case.yaml",
                               .n_fits = 1,
                               .fits = {model.fit},
                               .capture = capture,
                               .n_settings = model.experiment->n_settings,
                               .setting_paths = model.experiment->setting_paths,
                               .setting_values = model.experiment->setting_values};
    return model;
}

static void model_free(Model *model)
{
    arc_experiment_free(model->experiment);
    arc_fit_free(model->fit);
}

static ArcRanking *rank(int n, Model *models, ArcMethod method)
{
    ArcError err;
    const ArcResult *results[MODELS];
    ArcRanking *ranking = NULL;
    for (int i = 0; i < n; i++)
        results[i] = &models[i].result;
    if (arc_ranking_create(n, results, method, &ranking, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(ranking->n, n);
    return ranking;
}

/* A line through points in vacuum is linear regression: chi2 and all criteria by hand. */
static void test_ranking_criteria_are_their_closed_forms(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(DRAG "parameters: {k: 0.03, " RELEASE "}\n", 9, 0.8, 0.003);
    Model model = model_fit(DRAG "parameters: {k: {start: 0.05, prior: {mean: 0.05, sd: 0.1}}}\n",
                            capture, ARC_DIRECT);
    ArcCriteria c = arc_ranking_criteria(&model.result, model.fit);
    double deviance = 0.0;
    for (int i = 0; i < 18; i++) {
        double off = (model.fit->predicted_m[i] - capture->position_m[i]) / 0.003;
        deviance += off * off;
    }
    double prior = (case_parameter(model.fit, "k")->value - 0.05) / 0.1;
    deviance += prior * prior;
    assert_int_equal(c.n, 19);
    assert_int_equal(c.k, 5);
    assert_near(c.deviance, deviance, 1e-9);
    assert_near(c.aic, deviance + 10.0, 1e-9);
    assert_near(c.aicc, deviance + 10.0 + 60.0 / 13.0, 1e-9);
    assert_near(c.bic, deviance + 5.0 * log(19.0), 1e-9);
    model_free(&model);
    arc_capture_free(capture);
}

/* Six numbers, five parameters: n - k - 1 is zero. */
static void test_ranking_criteria_aicc_of_too_few_points_is_none(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(DRAG "parameters: {k: 0.03, " RELEASE "}\n", 3, 0.8, 0.003);
    Model models[2] = {model_fit(VACUUM, capture, ARC_DIRECT),
                       model_fit(DRAG "parameters: {k: {start: 0.05}}\n", capture, ARC_DIRECT)};
    ArcCriteria small = arc_ranking_criteria(&models[0].result, models[0].fit);
    ArcCriteria large = arc_ranking_criteria(&models[1].result, models[1].fit);
    assert_near(small.aicc - small.aic, 2.0 * 4.0 * 5.0 / 1.0, 1e-12);
    assert_true(isnan(large.aicc));
    assert_true(isfinite(large.aic));
    /* It comes last whatever its AIC. */
    ArcRanking *ranking = rank(2, models, ARC_DIRECT);
    assert_true(ranking->by_aicc);
    assert_int_equal(ranking->models[0].index, 0);
    assert_true(isnan(ranking->models[1].delta));
    assert_near(ranking->models[0].weight, 1.0, 1e-12);
    arc_ranking_free(ranking);
    /* Alone it is ranked by AIC. */
    ranking = rank(1, models + 1, ARC_DIRECT);
    assert_false(ranking->by_aicc);
    assert_near(ranking->models[0].delta, 0.0, 0.0);
    arc_ranking_free(ranking);
    for (int i = 0; i < 2; i++)
        model_free(&models[i]);
    arc_capture_free(capture);
}

/* Directions that the data do not tell are no parameters. */
static void test_ranking_criteria_unidentified_directions_do_not_count(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(DRAG "parameters: {k: 0.03, " RELEASE "}\n", 9, 0.8, 0.003);
    Model model =
        model_fit(BOTH "parameters: {k: {start: 0.05}, s: {start: 0.1}, spin: {start: 2}}\n",
                  capture, ARC_DIRECT);
    ArcCriteria c = arc_ranking_criteria(&model.result, model.fit);
    assert_int_equal(model.fit->n_unidentified, 1);
    assert_int_equal(model.fit->n_free, 7);
    assert_int_equal(c.k, 6);
    model_free(&model);
    arc_capture_free(capture);
}

/* No law, drag, drag and lift. */
static void fit_three(const ArcCapture *capture, Model models[MODELS])
{
    static const char *const texts[MODELS] = {
        VACUUM, DRAG "parameters: {k: {start: 0.01}}\n",
        BOTH "parameters: {k: {start: 0.01}, s: 0.08, spin: {start: 0.5}}\n"};
    for (int k = 0; k < MODELS; k++)
        models[k] = model_fit(texts[k], capture, ARC_DIRECT);
}

/* Largest distance of sorted values from an even distribution (Kolmogorov), times root n. */
static double unevenness(int n, double *p)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        int below = 0, up_to = 0;
        for (int j = 0; j < n; j++) {
            below += p[j] < p[i];
            up_to += p[j] <= p[i];
        }
        largest = fmax(largest, fmax(p[i] - (double)below / n, (double)up_to / n - p[i]));
    }
    return largest * sqrt(n);
}

/* Where the smaller model is true the chances are even: p over 500 flights, one added parameter
 * (drag) and two (drag and lift). Kolmogorov's statistic stays under 1.95 with 99.9 %. */
static void test_ranking_nested_chances_are_even_without_the_law(void **state)
{
    (void)state;
    enum { RUNS = FEWER(500, 60) };
    static double p[MODELS][RUNS];
    for (int i = 0; i < RUNS; i++) {
        ArcCapture *capture = case_capture_seed(VACUUM "parameters: {" RELEASE "}\n", 10, 0.8,
                                                0.003, (uint64_t)(1000 + i));
        Model models[MODELS];
        fit_three(capture, models);
        ArcRanking *ranking = rank(MODELS, models, ARC_DIRECT);
        assert_null(ranking->not_comparable);
        assert_int_equal(ranking->n_tests, 3);
        for (int t = 0; t < 3; t++) {
            const ArcNestedTest *test = &ranking->tests[t];
            int small = ranking->models[test->smaller].index;
            int large = ranking->models[test->larger].index;
            assert_false(test->is_f);
            assert_true(small < large);
            assert_int_equal(test->added, large - small);
            p[small + large - 1][i] = test->p;
        }
        arc_ranking_free(ranking);
        for (int k = 0; k < MODELS; k++)
            model_free(&models[k]);
        arc_capture_free(capture);
    }
    for (int k = 0; k < MODELS; k++) {
        double distance = unevenness(RUNS, p[k]);
        print_message("pair %d: Kolmogorov %.2f\n", k, distance);
        assert_true(distance < 1.95);
    }
}

/* With an estimated sigma the deviance is n log(S / n), and nested models are tested by F: even
 * chances over 500 flights of six points each, where chi2 would be far off. */
static void test_ranking_nested_estimated_sigma_takes_f(void **state)
{
    (void)state;
    enum { RUNS = FEWER(500, 60) };
    static double p[RUNS];
    static const char head[] = "arcfit: 1\ncapture: {file: none.csv, sigma: estimate}\n"
                               "flight: {dimensions: 2, " BALL;
    char small[512], large[512];
    snprintf(small, sizeof small, "%s}\n", head);
    snprintf(large, sizeof large, "%s, drag: lumped}\nparameters: {k: {start: 0.01}}\n", head);
    for (int i = 0; i < RUNS; i++) {
        ArcCapture *capture = case_capture_seed(VACUUM "parameters: {" RELEASE "}\n", 6, 0.8, 0.003,
                                                (uint64_t)(1000 + i));
        Model models[2] = {model_fit(small, capture, ARC_DIRECT),
                           model_fit(large, capture, ARC_DIRECT)};
        ArcRanking *ranking = rank(2, models, ARC_DIRECT);
        assert_int_equal(ranking->n_tests, 1);
        assert_true(ranking->tests[0].is_f);
        assert_int_equal(ranking->tests[0].added, 1);
        p[i] = ranking->tests[0].p;
        if (i == 0) {
            ArcCriteria c = arc_ranking_criteria(&models[1].result, models[1].fit);
            double sum = 0.0;
            for (int k = 0; k < 12; k++) {
                double off = models[1].fit->predicted_m[k] - capture->position_m[k];
                sum += off * off / (0.003 * 0.003);
            }
            assert_int_equal(c.n, 12);
            assert_int_equal(c.k, 6);
            assert_near(c.deviance, 12.0 * log(sum / 12.0), 1e-9);
            assert_near(c.aicc, c.deviance + 12.0 + 84.0 / 5.0, 1e-9);
            assert_near(c.bic, c.deviance + 6.0 * log(12.0), 1e-9);
        }
        arc_ranking_free(ranking);
        for (int k = 0; k < 2; k++)
            model_free(&models[k]);
        arc_capture_free(capture);
    }
    double distance = unevenness(RUNS, p);
    print_message("F: Kolmogorov %.2f\n", distance);
    assert_true(distance < 1.95);
}

/* Where the law matters the test sees it, and the ranking puts the true law first; p rarely is
 * below chance for what is not there. */
static void test_ranking_create_true_law_is_found(void **state)
{
    (void)state;
    enum { RUNS = FEWER(100, 20) };
    int first[MODELS] = {0}, needed = 0, out = 0;
    for (int i = 0; i < RUNS; i++) {
        ArcCapture *capture = case_capture_seed(DRAG "parameters: {k: 0.03, " RELEASE "}\n", 12,
                                                0.8, 0.003, (uint64_t)(1 + i));
        Model models[MODELS];
        fit_three(capture, models);
        ArcRanking *ranking = rank(MODELS, models, ARC_DIRECT);
        double weights = 0.0;
        first[ranking->models[0].index]++;
        for (int k = 0; k < MODELS; k++)
            weights += ranking->models[k].weight;
        assert_near(weights, 1.0, 1e-12);
        assert_near(ranking->models[0].delta, 0.0, 0.0);
        for (int t = 0; t < ranking->n_tests; t++) {
            const ArcNestedTest *test = &ranking->tests[t];
            if (ranking->models[test->smaller].index == 0 &&
                ranking->models[test->larger].index == 1)
                needed += test->p < 1e-6;
        }
        out += models[0].fit->residuals.chi2_p < ARC_MISFIT_P;
        arc_ranking_free(ranking);
        for (int k = 0; k < MODELS; k++)
            model_free(&models[k]);
        arc_capture_free(capture);
    }
    print_message("first: vacuum %d, drag %d, drag and lift %d of %d; needed in %d, out in %d\n",
                  first[0], first[1], first[2], RUNS, needed, out);
    assert_int_equal(first[0], 0);
    assert_true(first[1] >= FEWER(85, 15));
    assert_int_equal(needed, RUNS);
    assert_int_equal(out, RUNS);
}

/* Both methods, physics exact: the same criteria. Loose physics has none. */
static void test_ranking_create_pinn_ranks_as_direct(void **state)
{
    (void)state;
    static const ArcMethod methods[] = {ARC_DIRECT, ARC_PINN};
    ArcCapture *capture = case_capture(DRAG "parameters: {k: 0.03, " RELEASE "}\n", 12, 0.8, 0.003);
    double aicc[2][2];
    for (int m = 0; m < 2; m++) {
        Model models[2] = {model_fit(VACUUM, capture, methods[m]),
                           model_fit(DRAG "parameters: {k: {start: 0.01}}\n", capture, methods[m])};
        ArcRanking *ranking = rank(2, models, methods[m]);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(ranking->models[k].index, 1 - k);
            aicc[m][k] = ranking->models[k].criteria.aicc;
        }
        assert_int_equal(ranking->n_tests, 1);
        arc_ranking_free(ranking);
        for (int k = 0; k < 2; k++)
            model_free(&models[k]);
    }
    assert_near(aicc[1][0], aicc[0][0], 0.01);
    assert_near(aicc[1][1] / aicc[0][1], 1.0, 0.01);
    Model loose =
        model_fit(DRAG "parameters: {k: {start: 0.01}}\nfit: {pinn: {physics: 0.05 m/s^2}}\n",
                  capture, ARC_PINN);
    assert_true(isnan(arc_ranking_criteria(&loose.result, loose.fit).aic));
    model_free(&loose);
    arc_capture_free(capture);
}

static void check_incomparable(const ArcCapture *a, const ArcCapture *b, const char *words)
{
    Model models[2] = {model_fit(VACUUM, a, ARC_DIRECT),
                       model_fit(DRAG "parameters: {k: {start: 0.01}}\n", b, ARC_DIRECT)};
    ArcRanking *ranking = rank(2, models, ARC_DIRECT);
    if (words == NULL) {
        assert_null(ranking->not_comparable);
        assert_int_equal(ranking->n_tests, 1);
    } else {
        assert_non_null(ranking->not_comparable);
        assert_non_null(strstr(ranking->not_comparable, words));
        assert_int_equal(ranking->n_tests, 0);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(ranking->models[k].index, k);
            assert_true(isnan(ranking->models[k].delta));
            assert_true(isnan(ranking->models[k].weight));
        }
    }
    arc_ranking_free(ranking);
    for (int k = 0; k < 2; k++)
        model_free(&models[k]);
}

static void test_ranking_create_other_points_are_not_compared(void **state)
{
    (void)state;
    static const char truth[] = DRAG "parameters: {k: 0.03, " RELEASE "}\n";
    ArcCapture *capture = case_capture(truth, 12, 0.8, 0.003);
    ArcCapture *again = case_capture(truth, 12, 0.8, 0.003);
    ArcCapture *fewer = case_capture(truth, 11, 0.8, 0.003);
    ArcCapture *another = case_capture_seed(truth, 12, 0.8, 0.003, 77);
    ArcCapture given = *capture, *wider = NULL;
    double sigma[24];
    for (int i = 0; i < 24; i++)
        sigma[i] = 0.004;
    given.sigma_m = sigma;
    assert_int_equal(arc_capture_create(&given, &wider, NULL), ARC_OK);
    check_incomparable(capture, again, NULL);
    check_incomparable(capture, fewer, "same points");
    check_incomparable(capture, another, "same points");
    check_incomparable(capture, wider, "sigmas");
    ArcCapture *const all[] = {capture, again, fewer, another, wider};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        arc_capture_free(all[i]);
}

/* Whether the first text's model is a case of the second's. */
static void test_ranking_create_only_true_cases_are_nested(void **state)
{
    (void)state;
    static const struct {
        const char *smaller, *larger;
        bool nested;
    } rows[] = {
        {VACUUM, DRAG "parameters: {k: {start: 0.01}}\n", true},
        {DRAG "parameters: {k: 0.03}\n", DRAG "parameters: {k: {start: 0.01}}\n", true},
        /* A parameter that is not free cannot switch the law off. */
        {VACUUM, BOTH "parameters: {k: 0.03, s: 0.08, spin: {start: 1}}\n", false},
        {VACUUM, BOTH "parameters: {k: 0, s: 0.08, spin: {start: 1}}\n", true},
        {DRAG "parameters: {k: {start: 0.01}}\n",
         BOTH "parameters: {k: {start: 0.01}, s: {start: 0.1}, spin: 2}\n", true},
        /* Another world. */
        {CASE_HEAD "flight: {dimensions: 2}\n", DRAG "parameters: {k: {start: 0.01}}\n", false},
        {CASE_HEAD "flight: {dimensions: 2, " BALL ", wind: [1 m/s, 0 m/s]}\n",
         DRAG "parameters: {k: {start: 0.01}}\n", false},
        {CASE_HEAD "flight: {dimensions: 2, " BALL ", gravity: 9.81}\n",
         DRAG "parameters: {k: {start: 0.01}}\n", false},
        /* Another value held, another prior, a law that is no case of the other. */
        {DRAG "parameters: {k: 0.03, x0: 0}\n", DRAG "parameters: {k: {start: 0.01}, x0: 0.001}\n",
         false},
        {DRAG "parameters: {k: {start: 0.01, prior: {mean: 0.02, sd: 0.01}}, x0: 0}\n",
         DRAG "parameters: {k: {start: 0.01, prior: {mean: 0.03, sd: 0.01}}}\n", false},
        {DRAG "parameters: {k: {start: 0.01}, x0: 0}\n",
         CASE_HEAD "flight: {dimensions: 2, " BALL ", drag: quadratic}\n"
                   "parameters: {cd: {start: 0.5}}\n",
         false},
        {DRAG "parameters: {k: {start: 0.01}}\n", VACUUM, false},
    };
    ArcCapture *capture = case_capture(DRAG "parameters: {k: 0.03, " RELEASE "}\n", 12, 0.8, 0.003);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Model models[2] = {model_fit(rows[i].smaller, capture, ARC_DIRECT),
                           model_fit(rows[i].larger, capture, ARC_DIRECT)};
        ArcRanking *ranking = rank(2, models, ARC_DIRECT);
        int found = 0;
        for (int t = 0; t < ranking->n_tests; t++)
            found += ranking->models[ranking->tests[t].smaller].index == 0;
        if (found != rows[i].nested)
            fail_msg("row %zu is%s nested", i, found ? "" : " not");
        arc_ranking_free(ranking);
        for (int k = 0; k < 2; k++)
            model_free(&models[k]);
    }
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranking_criteria_are_their_closed_forms),
        cmocka_unit_test(test_ranking_criteria_aicc_of_too_few_points_is_none),
        cmocka_unit_test(test_ranking_criteria_unidentified_directions_do_not_count),
        cmocka_unit_test(test_ranking_nested_chances_are_even_without_the_law),
        cmocka_unit_test(test_ranking_nested_estimated_sigma_takes_f),
        cmocka_unit_test(test_ranking_create_true_law_is_found),
        cmocka_unit_test(test_ranking_create_pinn_ranks_as_direct),
        cmocka_unit_test(test_ranking_create_other_points_are_not_compared),
        cmocka_unit_test(test_ranking_create_only_true_cases_are_nested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
