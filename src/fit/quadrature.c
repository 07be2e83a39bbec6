/* Gauss-Legendre nodes: Newton on the three-term recurrence
 *   (j + 1) P_{j+1} = (2 j + 1) x P_j - j P_{j-1},   P_n' = n (x P_n - P_{n-1}) / (x^2 - 1),
 * several roots side by side, since each one's recurrence waits for itself. */
#include "fit/quadrature.h"

#include <math.h>

enum { LANES = 16, MOST_STEPS = 10 };

/* P_n and P_n' of all lanes at x. */
static void legendre(int n, const double *x, double *p, double *slope)
{
    double before[LANES] = {0.0};
    for (int i = 0; i < LANES; i++)
        p[i] = 1.0;
    for (int j = 0; j < n; j++) {
        double rise = (2.0 * j + 1.0) / (j + 1.0), fall = j / (j + 1.0);
        for (int i = 0; i < LANES; i++) {
            double next = rise * x[i] * p[i] - fall * before[i];
            before[i] = p[i];
            p[i] = next;
        }
    }
    for (int i = 0; i < LANES; i++)
        slope[i] = n * (x[i] * p[i] - before[i]) / (x[i] * x[i] - 1.0);
}

void arc_quadrature_gauss(int n, double *nodes, double *weights)
{
    int half = (n + 1) / 2;
    for (int first = 0; first < half; first += LANES) {
        double x[LANES], p[LANES], slope[LANES];
        for (int i = 0; i < LANES; i++) {
            /* Lanes beyond the last root repeat it. */
            int root = first + i < half ? first + i : half - 1;
            double guess = cos(M_PI * (root + 0.75) / (n + 0.5));
            x[i] = guess * (1.0 - (1.0 - 1.0 / n) / (8.0 * n * n));
        }
        double largest = 1.0;
        for (int step = 0; step < MOST_STEPS && largest > 1e-15; step++) {
            legendre(n, x, p, slope);
            largest = 0.0;
            for (int i = 0; i < LANES; i++) {
                x[i] -= p[i] / slope[i];
                largest = fmax(largest, fabs(p[i] / slope[i]));
            }
        }
        for (int i = 0; i < LANES && first + i < half; i++) {
            double weight = 1.0 / ((1.0 - x[i] * x[i]) * slope[i] * slope[i]);
            nodes[n - 1 - first - i] = x[i];
            nodes[first + i] = -x[i];
            weights[first + i] = weights[n - 1 - first - i] = weight;
        }
    }
    if (n % 2 == 1)
        nodes[n / 2] = 0.0;
}
