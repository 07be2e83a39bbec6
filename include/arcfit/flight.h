/* The flight model: acceleration of a thrown ball with all its partials.
 *
 * Equations (u = v - wind, c = rho A / (2 m), e the unit vector up, axes as the capture's):
 *
 *   a = -g (1 - b) e + drag + lift          b = rho V / m with buoyancy, else 0
 *   drag  lumped     -k |u| u               quadratic  -c cd |u| u
 *   lift  lumped      s (w x u)             constant    c cl |u|^2 (w x u) / |w x u|
 *         linear      c cm r (w x u)        rational    c CL |u|^2 (w x u) / |w x u|,
 *                                           CL = 1 / (2 + 1/S), S = r |w_perp| / |u|
 *
 * In the plane w = (0, 0, -spin): a positive spin is topspin for a ball flying along +x.
 * Sources and constants: each law's row in src/physics/laws.c.
 *
 * The model has P parameters in a fixed order: drag's, lift's, then spin (plane: spin; space:
 * wx wy wz) when there is a lift law, then the bounce's: restitution friction spin_coupling. The
 * acceleration is that between two bounces.
 */
#ifndef ARCFIT_FLIGHT_H
#define ARCFIT_FLIGHT_H

#include "arcfit/error.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

enum { ARC_FLIGHT_MAX_PARAMETERS = 16 };

typedef enum ArcDrag { ARC_DRAG_NONE, ARC_DRAG_LUMPED, ARC_DRAG_QUADRATIC } ArcDrag;

typedef enum ArcLift {
    ARC_LIFT_NONE,
    ARC_LIFT_LUMPED,
    ARC_LIFT_CONSTANT,
    ARC_LIFT_LINEAR,
    ARC_LIFT_RATIONAL
} ArcLift;

/* A ball. Source says where the numbers come from; cd is the usual one, the default of `cd`. */
typedef struct ArcBall {
    const char *name;
    double mass_kg;
    double diameter_m;
    double cd;
    const char *source;
} ArcBall;

/* density_kg_m3 is used when > 0, else it follows from the other three. */
typedef struct ArcAir {
    double temperature_k;
    double pressure_pa;
    double humidity; /* relative, 0 to 1 */
    double density_kg_m3;
} ArcAir;

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
    bool has_ball;       /* mass and diameter are set */
    ArcBall ball;
    ArcAir air;
    double wind_m_s[3];
    ArcDrag drag;
    ArcLift lift;
    bool buoyancy;
    ArcBounce bounce;
} ArcFlightSettings;

/* In the plane, y up, no ball, drag or lift; g 9.80665 m/s^2; air of 20 degC, 101325 Pa, 50 %. */
ArcFlightSettings arc_flight_settings_default(void);

/* A named number of the model. unit is SI text ("1/m", "1", "rad/s"). low and high: the range that
 * makes sense, beyond which a value is refused. */
typedef struct ArcParameterInfo {
    const char *name;
    const char *unit;
    double value; /* default */
    double low, high;
    const char *doc;
} ArcParameterInfo;

typedef struct ArcFlight {
    ArcFlightSettings settings;
    double density_kg_m3;
    double gravity_m_s2[3]; /* vector with buoyancy taken off */
    double drag_per_m;      /* c = rho A / (2 m), 0 without a ball */
    double radius_m;
    int n_coordinates; /* of a state: the dimensions, and one more where spin fades with the path:
                        * its velocity is the path flown through the air (m), from 0 at release */
    int bounce_index;  /* of the bounce's three parameters, where it is on */
    int n_parameters;
    ArcParameterInfo parameters[ARC_FLIGHT_MAX_PARAMETERS];
} ArcFlight;

/* Checks the settings and works out the constants. ARC_INPUT: a physical law without a ball,
 * buoyancy without a ball, a bounce with a spin but no ball, or values out of range; the texts have
 * no place, which who knows it puts before them. */
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

/* Moist air, CIPM-2007 (Picard et al., Metrologia 45 (2008) 149). ARC_INPUT outside 300 to 1100 hPa
 * (the equation is stated from 600 on), -40 to 60 degC, humidity 0 to 1. */
ArcStatus arc_air_density(const ArcAir *air, double *density_kg_m3, ArcError *err);

/* True when the time since release makes no difference to the acceleration. */
bool arc_flight_is_timeless(const ArcFlight *flight);

/* A law of drag or lift, for help and lookup. */
typedef struct ArcLaw {
    const char *name;       /* as in the experiment file */
    const char *equation;   /* plain text */
    const char *parameters; /* names, blank between */
    bool needs_ball;
    const char *source;
} ArcLaw;

/* Tables with their lengths; the index is the enumerator. */
const ArcLaw *arc_drag_laws(int *n);
const ArcLaw *arc_lift_laws(int *n);
const ArcBall *arc_ball_presets(int *n);

/* NULL where there is none of that name. */
const ArcBall *arc_ball_find(const char *name);

#pragma GCC visibility pop

#endif
