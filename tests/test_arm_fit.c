/* Fits of throws by an arm without a swing: what is recovered, poses, limits, turns, the release
 * time, and both methods beside each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/predict.h"
#include "fit/arm_problem.h"
#include "fit/objectives.h"
#include "thrown_case.h"

static void test_fit_known_arm_is_recovered(void **state)
{
    (void)state;
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    Thrown *thrown = throw_plane(1);
    ArcFit *fit = fit_both(experiment, thrown);
    check_truth(fit, thrown, motion, 4);
    assert_true(fit->residuals.chi2_p > 1e-3);
    assert_int_equal(fit->residuals.dof, 2 * POINTS - 4);
    const ArcEstimate *x0 = case_parameter(fit, "x0");
    assert_int_equal(x0->status, ARC_PARAMETER_TIED);
    assert_string_equal(arc_parameter_status_text(x0->status), "tied");
    throw_free(thrown);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
}

/* With a known arm the tied release is what a fit without an arm finds, to the last number. */
static void test_fit_tied_release_is_the_flights(void **state)
{
    (void)state;
    static const char *const names[] = {"x0", "y0", "vx0", "vy0"};
    static const char *const derived[] = {"release_speed", "release_angle", "apex_height",
                                          "flight_time"};
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    ArcExperiment *experiment = arm_experiment(PLANE, &settings), *plain = case_experiment(PLANE);
    Thrown *thrown = throw_plane(2);
    for (int method = ARC_PINN; method <= ARC_DIRECT; method++) {
        ArcFit *fit = arm_fit(experiment, thrown->capture, (ArcMethod)method);
        ArcFit *flight = case_fit(PLANE, thrown->capture, (ArcMethod)method);
        for (int i = 0; i < 4; i++) {
            const ArcEstimate *a = case_parameter(fit, names[i]);
            const ArcEstimate *b = case_parameter(flight, names[i]);
            assert_true(fabs(a->value - b->value) < 1e-3 * b->sd);
            assert_true(fabs(a->sd / b->sd - 1.0) < 1e-4);
            a = case_derived(fit, derived[i]);
            b = case_derived(flight, derived[i]);
            assert_true(fabs(a->value - b->value) < 1e-3 * b->sd);
            assert_true(fabs(a->sd / b->sd - 1.0) < 1e-4);
        }
        double later[] = {0.2, 1.0}, sd[2][4], v_sd[2][4];
        for (int k = 0; k < 2; k++) {
            const ArcPrediction prediction = {.x_sd_m = sd[k], .v_sd_m_s = v_sd[k]};
            assert_int_equal(arc_predict_state(k == 0 ? experiment : plain, k == 0 ? fit : flight,
                                               2, later, &prediction, NULL),
                             ARC_OK);
        }
        for (int i = 0; i < 4; i++)
            assert_true(fabs(sd[0][i] / sd[1][i] - 1.0) < 1e-4 &&
                        fabs(v_sd[0][i] / v_sd[1][i] - 1.0) < 1e-4);
        arc_fit_free(fit);
        arc_fit_free(flight);
    }
    throw_free(thrown);
    arc_experiment_free(experiment);
    arc_experiment_free(plain);
}

/* Lengths, angles, rates and the release time from points and readings. */
static void test_fit_readings_tell_the_lengths(void **state)
{
    (void)state;
    static const char *const names[] = {"l1", "l2", "theta1", "theta2", "omega1", "omega2"};
    ArcArmSettings settings = arm_settings(2, 0.495, 0.405, 0.0);
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    free_arm(experiment, true);
    Thrown *thrown = throw_plane(3);
    throw_read(thrown, "theta1", 0.1 * DEGREE);
    throw_read(thrown, "theta2", 0.1 * DEGREE);
    throw_read(thrown, "t0", 1e-3);
    ArcFit *fit = fit_both(experiment, thrown);
    check_truth(fit, thrown, names, 6);
    assert_int_equal(fit->n_unidentified, 0);
    assert_int_equal(fit->residuals.n_readings, 3);
    assert_int_equal(fit->residuals.dof, 2 * POINTS + 3 - 7);
    double chi2 = 0.0;
    for (int i = 0; i < 3; i++) {
        const ArcFittedReading *reading = &fit->readings[i];
        const ArcEstimate *e = case_parameter(fit, reading->name);
        assert_true(fabs(reading->fitted - e->value) < 1e-12);
        assert_true(fabs(reading->residual_sd * reading->sd - (e->value - reading->value)) < 1e-12);
        chi2 += reading->residual_sd * reading->residual_sd;
    }
    assert_true(fabs(chi2 - fit->residuals.readings_chi2) < 1e-9);
    assert_true(fit->residuals.chi2 > chi2);
    throw_free(thrown);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
}

/* Flight points and angles are six numbers for seven unknowns: that is said. */
static void test_fit_angles_alone_leave_one_direction(void **state)
{
    (void)state;
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    for (int rates = 0; rates < 2; rates++) {
        ArcExperiment *experiment = arm_experiment(PLANE, &settings);
        free_arm(experiment, true);
        Thrown *thrown = throw_plane(4);
        throw_read(thrown, "theta1", 0.1 * DEGREE);
        throw_read(thrown, "theta2", 0.1 * DEGREE);
        if (rates == 1) {
            throw_read(thrown, "omega1", 0.03);
            throw_read(thrown, "omega2", 0.09);
        }
        thrown->truth.t0_s = 0.0;
        ArcFit *fit = arm_fit(experiment, thrown->capture, ARC_DIRECT);
        assert_int_equal(fit->n_unidentified, rates == 1 ? 0 : 1);
        const ArcEstimate *x0 = case_parameter(fit, "x0");
        assert_true(rates == 1 ? x0->sd > 0.0 : isnan(x0->sd) && x0->reason != NULL);
        throw_free(thrown);
        arc_fit_free(fit);
        arc_experiment_free(experiment);
    }
}

/* A throw 40 ms before its first point: found where the flight meets the pose that was read. */
static void test_fit_t0_begins_where_the_pose_is(void **state)
{
    (void)state;
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    arm_free(experiment, "t0");
    ArmThrow truth = arm_throw(&settings, theta_plane, omega_plane);
    truth.t0_s = -0.04;
    Thrown *thrown = throw_with(truth, PLANE_FLIGHT, 5);
    throw_read(thrown, "theta1", 0.1 * DEGREE);
    throw_read(thrown, "theta2", 0.1 * DEGREE);
    ArcProblem *problem = arm_problem(experiment, thrown->capture);
    double start = problem->start[problem->t0_index];
    if (!(fabs(start - truth.t0_s) < 3e-3))
        fail_msg("t0 begins at %.4f s", start);
    arc_problem_free(problem);
    ArcFit *fit = fit_both(experiment, thrown);
    const ArcEstimate *t0 = case_parameter(fit, "t0");
    assert_true(fabs(t0->value - truth.t0_s) <= 4.0 * t0->sd && t0->sd < 2e-3);
    check_truth(fit, thrown, motion, 4);
    throw_free(thrown);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
}

/* The flight alone leaves both elbows: both are listed. */
static void test_fit_lists_both_elbows(void **state)
{
    (void)state;
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    Thrown *thrown = throw_plane(6);
    for (int method = ARC_PINN; method <= ARC_DIRECT; method++) {
        ArcFit *fit = arm_fit(experiment, thrown->capture, (ArcMethod)method);
        assert_int_equal(fit->arm->n_solutions, 2);
        const ArcArmSolution *one = &fit->arm->solutions[0], *other = &fit->arm->solutions[1];
        assert_true(one->theta_rad[1] < 0.0 && other->theta_rad[1] > 0.0);
        assert_true(fabs(one->theta_rad[1] + other->theta_rad[1]) < 1e-4);
        assert_true(other->is_fitted && other->converged && other->is_within_limits);
        assert_true(!other->is_told_apart && fabs(one->chi2 - other->chi2) < 1e-3);
        arc_fit_free(fit);
    }
    /* A start says which. */
    arm_parameter(experiment, "theta2")->has_start = true;
    arm_parameter(experiment, "theta2")->start = 0.4;
    ArcFit *fit = arm_fit(experiment, thrown->capture, ARC_DIRECT);
    assert_true(fit->arm->solutions[0].theta_rad[1] > 0.0);
    arc_fit_free(fit);
    arm_parameter(experiment, "theta2")->has_start = false;
    /* So do limits: the other pose is listed as beyond them. */
    arm_parameter(experiment, "theta2")->low = 0.0;
    fit = arm_fit(experiment, thrown->capture, ARC_DIRECT);
    assert_int_equal(fit->arm->n_solutions, 2);
    assert_true(fit->arm->solutions[0].theta_rad[1] > 0.0);
    assert_true(!fit->arm->solutions[1].is_within_limits && !fit->arm->solutions[1].is_fitted);
    assert_true(fit->arm->solutions[1].is_told_apart);
    assert_true(fabs(fit->arm->solutions[1].chi2 - fit->arm->solutions[0].chi2) < 1e-6);
    arc_fit_free(fit);
    /* And a reading, which tells them apart. */
    arm_parameter(experiment, "theta2")->low = -INFINITY;
    throw_read(thrown, "theta2", 2.0 * DEGREE);
    fit = arm_fit(experiment, thrown->capture, ARC_DIRECT);
    assert_true(fit->arm->n_solutions == 2 && fit->arm->solutions[0].theta_rad[1] < 0.0);
    assert_true(fit->arm->solutions[1].is_told_apart);
    arc_fit_free(fit);
    throw_free(thrown);
    arc_experiment_free(experiment);
}

/* Where the start says one elbow and the readings the other, the fits decide. */
static void test_fit_takes_the_likelier_elbow(void **state)
{
    (void)state;
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    Thrown *thrown = throw_plane(7);
    throw_read(thrown, "theta2", 3.0 * DEGREE);
    arm_parameter(experiment, "theta2")->has_start = true;
    arm_parameter(experiment, "theta2")->start = 0.7;
    ArcFit *fit = fit_both(experiment, thrown);
    check_truth(fit, thrown, motion, 4);
    assert_true(fit->arm->solutions[1].theta_rad[1] > 0.0 && fit->arm->solutions[1].is_told_apart &&
                fit->arm->solutions[1].is_fitted);
    throw_free(thrown);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
}

/* An objective that remembers whether it was asked beyond its bounds. */
typedef struct Watched {
    ArcObjective objective;
    const ArcProblem *problem;
    int asked, beyond;
} Watched;

static bool watch(void *context, const double *z, double *r, double *J)
{
    Watched *watched = context;
    const double *u = z + watched->objective.n_inner + watched->objective.n_damped;
    watched->asked++;
    for (int k = 0; k < watched->problem->n_free; k++)
        watched->beyond += !(u[k] >= watched->problem->low[k] && u[k] <= watched->problem->high[k]);
    return watched->objective.evaluate(watched->objective.context, z, r, J);
}

/* A limit between the start and the pose that the points want. */
static void test_fit_never_leaves_the_limits(void **state)
{
    (void)state;
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    settings.joints[0].high_rad = 126 * DEGREE;
    settings.joints[1].low_rad = -23 * DEGREE;
    settings.joints[1].high_rad = 20 * DEGREE;
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    Thrown *thrown = throw_plane(8);
    ArcProblem *problem = arm_problem(experiment, thrown->capture);
    ArcArena *arena = arc_arena_create();
    for (int kind = 0; kind < 3; kind++) {
        Watched watched = {.problem = problem};
        ArcTrajectory states;
        double *values = NULL, *z = NULL, u[ARC_MAX_PARAMETERS];
        ArcPinn *pinn = NULL;
        if (kind > 0)
            assert_int_equal(arc_pinn_first(problem, arena, &pinn, NULL), ARC_OK);
        ArcStatus status =
            kind == 0
                ? arc_direct_objective(problem, arena, &watched.objective, &states, &values, NULL)
            : kind == 1 ? arc_linear_objective(pinn, arena, &watched.objective, &z, NULL)
                        : arc_weights_objective(pinn, arena, &watched.objective, &z, NULL);
        assert_int_equal(status, ARC_OK);
        for (int k = 0; k < problem->n_free; k++)
            u[k] = problem->start[problem->free_parameter[k]];
        ArcObjective objective = watched.objective;
        objective.context = &watched;
        objective.evaluate = watch;
        ArcLeastSquares *solver = NULL;
        ArcLeastSquaresSettings set = arc_least_squares_settings_default();
        set.lambda = kind == 2 ? 1.0 : 0.0;
        assert_int_equal(arc_least_squares_create(&objective, &set, problem->low, problem->high,
                                                  arena, &solver, NULL),
                         ARC_OK);
        arc_least_squares_run(solver, kind == 0 ? u : z);
        assert_true(watched.asked > 3);
        assert_int_equal(watched.beyond, 0);
    }
    arc_arena_free(arena);
    arc_problem_free(problem);
    ArcFit *fit = arm_fit(experiment, thrown->capture, ARC_DIRECT);
    assert_true(case_parameter(fit, "theta1")->status == ARC_PARAMETER_AT_BOUND ||
                case_parameter(fit, "theta2")->status == ARC_PARAMETER_AT_BOUND);
    arc_fit_free(fit);
    throw_free(thrown);
    arc_experiment_free(experiment);
}

/* Descent by gradients: what a line search tries is held to the limits as well. */
static void test_gradient_never_looks_beyond_the_limits(void **state)
{
    (void)state;
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    settings.joints[0].high_rad = 126 * DEGREE;
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    Thrown *thrown = throw_plane(8);
    ArcProblem *problem = arm_problem(experiment, thrown->capture);
    ArcArena *arena = arc_arena_create();
    ArcPinn *pinn = NULL;
    ArcGradient *gradient = NULL;
    double *x = NULL, f;
    assert_int_equal(arc_pinn_first(problem, arena, &pinn, NULL), ARC_OK);
    assert_int_equal(arc_gradient_create(pinn, arena, &gradient, &x, NULL), ARC_OK);
    const ArcScalarObjective objective = arc_gradient_objective(gradient);
    int n = arc_gradient_n(gradient), theta = problem->arm_index + problem->arm.theta;
    double *g = ARC_ALLOC(arena, (size_t)n, double);
    x[pinn->n_weights + problem->free_index[theta]] *= 3.0;
    assert_true(objective.evaluate(objective.context, x, &f, g));
    assert_true(pinn->values[theta] <= 126 * DEGREE);
    assert_true(g[pinn->n_weights + problem->free_index[theta]] == 0.0);
    arc_arena_free(arena);
    arc_problem_free(problem);
    throw_free(thrown);
    arc_experiment_free(experiment);
}

/* Joints without limits: an angle comes back near its start, its reading or zero, whatever the
 * turns. */
static void test_fit_angles_do_not_jump_by_turns(void **state)
{
    (void)state;
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    for (int j = 0; j < 2; j++) {
        settings.joints[j].low_rad = -INFINITY;
        settings.joints[j].high_rad = INFINITY;
    }
    /* Elbow beyond half a turn of the shoulder: 200 deg in all. */
    static const double theta[] = {178 * DEGREE, -30 * DEGREE}, omega[] = {4.0, 5.0};
    ArmThrow truth = arm_throw(&settings, theta, omega);
    for (int turn = -2; turn <= 2; turn++) {
        ArcExperiment *experiment = arm_experiment(PLANE, &settings);
        Thrown *thrown = throw_with(truth, PLANE_FLIGHT, 9);
        arm_free(experiment, "l1");
        ArcParameter *start = arm_parameter(experiment, "theta1");
        throw_read(thrown, "theta1", 0.1 * DEGREE);
        throw_read(thrown, "theta2", 0.1 * DEGREE);
        if (turn != 0) {
            start->has_start = true;
            start->start = 170 * DEGREE + turn * 2.0 * M_PI;
        }
        ArcFit *fit = fit_both(experiment, thrown);
        const ArcEstimate *e = case_parameter(fit, "theta1");
        double expected = theta[0] + turn * 2.0 * M_PI;
        if (!(fabs(e->value - expected) <= 4.0 * e->sd))
            fail_msg("turn %d: %.6g, expected %.6g", turn, e->value, expected);
        throw_free(thrown);
        arc_fit_free(fit);
        arc_experiment_free(experiment);
    }
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    Thrown *thrown = throw_with(truth, PLANE_FLIGHT, 9);
    ArcFit *fit = arm_fit(experiment, thrown->capture, ARC_DIRECT);
    for (int i = 0; i < fit->arm->n_solutions; i++)
        for (int j = 0; j < 2; j++)
            assert_true(fabs(fit->arm->solutions[i].theta_rad[j]) <= M_PI);
    throw_free(thrown);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
}

/* Yaw and two pitches, lengths of the pitches unknown. */
static void test_fit_in_space_is_recovered(void **state)
{
    (void)state;
    static const char *const names[] = {"l2",     "l3",     "theta1", "theta2",
                                        "theta3", "omega1", "omega2", "omega3"};
    static const double theta[] = {20 * DEGREE, 80 * DEGREE, -50 * DEGREE};
    static const double omega[] = {0.7, -3.0, -8.0};
    ArcArmSettings settings = arm_settings_space(0.5, 0.4);
    settings.joints[1].low_rad = 0.0;
    settings.joints[1].high_rad = M_PI;
    ArcExperiment *experiment = arm_experiment(SPACE, &settings);
    Thrown *thrown = throw_with(arm_throw(&settings, theta, omega), PLANE_FLIGHT, 10);
    ArcFit *known = fit_both(experiment, thrown);
    check_truth(known, thrown, names + 2, 6);
    assert_true(known->arm->n_solutions >= 2);
    arc_fit_free(known);
    arm_free(experiment, "l2");
    arm_free(experiment, "l3");
    throw_read(thrown, "theta2", 0.1 * DEGREE);
    throw_read(thrown, "theta3", 0.1 * DEGREE);
    ArcFit *fit = fit_both(experiment, thrown);
    assert_int_equal(fit->n_unidentified, 0);
    check_truth(fit, thrown, names, 8);
    throw_free(thrown);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
}

/* Three links: one joint more than the flight tells, by readings. */
static void test_fit_three_links_by_readings(void **state)
{
    (void)state;
    static const char *const names[] = {"theta1", "theta2", "theta3", "omega1", "omega2", "omega3"};
    static const double theta[] = {100 * DEGREE, -30 * DEGREE, -40 * DEGREE};
    static const double omega[] = {-2.0, -4.0, -8.0};
    ArcArmSettings settings = arm_settings(3, 0.4, 0.3, 0.2);
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    Thrown *thrown = throw_with(arm_throw(&settings, theta, omega), PLANE_FLIGHT, 11);
    ArcFit *alone = arm_fit(experiment, thrown->capture, ARC_DIRECT);
    assert_int_equal(alone->n_unidentified, 2);
    arc_fit_free(alone);
    throw_read(thrown, "theta1", 0.1 * DEGREE);
    throw_read(thrown, "theta3", 0.1 * DEGREE);
    throw_read(thrown, "omega1", 0.02);
    ArcFit *fit = fit_both(experiment, thrown);
    assert_int_equal(fit->n_unidentified, 0);
    check_truth(fit, thrown, names, 6);
    throw_free(thrown);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
}

/* The arm is too short for the place that the points tell: the nearest pose is a start still. */
static void test_fit_out_of_reach_begins_near(void **state)
{
    (void)state;
    ArcArmSettings settings = arm_settings(2, 0.3, 0.35, 0.0);
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    free_arm(experiment, false);
    for (int i = 0; i < 2; i++) {
        static const char *const names[] = {"l1", "l2"};
        ArcParameter *l = arm_parameter(experiment, names[i]);
        l->has_prior = true;
        l->prior_mean = i == 0 ? 0.5 : 0.4;
        l->prior_sd = 0.005;
    }
    Thrown *thrown = throw_plane(12);
    ArcFit *fit = fit_both(experiment, thrown);
    check_truth(fit, thrown, motion, 4);
    throw_free(thrown);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
}

/* A reading speaks by far against the one pose that the limits leave: it is a start still. */
static void test_fit_reading_against_the_limits_has_a_start(void **state)
{
    (void)state;
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    settings.joints[1].low_rad = -90 * DEGREE;
    settings.joints[1].high_rad = 0.0;
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    Thrown *thrown = throw_plane(14);
    ArcProblem *problem = NULL;
    throw_read(thrown, "theta1", 1e-4);
    /* As of the other elbow, which is beyond the limits. */
    thrown->readings[0].value = theta_plane[0] - 20 * DEGREE;
    assert_int_equal(arc_problem_create(experiment, thrown->capture, &problem, NULL), ARC_OK);
    assert_int_equal(problem->n_poses, 1);
    const double *theta = problem->start + problem->arm_index + problem->arm.theta;
    assert_true(fabs(theta[0] - theta_plane[0]) < 2 * DEGREE);
    assert_true(fabs(theta[1] - theta_plane[1]) < 2 * DEGREE);
    arc_problem_free(problem);
    ArcFit *fit = arm_fit(experiment, thrown->capture, ARC_DIRECT);
    assert_true(fit->converged && fit->residuals.chi2_p < 1e-3);
    arc_fit_free(fit);
    throw_free(thrown);
    arc_experiment_free(experiment);
}

/* t0 can be read off without an arm. */
static void test_fit_t0_is_read_without_an_arm(void **state)
{
    (void)state;
    Thrown *thrown = throw_plane(13);
    ArcExperiment *experiment = case_experiment(PLANE);
    arm_free(experiment, "t0");
    arm_parameter(experiment, "x0")->has_prior = true;
    arm_parameter(experiment, "x0")->prior_sd = 1.0;
    thrown->truth.t0_s = -0.01;
    throw_read(thrown, "t0", 1e-3);
    ArcFit *fit = fit_both(experiment, thrown);
    const ArcEstimate *t0 = case_parameter(fit, "t0");
    assert_true(fabs(t0->sd / 1e-3 - 1.0) < 0.01);
    assert_true(fit->arm == NULL && fit->residuals.n_readings == 1);
    assert_true(fabs(fit->readings[0].residual_sd) < 0.1);
    throw_free(thrown);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
}

static bool memory_hook(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

/* Each block of memory is refused in turn, from the problem to the end. */
static void test_fit_without_memory_says_so(void **state)
{
    (void)state;
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    ArcExperiment *experiment = arm_experiment(PLANE, &settings);
    Thrown *thrown = throw_plane(14);
    throw_read(thrown, "theta1", 0.1 * DEGREE);
    for (int method = ARC_PINN; method <= ARC_DIRECT; method++)
        for (int refused = 0;; refused++) {
            ArcError err;
            ArcProblem *problem = NULL;
            ArcFit *fit = NULL;
            int left = refused;
            arc_memory_set_hook(memory_hook, &left);
            ArcStatus status = arc_problem_create(experiment, thrown->capture, &problem, &err);
            if (status == ARC_OK)
                status = arc_fit_run(problem, (ArcMethod)method, NULL, &fit, &err);
            arc_memory_set_hook(NULL, NULL);
            arc_problem_free(problem);
            arc_fit_free(fit);
            if (status == ARC_OK) {
                assert_true(refused > 10);
                break;
            }
            assert_int_equal(status, ARC_MEMORY);
            assert_null(fit);
        }
    throw_free(thrown);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_known_arm_is_recovered),
        cmocka_unit_test(test_fit_tied_release_is_the_flights),
        cmocka_unit_test(test_fit_readings_tell_the_lengths),
        cmocka_unit_test(test_fit_angles_alone_leave_one_direction),
        cmocka_unit_test(test_fit_t0_begins_where_the_pose_is),
        cmocka_unit_test(test_fit_lists_both_elbows),
        cmocka_unit_test(test_fit_takes_the_likelier_elbow),
        cmocka_unit_test(test_fit_never_leaves_the_limits),
        cmocka_unit_test(test_gradient_never_looks_beyond_the_limits),
        cmocka_unit_test(test_fit_angles_do_not_jump_by_turns),
        cmocka_unit_test(test_fit_in_space_is_recovered),
        cmocka_unit_test(test_fit_three_links_by_readings),
        cmocka_unit_test(test_fit_out_of_reach_begins_near),
        cmocka_unit_test(test_fit_reading_against_the_limits_has_a_start),
        cmocka_unit_test(test_fit_t0_is_read_without_an_arm),
        cmocka_unit_test(test_fit_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
