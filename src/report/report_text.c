/* A Result as tables of 80 columns: what `arcfit fit` prints. */
#include "arcfit/report.h"

#include "report/arm_parts.h"
#include "report/camera_parts.h"
#include "report/closure_parts.h"
#include "report/flights_parts.h"
#include "report/randomised_parts.h"
#include "report/section.h"
#include "report/spread.h"
#include "report/states_parts.h"
#include "report/table.h"
#include "report/uncertainty.h"
#include "report/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CORRELATION_WIDTH = 7, CORRELATION_ROOM = 64 };

static int correlation_width(const char *name)
{
    int length = arc_table_length(name);
    return length > CORRELATION_WIDTH ? length : CORRELATION_WIDTH;
}

/* The correlations of the free parameters, as many columns at a time as fit. */
static void text_correlation(ArcText *table, const ArcFit *fit)
{
    const char *names[ARC_MAX_PARAMETERS];
    char number[ARC_TABLE_NUMBER];
    for (int p = 0; p < fit->n_parameters; p++) {
        if (fit->parameters[p].free_index >= 0)
            names[fit->parameters[p].free_index] = fit->parameters[p].name;
    }
    for (int first = 0, last; first < fit->n_free; first = last) {
        arc_table_cell(table, 15, fit->method == ARC_PINN ? "corr. PINN" : "corr. direct");
        int used = correlation_width(names[first]);
        last = first + 1;
        while (last < fit->n_free && used + 1 + correlation_width(names[last]) < CORRELATION_ROOM)
            used += 1 + correlation_width(names[last++]);
        for (int j = first; j < last; j++)
            arc_text_append(table, "%*s%s", CORRELATION_WIDTH, names[j], j + 1 < last ? " " : "\n");
        for (int i = 0; i < fit->n_free; i++) {
            arc_table_cell(table, 15, names[i]);
            for (int j = first; j < last; j++) {
                double r = arc_section_correlation(fit, i, j);
                snprintf(number, sizeof number, "%.3f", r);
                arc_text_append(table, "%*s%s", correlation_width(names[j]),
                                isnan(r) ? "?" : number, j + 1 < last ? " " : "\n");
            }
        }
    }
    arc_text_append(table, "\n");
}

/* A cell of the history; "-" for what a method or an optimiser does not have. */
static void history_cell(ArcText *table, int width, double value, int digits)
{
    char number[ARC_TABLE_NUMBER];
    arc_text_append(table, " %*s", width,
                    isnan(value) ? "-" : arc_table_plain(number, value, digits));
}

static void text_history(ArcText *table, const ArcFit *fit)
{
    arc_text_append(table, "history %s\n", fit->method == ARC_PINN ? "PINN" : "direct");
    arc_text_append(table, "%5s %5s %6s %10s %10s %10s %9s %8s %8s\n", "start", "stage", "step",
                    "cost", "observed", "physics", "priors", "step, sd", "rate");
    for (int i = 0; i < fit->n_history; i++) {
        const ArcHistoryRow *row = &fit->history[i];
        arc_text_append(table, "%5d %5d %6d", row->start, row->stage, row->iteration);
        history_cell(table, 10, row->cost, 5);
        history_cell(table, 10, row->observations, 5);
        history_cell(table, 10, row->physics, 5);
        history_cell(table, 9, row->priors, 4);
        history_cell(table, 8, row->step_sd, 3);
        history_cell(table, 8, row->rate, 3);
        arc_text_append(table, "\n");
    }
    arc_text_append(table, "\n");
}

ArcStatus arc_report_text(const ArcResult *result, bool verbose, char **text, ArcError *err)
{
    ArcText table = {0};
    arc_section_header(&table, result);
    arc_section_parameters(&table, result, false);
    arc_flights_section(&table, result, verbose);
    if (arc_section_fit(result)->n_derived > 0) {
        arc_table_estimates(&table, result->n_fits, result->fits, true);
        arc_text_append(&table, "\n");
    }
    arc_section_remarks(&table, result->n_fits, result->fits);
    arc_section_residuals(&table, result, verbose);
    arc_camera_parts_text(&table, arc_section_fit(result));
    arc_states_parts_text(&table, result);
    arc_closure_parts_text(&table, result);
    arc_spread_text(&table, result);
    for (int i = 0; i < result->n_fits; i++)
        arc_section_uncertainty(&table, result->fits[i], result->n_fits > 1);
    for (int i = 0; i < result->n_fits; i++)
        arc_randomised_parts_text(&table, result->fits[i], result->n_fits > 1);
    for (int i = 0; verbose && i < result->n_fits; i++) {
        text_correlation(&table, result->fits[i]);
        text_history(&table, result->fits[i]);
    }
    arc_verdict_section(&table, result);
    return arc_text_finish(&table, text, err);
}
