/* Sections that several text reports share. */
#include "report/section.h"

#include "report/arm_parts.h"
#include "report/camera_parts.h"
#include "report/identifiability_parts.h"
#include "report/remarks.h"
#include "report/states_parts.h"
#include "report/stretch_parts.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_WIDTH = 24, FIT_WIDTH = 26 };

/* "6 points fitted, 2 held out, 1 unused; sigma 3 mm". */
static void section_capture(ArcText *table, const ArcResult *result)
{
    const ArcCapture *capture = result->capture;
    bool found = result->n_fits > 0 && result->fits[0]->spread.sigma_estimated;
    char line[256], low_text[ARC_TABLE_NUMBER], high_text[ARC_TABLE_NUMBER];
    char sigma[2 * ARC_TABLE_NUMBER + 8], pixels[2 * ARC_TABLE_NUMBER + 8];
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
    sigma[0] = '\0';
    if (low <= high)
        snprintf(sigma, sizeof sigma, "%s%s%s mm", low_text, is_one ? "" : " to ",
                 is_one ? "" : high_text);
    arc_camera_parts_sigma(capture, pixels, sizeof pixels);
    const char *given = arc_result_setting(result, "capture.sigma");
    bool is_open = result->n_fits == 0 && given != NULL && strcmp(given, "estimate") == 0;
    bool both = sigma[0] != '\0' && pixels[0] != '\0';
    bool has_channels = arc_states_parts_of_result(result) != NULL;
    int used =
        snprintf(line, sizeof line, "%d fitted, %d held out, %d unused", capture->n_fit,
                 capture->n_held_out, capture->n_points - capture->n_fit - capture->n_held_out);
    if (!has_channels)
        snprintf(line + used, sizeof line - (size_t)used, "; sigma %s%s%s%s",
                 found ? "estimated" : sigma, !found && both ? ", " : "", found ? "" : pixels,
                 is_open ? ", to be estimated" : "");
    if (result->n_flights > 0) {
        char flights[64];
        snprintf(flights, sizeof flights, "%d, fitted together", result->n_flights);
        arc_table_entry(table, has_channels ? "runs" : "flights", flights);
    }
    arc_table_entry(table, "points", line);
    arc_arm_parts_header(table, result);
    arc_stretch_parts_text(table, capture);
}

/* "drag logistic, lift table, spin decay aerodynamic, wind with shear, added mass". */
static void section_flight(ArcText *table, const ArcResult *result)
{
    char line[256];
    const char *drag = arc_result_setting(result, "flight.drag");
    const char *lift = arc_result_setting(result, "flight.lift");
    const char *decay = arc_result_setting(result, "flight.spin_decay");
    const char *mass = arc_result_setting(result, "flight.added_mass");
    bool has_decay = decay != NULL && strcmp(decay, "none") != 0;
    bool has_shear = arc_result_setting(result, "flight.wind.shear.exponent") != NULL;
    bool has_gust = arc_result_setting(result, "flight.wind.gust.time") != NULL;
    bool has_wind = has_shear || has_gust || arc_result_setting(result, "flight.wind") != NULL ||
                    arc_result_setting(result, "flight.wind.velocity") != NULL;
    if (drag == NULL || lift == NULL)
        return;
    snprintf(line, sizeof line, "drag %.40s, lift %.40s%s%.40s%s%s%s%s%s%s", drag, lift,
             has_decay ? ", spin decay " : "", has_decay ? decay : "", has_wind ? ", wind" : "",
             has_shear ? " with shear" : "", has_shear && has_gust ? " and gust" : "",
             has_gust && !has_shear ? " with gust" : "",
             mass != NULL && strcmp(mass, "true") == 0 ? ", added mass" : "",
             arc_result_setting(result, "flight.bounce.plane") != NULL ? ", bounces" : "");
    arc_table_entry(table, "flight", line);
}

void arc_section_header(ArcText *table, const ArcResult *result)
{
    arc_table_last(table, ARC_TABLE_WIDTH, result->name);
    arc_table_entry(table, "experiment", result->experiment_path);
    section_capture(table, result);
    arc_states_parts_header(table, result);
    if (arc_states_parts_of_result(result) == NULL)
        section_flight(table, result);
    for (int i = 0; i < result->n_overrides; i++)
        arc_table_entry(table, i == 0 ? "set" : "", result->overrides[i]);
    arc_text_append(table, "\n");
}

void arc_section_row(ArcText *table, int n_fits, const char *label, char cells[2][ARC_TABLE_NUMBER])
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
    ROW_READINGS,
    ROW_SWING,
    ROW_PRIOR,
    ROW_DOF,
    ROW_RMS,
    ROW_RMS_PX,
    ROW_PHYSICS,
    ROW_FINE,
    ROW_SIGMA_PHYS,
    ROW_STARTS,
    ROW_HELD_OUT,
    ROW_TIME,
    N_ROWS
};

static const char *const section_labels[N_ROWS] = {
    "converged",      "chi2 of observations", "  of readings",      "  of the swing",
    "chi2 of priors", "degrees of freedom",   "rms residual",       "rms of pixels",
    "physics rms",    "  between nodes",      "  sigma_phys, 95 %", "starts that converged",
    "held-out rms",   "time of the fit"};

const char *arc_section_physics_unit(const ArcFit *fit)
{
    const ArcStatesFit *states = fit->states;
    return states == NULL ? " m/s^2" : states->order == 1 ? " /s" : " /s^2";
}

/* Cell of one row of one fit; "" where it has nothing to say. */
static void section_residual(char cell[ARC_TABLE_NUMBER], const ArcFit *fit, int row)
{
    const ArcResiduals *r = &fit->residuals;
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    cell[0] = '\0';
    switch (row) {
    case ROW_CONVERGED:
        snprintf(cell, ARC_TABLE_NUMBER, "%s (%s, %d step%s)", fit->converged ? "yes" : "NO",
                 arc_stop_text(fit->stop), fit->iterations, fit->iterations == 1 ? "" : "s");
        break;
    case ROW_CHI2:
        snprintf(cell, ARC_TABLE_NUMBER, "%.24s (%d numbers)", arc_table_plain(a, r->chi2, 5),
                 r->observations + r->n_readings + r->n_swing);
        break;
    case ROW_READINGS:
        if (r->n_readings > 0)
            snprintf(cell, ARC_TABLE_NUMBER, "%.24s (%d numbers)",
                     arc_table_plain(a, r->readings_chi2, 5), r->n_readings);
        break;
    case ROW_SWING:
        if (r->n_swing > 0)
            snprintf(cell, ARC_TABLE_NUMBER, "%.24s (%d numbers)",
                     arc_table_plain(a, r->swing_chi2, 5), r->n_swing);
        break;
    case ROW_PRIOR:
        if (r->prior_chi2 > 0)
            arc_table_plain(cell, r->prior_chi2, 5);
        break;
    case ROW_DOF:
        if (isnan(r->chi2_p))
            snprintf(cell, ARC_TABLE_NUMBER, "%d", r->dof);
        else
            snprintf(cell, ARC_TABLE_NUMBER, "%d (p %.24s)", r->dof,
                     arc_table_plain(a, r->chi2_p, 3));
        break;
    case ROW_RMS:
        if (!isnan(r->rms_m))
            snprintf(cell, ARC_TABLE_NUMBER, "%.24s mm", arc_table_plain(a, 1e3 * r->rms_m, 3));
        break;
    case ROW_RMS_PX:
        if (r->n_cameras > 0)
            snprintf(cell, ARC_TABLE_NUMBER, "%.24s px", arc_table_plain(a, r->rms_px, 3));
        break;
    case ROW_PHYSICS:
    case ROW_FINE:
        if (!isnan(r->physics_rms_m_s2))
            snprintf(cell, ARC_TABLE_NUMBER, "%.16s of %.16s%s",
                     arc_table_plain(
                         a, row == ROW_FINE ? r->physics_rms_fine_m_s2 : r->physics_rms_m_s2, 3),
                     arc_table_plain(b, r->sigma_phys_m_s2, 3), arc_section_physics_unit(fit));
        break;
    case ROW_SIGMA_PHYS:
        if (!isnan(r->sigma_phys_ci95_m_s2[0]))
            snprintf(cell, ARC_TABLE_NUMBER, "%.16s to %.16s%s",
                     arc_table_plain(a, r->sigma_phys_ci95_m_s2[0], 3),
                     arc_table_plain(b, r->sigma_phys_ci95_m_s2[1], 3),
                     arc_section_physics_unit(fit));
        break;
    case ROW_STARTS:
        if (fit->n_starts > 1)
            snprintf(cell, ARC_TABLE_NUMBER, "%d of %d, %.16s sd apart", fit->n_starts_converged,
                     fit->n_starts, arc_table_plain(a, fit->start_spread_sd, 2));
        break;
    case ROW_HELD_OUT:
        if (fit->states != NULL)
            break; /* each channel's has a unit of its own */
        if (r->held_out_points > 0 && (r->n_cameras == 0 || !isnan(r->held_out_rms_m)))
            snprintf(cell, ARC_TABLE_NUMBER, "%.24s mm, %d points",
                     arc_table_plain(a, 1e3 * r->held_out_rms_m, 3), r->held_out_points);
        else if (r->held_out_points > 0)
            snprintf(cell, ARC_TABLE_NUMBER, "%.24s px, %d points",
                     arc_table_plain(a, r->held_out_rms_px, 3), r->held_out_points);
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
    arc_section_row(table, result->n_fits, "fit", cells);
    for (int row = 0; row < (verbose ? N_ROWS : ROW_TIME); row++) {
        for (int i = 0; i < result->n_fits; i++)
            section_residual(cells[i], result->fits[i], row);
        arc_section_row(table, result->n_fits, section_labels[row], cells);
    }
    arc_text_append(table, "\n");
}

/* Both methods side by side with the difference in standard deviations. */
static void section_compared(ArcText *table, const ArcResult *result)
{
    char value[ARC_TABLE_NUMBER];
    const ArcFit *pinn = result->fits[0], *direct = result->fits[1];
    arc_table_heading(table, 2, result->fits, "parameter", "difference");
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

void arc_section_parameters(ArcText *table, const ArcResult *result, bool is_compared)
{
    if (arc_arm_parts_of(result->fits[0]) != NULL) {
        arc_arm_parts_text(table, result, is_compared);
        return;
    }
    if (arc_states_parts_of_result(result) != NULL) {
        arc_states_parts_estimates(table, result, is_compared);
        return;
    }
    if (is_compared) {
        section_compared(table, result);
    } else if (result->fits[0]->n_parameters > 0) {
        arc_table_estimates(table, result->n_fits, result->fits, false);
        arc_text_append(table, "\n");
    }
    arc_arm_parts_readings(table, result);
}

/* One paragraph per null direction: which parameters are mixed up, and what to do. */
static void section_unidentified(ArcText *table, const ArcFit *fit, const char *method)
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
static bool section_same_groups(const ArcFit *a, const ArcFit *b)
{
    bool same = a->n_unidentified == b->n_unidentified;
    for (int g = 0; same && g < a->n_unidentified; g++)
        same = a->unidentified_size[g] == b->unidentified_size[g] &&
               memcmp(a->unidentified[g], b->unidentified[g],
                      (size_t)a->unidentified_size[g] * sizeof(int)) == 0;
    return same;
}

/* Why parameter p stands at its bound; the second fit's only where it differs. */
static void section_bound(ArcText *table, int n_fits, const ArcFit *const *fits, int p)
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

/* Which laws were switched on one after the other; the method only where the other did not. */
static void section_stages(ArcText *table, int n_fits, const ArcFit *const *fits)
{
    const char *stages[2] = {fits[0]->stages, fits[n_fits - 1]->stages};
    bool same = stages[0] != NULL && stages[1] != NULL && strcmp(stages[0], stages[1]) == 0;
    for (int i = 0; i < (same ? 1 : n_fits); i++) {
        char line[128];
        if (stages[i] == NULL)
            continue;
        snprintf(line, sizeof line, "%.100s%s", stages[i],
                 same || n_fits == 1           ? ""
                 : fits[i]->method == ARC_PINN ? " (PINN)"
                                               : " (direct)");
        arc_table_entry(table, "laws in stages", line);
    }
}

void arc_section_remarks(ArcText *table, int n_fits, const ArcFit *const *fits)
{
    size_t before = table->size;
    bool same = n_fits == 1 || section_same_groups(fits[0], fits[1]);
    for (int i = 0; i < (same ? 1 : n_fits); i++)
        section_unidentified(table, fits[i],
                             same                          ? ""
                             : fits[i]->method == ARC_PINN ? " (PINN)"
                                                           : " (direct)");
    /* The fit that counts says for both what is behind it. */
    const ArcFit *counts = fits[n_fits - 1];
    arc_identifiability_parts_text(table, counts->identifiability != NULL ? counts : fits[0]);
    for (int i = 0; i < n_fits; i++)
        if (fits[i]->stop_note != NULL)
            arc_table_entry(table, fits[i]->method == ARC_PINN ? "stopped, PINN" : "stopped",
                            fits[i]->stop_note);
    section_stages(table, n_fits, fits);
    for (int p = 0; p < fits[0]->n_parameters; p++)
        section_bound(table, n_fits, fits, p);
    arc_remarks_text(table, n_fits, fits);
    if (table->size != before)
        arc_text_append(table, "\n");
}

/* Whether the data tell the free parameter of this row of the covariance. */
static bool section_is_identified(const ArcFit *fit, int row)
{
    for (int p = 0; p < fit->n_parameters; p++) {
        if (fit->parameters[p].free_index == row)
            return fit->parameters[p].status != ARC_PARAMETER_UNIDENTIFIED;
    }
    return false;
}

double arc_section_correlation(const ArcFit *fit, int i, int j)
{
    if (!section_is_identified(fit, i) || !section_is_identified(fit, j))
        return NAN;
    size_t n = (size_t)fit->n_free, row = (size_t)i, column = (size_t)j;
    double norm = sqrt(fit->covariance[row * n + row] * fit->covariance[column * n + column]);
    return i == j && isfinite(norm) ? 1 : fit->covariance[row * n + column] / norm;
}

const ArcFit *arc_section_fit(const ArcResult *result)
{
    const ArcFit *direct = arc_result_fit(result, ARC_DIRECT);
    return direct != NULL ? direct : result->fits[0];
}
