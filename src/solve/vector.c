/* Vector sums and products in a fixed order. */
#include "solve/vector.h"

#include <string.h>

enum { N_LANES = 8 };
typedef double Lanes __attribute__((vector_size(N_LANES * sizeof(double))));

ARC_VECTOR_CLONES
double arc_vector_dot(int n, const double *a, const double *b)
{
    /* Two chains hide the latency of the additions. */
    Lanes even = {0}, odd = {0}, a_lanes, b_lanes;
    int i = 0;
    for (; i + 2 * N_LANES <= n; i += 2 * N_LANES) {
        memcpy(&a_lanes, a + i, sizeof(Lanes));
        memcpy(&b_lanes, b + i, sizeof(Lanes));
        even += a_lanes * b_lanes;
        memcpy(&a_lanes, a + i + N_LANES, sizeof(Lanes));
        memcpy(&b_lanes, b + i + N_LANES, sizeof(Lanes));
        odd += a_lanes * b_lanes;
    }
    even += odd;
    double sum =
        ((even[0] + even[1]) + (even[2] + even[3])) + ((even[4] + even[5]) + (even[6] + even[7]));
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

ARC_VECTOR_CLONES
void arc_vector_add(int n, double factor, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        b[i] += factor * a[i];
}

ARC_VECTOR_CLONES
void arc_vector_combine(int n, const double *a, double factor, const double *b, double *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] + factor * b[i];
}
