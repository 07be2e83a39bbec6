/* Times searches for throws that hit, beside the fit that they must not outlast five times.
 *
 *   bench_aim FIT-EXPERIMENT AIM-EXPERIMENT...
 *
 * The exercises' random starts (speed, angle, spin, time of flight, of what has lift also k and s)
 * are drawn anew for each search; reading the files is not timed. Prints `NAME VALUE UNIT`: the
 * median of a PINN fit of the first, of one search of each other, and of that how many times the
 * fit's it is.
 */
#include "arcfit/aim.h"
#include "arcfit/fit.h"
#include "base/random.h"

#include "measure.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

enum { WARM = 20, TIMED = 300 };

static ArcStatus time_fits(const char *path, double *median_us, ArcError *err)
{
    static double times_us[TIMED];
    ArcExperiment *experiment = NULL;
    ArcCapture *capture = NULL;
    ArcProblem *problem = NULL;
    ArcStatus status = arc_experiment_read(path, 0, NULL, &experiment, err);
    if (status == ARC_OK)
        status = arc_capture_read(&experiment->capture, &capture, err);
    if (status == ARC_OK)
        status = arc_problem_create(experiment, capture, &problem, err);
    for (int i = -WARM; i < TIMED && status == ARC_OK; i++) {
        ArcFit *fit = NULL;
        status = arc_fit_run(problem, ARC_PINN, NULL, &fit, err);
        if (status == ARC_OK)
            times_us[i < 0 ? 0 : i] = 1e6 * fit->wall_s;
        arc_fit_free(fit);
    }
    *median_us = measure_median(TIMED, times_us);
    arc_problem_free(problem);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
    return status;
}

static void start(ArcExperiment *experiment, const char *name, double value)
{
    int i = arc_experiment_parameter(experiment, name);
    if (i < 0)
        return;
    experiment->parameters[i].start = value;
    experiment->parameters[i].has_start = true;
}

static ArcStatus time_searches(const char *path, double fit_us, ArcError *err)
{
    static double times_us[TIMED];
    ArcExperiment *experiment = NULL;
    ArcStatus status = arc_experiment_read(path, 0, NULL, &experiment, err);
    for (int i = -WARM; i < TIMED && status == ARC_OK; i++) {
        ArcRandom random = arc_random_create(20, (uint64_t)(i + WARM));
        ArcAim *aim = NULL;
        start(experiment, "angle", arc_random_uniform(&random, 0.8, 1.2));
        start(experiment, "speed", arc_random_uniform(&random, 6.5, 8.5));
        start(experiment, "spin", arc_random_uniform(&random, 0.0, 5.0));
        experiment->aim.time_s = arc_random_uniform(&random, 0.9, 1.3);
        if (arc_experiment_parameter(experiment, "s") >= 0) {
            start(experiment, "k", arc_random_uniform(&random, 0.2, 0.5));
            start(experiment, "s", arc_random_uniform(&random, 0.05, 0.15));
        }
        double begin_us = measure_now_us();
        status = arc_aim_find(experiment, NULL, NULL, &aim, err);
        times_us[i < 0 ? 0 : i] = measure_now_us() - begin_us;
        if (status == ARC_OK && !aim->is_reachable)
            status = arc_error_set(err, ARC_NUMERIC, "bench: %s is out of reach", path);
        arc_aim_free(aim);
    }
    if (status == ARC_OK) {
        const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
        int length = (int)strcspn(name, ".");
        double search_us = measure_median(TIMED, times_us);
        printf("aim_search_us_%.*s %.1f us\n", length, name, search_us);
        printf("ratio_aim_pinn_%.*s %.2f 1\n", length, name, search_us / fit_us);
    }
    arc_experiment_free(experiment);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: bench_aim FIT-EXPERIMENT AIM-EXPERIMENT...\n", stderr);
        return 2;
    }
    /* As the program does: memory that a fit or a search frees is kept for the next. */
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    ArcError err;
    double fit_us = 0.0;
    ArcStatus status = time_fits(argv[1], &fit_us, &err);
    if (status == ARC_OK)
        printf("aim_pinn_fit_us %.1f us\n", fit_us);
    for (int i = 2; i < argc && status == ARC_OK; i++)
        status = time_searches(argv[i], fit_us, &err);
    if (status != ARC_OK)
        fprintf(stderr, "%s\n", err.text);
    return arc_status_exit_code(status);
}
