/* Ridge and width of a closure, and whether the data want one, before a fit.
 *
 * From the direct fit without closure on, the flights are linearised about where they are
 * (closure_rows.h). There the evidence of every width on a grid and of every ridge is a matter of
 * small matrices (solve/ridge.h); the best of them moves flights and weights, and so on until
 * nothing moves: Gauss-Newton, in which the hyperparameters take part. The evidence against none is
 * averaged over a prior of them:
 *   widths log-uniform from half of the flown region to the distance of neighbouring points: wider
 *   ones are constants, narrower ones have no points to tell them;
 *   sd of the field along the flights log-uniform from 1/1000 of its scale to its scale, which is
 *   gravity for accelerations, 1 for coefficients, and for rates of own equations their rms.
 * So the expected Bayes factor without any hidden force is 1, and above 20 at most once in 20.
 * Rounds are few. Where they end before whole steps succeed, the flights are far from any optimum
 * and the fits from there are kept short: they do not arrive, and say so.
 * Where it is below 1 there is no closure: its weights are zero. In place of a law of drag or lift
 * none is a constant coefficient.
 */
#ifndef ARC_FIT_CLOSURE_SEARCH_H
#define ARC_FIT_CLOSURE_SEARCH_H

#include "fit/closure_rows.h"

struct ArcClosureFound {
    bool is_found, is_trained;              /* the hidden layer, too */
    bool is_lost;                           /* the rounds ended where whole steps still fail */
    ArcClosure *whole;                      /* with all its outputs */
    ArcClosure *closure;                    /* with those that the data want; NULL: none of them */
    int output[ARC_EQUATIONS_MAX_STATES];   /* (closure's O) which of whole's each is */
    double ridge[ARC_EQUATIONS_MAX_STATES]; /* of each of whole's outputs; infinite: not wanted */
    double *weights, *mean, *sd;            /* (closure's K) to begin from, and the normal prior */
    double *values;                         /* (n_flights, n_parameters) where the flights are */
    double *shared;                         /* (joint's n_shared) */
    double log_bayes, chi2_without;
    int n_folds;
    double held_out_with, held_out_without;
    double sigma_factor;
    int n_points; /* inputs along the flights */
    double *points;
};
typedef struct ArcClosureFound ArcClosureFound;

/* The hidden layer too, of what was found, where the evidence improves by it (closure_train.c). */
ArcStatus arc_closure_train(const ArcJoint *joint, const ArcFitOptions *options, ArcError *err);

/* Into joint->found, once. */
ArcStatus arc_closure_search(const ArcJoint *joint, const ArcFitOptions *options, ArcError *err);

#endif
