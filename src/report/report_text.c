/* A Result as tables of 80 columns: what `arcfit fit` prints. */
#include "arcfit/report.h"

#include "base/number.h"
#include "report/section.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_WIDTH = 24, FIT_WIDTH = 26 };

/* The recorded value of a setting, NULL where there is none. */
static const char *text_setting(const ArcResult *result, const char *path)
{
    for (int i = 0; i < result->n_settings; i++) {
        if (strcmp(result->setting_paths[i], path) == 0)
            return result->setting_values[i];
    }
    return NULL;
}

/* "6 points fitted, 2 held out, 1 unused; sigma 3 mm". */
static void text_capture(ArcText *table, const ArcCapture *capture)
{
    char line[256], low_text[ARC_TABLE_NUMBER], high_text[ARC_TABLE_NUMBER];
    double low = INFINITY, high = 0;
    for (int i = 0; i < capture->n_points * capture->dimensions; i++) {
        if (capture->use[i / capture->dimensions] == ARC_POINT_UNUSED ||
            isnan(capture->position_m[i]))
            continue;
        low = fmin(low, capture->sigma_m[i]);
        high = fmax(high, capture->sigma_m[i]);
    }
    arc_table_plain(low_text, 1e3 * low, 3);
    arc_table_plain(high_text, 1e3 * high, 3);
    bool is_one = strcmp(low_text, high_text) == 0;
    arc_table_entry(table, "capture", capture->file == NULL ? "in memory" : capture->file);
    snprintf(line, sizeof line, "%d fitted, %d held out, %d unused; sigma %s%s%s mm",
             capture->n_fit, capture->n_held_out,
             capture->n_points - capture->n_fit - capture->n_held_out, low_text,
             is_one ? "" : " to ", is_one ? "" : high_text);
    arc_table_entry(table, "points", line);
}

void arc_section_header(ArcText *table, const ArcResult *result)
{
    char line[256];
    arc_table_last(table, ARC_TABLE_WIDTH, result->name);
    arc_table_entry(table, "experiment", result->experiment_path);
    text_capture(table, result->capture);
    const char *drag = text_setting(result, "flight.drag");
    const char *lift = text_setting(result, "flight.lift");
    if (drag != NULL && lift != NULL) {
        snprintf(line, sizeof line, "drag %s, lift %s", drag, lift);
        arc_table_entry(table, "flight", line);
    }
    for (int i = 0; i < result->n_overrides; i++)
        arc_table_entry(table, i == 0 ? "set" : "", result->overrides[i]);
    arc_text_append(table, "\n");
}

/* One line of the residual block: a label and a cell per fit, left out where all are empty. */
static void text_row(ArcText *table, int n_fits, const char *label, char cells[2][ARC_TABLE_NUMBER])
{
    if (cells[0][0] == '\0' && (n_fits < 2 || cells[1][0] == '\0'))
        return;
    arc_table_cell(table, LABEL_WIDTH, label);
    for (int i = 0; i + 1 < n_fits; i++)
        arc_table_cell(table, FIT_WIDTH, cells[i]);
    arc_table_last(table, FIT_WIDTH, cells[n_fits - 1]);
}

/* The rows of the residual block, in order. */
enum {
    ROW_CONVERGED,
    ROW_CHI2,
    ROW_PRIOR,
    ROW_DOF,
    ROW_RMS,
    ROW_PHYSICS,
    ROW_FINE,
    ROW_HELD_OUT,
    ROW_TIME,
    N_ROWS
};

static const char *const text_labels[N_ROWS] = {
    "converged",   "chi2 of observations", "chi2 of priors", "degrees of freedom", "rms residual",
    "physics rms", "  between nodes",      "held-out rms",   "time of the fit"};

/* Cell of one row of one fit; "" where it has nothing to say. */
static void text_residual(char cell[ARC_TABLE_NUMBER], const ArcFit *fit, int row)
{
    const ArcResiduals *r = &fit->residuals;
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    cell[0] = '\0';
    switch (row) {
    case ROW_CONVERGED:
        snprintf(cell, ARC_TABLE_NUMBER, "%s (%s, %d steps)", fit->converged ? "yes" : "NO",
                 arc_stop_text(fit->stop), fit->iterations);
        break;
    case ROW_CHI2:
        snprintf(cell, ARC_TABLE_NUMBER, "%.24s of %d", arc_table_plain(a, r->chi2, 5),
                 r->observations);
        break;
    case ROW_PRIOR:
        if (r->prior_chi2 > 0)
            arc_table_plain(cell, r->prior_chi2, 5);
        break;
    case ROW_DOF:
        snprintf(cell, ARC_TABLE_NUMBER, "%d (p %.24s)", r->dof, arc_table_plain(a, r->chi2_p, 3));
        break;
    case ROW_RMS:
        snprintf(cell, ARC_TABLE_NUMBER, "%.24s mm", arc_table_plain(a, 1e3 * r->rms_m, 3));
        break;
    case ROW_PHYSICS:
    case ROW_FINE:
        if (!isnan(r->physics_rms_m_s2))
            snprintf(cell, ARC_TABLE_NUMBER, "%.16s of %.16s m/s^2",
                     arc_table_plain(
                         a, row == ROW_FINE ? r->physics_rms_fine_m_s2 : r->physics_rms_m_s2, 3),
                     arc_table_plain(b, r->sigma_phys_m_s2, 3));
        break;
    case ROW_HELD_OUT:
        if (r->held_out_points > 0)
            snprintf(cell, ARC_TABLE_NUMBER, "%.24s mm, %d points",
                     arc_table_plain(a, 1e3 * r->held_out_rms_m, 3), r->held_out_points);
        break;
    default:
        if (!isnan(fit->wall_s))
            snprintf(cell, ARC_TABLE_NUMBER, "%.24s ms", arc_table_plain(a, 1e3 * fit->wall_s, 3));
        break;
    }
}

void arc_section_residuals(ArcText *table, const ArcResult *result, bool verbose)
{
    char cells[2][ARC_TABLE_NUMBER] = {"", ""};
    for (int i = 0; i < result->n_fits; i++)
        snprintf(cells[i], sizeof cells[i], "%s",
                 result->fits[i]->method == ARC_PINN ? "PINN" : "direct");
    text_row(table, result->n_fits, "fit", cells);
    for (int row = 0; row < (verbose ? N_ROWS : ROW_TIME); row++) {
        for (int i = 0; i < result->n_fits; i++)
            text_residual(cells[i], result->fits[i], row);
        text_row(table, result->n_fits, text_labels[row], cells);
    }
    arc_text_append(table, "\n");
}

/* One paragraph per null direction: which parameters are mixed up, and what to do. */
static void text_unidentified(ArcText *table, const ArcFit *fit, const char *method)
{
    for (int g = 0; g < fit->n_unidentified; g++) {
        ArcText line = {0};
        char *text;
        bool several = fit->unidentified_size[g] > 1;
        arc_table_group(&line, fit, g);
        arc_text_append(&line, ": %s%s",
                        several ? "the data tell only a combination; fix one or give it a prior"
                                : "the data do not tell it; fix it or give it a prior",
                        method);
        if (arc_text_finish(&line, &text, NULL) != ARC_OK) {
            table->failed = true;
            return;
        }
        arc_table_entry(table, "unidentified", text);
        arc_text_free(text);
    }
}
/* The same groups of the same parameters in both fits. */
static bool text_same_groups(const ArcFit *a, const ArcFit *b)
{
    bool same = a->n_unidentified == b->n_unidentified;
    for (int g = 0; same && g < a->n_unidentified; g++)
        same = a->unidentified_size[g] == b->unidentified_size[g] &&
               memcmp(a->unidentified[g], b->unidentified[g],
                      (size_t)a->unidentified_size[g] * sizeof(int)) == 0;
    return same;
}

/* Why parameter p stands at its bound; the second fit's only where it differs. */
static void text_bound(ArcText *table, int n_fits, const ArcFit *const *fits, int p)
{
    for (int i = 0; i < n_fits; i++) {
        const ArcEstimate *e = &fits[i]->parameters[p];
        const ArcEstimate *other = n_fits == 2 ? &fits[1 - i]->parameters[p] : e;
        bool same = e->status == other->status;
        if (e->status != ARC_PARAMETER_AT_BOUND || e->reason == NULL || (same && i == 1))
            continue;
        ArcText line = {0};
        char *text;
        arc_text_append(&line, "%s: %s%s", e->name, e->reason,
                        same                          ? ""
                        : fits[i]->method == ARC_PINN ? " (PINN)"
                                                      : " (direct)");
        if (arc_text_finish(&line, &text, NULL) != ARC_OK) {
            table->failed = true;
            return;
        }
        arc_table_entry(table, "at its bound", text);
        arc_text_free(text);
    }
}

void arc_section_remarks(ArcText *table, int n_fits, const ArcFit *const *fits)
{
    size_t before = table->size;
    bool same = n_fits == 1 || text_same_groups(fits[0], fits[1]);
    for (int i = 0; i < (same ? 1 : n_fits); i++)
        text_unidentified(table, fits[i],
                          same                          ? ""
                          : fits[i]->method == ARC_PINN ? " (PINN)"
                                                        : " (direct)");
    for (int p = 0; p < fits[0]->n_parameters; p++)
        text_bound(table, n_fits, fits, p);
    if (table->size != before)
        arc_text_append(table, "\n");
}

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
    if (result->fits[0]->n_derived > 0) {
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
