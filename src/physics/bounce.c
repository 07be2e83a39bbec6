/* The bounce, by components: k along the normal, i = k + 1 and j = k + 2 (cyclic) along the plane,
 * n = side e_k. Then w x e_k = w_j e_i - w_i e_j and e_k x J = J_i e_j - J_j e_i. */
#include "physics/bounce.h"

#include <math.h>
#include <string.h>

static const ArcParameterInfo coefficients[] = {
    {"restitution", "1", 0.75, 0, 1, "speed along the normal after a bounce over that before"},
    {"friction", "1", 0.5, 0, 10, "of a ball that slides while it bounces"},
    {"spin_coupling", "1", 1.5, 0, 100, "m r^2 / I: thin shell 1.5, solid sphere 2.5"},
};

static const ArcLaw law = {
    "bounce",
    "n: normal of the plane towards the ball, u = v_t + w x (-r n) the slip; v_n' = -restitution "
    "v_n, v_t' = v_t + J, w' = w + (spin_coupling / r) (-n) x J, J = -a u, a the smaller of "
    "friction (1 + restitution) |v_n| / |u| and 1 / (1 + spin_coupling), rounded where they meet",
    "restitution friction spin_coupling", false,
    "the elementary model of sliding, then rolling, that Cross, Am. J. Phys. 70 (2002) 1093, sets "
    "out; he measured that real balls grip and come off with somewhat more spin"};

const ArcLaw *arc_bounce_law(void)
{
    return &law;
}

ArcStatus arc_bounce_add(ArcFlight *flight, ArcError *err)
{
    const ArcFlightSettings *settings = &flight->settings;
    const ArcBounce *bounce = &settings->bounce;
    if (!bounce->is_on)
        return ARC_OK;
    if (bounce->plane.axis < 0 || bounce->plane.axis >= settings->dimensions)
        return arc_error_set(
            err, ARC_INPUT, "the bounce's plane stands across axis %d, but there are %d dimensions",
            bounce->plane.axis, settings->dimensions);
    if (flight->has_rotation && !settings->has_ball)
        return arc_error_set(err, ARC_INPUT,
                             "a bounce with a spin needs the ball's radius; give a preset or mass "
                             "and diameter");
    const double values[] = {bounce->restitution, bounce->friction, bounce->spin_coupling};
    flight->bounce_index = flight->n_parameters;
    for (int i = 0; i < 3; i++) {
        ArcParameterInfo *row = &flight->parameters[flight->n_parameters++];
        *row = coefficients[i];
        row->value = values[i];
        if (!(row->value >= row->low && row->value <= row->high))
            return arc_error_set(err, ARC_INPUT, "the bounce's %s, %g, is not in %g to %g",
                                 row->name, row->value, row->low, row->high);
    }
    return ARC_OK;
}

/* The share a of the slip that is taken away, by |u|^2, c = (1 + kappa) mu (1 + e) |v_n|, and the
 * grip 1 / (1 + kappa). */
typedef struct Share {
    double a, per_slip2, per_c, per_grip;
} Share;

static Share share_of(double slip2, double c, double grip)
{
    if (slip2 <= c * c) {
        double y = slip2 > 0 ? slip2 / (c * c) : 0;
        double y7 = y * y * y * y * y * y * y, under = 1 + y7 * y;
        if (under == 1) /* a full grip: whatever presses it, nothing changes */
            return (Share){grip, 0, 0, 1};
        double m = pow(under, -1.0 / 16), per_y = -grip * y7 / 2 * m / under;
        return (Share){grip * m, per_y / (c * c), -2 * y / c * per_y, m};
    }
    double slip = sqrt(slip2), t = c / slip, under = 1 + pow(t, 16);
    double m = pow(under, -1.0 / 16), per_t = grip * m / under;
    return (Share){grip * t * m, -t / (2 * slip2) * per_t, per_t / slip, t * m};
}

void arc_bounce(const ArcContact *contact, const double v[3], const double w[3], double v_after[3],
                double w_after[3], double *partials)
{
    int k = contact->axis, i = (k + 1) % 3, j = (k + 2) % 3;
    double e = contact->restitution, mu = contact->friction, kappa = contact->spin_coupling;
    double side = v[k] > 0 ? -1 : 1, speed = fabs(v[k]);
    double lever = side * contact->radius_m, turn = 0, turn_kappa = 0;
    if (contact->radius_m > 0) {
        turn_kappa = side / contact->radius_m;
        turn = kappa * turn_kappa;
    }
    double u_i = v[i] - lever * w[j], u_j = v[j] + lever * w[i];
    double pressed = (1 + e) * speed, c = (1 + kappa) * mu * pressed, grip = 1 / (1 + kappa);
    Share share = share_of(u_i * u_i + u_j * u_j, c, grip);
    double J_i = -share.a * u_i, J_j = -share.a * u_j;
    memcpy(v_after, v, 3 * sizeof(double));
    memcpy(w_after, w, 3 * sizeof(double));
    v_after[k] = -e * v[k];
    v_after[i] += J_i;
    v_after[j] += J_j;
    w_after[i] += turn * J_j;
    w_after[j] -= turn * J_i;
    if (partials == NULL)
        return;
    memset(partials, 0, sizeof(double) * ARC_BOUNCE_ROWS * ARC_BOUNCE_COLUMNS);
    for (int q = 0; q < ARC_BOUNCE_COLUMNS; q++) {
        double *column = partials + q;
        double di = (q == ARC_BOUNCE_V + i) - lever * (q == ARC_BOUNCE_W + j);
        double dj = (q == ARC_BOUNCE_V + j) + lever * (q == ARC_BOUNCE_W + i);
        double dc = q == ARC_BOUNCE_V + k         ? -side * (1 + kappa) * mu * (1 + e)
                    : q == ARC_BOUNCE_RESTITUTION ? (1 + kappa) * mu * speed
                    : q == ARC_BOUNCE_FRICTION    ? (1 + kappa) * pressed
                    : q == ARC_BOUNCE_COUPLING    ? mu * pressed
                                                  : 0;
        double dgrip = q == ARC_BOUNCE_COUPLING ? -grip * grip : 0;
        double da =
            share.per_slip2 * 2 * (u_i * di + u_j * dj) + share.per_c * dc + share.per_grip * dgrip;
        double dJ_i = -share.a * di - u_i * da, dJ_j = -share.a * dj - u_j * da;
        double dturn = q == ARC_BOUNCE_COUPLING ? turn_kappa : 0;
        for (int row = 0; row < ARC_BOUNCE_ROWS; row++)
            column[row * ARC_BOUNCE_COLUMNS] = row == q;
        column[k * ARC_BOUNCE_COLUMNS] = q == ARC_BOUNCE_V + k         ? -e
                                         : q == ARC_BOUNCE_RESTITUTION ? -v[k]
                                                                       : 0;
        column[i * ARC_BOUNCE_COLUMNS] += dJ_i;
        column[j * ARC_BOUNCE_COLUMNS] += dJ_j;
        column[(3 + i) * ARC_BOUNCE_COLUMNS] += turn * dJ_j + dturn * J_j;
        column[(3 + j) * ARC_BOUNCE_COLUMNS] -= turn * dJ_i + dturn * J_i;
    }
}
