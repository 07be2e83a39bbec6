/* PINN minus direct along the flight, an axis each.
 *
 * Point by point of the two trajectories, as the comparison of a result has it. With sd the direct
 * fit's and sd_p the PINN's at that time, the bands are +- f sd, +- f_p sd_p, and what methods that
 * agree stay within is that of estimates (result.h):
 *   ARC_AGREE_SD sd + ARC_AGREE_SCATTER sqrt(sd_p^2 - sd^2).
 */
#include "figure/path.h"
#include "report/table.h"

#include <math.h>

static const double least_told = 0.001; /* mm, sd */

/* Rows of both paths that belong to each other: those of the trajectories, without bounces. */
typedef struct Pair {
    const ArcPath *pinn, *direct;
    int n;
    const int *rows[2]; /* (n) of each */
} Pair;

static const int *trajectory_rows(ArcMaker *maker, const ArcPath *path, int *n)
{
    int *rows = ARC_ALLOC(maker->arena, (size_t)path->n, int);
    *n = 0;
    for (int i = 0; rows != NULL && i < path->n; i++)
        if (path->is_bounce == NULL || !path->is_bounce[i])
            rows[(*n)++] = i;
    return rows;
}

static double sd_of(const ArcPath *path, int row, int axis)
{
    return path->sd_m == NULL ? (double)NAN : path->sd_m[row * path->d + axis];
}

/* +- half of the widths at the times x. */
static void add_band(ArcMaker *maker, const Pair *pair, const ArcPath *path, const double *t,
                     int axis)
{
    const int *rows = path == pair->pinn ? pair->rows[0] : pair->rows[1];
    size_t room = (size_t)pair->n;
    double *columns = path->sd_m == NULL ? NULL : ARC_ALLOC(maker->arena, 3 * room, double);
    int n = 0;
    if (columns == NULL)
        return;
    for (int i = 0; i < pair->n; i++) {
        double half = path->fit->interval_factor * sd_of(path, rows[i], axis);
        if (!isfinite(half))
            continue;
        columns[n] = t[i];
        columns[room + (size_t)n] = -half;
        columns[2 * room + (size_t)n++] = half;
    }
    bool is_pinn = path == pair->pinn;
    arc_maker_series(maker,
                     &(ArcSeries){.mark = ARC_MARK_BAND,
                                  .role = arc_maker_method_role(path->fit->method),
                                  .name = is_pinn ? "95 % of the PINN" : "95 % of the direct fit",
                                  .n = n,
                                  .x = columns,
                                  .low = columns + room,
                                  .high = columns + 2 * room});
}

/* Both bounds of the agreement as one line, parted by NaN. */
static void add_agreement(ArcMaker *maker, const Pair *pair, const double *t, int axis)
{
    int n = pair->n;
    size_t room = 2 * (size_t)n + 1;
    double *x = ARC_ALLOC(maker->arena, 2 * room, double);
    if (x == NULL || pair->direct->sd_m == NULL)
        return;
    double *y = x + room;
    for (int i = 0; i < n; i++) {
        double sd = sd_of(pair->direct, pair->rows[1][i], axis);
        double wider = sd_of(pair->pinn, pair->rows[0][i], axis);
        double scatter = isnan(wider) ? 0.0 : sqrt(fmax(wider * wider - sd * sd, 0.0));
        x[i] = x[n + 1 + i] = t[i];
        y[i] = ARC_AGREE_SD * sd + ARC_AGREE_SCATTER * scatter;
        y[n + 1 + i] = -y[i];
    }
    x[n] = y[n] = NAN;
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = "methods that agree",
                                         .n = (int)room,
                                         .x = x,
                                         .y = y});
}

/* The largest difference, and the largest of its sd; NaN where none is known. */
typedef struct Largest {
    double m, sd;
} Largest;

static Largest add_difference(ArcMaker *maker, const Pair *pair, const double *t, int axis)
{
    Largest largest = {NAN, NAN};
    int d = pair->direct->d;
    double *y = ARC_ALLOC(maker->arena, (size_t)pair->n, double);
    for (int i = 0; y != NULL && i < pair->n; i++) {
        double sd = sd_of(pair->direct, pair->rows[1][i], axis);
        y[i] = pair->pinn->position_m[pair->rows[0][i] * d + axis] -
               pair->direct->position_m[pair->rows[1][i] * d + axis];
        largest.m = fmax(largest.m, fabs(y[i]));
        if (sd > 0.0)
            largest.sd = fmax(largest.sd, fabs(y[i]) / sd);
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_PINN,
                                         .name = "PINN minus direct",
                                         .n = y == NULL ? 0 : pair->n,
                                         .x = t,
                                         .y = y});
    return largest;
}

/* "at most 0.12 mm"; "less than 0.001 mm": below what matters digits tell of rounding alone. */
static const char *at_most(ArcMaker *maker, double number, const char *unit)
{
    char digits[ARC_TABLE_NUMBER];
    if (number < least_told)
        return arc_arena_format(maker->arena, "less than %g %s", least_told, unit);
    return arc_arena_format(maker->arena, "at most %s %s", arc_table_plain(digits, number, 2),
                            unit);
}

static const char *caption_of(ArcMaker *maker, Largest largest)
{
    if (isnan(largest.m))
        return "One of the two flights is not known.";
    const char *apart = at_most(maker, 1e3 * largest.m, "mm");
    const char *in_sd = isnan(largest.sd) ? NULL : at_most(maker, largest.sd, "sd");
    if (apart == NULL)
        return NULL;
    return in_sd == NULL ? arc_arena_format(maker->arena, "The methods are %s apart.", apart)
                         : arc_arena_format(maker->arena,
                                            "The methods are %s apart, %s of the direct fit; the "
                                            "bands are their 95 %% intervals.",
                                            apart, in_sd);
}

static ArcStatus make_axis(ArcMaker *maker, const Pair *pair, int axis, ArcError *err)
{
    static const char *const names[] = {"difference-x", "difference-y", "difference-z"};
    ArcArena *arena = maker->arena;
    const char *label = arc_maker_axis_label(maker, axis);
    const char *title =
        arc_arena_format(arena, "PINN minus direct fit in %c (%s)", "xyz"[axis], label);
    ArcFigure *figure =
        title == NULL ? NULL : arc_maker_figure(maker, ARC_FIGURES_METHODS, names[axis], title);
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->x = (ArcAxis){.label = "time", .unit = "s"};
    figure->y = (ArcAxis){.label = "PINN minus direct", .unit = "m"};
    const double *t = pair->direct->fit->time_s;
    add_band(maker, pair, pair->pinn, t, axis);
    add_band(maker, pair, pair->direct, t, axis);
    add_agreement(maker, pair, t, axis);
    figure->caption = caption_of(maker, add_difference(maker, pair, t, axis));
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

ArcStatus arc_make_difference(ArcMaker *maker, ArcError *err)
{
    const ArcFit *pinn = arc_result_fit(maker->result, ARC_PINN);
    const ArcFit *direct = arc_result_fit(maker->result, ARC_DIRECT);
    Pair pair = {0};
    int n[2];
    if (pinn == NULL || direct == NULL || direct->states != NULL || pinn->n_trajectory == 0 ||
        direct->n_trajectory == 0)
        return ARC_OK;
    ArcStatus status = arc_maker_path(maker, pinn, &pair.pinn, err);
    if (status == ARC_OK)
        status = arc_maker_path(maker, direct, &pair.direct, err);
    if (status != ARC_OK)
        return status;
    pair.rows[0] = trajectory_rows(maker, pair.pinn, &n[0]);
    pair.rows[1] = trajectory_rows(maker, pair.direct, &n[1]);
    if (pair.rows[0] == NULL || pair.rows[1] == NULL)
        return arc_error_no_memory(err);
    pair.n = n[0] < n[1] ? n[0] : n[1];
    for (int axis = 0; axis < direct->dimensions && status == ARC_OK; axis++)
        status = make_axis(maker, &pair, axis, err);
    return status;
}
