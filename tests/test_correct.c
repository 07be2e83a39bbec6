/* `arcfit aim --correct`: the worked experiment of an arm that learns, from the command line. */
#include "program_run.h"

#include <jansson.h>
#include <math.h>

static Run run;
static char folder[] = "/tmp/arcfit-correct-XXXXXX", root[PATH_MAX];

#define DEGREE (M_PI / 180.0)

static void run_loop(const char *command, const char *more)
{
    char line[RUN_MOST_LINE];
    snprintf(line, sizeof line, "%.10s %.1000s/experiments/aim-loop.yaml %.2900s", command, root,
             more);
    run_line(&run, NULL, line);
}

static void run_well(const char *command, const char *more)
{
    run_loop(command, more);
    if (run.code != 0)
        fail_msg("%s %s ends with %d: %s", command, more, run.code, run.messages);
}

/* The committed throw, and one more of the same arm, each fitted. */
static int enter(void **state)
{
    (void)state;
    if (getcwd(root, sizeof root) == NULL)
        return -1;
    run_enter_folder(folder);
    run_well("fit", "--quiet --set fit.methods=[direct] -o one.h5");
    run_well("simulate", "--quiet -o two.csv --readings two-readings.csv --seed 5 "
                         "--set parameters.l1=505mm --set parameters.l2=395mm "
                         "--set parameters.base_y=1.405m --set parameters.offset1=1deg "
                         "--set parameters.offset2=-1deg --set parameters.cd=0.6 "
                         "--set parameters.theta1=-28.5deg --set parameters.theta2=7.3deg "
                         "--set parameters.omega1=434deg/s --set parameters.omega2=192deg/s");
    char more[2600], here[1000];
    if (getcwd(here, sizeof here) == NULL)
        return -1;
    snprintf(more, sizeof more,
             "--quiet -o two.h5 --set capture.file=%s/two.csv "
             "--set capture.readings.file=%s/two-readings.csv",
             here, here);
    run_well("fit", more);
    return 0;
}

static int leave(void **state)
{
    (void)state;
    return run_remove_folder(folder);
}

static json_t *json_of_run(void)
{
    json_error_t error;
    json_t *json = json_loads(run.output, 0, &error);
    if (json == NULL)
        fail_msg("%s", error.text);
    return json;
}

static double number_of(const json_t *object, const char *outer, const char *key)
{
    const json_t *number = json_object_get(json_object_get(object, outer), key);
    assert_true(json_is_number(number));
    return json_number_value(number);
}

static void test_correct_json_has_each_parameter_before_and_after(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double truth, prior_mean, prior_sd;
    } rows[] = {{"cd", 0.6, 0.5, 0.1},
                {"base_y", 1.405, 1.4, 0.01},
                {"l1", 0.505, 0.5, 0.01},
                {"l2", 0.395, 0.4, 0.01},
                {"offset1", 1 * DEGREE, 0.0, 2 * DEGREE},
                {"offset2", -1 * DEGREE, 0.0, 2 * DEGREE}};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    run_well("aim", "--correct one.h5 two.h5 --json -");
    json_t *aim = json_of_run();
    assert_true(json_is_true(json_object_get(aim, "reachable")));
    const json_t *correction = json_object_get(aim, "correction");
    const json_t *parameters = json_object_get(correction, "parameters");
    const json_t *covariance = json_object_get(correction, "covariance");
    assert_int_equal(json_integer_value(json_object_get(correction, "results")), 2);
    assert_true(json_number_value(json_object_get(correction, "chi2_p")) > 1e-3);
    assert_int_equal(json_array_size(parameters), ROWS);
    assert_int_equal(json_array_size(covariance), ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        const json_t *one = json_array_get(parameters, i);
        assert_string_equal(json_string_value(json_object_get(one, "name")), rows[i].name);
        double value = number_of(one, "after", "value"), sd = number_of(one, "after", "sd");
        assert_true(fabs(number_of(one, "before", "value") - rows[i].prior_mean) < 1e-12);
        assert_true(fabs(number_of(one, "before", "sd") - rows[i].prior_sd) < 1e-12);
        assert_true(sd < rows[i].prior_sd);
        assert_true(fabs(value - rows[i].truth) < 4.0 * sd);
        double moved = json_number_value(json_object_get(one, "moved_sd"));
        assert_true(fabs(moved - (value - rows[i].prior_mean) / rows[i].prior_sd) < 1e-9);
        const json_t *own = json_array_get(json_array_get(covariance, i), i);
        assert_true(fabs(json_number_value(own) - sd * sd) < 1e-12 * sd);
    }
    /* It is aimed by what was learned. */
    const json_t *cd = json_object_get(json_object_get(aim, "belief"), "cd");
    assert_true(json_number_value(json_object_get(cd, "value")) ==
                number_of(json_array_get(parameters, 0), "after", "value"));
    json_decref(aim);
}

static void test_correct_text_says_what_moved(void **state)
{
    (void)state;
    run_well("aim", "--correct one.h5 two.h5");
    run_assert_says(run.output,
                    "corrected by 2 throws: they and what was known before agree (chi2");
    run_assert_says(run.output, "parameter      before                 after");
    run_assert_says(run.output, "offset1        0.0 ± 2.0 ");
    run_assert_says(run.output, " sd\n");
    run_assert_says(run.output, "cd             0.50 ± 0.10            0.60");
    run_assert_says(run.output, "down through a hoop");
    /* Of a wanted release, too: links that are other than drawn have other poses. */
    run_well("aim", "--correct one.h5 two.h5 --set "
                    "aim={\"release\":{\"position\":[0.6m,1.7m],\"velocity\":[1m/s,1m/s]}}");
    run_assert_says(run.output, "corrected by 2 throws");
    run_assert_says(run.output, "the arm reaches it");
}

/* --correct is given once for all or once for each, before or behind the experiment. */
static void test_correct_option_in_each_order(void **state)
{
    (void)state;
    static char first[RUN_MOST_TEXT];
    char line[RUN_MOST_LINE];
    run_well("aim", "--correct one.h5 two.h5 --json -");
    memcpy(first, run.output, sizeof first);
    run_well("aim", "--correct one.h5 --json - --correct=two.h5");
    assert_string_equal(run.output, first);
    snprintf(line, sizeof line,
             "aim --correct one.h5 --correct two.h5 %.1000s/experiments/aim-loop.yaml "
             "--json -",
             root);
    run_line(&run, NULL, line);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.output, first);
}

static void assert_refused(const char *command, const char *more, const char *words)
{
    run_loop(command, more);
    if (run.code != 2)
        fail_msg("%s %s ends with %d", command, more, run.code);
    run_assert_says(run.messages, words);
    assert_string_equal(run.output, "");
}

static void test_correct_what_cannot_be_used_is_refused(void **state)
{
    (void)state;
    assert_refused("aim", "--correct one.h5 one.h5", "result 2 of 2: it is the same throw");
    assert_refused("aim", "--correct none.h5", "none.h5");
    assert_refused("aim", "--correct two.csv", "two.csv");
    assert_refused("aim", "--correct", "wants a value: --correct RESULT...");
    assert_refused("aim", "--correct one.h5 --json one.h5", "one.h5");
    assert_refused("fit", "--correct one.h5", "`arcfit fit` takes no option '--correct'");
    assert_refused("aim",
                   "--correct one.h5 --set parameters.l1=0.5m --set parameters.l2=0.4m "
                   "--set parameters.base_y=1.4m --set parameters.offset1=0rad "
                   "--set parameters.offset2=0rad --set parameters.cd=0.5",
                   "nothing that lasts from throw to throw is uncertain");
    char more[2600], here[1000];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(more, sizeof more, "--correct one.h5 --set aim.from=%s/one.h5", here);
    assert_refused("aim", more, "is aim.from's result, which is known already");
}

/* A result to begin with and a throw more are two throws. */
static void test_correct_from_a_result_goes_on(void **state)
{
    (void)state;
    char more[2600], here[1000];
    assert_non_null(getcwd(here, sizeof here));
    run_well("aim", "--correct one.h5 two.h5 --json -");
    json_t *both = json_of_run();
    snprintf(more, sizeof more, "--correct two.h5 --json - --set aim.from=%s/one.h5", here);
    run_well("aim", more);
    json_t *later = json_of_run();
    const json_t *a = json_object_get(json_object_get(both, "correction"), "parameters");
    const json_t *b = json_object_get(json_object_get(later, "correction"), "parameters");
    assert_int_equal(json_array_size(a), json_array_size(b));
    for (size_t i = 0; i < json_array_size(a); i++) {
        double sd = number_of(json_array_get(a, i), "after", "sd");
        assert_true(fabs(number_of(json_array_get(a, i), "after", "value") -
                         number_of(json_array_get(b, i), "after", "value")) < 1e-4 * sd);
        assert_true(fabs(number_of(json_array_get(b, i), "after", "sd") / sd - 1.0) < 1e-4);
    }
    json_decref(both);
    json_decref(later);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_correct_json_has_each_parameter_before_and_after),
        cmocka_unit_test(test_correct_text_says_what_moved),
        cmocka_unit_test(test_correct_option_in_each_order),
        cmocka_unit_test(test_correct_what_cannot_be_used_is_refused),
        cmocka_unit_test(test_correct_from_a_result_goes_on),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
