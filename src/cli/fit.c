/* arcfit fit: runs experiments and writes one HDF5 result each. */
#include "cli/commands.h"
#include "cli/jobs.h"
#include "cli/output.h"
#include "cli/pictures.h"

#include "arcfit/closure.h"
#include "arcfit/text.h"

#include <stdlib.h>
#include <string.h>

/* folder/STEM.h5 for experiment path .../STEM.yaml; NULL where there is no memory. */
static char *fit_stem_path(const char *folder, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(name, '.');
    int length = dot == NULL || dot == name ? (int)strlen(name) : (int)(dot - name);
    char *made;
    if (asprintf(&made, "%s%s%.*s.h5", folder == NULL ? "" : folder, folder == NULL ? "" : "/",
                 length, name) < 0)
        return NULL;
    return made;
}

/* Nothing that job's fit reads is written to. */
static ArcStatus fit_check_inputs(const ArcOptions *options, const ArcJob *job, const char *path,
                                  ArcError *err)
{
    /* A checkpoint goes on in its file; a result may replace the one that it started from. */
    const char *const inputs[] = {job->path, path == options->checkpoint ? NULL : options->resume,
                                  path == job->out ? NULL : options->warm_start};
    ArcStatus status = ARC_OK;
    for (int i = 0; i < 3 && status == ARC_OK; i++)
        status = arc_output_check_input(path, inputs[i], err);
    for (int i = 0; i < job->experiment->n_captures && status == ARC_OK; i++)
        status = arc_output_check_capture(path, &job->experiment->captures[i], err);
    return status;
}

/* JSON, checkpoint, log and closure: files of their own, and of them only JSON may go to standard
 * output. */
static ArcStatus fit_check_others(const ArcOptions *options, const ArcJob *jobs, ArcError *err)
{
    static const char *const names[] = {"json", "checkpoint", "log", "export-closure"};
    const char *const others[] = {options->json, options->checkpoint, options->log,
                                  options->export_closure, jobs[0].out};
    ArcStatus status = ARC_OK;
    for (int i = 0; i < 4 && status == ARC_OK; i++) {
        bool is_output = others[i] != NULL && strcmp(others[i], "-") == 0;
        if (is_output && i > 0)
            return arc_error_set(err, ARC_USAGE,
                                 "error: --%s wants a file; only --json goes to standard output "
                                 "by -",
                                 names[i]);
        if (others[i] == NULL || is_output)
            continue;
        for (int k = i + 1; k < 5; k++) {
            if (others[k] != NULL && strcmp(others[i], others[k]) == 0)
                return arc_error_set(err, ARC_USAGE,
                                     "error: two things would be written to '%.200s'", others[i]);
        }
        status = arc_output_check_path(others[i], err);
        for (int k = 0; k < options->n_operands && status == ARC_OK; k++)
            status = fit_check_inputs(options, &jobs[k], others[i], err);
    }
    return status;
}

/* What --export-closure writes is that of one experiment, which must have one. */
static ArcStatus fit_check_closure(const ArcOptions *options, const ArcJob *jobs, ArcError *err)
{
    if (options->export_closure == NULL)
        return ARC_OK;
    if (options->n_operands > 1)
        return arc_error_set(err, ARC_USAGE, "error: --export-closure goes with one experiment");
    if (!jobs[0].experiment->closure.is_on)
        return arc_error_set(err, ARC_USAGE,
                             "error: '%.300s' has no closure to export; give it a section closure",
                             jobs[0].path);
    return ARC_OK;
}

/* Where each result goes: -o (a folder where there are several), the experiment's own, STEM.h5. */
static ArcStatus fit_choose_outputs(const ArcOptions *options, ArcJob *jobs, ArcError *err)
{
    int n = options->n_operands;
    if (options->out != NULL && strcmp(options->out, "-") == 0)
        return arc_error_set(err, ARC_USAGE,
                             "error: -o wants the name of a file; on standard output is --json -");
    for (int i = 0; i < n; i++) {
        if (options->out != NULL && n == 1)
            jobs[i].out = strdup(options->out);
        else if (options->out == NULL && jobs[i].experiment->output_file != NULL)
            jobs[i].out = strdup(jobs[i].experiment->output_file);
        else
            jobs[i].out = fit_stem_path(options->out, jobs[i].path);
        if (jobs[i].out == NULL)
            return arc_error_set(err, ARC_MEMORY, "error: out of memory");
        for (int k = 0; k < i; k++) {
            if (strcmp(jobs[k].out, jobs[i].out) == 0)
                return arc_error_set(err, ARC_USAGE,
                                     "error: '%.200s' and '%.200s' would both be written to "
                                     "'%.200s'; fit them one by one with -o",
                                     jobs[k].path, jobs[i].path, jobs[i].out);
        }
        ArcStatus status = arc_output_check_path(jobs[i].out, err);
        for (int k = 0; k < n && status == ARC_OK; k++)
            status = fit_check_inputs(options, &jobs[k], jobs[i].out, err);
        if (status != ARC_OK)
            return status;
        if (options->json != NULL && strcmp(options->json, jobs[i].out) == 0)
            return arc_error_set(err, ARC_USAGE,
                                 "error: result and JSON would both be written to '%.400s'",
                                 options->json);
    }
    ArcStatus status = fit_check_closure(options, jobs, err);
    return status == ARC_OK ? fit_check_others(options, jobs, err) : status;
}

static int fit_print(const ArcOptions *options, const ArcJob *job, bool is_last)
{
    ArcError err;
    char *text = NULL;
    if (!arc_output_is_text_wanted(options))
        return 0;
    ArcStatus status = arc_report_text(job->result, options->verbose, &text, &err);
    static const ArcFigureGroup seen[] = {ARC_FIGURES_FLIGHT, ARC_FIGURES_STATES,
                                          ARC_FIGURES_RESIDUALS};
    int code = arc_output_report(status, text, &err);
    if (code == 0 && options->verbose)
        code = arc_pictures_print(job->result, job->experiment, 3, seen);
    if (code == 0)
        printf("%s%-15s %s\n%s", options->verbose ? "\n" : "", "result", job->out,
               is_last ? "" : "\n");
    return code;
}

static int fit_write_json(const ArcOptions *options, const ArcJob *jobs)
{
    int n;
    char *text = NULL;
    ArcError err;
    const ArcResult **results = arc_jobs_results(options, jobs, &n);
    ArcStatus status =
        results == NULL ? arc_error_set(&err, ARC_MEMORY, "error: out of memory") : ARC_OK;
    bool is_array = options->n_operands > 1;
    if (status == ARC_OK && (n > 0 || is_array))
        status = arc_report_json(n, results, is_array, &text, &err);
    free(results);
    if (status == ARC_OK && text == NULL)
        return 0;
    return arc_output_json(status, text, options->json, &err);
}

/* The closure of the fit that counts: direct where there is one. */
static int fit_write_closure(const ArcOptions *options, const ArcResult *result)
{
    char *text = NULL;
    ArcError err;
    const ArcFit *fit = result->fits[result->n_fits - 1];
    if (fit->closure == NULL)
        return 0;
    ArcStatus status = arc_closure_text(fit->closure, &text, &err);
    return arc_output_json(status, text, options->export_closure, &err);
}

/* Results are collected, then written in order by one writer. */
static int fit_write(const ArcOptions *options, const ArcJob *jobs, int code)
{
    for (int i = 0; i < options->n_operands; i++) {
        ArcError err;
        const ArcJob *job = &jobs[i];
        if (job->result == NULL)
            continue;
        int written = 0;
        if (arc_report_write_hdf5(job->result, job->out, &err) != ARC_OK)
            written = arc_output_error(&err);
        else
            written = fit_print(options, job, i + 1 == options->n_operands);
        if (written == 0 && options->export_closure != NULL)
            written = fit_write_closure(options, job->result);
        arc_jobs_warn(job);
        code = written > code ? written : code;
        int result = arc_result_exit_code(job->result);
        code = result > code ? result : code;
    }
    if (options->json != NULL) {
        int written = fit_write_json(options, jobs);
        code = written > code ? written : code;
    }
    return code;
}

int arc_command_fit(const ArcOptions *options)
{
    int code;
    ArcError err;
    ArcJob *jobs = arc_jobs_check(options, false, &code);
    if (code == 0 && fit_choose_outputs(options, jobs, &err) != ARC_OK)
        code = arc_output_error(&err);
    if (code == 0) {
        code = arc_jobs_run(options, jobs);
        if (code != arc_status_exit_code(ARC_INTERRUPTED))
            code = fit_write(options, jobs, code);
    }
    arc_jobs_free(options, jobs);
    return code;
}
