/* Times whole fits for scripts/bench: warm, the median of many, inside one process.
 *
 *   bench EXPERIMENT ALL-WEIGHTS-EXPERIMENT ARM-EXPERIMENT
 *
 * A fit here is what wall_s of a result counts: from a Problem to estimates and covariance. Reading
 * the files, the trajectory for the report and starting the process are not timed. Prints `NAME
 * VALUE UNIT`: both methods of the first experiment; of the second, which trains all weights from
 * random ones, the PINN's median over seeds, and the share of these that converged; both methods
 * of the third, of an arm whose swing was seen.
 */
#include "arcfit/fit.h"

#include "measure.h"

#include <malloc.h>
#include <stdio.h>

enum { WARM_FITS = 50, TIMED_FITS = 1000, ARM_FITS = 50, SEEDS = 20, FITS_A_SEED = 5 };

/* A measure: what it is called, and how many fits it takes. */
typedef struct Measure {
    ArcMethod method;
    const char *name;
    int warm, timed;
} Measure;

typedef struct Case {
    ArcExperiment *experiment;
    ArcCapture *capture;
} Case;

static ArcStatus case_open(const char *path, Case *opened, ArcError *err)
{
    ArcStatus status = arc_experiment_read(path, 0, NULL, &opened->experiment, err);
    return status == ARC_OK ? arc_capture_read(&opened->experiment->capture, &opened->capture, err)
                            : status;
}

static void case_close(Case *opened)
{
    arc_capture_free(opened->capture);
    arc_experiment_free(opened->experiment);
}

static ArcStatus time_fit(const ArcProblem *problem, ArcMethod method, double *time_us,
                          bool *converged, ArcError *err)
{
    ArcFit *fit = NULL;
    ArcStatus status = arc_fit_run(problem, method, NULL, &fit, err);
    if (status == ARC_OK) {
        *time_us = 1e6 * fit->wall_s;
        *converged = fit->converged;
    }
    arc_fit_free(fit);
    return status;
}

static ArcStatus time_method(const ArcProblem *problem, const Measure *measure, ArcError *err)
{
    static double times_us[TIMED_FITS];
    for (int i = -measure->warm; i < measure->timed; i++) {
        bool converged = false;
        ArcStatus status =
            time_fit(problem, measure->method, &times_us[i < 0 ? 0 : i], &converged, err);
        if (status != ARC_OK)
            return status;
        /* A fit that does not converge is no measure of anything. */
        if (!converged)
            return arc_error_set(err, ARC_NUMERIC, "bench: %s did not converge", measure->name);
    }
    printf("%s %.1f us\n", measure->name, measure_median(measure->timed, times_us));
    return ARC_OK;
}

static ArcStatus time_both(const Case *opened, const Measure measures[2], ArcError *err)
{
    ArcProblem *problem = NULL;
    ArcStatus status = arc_problem_create(opened->experiment, opened->capture, &problem, err);
    for (int i = 0; i < 2 && status == ARC_OK; i++)
        status = time_method(problem, &measures[i], err);
    arc_problem_free(problem);
    return status;
}

static ArcStatus time_seed(const Case *opened, int seed, double *time_us, bool *converged,
                           ArcError *err)
{
    double times_us[FITS_A_SEED];
    ArcProblem *problem = NULL;
    opened->experiment->seed = (uint64_t)seed;
    ArcStatus status = arc_problem_create(opened->experiment, opened->capture, &problem, err);
    for (int i = 0; i < FITS_A_SEED && status == ARC_OK; i++)
        status = time_fit(problem, ARC_PINN, &times_us[i], converged, err);
    if (status == ARC_OK)
        *time_us = measure_median(FITS_A_SEED, times_us);
    arc_problem_free(problem);
    return status;
}

static ArcStatus time_seeds(const Case *opened, ArcError *err)
{
    double times_us[SEEDS];
    int n_converged = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        bool converged = false;
        ArcStatus status = time_seed(opened, seed, &times_us[seed - 1], &converged, err);
        if (status != ARC_OK)
            return status;
        n_converged += converged;
    }
    printf("lm_fit_us_16x2 %.1f us\n", measure_median(SEEDS, times_us));
    printf("lm_fit_converged_16x2 %.2f 1\n", (double)n_converged / SEEDS);
    return ARC_OK;
}

int main(int argc, char **argv)
{
    static const Measure plain[] = {{ARC_DIRECT, "direct_fit_us", WARM_FITS, TIMED_FITS},
                                    {ARC_PINN, "pinn_fit_us", WARM_FITS, TIMED_FITS}};
    static const Measure of_arm[] = {{ARC_DIRECT, "arm_direct_fit_us", 2, ARM_FITS},
                                     {ARC_PINN, "arm_pinn_fit_us", 2, ARM_FITS}};
    if (argc != 4) {
        fputs("usage: bench EXPERIMENT ALL-WEIGHTS-EXPERIMENT ARM-EXPERIMENT\n", stderr);
        return 2;
    }
    /* As the program does: memory that a fit frees is kept for the next. */
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    ArcError err;
    Case linear = {0}, lm = {0}, arm = {0};
    ArcStatus status = case_open(argv[1], &linear, &err);
    if (status == ARC_OK)
        status = case_open(argv[2], &lm, &err);
    if (status == ARC_OK)
        status = case_open(argv[3], &arm, &err);
    if (status == ARC_OK)
        status = time_both(&linear, plain, &err);
    if (status == ARC_OK)
        status = time_both(&arm, of_arm, &err);
    if (status == ARC_OK)
        status = time_seeds(&lm, &err);
    if (status != ARC_OK)
        fprintf(stderr, "%s\n", err.text);
    case_close(&arm);
    case_close(&lm);
    case_close(&linear);
    return arc_status_exit_code(status);
}
