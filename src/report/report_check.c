/* What will be fitted and what the data can identify, before any fit: what `arcfit check` prints.
 */
#include "arcfit/report.h"

#include "arcfit/joint.h"
#include "arcfit/version.h"
#include "io/json.h"
#include "report/arm_check.h"
#include "report/arm_sections.h"
#include "report/diagnosis_parts.h"
#include "report/document.h"
#include "report/flights_parts.h"
#include "report/hardly.h"
#include "report/identifiability_parts.h"
#include "report/section.h"
#include "report/states_parts.h"
#include "report/stretch_parts.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>

enum { NAME_WIDTH = 13 };

/* Data that leave so much of a prior's sd, or of the width of a range, tell next to nothing. */
static const double prior_share = 0.9, range_share = 0.25;

static void check_span(const ArcCapture *capture, double span_s[2])
{
    span_s[0] = INFINITY;
    span_s[1] = -INFINITY;
    for (int i = 0; i < capture->n_points; i++) {
        if (capture->use[i] == ARC_POINT_UNUSED)
            continue;
        span_s[0] = fmin(span_s[0], capture->time_s[i]);
        span_s[1] = fmax(span_s[1], capture->time_s[i]);
    }
}

/* One line: start, bounds, prior, sd as expected after the fit. */
static void check_row(ArcText *table, const ArcParameter *parameter, const ArcEstimate *estimate)
{
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER], cell[2 * ARC_TABLE_NUMBER + 8];
    arc_table_name(table, NAME_WIDTH, parameter->name);
    arc_table_cell(table, 11, arc_table_plain(a, estimate->start, 5));
    if (isinf(parameter->low) && isinf(parameter->high))
        snprintf(cell, sizeof cell, "-");
    else
        snprintf(cell, sizeof cell, "[%s, %s]", arc_table_plain(a, parameter->low, 4),
                 arc_table_plain(b, parameter->high, 4));
    arc_table_cell(table, 16, parameter->is_free ? cell : "-");
    if (parameter->has_prior)
        snprintf(cell, sizeof cell, "%s \xc2\xb1 %s", arc_table_plain(a, parameter->prior_mean, 4),
                 arc_table_plain(b, parameter->prior_sd, 2));
    arc_table_cell(table, 17, parameter->has_prior ? cell : "-");
    const char *expected = arc_parameter_status_text(estimate->status);
    if (estimate->status != ARC_PARAMETER_FIXED && isfinite(estimate->sd))
        expected = arc_table_plain(a, estimate->sd, 2);
    arc_table_cell(table, 12, expected);
    arc_table_last(table, 0, parameter->unit);
}

/* What stands before a table of parameters. */
static void check_heading(ArcText *table, const char *name)
{
    arc_text_append(table, "%-*s %-11s %-16s %-17s %-12s unit\n", NAME_WIDTH, name, "start",
                    "bounds", "prior", "expected sd");
}

/* The rows of all parameters, or those of one section of an arm. */
static void check_rows(ArcText *table, const ArcExperiment *experiment, const ArcFit *forecast,
                       const ArcArmSection *section)
{
    bool has_heading = false, has_fixed = false;
    const char *name = section == NULL ? "parameter" : arc_arm_section_heading(*section);
    for (int p = 0; p < experiment->n_parameters; p++) {
        const ArcParameter *parameter = &experiment->parameters[p];
        const ArcEstimate *estimate = &forecast->parameters[p];
        if (section != NULL &&
            (arc_arm_section_of(parameter->name) != *section || arc_arm_section_is_told(estimate)))
            continue;
        if (!has_heading)
            check_heading(table, name);
        has_heading = true;
        check_row(table, parameter, estimate);
    }
    if (section != NULL)
        has_fixed = arc_arm_section_fixed(table, has_heading ? "" : name, forecast, *section);
    if (has_heading || has_fixed)
        arc_text_append(table, "\n");
}

/* With an arm: by what they are of, as in its results. */
static void check_sections(ArcText *table, const ArcExperiment *experiment, const ArcFit *forecast)
{
    for (int k = 0; k < ARC_N_SECTIONS; k++) {
        ArcArmSection section = (ArcArmSection)k;
        check_rows(table, experiment, forecast, &section);
    }
}

/* Of own equations: parameters, and the states that a run begins with. */
static void check_states(ArcText *table, const ArcExperiment *experiment, const ArcFit *forecast,
                         const ArcStatesFit *states)
{
    for (int pass = 0; pass < 2; pass++) {
        check_heading(table, pass == 0 ? "parameter" : "state at t0");
        for (int p = 0; p < experiment->n_parameters; p++) {
            const ArcParameter *parameter = &experiment->parameters[p];
            if ((arc_states_parts_start(states, parameter->name) >= 0) == (pass == 1))
                check_row(table, parameter, &forecast->parameters[p]);
        }
        arc_text_append(table, "\n");
    }
}

/* Whether the sd to expect is as wide as what is known without the data: the prior, the bounds, or
 * the range of values that make sense. */
static bool check_is_hardly_told(const ArcExperiment *experiment, const ArcFit *forecast, int p)
{
    const ArcParameter *parameter = &experiment->parameters[p];
    const ArcEstimate *estimate = &forecast->parameters[p];
    const ArcEquations *own = experiment->equations;
    const ArcParameterInfo *list = own != NULL ? own->parameters : experiment->flight.parameters;
    bool is_listed = p < (own != NULL ? own->n_parameters : experiment->flight.n_parameters);
    double low = parameter->low, high = parameter->high;
    if (isinf(low) && is_listed)
        low = list[p].low;
    if (isinf(high) && is_listed)
        high = list[p].high;
    if (estimate->status != ARC_PARAMETER_FREE || !isfinite(estimate->sd))
        return false;
    return (parameter->has_prior && estimate->sd >= prior_share * parameter->prior_sd) ||
           estimate->sd >= range_share * (high - low) ||
           (own == NULL && arc_hardly_known(estimate) != NULL);
}

static void check_verdict(ArcText *table, const ArcExperiment *experiment, const ArcFit *forecast)
{
    ArcText text = {0};
    char *sentence;
    int n = 0;
    arc_text_append(&text, "the data %s every free parameter at the starts",
                    forecast->n_unidentified > 0 ? "cannot identify" : "identify");
    for (int p = 0; p < experiment->n_parameters; p++)
        if (check_is_hardly_told(experiment, forecast, p))
            arc_text_append(&text, "%s%s", n++ == 0 ? ", and say next to nothing of " : ", ",
                            experiment->parameters[p].name);
    if (n > 0)
        arc_text_append(&text, " (see %s expected sd)", n == 1 ? "its" : "their");
    if (arc_text_finish(&text, &sentence, NULL) != ARC_OK) {
        table->failed = true;
        return;
    }
    arc_table_entry(table, "verdict", sentence);
    arc_text_free(sentence);
}

/* Of several flights the one that is shown, by arc_joint_telling_flight; else the only one. */
static const ArcFit *shown_flight(const ArcFit *forecast)
{
    return forecast->n_flights > 0 ? &forecast->flights[arc_joint_telling_flight(forecast)]
                                   : forecast;
}

/* How many flights there are, and which one the rest is about. */
static void check_flights(ArcText *table, const ArcFit *forecast, const char *word)
{
    char entry[16];
    char line[256];
    int n_unknown = 0, shown = arc_joint_telling_flight(forecast), own = 0;
    for (int f = 0; f < forecast->n_flights; f++)
        n_unknown += forecast->flights[f].n_unidentified > 0;
    if (forecast->n_flights == 0)
        return;
    for (int i = 0; i < forecast->flights[0].n_parameters; i++)
        own += forecast->flights[0].parameters[i].free_index >= 0 &&
               arc_flights_is_own(forecast, forecast->flights[0].parameters[i].name);
    snprintf(line, sizeof line, "%d, fitted together; free parameters: %d shared, %d of each %s",
             forecast->n_flights, forecast->n_free, own, word);
    snprintf(entry, sizeof entry, "%.10ss", word);
    arc_table_entry(table, entry, line);
    if (n_unknown > 0) {
        snprintf(line, sizeof line, "%d of them do not tell all of their parameters", n_unknown);
        arc_table_entry(table, "", line);
    }
    snprintf(line, sizeof line, "below: %s %d, as one of all", word, shown + 1);
    arc_table_entry(table, "", line);
}

/* The equations' names and units, where the experiment has own ones: a fit without residuals. */
static ArcFit check_fit(const ArcExperiment *experiment, const ArcFit *forecast,
                        ArcStatesFit *states)
{
    const ArcEquations *own = experiment->equations;
    ArcFit fit = *forecast;
    if (own == NULL)
        return fit;
    *states = (ArcStatesFit){.model = own->name,
                             .order = own->order,
                             .n_states = own->n_states,
                             .n_channels = own->n_channels};
    for (int c = 0; c < own->n_channels; c++) {
        states->channels[c].name = own->channels[c].name;
        states->channels[c].unit = own->channels[c].unit;
    }
    fit.states = states;
    return fit;
}

ArcStatus arc_report_check_text(const ArcExperiment *experiment, const ArcCapture *capture,
                                const ArcFit *whole, const ArcDiagnosis *diagnosis, char **text,
                                ArcError *err)
{
    ArcText table = {0};
    ArcStatesFit states;
    const ArcFit fit = check_fit(experiment, shown_flight(whole), &states), *forecast = &fit;
    const ArcResult shown = {.name = experiment->name,
                             .experiment_path = experiment->path,
                             .fits = {forecast, NULL}, /* n_fits 0: no fit yet */
                             .capture = capture,
                             .n_settings = experiment->n_settings,
                             .setting_paths = experiment->setting_paths,
                             .setting_values = experiment->setting_values};
    char line[128], a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    double span_s[2];
    arc_section_header(&table, &shown);
    check_flights(&table, whole, arc_states_parts_word(&shown));
    check_span(capture, span_s);
    snprintf(line, sizeof line, "%.40s s to %.40s s", arc_table_plain(a, span_s[0], 6),
             arc_table_plain(b, span_s[1], 6));
    arc_table_entry(&table, "time", line);
    snprintf(line, sizeof line, "%s%s%s; seed %llu", experiment->use_pinn ? "PINN" : "",
             experiment->use_pinn && experiment->use_direct ? ", " : "",
             experiment->use_direct ? "direct" : "", (unsigned long long)experiment->seed);
    arc_table_entry(&table, "methods", line);
    const ArcResiduals *r = &forecast->residuals;
    int used = snprintf(line, sizeof line, "%d observations, ", r->observations);
    if (r->n_readings > 0)
        used += snprintf(line + used, sizeof line - (size_t)used, "%d readings, ", r->n_readings);
    if (r->n_swing > 0)
        used += snprintf(line + used, sizeof line - (size_t)used, "%d numbers of the swing, ",
                         r->n_swing);
    snprintf(line + used, sizeof line - (size_t)used, "%d free parameters", forecast->n_free);
    arc_table_entry(&table, "problem", line);
    const ArcArmChecked arm = {experiment, capture, forecast, whole};
    arc_arm_check_text(&table, &arm);
    arc_text_append(&table, "\n");
    if (fit.states != NULL)
        arc_states_parts_check_text(&table, fit.states, capture);
    if (experiment->has_arm)
        check_sections(&table, experiment, forecast);
    else if (fit.states != NULL)
        check_states(&table, experiment, forecast, fit.states);
    else
        check_rows(&table, experiment, forecast, NULL);
    if (experiment->n_targets > 0) {
        arc_table_entry(&table, "at the starts", "derived numbers, with the sd expected there");
        arc_table_estimates(&table, 1, &forecast, true);
        arc_text_append(&table, "\n");
    }
    arc_section_remarks(&table, 1, &forecast);
    check_verdict(&table, experiment, forecast);
    if (diagnosis != NULL)
        arc_diagnosis_parts_text(&table, capture, &experiment->flight, diagnosis,
                                 arc_experiment_open(experiment, capture).scale);
    return arc_text_finish(&table, text, err);
}

static json_t *check_parameters(ArcJson *json, const ArcExperiment *experiment,
                                const ArcFit *forecast)
{
    json_t *object =
        arc_document_estimates(json, forecast->n_parameters, forecast->parameters, false);
    for (int p = 0; p < experiment->n_parameters; p++) {
        const ArcParameter *parameter = &experiment->parameters[p];
        json_t *row = json_object_get(object, parameter->name);
        const double bounds[2] = {parameter->low, parameter->high};
        if (!parameter->is_free)
            continue;
        arc_json_put(json, row, "bounds", arc_json_vector(json, 2, bounds));
        if (!parameter->has_prior)
            continue;
        json_t *prior = arc_json_object(json);
        arc_json_put_number(json, prior, "mean", parameter->prior_mean);
        arc_json_put_number(json, prior, "sd", parameter->prior_sd);
        arc_json_put(json, row, "prior", prior);
    }
    return object;
}

ArcStatus arc_report_check_json(const ArcExperiment *experiment, const ArcCapture *capture,
                                const ArcFit *whole, const ArcDiagnosis *diagnosis, char **text,
                                ArcError *err)
{
    ArcJson json = {0};
    ArcStatesFit states;
    const ArcFit fit = check_fit(experiment, shown_flight(whole), &states), *forecast = &fit;
    double span_s[2];
    json_t *object =
        arc_document_head(&json, ARC_VERSION, experiment->path, experiment->name, experiment->seed);
    json_t *points = arc_json_object(&json);
    check_span(capture, span_s);
    arc_json_put_integer(&json, points, "fitted", capture->n_fit);
    arc_json_put_integer(&json, points, "held_out", capture->n_held_out);
    arc_json_put_integer(&json, points, "unused",
                         capture->n_points - capture->n_fit - capture->n_held_out);
    arc_json_put(&json, object, "points", points);
    if (whole->n_flights > 0) {
        arc_json_put(&json, object, "shared",
                     arc_document_estimates(&json, whole->n_parameters, whole->parameters, false));
        arc_json_put_integer(&json, object, "flight", arc_joint_telling_flight(whole) + 1);
        arc_json_put(&json, object, "flights", arc_flights_json(&json, whole));
    }
    if (fit.states != NULL)
        arc_json_put(&json, object, "states",
                     arc_states_parts_check_json(&json, fit.states, capture));
    if (capture->stretch != NULL)
        arc_json_put(&json, object, "window", arc_stretch_parts_json(&json, capture));
    arc_json_put(&json, object, "time_s", arc_json_vector(&json, 2, span_s));
    arc_json_put_integer(&json, object, "observations", forecast->residuals.observations);
    arc_json_put(&json, object, "parameters", check_parameters(&json, experiment, forecast));
    if (experiment->n_targets > 0)
        arc_json_put(&json, object, "derived",
                     arc_document_estimates(&json, forecast->n_derived, forecast->derived, true));
    arc_json_put(&json, object, "unidentified", arc_document_unidentified(&json, forecast));
    if (forecast->identifiability != NULL)
        arc_json_put(&json, object, "identifiability",
                     arc_identifiability_parts_json(&json, forecast));
    arc_arm_check_json(&json, object, &(ArcArmChecked){experiment, capture, forecast, whole});
    if (diagnosis != NULL) {
        arc_json_put(&json, object, "diagnosis",
                     arc_diagnosis_parts_json(&json, capture, diagnosis));
        arc_json_put(&json, object, "warnings",
                     arc_diagnosis_parts_warnings(&json, capture, &experiment->flight, diagnosis));
    }
    return arc_json_text(&json, object, text, err);
}
