/* Adam. The state is one block: a head of counters, then m, v and the last finite x, each padded to
 * whole cache lines so that every array is aligned for the widest vectors. */
#include "solve/adam.h"

#include "solve/vector.h"

#include <math.h>
#include <string.h>

enum { HEAD_TAG, HEAD_N, HEAD_STEPS, HEAD_FIRST_NORM, N_HEAD = 8 };
static const double state_tag = 1.0; /* rises with the layout */

struct ArcAdam {
    ArcAdamSettings settings;
    int n;
    double *state;
    size_t n_state;
    double *m, *v, *x_last; /* (n) in state */
    double *multipliers;    /* (n) */
    double *g;              /* (n) */
};

ArcAdamSettings arc_adam_settings_default(void)
{
    return (ArcAdamSettings){.schedule = arc_schedule_default(),
                             .beta1 = 0.9,
                             .beta2 = 0.999,
                             .epsilon = 1e-8,
                             .max_steps = 10000};
}

static ArcStatus check_settings(const ArcAdamSettings *s, int n, const double *multipliers,
                                ArcError *err)
{
    if (!(s->beta1 >= 0.0 && s->beta1 < 1.0) || !(s->beta2 >= 0.0 && s->beta2 < 1.0))
        return arc_error_set(err, ARC_INPUT, "betas %g and %g must be from 0 to below 1", s->beta1,
                             s->beta2);
    if (!(s->epsilon > 0.0) || !isfinite(s->epsilon))
        return arc_error_set(err, ARC_INPUT, "epsilon %g must be above 0; try 1e-8", s->epsilon);
    if (!(s->weight_decay >= 0.0) || !isfinite(s->weight_decay))
        return arc_error_set(err, ARC_INPUT, "weight decay %g must be 0 or more", s->weight_decay);
    if (s->decay_first < 0 || s->n_decay < 0 || s->n_decay > n - s->decay_first)
        return arc_error_set(err, ARC_INPUT,
                             "weight decay of %d unknowns from %d on must lie within the %d there "
                             "are",
                             s->n_decay, s->decay_first, n);
    if (!(s->clip_norm >= 0.0))
        return arc_error_set(err, ARC_INPUT, "clipping norm %g must be above 0, or 0 for none",
                             s->clip_norm);
    if (!(s->gradient_tolerance >= 0.0))
        return arc_error_set(err, ARC_INPUT, "gradient tolerance %g must be 0 or more",
                             s->gradient_tolerance);
    if (s->max_steps < 1)
        return arc_error_set(err, ARC_INPUT, "%d steps must be 1 or more", s->max_steps);
    for (int i = 0; multipliers != NULL && i < n; i++)
        if (!(multipliers[i] >= 0.0) || !isfinite(multipliers[i]))
            return arc_error_set(err, ARC_INPUT,
                                 "rate multiplier %g of unknown %d must be 0 or "
                                 "more",
                                 multipliers[i], i);
    return arc_schedule_check(&s->schedule, err);
}

ArcStatus arc_adam_create(const ArcAdamSettings *settings, int n, const double *multipliers,
                          ArcArena *arena, ArcAdam **adam, ArcError *err)
{
    ArcStatus status = check_settings(settings, n, multipliers, err);
    if (status != ARC_OK)
        return status;
    ArcAdam *a = ARC_ALLOC(arena, 1, ArcAdam);
    if (a == NULL)
        return arc_error_no_memory(err);
    size_t padded = ((size_t)n + 7) / 8 * 8;
    a->settings = *settings;
    a->n = n;
    a->n_state = N_HEAD + 3 * padded;
    a->state = ARC_ALLOC(arena, a->n_state, double);
    a->multipliers = ARC_ALLOC(arena, padded, double);
    a->g = ARC_ALLOC(arena, padded, double);
    if (a->state == NULL || a->multipliers == NULL || a->g == NULL)
        return arc_error_no_memory(err);
    a->m = a->state + N_HEAD;
    a->v = a->m + padded;
    a->x_last = a->v + padded;
    a->state[HEAD_TAG] = state_tag;
    a->state[HEAD_N] = n;
    for (int i = 0; i < n; i++)
        a->multipliers[i] = multipliers != NULL ? multipliers[i] : 1.0;
    *adam = a;
    return ARC_OK;
}

ArcDescentState arc_adam_state(const ArcAdam *adam)
{
    return (ArcDescentState){.values = adam->state, .count = adam->n_state};
}

ArcStatus arc_adam_restore(ArcAdam *adam, const double *values, size_t count, ArcError *err)
{
    if (count != adam->n_state || values[HEAD_TAG] != state_tag || values[HEAD_N] != adam->n)
        return arc_error_set(err, ARC_INPUT,
                             "the stored state, %zu numbers, is not of Adam with %d unknowns; "
                             "resume with the experiment that wrote it",
                             count, adam->n);
    double steps = values[HEAD_STEPS];
    if (!(steps >= 0.0 && steps < 0x1p53) || steps != floor(steps))
        return arc_error_set(err, ARC_INPUT, "the stored state counts %g steps; it is damaged",
                             steps);
    memcpy(adam->state, values, count * sizeof(double));
    return ARC_OK;
}

/* The factors of one step that all unknowns share. */
typedef struct Factors {
    double beta1, beta2;
    double clip;   /* of the gradient */
    double rate;   /* of the decay */
    double rate_m; /* rate / (1 - beta1^t) */
    double root_v; /* 1 / sqrt(1 - beta2^t) */
    double epsilon;
} Factors;

/* One pass over memory, all arrays (n): keeps x, updates both moments, moves x. */
ARC_VECTOR_CLONES
static void move_range(const Factors *factors, double decay, const double *restrict g,
                       const double *restrict multipliers, double *restrict m, double *restrict v,
                       double *restrict x_last, double *restrict x, int n)
{
    const Factors c = *factors;
    const double new1 = 1.0 - c.beta1, new2 = 1.0 - c.beta2, rate_decay = c.rate * decay;
    for (int i = 0; i < n; i++) {
        double gi = c.clip * g[i], xi = x[i];
        double mi = c.beta1 * m[i] + new1 * gi;
        double vi = c.beta2 * v[i] + new2 * (gi * gi);
        double step = c.rate_m * mi / (c.root_v * sqrt(vi) + c.epsilon);
        m[i] = mi;
        v[i] = vi;
        x_last[i] = xi;
        x[i] = xi - multipliers[i] * (step + rate_decay * xi);
    }
}

static void move(ArcAdam *a, const Factors *factors, double *x)
{
    const ArcAdamSettings *s = &a->settings;
    int ends[] = {s->decay_first, s->decay_first + s->n_decay, a->n};
    int first = 0;
    for (int k = 0; k < 3; k++) {
        move_range(factors, k == 1 ? s->weight_decay : 0.0, a->g + first, a->multipliers + first,
                   a->m + first, a->v + first, a->x_last + first, x + first, ends[k] - first);
        first = ends[k];
    }
}

void arc_adam_step(ArcAdam *adam, const ArcScalarObjective *objective, double *x,
                   ArcDescentReport *report)
{
    const ArcAdamSettings *s = &adam->settings;
    double *head = adam->state, f = 0.0;
    bool finite = objective->evaluate(objective->context, x, &f, adam->g);
    double norm = finite ? sqrt(arc_vector_dot(adam->n, adam->g, adam->g)) : 0.0;
    *report = (ArcDescentReport){.steps = (int64_t)head[HEAD_STEPS], .evaluations = 1};
    if (!finite || !isfinite(f) || !isfinite(norm)) {
        if (report->steps > 0)
            memcpy(x, adam->x_last, (size_t)adam->n * sizeof(double));
        report->is_done = true;
        report->stop = ARC_STOP_NON_FINITE;
        return;
    }
    report->cost = f;
    report->gradient_norm = norm;
    report->rate = arc_schedule_rate(&s->schedule, report->steps);
    if (report->steps == 0)
        head[HEAD_FIRST_NORM] = norm;
    bool flat =
        s->gradient_tolerance > 0.0 && norm <= s->gradient_tolerance * head[HEAD_FIRST_NORM];
    if (flat || report->steps >= s->max_steps) {
        report->is_done = true;
        report->stop = flat ? ARC_STOP_GRADIENT : ARC_STOP_LIMIT;
        return;
    }
    double t = (double)++report->steps;
    Factors factors = {.beta1 = s->beta1,
                       .beta2 = s->beta2,
                       .clip =
                           s->clip_norm > 0.0 && norm > s->clip_norm ? s->clip_norm / norm : 1.0,
                       .rate = report->rate,
                       .rate_m = report->rate / (1.0 - pow(s->beta1, t)),
                       .root_v = 1.0 / sqrt(1.0 - pow(s->beta2, t)),
                       .epsilon = s->epsilon};
    move(adam, &factors, x);
    head[HEAD_STEPS] = t;
}
