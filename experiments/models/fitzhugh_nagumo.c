/* A nerve cell that fires again and again: fast voltage and slow recovery.
 *
 *   V' = c (V - V^3 / 3 + R)
 *   R' = -(V - a + b R) / c
 * All without dimension, the time taken in seconds. R. FitzHugh, Biophys. J. 1 (1961) 445;
 * J. Nagumo, S. Arimoto and S. Yoshizawa, Proc. IRE 50 (1962) 2061; this form, with a = b = 0.2 and
 * c = 3, is that of J. O. Ramsay et al., J. R. Stat. Soc. B 69 (2007) 741.
 */
#include <arcfit/model.h>

static const ArcModelQuantity states[] = {
    {"V", "1", "voltage", -1, -10, 10},
    {"R", "1", "recovery", 1, -10, 10},
};

static const ArcModelQuantity parameters[] = {
    {"a", "1", "level of the recovery", 0.2, -2, 2},
    {"b", "1", "how fast the recovery fades", 0.2, -2, 2},
    {"c", "1", "how much faster the voltage is", 3, 0.1, 20},
};

static void rates(real t, const real *x, const real *v, const real *p, real *f)
{
    f[0] = p[2] * (x[0] - x[0] * x[0] * x[0] / 3 + x[1]);
    f[1] = -(x[0] - p[0] + p[1] * x[1]) / p[2];
}

ARC_MODEL("fitzhugh_nagumo", "a nerve cell that fires", 1, states, parameters, rates, NULL)
