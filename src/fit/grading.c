/* The map of even onto graded times. */
#include "fit/grading.h"

#include <math.h>
#include <string.h>

enum { N = ARC_GRADING_POINTS, WINDOW = 6, PASSES = 2 };
static const double even_share = 0.5;
static const double most = 20.0; /* of the mean */
static const double reach = 1.2; /* of the centres in u, as ARC_INIT_SPREAD has them in tau */

static double mean_of(const double *density)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += density[i] * (i == 0 || i == N - 1 ? 0.5 : 1.0);
    return sum / (N - 1);
}

/* A moving mean, over fewer points at the ends. */
static void smooth(double *density)
{
    double sums[N + 1] = {0};
    for (int i = 0; i < N; i++)
        sums[i + 1] = sums[i] + density[i];
    for (int i = 0; i < N; i++) {
        int low = i - WINDOW < 0 ? 0 : i - WINDOW, high = i + WINDOW >= N ? N : i + WINDOW + 1;
        density[i] = (sums[high] - sums[low]) / (high - low);
    }
}

void arc_grading_make(ArcGrading *grading, const double *density)
{
    double *own = grading->density, mean;
    for (int i = 0; i < N; i++)
        own[i] = isfinite(density[i]) ? density[i] : 0.0;
    for (int pass = 0; pass < PASSES; pass++)
        smooth(own);
    mean = mean_of(own);
    for (int i = 0; i < N; i++)
        own[i] = mean > 0.0 ? fmin(own[i] / mean, most) : 1.0;
    mean = mean_of(own);
    for (int i = 0; i < N; i++)
        own[i] = even_share + (1.0 - even_share) * own[i] / mean;
    grading->passed[0] = 0.0;
    for (int i = 1; i < N; i++)
        grading->passed[i] = grading->passed[i - 1] + (own[i - 1] + own[i]) / (N - 1);
}

double arc_grading_map(const ArcGrading *grading, double u, double *slope)
{
    const double *density = grading->density, *passed = grading->passed, step = 2.0 / (N - 1);
    if (u <= -1.0 || u >= 1.0) {
        double end = u < 0.0 ? -1.0 : 1.0;
        *slope = 1.0 / density[u < 0.0 ? 0 : N - 1];
        return end + (u - end) * *slope;
    }
    int low = 0, high = N - 1;
    double wanted = (u + 1.0) * 0.5 * passed[N - 1];
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(passed[middle] <= wanted ? &low : &high) = middle;
    }
    /* left = a h + (b - a) h^2 / (2 step), the root without cancellation. */
    double a = density[low], b = density[low + 1], left = wanted - passed[low];
    double h = 2.0 * left / (a + sqrt(fmax(a * a + 2.0 * (b - a) * left / step, 0.0)));
    *slope = 1.0 / (a + (b - a) * h / step);
    return -1.0 + low * step + h;
}

bool arc_grading_units(const ArcGrading *grading, const ArcNetSettings *net, double *weights)
{
    if (net->n_hidden != 1 || net->fourier_modes > 0 || net->windows > 1 ||
        net->init != ARC_INIT_SPREAD)
        return false;
    int H = net->widths[0];
    double *W = weights, *b = weights + H, slope;
    for (int k = 0; k < H; k++) {
        double u = H > 1 ? reach * (2.0 * k / (H - 1) - 1.0) : 0.0;
        double centre = arc_grading_map(grading, u, &slope);
        W[k] /= slope;
        b[k] = -W[k] * centre;
    }
    return true;
}
