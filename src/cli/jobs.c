/* Experiments that run side by side. Each job is independent and writes only to itself, so the
 * number of threads changes no bit of any result. */
#include "cli/jobs.h"

#include "cli/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int worse(int a, int b)
{
    return a > b ? a : b;
}

/* Reads the capture and joins both, only to find what is wrong with them. */
static ArcStatus job_check(ArcJob *job, const ArcOptions *options)
{
    ArcCapture *capture = NULL;
    ArcProblem *problem = NULL;
    ArcStatus status = arc_experiment_read(job->path, options->n_overrides, options->overrides,
                                           &job->experiment, &job->error);
    if (status == ARC_OK)
        status = arc_capture_read(&job->experiment->capture, &capture, &job->error);
    if (status == ARC_OK)
        status = arc_problem_create(job->experiment, capture, &problem, &job->error);
    arc_problem_free(problem);
    arc_capture_free(capture);
    return status;
}

ArcJob *arc_jobs_check(const ArcOptions *options, bool results, int *code)
{
    ArcJob *jobs = calloc((size_t)options->n_operands, sizeof *jobs);
    if (jobs == NULL) {
        fprintf(stderr, "error: out of memory\n");
        *code = arc_status_exit_code(ARC_MEMORY);
        return NULL;
    }
    *code = 0;
    arc_output_catch_interrupt();
    for (int i = 0; i < options->n_operands; i++) {
        ArcJob *job = &jobs[i];
        job->path = options->operands[i];
        if (results && arc_report_is_hdf5(job->path))
            job->status = arc_report_read_hdf5(job->path, &job->result, &job->error);
        else
            job->status = job_check(job, options);
        if (job->status != ARC_OK)
            *code = worse(*code, arc_output_error(&job->error));
    }
    return jobs;
}

/* What the progress line shows. */
typedef struct JobProgress {
    const char *name;
    int number, total;
    bool shown;
} JobProgress;

static bool job_progress(void *context, ArcMethod method, const ArcHistoryRow *row)
{
    const JobProgress *progress = context;
    if (progress->shown) {
#pragma omp critical(arc_progress)
        {
            fprintf(stderr, "\r\033[K[%d/%d] %.40s: %s, step %d, cost %.4g", progress->number,
                    progress->total, progress->name, method == ARC_PINN ? "PINN" : "direct",
                    row->iteration, row->cost);
            fflush(stderr);
        }
    }
    return !arc_output_is_interrupted();
}

static void job_run(ArcJob *job, const ArcOptions *options, int number, bool shown)
{
    if (job->result != NULL || arc_output_is_interrupted())
        return;
    JobProgress progress = {job->experiment->name, number, options->n_operands, shown};
    const ArcFitOptions fit_options = {job_progress, &progress};
    job->status = arc_result_create(job->experiment, options->n_overrides, options->overrides,
                                    &fit_options, &job->result, &job->error);
}

int arc_jobs_run(const ArcOptions *options, ArcJob *jobs)
{
    bool shown = !options->quiet && isatty(STDERR_FILENO);
    int code = 0, n = options->n_operands;
#pragma omp parallel for schedule(dynamic) num_threads(options->threads < n ? options->threads : n)
    for (int i = 0; i < n; i++)
        job_run(&jobs[i], options, i + 1, shown);
    if (shown)
        fprintf(stderr, "\r\033[K");
    if (arc_output_end_interrupt())
        return arc_status_exit_code(ARC_INTERRUPTED);
    for (int i = 0; i < n; i++) {
        if (jobs[i].status != ARC_OK)
            code = worse(code, arc_output_error(&jobs[i].error));
    }
    return code;
}

/* Where the experiment names parameter p; the file itself for a result that was read. */
static ArcPlace job_place(const ArcJob *job, const char *parameter)
{
    for (int p = 0; job->experiment != NULL && p < job->experiment->n_parameters; p++) {
        const ArcParameter *row = &job->experiment->parameters[p];
        if (parameter != NULL && strcmp(row->name, parameter) == 0 && row->place.file != NULL)
            return row->place;
    }
    return (ArcPlace){job->path, 1, 1};
}

static void job_warn_fit(const ArcJob *job, const ArcFit *fit, bool first)
{
    const char *method = fit->method == ARC_PINN ? "PINN" : "direct";
    if (!fit->converged)
        arc_output_warning(job_place(job, NULL), "the %s fit did not converge (%s)", method,
                           arc_stop_text(fit->stop));
    for (int p = 0; p < fit->n_parameters; p++) {
        const ArcEstimate *e = &fit->parameters[p];
        const ArcEstimate *before = &job->result->fits[0]->parameters[p];
        if (e->reason == NULL || (!first && before->status == e->status))
            continue;
        arc_output_warning(job_place(job, e->name), "'%s' is %s (%s): %s", e->name,
                           arc_parameter_status_text(e->status), method, e->reason);
    }
}

void arc_jobs_warn(const ArcJob *job)
{
    const ArcResult *result = job->result;
    for (int i = 0; i < result->n_fits; i++)
        job_warn_fit(job, result->fits[i], i == 0);
    if (result->comparison.verdict == ARC_VERDICT_MISFIT)
        arc_output_warning(job_place(job, NULL), "misfit: the model does not explain the data");
    if (result->comparison.verdict == ARC_VERDICT_DIFFER)
        arc_output_warning(job_place(job, NULL), "PINN and direct fit differ by %.2g sd",
                           result->comparison.max_in_sd);
}

const ArcResult **arc_jobs_results(const ArcOptions *options, const ArcJob *jobs, int *n)
{
    const ArcResult **results = calloc((size_t)options->n_operands, sizeof *results);
    *n = 0;
    for (int i = 0; results != NULL && i < options->n_operands; i++) {
        if (jobs[i].result != NULL)
            results[(*n)++] = jobs[i].result;
    }
    return results;
}

void arc_jobs_free(const ArcOptions *options, ArcJob *jobs)
{
    for (int i = 0; jobs != NULL && i < options->n_operands; i++) {
        arc_result_free(jobs[i].result);
        arc_experiment_free(jobs[i].experiment);
        free(jobs[i].out);
    }
    free(jobs);
}
