/* arcfit import: what it prints where, how it ends, and that it says what it took. */
#include "program_run.h"

static char folder[] = "/tmp/arcfit-test-import-XXXXXX";
static Run run;

static const char tracker[] = "#multi:\n\tball\t\thand\t\t\nt\tx\ty\tx\ty\t\n"
                              "0,033\t0,150\t2,320\t150\t250\n0,067\t0,297\t2,496\t175\t275\n";

static void assert_run(const char *line, int code)
{
    run_line(&run, NULL, line);
    if (run.code != code)
        fail_msg("'%s' gives %d: %s", line, run.code, run.messages);
}

static void assert_says(const char *words)
{
    if (strstr(run.messages, words) == NULL)
        fail_msg("'%s' does not say '%s'", run.messages, words);
}

static void test_import_prints_the_canonical_capture_and_says_what_it_took(void **state)
{
    (void)state;
    assert_run("import throw.txt --set capture.track=ball --set capture.rate=30", 0);
    assert_string_equal(run.output, "# arcfit import, from format tracker\ntime_s,x_m,y_m\n"
                                    "0.03333333333333333,0.15,2.32\n"
                                    "0.06666666666666667,0.297,2.496\n");
    assert_says("throw.txt: format tracker, track 'ball', 2 rows, positions in the plane\n");
    assert_says(
        "throw.txt: note: times, which the file rounds to 0.001 s, are those of whole frames");
    assert_says("throw.txt: note: positions are taken as metres, since the file names no unit\n");
    assert_run("import throw.txt --set capture.track=hand --set capture.units.position=cm -q", 0);
    assert_non_null(strstr(run.output, "\n0.067,1.75,2.75\n"));
    assert_string_equal(run.messages, "");
}

static void test_import_writes_a_file_that_imports_to_itself(void **state)
{
    (void)state;
    assert_run("import throw.txt --set capture.track=ball -o canonical.csv.gz", 0);
    assert_string_equal(run.output, "");
    assert_run("import throw.txt --set capture.track=ball", 0);
    char *first = strdup(strchr(run.output, '\n'));
    assert_non_null(first);
    assert_run("import canonical.csv.gz", 0);
    assert_string_equal(strchr(run.output, '\n'), first);
    assert_says("canonical.csv.gz: format csv, 2 rows, positions in the plane\n");
    assert_null(strstr(run.messages, "taken"));
    free(first);
    assert_int_equal(unlink("canonical.csv.gz"), 0);
}

static void test_import_refuses_what_it_must_ask_and_writes_nothing(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"import throw.txt --set capture.track=ball --set capture.offsets=none.csv",
         "offsets belong to the formats dltdv and dltdv-sparse, and 'throw.txt' is tracker"},
        {"import throw.txt -o out.csv",
         "throw.txt:1:1: error: 2 tracks in 'throw.txt': ball, hand; choose one with "
         "`capture.track`, as in --set capture.track='ball'\n"},
        {"import throw.txt --set capture.track=foot -o out.csv",
         "throw.txt:1:1: error: no track 'foot' in 'throw.txt'; its tracks are: ball, hand\n"},
        {"import motive.csv -o out.csv",
         "motive.csv:1:1: error: may be of format 'optitrack' or of 'csv'; say which with "
         "capture.format\n"},
        {"import comma.csv -o out.csv",
         "comma.csv:2:3: error: '1,2e-08' is not a number in a comma-separated file; decimal "
         "commas need another separator\n"},
        {"import nowhere.csv -o out.csv", "nowhere.csv"},
        {"import throw.txt --set capture.track=ball -o throw.txt",
         "error: 'throw.txt' is read by this run, so it is not written to; give another file\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_run(rows[i][0], 2);
        assert_says(rows[i][1]);
        assert_true(run_is_one_line(run.messages));
        assert_string_equal(run.output, "");
        assert_int_not_equal(access("out.csv", F_OK), 0);
    }
    assert_run("import motive.csv --set capture.format=csv", 0);
}

/* No command writes to a file that it reads: capture, calibration, experiment, result. */
static void test_outputs_never_replace_what_is_read(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "import throw.txt --set capture.track=ball -o throw.txt",
        "import throw.txt --set capture.track=ball --set capture.offsets=shifts.csv -o shifts.csv",
        "check seen.yaml --json seen.yaml",
        "check seen.yaml --json ./seen.csv",
        "fit seen.yaml -o seen.csv",
        "fit seen.yaml --json lens.yml",
        "simulate seen.yaml -o lens.yml",
        "compare lens.yml --json lens.yml",
    };
    run_write_file("shifts.csv", "cam1_offset\n0\n");
    run_write_file("lens.yml", "%YAML:1.0\ncamera_matrix: !!opencv-matrix\n   rows: 3\n   cols: 3\n"
                               "   data: [900., 0., 640., 0., 900., 360., 0., 0., 1.]\n");
    run_write_file("seen.csv", "time_s,u_px,v_px\n0,640,360\n0.1,660,340\n");
    run_write_file("seen.yaml",
                   "arcfit: 1\ncapture: {sigma: 1 px, cameras: {side: {calibration: "
                   "lens.yml, file: seen.csv, pose: {rotation: [90 deg, 0, 0], translation: "
                   "[0, 0, 9]}}}}\nflight: {dimensions: 3}\nparameters: {x0: {start: "
                   "0}, y0: {start: 0}, z0: {start: 0}, vx0: {start: 1}, vy0: {start: "
                   "0}, vz0: {start: 2}}\nsimulate: {points: 5, duration: 0.3 s}\n");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_run(lines[i], 2);
        assert_says("is read by this run, so it is not written to; give another file");
    }
    assert_int_equal(unlink("shifts.csv") + unlink("lens.yml") + unlink("seen.csv"), 0);
    assert_int_equal(unlink("seen.yaml"), 0);
}

static void test_import_frames_without_rate_warn_and_end_well(void **state)
{
    (void)state;
    assert_run("import net.csv", 0);
    assert_string_equal(run.output, "# arcfit import, from format tracknet\nframe,u_px,v_px\n"
                                    "0,303,494\n2,310,486\n");
    assert_says("net.csv: format tracknet, 2 rows, pixels\n");
    assert_says("net.csv: warning: frame numbers but no times");
}

/* Numbers are read and written alike where the user's language has decimal commas. */
static void test_import_does_not_depend_on_the_locale(void **state)
{
    (void)state;
    static const char *const german[] = {"LC_ALL=de_DE.UTF-8", NULL};
    RunSettings settings = {.environment = german};
    const char *line = "import throw.txt --set capture.track=ball --set capture.rate=25";
    assert_run(line, 2);
    line = "import throw.txt --set capture.track=ball --set capture.units.t=1.5";
    run_line(&run, NULL, line);
    char *plain = strdup(run.output), *messages = strdup(run.messages);
    assert_non_null(plain);
    assert_non_null(messages);
    int code = run.code;
    run_line(&run, &settings, line);
    assert_int_equal(run.code, code);
    assert_string_equal(run.output, plain);
    assert_string_equal(run.messages, messages);
    free(plain);
    free(messages);
}

static void test_import_formats_lists_every_one(void **state)
{
    (void)state;
    static const char *const names[] = {"csv ",         "tracker ",   "kinovea-csv ",
                                        "kinovea-txt ", "tracknet ",  "sleap ",
                                        "deeplabcut ",  "optitrack ", "vicon "};
    assert_run("import --formats", 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_non_null(strstr(run.output, names[i]));
    assert_string_equal(run.messages, "");
}

static int make_folder(void **state)
{
    (void)state;
    run_enter_folder(folder);
    run_write_file("throw.txt", tracker);
    run_write_file("motive.csv", "Frame,Time (Seconds),X,Y,Z\n0,0,1,2,3\n1,0.1,2,3,4\n");
    run_write_file("comma.csv", "t,x,y\n0,1,2e-08,3\n");
    run_write_file("net.csv", "Frame,Visibility,X,Y\n0,1,303,494\n1,0,0,0\n2,1,310,486\n");
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
        cmocka_unit_test(test_import_prints_the_canonical_capture_and_says_what_it_took),
        cmocka_unit_test(test_import_writes_a_file_that_imports_to_itself),
        cmocka_unit_test(test_import_refuses_what_it_must_ask_and_writes_nothing),
        cmocka_unit_test(test_outputs_never_replace_what_is_read),
        cmocka_unit_test(test_import_frames_without_rate_warn_and_end_well),
        cmocka_unit_test(test_import_does_not_depend_on_the_locale),
        cmocka_unit_test(test_import_formats_lists_every_one),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
