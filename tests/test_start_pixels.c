/* A vacuum parabola from pixels: exact without noise, scatter as the pixels tell, what they do not
 * tell, wrong pixels, drag. */
#include "fit/start_pixels.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "camera_case.h"

enum { N = 60, MOST = 4 * N };

static const double gravity[3] = {0, 0, -9.80665}, x0[3] = {0.2, 0.05, 2.1},
                    v0[3] = {4.5, 0.3, 5.5};
static const double rate_per_s = 60, half_px = 0.5;

static ArcArena *arena;

static int setup(void **state)
{
    (void)state;
    arena = arc_arena_create();
    return arena == NULL;
}

static int teardown(void **state)
{
    (void)state;
    arc_arena_free(arena);
    return 0;
}

/* A camera at `from` that looks at `at`, z up, 1400 px, with a lens. */
static ArcCamera looking(const double from[3], const double at[3])
{
    ArcError err;
    double forward[3], right[3], down[3], size = 0, level;
    for (int k = 0; k < 3; k++)
        forward[k] = at[k] - from[k];
    for (int k = 0; k < 3; k++)
        size += forward[k] * forward[k];
    for (int k = 0; k < 3; k++)
        forward[k] /= sqrt(size);
    level = hypot(forward[0], forward[1]);
    right[0] = forward[1] / level;
    right[1] = -forward[0] / level;
    right[2] = 0;
    for (int k = 0; k < 3; k++)
        down[k] =
            forward[(k + 1) % 3] * right[(k + 2) % 3] - forward[(k + 2) % 3] * right[(k + 1) % 3];
    ArcCamera camera = {.kind = ARC_CAMERA_PINHOLE,
                        .focal_px = {1400, 1400},
                        .centre_px = {639.5, 359.5},
                        .n_lens = 5,
                        .lens = {-0.12, 0.03, 0.0005, -0.0003, 0}};
    for (int k = 0; k < 3; k++) {
        camera.rotation[k] = right[k];
        camera.rotation[3 + k] = down[k];
        camera.rotation[6 + k] = forward[k];
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            camera.translation_m[i] -= camera.rotation[3 * i + k] * from[k];
    if (arc_camera_check(&camera, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return camera;
}

static const double middle[3] = {2.5, 0.1, 2.4};

/* A side view from 6 m, and one from behind. */
static void rig(ArcCamera cameras[2])
{
    cameras[0] = looking((double[]){2.5, -6, 1.8}, middle);
    cameras[1] = looking((double[]){-4, -3, 2.5}, middle);
}

/* N times seen by each camera; drag_per_m: by the path, as the lumped law has it. */
static int watch(int n_cameras, const ArcCamera *cameras, double drag_per_m, double noise_px,
                 ArcRandom *random, ArcSighting *out)
{
    double x[3], v[3];
    int n = 0;
    memcpy(x, x0, sizeof x);
    memcpy(v, v0, sizeof v);
    for (int i = 0; i < N; i++) {
        for (int c = 0; c < n_cameras; c++) {
            ArcProjection to;
            assert_true(arc_camera_project(&cameras[c], NULL, x, 0, &to));
            out[n] = (ArcSighting){&cameras[c], i / rate_per_s, {0}, half_px};
            for (int e = 0; e < 2; e++)
                out[n].pixel_px[e] =
                    to.pixel_px[e] + (noise_px > 0 ? noise_px * arc_random_normal(random) : 0);
            n++;
        }
        for (int k = 0, parts = 64; k < parts; k++) { /* the midpoint rule; exact without drag */
            double dt = 1 / (rate_per_s * parts), a[3], speed = 0, w[3];
            for (int stage = 0; stage < 2; stage++) {
                for (int e = 0; e < 3; e++)
                    w[e] = v[e] + (stage == 1 ? 0.5 * dt * a[e] : 0);
                speed = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
                for (int e = 0; e < 3; e++)
                    a[e] = gravity[e] - drag_per_m * speed * w[e];
            }
            for (int e = 0; e < 3; e++) {
                x[e] += dt * (v[e] + 0.5 * dt * a[e]);
                v[e] += dt * a[e];
            }
        }
    }
    return n;
}

static ArcPixelParabola solve(int n, const ArcSighting *sightings, const double *g, bool is_robust)
{
    ArcError err;
    ArcPixelParabola found;
    ArcSightings seen = {n, sightings, 0, g, is_robust};
    if (arc_start_from_pixels(&seen, &found, arena, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return found;
}

static void test_start_without_noise_is_the_parabola(void **state)
{
    (void)state;
    ArcCamera cameras[2];
    ArcSighting sightings[MOST];
    rig(cameras);
    for (int n_cameras = 1; n_cameras <= 2; n_cameras++) {
        int n = watch(n_cameras, cameras, 0, 0, NULL, sightings);
        ArcPixelParabola found = solve(n, sightings, gravity, false);
        assert_true(found.is_determined);
        for (int k = 0; k < 3; k++) {
            assert_near(found.position_m[k], x0[k], 1e-7);
            assert_near(found.velocity_m_s[k], v0[k], 1e-7);
            assert_near(found.gravity_m_s2[k], gravity[k], 1e-12);
        }
    }
    ArcPixelParabola found = solve(2 * N, sightings, NULL, false); /* two cameras find gravity */
    assert_true(found.is_determined);
    for (int k = 0; k < 3; k++)
        assert_near(found.gravity_m_s2[k], gravity[k], 1e-6);
}

/* One camera, 6 m away, 0.5 px, a vacuum flight of a second: 2 mm along, 1 mm up, 5 mm in depth,
 * which is what the normal equations say; two cameras 0.5 mm. The mean is not off. */
static void test_start_scatters_as_its_pixels_tell(void **state)
{
    (void)state;
    enum { TRIALS = 400 };
    ArcCamera cameras[2];
    ArcSighting sightings[MOST];
    rig(cameras);
    for (int n_cameras = 1; n_cameras <= 2; n_cameras++) {
        ArcRandom random = arc_random_create(3, (uint64_t)n_cameras);
        double mean[3] = {0}, square[3] = {0}, sd = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            int n = watch(n_cameras, cameras, 0, half_px, &random, sightings);
            ArcPixelParabola found = solve(n, sightings, gravity, false);
            assert_true(found.is_determined);
            sd = found.relative_sd;
            for (int k = 0; k < 3; k++) {
                mean[k] += (found.position_m[k] - x0[k]) / TRIALS;
                square[k] += pow(found.position_m[k] - x0[k], 2) / TRIALS;
            }
        }
        for (int k = 0; k < 3; k++) {
            assert_near(mean[k], 0, 4 * sqrt(square[k] / TRIALS));
        }
        /* the least certain direction holds the depth of one camera, and its rate */
        double depth = sqrt(square[1]);
        assert_true(depth < 1.1 * 6 * sd && depth > 0.3 * 6 * sd);
        assert_true(n_cameras == 1 ? depth > 4e-3 && depth < 7e-3 : depth < 1e-3);
    }
}

static void test_start_by_one_camera_with_gravity_unknown_is_not_determined(void **state)
{
    (void)state;
    ArcCamera cameras[2];
    ArcSighting sightings[MOST];
    ArcPixelParabola found = {.is_determined = true};
    ArcError err;
    rig(cameras);
    ArcRandom random = arc_random_create(4, 1);
    int n = watch(1, cameras, 0, half_px, &random, sightings);
    ArcSightings seen = {n, sightings, 0, NULL, false};
    ArcStatus status = arc_start_from_pixels(&seen, &found, arena, &err);
    if (status == ARC_OK)
        assert_false(found.is_determined);
    else
        assert_non_null(strstr(err.text, "do not determine a flight"));
}

static void test_start_of_a_short_flight_is_not_determined(void **state)
{
    (void)state;
    ArcCamera cameras[2];
    ArcSighting sightings[MOST];
    rig(cameras);
    ArcRandom random = arc_random_create(4, 2);
    watch(1, cameras, 0, half_px, &random, sightings);
    ArcPixelParabola found;
    ArcError err;
    ArcSightings seen = {4, sightings, 0, gravity, false}; /* 50 ms: it has fallen by 12 mm */
    ArcStatus status = arc_start_from_pixels(&seen, &found, arena, &err);
    if (status == ARC_OK)
        assert_false(found.is_determined);
    else
        assert_int_equal(status, ARC_NUMERIC);
    seen.n = N;
    assert_int_equal(arc_start_from_pixels(&seen, &found, arena, &err), ARC_OK);
    assert_true(found.is_determined);
}

static void test_start_passes_over_missing_pixels_and_survives_wrong_ones(void **state)
{
    (void)state;
    ArcCamera cameras[2];
    ArcSighting sightings[MOST];
    rig(cameras);
    ArcRandom random = arc_random_create(6, 1);
    int n = watch(2, cameras, 0, half_px, &random, sightings);
    for (int i = 0; i < n; i++) {
        if (i % 7 == 3)
            sightings[i].pixel_px[0] = NAN;
        if (i % 6 == 1) { /* another ball, or a lamp */
            sightings[i].pixel_px[0] = 900;
            sightings[i].pixel_px[1] = 120;
        }
    }
    ArcPixelParabola found = solve(n, sightings, gravity, true);
    for (int k = 0; k < 3; k++) {
        assert_near(found.position_m[k], x0[k], 0.01);
        assert_near(found.velocity_m_s[k], v0[k], 0.02);
    }
    found = solve(n, sightings, gravity, false); /* they do matter */
    assert_true(fabs(found.position_m[0] - x0[0]) + fabs(found.position_m[2] - x0[2]) > 0.02);
}

static void test_start_of_a_flight_with_drag_is_near(void **state)
{
    (void)state;
    ArcCamera cameras[2];
    ArcSighting sightings[MOST];
    rig(cameras);
    for (int n_cameras = 1; n_cameras <= 2; n_cameras++) {
        int n = watch(n_cameras, cameras, 0.022, 0, NULL, sightings);
        ArcPixelParabola found = solve(n, sightings, gravity, false);
        assert_true(found.is_determined);
        for (int k = 0; k < 3; k++) {
            assert_near(found.position_m[k], x0[k], 0.3);
            assert_near(found.velocity_m_s[k], v0[k], 0.5);
        }
    }
}

static void test_start_in_a_plane_finds_gravity_as_ruler(void **state)
{
    (void)state;
    ArcCamera camera = stick_camera();
    ArcSighting sightings[N];
    const double start[2] = {0.2, 0.3}, speed[2] = {0.8, 2.5}, factor = 1.25;
    for (int i = 0; i < N; i++) {
        double s = i / rate_per_s, x[2];
        ArcProjection to;
        for (int k = 0; k < 2; k++)
            x[k] = factor * (start[k] + speed[k] * s + (k == 1 ? -0.5 * 9.80665 * s * s : 0));
        assert_true(arc_camera_project(&camera, NULL, x, 0, &to));
        sightings[i] = (ArcSighting){&camera, 10 + s, {to.pixel_px[0], to.pixel_px[1]}, half_px};
    }
    ArcPixelParabola found;
    ArcError err;
    ArcSightings seen = {N, sightings, 10, NULL, false};
    assert_int_equal(arc_start_from_pixels(&seen, &found, arena, &err), ARC_OK);
    assert_true(found.is_determined);
    assert_near(hypot(found.gravity_m_s2[0], found.gravity_m_s2[1]) / 9.80665, factor, 1e-9);
    assert_near(found.velocity_m_s[1], factor * speed[1], 1e-9);
}

static void refused(int n, const ArcSighting *sightings, const char *part)
{
    ArcError err;
    ArcPixelParabola found = {.relative_sd = -5};
    ArcSightings seen = {n, sightings, 0, gravity, false};
    assert_int_equal(arc_start_from_pixels(&seen, &found, arena, &err), ARC_NUMERIC);
    if (strstr(err.text, part) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, part);
    assert_near(found.relative_sd, -5, 0);
}

static void test_start_refuses_what_tells_nothing(void **state)
{
    (void)state;
    ArcCamera cameras[2];
    ArcSighting sightings[MOST];
    rig(cameras);
    watch(1, cameras, 0, 0, NULL, sightings);
    refused(0, sightings, "too few of them");
    refused(2, sightings, "too few of them");
    for (int i = 0; i < 10; i++)
        sightings[i].time_s = 0;
    refused(10, sightings, "all of them are of the release's time");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_start_without_noise_is_the_parabola, setup, teardown),
        cmocka_unit_test_setup_teardown(test_start_scatters_as_its_pixels_tell, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_start_by_one_camera_with_gravity_unknown_is_not_determined, setup, teardown),
        cmocka_unit_test_setup_teardown(test_start_of_a_short_flight_is_not_determined, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            test_start_passes_over_missing_pixels_and_survives_wrong_ones, setup, teardown),
        cmocka_unit_test_setup_teardown(test_start_of_a_flight_with_drag_is_near, setup, teardown),
        cmocka_unit_test_setup_teardown(test_start_in_a_plane_finds_gravity_as_ruler, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_start_refuses_what_tells_nothing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
