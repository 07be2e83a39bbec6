/* Whole files: what cannot be read is refused with a place, what cannot be written leaves the old
 * file as it was. */
#include "base/file.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/arcfit-file-XXXXXX");
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static const char *in_folder(char path[128], const char *name)
{
    snprintf(path, 128, "%s/%s", folder, name);
    return path;
}

static void assert_holds(const char *path, const char *text)
{
    ArcArena *arena = arc_arena_create();
    char *bytes;
    size_t size;
    assert_int_equal(arc_file_read(path, (ArcPlace){0}, 1000, arena, &bytes, &size, NULL), ARC_OK);
    assert_int_equal(size, strlen(text));
    assert_string_equal(bytes, text);
    arc_arena_free(arena);
}

static int entries_in_folder(void)
{
    DIR *directory = opendir(folder);
    int n = 0;
    while (readdir(directory) != NULL)
        n++;
    closedir(directory);
    return n - 2;
}

static void assert_refused(const char *path, ArcPlace from, size_t max_bytes, const char *expected)
{
    ArcArena *arena = arc_arena_create();
    char *bytes = NULL;
    size_t size = 77;
    ArcError err = {0};
    assert_int_equal(arc_file_read(path, from, max_bytes, arena, &bytes, &size, &err), ARC_INPUT);
    if (strstr(err.text, expected) == NULL)
        fail_msg("'%s' is not in '%s'", expected, err.text);
    assert_null(bytes);
    assert_int_equal(size, 77);
    arc_arena_free(arena);
}

static void test_file_read_missing_and_folder_are_refused_where_named(void **state)
{
    (void)state;
    char path[128];
    ArcPlace from = {"free.yaml", 4, 9};
    assert_refused(in_folder(path, "none.csv"), from, 100, "free.yaml:4:9: error: cannot open '");
    assert_refused(in_folder(path, "none.csv"), (ArcPlace){0}, 100, "none.csv:1:1: error: cannot");
    assert_refused(folder, from, 100, "is a folder, not a file");
}

static void test_file_read_too_large_is_refused(void **state)
{
    (void)state;
    char path[128];
    in_folder(path, "large");
    assert_int_equal(arc_file_replace(path, "12345678901", 11, NULL), ARC_OK);
    assert_refused(path, (ArcPlace){0}, 10, "too large: 11 bytes, at most 10");
    assert_refused("/dev/zero", (ArcPlace){0}, 10, "too large");
    assert_holds(path, "12345678901");
}

/* A pipe is opened without waiting, but then read until its writer closes it. */
static void test_file_read_pipe_waits_for_its_writer(void **state)
{
    (void)state;
    char path[128];
    in_folder(path, "pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        FILE *pipe = fopen(path, "w");
        usleep(50000);
        fputs("late", pipe);
        _exit(fclose(pipe) == 0 ? 0 : 1);
    }
    usleep(20000);
    int holder = -1;
    ArcArena *arena = arc_arena_create();
    char *bytes = NULL;
    size_t size = 0;
    /* Until the writer has opened its end the pipe reads as empty. */
    for (int i = 0; i < 200 && size == 0; i++) {
        assert_int_equal(arc_file_read(path, (ArcPlace){0}, 100, arena, &bytes, &size, NULL),
                         ARC_OK);
        usleep(size == 0 ? 1000 : 0);
    }
    assert_string_equal(bytes, "late");
    assert_int_equal(waitpid(writer, &holder, 0), writer);
    assert_int_equal(holder, 0);
    arc_arena_free(arena);
}

static void test_file_replace_makes_the_folder_and_leaves_no_rest(void **state)
{
    (void)state;
    char path[128];
    in_folder(path, "new/result.json");
    assert_int_equal(arc_file_replace(path, "one", 3, NULL), ARC_OK);
    assert_holds(path, "one");
    assert_int_equal(arc_file_replace(path, "two!", 4, NULL), ARC_OK);
    assert_holds(path, "two!");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(in_folder(path, "new")), 0); /* nothing else is left in it */
}

static void test_file_replace_impossible_paths_are_refused(void **state)
{
    (void)state;
    char path[128];
    ArcError err;
    in_folder(path, "file");
    assert_int_equal(arc_file_replace(path, "old", 3, NULL), ARC_OK);
    int before = entries_in_folder();
    in_folder(path, "file/result.h5");
    assert_int_equal(arc_file_replace(path, "new", 3, &err), ARC_SYSTEM);
    assert_non_null(strstr(err.text, "cannot write"));
    in_folder(path, "a/b/c/result.h5");
    assert_int_equal(arc_file_replace(path, "new", 3, &err), ARC_SYSTEM);
    assert_non_null(strstr(err.text, "cannot make the folder"));
    assert_int_equal(arc_file_replace(folder, "new", 3, &err), ARC_SYSTEM);
    assert_non_null(strstr(err.text, "it is a folder"));
    assert_int_equal(entries_in_folder(), before);
    assert_holds(in_folder(path, "file"), "old");
}

/* A device must survive being written to, whoever runs the program. */
static void test_file_replace_device_is_written_into(void **state)
{
    (void)state;
    struct stat info;
    ArcError err;
    assert_int_equal(arc_file_replace("/dev/null", "x", 1, &err), ARC_OK);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    if (stat("/dev/full", &info) == 0) {
        assert_int_equal(arc_file_replace("/dev/full", "x", 1, &err), ARC_SYSTEM);
        assert_non_null(strstr(err.text, "No space left"));
    }
}

static void test_file_replace_size_limit_leaves_the_old_file(void **state)
{
    (void)state;
    char path[128];
    in_folder(path, "limited");
    assert_int_equal(arc_file_replace(path, "old", 3, NULL), ARC_OK);
    int before = entries_in_folder();
    static char large[100000];
    memset(large, 'x', sizeof large);
    struct rlimit old_limit, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
    limit = old_limit;
    limit.rlim_cur = 4096;
    void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ArcError err;
    ArcStatus status = arc_file_replace(path, large, sizeof large, &err);
    setrlimit(RLIMIT_FSIZE, &old_limit);
    signal(SIGXFSZ, old_handler);
    assert_int_equal(status, ARC_SYSTEM);
    assert_non_null(strstr(err.text, "what stood there is unchanged"));
    assert_holds(path, "old");
    assert_int_equal(entries_in_folder(), before);
}

static void test_file_paths_are_cut_and_joined(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    assert_string_equal(arc_file_join(arena, "a/b", "c.csv"), "a/b/c.csv");
    assert_string_equal(arc_file_join(arena, "a/", "c.csv"), "a/c.csv");
    assert_string_equal(arc_file_join(arena, "", "c.csv"), "c.csv");
    assert_string_equal(arc_file_join(arena, "a", "/c.csv"), "/c.csv");
    assert_string_equal(arc_file_folder(arena, "a/b/c.yaml"), "a/b");
    assert_string_equal(arc_file_folder(arena, "/c.yaml"), "/");
    assert_string_equal(arc_file_folder(arena, "c.yaml"), "");
    assert_string_equal(arc_file_name("a/b/c.yaml"), "c.yaml");
    assert_string_equal(arc_file_name("c.yaml"), "c.yaml");
    arc_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_read_missing_and_folder_are_refused_where_named),
        cmocka_unit_test(test_file_read_too_large_is_refused),
        cmocka_unit_test(test_file_read_pipe_waits_for_its_writer),
        cmocka_unit_test(test_file_replace_makes_the_folder_and_leaves_no_rest),
        cmocka_unit_test(test_file_replace_impossible_paths_are_refused),
        cmocka_unit_test(test_file_replace_device_is_written_into),
        cmocka_unit_test(test_file_replace_size_limit_leaves_the_old_file),
        cmocka_unit_test(test_file_paths_are_cut_and_joined),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
