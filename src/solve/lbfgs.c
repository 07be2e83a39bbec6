/* L-BFGS. The state is one block: a head of counters, then x, g, the pairs' 1 / s'y, S and Y. Pairs
 * stand in a ring, next the slot that the next one takes. */
#include "solve/lbfgs.h"

#include "solve/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    HEAD_TAG,
    HEAD_N,
    HEAD_MEMORY,
    HEAD_STARTED, /* 1: x, F and g are known */
    HEAD_PAIRS,
    HEAD_NEXT,
    HEAD_STEPS,
    HEAD_FLAT_STEPS, /* in a row, that F fell by little */
    HEAD_COST,
    HEAD_FIRST_NORM, /* |g| at the start */
    HEAD_GAMMA,      /* s'y / y'y of the newest pair */
    N_HEAD = 16
};
static const double state_tag = 2.0; /* rises with the layout; apart from Adam's */

/* s'y of a pair is at least this share of |s| |y|, else it tells of rounding only. */
static const double least_cosine = 1e-14;
/* A promised decrease below this share of F is lost in the rounding of a sum of many terms. */
static const double rounding_share = 1e-12;

struct ArcLbfgs {
    ArcLbfgsSettings settings;
    int n;
    double *head; /* the state */
    size_t n_state;
    double *x, *g;             /* (n) in state */
    double *rho;               /* (memory) in state */
    double *S, *Y;             /* (memory, n) row-major, in state */
    double *direction, *trial; /* (n) */
    double *g_one, *g_two;     /* (n), the line search's */
    double *coefficients;      /* (memory) */
};

ArcLbfgsSettings arc_lbfgs_settings_default(void)
{
    return (ArcLbfgsSettings){.line = arc_line_settings_default(),
                              .memory = 20,
                              .first_length = 1.0,
                              .gradient_tolerance = 1e-9,
                              .step_tolerance = 1e-16,
                              .cost_tolerance = 1e-13,
                              .cost_patience = 5,
                              .max_steps = 1000};
}

static ArcStatus check_settings(const ArcLbfgsSettings *s, ArcError *err)
{
    const ArcLineSettings *line = &s->line;
    if (!(line->decrease > 0.0 && line->decrease < line->curvature && line->curvature < 1.0))
        return arc_error_set(err, ARC_INPUT,
                             "line search needs 0 < decrease < curvature < 1, not %g and %g; try "
                             "1e-4 and 0.9",
                             line->decrease, line->curvature);
    if (!(line->rounding >= 0.0) || line->max_evaluations < 1)
        return arc_error_set(err, ARC_INPUT,
                             "line search needs rounding of 0 or more and 1 evaluation or more, "
                             "not %g and %d",
                             line->rounding, line->max_evaluations);
    if (s->memory < 1 || s->cost_patience < 1 || s->max_steps < 1)
        return arc_error_set(err, ARC_INPUT,
                             "memory %d, cost patience %d and steps %d must each be 1 or more",
                             s->memory, s->cost_patience, s->max_steps);
    if (!(s->first_length > 0.0) || !isfinite(s->first_length))
        return arc_error_set(err, ARC_INPUT, "first length %g must be above 0; try 1",
                             s->first_length);
    if (!(s->gradient_tolerance >= 0.0 && s->step_tolerance >= 0.0 && s->cost_tolerance >= 0.0))
        return arc_error_set(err, ARC_INPUT, "tolerances %g, %g and %g must be 0 or more",
                             s->gradient_tolerance, s->step_tolerance, s->cost_tolerance);
    return ARC_OK;
}

ArcStatus arc_lbfgs_create(const ArcLbfgsSettings *settings, int n, ArcArena *arena,
                           ArcLbfgs **lbfgs, ArcError *err)
{
    ArcStatus status = check_settings(settings, err);
    if (status != ARC_OK)
        return status;
    ArcLbfgs *b = ARC_ALLOC(arena, 1, ArcLbfgs);
    if (b == NULL)
        return arc_error_no_memory(err);
    size_t width = (size_t)n, memory = (size_t)settings->memory;
    b->settings = *settings;
    b->n = n;
    b->n_state = N_HEAD + 2 * width + memory + 2 * memory * width;
    b->head = ARC_ALLOC(arena, b->n_state, double);
    b->direction = ARC_ALLOC(arena, 4 * width, double);
    b->coefficients = ARC_ALLOC(arena, memory, double);
    if (b->head == NULL || b->direction == NULL || b->coefficients == NULL)
        return arc_error_no_memory(err);
    b->x = b->head + N_HEAD;
    b->g = b->x + width;
    b->rho = b->g + width;
    b->S = b->rho + memory;
    b->Y = b->S + memory * width;
    b->trial = b->direction + width;
    b->g_one = b->trial + width;
    b->g_two = b->g_one + width;
    b->head[HEAD_TAG] = state_tag;
    b->head[HEAD_N] = n;
    b->head[HEAD_MEMORY] = settings->memory;
    *lbfgs = b;
    return ARC_OK;
}

static void forget_pairs(ArcLbfgs *b)
{
    b->head[HEAD_PAIRS] = 0.0;
    b->head[HEAD_NEXT] = 0.0;
}

void arc_lbfgs_restart(ArcLbfgs *lbfgs)
{
    lbfgs->head[HEAD_STARTED] = 0.0;
    forget_pairs(lbfgs);
}

ArcDescentState arc_lbfgs_state(const ArcLbfgs *lbfgs)
{
    return (ArcDescentState){.values = lbfgs->head, .count = lbfgs->n_state};
}

static bool is_count(double value, double most)
{
    return value >= 0.0 && value <= most && value == floor(value);
}

ArcStatus arc_lbfgs_restore(ArcLbfgs *lbfgs, const double *values, size_t count, ArcError *err)
{
    int memory = lbfgs->settings.memory;
    if (count != lbfgs->n_state || values[HEAD_TAG] != state_tag || values[HEAD_N] != lbfgs->n ||
        values[HEAD_MEMORY] != memory)
        return arc_error_set(err, ARC_INPUT,
                             "the stored state, %zu numbers, is not of L-BFGS with %d unknowns and "
                             "%d pairs; resume with the experiment that wrote it",
                             count, lbfgs->n, memory);
    if (!is_count(values[HEAD_STARTED], 1.0) || !is_count(values[HEAD_PAIRS], memory) ||
        !is_count(values[HEAD_NEXT], memory - 1) || !is_count(values[HEAD_STEPS], 0x1p53) ||
        !is_count(values[HEAD_FLAT_STEPS], 0x1p53))
        return arc_error_set(err, ARC_INPUT,
                             "the stored state has %g pairs, the next %g, after %g steps; it is "
                             "damaged",
                             values[HEAD_PAIRS], values[HEAD_NEXT], values[HEAD_STEPS]);
    memcpy(lbfgs->head, values, count * sizeof(double));
    return ARC_OK;
}

static double norm(int n, const double *a)
{
    return sqrt(arc_vector_dot(n, a, a));
}

/* Makes x, F and g known. False where they are not finite; then nothing has changed. */
static bool settle(ArcLbfgs *b, const ArcScalarObjective *objective, const double *x,
                   ArcDescentReport *report)
{
    size_t size = (size_t)b->n * sizeof(double);
    if (b->head[HEAD_STARTED] == 1.0 && memcmp(x, b->x, size) == 0)
        return true;
    double f = 0.0;
    report->evaluations = 1;
    bool finite = objective->evaluate(objective->context, x, &f, b->g_one) && isfinite(f);
    double g_norm = finite ? norm(b->n, b->g_one) : NAN;
    if (!isfinite(g_norm))
        return false;
    memcpy(b->x, x, size);
    memcpy(b->g, b->g_one, size);
    forget_pairs(b);
    b->head[HEAD_STARTED] = 1.0;
    b->head[HEAD_COST] = f;
    b->head[HEAD_FIRST_NORM] = g_norm;
    b->head[HEAD_FLAT_STEPS] = 0.0;
    return true;
}

/* direction = -H g. */
static void apply_pairs(ArcLbfgs *b)
{
    int n = b->n, memory = b->settings.memory, n_pairs = (int)b->head[HEAD_PAIRS];
    int newest = (int)b->head[HEAD_NEXT] + memory - 1;
    double *d = b->direction;
    for (int i = 0; i < n; i++)
        d[i] = -b->g[i];
    for (int k = 0; k < n_pairs; k++) {
        size_t slot = (size_t)((newest - k) % memory), at = slot * (size_t)n;
        b->coefficients[slot] = b->rho[slot] * arc_vector_dot(n, b->S + at, d);
        arc_vector_add(n, -b->coefficients[slot], b->Y + at, d);
    }
    double gamma = n_pairs > 0 ? b->head[HEAD_GAMMA] : 1.0;
    for (int i = 0; i < n; i++)
        d[i] *= gamma;
    for (int k = n_pairs - 1; k >= 0; k--) {
        size_t slot = (size_t)((newest - k) % memory), at = slot * (size_t)n;
        double back = b->rho[slot] * arc_vector_dot(n, b->Y + at, d);
        arc_vector_add(n, b->coefficients[slot] - back, b->S + at, d);
    }
}

/* Fills direction and returns its slope; steepest descent where the pairs give no descent. */
static double find_direction(ArcLbfgs *b)
{
    apply_pairs(b);
    double slope = arc_vector_dot(b->n, b->g, b->direction);
    double level = -DBL_EPSILON * norm(b->n, b->g) * norm(b->n, b->direction);
    if (b->head[HEAD_PAIRS] == 0.0 || (isfinite(slope) && slope < level))
        return slope;
    forget_pairs(b);
    apply_pairs(b);
    return arc_vector_dot(b->n, b->g, b->direction);
}

static ArcLinePoint search(ArcLbfgs *b, const ArcScalarObjective *objective, double slope)
{
    ArcLine line = {.objective = objective,
                    .n = b->n,
                    .x = b->x,
                    .direction = b->direction,
                    .f = b->head[HEAD_COST],
                    .slope = slope,
                    .trial = b->trial,
                    .g_trial = b->g_one,
                    .g_kept = b->g_two};
    /* A quasi-Newton step has its length; of steepest descent only the way is known. */
    double first = 1.0;
    if (b->head[HEAD_PAIRS] == 0.0)
        first = fmin(1.0, b->settings.first_length / norm(b->n, b->direction));
    return arc_line_search(&b->settings.line, &line, first);
}

/* Puts s, y of the move to trial with gradient g into the ring, if it has curvature. */
static void store_pair(ArcLbfgs *b, const double *g)
{
    int n = b->n, slot = (int)b->head[HEAD_NEXT];
    double *s = b->S + (size_t)slot * (size_t)n, *y = b->Y + (size_t)slot * (size_t)n;
    /* Written over the oldest pair only once it is known to be good: direction is free by now. */
    arc_vector_combine(n, b->trial, -1.0, b->x, b->direction);
    double s_norm = norm(n, b->direction);
    double y_norm2 = 0.0, sy = 0.0;
    for (int i = 0; i < n; i++) {
        double change = g[i] - b->g[i];
        y_norm2 += change * change;
        sy += change * b->direction[i];
    }
    if (!(sy > least_cosine * s_norm * sqrt(y_norm2)) || !isfinite(1.0 / sy) || !isfinite(y_norm2))
        return;
    memcpy(s, b->direction, (size_t)n * sizeof(double));
    arc_vector_combine(n, g, -1.0, b->g, y);
    b->rho[slot] = 1.0 / sy;
    b->head[HEAD_GAMMA] = sy / y_norm2;
    b->head[HEAD_NEXT] = (slot + 1) % b->settings.memory;
    b->head[HEAD_PAIRS] = fmin(b->head[HEAD_PAIRS] + 1.0, b->settings.memory);
}

/* Moves to the point found, and says whether that was the last step. */
static void accept(ArcLbfgs *b, const ArcLinePoint *point, double *x, ArcDescentReport *report)
{
    const ArcLbfgsSettings *s = &b->settings;
    size_t size = (size_t)b->n * sizeof(double);
    /* The last trial may have been another one. */
    arc_vector_combine(b->n, b->x, point->a, b->direction, b->trial);
    double step_norm = point->a * norm(b->n, b->direction);
    store_pair(b, point->g);
    bool moved = memcmp(b->x, b->trial, size) != 0;
    memcpy(b->x, b->trial, size);
    memcpy(x, b->trial, size);
    memcpy(b->g, point->g, size);
    double decrease = b->head[HEAD_COST] - point->f;
    double level = s->cost_tolerance * fmax(fabs(b->head[HEAD_COST]), fabs(point->f));
    b->head[HEAD_FLAT_STEPS] = decrease <= level ? b->head[HEAD_FLAT_STEPS] + 1.0 : 0.0;
    b->head[HEAD_COST] = point->f;
    b->head[HEAD_STEPS] += 1.0;
    report->rate = point->a;
    report->is_wolfe = point->is_wolfe;
    report->is_done = true;
    if (!moved || step_norm <= s->step_tolerance * norm(b->n, x))
        report->stop = ARC_STOP_STEP;
    else if (b->head[HEAD_FLAT_STEPS] >= s->cost_patience)
        report->stop = ARC_STOP_COST;
    else
        report->is_done = false;
}

static void fill_report(const ArcLbfgs *b, ArcDescentReport *report)
{
    report->cost = b->head[HEAD_COST];
    report->gradient_norm = norm(b->n, b->g);
    report->steps = (int64_t)b->head[HEAD_STEPS];
    ArcStop stop = ARC_STOP_GRADIENT;
    if (report->gradient_norm > b->settings.gradient_tolerance * b->head[HEAD_FIRST_NORM]) {
        if (report->is_done || report->steps < b->settings.max_steps)
            return;
        stop = ARC_STOP_LIMIT;
    }
    report->is_done = true;
    report->stop = stop;
}

void arc_lbfgs_step(ArcLbfgs *lbfgs, const ArcScalarObjective *objective, double *x,
                    ArcDescentReport *report)
{
    ArcLbfgs *b = lbfgs;
    *report = (ArcDescentReport){.steps = (int64_t)b->head[HEAD_STEPS]};
    if (!settle(b, objective, x, report)) {
        report->is_done = true;
        report->stop = ARC_STOP_NON_FINITE;
        return;
    }
    fill_report(b, report);
    if (report->is_done)
        return;
    double slope = find_direction(b);
    bool had_pairs = b->head[HEAD_PAIRS] > 0.0;
    ArcLinePoint point = search(b, objective, slope);
    report->evaluations += point.evaluations;
    bool promised = -0.5 * slope > rounding_share * fabs(b->head[HEAD_COST]);
    if (!point.is_found && had_pairs && (promised || !point.any_finite)) {
        forget_pairs(b);
        slope = find_direction(b);
        point = search(b, objective, slope);
        report->evaluations += point.evaluations;
    }
    if (point.is_found) {
        accept(b, &point, x, report);
        fill_report(b, report);
        return;
    }
    report->is_done = true;
    report->stop = !point.any_finite ? ARC_STOP_NON_FINITE
                   : promised        ? ARC_STOP_STALLED
                                     : ARC_STOP_COST;
}
