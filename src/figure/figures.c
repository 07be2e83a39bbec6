/* The figures of a result: the makers in the order of a page, each flight after the other. */
#include "figure/maker.h"
#include "report/section.h"

/* Of each flight, in their groups' order. */
static const ArcMake of_flights[] = {arc_make_flight,     arc_make_residuals, arc_make_quantile,
                                     arc_make_difference, arc_make_physics,   arc_make_arm,
                                     arc_make_states};
static const ArcMake of_results[] = {arc_make_overview, arc_make_parameters, arc_make_uncertainty,
                                     arc_make_training, arc_make_closure};

enum {
    N_OF_FLIGHTS = sizeof of_flights / sizeof of_flights[0],
    N_OF_RESULTS = sizeof of_results / sizeof of_results[0]
};

static ArcStatus run(ArcMaker *maker, int n, const ArcMake *makers, ArcError *err)
{
    ArcStatus status = ARC_OK;
    maker->fit = arc_section_fit(maker->result);
    maker->paths[0] = maker->paths[1] = NULL;
    for (int i = 0; i < n && status == ARC_OK; i++)
        status = makers[i](maker, err);
    return status;
}

/* Each flight's figures. What arc_result_of_flight gives must stay while figures are made. */
static ArcStatus make_flights(ArcMaker *maker, const ArcResult *result, ArcError *err)
{
    ArcStatus status = ARC_OK;
    if (result->n_flights == 0)
        return run(maker, N_OF_FLIGHTS, of_flights, err);
    ArcResult *flights = ARC_ALLOC(maker->arena, (size_t)result->n_flights, ArcResult);
    if (flights == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < result->n_flights && status == ARC_OK; i++) {
        flights[i] = arc_result_of_flight(result, i);
        maker->result = &flights[i];
        maker->flight = i + 1;
        status = run(maker, N_OF_FLIGHTS, of_flights, err);
    }
    maker->result = result;
    maker->flight = 0;
    return status;
}

/* By group, then by flight, else as they were made; returns how many. What has nothing to draw, as
 * the training of a fit without misfit on its axis of logarithms, is no figure. */
static int sort(ArcMaker *maker, ArcFigure *sorted)
{
    int n = 0;
    for (int group = 0; group < ARC_N_FIGURE_GROUPS; group++)
        for (int i = 0; i < maker->n_figures; i++)
            if ((int)maker->figures[i].group == group && maker->figures[i].n_series > 0)
                sorted[n++] = maker->figures[i];
    return n;
}

ArcStatus arc_maker_finish(ArcMaker *maker, ArcStatus status, ArcFigures **figures, ArcError *err)
{
    ArcFigures *all = ARC_ALLOC(maker->arena, 1, ArcFigures);
    ArcFigure *sorted = ARC_ALLOC(maker->arena, (size_t)maker->n_figures, ArcFigure);
    *figures = NULL;
    if (status == ARC_OK && arc_arena_is_exhausted(maker->arena))
        status = arc_error_no_memory(err);
    if (status != ARC_OK) {
        arc_arena_free(maker->arena);
        return status;
    }
    *all = (ArcFigures){.n = sort(maker, sorted),
                        .figures = sorted,
                        .n_notes = maker->n_notes,
                        .notes = maker->notes,
                        .arena = maker->arena};
    *figures = all;
    return ARC_OK;
}

ArcStatus arc_figures_of_result(const ArcResult *result, const ArcExperiment *experiment,
                                ArcFigures **figures, ArcError *err)
{
    ArcMaker maker = {.arena = arc_arena_create(), .result = result, .experiment = experiment};
    *figures = NULL;
    if (maker.arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = make_flights(&maker, result, err);
    if (status == ARC_OK)
        status = run(&maker, N_OF_RESULTS, of_results, err);
    return arc_maker_finish(&maker, status, figures, err);
}

void arc_figures_free(ArcFigures *figures)
{
    if (figures != NULL)
        arc_arena_free(figures->arena);
}
