/* The chance that a throw hits, by linearisation and by many throws.
 *
 * What scatters: parameters with the belief's covariance, the throw about what was meant
 * (aim.scatter, independent), and what `randomise` lists (wind, air, mass; independent, about the
 * middle of its own distribution). With z the scatter in standard deviations, K independent ones,
 *
 *   o(z) = o(0) + G z + ..,   o normal with mean o(0) and covariance S = G G'
 *
 * A hit, v the velocity there and r the ball's radius:
 *   point  |o| <= r (without a ball 1 cm), across the flight
 *   area   |o_c| <= half_c along each axis
 *   hoop   the ball passes clean: its centre's path, straight with the entry angle e and along the
 *          level direction f, is nowhere nearer to the rim's circle than r. The ball's shadow on
 *          the rim's level along v is an ellipse, r / sin e along f and r across, and o is where
 *          it lies within the circle; in the plane |o| <= R - r / sin e
 *
 * With contact a hit of a hoop is also a ball that goes in after it touched rim or board (touch.h).
 * Only throws flown one by one know that: the linear chance remains that of a clean pass, and is
 * not valid.
 */
#ifndef ARC_AIM_PROBABILITY_H
#define ARC_AIM_PROBABILITY_H

#include "aim/numbers.h"
#include "arcfit/aim.h"

/* P of a normal offset with mean o (3) and covariance S (3, 3) being a hit, where the ball comes in
 * with velocity v (3); within 1e-8. Axes of the goal alone are looked at. NaN: of a number that is
 * not finite. */
double arc_hit_chance(const ArcExperiment *experiment, const double *o, const double *S,
                      const double *v);

/* Whether an offset with this velocity is a hit. */
bool arc_hit_is(const ArcExperiment *experiment, const double *o, const double *v);

/* Chances of an experiment's throws, with all scratch in the arena, for one thread: no call
 * allocates. experiment is borrowed. As arc_shot_create; ARC_INPUT: a randomised setting gives no
 * flight. */
typedef struct ArcOdds ArcOdds;
ArcStatus arc_odds_create(const ArcExperiment *experiment, ArcArena *arena, ArcOdds **odds,
                          ArcError *err);

/* The chance of the throw values (n) by linearisation: value, offset_sd_m; is_valid is false, what
 * was checked NaN. One flight with partials, and two for each setting that is randomised. belief
 * (NULL: none) counts as it is: who aims leaves unknowns out of it. False: the goal is not met. */
bool arc_odds_linear(ArcOdds *odds, const ArcBelief *belief, const double *values,
                     ArcAimChance *chance);

/* The same with is_valid: two more flights with partials for each independent source, and the
 * chance by the second-order model of them. */
bool arc_odds_full(ArcOdds *odds, const ArcBelief *belief, const double *values,
                   ArcAimChance *chance);

/* arc_odds_full by odds of its own. ARC_NUMERIC: the goal is not met. */
ArcStatus arc_aim_chance(const ArcExperiment *experiment, const ArcBelief *belief,
                         const double *values, ArcAimChance *chance, ArcError *err);

typedef struct ArcAimTrial {
    int n_throws, threads; /* of these 0: one */
} ArcAimTrial;

/* The same by seeded throws (experiment->seed) flown one by one, each judged by its own arrival:
 * chance->checked, checked_sd, all else as it was; the same for any number of threads. */
ArcStatus arc_aim_check_chance(const ArcExperiment *experiment, const ArcBelief *belief,
                               const double *values, ArcAimTrial trial, ArcAimChance *chance,
                               ArcError *err);

#endif
