/* Criteria, their order, and tests between nested models. */
#include "arcfit/ranking.h"

#include "arcfit/closure.h"
#include "arcfit/states.h"

#include "base/arena.h"
#include "fit/nested.h"
#include "solve/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool setting_is(const ArcResult *result, const char *path, const char *value)
{
    const char *text = arc_result_setting(result, path);
    return text != NULL && strcmp(text, value) == 0;
}

static bool sigma_is_estimated(const ArcResult *result)
{
    return setting_is(result, "capture.sigma", "estimate");
}

static bool has_population(const ArcResult *result)
{
    for (int i = 0; i < result->n_settings; i++) {
        const char *key = strrchr(result->setting_paths[i], '.');
        if (key != NULL && strcmp(key, ".flights") == 0 &&
            strcmp(result->setting_values[i], "hierarchical") == 0)
            return true;
    }
    return false;
}

/* A fit without a likelihood that counts parameters has no criteria. */
static bool has_likelihood(const ArcResult *result, const ArcFit *fit)
{
    const char *loss = arc_result_setting(result, "fit.loss");
    const char *kind = arc_result_setting(result, "fit.loss.kind");
    const char *physics = arc_result_setting(result, "fit.pinn.physics");
    bool gauss = (loss == NULL || strcmp(loss, "gauss") == 0) &&
                 (kind == NULL || strcmp(kind, "gauss") == 0);
    bool exact = physics == NULL || strcmp(physics, "exact") == 0;
    return !has_population(result) && gauss && (fit->method == ARC_DIRECT || exact);
}

/* Adds the square of what is measured in units of its sigma as stated; 0 where it is missing. */
static int add_square(double predicted, double measured, double sigma, double *sum)
{
    double off = (predicted - measured) / sigma;
    if (!isfinite(measured) || !isfinite(predicted))
        return 0;
    *sum += off * off;
    return 1;
}

/* Sum of squares of the fitted numbers in units of the sigmas as stated, and how many there are. */
static double sum_of_squares(const ArcResult *result, const ArcFit *fit, int *n)
{
    const ArcCapture *capture = result->capture;
    double sum = 0.0;
    int d = capture->dimensions;
    *n = 0;
    for (int i = 0; i < capture->n_points; i++) {
        const double *seen = fit->predicted_px != NULL ? fit->predicted_px + 3 * i : NULL;
        const double *predicted = seen != NULL ? seen : fit->predicted_m + i * d;
        if (capture->use[i] != ARC_POINT_FIT)
            continue;
        if (capture->n_cameras == 0 || capture->camera[i] < 0) {
            for (int c = 0; c < d; c++)
                *n += add_square(predicted[c], capture->position_m[i * d + c],
                                 capture->sigma_m[i * d + c], &sum);
            continue;
        }
        for (int c = 0; c < 2; c++)
            *n +=
                add_square(predicted[c], capture->pixel_px[2 * i + c], capture->sigma_px[i], &sum);
        if (seen != NULL && seen[2] > 0.0)
            *n += add_square(seen[2], capture->radius_px[i], capture->sigma_radius_px[i], &sum);
    }
    return sum;
}

ArcCriteria arc_ranking_criteria(const ArcResult *result, const ArcFit *fit)
{
    const ArcResiduals *r = &fit->residuals;
    int n_null, unknowns = arc_nested_n_unknowns(fit, &n_null);
    ArcCriteria c = {.n = r->dof + unknowns, .k = unknowns - n_null};
    c.deviance = has_likelihood(result, fit) ? r->chi2 + r->prior_chi2 : (double)NAN;
    if (fit->closure != NULL && isfinite(fit->closure->effective))
        c.k += (int)lround(fit->closure->effective);
    for (int i = 0; i < r->n_cameras; i++) {
        const ArcCameraResiduals *camera = &r->cameras[i];
        c.k += camera->sigma_factor_sd > 0.0;
        c.deviance += 2.0 * camera->observations * log(camera->sigma_factor);
    }
    if (sigma_is_estimated(result)) {
        double sum = sum_of_squares(result, fit, &c.n);
        c.k++;
        if (has_likelihood(result, fit))
            c.deviance = c.n * log(sum / c.n) + r->readings_chi2 + r->prior_chi2;
    }
    double k = c.k, left = c.n - k - 1.0;
    c.aic = c.deviance + 2.0 * k;
    c.aicc = left >= 1.0 ? c.aic + 2.0 * k * (k + 1.0) / left : (double)NAN;
    c.bic = c.deviance + k * log(c.n);
    return c;
}

/* Whether the same parameters were read off with the same sds. */
static bool same_readings(const ArcFit *a, const ArcFit *b)
{
    bool same = a->n_flights == b->n_flights &&
                (a->n_flights > 0 || a->residuals.n_readings == b->residuals.n_readings);
    for (int f = 0; same && f < a->n_flights; f++)
        same = same_readings(&a->flights[f], &b->flights[f]);
    for (int i = 0; same && a->n_flights == 0 && i < a->residuals.n_readings; i++) {
        const ArcFittedReading *one = &a->readings[i], *other = &b->readings[i];
        same = strcmp(one->name, other->name) == 0 && one->value == other->value &&
               one->sd == other->sd;
    }
    return same;
}

/* What a capture's axis is called. */
static const char *axis_name(const ArcResult *result, int axis)
{
    static const char *const axes[] = {"x", "y", "z"};
    const ArcStatesFit *states = result->fits[0]->states;
    return states != NULL ? states->channels[axis].name : axes[axis];
}

/* Whether one point has the same numbers in both, by the names of the axes: own equations may have
 * channels that others do not, as long as these saw nothing. Sigmas are told apart. */
static bool same_numbers(const ArcResult *one, const ArcResult *other, int point, bool *same_sigma)
{
    const ArcCapture *a = one->capture, *b = other->capture;
    int n = 0;
    for (int c = 0; c < b->dimensions; c++)
        n += isfinite(b->position_m[point * b->dimensions + c]);
    for (int c = 0; c < a->dimensions; c++) {
        int at = point * a->dimensions + c, to = 0;
        if (!isfinite(a->position_m[at]))
            continue;
        while (to < b->dimensions && strcmp(axis_name(one, c), axis_name(other, to)) != 0)
            to++;
        if (to == b->dimensions || b->position_m[point * b->dimensions + to] != a->position_m[at])
            return false;
        *same_sigma = *same_sigma && b->sigma_m[point * b->dimensions + to] == a->sigma_m[at];
        n--;
    }
    return n == 0;
}

/* Why the criteria of two results cannot be compared; NULL where they can. */
static const char *difference_of(const ArcResult *one, const ArcResult *other)
{
    const ArcCapture *a = one->capture, *b = other->capture;
    if (sigma_is_estimated(one) != sigma_is_estimated(other))
        return "sigma is estimated with some of the models only";
    const char *const points = "the models were not fitted to the same points of one capture";
    bool same_sigma = true;
    if (a->n_points != b->n_points || a->n_fit != b->n_fit || one->n_flights != other->n_flights)
        return points;
    if (!same_readings(one->fits[0], other->fits[0]))
        return "the models do not have the same readings of parameters";
    for (int f = 0; f < one->n_flights; f++)
        if (one->flights[f]->n_points != other->flights[f]->n_points)
            return points;
    for (int i = 0; i < a->n_points; i++) {
        if ((a->use[i] == ARC_POINT_FIT) != (b->use[i] == ARC_POINT_FIT))
            return points;
        if (a->use[i] != ARC_POINT_FIT)
            continue;
        if (a->time_s[i] != b->time_s[i] || !same_numbers(one, other, i, &same_sigma))
            return points;
        if (a->n_cameras != b->n_cameras ||
            (a->n_cameras > 0 &&
             memcmp(a->pixel_px + 2 * i, b->pixel_px + 2 * i, 2 * sizeof(double)) != 0))
            return points;
        bool same_px = a->n_cameras == 0 || a->camera[i] < 0 || a->sigma_px[i] == b->sigma_px[i];
        if (!same_px || !same_sigma)
            return "the sigmas of the points differ from model to model";
    }
    return NULL;
}

/* Converged ones first; by the criterion, none last; in the order given where all is equal. */
static int compare_models(const ArcRankedModel *a, const ArcRankedModel *b)
{
    if (a->converged != b->converged)
        return a->converged ? -1 : 1;
    const double pairs[2][2] = {{a->delta, b->delta}, {a->criteria.aic, b->criteria.aic}};
    for (int i = 0; i < 2; i++) {
        double one = pairs[i][0], other = pairs[i][1];
        if (isnan(one) != isnan(other))
            return isnan(one) ? 1 : -1;
        if (one < other || one > other)
            return one < other ? -1 : 1;
    }
    return a->index - b->index;
}

static int compare_void(const void *a, const void *b)
{
    return compare_models(a, b);
}

/* Order, differences and weights; delta holds the criterion itself before. */
static void rank_models(ArcRanking *ranking, ArcRankedModel *models)
{
    double least = INFINITY, sum = 0.0;
    for (int i = 0; i < ranking->n; i++)
        ranking->by_aicc = ranking->by_aicc || isfinite(models[i].criteria.aicc);
    for (int i = 0; i < ranking->n; i++)
        models[i].delta = ranking->by_aicc ? models[i].criteria.aicc : models[i].criteria.aic;
    if (ranking->not_comparable == NULL)
        qsort(models, (size_t)ranking->n, sizeof *models, compare_void);
    for (int i = 0; ranking->not_comparable == NULL && i < ranking->n; i++)
        if (models[i].converged)
            least = fmin(least, models[i].delta);
    for (int i = 0; i < ranking->n; i++) {
        models[i].delta = isfinite(least) ? models[i].delta - least : (double)NAN;
        models[i].weight = models[i].converged ? exp(-0.5 * models[i].delta) : (double)NAN;
        sum += isfinite(models[i].weight) ? models[i].weight : 0.0;
    }
    for (int i = 0; i < ranking->n; i++)
        models[i].weight = sum > 0.0 ? models[i].weight / sum : (double)NAN;
}

static ArcNestedTest test_pair(const ArcResult *result, const ArcRankedModel *models, int smaller,
                               int larger, const ArcFit *const fits[2])
{
    const ArcCriteria *a = &models[smaller].criteria, *b = &models[larger].criteria;
    ArcNestedTest test = {.smaller = smaller,
                          .larger = larger,
                          .added = b->k - a->k,
                          .is_f = sigma_is_estimated(result)};
    /* A fall below zero is rounding, or a fit that stopped short. */
    double fall = fmax(a->deviance - b->deviance, 0.0);
    if (!test.is_f) {
        test.statistic = fall;
        test.p = arc_statistics_chi2_p(fall, test.added);
        return test;
    }
    int n;
    double one = sum_of_squares(result, fits[0], &n), other = sum_of_squares(result, fits[1], &n);
    double left = n - (b->k - 1);
    test.statistic =
        left >= 1.0 ? fmax(one - other, 0.0) / test.added / (other / left) : (double)NAN;
    test.p = arc_statistics_f_p(test.statistic, test.added, left);
    return test;
}

/* All nested pairs of converged fits, the better larger model first. */
static void test_models(ArcRanking *ranking, const ArcResult *const *results, ArcNestedTest *tests)
{
    for (int larger = 0; larger < ranking->n; larger++) {
        for (int smaller = 0; smaller < ranking->n; smaller++) {
            const ArcRankedModel *a = &ranking->models[smaller], *b = &ranking->models[larger];
            const ArcResult *one = results[a->index], *other = results[b->index];
            const ArcFit *const fits[2] = {arc_result_fit(one, ranking->method),
                                           arc_result_fit(other, ranking->method)};
            if (fits[0]->closure != NULL || fits[1]->closure != NULL) /* told by evidence */
                continue;
            if (!a->converged || !b->converged || !isfinite(a->criteria.deviance) ||
                !isfinite(b->criteria.deviance) || !arc_nested_is(one, fits[0], other, fits[1]))
                continue;
            tests[ranking->n_tests++] = test_pair(one, ranking->models, smaller, larger, fits);
        }
    }
}

/* The same laws of flight, but for one that a closure stands in place of, or own equations. */
static bool same_laws(const ArcResult *one, const ArcResult *other, const ArcClosureFit *closure)
{
    static const char *const laws[] = {"flight.drag", "flight.lift", "flight.spin_decay",
                                       "model.plugin"};
    bool replaces = closure->settings.replaces;
    for (int i = 0; i < 4; i++) {
        const char *a = arc_result_setting(one, laws[i]), *b = arc_result_setting(other, laws[i]);
        bool is_replaced = (i == 0 && closure->settings.output == ARC_CLOSURE_CD) ||
                           (i == 1 && closure->settings.output == ARC_CLOSURE_CL);
        if (replaces && is_replaced)
            continue;
        if ((a == NULL) != (b == NULL) || (a != NULL && strcmp(a, b) != 0))
            return false;
    }
    return true;
}

/* Parameters that both have free. False where there is no memory. */
static bool compare_pair(const ArcFit *without, const ArcFit *with, ArcArena *arena,
                         ArcClosurePair *pair)
{
    size_t most = (size_t)with->n_parameters;
    const char **names = ARC_ALLOC(arena, most, const char *);
    double *difference = ARC_ALLOC(arena, 2 * most, double), *in_sd = difference + most;
    if (names == NULL || difference == NULL)
        return false;
    for (int p = 0; p < with->n_parameters; p++) {
        const ArcEstimate *b = &with->parameters[p], *a = NULL;
        for (int q = 0; q < without->n_parameters; q++)
            if (strcmp(without->parameters[q].name, b->name) == 0)
                a = &without->parameters[q];
        if (a == NULL || a->free_index < 0 || b->free_index < 0 || !(b->sd > 0.0))
            continue;
        names[pair->n] = b->name;
        difference[pair->n] = a->value - b->value;
        in_sd[pair->n++] = (a->value - b->value) / b->sd;
    }
    pair->names = names;
    pair->difference = difference;
    pair->in_sd = in_sd;
    return true;
}

/* All pairs of a model without a closure and one with it. */
static bool pair_models(ArcRanking *ranking, const ArcResult *const *results)
{
    ArcArena *arena = ranking->arena;
    size_t n = (size_t)ranking->n;
    ArcClosurePair *pairs = ARC_ALLOC(arena, n * n, ArcClosurePair);
    if (pairs == NULL)
        return false;
    for (int i = 0; i < ranking->n * ranking->n; i++) {
        const ArcRankedModel *a = &ranking->models[i / ranking->n];
        const ArcRankedModel *b = &ranking->models[i % ranking->n];
        const ArcFit *without = arc_result_fit(results[a->index], ranking->method);
        const ArcFit *with = arc_result_fit(results[b->index], ranking->method);
        if (!a->converged || !b->converged || without->closure != NULL || with->closure == NULL ||
            !same_laws(results[a->index], results[b->index], with->closure))
            continue;
        ArcClosurePair *pair = &pairs[ranking->n_pairs++];
        *pair = (ArcClosurePair){.without = i / ranking->n,
                                 .with = i % ranking->n,
                                 .log_bayes = with->closure->log_bayes,
                                 .chi2_without = without->residuals.chi2,
                                 .chi2_with = with->residuals.chi2};
        if (!compare_pair(without, with, arena, pair))
            return false;
    }
    ranking->pairs = pairs;
    return true;
}

static bool ranking_fill(ArcRanking *ranking, int n, const ArcResult *const *results,
                         ArcRankedModel *models, ArcNestedTest *tests)
{
    for (int i = 0; i < n; i++) {
        const ArcFit *fit = arc_result_fit(results[i], ranking->method);
        if (fit == NULL)
            continue;
        models[ranking->n++] = (ArcRankedModel){.index = i,
                                                .converged = fit->converged,
                                                .criteria = arc_ranking_criteria(results[i], fit),
                                                .chi2_p = fit->residuals.chi2_p};
        if (ranking->not_comparable == NULL)
            ranking->not_comparable = difference_of(results[models[0].index], results[i]);
    }
    ranking->models = models;
    rank_models(ranking, models);
    ranking->tests = tests;
    if (ranking->not_comparable != NULL)
        return true;
    test_models(ranking, results, tests);
    return pair_models(ranking, results);
}

ArcStatus arc_ranking_create(int n, const ArcResult *const *results, ArcMethod method,
                             ArcRanking **ranking, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcRanking *made = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcRanking);
    size_t count = (size_t)n;
    ArcRankedModel *models = made == NULL ? NULL : ARC_ALLOC(arena, count, ArcRankedModel);
    ArcNestedTest *tests = models == NULL ? NULL : ARC_ALLOC(arena, count * count, ArcNestedTest);
    if (tests == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    made->arena = arena;
    made->method = method;
    if (!ranking_fill(made, n, results, models, tests)) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    *ranking = made;
    return ARC_OK;
}

void arc_ranking_free(ArcRanking *ranking)
{
    if (ranking != NULL)
        arc_arena_free(ranking->arena);
}
