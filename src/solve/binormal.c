/* The integral around an outline by Gauss and Kronrod's rule of 7 and 15 points, halved where they
 * differ (nodes and weights: QUADPACK's qk15; Piessens et al., 1983).
 */
#include "solve/binormal.h"

#include <math.h>

enum { MOST_HALVINGS = 48, FIRST_PANELS = 2 };

static const double tolerance = 1e-9; /* of the rules' difference on a panel */

/* A smaller sd than this share of the larger one is none. */
static const double flat_share = 1e-9;

static const double node[8] = {
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
    0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
    0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245, 0.0};
static const double weight15[8] = {
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
    0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
    0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
static const double weight7[4] = {
    0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
    0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

/* The outline in standard deviations: w = axes (x - mean) / sd. */
typedef struct Whitened {
    const ArcOutline *outline;
    const double *mean;
    double axis[2][2], sd[2];
    int piece;
} Whitened;

static double integrand(const Whitened *whitened, double s)
{
    double x[2], x_s[2], w[2], w_s[2];
    whitened->outline->at(whitened->outline->context, whitened->piece, s, x, x_s);
    for (int k = 0; k < 2; k++) {
        const double *axis = whitened->axis[k];
        w[k] = (axis[0] * (x[0] - whitened->mean[0]) + axis[1] * (x[1] - whitened->mean[1])) /
               whitened->sd[k];
        w_s[k] = (axis[0] * x_s[0] + axis[1] * x_s[1]) / whitened->sd[k];
    }
    double square = w[0] * w[0] + w[1] * w[1];
    double share = square > 0.0 ? -expm1(-0.5 * square) / square : 0.5;
    return share * (w[0] * w_s[1] - w[1] * w_s[0]);
}

static double panel(const Whitened *whitened, double from, double to, int halvings)
{
    double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double of15 = 0.0, of7 = 0.0;
    for (int k = 0; k < 8; k++) {
        double sum = integrand(whitened, middle + half * node[k]);
        if (k < 7)
            sum += integrand(whitened, middle - half * node[k]);
        of15 += weight15[k] * sum;
        if (k % 2 == 1)
            of7 += weight7[k / 2] * sum;
    }
    /* Written so that what is not a number ends it. */
    if (!(fabs(of15 - of7) * half > tolerance) || halvings == MOST_HALVINGS)
        return of15 * half;
    return panel(whitened, from, middle, halvings + 1) + panel(whitened, middle, to, halvings + 1);
}

double arc_normal_within(double mean, double sd, double low, double high)
{
    if (!(sd > 0.0))
        return sd < 0.0 || isnan(sd + mean) ? (double)NAN : mean >= low && mean <= high;
    double a = (low - mean) / (sd * M_SQRT2), b = (high - mean) / (sd * M_SQRT2);
    if (!(b > a))
        return isnan(a + b) ? (double)NAN : 0.0;
    /* Of two numbers near to 1 the difference is taken on the other side. */
    return a > 0.0 ? 0.5 * (erfc(a) - erfc(b)) : 0.5 * (erfc(-b) - erfc(-a));
}

/* All along one line. */
static double within_chord(const Whitened *whitened)
{
    const ArcOutline *outline = whitened->outline;
    double t[2];
    if (!outline->chord(outline->context, whitened->mean, whitened->axis[0], t))
        return 0.0;
    return arc_normal_within(0.0, whitened->sd[0], t[0], t[1]);
}

double arc_binormal_within(const ArcOutline *outline, const double mean[2],
                           const double covariance[4])
{
    double a = covariance[0], b = 0.5 * (covariance[1] + covariance[2]), c = covariance[3];
    double angle = 0.5 * atan2(2.0 * b, a - c), turn = hypot(0.5 * (a - c), b);
    double large = 0.5 * (a + c) + turn;
    /* Of the small one the determinant knows more than the difference. */
    double small = large > 0.0 ? fmax((a * c - b * b) / large, 0.0) : 0.0;
    if (!isfinite(mean[0] + mean[1] + large) || fmin(a, c) < -flat_share * fabs(large))
        return NAN;
    Whitened whitened = {.outline = outline,
                         .mean = mean,
                         .axis = {{cos(angle), sin(angle)}, {-sin(angle), cos(angle)}},
                         .sd = {sqrt(large), sqrt(small)}};
    if (!(whitened.sd[1] > flat_share * whitened.sd[0]))
        return within_chord(&whitened);
    double sum = 0.0;
    for (; whitened.piece < outline->n_pieces; whitened.piece++)
        for (int k = 0; k < FIRST_PANELS; k++)
            sum += panel(&whitened, (double)k / FIRST_PANELS, (k + 1.0) / FIRST_PANELS, 0);
    return fmin(fmax(sum / (2.0 * M_PI), 0.0), 1.0);
}
