/* A whole fit: residuals from the raw data, the same bits again, interruption, exhaustion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/predict.h"
#include "arcfit/result.h"
#include "base/arena.h"
#include "fit_case.h"
#include "slow.h"
#include "sweep.h"

#define PLANE CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
#define THROW PLANE "parameters: {k: 0.03, s: 0.08, spin: 2, x0: 0, y0: 2, vx0: 4.6, vy0: 6.4}\n"
#define THROW_FIT PLANE "parameters: {k: {start: 0.1}, s: 0.08, spin: {start: 0}}\n"

static const ArcMethod methods[] = {ARC_PINN, ARC_DIRECT};

/* What a fit says of its residuals, worked out again from its predictions and the capture. */
static void test_fit_run_residuals_are_those_of_the_points(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 16, 0.8, 0.003);
    ArcPointUse use[16];
    double position[32];
    memcpy(position, capture->position_m, sizeof position);
    position[9] = NAN;
    for (int i = 0; i < 16; i++)
        use[i] = i >= 13 || i == 5 ? ARC_POINT_HELD_OUT : i == 7 ? ARC_POINT_UNUSED : ARC_POINT_FIT;
    ArcCapture chosen = *capture;
    chosen.use = use;
    chosen.position_m = position;
    for (int m = 0; m < 2; m++) {
        ArcFit *fit = case_fit(PLANE "parameters: {k: {start: 0.1, prior: {mean: 0.05, sd: 0.01}}, "
                                     "s: 0.08, spin: {start: 0}}\n",
                               &chosen, methods[m]);
        double chi2 = 0.0, square = 0.0, held = 0.0;
        for (int i = 0; i < 32; i++) {
            double off = fit->predicted_m[i] - position[i];
            assert_int_equal(isfinite(fit->predicted_m[i]), use[i / 2] != ARC_POINT_UNUSED);
            if (use[i / 2] == ARC_POINT_HELD_OUT)
                held += off * off;
            else if (use[i / 2] == ARC_POINT_FIT && i != 9)
                square += off * off;
        }
        chi2 = square / (0.003 * 0.003);
        double prior = (case_parameter(fit, "k")->value - 0.05) / 0.01;
        const ArcResiduals *r = &fit->residuals;
        assert_int_equal(r->points, 11);
        assert_int_equal(r->observations, 21);
        assert_int_equal(r->dof, 21 + 1 - 6);
        assert_near(r->chi2 / chi2, 1.0, 1e-12);
        assert_near(r->prior_chi2 / (prior * prior), 1.0, 1e-12);
        assert_near(r->rms_m / sqrt(square / 21), 1.0, 1e-12);
        assert_int_equal(r->held_out_points, 4);
        assert_near(r->held_out_rms_m / sqrt(held / 8), 1.0, 1e-12);
        assert_true(r->held_out_rms_m > 0.001 && r->held_out_rms_m < 0.02);
        assert_true(isnan(r->sigma_phys_m_s2) == (methods[m] == ARC_DIRECT));
        /* The last used point is one of those held out after the fitted ones. */
        assert_near(fit->time_s[100], capture->time_s[15], 0.0);
        assert_near(fit->position_m[200], fit->predicted_m[30], 1e-12);
        assert_near(fit->position_m[201], fit->predicted_m[31], 1e-12);
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* The fitted net, evaluated by hand from its weights, gives the trajectory. */
static void test_fit_run_weights_give_the_trajectory(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    ArcFit *fit = case_fit(THROW_FIT, capture, ARC_PINN);
    int H = fit->net.settings.widths[0];
    assert_int_equal(fit->net.n_weights, 2 * H + 2 * H + 2);
    const double *w = fit->net.weights, *b = w + H, *W = b + H, *bias = W + 2 * H;
    for (int i = 0; i < fit->n_trajectory; i += 10) {
        double s = fit->time_s[i] - case_parameter(fit, "t0")->value;
        double tau = 2.0 * s / fit->net.span_s[0] - 1.0;
        for (int c = 0; c < 2; c++) {
            double N = bias[c];
            for (int k = 0; k < H; k++)
                N += W[c * H + k] * tanh(w[k] * tau + b[k]);
            double x0 = case_parameter(fit, c == 0 ? "x0" : "y0")->value;
            double v0 = case_parameter(fit, c == 0 ? "vx0" : "vy0")->value;
            assert_near(fit->position_m[2 * i + c], x0 + v0 * s + s * s * fit->net.scale_m_s2 * N,
                        1e-8);
        }
    }
    arc_fit_free(fit);
    arc_capture_free(capture);
}

static void assert_same(const void *a, const void *b, size_t size)
{
    assert_memory_equal(a, b, size);
}

static void check_same_bits(const char *text, const ArcCapture *capture, ArcMethod method)
{
    ArcFit *a = case_fit(text, capture, method), *b = case_fit(text, capture, method);
    size_t n = (size_t)a->n_free, states = sizeof(double) * 2 * ARC_TRAJECTORY_POINTS;
    assert_int_equal(a->iterations, b->iterations);
    assert_int_equal(a->n_history, b->n_history);
    for (int i = 0; i < a->n_parameters; i++) {
        assert_same(&a->parameters[i].value, &b->parameters[i].value, sizeof(double));
        assert_same(&a->parameters[i].sd, &b->parameters[i].sd, sizeof(double));
    }
    assert_same(a->covariance, b->covariance, sizeof(double) * n * n);
    assert_same(a->position_m, b->position_m, states);
    assert_same(a->acceleration_m_s2, b->acceleration_m_s2, states);
    assert_same(&a->residuals.chi2, &b->residuals.chi2, sizeof(double));
    for (int i = 0; i < a->n_history; i++)
        assert_same(&a->history[i].cost, &b->history[i].cost, sizeof(double));
    if (method == ARC_PINN)
        assert_same(a->net.weights, b->net.weights, sizeof(double) * (size_t)a->net.n_weights);
    arc_fit_free(a);
    arc_fit_free(b);
}

static void test_fit_run_again_gives_the_same_bits(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    check_same_bits(THROW_FIT, capture, ARC_PINN);
    check_same_bits(THROW_FIT, capture, ARC_DIRECT);
    check_same_bits(THROW_FIT "fit: {pinn: {net: nets/tanh-16x2.yaml, train: [{optimizer: lm, "
                              "steps: 20}]}}\n",
                    capture, ARC_PINN);
    arc_capture_free(capture);
}

static void test_fit_run_seed_changes_the_net_but_not_the_answer(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    ArcFit *a = case_fit(THROW_FIT "fit: {seed: 1}\n", capture, ARC_PINN);
    ArcFit *b = case_fit(THROW_FIT "fit: {seed: 2}\n", capture, ARC_PINN);
    assert_true(a->net.weights[0] != b->net.weights[0]);
    assert_true(case_gap(a, b).estimate_sd <= 1e-3);
    arc_fit_free(a);
    arc_fit_free(b);
    arc_capture_free(capture);
}

/* A progress function that stops a fit after so many iterations. */
static bool stop_after(void *context, const ArcProgressState *at)
{
    int *left = context;
    const ArcHistoryRow *row = at->row;
    assert_true(at->method == ARC_PINN || at->method == ARC_DIRECT);
    assert_true(at->optimizer != NULL && at->steps >= row->iteration);
    assert_true(row->iteration >= 1 && row->cost >= 0.0);
    double parts = row->observations + row->priors + (isnan(row->physics) ? 0.0 : row->physics);
    assert_near(parts / row->cost, 1.0, 1e-9);
    assert_int_equal(at->method == ARC_DIRECT && strcmp(at->optimizer, "linear") != 0,
                     isnan(row->physics));
    for (int i = 0; i < at->n_parameters; i++)
        assert_true(at->parameters[i].name != NULL && isfinite(at->values[i]));
    return --*left > 0;
}

static void test_fit_run_interrupted_keeps_what_it_has(void **state)
{
    (void)state;
    static const char *const texts[] = {
        THROW_FIT,
        /* These would go on to a second run from another start, or to more stages. */
        PLANE "parameters: {k: {start: 5}, s: 0.08, spin: {start: 300}}\n",
        THROW_FIT "fit: {pinn: {net: nets/tanh-16x2.yaml, train: [{optimizer: lm, steps: 50}, "
                  "{optimizer: linear}]}}\n"};
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    for (size_t i = 0; i < 3; i++) {
        for (int m = 0; m < 2; m++) {
            ArcError err;
            ArcProblem *problem = case_problem(texts[i], capture);
            ArcFit *fit = NULL;
            int left = 2;
            const ArcFitOptions options = {.progress = stop_after, .context = &left};
            assert_int_equal(arc_fit_run(problem, methods[m], &options, &fit, &err), ARC_OK);
            assert_int_equal(left, 0);
            assert_int_equal(fit->stop, ARC_STOP_INTERRUPTED);
            assert_false(fit->converged);
            assert_int_equal(fit->n_history, 2);
            assert_true(isfinite(case_parameter(fit, "vx0")->value));
            assert_true(case_parameter(fit, "vx0")->sd > 0.0);
            arc_fit_free(fit);
            arc_problem_free(problem);
        }
    }
    arc_capture_free(capture);
}

typedef struct Seen {
    int stage, n_second;
    double values[ARC_MAX_PARAMETERS];
} Seen;

/* Each step of shooting shows where it has come to. */
static bool see_values(void *context, const ArcProgressState *state)
{
    Seen *seen = context;
    size_t size = sizeof(double) * (size_t)state->n_parameters;
    bool is_direct = strcmp(state->optimizer, "direct") == 0;
    if (is_direct && state->row->stage == seen->stage)
        assert_memory_not_equal(state->values, seen->values, size);
    seen->n_second += is_direct && state->row->stage == 2;
    seen->stage = state->row->stage;
    memcpy(seen->values, state->values, size);
    return true;
}

static void test_fit_run_second_attempt_shows_its_own_values(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 16, 0.8, 1e-5);
    /* Without drag nothing fits, so shooting is tried again from elsewhere. */
    ArcProblem *problem =
        case_problem(PLANE "parameters: {k: 0, s: 0.08, spin: {start: 0}}\n", capture);
    Seen seen = {.stage = -1};
    const ArcFitOptions options = {.progress = see_values, .context = &seen};
    ArcFit *fit = NULL;
    ArcError err;
    if (arc_fit_run(problem, ARC_DIRECT, &options, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_true(seen.n_second >= 2);
    arc_fit_free(fit);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

/* A t0 that starts far too early takes the net's span along, and sigma_phys with it. */
static void test_fit_run_distant_t0_is_followed(void **state)
{
    (void)state;
    static const char far[] =
        PLANE "parameters: {k: 0.03, s: 0.08, spin: 2, t0: {start: -2}, y0: 1.5}\n";
    static const char near[] =
        PLANE "parameters: {k: 0.03, s: 0.08, spin: 2, t0: {start: -0.1}, y0: 1.5}\n";
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    ArcFit *pinn = case_fit(far, capture, ARC_PINN), *direct = case_fit(near, capture, ARC_DIRECT);
    assert_true(pinn->converged && direct->converged);
    assert_true(case_gap(pinn, direct).estimate_sd <= 1e-3);
    assert_true(case_gap(pinn, direct).sd_share <= 1e-3);
    assert_true(pinn->net.span_s[0] < 1.4);
    double expected = 0.1 * 0.003 / (pinn->net.span_s[0] * pinn->net.span_s[0] * sqrt(11.0));
    assert_near(pinn->residuals.sigma_phys_m_s2 / expected, 1.0, 1e-12);
    arc_fit_free(pinn);
    arc_fit_free(direct);
    arc_capture_free(capture);
}

/* Starts from which nothing can be flown are a numerical failure that names the term. */
static void test_fit_run_impossible_start_names_the_term(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    ArcProblem *problem = case_problem(
        PLANE "parameters: {k: {start: 0.1}, s: 1000, spin: 100000, vx0: 4, vy0: 6}\n", capture);
    ArcFit *fit = NULL;
    ArcError err = {.status = ARC_OK};
    ArcStatus status = arc_fit_run(problem, ARC_DIRECT, NULL, &fit, &err);
    assert_int_equal(status, ARC_NUMERIC);
    assert_null(fit);
    assert_non_null(strstr(err.text, "simulated flight"));
    arc_problem_free(problem);
    arc_capture_free(capture);
}

/* Memory that runs out after so many blocks. */
static bool memory_hook(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

/* Refuses each block in turn (under the sanitizers each third) until the fit goes through; returns
 * how many were refused. */
static int check_exhaustion(const char *text, const ArcCapture *capture, ArcMethod method)
{
    ArcProblem *problem = case_problem(text, capture);
    for (int refused = 0;; refused += FEWER(1, 3)) {
        ArcError err;
        ArcFit *fit = NULL;
        int left = refused;
        arc_memory_set_hook(memory_hook, &left);
        ArcStatus status = arc_fit_run(problem, method, NULL, &fit, &err);
        arc_memory_set_hook(NULL, NULL);
        if (status == ARC_OK) {
            assert_true(fit->converged || fit->stop == ARC_STOP_LIMIT);
            arc_fit_free(fit);
            arc_problem_free(problem);
            return refused;
        }
        assert_int_equal(status, ARC_MEMORY);
        assert_null(fit);
    }
}

static void test_fit_run_without_memory_says_so(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    ArcCapture *fast =
        case_capture(PLANE "parameters: {k: 0.2, s: 0, spin: 0, x0: 0, y0: 2, vx0: 50, vy0: 5}\n",
                     20, 1.0, 0.003);
    int blocks = check_exhaustion(THROW_FIT, capture, ARC_PINN);
    int direct = check_exhaustion(THROW_FIT, capture, ARC_DIRECT);
    int ladder = check_exhaustion(PLANE "parameters: {k: {start: 0.1}}\n", fast, ARC_PINN);
    int again = check_exhaustion(PLANE "parameters: {k: {start: 5}, s: 0.08, spin: {start: 300}}\n",
                                 capture, ARC_DIRECT);
    int lm = check_exhaustion(THROW_FIT "fit: {pinn: {net: nets/tanh-16x2.yaml, train: "
                                        "[{optimizer: lm, steps: 3}]}}\n",
                              capture, ARC_PINN);
    int pair = check_exhaustion(PLANE "parameters: {k: 0.03, s: {start: 0.1}, spin: {start: 1}}\n",
                                capture, ARC_DIRECT);
    print_message("blocks refused in turn: %d pinn, %d ladder, %d lm, %d direct, %d twice, %d "
                  "unidentified\n",
                  blocks, ladder, lm, direct, again, pair);
    assert_true(direct > 5 && blocks > direct && ladder > blocks && again > direct);
    arc_capture_free(fast);
    arc_capture_free(capture);
}

static void test_predict_without_memory_says_so(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    ArcExperiment *experiment = case_experiment(THROW_FIT);
    ArcFit *fit = case_fit(THROW_FIT, capture, ARC_DIRECT);
    for (int which = 0; which < 4; which++) {
        ArcStatus status = ARC_MEMORY;
        for (int refused = 0; status != ARC_OK; refused++) {
            ArcError err;
            int left = refused;
            ArcCrossing crossing;
            ArcFit *forecast = NULL;
            double t_s = 1.0, x[2], seconds;
            const ArcPrediction prediction = {.x_m = x};
            ArcProblem *problem = which == 2 ? case_problem(THROW_FIT, capture) : NULL;
            ArcExperiment *truth = which == 3 ? case_experiment(THROW) : NULL;
            arc_memory_set_hook(memory_hook, &left);
            if (which == 0)
                status = arc_predict_state(experiment, fit, 1, &t_s, &prediction, &err);
            else if (which == 1)
                status =
                    arc_predict_crossing(experiment, fit, (ArcPlane){1, 0.0}, 5.0, &crossing, &err);
            else if (which == 2)
                status = arc_fit_forecast(problem, &forecast, &err);
            else
                status = arc_simulate_flight_time(truth, &truth->simulate, &seconds, &err);
            arc_memory_set_hook(NULL, NULL);
            assert_true(status == ARC_OK || status == ARC_MEMORY);
            arc_fit_free(forecast);
            arc_problem_free(problem);
            arc_experiment_free(truth);
        }
    }
    arc_fit_free(fit);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

static void test_result_create_without_memory_says_so(void **state)
{
    (void)state;
    ArcError err;
    ArcExperiment *experiment =
        case_experiment("arcfit: 1\ncapture: {file: tests/bench/plane-lumped-00.csv, sigma: 3 mm}\n"
                        "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
                        "parameters: {k: {start: 0.1}, s: 0.08, spin: {start: 0}}\n");
    ArcResult *result = NULL;
    ArcStatus status = ARC_MEMORY;
    for (int refused = 0; status != ARC_OK; refused++) {
        int left = refused;
        arc_memory_set_hook(memory_hook, &left);
        status = arc_result_create(experiment, 0, NULL, NULL, &result, &err);
        arc_memory_set_hook(NULL, NULL);
        assert_true(status == ARC_OK || (status == ARC_MEMORY && result == NULL));
    }
    assert_int_equal(result->n_fits, 2);
    assert_int_equal(result->comparison.verdict, ARC_VERDICT_AGREE);
    assert_int_equal(arc_result_exit_code(result), 0);
    arc_result_free(result);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_residuals_are_those_of_the_points),
        cmocka_unit_test(test_fit_run_weights_give_the_trajectory),
        cmocka_unit_test(test_fit_run_again_gives_the_same_bits),
        cmocka_unit_test(test_fit_run_seed_changes_the_net_but_not_the_answer),
        cmocka_unit_test(test_fit_run_interrupted_keeps_what_it_has),
        cmocka_unit_test(test_fit_run_second_attempt_shows_its_own_values),
        cmocka_unit_test(test_fit_run_distant_t0_is_followed),
        cmocka_unit_test(test_fit_run_impossible_start_names_the_term),
        cmocka_unit_test(test_fit_run_without_memory_says_so),
        cmocka_unit_test(test_predict_without_memory_says_so),
        cmocka_unit_test(test_result_create_without_memory_says_so),
    };
    return cmocka_run_group_tests_name("fit", tests, NULL, NULL);
}
