/* The arm that threw: readings, poses and swing of a result, in text and JSON. Nothing where a
 * result has no arm. */
#ifndef ARC_REPORT_ARM_PARTS_H
#define ARC_REPORT_ARM_PARTS_H

#include "arcfit/result.h"
#include "base/text.h"
#include "io/json.h"

enum { ARC_ARM_NAME = 24 };

/* The arm of a fit, of several flights that of the first; NULL: none. */
const ArcArmFit *arc_arm_parts_of(const ArcFit *fit);

/* "elbow" (the end of the first link of several), "hand" (of the last), "joint2", "base", "ball";
 * "theta1", "omega1". */
const char *arc_arm_parts_name(char buffer[ARC_ARM_NAME], ArcSwingKind kind, int index,
                               int n_joints);

/* How many poses within the joints' limits are as good as that of the estimate, and what is said of
 * them. */
int arc_arm_parts_others(const ArcArmFit *arm);
extern const char arc_arm_remark[];

/* Lines of the header: what was seen and read of the arm. */
void arc_arm_parts_header(ArcText *table, const ArcResult *result);

/* What was measured of parameters and what the fits make of it; of a result without an arm, too. */
void arc_arm_parts_readings(ArcText *table, const ArcResult *result);

/* Arm, release and flight, in that order, in place of the table of parameters; between arm and
 * release its readings, poses and swing. is_compared: differences in sd in place of statuses. */
void arc_arm_parts_text(ArcText *table, const ArcResult *result, bool is_compared);

/* "the release is taken to be at the first point ...": nothing told when the arm let go. */
void arc_arm_parts_say_release(ArcText *text, double t0_s);

/* "; the swing ...": where a misfit comes from, if from readings or swing. False: from neither. */
bool arc_arm_parts_say_where(ArcText *text, const ArcFit *fit);

/* "differ: two poses of the arm ...": where the fits found poses whose chi2 are alike. */
bool arc_arm_parts_say_poses(ArcText *text, const ArcResult *result);

/* How far a PINN's swings leave their equations between the collocation points, and how far they
 * may, in rad/s^2; NaN where there is none. */
void arc_arm_parts_physics(const ArcFit *fit, double *fine, double *allowed);

/* "arm" and "readings" of a fit's object. */
void arc_arm_parts_json(ArcJson *json, json_t *object, const ArcFit *fit);

/* Counts and sums of readings and swing, into residuals. */
void arc_arm_parts_json_counts(ArcJson *json, json_t *residuals, const ArcResiduals *of);

#endif
