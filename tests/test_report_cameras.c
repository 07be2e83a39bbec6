/* What cameras saw, in text and JSON, in HDF5 and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "arcfit/report.h"
#include "arcfit/text.h"
#include "view_case.h"

static char folder[] = "/tmp/arcfit-report-cameras-XXXXXX";
static char points[64], stored[64];

static int setup(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(points, sizeof points, "%s/none.csv", folder);
    snprintf(stored, sizeof stored, "%s/result.h5", folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(points);
    unlink(stored);
    return rmdir(folder);
}

/* Two cameras, one of which has a wrong pixel, with points held out and sigmas of their own. */
static ArcResult *make_result(void)
{
    static const char truth[] = CAMERA_TWO CAMERA_BALL
        "parameters: {cd: {start: 0.5}, " CAMERA_THROW ", right.time_offset: 0.0037}\n";
    static const char fitted[] =
        CAMERA_TWO CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}, "
                               "right.time_offset: free, left.sigma: free, right.sigma: free}\n";
    static const char *const overrides[] = {"capture.hold_out={every: 5}"};
    char path[80];
    ArcError err;
    ArcExperiment *experiment = NULL;
    ArcResult *result = NULL;
    ArcCapture *capture = camera_capture(truth, 30, 0.9, 5);
    ((double *)(uintptr_t)capture->pixel_px)[2 * 21] += 15.0;
    assert_int_equal(arc_capture_write(capture, NULL, points, &err), ARC_OK);
    snprintf(path, sizeof path, "%s/case.yaml", folder);
    if (arc_experiment_parse(path, fitted, strlen(fitted), 1, overrides, &experiment, &err) !=
            ARC_OK ||
        arc_result_create(experiment, 1, overrides, NULL, &result, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
    return result;
}

static void assert_same(double a, double b)
{
    assert_true(a == b || (isnan(a) && isnan(b)));
}

static void assert_cameras_equal(const ArcResiduals *a, const ArcResiduals *b)
{
    assert_int_equal(a->n_cameras, b->n_cameras);
    assert_same(a->rms_px, b->rms_px);
    assert_same(a->held_out_rms_px, b->held_out_rms_px);
    for (int i = 0; i < a->n_cameras; i++) {
        assert_string_equal(a->cameras[i].name, b->cameras[i].name);
        assert_int_equal(a->cameras[i].points, b->cameras[i].points);
        assert_int_equal(a->cameras[i].observations, b->cameras[i].observations);
        assert_same(a->cameras[i].rms_px, b->cameras[i].rms_px);
        assert_same(a->cameras[i].chi2, b->cameras[i].chi2);
        assert_same(a->cameras[i].held_out_rms_px, b->cameras[i].held_out_rms_px);
        assert_same(a->cameras[i].sigma_factor, b->cameras[i].sigma_factor);
        assert_same(a->cameras[i].sigma_factor_sd, b->cameras[i].sigma_factor_sd);
    }
}

static void test_hdf5_cameras_read_back_the_same(void **state)
{
    (void)state;
    ArcError err;
    ArcResult *result = make_result(), *again = NULL;
    assert_int_equal(arc_report_write_hdf5(result, stored, &err), ARC_OK);
    if (arc_report_read_hdf5(stored, &again, &err) != ARC_OK)
        fail_msg("%s", err.text);
    const ArcCapture *a = result->capture, *b = again->capture;
    assert_int_equal(a->n_cameras, b->n_cameras);
    for (int c = 0; c < a->n_cameras; c++) {
        const ArcCamera *one = &a->cameras[c], *other = &b->cameras[c];
        assert_string_equal(one->name, other->name);
        assert_string_equal(a->camera_files[c], b->camera_files[c]);
        assert_int_equal(one->kind, other->kind);
        assert_int_equal(one->n_lens, other->n_lens);
        assert_memory_equal(one->rotation, other->rotation, sizeof one->rotation);
        assert_memory_equal(one->lens, other->lens, sizeof one->lens);
        assert_true(one->reach == other->reach);
        const double at[3] = {1.0, 0.2, 2.0};
        ArcProjection seen, seen_again;
        assert_true(arc_camera_project(one, NULL, at, 0.12, &seen));
        assert_true(arc_camera_project(other, NULL, at, 0.12, &seen_again));
        assert_true(seen.pixel_px[0] == seen_again.pixel_px[0]);
        assert_true(seen.radius_px == seen_again.radius_px);
    }
    for (int i = 0; i < a->n_points; i++) {
        assert_int_equal(a->camera[i], b->camera[i]);
        assert_same(a->pixel_px[2 * i + 1], b->pixel_px[2 * i + 1]);
        assert_same(a->sigma_px[i], b->sigma_px[i]);
        assert_same(a->radius_px[i], b->radius_px[i]);
        for (int k = 0; k < 3; k++)
            assert_same(result->fits[0]->predicted_px[3 * i + k],
                        again->fits[0]->predicted_px[3 * i + k]);
    }
    assert_cameras_equal(&result->fits[0]->residuals, &again->fits[0]->residuals);
    assert_cameras_equal(&result->fits[1]->residuals, &again->fits[1]->residuals);
    const ArcSpread *spread = &again->fits[1]->spread;
    assert_int_equal(spread->n_outliers, 1);
    assert_int_equal(spread->outliers[0].camera, 1);
    arc_result_free(again);
    arc_result_free(result);
}

static void assert_says(const char *text, const char *what)
{
    if (strstr(text, what) == NULL)
        fail_msg("'%s' is not in\n%s", what, text);
}

static void test_text_and_json_say_what_cameras_saw(void **state)
{
    (void)state;
    ArcError err;
    char *text = NULL;
    ArcResult *result = make_result();
    assert_int_equal(arc_report_text(result, false, &text, &err), ARC_OK);
    assert_says(text, "48 fitted, 12 held out, 0 unused; sigma 0.5 px\n");
    assert_says(text, "rms of pixels");
    assert_says(text, " px, 12 points");
    assert_says(text, "cameras           points    rms, px");
    assert_says(text, "right.sigma");
    assert_says(text, "  right\n");
    assert_null(strstr(text, "none mm"));
    arc_text_free(text);
    assert_int_equal(arc_report_json(1, (const ArcResult *const[]){result}, false, &text, &err),
                     ARC_OK);
    assert_says(text, "\"rms_px\":");
    assert_says(text, "\"predicted_px\":");
    assert_says(text, "\"residual_px\":");
    assert_says(text, "\"axis\": \"u\"");
    assert_says(text, "\"name\": \"right\"");
    arc_text_free(text);
    arc_result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hdf5_cameras_read_back_the_same),
        cmocka_unit_test(test_text_and_json_say_what_cameras_saw),
    };
    return cmocka_run_group_tests_name("report_cameras", tests, setup, teardown);
}
