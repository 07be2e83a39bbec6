/* Training runs killed (SIGKILL) at random moments and gone on with from their checkpoint, again
 * and again: each ends with the bytes of a run left alone, and at no moment is a file half-written.
 * 20 kills; 200 with ARCFIT_SLOW=1. */
#include "program_run.h"
#include "slow.h"

#include <math.h>
#include <zlib.h>

static char folder[] = "/tmp/arcfit-test-kill-XXXXXX";
static Run run;

static const struct {
    const char *name, *fit;
} chains[] = {
    {"adam-lm", "train: [{optimizer: adam, steps: 60}, {optimizer: lm, steps: 20}]"},
    {"all", "collocation: {kind: random, every: 7}, weighting: self-adaptive, weighting_every: 5, "
            "train: [{optimizer: adam, steps: 25}, {optimizer: lbfgs, steps: 20}, {optimizer: lm, "
            "steps: 10, geodesic: true}, {optimizer: linear}]"},
    {"starts", "train: [{optimizer: adam, steps: 20}, {optimizer: linear}]"},
};
enum { N_CHAINS = sizeof chains / sizeof chains[0] };

/* Whole checkpoints begin with their line and end in their checksum. */
static bool is_whole(const char *path)
{
    size_t size;
    uint64_t sum;
    char *bytes = run_read_file(path, &size);
    bool whole = size > 100 && strncmp(bytes, "arcfit checkpoint 1\n", 20) == 0;
    if (whole) {
        memcpy(&sum, bytes + size - sizeof sum, sizeof sum);
        whole = sum == crc32_z(0, (const unsigned char *)bytes, size - sizeof sum);
    }
    free(bytes);
    return whole;
}

/* After a kill: the checkpoint, and what a kill between naming and renaming leaves, are whole. */
static void assert_nothing_half_written(void)
{
    DIR *stream = opendir(".");
    assert_non_null(stream);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        if (strncmp(entry->d_name, "run.ck", 6) != 0)
            continue;
        if (!is_whole(entry->d_name))
            fail_msg("%s is half-written", entry->d_name);
        if (strcmp(entry->d_name, "run.ck") != 0)
            unlink(entry->d_name);
    }
    closedir(stream);
}

/* Runs the program; true where it was killed after kill_us, false where it ended before, well. */
static bool is_killed(char **words, useconds_t kill_us)
{
    static const RunSettings nothing;
    int ended, messages = open("messages.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(messages >= 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        run_become(&nothing, words, messages, messages);
    close(messages);
    usleep(kill_us);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &ended, 0), child);
    if (WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL)
        return true;
    size_t size;
    char *text = run_read_file("messages.txt", &size);
    /* A chain of few steps need not converge. */
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) > 1)
        fail_msg("ended with %d: %s", ended, text);
    free(text);
    return false;
}

/* One run to its end with as many kills as come in time; returns their number. The window in which
 * the moment of a kill is drawn follows the machine: wider after a kill, else narrower. */
static int kill_one_run(const char *experiment, const char *alone, double *window_us)
{
    char *words[] = {"arcfit",
                     "fit",
                     (char *)(uintptr_t)experiment,
                     "-o",
                     "run.h5",
                     "--threads",
                     "2",
                     "--checkpoint",
                     "run.ck",
                     "--every",
                     "0s",
                     "--resume",
                     "run.ck",
                     NULL};
    enum { RESUME = 11 };
    int kills = 0;
    unlink("run.ck");
    unlink("run.h5");
    for (;;) {
        useconds_t wait = (useconds_t)(*window_us * (double)rand() / RAND_MAX);
        words[RESUME] = access("run.ck", F_OK) == 0 ? "--resume" : NULL;
        if (!is_killed(words, wait)) {
            run_assert_same_files("run.h5", alone);
            *window_us = fmax(*window_us * 0.7, 5e3);
            return kills;
        }
        assert_nothing_half_written();
        if (access("run.h5", F_OK) == 0)
            run_assert_same_files("run.h5", alone);
        kills++;
        *window_us = fmin(*window_us * 1.2, 1e7);
    }
}

static void test_fit_killed_and_resumed_gives_the_same_bytes(void **state)
{
    (void)state;
    int wanted = slow_is_wanted() ? 200 : 20, kills = 0, runs = 0;
    double window_us = 1e5;
    srand(1);
    for (int i = 0; i < N_CHAINS; i++) {
        char line[256];
        snprintf(line, sizeof line, "fit -q %s.yaml -o %s.h5", chains[i].name, chains[i].name);
        run_line(&run, NULL, line);
        if (run.code > 1)
            fail_msg("%s", run.messages);
    }
    while (kills < wanted) {
        int i = runs++ % N_CHAINS;
        char experiment[64], alone[64];
        snprintf(experiment, sizeof experiment, "%s.yaml", chains[i].name);
        snprintf(alone, sizeof alone, "%s.h5", chains[i].name);
        kills += kill_one_run(experiment, alone, &window_us);
    }
    print_message("%d kills over %d runs\n", kills, runs);
}

static int make_folder(void **state)
{
    (void)state;
    run_enter_folder(folder);
    run_write_file("net.yaml", "net: 1\nhidden: [16]\n");
    for (int i = 0; i < N_CHAINS; i++) {
        char path[64], text[1024];
        snprintf(path, sizeof path, "%s.yaml", chains[i].name);
        snprintf(text, sizeof text,
                 "arcfit: 1\ncapture: {file: throw.csv, sigma: 3 mm}\nflight: {drag: lumped}\n"
                 "parameters: {k: {start: 0.05}, x0: {start: 0}, y0: {start: 2}, vx0: {start: 6}, "
                 "vy0: {start: 5}}\nfit: {starts: %d, pinn: {net: net.yaml, %s}}\n",
                 strcmp(chains[i].name, "starts") == 0 ? 3 : 1, chains[i].fit);
        run_write_file(path, text);
    }
    run_line(&run, NULL, "simulate all.yaml -q --points 12 --duration 1 -o throw.csv");
    if (run.code != 0)
        print_error("%s", run.messages);
    return run.code;
}

static int remove_folder(void **state)
{
    (void)state;
    return chdir("/") != 0 || run_remove_folder(folder) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_killed_and_resumed_gives_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
