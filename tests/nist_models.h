/* The models of NIST's certified nonlinear regressions (Statistical Reference Datasets), with their
 * partials by hand. A model returns its value at x for the parameters b and fills g with the
 * partials. */
#ifndef NIST_MODELS_H
#define NIST_MODELS_H

#include <math.h>
#include <stdbool.h>

typedef double (*NistFunction)(const double *b, const double *x, double *g);

typedef struct NistModel {
    const char *name;
    int n; /* parameters */
    NistFunction function;
    bool log_response; /* the data's y is fitted as log y */
} NistModel;

static inline double nist_bennett5(const double *b, const double *x, double *g)
{
    double base = b[1] + x[0], power = pow(base, -1.0 / b[2]);
    g[0] = power;
    g[1] = -b[0] / b[2] * power / base;
    g[2] = b[0] * power * log(base) / (b[2] * b[2]);
    return b[0] * power;
}

/* BoxBOD and Misra1a. */
static inline double nist_saturation(const double *b, const double *x, double *g)
{
    g[0] = -expm1(-b[1] * x[0]);
    g[1] = b[0] * x[0] * exp(-b[1] * x[0]);
    return b[0] * g[0];
}

static inline double nist_chwirut(const double *b, const double *x, double *g)
{
    double below = b[1] + b[2] * x[0], value = exp(-b[0] * x[0]) / below;
    g[0] = -x[0] * value;
    g[1] = -value / below;
    g[2] = -x[0] * value / below;
    return value;
}

static inline double nist_danwood(const double *b, const double *x, double *g)
{
    g[0] = pow(x[0], b[1]);
    g[1] = b[0] * g[0] * log(x[0]);
    return b[0] * g[0];
}

static inline double nist_enso(const double *b, const double *x, double *g)
{
    double year = 2.0 * M_PI * x[0] / 12.0;
    g[0] = 1.0;
    g[1] = cos(year);
    g[2] = sin(year);
    double value = b[0] + b[1] * g[1] + b[2] * g[2];
    for (int k = 3; k < 9; k += 3) {
        double angle = 2.0 * M_PI * x[0] / b[k], c = cos(angle), s = sin(angle);
        g[k] = angle / b[k] * (b[k + 1] * s - b[k + 2] * c);
        g[k + 1] = c;
        g[k + 2] = s;
        value += b[k + 1] * c + b[k + 2] * s;
    }
    return value;
}

static inline double nist_eckerle4(const double *b, const double *x, double *g)
{
    double u = (x[0] - b[2]) / b[1], bell = exp(-0.5 * u * u) / b[1];
    g[0] = bell;
    g[1] = b[0] * bell * (u * u - 1.0) / b[1];
    g[2] = b[0] * bell * u / b[1];
    return b[0] * bell;
}

static inline double nist_gauss(const double *b, const double *x, double *g)
{
    g[0] = exp(-b[1] * x[0]);
    g[1] = -b[0] * x[0] * g[0];
    double value = b[0] * g[0];
    for (int k = 2; k < 8; k += 3) {
        double u = (x[0] - b[k + 1]) / b[k + 2], bell = exp(-u * u);
        g[k] = bell;
        g[k + 1] = 2.0 * b[k] * bell * u / b[k + 2];
        g[k + 2] = 2.0 * b[k] * bell * u * u / b[k + 2];
        value += b[k] * bell;
    }
    return value;
}

/* Powers of x over powers of x, the lower constant 1: n_above coefficients, then n_below. */
static inline double nist_ratio(int n_above, int n_below, const double *b, double x, double *g)
{
    double above = 0.0, below = 1.0, power = 1.0;
    for (int k = 0; k < n_above; k++, power *= x) {
        g[k] = power;
        above += b[k] * power;
    }
    power = x;
    for (int k = n_above; k < n_above + n_below; k++, power *= x) {
        g[k] = power;
        below += b[k] * power;
    }
    for (int k = 0; k < n_above + n_below; k++)
        g[k] *= (k < n_above ? 1.0 : -above / below) / below;
    return above / below;
}

/* Hahn1 and Thurber. */
static inline double nist_cubic_ratio(const double *b, const double *x, double *g)
{
    return nist_ratio(4, 3, b, x[0], g);
}

static inline double nist_kirby2(const double *b, const double *x, double *g)
{
    return nist_ratio(3, 2, b, x[0], g);
}

static inline double nist_lanczos(const double *b, const double *x, double *g)
{
    double value = 0.0;
    for (int k = 0; k < 6; k += 2) {
        g[k] = exp(-b[k + 1] * x[0]);
        g[k + 1] = -b[k] * x[0] * g[k];
        value += b[k] * g[k];
    }
    return value;
}

static inline double nist_mgh09(const double *b, const double *x, double *g)
{
    double above = x[0] * (x[0] + b[1]), below = x[0] * (x[0] + b[2]) + b[3];
    g[0] = above / below;
    g[1] = b[0] * x[0] / below;
    g[2] = -b[0] * g[0] * x[0] / below;
    g[3] = -b[0] * g[0] / below;
    return b[0] * g[0];
}

static inline double nist_mgh10(const double *b, const double *x, double *g)
{
    double below = x[0] + b[2];
    g[0] = exp(b[1] / below);
    g[1] = b[0] * g[0] / below;
    g[2] = -b[0] * g[0] * b[1] / (below * below);
    return b[0] * g[0];
}

static inline double nist_mgh17(const double *b, const double *x, double *g)
{
    g[0] = 1.0;
    g[1] = exp(-x[0] * b[3]);
    g[2] = exp(-x[0] * b[4]);
    g[3] = -b[1] * x[0] * g[1];
    g[4] = -b[2] * x[0] * g[2];
    return b[0] + b[1] * g[1] + b[2] * g[2];
}

static inline double nist_misra1b(const double *b, const double *x, double *g)
{
    double base = 1.0 + 0.5 * b[1] * x[0];
    g[0] = 1.0 - 1.0 / (base * base);
    g[1] = b[0] * x[0] / (base * base * base);
    return b[0] * g[0];
}

static inline double nist_misra1c(const double *b, const double *x, double *g)
{
    double base = 1.0 + 2.0 * b[1] * x[0];
    g[0] = 1.0 - 1.0 / sqrt(base);
    g[1] = b[0] * x[0] / (base * sqrt(base));
    return b[0] * g[0];
}

static inline double nist_misra1d(const double *b, const double *x, double *g)
{
    double base = 1.0 + b[1] * x[0];
    g[0] = b[1] * x[0] / base;
    g[1] = b[0] * x[0] / (base * base);
    return b[0] * g[0];
}

static inline double nist_nelson(const double *b, const double *x, double *g)
{
    double decay = exp(-b[2] * x[1]);
    g[0] = 1.0;
    g[1] = -x[0] * decay;
    g[2] = b[1] * x[0] * x[1] * decay;
    return b[0] + b[1] * g[1];
}

static inline double nist_rat42(const double *b, const double *x, double *g)
{
    double e = exp(b[1] - b[2] * x[0]), below = 1.0 + e;
    g[0] = 1.0 / below;
    g[1] = -b[0] * e / (below * below);
    g[2] = -x[0] * g[1];
    return b[0] / below;
}

static inline double nist_rat43(const double *b, const double *x, double *g)
{
    double e = exp(b[1] - b[2] * x[0]), below = 1.0 + e;
    g[0] = pow(below, -1.0 / b[3]);
    double value = b[0] * g[0];
    g[1] = -value / b[3] * e / below;
    g[2] = -x[0] * g[1];
    g[3] = value * log1p(e) / (b[3] * b[3]);
    return value;
}

static inline double nist_roszman1(const double *b, const double *x, double *g)
{
    double from = x[0] - b[3], u = b[2] / from, share = 1.0 / (M_PI * (1.0 + u * u));
    g[0] = 1.0;
    g[1] = -x[0];
    g[2] = -share / from;
    g[3] = -share * u / from;
    return b[0] - b[1] * x[0] - atan(u) / M_PI;
}

static const NistModel nist_models[] = {
    {"Bennett5", 3, nist_bennett5, false},   {"BoxBOD", 2, nist_saturation, false},
    {"Chwirut1", 3, nist_chwirut, false},    {"Chwirut2", 3, nist_chwirut, false},
    {"DanWood", 2, nist_danwood, false},     {"ENSO", 9, nist_enso, false},
    {"Eckerle4", 3, nist_eckerle4, false},   {"Gauss1", 8, nist_gauss, false},
    {"Gauss2", 8, nist_gauss, false},        {"Gauss3", 8, nist_gauss, false},
    {"Hahn1", 7, nist_cubic_ratio, false},   {"Kirby2", 5, nist_kirby2, false},
    {"Lanczos1", 6, nist_lanczos, false},    {"Lanczos2", 6, nist_lanczos, false},
    {"Lanczos3", 6, nist_lanczos, false},    {"MGH09", 4, nist_mgh09, false},
    {"MGH10", 3, nist_mgh10, false},         {"MGH17", 5, nist_mgh17, false},
    {"Misra1a", 2, nist_saturation, false},  {"Misra1b", 2, nist_misra1b, false},
    {"Misra1c", 2, nist_misra1c, false},     {"Misra1d", 2, nist_misra1d, false},
    {"Nelson", 3, nist_nelson, true},        {"Rat42", 3, nist_rat42, false},
    {"Rat43", 4, nist_rat43, false},         {"Roszman1", 4, nist_roszman1, false},
    {"Thurber", 7, nist_cubic_ratio, false},
};
enum { N_NIST_MODELS = sizeof nist_models / sizeof nist_models[0] };

#endif
