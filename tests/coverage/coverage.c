/* How often 95 % intervals hold the truth, over simulated captures.
 *
 *   coverage [--captures N] [--threads N] [--case NAME] FOLDER
 *
 * A case is an experiment FOLDER/NAME.yaml as a user would write it, and the truth behind its
 * captures: parameters with a prior are drawn from it, the others are given here. Capture i of a
 * case has its noise from a seed that depends on the case and on i alone, so the table is the same
 * for any number of threads. Both methods fit each capture; every free parameter and every derived
 * number has a row:
 *
 *   | case | number | share inside by the PINN %% | by the direct fit % | truth below, above % |
 *
 * below and above are the direct fit's: an interval that is only displaced misses on one side. An
 * interval that a fit does not give (not identified, no landing) counts as a miss.
 *
 * The binomial standard error of a share of 95 % over 4,000 is 0.34 %. A row fails where its share
 * is further from 95 % than 1.5 %, at N captures 1.5 % sqrt(4000 / N); the program then ends with
 * 1.
 */
#include "arcfit/fit.h"
#include "arcfit/simulate.h"

#include "base/random.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPTURES = 4000, MAX_ROWS = 40, MAX_POINTS = 100, METHODS = 2 };

/* Stream of the truths, beside those of base/random.h. */
enum { STREAM_TRUTH = 100 };

typedef struct Truth {
    const char *name;
    double value; /* SI */
} Truth;

typedef struct Case {
    const char *name;
    int n_points;
    double span_s;
    double sigma_m;
    Truth truth[8]; /* of what has no prior and is not fixed; up to a name of NULL */
} Case;

/* The free throw: 7.35 m/s at 52 degrees from 2.13 m. */
#define THROW_PLANE                                                                                \
    {"x0", 0.0}, {"y0", 2.13}, {"vx0", 4.525},                                                     \
    {                                                                                              \
        "vy0", 5.792                                                                               \
    }
#define THROW_SPACE                                                                                \
    {"x0", 0.0}, {"y0", 0.1}, {"z0", 2.13}, {"vx0", 4.525}, {"vy0", 0.2},                          \
    {                                                                                              \
        "vz0", 5.792                                                                               \
    }

static const Case cases[] = {
    {"plane-4", 4, 0.9, 0.003, {THROW_PLANE}},
    {"plane-6", 6, 0.9, 0.003, {THROW_PLANE, {"cd", 0.5}}},
    {"plane-12", 12, 0.9, 0.003, {THROW_PLANE, {"cd", 0.5}}},
    {"space-10", 10, 0.9, 0.003, {THROW_SPACE, {"cd", 0.5}}},
    {"space-spin",
     30,
     0.5,
     0.003,
     {{"x0", -1.4}, {"y0", 0.1}, {"z0", 0.3}, {"vx0", 6}, {"vy0", -0.5}, {"vz0", 2}, {"cd", 0.47}}},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

/* Where a truth lies. */
typedef enum Side { SIDE_INSIDE, SIDE_BELOW, SIDE_ABOVE, SIDE_NONE } Side;

/* What is known of a case after its captures; a row is a number with an interval. */
typedef struct Tally {
    int n_rows;
    char names[MAX_ROWS][24];
    int n[METHODS][MAX_ROWS][SIDE_NONE + 1];
    int not_converged[METHODS];
} Tally;

typedef struct Options {
    int captures, threads;
    const char *only;
    const char *folder;
} Options;

static void die(const char *what)
{
    fprintf(stderr, "coverage: %s\n", what);
    exit(2);
}

static double truth_of(const Case *c, const ArcParameter *parameter, ArcRandom *random)
{
    if (!parameter->is_free)
        return parameter->start;
    if (parameter->has_prior)
        return parameter->prior_mean + parameter->prior_sd * arc_random_normal(random);
    for (const Truth *t = c->truth; t < c->truth + 8 && t->name != NULL; t++)
        if (strcmp(t->name, parameter->name) == 0)
            return t->value;
    fprintf(stderr, "coverage: case %s has no truth for %s\n", c->name, parameter->name);
    exit(2);
}

/* A copy of the experiment that starts from the truth of capture i; it shares the original's
 * memory. */
static ArcExperiment experiment_of_truth(const Case *c, const ArcExperiment *experiment, int i)
{
    ArcExperiment truth = *experiment;
    truth.seed = (uint64_t)(c - cases + 1) * 1000000 + (uint64_t)i;
    ArcRandom random = arc_random_create(truth.seed, STREAM_TRUTH);
    for (int k = 0; k < truth.n_parameters; k++) {
        truth.parameters[k].start = truth_of(c, &truth.parameters[k], &random);
        truth.parameters[k].has_start = true;
    }
    return truth;
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
        if (fit->parameters[k].free_index >= 0)
            snprintf(tally->names[tally->n_rows++], 24, "%s", fit->parameters[k].name);
    for (int k = 0; k < fit->n_derived; k++)
        snprintf(tally->names[tally->n_rows++], 24, "%s", fit->derived[k].name);
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
        if (e != NULL && t != NULL && isfinite(e->sd))
            side = t->value < e->ci95[0]   ? SIDE_BELOW
                   : t->value > e->ci95[1] ? SIDE_ABOVE
                                           : SIDE_INSIDE;
        tally->n[fit->method][row][side]++;
    }
}

static ArcCapture *simulate(const Case *c, const ArcExperiment *truth)
{
    ArcError err;
    ArcCapture *capture = NULL;
    double t_s[MAX_POINTS];
    for (int i = 0; i < c->n_points; i++)
        t_s[i] = c->span_s * i / (c->n_points - 1);
    ArcSimulateSettings settings = arc_simulate_settings_default();
    settings.sigma_m = c->sigma_m;
    if (arc_simulate_capture(truth, c->n_points, t_s, settings, &capture, &err) != ARC_OK)
        die(err.text);
    return capture;
}

static ArcProblem *problem_of(const ArcExperiment *experiment, const ArcCapture *capture)
{
    ArcError err;
    ArcProblem *problem = NULL;
    if (arc_problem_create(experiment, capture, &problem, &err) != ARC_OK)
        die(err.text);
    return problem;
}

/* Fits capture i by both methods. */
static void run_capture(const Case *c, const ArcExperiment *experiment, int i, ArcFit *fits[2],
                        ArcFit **truth_fit)
{
    ArcError err;
    ArcExperiment truth = experiment_of_truth(c, experiment, i);
    ArcCapture *capture = simulate(c, &truth);
    ArcProblem *known = problem_of(&truth, capture), *problem = problem_of(experiment, capture);
    ArcStatus status = arc_fit_forecast(known, truth_fit, &err);
    for (int method = 0; method < METHODS && status == ARC_OK; method++)
        status = arc_fit_run(problem, method, NULL, &fits[method], &err);
    if (status != ARC_OK)
        die(err.text);
    arc_problem_free(known);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

static Tally run_case(const Case *c, const Options *options)
{
    ArcError err;
    char path[4096];
    ArcExperiment *experiment = NULL;
    Tally tally = {0};
    snprintf(path, sizeof path, "%s/%s.yaml", options->folder, c->name);
    if (arc_experiment_read(path, 0, NULL, &experiment, &err) != ARC_OK)
        die(err.text);
#pragma omp parallel for schedule(dynamic, 16) num_threads(options->threads)
    for (int i = 0; i < options->captures; i++) {
        ArcFit *fits[METHODS] = {NULL}, *truth = NULL;
        run_capture(c, experiment, i, fits, &truth);
#pragma omp critical
        {
            tally_name(&tally, truth);
            for (int method = 0; method < METHODS; method++)
                tally_add(&tally, fits[method], truth);
        }
        for (int method = 0; method < METHODS; method++)
            arc_fit_free(fits[method]);
        arc_fit_free(truth);
    }
    arc_experiment_free(experiment);
    return tally;
}

static double share(const Options *options, int n)
{
    return 100.0 * n / options->captures;
}

/* Prints the rows of a case; returns how many fail. */
static int print_case(const Case *c, const Tally *tally, const Options *options)
{
    double allowed = 1.5 * sqrt((double)CAPTURES / options->captures);
    int failed = 0;
    for (int row = 0; row < tally->n_rows; row++) {
        const int(*n)[MAX_ROWS][SIDE_NONE + 1] = tally->n;
        double pinn = share(options, n[ARC_PINN][row][SIDE_INSIDE]);
        double direct = share(options, n[ARC_DIRECT][row][SIDE_INSIDE]);
        bool off = fabs(pinn - 95.0) > allowed || fabs(direct - 95.0) > allowed;
        failed += off;
        printf("| %s | %s | %.2f | %.2f | %.2f, %.2f |%s\n", c->name, tally->names[row], pinn,
               direct, share(options, n[ARC_DIRECT][row][SIDE_BELOW]),
               share(options, n[ARC_DIRECT][row][SIDE_ABOVE]), off ? " outside" : "");
    }
    if (tally->not_converged[ARC_PINN] + tally->not_converged[ARC_DIRECT] > 0)
        printf("%s: %d fits by the PINN did not converge, %d direct ones\n", c->name,
               tally->not_converged[ARC_PINN], tally->not_converged[ARC_DIRECT]);
    fflush(stdout);
    return failed;
}

static int positive(const char *text)
{
    int n = text == NULL ? 0 : atoi(text);
    if (n < 1)
        die("--captures and --threads need a number from 1 on");
    return n;
}

static bool is_wanted(const Options *options, const Case *c)
{
    return options->only == NULL || strcmp(options->only, c->name) == 0;
}

static Options read_options(int n, char **words)
{
    Options options = {CAPTURES, omp_get_max_threads(), NULL, NULL};
    int known = 0;
    for (int i = 1; i < n; i++) {
        if (strcmp(words[i], "--captures") == 0)
            options.captures = positive(words[++i]);
        else if (strcmp(words[i], "--threads") == 0)
            options.threads = positive(words[++i]);
        else if (strcmp(words[i], "--case") == 0)
            options.only = words[++i];
        else
            options.folder = words[i];
    }
    if (options.folder == NULL)
        die("usage: coverage [--captures N] [--threads N] [--case NAME] FOLDER");
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
    Options options = read_options(n, words);
    int failed = 0;
    printf("| case | number | PINN %% | direct %% | truth below, above %% |\n"
           "| --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < N_CASES; i++) {
        if (!is_wanted(&options, &cases[i]))
            continue;
        Tally tally = run_case(&cases[i], &options);
        failed += print_case(&cases[i], &tally, &options);
    }
    printf("%d outside\n", failed);
    return failed > 0;
}
