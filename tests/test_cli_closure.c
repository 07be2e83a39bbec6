/* A closure from the command line: flights in a wind that the equations do not know, fitted with a
 * closure and without, its export, and what compare says of both. */
#include "program_run.h"

#include <jansson.h>
#include <math.h>

static Run run;
static char folder[] = "/tmp/arcfit-closure-XXXXXX";

static void write_experiment(const char *name, const char *more)
{
    char text[1024];
    snprintf(text, sizeof text,
             "arcfit: 1\nname: In a wind\ncapture: {file: flights.csv, sigma: 2 mm}\n"
             "flight: {ball: basketball, drag: quadratic}\n"
             "parameters: {cd: {start: 0.45}, x0: {start: 0}, y0: {start: 2}, vx0: {start: 5}, "
             "vy0: {start: 6}}\n%s",
             more);
    run_write_file(name, text);
}

static int make_flights(void **state)
{
    (void)state;
    run_enter_folder(folder);
    write_experiment("wind.yaml", "simulate: {points: 20, duration: 1 s}\n");
    write_experiment("closed.yaml", "closure: {inputs: [vy], outputs: [x]}\n");
    write_experiment("bare.yaml", "");
    run_line(&run, NULL, "simulate wind.yaml --flights 4 -o flights.csv --set flight.wind=[-4,0]");
    if (run.code != 0)
        fail_msg("%s", run.messages);
    run_line(&run, NULL, "fit closed.yaml --export-closure closure.csv --json fit.json");
    if (run.code != 0)
        fail_msg("%s%s", run.output, run.messages);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return run_remove_folder(folder);
}

static void test_cli_fit_export_closure_writes_a_row_a_node_with_its_sd(void **state)
{
    (void)state;
    char line[256];
    int n = 0;
    FILE *file = fopen("closure.csv", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "# a closure: what it adds to the equations, with posterior standard "
                              "deviations\n");
    while (fgets(line, sizeof line, file) != NULL && line[0] == '#')
        continue;
    assert_string_equal(line, "vy_m_s,ax_m_s2,ax_sd_m_s2\n");
    while (fgets(line, sizeof line, file) != NULL) {
        double at, value, sd;
        assert_int_equal(sscanf(line, "%lf,%lf,%lf", &at, &value, &sd), 3);
        assert_true(isfinite(value) && sd > 0);
        n++;
    }
    fclose(file);
    assert_int_equal(n, 101);
}

/* Lines become one, with single blanks. */
static void flatten(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        bool is_blank = *from == ' ' || *from == '\n';
        if (!is_blank || (to > text && to[-1] != ' '))
            *to++ = is_blank ? ' ' : *from;
    }
    *to = '\0';
}

static void test_cli_compare_says_that_parameters_are_biased_without_the_closure(void **state)
{
    (void)state;
    run_line(&run, NULL, "compare closed.h5 bare.yaml");
    assert_non_null(strstr(run.output, "closure         model 2 is model 1 without its closure"));
    assert_non_null(strstr(run.output, "feature width"));
    flatten(run.output);
    if (strstr(run.output, "without its closure; the data want it strongly") == NULL ||
        strstr(run.output, "parameters are biased: cd by") == NULL)
        fail_msg("%s", strstr(run.output, "closure model"));
}

static json_t *at(json_t *value, const char *key, size_t index)
{
    json_t *found = json_object_get(value, key);
    if (!json_is_array(found))
        fail_msg("no list '%s'", key);
    return json_array_get(found, index);
}

static void test_cli_predict_flies_with_the_closure(void **state)
{
    (void)state;
    char line[128];
    json_t *root = json_load_file("fit.json", 0, NULL);
    json_t *flight = at(at(root, "fits", 1), "flights", 0);
    json_t *trajectory = json_object_get(flight, "trajectory");
    for (size_t i = 20; i <= 100; i += 40) {
        double time_s = json_number_value(at(trajectory, "time_s", i));
        double x = json_number_value(json_array_get(at(trajectory, "position_m", i), 0));
        snprintf(line, sizeof line, "predict closed.h5 --flight 1 --at %.17g --json -", time_s);
        run_line(&run, NULL, line);
        assert_int_equal(run.code, 0);
        json_t *said = json_loads(run.output, 0, NULL);
        json_t *there = json_object_get(at(said, "states", 0), "position_m");
        assert_true(fabs(json_number_value(json_array_get(there, 0)) - x) < 1e-6);
        /* The weights' covariance with the parameters is in the result: the bands are those of 20
         * points of 2 mm. */
        json_t *sd = json_object_get(at(said, "states", 0), "position_sd_m");
        double sd_m = json_number_value(json_array_get(sd, 0));
        assert_true(sd_m > 0.0002 && sd_m < 0.002);
        json_decref(said);
    }
    json_decref(root);
}

static void test_cli_export_closure_without_one_is_refused(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"fit bare.yaml --export-closure no.csv", "'bare.yaml' has no closure to export"},
        {"fit closed.yaml bare.yaml --export-closure no.csv", "goes with one experiment"},
        {"fit closed.yaml --export-closure -", "--export-closure wants a file"},
        {"fit closed.yaml --export-closure closed.yaml", "closed.yaml"},
        {"fit closed.yaml --export-closure closed.h5", "two things would be written"},
        {"compare closed.h5 --export-closure no.csv", "--export-closure"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        run_line(&run, NULL, lines[i][0]);
        assert_int_not_equal(run.code, 0);
        if (strstr(run.messages, lines[i][1]) == NULL)
            fail_msg("%s: %s", lines[i][0], run.messages);
    }
    assert_int_not_equal(access("no.csv", F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cli_fit_export_closure_writes_a_row_a_node_with_its_sd),
        cmocka_unit_test(test_cli_compare_says_that_parameters_are_biased_without_the_closure),
        cmocka_unit_test(test_cli_predict_flies_with_the_closure),
        cmocka_unit_test(test_cli_export_closure_without_one_is_refused),
    };
    return cmocka_run_group_tests(tests, make_flights, remove_folder);
}
