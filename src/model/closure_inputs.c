/* Inputs of a closure and the forces that it scales, with partials.
 *
 * With m = w x u, M = |m|, U = |u|, n = m / M, c the drag's per metre and inertia:
 *   dM = n . (w x du) + n . (dw x u) = (n x w) . du + (u x n) . dw
 *   dS = r dM / U^2 - 2 S u . du / U^2                    S = r M / U^2
 *   d(-c U u) = -c (U du + u (u . du) / U)
 *   d(c U^2 n) = c (2 n (u . du) + U^2 (1 - n n') dm / M)     dm = w x du + dw x u
 * u = v - wind, whose slope in the height is wind' : du = dv - wind' dx_up. What is left of the
 * spin, w = q w0 with dln q by path and parameter (fading.h): dw = q dw0 + w dln q.
 */
#include "model/closure_inputs.h"

#include "physics/wind.h"

#include <math.h>

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

ArcClosureAir arc_closure_air(const ArcClosureState *state)
{
    ArcClosureAir air = {0};
    const ArcFlight *flight = state->flight;
    if (flight == NULL)
        return air;
    int d = flight->settings.dimensions;
    ArcWindAt wind = arc_wind_at(&flight->settings, state->t_s, state->x);
    for (int e = 0; e < d; e++) {
        air.u[e] = state->v[e] - wind.velocity_m_s[e];
        air.by_height[e] = wind.by_height_1_s[e];
    }
    air.speed = sqrt(dot(air.u, air.u));
    if (!flight->has_rotation)
        return air;
    air.fading = arc_fading_at(flight, state->t_s, state->v, state->p);
    const double *spin = state->p + flight->n_drag + flight->n_lift;
    for (int e = 0; e < 3 && d == 3; e++)
        air.w[e] = air.fading.share * spin[e];
    if (d == 2)
        air.w[2] = -air.fading.share * spin[0];
    cross(air.w, air.u, air.m);
    air.size = sqrt(dot(air.m, air.m));
    return air;
}

static double spin_ratio(const ArcFlight *flight, const ArcClosureAir *air)
{
    return air->speed == 0 ? 0 : flight->radius_m * air->size / (air->speed * air->speed);
}

double arc_closure_input(const ArcClosureSettings *settings, int i, const ArcClosureState *state,
                         const ArcClosureAir *air)
{
    const ArcClosureInput *input = &settings->inputs[i];
    switch (input->kind) {
    case ARC_CLOSURE_POSITION:
        return state->x[input->axis];
    case ARC_CLOSURE_VELOCITY:
        return state->v[input->axis];
    case ARC_CLOSURE_SPEED:
        return air->speed;
    case ARC_CLOSURE_HEIGHT:
        return state->x[state->flight->settings.up];
    case ARC_CLOSURE_SPIN_RATIO:
        return spin_ratio(state->flight, air);
    case ARC_CLOSURE_TIME:
        break;
    }
    return state->t_s;
}

static void add_spin_ratio(const ArcFlight *flight, const ArcClosureAir *air, double factor,
                           ArcClosureGradient *gradient)
{
    if (air->speed == 0)
        return;
    double speed2 = air->speed * air->speed, by_u[3] = {0}, by_w[3] = {0};
    double size = factor * flight->radius_m / speed2;
    double shrink = -2 * factor * spin_ratio(flight, air) / speed2;
    if (air->size > 0) {
        cross(air->m, air->w, by_u);
        cross(air->u, air->m, by_w);
        size /= air->size;
    }
    for (int e = 0; e < 3; e++) {
        gradient->by_u[e] += size * by_u[e] + shrink * air->u[e];
        gradient->by_w[e] += size * by_w[e];
    }
}

void arc_closure_add_input(const ArcClosureSettings *settings, int i, const ArcClosureState *state,
                           const ArcClosureAir *air, double factor, ArcClosureGradient *gradient)
{
    const ArcClosureInput *input = &settings->inputs[i];
    switch (input->kind) {
    case ARC_CLOSURE_POSITION:
        gradient->by_x[input->axis] += factor;
        break;
    case ARC_CLOSURE_VELOCITY:
        gradient->by_v[input->axis] += factor;
        break;
    case ARC_CLOSURE_SPEED:
        for (int e = 0; e < 3 && air->speed > 0; e++)
            gradient->by_u[e] += factor * air->u[e] / air->speed;
        break;
    case ARC_CLOSURE_HEIGHT:
        gradient->by_x[state->flight->settings.up] += factor;
        break;
    case ARC_CLOSURE_SPIN_RATIO:
        add_spin_ratio(state->flight, air, factor, gradient);
        break;
    case ARC_CLOSURE_TIME:
        break;
    }
}

ArcClosureForce arc_closure_drag(const ArcFlight *flight, const ArcClosureAir *air)
{
    ArcClosureForce force = {0};
    double c = -flight->inertia * flight->drag_per_m;
    for (int e = 0; e < 3; e++) {
        force.f[e] = c * air->speed * air->u[e];
        force.by_u[e][e] = c * air->speed;
        for (int k = 0; k < 3 && air->speed > 0; k++)
            force.by_u[e][k] += c * air->u[e] * air->u[k] / air->speed;
    }
    return force;
}

ArcClosureForce arc_closure_lift(const ArcFlight *flight, const ArcClosureAir *air)
{
    ArcClosureForce force = {0};
    if (air->size == 0)
        return force;
    double c = flight->inertia * flight->drag_per_m, speed2 = air->speed * air->speed, n[3];
    for (int e = 0; e < 3; e++)
        n[e] = air->m[e] / air->size;
    for (int k = 0; k < 3; k++) {
        double unit[3] = {k == 0, k == 1, k == 2}, m_u[3], m_w[3];
        cross(air->w, unit, m_u);
        cross(unit, air->u, m_w);
        double along_u = dot(n, m_u), along_w = dot(n, m_w);
        for (int e = 0; e < 3; e++) {
            force.by_u[e][k] =
                c * (2 * n[e] * air->u[k] + speed2 * (m_u[e] - n[e] * along_u) / air->size);
            force.by_w[e][k] = c * speed2 * (m_w[e] - n[e] * along_w) / air->size;
        }
        force.f[k] = c * speed2 * n[k];
    }
    return force;
}

/* The columns of the rotation and of what it fades by. */
static void chain_rotation(const ArcClosureState *state, const ArcClosureAir *air,
                           const double *by_w, double *a_v, double *a_p)
{
    const ArcFlight *flight = state->flight;
    int d = flight->settings.dimensions, first = flight->n_drag + flight->n_lift;
    double along = dot(by_w, air->w);
    if (a_v != NULL && state->D > d)
        a_v[d] += along * air->fading.by_path;
    if (a_p == NULL)
        return;
    if (d == 2)
        a_p[first] -= air->fading.share * by_w[2];
    for (int e = 0; e < 3 && d == 3; e++)
        a_p[first + e] += air->fading.share * by_w[e];
    if (flight->settings.spin_decay != ARC_SPIN_DECAY_NONE)
        a_p[first + (d == 2 ? 1 : 3)] += along * air->fading.by_parameter;
}

void arc_closure_chain(const ArcClosureState *state, const ArcClosureAir *air,
                       const ArcClosureGradient *gradient, double *a_x, double *a_v, double *a_p)
{
    const ArcFlight *flight = state->flight;
    for (int c = 0; c < state->D && a_x != NULL; c++)
        a_x[c] += gradient->by_x[c];
    for (int c = 0; c < state->D && a_v != NULL; c++)
        a_v[c] += gradient->by_v[c];
    if (flight == NULL)
        return;
    for (int c = 0; c < flight->settings.dimensions && a_v != NULL; c++)
        a_v[c] += gradient->by_u[c];
    if (a_x != NULL)
        a_x[flight->settings.up] -= dot(gradient->by_u, air->by_height);
    if (flight->has_rotation)
        chain_rotation(state, air, gradient->by_w, a_v, a_p);
}
