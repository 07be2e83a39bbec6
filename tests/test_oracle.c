/* The 26 reference flights: experiment, capture, and what an independent SciPy program found.
 *
 * Direct: estimate within 0.001 sd of SciPy's, sd within 0.5 %, trajectory within 5e-6 m.
 * PINN, from 20 seeds: estimate within 0.001 sd of the direct one, sd within 0.1 %, trajectory
 * within 1e-5 m of SciPy's points. With ARCFIT_TEST_VERBOSE set the worst figures are printed. */
#include "shared_folder.h"

#include "arcfit/fit.h"

#include <glob.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

enum { SEEDS = 20 };

typedef struct Worst {
    double estimate_sd, sd_share, trajectory_m;
    int iterations;
} Worst;

static void keep_largest(double *worst, double value)
{
    if (!(value <= *worst))
        *worst = value;
}

static double json_at(const json_t *object, const char *group, const char *name)
{
    const json_t *number = json_object_get(json_object_get(object, group), name);
    assert_true(json_is_number(number));
    return json_number_value(number);
}

/* Largest distance of fit's estimates, sds and trajectory from the reference. */
static void measure_against_scipy(const ArcFit *fit, const json_t *expected, Worst *worst)
{
    int compared = 0;
    for (int i = 0; i < fit->n_parameters; i++) {
        const ArcEstimate *e = &fit->parameters[i];
        if (e->free_index < 0)
            continue;
        double sd = json_at(expected, "sd", e->name);
        keep_largest(&worst->estimate_sd,
                     fabs(e->value - json_at(expected, "estimate", e->name)) / sd);
        keep_largest(&worst->sd_share, fabs(e->sd / sd - 1.0));
        compared++;
    }
    assert_int_equal(compared, (int)json_object_size(json_object_get(expected, "estimate")));
    const json_t *points = json_object_get(json_object_get(expected, "trajectory"), "position_m");
    assert_int_equal((int)json_array_size(points), 11);
    for (int i = 0; i < 11; i++) {
        double square = 0.0;
        for (int c = 0; c < fit->dimensions; c++) {
            const json_t *x = json_array_get(json_array_get(points, (size_t)i), (size_t)c);
            double off = fit->position_m[10 * i * fit->dimensions + c] - json_number_value(x);
            square += off * off;
        }
        keep_largest(&worst->trajectory_m, sqrt(square));
    }
}

static void measure_against_direct(const ArcFit *pinn, const ArcFit *direct, Worst *worst)
{
    for (int i = 0; i < pinn->n_parameters; i++) {
        const ArcEstimate *a = &pinn->parameters[i], *b = &direct->parameters[i];
        if (a->free_index < 0)
            continue;
        keep_largest(&worst->estimate_sd, fabs(a->value - b->value) / b->sd);
        keep_largest(&worst->sd_share, fabs(a->sd / b->sd - 1.0));
    }
}

static ArcFit *run(ArcExperiment *experiment, const ArcCapture *capture, ArcMethod method)
{
    ArcError err;
    ArcProblem *problem = NULL;
    ArcFit *fit = NULL;
    if (arc_problem_create(experiment, capture, &problem, &err) != ARC_OK ||
        arc_fit_run(problem, method, NULL, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_problem_free(problem);
    return fit;
}

static void check_flight(const char *yaml, Worst *direct_worst, Worst *pinn_worst)
{
    char json_path[1024];
    snprintf(json_path, sizeof json_path, "%.*s.expected.json", (int)(strlen(yaml) - 5), yaml);
    json_t *expected = json_load_file(json_path, 0, NULL);
    assert_non_null(expected);
    ArcError err;
    ArcExperiment *experiment = NULL;
    ArcCapture *capture = NULL;
    if (arc_experiment_read(yaml, 0, NULL, &experiment, &err) != ARC_OK ||
        arc_capture_read(&experiment->capture, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    ArcFit *direct = run(experiment, capture, ARC_DIRECT);
    assert_true(direct->converged);
    measure_against_scipy(direct, expected, direct_worst);
    if (direct->iterations > direct_worst->iterations)
        direct_worst->iterations = direct->iterations;
    for (int seed = 1; seed <= SEEDS; seed++) {
        experiment->seed = (uint64_t)seed;
        ArcFit *pinn = run(experiment, capture, ARC_PINN);
        if (!pinn->converged)
            fail_msg("%s: seed %d did not converge: fine rms %g, sigma_phys %g", yaml, seed,
                     pinn->residuals.physics_rms_fine_m_s2, pinn->residuals.sigma_phys_m_s2);
        measure_against_direct(pinn, direct, pinn_worst);
        Worst against_scipy = {0};
        measure_against_scipy(pinn, expected, &against_scipy);
        keep_largest(&pinn_worst->trajectory_m, against_scipy.trajectory_m);
        if (pinn->iterations > pinn_worst->iterations)
            pinn_worst->iterations = pinn->iterations;
        arc_fit_free(pinn);
    }
    arc_fit_free(direct);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
    json_decref(expected);
}

static void test_fit_reference_flights_agree(void **state)
{
    (void)state;
    char pattern[1024];
    glob_t found;
    assert_int_equal(glob(shared_path(pattern, "oracle/*.yaml"), 0, NULL, &found), 0);
    assert_int_equal((int)found.gl_pathc, 26);
    Worst direct = {0}, pinn = {0};
    for (size_t i = 0; i < found.gl_pathc; i++) {
        Worst d = {0}, p = {0};
        check_flight(found.gl_pathv[i], &d, &p);
        if (getenv("ARCFIT_TEST_VERBOSE") != NULL)
            print_message(
                "%-40s direct %.1e sd %.1e %.1e m %d it; pinn %.1e sd %.1e %.1e m %d it\n",
                strrchr(found.gl_pathv[i], '/') + 1, d.estimate_sd, d.sd_share, d.trajectory_m,
                d.iterations, p.estimate_sd, p.sd_share, p.trajectory_m, p.iterations);
        assert_true(d.estimate_sd <= 1e-3);
        assert_true(d.sd_share <= 5e-3);
        assert_true(d.trajectory_m <= 5e-6);
        assert_true(p.estimate_sd <= 1e-3);
        assert_true(p.sd_share <= 1e-3);
        assert_true(p.trajectory_m <= 1e-5);
        keep_largest(&direct.estimate_sd, d.estimate_sd);
        keep_largest(&direct.sd_share, d.sd_share);
        keep_largest(&direct.trajectory_m, d.trajectory_m);
        keep_largest(&pinn.estimate_sd, p.estimate_sd);
        keep_largest(&pinn.sd_share, p.sd_share);
        keep_largest(&pinn.trajectory_m, p.trajectory_m);
    }
    print_message(
        "worst of 26 flights: direct %.2e sd, sd %.2e, %.2e m; pinn (20 seeds) %.2e sd, sd "
        "%.2e, %.2e m\n",
        direct.estimate_sd, direct.sd_share, direct.trajectory_m, pinn.estimate_sd, pinn.sd_share,
        pinn.trajectory_m);
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fit_reference_flights_agree)};
    return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
