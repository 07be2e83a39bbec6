/* Several flights from the command line: fit, results and back, check, predict, what is refused. */
#include "program_run.h"

#include <jansson.h>
#include <math.h>

static Run run;
static char folder[] = "/tmp/arcfit-flights-XXXXXX";

enum { FLIGHTS = 30 };

static void write_experiment(const char *name, const char *capture, const char *rest)
{
    char text[4096];
    snprintf(text, sizeof text,
             "arcfit: 1\ncapture: %s\nflight: {ball: basketball, drag: quadratic}\n%s", capture,
             rest);
    run_write_file(name, text);
}

/* FLIGHTS captures in folder throws, and all of them in all.csv. */
static int make_flights(void **state)
{
    (void)state;
    run_enter_folder(folder);
    write_experiment("make.yaml", "{sigma: 3 mm}",
                     "parameters: {cd: {start: 0.5}, x0: 0, y0: 2, vx0: {start: 8, prior: {mean: 8 "
                     "m/s, sd: 0.5 m/s}}, vy0: {start: 7, prior: {mean: 7 m/s, sd: 0.5 m/s}}}\n"
                     "simulate: {points: 10, draw: true}\n");
    run_line(&run, NULL, "simulate make.yaml --replicas 30 -o throws");
    assert_int_equal(run.code, 0);
    FILE *all = fopen("all.csv", "w");
    assert_non_null(all);
    fputs("flight,time_s,x_m,y_m,sigma_m\n", all);
    for (int f = 1; f <= FLIGHTS; f++) {
        char path[64];
        size_t size;
        snprintf(path, sizeof path, "throws/make-%04d.csv", f);
        char *text = run_read_file(path, &size);
        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
            if (line[0] != '#' && line[0] != 't')
                fprintf(all, "%d,%s\n", f, line);
        free(text);
    }
    fclose(all);
    write_experiment("all.yaml", "{file: all.csv}", "parameters: {cd: {start: 0.4}}\n");
    return 0;
}

static int remove_flights(void **state)
{
    (void)state;
    return run_remove_folder(folder);
}

static int count_lines(const char *text)
{
    int n = 0;
    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

static json_t *read_json(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (root == NULL)
        fail_msg("%s: %s", path, error.text);
    return root;
}

/* The time that a fit took is not kept. */
static void forget_time(json_t *root)
{
    size_t i;
    json_t *fit;
    json_array_foreach(json_object_get(root, "fits"), i, fit)
        json_object_set_new(fit, "wall_s", json_null());
}

static void test_fit_flights_of_one_file_share_a_parameter(void **state)
{
    (void)state;
    run_line(&run, NULL, "fit all.yaml --json all.json -o all.h5");
    if (run.code != 0)
        fail_msg("%s", run.messages);
    run_assert_says(run.output, "flights         30, fitted together");
    run_assert_says(run.output, "and 20 more; -v shows all");
    run_assert_says(run.output, "agree: both methods find the same flights");
    assert_true(count_lines(run.output) < 45);
    json_t *root = read_json("all.json");
    const json_t *fits = json_object_get(root, "fits");
    for (size_t i = 0; i < 2; i++) {
        const json_t *fit = json_array_get(fits, i), *flights = json_object_get(fit, "flights");
        assert_int_equal(json_object_size(json_object_get(fit, "parameters")), 1);
        assert_null(json_object_get(fit, "trajectory"));
        assert_int_equal(json_array_size(flights), FLIGHTS);
        for (size_t f = 0; f < FLIGHTS; f++) {
            const json_t *flight = json_array_get(flights, f);
            const json_t *own = json_object_get(flight, "parameters");
            assert_null(json_object_get(own, "cd"));
            assert_non_null(json_object_get(own, "vx0"));
            assert_int_equal(
                json_integer_value(json_object_get(json_object_get(flight, "residuals"), "points")),
                10);
            assert_int_equal(
                json_array_size(json_object_get(json_object_get(flight, "trajectory"), "time_s")),
                101);
        }
    }
    assert_int_equal(
        json_array_size(json_object_get(json_object_get(root, "comparison"), "flights")), FLIGHTS);
    json_decref(root);
    run_line(&run, NULL, "fit all.yaml -v -o again.h5");
    run_assert_says(run.output, "\n30     ");
    run_assert_says(run.output, "all.csv, flight 30");
    run_assert_same_files("all.h5", "again.h5");
}

/* After test_fit_flights_of_one_file. */
static void test_compare_result_read_back_is_the_same(void **state)
{
    (void)state;
    run_line(&run, NULL, "compare all.h5 --json back.json");
    assert_int_equal(run.code, 0);
    json_t *made = read_json("all.json"), *back = read_json("back.json");
    forget_time(made);
    forget_time(back);
    json_object_del(back, "ranking");
    assert_true(json_equal(made, back));
    json_decref(made);
    json_decref(back);
}

static void assert_number(const json_t *object, const char *key, double expected)
{
    double value = json_number_value(json_object_get(object, key));
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%s is %.12g, not %.12g", key, value, expected);
}

/* After test_fit_flights_of_one_file. Models of many flights count all of their unknowns, and one
 * with a drag for all is a case of one with a drag each, not the other way round. */
static void test_compare_models_of_several_flights_are_ranked(void **state)
{
    (void)state;
    run_line(&run, NULL, "fit all.yaml --set parameters.cd.flights=per-flight -o each.h5");
    assert_int_equal(run.code, 0);
    run_line(&run, NULL, "fit all.yaml --set parameters.cd.flights=hierarchical -o drawn.h5");
    assert_int_equal(run.code, 0);
    run_line(&run, NULL, "compare each.h5 all.h5 drawn.h5 --json ranked.json");
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "with 29 parameters less, which the data do");
    run_assert_says(run.output, "and no population");
    json_t *root = read_json("ranked.json");
    const double n = 20.0 * FLIGHTS, k[2] = {5.0 * FLIGHTS, 4.0 * FLIGHTS + 1.0};
    for (size_t i = 0; i < 2; i++) {
        const json_t *result = json_array_get(root, i);
        const json_t *fit = json_array_get(json_object_get(result, "fits"), 1);
        const json_t *ranking = json_object_get(json_object_get(result, "ranking"), "direct");
        double chi2 = json_number_value(json_object_get(json_object_get(fit, "residuals"), "chi2"));
        assert_number(ranking, "n", n);
        assert_number(ranking, "k", k[i]);
        assert_number(ranking, "deviance", chi2);
        assert_number(ranking, "aicc",
                      chi2 + 2.0 * k[i] + 2.0 * k[i] * (k[i] + 1.0) / (n - k[i] - 1.0));
        assert_number(ranking, "rank", 2.0 - (double)i);
        assert_int_equal(json_array_size(json_object_get(ranking, "nested_in")), i);
    }
    const json_t *drawn = json_object_get(json_array_get(root, 2), "ranking");
    assert_true(json_is_null(json_object_get(json_object_get(drawn, "direct"), "deviance")));
    json_decref(root);
    run_line(&run, NULL, "fit all.yaml --set capture.flight=3 -o third.h5");
    assert_int_equal(run.code, 0);
    run_line(&run, NULL, "compare all.h5 third.h5");
    run_assert_says(run.output, "the models cannot be ranked: the models were not");
}

/* The three ways to give flights are one. */
static void test_fit_list_of_files_equals_one_file(void **state)
{
    (void)state;
    char files[2048] = "{file: [", list[2048] = "";
    for (int f = 1; f <= FLIGHTS; f++) {
        snprintf(files + strlen(files), sizeof files - strlen(files), "%sthrows/make-%04d.csv",
                 f == 1 ? "" : ", ", f);
        snprintf(list + strlen(list), sizeof list - strlen(list),
                 "\n  - {file: throws/make-%04d.csv}", f);
    }
    strcat(files, "]}");
    write_experiment("files.yaml", files, "parameters: {cd: {start: 0.4}}\n");
    write_experiment("list.yaml", list, "parameters: {cd: {start: 0.4}}\n");
    double cd[3];
    const char *const lines[] = {"fit all.yaml -q --json a.json -o a.h5",
                                 "fit files.yaml -q --json a.json -o a.h5",
                                 "fit list.yaml -q --json a.json -o a.h5"};
    for (int i = 0; i < 3; i++) {
        run_line(&run, NULL, lines[i]);
        assert_int_equal(run.code, 0);
        json_t *root = read_json("a.json");
        const json_t *fit = json_array_get(json_object_get(root, "fits"), 1);
        cd[i] = json_real_value(
            json_object_get(json_object_get(json_object_get(fit, "parameters"), "cd"), "value"));
        json_decref(root);
    }
    assert_true(cd[0] > 0.45 && cd[0] == cd[1] && cd[0] == cd[2]);
}

static void test_fit_one_wrong_flight_is_named(void **state)
{
    (void)state;
    size_t size;
    char *text = run_read_file("all.csv", &size);
    char *line = strstr(text, "\n17,");
    assert_non_null(line);
    FILE *wrong = fopen("wrong.csv", "w");
    fwrite(text, 1, (size_t)(line - text), wrong);
    fputs("\n17,0.05,9.5,9.5,0.003", wrong); /* before it a point far off, out of order: */
    fputs(line, wrong);
    fclose(wrong);
    write_experiment("wrong.yaml", "{file: wrong.csv}", "parameters: {cd: {start: 0.4}}\n");
    run_line(&run, NULL, "fit wrong.yaml");
    assert_int_equal(run.code, 2);
    run_assert_says(run.messages, "(flight 17)");
    /* In order now. */
    wrong = fopen("wrong.csv", "w");
    char *second = strchr(line + 1, '\n');
    fwrite(text, 1, (size_t)(second - text), wrong);
    fputs("\n17,0.05,0.9,2.9,0.003", wrong);
    fputs(second, wrong);
    fclose(wrong);
    free(text);
    run_line(&run, NULL, "fit wrong.yaml");
    run_assert_says(run.output, "misfit");
    run_assert_says(run.output, "worst is");
    run_assert_says(run.messages, "flight 17: jumps: ");
    run_assert_says(run.output, "\n17     ");
    /* Also beside a first flight whose two points test nothing. */
    text = run_read_file("wrong.csv", &size);
    FILE *few = fopen("few.csv", "w");
    int n = 0;
    for (line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strncmp(line, "1,", 2) != 0 || n++ < 2)
            fprintf(few, "%s\n", line);
    fclose(few);
    free(text);
    run_line(&run, NULL, "fit wrong.yaml --set capture.file=few.csv");
    run_assert_says(run.output, "\n1      ");
    run_assert_says(run.output, "flight 17 (few.csv");
}

static void test_check_tells_of_all_flights(void **state)
{
    (void)state;
    run_line(&run, NULL, "check all.yaml");
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "30, fitted together; free parameters: 1 shared, 4 of each flight");
    run_assert_says(run.output, "below: flight 1");
    run_line(&run, NULL, "check all.yaml --json -");
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "\"shared\"");
    /* A height that only one flight does not tell. */
    run_line(&run, NULL, "check all.yaml --set parameters.cd.flights=hierarchical");
    assert_int_equal(run.code, 0);
}

static void test_predict_asks_which_flight(void **state)
{
    (void)state;
    run_line(&run, NULL, "predict all.h5 --at 0.5s");
    assert_int_equal(run.code, 2);
    run_assert_says(run.messages, "which of 30 flights? --flight 1 to --flight 30");
    run_line(&run, NULL, "predict all.h5 --at 0.5s --flight 31");
    assert_int_equal(run.code, 2);
    run_line(&run, NULL, "predict all.h5 --at 0.5s --flight 30 --plane y=1m");
    assert_int_equal(run.code, 0);
    char first[256];
    snprintf(first, sizeof first, "%.200s", strstr(run.output, "0.5"));
    run_line(&run, NULL, "predict all.h5 --at 0.5s --flight 29");
    assert_int_equal(run.code, 0);
    assert_true(strncmp(first, strstr(run.output, "0.5"), 30) != 0);
    run_line(&run, NULL, "fit all.yaml -q --set capture.flight=3 -o one.h5");
    assert_int_equal(run.code, 0);
    run_line(&run, NULL, "predict one.h5 --at 0.5s --flight 1");
    assert_int_equal(run.code, 2);
}

/* A row an iteration, as wide as the header; what is each flight's own stays empty. */
static void test_fit_log_has_the_shared_parameters(void **state)
{
    (void)state;
    size_t size;
    run_line(&run, NULL, "fit all.yaml -q -o a.h5 --log log.csv");
    assert_int_equal(run.code, 0);
    char *text = run_read_file("log.csv", &size);
    int wanted = -1;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        int commas = 0;
        for (const char *at = line; *at != '\0'; at++)
            commas += *at == ',';
        wanted = wanted < 0 ? commas : wanted;
        assert_int_equal(commas, wanted);
    }
    free(text);
}

/* Each capture tells its own release, where parameters.t0 does not. */
static void test_fit_captures_tell_their_releases(void **state)
{
    (void)state;
    write_experiment("t0.yaml",
                     "[{file: throws/make-0001.csv, t0: -0.1 s}, {file: throws/make-0002.csv}, "
                     "{file: throws/make-0003.csv, t0: -50 ms}]",
                     "parameters: {cd: {start: 0.4}}\n");
    run_line(&run, NULL, "fit t0.yaml -q -o a.h5 --json t0.json");
    assert_int_equal(run.code, 0);
    json_t *root = read_json("t0.json");
    const double wanted[] = {-0.1, 0.0, -0.05};
    for (size_t f = 0; f < 3; f++) {
        const json_t *fit = json_array_get(json_object_get(root, "fits"), 1);
        const json_t *own =
            json_object_get(json_array_get(json_object_get(fit, "flights"), f), "parameters");
        assert_true(json_number_value(json_object_get(json_object_get(own, "t0"), "value")) ==
                    wanted[f]);
    }
    json_decref(root);
    run_line(&run, NULL, "fit t0.yaml -q -o a.h5 --set capture.0.t0=0.5");
    assert_int_equal(run.code, 2);
    run_assert_says(run.messages, "after the first used point");
    run_assert_says(run.messages, "(flight 1, ");
}

/* Points kept from the fit are each flight's own. */
static void test_predict_held_out_scores_one_flight(void **state)
{
    (void)state;
    run_line(&run, NULL, "fit all.yaml -o held.h5 --set capture.hold_out.every=5");
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "240 fitted, 60 held out");
    run_line(&run, NULL, "predict held.h5 --held-out --flight 7");
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "2 points");
}

static void test_fit_population_shows_mean_and_sd(void **state)
{
    (void)state;
    run_line(&run, NULL,
             "fit all.yaml --set parameters.cd.flights=hierarchical -o p.h5 --json p.json");
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "cd.mean ");
    run_assert_says(run.output, "cd.sd ");
    run_line(&run, NULL, "compare p.h5 --json back.json");
    json_t *made = read_json("p.json"), *back = read_json("back.json");
    forget_time(made);
    forget_time(back);
    json_object_del(back, "ranking");
    assert_true(json_equal(made, back));
    json_decref(made);
    json_decref(back);
}

/* Two points in the plane leave the first flight no degree of freedom, and so no p; the second does
 * not fit, which the sum over all the others hides. */
static void test_fit_worst_flight_is_found_behind_one_without_p(void **state)
{
    (void)state;
    FILE *file = fopen("few.csv", "w");
    fputs("flight,time_s,x_m,y_m\n1,0,0,2\n1,0.5,4,3.775\n", file);
    for (int f = 2; f <= FLIGHTS; f++)
        for (int i = 0; i < 10; i++) {
            double t = 0.1 * i, wrong = f == 2 ? 0.03 * (i % 2 ? 1 : -1) : 0.0;
            fprintf(file, "%d,%g,%.9g,%.9g\n", f, t, 8 * t, 2 + 6 * t - 4.903325 * t * t + wrong);
        }
    fclose(file);
    run_write_file("few.yaml", "arcfit: 1\ncapture: {file: few.csv, sigma: 10 mm}\n");
    run_line(&run, NULL, "fit few.yaml --json few.json");
    json_t *root = read_json("few.json");
    const json_t *comparison = json_object_get(root, "comparison");
    assert_string_equal(json_string_value(json_object_get(comparison, "verdict")), "misfit");
    assert_true(json_real_value(json_object_get(comparison, "chi2_p")) > 0.001);
    json_decref(root);
    run_assert_says(run.output, "flight 2");
}

static void test_fit_flights_that_share_nothing_are_fitted(void **state)
{
    (void)state;
    run_line(&run, NULL, "fit all.yaml --set parameters.cd.flights=per-flight --json own.json");
    assert_int_equal(run.code, 0);
    assert_string_equal(run.messages, "");
    json_t *root = read_json("own.json");
    const json_t *fit = json_array_get(json_object_get(root, "fits"), 0);
    assert_int_equal(json_object_size(json_object_get(fit, "parameters")), 0);
    assert_int_equal(json_array_size(json_object_get(fit, "unidentified")), 0);
    json_decref(root);
}

static void test_fit_refuses_what_several_flights_do_not_have(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"--checkpoint a.chk", "--checkpoint is for the training of one flight, and here are 30"},
        {"--resume a.chk", "--resume is for"},
        {"--warm-start all.h5", "--warm-start is for"},
        {"--bootstrap 20", "with no profile, bootstrap or sample"},
        {"--set fit.starts=2", "with fit.starts: 1 alone"},
        {"--set fit.loss=huber", "with fit.loss: gauss alone"},
        {"--set capture.flight=99", "has no flight 99; it has 30 of them"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "fit all.yaml %s", rows[i][0]);
        run_line(&run, NULL, line);
        assert_int_equal(run.code, 2);
        run_assert_says(run.messages, "all.yaml:2:17: error: ");
        run_assert_says(run.messages, rows[i][1]);
    }
    run_line(&run, NULL,
             "fit all.yaml --set capture.flight=3 --set parameters.cd.flights=hierarchical");
    assert_int_equal(run.code, 2);
    run_assert_says(run.messages, "'cd' needs several flights, and here is one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_flights_of_one_file_share_a_parameter),
        cmocka_unit_test(test_compare_result_read_back_is_the_same),
        cmocka_unit_test(test_compare_models_of_several_flights_are_ranked),
        cmocka_unit_test(test_fit_list_of_files_equals_one_file),
        cmocka_unit_test(test_fit_one_wrong_flight_is_named),
        cmocka_unit_test(test_check_tells_of_all_flights),
        cmocka_unit_test(test_predict_asks_which_flight),
        cmocka_unit_test(test_fit_log_has_the_shared_parameters),
        cmocka_unit_test(test_fit_captures_tell_their_releases),
        cmocka_unit_test(test_predict_held_out_scores_one_flight),
        cmocka_unit_test(test_fit_population_shows_mean_and_sd),
        cmocka_unit_test(test_fit_worst_flight_is_found_behind_one_without_p),
        cmocka_unit_test(test_fit_flights_that_share_nothing_are_fitted),
        cmocka_unit_test(test_fit_refuses_what_several_flights_do_not_have),
    };
    return cmocka_run_group_tests(tests, make_flights, remove_flights);
}
