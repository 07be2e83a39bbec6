/* arcfit compare: PINN against direct, and models ranked. Experiments are run, results are read. */
#include "cli/commands.h"
#include "cli/jobs.h"
#include "cli/output.h"
#include "cli/pictures.h"

#include <stdlib.h>

/* Of one result what both methods are apart along the flight, else what the points are off. */
static int compare_draw(const ArcResult *result)
{
    static const ArcFigureGroup apart = ARC_FIGURES_METHODS, off = ARC_FIGURES_RESIDUALS;
    return arc_pictures_print(result, NULL, 1, result->comparison.both ? &apart : &off);
}

static int compare_print(const ArcOptions *options, const ArcJob *jobs)
{
    int n, code = 0;
    ArcError err;
    char *text = NULL;
    const ArcResult **results = arc_jobs_results(options, jobs, &n);
    if (results == NULL) {
        arc_error_set(&err, ARC_MEMORY, "error: out of memory");
        return arc_output_error(&err);
    }
    if (n > 0 && arc_output_is_text_wanted(options)) {
        ArcStatus status = arc_report_comparison_text(n, results, &text, &err);
        code = arc_output_report(status, text, &err);
        if (code == 0 && n == 1)
            code = compare_draw(results[0]);
    }
    if (n > 0 && options->json != NULL && code == 0) {
        ArcStatus status =
            arc_report_comparison_json(n, results, options->n_operands > 1, &text, &err);
        code = arc_output_json(status, text, options->json, &err);
    }
    free(results);
    return code;
}

int arc_command_compare(const ArcOptions *options)
{
    int code;
    ArcJob *jobs = arc_jobs_check(options, true, &code);
    if (code == 0)
        code = arc_jobs_run(options, jobs);
    if (code < arc_status_exit_code(ARC_USAGE)) {
        int printed = compare_print(options, jobs);
        code = printed > code ? printed : code;
        for (int i = 0; i < options->n_operands; i++) {
            if (jobs[i].result == NULL)
                continue;
            arc_jobs_warn(&jobs[i]);
            int result = arc_result_exit_code(jobs[i].result);
            code = result > code ? result : code;
        }
    }
    arc_jobs_free(options, jobs);
    return code;
}
