/* How often 95 % intervals hold the truth, over simulated captures.
 *
 *   coverage [--captures N] [--bootstrap-captures N] [--threads N] [--case NAME] FOLDER
 *
 * A case is an experiment FOLDER/NAME.yaml as a user would write it. Its `simulate` section says
 * how captures are made of it, its `fit.seed` from which random numbers; the truth behind them are
 * parameters drawn from their priors, and the values given here for those without. Capture i
 * depends on the case and i alone, so the table is the same for any number of threads. Both methods
 * fit each capture; every free parameter and every derived number has a row:
 *
 *   | case | number | share inside by the PINN % | by the direct fit % | truth below, above % |
 *
 * and at the end each case a line: the numbers that are covered least and most, and how far apart
 * the two methods' estimates of any capture are at most, in standard deviations. below and above
 * are the direct fit's: an interval that is only displaced misses on one side. An interval that a
 * fit does not give (not identified, no landing) counts as a miss. A case with `fit.bootstrap` is
 * judged by that, which takes long: --bootstrap-captures sets how many captures such cases have.
 *
 * The binomial standard error of a share of 95 % over 4,000 is 0.34 %. A row fails where its share
 * is further from 95 % than 1.5 %, at N captures 1.5 % sqrt(4000 / N); the program then ends with
 * 1.
 */
#include "arcfit/fit.h"
#include "arcfit/simulate.h"
#include "arcfit/uncertainty.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPTURES = 4000, MAX_ROWS = 40, MAX_TRUTHS = 16, METHODS = 2 };

typedef struct Case {
    const char *name;
    const char *truth[MAX_TRUTHS]; /* as for --set; up to a NULL */
} Case;

/* In SI. The free throw: 7.35 m/s at 52 degrees from 2.13 m; a table-tennis stroke. */
#define VALUE(name, value) "parameters." #name "=" #value
#define THROW_PLANE VALUE(x0, 0), VALUE(y0, 2.13), VALUE(vx0, 4.525), VALUE(vy0, 5.792)
#define THROW_SPACE                                                                                \
    VALUE(x0, 0), VALUE(y0, 0.1), VALUE(z0, 2.13), VALUE(vx0, 4.525), VALUE(vy0, 0.2),             \
        VALUE(vz0, 5.792)
#define STROKE                                                                                     \
    VALUE(x0, -1.4), VALUE(y0, 0.1), VALUE(z0, 0.3), VALUE(vx0, 6), VALUE(vy0, -0.5), VALUE(vz0, 2)

/* Links 3 mm longer and 4 mm shorter than drawn, let go at -57 and 35 degrees; a ball at 7.7 m/s.
 */
#define ARM                                                                                        \
    VALUE(l1, 0.503), VALUE(l2, 0.396), VALUE(t0, 0), VALUE(theta1, -0.9948),                      \
        VALUE(theta2, 0.6109), VALUE(omega1, 10.9), VALUE(omega2, -4.6)

static const Case cases[] = {
    {"plane-4", {THROW_PLANE}},
    {"plane-6", {THROW_PLANE, VALUE(cd, 0.5)}},
    {"plane-12", {THROW_PLANE, VALUE(cd, 0.5)}},
    {"space-10", {THROW_SPACE, VALUE(cd, 0.5)}},
    {"space-spin", {STROKE, VALUE(cd, 0.47)}},
    {"space-throw-spin", {THROW_SPACE}},
    {"huber-100", {THROW_PLANE, VALUE(cd, 0.5)}},
    {"huber-20", {THROW_PLANE, VALUE(cd, 0.5)}},
    {"sigma-12", {THROW_PLANE, VALUE(cd, 0.5)}},
    {"cameras-two", {THROW_SPACE, VALUE(right.time_offset, 0.0037)}},
    {"cameras-sigma",
     {THROW_SPACE, VALUE(right.time_offset, 0.0037), VALUE(left.sigma, 0.7),
      VALUE(right.sigma, 1.6)}},
    {"camera-one", {THROW_SPACE}},
    {"arm-swing",
     {ARM, VALUE(torque1_1, -8), VALUE(torque1_2, 130), VALUE(torque1_3, -75), VALUE(torque2_1, 2),
      VALUE(torque2_2, 29), VALUE(torque2_3, -5)}},
    {"arm-encoders",
     {ARM, "arm.joints.0.torque.values=[-10, 10, 30, 45, 48, 36]",
      "arm.joints.1.torque.values=[2, 6, 13, 22, 26, 26]"}},
    {"arm-time", {ARM}},
    {"arm-rates", {ARM}},
    {"fitzhugh-nagumo", {VALUE(a, 0.2), VALUE(b, 0.2), VALUE(c, 3), VALUE(V0, -1), VALUE(R0, 1)}},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

/* Where a truth lies. */
typedef enum Side { SIDE_INSIDE, SIDE_BELOW, SIDE_ABOVE, SIDE_NONE } Side;

/* What is known of a case after its captures; a row is a number with an interval. */
typedef struct Tally {
    int n_captures, n_rows;
    char names[MAX_ROWS][24];
    int n[METHODS][MAX_ROWS][SIDE_NONE + 1];
    int not_converged[METHODS];
    double apart_sd; /* of the methods, over all captures and free parameters */
} Tally;

typedef struct Options {
    int captures, bootstrap_captures, threads;
    const char *only;
    const char *folder;
} Options;

static void die(const char *what)
{
    fprintf(stderr, "coverage: %s\n", what);
    exit(2);
}

static const ArcEstimate *find(int n, const ArcEstimate *estimates, const char *name)
{
    for (int k = 0; k < n; k++)
        if (strcmp(estimates[k].name, name) == 0)
            return &estimates[k];
    return NULL;
}

/* The free parameters and derived numbers of a fit become rows, once. */
static void tally_name(Tally *tally, const ArcFit *fit)
{
    if (tally->n_rows > 0)
        return;
    for (int k = 0; k < fit->n_parameters; k++)
        if (fit->parameters[k].status != ARC_PARAMETER_FIXED)
            snprintf(tally->names[tally->n_rows++], 24, "%s", fit->parameters[k].name);
    for (int k = 0; k < fit->n_derived; k++)
        snprintf(tally->names[tally->n_rows++], 24, "%s", fit->derived[k].name);
}

/* The 95 % interval of a number as results show it: by bootstrap-t where there is one. */
static const double *interval_of(const ArcFit *fit, const ArcEstimate *e)
{
    const ArcBootstrap *bootstrap = fit->uncertainty == NULL ? NULL : fit->uncertainty->bootstrap;
    for (int k = 0; bootstrap != NULL && k < bootstrap->n_numbers; k++)
        if (strcmp(bootstrap->numbers[k].name, e->name) == 0)
            return bootstrap->numbers[k].t95;
    return e->ci95;
}

static void tally_add(Tally *tally, const ArcFit *fit, const ArcFit *truth)
{
    tally->not_converged[fit->method] += !fit->converged;
    for (int row = 0; row < tally->n_rows; row++) {
        const char *name = tally->names[row];
        const ArcEstimate *e = find(fit->n_parameters, fit->parameters, name);
        const ArcEstimate *t = find(truth->n_parameters, truth->parameters, name);
        if (e == NULL) {
            e = find(fit->n_derived, fit->derived, name);
            t = find(truth->n_derived, truth->derived, name);
        }
        Side side = SIDE_NONE;
        const double *interval = e == NULL ? NULL : interval_of(fit, e);
        if (e != NULL && t != NULL && interval[0] < interval[1])
            side = t->value < interval[0]   ? SIDE_BELOW
                   : t->value > interval[1] ? SIDE_ABOVE
                                            : SIDE_INSIDE;
        tally->n[fit->method][row][side]++;
    }
}

/* How far apart the estimates of one capture are. */
static double apart(const ArcFit *pinn, const ArcFit *direct)
{
    double most = 0;
    for (int k = 0; k < direct->n_parameters; k++) {
        const ArcEstimate *a = &pinn->parameters[k], *b = &direct->parameters[k];
        double off = b->free_index < 0 ? 0 : fabs(a->value - b->value) / b->sd;
        most = fmax(most, off);
    }
    return most;
}

/* A case at work: its experiment as the fits have it, and as the truth has it. */
typedef struct Study {
    ArcExperiment *experiment, *truth;
    int n_times;
    double *times_s;
} Study;

static Study study_open(const Case *c, const char *folder)
{
    ArcError err;
    char path[4096];
    int n = 0;
    Study study = {0};
    snprintf(path, sizeof path, "%s/%s.yaml", folder, c->name);
    while (n < MAX_TRUTHS && c->truth[n] != NULL)
        n++;
    ArcStatus status = arc_experiment_read(path, 0, NULL, &study.experiment, &err);
    if (status == ARC_OK)
        status = arc_experiment_read(path, n, c->truth, &study.truth, &err);
    if (status == ARC_OK)
        status = arc_simulate_times(study.truth, &study.truth->simulate, &study.n_times,
                                    &study.times_s, &err);
    if (status != ARC_OK)
        die(err.text);
    return study;
}

static void study_close(Study *study)
{
    free(study->times_s);
    arc_experiment_free(study->truth);
    arc_experiment_free(study->experiment);
}

/* The numbers of capture i as a fit that starts from the truth, and takes no step, has them. */
static ArcStatus know(const Study *study, const ArcSimulateSettings *settings,
                      const ArcCapture *capture, ArcFit **known, ArcError *err)
{
    double values[ARC_MAX_PARAMETERS];
    ArcExperiment experiment = *study->experiment; /* shares the original's memory */
    ArcProblem *problem = NULL;
    ArcStatus status = arc_simulate_truth(study->truth, settings, values, err);
    for (int k = 0; k < experiment.n_parameters; k++) {
        experiment.parameters[k].start = values[k];
        experiment.parameters[k].has_start = true;
    }
    if (status == ARC_OK)
        status = arc_problem_create(&experiment, capture, &problem, err);
    if (status == ARC_OK)
        status = arc_fit_forecast(problem, known, err);
    arc_problem_free(problem);
    return status;
}

/* Fits capture i by both methods. */
static void run_capture(const Study *study, int i, ArcFit *fits[METHODS], ArcFit **known)
{
    ArcError err;
    ArcCapture *capture = NULL;
    ArcProblem *problem = NULL;
    ArcSimulateSettings settings = study->truth->simulate;
    settings.replica = (uint64_t)i + 1;
    settings.draw = true;
    ArcStatus status = arc_simulate_capture(study->truth, study->n_times, study->times_s, settings,
                                            &capture, &err);
    if (status == ARC_OK)
        status = know(study, &settings, capture, known, &err);
    if (status == ARC_OK)
        status = arc_problem_create(study->experiment, capture, &problem, &err);
    for (int method = 0; method < METHODS && status == ARC_OK; method++) {
        status = arc_fit_run(problem, (ArcMethod)method, NULL, &fits[method], &err);
        if (status == ARC_OK)
            status = arc_uncertainty_run(problem, &study->experiment->uncertainty, NULL,
                                         fits[method], &err);
    }
    if (status != ARC_OK)
        die(err.text);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

static Tally run_case(const Case *c, const Options *options)
{
    Study study = study_open(c, options->folder);
    bool is_bootstrap = study.experiment->uncertainty.bootstrap > 0;
    int n = is_bootstrap ? options->bootstrap_captures : options->captures;
    Tally tally = {.n_captures = n};
#pragma omp parallel for schedule(dynamic, 16) num_threads(options->threads)
    for (int i = 0; i < n; i++) {
        ArcFit *fits[METHODS] = {NULL}, *known = NULL;
        run_capture(&study, i, fits, &known);
#pragma omp critical
        {
            tally_name(&tally, known);
            for (int method = 0; method < METHODS; method++)
                tally_add(&tally, fits[method], known);
            tally.apart_sd = fmax(tally.apart_sd, apart(fits[ARC_PINN], fits[ARC_DIRECT]));
        }
        for (int method = 0; method < METHODS; method++)
            arc_fit_free(fits[method]);
        arc_fit_free(known);
    }
    study_close(&study);
    return tally;
}

static double share(const Tally *tally, int n)
{
    return 100.0 * n / tally->n_captures;
}

/* Prints the rows of a case; returns how many fail. */
static int print_case(const Case *c, const Tally *tally)
{
    double allowed = 1.5 * sqrt((double)CAPTURES / tally->n_captures);
    int failed = 0;
    for (int row = 0; row < tally->n_rows; row++) {
        const int(*n)[MAX_ROWS][SIDE_NONE + 1] = tally->n;
        double pinn = share(tally, n[ARC_PINN][row][SIDE_INSIDE]);
        double direct = share(tally, n[ARC_DIRECT][row][SIDE_INSIDE]);
        bool off = fabs(pinn - 95.0) > allowed || fabs(direct - 95.0) > allowed;
        failed += off;
        printf("| %s | %s | %.2f | %.2f | %.2f, %.2f |%s\n", c->name, tally->names[row], pinn,
               direct, share(tally, n[ARC_DIRECT][row][SIDE_BELOW]),
               share(tally, n[ARC_DIRECT][row][SIDE_ABOVE]), off ? " outside" : "");
    }
    fflush(stdout);
    return failed;
}

/* One line of a case: of all its numbers by a method the lowest and the highest share. */
static void print_summary(const Case *c, const Tally *tally)
{
    printf("| %s | %d | %d |", c->name, tally->n_captures, tally->n_rows);
    for (int method = 0; method < METHODS; method++) {
        int low = 0, high = 0;
        for (int row = 1; row < tally->n_rows; row++) {
            const int(*n)[SIDE_NONE + 1] = tally->n[method];
            low = n[row][SIDE_INSIDE] < n[low][SIDE_INSIDE] ? row : low;
            high = n[row][SIDE_INSIDE] > n[high][SIDE_INSIDE] ? row : high;
        }
        printf(" %.2f (%s) | %.2f (%s) |", share(tally, tally->n[method][low][SIDE_INSIDE]),
               tally->names[low], share(tally, tally->n[method][high][SIDE_INSIDE]),
               tally->names[high]);
    }
    printf(" %.2f | %d, %d | %.2g |\n", 100.0 * sqrt(0.95 * 0.05 / tally->n_captures),
           tally->not_converged[ARC_PINN], tally->not_converged[ARC_DIRECT], tally->apart_sd);
}

static int positive(const char *text)
{
    int n = text == NULL ? 0 : atoi(text);
    if (n < 1)
        die("--captures, --bootstrap-captures and --threads need a number from 1 on");
    return n;
}

static bool is_wanted(const Options *options, const Case *c)
{
    return options->only == NULL || strcmp(options->only, c->name) == 0;
}

static Options read_options(int n, char **words)
{
    Options options = {CAPTURES, 0, omp_get_max_threads(), NULL, NULL};
    int known = 0;
    for (int i = 1; i < n; i++) {
        if (strcmp(words[i], "--captures") == 0)
            options.captures = positive(words[++i]);
        else if (strcmp(words[i], "--bootstrap-captures") == 0)
            options.bootstrap_captures = positive(words[++i]);
        else if (strcmp(words[i], "--threads") == 0)
            options.threads = positive(words[++i]);
        else if (strcmp(words[i], "--case") == 0)
            options.only = words[++i];
        else
            options.folder = words[i];
    }
    if (options.bootstrap_captures == 0)
        options.bootstrap_captures = options.captures;
    if (options.folder == NULL)
        die("usage: coverage [--captures N] [--bootstrap-captures N] [--threads N] "
            "[--case NAME] FOLDER");
    for (int i = 0; i < N_CASES; i++)
        known += is_wanted(&options, &cases[i]);
    if (known == 0) {
        fprintf(stderr, "coverage: there is no case '%s'; there are", options.only);
        for (int i = 0; i < N_CASES; i++)
            fprintf(stderr, " %s", cases[i].name);
        fprintf(stderr, "\n");
        exit(2);
    }
    return options;
}

int main(int n, char **words)
{
    static Tally tallies[N_CASES];
    Options options = read_options(n, words);
    int failed = 0;
    printf("| case | number | PINN %% | direct %% | truth below, above %% |\n"
           "| --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < N_CASES; i++) {
        if (!is_wanted(&options, &cases[i]))
            continue;
        tallies[i] = run_case(&cases[i], &options);
        failed += print_case(&cases[i], &tallies[i]);
    }
    printf("\n| case | captures | numbers | PINN: least %% | most | direct: least %% | most | "
           "standard error %% | not converged | PINN - direct, sd |\n"
           "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < N_CASES; i++)
        if (is_wanted(&options, &cases[i]))
            print_summary(&cases[i], &tallies[i]);
    printf("\n%d outside\n", failed);
    return failed > 0;
}
