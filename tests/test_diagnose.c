/* Diagnoses of captures: each kind of fault is found, named and sized; good flights show none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "capture/diagnosing.h"
#include "flown_case.h"
#include "slow.h"

static const Ball basketball = {2, 1, 9.80665, 0.022, {0}};
static const Ball table_tennis = {3, 2, 9.80665, 0.14, {0, 0.3, 0}};

static ArcDiagnosis diagnose(const Flown *flown, const ArcFlight *flight, bool sigma_is_known)
{
    ArcError err;
    ArcDiagnosis diagnosis;
    ArcCapture *capture = flown_capture(flown);
    if (arc_diagnosis_create(capture, flight, sigma_is_known, NULL, &diagnosis, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_capture_free(capture);
    return diagnosis;
}

static const ArcWarning *find(const ArcDiagnosis *diagnosis, ArcFinding finding)
{
    for (int i = 0; i < diagnosis->n_warnings; i++)
        if (diagnosis->warnings[i].finding == finding)
            return &diagnosis->warnings[i];
    char codes[512] = "";
    for (int i = 0; i < diagnosis->n_warnings; i++)
        snprintf(codes + strlen(codes), sizeof codes - strlen(codes), " %s",
                 arc_finding_code(diagnosis->warnings[i].finding));
    fail_msg("no %s among%s", arc_finding_code(finding), codes);
    return NULL;
}

static void assert_none_but(const ArcDiagnosis *diagnosis, ArcFinding finding)
{
    find(diagnosis, finding);
    if (diagnosis->n_warnings != 1)
        fail_msg("%s is not alone: %s, %s", arc_finding_code(finding),
                 arc_finding_code(diagnosis->warnings[0].finding),
                 arc_finding_code(diagnosis->warnings[1].finding));
}

/* A throw of n points at a rate, by the seed; exact. */
static void throw(Flown * flown, int n, double rate_per_s, uint64_t seed)
{
    double x[3] = {0.2, 2.1},
           v[3] = {4.5 + 0.2 * (double)(seed % 7), 5.0 + 0.3 * (double)(seed % 5)};
    *flown = (Flown){.n = 0};
    flown_flight(flown, &basketball, n, 0, 1 / rate_per_s, x, v);
}

static void scale_positions(Flown *flown, double by)
{
    for (int i = 0; i < flown->n * flown->d; i++) {
        flown->position_m[i] *= by;
        flown->sigma_m[i] *= by;
    }
}

static void scale_times(Flown *flown, double by)
{
    for (int i = 0; i < flown->n; i++)
        flown->time_s[i] *= by;
}

static void test_diagnosis_create_wrong_rate_is_named(void **state)
{
    (void)state;
    static Flown flown;
    static const double rates[][2] = {{240, 30}, {120, 30}, {60, 30},   {100, 25},  {50, 25},
                                      {30, 60},  {480, 30}, {1000, 30}, {120, 240}, {25, 30}};
    for (size_t i = 0; i < FEWER(2 * sizeof rates / sizeof rates[0], 12); i += FEWER(1, 5)) {
        double filmed = rates[i / 2][0], stated = rates[i / 2][1];
        ArcFlight flight = flown_knowledge(2, 1, i % 2 == 0 ? "basketball" : NULL);
        throw(&flown, (int)(0.9 * filmed), filmed, i);
        flown_noise(&flown, 0.003, i + 1);
        scale_times(&flown, filmed / stated);
        ArcDiagnosis made = diagnose(&flown, &flight, i % 3 > 0);
        assert_none_but(&made, ARC_FINDING_SCALE);
        const ArcWarning *warning = find(&made, ARC_FINDING_SCALE);
        double ratio = pow(stated / filmed, 2);
        assert_true(fabs(warning->value / (9.80665 * ratio) - 1) < 0.05);
        assert_true(warning->n_reasons > 0);
        assert_int_equal(warning->reasons[0].kind, ARC_REASON_RATE);
        if (fabs(warning->reasons[0].rate_per_s / filmed - 1) > 1e-6)
            fail_msg("%g as %g: %g", filmed, stated, warning->reasons[0].rate_per_s);
        assert_true(fabs(warning->reasons[0].stated_per_s - stated) < 0.01 * stated);
    }
}

static void test_diagnosis_create_wrong_unit_is_named(void **state)
{
    (void)state;
    static Flown flown;
    static const struct {
        const char *unit;
        double by;
        ArcReasonKind kind;
    } cases[] = {{"cm", 100, ARC_REASON_UNIT},          {"mm", 1000, ARC_REASON_UNIT},
                 {"inch", 1 / 0.0254, ARC_REASON_UNIT}, {"ft", 1 / 0.3048, ARC_REASON_UNIT},
                 {"cm", 0.01, ARC_REASON_METRES},       {"mm", 0.001, ARC_REASON_METRES}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        ArcFlight flight = flown_knowledge(2, 1, i % 2 == 0 ? "basketball" : NULL);
        throw(&flown, 40, 45, i); /* no usual rate is so many times off */
        flown_noise(&flown, 0.003, i + 1);
        scale_positions(&flown, cases[i / 2].by);
        ArcDiagnosis made = diagnose(&flown, &flight, i % 3 > 0);
        assert_none_but(&made, ARC_FINDING_SCALE);
        const ArcWarning *warning = find(&made, ARC_FINDING_SCALE);
        assert_true(warning->n_reasons > 0);
        /* Others may come as near by chance. */
        int named = 0;
        for (int r = 0; r < warning->n_reasons; r++)
            named += warning->reasons[r].kind == cases[i / 2].kind &&
                     strcmp(warning->reasons[r].unit, cases[i / 2].unit) == 0;
        assert_int_equal(named, 1);
    }
}

static void test_diagnosis_create_times_in_frames_or_ms_are_named(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, "basketball");
    static const double rates[] = {25, 30, 60, 120, 240};
    for (int i = 0; i < 10; i += FEWER(1, 3)) {
        bool is_ms = i >= 5;
        throw(&flown, (int)rates[i % 5], rates[i % 5], (uint64_t)i);
        flown_noise(&flown, 0.004, (uint64_t)i + 1);
        for (int k = 0; k < flown.n; k++)
            flown.time_s[k] = is_ms ? round(1000 * flown.time_s[k]) : k;
        ArcDiagnosis made = diagnose(&flown, &flight, true);
        const ArcWarning *warning = find(&made, ARC_FINDING_SCALE);
        assert_int_equal(warning->reasons[0].kind, is_ms ? ARC_REASON_MS : ARC_REASON_FRAMES);
        if (!is_ms)
            assert_true(warning->reasons[0].rate_per_s == rates[i]);
    }
}

/* Milliseconds are 25 frames a second stated as 0.025, too; rounding does not choose between them.
 */
static void test_reasons_find_equals_stand_in_one_order(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        double ratio = 1e-6 * (0.985 + 1.5e-4 * i);
        ArcReason reasons[ARC_REASONS_MOST];
        assert_true(arc_reasons_find(ratio, 0.01 * ratio, 40.0, true, reasons) >= 2);
        assert_int_equal(reasons[0].kind, ARC_REASON_MS);
        assert_int_equal(reasons[1].kind, ARC_REASON_RATE);
        assert_true(reasons[1].rate_per_s == 25.0);
    }
}

/* A scale stick that is 6 % off has no usual reason. */
static void test_diagnosis_create_wrong_stick_has_no_reason(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, "basketball");
    throw(&flown, 60, 60, 1);
    flown_noise(&flown, 0.003, 1);
    scale_positions(&flown, 0.94);
    ArcDiagnosis made = diagnose(&flown, &flight, true);
    assert_none_but(&made, ARC_FINDING_SCALE);
    assert_true(fabs(made.gravity_m_s2 / 9.80665 - 0.94) < 5 * made.gravity_sd_m_s2 / 9.8);
    assert_int_equal(find(&made, ARC_FINDING_SCALE)->n_reasons, 0);
    flight.settings.has_gravity = true; /* it is left open */
    made = diagnose(&flown, &flight, true);
    assert_int_equal(made.n_warnings, 0);
}

static void test_diagnosis_create_axes_are_named(void **state)
{
    (void)state;
    static Flown flown;
    double x[3] = {0, 0.4, 1.1}, v[3] = {4, -1, 3};
    ArcFlight plane = flown_knowledge(2, 1, "basketball"), sideways = flown_knowledge(2, 0, NULL);
    ArcFlight space = flown_knowledge(3, 2, "table-tennis");
    throw(&flown, 60, 60, 1);
    flown_noise(&flown, 0.003, 1);
    ArcDiagnosis made = diagnose(&flown, &sideways, true);
    assert_none_but(&made, ARC_FINDING_AXIS_SWAPPED);
    assert_int_equal(made.warnings[0].axis, 1);
    assert_int_equal(made.warnings[0].sign, -1);
    for (int i = 0; i < flown.n; i++)
        flown.position_m[2 * i + 1] *= -1;
    made = diagnose(&flown, &plane, true);
    assert_none_but(&made, ARC_FINDING_AXIS_FLIPPED);
    assert_int_equal(made.warnings[0].sign, 1);
    flown = (Flown){.n = 0};
    flown_flight(&flown, &table_tennis, 90, 0, 1.0 / 150, x, v);
    flown_noise(&flown, 0.001, 2);
    for (int i = 0; i < flown.n; i++) {
        double *at = flown.position_m + 3 * i, kept = at[1];
        at[1] = -at[2];
        at[2] = kept;
    }
    made = diagnose(&flown, &space, true);
    find(&made, ARC_FINDING_AXIS_SWAPPED);
    assert_int_equal(made.warnings[0].axis, 1);
    assert_int_equal(made.warnings[0].sign, 1);
}

static void test_diagnosis_create_tilt_is_measured(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, "basketball");
    for (int i = 0; i < 2; i++) {
        throw(&flown, 80, 80, 3);
        flown_noise(&flown, 0.002, 5);
        double tilt = i == 0 ? 0.08 : -0.05;
        for (int k = 0; k < flown.n; k++) {
            double *at = flown.position_m + 2 * k, kept[2] = {at[0], at[1]};
            at[0] = cos(tilt) * kept[0] - sin(tilt) * kept[1];
            at[1] = sin(tilt) * kept[0] + cos(tilt) * kept[1];
        }
        ArcDiagnosis made = diagnose(&flown, &flight, true);
        assert_none_but(&made, ARC_FINDING_TILT);
        assert_true(fabs(made.warnings[0].value - fabs(tilt)) < 4 * made.warnings[0].sd);
    }
    flight.settings.has_tilt[2] = true; /* it is left open */
    ArcDiagnosis made = diagnose(&flown, &flight, true);
    assert_int_equal(made.n_warnings, 0);
}

static void test_diagnosis_create_dropped_frames_are_counted(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, "basketball");
    static const int drops[][4] = {{30, 1, 0, 0}, {20, 3, 0, 0}, {15, 1, 42, 2}, {25, 1, 35, 1}};
    for (int i = 0; i < 8; i++) {
        const int *drop = drops[i / 2];
        double x[3] = {0, 2}, v[3] = {5, 5};
        flown = (Flown){.n = 0, .d = 2};
        for (int k = 0; k < 60; k++) {
            int steps = k == drop[0] ? 1 + drop[1] : k == drop[2] && k > 0 ? 1 + drop[3] : 1;
            for (int part = 0; part < 8 * steps && k > 0; part++)
                flown_step(&basketball, 1.0 / 480, x, v);
            flown_point(&flown, k / 60.0, x);
        }
        flown_noise(&flown, 0.003, (uint64_t)i + 1);
        ArcDiagnosis made = diagnose(&flown, &flight, i % 2 == 0);
        assert_none_but(&made, ARC_FINDING_DROPPED_FRAMES);
        assert_int_equal(made.warnings[0].n, drop[1] + drop[3]);
        for (int k = 0; k < 2 && drop[2 * k + 1] > 0; k++) {
            int nearest = 100;
            for (int p = 0; p < ARC_WARNING_POINTS && made.warnings[0].points[p] >= 0; p++)
                if (abs(made.warnings[0].points[p] - drop[2 * k]) < nearest)
                    nearest = abs(made.warnings[0].points[p] - drop[2 * k]);
            assert_true(nearest <= 1);
        }
        /* Put right, gravity is. */
        assert_true(fabs(made.gravity_m_s2 - 9.80665) < 5 * made.gravity_sd_m_s2);
    }
}

static void test_diagnosis_create_gaps_are_counted(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, "basketball");
    throw(&flown, 60, 60, 1);
    int n = 0;
    for (int i = 0; i < 60; i++) {
        if (i == 20 || i == 40 || i == 41)
            continue;
        flown.time_s[n] = flown.time_s[i];
        memmove(flown.position_m + 2 * n, flown.position_m + 2 * i, 2 * sizeof(double));
        n++;
    }
    flown.n = n;
    flown_noise(&flown, 0.003, 1);
    ArcDiagnosis made = diagnose(&flown, &flight, true);
    assert_none_but(&made, ARC_FINDING_GAPS);
    assert_int_equal(made.warnings[0].n, 3);
    assert_int_equal(made.warnings[0].points[0], 20);
    assert_int_equal(made.warnings[0].points[1], 39);
    assert_true(fabs(made.step_s - 1.0 / 60) < 1e-9 && made.is_regular);
}

static void test_diagnosis_create_repeated_frames_are_listed(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, "basketball");
    throw(&flown, 60, 60, 1);
    flown_noise(&flown, 0.003, 1);
    memcpy(flown.position_m + 2 * 31, flown.position_m + 2 * 30, 2 * sizeof(double));
    memcpy(flown.position_m + 2 * 46, flown.position_m + 2 * 45, 2 * sizeof(double));
    ArcDiagnosis made = diagnose(&flown, &flight, true);
    const ArcWarning *warning = find(&made, ARC_FINDING_REPEATED_FRAMES);
    assert_int_equal(warning->n, 2);
    assert_int_equal(warning->points[0], 31);
    assert_int_equal(warning->points[1], 46);
}

static void test_diagnosis_create_jumps_are_listed(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, "basketball");
    for (int i = 0; i < 6; i++) {
        throw(&flown, 50, 60, (uint64_t)i);
        flown_noise(&flown, 0.003, (uint64_t)i + 9);
        flown.position_m[2 * 17] += 0.08;
        flown.position_m[2 * 33 + 1] -= 0.15;
        ArcDiagnosis made = diagnose(&flown, &flight, i % 2 == 0);
        assert_none_but(&made, ARC_FINDING_JUMPS);
        assert_int_equal(made.warnings[0].n, 2);
        assert_int_equal(made.warnings[0].points[0], 17);
        assert_int_equal(made.warnings[0].points[1], 33);
        assert_true(fabs(made.warnings[0].value - 0.15) < 0.02);
    }
}

static void test_diagnosis_create_points_outside_the_flight_are_told(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(3, 2, "table-tennis");
    double x[3] = {0, 0, 1}, v[3] = {4, 0.5, 1};
    flown = (Flown){.n = 0};
    flown_hand(&flown, 3, 10, 0, 1.0 / 180, x, v);
    while (x[2] > 0.02 || v[2] > 0)
        flown_flight(&flown, &table_tennis, 1, flown.n / 180.0, 1.0 / 180, x, v);
    int bounce = flown.n;
    v[2] *= -0.85;
    flown_flight(&flown, &table_tennis, 12, bounce / 180.0, 1.0 / 180, x, v);
    flown_noise(&flown, 0.001, 3);
    ArcDiagnosis made = diagnose(&flown, &flight, true);
    const ArcWarning *after = find(&made, ARC_FINDING_AFTER_FLIGHT);
    assert_int_equal(made.n_warnings, 2);
    assert_int_equal(after->why, ARC_END_BOUNCE);
    assert_true(abs(after->n - 12) <= 1 && abs(after->points[0] - bounce) <= 1);
    const ArcWarning *before = find(&made, ARC_FINDING_BEFORE_FLIGHT);
    assert_int_equal(before->why, ARC_END_CONTACT);
    assert_true(abs(before->n - 10) <= 2);
    assert_true(fabs(made.gravity_m_s2 - 9.80665) < 5 * made.gravity_sd_m_s2);
    /* A flight that is said to bounce there is not warned of it. */
    flight.settings.bounce.is_on = true;
    made = diagnose(&flown, &flight, true);
    assert_none_but(&made, ARC_FINDING_BEFORE_FLIGHT);
}

static void test_diagnosis_create_nothing_that_falls_is_told(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, "basketball");
    ArcRandom random = arc_random_create(3, 4);
    flown = (Flown){.n = 0, .d = 2};
    for (int i = 0; i < 60; i++)
        flown_point(
            &flown, i / 60.0,
            (double[3]){arc_random_uniform(&random, 0, 3), arc_random_uniform(&random, 0, 3)});
    flown_noise(&flown, 0.003, 1);
    ArcDiagnosis made = diagnose(&flown, &flight, true);
    find(&made, ARC_FINDING_NO_FLIGHT);
    assert_false(made.has_flight);
}

static void test_diagnosis_create_wrong_sigma_is_told(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, "basketball");
    for (int i = 0; i < 2; i++) {
        throw(&flown, 80, 60, 1);
        flown_noise(&flown, 0.003, 1);
        for (int k = 0; k < 2 * flown.n; k++)
            flown.sigma_m[k] *= i == 0 ? 0.2 : 10;
        ArcDiagnosis made = diagnose(&flown, &flight, true);
        assert_none_but(&made, i == 0 ? ARC_FINDING_LARGE_NOISE : ARC_FINDING_SMALL_NOISE);
        assert_true(fabs(made.warnings[0].value - (i == 0 ? 5 : 0.1)) < (i == 0 ? 1 : 0.02));
        assert_true(fabs(made.noise_m[0] - 0.003) < 0.001 && fabs(made.noise_m[1] - 0.003) < 0.001);
    }
}

/* A pinhole camera at `from` that looks at `to`, z up. */
static ArcCamera looking(const char *name, const double from[3], const double to[3])
{
    ArcCamera camera = {.name = name,
                        .kind = ARC_CAMERA_PINHOLE,
                        .focal_px = {1400, 1400},
                        .centre_px = {960, 540}};
    double *R = camera.rotation, size = 0, level;
    for (int e = 0; e < 3; e++)
        R[6 + e] = to[e] - from[e];
    for (int e = 0; e < 3; e++)
        size = hypot(size, R[6 + e]);
    for (int e = 0; e < 3; e++)
        R[6 + e] /= size;
    level = hypot(R[6], R[7]);
    R[0] = R[7] / level; /* to the right in the picture: level */
    R[1] = -R[6] / level;
    R[3] = R[7] * R[2] - R[8] * R[1]; /* down: forwards times right */
    R[4] = R[8] * R[0] - R[6] * R[2];
    R[5] = R[6] * R[1] - R[7] * R[0];
    for (int i = 0; i < 3; i++)
        for (int e = 0; e < 3; e++)
            camera.translation_m[i] -= R[3 * i + e] * from[e];
    assert_int_equal(arc_camera_check(&camera, NULL), ARC_OK);
    return camera;
}

/* Two cameras see a flight, the second one's clock late; exact but for noise of half a pixel. */
static ArcCapture *seen_by_two(double offset_s, bool is_y_down, uint64_t seed)
{
    enum { N = 60 };
    static const double from[2][3] = {{-2, -6, 1.8}, {5, -5, 2.4}}, to[3] = {2, 0, 1.5};
    static double time_s[2 * N], position[6 * N], sigma[6 * N], pixel[4 * N], sigma_px[2 * N];
    static int camera[2 * N];
    ArcCamera cameras[2] = {looking("left", from[0], to), looking("right", from[1], to)};
    ArcRandom random = arc_random_create(seed, 5);
    ArcCapture *capture = NULL;
    ArcError err;
    for (int i = 0; i < 2 * N; i++) {
        double x[3] = {0, 0.3, 1.2}, v[3] = {5, -0.4, 4};
        ArcProjection seen;
        time_s[i] = i / 2 / 120.0;
        camera[i] = i % 2;
        double flown_s = time_s[i] + (i % 2 == 1 ? offset_s : 0);
        for (int part = 0; part < 50; part++)
            flown_step(&table_tennis, flown_s / 50, x, v);
        x[2] = is_y_down ? 3 - x[2] : x[2];
        assert_true(arc_camera_project(&cameras[i % 2], NULL, x, 0, &seen));
        for (int c = 0; c < 2; c++)
            pixel[2 * i + c] = seen.pixel_px[c] + 0.5 * arc_random_normal(&random);
        sigma_px[i] = 0.5;
        for (int e = 0; e < 3; e++)
            position[3 * i + e] = sigma[3 * i + e] = NAN;
    }
    ArcCapture given = {.n_points = 2 * N,
                        .dimensions = 3,
                        .time_s = time_s,
                        .position_m = position,
                        .sigma_m = sigma,
                        .n_cameras = 2,
                        .cameras = cameras,
                        .camera = camera,
                        .pixel_px = pixel,
                        .sigma_px = sigma_px};
    if (arc_capture_create(&given, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return capture;
}

static void test_diagnosis_create_clocks_of_cameras_are_compared(void **state)
{
    (void)state;
    ArcFlight flight = flown_knowledge(3, 2, "table-tennis");
    for (int i = 0; i < 12; i++) {
        static const double offsets[] = {0, 0.0037, -0.002, 0.012};
        ArcDiagnosis made;
        ArcCapture *capture = seen_by_two(offsets[i % 4], false, (uint64_t)i + 1);
        assert_int_equal(arc_diagnosis_create(capture, &flight, true, NULL, &made, NULL), ARC_OK);
        assert_int_equal(made.n_used, 60);
        if (i % 4 == 0) {
            arc_capture_free(capture);
            assert_int_equal(made.n_warnings, 0);
            assert_true(fabs(made.gravity_m_s2 - 9.80665) < 4 * made.gravity_sd_m_s2);
            assert_true(made.noise_m[0] > 5e-4 && made.noise_m[0] < 0.02);
            continue;
        }
        const ArcWarning *warning = find(&made, ARC_FINDING_CAMERA_OFFSET);
        const ArcOpen open = {.offset = {false, true}};
        ArcDiagnosis again;
        assert_int_equal(arc_diagnosis_create(capture, &flight, true, &open, &again, NULL), ARC_OK);
        assert_int_equal(again.n_warnings, made.n_warnings - 1);
        arc_capture_free(capture);
        assert_int_equal(warning->axis, 1);
        assert_int_equal(warning->n, 58);
        if (!(fabs(warning->value - offsets[i % 4]) < 4 * warning->sd + 1e-4))
            fail_msg("%g is found as %g +- %g", offsets[i % 4], warning->value, warning->sd);
    }
}

/* Stretches of pixels: points numbered as the capture's, those of one time by the first of them. */
static void test_stretches_find_of_pixels_is_that_of_their_positions(void **state)
{
    (void)state;
    ArcFlight flight = flown_knowledge(3, 2, "table-tennis");
    ArcStretch found[ARC_STRETCHES_MOST];
    int n = 0;
    ArcCapture *capture = seen_by_two(0, false, 3);
    assert_int_equal(arc_stretches_find(capture, &flight, true, found, &n, NULL), ARC_OK);
    assert_int_equal(n, 1);
    assert_int_equal(found[0].first, 0);
    assert_int_equal(found[0].last, 118);
    assert_true(fabs(found[0].window_s[1] - 59 / 120.0) < 1e-12);
    arc_capture_free(capture);
}

/* Pixels are diagnosed as the positions that they give. */
static void test_diagnosis_create_pixels_tell_axes(void **state)
{
    (void)state;
    ArcFlight flight = flown_knowledge(3, 2, "table-tennis");
    ArcDiagnosis made;
    ArcCapture *capture = seen_by_two(0, true, 1);
    assert_int_equal(arc_diagnosis_create(capture, &flight, true, NULL, &made, NULL), ARC_OK);
    arc_capture_free(capture);
    assert_none_but(&made, ARC_FINDING_AXIS_FLIPPED);
}

/* Too few points to say anything say nothing. */
static void test_diagnosis_create_few_points_are_no_fault(void **state)
{
    (void)state;
    static Flown flown;
    ArcFlight flight = flown_knowledge(2, 1, "basketball");
    for (int n = 1; n < 8; n++) {
        throw(&flown, n, 8, 1);
        flown_noise(&flown, 0.003, 1);
        for (int known = 0; known < 2; known++) {
            ArcDiagnosis made = diagnose(&flown, &flight, known == 1);
            if (made.n_warnings != 0)
                fail_msg("%d points: %s", n, arc_finding_code(made.warnings[0].finding));
        }
    }
    for (int i = 0; i < 2 * flown.n; i++)
        flown.position_m[i] = NAN;
    ArcDiagnosis made = diagnose(&flown, &flight, true);
    assert_false(made.has_flight);
    assert_int_equal(made.n_warnings, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diagnosis_create_wrong_rate_is_named),
        cmocka_unit_test(test_diagnosis_create_wrong_unit_is_named),
        cmocka_unit_test(test_diagnosis_create_times_in_frames_or_ms_are_named),
        cmocka_unit_test(test_reasons_find_equals_stand_in_one_order),
        cmocka_unit_test(test_diagnosis_create_wrong_stick_has_no_reason),
        cmocka_unit_test(test_diagnosis_create_axes_are_named),
        cmocka_unit_test(test_diagnosis_create_tilt_is_measured),
        cmocka_unit_test(test_diagnosis_create_dropped_frames_are_counted),
        cmocka_unit_test(test_diagnosis_create_gaps_are_counted),
        cmocka_unit_test(test_diagnosis_create_repeated_frames_are_listed),
        cmocka_unit_test(test_diagnosis_create_jumps_are_listed),
        cmocka_unit_test(test_diagnosis_create_points_outside_the_flight_are_told),
        cmocka_unit_test(test_diagnosis_create_nothing_that_falls_is_told),
        cmocka_unit_test(test_diagnosis_create_wrong_sigma_is_told),
        cmocka_unit_test(test_diagnosis_create_clocks_of_cameras_are_compared),
        cmocka_unit_test(test_stretches_find_of_pixels_is_that_of_their_positions),
        cmocka_unit_test(test_diagnosis_create_pixels_tell_axes),
        cmocka_unit_test(test_diagnosis_create_few_points_are_no_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
