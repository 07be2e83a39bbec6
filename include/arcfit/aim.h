/* Aim: the throws that hit a target, best first, and what is missing where none does.
 *
 * A throw is all parameters of the experiment: its unknowns u, and the others by a belief
 * (belief.h). With x(s; u) the flight and X the target, throws that hit solve x(s) = X for (u, s)
 * by Levenberg-Marquardt within the unknowns' bounds, from each of the angles and from the
 * experiment's starts, the flight beginning as the vacuum's closed form has it. Among them, where
 * objectives, limits or the probability ask for one,
 *   min  sum weight_i number_i   (or max P)   over u,   x at the goal = X,   least <= number <=
 * most by sequential quadratic programming with exact gradients. Reachable is what has a miss below
 * ARC_AIM_TOLERANCE_M within all limits; else the nearest throw is given, and the shortfall.
 *
 * Probability: the ball's offset at the goal is taken for normal, with the covariance G C G' of the
 * uncertain parameters, the scatter and the wind (aim/probability.h).
 */
#ifndef ARCFIT_AIM_H
#define ARCFIT_AIM_H

#include "arcfit/belief.h"
#include "arcfit/experiment.h"
#include "arcfit/goal.h"
#include "arcfit/reach.h"

#pragma GCC visibility push(default)

#define ARC_AIM_TOLERANCE_M 1e-6

enum { ARC_AIM_MAX_SOLUTIONS = 24, ARC_AIM_MAX_BANKS = 8 };

/* The chance of a hit. value: by linearisation, NaN where nothing scatters; is_valid: second-order
 * terms change it by less than half a percentage point. checked: by so many seeded throws; NaN:
 * not asked for; checked_sd: its standard error. */
typedef struct ArcAimChance {
    double value;
    bool is_valid;
    double checked, checked_sd;
    double offset_sd_m[3]; /* of the ball at the goal, by axis; 0 across a plane */
} ArcAimChance;

typedef struct ArcAimSolution {
    double values[ARC_MAX_PARAMETERS]; /* of all the experiment's parameters; of an arm with
                                        * encoders commands is what to tell it: */
    double commands_rad[ARC_ARM_MAX_JOINTS];
    double position_m[3], velocity_m_s[3];        /* of the release */
    double arrival_m[3], arrival_velocity_m_s[3]; /* at the goal */
    double numbers[ARC_N_AIM_NUMBERS];            /* NaN: it has no meaning here */
    double miss_by[ARC_MAX_PARAMETERS]; /* |d offset / d parameter| at the goal, m a SI unit */
    double cost;                        /* of the objectives; NaN without */
    ArcAimChance chance;
    bool hits; /* within all limits */
} ArcAimSolution;

/* A point of the front: its two numbers, and the throw. */
typedef struct ArcAimPoint {
    double numbers[2];
    double values[ARC_MAX_PARAMETERS];
} ArcAimPoint;

typedef struct ArcAim {
    ArcAimSettings settings;
    int n_parameters;
    const ArcExperiment *experiment;        /* borrowed; of one that was read its own */
    const ArcParameter *parameters;         /* the experiment's */
    double believed[ARC_MAX_PARAMETERS];    /* what each was taken for, but unknowns */
    double believed_sd[ARC_MAX_PARAMETERS]; /* 0: taken for known */
    bool unknown[ARC_MAX_PARAMETERS];       /* as resolved */
    int dimensions, up;
    bool has_arm;
    bool is_reachable;
    double shortfall_speed_m_s; /* how much faster than its limit the release must be; 0: reached;
                                 * NaN: no speed would do, or no limit of it stands in the way */
    double shortfall_miss_m;    /* 0: reached */
    double least_speed_m_s;     /* of a throw that hits, without limits of the unknowns' speeds; NaN
                                 * where it was not looked for */
    int n_solutions;
    ArcAimSolution solutions[ARC_AIM_MAX_SOLUTIONS]; /* the best first; unreachable: the nearest */
    int n_banks; /* with aim.contact and a backboard: throws that go in off it, without the rim.
                  * Their arrival is a ball's radius below the rim, their miss how far from its
                  * axis: */
    ArcAimSolution banks[ARC_AIM_MAX_BANKS];
    int n_front;
    ArcAimPoint front[ARC_AIM_MAX_FRONT]; /* by its first number, rising */
    bool has_reach;
    ArcReach reach;       /* of an arm that does not reach it: what would have to change */
    ArcExperiment *owned; /* by an aim that was read; NULL */
    const char *version, *libraries; /* as in a result (result.h); NULL: it was not read */
    void *arena;
} ArcAim;

typedef struct ArcAimOptions {
    int threads; /* of a Monte Carlo; 0: one */
} ArcAimOptions;

/* belief NULL: the experiment's own, with aim.from read. ARC_INPUT: no target, nothing unknown,
 * what the goal needs is not there. Unreachable is ARC_OK. Of a goal ARC_GOAL_RELEASE use reach.h.
 */
ArcStatus arc_aim_find(const ArcExperiment *experiment, const ArcBelief *belief,
                       const ArcAimOptions *options, ArcAim **aim, ArcError *err);

/* Accepts NULL. */
void arc_aim_free(ArcAim *aim);

/* In words, as JSON, and as an HDF5 file; the caller frees with arc_text_free. */
ArcStatus arc_aim_text(const ArcAim *aim, char **text, ArcError *err);
ArcStatus arc_aim_json(const ArcAim *aim, char **text, ArcError *err);
ArcStatus arc_aim_write(const ArcAim *aim, const char *path, ArcError *err);

/* Whether the file at path is what arc_aim_write wrote: false of results and of no HDF5 at all.
 * ARC_MEMORY. */
ArcStatus arc_aim_is_file(const char *path, bool *is_aim, ArcError *err);

/* Reads it back, its experiment made again of the text that it holds; free with arc_aim_free.
 * ARC_INPUT: no aim of arcfit, of an unknown schema, damaged, or not as its experiment has it. */
ArcStatus arc_aim_read(const char *path, ArcAim **aim, ArcError *err);

#pragma GCC visibility pop

#endif
