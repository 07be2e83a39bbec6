/* Flights of every law for tests of the flight model: settings, parameters, the equations of
 * flight.h word for word, and a walk over all combinations. */
#ifndef ARC_TESTS_FLIGHT_CASE_H
#define ARC_TESTS_FLIGHT_CASE_H

#include "arcfit/flight.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N_STATES = 3, N_DRAG = 7, N_LIFT = 8, N_DECAY = 3, N_WIND = 3 };
enum { MAX_P = ARC_FLIGHT_MAX_PARAMETERS, MAX_D = 4 };

static const double TIMES[N_STATES] = {0.3, 1.1, 2.4};
static const double POSITIONS[N_STATES][3] = {{1, 2, 3}, {4, 1.3, 0.7}, {2.5, 6, 11}};
static const double VELOCITIES[N_STATES][3] = {
    {5.1, 6.3, -1.2}, {-22.0, 3.5, 9.1}, {0.4, -0.7, 0.2}};
static const double PATHS[N_STATES] = {2.2, 30, 7.5};

/* wind: 0 none, 1 constant, 2 with shear and a gust. */
static inline ArcFlightSettings settings_of(int d, int up, ArcDrag drag, ArcLift lift, int wind)
{
    ArcFlightSettings settings = arc_flight_settings_default();
    settings.dimensions = d;
    settings.up = up;
    settings.drag = drag;
    settings.drag_table = (ArcTable){4, {3, 7, 12, 30}, {0.55, 0.5, 0.2, 0.24}};
    settings.lift = lift;
    settings.lift_table = (ArcTable){3, {0.1, 0.4, 1.2}, {0.11, 0.25, 0.31}};
    settings.has_ball = true;
    settings.buoyancy = true;
    settings.ball = *arc_ball_find("basketball");
    if (wind > 0) {
        settings.wind_m_s[0] = 1.5;
        settings.wind_m_s[1] = -0.7;
        settings.wind_m_s[2] = 0.4;
    }
    if (wind > 1) {
        settings.shear = (ArcShear){true, 0.3, 8, -1.5};
        settings.gust = (ArcGust){true, {2, 0.8, -1}, 1.4, 0.6};
        settings.added_mass = true;
    }
    return settings;
}

static inline ArcFlight flight_of(ArcFlightSettings settings)
{
    ArcFlight flight;
    ArcError err = {0};
    if (arc_flight_create(&settings, &flight, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return flight;
}

/* Values without symmetry. */
static inline void parameters_of(const ArcFlight *flight, double *p)
{
    static const struct {
        const char *name;
        double value;
    } values[] = {
        {"k", 0.11},          {"cd", 0.53},         {"cd_after", 0.17}, {"cd_drop", 0.31},
        {"v_crisis", 11},     {"v_width", 2.3},     {"cd0", 0.33},      {"cd_w", 3e-3},
        {"s", 0.37},          {"cl", 0.37},         {"cm", 0.37},       {"spin", -17},
        {"wx", 3.1},          {"wy", -17},          {"wz", 6.4},        {"spin_tau", 1.7},
        {"spin_decay", 0.04}, {"restitution", 0.7}, {"friction", 0.4},  {"spin_coupling", 1.6},
        {"gravity", 9.3},     {"tilt", 0.3},        {"tilt_x", -0.2},   {"tilt_y", 0.35},
        {"tilt_z", 0.12}};
    for (int k = 0; k < flight->n_parameters; k++) {
        size_t i = 0;
        while (strcmp(values[i].name, flight->parameters[k].name) != 0)
            assert_true(++i < sizeof values / sizeof values[0]);
        p[k] = values[i].value;
    }
}

/* The value of a parameter by its name; 0 where the flight has none of it. */
static inline double value_of(const ArcFlight *flight, const double *p, const char *name)
{
    for (int k = 0; k < flight->n_parameters; k++) {
        if (strcmp(flight->parameters[k].name, name) == 0)
            return p[k];
    }
    return 0;
}

/* A state of the flight, and its acceleration alone. */
typedef struct FlightPoint {
    double t, x[MAX_D], v[MAX_D];
} FlightPoint;

static inline FlightPoint point_of(const ArcFlight *flight, int i)
{
    FlightPoint point = {TIMES[i], {0}, {0}};
    int d = flight->settings.dimensions;
    memcpy(point.x, POSITIONS[i], (size_t)d * sizeof(double));
    memcpy(point.v, VELOCITIES[i], (size_t)d * sizeof(double));
    if (flight->n_coordinates > d)
        point.v[d] = PATHS[i];
    return point;
}

static inline void accelerate(const ArcFlight *flight, const FlightPoint *at, const double *p,
                              double *a)
{
    arc_flight_acceleration(flight, 1, &at->t, at->x, at->v, p, a, NULL, NULL, NULL);
}

/* cd of the laws that have one. */
static inline double formula_cd(const ArcFlight *flight, double speed, double rate, const double *p)
{
    double Re = speed * flight->settings.ball.diameter_m / flight->viscosity_m2_s;
    switch (flight->settings.drag) {
    case ARC_DRAG_QUADRATIC:
        return value_of(flight, p, "cd");
    case ARC_DRAG_LOGISTIC:
        return value_of(flight, p, "cd_after") +
               value_of(flight, p, "cd_drop") / (1 + exp((speed - value_of(flight, p, "v_crisis")) /
                                                         value_of(flight, p, "v_width")));
    case ARC_DRAG_MORRISON:
        return 24 / Re + 2.6 * (Re / 5) / (1 + pow(Re / 5, 1.52)) +
               0.411 * pow(Re / 2.63e5, -7.94) / (1 + pow(Re / 2.63e5, -8)) +
               0.25 * (Re / 1e6) / (1 + Re / 1e6);
    case ARC_DRAG_SPIN_DEPENDENT:
        return value_of(flight, p, "cd0") + value_of(flight, p, "cd_w") * rate;
    case ARC_DRAG_NONE:
    case ARC_DRAG_LUMPED:
    case ARC_DRAG_TABLE:
        break;
    }
    return 0;
}

/* CL of the laws that have one, but for tables. */
static inline double formula_cl(const ArcFlight *flight, double S, const double *p)
{
    switch (flight->settings.lift) {
    case ARC_LIFT_CONSTANT:
        return value_of(flight, p, "cl");
    case ARC_LIFT_LINEAR:
        return value_of(flight, p, "cm") * S;
    case ARC_LIFT_RATIONAL:
        return 1 / (2 + 1 / S);
    case ARC_LIFT_NATHAN:
        return 1.120 * S / (0.583 + 2.333 * S);
    case ARC_LIFT_SAWICKI:
        return S <= 0.1 ? 1.5 * S : 0.09 + 0.6 * S;
    case ARC_LIFT_NONE:
    case ARC_LIFT_LUMPED:
    case ARC_LIFT_TABLE:
        break;
    }
    return 0;
}

static inline void formula_wind(const ArcFlightSettings *s, const FlightPoint *at, double *wind)
{
    double z = s->shear.is_on ? (at->x[s->up] - s->shear.ground_m) / s->shear.height_m : 1;
    double late = s->gust.is_on ? (at->t - s->gust.time_s) / s->gust.width_s : INFINITY;
    for (int e = 0; e < s->dimensions; e++)
        wind[e] = s->wind_m_s[e] * pow(z, s->shear.exponent) +
                  s->gust.velocity_m_s[e] * exp(-late * late / 2);
}

/* The rotation that is left. */
static inline void formula_spin(const ArcFlight *flight, const FlightPoint *at, const double *p,
                                double *w)
{
    static const char *const names[] = {"wx", "wy", "wz"};
    int d = flight->settings.dimensions;
    double left = 1;
    if (flight->settings.spin_decay == ARC_SPIN_DECAY_EXPONENTIAL)
        left = exp(-at->t / value_of(flight, p, "spin_tau"));
    else if (flight->settings.spin_decay == ARC_SPIN_DECAY_AERODYNAMIC)
        left = exp(-at->v[d] * value_of(flight, p, "spin_decay"));
    for (int e = 0; e < 3; e++)
        w[e] = left * value_of(flight, p, names[e]);
    if (d == 2)
        w[2] = -left * value_of(flight, p, "spin");
}

/* Gravity by its parameters: the vector that points down turned by Rodrigues' formula. */
static inline void formula_gravity(const ArcFlight *flight, const double *p, double *g)
{
    const ArcFlightSettings *s = &flight->settings;
    static const char *const names[] = {"tilt_x", "tilt_y", "tilt_z"};
    double q[3] = {0, 0, value_of(flight, p, "tilt")}, down[3] = {0}, along = 0;
    for (int e = 0; e < 3 && s->dimensions == 3; e++)
        q[e] = value_of(flight, p, names[e]);
    down[s->up] = s->has_gravity ? -value_of(flight, p, "gravity") : -s->gravity_m_s2;
    double angle = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int e = 0; e < 3; e++) {
        q[e] /= angle > 0 ? angle : 1;
        along += q[e] * down[e];
    }
    for (int e = 0; e < 3; e++) {
        int i = (e + 1) % 3, j = (e + 2) % 3;
        g[e] = down[e] * cos(angle) + (q[i] * down[j] - q[j] * down[i]) * sin(angle) +
               q[e] * along * (1 - cos(angle));
    }
}

/* The equations of flight.h word for word, in space; the plane is embedded with w along z. Not for
 * laws by table. */
static inline void formula(const ArcFlight *flight, const FlightPoint *at, const double *p,
                           double *a)
{
    const ArcFlightSettings *s = &flight->settings;
    int d = s->dimensions;
    double u[3] = {0}, w[3], g[3], wind[3] = {0}, density = 0, drag = 0, lift = 0;
    assert_int_equal(arc_air_density(&s->air, &density, NULL), ARC_OK);
    double mass = s->ball.mass_kg, r = s->ball.diameter_m / 2;
    double c = density * M_PI * r * r / (2 * mass), b = density * 4 / 3 * M_PI * r * r * r / mass;
    formula_wind(s, at, wind);
    formula_spin(flight, at, p, w);
    formula_gravity(flight, p, g);
    for (int e = 0; e < d; e++)
        u[e] = at->v[e] - wind[e];
    double speed = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    double rate = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    double m[3] = {w[1] * u[2] - w[2] * u[1], w[2] * u[0] - w[0] * u[2], w[0] * u[1] - w[1] * u[0]};
    double size = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    if (s->drag != ARC_DRAG_NONE)
        drag = c * formula_cd(flight, speed, rate, p) + value_of(flight, p, "k");
    if (s->lift != ARC_LIFT_NONE)
        lift = c * formula_cl(flight, r * (size / speed) / speed, p) * speed * speed / size +
               value_of(flight, p, "s");
    double inertia = s->added_mass ? 1 + b / 2 : 1;
    for (int e = 0; e < d; e++)
        a[e] = (g[e] * (1 - b) - drag * speed * u[e] + lift * m[e]) / inertia;
    a[d] = speed;
}

typedef void (*FlightTest)(const ArcFlight *flight, const double *p);

/* Every drag x lift x spin decay x dimension and axis up x wind, every second with a bounce, which
 * the acceleration does not feel; gravity and its tilt by turns as parameters. */
static inline void for_all_cases(FlightTest test)
{
    for (int i = 0; i < N_DRAG * N_LIFT * N_DECAY * 5 * N_WIND; i++) {
        int axis = i % 5, d = axis < 2 ? 2 : 3, up = d == 2 ? axis : axis - 2;
        ArcDrag drag = (ArcDrag)(i / 5 % N_DRAG);
        ArcLift lift = (ArcLift)(i / (5 * N_DRAG) % N_LIFT);
        ArcFlightSettings settings =
            settings_of(d, up, drag, lift, i / (5 * N_DRAG * N_LIFT) % N_WIND);
        settings.bounce.is_on = i % 2 == 1;
        settings.has_gravity = i % 3 == 1;
        for (int e = 0; e < 3; e++)
            settings.has_tilt[e] = (d == 2 ? e == 2 : e != up) && (i % 7 + e) % 4 == 2;
        settings.spin_decay = (ArcSpinDecay)(i / (5 * N_DRAG * N_LIFT * N_WIND));
        if (settings.spin_decay != ARC_SPIN_DECAY_NONE && lift == ARC_LIFT_NONE &&
            drag != ARC_DRAG_SPIN_DEPENDENT)
            continue;
        ArcFlight flight = flight_of(settings);
        double p[MAX_P] = {0};
        parameters_of(&flight, p);
        test(&flight, p);
    }
}

#endif
