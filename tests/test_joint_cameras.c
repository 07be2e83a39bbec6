/* Flights that cameras saw, fitted together: what they share, sigma and scores in pixels, and what
 * no view tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "joint_case.h"

/* Flights that two cameras saw share what is wrong with these: by name, as any parameter. */
static void test_fit_cameras_share_their_clock_and_gravity(void **state)
{
    (void)state;
    const char *text = CAMERA_TWO CAMERA_BALL
        "parameters: {cd: {start: 0.45}, left.time_offset: {start: 0}, gravity: {start: 9.8}}\n";
    double sd[2];
    for (int n = 1; n <= 4; n += 3) {
        for (int f = 0; f < n; f++)
            captures[f] = camera_capture(CAMERA_TWO CAMERA_BALL
                                         "parameters: {cd: 0.54, left.time_offset: 3.7 ms, "
                                         "gravity: 9.81, " CAMERA_THROW "}\n",
                                         12, 0.9, 70 + (uint64_t)f);
        ArcFit *pinn = fit_joint(text, n, ARC_PINN), *direct = fit_joint(text, n, ARC_DIRECT);
        assert_true(pinn->converged && direct->converged);
        assert_int_equal(direct->n_free, 3);
        for (int i = 0; i < direct->n_parameters; i++) {
            const ArcEstimate *a = &pinn->parameters[i], *b = &direct->parameters[i];
            assert_true(fabs(a->value - b->value) < 0.02 * b->sd);
        }
        const ArcEstimate *offset = case_parameter(direct, "left.time_offset");
        assert_true(fabs(offset->value - 3.7e-3) < 4.0 * offset->sd);
        sd[n / 4] = offset->sd;
        assert_true(direct->residuals.chi2_p > 1e-3);
        assert_int_equal(direct->residuals.n_cameras, 2);
        assert_int_equal(direct->residuals.cameras[0].points, 12 * n);
        arc_fit_free(pinn);
        arc_fit_free(direct);
        land(n);
    }
    /* Four flights know it twice as well as one. */
    assert_true(sd[1] > 0.45 * sd[0] && sd[1] < 0.55 * sd[0]);
}

/* One camera each, and gravity free: no flight tells its distance, nor do all together. */
static void test_fit_one_camera_of_flights_without_gravity_is_unidentified(void **state)
{
    (void)state;
    for (int f = 0; f < 3; f++)
        captures[f] =
            camera_capture(CAMERA_ONE CAMERA_BALL "parameters: {cd: 0.54, " CAMERA_THROW "}\n", 30,
                           0.9, 60 + (uint64_t)f);
    for (int method = 0; method < 2; method++) {
        ArcFit *fit = fit_joint(CAMERA_ONE CAMERA_BALL
                                "parameters: {cd: {prior: {mean: 0.54, sd: 0.03}}, gravity: "
                                "free}\n",
                                3, (ArcMethod)method);
        const ArcEstimate *gravity = case_parameter(fit, "gravity");
        assert_true(fit->converged && fit->n_unidentified == 1);
        assert_int_equal(gravity->status, ARC_PARAMETER_UNIDENTIFIED);
        assert_non_null(strstr(gravity->reason, "y0"));
        assert_true(isnan(gravity->sd) && case_parameter(fit, "cd")->sd < 0.035);
        for (int f = 0; f < 3; f++) {
            assert_int_equal(case_parameter(&fit->flights[f], "y0")->status,
                             ARC_PARAMETER_UNIDENTIFIED);
            assert_int_equal(fit->flights[f].n_unidentified, 1);
        }
        arc_fit_free(fit);
    }
    land(3);
}

/* Sigmas in pixels are told as such, and held-out points of all flights count alike, however many
 * each has. */
static void test_fit_cameras_estimate_sigma_and_score_in_pixels(void **state)
{
    (void)state;
    const char *text =
        "arcfit: 1\ncapture: {file: none.csv, sigma: estimate, cameras: "
        "{" CAMERA_LEFT ", " CAMERA_RIGHT "}}\n" CAMERA_BALL "parameters: {cd: {start: 0.45}}\n";
    static const int held[2] = {2, 17};
    double square = 0.0;
    int n = 0;
    for (int f = 0; f < 2; f++) {
        ArcCapture *capture =
            camera_capture(CAMERA_TWO CAMERA_BALL "parameters: {cd: 0.54, " CAMERA_THROW "}\n", 24,
                           0.9, 80 + (uint64_t)f);
        for (int i = 0; i < held[f]; i++)
            ((ArcPointUse *)(uintptr_t)capture->use)[2 * i + 1] = ARC_POINT_HELD_OUT;
        captures[f] = capture;
    }
    ArcFit *fit = fit_joint(text, 2, ARC_DIRECT);
    assert_true(fit->converged && isnan(fit->spread.sigma_m));
    assert_true(fabs(fit->spread.sigma_px / 0.5 - 1.0) < 0.3);
    for (int f = 0; f < 2; f++) {
        const ArcFit *flight = &fit->flights[f];
        assert_int_equal(flight->residuals.held_out_points, held[f]);
        for (int i = 0; i < 2 * held[f]; i += 2)
            for (int k = 0; k < 2; k++, n++) {
                double off =
                    flight->predicted_px[3 * (i + 1) + k] - captures[f]->pixel_px[2 * (i + 1) + k];
                square += off * off;
            }
    }
    assert_true(fabs(fit->residuals.held_out_rms_px / sqrt(square / n) - 1.0) < 1e-9);
    arc_fit_free(fit);
    land(2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_cameras_share_their_clock_and_gravity),
        cmocka_unit_test(test_fit_one_camera_of_flights_without_gravity_is_unidentified),
        cmocka_unit_test(test_fit_cameras_estimate_sigma_and_score_in_pixels),
    };
    return cmocka_run_group_tests_name("joint_cameras", tests, NULL, NULL);
}
