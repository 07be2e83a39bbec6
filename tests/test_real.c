/* Real captures, four of them as they stand: both methods converge, identify everything and agree.
 * Systematic errors of the cameras show as a chi2 that says so; agreement is what counts here. */
#include "shared_folder.h"

#include "arcfit/result.h"

#include <math.h>
#include <string.h>

static void check_capture(const char *name)
{
    char path[1024], file[128];
    snprintf(file, sizeof file, "data/%s.yaml", name);
    ArcError err;
    ArcExperiment *experiment = NULL;
    ArcResult *result = NULL;
    if (arc_experiment_read(shared_path(path, file), 0, NULL, &experiment, &err) != ARC_OK ||
        arc_result_create(experiment, 0, NULL, NULL, &result, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(result->n_fits, 2);
    const ArcFit *pinn = result->fits[0], *direct = result->fits[1];
    print_message("%s: %d points, max difference %.1e sd, trajectory %.1e m, rms %.2f mm, chi2 "
                  "%.1f at dof %d, verdict %s, %d and %d iterations\n",
                  name, direct->residuals.points, result->comparison.max_in_sd,
                  result->comparison.trajectory_max_m, 1e3 * direct->residuals.rms_m,
                  direct->residuals.chi2, direct->residuals.dof,
                  arc_verdict_text(result->comparison.verdict), pinn->iterations,
                  direct->iterations);
    for (int i = 0; i < direct->n_parameters; i++)
        if (direct->parameters[i].free_index >= 0)
            print_message("    %-4s %10.5g +- %.2g\n", direct->parameters[i].name,
                          direct->parameters[i].value, direct->parameters[i].sd);
    for (int i = 0; i < 2; i++) {
        assert_true(result->fits[i]->converged);
        assert_int_equal(result->fits[i]->n_unidentified, 0);
    }
    assert_int_equal(arc_result_exit_code(result), 0);
    assert_true(result->comparison.max_in_sd < 0.01);
    assert_true(result->comparison.trajectory_max_m < 1e-6);
    arc_result_free(result);
    arc_experiment_free(experiment);
}

static void test_result_create_table_tennis_agrees(void **state)
{
    (void)state;
    check_capture("table-tennis-launcher/topspin_00");
    check_capture("table-tennis-launcher/backspin_00");
    check_capture("table-tennis-launcher/no_spin_00");
}

static void test_result_create_juggling_ball_agrees(void **state)
{
    (void)state;
    check_capture("juggling-robot/s3_b0");
}

/* Every twentieth point of a capture whose errors are no noise: the search for cauchy's sigma does
 * not settle, so that no fit at whatever sigma it stopped at counts as one. */
static void test_result_create_sigma_that_is_not_found_is_no_convergence(void **state)
{
    (void)state;
    char path[1024];
    static const char *const overrides[] = {"capture.file=s4_b11.csv", "capture.sigma=estimate",
                                            "fit.loss=cauchy"};
    ArcError err;
    ArcExperiment *experiment = NULL;
    ArcResult *result = NULL;
    if (arc_experiment_read(shared_path(path, "data/juggling-robot/s3_b0.yaml"), 3, overrides,
                            &experiment, &err) != ARC_OK ||
        arc_result_create(experiment, 3, overrides, NULL, &result, &err) != ARC_OK)
        fail_msg("%s", err.text);
    int not_found = 0;
    for (int i = 0; i < result->n_fits; i++) {
        const ArcFit *fit = result->fits[i];
        if (isfinite(fit->spread.sigma_factor_sd))
            continue;
        not_found++;
        assert_false(fit->converged);
        assert_non_null(strstr(fit->stop_note, "sigma could not be found"));
    }
    assert_true(not_found > 0);
    assert_int_equal(result->comparison.verdict, ARC_VERDICT_NOT_CONVERGED);
    arc_result_free(result);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_result_create_table_tennis_agrees),
        cmocka_unit_test(test_result_create_juggling_ball_agrees),
        cmocka_unit_test(test_result_create_sigma_that_is_not_found_is_no_convergence),
    };
    return cmocka_run_group_tests_name("real", tests, NULL, NULL);
}
