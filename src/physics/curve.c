/* On an interval of width h with end slopes s0, s1 and secant D, at the share t of it,
 *
 *   y = y0 + h (s0 (t - 6 t^3 + 8 t^4 - 3 t^5) + s1 (-4 t^3 + 7 t^4 - 3 t^5)
 *               + D (10 t^3 - 15 t^4 + 6 t^5))
 *
 * y' is linear in s0 and s1, and not below zero where these are 0 or 2 D (D > 0): so for all
 * between.
 */
#include "physics/curve.h"

#include <math.h>

static double curve_secant(const ArcCurve *curve, int i)
{
    return (curve->y[i + 1] - curve->y[i]) / (curve->x[i + 1] - curve->x[i]);
}

/* slope kept within what a monotone curve allows beside this secant. */
static double curve_limit(double slope, double secant)
{
    return fabs(slope) > 2 * fabs(secant) ? 2 * secant : slope;
}

/* Between two intervals: a weighted harmonic mean of their secants; 0 at an extremum. */
static double curve_inner_slope(const ArcCurve *curve, int i)
{
    double before = curve_secant(curve, i - 1), behind = curve_secant(curve, i);
    double h = curve->x[i] - curve->x[i - 1], k = curve->x[i + 1] - curve->x[i];
    if (before * behind <= 0)
        return 0;
    double slope = 3 * (h + k) / ((2 * k + h) / before + (k + 2 * h) / behind);
    return curve_limit(curve_limit(slope, before), behind);
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
    return slope * first <= 0 ? 0 : curve_limit(slope, first);
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

/* The interval's terms at x: y = y0 + h t ratio, and the derivatives of y and of the ratio in t. */
typedef struct CurveTerms {
    double h, ratio, slope, ratio_t;
} CurveTerms;

static CurveTerms curve_terms(const ArcCurve *curve, int i, double x)
{
    double h = curve->x[i + 1] - curve->x[i], t = (x - curve->x[i]) / h, D = curve_secant(curve, i);
    double s0 = curve->slope[i], s1 = curve->slope[i + 1];
    /* ratio = s0 + t^2 (a + t (b + t c)) */
    double a = 10 * D - 6 * s0 - 4 * s1, b = 8 * s0 + 7 * s1 - 15 * D, c = 6 * D - 3 * (s0 + s1);
    return (CurveTerms){h, s0 + t * t * (a + t * (b + t * c)),
                        s0 + t * t * (3 * a + t * (4 * b + t * 5 * c)),
                        t * (2 * a + t * (3 * b + t * 4 * c))};
}

ArcCurvePoint arc_curve_at(const ArcCurve *curve, double x)
{
    int last = curve->n - 1;
    if (x < curve->x[0])
        return (ArcCurvePoint){curve->y[0], 0};
    if (x >= curve->x[last])
        return (ArcCurvePoint){curve->y[last], 0};
    int i = curve_interval(curve, x);
    CurveTerms terms = curve_terms(curve, i, x);
    return (ArcCurvePoint){curve->y[i] + (x - curve->x[i]) * terms.ratio, terms.slope};
}

ArcCurvePoint arc_curve_ratio_at(const ArcCurve *curve, double x)
{
    if (x < curve->x[1]) {
        CurveTerms terms = curve_terms(curve, 0, x);
        return (ArcCurvePoint){terms.ratio, terms.ratio_t / terms.h};
    }
    ArcCurvePoint point = arc_curve_at(curve, x);
    double ratio = point.y / x;
    return (ArcCurvePoint){ratio, (point.slope - ratio) / x};
}
