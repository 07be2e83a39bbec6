/* See pictures.h. */
#include "cli/pictures.h"

#include "cli/output.h"

#include <stdio.h>

enum { COLUMNS = 80, ROWS = 19 };

/* The figure of a group that stands for it; NULL: there is none. */
static const ArcFigure *choose(const ArcFigures *figures, ArcFigureGroup group)
{
    const ArcFigure *chosen = NULL;
    for (int i = 0; i < figures->n; i++) {
        const ArcFigure *figure = &figures->figures[i];
        if (figure->group != group || figure->is_space || figure->flight > 1)
            continue;
        if (chosen == NULL || group == ARC_FIGURES_METHODS)
            chosen = figure;
    }
    return chosen;
}

static int print_picture(const ArcFigure *figure)
{
    ArcError err;
    char *text = NULL;
    ArcStatus status =
        arc_figure_picture(figure, COLUMNS, ROWS, arc_output_is_coloured(stdout), &text, &err);
    if (status == ARC_OK)
        printf("\n");
    return arc_output_text(status, text, &err);
}

int arc_pictures_print(const ArcResult *result, const ArcExperiment *experiment, int n,
                       const ArcFigureGroup *groups)
{
    ArcError note, err;
    ArcFigures *figures = NULL;
    ArcExperiment *restored = NULL;
    int code = 0;
    bool has_bands = result->n_flights == 0 && result->model_text == NULL;
    ArcStatus status = ARC_OK;
    if (has_bands && experiment == NULL)
        status = arc_report_experiment(result, &restored, &note, &err);
    if (status == ARC_OK || status == ARC_INPUT) /* what cannot be restored has no bands */
        status = arc_figures_of_result(result,
                                       !has_bands         ? NULL
                                       : restored != NULL ? restored
                                                          : experiment,
                                       &figures, &err);
    if (status != ARC_OK)
        code = arc_output_error(&err);
    for (int i = 0; i < n && code == 0; i++) {
        const ArcFigure *figure = choose(figures, groups[i]);
        if (figure != NULL)
            code = print_picture(figure);
    }
    arc_figures_free(figures);
    arc_experiment_free(restored);
    return code;
}
