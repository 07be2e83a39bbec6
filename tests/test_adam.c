/* Adam: closed forms, the paper's algorithm written out plainly, and going on after a restore. */
#include "solve/adam.h"

#include "descent_problems.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* F = sum of curvature_i (x_i - centre_i)^2 / 2 */
typedef struct Quadratic {
    int n;
    double curvature[MAX_UNKNOWNS], centre[MAX_UNKNOWNS];
} Quadratic;

static bool evaluate_quadratic(void *context, const double *x, double *f, double *g)
{
    const Quadratic *q = context;
    *f = 0.0;
    for (int i = 0; i < q->n; i++) {
        double away = x[i] - q->centre[i];
        g[i] = q->curvature[i] * away;
        *f += 0.5 * g[i] * away;
    }
    return isfinite(*f);
}

/* Condition 1e6 over 30 unknowns. */
static Quadratic ill_conditioned(void)
{
    Quadratic q = {.n = 30};
    for (int i = 0; i < q.n; i++) {
        q.curvature[i] = pow(10.0, -3.0 + 6.0 * i / (q.n - 1));
        q.centre[i] = sin(1.0 + i);
    }
    return q;
}

static ArcScalarObjective quadratic_objective(Quadratic *q)
{
    return (ArcScalarObjective){.context = q, .evaluate = evaluate_quadratic};
}

static ArcAdam *create(const ArcAdamSettings *settings, int n, const double *multipliers,
                       ArcArena *arena)
{
    ArcAdam *adam = NULL;
    assert_int_equal(arc_adam_create(settings, n, multipliers, arena, &adam, NULL), ARC_OK);
    return adam;
}

/* The papers' algorithm, one unknown after the other, all in the order in which they print it. */
typedef struct Plain {
    double m[MAX_UNKNOWNS], v[MAX_UNKNOWNS];
    int t;
} Plain;

static void plain_step(Plain *p, const ArcAdamSettings *s, const double *multipliers, int n,
                       const double *gradient, double *x)
{
    double square = 0.0, rate = arc_schedule_rate(&s->schedule, p->t);
    for (int i = 0; i < n; i++)
        square += gradient[i] * gradient[i];
    p->t++;
    for (int i = 0; i < n; i++) {
        double g = gradient[i];
        if (s->clip_norm > 0.0 && sqrt(square) > s->clip_norm)
            g = g / sqrt(square) * s->clip_norm;
        p->m[i] = s->beta1 * p->m[i] + (1.0 - s->beta1) * g;
        p->v[i] = s->beta2 * p->v[i] + (1.0 - s->beta2) * g * g;
        double m_hat = p->m[i] / (1.0 - pow(s->beta1, p->t));
        double v_hat = p->v[i] / (1.0 - pow(s->beta2, p->t));
        double a = rate * (multipliers != NULL ? multipliers[i] : 1.0);
        double old = x[i];
        x[i] -= a * m_hat / (sqrt(v_hat) + s->epsilon);
        if (i >= s->decay_first && i < s->decay_first + s->n_decay)
            x[i] -= a * s->weight_decay * old;
    }
}

/* Walks both ways and compares each x. */
static void compare_with_plain(const ArcAdamSettings *s, const double *multipliers, int steps)
{
    Quadratic q = ill_conditioned();
    ArcScalarObjective objective = quadratic_objective(&q);
    ArcArena *arena = arc_arena_create();
    ArcAdam *adam = create(s, q.n, multipliers, arena);
    Plain plain = {0};
    double x[MAX_UNKNOWNS] = {0}, expected[MAX_UNKNOWNS] = {0}, g[MAX_UNKNOWNS], f;
    for (int k = 0; k < steps; k++) {
        evaluate_quadratic(&q, expected, &f, g);
        plain_step(&plain, s, multipliers, q.n, g, expected);
        ArcDescentReport report;
        arc_adam_step(adam, &objective, x, &report);
        assert_false(report.is_done);
        assert_int_equal(report.steps, k + 1);
        for (int i = 0; i < q.n; i++)
            assert_true(fabs(x[i] - expected[i]) <= 1e-11 * (1.0 + fabs(expected[i])));
    }
    arc_arena_free(arena);
}

static void test_adam_step_first_two_are_the_closed_form(void **state)
{
    (void)state;
    Quadratic q = {.n = 3, .curvature = {4.0, 1e-3, 1e5}, .centre = {1.0, -2.0, 0.5}};
    ArcScalarObjective objective = quadratic_objective(&q);
    ArcAdamSettings s = arc_adam_settings_default();
    s.schedule.rate = 0.01;
    ArcArena *arena = arc_arena_create();
    ArcAdam *adam = create(&s, q.n, NULL, arena);
    double x[3] = {0}, g1[3], g2[3], x1[3], f;
    ArcDescentReport report;
    evaluate_quadratic(&q, x, &f, g1);
    arc_adam_step(adam, &objective, x, &report);
    assert_true(report.cost == f);
    assert_true(report.rate == 0.01);
    assert_true(fabs(report.gradient_norm / sqrt(g1[0] * g1[0] + g1[1] * g1[1] + g1[2] * g1[2]) -
                     1.0) < 1e-15);
    /* Moments corrected for bias are g and g^2: each unknown moves by its rate, down. */
    for (int i = 0; i < 3; i++)
        assert_true(fabs(x[i] + 0.01 * g1[i] / (fabs(g1[i]) + 1e-8)) < 1e-16);
    memcpy(x1, x, sizeof(x));
    evaluate_quadratic(&q, x, &f, g2);
    arc_adam_step(adam, &objective, x, &report);
    for (int i = 0; i < 3; i++) {
        double m = (0.9 * 0.1 * g1[i] + 0.1 * g2[i]) / 0.19;
        double v = (0.999 * 0.001 * g1[i] * g1[i] + 0.001 * g2[i] * g2[i]) / 0.001999;
        assert_true(fabs(x[i] - (x1[i] - 0.01 * m / (sqrt(v) + 1e-8))) < 1e-15);
    }
    arc_arena_free(arena);
}

static void test_adam_step_defaults_match_the_plain_algorithm(void **state)
{
    (void)state;
    ArcAdamSettings s = arc_adam_settings_default();
    compare_with_plain(&s, NULL, 500);
}

static void test_adam_step_all_options_match_the_plain_algorithm(void **state)
{
    (void)state;
    double multipliers[30];
    for (int i = 0; i < 30; i++)
        multipliers[i] = i % 5 == 0 ? 0.0 : 0.1 * i;
    ArcAdamSettings s = arc_adam_settings_default();
    s.schedule = (ArcRateSchedule){.kind = ARC_RATE_COSINE,
                                   .rate = 0.02,
                                   .final_rate = 1e-4,
                                   .warm_up_steps = 50,
                                   .steps = 400};
    s.beta1 = 0.8;
    s.beta2 = 0.99;
    s.epsilon = 1e-3;
    s.weight_decay = 0.1;
    s.decay_first = 3;
    s.n_decay = 19;
    s.clip_norm = 5.0;
    compare_with_plain(&s, multipliers, 500);
    s.schedule.kind = ARC_RATE_EXPONENTIAL;
    s.schedule.decay = 0.99;
    s.decay_first = 0;
    s.n_decay = 30;
    compare_with_plain(&s, NULL, 500);
}

static void test_adam_step_clipping_caps_a_burst_only(void **state)
{
    (void)state;
    /* A gradient of norm 500 first, then of norm 1: clipped, the second step forgets the burst. */
    double moved[2];
    for (int clipped = 0; clipped < 2; clipped++) {
        Quadratic q = {.n = 2, .curvature = {1.0, 1.0}};
        ArcScalarObjective objective = quadratic_objective(&q);
        ArcAdamSettings s = arc_adam_settings_default();
        s.clip_norm = clipped ? 1.0 : 0.0;
        ArcArena *arena = arc_arena_create();
        ArcAdam *adam = create(&s, 2, NULL, arena);
        double x[2] = {300.0, 400.0};
        ArcDescentReport report;
        arc_adam_step(adam, &objective, x, &report);
        assert_true(fabs(report.gradient_norm - 500.0) < 1e-12);
        x[0] = -0.6;
        x[1] = -0.8;
        arc_adam_step(adam, &objective, x, &report);
        moved[clipped] = x[0] + 0.6;
        arc_arena_free(arena);
    }
    assert_true(moved[0] < -5e-4);                  /* still led by the burst */
    assert_true(moved[1] > 0.0 && moved[1] < 1e-4); /* (-0.09 + 0.1) / 0.19 of a rate */
    assert_true(fabs(moved[1] / (1e-3 * 0.01 / 0.19) - 1.0) < 1e-4);
}

static bool evaluate_level(void *context, const double *x, double *f, double *g)
{
    (void)x;
    *f = 1.0;
    memset(g, 0, (size_t) * (int *)context * sizeof(double));
    return true;
}

static void test_adam_step_decay_is_only_where_asked(void **state)
{
    (void)state;
    int n = 23;
    ArcScalarObjective level = {.context = &n, .evaluate = evaluate_level};
    ArcAdamSettings s = arc_adam_settings_default();
    s.schedule.rate = 0.1;
    s.weight_decay = 0.5;
    s.decay_first = 5;
    s.n_decay = 11;
    double multipliers[23], x[23];
    for (int i = 0; i < n; i++) {
        multipliers[i] = i == 7 ? 0.0 : 1.0;
        x[i] = 1.0 + i;
    }
    ArcArena *arena = arc_arena_create();
    ArcAdam *adam = create(&s, n, multipliers, arena);
    ArcDescentReport report;
    for (int k = 0; k < 20; k++)
        arc_adam_step(adam, &level, x, &report);
    for (int i = 0; i < n; i++) {
        bool decays = i >= 5 && i < 16 && i != 7;
        double expected = (1.0 + i) * (decays ? pow(0.95, 20) : 1.0);
        assert_true(fabs(x[i] - expected) <= (decays ? 1e-13 : 0.0));
    }
    arc_arena_free(arena);
}

static void test_adam_step_rates_in_proportion_make_scales_alike(void **state)
{
    (void)state;
    /* x = scale u with the rate times scale: the same walk in u, to the bit for powers of two. */
    Quadratic plain = ill_conditioned(), scaled = plain;
    double scale[MAX_UNKNOWNS], x[MAX_UNKNOWNS], u[MAX_UNKNOWNS];
    for (int i = 0; i < plain.n; i++) {
        scale[i] = ldexp(1.0, i % 2 == 0 ? -17 : 17);
        scaled.centre[i] = scale[i] * plain.centre[i];
        scaled.curvature[i] = plain.curvature[i] / (scale[i] * scale[i]);
        u[i] = 0.5;
        x[i] = scale[i] * 0.5;
    }
    ArcAdamSettings s = arc_adam_settings_default();
    s.epsilon = 1e-200;
    ArcArena *arena = arc_arena_create();
    ArcAdam *of_u = create(&s, plain.n, NULL, arena), *of_x = create(&s, plain.n, scale, arena);
    ArcScalarObjective plain_objective = quadratic_objective(&plain);
    ArcScalarObjective scaled_objective = quadratic_objective(&scaled);
    ArcDescentReport report;
    for (int k = 0; k < 300; k++) {
        arc_adam_step(of_u, &plain_objective, u, &report);
        arc_adam_step(of_x, &scaled_objective, x, &report);
        for (int i = 0; i < plain.n; i++)
            assert_true(x[i] == scale[i] * u[i]);
    }
    arc_arena_free(arena);
}

static void test_adam_step_ill_conditioned_quadratic_converges(void **state)
{
    (void)state;
    Quadratic q = ill_conditioned();
    ArcScalarObjective objective = quadratic_objective(&q);
    ArcAdamSettings s = arc_adam_settings_default();
    s.max_steps = 4000;
    s.schedule = (ArcRateSchedule){
        .kind = ARC_RATE_COSINE, .rate = 0.03, .final_rate = 0.0, .steps = s.max_steps};
    ArcArena *arena = arc_arena_create();
    ArcAdam *adam = create(&s, q.n, NULL, arena);
    double x[MAX_UNKNOWNS] = {0};
    ArcDescentReport report = {0};
    int calls = 0;
    while (!report.is_done && calls++ < 5000)
        arc_adam_step(adam, &objective, x, &report);
    assert_int_equal(report.stop, ARC_STOP_LIMIT);
    assert_int_equal(report.steps, s.max_steps);
    assert_int_equal(calls, s.max_steps + 1);
    double f, g[MAX_UNKNOWNS];
    evaluate_quadratic(&q, x, &f, g);
    assert_true(report.cost == f); /* cost and x belong together at the end */
    assert_true(f < 1e-8);
    arc_arena_free(arena);
}

static void test_adam_step_rosenbrock_converges(void **state)
{
    (void)state;
    Problem p = rosenbrock(2);
    Watched watched = {.problem = &p};
    ArcScalarObjective objective = watch(&watched);
    ArcAdamSettings s = arc_adam_settings_default();
    s.max_steps = 20000;
    s.schedule = (ArcRateSchedule){
        .kind = ARC_RATE_COSINE, .rate = 0.02, .final_rate = 0.0, .steps = s.max_steps};
    s.gradient_tolerance = 1e-6;
    ArcArena *arena = arc_arena_create();
    ArcAdam *adam = create(&s, 2, NULL, arena);
    double x[2] = {-1.2, 1.0};
    ArcDescentReport report = {0};
    while (!report.is_done)
        arc_adam_step(adam, &objective, x, &report);
    assert_int_equal(report.stop, ARC_STOP_GRADIENT);
    assert_true(report.gradient_norm <= 1e-6 * 233.0);
    assert_true(fabs(x[0] - 1.0) < 1e-3 && fabs(x[1] - 1.0) < 1e-3);
    arc_arena_free(arena);
}

static ArcAdamSettings settings_of_everything(void)
{
    ArcAdamSettings s = arc_adam_settings_default();
    s.schedule = (ArcRateSchedule){.kind = ARC_RATE_EXPONENTIAL,
                                   .rate = 0.02,
                                   .final_rate = 1e-3,
                                   .decay = 0.98,
                                   .warm_up_steps = 20};
    s.clip_norm = 100.0;
    s.weight_decay = 0.01;
    s.decay_first = 1;
    s.n_decay = 15;
    return s;
}

static void test_adam_restore_goes_on_to_the_bit(void **state)
{
    (void)state;
    Problem p = rosenbrock(20);
    Watched watched = {.problem = &p};
    ArcScalarObjective objective = watch(&watched);
    ArcAdamSettings s = settings_of_everything();
    ArcArena *arena = arc_arena_create();
    ArcAdam *whole = create(&s, p.n, NULL, arena), *first = create(&s, p.n, NULL, arena);
    ArcAdam *second = create(&s, p.n, NULL, arena);
    double x[20], y[20], stored[200];
    memcpy(x, p.start, sizeof(x));
    memcpy(y, p.start, sizeof(y));
    ArcDescentReport report, report_y;
    for (int k = 0; k < 100; k++)
        arc_adam_step(whole, &objective, x, &report);
    for (int k = 0; k < 37; k++)
        arc_adam_step(first, &objective, y, &report_y);
    ArcDescentState saved = arc_adam_state(first);
    assert_true(saved.count <= 200);
    memcpy(stored, saved.values, saved.count * sizeof(double));
    arc_adam_step(first, &objective, (double[20]){0}, &report_y); /* must not matter */
    assert_int_equal(arc_adam_restore(second, stored, saved.count, NULL), ARC_OK);
    for (int k = 0; k < 63; k++)
        arc_adam_step(second, &objective, y, &report_y);
    assert_memory_equal(x, y, sizeof(x));
    assert_int_equal(report_y.steps, 100);
    assert_true(report.cost == report_y.cost && report.rate == report_y.rate);
    assert_memory_equal(arc_adam_state(whole).values, arc_adam_state(second).values,
                        saved.count * sizeof(double));
    arc_arena_free(arena);
}

static void test_adam_restore_foreign_or_damaged_states_are_refused(void **state)
{
    (void)state;
    ArcAdamSettings s = arc_adam_settings_default();
    ArcArena *arena = arc_arena_create();
    ArcAdam *adam = create(&s, 20, NULL, arena), *other = create(&s, 21, NULL, arena);
    ArcError err = {0};
    double stored[200], before[200];
    ArcDescentState mine = arc_adam_state(adam), theirs = arc_adam_state(other);
    memcpy(before, mine.values, mine.count * sizeof(double));
    assert_int_equal(arc_adam_restore(adam, theirs.values, theirs.count, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "20 unknowns"));
    assert_int_equal(arc_adam_restore(adam, mine.values, mine.count - 1, &err), ARC_INPUT);
    /* Each number of the head that is in use: kind, unknowns, steps. */
    for (int at = 0; at < 3; at++) {
        memcpy(stored, before, sizeof(stored));
        stored[at] = at == 2 ? 1.5 : NAN;
        assert_int_equal(arc_adam_restore(adam, stored, mine.count, &err), ARC_INPUT);
    }
    assert_memory_equal(before, mine.values, mine.count * sizeof(double));
    arc_arena_free(arena);
}

static void test_adam_step_not_finite_midway_returns_to_the_last_finite(void **state)
{
    (void)state;
    Problem p = rosenbrock(6);
    for (int fail_from = 1; fail_from < 9; fail_from++) {
        Watched watched = {.problem = &p, .fail_from = fail_from};
        ArcScalarObjective objective = watch(&watched);
        ArcAdamSettings s = arc_adam_settings_default();
        ArcArena *arena = arc_arena_create();
        ArcAdam *adam = create(&s, p.n, NULL, arena);
        double x[6], last[6];
        memcpy(x, p.start, sizeof(x));
        memcpy(last, x, sizeof(x));
        ArcDescentReport report = {0};
        for (int k = 1; k < fail_from; k++) {
            memcpy(last, x, sizeof(x));
            arc_adam_step(adam, &objective, x, &report);
            assert_false(report.is_done);
        }
        arc_adam_step(adam, &objective, x, &report);
        assert_true(report.is_done);
        assert_int_equal(report.stop, ARC_STOP_NON_FINITE);
        assert_int_equal(report.steps, fail_from - 1);
        assert_memory_equal(x, last, sizeof(x));
        ArcDescentState kept = arc_adam_state(adam);
        for (size_t i = 0; i < kept.count; i++)
            assert_true(isfinite(kept.values[i]));
        arc_arena_free(arena);
    }
}

/* Says that all is well, whatever the numbers. */
static bool evaluate_careless(void *context, const double *x, double *f, double *g)
{
    const double *bad = context;
    *f = bad[0];
    g[0] = bad[1];
    g[1] = x[1];
    return true;
}

static void test_adam_step_careless_objective_is_caught(void **state)
{
    (void)state;
    double bad[][2] = {{NAN, 1.0}, {INFINITY, 1.0}, {1.0, NAN}, {1.0, -INFINITY}, {1.0, 1e200}};
    for (size_t i = 0; i < 5; i++) {
        ArcScalarObjective objective = {.context = bad[i], .evaluate = evaluate_careless};
        ArcAdamSettings s = arc_adam_settings_default();
        ArcArena *arena = arc_arena_create();
        ArcAdam *adam = create(&s, 2, NULL, arena);
        double x[2] = {1.0, 2.0};
        ArcDescentReport report;
        arc_adam_step(adam, &objective, x, &report);
        assert_int_equal(report.stop, ARC_STOP_NON_FINITE);
        assert_true(x[0] == 1.0 && x[1] == 2.0);
        arc_arena_free(arena);
    }
}

static void test_adam_step_takes_no_memory(void **state)
{
    (void)state;
    Problem p = rosenbrock(50);
    Watched watched = {.problem = &p};
    ArcScalarObjective objective = watch(&watched);
    ArcAdamSettings s = settings_of_everything();
    ArcArena *arena = arc_arena_create();
    ArcAdam *adam = create(&s, p.n, NULL, arena);
    double x[50];
    memcpy(x, p.start, sizeof(x));
    Budget budget = {.allowed = 0};
    arc_memory_set_hook(budget_hook, &budget);
    ArcDescentReport report;
    for (int k = 0; k < 50; k++)
        arc_adam_step(adam, &objective, x, &report);
    arc_memory_set_hook(NULL, NULL);
    assert_int_equal(budget.asked, 0);
    assert_int_equal(report.steps, 50);
    arc_arena_free(arena);
}

static void test_adam_create_exhausted_memory_is_reported(void **state)
{
    (void)state;
    ArcAdamSettings s = arc_adam_settings_default();
    int refusals = 0;
    for (int allowed = 0;; allowed++) {
        ArcArena *arena = arc_arena_create();
        Budget budget = {.allowed = allowed};
        arc_memory_set_hook(budget_hook, &budget);
        ArcAdam *adam = NULL;
        ArcError err = {0};
        ArcStatus status = arc_adam_create(&s, 300000, NULL, arena, &adam, &err);
        arc_memory_set_hook(NULL, NULL);
        arc_arena_free(arena);
        if (status == ARC_OK)
            break;
        refusals++;
        assert_int_equal(status, ARC_MEMORY);
        assert_null(adam);
    }
    assert_true(refusals >= 3);
}

static void test_adam_create_wrong_settings_are_named(void **state)
{
    (void)state;
    ArcAdamSettings rows[11];
    for (int i = 0; i < 11; i++)
        rows[i] = arc_adam_settings_default();
    rows[0].beta1 = 1.0;
    rows[1].beta2 = -0.1;
    rows[2].epsilon = 0.0;
    rows[3].weight_decay = -1.0;
    rows[4].decay_first = 3;
    rows[4].n_decay = 3;
    rows[5].clip_norm = NAN;
    rows[6].max_steps = 0;
    rows[7].schedule.rate = 0.0;
    rows[8].gradient_tolerance = -1.0;
    rows[9].decay_first = -1;
    const char *named[] = {"betas 1",
                           "-0.1",
                           "epsilon 0",
                           "weight decay -1",
                           "3 unknowns",
                           "clipping",
                           "0 steps",
                           "learning rate 0",
                           "tolerance",
                           "-1",
                           "multiplier -2 of unknown 4"};
    const double multipliers[5] = {1.0, 0.0, 1.0, 1.0, -2.0};
    ArcArena *arena = arc_arena_create();
    for (int i = 0; i < 11; i++) {
        ArcAdam *adam = NULL;
        ArcError err = {0};
        const double *given = i == 10 ? multipliers : NULL;
        assert_int_equal(arc_adam_create(&rows[i], 5, given, arena, &adam, &err), ARC_INPUT);
        assert_null(adam);
        assert_non_null(strstr(err.text, named[i]));
    }
    arc_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adam_step_first_two_are_the_closed_form),
        cmocka_unit_test(test_adam_step_defaults_match_the_plain_algorithm),
        cmocka_unit_test(test_adam_step_all_options_match_the_plain_algorithm),
        cmocka_unit_test(test_adam_step_clipping_caps_a_burst_only),
        cmocka_unit_test(test_adam_step_decay_is_only_where_asked),
        cmocka_unit_test(test_adam_step_rates_in_proportion_make_scales_alike),
        cmocka_unit_test(test_adam_step_ill_conditioned_quadratic_converges),
        cmocka_unit_test(test_adam_step_rosenbrock_converges),
        cmocka_unit_test(test_adam_restore_goes_on_to_the_bit),
        cmocka_unit_test(test_adam_restore_foreign_or_damaged_states_are_refused),
        cmocka_unit_test(test_adam_step_not_finite_midway_returns_to_the_last_finite),
        cmocka_unit_test(test_adam_step_careless_objective_is_caught),
        cmocka_unit_test(test_adam_step_takes_no_memory),
        cmocka_unit_test(test_adam_create_exhausted_memory_is_reported),
        cmocka_unit_test(test_adam_create_wrong_settings_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
