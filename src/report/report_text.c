/* A Result as tables of 80 columns: what `arcfit fit` prints. */
#include "arcfit/report.h"

#include "report/section.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The correlations of the free parameters, as many columns as fit. */
static void text_correlation(ArcText *table, const ArcFit *fit)
{
    enum { COLUMN = 7, MOST = 8 };
    const char *names[ARC_MAX_PARAMETERS];
    char number[ARC_TABLE_NUMBER];
    for (int p = 0; p < fit->n_parameters; p++) {
        if (fit->parameters[p].free_index >= 0)
            names[fit->parameters[p].free_index] = fit->parameters[p].name;
    }
    for (int first = 0; first < fit->n_free; first += MOST) {
        arc_table_cell(table, 15, fit->method == ARC_PINN ? "corr. PINN" : "corr. direct");
        int last = first + MOST < fit->n_free ? first + MOST : fit->n_free;
        for (int j = first; j < last; j++)
            arc_text_append(table, "%*s%s", COLUMN, names[j], j + 1 < last ? " " : "\n");
        for (int i = 0; i < fit->n_free; i++) {
            arc_table_cell(table, 15, names[i]);
            for (int j = first; j < last; j++) {
                double r = arc_section_correlation(fit, i, j);
                snprintf(number, sizeof number, "%.3f", r);
                arc_text_append(table, "%*s%s", COLUMN, isnan(r) ? "?" : number,
                                j + 1 < last ? " " : "\n");
            }
        }
    }
    arc_text_append(table, "\n");
}

static void text_history(ArcText *table, const ArcFit *fit)
{
    char cost[ARC_TABLE_NUMBER], step[ARC_TABLE_NUMBER];
    arc_text_append(table, "%-15s %5s %9s %14s %14s\n",
                    fit->method == ARC_PINN ? "history PINN" : "history direct", "stage",
                    "iteration", "cost", "step in sd");
    for (int i = 0; i < fit->n_history; i++)
        arc_text_append(table, "%-15s %5d %9d %14s %14s\n", "", fit->history[i].stage,
                        fit->history[i].iteration, arc_table_plain(cost, fit->history[i].cost, 8),
                        arc_table_plain(step, fit->history[i].step_sd, 3));
    arc_text_append(table, "\n");
}

ArcStatus arc_report_text(const ArcResult *result, bool verbose, char **text, ArcError *err)
{
    ArcText table = {0};
    arc_section_header(&table, result);
    arc_table_estimates(&table, result->n_fits, result->fits, false);
    arc_text_append(&table, "\n");
    if (arc_section_fit(result)->n_derived > 0) {
        arc_table_estimates(&table, result->n_fits, result->fits, true);
        arc_text_append(&table, "\n");
    }
    arc_section_remarks(&table, result->n_fits, result->fits);
    arc_section_residuals(&table, result, verbose);
    for (int i = 0; verbose && i < result->n_fits; i++) {
        text_correlation(&table, result->fits[i]);
        text_history(&table, result->fits[i]);
    }
    arc_section_verdict(&table, result);
    return arc_text_finish(&table, text, err);
}
