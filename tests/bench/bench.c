/* Times whole fits for scripts/bench: warm, the median of many, inside one process.
 *
 *   bench EXPERIMENT
 *
 * A fit here is what wall_s of a result counts: from a Problem to estimates and covariance. Reading
 * the files, the trajectory for the report and starting the process are not timed. Prints `NAME
 * VALUE us`, a line a method.
 */
#include "arcfit/fit.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM_FITS = 50, TIMED_FITS = 1000 };

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One fit. A fit that does not converge is no measure of anything. */
static ArcStatus time_fit(const ArcProblem *problem, ArcMethod method, double *time_us,
                          ArcError *err)
{
    ArcFit *fit = NULL;
    ArcStatus status = arc_fit_run(problem, method, NULL, &fit, err);
    if (status == ARC_OK)
        *time_us = 1e6 * fit->wall_s;
    if (status == ARC_OK && !fit->converged)
        status = arc_error_set(err, ARC_NUMERIC, "bench: the fit stopped with '%s'",
                               arc_stop_text(fit->stop));
    arc_fit_free(fit);
    return status;
}

static ArcStatus time_method(const ArcProblem *problem, ArcMethod method, const char *name,
                             ArcError *err)
{
    static double times_us[TIMED_FITS];
    for (int i = -WARM_FITS; i < TIMED_FITS; i++) {
        ArcStatus status = time_fit(problem, method, &times_us[i < 0 ? 0 : i], err);
        if (status != ARC_OK)
            return status;
    }
    qsort(times_us, TIMED_FITS, sizeof *times_us, compare_doubles);
    printf("%s %.1f us\n", name, times_us[TIMED_FITS / 2]);
    return ARC_OK;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: bench EXPERIMENT\n", stderr);
        return 2;
    }
    /* As the program does: memory that a fit frees is kept for the next. */
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    ArcError err;
    ArcExperiment *experiment = NULL;
    ArcCapture *capture = NULL;
    ArcProblem *problem = NULL;
    ArcStatus status = arc_experiment_read(argv[1], 0, NULL, &experiment, &err);
    if (status == ARC_OK)
        status = arc_capture_read(&experiment->capture, &capture, &err);
    if (status == ARC_OK)
        status = arc_problem_create(experiment, capture, &problem, &err);
    if (status == ARC_OK)
        status = time_method(problem, ARC_DIRECT, "direct_fit_us", &err);
    if (status == ARC_OK)
        status = time_method(problem, ARC_PINN, "pinn_fit_us", &err);
    if (status != ARC_OK)
        fprintf(stderr, "%s\n", err.text);
    arc_problem_free(problem);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
    return arc_status_exit_code(status);
}
