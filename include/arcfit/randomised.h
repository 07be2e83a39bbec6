/* What a fit does not know because what it took for known is not quite (`randomise:`).
 *
 * The fit is repeated at N draws m of the randomised quantities, each from where it stands. Of a
 * number with the estimate e(m) and the variance v(m) by the points' noise there is then, by the
 * law of total variance,
 *
 *   mean = E e(m)      sd^2 = E v(m) + Var e(m) = noise_sd^2 + randomised_sd^2
 *
 * The draws are a Latin hypercube: each quantity has the middle of each of N equal parts of its
 * distribution once (McKay, Beckman and Conover, Technometrics 21 (1979) 239). They come in pairs
 * u, 1 - u, with which means of what is odd about the middle are exact, and correlations between
 * quantities are taken out by exchanges: where a number follows the quantities linearly, its sd has
 * an error of a few per cent by 32 draws, against 13 % of independent ones.
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
