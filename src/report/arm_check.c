/* One flight gives position and velocity of its release, 2 d numbers, whatever the arm; what else
 * is free of arm and release must come from readings, priors, a swing, or other flights. */
#include "report/arm_check.h"

#include "report/arm_parts.h"
#include "report/arm_sections.h"
#include "report/flights_parts.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

/* What a swing's numbers are of: each place, angle and rate. */
enum { MOST_PARTS = 3 * ARC_ARM_MAX_JOINTS + 2 };
typedef struct Part {
    ArcSwingKind kind;
    int index, numbers;
    double low, high; /* of the sigmas */
} Part;

static int list_parts(const ArcSwing *swing, Part parts[MOST_PARTS])
{
    int n = 0;
    for (int i = 0; i < swing->n_numbers; i++) {
        const ArcSwingNumber *number = &swing->numbers[i];
        int k = 0;
        while (k < n && (parts[k].kind != number->kind || parts[k].index != number->index))
            k++;
        if (k == MOST_PARTS)
            continue;
        if (k == n)
            parts[n++] = (Part){number->kind, number->index, 0, INFINITY, 0.0};
        parts[k].numbers++;
        parts[k].low = fmin(parts[k].low, number->sigma);
        parts[k].high = fmax(parts[k].high, number->sigma);
    }
    return n;
}

static bool is_of_arm(const ArcEstimate *e)
{
    ArcArmSection section = arc_arm_section_of(e->name);
    return e->free_index >= 0 && section != ARC_SECTION_FLIGHT;
}

/* The free parameters of arm and release in fit; of several flights only those that are shared, or
 * that are not. */
static int count_free(const ArcArmChecked *checked, bool shared)
{
    const ArcFit *fit = checked->forecast, *whole = checked->whole;
    int n = 0;
    for (int p = 0; p < fit->n_parameters; p++) {
        bool is_own = whole->n_flights == 0 || arc_flights_is_own(whole, fit->parameters[p].name);
        n += is_of_arm(&fit->parameters[p]) && is_own == !shared;
    }
    return n;
}

static void check_arm(ArcText *table, const ArcArmChecked *checked)
{
    static const char *const axes[] = {"pitch", "yaw", "roll"};
    const ArcArmSettings *settings = &checked->experiment->arm.settings;
    const ArcFit *fit = checked->forecast;
    ArcText line = {0};
    const char *between = "; free: ";
    for (int j = 0; j < settings->n_joints; j++)
        arc_text_append(&line, "%s%s", j == 0 ? "" : ", ", axes[settings->joints[j].axis]);
    for (int p = 0; p < fit->n_parameters; p++) {
        if (!is_of_arm(&fit->parameters[p]))
            continue;
        arc_text_append(&line, "%s%s", between, fit->parameters[p].name);
        between = ", ";
    }
    arc_table_entry_of(table, "arm", &line);
}

static void check_swing(ArcText *table, const ArcArmChecked *checked)
{
    static const char *const units[] = {"mm", "deg", "deg/s"};
    const ArcSwing *swing = checked->capture->swing;
    int n_joints = checked->experiment->arm.settings.n_joints;
    char name[ARC_ARM_NAME], a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    Part parts[MOST_PARTS];
    ArcText line = {0};
    if (swing == NULL)
        return;
    int n = list_parts(swing, parts);
    if (swing->file != NULL)
        arc_text_append(&line, "%s: ", swing->file);
    arc_text_append(&line, "%d numbers at %d times", swing->n_numbers, swing->n_rows);
    if (swing->n_rows > 0)
        arc_text_append(&line, " from %s s to %s s", arc_table_plain(a, swing->time_s[0], 5),
                        arc_table_plain(b, swing->time_s[swing->n_rows - 1], 5));
    for (int k = 0; k < n; k++) {
        double factor = parts[k].kind == ARC_SWING_PLACE ? 1e3 : 180.0 / M_PI;
        arc_table_plain(a, factor * parts[k].low, 3);
        arc_table_plain(b, factor * parts[k].high, 3);
        bool is_one = strcmp(a, b) == 0;
        arc_text_append(&line, "%s%d of %s, sigma %s%s%s %s", k == 0 ? "; " : ", ",
                        parts[k].numbers,
                        arc_arm_parts_name(name, parts[k].kind, parts[k].index, n_joints), a,
                        is_one ? "" : " to ", is_one ? "" : b, units[parts[k].kind]);
    }
    const ArcArmFit *arm = checked->forecast->arm;
    int left_out = arm != NULL && arm->swing != NULL ? arm->swing->left_out : 0;
    if (left_out > 0)
        arc_text_append(&line, "; %d times later than the release left out", left_out);
    arc_table_entry_of(table, "swing", &line);
}

static void check_readings(ArcText *table, const ArcFit *forecast)
{
    char value[ARC_TABLE_NUMBER];
    int n = forecast->readings == NULL ? 0 : forecast->residuals.n_readings;
    ArcText line = {0};
    for (int i = 0; i < n; i++) {
        const ArcFittedReading *reading = &forecast->readings[i];
        double factor = 1.0;
        const char *unit = arc_table_joint_unit(reading->unit, &factor);
        unit = unit == NULL ? arc_table_unit(reading->unit) : unit;
        arc_text_append(&line, "%s%s %s%s%s", i == 0 ? "" : ", ", reading->name,
                        arc_table_value(value, reading->value, reading->sd, factor),
                        strcmp(unit, "1") == 0 ? "" : " ", strcmp(unit, "1") == 0 ? "" : unit);
    }
    if (n > 0)
        arc_table_entry_of(table, "readings", &line);
}

/* Priors of what is free of arm and release. */
static int count_priors(const ArcArmChecked *checked)
{
    const ArcExperiment *experiment = checked->experiment;
    int n = 0;
    for (int p = 0; p < experiment->n_parameters && p < checked->forecast->n_parameters; p++)
        n += experiment->parameters[p].has_prior && is_of_arm(&checked->forecast->parameters[p]);
    return n;
}

/* What the flights can tell, against what is asked of them. */
static void check_count(ArcText *table, const ArcArmChecked *checked)
{
    int d2 = 2 * checked->experiment->arm.settings.dimensions;
    int flights = checked->whole->n_flights, readings = checked->forecast->residuals.n_readings;
    int priors = count_priors(checked), own = count_free(checked, false);
    int shared = flights > 0 ? count_free(checked, true) : 0;
    ArcText line = {0};
    if (checked->capture->swing != NULL) {
        arc_text_append(&line, "tells its release (%d numbers), the swing how the arm came there",
                        d2);
    } else if (flights > 0) {
        arc_text_append(&line,
                        "tells its release (%d numbers), readings %d more; free of arm and "
                        "release: %d of each, %d of all %d flights",
                        d2, readings, own, shared, flights);
    } else {
        int short_by = own - d2 - readings - priors;
        arc_text_append(&line,
                        "tells its release (%d numbers), readings %d more, priors %d; free of arm "
                        "and release: %d",
                        d2, readings, priors, own);
        if (short_by > 0)
            arc_text_append(&line, ", %d more than that", short_by);
    }
    arc_table_entry_of(table, "one flight", &line);
}

/* Nothing told when the arm let go. */
static void check_release_time(ArcText *table, const ArcArmChecked *checked)
{
    const ArcExperiment *experiment = checked->experiment;
    const ArcParameter *t0 = &experiment->parameters[experiment->flight.n_parameters];
    ArcText line = {0};
    if (t0->is_free || t0->has_start || checked->capture->has_t0)
        return;
    arc_arm_parts_say_release(&line,
                              checked->forecast->parameters[experiment->flight.n_parameters].value);
    arc_table_entry_of(table, "remark", &line);
}

void arc_arm_check_text(ArcText *table, const ArcArmChecked *checked)
{
    if (checked->experiment->has_arm) {
        check_arm(table, checked);
        check_swing(table, checked);
    }
    check_readings(table, checked->forecast);
    if (!checked->experiment->has_arm)
        return;
    check_count(table, checked);
    check_release_time(table, checked);
}

static json_t *json_swing(ArcJson *json, const ArcSwing *swing, int n_joints)
{
    json_t *object = arc_json_object(json), *of = arc_json_object(json);
    char name[ARC_ARM_NAME];
    Part parts[MOST_PARTS];
    int n = list_parts(swing, parts);
    arc_json_put_integer(json, object, "times", swing->n_rows);
    arc_json_put_integer(json, object, "numbers", swing->n_numbers);
    if (swing->n_rows > 0) {
        const double span[2] = {swing->time_s[0], swing->time_s[swing->n_rows - 1]};
        arc_json_put(json, object, "time_s", arc_json_vector(json, 2, span));
    }
    for (int k = 0; k < n; k++)
        arc_json_put_integer(json, of,
                             arc_arm_parts_name(name, parts[k].kind, parts[k].index, n_joints),
                             parts[k].numbers);
    arc_json_put(json, object, "of", of);
    return object;
}

void arc_arm_check_json(ArcJson *json, json_t *object, const ArcArmChecked *checked)
{
    const ArcExperiment *experiment = checked->experiment;
    const ArcFit *fit = checked->forecast;
    json_t *readings = arc_json_array(json);
    for (int i = 0; fit->readings != NULL && i < fit->residuals.n_readings; i++) {
        const ArcFittedReading *reading = &fit->readings[i];
        json_t *row = arc_json_object(json);
        arc_json_put_string(json, row, "name", reading->name);
        arc_json_put_string(json, row, "unit", reading->unit);
        arc_json_put_number(json, row, "value", reading->value);
        arc_json_put_number(json, row, "sd", reading->sd);
        arc_json_push(json, readings, row);
    }
    if (json_array_size(readings) > 0)
        arc_json_put(json, object, "readings", readings);
    else
        json_decref(readings);
    if (!experiment->has_arm)
        return;
    json_t *arm = arc_json_object(json);
    arc_json_put_integer(json, arm, "joints", experiment->arm.settings.n_joints);
    arc_json_put_integer(json, arm, "release_numbers", 2 * experiment->arm.settings.dimensions);
    arc_json_put_integer(json, arm, "free", count_free(checked, false));
    if (checked->whole->n_flights > 0)
        arc_json_put_integer(json, arm, "free_shared", count_free(checked, true));
    arc_json_put_integer(json, arm, "readings", fit->residuals.n_readings);
    arc_json_put_integer(json, arm, "priors", count_priors(checked));
    if (checked->capture->swing != NULL)
        arc_json_put(json, arm, "swing",
                     json_swing(json, checked->capture->swing, experiment->arm.settings.n_joints));
    arc_json_put(json, object, "arm", arm);
}
