/* The flight model: acceleration of a thrown ball with all its partials.
 *
 * Equations (u = v - wind, c = rho A / (2 m), e the unit vector up, axes as the capture's, w the
 * rotation, m the ball's mass, V its volume, r its radius, S = r |w_perp| / |u|):
 *
 *   (1 + h) a = -g (1 - b) e + drag + lift      b = rho V / m with buoyancy, else 0
 *                                               h = rho V / (2 m) with added mass, else 0
 *   drag  lumped          -k |u| u              others  -c Cd |u| u, where Cd is
 *         quadratic       cd
 *         logistic        cd_after + cd_drop / (1 + exp((|u| - v_crisis) / v_width))
 *         morrison        a smooth sphere's by Reynolds number (src/physics/drag.c)
 *         spin-dependent  cd0 + cd_w |w|
 *         table           monotone curve through pairs (|u|, Cd), constant outside
 *   lift  lumped          s (w x u)             others  c CL |u|^2 (w x u) / |w x u|, where CL is
 *         constant        cl
 *         linear          cm S
 *         rational        S / (2 S + 1)
 *         nathan          1.120 S / (0.583 + 2.333 S)
 *         sawicki         1.5 S below S = 0.1, 0.09 + 0.6 S above, corner rounded (lift.c)
 *         table           monotone curve through (0, 0) and pairs (S, CL), constant behind the last
 *   spin  none            w is the rotation at release
 *   decay exponential     w exp(-t / spin_tau)
 *         aerodynamic     w exp(-spin_decay l), l the path flown through the air
 *   wind                  velocity z^exponent + gust exp(-((t - time) / width)^2 / 2), where
 *                         z = (height - ground) / reference height; exponent 0 without shear
 *
 * Gravity may lean off the axis that points up: e is turned by the rotation vector q, which lies in
 * the level plane, e' = cos|q| e + sin|q| q/|q| x e. In space q has the components tilt_* about the
 * two level axes; in the plane q = (0, 0, tilt).
 *
 * t counts from the release. In the plane w = (0, 0, -spin): a positive spin is topspin for a ball
 * flying along +x. Forces of a wind that itself speeds up (rho V times its acceleration) are left
 * out. Sources and constants: each law's row in src/physics/laws.c.
 *
 * The model has P parameters in a fixed order: drag's, lift's, then spin (plane: spin; space:
 * wx wy wz) when there is a lift law, drag by spin or has_spin, the spin decay's, then gravity's
 * where the settings ask for them (gravity; plane: tilt; space: the two of tilt_x tilt_y tilt_z
 * about level axes), then the bounce's: restitution friction spin_coupling. The acceleration is
 * that between two bounces.
 */
#ifndef ARCFIT_FLIGHT_H
#define ARCFIT_FLIGHT_H

#include "arcfit/air.h"
#include "arcfit/ball.h"
#include "arcfit/error.h"
#include "arcfit/law.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

enum { ARC_FLIGHT_MAX_PARAMETERS = 31, ARC_TABLE_MAX_PAIRS = 32 };

typedef enum ArcDrag {
    ARC_DRAG_NONE,
    ARC_DRAG_LUMPED,
    ARC_DRAG_QUADRATIC,
    ARC_DRAG_LOGISTIC,
    ARC_DRAG_MORRISON,
    ARC_DRAG_SPIN_DEPENDENT,
    ARC_DRAG_TABLE
} ArcDrag;

typedef enum ArcLift {
    ARC_LIFT_NONE,
    ARC_LIFT_LUMPED,
    ARC_LIFT_CONSTANT,
    ARC_LIFT_LINEAR,
    ARC_LIFT_RATIONAL,
    ARC_LIFT_NATHAN,
    ARC_LIFT_SAWICKI,
    ARC_LIFT_TABLE
} ArcLift;

typedef enum ArcSpinDecay {
    ARC_SPIN_DECAY_NONE,
    ARC_SPIN_DECAY_EXPONENTIAL,
    ARC_SPIN_DECAY_AERODYNAMIC
} ArcSpinDecay;

/* Pairs of a law given by a table: x rises (m/s of drag, S of lift), y is the coefficient. */
typedef struct ArcTable {
    int n;
    double x[ARC_TABLE_MAX_PAIRS], y[ARC_TABLE_MAX_PAIRS];
} ArcTable;

/* The wind grows as a power of the height above ground; `wind` is that of height_m above it. Below
 * 1 % of height_m it falls smoothly to none on the ground. */
typedef struct ArcShear {
    bool is_on;
    double exponent; /* 0 to 1 */
    double height_m, ground_m;
} ArcShear;

/* A pulse of the wind in time since release; width_s is its standard deviation. */
typedef struct ArcGust {
    bool is_on;
    double velocity_m_s[3];
    double time_s, width_s;
} ArcGust;

/* All points with position[axis] = level_m; axis 0 is x. */
typedef struct ArcPlane {
    int axis;
    double level_m;
} ArcPlane;

/* A plane that the ball bounces on, from either side, as src/physics/bounce.h says; the
 * coefficients are the defaults of the parameters of their names. */
typedef struct ArcBounce {
    bool is_on;
    ArcPlane plane; /* of the ball's centre when it touches */
    double restitution, friction, spin_coupling;
} ArcBounce;

typedef struct ArcFlightSettings {
    int dimensions;      /* 2 or 3 */
    int up;              /* axis that points up: 0 x, 1 y, 2 z */
    double gravity_m_s2; /* size */
    bool has_gravity;    /* as a parameter, with gravity_m_s2 for its default */
    bool has_tilt[3];    /* as parameters, by the axis of the rotation; in the plane: 2 */
    double latitude_rad; /* with height_m, where gravity_m_s2 was taken from these; else unused */
    double height_m;
    bool has_ball; /* mass and diameter are set */
    ArcBall ball;
    ArcAir air;
    double wind_m_s[3];
    ArcShear shear;
    ArcGust gust;
    ArcDrag drag;
    ArcTable drag_table;
    ArcLift lift;
    ArcTable lift_table;
    ArcSpinDecay spin_decay;
    bool has_spin; /* as a parameter, whatever the laws: of a closure that gives the lift */
    bool buoyancy;
    bool added_mass;
    ArcBounce bounce;
} ArcFlightSettings;

/* In the plane, y up, no ball, drag or lift; g 9.80665 m/s^2; air of 20 degC, 101325 Pa, 50 %. */
ArcFlightSettings arc_flight_settings_default(void);

/* A monotone curve (src/physics/curve.h): n knots with their slopes. */
typedef struct ArcCurve {
    int n;
    double x[ARC_TABLE_MAX_PAIRS + 1], y[ARC_TABLE_MAX_PAIRS + 1], slope[ARC_TABLE_MAX_PAIRS + 1];
} ArcCurve;

typedef struct ArcFlight {
    ArcFlightSettings settings;
    double density_kg_m3;
    double viscosity_m2_s;  /* kinematic; 0 where no law asks for it */
    double gravity_m_s2[3]; /* acceleration of a ball at rest in the air, by the settings */
    double gravity_share;   /* of gravity that is left by buoyancy and inertia */
    double inertia;         /* 1 / (1 + h) */
    double drag_per_m;      /* c = rho A / (2 m), 0 without a ball */
    double radius_m;
    ArcCurve drag_curve, lift_curve; /* of the tables */
    bool is_plain;      /* constant wind and spin, drag a constant times |u| u: the fast kernels */
    bool has_rotation;  /* spin, or wx wy wz, are parameters */
    int n_coordinates;  /* of a state: the dimensions, and one more where spin fades with the path:
                         * its velocity is the path flown through the air (m), from 0 at release */
    int n_drag, n_lift; /* parameters of drag and of lift */
    int gravity_index;  /* of gravity's parameters: */
    int n_gravity;      /* those the settings ask for, 0 to 3 */
    int bounce_index;   /* of the bounce's three parameters, where it is on */
    int n_parameters;
    ArcParameterInfo parameters[ARC_FLIGHT_MAX_PARAMETERS];
} ArcFlight;

/* Checks the settings and works out the constants. ARC_INPUT: a physical law, buoyancy, added mass
 * or a bounce with a spin without a ball, spin decay without a spin, a tilt about an axis that is
 * not level, a bad table, or values out of range; the texts have no place, which who knows it puts
 * before them. */
ArcStatus arc_flight_create(const ArcFlightSettings *settings, ArcFlight *flight, ArcError *err);

/* Accelerations of n states, d = n_coordinates, P = n_parameters, all row-major, t_s since release:
 *   t_s (n), x_m (n,d), v_m_s (n,d), p (P)  ->  a (n,d), a_x (n,d,d), a_v (n,d,d), a_p (n,d,P)
 * a_v[i][e][c] = d a_e / d v_c. The three partials may all be NULL together, and a_x alone. Where
 * a law has no derivative (|u| = 0, |w x u| = 0) its limit or zero is given. A velocity or
 * parameter that is not finite gives accelerations that are not finite, and no error. */
void arc_flight_acceleration(const ArcFlight *flight, int n, const double *t_s, const double *x_m,
                             const double *v_m_s, const double *p, double *a, double *a_x,
                             double *a_v, double *a_p);

/* True when a_x is zero whatever the state, so that solvers may skip it. */
bool arc_flight_is_position_free(const ArcFlight *flight);

/* True when the time since release makes no difference to the acceleration. */
bool arc_flight_is_timeless(const ArcFlight *flight);

/* Normal gravity of WGS 84 (NGA.STND.0036): Somigliana's formula, and the height above the
 * ellipsoid to second order. ARC_INPUT outside +-pi/2 and -1 to 50 km. */
ArcStatus arc_gravity_at(double latitude_rad, double height_m, double *gravity_m_s2, ArcError *err);

#pragma GCC visibility pop

#endif
