/* Parameters of a result with an arm, in tables by what they are of. */
#ifndef ARC_REPORT_ARM_SECTIONS_H
#define ARC_REPORT_ARM_SECTIONS_H

#include "arcfit/result.h"
#include "base/text.h"

#include <stdbool.h>

/* In the order in which they are shown. */
typedef enum ArcArmSection {
    ARC_SECTION_GEOMETRY,
    ARC_SECTION_ENCODERS,
    ARC_SECTION_DYNAMICS,
    ARC_SECTION_TORQUES,
    ARC_SECTION_POSE, /* angles and rates at the release */
    ARC_SECTION_RELEASE,
    ARC_SECTION_FLIGHT, /* and the measurement */
    ARC_N_SECTIONS
} ArcArmSection;

/* Where the parameter of this name belongs in a result with an arm. */
ArcArmSection arc_arm_section_of(const char *name);

/* "arm", "encoders", ... */
const char *arc_arm_section_heading(ArcArmSection section);

/* Whether a parameter of the arm is fixed: such ones stand in one paragraph, not in a table. */
bool arc_arm_section_is_told(const ArcEstimate *estimate);

/* That paragraph of a section, with heading in front; false where nothing is fixed. */
bool arc_arm_section_fixed(ArcText *table, const char *heading, const ArcFit *fit,
                           ArcArmSection section);

/* Tables of the sections first to last, a heading each; what is fixed of the arm in one paragraph.
 * is_compared: the difference in sd in place of the status. */
void arc_arm_sections_text(ArcText *table, const ArcResult *result, ArcArmSection first,
                           ArcArmSection last, bool is_compared);

#endif
