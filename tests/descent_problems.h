/* Problems with known answers for the tests of the first-order optimisers.
 *
 * F(x) = sum of r_k(x)^2. The residuals are written for complex numbers, so that the gradient
 * follows by the complex step (Squire and Trapp, SIAM Rev. 40 (1998) 110), exact to rounding and
 * free of hand-made derivatives.
 */
#ifndef ARC_TESTS_DESCENT_PROBLEMS_H
#define ARC_TESTS_DESCENT_PROBLEMS_H

#include "base/arena.h"
#include "solve/descent.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { MAX_UNKNOWNS = 100, MAX_RESIDUALS = 210 };

typedef double complex Complex;

typedef struct Problem {
    const char *name;
    int n, m;
    void (*residuals)(int n, const Complex *x, Complex *r);
    double start[MAX_UNKNOWNS];
    double minimum; /* of F, and of another local one where there are two */
    double other_minimum;
} Problem;

/* The objective's context: counts, and can fail from some evaluation on. */
typedef struct Watched {
    const Problem *problem;
    int evaluations;
    int fail_from; /* 0: never; else the first evaluation, from 1, that is not finite */
} Watched;

static inline bool evaluate_problem(void *context, const double *x, double *f, double *g)
{
    Watched *watched = context;
    const Problem *p = watched->problem;
    watched->evaluations++;
    Complex z[MAX_UNKNOWNS], r[MAX_RESIDUALS];
    for (int i = 0; i < p->n; i++)
        z[i] = x[i];
    bool failed = watched->fail_from > 0 && watched->evaluations >= watched->fail_from;
    const double h = 1e-200;
    for (int j = 0; j < p->n; j++) {
        z[j] = x[j] + h * I;
        p->residuals(p->n, z, r);
        z[j] = x[j];
        g[j] = 0.0;
        for (int k = 0; k < p->m; k++)
            g[j] += 2.0 * creal(r[k]) * (cimag(r[k]) / h);
        if (failed)
            g[j] = NAN;
    }
    *f = 0.0;
    for (int k = 0; k < p->m; k++)
        *f += creal(r[k]) * creal(r[k]);
    return !failed && isfinite(*f);
}

static inline ArcScalarObjective watch(Watched *watched)
{
    return (ArcScalarObjective){.context = watched, .evaluate = evaluate_problem};
}

/* Blocks that the arena may still take, and how many it asked for. */
typedef struct Budget {
    int allowed;
    int asked;
} Budget;

static inline bool budget_hook(void *context, size_t size)
{
    (void)size;
    Budget *budget = context;
    return budget->asked++ < budget->allowed;
}

/* Rosenbrock's valley with its unknowns in a chain: each leads to the next. */
static inline void chained_rosenbrock(int n, const Complex *x, Complex *r)
{
    for (int i = 0; i + 1 < n; i++) {
        r[2 * i] = 10.0 * (x[i + 1] - x[i] * x[i]);
        r[2 * i + 1] = 1.0 - x[i];
    }
}

static inline Problem rosenbrock(int n)
{
    Problem p = {.name = "Rosenbrock", .n = n, .m = 2 * (n - 1), .residuals = chained_rosenbrock};
    for (int i = 0; i < n; i++)
        p.start[i] = i % 2 == 0 ? -1.2 : 1.0;
    /* From three unknowns on the chain has a second minimum near (-1, 1, ..., 1), up to 4. */
    p.other_minimum = 3.986;
    return p;
}

#endif
