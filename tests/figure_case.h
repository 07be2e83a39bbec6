/* Results for tests of figures: a flight flown, written to a file and fitted as `arcfit fit` does.
 * Include after cmocka.h. Files are in the folder that the test runs in. */
#ifndef FIGURE_CASE_H
#define FIGURE_CASE_H

#include "arcfit/figure.h"
#include "arcfit/predict.h"
#include "base/arena.h"
#include "fit_case.h"

#include <unistd.h>

/* A result, its experiment and what is drawn of them. */
typedef struct FigureCase {
    ArcExperiment *experiment;
    ArcResult *result;
    ArcFigures *figures;
    char file[64]; /* of its points */
} FigureCase;

static inline ArcFigures *case_figures(const ArcResult *result, const ArcExperiment *experiment)
{
    ArcError err;
    ArcFigures *figures = NULL;
    if (arc_figures_of_result(result, experiment, &figures, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return figures;
}

/* n points over span_s of the experiment text `truth`, fitted by the text `model` (sections without
 * `arcfit`; in `capture` "FILE" stands for the file's name), and drawn. */
static inline FigureCase figure_case_of(const char *const truth, int n, double span_s,
                                        double sigma_m, const char *model)
{
    static int made;
    FigureCase made_case = {0};
    char text[4096];
    ArcError err;
    ArcCapture *capture = case_capture(truth, n, span_s, sigma_m);
    snprintf(made_case.file, sizeof made_case.file, "figure-%d-%d.csv", (int)getpid(), made++);
    if (arc_capture_write(capture, NULL, made_case.file, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_capture_free(capture);
    snprintf(text, sizeof text, model, made_case.file);
    made_case.experiment = case_experiment(text);
    if (arc_result_create(made_case.experiment, 0, NULL, NULL, &made_case.result, &err) != ARC_OK)
        fail_msg("%s", err.text);
    made_case.figures = case_figures(made_case.result, made_case.experiment);
    return made_case;
}

static inline void figure_case_free(FigureCase *one)
{
    arc_figures_free(one->figures);
    arc_result_free(one->result);
    arc_experiment_free(one->experiment);
    remove(one->file);
}

/* The figure of that name; NULL: there is none. */
static inline const ArcFigure *figure_find(const ArcFigures *figures, const char *name)
{
    for (int i = 0; i < figures->n; i++)
        if (strcmp(figures->figures[i].name, name) == 0)
            return &figures->figures[i];
    return NULL;
}

static inline const ArcFigure *figure_of(const ArcFigures *figures, const char *name)
{
    const ArcFigure *figure = figure_find(figures, name);
    if (figure == NULL)
        fail_msg("there is no figure '%s'", name);
    return figure;
}

/* The series of that name; NULL: there is none. */
static inline const ArcSeries *series_find(const ArcFigure *figure, const char *name)
{
    for (int i = 0; i < figure->n_series; i++)
        if (figure->series[i].name != NULL && strcmp(figure->series[i].name, name) == 0)
            return &figure->series[i];
    return NULL;
}

static inline const ArcSeries *series_of(const ArcFigure *figure, const char *name)
{
    const ArcSeries *series = series_find(figure, name);
    if (series == NULL)
        fail_msg("figure '%s' has no series '%s'", figure->name, name);
    return series;
}

/* The hook of arc_memory_set_hook that allows so many allocations. */
static inline bool figure_allow_some(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

/* Figures with memory refused after each number of allocations until they are made. */
static inline void assert_figures_exhaustion(const ArcResult *result,
                                             const ArcExperiment *experiment)
{
    ArcStatus status = ARC_MEMORY;
    int refused = 0;
    for (int n = 0; n < 2000 && status != ARC_OK; n++) {
        ArcFigures *figures = NULL;
        ArcError err;
        int left = n;
        arc_memory_set_hook(figure_allow_some, &left);
        status = arc_figures_of_result(result, experiment, &figures, &err);
        arc_memory_set_hook(NULL, NULL);
        assert_true(status == ARC_OK || status == ARC_MEMORY);
        assert_true((status == ARC_OK) == (figures != NULL));
        refused += status != ARC_OK;
        arc_figures_free(figures);
    }
    assert_int_equal(status, ARC_OK);
    assert_true(refused > 1);
}

#endif
