/* Experiments with a model: its parameters and starts, sigmas by channel, what is recorded, and
 * every key that is refused, at its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "model_case.h"

#include <math.h>

static const ArcParameter *parameter(const ArcExperiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->n_parameters; i++)
        if (strcmp(experiment->parameters[i].name, name) == 0)
            return &experiment->parameters[i];
    fail_msg("no parameter %s", name);
    return NULL;
}

static const char *recorded(const ArcExperiment *experiment, const char *path)
{
    for (int i = 0; i < experiment->n_settings; i++)
        if (strcmp(experiment->setting_paths[i], path) == 0)
            return experiment->setting_values[i];
    return NULL;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-14 * (1 + fabs(expected))))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static void test_parameters_are_the_models_then_t0_then_starts(void **state)
{
    (void)state;
    static const char *const second[] = {"length", "friction", "drag",   "gravity",
                                         "t0",     "theta0",   "vtheta0"};
    static const char *const first[] = {"sigma", "rho", "beta", "t0", "x0", "y0", "z0"};
    ArcExperiment *experiment = model_experiment(PENDULUM);
    assert_int_equal(experiment->n_parameters, 7);
    assert_int_equal(experiment->flight.n_parameters, 4);
    assert_ptr_equal(experiment->capture.equations, experiment->equations);
    for (int i = 0; i < 7; i++) {
        const ArcParameter *own = &experiment->parameters[i];
        assert_string_equal(own->name, second[i]);
        assert_int_equal(own->is_free, i > 4);
        assert_false(own->has_start);
        assert_int_equal(own->sharing, i < 4 ? ARC_SHARED : ARC_PER_FLIGHT);
    }
    assert_near(parameter(experiment, "gravity")->start, 9.80665);
    assert_near(parameter(experiment, "theta0")->start, 0.5);
    assert_string_equal(parameter(experiment, "vtheta0")->unit, "rad/s");
    arc_experiment_free(experiment);
    experiment = model_experiment(LORENZ);
    assert_int_equal(experiment->n_parameters, 7);
    for (int i = 0; i < 7; i++)
        assert_string_equal(experiment->parameters[i].name, first[i]);
    assert_near(parameter(experiment, "z0")->start, 27);
    arc_experiment_free(experiment);
}

static void test_parameters_are_read_in_units_of_their_dimension(void **state)
{
    (void)state;
    ArcExperiment *experiment = model_experiment(
        PENDULUM "parameters:\n"
                 "  length: {start: 80 cm, bounds: [10 cm, 2 m]}\n"
                 "  friction: {prior: {mean: 6 1/min, sd: 1.2 1/min}, flights: per-flight}\n"
                 "  drag: 2 %\n"
                 "  gravity: {fixed: 981 cm/s^2}\n"
                 "  t0: {start: 5 ms}\n"
                 "  theta0: 30 deg\n"
                 "  vtheta0: {start: 0.5 rev/s}\n"
                 "fit: {profile: [length, vtheta0], methods: [direct]}\n");
    const ArcParameter *length = parameter(experiment, "length");
    assert_true(length->is_free && length->has_start);
    assert_near(length->start, 0.8);
    assert_near(length->low, 0.1);
    assert_near(length->high, 2);
    assert_near(parameter(experiment, "friction")->prior_mean, 0.1);
    assert_near(parameter(experiment, "friction")->prior_sd, 0.02);
    assert_int_equal(parameter(experiment, "friction")->sharing, ARC_PER_FLIGHT);
    assert_near(parameter(experiment, "drag")->start, 0.02);
    assert_false(parameter(experiment, "drag")->is_free);
    assert_near(parameter(experiment, "gravity")->start, 9.81);
    assert_near(parameter(experiment, "t0")->start, 0.005);
    assert_near(parameter(experiment, "theta0")->start, M_PI / 6);
    assert_false(parameter(experiment, "theta0")->is_free);
    assert_near(parameter(experiment, "vtheta0")->start, M_PI);
    assert_true(experiment->uncertainty.profiles == (1u | 1u << 6));
    assert_string_equal(recorded(experiment, "parameters.length.start"), "0.8 m");
    assert_string_equal(recorded(experiment, "parameters.length.bounds"), "[0.1 m, 2 m]");
    assert_string_equal(recorded(experiment, "model.plugin"), "experiments/models/pendulum.c");
    assert_null(recorded(experiment, "flight.dimensions"));
    assert_null(recorded(experiment, "release"));
    arc_experiment_free(experiment);
}

static void test_set_reaches_parameters_and_starts(void **state)
{
    (void)state;
    static const char *const set[] = {"parameters.rho=30", "parameters.x0.start=-7",
                                      "capture.sigma={x: 0.5}"};
    ArcExperiment *experiment = NULL;
    ArcError err;
    if (model_parse(LORENZ "parameters: {rho: free}\n", 3, set, &experiment, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_near(parameter(experiment, "rho")->start, 30);
    assert_false(parameter(experiment, "rho")->is_free);
    assert_near(parameter(experiment, "x0")->start, -7);
    assert_true(parameter(experiment, "x0")->is_free);
    assert_near(experiment->capture.channel_sigma[0], 0.5);
    assert_true(isnan(experiment->capture.channel_sigma[1]));
    arc_experiment_free(experiment);
    static const char *const bad[] = {"parameters.roh=30"};
    assert_int_equal(model_parse(LORENZ, 1, bad, &experiment, &err), ARC_INPUT);
    assert_string_equal(err.text, "--set:1:12: error: unknown parameter 'roh'; "
                                  "the model lorenz has sigma, rho, beta, t0, x0, y0, z0");
}

static void test_sigma_is_one_for_all_or_by_channel(void **state)
{
    (void)state;
    ArcExperiment *experiment =
        model_experiment(PENDULUM "capture: {file: a.csv, sigma: {theta: 0.5 deg, vtheta: 2 deg/s, "
                                  "factor: estimate}}\n");
    const ArcCaptureSettings *capture = &experiment->capture;
    assert_near(capture->channel_sigma[0], 0.5 * M_PI / 180);
    assert_near(capture->channel_sigma[1], 2 * M_PI / 180);
    assert_true(capture->sigma_estimated);
    assert_string_equal(recorded(experiment, "capture.sigma.factor"), "estimate");
    assert_string_equal(recorded(experiment, "capture.sigma.vtheta"), "0.03490658503988659 rad/s");
    arc_experiment_free(experiment);
    experiment = model_experiment(PENDULUM "capture: {file: a.csv, sigma: 0.1}\n");
    assert_near(experiment->capture.channel_sigma[0], 0.1);
    assert_near(experiment->capture.channel_sigma[1], 0.1);
    assert_false(experiment->capture.sigma_estimated);
    arc_experiment_free(experiment);
    /* With a unit it is of the channels that have such a one. */
    experiment = model_experiment(PENDULUM "capture: {file: a.csv, sigma: 1 deg}\n");
    assert_near(experiment->capture.channel_sigma[0], M_PI / 180);
    assert_true(isnan(experiment->capture.channel_sigma[1]));
    assert_string_equal(recorded(experiment, "capture.sigma"), "1 deg");
    arc_experiment_free(experiment);
    experiment = model_experiment(PENDULUM "capture: {file: a.csv, sigma: estimate}\n");
    assert_true(experiment->capture.sigma_estimated);
    assert_true(isnan(experiment->capture.channel_sigma[0]));
    arc_experiment_free(experiment);
}

static void test_several_captures_keep_the_model(void **state)
{
    (void)state;
    ArcExperiment *experiment = model_experiment(
        LORENZ "capture:\n"
               "- {file: a.csv, sigma: 1, window: [0 s, 2 s], every: 2}\n"
               "- {file: b.csv, sigma: {y: 2}, t0: 1 s, columns: {x: first, sigma_y: 4, t: when},\n"
               "   units: {t: ms, z: '%'}, hold_out: {every: 5}}\n");
    assert_int_equal(experiment->n_captures, 2);
    const ArcCaptureSettings *one = &experiment->captures[0], *two = &experiment->captures[1];
    assert_ptr_equal(one->equations, experiment->equations);
    assert_ptr_equal(two->equations, experiment->equations);
    assert_near(one->channel_sigma[2], 1);
    assert_true(isnan(two->channel_sigma[2]));
    assert_near(two->channel_sigma[1], 2);
    assert_near(two->time_scale_s, 1e-3);
    assert_int_equal(two->n_columns, 4);
    assert_string_equal(two->columns[0].role, "x");
    assert_string_equal(two->columns[0].column, "first");
    assert_string_equal(two->columns[1].role, "sigma_y");
    assert_string_equal(two->columns[2].role, "t");
    assert_string_equal(two->columns[3].role, "z");
    assert_null(two->columns[3].column);
    assert_string_equal(two->columns[3].unit, "%");
    assert_int_equal(two->columns[1].place.line, 5);
    arc_experiment_free(experiment);
}

static void test_simulate_has_channels_times_and_rounding(void **state)
{
    (void)state;
    ArcExperiment *experiment = model_experiment(
        PENDULUM "simulate:\n  channels: [vtheta]\n  times: [0, 10 ms, 0.5]\n"
                 "  sigma: {vtheta: 1 rpm}\n"
                 "  noise: {rounding: {vtheta: 1 deg/s}, outliers: {share: 0.1, size: 5}}\n");
    const ArcSimulateSettings *simulate = &experiment->simulate;
    assert_int_equal(simulate->channels, 2);
    assert_int_equal(simulate->n_times, 3);
    assert_near(simulate->times_s[1], 0.01);
    assert_near(simulate->channel_sigma[1], M_PI / 30);
    assert_true(isnan(simulate->channel_sigma[0]));
    assert_near(simulate->channel_rounding[1], M_PI / 180);
    assert_true(simulate->channel_rounding[0] == 0);
    arc_experiment_free(experiment);
}

static void test_every_key_of_a_ball_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"flight: {}\n", "e.yaml:3:1: error: 'flight' is of a ball's flight, but this experiment "
                         "has equations of its own (`model`); leave one of them out"},
        {"release: polar\n", "e.yaml:3:1: error: 'release' is of a ball's"},
        {"arm: none\n", "e.yaml:3:1: error: 'arm' is of a ball's"},
        {"aim: {}\n", "e.yaml:3:1: error: 'aim' is of a ball's"},
        {"derived: {}\n", "e.yaml:3:1: error: 'derived' is of a ball's"},
        {"capture: {cameras: {}}\n", "e.yaml:3:11: error: 'capture.cameras' is of a ball's"},
        {"capture: {split: auto}\n", "e.yaml:3:11: error: 'capture.split' is of a ball's"},
        {"capture: {swing: {}}\n", "e.yaml:3:11: error: 'capture.swing' is of"},
        {"capture: {readings: {}}\n", "e.yaml:3:11: error: 'capture.readings' is of"},
        {"capture: {track: a}\n", "e.yaml:3:11: error: 'capture.track' is of"},
        {"capture: {rate: 5}\n", "e.yaml:3:11: error: 'capture.rate' is of"},
        {"capture: {image: {}}\n", "e.yaml:3:11: error: 'capture.image' is of"},
        {"capture: {views: 2}\n", "e.yaml:3:11: error: 'capture.views' is of"},
        {"capture: {offsets: a}\n", "e.yaml:3:11: error: 'capture.offsets' is of"},
        {"capture: {rows_from: top}\n", "e.yaml:3:11: error: 'capture.rows_from' is of"},
        {"capture: {window: auto}\n", "e.yaml:3:19: error: capture.window is auto, which looks"},
        {"capture: {format: c3d}\n", "e.yaml:3:19: error: format 'c3d' has positions of a ball"},
        {"fit: {stages: auto}\n", "e.yaml:3:7: error: 'fit.stages' is of"},
        {"simulate: {swing: {}}\n", "e.yaml:3:12: error: 'simulate.swing' is of"},
        {"simulate: {readings: []}\n", "e.yaml:3:12: error: 'simulate.readings' is of"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        ArcExperiment *experiment = NULL;
        ArcError err = {ARC_OK, ""};
        snprintf(text, sizeof text, "%s%s", PENDULUM, rows[i].text);
        n_model_freed = 0;
        assert_int_equal(model_parse(text, 0, NULL, &experiment, &err), ARC_INPUT);
        if (strncmp(err.text, rows[i].message, strlen(rows[i].message)) != 0)
            fail_msg("'%s' instead of '%s'", err.text, rows[i].message);
        assert_null(experiment);
        assert_int_equal(n_model_freed, i < 5 ? 0 : 1);
    }
}

static void test_what_is_wrong_with_a_model_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"parameters: {lenght: 1}\n", "e.yaml:3:14: error: unknown parameter 'lenght'; did you "
                                      "mean 'length'? the model pendulum"},
        {"parameters: {cd: 1}\n", "e.yaml:3:14: error: unknown parameter 'cd'; the model pendulum "
                                  "has length, friction, drag, gravity, t0, theta0, vtheta0"},
        {"parameters: {scale: free}\n", "e.yaml:3:14: error: unknown parameter 'scale'"},
        {"parameters: {length: 3 kg}\n", "e.yaml:3:22: error: 'kg' is the unit of a mass, but a "
                                         "length is wanted"},
        {"parameters: {friction: 3 1/m}\n", "e.yaml:3:24: error: '1/m' is the unit of an inverse "
                                            "length, but a number per second is wanted"},
        {"parameters: {length: -1}\n", "e.yaml:3:22: error: parameters.length is '-1', out of its "
                                       "range 0.01 to 100 m"},
        {"parameters: {theta0: 11}\n", "e.yaml:3:22: error: parameters.theta0 is '11', out of"},
        {"parameters: {length: {bounds: [2, 3]}}\n",
         "e.yaml:3:31: error: the default start 1 of 'length' is outside its bounds 2 to 3 m"},
        {"parameters: {t0: {measured: {value: 1, sd: 1}}}\n",
         "e.yaml:3:19: error: 't0' is nothing that a reading measures"},
        {"fit: {profile: [length]}\n", "e.yaml:3:17: error: fit.profile: 'length' is fixed"},
        {"capture: {sigma: {thet: 1}}\n", "e.yaml:3:19: error: 'thet' in capture.sigma is no "
                                          "channel; did you mean 'theta'? the model pendulum has "
                                          "theta, vtheta"},
        {"capture: {sigma: {theta: 0}}\n", "e.yaml:3:26: error: capture.sigma.theta is '0'; it "
                                           "must be above 0"},
        {"capture: {sigma: 3 mm}\n", "e.yaml:3:18: error: 'mm' is the unit of a length, but an "
                                     "angle is wanted"},
        {"capture: {sigma: guess}\n", "e.yaml:3:18: error: 'guess' is not accepted for "
                                      "capture.sigma"},
        {"capture: {sigma: {}}\n", "e.yaml:3:18: error: capture.sigma is empty"},
        {"capture: {sigma: {factor: 2}}\n", "e.yaml:3:19: error: 'factor' in capture.sigma is no "
                                            "channel"},
        {"capture: {columns: {x: a}}\n", "e.yaml:3:21: error: 'x' in capture.columns is no "
                                         "channel"},
        {"capture: {columns: {sigma_x: a}}\n", "e.yaml:3:21: error: 'x' in capture.columns"},
        {"capture: {units: {theta: m}}\n", "e.yaml:3:26: error: 'm' is the unit of a length, but "
                                           "an angle"},
        {"capture: {units: {position: m}}\n", "e.yaml:3:19: error: 'position' in capture.units"},
        {"simulate: {channels: [x]}\n", "e.yaml:3:23: error: 'x' in simulate.channels is no"},
        {"simulate: {channels: []}\n", "e.yaml:3:22: error: simulate.channels is an empty list"},
        {"simulate: {channels: [theta, theta]}\n", "e.yaml:3:30: error: 'theta' is given twice"},
        {"simulate: {times: [1]}\n", "e.yaml:3:19: error: simulate.times has 1 entries"},
        {"simulate: {times: [1, 1]}\n", "e.yaml:3:23: error: simulate.times: '1' is not later"},
        {"simulate: {noise: {rounding: 1 mm}}\n", "e.yaml:3:30: error: '1 mm' is not accepted"},
        {"simulate: {noise: {outliers: {size: 3 mm}}}\n",
         "e.yaml:3:37: error: simulate.noise.outliers.size is a length"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        ArcExperiment *experiment = NULL;
        ArcError err = {ARC_OK, ""};
        snprintf(text, sizeof text, "%s%s", PENDULUM, rows[i].text);
        if (model_parse(text, 0, NULL, &experiment, &err) != ARC_INPUT)
            fail_msg("%s is accepted", rows[i].text);
        if (strncmp(err.text, rows[i].message, strlen(rows[i].message)) != 0)
            fail_msg("'%s' instead of '%s'", err.text, rows[i].message);
    }
}

static void test_the_plugin_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"arcfit: 1\nmodel: pendulum\n", "e.yaml:2:8: error: 'pendulum' is not accepted for model"},
        {"arcfit: 1\nmodel: {}\n", "e.yaml:2:1: error: 'plugin' is missing"},
        {"arcfit: 1\nmodel: {plugin: ''}\n", "e.yaml:2:17: error: model.plugin is empty"},
        {"arcfit: 1\nmodel: {plugin: [a]}\n", "e.yaml:2:17: error: model.plugin is a list"},
        {"arcfit: 1\nmodel: {plugin: none.c}\n", "e.yaml:2:17: error: "},
        {"arcfit: 1\nmodel: {plugins: a}\n", "e.yaml:2:9: error: unknown key 'plugins' in model"},
        {"arcfit: 1\nsimulate: {channels: [x]}\n",
         "e.yaml:2:12: error: simulate.channels is for a model"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcExperiment *experiment = NULL;
        ArcError err = {ARC_OK, ""};
        assert_int_equal(model_parse(rows[i].text, 0, NULL, &experiment, &err), ARC_INPUT);
        if (strncmp(err.text, rows[i].message, strlen(rows[i].message)) != 0)
            fail_msg("'%s' instead of '%s'", err.text, rows[i].message);
    }
}

/* Relative to the experiment's folder; units that nobody knows are told with their number. */
static void test_units_of_a_plugin_must_be_known(void **state)
{
    (void)state;
    static const char plugin[] =
        "#include <arcfit/model.h>\n"
        "static const ArcModelQuantity states[] = {{\"x\", \"m\", \"a\", 1, -9, 9}};\n"
        "static const ArcModelQuantity parameters[] = {{\"k\", \"N/furlong\", \"b\", 1, 0, 9}};\n"
        "static void rates(real t, const real *x, const real *v, const real *p, real *f)\n"
        "{\n"
        "    f[0] = -p[0] * x[0];\n"
        "}\n"
        "ARC_MODEL(\"odd\", \"odd\", 1, states, parameters, rates, NULL)\n";
    char folder[] = "/tmp/arcfit-model-XXXXXX", path[64], experiment_path[64];
    static const char text[] = "arcfit: 1\nmodel: {plugin: odd.c}\n";
    ArcExperiment *experiment = NULL;
    ArcError err;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/odd.c", folder);
    snprintf(experiment_path, sizeof experiment_path, "%s/e.yaml", folder);
    assert_int_equal(arc_file_replace(path, plugin, strlen(plugin), NULL), ARC_OK);
    ArcStatus status =
        arc_experiment_parse(experiment_path, text, strlen(text), 0, NULL, &experiment, &err);
    unlink(path);
    rmdir(folder);
    assert_int_equal(status, ARC_INPUT);
    if (strstr(err.text, "e.yaml:2:17: error: the unit 'N/furlong' of 'k' of the model is "
                         "not known, because of 'furlong'") == NULL)
        fail_msg("%s", err.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters_are_the_models_then_t0_then_starts),
        cmocka_unit_test(test_parameters_are_read_in_units_of_their_dimension),
        cmocka_unit_test(test_set_reaches_parameters_and_starts),
        cmocka_unit_test(test_sigma_is_one_for_all_or_by_channel),
        cmocka_unit_test(test_several_captures_keep_the_model),
        cmocka_unit_test(test_simulate_has_channels_times_and_rounding),
        cmocka_unit_test(test_every_key_of_a_ball_is_refused_at_its_place),
        cmocka_unit_test(test_what_is_wrong_with_a_model_is_refused_at_its_place),
        cmocka_unit_test(test_the_plugin_is_refused_at_its_place),
        cmocka_unit_test(test_units_of_a_plugin_must_be_known),
    };
    return cmocka_run_group_tests(tests, NULL, model_clear);
}
