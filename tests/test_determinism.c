/* The same experiment, seed and machine give the same bytes: run after run, alone or among others,
 * for any number of threads, whatever the surroundings. Results as HDF5 do not hold the time that a
 * fit took; in JSON `wall_s` is the only thing that may differ. */
#include "program_run.h"
#include "slow.h"

#include <locale.h>

static char folder[] = "/tmp/arcfit-test-determinism-XXXXXX";
static Run run, other;

/* What each experiment changes in the common text, and its name. */
static const struct {
    const char *name, *flight, *parameters, *fit;
} experiments[] = {
    {"auto", "drag: quadratic, ball: basketball", "cd: {start: 0.5}", "seed: 3"},
    {"trained", "drag: lumped", "k: {start: 0.05}",
     "pinn: {net: net.yaml, train: [{optimizer: linear}, {optimizer: lm, steps: 30}]}"},
    {"lifted", "drag: lumped, lift: lumped", "k: {start: 0.05}, s: free, spin: {start: 1}",
     "seed: 5"},
    {"space", "dimensions: 3, drag: lumped", "k: {start: 0.05}, z0: {start: 2}, vz0: {start: 6}",
     "methods: [pinn, direct]"},
};

enum { N_EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

static const char all[] = "auto.yaml trained.yaml lifted.yaml space.yaml";

/* Blanks the numbers behind "wall_s"; gives how many there are. */
static int blank_wall(char *text)
{
    int n = 0;
    for (char *found = text; (found = strstr(found, "\"wall_s\": ")) != NULL; n++) {
        found += strlen("\"wall_s\": ");
        size_t length = strcspn(found, ",\n");
        memmove(found, found + length, strlen(found + length) + 1);
    }
    return n;
}

/* Fits all experiments into `where`; the text of their JSON without wall_s goes to json. */
static void fit_all(const char *names, const char *options, const char *const *environment,
                    const char *where, char json[RUN_MOST_TEXT])
{
    const RunSettings settings = {.environment = environment};
    char line[512];
    snprintf(line, sizeof line, "fit %s -o %s --json - %s", names, where, options);
    run_line(&other, &settings, line);
    if (other.code != 1) /* `trained` stops early, `lifted` cannot tell lift from spin */
        fail_msg("'%s' gives %d: %s", line, other.code, other.messages);
    assert_int_equal(blank_wall(other.output), 2 * N_EXPERIMENTS);
    memcpy(json, other.output, RUN_MOST_TEXT);
}

static void assert_same_results(const char *where)
{
    for (size_t i = 0; i < N_EXPERIMENTS; i++) {
        char one[128], two[128];
        snprintf(one, sizeof one, "first/%s.h5", experiments[i].name);
        snprintf(two, sizeof two, "%s/%s.h5", where, experiments[i].name);
        run_assert_same_files(one, two);
    }
}

static char first_json[RUN_MOST_TEXT];

static void assert_same(const char *options, const char *const *environment)
{
    static char json[RUN_MOST_TEXT];
    fit_all(all, options, environment, "again", json);
    if (strcmp(json, first_json) != 0)
        fail_msg("JSON differs with '%s' %s", options,
                 environment == NULL || environment[0] == NULL ? "" : environment[0]);
    assert_same_results("again");
    assert_int_equal(run_remove_folder("again"), 0);
}

static void test_fit_again_gives_same_bytes(void **state)
{
    (void)state;
    assert_same("", NULL);
    assert_same("-v", NULL);
}

static void test_fit_any_threads_gives_same_bytes(void **state)
{
    (void)state;
    static const char *const options[] = {"--threads 1", "--threads 2", "--threads 3",
                                          "--threads 4", "--threads 64"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        assert_same(options[i], NULL);
}

static void test_fit_any_surroundings_gives_same_bytes(void **state)
{
    (void)state;
    SKIP_UNDER_SANITIZERS();
    /* MALLOC_PERTURB_ fills fresh memory with rubbish, so that nothing may hang on what lay there.
     */
    static const char *const surroundings[][3] = {
        {"OPENBLAS_NUM_THREADS=1"},
        {"OPENBLAS_NUM_THREADS=4"},
        {"OMP_NUM_THREADS=1"},
        {"OMP_NUM_THREADS=3", "OMP_SCHEDULE=dynamic,1"},
        {"OMP_DYNAMIC=true"},
        {"MALLOC_PERTURB_=165"},
        {"TZ=Asia/Tokyo", "HOME=/nowhere"},
        {"NO_COLOR=1", "TERM=dumb"},
    };
    for (size_t i = 0; i < sizeof surroundings / sizeof surroundings[0]; i++) {
        assert_same("", surroundings[i]);
        assert_same("--threads 4", surroundings[i]);
    }
}

static void test_fit_decimal_comma_locale_gives_same_bytes(void **state)
{
    (void)state;
    static const char *const surroundings[] = {"LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8", NULL};
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        print_message("skipped: no locale de_DE.UTF-8\n");
        skip();
    }
    setlocale(LC_ALL, "C");
    assert_same("", surroundings);
}

static void test_fit_other_order_or_alone_gives_same_bytes(void **state)
{
    (void)state;
    static char json[RUN_MOST_TEXT];
    fit_all("space.yaml lifted.yaml trained.yaml auto.yaml", "--threads 2", NULL, "again", json);
    assert_string_not_equal(json, first_json);
    assert_same_results("again");
    for (size_t i = 0; i < N_EXPERIMENTS; i++) {
        char line[256];
        snprintf(line, sizeof line, "fit %s.yaml -q -o again/%s.h5", experiments[i].name,
                 experiments[i].name);
        run_line(&run, NULL, line);
        if (run.code > 1)
            fail_msg("'%s' gives %d: %s", line, run.code, run.messages);
    }
    assert_same_results("again");
    assert_int_equal(run_remove_folder("again"), 0);
}

static void test_fit_other_seed_gives_other_bytes(void **state)
{
    (void)state;
    static char json[RUN_MOST_TEXT];
    size_t n, m;
    fit_all(all, "--seed 77", NULL, "again", json);
    assert_string_not_equal(json, first_json);
    char *one = run_read_file("first/auto.h5", &n), *two = run_read_file("again/auto.h5", &m);
    assert_true(n != m || memcmp(one, two, n) != 0);
    free(one);
    free(two);
    assert_int_equal(run_remove_folder("again"), 0);
}

/* The other commands: what they print, twice, from results of two runs. */
static void test_run_other_commands_give_same_text(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "check auto.yaml --json -",
        "check lifted.yaml",
        "help --as zsh",
        "simulate auto.yaml --seed 4 --points 50",
        "simulate space.yaml --at 0.1 0.2 0.3",
        "compare first/auto.h5 first/trained.h5",
        "compare first/auto.h5 --json -",
        "compare auto.yaml trained.yaml --threads 2",
        "predict first/space.h5 --at 0.5 0.9 --plane z=2.5m --json -",
        "predict first/trained.h5 --at 0.5 0.9 --plane y=2.5m",
        "fit auto.yaml -o again.h5"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        static const char *const rubbish[] = {"MALLOC_PERTURB_=90", "OPENBLAS_NUM_THREADS=3", NULL};
        const RunSettings settings = {.environment = rubbish};
        run_line(&run, NULL, lines[i]);
        run_line(&other, &settings, lines[i]);
        if (run.output[0] == '\0' || run.code != other.code)
            fail_msg("'%s' gives %d and %d: %s", lines[i], run.code, other.code, run.messages);
        blank_wall(run.output);
        blank_wall(other.output);
        if (strcmp(run.output, other.output) != 0 || strcmp(run.messages, other.messages) != 0)
            fail_msg("'%s' prints\n%s\nand\n%s", lines[i], run.output, other.output);
    }
    unlink("again.h5");
}

/* Pages and CSV of the same results, whatever lay in memory and whoever works. */
static void test_run_report_gives_same_bytes(void **state)
{
    (void)state;
    static const char *const lines[2][3] = {
        {"report first/space.h5 -o one.html", "report first/auto.h5 first/space.h5 -o two.html",
         "report first/trained.h5 --csv one --threads 1"},
        {"report first/space.h5 -o again.html --threads 4",
         "report first/auto.h5 first/space.h5 -o both.html --threads 2",
         "report first/trained.h5 --csv again --threads 3"}};
    static const char *const plain[] = {"ARCFIT_PLOTLY=library.js", NULL};
    static const char *const rubbish[] = {"ARCFIT_PLOTLY=library.js", "MALLOC_PERTURB_=90",
                                          "OPENBLAS_NUM_THREADS=3", "TZ=Asia/Tokyo", NULL};
    const RunSettings settings[2] = {{.environment = plain}, {.environment = rubbish}};
    run_write_file("library.js", "/* Plotly */\n");
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            run_line(&run, &settings[k], lines[k][i]);
            /* Of training that stopped early it is 1. */
            if (run.code > 1)
                fail_msg("'%s' gives %d: %s", lines[k][i], run.code, run.messages);
        }
    run_assert_same_files("one.html", "again.html");
    run_assert_same_files("two.html", "both.html");
    static char one[RUN_MOST_LISTING], two[RUN_MOST_LISTING];
    struct dirent **entries;
    int n = scandir("one", &entries, NULL, alphasort);
    assert_true(n > 4);
    for (int i = 0; i < n; i++) {
        snprintf(one, sizeof one, "one/%s", entries[i]->d_name);
        snprintf(two, sizeof two, "again/%s", entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            run_assert_same_files(one, two);
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(run_remove_folder("one"), 0);
    assert_int_equal(run_remove_folder("again"), 0);
}

static int make_folder(void **state)
{
    (void)state;
    run_enter_folder(folder);
    run_write_file("net.yaml", "net: 1\nhidden: [12]\n");
    for (size_t i = 0; i < N_EXPERIMENTS; i++) {
        char path[64], line[256];
        snprintf(path, sizeof path, "%s.yaml", experiments[i].name);
        FILE *stream = fopen(path, "w");
        if (stream == NULL)
            return 1;
        fprintf(stream,
                "arcfit: 1\ncapture: {file: %s.csv, sigma: 3 mm}\nflight: {%s}\n"
                "parameters: {x0: {start: 0}, y0: {start: 2}, vx0: {start: 6}, vy0: {start: 5}, "
                "%s}\nfit: {%s}\n",
                experiments[i].name, experiments[i].flight, experiments[i].parameters,
                experiments[i].fit);
        fclose(stream);
        snprintf(line, sizeof line, "simulate %s -q --points 12 --duration 1 -o %s.csv", path,
                 experiments[i].name);
        run_line(&run, NULL, line);
        if (run.code != 0) {
            print_error("'%s': %s", line, run.messages);
            return 1;
        }
    }
    fit_all(all, "", NULL, "first", first_json);
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
        cmocka_unit_test(test_fit_again_gives_same_bytes),
        cmocka_unit_test(test_fit_any_threads_gives_same_bytes),
        cmocka_unit_test(test_fit_any_surroundings_gives_same_bytes),
        cmocka_unit_test(test_fit_decimal_comma_locale_gives_same_bytes),
        cmocka_unit_test(test_fit_other_order_or_alone_gives_same_bytes),
        cmocka_unit_test(test_fit_other_seed_gives_other_bytes),
        cmocka_unit_test(test_run_other_commands_give_same_text),
        cmocka_unit_test(test_run_report_gives_same_bytes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
