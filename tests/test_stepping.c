/* The iteration step by step: begin and step, save and restore, what is left, the determinant. */
#include "solver_case.h"

#include "base/random.h"
#include "dense.h"

enum { M = 30, MOST = 20 };

/* r_i = sum over k of c_k tanh(w_k t_i + b_k) + e exp(-q t_i) - y_i; unknowns (c, w and b, e and
 * q): as inner, damped and outer, or all outer. */
typedef struct Fitting {
    int units;
    double y[M];
} Fitting;

static bool fitting_evaluate(void *context, const double *z, double *r, double *J)
{
    const Fitting *fitting = context;
    static double unwanted[M * MOST];
    int units = fitting->units, n = 3 * units;
    J = J != NULL ? J : unwanted;
    for (int i = 0; i < M; i++) {
        double t = -1.0 + 2.0 * i / (M - 1), decay = exp(-z[n + 1] * t);
        r[i] = z[n] * decay - fitting->y[i];
        for (int k = 0; k < units; k++) {
            double h = tanh(z[units + 2 * k] * t + z[units + 2 * k + 1]);
            double slope = z[k] * (1.0 - h * h);
            r[i] += z[k] * h;
            J[i + M * k] = h;
            J[i + M * (units + 2 * k)] = slope * t;
            J[i + M * (units + 2 * k + 1)] = slope;
        }
        J[i + M * n] = decay;
        J[i + M * (n + 1)] = -t * z[n] * decay;
    }
    return true;
}

/* layout 0: all outer; 1: inner and outer; 2: inner, damped and outer; 3: damped and outer. */
static ArcObjective fitting_objective(Fitting *fitting, int layout, double *z)
{
    int units = fitting->units = 4, n = 3 * units + 2;
    const double truth[] = {1.0, -0.8, 0.9,  -0.6, 3.0,  2.4, 4.0,
                            0.8, 3.5,  -1.2, 3.0,  -2.2, 0.7, 1.6};
    ArcRandom random = arc_random_create(3, 84);
    memset(fitting->y, 0, sizeof fitting->y);
    assert_true(fitting_evaluate(fitting, truth, fitting->y, NULL));
    for (int i = 0; i < M; i++)
        fitting->y[i] += 0.001 * arc_random_normal(&random);
    for (int j = 0; j < n; j++)
        z[j] = truth[j] * (1.0 + 0.3 * arc_random_normal(&random));
    int inner = layout == 1 || layout == 2 ? units : 0;
    int damped = layout >= 2 ? 3 * units - inner : 0;
    return (ArcObjective){.m = M,
                          .n_inner = inner,
                          .n_damped = damped,
                          .n_outer = n - inner - damped,
                          .context = fitting,
                          .evaluate = fitting_evaluate};
}

static ArcLeastSquaresSettings fitting_settings(int layout)
{
    ArcLeastSquaresSettings settings = tight_settings();
    settings.max_iterations = 40;
    settings.lambda = layout == 1 ? 0.0 : 1e-2;
    settings.geodesic = layout == 2;
    return settings;
}

static void assert_same(const double *a, const double *b, int n)
{
    assert_memory_equal(a, b, sizeof(double) * (size_t)n);
}

static void test_least_squares_step_by_step_is_a_run(void **state)
{
    (void)state;
    static Fitting fitting;
    for (int layout = 0; layout < 4; layout++) {
        double z[MOST], own[MOST], before = INFINITY;
        ArcObjective objective = fitting_objective(&fitting, layout, z);
        memcpy(own, z, sizeof own);
        ArcLeastSquaresSettings settings = fitting_settings(layout);
        ArcLeastSquaresResult run =
            arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), z);
        ArcLeastSquares *solver = solver_of(&objective, &settings, NULL, NULL);
        ArcLeastSquaresResult result;
        bool goes_on = arc_least_squares_begin(solver, own, &result);
        assert_true(goes_on && result.iterations == 0 && result.evaluations == 1);
        for (int k = 1; goes_on; k++) {
            before = result.cost;
            goes_on = arc_least_squares_step(solver, own, &result);
            assert_true(result.iterations <= k && result.cost <= before * (1.0 + 1e-10));
        }
        assert_true(run.iterations > 3);
        /* Damping that runs away would leave the damped unknowns where they stand. */
        assert_true(run.cost < 0.01);
        assert_int_equal(result.iterations, run.iterations);
        assert_int_equal(result.evaluations, run.evaluations);
        assert_int_equal(result.stop, run.stop);
        assert_true(result.cost == run.cost);
        assert_same(own, z, 14);
        print_message("layout %d: %d iterations, %d evaluations, %s, cost %.3e\n", layout,
                      run.iterations, run.evaluations, arc_stop_text(run.stop), run.cost);
    }
}

/* Stopped between any two steps, stored, and gone on with in another solver. */
static void test_least_squares_restore_goes_on_bit_for_bit(void **state)
{
    (void)state;
    static Fitting fitting;
    for (int layout = 0; layout < 4; layout++) {
        double z[MOST];
        ArcObjective objective = fitting_objective(&fitting, layout, z);
        ArcLeastSquaresSettings settings = fitting_settings(layout);
        double whole[MOST];
        memcpy(whole, z, sizeof whole);
        ArcLeastSquaresResult expected =
            arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), whole);
        int n_cut = 0;
        for (int cut = 0; cut < expected.iterations; cut++) {
            ArcLeastSquares *first = solver_of(&objective, &settings, NULL, NULL);
            ArcLeastSquares *second = solver_of(&objective, &settings, NULL, NULL);
            double own[MOST], stored[64];
            memcpy(own, z, sizeof own);
            ArcLeastSquaresResult result;
            bool goes_on = arc_least_squares_begin(first, own, &result);
            for (int k = 0; goes_on && k < cut; k++)
                goes_on = arc_least_squares_step(first, own, &result);
            if (!goes_on)
                break;
            assert_true(arc_least_squares_state_size(first) <= 64);
            arc_least_squares_save(first, &result, stored);
            assert_true(arc_least_squares_restore(second, own, stored, &result));
            while (arc_least_squares_step(second, own, &result))
                ;
            assert_int_equal(result.iterations, expected.iterations);
            assert_int_equal(result.evaluations, expected.evaluations);
            assert_int_equal(result.stop, expected.stop);
            assert_true(result.cost == expected.cost);
            assert_same(own, whole, 14);
            n_cut++;
        }
        assert_true(n_cut > 3);
    }
}

/* [A P] of the whole problem at z in the order of z. */
static void jacobian_at(const ArcObjective *objective, const double *z, double *r, double *J)
{
    memset(J, 0, sizeof(double) * M * MOST);
    assert_true(objective->evaluate(objective->context, z, r, J));
}

static void test_least_squares_log_det_is_that_of_the_jacobian(void **state)
{
    (void)state;
    static Fitting fitting;
    static double J[M * MOST];
    static long double Q[M * MOST];
    for (int layout = 0; layout < 2; layout++) {
        double z[MOST], r[M];
        ArcObjective objective = fitting_objective(&fitting, layout, z);
        ArcLeastSquaresSettings settings = fitting_settings(layout);
        ArcLeastSquares *solver = solver_of(&objective, &settings, NULL, NULL);
        ArcLeastSquaresResult result;
        assert_true(arc_least_squares_begin(solver, z, &result));
        jacobian_at(&objective, z, r, J);
        /* det(J'J) is the product of the squared lengths that Gram and Schmidt leave. */
        long double expected = 0.0L;
        for (int j = 0; j < 14; j++) {
            for (int i = 0; i < M; i++)
                Q[i + M * j] = J[i + M * j];
            dense_project(M, j, Q, Q + M * j);
            long double left = sqrtl(dense_dot(M, Q + M * j, Q + M * j));
            expected += 2.0L * logl(left);
            for (int i = 0; i < M; i++)
                Q[i + M * j] /= left;
        }
        assert_near(arc_least_squares_log_det(solver), (double)expected, 1e-7);
    }
}

/* |J d| of the undamped step is the length of r's part in the range of J; all but nothing at the
 * end, and it does not ask for an end of its own. */
static void test_least_squares_remaining_is_the_image_of_the_undamped_step(void **state)
{
    (void)state;
    static Fitting fitting;
    static double J[M * MOST];
    static long double Q[M * MOST];
    for (int layout = 0; layout < 2; layout++) {
        double z[MOST], r[M];
        ArcObjective objective = fitting_objective(&fitting, layout, z);
        ArcLeastSquaresSettings settings = fitting_settings(layout);
        settings.max_iterations = 200;
        ArcLeastSquares *solver = solver_of(&objective, &settings, NULL, NULL);
        ArcLeastSquaresResult result;
        bool goes_on = arc_least_squares_begin(solver, z, &result);
        jacobian_at(&objective, z, r, J);
        int rank = dense_basis(M, 14, J, 1e-14L, Q);
        long double sum = 0.0L;
        for (int k = 0; k < rank; k++) {
            long double part = 0.0L;
            for (int i = 0; i < M; i++)
                part += Q[i + M * k] * r[i];
            sum += part * part;
        }
        assert_near(arc_least_squares_remaining(solver, z), (double)sqrtl(sum),
                    1e-9 * (double)sqrtl(sum));
        while (goes_on)
            goes_on = arc_least_squares_step(solver, z, &result);
        assert_true(arc_stop_is_converged(result.stop));
        double left = arc_least_squares_remaining(solver, z);
        print_message("layout %d: %.2e left after %d iterations\n", layout, left,
                      result.iterations);
        assert_true(left < 1e-8);
    }
}

/* A curved valley in many unknowns: Rosenbrock's in pairs. */
static bool valley_evaluate(void *context, const double *z, double *r, double *J)
{
    const int *pairs = context;
    int n = 2 * *pairs, m = n;
    static double unwanted[40 * 40];
    if (J == NULL)
        J = unwanted;
    for (int k = 0; k < *pairs; k++) {
        double x = z[2 * k], y = z[2 * k + 1];
        r[2 * k] = 10.0 * (y - x * x);
        r[2 * k + 1] = 1.0 - x;
        J[2 * k + (2 * k) * m] = -20.0 * x;
        J[2 * k + (2 * k + 1) * m] = 10.0;
        J[2 * k + 1 + (2 * k) * m] = -1.0;
    }
    return true;
}

static void test_least_squares_run_geodesic_follows_a_curved_valley(void **state)
{
    (void)state;
    int pairs = 6, taken[2];
    for (int geodesic = 0; geodesic < 2; geodesic++) {
        ArcObjective objective = {
            .m = 12, .n_damped = 11, .n_outer = 1, .context = &pairs, .evaluate = valley_evaluate};
        ArcLeastSquaresSettings settings = tight_settings();
        settings.lambda = 1e-2;
        settings.geodesic = geodesic == 1;
        double z[12];
        for (int k = 0; k < 12; k++)
            z[k] = k % 2 == 0 ? -1.2 - 0.1 * k : 1.0;
        ArcLeastSquaresResult result =
            arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), z);
        assert_true(arc_stop_is_converged(result.stop));
        for (int k = 0; k < 12; k++)
            assert_near(z[k], 1.0, 1e-6);
        taken[geodesic] = result.iterations;
    }
    print_message("plain %d iterations, geodesic %d\n", taken[0], taken[1]);
    assert_true(taken[1] <= taken[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_squares_step_by_step_is_a_run),
        cmocka_unit_test(test_least_squares_restore_goes_on_bit_for_bit),
        cmocka_unit_test(test_least_squares_log_det_is_that_of_the_jacobian),
        cmocka_unit_test(test_least_squares_remaining_is_the_image_of_the_undamped_step),
        cmocka_unit_test(test_least_squares_run_geodesic_follows_a_curved_valley),
    };
    return cmocka_run_group_tests_name("stepping", tests, create_arena, free_arena);
}
