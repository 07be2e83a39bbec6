/* Phases: what they share with flights, and the simulation of one. */
#include "fit/phase.h"

#include "fit/closed.h"
#include "fit/kinks.h"
#include "fit/release.h"

#include <math.h>
#include <string.h>

struct ArcPhaseRunner {
    const ArcProblem *problem;
    ArcSimulator *simulator;
    double direction; /* of the present run: 1, or -1 before the beginning */
    ArcSimEnd end;
    double kinks[ARC_MAX_KINKS];   /* of the present run */
    double *s;                     /* (n_times) -s, ascending */
    double *x, *v, *a, *x_q, *v_q; /* of the run before the beginning */
};

void arc_problem_begin(const ArcProblem *problem, const double *values, double *x0, double *v0)
{
    int d = problem->d;
    const double *position = values + problem->t0_index + 1;
    if (problem->phase != NULL) {
        problem->phase->begin(problem, values, x0, v0);
        return;
    }
    for (int c = d; c < problem->D; c++)
        x0[c] = v0[c] = 0.0;
    memcpy(x0, position, sizeof(double) * (size_t)d);
    arc_release_velocity(problem->release, d, problem->flight.settings.up, position + d, v0, NULL);
}

void arc_problem_accelerate(const ArcProblem *problem, const double *values,
                            const ArcPhaseStates *states)
{
    bool is_flight = problem->phase == NULL;
    if (!is_flight)
        problem->phase->accelerate(problem, values, states);
    else
        arc_flight_acceleration(&problem->flight, states->n, states->s, states->x, states->v,
                                values, states->a, states->a_x, states->a_v, states->a_p);
    if (problem->closure == NULL)
        return;
    const ArcClosed closed = arc_problem_closed(problem, problem->closure, problem->K == 0);
    arc_closed_add(&closed, values, values + problem->n_parameters, is_flight, states);
}

bool arc_problem_is_position_free(const ArcProblem *problem)
{
    if (problem->phase != NULL)
        return problem->phase->position_free &&
               (problem->closure == NULL || problem->phase->is_integral);
    return arc_flight_is_position_free(&problem->flight) &&
           (problem->closure == NULL ||
            arc_closure_is_position_free(&problem->closure->settings, &problem->flight));
}

double arc_problem_s_by_t0(const ArcProblem *problem)
{
    return problem->phase != NULL && problem->phase->runs_backwards ? 1.0 : -1.0;
}

/* Before the beginning -s is the time: v and what has it once change their sign. */
static void runner_acceleration(void *context, double t, const double *x, const double *v,
                                const double *p, double *a, double *a_x, double *a_v, double *a_p)
{
    const ArcPhaseRunner *runner = context;
    const ArcProblem *problem = runner->problem;
    double s = runner->direction * t, along[ARC_SIM_MAX_DIMENSIONS];
    for (int c = 0; c < problem->D; c++)
        along[c] = runner->direction * v[c];
    const ArcPhaseStates states = {1, &s, x, along, a, a_x, a_v, a_p};
    arc_problem_accelerate(problem, p, &states);
    for (int i = 0; a_v != NULL && i < problem->D * problem->D; i++)
        a_v[i] *= runner->direction;
}

ArcStatus arc_phase_runner_create(const ArcProblem *problem, ArcArena *arena,
                                  ArcPhaseRunner **result, ArcError *err)
{
    ArcPhaseRunner *runner = ARC_ALLOC(arena, 1, ArcPhaseRunner);
    if (runner == NULL)
        return arc_error_no_memory(err);
    size_t n = (size_t)problem->n_times, states = n * (size_t)problem->D;
    runner->problem = problem;
    runner->s = ARC_ALLOC(arena, n, double);
    runner->x = ARC_ALLOC(arena, 3 * states, double);
    runner->x_q = ARC_ALLOC(arena, 2 * states * (size_t)problem->Q, double);
    if (runner->s == NULL || runner->x == NULL || runner->x_q == NULL)
        return arc_error_no_memory(err);
    runner->v = runner->x + states;
    runner->a = runner->v + states;
    runner->v_q = runner->x_q + states * (size_t)problem->Q;
    const ArcMotion motion = {.dimensions = problem->D,
                              .n_parameters = problem->P,
                              .position_free = arc_problem_is_position_free(problem),
                              .context = runner,
                              .acceleration = runner_acceleration};
    ArcSimSettings settings = arc_sim_settings_default();
    if (problem->phase->most_steps > 0)
        settings.max_steps = problem->phase->most_steps;
    settings.tolerance = fmin(problem->phase->looseness * problem->direct_tolerance, 1e-3);
    *result = runner;
    return arc_sim_create(&motion, &settings, arena, &runner->simulator, err);
}

/* Places of kinks on the run's clock, ascending. */
static int list_kinks(ArcPhaseRunner *runner, const double *values)
{
    const ArcPhase *phase = runner->problem->phase;
    int n = phase->kinks != NULL ? phase->kinks(runner->problem, values, runner->kinks) : 0;
    for (int i = 0; i < n; i++) {
        double kink = runner->direction * runner->kinks[i];
        int k = i;
        for (; k > 0 && runner->kinks[k - 1] > kink; k--)
            runner->kinks[k] = runner->kinks[k - 1];
        runner->kinks[k] = kink;
    }
    return n;
}

/* From the beginning onwards, or back. */
static bool run_from(ArcPhaseRunner *runner, const double *values, int n, const double *t,
                     const ArcSimOutput *output)
{
    double x0[ARC_SIM_MAX_DIMENSIONS], v0[ARC_SIM_MAX_DIMENSIONS];
    arc_problem_begin(runner->problem, values, x0, v0);
    for (int c = 0; c < runner->problem->D; c++)
        v0[c] *= runner->direction;
    int n_kinks = list_kinks(runner, values);
    const ArcSimStart start = {
        .x0 = x0, .v0 = v0, .p = values, .n_kinks = n_kinks, .kinks = runner->kinks};
    runner->end = arc_sim_run(runner->simulator, &start, n, t, output, NULL);
    return runner->end == ARC_SIM_DONE;
}

/* Rows of partials of n numbers, those by v0 with their sign for the other direction. */
static void turn_rows(const ArcProblem *problem, int n, double sign, const double *from, double *to)
{
    int Q = problem->Q, first = problem->P + problem->D;
    for (int i = 0; i < n; i++)
        for (int q = 0; q < Q; q++)
            to[i * Q + q] = from[i * Q + q] * sign * (q < first ? 1.0 : -1.0);
}

/* The first n times, which lie before the beginning. */
static bool run_before(ArcPhaseRunner *runner, const double *values, int n, const double *s,
                       const ArcSimOutput *output)
{
    const ArcProblem *problem = runner->problem;
    int D = problem->D, Q = problem->Q;
    const ArcSimOutput part = {.x = runner->x,
                               .v = runner->v,
                               .a = runner->a,
                               .x_q = output->x_q != NULL ? runner->x_q : NULL,
                               .v_q = output->v_q != NULL ? runner->v_q : NULL};
    for (int i = 0; i < n; i++)
        runner->s[i] = -s[n - 1 - i];
    runner->direction = -1.0;
    bool done = run_from(runner, values, n, runner->s, &part);
    runner->direction = 1.0;
    for (int i = 0; done && i < n; i++) {
        int from = (n - 1 - i) * D, to = i * D;
        for (int c = 0; c < D; c++) {
            if (output->x != NULL)
                output->x[to + c] = runner->x[from + c];
            if (output->v != NULL)
                output->v[to + c] = -runner->v[from + c];
            if (output->a != NULL)
                output->a[to + c] = runner->a[from + c];
        }
        if (output->x_q != NULL)
            turn_rows(problem, D, 1.0, runner->x_q + from * Q, output->x_q + to * Q);
        if (output->v_q != NULL)
            turn_rows(problem, D, -1.0, runner->v_q + from * Q, output->v_q + to * Q);
    }
    return done;
}

bool arc_phase_run(ArcPhaseRunner *runner, const double *values, int n, const double *s,
                   const ArcSimOutput *output)
{
    const ArcProblem *problem = runner->problem;
    int D = problem->D, Q = problem->Q, before = 0;
    runner->direction = 1.0;
    while (before < n && s[before] < 0.0)
        before++;
    if (before > problem->n_times)
        return false;
    if (before > 0 && !run_before(runner, values, before, s, output))
        return false;
    if (before == n)
        return true;
    int from = before * D;
    const ArcSimOutput rest = {.x = output->x != NULL ? output->x + from : NULL,
                               .v = output->v != NULL ? output->v + from : NULL,
                               .a = output->a != NULL ? output->a + from : NULL,
                               .x_q = output->x_q != NULL ? output->x_q + from * Q : NULL,
                               .v_q = output->v_q != NULL ? output->v_q + from * Q : NULL};
    return run_from(runner, values, n - before, s + before, &rest);
}

const char *arc_phase_why(const ArcPhaseRunner *runner)
{
    const ArcPhase *phase = runner->problem->phase;
    switch (runner->end) {
    case ARC_SIM_NON_FINITE:
        return phase->too_large != NULL ? phase->too_large
                                        : "the swing's speed or a torque grows beyond all numbers";
    case ARC_SIM_TOO_MANY_STEPS:
        return phase->too_fast != NULL ? phase->too_fast
                                       : "the swing changes too fast: more than 10000 steps";
    case ARC_SIM_DONE:
    case ARC_SIM_NO_EVENT:
        break;
    }
    return NULL;
}
