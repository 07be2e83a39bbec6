/* Measures for scripts/bench that take processes of their own, made by fork.
 *
 *   bench_processes threads EXPERIMENT
 * takes all starts of the experiment by two threads, and half of them in each of two one-thread
 * processes at once, in turns. `ratio_threads` is the processes' time over the threads', the
 * quickest of each; `ratio_threads_cpu` the same in processor time, which others disturb less.
 *
 *   bench_processes memory EXPERIMENT
 * fits the experiment at 1000 points of its flight. `lm_peak_mb_1000x64x4` is the most memory that
 * the process held.
 *
 * The parent never starts a thread, so that its children may.
 */
#include "arcfit/fit.h"
#include "arcfit/simulate.h"

#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_ROUNDS = 15, N_POINTS = 1000 };

/* The work of a child: a fit by the PINN. Returns its exit code. */
static int fit_in_child(const ArcProblem *problem, int threads)
{
    ArcError err;
    ArcFit *fit = NULL;
    ArcFitOptions options = {.threads = threads};
    ArcStatus status = arc_fit_run(problem, ARC_PINN, &options, &fit, &err);
    if (status != ARC_OK)
        fprintf(stderr, "%s\n", err.text);
    arc_fit_free(fit);
    return arc_status_exit_code(status);
}

typedef struct Cost {
    double wall_us, cpu_us; /* from the first fork to the last end; of all children */
    double peak_mb;         /* of the last child */
} Cost;

static double cpu_us(const struct rusage *usage)
{
    return 1e6 * (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

/* So many children at once, the same fit each. */
static ArcStatus run_children(const ArcProblem *problem, int n, int threads, Cost *cost,
                              ArcError *err)
{
    bool all_well = true;
    *cost = (Cost){0};
    fflush(stdout);
    double start = measure_now_us();
    for (int i = 0; i < n; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(fit_in_child(problem, threads));
        all_well = all_well && child > 0;
    }
    int state;
    struct rusage usage;
    while (wait4(-1, &state, 0, &usage) > 0) {
        all_well = all_well && WIFEXITED(state) && WEXITSTATUS(state) == 0;
        cost->cpu_us += cpu_us(&usage);
        cost->peak_mb = (double)usage.ru_maxrss * 1024e-6;
    }
    cost->wall_us = measure_now_us() - start;
    return all_well ? ARC_OK : arc_error_set(err, ARC_SYSTEM, "bench: a child failed");
}

static void keep_least(Cost *least, const Cost *cost)
{
    least->wall_us = fmin(least->wall_us, cost->wall_us);
    least->cpu_us = fmin(least->cpu_us, cost->cpu_us);
}

static ArcStatus measure_threads(ArcExperiment *experiment, ArcError *err)
{
    ArcCapture *capture = NULL;
    ArcProblem *whole = NULL, *half = NULL;
    ArcStatus status = arc_capture_read(&experiment->capture, &capture, err);
    if (status == ARC_OK)
        status = arc_problem_create(experiment, capture, &whole, err);
    experiment->starts /= 2;
    if (status == ARC_OK)
        status = arc_problem_create(experiment, capture, &half, err);
    Cost threads = {INFINITY, INFINITY, 0.0}, processes = threads, cost;
    for (int i = 0; i < N_ROUNDS && status == ARC_OK; i++) {
        status = run_children(whole, 1, 2, &cost, err);
        keep_least(&threads, &cost);
        if (status == ARC_OK)
            status = run_children(half, 2, 1, &cost, err);
        keep_least(&processes, &cost);
    }
    if (status == ARC_OK) {
        printf("starts_by_threads_us %.0f us\n", threads.wall_us);
        printf("starts_by_processes_us %.0f us\n", processes.wall_us);
        printf("ratio_threads %.3f 1\n", processes.wall_us / threads.wall_us);
        printf("ratio_threads_cpu %.3f 1\n", processes.cpu_us / threads.cpu_us);
    }
    arc_problem_free(half);
    arc_problem_free(whole);
    arc_capture_free(capture);
    return status;
}

static ArcStatus measure_memory(const ArcExperiment *experiment, ArcError *err)
{
    double t_s[N_POINTS];
    ArcCapture *capture = NULL;
    ArcProblem *problem = NULL;
    Cost cost;
    for (int i = 0; i < N_POINTS; i++)
        t_s[i] = (double)i / (N_POINTS - 1);
    ArcStatus status =
        arc_simulate_capture(experiment, N_POINTS, t_s, experiment->simulate, &capture, err);
    if (status == ARC_OK)
        status = arc_problem_create(experiment, capture, &problem, err);
    if (status == ARC_OK)
        status = run_children(problem, 1, 1, &cost, err);
    if (status == ARC_OK)
        printf("lm_peak_mb_1000x64x4 %.0f MB\n", cost.peak_mb);
    arc_problem_free(problem);
    arc_capture_free(capture);
    return status;
}

int main(int argc, char **argv)
{
    bool threads = argc == 3 && strcmp(argv[1], "threads") == 0;
    bool memory = argc == 3 && strcmp(argv[1], "memory") == 0;
    if (!threads && !memory) {
        fputs("usage: bench_processes threads|memory EXPERIMENT\n", stderr);
        return 2;
    }
    ArcError err;
    ArcExperiment *experiment = NULL;
    ArcStatus status = arc_experiment_read(argv[2], 0, NULL, &experiment, &err);
    if (status == ARC_OK)
        status = threads ? measure_threads(experiment, &err) : measure_memory(experiment, &err);
    if (status != ARC_OK)
        fprintf(stderr, "%s\n", err.text);
    arc_experiment_free(experiment);
    return arc_status_exit_code(status);
}
