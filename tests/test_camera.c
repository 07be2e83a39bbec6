/* Cameras: projection against OpenCV's numbers and by definition, partials against differences,
 * what corrections mean, apparent radius, refusals. */
#include "arcfit/camera.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "camera_case.h"

static void test_camera_project_gives_opencvs_pixels(void **state)
{
    (void)state;
    for (int i = 0; i < N_REFERENCES; i++) {
        const struct ReferencePixels *row = &reference_pixels[i];
        ArcCamera camera = reference_camera(row->kind, row->n_lens);
        for (int k = 0; k < N_REFERENCE_POSITIONS; k++) {
            ArcProjection to;
            assert_true(arc_camera_project(&camera, NULL, reference_positions_m[k], 0, &to));
            for (int e = 0; e < 2; e++)
                assert_near(to.pixel_px[e], row->pixels_px[k][e], 2e-10);
        }
    }
}

static void test_camera_project_scale_follows_its_definition(void **state)
{
    (void)state;
    ArcError err;
    ArcCamera camera;
    ArcProjection to;
    const double origin[2] = {50, 450};
    ArcStick stick = {{100, 400}, {100, 200}, 2, half_turn_rad / 2};
    const double x[2] = {0.75, 1};
    /* a plumb stick, 2 m in 200 px: level rows */
    assert_int_equal(arc_camera_from_stick(&stick, origin, &camera, &err), ARC_OK);
    assert_near(camera.metres_per_px, 0.01, 1e-17);
    assert_near(camera.angle_rad, 0, 1e-15);
    assert_true(arc_camera_project(&camera, NULL, x, 0.12, &to));
    assert_near(to.pixel_px[0], 125, 1e-12);
    assert_near(to.pixel_px[1], 350, 1e-12);
    assert_near(to.radius_px, 12, 1e-12);
    /* the same stick said to be level: x goes up in the image, y to its left */
    stick.angle_rad = 0;
    assert_int_equal(arc_camera_from_stick(&stick, origin, &camera, &err), ARC_OK);
    assert_true(arc_camera_project(&camera, NULL, x, 0, &to));
    assert_near(to.pixel_px[0], -50, 1e-12);
    assert_near(to.pixel_px[1], 375, 1e-12);
    /* and without a word about it: level rows again */
    stick.angle_rad = NAN;
    assert_int_equal(arc_camera_from_stick(&stick, origin, &camera, &err), ARC_OK);
    assert_near(camera.angle_rad, 0, 0);
}

static void test_camera_from_dlt_projects_as_its_coefficients_say(void **state)
{
    (void)state;
    ArcError err;
    ArcCamera camera = dlt_camera();
    ArcProjection to;
    double L[11];
    dlt_coefficients(L);
    assert_near(camera.skew_px, 2.5, 1e-9);
    assert_near(camera.focal_px[0], 1400, 1e-9);
    assert_near(camera.translation_m[2], 6.5, 1e-11);
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        double turned[11];
        memcpy(turned, L, sizeof L);
        for (int row = 0; row < 3 && mirrored; row++)
            turned[4 * row + 2] *= -1; /* z down */
        assert_int_equal(arc_camera_from_dlt(turned, false, &camera, &err), ARC_OK);
        for (int k = 0; k < N_REFERENCE_POSITIONS; k++) {
            double x[3];
            memcpy(x, reference_positions_m[k], sizeof x);
            x[2] *= mirrored ? -1 : 1;
            const double *t = turned;
            double w = t[8] * x[0] + t[9] * x[1] + t[10] * x[2] + 1;
            assert_true(arc_camera_project(&camera, NULL, x, 0, &to));
            assert_near(to.pixel_px[0], (t[0] * x[0] + t[1] * x[1] + t[2] * x[2] + t[3]) / w, 1e-9);
            assert_near(to.pixel_px[1], (t[4] * x[0] + t[5] * x[1] + t[6] * x[2] + t[7]) / w, 1e-9);
        }
    }
    /* with the world's origin behind the camera the other half of space is seen */
    assert_int_equal(arc_camera_from_dlt(L, true, &camera, &err), ARC_OK);
    assert_false(arc_camera_project(&camera, NULL, reference_positions_m[0], 0, &to));
}

static const double some_corrections[ARC_N_CORRECTIONS] = {1.04, 0.05,  0.11, -0.07, 0.06,
                                                           0.04, -0.03, 0.02, 0.97};

static const double *row_of(const ArcProjection *to, int row)
{
    return row < 2 ? &to->pixel_px[row] : &to->radius_px;
}

/* One partial of u, v and the radius: column of position or correction. */
static void check_partial(const ArcCamera *camera, const double *corrections, const double *x,
                          int column, bool by_position)
{
    ArcProjection here, to[2];
    assert_true(arc_camera_project(camera, corrections, x, 0.12, &here));
    for (int row = 0; row < 3; row++) {
        double partial =
            by_position ? here.by_position[row][column] : here.by_correction[row][column];
        Sweep sweep = {0};
        for (int s = 0; s < N_STEPS; s++) {
            for (int side = 0; side < 2; side++) {
                double moved[3], changed[ARC_N_CORRECTIONS], step = side ? -steps[s] : steps[s];
                memcpy(moved, x, sizeof moved);
                memcpy(changed, corrections, sizeof changed);
                *(by_position ? &moved[column] : &changed[column]) += step;
                assert_true(arc_camera_project(camera, changed, moved, 0.12, &to[side]));
            }
            sweep_add(&sweep, partial, *row_of(&to[0], row), *row_of(&to[1], row), steps[s]);
        }
        double size = fmax(fabs(partial), row < 2 ? 100 : 1);
        if (partial == 0) /* no such partial: the differences agree */
            assert_near(sweep.best, 0, 1e-8);
        else
            assert_near(sweep.best / size, 0.0, 2e-8);
    }
}

static void test_camera_project_partials_match_differences(void **state)
{
    (void)state;
    for (int i = 0; i < N_CAMERAS; i++) {
        ArcCamera camera = any_camera(i);
        for (int k = 0; k < N_REFERENCE_POSITIONS; k++) {
            double x[3];
            seen_position(&camera, k, x);
            for (int axis = 0; axis < arc_camera_dimensions(&camera); axis++)
                check_partial(&camera, some_corrections, x, axis, true);
            for (int c = 0; c < ARC_N_CORRECTIONS; c++)
                check_partial(&camera, some_corrections, x, c, false);
        }
    }
}

static void test_camera_project_at_no_rotation_has_partials(void **state)
{
    (void)state;
    ArcCamera camera = reference_camera(ARC_CAMERA_PINHOLE, 5);
    double neutral[ARC_N_CORRECTIONS];
    for (int c = 0; c < ARC_N_CORRECTIONS; c++)
        neutral[c] = arc_correction_neutral((ArcCorrection)c);
    ArcProjection plain, corrected;
    assert_true(arc_camera_project(&camera, NULL, reference_positions_m[2], 0.12, &plain));
    assert_true(arc_camera_project(&camera, neutral, reference_positions_m[2], 0.12, &corrected));
    assert_memory_equal(&plain, &corrected, sizeof plain);
    for (int c = 0; c < ARC_N_CORRECTIONS; c++)
        check_partial(&camera, neutral, reference_positions_m[2], c, false);
}

static void test_camera_corrections_mean_what_they_say(void **state)
{
    (void)state;
    ArcCamera camera = {.kind = ARC_CAMERA_PINHOLE,
                        .focal_px = {1000, 1000},
                        .centre_px = {500, 400},
                        .rotation = {1, 0, 0, 0, 0, -1, 0, 1, 0}, /* looks along y, z up */
                        .translation_m = {0, 0, 5}};
    ArcError err;
    ArcProjection to;
    assert_int_equal(arc_camera_check(&camera, &err), ARC_OK);
    const double x[3] = {1, 0, 0};
    double change[ARC_N_CORRECTIONS] = {1, 0, 0, 0, 0, 0, 0, 0, 1};
    change[ARC_CORRECTION_ROLL] = half_turn_rad / 2; /* clockwise: what was right is above */
    assert_true(arc_camera_project(&camera, change, x, 0, &to));
    assert_near(to.pixel_px[0], 500, 1e-9);
    assert_near(to.pixel_px[1], 200, 1e-9);
    change[ARC_CORRECTION_ROLL] = 0;
    change[ARC_CORRECTION_RY] = atan(0.2); /* turned to the right, on to the ball */
    assert_true(arc_camera_project(&camera, change, x, 0, &to));
    assert_near(to.pixel_px[0], 500, 1e-9);
    change[ARC_CORRECTION_RY] = 0;
    change[ARC_CORRECTION_X] = 1; /* the camera stands 1 m further to the right */
    assert_true(arc_camera_project(&camera, change, x, 0, &to));
    assert_near(to.pixel_px[0], 500, 1e-9);
    change[ARC_CORRECTION_X] = 0;
    change[ARC_CORRECTION_SCALE] = 2; /* the camera stands 10 m away */
    assert_true(arc_camera_project(&camera, change, x, 0, &to));
    assert_near(to.pixel_px[0], 600, 1e-9);
    change[ARC_CORRECTION_FOCAL] = 3;
    assert_true(arc_camera_project(&camera, change, x, 0, &to));
    assert_near(to.pixel_px[0], 800, 1e-9);
    ArcCamera plane = stick_camera();
    const double y[2] = {0.3, 0.4};
    double turned[ARC_N_CORRECTIONS] = {1, 0.02, 0, 0, 0, 0, 0, 0, 1};
    ArcProjection rolled;
    plane.angle_rad += 0.02;
    assert_int_equal(arc_camera_check(&plane, &err), ARC_OK);
    assert_true(arc_camera_project(&plane, NULL, y, 0, &to));
    plane = stick_camera();
    assert_true(arc_camera_project(&plane, turned, y, 0, &rolled));
    assert_near(to.pixel_px[0], rolled.pixel_px[0], 1e-10);
    assert_near(to.pixel_px[1], rolled.pixel_px[1], 1e-10);
}

static void test_camera_corrected_is_the_camera_with_its_corrections(void **state)
{
    (void)state;
    for (int i = 0; i < N_CAMERAS; i++) {
        ArcCamera camera = any_camera(i), made = arc_camera_corrected(&camera, some_corrections);
        ArcProjection a, b;
        double x[3];
        seen_position(&camera, 2, x);
        assert_true(arc_camera_project(&camera, some_corrections, x, 0.12, &a));
        assert_true(arc_camera_project(&made, NULL, x, 0.12, &b));
        assert_near(a.pixel_px[0], b.pixel_px[0], 1e-9);
        assert_near(a.pixel_px[1], b.pixel_px[1], 1e-9);
        assert_near(a.radius_px, b.radius_px, 1e-10);
    }
}

/* Area of the outline of a sphere: the pixels of the circle along which rays touch it. */
static double outline_area(const ArcCamera *camera, const double *centre, double r)
{
    enum { N = 4000 };
    double D = sqrt(centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2]);
    double a[3], b[3], axis[3], first[2] = {0}, last[2] = {0}, area = 0;
    for (int k = 0; k < 3; k++)
        axis[k] = centre[k] / D;
    double flat = hypot(axis[0], axis[2]); /* a level, b = axis x a */
    a[0] = axis[2] / flat;
    a[1] = 0;
    a[2] = -axis[0] / flat;
    for (int k = 0; k < 3; k++)
        b[k] = axis[(k + 1) % 3] * a[(k + 2) % 3] - axis[(k + 2) % 3] * a[(k + 1) % 3];
    double along = (D * D - r * r) / D, across = r * sqrt(D * D - r * r) / D;
    for (int i = 0; i <= N; i++) {
        double turn = 2 * half_turn_rad * i / N, x[3];
        for (int k = 0; k < 3; k++)
            x[k] = along * axis[k] + across * (cos(turn) * a[k] + sin(turn) * b[k]);
        ArcProjection to;
        assert_true(arc_camera_project(camera, NULL, x, 0, &to));
        if (i == 0)
            memcpy(first, to.pixel_px, sizeof first);
        else
            area += 0.5 * ((last[0] - first[0]) * (to.pixel_px[1] - first[1]) -
                           (last[1] - first[1]) * (to.pixel_px[0] - first[0]));
        memcpy(last, to.pixel_px, sizeof last);
    }
    return fabs(area);
}

static void test_camera_project_radius_is_that_of_the_outlines_area(void **state)
{
    (void)state;
    ArcError err;
    for (int i = 0; i < N_REFERENCES; i++) {
        ArcCamera camera = reference_camera(reference_pixels[i].kind, reference_pixels[i].n_lens);
        const double straight[3] = {0}, at[3] = {1.4, -0.6, 4}, r = 0.12;
        arc_camera_set_rotation(&camera, straight);
        memset(camera.translation_m, 0, sizeof camera.translation_m);
        assert_int_equal(arc_camera_check(&camera, &err), ARC_OK);
        ArcProjection to;
        assert_true(arc_camera_project(&camera, NULL, at, r, &to));
        double exact = sqrt(outline_area(&camera, at, r) / half_turn_rad);
        /* without a lens exact (a polygon of 4000 corners: 4e-7 of it); with one to 2nd order */
        assert_near(to.radius_px / exact, 1, reference_pixels[i].n_lens == 0 ? 1e-6 : 1e-3);
        if (reference_pixels[i].n_lens == 0)
            assert_true(fabs(to.radius_px / (1392.7 * r / 4) - 1) > 0.02); /* not f r / z */
    }
}

static void test_camera_project_out_of_sight_is_false(void **state)
{
    (void)state;
    ArcError err;
    ArcProjection to = {.radius_px = -7};
    ArcCamera camera = {.kind = ARC_CAMERA_PINHOLE,
                        .focal_px = {1000, 1000},
                        .centre_px = {500, 400},
                        .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                        .n_lens = 4,
                        .lens = {-0.3}};
    assert_int_equal(arc_camera_check(&camera, &err), ARC_OK);
    assert_near(camera.reach, 1 / 0.9, 1e-12); /* r - 0.3 r^3 grows to r^2 = 1 / 0.9 */
    const double seen[3] = {1.05, 0, 1}, beyond[3] = {1.06, 0, 1}, behind[3] = {0.1, 0.1, -1};
    const double here[3] = {0}, lost[3] = {NAN, 0, 1}, far[3] = {0, 0, INFINITY};
    assert_false(arc_camera_project(&camera, NULL, beyond, 0, &to));
    assert_false(arc_camera_project(&camera, NULL, behind, 0, &to));
    assert_false(arc_camera_project(&camera, NULL, here, 0, &to));
    assert_false(arc_camera_project(&camera, NULL, lost, 0, &to));
    assert_false(arc_camera_project(&camera, NULL, far, 0, &to));
    assert_false(arc_camera_project(&camera, NULL, (double[]){0, 0, 0.1}, 0.12, &to));
    assert_near(to.radius_px, -7, 0); /* untouched */
    assert_true(arc_camera_project(&camera, NULL, seen, 0, &to));
    double n[2];
    const double outside[2] = {500 + 1000 * 0.71, 400}, inside[2] = {500 + 1000 * 0.70, 400};
    assert_false(arc_camera_undistort(&camera, outside, n)); /* the image ends at 0.7027 */
    assert_true(arc_camera_undistort(&camera, inside, n));
    camera = homography_camera();
    assert_false(arc_camera_project(&camera, NULL, (double[]){-51, 0}, 0, &to));
}

/* The first r where r g or theta (1 + ..) falls, by steps of 1e-4. */
static double turning_point(const ArcCamera *camera)
{
    double low = 0, last = 0;
    bool is_found = false;
    const double *k = camera->lens;
    for (int step = 1; step < 200000 && !is_found; step++) {
        double r = 1e-4 * step, q = r * r, angle = atan(r), a = angle * angle;
        double at = camera->kind == ARC_CAMERA_FISHEYE
                        ? angle * (1 + a * (k[0] + a * (k[1] + a * (k[2] + a * k[3]))))
                        : r * (1 + q * (k[0] + q * (k[1] + q * k[4]))) /
                              (1 + q * (k[5] + q * (k[6] + q * k[7])));
        is_found = at <= last;
        last = at;
        low = r;
    }
    return is_found ? low - 1e-4 : INFINITY;
}

static void test_camera_check_finds_the_reach_of_every_lens(void **state)
{
    (void)state;
    static const struct {
        ArcCameraKind kind;
        int n;
        double lens[8];
    } rows[] = {
        {ARC_CAMERA_PINHOLE, 4, {-0.3, 0.05}},
        {ARC_CAMERA_PINHOLE, 5, {0.2, -0.1, 0, 0, 0.01}},
        {ARC_CAMERA_PINHOLE, 5, {0.2, 0.1, 0, 0, 0.01}}, /* none */
        {ARC_CAMERA_PINHOLE, 8, {0.1, 0.02, 0, 0, 0.001, 0.4, 0.3, 0.05}},
        {ARC_CAMERA_PINHOLE, 8, {0.1, -0.02, 0, 0, 0.001, 0.4, -0.01, 0.02}},
        {ARC_CAMERA_FISHEYE, 4, {-0.2}},
        {ARC_CAMERA_FISHEYE, 4, {0.1, -0.15}},
        {ARC_CAMERA_FISHEYE, 4, {0.1, 0.05, -0.1}},
        {ARC_CAMERA_FISHEYE, 4, {0.1, 0.05, 0.01, -0.04}},
        {ARC_CAMERA_FISHEYE, 4, {0.03, -0.01, 0.002, -0.0001}}, /* none */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcError err;
        ArcCamera camera = {.kind = rows[i].kind,
                            .focal_px = {500, 500},
                            .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                            .n_lens = rows[i].n};
        memcpy(camera.lens, rows[i].lens, sizeof rows[i].lens);
        assert_int_equal(arc_camera_check(&camera, &err), ARC_OK);
        double expected = turning_point(&camera);
        if (isinf(expected))
            assert_true(isinf(camera.reach));
        else
            assert_near(sqrt(camera.reach), expected, 2e-4);
    }
    ArcError err; /* a pole comes before any turning point */
    ArcCamera pole = {.kind = ARC_CAMERA_PINHOLE,
                      .focal_px = {500, 500},
                      .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                      .n_lens = 8,
                      .lens = {0, 0, 0, 0, 0, -0.25}};
    assert_int_equal(arc_camera_check(&pole, &err), ARC_OK);
    assert_near(pole.reach, 4, 1e-12);
}

static void refused(ArcCamera camera, const char *part)
{
    ArcError err;
    ArcCamera before = camera;
    assert_int_equal(arc_camera_check(&camera, &err), ARC_INPUT);
    if (strstr(err.text, part) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, part);
    assert_memory_equal(&camera, &before, sizeof before);
}

static void test_camera_check_refuses_nonsense(void **state)
{
    (void)state;
    ArcCamera good = reference_camera(ARC_CAMERA_PINHOLE, 5), bad = good;
    bad.focal_px[1] = -1385;
    refused(bad, "focal length of -1385 px");
    bad = good;
    bad.centre_px[0] = NAN;
    refused(bad, "is not finite");
    bad = good;
    bad.n_lens = 6;
    refused(bad, "6 distortion coefficients; it has 0, 4, 5, 8, 12 or 14");
    bad.kind = ARC_CAMERA_FISHEYE;
    refused(bad, "a fisheye with 6 distortion coefficients; it has 4");
    bad = good;
    bad.lens[1] = INFINITY;
    refused(bad, "a distortion coefficient is not finite");
    bad = good;
    bad.rotation[4] += 0.1;
    refused(bad, "R'R is off the unit matrix");
    bad = good;
    for (int k = 0; k < 3; k++)
        bad.rotation[k] *= -1;
    refused(bad, "a reflection (determinant -1)");
    bad = good;
    bad.translation_m[0] = NAN;
    refused(bad, "rotation or translation is not finite");
    bad = stick_camera();
    bad.metres_per_px = 0;
    refused(bad, "0 metres per pixel");
    bad = homography_camera();
    for (int k = 0; k < 3; k++)
        bad.homography[3 + k] = 2 * bad.homography[k];
    refused(bad, "the homography is singular");
}

static void test_camera_check_mends_a_rotation_of_few_digits(void **state)
{
    (void)state;
    ArcError err;
    ArcCamera camera = reference_camera(ARC_CAMERA_PINHOLE, 0), rounded = camera;
    for (int k = 0; k < 9; k++)
        rounded.rotation[k] = round(1e4 * camera.rotation[k]) / 1e4;
    assert_int_equal(arc_camera_check(&rounded, &err), ARC_OK);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const double *r = rounded.rotation;
            double product =
                r[3 * a] * r[3 * b] + r[3 * a + 1] * r[3 * b + 1] + r[3 * a + 2] * r[3 * b + 2];
            assert_near(product, a == b, 1e-15);
            assert_near(r[3 * a + b], camera.rotation[3 * a + b], 1e-4);
        }
}

static void test_camera_makers_refuse_nonsense(void **state)
{
    (void)state;
    ArcError err;
    ArcCamera camera = {.kind = ARC_CAMERA_PINHOLE};
    const ArcStick point = {{1, 2}, {1, 2}, 1, 0}, nothing = {{1, 2}, {3, 2}, 0, 0};
    const double here[2] = {1, 2}, flat[11] = {1, 2, 3, 4, 5, 6, 7, 8};
    double transposed[9] = {1400, 0, 0, 0, 1400, 0, 640, 360, 1}, L[11];
    assert_int_equal(arc_camera_set_matrix(&camera, transposed, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "transposed: its third row is (640, 360, 1), as MATLAB"));
    transposed[2] = 5;
    assert_int_equal(arc_camera_set_matrix(&camera, transposed, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "not of the form"));
    assert_int_equal(arc_camera_from_stick(&point, here, &camera, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "its ends must be two pixels"));
    assert_int_equal(arc_camera_from_stick(&nothing, here, &camera, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "a stick 0 m long"));
    assert_int_equal(arc_camera_from_dlt(flat, false, &camera, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "L9, L10 and L11 are zero"));
    dlt_coefficients(L);
    memcpy(L, L + 8, 3 * sizeof(double));
    assert_int_equal(arc_camera_from_dlt(L, false, &camera, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "singular"));
    assert_int_equal(camera.kind, ARC_CAMERA_PINHOLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_camera_project_gives_opencvs_pixels),
        cmocka_unit_test(test_camera_project_scale_follows_its_definition),
        cmocka_unit_test(test_camera_from_dlt_projects_as_its_coefficients_say),
        cmocka_unit_test(test_camera_project_partials_match_differences),
        cmocka_unit_test(test_camera_project_at_no_rotation_has_partials),
        cmocka_unit_test(test_camera_corrections_mean_what_they_say),
        cmocka_unit_test(test_camera_corrected_is_the_camera_with_its_corrections),
        cmocka_unit_test(test_camera_project_radius_is_that_of_the_outlines_area),
        cmocka_unit_test(test_camera_project_out_of_sight_is_false),
        cmocka_unit_test(test_camera_check_finds_the_reach_of_every_lens),
        cmocka_unit_test(test_camera_check_refuses_nonsense),
        cmocka_unit_test(test_camera_check_mends_a_rotation_of_few_digits),
        cmocka_unit_test(test_camera_makers_refuse_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
