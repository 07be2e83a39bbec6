/* The section `randomise`: quantities by name, their distributions, and an experiment with other
 * values of them (arcfit/randomise.h).
 *
 * A normal distribution is cut off at the ends a and b of what makes sense: its quantile u is
 *   mean + sd Phi^-1(Phi_a + u (Phi_b - Phi_a)),  Phi_x = Phi((x - mean) / sd)
 */
#include "arcfit/randomise.h"

#include "base/number.h"
#include "base/text.h"
#include "experiment/special.h"
#include "solve/statistics.h"

#include <math.h>
#include <stddef.h>

#define SETTING(field) offsetof(ArcFlightSettings, field)

/* Settings that can be drawn, by the row that has their unit and range. */
static const struct {
    const char *name, *row;
    size_t setting;
} settings[] = {
    {"mass", "flight.ball.mass", SETTING(ball.mass_kg)},
    {"diameter", "flight.ball.diameter", SETTING(ball.diameter_m)},
    {"density", "flight.air.density", SETTING(air.density_kg_m3)},
    {"temperature", "flight.air.temperature", SETTING(air.temperature_k)},
    {"pressure", "flight.air.pressure", SETTING(air.pressure_pa)},
    {"humidity", "flight.air.humidity", SETTING(air.humidity)},
    {"gravity", "flight.gravity", SETTING(gravity_m_s2)},
    {"wind_x", "flight.wind", SETTING(wind_m_s[0])},
    {"wind_y", "flight.wind", SETTING(wind_m_s[1])},
    {"wind_z", "flight.wind", SETTING(wind_m_s[2])},
};
enum { N_SETTINGS = sizeof settings / sizeof settings[0] };

static double phi(double x)
{
    return 0.5 * erfc(-x * M_SQRT1_2);
}

double arc_random_quantity_at(const ArcRandomQuantity *quantity, double u)
{
    if (!quantity->is_normal)
        return quantity->low + u * (quantity->high - quantity->low);
    double a = phi((quantity->low - quantity->mean) / quantity->sd);
    double b = phi((quantity->high - quantity->mean) / quantity->sd);
    double z = arc_statistics_normal_quantile(a + u * (b - a));
    return fmin(fmax(quantity->mean + quantity->sd * z, quantity->low), quantity->high);
}

ArcStatus arc_randomise_apply(const ArcExperiment *experiment, const double *values,
                              ArcExperiment *made, ArcError *err)
{
    const ArcRandomise *randomise = &experiment->randomise;
    bool is_other_flight = false;
    *made = *experiment;
    for (int k = 0; k < randomise->n; k++) {
        const ArcRandomQuantity *quantity = &randomise->quantities[k];
        if (quantity->parameter >= 0) {
            made->parameters[quantity->parameter].start = values[k];
            made->parameters[quantity->parameter].has_start = true;
            continue;
        }
        memcpy((char *)&made->flight_settings + quantity->setting, &values[k], sizeof values[k]);
        is_other_flight = true;
    }
    if (!is_other_flight)
        return ARC_OK;
    ArcError inner = {ARC_OK, ""};
    ArcStatus status = arc_flight_create(&made->flight_settings, &made->flight, &inner);
    if (status != ARC_OK)
        return arc_error_set_at(err, status, randomise->quantities[0].place,
                                "randomise makes a flight that cannot be: %.400s", inner.text);
    return ARC_OK;
}

static ArcStatus refuse_name(const ArcExperiment *experiment, const ArcYamlNode *child,
                             ArcError *err)
{
    const char *names[ARC_MAX_PARAMETERS + N_SETTINGS];
    int n = 0;
    for (int k = 0; experiment->equations == NULL && k < N_SETTINGS; k++)
        names[n++] = settings[k].name;
    for (int i = 0; i < experiment->n_parameters; i++)
        if (!experiment->parameters[i].is_free && !experiment->parameters[i].is_tied)
            names[n++] = experiment->parameters[i].name;
    char list[512] = "";
    for (int k = 0; k < n; k++) {
        strncat(list, k == 0 ? "" : ", ", sizeof list - strlen(list) - 1);
        strncat(list, names[k], sizeof list - strlen(list) - 1);
    }
    const char *nearest = arc_text_nearest(child->key, n, names);
    return arc_error_set_at(err, ARC_INPUT, child->key_place,
                            "'%.100s' is nothing that randomise can draw%s%s%s there are %s",
                            child->key, nearest == NULL ? "" : "; did you mean '",
                            nearest == NULL ? "" : nearest, nearest == NULL ? ";" : "'?", list);
}

/* Whether the flight has what the setting is about. */
static ArcStatus check_setting(const ArcExperiment *experiment, const ArcYamlNode *child, int k,
                               ArcError *err)
{
    const ArcFlightSettings *flight = &experiment->flight_settings;
    const char *name = settings[k].name, *why = NULL;
    bool is_ball = k < 2, is_state = strncmp(settings[k].row, "flight.air.", 11) == 0;
    if (is_ball && !flight->has_ball)
        why = "this flight has no ball";
    else if (is_state && k != 2 && flight->air.density_kg_m3 > 0.0)
        why = "flight.air gives the density, which this does not change";
    else if (strcmp(name, "wind_z") == 0 && flight->dimensions == 2)
        why = "the flight is in the plane";
    if (why == NULL)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, child->key_place, "randomise.%s: %s; leave it out",
                            name, why);
}

/* What the name stands for: a parameter that is not freed, or a setting; with unit and range. */
static ArcStatus find_quantity(ArcReader *reader, const ArcYamlNode *child,
                               ArcRandomQuantity *quantity, ArcError *err)
{
    const ArcExperiment *experiment = reader->experiment;
    int i = arc_experiment_parameter(experiment, child->key), k = 0;
    *quantity = (ArcRandomQuantity){.name = child->key, .place = child->key_place, .parameter = i};
    if (i >= 0) {
        const ArcParameter *parameter = &experiment->parameters[i];
        if (parameter->is_free || parameter->is_tied)
            return arc_error_set_at(err, ARC_INPUT, child->key_place,
                                    "'%s' is %s; randomise is for what a fit does not find: fix "
                                    "it, or give it a prior",
                                    child->key, parameter->is_free ? "free" : "tied to the arm");
        reader->parameter = *arc_parameter_info(experiment, i);
        quantity->unit = parameter->unit;
        return ARC_OK;
    }
    while (k < N_SETTINGS && strcmp(settings[k].name, child->key) != 0)
        k++;
    if (k == N_SETTINGS || experiment->equations != NULL)
        return refuse_name(experiment, child, err);
    const ArcSettingRow *row = arc_setting_find(settings[k].row);
    reader->parameter = (ArcParameterInfo){.name = settings[k].name,
                                           .unit = arc_quantity_unit(row->quantity),
                                           .low = row->low,
                                           .high = row->high};
    quantity->setting = settings[k].setting;
    quantity->unit = reader->parameter.unit;
    return check_setting(experiment, child, k, err);
}

static ArcStatus read_quantity(ArcReader *reader, const ArcSetting *setting,
                               const ArcYamlNode *child, ArcError *err)
{
    ArcRandomise *randomise = &reader->experiment->randomise;
    const char *path = arc_arena_format(reader->arena, "%s.%s", setting->path, child->key);
    if (path == NULL)
        return arc_error_no_memory(err);
    if (randomise->n == ARC_MAX_RANDOM_QUANTITIES)
        return arc_error_set_at(err, ARC_INPUT, child->key_place, "more than %d; leave some out",
                                ARC_MAX_RANDOM_QUANTITIES);
    ArcRandomQuantity *quantity = &randomise->quantities[randomise->n++];
    ArcStatus status = find_quantity(reader, child, quantity, err);
    if (status != ARC_OK)
        return status;
    ArcSettingRow row = *arc_setting_find("randomise.NAME");
    ArcSetting one = {&row, path, child, quantity};
    quantity->is_normal = child->kind == ARC_YAML_MAPPING;
    if (quantity->is_normal) {
        status = arc_reader_section(reader, row.path, &one, err);
        quantity->low = reader->parameter.low;
        quantity->high = reader->parameter.high;
        return status;
    }
    if (child->kind != ARC_YAML_SEQUENCE)
        return special_refuse(&one, NULL, err);
    row.offset = offsetof(ArcRandomQuantity, low);
    row.size = 2 * sizeof(double);
    status = arc_special_pair(reader, &one, err);
    if (status != ARC_OK)
        return status;
    char low[ARC_NUMBER_TEXT], high[ARC_NUMBER_TEXT];
    const char *text =
        arc_arena_format(reader->arena, "[%s, %s] %s", arc_number_write(low, quantity->low),
                         arc_number_write(high, quantity->high), quantity->unit);
    quantity->mean = 0.5 * (quantity->low + quantity->high);
    quantity->sd = (quantity->high - quantity->low) / sqrt(12.0);
    return text == NULL ? arc_error_no_memory(err) : arc_reader_record(reader, path, text, err);
}

/* Flights must be possible at the ends, too. */
static ArcStatus check_ends(ArcReader *reader, ArcError *err)
{
    const ArcRandomise *randomise = &reader->experiment->randomise;
    ArcExperiment *made = ARC_ALLOC(reader->arena, 1, ArcExperiment);
    double values[ARC_MAX_RANDOM_QUANTITIES];
    ArcStatus status = made == NULL ? arc_error_no_memory(err) : ARC_OK;
    for (int side = 0; side < 2 && status == ARC_OK; side++) {
        for (int k = 0; k < randomise->n; k++)
            values[k] =
                arc_random_quantity_at(&randomise->quantities[k], side == 0 ? 1e-4 : 0.9999);
        status = arc_randomise_apply(reader->experiment, values, made, err);
    }
    return status;
}

/* Read after the parameters, as the table's order says. */
ArcStatus arc_special_randomise(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcRandomise *randomise = &reader->experiment->randomise;
    const ArcYamlNode *node = setting->node;
    if (special_is(node, "none"))
        return arc_reader_record(reader, setting->row->path, "none", err);
    if (node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    randomise->draws = ARC_RANDOMISE_DRAWS;
    ArcStatus status = ARC_OK;
    for (const ArcYamlNode *child = node->first; child != NULL && status == ARC_OK;
         child = child->next) {
        const ArcSettingRow *row = arc_setting_find("randomise.draws");
        long long draws;
        if (strcmp(child->key, "draws") != 0) {
            status = read_quantity(reader, setting, child, err);
            continue;
        }
        status = arc_reader_whole(row, row->path, child, &draws, err);
        if (status == ARC_OK)
            randomise->draws = (int)draws;
    }
    if (status == ARC_OK)
        status = arc_reader_record_number(reader, "randomise.draws", randomise->draws, "1", err);
    if (status == ARC_OK && randomise->n == 0)
        return special_refuse(setting, "a mapping without a quantity", err);
    return status == ARC_OK ? check_ends(reader, err) : status;
}
