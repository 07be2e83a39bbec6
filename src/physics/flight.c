/* The flight model: settings to constants, and the acceleration with its partials.
 *
 * With u = v - wind, U = |u|, m = w x u, M = |m| every force is a multiple of u or m:
 *
 *   a = g - q U u + f m          q  k | c cd
 *                                f  lumped s, linear c cm r, constant c cl U^2 / M,
 *                                   rational c r U^2 / (U^2 + 2 r M)
 *
 * The rational law's f is c CL U^2 / M with S = r M / U^2, so that nothing is divided by the spin.
 * Partials follow from
 *
 *   df = f_u (u . du) + f_m (m . dm)       dm = w x du + dw x u
 *   m . (w x e) = (m x w) . e              m . (e x u) = (u x m) . e
 *
 * One inlined body serves all laws; the law and the dimension are constants in each copy.
 */
#include "physics/bounce.h"
#include "physics/laws.h"

#include <math.h>
#include <string.h>

/* What a call needs of the model and its parameters. */
typedef struct FlightForces {
    double gravity[3];
    double wind[3];
    double drag;      /* q */
    double drag_unit; /* dq / d its parameter */
    double lift;      /* f, or its constant factor: c cl, c r */
    double lift_unit; /* d lift / d its parameter */
    double radius;
    double w[3];
    int n_drag, n_lift, n_parameters;
} FlightForces;

#define INLINE static inline __attribute__((always_inline))

INLINE double dot(int d, const double *a, const double *b)
{
    double sum = a[0] * b[0] + a[1] * b[1];
    return d == 3 ? sum + a[2] * b[2] : sum;
}

/* w x u; in the plane w is along z and only that part is used. */
INLINE void cross_rotation(int d, const double *w, const double *u, double *m)
{
    if (d == 2) {
        m[0] = -w[2] * u[1];
        m[1] = w[2] * u[0];
        return;
    }
    m[0] = w[1] * u[2] - w[2] * u[1];
    m[1] = w[2] * u[0] - w[0] * u[2];
    m[2] = w[0] * u[1] - w[1] * u[0];
}

/* f and its partials of one state. */
typedef struct LiftFactor {
    double f, f_u, f_m;
    double per_lift; /* df / d(lift) */
} LiftFactor;

INLINE LiftFactor lift_factor(ArcLift lift, int d, const FlightForces *forces, double speed2,
                              const double *m)
{
    LiftFactor factor = {forces->lift, 0, 0, 1};
    if (lift == ARC_LIFT_CONSTANT) {
        double size2 = dot(d, m, m);
        double inverse = size2 > 0 ? 1 / sqrt(size2) : 0;
        factor.per_lift = speed2 * inverse;
        factor.f = forces->lift * factor.per_lift;
        factor.f_u = 2 * forces->lift * inverse;
        factor.f_m = -factor.f * inverse * inverse;
    } else if (lift == ARC_LIFT_RATIONAL) {
        double size = sqrt(dot(d, m, m));
        double sum = speed2 + 2 * forces->radius * size;
        double inverse = sum > 0 ? 1 / sum : 0;
        double slope = 2 * forces->radius * forces->lift * inverse * inverse;
        factor.f = forces->lift * speed2 * inverse;
        factor.f_u = 2 * slope * size;
        factor.f_m = size > 0 ? -slope * speed2 / size : 0;
    }
    return factor;
}

/* Columns of a_p (d,P) for the rotation: f (e x u) + m f_m (u x m) . e. For the constant law that
 * is f / M^2 (m x u) (m . e), which keeps the zeros that the sum would only have up to rounding. */
INLINE void lift_partials_rotation(ArcLift lift, int d, int P, LiftFactor factor, const double *u,
                                   const double *m, double *a_p)
{
    if (d == 2) {
        /* spin = -w_z, u x m along z; the constant law feels the sign of the spin only */
        bool is_constant = lift == ARC_LIFT_CONSTANT;
        double along = -factor.f_m * (u[0] * m[1] - u[1] * m[0]);
        a_p[0] = is_constant ? 0 : factor.f * u[1] + m[0] * along;
        a_p[P] = is_constant ? 0 : -factor.f * u[0] + m[1] * along;
        return;
    }
    double um[3];
    cross_rotation(3, u, m, um);
    for (int e = 0; e < 3; e++) {
        for (int c = 0; c < 3; c++)
            a_p[e * P + c] = factor.f_m * (lift == ARC_LIFT_CONSTANT ? um[e] * m[c] : m[e] * um[c]);
    }
    if (lift == ARC_LIFT_CONSTANT)
        return;
    a_p[1] += factor.f * u[2];
    a_p[2] -= factor.f * u[1];
    a_p[P] -= factor.f * u[2];
    a_p[P + 2] += factor.f * u[0];
    a_p[2 * P] += factor.f * u[1];
    a_p[2 * P + 1] -= factor.f * u[0];
}

/* Adds to a_v (d,d): f [w]x + m (f_u u + f_m (m x w)). */
INLINE void lift_partials_velocity(ArcLift lift, int d, const double *w, LiftFactor factor,
                                   const double *u, const double *m, double *a_v)
{
    if (lift == ARC_LIFT_CONSTANT || lift == ARC_LIFT_RATIONAL) {
        double row[3] = {m[1] * w[2], -m[0] * w[2], 0};
        if (d == 3)
            cross_rotation(3, m, w, row);
        for (int e = 0; e < d; e++) {
            for (int c = 0; c < d; c++)
                a_v[e * d + c] += m[e] * (factor.f_u * u[c] + factor.f_m * row[c]);
        }
    }
    a_v[1] -= factor.f * w[2];
    a_v[d] += factor.f * w[2];
    if (d == 3) {
        a_v[2] += factor.f * w[1];
        a_v[5] -= factor.f * w[0];
        a_v[6] -= factor.f * w[1];
        a_v[7] += factor.f * w[0];
    }
}

INLINE void flight_state(ArcLift lift, int d, const FlightForces *forces, const double *v,
                         double *a, double *a_v, double *a_p)
{
    double u[3], m[3] = {0};
    for (int e = 0; e < d; e++)
        u[e] = v[e] - forces->wind[e];
    double speed2 = dot(d, u, u), speed = sqrt(speed2);
    double drag = forces->drag * speed;
    for (int e = 0; e < d; e++)
        a[e] = forces->gravity[e] - drag * u[e];
    LiftFactor factor = {0};
    if (lift != ARC_LIFT_NONE) {
        cross_rotation(d, forces->w, u, m);
        factor = lift_factor(lift, d, forces, speed2, m);
        for (int e = 0; e < d; e++)
            a[e] += factor.f * m[e];
    }
    if (a_v == NULL)
        return;
    double ratio = speed > 0 ? forces->drag / speed : 0;
    for (int e = 0; e < d; e++) {
        for (int c = 0; c < d; c++)
            a_v[e * d + c] = -ratio * u[e] * u[c] - (e == c ? drag : 0);
    }
    int P = forces->n_parameters;
    if (forces->n_drag > 0) {
        for (int e = 0; e < d; e++)
            a_p[e * P] = -forces->drag_unit * speed * u[e];
    }
    if (lift == ARC_LIFT_NONE)
        return;
    lift_partials_velocity(lift, d, forces->w, factor, u, m, a_v);
    double *columns = a_p + forces->n_drag;
    if (forces->n_lift > 0) {
        for (int e = 0; e < d; e++)
            columns[e * P] = forces->lift_unit * factor.per_lift * m[e];
    }
    lift_partials_rotation(lift, d, P, factor, u, m, columns + forces->n_lift);
}

/* lift is a constant, so that what the law does not use falls away. */
INLINE FlightForces flight_forces(ArcLift lift, int d, const ArcFlight *flight, const double *p)
{
    const ArcFlightSettings *settings = &flight->settings;
    FlightForces forces = {.radius = flight->radius_m, .n_parameters = flight->n_parameters};
    for (int e = 0; e < d; e++) {
        forces.gravity[e] = flight->gravity_m_s2[e];
        forces.wind[e] = settings->wind_m_s[e];
    }
    forces.n_drag = settings->drag != ARC_DRAG_NONE;
    forces.drag_unit = settings->drag == ARC_DRAG_QUADRATIC ? flight->drag_per_m : 1;
    forces.drag = forces.n_drag ? forces.drag_unit * *p++ : 0;
    if (lift == ARC_LIFT_NONE)
        return forces;
    forces.n_lift = lift != ARC_LIFT_RATIONAL;
    forces.lift_unit = 1;
    if (lift == ARC_LIFT_CONSTANT)
        forces.lift_unit = flight->drag_per_m;
    else if (lift != ARC_LIFT_LUMPED)
        forces.lift_unit = flight->drag_per_m * flight->radius_m;
    forces.lift = forces.n_lift ? forces.lift_unit * *p++ : forces.lift_unit;
    forces.w[2] = d == 2 ? -p[0] : p[2];
    if (d == 3) {
        forces.w[0] = p[0];
        forces.w[1] = p[1];
    }
    return forces;
}

INLINE void flight_states(ArcLift lift, int d, const ArcFlight *flight, int n, const double *v,
                          const double *p, double *a, double *a_v, double *a_p)
{
    FlightForces forces = flight_forces(lift, d, flight, p);
    if (a_v == NULL) {
        for (int i = 0; i < n; i++)
            flight_state(lift, d, &forces, v + i * d, a + i * d, NULL, NULL);
        return;
    }
    for (int i = 0; i < n; i++)
        flight_state(lift, d, &forces, v + i * d, a + i * d, a_v + i * d * d,
                     a_p + i * d * forces.n_parameters);
}

typedef void (*FlightKernel)(const ArcFlight *flight, int n, const double *v, const double *p,
                             double *a, double *a_v, double *a_p);

#define FLIGHT_KERNEL(name, lift, d)                                                               \
    static void name(const ArcFlight *flight, int n, const double *v, const double *p, double *a,  \
                     double *a_v, double *a_p)                                                     \
    {                                                                                              \
        flight_states(lift, d, flight, n, v, p, a, a_v, a_p);                                      \
    }

FLIGHT_KERNEL(flight_plane_none, ARC_LIFT_NONE, 2)
FLIGHT_KERNEL(flight_plane_lumped, ARC_LIFT_LUMPED, 2)
FLIGHT_KERNEL(flight_plane_constant, ARC_LIFT_CONSTANT, 2)
FLIGHT_KERNEL(flight_plane_linear, ARC_LIFT_LINEAR, 2)
FLIGHT_KERNEL(flight_plane_rational, ARC_LIFT_RATIONAL, 2)
FLIGHT_KERNEL(flight_space_none, ARC_LIFT_NONE, 3)
FLIGHT_KERNEL(flight_space_lumped, ARC_LIFT_LUMPED, 3)
FLIGHT_KERNEL(flight_space_constant, ARC_LIFT_CONSTANT, 3)
FLIGHT_KERNEL(flight_space_linear, ARC_LIFT_LINEAR, 3)
FLIGHT_KERNEL(flight_space_rational, ARC_LIFT_RATIONAL, 3)

static const FlightKernel plane_kernels[] = {
    [ARC_LIFT_NONE] = flight_plane_none,         [ARC_LIFT_LUMPED] = flight_plane_lumped,
    [ARC_LIFT_CONSTANT] = flight_plane_constant, [ARC_LIFT_LINEAR] = flight_plane_linear,
    [ARC_LIFT_RATIONAL] = flight_plane_rational,
};

static const FlightKernel space_kernels[] = {
    [ARC_LIFT_NONE] = flight_space_none,         [ARC_LIFT_LUMPED] = flight_space_lumped,
    [ARC_LIFT_CONSTANT] = flight_space_constant, [ARC_LIFT_LINEAR] = flight_space_linear,
    [ARC_LIFT_RATIONAL] = flight_space_rational,
};

/* Between two bounces nothing depends on their coefficients. */
static void flight_clear_bounce(const ArcFlight *flight, int n, double *a_p)
{
    for (int row = 0; row < n * flight->n_coordinates; row++)
        memset(a_p + row * flight->n_parameters + flight->bounce_index, 0, 3 * sizeof(double));
}

void arc_flight_acceleration(const ArcFlight *flight, int n, const double *t_s, const double *x_m,
                             const double *v_m_s, const double *p, double *a, double *a_x,
                             double *a_v, double *a_p)
{
    (void)t_s;
    (void)x_m;
    int d = flight->settings.dimensions;
    ArcLift lift = flight->settings.lift;
    if (a_x != NULL) {
        for (int i = 0; i < n * d * d; i++)
            a_x[i] = 0;
    }
    (d == 2 ? plane_kernels : space_kernels)[lift](flight, n, v_m_s, p, a, a_v, a_p);
    if (a_p != NULL && flight->settings.bounce.is_on)
        flight_clear_bounce(flight, n, a_p);
}

bool arc_flight_is_position_free(const ArcFlight *flight)
{
    (void)flight; /* no law of today looks at the position */
    return true;
}

bool arc_flight_is_timeless(const ArcFlight *flight)
{
    (void)flight; /* no law of today looks at the time */
    return true;
}

ArcFlightSettings arc_flight_settings_default(void)
{
    return (ArcFlightSettings){
        .dimensions = 2,
        .up = 1,
        .gravity_m_s2 = 9.80665,
        .air = {.temperature_k = 293.15, .pressure_pa = 101325, .humidity = 0.5},
        .drag = ARC_DRAG_NONE,
        .lift = ARC_LIFT_NONE,
        .bounce = {.restitution = 0.75, .friction = 0.5, .spin_coupling = 1.5},
    };
}

static ArcStatus flight_check_frame(const ArcFlightSettings *settings, ArcError *err)
{
    if (settings->dimensions != 2 && settings->dimensions != 3)
        return arc_error_set(err, ARC_INPUT, "dimensions %d is neither 2 (plane) nor 3 (space)",
                             settings->dimensions);
    if (settings->up < 0 || settings->up >= settings->dimensions)
        return arc_error_set(err, ARC_INPUT, "axis %d cannot be up in %d dimensions; %s",
                             settings->up, settings->dimensions,
                             settings->dimensions == 2 ? "use x or y" : "use x, y or z");
    if (!(settings->gravity_m_s2 >= 0 && settings->gravity_m_s2 <= 1000))
        return arc_error_set(err, ARC_INPUT,
                             "gravity %g m/s^2 is outside 0 to 1000 m/s^2; give its size",
                             settings->gravity_m_s2);
    for (int e = 0; e < settings->dimensions; e++) {
        if (!(fabs(settings->wind_m_s[e]) <= 1000))
            return arc_error_set(err, ARC_INPUT, "wind %g m/s is outside -1000 to 1000 m/s",
                                 settings->wind_m_s[e]);
    }
    return ARC_OK;
}

static ArcStatus flight_check_ball(const ArcFlightSettings *settings, ArcError *err)
{
    int n_drag, n_lift;
    const ArcLaw *drag = arc_drag_laws(&n_drag), *lift = arc_lift_laws(&n_lift);
    if ((int)settings->drag < 0 || (int)settings->drag >= n_drag)
        return arc_error_set(err, ARC_INPUT, "there is no drag law %d", (int)settings->drag);
    if ((int)settings->lift < 0 || (int)settings->lift >= n_lift)
        return arc_error_set(err, ARC_INPUT, "there is no lift law %d", (int)settings->lift);
    if (settings->has_ball) {
        if (!(settings->ball.mass_kg > 0 && settings->ball.mass_kg <= 1e6))
            return arc_error_set(err, ARC_INPUT, "ball mass %g kg is not in 0 to 1e6 kg",
                                 settings->ball.mass_kg);
        if (!(settings->ball.diameter_m > 0 && settings->ball.diameter_m <= 1e3))
            return arc_error_set(err, ARC_INPUT, "ball diameter %g m is not in 0 to 1000 m",
                                 settings->ball.diameter_m);
        return ARC_OK;
    }
    if (drag[settings->drag].needs_ball)
        return arc_error_set(err, ARC_INPUT,
                             "drag '%s' needs a ball; give a preset or mass and diameter, or use "
                             "drag 'lumped'",
                             drag[settings->drag].name);
    if (lift[settings->lift].needs_ball)
        return arc_error_set(err, ARC_INPUT,
                             "lift '%s' needs a ball; give a preset or mass and diameter, or use "
                             "lift 'lumped'",
                             lift[settings->lift].name);
    if (settings->buoyancy)
        return arc_error_set(err, ARC_INPUT,
                             "buoyancy needs a ball; give a preset or mass and diameter");
    return ARC_OK;
}

static void flight_add_parameter(ArcFlight *flight, const ArcParameterInfo *info)
{
    if (info != NULL)
        flight->parameters[flight->n_parameters++] = *info;
}

static void flight_set_parameters(ArcFlight *flight)
{
    const ArcFlightSettings *settings = &flight->settings;
    flight_add_parameter(flight, arc_drag_parameter(settings->drag));
    if (settings->drag == ARC_DRAG_QUADRATIC && settings->ball.cd > 0)
        flight->parameters[0].value = settings->ball.cd;
    if (settings->lift == ARC_LIFT_NONE)
        return;
    flight_add_parameter(flight, arc_lift_parameter(settings->lift));
    int n_spin;
    const ArcParameterInfo *spin = arc_spin_parameters(settings->dimensions, &n_spin);
    for (int i = 0; i < n_spin; i++)
        flight_add_parameter(flight, &spin[i]);
}

ArcStatus arc_flight_create(const ArcFlightSettings *settings, ArcFlight *flight, ArcError *err)
{
    ArcFlight made = {.settings = *settings};
    ArcStatus status = flight_check_frame(settings, err);
    if (status == ARC_OK)
        status = flight_check_ball(settings, err);
    if (status == ARC_OK)
        status = arc_air_density(&settings->air, &made.density_kg_m3, err);
    if (status != ARC_OK)
        return status;
    double buoyancy = 0;
    if (settings->has_ball) {
        double mass = settings->ball.mass_kg, diameter = settings->ball.diameter_m;
        double area = 0.25 * M_PI * diameter * diameter;
        made.radius_m = 0.5 * diameter;
        made.drag_per_m = made.density_kg_m3 * area / (2 * mass);
        if (settings->buoyancy)
            buoyancy = made.density_kg_m3 * area * diameter / 1.5 / mass;
    }
    made.n_coordinates = settings->dimensions;
    made.gravity_m_s2[settings->up] = -settings->gravity_m_s2 * (1 - buoyancy);
    flight_set_parameters(&made);
    status = arc_bounce_add(&made, err);
    if (status == ARC_OK)
        *flight = made;
    return status;
}
