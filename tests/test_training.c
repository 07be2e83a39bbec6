/* Training from the command line: checkpoints, interruption and going on, the log, warm starts, the
 * progress line on a terminal. */
#include "terminal_run.h"

#include <jansson.h>

static char folder[] = "/tmp/arcfit-test-training-XXXXXX";
static Run run;

static int run_quietly(const char *line)
{
    run_line(&run, NULL, line);
    return run.code;
}

static void assert_refused(const char *line, int code, const char *words)
{
    static char before[RUN_MOST_LISTING], after[RUN_MOST_LISTING];
    run_list_folder(".", before);
    run_line(&run, NULL, line);
    run_list_folder(".", after);
    if (run.code != code || strstr(run.messages, words) == NULL || !run_is_one_line(run.messages))
        fail_msg("'%s' gives %d: %s%s", line, run.code, run.messages, run.output);
    assert_string_equal(run.output, "");
    assert_string_equal(before, after);
}

static void test_fit_training_options_bad_usage_gives_two(void **state)
{
    (void)state;
    static const struct {
        const char *line, *words;
    } rows[] = {
        {"fit a.yaml b.yaml --checkpoint x.ck", "'--checkpoint' goes with one experiment, not"},
        {"fit a.yaml b.yaml --resume x.ck", "'--resume' goes with one"},
        {"fit a.yaml b.yaml --log x.csv", "'--log' goes with one"},
        {"fit a.yaml b.yaml --warm-start a.h5", "'--warm-start' goes with one"},
        {"fit a.yaml --every 30s", "--every goes with --checkpoint"},
        {"fit a.yaml --checkpoint x.ck --every -1s", "--every wants 0 s or more"},
        {"fit a.yaml --checkpoint x.ck --every 3kg", "--every:1:1: error"},
        {"fit a.yaml --checkpoint x.ck --every soon", "--every:1:1: error"},
        {"fit a.yaml --checkpoint x --log x", "two things would be written to 'x'"},
        {"fit a.yaml --checkpoint a.h5", "two things would be written to 'a.h5'"},
        {"fit a.yaml --checkpoint a.yaml", "'a.yaml' is read by this run"},
        {"fit a.yaml --checkpoint ./throw.csv", "'./throw.csv' is read by this run"},
        {"fit a.yaml --log a.yaml", "'a.yaml' is read by this run"},
        {"fit a.yaml --log throw.csv", "'throw.csv' is read by this run"},
        {"fit a.yaml --json a.yaml", "'a.yaml' is read by this run"},
        {"fit a.yaml -o throw.csv", "'throw.csv' is read by this run"},
        {"fit a.yaml b.yaml --json b.yaml", "'b.yaml' is read by this run"},
        {"simulate a.yaml -o a.yaml", "'a.yaml' is read by this run"},
        {"fit a.yaml --log -", "--log wants a file"},
        {"fit a.yaml --checkpoint -", "--checkpoint wants a file"},
        {"fit a.yaml --checkpoint=", "a file to write to has no name"},
        {"check a.yaml --checkpoint x.ck", "takes no option '--checkpoint'"},
        {"compare a.yaml --resume x.ck", "takes no option '--resume'"},
        {"fit a.yaml --set fit.methods=[direct] --checkpoint x.ck", "none in fit.methods"},
        {"fit a.yaml --resume nowhere.ck", "nowhere.ck:1:1: error: cannot open"},
        {"fit a.yaml --resume throw.csv", "throw.csv:1:1: error: this is no checkpoint"},
        {"fit a.yaml --resume .", ".:1:1: error"},
        {"fit a.yaml --warm-start nowhere.h5", "nowhere.h5:1:1: error"},
        {"fit a.yaml --warm-start throw.csv", "throw.csv:1:1: error: not a result"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_refused(rows[i].line, 2, rows[i].words);
    assert_int_equal(run_quietly("help fit"), 0);
    assert_non_null(strstr(run.output, "--checkpoint FILE"));
    assert_non_null(strstr(run.output, "--warm-start RESULT"));
}

static void test_fit_resume_of_another_experiment_gives_two(void **state)
{
    (void)state;
    assert_int_equal(run_quietly("fit a.yaml -q -o kept.h5 --checkpoint a.ck"), 0);
    assert_refused("fit a.yaml --resume a.ck --seed 9", 2,
                   "a.ck:1:1: error: this checkpoint "
                   "belongs to other points or settings");
    assert_refused("fit a.yaml --resume a.ck --set fit.starts=2", 2,
                   "a.ck:1:1: error: this checkpoint belongs to other points or settings");
    size_t size;
    char *bytes = run_read_file("a.ck", &size);
    bytes[size / 2] ^= 4;
    run_write_bytes("bad.ck", bytes, size);
    free(bytes);
    assert_refused("fit a.yaml --resume bad.ck", 2, "bad.ck:1:1: error: ");
    assert_int_equal(run_quietly("fit a.yaml -q -o again.h5 --resume a.ck"), 0);
    run_assert_same_files("kept.h5", "again.h5");
}

static void test_fit_checkpoint_or_log_unwritable_gives_three(void **state)
{
    (void)state;
    assert_int_equal(mkdir("taken", 0777), 0);
    assert_refused("fit a.yaml --checkpoint taken", 3, "cannot write 'taken': it is a folder");
    assert_refused("fit a.yaml --log taken", 3, "cannot write 'taken': it is a folder");
    assert_refused("fit a.yaml --log /proc/none/x.csv", 3, "cannot write");
    assert_refused("fit a.yaml --checkpoint /proc/none/x.ck", 3, "cannot make the folder");
    if (access("/dev/full", W_OK) == 0) {
        assert_refused("fit a.yaml --checkpoint /dev/full", 3, "cannot write '/dev/full'");
        assert_refused("fit a.yaml --log /dev/full", 3, "cannot write '/dev/full'");
    }
    rmdir("taken");
}

/* Lines that begin so; all end, and have as many commas as the first. */
static int count_rows(const char *text, const char *begin)
{
    int n = 0, wanted = -1;
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        int commas = 0;
        assert_int_equal(line[length], '\n');
        for (size_t i = 0; i < length; i++)
            commas += line[i] == ',';
        wanted = wanted < 0 ? commas : wanted;
        assert_int_equal(commas, wanted);
        n += strncmp(line, begin, strlen(begin)) == 0;
        line += length + 1;
    }
    return n;
}

static void test_fit_log_has_a_row_an_iteration(void **state)
{
    (void)state;
    static const char header[] =
        "method,start,stage,optimizer,iteration,cost,observations,physics,priors,step_sd,rate,"
        "k_per_m,s,spin_rad_s,t0_s,x0_m,y0_m,vx0_m_s,vy0_m_s\n";
    assert_int_equal(run_quietly("fit chain.yaml --log a.csv --json -") & ~1, 0);
    json_t *root = json_loads(run.output, 0, NULL);
    json_t *fits = json_object_get(root, "fits");
    size_t size;
    char *text = run_read_file("a.csv", &size);
    assert_memory_equal(text, header, sizeof header - 1);
    static const char *const methods[] = {"pinn,", "direct,"};
    for (size_t i = 0; i < 2; i++) {
        json_t *fit = json_array_get(fits, i);
        json_t *iterations = json_object_get(fit, "iterations");
        assert_int_equal(count_rows(text, methods[i]), json_integer_value(iterations));
        json_t *costs = json_object_get(json_object_get(fit, "history"), "cost");
        assert_int_equal(json_array_size(costs), json_integer_value(iterations));
    }
    assert_non_null(strstr(text, "\npinn,0,0,adam,40,"));
    assert_non_null(strstr(text, "\npinn,0,1,lbfgs,1,"));
    json_decref(root);
    free(text);
    /* Begun anew, and behind what is there when a run is gone on with. */
    assert_int_equal(run_quietly("fit a.yaml -q -o b.h5 --log a.csv --checkpoint a.ck"), 0);
    text = run_read_file("a.csv", &size);
    int rows = count_rows(text, "pinn"), all = count_rows(text, "direct") + rows + 1;
    assert_int_equal(count_rows(text, ""), all);
    free(text);
    assert_int_equal(run_quietly("fit a.yaml -q -o b.h5 --log a.csv --resume a.ck"), 0);
    text = run_read_file("a.csv", &size);
    assert_int_equal(count_rows(text, "method"), 1);
    assert_int_equal(count_rows(text, "pinn"), rows); /* the training was at its end */
    assert_int_equal(count_rows(text, "direct"), 2 * (all - rows - 1));
    free(text);
    run_write_bytes("other.csv", "a,b\n1,2\n", 8);
    assert_refused("fit a.yaml -q -o b.h5 --log other.csv --resume a.ck", 2,
                   "other.csv:1:1: error: this is no log of the experiment");
}

static void test_fit_warm_start_takes_net_and_parameters(void **state)
{
    (void)state;
    assert_int_equal(run_quietly("fit narrow.yaml -q -o first.h5"), 0);
    const char *line = "fit narrow.yaml -o b.h5 --json - --warm-start first.h5 --set "
                       "fit.pinn.train.0.steps=1 --set fit.methods=[pinn]";
    run_quietly(line);
    json_t *root = json_loads(run.output, 0, NULL);
    json_t *fit = json_array_get(json_object_get(root, "fits"), 0);
    json_t *cost = json_array_get(json_object_get(json_object_get(fit, "history"), "cost"), 0);
    assert_true(json_number_value(cost) < 50.0);
    json_decref(root);
    assert_null(strstr(run.messages, "another shape"));
    assert_int_equal(run_quietly("fit a.yaml -q -o b.h5 --warm-start first.h5"), 0);
    assert_non_null(strstr(run.messages, "another shape"));
    assert_int_equal(run_quietly("fit a.yaml -q -o direct.h5 --set fit.methods=[direct]"), 0);
    assert_refused("fit a.yaml --warm-start direct.h5", 2,
                   "direct.h5:1:1: error: this result has no PINN fit");
}

static void test_fit_starts_same_bytes_for_any_threads(void **state)
{
    (void)state;
    const char *line = "fit chain.yaml -q --set fit.starts=4 --set fit.pinn.train.0.steps=10 "
                       "--threads %d -o t%d.h5";
    for (int threads = 1; threads <= 3; threads++) {
        char words[256];
        snprintf(words, sizeof words, line, threads, threads);
        assert_int_equal(run_quietly(words) & ~1, 0);
    }
    run_assert_same_files("t1.h5", "t2.h5");
    run_assert_same_files("t1.h5", "t3.h5");
}

/* Ctrl-C: the checkpoint is there, and the words of the message give what a run left alone does. */
static void test_fit_interrupted_tells_how_to_go_on(void **state)
{
    (void)state;
    const RunSettings settings = {.interrupt_ms = 150};
    char line[512];
    run_line(&run, &settings,
             "fit long.yaml --checkpoint long.ck -o long.h5 --seed 4 --log all.csv");
    assert_int_equal(run.code, 130);
    assert_string_equal(run.output, "");
    assert_string_equal(run.messages,
                        "error: interrupted; go on with `arcfit fit long.yaml "
                        "--resume long.ck --checkpoint long.ck --set fit.seed=4 --log all.csv "
                        "--out long.h5`\n");
    assert_int_not_equal(access("long.h5", F_OK), 0);
    snprintf(line, sizeof line,
             "fit long.yaml --resume long.ck --checkpoint long.ck --set "
             "fit.seed=4 --out long.h5 -q");
    assert_int_equal(run_quietly(line) & ~1, 0);
    assert_int_equal(run_quietly("fit long.yaml --seed 4 --out alone.h5 -q") & ~1, 0);
    /* The seed's text stands in both as an override. */
    run_assert_same_files("long.h5", "alone.h5");
    run_line(&run, &settings,
             "fit long.yaml --checkpoint it's.ck --every 5s --threads 2 -q --log "
             "made/log.csv --json a.json");
    assert_int_equal(run.code, 130);
    assert_string_equal(run.messages,
                        "error: interrupted; go on with `arcfit fit long.yaml --resume "
                        "'it'\\''s.ck' --checkpoint 'it'\\''s.ck' --every 5s --log made/log.csv "
                        "--json a.json --threads 2 --quiet`\n");
    run_line(&run, &settings, "fit long.yaml -o new.h5 --log long.csv");
    assert_int_equal(run.code, 130);
    assert_string_equal(run.messages, "error: interrupted; nothing was written but the log\n");
    size_t size;
    char *text = run_read_file("long.csv", &size);
    assert_true(count_rows(text, "pinn,0,0,adam") > 1);
    free(text);
}

static void test_fit_on_a_terminal_shows_one_line_that_is_written_over(void **state)
{
    (void)state;
    static char text[RUN_MOST_TEXT];
    char *words[] = {"arcfit", "fit", "long.yaml", "-o", "terminal.h5", NULL};
    int code = run_on_terminal(NULL, words, 0, text), n = 0;
    assert_int_equal(code & ~1, 0);
    bool has_adam = false;
    for (char *at = text; (at = strstr(at, "\r\033[K")) != NULL; n++) {
        at += 4;
        size_t length = strcspn(at, "\r\n");
        assert_true(length < 80);
        has_adam =
            has_adam ||
            (strncmp(at, "PINN adam, stage 0, ", 20) == 0 &&
             memmem(at, length, " obs ", 5) != NULL && memmem(at, length, " phys ", 6) != NULL &&
             memmem(at, length, " rate ", 6) != NULL && memmem(at, length, " s", 2) != NULL &&
             memmem(at, length, " k ", 3) != NULL);
    }
    assert_true(has_adam);
    assert_true(n > 2 && n < 100);
    char *quiet[] = {"arcfit", "fit", "-q", "a.yaml", "-o", "terminal.h5", NULL};
    assert_int_equal(run_on_terminal(NULL, quiet, 0, text), 0);
    assert_string_equal(text, "");
    char *stopped[] = {"arcfit", "fit", "long.yaml", "--checkpoint", "terminal.ck", NULL};
    assert_int_equal(run_on_terminal(NULL, stopped, 200, text), 130);
    assert_non_null(strstr(text, "go on with `arcfit fit long.yaml --resume terminal.ck"));
    assert_int_equal(access("terminal.ck", R_OK), 0);
}

static const char head[] =
    "arcfit: 1\ncapture: {file: throw.csv, sigma: 3 mm}\n"
    "flight: {drag: lumped, lift: lumped}\n"
    "parameters: {k: {start: 0.05}, s: 0.08, spin: 1, x0: {start: 0}, y0: {start: 2}, vx0: {start: "
    "6}, vy0: {start: 5}}\n";

static int make_folder(void **state)
{
    (void)state;
    static const struct {
        const char *path, *fit;
    } files[] = {{"a.yaml", ""},
                 {"b.yaml", ""},
                 {"narrow.yaml", "fit: {pinn: {net: net.yaml, train: [{optimizer: linear}]}}\n"},
                 {"chain.yaml", "fit: {pinn: {net: net.yaml, train: [{optimizer: adam, steps: 40}, "
                                "{optimizer: lbfgs, steps: 5}, {optimizer: linear}]}}\n"},
                 {"long.yaml",
                  "fit: {pinn: {net: net.yaml, train: [{optimizer: adam, steps: 30000}, "
                  "{optimizer: linear}]}}\n"}};
    run_enter_folder(folder);
    run_write_file("net.yaml", "net: 1\nhidden: [20]\n");
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s", head, files[i].fit);
        run_write_file(files[i].path, text);
    }
    return run_quietly("simulate a.yaml -q --points 12 --duration 1 -o throw.csv");
}

static int remove_folder(void **state)
{
    (void)state;
    return chdir("/") != 0 || run_remove_folder(folder) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_training_options_bad_usage_gives_two),
        cmocka_unit_test(test_fit_resume_of_another_experiment_gives_two),
        cmocka_unit_test(test_fit_checkpoint_or_log_unwritable_gives_three),
        cmocka_unit_test(test_fit_log_has_a_row_an_iteration),
        cmocka_unit_test(test_fit_warm_start_takes_net_and_parameters),
        cmocka_unit_test(test_fit_starts_same_bytes_for_any_threads),
        cmocka_unit_test(test_fit_interrupted_tells_how_to_go_on),
        cmocka_unit_test(test_fit_on_a_terminal_shows_one_line_that_is_written_over),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
