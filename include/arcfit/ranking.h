/* Several flight models of one capture, ranked by what the data say of them.
 *
 * With known sigmas the deviance (-2 log likelihood but for a constant) is chi2 + prior chi2, n the
 * fitted coordinates and priors, k the free parameters less the directions that the data do not
 * tell. With `sigma: estimate` it is n log(S / n) + prior chi2, S the sum of squares in units of
 * the stated sigmas, n the coordinates alone, and sigma itself is one of the k.
 *   AIC  = deviance + 2 k                        Akaike, IEEE Trans. Autom. Control 19 (1974) 716
 *   AICc = AIC + 2 k (k + 1) / (n - k - 1)       Hurvich and Tsai, Biometrika 76 (1989) 297
 *   BIC  = deviance + k log n                    Schwarz, Ann. Stat. 6 (1978) 461
 *   weight = exp(-delta / 2) / sum, delta = AICc - least AICc   (Burnham and Anderson, Model
 *   selection and multimodel inference, 2nd ed., Springer 2002, 2.6 and 2.9)
 * Of several flights fitted together n and k are those of all; where some are of a population,
 * whose standard deviation is found by another likelihood, there is no criterion. A parameter that
 * flights share is a case of one that each has of its own. AICc has no value where n - k - 1 < 1.
 * Own equations are ranked alike, also against a flight: points are the same where the channels
 * that were seen have the names of the others' or of the axes, and the same numbers. The PINN's are
 * those of its flight, which is the model's own where physics is exact; where it may break the
 * model the net has no count of parameters, and a loss other than gauss no such likelihood: there
 * is then no criterion.
 *
 * A closure counts by the number of weights that the data determine; whether they want it at all is
 * told by its own evidence ratio (closure.h), and what is biased without it by the difference of
 * the parameters that both models have.
 *
 * Nested models (the smaller is the larger with some parameters held, or with a law left out): with
 * known sigmas the fall of the deviance is chi-square of the added parameters; with an estimated
 * one F = (fall / added) / (S_larger / (n - k_larger)), exact for linear models (Seber and Wild,
 * Nonlinear regression, Wiley 1989, 5.9). Where the larger model has a parameter that the smaller
 * one leaves without effect (a spin beside a free lift coefficient) or its value there is on a
 * bound, p is an approximation; a prior of an added parameter makes it too large, never too small.
 */
#ifndef ARCFIT_RANKING_H
#define ARCFIT_RANKING_H

#include "arcfit/result.h"

#pragma GCC visibility push(default)

/* A model whose criterion is less than this above the least cannot be told from the best. */
#define ARC_RANKING_CLOSE 2.0

/* NaN where there is no such number. */
typedef struct ArcCriteria {
    int n, k;
    double deviance, aic, aicc, bic;
} ArcCriteria;

typedef struct ArcRankedModel {
    int index; /* of its result among those given */
    bool converged;
    ArcCriteria criteria;
    double delta, weight; /* of the criterion that ranks; NaN where it is missing */
    double chi2_p;
} ArcRankedModel;

typedef struct ArcNestedTest {
    int smaller, larger; /* places in the ranking, from 0 */
    int added;           /* parameters */
    bool is_f;           /* F, with an estimated sigma; else chi-square */
    double statistic;
    double p;
} ArcNestedTest;

/* What leaving out the closure does to what both models have free. */
typedef struct ArcClosurePair {
    int without, with; /* places in the ranking, from 0 */
    double log_bayes;  /* ln of the evidence with the closure over that without */
    double chi2_without, chi2_with;
    int n;
    const char *const *names;         /* (n) of parameters */
    const double *difference, *in_sd; /* (n) without less with, and in the sd of that with */
} ArcClosurePair;

typedef struct ArcRanking {
    ArcMethod method;
    int n;                        /* results that have a fit by this method */
    const ArcRankedModel *models; /* (n), best first: converged, then by the criterion; as given
                                   * where they cannot be compared */
    int n_tests;
    const ArcNestedTest *tests;
    int n_pairs;
    const ArcClosurePair *pairs; /* converged models without a closure, with each of those with one
                                  * that have the same laws */
    bool by_aicc;                /* else by AIC, since no model has an AICc */
    const char *not_comparable;  /* why criteria of different models mean nothing; NULL: they do */
    void *arena;
} ArcRanking;

/* The criteria of one fit of a result. */
ArcCriteria arc_ranking_criteria(const ArcResult *result, const ArcFit *fit);

/* Ranks the fits by one method; names and texts are borrowed from the results. ARC_MEMORY. */
ArcStatus arc_ranking_create(int n, const ArcResult *const *results, ArcMethod method,
                             ArcRanking **ranking, ArcError *err);

/* Accepts NULL. */
void arc_ranking_free(ArcRanking *ranking);

#pragma GCC visibility pop

#endif
