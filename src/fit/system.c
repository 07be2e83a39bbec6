/* Own equations as a phase: their rates in scaled coordinates, and what is seen of them. */
#include "fit/system.h"

#include "fit/system_run.h"

#include <math.h>
#include <string.h>

enum {
    AT_ONCE = 8, /* states */
    MOST_STATES = ARC_EQUATIONS_MAX_STATES
};

const ArcSystemPhase *arc_system_of(const ArcProblem *problem)
{
    return problem->phase->context;
}

static void system_begin(const ArcProblem *problem, const double *values, double *x0, double *v0)
{
    const ArcSystemPhase *system = arc_system_of(problem);
    const double *start = values + problem->t0_index + 1;
    int D = problem->D;
    for (int c = 0; c < D; c++) {
        bool is_first = system->equations->order == 1;
        x0[c] = is_first ? 0.0 : start[c] / system->scale[c];
        v0[c] = start[is_first ? c : D + c] / system->scale[c];
    }
}

/* n states in SI with what the equations give there. */
typedef struct Batch {
    double x[AT_ONCE * MOST_STATES], v[AT_ONCE * MOST_STATES], f[AT_ONCE * MOST_STATES];
    double by_x[AT_ONCE * MOST_STATES * MOST_STATES], by_v[AT_ONCE * MOST_STATES * MOST_STATES];
    double by_p[AT_ONCE * MOST_STATES *
                ARC_EQUATIONS_MAX_PARAMETERS]; /* (n, D, all of the model's parameters) */
} Batch;

/* Rates, and partials where they are wanted, of n states at s. */
static void fill_batch(const ArcProblem *problem, const double *values, int n, const double *s,
                       bool partials, Batch *batch)
{
    const ArcEquations *equations = problem->equations;
    bool is_first = equations->order == 1;
    double *v = is_first ? NULL : batch->v, *by_v = partials && !is_first ? batch->by_v : NULL;
    double *by_x = partials ? batch->by_x : NULL, *by_p = partials ? batch->by_p : NULL;
    arc_equations_rates(equations, n, s, batch->x, v, values, batch->f, by_x, by_v, by_p);
}

/* Its partials as the phase has them, from the begin-th state on. */
static void take_partials(const ArcProblem *problem, const ArcPhaseStates *states, int begin, int n,
                          const Batch *batch)
{
    const ArcSystemPhase *system = arc_system_of(problem);
    const double *scale = system->scale;
    bool is_first = system->equations->order == 1;
    int D = problem->D, P = problem->P, n_p = system->equations->n_parameters;
    for (int row = 0; row < n * D; row++) {
        double *a_x = states->a_x + (begin * D + row) * D;
        double *a_v = states->a_v + (begin * D + row) * D;
        double *a_p = states->a_p + (size_t)(begin * D + row) * (size_t)P;
        double inverse = 1.0 / scale[row % D];
        const double *by_p = batch->by_p + row * n_p;
        for (int c = 0; c < D; c++) {
            double by_state = batch->by_x[row * D + c] * scale[c] * inverse;
            a_x[c] = is_first ? 0.0 : by_state;
            a_v[c] = is_first ? by_state : batch->by_v[row * D + c] * scale[c] * inverse;
        }
        for (int i = 0; i < n_p; i++)
            if (system->column_of[i] >= 0)
                a_p[system->column_of[i]] = by_p[i] * inverse;
    }
}

static void system_accelerate(const ArcProblem *problem, const double *values,
                              const ArcPhaseStates *states)
{
    const ArcSystemPhase *system = arc_system_of(problem);
    Batch batch;
    bool is_first = problem->equations->order == 1, partials = states->a_x != NULL;
    int D = problem->D;
    for (int begin = 0, n; begin < states->n; begin += n) {
        n = states->n - begin < AT_ONCE ? states->n - begin : AT_ONCE;
        const double *from_x = (is_first ? states->v : states->x) + begin * D;
        const double *from_v = states->v + begin * D;
        for (int i = 0; i < n * D; i++) {
            batch.x[i] = from_x[i] * system->scale[i % D];
            batch.v[i] = from_v[i] * system->scale[i % D];
        }
        fill_batch(problem, values, n, states->s + begin, partials, &batch);
        for (int i = 0; i < n * D; i++)
            states->a[begin * D + i] = batch.f[i] / system->scale[i % D];
        if (partials)
            take_partials(problem, states, begin, n, &batch);
    }
}

/* Whether a channel is a velocity of the phase, and of which coordinate. */
static bool is_velocity(const ArcProblem *problem, int channel, int *coordinate)
{
    bool is_first = problem->equations->order == 1;
    *coordinate = channel % problem->D;
    return is_first || channel >= problem->D;
}

static void system_look(ArcSight *sight, const double *values, const double *x, const double *v)
{
    (void)values;
    const ArcProblem *problem = sight->problem;
    const ArcSystemPhase *system = arc_system_of(problem);
    int D = problem->D, c;
    memset(sight->by_x, 0, sizeof(double) * (size_t)(problem->n_observations * D));
    memset(sight->by_v, 0, sizeof(double) * (size_t)(problem->n_observations * D));
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        bool by_v = is_velocity(problem, o->axis, &c);
        sight->y[i] = system->scale[c] * (by_v ? v : x)[o->time * D + c];
        (by_v ? sight->by_v : sight->by_x)[i * D + c] = system->scale[c];
    }
}

/* What a unit that lasts the whole span does to a rate. */
static double system_per_unit(const ArcProblem *problem, int i)
{
    const ArcSystemPhase *system = arc_system_of(problem);
    int c;
    bool by_v = is_velocity(problem, problem->observations[i].axis, &c);
    return system->scale[c] / (by_v ? system->span_s : 1.0);
}

static void system_chain(const ArcProblem *problem, const double *values,
                         const ArcPartials *partials, double *J, size_t ld)
{
    (void)values;
    const ArcSystemPhase *system = arc_system_of(problem);
    int P = problem->P, Q = problem->Q, D = problem->D, first = problem->t0_index + 1;
    for (int k = 0; k < problem->n_free; k++) {
        int parameter = problem->free_parameter[k], q = -1, c = 0;
        double *column = J + (size_t)k * ld, factor = 1.0;
        if (parameter < problem->t0_index) {
            q = system->column_of[parameter];
        } else if (parameter >= first) {
            bool by_v = is_velocity(problem, parameter - first, &c);
            q = P + (by_v ? D : 0) + c;
            factor = 1.0 / system->scale[c];
        }
        for (int i = 0; i < partials->n; i++) {
            double by_t0 = q < 0 && partials->t0 != NULL ? partials->t0[i] : 0.0;
            double slope = q < 0 ? by_t0 : factor * partials->q[(size_t)i * (size_t)Q + (size_t)q];
            column[i] = partials->weight[i] * slope;
        }
    }
}

void arc_system_restore(const ArcProblem *problem, int n, double *x, double *v, double *a)
{
    const ArcSystemPhase *system = arc_system_of(problem);
    bool is_first = system->equations->order == 1;
    for (int i = 0; i < n * problem->D; i++) {
        double scale = system->scale[i % problem->D];
        x[i] = scale * (is_first ? v[i] : x[i]);
        v[i] = scale * (is_first ? a[i] : v[i]);
        a[i] = is_first ? (double)NAN : scale * a[i];
    }
}

ArcStatus arc_system_create(ArcProblem *problem, ArcError *err)
{
    ArcSystemPhase *system = ARC_ALLOC(problem->arena, 1, ArcSystemPhase);
    if (system == NULL)
        return arc_error_no_memory(err);
    system->equations = problem->equations;
    int n = 0;
    for (int i = 0; i < problem->t0_index; i++)
        system->column_of[i] = problem->parameters[i].is_free ? n++ : -1;
    system->span_s = problem->time_s[problem->n_times - 1] - problem->start[problem->t0_index];
    bool is_first = problem->equations->order == 1;
    system->phase =
        (ArcPhase){.context = system,
                   .position_free = is_first,
                   .scale = 1.0 / (is_first ? system->span_s : system->span_s * system->span_s),
                   .looseness = 1.0,
                   .most_steps = ARC_SYSTEM_STEPS,
                   .physics_share = 1.0,
                   .too_large = "a state or a rate of the model grows beyond all numbers",
                   .too_fast = "the model's states change too fast: more than 100000 steps",
                   .state_size = system->scale,
                   .is_integral = is_first,
                   .begin = system_begin,
                   .accelerate = system_accelerate,
                   .look = system_look,
                   .per_unit = system_per_unit,
                   .guess = arc_start_system_guess,
                   .detail = arc_system_detail,
                   .sigma = arc_system_sigma,
                   .chain = system_chain};
    problem->phase = &system->phase;
    return arc_start_system(problem, system, err);
}
