/* posix_spawn, since a fork of a process with threads (OpenMP, OpenBLAS) may do next to nothing in
 * its child. A process has a group of its own, so that a compiler's helpers end with it. */
#include "model/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>

static double process_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int process_actions(posix_spawn_file_actions_t *actions, const char *messages)
{
    int failed = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (failed == 0)
        failed = posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
    if (failed == 0)
        failed = posix_spawn_file_actions_addopen(actions, 2, messages,
                                                  O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return failed;
}

/* Signals as a new program has them, whatever is ignored or blocked here. */
static int process_attributes(posix_spawnattr_t *attributes)
{
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    int failed = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (failed == 0)
        failed = posix_spawnattr_setpgroup(attributes, 0);
    if (failed == 0)
        failed = posix_spawnattr_setsigdefault(attributes, &all);
    return failed != 0 ? failed : posix_spawnattr_setsigmask(attributes, &none);
}

int arc_process_start(const char *const *words, const char *messages,
                      const char *const *environment, double time_s, ArcProcess *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed == 0) {
        failed = process_actions(&actions, messages);
        if (failed == 0)
            failed = process_attributes(&attributes);
        if (failed == 0)
            failed = posix_spawnp(&process->id, words[0], &actions, &attributes,
                                  (char *const *)words, (char *const *)environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    process->deadline_s = process_now() + time_s;
    return failed;
}

ArcProcessEnd arc_process_wait(ArcProcess *process)
{
    const struct timespec nap = {0, 500000};
    ArcProcessEnd end = {0};
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(process->id, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (!end.timed_out && process_now() > process->deadline_s) {
            end.timed_out = true;
            kill(-process->id, SIGKILL);
        }
        nanosleep(&nap, NULL);
    }
    /* Who ignores the ends of children learns no status: what was made decides. */
    end.exit_status = ended < 0 || WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    end.signal = ended > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return end;
}
