/* Disks that are full, limits on files, files where folders should be: exit 3, one line with the
 * path and the reason, what stood there unchanged to the byte, and no other file left. */
#include "program_run.h"

#include "bad_inputs.h"

#include <sched.h>
#include <sys/mount.h>

static char folder[] = "/tmp/arcfit-test-full-disk-XXXXXX";
static Run run;
static bool has_disk;

/* The command fails with 3 and these words, writing nothing, and leaves folder `where` as it is. */
static void assert_unwritten(const RunSettings *settings, const char *line, const char *where,
                             const char *path, const char *reason)
{
    static char before[RUN_MOST_LISTING], after[RUN_MOST_LISTING];
    run_list_folder(where, before);
    run_line(&run, settings, line);
    run_list_folder(where, after);
    if (run.code != 3 || !run_is_one_line(run.messages) || strstr(run.messages, path) == NULL ||
        strstr(run.messages, reason) == NULL || strncmp(run.messages, "error: ", 7) != 0)
        fail_msg("'%s' gives %d, wanted '%s' and '%s': %.900s", line, run.code, path, reason,
                 run.messages);
    /* The folder's own time changes with every file that is made in it and taken away again. */
    char *first = strchr(before, '\n'), *second = strchr(after, '\n');
    if (strcmp(first, second) != 0)
        fail_msg("'%s' leaves:%s\nbefore:%s", line, second, first);
}

/* Fills the file system that path is on to the last byte. */
static void fill_disk(const char *path)
{
    static const char zeros[4096];
    int filler = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(filler >= 0);
    for (size_t size = sizeof zeros; size > 0; size /= 2) {
        while (write(filler, zeros, size) > 0)
            ;
    }
    close(filler);
}

static void copy_file(const char *from, const char *to)
{
    size_t size;
    char *bytes = run_read_file(from, &size);
    run_write_bytes(to, bytes, size);
    free(bytes);
}

/* [line, path] of commands that write to the folder "disk". */
static const char *const writers[][2] = {
    {"fit made.yaml -q --seed 9 -o disk/out.h5", "disk/out.h5"},
    {"fit made.yaml -q --seed 9 -o new.h5 --json disk/out.json", "disk/out.json"},
    {"check made.yaml -q --seed 9 --json disk/out.json", "disk/out.json"},
    {"compare made.h5 -q --json disk/out.json", "disk/out.json"},
    {"predict made.h5 -q --at 0.1 0.2 0.3 0.4 --json disk/out.json", "disk/out.json"},
    {"fit made.yaml -q --seed 9 -o new.h5 --set fit.methods=[direct] --set closure.inputs=[vy] "
     "--set closure.outputs=[x] --export-closure disk/closure.csv",
     "disk/closure.csv"},
    {"report made.h5 -q -o disk/out.html", "disk/out.html"},
    {"simulate made.yaml -q --points 200 -o disk/out.csv", "disk/out.csv"},
    {"simulate made.yaml -q --points 200 -o disk/out.csv.gz", "disk/out.csv.gz"},
};

enum { N_WRITERS = sizeof writers / sizeof writers[0] };

/* Earlier results in "disk", and what each writer makes of them when it cannot. */
static void assert_writers_keep_earlier(const RunSettings *settings, const char *reason)
{
    for (size_t i = 0; i < N_WRITERS; i++) {
        assert_unwritten(settings, writers[i][0], "disk", writers[i][1], reason);
        run_assert_same_files(writers[i][1], strrchr(writers[i][1], '/') + 1);
    }
    unlink("new.h5");
}

static void write_earlier(void)
{
    for (size_t i = 0; i < N_WRITERS; i++) {
        const char *name = strrchr(writers[i][1], '/') + 1;
        const char *earlier = strstr(name, ".html") != NULL ? "made.html" : "made.h5";
        copy_file(earlier, name);
        copy_file(earlier, writers[i][1]);
    }
}

static void test_run_full_disk_keeps_earlier(void **state)
{
    (void)state;
    if (!has_disk) {
        print_message("skipped: no right to mount a small disk\n");
        skip();
    }
    write_earlier();
    fill_disk("disk/filler");
    assert_writers_keep_earlier(NULL, "No space left on device");
    /* Some room, but too little. */
    struct stat info;
    assert_int_equal(stat("disk/filler", &info), 0);
    assert_int_equal(truncate("disk/filler", info.st_size - 8192), 0);
    assert_unwritten(NULL, writers[0][0], "disk", "disk/out.h5", "No space left on device");
    run_assert_same_files("disk/out.h5", "out.h5");
    unlink("disk/filler");
    run_line(&run, NULL, writers[0][0]);
    assert_int_equal(run.code, 0);
}

static void test_run_limit_of_file_size_keeps_earlier(void **state)
{
    (void)state;
    /* LLVM's OpenMP wants a file of 1024 bytes in shared memory when it starts. */
    const rlim_t limits[] = {1024, 1500};
    write_earlier();
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const RunSettings settings = {.most_file_bytes = limits[i]};
        /* A result that the limit forbids comes first. */
        for (size_t k = 0; k < N_WRITERS; k++) {
            const char *line = writers[k][0];
            if (strstr(line, "new.h5") != NULL)
                continue;
            assert_unwritten(&settings, line, "disk", writers[k][1], "File too large");
            run_assert_same_files(writers[k][1], strrchr(writers[k][1], '/') + 1);
        }
    }
    const RunSettings later = {.most_file_bytes = 20000};
    assert_unwritten(&later, writers[0][0], "disk", "disk/out.h5", "File too large");
    run_assert_same_files("disk/out.h5", "out.h5");
}

static void test_run_impossible_path_is_refused(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"fit made.yaml -o made.csv/x.h5", "made.csv/x.h5", "no folder"},
        {"fit made.yaml -o made.csv/sub/x.h5", "made.csv/sub/x.h5", "made.csv"},
        {"fit made.yaml -o taken", "taken", "it is a folder"},
        {"fit made.yaml -o no/such/x.h5", "no/such/x.h5", "no"},
        {"fit made.yaml -o /proc/arcfit/x.h5", "/proc/arcfit", ""},
        {"fit made.yaml -q -o loop/x.h5", "loop", ""},
        {"fit made.yaml --json made.csv/x.json", "made.csv/x.json", "no folder"},
        {"fit made.yaml --json taken", "taken", "it is a folder"},
        {"fit made.yaml --json no/such/x.json", "no/such/x.json", "no"},
        {"fit made.yaml other.yaml -o made.csv", "made.csv", "no folder"},
        {"check made.yaml -q --json made.csv/x.json", "made.csv/x.json", ""},
        {"check made.yaml -q --json taken", "taken", "it is a folder"},
        {"compare made.h5 -q --json made.csv/x.json", "made.csv/x.json", ""},
        {"compare made.h5 -q --json taken", "taken", "it is a folder"},
        {"predict made.h5 -q --at 1 --json made.csv/x.json", "made.csv/x.json", ""},
        {"predict made.h5 -q --at 1 --json taken", "taken", "it is a folder"},
        {"report made.h5 -q -o made.csv/x.html", "made.csv/x.html", ""},
        {"report made.h5 -q -o taken", "taken", "it is a folder"},
        {"report made.h5 -q --csv made.csv", "made.csv", "no folder"},
        {"report made.h5 -q --figures made.csv/x", "made.csv/x", ""},
        {"simulate made.yaml -o made.csv/x.csv", "made.csv/x.csv", "no folder"},
        {"simulate made.yaml -o taken", "taken", "it is a folder"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_unwritten(NULL, rows[i][0], ".", rows[i][1], rows[i][2]);
        assert_string_equal(run.output, "");
    }
    run_list_folder("taken", run.output);
    assert_int_equal(strcspn(run.output, "\n") + 1, strlen(run.output)); /* still empty */
    char line[512];
    memset(line, 'x', sizeof line);
    memcpy(line, "fit made.yaml -q -o ", 20);
    line[320] = '\0';
    assert_unwritten(NULL, line, ".", "xxxx", "File name too long");
    assert_unwritten(NULL, "fit made.yaml -q -o /dev/full", ".", "/dev/full", "No space left");
    assert_unwritten(NULL, "check made.yaml -q --json /dev/full", ".", "/dev/full",
                     "No space left");
}

static void test_run_full_output_gives_three(void **state)
{
    (void)state;
    static const char *const lines[] = {"fit made.yaml -o new.h5 --json -",
                                        "fit made.yaml -o new.h5",
                                        "fit made.yaml -v -o new.h5",
                                        "check made.yaml",
                                        "check made.yaml --json -",
                                        "compare made.h5",
                                        "compare made.h5 other.yaml --json -",
                                        "predict made.h5 --at 0.5",
                                        "predict made.h5 --at 0.5 --json -",
                                        "report made.h5 -o new.html",
                                        "simulate made.yaml",
                                        "simulate made.yaml --points 20000",
                                        "simulate made.yaml -o new.csv",
                                        "models",
                                        "help",
                                        "help settings",
                                        "help units",
                                        "fit --help",
                                        "--version"};
    const RunSettings settings = {.output = "/dev/full"};
    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: no /dev/full\n");
        skip();
    }
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        run_line(&run, &settings, lines[i]);
        if (run.code != 3 || !run_is_one_line(run.messages) ||
            strstr(run.messages, "standard output: No space left on device") == NULL)
            fail_msg("'%s' gives %d: %s", lines[i], run.code, run.messages);
    }
    unlink("new.h5");
    unlink("new.csv");
    unlink("new.html");
}

/* Several experiments of which one cannot be written: the others are. */
static void test_fit_several_one_unwritable_writes_others(void **state)
{
    (void)state;
    assert_int_equal(mkdir("several", 0777), 0);
    assert_int_equal(symlink("/dev/full", "several/made.h5"), 0);
    run_line(&run, NULL, "fit made.yaml other.yaml -q -o several");
    assert_int_equal(run.code, 3);
    assert_true(run_is_one_line(run.messages));
    assert_non_null(strstr(run.messages, "several/made.h5"));
    run_assert_same_files("several/other.h5", "other.h5");
    assert_int_equal(run_remove_folder("several"), 0);
}

static int make_folder(void **state)
{
    (void)state;
    run_enter_folder(folder);
    run_write_file("made.yaml", good_experiment);
    run_write_file("other.yaml", good_experiment);
    run_write_file("made.csv", good_capture);
    run_write_file("library.js", "/* Plotly */\n"); /* of pages: any text does */
    if (setenv("ARCFIT_PLOTLY", "library.js", 1) != 0)
        return 1;
    if (mkdir("disk", 0777) != 0 || mkdir("taken", 0777) != 0 || symlink("loop", "loop") != 0)
        return 1;
    /* In a mount namespace of our own, so that nothing stays mounted whatever happens. */
    has_disk = unshare(CLONE_NEWNS) == 0 &&
               mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
               mount("none", "disk", "tmpfs", 0, "size=1m") == 0;
    run_line(&run, NULL, "fit made.yaml -q -o made.h5");
    if (run.code == 0)
        run_line(&run, NULL, "report made.h5 -q");
    if (run.code == 0)
        run_line(&run, NULL, "fit other.yaml -q -o other.h5");
    return run.code;
}

static int remove_folder(void **state)
{
    (void)state;
    if (has_disk)
        umount("disk");
    return chdir("/") != 0 || run_remove_folder(folder) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_full_disk_keeps_earlier),
        cmocka_unit_test(test_run_limit_of_file_size_keeps_earlier),
        cmocka_unit_test(test_run_impossible_path_is_refused),
        cmocka_unit_test(test_run_full_output_gives_three),
        cmocka_unit_test(test_fit_several_one_unwritable_writes_others),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
