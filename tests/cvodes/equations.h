/* The equations of flight, written for the independent integration alone: from their sources, not
 * from arcfit's code, and in another form.
 *
 * Always in space (a flight in the plane has z = 0 and the rotation (0, 0, -spin)), with the
 * rotation w as a state of its own, t since release, e the unit vector up:
 *
 *   x' = v
 *   v' = [ -m g e + b rho V g e + F_D + F_L ] / (m + h rho V)     b, h: buoyancy, added mass
 *   w' = 0,  -w / spin_tau,  -spin_decay |u| w
 *
 *   u = v - wind(t, x),  A = pi d^2 / 4,  V = pi d^3 / 6,  q = rho A |u|^2 / 2,  n = w x u
 *   F_D = -q Cd u / |u|,  F_L = q CL n / |n|,  S = (d / 2) (|n| / |u|) / |u|
 *   (lumped: F_D = -m k |u| u, F_L = m s n)
 *
 * Cd:  quadratic       cd
 *      logistic        cd_after + cd_drop / (1 + exp((|u| - v_crisis) / v_width))
 *                      (Goff and Carre, Eur. J. Phys. 31 (2010) 775)
 *      morrison        24/Re + 2.6 (Re/5) / (1 + (Re/5)^1.52)
 *                      + 0.411 (Re/263000)^-7.94 / (1 + (Re/263000)^-8)
 *                      + 0.25 (Re/1e6) / (1 + Re/1e6),  Re = rho |u| d / mu
 *                      (Morrison, An Introduction to Fluid Mechanics, 2013)
 *      spin-dependent  cd0 + cd_w |w|                            (Nathan)
 *      table           monotone through (speed, Cd), flat at both ends
 * CL:  constant cl;  linear cm S;  rational 1 / (2 + 1/S);  nathan 1.120 S / (0.583 + 2.333 S)
 *      sawicki         1.5 S, from S = 0.1 on 0.09 + 0.6 S (Am. J. Phys. 71 (2003) 1152), its slope
 *                      going over from 1.5 to 0.6 within S = 0.1 +- 0.02 by a smooth step
 *                      (2 + 3 z - z^3) / 4, z = (S - 0.1) / 0.02
 *      table           monotone through (0, 0) and (S, CL), free at 0, flat at the last
 * monotone: slopes at the knots by the weighted harmonic mean of Fritsch and Butland (SIAM J. Sci.
 *      Stat. Comput. 5 (1984) 300), a free end's by the parabola through three knots, none more
 *      than twice a secant beside it; between them the polynomial of the fifth degree that has no
 *      curvature at the knots
 * wind: velocity P(z) + gust exp(-((t - time) / width)^2 / 2), z = (height - ground) / reference;
 *      P = z^exponent, below z = 0.01 the cubic that joins it smoothly to a flat zero at z = 0.
 * mu = 1.458e-6 T^1.5 / (T + 110.4) Pa s (U.S. Standard Atmosphere 1976), rho by CIPM-2007 (Picard
 *      et al., Metrologia 45 (2008) 149), g by Somigliana's formula with the constants of WGS 84.
 *
 * All is complex, so that partials are Im f(z + i h) / h, to rounding (complex step).
 */
#ifndef ARC_TESTS_CVODES_EQUATIONS_H
#define ARC_TESTS_CVODES_EQUATIONS_H

#include <complex.h>
#include <stdbool.h>

typedef double complex Complex;

/* All parameters of all laws and of the release; their names are quantity_names in cvodes.c. */
typedef enum Quantity {
    Q_k,
    Q_cd,
    Q_cd_after,
    Q_cd_drop,
    Q_v_crisis,
    Q_v_width,
    Q_cd0,
    Q_cd_w,
    Q_s,
    Q_cl,
    Q_cm,
    Q_spin,
    Q_wx,
    Q_wy,
    Q_wz,
    Q_spin_tau,
    Q_spin_decay,
    Q_x0,
    Q_y0,
    Q_z0,
    Q_vx0,
    Q_vy0,
    Q_vz0,
    Q_speed,
    Q_angle,
    Q_azimuth,
    N_QUANTITIES
} Quantity;

typedef enum Drag {
    DRAG_NONE,
    DRAG_LUMPED,
    DRAG_QUADRATIC,
    DRAG_LOGISTIC,
    DRAG_MORRISON,
    DRAG_SPIN,
    DRAG_TABLE
} Drag;

typedef enum Lift {
    LIFT_NONE,
    LIFT_LUMPED,
    LIFT_CONSTANT,
    LIFT_LINEAR,
    LIFT_RATIONAL,
    LIFT_NATHAN,
    LIFT_SAWICKI,
    LIFT_TABLE
} Lift;

typedef enum Decay { DECAY_NONE, DECAY_EXPONENTIAL, DECAY_AERODYNAMIC } Decay;

enum { MAX_KNOTS = 8, MAX_VALUES = 16, N_STATES = 9 };

typedef struct Value {
    Quantity quantity;
    double value;
} Value;

/* One flight. text is the same as an experiment writes it, as YAML. */
typedef struct Flight {
    const char *name, *text;
    int dimensions, up;
    bool polar;
    Drag drag;
    Lift lift;
    Decay decay;
    double mass_kg, diameter_m;
    bool buoyancy, added_mass;
    double temperature_c, pressure_pa, humidity; /* all 0: 20 degC, 101325 Pa, 0.5 */
    bool has_latitude;                           /* else 9.80665 m/s^2 */
    double latitude_deg, height_m;
    double wind[3], exponent, reference_m, ground_m;           /* reference 0: no shear */
    double gust[3], gust_time, gust_width;                     /* width 0: no gust */
    double drag_table[MAX_KNOTS][2], lift_table[MAX_KNOTS][2]; /* up to a first column of 0 */
    double span_s;
    int n_values;
    Value values[MAX_VALUES];
} Flight;

/* What follows from a flight's constants. */
typedef struct Constants {
    double density, viscosity, gravity, area, volume;
} Constants;

Constants flight_constants(const Flight *flight);

/* State (x, v, w) at release; q by Quantity. */
void flight_release(const Flight *flight, const Complex *q, Complex *y);

/* y' at t since release. */
void flight_rates(const Flight *flight, const Constants *constants, double t, const Complex *q,
                  const Complex *y, Complex *rates);

#endif
