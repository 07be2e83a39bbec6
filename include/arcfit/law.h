/* Tables of the flight laws and of the arm's, for help and lookup. */
#ifndef ARCFIT_LAW_H
#define ARCFIT_LAW_H

#include <stdbool.h>

#pragma GCC visibility push(default)

/* A law, for help and lookup. */
typedef struct ArcLaw {
    const char *name;       /* as in the experiment file */
    const char *equation;   /* plain text */
    const char *parameters; /* names, blank between */
    bool needs_ball;
    const char *source;
} ArcLaw;

/* A named number of the model. unit is SI text ("1/m", "1", "rad/s"). low and high: the range that
 * makes sense, beyond which a value is refused. */
typedef struct ArcParameterInfo {
    const char *name;
    const char *unit;
    double value; /* default */
    double low, high;
    const char *doc;
} ArcParameterInfo;

/* Tables with their lengths; the index is the enumerator. */
const ArcLaw *arc_drag_laws(int *n);
const ArcLaw *arc_lift_laws(int *n);
const ArcLaw *arc_spin_decay_laws(int *n);

/* The one law of flight.bounce. */
const ArcLaw *arc_bounce_law(void);

/* What else the flight key of an experiment takes: gravity, wind and the air's other forces. The
 * parameters are keys below the name with unit and default; no fit frees them. */
const ArcLaw *arc_flight_terms(int *n);

/* Of the arm (arm.h): what a joint turns about, by ArcJointAxis; torque curves, by ArcTorqueCurve,
 * with the first joint's parameters; its other equations. */
const ArcLaw *arc_joint_axes(int *n);
const ArcLaw *arc_torque_curves(int *n);
const ArcLaw *arc_arm_terms(int *n);

#pragma GCC visibility pop

#endif
