/* The tables by which readings, poses and swings are moved to HDF5 and back. */
#include "report/arm_fields.h"

#include "arcfit/fit.h"

_Static_assert(sizeof(ArcSwingKind) == sizeof(int), "a kind is moved as a whole number");

static const ArcField count_fields[] = {
    {"readings", "1", ARC_FIELD_WHOLE, offsetof(ArcResiduals, n_readings)},
    {"readings_chi2", "1", ARC_FIELD_REAL, offsetof(ArcResiduals, readings_chi2)},
    {"swing", "1", ARC_FIELD_WHOLE, offsetof(ArcResiduals, n_swing)},
    {"swing_chi2", "1", ARC_FIELD_REAL, offsetof(ArcResiduals, swing_chi2)},
};

static const ArcField reading_fields[] = {
    {"name", "text", ARC_FIELD_TEXT, offsetof(ArcFittedReading, name)},
    {"unit", "text", ARC_FIELD_TEXT, offsetof(ArcFittedReading, unit)},
    {"value", "unit of the row", ARC_FIELD_REAL, offsetof(ArcFittedReading, value)},
    {"sd", "unit of the row", ARC_FIELD_REAL, offsetof(ArcFittedReading, sd)},
    {"fitted", "unit of the row", ARC_FIELD_REAL, offsetof(ArcFittedReading, fitted)},
    {"residual_sd", "1", ARC_FIELD_REAL, offsetof(ArcFittedReading, residual_sd)},
    {"line", "1", ARC_FIELD_WHOLE, offsetof(ArcFittedReading, line)},
};

static const ArcField solution_fields[] = {
    {"chi2", "1", ARC_FIELD_REAL, offsetof(ArcArmSolution, chi2)},
    {"theta", "rad", ARC_FIELD_WIDE, offsetof(ArcArmSolution, theta_rad)},
    {"omega", "rad/s", ARC_FIELD_WIDE, offsetof(ArcArmSolution, omega_rad_s)},
    {"fitted", "1", ARC_FIELD_BOOL, offsetof(ArcArmSolution, is_fitted)},
    {"converged", "1", ARC_FIELD_BOOL, offsetof(ArcArmSolution, converged)},
    {"within_limits", "1", ARC_FIELD_BOOL, offsetof(ArcArmSolution, is_within_limits)},
    {"told_apart", "1", ARC_FIELD_BOOL, offsetof(ArcArmSolution, is_told_apart)},
};

static const ArcField swing_fields[] = {
    {"numbers", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingFit, numbers)},
    {"rows", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingFit, rows)},
    {"left_out", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingFit, left_out)},
    {"chi2", "1", ARC_FIELD_REAL, offsetof(ArcSwingFit, chi2)},
    {"parts", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingFit, n_parts)},
    {"times", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingFit, n_times)},
    {"joints", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingFit, n_joints)},
    {"physics_rms", "rad/s^2", ARC_FIELD_REAL, offsetof(ArcSwingFit, physics_rms_rad_s2)},
    {"physics_rms_fine", "rad/s^2", ARC_FIELD_REAL, offsetof(ArcSwingFit, physics_rms_fine_rad_s2)},
    {"sigma_phys", "rad/s^2", ARC_FIELD_REAL, offsetof(ArcSwingFit, sigma_phys_rad_s2)},
};

static const ArcField part_fields[] = {
    {"kind", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingPart, kind)},
    {"index", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingPart, index)},
    {"numbers", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingPart, numbers)},
    {"rms", "m, rad or rad/s by the kind", ARC_FIELD_REAL, offsetof(ArcSwingPart, rms)},
    {"chi2", "1", ARC_FIELD_REAL, offsetof(ArcSwingPart, chi2)},
};

static const ArcField number_fields[] = {
    {"value", "m, rad or rad/s by the kind", ARC_FIELD_REAL, offsetof(ArcSwingNumber, value)},
    {"row", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingNumber, row)},
    {"kind", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingNumber, kind)},
    {"index", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingNumber, index)},
    {"axis", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingNumber, axis)},
    {"sigma", "m, rad or rad/s by the kind", ARC_FIELD_REAL, offsetof(ArcSwingNumber, sigma)},
    {"line", "1", ARC_FIELD_WHOLE, offsetof(ArcSwingNumber, line)},
};

#define TABLE(name, fields, type)                                                                  \
    {                                                                                              \
        name, fields, sizeof fields / sizeof fields[0], sizeof(type)                               \
    }

const ArcFieldTable arc_arm_counts = TABLE("measured", count_fields, ArcResiduals);
const ArcFieldTable arc_arm_readings = TABLE("measured/reading", reading_fields, ArcFittedReading);
const ArcFieldTable arc_arm_solutions = TABLE("arm/solution", solution_fields, ArcArmSolution);
const ArcFieldTable arc_arm_swings = TABLE("arm/swing", swing_fields, ArcSwingFit);
const ArcFieldTable arc_arm_swing_parts = TABLE("arm/swing/part", part_fields, ArcSwingPart);
const ArcFieldTable arc_arm_swing_numbers =
    TABLE("arm/swing/number", number_fields, ArcSwingNumber);

const ArcArmCount arc_arm_attributes[ARC_ARM_ATTRIBUTES] = {
    {"joints", offsetof(ArcArmFit, n_joints)}, {"dimensions", offsetof(ArcArmFit, dimensions)},
    {"first", offsetof(ArcArmFit, first)},     {"parameters", offsetof(ArcArmFit, n_parameters)},
    {"theta", offsetof(ArcArmFit, theta)},     {"omega", offsetof(ArcArmFit, omega)},
    {"release", offsetof(ArcArmFit, release)},
};

const char *const arc_arm_motion_names[ARC_ARM_MOTIONS] = {"theta", "omega", "acceleration",
                                                           "motor", "friction"};
const char *const arc_arm_motion_units[ARC_ARM_MOTIONS] = {"rad", "rad/s", "rad/s^2", "N m", "N m"};
