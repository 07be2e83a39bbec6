/* Free parameters: their intervals on one axis, and the correlation matrix.
 *
 * Units differ, so that intervals are drawn as (value - estimate) / sd, estimate and sd those of
 * the fit that counts. What lies far out (a prior that says little, a start) is cut or left out.
 *   correlation_ij = C_ij / sqrt(C_ii C_jj), C the covariance.
 */
#include "figure/maker.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

static const double far_sd = 10.0;  /* beyond it a prior is cut, and a start left out */
static const double between = 0.16; /* rows of one parameter */
static const double normal_95 = 1.959963984540054;

/* The free parameters that have an sd, by their order. */
typedef struct Told {
    int n, n_untold;
    const ArcEstimate **estimates;
} Told;

static ArcStatus find_told(ArcMaker *maker, const ArcFit *fit, Told *told, ArcError *err)
{
    *told = (Told){.estimates =
                       ARC_ALLOC(maker->arena, (size_t)fit->n_parameters, const ArcEstimate *)};
    if (told->estimates == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < fit->n_parameters; i++) {
        const ArcEstimate *estimate = &fit->parameters[i];
        if (estimate->free_index < 0)
            continue;
        if (estimate->sd > 0.0 && isfinite(estimate->sd) && isfinite(estimate->value))
            told->estimates[told->n++] = estimate;
        else
            told->n_untold++;
    }
    return ARC_OK;
}

static const ArcEstimate *find(const ArcFit *fit, const char *name)
{
    for (int i = 0; i < fit->n_parameters; i++)
        if (strcmp(fit->parameters[i].name, name) == 0)
            return &fit->parameters[i];
    return NULL;
}

static double in_sd(const ArcEstimate *of, double value)
{
    return (value - of->value) / of->sd;
}

/* "cd = 0.52 ± 0.01". */
static const char *label_of(ArcMaker *maker, const ArcEstimate *estimate)
{
    char number[ARC_TABLE_NUMBER];
    bool plain = strcmp(estimate->unit, "1") == 0;
    arc_table_value(number, estimate->value, estimate->sd, 1.0);
    return arc_arena_format(maker->arena, "%s = %s%s%s", estimate->name, number, plain ? "" : " ",
                            plain ? "" : estimate->unit);
}

/* Columns of one series of intervals: x, y, low, high, and labels, room for all that are told. */
typedef struct Columns {
    int n, room;
    double *x, *y, *low, *high;
    const char **labels;
} Columns;

static bool columns_create(ArcMaker *maker, int room, Columns *columns)
{
    size_t n = (size_t)room;
    double *all = ARC_ALLOC(maker->arena, 4 * n, double);
    *columns = (Columns){.room = room, .labels = ARC_ALLOC(maker->arena, n, const char *)};
    if (all == NULL || columns->labels == NULL)
        return false;
    columns->x = all;
    columns->y = all + n;
    columns->low = all + 2 * n;
    columns->high = all + 3 * n;
    return true;
}

static void columns_add(Columns *columns, const double x[3], double y, const char *label)
{
    columns->x[columns->n] = x[0];
    columns->low[columns->n] = x[1];
    columns->high[columns->n] = x[2];
    columns->y[columns->n] = y;
    columns->labels[columns->n++] = label;
}

static void add_intervals(ArcMaker *maker, const Columns *columns, ArcRole role, const char *name)
{
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_INTERVALS,
                                         .role = role,
                                         .name = name,
                                         .n = columns->n,
                                         .x = columns->x,
                                         .y = columns->y,
                                         .low = columns->low,
                                         .high = columns->high,
                                         .is_level = true,
                                         .labels = columns->labels});
}

static void add_method(ArcMaker *maker, const Told *told, const ArcFit *fit)
{
    Columns columns;
    double shift = fit->method == ARC_PINN ? between : 0.0;
    if (!columns_create(maker, told->n, &columns))
        return;
    for (int i = 0; i < told->n; i++) {
        const ArcEstimate *of = told->estimates[i], *own = find(fit, of->name);
        if (own == NULL || !isfinite(own->ci95[0]) || !isfinite(own->ci95[1]))
            continue;
        const double x[3] = {in_sd(of, own->value), in_sd(of, own->ci95[0]),
                             in_sd(of, own->ci95[1])};
        columns_add(&columns, x, i + shift, label_of(maker, own));
    }
    add_intervals(maker, &columns, arc_maker_method_role(fit->method),
                  arc_maker_method_name(fit->method));
}

static const ArcParameter *setting_of(const ArcMaker *maker, const char *name)
{
    const ArcExperiment *experiment = maker->experiment;
    for (int i = 0; experiment != NULL && i < experiment->n_parameters; i++)
        if (strcmp(experiment->parameters[i].name, name) == 0)
            return &experiment->parameters[i];
    return NULL;
}

/* Priors' 95 % intervals, cut where they are far out; returns how many were cut or left out. */
static int add_priors(ArcMaker *maker, const Told *told)
{
    Columns columns;
    int n_cut = 0;
    if (!columns_create(maker, told->n, &columns))
        return 0;
    for (int i = 0; i < told->n; i++) {
        const ArcEstimate *of = told->estimates[i];
        const ArcParameter *setting = setting_of(maker, of->name);
        if (setting == NULL || !setting->has_prior)
            continue;
        double half = normal_95 * setting->prior_sd, at = in_sd(of, setting->prior_mean);
        double low = in_sd(of, setting->prior_mean - half);
        double high = in_sd(of, setting->prior_mean + half);
        n_cut += low < -far_sd || high > far_sd;
        if (!(fabs(at) <= far_sd))
            continue;
        const double x[3] = {at, fmax(low, -far_sd), fmin(high, far_sd)};
        columns_add(&columns, x, i - between, NULL);
    }
    columns.labels = NULL;
    add_intervals(maker, &columns, ARC_ROLE_EXPECTED, "prior");
    return n_cut;
}

static void add_starts(ArcMaker *maker, const Told *told)
{
    Columns columns;
    if (!columns_create(maker, told->n, &columns))
        return;
    for (int i = 0; i < told->n; i++) {
        double at = in_sd(told->estimates[i], told->estimates[i]->start);
        const double x[3] = {at, at, at};
        if (fabs(at) <= far_sd)
            columns_add(&columns, x, i, NULL);
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = "start",
                                         .n = columns.n,
                                         .x = columns.x,
                                         .y = columns.y});
}

static const char *const *names_of(ArcMaker *maker, const Told *told)
{
    const char **names = ARC_ALLOC(maker->arena, (size_t)told->n, const char *);
    for (int i = 0; names != NULL && i < told->n; i++)
        names[i] = told->estimates[i]->name;
    return names;
}

/* The estimates, the first few by name; " 2 more are not told by the data." */
static const char *interval_caption(ArcMaker *maker, const Told *told, int n_cut)
{
    enum { MOST = 4 };
    const ArcEstimate *const *e = told->estimates;
    const char *text = arc_arena_format(
        maker->arena, "95 %% intervals of %s, in sd of the %s fit from its estimate:",
        maker->result->n_fits == 2 ? "both fits" : "the fit",
        arc_maker_method_name(maker->fit->method));
    for (int i = 0; i < told->n && i < MOST && text != NULL; i++) {
        const char *label = label_of(maker, e[i]);
        text = label == NULL
                   ? NULL
                   : arc_arena_format(maker->arena, "%s%s %s", text, i > 0 ? "," : "", label);
    }
    if (text != NULL && told->n > MOST)
        text = arc_arena_format(maker->arena, "%s and %d more", text, told->n - MOST);
    if (text != NULL)
        text = arc_arena_format(maker->arena, "%s.", text);
    if (text != NULL && n_cut > 0)
        text = arc_arena_format(maker->arena, "%s Priors are cut at %g sd.", text, far_sd);
    if (text != NULL && told->n_untold > 0)
        text = arc_arena_format(maker->arena, "%s The data do not tell %d more.", text,
                                told->n_untold);
    return text;
}

static ArcStatus make_intervals(ArcMaker *maker, const Told *told, ArcError *err)
{
    ArcFigure *figure = arc_maker_figure(maker, ARC_FIGURES_PARAMETERS, "parameters", "Parameters");
    const char *const *names = names_of(maker, told);
    if (figure == NULL || names == NULL)
        return arc_error_no_memory(err);
    figure->x = (ArcAxis){.label = "from the estimate", .unit = "sd"};
    figure->y = (ArcAxis){.label = "parameter", .unit = "1", .n_names = told->n, .names = names};
    int n_cut = add_priors(maker, told);
    for (int k = 0; k < maker->result->n_fits; k++)
        add_method(maker, told, maker->result->fits[k]);
    add_starts(maker, told);
    figure->caption = interval_caption(maker, told, n_cut);
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

static double correlation(const ArcFit *fit, int i, int j)
{
    const double *C = fit->covariance;
    int n = fit->n_free;
    double value = C[i * n + j] / sqrt(C[i * n + i] * C[j * n + j]);
    return i == j ? 1.0 : fmax(-1.0, fmin(value, 1.0));
}

static ArcStatus make_correlation(ArcMaker *maker, const Told *told, ArcError *err)
{
    char number[ARC_TABLE_NUMBER];
    size_t n = (size_t)told->n;
    int most[2] = {1, 0};
    double *cells = ARC_ALLOC(maker->arena, n * n + n, double);
    const char *const *names = names_of(maker, told);
    ArcFigure *figure = arc_maker_figure(maker, ARC_FIGURES_PARAMETERS, "correlation",
                                         "Correlation of the parameters");
    if (cells == NULL || names == NULL || figure == NULL)
        return arc_error_no_memory(err);
    double *at = cells + n * n;
    for (int i = 0; i < told->n; i++) {
        at[i] = i;
        for (int j = 0; j < told->n; j++)
            cells[(size_t)i * n + (size_t)j] = correlation(
                maker->fit, told->estimates[i]->free_index, told->estimates[j]->free_index);
        for (int j = 0; j < i; j++)
            if (fabs(cells[(size_t)i * n + (size_t)j]) >
                fabs(cells[(size_t)most[0] * n + (size_t)most[1]])) {
                most[0] = i;
                most[1] = j;
            }
    }
    figure->is_equal = true;
    figure->x = (ArcAxis){.label = "parameter", .unit = "1", .n_names = told->n, .names = names};
    figure->y = figure->x;
    figure->z = (ArcAxis){.label = "correlation", .unit = "1"};
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_CELLS,
                                         .role = ARC_ROLE_OTHER,
                                         .n = told->n,
                                         .x = at,
                                         .y = at,
                                         .n_rows = told->n,
                                         .cells = cells});
    double largest = cells[(size_t)most[0] * n + (size_t)most[1]];
    figure->caption = arc_arena_format(
        maker->arena, "Correlations by the %s fit: %s and %s are most alike to the data (%s)%s",
        arc_maker_method_name(maker->fit->method), names[most[1]], names[most[0]],
        arc_table_plain(number, largest, 3),
        fabs(largest) > 0.95 ? "; one can hardly be known without the other." : ".");
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

ArcStatus arc_make_parameters(ArcMaker *maker, ArcError *err)
{
    Told told;
    ArcStatus status = find_told(maker, maker->fit, &told, err);
    if (status == ARC_OK && told.n > 0)
        status = make_intervals(maker, &told, err);
    if (status == ARC_OK && told.n > 1 && maker->fit->covariance != NULL)
        status = make_correlation(maker, &told, err);
    return status;
}
