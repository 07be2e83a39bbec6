/* The arm's settings: checked, and its parameters listed. */
#include "arcfit/arm.h"

#include <math.h>
#include <stddef.h>

#define OF_JOINTS(text)                                                                            \
    {                                                                                              \
        text "1", text "2", text "3", text "4"                                                     \
    }
#define TORQUES(text)                                                                              \
    {                                                                                              \
        text "_1", text "_2", text "_3", text "_4", text "_5", text "_6", text "_7", text "_8"     \
    }

enum { NO_FIELD = -1 };

/* A parameter that every joint has; its default is the joint's field, or `value` where there is
 * none. */
typedef struct JointRow {
    const char *names[ARC_ARM_MAX_JOINTS];
    const char *unit;
    double low, high, value;
    const char *docs[ARC_ARM_MAX_JOINTS];
    int field;
} JointRow;

#define FIELD(name) (int)offsetof(ArcArmJoint, name)

static const JointRow row_length = {OF_JOINTS("l"), "m", 0, 1e3, 0, OF_JOINTS("length of link "),
                                    FIELD(length_m)};
static const JointRow row_offset = {OF_JOINTS("offset"),
                                    "rad",
                                    -100,
                                    100,
                                    0,
                                    OF_JOINTS("what the encoder reads at 0 of joint "),
                                    NO_FIELD};
static const JointRow row_gain = {
    OF_JOINTS("gain"), "1", -100, 100, 1, OF_JOINTS("what the encoder reads a radian of joint "),
    NO_FIELD};
static const JointRow row_mass = {OF_JOINTS("mass"),          "kg",          0, 1e6, 0,
                                  OF_JOINTS("mass of link "), FIELD(mass_kg)};
static const JointRow row_centre = {
    OF_JOINTS("centre"),
    "m",
    -1e3,
    1e3,
    0,
    OF_JOINTS("distance from its joint of the centre of mass of link "),
    FIELD(centre_m)};
static const JointRow row_inertia = {
    OF_JOINTS("inertia"),
    "kg m^2",
    0,
    1e9,
    0,
    OF_JOINTS("moment of inertia about its centre, across, of link "),
    FIELD(inertia_kg_m2)};
static const JointRow row_viscous = {
    OF_JOINTS("viscous"), "N m s", 0, 1e6, 0, OF_JOINTS("viscous friction of joint "),
    FIELD(viscous_n_m_s)};
static const JointRow row_coulomb = {
    OF_JOINTS("coulomb"), "N m", 0, 1e6, 0, OF_JOINTS("Coulomb's friction of joint "),
    FIELD(coulomb_n_m)};
static const JointRow row_theta = {
    OF_JOINTS("theta"), "rad", -1e3, 1e3, 0, OF_JOINTS("angle at the release of joint "), NO_FIELD};
static const JointRow row_omega = {OF_JOINTS("omega"),
                                   "rad/s",
                                   -1e4,
                                   1e4,
                                   0,
                                   OF_JOINTS("rate at the release of joint "),
                                   NO_FIELD};

static const char *const constant_names[] = OF_JOINTS("torque");
static const char *const torque_names[][ARC_ARM_MAX_TORQUES] = {
    TORQUES("torque1"), TORQUES("torque2"), TORQUES("torque3"), TORQUES("torque4")};

ArcArmSettings arc_arm_settings_default(void)
{
    ArcArmSettings settings = {.dimensions = 2,
                               .up = 1,
                               .n_joints = 2,
                               .gravity_m_s2 = 9.80665,
                               .friction_width_rad_s = 0.5};
    for (int j = 0; j < ARC_ARM_MAX_JOINTS; j++)
        settings.joints[j] = (ArcArmJoint){.axis = ARC_JOINT_PITCH,
                                           .length_m = 1,
                                           .low_rad = -INFINITY,
                                           .high_rad = INFINITY,
                                           .rate_limit_rad_s = INFINITY,
                                           .curve = ARC_TORQUE_CONSTANT,
                                           .n_torques = 1,
                                           .stall_n_m = INFINITY,
                                           .idle_rad_s = INFINITY};
    return settings;
}

static ArcStatus check_frame(const ArcArmSettings *settings, ArcError *err)
{
    if (settings->dimensions != 2 && settings->dimensions != 3)
        return arc_error_set(err, ARC_INPUT, "dimensions %d is neither 2 (plane) nor 3 (space)",
                             settings->dimensions);
    if (settings->up < 0 || settings->up >= settings->dimensions)
        return arc_error_set(err, ARC_INPUT, "axis %d cannot be up in %d dimensions; %s",
                             settings->up, settings->dimensions,
                             settings->dimensions == 2 ? "use x or y" : "use x, y or z");
    if (settings->n_joints < 1 || settings->n_joints > ARC_ARM_MAX_JOINTS)
        return arc_error_set(err, ARC_INPUT, "an arm of %d joints; give 1 to %d",
                             settings->n_joints, ARC_ARM_MAX_JOINTS);
    return ARC_OK;
}

static ArcStatus check_joint(const ArcArmSettings *settings, int j, ArcError *err)
{
    const ArcArmJoint *joint = &settings->joints[j];
    if ((int)joint->axis < ARC_JOINT_PITCH || (int)joint->axis > ARC_JOINT_ROLL)
        return arc_error_set(err, ARC_INPUT, "joint %d: there is no axis %d", j + 1,
                             (int)joint->axis);
    if (settings->dimensions == 2 && joint->axis != ARC_JOINT_PITCH)
        return arc_error_set(err, ARC_INPUT,
                             "joint %d turns out of the plane; use 'pitch', or dimensions: 3",
                             j + 1);
    if (!(joint->low_rad < joint->high_rad))
        return arc_error_set(err, ARC_INPUT,
                             "joint %d: its limits %g to %g rad leave no angle; give the lower one "
                             "first",
                             j + 1, joint->low_rad, joint->high_rad);
    if (!(joint->rate_limit_rad_s > 0))
        return arc_error_set(err, ARC_INPUT, "joint %d: rate limit %g rad/s is not above zero",
                             j + 1, joint->rate_limit_rad_s);
    return ARC_OK;
}

static ArcStatus check_motor(const ArcArmSettings *settings, int j, ArcError *err)
{
    static const struct {
        const char *name;
        int fewest, most;
    } curves[] = {[ARC_TORQUE_CONSTANT] = {"constant", 1, 1},
                  [ARC_TORQUE_POLYNOMIAL] = {"polynomial", 1, ARC_ARM_MAX_TORQUES},
                  [ARC_TORQUE_TRAPEZOID] = {"trapezoid", 3, 3},
                  [ARC_TORQUE_SPLINE] = {"spline", 4, ARC_ARM_MAX_TORQUES}};
    const ArcArmJoint *joint = &settings->joints[j];
    int curve = (int)joint->curve;
    if (curve < 0 || curve > ARC_TORQUE_SPLINE)
        return arc_error_set(err, ARC_INPUT, "joint %d: there is no torque curve %d", j + 1, curve);
    if (joint->n_torques < curves[curve].fewest || joint->n_torques > curves[curve].most)
        return arc_error_set(
            err, ARC_INPUT, "joint %d: a torque curve '%s' of %d coefficients; give %d to %d",
            j + 1, curves[curve].name, joint->n_torques, curves[curve].fewest, curves[curve].most);
    if (!(joint->stall_n_m > 0))
        return arc_error_set(err, ARC_INPUT, "joint %d: stall torque %g N m is not above zero",
                             j + 1, joint->stall_n_m);
    if (!(joint->idle_rad_s > 0))
        return arc_error_set(err, ARC_INPUT, "joint %d: idle rate %g rad/s is not above zero",
                             j + 1, joint->idle_rad_s);
    return ARC_OK;
}

static ArcStatus check_swing(const ArcArmSettings *settings, ArcError *err)
{
    if (!(settings->gravity_m_s2 >= 0 && settings->gravity_m_s2 <= 1000))
        return arc_error_set(err, ARC_INPUT,
                             "gravity %g m/s^2 is outside 0 to 1000 m/s^2; give its size",
                             settings->gravity_m_s2);
    if (!(settings->friction_width_rad_s > 0 && settings->friction_width_rad_s <= 1e4))
        return arc_error_set(err, ARC_INPUT, "friction width %g rad/s is not in 0 to 10000 rad/s",
                             settings->friction_width_rad_s);
    if (!(settings->begin_s < settings->end_s))
        return arc_error_set(err, ARC_INPUT,
                             "the torque curves' span %g to %g s is empty; give its begin first",
                             settings->begin_s, settings->end_s);
    if (!(settings->end_s - settings->begin_s <= ARC_ARM_MOST_SPAN_S))
        return arc_error_set(err, ARC_INPUT,
                             "the torque curves' span %g to %g s is longer than %g s; give the "
                             "swing's own",
                             settings->begin_s, settings->end_s, ARC_ARM_MOST_SPAN_S);
    for (int j = 0; j < settings->n_joints; j++) {
        ArcStatus status = check_motor(settings, j, err);
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}

static int add(ArcArm *arm, ArcParameterInfo info)
{
    arm->parameters[arm->n_parameters] = info;
    return arm->n_parameters++;
}

/* Of every joint; returns the index of the first. */
static int add_joints(ArcArm *arm, const JointRow *row)
{
    int first = arm->n_parameters;
    for (int j = 0; j < arm->settings.n_joints; j++) {
        const char *joint = (const char *)&arm->settings.joints[j];
        double value = row->field == NO_FIELD ? row->value : *(const double *)(joint + row->field);
        add(arm,
            (ArcParameterInfo){row->names[j], row->unit, value, row->low, row->high, row->docs[j]});
    }
    return first;
}

static void add_geometry(ArcArm *arm)
{
    static const char *const bases[] = {"base_x", "base_y", "base_z"};
    static const char *const base_docs[] = {"first joint's x", "first joint's y",
                                            "first joint's z"};
    static const char *const balls[] = {"ball_along", "ball_across", "ball_side"};
    static const char *const ball_docs[] = {"ball beyond the last link's end, along the link",
                                            "ball beside the last link's end, upwards at level",
                                            "ball beside the last link's end, level"};
    const ArcArmSettings *settings = &arm->settings;
    int d = settings->dimensions;
    arm->base = arm->n_parameters;
    for (int c = 0; c < d; c++)
        add(arm, (ArcParameterInfo){bases[c], "m", settings->base_m[c], -1e6, 1e6, base_docs[c]});
    if (d == 3)
        arm->azimuth = add(arm, (ArcParameterInfo){"azimuth", "rad", settings->azimuth_rad, -1e3,
                                                   1e3, "turn of the whole arm about up"});
    arm->length = add_joints(arm, &row_length);
    arm->ball = arm->n_parameters;
    for (int c = 0; c < d; c++)
        add(arm, (ArcParameterInfo){balls[c], "m", settings->ball_m[c], -1e3, 1e3, ball_docs[c]});
    arm->n_geometry = arm->n_parameters;
}

static void add_torques(ArcArm *arm, int j)
{
    static const char *const docs[] = {"torque of the motor", "torque of the trapezoid's top",
                                       "share of the span in which it is reached",
                                       "share of the span in which it is left",
                                       "coefficient of the torque curve"};
    const ArcArmJoint *joint = &arm->settings.joints[j];
    bool is_constant = joint->curve == ARC_TORQUE_CONSTANT;
    arm->torque[j] = arm->n_parameters;
    for (int k = 0; k < joint->n_torques; k++) {
        bool is_trapezoid = joint->curve == ARC_TORQUE_TRAPEZOID, is_share = is_trapezoid && k > 0;
        add(arm, (ArcParameterInfo){is_constant ? constant_names[j] : torque_names[j][k],
                                    is_share ? "1" : "N m", joint->torque[k],
                                    is_share ? 1e-3 : -1e9, is_share ? 1 : 1e9,
                                    docs[is_constant    ? 0
                                         : is_trapezoid ? 1 + k
                                                        : 4]});
    }
}

static void add_dynamics(ArcArm *arm)
{
    arm->mass = add_joints(arm, &row_mass);
    arm->centre = add_joints(arm, &row_centre);
    arm->inertia = add_joints(arm, &row_inertia);
    arm->payload = add(arm, (ArcParameterInfo){"payload", "kg", arm->settings.payload_kg, 0, 1e6,
                                               "mass that is held at the ball"});
    arm->viscous = add_joints(arm, &row_viscous);
    arm->coulomb = add_joints(arm, &row_coulomb);
    for (int j = 0; j < arm->settings.n_joints; j++)
        add_torques(arm, j);
}

static ArcStatus check_values(const ArcArm *arm, ArcError *err)
{
    for (int k = 0; k < arm->n_parameters; k++) {
        const ArcParameterInfo *info = &arm->parameters[k];
        if (!(info->value >= info->low && info->value <= info->high))
            return arc_error_set(err, ARC_INPUT, "the arm's %s %g %s is outside %g to %g %s",
                                 info->name, info->value, info->unit, info->low, info->high,
                                 info->unit);
    }
    return ARC_OK;
}

ArcStatus arc_arm_create(const ArcArmSettings *settings, ArcArm *arm, ArcError *err)
{
    ArcArm made = {.settings = *settings};
    int *const absent[] = {&made.azimuth,  &made.offset,  &made.gain,      &made.mass,
                           &made.centre,   &made.inertia, &made.payload,   &made.viscous,
                           &made.coulomb,  made.torque,   made.torque + 1, made.torque + 2,
                           made.torque + 3};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
        *absent[i] = -1;
    ArcStatus status = check_frame(settings, err);
    for (int j = 0; status == ARC_OK && j < settings->n_joints; j++)
        status = check_joint(settings, j, err);
    if (status == ARC_OK && settings->has_swing)
        status = check_swing(settings, err);
    if (status != ARC_OK)
        return status;
    add_geometry(&made);
    if (settings->has_encoders) {
        made.offset = add_joints(&made, &row_offset);
        made.gain = add_joints(&made, &row_gain);
    }
    if (settings->has_swing)
        add_dynamics(&made);
    made.theta = add_joints(&made, &row_theta);
    made.omega = add_joints(&made, &row_omega);
    status = check_values(&made, err);
    if (status == ARC_OK)
        *arm = made;
    return status;
}
