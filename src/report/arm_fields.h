/* What the HDF5 of an arm is made of, for its writer and its reader. */
#ifndef ARC_REPORT_ARM_FIELDS_H
#define ARC_REPORT_ARM_FIELDS_H

#include "report/fields.h"

/* Of ArcResiduals, ArcFittedReading, ArcArmSolution, ArcSwingFit, ArcSwingPart, ArcSwingNumber. */
extern const ArcFieldTable arc_arm_counts, arc_arm_readings, arc_arm_solutions, arc_arm_swings;
extern const ArcFieldTable arc_arm_swing_parts, arc_arm_swing_numbers;

/* Whole numbers of ArcArmFit that are attributes of its group. */
enum { ARC_ARM_ATTRIBUTES = 7 };
typedef struct ArcArmCount {
    const char *name;
    size_t offset;
} ArcArmCount;
extern const ArcArmCount arc_arm_attributes[ARC_ARM_ATTRIBUTES];

/* The motion of a swing, in the order of the pointers in ArcSwingFit; its time is their scale. */
enum { ARC_ARM_MOTIONS = 5 };
extern const char *const arc_arm_motion_names[ARC_ARM_MOTIONS];
extern const char *const arc_arm_motion_units[ARC_ARM_MOTIONS];

#endif
