/* Tables of numbers: parameters and derived numbers of both methods side by side, flights, how the
 * fits ended and what they leave, outliers. Wide ones scroll within themselves. */
#include "base/file.h"
#include "page/markup.h"
#include "page/parts.h"
#include "report/camera_parts.h"
#include "report/flights_parts.h"
#include "report/remarks.h"
#include "report/section.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_OUTLIERS = 20 };

static const char *method_name(const ArcFit *fit)
{
    return fit->method == ARC_PINN ? "PINN" : "Direct";
}

void arc_page_begin_table(ArcText *page, const ArcPagePart *part, const char *caption)
{
    arc_text_append(page, "<div class=\"scroll\" role=\"region\" aria-label=\"%s", caption);
    if (part->index > 0)
        arc_text_append(page, " (result %d)", part->index);
    arc_text_append(page, "\" tabindex=\"0\"><table><caption>%s</caption>\n<thead><tr>", caption);
}

/* Digits, but of what is nearly nothing none. */
static const char *plain(char number[ARC_TABLE_NUMBER], double value, int digits)
{
    return value != 0 && fabs(value) < 0.001 ? "&lt;&nbsp;0.001"
                                             : arc_table_plain(number, value, digits);
}

static void heading(ArcText *page, const char *text)
{
    arc_text_append(page, "<th scope=\"col\">%s</th>", text);
}

static void end_table(ArcText *page)
{
    arc_text_append(page, "</tbody></table></div>\n");
}

static void row_heading(ArcText *page, const char *name)
{
    arc_text_append(page, "<tr><th scope=\"row\">");
    arc_markup_name(page, name);
    arc_text_append(page, "</th>");
}

/* value ± sd, and its interval below; nothing where e is NULL. */
static void estimate_cell(ArcText *page, const ArcEstimate *e)
{
    arc_text_append(page, "<td>");
    if (e == NULL) {
        arc_text_append(page, "–</td>");
        return;
    }
    arc_markup_value(page, e->value, e->sd, e->unit);
    if (e->sd > 0 && !isnan(e->ci95[0])) {
        arc_text_append(page, "<span class=\"interval\">");
        arc_markup_interval(page, e->ci95, e->sd, e->unit);
        arc_text_append(page, "</span>");
    }
    arc_text_append(page, "</td>");
}

/* The experiment's parameter of that name; NULL: none. */
static const ArcParameter *given(const ArcPageItem *item, const char *name)
{
    for (int p = 0; item->experiment != NULL && p < item->experiment->n_parameters; p++)
        if (strcmp(item->experiment->parameters[p].name, name) == 0)
            return &item->experiment->parameters[p];
    return NULL;
}

static void prior_cell(ArcText *page, const ArcPageItem *item, const ArcEstimate *e)
{
    const ArcParameter *parameter = given(item, e->name);
    arc_text_append(page, "<td>");
    if (parameter != NULL && parameter->has_prior && parameter->is_free)
        arc_markup_value(page, parameter->prior_mean, parameter->prior_sd, e->unit);
    else
        arc_text_append(page, "–");
    arc_text_append(page, "</td>");
}

/* The statuses of both fits, one where they agree, and their reasons. */
static void status_cell(ArcText *page, int n_fits, const ArcFit *const *fits, int p)
{
    arc_text_append(page, "<td>");
    for (int i = 0; i < n_fits; i++) {
        const ArcEstimate *e = &fits[i]->parameters[p];
        if (i == 1 && e->status == fits[0]->parameters[p].status)
            break;
        bool differs = n_fits == 2 && e->status != fits[1 - i]->parameters[p].status;
        arc_text_append(page, "%s<span class=\"status %s\">%s</span>%s", i == 1 ? ", " : "",
                        arc_parameter_status_text(e->status), arc_parameter_status_text(e->status),
                        !differs ? ""
                        : i == 0 ? " (PINN)"
                                 : " (direct)");
        if (e->reason != NULL) {
            arc_text_append(page, "<span class=\"interval\">");
            arc_markup_text(page, e->reason);
            arc_text_append(page, "</span>");
        }
    }
    arc_text_append(page, "</td>");
}

static void parameter_row(ArcText *page, const ArcPagePart *part, int p)
{
    char number[ARC_TABLE_NUMBER];
    const ArcResult *result = part->item->result;
    const ArcEstimate *e = &arc_section_fit(result)->parameters[p];
    row_heading(page, e->name);
    for (int i = 0; i < result->n_fits; i++)
        estimate_cell(page, &result->fits[i]->parameters[p]);
    if (result->comparison.both) {
        double in_sd = result->comparison.in_sd[p];
        arc_text_append(page, "<td>%s%s</td>", isnan(in_sd) ? "–" : plain(number, in_sd, 2),
                        isnan(in_sd) ? "" : "&nbsp;sd");
    }
    if (part->item->experiment != NULL)
        prior_cell(page, part->item, e);
    arc_text_append(page, "<td>");
    if (e->status != ARC_PARAMETER_FIXED && !isnan(e->start))
        arc_markup_rounded(page, e->start, e->sd, e->unit);
    else
        arc_text_append(page, "–");
    arc_text_append(page, "</td>");
    status_cell(page, result->n_fits, result->fits, p);
    arc_text_append(page, "</tr>\n");
}

/* Whether all fits held it. */
static bool is_held(const ArcResult *result, int p)
{
    bool held = true;
    for (int i = 0; i < result->n_fits; i++)
        held = held && result->fits[i]->parameters[p].status == ARC_PARAMETER_FIXED;
    return held;
}

static void put_parameters(ArcText *page, const ArcPagePart *part)
{
    const ArcResult *result = part->item->result;
    bool has_any = false;
    for (int p = 0; p < result->fits[0]->n_parameters; p++)
        has_any = has_any || !is_held(result, p);
    if (!has_any)
        return;
    arc_page_begin_table(page, part,
                         result->n_flights > 0
                             ? "Parameters shared by all, value ± sd and 95 % interval"
                             : "Parameters, value ± sd and 95 % interval");
    heading(page, "Parameter");
    for (int i = 0; i < result->n_fits; i++)
        heading(page, method_name(result->fits[i]));
    if (result->comparison.both)
        heading(page, "PINN minus direct");
    if (part->item->experiment != NULL)
        heading(page, "Prior");
    heading(page, "Start");
    heading(page, "Status");
    arc_text_append(page, "</tr></thead>\n<tbody>\n");
    for (int p = 0; p < result->fits[0]->n_parameters; p++)
        if (!is_held(result, p))
            parameter_row(page, part, p);
    end_table(page);
}

/* What was not to be found needs no row of its own. */
static void put_held(ArcText *page, const ArcResult *result)
{
    int told = 0;
    for (int p = 0; p < result->fits[0]->n_parameters; p++) {
        const ArcEstimate *e = &result->fits[0]->parameters[p];
        if (!is_held(result, p))
            continue;
        arc_text_append(page, told++ == 0 ? "<p class=\"held\">Held fixed: " : ", ");
        arc_text_append(page, "<span><b>");
        arc_markup_name(page, e->name);
        arc_text_append(page, "</b> ");
        arc_markup_value(page, e->value, 0, e->unit);
        arc_text_append(page, "</span>");
    }
    if (told > 0)
        arc_text_append(page, ".</p>\n");
}

/* A fit may lack a derived number that the other has. */
static void put_derived(ArcText *page, const ArcPagePart *part)
{
    const ArcResult *result = part->item->result;
    int n = 0;
    for (int f = 0; f < result->n_fits; f++)
        n += result->fits[f]->n_derived;
    if (n == 0)
        return;
    arc_page_begin_table(page, part,
                         "Numbers that follow from the parameters, value ± sd and 95 % interval");
    heading(page, "Number");
    for (int i = 0; i < result->n_fits; i++)
        heading(page, method_name(result->fits[i]));
    arc_text_append(page, "</tr></thead>\n<tbody>\n");
    for (int f = 0; f < result->n_fits; f++) {
        for (int p = 0; p < result->fits[f]->n_derived; p++) {
            const char *name = result->fits[f]->derived[p].name;
            if (f == 1 && arc_remarks_derived(result->fits[0], name) != NULL)
                continue;
            row_heading(page, name);
            for (int i = 0; i < result->n_fits; i++)
                estimate_cell(page, arc_remarks_derived(result->fits[i], name));
            arc_text_append(page, "</tr>\n");
        }
    }
    end_table(page);
}

/* A row a flight, its own parameters by the fit that counts. */
static void put_flights(ArcText *page, const ArcPagePart *part)
{
    const ArcResult *result = part->item->result;
    const ArcFit *fit = arc_section_fit(result);
    char a[ARC_TABLE_NUMBER];
    if (fit->n_flights == 0)
        return;
    arc_page_begin_table(page, part, "Each flight’s own parameters, ± sd and 95 % interval");
    heading(page, "Flight");
    heading(page, "chi² of numbers");
    for (int p = 0; p < fit->flights[0].n_parameters; p++) {
        const ArcEstimate *e = &fit->flights[0].parameters[p];
        if (e->status == ARC_PARAMETER_FIXED || !arc_flights_is_own(fit, e->name))
            continue;
        arc_text_append(page, "<th scope=\"col\">");
        arc_markup_name(page, e->name);
        arc_text_append(page, "</th>");
    }
    arc_text_append(page, "</tr></thead>\n<tbody>\n");
    for (int i = 0; i < fit->n_flights; i++) {
        const ArcFit *flight = &fit->flights[i];
        snprintf(a, sizeof a, "%d", i + 1);
        row_heading(page, flight->flight != NULL ? arc_file_name(flight->flight) : a);
        arc_text_append(page, "<td>%s of %d</td>", plain(a, flight->residuals.chi2, 3),
                        flight->residuals.observations);
        for (int p = 0; p < flight->n_parameters; p++)
            if (fit->flights[0].parameters[p].status != ARC_PARAMETER_FIXED &&
                arc_flights_is_own(fit, flight->parameters[p].name))
                estimate_cell(page, &flight->parameters[p]);
        arc_text_append(page, "</tr>\n");
    }
    end_table(page);
}

/* What both fits remark is said once. */
static void put_remarks(ArcText *page, const ArcResult *result)
{
    for (int f = 0, told = 0; f < result->n_fits; f++) {
        for (int i = 0; i < result->fits[f]->n_remarks; i++) {
            const char *remark = result->fits[f]->remarks[i];
            bool is_known = false;
            for (int k = 0; f == 1 && k < result->fits[0]->n_remarks; k++)
                is_known = is_known || strcmp(result->fits[0]->remarks[k], remark) == 0;
            if (is_known)
                continue;
            arc_text_append(page, "%s<li dir=\"auto\">",
                            told++ == 0 ? "<ul class=\"remarks\">\n" : "");
            arc_markup_text(page, remark);
            arc_text_append(page, "</li>\n");
        }
        if (told > 0 && f + 1 == result->n_fits)
            arc_text_append(page, "</ul>\n");
    }
}

void arc_page_parameters(ArcText *page, const ArcPagePart *part)
{
    const ArcResult *result = part->item->result;
    arc_page_section(page, part, "numbers", "Numbers");
    put_parameters(page, part);
    put_held(page, result);
    put_flights(page, part);
    put_derived(page, part);
    put_remarks(page, result);
    arc_page_end_section(page);
}

/* Residuals are read in mm, of imperial units in inches. */
static void write_small(ArcText *page, const void *what, ArcUnits units)
{
    char number[ARC_TABLE_NUMBER];
    double value_m = *(const double *)what;
    bool is_inch = units == ARC_UNITS_IMPERIAL;
    arc_text_append(page, "%s&nbsp;%s",
                    arc_table_plain(number, value_m * (is_inch ? 1 / 0.0254 : 1e3), 3),
                    is_inch ? "in" : "mm");
}

static void small_cell(ArcText *page, double value_m)
{
    arc_text_append(page, "<td>");
    if (isnan(value_m))
        arc_text_append(page, "–");
    else
        arc_markup_in_units(page, write_small, &value_m);
    arc_text_append(page, "</td>");
}

typedef enum Row {
    ROW_END,
    ROW_CHI2,
    ROW_PRIORS,
    ROW_DOF,
    ROW_RMS,
    ROW_RMS_PX,
    ROW_HELD_OUT,
    ROW_PHYSICS,
    ROW_STARTS,
    N_ROWS
} Row;

static const char *const row_names[N_ROWS] = {"Converged",
                                              "chi² of what was measured",
                                              "chi² of priors",
                                              "Degrees of freedom",
                                              "RMS residual",
                                              "RMS residual, pixels",
                                              "RMS of held-out points",
                                              "RMS of physics between nodes, of what was allowed",
                                              "Starts that converged"};

/* Whether any of the fits has something to say in this row. */
static bool has_row(const ArcFit *fit, Row row)
{
    const ArcResiduals *r = &fit->residuals;
    switch (row) {
    case ROW_PRIORS:
        return r->prior_chi2 > 0;
    case ROW_RMS:
        return !isnan(r->rms_m) && fit->states == NULL;
    case ROW_RMS_PX:
        return r->n_cameras > 0;
    case ROW_HELD_OUT:
        return r->held_out_points > 0 && fit->states == NULL && !isnan(r->held_out_rms_m);
    case ROW_PHYSICS:
        return !isnan(r->physics_rms_fine_m_s2);
    case ROW_STARTS:
        return fit->n_starts > 1;
    default:
        return true;
    }
}

static void put_cell(ArcText *page, const ArcFit *fit, Row row)
{
    const ArcResiduals *r = &fit->residuals;
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    if (!has_row(fit, row)) {
        arc_text_append(page, "<td>–</td>");
        return;
    }
    if (row == ROW_RMS || row == ROW_HELD_OUT) {
        small_cell(page, row == ROW_RMS ? r->rms_m : r->held_out_rms_m);
        return;
    }
    arc_text_append(page, "<td>");
    if (row == ROW_END)
        arc_text_append(page, "%s (%s, %d step%s)", fit->converged ? "yes" : "<strong>no</strong>",
                        arc_stop_text(fit->stop), fit->iterations, fit->iterations == 1 ? "" : "s");
    else if (row == ROW_CHI2)
        arc_text_append(page, "%s of %d numbers", plain(a, r->chi2, 4),
                        r->observations + r->n_readings + r->n_swing);
    else if (row == ROW_PRIORS)
        arc_text_append(page, "%s", plain(a, r->prior_chi2, 4));
    else if (row == ROW_DOF && isnan(r->chi2_p))
        arc_text_append(page, "%d", r->dof);
    else if (row == ROW_DOF)
        arc_text_append(page, "%d (p %s)", r->dof, plain(a, r->chi2_p, 3));
    else if (row == ROW_RMS_PX)
        arc_text_append(page, "%s&nbsp;px", arc_table_plain(a, r->rms_px, 3));
    else if (row == ROW_PHYSICS)
        arc_text_append(page, "%s&nbsp;%% of %s&nbsp;%s",
                        plain(a, 100 * r->physics_rms_fine_m_s2 / r->sigma_phys_m_s2, 2),
                        arc_table_plain(b, r->sigma_phys_m_s2, 2),
                        fit->states == NULL       ? "m/s²"
                        : fit->states->order == 1 ? "/s"
                                                  : "/s²");
    else
        arc_text_append(page, "%d of %d, %s sd apart", fit->n_starts_converged, fit->n_starts,
                        arc_table_plain(a, fit->start_spread_sd, 2));
    arc_text_append(page, "</td>");
}

static void put_ends(ArcText *page, const ArcPagePart *part)
{
    const ArcResult *result = part->item->result;
    arc_page_begin_table(page, part, "How the fits ended, and what they leave over");
    heading(page, "Number");
    for (int i = 0; i < result->n_fits; i++)
        heading(page, method_name(result->fits[i]));
    arc_text_append(page, "</tr></thead>\n<tbody>\n");
    for (int row = 0; row < N_ROWS; row++) {
        bool has_any = false;
        for (int i = 0; i < result->n_fits; i++)
            has_any = has_any || has_row(result->fits[i], (Row)row);
        if (!has_any)
            continue;
        arc_text_append(page, "<tr><th scope=\"row\">%s</th>", row_names[row]);
        for (int i = 0; i < result->n_fits; i++)
            put_cell(page, result->fits[i], (Row)row);
        arc_text_append(page, "</tr>\n");
    }
    end_table(page);
}

/* The file and line that an outlier is from. */
static void put_place(ArcText *page, const ArcCapture *capture, const ArcOutlier *outlier)
{
    const char *file = outlier->camera >= 0 && capture->camera_files != NULL
                           ? capture->camera_files[outlier->camera]
                           : capture->file;
    arc_text_append(page, "<td>");
    if (file != NULL)
        arc_markup_name(page, arc_file_name(file));
    if (outlier->line > 0)
        arc_text_append(page, ":%d", outlier->line);
    arc_text_append(page, "</td>");
}

static void outlier_row(ArcText *page, const ArcFit *fit, const ArcCapture *capture,
                        const ArcOutlier *o)
{
    static const char *const axes[] = {"x", "y", "z"};
    char a[ARC_TABLE_NUMBER], point[24];
    snprintf(point, sizeof point, "%d", o->point + 1);
    row_heading(page, point);
    put_place(page, capture, o);
    arc_text_append(page, "<td>");
    if (fit->states != NULL)
        arc_markup_name(page, fit->states->channels[o->axis].name);
    else if (o->camera >= 0)
        arc_markup_name(page, capture->cameras[o->camera].name);
    arc_text_append(page, "%s%s</td>", o->camera >= 0 ? " " : "",
                    fit->states != NULL ? ""
                    : o->camera >= 0    ? arc_camera_parts_axis(o->axis)
                                        : axes[o->axis]);
    if (o->camera < 0 && fit->states == NULL)
        small_cell(page, o->residual_m);
    else
        arc_text_append(page, "<td>%s%s</td>", arc_table_plain(a, o->residual_m, 3),
                        o->camera >= 0 ? "&nbsp;px" : "");
    arc_text_append(page, "<td>%s&nbsp;sd</td>", arc_table_plain(a, o->residual_sd, 3));
    arc_text_append(page, "<td>%s</td></tr>\n", arc_table_plain(a, o->weight, 2));
}

void arc_page_outliers(ArcText *page, const ArcPagePart *part)
{
    const ArcResult *result = part->item->result;
    const ArcFit *fit = arc_section_fit(result);
    const ArcSpread *spread = &fit->spread;
    if (spread->n_outliers == 0)
        return;
    arc_page_section(page, part, "outliers", "Outliers");
    arc_page_begin_table(page, part, "Points that noise would not carry so far");
    heading(page, "Point");
    heading(page, "Where");
    heading(page, "Axis");
    heading(page, "Off by");
    heading(page, "In sd");
    heading(page, "Weight");
    arc_text_append(page, "</tr></thead>\n<tbody>\n");
    for (int i = 0; i < spread->n_outliers && i < MOST_OUTLIERS; i++)
        outlier_row(page, fit, result->capture, &spread->outliers[i]);
    end_table(page);
    if (spread->n_outliers > MOST_OUTLIERS)
        arc_text_append(page, "<p>And %d more.</p>\n", spread->n_outliers - MOST_OUTLIERS);
    arc_page_end_section(page);
}

void arc_page_residuals(ArcText *page, const ArcPagePart *part)
{
    const ArcResult *result = part->item->result;
    arc_page_section(page, part, "fit", "How the fit ended");
    put_ends(page, part);
    if (arc_section_fit(result)->spread.note != NULL) {
        arc_text_append(page, "<p>Of the intervals: ");
        arc_markup_text(page, arc_section_fit(result)->spread.note);
        arc_text_append(page, ".</p>\n");
    }
    arc_page_end_section(page);
}
