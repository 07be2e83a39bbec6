/* arcfit report: pages, figures and CSV of results, what it reads and never writes to. */
#include "terminal_run.h"

#include <errno.h>

static Run run;
static char folder[] = "/tmp/arcfit-report-XXXXXX";

/* The page's library is another suite's business: any text does. */
static const char *const with_library[] = {"ARCFIT_PLOTLY=library.js", NULL};
static const RunSettings settings = {.environment = with_library};

static const char experiment_text[] =
    "arcfit: 1\nname: \"`touch pwned` <script>\"\n"
    "capture: {file: throw.csv, sigma: 3 mm}\n"
    "flight: {ball: basketball, drag: none, lift: none, buoyancy: false}\n"
    "parameters: {x0: {start: 0}, y0: {start: 2}, vx0: {start: 4}, vy0: {start: 5}}\n"
    "fit: {methods: [direct]}\n";

static void make_inputs(void)
{
    run_write_file("library.js", "/* Plotly */\n");
    run_write_file("throw.yaml", experiment_text);
    run_line(&run, NULL, "simulate throw.yaml --points 12 --duration 1s --sigma 3mm -o throw.csv");
    if (run.code != 0)
        fail_msg("%s", run.messages);
    run_line(&run, NULL, "fit throw.yaml -q");
    if (run.code != 0)
        fail_msg("%s", run.messages);
    run_line(&run, NULL, "fit throw.yaml -q -o other.h5");
    assert_int_equal(run.code, 0);
}

static void assert_runs(const char *line)
{
    run_line(&run, &settings, line);
    if (run.code != 0)
        fail_msg("%s: %d\n%s", line, run.code, run.messages);
}

static void assert_refused(const char *line, int code, const char *words)
{
    char before[RUN_MOST_LISTING], behind[RUN_MOST_LISTING];
    run_list_folder(".", before);
    run_line(&run, &settings, line);
    run_list_folder(".", behind);
    if (run.code != code)
        fail_msg("%s: %d\n%s", line, run.code, run.messages);
    run_assert_says(run.messages, words);
    assert_string_equal(before, behind);
}

static void test_cli_report_page_has_the_stem_of_its_result(void **state)
{
    (void)state;
    assert_runs("report throw.h5");
    assert_string_equal(run.output, "page            throw.html\n");
    assert_int_equal(access("throw.html", F_OK), 0);
    assert_runs("report throw.h5 other.h5 --units imperial");
    assert_string_equal(run.output, "page            report.html\n");
    assert_runs("report throw.h5 -q -o other.html");
    assert_string_equal(run.output, "");
    assert_int_equal(access("other.html", F_OK), 0);
}

static void test_cli_report_csv_alone_has_no_page(void **state)
{
    (void)state;
    assert_int_equal(unlink("throw.html"), 0);
    assert_runs("report throw.h5 --csv numbers");
    run_assert_says(run.output, " in numbers\n");
    assert_int_equal(access("numbers/flight-side.csv", F_OK), 0);
    assert_int_equal(access("throw.html", F_OK), -1);
    assert_runs("report throw.h5 --csv numbers -o throw.html");
    assert_int_equal(access("throw.html", F_OK), 0);
}

static void test_cli_report_several_have_a_folder_each(void **state)
{
    (void)state;
    assert_runs("report throw.h5 other.h5 ./throw.h5 --csv several");
    assert_int_equal(access("several/throw/flight-side.csv", F_OK), 0);
    assert_int_equal(access("several/other/flight-side.csv", F_OK), 0);
    assert_int_equal(access("several/throw-2/flight-side.csv", F_OK), 0);
}

static void test_cli_report_figures_are_drawn(void **state)
{
    (void)state;
    if (system("gnuplot --version >/dev/null 2>&1") != 0)
        skip();
    assert_runs("report throw.h5 --figures drawn --format png");
    assert_int_equal(access("drawn/flight-side.png", F_OK), 0);
    assert_int_equal(access("drawn/flight-side.gp", F_OK), 0);
    assert_int_equal(access("drawn/flight-side.dat", F_OK), 0);
    assert_int_equal(access("drawn/pwned", F_OK), -1);
    assert_int_equal(access("pwned", F_OK), -1);
}

static void test_cli_report_bad_operands_are_named_and_nothing_is_written(void **state)
{
    (void)state;
    assert_refused("report throw.yaml", 2,
                   "throw.yaml:1:1: error: this is an experiment, not a result");
    assert_refused("report throw.h5 nowhere.h5 throw.csv -o new.html --csv new", 2,
                   "nowhere.h5:1:1: error: ");
    run_assert_says(run.messages, "throw.csv");
    assert_refused("report throw.h5 --format png", 2, "--format is that of --figures");
    assert_refused("report throw.h5 --csv ''", 2, "--csv wants a folder");
    assert_refused("report throw.h5 --csv throw.csv", 3, "it is no folder");
    assert_refused("report throw.h5 --csv no/where", 3, "cannot make the folder");
    assert_refused("report throw.h5 -o no/where/page.html", 3, "cannot write");
}

static void test_cli_report_what_is_read_is_not_written(void **state)
{
    (void)state;
    size_t size;
    assert_refused("report throw.h5 -o throw.h5", 2, "is read by this run");
    char *bytes = run_read_file("throw.h5", &size);
    run_write_bytes("same.html", bytes, size);
    assert_refused("report same.html", 2, "is read by this run");
    assert_int_equal(mkdir("own", 0777), 0);
    run_write_bytes("own/flight-side.csv", bytes, size);
    free(bytes);
    assert_refused("report own/flight-side.csv --csv own", 2, "is read by this run");
    run_assert_same_files("own/flight-side.csv", "throw.h5");
}

/* A result, an experiment or points cannot be made again from a page. */
static void test_cli_report_nothing_but_a_page_is_written_over(void **state)
{
    (void)state;
    assert_refused("report throw.h5 -o other.h5", 2, "is there already and is no page");
    assert_refused("report throw.h5 -o throw.yaml", 2, "is there already and is no page");
    assert_refused("report throw.h5 -o throw.csv", 2, "is there already and is no page");
    assert_refused("report throw.h5 -o library.js", 2, "is there already and is no page");
    assert_runs("report throw.h5 -o twice.html");
    assert_runs("report throw.h5 -o twice.html");
    run_write_file("empty.html", "");
    assert_runs("report throw.h5 -o empty.html");
}

static void test_cli_report_minus_is_standard_output(void **state)
{
    (void)state;
    static const RunSettings kept = {.environment = with_library, .output = "printed.html"};
    static const RunSettings full = {.environment = with_library, .output = "/dev/full"};
    run_write_file("printed.html", "");
    assert_runs("report throw.h5 -o saved.html");
    run_line(&run, &kept, "report throw.h5 -o -");
    assert_int_equal(run.code, 0);
    run_assert_same_files("printed.html", "saved.html");
    run_line(&run, &kept, "report throw.h5 -o - --csv beside");
    assert_int_equal(run.code, 0);
    run_assert_same_files("printed.html", "saved.html");
    assert_int_equal(access("beside/flight-side.csv", F_OK), 0);
    assert_int_equal(access("-", F_OK), -1);
    run_line(&run, &full, "report throw.h5 -o -");
    assert_int_equal(run.code, 3);
    run_assert_says(run.messages, "cannot write to standard output");
}

static void test_cli_report_of_a_fit_that_failed_is_written_and_gives_one(void **state)
{
    (void)state;
    run_line(&run, NULL,
             "fit throw.yaml -q -o open.h5 --set flight.lift=lumped "
             "--set parameters.s=free --set parameters.spin=free");
    assert_int_equal(run.code, 1);
    run_line(&run, &settings, "report open.h5 throw.h5 -o open.html");
    assert_int_equal(run.code, 1);
    run_assert_says(run.messages, "open.h5:1:1: warning: a fit did not converge, or a free");
    assert_int_equal(access("open.html", F_OK), 0);
}

/* A gnuplot of ours, that does what script says. */
static void run_with_gnuplot(const char *script)
{
    char place[256], path[512];
    if (mkdir("programs", 0777) != 0)
        assert_int_equal(errno, EEXIST);
    run_write_file("programs/gnuplot", script);
    assert_int_equal(chmod("programs/gnuplot", 0777), 0);
    assert_non_null(getcwd(place, sizeof place));
    snprintf(path, sizeof path, "PATH=%s/programs:/usr/bin:/bin", place);
    const char *const environment[] = {path, NULL};
    const RunSettings ours = {.environment = environment};
    run_line(&run, &ours, "report throw.h5 --figures broken");
}

static void test_cli_report_gnuplot_that_is_ended_is_told(void **state)
{
    (void)state;
    run_with_gnuplot("#!/bin/sh\nkill -9 $$\n");
    assert_int_equal(run.code, 3);
    run_assert_says(run.messages, "error: gnuplot was ended in 'broken': Killed\n");
    run_with_gnuplot("#!/bin/sh\nkill -INT $PPID $$\n");
    assert_int_equal(run.code, 130);
    run_assert_says(run.messages, "error: interrupted; not all figures were drawn\n");
    run_with_gnuplot("#!/bin/sh\necho 'line 3: boom' >&2\nexit 1\n");
    assert_int_equal(run.code, 3);
    run_assert_says(run.messages, "error: gnuplot failed in 'broken': line 3: boom\n");
    assert_int_equal(mkdir("taken", 0777), 0);
    assert_int_equal(mkdir("taken/flight-side.svg", 0777), 0);
    run_line(&run, &settings, "report throw.h5 --figures taken");
    assert_int_equal(run.code, 3);
    run_assert_says(run.messages, "cannot write 'taken/flight-side.svg'");
}

static void test_cli_report_full_disk_is_told(void **state)
{
    (void)state;
    const RunSettings full = {.environment = with_library, .most_file_bytes = 64};
    run_line(&run, &full, "report throw.h5 --csv full");
    assert_int_equal(run.code, 3);
    run_assert_says(run.messages, "cannot write 'full/");
    run_line(&run, &full, "report throw.h5 -o full.html");
    assert_int_equal(run.code, 3);
    assert_int_equal(access("full.html", F_OK), -1);
}

/* A pipe is no terminal: no output has colours, and pictures are there where they are asked for. */
static void test_cli_report_pictures_at_the_prompt_are_plain(void **state)
{
    (void)state;
    static const char *const terminal[] = {"TERM=xterm-256color", NULL};
    const RunSettings piped = {.environment = terminal};
    run_line(&run, &piped, "fit throw.yaml -v -o again.h5");
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "\n\nThe flight from the side: height (m)\n");
    assert_null(strchr(run.output, '\033'));
    run_line(&run, &piped, "fit throw.yaml -o again.h5");
    assert_null(strstr(run.output, "The flight from the side"));
    run_line(&run, &piped, "compare again.h5");
    assert_int_equal(run.code, 0);
    assert_null(strchr(run.output, '\033'));
}

/* On a terminal there are colours, in the picture and at the verdict, unless they are not wanted.
 */
static void test_cli_report_terminal_has_colours_where_they_are_wanted(void **state)
{
    (void)state;
    static char text[RUN_MOST_TEXT];
    char *words[] = {"arcfit", "compare", "both.h5", NULL};
    assert_runs("fit throw.yaml -q --set fit.methods=[pinn,direct] -o both.h5");
    assert_int_equal(run_on_terminal("COLOUR=any", words, 0, text), 0);
    run_assert_says(text, "\033[32magree\033[0m");
    const char *picture = strstr(text, "PINN minus direct");
    assert_non_null(picture);
    run_assert_says(picture, "\033[3");
    assert_int_equal(run_on_terminal("NO_COLOR=1", words, 0, text), 0);
    assert_null(strstr(text, "\033[3"));
    assert_int_equal(run_on_terminal("TERM=dumb", words, 0, text), 0);
    assert_null(strstr(text, "\033[3"));
}

/* Own equations are read with their result. */
static void test_cli_report_plugin_of_a_result_is_not_written(void **state)
{
    (void)state;
    run_write_file("decay.c",
                   "#include <arcfit/model.h>\n"
                   "static const ArcModelQuantity states[] = {{\"x\", \"m\", \"a\", 1, 0, 2}};\n"
                   "static const ArcModelQuantity parameters[] = {{\"k\", \"1/s\", \"b\", 1, 0, "
                   "9}};\n"
                   "static void rates(real t, const real *x, const real *v, const real *p, real "
                   "*f)\n{\n    f[0] = -p[0] * x[0];\n}\n"
                   "ARC_MODEL(\"decay\", \"d\", 1, states, parameters, rates, NULL)\n");
    run_write_file("decay.yaml", "arcfit: 1\nname: decay\nmodel: {plugin: decay.c}\n"
                                 "capture: {file: decay.csv, sigma: 0.01}\n"
                                 "parameters: {k: {start: 0.5}}\nfit: {methods: [direct]}\n"
                                 "simulate: {points: 6, duration: 1}\n");
    assert_runs("simulate decay.yaml -q -o decay.csv");
    run_line(&run, &settings, "fit decay.yaml -q -o decay.h5");
    assert_true(run.code <= 1);
    assert_refused("report decay.h5 -o decay.c", 2, "is read by this run");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cli_report_page_has_the_stem_of_its_result),
        cmocka_unit_test(test_cli_report_csv_alone_has_no_page),
        cmocka_unit_test(test_cli_report_several_have_a_folder_each),
        cmocka_unit_test(test_cli_report_figures_are_drawn),
        cmocka_unit_test(test_cli_report_bad_operands_are_named_and_nothing_is_written),
        cmocka_unit_test(test_cli_report_what_is_read_is_not_written),
        cmocka_unit_test(test_cli_report_nothing_but_a_page_is_written_over),
        cmocka_unit_test(test_cli_report_minus_is_standard_output),
        cmocka_unit_test(test_cli_report_of_a_fit_that_failed_is_written_and_gives_one),
        cmocka_unit_test(test_cli_report_gnuplot_that_is_ended_is_told),
        cmocka_unit_test(test_cli_report_full_disk_is_told),
        cmocka_unit_test(test_cli_report_pictures_at_the_prompt_are_plain),
        cmocka_unit_test(test_cli_report_terminal_has_colours_where_they_are_wanted),
        cmocka_unit_test(test_cli_report_plugin_of_a_result_is_not_written),
    };
    run_enter_folder(folder);
    make_inputs();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_remove_folder(folder);
    return failed;
}
