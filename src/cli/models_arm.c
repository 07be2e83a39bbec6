/* What arcfit models says of the arm: its joints, torque curves, equations and parameters. */
#include "arcfit/arm.h"
#include "cli/commands.h"
#include "cli/output.h"

#include <stdio.h>
#include <string.h>

/* An arm of one joint in space that has everything; its torque by the curve. */
static ArcStatus models_arm_create(ArcTorqueCurve curve, ArcArm *arm)
{
    static const int counts[] = {[ARC_TORQUE_CONSTANT] = 1,
                                 [ARC_TORQUE_POLYNOMIAL] = 3,
                                 [ARC_TORQUE_TRAPEZOID] = 3,
                                 [ARC_TORQUE_SPLINE] = 4};
    ArcArmSettings settings = arc_arm_settings_default();
    settings.dimensions = 3;
    settings.up = 2;
    settings.n_joints = 1;
    settings.has_encoders = settings.has_swing = true;
    settings.end_s = 1;
    settings.joints[0].curve = curve;
    settings.joints[0].n_torques = counts[curve];
    settings.joints[0].torque[1] = settings.joints[0].torque[2] = 0.2;
    return arc_arm_create(&settings, arm, NULL);
}

/* The parameters of the arm that names list, blank between. */
static void models_parameters(const ArcArm *arm, const char *names)
{
    for (int k = 0; k < arm->n_parameters; k++) {
        const ArcParameterInfo *info = &arm->parameters[k];
        char line[256];
        if (!arc_models_lists(names, info->name))
            continue;
        bool is_free = k >= arm->torque[0];
        snprintf(line, sizeof line, "%s (%s), %s: %s", info->name, info->unit,
                 is_free ? "free" : "fixed unless freed", info->doc);
        arc_output_row("", line);
    }
}

static void models_laws(const char *title, int n, const ArcLaw *laws, bool has_parameters)
{
    printf("%s", title);
    for (int i = 0; i < n; i++) {
        ArcArm arm;
        arc_output_row(laws[i].name, laws[i].equation);
        arc_output_row("", laws[i].source);
        if (has_parameters && models_arm_create(ARC_TORQUE_CONSTANT, &arm) == ARC_OK)
            models_parameters(&arm, laws[i].parameters);
    }
}

void arc_models_arm(void)
{
    int n;
    const ArcLaw *laws = arc_arm_terms(&n);
    models_laws("\narm                with release: arm; parameters of each joint end in its\n"
                "                   number, here 1; keys: `arcfit help settings`\n",
                n, laws, true);
    laws = arc_joint_axes(&n);
    models_laws("\narm.joints         axis\n", n, laws, false);
    laws = arc_torque_curves(&n);
    printf("\narm.joints.torque  curve, over xi from 0 to 1: the share of the span\n");
    for (int i = 0; i < n; i++) {
        ArcArm arm;
        arc_output_row(laws[i].name, laws[i].equation);
        arc_output_row("", laws[i].source);
        if (models_arm_create((ArcTorqueCurve)i, &arm) == ARC_OK)
            models_parameters(&arm, laws[i].parameters);
    }
}
