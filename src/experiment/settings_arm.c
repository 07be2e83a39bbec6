/* The table of settings: the arm that throws. It is read behind flight and release, whose
 * dimensions it takes, and before the parameters, some of which are its own. */
#include "experiment/settings_rows.h"

#include <math.h>

static const char *joint_axis_name(int index)
{
    int n;
    const ArcLaw *axes = arc_joint_axes(&n);
    return index >= 0 && index < n ? axes[index].name : NULL;
}

static const char *curve_name(int index)
{
    int n;
    const ArcLaw *curves = arc_torque_curves(&n);
    return index >= 0 && index < n ? curves[index].name : NULL;
}

#define ARM(field) OF(arm.settings.field)
#define JOINT(field) FIELD(ArcArmJoint, field)

static const ArcSettingRow rows[] = {
    {"arm", ARC_SETTING_SPECIAL, "none", NULL, "the arm that throws, with release: arm",
     OF(has_arm), READ(arc_special_arm, "none, or a mapping", "none|KEYS")},
    {"arm.joints", ARC_SETTING_SPECIAL, NULL, "required",
     "from the base on, each with the link behind it", ARM(joints),
     READ(arc_special_joints, "a list of 1 to 4 mappings", "[KEYS 1..4]")},
    {"arm.joints.axis", ARC_SETTING_CHOICE, "pitch", NULL,
     "pitch raises what follows; in space also yaw, about up, and roll, about the link",
     JOINT(axis), CHOICE(joint_axis_name)},
    {"arm.joints.length", ARC_SETTING_NUMBER, NULL, "required",
     "of its link; the default of the parameter l1, l2 and so on", JOINT(length_m),
     RANGE(ARC_LENGTH, 0, 1e3)},
    {"arm.joints.limits", ARC_SETTING_SPECIAL, NULL, "none",
     "angles that it reaches; the bounds of theta1, theta2 and so on", JOINT(low_rad), ARC_ANGLE,
     -1e3, 1e3, NULL, arc_special_pair, "[low, high]", "[NUMBER 2]"},
    {"arm.joints.rate_limit", ARC_SETTING_NUMBER, NULL, "none",
     "largest rate, that `arcfit aim` keeps to; no bound of a fit", JOINT(rate_limit_rad_s),
     RANGE(ARC_ANGULAR_RATE, 1e-9, 1e6)},
    {"arm.joints.mass", ARC_SETTING_NUMBER, "0 kg", NULL,
     "of its link; this and what follows count where the swing was seen", JOINT(mass_kg),
     RANGE(ARC_MASS, 0, 1e6)},
    {"arm.joints.centre", ARC_SETTING_NUMBER, NULL, "half the length",
     "from the joint to the link's centre of mass", JOINT(centre_m), RANGE(ARC_LENGTH, -1e3, 1e3)},
    {"arm.joints.inertia", ARC_SETTING_NUMBER, NULL, "a rod's, mass length^2 / 12",
     "of the link about its centre of mass, across", JOINT(inertia_kg_m2),
     RANGE(ARC_INERTIA, 0, 1e9)},
    {"arm.joints.viscous", ARC_SETTING_NUMBER, "0 N m s", NULL, "friction by the rate",
     JOINT(viscous_n_m_s), RANGE(ARC_DAMPING, 0, 1e6)},
    {"arm.joints.coulomb", ARC_SETTING_NUMBER, "0 N m", NULL, "friction whatever the rate",
     JOINT(coulomb_n_m), RANGE(ARC_TORQUE, 0, 1e6)},
    {"arm.joints.torque", ARC_SETTING_SPECIAL, "{}", NULL, "what the motor gives during the swing",
     NO_FIELD, READ(arc_special_torque, "a mapping", "KEYS")},
    {"arm.joints.torque.curve", ARC_SETTING_CHOICE, "constant", NULL,
     "over the span (see `arcfit models`)", JOINT(curve), CHOICE(curve_name)},
    {"arm.joints.torque.coefficients", ARC_SETTING_WHOLE, NULL,
     "constant 1, polynomial 3, trapezoid 3, spline 6",
     "how many: polynomial 1 to 8, spline 4 to 8; parameters torque1_1, torque1_2 and so on",
     JOINT(n_torques), RANGE(ARC_ONE, 1, ARC_ARM_MAX_TORQUES)},
    {"arm.joints.torque.values", ARC_SETTING_SPECIAL, NULL, "by the swing",
     "where a fit begins; the truth of `simulate`", JOINT(torque), ARC_TORQUE, -1e9, 1e9, NULL,
     arc_special_torques, "a list of torques; of a trapezoid [torque, share, share]",
     "[NUMBER|SHARE 1..8]"},
    {"arm.joints.stall", ARC_SETTING_NUMBER, NULL, "none", "largest torque, of a motor at rest",
     JOINT(stall_n_m), RANGE(ARC_TORQUE, 1e-9, 1e9)},
    {"arm.joints.idle_rate", ARC_SETTING_NUMBER, NULL, "none; needs stall",
     "rate at which nothing is left of the torque", JOINT(idle_rad_s),
     RANGE(ARC_ANGULAR_RATE, 1e-9, 1e6)},
    {"arm.base", ARC_SETTING_SPECIAL, NULL, "0 on every axis", "where the first joint stands",
     ARM(base_m), ARC_LENGTH, -1e6, 1e6, NULL, arc_special_position,
     "a list of positions, one an axis", "[NUMBER 2..3]"},
    {"arm.azimuth", ARC_SETTING_NUMBER, "0 deg", NULL,
     "in space: how far the arm is turned about up", ARM(azimuth_rad), RANGE(ARC_ANGLE, -1e3, 1e3)},
    {"arm.ball", ARC_SETTING_SPECIAL, NULL, "at its end",
     "where the last link holds the ball: along the link from its end, across, and in space aside",
     ARM(ball_m), ARC_LENGTH, -1e3, 1e3, NULL, arc_special_position, "a list of lengths",
     "[NUMBER 2..3]"},
    {"arm.payload", ARC_SETTING_NUMBER, NULL, "the ball's mass with a swing, else 0",
     "mass that the hand holds", ARM(payload_kg), RANGE(ARC_MASS, 0, 1e6)},
    {"arm.friction_width", ARC_SETTING_NUMBER, "0.5 rad/s", NULL,
     "rates about 0 over which Coulomb's friction turns its sign", ARM(friction_width_rad_s),
     RANGE(ARC_ANGULAR_RATE, 1e-6, 1e3)},
    {"arm.encoders", ARC_SETTING_FLAG, NULL, "true where angles are measured",
     "whether the joints' readings have parameters: offset1, gain1 and so on", ARM(has_encoders),
     PLAIN},
    {"arm.span", ARC_SETTING_SPECIAL, NULL, "first to last time of the swing",
     "of the torque curves, by the capture's clock", ARM(begin_s), ARC_TIME, -1e9, 1e9, NULL,
     arc_special_pair, "[time, time]", "[NUMBER 2]"},
};

const ArcSettingPart arc_settings_arm = PART(rows);
