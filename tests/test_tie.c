/* The release that follows from an arm: exactly, with its partials by differences in all methods'
 * objectives, and the rows of what was read off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/arm_problem.h"
#include "fit/objectives.h"
#include "objective_check.h"
#include "throw_case.h"

enum { POINTS = 8, NODES = 12 };
static const double theta[] = {0.9, -0.7, 0.4}, omega[] = {3.0, 5.0, 2.0};
static const double theta_space[] = {0.3, 0.9, -0.7}, omega_space[] = {0.5, 3.0, 5.0};

#define FLIGHT "ball: basketball, drag: quadratic"
#define FREE_TEXT "parameters: {cd: {start: 0.45}, t0: {start: -0.05}%s}\n" FIT_TEXT
#define FIT_TEXT "fit: {direct: {tolerance: 1e-13}}\n"

/* A problem with all of an arm free, and readings of it in the table and in the experiment. */
typedef struct Case {
    ArcExperiment *experiment;
    ArcCapture *capture;
    ArcProblem *problem;
} Case;

/* measured: parameters of the measurement, as text behind others. */
static Case case_create(ArcArmSettings settings, bool bounces, const char *measured)
{
    static const ArcReading readings[] = {{"theta1", 0.95, 0.002, 2}, {"omega2", 4.9, 0.05, 2}};
    static const char *const up[] = {"x", "y", "z"};
    bool is_space = settings.dimensions == 3;
    const char *flight = bounces ? FLIGHT ", bounce: {plane: y=30 cm, restitution: 0.7}" : FLIGHT;
    Case c = {0};
    char text[1024];
    settings.has_encoders = true;
    ArmThrow thrown =
        arm_throw(&settings, is_space ? theta_space : theta, is_space ? omega_space : omega);
    thrown.t0_s = -0.05;
    snprintf(text, sizeof text, CASE_HEAD "flight: {dimensions: %d, up: %s, %s}\n" FREE_TEXT,
             settings.dimensions, up[settings.up], flight, measured);
    c.capture = arm_capture(&thrown, flight, POINTS, bounces ? 1.6 : 0.8, 0.003, 5);
    c.capture->n_readings = 2;
    c.capture->readings = readings;
    c.experiment = arm_experiment(text, &settings);
    for (int i = 0; i < c.experiment->n_parameters; i++)
        c.experiment->parameters[i].is_free = !c.experiment->parameters[i].is_tied;
    for (int j = 2; j < settings.n_joints; j++) { /* no reading tells of their encoders */
        arm_parameter(c.experiment, "offset3")->is_free = false;
        arm_parameter(c.experiment, "gain3")->is_free = false;
    }
    ArcParameter *l2 = arm_parameter(c.experiment, "l2");
    l2->has_prior = true;
    l2->prior_mean = 0.41;
    l2->prior_sd = 0.01;
    arm_measured(c.experiment, "theta2", -0.6, 0.002);
    arm_measured(c.experiment, "l1", 0.51, 0.001);
    arm_measured(c.experiment, "t0", -0.052, 0.001);
    c.problem = arm_problem(c.experiment, c.capture);
    assert_int_equal(c.problem->n_readings, 5);
    assert_true((c.problem->view != NULL) == (measured[0] != '\0'));
    assert_int_equal(c.problem->n_priors, 6);
    return c;
}

static void case_free(Case *c)
{
    arc_problem_free(c->problem);
    arc_capture_free(c->capture);
    arc_experiment_free(c->experiment);
}

static Case case_of(int which)
{
    ArcArmSettings settings = which == 1   ? arm_settings_space(0.5, 0.4)
                              : which == 2 ? arm_settings(3, 0.4, 0.3, 0.2)
                                           : arm_settings(2, 0.5, 0.4, 0.0);
    for (int c = 0; c < settings.dimensions; c++)
        settings.ball_m[c] = 0.05 + 0.02 * c;
    settings.joints[0].length_m = which == 1 ? 0.1 : settings.joints[0].length_m;
    return case_create(settings, which == 3,
                       which == 4 ? ", scale: {start: 1.02}, roll: {start: 0.01}, clock_rate: "
                                    "{start: 1.01}"
                                  : "");
}

/* Two links in the plane by hand. */
static void test_scatter_release_is_the_arms(void **state)
{
    (void)state;
    Case c = case_of(0);
    const ArcProblem *problem = c.problem;
    ArcRandom random = arc_random_create(3, ARC_STREAM_STARTS);
    double u[ARC_MAX_PARAMETERS], values[ARC_MAX_PARAMETERS];
    for (int k = 0; k < problem->n_free; k++)
        u[k] = problem->start[problem->free_parameter[k]] + arc_random_uniform(&random, -1.0, 1.0);
    arc_problem_scatter(problem, u, values);
    const ArcArm *arm = &problem->arm;
    const double *p = values + problem->arm_index, *release = values + problem->t0_index + 1;
    double a = p[arm->theta], b = a + p[arm->theta + 1];
    double A = p[arm->omega], B = A + p[arm->omega + 1];
    double l1 = p[arm->length], l2 = p[arm->length + 1] + p[arm->ball], up = p[arm->ball + 1];
    double x = p[arm->base] + l1 * cos(a) + l2 * cos(b) - up * sin(b);
    double y = p[arm->base + 1] + l1 * sin(a) + l2 * sin(b) + up * cos(b);
    double vx = -l1 * A * sin(a) - B * (l2 * sin(b) + up * cos(b));
    double vy = l1 * A * cos(a) + B * (l2 * cos(b) - up * sin(b));
    const double expected[] = {x, y, vx, vy};
    for (int i = 0; i < 4; i++)
        if (!(fabs(release[i] - expected[i]) <= 1e-14 * (1.0 + fabs(expected[i]))))
            fail_msg("%d: %.17g, expected %.17g", i, release[i], expected[i]);
    case_free(&c);
}

static void test_tie_free_follows_differences(void **state)
{
    (void)state;
    for (int which = 0; which < 3; which++) {
        Case c = case_of(which);
        const ArcProblem *problem = c.problem;
        int rows = 2 * problem->d, n = problem->n_free;
        double u[ARC_MAX_PARAMETERS], above[ARC_MAX_PARAMETERS], below[ARC_MAX_PARAMETERS];
        double tie[6 * ARC_MAX_PARAMETERS], worst = 0.0;
        for (int k = 0; k < n; k++)
            u[k] = problem->start[problem->free_parameter[k]];
        arc_problem_tie_free(problem, problem->start, tie);
        for (int k = 0; k < n; k++) {
            double kept = u[k], h = 1e-5;
            u[k] = kept + h;
            arc_problem_scatter(problem, u, above);
            u[k] = kept - h;
            arc_problem_scatter(problem, u, below);
            u[k] = kept;
            for (int row = 0; row < rows; row++) {
                int i = problem->t0_index + 1 + row;
                double off = (above[i] - below[i]) / (2.0 * h) - tie[row * n + k];
                worst = fabs(off) <= worst ? worst : fabs(off);
            }
        }
        if (!(worst < 1e-8))
            fail_msg("case %d: the tie's partials are off by %.2g", which, worst);
        case_free(&c);
    }
}

static double check_pinn(const ArcProblem *problem, bool by_weights)
{
    ArcArena *arena = arc_arena_create();
    ArcNetSettings net = arc_net_settings_default();
    net.widths[0] = 6;
    ArcObjective objective;
    ArcPinn *pinn = NULL;
    double *z = NULL;
    assert_int_equal(arc_pinn_create(problem, &net, NODES, arena, &pinn, NULL), ARC_OK);
    bool bounces = problem->flight.settings.bounce.is_on;
    assert_true(bounces == (pinn->next != NULL));
    ArcStatus status = by_weights ? arc_weights_objective(pinn, arena, &objective, &z, NULL)
                                  : arc_linear_objective(pinn, arena, &objective, &z, NULL);
    assert_int_equal(status, ARC_OK);
    for (int k = 0; by_weights && k < pinn->n_weights; k++)
        z[k] += 0.3; /* biases start at zero */
    int n_physics = arc_pinn_n_rows(pinn) - problem->n_observations;
    double worst = check_objective(problem, &objective, z, n_physics);
    arc_arena_free(arena);
    return worst;
}

static void test_objectives_through_the_tie_follow_differences(void **state)
{
    (void)state;
    for (int which = 0; which < 5; which++) {
        Case c = case_of(which);
        double direct = check_direct_objective(c.problem), linear = check_pinn(c.problem, false);
        double weights = which != 3 ? check_pinn(c.problem, true) : 0.0;
        print_message("case %d: direct %.1e, linear %.1e, all weights %.1e\n", which, direct,
                      linear, weights);
        if (!(direct < 1e-8) || !(linear < 1e-8) || !(weights < 1e-8))
            fail_msg("case %d is too far off", which);
        case_free(&c);
    }
}

/* What adam and lbfgs see, of the parameters. */
static void test_gradient_through_the_tie_follows_differences(void **state)
{
    (void)state;
    for (int which = 0; which < 3; which++) {
        Case c = case_of(which);
        ArcArena *arena = arc_arena_create();
        ArcNetSettings net = arc_net_settings_default();
        net.widths[0] = 6;
        ArcPinn *pinn = NULL;
        ArcGradient *gradient = NULL;
        double *x = NULL, f, above, below, worst = 0.0;
        assert_int_equal(arc_pinn_create(c.problem, &net, NODES, arena, &pinn, NULL), ARC_OK);
        assert_int_equal(arc_gradient_create(pinn, arena, &gradient, &x, NULL), ARC_OK);
        const ArcScalarObjective objective = arc_gradient_objective(gradient);
        int n = arc_gradient_n(gradient);
        double *g = ARC_ALLOC(arena, (size_t)n, double),
               *other = ARC_ALLOC(arena, (size_t)n, double);
        assert_true(objective.evaluate(objective.context, x, &f, g));
        for (int k = pinn->n_weights; k < n; k++) {
            double kept = x[k], least = INFINITY;
            for (double h = 1e-4; h > 1e-8; h *= 0.1) {
                x[k] = kept + h;
                assert_true(objective.evaluate(objective.context, x, &above, other));
                x[k] = kept - h;
                assert_true(objective.evaluate(objective.context, x, &below, other));
                double off = fabs((above - below) / (2.0 * h) - g[k]) / fmax(fabs(g[k]), 1e-6 * f);
                least = off <= least ? off : least;
            }
            x[k] = kept;
            worst = least <= worst ? worst : least;
        }
        if (!(worst < 1e-6))
            fail_msg("case %d: the gradient is off by %.2g", which, worst);
        arc_arena_free(arena);
        case_free(&c);
    }
}

static void test_read_rows_are_the_encoders(void **state)
{
    (void)state;
    Case c = case_of(0);
    const ArcProblem *problem = c.problem;
    double u[ARC_MAX_PARAMETERS], values[ARC_MAX_PARAMETERS], r[ARC_MAX_PRIORS];
    for (int k = 0; k < problem->n_free; k++)
        u[k] = problem->start[problem->free_parameter[k]];
    int first = problem->arm_index, theta1 = problem->free_index[first + problem->arm.theta];
    int gain1 = problem->free_index[first + problem->arm.gain];
    int offset1 = problem->free_index[first + problem->arm.offset];
    u[gain1] = 1.01;
    u[offset1] = 0.02;
    u[theta1] = 1.0 + 2.0 * M_PI / 1.01; /* a turn of the encoder further */
    arc_problem_scatter(problem, u, values);
    arc_problem_read(problem, u, r, NULL, 0);
    int seen = 0;
    for (int i = 0; i < problem->n_readings; i++) {
        if (problem->readings[i].parameter != first + problem->arm.theta)
            continue;
        seen++;
        double expected = (1.01 * 1.0 + 0.02 - 0.95) / 0.002;
        if (!(fabs(r[i] - expected) < 1e-9 * expected))
            fail_msg("%.12g, expected %.12g", r[i], expected);
    }
    assert_int_equal(seen, 1);
    case_free(&c);
}

static void refuse(ArcExperiment *experiment, const ArcCapture *capture, const char *words)
{
    ArcError err;
    ArcProblem *problem = NULL;
    ArcStatus status = arc_problem_create(experiment, capture, &problem, &err);
    if (status != ARC_INPUT || strstr(err.text, words) == NULL)
        fail_msg("status %d: %s", (int)status, status == ARC_OK ? "" : err.text);
}

static void test_create_refuses_what_cannot_be_read(void **state)
{
    (void)state;
    ArcReading none = {"elbow", 1.0, 0.1, 3}, tied = {"x0", 1.0, 0.1, 3};
    ArcReading no_sd = {"theta1", 1.0, 0.0, 3};
    Case c = case_of(0);
    c.capture->n_readings = 1;
    c.capture->readings = &none;
    refuse(c.experiment, c.capture, "'elbow' was read off, and is no parameter here");
    c.capture->readings = &tied;
    refuse(c.experiment, c.capture, "'x0' follows from the arm");
    c.capture->readings = &no_sd;
    refuse(c.experiment, c.capture, "no number with an sd above zero");
    c.capture->n_readings = 0;
    ArcParameter *joint = arm_parameter(c.experiment, "theta1");
    joint->low = 3.0;
    joint->high = 3.1;
    refuse(c.experiment, c.capture, "leave no angle within the joint's limits");
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scatter_release_is_the_arms),
        cmocka_unit_test(test_tie_free_follows_differences),
        cmocka_unit_test(test_objectives_through_the_tie_follow_differences),
        cmocka_unit_test(test_gradient_through_the_tie_follows_differences),
        cmocka_unit_test(test_read_rows_are_the_encoders),
        cmocka_unit_test(test_create_refuses_what_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
