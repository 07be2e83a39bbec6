/* Cameras as they go wrong: one that looks elsewhere, too short a view, what nobody told, and what
 * is then said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/result.h"
#include "base/file.h"
#include "report/verdict.h"
#include "view_case.h"

#include <unistd.h>

static char points_path[] = "/tmp/arcfit-traps-XXXXXX";

static int setup(void **state)
{
    (void)state;
    int fd = mkstemp(points_path);
    return fd < 0 || close(fd) != 0;
}

static int teardown(void **state)
{
    (void)state;
    return unlink(points_path);
}

#define PRIOR "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}"

static const char truth[] =
    CAMERA_TWO CAMERA_BALL "parameters: {cd: {start: 0.5}, " CAMERA_THROW "}\n";
static const char one_truth[] =
    CAMERA_ONE CAMERA_BALL "parameters: {cd: {start: 0.5}, " CAMERA_THROW "}\n";

/* The problem is refused with this in its message. */
static void assert_refused(const char *text, const ArcCapture *capture, const char *part)
{
    ArcError err;
    ArcExperiment *experiment = case_experiment(text);
    ArcProblem *problem = NULL;
    assert_int_equal(arc_problem_create(experiment, capture, &problem, &err), ARC_INPUT);
    if (strstr(err.text, part) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, part);
    arc_experiment_free(experiment);
}

/* The capture's cameras are those it was made with; here they are turned after that. */
static void test_problem_camera_that_looks_away_is_named(void **state)
{
    (void)state;
    ArcCapture *capture = camera_capture(one_truth, 30, 1.0, 3);
    ArcCamera *camera = (ArcCamera *)(uintptr_t)&capture->cameras[0];
    for (int i = 3; i < 9; i++) /* half a turn about the image's rows */
        camera->rotation[i] = -camera->rotation[i];
    assert_refused(CAMERA_ONE CAMERA_BALL PRIOR "}\n", capture,
                   "case.yaml:2:52: error: camera 'side' does not see the flight that its points");
    /* Who gives a start means it. */
    ArcProblem *problem =
        case_problem(CAMERA_ONE CAMERA_BALL PRIOR ", x0: {start: 0}, y0: {start: -20}}\n", capture);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

/* A tenth of a second from one camera: the depth is no more than guessed, but the flight begins
 * before the camera, both fits find the same, and the verdict says that the depth is not known. */
static void test_fit_of_a_short_view_says_that_the_depth_is_unknown(void **state)
{
    (void)state;
    static const char fitted[] =
        CAMERA_ONE CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.03}}}\n";
    int told = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        ArcCapture *capture = camera_capture(one_truth, 10, 0.08, seed);
        ArcError err;
        ArcExperiment *experiment = case_experiment(fitted);
        ArcFit *fit = case_fit(fitted, capture, ARC_DIRECT);
        ArcResult result = {.n_fits = 1, .fits = {fit}, .capture = capture};
        result.comparison.verdict = ARC_VERDICT_AGREE;
        result.comparison.chi2_p = 0.5;
        ArcText text = {0};
        char *sentence;
        arc_verdict_sentence(&text, &result);
        assert_int_equal(arc_text_finish(&text, &sentence, &err), ARC_OK);
        const ArcEstimate *depth = case_parameter(fit, "y0");
        told += depth->status == ARC_PARAMETER_UNIDENTIFIED &&
                strstr(depth->reason, "distance from the camera") != NULL &&
                strstr(sentence, "y0") != NULL && strstr(sentence, "(unidentified)") != NULL;
        arc_text_free(sentence);
        arc_fit_free(fit);
        arc_experiment_free(experiment);
        arc_capture_free(capture);
    }
    print_message("a short view: the depth is said to be unknown in %d of 20\n", told);
    assert_true(told >= 18);
}

static void refuse_text(const char *capture, const char *rest, const char *points, const char *part)
{
    char text[2048];
    ArcError err;
    ArcExperiment *experiment = NULL;
    ArcCapture *read = NULL;
    ArcProblem *problem = NULL;
    assert_int_equal(arc_file_replace(points_path, points, strlen(points), NULL), ARC_OK);
    snprintf(text, sizeof text, "arcfit: 1\ncapture: {file: %s, %s}\n%s", points_path, capture,
             rest);
    ArcStatus status =
        arc_experiment_parse("case.yaml", text, strlen(text), 0, NULL, &experiment, &err);
    if (status == ARC_OK)
        status = arc_capture_read(&experiment->capture, &read, &err);
    if (status == ARC_OK)
        status = arc_problem_create(experiment, read, &problem, &err);
    assert_int_equal(status, ARC_INPUT);
    if (strstr(err.text, part) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, part);
    arc_capture_free(read);
    arc_experiment_free(experiment);
}

#define TWO "sigma: 0.5 px, cameras: {" CAMERA_LEFT ", " CAMERA_RIGHT "}"
#define POINTS "time_s,camera,u_px,v_px\n0,left,700,500\n0,right,700,500\n0.1,left,760,480\n"

static void test_captures_of_cameras_are_refused_with_their_place(void **state)
{
    (void)state;
    static const char flight[] = CAMERA_BALL;
    refuse_text(TWO, flight, "time_s,camera,u_px,v_px\n0,left,1,2\n0.1,middle,3,4\n",
                ":3:1: error: the camera 'middle' is not among capture.cameras; add it there");
    refuse_text(TWO, flight, "time_s,u_px,v_px\n0,1,2\n0.1,3,4\n",
                ":2:1: error: which of 2 cameras saw this?");
    refuse_text(TWO, flight, "frame,camera,u_px,v_px\n0,left,1,2\n1,left,3,4\n",
                "has frame numbers but no times; give the frames a second");
    refuse_text("sigma: 0.5 px, cameras: {" CAMERA_LEFT "}", flight, POINTS,
                "the camera 'right' is not among capture.cameras");
    refuse_text("cameras: {" CAMERA_LEFT ", " CAMERA_RIGHT "}", flight, POINTS,
                "no standard deviation in pixels for line 2");
    refuse_text("sigma: 0.5 px, cameras: {" CAMERA_LEFT ", left: {}}", flight, POINTS,
                "the key 'left' is given twice");
    refuse_text("sigma: 0.5 px, cameras: {" CAMERA_LEFT ", right: {}}", flight, POINTS,
                "camera 'right' (scale) sees one plane, but the flight has 3 dimensions");
    refuse_text(TWO, "flight: {ball: basketball}\n", POINTS,
                "camera 'left' (pinhole) sees space, but the flight has 2 dimensions");
    refuse_text("sigma: 0.5 px, cameras: {left: {lens: [0, 0, 0, 0]}}", flight, POINTS,
                "camera 'left' has a lens, which goes with `focal:` alone");
    refuse_text(TWO ", rows_from: bottom", flight, POINTS,
                "rows that count from the bottom of the picture need its height");
    refuse_text(TWO, CAMERA_BALL "parameters: {middle.time_offset: free}\n", POINTS,
                "unknown parameter 'time_offset' of 'middle'; this experiment's cameras are left, "
                "right");
    refuse_text(TWO, CAMERA_BALL "parameters: {time_offset: free}\n", POINTS,
                "'time_offset' belongs to one camera (left.time_offset)");
}

/* Columns x and y of pixels without a unit, rows from the bottom, of which the height is not known:
 * a side view all the same. */
static void test_read_side_view_of_bare_columns_is_noted(void **state)
{
    (void)state;
    static const char points[] = "t,x,y\n0,100,50\n0.1,120,70\n0.2,140,80\n";
    char text[512];
    ArcError err;
    ArcCapture *capture = NULL;
    assert_int_equal(arc_file_replace(points_path, points, strlen(points), NULL), ARC_OK);
    snprintf(text, sizeof text,
             "arcfit: 1\ncapture: {file: %s, sigma: 1 px, rows_from: bottom, cameras: {side: "
             "{}}}\nparameters: {scale: free}\n",
             points_path);
    ArcExperiment *experiment = case_experiment(text);
    if (arc_capture_read(&experiment->capture, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(capture->n_fit, 3);
    assert_true(capture->pixel_px[2] == 120.0 && capture->pixel_px[3] == -70.0);
    assert_int_equal(capture->n_notes, 3);
    assert_non_null(strstr(capture->notes[1], ": note: x and y are taken as pixels"));
    assert_non_null(strstr(capture->notes[2], "v is taken as minus their number"));
    arc_capture_free(capture);
    arc_experiment_free(experiment);
    /* With its height they count from the top. */
    snprintf(text, sizeof text,
             "arcfit: 1\ncapture: {file: %s, sigma: 1 px, rows_from: bottom, image: {height: 720}, "
             "cameras: {side: {}}}\nparameters: {scale: free}\n",
             points_path);
    experiment = case_experiment(text);
    if (arc_capture_read(&experiment->capture, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_true(capture->pixel_px[3] == 649.0);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

/* A camera that no point is of, and one that is missing in the experiment, are said. */
static void test_read_camera_without_points_is_noted(void **state)
{
    (void)state;
    char text[1024];
    ArcError err;
    ArcCapture *capture = NULL;
    static const char points[] = "time_s,camera,u_px,v_px\n0,left,700,500\n0.1,left,760,480\n";
    assert_int_equal(arc_file_replace(points_path, points, strlen(points), NULL), ARC_OK);
    snprintf(text, sizeof text, "arcfit: 1\ncapture: {file: %s, " TWO "}\n" CAMERA_BALL,
             points_path);
    ArcExperiment *experiment = case_experiment(text);
    if (arc_capture_read(&experiment->capture, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(capture->n_notes, 1);
    assert_non_null(strstr(capture->notes[0], ": note: no point is of camera 'right'"));
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

/* Columns that are chosen as pixels win over others that are called x and y; a fisheye by itself.
 */
static void test_read_chosen_pixels_win_over_other_columns(void **state)
{
    (void)state;
    static const char points[] = ",frame,x,y,ux,uy\n2,2,1,2,10,20\n3,3,3,4,30,40\n";
    char text[512];
    ArcError err;
    ArcCapture *capture = NULL;
    assert_int_equal(arc_file_replace(points_path, points, strlen(points), NULL), ARC_OK);
    snprintf(text, sizeof text,
             "arcfit: 1\ncapture: {file: %s, rate: 100 Hz, columns: {u: ux, v: uy}, cameras: {c: "
             "{focal: 500 px, centre: [320, 240], lens_model: fisheye, sigma: 1 px, pose: "
             "{rotation: [90 deg, 0, 0], translation: [0, 0, 5]}}}}\n" CAMERA_BALL,
             points_path);
    ArcExperiment *experiment = case_experiment(text);
    if (arc_capture_read(&experiment->capture, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_true(capture->pixel_px[0] == 10.0 && capture->pixel_px[3] == 40.0);
    assert_true(capture->time_s[0] == 0.02);
    assert_int_equal(capture->cameras[0].kind, ARC_CAMERA_FISHEYE);
    assert_int_equal(capture->cameras[0].n_lens, 4);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

/* Weak data through two cameras that both may be anywhere in time: said, not guessed. */
static void test_forecast_of_two_free_clocks_is_unidentified(void **state)
{
    (void)state;
    static const char fitted[] =
        CAMERA_TWO CAMERA_BALL PRIOR ", left.time_offset: free, right.time_offset: free}\n";
    ArcError err;
    ArcCapture *capture = camera_capture(truth, 40, 1.0, 5);
    ArcProblem *problem = case_problem(fitted, capture);
    ArcFit *forecast = NULL;
    if (arc_fit_forecast(problem, &forecast, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(forecast->n_unidentified, 1);
    assert_int_equal(case_parameter(forecast, "left.time_offset")->status,
                     ARC_PARAMETER_UNIDENTIFIED);
    arc_fit_free(forecast);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problem_camera_that_looks_away_is_named),
        cmocka_unit_test(test_fit_of_a_short_view_says_that_the_depth_is_unknown),
        cmocka_unit_test(test_captures_of_cameras_are_refused_with_their_place),
        cmocka_unit_test(test_read_side_view_of_bare_columns_is_noted),
        cmocka_unit_test(test_read_camera_without_points_is_noted),
        cmocka_unit_test(test_read_chosen_pixels_win_over_other_columns),
        cmocka_unit_test(test_forecast_of_two_free_clocks_is_unidentified),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
