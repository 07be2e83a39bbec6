/* Stages of the training on top of the solvers. */
#include "fit/stage.h"

#include "fit/collocation.h"
#include "fit/objectives.h"
#include "solve/adam.h"
#include "solve/lbfgs.h"

#include <math.h>
#include <string.h>

/* Damped from the start: an undamped step from random weights is hopeless. */
static const double lm_first_lambda = 1.0;
/* Output weights that are larger are left to what the hidden ones can still do. */
static const double lm_truncation = 1e-8;
enum { INNER_CORRECTIONS = 8 }; /* of a step with a swing or own equations */
/* In sd: many weights go on shifting the cost by less without end. */
static const double lm_tolerance = 3e-3;

struct ArcStageRun {
    ArcPinn *pinn;
    const ArcStage *stage;
    ArcHistory *history;
    double *unknowns; /* z or x */
    size_t n_unknowns;
    ArcStop stop;
    int iterations;
    bool is_over;
    bool is_turned;         /* a release found upside down has been fitted again */
    ArcObjective objective; /* linear and lm */
    ArcLeastSquares *solver;
    ArcLeastSquaresResult result;
    double *state;         /* of the solver, for stores */
    ArcGradient *gradient; /* adam and lbfgs */
    ArcScalarObjective scalar;
    ArcAdam *adam;
    ArcLbfgs *lbfgs;
    ArcDescentReport report;
};

static bool is_linear(const ArcStageRun *run)
{
    return run->stage->optimizer == ARC_OPTIMIZER_LINEAR;
}

static bool is_least_squares(const ArcStageRun *run)
{
    return is_linear(run) || run->stage->optimizer == ARC_OPTIMIZER_LM;
}

static ArcStatus create_least_squares(ArcStageRun *run, ArcArena *arena, ArcError *err)
{
    ArcPinn *pinn = run->pinn;
    ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
    settings.max_iterations = run->stage->steps;
    settings.progress = arc_history_note;
    settings.progress_context = run->history;
    const double *low = pinn->problem->low, *high = pinn->problem->high;
    ArcStatus status;
    bool has_phase = pinn->swing != NULL || pinn->problem->phase != NULL;
    settings.corrections = has_phase ? INNER_CORRECTIONS : 0;
    if (is_linear(run)) {
        status = arc_linear_objective(pinn, arena, &run->objective, &run->unknowns, err);
    } else {
        settings.lambda = lm_first_lambda;
        settings.truncation = lm_truncation;
        settings.tolerance = lm_tolerance;
        settings.geodesic = run->stage->geodesic;
        status = arc_weights_objective(pinn, arena, &run->objective, &run->unknowns, err);
    }
    if (status == ARC_OK)
        status = arc_least_squares_create(&run->objective, &settings, low, high, arena,
                                          &run->solver, err);
    if (status != ARC_OK)
        return status;
    run->n_unknowns =
        (size_t)(run->objective.n_inner + run->objective.n_damped + run->objective.n_outer);
    run->state = ARC_ALLOC(arena, arc_least_squares_state_size(run->solver), double);
    return run->state == NULL ? arc_error_no_memory(err) : ARC_OK;
}

static ArcStatus create_adam(ArcStageRun *run, ArcArena *arena, ArcError *err)
{
    const ArcStage *stage = run->stage;
    int n = arc_gradient_n(run->gradient), n_weights = run->pinn->n_weights;
    ArcAdamSettings settings = arc_adam_settings_default();
    double final_rate =
        stage->schedule == ARC_SCHEDULE_CONSTANT ? 0.0 : stage->rate * stage->final_share;
    int falling = stage->steps - stage->warm_up;
    settings.schedule = (ArcRateSchedule){
        .kind = stage->schedule == ARC_SCHEDULE_COSINE        ? ARC_RATE_COSINE
                : stage->schedule == ARC_SCHEDULE_EXPONENTIAL ? ARC_RATE_EXPONENTIAL
                                                              : ARC_RATE_CONSTANT,
        .rate = stage->rate,
        .final_rate = final_rate,
        .decay = falling > 0 ? pow(stage->final_share, 1.0 / falling) : 1.0,
        .warm_up_steps = stage->warm_up,
        .steps = stage->steps > stage->warm_up ? stage->steps : stage->warm_up + 1};
    settings.weight_decay = stage->weight_decay;
    settings.n_decay = n_weights;
    settings.clip_norm = stage->clip;
    settings.max_steps = stage->steps;
    double *multipliers = ARC_ALLOC(arena, (size_t)n, double);
    if (multipliers == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < n; i++)
        multipliers[i] = i < n_weights ? 1.0 : stage->parameter_rate / stage->rate;
    return arc_adam_create(&settings, n, multipliers, arena, &run->adam, err);
}

static ArcDescentState descent_state(const ArcStageRun *run)
{
    return run->adam != NULL ? arc_adam_state(run->adam) : arc_lbfgs_state(run->lbfgs);
}

static ArcStatus create_descent(ArcStageRun *run, ArcArena *arena, ArcError *err)
{
    ArcStatus status = arc_gradient_create(run->pinn, arena, &run->gradient, &run->unknowns, err);
    if (status != ARC_OK)
        return status;
    run->n_unknowns = (size_t)arc_gradient_n(run->gradient);
    run->scalar = arc_gradient_objective(run->gradient);
    ArcLbfgsSettings settings = arc_lbfgs_settings_default();
    settings.memory = run->stage->memory;
    settings.max_steps = run->stage->steps;
    status = run->stage->optimizer == ARC_OPTIMIZER_ADAM
                 ? create_adam(run, arena, err)
                 : arc_lbfgs_create(&settings, (int)run->n_unknowns, arena, &run->lbfgs, err);
    if (status != ARC_OK)
        return status;
    size_t size = descent_state(run).count;
    run->state = ARC_ALLOC(arena, size, double);
    return run->state == NULL ? arc_error_no_memory(err) : ARC_OK;
}

/* The optimiser's own block, whose length goes with it. */
static void store_descent(ArcStageRun *run, ArcStore *store)
{
    ArcDescentState state = descent_state(run);
    if (!store->reads) {
        /* Only read from: a store that writes leaves what it is given. */
        arc_store_reals(store, (double *)(uintptr_t)state.values, state.count);
        return;
    }
    arc_store_reals(store, run->state, state.count);
    ArcStatus status = store->failed ? ARC_INPUT
                       : run->adam != NULL
                           ? arc_adam_restore(run->adam, run->state, state.count, NULL)
                           : arc_lbfgs_restore(run->lbfgs, run->state, state.count, NULL);
    store->failed = status != ARC_OK;
}

void arc_stage_store(ArcStageRun *run, ArcStore *store)
{
    arc_store_reals(store, run->unknowns, run->n_unknowns);
    arc_store_whole(store, &run->iterations);
    arc_store_flag(store, &run->is_turned);
    if (is_least_squares(run)) {
        size_t size = arc_least_squares_state_size(run->solver);
        if (!store->reads)
            arc_least_squares_save(run->solver, &run->result, run->state);
        arc_store_reals(store, run->state, size);
    } else {
        arc_gradient_store_balance(run->gradient, store);
        store_descent(run, store);
    }
}

ArcStatus arc_stage_create(ArcPinn *pinn, const ArcStage *stage, ArcHistory *history,
                           ArcArena *arena, ArcStageRun **result, ArcError *err)
{
    ArcStageRun *run = ARC_ALLOC(arena, 1, ArcStageRun);
    if (run == NULL)
        return arc_error_no_memory(err);
    *run = (ArcStageRun){.pinn = pinn, .stage = stage, .history = history, .stop = ARC_STOP_LIMIT};
    history->values = pinn->values;
    arc_history_begin(history, arc_optimizer_name((int)stage->optimizer), stage->steps,
                      arc_pinn_n_rows(pinn) - pinn->problem->n_observations);
    ArcStatus status = is_least_squares(run) ? create_least_squares(run, arena, err)
                                             : create_descent(run, arena, err);
    if (status == ARC_OK)
        *result = run;
    return status;
}

void arc_stage_begin(ArcStageRun *run, ArcStore *stored)
{
    if (stored != NULL)
        arc_stage_store(run, stored);
    if (!is_least_squares(run) || (stored != NULL && stored->failed))
        return;
    bool begins =
        stored != NULL
            ? arc_least_squares_restore(run->solver, run->unknowns, run->state, &run->result)
            : arc_least_squares_begin(run->solver, run->unknowns, &run->result);
    run->stop = begins ? ARC_STOP_LIMIT : run->result.stop;
}

static bool step_least_squares(ArcStageRun *run)
{
    int before = run->result.iterations;
    bool goes_on = arc_least_squares_step(run->solver, run->unknowns, &run->result);
    run->iterations += run->result.iterations - before;
    run->stop = run->result.stop;
    double *u = run->unknowns + run->n_unknowns - run->pinn->problem->n_free;
    if (!goes_on && !run->is_turned && arc_stop_is_converged(run->stop) &&
        arc_problem_turn_release(run->pinn->problem, u)) {
        run->is_turned = true;
        goes_on = arc_least_squares_begin(run->solver, run->unknowns, &run->result);
    }
    return goes_on;
}

/* New collocation points and a new balance at their times; the objective is then another one. */
static void renew_objective(ArcStageRun *run)
{
    const ArcPinnSettings *settings = &run->pinn->problem->pinn;
    bool changed = false;
    if (run->iterations > 0 && run->iterations % settings->collocation_every == 0) {
        /* The net that was evaluated last may be a trial of the line search. */
        arc_gradient_finish(run->gradient, run->unknowns);
        changed = arc_collocation_redraw(run->pinn);
    }
    if (run->iterations % settings->weighting_every == 0)
        changed = arc_gradient_balance(run->gradient, run->unknowns) || changed;
    if (changed && run->lbfgs != NULL)
        arc_lbfgs_restart(run->lbfgs);
}

/* The step just taken, for the history; false: interrupted. */
static bool note_descent(ArcStageRun *run)
{
    const double *parts = run->lbfgs != NULL ? arc_gradient_parts_at(run->gradient, run->unknowns)
                                             : arc_gradient_parts(run->gradient);
    ArcHistoryRow row = {.start = run->history->start,
                         .stage = run->history->stage,
                         .iteration = ++run->iterations,
                         .cost = parts[0] + parts[1] + parts[2],
                         .observations = parts[0],
                         .physics = parts[1],
                         .priors = parts[2],
                         .step_sd = NAN,
                         .rate = run->report.rate};
    return arc_history_add(run->history, &row);
}

static bool step_descent(ArcStageRun *run)
{
    renew_objective(run);
    if (run->adam != NULL)
        arc_adam_step(run->adam, &run->scalar, run->unknowns, &run->report);
    else
        arc_lbfgs_step(run->lbfgs, &run->scalar, run->unknowns, &run->report);
    arc_gradient_keep_bounds(run->gradient, run->unknowns);
    bool moved = run->report.steps > run->iterations;
    bool goes_on = moved ? note_descent(run) : true;
    if (run->report.is_done)
        run->stop = run->report.stop;
    else if (!goes_on)
        run->stop = ARC_STOP_INTERRUPTED;
    return goes_on && !run->report.is_done;
}

bool arc_stage_step(ArcStageRun *run)
{
    bool goes_on = run->stop != ARC_STOP_NON_FINITE &&
                   (is_least_squares(run) ? step_least_squares(run) : step_descent(run));
    run->is_over = !goes_on && run->stop != ARC_STOP_INTERRUPTED;
    return goes_on;
}

void arc_stage_leave(ArcStageRun *run)
{
    run->stop = ARC_STOP_COST;
    run->is_over = true;
}

bool arc_stage_is_over(const ArcStageRun *run)
{
    return run->is_over;
}

static const char *heaviest_block(const ArcGradient *gradient)
{
    static const char *const names[] = {"observations", "physics", "priors"};
    const double *parts = arc_gradient_parts(gradient);
    int heaviest = 0;
    for (int b = 1; b < 3; b++)
        if (!(parts[b] <= parts[heaviest]))
            heaviest = b;
    return names[heaviest];
}

ArcStageEnd arc_stage_finish(ArcStageRun *run)
{
    ArcPinn *pinn = run->pinn;
    ArcStageEnd end = {.stop = run->stop, .iterations = run->iterations};
    const double *z = run->unknowns;
    if (run->stop == ARC_STOP_NON_FINITE)
        end.block = arc_pinn_non_finite_block(pinn);
    /* All is finite but its squares: then the largest block it was. */
    if (run->stop == ARC_STOP_NON_FINITE && end.block == NULL && run->gradient != NULL)
        end.block = heaviest_block(run->gradient);
    if (!is_least_squares(run)) {
        arc_gradient_finish(run->gradient, z);
        return end;
    }
    if (is_linear(run) && (run->iterations > 0 || run->stop != ARC_STOP_NON_FINITE)) {
        arc_linear_store(&run->objective, z);
    } else if (!is_linear(run)) {
        arc_weights_store(&run->objective, z);
    }
    arc_problem_scatter(pinn->problem, z + run->n_unknowns - pinn->problem->n_free, pinn->values);
    arc_pinn_place_observations(pinn);
    return end;
}

const double *arc_stage_factor(const ArcStageRun *run)
{
    bool has_factor = is_linear(run) && run->stop != ARC_STOP_NON_FINITE;
    return has_factor ? arc_least_squares_factor(run->solver) : NULL;
}

bool arc_stage_posterior(ArcPinn *pinn, ArcArena *arena, double *T, double *remaining,
                         ArcStatus *status, ArcError *err)
{
    const ArcProblem *problem = pinn->problem;
    ArcObjective objective;
    double *z = NULL;
    ArcLeastSquares *solver = NULL;
    ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
    *status = arc_linear_objective(pinn, arena, &objective, &z, err);
    if (*status == ARC_OK)
        *status = arc_least_squares_create(&objective, &settings, problem->low, problem->high,
                                           arena, &solver, err);
    ArcLeastSquaresResult result;
    if (*status != ARC_OK || !arc_least_squares_begin(solver, z, &result))
        return false;
    *remaining = arc_least_squares_remaining(solver, z);
    memcpy(T, arc_least_squares_factor(solver),
           sizeof(double) * (size_t)problem->n_free * (size_t)problem->n_free);
    return true;
}
