/* The scalar objective of adam and lbfgs: its gradient against central differences and against J'r
 * of the lm stage, its balances, sizes and bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/objectives.h"
#include "fit_case.h"
#include "law_case.h"
#include "slow.h"
#include "sweep.h"

#include "base/random.h"

enum { POINTS = 7, NODES = 12, CASES = 4 * LAW_DRAGS * LAW_LIFTS, TEXT = 2048 };
/* One after the other with the cases. */
static const char *const losses[] = {"gauss", "huber", "cauchy", "student-t"};

typedef struct Case {
    LawCase law;
    int d;
    bool polar;
    ArcWeighting weighting;
} Case;

static const char *const weightings[] = {"fixed", "gradient-norm", "self-adaptive", "causal"};

static ArcProblem *problem_of(const Case *c)
{
    char text[TEXT];
    char flight[LAW_TEXT], parameters[LAW_TEXT];
    law_flight(&c->law, c->d, flight);
    law_parameters(&c->law, c->d, c->d - 1, parameters);
    const char *velocity =
        c->polar ? (c->d == 2 ? "speed: {start: 7}, angle: {start: 0.9}"
                              : "speed: {start: 7}, angle: {start: 0.9}, azimuth: {start: 0.4}")
                 : (c->d == 2 ? "vx0: {start: 4}, vy0: {start: 5}"
                              : "vx0: {start: 4}, vy0: {start: 5}, vz0: {start: -3}");
    snprintf(text, TEXT,
             CASE_HEAD
             "flight: {dimensions: %d, ball: basketball, %s}\n"
             "release: %s\n"
             "parameters: {%st0: {start: -0.05}, x0: {start: 0.3}, y0: {start: 2}, "
             "%s%s}\n"
             "fit: {loss: %s, pinn: {physics: 0.5 m/s^2, weighting: %s, causal_epsilon: 1e-3}}\n",
             c->d, flight, c->polar ? "polar" : "cartesian", parameters,
             c->d == 2 ? "" : "z0: {start: 1}, ", velocity, losses[(c->law.drag + c->law.lift) % 4],
             weightings[c->weighting]);
    ArcCapture *flown = case_capture(text, POINTS, 0.8, 0.003), *capture = NULL;
    double position[3 * POINTS];
    memcpy(position, flown->position_m, sizeof(double) * (size_t)(c->d * POINTS));
    for (int i = 2; i < c->d * POINTS; i += 4)
        position[i] = NAN;
    ArcError err;
    if (arc_capture_create(GIVEN(POINTS, c->d, flown->time_s, position, flown->sigma_m), &capture,
                           &err) != ARC_OK)
        fail_msg("%s", err.text);
    ArcProblem *problem = case_problem(text, capture);
    assert_true(problem->n_observations < c->d * POINTS);
    arc_capture_free(capture);
    arc_capture_free(flown);
    return problem;
}

/* Nets of every activation, with and without waves and skips. */
static ArcNetSettings net_of(int i)
{
    ArcNetSettings net = arc_net_settings_default();
    net.n_hidden = 2;
    net.widths[0] = 5;
    net.widths[1] = i % 2 == 0 ? 4 : 5;
    net.activation = (ArcActivation)(i % ARC_ACTIVATION_COUNT);
    net.init = ARC_INIT_GLOROT_NORMAL;
    net.skip = i % 2 == 1;
    net.fourier_modes = i % 3;
    net.fourier_base = 0.7;
    return net;
}

typedef struct Tested {
    ArcProblem *problem;
    ArcArena *arena;
    ArcPinn *pinn;
    ArcGradient *gradient;
    ArcScalarObjective objective;
    double *x, *g, *other;
    int n;
} Tested;

/* Weights and values moved a little, so that nothing is special there. */
static void tested_create(Tested *t, const Case *c, const ArcNetSettings *net)
{
    ArcError err;
    t->problem = problem_of(c);
    t->arena = arc_arena_create();
    assert_int_equal(arc_pinn_create(t->problem, net, NODES, t->arena, &t->pinn, &err), ARC_OK);
    ArcRandom random = arc_random_create(9, ARC_STREAM_STARTS);
    for (int k = 0; k < t->pinn->n_weights; k++)
        t->pinn->weights[k] += 0.2 * arc_random_normal(&random);
    assert_int_equal(arc_gradient_create(t->pinn, t->arena, &t->gradient, &t->x, &err), ARC_OK);
    t->objective = arc_gradient_objective(t->gradient);
    t->n = arc_gradient_n(t->gradient);
    assert_int_equal(t->n, t->pinn->n_weights + t->problem->n_free);
    t->g = calloc(2 * (size_t)t->n, sizeof *t->g);
    assert_non_null(t->g);
    t->other = t->g + t->n;
}

static void tested_free(Tested *t)
{
    free(t->g);
    arc_arena_free(t->arena);
    arc_problem_free(t->problem);
}

static double evaluate(Tested *t)
{
    double f = NAN;
    assert_true(t->objective.evaluate(t->objective.context, t->x, &f, t->g));
    return f;
}

/* Best difference of each unknown over the sweep, against the largest entry of the gradient's block
 * (weights, parameters). */
static double worst_difference(Tested *t)
{
    evaluate(t);
    double worst = 0.0, largest[2] = {0.0, 0.0};
    int n_equal = 0, n_weights = t->pinn->n_weights;
    double *g = calloc((size_t)t->n, sizeof *g);
    assert_non_null(g);
    memcpy(g, t->g, sizeof(double) * (size_t)t->n);
    for (int k = 0; k < t->n; k++)
        largest[k >= n_weights] = fmax(largest[k >= n_weights], fabs(g[k]));
    assert_true(largest[0] > 0.0 && largest[1] > 0.0);
    for (int k = 0; k < t->n; k++) {
        double x = t->x[k], best = INFINITY;
        for (int s = 0; s < N_STEPS; s++) {
            t->x[k] = x + steps[s];
            double above = evaluate(t);
            t->x[k] = x - steps[s];
            double below = evaluate(t), difference = (above - below) / (2.0 * steps[s]);
            best = fmin(best, fabs(difference - g[k]));
            n_equal += difference == g[k];
        }
        t->x[k] = x;
        double share = best / largest[k >= n_weights];
        worst = share <= worst ? worst : share;
    }
    assert_true(n_equal < t->n);
    free(g);
    return worst;
}

static void test_gradient_objective_is_that_of_differences(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i < CASES; i += FEWER(1, 5)) { /* all laws, not all pairs */
        Case c = {.law = law_case(i),
                  .d = 2 + i / (CASES / 4) % 2,
                  .polar = i / (CASES / 2) == 1,
                  .weighting = (ArcWeighting)((i + i / 4) % 4)};
        ArcNetSettings net = net_of(i);
        Tested t;
        tested_create(&t, &c, &net);
        bool changed = arc_gradient_balance(t.gradient, t.x);
        assert_int_equal(changed, c.weighting != ARC_WEIGHTING_FIXED);
        double of_case = worst_difference(&t);
        char name[LAW_NAME];
        law_name(&c.law, name);
        if (!(of_case <= 1e-6))
            fail_msg("%s, %d dimensions, %s, %s: error %g of the largest", name, c.d,
                     c.polar ? "polar" : "cartesian", weightings[c.weighting], of_case);
        worst = fmax(worst, of_case);
        tested_free(&t);
    }
    print_message("worst error %.1e of the largest entry\n", worst);
}

/* J'r of the least-squares problem of the lm stage, whose unknowns stand in another order. */
static void least_squares_gradient(Tested *t, double *gradient, double *parts)
{
    ArcError err;
    ArcObjective o;
    double *z = NULL;
    arc_gradient_finish(t->gradient, t->x);
    assert_int_equal(arc_weights_objective(t->pinn, t->arena, &o, &z, &err), ARC_OK);
    size_t m = (size_t)o.m;
    double *r = calloc(m, sizeof *r), *J = calloc(m * (size_t)t->n, sizeof *J);
    assert_true(r != NULL && J != NULL && o.evaluate(o.context, z, r, J));
    int hidden = o.n_damped, rows = arc_pinn_n_rows(t->pinn);
    for (int k = 0; k < t->n; k++) {
        int to = k < o.n_inner ? hidden + k : k < o.n_inner + hidden ? k - o.n_inner : k;
        gradient[to] = 0.0;
        for (size_t i = 0; i < m; i++)
            gradient[to] += J[i + (size_t)k * m] * r[i];
    }
    for (int i = 0; i < o.m; i++)
        parts[i < t->problem->n_observations ? 0 : i < rows ? 1 : 2] += 0.5 * r[i] * r[i];
    free(r);
    free(J);
}

static void test_gradient_objective_is_that_of_least_squares(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i < 12; i++) {
        Case c = {.law = law_case(8 * i), .d = 2 + i % 2, .polar = i > 5};
        ArcNetSettings net = net_of(i);
        Tested t;
        tested_create(&t, &c, &net);
        double f = evaluate(&t), parts[3] = {0.0, 0.0, 0.0};
        least_squares_gradient(&t, t.other, parts);
        double largest = 0.0, apart = 0.0;
        for (int k = 0; k < t.n; k++) {
            int p = k - t.pinn->n_weights;
            /* A parameter is its size times the unknown. */
            double size =
                p < 0 ? 1.0
                      : t.pinn->values[t.problem->free_parameter[p]] / t.x[t.pinn->n_weights + p];
            largest = fmax(largest, fabs(t.g[k]));
            apart = fmax(apart, fabs(t.g[k] - size * t.other[k]));
        }
        assert_near(apart / largest, 0.0, 1e-10);
        worst = fmax(worst, apart / largest);
        const double *own = arc_gradient_parts(t.gradient);
        for (int b = 0; b < 3; b++)
            assert_near(own[b], parts[b], 1e-12 * (1.0 + parts[b]));
        assert_near(f, parts[0] + parts[1] + parts[2], 1e-12 * f);
        assert_true(parts[0] > 0.0 && parts[1] > 0.0);
        tested_free(&t);
    }
    print_message("worst gap %.1e of the largest entry\n", worst);
}

/* Parts are those of the x asked for, whatever was evaluated in between; and are never weighed. */
static void test_gradient_parts_at_is_of_the_x_asked_for(void **state)
{
    (void)state;
    const Case c = {
        .law = {.drag = 1, .lift = 1}, .d = 2, .weighting = ARC_WEIGHTING_GRADIENT_NORM};
    ArcNetSettings net = net_of(0);
    Tested t;
    tested_create(&t, &c, &net);
    double before = evaluate(&t), expected[3];
    memcpy(expected, arc_gradient_parts(t.gradient), sizeof expected);
    assert_near(before, expected[0] + expected[1] + expected[2], 1e-12 * before);
    assert_true(arc_gradient_balance(t.gradient, t.x));
    double weighed = evaluate(&t);
    assert_true(fabs(weighed - before) > 1e-3 * before);
    memcpy(t.other, t.x, sizeof(double) * (size_t)t.n);
    t.other[3] += 0.1;
    t.other[t.n - 1] += 0.1;
    double f;
    assert_true(t.objective.evaluate(t.objective.context, t.other, &f, t.g));
    assert_true(arc_gradient_parts(t.gradient)[1] != expected[1]);
    assert_memory_equal(arc_gradient_parts_at(t.gradient, t.x), expected, sizeof expected);
    tested_free(&t);
}

/* Repeated at one place the running mean goes to where both gradients' norms are one. */
static void test_gradient_balance_norms_become_equal(void **state)
{
    (void)state;
    const Case c = {
        .law = {.drag = 1, .lift = 1}, .d = 2, .weighting = ARC_WEIGHTING_GRADIENT_NORM};
    const Case fixed = {.law = {.drag = 1, .lift = 1}, .d = 2, .weighting = ARC_WEIGHTING_FIXED};
    ArcNetSettings net = net_of(0);
    Tested t, plain;
    tested_create(&t, &c, &net);
    tested_create(&plain, &fixed, &net);
    assert_false(arc_gradient_balance(plain.gradient, plain.x));
    double f = evaluate(&plain), parts[3];
    memcpy(parts, arc_gradient_parts(plain.gradient), sizeof parts);
    memcpy(plain.other, plain.g, sizeof(double) * (size_t)plain.n);
    for (int i = 0; i < 400; i++)
        assert_true(arc_gradient_balance(t.gradient, t.x));
    double weighed = evaluate(&t);
    /* F = physics + phi (observations + priors), and so does its gradient. */
    double phi = (weighed - parts[1]) / (parts[0] + parts[2]);
    assert_true(f > 0.0 && phi > 0.0 && fabs(phi - 1.0) > 1e-3);
    double others = 0.0, physics = 0.0;
    for (int k = 0; k < t.n; k++) {
        double of_others = (t.g[k] - plain.other[k]) / (phi - 1.0);
        double of_physics = plain.other[k] - of_others;
        others += of_others * of_others;
        physics += of_physics * of_physics;
    }
    assert_near(phi * sqrt(others / physics), 1.0, 1e-6);
    tested_free(&t);
    tested_free(&plain);
}

/* Weights of points, from how the cost goes with the balance at two nets. */
static void test_gradient_balance_points_keep_their_mean_and_follow_the_breach(void **state)
{
    (void)state;
    const Case c = {
        .law = {.drag = 1, .lift = 1}, .d = 2, .weighting = ARC_WEIGHTING_SELF_ADAPTIVE};
    ArcNetSettings net = net_of(0);
    Tested t;
    tested_create(&t, &c, &net);
    ArcStore store = {0};
    double before = evaluate(&t);
    for (int i = 0; i < 20; i++)
        assert_true(arc_gradient_balance(t.gradient, t.x));
    assert_true(evaluate(&t) > before); /* the worst points count more */
    arc_gradient_store_balance(t.gradient, &store);
    double phi[NODES + 2], mean = 0.0, low = INFINITY, high = 0.0;
    memcpy(phi, store.text.bytes + sizeof(uint64_t), sizeof phi);
    for (int j = 0; j < NODES; j++) {
        mean += phi[j] / NODES;
        low = fmin(low, phi[j]);
        high = fmax(high, phi[j]);
    }
    assert_near(mean, 1.0, 1e-12);
    assert_true(low > 0.0 && high > 1.2 && low < 0.8);
    assert_true(phi[NODES] == 1.0 && phi[NODES + 1] == 1.0);
    arc_text_free(store.text.bytes);
    tested_free(&t);
}

static void test_gradient_balance_causes_wait_for_earlier_points(void **state)
{
    (void)state;
    const Case c = {.law = {.drag = 1, .lift = 1}, .d = 2, .weighting = ARC_WEIGHTING_CAUSAL};
    ArcNetSettings net = net_of(0);
    Tested t;
    tested_create(&t, &c, &net);
    t.problem->pinn.causal_epsilon = 0.1;
    assert_true(arc_gradient_balance(t.gradient, t.x));
    ArcStore store = {0};
    arc_gradient_store_balance(t.gradient, &store);
    double phi[NODES + 2], passed = 0.0;
    memcpy(phi, store.text.bytes + sizeof(uint64_t), sizeof phi);
    for (int j = 0; j < NODES; j++) {
        assert_near(phi[j], exp(-0.1 * passed), 1e-12);
        for (int e = 0; e < 2; e++) {
            double off = t.pinn->a[2 * j + e] - t.pinn->law[2 * j + e];
            off *= t.pinn->root_weight[j] / t.pinn->scale_m_s2;
            passed += off * off;
        }
    }
    assert_true(phi[0] == 1.0 && phi[NODES - 1] < 0.999);
    arc_text_free(store.text.bytes);
    tested_free(&t);
}

static void test_gradient_keep_bounds_moves_only_what_left_them(void **state)
{
    (void)state;
    const Case c = {.law = {.drag = 1, .lift = 1}, .d = 2};
    ArcNetSettings net = net_of(0);
    Tested t;
    tested_create(&t, &c, &net);
    int s = -1;
    for (int k = 0; k < t.problem->n_free; k++)
        if (strcmp(t.problem->parameters[t.problem->free_parameter[k]].name, "s") == 0)
            s = k;
    assert_true(s >= 0);
    double *y = t.x + t.pinn->n_weights + s, inside = *y;
    memcpy(t.other, t.x, sizeof(double) * (size_t)t.n);
    arc_gradient_keep_bounds(t.gradient, t.x);
    assert_memory_equal(t.x, t.other, sizeof(double) * (size_t)t.n);
    const double beyond[] = {1e3, -1e3}, bounds[] = {0.5, 0.01};
    for (int i = 0; i < 2; i++) {
        *y = beyond[i];
        arc_gradient_keep_bounds(t.gradient, t.x);
        arc_gradient_finish(t.gradient, t.x);
        assert_true(t.pinn->values[t.problem->free_parameter[s]] == bounds[i]);
        *y = inside;
        assert_memory_equal(t.x, t.other, sizeof(double) * (size_t)t.n);
    }
    tested_free(&t);
}

static void test_gradient_objective_non_finite_is_refused(void **state)
{
    (void)state;
    const Case c = {.law = {.drag = 1, .lift = 1}, .d = 2};
    ArcNetSettings net = net_of(0);
    Tested t;
    tested_create(&t, &c, &net);
    const double bad[] = {NAN, INFINITY, 1e308};
    const int at[] = {0, t.pinn->n_weights, t.n - 1};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            if (at[k] == 0 && i > 0)
                continue; /* a hidden weight may be as large as it likes */
            if (at[k] == t.pinn->n_weights && i == 2)
                continue; /* a coefficient is held to its range */
            double good = t.x[at[k]], f;
            t.x[at[k]] = bad[i];
            assert_false(t.objective.evaluate(t.objective.context, t.x, &f, t.g));
            t.x[at[k]] = good;
        }
    evaluate(&t);
    tested_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradient_objective_is_that_of_differences),
        cmocka_unit_test(test_gradient_objective_is_that_of_least_squares),
        cmocka_unit_test(test_gradient_parts_at_is_of_the_x_asked_for),
        cmocka_unit_test(test_gradient_balance_norms_become_equal),
        cmocka_unit_test(test_gradient_balance_points_keep_their_mean_and_follow_the_breach),
        cmocka_unit_test(test_gradient_balance_causes_wait_for_earlier_points),
        cmocka_unit_test(test_gradient_keep_bounds_moves_only_what_left_them),
        cmocka_unit_test(test_gradient_objective_non_finite_is_refused),
    };
    return cmocka_run_group_tests_name("gradient", tests, NULL, NULL);
}
