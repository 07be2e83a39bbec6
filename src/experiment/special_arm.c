/* The arm of an experiment: its joints, and what follows from the flight and from what was
 * measured.
 *
 * The span of the torque curves is not known before the swing is read: begin_s and end_s are then
 * NaN, and the problem settles them.
 */
#include "experiment/arm.h"

#include "experiment/special.h"

#include <math.h>
#include <stdint.h>

enum { POLYNOMIAL_TORQUES = 3, TRAPEZOID_TORQUES = 3, SPLINE_TORQUES = 6, SPLINE_LEAST = 4 };

static const double trapezoid_share = 0.2;

/* One coefficient a torque, but of a trapezoid two shares of the span. */
ArcStatus arc_special_torques(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    (void)reader;
    ArcArmJoint *joint = setting->base;
    const ArcYamlNode *node = setting->node;
    double values[ARC_ARM_MAX_TORQUES] = {0};
    int n = 0;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children < 1 || node->n_children > ARC_ARM_MAX_TORQUES)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s has %d entries; wanted: 1 to %d",
                                setting->path, node->n_children, ARC_ARM_MAX_TORQUES);
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        ArcSettingRow row = *setting->row;
        if (joint->curve == ARC_TORQUE_TRAPEZOID && n > 0) {
            row.quantity = ARC_ONE;
            row.low = 1e-3;
            row.high = 1;
        }
        ArcStatus status = arc_reader_number(&row, setting->path, item, &values[n++], err);
        if (status != ARC_OK)
            return status;
    }
    memcpy(joint->torque, values, sizeof values);
    return ARC_OK;
}

static ArcStatus torque_count(const ArcSetting *setting, ArcArmJoint *joint, ArcError *err)
{
    static const struct {
        int usual, least, most;
    } curves[] = {
        [ARC_TORQUE_CONSTANT] = {1, 1, 1},
        [ARC_TORQUE_POLYNOMIAL] = {POLYNOMIAL_TORQUES, 1, ARC_ARM_MAX_TORQUES},
        [ARC_TORQUE_TRAPEZOID] = {TRAPEZOID_TORQUES, TRAPEZOID_TORQUES, TRAPEZOID_TORQUES},
        [ARC_TORQUE_SPLINE] = {SPLINE_TORQUES, SPLINE_LEAST, ARC_ARM_MAX_TORQUES}};
    const ArcYamlNode *node = setting->node;
    const ArcYamlNode *values = arc_yaml_find(node, "values");
    int least = curves[joint->curve].least, most = curves[joint->curve].most;
    bool is_told = arc_yaml_find(node, "coefficients") != NULL;
    if (!is_told)
        joint->n_torques = values != NULL ? values->n_children : curves[joint->curve].usual;
    if (joint->n_torques < least || joint->n_torques > most)
        return arc_error_set_at(err, ARC_INPUT,
                                arc_reader_place(node, is_told ? "coefficients" : "values"),
                                "%s has %d coefficients, but a curve of its kind has %d to %d",
                                setting->path, joint->n_torques, least, most);
    if (values != NULL && values->n_children != joint->n_torques)
        return arc_error_set_at(err, ARC_INPUT, values->place,
                                "%s.values has %d entries for %d coefficients", setting->path,
                                values->n_children, joint->n_torques);
    if (values == NULL && joint->curve == ARC_TORQUE_TRAPEZOID)
        joint->torque[1] = joint->torque[2] = trapezoid_share;
    return ARC_OK;
}

ArcStatus arc_special_torque(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcArmJoint *joint = setting->base;
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    ArcStatus status = special_section(reader, setting, setting->node, err);
    if (status == ARC_OK)
        status = torque_count(setting, joint, err);
    if (status != ARC_OK || arc_yaml_find(setting->node, "coefficients") != NULL)
        return status;
    const char *path = arc_arena_format(reader->arena, "%s.coefficients", setting->path);
    return path == NULL ? arc_error_no_memory(err)
                        : arc_reader_record_number(reader, path, joint->n_torques, "1", err);
}

static ArcStatus joint_read(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcArmJoint *joint = setting->base;
    const ArcYamlNode *node = setting->node;
    ArcStatus status = arc_reader_section(reader, setting->row->path, setting, err);
    if (status != ARC_OK)
        return status;
    if (arc_yaml_find(node, "centre") == NULL)
        joint->centre_m = 0.5 * joint->length_m;
    if (arc_yaml_find(node, "inertia") == NULL)
        joint->inertia_kg_m2 = joint->mass_kg * joint->length_m * joint->length_m / 12;
    if (arc_yaml_find(node, "idle_rate") != NULL && arc_yaml_find(node, "stall") == NULL)
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "idle_rate"),
                                "%s.idle_rate needs %s.stall, the torque that is left at rest",
                                setting->path, setting->path);
    if (reader->experiment->flight_settings.dimensions == 2 && joint->axis != ARC_JOINT_PITCH)
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "axis"),
                                "%s turns out of the plane; leave its axis out, or give "
                                "dimensions: 3 for space",
                                setting->path);
    return ARC_OK;
}

ArcStatus arc_special_joints(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcArmSettings *arm = &reader->experiment->arm.settings;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children < 1 || node->n_children > ARC_ARM_MAX_JOINTS)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s has %d entries; wanted: %s",
                                setting->path, node->n_children, setting->row->accepts);
    arm->n_joints = 0;
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        const char *path = arc_arena_format(reader->arena, "%s.%d", setting->path, arm->n_joints);
        if (path == NULL)
            return arc_error_no_memory(err);
        ArcSetting joint = {setting->row, path, item, &arm->joints[arm->n_joints++]};
        ArcStatus status = joint_read(reader, &joint, err);
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}

/* The section's key in mapping; NULL where mapping is none, or has no such key. */
static const ArcYamlNode *key_of(const ArcYamlNode *mapping, const char *key)
{
    return mapping == NULL || mapping->kind != ARC_YAML_MAPPING ? NULL
                                                                : arc_yaml_find(mapping, key);
}

/* Whether an angle of a joint is measured: by the files or by a parameter of its name. */
static bool has_angles(const ArcReader *reader)
{
    const ArcExperiment *experiment = reader->experiment;
    const ArcYamlNode *simulate = key_of(reader->root, "simulate");
    const ArcYamlNode *angles = key_of(key_of(simulate, "swing"), "angles");
    const ArcYamlNode *parameters = key_of(reader->root, "parameters");
    for (int i = 0; i < experiment->n_captures; i++) {
        const ArcSwingSettings *swing = &experiment->captures[i].swing;
        if (swing->readings != NULL || !isnan(swing->sigma_rad))
            return true;
    }
    for (int j = 0; j < experiment->arm.settings.n_joints; j++) {
        char name[16] = "theta1";
        name[5] = (char)('1' + j);
        if (key_of(key_of(parameters, name), "measured") != NULL)
            return true;
    }
    return (angles != NULL && !special_is(angles, "false")) || key_of(simulate, "readings") != NULL;
}

/* Whether a swing was seen, or is made by `simulate`. */
static bool is_swing_seen(const ArcReader *reader)
{
    const ArcExperiment *experiment = reader->experiment;
    for (int i = 0; i < experiment->n_captures; i++)
        if (experiment->captures[i].swing.file != NULL)
            return true;
    const ArcYamlNode *swing = key_of(key_of(reader->root, "simulate"), "swing");
    return swing != NULL && swing->kind == ARC_YAML_MAPPING;
}

/* Whether `aim` asks for one: the section is read after the parameters. */
static bool is_swing_planned(const ArcReader *reader)
{
    const ArcYamlNode *swing = key_of(key_of(reader->root, "aim"), "swing");
    return swing != NULL && swing->kind == ARC_YAML_MAPPING;
}

/* Defaults that depend on other settings, recorded as what they came to. */
static ArcStatus arm_set_dependent(ArcReader *reader, const ArcYamlNode *node, ArcError *err)
{
    const ArcFlightSettings *flight = &reader->experiment->flight_settings;
    ArcArmSettings *arm = &reader->experiment->arm.settings;
    ArcStatus status = ARC_OK;
    arm->dimensions = flight->dimensions;
    arm->up = flight->up;
    arm->gravity_m_s2 = flight->gravity_m_s2;
    arm->is_planned = !is_swing_seen(reader) && is_swing_planned(reader);
    arm->has_swing = is_swing_seen(reader) || arm->is_planned;
    if (arc_yaml_find(node, "payload") == NULL) {
        arm->payload_kg = flight->has_ball && arm->has_swing ? flight->ball.mass_kg : 0;
        status = arc_reader_record_number(reader, "arm.payload", arm->payload_kg, "kg", err);
    }
    if (status == ARC_OK && arc_yaml_find(node, "encoders") == NULL) {
        arm->has_encoders = has_angles(reader);
        status =
            arc_reader_record(reader, "arm.encoders", arm->has_encoders ? "true" : "false", err);
    }
    if (status == ARC_OK && arm->dimensions == 2 && arm->azimuth_rad != 0)
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "azimuth"),
                                "arm.azimuth turns the arm in space; leave it out, or give "
                                "dimensions: 3");
    return status;
}

static ArcStatus arm_create(ArcReader *reader, const ArcYamlNode *node, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    ArcArmSettings settings = experiment->arm.settings;
    bool has_span = arc_yaml_find(node, "span") != NULL;
    ArcError inner = {ARC_OK, ""};
    if (!has_span) {
        settings.begin_s = 0;
        settings.end_s = 1;
    }
    ArcStatus status = arc_arm_create(&settings, &experiment->arm, &inner);
    bool is_of_span = has_span && settings.end_s - settings.begin_s > ARC_ARM_MOST_SPAN_S;
    if (status != ARC_OK)
        return arc_error_set_at(err, status, arc_reader_place(node, is_of_span ? "span" : "joints"),
                                "%.500s", inner.text);
    if (!has_span)
        experiment->arm.settings.begin_s = experiment->arm.settings.end_s = NAN;
    int n = experiment->flight.n_parameters + 1 + 2 * settings.dimensions +
            experiment->arm.n_parameters;
    if (n <= ARC_MAX_PARAMETERS)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "joints"),
                            "flight, release and arm have %d parameters, but %d is the most; give "
                            "the torques fewer coefficients, or the arm fewer joints",
                            n, ARC_MAX_PARAMETERS);
}

/* What was measured of an arm needs one; where --set took the arm away, it is left out. */
static ArcStatus captures_set_arm(ArcReader *reader, bool is_left_out, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    for (int i = -1; i < experiment->n_captures; i++) {
        ArcCaptureSettings *capture =
            i < 0 ? &experiment->capture
                  : (ArcCaptureSettings *)(uintptr_t)&experiment->captures[i];
        ArcSwingSettings *swing = &capture->swing;
        bool is_given = swing->file != NULL || swing->readings != NULL;
        if (is_given && !experiment->has_arm && !is_left_out)
            return arc_error_set_at(err, ARC_INPUT,
                                    swing->file != NULL ? swing->place : swing->readings_place,
                                    "this is measured of an arm, and there is none; give "
                                    "`release: arm` and an `arm`");
        if (!experiment->has_arm)
            *swing = arc_swing_settings_default();
        swing->n_joints = experiment->arm.settings.n_joints;
    }
    return ARC_OK;
}

static ArcStatus arm_read(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    experiment->has_arm = true;
    experiment->arm.settings = arc_arm_settings_default();
    ArcStatus status = special_section(reader, setting, setting->node, err);
    if (status == ARC_OK)
        status = arm_set_dependent(reader, setting->node, err);
    return status == ARC_OK ? arm_create(reader, setting->node, err) : status;
}

bool arc_arm_is_left_out(const ArcReader *reader)
{
    return reader->experiment->release != ARC_RELEASE_ARM &&
           special_is_overridden(arc_yaml_find(reader->root, "release"));
}

ArcStatus arc_special_arm(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    const ArcYamlNode *node = setting->node;
    bool is_released = experiment->release == ARC_RELEASE_ARM;
    bool is_none = special_is(node, "none");
    ArcStatus status = ARC_OK;
    experiment->has_arm = false;
    if (!is_none && node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    if (is_released && is_none)
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(reader->root, "release"),
                                "release: arm needs an arm, for example `arm: {joints: [{length: "
                                "0.5 m}, {length: 0.4 m}]}`");
    bool is_left_out = arc_arm_is_left_out(reader) && (is_none || !special_is_overridden(node));
    if (!is_released && !is_none && !is_left_out)
        return arc_error_set_at(err, ARC_INPUT, node->key_place,
                                "there is an arm, but the release is not its own; give `release: "
                                "arm`, or leave the arm out");
    if (is_released)
        status = arm_read(reader, setting, err);
    return status == ARC_OK ? captures_set_arm(reader, is_left_out, err) : status;
}

ArcStatus arc_special_swing(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcSwingSettings *swing = &reader->experiment->capture.swing;
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    ArcStatus status = special_section(reader, setting, setting->node, err);
    if (status == ARC_OK)
        swing->place = arc_reader_place(setting->node, "file");
    return status;
}

ArcStatus arc_special_readings(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcSwingSettings *swing = &reader->experiment->capture.swing;
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    ArcStatus status = special_section(reader, setting, setting->node, err);
    if (status == ARC_OK)
        swing->readings_place = arc_reader_place(setting->node, "file");
    return status;
}
