/* What a throw is meant for, and what of it counts (`aim:`).
 *
 * A release that an arm is to give is reach.h's matter alone. All others are targets:
 *   point  the flight passes it
 *   hoop   a level circle that the ball comes down through: radius R to the rim's inner edge
 *   area   a part of a plane across an axis: a box about its centre
 * The unknowns of a throw are parameters of the experiment by their names; their bounds are its
 * `parameters`', and of joints also the arm's limits.
 */
#ifndef ARCFIT_GOAL_H
#define ARCFIT_GOAL_H

#include "arcfit/arm.h"
#include "arcfit/flight.h"
#include "arcfit/parameter.h"

#pragma GCC visibility push(default)

enum { ARC_AIM_MAX_ANGLES = 16, ARC_AIM_MAX_FRONT = 200 };

typedef enum ArcGoalKind {
    ARC_GOAL_NONE,
    ARC_GOAL_RELEASE,
    ARC_GOAL_POINT,
    ARC_GOAL_HOOP,
    ARC_GOAL_AREA
} ArcGoalKind;

typedef struct ArcGoal {
    ArcGoalKind kind;
    double position_m[3], velocity_m_s[3]; /* of the release */
    double point_m[3];                     /* of a target; of hoop and area the centre */
    double radius_m;                       /* of the hoop */
    bool has_backboard;
    ArcPlane backboard; /* its face, across a level axis */
    int axis;           /* of the area: the one across its plane */
    double half_m[3];   /* of the area: half its size along each other axis */
    ArcPlace place;     /* of the section `aim` */
} ArcGoal;

/* None. */
ArcGoal arc_goal_default(void);

/* True for what a flight is to hit. */
bool arc_goal_is_target(const ArcGoal *goal);

/* A number of a throw that may be an objective or have a limit. */
typedef enum ArcAimNumber {
    ARC_AIM_MISS,        /* m: at the goal, of the ball's centre from the target's */
    ARC_AIM_SPEED,       /* m/s: of the release */
    ARC_AIM_ENTRY_ANGLE, /* rad: at the goal, below level */
    ARC_AIM_ENTRY_SPEED, /* m/s */
    ARC_AIM_TIME,        /* s: from the release to the goal */
    ARC_AIM_HEIGHT,      /* m: the highest of the flight from release to goal */
    ARC_AIM_CLEARANCE,   /* m: between ball and rim where the ball comes nearest to it; below 0 it
                          * touches. Of other goals: from the area's edge, none of a point */
    ARC_AIM_ENERGY,      /* J: of the ball's motion at the release, without a ball of 1 kg; with
                          * a swing that of the arm and its payload */
    ARC_AIM_PEAK_TORQUE, /* N m: the largest of any joint over the swing (aim.swing) */
    ARC_N_AIM_NUMBERS
} ArcAimNumber;

/* "miss", "speed", "entry_angle", ..; NULL behind the last. Its SI unit. */
const char *arc_aim_number_name(int number);
const char *arc_aim_number_unit(int number);

/* How the rim and the backboard push the ball where it touches them (physics/contact.h). */
typedef struct ArcAimContact {
    bool is_on;
    double stiffness_n_m; /* of a touch */
    double restitution;   /* share of the speed that a head-on touch leaves, 0 to 1 */
    double width_m;       /* over which the force sets in */
    double wire_m;        /* radius of the rim's wire */
} ArcAimContact;

/* How an arm comes to its release. */
typedef struct ArcAimSwing {
    bool is_on;
    double from_rad[ARC_ARM_MAX_JOINTS]; /* where it starts, at rest; NaN: not given */
    double time_s; /* that it takes; with torque curves from the begin of their span */
} ArcAimSwing;

typedef struct ArcAimSettings {
    ArcGoal goal;
    const char *from_file;                 /* a result whose estimates are taken; NULL */
    bool unknown[ARC_MAX_PARAMETERS];      /* by the experiment's parameters; none: the default */
    double scatter_sd[ARC_MAX_PARAMETERS]; /* of a throw about what was meant; 0: none */
    double weight[ARC_N_AIM_NUMBERS]; /* of the sum that is made small, a SI unit; all 0: none */
    double least[ARC_N_AIM_NUMBERS], most[ARC_N_AIM_NUMBERS]; /* limits; -inf, inf: none */
    bool maximise_probability;
    int n_angles; /* of the release above level, that searches begin from */
    double angles_rad[ARC_AIM_MAX_ANGLES];
    double time_s; /* of flight to begin from; NaN: the vacuum's */
    bool has_front;
    ArcAimNumber front[2]; /* of the Pareto front, both made small */
    int n_front;           /* points */
    int monte_carlo;       /* throws by which a probability is checked; 0: none */
    ArcAimContact contact;
    ArcAimSwing swing;
} ArcAimSettings;

/* No goal; 30, 45, 60, 75 deg; 20 points of a front; no throws of a Monte Carlo. */
ArcAimSettings arc_aim_settings_default(void);

#pragma GCC visibility pop

#endif
