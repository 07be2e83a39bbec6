/* Adam with bias correction and decoupled weight decay, one call a step.
 *
 * Kingma and Ba, Adam, ICLR 2015, algorithm 1; decay after Loshchilov and Hutter, Decoupled weight
 * decay regularization, ICLR 2019, algorithm 2; clipping by the gradient's norm after Pascanu,
 * Mikolov and Bengio, ICML 2013. With a the schedule's rate times the unknown's multiplier:
 *   g <- g min(1, clip_norm / |g|)
 *   m <- beta1 m + (1 - beta1) g,      v <- beta2 v + (1 - beta2) g^2
 *   x <- x - a (m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + epsilon) + weight_decay x)
 * An unknown's first step is its rate, whatever the scale of F; so multipliers proportional to the
 * unknowns' sizes make a coefficient of 1e-5 and one of 1e5 train alike. Multiplier 0 holds one
 * fixed. The decay goes with the multiplier too, as it does with a rate of its own.
 */
#ifndef ARC_SOLVE_ADAM_H
#define ARC_SOLVE_ADAM_H

#include "base/arena.h"
#include "solve/descent.h"
#include "solve/schedule.h"

typedef struct ArcAdamSettings {
    ArcRateSchedule schedule;
    double beta1, beta2;       /* each from 0 to below 1 */
    double epsilon;            /* > 0, in units of the gradient */
    double weight_decay;       /* >= 0, of the unknowns below only */
    int decay_first, n_decay;  /* the range x[decay_first ... decay_first + n_decay - 1] */
    double clip_norm;          /* >= 0; 0: no clipping */
    double gradient_tolerance; /* done once |g| is at most this times the first |g|; 0: never */
    int max_steps;             /* > 0 */
} ArcAdamSettings;

/* The paper's: rate 1e-3 constant, beta 0.9 and 0.999, epsilon 1e-8; no decay, no clipping, no
 * tolerance; 10000 steps. */
ArcAdamSettings arc_adam_settings_default(void);

typedef struct ArcAdam ArcAdam; /* lives in the arena of its creation */

/* multipliers (n) >= 0 of the rate, copied; NULL: all 1. ARC_INPUT where a setting is out of range,
 * ARC_MEMORY. */
ArcStatus arc_adam_create(const ArcAdamSettings *settings, int n, const double *multipliers,
                          ArcArena *arena, ArcAdam **adam, ArcError *err);

/* Evaluates F at x (n), then moves x. report->cost and gradient_norm are of the x that came in, not
 * of the one that goes out. The call after the last of max_steps evaluates only, so that a walk
 * ends with cost and x that belong together, and reports ARC_STOP_LIMIT. Where F is not finite, x
 * becomes the last x at which it was (at the first step: stays) and the report says
 * ARC_STOP_NON_FINITE; a further call would go on from there. No allocation. */
void arc_adam_step(ArcAdam *adam, const ArcScalarObjective *objective, double *x,
                   ArcDescentReport *report);

/* Counters, both moments and the last finite x; x itself is the caller's to store. */
ArcDescentState arc_adam_state(const ArcAdam *adam);

/* Takes a stored state (count values). ARC_INPUT, the optimiser as it was, where it does not belong
 * to an Adam of this many unknowns. */
ArcStatus arc_adam_restore(ArcAdam *adam, const double *values, size_t count, ArcError *err);

#endif
