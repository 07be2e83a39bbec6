/* The direct fit: simulate from the release, compare with the observations (shooting).
 *
 * Unknowns u alone; x(t_i; u) and its partials by the variational equations of the simulator. A
 * flight knows only the time since its release, so that dx(t)/dt0 = -v(t). Where the clocks of
 * cameras move, the points are flown in the order of their true times (moments.h).
 */
#include "fit/closed.h"
#include "fit/flyer.h"
#include "fit/loss.h"
#include "fit/moments.h"
#include "fit/objectives.h"
#include "fit/phase.h"
#include "fit/stage.h"
#include "fit/swing.h"
#include "solve/stacked.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum {
    DIRECT_ITERATIONS = 200,
    START_ITERATIONS = 50,
    START_ROUNDS = 3,
    START_COLLOCATION = 32,
    SYSTEM_ITERATIONS = 100,
    SWING_HALVINGS = 4,
};

/* In sd: a swing bends the valley of its weakest unknowns, whose last steps are of no use. */
static const double swing_tolerance = 1e-3;

typedef struct Direct {
    const ArcProblem *problem;
    ArcFlyer *flyer;
    ArcPhaseRunner *runner; /* of a phase, in place of the flyer */
    double *values;
    ArcThrow thrown;     /* with these values */
    double *x, *v, *x_q; /* at the fitted times: (n_times, D), and (n_times, D, Q) */
    ArcSight *sight;     /* NULL: positions at the file's times */
    ArcMoments *moments;
    double *s, *a, *v_q;      /* of a phase: (n_times), (n_times, D), (n_times, D, Q) */
    double *q_rows, *t0_rows; /* (n_observations, Q), (n_observations) */
    double *weight;           /* (n_observations) */
} Direct;

static void direct_fill_rows(Direct *direct)
{
    const ArcProblem *problem = direct->problem;
    size_t Q = (size_t)problem->Q;
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        int at = o->time * problem->D + o->axis;
        memcpy(direct->q_rows + (size_t)i * Q, direct->x_q + (size_t)at * Q, sizeof(double) * Q);
        direct->t0_rows[i] = -direct->v[at];
    }
}

/* The same through the cameras, or as a phase is seen. */
static void direct_fill_seen_rows(Direct *direct)
{
    const ArcProblem *problem = direct->problem;
    int D = problem->D, Q = problem->Q;
    for (int i = 0; i < problem->n_observations; i++) {
        int time = problem->observations[i].time;
        int at = (direct->moments != NULL ? direct->moments->place[time] : time) * D;
        const double *by_x = arc_sight_by_x(direct->sight, i);
        const double *by_v = arc_sight_by_v(direct->sight, i);
        double *row = direct->q_rows + (size_t)i * (size_t)Q;
        cblas_dgemv(CblasRowMajor, CblasTrans, D, Q, 1.0, direct->x_q + (size_t)at * (size_t)Q, Q,
                    by_x, 1, 0.0, row, 1);
        double by_s = cblas_ddot(D, by_x, 1, direct->v + at, 1);
        if (by_v != NULL) {
            cblas_dgemv(CblasRowMajor, CblasTrans, D, Q, 1.0, direct->v_q + (size_t)at * (size_t)Q,
                        Q, by_v, 1, 1.0, row, 1);
            by_s += cblas_ddot(D, by_v, 1, direct->a + at, 1);
        }
        direct->t0_rows[i] = arc_problem_s_by_t0(problem) * by_s;
    }
}

/* Runs a phase to the observed times. */
static bool direct_run_phase(Direct *direct, bool partials)
{
    const ArcProblem *problem = direct->problem;
    const ArcSimOutput output = {.x = direct->x,
                                 .v = direct->v,
                                 .a = direct->a,
                                 .x_q = partials ? direct->x_q : NULL,
                                 .v_q = partials ? direct->v_q : NULL};
    double t0 = direct->values[problem->t0_index];
    for (int i = 0; i < problem->n_times; i++)
        direct->s[i] = arc_problem_time(problem, direct->values, i) - t0;
    if (!arc_phase_run(direct->runner, direct->values, problem->n_times, direct->s, &output))
        return false;
    arc_sight_look(direct->sight, direct->values, direct->x, direct->v, NULL);
    return true;
}

/* Flies to the fitted points, and looks where there are cameras. */
static bool direct_fly(Direct *direct, bool partials)
{
    const ArcProblem *problem = direct->problem;
    if (problem->phase != NULL)
        return direct_run_phase(direct, partials);
    bool wants_v = problem->free_index[problem->t0_index] >= 0 || direct->sight != NULL;
    const ArcSimOutput output = {.x = direct->x,
                                 .v = partials && wants_v ? direct->v : NULL,
                                 .x_q = partials ? direct->x_q : NULL};
    if (direct->moments == NULL)
        return arc_flyer_run(direct->flyer, &direct->thrown, problem->n_times, problem->time_s,
                             &output);
    if (!arc_moments_fly(direct->moments, direct->flyer, &direct->thrown, &output))
        return false;
    if (direct->sight != NULL)
        arc_sight_look(direct->sight, direct->values, direct->x, output.v, direct->moments->place);
    return true;
}

static bool direct_evaluate(void *context, const double *u, double *r, double *J)
{
    Direct *direct = context;
    const ArcProblem *problem = direct->problem;
    size_t m = (size_t)(problem->n_observations + problem->n_priors);
    arc_problem_scatter(problem, u, direct->values);
    if (!direct_fly(direct, J != NULL))
        return false;
    arc_problem_observe(problem, direct->x, direct->sight, r, direct->weight);
    double *J_priors = J != NULL ? J + problem->n_observations : NULL;
    arc_problem_priors(problem, u, r + problem->n_observations, J_priors, m);
    if (J != NULL && direct->sight != NULL)
        direct_fill_seen_rows(direct);
    else if (J != NULL)
        direct_fill_rows(direct);
    if (J != NULL) {
        ArcPartials partials = {problem->n_observations, direct->q_rows, direct->t0_rows,
                                direct->weight, direct->sight};
        arc_problem_chain(problem, direct->values, &partials, J, m);
    }
    return true;
}

static bool direct_states(void *context, int n, const double *t_s, double *x, double *v, double *a)
{
    Direct *direct = context;
    ArcSimOutput output = {.x = x, .v = v, .a = a};
    if (direct->flyer == NULL)
        return false; /* a phase is looked at by who knows it */
    return arc_flyer_run(direct->flyer, &direct->thrown, n, t_s, &output);
}

static ArcStatus direct_create(const ArcProblem *problem, ArcArena *arena, Direct **result,
                               ArcError *err)
{
    Direct *direct = ARC_ALLOC(arena, 1, Direct);
    if (direct == NULL)
        return arc_error_no_memory(err);
    size_t states = (size_t)problem->n_times * (size_t)problem->D, Q = (size_t)problem->Q;
    size_t rows = (size_t)problem->n_observations;
    direct->problem = problem;
    direct->values = ARC_ALLOC(arena, (size_t)arc_problem_n_values(problem), double);
    direct->x = ARC_ALLOC(arena, states, double);
    direct->v = ARC_ALLOC(arena, states, double);
    direct->x_q = ARC_ALLOC(arena, states * Q, double);
    direct->q_rows = ARC_ALLOC(arena, rows * Q, double);
    direct->t0_rows = ARC_ALLOC(arena, rows, double);
    direct->weight = ARC_ALLOC(arena, rows, double);
    if (direct->values == NULL || direct->x == NULL || direct->v == NULL || direct->x_q == NULL ||
        direct->q_rows == NULL || direct->t0_rows == NULL || direct->weight == NULL)
        return arc_error_no_memory(err);
    direct->thrown = (ArcThrow){&problem->flight, problem->release, direct->values};
    memcpy(direct->values, problem->start, sizeof(double) * (size_t)arc_problem_n_values(problem));
    *result = direct;
    ArcStatus status = arc_sight_create(problem, arena, &direct->sight, err);
    if (status == ARC_OK && problem->phase != NULL) {
        direct->s = ARC_ALLOC(arena, (size_t)problem->n_times, double);
        direct->a = ARC_ALLOC(arena, states, double);
        direct->v_q = ARC_ALLOC(arena, states * Q, double);
        if (direct->s == NULL || direct->a == NULL || direct->v_q == NULL)
            return arc_error_no_memory(err);
        return arc_phase_runner_create(problem, arena, &direct->runner, err);
    }
    if (status == ARC_OK && arc_problem_may_precede(problem))
        status = arc_moments_create(problem, arena, &direct->moments, err);
    if (status != ARC_OK)
        return status;
    return arc_flyer_create_closed(problem, false, problem->direct_tolerance, arena, &direct->flyer,
                                   err);
}

/* One run; its unknowns, factor and outcome. */
typedef struct Attempt {
    ArcLeastSquaresResult result;
    double *u; /* (n_free): the start, then the end */
    double *T; /* (n_free, n_free) */
} Attempt;

static void attempt_run(const ArcProblem *problem, ArcLeastSquares *solver, Attempt *attempt)
{
    size_t n = (size_t)problem->n_free;
    attempt->result = arc_least_squares_run(solver, attempt->u);
    if (arc_problem_turn_release(problem, attempt->u)) {
        int iterations = attempt->result.iterations;
        attempt->result = arc_least_squares_run(solver, attempt->u);
        attempt->result.iterations += iterations;
    }
    memcpy(attempt->T, arc_least_squares_factor(solver), sizeof(double) * n * n);
}

static void attempt_start(const ArcProblem *problem, const double *values, Attempt *attempt)
{
    for (int k = 0; k < problem->n_free; k++)
        attempt->u[k] = values[problem->free_parameter[k]];
}

static bool is_better(const ArcLeastSquaresResult *a, const ArcLeastSquaresResult *b)
{
    if (a->stop == ARC_STOP_NON_FINITE || b->stop == ARC_STOP_NON_FINITE)
        return b->stop == ARC_STOP_NON_FINITE && a->stop != ARC_STOP_NON_FINITE;
    return a->cost < b->cost;
}

static ArcStatus attempts_create(const ArcProblem *problem, ArcArena *arena, Attempt attempts[2],
                                 ArcError *err)
{
    size_t n = (size_t)problem->n_free;
    for (int i = 0; i < 2; i++) {
        attempts[i].u = ARC_ALLOC(arena, n, double);
        attempts[i].T = ARC_ALLOC(arena, n * n, double);
        if (attempts[i].u == NULL || attempts[i].T == NULL)
            return arc_error_no_memory(err);
    }
    return ARC_OK;
}

static ArcObjective objective_of(Direct *direct)
{
    const ArcProblem *problem = direct->problem;
    return (ArcObjective){.m = problem->n_observations + problem->n_priors,
                          .n_outer = arc_problem_n_unknowns(problem),
                          .context = direct,
                          .evaluate = direct_evaluate};
}

/* The flight's, or that of what comes before it: one set of values for both. */
static Direct *direct_of(const ArcObjective *objective, int phase)
{
    int first;
    if (arc_stacked_count(objective) > 0)
        objective = arc_stacked_part(objective, phase, &first);
    else if (phase > 0)
        return NULL;
    return objective->context;
}

ArcStatus arc_direct_objective(const ArcProblem *problem, ArcArena *arena, ArcObjective *objective,
                               ArcTrajectory *states, double **values, ArcError *err)
{
    Direct *direct = NULL, *before = NULL;
    const ArcProblem *swing = NULL;
    ArcStatus status = direct_create(problem, arena, &direct, err);
    if (status == ARC_OK)
        status = arc_swing_with(problem, arena, &swing, err);
    if (status == ARC_OK && swing != NULL)
        status = direct_create(swing, arena, &before, err);
    if (status != ARC_OK)
        return status;
    *states = (ArcTrajectory){direct, direct_states};
    *values = direct->values;
    *objective = objective_of(direct);
    if (before == NULL)
        return ARC_OK;
    const ArcObjective parts[2] = {*objective, objective_of(before)};
    before->values = direct->values;
    return arc_stacked_create(2, parts, arena, objective, err);
}

/* The PINN's linear stage on a small net, or on one for each segment of a flight that bounces, as
 * often as their number and spans change: `values` becomes where it ends. */
static ArcStatus collocate(const ArcProblem *problem, ArcHistory *history, ArcArena *arena,
                           double *values, ArcStageEnd *end, ArcError *err)
{
    ArcNetSettings net = arc_net_settings_default();
    const ArcStage linear = {.optimizer = ARC_OPTIMIZER_LINEAR, .steps = START_ITERATIONS};
    ArcProblem begun = *problem;
    ArcStatus status = ARC_OK;
    int iterations = 0;
    bool fits = false;
    begun.start = values;
    for (int round = 0; round < START_ROUNDS && !fits && status == ARC_OK; round++) {
        ArcPinn *pinn = NULL;
        ArcStageRun *stage = NULL;
        status = arc_pinn_create(&begun, &net, START_COLLOCATION, arena, &pinn, err);
        if (status == ARC_OK)
            status = arc_stage_create(pinn, &linear, history, arena, &stage, err);
        if (status != ARC_OK)
            return status;
        arc_stage_begin(stage, NULL);
        while (arc_stage_step(stage))
            ;
        *end = arc_stage_finish(stage);
        iterations += end->iterations;
        fits = end->stop == ARC_STOP_INTERRUPTED || end->stop == ARC_STOP_NON_FINITE ||
               !problem->flight.settings.bounce.is_on || arc_pinn_fits_span(pinn);
        memcpy(values, pinn->values, sizeof(double) * (size_t)problem->n_parameters);
    }
    end->iterations = iterations;
    return status;
}

/* The same of own equations, whose nets have to be wide enough. */
static ArcStatus collocate_system(const ArcProblem *problem, ArcArena *arena, double *values,
                                  ArcStageEnd *end, ArcError *err)
{
    ArcProblem begun = *problem;
    ArcOutcome outcome;
    begun.pinn.net_auto = true;
    begun.pinn.windows = 1;
    begun.pinn.collocation = 0;
    begun.pinn.n_stages = 1;
    begun.pinn.stages[0] =
        (ArcStage){.optimizer = ARC_OPTIMIZER_LINEAR, .steps = SYSTEM_ITERATIONS};
    ArcStatus status = arc_pinn_fit(&begun, NULL, (ArcStartPlace){0}, arena, &outcome, err);
    if (status != ARC_OK)
        return status;
    *end = (ArcStageEnd){.stop = outcome.stop, .iterations = outcome.iterations};
    memcpy(values, outcome.values, sizeof(double) * (size_t)problem->n_parameters);
    return ARC_OK;
}

/* Shooting can end in a far valley, where collocation does not: a second run starts where that
 * ends. */
static ArcStatus attempt_again(const ArcProblem *problem, ArcLeastSquares *solver,
                               ArcHistory *history, ArcArena *arena, Attempt *attempt,
                               ArcError *err)
{
    const double *values = history->values;
    double start[ARC_MAX_PARAMETERS];
    ArcStageEnd end = {0};
    memcpy(start, problem->start, sizeof(double) * (size_t)problem->n_parameters);
    history->stage++;
    ArcStatus status = problem->equations != NULL
                           ? collocate_system(problem, arena, start, &end, err)
                           : collocate(problem, history, arena, start, &end, err);
    if (status != ARC_OK)
        return status;
    attempt->result = (ArcLeastSquaresResult){.stop = end.stop, .iterations = end.iterations};
    if (end.stop == ARC_STOP_INTERRUPTED || end.stop == ARC_STOP_NON_FINITE)
        return ARC_OK;
    history->stage++;
    history->values = values;
    arc_history_begin(history, "direct", DIRECT_ITERATIONS, 0);
    attempt_start(problem, start, attempt);
    attempt_run(problem, solver, attempt);
    attempt->result.iterations += end.iterations;
    return ARC_OK;
}

ArcStatus arc_direct_shoot(const ArcProblem *problem, ArcArena *arena, double *values,
                           ArcError *err)
{
    ArcObjective objective;
    ArcTrajectory states;
    ArcLeastSquares *solver = NULL;
    ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
    double *own = NULL, u[ARC_MAX_PARAMETERS];
    settings.max_iterations = DIRECT_ITERATIONS;
    ArcStatus status = arc_direct_objective(problem, arena, &objective, &states, &own, err);
    if (status == ARC_OK)
        status = arc_least_squares_create(&objective, &settings, problem->low, problem->high, arena,
                                          &solver, err);
    if (status != ARC_OK)
        return status;
    for (int k = 0; k < problem->n_free; k++)
        u[k] = problem->start[problem->free_parameter[k]];
    if (arc_stop_is_converged(arc_least_squares_run(solver, u).stop))
        arc_problem_scatter(problem, u, values);
    return ARC_OK;
}

ArcStatus arc_direct_fit(const ArcProblem *problem, const ArcFitOptions *options, bool forecast,
                         ArcArena *arena, ArcOutcome *outcome, ArcError *err)
{
    ArcObjective objective;
    ArcTrajectory states;
    double *values = NULL;
    ArcLeastSquares *solver = NULL;
    ArcHistory history = {.problem = problem,
                          .method = ARC_DIRECT,
                          .options = options,
                          .capacity = 2 * DIRECT_ITERATIONS + START_ROUNDS * START_ITERATIONS};
    Attempt attempts[2];
    ArcStatus status = arc_direct_objective(problem, arena, &objective, &states, &values, err);
    if (status == ARC_OK)
        status = arc_history_create(&history, arena, err);
    ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
    settings.max_iterations = forecast ? 0 : DIRECT_ITERATIONS;
    if (problem->swing != NULL) {
        settings.halvings = SWING_HALVINGS;
        settings.tolerance = swing_tolerance;
    }
    settings.progress = arc_history_note;
    settings.progress_context = &history;
    if (status == ARC_OK)
        status = arc_least_squares_create(&objective, &settings, problem->low, problem->high, arena,
                                          &solver, err);
    if (status == ARC_OK)
        status = attempts_create(problem, arena, attempts, err);
    if (status != ARC_OK)
        return status;
    arc_history_begin(&history, "direct", DIRECT_ITERATIONS, 0);
    history.values = values;
    attempt_start(problem, problem->start, &attempts[0]);
    attempt_run(problem, solver, &attempts[0]);
    const Attempt *best = &attempts[0];
    ArcStop stop = best->result.stop;
    int iterations = best->result.iterations;
    if (!forecast && arc_outcome_is_doubtful(problem, best->result.stop, best->result.cost,
                                             arc_least_squares_residual(solver))) {
        status = attempt_again(problem, solver, &history, arena, &attempts[1], err);
        if (status != ARC_OK)
            return status;
        iterations += attempts[1].result.iterations;
        bool interrupted = attempts[1].result.stop == ARC_STOP_INTERRUPTED;
        if (!interrupted && is_better(&attempts[1].result, &best->result))
            best = &attempts[1];
        stop = interrupted ? ARC_STOP_INTERRUPTED : best->result.stop;
    }
    const Direct *direct = direct_of(&objective, 0);
    Direct *before = direct_of(&objective, 1);
    const char *why = NULL;
    if (best->result.stop == ARC_STOP_NON_FINITE)
        why = direct->runner != NULL ? arc_phase_why(direct->runner) : arc_flyer_why(direct->flyer);
    if (best->result.stop == ARC_STOP_NON_FINITE && why == NULL && before != NULL)
        why = arc_phase_why(before->runner);
    arc_problem_scatter(problem, best->u, values);
    *outcome = (ArcOutcome){.stop = stop,
                            .converged = arc_stop_is_converged(stop),
                            .iterations = iterations,
                            .cost = best->result.cost,
                            .values = values,
                            .T = best->result.stop == ARC_STOP_NON_FINITE ? NULL : best->T,
                            .trajectory = states,
                            .n_history = history.n,
                            .history = history.rows,
                            .physics_rms_m_s2 = NAN,
                            .physics_rms_fine_m_s2 = NAN,
                            .sigma_phys_m_s2 = NAN,
                            .sigma_phys_ci95_m_s2 = {NAN, NAN},
                            .note = why};
    return ARC_OK;
}
