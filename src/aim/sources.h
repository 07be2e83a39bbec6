/* What makes one throw differ from the next: the joint distribution of parameters and settings.
 *
 * Parameters are values + L z with z independent standard normal numbers and L L' = C + diag(s^2),
 * C the belief's covariance and s aim.scatter. What `randomise` lists is drawn from its own
 * distribution, whatever values say. Parameters that no flight depends on are left out: the clocks'
 * and the measurement's, and a release that an arm gives.
 */
#ifndef ARC_AIM_SOURCES_H
#define ARC_AIM_SOURCES_H

#include "arcfit/belief.h"
#include "arcfit/experiment.h"
#include "base/arena.h"
#include "base/random.h"

typedef struct ArcSources {
    const ArcExperiment *experiment; /* borrowed */
    int n, rank;                     /* parameters; columns of */
    double *L;                       /* (n, rank) row-major, room for (n, n) */
    double *rest;                    /* (n, n) scratch */
    int n_random;
    bool has_settings;                      /* among what is randomised */
    double mean[ARC_MAX_RANDOM_QUANTITIES]; /* of each quantity, of its distribution as it is */
    double sd[ARC_MAX_RANDOM_QUANTITIES];   /* cut off */
} ArcSources;

ArcStatus arc_sources_create(const ArcExperiment *experiment, ArcArena *arena, ArcSources *sources,
                             ArcError *err);

/* Sets L. belief NULL: scatter alone. */
void arc_sources_take(ArcSources *sources, const ArcBelief *belief);

/* values (n) with randomised parameters at their means. */
void arc_sources_middle(const ArcSources *sources, const double *values, double *middle);

/* A throw: parameters thrown (n), and the randomised quantities (n_random). */
void arc_sources_draw(const ArcSources *sources, const double *values, ArcRandom *random,
                      double *thrown, double *quantities);

#endif
