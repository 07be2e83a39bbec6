/* The factor of what scatters, by Cholesky's method with the largest share of a variance that is
 * left first, so that what is known exactly or follows from the rest has no column.
 *
 * A normal number cut off at a and b (in sd from its mean), Z = Phi(b) - Phi(a), has
 *   mean + sd (phi(a) - phi(b)) / Z,
 *   sd^2 (1 + (a phi(a) - b phi(b)) / Z - ((phi(a) - phi(b)) / Z)^2)
 */
#include "aim/sources.h"

#include "solve/binormal.h"

#include <math.h>
#include <string.h>

static const double known_share = 1e-12; /* of its variance, that is rounding */

static double density(double x)
{
    return exp(-0.5 * x * x) / sqrt(2.0 * M_PI);
}

static void take_moments(const ArcRandomQuantity *quantity, double *mean, double *sd)
{
    *mean = quantity->mean;
    *sd = quantity->sd;
    if (!quantity->is_normal || !(quantity->sd > 0.0))
        return;
    double a = (quantity->low - quantity->mean) / quantity->sd;
    double b = (quantity->high - quantity->mean) / quantity->sd;
    double Z = arc_normal_within(0.0, 1.0, a, b);
    double first = (density(a) - density(b)) / Z;
    double ends = (isfinite(a) ? a * density(a) : 0.0) - (isfinite(b) ? b * density(b) : 0.0);
    *mean += quantity->sd * first;
    *sd *= sqrt(fmax(1.0 + ends / Z - first * first, 0.0));
}

ArcStatus arc_sources_create(const ArcExperiment *experiment, ArcArena *arena, ArcSources *sources,
                             ArcError *err)
{
    const ArcRandomise *randomise = &experiment->randomise;
    size_t n = (size_t)experiment->n_parameters;
    *sources = (ArcSources){.experiment = experiment,
                            .n = experiment->n_parameters,
                            .L = ARC_ALLOC(arena, n * n, double),
                            .rest = ARC_ALLOC(arena, n * n, double),
                            .n_random = randomise->n};
    if (sources->L == NULL || sources->rest == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < randomise->n; k++) {
        take_moments(&randomise->quantities[k], &sources->mean[k], &sources->sd[k]);
        sources->has_settings |= randomise->quantities[k].parameter < 0;
    }
    return ARC_OK;
}

/* Whether a flight depends on it, and nothing else says how it scatters. */
static bool counts(const ArcSources *sources, int i)
{
    const ArcExperiment *experiment = sources->experiment;
    const ArcParameter *parameter = &experiment->parameters[i];
    for (int k = 0; k < sources->n_random; k++)
        if (experiment->randomise.quantities[k].parameter == i)
            return false;
    return !parameter->is_tied && parameter->measure == ARC_MEASURE_NONE &&
           i != experiment->flight.n_parameters;
}

static void take_covariance(ArcSources *sources, const ArcBelief *belief, double *variance)
{
    const double *scatter = sources->experiment->aim.scatter_sd;
    int n = sources->n;
    for (int i = 0; i < n; i++) {
        bool is_in = counts(sources, i);
        for (int j = 0; j < n; j++)
            sources->rest[i * n + j] =
                belief != NULL && is_in && counts(sources, j) ? belief->covariance[i * n + j] : 0.0;
        if (is_in)
            sources->rest[i * n + i] += scatter[i] * scatter[i];
        variance[i] = sources->rest[i * n + i];
    }
}

void arc_sources_take(ArcSources *sources, const ArcBelief *belief)
{
    double variance[ARC_MAX_PARAMETERS], *rest = sources->rest;
    int n = sources->n, order = 0;
    double column[ARC_MAX_PARAMETERS * ARC_MAX_PARAMETERS];
    take_covariance(sources, belief, variance);
    for (; order < n; order++) {
        int pivot = -1;
        double most = known_share;
        for (int i = 0; i < n; i++)
            if (variance[i] > 0.0 && rest[i * n + i] > most * variance[i]) {
                pivot = i;
                most = rest[i * n + i] / variance[i];
            }
        if (pivot < 0)
            break;
        double root = sqrt(rest[pivot * n + pivot]);
        for (int i = 0; i < n; i++)
            column[order * n + i] = rest[i * n + pivot] / root;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                rest[i * n + j] -= column[order * n + i] * column[order * n + j];
    }
    sources->rank = order;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < order; k++)
            sources->L[i * order + k] = column[k * n + i];
}

void arc_sources_middle(const ArcSources *sources, const double *values, double *middle)
{
    memcpy(middle, values, sizeof(double) * (size_t)sources->n);
    for (int k = 0; k < sources->n_random; k++) {
        int parameter = sources->experiment->randomise.quantities[k].parameter;
        if (parameter >= 0)
            middle[parameter] = sources->mean[k];
    }
}

void arc_sources_draw(const ArcSources *sources, const double *values, ArcRandom *random,
                      double *thrown, double *quantities)
{
    int n = sources->n, rank = sources->rank;
    memcpy(thrown, values, sizeof(double) * (size_t)n);
    for (int k = 0; k < rank; k++) {
        double z = arc_random_normal(random);
        for (int i = 0; i < n; i++)
            thrown[i] += sources->L[i * rank + k] * z;
    }
    for (int k = 0; k < sources->n_random; k++) {
        const ArcRandomQuantity *quantity = &sources->experiment->randomise.quantities[k];
        quantities[k] = arc_random_quantity_at(quantity, arc_random_uniform(random, 0.0, 1.0));
        if (quantity->parameter >= 0)
            thrown[quantity->parameter] = quantities[k];
    }
}
