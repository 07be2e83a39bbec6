/* What both methods make of real captures, as tables in Markdown.
 *
 *   real_flights FOLDER SET CAPTURE...
 *   real_flights FOLDER found EXPERIMENT NAME|KEY=VALUE|...
 *   real_flights FOLDER release EXPERIMENT NAME|KEY=VALUE|...
 *
 * The second form prints what `arcfit check` finds in captures before any model is fitted, the
 * third the release by both methods with standard deviations, a line each: FOLDER/EXPERIMENT.yaml
 * with these keys set says which. What begins the longest stretch of free flight stands beside it.
 *
 * SET is an experiment FOLDER/SET.yaml, which says how a capture of that set is fitted, and has a
 * row of variants here. Each capture is fitted by each variant: a line with the free coefficients
 * and their 95 % half-widths, how well the flight fits, what the verdict is, where the flight
 * leaves its equations, and how many coordinates are outliers. Captures named alike up to their
 * last "_" are repetitions; of each such group there is a line of means, scatter between flights,
 * the median sd that single flights claim, and the chance of such scatter by those sds alone:
 *   chi2 = sum ((p_i - m) / sd_i)^2,  m = sum(p_i / sd_i^2) / sum(1 / sd_i^2),  n - 1 degrees.
 *
 * A variant may free gravity, its size and its tilt: what tilted or stretched axes of the cameras
 * look like. The tilt as a whole is printed beside its components.
 */
#include "arcfit/diagnosis.h"
#include "arcfit/ranking.h"
#include "arcfit/result.h"

#include "solve/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OVERRIDES = 12, MAX_VARIANTS = 6, MAX_FLIGHTS = 64, MAX_NUMBERS = 8 };

/* A way to fit the captures of a set. */
typedef struct Variant {
    const char *name; /* of the end of the list: NULL */
    const char *overrides[MAX_OVERRIDES];
} Variant;

typedef struct Set {
    const char *name;
    Variant variants[MAX_VARIANTS];
    Variant ranked[MAX_VARIANTS]; /* models that compete, for the first capture of each group */
} Set;

#define NO_LIFT "flight.lift=none"
#define GRAVITY "parameters.gravity=free"
#define LEANING GRAVITY, "parameters.tilt_x=free", "parameters.tilt_y=free"
#define EARLY "capture.window=[0, 0.49]" /* before any bounce */
#define ESTIMATE "capture.sigma=estimate"
#define HUBER "fit.loss=huber"
#define CAUCHY "fit.loss=cauchy"

static const Set sets[] = {
    {"table-tennis-launcher",
     {{"drag", {NO_LIFT}},
      {"drag, lift", {0}},
      {"drag, lift, to 0.49 s", {EARLY}},
      {"the same; sigma estimated, huber", {EARLY, ESTIMATE, HUBER}},
      {"drag, to 0.49 s, gravity free", {NO_LIFT, EARLY, LEANING}}},
     {{"vacuum", {"flight.drag=none", NO_LIFT}},
      {"lumped drag", {NO_LIFT}},
      {"lumped drag and lift", {0}},
      {"smooth sphere (morrison)", {"flight.drag=morrison", "flight.ball=table-tennis"}},
      {"drag crisis (logistic)", {"flight.drag=logistic", "flight.ball=table-tennis"}}}},
    {"table-tennis-bounce",
     {{"drag, lift, bounce", {0}}, {"the same; sigma estimated, huber", {ESTIMATE, HUBER}}},
     {{0}}},
    {"juggling-robot",
     {{"drag", {NO_LIFT}},
      {"drag, lift", {0}},
      {"drag; sigma estimated, cauchy", {NO_LIFT, ESTIMATE, CAUCHY}},
      {"drag, gravity free", {NO_LIFT, LEANING}}},
     {{"vacuum", {"flight.drag=none", NO_LIFT}},
      {"lumped drag", {NO_LIFT}},
      {"smooth sphere (morrison)", {"flight.drag=morrison", NO_LIFT}},
      {"lumped drag and lift", {0}}}},
    {"table-tennis-3cam",
     {{"drag", {NO_LIFT}},
      {"drag, lift", {0}},
      {"drag, lift; sigma estimated, huber", {ESTIMATE, HUBER}},
      {"drag, gravity free", {NO_LIFT, LEANING}}},
     {{"vacuum", {"flight.drag=none", NO_LIFT}},
      {"lumped drag", {NO_LIFT}},
      {"lumped drag and lift", {0}}}},
    {"basketball-pixels",
     {{"drag", {0}},
      {"drag; sigma estimated, cauchy", {ESTIMATE, CAUCHY}},
      {"drag, gravity free", {GRAVITY, "parameters.tilt=free"}},
      {"drag, gravity free, ends cut",
       {GRAVITY, "parameters.tilt=free", "capture.window=[0.05, 1.24]"}}},
     {{0}}},
};
enum { N_SETS = sizeof sets / sizeof sets[0] };

/* What a flight gave by one variant; n_numbers 0: nothing. */
typedef struct Row {
    int n_numbers;
    char names[MAX_NUMBERS][16];
    double values[MAX_NUMBERS], sds[MAX_NUMBERS];
} Row;

static void die(const char *what)
{
    fprintf(stderr, "real_flights: %s\n", what);
    exit(2);
}

static ArcExperiment *open_experiment(const char *path, const char *capture, const Variant *variant)
{
    char file[4200];
    const char *overrides[MAX_OVERRIDES + 1];
    int n = 0;
    ArcError err;
    ArcExperiment *experiment = NULL;
    snprintf(file, sizeof file, "capture.file=%s", capture);
    overrides[n++] = file;
    for (int i = 0; i < MAX_OVERRIDES && variant->overrides[i] != NULL; i++)
        overrides[n++] = variant->overrides[i];
    if (arc_experiment_read(path, n, overrides, &experiment, &err) != ARC_OK)
        die(err.text);
    return experiment;
}

static ArcResult *fit(const ArcExperiment *experiment)
{
    ArcError err;
    ArcResult *result = NULL;
    if (arc_result_create(experiment, 0, NULL, NULL, &result, &err) != ARC_OK)
        die(err.text);
    return result;
}

static Row row_of(const ArcFit *direct)
{
    Row row = {0};
    for (int i = 0; i < direct->n_parameters && row.n_numbers < MAX_NUMBERS; i++) {
        const ArcEstimate *e = &direct->parameters[i];
        if (strcmp(e->name, "t0") == 0)
            break; /* release follows */
        if (e->free_index < 0)
            continue;
        snprintf(row.names[row.n_numbers], sizeof row.names[0], "%s", e->name);
        row.values[row.n_numbers] = e->value;
        row.sds[row.n_numbers++] = e->sd;
    }
    return row;
}

/* What the coefficients came to, with half-widths of their 95 % intervals. */
static void print_numbers(const Row *row, double factor)
{
    double tilt2 = 0;
    bool has_tilt = false;
    for (int i = 0; i < row->n_numbers; i++) {
        printf("%s%s %.*g ± %.2g", i > 0 ? ", " : "", row->names[i],
               strcmp(row->names[i], "gravity") == 0 ? 5 : 4, row->values[i], factor * row->sds[i]);
        if (strncmp(row->names[i], "tilt", 4) != 0)
            continue;
        tilt2 += row->values[i] * row->values[i];
        has_tilt = true;
    }
    if (has_tilt)
        printf(" (tilt %.2f deg)", sqrt(tilt2) / M_PI * 180);
}

static void print_breach(const ArcBreach *breach)
{
    if (!breach->searched) {
        printf("-");
        return;
    }
    printf("%.2g m/s^2 over %.3f to %.3f s, p %s%.2g", breach->size_m_s2, breach->interval_s[0],
           breach->interval_s[1], breach->p <= ARC_BREACH_LEAST_P ? "< " : "", breach->p);
}

static Row fit_variant(const char *path, const char *capture, const char *flight,
                       const Variant *variant)
{
    ArcExperiment *experiment = open_experiment(path, capture, variant);
    ArcResult *result = fit(experiment);
    const ArcFit *direct = arc_result_fit(result, ARC_DIRECT);
    const ArcSpread *spread = &direct->spread;
    Row row = row_of(direct);
    printf("| %s | %s | %d | ", flight, variant->name, direct->residuals.points);
    print_numbers(&row, direct->interval_factor);
    printf(" | %.2f | ", 1e3 * direct->residuals.rms_m);
    if (spread->sigma_estimated)
        printf("%.2f mm", 1e3 * spread->sigma_m);
    else
        printf("%.2g", result->comparison.chi2_p);
    printf(" | %d | %s, %.1g sd | ", spread->n_outliers,
           arc_verdict_text(result->comparison.verdict), result->comparison.max_in_sd);
    print_breach(&result->comparison.physics);
    printf(" |\n");
    fflush(stdout);
    if (arc_result_exit_code(result) != 0)
        row.n_numbers = 0;
    arc_result_free(result);
    arc_experiment_free(experiment);
    return row;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Mean, scatter and consistency of number k over n flights. */
static void print_group(const char *group, const char *variant, int n, const Row *rows, int k)
{
    double mean = 0, square = 0, weights = 0, weighted = 0, chi2 = 0, sds[MAX_FLIGHTS];
    for (int i = 0; i < n; i++) {
        double value = rows[i].values[k], weight = 1 / (rows[i].sds[k] * rows[i].sds[k]);
        sds[i] = rows[i].sds[k];
        mean += value / n;
        weights += weight;
        weighted += weight * value;
    }
    for (int i = 0; i < n; i++) {
        double value = rows[i].values[k], off = (value - weighted / weights) / rows[i].sds[k];
        square += (value - mean) * (value - mean);
        chi2 += off * off;
    }
    qsort(sds, (size_t)n, sizeof *sds, ascending);
    printf("| %s | %s | %s | %d | %.4g | %.2g | %.2g | %.2g |\n", group, variant, rows[0].names[k],
           n, mean, sqrt(square / (n - 1)), sds[n / 2], arc_statistics_chi2_p(chi2, n - 1));
}

/* The capture's file name without folder and ending. */
static void flight_name(char name[128], const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(name, 128, "%s", slash != NULL ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot != NULL)
        *dot = '\0';
}

/* How many of the flights from the first on belong together. */
static int group_size(int n, char **captures, char name[128])
{
    int size = 0;
    flight_name(name, captures[0]);
    char *end = strrchr(name, '_');
    if (end != NULL)
        *end = '\0';
    for (char other[128]; size < n; size++) {
        flight_name(other, captures[size]);
        end = strrchr(other, '_');
        if (end != NULL)
            *end = '\0';
        if (strcmp(name, other) != 0)
            break;
    }
    return size > 0 ? size : 1;
}

static void print_ranking(const char *path, const char *capture, const Set *set)
{
    ArcError err;
    ArcRanking *ranking = NULL;
    ArcResult *results[MAX_VARIANTS];
    char flight[128];
    int n = 0;
    for (; n < MAX_VARIANTS && set->ranked[n].name != NULL; n++) {
        ArcExperiment *experiment = open_experiment(path, capture, &set->ranked[n]);
        results[n] = fit(experiment);
        arc_experiment_free(experiment);
    }
    if (n == 0)
        return;
    flight_name(flight, capture);
    if (arc_ranking_create(n, (const ArcResult *const *)results, ARC_DIRECT, &ranking, &err) !=
        ARC_OK)
        die(err.text);
    for (int i = 0; i < ranking->n; i++) {
        const ArcRankedModel *model = &ranking->models[i];
        printf("| %s | %d | %s | %d | %.1f | %.1f | %.2g | %.2f |\n", flight, i + 1,
               set->ranked[model->index].name, model->criteria.k, model->criteria.deviance,
               model->delta, model->weight,
               1e3 * arc_result_fit(results[model->index], ARC_DIRECT)->residuals.rms_m);
    }
    arc_ranking_free(ranking);
    for (int i = 0; i < n; i++)
        arc_result_free(results[i]);
}

/* A table of the groups of more than one flight, where there is one. */
static void print_groups(const Set *set, int n, char **captures, int n_variants,
                         Row rows[MAX_VARIANTS][MAX_FLIGHTS])
{
    char name[128];
    bool is_begun = false;
    for (int i = 0, size; i < n; i += size) {
        size = group_size(n - i, captures + i, name);
        if (size > 1 && !is_begun)
            printf("| group | model | number | flights | mean | scatter | sd claimed | p |\n"
                   "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
        is_begun |= size > 1;
        for (int v = 0; size > 1 && v < n_variants; v++) {
            int least = MAX_NUMBERS;
            for (int j = i; j < i + size; j++)
                least = rows[v][j].n_numbers < least ? rows[v][j].n_numbers : least;
            for (int k = 0; k < least; k++)
                print_group(name, set->variants[v].name, size, &rows[v][i], k);
        }
    }
    if (is_begun)
        printf("\n");
}

static void print_set(const Set *set, const char *path, int n, char **captures)
{
    static Row rows[MAX_VARIANTS][MAX_FLIGHTS];
    char name[128];
    printf("| flight | model | points | coefficients | rms mm | chi2 p, or sigma | outliers | "
           "verdict, PINN - direct | extra acceleration |\n"
           "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    int n_variants = 0;
    for (; n_variants < MAX_VARIANTS && set->variants[n_variants].name != NULL; n_variants++)
        for (int i = 0; i < n; i++) {
            flight_name(name, captures[i]);
            rows[n_variants][i] = fit_variant(path, captures[i], name, &set->variants[n_variants]);
        }
    printf("\n");
    print_groups(set, n, captures, n_variants, rows);
    if (set->ranked[0].name == NULL)
        return;
    printf("| flight | rank | model | free | deviance | AICc behind | weight | rms mm |\n"
           "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < n; i += group_size(n - i, captures + i, name))
        print_ranking(path, captures[i], set);
    printf("\n");
}

/* "a, b" of the codes, "none" without. */
static void print_codes(const ArcDiagnosis *found)
{
    for (int i = 0; i < found->n_warnings; i++)
        printf("%s%s", i == 0 ? "" : ", ", arc_finding_code(found->warnings[i].finding));
    printf("%s |\n", found->n_warnings == 0 ? "none" : "");
}

/* word: NAME|KEY=VALUE|... is taken to pieces. */
static const char *take_word(char *word, int *n, const char *overrides[MAX_OVERRIDES])
{
    const char *name = strtok(word, "|");
    *n = 0;
    for (char *next = strtok(NULL, "|"); next != NULL && *n < MAX_OVERRIDES;)
        overrides[(*n)++] = next, next = strtok(NULL, "|");
    return name;
}

static void print_found(const char *path, char *word)
{
    const char *overrides[MAX_OVERRIDES];
    int n;
    const char *name = take_word(word, &n, overrides);
    ArcError err;
    ArcExperiment *experiment = NULL;
    ArcCapture *capture = NULL;
    ArcDiagnosis found;
    if (arc_experiment_read(path, n, overrides, &experiment, &err) != ARC_OK ||
        arc_capture_read(&experiment->capture, &capture, &err) != ARC_OK ||
        arc_diagnosis_create(capture, &experiment->flight, !experiment->capture.sigma_estimated,
                             NULL, &found, &err) != ARC_OK)
        die(err.text);
    printf("| %s | %d, %d | %.4g |", name, found.n_used, found.stretch.n_points,
           1e3 * found.step_s);
    for (int e = 0; e < capture->dimensions; e++)
        printf("%s %.2g", e == 0 ? "" : ",", 1e3 * found.noise_m[e]);
    printf(" | %.2f, %.2f | %.3f ± %.2g | %.2f ± %.2g | %.4f ± %.2g | ", found.speed_m_s[0],
           found.speed_m_s[1], found.gravity_m_s2, 1.96 * found.gravity_sd_m_s2,
           found.tilt_rad / M_PI * 180, 1.96 * found.tilt_sd_rad / M_PI * 180, found.drag_per_m,
           1.96 * found.drag_sd_per_m);
    print_codes(&found);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

/* What stands before the first point of free flight. */
static const char *beginning(const ArcExperiment *experiment)
{
    static const char *const texts[] = {
        [ARC_END_OF_POINTS] = "begins in flight",
        [ARC_END_GAP] = "gap",
        [ARC_END_BOUNCE] = "bounce",
        [ARC_END_CONTACT] = "held",
    };
    ArcError err;
    ArcCapture *capture = NULL;
    ArcCaptureSettings settings = experiment->capture;
    settings.window_auto = true;
    settings.window_s[0] = -INFINITY;
    settings.window_s[1] = INFINITY;
    if (arc_capture_read(&settings, &capture, &err) != ARC_OK)
        die(err.text);
    const char *text = capture->stretch == NULL ? "-" : texts[capture->stretch->ends[0]];
    arc_capture_free(capture);
    return text;
}

/* A number and its sd, in units of 1 / scale; of what is fixed the number alone. */
static void print_estimate(const ArcEstimate *e, double scale)
{
    if (e->free_index < 0)
        printf(" %.6g |", scale * e->value);
    else
        printf(" %.*f ± %.2g |", scale > 1.0 ? 2 : 4, scale * e->value, scale * e->sd);
}

static void print_release(const char *path, char *word)
{
    const char *overrides[MAX_OVERRIDES];
    int n;
    const char *name = take_word(word, &n, overrides);
    ArcError err;
    ArcExperiment *experiment = NULL;
    if (arc_experiment_read(path, n, overrides, &experiment, &err) != ARC_OK)
        die(err.text);
    ArcResult *result = fit(experiment);
    const ArcFit *direct = arc_result_fit(result, ARC_DIRECT);
    int t0 = experiment->flight.n_parameters, d = direct->dimensions;
    printf("| %s | %d, %s |", name, direct->residuals.points, beginning(experiment));
    print_estimate(&direct->parameters[t0], 1e3);
    for (int c = 1; c <= 2 * d; c++)
        print_estimate(&direct->parameters[t0 + c], c <= d ? 1e3 : 1.0);
    for (int k = 0; k < direct->n_derived; k++)
        if (strcmp(direct->derived[k].name, "release_speed") == 0)
            printf(" %.4f ± %.2g |", direct->derived[k].value, direct->derived[k].sd);
    printf(" %.2f | %s, %.1g sd |\n", 1e3 * direct->residuals.rms_m,
           arc_verdict_text(result->comparison.verdict), result->comparison.max_in_sd);
    fflush(stdout);
    arc_result_free(result);
    arc_experiment_free(experiment);
}

int main(int n, char **words)
{
    char path[4096];
    bool is_found = n >= 5 && strcmp(words[2], "found") == 0;
    if (is_found || (n >= 5 && strcmp(words[2], "release") == 0)) {
        snprintf(path, sizeof path, "%s/%s.yaml", words[1], words[3]);
        for (int i = 4; i < n; i++)
            (is_found ? print_found : print_release)(path, words[i]);
        return 0;
    }
    if (n < 4 || n - 3 > MAX_FLIGHTS)
        die("usage: real_flights FOLDER SET CAPTURE... (64 at most)");
    for (int i = 0; i < N_SETS; i++) {
        if (strcmp(words[2], sets[i].name) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s.yaml", words[1], sets[i].name);
        print_set(&sets[i], path, n - 3, words + 3);
        return 0;
    }
    fprintf(stderr, "real_flights: there is no set '%s'\n", words[2]);
    return 2;
}
