/* The program as a user meets it: arguments, exit codes, what goes where, what is written. Every
 * run is a process of its own. */
#include "cli/cli.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_ARGUMENTS = 40, MOST_TEXT = 1 << 20 };

static char folder[] = "/tmp/arcfit-test-cli-XXXXXX";
static char output[MOST_TEXT], messages[MOST_TEXT];
static rlim_t file_limit = RLIM_INFINITY;

static const char experiment_text[] =
    "arcfit: 1\n"
    "name: Made flight\n"
    "capture: {file: made.csv, sigma: 3 mm, hold_out: {every: 4}}\n"
    "flight: {drag: lumped}\n"
    "parameters:\n"
    "  k: {start: 0.05, bounds: [0, 1]}\n"
    "  x0: {start: 0}\n"
    "  y0: {start: 2}\n"
    "  vx0: {start: 5}\n"
    "  vy0: {start: 6}\n";

static void write_file(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

static void read_file(const char *path, char *text)
{
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    size_t n = fread(text, 1, MOST_TEXT - 1, stream);
    text[n] = '\0';
    fclose(stream);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Runs `arcfit` with the words of line (single blanks between); fills output and messages. */
static int run(const char *line)
{
    char words[2048], *arguments[MOST_ARGUMENTS + 2] = {"arcfit"};
    int n = 1, ended = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word != NULL && n < MOST_ARGUMENTS;
         word = strtok(NULL, " "))
        arguments[n++] = word;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit limit = {file_limit, RLIM_INFINITY};
        if (freopen("output.txt", "w", stdout) == NULL ||
            freopen("messages.txt", "w", stderr) == NULL || setrlimit(RLIMIT_FSIZE, &limit) != 0)
            _exit(99);
        exit(arc_cli_main(n, arguments));
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    read_file("output.txt", output);
    read_file("messages.txt", messages);
    assert_true(WIFEXITED(ended));
    return WEXITSTATUS(ended);
}

static void assert_one_line(const char *text)
{
    const char *end = strchr(text, '\n');
    if (end == NULL || end[1] != '\0')
        fail_msg("not one line: '%s'", text);
}

static void assert_same_files(const char *a, const char *b)
{
    static char first[MOST_TEXT], second[MOST_TEXT];
    FILE *one = fopen(a, "r"), *two = fopen(b, "r");
    assert_true(one != NULL && two != NULL);
    size_t n = fread(first, 1, MOST_TEXT, one), m = fread(second, 1, MOST_TEXT, two);
    fclose(one);
    fclose(two);
    assert_int_equal(n, m);
    assert_memory_equal(first, second, n);
}

static void test_cli_bad_usage_gives_two_and_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *line, *words;
    } rows[] = {{"", "arcfit help"},
                {"chekc", "did you mean 'check'"},
                {"trakc made.yaml", "did you mean 'track'"},
                {"track made.yaml -o x", "takes no option '--out'"},
                {"fit", "what to fit?"},
                {"fit made.yaml --jsn -", "did you mean '--json'"},
                {"fit made.yaml --nothing-like-it", "unknown option"},
                {"fit made.yaml -x", "unknown option '-x'"},
                {"fit made.yaml --quiet=1", "takes no value"},
                {"fit made.yaml --out", "wants a value"},
                {"fit made.yaml --threads 0", "--threads wants"},
                {"fit made.yaml --threads 2x", "--threads wants"},
                {"fit made.yaml --seed -1", "--seed wants"},
                {"fit made.yaml --set nothing", "--set:1:"},
                {"fit made.yaml --set parameters.k=3kg", "--set:1:"},
                {"fit made.yaml --set parameters.k=0.1 --set parameters.q=1", "--set:2:"},
                {"check made.yaml other.yaml", "unexpected 'other.yaml'"},
                {"check made.yaml -o x", "takes no option '--out'"},
                {"models x", "x:1:1: error: cannot open"},
                {"predict made.h5 --plane 3", "--plane wants"},
                {"predict made.h5 --plane y=3kg", "--plane:1:1: error"},
                {"predict made.h5 --at now", "--at:1:1: error"},
                {"predict made.yaml --at 1", "made.yaml:1:1: error: not a result"},
                {"simulate made.yaml --points 1", "two points"},
                {"simulate made.yaml --at 0.1 0.1", "twice"},
                {"simulate made.yaml --at 0.1 0.2 --points 3", "leave --points"},
                {"simulate made.yaml --sigma 0", "--sigma"},
                {"simulate made.yaml --duration 0", "--duration"},
                {"help nothing", "unknown topic 'nothing'"},
                {"fit nowhere.yaml", "nowhere.yaml:1:1: error"},
                {"fit .", ".:1:1: error"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int code = run(rows[i].line);
        if (code != 2 || strstr(messages, rows[i].words) == NULL || output[0] != '\0')
            fail_msg("'%s' gives %d: %s%s", rows[i].line, code, messages, output);
        assert_one_line(messages);
    }
    assert_false(exists("made.h5"));
}

static void test_cli_help_lists_what_works(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "help",       "--help", "help fit", "predict --help", "help settings",
        "help units", "models", "-h check", "--version",      "help simulate"};
    static const char *const words[] = {"simulate", "compare", "--json FILE", "--plane",
                                        "sigma",    "mph",     "lumped",      "arcfit check",
                                        "0.1.0",    "--points"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_int_equal(run(lines[i]), 0);
        assert_string_equal(messages, "");
        if (strstr(output, words[i]) == NULL)
            fail_msg("'%s' does not say '%s'", lines[i], words[i]);
        for (char *line = strtok(output, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            if (strlen(line) > 80)
                fail_msg("'%s' prints a long line: %s", lines[i], line);
        }
    }
    assert_int_equal(run("models"), 0);
    assert_non_null(strstr(output, "\narm                with release: arm"));
    assert_non_null(strstr(output, "omega1 (rad/s), free: rate at the release of joint 1"));
    assert_non_null(strstr(output, "inertia1 (kg m^2), fixed unless freed"));
    assert_non_null(strstr(output, "\n  trapezoid       q_1 S(xi / q_2)"));
    assert_int_equal(run("help"), 0);
    assert_null(strstr(output, "batch"));
}

static void test_cli_simulate_is_deterministic_by_seed(void **state)
{
    (void)state;
    static char first[MOST_TEXT];
    assert_int_equal(run("simulate made.yaml --points 5 --seed 3"), 0);
    snprintf(first, sizeof first, "%s", output);
    assert_memory_equal(first, "# synthetic: arcfit simulate made.yaml, seed 3", 46);
    assert_int_equal(run("simulate --seed=3 --points=5 -o - -- made.yaml"), 0);
    assert_string_equal(output, first);
    assert_int_equal(run("simulate made.yaml --points 5 --seed 4"), 0);
    assert_string_not_equal(output, first);
    assert_int_equal(run("simulate made.yaml --at 0.3 0.1 0.2"), 0);
    assert_non_null(strstr(output, "\n0.1,"));
    assert_non_null(strstr(strstr(output, "\n0.1,"), "\n0.3,"));
    assert_int_equal(run("simulate made.yaml --points 20 --seed 1 -o made.csv"), 0);
    assert_non_null(strstr(output, "20 points in made.csv"));
}

/* Noise, drawn truths and replicas: named in the files, the same bytes whatever runs beside them.
 */
static void test_cli_simulate_replicas_same_bytes_for_any_number_and_threads(void **state)
{
    (void)state;
    const char *noise = "--set simulate.noise.outliers.share=0.1 --set "
                        "simulate.noise.dropped.share=0.3 --set simulate.noise.rounding=2mm --set "
                        "simulate.noise.jitter=1ms --set parameters.k.prior.mean=0.05 --set "
                        "parameters.k.prior.sd=0.01";
    char line[512];
    snprintf(line, sizeof line, "simulate made.yaml --draw --replicas 9 --threads 3 -o many %s",
             noise);
    assert_int_equal(run(line), 0);
    assert_non_null(strstr(output, "9 captures in many"));
    snprintf(line, sizeof line, "simulate made.yaml --draw --replicas 4 -q -o few/ %s", noise);
    assert_int_equal(run(line), 0);
    for (int i = 1; i <= 4; i++) {
        char a[64], b[64];
        snprintf(a, sizeof a, "few/made-%04d.csv", i);
        snprintf(b, sizeof b, "many/made-%04d.csv", i);
        assert_same_files(a, b);
        unlink(a);
    }
    static char other[MOST_TEXT];
    read_file("many/made-0005.csv", output);
    read_file("many/made-0006.csv", other);
    assert_string_not_equal(strchr(output, '\n'), strchr(other, '\n'));
    static const char *const words[] = {"seed 1, replica 5, sigma 0.003 m\n",
                                        "outliers 0.1 of the points at 10 sd",
                                        "dropped 0.3 of the frames",
                                        "rounding to 0.002 m",
                                        "jitter of 0.001 s",
                                        "# truth: k 0.0"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        assert_non_null(strstr(output, words[i]));
    for (int i = 1; i <= 9; i++) {
        char path[64];
        snprintf(path, sizeof path, "many/made-%04d.csv", i);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir("many"), 0);
    assert_int_equal(rmdir("few"), 0);
}

static void test_cli_simulate_replicas_refuse_what_cannot_be(void **state)
{
    (void)state;
    static const struct {
        const char *line, *words;
    } rows[] = {{"simulate made.yaml --replicas 3", "-o FOLDER"},
                {"simulate made.yaml --replicas 0 -o many", "--replicas wants"},
                {"simulate made.yaml --replicas 3 -o many --sigma 0", "--sigma"},
                {"simulate made.yaml --replicas 3 -o many --set simulate.rate=10 --set "
                 "simulate.duration=1s --set simulate.points=5",
                 "leave points"},
                {"simulate made.yaml --set simulate.noise.outliers.size=3kg", "--set:1:"},
                {"simulate made.yaml --set simulate.noise.dropped.share=1", "--set:1:"},
                {"simulate made.yaml --set simulate.noise.dropped.share=0.9 --set "
                 "simulate.noise.dropped.run=2",
                 "runs of 9 or more"},
                {"fit made.yaml --replicas 3", "takes no option"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int code = run(rows[i].line);
        if (code != 2 || strstr(messages, rows[i].words) == NULL || output[0] != '\0')
            fail_msg("'%s' gives %d: %s%s", rows[i].line, code, messages, output);
        assert_one_line(messages);
    }
    assert_false(exists("many"));
    /* The capture that the experiment reads is one of those that would be written. */
    assert_int_equal(mkdir("many", 0777), 0);
    write_file("many/made-0001.csv", "mine");
    assert_int_equal(
        run("simulate made.yaml --replicas 3 -o many --set capture.file=many/made-0001.csv"), 2);
    assert_non_null(strstr(messages, "is read by this run"));
    read_file("many/made-0001.csv", output);
    assert_string_equal(output, "mine");
    assert_false(exists("many/made-0002.csv"));
    unlink("many/made-0001.csv");
    rmdir("many");
    assert_int_equal(run("simulate made.yaml --replicas 3 -o no/such/folder"), 3);
}

static void test_cli_check_tells_without_writing(void **state)
{
    (void)state;
    assert_int_equal(run("check made.yaml"), 0);
    assert_non_null(strstr(output, "[0, 1]"));
    assert_int_equal(run("check --json - made.yaml"), 0);
    json_t *root = json_loads(output, 0, NULL);
    assert_non_null(root);
    json_decref(root);
    assert_int_equal(run("check made.yaml --set flight.lift=lumped --set parameters.s.start=1 "
                         "--set parameters.spin.start=1"),
                     1);
    assert_non_null(strstr(output, "s, spin"));
    assert_false(exists("made.h5"));
}

static void test_cli_fit_writes_result_and_says_where(void **state)
{
    (void)state;
    assert_int_equal(run("fit made.yaml"), 0);
    assert_non_null(strstr(output, "agree"));
    assert_non_null(strstr(output, "made.h5"));
    assert_string_equal(messages, "");
    assert_true(exists("made.h5"));
    assert_int_equal(run("fit -q made.yaml -o other.h5"), 0);
    assert_string_equal(output, "");
    assert_true(exists("other.h5"));
    assert_int_equal(run("fit made.yaml --json -"), 0);
    json_t *root = json_loads(output, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(root, "fits")), 2);
    json_decref(root);
    assert_int_equal(run("fit made.yaml -q --json made.json"), 0);
    assert_true(exists("made.json"));
    unlink("other.h5");
    unlink("made.json");
}

static void test_cli_fit_unidentified_gives_one_and_warns(void **state)
{
    (void)state;
    assert_int_equal(run("fit made.yaml -o other.h5 --set flight.lift=lumped "
                         "--set parameters.s=free --set parameters.spin=free"),
                     1);
    assert_non_null(strstr(messages, "warning: 's' is unidentified"));
    assert_non_null(strstr(output, "s, spin"));
    assert_true(exists("other.h5"));
    unlink("other.h5");
}

/* text without the lines that name wall_s. */
static void strip_wall(char *text)
{
    char *to = text;
    for (char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n' ? 1 : 0;
        char *found = strstr(line, "\"wall_s\"");
        if (found == NULL || found >= line + length) {
            memmove(to, line, length);
            to += length;
        }
        line += length;
    }
    *to = '\0';
}

static void test_cli_fit_several_same_bytes_for_any_threads(void **state)
{
    (void)state;
    static char single[MOST_TEXT];
    char copy[sizeof experiment_text + 64];
    for (int i = 0; i < 4; i++) {
        char path[32];
        snprintf(path, sizeof path, "several-%d.yaml", i);
        snprintf(copy, sizeof copy, "%sfit: {seed: %d}\n", experiment_text, i + 1);
        write_file(path, copy);
    }
    const char *names = "several-0.yaml several-1.yaml several-2.yaml several-3.yaml";
    char line[512];
    snprintf(line, sizeof line, "fit %s -o one --json -", names);
    assert_int_equal(run(line), 0);
    snprintf(single, sizeof single, "%s", output);
    snprintf(line, sizeof line, "fit --threads 3 %s -o many --json -", names);
    assert_int_equal(run(line), 0);
    strip_wall(single);
    strip_wall(output);
    assert_string_equal(single, output);
    json_t *root = json_loads(output, 0, NULL);
    assert_int_equal(json_array_size(root), 4);
    json_decref(root);
    for (int i = 0; i < 4; i++) {
        char a[64], b[64];
        snprintf(a, sizeof a, "one/several-%d.h5", i);
        snprintf(b, sizeof b, "many/several-%d.h5", i);
        assert_same_files(a, b);
        unlink(a);
        unlink(b);
    }
    rmdir("one");
    rmdir("many");
}

static void test_cli_fit_several_one_bad_runs_none(void **state)
{
    (void)state;
    assert_int_equal(run("fit several-0.yaml nowhere.yaml several-1.yaml"), 2);
    assert_one_line(messages);
    assert_false(exists("several-0.h5"));
    assert_int_equal(run("fit several-0.yaml ./several-0.yaml"), 2);
    assert_non_null(strstr(messages, "both be written"));
    assert_false(exists("several-0.h5"));
}

static void test_cli_fit_unwritable_gives_three_and_keeps_old(void **state)
{
    (void)state;
    static char before[MOST_TEXT];
    assert_int_equal(mkdir("taken.h5", 0777), 0);
    assert_int_equal(run("fit made.yaml -o taken.h5"), 3);
    assert_non_null(strstr(messages, "it is a folder"));
    assert_int_equal(run("fit made.yaml -o made.csv/x.h5"), 3);
    assert_int_equal(run("fit made.yaml -o no/such/folder.h5"), 3);
    assert_int_equal(run("fit made.yaml -q -o kept.h5"), 0);
    assert_int_equal(rename("kept.h5", "copy.h5"), 0);
    assert_int_equal(run("fit made.yaml -q -o kept.h5"), 0);
    read_file("kept.h5", before);
    file_limit = 20000; /* the result is larger */
    assert_int_equal(run("fit made.yaml -q -o kept.h5 --seed 9"), 3);
    file_limit = RLIM_INFINITY;
    assert_one_line(messages);
    assert_same_files("kept.h5", "copy.h5");
    unlink("kept.h5");
    unlink("copy.h5");
    rmdir("taken.h5");
}

static void test_cli_compare_reads_results_and_runs_experiments(void **state)
{
    (void)state;
    assert_int_equal(run("compare made.h5"), 0);
    assert_non_null(strstr(output, "difference"));
    assert_int_equal(run("compare made.h5 several-0.yaml"), 0);
    assert_non_null(strstr(output, "rank"));
    assert_null(strstr(output, "\nwarning "));
    assert_non_null(strstr(output, "\nranking "));
    assert_non_null(strstr(output, "\ncriteria "));
    assert_non_null(strstr(output, "\nphysics "));
    assert_int_equal(run("compare made.h5 several-0.yaml --json -"), 0);
    json_t *root = json_loads(output, 0, NULL);
    assert_int_equal(json_array_size(root), 2);
    assert_non_null(json_object_get(json_array_get(root, 1), "ranking"));
    json_decref(root);
    assert_int_equal(run("compare made.h5 several-0.yaml --set capture.every=2"), 0);
    assert_non_null(strstr(output, "\nwarning         the models cannot be ranked: "));
    assert_int_equal(run("compare made.h5 nowhere.yaml"), 2);
    assert_string_equal(output, "");
}

static void test_cli_predict_gives_states_crossings_and_scores(void **state)
{
    (void)state;
    assert_int_equal(run("predict made.h5 --at 0.5 100ms --plane y=2.5m --held-out"), 0);
    assert_non_null(strstr(output, "y = 2.5 m"));
    assert_non_null(strstr(output, "rms"));
    assert_int_equal(run("predict --at 0.5 0.1 --json - made.h5 --plane x=100cm"), 0);
    json_t *root = json_loads(output, 0, NULL);
    json_t *states = json_object_get(root, "states");
    assert_int_equal(json_array_size(states), 2);
    assert_true(json_number_value(json_object_get(json_array_get(states, 0), "time_s")) == 0.1);
    json_t *crossing = json_array_get(json_object_get(root, "crossings"), 0);
    json_t *position = json_object_get(crossing, "position_m");
    assert_true(fabs(json_number_value(json_array_get(position, 0)) - 1) < 1e-9);
    json_decref(root);
    assert_int_equal(run("predict made.h5 --plane y=300m"), 1);
    assert_non_null(strstr(output, "is not crossed"));
    assert_int_equal(run("predict made.h5 --at -1"), 2);
    assert_int_equal(run("predict made.h5 --plane z=1"), 2);
    assert_int_equal(run("predict made.h5"), 2);
}

static void test_cli_standard_output_full_gives_three(void **state)
{
    (void)state;
    if (!exists("/dev/full"))
        skip();
    fflush(NULL);
    int ended;
    pid_t child = fork();
    if (child == 0) {
        char *arguments[] = {"arcfit", "models", NULL};
        if (freopen("/dev/full", "w", stdout) == NULL ||
            freopen("messages.txt", "w", stderr) == NULL)
            _exit(99);
        exit(arc_cli_main(2, arguments));
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(WEXITSTATUS(ended), 3);
}

static void test_cli_interrupted_gives_130_and_prints_nothing(void **state)
{
    (void)state;
    /* Seconds of work, so that the interrupt comes in time. */
    char text[sizeof experiment_text + 256], *arguments[MOST_ARGUMENTS + 2] = {"arcfit", "compare"};
    snprintf(text, sizeof text, "%sfit: {methods: [pinn], pinn: {collocation: 2000}}\n",
             experiment_text);
    write_file("long.yaml", text);
    for (int i = 2; i < MOST_ARGUMENTS; i++)
        arguments[i] = "long.yaml";
    fflush(NULL);
    int ended;
    pid_t child = fork();
    if (child == 0) {
        if (freopen("output.txt", "w", stdout) == NULL ||
            freopen("messages.txt", "w", stderr) == NULL)
            _exit(99);
        exit(arc_cli_main(MOST_ARGUMENTS, arguments));
    }
    usleep(300000);
    kill(child, SIGINT);
    assert_int_equal(waitpid(child, &ended, 0), child);
    unlink("long.yaml");
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 130);
    read_file("output.txt", output);
    read_file("messages.txt", messages);
    assert_string_equal(output, "");
    assert_one_line(messages);
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    write_file("made.yaml", experiment_text);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const files[] = {"made.yaml",      "made.csv",       "made.h5",
                                        "output.txt",     "messages.txt",   "several-0.yaml",
                                        "several-1.yaml", "several-2.yaml", "several-3.yaml"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        unlink(files[i]);
    return chdir("/") != 0 || rmdir(folder) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cli_bad_usage_gives_two_and_one_line),
        cmocka_unit_test(test_cli_help_lists_what_works),
        cmocka_unit_test(test_cli_simulate_is_deterministic_by_seed),
        cmocka_unit_test(test_cli_simulate_replicas_same_bytes_for_any_number_and_threads),
        cmocka_unit_test(test_cli_simulate_replicas_refuse_what_cannot_be),
        cmocka_unit_test(test_cli_check_tells_without_writing),
        cmocka_unit_test(test_cli_fit_writes_result_and_says_where),
        cmocka_unit_test(test_cli_fit_unidentified_gives_one_and_warns),
        cmocka_unit_test(test_cli_fit_several_same_bytes_for_any_threads),
        cmocka_unit_test(test_cli_fit_several_one_bad_runs_none),
        cmocka_unit_test(test_cli_fit_unwritable_gives_three_and_keeps_old),
        cmocka_unit_test(test_cli_compare_reads_results_and_runs_experiments),
        cmocka_unit_test(test_cli_predict_gives_states_crossings_and_scores),
        cmocka_unit_test(test_cli_standard_output_full_gives_three),
        cmocka_unit_test(test_cli_interrupted_gives_130_and_prints_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
