/* Points seen by cameras: Jacobians of all methods' stages by every parameter of the measurement,
 * true times, starts, and what both methods find. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/objectives.h"
#include "objective_check.h"
#include "view_case.h"

/* Everything that can be free, though no data could tell it all. */
#define SPACE_MEASURES                                                                             \
    "clock_rate: {start: 1.02}, left.line_time: {start: 10 us}, right.time_offset: {start: 4 "     \
    "ms}, "                                                                                        \
    "right.line_time: {start: -8 us}, left.scale: {start: 1.01}, left.roll: {start: 0.02}, "       \
    "right.x: {start: 0.02}, right.y: {start: 0.01}, right.z: {start: -0.02}, "                    \
    "right.rx: {start: 0.01}, right.ry: {start: -0.02}, right.rz: {start: 0.015}, "                \
    "right.focal: {start: 0.99}, right.radius_bias: {start: 0.6}, left.latency: {start: 3 ms}, "   \
    "left.bias_u: {start: 0.7}, right.bias_v: {start: -0.4}"

static const char space_text[] =
    CAMERA_TWO CAMERA_BALL "parameters: {cd: {start: 0.5, prior: {mean: 0.5, sd: 0.1}}, "
                           "t0: {start: -0.05}, " CAMERA_THROW ", " SPACE_MEASURES "}\n"
                           "fit: {loss: huber, direct: {tolerance: 1e-13}}\n"
                           "simulate: {noise: {dropped: {share: 0.2}}}\n";

/* Points of one camera before the release, with spin that fades and a gust. */
static const char early_text[] =
    CAMERA_TWO "flight: {dimensions: 3, ball: basketball, drag: quadratic, lift: rational, "
               "spin_decay: exponential, wind: {velocity: [1, 0.5, 0], gust: {velocity: [2, 1, 0], "
               "time: 0.1, width: 0.1}}}\n"
               "parameters: {cd: {start: 0.5}, wx: {start: 3}, wy: {start: -20}, wz: {start: 5}, "
               "spin_tau: {start: 4}, t0: {start: 0}, " CAMERA_THROW
               ", right.time_offset: {start: -60 ms}, clock_rate: {start: 1.02}, "
               "right.line_time: {start: 10 us}, right.rx: {start: 0.01}}\n"
               "fit: {direct: {tolerance: 1e-13}}\n";

static const char plane_text[] =
    "arcfit: 1\n"
    "capture: {file: none.csv, sigma: 0.5 px, cameras: {side: {stick: {from: [100, 900], "
    "to: [400, 905], length: 2 m, angle: 0}, origin: [200, 800]}}}\n"
    "flight: {ball: basketball, drag: quadratic, lift: linear}\n"
    "release: polar\n"
    "parameters: {cd: {start: 0.5}, spin: {start: 20}, cm: {start: 0.8}, "
    "t0: {start: -0.05}, x0: {start: 0.1}, y0: {start: 2}, speed: {start: 7}, "
    "angle: {start: 0.9}, scale: {start: 0.9, prior: {mean: 1, sd: 0.1}}, roll: {start: 0.1}, "
    "x: {start: 0.1}, y: {start: -0.2}, time_offset: {start: 2 ms}, line_time: {start: 20 us}, "
    "clock_rate: {start: 0.98}, latency: {start: 3 ms}, bias_u: {start: 0.7}, "
    "bias_v: {start: -0.4}}\n"
    "fit: {direct: {tolerance: 1e-13}}\n";

static const char metres_text[] =
    "arcfit: 1\n"
    "capture: {file: none.csv, sigma: 3 mm}\n"
    "flight: {drag: lumped}\n"
    "parameters: {k: {start: 0.05}, t0: {start: -0.05}, x0: {start: 0.1}, y0: {start: 2}, "
    "vx0: {start: 4}, vy0: {start: 5}, scale: {start: 1.1}, roll: {start: 0.1}, "
    "time_offset: {start: 2 ms}, clock_rate: {start: 0.98}, latency: {start: 3 ms}, "
    "bias_x: {start: 2 mm}, bias_y: {start: -1 mm}}\n"
    "fit: {direct: {tolerance: 1e-13}}\n";

/* Beyond a bounce, at 0.55 s. */
static const char bounce_text[] =
    CAMERA_TWO "flight: {dimensions: 3, ball: basketball, drag: quadratic, "
               "bounce: {plane: z=0.12}}\n"
               "parameters: {cd: {start: 0.5}, restitution: {start: 0.8}, friction: {start: 0.3}, "
               "t0: {start: -0.01}, x0: {start: 0}, y0: {start: 0.1}, z0: {start: 2}, "
               "vx0: {start: 4}, vy0: {start: 0.2}, vz0: {start: -0.5}, "
               "clock_rate: {start: 1.02}, right.time_offset: {start: 4 ms}, "
               "right.line_time: {start: -8 us}, left.scale: {start: 1.01}, "
               "right.rx: {start: 0.01}, spin_coupling: {start: 1.5}}\n"
               "fit: {direct: {tolerance: 1e-13}}\n";

static ArcProblem *problem_of(const char *text, double sigma_m)
{
    ArcCapture *capture = case_capture_seed(text, 7, 0.8, sigma_m, 0);
    ArcProblem *problem = case_problem(text, capture);
    assert_int_equal(problem->n_free, problem->n_parameters);
    assert_non_null(problem->view);
    arc_capture_free(capture);
    return problem;
}

/* An objective whose last unknowns, the free parameters, are counted in units that suit the steps
 * of the differences: a rolling shutter's rows are microseconds. */
typedef struct Scaled {
    const ArcProblem *problem;
    const ArcObjective *objective;
    int n;
    double *z;
} Scaled;

static double unit_of(const ArcProblem *problem, int k)
{
    const ArcParameter *parameter = &problem->parameters[problem->free_parameter[k]];
    if (parameter->measure == ARC_MEASURE_NONE)
        return 1.0;
    return parameter->measure == ARC_MEASURE_LINE_TIME ? 1e-5 : 1e-2;
}

static bool scaled_evaluate(void *context, const double *z, double *r, double *J)
{
    Scaled *scaled = context;
    const ArcProblem *problem = scaled->problem;
    const ArcObjective *o = scaled->objective;
    int first = scaled->n - problem->n_free;
    for (int k = 0; k < scaled->n; k++)
        scaled->z[k] = z[k] * (k < first ? 1.0 : unit_of(problem, k - first));
    if (!o->evaluate(o->context, scaled->z, r, J))
        return false;
    for (int k = first; J != NULL && k < scaled->n; k++)
        for (int i = 0; i < o->m; i++)
            J[(size_t)k * (size_t)o->m + (size_t)i] *= unit_of(problem, k - first);
    return true;
}

static double check_scaled(const ArcProblem *problem, const ArcObjective *o, double *z,
                           int n_physics)
{
    Scaled scaled = {problem, o, o->n_inner + o->n_damped + o->n_outer, NULL};
    scaled.z = calloc(2 * (size_t)scaled.n, sizeof(double));
    assert_non_null(scaled.z);
    double *at = scaled.z + scaled.n;
    for (int k = 0; k < scaled.n; k++) {
        int parameter = k - (scaled.n - problem->n_free);
        at[k] = z[k] / (parameter < 0 ? 1.0 : unit_of(problem, parameter));
    }
    ArcObjective copy = *o;
    copy.context = &scaled;
    copy.evaluate = scaled_evaluate;
    double worst = check_objective(problem, &copy, at, n_physics);
    free(scaled.z);
    return worst;
}

static double check_direct(const ArcProblem *problem, ArcArena *arena)
{
    ArcError err;
    ArcObjective objective;
    ArcTrajectory states;
    double *values = NULL, z[ARC_MAX_PARAMETERS];
    assert_int_equal(arc_direct_objective(problem, arena, &objective, &states, &values, &err),
                     ARC_OK);
    for (int k = 0; k < problem->n_free; k++)
        z[k] = problem->start[problem->free_parameter[k]];
    return check_scaled(problem, &objective, z, 0);
}

static double check_linear(const ArcProblem *problem, ArcArena *arena)
{
    ArcError err;
    ArcObjective objective;
    ArcPinn *pinn = NULL;
    double *z = NULL;
    ArcNetSettings net = arc_net_settings_default();
    net.widths[0] = 8;
    assert_int_equal(arc_pinn_create(problem, &net, 12, arena, &pinn, &err), ARC_OK);
    assert_int_equal(arc_linear_objective(pinn, arena, &objective, &z, &err), ARC_OK);
    return check_scaled(problem, &objective, z, 12 * problem->D);
}

static double check_weights(const ArcProblem *problem, ArcArena *arena)
{
    ArcError err;
    ArcObjective objective;
    ArcPinn *pinn = NULL;
    double *z = NULL;
    ArcNetSettings net = arc_net_settings_default();
    net.widths[0] = 6;
    net.init = ARC_INIT_GLOROT_NORMAL;
    assert_int_equal(arc_pinn_create(problem, &net, 12, arena, &pinn, &err), ARC_OK);
    assert_int_equal(arc_weights_objective(pinn, arena, &objective, &z, &err), ARC_OK);
    for (int k = 0; k < pinn->n_weights; k++)
        z[k] += 0.02;
    return check_scaled(problem, &objective, z, 12 * problem->D);
}

static void check_all(double (*check)(const ArcProblem *, ArcArena *), double allowed)
{
    static const struct {
        const char *name, *text;
        double sigma_m;
    } cases[] = {{"space", space_text, NAN},
                 {"early", early_text, NAN},
                 {"plane", plane_text, NAN},
                 {"metres", metres_text, 0.003}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ArcArena *arena = arc_arena_create();
        ArcProblem *problem = problem_of(cases[i].text, cases[i].sigma_m);
        double worst = check(problem, arena);
        print_message("%s: worst error %.1e of the column's largest entry\n", cases[i].name, worst);
        assert_true(worst <= allowed);
        arc_problem_free(problem);
        arc_arena_free(arena);
    }
}

static void test_direct_objective_jacobian_of_cameras_is_that_of_differences(void **state)
{
    (void)state;
    check_all(check_direct, 1e-6);
}

static void test_linear_objective_jacobian_of_cameras_is_that_of_differences(void **state)
{
    (void)state;
    check_all(check_linear, 1e-6);
}

static void test_weights_objective_jacobian_of_cameras_is_that_of_differences(void **state)
{
    (void)state;
    check_all(check_weights, 1e-6);
}

/* One net a segment, joined over the bounce. */
static void test_segments_objective_jacobian_of_cameras_is_that_of_differences(void **state)
{
    (void)state;
    ArcError err;
    ArcArena *arena = arc_arena_create();
    ArcCapture *capture = case_capture_seed(bounce_text, 9, 0.9, NAN, 0);
    ArcProblem *problem = case_problem(bounce_text, capture);
    ArcObjective objective;
    ArcPinn *pinn = NULL;
    double *z = NULL;
    ArcNetSettings net = arc_net_settings_default();
    net.widths[0] = 8;
    assert_int_equal(arc_pinn_create(problem, &net, 12, arena, &pinn, &err), ARC_OK);
    assert_non_null(pinn->next);
    assert_int_equal(arc_linear_objective(pinn, arena, &objective, &z, &err), ARC_OK);
    int n_physics = objective.m - problem->n_observations - problem->n_priors;
    double worst = check_scaled(problem, &objective, z, n_physics);
    print_message("bounce: worst error %.1e of the column's largest entry\n", worst);
    assert_true(worst <= 1e-5);
    arc_problem_free(problem);
    arc_capture_free(capture);
    arc_arena_free(arena);
}

/* The gradient of the scalar objective against differences along every unknown. */
static void test_gradient_objective_of_cameras_is_that_of_differences(void **state)
{
    (void)state;
    ArcError err;
    ArcArena *arena = arc_arena_create();
    ArcProblem *problem = problem_of(space_text, NAN);
    ArcGradient *gradient = NULL;
    ArcPinn *pinn = NULL;
    double *x = NULL, f, above, below, largest = 0.0, worst = 0.0;
    ArcNetSettings net = arc_net_settings_default();
    net.widths[0] = 6;
    net.init = ARC_INIT_GLOROT_NORMAL;
    assert_int_equal(arc_pinn_create(problem, &net, 12, arena, &pinn, &err), ARC_OK);
    assert_int_equal(arc_gradient_create(pinn, arena, &gradient, &x, &err), ARC_OK);
    int n = arc_gradient_n(gradient);
    ArcScalarObjective objective = arc_gradient_objective(gradient);
    double *g = calloc(2 * (size_t)n, sizeof *g), *scratch = g + n;
    assert_non_null(g);
    assert_true(objective.evaluate(objective.context, x, &f, g));
    for (int k = 0; k < n; k++)
        largest = fmax(largest, fabs(g[k]));
    for (int k = 0; k < n; k++) {
        double at = x[k], best = INFINITY;
        for (double h = 1e-4; h > 1e-8; h *= 0.1) {
            x[k] = at + h;
            assert_true(objective.evaluate(objective.context, x, &above, scratch));
            x[k] = at - h;
            assert_true(objective.evaluate(objective.context, x, &below, scratch));
            best = fmin(best, fabs((above - below) / (2.0 * h) - g[k]));
        }
        x[k] = at;
        worst = fmax(worst, best);
    }
    print_message("gradient: worst error %.1e of the largest entry\n", worst / largest);
    assert_true(worst <= 1e-6 * largest);
    free(g);
    arc_problem_free(problem);
    arc_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_direct_objective_jacobian_of_cameras_is_that_of_differences),
        cmocka_unit_test(test_linear_objective_jacobian_of_cameras_is_that_of_differences),
        cmocka_unit_test(test_weights_objective_jacobian_of_cameras_is_that_of_differences),
        cmocka_unit_test(test_segments_objective_jacobian_of_cameras_is_that_of_differences),
        cmocka_unit_test(test_gradient_objective_of_cameras_is_that_of_differences),
    };
    return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
