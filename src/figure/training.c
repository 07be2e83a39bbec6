/* How a method came to its fit: cost and its parts against iterations, a figure a method.
 *
 * Iterations are counted through the stages of a start; where one stage ends and the next begins
 * the lines part, and a line across stands there. Costs that are 0 have no place on the axis. Of
 * several starts each has its cost; parts are those of the start that ended lowest.
 */
#include "figure/maker.h"
#include "report/table.h"

#include <math.h>

typedef enum Part { PART_COST, PART_OBSERVATIONS, PART_PHYSICS, PART_PRIORS, N_PARTS } Part;

static double part_of(const ArcHistoryRow *row, Part part)
{
    const double parts[N_PARTS] = {row->cost, row->observations, row->physics, row->priors};
    return parts[part] > 0.0 && isfinite(parts[part]) ? parts[part] : (double)NAN;
}

/* One number of one start's rows, with a gap between stages. */
static void add_line(ArcMaker *maker, const ArcFit *fit, int start, Part part, ArcSeries look)
{
    size_t room = 2 * (size_t)fit->n_history;
    double *x = ARC_ALLOC(maker->arena, 2 * room, double);
    int n = 0, iteration = 0, stage = 0;
    bool has_any = false;
    if (x == NULL)
        return;
    for (int i = 0; i < fit->n_history; i++) {
        const ArcHistoryRow *row = &fit->history[i];
        if (row->start != start)
            continue;
        if (iteration > 0 && row->stage != stage) {
            x[n] = iteration + 0.5;
            x[room + (size_t)n++] = NAN;
        }
        stage = row->stage;
        x[n] = ++iteration;
        x[room + (size_t)n] = part_of(row, part);
        has_any = has_any || isfinite(x[room + (size_t)n]);
        n++;
    }
    look.mark = ARC_MARK_LINE;
    look.n = has_any ? n : 0;
    look.x = x;
    look.y = x + room;
    arc_maker_series(maker, &look);
}

/* Lines across where a stage of this start ends. */
static int add_stages(ArcMaker *maker, const ArcFit *fit, int start)
{
    size_t room = 3 * (size_t)fit->n_history;
    double *x = ARC_ALLOC(maker->arena, 2 * room, double), low = INFINITY, high = 0.0;
    int n = 0, iteration = 0, stage = 0;
    for (int i = 0; i < fit->n_history; i++)
        for (int part = 0; part < N_PARTS; part++) {
            low = fmin(low, part_of(&fit->history[i], (Part)part));
            high = fmax(high, part_of(&fit->history[i], (Part)part));
        }
    if (x == NULL || !(low <= high))
        return 1;
    for (int i = 0; i < fit->n_history; i++) {
        const ArcHistoryRow *row = &fit->history[i];
        if (row->start != start)
            continue;
        if (iteration > 0 && row->stage != stage) {
            const double y[3] = {low, high, NAN};
            for (int k = 0; k < 3; k++) {
                x[n] = iteration + 0.5;
                x[room + (size_t)n++] = y[k];
            }
        }
        stage = row->stage;
        iteration++;
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = "next stage",
                                         .n = n,
                                         .x = x,
                                         .y = x + room});
    return n / 3 + 1;
}

/* The start that ended lowest, and how many there are. */
static int best_start(const ArcFit *fit, int *n_starts)
{
    int best = 0;
    double least = INFINITY;
    *n_starts = 0;
    for (int i = 0; i < fit->n_history; i++) {
        const ArcHistoryRow *row = &fit->history[i];
        bool is_last = i + 1 == fit->n_history || fit->history[i + 1].start != row->start;
        if (!is_last)
            continue;
        ++*n_starts;
        if (*n_starts == 1 || row->cost < least) {
            best = row->start;
            least = row->cost;
        }
    }
    return best;
}

static void add_other_starts(ArcMaker *maker, const ArcFit *fit, int best)
{
    for (int i = 0; i < fit->n_history; i++) {
        int start = fit->history[i].start;
        bool is_last = i + 1 == fit->n_history || fit->history[i + 1].start != start;
        if (is_last && start != best)
            add_line(
                maker, fit, start, PART_COST,
                (ArcSeries){.role = ARC_ROLE_OTHER,
                            .name = arc_arena_format(maker->arena, "cost of start %d", start + 1)});
    }
}

static const char *caption(ArcMaker *maker, const ArcFit *fit, const int counts[3])
{
    char first[ARC_TABLE_NUMBER], last[ARC_TABLE_NUMBER];
    double from = NAN, to = NAN;
    int rows = 0;
    for (int i = 0; i < fit->n_history; i++) {
        if (fit->history[i].start != counts[0])
            continue;
        from = rows++ == 0 ? fit->history[i].cost : from;
        to = fit->history[i].cost;
    }
    const char *starts = counts[1] == 1
                             ? ""
                             : arc_arena_format(maker->arena, " (start %d of %d, the lowest)",
                                                counts[0] + 1, counts[1]);
    return starts == NULL
               ? NULL
               : arc_arena_format(maker->arena,
                                  "Half the sum of squares falls from %s to %s in %d iteration%s, "
                                  "%d stage%s%s; the fit %s (%s).",
                                  arc_table_plain(first, from, 3), arc_table_plain(last, to, 3),
                                  rows, rows == 1 ? "" : "s", counts[2], counts[2] == 1 ? "" : "s",
                                  starts, fit->converged ? "converged" : "did not converge",
                                  arc_stop_text(fit->stop));
}

static ArcStatus make_method(ArcMaker *maker, const ArcFit *fit, ArcError *err)
{
    static const char *const names[N_PARTS] = {"cost", "observations", "physics", "priors"};
    /* The direct fit's cost has the first colour of others, so that priors do not. */
    static const ArcRole roles[N_PARTS] = {[PART_OBSERVATIONS] = ARC_ROLE_POINTS,
                                           [PART_PHYSICS] = ARC_ROLE_OTHER,
                                           [PART_PRIORS] = ARC_ROLE_EXPECTED};
    bool is_pinn = fit->method == ARC_PINN;
    int n_starts, best = best_start(fit, &n_starts);
    ArcFigure *figure =
        arc_maker_figure(maker, ARC_FIGURES_TRAINING, is_pinn ? "training-pinn" : "training-direct",
                         is_pinn ? "Training of the PINN" : "Iterations of the direct fit");
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->x = (ArcAxis){.label = "iteration", .unit = "1"};
    figure->y = (ArcAxis){.label = "half the sum of squares", .unit = "1", .is_log = true};
    int stages = add_stages(maker, fit, best);
    const int counts[3] = {best, n_starts, stages};
    add_other_starts(maker, fit, best);
    for (int part = PART_OBSERVATIONS; part < N_PARTS; part++)
        add_line(maker, fit, best, (Part)part,
                 (ArcSeries){.role = roles[part], .name = names[part]});
    add_line(maker, fit, best, PART_COST,
             (ArcSeries){.role = arc_maker_method_role(fit->method), .name = names[PART_COST]});
    figure->caption = caption(maker, fit, counts);
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

ArcStatus arc_make_training(ArcMaker *maker, ArcError *err)
{
    ArcStatus status = ARC_OK;
    for (int k = 0; k < maker->result->n_fits && status == ARC_OK; k++)
        if (maker->result->fits[k]->n_history > 0)
            status = make_method(maker, maker->result->fits[k], err);
    return status;
}
