/* Times a flight by own equations against the built-in one, for scripts/bench: warm, the medians of
 * both taken in turns, inside one process.
 *
 *   bench_model EXPERIMENT MODEL-EXPERIMENT          both of one capture, as bench.c times fits
 *
 * Prints `NAME VALUE UNIT`: model_direct_us of the plug-in, and model_direct_ratio, how many times
 * as long as the built-in flight it takes; model_pinn_us of the PINN.
 */
#include "arcfit/fit.h"

#include "measure.h"

#include <malloc.h>
#include <stdio.h>

enum { WARM_ROUNDS = 20, ROUNDS = 401, PINN_ROUNDS = 101 };

typedef struct Case {
    ArcExperiment *experiment;
    ArcCapture *capture;
    ArcProblem *problem;
} Case;

static ArcStatus case_open(const char *path, Case *opened, ArcError *err)
{
    ArcStatus status = arc_experiment_read(path, 0, NULL, &opened->experiment, err);
    if (status == ARC_OK)
        status = arc_capture_read(&opened->experiment->capture, &opened->capture, err);
    return status == ARC_OK
               ? arc_problem_create(opened->experiment, opened->capture, &opened->problem, err)
               : status;
}

static void case_close(Case *opened)
{
    arc_problem_free(opened->problem);
    arc_capture_free(opened->capture);
    arc_experiment_free(opened->experiment);
}

static ArcStatus time_fit(const ArcProblem *problem, ArcMethod method, double *time_us,
                          ArcError *err)
{
    ArcFit *fit = NULL;
    ArcStatus status = arc_fit_run(problem, method, NULL, &fit, err);
    if (status == ARC_OK && !fit->converged)
        status = arc_error_set(err, ARC_NUMERIC, "bench_model: a fit did not converge");
    if (status == ARC_OK)
        *time_us = 1e6 * fit->wall_s;
    arc_fit_free(fit);
    return status;
}

static ArcStatus measure(const Case cases[2], ArcMethod method, int rounds, const char *name,
                         ArcError *err)
{
    static double times_us[2][ROUNDS];
    ArcStatus status = ARC_OK;
    for (int i = -WARM_ROUNDS; i < rounds && status == ARC_OK; i++)
        for (int k = 0; k < 2 && status == ARC_OK; k++)
            status = time_fit(cases[k].problem, method, &times_us[k][i < 0 ? 0 : i], err);
    if (status != ARC_OK)
        return status;
    double flight = measure_median(rounds, times_us[0]),
           model = measure_median(rounds, times_us[1]);
    printf("model_%s_us %.1f us\n", name, model);
    if (method == ARC_DIRECT)
        printf("model_%s_ratio %.2f 1\n", name, model / flight);
    return ARC_OK;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: bench_model EXPERIMENT MODEL-EXPERIMENT\n", stderr);
        return 2;
    }
    /* As the program does: memory that a fit frees is kept for the next. */
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    ArcError err;
    Case cases[2] = {{0}};
    ArcStatus status = case_open(argv[1], &cases[0], &err);
    if (status == ARC_OK)
        status = case_open(argv[2], &cases[1], &err);
    if (status == ARC_OK)
        status = measure(cases, ARC_DIRECT, ROUNDS, "direct", &err);
    if (status == ARC_OK)
        status = measure(cases, ARC_PINN, PINN_ROUNDS, "pinn", &err);
    case_close(&cases[0]);
    case_close(&cases[1]);
    if (status != ARC_OK)
        fprintf(stderr, "%s\n", err.text);
    return status == ARC_OK ? 0 : 1;
}
