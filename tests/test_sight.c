/* Back from pixels: lenses undone, lines of sight, triangulation against its own scatter. */
#include "arcfit/camera.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "camera_case.h"

static void test_camera_undistort_goes_back(void **state)
{
    (void)state;
    for (int i = 2; i < N_CAMERAS; i++) {
        ArcCamera camera = any_camera(i);
        for (int k = 0; k < N_REFERENCE_POSITIONS; k++) {
            ArcProjection to;
            const double *x = reference_positions_m[k], *R = camera.rotation;
            double n[2], c[3];
            assert_true(arc_camera_project(&camera, NULL, x, 0, &to));
            assert_true(arc_camera_undistort(&camera, to.pixel_px, n));
            for (int e = 0; e < 3; e++)
                c[e] = R[3 * e] * x[0] + R[3 * e + 1] * x[1] + R[3 * e + 2] * x[2] +
                       camera.translation_m[e];
            assert_near(n[0], c[0] / c[2], 2e-12);
            assert_near(n[1], c[1] / c[2], 2e-12);
        }
    }
}

static void test_camera_undistort_over_a_whole_image_goes_back(void **state)
{
    (void)state;
    for (int i = 0; i < N_REFERENCES; i++) {
        ArcCamera camera = reference_camera(reference_pixels[i].kind, reference_pixels[i].n_lens);
        for (int u = 0; u <= 1280; u += 160)
            for (int v = 0; v <= 720; v += 90) {
                const double pixel[2] = {u, v}, straight[3] = {0};
                ArcError err;
                ArcProjection to;
                double n[2];
                assert_true(arc_camera_undistort(&camera, pixel, n));
                ArcCamera plain = camera;
                arc_camera_set_rotation(&plain, straight);
                memset(plain.translation_m, 0, sizeof plain.translation_m);
                assert_int_equal(arc_camera_check(&plain, &err), ARC_OK);
                assert_true(arc_camera_project(&plain, NULL, (double[]){n[0], n[1], 1}, 0, &to));
                assert_near(to.pixel_px[0], u, 1e-8);
                assert_near(to.pixel_px[1], v, 1e-8);
            }
    }
}

static void test_camera_rows_vanish_where_the_ball_is(void **state)
{
    (void)state;
    for (int i = 0; i < N_CAMERAS; i++) {
        ArcCamera camera = any_camera(i);
        int d = arc_camera_dimensions(&camera);
        for (int k = 0; k < N_REFERENCE_POSITIONS; k++) {
            ArcProjection to, near;
            double x[3], y[3], rows[2][4], depth[4], far = 0;
            seen_position(&camera, k, x);
            memcpy(y, x, sizeof y);
            y[0] += 1e-5;
            y[1] -= 2e-5;
            assert_true(arc_camera_project(&camera, NULL, x, 0, &to));
            assert_true(arc_camera_project(&camera, NULL, y, 0, &near));
            assert_true(arc_camera_rows(&camera, to.pixel_px, rows, depth));
            for (int e = 0; e <= d; e++)
                far += depth[e] * (e < d ? y[e] : 1);
            assert_true(far > 0);
            for (int row = 0; row < 2; row++) {
                double at = rows[row][d], off = rows[row][d];
                for (int e = 0; e < d; e++) {
                    at += rows[row][e] * x[e];
                    off += rows[row][e] * y[e];
                }
                assert_near(at / far, 0, 1e-9);
                /* its size is that of the pixel's error */
                assert_near(off / far, near.pixel_px[row] - to.pixel_px[row], 1e-6);
            }
        }
    }
}

/* Three cameras around the scene, with a lens. */
static void make_rig(ArcCamera rig[3])
{
    static const double vectors[3][3] = {{1.35, -0.22, 0.31}, {1.2, -0.9, 0.8}, {1.4, 0.5, -0.4}};
    ArcError err;
    for (int i = 0; i < 3; i++) {
        rig[i] = reference_camera(ARC_CAMERA_PINHOLE, 5);
        arc_camera_set_rotation(&rig[i], vectors[i]);
        assert_int_equal(arc_camera_check(&rig[i], &err), ARC_OK);
    }
}

static void test_camera_triangulate_is_exact_and_scatters_as_it_says(void **state)
{
    (void)state;
    enum { TRIALS = 4000 };
    ArcCamera rig[3];
    const ArcCamera *cameras[3] = {&rig[0], &rig[1], &rig[2]};
    const double x[3] = {0.4, -0.2, 1.3}, sigma[3] = {0.5, 0.8, 0.4};
    double exact[6], found[3], covariance[9], sums[9] = {0}, chi2 = 0;
    ArcError err;
    make_rig(rig);
    for (int i = 0; i < 3; i++) {
        ArcProjection to;
        assert_true(arc_camera_project(&rig[i], NULL, x, 0, &to));
        memcpy(exact + 2 * i, to.pixel_px, 2 * sizeof(double));
    }
    assert_int_equal(arc_camera_triangulate(3, cameras, exact, sigma, found, covariance, &err),
                     ARC_OK);
    for (int e = 0; e < 3; e++)
        assert_near(found[e], x[e], 1e-12);
    ArcRandom random = arc_random_create(5, 1);
    for (int trial = 0; trial < TRIALS; trial++) {
        double noisy[6], off[3];
        for (int k = 0; k < 6; k++)
            noisy[k] = exact[k] + sigma[k / 2] * arc_random_normal(&random);
        assert_int_equal(arc_camera_triangulate(3, cameras, noisy, sigma, found, NULL, &err),
                         ARC_OK);
        for (int e = 0; e < 3; e++)
            off[e] = found[e] - x[e];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                sums[3 * a + b] += off[a] * off[b] / TRIALS;
        for (int i = 0; i < 3; i++) { /* what is left over has 3 degrees of freedom */
            ArcProjection to;
            assert_true(arc_camera_project(&rig[i], NULL, found, 0, &to));
            for (int k = 0; k < 2; k++)
                chi2 += pow((noisy[2 * i + k] - to.pixel_px[k]) / sigma[i], 2) / TRIALS;
        }
    }
    /* sd of a variance's estimate: sqrt(2 / 4000) = 2.2 %; four of them */
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            assert_near((sums[3 * a + b] - covariance[3 * a + b]) /
                            sqrt(covariance[4 * a] * covariance[4 * b]),
                        0, 0.09);
    assert_near(chi2, 3, 4 * sqrt(6.0 / TRIALS));
}

static void test_camera_triangulate_a_plane_takes_one_camera(void **state)
{
    (void)state;
    ArcError err;
    for (int i = 0; i < 2; i++) {
        ArcCamera camera = any_camera(i);
        const ArcCamera *one = &camera;
        const double x[2] = {1.3, 0.7}, sigma = 0.5;
        double found[2], covariance[4];
        ArcProjection to;
        assert_true(arc_camera_project(&camera, NULL, x, 0, &to));
        assert_int_equal(
            arc_camera_triangulate(1, &one, to.pixel_px, &sigma, found, covariance, &err), ARC_OK);
        assert_near(found[0], x[0], 1e-12);
        assert_near(found[1], x[1], 1e-12);
        if (i == 0)
            assert_near(sqrt(covariance[0]), 0.5 * camera.metres_per_px, 1e-15);
    }
}

static void test_camera_triangulate_refuses_what_it_cannot(void **state)
{
    (void)state;
    ArcError err;
    ArcCamera rig[3], plane = stick_camera();
    make_rig(rig);
    const ArcCamera *twice[2] = {&rig[0], &rig[0]}, *mixed[2] = {&rig[0], &plane};
    const ArcCamera *two[2] = {&rig[0], &rig[1]};
    const double same[4] = {700, 400, 700, 400}, sigma[2] = {1, 1};
    const double lost[4] = {700, 400, NAN, 0}, away[4] = {1250, 400, 100, 400};
    double x[3] = {7, 8, 9};
    assert_int_equal(arc_camera_triangulate(1, twice, same, sigma, x, NULL, &err), ARC_NUMERIC);
    assert_int_equal(arc_camera_triangulate(2, twice, same, sigma, x, NULL, &err), ARC_NUMERIC);
    assert_non_null(strstr(err.text, "rays are parallel"));
    assert_int_equal(arc_camera_triangulate(2, mixed, same, sigma, x, NULL, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "a scale camera sees a plane, a pinhole camera space"));
    assert_int_equal(arc_camera_triangulate(2, two, lost, sigma, x, NULL, &err), ARC_NUMERIC);
    assert_non_null(strstr(err.text, "outside what the camera's lens sees"));
    assert_int_equal(arc_camera_triangulate(2, two, away, sigma, x, NULL, &err), ARC_NUMERIC);
    assert_non_null(strstr(err.text, "where a camera cannot see"));
    assert_near(x[0] + x[1] + x[2], 24, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_camera_undistort_goes_back),
        cmocka_unit_test(test_camera_undistort_over_a_whole_image_goes_back),
        cmocka_unit_test(test_camera_rows_vanish_where_the_ball_is),
        cmocka_unit_test(test_camera_triangulate_is_exact_and_scatters_as_it_says),
        cmocka_unit_test(test_camera_triangulate_a_plane_takes_one_camera),
        cmocka_unit_test(test_camera_triangulate_refuses_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
