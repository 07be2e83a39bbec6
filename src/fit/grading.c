/* The map of even onto graded times. */
#include "fit/grading.h"

#include <math.h>
#include <string.h>

enum { N = ARC_GRADING_POINTS, WINDOW = 24, SHARP_WINDOW = 3, PASSES = 2, MOST_STEPS = 100 };
static const double even_share = 0.3, sharp_even_share = 0.15;
static const double most = 50.0; /* of the mean */
/* A layer is one from this rate on, and its share then. */
static const double layer_from = 30.0, layer_share = 0.25;
static const double reach = 1.2; /* of the centres in u, as ARC_INIT_SPREAD has them in tau */

static double mean_of(const double *density)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += density[i] * (i == 0 || i == N - 1 ? 0.5 : 1.0);
    return sum / (N - 1);
}

/* A moving mean, over fewer points at the ends. */
static void smooth(double *density, int window)
{
    double sums[N + 1] = {0};
    for (int i = 0; i < N; i++)
        sums[i + 1] = sums[i] + density[i];
    for (int i = 0; i < N; i++) {
        int low = i - window < 0 ? 0 : i - window, high = i + window >= N ? N : i + window + 1;
        density[i] = (sums[high] - sums[low]) / (high - low);
    }
}

void arc_grading_make(ArcGrading *grading, const double *density, bool is_sharp, double layer_rate)
{
    double *own = grading->density, mean, even = is_sharp ? sharp_even_share : even_share;
    for (int i = 0; i < N; i++)
        own[i] = isfinite(density[i]) ? density[i] : 0.0;
    for (int pass = 0; pass < PASSES; pass++)
        smooth(own, is_sharp ? SHARP_WINDOW : WINDOW);
    mean = mean_of(own);
    for (int i = 0; i < N; i++)
        own[i] = mean > 0.0 ? fmin(own[i] / mean, most) : 1.0;
    mean = mean_of(own);
    for (int i = 0; i < N; i++)
        own[i] = even + (1.0 - even) * own[i] / mean;
    bool has_layer = isfinite(layer_rate) && layer_rate > layer_from;
    grading->layer_rate = has_layer ? layer_rate : 0.0;
    grading->layer_share = has_layer ? layer_share : 0.0;
    grading->passed[0] = 0.0;
    for (int i = 1; i < N; i++)
        grading->passed[i] = grading->passed[i - 1] + (own[i - 1] + own[i]) / (N - 1);
}

/* Density and its integral at x = (tau + 1) / 2 in [0, 1]; that of all is 1. */
static double passed_at(const ArcGrading *grading, double x, double *density)
{
    double at = x * (N - 1), share = grading->layer_share, rate = grading->layer_rate;
    int i = at < N - 2 ? (int)at : N - 2;
    double h = at - i, a = grading->density[i], b = grading->density[i + 1];
    double even = grading->passed[i] + (2.0 * a * h + (b - a) * h * h) / (N - 1);
    double whole = grading->passed[N - 1];
    *density = 2.0 * (a + (b - a) * h) / whole;
    if (!(share > 0.0))
        return even / whole;
    double layer = log1p(rate);
    *density = (1.0 - share) * *density + share * rate / ((1.0 + rate * x) * layer);
    return (1.0 - share) * even / whole + share * log1p(rate * x) / layer;
}

double arc_grading_map(const ArcGrading *grading, double u, double *slope)
{
    double low = 0.0, high = 1.0, wanted = 0.5 * (u + 1.0), density;
    if (u <= -1.0 || u >= 1.0) {
        double end = u < 0.0 ? 0.0 : 1.0;
        passed_at(grading, end, &density);
        *slope = 1.0 / density;
        return 2.0 * end - 1.0 + (u - (2.0 * end - 1.0)) * *slope;
    }
    /* Newton's steps, halvings where they leave what is left. */
    double x = wanted;
    for (int i = 0; i < MOST_STEPS; i++) {
        double off = passed_at(grading, x, &density) - wanted;
        *(off < 0.0 ? &low : &high) = x;
        double next = x - off / density;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        bool is_there = fabs(next - x) <= 1e-15 * (1.0 + x);
        x = next;
        if (is_there)
            break;
    }
    passed_at(grading, x, &density);
    *slope = 1.0 / density;
    return 2.0 * x - 1.0;
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
