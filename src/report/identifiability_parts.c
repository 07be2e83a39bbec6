/* Combinations, directions and measurements in words and as JSON. */
#include "report/identifiability_parts.h"

#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TOLD = 4, MOST_SDS = 8 };

/* A step that people would think of, and how its unit is written. */
static const struct {
    const char *unit, *text;
    double factor;
} steps[] = {{"m", "mm", 1e3}, {"rad", "deg", 180.0 / M_PI}, {"s", "ms", 1e3}, {"1", "", 1.0}};

static const char *step_unit(const char *unit, double *factor)
{
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (strcmp(steps[i].unit, unit) == 0) {
            *factor = steps[i].factor;
            return steps[i].text;
        }
    *factor = 1.0;
    return unit;
}

/* "1 mm", "0.1 deg". */
static void append_step(ArcText *text, double value, const char *unit)
{
    char number[ARC_TABLE_NUMBER];
    double factor;
    const char *word = step_unit(unit, &factor);
    if (factor > 1.0 && !(fabs(factor * value) < 1e3)) {
        factor = 1.0;
        word = unit;
    }
    arc_text_append(text, "%s%s%s",
                    arc_table_plain(number, factor * value, fabs(factor * value) < 100.0 ? 2 : 3),
                    word[0] != '\0' ? " " : "", word);
}

/* Hands the line over to the table and empties it. */
static void put_entry(ArcText *table, const char *name, ArcText *line)
{
    char *text;
    if (arc_text_finish(line, &text, NULL) != ARC_OK) {
        table->failed = true;
    } else {
        arc_table_entry(table, name, text);
        arc_text_free(text);
    }
    *line = (ArcText){0};
}

static void append_unit(ArcText *text, const char *unit)
{
    if (strcmp(unit, "1") != 0)
        arc_text_append(text, " %s", unit);
}

/* "l1 + 0.83 l2 - 0.12 theta1 = 0.912 ± 0.002 m". */
static void append_combination(ArcText *text, const ArcFit *fit, const ArcCombination *c)
{
    char number[ARC_TABLE_NUMBER];
    const char *unit = fit->parameters[c->parameters[0]].unit;
    double factor;
    const char *other = arc_table_other_unit(unit, &factor);
    for (int i = 0; i < c->n_parts; i++) {
        const char *name = fit->parameters[c->parameters[i]].name;
        if (i == 0)
            arc_text_append(text, "%s", name);
        else
            arc_text_append(text, " %s %s %s", c->factors[i] < 0.0 ? "-" : "+",
                            arc_table_plain(number, fabs(c->factors[i]), 3), name);
    }
    arc_text_append(text, " = %s", arc_table_value(number, c->value, c->sd, 1));
    append_unit(text, unit);
    if (other != NULL && strcmp(unit, "rad") == 0)
        arc_text_append(text, " (%s %s)", arc_table_value(number, c->value, c->sd, factor), other);
}

/* "theta1 +1 deg with l1 -3.1 mm". */
static void append_direction(ArcText *text, const ArcFit *fit, const ArcCombination *c)
{
    const char *unit = fit->parameters[c->parameters[0]].unit;
    double factor;
    step_unit(unit, &factor);
    for (int i = 0; i < c->n_parts; i++) {
        const ArcEstimate *e = &fit->parameters[c->parameters[i]];
        double step = c->factors[i] / factor;
        arc_text_append(text, "%s%s %s",
                        i == 0   ? ""
                        : i == 1 ? " with "
                                 : ", ",
                        e->name, step > 0.0 ? "+" : "");
        append_step(text, step, e->unit);
    }
    if (c->n_parts == 1)
        arc_text_append(text, ", whatever the others are");
}

/* "l2 to 1 mm and theta1 to 0.1 deg". */
static void append_readings(ArcText *text, const ArcFit *fit, const ArcMeasurement *m)
{
    for (int i = 0; i < m->n_readings; i++) {
        const ArcEstimate *e = &fit->parameters[m->parameters[i]];
        arc_text_append(text, "%s%s to ",
                        i == 0                  ? ""
                        : i + 1 < m->n_readings ? ", "
                                                : " and ",
                        e->name);
        append_step(text, m->sd[i], e->unit);
    }
}

/* What is to be expected with the measurement, of parameters that are unidentified without. */
static void append_settled(ArcText *text, const ArcFit *fit, const ArcMeasurement *m)
{
    int n = 0, left = 0;
    for (int p = 0; p < fit->n_parameters; p++) {
        const ArcEstimate *e = &fit->parameters[p];
        double sd = e->free_index >= 0 ? m->sd_after[e->free_index] : (double)NAN;
        if (e->status != ARC_PARAMETER_UNIDENTIFIED || isnan(sd))
            continue;
        if (n >= MOST_SDS) {
            left++;
            continue;
        }
        arc_text_append(text, "%s%s \xc2\xb1 ", n++ == 0 ? ": then " : ", ", e->name);
        append_step(text, sd, e->unit);
    }
    if (left > 0)
        arc_text_append(text, " and %d more", left);
}

static void put_measurements(ArcText *table, const ArcFit *fit, const ArcIdentifiability *found)
{
    char number[ARC_TABLE_NUMBER];
    ArcText line = {0};
    for (int i = 0; i < found->n_measurements && i < MOST_TOLD; i++) {
        const ArcMeasurement *m = &found->measurements[i];
        bool settles = found->n_undetermined > 0;
        append_readings(&line, fit, m);
        if (m->n_null_left > 0)
            arc_text_append(&line, ", which leaves %d combination%s untold", m->n_null_left,
                            m->n_null_left > 1 ? "s" : "");
        if (settles && i == 0)
            append_settled(&line, fit, m);
        else if (!settles)
            arc_text_append(&line, ": sds smaller by %s %% on the mean",
                            arc_table_plain(number, 100.0 * -expm1(-m->reduction), 2));
        put_entry(table, i > 0 ? "  or" : settles ? "would settle" : "next to measure", &line);
    }
}

void arc_identifiability_parts_text(ArcText *table, const ArcFit *fit)
{
    const ArcIdentifiability *found = fit->identifiability;
    ArcText line = {0};
    if (found == NULL)
        return;
    if (found->n_undetermined > 0) {
        arc_text_append(&line, "%d of %d combinations of the free parameters", found->rank,
                        found->n_free);
        if (found->release_numbers > 0) {
            arc_text_append(&line, "; one flight gives %d numbers of its release",
                            found->release_numbers);
            if (found->n_readings > 0)
                arc_text_append(&line, ", readings and priors %d more", found->n_readings);
        }
        put_entry(table, "the data tell", &line);
    }
    for (int i = 0; i < found->n_determined; i++) {
        append_combination(&line, fit, &found->determined[i]);
        put_entry(table, i == 0 ? "  told, in SI" : "", &line);
    }
    for (int i = 0; i < found->n_undetermined; i++) {
        append_direction(&line, fit, &found->undetermined[i]);
        put_entry(table, i == 0 ? "  not told" : "", &line);
    }
    put_measurements(table, fit, found);
}

static json_t *json_combinations(ArcJson *json, const ArcFit *fit, int n,
                                 const ArcCombination *combinations)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < n; i++) {
        const ArcCombination *c = &combinations[i];
        json_t *object = arc_json_object(json), *names = arc_json_array(json);
        for (int k = 0; k < c->n_parts; k++)
            arc_json_push(json, names,
                          arc_json_string(json, fit->parameters[c->parameters[k]].name));
        arc_json_put(json, object, "parameters", names);
        arc_json_put(json, object, "factors", arc_json_vector(json, c->n_parts, c->factors));
        if (!isnan(c->value)) {
            arc_json_put_number(json, object, "value", c->value);
            arc_json_put_number(json, object, "sd", c->sd);
        }
        arc_json_put_string(json, object, "unit", fit->parameters[c->parameters[0]].unit);
        arc_json_push(json, array, object);
    }
    return array;
}

static json_t *json_measurement(ArcJson *json, const ArcFit *fit, const ArcMeasurement *m)
{
    json_t *object = arc_json_object(json), *readings = arc_json_array(json);
    json_t *after = arc_json_object(json);
    for (int i = 0; i < m->n_readings; i++) {
        const ArcEstimate *e = &fit->parameters[m->parameters[i]];
        json_t *reading = arc_json_object(json);
        const char *instrument = NULL;
        arc_instrument_sd(e->name, e->unit, e->value, &instrument);
        arc_json_put_string(json, reading, "parameter", e->name);
        arc_json_put_number(json, reading, "sd", m->sd[i]);
        arc_json_put_string(json, reading, "unit", e->unit);
        arc_json_put_string(json, reading, "instrument", instrument);
        arc_json_push(json, readings, reading);
    }
    for (int p = 0; p < fit->n_parameters; p++)
        if (fit->parameters[p].free_index >= 0)
            arc_json_put_number(json, after, fit->parameters[p].name,
                                m->sd_after[fit->parameters[p].free_index]);
    arc_json_put(json, object, "readings", readings);
    arc_json_put_integer(json, object, "settles", m->n_settled);
    arc_json_put_integer(json, object, "null_left", m->n_null_left);
    arc_json_put_integer(json, object, "unidentified_left", m->n_unidentified_left);
    arc_json_put_number(json, object, "reduction", m->reduction);
    arc_json_put(json, object, "sd_after", after);
    return object;
}

json_t *arc_identifiability_parts_json(ArcJson *json, const ArcFit *fit)
{
    const ArcIdentifiability *found = fit->identifiability;
    if (found == NULL)
        return json_null();
    json_t *object = arc_json_object(json), *measurements = arc_json_array(json);
    arc_json_put_integer(json, object, "rank", found->rank);
    arc_json_put_integer(json, object, "free", found->n_free);
    if (found->release_numbers > 0)
        arc_json_put_integer(json, object, "release_numbers", found->release_numbers);
    arc_json_put(json, object, "determined",
                 json_combinations(json, fit, found->n_determined, found->determined));
    arc_json_put(json, object, "undetermined",
                 json_combinations(json, fit, found->n_undetermined, found->undetermined));
    for (int i = 0; i < found->n_measurements; i++)
        arc_json_push(json, measurements, json_measurement(json, fit, &found->measurements[i]));
    arc_json_put(json, object, "measurements", measurements);
    return object;
}
