/* A bounce between two segments: state and spin jump, and their partials with them.
 *
 * With t_q, Dx, Dv the total derivatives at the meeting (event.h), w = F s the spin there (s the
 * parameter, F what fading has left of it), v+, w+ = B(v, w, coefficients) and s+ = w+ / F:
 *
 *   Dw = F Ds + s DF     Dv+ = B_v Dv + B_w Dw + B_c Dc     Ds+ = (Dw+ - s+ DF) / F
 *   at the fixed time of the bounce:   X+ = Dx - v+ t_q     V+ = Dv+ - a+ t_q
 */
#include "fit/segment.h"

#include "physics/bounce.h"
#include "physics/fading.h"

#include <math.h>
#include <string.h>

void arc_segment_chain(const ArcSegment *segment, int Q, int n, double *rows, double *scratch)
{
    for (int i = 0; i < n && !segment->is_first; i++) {
        double *row = rows + (size_t)i * (size_t)Q;
        memset(scratch, 0, sizeof(double) * (size_t)Q);
        for (int k = 0; k < Q; k++)
            for (int c = 0; c < Q; c++)
                scratch[c] += row[k] * segment->chain[k * Q + c];
        memcpy(row, scratch, sizeof(double) * (size_t)Q);
    }
}

/* The rotation as bounce.h has it: which parameters it is made of, and their signs. */
typedef struct Rotation {
    int n, first; /* parameters; n 0: the flight knows no spin */
    int axis;     /* of the first one */
    double sign;
} Rotation;

static Rotation rotation_of(const ArcFlight *flight)
{
    int first = flight->n_drag + flight->n_lift;
    if (!flight->has_rotation)
        return (Rotation){0};
    return flight->settings.dimensions == 2 ? (Rotation){1, first, 2, -1.0}
                                            : (Rotation){3, first, 0, 1.0};
}

/* Everything about one bounce. */
typedef struct Bounce {
    const ArcFlight *flight;
    const ArcSimMeeting *meeting;
    Rotation rotation;
    ArcFading fading;
    double v[3], w[3], v_after[3], w_after[3]; /* in space, those of the plane filled up by zero */
    double a_after[ARC_SIM_MAX_DIMENSIONS];
    double partials[ARC_BOUNCE_ROWS * ARC_BOUNCE_COLUMNS];
} Bounce;

/* Derivatives of all that goes into the bounce by unknown c: columns of bounce.h, and DF. */
static double bounce_inputs(const Bounce *bounce, const ArcSegment *segment, int n, int c,
                            double inputs[ARC_BOUNCE_COLUMNS])
{
    const ArcFlight *flight = bounce->flight;
    const ArcSimMeeting *meeting = bounce->meeting;
    const Rotation *rotation = &bounce->rotation;
    const ArcFading *fading = &bounce->fading;
    int d = flight->settings.dimensions;
    const double *column = segment->chain + c;
    memset(inputs, 0, sizeof(double) * ARC_BOUNCE_COLUMNS);
    for (int e = 0; e < d; e++)
        inputs[ARC_BOUNCE_V + e] = meeting->v_q[e * n + c];
    double change = fading->by_time * meeting->t_q[c];
    if (flight->settings.spin_decay != ARC_SPIN_DECAY_NONE)
        change += fading->by_parameter * column[(rotation->first + rotation->n) * n];
    if (flight->n_coordinates > d)
        change += fading->by_path * meeting->v_q[d * n + c];
    change *= fading->share;
    for (int i = 0; i < rotation->n; i++) {
        int at = rotation->first + i;
        inputs[ARC_BOUNCE_W + rotation->axis + i] =
            rotation->sign * (fading->share * column[at * n] + segment->p[at] * change);
    }
    for (int i = 0; i < 3; i++)
        inputs[ARC_BOUNCE_RESTITUTION + i] = column[(flight->bounce_index + i) * n];
    return change;
}

/* The chain of the segment after; p_after is that segment's. */
static void bounce_chain(const Bounce *bounce, const ArcSegment *segment, const double *p_after,
                         double *chain)
{
    const ArcFlight *flight = bounce->flight;
    const ArcSimMeeting *meeting = bounce->meeting;
    const Rotation *rotation = &bounce->rotation;
    int d = flight->settings.dimensions, D = flight->n_coordinates, P = flight->n_parameters;
    int n = segment->n;
    memcpy(chain, segment->chain, sizeof(double) * (size_t)(P * n));
    for (int c = 0; c < n; c++) {
        double inputs[ARC_BOUNCE_COLUMNS], after[ARC_BOUNCE_ROWS] = {0}, t_q = meeting->t_q[c];
        double change = bounce_inputs(bounce, segment, n, c, inputs);
        for (int row = 0; row < ARC_BOUNCE_ROWS; row++)
            for (int k = 0; k < ARC_BOUNCE_COLUMNS; k++)
                after[row] += bounce->partials[row * ARC_BOUNCE_COLUMNS + k] * inputs[k];
        for (int i = 0; i < rotation->n; i++) {
            int at = rotation->first + i;
            double turned = rotation->sign * after[3 + rotation->axis + i];
            chain[at * n + c] = (turned - p_after[at] * change) / bounce->fading.share;
        }
        for (int e = 0; e < D; e++) {
            double v_after = e < d ? bounce->v_after[e] : meeting->v[e];
            double v_total = e < d ? after[e] : meeting->v_q[e * n + c];
            bool is_normal = e == flight->settings.bounce.plane.axis;
            double x_total = is_normal ? 0.0 : meeting->x_q[e * n + c];
            chain[(P + e) * n + c] = x_total - v_after * t_q;
            chain[(P + D + e) * n + c] = v_total - bounce->a_after[e] * t_q;
        }
    }
}

static bool is_all_finite(int n, const double *numbers)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += 0.0 * numbers[i];
    return sum == 0.0;
}

bool arc_segment_bounce(const ArcFlight *flight, double t0_s, const ArcSimMeeting *meeting,
                        ArcSegment *segment, double *scratch)
{
    int d = flight->settings.dimensions, D = flight->n_coordinates, P = flight->n_parameters;
    double time_s = meeting->t - t0_s;
    const ArcPlane *plane = &flight->settings.bounce.plane;
    Bounce bounce = {.flight = flight,
                     .meeting = meeting,
                     .rotation = rotation_of(flight),
                     .fading = arc_fading_at(flight, time_s, meeting->v, segment->p)};
    const Rotation *rotation = &bounce.rotation;
    const double *coefficient = segment->p + flight->bounce_index;
    const ArcContact contact = {plane->axis, rotation->n > 0 ? flight->radius_m : 0.0,
                                coefficient[0], coefficient[1], coefficient[2]};
    memcpy(bounce.v, meeting->v, sizeof(double) * (size_t)d);
    for (int i = 0; i < rotation->n; i++)
        bounce.w[rotation->axis + i] =
            rotation->sign * bounce.fading.share * segment->p[rotation->first + i];
    arc_bounce(&contact, bounce.v, bounce.w, bounce.v_after, bounce.w_after,
               meeting->t_q != NULL ? bounce.partials : NULL);
    ArcSegment after = {.t_s = meeting->t, .n = segment->n, .chain = segment->chain};
    memcpy(after.p, segment->p, sizeof after.p);
    memcpy(after.x, meeting->x, sizeof(double) * (size_t)D);
    memcpy(after.v, meeting->v, sizeof(double) * (size_t)D);
    memcpy(after.v, bounce.v_after, sizeof(double) * (size_t)d);
    after.x[plane->axis] = plane->level_m; /* so that the next search begins on the plane */
    for (int i = 0; i < rotation->n; i++)
        after.p[rotation->first + i] =
            rotation->sign * bounce.w_after[rotation->axis + i] / bounce.fading.share;
    if (!is_all_finite(P, after.p) || !is_all_finite(D, after.v) || after.v[plane->axis] == 0.0)
        return false;
    if (meeting->t_q != NULL) {
        arc_flight_acceleration(flight, 1, &time_s, after.x, after.v, after.p, bounce.a_after, NULL,
                                NULL, NULL);
        bounce_chain(&bounce, segment, after.p, scratch);
        memcpy(segment->chain, scratch, sizeof(double) * (size_t)((P + 2 * D) * segment->n));
    }
    *segment = after;
    return true;
}
