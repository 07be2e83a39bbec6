/* The ensemble sampler, on densities of which the moments are known. */
#include "solve/ensemble.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep.h"

enum { DIMENSIONS = 2, WALKERS = 20, SWEEPS = 40000, BURN_IN = 1000 };

/* Means, variances and covariance of both coordinates over all walkers and sweeps. */
typedef struct Moments {
    double mean[2], square[2], product, acceptance;
} Moments;

static Moments sample(double (*log_density)(void *, const double *), double scale, uint64_t seed)
{
    ArcArena *arena = arc_arena_create();
    ArcRandom random = arc_random_create(seed, 1);
    double start[WALKERS * DIMENSIONS];
    for (int i = 0; i < WALKERS * DIMENSIONS; i++)
        start[i] = scale * arc_random_normal(&random);
    ArcDensity density = {DIMENSIONS, &scale, log_density};
    ArcEnsemble *e = NULL;
    assert_int_equal(
        arc_ensemble_create(&density, WALKERS, start, arc_random_create(seed, 2), arena, &e, NULL),
        ARC_OK);
    Moments m = {{0, 0}, {0, 0}, 0, 0};
    for (int s = 0; s < BURN_IN; s++)
        arc_ensemble_sweep(e);
    for (int s = 0; s < SWEEPS; s++) {
        arc_ensemble_sweep(e);
        for (int w = 0; w < WALKERS; w++) {
            const double *x = e->x + w * DIMENSIONS;
            const double share = 1.0 / ((double)SWEEPS * WALKERS);
            for (int i = 0; i < 2; i++) {
                m.mean[i] += share * x[i];
                m.square[i] += share * x[i] * x[i];
            }
            m.product += share * x[0] * x[1];
        }
    }
    assert_true(e->n_tried == (long long)WALKERS * (SWEEPS + BURN_IN));
    m.acceptance = (double)e->n_accepted / (double)e->n_tried;
    arc_arena_free(arena);
    return m;
}

/* Two normals of sds 1 and scale, correlated by 0.99. */
static double narrow(void *context, const double *x)
{
    double scale = *(const double *)context, a = x[0], b = x[1] / scale, r = 0.99;
    return -0.5 * (a * a - 2.0 * r * a * b + b * b) / (1.0 - r * r);
}

static void test_ensemble_sweep_correlated_normal_has_its_moments(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 1e-6};
    for (int i = 0; i < 2; i++) {
        Moments m = sample(narrow, scales[i], 3);
        assert_near(m.mean[0], 0.0, 0.03);
        assert_near(m.mean[1] / scales[i], 0.0, 0.03);
        assert_near(m.square[0], 1.0, 0.04);
        assert_near(m.square[1] / scales[i] / scales[i], 1.0, 0.04);
        assert_near(m.product / scales[i], 0.99, 0.04);
        assert_true(m.acceptance > 0.3 && m.acceptance < 0.9);
    }
}

/* x0 normal of variance 1; x1 - (x0^2 - 1) normal of variance 1/4: E x1 = 0, E x1^2 = 2.25. */
static double banana(void *context, const double *x)
{
    (void)context;
    double off = x[1] - (x[0] * x[0] - 1.0);
    return -0.5 * (x[0] * x[0] + 4.0 * off * off);
}

static void test_ensemble_sweep_banana_has_its_moments(void **state)
{
    (void)state;
    Moments m = sample(banana, 1.0, 5);
    assert_near(m.mean[0], 0.0, 0.06);
    assert_near(m.square[0], 1.0, 0.06);
    assert_near(m.mean[1], 0.0, 0.06);
    assert_near(m.square[1], 2.25, 0.3);
}

/* exp(-x0 - x1) in the first quadrant, nowhere else: mean 1, mean square 2; NaN is no density. */
static double corner(void *context, const double *x)
{
    (void)context;
    if (x[0] < -1.0)
        return NAN;
    return x[0] > 0.0 && x[1] > 0.0 ? -x[0] - x[1] : -INFINITY;
}

static void test_ensemble_sweep_keeps_out_of_where_there_is_no_density(void **state)
{
    (void)state;
    Moments m = sample(corner, 1.0, 9);
    for (int i = 0; i < 2; i++) {
        assert_near(m.mean[i], 1.0, 0.03);
        assert_near(m.square[i], 2.0, 0.12);
    }
    assert_near(m.product, 1.0, 0.06);
}

static void test_ensemble_sweep_same_seed_gives_same_bits(void **state)
{
    (void)state;
    Moments a = sample(banana, 1.0, 11), b = sample(banana, 1.0, 11), c = sample(banana, 1.0, 12);
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(a.mean[0] != c.mean[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ensemble_sweep_correlated_normal_has_its_moments),
        cmocka_unit_test(test_ensemble_sweep_banana_has_its_moments),
        cmocka_unit_test(test_ensemble_sweep_keeps_out_of_where_there_is_no_density),
        cmocka_unit_test(test_ensemble_sweep_same_seed_gives_same_bits),
    };
    return cmocka_run_group_tests_name("ensemble", tests, NULL, NULL);
}
