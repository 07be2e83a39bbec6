/* Experiments that run side by side. Each job is independent and writes only to itself, so the
 * number of threads changes no bit of any result. */
#include "cli/jobs.h"

#include "cli/log.h"
#include "cli/output.h"
#include "cli/watch.h"

#include "arcfit/joint.h"
#include "arcfit/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int worse(int a, int b)
{
    return a > b ? a : b;
}

static const ArcFit *pinn_of(const ArcResult *result)
{
    for (int i = 0; i < result->n_fits; i++) {
        if (result->fits[i]->method == ARC_PINN)
            return result->fits[i];
    }
    return NULL;
}

/* What is asked of the training, and the result that it starts from. */
static ArcStatus job_check_training(ArcJob *job, const ArcOptions *options)
{
    const char *path = options->checkpoint != NULL ? options->checkpoint
                       : options->resume != NULL   ? options->resume
                                                   : options->warm_start;
    if (path != NULL && !job->experiment->use_pinn)
        return arc_error_set(&job->error, ARC_USAGE,
                             "error: '%.400s' is for the training of a PINN, and this experiment "
                             "has none in fit.methods",
                             path);
    if (options->warm_start == NULL)
        return ARC_OK;
    ArcStatus status = arc_report_read_hdf5(options->warm_start, &job->warm, &job->error);
    if (status == ARC_OK && pinn_of(job->warm) == NULL)
        status = arc_error_set_at(&job->error, ARC_INPUT, (ArcPlace){options->warm_start, 1, 1},
                                  "this result has no PINN fit to start from");
    return status;
}

/* Joins the experiment with its captures, only to find what is wrong with them. */
static ArcStatus job_join(ArcJob *job, const ArcCaptures *captures)
{
    ArcProblem *problem = NULL;
    ArcJoint *joint = NULL;
    bool is_joint = captures->n > 1 || job->experiment->closure.is_on;
    ArcStatus status = is_joint ? arc_joint_create(job->experiment, captures->n, captures->captures,
                                                   &joint, &job->error)
                                : arc_problem_create(job->experiment, captures->captures[0],
                                                     &problem, &job->error);
    arc_problem_free(problem);
    arc_joint_free(joint);
    return status;
}

static ArcStatus job_check(ArcJob *job, const ArcOptions *options)
{
    ArcCaptures *captures = NULL;
    const char *training = options->checkpoint != NULL   ? "--checkpoint"
                           : options->resume != NULL     ? "--resume"
                           : options->warm_start != NULL ? "--warm-start"
                                                         : NULL;
    ArcStatus status = arc_experiment_read(job->path, options->n_overrides, options->overrides,
                                           &job->experiment, &job->error);
    if (status == ARC_OK)
        status = arc_captures_read(job->experiment->n_captures, job->experiment->captures,
                                   &captures, &job->error);
    if (status == ARC_OK && options->verbose)
        arc_output_notes(captures);
    if (status == ARC_OK)
        status = job_join(job, captures);
    if (status == ARC_OK && captures->n > 1 && training != NULL)
        status = arc_error_set_at(&job->error, ARC_USAGE, job->experiment->capture.place,
                                  "%s is for the training of one %s, and here are %d; leave it "
                                  "out",
                                  training, job->experiment->equations != NULL ? "run" : "flight",
                                  captures->n);
    arc_captures_free(captures);
    if (status == ARC_OK)
        status = job_check_training(job, options);
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
    arc_output_catch_interrupt(options->checkpoint == NULL && options->log == NULL);
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

/* Who looks on at one job: the log and the progress line. */
typedef struct JobProgress {
    ArcWatch watch;
    ArcLog *log; /* NULL: none */
} JobProgress;

static bool job_progress(void *context, const ArcProgressState *state)
{
    JobProgress *progress = context;
    arc_watch_show(&progress->watch, state);
    if (progress->log != NULL && state->row != NULL && !arc_log_add(progress->log, state))
        return false;
    return !arc_output_is_interrupted();
}

static void job_run(ArcJob *job, const ArcOptions *options, const ArcWatch *watch)
{
    static const double default_every_s = 30;
    if (job->result != NULL || arc_output_is_interrupted())
        return;
    JobProgress progress = {*watch, NULL};
    const ArcFitOptions fit_options = {
        .progress = job_progress,
        .context = &progress,
        .threads = options->n_operands == 1 ? options->threads : 0,
        .checkpoint = options->checkpoint,
        .checkpoint_every_s = isnan(options->every_s) ? default_every_s : options->every_s,
        .resume = options->resume,
        .warm_start = job->warm == NULL ? NULL : pinn_of(job->warm)};
    if (options->log != NULL)
        job->status = arc_log_open(options->log, options->resume != NULL, job->experiment,
                                   &progress.log, &job->error);
    if (job->status == ARC_OK)
        job->status = arc_result_create(job->experiment, options->n_overrides, options->overrides,
                                        &fit_options, &job->result, &job->error);
    ArcStatus logged = arc_log_close(progress.log, job->status == ARC_OK ? &job->error : NULL);
    if (job->status == ARC_OK && logged != ARC_OK) {
        job->status = logged;
        arc_result_free(job->result);
        job->result = NULL;
    }
}

/* " NAME VALUE" (no name: NULL; no value: nothing) as a shell takes it. */
static void tell_word(const char *name, const char *value)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./+:,=@%";
    if (value == NULL)
        return;
    if (name != NULL)
        fprintf(stderr, " %s", name);
    fputc(' ', stderr);
    if (value[0] != '\0' && value[strspn(value, plain)] == '\0') {
        fputs(value, stderr);
        return;
    }
    fputc('\'', stderr);
    for (; *value != '\0'; value++) {
        if (*value == '\'')
            fputs("'\\'", stderr);
        fputc(*value, stderr);
    }
    fputc('\'', stderr);
}

/* How to go on after an interruption, on one line: the run's own options, resumed. */
static void jobs_tell_interruption(const ArcOptions *options)
{
    if (options->checkpoint == NULL || access(options->checkpoint, R_OK) != 0) {
        fprintf(stderr, "error: interrupted; nothing was written%s\n",
                options->log != NULL ? " but the log" : "");
        return;
    }
    fprintf(stderr, "error: interrupted; go on with `arcfit fit");
    tell_word(NULL, options->operands[0]);
    tell_word("--resume", options->checkpoint);
    tell_word("--checkpoint", options->checkpoint);
    if (!isnan(options->every_s))
        fprintf(stderr, " --every %.15gs", options->every_s);
    for (int i = 0; i < options->n_overrides; i++)
        tell_word("--set", options->overrides[i]);
    tell_word("--warm-start", options->warm_start);
    tell_word("--log", options->log);
    tell_word("--export-closure", options->export_closure);
    tell_word("--out", options->out);
    tell_word("--json", options->json);
    if (options->threads > 1)
        fprintf(stderr, " --threads %d", options->threads);
    fprintf(stderr, "%s%s", options->quiet ? " --quiet" : "", options->verbose ? " --verbose" : "");
    fprintf(stderr, "`\n");
}

int arc_jobs_run(const ArcOptions *options, ArcJob *jobs)
{
    bool shown = !options->quiet && isatty(STDERR_FILENO);
    int code = 0, n = options->n_operands;
#pragma omp parallel for schedule(dynamic) num_threads(options->threads < n ? options->threads : n)
    for (int i = 0; i < n; i++) {
        const ArcWatch watch = {.shown = shown, .number = i + 1, .total = n};
        job_run(&jobs[i], options, &watch);
    }
    if (shown)
        fprintf(stderr, "\r\033[K");
    bool interrupted = arc_output_end_interrupt();
    for (int i = 0; i < n; i++) {
        /* Who interrupts hears of nothing but a checkpoint or a log that failed. */
        int failed = arc_status_exit_code(jobs[i].status);
        if (failed != 0 && (!interrupted || failed >= arc_status_exit_code(ARC_USAGE)))
            code = worse(code, arc_output_error(&jobs[i].error));
    }
    if (interrupted && code == 0) {
        jobs_tell_interruption(options);
        return arc_status_exit_code(ARC_INTERRUPTED);
    }
    return code;
}

/* Where the experiment names parameter p; the file itself for a result that was read. */
static ArcPlace job_place(const ArcJob *job, const char *parameter)
{
    for (int p = 0; job->experiment != NULL && p < job->experiment->n_parameters; p++) {
        const ArcParameter *row = &job->experiment->parameters[p];
        size_t length = strlen(row->name);
        /* A population's are NAME.mean and NAME.sd. */
        bool is_it = parameter != NULL &&
                     (strcmp(row->name, parameter) == 0 ||
                      (row->sharing == ARC_HIERARCHICAL &&
                       strncmp(row->name, parameter, length) == 0 && parameter[length] == '.'));
        if (is_it && row->place.file != NULL)
            return row->place;
    }
    return (ArcPlace){job->path, 1, 1};
}

static void job_warn_fit(const ArcJob *job, const ArcFit *fit, bool first)
{
    const char *method = fit->method == ARC_PINN ? "PINN" : "direct";
    if (!fit->converged && arc_stop_is_converged(fit->stop))
        arc_output_warning(job_place(job, NULL),
                           "the %s fit did not converge (%s): its steps came to rest, but %s",
                           method, arc_stop_text(fit->stop),
                           fit->stop_note != NULL ? fit->stop_note
                                                  : "its net does not follow the equations; give "
                                                    "it other stages or another net");
    else if (!fit->converged)
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

/* What only single flights have: the first that is unidentified, or not converged, and how many. */
static void job_warn_flights(const ArcJob *job, const ArcFit *fit)
{
    const char *method = fit->method == ARC_PINN ? "PINN" : "direct";
    const char *word = job->result->model_text != NULL ? "run" : "flight";
    int n_unknown = 0, n_open = 0, unknown = 0, open = 0;
    for (int f = fit->n_flights - 1; f >= 0; f--) {
        const ArcFit *flight = &fit->flights[f];
        if (flight->n_unidentified > fit->n_unidentified) {
            unknown = f;
            n_unknown++;
        }
        if (!flight->converged && arc_stop_is_converged(fit->stop)) {
            open = f;
            n_open++;
        }
    }
    const ArcFit *flight = n_unknown > 0 ? &fit->flights[unknown] : NULL;
    for (int p = 0; flight != NULL && p < flight->n_parameters; p++)
        if (flight->parameters[p].status == ARC_PARAMETER_UNIDENTIFIED)
            arc_output_warning(job_place(job, flight->parameters[p].name),
                               "'%s' is unidentified in %d of %d %ss (%s), the first is %s %d: %s",
                               flight->parameters[p].name, n_unknown, fit->n_flights, word, method,
                               word, unknown + 1, flight->parameters[p].reason);
    if (n_open > 0)
        arc_output_warning(job_place(job, NULL),
                           "the nets of %d of %d %ss do not follow the equations, the first is "
                           "that of %s %d (%s); look at its points, or give another net",
                           n_open, fit->n_flights, word, word, open + 1, fit->flights[open].flight);
}

static void job_warn_uncertainty(const ArcJob *job, const ArcFit *fit)
{
    const ArcUncertainty *u = fit->uncertainty;
    const char *method = fit->method == ARC_PINN ? "PINN" : "direct";
    if (u == NULL)
        return;
    if (u->note != NULL)
        arc_output_warning(job_place(job, NULL), "what was asked of the %s fit's uncertainty: %s",
                           method, u->note);
    if (u->bootstrap != NULL && u->bootstrap->n_failed > 0)
        arc_output_warning(job_place(job, NULL), "%d of %d fits of the bootstrap failed (%s)",
                           u->bootstrap->n_failed, u->bootstrap->n, method);
    if (u->samples != NULL && !u->samples->believable)
        arc_output_warning(job_place(job, NULL),
                           "the Markov chains have not come together: R-hat above %.2f, or fewer "
                           "than %.0f independent draws",
                           ARC_SAMPLES_R_HAT, ARC_SAMPLES_ESS);
}

/* A net of another shape cannot be started from. */
static void job_warn_warm_start(const ArcJob *job, const ArcFittedNet *from)
{
    const ArcFit *fit = pinn_of(job->result);
    const ArcNetSettings *a = &from->settings;
    const ArcNetSettings *b = fit == NULL ? a : &fit->net.settings;
    if (!arc_net_settings_have_same_shape(a, b))
        arc_output_warning(job_place(job, NULL),
                           "the net of --warm-start has another shape than this fit's; only its "
                           "parameters were a start");
}

/* The gravest of what a diagnosis of the points finds, where the model does not explain them; of
 * several flights it is about the least likely one. */
static void job_warn_diagnosis(const ArcJob *job)
{
    ArcError err;
    ArcDiagnosis worst = {.n_warnings = 0};
    const ArcResult *result = job->result;
    const ArcExperiment *experiment = job->experiment;
    int n = result->n_flights > 0 ? result->n_flights : 1, flight = 0;
    if (experiment == NULL || experiment->equations != NULL)
        return;
    for (int f = 0; f < n; f++) {
        const ArcCapture *capture = result->n_flights > 0 ? result->flights[f] : result->capture;
        ArcDiagnosis found;
        ArcOpen open = arc_experiment_open(experiment, capture);
        if (arc_diagnosis_create(capture, &experiment->flight, !experiment->capture.sigma_estimated,
                                 &open, &found, &err) != ARC_OK)
            return;
        if (found.n_warnings == 0 ||
            (worst.n_warnings > 0 && worst.warnings[0].finding <= found.warnings[0].finding))
            continue;
        worst = found;
        flight = f;
    }
    if (worst.n_warnings == 0 || worst.warnings[0].finding >= ARC_FINDING_LARGE_NOISE)
        return;
    char *text = NULL, number[32] = "";
    const ArcCapture *capture = result->n_flights > 0 ? result->flights[flight] : result->capture;
    if (n > 1)
        snprintf(number, sizeof number, "flight %d: ", flight + 1);
    if (arc_report_warning_text(capture, &experiment->flight, &worst, 0, &text, &err) == ARC_OK)
        arc_output_warning(job_place(job, NULL), "%s%s: %s", number,
                           arc_finding_code(worst.warnings[0].finding), text);
    arc_text_free(text);
}

void arc_jobs_warn(const ArcJob *job)
{
    const ArcResult *result = job->result;
    if (job->warm != NULL)
        job_warn_warm_start(job, &pinn_of(job->warm)->net);
    for (int i = 0; i < result->n_fits; i++) {
        job_warn_fit(job, result->fits[i], i == 0);
        job_warn_flights(job, result->fits[i]);
        job_warn_uncertainty(job, result->fits[i]);
    }
    if (result->comparison.verdict == ARC_VERDICT_MISFIT) {
        arc_output_warning(job_place(job, NULL), "misfit: the model does not explain the data");
        job_warn_diagnosis(job);
    }
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
        arc_result_free(jobs[i].warm);
        arc_experiment_free(jobs[i].experiment);
        free(jobs[i].out);
    }
    free(jobs);
}
