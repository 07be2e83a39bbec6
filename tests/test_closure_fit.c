/* Closures in fits: Jacobians of both methods against differences, rows along a path against the
 * simulator's, a hidden gust found by both methods, none where there is none, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "closure_case.h"
#include "fit/closure_search.h"
#include "fit/system.h"
#include "model_case.h"
#include "objective_check.h"
#include "slow.h"
#include "system_case.h"

enum { UNITS = 20, FEW = 8, MANY = 20, POINTS = 30 };

#define FINE "fit: {direct: {tolerance: 1e-13}}\n"

/* The problem with a closure of a given width along points of its box, its weights not small. */
static ArcProblem closed(const ArcProblem *problem, ArcClosureSettings settings, double *points,
                         ArcArena *arena)
{
    ArcError err;
    ArcProblem result = *problem;
    ArcClosure *closure = NULL;
    double weights[ARC_CLOSURE_MAX_WEIGHTS];
    settings.width = 0.8;
    const ArcFlight *flight = problem->phase == NULL ? &problem->flight : NULL;
    assert_int_equal(
        arc_closure_create(&settings, flight, problem->D, 5, points, 3, arena, &closure, &err),
        ARC_OK);
    arc_closure_start(closure, weights);
    for (int k = 0; k < closure->O * closure->H; k++)
        weights[k] = 0.1 * sin(k + 1.0);
    assert_int_equal(arc_problem_close(&result, closure, weights, false, arena, &err), ARC_OK);
    assert_int_equal(arc_problem_n_unknowns(&result), problem->n_free + closure->K);
    assert_true(closure->K >= 2);
    return result;
}

static void check_jacobians(const ArcProblem *problem, ArcArena *arena)
{
    ArcError err;
    ArcObjective objective;
    ArcTrajectory states;
    double *values = NULL, z[ARC_MAX_PARAMETERS + ARC_CLOSURE_MAX_WEIGHTS];
    assert_int_equal(arc_direct_objective(problem, arena, &objective, &states, &values, &err),
                     ARC_OK);
    arc_problem_gather(problem, problem->start, z);
    double direct = check_objective(problem, &objective, z, 0);
    ArcPinn *pinn = NULL;
    double *start = NULL;
    ArcNetSettings net = arc_net_settings_default();
    net.widths[0] = UNITS;
    assert_int_equal(arc_pinn_create(problem, &net, 2 * UNITS, arena, &pinn, &err), ARC_OK);
    assert_int_equal(arc_linear_objective(pinn, arena, &objective, &start, &err), ARC_OK);
    double linear = check_objective(problem, &objective, start, 2 * UNITS * problem->D);
    print_message("%d weights: direct %.1e, linear %.1e of the largest\n", problem->K, direct,
                  linear);
    assert_true(direct < 1e-5);
    assert_true(linear < 1e-5);
}

static void check_flight(const char *closure, double *points)
{
    char text[1024];
    const ClosureTruth truth = CLOSURE_TRUTH;
    snprintf(text, sizeof text, "%sclosure: %s\n%s", CLOSURE_FLIGHT, closure, FINE);
    closure_throw(&truth, 1, 10, 1);
    ArcExperiment *experiment = case_experiment(text);
    ArcProblem *problem = case_problem(text, closure_flights[0]);
    ArcArena *arena = arc_arena_create();
    ArcProblem with = closed(problem, experiment->closure, points, arena);
    check_jacobians(&with, arena);
    arc_arena_free(arena);
    arc_problem_free(problem);
    arc_experiment_free(experiment);
    closure_land(1);
}

static void test_jacobians_of_flights_are_those_of_differences(void **state)
{
    (void)state;
    double places[] = {0, 2, 1, 3, 2, 3.5, 3, 3, 4, 2}, speeds[] = {3, 4, 5, 6, 7};
    double states[] = {0, 2, 3, 0.1, 3, 4, 1, 3.4, 5, 2, 3.4, 6, 3, 3, 7};
    check_flight("{inputs: [x, y], outputs: acceleration}", places);
    check_flight("{inputs: [speed], outputs: cd}", speeds);
    check_flight("{inputs: [x, time, vy], outputs: [y]}", states);
    check_flight("{inputs: [speed], outputs: acceleration, train: all}", speeds);
}

/* Coordinates of a phase have units of their own, and of first order its rates are the states. */
static void check_system(const char *text, uint32_t channels, double *points)
{
    ArcCapture *capture = system_capture_over(text, 9, 0.6, channels, 1.0, 1);
    ArcExperiment *experiment = model_experiment(text);
    ArcProblem *problem = system_problem(text, capture);
    ArcArena *arena = arc_arena_create();
    ArcProblem with = closed(problem, experiment->closure, points, arena);
    check_jacobians(&with, arena);
    arc_arena_free(arena);
    arc_problem_free(problem);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

static void test_jacobians_of_own_equations_are_those_of_differences(void **state)
{
    (void)state;
    double first[] = {-8, 7, -4, 10, 0, 15, 4, 5, 8, -10},
           second[] = {1, -10, 1.5, -5, 0, 0, -1, 5, 2, 10};
    check_system(
        "arcfit: 1\nmodel: {plugin: experiments/models/lorenz.c}\n"
        "capture: {file: none.csv, sigma: 0.1}\n"
        "parameters: {sigma: {start: 10}, x0: {start: -8}, y0: {start: 7}, z0: {start: 27}}\n"
        "closure: {inputs: [x, y], outputs: [y, z]}\n" FINE,
        0x7, first);
    check_system(COUPLED "capture: {file: none.csv, sigma: {a: 1 cm, b: 0.5, va: 0.2, vb: 2}}\n"
                         "parameters: {stiffness: {start: 4}, coupling: 0.5, damping: 0.2, "
                         "drive: 0.7, a0: {start: 1.2}, b0: {start: -15}, va0: {start: 0.4}, "
                         "vb0: {start: 4}}\n"
                         "closure: {inputs: [a, vb], outputs: [a, b]}\n" FINE,
                 0xf, second);
}

/* Columns along the path are those of the simulator's variational equations. */
static void test_rows_along_a_path_are_the_simulators(void **state)
{
    (void)state;
    ArcError err;
    const ClosureTruth truth = CLOSURE_TRUTH;
    double points[] = {0, 2, 1, 3, 2, 3.5, 3, 3, 4, 2}, cost;
    closure_throw(&truth, 1, 12, 2);
    ArcExperiment *experiment = case_experiment(CLOSURE_FIELD);
    ArcJoint *joint = closure_join(CLOSURE_FIELD, 1);
    ArcArena *arena = arc_arena_create();
    ArcJointRun run;
    assert_int_equal(arc_joint_run_create(joint, ARC_DIRECT, NULL, arena, &run, &err), ARC_OK);
    assert_int_equal(arc_joint_run_direct(&run, &err), ARC_OK);
    ArcPath *paths = NULL;
    assert_int_equal(arc_paths_create(&run, arena, &paths, &err), ARC_OK);
    ArcProblem with = closed(joint->flights[0], experiment->closure, points, arena);
    const double *weights = with.start + with.n_parameters, unit[2] = {1.0, 1.0};
    assert_int_equal(arc_paths_close(1, paths, with.closure, weights, &err), ARC_OK);
    arc_paths_fly(1, paths, &cost);
    assert_true(isfinite(cost));
    ArcPathRows rows;
    assert_int_equal(arc_paths_rows(&run, paths, with.closure, unit, arena, &rows, &err), ARC_OK);
    /* The same by the direct objective at these values, own unknowns projected out of it too: the
     * rows' Gram matrices are equal. */
    ArcObjective objective;
    ArcTrajectory states;
    double *values, z[200], *r, *J;
    assert_int_equal(arc_direct_objective(&with, arena, &objective, &states, &values, &err),
                     ARC_OK);
    arc_problem_gather(&with, paths[0].values, z);
    memcpy(z + with.n_free, weights, sizeof(double) * (size_t)with.K);
    int m = objective.m, n = objective.n_outer, own = with.n_free - joint->n_shared;
    r = ARC_ALLOC(arena, (size_t)(m * (n + 1)), double);
    J = r + m;
    assert_true(objective.evaluate(objective.context, z, r, J));
    for (int k = joint->n_shared; k < with.n_free; k++) { /* shared ones come first here */
        double *column = J + k * m, length = 0.0;
        for (int pass = 0; pass < 2; pass++)
            for (int l = joint->n_shared; l < k; l++) {
                double dot = 0.0;
                for (int i = 0; i < m; i++)
                    dot += column[i] * J[l * m + i];
                for (int i = 0; i < m; i++)
                    column[i] -= dot * J[l * m + i];
            }
        for (int i = 0; i < m; i++)
            length += column[i] * column[i];
        for (int i = 0; i < m; i++)
            column[i] /= sqrt(length);
        for (int l = 0; l < n; l++) {
            double dot = 0.0;
            for (int i = 0; i < m && (l < joint->n_shared || l >= with.n_free); i++)
                dot += column[i] * J[l * m + i];
            for (int i = 0; i < m && (l < joint->n_shared || l >= with.n_free); i++)
                J[l * m + i] -= dot * column[i];
        }
    }
    assert_int_equal(own, paths[0].n_own);
    double worst = 0.0;
    for (int a = 0; a < joint->n_shared + with.K; a++)
        for (int b = 0; b < joint->n_shared + with.K; b++) {
            const double *x = J + (a < joint->n_shared ? a : a + own) * m;
            const double *y = J + (b < joint->n_shared ? b : b + own) * m;
            const double *p = rows.ridge.rows + a * rows.ridge.ld;
            const double *q = rows.ridge.rows + b * rows.ridge.ld;
            double one = 0.0, other = 0.0, xx = 0.0, yy = 0.0;
            for (int i = 0; i < m; i++) {
                one += x[i] * y[i];
                xx += x[i] * x[i];
                yy += y[i] * y[i];
            }
            for (int i = 0; i < rows.ridge.m; i++)
                other += p[i] * q[i];
            worst = fmax(worst, fabs(one - other) / sqrt(xx * yy));
        }
    print_message("Gram matrices differ by %.1e\n", worst);
    assert_true(worst < 1e-4);
    arc_paths_free(1, paths);
    arc_joint_run_free(&run);
    arc_arena_free(arena);
    arc_joint_free(joint);
    arc_experiment_free(experiment);
    closure_land(1);
}

static ArcFit *fit_of(const ArcJoint *joint, ArcMethod method)
{
    ArcError err;
    ArcFit *fit = NULL;
    if (arc_joint_fit(joint, method, NULL, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_true(fit->converged);
    assert_non_null(fit->closure);
    return fit;
}

/* Both methods find the gust, the same cd and s, and say the same of the closure. */
static void test_a_hidden_gust_is_found_by_both_methods(void **state)
{
    (void)state;
    const ClosureTruth truth = CLOSURE_TRUTH;
    closure_throw(&truth, MANY, POINTS, 1);
    ArcJoint *joint = closure_join(CLOSURE_FIELD, MANY);
    ArcFit *direct = fit_of(joint, ARC_DIRECT), *pinn = fit_of(joint, ARC_PINN);
    const ArcClosureFit *closure = direct->closure;
    double error = closure_field_error(&closure->table, &truth);
    print_message("field within %.3f, log Bayes factor %.0f, %d units, width %.3f\n", error,
                  closure->log_bayes, closure->n_units, closure->width);
    assert_true(error < 0.2);
    assert_true(closure->log_bayes > 1000.0);
    assert_true(closure->chi2_without > 10.0 * closure->chi2_with);
    assert_true(fabs(closure->misfit_explained - 1.0) < 0.01);
    assert_true(closure->held_out_with > closure->held_out_without + 1.0);
    assert_true(isinf(closure->ridge[1]) || closure->ridge[1] > 1e3 * closure->ridge[0]);
    assert_true(direct->residuals.chi2_p > 0.01);
    assert_true(closure->rms > 0.4 && closure->rms < 1.2);
    for (int i = 0; i < 2; i++) {
        const ArcEstimate *a = case_parameter(direct, i == 0 ? "cd" : "s");
        const ArcEstimate *b = case_parameter(pinn, a->name);
        assert_true(fabs(a->value - (i == 0 ? truth.cd : truth.s)) < 4.0 * a->sd);
        assert_true(fabs(a->value - b->value) < 0.05 * a->sd);
        assert_true(fabs(a->sd / b->sd - 1.0) < 0.02);
    }
    for (int k = 0; k < closure->n_weights; k++) {
        double sd = sqrt(closure->covariance[k * (closure->n_weights + 1)]);
        assert_true(fabs(closure->weights[k] - pinn->closure->weights[k]) <= 0.1 * sd);
    }
    assert_true(fabs(pinn->closure->effective / closure->effective - 1.0) < 0.01);
    assert_false(closure->is_lost);
    arc_fit_free(direct);
    arc_fit_free(pinn);
    arc_joint_free(joint);
    /* Without it, they are off. */
    joint = closure_join(CLOSURE_FLIGHT, MANY);
    ArcError err;
    ArcFit *plain = NULL;
    assert_int_equal(arc_joint_fit(joint, ARC_DIRECT, NULL, &plain, &err), ARC_OK);
    const ArcEstimate *cd = case_parameter(plain, "cd");
    assert_true(fabs(cd->value - truth.cd) > 10.0 * cd->sd);
    assert_true(plain->residuals.chi2_p < 1e-6);
    assert_null(plain->closure);
    arc_fit_free(plain);
    arc_joint_free(joint);
    closure_land(MANY);
}

/* Where nothing is hidden the closure stays away: its weights are zero, and cd is what it is
 * without. */
static void test_without_a_gust_there_is_no_closure(void **state)
{
    (void)state;
    ClosureTruth truth = CLOSURE_TRUTH;
    truth.gust_m_s2 = 0.0;
    int n = slow_is_wanted() ? 100 : FEWER(4, 1), wanted = 0, large = 0;
    for (int set = 1; set <= n; set++) {
        closure_throw(&truth, MANY, POINTS, (uint64_t)set);
        ArcJoint *joint = closure_join(CLOSURE_FIELD, MANY);
        ArcFit *fit = fit_of(joint, ARC_DIRECT);
        wanted += !(fit->closure->log_bayes < 3.0);
        large += !(fit->closure->rms_share < 0.05);
        if (isinf(fit->closure->ridge[0]) && isinf(fit->closure->ridge[1])) {
            assert_true(fit->closure->rms == 0.0 && fit->closure->effective == 0.0);
            for (int k = 0; k < fit->closure->n_weights; k++)
                assert_true(fit->closure->weights[k] == 0.0);
        }
        arc_fit_free(fit);
        arc_joint_free(joint);
        closure_land(MANY);
    }
    print_message("of %d sets: %d want a closure, %d have one of 5 %% of drag\n", n, wanted, large);
    assert_true(20 * wanted <= n && 20 * large <= n);
}

/* One flight goes the same way; its closure may be left with what the data tell. */
static void test_one_flight_may_have_a_closure(void **state)
{
    (void)state;
    const ClosureTruth truth = CLOSURE_TRUTH;
    closure_throw(&truth, 1, POINTS, 3);
    ArcJoint *joint = closure_join(CLOSURE_FIELD, 1);
    ArcFit *direct = fit_of(joint, ARC_DIRECT), *pinn = fit_of(joint, ARC_PINN);
    assert_int_equal(direct->n_flights, 1);
    assert_int_equal(direct->closure->n_folds, 0);
    assert_true(isnan(direct->closure->held_out_with));
    const ArcEstimate *cd = case_parameter(direct, "cd");
    assert_true(fabs(cd->value - case_parameter(pinn, "cd")->value) < 0.05 * cd->sd);
    arc_fit_free(direct);
    arc_fit_free(pinn);
    arc_joint_free(joint);
    closure_land(1);
}

/* A curve in place of the drag law, with its level; ridge and width as they are given. */
static void test_a_drag_curve_is_found_in_place_of_the_law(void **state)
{
    (void)state;
    ClosureTruth truth = CLOSURE_TRUTH;
    truth.gust_m_s2 = 0.0;
    closure_throw(&truth, FEW, POINTS, 5);
    ArcJoint *joint = closure_join(
        "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\n"
        "flight: {ball: {mass: 0.62 kg, diameter: 0.24 m}, air: {density: 1.2 kg/m^3}, "
        "buoyancy: false, drag: none, lift: lumped}\nparameters: {s: {start: 0.01}, spin: 15}\n"
        "closure: {inputs: [speed], outputs: cd, ridge: 100, width: 0.7}\n",
        FEW);
    ArcFit *fit = fit_of(joint, ARC_DIRECT);
    const ArcClosureTable *table = &fit->closure->table;
    assert_float_equal(fit->closure->ridge[0], 100.0, 1e-4);
    assert_float_equal(fit->closure->width, 0.7, 1e-6);
    for (int i = 0; i < table->n_rows; i++)
        assert_true(fabs(table->value[i] - truth.cd) < 5.0 * table->sd[i] && table->sd[i] < 0.3);
    arc_fit_free(fit);
    arc_joint_free(joint);
    closure_land(FEW);
}

/* By what flights left out say, and with sigmas that are not known. */
static void test_cross_validation_and_unknown_sigmas_find_it_too(void **state)
{
    (void)state;
    const ClosureTruth truth = CLOSURE_TRUTH;
    closure_throw(&truth, FEW, POINTS, 4);
    const char *const texts[] = {
        CLOSURE_FLIGHT "closure: {inputs: [x, y], outputs: [x], choose: cross-validation}\n",
        CLOSURE_FLIGHT "closure: {inputs: [x, y], outputs: [x]}\n"};
    for (int i = 0; i < 2; i++) {
        ArcError err;
        ArcExperiment *experiment = case_experiment(texts[i]);
        experiment->capture.sigma_estimated = i == 1;
        ArcJoint *joint = NULL;
        assert_int_equal(arc_joint_create(experiment, FEW,
                                          (const ArcCapture *const *)closure_flights, &joint, &err),
                         ARC_OK);
        ArcFit *fit = fit_of(joint, ARC_DIRECT);
        const ArcEstimate *cd = case_parameter(fit, "cd");
        assert_true(fit->closure->log_bayes > 100.0);
        assert_true(fabs(cd->value - truth.cd) < 4.0 * cd->sd);
        if (i == 1)
            assert_true(fabs(fit->spread.sigma_factor - 1.0) < 0.15);
        arc_fit_free(fit);
        arc_joint_free(joint);
        arc_experiment_free(experiment);
    }
    closure_land(FEW);
}

/* A trained hidden layer is kept where the evidence improves, by both methods alike. */
static void test_a_trained_hidden_layer_is_no_worse(void **state)
{
    (void)state;
    const ClosureTruth truth = CLOSURE_TRUTH;
    double chi2[2];
    if (!slow_is_wanted()) {
        print_message("a trained hidden layer takes long: with ARCFIT_SLOW\n");
        skip();
    }
    closure_throw(&truth, 3, 12, 4);
    for (int i = 0; i < 2; i++) {
        ArcError err;
        ArcExperiment *experiment =
            case_experiment(CLOSURE_FLIGHT "closure: {inputs: [x, y], outputs: [x]}\n");
        ArcClosureSettings *closure = &experiment->closure;
        closure->net_auto = false;
        closure->net.widths[0] = 6;
        closure->net.activation = ARC_ACTIVATION_TANH;
        closure->trains_all = i == 1;
        ArcJoint *joint = NULL;
        assert_int_equal(arc_joint_create(experiment, 3, (const ArcCapture *const *)closure_flights,
                                          &joint, &err),
                         ARC_OK);
        ArcFit *fit = fit_of(joint, ARC_DIRECT);
        int n = fit->closure->n_weights;
        chi2[i] = fit->residuals.chi2 + fit->residuals.prior_chi2;
        print_message("%d weights: chi2 with priors %.1f\n", n, chi2[i]);
        assert_true(n == 6 || (i == 1 && n == 24));
        arc_fit_free(fit);
        arc_joint_free(joint);
        arc_experiment_free(experiment);
    }
    assert_true(chi2[1] <= chi2[0] * (1.0 + 1e-9));
    closure_land(3);
}

static int compare_doubles(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return one < other ? -1 : one > other;
}

/* Median error of the field over the nodes that flights come by, and coverage of cd and s, of n
 * sets. */
static void recover(int n, double gust_sd_m, double allowed)
{
    ClosureTruth truth = CLOSURE_TRUTH;
    int inside[2] = {0, 0};
    double *errors = calloc((size_t)n, sizeof *errors);
    assert_non_null(errors);
    truth.gust_sd_m = gust_sd_m;
    for (int set = 0; set < n; set++) {
        closure_throw(&truth, MANY, POINTS, (uint64_t)set + 1);
        ArcJoint *joint = closure_join(CLOSURE_FIELD, MANY);
        ArcFit *fit = fit_of(joint, ARC_DIRECT);
        errors[set] = closure_field_error(&fit->closure->table, &truth);
        for (int i = 0; i < 2; i++) {
            const ArcEstimate *e = case_parameter(fit, i == 0 ? "cd" : "s");
            double value = i == 0 ? truth.cd : truth.s;
            inside[i] += value >= e->ci95[0] && value <= e->ci95[1];
        }
        arc_fit_free(fit);
        arc_joint_free(joint);
        closure_land(MANY);
    }
    qsort(errors, (size_t)n, sizeof *errors, compare_doubles);
    printf(
        "gust of %g m: error of the field %.3f (median), %.3f at most; cd inside %d, s %d of %d\n",
        gust_sd_m, errors[n / 2], errors[n - 1], inside[0], inside[1], n);
    assert_true(errors[n / 2] < allowed);
    /* 2.5 % of a thousand; of fewer by chance. */
    double allowed_off = n >= 1000 ? 0.025 * n : 4.0 * sqrt(0.95 * 0.05 * n) + 1.0;
    for (int i = 0; i < 2; i++)
        assert_true(fabs(inside[i] - 0.95 * n) <= allowed_off);
    free(errors);
}

/* What a statistical test looks at: 100 sets, or ARCFIT_SETS of them. Without ARCFIT_SLOW none. */
static int sets_wanted(void)
{
    const char *text = getenv("ARCFIT_SETS");
    if (!slow_is_wanted()) {
        print_message("sets of flights by the hundred: with ARCFIT_SLOW, ARCFIT_SETS of them\n");
        skip();
    }
    return text != NULL ? atoi(text) : 100;
}

static void test_gusts_are_recovered_and_intervals_cover(void **state)
{
    (void)state;
    recover(sets_wanted(), 0.5, 0.15);
}

/* Its sets take minutes each: a hundred at most. */
static void test_narrow_gusts_are_recovered_and_intervals_cover(void **state)
{
    (void)state;
    int n = sets_wanted();
    recover(n < 100 ? n : 100, 0.25, 0.4);
}

static double crisis(double speed)
{
    return 0.155 + 0.346 / (1.0 + exp((speed - 12.19) / 1.309));
}

/* 40 throws of 5 to 30 m/s: the curve where at least one flight in twenty is, and its band. */
static void test_a_drag_crisis_is_recovered_with_its_band(void **state)
{
    (void)state;
    SKIP_UNDER_SANITIZERS();
    ClosureTruth truth = CLOSURE_TRUTH;
    int n = slow_is_wanted() ? 20 : 1, rows = 0, inside = 0;
    double worst = 0.0;
    truth.gust_m_s2 = truth.s = 0.0;
    truth.cd_of = crisis;
    for (int set = 1; set <= n; set++) {
        ArcRandom random = arc_random_create((uint64_t)set, 3);
        for (int f = 0; f < CLOSURE_MOST; f++) {
            double speed = 5.0 + 25.0 * (f + arc_random_uniform(&random, 0.0, 1.0)) / CLOSURE_MOST;
            double angle = arc_random_uniform(&random, 25.0, 55.0) * M_PI / 180.0;
            double release[4] = {0.0, 2.0, speed * cos(angle), speed * sin(angle)};
            closure_flights[f] =
                closure_fly(&truth, release, POINTS, fmin(1.5, release[3] / 4.9), 0.002, &random);
        }
        ArcJoint *joint = closure_join(
            "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\n"
            "flight: {ball: {mass: 0.62 kg, diameter: 0.24 m}, air: {density: 1.2 kg/m^3}, "
            "buoyancy: false, drag: none}\nclosure: {inputs: [speed], outputs: cd}\n",
            CLOSURE_MOST);
        ArcFit *fit = fit_of(joint, ARC_DIRECT);
        const ArcClosureTable *table = &fit->closure->table;
        for (int i = 0; i < table->n_rows; i++) {
            double off = fabs(table->value[i] - crisis(table->input[i]));
            if (table->input[i] > 5.0 && table->input[i] < 28.0)
                worst = fmax(worst, off / crisis(table->input[i]));
            inside += off <= 1.96 * table->sd[i];
            rows++;
        }
        assert_true(fit->closure->log_bayes > 1000.0);
        arc_fit_free(fit);
        arc_joint_free(joint);
        closure_land(CLOSURE_MOST);
    }
    print_message("drag crisis: within %.3f from 5 to 28 m/s, inside its band %.3f of %d rows\n",
                  worst, (double)inside / rows, rows);
    assert_true(worst < 0.05);
    assert_true(inside > 0.8 * rows);
}

static void refused(const char *text, const char *why)
{
    ArcError err;
    ArcJoint *joint = NULL;
    ArcExperiment *experiment = case_experiment(text);
    ArcStatus status =
        arc_joint_create(experiment, 2, (const ArcCapture *const *)closure_flights, &joint, &err);
    assert_int_equal(status, ARC_INPUT);
    if (strstr(err.text, why) == NULL || strncmp(err.text, "case.yaml:", 10) != 0)
        fail_msg("%s", err.text);
    arc_experiment_free(experiment);
}

static void test_what_a_closure_cannot_be_together_with_is_refused(void **state)
{
    (void)state;
    const ClosureTruth truth = CLOSURE_TRUTH;
    closure_throw(&truth, 2, POINTS, 1);
#define WITH_FIELD "closure: {inputs: [x], outputs: [x]}\n"
    refused(CLOSURE_FLIGHT "closure: {inputs: [x], outputs: [x], choose: cross-validation}\n",
            "3 flights");
    refused("arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\n"
            "flight: {drag: lumped, bounce: {plane: y=0 m}}\n" WITH_FIELD,
            "bounces");
    closure_land(2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jacobians_of_flights_are_those_of_differences),
        cmocka_unit_test(test_jacobians_of_own_equations_are_those_of_differences),
        cmocka_unit_test(test_rows_along_a_path_are_the_simulators),
        cmocka_unit_test(test_a_hidden_gust_is_found_by_both_methods),
        cmocka_unit_test(test_without_a_gust_there_is_no_closure),
        cmocka_unit_test(test_one_flight_may_have_a_closure),
        cmocka_unit_test(test_a_drag_curve_is_found_in_place_of_the_law),
        cmocka_unit_test(test_cross_validation_and_unknown_sigmas_find_it_too),
        cmocka_unit_test(test_a_trained_hidden_layer_is_no_worse),
        cmocka_unit_test(test_a_drag_crisis_is_recovered_with_its_band),
        cmocka_unit_test(test_gusts_are_recovered_and_intervals_cover),
        cmocka_unit_test(test_narrow_gusts_are_recovered_and_intervals_cover),
        cmocka_unit_test(test_what_a_closure_cannot_be_together_with_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, model_clear);
}
