/* Prey and those that live on it.
 *
 *   prey'      = growth prey - catch prey predators
 *   predators' = gain prey predators - death predators
 * Numbers are counted in any unit, time in seconds. V. Volterra, Mem. R. Accad. Naz. Lincei 6
 * (1926) 31; A. J. Lotka, Proc. Natl. Acad. Sci. 6 (1920) 410.
 */
#include <arcfit/model.h>

static const ArcModelQuantity states[] = {
    {"prey", "1", "number of prey", 5, 0, 1000},
    {"predators", "1", "number of predators", 5, 0, 1000},
};

static const ArcModelQuantity parameters[] = {
    {"growth", "1/s", "of prey left alone", 1.5, 0, 20},
    {"catch", "1/s", "by each predator", 1, 0, 20},
    {"death", "1/s", "of predators left alone", 3, 0, 20},
    {"gain", "1/s", "of predators by each prey", 1, 0, 20},
};

static void rates(real t, const real *x, const real *v, const real *p, real *f)
{
    real meetings = x[0] * x[1];
    f[0] = p[0] * x[0] - p[1] * meetings;
    f[1] = p[3] * meetings - p[2] * x[1];
}

ARC_MODEL("lotka_volterra", "prey and predators", 1, states, parameters, rates, NULL)
