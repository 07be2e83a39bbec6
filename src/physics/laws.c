/* Tables: laws of drag and lift, their parameters, ball presets.
 *
 * Every table is indexed by its enumerator. A new law is an enumerator in flight.h, a row in two
 * tables here and a case in flight.c.
 */
#include "physics/laws.h"

#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

static const ArcLaw drag_laws[] = {
    [ARC_DRAG_NONE] = {"none", "0", "", false, "vacuum"},
    [ARC_DRAG_LUMPED] = {"lumped", "-k |u| u", "k", false,
                         "quadratic drag with rho A cd / (2 m) as one number k"},
    [ARC_DRAG_QUADRATIC] = {"quadratic", "-rho A cd / (2 m) |u| u", "cd", true,
                            "the definition of the drag coefficient of a sphere"},
};

static const ArcParameterInfo drag_parameters[] = {
    [ARC_DRAG_NONE] = {0},
    [ARC_DRAG_LUMPED] = {"k", "1/m", 0.02, 0, 100, "drag per metre flown: rho A cd / (2 m)"},
    [ARC_DRAG_QUADRATIC] = {"cd", "1", 0.5, 0, 10, "drag coefficient"},
};

static const ArcLaw lift_laws[] = {
    [ARC_LIFT_NONE] = {"none", "0", "", false, "no Magnus force"},
    [ARC_LIFT_LUMPED] = {"lumped", "s (w x u)", "s", false,
                         "Magnus force linear in the spin with all constants as one number s"},
    [ARC_LIFT_CONSTANT] = {"constant", "rho A cl / (2 m) |u|^2 (w x u)/|w x u|", "cl", true,
                           "the definition of the lift coefficient, whatever the spin's size"},
    [ARC_LIFT_LINEAR] = {"linear", "rho A cm r / (2 m) (w x u): CL = cm S, S = r |w_perp|/|u|",
                         "cm", true, "small spin parameter S; table tennis cm about 1.47"},
    [ARC_LIFT_RATIONAL] = {"rational", "rho A CL / (2 m) |u|^2 (w x u)/|w x u|, CL = 1/(2 + 1/S)",
                           "", true, "fit to wind-tunnel data of spinning tennis balls"},
};

static const ArcParameterInfo lift_parameters[] = {
    [ARC_LIFT_NONE] = {0},
    [ARC_LIFT_LUMPED] = {"s", "1", 1, -1000, 1000, "lift per spin and speed"},
    [ARC_LIFT_CONSTANT] = {"cl", "1", 0.2, -100, 100, "lift coefficient"},
    [ARC_LIFT_LINEAR] = {"cm", "1", 1.2, -100, 100, "lift coefficient per spin parameter S"},
    [ARC_LIFT_RATIONAL] = {0},
};

static const ArcParameterInfo spin_plane[] = {
    {"spin", "rad/s", 0, -1e5, 1e5, "angular rate; positive is topspin of a flight along +x"},
};

static const ArcParameterInfo spin_space[] = {
    {"wx", "rad/s", 0, -1e5, 1e5, "angular rate about x, right-handed"},
    {"wy", "rad/s", 0, -1e5, 1e5, "angular rate about y, right-handed"},
    {"wz", "rad/s", 0, -1e5, 1e5, "angular rate about z, right-handed"},
};

static const ArcBall ball_presets[] = {
    {"basketball", 0.62, 0.24, 0.5, "size 7: 22 oz, 29.5 in around, rounded; usual cd of a sphere"},
    {"table-tennis", 0.0027, 0.040, 0.47, "40 mm ball; cd of a published robot's free flights"},
    {"tennis", 0.0577, 0.067, 0.507, "cd of free flights at 15 to 30 m/s, 0.507 +- 0.024"},
    {"soccer", 0.43, 0.22, 0.25, "size 5; cd past the drag crisis (0.2 to 0.5)"},
    {"baseball", 0.145, 0.0732, 0.35, "regulation ball; usual cd 0.3 to 0.4"},
    {"golf", 0.04593, 0.04267, 0.25, "largest mass and least diameter of the rules; usual cd"},
    {"badminton", 0.005, 0.06, 0.6, "shuttle with 28 cm^2 of front, cd 0.6: Cohen et al. 2015"},
};

const ArcLaw *arc_drag_laws(int *n)
{
    *n = COUNT(drag_laws);
    return drag_laws;
}

const ArcLaw *arc_lift_laws(int *n)
{
    *n = COUNT(lift_laws);
    return lift_laws;
}

const ArcBall *arc_ball_presets(int *n)
{
    *n = COUNT(ball_presets);
    return ball_presets;
}

const ArcBall *arc_ball_find(const char *name)
{
    for (int i = 0; i < COUNT(ball_presets); i++) {
        if (strcmp(ball_presets[i].name, name) == 0)
            return &ball_presets[i];
    }
    return NULL;
}

const ArcParameterInfo *arc_drag_parameter(ArcDrag drag)
{
    return drag_parameters[drag].name != NULL ? &drag_parameters[drag] : NULL;
}

const ArcParameterInfo *arc_lift_parameter(ArcLift lift)
{
    return lift_parameters[lift].name != NULL ? &lift_parameters[lift] : NULL;
}

const ArcParameterInfo *arc_spin_parameters(int dimensions, int *n)
{
    *n = dimensions == 2 ? COUNT(spin_plane) : COUNT(spin_space);
    return dimensions == 2 ? spin_plane : spin_space;
}
