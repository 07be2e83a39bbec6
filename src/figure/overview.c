/* Several flights of one result side by side: over each other from the side, the release speed and
 * angle of each, and how likely the scatter of each is. */
#include "figure/flown.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

static const ArcEstimate *find(const ArcFit *fit, const char *const names[2])
{
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < fit->n_parameters; i++)
            if (strcmp(fit->parameters[i].name, names[k]) == 0)
                return &fit->parameters[i];
        for (int i = 0; i < fit->n_derived; i++)
            if (strcmp(fit->derived[i].name, names[k]) == 0)
                return &fit->derived[i];
    }
    return NULL;
}

static const char *name_of_flight(ArcMaker *maker, const ArcFit *fit, int f)
{
    const char *name = fit->flights[f].flight;
    return name != NULL ? name : arc_arena_format(maker->arena, "flight %d", f + 1);
}

/* One number of each flight with its interval; a series a method. */
static void add_method(ArcMaker *maker, const ArcFit *fit, const char *const names[2])
{
    size_t room = (size_t)fit->n_flights;
    double *x = ARC_ALLOC(maker->arena, 4 * room, double);
    const char **labels = ARC_ALLOC(maker->arena, room, const char *);
    bool is_pinn = fit->method == ARC_PINN && maker->result->n_fits > 1;
    int n = 0;
    if (x == NULL || labels == NULL)
        return;
    for (int f = 0; f < fit->n_flights; f++) {
        const ArcEstimate *own = find(&fit->flights[f], names);
        if (own == NULL || !isfinite(own->value))
            continue;
        bool is_known = isfinite(own->ci95[0]) && isfinite(own->ci95[1]);
        x[n] = f + 1 + (is_pinn ? 0.2 : 0.0);
        x[room + (size_t)n] = own->value;
        x[2 * room + (size_t)n] = is_known ? own->ci95[0] : own->value;
        x[3 * room + (size_t)n] = is_known ? own->ci95[1] : own->value;
        labels[n++] = name_of_flight(maker, fit, f);
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_INTERVALS,
                                         .role = arc_maker_method_role(fit->method),
                                         .name = arc_maker_method_name(fit->method),
                                         .n = n,
                                         .x = x,
                                         .y = x + room,
                                         .low = x + 2 * room,
                                         .high = x + 3 * room,
                                         .labels = labels});
}

/* Mean, scatter and extremes of one number over the flights. */
static const char *number_caption(ArcMaker *maker, const char *const names[2], const char *what)
{
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER], c[ARC_TABLE_NUMBER], d[ARC_TABLE_NUMBER];
    double sum = 0.0, square = 0.0, low = INFINITY, high = -INFINITY;
    int n = 0;
    const char *unit = "";
    for (int f = 0; f < maker->fit->n_flights; f++) {
        const ArcEstimate *own = find(&maker->fit->flights[f], names);
        if (own == NULL || !isfinite(own->value))
            continue;
        n++;
        sum += own->value;
        low = fmin(low, own->value);
        high = fmax(high, own->value);
        unit = own->unit;
    }
    double mean = sum / n;
    for (int f = 0; f < maker->fit->n_flights; f++) {
        const ArcEstimate *own = find(&maker->fit->flights[f], names);
        if (own != NULL && isfinite(own->value))
            square += (own->value - mean) * (own->value - mean);
    }
    double scatter = n > 1 ? sqrt(square / (n - 1)) : 0.0;
    return arc_arena_format(maker->arena,
                            "%s of %d flights with 95 %% intervals: %s to %s %s, mean %s, from "
                            "flight to flight sd %s.",
                            what, n, arc_table_number(a, low, scatter),
                            arc_table_number(b, high, scatter), unit,
                            arc_table_number(c, mean, scatter), arc_table_plain(d, scatter, 3));
}

static ArcStatus make_number(ArcMaker *maker, const char *const names[2],
                             const char *const words[3], ArcError *err)
{
    const ArcEstimate *first = find(&maker->fit->flights[0], names);
    if (first == NULL)
        return ARC_OK;
    ArcFigure *figure = arc_maker_figure(maker, ARC_FIGURES_PARAMETERS, words[0], words[1]);
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->x = (ArcAxis){.label = "flight", .unit = "1"};
    figure->y = (ArcAxis){.label = words[2], .unit = first->unit};
    for (int k = 0; k < maker->result->n_fits; k++)
        add_method(maker, maker->result->fits[k], names);
    figure->caption = number_caption(maker, names, words[1]);
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

static void add_side(ArcMaker *maker, const int axes[3])
{
    for (int k = 0; k < maker->result->n_fits; k++) {
        const ArcFit *fit = maker->result->fits[k];
        arc_flown_add(maker, fit, axes,
                      (ArcSeries){.role = arc_maker_method_role(fit->method),
                                  .name = arc_maker_method_name(fit->method)});
    }
}

static ArcStatus make_side(ArcMaker *maker, ArcError *err)
{
    const ArcMakerAxes axes = arc_flown_axes(maker, maker->result);
    ArcFigure *figure =
        arc_maker_figure(maker, ARC_FIGURES_FLIGHT, "flights-side", "All flights from the side");
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->is_equal = true;
    figure->x = (ArcAxis){.label = "forward", .unit = "m"};
    figure->y = (ArcAxis){.label = "height", .unit = "m"};
    figure->caption =
        arc_arena_format(maker->arena, "%d flights, fitted together.", maker->fit->n_flights);
    add_side(maker, (const int[3]){axes.forward, axes.up, -1});
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

/* The share of flights whose p is below 5 % is 5 % by chance. */
static ArcStatus make_chances(ArcMaker *maker, ArcError *err)
{
    char number[ARC_TABLE_NUMBER];
    const ArcFit *fit = maker->fit;
    size_t room = (size_t)fit->n_flights;
    double *x = ARC_ALLOC(maker->arena, 2 * room + 4, double);
    const char **labels = ARC_ALLOC(maker->arena, room, const char *);
    int n = 0, low = 0, worst = -1;
    if (x == NULL || labels == NULL)
        return arc_error_no_memory(err);
    for (int f = 0; f < fit->n_flights; f++) {
        double p = fit->flights[f].residuals.chi2_p;
        if (!isfinite(p))
            continue;
        x[n] = f + 1;
        x[room + (size_t)n] = p;
        labels[n] = name_of_flight(maker, fit, f);
        worst = worst < 0 || p < x[room + (size_t)worst] ? n : worst;
        low += p < 0.05;
        n++;
    }
    if (n == 0)
        return ARC_OK;
    ArcFigure *figure = arc_maker_figure(maker, ARC_FIGURES_RESIDUALS, "flights-chance",
                                         "How likely the scatter of each flight is");
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->x = (ArcAxis){.label = "flight", .unit = "1"};
    figure->y = (ArcAxis){.label = "p of chi2", .unit = "1"};
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_BARS,
                                         .role = arc_maker_method_role(fit->method),
                                         .name = "p of chi2",
                                         .n = n,
                                         .x = x,
                                         .y = x + room,
                                         .labels = labels});
    double *line = x + 2 * room;
    line[0] = 0.5;
    line[1] = fit->n_flights + 0.5;
    line[2] = line[3] = 0.05;
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = "5 %",
                                         .n = 2,
                                         .x = line,
                                         .y = line + 2});
    figure->caption = arc_arena_format(
        maker->arena,
        "The chance of a chi2 at least as large, by the %s fit; the least likely is %s (p %s). %d "
        "of %d are below 5 %%, where chance alone puts %.3g.",
        arc_maker_method_name(fit->method), labels[worst],
        arc_table_plain(number, x[room + (size_t)worst], 2), low, n, 0.05 * n);
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

ArcStatus arc_make_overview(ArcMaker *maker, ArcError *err)
{
    static const char *const speed[2] = {"speed", "release_speed"};
    static const char *const angle[2] = {"angle", "release_angle"};
    ArcStatus status = ARC_OK;
    if (maker->fit->n_flights == 0)
        return ARC_OK;
    if (arc_flown_has_path(maker->fit)) {
        status = make_side(maker, err);
        if (status == ARC_OK)
            status =
                make_number(maker, speed,
                            (const char *const[3]){"flights-speed", "Release speed", "speed"}, err);
        if (status == ARC_OK)
            status =
                make_number(maker, angle,
                            (const char *const[3]){"flights-angle", "Release angle", "angle"}, err);
    }
    return status == ARC_OK ? make_chances(maker, err) : status;
}
