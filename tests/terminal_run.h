/* The program itself on a terminal of its own. */
#ifndef ARC_TESTS_TERMINAL_RUN_H
#define ARC_TESTS_TERMINAL_RUN_H

#include "program_run.h"

#include <pty.h>

/* What it writes there, and its exit code. variable (nullable) is NAME=VALUE on top of a terminal
 * with colours; interrupted after a while where after_ms is not 0. */
static inline int run_on_terminal(const char *variable, char **words, int after_ms,
                                  char text[RUN_MOST_TEXT])
{
    int terminal, ended;
    size_t n = 0;
    fflush(NULL);
    pid_t child = forkpty(&terminal, NULL, NULL, NULL);
    if (child < 0) {
        print_message("skipped: no pseudo-terminal here\n");
        skip();
    }
    if (child == 0) {
        setenv("TERM", "xterm-256color", 1);
        unsetenv("NO_COLOR");
        if (variable == NULL || putenv((char *)(uintptr_t)variable) == 0)
            execv(run_program(), words);
        _exit(98);
    }
    if (after_ms > 0) {
        usleep((useconds_t)after_ms * 1000);
        assert_int_equal(write(terminal, "\003", 1), 1);
    }
    for (ssize_t got; (got = read(terminal, text + n, RUN_MOST_TEXT - 1 - n)) > 0;)
        n += (size_t)got;
    text[n] = '\0';
    close(terminal);
    assert_int_equal(waitpid(child, &ended, 0), child);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : 1000 + WTERMSIG(ended);
}

#endif
