/* What tests of figures share: one maker run by itself, figures and series by their names, what
 * holds of every figure. Include after cmocka.h. */
#ifndef MAKER_CASE_H
#define MAKER_CASE_H

#include "arcfit/figure.h"
#include "arcfit/report.h"
#include "figure/maker.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* What a maker of figures makes of a result. */
static inline ArcStatus figure_make(ArcMake make, const ArcResult *result,
                                    const ArcExperiment *experiment, ArcFigures **figures,
                                    ArcError *err)
{
    const ArcFit *direct = arc_result_fit(result, ARC_DIRECT);
    ArcMaker maker = {.arena = arc_arena_create(), .result = result, .experiment = experiment};
    *figures = NULL;
    if (maker.arena == NULL)
        return arc_error_no_memory(err);
    maker.fit = direct != NULL ? direct : result->fits[0];
    return arc_maker_finish(&maker, make(&maker, err), figures, err);
}

static inline const ArcFigure *figure_named(const ArcFigures *figures, const char *name)
{
    for (int i = 0; i < figures->n; i++)
        if (strcmp(figures->figures[i].name, name) == 0)
            return &figures->figures[i];
    fail_msg("no figure %s", name);
    return NULL;
}

static inline bool figure_has(const ArcFigures *figures, const char *name)
{
    for (int i = 0; i < figures->n; i++)
        if (strcmp(figures->figures[i].name, name) == 0)
            return true;
    return false;
}

/* The first series of that name that it has. */
static inline const ArcSeries *figure_series(const ArcFigure *figure, const char *name)
{
    for (int i = 0; i < figure->n_series; i++)
        if (figure->series[i].name != NULL && strcmp(figure->series[i].name, name) == 0)
            return &figure->series[i];
    fail_msg("no series %s in %s", name, figure->name);
    return NULL;
}

static inline void assert_close(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g", value, wanted);
}

static inline void figure_check_series(const ArcFigure *figure, const ArcSeries *series)
{
    bool has_y = series->mark != ARC_MARK_BAND;
    bool is_wide = series->mark == ARC_MARK_BAND || series->mark == ARC_MARK_INTERVALS;
    if (series->n < 1 || series->x == NULL || (has_y && series->y == NULL) ||
        (is_wide && (series->low == NULL || series->high == NULL)) ||
        (figure->is_space && series->z == NULL) ||
        (series->mark == ARC_MARK_CELLS && (series->cells == NULL || series->n_rows < 1)))
        fail_msg("%s: a series lacks something", figure->name);
    for (int i = 0; series->labels != NULL && i < series->n; i++)
        assert_non_null(series->labels[i]);
    for (int i = 0; i < series->n; i++)
        if (isinf(series->x[i]) || (has_y && series->mark != ARC_MARK_CELLS && isinf(series->y[i])))
            fail_msg("%s: infinite", figure->name);
}

/* Names are files' stems, each once; titles, captions that are sentences, whole series. */
static inline void figures_check(const ArcFigures *figures)
{
    for (int i = 0; i < figures->n; i++) {
        const ArcFigure *figure = &figures->figures[i];
        size_t length = strlen(figure->caption);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(figure->name, figures->figures[k].name);
        for (const char *at = figure->name; *at != '\0'; at++)
            assert_true(islower((unsigned char)*at) || isdigit((unsigned char)*at) || *at == '-');
        if (figure->title[0] == '\0' || length == 0 || figure->caption[length - 1] != '.')
            fail_msg("%s: '%s', '%s'", figure->name, figure->title, figure->caption);
        assert_true(figure->n_series > 0);
        for (int k = 0; k < figure->n_series; k++)
            figure_check_series(figure, &figure->series[k]);
    }
}

#endif
