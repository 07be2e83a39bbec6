/* `fit` with --profile, --bootstrap and --sample: what is printed and written, keys against
 * options, bad ones, threads, Ctrl-C, memory refused. */
#include "program_run.h"
#include "slow.h"

static char folder[] = "/tmp/arcfit-test-beyond-XXXXXX";
static Run run, other;

static void fit(Run *into, const char *line, int code)
{
    run_line(into, NULL, line);
    if (into->code != code)
        fail_msg("'%s' gives %d: %s", line, into->code, into->messages);
}

static void assert_has(const char *text, const char *words, bool has)
{
    text = text == NULL ? "" : text;
    if ((strstr(text, words) != NULL) != has)
        fail_msg("%s '%s' in:\n%s", has ? "no" : "unwanted", words, text == NULL ? "" : text);
}

static void test_fit_options_ask_for_each(void **state)
{
    (void)state;
    fit(&run, "fit made.yaml", 0);
    assert_has(run.output, "bootstrap", false);
    assert_has(run.output, "profiles", false);
    fit(&run, "fit made.yaml --profile k --profile=vx0 --json made.json", 0);
    assert_has(run.output, "profiles        of the likelihood, all else fitted again (PINN)", true);
    assert_has(run.output, "profiles        of the likelihood, all else fitted again (direct)",
               true);
    assert_has(run.output, "fit.profile=[k, vx0]", true);
    assert_has(run.output, "bootstrap", false);
    size_t size;
    char *json = run_read_file("made.json", &size);
    assert_has(json, "\"profiles\": {", true);
    assert_has(json, "\"identifiable\"", true);
    free(json);
    unlink("made.json");
    fit(&run, "fit made.yaml --bootstrap 50 --bootstrap-kind case", 0);
    assert_has(run.output, "50 captures of redrawn points, 0 of their fits failed (direct)", true);
    fit(&run, "fit made.yaml --sample 200 --bootstrap 9 --bootstrap 50", 0);
    assert_has(run.output, "50 captures of redrawn residuals", true);
    assert_has(run.output, "chains", true);
    assert_has(run.messages, "the Markov chains have not come together", true);
}

static void test_fit_keys_ask_and_options_win(void **state)
{
    (void)state;
    fit(&run, "fit asks.yaml", 0);
    assert_has(run.output, "40 captures of redrawn points", true);
    assert_has(run.output, "profiles", true);
    fit(&run, "fit asks.yaml --bootstrap 60 --bootstrap-kind residual --profile vy0", 0);
    assert_has(run.output, "60 captures of redrawn residuals", true);
    assert_has(run.output, "fit.profile=[vy0]", true);
}

static void test_fit_bad_options_give_two(void **state)
{
    (void)state;
    static const struct {
        const char *line, *words;
    } rows[] = {
        {"fit made.yaml --profile", "wants a value"},
        {"fit made.yaml --profile kk", "did you mean 'k'"},
        {"fit made.yaml --profile nothing", "is no parameter of this flight"},
        {"fit made.yaml --profile t0", "'t0' is fixed"},
        {"fit made.yaml --profile k --profile k", "given twice"},
        {"fit made.yaml --profile k,vx0", "--profile wants a parameter's name"},
        {"fit made.yaml --bootstrap 0", "--bootstrap wants a whole number from 1"},
        {"fit made.yaml --bootstrap 1e3", "--bootstrap wants"},
        {"fit made.yaml --bootstrap-kind both", "--bootstrap-kind wants one of residual, case"},
        {"fit made.yaml --sample x", "--sample wants"},
        {"check made.yaml --sample 10", "takes no option '--sample'"},
        {"fit made.yaml --set fit.profile=k", "fit.profile"},
        {"fit made.yaml --set fit.bootstrap=-1", "fit.bootstrap"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fit(&run, rows[i].line, 2);
        assert_has(run.messages, rows[i].words, true);
        assert_true(run_is_one_line(run.messages));
        assert_string_equal(run.output, "");
    }
}

static void test_fit_any_threads_give_same_bytes(void **state)
{
    (void)state;
    SKIP_UNDER_SANITIZERS();
    static const char asked[] =
        "--profile k --bootstrap 60 --sample 100 -q --set fit.direct.tolerance=1e-9";
    char line[256];
    snprintf(line, sizeof line, "fit made.yaml %s -o one.h5 --threads 1", asked);
    fit(&run, line, 0);
    snprintf(line, sizeof line, "fit made.yaml %s -o five.h5 --threads 5", asked);
    fit(&other, line, 0);
    run_assert_same_files("one.h5", "five.h5");
    unlink("one.h5");
    unlink("five.h5");
}

static void test_fit_interrupted_gives_130(void **state)
{
    (void)state;
    static const char *const lines[] = {"fit made.yaml --bootstrap 900000 -o new.h5",
                                        "fit made.yaml --sample 900000 -o new.h5 --threads 2"};
    const RunSettings settings = {.interrupt_ms = 300};
    for (int i = 0; i < 2; i++) {
        run_line(&run, &settings, lines[i]);
        if (run.code != 130 ||
            strcmp(run.messages, "error: interrupted; nothing was written\n") != 0)
            fail_msg("'%s' gives %d: %s", lines[i], run.code, run.messages);
        assert_string_equal(run.output, "");
        assert_int_equal(access("new.h5", F_OK), -1);
        assert_true(run.cpu_s < run_most_cpu_s(4.0));
    }
}

/* A log has rows of iterations only. */
static void test_fit_log_is_the_same_beside_a_bootstrap(void **state)
{
    (void)state;
    fit(&run, "fit made.yaml -q --log plain.csv", 0);
    fit(&run, "fit made.yaml -q --log asked.csv --bootstrap 50 --profile k", 0);
    run_assert_same_files("plain.csv", "asked.csv");
}

static int make_folder(void **state)
{
    (void)state;
    static const char text[] =
        "arcfit: 1\ncapture: {file: made.csv, sigma: 3 mm}\nflight: {drag: lumped}\n"
        "parameters: {k: {start: 0.03}, x0: {start: 0}, y0: {start: 2}, vx0: {start: 4.6}, vy0: "
        "{start: 6.4}}\n";
    char asks[1024];
    run_enter_folder(folder);
    snprintf(asks, sizeof asks,
             "%sfit: {methods: [direct], profile: [k], bootstrap: 40, bootstrap_kind: case}\n",
             text);
    run_write_file("made.yaml", text);
    run_write_file("asks.yaml", asks);
    run_line(&run, NULL, "simulate made.yaml -q --points 16 --duration 0.9s -o made.csv");
    return run.code;
}

static int remove_folder(void **state)
{
    (void)state;
    return chdir("/") != 0 || run_remove_folder(folder) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_options_ask_for_each),
        cmocka_unit_test(test_fit_keys_ask_and_options_win),
        cmocka_unit_test(test_fit_bad_options_give_two),
        cmocka_unit_test(test_fit_any_threads_give_same_bytes),
        cmocka_unit_test(test_fit_interrupted_gives_130),
        cmocka_unit_test(test_fit_log_is_the_same_beside_a_bootstrap),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
