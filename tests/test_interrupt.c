/* An interrupt (Ctrl-C) in the middle of long fits: exit 130 soon after, one line that says so,
 * nothing written and earlier results as they were. */
#include "program_run.h"

static char folder[] = "/tmp/arcfit-test-interrupt-XXXXXX";
static Run run;

static void assert_interrupted(const char *line, int after_ms)
{
    static char before[RUN_MOST_LISTING], after[RUN_MOST_LISTING];
    const RunSettings settings = {.interrupt_ms = after_ms};
    run_list_folder(".", before);
    run_line(&run, &settings, line);
    run_list_folder(".", after);
    if (run.code != 130 || run.output[0] != '\0' ||
        strcmp(run.messages, "error: interrupted; nothing was written\n") != 0)
        fail_msg("'%s' gives %d: %s%s", line, run.code, run.messages, run.output);
    assert_string_equal(before, after);
    if (run.cpu_s > run_most_cpu_s(4.0)) /* of which the time before the interrupt is a part */
        fail_msg("'%s' took %g s to end", line, run.cpu_s);
}

static void test_fit_interrupted_gives_130(void **state)
{
    (void)state;
    run_write_file("long.h5", "an earlier result");
    assert_interrupted("fit long.yaml", 400);
    assert_interrupted("fit long.yaml --json -", 400);
    assert_interrupted("fit long.yaml -o new.h5 --json new.json", 400);
    assert_interrupted("compare long.yaml --json -", 400);
}

static void test_fit_several_interrupted_gives_130(void **state)
{
    (void)state;
    assert_interrupted("fit long.yaml other.yaml -o results", 400);
    assert_interrupted("fit long.yaml other.yaml short.yaml --threads 2 -o results", 400);
    assert_interrupted("compare short.yaml long.yaml other.yaml --threads 3", 400);
}

/* One step of such a net takes many seconds. */
static void test_fit_wide_net_interrupted_gives_130(void **state)
{
    (void)state;
    assert_interrupted("fit wide.yaml", 400);
    assert_interrupted("fit many.yaml", 400);
}

/* Whole captures stay, and nothing else. */
static void test_simulate_replicas_interrupted_gives_130(void **state)
{
    (void)state;
    const RunSettings settings = {.interrupt_ms = 600};
    int wanted = 0, found = 0;
    run_line(&run, &settings, "simulate long.yaml --replicas 1000000 -o replicas --threads 2");
    assert_int_equal(run.code, 130);
    assert_string_equal(run.output, "");
    assert_int_equal(sscanf(run.messages, "error: interrupted; %d of 1000000 captures", &wanted),
                     1);
    assert_true(run_is_one_line(run.messages));
    struct dirent **entries;
    int n = scandir("replicas", &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        size_t size;
        char path[PATH_MAX];
        snprintf(path, sizeof path, "replicas/%s", entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') {
            char *text = run_read_file(path, &size);
            assert_true(size > 0 && text[size - 1] == '\n');
            free(text);
            found++;
        }
        free(entries[i]);
    }
    free(entries);
    assert_true(found > 0);
    assert_int_equal(found, wanted);
    assert_int_equal(run_remove_folder("replicas"), 0);
}

static int make_folder(void **state)
{
    (void)state;
    static const char text[] =
        "arcfit: 1\ncapture: {file: %s.csv, sigma: 3 mm}\nflight: {drag: lumped}\nparameters: {k: "
        "{start: 0.05}, x0: {start: 0}, y0: {start: 2}, vx0: {start: 6}, vy0: {start: 5}}\n"
        "fit: {pinn: {net: net.yaml, collocation: %d, train: [{optimizer: linear}, {optimizer: "
        "%s, steps: 1000000}]}}\n";
    static const struct {
        const char *name, *capture, *optimizer;
        int points, collocation;
    } rows[] = {{"long", "few", "adam", 40, 300},
                {"other", "few", "adam", 40, 300},
                {"short", "few", "adam", 40, 30},
                {"wide", "few", "lm", 40, 4000},
                {"many", "many", "lm", 10000, 10000}};
    run_enter_folder(folder);
    run_write_file("net.yaml", "net: 1\nhidden: [48, 48]\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[64], line[256];
        snprintf(path, sizeof path, "%s.yaml", rows[i].name);
        FILE *stream = fopen(path, "w");
        if (stream == NULL)
            return 1;
        fprintf(stream, text, rows[i].capture, rows[i].collocation, rows[i].optimizer);
        fclose(stream);
        snprintf(line, sizeof line, "simulate %s -q --points %d --duration 1 -o %s.csv", path,
                 rows[i].points, rows[i].capture);
        run_line(&run, NULL, line);
        if (run.code != 0) {
            print_error("'%s': %s", line, run.messages);
            return 1;
        }
    }
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return chdir("/") != 0 || run_remove_folder(folder) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_interrupted_gives_130),
        cmocka_unit_test(test_fit_several_interrupted_gives_130),
        cmocka_unit_test(test_fit_wide_net_interrupted_gives_130),
        cmocka_unit_test(test_simulate_replicas_interrupted_gives_130),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
