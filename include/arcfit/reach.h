/* Reach: whether an arm can give its ball a wanted release, or throw it through a target's centre,
 * and what is missing where it cannot.
 *
 * With z = (theta, omega) within the joints' limits, and for a target the time s of flight, the
 * distance of what the arm does from what is wanted is
 *   release  D^2 = |x0 - x|^2 / L^2 + |v0 - v|^2 / V^2,   L = 1 cm, V = 10 cm/s
 *   target   D^2 = |x(s) - X|^2 / L^2, of a hoop with max(v_up(s) + V, 0)^2 / V^2 on top of it: the
 *            ball must come down through it
 * The nearest reachable release is where D is least, found from many poses by Newton's method with
 * bounds (solve/box.h); reachable is what has D below ARC_REACH_TOLERANCE. A target that is hit
 * leaves a choice: of the throws that hit it, those of least effort are given,
 *   E = sum (omega_j / rate limit_j)^2 + 0.01 sum ((theta_j - middle_j) / half range_j)^2
 * (rates in 10 rad/s and angles in half a turn where there are no limits).
 *
 * Sensitivities are exact: at a minimum D changes with a length as it does with z held, and with a
 * limit that holds z back by the multiplier of that bound, with others not at all.
 *
 * Cures: for each length and each limit by itself the smallest change that makes the goal
 * reachable, by Newton steps on D, which reach its zero from the side where it is positive.
 */
#ifndef ARCFIT_REACH_H
#define ARCFIT_REACH_H

#include "arcfit/arm.h"
#include "arcfit/experiment.h"
#include "arcfit/goal.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

#define ARC_REACH_LENGTH_M 1e-2
#define ARC_REACH_SPEED_M_S 1e-1
#define ARC_REACH_TOLERANCE 1e-6

typedef enum ArcReachLimit {
    ARC_REACH_LENGTH,
    ARC_REACH_LOW,
    ARC_REACH_HIGH,
    ARC_REACH_RATE,
    ARC_N_REACH_LIMITS
} ArcReachLimit;

enum { ARC_REACH_MAX_CURES = ARC_N_REACH_LIMITS * ARC_ARM_MAX_JOINTS };

/* A throw of the arm, and what comes of it. */
typedef struct ArcReachThrow {
    double theta_rad[ARC_ARM_MAX_JOINTS], omega_rad_s[ARC_ARM_MAX_JOINTS];
    double position_m[3], velocity_m_s[3]; /* of the ball at the release */
    double distance;                       /* D */
    double miss_m, miss_m_s;       /* from the wanted release; from the target, and what it lacks to
                                    * falling through a hoop with V */
    double time_s, arrival_m_s[3]; /* at a target since the release; NaN without */
    double angle_over_rad[ARC_ARM_MAX_JOINTS]; /* above the high limit > 0, below the low one < 0 */
    double rate_over[ARC_ARM_MAX_JOINTS];      /* over its limit, as a share of that */
    double missing_m_s[3]; /* of the wanted velocity: what no rates can give in this pose */
    bool is_within;        /* all limits */
} ArcReachThrow;

/* The change of one length or limit alone that makes the goal reachable. */
typedef struct ArcReachCure {
    ArcReachLimit limit;
    int joint;     /* from 0 */
    double change; /* to add: m, rad, rad/s */
} ArcReachCure;

typedef struct ArcReach {
    ArcGoal goal;
    int dimensions, up, n_joints;
    double spin_rad_s; /* of a target's flight; NaN: it has none, or more than one number */
    bool is_reachable;
    ArcReachThrow nearest; /* within all limits; of a target that is hit: of least effort */
    int n_solutions;       /* others that reach the goal as well, or miss it by local minima */
    ArcReachThrow solutions[ARC_ARM_MAX_POSES]; /* the nearest first, by distance, then effort */
    int n_poses; /* of a wanted release: all that put the ball there, whatever the limits, with the
                  * rates that would do; one, the nearest, where the arm is too short */
    ArcReachThrow poses[ARC_ARM_MAX_POSES];
    bool is_too_short; /* the wanted place is beyond every pose, limits or not */
    double by[ARC_N_REACH_LIMITS][ARC_ARM_MAX_JOINTS]; /* dD of the nearest by m, rad, rad/s; 0
                                                        * where the goal is reached */
    int n_cures;
    ArcReachCure cures[ARC_REACH_MAX_CURES];
} ArcReach;

/* What to aim with: an arm with its parameters p (A), and for a target the flight with those of the
 * model (P; NULL where it has none). All borrowed. */
typedef struct ArcReachTask {
    const ArcArm *arm;
    const double *p;
    const ArcFlight *flight;
    const double *flight_p;
    ArcGoal goal;
} ArcReachTask;

/* ARC_INPUT at the goal's place: there is none, or it is not finite. ARC_MEMORY. */
ArcStatus arc_reach_find(const ArcReachTask *task, ArcReach *reach, ArcError *err);

/* The same with an experiment's arm, flight and goal, at the starts of its parameters. ARC_INPUT:
 * it has no arm. */
ArcStatus arc_reach_of_experiment(const ArcExperiment *experiment, ArcReach *reach, ArcError *err);

/* In words, and as the JSON of `arcfit aim`; the caller frees with arc_text_free. */
ArcStatus arc_reach_text(const ArcReach *reach, char **text, ArcError *err);
ArcStatus arc_reach_json(const ArcReach *reach, char **text, ArcError *err);

#pragma GCC visibility pop

#endif
