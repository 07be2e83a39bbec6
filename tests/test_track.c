/* The tracker: beside the direct fit of the same frames, its landing against closed forms and
 * differences, honest intervals, refusals, exhaustion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim/track_landing.h"
#include "slow.h"
#include "track_case.h"

/* All frames beside the direct fit of the same, at a few times of the flight. */
static void compare(const char *text, const ArcCapture *capture, const int *at, int n_at,
                    double sd_share)
{
    ArcExperiment *experiment = case_experiment(text);
    ArcTracker *tracker = track_create(experiment);
    const ArcTrack *track = arc_tracker_track(tracker);
    for (int i = 0, k = 0; i < capture->n_points && k < n_at; i++) {
        assert_int_equal(track_add(tracker, track_frame(capture, i)), ARC_FRAME_USED);
        if (i + 1 != at[k])
            continue;
        ArcCapture *part = NULL;
        const ArcCapture *given = GIVEN(i + 1, capture->dimensions, capture->time_s,
                                        capture->position_m, capture->sigma_m);
        assert_int_equal(arc_capture_create(given, &part, NULL), ARC_OK);
        ArcFit *fit = case_fit(text, part, ARC_DIRECT);
        assert_true(fit->converged);
        for (int j = 0; j < track->n_numbers; j++) {
            const ArcEstimate *e = case_parameter(fit, track->numbers[j].name);
            assert_int_equal(track->numbers[j].status, e->status);
            if (!(fabs(track->numbers[j].value - e->value) < 2.5 * sd_share * e->sd) ||
                !(fabs(track->numbers[j].sd / e->sd - 1.0) < sd_share))
                fail_msg("%s at frame %d: %g +- %g, not %g +- %g", e->name, i + 1,
                         track->numbers[j].value, track->numbers[j].sd, e->value, e->sd);
        }
        assert_int_equal(track->dof, fit->residuals.dof);
        double chi2 = fit->residuals.chi2 + fit->residuals.prior_chi2;
        assert_near(track->chi2, chi2, 1e-3 + 1e-4 * chi2);
        if (track->has_landing && !arc_goal_is_target(&experiment->aim.goal)) {
            const ArcEstimate *e = case_derived(fit, "flight_time");
            assert_near(track->landing_time_s - track->t0_s, e->value, 2.5 * sd_share * e->sd);
        }
        arc_fit_free(fit);
        arc_capture_free(part);
        k++;
    }
    arc_tracker_free(tracker);
    arc_experiment_free(experiment);
}

static void test_add_estimates_are_the_direct_fits(void **state)
{
    (void)state;
    static const int at[] = {6, 12, 40};
    static const char *const texts[] = {
        PLANE "parameters:\n" PRIORS CARTESIAN,
        PLANE "release: polar\nparameters:\n" PRIORS POLAR,
        PLANE "parameters:\n  spin: {fixed: -19}\n" CARTESIAN,
        SPACE,
        CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
                  "parameters:\n  k: {start: 0.05}\n  s: 0.08\n  spin: {start: 5}\n" CARTESIAN,
        CASE_HEAD "flight: {dimensions: 2, bounce: {plane: y=1.5 m}}\nparameters:\n"
                  "  restitution: {start: 0.8, prior: {mean: 0.8, sd: 0.05}}\n" CARTESIAN};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ArcCapture *capture = case_capture_seed(texts[i], 40, i == 3 ? 0.5 : 1.1, 3e-3, 7 + i);
        compare(texts[i], capture, at, 3, 2e-3);
        arc_capture_free(capture);
    }
}

/* A release time among the unknowns: it never comes after the first frame. */
static void test_add_free_release_time_is_the_direct_fits(void **state)
{
    (void)state;
    static const int at[] = {12, 30};
    static const char text[] =
        PLANE "parameters:\n" PRIORS "  t0: {start: -0.05, prior: {mean: -0.05, sd: 0.02}}\n"
              "  x0: {fixed: 0}\n  y0: {start: 2}\n"
              "  vx0: {start: 4.5}\n  vy0: {start: 5.8}\n";
    ArcCapture *capture = case_capture_seed(text, 30, 0.9, 3e-3, 3);
    compare(text, capture, at, 2, 2e-3);
    arc_capture_free(capture);
}

/* The landing's total derivatives by central differences, for each kind of landing. */
static void check_landing(const char *text)
{
    ArcError err;
    ArcExperiment *experiment = case_experiment(text);
    ArcArena *arena = arc_arena_create();
    ArcFlyer *flyer = NULL;
    ArcTrackLanding landing;
    ArcTrackMeeting met, low, high;
    double values[ARC_MAX_PARAMETERS];
    assert_non_null(arena);
    assert_int_equal(arc_flyer_create(&experiment->flight, 1e-12, arena, &flyer, &err), ARC_OK);
    assert_int_equal(arc_track_landing_create(experiment, flyer, arena, &landing, &err), ARC_OK);
    for (int i = 0; i < experiment->n_parameters; i++)
        values[i] = experiment->parameters[i].start;
    assert_true(arc_track_landing_meet(&landing, values, &met));
    for (int i = 0; i < landing.n; i++) {
        double step = 1e-5 * fmax(fabs(values[i]), 0.1), value = values[i];
        values[i] = value + step;
        assert_true(arc_track_landing_meet(&landing, values, &high));
        values[i] = value - step;
        assert_true(arc_track_landing_meet(&landing, values, &low));
        values[i] = value;
        double by_time = (high.time_s - low.time_s) / (2.0 * step);
        assert_near(met.by_time[i], by_time, 1e-5 * fmax(fabs(by_time), 0.1));
        for (int c = 0; c < landing.d; c++) {
            double by_x = (high.x_m[c] - low.x_m[c]) / (2.0 * step);
            assert_near(met.by_x[c][i], by_x, 1e-5 * fmax(fabs(by_x), 0.1));
        }
    }
    arc_arena_free(arena);
    arc_experiment_free(experiment);
}

static void test_landing_meet_partials_are_differences(void **state)
{
    (void)state;
    check_landing(PLANE "parameters:\n  t0: {start: 0.3}\n" PRIORS CARTESIAN);
    check_landing(PLANE "release: polar\nparameters:\n  t0: {start: 0.3}\n" PRIORS POLAR);
    check_landing(
        PLANE
        "aim: {target: {point: [3 m, 3.3 m]}}\nparameters:\n  t0: {start: 0.3}\n" PRIORS CARTESIAN);
    check_landing(
        PLANE
        "derived: {wall: {plane: x=2 m}}\nparameters:\n  t0: {start: 0.3}\n" PRIORS CARTESIAN);
    check_landing(PLANE "derived: {ring: {rim: {centre: [4 m, 3 m], radius: 20 cm}}}\n"
                        "parameters:\n  t0: {start: 0.3}\n" PRIORS CARTESIAN);
    check_landing(SPACE "aim: {target: {area: {plane: x=1 m, centre: [1 m, 0 m, 1 m], "
                        "size: [0.4 m]}}}\n");
    check_landing(SPACE "derived: {top: {height: 0.1 m}}\n");
}

/* One frame at the release tells the place alone: the landing's covariance by the closed form of
 * the parabola. */
static void test_add_first_frame_speaks_by_the_priors(void **state)
{
    (void)state;
    ArcExperiment *experiment = case_experiment(VACUUM);
    ArcTracker *tracker = track_create(experiment);
    const ArcTrack *track = arc_tracker_track(tracker);
    assert_int_equal(track->state, ARC_TRACK_TOO_FEW);
    assert_true(isnan(track->t0_s));
    assert_int_equal(track_see(tracker, 0.2, 0.01, 2.01), ARC_FRAME_USED);
    assert_int_equal(track->state, ARC_TRACK_IN_FLIGHT);
    double w = 1.0 / (3e-3 * 3e-3), prior = 1.0 / (0.1 * 0.1);
    double x0 = 0.01 * w / (w + prior), y0 = (2.01 * w + 2.0 * prior) / (w + prior);
    double t = 2.0 * 5.0 / G_M_S2, by_vy = 4.0 * 2.0 / G_M_S2;
    double variance = 1.0 / (w + prior) + t * t * 0.3 * 0.3 + by_vy * by_vy * 0.2 * 0.2;
    assert_near(track->t0_s, 0.2, 0.0);
    assert_near(track->landing_m[0], x0 + 4.0 * t, 1e-9);
    assert_near(track->landing_m[1], y0, 1e-9);
    assert_near(track->landing_covariance_m2[0], variance, 1e-9);
    assert_near(track->landing_covariance_m2[3], 1.0 / (w + prior), 1e-12);
    assert_near(track->landing_time_s, 0.2 + t, 1e-9);
    assert_near(track->landing_time_sd_s, 0.2 * 2.0 / G_M_S2, 1e-9);
    assert_true(isnan(track->hit_probability));
    arc_tracker_free(tracker);
    arc_experiment_free(experiment);
}

/* The chance that a normal number lies within an area's size, by the error function. */
static void test_add_area_has_the_normal_chance(void **state)
{
    (void)state;
    static const char text[] =
        VACUUM "aim: {target: {area: {plane: y=1 m, centre: [5 m, 1 m], size: [0.4 m]}}}\n";
    ArcExperiment *experiment = case_experiment(text);
    ArcTracker *tracker = track_create(experiment);
    const ArcTrack *track = arc_tracker_track(tracker);
    track_see(tracker, 0.0, 0.0, 2.0);
    track_see(tracker, 0.1, 0.41, 2.44);
    double sd = sqrt(2.0 * track->landing_covariance_m2[0]), x = track->landing_m[0];
    double chance = 0.5 * (erf((5.2 - x) / sd) - erf((4.8 - x) / sd));
    assert_true(chance > 0.02 && chance < 0.98);
    assert_near(track->hit_probability, chance, 1e-7);
    assert_near(track->landing_m[1], 1.0, 0.0);
    assert_near(track->landing_covariance_m2[3], 0.0, 0.0);
    arc_tracker_free(tracker);
    arc_experiment_free(experiment);
}

static void test_add_states_follow_the_flight(void **state)
{
    (void)state;
    static const char text[] = CASE_HEAD "flight: {dimensions: 2}\n";
    static const char behind[] =
        CASE_HEAD "flight: {dimensions: 2}\nderived: {wall: {plane: x=-1 m}}\n";
    ArcExperiment *experiment = case_experiment(text), *other = case_experiment(behind);
    ArcTracker *tracker = track_create(experiment), *never = track_create(other);
    for (int i = 0; i < 60; i++) {
        double t = 0.02 * i, x = 4.0 * t, y = 2.0 + 5.0 * t - 0.5 * G_M_S2 * t * t;
        const ArcTrack *track = arc_tracker_track(tracker);
        assert_int_equal(track_see(tracker, 1.0 + t, x, y), ARC_FRAME_USED);
        track_see(never, 1.0 + t, x, y);
        assert_int_equal(track->points, i + 1);
        assert_int_equal(track->state, i == 0                    ? ARC_TRACK_TOO_FEW
                                       : t <= 2.0 * 5.0 / G_M_S2 ? ARC_TRACK_IN_FLIGHT
                                                                 : ARC_TRACK_LANDED);
        assert_int_equal(track->is_identified, i > 0);
        assert_int_equal(arc_tracker_track(never)->state,
                         i == 0 ? ARC_TRACK_TOO_FEW : ARC_TRACK_NO_LANDING);
    }
    assert_near(arc_tracker_track(tracker)->landing_m[0], 4.0 * 2.0 * 5.0 / G_M_S2, 1e-8);
    arc_tracker_free(tracker);
    arc_tracker_free(never);
    arc_experiment_free(experiment);
    arc_experiment_free(other);
}

/* The spin along the flight: nothing tells it, and the landing does not need it. */
static void test_add_unidentified_parameter_is_said_and_does_not_matter(void **state)
{
    (void)state;
    static const char text[] =
        CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\nparameters:\n"
                  "  k: {fixed: 0.05}\n  s: {start: 0.08}\n  spin: {start: 5}\n" CARTESIAN;
    static const char truth[] =
        CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\nparameters:\n"
                  "  k: {fixed: 0.05}\n  s: {fixed: 0.08}\n  spin: {start: 5}\n" CARTESIAN;
    ArcCapture *capture = case_capture(truth, 30, 0.9, 3e-3);
    ArcExperiment *experiment = case_experiment(text);
    ArcTracker *tracker = track_create(experiment);
    const ArcTrack *track = arc_tracker_track(tracker);
    for (int i = 0; i < 30; i++)
        track_add(tracker, track_frame(capture, i));
    assert_false(track->is_identified);
    assert_int_equal(track_number(track, "s")->status, ARC_PARAMETER_UNIDENTIFIED);
    assert_true(isnan(track_number(track, "spin")->sd));
    assert_int_equal(track_number(track, "vx0")->status, ARC_PARAMETER_FREE);
    assert_true(track->has_landing);
    assert_in_range((int)(1e6 * sqrt(track->landing_covariance_m2[0])), 100, 100000);
    arc_tracker_free(tracker);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

/* So many frames that most stand as linear rows, and more than are looked at again, of which the
 * same estimates come within a small part of their sd. */
static void test_add_thousands_of_frames_are_the_direct_fits(void **state)
{
    (void)state;
    enum { MANY = 2600, N_LINEAR = 4, N_DROPPED = 1 };
    static const int linear[N_LINEAR] = {256, 300, 600, 1000};
    const int dropped[N_DROPPED] = {slow_is_wanted() ? 2600 : 1100};
    ArcCapture *capture = case_capture(THROWN, MANY, 0.96, 3e-3);
    compare(THROWN, capture, linear, N_LINEAR, 0.012);
    compare(THROWN, capture, dropped, N_DROPPED, 0.02);
    arc_capture_free(capture);
}

/* What is believed of flights that are drawn from the priors is true of so many. */
static void test_add_landing_intervals_hold_the_truth(void **state)
{
    (void)state;
    enum { TENTHS = 10 };
    static const char text[] =
        CASE_HEAD "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: rational}\n"
                  "derived: {hoop: {height: 3.05 m}}\nparameters:\n" PRIORS
                  "  x0: {prior: {mean: 0, sd: 0.1}}\n  y0: {prior: {mean: 2, sd: 0.1}}\n"
                  "  vx0: {prior: {mean: 4.5, sd: 0.3}}\n  vy0: {prior: {mean: 6.5, sd: 0.3}}\n";
    const int flights = FEWER(150, 4), frames = 30;
    ArcExperiment *experiment = case_experiment(text);
    ArcArena *arena = arc_arena_create();
    ArcFlyer *flyer = NULL;
    ArcTrackLanding landing;
    ArcTrackMeeting met;
    ArcError err;
    double truth[ARC_MAX_PARAMETERS], at_s[30];
    int inside[TENTHS] = {0};
    assert_int_equal(arc_flyer_create(&experiment->flight, 1e-10, arena, &flyer, &err), ARC_OK);
    assert_int_equal(arc_track_landing_create(experiment, flyer, arena, &landing, &err), ARC_OK);
    for (int k = 0; k < frames; k++)
        at_s[k] = 0.95 * k / (frames - 1);
    for (int i = 0; i < flights; i++) {
        ArcSimulateSettings settings = arc_simulate_settings_default();
        ArcCapture *capture = NULL;
        ArcTracker *tracker = track_create(experiment);
        const ArcTrack *track = arc_tracker_track(tracker);
        settings.draw = true;
        settings.replica = (uint64_t)i + 1;
        assert_int_equal(arc_simulate_truth(experiment, &settings, truth, &err), ARC_OK);
        assert_true(arc_track_landing_meet(&landing, truth, &met));
        assert_int_equal(arc_simulate_capture(experiment, frames, at_s, settings, &capture, &err),
                         ARC_OK);
        for (int k = 0; k < frames; k++) {
            track_add(tracker, track_frame(capture, k));
            if ((k + 1) % 3 == 0)
                inside[k / 3] += fabs(track->landing_m[0] - met.x_m[0]) <=
                                 1.96 * sqrt(track->landing_covariance_m2[0]);
        }
        arc_tracker_free(tracker);
        arc_capture_free(capture);
    }
    /* Three and a half standard errors of a share. */
    for (int k = 0; k < TENTHS; k++)
        assert_near(inside[k], 0.95 * flights, 3.5 * sqrt(0.95 * 0.05 * flights) + 0.5);
    arc_arena_free(arena);
    arc_experiment_free(experiment);
}

static void test_create_refuses_what_it_does_not_follow(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"arcfit: 1\ncapture: {file: a.csv}\nflight: {dimensions: 2}\n", "give capture.sigma"},
        {"arcfit: 1\ncapture: {file: a.csv, sigma: estimate}\nflight: {dimensions: 2}\n",
         "capture.sigma a size"},
        {"arcfit: 1\ncapture: [{file: a.csv, sigma: 1 mm}, {file: b.csv, sigma: 1 mm}]\n"
         "flight: {dimensions: 2}\n",
         "one flight is tracked"},
        {CASE_HEAD "flight: {dimensions: 2}\nparameters: {x0: 0, y0: 0, vx0: 1, vy0: 1}\n",
         "nothing to track"},
        {CASE_HEAD "flight: {dimensions: 2}\nrelease: arm\narm:\n  joints:\n"
                   "    - {length: 0.5 m}\n    - {length: 0.4 m}\n  base: [0 m, 1 m]\n",
         "release: arm"},
        {"arcfit: 1\ncapture: {file: a.csv, sigma: 1 mm, sensor: {bias: 1 cm}}\n"
         "flight: {dimensions: 2}\n",
         "'bias_x' is a parameter of the measurement"},
        {CASE_HEAD "flight: {dimensions: 2, ball: basketball, drag: quadratic}\n"
                   "parameters: {cd: {start: 0.5, flights: hierarchical}}\n",
         "hierarchical of 'cd'"},
        {"arcfit: 1\ncapture: {file: a.csv, sigma: 1 px}\nflight: {dimensions: 2}\n", "sigma"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcError err = {ARC_OK, ""};
        ArcExperiment *experiment = NULL;
        ArcTracker *tracker = NULL;
        ArcStatus status = arc_experiment_parse("case.yaml", rows[i].text, strlen(rows[i].text), 0,
                                                NULL, &experiment, &err);
        if (status != ARC_OK)
            fail_msg("row %zu: %s", i, err.text);
        assert_int_equal(arc_tracker_create(experiment, &tracker, &err), ARC_INPUT);
        assert_null(tracker);
        if (strstr(err.text, rows[i].words) == NULL || strstr(err.text, "case.yaml:") == NULL)
            fail_msg("'%s' has no '%s'", err.text, rows[i].words);
        arc_experiment_free(experiment);
    }
}

static bool deny_from(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

static void test_tracker_memory_exhausted_is_said(void **state)
{
    (void)state;
    Flown flown = flown_create(THROWN);
    bool is_done = false;
    for (int most = 0; !is_done; most++) {
        ArcError err = {ARC_OK, ""};
        ArcTracker *tracker = NULL;
        int left = most;
        assert_true(most < 500);
        arc_memory_set_hook(deny_from, &left);
        ArcStatus status = arc_tracker_create(flown.experiment, &tracker, &err);
        for (int i = 0; i < 4 && status == ARC_OK; i++) {
            ArcFrame frame = track_frame(flown.capture, i);
            status = arc_tracker_add(tracker, &frame, NULL, NULL, &err);
        }
        arc_memory_set_hook(NULL, NULL);
        arc_tracker_free(tracker);
        assert_true(status == ARC_OK || status == ARC_MEMORY);
        is_done = status == ARC_OK;
    }
    flown_free(&flown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_estimates_are_the_direct_fits),
        cmocka_unit_test(test_add_free_release_time_is_the_direct_fits),
        cmocka_unit_test(test_landing_meet_partials_are_differences),
        cmocka_unit_test(test_add_first_frame_speaks_by_the_priors),
        cmocka_unit_test(test_add_area_has_the_normal_chance),
        cmocka_unit_test(test_add_states_follow_the_flight),
        cmocka_unit_test(test_add_unidentified_parameter_is_said_and_does_not_matter),
        cmocka_unit_test(test_add_thousands_of_frames_are_the_direct_fits),
        cmocka_unit_test(test_add_landing_intervals_hold_the_truth),
        cmocka_unit_test(test_create_refuses_what_it_does_not_follow),
        cmocka_unit_test(test_tracker_memory_exhausted_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
