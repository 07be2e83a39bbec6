/* Cameras in experiments, and the parameters of the measurement by name. */
#include "arcfit/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static ArcExperiment *parse(const char *text, int n_overrides, const char *const *overrides)
{
    ArcError err;
    ArcExperiment *experiment = NULL;
    if (arc_experiment_parse("d/f.yaml", text, strlen(text), n_overrides, overrides, &experiment,
                             &err) != ARC_OK)
        fail_msg("%s", err.text);
    return experiment;
}

static const ArcParameter *find(const ArcExperiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->n_parameters; i++)
        if (strcmp(experiment->parameters[i].name, name) == 0)
            return &experiment->parameters[i];
    fail_msg("no parameter '%s'", name);
    return NULL;
}

static const char two[] =
    "arcfit: 1\n"
    "capture:\n"
    "  sigma: 0.5 px\n"
    "  cameras:\n"
    "    left: {calibration: calib.toml, entry: cam_0, file: left.csv, sigma: 0.7 px}\n"
    "    right: {focal: 1100 px, centre: [955, 545], lens: [-0.18, 0.04, 0, 0],\n"
    "            pose: {rotation: [90 deg, 0, 0], translation: [0, 1 m, 600 cm]}}\n"
    "flight: {dimensions: 3}\n"
    "parameters:\n"
    "  clock_rate: {prior: {mean: 1, sd: 0.01}}\n"
    "  right.time_offset: free\n"
    "  left: {line_time: 12 us, sigma: {prior: {mean: 1, sd: 0.5}}}\n";

static void test_cameras_fill_their_settings(void **state)
{
    (void)state;
    ArcExperiment *experiment = parse(two, 0, NULL);
    const ArcCaptureSettings *capture = &experiment->capture;
    assert_int_equal(capture->n_cameras, 2);
    assert_true(capture->sigma_px == 0.5 && isnan(capture->sigma_m));
    const ArcCameraSettings *left = &capture->cameras[0], *right = &capture->cameras[1];
    assert_string_equal(left->name, "left");
    assert_string_equal(left->calibration, "d/calib.toml");
    assert_string_equal(left->entry, "cam_0");
    assert_string_equal(left->file, "d/left.csv");
    assert_true(left->sigma_px == 0.7 && isnan(left->focal_px[0]) && isnan(left->stick.length_m));
    assert_null(right->calibration);
    assert_true(right->focal_px[0] == 1100.0 && right->focal_px[1] == 1100.0);
    assert_int_equal(right->n_lens, 4);
    assert_true(right->lens[1] == 0.04);
    assert_true(fabs(right->rotation_rad[0] - 0.5 * M_PI) < 1e-15);
    assert_true(right->translation_m[2] == 6.0);
    arc_experiment_free(experiment);
}

static void test_parameters_of_the_measurement_follow_the_release(void **state)
{
    (void)state;
    ArcExperiment *experiment = parse(two, 0, NULL);
    int first = experiment->flight.n_parameters + 7;
    assert_int_equal(experiment->n_parameters, first + 4);
    static const struct {
        const char *name;
        int measure, camera;
    } wanted[] = {{"clock_rate", ARC_MEASURE_CLOCK_RATE, 0},
                  {"right.time_offset", ARC_MEASURE_TIME_OFFSET, 1},
                  {"left.line_time", ARC_MEASURE_LINE_TIME, 0},
                  {"left.sigma", ARC_MEASURE_SIGMA, 0}};
    for (int i = 0; i < 4; i++) {
        const ArcParameter *parameter = &experiment->parameters[first + i];
        assert_string_equal(parameter->name, wanted[i].name);
        assert_int_equal(parameter->measure, wanted[i].measure);
        if (i > 0)
            assert_int_equal(parameter->camera, wanted[i].camera);
    }
    assert_true(find(experiment, "clock_rate")->start == 1.0);
    assert_false(find(experiment, "left.line_time")->is_free);
    assert_true(fabs(find(experiment, "left.line_time")->start - 12e-6) < 1e-18);
    assert_true(find(experiment, "left.sigma")->has_prior);
    arc_experiment_free(experiment);
}

/* What --set gives replaces what the file has, in whichever form. */
static void test_parameters_overrides_of_cameras_win(void **state)
{
    (void)state;
    static const char *const overrides[] = {"parameters.right.time_offset=3 ms",
                                            "parameters.left.sigma=free",
                                            "parameters.left.scale=free"};
    ArcExperiment *experiment = parse(two, 3, overrides);
    assert_false(find(experiment, "right.time_offset")->is_free);
    assert_true(find(experiment, "right.time_offset")->start == 0.003);
    assert_true(find(experiment, "left.sigma")->is_free);
    assert_false(find(experiment, "left.sigma")->has_prior);
    assert_int_equal(find(experiment, "left.scale")->measure,
                     ARC_MEASURE_CORRECTION + ARC_CORRECTION_SCALE);
    arc_experiment_free(experiment);
}

/* With one camera, or none, the plain name does. */
static void test_parameters_plain_names_of_one_camera_and_of_metres(void **state)
{
    (void)state;
    ArcExperiment *experiment = parse("arcfit: 1\ncapture: {cameras: {side: {}}}\n"
                                      "parameters: {scale: free, side.roll: free}\n",
                                      0, NULL);
    assert_int_equal(find(experiment, "scale")->camera, 0);
    assert_int_equal(find(experiment, "side.roll")->camera, 0);
    arc_experiment_free(experiment);
    experiment = parse("arcfit: 1\nparameters: {scale: free}\n", 0, NULL);
    assert_int_equal(find(experiment, "scale")->camera, -1);
    arc_experiment_free(experiment);
    experiment = parse("arcfit: 1\ncapture: {units: {position: px}}\n"
                       "parameters: {scale: free}\n",
                       0, NULL);
    assert_int_equal(find(experiment, "scale")->camera, 0);
    arc_experiment_free(experiment);
}

static const struct {
    const char *text, *what;
} broken[] = {
    {"capture: {cameras: [left]}\n", "2:20: error: capture.cameras is a list; wanted: a mapping"},
    {"capture: {cameras: {a.b: {}}}\n", "2:21: error: 'a.b' is no name for a camera"},
    {"capture: {cameras: {a: {focal: 0}}}\n", "capture.cameras.a.focal is '0', out of its range"},
    {"capture: {cameras: {a: {centre: [1]}}}\n", "capture.cameras.a.centre has 1 entries"},
    {"capture: {cameras: {a: {focus: 1}}}\n", "unknown key 'focus' in capture.cameras.a"},
    {"capture: {cameras: {a: {pose: 3}}}\n", "capture.cameras.a.pose"},
    {"capture: {cameras: {a: {stick: {length: 1}}}}\n", "'from' is missing"},
    {"capture: {sigma: 0 px}\n", "capture.sigma is '0 px', out of its range"},
    {"capture: {cameras: {a: {}, b: {}}}\nparameters: {scale: free}\n",
     "3:14: error: the parameter 'scale' belongs to one camera (a.scale)"},
    {"capture: {cameras: {a: {}, b: {}}}\nparameters: {c.scale: free}\n",
     "3:14: error: unknown parameter 'scale' of 'c'; this experiment's cameras are a, b"},
    {"capture: {cameras: {a: {}}}\nparameters: {a: {scael: free}}\n",
     "3:18: error: unknown parameter 'scael'"},
    {"capture: {cameras: {a: {}}}\nparameters: {a.clock_rate: free}\n",
     "'clock_rate' is of all cameras together; write it without 'a.'"},
    {"capture: {cameras: {a: {}}}\nparameters: {sigma: free}\nfit: {profile: [sigma]}\n",
     "'sigma' has no profile"},
};

static void test_broken_cameras_are_refused_at_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        char text[512];
        ArcError err = {ARC_OK, ""};
        ArcExperiment *experiment = NULL;
        snprintf(text, sizeof text, "arcfit: 1\n%s", broken[i].text);
        assert_int_equal(
            arc_experiment_parse("f.yaml", text, strlen(text), 0, NULL, &experiment, &err),
            ARC_INPUT);
        if (strstr(err.text, broken[i].what) == NULL)
            fail_msg("%zu: '%s' does not say '%s'", i, err.text, broken[i].what);
        assert_null(experiment);
    }
}

static void test_more_cameras_than_there_is_room_for_are_refused(void **state)
{
    (void)state;
    char text[1024] = "arcfit: 1\ncapture: {cameras: {";
    ArcError err = {ARC_OK, ""};
    ArcExperiment *experiment = NULL;
    for (int i = 0; i <= ARC_MAX_CAMERAS; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sc%d: {}", i == 0 ? "" : ", ",
                 i);
    strcat(text, "}}\n");
    assert_int_equal(arc_experiment_parse("f.yaml", text, strlen(text), 0, NULL, &experiment, &err),
                     ARC_INPUT);
    assert_non_null(strstr(err.text, "more than 8 cameras"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cameras_fill_their_settings),
        cmocka_unit_test(test_parameters_of_the_measurement_follow_the_release),
        cmocka_unit_test(test_parameters_overrides_of_cameras_win),
        cmocka_unit_test(test_parameters_plain_names_of_one_camera_and_of_metres),
        cmocka_unit_test(test_broken_cameras_are_refused_at_their_place),
        cmocka_unit_test(test_more_cameras_than_there_is_room_for_are_refused),
    };
    return cmocka_run_group_tests_name("cameras", tests, NULL, NULL);
}
