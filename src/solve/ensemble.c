/* The stretch move, by two groups of walkers. */
#include "solve/ensemble.h"

#include <math.h>
#include <string.h>

static double density_at(const ArcDensity *density, const double *x)
{
    double value = density->log_density(density->context, x);
    return isnan(value) ? -INFINITY : value;
}

ArcStatus arc_ensemble_create(const ArcDensity *density, int n_walkers, const double *start,
                              ArcRandom random, ArcArena *arena, ArcEnsemble **ensemble,
                              ArcError *err)
{
    size_t n = (size_t)density->n, walkers = (size_t)n_walkers;
    ArcEnsemble *made = ARC_ALLOC(arena, 1, ArcEnsemble);
    if (made == NULL)
        return arc_error_no_memory(err);
    *made = (ArcEnsemble){.density = *density, .n_walkers = n_walkers, .random = random};
    made->x = ARC_ALLOC(arena, walkers * n, double);
    made->log_density = ARC_ALLOC(arena, walkers, double);
    made->moved = ARC_ALLOC(arena, n, double);
    if (made->x == NULL || made->log_density == NULL || made->moved == NULL)
        return arc_error_no_memory(err);
    memcpy(made->x, start, sizeof(double) * walkers * n);
    for (size_t k = 0; k < walkers; k++)
        made->log_density[k] = density_at(density, made->x + k * n);
    *ensemble = made;
    return ARC_OK;
}

/* Walker k by one of the other group, whose first is other and which has half of all. */
static void move_walker(ArcEnsemble *e, int k, int other)
{
    int n = e->density.n, half = e->n_walkers / 2;
    int j = other + (int)(arc_random_uniform(&e->random, 0.0, 1.0) * half);
    double root = 1.0 + arc_random_uniform(&e->random, 0.0, 1.0); /* sqrt(2 Z), uniform on [1, 2] */
    double stretch = 0.5 * root * root;
    double chance = arc_random_uniform(&e->random, 0.0, 1.0);
    double *x = e->x + (size_t)k * (size_t)n;
    const double *from = e->x + (size_t)j * (size_t)n;
    for (int i = 0; i < n; i++)
        e->moved[i] = from[i] + stretch * (x[i] - from[i]);
    double value = density_at(&e->density, e->moved);
    e->n_tried++;
    double gain = value - e->log_density[k] + (n - 1) * log(stretch);
    if (!(value > -INFINITY) || !(log(chance) < gain))
        return;
    memcpy(x, e->moved, sizeof(double) * (size_t)n);
    e->log_density[k] = value;
    e->n_accepted++;
}

void arc_ensemble_sweep(ArcEnsemble *ensemble)
{
    int half = ensemble->n_walkers / 2;
    for (int k = 0; k < ensemble->n_walkers; k++)
        move_walker(ensemble, k, k < half ? half : 0);
}
