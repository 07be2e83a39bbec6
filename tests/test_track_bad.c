/* Frames that are late, repeated, empty, wrong or anything at all: what becomes of them, and that
 * the tracker goes on as if they had not come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "slow.h"
#include "track_case.h"

static void test_add_late_frames_have_their_place(void **state)
{
    (void)state;
    Flown good = flown_create(THROWN), late = flown_create(THROWN);
    flown_rest(&good, 0);
    for (int i = 0; i < N; i++) {
        /* Every fifth comes after the two behind it. */
        int at = i % 5 == 2 ? i + 1 : i % 5 == 3 ? i + 1 : i % 5 == 4 ? i - 2 : i;
        assert_int_equal(track_add(late.tracker, track_frame(late.capture, at)),
                         i % 5 == 4 ? ARC_FRAME_LATE : ARC_FRAME_USED);
    }
    assert_same_end(late.track, good.track);
    flown_free(&good);
    flown_free(&late);
}

static void test_add_repeated_and_empty_frames_change_nothing(void **state)
{
    (void)state;
    Flown flown = flown_create(THROWN);
    for (int i = 0; i < N; i++) {
        ArcFrame frame = track_frame(flown.capture, i);
        const ArcFrame empty = {frame.time_s + 1e-3, {NAN, NAN, NAN}, {NAN, NAN, NAN}};
        track_add(flown.tracker, frame);
        ArcTrack before = *flown.track;
        frame.position_m[0] += 0.1;
        assert_int_equal(track_add(flown.tracker, frame), ARC_FRAME_REPEATED);
        assert_int_equal(track_add(flown.tracker, empty), ARC_FRAME_EMPTY);
        assert_int_equal(flown.track->frames, before.frames + 2);
        before.frames += 2;
        assert_memory_equal(&before, flown.track, sizeof before);
    }
    flown_free(&flown);
}

/* A frame of which one coordinate is missing, and gaps. */
static void test_add_parts_of_frames_count(void **state)
{
    (void)state;
    Flown flown = flown_create(THROWN);
    int numbers = 0;
    for (int i = 0; i < N; i++) {
        ArcFrame frame = track_frame(flown.capture, i);
        if (i > 10 && i < 20)
            continue;
        if (i % 3 == 1)
            frame.position_m[i % 2] = NAN;
        numbers += i % 3 == 1 ? 1 : 2;
        assert_int_equal(track_add(flown.tracker, frame), ARC_FRAME_USED);
    }
    assert_int_equal(flown.track->dof, numbers + 2 - flown.track->n_numbers);
    assert_int_equal(flown.track->state, ARC_TRACK_IN_FLIGHT);
    flown_free(&flown);
}

static void test_add_gross_outliers_are_left_out(void **state)
{
    (void)state;
    ArcRandom random = arc_random_create(5, 1);
    Flown flown = flown_create(THROWN), good = flown_create(THROWN);
    for (int i = 0; i < N; i++) {
        ArcFrame frame = track_frame(flown.capture, i);
        bool is_bad = i > 4 && arc_random_uniform(&random, 0.0, 1.0) < 0.25;
        if (is_bad)
            frame.position_m[i % 2] += i % 4 < 2 ? 0.3 : -2.0;
        else
            track_add(good.tracker, frame);
        assert_int_equal(track_add(flown.tracker, frame),
                         is_bad ? ARC_FRAME_OUTLIER : ARC_FRAME_USED);
    }
    assert_in_range(flown.track->points, 20, 36);
    assert_same_end(flown.track, good.track);
    flown_free(&flown);
    flown_free(&good);
}

/* Where the first frames are wrong the flight comes to be that of the others. */
static void check_bad_begin(int n_bad, double by_x, double by_time)
{
    Flown flown = flown_create(THROWN), good = flown_create(THROWN);
    double sum = 0.0;
    for (int i = 0; i < n_bad; i++) {
        ArcFrame frame = track_frame(flown.capture, i);
        frame.position_m[0] += by_x * (1.0 + i);
        frame.time_s += by_time;
        track_add(flown.tracker, frame);
    }
    for (int i = n_bad; i < N; i++) {
        track_add(flown.tracker, track_frame(flown.capture, i));
        track_add(good.tracker, track_frame(good.capture, i));
    }
    /* The release is that of another moment: the landing is the same. */
    for (int c = 0; c < 2 && by_x == 0.0; c++)
        sum += fabs(flown.track->landing_m[c] - good.track->landing_m[c]);
    if (by_x != 0.0)
        sum = fabs(track_number(flown.track, "vx0")->value - 4.5) > 0.1;
    if (!(sum < 0.05) || flown.track->points < N - n_bad - 1)
        fail_msg("%d bad ones by %g m, %g s: %g, %d points", n_bad, by_x, by_time, sum,
                 flown.track->points);
    flown_free(&flown);
    flown_free(&good);
}

static void test_add_bad_first_frames_are_given_up(void **state)
{
    (void)state;
    check_bad_begin(1, 1.5, 0.0);
    check_bad_begin(2, -1.0, 0.0);
    check_bad_begin(1, 0.0, 1e6);
    check_bad_begin(1, 0.0, 30.0);
    check_bad_begin(1, 0.0, -1e6);
    check_bad_begin(2, 0.0, 1e9);
}

/* A prior that is far off keeps no good frame out for long. */
static void test_add_far_prior_gives_in(void **state)
{
    (void)state;
    static const char text[] =
        CASE_HEAD "flight: {dimensions: 2}\nparameters:\n"
                  "  x0: {prior: {mean: 3, sd: 1 cm}}\n  y0: {prior: {mean: 2, sd: 1 cm}}\n"
                  "  vx0: {prior: {mean: 4, sd: 0.1}}\n  vy0: {prior: {mean: 5, sd: 0.1}}\n";
    ArcExperiment *experiment = case_experiment(text);
    ArcTracker *tracker = track_create(experiment);
    int used = 0;
    for (int i = 0; i < 30; i++) {
        double t = 0.03 * i;
        used +=
            track_see(tracker, t, 4.0 * t, 2.0 + 5.0 * t - 0.5 * G_M_S2 * t * t) == ARC_FRAME_USED;
    }
    assert_in_range(used, 27, 28); /* from the third on */
    assert_int_equal(arc_tracker_track(tracker)->points, 30);
    assert_near(track_number(arc_tracker_track(tracker), "x0")->value, 0.0, 0.2);
    arc_tracker_free(tracker);
    arc_experiment_free(experiment);
}

static void test_add_frames_out_of_the_window_are_none(void **state)
{
    (void)state;
    static const char text[] =
        "arcfit: 1\ncapture: {sigma: 3 mm, window: [1 s, 1.5 s]}\nflight: {dimensions: 2}\n";
    static const char set[] = CASE_HEAD "flight: {dimensions: 2}\nparameters: {t0: 1}\n";
    ArcExperiment *experiment = case_experiment(text), *other = case_experiment(set);
    ArcTracker *tracker = track_create(experiment), *given = track_create(other);
    assert_int_equal(track_see(tracker, 0.9, 0, 2), ARC_FRAME_BEFORE);
    assert_int_equal(track_see(tracker, 1.0, 0, 2), ARC_FRAME_USED);
    assert_int_equal(track_see(tracker, 1.6, 0, 2), ARC_FRAME_BEHIND);
    assert_int_equal(track_see(given, 0.9, 0, 2), ARC_FRAME_BEFORE);
    assert_int_equal(track_see(given, 1.1, 0.4, 2.4), ARC_FRAME_USED);
    assert_int_equal(track_see(given, 62.0, 0, 2), ARC_FRAME_BEHIND);
    assert_near(arc_tracker_track(given)->t0_s, 1.0, 0.0);
    arc_tracker_free(tracker);
    arc_tracker_free(given);
    arc_experiment_free(experiment);
    arc_experiment_free(other);
}

static void test_add_refuses_frames_that_are_none(void **state)
{
    (void)state;
    ArcError err;
    Flown flown = flown_create(THROWN);
    const ArcFrame bad[] = {
        {NAN, {0, 2, 0}, {NAN, NAN, NAN}},        {INFINITY, {0, 2, 0}, {NAN, NAN, NAN}},
        {0.0, {INFINITY, 2, 0}, {NAN, NAN, NAN}}, {0.0, {0, 2, 0}, {0.0, NAN, NAN}},
        {0.0, {0, 2, 0}, {NAN, -1.0, NAN}},       {0.0, {0, 2, 0}, {NAN, INFINITY, NAN}}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(arc_tracker_add(flown.tracker, &bad[i], NULL, NULL, &err), ARC_INPUT);
    assert_int_equal(flown.track->frames, 0);
    flown_rest(&flown, 0);
    flown_free(&flown);
}

/* Frames of anything, in any order: nothing breaks, and what is told is told in numbers. */
static void test_add_any_frames_do_no_harm(void **state)
{
    (void)state;
    static const char *const texts[] = {THROWN, PLANE "release: polar\nparameters:\n" PRIORS POLAR,
                                        SPACE};
    ArcRandom random = arc_random_create(11, 1);
    for (int run = 0; run < FEWER(60, 6); run++) {
        ArcExperiment *experiment = case_experiment(texts[run % 3]);
        ArcTracker *tracker = track_create(experiment);
        const ArcTrack *track = arc_tracker_track(tracker);
        double size = pow(10.0, 4.0 * arc_random_uniform(&random, 0.0, 1.0) - 2.0);
        for (int i = 0; i < 25; i++) {
            ArcFrame frame = {.time_s = 2.0 * arc_random_uniform(&random, 0.0, 1.0)};
            for (int c = 0; c < 3; c++) {
                frame.position_m[c] = size * arc_random_normal(&random);
                frame.sigma_m[c] = 3e-3;
            }
            track_add(tracker, frame);
            assert_true(track->points >= 0 && track->points <= track->frames);
            assert_true(!track->has_landing ||
                        (isfinite(track->landing_m[0]) && track->landing_covariance_m2[0] >= 0.0));
        }
        arc_tracker_free(tracker);
        arc_experiment_free(experiment);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_late_frames_have_their_place),
        cmocka_unit_test(test_add_repeated_and_empty_frames_change_nothing),
        cmocka_unit_test(test_add_parts_of_frames_count),
        cmocka_unit_test(test_add_gross_outliers_are_left_out),
        cmocka_unit_test(test_add_bad_first_frames_are_given_up),
        cmocka_unit_test(test_add_far_prior_gives_in),
        cmocka_unit_test(test_add_frames_out_of_the_window_are_none),
        cmocka_unit_test(test_add_refuses_frames_that_are_none),
        cmocka_unit_test(test_add_any_frames_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
