/* Projected Newton with damping, for few unknowns. */
#include "solve/box.h"

#include <math.h>
#include <string.h>

static const double difference_share = 1e-4; /* of the unknowns' sizes, in H */
static const double least_step = 1e-14;      /* of the unknowns' sizes */
static const double even_share = 1e-14;
static const double least_mu = 1e-12, most_mu = 1e12;

int arc_box_held(const ArcBox *box, const double *u, const double *gradient, int i)
{
    if (u[i] <= box->low[i] && gradient[i] > 0.0)
        return -1;
    return u[i] >= box->high[i] && gradient[i] < 0.0 ? 1 : 0;
}

static void fill_hessian(const ArcBox *box, const double *u, double *H)
{
    int n = box->n;
    double at[ARC_BOX_MAX], ahead[ARC_BOX_MAX], behind[ARC_BOX_MAX];
    memcpy(at, u, sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++) {
        double h = difference_share * box->size[i];
        at[i] = u[i] + h;
        box->value(box->context, at, ahead);
        at[i] = u[i] - h;
        box->value(box->context, at, behind);
        at[i] = u[i];
        for (int j = 0; j < n; j++)
            H[i * n + j] = (ahead[j] - behind[j]) / (2.0 * h);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            H[i * n + j] = H[j * n + i] = 0.5 * (H[i * n + j] + H[j * n + i]);
}

/* Cholesky's factor of the m chosen rows of H, damped, and the step; false where it is not
 * positive definite. */
static bool solve_damped(const ArcBox *box, const double *H, const double *gradient, int m,
                         const int *chosen, double mu, double *step)
{
    int n = box->n;
    double L[ARC_BOX_MAX * ARC_BOX_MAX];
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            double sum = H[chosen[i] * n + chosen[j]];
            if (i == j)
                sum += mu * fmax(fabs(sum), 1e-30);
            for (int k = 0; k < j; k++)
                sum -= L[i * n + k] * L[j * n + k];
            if (i == j && !(sum > 1e-13 * fabs(H[chosen[i] * n + chosen[i]])))
                return false;
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    for (int i = 0; i < m; i++) {
        step[i] = -gradient[chosen[i]];
        for (int k = 0; k < i; k++)
            step[i] -= L[i * n + k] * step[k];
        step[i] /= L[i * n + i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int k = i + 1; k < m; k++)
            step[i] -= L[k * n + i] * step[k];
        step[i] /= L[i * n + i];
    }
    return true;
}

/* Length of the gradient's part that is not held back, by the unknowns' sizes. */
static double steepness(const ArcBox *box, const double *u, const double *gradient)
{
    double sum = 0.0;
    for (int i = 0; i < box->n; i++)
        if (arc_box_held(box, u, gradient, i) == 0)
            sum += gradient[i] * gradient[i] * box->size[i] * box->size[i];
    return sqrt(sum);
}

static double within(const ArcBox *box, int i, double u)
{
    return fmin(fmax(u, box->low[i]), box->high[i]);
}

/* The point that a damped step leads to; returns its length in the unknowns' sizes, -1: none. */
static double try_step(const ArcBox *box, const double *H, const double *u, const double *gradient,
                       double mu, double *next)
{
    int chosen[ARC_BOX_MAX], m = 0;
    double step[ARC_BOX_MAX], length = 0.0;
    for (int i = 0; i < box->n; i++)
        if (arc_box_held(box, u, gradient, i) == 0)
            chosen[m++] = i;
    if (!solve_damped(box, H, gradient, m, chosen, mu, step))
        return -1.0;
    memcpy(next, u, sizeof(double) * (size_t)box->n);
    for (int k = 0; k < m; k++) {
        int i = chosen[k];
        next[i] = within(box, i, u[i] + step[k]);
        length = fmax(length, fabs(next[i] - u[i]) / box->size[i]);
    }
    return length;
}

double arc_box_minimise(const ArcBox *box, int steps, double *u, double *gradient)
{
    double H[ARC_BOX_MAX * ARC_BOX_MAX], next[ARC_BOX_MAX], slope[ARC_BOX_MAX], mu = 1e-3;
    size_t bytes = sizeof(double) * (size_t)box->n;
    for (int i = 0; i < box->n; i++)
        u[i] = within(box, i, u[i]);
    double value = box->value(box->context, u, gradient);
    for (int step = 0; step < steps && isfinite(value); step++) {
        bool is_better = false;
        double length = 0.0;
        fill_hessian(box, u, H);
        for (; !is_better && mu < most_mu; mu = is_better ? mu : 10.0 * mu) {
            length = try_step(box, H, u, gradient, mu, next);
            if (length == 0.0)
                return value;
            double there = length < 0.0 ? (double)NAN : box->value(box->context, next, slope);
            /* Where rounding hides what the function does, the gradient tells. */
            bool is_even = fabs(there - value) <= even_share * fabs(value);
            is_better =
                is_even ? steepness(box, next, slope) < steepness(box, u, gradient) : there < value;
            if (!is_better)
                continue;
            value = there;
            memcpy(u, next, bytes);
            memcpy(gradient, slope, bytes);
        }
        if (!is_better || length < least_step)
            return value;
        mu = fmax(least_mu, 0.05 * mu);
    }
    return value;
}
