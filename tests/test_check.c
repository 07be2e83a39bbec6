/* What `arcfit check` says of points that something is wrong with, as text and JSON, and what `fit`
 * repeats of it. */
#include "program_run.h"

#include <jansson.h>
#include <math.h>

static Run run;

static const char experiment[] = "arcfit: 1\n"
                                 "capture: {file: seen.csv, sigma: 3 mm}\n"
                                 "flight: {ball: basketball, drag: quadratic}\n"
                                 "parameters: {cd: 0.5}\n";

static const char flown[] = "arcfit: 1\n"
                            "capture: {file: flown.csv, sigma: 3 mm}\n"
                            "flight: {ball: basketball, drag: quadratic}\n"
                            "parameters: {cd: 0.5, x0: 0, y0: 2, vx0: 5, vy0: 6}\n"
                            "simulate: {points: 50, duration: 0.98 s}\n";

/* The simulated throw with its numbers times these, and a number of copies of its last point that
 * stay where it is. */
static void spoil(double time, double x, double y, int held)
{
    char line[256];
    double t = 0, a = 0, b = 0;
    FILE *in = fopen("flown.csv", "r"), *out = fopen("seen.csv", "w");
    assert_non_null(in);
    assert_non_null(out);
    fprintf(out, "time_s,x_m,y_m\n");
    while (fgets(line, sizeof line, in) != NULL)
        if (sscanf(line, "%lf,%lf,%lf", &t, &a, &b) == 3)
            fprintf(out, "%.9g,%.9g,%.9g\n", time * t, x * a, y * b);
    for (int i = 1; i <= held; i++)
        fprintf(out, "%.9g,%.9g,%.9g\n", time * (t + 0.02 * i), x * a, y * b);
    fclose(in);
    fclose(out);
}

/* The codes of the warnings that JSON lists, a blank behind each. */
static const char *codes(void)
{
    static char text[512];
    text[0] = '\0';
    run_line(&run, NULL, "check seen.yaml --json -");
    assert_int_equal(run.code, 0);
    json_t *root = json_loads(run.output, 0, NULL), *warnings = json_object_get(root, "warnings");
    assert_true(json_is_array(warnings));
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        json_t *warning = json_array_get(warnings, i);
        assert_true(strlen(json_string_value(json_object_get(warning, "text"))) > 20);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s ",
                 json_string_value(json_object_get(warning, "code")));
    }
    json_decref(root);
    return text;
}

static void test_check_good_points_are_summed_up(void **state)
{
    (void)state;
    spoil(1, 1, 1, 0);
    assert_string_equal(codes(), "");
    json_t *root = json_loads(run.output, 0, NULL), *found = json_object_get(root, "diagnosis");
    json_t *g = json_object_get(json_object_get(found, "gravity_m_s2"), "value");
    assert_true(fabs(json_real_value(g) - 9.80665) < 0.2);
    assert_true(fabs(json_real_value(json_object_get(found, "step_s")) - 0.02) < 1e-9);
    assert_true(json_is_true(json_object_get(found, "regular")));
    json_decref(root);
    run_line(&run, NULL, "check seen.yaml");
    assert_non_null(strstr(run.output, "gravity found"));
    assert_non_null(strstr(run.output, "noise found"));
    assert_null(strstr(run.output, "warning"));
    assert_string_equal(run.messages, "");
}

static void test_check_wrong_rate_is_named_with_what_to_do(void **state)
{
    (void)state;
    spoil(2, 1, 1, 0); /* 50 frames a second taken for 25 */
    assert_string_equal(codes(), "scale ");
    json_t *root = json_loads(run.output, 0, NULL);
    json_t *warning = json_array_get(json_object_get(root, "warnings"), 0);
    json_t *reason = json_array_get(json_object_get(warning, "reasons"), 0);
    assert_string_equal(json_string_value(json_object_get(reason, "kind")), "rate");
    assert_true(json_real_value(json_object_get(reason, "rate_per_s")) == 50);
    assert_true(fabs(json_real_value(json_object_get(warning, "value")) - 2.45) < 0.1);
    json_decref(root);
    run_line(&run, NULL, "check seen.yaml");
    assert_non_null(strstr(run.output, "scale: gravity comes out as"));
    assert_non_null(strstr(run.output, "filmed at 50 frames a second"));
}

static void test_check_units_and_axes_are_named(void **state)
{
    (void)state;
    spoil(1, 100, 100, 0);
    assert_string_equal(codes(), "scale ");
    assert_non_null(strstr(run.output, "the positions are in cm (capture.units: {position: cm})"));
    spoil(1, 1, -1, 0);
    assert_string_equal(codes(), "axis-flipped ");
    assert_non_null(strstr(run.output, "turn the sign of its y"));
}

static void test_check_points_after_the_flight_are_left_out_by_window_auto(void **state)
{
    (void)state;
    spoil(1, 1, 1, 8);
    assert_string_equal(codes(), "after-flight ");
    run_line(&run, NULL, "check seen.yaml");
    assert_non_null(strstr(run.output, "8 points after the flight"));
    run_line(&run, NULL, "check seen.yaml --set capture.window=auto --json -");
    json_t *root = json_loads(run.output, 0, NULL), *window = json_object_get(root, "window");
    assert_int_equal(json_array_size(json_object_get(root, "warnings")), 0);
    assert_true(fabs(json_real_value(json_object_get(window, "to_s")) - 0.98) < 1e-6);
    json_t *end = json_object_get(window, "end");
    assert_string_equal(json_string_value(json_object_get(end, "why")), "contact");
    json_decref(root);
    run_line(&run, NULL, "check seen.yaml --set capture.window=auto");
    assert_non_null(strstr(run.output, "ends where the ball leaves its path"));
}

static void test_fit_misfit_names_the_gravest_finding(void **state)
{
    (void)state;
    spoil(1, 1, 1, 0);
    run_line(&run, NULL, "fit seen.yaml");
    assert_int_equal(run.code, 0);
    assert_string_equal(run.messages, "");
    spoil(2, 1, 1, 0);
    run_line(&run, NULL, "fit seen.yaml");
    assert_non_null(strstr(run.messages, "warning: misfit"));
    assert_non_null(strstr(run.messages, "seen.yaml:1:1: warning: scale: gravity comes out as"));
}

int main(void)
{
    char folder[] = "/tmp/arcfit-check-XXXXXX";
    run_enter_folder(folder);
    run_write_file("seen.yaml", experiment);
    run_write_file("flown.yaml", flown);
    run_line(&run, NULL, "simulate flown.yaml -o flown.csv");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_good_points_are_summed_up),
        cmocka_unit_test(test_check_wrong_rate_is_named_with_what_to_do),
        cmocka_unit_test(test_check_units_and_axes_are_named),
        cmocka_unit_test(test_check_points_after_the_flight_are_left_out_by_window_auto),
        cmocka_unit_test(test_fit_misfit_names_the_gravest_finding),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_remove_folder(folder);
    return failed;
}
