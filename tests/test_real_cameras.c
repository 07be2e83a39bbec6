/* Real captures in pixels, and a synthetic one in DLTdv's files, through their cameras. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/result.h"
#include "shared_folder.h"
#include "view_case.h"

/* The experiment as it would lie in the shared folder. */
static ArcResult *result_of(const char *text, int n_overrides, const char *const *overrides)
{
    char path[1024];
    ArcError err;
    ArcExperiment *experiment = NULL;
    ArcResult *result = NULL;
    if (arc_experiment_parse(shared_path(path, "case.yaml"), text, strlen(text), n_overrides,
                             overrides, &experiment, &err) != ARC_OK ||
        arc_result_create(experiment, n_overrides, overrides, NULL, &result, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_experiment_free(experiment);
    return result;
}

static double value_of(const ArcResult *result, const char *name)
{
    return case_parameter(arc_result_fit(result, ARC_DIRECT), name)->value;
}

static void assert_both_agree(const ArcResult *result)
{
    for (int i = 0; i < 2; i++)
        assert_true(result->fits[i]->converged);
    assert_true(result->comparison.max_in_sd < 1e-2);
}

/* A throw in a sports hall: the stick in the picture says 5.135 mm a pixel, gravity 5 % more; the
 * first and the last frame stand twice. */
static void test_basketball_gravity_corrects_the_stick(void **state)
{
    (void)state;
    static const char text[] =
        "arcfit: 1\n"
        "capture: {file: data/basketball-pixels/OUTPUT.csv, rate: 60 Hz, sigma: estimate, "
        "units: {position: px}, rows_from: bottom, cameras: {side: {stick: {from: [0, 0], to: "
        "[23.37, 0], "
        "length: 0.12 m}}}}\n"
        "flight: {ball: basketball, drag: quadratic}\n"
        "parameters: {cd: {prior: {mean: 0.5, sd: 0.05}}, scale: free}\n";
    ArcResult *result = result_of(text, 0, NULL);
    assert_both_agree(result);
    const ArcFit *fit = arc_result_fit(result, ARC_DIRECT);
    double scale = value_of(result, "scale");
    print_message("basketball: the stick's scale times %.3f, rms %.2f px\n", scale,
                  fit->residuals.rms_px);
    assert_true(scale > 1.03 && scale < 1.08);
    assert_true(fit->residuals.rms_px < 3.0);
    assert_true(fit->spread.n_outliers >= 2);
    assert_int_equal(fit->spread.outliers[0].point % 77, 0);
    arc_result_free(result);
}

#define TENNIS(c)                                                                                  \
    "CAM" #c ": {calibration: data/table-tennis-3cam/cameras.json, entry: CAM" #c                  \
    ", file: data/table-tennis-3cam/CAM" #c "-0_cleaned.csv, format: csv}"
#define ABOUT(sd) "{prior: {mean: 0, sd: " #sd "}}"
#define KNOCKED                                                                                    \
    "{time_offset: " ABOUT(0.01) ", rx: " ABOUT(0.05) ", ry: " ABOUT(0.05) ", rz: " ABOUT(0.05) "}"

/* Three cameras whose calibration is 20 pixels off: what their clocks and poses lack is found. */
static void test_table_tennis_poses_and_clocks_are_corrected(void **state)
{
    (void)state;
    static const char text[] =
        "arcfit: 1\n"
        "capture: {rate: 120 Hz, sigma: 2 px, columns: {frame: frame, u: undistort_x, "
        "v: undistort_y}, window: [0 s, 0.3 s], cameras: {" TENNIS(1) ", " TENNIS(2) ", " TENNIS(
            3) "}}\n"
               "flight: {dimensions: 3, ball: table-tennis, drag: quadratic, lift: lumped}\n"
               "parameters: {cd: " ABOUT(0.1) ", wx: " ABOUT(1) ", wy: " ABOUT(1) ", wz: " ABOUT(
                   1) "}\n";
    static const char *const overrides[] = {"parameters.cd={prior: {mean: 0.5, sd: 0.1}}",
                                            "parameters.CAM1=" KNOCKED, "parameters.CAM2=" KNOCKED};
    ArcResult *plain = result_of(text, 1, overrides), *corrected = result_of(text, 3, overrides);
    assert_both_agree(corrected);
    double before = arc_result_fit(plain, ARC_DIRECT)->residuals.rms_px;
    double after = arc_result_fit(corrected, ARC_DIRECT)->residuals.rms_px;
    print_message("table tennis: rms %.2f px, corrected %.2f px, cd %.3f\n", before, after,
                  value_of(corrected, "cd"));
    assert_true(before > 10.0 && after < 2.5);
    assert_true(fabs(value_of(corrected, "cd") - 0.5) < 0.1);
    arc_result_free(plain);
    arc_result_free(corrected);
}

/* Two cameras by DLT coefficients, in DLTdv's own files: the flight they were made of. */
static void test_dltdv_flight_is_the_one_it_was_made_of(void **state)
{
    (void)state;
    static const char text[] =
        "arcfit: 1\n"
        "capture: {file: samples/dltdv8_xypts.csv, rate: 120 Hz, sigma: estimate, cameras: {"
        "cam1: {calibration: samples/dltv8_dltcoefs.csv, entry: '1', dlt_rows_from: top}, "
        "cam2: {calibration: samples/dltv8_dltcoefs.csv, entry: '2', dlt_rows_from: top}}}\n"
        "flight: {dimensions: 3, ball: basketball, drag: quadratic, lift: rational, "
        "air: {density: 1.1993}}\n"
        "parameters: {cd: free, wx: 0, wy: -18.849555922, wz: 0}\n";
    ArcResult *result = result_of(text, 0, NULL);
    const ArcFit *fit = arc_result_fit(result, ARC_DIRECT);
    assert_both_agree(result);
    static const struct {
        const char *name;
        double value;
    } truth[] = {{"cd", 0.5}, {"x0", 0.075269601}, {"y0", 0.049334220}, {"z0", 2.228699481}};
    for (int i = 0; i < 4; i++) {
        const ArcEstimate *e = case_parameter(fit, truth[i].name);
        if (!(fabs(e->value - truth[i].value) < 4.0 * e->sd && e->sd < 0.05))
            fail_msg("%s is %g +- %g, truly %g", e->name, e->value, e->sd, truth[i].value);
    }
    arc_result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_basketball_gravity_corrects_the_stick),
        cmocka_unit_test(test_table_tennis_poses_and_clocks_are_corrected),
        cmocka_unit_test(test_dltdv_flight_is_the_one_it_was_made_of),
    };
    return cmocka_run_group_tests_name("real_cameras", tests, NULL, NULL);
}
