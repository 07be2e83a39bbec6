/* Partials to rounding by the complex step: Im f(x + i h) / h with h far below rounding (Squire and
 * Trapp, SIAM Rev. 40 (1998) 110). */
#ifndef COMPLEX_STEP_H
#define COMPLEX_STEP_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

enum { COMPLEX_STEP_MAX = 64 };

typedef double complex Complex;

/* f (m) of x (n). */
typedef void (*ComplexFunction)(const Complex *x, Complex *f);

/* r (m), and J (m, n) column-major unless NULL. */
static inline void complex_step(ComplexFunction function, int m, int n, const double *x, double *r,
                                double *J)
{
    const double h = 1e-100;
    Complex z[COMPLEX_STEP_MAX] = {0.0}, f[COMPLEX_STEP_MAX] = {0.0};
    for (int j = 0; j < n; j++)
        z[j] = x[j];
    function(z, f);
    for (int i = 0; i < m; i++)
        r[i] = creal(f[i]);
    for (int j = 0; J != NULL && j < n; j++) {
        z[j] = x[j] + h * I;
        function(z, f);
        for (int i = 0; i < m; i++)
            J[(size_t)i + (size_t)j * (size_t)m] = cimag(f[i]) / h;
        z[j] = x[j];
    }
}

#endif
