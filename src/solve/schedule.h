/* How a learning rate changes from step to step.
 *
 * Warm-up first: over the first W = warm_up_steps the rate grows as rate (k + 1) / W. After it,
 * with j = k - W and N = steps - W: constant      rate cosine        final + (rate - final) (1 +
 * cos(pi min(j / N, 1))) / 2 (Loshchilov and Hutter, SGDR, ICLR 2017, eq. 5, one cycle) exponential
 * max(rate * decay^j, final)
 */
#ifndef ARC_SOLVE_SCHEDULE_H
#define ARC_SOLVE_SCHEDULE_H

#include "arcfit/error.h"

#include <stdint.h>

typedef enum ArcRateKind { ARC_RATE_CONSTANT, ARC_RATE_COSINE, ARC_RATE_EXPONENTIAL } ArcRateKind;

typedef struct ArcRateSchedule {
    ArcRateKind kind;
    double rate;       /* > 0, the highest */
    double final_rate; /* 0 to rate: the floor; constant: not used */
    double decay;      /* exponential: factor per step, above 0, at most 1 */
    int warm_up_steps; /* >= 0 */
    int steps;         /* cosine: the step that reaches the floor, > warm_up_steps */
} ArcRateSchedule;

/* Constant, rate 1e-3, no warm-up. */
ArcRateSchedule arc_schedule_default(void);

/* ARC_INPUT with the field, its value and its range where one is out of range. */
ArcStatus arc_schedule_check(const ArcRateSchedule *schedule, ArcError *err);

/* The rate of step k, which counts from 0; a function of k alone. */
double arc_schedule_rate(const ArcRateSchedule *schedule, int64_t k);

#endif
