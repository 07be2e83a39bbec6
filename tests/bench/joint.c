/* Times fits of many flights that share a parameter, for scripts/bench: one core, one process,
 * warm.
 *
 *   bench_joint EXPERIMENT [FLIGHTS]
 *
 * Flights of 10 points over 0.9 s are drawn from the experiment's priors, which the fit does not
 * see. Prints the time of both methods from the joint problem to estimates and covariances, the
 * median of several; the quotient of processor times for twice as many flights, each round's own;
 * and the most memory that the process held by the end of the first part. FLIGHTS: 1000.
 */
#include "arcfit/joint.h"
#include "arcfit/simulate.h"

#include "measure.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { POINTS = 10, ROUNDS = 5 };

static const double span_s = 0.9;

/* n captures of one experiment's flights. */
static ArcStatus draw_captures(const ArcExperiment *experiment, int n, const ArcCapture **captures,
                               ArcError *err)
{
    double t_s[POINTS];
    ArcSimulateSettings settings = arc_simulate_settings_default();
    ArcStatus status = ARC_OK;
    for (int i = 0; i < POINTS; i++)
        t_s[i] = span_s * i / (POINTS - 1);
    settings.draw = true;
    for (int f = 0; f < n && status == ARC_OK; f++) {
        ArcCapture *capture = NULL;
        settings.replica = (uint64_t)f + 1;
        status = arc_simulate_capture(experiment, POINTS, t_s, settings, &capture, err);
        captures[f] = capture;
    }
    return status;
}

static double processor_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* wall_s of the fit, cpu_s of all with trajectories and derived numbers. */
static ArcStatus time_fit(const ArcJoint *joint, ArcMethod method, double *wall_s, double *cpu_s,
                          ArcError *err)
{
    ArcFit *fit = NULL;
    double begin_s = processor_s();
    ArcStatus status = arc_joint_fit(joint, method, NULL, &fit, err);
    *cpu_s = processor_s() - begin_s;
    if (status == ARC_OK) {
        *wall_s = fit->wall_s;
        if (!fit->converged)
            status = arc_error_set(err, ARC_NUMERIC, "bench: a joint fit did not converge");
    }
    arc_fit_free(fit);
    return status;
}

static double peak_mb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

static ArcStatus measure(const ArcExperiment *experiment, int n, const ArcCapture *const *captures,
                         ArcError *err)
{
    static const char *const names[] = {[ARC_PINN] = "pinn", [ARC_DIRECT] = "direct"};
    ArcJoint *once = NULL, *twice = NULL;
    ArcStatus status = arc_joint_create(experiment, n, captures, &once, err);
    double times_s[2][ROUNDS], ratios[2][ROUNDS], cpu_s, wall_s;
    for (int i = -1; i < ROUNDS && status == ARC_OK; i++)
        for (int method = 0; method < 2 && status == ARC_OK; method++)
            status =
                time_fit(once, (ArcMethod)method, &times_s[method][i < 0 ? 0 : i], &cpu_s, err);
    double peak = peak_mb();
    if (status == ARC_OK)
        status = arc_joint_create(experiment, 2 * n, captures, &twice, err);
    for (int i = 0; i < ROUNDS && status == ARC_OK; i++)
        for (int method = 0; method < 2 && status == ARC_OK; method++) {
            double one_s = 0.0, two_s = 0.0;
            status = time_fit(once, (ArcMethod)method, &wall_s, &one_s, err);
            if (status == ARC_OK)
                status = time_fit(twice, (ArcMethod)method, &wall_s, &two_s, err);
            ratios[method][i] = two_s / one_s;
        }
    for (int method = 1; method >= 0 && status == ARC_OK; method--) {
        printf("joint_%s_%d_s %.4f s\n", names[method], n, measure_median(ROUNDS, times_s[method]));
        printf("ratio_joint_%s_%d_%d %.2f 1\n", names[method], 2 * n, n,
               measure_median(ROUNDS, ratios[method]));
    }
    if (status == ARC_OK)
        printf("joint_peak_mb_%d %.0f MB\n", n, peak);
    arc_joint_free(once);
    arc_joint_free(twice);
    return status;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 1000;
    if (argc < 2 || argc > 3 || n < 1) {
        fputs("usage: bench_joint EXPERIMENT [FLIGHTS]\n", stderr);
        return 2;
    }
    /* As the program does: memory that a fit frees is kept for the next. */
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    ArcError err;
    ArcExperiment *experiment = NULL;
    const ArcCapture **captures = calloc(2 * (size_t)n, sizeof(const ArcCapture *));
    ArcStatus status = captures == NULL ? arc_error_set(&err, ARC_MEMORY, "bench: no memory")
                                        : arc_experiment_read(argv[1], 0, NULL, &experiment, &err);
    if (status == ARC_OK)
        status = draw_captures(experiment, 2 * n, captures, &err);
    for (int i = 0; status == ARC_OK && i < experiment->n_parameters; i++)
        experiment->parameters[i].has_prior = false;
    if (status == ARC_OK)
        status = measure(experiment, n, captures, &err);
    if (status != ARC_OK)
        fprintf(stderr, "%s\n", err.text);
    for (int f = 0; captures != NULL && f < 2 * n; f++)
        arc_capture_free((ArcCapture *)(uintptr_t)captures[f]);
    free(captures);
    arc_experiment_free(experiment);
    return arc_status_exit_code(status);
}
