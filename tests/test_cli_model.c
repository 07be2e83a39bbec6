/* Own equations from the command line: check, simulate, fit, compare, predict, and what the plug-in
 * may do meanwhile. */
#include "program_run.h"

#include <jansson.h>
#include <math.h>

static Run run;
static char folder[] = "/tmp/arcfit-model-XXXXXX";

static const char plugin[] =
    "#include <arcfit/model.h>\n"
    "static const ArcModelQuantity states[] = {{\"theta\", \"rad\", \"angle\", 0.5, -10, 10}};\n"
    "static const ArcModelQuantity parameters[] = {\n"
    "    {\"length\", \"m\", \"of the rod\", 1, 0.01, 100},\n"
    "    {\"friction\", \"1/s\", \"of the bearing\", 0.05, 0, 10},\n"
    "    {\"gravity\", \"m/s^2\", \"size\", 9.80665, 0, 30}};\n"
    "static void rates(real t, const real *x, const real *v, const real *p, real *f)\n"
    "{\n"
    "    f[0] = -p[2] / p[0] * sin(x[0]) - p[1] * v[0];\n"
    "}\n"
    "ARC_MODEL(\"pendulum\", \"with friction\", 2, states, parameters, rates, NULL)\n";

static void write_experiment(const char *name, const char *capture, const char *parameters)
{
    char text[1024];
    snprintf(text, sizeof text,
             "arcfit: 1\nname: A pendulum\nmodel: {plugin: models/pendulum.c}\ncapture: %s\n"
             "parameters: {%s}\n"
             "simulate: {points: 40, duration: 5 s, channels: [theta]}\n",
             capture, parameters);
    run_write_file(name, text);
}

/* Two captures, and the result of the first one's fit. */
static int make_model(void **state)
{
    (void)state;
    const char *const capture = "{file: a.csv, sigma: {theta: 0.5 deg}}";
    run_enter_folder(folder);
    if (mkdir("models", 0777) != 0)
        return 1;
    run_write_file("models/pendulum.c", plugin);
    write_experiment("make.yaml", capture,
                     "length: {start: 0.8}, friction: {start: 0.1}, theta0: {start: 0.9}, "
                     "vtheta0: {start: 0}");
    write_experiment("fit.yaml", "{file: a.csv, sigma: {theta: 0.5 deg}, hold_out: {every: 5}}",
                     "length: {start: 0.7}, friction: free");
    run_line(&run, NULL, "simulate make.yaml -o a.csv");
    assert_int_equal(run.code, 0);
    run_line(&run, NULL, "simulate make.yaml -o b.csv --seed 2 --set parameters.theta0=-0.5");
    assert_int_equal(run.code, 0);
    run_line(&run, NULL, "fit fit.yaml --json fit.json --log fit.csv");
    assert_int_equal(run.code, 0);
    return 0;
}

static int remove_model(void **state)
{
    (void)state;
    return run_remove_folder(folder);
}

/* A result of own equations says nothing of flights. */
static void assert_no_flight(const char *text)
{
    static const char *const words[] = {"flight", "release", "ball", " mm", "m/s^2,"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i]) != NULL)
            fail_msg("'%s' is in\n%s", words[i], text);
}

static json_t *get(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (value == NULL)
        fail_msg("no '%s'", key);
    return value;
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(get(object, key));
}

static json_t *read_json(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (root == NULL)
        fail_msg("%s: %s", path, error.text);
    return root;
}

static void test_check_of_model_lists_channels_and_states(void **state)
{
    (void)state;
    run_line(&run, NULL, "check fit.yaml --json check.json");
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "\nsigma           theta 0.00873 rad\n");
    run_assert_says(run.output, "\nmodel           pendulum: 1 coordinate of second order; ");
    run_assert_says(run.output, "\ntheta           rad            32           8  0.00873\n");
    run_assert_says(run.output, "\nvtheta          rad/s     not observed\n");
    run_assert_says(run.output, "\nstate at t0   start ");
    run_assert_says(run.output, "identify every free parameter");
    assert_no_flight(run.output);
    json_t *root = read_json("check.json");
    json_t *channel = json_array_get(get(get(root, "states"), "channels"), 0);
    assert_int_equal(json_integer_value(get(channel, "points")), 32);
    assert_null(json_object_get(root, "diagnosis"));
    assert_true(number(get(get(root, "parameters"), "theta0"), "sd") > 0);
    json_decref(root);
}

static void test_fit_of_model_finds_its_parameters(void **state)
{
    (void)state;
    static const char *const names[] = {"length", "friction", "theta0", "vtheta0"};
    static const double truths[] = {0.8, 0.1, 0.9, 0};
    json_t *root = read_json("fit.json");
    for (size_t i = 0; i < 2; i++) {
        json_t *fit = json_array_get(get(root, "fits"), i);
        for (size_t p = 0; p < 4; p++) {
            json_t *row = get(get(fit, "parameters"), names[p]);
            assert_true(fabs(number(row, "value") - truths[p]) < 4 * number(row, "sd"));
        }
        json_t *theta = json_array_get(get(get(fit, "states"), "channels"), 0);
        assert_int_equal(json_integer_value(get(theta, "points")), 32);
        assert_true(number(theta, "rms") > 0.004 && number(theta, "rms") < 0.013);
        assert_int_equal(json_integer_value(get(theta, "held_out_points")), 8);
        json_t *moved = get(get(get(fit, "trajectory"), "states"), "theta");
        assert_int_equal(json_array_size(get(moved, "second")), 101);
    }
    assert_string_equal(json_string_value(get(get(root, "comparison"), "verdict")), "agree");
    assert_true(json_is_null(get(get(root, "comparison"), "trajectory_max_m")));
    json_decref(root);
}

static void test_compare_of_model_result_says_what_the_fit_said(void **state)
{
    (void)state;
    run_line(&run, NULL, "compare fit.h5");
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "\n  held out                      8 ");
    run_assert_says(run.output, "agree: both methods find the same run, and the model explains");
    assert_no_flight(run.output);
    assert_string_equal(run.messages, "");
}

static void test_log_of_model_has_units_in_names(void **state)
{
    (void)state;
    size_t size;
    char *text = run_read_file("fit.csv", &size);
    run_assert_says(text,
                    ",rate,length_m,friction_per_s,gravity_m_s2,t0_s,theta0_rad,vtheta0_rad_s\n");
    free(text);
}

/* Two models of one plug-in are nested; they are ranked as flights are. */
static void test_compare_of_models_ranks_them(void **state)
{
    (void)state;
    run_line(&run, NULL, "fit fit.yaml --set parameters.friction=0 -o frictionless.h5 -q");
    assert_int_equal(run.code, 0);
    run_line(&run, NULL, "compare frictionless.h5 fit.h5");
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "\n   1 fit.yaml ");
    run_assert_says(run.output, "model 2 is model 1 with 1 parameter less, which the data need");
    run_assert_says(run.output, "the data prefer model 1 (weight 1)");
}

static void test_predict_of_model_tells_channels(void **state)
{
    (void)state;
    run_line(&run, NULL, "predict fit.h5 --at 1 5s --held-out --json predicted.json");
    assert_int_equal(run.code, 0);
    assert_string_equal(run.messages, "");
    run_assert_says(run.output, "\ntime (s)     theta (rad)           vtheta (rad/s)\n");
    run_assert_says(run.output, "\nscore           theta: rms ");
    assert_no_flight(run.output);
    json_t *root = read_json("predicted.json"), *fits = read_json("fit.json");
    json_t *direct = json_array_get(get(fits, "fits"), 1);
    json_t *there = get(get(json_array_get(get(root, "states"), 1), "channels"), "theta");
    json_t *moved = get(get(get(direct, "trajectory"), "states"), "theta");
    /* The last time of the trajectory is that of the last point. */
    assert_float_equal(number(there, "value"),
                       json_number_value(json_array_get(get(moved, "value"), 100)), 1e-8);
    json_t *score = json_array_get(get(root, "held_out_channels"), 0);
    json_t *channel = json_array_get(get(get(direct, "states"), "channels"), 0);
    assert_float_equal(number(score, "rms"), number(channel, "held_out_rms"), 1e-8);
    json_decref(fits);
    json_decref(root);
}

static void test_predict_of_model_refuses_planes(void **state)
{
    (void)state;
    run_line(&run, NULL, "predict fit.h5 --plane y=1m");
    assert_int_equal(run.code, 2);
    run_assert_says(run.messages,
                    "error: --plane is for flights; own equations have states without ");
    run_line(&run, NULL, "predict fit.h5 --at -1");
    assert_int_equal(run.code, 2);
    run_assert_says(run.messages, "error: -1 s is before the start at 0 s");
    run_line(&run, NULL, "predict fit.h5 --at 1 --flight 1");
    assert_int_equal(run.code, 2);
    run_assert_says(run.messages, "error: --flight 1: this result has one run; leave it out");
}

/* The result holds the equations that were fitted. */
static void test_predict_after_change_of_plugin_uses_the_results_own(void **state)
{
    (void)state;
    run_line(&run, NULL, "predict fit.h5 --at 1");
    char *before = strdup(run.output);
    assert_non_null(before);
    run_write_file("models/pendulum.c", "no C at all\n");
    run_line(&run, NULL, "predict fit.h5 --at 1");
    assert_int_equal(run.code, 0);
    assert_string_equal(run.output, before);
    run_assert_says(run.messages,
                    "models/pendulum.c:1:1: warning: this file has changed since the fit");
    assert_int_equal(unlink("models/pendulum.c"), 0);
    /* In a temporary folder with a name that needs quotes, where nothing is left. */
    assert_int_equal(mkdir("it's: my", 0777), 0);
    run_line(&run, &(RunSettings){.environment = (const char *[]){"TMPDIR=it's: my", NULL}},
             "predict fit.h5 --at 1");
    assert_int_equal(run.code, 0);
    assert_string_equal(run.output, before);
    run_assert_says(run.messages, "models/pendulum.c:1:1: warning: this file cannot be read");
    assert_int_equal(rmdir("it's: my"), 0);
    run_write_file("models/pendulum.c", plugin);
    free(before);
}

static void test_several_runs_share_what_is_shared(void **state)
{
    (void)state;
    write_experiment("runs.yaml", "{file: [a.csv, b.csv], sigma: {theta: 0.5 deg}}",
                     "length: {start: 0.7}, friction: free");
    run_line(&run, NULL, "fit runs.yaml");
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "\nruns            2, fitted together\n");
    run_assert_says(run.output, "\ntheta           rad            80 ");
    run_assert_says(run.output, "agree: both methods find the same runs");
    assert_no_flight(run.output);
    run_line(&run, NULL, "predict runs.h5 --at 0");
    assert_int_equal(run.code, 2);
    run_assert_says(run.messages, "error: which of 2 runs? --flight 1 to --flight 2");
    run_line(&run, NULL, "predict runs.h5 --at 0 --flight 2 --json run.json");
    json_t *root = read_json("run.json");
    json_t *theta = get(get(json_array_get(get(root, "states"), 0), "channels"), "theta");
    assert_true(fabs(number(theta, "value") + 0.5) < 4 * number(theta, "sd"));
    json_decref(root);
}

static void test_unidentified_parameters_of_model_are_told(void **state)
{
    (void)state;
    write_experiment("open.yaml", "{file: a.csv, sigma: {theta: 0.5 deg}}",
                     "length: {start: 0.7}, gravity: free, friction: free");
    run_line(&run, NULL, "fit open.yaml --set fit.methods=[direct]");
    assert_int_equal(run.code, 1);
    run_assert_says(run.output,
                    "\nunidentified    length, gravity: the data tell only a combination");
    run_assert_says(run.messages, "open.yaml:5:14: warning: 'length' is unidentified (direct)");
    assert_null(strstr(run.output, "flight"));
}

static void test_uncertainty_of_model_beyond_the_covariance(void **state)
{
    (void)state;
    run_line(
        &run, NULL,
        "fit fit.yaml --set fit.methods=[direct] --profile length --bootstrap 20 -o beyond.h5");
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "\nprofiles        of the likelihood");
    run_assert_says(run.output,
                    "\nbootstrap       20 captures of redrawn residuals, 0 of their fits");
    assert_no_flight(run.output);
}

/* What no trial can see: a crash far from the defaults, and in the middle of a fit. */
static void test_plugin_that_crashes_in_a_fit_is_told(void **state)
{
    (void)state;
    char *crashing = strdup(plugin), *rates = strstr(crashing, "    f[0] =");
    assert_non_null(rates);
    FILE *file = fopen("models/crashing.c", "w");
    assert_non_null(file);
    fprintf(file, "#include <stdlib.h>\n%.*s    static int n;\n    if (++n > 3000) abort();\n%s",
            (int)(rates - crashing), crashing, rates);
    assert_int_equal(fclose(file), 0);
    free(crashing);
    run_write_file("earlier.h5", "an earlier result");
    run_line(&run, NULL, "fit fit.yaml --set model.plugin=models/crashing.c -o earlier.h5");
    assert_int_equal(run.code, 2);
    assert_true(run_is_one_line(run.messages));
    run_assert_says(run.messages, "models/crashing.c:1:1: error: its rates crash");
    run_assert_says(run.messages, "(abort)");
    size_t size;
    char *kept = run_read_file("earlier.h5", &size);
    assert_int_equal(size, strlen("an earlier result"));
    free(kept);
}

static void test_bad_plugin_is_told_at_its_place(void **state)
{
    (void)state;
    run_write_file("models/bad.c", "#include <arcfit/model.h>\nint x = ;\n");
    run_line(&run, NULL, "fit fit.yaml --set model.plugin=models/bad.c");
    assert_int_equal(run.code, 2);
    run_assert_says(run.messages, "models/bad.c:2:9: error: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_of_model_lists_channels_and_states),
        cmocka_unit_test(test_fit_of_model_finds_its_parameters),
        cmocka_unit_test(test_compare_of_model_result_says_what_the_fit_said),
        cmocka_unit_test(test_log_of_model_has_units_in_names),
        cmocka_unit_test(test_compare_of_models_ranks_them),
        cmocka_unit_test(test_predict_of_model_tells_channels),
        cmocka_unit_test(test_predict_of_model_refuses_planes),
        cmocka_unit_test(test_predict_after_change_of_plugin_uses_the_results_own),
        cmocka_unit_test(test_several_runs_share_what_is_shared),
        cmocka_unit_test(test_unidentified_parameters_of_model_are_told),
        cmocka_unit_test(test_uncertainty_of_model_beyond_the_covariance),
        cmocka_unit_test(test_plugin_that_crashes_in_a_fit_is_told),
        cmocka_unit_test(test_bad_plugin_is_told_at_its_place),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
