/* Flights fitted together: against the one big dense fit, both methods against each other, coverage
 * of what they share, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/objectives.h"
#include "joint_case.h"

/* The flights as one objective: inner unknowns, own ones of each flight in turn, then cd. */
typedef struct Dense {
    int n, m, n_inner, n_outer;
    ArcObjective parts[FLIGHTS];
    double *r, *J, *z;
} Dense;

static bool dense_evaluate(void *context, const double *z, double *r, double *J)
{
    Dense *dense = context;
    int row = 0, inner = 0, own = dense->n_inner;
    double cd = z[dense->n_inner + dense->n_outer - 1];
    if (J != NULL)
        memset(J, 0, sizeof *J * (size_t)dense->m * (size_t)(dense->n_inner + dense->n_outer));
    for (int f = 0; f < dense->n; f++) {
        const ArcObjective *part = &dense->parts[f];
        int n_own = part->n_outer - 1; /* cd is the first outer unknown of a flight */
        memcpy(dense->z, z + inner, sizeof *z * (size_t)part->n_inner);
        dense->z[part->n_inner] = cd;
        memcpy(dense->z + part->n_inner + 1, z + own, sizeof *z * (size_t)n_own);
        memset(dense->J, 0, sizeof *J * (size_t)part->m * (size_t)(part->n_inner + part->n_outer));
        if (!part->evaluate(part->context, dense->z, r + row, dense->J))
            return false;
        for (int k = 0; J != NULL && k < part->n_inner + part->n_outer; k++) {
            int column = k < part->n_inner    ? inner + k
                         : k == part->n_inner ? dense->n_inner + dense->n_outer - 1
                                              : own + k - part->n_inner - 1;
            memcpy(J + (size_t)column * (size_t)dense->m + row, dense->J + k * part->m,
                   sizeof *J * (size_t)part->m);
        }
        row += part->m;
        inner += part->n_inner;
        own += n_own;
    }
    return true;
}

/* cd of the dense fit, and of each flight its release (4) into release. */
static double fit_dense(ArcMethod method, double *release)
{
    ArcArena *arena = arc_arena_create();
    ArcProblem *problems[FLIGHTS];
    Dense dense = {.n = FLIGHTS, .n_outer = 1};
    double *starts[FLIGHTS];
    for (int f = 0; f < FLIGHTS; f++) {
        problems[f] = case_problem(SHARED_TEXT, captures[f]);
        ArcTrajectory states;
        ArcPinn *pinn;
        double *values;
        if (method == ARC_DIRECT) {
            assert_int_equal(
                arc_direct_objective(problems[f], arena, &dense.parts[f], &states, &values, NULL),
                ARC_OK);
            starts[f] = ARC_ALLOC(arena, (size_t)problems[f]->n_free, double);
            for (int k = 0; k < problems[f]->n_free; k++)
                starts[f][k] = problems[f]->start[problems[f]->free_parameter[k]];
        } else {
            assert_int_equal(arc_pinn_first(problems[f], arena, &pinn, NULL), ARC_OK);
            assert_int_equal(arc_linear_objective(pinn, arena, &dense.parts[f], &starts[f], NULL),
                             ARC_OK);
        }
        dense.m += dense.parts[f].m;
        dense.n_inner += dense.parts[f].n_inner;
        dense.n_outer += dense.parts[f].n_outer - 1;
    }
    int all = dense.n_inner + dense.n_outer;
    dense.J = ARC_ALLOC(arena, 400 * 100, double);
    dense.z = ARC_ALLOC(arena, 100, double);
    double *z = ARC_ALLOC(arena, (size_t)all, double);
    for (int f = 0, inner = 0, own = dense.n_inner; f < FLIGHTS; f++) {
        const ArcObjective *part = &dense.parts[f];
        memcpy(z + inner, starts[f], sizeof *z * (size_t)part->n_inner);
        memcpy(z + own, starts[f] + part->n_inner + 1, sizeof *z * (size_t)(part->n_outer - 1));
        inner += part->n_inner;
        own += part->n_outer - 1;
    }
    z[all - 1] = 0.4;
    const ArcObjective objective = {.m = dense.m,
                                    .n_inner = dense.n_inner,
                                    .n_outer = dense.n_outer,
                                    .context = &dense,
                                    .evaluate = dense_evaluate};
    ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
    settings.tolerance = 1e-7;
    settings.relative_tolerance = 1e-13;
    ArcLeastSquares *solver = NULL;
    assert_int_equal(
        arc_least_squares_create(&objective, &settings, NULL, NULL, arena, &solver, NULL), ARC_OK);
    assert_true(arc_stop_is_converged(arc_least_squares_run(solver, z).stop));
    double cd = z[all - 1];
    memcpy(release, z + dense.n_inner, sizeof *z * 4 * FLIGHTS);
    for (int f = 0; f < FLIGHTS; f++)
        arc_problem_free(problems[f]);
    arc_arena_free(arena);
    return cd;
}

static void check_against_dense(ArcMethod method)
{
    static const char *const names[] = {"x0", "y0", "vx0", "vy0"};
    double release[4 * FLIGHTS], worst = 0.0;
    fly(FLIGHTS, 0.5, 0.0, 0.003, 1);
    ArcFit *fit = fit_joint(SHARED_TEXT, FLIGHTS, method);
    double cd = fit_dense(method, release);
    assert_true(fit->converged);
    worst = fabs(case_parameter(fit, "cd")->value - cd) / cd;
    for (int f = 0; f < FLIGHTS; f++)
        for (int k = 0; k < 4; k++) {
            double dense = release[4 * f + k];
            double off = fabs(case_parameter(&fit->flights[f], names[k])->value - dense);
            worst = fmax(worst, off / fmax(fabs(dense), 1.0));
        }
    if (!(worst < 1e-9))
        fail_msg("the dense fit is off by %.2g relative", worst);
    arc_fit_free(fit);
    land(FLIGHTS);
}

static void test_fit_direct_twenty_flights_equal_the_dense_fit(void **state)
{
    (void)state;
    check_against_dense(ARC_DIRECT);
}

static void test_fit_pinn_twenty_flights_equal_the_dense_fit(void **state)
{
    (void)state;
    check_against_dense(ARC_PINN);
}

/* Another number of points in each flight, so that nets borrow from each other; a missing axis. */
static void test_fit_methods_agree(void **state)
{
    (void)state;
    fly(8, 0.5, 0.0, 0.003, 2);
    for (int f = 1; f < 8; f += 2) {
        ((ArcPointUse *)(uintptr_t)captures[f]->use)[f] = ARC_POINT_UNUSED;
        ((double *)(uintptr_t)captures[f]->position_m)[2 * f + 5] = NAN;
    }
    ArcFit *pinn = fit_joint(SHARED_TEXT, 8, ARC_PINN);
    ArcFit *direct = fit_joint(SHARED_TEXT, 8, ARC_DIRECT);
    assert_true(pinn->converged && direct->converged);
    assert_int_equal(pinn->n_flights, 8);
    const ArcEstimate *a = case_parameter(pinn, "cd"), *b = case_parameter(direct, "cd");
    assert_true(fabs(a->value - b->value) < 1e-3 * b->sd);
    assert_true(fabs(a->sd - b->sd) < 1e-2 * b->sd);
    for (int f = 0; f < 8; f++)
        for (int i = 0; i < direct->flights[f].n_parameters; i++) {
            a = &pinn->flights[f].parameters[i];
            b = &direct->flights[f].parameters[i];
            if (b->free_index < 0)
                continue;
            assert_true(fabs(a->value - b->value) < 1e-3 * b->sd);
            assert_true(fabs(a->sd - b->sd) < 1e-2 * b->sd);
        }
    arc_fit_free(pinn);
    arc_fit_free(direct);
    land(8);
}

/* One flight alone is the same problem. */
static void test_fit_one_flight_equals_the_fit_of_it_alone(void **state)
{
    (void)state;
    fly(1, 0.5, 0.0, 0.003, 3);
    for (int method = 0; method < 2; method++) {
        ArcFit *joint = fit_joint(SHARED_TEXT, 1, (ArcMethod)method);
        ArcFit *alone = case_fit(SHARED_TEXT, captures[0], (ArcMethod)method);
        for (int i = 0; i < alone->n_parameters; i++) {
            const ArcEstimate *a = &joint->flights[0].parameters[i], *b = &alone->parameters[i];
            assert_string_equal(a->name, b->name);
            assert_true(fabs(a->value - b->value) <= 1e-4 * b->sd);
            assert_true(fabs(a->sd - b->sd) <= 1e-5 * b->sd);
        }
        const ArcEstimate *a = case_parameter(joint, "cd"), *b = case_parameter(alone, "cd");
        assert_true(fabs(a->sd - b->sd) <= 1e-5 * b->sd);
        assert_int_equal(joint->residuals.dof, alone->residuals.dof);
        assert_true(fabs(joint->residuals.chi2 - alone->residuals.chi2) < 1e-6);
        assert_true(fabs(joint->residuals.chi2_p - alone->residuals.chi2_p) < 1e-6);
        arc_fit_free(joint);
        arc_fit_free(alone);
    }
    land(1);
}

/* Priors of shared parameters count once, those of the flights' own in each. */
static void test_fit_priors_count_once_or_each(void **state)
{
    (void)state;
    const char *text = CASE_HEAD BALL "parameters: {cd: {start: 0.4, prior: {mean: 0.6, sd: 1e-3}},"
                                      " y0: {prior: {mean: 2, sd: 1e-4}}}\n";
    fly(10, 0.5, 0.0, 0.003, 4);
    ArcFit *fit = fit_joint(text, 10, ARC_DIRECT);
    const ArcEstimate *cd = case_parameter(fit, "cd");
    ArcFit *free_fit = fit_joint(SHARED_TEXT, 10, ARC_DIRECT);
    double alone = case_parameter(free_fit, "cd")->sd;
    assert_true(cd->sd > 0.99e-3 * alone / hypot(alone, 1.1e-3) && cd->sd < 1e-3);
    for (int f = 0; f < 10; f++) {
        const ArcEstimate *y0 = case_parameter(&fit->flights[f], "y0");
        assert_true(y0->sd < 1e-4 && y0->sd > 0.99e-4);
        assert_true(fit->flights[f].residuals.prior_chi2 > 0.0);
    }
    assert_int_equal(fit->residuals.dof, 10 * 2 * POINTS + 11 - 41);
    arc_fit_free(fit);
    arc_fit_free(free_fit);
    land(10);
}

static void test_fit_shared_release_and_own_drag_follow_their_names(void **state)
{
    (void)state;
    const char *text = CASE_HEAD BALL
        "parameters: {cd: {start: 0.4, flights: per-flight}, y0: {flights: shared}}\n";
    fly(4, 0.5, 0.1, 0.003, 5);
    ArcFit *fit = fit_joint(text, 4, ARC_PINN);
    assert_int_equal(fit->n_free, 1);
    double y0 = case_parameter(fit, "y0")->value;
    for (int f = 0; f < 4; f++) {
        assert_true(case_parameter(&fit->flights[f], "y0")->value == y0);
        for (int g = 0; g < f; g++)
            assert_true(case_parameter(&fit->flights[f], "cd")->value !=
                        case_parameter(&fit->flights[g], "cd")->value);
    }
    arc_fit_free(fit);
    land(4);
}

/* Flights that share nothing are fitted as each alone. */
static void test_fit_nothing_shared_equals_each_alone(void **state)
{
    (void)state;
    const char *text = CASE_HEAD BALL "parameters: {cd: {start: 0.4, flights: per-flight}}\n";
    fly(3, 0.5, 0.1, 0.003, 6);
    ArcFit *fit = fit_joint(text, 3, ARC_DIRECT);
    assert_int_equal(fit->n_free, 0);
    for (int f = 0; f < 3; f++) {
        ArcFit *alone = case_fit(text, captures[f], ARC_DIRECT);
        const ArcEstimate *a = case_parameter(&fit->flights[f], "cd");
        const ArcEstimate *b = case_parameter(alone, "cd");
        assert_true(fabs(a->value - b->value) < 1e-3 * b->sd);
        assert_true(fabs(a->sd - b->sd) < 1e-5 * b->sd);
        assert_int_equal(fit->flights[f].residuals.dof, alone->residuals.dof);
        arc_fit_free(alone);
    }
    arc_fit_free(fit);
    land(3);
}

static void test_fit_shared_parameter_is_covered(void **state)
{
    (void)state;
    int covered = 0, own = 0, times = slow_is_wanted() ? 4000 : FEWER(400, 60);
    for (int i = 0; i < times; i++) {
        fly(6, 0.5, 0.0, 0.003, 100 + (uint64_t)i);
        ArcFit *fit = fit_joint(SHARED_TEXT, 6, ARC_DIRECT);
        const ArcEstimate *cd = case_parameter(fit, "cd");
        covered += cd->ci95[0] <= 0.5 && cd->ci95[1] >= 0.5;
        own += fit->residuals.chi2_p > 0.05;
        arc_fit_free(fit);
        land(6);
    }
    tell("shared: cd covered in", covered, times);
    assert_share(covered, times, 0.95);
    assert_share(own, times, 0.95);
}

static void test_fit_sigma_is_estimated_over_all_flights(void **state)
{
    (void)state;
    const char *text = "arcfit: 1\ncapture: {file: none.csv, sigma: estimate}\n" BALL
                       "parameters: {cd: {start: 0.4}}\n";
    fly(FLIGHTS, 0.5, 0.0, 0.006, 7); /* stated as 6 mm; then twice that */
    for (int f = 0; f < FLIGHTS; f++)
        for (int i = 0; i < 2 * POINTS; i++)
            ((double *)(uintptr_t)captures[f]->sigma_m)[i] = 0.003;
    for (int method = 0; method < 2; method++) {
        ArcFit *fit = fit_joint(text, FLIGHTS, (ArcMethod)method);
        assert_true(fit->converged);
        double factor = fit->spread.sigma_factor, sd = fit->spread.sigma_factor_sd;
        assert_true(fabs(factor - 2.0) < 4.0 * sd && sd < 0.2);
        double dof = 2 * POINTS * FLIGHTS - 4 * FLIGHTS - 1;
        assert_true(fabs(fit->residuals.chi2 - dof) < 1e-3 * dof);
        arc_fit_free(fit);
    }
    land(FLIGHTS);
}

/* Shared and own parameters that only together matter are unidentified everywhere. */
static void test_fit_unidentified_are_named(void **state)
{
    (void)state;
    const char *text =
        CASE_HEAD "flight: {drag: lumped, lift: lumped}\nparameters: {k: {start: 0.05}, "
                  "s: {start: 0.01}, spin: {start: 10, flights: per-flight}}\n";
    for (int f = 0; f < 3; f++)
        captures[f] = case_capture_seed(CASE_HEAD "flight: {drag: lumped, lift: lumped}\n"
                                                  "parameters: {k: 0.05, s: 0.01, spin: 15, x0: 0, "
                                                  "y0: 2, vx0: 8, vy0: 7}\n",
                                        POINTS, 1.2, 0.003, 90 + (uint64_t)f);
    ArcFit *fit = fit_joint(text, 3, ARC_DIRECT);
    const ArcEstimate *s = case_parameter(fit, "s");
    assert_int_equal(s->status, ARC_PARAMETER_UNIDENTIFIED);
    assert_non_null(strstr(s->reason, "spin"));
    assert_int_equal(case_parameter(fit, "k")->status, ARC_PARAMETER_FREE);
    for (int f = 0; f < 3; f++) {
        assert_int_equal(case_parameter(&fit->flights[f], "spin")->status,
                         ARC_PARAMETER_UNIDENTIFIED);
        assert_int_equal(case_parameter(&fit->flights[f], "vx0")->status, ARC_PARAMETER_FREE);
    }
    arc_fit_free(fit);
    land(3);
}

static void test_forecast_tells_what_the_fit_will(void **state)
{
    (void)state;
    ArcError err;
    ArcFit *forecast = NULL;
    fly(5, 0.5, 0.0, 0.003, 10);
    ArcJoint *joint = join(CASE_HEAD BALL "parameters: {cd: {start: 0.5}}\n", 5);
    assert_int_equal(arc_joint_forecast(joint, &forecast, &err), ARC_OK);
    ArcFit *fit = fit_joint(SHARED_TEXT, 5, ARC_DIRECT);
    const ArcEstimate *a = case_parameter(forecast, "cd"), *b = case_parameter(fit, "cd");
    assert_true(a->value == 0.5);
    assert_true(fabs(a->sd - b->sd) < 0.1 * b->sd);
    arc_fit_free(fit);
    arc_fit_free(forecast);
    arc_joint_free(joint);
    land(5);
}

/* The nets of flights that bounce, or whose release time is sought, are made anew as these move. */
static void test_fit_bounces_and_release_times_agree(void **state)
{
    (void)state;
    static const char *const texts[] = {
        CASE_HEAD "flight: {ball: basketball, drag: quadratic, bounce: {plane: y=0}}\n"
                  "parameters: {cd: 0.5, restitution: {start: 0.7}, friction: 0.2}\n",
        CASE_HEAD BALL "parameters: {cd: {start: 0.4}, t0: {start: -0.05, prior: {mean: -0.05, "
                       "sd: 0.01}}}\n"};
    for (int i = 0; i < 2; i++) {
        for (int f = 0; f < 4; f++) {
            char truth[512];
            snprintf(truth, sizeof truth,
                     CASE_HEAD "flight: {ball: basketball, drag: quadratic, bounce: {plane: y=0}}\n"
                               "parameters: {cd: 0.5, restitution: 0.8, friction: 0.2, x0: 0, y0: "
                               "%g, vx0: 3, vy0: %g}\n",
                     2.0 - 0.1 * f, 1.0 + 0.2 * f);
            captures[f] = case_capture_seed(truth, 24, i == 0 ? 1.2 : 0.6, 0.003, 50 + (uint64_t)f);
        }
        ArcFit *pinn = fit_joint(texts[i], 4, ARC_PINN);
        ArcFit *direct = fit_joint(texts[i], 4, ARC_DIRECT);
        assert_true(pinn->converged && direct->converged);
        assert_true(direct->residuals.chi2_p > 1e-3);
        for (int f = 0; f < 4; f++)
            for (int k = 0; k < direct->flights[f].n_parameters; k++) {
                const ArcEstimate *a = &pinn->flights[f].parameters[k];
                const ArcEstimate *b = &direct->flights[f].parameters[k];
                if (b->free_index >= 0 && !(fabs(a->value - b->value) < 0.02 * b->sd))
                    fail_msg("case %d, flight %d: %s %g and %g, sd %g and %g", i, f, b->name,
                             a->value, b->value, a->sd, b->sd);
            }
        arc_fit_free(pinn);
        arc_fit_free(direct);
        land(4);
    }
}

static void refuse(const char *text, int n, ArcStatus wanted, const char *says)
{
    ArcError err;
    ArcJoint *joint = NULL;
    ArcFit *fit = NULL;
    ArcExperiment *experiment = case_experiment(text);
    ArcStatus status =
        arc_joint_create(experiment, n, (const ArcCapture *const *)captures, &joint, &err);
    if (status == ARC_OK)
        status = arc_joint_fit(joint, ARC_DIRECT, NULL, &fit, &err);
    if (status != wanted || strstr(err.text, says) == NULL)
        fail_msg("status %d, '%s' instead of '%s'", (int)status, err.text, says);
    assert_null(fit);
    arc_joint_free(joint);
    arc_experiment_free(experiment);
}

static void test_create_refuses_what_several_flights_do_not_have(void **state)
{
    (void)state;
    fly(3, 0.5, 0.0, 0.003, 11);
    static const char *const keys[][2] = {
        {"fit: {loss: huber}\n", "loss: gauss"},
        {"fit: {starts: 3}\n", "starts: 1"},
        {"fit: {bootstrap: 20}\n", "no profile, bootstrap"},
        {"fit: {pinn: {physics: auto}}\n", "physics: exact"},
        {"fit: {pinn: {train: [{optimizer: lm}]}}\n", "linear alone"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, SHARED_TEXT "%s", keys[i][0]);
        refuse(text, 3, ARC_INPUT, keys[i][1]);
    }
    refuse(POPULATION_TEXT, 2, ARC_INPUT, "population of 'cd'");
    refuse(CASE_HEAD BALL "parameters: {t0: {fixed: 0.01}}\n", 3, ARC_INPUT, "(flight 1, ");
    land(3);
}

/* A spin that only the shortest flights can be followed with. */
static void test_forecast_flight_that_cannot_be_flown_is_named(void **state)
{
    (void)state;
    ArcError err;
    ArcFit *fit = NULL;
    for (int f = 0; f < 3; f++)
        captures[f] = case_capture(CASE_HEAD "flight: {drag: lumped, lift: lumped}\nparameters: "
                                             "{k: 0.03, x0: 0, y0: 2, vx0: 4, vy0: 5}\n",
                                   9, f == 1 ? 0.8 : 0.01, 0.003);
    ArcJoint *joint = join(CASE_HEAD "flight: {drag: lumped, lift: lumped}\nparameters: {k: free, "
                                     "s: 1, spin: {start: 1e5}}\n",
                           3);
    assert_int_equal(arc_joint_forecast(joint, &fit, &err), ARC_NUMERIC);
    assert_non_null(strstr(err.text, "flight 2 ((memory)) cannot be evaluated at the start"));
    assert_null(fit);
    arc_joint_free(joint);
    land(3);
}

static bool refuse_block(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

/* Every block of memory refused once: ARC_MEMORY, and nothing is left behind (the sanitizers look).
 */
static void test_fit_without_memory_gives_status(void **state)
{
    (void)state;
    static const char *const texts[] = {SHARED_TEXT, POPULATION_TEXT};
    fly(3, 0.5, 0.05, 0.003, 13);
    for (int i = 0; i < 4; i++) {
        ArcExperiment *experiment = case_experiment(texts[i / 2]);
        ArcStatus status = ARC_MEMORY;
        int allowed = 0;
        for (; status != ARC_OK && allowed < 5000; allowed++) {
            ArcError err;
            ArcJoint *joint = NULL;
            ArcFit *fit = NULL;
            int left = allowed;
            arc_memory_set_hook(refuse_block, &left);
            status =
                arc_joint_create(experiment, 3, (const ArcCapture *const *)captures, &joint, &err);
            if (status == ARC_OK)
                status = arc_joint_fit(joint, (ArcMethod)(i % 2), NULL, &fit, &err);
            arc_memory_set_hook(NULL, NULL);
            assert_true(status == ARC_OK || (status == ARC_MEMORY && fit == NULL));
            arc_fit_free(fit);
            arc_joint_free(joint);
        }
        assert_int_equal(status, ARC_OK);
        assert_true(allowed > 50);
        arc_experiment_free(experiment);
    }
    land(3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_direct_twenty_flights_equal_the_dense_fit),
        cmocka_unit_test(test_fit_pinn_twenty_flights_equal_the_dense_fit),
        cmocka_unit_test(test_fit_methods_agree),
        cmocka_unit_test(test_fit_one_flight_equals_the_fit_of_it_alone),
        cmocka_unit_test(test_fit_priors_count_once_or_each),
        cmocka_unit_test(test_fit_shared_release_and_own_drag_follow_their_names),
        cmocka_unit_test(test_fit_nothing_shared_equals_each_alone),
        cmocka_unit_test(test_fit_shared_parameter_is_covered),
        cmocka_unit_test(test_fit_sigma_is_estimated_over_all_flights),
        cmocka_unit_test(test_fit_unidentified_are_named),
        cmocka_unit_test(test_forecast_tells_what_the_fit_will),
        cmocka_unit_test(test_fit_bounces_and_release_times_agree),
        cmocka_unit_test(test_create_refuses_what_several_flights_do_not_have),
        cmocka_unit_test(test_forecast_flight_that_cannot_be_flown_is_named),
        cmocka_unit_test(test_fit_without_memory_gives_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
