/* What a fit does not know because what it took for known is not quite (`randomise:`).
 *
 * The fit is repeated at N draws m of the randomised quantities, each from where it stands. Of a
 * number with the estimate e(m) and the variance v(m) by the points' noise there is then, by the
 * law of total variance,
 *
 *   mean = E e(m)      sd^2 = E v(m) + Var e(m) = noise_sd^2 + randomised_sd^2
 *
 * The draws are N/2 points of an additive recurrence in [0, 1)^K by the root of x^(K+1) = x + 1
 * (Roberts, The Unreasonable Effectiveness of Quasirandom Sequences, 2018), moved by a random shift
 * (Cranley and Patterson, SIAM J. Numer. Anal. 13 (1976) 904), each with its mirror image 1 - u,
 * with which means of what is odd about the middle are exact; quantiles make quantities of them.
 */
#ifndef ARCFIT_RANDOMISED_H
#define ARCFIT_RANDOMISED_H

#include "arcfit/fit.h"
#include "arcfit/randomise.h"

#pragma GCC visibility push(default)

/* A quantity as it was drawn. */
typedef struct ArcRandomisedQuantity {
    const char *name, *unit;
    double mean, sd; /* of the draws */
} ArcRandomisedQuantity;

/* A parameter or derived number that has a standard deviation. */
typedef struct ArcRandomisedNumber {
    const char *name, *unit;
    double value; /* of the fit, at the quantities as the experiment has them */
    double mean;
    double noise_sd, randomised_sd, sd;
    double ci95[2]; /* about the mean; those of the fit's estimates are set to it, as is their sd */
} ArcRandomisedNumber;

typedef struct ArcRandomised {
    int draws;    /* fits that were made */
    int n_failed; /* that did not converge, and are left out */
    int n_quantities;
    const ArcRandomisedQuantity *quantities;
    int n_numbers; /* parameters, then derived numbers */
    const ArcRandomisedNumber *numbers;
    const char *note; /* why there are no numbers, one sentence; else NULL */
} ArcRandomised;

/* Repeats a fit of the experiment to its captures (one, or those of several flights) over
 * experiment->randomise, and sets fit->randomised, that of each flight too, and the sds, intervals
 * and covariances. ARC_OK without doing anything where nothing is randomised. The same for any
 * number of options->threads. ARC_MEMORY; ARC_INPUT where a draw gives no problem. */
ArcStatus arc_randomised_run(const ArcExperiment *experiment, int n_captures,
                             const ArcCapture *const *captures, const ArcFitOptions *options,
                             ArcFit *fit, ArcError *err);

/* u (draws, n_quantities) of the design; draws is even. */
void arc_randomised_design(int draws, int n_quantities, uint64_t seed, double *u);

/* The sd of a parameter of the fit by the noise of its points alone. */
double arc_randomised_noise_sd(const ArcFit *fit, int parameter);

#pragma GCC visibility pop

#endif
