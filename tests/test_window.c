/* Stretches of free flight: releases, catches, bounces and gaps are found where they are, clean
 * flights are left whole; and `window: auto` of a capture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "arcfit/captures.h"
#include "flown_case.h"
#include "shared_folder.h"

static const Ball basketball = {2, 1, 9.80665, 0.022, {0}};
static const Ball table_tennis = {3, 2, 9.80665, 0.14, {0, 0.3, 0}};

static int find(const Flown *flown, const ArcFlight *flight, bool sigma_is_known,
                ArcStretch stretches[ARC_STRETCHES_MOST])
{
    ArcError err;
    int n = 0;
    ArcCapture *capture = flown_capture(flown);
    if (arc_stretches_find(capture, flight, sigma_is_known, stretches, &n, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_capture_free(capture);
    return n;
}

/* A throw with `before` points of a hand and `after` points of a ball that has been caught. */
static void throw(Flown * flown, int before, int after, double step_s, double sigma_m,
                  uint64_t seed)
{
    double x[3] = {0.2, 2.1}, v[3] = {5.2, 6.1};
    *flown = (Flown){.n = 0};
    flown_hand(flown, 2, before, 0, step_s, x, v);
    flown_flight(flown, &basketball, 60, before * step_s, step_s, x, v);
    for (int i = 0; i < after; i++)
        flown_point(flown, (before + 60 + i) * step_s, x);
    flown_noise(flown, sigma_m, seed);
}

static void test_stretches_find_release_and_catch_bound_the_flight(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, "basketball");
    for (uint64_t seed = 1; seed <= 20; seed++) {
        ArcStretch found[ARC_STRETCHES_MOST];
        throw(&flown, 15, 12, 1.0 / 60, 0.003, seed);
        bool is_known = seed % 2 == 0;
        int n = find(&flown, &flight, is_known, found);
        assert_int_equal(n, 1);
        /* The hand pushes so little at the very end that some of its points may pass. */
        assert_true(found[0].first >= 12 && found[0].first <= 17);
        assert_true(found[0].last >= 73 && found[0].last <= 75);
        assert_int_equal(found[0].ends[0], ARC_END_CONTACT);
        assert_int_equal(found[0].ends[1], ARC_END_CONTACT);
        assert_int_equal(found[0].outside[1], found[0].last + 1);
        assert_true(found[0].off_sd[1] > 5);
    }
}

static void test_stretches_find_clean_flights_are_whole(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(3, 2, "table-tennis"), any = flown_knowledge(3, 2, NULL);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        double x[3] = {0, 0.5, 1.1}, v[3] = {4 + 0.3 * (double)seed, -1, 3};
        ArcStretch found[ARC_STRETCHES_MOST];
        flown = (Flown){.n = 0};
        flown_flight(&flown, &table_tennis, 70, 2, 1.0 / 150, x, v);
        flown_noise(&flown, 0.002, seed);
        if (seed % 4 == 0) /* a few wrong points part nothing */
            flown.position_m[3 * 30] += 0.1, flown.position_m[3 * 31 + 2] -= 0.2;
        int n = find(&flown, seed % 3 == 0 ? &any : &flight, seed % 2 == 0, found);
        if (n != 1 || found[0].first != 0 || found[0].last != 69)
            fail_msg("seed %d: %d flights, the first from %d to %d", (int)seed, n, found[0].first,
                     found[0].last);
        assert_int_equal(found[0].ends[1], ARC_END_OF_POINTS);
        assert_int_equal(found[0].outside[0], -1);
    }
}

/* A ball that bounces twice: three flights, two bounces, and what they do to its velocity. */
static void test_stretches_find_bounces_part_flights(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(3, 2, "table-tennis");
    double x[3] = {0, 0, 1}, v[3] = {4, 0.5, 1};
    flown = (Flown){.n = 0};
    int ends[3];
    for (int i = 0; i < 3; i++) {
        while (x[2] > 0.02 || v[2] > 0)
            flown_flight(&flown, &table_tennis, 1, flown.n / 180.0, 1.0 / 180, x, v);
        ends[i] = flown.n;
        v[2] *= -0.85;
    }
    flown_noise(&flown, 0.001, 3);
    ArcStretch found[ARC_STRETCHES_MOST];
    assert_int_equal(find(&flown, &flight, true, found), 3);
    for (int i = 0; i < 3; i++) {
        int first = i == 0 ? 0 : ends[i - 1], last = ends[i] - 1;
        assert_true(abs(found[i].first - first) <= 1 && abs(found[i].last - last) <= 1);
        if (i == 2)
            continue;
        assert_int_equal(found[i].ends[1], ARC_END_BOUNCE);
        assert_int_equal(found[i + 1].ends[0], ARC_END_BOUNCE);
        assert_true(found[i].jump_m_s[1][2] > 4 && fabs(found[i].jump_m_s[1][0]) < 1);
    }
}

/* Throws recorded one after the other, with a pause between. */
static void test_stretches_find_gap_parts_flights(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, NULL);
    flown = (Flown){.n = 0};
    for (int i = 0; i < 4; i++) {
        double x[3] = {0, 2}, v[3] = {5, 5 + 0.2 * i};
        flown_flight(&flown, &basketball, 25, 7.0 * i, 0.04, x, v);
    }
    flown_noise(&flown, 0.004, 8);
    ArcStretch found[ARC_STRETCHES_MOST];
    assert_int_equal(find(&flown, &flight, true, found), 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(found[i].first, 25 * i);
        assert_int_equal(found[i].last, 25 * i + 24);
        assert_int_equal(found[i].ends[1], i == 3 ? ARC_END_OF_POINTS : ARC_END_GAP);
    }
}

/* A ball that rests, one on a string, one rolling: nothing falls. */
static void test_stretches_find_what_does_not_fall_is_no_flight(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, NULL);
    for (int kind = 0; kind < 3; kind++) {
        flown = (Flown){.n = 0, .d = 2};
        for (int i = 0; i < 100; i++) {
            double t = i / 60.0, swing = 0.4 * cos(3.1 * t);
            double x[3] = {kind == 0   ? 1
                           : kind == 1 ? sin(swing)
                                       : 2 * t,
                           kind == 1 ? -cos(swing) : 0.1};
            flown_point(&flown, t, x);
        }
        flown_noise(&flown, 0.002, 5 + (uint64_t)kind);
        ArcStretch found[ARC_STRETCHES_MOST];
        int n = find(&flown, &flight, true, found);
        if (n != 0)
            fail_msg("kind %d: points %d to %d", kind, found[0].first, found[0].last);
    }
}

/* Missing coordinates and points are passed over. */
static void test_stretches_find_missing_coordinates_are_no_end(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, "basketball");
    throw(&flown, 0, 0, 1.0 / 60, 0.003, 4);
    for (int i = 20; i < 30; i++)
        flown.position_m[2 * i + i % 2] = NAN;
    ArcStretch found[ARC_STRETCHES_MOST];
    assert_int_equal(find(&flown, &flight, true, found), 1);
    assert_int_equal(found[0].n_points, 60);
}

/* Writes the points as CSV; the caller removes the file. */
static void write_file(const Flown *flown, char path[64])
{
    strcpy(path, "/tmp/arcfit-window-XXXXXX");
    int file = mkstemp(path);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    assert_non_null(stream);
    fprintf(stream, "time_s,x_m,y_m,sigma_m\n");
    for (int i = 0; i < flown->n; i++)
        fprintf(stream, "%.6f,%.6f,%.6f,%g\n", flown->time_s[i], flown->position_m[2 * i],
                flown->position_m[2 * i + 1], flown->sigma_m[2 * i]);
    fclose(stream);
}

static void test_capture_read_window_auto_takes_the_flight(void **state)
{
    (void)state;
    static Flown flown;
    char path[64];
    ArcError err;
    ArcCapture *capture = NULL;
    ArcCaptureSettings settings = arc_capture_settings_default();
    throw(&flown, 15, 12, 1.0 / 60, 0.003, 2);
    write_file(&flown, path);
    settings.file = path;
    settings.window_auto = true;
    settings.every = 2;
    settings.hold_out = ARC_HOLD_OUT_EVERY;
    settings.hold_out_every = 5;
    assert_int_equal(arc_capture_read(&settings, &capture, &err), ARC_OK);
    const ArcStretch *stretch = capture->stretch;
    assert_non_null(stretch);
    assert_int_equal(capture->n_stretches, 1);
    assert_true(stretch->first >= 12 && stretch->last <= 75);
    assert_int_equal(capture->n_fit + capture->n_held_out, (stretch->n_points + 1) / 2);
    assert_int_equal(capture->n_held_out, (stretch->n_points + 1) / 2 / 5);
    for (int i = 0; i < capture->n_points; i++) {
        bool is_inside = i >= stretch->first && i <= stretch->last && (i - stretch->first) % 2 == 0;
        assert_true((capture->use[i] != ARC_POINT_UNUSED) == is_inside);
    }
    arc_capture_free(capture);
    /* Without a flight among its points the file is refused, and says what to do. */
    settings.position_scale_m = 100;
    assert_int_equal(arc_capture_read(&settings, &capture, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "capture.window=all"));
    assert_null(capture);
    unlink(path);
}

/* Three throws in one file become three flights, each with `every` and `hold_out` of its own. */
static void test_captures_read_split_auto_parts_flights(void **state)
{
    (void)state;
    static Flown flown;
    char path[64];
    ArcError err;
    ArcCaptures *captures = NULL;
    ArcCaptureSettings settings = arc_capture_settings_default();
    flown = (Flown){.n = 0};
    for (int i = 0; i < 3; i++) {
        double x[3] = {0, 2}, v[3] = {5, 5 + 0.2 * i};
        flown_flight(&flown, &basketball, 25, 7.0 * i, 0.04, x, v);
    }
    flown_noise(&flown, 0.004, 8);
    write_file(&flown, path);
    settings.file = path;
    settings.split = ARC_SPLIT_AUTO;
    settings.every = 2;
    if (arc_captures_read(1, &settings, &captures, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(captures->n, 3);
    for (int i = 0; i < 3; i++) {
        const ArcCapture *capture = captures->captures[i];
        char name[8];
        snprintf(name, sizeof name, "%d", i + 1);
        assert_string_equal(capture->flight, name);
        assert_int_equal(capture->n_fit, 13);
        assert_int_equal(capture->n_points, 25); /* the others are other flights' */
        for (int k = 0; k < capture->n_points; k++) {
            assert_int_equal(capture->line[k], 2 + 25 * i + k);
            assert_true(capture->time_s[k] >= 7.0 * i && capture->time_s[k] < 7.0 * i + 1.0);
            assert_true((capture->use[k] == ARC_POINT_FIT) == (k % 2 == 0));
        }
    }
    arc_captures_free(captures);
    settings.window_auto = true;
    assert_int_equal(arc_captures_read(1, &settings, &captures, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "window: auto"));
    settings.window_auto = false;
    settings.position_scale_m = 100;
    assert_int_equal(arc_captures_read(1, &settings, &captures, &err), ARC_INPUT);
    if (strstr(err.text, "split: auto finds no free flight") == NULL)
        fail_msg("%s", err.text);
    settings.scale_is_open = true; /* then it does not matter how large gravity is */
    if (arc_captures_read(1, &settings, &captures, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(captures->n, 3);
    arc_captures_free(captures);
    unlink(path);
}

/* Three throws of 25 pictures, as pixels of a camera from the side, 5 mm a pixel. */
static void write_pixels(char path[64])
{
    static Flown flown;
    flown = (Flown){.n = 0};
    for (int i = 0; i < 3; i++) {
        double x[3] = {1, 2}, v[3] = {5, 5 + 0.2 * i};
        flown_flight(&flown, &basketball, 25, 7.0 * i, 0.04, x, v);
    }
    flown_noise(&flown, 0.0025, 9);
    strcpy(path, "/tmp/arcfit-window-XXXXXX");
    int file = mkstemp(path);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    assert_non_null(stream);
    fprintf(stream, "time_s,u_px,v_px\n");
    for (int i = 0; i < flown.n; i++)
        fprintf(stream, "%.6f,%.4f,%.4f\n", flown.time_s[i], flown.position_m[2 * i] / 0.005,
                1000 - flown.position_m[2 * i + 1] / 0.005);
    fclose(stream);
}

/* A side view of which nothing is known is parted at a metre a pixel, where its scale is open. */
static void test_captures_read_split_auto_parts_a_side_view(void **state)
{
    (void)state;
    char path[64];
    ArcError err;
    ArcCaptures *captures = NULL;
    ArcCaptureSettings settings = arc_capture_settings_default();
    write_pixels(path);
    settings.file = path;
    settings.split = ARC_SPLIT_AUTO;
    settings.sigma_px = 0.5;
    settings.n_cameras = 1;
    settings.cameras[0] = arc_camera_settings_default();
    settings.cameras[0].name = "side";
    assert_int_equal(arc_captures_read(1, &settings, &captures, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "finds no free flight"));
    settings.scale_is_open = true;
    if (arc_captures_read(1, &settings, &captures, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(captures->n, 3);
    for (int i = 0; i < 3; i++) {
        const ArcCapture *capture = captures->captures[i];
        assert_int_equal(capture->n_points, 25);
        assert_int_equal(capture->n_fit, 25);
        for (int k = 0; k < 25; k++) {
            assert_int_equal(capture->line[k], 2 + 25 * i + k);
            assert_int_equal(capture->camera[k], 0);
            assert_true(capture->sigma_px[k] == 0.5);
            if (k > 0)
                assert_true(capture->pixel_px[2 * k] > capture->pixel_px[2 * k - 2]);
        }
        assert_float_equal(capture->pixel_px[0], 200, 3);
    }
    arc_captures_free(captures);
    settings.dimensions = 3; /* one camera in space does not tell where the ball is */
    assert_int_equal(arc_captures_read(1, &settings, &captures, &err), ARC_INPUT);
    unlink(path);
}

/* The two topspin captures that hold a bounce though they were cut before it, and one that does
 * not. */
static void test_capture_read_window_auto_real_bounces_are_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        int unused;
    } cases[] = {{"topspin_00", 0}, {"topspin_01", 2}, {"topspin_02", 2}, {"backspin_01", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[1024], name[128];
        ArcError err;
        ArcCapture *capture = NULL;
        ArcCaptureSettings settings = arc_capture_settings_default();
        snprintf(name, sizeof name, "data/table-tennis-launcher/%s.csv", cases[i].file);
        settings.file = shared_path(path, name);
        settings.dimensions = 3;
        settings.sigma_m = 0.0015;
        settings.window_auto = true;
        if (arc_capture_read(&settings, &capture, &err) != ARC_OK)
            fail_msg("%s", err.text);
        assert_int_equal(capture->n_points - capture->n_fit, cases[i].unused);
        assert_int_equal(capture->stretch->ends[1],
                         cases[i].unused > 0 ? ARC_END_BOUNCE : ARC_END_OF_POINTS);
        arc_capture_free(capture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stretches_find_release_and_catch_bound_the_flight),
        cmocka_unit_test(test_stretches_find_clean_flights_are_whole),
        cmocka_unit_test(test_stretches_find_bounces_part_flights),
        cmocka_unit_test(test_stretches_find_gap_parts_flights),
        cmocka_unit_test(test_stretches_find_what_does_not_fall_is_no_flight),
        cmocka_unit_test(test_stretches_find_missing_coordinates_are_no_end),
        cmocka_unit_test(test_capture_read_window_auto_takes_the_flight),
        cmocka_unit_test(test_captures_read_split_auto_parts_flights),
        cmocka_unit_test(test_captures_read_split_auto_parts_a_side_view),
        cmocka_unit_test(test_capture_read_window_auto_real_bounces_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
