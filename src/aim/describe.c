/* A throw as people tell it. */
#include "aim/describe.h"

#include <math.h>
#include <string.h>

static const double degree = M_PI / 180.0;

double arc_aim_split(int dimensions, int up, const double *v, double *above, double *azimuth)
{
    double level[2] = {v[dimensions == 2 ? 1 - up : (up + 1) % 3],
                       dimensions == 2 ? 0.0 : v[(up + 2) % 3]};
    double along = hypot(level[0], level[1]);
    *above = atan2(v[up], along);
    *azimuth = dimensions == 2 ? (double)NAN : atan2(level[1], level[0]);
    return hypot(along, v[up]);
}

/* Parameters of the flight in rad/s are its spin. */
static double spin_of(const ArcAim *aim, const double *values)
{
    double spin = NAN;
    for (int i = 0; i < aim->experiment->flight.n_parameters; i++)
        if (strcmp(aim->parameters[i].unit, "rad/s") == 0)
            spin = isnan(spin) ? values[i] : hypot(spin, values[i]);
    return spin;
}

void arc_aim_describe(const ArcAim *aim, const ArcAimSolution *solution, ArcAimRelease *release)
{
    release->speed_m_s = arc_aim_split(aim->dimensions, aim->up, solution->velocity_m_s,
                                       &release->angle_rad, &release->azimuth_rad);
    release->spin_rad_s = spin_of(aim, solution->values);
}

int arc_aim_joints(const ArcAim *aim)
{
    return aim->has_arm ? aim->experiment->arm.settings.n_joints : 0;
}

int arc_aim_arm_parameter(const ArcAim *aim, int index)
{
    return aim->experiment->flight.n_parameters + 1 + 2 * aim->dimensions + index;
}

void arc_aim_describe_overs(const ArcAim *aim, const ArcAimSolution *solution, ArcAimOvers *overs)
{
    const ArcArm *arm = &aim->experiment->arm;
    *overs = (ArcAimOvers){.is_within = true};
    for (int j = 0; j < arc_aim_joints(aim); j++) {
        const ArcArmJoint *joint = &arm->settings.joints[j];
        double theta = solution->values[arc_aim_arm_parameter(aim, arm->theta + j)];
        double omega = solution->values[arc_aim_arm_parameter(aim, arm->omega + j)];
        overs->angle_rad[j] =
            fmax(theta - joint->high_rad, 0.0) + fmin(theta - joint->low_rad, 0.0);
        overs->rate[j] = isfinite(joint->rate_limit_rad_s)
                             ? fmax(fabs(omega) / joint->rate_limit_rad_s - 1.0, 0.0)
                             : 0.0;
        overs->is_within =
            overs->is_within && fabs(overs->angle_rad[j]) <= 1e-9 && overs->rate[j] <= 1e-9;
    }
}

ArcAimUnit arc_aim_number_unit_read(int number)
{
    static const ArcAimUnit units[ARC_N_AIM_NUMBERS] = {
        [ARC_AIM_MISS] = {"cm", 1e2, 0.0},
        [ARC_AIM_SPEED] = {"m/s", 1.0, 0.0},
        [ARC_AIM_ENTRY_ANGLE] = {"deg", 180.0 / M_PI, 0.0},
        [ARC_AIM_ENTRY_SPEED] = {"m/s", 1.0, 0.0},
        [ARC_AIM_TIME] = {"s", 1.0, 0.0},
        [ARC_AIM_HEIGHT] = {"m", 1.0, 0.0},
        [ARC_AIM_CLEARANCE] = {"cm", 1e2, 0.0},
        [ARC_AIM_ENERGY] = {"J", 1.0, 0.0},
        [ARC_AIM_PEAK_TORQUE] = {"N m", 1.0, 0.0},
    };
    return units[number];
}

const char *arc_aim_goal_name(ArcGoalKind kind)
{
    static const char *const names[] = {[ARC_GOAL_NONE] = "none",
                                        [ARC_GOAL_RELEASE] = "release",
                                        [ARC_GOAL_POINT] = "point",
                                        [ARC_GOAL_HOOP] = "hoop",
                                        [ARC_GOAL_AREA] = "area"};
    return names[kind];
}

const char *arc_aim_number_words(int number)
{
    static const char *const words[ARC_N_AIM_NUMBERS] = {
        [ARC_AIM_MISS] = "miss",
        [ARC_AIM_SPEED] = "speed",
        [ARC_AIM_ENTRY_ANGLE] = "entry angle",
        [ARC_AIM_ENTRY_SPEED] = "entry speed",
        [ARC_AIM_TIME] = "time of flight",
        [ARC_AIM_HEIGHT] = "highest point",
        [ARC_AIM_CLEARANCE] = "clearance",
        [ARC_AIM_ENERGY] = "energy",
        [ARC_AIM_PEAK_TORQUE] = "peak torque",
    };
    return words[number];
}

ArcAimUnit arc_aim_parameter_unit_read(const ArcAim *aim, int i)
{
    static const struct {
        const char *si;
        ArcAimUnit unit;
    } units[] = {{"m", {"cm", 1e2, 1e-2}},
                 {"m/s", {"m/s", 1.0, 0.1}},
                 {"rad", {"deg", 180.0 / M_PI, degree}},
                 {"rad/s", {"deg/s", 180.0 / M_PI, 10.0 * degree}},
                 {"1", {"", 1.0, 0.1}},
                 {"1/m", {"1/m", 1.0, 1e-3}},
                 {"kg", {"g", 1e3, 1e-2}},
                 {"s", {"ms", 1e3, 1e-3}},
                 {"N m", {"N m", 1.0, 0.1}},
                 {"N m s", {"N m s", 1.0, 1e-2}},
                 {"kg m^2", {"kg m^2", 1.0, 1e-3}}};
    const char *si = aim->parameters[i].unit;
    if (i < aim->experiment->flight.n_parameters && strcmp(si, "rad/s") == 0)
        return (ArcAimUnit){"Hz", 0.5 / M_PI, 2.0 * M_PI};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
        if (strcmp(units[k].si, si) == 0)
            return units[k].unit;
    return (ArcAimUnit){si, 1.0, 1.0};
}
