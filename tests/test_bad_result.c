/* Broken results through the program itself: `compare` and `predict` refuse each of them with exit
 * 2 and one line with its place, print nothing and write nothing. */
#include "program_run.h"

#include "bad_inputs.h"
#include "base/random.h"
#include "io/hdf5.h"

static char folder[] = "/tmp/arcfit-test-bad-result-XXXXXX";
static Run run;
/* What was fitted of a flight, and of one that an arm threw. */
static char *good, *arm;
static size_t good_size, arm_size;

static void assert_refused(const char *file, const char *words)
{
    static const char *const lines[] = {"compare %s", "predict %s --at 0.5 --json out.json",
                                        "compare good.h5 %s --json out.json"};
    static char before[RUN_MOST_LISTING], after[RUN_MOST_LISTING];
    char place[128];
    snprintf(place, sizeof place, "%s:1:1: error: ", file);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char line[256];
        const char *name = strchr(lines[i], '%');
        snprintf(line, sizeof line, "%.*s%s%s", (int)(name - lines[i]), lines[i], file, name + 2);
        run_list_folder(".", before);
        run_line(&run, NULL, line);
        run_list_folder(".", after);
        if (run.code != 2 || run.output[0] != '\0' || !run_is_one_line(run.messages) ||
            strncmp(run.messages, place, strlen(place)) != 0 ||
            strstr(run.messages, words) == NULL || strcmp(before, after) != 0 ||
            run.cpu_s > run_most_cpu_s(2.0))
            fail_msg("'%s' gives %d, wanted '%s': %.900s%.900s", line, run.code, words,
                     run.messages, run.output);
    }
}

static void test_run_good_result_is_read(void **state)
{
    (void)state;
    run_line(&run, NULL, "compare good.h5");
    assert_int_equal(run.code, 0);
    run_line(&run, NULL, "predict good.h5 --at 0.5 --plane y=2.5m");
    assert_int_equal(run.code, 0);
    assert_string_equal(run.messages, "");
}

static void test_run_truncated_result_is_refused(void **state)
{
    (void)state;
    const size_t sizes[] = {8,  9,   40,   96,   512,           1000,         2048, good_size / 3,
                            48, 800, 4096, 9000, good_size / 2, good_size - 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        run_write_bytes("bad.h5", good, sizes[i]);
        assert_refused("bad.h5", "");
    }
    run_write_bytes("bad.h5", good, good_size - 24); /* without its checksum */
    assert_refused("bad.h5", "checksum");
}

static void assert_flipped_bits_are_refused(char *bytes, size_t size, int n)
{
    ArcRandom random = arc_random_create(5, 0);
    for (int i = 0; i < n; i++) {
        /* Behind the signature, without which it would be read as an experiment. */
        size_t at = 8 + (size_t)(arc_random_bits(&random) % (size - 8));
        char bit = (char)(1 << (i % 8));
        bytes[at] ^= bit;
        run_write_bytes("bad.h5", bytes, size);
        bytes[at] ^= bit;
        assert_refused("bad.h5", "");
    }
}

static void test_run_result_with_a_flipped_bit_is_refused(void **state)
{
    (void)state;
    assert_flipped_bits_are_refused(good, good_size, 40);
}

static void test_run_result_of_an_arm_is_read_unless_it_is_damaged(void **state)
{
    (void)state;
    static char fitted[RUN_MOST_LISTING];
    run_line(&run, NULL, "compare arm.yaml");
    assert_int_equal(run.code, 0);
    snprintf(fitted, sizeof fitted, "%s", strstr(run.output, "\narm "));
    run_line(&run, NULL, "compare arm.h5");
    assert_int_equal(run.code, 0);
    assert_string_equal(run.messages, "");
    assert_string_equal(strstr(run.output, "\narm "), fitted);
    run_line(&run, NULL, "predict arm.h5 --at 0.5 --plane y=2.5m");
    assert_int_equal(run.code, 0);
    run_write_bytes("bad.h5", arm, arm_size / 2);
    assert_refused("bad.h5", "");
    assert_flipped_bits_are_refused(arm, arm_size, 16);
}

/* Of a closure and of own equations: whole they are read, otherwise refused. */
static void test_run_result_of_closure_or_model_is_read_unless_it_is_damaged(void **state)
{
    (void)state;
    static const char *const files[] = {"closed.h5", "model.h5"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char line[128];
        size_t size;
        char *bytes = run_read_file(files[i], &size);
        snprintf(line, sizeof line, "compare %s", files[i]);
        run_line(&run, NULL, line);
        assert_int_equal(run.code, 0);
        snprintf(line, sizeof line, "predict %s --at 0.5", files[i]);
        run_line(&run, NULL, line);
        assert_int_equal(run.code, 0);
        assert_string_equal(run.messages, "");
        run_write_bytes("bad.h5", bytes, size / 2);
        assert_refused("bad.h5", "");
        assert_flipped_bits_are_refused(bytes, size, 12);
        free(bytes);
    }
}

static void test_run_result_with_more_bytes_is_refused(void **state)
{
    (void)state;
    char *longer = malloc(good_size + 100);
    assert_non_null(longer);
    memcpy(longer, good, good_size);
    memset(longer + good_size, 'x', 100);
    run_write_bytes("bad.h5", longer, good_size + 100);
    free(longer);
    assert_refused("bad.h5", "");
}

/* HDF5 files that are none of ours, though their checksums fit. */
static void test_run_foreign_result_is_refused(void **state)
{
    (void)state;
    ArcHdf5 *file;
    assert_int_equal(arc_hdf5_create(&file, NULL), ARC_OK);
    assert_int_equal(arc_hdf5_save(file, "bad.h5", NULL), ARC_OK);
    arc_hdf5_close(file);
    assert_refused("bad.h5", "no result of arcfit");
    const double values[] = {1, 2, 3};
    const ArcHdf5Array array = {.path = "/fits/direct/parameters/value",
                                .units = "1",
                                .kind = ARC_HDF5_REAL,
                                .rows = 3,
                                .data = values};
    assert_int_equal(arc_hdf5_create(&file, NULL), ARC_OK);
    arc_hdf5_put_count(file, "/", "schema", 1);
    arc_hdf5_write(file, &array);
    assert_int_equal(arc_hdf5_save(file, "bad.h5", NULL), ARC_OK);
    arc_hdf5_close(file);
    assert_refused("bad.h5", "no result of arcfit");
    assert_int_equal(arc_hdf5_create(&file, NULL), ARC_OK);
    arc_hdf5_put_count(file, "/", "schema", 999);
    assert_int_equal(arc_hdf5_save(file, "bad.h5", NULL), ARC_OK);
    arc_hdf5_close(file);
    assert_refused("bad.h5", "schema 999");
}

/* What `compare` would take for an experiment, and `predict` must not take for a result. */
static void test_predict_no_result_is_refused(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"made.yaml", "no HDF5 file"}, {"empty.h5", "no HDF5"}, {"short.h5", "no HDF5"},
        {"nowhere.h5", "nowhere"},     {".", "folder"},         {"/dev/null", "no HDF5"}};
    run_write_file("empty.h5", "");
    run_write_bytes("short.h5", good, 7);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[256], place[128];
        snprintf(line, sizeof line, "predict %s --at 0.5", rows[i][0]);
        snprintf(place, sizeof place, "%s:1:1: error: ", rows[i][0]);
        run_line(&run, NULL, line);
        if (run.code != 2 || run.output[0] != '\0' || !run_is_one_line(run.messages) ||
            strncmp(run.messages, place, strlen(place)) != 0 ||
            strstr(run.messages, rows[i][1]) == NULL)
            fail_msg("'%s' gives %d: %s%s", line, run.code, run.messages, run.output);
    }
    run_line(&run, NULL, "compare empty.h5");
    assert_int_equal(run.code, 2);
    run_line(&run, NULL, "compare short.h5");
    assert_int_equal(run.code, 2);
}

static int make_folder(void **state)
{
    (void)state;
    run_enter_folder(folder);
    run_write_file("made.yaml", good_experiment);
    run_write_file("made.csv", good_capture);
    run_line(&run, NULL, "fit made.yaml -q -o good.h5 --set fit.methods=[pinn,direct]");
    good = run_read_file("good.h5", &good_size);
    if (run.code != 0)
        return 1;
    run_write_file("arm.yaml", arm_experiment);
    run_line(&run, NULL, "fit arm.yaml -q -o arm.h5");
    arm = run_read_file("arm.h5", &arm_size);
    if (run.code != 0)
        return 1;
    run_line(&run, NULL,
             "fit made.yaml -q -o closed.h5 --set fit.methods=[direct] --set closure.inputs=[vy] "
             "--set closure.outputs=[x]");
    if (run.code != 0)
        return 1;
    run_write_file(
        "model.c",
        "#include <arcfit/model.h>\n"
        "static const ArcModelQuantity states[] = {{\"x\", \"m\", \"a\", 1, 0, 2}};\n"
        "static const ArcModelQuantity parameters[] = {{\"k\", \"1/s\", \"b\", 1, 0, 9}};\n"
        "static void rates(real t, const real *x, const real *v, const real *p, real *f)\n"
        "{\n    f[0] = -p[0] * x[0];\n}\n"
        "ARC_MODEL(\"decay\", \"d\", 1, states, parameters, rates, NULL)\n");
    run_write_file("model.yaml", "arcfit: 1\nmodel: {plugin: model.c}\n"
                                 "capture: {file: model.csv, sigma: 0.01}\nparameters: {k: free}\n"
                                 "simulate: {points: 6, duration: 1}\n");
    run_line(&run, NULL, "simulate model.yaml -q -o model.csv");
    run_line(&run, NULL, "fit model.yaml -q -o model.h5");
    return run.code;
}

static int remove_folder(void **state)
{
    (void)state;
    free(good);
    free(arm);
    return chdir("/") != 0 || run_remove_folder(folder) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_good_result_is_read),
        cmocka_unit_test(test_run_truncated_result_is_refused),
        cmocka_unit_test(test_run_result_with_a_flipped_bit_is_refused),
        cmocka_unit_test(test_run_result_of_an_arm_is_read_unless_it_is_damaged),
        cmocka_unit_test(test_run_result_of_closure_or_model_is_read_unless_it_is_damaged),
        cmocka_unit_test(test_run_result_with_more_bytes_is_refused),
        cmocka_unit_test(test_run_foreign_result_is_refused),
        cmocka_unit_test(test_predict_no_result_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
