/* Tables: laws of drag, lift and spin decay with their parameters, and what else a flight has.
 *
 * Every table of laws is indexed by its enumerator. A new law is an enumerator in flight.h, a row
 * in two tables here, and its equation in drag.c or lift.c (src/README.md).
 */
#include "physics/laws.h"

#include <math.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))
#define ROWS(table)                                                                                \
    {                                                                                              \
        COUNT(table), table                                                                        \
    }

static const ArcLaw drag_laws[] = {
    [ARC_DRAG_NONE] = {"none", "0", "", false, "vacuum"},
    [ARC_DRAG_LUMPED] = {"lumped", "-k |u| u", "k", false,
                         "quadratic drag with rho A cd / (2 m) as one number k"},
    [ARC_DRAG_QUADRATIC] = {"quadratic", "-rho A cd / (2 m) |u| u", "cd", true,
                            "the definition of the drag coefficient of a sphere"},
    [ARC_DRAG_LOGISTIC] = {"logistic",
                           "as quadratic with "
                           "cd = cd_after + cd_drop/(1 + exp((|u| - v_crisis)/v_width))",
                           "cd_after cd_drop v_crisis v_width", true,
                           "drag crisis; defaults of a soccer ball: Goff and Carre, Eur. J. Phys. "
                           "31 (2010) 775"},
    [ARC_DRAG_MORRISON] = {"morrison",
                           "as quadratic with cd = 24/Re + 2.6 (Re/5)/(1 + (Re/5)^1.52) + 0.411 "
                           "(Re/2.63e5)^-7.94/(1 + (Re/2.63e5)^-8) + 0.25 (Re/1e6)/(1 + Re/1e6), "
                           "Re = |u| d/viscosity",
                           "", true,
                           "smooth sphere, Re < 1e6: Morrison, An Introduction to Fluid Mechanics "
                           "(2013); viscosity of the air by Sutherland's formula over its density "
                           "(at 20 degC where the density is given)"},
    [ARC_DRAG_SPIN_DEPENDENT] = {"spin-dependent", "as quadratic with cd = cd0 + cd_w |w|",
                                 "cd0 cd_w", true,
                                 "baseball: Nathan's trajectory calculator, cd 0.3008 + 0.0292 per "
                                 "1000 rpm; write cd_w as 0.0292 1/krpm; |w| is rounded below 0.01 "
                                 "rad/s"},
    [ARC_DRAG_TABLE] =
        {"table",
         "as quadratic with cd by flight.drag_table: [[5 m/s, 0.5], ...], 2 to 32 "
         "pairs of speed and cd",
         "", true,
         "monotone curve through the pairs, twice differentiable, constant outside: slopes of "
         "Fritsch and Carlson (1980) and Fritsch and Butland (1984)"},
};

static const ArcParameterInfo lumped_drag[] = {
    {"k", "1/m", 0.02, 0, 100, "drag per metre flown: rho A cd / (2 m)"},
};

static const ArcParameterInfo quadratic_drag[] = {
    {"cd", "1", 0.5, 0, 10, "drag coefficient"},
};

static const ArcParameterInfo logistic_drag[] = {
    {"cd_after", "1", 0.155, 0, 10, "drag coefficient of speeds far past the crisis"},
    {"cd_drop", "1", 0.346, -10, 10, "how much more it is far below the crisis"},
    {"v_crisis", "m/s", 12.19, 0, 1e3, "speed of the drag crisis, at half the drop"},
    {"v_width", "m/s", 1.309, 1e-3, 1e3,
     "how gradual it is: 76 % of the drop lies within 2 widths of it"},
};

static const ArcParameterInfo spin_dependent_drag[] = {
    {"cd0", "1", 0.3008, 0, 10, "drag coefficient without spin"},
    {"cd_w", "s/rad", 2.788394603e-4, -1, 1, "drag coefficient per angular rate"},
};

static const ArcParameterRows drag_parameters[] = {
    [ARC_DRAG_NONE] = {0},
    [ARC_DRAG_LUMPED] = ROWS(lumped_drag),
    [ARC_DRAG_QUADRATIC] = ROWS(quadratic_drag),
    [ARC_DRAG_LOGISTIC] = ROWS(logistic_drag),
    [ARC_DRAG_MORRISON] = {0},
    [ARC_DRAG_SPIN_DEPENDENT] = ROWS(spin_dependent_drag),
    [ARC_DRAG_TABLE] = {0},
};

static const ArcLaw lift_laws[] = {
    [ARC_LIFT_NONE] = {"none", "0", "", false, "no Magnus force"},
    [ARC_LIFT_LUMPED] = {"lumped", "s (w x u)", "s", false,
                         "Magnus force linear in the spin with all constants as one number s"},
    [ARC_LIFT_CONSTANT] = {"constant", "rho A cl / (2 m) |u|^2 (w x u)/|w x u|", "cl", true,
                           "the definition of the lift coefficient, whatever the spin's size"},
    [ARC_LIFT_LINEAR] = {"linear", "rho A cm r / (2 m) (w x u): CL = cm S, S = r |w_perp|/|u|",
                         "cm", true, "small spin parameter S; table tennis cm about 1.47"},
    [ARC_LIFT_RATIONAL] =
        {"rational", "rho A CL / (2 m) |u|^2 (w x u)/|w x u|, CL = 1/(2 + 1/S)", "", true,
         "spinning tennis balls in a wind tunnel: Stepanek, Am. J. Phys. 56 (1988) 138"},
    [ARC_LIFT_NATHAN] = {"nathan", "as rational with CL = 1.120 S/(0.583 + 2.333 S)", "", true,
                         "baseball: Nathan's trajectory calculator"},
    [ARC_LIFT_SAWICKI] = {"sawicki", "as rational with CL = 1.5 S up to S = 0.1, then 0.09 + 0.6 S",
                          "", true,
                          "baseball: Sawicki, Hubbard and Stronge, Am. J. Phys. 71 (2003) 1152; "
                          "corner rounded between S = 0.08 and 0.12, by 0.0034 in CL at most"},
    [ARC_LIFT_TABLE] = {"table",
                        "as rational with CL by flight.lift_table: [[0.1, 0.08], ...], 2 to 32 "
                        "pairs of S and CL",
                        "", true,
                        "monotone curve through (0, 0) and the pairs, as drag's, constant behind "
                        "the last"},
};

static const ArcParameterInfo lumped_lift[] = {
    {"s", "1", 1, -1000, 1000, "lift per spin and speed"},
};

static const ArcParameterInfo constant_lift[] = {
    {"cl", "1", 0.2, -100, 100, "lift coefficient"},
};

static const ArcParameterInfo linear_lift[] = {
    {"cm", "1", 1.2, -100, 100, "lift coefficient per spin parameter S"},
};

static const ArcParameterRows lift_parameters[] = {
    [ARC_LIFT_NONE] = {0},
    [ARC_LIFT_LUMPED] = ROWS(lumped_lift),
    [ARC_LIFT_CONSTANT] = ROWS(constant_lift),
    [ARC_LIFT_LINEAR] = ROWS(linear_lift),
    [ARC_LIFT_RATIONAL] = {0},
    [ARC_LIFT_NATHAN] = {0},
    [ARC_LIFT_SAWICKI] = {0},
    [ARC_LIFT_TABLE] = {0},
};

static const ArcParameterInfo spin_plane[] = {
    {"spin", "rad/s", 0, -1e5, 1e5, "angular rate; positive is topspin of a flight along +x"},
};

static const ArcParameterInfo spin_space[] = {
    {"wx", "rad/s", 0, -1e5, 1e5, "angular rate about x, right-handed"},
    {"wy", "rad/s", 0, -1e5, 1e5, "angular rate about y, right-handed"},
    {"wz", "rad/s", 0, -1e5, 1e5, "angular rate about z, right-handed"},
};

static const ArcParameterRows spin_parameters[] = {ROWS(spin_plane), ROWS(spin_space)};

static const ArcLaw spin_decay_laws[] = {
    [ARC_SPIN_DECAY_NONE] = {"none", "w as at release", "", false, "flights of a second or so"},
    [ARC_SPIN_DECAY_EXPONENTIAL] = {"exponential", "w = w(release) exp(-t/spin_tau)", "spin_tau",
                                    false,
                                    "golf: 3.3 to 4 % a second, by radar (TrackMan); t since "
                                    "release"},
    [ARC_SPIN_DECAY_AERODYNAMIC] = {"aerodynamic", "dw/dt = -spin_decay |u| w", "spin_decay", false,
                                    "baseball: Nathan's trajectory calculator, 30 s at 100 mph"},
};

static const ArcParameterInfo exponential_decay[] = {
    {"spin_tau", "s", 25, 1e-3, 1e6, "time in which the spin falls to 37 %"},
};

static const ArcParameterInfo aerodynamic_decay[] = {
    {"spin_decay", "1/m", 7.456454e-4, 0, 100, "share of the spin lost per metre flown"},
};

static const ArcParameterRows spin_decay_parameters[] = {
    [ARC_SPIN_DECAY_NONE] = {0},
    [ARC_SPIN_DECAY_EXPONENTIAL] = ROWS(exponential_decay),
    [ARC_SPIN_DECAY_AERODYNAMIC] = ROWS(aerodynamic_decay),
};

static const ArcParameterInfo gravity_size[] = {
    {"gravity", "m/s^2", 9.80665, 0, 1000, "size of gravity"},
};

static const ArcParameterInfo tilt_plane[] = {
    {"tilt", "rad", 0, -M_PI, M_PI, "gravity leans by this, counted from x towards y"},
};

static const ArcParameterInfo tilt_space[] = {
    {"tilt_x", "rad", 0, -M_PI, M_PI, "gravity leans by this about x, right-handed"},
    {"tilt_y", "rad", 0, -M_PI, M_PI, "gravity leans by this about y, right-handed"},
    {"tilt_z", "rad", 0, -M_PI, M_PI, "gravity leans by this about z, right-handed"},
};

static const ArcParameterRows gravity_parameters = ROWS(gravity_size);
static const ArcParameterRows tilt_parameters[] = {ROWS(tilt_plane), ROWS(tilt_space)};

static const ArcLaw flight_terms[] = {
    {"gravity", "a number, or {latitude: .., height: ..} for the normal gravity there",
     "latitude (rad, required), height (m, default 0)", false,
     "WGS 84 (NGA.STND.0036): Somigliana's formula, height above the ellipsoid to second order"},
    {"buoyancy", "+ rho V g / m upwards", "", true, "Archimedes; true unless said otherwise"},
    {"added_mass", "all accelerations divided by 1 + rho V / (2 m)", "", true,
     "a sphere in potential flow carries half its volume of air; false unless said otherwise"},
    {"wind", "u = v - wind, a velocity: [3 m/s, 0 m/s], or {velocity: .., shear: .., gust: ..}",
     "velocity (m/s, one entry an axis, default 0)", false, "the mean wind"},
    {"wind.shear",
     "wind = velocity ((up - ground)/height)^exponent; smoothly to 0 below 1 % of height",
     "exponent (default 0.143), height (m, default 10), ground (m, default 0)", false,
     "power law of the wind over level ground: exponent about 1/7, height 10 m"},
    {"wind.gust", "wind + velocity exp(-((t - time)/width)^2/2), t since release",
     "velocity (m/s), time (s), width (s), all required", false,
     "a bell curve, so that it has no corners"},
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

const ArcLaw *arc_spin_decay_laws(int *n)
{
    *n = COUNT(spin_decay_laws);
    return spin_decay_laws;
}

const ArcLaw *arc_flight_terms(int *n)
{
    *n = COUNT(flight_terms);
    return flight_terms;
}

const ArcParameterRows *arc_drag_parameters(ArcDrag drag)
{
    return &drag_parameters[drag];
}

const ArcParameterRows *arc_lift_parameters(ArcLift lift)
{
    return &lift_parameters[lift];
}

const ArcParameterRows *arc_spin_decay_parameters(ArcSpinDecay decay)
{
    return &spin_decay_parameters[decay];
}

const ArcParameterRows *arc_gravity_parameters(void)
{
    return &gravity_parameters;
}

const ArcParameterRows *arc_tilt_parameters(int dimensions)
{
    return &tilt_parameters[dimensions == 3];
}

const ArcParameterRows *arc_spin_parameters(int dimensions)
{
    return &spin_parameters[dimensions == 3];
}
