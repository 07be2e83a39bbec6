/* Strong Wolfe line search: bracketing, then sectioning by safeguarded cubics. */
#include "solve/line_search.h"

#include "solve/vector.h"

#include <float.h>
#include <math.h>

/* phi at a. */
typedef struct Point {
    double a, f, slope;
    bool finite;
} Point;

/* low has the first condition and the lowest phi so far; phi falls from it towards high. Before a
 * high end is known, before is the low one's predecessor. */
typedef struct Bracket {
    Point low, high, before;
    bool has_high;
    double rounding;
    double width, width_before; /* of the last two */
} Bracket;

ArcLineSettings arc_line_settings_default(void)
{
    return (ArcLineSettings){
        .decrease = 1e-4, .curvature = 0.9, .rounding = 32.0 * DBL_EPSILON, .max_evaluations = 25};
}

static Point evaluate(const ArcLine *line, double a)
{
    Point p = {.a = a};
    arc_vector_combine(line->n, line->x, a, line->direction, line->trial);
    if (!line->objective->evaluate(line->objective->context, line->trial, &p.f, line->g_trial))
        return p;
    p.slope = arc_vector_dot(line->n, line->g_trial, line->direction);
    /* The norm too, since later steps square the gradient. */
    p.finite = isfinite(p.f) && isfinite(p.slope) &&
               isfinite(arc_vector_dot(line->n, line->g_trial, line->g_trial));
    return p;
}

/* What two values of F may differ by and tell nothing. */
static double noise(double rounding, double f, double g)
{
    return rounding * fmax(fabs(f), fabs(g));
}

/* Where the cubic through both points and slopes, or the line through the slopes where phi tells
 * nothing, is lowest; NaN where it has no lowest point. */
static double lowest(const Point *p, const Point *q, double rounding)
{
    double width = q->a - p->a;
    if (fabs(q->f - p->f) <= noise(rounding, p->f, q->f))
        return p->a - p->slope * width / (q->slope - p->slope);
    double d1 = p->slope + q->slope - 3.0 * (q->f - p->f) / width;
    double d2 = copysign(sqrt(d1 * d1 - p->slope * q->slope), width);
    return q->a - width * (q->slope + d2 - d1) / (q->slope - p->slope + 2.0 * d2);
}

/* Without a high end: further on, by 1.1 to 4 times the last move. */
static double next_beyond(const Bracket *b)
{
    double move = b->low.a - b->before.a;
    double a = lowest(&b->before, &b->low, b->rounding);
    double least = b->low.a + 1.1 * move, most = b->low.a + 4.0 * move;
    if (!isfinite(a) || a < b->low.a)
        return most;
    return fmin(fmax(a, least), most);
}

static double next_between(Bracket *b)
{
    double to_high = b->high.a - b->low.a;
    double share = 0.5;
    if (!b->high.finite) {
        share = 0.2;
    } else if (fabs(to_high) <= 0.66 * b->width_before) {
        share = (lowest(&b->low, &b->high, b->rounding) - b->low.a) / to_high;
        share = isfinite(share) ? fmin(fmax(share, 0.1), 0.9) : 0.5;
    }
    b->width_before = b->width;
    b->width = fabs(to_high);
    return b->low.a + share * to_high;
}

/* Makes p the low end, and its gradient the kept one. */
static void keep(Bracket *b, const Point *p, ArcLine *line)
{
    double *g = line->g_kept;
    line->g_kept = line->g_trial;
    line->g_trial = g;
    b->before = b->low;
    b->low = *p;
}

ArcLinePoint arc_line_search(const ArcLineSettings *settings, ArcLine *line, double first)
{
    const double rounding = settings->rounding;
    Bracket b = {.low = {.f = line->f, .slope = line->slope, .finite = true},
                 .rounding = rounding,
                 .width = INFINITY,
                 .width_before = INFINITY};
    ArcLinePoint result = {0};
    double a = first;
    while (result.evaluations < settings->max_evaluations && !result.is_wolfe) {
        Point p = evaluate(line, a);
        result.evaluations++;
        result.any_finite |= p.finite;
        double allowed =
            fmin(line->f + settings->decrease * a * line->slope + noise(rounding, line->f, line->f),
                 b.low.f + noise(rounding, line->f, b.low.f));
        if (!p.finite || p.f > allowed) {
            b.high = p;
            b.has_high = true;
        } else {
            result.is_wolfe = fabs(p.slope) <= -settings->curvature * line->slope;
            /* Uphill as seen from the low end: the lowest point lies between the two. */
            if (p.slope * (p.a - b.low.a) >= 0.0) {
                b.high = b.low;
                b.has_high = true;
            }
            keep(&b, &p, line);
        }
        a = b.has_high ? next_between(&b) : next_beyond(&b);
        if (a == b.low.a || (b.has_high && a == b.high.a))
            break;
    }
    /* Within rounding of phi(0) only the slope makes a point better. */
    result.is_found = result.is_wolfe || b.low.f < line->f - noise(rounding, line->f, line->f);
    result.a = b.low.a;
    result.f = b.low.f;
    result.g = line->g_kept;
    return result;
}
