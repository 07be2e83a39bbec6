/* Nearness, and an analytic partial against central differences over a sweep of steps. Include
 * after cmocka.h. */
#ifndef SWEEP_H
#define SWEEP_H

#include <math.h>

static inline void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
}

/* The analytic partial beside central differences (above - below) / (2 step): near enough at the
 * best step, but not bit-equal at all of them (then nothing was differenced). */
typedef struct Sweep {
    double best;
    int n_equal;
    int n;
} Sweep;

static inline void sweep_add(Sweep *sweep, double analytic, double above, double below, double step)
{
    double difference = (above - below) / (2.0 * step);
    double error = fabs(difference - analytic);
    sweep->best = sweep->n == 0 || error < sweep->best ? error : sweep->best;
    sweep->n_equal += difference == analytic;
    sweep->n++;
}

static inline void sweep_check(const Sweep *sweep, double analytic, double scale)
{
    assert_true(analytic != 0.0);
    assert_true(sweep->n_equal < sweep->n);
    assert_near(sweep->best / scale, 0.0, 2e-8);
}

static const double steps[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
enum { N_STEPS = sizeof steps / sizeof steps[0] };

#endif
