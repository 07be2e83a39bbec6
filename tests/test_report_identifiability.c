/* What the data tell of an arm's parameters, in text and JSON of results and checks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/report.h"
#include "fit_case.h"

#include <jansson.h>

#define HEAD                                                                                       \
    "arcfit: 1\nname: Six\ncapture: {file: none.csv, sigma: 2 mm}\n"                               \
    "flight: {dimensions: 2, ball: basketball, drag: quadratic}\nrelease: arm\n"                   \
    "arm: {joints: [{length: 0.5 m}, {length: 0.4 m}], base: [0 m, 1 m]}\n"
#define THROW HEAD "parameters: {t0: 0, theta1: 2.27, theta2: -0.44, omega1: -3, omega2: -9}\n"

static const char six[] =
    HEAD "parameters: {t0: 0, l1: {start: 0.5}, l2: {start: 0.4}, theta1: {start: 2.27}, theta2: "
         "{start: -0.44}, omega1: {start: -3}, omega2: {start: -9}}\n";

/* The text in one line, so that nothing depends on where it is wrapped. */
static void unwrap(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        bool blank = *from == ' ' || *from == '\n';
        if (!blank || to == text || to[-1] != ' ')
            *to++ = blank ? ' ' : *from;
    }
    *to = '\0';
}

static char *check_text(const char *experiment_text, bool as_json)
{
    ArcError err;
    char *text = NULL;
    ArcFit *forecast = NULL;
    ArcExperiment *experiment = case_experiment(experiment_text);
    ArcCapture *capture = case_capture(THROW, 12, 0.6, 0.002);
    ArcProblem *problem = case_problem(experiment_text, capture);
    assert_int_equal(arc_fit_forecast(problem, &forecast, &err), ARC_OK);
    ArcStatus status =
        as_json ? arc_report_check_json(experiment, capture, forecast, NULL, &text, &err)
                : arc_report_check_text(experiment, capture, forecast, NULL, &text, &err);
    assert_int_equal(status, ARC_OK);
    arc_fit_free(forecast);
    arc_problem_free(problem);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
    return text;
}

static void test_check_text_says_what_is_told_and_what_is_not(void **state)
{
    (void)state;
    char *text = check_text(six, false);
    unwrap(text);
    assert_non_null(strstr(text, "the data tell 4 of 6 combinations of the free parameters; one "
                                 "flight gives 4 numbers of its release"));
    assert_non_null(strstr(text, "told, in SI l1 + "));
    assert_non_null(strstr(text, " not told "));
    assert_non_null(strstr(text, "would settle "));
    assert_non_null(strstr(text, "l2 to 1 mm"));
    assert_non_null(strstr(text, ": then l1 \xc2\xb1 "));
    assert_null(strstr(text, "readings and priors"));
    arc_text_free(text);
}

static void test_check_text_of_an_arm_that_is_told_says_what_is_next(void **state)
{
    (void)state;
    static const char known[] =
        HEAD "parameters: {t0: 0, theta1: {start: 2.27}, theta2: {start: -0.44}, omega1: {start: "
             "-3}, omega2: {start: -9}}\n";
    char *text = check_text(known, false);
    unwrap(text);
    assert_null(strstr(text, "the data tell 4"));
    assert_non_null(strstr(text, "next to measure "));
    assert_non_null(strstr(text, " % on the mean"));
    arc_text_free(text);
}

static json_t *member(json_t *object, const char *key)
{
    json_t *found = json_object_get(object, key);
    if (found == NULL)
        fail_msg("there is no '%s'", key);
    return found;
}

static void test_check_json_has_all_of_it(void **state)
{
    (void)state;
    char *text = check_text(six, true);
    json_t *root = json_loads(text, 0, NULL), *found = member(root, "identifiability");
    assert_int_equal(json_integer_value(member(found, "rank")), 4);
    assert_int_equal(json_integer_value(member(found, "free")), 6);
    assert_int_equal(json_integer_value(member(found, "release_numbers")), 4);
    json_t *told = member(found, "determined"), *open = member(found, "undetermined");
    assert_int_equal(json_array_size(told), 4);
    assert_int_equal(json_array_size(open), 2);
    for (size_t i = 0; i < 4; i++) {
        json_t *one = json_array_get(told, i);
        assert_int_equal(json_array_size(member(one, "parameters")),
                         json_array_size(member(one, "factors")));
        assert_true(json_number_value(json_array_get(member(one, "factors"), 0)) == 1.0);
        assert_true(json_number_value(member(one, "sd")) > 0.0);
        assert_true(json_is_number(member(one, "value")));
        assert_true(json_is_string(member(one, "unit")));
    }
    assert_null(json_object_get(json_array_get(open, 0), "sd"));
    json_t *best = json_array_get(member(found, "measurements"), 0);
    assert_int_equal(json_array_size(member(best, "readings")), 2);
    json_t *reading = json_array_get(member(best, "readings"), 0);
    assert_true(json_number_value(member(reading, "sd")) > 0.0);
    assert_true(strlen(json_string_value(member(reading, "instrument"))) > 5);
    assert_int_equal(json_integer_value(member(best, "settles")), 2);
    assert_int_equal(json_integer_value(member(best, "null_left")), 0);
    assert_int_equal(json_object_size(member(best, "sd_after")), 6);
    json_decref(root);
    arc_text_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_text_says_what_is_told_and_what_is_not),
        cmocka_unit_test(test_check_text_of_an_arm_that_is_told_says_what_is_next),
        cmocka_unit_test(test_check_json_has_all_of_it),
    };
    return cmocka_run_group_tests_name("report_identifiability", tests, NULL, NULL);
}
