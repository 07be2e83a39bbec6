/* Flights fitted together as text and JSON. */
#include "report/flights_parts.h"

#include "report/arm_parts.h"
#include "report/arm_sections.h"
#include "report/document.h"
#include "report/section.h"
#include "report/states_parts.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 10, NUMBER_WIDTH = 7, CHI2_WIDTH = 15, VALUE_WIDTH = 10, NAME_WIDTH = 24 };
/* A flight this unlikely among all is shown. */
static const double unlikely_p = 0.01;

bool arc_flights_is_own(const ArcFit *joint, const char *name)
{
    for (int i = 0; i < joint->n_parameters; i++)
        if (strcmp(joint->parameters[i].name, name) == 0)
            return false;
    return true;
}

/* Columns of a table of flights: free parameters of their own. With an arm those of its joints come
 * first, in degrees. With an arm, or of own equations, they have a row of units, and what finds no
 * room stands in further tables. */
typedef struct Columns {
    bool has_chi2;
    int n;
    int parameter[ARC_MAX_PARAMETERS];
    double factor[ARC_MAX_PARAMETERS];
    const char *unit[ARC_MAX_PARAMETERS]; /* NULL: the parameter's */
} Columns;

static void add_column(const ArcEstimate *e, int parameter, bool has_arm, Columns *columns)
{
    int k = columns->n++;
    columns->parameter[k] = parameter;
    columns->factor[k] = 1;
    columns->unit[k] = NULL;
    if (has_arm && arc_arm_section_of(e->name) != ARC_SECTION_FLIGHT)
        columns->unit[k] = arc_table_joint_unit(e->unit, &columns->factor[k]);
}

static void all_columns(const ArcFit *fit, Columns *columns)
{
    const ArcFit *first = &fit->flights[0];
    bool has_arm = first->arm != NULL;
    columns->n = 0;
    for (int pass = has_arm ? 0 : 1; pass < 2; pass++)
        for (int i = 0; i < first->n_parameters; i++) {
            const ArcEstimate *e = &first->parameters[i];
            bool is_pose = has_arm && arc_arm_section_of(e->name) == ARC_SECTION_POSE;
            if (e->free_index >= 0 && arc_flights_is_own(fit, e->name) && is_pose == (pass == 0))
                add_column(e, i, has_arm, columns);
        }
}

/* Those from `from` on that have room. */
static Columns some_columns(const Columns *all, int from)
{
    Columns some = {.has_chi2 = from == 0};
    int room = ARC_TABLE_WIDTH - NUMBER_WIDTH - (some.has_chi2 ? CHI2_WIDTH : 0);
    for (; from < all->n && some.n < room / (VALUE_WIDTH + 1); from++) {
        some.parameter[some.n] = all->parameter[from];
        some.factor[some.n] = all->factor[from];
        some.unit[some.n++] = all->unit[from];
    }
    return some;
}

static bool has_units(const ArcFit *fit)
{
    return fit->flights[0].arm != NULL || fit->states != NULL;
}

static void flights_heading(ArcText *table, const ArcFit *fit, const Columns *columns)
{
    const ArcFit *first = &fit->flights[0];
    arc_text_append(table, "%-*s", NUMBER_WIDTH, fit->states != NULL ? "run" : "flight");
    if (columns->has_chi2)
        arc_text_append(table, "%-*s", CHI2_WIDTH, "chi2");
    for (int k = 0; k < columns->n; k++)
        arc_text_append(table, " %*s", VALUE_WIDTH, first->parameters[columns->parameter[k]].name);
    arc_text_append(table, "\n");
    if (!has_units(fit))
        return;
    arc_text_append(table, "%*s", NUMBER_WIDTH + (columns->has_chi2 ? CHI2_WIDTH : 0), "");
    for (int k = 0; k < columns->n; k++)
        arc_text_append(table, " %*s", VALUE_WIDTH,
                        columns->unit[k] != NULL ? columns->unit[k]
                                                 : first->parameters[columns->parameter[k]].unit);
    arc_text_append(table, "\n");
}

static void flight_row(ArcText *table, const ArcFit *flight, int f, const Columns *columns)
{
    char number[ARC_TABLE_NUMBER], a[ARC_TABLE_NUMBER];
    const ArcResiduals *r = &flight->residuals;
    arc_text_append(table, "%-*d", NUMBER_WIDTH, f + 1);
    snprintf(number, sizeof number, "%.20s of %d%s", arc_table_plain(a, r->chi2 + r->prior_chi2, 3),
             r->dof, flight->converged ? "" : " NO");
    if (columns->has_chi2)
        arc_text_append(table, "%-*s", CHI2_WIDTH, number);
    for (int k = 0; k < columns->n; k++) {
        const ArcEstimate *e = &flight->parameters[columns->parameter[k]];
        double factor = columns->factor[k];
        bool known = e->status != ARC_PARAMETER_UNIDENTIFIED;
        arc_text_append(table, " %*s", VALUE_WIDTH,
                        known ? arc_table_number(number, factor * e->value, factor * e->sd) : "?");
    }
    arc_text_append(table, "\n");
}

/* Whether a flight has something to be seen for. */
static bool stands_out(const ArcFit *fit, int f)
{
    const ArcFit *flight = &fit->flights[f];
    return !flight->converged || flight->n_unidentified > fit->n_unidentified ||
           flight->residuals.chi2_p * fit->n_flights < unlikely_p;
}

static void flights_table(ArcText *table, const ArcFit *fit, const Columns *columns, bool verbose)
{
    int shown = 0, more = 0;
    flights_heading(table, fit, columns);
    for (int f = 0; f < fit->n_flights; f++) {
        bool first = f < SHOWN, unusual = !first && stands_out(fit, f) && shown < 2 * SHOWN;
        if (!verbose && !first && !unusual) {
            more++;
            continue;
        }
        flight_row(table, &fit->flights[f], f, columns);
        shown++;
    }
    if (more > 0)
        arc_text_append(table, "and %d more; -v shows all, --json all of their numbers\n", more);
    arc_text_append(table, "\n");
}

/* One table, or with an arm as many as its parameters need. */
static void flights_tables(ArcText *table, const ArcFit *fit, bool verbose)
{
    Columns all;
    all_columns(fit, &all);
    Columns some = some_columns(&all, 0);
    flights_table(table, fit, &some, verbose);
    for (int from = some.n; has_units(fit) && from < all.n; from += some.n) {
        some = some_columns(&all, from);
        flights_table(table, fit, &some, verbose);
    }
}

void arc_flights_section(ArcText *table, const ArcResult *result, bool verbose)
{
    const ArcFit *fit = arc_section_fit(result);
    if (fit->n_flights == 0)
        return;
    flights_tables(table, fit, verbose);
    for (int f = 0; verbose && f < fit->n_flights; f++) {
        const ArcFit *flight = &fit->flights[f];
        int n = flight->n_trajectory;
        char label[32], line[512], a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
        snprintf(label, sizeof label, "%s %d", arc_states_parts_word(result), f + 1);
        snprintf(line, sizeof line, "%.400s%s", flight->flight, n > 0 ? "; " : "");
        if (n > 0)
            snprintf(line + strlen(line), sizeof line - strlen(line), "%s s to %s s",
                     arc_table_plain(a, flight->time_s[0], 5),
                     arc_table_plain(b, flight->time_s[n - 1], 5));
        arc_table_entry(table, label, line);
    }
    if (verbose)
        arc_text_append(table, "\n");
}

void arc_flights_say_worst(ArcText *text, const ArcResult *result)
{
    const ArcComparison *c = &result->comparison;
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    if (result->n_flights == 0 || !(c->worst_p < ARC_MISFIT_P))
        return;
    const ArcFit *flight = &arc_section_fit(result)->flights[c->worst_flight];
    arc_text_append(text, "; worst is %s %d (%s), chi2 %s at %d degrees of freedom, p %s",
                    arc_states_parts_word(result), c->worst_flight + 1, flight->flight,
                    arc_table_plain(a, flight->residuals.chi2 + flight->residuals.prior_chi2, 4),
                    flight->residuals.dof, arc_table_plain(b, flight->residuals.chi2_p, 2));
}

/* Those of a flight's own, as estimates of a document. */
static json_t *own_parameters(ArcJson *json, const ArcFit *joint, const ArcFit *flight)
{
    ArcEstimate own[ARC_MAX_PARAMETERS];
    int n = 0;
    for (int i = 0; i < flight->n_parameters; i++)
        if (arc_flights_is_own(joint, flight->parameters[i].name))
            own[n++] = flight->parameters[i];
    return arc_document_estimates(json, n, own, false);
}

json_t *arc_flights_json(ArcJson *json, const ArcFit *fit)
{
    json_t *array = arc_json_array(json);
    for (int f = 0; f < fit->n_flights; f++) {
        const ArcFit *flight = &fit->flights[f];
        json_t *object = arc_json_object(json);
        arc_json_put_integer(json, object, "flight", f + 1);
        arc_json_put_string(json, object, "name", flight->flight);
        arc_json_put_bool(json, object, "converged", flight->converged);
        arc_json_put(json, object, "parameters", own_parameters(json, fit, flight));
        arc_json_put(json, object, "derived",
                     arc_document_estimates(json, flight->n_derived, flight->derived, true));
        if (flight->n_remarks > 0) {
            json_t *remarks = arc_json_array(json);
            for (int i = 0; i < flight->n_remarks; i++)
                arc_json_push(json, remarks, arc_json_string(json, flight->remarks[i]));
            arc_json_put(json, object, "derived_remarks", remarks);
        }
        arc_json_put(json, object, "unidentified", arc_document_unidentified(json, flight));
        arc_json_put(json, object, "residuals", arc_document_residuals(json, &flight->residuals));
        arc_arm_parts_json(json, object, flight);
        arc_states_parts_json(json, object, flight);
        arc_json_put(json, object, "trajectory", arc_document_trajectory(json, flight));
        arc_json_push(json, array, object);
    }
    return array;
}

json_t *arc_flights_comparison_json(ArcJson *json, const ArcResult *result)
{
    const ArcComparison *c = &result->comparison;
    json_t *array = arc_json_array(json);
    for (int f = 0; f < c->n_flights; f++) {
        const ArcFlightComparison *one = &c->flights[f];
        const ArcFit *joint = result->fits[0], *flight = &joint->flights[f];
        json_t *object = arc_json_object(json), *parameters = arc_json_object(json);
        for (int p = 0; p < flight->n_parameters; p++) {
            if (isnan(one->in_sd[p]) || !arc_flights_is_own(joint, flight->parameters[p].name))
                continue;
            json_t *row = arc_json_object(json);
            arc_json_put_number(json, row, "difference", one->difference[p]);
            arc_json_put_number(json, row, "in_sd", one->in_sd[p]);
            arc_json_put(json, parameters, flight->parameters[p].name, row);
        }
        arc_json_put(json, object, "parameters", parameters);
        arc_states_parts_distance(json, object, result, one->trajectory_max_m);
        arc_json_push(json, array, object);
    }
    return array;
}
