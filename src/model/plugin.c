/* The frame of a plug-in, compiled behind the author's file (compiler.h), twice: many states at a
 * time, by what ARC_MODEL (model.h) says. No part of the library.
 *
 * With ARC_MODEL_PARTIALS the partials: rates are called once a column, with h = 1e-100 as the
 * imaginary part of one argument; what is then imaginary of f is h times the partial by it. The
 * columns are independent, of one state, so that the compiler may take several at once where the
 * rates are without branches.
 */
#include "plugin.h"

#ifdef ARC_MODEL_PARTIALS
/* Columns: by x, by v (second order), by p; rounded up to whole vectors. */
enum { arc_C = arc_order * arc_D + arc_P, arc_lanes = (arc_C + 7) / 8 * 8 };

static inline real arc_seed(double x, int column, int of)
{
    return __builtin_complex(x, column == of ? 1e-100 : 0.0);
}

static void arc_columns(double t, const double *x, const double *v, const double *p,
                        double J[arc_D][arc_lanes])
{
#pragma omp simd
    for (int c = 0; c < arc_lanes; c++) {
        real X[arc_D], V[arc_D], P[arc_P + 1], F[arc_D];
        for (int d = 0; d < arc_D; d++) {
            X[d] = arc_seed(x[d], c, d);
            if (arc_order == 2)
                V[d] = arc_seed(v[d], c, arc_D + d);
        }
        for (int k = 0; k < arc_P; k++)
            P[k] = arc_seed(p[k], c, arc_order * arc_D + k);
        arc_rates(t, X, arc_order == 2 ? V : NULL, P, F);
        for (int e = 0; e < arc_D; e++)
            J[e][c] = __imag__ F[e] * 1e100;
    }
}

static void arc_partials(int n, const double *t, const double *x, const double *v, const double *p,
                         double *f_x, double *f_v, double *f_p)
{
    double J[arc_D][arc_lanes];
    for (int i = 0; i < n; i++) {
        arc_columns(t[i], x + i * arc_D, arc_order == 2 ? v + i * arc_D : NULL, p, J);
        for (int e = 0; e < arc_D; e++) {
            for (int d = 0; d < arc_D; d++)
                f_x[(i * arc_D + e) * arc_D + d] = J[e][d];
            for (int d = 0; arc_order == 2 && d < arc_D; d++)
                f_v[(i * arc_D + e) * arc_D + d] = J[e][arc_D + d];
            for (int k = 0; k < arc_P; k++)
                f_p[(i * arc_D + e) * arc_P + k] = J[e][arc_order * arc_D + k];
        }
    }
}

static void arc_call(double t, const void *x, const void *v, const void *p, void *f)
{
    arc_model.rates(t, x, v, p, f);
}

__attribute__((visibility("default")))
const ArcPlugin arc_plugin = {&arc_model, NULL, arc_partials, arc_call, sizeof(real)};
#else
static void arc_batch(int n, const double *t, const double *x, const double *v, const double *p,
                      double *f)
{
    for (int i = 0; i < n; i++)
        arc_rates(t[i], x + i * arc_D, arc_order == 2 ? v + i * arc_D : NULL, p, f + i * arc_D);
}

static void arc_own(int n, const double *t, const double *x, const double *v, const double *p,
                    double *f_x, double *f_v, double *f_p)
{
    for (int i = 0; i < n; i++)
        arc_model.partials(t[i], x + i * arc_D, arc_order == 2 ? v + i * arc_D : NULL, p,
                           f_x + i * arc_D * arc_D, arc_order == 2 ? f_v + i * arc_D * arc_D : NULL,
                           f_p + i * arc_D * arc_P);
}

static void arc_call(double t, const void *x, const void *v, const void *p, void *f)
{
    arc_model.rates(t, x, v, p, f);
}

__attribute__((visibility("default")))
const ArcPlugin arc_plugin = {&arc_model, arc_batch, arc_own, arc_call, sizeof(real)};
#endif
