/* `arcfit aim`: throws that hit a target, whether an arm reaches a release, as text, JSON and HDF5,
 * and exit codes. */
#include "program_run.h"

#include <jansson.h>
#include <math.h>
#include <unistd.h>

static Run run;

#define ARM                                                                                        \
    "arcfit: 1\n"                                                                                  \
    "capture: {sigma: 2 mm}\n"                                                                     \
    "flight: {dimensions: 2, drag: lumped}\n"                                                      \
    "release: arm\n"                                                                               \
    "arm:\n"                                                                                       \
    "  joints:\n"                                                                                  \
    "    - {length: 0.5 m, limits: [-150 deg, 150 deg], rate_limit: 6 rad/s}\n"                    \
    "    - {length: 0.4 m, limits: [0 deg, 150 deg], rate_limit: 8 rad/s}\n"                       \
    "  base: [0 m, 1 m]\n"                                                                         \
    "parameters: {k: 0.02}\n"

static const char nowhere[] = ARM;
static const char release[] =
    ARM "aim: {release: {position: [0.5 m, 1.6 m], velocity: [-1 m/s, 1 m/s]}}\n";
static const char target[] = ARM "aim: {target: {point: [1.5 m, 2 m]}}\n";

/* No air, so that the least speed to (5, 2.5) is sqrt(g (y + sqrt(x^2 + y^2))). */
static const char thrown[] = "arcfit: 1\n"
                             "flight: {dimensions: 2}\n"
                             "release: polar\n"
                             "parameters: {x0: 0 m, y0: 0 m}\n"
                             "aim: {target: {point: [5 m, 2.5 m]}, objectives: {speed: 1}}\n";

static const char flight[] = "arcfit: 1\nflight: {dimensions: 2}\nparameters: {x0: 0 m, y0: 0 m}\n";

static json_t *json_of(const char *arguments, int code)
{
    json_error_t error;
    run_line(&run, NULL, arguments);
    assert_int_equal(run.code, code);
    json_t *root = json_loads(run.output, 0, &error);
    assert_non_null(root);
    return root;
}

static double number_at(json_t *object, const char *outer, const char *key)
{
    json_t *number = json_object_get(json_object_get(object, outer), key);
    assert_true(json_is_number(number));
    return json_number_value(number);
}

static void test_aim_release_that_is_reached_exits_0(void **state)
{
    (void)state;
    json_t *root = json_of("aim release.yaml --json -", 0);
    assert_true(json_is_true(json_object_get(root, "reachable")));
    assert_true(number_at(root, "shortfall", "miss_m") == 0.0);
    assert_true(number_at(root, "shortfall", "speed_m_s") == 0.0);
    json_t *best = json_array_get(json_object_get(root, "solutions"), 0);
    json_t *arm = json_object_get(best, "arm");
    assert_true(json_is_true(json_object_get(arm, "within_limits")));
    json_t *theta = json_object_get(arm, "theta_rad");
    double a = json_number_value(json_array_get(theta, 0));
    double b = json_number_value(json_array_get(theta, 1));
    assert_true(fabs(0.5 * cos(a) + 0.4 * cos(a + b) - 0.5) < 1e-8);
    assert_true(fabs(1.0 + 0.5 * sin(a) + 0.4 * sin(a + b) - 1.6) < 1e-8);
    assert_true(fabs(json_number_value(json_object_get(best, "speed_m_s")) - sqrt(2)) < 1e-6);
    assert_true(fabs(json_number_value(json_object_get(best, "angle_rad")) - 0.25 * M_PI) < 1e-6);
    assert_true(json_is_null(json_object_get(best, "azimuth_rad")));
    assert_int_equal(json_array_size(json_object_get(root, "poses")), 2);
    json_decref(root);
    run_line(&run, NULL, "aim release.yaml");
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.output, "the arm reaches it within its limits"));
    assert_string_equal(run.messages, "");
}

static void test_aim_release_out_of_reach_exits_1_and_says_why(void **state)
{
    (void)state;
    static const char line[] = "aim release.yaml --set aim.release.position=[0.931m,1m] "
                               "--set aim.release.velocity=[0m/s,0m/s]";
    char with_json[256];
    run_line(&run, NULL, line);
    assert_int_equal(run.code, 1);
    assert_non_null(strstr(run.output, "out of reach: the nearest"));
    assert_non_null(strstr(run.output, "link 1 would need 31 mm more"));
    assert_non_null(strstr(run.output, "link 2 would need 31 mm more"));
    assert_non_null(strstr(run.output, "comes within 31 mm"));
    assert_non_null(strstr(run.output, "sensitivity     the distance of 3.1 (1: 1 cm or 10 cm/s)"));
    assert_non_null(strstr(run.output, "\n                -1 with each cm of link 1\n"));
    snprintf(with_json, sizeof with_json, "%s --json -", line);
    json_t *root = json_of(with_json, 1);
    assert_true(json_is_false(json_object_get(root, "reachable")));
    assert_true(fabs(number_at(root, "shortfall", "miss_m") - 0.031) < 1e-9);
    json_t *changes = json_object_get(json_object_get(root, "shortfall"), "changes");
    assert_int_equal(json_array_size(changes), 2);
    assert_true(fabs(json_number_value(json_object_get(json_array_get(changes, 1), "change")) -
                     0.031) < 1e-6);
    assert_true(json_is_null(
        json_object_get(json_array_get(json_object_get(root, "solutions"), 0), "time_s")));
    json_decref(root);
}

static void test_aim_target_is_hit(void **state)
{
    (void)state;
    json_t *root = json_of("aim target.yaml --json -", 0);
    json_t *best = json_array_get(json_object_get(root, "solutions"), 0);
    assert_true(json_number_value(json_object_get(best, "miss_m")) < 1e-8);
    assert_true(json_number_value(json_object_get(best, "time_s")) > 0.05);
    assert_true(json_number_value(json_object_get(best, "entry_speed_m_s")) > 0.5);
    assert_true(json_is_number(json_object_get(best, "entry_angle_rad")));
    json_decref(root);
    root = json_of("aim target.yaml --set aim.target.point=[6m,3m] --json -", 1);
    assert_true(number_at(root, "shortfall", "miss_m") > 0.1);
    json_decref(root);
    run_line(&run, NULL, "aim target.yaml --set aim.target.point=[6m,3m] -q");
    assert_int_equal(run.code, 1);
    assert_string_equal(run.output, "");
}

static void test_aim_throw_without_an_arm_is_found(void **state)
{
    (void)state;
    double least = sqrt(9.80665 * (2.5 + hypot(5.0, 2.5)));
    json_t *root = json_of("aim thrown.yaml --json -", 0);
    assert_true(json_is_true(json_object_get(root, "reachable")));
    json_t *best = json_array_get(json_object_get(root, "solutions"), 0);
    assert_true(json_number_value(json_object_get(best, "miss_m")) < 1e-6);
    assert_true(fabs(json_number_value(json_object_get(best, "speed_m_s")) - least) < 1e-5);
    assert_true(json_is_null(json_object_get(best, "arm")));
    json_decref(root);
    run_line(&run, NULL, "aim thrown.yaml");
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.output, "aim             through (5, 2.5) m\n"
                                       "verdict         throw at 8.907 m/s, 58.28 deg: hits\n"));
    assert_string_equal(run.messages, "");
}

static void test_aim_throw_too_slow_exits_1_and_says_how_much(void **state)
{
    (void)state;
    double least = sqrt(9.80665 * (2.5 + hypot(5.0, 2.5)));
    static const char line[] = "aim thrown.yaml --set parameters.speed.bounds=[0,8.5]";
    char with_json[128];
    snprintf(with_json, sizeof with_json, "%s --json -", line);
    json_t *root = json_of(with_json, 1);
    assert_true(json_is_false(json_object_get(root, "reachable")));
    assert_true(fabs(number_at(root, "shortfall", "speed_m_s") - (least - 8.5)) < 1e-5);
    assert_true(number_at(root, "shortfall", "miss_m") > 0.05);
    json_decref(root);
    root = json_of("aim thrown.yaml --set aim.limits.speed.most=8.5 --json -", 1);
    assert_true(fabs(number_at(root, "shortfall", "speed_m_s") - (least - 8.5)) < 1e-5);
    json_decref(root);
    run_line(&run, NULL, line);
    assert_int_equal(run.code, 1);
    assert_non_null(strstr(run.output, "verdict         cannot be hit: 8.5 m/s, "));
    assert_non_null(strstr(run.output, "shortfall       0.407 m/s more speed would do: 8.907 m/s "
                                       "hits\n"));
}

static void test_aim_out_is_written_with_o_alone(void **state)
{
    (void)state;
    run_line(&run, NULL, "aim thrown.yaml --set output.file=told.h5");
    assert_int_equal(run.code, 0);
    assert_int_not_equal(access("told.h5", F_OK), 0);
    run_line(&run, NULL, "aim thrown.yaml -o found.h5 -q");
    assert_int_equal(run.code, 0);
    assert_string_equal(run.output, "");
    assert_int_equal(access("found.h5", F_OK), 0);
    run_line(&run, NULL, "aim thrown.yaml -o thrown.yaml");
    assert_int_equal(run.code, 2);
    run_line(&run, NULL, "aim thrown.yaml -o a.h5 --json a.h5");
    assert_int_equal(run.code, 2);
    assert_non_null(strstr(run.messages, "two things would be written"));
    run_line(&run, NULL, "aim thrown.yaml -o /proc/a.h5");
    assert_int_equal(run.code, 3);
    assert_int_not_equal(access("a.h5", F_OK), 0);
    run_line(&run, NULL, "compare found.h5");
    assert_int_equal(run.code, 2);
}

static void test_aim_bad_input_exits_2(void **state)
{
    (void)state;
    run_line(&run, NULL, "aim nowhere.yaml");
    assert_int_equal(run.code, 2);
    assert_non_null(strstr(run.messages, "nowhere.yaml:1:1: error: there is nothing to aim at"));
    run_line(&run, NULL, "aim flight.yaml");
    assert_int_equal(run.code, 2);
    assert_non_null(strstr(run.messages, "flight.yaml:1:1: error: there is nothing to aim at"));
    run_line(&run, NULL, "aim thrown.yaml -o -");
    assert_int_equal(run.code, 2);
    assert_int_not_equal(access("-", F_OK), 0);
    run_line(&run, NULL, "aim release.yaml --set aim.target.point=[1m,1m]");
    assert_int_equal(run.code, 2);
    assert_non_null(strstr(run.messages, "aim at one thing"));
    run_line(&run, NULL, "aim release.yaml --set aim=far");
    assert_int_equal(run.code, 2);
    run_line(&run, NULL, "aim release.yaml --set aim.release.position=[1m,2m,3m]");
    assert_int_equal(run.code, 2);
    run_line(&run, NULL, "aim release.yaml -o x.h5");
    assert_int_equal(run.code, 2);
    assert_non_null(strstr(run.messages, "-o is for the throws that hit a target"));
    run_line(&run, NULL, "aim thrown.yaml --set aim.unknowns=[sped]");
    assert_int_equal(run.code, 2);
    assert_string_equal(run.output, "");
    assert_non_null(
        strstr(run.messages, "--set:1:15: error: aim.unknowns: 'sped' is no parameter"));
    run_line(&run, NULL, "aim thrown.yaml --set aim.from=missing.h5");
    assert_int_equal(run.code, 2);
    assert_non_null(strstr(run.messages, "missing.h5"));
}

int main(void)
{
    char folder[] = "/tmp/arcfit-aim-XXXXXX";
    run_enter_folder(folder);
    run_write_file("nowhere.yaml", nowhere);
    run_write_file("release.yaml", release);
    run_write_file("target.yaml", target);
    run_write_file("thrown.yaml", thrown);
    run_write_file("flight.yaml", flight);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aim_release_that_is_reached_exits_0),
        cmocka_unit_test(test_aim_release_out_of_reach_exits_1_and_says_why),
        cmocka_unit_test(test_aim_target_is_hit),
        cmocka_unit_test(test_aim_throw_without_an_arm_is_found),
        cmocka_unit_test(test_aim_throw_too_slow_exits_1_and_says_how_much),
        cmocka_unit_test(test_aim_out_is_written_with_o_alone),
        cmocka_unit_test(test_aim_bad_input_exits_2),
    };
    int failed = cmocka_run_group_tests_name("aim", tests, NULL, NULL);
    run_remove_folder(folder);
    return failed;
}
