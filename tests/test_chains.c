/* Training with every optimiser: chains of stages, balances, kinds of collocation, schedules; what
 * the history says; memory; scales; numbers that are not finite; warm starts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/stage.h"
#include "fit_case.h"
#include "slow.h"
#include "sweep.h"

#define PLANE                                                                                      \
    "arcfit: 1\n"                                                                                  \
    "capture: {file: tests/bench/plane-lumped-00.csv, sigma: 3 mm}\n"                              \
    "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"                                        \
    "parameters: {k: {start: 0.1, bounds: [0, 1]}, s: 0.08, spin: {start: 0}}\n"
#define SPACE                                                                                      \
    CASE_HEAD                                                                                      \
    "flight: {dimensions: 3, ball: basketball, drag: quadratic, lift: linear}\n"                   \
    "parameters: {cd: {start: 0.3, prior: {mean: 0.5, sd: 0.2}}, cm: 1, wx: 3, "                   \
    "wy: {start: 0}, wz: {start: 0}}\n"
#define SPACE_TRUTH                                                                                \
    CASE_HEAD "flight: {dimensions: 3, ball: basketball, drag: quadratic, lift: linear}\n"         \
              "parameters: {cd: 0.5, cm: 1, wx: 3, wy: -20, wz: 8, x0: 0, y0: 0, z0: 2, vx0: 6, "  \
              "vy0: 1, vz0: 6}\nfit: {seed: 3}\n"

static ArcCapture *capture_of(bool space)
{
    if (space)
        return case_capture(SPACE_TRUTH, 20, 1.1, 0.003);
    ArcError err;
    ArcExperiment *experiment = case_experiment(PLANE);
    ArcCapture *capture = NULL;
    if (arc_capture_read(&experiment->capture, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_experiment_free(experiment);
    return capture;
}

#define ADAM "{optimizer: adam, steps: 300, rate: 0.02}"
#define LBFGS "{optimizer: lbfgs, steps: 100}"
#define LINEAR "{optimizer: linear}"
#define LM "{optimizer: lm, steps: 200}"

static const char *const nets[] = {"nets/tanh-24.yaml", "nets/tanh-16x2.yaml"};

typedef struct Chain {
    int net; /* a linear stage at the end needs hidden units that bend enough */
    const char *train;
} Chain;

static const Chain chains[] = {{0, ADAM ", " LINEAR},
                               {1, ADAM ", " LBFGS ", " LM},
                               {1, LM},
                               {0, LBFGS ", " LINEAR},
                               {0, LINEAR ", " ADAM ", " LM},
                               {0, LM ", " LBFGS ", " ADAM ", " LINEAR}};
enum { CHAINS = sizeof chains / sizeof chains[0] };

static const char *const weightings[] = {"fixed", "gradient-norm", "self-adaptive", "causal"};
static const char *const kinds[] = {"gauss", "uniform", "random", "adaptive"};

/* Of the fits of one test. */
static double worst_gap;
static int n_fits, n_converged;

static void begin_count(void)
{
    worst_gap = 0.0;
    n_fits = n_converged = 0;
}

static void report_count(void)
{
    print_message("worst %.1e sd from direct, %d of %d converged\n", worst_gap, n_converged,
                  n_fits);
}

/* What the judge between the nodes finds converged is so near the direct answer; a seventh of it
 * was the most over 30 seeds, whatever the points. */
#define NEAR_SD 0.002

/* Stops as converged, near the direct answer where the judge between the nodes agrees; where it
 * does not, off_sd away at most: 0 where it must. */
static void check_chain(bool space, const char *pinn, double off_sd, const ArcCapture *capture,
                        const ArcFit *direct)
{
    char text[2048];
    snprintf(text, sizeof text, "%sfit: {pinn: {%s}}\n", space ? SPACE : PLANE, pinn);
    ArcFit *fit = case_fit(text, capture, ARC_PINN);
    CaseGap gap = case_gap(fit, direct);
    worst_gap = gap.estimate_sd <= worst_gap ? worst_gap : gap.estimate_sd;
    n_fits++;
    n_converged += fit->converged;
    if (!arc_stop_is_converged(fit->stop) ||
        !(gap.estimate_sd <= (fit->converged ? NEAR_SD : off_sd)))
        fail_msg("%s, %s: stop %s, %s, %.2g sd off, fine %.2g sigma_phys",
                 space ? "space" : "plane", pinn, arc_stop_text(fit->stop),
                 fit->converged ? "converged" : "not converged", gap.estimate_sd,
                 fit->residuals.physics_rms_fine_m_s2 / fit->residuals.sigma_phys_m_s2);
    arc_fit_free(fit);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), of_end = strlen(end);
    return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

static void check_chains(bool space, int weighting, int kind)
{
    ArcCapture *capture = capture_of(space);
    ArcFit *direct = case_fit(space ? SPACE : PLANE, capture, ARC_DIRECT);
    assert_true(direct->converged);
    for (int i = 0; i < CHAINS; i++) {
        bool is_linear = ends_with(chains[i].train, LINEAR);
        double off_sd = is_linear && kind != ARC_COLLOCATION_ADAPTIVE ? 0.0 : 0.05;
        /* Drawn points leave gaps, where a net may wiggle: up to 3 sd off, and not converged. */
        if (kind == ARC_COLLOCATION_RANDOM)
            off_sd = INFINITY;
        char pinn[1024];
        snprintf(pinn, sizeof pinn,
                 "net: %s, weighting: %s, weighting_every: 20, collocation: {kind: %s, every: 50, "
                 "points: 60}, train: [%s]",
                 nets[chains[i].net], weightings[weighting], kinds[kind], chains[i].train);
        check_chain(space, pinn, off_sd, capture, direct);
    }
    arc_fit_free(direct);
    arc_capture_free(capture);
}

static void test_fit_run_chains_reach_the_direct_answer_with_every_balance(void **state)
{
    (void)state;
    begin_count();
    for (int space = 0; space < 2; space++)
        for (int weighting = FEWER(0, space); weighting < 4; weighting += FEWER(1, 2))
            check_chains(space == 1, weighting, ARC_COLLOCATION_GAUSS);
    report_count();
    assert_true(10 * n_converged >= 8 * n_fits);
}

static void test_fit_run_chains_reach_the_direct_answer_on_every_kind_of_points(void **state)
{
    (void)state;
    begin_count();
    for (int space = 0; space < 2; space++) {
        check_chains(space == 1, ARC_WEIGHTING_FIXED, ARC_COLLOCATION_UNIFORM);
        check_chains(space == 1, ARC_WEIGHTING_FIXED, ARC_COLLOCATION_ADAPTIVE);
    }
    report_count();
    assert_true(10 * n_converged >= 8 * n_fits);
    begin_count();
    for (int space = 0; space < 2; space++)
        check_chains(space == 1, ARC_WEIGHTING_FIXED, ARC_COLLOCATION_RANDOM);
    report_count();
    assert_true(n_converged > 0); /* of 12; 3 at least over 30 seeds */
}

static void test_fit_run_adam_settings_reach_the_direct_answer(void **state)
{
    (void)state;
    static const char *const stages[] = {
        "schedule: constant",
        "schedule: cosine, final: 0.1",
        "schedule: exponential",
        "warm_up: 100",
        "warm_up: 300",
        "clip: 1",
        "weight_decay: 0.001",
        "parameter_rate: 0.001",
        "schedule: constant, warm_up: 50, clip: 0.1, weight_decay: 0.01, parameter_rate: 0.02"};
    ArcCapture *capture = capture_of(false);
    ArcFit *direct = case_fit(PLANE, capture, ARC_DIRECT);
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        char pinn[1024];
        snprintf(pinn, sizeof pinn,
                 "net: nets/tanh-24.yaml, train: [{optimizer: adam, steps: 300, %s}, " LINEAR "]",
                 stages[i]);
        check_chain(false, pinn, 0.0, capture, direct);
    }
    arc_fit_free(direct);
    arc_capture_free(capture);
}

/* A first-order optimiser at the end may be far away still: then it must not say converged. */
static void test_fit_run_first_order_end_claims_no_more_than_it_has(void **state)
{
    (void)state;
    static const char *const trains[] = {
        "{optimizer: lbfgs, steps: 3000}", "{optimizer: adam, steps: 3000}", LINEAR ", " LBFGS,
        LINEAR ", {optimizer: adam, steps: 200, rate: 1e-9}", LM ", " LBFGS};
    int claimed = 0;
    for (int space = 0; space < 2; space++) {
        ArcCapture *capture = capture_of(space == 1);
        ArcFit *direct = case_fit(space == 1 ? SPACE : PLANE, capture, ARC_DIRECT);
        for (int i = 0; i < 2 * 5; i++) {
            char text[2048];
            snprintf(text, sizeof text, "%sfit: {pinn: {net: %s, train: [%s]}}\n",
                     space == 1 ? SPACE : PLANE, nets[i / 5], trains[i % 5]);
            ArcFit *fit = case_fit(text, capture, ARC_PINN);
            CaseGap gap = case_gap(fit, direct);
            print_message("%s, %s, %s: %s, %s, %.1e sd off, fine %.2g sigma_phys\n",
                          space == 1 ? "space" : "plane", nets[i / 5], trains[i % 5],
                          arc_stop_text(fit->stop), fit->converged ? "converged" : "not converged",
                          gap.estimate_sd,
                          fit->residuals.physics_rms_fine_m_s2 / fit->residuals.sigma_phys_m_s2);
            assert_true(!fit->converged || gap.estimate_sd <= 0.05);
            claimed += fit->converged;
            arc_fit_free(fit);
        }
        arc_fit_free(direct);
        arc_capture_free(capture);
    }
    assert_true(claimed >= 2);
}

/* Rows of each stage are thinned, first and last kept, numbered on, and their blocks add up. */
static void test_fit_run_history_is_thinned_and_adds_up(void **state)
{
    (void)state;
    ArcCapture *capture = capture_of(true);
    ArcFit *fit =
        case_fit(SPACE "fit: {pinn: {net: nets/tanh-24.yaml, train: [{optimizer: adam, "
                       "steps: 2500}, {optimizer: lbfgs, steps: 1200}, " LM ", " LINEAR "]}}\n",
                 capture, ARC_PINN);
    int of_stage[4] = {0}, first[4], last[4] = {0};
    double cost[4];
    for (int i = 0; i < fit->n_history; i++) {
        const ArcHistoryRow *row = &fit->history[i];
        assert_true(row->start == 0 && row->stage >= 0 && row->stage < 4);
        assert_true(i == 0 || row->stage >= fit->history[i - 1].stage);
        if (of_stage[row->stage]++ == 0)
            first[row->stage] = row->iteration;
        assert_true(row->iteration > last[row->stage]);
        last[row->stage] = row->iteration;
        assert_near(row->observations + row->physics + row->priors, row->cost, 1e-9 * row->cost);
        assert_true(isnan(row->rate) == (row->stage >= 2));
        assert_true(isnan(row->step_sd) == (row->stage < 2));
        assert_true(row->priors > 0.0);
        /* The optimisers that promise it never go up. */
        if (row->stage > 0 && of_stage[row->stage] > 1)
            assert_true(row->cost <= cost[row->stage] * (1.0 + 1e-9));
        cost[row->stage] = row->cost;
    }
    for (int stage = 0; stage < 4; stage++)
        assert_true(of_stage[stage] > 0 && first[stage] == 1);
    assert_int_equal(last[0], 2500);
    assert_true(of_stage[0] > 800 && of_stage[0] <= 1002 && of_stage[1] <= 1002);
    assert_true(last[1] <= 1200);
    print_message("rows %d %d %d %d, last %d %d %d %d\n", of_stage[0], of_stage[1], of_stage[2],
                  of_stage[3], last[0], last[1], last[2], last[3]);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* A stage of its own, beside the fit. */
typedef struct Staged {
    ArcProblem *problem;
    ArcArena *arena;
    ArcPinn *pinn;
    ArcHistory history;
    ArcStageRun *run;
} Staged;

static void staged_create(Staged *s, const char *text, const ArcCapture *capture)
{
    ArcError err;
    s->problem = case_problem(text, capture);
    s->arena = arc_arena_create();
    ArcNetSettings net = s->problem->pinn.net;
    if (arc_pinn_create(s->problem, &net, 40, s->arena, &s->pinn, &err) != ARC_OK)
        fail_msg("%s", err.text);
    s->history = (ArcHistory){.problem = s->problem, .method = ARC_PINN, .capacity = 4000};
    assert_int_equal(arc_history_create(&s->history, s->arena, &err), ARC_OK);
    if (arc_stage_create(s->pinn, &s->problem->pinn.stages[0], &s->history, s->arena, &s->run,
                         &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_stage_begin(s->run, NULL);
}

static void staged_free(Staged *s)
{
    arc_arena_free(s->arena);
    arc_problem_free(s->problem);
}

static bool count(void *context, size_t size)
{
    (void)size;
    ++*(int *)context;
    return true;
}

static void test_stage_step_takes_no_memory(void **state)
{
    (void)state;
    static const char *const stages[] = {"{optimizer: linear}", "{optimizer: lm, geodesic: true}",
                                         "{optimizer: adam, clip: 1}", "{optimizer: lbfgs}"};
    ArcCapture *capture = capture_of(true);
    for (int i = 0; i < 4; i++)
        for (int weighting = 0; weighting < 4; weighting++) {
            char text[2048];
            snprintf(text, sizeof text,
                     SPACE "fit: {pinn: {net: nets/tanh-16x2.yaml, weighting: %s, weighting_every: "
                           "2, collocation: {kind: %s, every: 3}, train: [%s]}}\n",
                     weightings[weighting], kinds[weighting], stages[i]);
            Staged s;
            staged_create(&s, text, capture);
            int asked = 0, taken = 0;
            arc_memory_set_hook(count, &asked);
            while (taken < 12 && arc_stage_step(s.run))
                taken++;
            arc_memory_set_hook(NULL, NULL);
            assert_true(taken > 0);
            assert_int_equal(asked, 0);
            staged_free(&s);
        }
    arc_capture_free(capture);
}

/* The same flight told with k of 1e-5 by units of its own cannot be; but drag and spin of the size
 * of their starts move alike in share whatever those are. */
static void test_stage_step_adam_moves_parameters_by_their_size(void **state)
{
    (void)state;
    static const double sizes[] = {1e-5, 1e-2, 1.0, 1e4};
    ArcCapture *capture = capture_of(false);
    for (int i = 0; i < 4; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
                           "parameters: {k: 0.03, s: {start: %.17g}, spin: {start: %.17g}}\n"
                           "fit: {pinn: {net: nets/tanh-24.yaml, train: [{optimizer: adam, steps: "
                           "50, rate: 0.01, schedule: constant}]}}\n",
                 0.1 * sizes[i], 1.0 / sizes[i]);
        Staged s;
        staged_create(&s, text, capture);
        int at_s = 1, at_spin = 2;
        assert_string_equal(s.problem->parameters[at_s].name, "s");
        assert_string_equal(s.problem->parameters[at_spin].name, "spin");
        while (arc_stage_step(s.run))
            ;
        arc_stage_finish(s.run);
        double of_s = s.pinn->values[at_s] / (0.1 * sizes[i]);
        double of_spin = s.pinn->values[at_spin] * sizes[i];
        /* The flight sees the product alone. */
        assert_near(of_s, of_spin, 1e-9);
        assert_true(fabs(of_s - 1.0) > 0.05 && fabs(of_s - 1.0) < 1.0);
        print_message("s of %g moved by %.6f of it, spin by %.6f\n", 0.1 * sizes[i], of_s - 1.0,
                      of_spin - 1.0);
        staged_free(&s);
    }
    arc_capture_free(capture);
}

/* Places so large that squares of the gradient just bear them: a step of Adam at a huge rate is
 * beyond that. */
static void test_fit_run_non_finite_stops_with_a_note(void **state)
{
    (void)state;
    ArcCapture *given = capture_of(false), *capture = NULL;
    double *x = calloc((size_t)given->n_points * 2, sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < 2 * given->n_points; i++)
        x[i] = 2e73 * given->position_m[i];
    ArcError err;
    assert_int_equal(arc_capture_create(GIVEN(given->n_points, 2, given->time_s, x, given->sigma_m),
                                        &capture, &err),
                     ARC_OK);
    ArcFit *fit = case_fit(CASE_HEAD "flight: {dimensions: 2}\n"
                                     "fit: {pinn: {net: nets/tanh-24.yaml, train: [{optimizer: "
                                     "adam, rate: 1000, parameter_rate: 1000, steps: 1000, "
                                     "schedule: constant}, {optimizer: linear}]}}\n",
                           capture, ARC_PINN);
    print_message("stop %s after %d iterations: %s\n", arc_stop_text(fit->stop), fit->iterations,
                  fit->stop_note != NULL ? fit->stop_note : "-");
    assert_int_equal(fit->stop, ARC_STOP_NON_FINITE);
    assert_true(fit->iterations > 0);
    assert_false(fit->converged);
    assert_non_null(fit->stop_note);
    assert_non_null(strstr(fit->stop_note, "observations not finite at step "));
    assert_non_null(strstr(fit->stop_note, "of stage 0 (adam); lower its rate or set clip"));
    for (int i = 0; i < fit->n_parameters; i++)
        assert_true(isfinite(fit->parameters[i].value));
    for (int i = 0; i < fit->net.n_weights; i++)
        assert_true(isfinite(fit->net.weights[i]));
    arc_fit_free(fit);
    arc_capture_free(capture);
    arc_capture_free(given);
    free(x);
}

static void test_stage_finish_not_finite_from_the_start_names_the_block(void **state)
{
    (void)state;
    static const struct {
        const char *optimizer;
        int weight; /* that is made not finite; -1: a parameter */
        const char *block;
    } cases[] = {{"adam", 0, "weights"},  {"lbfgs", 5, "weights"},    {"linear", 3, "weights"},
                 {"lm", 3, "weights"},    {"adam", -1, "parameters"}, {"lbfgs", -1, "parameters"},
                 {"lm", -1, "parameters"}};
    ArcCapture *capture = capture_of(false);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 PLANE "fit: {pinn: {net: nets/tanh-24.yaml, train: [{optimizer: %s}]}}\n",
                 cases[i].optimizer);
        ArcError err;
        Staged s;
        staged_create(&s, text, capture);
        if (cases[i].weight < 0)
            s.pinn->values[0] = NAN;
        else
            s.pinn->weights[cases[i].weight] = NAN;
        assert_int_equal(
            arc_stage_create(s.pinn, &s.problem->pinn.stages[0], &s.history, s.arena, &s.run, &err),
            ARC_OK);
        arc_stage_begin(s.run, NULL);
        assert_false(arc_stage_step(s.run));
        assert_true(arc_stage_is_over(s.run));
        ArcStageEnd end = arc_stage_finish(s.run);
        assert_int_equal(end.stop, ARC_STOP_NON_FINITE);
        assert_int_equal(end.iterations, 0);
        assert_non_null(end.block);
        assert_string_equal(end.block, cases[i].block);
        staged_free(&s);
    }
    arc_capture_free(capture);
}

/* In the middle of a stage: points of the problem are spoilt after some steps. What the stage
 * leaves is the last state at which all was finite. */
static void test_stage_finish_spoilt_midway_names_the_block(void **state)
{
    (void)state;
    static const char *const optimizers[] = {"adam", "lbfgs"};
    ArcCapture *capture = capture_of(false);
    for (int i = 0; i < 4; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 PLANE "fit: {pinn: {net: nets/silu-16.yaml, train: [{optimizer: %s}]}}\n",
                 optimizers[i / 2]);
        Staged s;
        staged_create(&s, text, capture);
        for (int step = 0; step < 5; step++)
            assert_true(arc_stage_step(s.run));
        double *spoilt = i % 2 == 0 ? &s.pinn->s[3] : &s.problem->time_s[4], good = *spoilt;
        *spoilt = NAN;
        assert_false(arc_stage_step(s.run));
        ArcStageEnd end = arc_stage_finish(s.run);
        assert_int_equal(end.stop, ARC_STOP_NON_FINITE);
        assert_int_equal(end.iterations, 5);
        assert_string_equal(end.block, i % 2 == 0 ? "physics" : "observations");
        *spoilt = good;
        arc_pinn_place_rows(s.pinn);
        double rms;
        assert_true(isfinite(arc_pinn_cost(s.pinn, &rms)));
        staged_free(&s);
    }
    arc_capture_free(capture);
}

static void test_fit_run_warm_start_takes_fewer_steps(void **state)
{
    (void)state;
    static const char *const trains[] = {LM, LBFGS ", " LINEAR, LINEAR};
    ArcCapture *capture = capture_of(false);
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text, PLANE "fit: {pinn: {net: %s, train: [%s]}}\n", nets[i == 0],
                 trains[i]);
        ArcFit *first = case_fit(text, capture, ARC_PINN), *second = NULL;
        ArcProblem *problem = case_problem(text, capture);
        const ArcFitOptions options = {.warm_start = first};
        ArcError err;
        if (arc_fit_run(problem, ARC_PINN, &options, &second, &err) != ARC_OK)
            fail_msg("%s", err.text);
        CaseGap gap = case_gap(second, first);
        print_message("%s: %d iterations, warm %d, %.1e sd apart\n", trains[i], first->iterations,
                      second->iterations, gap.estimate_sd);
        assert_true(first->converged && second->converged);
        /* lm must first find that it need not be damped. */
        assert_true(second->iterations < first->iterations || i == 0);
        assert_true(second->iterations < 10);
        if (i > 0 && second->n_history > 0)
            assert_near(second->history[0].cost / first->history[first->n_history - 1].cost, 1.0,
                        1e-3);
        assert_true(gap.estimate_sd < 0.05);
        /* Another net: the parameters carry over alone. */
        ArcFit *other = NULL;
        ArcProblem *wider = case_problem(PLANE "fit: {pinn: {net: nets/tanh-48.yaml}}\n", capture);
        assert_int_equal(arc_fit_run(wider, ARC_PINN, &options, &other, &err), ARC_OK);
        assert_true(other->converged);
        arc_fit_free(first);
        arc_fit_free(second);
        arc_fit_free(other);
        arc_problem_free(problem);
        arc_problem_free(wider);
    }
    arc_capture_free(capture);
}

/* A parameter that ends at its bound does so by every optimiser, and is said to. */
static void test_fit_run_bounds_hold_in_every_stage(void **state)
{
    (void)state;
    static const char *const trains[] = {ADAM ", " LBFGS ", " LM, ADAM ", " LINEAR,
                                         "{optimizer: lbfgs, steps: 2000}",
                                         "{optimizer: adam, steps: 2000}"};
    ArcCapture *capture = capture_of(false);
    for (int i = 0; i < 4; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
                           "parameters: {k: {start: 0.1, bounds: [0.08, 1]}, s: 0.08, spin: "
                           "{start: 0}}\nfit: {pinn: {net: nets/tanh-24.yaml, train: [%s]}}\n",
                 trains[i]);
        ArcFit *fit = case_fit(text, capture, ARC_PINN);
        const ArcEstimate *k = case_parameter(fit, "k");
        print_message("%s: k %.9g, %s, %s, rms %.2g, fine %.2g sigma_phys\n", trains[i], k->value,
                      arc_stop_text(fit->stop), arc_parameter_status_text(k->status),
                      fit->residuals.physics_rms_m_s2 / fit->residuals.sigma_phys_m_s2,
                      fit->residuals.physics_rms_fine_m_s2 / fit->residuals.sigma_phys_m_s2);
        assert_true(k->value >= 0.08);
        if (i < 2)
            assert_int_equal(k->status, ARC_PARAMETER_AT_BOUND);
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_chains_reach_the_direct_answer_with_every_balance),
        cmocka_unit_test(test_fit_run_chains_reach_the_direct_answer_on_every_kind_of_points),
        cmocka_unit_test(test_fit_run_adam_settings_reach_the_direct_answer),
        cmocka_unit_test(test_fit_run_first_order_end_claims_no_more_than_it_has),
        cmocka_unit_test(test_fit_run_history_is_thinned_and_adds_up),
        cmocka_unit_test(test_stage_step_takes_no_memory),
        cmocka_unit_test(test_stage_step_adam_moves_parameters_by_their_size),
        cmocka_unit_test(test_fit_run_non_finite_stops_with_a_note),
        cmocka_unit_test(test_stage_finish_not_finite_from_the_start_names_the_block),
        cmocka_unit_test(test_stage_finish_spoilt_midway_names_the_block),
        cmocka_unit_test(test_fit_run_warm_start_takes_fewer_steps),
        cmocka_unit_test(test_fit_run_bounds_hold_in_every_stage),
    };
    return cmocka_run_group_tests_name("chains", tests, NULL, NULL);
}
