/* L-BFGS: known minima, both Wolfe conditions at every step, stop reasons, and going on after a
 * restore. */
#include "solve/lbfgs.h"

#include "more_garbow_hillstrom.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static ArcLbfgs *create(const ArcLbfgsSettings *settings, int n, ArcArena *arena)
{
    ArcLbfgs *lbfgs = NULL;
    assert_int_equal(arc_lbfgs_create(settings, n, arena, &lbfgs, NULL), ARC_OK);
    return lbfgs;
}

/* Both conditions for the move from x0 to x1, from values of our own. */
static void assert_wolfe(const ArcLbfgsSettings *s, const Problem *p, const double *x0,
                         const double *x1)
{
    Watched watched = {.problem = p};
    double f0, f1, g0[MAX_UNKNOWNS], g1[MAX_UNKNOWNS], slope0 = 0.0, slope1 = 0.0, size = 0.0;
    evaluate_problem(&watched, x0, &f0, g0);
    evaluate_problem(&watched, x1, &f1, g1);
    for (int i = 0; i < p->n; i++) {
        double move = x1[i] - x0[i];
        slope0 += g0[i] * move;
        slope1 += g1[i] * move;
        /* The move is known to the rounding of x only. */
        size += DBL_EPSILON * fmax(fabs(x0[i]), fabs(x1[i])) * (fabs(g0[i]) + fabs(g1[i]));
        size += 4.0 * DBL_EPSILON * fabs(move) * (fabs(g0[i]) + fabs(g1[i]));
    }
    assert_true(slope0 < size);
    assert_true(f1 <= f0 + s->line.decrease * slope0 + s->line.rounding * fabs(f0) + size);
    assert_true(fabs(slope1) <= s->line.curvature * fabs(slope0) + size);
}

/* Walks to the end from the problem's start, checking each step; the last report. */
static ArcDescentReport walk(const ArcLbfgsSettings *s, const Problem *p, double *x)
{
    Watched watched = {.problem = p};
    ArcScalarObjective objective = watch(&watched);
    ArcArena *arena = arc_arena_create();
    ArcLbfgs *lbfgs = create(s, p->n, arena);
    memcpy(x, p->start, (size_t)p->n * sizeof(double));
    double before[MAX_UNKNOWNS];
    ArcDescentReport report = {0};
    int64_t steps = 0;
    int evaluations = 0;
    while (!report.is_done) {
        memcpy(before, x, sizeof(before));
        arc_lbfgs_step(lbfgs, &objective, x, &report);
        evaluations += report.evaluations;
        assert_true(report.steps - steps == 0 || report.steps - steps == 1);
        if (report.steps > steps && report.is_wolfe)
            assert_wolfe(s, p, before, x);
        else if (report.steps > steps)
            fail_msg("%s: step %d without the Wolfe conditions", p->name, (int)report.steps);
        else
            assert_true(report.is_done);
        steps = report.steps;
    }
    assert_int_equal(evaluations, watched.evaluations);
    double f, g[MAX_UNKNOWNS];
    evaluate_problem(&watched, x, &f, g);
    assert_true(report.cost == f);
    arc_arena_free(arena);
    return report;
}

static void test_lbfgs_step_rosenbrock_of_any_size_converges(void **state)
{
    (void)state;
    const int sizes[] = {2, 3, 5, 10, 30, 100};
    for (size_t k = 0; k < 6; k++) {
        Problem p = rosenbrock(sizes[k]);
        ArcLbfgsSettings s = arc_lbfgs_settings_default();
        double x[MAX_UNKNOWNS];
        ArcDescentReport report = walk(&s, &p, x);
        print_message("Rosenbrock %3d: %4d steps, F %.3g, %s\n", p.n, (int)report.steps,
                      report.cost, arc_stop_text(report.stop));
        assert_true(arc_stop_is_converged(report.stop));
        if (report.cost > 1e-12) {
            assert_true(p.n >= 4 && fabs(report.cost - p.other_minimum) < 0.3);
            continue;
        }
        for (int i = 0; i < p.n; i++)
            assert_true(fabs(x[i] - 1.0) < 1e-5);
    }
}

static void test_lbfgs_step_more_garbow_hillstrom_minima_are_found(void **state)
{
    (void)state;
    for (int k = 0; k < N_MORE_GARBOW_HILLSTROM; k++) {
        const Problem *p = &more_garbow_hillstrom[k];
        ArcLbfgsSettings s = arc_lbfgs_settings_default();
        s.gradient_tolerance = 1e-11;
        double x[MAX_UNKNOWNS];
        ArcDescentReport report = walk(&s, p, x);
        print_message("%-24s %4d steps, F %.6g, %s\n", p->name, (int)report.steps, report.cost,
                      arc_stop_text(report.stop));
        assert_true(arc_stop_is_converged(report.stop));
        double level = p->minimum > 0.0 ? 1e-5 * p->minimum : 1e-10;
        bool other = p->other_minimum > 0.0 &&
                     fabs(report.cost - p->other_minimum) < 1e-5 * p->other_minimum;
        assert_true(other || fabs(report.cost - p->minimum) < level);
    }
}

/* sum of 10^(-8 i / (n - 1)) x_i^2 : condition 1e8 */
static void ill_conditioned(int n, const Complex *x, Complex *r)
{
    for (int i = 0; i < n; i++)
        r[i] = pow(10.0, -4.0 * i / (n - 1)) * x[i];
}

static void test_lbfgs_step_ill_conditioned_quadratic_converges(void **state)
{
    (void)state;
    Problem p = {.name = "quadratic", .n = 12, .m = 12, .residuals = ill_conditioned};
    for (int i = 0; i < p.n; i++)
        p.start[i] = 1.0 + i;
    ArcLbfgsSettings s = arc_lbfgs_settings_default();
    s.gradient_tolerance = 1e-14;
    double x[MAX_UNKNOWNS];
    ArcDescentReport report = walk(&s, &p, x);
    assert_int_equal(report.stop, ARC_STOP_GRADIENT);
    assert_true(report.steps < 300);
    for (int i = 0; i < p.n; i++)
        assert_true(fabs(x[i]) < 1e-4);
}

static void test_lbfgs_step_long_memory_on_quadratic_is_finite(void **state)
{
    (void)state;
    /* With memory for all n pairs and nearly exact searches, BFGS ends after n + 1 steps. */
    Problem p = {.name = "quadratic", .n = 6, .m = 6, .residuals = ill_conditioned};
    for (int i = 0; i < p.n; i++)
        p.start[i] = 1.0;
    ArcLbfgsSettings s = arc_lbfgs_settings_default();
    s.line.curvature = 1e-3;
    s.gradient_tolerance = 1e-7;
    double x[MAX_UNKNOWNS];
    ArcDescentReport report = walk(&s, &p, x);
    assert_int_equal(report.stop, ARC_STOP_GRADIENT);
    assert_true(report.steps <= 14);
}

static void test_lbfgs_step_each_stop_has_its_reason(void **state)
{
    (void)state;
    Problem p = rosenbrock(10);
    double x[MAX_UNKNOWNS];
    ArcLbfgsSettings s = arc_lbfgs_settings_default();
    s.max_steps = 7;
    ArcDescentReport report = walk(&s, &p, x);
    assert_int_equal(report.stop, ARC_STOP_LIMIT);
    assert_int_equal(report.steps, 7);
    s = arc_lbfgs_settings_default();
    s.gradient_tolerance = 1e-3;
    report = walk(&s, &p, x);
    assert_int_equal(report.stop, ARC_STOP_GRADIENT);
    assert_true(report.gradient_norm > 1e-6);
    s = arc_lbfgs_settings_default();
    s.step_tolerance = 1e-2;
    assert_int_equal(walk(&s, &p, x).stop, ARC_STOP_STEP);
    s = arc_lbfgs_settings_default();
    s.cost_tolerance = 0.5;
    s.cost_patience = 3;
    report = walk(&s, &p, x);
    assert_int_equal(report.stop, ARC_STOP_COST);
    assert_true(report.steps >= 3);
    /* A start at the minimum is no work. */
    for (int i = 0; i < p.n; i++)
        p.start[i] = 1.0;
    s = arc_lbfgs_settings_default();
    report = walk(&s, &p, x);
    assert_int_equal(report.stop, ARC_STOP_GRADIENT);
    assert_int_equal(report.evaluations, 1);
}

/* F with a gradient of the wrong sign: promises what no step keeps. */
static bool evaluate_liar(void *context, const double *x, double *f, double *g)
{
    (void)context;
    *f = x[0] * x[0] + 1.0;
    g[0] = -2.0 * x[0];
    return true;
}

static void test_lbfgs_step_no_lower_point_is_stalled(void **state)
{
    (void)state;
    ArcScalarObjective objective = {.evaluate = evaluate_liar};
    ArcLbfgsSettings s = arc_lbfgs_settings_default();
    ArcArena *arena = arc_arena_create();
    ArcLbfgs *lbfgs = create(&s, 1, arena);
    double x[1] = {1.5};
    ArcDescentReport report;
    arc_lbfgs_step(lbfgs, &objective, x, &report);
    assert_true(report.is_done && x[0] == 1.5);
    assert_int_equal(report.stop, ARC_STOP_STALLED);
    assert_int_equal(report.steps, 0);
    arc_arena_free(arena);
}

/* x - log x, not finite for x <= 0; minimum at 1. */
static bool evaluate_barrier(void *context, const double *x, double *f, double *g)
{
    int *outside = context;
    *outside += x[0] <= 0.0;
    *f = x[0] - log(x[0]);
    g[0] = 1.0 - 1.0 / x[0];
    return x[0] > 0.0;
}

static void test_lbfgs_step_trials_outside_the_domain_are_drawn_back(void **state)
{
    (void)state;
    int outside = 0;
    ArcScalarObjective objective = {.context = &outside, .evaluate = evaluate_barrier};
    ArcLbfgsSettings s = arc_lbfgs_settings_default();
    s.first_length = 1e6;
    ArcArena *arena = arc_arena_create();
    double starts[] = {0.4, 0.9, 1e-3, 1.5, 400.0};
    for (int k = 0; k < 5; k++) {
        ArcLbfgs *lbfgs = create(&s, 1, arena);
        double x[1] = {starts[k]};
        ArcDescentReport report = {0};
        while (!report.is_done)
            arc_lbfgs_step(lbfgs, &objective, x, &report);
        assert_true(arc_stop_is_converged(report.stop));
        assert_true(fabs(x[0] - 1.0) < 1e-7);
    }
    assert_true(outside > 0);
    arc_arena_free(arena);
}

static void test_lbfgs_step_not_finite_midway_keeps_the_last_finite(void **state)
{
    (void)state;
    Problem p = rosenbrock(6);
    for (int fail_from = 1; fail_from < 30; fail_from++) {
        Watched watched = {.problem = &p, .fail_from = fail_from}, sound = {.problem = &p};
        ArcScalarObjective objective = watch(&watched);
        ArcLbfgsSettings s = arc_lbfgs_settings_default();
        ArcArena *arena = arc_arena_create();
        ArcLbfgs *lbfgs = create(&s, p.n, arena);
        double x[6], last[6], f, g[6];
        memcpy(x, p.start, sizeof(x));
        ArcDescentReport report = {0};
        while (!report.is_done) {
            memcpy(last, x, sizeof(x));
            arc_lbfgs_step(lbfgs, &objective, x, &report);
        }
        assert_int_equal(report.stop, ARC_STOP_NON_FINITE);
        assert_memory_equal(x, last, sizeof(x));
        assert_true(evaluate_problem(&sound, x, &f, g));
        assert_true(fail_from == 1 || report.cost == f);
        ArcDescentState kept = arc_lbfgs_state(lbfgs);
        for (size_t i = 0; i < kept.count; i++)
            assert_true(isfinite(kept.values[i]));
        /* Once F is finite again the walk goes on. */
        watched.fail_from = 0;
        while (!report.is_done || report.stop == ARC_STOP_NON_FINITE)
            arc_lbfgs_step(lbfgs, &objective, x, &report);
        assert_true(arc_stop_is_converged(report.stop));
        arc_arena_free(arena);
    }
}

/* -x until a kink, steep up from there on; or, with kink 0, the hill -x^2 / 2. */
static bool evaluate_slide(void *context, const double *x, double *f, double *g)
{
    double kink = *(double *)context;
    if (kink == 0.0) {
        *f = -0.5 * x[0] * x[0];
        g[0] = -x[0];
    } else {
        *f = x[0] < kink ? -x[0] : 100.0 * (x[0] - kink) - kink;
        g[0] = x[0] < kink ? -1.0 : 100.0;
    }
    return true;
}

static void test_lbfgs_step_last_trial_is_not_mistaken_for_the_best(void **state)
{
    (void)state;
    double kink = 1.0;
    ArcScalarObjective objective = {.context = &kink, .evaluate = evaluate_slide};
    ArcLbfgsSettings s = arc_lbfgs_settings_default();
    s.first_length = 0.0625;
    s.line.max_evaluations = 2; /* the first trial goes too short a way, the second too far */
    ArcArena *arena = arc_arena_create();
    ArcLbfgs *lbfgs = create(&s, 1, arena);
    double x[1] = {0.875};
    ArcDescentReport report;
    arc_lbfgs_step(lbfgs, &objective, x, &report);
    assert_true(!report.is_done && !report.is_wolfe);
    assert_int_equal(report.evaluations, 3);
    assert_true(x[0] == 0.9375 && report.cost == -0.9375 && report.rate == 0.0625);
    arc_arena_free(arena);
}

/* Where the tests below reach into a state. */
enum { STATE_PAIRS = 4, STATE_GAMMA = 10, STATE_HEAD = 16 };

static void test_lbfgs_step_pair_without_curvature_is_not_stored(void **state)
{
    (void)state;
    double kink = 0.0;
    ArcScalarObjective objective = {.context = &kink, .evaluate = evaluate_slide};
    ArcLbfgsSettings s = arc_lbfgs_settings_default();
    s.line.max_evaluations = 1;
    ArcArena *arena = arc_arena_create();
    ArcLbfgs *lbfgs = create(&s, 1, arena);
    double x[1] = {1.0};
    ArcDescentReport report;
    for (int k = 0; k < 5; k++) {
        arc_lbfgs_step(lbfgs, &objective, x, &report);
        assert_true(!report.is_wolfe && x[0] == 2.0 + k);
        assert_true(arc_lbfgs_state(lbfgs).values[STATE_PAIRS] == 0.0);
    }
    arc_arena_free(arena);
}

static void test_lbfgs_step_direction_uphill_gives_way_to_steepest_descent(void **state)
{
    (void)state;
    Problem p = rosenbrock(8);
    Watched watched = {.problem = &p};
    ArcScalarObjective objective = watch(&watched);
    ArcLbfgsSettings s = arc_lbfgs_settings_default();
    ArcArena *arena = arc_arena_create();
    ArcLbfgs *lbfgs = create(&s, p.n, arena), *fresh = create(&s, p.n, arena);
    ArcDescentReport report, report_fresh;
    double x[8], y[8];
    memcpy(x, p.start, sizeof(x));
    for (int k = 0; k < 6; k++)
        arc_lbfgs_step(lbfgs, &objective, x, &report);
    /* Pairs of negative curvature only, so that H is negative definite. */
    ArcDescentState saved = arc_lbfgs_state(lbfgs);
    double *turned = ARC_ALLOC(arena, saved.count, double);
    memcpy(turned, saved.values, saved.count * sizeof(double));
    turned[STATE_GAMMA] *= -1.0;
    for (int k = 0; k < s.memory; k++)
        turned[STATE_HEAD + 2 * p.n + k] *= -1.0;
    for (int i = 0; i < s.memory * p.n; i++)
        turned[STATE_HEAD + 2 * p.n + s.memory + s.memory * p.n + i] *= -1.0;
    assert_int_equal(arc_lbfgs_restore(lbfgs, turned, saved.count, NULL), ARC_OK);
    memcpy(y, x, sizeof(x));
    arc_lbfgs_step(lbfgs, &objective, x, &report);
    arc_lbfgs_step(fresh, &objective, y, &report_fresh);
    assert_memory_equal(x, y, sizeof(x));
    /* The fresh one had F at x to find, no more: no search went uphill first. */
    assert_int_equal(report.evaluations + 1, report_fresh.evaluations);
    arc_arena_free(arena);
}

/* Settings that stop for nothing but the limit. */
static ArcLbfgsSettings endless(int memory)
{
    ArcLbfgsSettings s = arc_lbfgs_settings_default();
    s.memory = memory;
    s.gradient_tolerance = s.step_tolerance = s.cost_tolerance = 0.0;
    return s;
}

static void test_lbfgs_restore_goes_on_to_the_bit(void **state)
{
    (void)state;
    Problem p = rosenbrock(MAX_UNKNOWNS);
    Watched watched = {.problem = &p};
    ArcScalarObjective objective = watch(&watched);
    for (int memory = 3; memory <= 50; memory += 47) {
        ArcLbfgsSettings s = endless(memory);
        ArcArena *arena = arc_arena_create();
        ArcLbfgs *whole = create(&s, p.n, arena), *first = create(&s, p.n, arena);
        ArcLbfgs *second = create(&s, p.n, arena);
        double x[MAX_UNKNOWNS], y[MAX_UNKNOWNS], elsewhere[MAX_UNKNOWNS] = {0};
        memcpy(x, p.start, sizeof(x));
        memcpy(y, p.start, sizeof(y));
        ArcDescentReport report = {0}, report_y = {0}, ignored;
        for (int k = 0; k < 100; k++)
            arc_lbfgs_step(whole, &objective, x, &report);
        for (int k = 0; k < 37; k++)
            arc_lbfgs_step(first, &objective, y, &report_y);
        ArcDescentState saved = arc_lbfgs_state(first);
        double *stored = ARC_ALLOC(arena, saved.count, double);
        memcpy(stored, saved.values, saved.count * sizeof(double));
        arc_lbfgs_step(first, &objective, elsewhere, &ignored); /* must not matter */
        assert_int_equal(arc_lbfgs_restore(second, stored, saved.count, NULL), ARC_OK);
        int evaluations = watched.evaluations;
        arc_lbfgs_step(second, &objective, y, &report_y);
        assert_int_equal(watched.evaluations - evaluations, report_y.evaluations);
        for (int k = 1; k < 63; k++)
            arc_lbfgs_step(second, &objective, y, &report_y);
        assert_false(report.is_done);
        assert_int_equal(report.steps, 100);
        assert_int_equal(report_y.steps, 100);
        assert_memory_equal(x, y, sizeof(x));
        assert_memory_equal(arc_lbfgs_state(whole).values, arc_lbfgs_state(second).values,
                            saved.count * sizeof(double));
        arc_arena_free(arena);
    }
}

static void test_lbfgs_restore_foreign_or_damaged_states_are_refused(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    ArcLbfgsSettings five = endless(5), six = endless(6);
    ArcLbfgs *lbfgs = create(&five, 8, arena), *other = create(&six, 8, arena);
    Problem p = rosenbrock(8);
    Watched watched = {.problem = &p};
    ArcScalarObjective objective = watch(&watched);
    ArcDescentReport report;
    double x[8];
    memcpy(x, p.start, sizeof(x));
    for (int k = 0; k < 9; k++)
        arc_lbfgs_step(lbfgs, &objective, x, &report);
    ArcDescentState mine = arc_lbfgs_state(lbfgs), theirs = arc_lbfgs_state(other);
    double *before = ARC_ALLOC(arena, mine.count, double);
    double *stored = ARC_ALLOC(arena, mine.count, double);
    memcpy(before, mine.values, mine.count * sizeof(double));
    ArcError err = {0};
    assert_int_equal(arc_lbfgs_restore(lbfgs, theirs.values, theirs.count, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "8 unknowns and 5 pairs"));
    assert_int_equal(arc_lbfgs_restore(lbfgs, mine.values, mine.count - 1, &err), ARC_INPUT);
    const double bad[] = {NAN, 99.0, -1.0, 0.5, INFINITY};
    for (int at = 0; at < 8; at++) {
        for (int k = 0; k < 5; k++) {
            memcpy(stored, before, mine.count * sizeof(double));
            stored[at] = bad[k];
            bool is_step_count = at == 6 || at == 7;
            ArcStatus status = arc_lbfgs_restore(lbfgs, stored, mine.count, &err);
            assert_int_equal(status, is_step_count && k == 1 ? ARC_OK : ARC_INPUT);
            assert_int_equal(arc_lbfgs_restore(lbfgs, before, mine.count, &err), ARC_OK);
        }
    }
    assert_memory_equal(before, mine.values, mine.count * sizeof(double));
    arc_arena_free(arena);
}

static void test_lbfgs_restart_or_another_x_starts_anew(void **state)
{
    (void)state;
    Problem p = rosenbrock(8);
    Watched watched = {.problem = &p};
    ArcScalarObjective objective = watch(&watched);
    ArcLbfgsSettings s = endless(5);
    ArcArena *arena = arc_arena_create();
    for (int way = 0; way < 2; way++) {
        ArcLbfgs *lbfgs = create(&s, p.n, arena), *fresh = create(&s, p.n, arena);
        ArcDescentReport report, report_fresh;
        double x[8], y[8];
        memcpy(x, p.start, sizeof(x));
        for (int k = 0; k < 12; k++)
            arc_lbfgs_step(lbfgs, &objective, x, &report);
        if (way == 0)
            arc_lbfgs_restart(lbfgs);
        else
            x[3] += 1e-9;
        memcpy(y, x, sizeof(x));
        for (int k = 0; k < 10; k++) {
            arc_lbfgs_step(lbfgs, &objective, x, &report);
            arc_lbfgs_step(fresh, &objective, y, &report_fresh);
        }
        assert_memory_equal(x, y, sizeof(x));
        assert_int_equal(report.steps, 22);
        assert_int_equal(report_fresh.steps, 10);
    }
    arc_arena_free(arena);
}

static void test_lbfgs_step_takes_no_memory(void **state)
{
    (void)state;
    Problem p = rosenbrock(50);
    Watched watched = {.problem = &p};
    ArcScalarObjective objective = watch(&watched);
    ArcLbfgsSettings s = endless(20);
    ArcArena *arena = arc_arena_create();
    ArcLbfgs *lbfgs = create(&s, p.n, arena);
    double x[50];
    memcpy(x, p.start, sizeof(x));
    Budget budget = {.allowed = 0};
    arc_memory_set_hook(budget_hook, &budget);
    ArcDescentReport report;
    for (int k = 0; k < 50; k++)
        arc_lbfgs_step(lbfgs, &objective, x, &report);
    arc_memory_set_hook(NULL, NULL);
    assert_int_equal(budget.asked, 0);
    assert_int_equal(report.steps, 50);
    arc_arena_free(arena);
}

static void test_lbfgs_create_exhausted_memory_is_reported(void **state)
{
    (void)state;
    ArcLbfgsSettings s = arc_lbfgs_settings_default();
    int refusals = 0;
    for (int allowed = 0;; allowed++) {
        ArcArena *arena = arc_arena_create();
        Budget budget = {.allowed = allowed};
        arc_memory_set_hook(budget_hook, &budget);
        ArcLbfgs *lbfgs = NULL;
        ArcError err = {0};
        ArcStatus status = arc_lbfgs_create(&s, 100000, arena, &lbfgs, &err);
        arc_memory_set_hook(NULL, NULL);
        arc_arena_free(arena);
        if (status == ARC_OK)
            break;
        refusals++;
        assert_int_equal(status, ARC_MEMORY);
        assert_null(lbfgs);
    }
    assert_true(refusals >= 2);
}

static void test_lbfgs_create_wrong_settings_are_named(void **state)
{
    (void)state;
    ArcLbfgsSettings rows[10];
    for (int i = 0; i < 10; i++)
        rows[i] = arc_lbfgs_settings_default();
    rows[0].line.decrease = 0.95;
    rows[1].line.curvature = 1.0;
    rows[2].line.max_evaluations = 0;
    rows[3].memory = 0;
    rows[4].cost_patience = 0;
    rows[5].max_steps = 0;
    rows[6].first_length = -2.0;
    rows[7].gradient_tolerance = NAN;
    rows[8].step_tolerance = -3.0;
    rows[9].cost_tolerance = -4.0;
    const char *named[] = {"0.95",    "and 1",           "and 0",      "memory 0",   "patience 0",
                           "steps 0", "first length -2", "tolerances", "tolerances", "-4"};
    ArcArena *arena = arc_arena_create();
    for (int i = 0; i < 10; i++) {
        ArcLbfgs *lbfgs = NULL;
        ArcError err = {0};
        assert_int_equal(arc_lbfgs_create(&rows[i], 5, arena, &lbfgs, &err), ARC_INPUT);
        assert_null(lbfgs);
        assert_non_null(strstr(err.text, named[i]));
    }
    arc_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lbfgs_step_rosenbrock_of_any_size_converges),
        cmocka_unit_test(test_lbfgs_step_more_garbow_hillstrom_minima_are_found),
        cmocka_unit_test(test_lbfgs_step_ill_conditioned_quadratic_converges),
        cmocka_unit_test(test_lbfgs_step_long_memory_on_quadratic_is_finite),
        cmocka_unit_test(test_lbfgs_step_each_stop_has_its_reason),
        cmocka_unit_test(test_lbfgs_step_no_lower_point_is_stalled),
        cmocka_unit_test(test_lbfgs_step_last_trial_is_not_mistaken_for_the_best),
        cmocka_unit_test(test_lbfgs_step_pair_without_curvature_is_not_stored),
        cmocka_unit_test(test_lbfgs_step_direction_uphill_gives_way_to_steepest_descent),
        cmocka_unit_test(test_lbfgs_step_trials_outside_the_domain_are_drawn_back),
        cmocka_unit_test(test_lbfgs_step_not_finite_midway_keeps_the_last_finite),
        cmocka_unit_test(test_lbfgs_restore_goes_on_to_the_bit),
        cmocka_unit_test(test_lbfgs_restore_foreign_or_damaged_states_are_refused),
        cmocka_unit_test(test_lbfgs_restart_or_another_x_starts_anew),
        cmocka_unit_test(test_lbfgs_step_takes_no_memory),
        cmocka_unit_test(test_lbfgs_create_exhausted_memory_is_reported),
        cmocka_unit_test(test_lbfgs_create_wrong_settings_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
