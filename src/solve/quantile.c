/* Incomplete beta function, F's tail, and the quantiles of Student's t and the normal distribution.
 *
 *   I_x(a, b) = D / (b0 + a1 / (b1 + a2 / (b2 + ...)))     D = x^a y^b / B(a, b), y = 1 - x
 *   am = (a + m - 1) (a + b + m - 1) m (b - m) x^2 / (a + 2m - 1)^2
 *   bm = m + m (b - m) x / (a + 2m - 1) + (a + m) (a y - b x + 1 + m (1 + y)) / (a + 2m + 1)
 * (DiDonato and Morris, ACM Trans. Math. Softw. 18 (1992) 360, equation 9) below the mean
 * x = a / (a + b), where no term cancels another; 1 - I_y(b, a) above. D is taken from its saddle
 * point (Loader, "Fast and accurate computation of binomial probabilities", 2000).
 *
 * A quantile is where the tail, or in the middle the body, has the wanted size. Both are concave
 * functions of log t when taken as logarithms, so that Newton's steps there come from one side.
 */
#include "solve/statistics.h"

#include "solve/stirling.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double CONVERGED = 1e-16;
/* Nearer to the middle the body is the smaller of the two. */
static const double BODY = 0.25;
enum { MAX_TERMS = 1000000, MAX_NEWTON = 100 };

/* u - log(one_more), one_more = 1 + u, by its series where the difference would lose digits. */
static double log_rest(double u, double one_more)
{
    if (fabs(u) > 0.1)
        return u - log(one_more);
    double term = u * u, sum = 0.5 * term;
    for (int n = 3; fabs(term) > CONVERGED * sum && n < 40; n++) {
        term *= -u;
        sum += term / n;
    }
    return sum;
}

/* D = x^a y^b / B(a, b). */
static double beta_density(double a, double b, double x, double y)
{
    double off = x * b - a * y, n = a + b;
    double rest = a * log_rest(off / a, x * n / a) + b * log_rest(-off / b, y * n / b);
    double error = arc_stirling_error(n) - arc_stirling_error(a) - arc_stirling_error(b);
    return sqrt(a * b / (2.0 * M_PI * n)) * exp(error - rest);
}

/* I_x(a, b) by the continued fraction (Lentz's method, as modified by Thompson and Barnett). */
static double beta_fraction(double a, double b, double x, double y)
{
    double off = a * y - b * x + 1.0;
    double d = 0.0, c = a * off / (a + 1.0), fraction = c, change = 0.0;
    for (double m = 1.0; fabs(change - 1.0) > CONVERGED && m < MAX_TERMS; m += 1.0) {
        double below = a + 2.0 * m - 1.0, part = m * (b - m) * x / below;
        double alpha = (a + m - 1.0) * (a + b + m - 1.0) * x / below * part;
        double beta = m + part + (a + m) * (off + m * (1.0 + y)) / (a + 2.0 * m + 1.0);
        d = 1.0 / (beta + alpha * d);
        c = beta + alpha / c;
        change = c * d;
        fraction *= change;
    }
    return beta_density(a, b, x, y) / fraction;
}

double arc_statistics_beta_i(double a, double b, double x, double y)
{
    if (!(a > 0.0 && b > 0.0) || isnan(x) || isnan(y))
        return NAN;
    if (x <= 0.0)
        return 0.0;
    if (y <= 0.0)
        return 1.0;
    return b * x <= a * y ? beta_fraction(a, b, x, y) : 1.0 - beta_fraction(b, a, y, x);
}

double arc_statistics_f_p(double F, double d1, double d2)
{
    if (isnan(F) || !(d1 > 0.0 && d2 > 0.0))
        return NAN;
    if (F <= 0.0)
        return 1.0;
    /* Of large F only the ratio is known. */
    double ratio = d1 * F / d2;
    double x = isinf(ratio) ? 0.0 : 1.0 / (1.0 + ratio);
    return arc_statistics_beta_i(0.5 * d2, 0.5 * d1, x, isinf(ratio) ? 1.0 : ratio * x);
}

/* The chance to exceed t > 0 (tail), or to lie between 0 and t (body). */
static double t_chance(double t, double dof, bool tail)
{
    if (isinf(dof))
        return 0.5 * (tail ? erfc(M_SQRT1_2 * t) : erf(M_SQRT1_2 * t));
    double share = t / sqrt(dof), ratio = share * share;
    double outside = 1.0 / (1.0 + ratio), inside = ratio * outside;
    return 0.5 * (tail ? arc_statistics_beta_i(0.5 * dof, 0.5, outside, inside)
                       : arc_statistics_beta_i(0.5, 0.5 * dof, inside, outside));
}

/* t times its density. */
static double t_density(double t, double dof)
{
    if (isinf(dof))
        return t * exp(-0.5 * t * t) / sqrt(2.0 * M_PI);
    double share = t / sqrt(dof), outside = 1.0 / (1.0 + share * share);
    return beta_density(0.5, 0.5 * dof, share * share * outside, outside);
}

/* log of a t near the wanted one: of the body from its slope at 0, of the tail from the normal
 * tail's bound exp(-z^2 / 2) / 2 and the change of variable z^2 = dof log(1 + t^2 / dof). */
static double first_guess(double chance, double dof, bool tail)
{
    if (!tail) {
        double tiny = 1e-8;
        return log(chance) - log(t_density(tiny, dof) / tiny);
    }
    double square = -2.0 * log(2.0 * chance);
    if (isinf(dof))
        return 0.5 * log(square);
    double power = square / dof;
    return 0.5 * (log(dof) + (power > 30.0 ? power : log(expm1(power))));
}

double arc_statistics_t_quantile(double p, double dof)
{
    if (!(p >= 0.0 && p <= 1.0) || !(dof > 0.0))
        return NAN;
    if (p == 0.0 || p == 1.0)
        return p == 0.0 ? -INFINITY : INFINITY;
    double off = p - 0.5, sign = off < 0.0 ? -1.0 : 1.0;
    if (off == 0.0)
        return 0.0;
    bool tail = fabs(off) > BODY;
    double chance = !tail ? fabs(off) : off < 0.0 ? p : 1.0 - p;
    double log_t = first_guess(chance, dof, tail), step = 1.0;
    for (int i = 0; i < MAX_NEWTON && fabs(step) > 4.0 * DBL_EPSILON; i++) {
        double t = exp(log_t), there = t_chance(t, dof, tail);
        double slope = t_density(t, dof) / there * (tail ? -1.0 : 1.0);
        step = log(chance / there) / slope;
        if (!isfinite(step))
            break;
        log_t += step;
    }
    return sign * exp(log_t);
}

double arc_statistics_normal_quantile(double p)
{
    return arc_statistics_t_quantile(p, INFINITY);
}
