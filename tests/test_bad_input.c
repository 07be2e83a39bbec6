/* Broken experiments and captures through the program itself: each is refused with exit 2 and one
 * line with its place, nothing is printed and nothing is written. */
#include "program_run.h"
#include "slow.h"

#include "bad_inputs.h"

#include <regex.h>
#include <zlib.h>

static char folder[] = "/tmp/arcfit-test-bad-input-XXXXXX";
static Run run;
static int n_wrong; /* of a whole test, so that it tells all that is wrong */

/* Replaces the first `from` of text by `to`. */
static void change_text(const char *text, const char *from, const char *to, char changed[4096])
{
    const char *found = strstr(text, from);
    if (found == NULL) {
        fail_msg("'%s' is not in the good text", from);
        return;
    }
    snprintf(changed, 4096, "%.*s%s%s", (int)(found - text), text, to, found + strlen(from));
}

static bool has_place(const char *message)
{
    regex_t pattern;
    assert_int_equal(regcomp(&pattern, "^[^:]+:[0-9]+:[0-9]+: error: ", REG_EXTENDED | REG_NOSUB),
                     0);
    bool found = regexec(&pattern, message, 0, NULL, 0) == 0;
    regfree(&pattern);
    return found;
}

/* The command is refused as bad input must be; place and words ("": any) stand in the message. */
static void assert_refused(const char *line, const char *place, const char *words)
{
    static char before[RUN_MOST_LISTING], after[RUN_MOST_LISTING];
    char marked[64];
    run_list_folder(".", before);
    run_line(&run, NULL, line);
    run_list_folder(".", after);
    bool is_partial = place[0] == '\0' || place[strlen(place) - 1] == ':';
    snprintf(marked, sizeof marked, ":%s%s", place, is_partial ? "" : ": error: ");
    bool is_right = run.code == 2 && run.output[0] == '\0' && run_is_one_line(run.messages) &&
                    has_place(run.messages) && strstr(run.messages, marked) != NULL &&
                    strstr(run.messages, words) != NULL;
    if (!is_right)
        print_error("'%s' gives %d, wanted '%s' and '%s': %.900s%.900s\n", line, run.code, marked,
                    words, run.messages, run.output);
    if (strcmp(before, after) != 0)
        print_error("'%s' writes:\n%s\nbefore:\n%s\n", line, after, before);
    bool is_slow = run.cpu_s > run_most_cpu_s(2.0);
    if (is_slow)
        print_error("'%s' takes %g s\n", line, run.cpu_s);
    if (!is_right || strcmp(before, after) != 0 || is_slow)
        n_wrong++;
}

static int begin(void **state)
{
    (void)state;
    n_wrong = 0;
    return 0;
}

static void assert_refused_by(const char *commands, const char *file, const char *place,
                              const char *words)
{
    char list[64], line[256];
    /* The sanitizers make a run several times as long: there an input meets one of them. */
    int most = FEWER(4, 1);
    snprintf(list, sizeof list, "%s", commands);
    for (char *rest = list, *command; most > 0 && (command = strsep(&rest, " ")) != NULL; most--) {
        snprintf(line, sizeof line, "%s %s", command, file);
        assert_refused(line, place, words);
    }
}

static void test_run_good_input_is_accepted(void **state)
{
    (void)state;
    static const char *const lines[] = {"check made.yaml", "simulate made.yaml", "fit made.yaml",
                                        "compare made.yaml"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        run_line(&run, NULL, lines[i]);
        if (run.code != 0 || run.messages[0] != '\0')
            fail_msg("'%s' gives %d: %s", lines[i], run.code, run.messages);
    }
    assert_int_equal(unlink("made.h5"), 0);
}

static void assert_changes_refused(size_t n, const BadInput *rows, const char *others)
{
    char text[4096], commands[32], list[64];
    snprintf(list, sizeof list, "%s", others);
    char *next = list;
    for (size_t i = 0; i < n; i++) {
        change_text(good_experiment, rows[i].from, rows[i].to, text);
        run_write_file("bad.yaml", text);
        /* Each of the other commands has its turn. */
        if (next == NULL) {
            snprintf(list, sizeof list, "%s", others);
            next = list;
        }
        snprintf(commands, sizeof commands, "fit %s", strsep(&next, " "));
        assert_refused_by(commands, "bad.yaml", rows[i].place, rows[i].words);
    }
}

static void test_run_broken_experiment_is_refused(void **state)
{
    (void)state;
    assert_changes_refused(sizeof bad_experiments / sizeof bad_experiments[0], bad_experiments,
                           "check compare simulate");
    assert_int_equal(n_wrong, 0);
}

static void test_run_broken_companion_is_refused(void **state)
{
    (void)state;
    assert_changes_refused(sizeof bad_companions / sizeof bad_companions[0], bad_companions,
                           "check compare");
    assert_int_equal(n_wrong, 0);
}

static void test_run_broken_capture_is_refused(void **state)
{
    (void)state;
    char text[4096];
    change_text(good_experiment, "made.csv", "bad.csv", text);
    run_write_file("bad.yaml", text);
    for (size_t i = 0; i < sizeof bad_captures / sizeof bad_captures[0]; i++) {
        const BadInput *row = &bad_captures[i];
        change_text(good_capture, row->from, row->to, text);
        run_write_file("bad.csv", text);
        assert_refused_by(i % 2 == 0 ? "fit check" : "fit compare", "bad.yaml", row->place,
                          row->words);
    }
    unlink("bad.csv");
    assert_int_equal(n_wrong, 0);
}

/* Text in UTF-16 with its mark, low byte first. */
static void write_utf16(const char *path, const char *text)
{
    char bytes[4096] = "\xff\xfe";
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++)
        bytes[2 + 2 * i] = text[i];
    run_write_bytes(path, bytes, 2 + 2 * n);
}

/* head, unit n times, tail. */
static void write_repeated(const char *path, const char *head, const char *unit, int n,
                           const char *tail)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs(head, stream);
    for (int i = 0; i < n; i++)
        fputs(unit, stream);
    fputs(tail, stream);
    assert_int_equal(fclose(stream), 0);
}

static void write_keys(const char *path, int n)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs(good_experiment, stream);
    for (int i = 0; i < n; i++)
        fprintf(stream, "key%d: %d\n", i, i);
    assert_int_equal(fclose(stream), 0);
}

static void test_run_strange_experiment_file_is_refused(void **state)
{
    (void)state;
    static const char all[] = "fit check simulate compare";
    assert_refused_by(all, "nowhere.yaml", "1:1", "nowhere.yaml");
    assert_refused_by(all, ".", "1:1", "folder");
    assert_refused_by(all, "made.csv/x.yaml", "1:1", "made.csv/x.yaml");
    assert_refused_by(all, "made.csv", "", "");
    assert_refused_by(all, "/dev/null", "1:1", "empty");
    assert_refused_by(all, "/dev/zero", "1:1", "too large");
    assert_refused_by(all, "pipe", "1:1", "empty");
    assert_refused_by(all, "two\nlines.yaml", "1:1", "two?lines.yaml");
    assert_refused_by("fit check simulate", "binary.bin", "3:74", "zero byte");
    write_utf16("bad.yaml", good_experiment);
    assert_refused_by(all, "bad.yaml", "1:1", "UTF-16");
    run_write_bytes("bad.yaml", good_experiment, sizeof good_experiment); /* with its '\0' */
    assert_refused_by(all, "bad.yaml", "22:1", "zero byte");
    write_repeated("bad.yaml", "", "[", 200, "");
    assert_refused_by(all, "bad.yaml", "1:65", "nested deeper");
    write_repeated("bad.yaml", "", "[", 1000000, "");
    assert_refused_by(all, "bad.yaml", "1:65", "nested deeper");
    write_repeated("bad.yaml", "", "{a: ", 200000, "");
    assert_refused_by(all, "bad.yaml", "1:257", "nested deeper");
    write_repeated("bad.yaml", "a: &a [x,x,x,x,x,x,x,x,x]\n",
                   "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n", 9, "");
    assert_refused_by(all, "bad.yaml", "1:4", "anchor");
    write_keys("bad.yaml", 20000);
    assert_refused_by(all, "bad.yaml", "", "more than 1000 keys");
    write_repeated("bad.yaml", good_experiment, "# a long line ", 100000, "\n");
    assert_refused_by(all, "bad.yaml", "1:1", "too large");
    write_repeated("bad.yaml", "arcfit: 1\nname: ", "x", 1000000, "\nsgima: 1\n");
    assert_refused_by(all, "bad.yaml", "3:1", "sgima");
    write_repeated("bad.yaml", "arcfit: 1\nfit: {seed: ", "9", 1000000, "}\n");
    assert_refused_by(all, "bad.yaml", "2:13", "9999");
    write_repeated("bad.yaml", "arcfit: 1\n", "x", 1000, ": 1\n");
    assert_refused_by(all, "bad.yaml", "2:1", "unknown key");
    write_repeated("bad.yaml", "arcfit: 1\ncapture: {file: ", "x", 5000, "}\n");
    assert_refused_by("fit check compare", "bad.yaml", "2:17", "xxx");
    write_repeated("bad.yaml", "arcfit: 1\nfit: {methods: [", "pinn, ", 100000, "]}\n");
    assert_refused_by(all, "bad.yaml", "2:23", "twice");
    assert_int_equal(n_wrong, 0);
}

static void write_gzip(const char *path, const char *text, int times)
{
    gzFile stream = gzopen(path, "wb9");
    assert_non_null(stream);
    for (int i = 0; i < times; i++)
        assert_true(gzwrite(stream, text, (unsigned)strlen(text)) > 0);
    assert_int_equal(gzclose(stream), Z_OK);
}

/* The first size bytes of the file at path (size 0: all), the byte at place spoilt. */
static void damage(const char *path, size_t size, size_t place)
{
    size_t n;
    char *bytes = run_read_file(path, &n);
    bytes[place] ^= 0x55;
    run_write_bytes(path, bytes, size == 0 ? n : size);
    free(bytes);
}

static void test_run_strange_capture_file_is_refused(void **state)
{
    (void)state;
    static const char all[] = "fit check compare";
    char text[4096];
    change_text(good_experiment, "made.csv", "bad.csv", text);
    run_write_file("bad.yaml", text);
    static unsigned char noise[4096];
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (unsigned char)(i * 7919 >> 3);
    run_write_bytes("bad.csv", noise, sizeof noise);
    assert_refused_by(all, "bad.yaml", "1:1", "binary");
    run_write_bytes("bad.csv", "\xff\xfet\0,", 5);
    assert_refused_by(all, "bad.yaml", "1:2", "UTF-16");
    run_write_bytes("bad.csv", good_capture, sizeof good_capture);
    assert_refused_by(all, "bad.yaml", "9:1", "binary");
    write_repeated("bad.csv", "time_s,x_m,y_m\n0,", "1", 10000000, ",2\n1,2,3\n");
    assert_refused_by(all, "bad.yaml", "2:1", "line too long");
    write_repeated("bad.csv", "time_s,x_m,y_m\n0,", "1", 900000, ",2\n1,2,3\n");
    assert_refused_by(all, "bad.yaml", "2:3", "1111");
    write_repeated("bad.csv", "", "time_s,", 100000, "x_m,y_m\n1,2,3\n");
    assert_refused_by(all, "bad.yaml", "", "");
    write_repeated("bad.csv", "", "\n", 20000000, "");
    assert_refused_by(all, "bad.yaml", "", "too many lines");
    write_gzip("bad.csv", good_capture, 1);
    damage("bad.csv", 60, 59);
    assert_refused_by(all, "bad.yaml", "1:1", "gzip");
    write_gzip("bad.csv", good_capture, 1);
    damage("bad.csv", 0, 30);
    assert_refused_by(all, "bad.yaml", "1:1", "gzip");
    run_write_bytes("bad.csv", "\x1f\x8b", 2);
    assert_refused_by(all, "bad.yaml", "1:1", "gzip");
    write_gzip("bad.csv", "", 0);
    assert_refused_by(all, "bad.yaml", "1:1", "empty");
    memset(text, '0', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    write_gzip("bad.csv", text, 80 << 10);
    assert_refused_by(all, "bad.yaml", "1:1", "too large");
    unlink("bad.csv");
    assert_int_equal(mkdir("bad.csv", 0777), 0);
    assert_refused_by(all, "bad.yaml", "4:9", "folder");
    rmdir("bad.csv");
    assert_int_equal(symlink("bad.csv", "bad.csv"), 0);
    assert_refused_by(all, "bad.yaml", "4:9", "bad.csv");
    unlink("bad.csv");
    assert_int_equal(n_wrong, 0);
}

static void test_run_broken_override_is_refused(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"--set fit.seed=x", "--set:1:10"},
                                          {"--set fit.sed=1", "--set:1:"},
                                          {"--set capture.sigma=3kg", "--set:1:"},
                                          {"--set =", "--set:1:"},
                                          {"--set fit", "--set:1:"},
                                          {"--set fit.seed=[", "--set:1:"},
                                          {"--set fit..seed=1", "--set:1:"},
                                          {"--set fit.seed.more=1", "--set:1:"},
                                          {"--set fit.methods.7=pinn", "--set:1:"},
                                          {"--set name=*a", "--set:1:6"},
                                          {"--seed 99999999999999999999", "--set:"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "fit made.yaml %s", rows[i][0]);
        assert_refused(line, "", rows[i][1]);
    }
    assert_int_equal(n_wrong, 0);
}

static void test_run_one_path_for_two_results_is_bad_usage(void **state)
{
    (void)state;
    static const char *const lines[] = {"fit made.yaml -o out --json out",
                                        "fit made.yaml --json made.h5",
                                        "fit made.yaml ./made.yaml",
                                        "fit made.yaml -o out ''",
                                        "fit made.yaml -o ''",
                                        "simulate made.yaml -o ''",
                                        "simulate made.yaml --replicas 2 -o ''"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        run_line(&run, NULL, lines[i]);
        if (run.code != 2 || !run_is_one_line(run.messages) || run.output[0] != '\0')
            fail_msg("'%s' gives %d: %s", lines[i], run.code, run.messages);
    }
    assert_int_not_equal(access("made.h5", F_OK), 0);
    assert_int_not_equal(access("out", F_OK), 0);
}

static void test_run_several_with_a_broken_one_runs_none(void **state)
{
    (void)state;
    run_write_file("other.yaml", good_experiment);
    run_write_file("bad.yaml", "arcfit: 1\nsgima: 2\n");
    assert_refused("fit made.yaml bad.yaml other.yaml", "2:1", "sgima");
    assert_refused("fit made.yaml bad.yaml other.yaml -o results --json all.json", "2:1", "sgima");
    assert_refused("compare made.yaml bad.yaml --threads 2 --json all.json", "2:1", "sgima");
    run_line(&run, NULL, "fit bad.yaml made.yaml bad.yaml");
    assert_int_equal(run.code, 2); /* every broken one has a line */
    assert_string_equal(run.output, "");
    assert_int_not_equal(access("made.h5", F_OK), 0);
    assert_int_equal(n_wrong, 0);
}

static int make_folder(void **state)
{
    (void)state;
    static unsigned char noise[2000];
    run_enter_folder(folder);
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (unsigned char)(200 + i * 31);
    run_write_bytes("binary.bin", noise, sizeof noise);
    run_write_file("bad-net.yaml", "net: 1\nhidden: [8, 9999]\n");
    run_write_file("made.yaml", good_experiment);
    run_write_file("made.csv", good_capture);
    return mkfifo("pipe", 0666); /* that nobody ever writes */
}

static int remove_folder(void **state)
{
    (void)state;
    return chdir("/") != 0 || run_remove_folder(folder) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_run_good_input_is_accepted, begin),
        cmocka_unit_test_setup(test_run_broken_experiment_is_refused, begin),
        cmocka_unit_test_setup(test_run_broken_companion_is_refused, begin),
        cmocka_unit_test_setup(test_run_broken_capture_is_refused, begin),
        cmocka_unit_test_setup(test_run_strange_experiment_file_is_refused, begin),
        cmocka_unit_test_setup(test_run_strange_capture_file_is_refused, begin),
        cmocka_unit_test_setup(test_run_broken_override_is_refused, begin),
        cmocka_unit_test_setup(test_run_one_path_for_two_results_is_bad_usage, begin),
        cmocka_unit_test_setup(test_run_several_with_a_broken_one_runs_none, begin),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
