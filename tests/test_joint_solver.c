/* Problems in blocks against the one big dense fit, its covariance and its evidence. */
#include "solver_case.h"

#include "base/random.h"
#include "solve/joint_solver.h"
#include "solve/posterior.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20, POINTS = 7, SHARED = 2 };

/* y = a exp(-k x) + o + q x: a and o a block's own, k and q shared. */
typedef struct Decay {
    bool inner; /* o is an inner unknown */
    double x[POINTS], y[POINTS];
    int asked, broken; /* never evaluates from the broken-th time on; 0: always does */
} Decay;

/* The whole, as blocks and as one: unknowns (k, q), then each block's (a, o); mu is the mean of the
 * a where tau > 0. */
typedef struct Whole {
    int n;
    double tau, prior_mean, prior_sd;
    Decay decays[MOST];
    ArcJointBlock blocks[MOST];
    double z[MOST][4], s[3], low[3], high[3], mean[3], sd[3], population[3];
    double own_low[4], own_high[4];
} Whole;

/* z = (o, k, a, q), o first since it may be inner. */
static bool decay_evaluate(void *context, const double *z, double *r, double *J)
{
    Decay *decay = context;
    decay->asked++;
    if (decay->broken > 0 && decay->asked >= decay->broken)
        return false;
    for (int i = 0; i < POINTS; i++) {
        double e = exp(-z[1] * decay->x[i]);
        r[i] = z[0] + z[2] * e + z[3] * decay->x[i] - decay->y[i];
        if (J == NULL)
            continue;
        J[i] = 1.0;
        J[i + POINTS] = -z[2] * decay->x[i] * e;
        J[i + 2 * POINTS] = e;
        J[i + 3 * POINTS] = decay->x[i];
    }
    return true;
}

static int n_unknowns(const Whole *whole)
{
    return 2 + 2 * whole->n + (whole->tau > 0.0);
}

static bool whole_evaluate(void *context, const double *z, double *r, double *J)
{
    Whole *whole = context;
    int n = whole->n, columns = n_unknowns(whole);
    size_t m = (size_t)(n * POINTS + 1 + (whole->tau > 0.0 ? n : 0));
    if (J != NULL)
        memset(J, 0, sizeof(double) * m * (size_t)columns);
    for (int b = 0; b < n; b++) {
        double block[4 * POINTS];
        const double at[4] = {z[3 + 2 * b], z[0], z[2 + 2 * b], z[1]};
        const int to[4] = {3 + 2 * b, 0, 2 + 2 * b, 1};
        decay_evaluate(&whole->decays[b], at, r + b * POINTS, block);
        for (int k = 0; J != NULL && k < 4; k++)
            memcpy(J + (size_t)to[k] * m + b * POINTS, block + k * POINTS, sizeof(double) * POINTS);
        if (whole->tau > 0.0) {
            size_t row = (size_t)(n * POINTS + 1 + b);
            r[row] = (z[2 + 2 * b] - z[columns - 1]) / whole->tau;
            if (J != NULL) {
                J[row + (size_t)(2 + 2 * b) * m] = 1.0 / whole->tau;
                J[row + (size_t)(columns - 1) * m] = -1.0 / whole->tau;
            }
        }
    }
    r[n * POINTS] = (z[0] - whole->prior_mean) / whole->prior_sd;
    if (J != NULL)
        J[n * POINTS] = 1.0 / whole->prior_sd;
    return true;
}

static const int shared_of[] = {-1, 0, -1, 1}, mean_of[] = {-1, -1, 2, -1};

static void create_whole(Whole *whole, int n, bool inner, double tau, uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, 7);
    *whole = (Whole){.n = n, .tau = tau, .prior_mean = 1.0, .prior_sd = 0.5};
    for (int b = 0; b < n; b++) {
        Decay *decay = &whole->decays[b];
        double a = 3.0 + arc_random_normal(&random), o = arc_random_normal(&random);
        decay->inner = inner;
        for (int i = 0; i < POINTS; i++) {
            decay->x[i] = 0.4 * i + 0.1 * b / n;
            decay->y[i] = a * exp(-0.8 * decay->x[i]) + o - 0.2 * decay->x[i] +
                          0.02 * arc_random_normal(&random);
        }
        whole->z[b][2] = 1.0;
        whole->blocks[b] = (ArcJointBlock){.objective = {.m = POINTS,
                                                         .n_inner = inner,
                                                         .n_outer = 4 - inner,
                                                         .context = decay,
                                                         .evaluate = decay_evaluate},
                                           .shared = shared_of + inner,
                                           .mean = tau > 0.0 ? mean_of + inner : NULL,
                                           .low = whole->own_low + inner,
                                           .high = whole->own_high + inner,
                                           .z = whole->z[b]};
    }
    for (int k = 0; k < 4; k++) {
        whole->own_low[k] = -INFINITY;
        whole->own_high[k] = INFINITY;
    }
    for (int k = 0; k < 3; k++) {
        whole->low[k] = -INFINITY;
        whole->high[k] = INFINITY;
        whole->sd[k] = INFINITY;
        whole->population[k] = tau;
    }
    whole->sd[0] = whole->prior_sd;
    whole->mean[0] = whole->prior_mean;
    whole->s[0] = 0.3;
}

static ArcJointSolver *joint_of(Whole *whole)
{
    ArcLeastSquaresSettings settings = tight_settings();
    const ArcJointShared shared = {.n = whole->tau > 0.0 ? 3 : 2,
                                   .low = whole->low,
                                   .high = whole->high,
                                   .prior_mean = whole->mean,
                                   .prior_sd = whole->sd,
                                   .population_sd = whole->population,
                                   .s = whole->s};
    ArcJointSolver *solver = NULL;
    assert_int_equal(
        arc_joint_solver_create(whole->n, whole->blocks, &shared, &settings, arena, &solver, NULL),
        ARC_OK);
    return solver;
}

/* The dense fit of the same: z as whole_evaluate has it, and its factor. */
static ArcLeastSquares *fit_dense(Whole *whole, double *z)
{
    ArcLeastSquaresSettings settings = tight_settings();
    int n = n_unknowns(whole);
    const ArcObjective objective = {.m = whole->n * POINTS + 1 + (whole->tau > 0.0 ? whole->n : 0),
                                    .n_outer = n,
                                    .context = whole,
                                    .evaluate = whole_evaluate};
    double low[2 * MOST + 3], high[2 * MOST + 3];
    for (int k = 0; k < 2; k++) {
        low[k] = whole->low[k];
        high[k] = whole->high[k];
    }
    low[n - 1] = -INFINITY;
    high[n - 1] = INFINITY;
    memset(z, 0, sizeof(double) * (size_t)n);
    z[0] = 0.3;
    for (int b = 0; b < whole->n; b++) {
        z[2 + 2 * b] = 1.0;
        low[2 + 2 * b] = whole->own_low[2];
        high[2 + 2 * b] = whole->own_high[2];
        low[3 + 2 * b] = whole->own_low[0];
        high[3 + 2 * b] = whole->own_high[0];
    }
    ArcLeastSquares *solver = solver_of(&objective, &settings, low, high);
    ArcLeastSquaresResult result = arc_least_squares_run(solver, z);
    assert_true(arc_stop_is_converged(result.stop));
    return solver;
}

static void assert_same(const char *what, double a, double b, double relative)
{
    if (!(fabs(a - b) <= relative * fmax(1.0, fabs(b))))
        fail_msg("%s: %.15g instead of %.15g", what, a, b);
}

static void check_against_dense(Whole *whole, double relative)
{
    double z[2 * MOST + 3];
    int failed = 7;
    ArcJointSolver *joint = joint_of(whole);
    ArcLeastSquaresResult result = arc_joint_solver_run(joint, &failed);
    assert_true(arc_stop_is_converged(result.stop));
    assert_int_equal(failed, -1);
    ArcLeastSquares *dense = fit_dense(whole, z);
    assert_same("k", whole->s[0], z[0], relative);
    assert_same("q", whole->s[1], z[1], relative);
    if (whole->tau > 0.0)
        assert_same("mean", whole->s[2], z[n_unknowns(whole) - 1], relative);
    for (int b = 0; b < whole->n; b++) {
        assert_same("a", whole->z[b][2], z[2 + 2 * b], relative);
        assert_same("o", whole->z[b][0], z[3 + 2 * b], relative);
    }
    int m = whole->n * POINTS + 1 + (whole->tau > 0.0 ? whole->n : 0);
    const double *r = arc_least_squares_residual(dense);
    assert_same("cost", result.cost, 0.5 * cblas_ddot(m, r, 1, r, 1), 1e-10);
}

static void test_run_twenty_blocks_equals_the_dense_fit(void **state)
{
    (void)state;
    Whole *whole = malloc(sizeof *whole);
    create_whole(whole, MOST, false, 0.0, 1);
    check_against_dense(whole, 1e-11);
    free(whole);
}

static void test_run_inner_unknowns_equals_the_dense_fit(void **state)
{
    (void)state;
    Whole *whole = malloc(sizeof *whole);
    create_whole(whole, MOST, true, 0.0, 2);
    check_against_dense(whole, 1e-11);
    free(whole);
}

static void test_run_population_equals_the_dense_fit(void **state)
{
    (void)state;
    Whole *whole = malloc(sizeof *whole);
    for (double tau = 10.0; tau > 1e-4; tau *= 0.1) {
        create_whole(whole, MOST, tau > 0.5, tau, 3);
        check_against_dense(whole, 1e-10);
    }
    free(whole);
}

/* Residuals are large here, and the last digits of the unknowns drown in the cost's rounding. */
static void test_run_bounds_equals_the_dense_fit(void **state)
{
    (void)state;
    Whole *whole = malloc(sizeof *whole);
    create_whole(whole, MOST, false, 0.0, 4);
    whole->own_high[2] = 1.0; /* about half of the a */
    whole->own_low[0] = 1.5;  /* and a third of the o */
    check_against_dense(whole, 1e-6);
    int at_bound = 0;
    for (int b = 0; b < MOST; b++)
        at_bound += (whole->z[b][2] == 1.0) + (whole->z[b][0] == 1.5);
    assert_in_range(at_bound, 3, 30);
    create_whole(whole, MOST, false, 0.0, 4);
    whole->high[0] = 0.6;
    check_against_dense(whole, 1e-6);
    assert_true(whole->s[0] == 0.6);
    free(whole);
}

/* inverse(F'F) of one block and of the shared ones against the dense covariance. */
static void test_factor_covariances_equal_the_dense_ones(void **state)
{
    (void)state;
    Whole *whole = malloc(sizeof *whole);
    for (int variant = 0; variant < 2; variant++) {
        double z[2 * MOST + 3], F[25];
        ArcPosterior dense, block, shared;
        create_whole(whole, MOST, false, variant == 0 ? 0.0 : 0.7, 5);
        int n = n_unknowns(whole), n_shared = variant == 0 ? 2 : 3;
        ArcJointSolver *joint = joint_of(whole);
        arc_joint_solver_run(joint, NULL);
        const double *T = arc_least_squares_factor(fit_dense(whole, z));
        assert_int_equal(arc_posterior_create(n, T, arena, &dense, NULL), ARC_OK);
        const double *R = arc_joint_solver_factor(joint);
        assert_non_null(R);
        assert_int_equal(arc_posterior_create(n_shared, R, arena, &shared, NULL), ARC_OK);
        const int place[] = {0, 1, n - 1};
        for (int i = 0; i < n_shared; i++)
            for (int j = 0; j < n_shared; j++) {
                double C = dense.covariance[place[i] * n + place[j]];
                double scale = sqrt(dense.covariance[place[i] * (n + 1)] *
                                    dense.covariance[place[j] * (n + 1)]);
                assert_true(fabs(shared.covariance[i * n_shared + j] - C) < 1e-9 * scale);
            }
        for (int b = 0; b < MOST; b += 7) {
            assert_int_equal(arc_joint_solver_n_own(joint, b), 2);
            assert_true(arc_joint_solver_block_factor(joint, b, F));
            assert_int_equal(arc_posterior_create(2 + n_shared, F, arena, &block, NULL), ARC_OK);
            const int at[] = {3 + 2 * b, 2 + 2 * b, 0, 1, n - 1}; /* (o, a), then the shared */
            for (int i = 0; i < 2 + n_shared; i++)
                for (int j = 0; j < 2 + n_shared; j++) {
                    double C = dense.covariance[at[i] * n + at[j]];
                    double scale =
                        sqrt(dense.covariance[at[i] * (n + 1)] * dense.covariance[at[j] * (n + 1)]);
                    assert_true(fabs(block.covariance[i * (2 + n_shared) + j] - C) < 1e-9 * scale);
                }
        }
    }
    free(whole);
}

/* What no row depends on is a null direction, and the rest is solved. */
static void test_run_unidentified_unknown_is_a_null_direction(void **state)
{
    (void)state;
    Whole *whole = malloc(sizeof *whole);
    create_whole(whole, 3, false, 0.0, 6);
    for (int i = 0; i < POINTS; i++)
        whole->decays[1].x[i] = 0.5; /* of one block only a exp(-k x) + o */
    ArcJointSolver *joint = joint_of(whole);
    assert_true(arc_stop_is_converged(arc_joint_solver_run(joint, NULL).stop));
    assert_non_null(arc_joint_solver_factor(joint));
    for (int b = 0; b < 3; b++) {
        double F[16];
        ArcPosterior posterior;
        assert_true(arc_joint_solver_block_factor(joint, b, F));
        assert_int_equal(arc_posterior_create(4, F, arena, &posterior, NULL), ARC_OK);
        assert_int_equal(posterior.n_null, b == 1 ? 1 : 0);
        assert_int_equal(posterior.identified[0], b != 1);
        assert_int_equal(posterior.identified[1], b != 1);
        assert_true(posterior.identified[2] && posterior.identified[3]);
    }
    free(whole);
}

static void test_run_block_that_fails_is_named(void **state)
{
    (void)state;
    Whole *whole = malloc(sizeof *whole);
    create_whole(whole, 5, false, 0.0, 8);
    whole->decays[3].broken = 1;
    int failed = -1;
    assert_int_equal(arc_joint_solver_run(joint_of(whole), &failed).stop, ARC_STOP_NON_FINITE);
    assert_int_equal(failed, 3);
    assert_true(whole->s[0] == 0.3 && whole->z[2][2] == 1.0);
    /* A block that fails after some steps ends the run where it was last known. */
    create_whole(whole, 5, false, 0.0, 8);
    whole->decays[3].broken = 3;
    ArcLeastSquaresResult result = arc_joint_solver_run(joint_of(whole), &failed);
    assert_int_equal(failed, -1);
    assert_false(arc_stop_is_converged(result.stop));
    free(whole);
}

/* Half of log det(J'J) by Cholesky in doubles, of the dense problem. */
static double half_log_det(Whole *whole, const double *z)
{
    int n = n_unknowns(whole), m = whole->n * POINTS + 1 + whole->n;
    double *J = calloc((size_t)(m * n), sizeof *J), *G = calloc((size_t)(n * n), sizeof *G);
    double *r = calloc((size_t)m, sizeof *r), sum = 0.0;
    whole_evaluate(whole, z, r, J);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, n, m, 1.0, J, m, 0.0, G, n);
    assert_int_equal(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, G, n), 0);
    for (int i = 0; i < n; i++)
        sum += log(G[i * (n + 1)]);
    free(J);
    free(G);
    free(r);
    return sum;
}

/* The evidence of a tau against the dense fit with that tau, as differences. The problem is not
 * linear, so the two agree near the tau that was fitted only. */
static void test_evidence_follows_the_dense_marginal_likelihood(void **state)
{
    (void)state;
    Whole *whole = malloc(sizeof *whole);
    double z[2 * MOST + 3], dense[2];
    create_whole(whole, MOST, false, 0.8, 9);
    ArcJointSolver *joint = joint_of(whole);
    arc_joint_solver_run(joint, NULL);
    const double tau[2] = {0.8, 0.81};
    double joint_evidence[2];
    for (int i = 0; i < 2; i++) {
        const double population[3] = {1.0, 1.0, tau[i]};
        joint_evidence[i] = arc_joint_solver_evidence(joint, population);
        whole->tau = tau[i];
        ArcLeastSquares *solver = fit_dense(whole, z);
        const double *r = arc_least_squares_residual(solver);
        int m = whole->n * POINTS + 1 + whole->n;
        dense[i] =
            0.5 * cblas_ddot(m, r, 1, r, 1) + half_log_det(whole, z) + whole->n * log(tau[i]);
    }
    double difference = dense[1] - dense[0];
    assert_true(fabs(difference) > 1e-3);
    assert_true(fabs(joint_evidence[1] - joint_evidence[0] - difference) < 0.05 * difference);
    free(whole);
}

static bool count_bytes(void *context, size_t size)
{
    *(size_t *)context += size;
    return true;
}

/* Memory grows by the same for each block, evaluations not at all. */
static void test_run_many_blocks_grows_linearly(void **state)
{
    (void)state;
    enum { MANY = 400 };
    size_t bytes[3] = {0};
    int evaluations[3], asked[3];
    Whole *whole = malloc(sizeof *whole);
    create_whole(whole, MOST, true, 0.0, 10);
    for (int size = 0; size < 3; size++) {
        int n = MANY << size;
        ArcJointBlock *blocks = calloc((size_t)n, sizeof *blocks);
        double *z = calloc((size_t)(4 * n), sizeof *z);
        for (int b = 0; b < n; b++) {
            blocks[b] = whole->blocks[b % MOST];
            blocks[b].z = z + 4 * b;
            z[4 * b + 2] = 1.0;
        }
        whole->s[0] = 0.3;
        whole->s[1] = 0.0;
        for (int b = 0; b < MOST; b++)
            whole->decays[b].asked = 0;
        const ArcJointShared shared = {.n = 2,
                                       .low = whole->low,
                                       .high = whole->high,
                                       .prior_mean = whole->mean,
                                       .prior_sd = whole->sd,
                                       .population_sd = whole->population,
                                       .s = whole->s};
        ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
        ArcArena *own = arc_arena_create();
        ArcJointSolver *solver = NULL;
        arc_memory_set_hook(count_bytes, &bytes[size]);
        assert_int_equal(arc_joint_solver_create(n, blocks, &shared, &settings, own, &solver, NULL),
                         ARC_OK);
        size_t before = bytes[size];
        ArcLeastSquaresResult result = arc_joint_solver_run(solver, NULL);
        assert_int_equal(bytes[size], before);
        arc_memory_set_hook(NULL, NULL);
        assert_true(arc_stop_is_converged(result.stop));
        evaluations[size] = result.evaluations;
        asked[size] = 0;
        for (int b = 0; b < MOST; b++)
            asked[size] += whole->decays[b].asked;
        /* A step that is refused is left as soon as it is known. */
        assert_true(asked[size] <= result.evaluations * n);
        arc_arena_free(own);
        free(blocks);
        free(z);
    }
    assert_in_range(evaluations[2], evaluations[0] - 1, evaluations[0] + 1);
    double growth = (double)(bytes[2] - bytes[1]) / (double)(bytes[1] - bytes[0]);
    assert_true(growth > 1.9 && growth < 2.1);
    free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_twenty_blocks_equals_the_dense_fit),
        cmocka_unit_test(test_run_inner_unknowns_equals_the_dense_fit),
        cmocka_unit_test(test_run_population_equals_the_dense_fit),
        cmocka_unit_test(test_run_bounds_equals_the_dense_fit),
        cmocka_unit_test(test_factor_covariances_equal_the_dense_ones),
        cmocka_unit_test(test_run_unidentified_unknown_is_a_null_direction),
        cmocka_unit_test(test_run_block_that_fails_is_named),
        cmocka_unit_test(test_evidence_follows_the_dense_marginal_likelihood),
        cmocka_unit_test(test_run_many_blocks_grows_linearly),
    };
    return cmocka_run_group_tests(tests, create_arena, free_arena);
}
