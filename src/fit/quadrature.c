/* Gauss-Legendre nodes: Newton on the three-term recurrence
 *   (j + 1) P_{j+1} = (2 j + 1) x P_j - j P_{j-1},   P_n' = n (x P_n - P_{n-1}) / (x^2 - 1). */
#include "fit/quadrature.h"

#include <math.h>

void arc_quadrature_gauss(int n, double *nodes, double *weights)
{
    for (int i = 0; i < (n + 1) / 2; i++) {
        double nn = n;
        double guess = cos(M_PI * (i + 0.75) / (nn + 0.5));
        double x = guess * (1.0 - 1.0 / (8.0 * nn * nn) + 1.0 / (8.0 * nn * nn * nn));
        double slope = 1.0;
        for (int iteration = 0; iteration < 10; iteration++) {
            double p = 1.0, before = 0.0;
            for (int j = 0; j < n; j++) {
                double next = ((2 * j + 1) * x * p - j * before) / (j + 1);
                before = p;
                p = next;
            }
            slope = nn * (x * p - before) / (x * x - 1.0);
            double change = p / slope;
            x -= change;
            if (fabs(change) < 1e-15)
                break;
        }
        double weight = 1.0 / ((1.0 - x * x) * slope * slope);
        nodes[n - 1 - i] = x;
        nodes[i] = -x;
        weights[i] = weights[n - 1 - i] = weight;
    }
    if (n % 2 == 1)
        nodes[n / 2] = 0.0;
}
