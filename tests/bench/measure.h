/* What the bench programs share: a clock, and medians. */
#ifndef ARC_TESTS_BENCH_MEASURE_H
#define ARC_TESTS_BENCH_MEASURE_H

#include <stdlib.h>
#include <time.h>

static inline double measure_now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static inline int measure_compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of n > 0 values, which are sorted. */
static inline double measure_median(int n, double *values)
{
    qsort(values, (size_t)n, sizeof *values, measure_compare);
    return values[n / 2];
}

#endif
