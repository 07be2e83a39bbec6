/* What is said of throws in numbers: chances, the scatter at the goal, what moves the ball, the
 * front.
 *
 * The ball's offset o at the goal is taken for normal (aim.h). Its sds along the axes are those of
 * the aim; how they go together is G D G' / (sd sd'), G = do / d parameters, D the squares of what
 * each parameter is uncertain by. What D leaves out (covariances of a fit, wind) is told where it
 * changes an sd by more than a hundredth.
 */
#include "figure/throws.h"

#include "aim/describe.h"
#include "aim/numbers.h"
#include "figure/maker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ELLIPSE_POINTS = 65, DENSITY_POINTS = 101, MOST_MOVERS = 12 };
static const double within_95 = 1.959963984540054; /* sd, of a normal number */
static const double same_sd = 0.01;

/* The sd that a parameter of a throw has. */
static double spread_of(const ArcAim *aim, int i)
{
    return hypot(aim->believed_sd[i], aim->settings.scatter_sd[i]);
}

/* "1", "2", ..: the throws' ranks as names of an axis. */
static const char *const *ranks_of(ArcMaker *maker, int n)
{
    const char **names = ARC_ALLOC(maker->arena, (size_t)n, const char *);
    for (int i = 0; names != NULL && i < n; i++)
        names[i] = arc_maker_words(maker, "%d", i + 1);
    return names;
}

/* Of each throw the chance by linearisation and by throws drawn. */
typedef struct Chances {
    double *x, *value, *checked_x, *checked, *low, *high;
    const char **labels;
    int n, n_checked;
} Chances;

static bool gather_chances(const ArcThrows *throws, Chances *chances)
{
    const ArcAim *aim = throws->aim;
    ArcMaker *maker = throws->maker;
    size_t n = (size_t)aim->n_solutions;
    double *room = ARC_ALLOC(maker->arena, 6 * n, double);
    *chances = (Chances){.labels = ARC_ALLOC(maker->arena, n, const char *)};
    if (room == NULL || chances->labels == NULL)
        return false;
    chances->x = room, chances->value = room + n;
    chances->checked_x = room + 2 * n, chances->checked = room + 3 * n;
    chances->low = room + 4 * n, chances->high = room + 5 * n;
    for (int i = 0; i < aim->n_solutions; i++) {
        const ArcAimChance *chance = &aim->solutions[i].chance;
        double half = within_95 * chance->checked_sd;
        if (isfinite(chance->value)) {
            chances->labels[chances->n] = arc_maker_words(
                maker, "%s%s", throws->names[i],
                chance->is_valid ? "" : "; not to be trusted, the spread is too wide");
            chances->x[chances->n] = i;
            chances->value[chances->n++] = chance->value;
        }
        if (!isfinite(chance->checked))
            continue;
        int k = chances->n_checked++;
        chances->checked_x[k] = i;
        chances->checked[k] = chance->checked;
        chances->low[k] = fmax(chance->checked - half, 0.0);
        chances->high[k] = fmin(chance->checked + half, 1.0);
    }
    return chances->n + chances->n_checked > 0;
}

/* By throws drawn where there are any. */
static double chance_of(const ArcAim *aim, int i)
{
    const ArcAimChance *chance = &aim->solutions[i].chance;
    return isfinite(chance->checked) ? chance->checked : chance->value;
}

static int surest_of(const ArcAim *aim)
{
    int surest = 0;
    for (int i = 1; i < aim->n_solutions; i++)
        if (chance_of(aim, i) > chance_of(aim, surest))
            surest = i;
    return surest;
}

static void draw_chances(const ArcThrows *throws)
{
    const ArcAim *aim = throws->aim;
    const ArcAimChance *best = &aim->solutions[0].chance;
    ArcMaker *maker = throws->maker;
    Chances chances;
    if (!gather_chances(throws, &chances))
        return;
    ArcFigure *figure = arc_maker_figure(maker, ARC_FIGURES_AIM, "throws-chance",
                                         "The chance that each throw hits");
    if (figure == NULL)
        return;
    figure->x = (ArcAxis){.label = "throw",
                          .unit = "1",
                          .n_names = aim->n_solutions,
                          .names = ranks_of(maker, aim->n_solutions)};
    figure->y = (ArcAxis){.label = "chance of a hit", .unit = "1"};
    figure->caption =
        arc_maker_words(maker, "The best throw hits with a chance of %.3g by linearisation%s.",
                        best->value, best->is_valid ? "" : ", which is too rough here");
    if (isfinite(best->checked))
        figure->caption = arc_maker_words(
            maker, "%s Of %d throws drawn for it %.4g hit, with a standard error of %.2g.",
            figure->caption, aim->settings.monte_carlo, best->checked, best->checked_sd);
    int surest = surest_of(aim);
    if (surest > 0)
        figure->caption = arc_maker_words(maker, "%s The surest is throw %d, with %.3g.",
                                          figure->caption, surest + 1, chance_of(aim, surest));
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_INTERVALS,
                                         .role = ARC_ROLE_POINTS,
                                         .name = "by throws drawn, 95 %",
                                         .n = chances.n_checked,
                                         .x = chances.checked_x,
                                         .y = chances.checked,
                                         .low = chances.low,
                                         .high = chances.high});
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                         .role = ARC_ROLE_DIRECT,
                                         .name = "by linearisation",
                                         .n = chances.n,
                                         .x = chances.x,
                                         .y = chances.value,
                                         .labels = chances.labels});
}

/* Covariance of the offset by what each parameter is uncertain by alone; false where the goal is
 * not met. */
static bool scatter(const ArcThrows *throws, double covariance_m2[3][3])
{
    const ArcAim *aim = throws->aim;
    ArcShotNumbers *numbers = ARC_ALLOC(throws->maker->arena, 1, ArcShotNumbers);
    memset(covariance_m2, 0, 9 * sizeof(double));
    if (numbers == NULL || throws->shot == NULL ||
        !arc_shot_numbers(throws->shot, aim->solutions[0].values, 0, true, numbers))
        return false;
    for (int i = 0; i < aim->n_parameters; i++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                covariance_m2[a][b] += numbers->by_offset[a][i] * numbers->by_offset[b][i] *
                                       spread_of(aim, i) * spread_of(aim, i);
    return true;
}

/* Axes along which the ball scatters, those of larger sd first; how many. */
static int scattered_axes(const ArcAim *aim, int axes[3])
{
    const double *sd = aim->solutions[0].chance.offset_sd_m;
    int n = 0;
    for (int c = 0; c < aim->dimensions; c++) {
        if (!(sd[c] > 0.0) || !isfinite(sd[c]))
            continue;
        int at = n++;
        for (; at > 0 && sd[axes[at - 1]] < sd[c]; at--)
            axes[at] = axes[at - 1];
        axes[at] = c;
    }
    return n;
}

/* Of what is hit: its edge along an axis from its centre, of a point the ball's radius. */
static double edge_of(const ArcAim *aim, int axis)
{
    const ArcGoal *goal = &aim->settings.goal;
    return goal->kind == ARC_GOAL_HOOP   ? goal->radius_m
           : goal->kind == ARC_GOAL_AREA ? goal->half_m[axis]
                                         : arc_goal_point_radius(aim->experiment);
}

static const char *offset_label(const ArcAim *aim, int axis)
{
    static const char *const names[] = {"offset along x", "offset along y", "offset along z"};
    return axis == aim->up ? "offset in height" : names[axis];
}

/* Round a centre at 0: half-axes a and b along the eigenvectors of a covariance, or (a, 0, 0, b)
 * of a circle or box. (x, y) = M (cos, sin). */
static void add_ellipse(ArcMaker *maker, const double M[4], ArcRole role, const char *name)
{
    double *x = ARC_ALLOC(maker->arena, 2 * ELLIPSE_POINTS, double);
    if (x == NULL)
        return;
    double *y = x + ELLIPSE_POINTS;
    for (int i = 0; i < ELLIPSE_POINTS; i++) {
        double turn = 2.0 * M_PI * i / (ELLIPSE_POINTS - 1);
        x[i] = M[0] * cos(turn) + M[1] * sin(turn);
        y[i] = M[2] * cos(turn) + M[3] * sin(turn);
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = role,
                                         .name = name,
                                         .n = ELLIPSE_POINTS,
                                         .x = x,
                                         .y = y});
}

static void add_box(ArcMaker *maker, double a, double b)
{
    double *x = ARC_ALLOC(maker->arena, 10, double);
    if (x == NULL)
        return;
    for (int i = 0; i < 5; i++) {
        x[i] = i == 1 || i == 2 ? a : -a;
        x[5 + i] = i == 2 || i == 3 ? b : -b;
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_TARGET,
                                         .name = "area",
                                         .n = 5,
                                         .x = x,
                                         .y = x + 5});
}

/* The ellipses of 1 and 2 sd over the target. */
static void draw_ellipses(const ArcThrows *throws, int a, int b)
{
    const ArcAim *aim = throws->aim;
    ArcMaker *maker = throws->maker;
    const double *sd = aim->solutions[0].chance.offset_sd_m;
    double c[3][3];
    bool known = scatter(throws, c) && c[a][a] > 0.0 && c[b][b] > 0.0;
    double together = known ? c[a][b] / sqrt(c[a][a] * c[b][b]) : 0.0;
    bool is_whole = known && fabs(sqrt(c[a][a]) / sd[a] - 1.0) < same_sd &&
                    fabs(sqrt(c[b][b]) / sd[b] - 1.0) < same_sd;
    double across = sqrt(fmax(1.0 - together * together, 0.0));
    ArcFigure *figure =
        arc_maker_figure(maker, ARC_FIGURES_AIM, "throws-scatter", "Where the best throw ends up");
    if (figure == NULL)
        return;
    figure->is_equal = true;
    figure->x = (ArcAxis){.label = offset_label(aim, a), .unit = "m"};
    figure->y = (ArcAxis){.label = offset_label(aim, b), .unit = "m"};
    figure->caption = arc_maker_words(
        maker,
        "The ball's centre at the goal, from the target's: sd %.3g m (%s) and %.3g m (%s). Within "
        "the outer ellipse are 86 %% of the throws.%s",
        sd[a], figure->x.label, sd[b], figure->y.label,
        is_whole ? "" : " Its tilt is that of the scatter alone.");
    if (aim->settings.goal.kind == ARC_GOAL_AREA)
        add_box(maker, edge_of(aim, a), edge_of(aim, b));
    else
        add_ellipse(maker, (const double[]){edge_of(aim, a), 0.0, 0.0, edge_of(aim, b)},
                    ARC_ROLE_TARGET, aim->settings.goal.kind == ARC_GOAL_HOOP ? "rim" : "ball");
    for (int k = 1; k <= 2; k++)
        add_ellipse(maker,
                    (const double[]){k * sd[a], 0.0, k * sd[b] * together, k * sd[b] * across},
                    ARC_ROLE_DIRECT, k == 1 ? "1 sd" : "2 sd");
}

/* The density of the offset along the only axis that it has, and the target's edges. */
static void draw_density(const ArcThrows *throws, int a)
{
    const ArcAim *aim = throws->aim;
    ArcMaker *maker = throws->maker;
    double sd = aim->solutions[0].chance.offset_sd_m[a], edge = edge_of(aim, a);
    double most = 1.0 / (sd * sqrt(2.0 * M_PI));
    double *x = ARC_ALLOC(maker->arena, 2 * DENSITY_POINTS, double);
    double *edges = ARC_ALLOC(maker->arena, 10, double);
    ArcFigure *figure =
        arc_maker_figure(maker, ARC_FIGURES_AIM, "throws-scatter", "Where the best throw ends up");
    if (figure == NULL || x == NULL || edges == NULL)
        return;
    double *y = x + DENSITY_POINTS;
    figure->x = (ArcAxis){.label = offset_label(aim, a), .unit = "m"};
    figure->y = (ArcAxis){.label = "density", .unit = "1/m"};
    figure->caption =
        arc_maker_words(maker,
                        "The ball's centre at the goal, from the target's: sd %.3g m. The target "
                        "reaches %.3g m to either side.",
                        sd, edge);
    for (int i = 0; i < DENSITY_POINTS; i++) {
        x[i] = 4.0 * sd * (2.0 * i / (DENSITY_POINTS - 1) - 1.0);
        y[i] = most * exp(-0.5 * (x[i] / sd) * (x[i] / sd));
    }
    for (int i = 0; i < 5; i++) {
        edges[i] = i < 2 ? -edge : i > 2 ? edge : (double)NAN;
        edges[5 + i] = i == 1 || i == 4 ? most : i == 2 ? (double)NAN : 0.0;
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_TARGET,
                                         .name = "edges of the target",
                                         .n = 5,
                                         .x = edges,
                                         .y = edges + 5});
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_DIRECT,
                                         .name = "throws",
                                         .n = DENSITY_POINTS,
                                         .x = x,
                                         .y = y});
}

/* A parameter, and how far its sd (or a usable change, where nothing is uncertain) moves the ball
 * at the goal. */
typedef struct Mover {
    int parameter;
    double by_m, size;
} Mover;

static int compare_movers(const void *a, const void *b)
{
    const Mover *one = a, *other = b;
    if (one->by_m != other->by_m)
        return one->by_m > other->by_m ? -1 : 1;
    return one->parameter - other->parameter;
}

/* The largest first; how many. */
static int list_movers(const ArcAim *aim, bool by_spread, Mover *movers)
{
    int n = 0;
    for (int i = 0; i < aim->n_parameters; i++) {
        double size = by_spread ? spread_of(aim, i) : arc_aim_parameter_unit_read(aim, i).step;
        double by_m = aim->solutions[0].miss_by[i] * size;
        if (by_m > 0.0 && isfinite(by_m))
            movers[n++] = (Mover){i, by_m, size};
    }
    qsort(movers, (size_t)n, sizeof *movers, compare_movers);
    return n < MOST_MOVERS ? n : MOST_MOVERS;
}

static void draw_movers(const ArcThrows *throws)
{
    const ArcAim *aim = throws->aim;
    ArcMaker *maker = throws->maker;
    Mover movers[ARC_MAX_PARAMETERS];
    bool by_spread = true;
    int n = list_movers(aim, true, movers);
    if (n == 0)
        n = list_movers(aim, by_spread = false, movers);
    double *x = ARC_ALLOC(maker->arena, 2 * (size_t)n, double);
    const char **names = ARC_ALLOC(maker->arena, 2 * (size_t)n, const char *);
    ArcFigure *figure = n == 0 || x == NULL || names == NULL
                            ? NULL
                            : arc_maker_figure(maker, ARC_FIGURES_AIM, "throws-moves",
                                               "What moves the ball at the goal");
    if (figure == NULL)
        return;
    for (int i = 0; i < n; i++) {
        const ArcParameter *parameter = &aim->parameters[movers[i].parameter];
        bool is_plain = strcmp(parameter->unit, "1") == 0;
        names[i] = parameter->name;
        names[n + i] = arc_maker_words(maker, "%s %s %.3g%s%s", parameter->name,
                                       by_spread ? "with an sd of" : "by", movers[i].size,
                                       is_plain ? "" : " ", is_plain ? "" : parameter->unit);
        x[i] = i;
        x[n + i] = movers[i].by_m;
    }
    figure->x = (ArcAxis){.label = "parameter", .unit = "1", .n_names = n, .names = names};
    figure->y =
        (ArcAxis){.label = by_spread ? "moved by its sd" : "moved by a change that one can make",
                  .unit = "m"};
    figure->caption = arc_maker_words(maker, "Most of all, %s moves the ball by %.3g m.", names[n],
                                      movers[0].by_m);
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_BARS,
                                         .role = ARC_ROLE_DIRECT,
                                         .n = n,
                                         .x = x,
                                         .y = x + n,
                                         .labels = names + n});
}

static void draw_front(const ArcThrows *throws)
{
    const ArcAim *aim = throws->aim;
    ArcMaker *maker = throws->maker;
    int first = (int)aim->settings.front[0], second = (int)aim->settings.front[1];
    int n = aim->n_front, step = (int)(sizeof(ArcAimPoint) / sizeof(double));
    if (n == 0)
        return;
    ArcFigure *figure = arc_maker_figure(maker, ARC_FIGURES_AIM, "throws-front",
                                         "What can be had at once, the Pareto front");
    if (figure == NULL)
        return;
    figure->x = (ArcAxis){.label = arc_aim_number_words(first), .unit = arc_aim_number_unit(first)};
    figure->y =
        (ArcAxis){.label = arc_aim_number_words(second), .unit = arc_aim_number_unit(second)};
    const char *units[] = {arc_maker_unit(maker, figure->x.unit),
                           arc_maker_unit(maker, figure->y.unit)};
    figure->caption = arc_maker_words(
        maker,
        "%d throws, none of which is better than another in both: from %s %.3g%s with %s %.3g%s "
        "to %.3g%s with %.3g%s.",
        n, figure->x.label, aim->front[0].numbers[0], units[0], figure->y.label,
        aim->front[0].numbers[1], units[1], aim->front[n - 1].numbers[0], units[0],
        aim->front[n - 1].numbers[1], units[1]);
    const double *x = arc_maker_column(maker, &aim->front[0].numbers[0], n, step);
    const double *y = arc_maker_column(maker, &aim->front[0].numbers[1], n, step);
    const double *chosen = aim->solutions[0].numbers;
    if (x == NULL || y == NULL)
        return;
    ArcSeries series = {.mark = ARC_MARK_LINE, .role = ARC_ROLE_DIRECT, .n = n, .x = x, .y = y};
    arc_maker_series(maker, &series);
    series.mark = ARC_MARK_POINTS;
    series.name = "front";
    arc_maker_series(maker, &series);
    if (isfinite(chosen[first]) && isfinite(chosen[second]))
        arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                             .role = ARC_ROLE_RELEASE,
                                             .name = throws->names[0],
                                             .n = 1,
                                             .x = &chosen[first],
                                             .y = &chosen[second],
                                             .labels = throws->names});
}

void arc_throws_draw_numbers(const ArcThrows *throws)
{
    int axes[3];
    draw_chances(throws);
    int n = scattered_axes(throws->aim, axes);
    if (n >= 2)
        draw_ellipses(throws, axes[0], axes[1]);
    else if (n == 1)
        draw_density(throws, axes[0]);
    draw_movers(throws);
    draw_front(throws);
}
