/* The parameters of an arm, and readings of them.
 *
 * Geometry and dynamics are fixed at what the arm's section says, encoders at 0 and 1, torques of a
 * swing that is planned alone at theirs; torques of a swing that was seen and the angles and rates
 * at release are free. With an arm the release's position and velocity are no parameters to set:
 * they follow.
 */
#include "experiment/arm.h"

#include "experiment/special.h"

#include <math.h>
#include <stdio.h>

/* A reading is as its encoder counts, by an offset and a gain of whatever size. */
static const double most_reading_rad = 1e6;

int arc_arm_first_parameter(const ArcExperiment *experiment)
{
    return experiment->has_arm
               ? experiment->flight.n_parameters + 1 + 2 * experiment->flight_settings.dimensions
               : ARC_MAX_PARAMETERS;
}

static bool arm_is_torque(const ArcArm *arm, int k)
{
    return arm->settings.has_swing && k >= arm->torque[0] && k < arm->theta;
}

/* Whether the file gives the torques of the joint that has parameter k. */
static bool arm_has_torques(const ArcArm *arm, int k)
{
    int j = arm->settings.n_joints - 1;
    while (arm->torque[j] > k)
        j--;
    const ArcArmJoint *joint = &arm->settings.joints[j];
    int n = joint->curve == ARC_TORQUE_TRAPEZOID ? 1 : joint->n_torques; /* shares are never 0 */
    for (int i = 0; i < n; i++)
        if (joint->torque[i] != 0)
            return true;
    return false;
}

void arc_arm_set_parameters(ArcExperiment *experiment)
{
    const ArcArm *arm = &experiment->arm;
    int t0 = experiment->flight.n_parameters, first = arc_arm_first_parameter(experiment);
    for (int i = t0 + 1; i < first; i++) {
        experiment->parameters[i].is_free = false;
        experiment->parameters[i].is_tied = true;
    }
    for (int k = 0; k < arm->n_parameters; k++) {
        ArcParameter *parameter = &experiment->parameters[first + k];
        bool is_release = k >= arm->theta, is_torque = arm_is_torque(arm, k);
        parameter->is_free = is_release || (is_torque && !arm->settings.is_planned);
        parameter->has_start = is_torque && arm_has_torques(arm, k);
        parameter->sharing = parameter->is_free ? ARC_PER_FLIGHT : ARC_SHARED;
        if (k >= arm->theta && k < arm->omega) {
            parameter->low = arm->settings.joints[k - arm->theta].low_rad;
            parameter->high = arm->settings.joints[k - arm->theta].high_rad;
        }
    }
}

bool arc_arm_has_default(const ArcExperiment *experiment, int i)
{
    int k = i - arc_arm_first_parameter(experiment);
    return k >= 0 && k < experiment->arm.theta && !arm_is_torque(&experiment->arm, k);
}

/* "theta3" is theta and 3, "torque1_2" torque and 1; number 0: of no joint. */
static size_t name_stem(const char *name, int *number)
{
    size_t stem = strcspn(name, "0123456789");
    const char *digit = name + stem;
    *number = 0;
    if (*digit < '1' || *digit > '9')
        return stem;
    bool is_coefficient = digit[1] == '_' && strspn(digit + 2, "0123456789") > 0;
    if (digit[1] == '\0' || is_coefficient)
        *number = *digit - '0';
    return stem;
}

void arc_arm_owner(const ArcExperiment *experiment, const char *name, char owner[64])
{
    static const struct {
        const char *stem;
        bool is_of_joint;
        const char *owner; /* of an arm that does not have it; NULL: every arm has */
    } others[] = {{"base_x", false, NULL},
                  {"base_y", false, NULL},
                  {"base_z", false, "an arm with dimensions: 3"},
                  {"ball_along", false, NULL},
                  {"ball_across", false, NULL},
                  {"ball_side", false, "an arm with dimensions: 3"},
                  {"l", true, NULL},
                  {"offset", true, "an arm with encoders: true"},
                  {"gain", true, "an arm with encoders: true"},
                  {"mass", true, "an arm with a swing (capture.swing or aim.swing)"},
                  {"centre", true, "an arm with a swing (capture.swing or aim.swing)"},
                  {"inertia", true, "an arm with a swing (capture.swing or aim.swing)"},
                  {"payload", false, "an arm with a swing (capture.swing or aim.swing)"},
                  {"viscous", true, "an arm with a swing (capture.swing or aim.swing)"},
                  {"coulomb", true, "an arm with a swing (capture.swing or aim.swing)"},
                  {"torque", true, "an arm with a swing (capture.swing or aim.swing)"},
                  {"theta", true, NULL},
                  {"omega", true, NULL}};
    int number, n_joints = experiment->arm.settings.n_joints;
    size_t stem = name_stem(name, &number);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        bool is_it = others[i].is_of_joint ? number > 0 && strlen(others[i].stem) == stem &&
                                                 strncmp(others[i].stem, name, stem) == 0
                                           : strcmp(others[i].stem, name) == 0;
        if (!is_it)
            continue;
        if (!experiment->has_arm)
            snprintf(owner, 64, "release: arm");
        else if (others[i].is_of_joint && number > n_joints)
            snprintf(owner, 64, "an arm of %d joints or more", number);
        else if (strcmp(others[i].stem, "torque") == 0 && experiment->arm.settings.has_swing)
            snprintf(owner, 64, "a torque curve with other coefficients");
        else if (others[i].owner != NULL)
            snprintf(owner, 64, "%s", others[i].owner);
    }
}

ArcStatus arc_arm_refuse_tied(const ArcExperiment *experiment, const ArcYamlNode *node,
                              ArcError *err)
{
    const ArcArm *arm = &experiment->arm;
    return arc_error_set_at(
        err, ARC_INPUT, node->key_place,
        "'%.100s' follows from the arm with release: arm, so that it cannot "
        "be set; set the arm's own parameters, %s to %s, or give another release",
        node->key, arm->parameters[0].name, arm->parameters[arm->n_parameters - 1].name);
}

ArcStatus arc_parameter_read_measured(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcExperiment *experiment = reader->experiment;
    ArcParameter *parameter = setting->base;
    int i = (int)(parameter - experiment->parameters), first = arc_arm_first_parameter(experiment);
    bool is_of_arm = i >= first && i < first + experiment->arm.n_parameters;
    if ((i != experiment->flight.n_parameters || experiment->equations != NULL) && !is_of_arm)
        return arc_error_set_at(err, ARC_INPUT, setting->node->key_place,
                                "'%s' is nothing that a reading measures: that are t0 and, with "
                                "release: arm, the arm's parameters; give a prior instead",
                                parameter->name);
    ArcParameterInfo info = reader->parameter;
    if (is_of_arm && i - first >= experiment->arm.theta && i - first < experiment->arm.omega) {
        reader->parameter.low = -most_reading_rad;
        reader->parameter.high = most_reading_rad;
    }
    ArcStatus status = arc_reader_section(reader, setting->row->path, setting, err);
    reader->parameter = info;
    parameter->has_reading = status == ARC_OK;
    return status;
}
