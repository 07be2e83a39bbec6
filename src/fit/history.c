/* The history of a fit's iterations, which also reports progress and hears an interruption. */
#include "fit/method.h"

ArcStatus arc_history_create(ArcMethod method, const ArcFitOptions *options, int capacity,
                             ArcArena *arena, ArcHistory *history, ArcError *err)
{
    *history = (ArcHistory){.method = method, .options = options, .capacity = capacity};
    history->rows = ARC_ALLOC(arena, (size_t)capacity, ArcHistoryRow);
    return history->rows == NULL ? arc_error_no_memory(err) : ARC_OK;
}

bool arc_history_note(void *context, int iteration, double cost, double step)
{
    ArcHistory *history = context;
    ArcHistoryRow row = {
        .stage = history->stage, .iteration = iteration, .cost = cost, .step_sd = step};
    if (history->n < history->capacity)
        history->rows[history->n++] = row;
    const ArcFitOptions *options = history->options;
    return options == NULL || options->progress == NULL ||
           options->progress(options->context, history->method, &row);
}
