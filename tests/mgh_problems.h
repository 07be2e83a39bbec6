/* Test problems of More, Garbow and Hillstrom (ACM Trans. Math. Softw. 7 (1981) 17), with their
 * standard starts and least sums of squares. */
#ifndef MGH_PROBLEMS_H
#define MGH_PROBLEMS_H

#include "complex_step.h"

#include <math.h>

typedef struct MghProblem {
    const char *name;
    int m, n;
    ComplexFunction f;
    double start[6];
    double least[3]; /* sums of squares at the known minima; unused ones are negative */
} MghProblem;

static inline void mgh_rosenbrock(const Complex *x, Complex *f)
{
    f[0] = 10.0 * (x[1] - x[0] * x[0]);
    f[1] = 1.0 - x[0];
}

static inline void mgh_freudenstein_roth(const Complex *x, Complex *f)
{
    f[0] = -13.0 + x[0] + ((5.0 - x[1]) * x[1] - 2.0) * x[1];
    f[1] = -29.0 + x[0] + ((x[1] + 1.0) * x[1] - 14.0) * x[1];
}

static inline void mgh_powell_badly_scaled(const Complex *x, Complex *f)
{
    f[0] = 1e4 * x[0] * x[1] - 1.0;
    f[1] = cexp(-x[0]) + cexp(-x[1]) - 1.0001;
}

static inline void mgh_brown_badly_scaled(const Complex *x, Complex *f)
{
    f[0] = x[0] - 1e6;
    f[1] = x[1] - 2e-6;
    f[2] = x[0] * x[1] - 2.0;
}

static inline void mgh_beale(const Complex *x, Complex *f)
{
    const double y[] = {1.5, 2.25, 2.625};
    Complex power = 1.0;
    for (int i = 0; i < 3; i++) {
        power *= x[1];
        f[i] = y[i] - x[0] * (1.0 - power);
    }
}

static inline void mgh_jennrich_sampson(const Complex *x, Complex *f)
{
    for (int i = 1; i <= 10; i++)
        f[i - 1] = 2.0 + 2.0 * i - (cexp(i * x[0]) + cexp(i * x[1]));
}

/* The angle is that of the half-plane x0 < 0 where x0 is negative. */
static inline void mgh_helical_valley(const Complex *x, Complex *f)
{
    Complex theta = catan(x[1] / x[0]) / (2.0 * M_PI) + (creal(x[0]) < 0.0 ? 0.5 : 0.0);
    f[0] = 10.0 * (x[2] - 10.0 * theta);
    f[1] = 10.0 * (csqrt(x[0] * x[0] + x[1] * x[1]) - 1.0);
    f[2] = x[2];
}

static inline void mgh_bard(const Complex *x, Complex *f)
{
    const double y[] = {0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39,
                        0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39};
    for (int i = 1; i <= 15; i++) {
        double v = 16.0 - i, w = i < 8 ? i : v;
        f[i - 1] = y[i - 1] - (x[0] + i / (v * x[1] + w * x[2]));
    }
}

static inline void mgh_box_3d(const Complex *x, Complex *f)
{
    for (int i = 1; i <= 10; i++) {
        double t = 0.1 * i;
        f[i - 1] = cexp(-t * x[0]) - cexp(-t * x[1]) - x[2] * (exp(-t) - exp(-10.0 * t));
    }
}

static inline void mgh_powell_singular(const Complex *x, Complex *f)
{
    f[0] = x[0] + 10.0 * x[1];
    f[1] = sqrt(5.0) * (x[2] - x[3]);
    f[2] = (x[1] - 2.0 * x[2]) * (x[1] - 2.0 * x[2]);
    f[3] = sqrt(10.0) * (x[0] - x[3]) * (x[0] - x[3]);
}

static inline void mgh_wood(const Complex *x, Complex *f)
{
    f[0] = 10.0 * (x[1] - x[0] * x[0]);
    f[1] = 1.0 - x[0];
    f[2] = sqrt(90.0) * (x[3] - x[2] * x[2]);
    f[3] = 1.0 - x[2];
    f[4] = sqrt(10.0) * (x[1] + x[3] - 2.0);
    f[5] = (x[1] - x[3]) / sqrt(10.0);
}

static inline void mgh_kowalik_osborne(const Complex *x, Complex *f)
{
    const double y[] = {0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627,
                        0.0456, 0.0342, 0.0323, 0.0235, 0.0246};
    const double u[] = {4.0, 2.0, 1.0, 0.5, 0.25, 0.167, 0.1250, 0.100, 0.0833, 0.0714, 0.0625};
    for (int i = 0; i < 11; i++)
        f[i] = y[i] - x[0] * (u[i] * u[i] + u[i] * x[1]) / (u[i] * u[i] + u[i] * x[2] + x[3]);
}

static inline void mgh_brown_dennis(const Complex *x, Complex *f)
{
    for (int i = 1; i <= 20; i++) {
        double t = i / 5.0;
        Complex a = x[0] + t * x[1] - exp(t), b = x[2] + x[3] * sin(t) - cos(t);
        f[i - 1] = a * a + b * b;
    }
}

/* The polynomial's coefficients are the unknowns: sum of (j - 1) x_j t^(j-2) less its square. */
static inline void mgh_watson(const Complex *x, Complex *f)
{
    for (int i = 1; i <= 29; i++) {
        double t = i / 29.0, power = 1.0;
        Complex slope = 0.0, value = 0.0;
        for (int j = 0; j < 6; j++) {
            value += x[j] * power;
            if (j + 1 < 6)
                slope += (j + 1.0) * x[j + 1] * power;
            power *= t;
        }
        f[i - 1] = slope - value * value - 1.0;
    }
    f[29] = x[0];
    f[30] = x[1] - x[0] * x[0] - 1.0;
}

static const MghProblem mgh_problems[] = {
    {"Rosenbrock", 2, 2, mgh_rosenbrock, {-1.2, 1.0}, {0.0, -1.0, -1.0}},
    {"Freudenstein-Roth", 2, 2, mgh_freudenstein_roth, {0.5, -2.0}, {0.0, 48.98425368, -1.0}},
    {"Powell badly scaled", 2, 2, mgh_powell_badly_scaled, {0.0, 1.0}, {0.0, -1.0, -1.0}},
    {"Brown badly scaled", 3, 2, mgh_brown_badly_scaled, {1.0, 1.0}, {0.0, -1.0, -1.0}},
    {"Beale", 3, 2, mgh_beale, {1.0, 1.0}, {0.0, -1.0, -1.0}},
    {"Jennrich-Sampson", 10, 2, mgh_jennrich_sampson, {0.3, 0.4}, {124.3621824, -1.0, -1.0}},
    {"Helical valley", 3, 3, mgh_helical_valley, {-1.0, 0.0, 0.0}, {0.0, -1.0, -1.0}},
    {"Bard", 15, 3, mgh_bard, {1.0, 1.0, 1.0}, {8.214877307e-3, 17.42869333, -1.0}},
    {"Box 3D", 10, 3, mgh_box_3d, {0.0, 10.0, 20.0}, {0.0, -1.0, -1.0}},
    {"Powell singular", 4, 4, mgh_powell_singular, {3.0, -1.0, 0.0, 1.0}, {0.0, -1.0, -1.0}},
    {"Wood", 6, 4, mgh_wood, {-3.0, -1.0, -3.0, -1.0}, {0.0, -1.0, -1.0}},
    {"Kowalik-Osborne",
     11,
     4,
     mgh_kowalik_osborne,
     {0.25, 0.39, 0.415, 0.39},
     {3.075056038e-4, 1.02734e-3, -1.0}},
    {"Brown-Dennis", 20, 4, mgh_brown_dennis, {25.0, 5.0, -5.0, -1.0}, {85822.20163, -1.0, -1.0}},
    {"Watson", 31, 6, mgh_watson, {0.0}, {2.287670054e-3, -1.0, -1.0}},
};
enum { N_MGH_PROBLEMS = sizeof mgh_problems / sizeof mgh_problems[0] };

#endif
