/* Problems of More, Garbow and Hillstrom, ACM Trans. Math. Softw. 7 (1981) 17, by their numbers
 * there, with start points and minima of F as they print them. */
#ifndef ARC_TESTS_MORE_GARBOW_HILLSTROM_H
#define ARC_TESTS_MORE_GARBOW_HILLSTROM_H

#include "descent_problems.h"

static inline void freudenstein_roth(int n, const Complex *x, Complex *r)
{
    (void)n;
    r[0] = -13.0 + x[0] + ((5.0 - x[1]) * x[1] - 2.0) * x[1];
    r[1] = -29.0 + x[0] + ((x[1] + 1.0) * x[1] - 14.0) * x[1];
}

static inline void powell_badly_scaled(int n, const Complex *x, Complex *r)
{
    (void)n;
    r[0] = 1e4 * x[0] * x[1] - 1.0;
    r[1] = cexp(-x[0]) + cexp(-x[1]) - 1.0001;
}

static inline void brown_badly_scaled(int n, const Complex *x, Complex *r)
{
    (void)n;
    r[0] = x[0] - 1e6;
    r[1] = x[1] - 2e-6;
    r[2] = x[0] * x[1] - 2.0;
}

static inline void beale(int n, const Complex *x, Complex *r)
{
    (void)n;
    const double y[] = {1.5, 2.25, 2.625};
    Complex power = 1.0;
    for (int i = 0; i < 3; i++) {
        power *= x[1];
        r[i] = y[i] - x[0] * (1.0 - power);
    }
}

static inline void jennrich_sampson(int n, const Complex *x, Complex *r)
{
    (void)n;
    for (int i = 1; i <= 10; i++)
        r[i - 1] = 2.0 + 2.0 * i - (cexp(i * x[0]) + cexp(i * x[1]));
}

static inline void helical_valley(int n, const Complex *x, Complex *r)
{
    (void)n;
    Complex turns = catan(x[1] / x[0]) / (2.0 * M_PI) + (creal(x[0]) < 0.0 ? 0.5 : 0.0);
    r[0] = 10.0 * (x[2] - 10.0 * turns);
    r[1] = 10.0 * (csqrt(x[0] * x[0] + x[1] * x[1]) - 1.0);
    r[2] = x[2];
}

static inline void bard(int n, const Complex *x, Complex *r)
{
    (void)n;
    const double y[] = {0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39,
                        0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39};
    for (int i = 1; i <= 15; i++) {
        double v = 16.0 - i, w = fmin(i, v);
        r[i - 1] = y[i - 1] - (x[0] + i / (v * x[1] + w * x[2]));
    }
}

static inline void powell_singular(int n, const Complex *x, Complex *r)
{
    (void)n;
    r[0] = x[0] + 10.0 * x[1];
    r[1] = sqrt(5.0) * (x[2] - x[3]);
    r[2] = (x[1] - 2.0 * x[2]) * (x[1] - 2.0 * x[2]);
    r[3] = sqrt(10.0) * (x[0] - x[3]) * (x[0] - x[3]);
}

static inline void wood(int n, const Complex *x, Complex *r)
{
    (void)n;
    r[0] = 10.0 * (x[1] - x[0] * x[0]);
    r[1] = 1.0 - x[0];
    r[2] = sqrt(90.0) * (x[3] - x[2] * x[2]);
    r[3] = 1.0 - x[2];
    r[4] = sqrt(10.0) * (x[1] + x[3] - 2.0);
    r[5] = (x[1] - x[3]) / sqrt(10.0);
}

static inline void kowalik_osborne(int n, const Complex *x, Complex *r)
{
    (void)n;
    const double y[] = {0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627,
                        0.0456, 0.0342, 0.0323, 0.0235, 0.0246};
    const double u[] = {4.0, 2.0, 1.0, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625};
    for (int i = 0; i < 11; i++)
        r[i] = y[i] - x[0] * (u[i] * u[i] + u[i] * x[1]) / (u[i] * u[i] + u[i] * x[2] + x[3]);
}

static inline void brown_dennis(int n, const Complex *x, Complex *r)
{
    (void)n;
    for (int i = 1; i <= 20; i++) {
        double t = i / 5.0;
        Complex a = x[0] + t * x[1] - exp(t), b = x[2] + x[3] * sin(t) - cos(t);
        r[i - 1] = a * a + b * b;
    }
}

static inline void biggs_exp6(int n, const Complex *x, Complex *r)
{
    (void)n;
    for (int i = 1; i <= 13; i++) {
        double t = 0.1 * i, y = exp(-t) - 5.0 * exp(-10.0 * t) + 3.0 * exp(-4.0 * t);
        r[i - 1] = x[2] * cexp(-t * x[0]) - x[3] * cexp(-t * x[1]) + x[5] * cexp(-t * x[4]) - y;
    }
}

static inline void variably_dimensioned(int n, const Complex *x, Complex *r)
{
    Complex sum = 0.0;
    for (int i = 0; i < n; i++) {
        r[i] = x[i] - 1.0;
        sum += (i + 1.0) * r[i];
    }
    r[n] = sum;
    r[n + 1] = sum * sum;
}

static inline void broyden_tridiagonal(int n, const Complex *x, Complex *r)
{
    for (int i = 0; i < n; i++) {
        Complex before = i > 0 ? x[i - 1] : 0.0, after = i + 1 < n ? x[i + 1] : 0.0;
        r[i] = (3.0 - 2.0 * x[i]) * x[i] - before - 2.0 * after + 1.0;
    }
}

/* F minimum 0 where none is given. Where the paper has a second local minimum it stands too. */
static const Problem more_garbow_hillstrom[] = {
    {"2 Freudenstein and Roth", 2, 2, freudenstein_roth, {0.5, -2.0}, 0.0, 48.98425},
    {"3 Powell badly scaled", 2, 2, powell_badly_scaled, {0.0, 1.0}, 0.0, 0.0},
    {"4 Brown badly scaled", 2, 3, brown_badly_scaled, {1.0, 1.0}, 0.0, 0.0},
    {"5 Beale", 2, 3, beale, {1.0, 1.0}, 0.0, 0.0},
    {"6 Jennrich and Sampson", 2, 10, jennrich_sampson, {0.3, 0.4}, 124.362, 0.0},
    {"7 helical valley", 3, 3, helical_valley, {-1.0, 0.0, 0.0}, 0.0, 0.0},
    {"8 Bard", 3, 15, bard, {1.0, 1.0, 1.0}, 8.21487e-3, 17.4286},
    {"13 Powell singular", 4, 4, powell_singular, {3.0, -1.0, 0.0, 1.0}, 0.0, 0.0},
    {"14 Wood", 4, 6, wood, {-3.0, -1.0, -3.0, -1.0}, 0.0, 0.0},
    {"15 Kowalik and Osborne", 4, 11, kowalik_osborne, {.25, .39, .415, .39}, 3.07505e-4, 0.0},
    {"16 Brown and Dennis", 4, 20, brown_dennis, {25.0, 5.0, -5.0, -1.0}, 85822.2, 0.0},
    {"18 Biggs EXP6", 6, 13, biggs_exp6, {1.0, 2.0, 1.0, 1.0, 1.0, 1.0}, 0.0, 5.65565e-3},
    {"25 variably dimensioned",
     6,
     8,
     variably_dimensioned,
     {5 / 6.0, 4 / 6.0, 3 / 6.0, 2 / 6.0, 1 / 6.0, 0.0},
     0.0,
     0.0},
    {"30 Broyden tridiagonal",
     8,
     8,
     broyden_tridiagonal,
     {-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0},
     0.0,
     0.0},
};
enum { N_MORE_GARBOW_HILLSTROM = sizeof(more_garbow_hillstrom) / sizeof(more_garbow_hillstrom[0]) };

#endif
