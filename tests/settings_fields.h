/* The fields of the settings structs and the rows that fill them, for test_settings.c, which has
 * those of the experiment itself. */
#ifndef SETTINGS_FIELDS_H
#define SETTINGS_FIELDS_H

#include "arcfit/experiment.h"

#include <stddef.h>

/* A field that a row fills, or that follows from one (why says from which). */
typedef struct Field {
    size_t offset, size;
    const char *name;
    const char *why;
} Field;

#define ROW(type, field)                                                                           \
    {                                                                                              \
        offsetof(type, field), sizeof(((type *)NULL)->field), #field, NULL                         \
    }
#define FOLLOWS(type, field, why)                                                                  \
    {                                                                                              \
        offsetof(type, field), sizeof(((type *)NULL)->field), #field, why                          \
    }
#define E_ROW(field) ROW(ArcExperiment, field)
#define E_FOLLOWS(field, why) FOLLOWS(ArcExperiment, field, why)

static const Field stage_fields[] = {
    ROW(ArcStage, optimizer),      ROW(ArcStage, steps),    ROW(ArcStage, rate),
    ROW(ArcStage, parameter_rate), ROW(ArcStage, schedule), ROW(ArcStage, warm_up),
    ROW(ArcStage, final_share),    ROW(ArcStage, clip),     ROW(ArcStage, weight_decay),
    ROW(ArcStage, memory),         ROW(ArcStage, geodesic),
};

static const Field camera_fields[] = {
    FOLLOWS(ArcCameraSettings, name, "its key"),
    FOLLOWS(ArcCameraSettings, place, "its key"),
    ROW(ArcCameraSettings, calibration),
    ROW(ArcCameraSettings, entry),
    ROW(ArcCameraSettings, dlt_rows_from),
    ROW(ArcCameraSettings, unit_m),
    ROW(ArcCameraSettings, file),
    ROW(ArcCameraSettings, format),
    ROW(ArcCameraSettings, sigma_px),
    ROW(ArcCameraSettings, focal_px),
    ROW(ArcCameraSettings, centre_px),
    ROW(ArcCameraSettings, lens_model),
    ROW(ArcCameraSettings, lens),
    FOLLOWS(ArcCameraSettings, n_lens, "capture.cameras.NAME.lens"),
    ROW(ArcCameraSettings, rotation_rad),
    ROW(ArcCameraSettings, translation_m),
    ROW(ArcCameraSettings, stick.from_px),
    ROW(ArcCameraSettings, stick.to_px),
    ROW(ArcCameraSettings, stick.length_m),
    ROW(ArcCameraSettings, stick.angle_rad),
    ROW(ArcCameraSettings, origin_px),
};

static const Field net_fields[] = {
    FOLLOWS(ArcNetSettings, n_hidden, "net file.hidden"),
    ROW(ArcNetSettings, widths),
    ROW(ArcNetSettings, activation),
    ROW(ArcNetSettings, init),
    FOLLOWS(ArcNetSettings, slope_low, "net file.hidden"),
    FOLLOWS(ArcNetSettings, slope_high, "net file.hidden"),
    ROW(ArcNetSettings, fourier_modes),
    ROW(ArcNetSettings, fourier_base),
    ROW(ArcNetSettings, skip),
};

static const Field target_fields[] = {
    FOLLOWS(ArcTarget, name, "its key"),
    FOLLOWS(ArcTarget, kind, "the key that it has"),
    ROW(ArcTarget, plane),
    ROW(ArcTarget, height_m),
    ROW(ArcTarget, point_m),
    ROW(ArcTarget, centre_m),
    ROW(ArcTarget, radius_m),
};

static const Field quantity_fields[] = {
    FOLLOWS(ArcRandomQuantity, name, "its key"),
    FOLLOWS(ArcRandomQuantity, unit, "its key"),
    FOLLOWS(ArcRandomQuantity, place, "its key"),
    FOLLOWS(ArcRandomQuantity, parameter, "its key"),
    FOLLOWS(ArcRandomQuantity, setting, "its key"),
    FOLLOWS(ArcRandomQuantity, is_normal, "randomise.NAME"),
    FOLLOWS(ArcRandomQuantity, low, "randomise.NAME"),
    FOLLOWS(ArcRandomQuantity, high, "randomise.NAME"),
    ROW(ArcRandomQuantity, mean),
    ROW(ArcRandomQuantity, sd),
};

static const Field joint_fields[] = {
    ROW(ArcArmJoint, axis),
    ROW(ArcArmJoint, length_m),
    ROW(ArcArmJoint, low_rad),
    FOLLOWS(ArcArmJoint, high_rad, "arm.joints.limits"),
    ROW(ArcArmJoint, rate_limit_rad_s),
    ROW(ArcArmJoint, mass_kg),
    ROW(ArcArmJoint, centre_m),
    ROW(ArcArmJoint, inertia_kg_m2),
    ROW(ArcArmJoint, viscous_n_m_s),
    ROW(ArcArmJoint, coulomb_n_m),
    ROW(ArcArmJoint, curve),
    ROW(ArcArmJoint, n_torques),
    ROW(ArcArmJoint, torque),
    ROW(ArcArmJoint, stall_n_m),
    ROW(ArcArmJoint, idle_rad_s),
};

#endif
