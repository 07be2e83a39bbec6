/* What a closure learned (closure.h): of one input the curve with its band of 95 %, of two the
 * field as cells where flights came near, and how many sds it lies from zero; of more each output
 * along the flights against each input.
 */
#include "figure/maker.h"

#include <math.h>
#include <stdio.h>

enum { MOST_NAME = 40 };
static const double within_95 = 1.959963984540054;
static const double sure_sd[] = {2.0, 4.0};

/* One output of what was learned. */
typedef struct Learned {
    ArcMaker *maker;
    const ArcClosureFit *closure;
    int output;
} Learned;

static double value_of(const Learned *learned, int row)
{
    const ArcClosureTable *table = &learned->closure->table;
    return table->value[row * table->n_outputs + learned->output];
}

static double sd_of(const Learned *learned, int row)
{
    const ArcClosureTable *table = &learned->closure->table;
    return table->sd[row * table->n_outputs + learned->output];
}

static ArcAxis input_axis(const Learned *learned, int input)
{
    const ArcClosureTable *table = &learned->closure->table;
    return (ArcAxis){.label = table->input_names[input], .unit = table->input_units[input]};
}

static ArcAxis output_axis(const Learned *learned)
{
    const ArcClosureTable *table = &learned->closure->table;
    return (ArcAxis){.label = table->output_names[learned->output],
                     .unit = table->output_units[learned->output]};
}

/* Its extremes, where it is sure, and what the data say of having a closure at all. */
static const char *caption_of(const Learned *learned)
{
    const ArcClosureFit *closure = learned->closure;
    const ArcClosureTable *table = &closure->table;
    ArcMaker *maker = learned->maker;
    double low = INFINITY, high = -INFINITY;
    int n[2] = {0, 0};
    for (int i = 0; i < table->n_rows; i++) {
        double value = value_of(learned, i), sure = fabs(value) / sd_of(learned, i);
        low = fmin(low, value);
        high = fmax(high, value);
        for (int k = 0; k < 2; k++)
            n[k] += sure > sure_sd[k] ? 1 : 0;
    }
    if (!(low < 0.0) && !(high > 0.0))
        return arc_maker_words(maker, "The data want none of it: it is zero at all %d places.",
                               table->n_rows);
    return arc_maker_words(
        maker,
        "Learned by %d features: from %.3g to %.3g%s, further from zero than 2 sd at %d of %d "
        "places and than 4 sd at %d. The log of the Bayes factor for having it is %.3g; chi2 goes "
        "from %.4g to %.4g.",
        closure->n_units, low, high, arc_maker_unit(maker, output_axis(learned).unit), n[0],
        table->n_rows, n[1], closure->log_bayes, closure->chi2_without, closure->chi2_with);
}

/* "closure-1", of a later kind "closure-sure-1". NULL on exhaustion. */
static ArcFigure *begin(const Learned *learned, const char *stem, int number, const char *title)
{
    char name[MOST_NAME];
    snprintf(name, sizeof name, "%.30s-%d", stem, number);
    ArcFigure *figure = arc_maker_figure(
        learned->maker, ARC_FIGURES_CLOSURE, name,
        arc_maker_words(learned->maker, "%s: %s", output_axis(learned).label, title));
    if (figure != NULL)
        figure->caption = caption_of(learned);
    return figure;
}

static void draw_curve(const Learned *learned)
{
    const ArcClosureTable *table = &learned->closure->table;
    ArcMaker *maker = learned->maker;
    int n = table->n_rows;
    double *low = ARC_ALLOC(maker->arena, 2 * (size_t)n + 4, double);
    ArcFigure *figure = begin(learned, "closure", learned->output + 1, "what the closure learned");
    if (figure == NULL || low == NULL)
        return;
    double *high = low + n, *zero = low + 2 * n;
    figure->x = input_axis(learned, 0);
    figure->y = output_axis(learned);
    for (int i = 0; i < n; i++) {
        double half = within_95 * sd_of(learned, i);
        low[i] = value_of(learned, i) - half;
        high[i] = value_of(learned, i) + half;
    }
    zero[0] = table->input[0];
    zero[1] = table->input[n - 1];
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_BAND,
                                         .role = ARC_ROLE_DIRECT,
                                         .name = "95 %",
                                         .n = n,
                                         .x = table->input,
                                         .low = low,
                                         .high = high});
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = "none",
                                         .n = 2,
                                         .x = zero,
                                         .y = zero + 2});
    arc_maker_series(maker,
                     &(ArcSeries){.mark = ARC_MARK_LINE,
                                  .role = ARC_ROLE_DIRECT,
                                  .name = "learned",
                                  .n = n,
                                  .x = table->input,
                                  .y = arc_maker_column(maker, table->value + learned->output, n,
                                                        table->n_outputs)});
}

/* A grid of cells: the first input along x, the second along y; NaN where no flight came near. */
typedef struct Grid {
    int n_x, n_y;
    double *x, *y, *value, *sure;
} Grid;

/* Nodes that no flight came near lie where the others of their column or row do, evenly. */
static void fill_axis(double *at, int n)
{
    int first = 0, last = n - 1;
    while (first < n && isnan(at[first]))
        first++;
    while (last > first && isnan(at[last]))
        last--;
    if (first >= n)
        return;
    double step = last > first ? (at[last] - at[first]) / (last - first) : 1.0;
    for (int i = 0; i < n; i++)
        at[i] = isnan(at[i]) ? at[first] + step * (i - first) : at[i];
}

static bool make_grid(const Learned *learned, Grid *grid)
{
    const ArcClosureTable *table = &learned->closure->table;
    grid->n_x = table->grid[0];
    grid->n_y = table->grid[1];
    size_t cells = (size_t)grid->n_x * (size_t)grid->n_y;
    size_t room = 2 * cells + (size_t)grid->n_x + (size_t)grid->n_y;
    grid->value = ARC_ALLOC(learned->maker->arena, room, double);
    if (grid->value == NULL)
        return false;
    grid->sure = grid->value + cells;
    grid->x = grid->sure + cells;
    grid->y = grid->x + grid->n_x;
    for (size_t i = 0; i < room; i++)
        grid->value[i] = NAN;
    for (int i = 0; i < table->n_rows; i++) {
        int column = table->node[i] / grid->n_y, row = table->node[i] % grid->n_y;
        if (column < 0 || column >= grid->n_x || row < 0)
            continue;
        grid->x[column] = table->input[2 * i];
        grid->y[row] = table->input[2 * i + 1];
        grid->value[row * grid->n_x + column] = value_of(learned, i);
        grid->sure[row * grid->n_x + column] = fabs(value_of(learned, i)) / sd_of(learned, i);
    }
    fill_axis(grid->x, grid->n_x);
    fill_axis(grid->y, grid->n_y);
    return true;
}

/* Where the field is surer than so many sds: sides of cells with a surer one on one side only. */
static void add_outline(const Learned *learned, const Grid *grid, int which)
{
    static const char *const names[] = {"2 sd from zero", "4 sd from zero"};
    static const ArcRole roles[] = {ARC_ROLE_POINTS, ARC_ROLE_DIRECT}; /* told apart by colour */
    ArcMaker *maker = learned->maker;
    int n_x = grid->n_x, n_y = grid->n_y, n = 0;
    size_t room = 3 * ((size_t)(n_x + 1) * (size_t)n_y + (size_t)n_x * (size_t)(n_y + 1));
    double *x = ARC_ALLOC(maker->arena, 2 * room, double);
    if (x == NULL || n_x < 2 || n_y < 2)
        return;
    double *y = x + room;
    double dx = 0.5 * (grid->x[1] - grid->x[0]), dy = 0.5 * (grid->y[1] - grid->y[0]);
#define SURE(row, column)                                                                          \
    ((row) >= 0 && (row) < n_y && (column) >= 0 && (column) < n_x &&                               \
     grid->sure[(row)*n_x + (column)] > sure_sd[which])
    for (int row = 0; row <= n_y; row++)
        for (int column = 0; column <= n_x; column++) {
            double left = column < n_x ? grid->x[column] - dx : grid->x[n_x - 1] + dx;
            double below = row < n_y ? grid->y[row] - dy : grid->y[n_y - 1] + dy;
            if (row < n_y && SURE(row, column) != SURE(row, column - 1)) {
                x[n] = x[n + 1] = left, x[n + 2] = NAN;
                y[n] = below, y[n + 1] = below + 2.0 * dy, y[n + 2] = NAN;
                n += 3;
            }
            if (column < n_x && SURE(row, column) != SURE(row - 1, column)) {
                x[n] = left, x[n + 1] = left + 2.0 * dx, x[n + 2] = NAN;
                y[n] = y[n + 1] = below, y[n + 2] = NAN;
                n += 3;
            }
        }
#undef SURE
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = roles[which],
                                         .name = names[which],
                                         .n = n,
                                         .x = x,
                                         .y = y});
}

/* A flight's way along two axes, from at on; where the next begins. */
static int put_flight(const ArcFit *flight, const ArcClosureSettings *settings, double *x,
                      double *y, int at)
{
    for (int i = 0; i < flight->n_trajectory; i++, at++) {
        x[at] = flight->position_m[i * flight->dimensions + settings->inputs[0].axis];
        y[at] = flight->position_m[i * flight->dimensions + settings->inputs[1].axis];
    }
    x[at] = y[at] = NAN;
    return at + 1;
}

/* The flights over a field whose inputs are axes of theirs: one line, parted. */
static void add_flights(const Learned *learned)
{
    const ArcClosureSettings *settings = &learned->closure->settings;
    const ArcFit *fit = learned->maker->fit, *flights = fit->n_flights > 0 ? fit->flights : fit;
    int n = fit->n_flights > 0 ? fit->n_flights : 1, n_points = 0, at = 0;
    if (settings->inputs[0].kind != ARC_CLOSURE_POSITION ||
        settings->inputs[1].kind != ARC_CLOSURE_POSITION)
        return;
    for (int f = 0; f < n; f++)
        n_points += flights[f].n_trajectory + 1;
    double *x = ARC_ALLOC(learned->maker->arena, 2 * (size_t)n_points, double);
    for (int f = 0; f < n && x != NULL; f++)
        at = put_flight(&flights[f], settings, x, x + n_points, at);
    arc_maker_series(learned->maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                                  .role = ARC_ROLE_EXPECTED,
                                                  .name = n > 1 ? "flights" : "flight",
                                                  .n = at,
                                                  .x = x,
                                                  .y = x + n_points});
}

static void draw_field(const Learned *learned)
{
    ArcMaker *maker = learned->maker;
    Grid grid;
    ArcFigure *figure = begin(learned, "closure", learned->output + 1, "what the closure learned");
    if (figure == NULL || !make_grid(learned, &grid))
        return;
    figure->x = input_axis(learned, 0);
    figure->y = input_axis(learned, 1);
    figure->z = output_axis(learned);
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_CELLS,
                                         .role = ARC_ROLE_OTHER,
                                         .n = grid.n_x,
                                         .n_rows = grid.n_y,
                                         .x = grid.x,
                                         .y = grid.y,
                                         .cells = grid.value});
    add_flights(learned);
    add_outline(learned, &grid, 0);
    add_outline(learned, &grid, 1);
}

/* Of more than two inputs: along the flights, against each. */
static void draw_along(const Learned *learned)
{
    const ArcClosureTable *table = &learned->closure->table;
    ArcMaker *maker = learned->maker;
    int n = table->n_rows, I = table->n_inputs;
    for (int k = 0; k < I; k++) {
        double *low = ARC_ALLOC(maker->arena, 3 * (size_t)n, double);
        ArcFigure *figure = begin(learned, "closure", learned->output * I + k + 1,
                                  "what the closure learned, along the flights");
        if (figure == NULL || low == NULL)
            return;
        figure->x = input_axis(learned, k);
        figure->y = output_axis(learned);
        for (int i = 0; i < n; i++) {
            double half = within_95 * sd_of(learned, i);
            low[i] = value_of(learned, i) - half;
            low[n + i] = value_of(learned, i) + half;
            low[2 * n + i] = value_of(learned, i);
        }
        arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_INTERVALS,
                                             .role = ARC_ROLE_DIRECT,
                                             .name = "learned, 95 %",
                                             .n = n,
                                             .x = arc_maker_column(maker, table->input + k, n, I),
                                             .y = low + 2 * n,
                                             .low = low,
                                             .high = low + n});
    }
}

ArcStatus arc_make_closure(ArcMaker *maker, ArcError *err)
{
    const ArcClosureFit *closure = maker->fit->closure;
    (void)err;
    if (closure == NULL || closure->table.n_rows == 0)
        return ARC_OK;
    for (int output = 0; output < closure->table.n_outputs; output++) {
        const Learned learned = {maker, closure, output};
        if (closure->table.n_inputs == 1)
            draw_curve(&learned);
        else if (closure->table.n_inputs == 2 && closure->table.node != NULL)
            draw_field(&learned);
        else
            draw_along(&learned);
    }
    if (closure->is_lost)
        arc_maker_note(maker, "The search for the closure did not end; what is drawn of it is not "
                              "to be trusted.");
    return ARC_OK;
}
