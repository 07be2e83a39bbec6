/* Several results side by side: flights over each other, parameters that they share, how likely
 * and how large their residuals are, and their ranking where they are models of one capture. */
#include "arcfit/ranking.h"
#include "figure/flown.h"
#include "report/section.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

typedef struct Compared {
    int n;
    const ArcResult *const *results;
    const char **names; /* (n), told apart */
} Compared;

static const char *plain_name(const ArcResult *result)
{
    return result->name != NULL && result->name[0] != '\0' ? result->name : "result";
}

static const char *file_name(const ArcResult *result)
{
    const char *path = result->experiment_path, *name = path;
    for (; path != NULL && *path != '\0'; path++)
        if (*path == '/' || *path == '\\')
            name = path + 1;
    return name == NULL ? "" : name;
}

/* By name; equal ones by the experiment's file, and where that is the same, by their places. */
static const char *name_of(ArcMaker *maker, const Compared *all, int i)
{
    const ArcResult *result = all->results[i];
    bool is_twice = false, has_file = true;
    for (int k = 0; k < all->n; k++) {
        bool is_other = k != i && strcmp(plain_name(all->results[k]), plain_name(result)) == 0;
        is_twice = is_twice || is_other;
        if (is_other && strcmp(file_name(all->results[k]), file_name(result)) == 0)
            has_file = false;
    }
    return !is_twice ? plain_name(result)
           : has_file
               ? arc_arena_format(maker->arena, "%s (%s)", plain_name(result), file_name(result))
               : arc_arena_format(maker->arena, "%s (result %d)", plain_name(result), i + 1);
}

static bool has_path_in(const ArcResult *result, int dimensions)
{
    const ArcFit *fit = arc_section_fit(result);
    return arc_flown_has_path(fit) && result->capture->dimensions >= dimensions;
}

/* One view of the flights of all that have it: name, title, axes' labels. */
typedef struct View {
    const char *name, *title;
    bool is_space, is_from_above;
} View;

static const char *flown_words(ArcMaker *maker, const Compared *all, int dimensions)
{
    const char *text = "The flights of ";
    int n = 0;
    for (int i = 0; i < all->n && text != NULL; i++)
        if (has_path_in(all->results[i], dimensions))
            text =
                arc_arena_format(maker->arena, "%s%s%s", text, n++ == 0 ? "" : ", ", all->names[i]);
    return text == NULL ? NULL
                        : arc_arena_format(maker->arena,
                                           "%s as fitted, directly where that was done.", text);
}

static ArcStatus make_view(ArcMaker *maker, const Compared *all, const View *view, ArcError *err)
{
    int dimensions = view->is_space || view->is_from_above ? 3 : 2, n = 0;
    for (int i = 0; i < all->n; i++)
        n += has_path_in(all->results[i], dimensions);
    if (n < 1)
        return ARC_OK;
    ArcFigure *figure = arc_maker_figure(maker, ARC_FIGURES_COMPARISON, view->name, view->title);
    if (figure == NULL)
        return arc_error_no_memory(err);
    const ArcAxis level = {.label = "forward", .unit = "m"},
                  sideways = {.label = "sideways", .unit = "m"},
                  height = {.label = "height", .unit = "m"};
    figure->is_space = view->is_space;
    figure->is_equal = true;
    figure->x = level;
    figure->y = view->is_space || view->is_from_above ? sideways : height;
    if (view->is_space)
        figure->z = height;
    for (int i = 0; i < all->n; i++) {
        const ArcMakerAxes axes = arc_flown_axes(maker, all->results[i]);
        if (!has_path_in(all->results[i], dimensions))
            continue;
        const int of_view[3] = {axes.forward, dimensions == 3 ? axes.sideways : axes.up,
                                view->is_space ? axes.up : -1};
        arc_flown_add(maker, arc_section_fit(all->results[i]), of_view,
                      (ArcSeries){.role = ARC_ROLE_OTHER, .name = all->names[i]});
    }
    figure->caption = flown_words(maker, all, dimensions);
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

/* The free parameter of a fit that is told; NULL: none. Its unit must be that of the first. */
static const ArcEstimate *told(const ArcFit *fit, const char *name)
{
    for (int i = 0; fit != NULL && i < fit->n_parameters; i++) {
        const ArcEstimate *estimate = &fit->parameters[i];
        if (estimate->free_index >= 0 && strcmp(estimate->name, name) == 0)
            return isfinite(estimate->ci95[0]) && isfinite(estimate->ci95[1]) ? estimate : NULL;
    }
    return NULL;
}

static void add_intervals(ArcMaker *maker, const Compared *all, const ArcEstimate *of,
                          ArcMethod method)
{
    size_t room = (size_t)all->n;
    double *x = ARC_ALLOC(maker->arena, 4 * room, double);
    const char **labels = ARC_ALLOC(maker->arena, room, const char *);
    int n = 0;
    if (x == NULL || labels == NULL)
        return;
    for (int i = 0; i < all->n; i++) {
        const ArcEstimate *own = told(arc_result_fit(all->results[i], method), of->name);
        char number[ARC_TABLE_NUMBER];
        if (own == NULL || strcmp(own->unit, of->unit) != 0)
            continue;
        x[n] = own->value;
        x[room + (size_t)n] = i + (method == ARC_PINN ? 0.2 : 0.0);
        x[2 * room + (size_t)n] = own->ci95[0];
        x[3 * room + (size_t)n] = own->ci95[1];
        labels[n++] = arc_arena_format(maker->arena, "%s: %s", all->names[i],
                                       arc_table_value(number, own->value, own->sd, 1.0));
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_INTERVALS,
                                         .role = arc_maker_method_role(method),
                                         .name = arc_maker_method_name(method),
                                         .n = n,
                                         .x = x,
                                         .y = x + room,
                                         .low = x + 2 * room,
                                         .high = x + 3 * room,
                                         .is_level = true,
                                         .labels = labels});
}

/* How many results have the parameter, by any method, and the two that are furthest apart. */
static int count(const Compared *all, const ArcEstimate *of, double range[2])
{
    int n = 0;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int i = 0; i < all->n; i++) {
        const ArcEstimate *own = told(arc_section_fit(all->results[i]), of->name);
        if (own == NULL || strcmp(own->unit, of->unit) != 0)
            continue;
        n++;
        range[0] = fmin(range[0], own->value);
        range[1] = fmax(range[1], own->value);
    }
    return n;
}

static ArcStatus make_parameter(ArcMaker *maker, const Compared *all, const ArcEstimate *of,
                                int number, ArcError *err)
{
    char low[ARC_TABLE_NUMBER], high[ARC_TABLE_NUMBER];
    double range[2];
    int n = count(all, of, range);
    const char *name = arc_arena_format(maker->arena, "comparison-parameter-%d", number);
    const char *title = arc_arena_format(maker->arena, "%s of each result", of->name);
    ArcFigure *figure = name == NULL || title == NULL
                            ? NULL
                            : arc_maker_figure(maker, ARC_FIGURES_COMPARISON, name, title);
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->x = (ArcAxis){.label = of->name, .unit = of->unit};
    figure->y = (ArcAxis){.label = "result", .unit = "1", .n_names = all->n, .names = all->names};
    add_intervals(maker, all, of, ARC_DIRECT);
    add_intervals(maker, all, of, ARC_PINN);
    figure->caption = arc_arena_format(
        maker->arena, "%s with 95 %% intervals in %d results: from %s to %s%s%s.", of->name, n,
        arc_table_number(low, range[0], of->sd), arc_table_number(high, range[1], of->sd),
        strcmp(of->unit, "1") == 0 ? "" : " ", strcmp(of->unit, "1") == 0 ? "" : of->unit);
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

/* Whether an earlier result has it, which then made the figure. */
static bool is_made(const Compared *all, int before, const ArcEstimate *of)
{
    for (int i = 0; i < before; i++) {
        const ArcEstimate *own = told(arc_section_fit(all->results[i]), of->name);
        if (own != NULL && strcmp(own->unit, of->unit) == 0)
            return true;
    }
    return false;
}

static ArcStatus make_parameters(ArcMaker *maker, const Compared *all, ArcError *err)
{
    ArcStatus status = ARC_OK;
    int made = 0;
    for (int i = 0; i < all->n; i++) {
        const ArcFit *fit = arc_section_fit(all->results[i]);
        for (int k = 0; k < fit->n_parameters && status == ARC_OK; k++) {
            const ArcEstimate *of = told(fit, fit->parameters[k].name);
            double range[2];
            if (of != NULL && !is_made(all, i, of) && count(all, of, range) >= 2)
                status = make_parameter(maker, all, of, ++made, err);
        }
    }
    return status;
}

/* Bars of a number a result; NaN: it has none. */
typedef struct Bars {
    const char *name, *title, *label, *unit, *what;
    bool is_least_good; /* the caption names the least, else the largest */
} Bars;

static ArcStatus make_bars(ArcMaker *maker, const Compared *all, const Bars *bars,
                           const double *values, ArcError *err)
{
    char number[ARC_TABLE_NUMBER];
    double *x = ARC_ALLOC(maker->arena, 2 * (size_t)all->n, double);
    int n = 0, most = -1;
    if (x == NULL)
        return arc_error_no_memory(err);
    double *y = x + all->n;
    for (int i = 0; i < all->n; i++) {
        if (!isfinite(values[i]))
            continue;
        x[n] = i;
        y[n] = values[i];
        if (most < 0 || (bars->is_least_good ? y[n] < y[most] : y[n] > y[most]))
            most = n;
        n++;
    }
    if (n == 0)
        return ARC_OK;
    ArcFigure *figure = arc_maker_figure(maker, ARC_FIGURES_COMPARISON, bars->name, bars->title);
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->x = (ArcAxis){.label = "result", .unit = "1", .n_names = all->n, .names = all->names};
    figure->y = (ArcAxis){.label = bars->label, .unit = bars->unit};
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_BARS,
                                         .role = ARC_ROLE_DIRECT,
                                         .name = bars->label,
                                         .n = n,
                                         .x = x,
                                         .y = y});
    bool plain = strcmp(bars->unit, "1") == 0;
    figure->caption = arc_arena_format(maker->arena, "%s: %s is %s%s%s (%s)%s", bars->what,
                                       bars->is_least_good ? "the least" : "the largest",
                                       arc_table_plain(number, y[most], 3), plain ? "" : " ",
                                       plain ? "" : bars->unit, all->names[(int)x[most]],
                                       n < all->n ? "; not all results have one." : ".");
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

static ArcStatus make_residuals(ArcMaker *maker, const Compared *all, ArcError *err)
{
    static const Bars chance = {"comparison-chance",
                                "How likely the scatter is",
                                "p of chi2",
                                "1",
                                "The chance of a chi2 at least as large",
                                true};
    static const Bars metres = {"comparison-rms",
                                "Size of the residuals",
                                "rms",
                                "m",
                                "Root mean square of the residuals of positions",
                                false};
    static const Bars pixels = {"comparison-rms-px",
                                "Size of the residuals in pixels",
                                "rms",
                                "px",
                                "Root mean square of the residuals of what cameras saw",
                                false};
    size_t n = (size_t)all->n;
    double *values = ARC_ALLOC(maker->arena, 3 * n, double);
    if (values == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        const ArcResiduals *r = &arc_section_fit(all->results[i])->residuals;
        values[i] = r->chi2_p;
        values[n + i] = r->rms_m;
        values[2 * n + i] = r->rms_px;
    }
    ArcStatus status = make_bars(maker, all, &chance, values, err);
    if (status == ARC_OK)
        status = make_bars(maker, all, &metres, values + n, err);
    return status == ARC_OK ? make_bars(maker, all, &pixels, values + 2 * n, err) : status;
}

/* Above the best by AICc (or AIC), where the results can be ranked. */
static ArcStatus make_ranking(ArcMaker *maker, const Compared *all, ArcError *err)
{
    static const Bars bars = {"comparison-ranking",
                              "Ranking of the models",
                              "above the best",
                              "1",
                              "Criterion above that of the best model, of which 2 cannot be told "
                              "from it",
                              false};
    ArcRanking *ranking = NULL;
    ArcStatus status = arc_ranking_create(all->n, all->results, ARC_DIRECT, &ranking, err);
    if (status == ARC_OK && ranking->n < 2) {
        arc_ranking_free(ranking);
        ranking = NULL;
        status = arc_ranking_create(all->n, all->results, ARC_PINN, &ranking, err);
    }
    if (status != ARC_OK)
        return status;
    double *values = ARC_ALLOC(maker->arena, (size_t)all->n, double);
    if (values == NULL)
        status = arc_error_no_memory(err);
    for (int i = 0; values != NULL && i < all->n; i++)
        values[i] = NAN;
    for (int i = 0; values != NULL && i < ranking->n; i++)
        values[ranking->models[i].index] = ranking->models[i].delta;
    if (status == ARC_OK && ranking->not_comparable != NULL)
        arc_maker_note(maker, "The results are not ranked: %s.", ranking->not_comparable);
    else if (status == ARC_OK && ranking->n >= 2)
        status = make_bars(maker, all, &bars, values, err);
    arc_ranking_free(ranking);
    return status;
}

static ArcStatus make_all(ArcMaker *maker, const Compared *all, ArcError *err)
{
    static const View views[] = {
        {"comparison-space", "Flights in space", true, false},
        {"comparison-side", "Flights from the side", false, false},
        {"comparison-top", "Flights from above", false, true},
    };
    ArcStatus status = ARC_OK;
    for (size_t i = 0; i < sizeof views / sizeof views[0] && status == ARC_OK; i++)
        status = make_view(maker, all, &views[i], err);
    if (status == ARC_OK)
        status = make_parameters(maker, all, err);
    if (status == ARC_OK)
        status = make_residuals(maker, all, err);
    return status == ARC_OK ? make_ranking(maker, all, err) : status;
}

ArcStatus arc_figures_of_results(int n, const ArcResult *const *results, ArcFigures **figures,
                                 ArcError *err)
{
    ArcMaker maker = {.arena = arc_arena_create(), .result = results[0]};
    Compared all = {.n = n, .results = results};
    ArcStatus status = ARC_OK;
    *figures = NULL;
    if (maker.arena == NULL)
        return arc_error_no_memory(err);
    all.names = ARC_ALLOC(maker.arena, (size_t)n, const char *);
    if (all.names == NULL)
        status = arc_error_no_memory(err);
    for (int i = 0; i < n && status == ARC_OK; i++) {
        all.names[i] = name_of(&maker, &all, i);
        if (all.names[i] == NULL)
            status = arc_error_no_memory(err);
    }
    if (status == ARC_OK)
        status = make_all(&maker, &all, err);
    return arc_maker_finish(&maker, status, figures, err);
}
