/* A throw followed to its goal, with the partials of all that matters by every parameter.
 *
 *   values -> [swing: theta, omega] -> [arm: release] -> flight -> state at a time or at the goal
 *
 * The goal of a hoop is met where the ball comes down through its height, that of an area where the
 * flight crosses its plane, that of a point at the closest approach (the first; the second, where a
 * throw that passes on its way up comes nearer on its way down). Partials at a goal are total: they
 * hold how its time varies. Columns are all n parameters of the experiment, in its
 * order; those of a release that an arm gives are zero, as is t0's.
 */
#ifndef ARC_AIM_SHOT_H
#define ARC_AIM_SHOT_H

#include "arcfit/goal.h"
#include "base/arena.h"
#include "fit/flyer.h"

typedef struct ArcShotState {
    double t_s; /* since the release */
    double x_m[3], v_m_s[3], a_m_s2[3];
    double by_t[ARC_MAX_PARAMETERS]; /* of t_s; at a given time: 0 */
    double by_x[3][ARC_MAX_PARAMETERS], by_v[3][ARC_MAX_PARAMETERS];
} ArcShotState;

typedef struct ArcShot ArcShot; /* scratch of one thread, in the arena */

/* experiment is borrowed. ARC_INPUT, at the goal's place: own equations, a closure, no target. */
ArcStatus arc_shot_create(const ArcExperiment *experiment, ArcArena *arena, ArcShot **shot,
                          ArcError *err);

/* That it was made of. */
const ArcExperiment *arc_shot_experiment(const ArcShot *shot);

/* What is tied, into values (n): the release that an arm gives, and joints that its swing moves.
 * False where the swing cannot be followed. */
bool arc_shot_tie(ArcShot *shot, double *values);

/* The state a time after the release, at the goal, and where the flight turns down (v_up falls
 * through 0; at the release where it never rises). values (n) need no tie before. partials: also
 * by_*. False where it cannot be followed, or the goal is not met within a minute. */
bool arc_shot_at(ArcShot *shot, const double *values, double time_s, bool partials,
                 ArcShotState *state);
bool arc_shot_meet(ArcShot *shot, const double *values, bool partials, ArcShotState *state);
bool arc_shot_apex(ArcShot *shot, const double *values, bool partials, ArcShotState *state);

/* The release: t_s 0, x, v, with partials. */
bool arc_shot_release(ArcShot *shot, const double *values, bool partials, ArcShotState *state);

#endif
