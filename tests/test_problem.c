/* The problem: parameters resolved, t0, starts from the data, missing values, points held out, and
 * what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/problem.h"
#include "fit_case.h"
#include "sweep.h"

#define PLANE CASE_HEAD "flight: {dimensions: 2, drag: lumped}\n"
#define THROW PLANE "parameters: {k: 0.03, x0: 0.5, y0: 2, vx0: 4.6, vy0: 6.4}\n"

static const ArcParameter *parameter_of(const ArcProblem *problem, const char *name, int *index)
{
    for (*index = 0; *index < problem->n_parameters; ++*index)
        if (strcmp(problem->parameters[*index].name, name) == 0)
            return &problem->parameters[*index];
    fail_msg("there is no parameter '%s'", name);
    return NULL;
}

static double start_of(const ArcProblem *problem, const char *name)
{
    int index;
    parameter_of(problem, name, &index);
    return problem->start[index];
}

static ArcProblem *throw_problem(const char *text)
{
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 1e-5);
    ArcProblem *problem = case_problem(text, capture);
    arc_capture_free(capture);
    return problem;
}

/* The refusal of an experiment text for the throw. */
static void check_refusal(const char *text, const ArcCapture *capture, const char *message)
{
    ArcError err = {.status = ARC_OK};
    ArcExperiment *experiment = case_experiment(text);
    ArcProblem *problem = NULL;
    assert_int_equal(arc_problem_create(experiment, capture, &problem, &err), ARC_INPUT);
    assert_null(problem);
    assert_non_null(strstr(err.text, message));
    assert_non_null(strstr(err.text, "case.yaml:"));
    arc_experiment_free(experiment);
}

static void test_problem_create_parameters_are_resolved(void **state)
{
    (void)state;
    ArcProblem *problem = throw_problem(
        PLANE "parameters: {k: {start: 0.1, bounds: [0, 1], prior: {mean: 0.05, sd: 0.02}}, y0: 2, "
              "vx0: {start: 3}}\n");
    int k, y0;
    parameter_of(problem, "k", &k);
    parameter_of(problem, "y0", &y0);
    assert_int_equal(problem->n_parameters, 6); /* k t0 x0 y0 vx0 vy0 */
    assert_int_equal(problem->n_free, 4);
    assert_int_equal(problem->free_index[k], 0);
    assert_int_equal(problem->free_index[problem->t0_index], -1);
    assert_int_equal(problem->free_index[y0], -1);
    assert_true(problem->low[0] == 0.0 && problem->high[0] == 1.0);
    assert_true(isinf(problem->low[1]) && isinf(problem->high[1]));
    assert_int_equal(problem->n_priors, 1);
    assert_true(start_of(problem, "k") == 0.1);
    assert_true(start_of(problem, "y0") == 2.0);
    assert_true(start_of(problem, "vx0") == 3.0);
    arc_problem_free(problem);
    /* Without bounds a law's parameter keeps to what makes sense, but may pass zero. */
    problem = throw_problem(PLANE "parameters: {k: free}\n");
    assert_true(isinf(problem->low[0]) && problem->high[0] == 100.0);
    arc_problem_free(problem);
}

static void test_problem_scatter_and_priors_go_to_their_places(void **state)
{
    (void)state;
    ArcProblem *problem =
        throw_problem(PLANE "parameters: {k: 0.02, y0: 2, vy0: {prior: {mean: 6, sd: 0.5}}}\n");
    double values[6] = {10, 11, 12, 13, 14, 15}, r[1], J[3] = {0};
    const double u[3] = {1, 2, 3}; /* x0 vx0 vy0 */
    arc_problem_scatter(problem, u, values);
    const double expected[6] = {10, 11, 1, 13, 2, 3};
    assert_memory_equal(values, expected, sizeof values);
    arc_problem_priors(problem, u, r, J, 1);
    assert_near(r[0], -6.0, 1e-15);
    assert_true(J[0] == 0.0 && J[1] == 0.0 && J[2] == 2.0);
    arc_problem_free(problem);
}

static void test_problem_create_start_is_the_parabola_of_the_data(void **state)
{
    (void)state;
    ArcProblem *problem = throw_problem(PLANE "parameters: {k: free}\n");
    assert_near(start_of(problem, "x0"), 0.5, 0.02);
    assert_near(start_of(problem, "y0"), 2.0, 0.02);
    assert_near(start_of(problem, "vx0"), 4.6, 0.2);
    assert_near(start_of(problem, "vy0"), 6.4, 0.2);
    assert_near(problem->start_acceleration[1], -9.8, 1.0);
    assert_true(start_of(problem, "t0") == 0.0);
    arc_problem_free(problem);
    problem = throw_problem("release: polar\n" PLANE "parameters: {k: free}\n");
    assert_near(start_of(problem, "speed"), hypot(4.6, 6.4), 0.3);
    assert_near(start_of(problem, "angle"), atan2(6.4, 4.6), 0.03);
    arc_problem_free(problem);
}

/* Without noise or drag the parabola is exact, at any t0 and with missing values. */
static void test_problem_create_start_of_a_vacuum_flight_is_exact(void **state)
{
    (void)state;
    static const char vacuum[] = CASE_HEAD "flight: {dimensions: 2}\n"
                                           "parameters: {x0: 0.5, y0: 2, vx0: 4, vy0: 6}\n";
    ArcError err;
    ArcCapture *flown = case_capture(vacuum, 9, 0.8, 1e-9), *capture = NULL;
    double position[18];
    memcpy(position, flown->position_m, sizeof position);
    position[5] = position[8] = NAN;
    assert_int_equal(
        arc_capture_create(GIVEN(9, 2, flown->time_s, position, flown->sigma_m), &capture, &err),
        ARC_OK);
    ArcProblem *problem =
        case_problem(CASE_HEAD "flight: {dimensions: 2}\nparameters: {t0: -0.2}\n", capture);
    assert_int_equal(problem->n_observations, 16);
    assert_int_equal(problem->n_times, 9);
    assert_near(start_of(problem, "x0"), 0.5 - 0.2 * 4.0, 1e-7);
    assert_near(start_of(problem, "vx0"), 4.0, 1e-6);
    assert_near(start_of(problem, "vy0"), 6.0 + 0.2 * 9.80665, 1e-6);
    assert_near(start_of(problem, "y0"), 2.0 - 0.2 * 6.0 - 0.5 * 9.80665 * 0.04, 1e-7);
    assert_near(problem->start_acceleration[1], -9.80665, 1e-5);
    arc_problem_free(problem);
    arc_capture_free(capture);
    arc_capture_free(flown);
}

static void test_problem_create_two_points_start_as_a_line(void **state)
{
    (void)state;
    const double t_s[2] = {1.0, 1.5}, x_m[4] = {0, 1, 2, 2}, sigma_m[4] = {1, 1, 1, 1};
    ArcError err;
    ArcCapture *capture = NULL;
    assert_int_equal(arc_capture_create(GIVEN(2, 2, t_s, x_m, sigma_m), &capture, &err), ARC_OK);
    ArcProblem *problem = case_problem(CASE_HEAD "flight: {dimensions: 2}\n", capture);
    assert_near(start_of(problem, "t0"), 1.0, 0.0);
    assert_near(start_of(problem, "vx0"), 4.0, 1e-14);
    assert_near(start_of(problem, "vy0"), 2.0, 1e-14);
    assert_true(problem->start_acceleration[1] == 0.0);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

static void test_problem_create_start_from_the_data_keeps_to_bounds(void **state)
{
    (void)state;
    ArcProblem *problem = throw_problem(PLANE "parameters: {vx0: {bounds: [0, 1]}, x0: {bounds: "
                                              "[3, 4]}}\n");
    assert_true(start_of(problem, "vx0") == 1.0);
    assert_true(start_of(problem, "x0") == 3.0);
    arc_problem_free(problem);
}

static void test_problem_create_t0_follows_its_rules(void **state)
{
    (void)state;
    ArcProblem *problem = throw_problem(PLANE "parameters: {t0: -0.5}\n");
    assert_true(start_of(problem, "t0") == -0.5);
    arc_problem_free(problem);
    /* A free t0 may not move past the first point. */
    problem = throw_problem(PLANE "parameters: {t0: {start: -0.1, bounds: [-1, 5]}}\n");
    int k = problem->free_index[problem->t0_index];
    assert_true(problem->low[k] == -1.0 && problem->high[k] == 0.0);
    arc_problem_free(problem);
    problem = throw_problem(PLANE "parameters: {t0: {bounds: [-1, -0.3]}}\n");
    assert_true(start_of(problem, "t0") == -0.3);
    arc_problem_free(problem);
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 1e-5);
    check_refusal(PLANE "parameters: {t0: 0.1}\n", capture,
                  "t0 is 0.1 s, after the first used point at 0 s");
    arc_capture_free(capture);
}

static void test_problem_create_held_out_points_are_not_fitted(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 1e-5);
    ArcPointUse use[11] = {ARC_POINT_FIT};
    for (int i = 0; i < 11; i++)
        use[i] = i == 0 ? ARC_POINT_UNUSED : i % 3 == 0 ? ARC_POINT_HELD_OUT : ARC_POINT_FIT;
    ArcCapture chosen = *capture;
    chosen.use = use;
    chosen.n_fit = 7;
    chosen.n_held_out = 3;
    ArcProblem *problem = case_problem(PLANE, &chosen);
    assert_int_equal(problem->n_times, 7);
    assert_int_equal(problem->n_observations, 14);
    assert_int_equal(problem->n_points, 11);
    assert_near(start_of(problem, "t0"), 0.08, 1e-12);
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        int point = (int)lround(problem->time_s[o->time] / 0.08);
        assert_int_equal(use[point], ARC_POINT_FIT);
        assert_true(o->value == capture->position_m[2 * point + o->axis]);
    }
    arc_problem_free(problem);
    arc_capture_free(capture);
}

static void test_problem_create_refuses_what_cannot_be_fitted(void **state)
{
    (void)state;
    ArcError err;
    ArcCapture *throw_capture = case_capture(THROW, 11, 0.8, 1e-5), *other = NULL;
    check_refusal(PLANE "parameters: {k: 0.03, x0: 0, y0: 0, vx0: 1, vy0: 1}\n", throw_capture,
                  "nothing to fit: every parameter is fixed");
    check_refusal(CASE_HEAD "flight: {dimensions: 3}\n", throw_capture, "2 axes");
    const double t_s[2] = {1.0, 2.0}, x_m[4] = {0, 1, 2, 2}, sigma_m[4] = {1, 1, 1, 1};
    assert_int_equal(arc_capture_create(GIVEN(1, 2, t_s, x_m, sigma_m), &other, &err), ARC_OK);
    check_refusal(PLANE, other, "the only used point is at t0, 1 s");
    arc_capture_free(other);
    const double nothing[4] = {NAN, NAN, NAN, NAN};
    assert_int_equal(arc_capture_create(GIVEN(2, 2, t_s, nothing, sigma_m), &other, &err), ARC_OK);
    check_refusal(PLANE, other, "nothing can be fitted");
    arc_capture_free(other);
    arc_capture_free(throw_capture);
}

/* A release turned over by an optimiser comes back; another one is left as it is. */
static void check_turn(const char *parameters, int d, double start, const double *u,
                       const double *expected)
{
    char text[512];
    snprintf(text, sizeof text,
             CASE_HEAD "flight: {dimensions: %d%s}\nrelease: polar\nparameters: {%s}\n", d,
             d == 3 ? ", up: z" : "", parameters);
    const double t_s[2] = {0, 1}, x_m[6] = {0}, sigma_m[6] = {1, 1, 1, 1, 1, 1};
    ArcError err;
    ArcCapture *capture = NULL;
    assert_int_equal(arc_capture_create(GIVEN(2, d, t_s, x_m, sigma_m), &capture, &err), ARC_OK);
    ArcProblem *problem = case_problem(text, capture);
    double moved[6] = {0};
    for (int j = 0; j < d; j++)
        moved[d + j] = u[j];
    problem->start[problem->n_parameters - 1] = start;
    assert_int_equal(arc_problem_turn_release(problem, moved), expected != NULL);
    for (int j = 0; j < d; j++)
        assert_near(moved[d + j], expected != NULL ? expected[j] : u[j], 1e-14);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

static void test_problem_turn_release_keeps_the_velocity(void **state)
{
    (void)state;
    const double backwards[] = {-7, 0.5 - M_PI}, forwards[] = {7, 0.5};
    const double wound[] = {7, 0.5 + 2 * M_PI};
    check_turn("speed: {start: 1}", 2, 0.4, backwards, forwards);
    check_turn("speed: {start: 1}", 2, 0.4, wound, forwards);
    check_turn("speed: {start: 1}", 2, 0.4, forwards, NULL);
    check_turn("speed: {start: 1}", 2, 0.4 + 2 * M_PI, wound, NULL);
    check_turn("angle: {prior: {mean: 0, sd: 1}}", 2, 0.4, wound, NULL);
    check_turn("angle: {start: -2.6, bounds: [-3, -2]}", 2, 0.4, backwards, NULL);
    const double over[] = {7, M_PI - 0.5, 0.3 - M_PI}, space[] = {7, 0.5, 0.3};
    check_turn("speed: {start: 1}", 3, 0.2, over, space);
    check_turn("speed: {start: 1}", 3, 0.2, space, NULL);
}

/* Memory that runs out after so many blocks. */
static bool memory_hook(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

static void test_problem_create_without_memory_says_so(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 3000, 0.8, 1e-3);
    ArcExperiment *experiment = case_experiment(PLANE "parameters: {k: free}\n");
    int refused = 0;
    for (;; refused++) {
        ArcError err;
        ArcProblem *problem = NULL;
        int left = refused;
        arc_memory_set_hook(memory_hook, &left);
        ArcStatus status = arc_problem_create(experiment, capture, &problem, &err);
        arc_memory_set_hook(NULL, NULL);
        if (status == ARC_OK) {
            arc_problem_free(problem);
            break;
        }
        assert_int_equal(status, ARC_MEMORY);
        assert_null(problem);
    }
    assert_true(refused >= 8);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problem_create_parameters_are_resolved),
        cmocka_unit_test(test_problem_scatter_and_priors_go_to_their_places),
        cmocka_unit_test(test_problem_create_start_is_the_parabola_of_the_data),
        cmocka_unit_test(test_problem_create_start_of_a_vacuum_flight_is_exact),
        cmocka_unit_test(test_problem_create_two_points_start_as_a_line),
        cmocka_unit_test(test_problem_create_start_from_the_data_keeps_to_bounds),
        cmocka_unit_test(test_problem_create_t0_follows_its_rules),
        cmocka_unit_test(test_problem_create_held_out_points_are_not_fitted),
        cmocka_unit_test(test_problem_create_refuses_what_cannot_be_fitted),
        cmocka_unit_test(test_problem_turn_release_keeps_the_velocity),
        cmocka_unit_test(test_problem_create_without_memory_says_so),
    };
    return cmocka_run_group_tests_name("problem", tests, NULL, NULL);
}
