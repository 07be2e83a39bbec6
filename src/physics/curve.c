/* On an interval of width h with slopes s0, s1 and secant D, at dx behind its start,
 *
 *   y = y0 + dx (s0 + dx (c2 + dx c3)),  c2 = (3 D - 2 s0 - s1) / h,  c3 = (s0 + s1 - 2 D) / h^2
 */
#include "physics/curve.h"

#include <math.h>

static double curve_secant(const ArcCurve *curve, int i)
{
    return (curve->y[i + 1] - curve->y[i]) / (curve->x[i + 1] - curve->x[i]);
}

/* Between two intervals: a weighted harmonic mean of their secants; 0 at an extremum. */
static double curve_inner_slope(const ArcCurve *curve, int i)
{
    double before = curve_secant(curve, i - 1), behind = curve_secant(curve, i);
    double h = curve->x[i] - curve->x[i - 1], k = curve->x[i + 1] - curve->x[i];
    if (before * behind <= 0)
        return 0;
    return 3 * (h + k) / ((2 * k + h) / before + (k + 2 * h) / behind);
}

/* At the first knot: of the parabola through three knots, kept from turning round. */
static double curve_first_slope(const ArcCurve *curve)
{
    double first = curve_secant(curve, 0);
    if (curve->n == 2)
        return first;
    double second = curve_secant(curve, 1);
    double h = curve->x[1] - curve->x[0], k = curve->x[2] - curve->x[1];
    double slope = ((2 * h + k) * first - h * second) / (h + k);
    if (slope * first <= 0)
        return 0;
    if (first * second <= 0 && fabs(slope) > 3 * fabs(first))
        return 3 * first;
    return slope;
}

void arc_curve_set_slopes(ArcCurve *curve, bool is_flat)
{
    int last = curve->n - 1;
    curve->slope[0] = is_flat ? 0 : curve_first_slope(curve);
    curve->slope[last] = 0;
    for (int i = 1; i < last; i++)
        curve->slope[i] = curve_inner_slope(curve, i);
}

/* The interval that holds x, which lies between the first knot and the last. */
static int curve_interval(const ArcCurve *curve, double x)
{
    int low = 0, high = curve->n - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (x < curve->x[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

typedef struct CurveCubic {
    double start, y, c1, c2, c3;
} CurveCubic;

static CurveCubic curve_cubic(const ArcCurve *curve, int i)
{
    double h = curve->x[i + 1] - curve->x[i], secant = curve_secant(curve, i);
    double s0 = curve->slope[i], s1 = curve->slope[i + 1];
    return (CurveCubic){curve->x[i], curve->y[i], s0, (3 * secant - 2 * s0 - s1) / h,
                        (s0 + s1 - 2 * secant) / (h * h)};
}

ArcCurvePoint arc_curve_at(const ArcCurve *curve, double x)
{
    int last = curve->n - 1;
    if (x < curve->x[0])
        return (ArcCurvePoint){curve->y[0], 0};
    if (x >= curve->x[last])
        return (ArcCurvePoint){curve->y[last], 0};
    CurveCubic cubic = curve_cubic(curve, curve_interval(curve, x));
    double dx = x - cubic.start;
    return (ArcCurvePoint){cubic.y + dx * (cubic.c1 + dx * (cubic.c2 + dx * cubic.c3)),
                           cubic.c1 + dx * (2 * cubic.c2 + 3 * dx * cubic.c3)};
}

ArcCurvePoint arc_curve_ratio_at(const ArcCurve *curve, double x)
{
    if (x < curve->x[1]) {
        CurveCubic cubic = curve_cubic(curve, 0);
        return (ArcCurvePoint){cubic.c1 + x * (cubic.c2 + x * cubic.c3),
                               cubic.c2 + 2 * x * cubic.c3};
    }
    ArcCurvePoint point = arc_curve_at(curve, x);
    double ratio = point.y / x;
    return (ArcCurvePoint){ratio, (point.slope - ratio) / x};
}
