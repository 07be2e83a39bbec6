/* The throw of an arm that comes nearest to a goal, within limits that may be changed.
 *
 * Unknowns z (n): theta (J), omega (J), and of a target the time of flight s. The miss r (m) is
 * what reach.h squares; a throw that may be chosen has least effort on top of it:
 *   F = |r|^2 / 2,   or   F = E / 2 + lambda r + rho |r|^2 / 2   (augmented Lagrangian)
 * A hoop's last number is one-sided, what the ball lacks to falling; it is nothing to a throw that
 * falls fast enough, and has no multiplier.
 */
#ifndef ARC_AIM_NEAREST_H
#define ARC_AIM_NEAREST_H

#include "arcfit/reach.h"
#include "fit/flyer.h"

enum {
    ARC_NEAREST_UNKNOWNS = 2 * ARC_ARM_MAX_JOINTS + 1,
    ARC_NEAREST_MISSES = 6,
    ARC_NEAREST_MOST = ARC_ARM_MAX_POSES /* minima that are kept */
};

/* The miss of a throw, and its partials by release position and velocity and by the time. */
typedef struct ArcMiss {
    int m;
    double r[ARC_NEAREST_MISSES];
    double by_x[ARC_NEAREST_MISSES][3], by_v[ARC_NEAREST_MISSES][3], by_s[ARC_NEAREST_MISSES];
    double arrival_m_s[3]; /* velocity at s */
    ArcArmPoint point;     /* the release */
} ArcMiss;

typedef struct ArcNearest {
    const ArcArm *arm;
    double p[ARC_ARM_MAX_PARAMETERS]; /* lengths and limits, as changed */
    double low[ARC_ARM_MAX_JOINTS], high[ARC_ARM_MAX_JOINTS], rate[ARC_ARM_MAX_JOINTS];
    ArcGoal goal;
    int J, d, n, m;
    int n_equations;         /* of the m numbers those that are to be zero from both sides */
    const ArcFlight *flight; /* of a target: */
    ArcFlyer *flyer;
    double *values;      /* of its flight: P, t0, position, velocity */
    double *x_q, *x_v_a; /* what the flyer writes: partials; position, velocity, acceleration */
    bool has_effort;     /* F is the second one, with */
    double lambda[ARC_NEAREST_MISSES], rho;
} ArcNearest;

/* A minimum: where, and how far from the goal. */
typedef struct ArcNearestMinimum {
    double z[ARC_NEAREST_UNKNOWNS];
    double distance, effort;
} ArcNearestMinimum;

/* Limits and lengths are the task's. In the arena. */
ArcStatus arc_nearest_create(const ArcReachTask *task, ArcArena *arena, ArcNearest *nearest,
                             ArcError *err);

/* The miss at z (n); false where the flight cannot be followed. */
bool arc_nearest_miss(ArcNearest *nearest, const double *z, ArcMiss *miss);

/* Minima of the distance, found from all over the limits: different ones, the nearest first; where
 * the goal is reached only those that reach it, the least effort first. Returns how many, at most
 * ARC_NEAREST_MOST; 0 where no throw can be followed. */
int arc_nearest_search(ArcNearest *nearest, ArcNearestMinimum *minima);

/* The least distance from n_starts of starts, whose best one's end is left in end (nullable). */
double arc_nearest_distance(ArcNearest *nearest, int n_starts, const ArcNearestMinimum *starts,
                            ArcNearestMinimum *end);

/* Partials of the distance at a minimum by each length and limit. */
void arc_nearest_sensitivities(ArcNearest *nearest, const ArcNearestMinimum *minimum,
                               double by[ARC_N_REACH_LIMITS][ARC_ARM_MAX_JOINTS]);

/* A length or limit, to be changed. */
double *arc_nearest_limit(ArcNearest *nearest, ArcReachLimit limit, int joint);

/* The smallest change of a limit that makes the goal reachable; false where none does. by: the
 * distance's partial by it at the first of n minima, NaN: not known. */
bool arc_nearest_cure(ArcNearest *nearest, int n, const ArcNearestMinimum *minima,
                      ArcReachLimit limit, int joint, double by, double *change);

#endif
