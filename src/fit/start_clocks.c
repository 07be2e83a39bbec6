/* Clocks that are far apart, by where the parabola misses the points least. */
#include "fit/arm_problem.h"
#include "fit/start_linear.h"

#include <cblas.h>
#include <math.h>

enum { CLOCK_STEPS = 64, SECTIONS = 24 };
static const double prior_sds = 4.0;   /* that a clock is looked for within */
static const double far_sigmas = 20.0; /* off the parabola: nearer clocks are for the fit */

/* Begin and end of the points of some cameras. */
static void time_range(const ArcProblem *problem, unsigned cameras, double range_s[2])
{
    range_s[0] = INFINITY;
    range_s[1] = -INFINITY;
    for (int i = 0; i < problem->n_times; i++) {
        double time_s = arc_problem_time(problem, problem->start, i);
        if ((cameras >> problem->view->camera[problem->time_point[i]] & 1u) == 0)
            continue;
        range_s[0] = fmin(range_s[0], time_s);
        range_s[1] = fmax(range_s[1], time_s);
    }
}

/* How far the points of some cameras are from one parabola, in sigmas, with a clock so set. */
static double misfit_at(ArcLinearStart *start, unsigned cameras, int clock, double offset_s)
{
    ArcProblem *problem = start->problem;
    double range_s[2], *t0 = &problem->start[problem->t0_index], kept = *t0;
    problem->start[clock] = offset_s;
    time_range(problem, cameras, range_s);
    *t0 = range_s[0];
    arc_linear_look(start, cameras);
    bool found = arc_linear_solve(start, true);
    *t0 = kept;
    return found ? cblas_dnrm2(start->n_rows, start->off, 1) / sqrt(start->n_rows) : INFINITY;
}

/* The least misfit between two offsets, by golden section. */
static double best_between(ArcLinearStart *start, unsigned cameras, int clock, double low,
                           double high)
{
    const double share = 0.61803398874989485;
    double a = high - share * (high - low), b = low + share * (high - low);
    double at_a = misfit_at(start, cameras, clock, a), at_b = misfit_at(start, cameras, clock, b);
    for (int i = 0; i < SECTIONS; i++) {
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a;
            a = high - share * (high - low);
            at_a = misfit_at(start, cameras, clock, a);
        } else {
            low = a, a = b, at_a = at_b;
            b = low + share * (high - low);
            at_b = misfit_at(start, cameras, clock, b);
        }
    }
    return at_a < at_b ? a : b;
}

/* The clock of camera c against those of others: wherever the two overlap. */
static void set_clock(ArcLinearStart *start, unsigned others, int c, int clock)
{
    ArcProblem *problem = start->problem;
    const ArcParameter *parameter = &problem->parameters[clock];
    unsigned both = others | 1u << c;
    double range_s[2], own_s[2], begun = problem->start[clock], best = begun;
    double least = misfit_at(start, both, clock, begun);
    time_range(problem, others, range_s);
    time_range(problem, 1u << c, own_s);
    double low = begun + range_s[0] - own_s[1], high = begun + range_s[1] - own_s[0];
    bool overlap = own_s[0] < range_s[1] && own_s[1] > range_s[0];
    if (least < far_sigmas && overlap)
        return;
    if (parameter->has_prior) {
        low = fmax(low, parameter->prior_mean - prior_sds * parameter->prior_sd);
        high = fmin(high, parameter->prior_mean + prior_sds * parameter->prior_sd);
    }
    low = fmax(low, parameter->low);
    high = fmin(high, parameter->high);
    double step = (high - low) / CLOCK_STEPS;
    for (int i = 0; step > 0.0 && i <= CLOCK_STEPS; i++) {
        double misfit = misfit_at(start, both, clock, low + i * step);
        if (misfit < least) {
            least = misfit;
            best = low + i * step;
        }
    }
    problem->start[clock] = best;
    if (best != begun)
        problem->start[clock] =
            best_between(start, both, clock, fmax(best - step, low), fmin(best + step, high));
}

void arc_linear_clocks(ArcLinearStart *start)
{
    ArcProblem *problem = start->problem;
    const ArcView *view = problem->view;
    ArcParameter *t0 = &problem->parameters[problem->t0_index];
    int clock[ARC_MAX_CAMERAS + 1];
    unsigned present = 0, settled = 0;
    double range_s[2];
    start->share = ARC_LINEAR_DRAG_SHARE;
    for (int i = 0; i < problem->n_times; i++)
        present |= 1u << view->camera[problem->time_point[i]];
    for (int c = 0; c < view->n_cameras; c++) {
        clock[c] = arc_linear_open(problem, c, ARC_MEASURE_TIME_OFFSET);
        if ((present >> c & 1u) != 0 && clock[c] < 0)
            settled |= 1u << c;
    }
    for (int c = 0; c < view->n_cameras; c++) {
        if ((present >> c & 1u) == 0 || (settled >> c & 1u) != 0)
            continue;
        if (settled != 0)
            set_clock(start, settled, c, clock[c]);
        settled |= 1u << c;
    }
    time_range(problem, present, range_s);
    const ArcProblemReading *reading = arc_problem_reading(problem, problem->t0_index);
    double first_s = reading != NULL ? fmin(reading->value, range_s[0]) : range_s[0];
    if (!t0->has_start)
        problem->start[problem->t0_index] = fmin(fmax(first_s, t0->low), t0->high);
}
