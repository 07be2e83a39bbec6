/* PINN against direct, and several results ranked. */
#include "arcfit/report.h"

#include "base/arena.h"
#include "report/section.h"
#include "report/spread.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Both methods side by side with the difference in standard deviations. */
static void comparison_table(ArcText *table, const ArcResult *result)
{
    char value[ARC_TABLE_NUMBER];
    const ArcFit *pinn = result->fits[0], *direct = result->fits[1];
    arc_table_cell(table, 15, "parameter");
    arc_table_cell(table, 22, "PINN");
    arc_table_cell(table, 22, "direct");
    arc_table_cell(table, 5, "unit");
    arc_table_last(table, 0, "difference");
    for (int p = 0; p < pinn->n_parameters; p++) {
        const ArcEstimate *a = &pinn->parameters[p], *b = &direct->parameters[p];
        double in_sd = result->comparison.in_sd[p];
        arc_table_cell(table, 15, a->name);
        arc_table_cell(table, 22, arc_table_value(value, a->value, a->sd, 1));
        arc_table_cell(table, 22, arc_table_value(value, b->value, b->sd, 1));
        arc_table_cell(table, 5, a->unit);
        arc_table_plain(value, in_sd, 2);
        arc_text_append(table, "%s%s\n", isnan(in_sd) ? "-" : value, isnan(in_sd) ? "" : " sd");
    }
    arc_text_append(table, "\n");
}

/* The same used points with the same sigmas: only then do AICs compare. */
static bool comparison_same_data(const ArcCapture *a, const ArcCapture *b)
{
    if (a->n_points != b->n_points || a->dimensions != b->dimensions || a->n_fit != b->n_fit)
        return false;
    int d = a->dimensions;
    for (int i = 0; i < a->n_points; i++) {
        if (a->use[i] != b->use[i])
            return false;
        if (a->use[i] != ARC_POINT_FIT)
            continue;
        size_t bytes = (size_t)d * sizeof(double);
        if (a->time_s[i] != b->time_s[i] ||
            memcmp(a->position_m + i * d, b->position_m + i * d, bytes) != 0 ||
            memcmp(a->sigma_m + i * d, b->sigma_m + i * d, bytes) != 0)
            return false;
    }
    return true;
}

/* A fit without an AIC comes last. */
static int comparison_order(const void *a, const void *b)
{
    const ArcResult *const *first = a, *const *second = b;
    double one = arc_section_aic(*first), other = arc_section_aic(*second);
    if (isnan(one) != isnan(other))
        return isnan(one) ? 1 : -1;
    if (one < other || one > other)
        return one < other ? -1 : 1;
    return strcmp((*first)->experiment_path, (*second)->experiment_path);
}

/* Beneath its row, what tells this run from others of the same file. */
static void comparison_overrides(ArcText *table, const ArcResult *result)
{
    for (int i = 0; i < result->n_overrides; i++) {
        arc_text_append(table, "     ");
        arc_table_last(table, ARC_TABLE_WIDTH - 5, result->overrides[i]);
    }
}

static ArcStatus comparison_ranking(ArcText *table, int n, const ArcResult *const *results,
                                    ArcError *err)
{
    char number[ARC_TABLE_NUMBER], less[ARC_TABLE_NUMBER];
    ArcArena *arena = arc_arena_create();
    const ArcResult **order = arena == NULL ? NULL : ARC_ALLOC(arena, (size_t)n, const ArcResult *);
    if (order == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    bool same = true;
    for (int i = 0; i < n; i++) {
        order[i] = results[i];
        same = same && comparison_same_data(results[0]->capture, results[i]->capture);
    }
    qsort(order, (size_t)n, sizeof(const ArcResult *), comparison_order);
    arc_text_append(table, "rank %-30s %4s %8s %8s %7s verdict\n", "experiment", "free", "chi2",
                    "AIC", "more");
    for (int i = 0; i < n; i++) {
        const ArcFit *fit = arc_section_fit(order[i]);
        double aic = arc_section_aic(order[i]);
        arc_text_append(table, "%4d ", i + 1);
        arc_table_cell(table, 30, order[i]->experiment_path);
        arc_text_append(table, "%4d %8s", fit->n_free,
                        arc_table_plain(number, fit->residuals.chi2, 5));
        arc_text_append(table, " %8s %7s %.13s\n", arc_table_plain(number, aic, 5),
                        arc_table_plain(less, aic - arc_section_aic(order[0]), 4),
                        arc_verdict_text(order[i]->comparison.verdict));
        comparison_overrides(table, order[i]);
    }
    arc_text_append(table, "\n");
    arc_table_entry(table, same ? "AIC" : "warning",
                    same ? "chi2 + prior chi2 + 2 free parameters; less is better, and a "
                           "difference under 2 says little"
                         : "the captures or their sigmas differ, so the ranking means nothing");
    arc_arena_free(arena);
    return ARC_OK;
}

ArcStatus arc_report_comparison_text(int n, const ArcResult *const *results, char **text,
                                     ArcError *err)
{
    ArcText table = {0};
    for (int i = 0; i < n; i++) {
        arc_section_header(&table, results[i]);
        if (results[i]->comparison.both) {
            comparison_table(&table, results[i]);
        } else {
            arc_table_estimates(&table, results[i]->n_fits, results[i]->fits, false);
            arc_text_append(&table, "\n");
        }
        arc_section_remarks(&table, results[i]->n_fits, results[i]->fits);
        arc_section_residuals(&table, results[i], false);
        arc_spread_text(&table, results[i]);
        arc_section_verdict(&table, results[i]);
        if (n > 1)
            arc_text_append(&table, "\n");
    }
    if (n > 1) {
        ArcStatus status = comparison_ranking(&table, n, results, err);
        if (status != ARC_OK) {
            arc_text_free(table.bytes);
            return status;
        }
    }
    return arc_text_finish(&table, text, err);
}
