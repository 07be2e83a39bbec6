/* Collocation points of every kind: order, weights, exactness, and what drawn ones follow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/collocation.h"
#include "fit_case.h"
#include "sweep.h"

enum { POINTS = 40 };

static const char *const kinds[] = {"gauss", "uniform", "random", "adaptive"};

typedef struct Case {
    ArcProblem *problem;
    ArcArena *arena;
    ArcPinn *pinn;
} Case;

static void case_create(Case *c, int kind, int seed)
{
    char text[1024];
    snprintf(text, sizeof text,
             CASE_HEAD "flight: {dimensions: 2, drag: lumped}\n"
                       "parameters: {k: {start: 0.1}, x0: 0, y0: 2, vx0: {start: 5}, "
                       "vy0: {start: 5}}\n"
                       "fit: {seed: %d, pinn: {collocation: {points: %d, kind: %s}}}\n",
             seed, POINTS, kinds[kind]);
    ArcCapture *capture = case_capture(text, 9, 0.9, 0.003);
    c->problem = case_problem(text, capture);
    arc_capture_free(capture);
    c->arena = arc_arena_create();
    ArcNetSettings net = arc_net_settings_default();
    ArcError err;
    assert_int_equal(arc_pinn_create(c->problem, &net, POINTS, c->arena, &c->pinn, &err), ARC_OK);
}

static void case_free(Case *c)
{
    arc_arena_free(c->arena);
    arc_problem_free(c->problem);
}

/* Inside, ascending, with weights that sum to one, and s and the rows' weights to match. */
static void check_points(const ArcPinn *pinn)
{
    double sum = 0.0;
    for (int j = 0; j < POINTS; j++) {
        double w = pinn->root_weight[j] * pinn->root_weight[j];
        assert_true(pinn->tau[j] >= -1.0 && pinn->tau[j] <= 1.0 && w > 0.0);
        assert_true(j == 0 || pinn->tau[j] >= pinn->tau[j - 1]);
        assert_near(pinn->s[j], 0.5 * (pinn->tau[j] + 1.0) * pinn->span_s, 1e-15);
        for (int e = 0; e < 2; e++)
            assert_near(pinn->row_weight[pinn->problem->n_observations + e * POINTS + j] *
                            pinn->sigma_phys_m_s2 / pinn->root_weight[j],
                        1.0, 1e-14);
        sum += w;
    }
    assert_near(sum, 1.0, 1e-13);
}

static double mean_of_power(const ArcPinn *pinn, int power)
{
    double sum = 0.0;
    for (int j = 0; j < POINTS; j++)
        sum += pinn->root_weight[j] * pinn->root_weight[j] * pow(pinn->tau[j], power);
    return sum;
}

static void test_collocation_place_every_kind_is_a_mean(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        Case c;
        case_create(&c, kind, 3);
        check_points(c.pinn);
        /* A mean square over the span: 1/3, by Gauss to the last digit, by others roughly. */
        double share = mean_of_power(c.pinn, 2) * 3.0;
        const double allowed[] = {1e-14, 1e-3, 0.4, 1e-3};
        assert_near(share, 1.0, allowed[kind]);
        if (kind == ARC_COLLOCATION_GAUSS)
            assert_near(mean_of_power(c.pinn, 2 * POINTS - 2) * (2 * POINTS - 1), 1.0, 1e-12);
        if (kind == ARC_COLLOCATION_UNIFORM)
            for (int j = 1; j < POINTS; j++)
                assert_near(c.pinn->tau[j] - c.pinn->tau[j - 1], 2.0 / POINTS, 1e-14);
        case_free(&c);
    }
}

static void test_collocation_redraw_changes_drawn_points_alone(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        Case c;
        case_create(&c, kind, 3);
        double before[POINTS];
        memcpy(before, c.pinn->tau, sizeof before);
        bool drawn = kind >= ARC_COLLOCATION_RANDOM;
        for (int i = 0; i < 20; i++) {
            assert_int_equal(arc_collocation_redraw(c.pinn), drawn);
            assert_true((memcmp(before, c.pinn->tau, sizeof before) != 0) == drawn);
            check_points(c.pinn);
            memcpy(before, c.pinn->tau, sizeof before);
        }
        case_free(&c);
    }
}

static void test_collocation_redraw_follows_the_seed(void **state)
{
    (void)state;
    for (int kind = ARC_COLLOCATION_RANDOM; kind <= ARC_COLLOCATION_ADAPTIVE; kind++) {
        Case a, b, other;
        case_create(&a, kind, 3);
        case_create(&b, kind, 3);
        case_create(&other, kind, 4);
        for (int i = 0; i < 3; i++) {
            arc_collocation_redraw(a.pinn);
            arc_collocation_redraw(b.pinn);
            arc_collocation_redraw(other.pinn);
            assert_memory_equal(a.pinn->tau, b.pinn->tau, sizeof(double) * POINTS);
            assert_memory_equal(a.pinn->root_weight, b.pinn->root_weight, sizeof(double) * POINTS);
            assert_memory_not_equal(a.pinn->tau, other.pinn->tau, sizeof(double) * POINTS);
        }
        case_free(&a);
        case_free(&b);
        case_free(&other);
    }
}

/* A net whose acceleration is off by a steep step in the last quarter: one unit alone. */
static void break_model(ArcPinn *pinn)
{
    memset(pinn->weights, 0, sizeof(double) * (size_t)pinn->n_weights);
    pinn->weights[0] = 12.0;                                  /* slope of the first unit */
    pinn->weights[24] = -9.0;                                 /* its bias: centre 0.75 */
    pinn->weights[arc_net_output_offset(pinn->net)] = 0.5;    /* to x */
    pinn->weights[arc_net_output_offset(pinn->net) + 24] = 1; /* to y */
}

/* Squared breach at tau by linear interpolation of the fine grid, as whole mean of it. */
static double breach_at(const ArcPinn *pinn, const double *breach, double tau)
{
    double at = 0.5 * (tau + 1.0) * (pinn->F - 1);
    int i = (int)fmin(floor(at), pinn->F - 2);
    return breach[i] + (at - i) * (breach[i + 1] - breach[i]);
}

static void test_collocation_redraw_adaptive_goes_where_the_breach_is(void **state)
{
    (void)state;
    Case c;
    case_create(&c, ARC_COLLOCATION_ADAPTIVE, 5);
    ArcPinn *pinn = c.pinn;
    break_model(pinn);
    double *breach = calloc((size_t)pinn->F, sizeof *breach);
    assert_non_null(breach);
    arc_pinn_breach(pinn, breach);
    double expected = 0.0, inside = 0.0;
    for (int i = 0; i < pinn->F; i++) {
        double share = (i == 0 || i == pinn->F - 1 ? 0.5 : 1.0) / (pinn->F - 1);
        expected += share * breach[i];
        inside += pinn->fine_tau[i] > 0.4 ? share * breach[i] : 0.0;
    }
    assert_true(inside > 0.8 * expected); /* most of it in three tenths of the span */
    double mean = 0.0, square = 0.0, late = 0.0;
    enum { DRAWS = 2000 };
    for (int draw = 0; draw < DRAWS; draw++) {
        assert_true(arc_collocation_redraw(pinn));
        double of_draw = 0.0;
        for (int j = 0; j < POINTS; j++) {
            of_draw +=
                pinn->root_weight[j] * pinn->root_weight[j] * breach_at(pinn, breach, pinn->tau[j]);
            late += pinn->tau[j] > 0.4 ? 1.0 / (POINTS * DRAWS) : 0.0;
        }
        mean += of_draw / DRAWS;
        square += of_draw * of_draw / DRAWS;
    }
    double sd = sqrt(square - mean * mean);
    print_message("%.0f %% of the points late; weighted mean %.4f of the grid's, sd %.4f\n",
                  100.0 * late, mean / expected, sd / expected);
    /* Half of the points are drawn evenly, half by the breach. */
    assert_true(late > 0.5 && late < 0.7);
    assert_near(mean / expected, 1.0, 4.0 * sd / expected / sqrt(DRAWS) + 5e-3);
    assert_true(sd < 0.2 * expected);
    free(breach);
    case_free(&c);
}

/* Where there is nothing to follow, drawing is even: also for a net that is not finite. */
static void test_collocation_redraw_adaptive_without_a_breach_is_even(void **state)
{
    (void)state;
    Case c;
    case_create(&c, ARC_COLLOCATION_ADAPTIVE, 5);
    const double outputs[] = {NAN, 1e200};
    for (int i = 0; i < 2; i++) {
        c.pinn->weights[arc_net_output_offset(c.pinn->net)] = outputs[i];
        assert_true(arc_collocation_redraw(c.pinn));
        check_points(c.pinn);
        assert_near(mean_of_power(c.pinn, 2) * 3.0, 1.0, 0.1);
    }
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collocation_place_every_kind_is_a_mean),
        cmocka_unit_test(test_collocation_redraw_changes_drawn_points_alone),
        cmocka_unit_test(test_collocation_redraw_follows_the_seed),
        cmocka_unit_test(test_collocation_redraw_adaptive_goes_where_the_breach_is),
        cmocka_unit_test(test_collocation_redraw_adaptive_without_a_breach_is_even),
    };
    return cmocka_run_group_tests_name("collocation", tests, NULL, NULL);
}
