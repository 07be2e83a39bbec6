/* See correct.h. */
#include "cli/correct.h"

#include "arcfit/report.h"

#include <stdlib.h>
#include <sys/stat.h>

/* Whether two names are one file. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

ArcStatus arc_correct_read(const ArcOptions *options, ArcExperiment *experiment,
                           ArcBeliefChange *change, ArcError *err)
{
    int n = options->n_corrections;
    const char *from = experiment->aim.from_file;
    ArcBelief *belief = malloc(sizeof *belief);
    ArcResult **results = calloc((size_t)n, sizeof *results);
    ArcStatus status = belief != NULL && results != NULL
                           ? ARC_OK
                           : arc_error_set(err, ARC_MEMORY, "error: out of memory");
    for (int i = 0; i < n && status == ARC_OK; i++) {
        const char *file = options->corrections[i];
        if (from != NULL && is_same_file(file, from))
            status = arc_error_set(err, ARC_INPUT,
                                   "error: '%.400s' is aim.from's result, which is known already; "
                                   "each throw counts once",
                                   file);
        else
            status = arc_report_read_hdf5(file, &results[i], err);
    }
    if (status == ARC_OK)
        status = arc_belief_for_aim(experiment, belief, err);
    if (status == ARC_OK)
        status = arc_belief_change(experiment, n, (const ArcResult *const *)results, belief, change,
                                   err);
    if (status == ARC_OK)
        arc_belief_apply(&change->after, experiment);
    for (int i = 0; results != NULL && i < n; i++)
        arc_result_free(results[i]);
    free(results);
    free(belief);
    return status;
}
