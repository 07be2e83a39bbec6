/* The frame of a plug-in, compiled behind the author's file (compiler.h), twice: many states at a
 * time, by what ARC_MODEL (model.h) says. No part of the library.
 *
 * With ARC_MODEL_PARTIALS the partials: rates are called once a column, with h = 2^-664 as the
 * imaginary part of one argument; what is then imaginary of f is h times the partial by it. All is
 * put into one piece of code, the columns of a state written out, so that the compiler sees which
 * numbers carry nothing and computes once what columns have in common: of the knee's 16 columns
 * that costs as much as its rates do once, and an eighth of what calls of them would.
 */
#include <arcfit/plugin.h>

/* No name here is one letter in capitals, which authors take for constants. */

#ifdef ARC_MODEL_PARTIALS
/* Columns: by x, by v (second order), by p. Very many are not written out: code must fit, too. */
enum { arc_columns = arc_order * arc_D + arc_P, arc_written_out = arc_columns <= 24 ? 24 : 1 };

static inline real arc_seed(double x, int column, int of)
{
    return __builtin_complex(x, column == of ? 0x1p-664 : 0.0);
}

__attribute__((flatten)) static void arc_steps(double t, const double *x, const double *v,
                                               const double *p, double table[arc_D][arc_columns])
{
#pragma GCC unroll arc_written_out
    for (int c = 0; c < arc_columns; c++) {
        real at_x[arc_D], at_v[arc_D], at_p[arc_P + 1], rate[arc_D];
        for (int d = 0; d < arc_D; d++) {
            at_x[d] = arc_seed(x[d], c, d);
            if (arc_order == 2)
                at_v[d] = arc_seed(v[d], c, arc_D + d);
        }
        for (int k = 0; k < arc_P; k++)
            at_p[k] = arc_seed(p[k], c, arc_order * arc_D + k);
        arc_rates(t, at_x, arc_order == 2 ? at_v : NULL, at_p, rate);
        for (int e = 0; e < arc_D; e++)
            table[e][c] = __imag__ rate[e] * 0x1p664;
    }
}

static void arc_partials(int n, const double *t, const double *x, const double *v, const double *p,
                         double *f_x, double *f_v, double *f_p)
{
    double table[arc_D][arc_columns];
    for (int i = 0; i < n; i++) {
        arc_steps(t[i], x + i * arc_D, arc_order == 2 ? v + i * arc_D : NULL, p, table);
        for (int e = 0; e < arc_D; e++) {
            for (int d = 0; d < arc_D; d++)
                f_x[(i * arc_D + e) * arc_D + d] = table[e][d];
            for (int d = 0; arc_order == 2 && d < arc_D; d++)
                f_v[(i * arc_D + e) * arc_D + d] = table[e][arc_D + d];
            for (int k = 0; k < arc_P; k++)
                f_p[(i * arc_D + e) * arc_P + k] = table[e][arc_order * arc_D + k];
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
