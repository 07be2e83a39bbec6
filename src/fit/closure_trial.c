/* Closures of different widths at the present paths: their rows, ridges and evidence. */
#include "fit/closure_trial.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTHS = 8 };
static const double as_good = 2.0; /* of -log evidence */
static const double coefficient_scale = 1.0;

void arc_trial_free(ArcTrial *trial)
{
    arc_arena_free(trial->arena);
    *trial = (ArcTrial){0};
}

/* Inputs along all flights. */
ArcStatus arc_search_points(ArcSearch *search, ArcError *err)
{
    int n_inputs = search->settings->n_inputs, n = 0, n_flights = search->joint->n_flights;
    for (int f = 0; f < n_flights; f++)
        n += search->paths[f].n_nodes;
    search->points = ARC_ALLOC(search->joint->arena, (size_t)(n * n_inputs), double);
    if (search->points == NULL)
        return arc_error_no_memory(err);
    search->n_points = n;
    n = 0;
    for (int f = 0; f < n_flights; f++) {
        arc_path_inputs(&search->paths[f], search->settings, search->points + n * n_inputs);
        n += search->paths[f].n_nodes;
    }
    return ARC_OK;
}

static int compare_numbers(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return one < other ? -1 : one > other;
}

/* Median distance of neighbouring observed points in the closure's scaled inputs: of nodes, times
 * nodes an observation. */
static ArcStatus spacing(ArcSearch *search, const ArcClosure *closure, double *distance,
                         ArcError *err)
{
    int n_inputs = search->settings->n_inputs, n = 0, at = 0;
    double *all = ARC_ALLOC(search->arena, (size_t)search->n_points, double);
    if (all == NULL)
        return arc_error_no_memory(err);
    for (int f = 0; f < search->joint->n_flights; f++) {
        const ArcPath *path = &search->paths[f];
        double share = (double)path->n_nodes / path->problem.n_times;
        for (int j = 1; j < path->n_nodes; j++) {
            double sum = 0.0;
            for (int i = 0; i < n_inputs; i++) {
                const double *z = search->points + (at + j) * n_inputs + i;
                double off = (z[0] - z[-n_inputs]) / closure->scale[i];
                sum += off * off;
            }
            all[n++] = sqrt(sum) * share;
        }
        at += path->n_nodes;
    }
    qsort(all, (size_t)n, sizeof *all, compare_numbers);
    *distance = n > 0 ? all[n / 2] : ARC_WIDEST_CLOSURE;
    return ARC_OK;
}

ArcStatus arc_search_closure(const ArcSearch *search, double width, uint32_t axes, ArcArena *arena,
                             ArcClosure **closure, ArcError *err)
{
    ArcClosureSettings settings = *search->settings;
    const ArcProblem *first = search->joint->flights[0];
    settings.width = width;
    settings.axes = axes;
    settings.trains_all = false;
    return arc_closure_create(&settings, first->phase == NULL ? &first->flight : NULL, first->D,
                              search->n_points, search->points, first->seed, arena, closure, err);
}

ArcStatus arc_search_widths(ArcSearch *search, ArcError *err)
{
    double given = search->settings->width, least = ARC_WIDEST_CLOSURE;
    search->n_widths = 1;
    search->width[0] = given;
    if (isfinite(given))
        return ARC_OK;
    ArcClosure *closure = NULL;
    ArcStatus status = arc_search_closure(search, ARC_WIDEST_CLOSURE, search->settings->axes,
                                          search->arena, &closure, err);
    if (status == ARC_OK)
        status = spacing(search, closure, &least, err);
    if (status != ARC_OK)
        return status;
    least = fmin(fmax(least, 1e-3), 0.5 * ARC_WIDEST_CLOSURE);
    int n = search->n_widths = search->settings->n_inputs == 1 ? ARC_SEARCH_WIDTHS : WIDTHS;
    for (int i = 0; i < n; i++)
        search->width[i] = ARC_WIDEST_CLOSURE * pow(least / ARC_WIDEST_CLOSURE, i / (n - 1.0));
    return ARC_OK;
}

/* Scale of each output. */
void arc_search_scales(ArcSearch *search, const ArcClosure *closure)
{
    const ArcProblem *first = search->joint->flights[0];
    for (int o = 0; o < closure->O; o++) {
        double sum = 0.0;
        int n = 0, e = closure->axis[o], D = first->D;
        search->scale[o] = coefficient_scale;
        if (search->settings->output != ARC_CLOSURE_ACCELERATION)
            continue;
        search->scale[o] = first->flight.settings.gravity_m_s2;
        for (int f = 0; f < search->joint->n_flights && first->phase != NULL; f++) {
            const ArcPath *path = &search->paths[f];
            for (int j = 1; j < path->n_nodes; j++, n++) {
                double rate = (path->v[j * D + e] - path->v[(j - 1) * D + e]) /
                              (path->node_s[j] - path->node_s[j - 1]);
                sum += rate * rate;
            }
        }
        if (first->phase != NULL)
            search->scale[o] = sqrt(sum / fmax(n, 1.0));
        if (!(search->scale[o] > 0.0))
            search->scale[o] = 1.0;
    }
}

/* The weight sd that makes a field of sd 1 along the flights. */
static ArcStatus place_units(const ArcSearch *search, ArcTrial *trial, ArcError *err)
{
    const ArcClosure *closure = trial->closure;
    size_t H = (size_t)closure->H, n = (size_t)search->n_points, K = (size_t)closure->K;
    ArcArena *scratch = arc_arena_create();
    double *y =
        scratch == NULL ? NULL : ARC_ALLOC(scratch, n * ((size_t)closure->O + H) + K, double);
    if (y == NULL) {
        arc_arena_free(scratch);
        return arc_error_no_memory(err);
    }
    double *phi = y + n * (size_t)closure->O, *w = phi + n * H, sum = 0.0;
    memset(w, 0, sizeof(double) * K);
    arc_closure_outputs(closure, w, (int)n, search->points, y, phi);
    for (size_t i = 0; i < n; i++)
        sum += cblas_ddot(closure->H - closure->has_level, phi + i * H, 1, phi + i * H, 1);
    for (int o = 0; o < closure->O; o++)
        trial->unit[o] = 1.0 / sqrt(sum / (double)n);
    arc_arena_free(scratch);
    return ARC_OK;
}

/* -log evidence with what is eliminated of own unknowns. */
static double whole_evidence(const ArcTrial *trial, const double *sd)
{
    return arc_ridge_evidence(trial->ridge, sd) + 0.5 * trial->rows.own_log_det;
}

/* A closure of this width at the present paths. */
ArcStatus arc_search_try(ArcSearch *search, double width, ArcTrial *trial, ArcError *err)
{
    double low[ARC_EQUATIONS_MAX_STATES], high[ARC_EQUATIONS_MAX_STATES];
    *trial = (ArcTrial){.arena = arc_arena_create()};
    ArcStatus status = trial->arena == NULL
                           ? arc_error_no_memory(err)
                           : arc_search_closure(search, width, search->settings->axes, trial->arena,
                                                &trial->closure, err);
    if (status == ARC_OK)
        status = place_units(search, trial, err);
    if (status == ARC_OK)
        status = arc_paths_rows(&search->run, search->paths, trial->closure, trial->unit,
                                trial->arena, &trial->rows, err);
    if (status != ARC_OK)
        return status;
    bool is_given = isfinite(search->settings->ridge);
    for (int o = 0; o < trial->closure->O; o++) {
        double given = 1.0 / sqrt(search->settings->ridge) / trial->unit[o];
        high[o] = is_given ? given : search->scale[o];
        low[o] = is_given ? given : ARC_LEAST_FIELD_SD * search->scale[o];
        trial->sd[o] = sqrt(low[o] * high[o]);
    }
    status = arc_ridge_create(&trial->rows.ridge, low, high, trial->arena, &trial->ridge, err);
    if (status != ARC_OK)
        return status;
    ArcRidgeMeasure measure = search->by_left_out ? arc_ridge_left_out : arc_ridge_evidence;
    trial->measure = is_given ? measure(trial->ridge, trial->sd)
                              : arc_ridge_minimise(trial->ridge, measure, trial->sd);
    trial->measure += search->by_left_out ? 0.0 : 0.5 * trial->rows.own_log_det;
    trial->evidence = whole_evidence(trial, trial->sd);
    trial->average = is_given ? trial->evidence
                              : arc_ridge_average(trial->ridge) + 0.5 * trial->rows.own_log_det;
    return ARC_OK;
}

/* Whether any output has weights. */
bool arc_trial_has_weights(const ArcTrial *trial)
{
    bool has = false;
    for (int o = 0; o < trial->closure->O; o++)
        has = has || trial->sd[o] > 0.0;
    return has;
}

/* The best of all widths at the present paths becomes the trial, of some that are as good the
 * narrowest, whose bands are the more honest; averages of all are noted. */
ArcStatus arc_search_scan(ArcSearch *search, ArcError *err)
{
    ArcStatus status = ARC_OK;
    double least = INFINITY;
    arc_trial_free(&search->trial);
    for (int i = 0; i < search->n_widths && status == ARC_OK; i++) {
        ArcTrial trial;
        status = arc_search_try(search, search->width[i], &trial, err);
        if (status != ARC_OK) {
            arc_trial_free(&trial);
            break;
        }
        search->average[i] = trial.average;
        bool is_better = search->trial.closure == NULL || trial.measure < least ||
                         (trial.measure < least + as_good && arc_trial_has_weights(&trial));
        least = fmin(least, trial.measure);
        arc_trial_free(is_better ? &search->trial : &trial);
        if (is_better)
            search->trial = trial;
    }
    return status;
}
