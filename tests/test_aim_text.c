/* What `arcfit aim` says of the throws that it found: in words, as JSON, as HDF5. */
#include "aim_report_case.h"
#include "io/hdf5.h"

#include <jansson.h>
#include <unistd.h>

static ArcAim aim;

static char *text_of(void)
{
    ArcError err = {ARC_OK, ""};
    char *text = NULL;
    if (arc_aim_text(&aim, &text, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return text;
}

static void assert_says(const char *text, const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("'%s' is not in\n%s", words, text);
}

static void assert_fits(const char *text)
{
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (length > 80)
            fail_msg("longer than 80 columns: %.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void test_aim_text_hit_tells_throws_chances_and_front(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_hit(experiment, &aim);
    char *text = text_of();
    assert_says(text, "aim             down through a hoop of 23 cm radius at (4.2, 3.05) m\n");
    assert_says(text, "verdict         throw at 8.28 m/s, 51.57 deg: hits, 63.1 % of throws\n");
    assert_says(text, "taken           cd 0.500 ± 0.020\n");
    assert_says(text, "throw                    1         2\n"
                      "speed                 8.28      8.75 m/s\n"
                      "angle                51.57     63.03 deg\n"
                      "spin                     3         3 Hz\n"
                      "entry angle          42.97     42.97 deg\n"
                      "entry speed            6.4       6.4 m/s\n"
                      "clearance              6.2       6.2 cm\n"
                      "highest point         3.75      3.75 m\n"
                      "time of flight        1.05      1.05 s\n"
                      "energy               21.25     21.25 J\n"
                      "hits                  63.1           %\n");
    assert_says(text, "scatter         sd at the goal 12 cm along x\n"
                      "                62.75 ± 0.15 % of 100000 seeded throws hit\n");
    assert_says(text, "sensitivity     8 cm off at the goal with each 0.1 m/s of speed\n"
                      "                5 cm off with each 0.1 of cd\n"
                      "                3.49 cm off with each deg of angle\n"
                      "                2 cm off with each Hz of spin\n");
    assert_says(text, "front           miss          speed     angle\n"
                      "                  cm            m/s       deg\n"
                      "    1              0           8.28     51.57\n"
                      "    2             10           7.78     51.57\n"
                      "    3             20           7.28     51.57\n");
    assert_null(strstr(text, "shortfall"));
    assert_null(strstr(text, "linearisation"));
    assert_null(strstr(text, "nan"));
    assert_fits(text);
    arc_text_free(text);
    arc_experiment_free(experiment);
}

static void test_aim_text_wide_scatter_is_said_to_be_too_wide(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_hit(experiment, &aim);
    aim.solutions[0].chance.is_valid = false;
    char *text = text_of();
    assert_says(text, "                too wide for the linearisation that its chance comes of\n");
    arc_text_free(text);
    aim.solutions[0].chance.checked = NAN;
    text = text_of();
    assert_says(text, "comes of; give aim.monte_carlo\n");
    assert_null(strstr(text, "seeded throws"));
    arc_text_free(text);
    arc_experiment_free(experiment);
}

static void test_aim_text_hit_that_touches_the_rim_says_so(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_hit(experiment, &aim);
    aim.solutions[0].numbers[ARC_AIM_CLEARANCE] = -0.01;
    char *text = text_of();
    assert_says(text, ": hits, touching the rim, 63.1 % of throws\n");
    assert_says(text, "clearance               -1       6.2 cm\n");
    arc_text_free(text);
    arc_experiment_free(experiment);
}

static void test_aim_text_many_throws_go_on_in_blocks(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_hit(experiment, &aim);
    aim.n_solutions = ARC_AIM_MAX_SOLUTIONS;
    for (int i = 0; i < aim.n_solutions; i++)
        aim.solutions[i] = report_case_throw(&aim, 8.28 + i, 0.9);
    char *text = text_of();
    assert_says(text, "\nthrow                    1         2         3         4         5\n");
    assert_says(text, "\nthrow                   21        22        23        24\n");
    assert_says(text, "     31.28 m/s\n");
    assert_fits(text);
    arc_text_free(text);
    arc_experiment_free(experiment);
}

static void test_aim_text_short_says_how_much_speed_is_missing(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_short(experiment, &aim);
    char *text = text_of();
    assert_says(text, "verdict         cannot be hit: 8 m/s, 51.57 deg comes nearest, 31 cm off\n");
    assert_says(text, "nearest                  1\n");
    assert_says(text, "miss                    31 cm\n");
    assert_says(text, "shortfall       0.28 m/s more speed would do: 8.28 m/s hits\n");
    assert_fits(text);
    arc_text_free(text);
    aim.shortfall_speed_m_s = aim.least_speed_m_s = NAN;
    text = text_of();
    assert_says(text, "shortfall       no speed would do with all else as it is\n");
    arc_text_free(text);
    experiment->parameters[report_case_index(&aim, "speed")].high = INFINITY;
    text = text_of();
    assert_says(text, "shortfall       it is not for want of speed\n");
    arc_text_free(text);
    arc_experiment_free(experiment);
}

static void test_aim_text_broken_limit_is_named(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_short(experiment, &aim);
    aim.solutions[0].numbers[ARC_AIM_MISS] = 0.0;
    aim.solutions[0].numbers[ARC_AIM_HEIGHT] = 4.25;
    aim.shortfall_speed_m_s = NAN;
    char *text = text_of();
    assert_says(text, "verdict         cannot be hit within the limits: 8 m/s, 51.57 deg passes\n");
    assert_says(text, "limits          its highest point, 4.25 m, is above 4 m\n");
    assert_null(strstr(text, "shortfall"));
    arc_text_free(text);
    aim.n_solutions = 0;
    text = text_of();
    assert_says(text, "verdict         cannot be hit: no throw comes near\n");
    arc_text_free(text);
    arc_experiment_free(experiment);
}

static void test_aim_text_arm_out_of_reach_has_the_cures_of_reach(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_ARM);
    report_case_arm(experiment, &aim);
    char *text = text_of();
    assert_says(text, "aim             through (6, 3) m\n");
    assert_says(text, "theta1                  30 deg\n");
    assert_says(text, "theta2                 -10 deg\n");
    assert_says(text, "peak torque           31.5 N m\n");
    assert_says(text, "shortfall       link 1 would need ");
    assert_says(text, "rate limit would need ");
    assert_says(text, "sensitivity     the miss of ");
    arc_text_free(text);
    arc_experiment_free(experiment);
}

static json_t *json_of(void)
{
    ArcError err = {ARC_OK, ""};
    char *text = NULL;
    json_error_t error;
    if (arc_aim_json(&aim, &text, &err) != ARC_OK)
        fail_msg("%s", err.text);
    json_t *root = json_loads(text, 0, &error);
    assert_non_null(root);
    arc_text_free(text);
    return root;
}

/* The value under keys with dots between; numbers count in arrays. */
static json_t *at(json_t *value, const char *path)
{
    char copy[128], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", path);
    for (char *key = strtok_r(copy, ".", &rest); key != NULL; key = strtok_r(NULL, ".", &rest))
        value = json_is_array(value) ? json_array_get(value, (size_t)atoi(key))
                                     : json_object_get(value, key);
    if (value == NULL)
        fail_msg("there is no %s", path);
    return value;
}

static void assert_number(json_t *root, const char *path, double expected)
{
    json_t *number = at(root, path);
    if (!json_is_number(number) ||
        !(fabs(json_number_value(number) - expected) <= 1e-12 * fmax(1.0, fabs(expected))))
        fail_msg("%s is not %.17g", path, expected);
}

static void assert_text(json_t *root, const char *path, const char *expected)
{
    assert_true(json_is_string(at(root, path)));
    assert_string_equal(json_string_value(at(root, path)), expected);
}

static void test_aim_json_hit_has_every_key(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_hit(experiment, &aim);
    json_t *root = json_of();
    assert_text(root, "experiment", "basket.yaml");
    assert_text(root, "name", "Basket");
    assert_number(root, "seed", 7);
    assert_text(root, "target.kind", "hoop");
    assert_number(root, "target.radius_m", 0.23);
    assert_text(root, "target.backboard_axis", "x");
    assert_number(root, "target.backboard_m", 4.6);
    assert_text(root, "unknowns.0", "speed");
    assert_int_equal(json_array_size(at(root, "unknowns")), 2);
    assert_true(json_is_true(at(root, "reachable")));
    assert_number(root, "shortfall.speed_m_s", 0);
    assert_number(root, "shortfall.miss_m", 0);
    assert_int_equal(json_array_size(at(root, "solutions")), 2);
    assert_true(json_is_true(at(root, "solutions.0.hits")));
    assert_number(root, "solutions.0.speed_m_s", 8.28);
    assert_number(root, "solutions.0.angle_rad", 0.9);
    assert_true(json_is_null(at(root, "solutions.0.azimuth_rad")));
    assert_number(root, "solutions.0.spin_rad_s", 6 * M_PI);
    assert_number(root, "solutions.0.time_s", 1.05);
    assert_number(root, "solutions.0.miss_m", 0);
    assert_number(root, "solutions.0.entry_angle_rad", 0.75);
    assert_number(root, "solutions.0.entry_speed_m_s", 6.4);
    assert_number(root, "solutions.0.hit_probability", 0.631);
    assert_true(json_is_true(at(root, "solutions.0.hit_probability_valid")));
    assert_number(root, "solutions.0.monte_carlo.throws", 100000);
    assert_number(root, "solutions.0.monte_carlo.probability", 0.6275);
    assert_number(root, "solutions.0.monte_carlo.sd", 0.0015);
    assert_number(root, "solutions.0.offset_sd_m.0", 0.12);
    assert_number(root, "solutions.0.clearance_m", 0.062);
    assert_number(root, "solutions.0.height_m", 3.75);
    assert_number(root, "solutions.0.energy_j", 21.25);
    assert_true(json_is_null(at(root, "solutions.0.peak_torque_n_m")));
    assert_number(root, "solutions.0.arrival_velocity_m_s.1", -5);
    assert_number(root, "solutions.0.parameters.cd", 0.5);
    assert_number(root, "solutions.0.miss_by.angle", 2);
    assert_true(json_is_null(at(root, "solutions.0.arm")));
    assert_true(json_is_null(at(root, "solutions.1.hit_probability")));
    assert_true(json_is_null(at(root, "solutions.1.hit_probability_valid")));
    assert_true(json_is_null(at(root, "solutions.1.monte_carlo")));
    assert_number(root, "belief.cd.sd", 0.02);
    assert_text(root, "belief.y0.unit", "m");
    assert_null(json_object_get(at(root, "belief"), "speed"));
    assert_text(root, "pareto.numbers.1", "speed");
    assert_text(root, "pareto.units.1", "m/s");
    assert_number(root, "pareto.points.2.numbers.0", 0.2);
    assert_number(root, "pareto.points.2.parameters.speed", 7.28);
    json_decref(root);
    aim.settings.has_front = false;
    root = json_of();
    assert_true(json_is_null(at(root, "pareto")));
    json_decref(root);
    arc_experiment_free(experiment);
}

static void test_aim_json_arm_out_of_reach_keeps_the_keys_of_reach(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_ARM);
    report_case_arm(experiment, &aim);
    json_t *root = json_of();
    assert_true(json_is_false(at(root, "reachable")));
    assert_true(json_is_null(at(root, "shortfall.speed_m_s")));
    assert_number(root, "shortfall.miss_m", 2.5);
    assert_int_equal(json_array_size(at(root, "shortfall.changes")), aim.reach.n_cures);
    assert_true(aim.reach.n_cures > 0);
    assert_text(root, "shortfall.changes.0.limit", "length_m");
    assert_true(json_is_number(at(root, "shortfall.distance_by.rate_rad_s.0")));
    assert_number(root, "solutions.0.arm.theta_rad.0", M_PI / 6);
    assert_true(json_is_false(at(root, "solutions.0.arm.within_limits")));
    assert_number(root, "solutions.0.arm.angle_over_rad.1", -M_PI / 18);
    assert_number(root, "solutions.0.arm.angle_over_rad.0", 0);
    assert_number(root, "solutions.0.arm.rate_over.0", 0.1);
    assert_number(root, "solutions.0.peak_torque_n_m", 31.5);
    assert_true(json_is_null(at(root, "solutions.0.spin_rad_s")));
    json_decref(root);
    arc_experiment_free(experiment);
}

static void write_file(const char *path)
{
    ArcError err = {ARC_OK, ""};
    if (arc_aim_write(&aim, path, &err) != ARC_OK)
        fail_msg("%s", err.text);
}

static void test_aim_write_reads_back_what_was_found(void **state)
{
    (void)state;
    static const char path[] = "/tmp/arcfit-test-aim.h5";
    ArcError err = {ARC_OK, ""};
    ArcHdf5 *file = NULL;
    ArcArena *arena = arc_arena_create();
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_hit(experiment, &aim);
    write_file(path);
    assert_int_equal(arc_hdf5_open(path, arena, &file, &err), ARC_OK);
    assert_string_equal(arc_hdf5_text(file, "/", "document"), "aim");
    assert_string_equal(arc_hdf5_text(file, "/", "experiment"), REPORT_CASE_THROW);
    assert_int_equal(arc_hdf5_count(file, "/", "reachable"), 1);
    assert_string_equal(arc_hdf5_text(file, "/target", "kind"), "hoop");
    assert_true(arc_hdf5_number(file, "/target", "radius_m") == 0.23);
    assert_true(arc_hdf5_reals(file, "/target/centre", 2, 0)[1] == 3.05);
    int n = arc_hdf5_rows(file, "/parameters/name"), cd = report_case_index(&aim, "cd");
    assert_int_equal(n, experiment->n_parameters);
    assert_string_equal(arc_hdf5_texts(file, "/parameters/name", n)[cd], "cd");
    assert_true(arc_hdf5_reals(file, "/parameters/sd", n, 0)[cd] == 0.02);
    assert_int_equal(arc_hdf5_integers(file, "/parameters/unknown", n)[cd], 0);
    assert_int_equal(arc_hdf5_rows(file, "/throws/rank"), 2);
    assert_true(arc_hdf5_reals(file, "/throws/speed", 2, 0)[1] == 8.75 ||
                fabs(arc_hdf5_reals(file, "/throws/speed", 2, 0)[1] - 8.75) < 1e-14);
    assert_true(arc_hdf5_reals(file, "/throws/clearance", 2, 0)[0] == 0.062);
    assert_true(isnan(arc_hdf5_reals(file, "/throws/peak_torque", 2, 0)[0]));
    assert_true(arc_hdf5_reals(file, "/throws/hit_probability", 2, 0)[0] == 0.631);
    assert_int_equal(arc_hdf5_integers(file, "/throws/hit_probability_valid", 2)[0], 1);
    assert_true(arc_hdf5_reals(file, "/throws/arrival_velocity", 2, 2)[3] == -5.0);
    assert_true(arc_hdf5_reals(file, "/throws/values", 2, n)[cd] == 0.5);
    assert_true(arc_hdf5_reals(file, "/throws/miss_by", 2, n)[n + cd] == 0.5);
    assert_string_equal(arc_hdf5_text(file, "/throws/clearance", "units"), "m");
    assert_string_equal(arc_hdf5_text(file, "/front", "second"), "speed");
    assert_string_equal(arc_hdf5_text(file, "/front/second", "units"), "m/s");
    assert_true(arc_hdf5_reals(file, "/front/first", 3, 0)[2] == 0.2);
    int rows = arc_hdf5_rows(file, "/paths/row");
    assert_int_equal(rows, 202);
    assert_int_equal(arc_hdf5_integers(file, "/paths/rank", rows)[101], 2);
    assert_true(arc_hdf5_reals(file, "/paths/time", rows, 0)[100] == 1.05);
    assert_true(arc_hdf5_reals(file, "/paths/position", rows, 2)[1] == 1.8);
    assert_int_equal(arc_hdf5_status(file, &err), ARC_OK);
    arc_hdf5_close(file);
    arc_arena_free(arena);
    unlink(path);
    arc_experiment_free(experiment);
}

static void test_aim_write_of_an_arm_has_commands_and_no_front(void **state)
{
    (void)state;
    static const char path[] = "/tmp/arcfit-test-aim-arm.h5";
    ArcError err = {ARC_OK, ""};
    ArcHdf5 *file = NULL;
    ArcArena *arena = arc_arena_create();
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_ARM);
    report_case_arm(experiment, &aim);
    aim.solutions[0].commands_rad[1] = 0.25;
    write_file(path);
    assert_int_equal(arc_hdf5_open(path, arena, &file, &err), ARC_OK);
    assert_true(arc_hdf5_reals(file, "/throws/commands", 1, 2)[1] == 0.25);
    assert_true(isnan(arc_hdf5_number(file, "/", "shortfall_speed_m_s")));
    assert_true(arc_hdf5_number(file, "/", "shortfall_miss_m") == 2.5);
    assert_false(arc_hdf5_has(file, "/front/point"));
    assert_int_equal(arc_hdf5_rows(file, "/paths/row"), 101);
    assert_int_equal(arc_hdf5_status(file, &err), ARC_OK);
    arc_hdf5_close(file);
    arc_arena_free(arena);
    unlink(path);
    assert_int_equal(arc_aim_write(&aim, "/nowhere/at/all.h5", &err), ARC_SYSTEM);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aim_text_hit_tells_throws_chances_and_front),
        cmocka_unit_test(test_aim_text_wide_scatter_is_said_to_be_too_wide),
        cmocka_unit_test(test_aim_text_hit_that_touches_the_rim_says_so),
        cmocka_unit_test(test_aim_text_many_throws_go_on_in_blocks),
        cmocka_unit_test(test_aim_text_short_says_how_much_speed_is_missing),
        cmocka_unit_test(test_aim_text_broken_limit_is_named),
        cmocka_unit_test(test_aim_text_arm_out_of_reach_has_the_cures_of_reach),
        cmocka_unit_test(test_aim_json_hit_has_every_key),
        cmocka_unit_test(test_aim_json_arm_out_of_reach_keeps_the_keys_of_reach),
        cmocka_unit_test(test_aim_write_reads_back_what_was_found),
        cmocka_unit_test(test_aim_write_of_an_arm_has_commands_and_no_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
