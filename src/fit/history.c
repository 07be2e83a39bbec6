/* The history of a fit's iterations, which also reports progress and hears an interruption. */
#include "fit/method.h"

#include <math.h>

enum { MOST_ROWS = 1000 };

ArcStatus arc_history_create(ArcHistory *history, ArcArena *arena, ArcError *err)
{
    history->rows = ARC_ALLOC(arena, (size_t)history->capacity, ArcHistoryRow);
    return history->rows == NULL ? arc_error_no_memory(err) : ARC_OK;
}

void arc_history_begin(ArcHistory *history, const char *optimizer, int steps, int n_physics)
{
    history->optimizer = optimizer;
    history->steps = steps;
    history->n_physics = n_physics;
}

int arc_history_rows_of(int steps)
{
    return steps <= MOST_ROWS ? steps + 1 : MOST_ROWS + 2;
}

bool arc_history_add(ArcHistory *history, const ArcHistoryRow *row)
{
    int every = (history->steps + MOST_ROWS - 1) / MOST_ROWS;
    bool kept = every <= 1 || row->iteration % every == 0 || row->iteration == 1 ||
                row->iteration == history->steps;
    if (kept && history->n < history->capacity)
        history->rows[history->n++] = *row;
    const ArcFitOptions *options = history->options;
    if (options == NULL || options->progress == NULL)
        return true;
    ArcProgressState state = {.method = history->method,
                              .optimizer = history->optimizer,
                              .steps = history->steps,
                              .row = row,
                              .n_parameters = history->problem->n_parameters,
                              .parameters = history->problem->parameters,
                              .values = history->values};
    bool goes_on = true;
#pragma omp critical(arc_progress)
    goes_on = options->progress(options->context, &state);
    history->interrupted = history->interrupted || !goes_on;
    return goes_on;
}

/* Half the sum of squares of n residuals. */
static double half_square(int n, const double *r)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += r[i] * r[i];
    return 0.5 * sum;
}

bool arc_history_note(void *context, int iteration, double cost, double step, const double *r)
{
    ArcHistory *history = context;
    int n_observations = history->problem->n_observations, n_physics = history->n_physics;
    ArcHistoryRow row = {
        .start = history->start,
        .stage = history->stage,
        .iteration = iteration,
        .cost = cost,
        .observations = half_square(n_observations, r),
        .physics = n_physics > 0 ? half_square(n_physics, r + n_observations) : NAN,
        .priors = half_square(history->problem->n_priors, r + n_observations + n_physics),
        .step_sd = step,
        .rate = NAN};
    return arc_history_add(history, &row);
}

void arc_history_store(ArcHistory *history, ArcStore *store)
{
    int n = history->n;
    arc_store_whole(store, &n);
    arc_store_whole(store, &history->stage);
    if (n < 0 || n > history->capacity) {
        store->failed = true;
        return;
    }
    for (int i = 0; i < n; i++) {
        ArcHistoryRow *row = &history->rows[i];
        arc_store_whole(store, &row->start);
        arc_store_whole(store, &row->stage);
        arc_store_whole(store, &row->iteration);
        arc_store_reals(store, &row->cost, 6);
    }
    history->n = n;
}
