/* The acceleration of a thrown ball with its partials.
 *
 * With u = v - wind, U = |u|, m = w x u, M = |m| every force is a multiple of u or m; c, g and the
 * lumped k and s stand for themselves divided by 1 + h (added mass):
 *
 *   a = g - D u + f m            g  gravity.h
 *                                D  drag.h; lumped and quadratic k U, c cd U
 *                                f  lumped s, linear c cm r, constant c cl U^2 / M,
 *                                   rational and nathan c r U^2 / (A U^2 + B r M),
 *                                   others c r G(S), G = CL / S (lift.h), S = r M / U^2
 *
 * The rational law's f is c CL U^2 / M with S = r M / U^2, so that nothing is divided by the spin.
 * Partials follow from
 *
 *   dD = D_U (u . du) / U + D_w (w . dw) / |w|
 *   df = f_u (u . du) + f_m (m . dm)       dm = w x du + dw x u
 *   m . (w x e) = (m x w) . e              m . (e x u) = (u x m) . e
 *
 * A spin that fades is w = q w0, so that da/dw0 = q da/dw; by what q depends on, f_w = f + f_m M^2,
 *
 *   da = (f_w m - D_w |w| u) dln q,   dln q = -dt / tau + t dtau / tau^2  or  -l dc - c dl
 *
 * and l'' = U is one coordinate more. Wind that varies with the height y: a_y = -a_v dwind/dy.
 *
 * One inlined body serves all laws; in the plain kernels the law and the dimension are constants,
 * all else goes through flight_varied.
 */
#include "physics/drag.h"
#include "physics/fading.h"
#include "physics/gravity.h"
#include "physics/lift.h"
#include "physics/wind.h"

#include <math.h>
#include <string.h>

/* |w| of drag by spin is rounded below this rate to w^2 / (2 rate) + rate / 2, at most 0.005 rad/s
 * more, so that its slope is that of a smooth function. */
static const double rounded_rate = 0.01; /* rad/s */

/* What a call needs of the model and its parameters. */
typedef struct FlightForces {
    double gravity[3];
    double wind[3];
    double drag;      /* D / U of the plain kernels */
    double drag_unit; /* its partial by its parameter */
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
    double f_w; /* d(f M) / dM = f + f_m M^2, zero where lift does not follow the spin's size */
    double per_lift; /* df / d(lift) */
} LiftFactor;

INLINE LiftFactor lift_factor(ArcLift lift, int d, const FlightForces *forces, double speed2,
                              const double *m)
{
    LiftFactor factor = {forces->lift, 0, 0, forces->lift, 1};
    if (lift == ARC_LIFT_CONSTANT) {
        double size2 = dot(d, m, m);
        double inverse = size2 > 0 ? 1 / sqrt(size2) : 0;
        factor.per_lift = speed2 * inverse;
        factor.f = forces->lift * factor.per_lift;
        factor.f_u = 2 * forces->lift * inverse;
        factor.f_m = -factor.f * inverse * inverse;
        factor.f_w = 0;
    } else if (lift == ARC_LIFT_RATIONAL || lift == ARC_LIFT_NATHAN) {
        double A = lift == ARC_LIFT_RATIONAL ? 1 : 0.583 / 1.120;
        double B = lift == ARC_LIFT_RATIONAL ? 2 : 2.333 / 1.120;
        double size = sqrt(dot(d, m, m));
        double sum = A * speed2 + B * forces->radius * size;
        double inverse = sum > 0 ? 1 / sum : 0;
        double slope = B * forces->radius * forces->lift * inverse * inverse;
        factor.f = forces->lift * speed2 * inverse;
        factor.f_u = 2 * slope * size;
        factor.f_m = size > 0 ? -slope * speed2 / size : 0;
        factor.f_w = factor.f * A * speed2 * inverse;
    }
    return factor;
}

/* The same of a law that is a curve G(S); nothing at rest in the air, where S has no limit. */
static LiftFactor lift_factor_of_shape(const ArcFlight *flight, int d, const FlightForces *forces,
                                       double speed2, const double *m)
{
    if (speed2 == 0)
        return (LiftFactor){0};
    double size = sqrt(dot(d, m, m));
    double S = forces->radius * size / speed2;
    ArcLiftShape shape = arc_lift_shape(flight, S);
    double slope = forces->lift * shape.slope / speed2;
    return (LiftFactor){forces->lift * shape.ratio, -2 * slope * S,
                        size > 0 ? slope * forces->radius / size : 0, forces->lift * shape.rise, 1};
}

/* Columns of a_p (d,P) for the rotation: f (e x u) + m f_m (u x m) . e. For the constant law that
 * is f / M^2 (m x u) (m . e), which keeps the zeros that the sum would only have up to rounding. */
INLINE void lift_partials_rotation(ArcLift lift, int d, int P, LiftFactor factor, const double *u,
                                   const double *m, double *a_p)
{
    if (d == 2) {
        /* spin = -w_z and m = spin (u_y, -u_x) */
        a_p[0] = factor.f_w * u[1];
        a_p[P] = -factor.f_w * u[0];
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

/* Adds to a_v (d,D): f [w]x + m (f_u u + f_m (m x w)). */
INLINE void lift_partials_velocity(ArcLift lift, int d, int D, const double *w, LiftFactor factor,
                                   const double *u, const double *m, double *a_v)
{
    if (lift != ARC_LIFT_LUMPED && lift != ARC_LIFT_LINEAR) {
        double row[3] = {m[1] * w[2], -m[0] * w[2], 0};
        if (d == 3)
            cross_rotation(3, m, w, row);
        for (int e = 0; e < d; e++) {
            for (int c = 0; c < d; c++)
                a_v[e * D + c] += m[e] * (factor.f_u * u[c] + factor.f_m * row[c]);
        }
    }
    a_v[1] -= factor.f * w[2];
    a_v[D] += factor.f * w[2];
    if (d == 3) {
        a_v[2] += factor.f * w[1];
        a_v[D + 2] -= factor.f * w[0];
        a_v[2 * D] -= factor.f * w[1];
        a_v[2 * D + 1] += factor.f * w[0];
    }
}

/* What is known of a state once its acceleration is. */
typedef struct FlightState {
    double u[3], m[3], speed;
    ArcDragFactor drag;
    LiftFactor lift;
} FlightState;

/* Fills a_v (d,d) of rows D long and a_p (d,P) of one state; of drag only the first parameter. */
INLINE void flight_partials(ArcLift lift, int d, int D, const FlightForces *forces,
                            const FlightState *state, double *a_v, double *a_p)
{
    const double *u = state->u, *m = state->m;
    double ratio = state->speed > 0 ? state->drag.by_speed / state->speed : 0;
    for (int e = 0; e < d; e++) {
        for (int c = 0; c < d; c++)
            a_v[e * D + c] = -ratio * u[e] * u[c] - (e == c ? state->drag.value : 0);
    }
    int P = forces->n_parameters;
    for (int e = 0; e < d && forces->n_drag > 0; e++)
        a_p[e * P] = -state->drag.by_parameter[0] * u[e];
    if (lift == ARC_LIFT_NONE)
        return;
    lift_partials_velocity(lift, d, D, forces->w, state->lift, u, m, a_v);
    double *columns = a_p + forces->n_drag;
    if (forces->n_lift > 0) {
        for (int e = 0; e < d; e++)
            columns[e * P] = forces->lift_unit * state->lift.per_lift * m[e];
    }
    lift_partials_rotation(lift, d, P, state->lift, u, m, columns + forces->n_lift);
}

/* lift is a constant, so that what the law does not use falls away. */
INLINE void flight_state(ArcLift lift, int d, const FlightForces *forces, const double *v,
                         double *a, double *a_v, double *a_p)
{
    FlightState state = {0};
    for (int e = 0; e < d; e++)
        state.u[e] = v[e] - forces->wind[e];
    double speed2 = dot(d, state.u, state.u);
    state.speed = sqrt(speed2);
    state.drag.value = forces->drag * state.speed;
    for (int e = 0; e < d; e++)
        a[e] = forces->gravity[e] - state.drag.value * state.u[e];
    if (lift != ARC_LIFT_NONE) {
        cross_rotation(d, forces->w, state.u, state.m);
        state.lift = lift_factor(lift, d, forces, speed2, state.m);
        for (int e = 0; e < d; e++)
            a[e] += state.lift.f * state.m[e];
    }
    if (a_v == NULL)
        return;
    state.drag.by_speed = forces->drag;
    state.drag.by_parameter[0] = forces->drag_unit * state.speed;
    flight_partials(lift, d, d, forces, &state, a_v, a_p);
}

/* lift is a constant, as above. p: the parameters of the drag and what follows. */
INLINE FlightForces flight_forces(ArcLift lift, int d, const ArcFlight *flight, const double *p)
{
    const ArcFlightSettings *settings = &flight->settings;
    FlightForces forces = {.radius = flight->radius_m,
                           .n_drag = flight->n_drag,
                           .n_lift = flight->n_lift,
                           .n_parameters = flight->n_parameters};
    for (int e = 0; e < d; e++) {
        forces.gravity[e] = flight->gravity_m_s2[e];
        forces.wind[e] = settings->wind_m_s[e];
    }
    if (flight->n_gravity > 0)
        arc_gravity_vector(flight, p, forces.gravity, NULL);
    forces.drag_unit = flight->inertia;
    if (settings->drag == ARC_DRAG_QUADRATIC)
        forces.drag_unit *= flight->drag_per_m;
    forces.drag = forces.n_drag > 0 ? forces.drag_unit * p[0] : 0;
    p += forces.n_drag;
    if (lift != ARC_LIFT_NONE) {
        forces.lift_unit = flight->inertia;
        if (lift == ARC_LIFT_CONSTANT)
            forces.lift_unit *= flight->drag_per_m;
        else if (lift != ARC_LIFT_LUMPED)
            forces.lift_unit *= flight->drag_per_m * flight->radius_m;
        forces.lift = forces.n_lift ? forces.lift_unit * *p++ : forces.lift_unit;
    }
    if (!flight->has_rotation)
        return forces;
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
FLIGHT_KERNEL(flight_plane_nathan, ARC_LIFT_NATHAN, 2)
FLIGHT_KERNEL(flight_space_none, ARC_LIFT_NONE, 3)
FLIGHT_KERNEL(flight_space_lumped, ARC_LIFT_LUMPED, 3)
FLIGHT_KERNEL(flight_space_constant, ARC_LIFT_CONSTANT, 3)
FLIGHT_KERNEL(flight_space_linear, ARC_LIFT_LINEAR, 3)
FLIGHT_KERNEL(flight_space_rational, ARC_LIFT_RATIONAL, 3)
FLIGHT_KERNEL(flight_space_nathan, ARC_LIFT_NATHAN, 3)

static const FlightKernel plane_kernels[] = {
    [ARC_LIFT_NONE] = flight_plane_none,         [ARC_LIFT_LUMPED] = flight_plane_lumped,
    [ARC_LIFT_CONSTANT] = flight_plane_constant, [ARC_LIFT_LINEAR] = flight_plane_linear,
    [ARC_LIFT_RATIONAL] = flight_plane_rational, [ARC_LIFT_NATHAN] = flight_plane_nathan,
};

static const FlightKernel space_kernels[] = {
    [ARC_LIFT_NONE] = flight_space_none,         [ARC_LIFT_LUMPED] = flight_space_lumped,
    [ARC_LIFT_CONSTANT] = flight_space_constant, [ARC_LIFT_LINEAR] = flight_space_linear,
    [ARC_LIFT_RATIONAL] = flight_space_rational, [ARC_LIFT_NATHAN] = flight_space_nathan,
};

/* Drag by spin in the columns of the rotation, then the fading: these columns by what is left, the
 * column of its parameter, and the one of the path in a_v. rate_slope: d rate / d w = slope w. */
static void flight_partials_fading(const ArcFlight *flight, const FlightForces *forces,
                                   const FlightState *state, ArcFading fading, double rate_slope,
                                   double *a_v, double *a_p)
{
    int d = flight->settings.dimensions, n_spin = d == 2 ? 1 : 3;
    int D = flight->n_coordinates, P = flight->n_parameters;
    double *columns = a_p + flight->n_drag + flight->n_lift;
    double by_rotation = state->drag.by_rate * rate_slope;
    double along_u = by_rotation * dot(3, forces->w, forces->w);
    for (int e = 0; e < d; e++) {
        double along = state->lift.f_w * state->m[e] - along_u * state->u[e];
        for (int c = 0; c < n_spin; c++) {
            double w = d == 2 ? -forces->w[2] : forces->w[c];
            columns[e * P + c] -= by_rotation * w * state->u[e];
            columns[e * P + c] *= fading.share;
        }
        if (flight->settings.spin_decay != ARC_SPIN_DECAY_NONE)
            columns[e * P + n_spin] = along * fading.by_parameter;
        if (D > d)
            a_v[e * D + d] = along * fading.by_path;
    }
}

/* One state of any model. */
static void flight_varied(const ArcFlight *flight, double t, const double *x, const double *v,
                          const double *p, double *a, double *a_x, double *a_v, double *a_p)
{
    const ArcFlightSettings *settings = &flight->settings;
    ArcLift lift = settings->lift;
    int d = settings->dimensions, D = flight->n_coordinates, P = flight->n_parameters;
    FlightForces forces = flight_forces(lift, d, flight, p);
    ArcFading fading = arc_fading_at(flight, t, v, p);
    ArcWindAt wind = arc_wind_at(settings, t, x);
    FlightState state = {0};
    for (int e = 0; e < d; e++)
        state.u[e] = v[e] - wind.velocity_m_s[e];
    for (int e = 0; e < 3; e++)
        forces.w[e] *= fading.share;
    double speed2 = dot(d, state.u, state.u), size = sqrt(dot(3, forces.w, forces.w));
    double rate_slope = 1 / (size >= rounded_rate ? size : rounded_rate);
    double rate = size >= rounded_rate ? size : 0.5 * (size * size * rate_slope + rounded_rate);
    state.speed = sqrt(speed2);
    state.drag = arc_drag_factor(flight, state.speed, isnan(size) ? NAN : rate, p);
    if (lift != ARC_LIFT_NONE) {
        cross_rotation(d, forces.w, state.u, state.m);
        state.lift = arc_lift_is_shape(lift)
                         ? lift_factor_of_shape(flight, d, &forces, speed2, state.m)
                         : lift_factor(lift, d, &forces, speed2, state.m);
    }
    for (int e = 0; e < d; e++)
        a[e] = forces.gravity[e] - state.drag.value * state.u[e] + state.lift.f * state.m[e];
    if (D > d)
        a[d] = state.speed;
    if (a_v == NULL)
        return;
    memset(a_v, 0, (size_t)(D * D) * sizeof(double));
    memset(a_p, 0, (size_t)(D * P) * sizeof(double));
    flight_partials(lift, d, D, &forces, &state, a_v, a_p);
    for (int k = 1; k < forces.n_drag; k++) {
        for (int e = 0; e < d; e++)
            a_p[e * P + k] = -state.drag.by_parameter[k] * state.u[e];
    }
    if (flight->has_rotation)
        flight_partials_fading(flight, &forces, &state, fading, rate_slope, a_v, a_p);
    for (int c = 0; c < d && D > d; c++)
        a_v[d * D + c] = state.speed > 0 ? state.u[c] / state.speed : 0;
    for (int e = 0; e < D && a_x != NULL; e++) {
        for (int c = 0; c < d; c++)
            a_x[e * D + settings->up] -= a_v[e * D + c] * wind.by_height_1_s[c];
    }
}

/* Between two bounces nothing depends on their coefficients. */
static void flight_clear_bounce(const ArcFlight *flight, int n, double *a_p)
{
    for (int row = 0; row < n * flight->n_coordinates; row++)
        memset(a_p + row * flight->n_parameters + flight->bounce_index, 0, 3 * sizeof(double));
}

/* Gravity is the same in every state, and so are its columns. */
static void flight_partials_gravity(const ArcFlight *flight, int n, const double *p, double *a_p)
{
    int d = flight->settings.dimensions, D = flight->n_coordinates, count = flight->n_gravity;
    double g[3], g_p[9];
    arc_gravity_vector(flight, p, g, g_p);
    for (int row = 0; row < n * D; row++) {
        double *columns = a_p + row * flight->n_parameters + flight->gravity_index;
        for (int k = 0; k < count; k++)
            columns[k] = row % D < d ? g_p[row % D * count + k] : 0;
    }
}

void arc_flight_acceleration(const ArcFlight *flight, int n, const double *t_s, const double *x_m,
                             const double *v_m_s, const double *p, double *a, double *a_x,
                             double *a_v, double *a_p)
{
    int d = flight->settings.dimensions, D = flight->n_coordinates, P = flight->n_parameters;
    if (a_x != NULL) {
        for (int i = 0; i < n * D * D; i++)
            a_x[i] = 0;
    }
    if (flight->is_plain)
        (d == 2 ? plane_kernels : space_kernels)[flight->settings.lift](flight, n, v_m_s, p, a, a_v,
                                                                        a_p);
    for (int i = 0; i < n && !flight->is_plain; i++)
        flight_varied(flight, t_s[i], x_m + i * D, v_m_s + i * D, p, a + i * D,
                      a_x == NULL ? NULL : a_x + i * D * D, a_v == NULL ? NULL : a_v + i * D * D,
                      a_p == NULL ? NULL : a_p + i * D * P);
    if (a_p != NULL && flight->n_gravity > 0)
        flight_partials_gravity(flight, n, p, a_p);
    if (a_p != NULL && flight->settings.bounce.is_on)
        flight_clear_bounce(flight, n, a_p);
}

bool arc_flight_is_position_free(const ArcFlight *flight)
{
    return !flight->settings.shear.is_on;
}

bool arc_flight_is_timeless(const ArcFlight *flight)
{
    return !flight->settings.gust.is_on &&
           flight->settings.spin_decay != ARC_SPIN_DECAY_EXPONENTIAL;
}
