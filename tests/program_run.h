/* The program itself, run as a process in a folder of its own: what it printed, how it ended, how
 * much processor time it took, and whether the folder is as it was. ARCFIT_PROGRAM names the
 * program (tests/meson.build sets it). */
#ifndef ARC_TESTS_PROGRAM_RUN_H
#define ARC_TESTS_PROGRAM_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"

enum {
    RUN_MOST_WORDS = 60,
    RUN_MOST_LINE = 4096,
    RUN_MOST_TEXT = 1 << 20,
    RUN_MOST_SECONDS = 120, /* then the process is ended, and the test fails */
    RUN_MOST_LISTING = 1 << 16
};

/* What a run is given besides its words; all zero: nothing. */
typedef struct RunSettings {
    rlim_t most_file_bytes;         /* RLIMIT_FSIZE, 0: none */
    const char *output;             /* a file that standard output goes to, NULL: kept in text */
    const char *const *environment; /* NAME=VALUE..., NULL at the end */
    int interrupt_ms;               /* SIGINT after so long, 0: never */
    const char *input;              /* a file that is standard input; NULL: the test's own */
} RunSettings;

typedef struct Run {
    int code; /* exit code, or 1000 and the number of the signal that ended it */
    double cpu_s;
    char output[RUN_MOST_TEXT], messages[RUN_MOST_TEXT];
} Run;

/* Processor time that a run may take at most. The sanitizers make it 2.5 times as long, and where
 * processors are shared, the same work is charged with more. */
static inline double run_most_cpu_s(double alone_s)
{
#ifdef __SANITIZE_ADDRESS__
    return 4.0 * alone_s;
#else
    return alone_s;
#endif
}

static inline const char *run_program(void)
{
    const char *program = getenv("ARCFIT_PROGRAM");
    if (program == NULL || access(program, X_OK) != 0)
        fail_msg("ARCFIT_PROGRAM must name the program");
    return program;
}

/* Makes a folder from a template that ends in XXXXXX and goes there; the program is found before,
 * as its path may be relative. */
static inline void run_enter_folder(char *folder)
{
    char whole[PATH_MAX];
    if (realpath(run_program(), whole) == NULL || setenv("ARCFIT_PROGRAM", whole, 1) != 0 ||
        mkdtemp(folder) == NULL || chdir(folder) != 0)
        fail_msg("no folder %s", folder);
}

static inline int run_remove_entry(const char *path, const struct stat *info, int kind,
                                   struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

/* Removes the folder and all in it. */
static inline int run_remove_folder(const char *folder)
{
    return nftw(folder, run_remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static inline void run_write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

static inline void run_write_file(const char *path, const char *text)
{
    run_write_bytes(path, text, strlen(text));
}

/* All of the file, a '\0' behind it; the caller frees. */
static inline char *run_read_file(const char *path, size_t *size)
{
    struct stat info;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL || fstat(fileno(stream), &info) != 0)
        fail_msg("no file %s", path);
    char *bytes = malloc((size_t)info.st_size + 1);
    assert_non_null(bytes);
    *size = fread(bytes, 1, (size_t)info.st_size, stream);
    assert_int_equal(*size, info.st_size);
    bytes[*size] = '\0';
    fclose(stream);
    return bytes;
}

static inline void run_assert_same_files(const char *a, const char *b)
{
    size_t n, m;
    char *first = run_read_file(a, &n), *second = run_read_file(b, &m);
    if (n != m || memcmp(first, second, n) != 0)
        fail_msg("%s and %s differ", a, b);
    free(first);
    free(second);
}

static inline int run_compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Names in the folder with size, time of change and inode, sorted: equal listings mean that nothing
 * was written. */
static inline void run_list_folder(const char *folder, char listing[RUN_MOST_LISTING])
{
    enum { MOST_ENTRIES = 400, MOST_NAME = 160 };
    static char lines[MOST_ENTRIES][MOST_NAME];
    int n = 0;
    size_t used = 0;
    DIR *stream = opendir(folder);
    assert_non_null(stream);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL; n++) {
        struct stat info;
        assert_true(n < MOST_ENTRIES);
        assert_int_equal(fstatat(dirfd(stream), entry->d_name, &info, AT_SYMLINK_NOFOLLOW), 0);
        if (strcmp(entry->d_name, "..") == 0) {
            n--;
            continue;
        }
        snprintf(lines[n], MOST_NAME, "%.60s %lld %lld.%09ld %llu\n", entry->d_name,
                 (long long)info.st_size, (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
                 (unsigned long long)info.st_ino);
    }
    closedir(stream);
    qsort(lines, (size_t)n, MOST_NAME, run_compare_names);
    listing[0] = '\0';
    for (int i = 0; i < n && used < RUN_MOST_LISTING; i++)
        used += (size_t)snprintf(listing + used, RUN_MOST_LISTING - used, "%s", lines[i]);
    assert_true(used < RUN_MOST_LISTING);
}

#ifdef __SANITIZE_ADDRESS__
/* In the child: goes on as the program does. The sanitizers' beginning takes longer than most runs,
 * and the child has it behind it. */
static inline void run_forked(char **words)
{
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS};
    int n = 0;
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        signal(deadly[i], SIG_DFL); /* not cmocka's, which would go on with the suite */
    while (words[n] != NULL)
        n++;
    exit(arc_cli_main(n, words));
}
#endif

/* In the child: becomes the program. What is told by the environment is read where a program
 * begins. */
static inline void run_become(const RunSettings *settings, char **words, int output, int messages)
{
    struct rlimit limit = {settings->most_file_bytes, settings->most_file_bytes};
    if (settings->output != NULL)
        output = open(settings->output, O_WRONLY);
    if (settings->input != NULL && dup2(open(settings->input, O_RDONLY), STDIN_FILENO) < 0)
        _exit(99);
    for (int i = 0; settings->environment != NULL && settings->environment[i] != NULL; i++) {
        char name[256];
        snprintf(name, sizeof name, "%s", settings->environment[i]);
        char *equals = strchr(name, '=');
        if (equals == NULL)
            _exit(99);
        *equals = '\0';
        setenv(name, equals + 1, 1);
    }
    if (dup2(output, STDOUT_FILENO) < 0 || dup2(messages, STDERR_FILENO) < 0 ||
        (settings->most_file_bytes > 0 && setrlimit(RLIMIT_FSIZE, &limit) != 0))
        _exit(99);
    signal(SIGINT, SIG_DFL);
    alarm(RUN_MOST_SECONDS);
#ifdef __SANITIZE_ADDRESS__
    if (settings->environment == NULL)
        run_forked(words);
#endif
    execv(run_program(), words);
    _exit(98);
}

static inline void run_take_text(int descriptor, char text[RUN_MOST_TEXT])
{
    ssize_t n = pread(descriptor, text, RUN_MOST_TEXT - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    close(descriptor);
}

/* Runs the program with the words of line, single blanks between them; '' is an empty word. */
static inline void run_line(Run *run, const RunSettings *settings, const char *line)
{
    static const RunSettings nothing;
    char copy[RUN_MOST_LINE], *words[RUN_MOST_WORDS + 2] = {"arcfit"};
    int n = 1, ended = 0;
    struct rusage usage;
    assert_true(strlen(line) < sizeof copy);
    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        assert_true(n <= RUN_MOST_WORDS);
        words[n++] = strcmp(word, "''") == 0 ? word + 2 : word;
    }
    int output = memfd_create("output", 0), messages = memfd_create("messages", 0);
    assert_true(output >= 0 && messages >= 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        run_become(settings == NULL ? &nothing : settings, words, output, messages);
    if (settings != NULL && settings->interrupt_ms > 0) {
        usleep((useconds_t)settings->interrupt_ms * 1000);
        kill(child, SIGINT);
    }
    assert_int_equal(wait4(child, &ended, 0, &usage), child);
    run->code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 1000 + WTERMSIG(ended);
    run->cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    run_take_text(output, run->output);
    run_take_text(messages, run->messages);
}

static inline void run_assert_says(const char *text, const char *what)
{
    if (strstr(text, what) == NULL)
        fail_msg("'%s' is not in\n%s", what, text);
}

/* True for exactly one line, ended. */
static inline bool run_is_one_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end != NULL && end != text && end[1] == '\0';
}

#endif
