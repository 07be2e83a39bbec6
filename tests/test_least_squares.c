/* The iteration: its steps, damping and scales on linear problems, and inner unknowns. Hard
 * problems are in test_minima.c and test_nist.c. */
#include "solver_case.h"

#include "base/random.h"
#include "dense.h"

/* r = A z - b. */
typedef struct Linear {
    int m, n;
    double A[40 * 30], b[40];
    int refused; /* so many evaluations after the first are refused */
    int asked;   /* evaluations so far */
    double tried[64][4];
} Linear;

static bool linear_evaluate(void *context, const double *z, double *r, double *J)
{
    Linear *linear = context;
    int m = linear->m, n = linear->n, asked = linear->asked++;
    for (int j = 0; asked < 64 && j < n && j < 4; j++)
        linear->tried[asked][j] = z[j];
    if (asked > 0 && asked <= linear->refused)
        return false;
    for (int i = 0; i < m; i++) {
        r[i] = -linear->b[i];
        for (int j = 0; j < n; j++)
            r[i] += linear->A[i + j * m] * z[j];
    }
    if (J != NULL)
        memcpy(J, linear->A, sizeof(double) * (size_t)(m * n));
    return true;
}

static ArcObjective linear_objective(Linear *linear, int m, int n, int n_inner, uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, 81);
    linear->m = m;
    linear->n = n;
    linear->refused = linear->asked = 0;
    for (int k = 0; k < m * n; k++)
        linear->A[k] = arc_random_normal(&random);
    for (int i = 0; i < m; i++)
        linear->b[i] = arc_random_normal(&random);
    return (ArcObjective){.m = m,
                          .n_inner = n_inner,
                          .n_outer = n - n_inner,
                          .context = linear,
                          .evaluate = linear_evaluate};
}

/* The damped step of the linear problem from z, by normal equations. */
static void linear_step(const Linear *linear, const double *D, double lambda, const double *z,
                        double *step)
{
    static long double M[DENSE_MAX * DENSE_MAX];
    int m = linear->m, n = linear->n;
    long double g[DENSE_MAX];
    dense_gram(m, n, linear->A, M);
    for (int j = 0; j < n; j++) {
        M[j * (n + 1)] += lambda * D[j] * D[j];
        g[j] = 0.0L;
        for (int i = 0; i < m; i++) {
            long double r = -linear->b[i];
            for (int k = 0; k < n; k++)
                r += (long double)linear->A[i + k * m] * z[k];
            g[j] += linear->A[i + j * m] * r;
        }
    }
    assert_true(dense_invert(n, M));
    for (int j = 0; j < n; j++) {
        long double sum = 0.0L;
        for (int k = 0; k < n; k++)
            sum -= M[j + k * n] * g[k];
        step[j] = (double)sum;
    }
}

static double column_length(const Linear *linear, int j)
{
    double sum = 0.0;
    for (int i = 0; i < linear->m; i++)
        sum += linear->A[i + j * linear->m] * linear->A[i + j * linear->m];
    return sqrt(sum);
}

/* Whatever is inner, a linear problem takes one step. */
static void test_least_squares_run_linear_problem_takes_one_step(void **state)
{
    (void)state;
    static Linear linear;
    const double D[5] = {1.0, 1.0, 1.0, 1.0, 1.0};
    for (int n_inner = 0; n_inner <= 4; n_inner++) {
        ArcObjective objective = linear_objective(&linear, 20, 5, n_inner, 3);
        ArcLeastSquaresSettings settings = tight_settings();
        settings.max_iterations = 1;
        double z[5] = {100.0, -3.0, 0.1, 7.0, 2.0}, expected[5];
        linear_step(&linear, D, 0.0, z, expected);
        for (int j = 0; j < 5; j++)
            expected[j] += z[j];
        ArcLeastSquaresResult result =
            arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), z);
        assert_int_equal(result.iterations, 1);
        assert_int_equal(result.evaluations, 2);
        for (int j = 0; j < 5; j++)
            assert_near(z[j], expected[j], 1e-12);
        settings.max_iterations = 100;
        double again[5] = {100.0, -3.0, 0.1, 7.0, 2.0};
        result = arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), again);
        assert_true(arc_stop_is_converged(result.stop));
        assert_true(result.iterations <= 2);
        for (int j = 0; j < 5; j++)
            assert_near(again[j], expected[j], 1e-12);
    }
}

static void test_least_squares_run_factor_is_that_of_the_jacobian(void **state)
{
    (void)state;
    static Linear linear;
    static long double expected[DENSE_MAX * DENSE_MAX], own[DENSE_MAX * DENSE_MAX];
    ArcObjective objective = linear_objective(&linear, 20, 5, 2, 4);
    ArcLeastSquaresSettings settings = tight_settings();
    settings.max_iterations = 0;
    ArcLeastSquares *solver = solver_of(&objective, &settings, NULL, NULL);
    double z[5] = {1.0, 2.0, 3.0, 4.0, 5.0};
    ArcLeastSquaresResult result = arc_least_squares_run(solver, z);
    assert_int_equal(result.stop, ARC_STOP_LIMIT);
    assert_int_equal(result.evaluations, 1);
    assert_true(z[0] == 1.0 && z[4] == 5.0);
    dense_gram(20, 5, linear.A, expected);
    assert_true(dense_invert(5, expected));
    dense_gram(3, 3, arc_least_squares_factor(solver), own);
    assert_true(dense_invert(3, own));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near((double)own[i + 3 * j], (double)expected[(i + 2) + 5 * (j + 2)], 1e-14);
}

/* A linear problem keeps every promise: gain 1, so the damping falls to a third each time. */
static void test_least_squares_run_kept_promise_damps_a_third(void **state)
{
    (void)state;
    static Linear linear;
    ArcObjective objective = linear_objective(&linear, 12, 4, 0, 5);
    ArcLeastSquaresSettings settings = tight_settings();
    settings.lambda = 3.0;
    settings.max_iterations = 4;
    double z[4] = {1.0, -1.0, 2.0, 0.5}, own[4], step[4], D[4];
    memcpy(own, z, sizeof own);
    for (int j = 0; j < 4; j++)
        D[j] = column_length(&linear, j);
    arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), own);
    double lambda = 3.0;
    for (int k = 0; k < 4; k++) {
        linear_step(&linear, D, lambda, z, step);
        for (int j = 0; j < 4; j++) {
            z[j] += step[j];
            assert_near(linear.tried[k + 1][j], z[j], 1e-12);
        }
        lambda /= 3.0;
    }
    assert_memory_equal(own, linear.tried[4], sizeof own);
}

/* Refused steps: damped by 1e-4 first, then 4, 8, 16... times more; halved with inner unknowns. */
static void test_least_squares_run_refused_steps_are_damped_or_halved(void **state)
{
    (void)state;
    static Linear linear;
    for (int n_inner = 0; n_inner <= 2; n_inner += 2) {
        ArcObjective objective = linear_objective(&linear, 12, 4, n_inner, 6);
        ArcLeastSquaresSettings settings = tight_settings();
        settings.max_iterations = 1;
        linear.refused = 5;
        double z[4] = {1.0, -1.0, 2.0, 0.5}, own[4], step[4], D[4];
        memcpy(own, z, sizeof own);
        for (int j = 0; j < 4; j++)
            D[j] = column_length(&linear, j);
        ArcLeastSquaresResult result =
            arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), own);
        assert_int_equal(result.iterations, 1);
        assert_int_equal(result.evaluations, 7);
        double lambda = 0.0, growth = 2.0, share = 1.0;
        for (int k = 0; k < 6; k++) {
            linear_step(&linear, D, lambda, z, step);
            for (int j = 0; j < 4; j++)
                assert_near(linear.tried[k + 1][j], z[j] + share * step[j], 1e-12);
            if (n_inner > 0) {
                share *= 0.5;
            } else {
                lambda = lambda > 0.0 ? lambda * growth : 1e-4;
                growth *= 2.0;
            }
        }
    }
}

/* The seventh halving and those behind it are damped as well: less than half of the one before. */
static void test_least_squares_run_steps_long_refused_are_damped_too(void **state)
{
    (void)state;
    static Linear linear;
    ArcObjective objective = linear_objective(&linear, 12, 4, 2, 6);
    ArcLeastSquaresSettings settings = tight_settings();
    settings.max_iterations = 1;
    linear.refused = 9;
    const double z[4] = {1.0, -1.0, 2.0, 0.5};
    double own[4], length[10];
    memcpy(own, z, sizeof own);
    arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), own);
    for (int k = 0; k < 10; k++) {
        const double *tried = linear.tried[k + 1];
        length[k] = hypot(tried[2] - z[2], tried[3] - z[3]);
    }
    for (int k = 1; k < 10; k++) {
        double share = 2.0 * length[k] / length[k - 1];
        assert_true(k < 7 ? fabs(share - 1.0) < 1e-12 : share < 1.0 - 1e-6);
    }
}

/* Wide and tall, with and without inner unknowns: damped unknowns share the root mean square of
 * their columns, the others take their full part of the step. */
static void test_least_squares_run_damped_unknowns_share_a_scale(void **state)
{
    (void)state;
    static Linear linear;
    const int shapes[][3] = {{8, 24, 0}, {30, 10, 0}, {8, 24, 3}, {30, 10, 3}};
    for (int k = 0; k < 4; k++) {
        int n = shapes[k][1], n_inner = shapes[k][2], n_damped = n - 2 - n_inner;
        ArcObjective objective = linear_objective(&linear, shapes[k][0], n, n_inner, 7);
        objective.n_damped = n_damped;
        objective.n_outer = 2;
        ArcLeastSquaresSettings settings = tight_settings();
        settings.lambda = 0.2;
        settings.max_iterations = 1;
        double z[30] = {0.0}, step[30], D[30] = {0.0}, sum = 0.0;
        for (int j = 0; j < n_damped; j++)
            sum += column_length(&linear, n_inner + j) * column_length(&linear, n_inner + j);
        for (int j = 0; j < n_damped; j++)
            D[n_inner + j] = sqrt(sum / n_damped);
        linear_step(&linear, D, 0.2, z, step);
        arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), z);
        for (int j = 0; j < n; j++)
            assert_near(z[j], step[j], 1e-10);
    }
}

/* Fewer residuals than weights: a small net through eight points, exactly. */
static bool net_evaluate(void *context, const double *z, double *r, double *J)
{
    const int *units = context;
    static double unwanted[8 * 64];
    J = J != NULL ? J : unwanted;
    for (int i = 0; i < 8; i++) {
        double t = -1.0 + i / 3.5;
        r[i] = -sin(3.0 * t) + z[3 * *units];
        J[i + 8 * 3 * *units] = 1.0;
        for (int k = 0; k < *units; k++) {
            const double *w = z + 3 * k;
            double h = tanh(w[0] * t + w[1]), slope = w[2] * (1.0 - h * h);
            r[i] += w[2] * h;
            J[i + 8 * (3 * k)] = slope * t;
            J[i + 8 * (3 * k + 1)] = slope;
            J[i + 8 * (3 * k + 2)] = h;
        }
    }
    return true;
}

static void test_least_squares_run_wide_problem_is_solved_exactly(void **state)
{
    (void)state;
    int units = 12;
    for (int geodesic = 0; geodesic < 2; geodesic++) {
        ArcObjective objective = {.m = 8,
                                  .n_damped = 3 * units,
                                  .n_outer = 1,
                                  .context = &units,
                                  .evaluate = net_evaluate};
        ArcLeastSquaresSettings settings = tight_settings();
        settings.lambda = 1e-2;
        settings.geodesic = geodesic == 1;
        double z[37];
        ArcRandom random = arc_random_create(1, 82);
        for (int j = 0; j < 37; j++)
            z[j] = arc_random_normal(&random);
        ArcLeastSquaresResult result =
            arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), z);
        assert_true(arc_stop_is_converged(result.stop));
        assert_true(result.cost < 1e-20);
        assert_true(result.iterations < 60);
    }
}

/* y = c0 exp(-a0 t) + c1 exp(-a1 t) + c2; unknowns in the order c, a. */
typedef struct Decay {
    int m;
    double t[60], y[60];
    int every; /* this many-th evaluation is refused; 0: none */
    int asked;
} Decay;

static bool decay_evaluate(void *context, const double *z, double *r, double *J)
{
    Decay *decay = context;
    size_t m = (size_t)decay->m;
    static double unwanted[5 * 60];
    J = J != NULL ? J : unwanted;
    if (decay->every > 0 && ++decay->asked > 1 && decay->asked % decay->every == 0)
        return false;
    for (size_t i = 0; i < m; i++) {
        double t = decay->t[i], first = exp(-z[3] * t), second = exp(-z[4] * t);
        r[i] = z[0] * first + z[1] * second + z[2] - decay->y[i];
        J[i] = first;
        J[i + m] = second;
        J[i + 2 * m] = 1.0;
        J[i + 3 * m] = -z[0] * t * first;
        J[i + 4 * m] = -z[1] * t * second;
    }
    return true;
}

static void decay_create(Decay *decay, uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, 83);
    *decay = (Decay){.m = 60};
    for (int i = 0; i < decay->m; i++) {
        decay->t[i] = 0.1 * i;
        decay->y[i] = 2.0 * exp(-0.4 * decay->t[i]) - 1.5 * exp(-2.5 * decay->t[i]) + 0.7 +
                      1e-3 * arc_random_normal(&random);
    }
}

static ArcLeastSquaresResult decay_run(Decay *decay, int n_inner, double *z, long double *inverse)
{
    ArcLeastSquaresSettings settings = tight_settings();
    ArcObjective objective = {.m = decay->m,
                              .n_inner = n_inner,
                              .n_outer = 5 - n_inner,
                              .context = decay,
                              .evaluate = decay_evaluate};
    const double start[] = {1.0, -1.0, 0.0, 0.2, 4.0};
    memcpy(z, start, sizeof start);
    ArcLeastSquares *solver = solver_of(&objective, &settings, NULL, NULL);
    ArcLeastSquaresResult result = arc_least_squares_run(solver, z);
    dense_gram(5 - n_inner, 5 - n_inner, arc_least_squares_factor(solver), inverse);
    assert_true(dense_invert(5 - n_inner, inverse));
    return result;
}

/* Inner or outer, the minimum and the outer covariance are the same. */
static void test_least_squares_run_inner_unknowns_agree_with_all_outer(void **state)
{
    (void)state;
    static Decay decay;
    static long double own[DENSE_MAX * DENSE_MAX], whole[DENSE_MAX * DENSE_MAX];
    for (uint64_t seed = 1; seed <= 10; seed++) {
        decay_create(&decay, seed);
        double inner[5], outer[5];
        ArcLeastSquaresResult by_inner = decay_run(&decay, 3, inner, own);
        ArcLeastSquaresResult by_outer = decay_run(&decay, 0, outer, whole);
        assert_true(arc_stop_is_converged(by_inner.stop));
        assert_true(arc_stop_is_converged(by_outer.stop));
        assert_near(by_inner.cost / by_outer.cost, 1.0, 1e-11);
        for (int j = 0; j < 5; j++)
            assert_near(inner[j], outer[j], 1e-7 * fabs(outer[j]));
        assert_near(outer[3], 0.4, 0.1);
        assert_near(outer[4], 2.5, 0.1);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                assert_near((double)(own[i + 2 * j] / whole[(i + 3) + 5 * (j + 3)]), 1.0, 1e-6);
    }
}

/* A step that cannot be evaluated is a step refused, not the end. */
static void test_least_squares_run_refused_points_are_survived(void **state)
{
    (void)state;
    static Decay decay;
    static long double inverse[DENSE_MAX * DENSE_MAX];
    for (int n_inner = 0; n_inner <= 3; n_inner += 3) {
        double plain[5], z[5];
        decay_create(&decay, 1);
        decay_run(&decay, n_inner, plain, inverse);
        for (int every = 2; every <= 5; every++) {
            decay.every = every;
            decay.asked = 0;
            ArcLeastSquaresResult result = decay_run(&decay, n_inner, z, inverse);
            assert_true(arc_stop_is_converged(result.stop));
            assert_true(result.evaluations > result.iterations + 1);
            for (int j = 0; j < 5; j++)
                assert_near(z[j], plain[j], 1e-5 * fabs(plain[j]));
        }
    }
}

static bool count(void *context, size_t size)
{
    (void)size;
    ++*(int *)context;
    return true;
}

static void test_least_squares_run_allocates_nothing(void **state)
{
    (void)state;
    static Decay decay;
    decay_create(&decay, 2);
    ArcLeastSquaresSettings settings = tight_settings();
    for (int n_inner = 0; n_inner <= 3; n_inner += 3) {
        ArcObjective objective = {.m = decay.m,
                                  .n_inner = n_inner,
                                  .n_outer = 5 - n_inner,
                                  .context = &decay,
                                  .evaluate = decay_evaluate};
        int asked = 0;
        ArcLeastSquares *solver = solver_of(&objective, &settings, NULL, NULL);
        double z[] = {1.0, -1.0, 0.0, 0.2, 4.0};
        arc_memory_set_hook(count, &asked);
        ArcLeastSquaresResult result = arc_least_squares_run(solver, z);
        assert_int_equal(asked, 0);
        ArcArena *other = arc_arena_create();
        assert_true(asked > 0);
        arc_memory_set_hook(NULL, NULL);
        arc_arena_free(other);
        assert_true(arc_stop_is_converged(result.stop));
    }
}

static bool refuse(void *context, size_t size)
{
    (void)size;
    return (*(int *)context)-- > 0;
}

static void test_least_squares_create_without_memory_says_so(void **state)
{
    (void)state;
    ArcLeastSquaresSettings settings = tight_settings();
    ArcObjective objective = {.m = 3000, .n_inner = 300, .n_outer = 100};
    int refused = 0;
    for (int allowed = 0; allowed < 100; allowed++) {
        int left = allowed;
        ArcLeastSquares *solver = NULL;
        ArcArena *own = arc_arena_create();
        arc_memory_set_hook(refuse, &left);
        ArcStatus status =
            arc_least_squares_create(&objective, &settings, NULL, NULL, own, &solver, NULL);
        arc_memory_set_hook(NULL, NULL);
        arc_arena_free(own);
        if (status == ARC_OK)
            break;
        assert_int_equal(status, ARC_MEMORY);
        assert_null(solver);
        refused++;
    }
    assert_true(refused > 3 && refused < 100);
}

int main(void)
{
#define ROW(name) cmocka_unit_test_setup_teardown(name, create_arena, free_arena)
    const struct CMUnitTest tests[] = {
        ROW(test_least_squares_run_linear_problem_takes_one_step),
        ROW(test_least_squares_run_factor_is_that_of_the_jacobian),
        ROW(test_least_squares_run_kept_promise_damps_a_third),
        ROW(test_least_squares_run_refused_steps_are_damped_or_halved),
        ROW(test_least_squares_run_steps_long_refused_are_damped_too),
        ROW(test_least_squares_run_damped_unknowns_share_a_scale),
        ROW(test_least_squares_run_wide_problem_is_solved_exactly),
        ROW(test_least_squares_run_inner_unknowns_agree_with_all_outer),
        ROW(test_least_squares_run_refused_points_are_survived),
        ROW(test_least_squares_run_allocates_nothing),
        ROW(test_least_squares_create_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
