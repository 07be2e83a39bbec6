/* Adapts ArcFlight to the simulator's ArcMotion, and flies over bounces. */
#include "fit/flyer.h"

#include "fit/closed.h"
#include "fit/release.h"
#include "fit/segment.h"

#include <math.h>
#include <string.h>

/* An event so near before or after the bounce (s) is at the bounce: on the same plane rounding
 * alone decides which comes first. */
static const double same_time_s = 1e-7;

enum { MOST_COORDINATES = 4 }; /* of a flight */

typedef enum FlyerEnd {
    FLYER_DONE,
    FLYER_NOTHING,
    FLYER_NON_FINITE,
    FLYER_STEPS,
    FLYER_BOUNCES
} FlyerEnd;

struct ArcFlyer {
    ArcFlight flight;
    const ArcClosure *closure; /* NULL: none */
    int K;                     /* weights among the columns */
    const double *weights;     /* of the present run */
    ArcSimulator *simulator;
    int Q;
    FlyerEnd end; /* of the last run or search */
    double x[ARC_SIM_MAX_DIMENSIONS], v[ARC_SIM_MAX_DIMENSIONS], a[ARC_SIM_MAX_DIMENSIONS];
    double *t_q, *x_q, *v_q; /* where it meets the plane: (Q), (D,Q) */
    double *chain, *scratch; /* (Q,Q); NULL for a flight without bounce */
};

static void flyer_acceleration(void *context, double t, const double *x, const double *v,
                               const double *p, double *a, double *a_x, double *a_v, double *a_p)
{
    const ArcFlyer *flyer = context;
    const ArcFlight *flight = &flyer->flight;
    double unasked[MOST_COORDINATES * ARC_FLIGHT_MAX_PARAMETERS];
    arc_flight_acceleration(flight, 1, &t, x, v, p, a, a_x, a_v,
                            a_p == NULL && a_v != NULL ? unasked : a_p);
    if (flyer->closure == NULL)
        return;
    const ArcClosed closed = {.flight = flight,
                              .closure = flyer->closure,
                              .D = flight->n_coordinates,
                              .P = flight->n_parameters,
                              .K = flyer->K};
    const ArcPhaseStates states = {1, &t, x, v, a, a_x, a_v, a_p};
    arc_closed_add(&closed, p, flyer->weights, true, &states);
}

static ArcStatus flyer_create(const ArcFlight *flight, const ArcClosure *closure, int K,
                              double tolerance, ArcArena *arena, ArcFlyer **result, ArcError *err)
{
    ArcFlyer *flyer = ARC_ALLOC(arena, 1, ArcFlyer);
    if (flyer == NULL)
        return arc_error_no_memory(err);
    flyer->flight = *flight;
    flyer->closure = closure;
    flyer->K = K;
    size_t D = (size_t)flight->n_coordinates, Q = (size_t)(flight->n_parameters + K) + 2 * D;
    flyer->Q = (int)Q;
    if (flight->settings.bounce.is_on) {
        flyer->t_q = ARC_ALLOC(arena, Q * (1 + 2 * D + 2 * Q), double);
        if (flyer->t_q == NULL)
            return arc_error_no_memory(err);
        flyer->x_q = flyer->t_q + Q;
        flyer->v_q = flyer->x_q + D * Q;
        flyer->chain = flyer->v_q + D * Q;
        flyer->scratch = flyer->chain + Q * Q;
    }
    ArcMotion motion = {.dimensions = flight->n_coordinates,
                        .n_parameters = flight->n_parameters + K,
                        .position_free = arc_flight_is_position_free(flight) &&
                                         (closure == NULL ||
                                          arc_closure_is_position_free(&closure->settings, flight)),
                        .context = flyer,
                        .acceleration = flyer_acceleration,
                        .spares_a_p = true};
    if (flight->settings.gust.is_on) {
        motion.pulse_s = flight->settings.gust.time_s;
        motion.pulse_width_s = flight->settings.gust.width_s;
    }
    ArcSimSettings settings = arc_sim_settings_default();
    settings.tolerance = tolerance;
    *result = flyer;
    return arc_sim_create(&motion, &settings, arena, &flyer->simulator, err);
}

ArcStatus arc_flyer_create(const ArcFlight *flight, double tolerance, ArcArena *arena,
                           ArcFlyer **flyer, ArcError *err)
{
    return flyer_create(flight, NULL, 0, tolerance, arena, flyer, err);
}

ArcStatus arc_flyer_create_closed(const ArcProblem *problem, bool is_frozen, double tolerance,
                                  ArcArena *arena, ArcFlyer **flyer, ArcError *err)
{
    return flyer_create(&problem->flight, problem->closure, is_frozen ? 0 : problem->K, tolerance,
                        arena, flyer, err);
}

/* Weights stand behind the release: with a closure there is nothing else. */
static void take_weights(ArcFlyer *flyer, const ArcThrow *thrown)
{
    int release = 1 + 2 * flyer->flight.settings.dimensions;
    flyer->weights = thrown->values + flyer->flight.n_parameters + release;
}

void arc_flyer_release(const ArcThrow *thrown, double *t0_s, double *x0, double *v0)
{
    const ArcFlight *flight = thrown->flight;
    const double *values = thrown->values;
    int d = flight->settings.dimensions, t0 = flight->n_parameters;
    *t0_s = values[t0];
    for (int c = d; c < flight->n_coordinates; c++)
        x0[c] = v0[c] = 0.0;
    memcpy(x0, values + t0 + 1, sizeof(double) * (size_t)d);
    arc_release_velocity(thrown->release, d, flight->settings.up, values + t0 + 1 + d, v0, NULL);
}

static FlyerEnd flyer_end(ArcSimEnd end)
{
    static const FlyerEnd ends[] = {[ARC_SIM_DONE] = FLYER_DONE,
                                    [ARC_SIM_NON_FINITE] = FLYER_NON_FINITE,
                                    [ARC_SIM_TOO_MANY_STEPS] = FLYER_STEPS,
                                    [ARC_SIM_NO_EVENT] = FLYER_NOTHING};
    return ends[end];
}

const char *arc_flyer_why(const ArcFlyer *flyer)
{
    static const char *const texts[] = {
        [FLYER_NON_FINITE] = "its speed or a force grows beyond all numbers",
        [FLYER_STEPS] = "it changes too fast: more than 10000 steps",
        [FLYER_BOUNCES] = "it comes to rest on the plane that it bounces on"};
    return flyer->end == FLYER_DONE || flyer->end == FLYER_NOTHING ? NULL : texts[flyer->end];
}

/* The height over the plane of the bounce. */
static double plane_value(const void *context, double t, const double *x, const double *v,
                          double *g_t, double *g_x, double *g_v)
{
    (void)t, (void)v;
    const ArcFlight *flight = context;
    const ArcPlane *plane = &flight->settings.bounce.plane;
    *g_t = 0.0;
    for (int c = 0; c < flight->n_coordinates; c++) {
        g_x[c] = c == plane->axis;
        g_v[c] = 0.0;
    }
    return x[plane->axis] - plane->level_m;
}

/* The segment that the release begins; t0_s is the flight's clock. */
static ArcSegment segment_first(ArcFlyer *flyer, const ArcThrow *thrown)
{
    ArcSegment segment = {.is_first = true, .n = flyer->Q, .chain = flyer->chain};
    arc_flyer_release(thrown, &segment.t_s, segment.x, segment.v);
    memcpy(segment.p, thrown->values, sizeof(double) * (size_t)flyer->flight.n_parameters);
    for (int i = 0; flyer->chain != NULL && i < flyer->Q * flyer->Q; i++)
        flyer->chain[i] = i % (flyer->Q + 1) == 0;
    return segment;
}

static ArcSimStart segment_start(const ArcSegment *segment, double t0_s)
{
    return (ArcSimStart){
        .t0 = segment->t_s, .origin = t0_s, .x0 = segment->x, .v0 = segment->v, .p = segment->p};
}

/* The partials of a meeting in a segment become the flight's. */
static void meeting_chain(ArcFlyer *flyer, const ArcSegment *segment, ArcSimMeeting *meeting)
{
    int D = flyer->flight.n_coordinates;
    if (meeting->t_q == NULL)
        return;
    arc_segment_chain(segment, flyer->Q, 1, meeting->t_q, flyer->scratch);
    arc_segment_chain(segment, flyer->Q, D, meeting->x_q, flyer->scratch);
    arc_segment_chain(segment, flyer->Q, D, meeting->v_q, flyer->scratch);
}

/* Where the segment meets the plane of the bounce, until then. */
static ArcSimEnd meet_plane(ArcFlyer *flyer, const ArcSegment *segment, double t0_s, double until,
                            bool with_q, ArcSimMeeting *meeting)
{
    const ArcSimEvent event = {&flyer->flight, plane_value, ARC_SIM_EITHER};
    const ArcSimStart start = segment_start(segment, t0_s);
    *meeting = (ArcSimMeeting){.x = flyer->x,
                               .v = flyer->v,
                               .a = flyer->a,
                               .t_q = with_q ? flyer->t_q : NULL,
                               .x_q = with_q ? flyer->x_q : NULL,
                               .v_q = with_q ? flyer->v_q : NULL};
    ArcSimEnd end = arc_sim_find(flyer->simulator, &start, &event, until, meeting);
    if (end == ARC_SIM_DONE)
        meeting_chain(flyer, segment, meeting);
    return end;
}

/* The output's part from the i-th time on. */
static ArcSimOutput output_from(const ArcSimOutput *output, int i, int D, int Q)
{
    ArcSimOutput part = *output;
    double **const states[] = {&part.x, &part.v, &part.a}, **const rows[] = {&part.x_q, &part.v_q};
    for (int k = 0; k < 3; k++)
        *states[k] = *states[k] != NULL ? *states[k] + i * D : NULL;
    for (int k = 0; k < 2; k++)
        *rows[k] = *rows[k] != NULL ? *rows[k] + i * D * Q : NULL;
    return part;
}

/* The segment's states at n times. */
static ArcSimEnd segment_run(ArcFlyer *flyer, const ArcSegment *segment, double t0_s, int n,
                             const double *t_s, const ArcSimOutput *output)
{
    int D = flyer->flight.n_coordinates;
    const ArcSimStart start = segment_start(segment, t0_s);
    ArcSimEnd end = arc_sim_run(flyer->simulator, &start, n, t_s, output, NULL);
    if (end == ARC_SIM_DONE && output->x_q != NULL)
        arc_segment_chain(segment, flyer->Q, n * D, output->x_q, flyer->scratch);
    if (end == ARC_SIM_DONE && output->v_q != NULL)
        arc_segment_chain(segment, flyer->Q, n * D, output->v_q, flyer->scratch);
    return end;
}

static FlyerEnd fly_over_bounces(ArcFlyer *flyer, const ArcThrow *thrown, int n, const double *t_s,
                                 const ArcSimOutput *output)
{
    ArcSegment segment = segment_first(flyer, thrown);
    double t0_s = segment.t_s;
    bool with_q = output->x_q != NULL || output->v_q != NULL;
    int done = 0;
    for (int bounces = 0; done < n; bounces++) {
        ArcSimMeeting meeting;
        ArcSimEnd end = meet_plane(flyer, &segment, t0_s, t_s[n - 1], with_q, &meeting);
        if (end != ARC_SIM_DONE && end != ARC_SIM_NO_EVENT)
            return flyer_end(end);
        int next = done;
        while (next < n && (end == ARC_SIM_NO_EVENT || t_s[next] <= meeting.t))
            next++;
        ArcSimOutput part = output_from(output, done, flyer->flight.n_coordinates, flyer->Q);
        ArcSimEnd run = next == done
                            ? ARC_SIM_DONE
                            : segment_run(flyer, &segment, t0_s, next - done, t_s + done, &part);
        if (run != ARC_SIM_DONE)
            return flyer_end(run);
        done = next;
        if (done < n &&
            (bounces == ARC_FLYER_BOUNCES ||
             !arc_segment_bounce(&flyer->flight, t0_s, &meeting, &segment, flyer->scratch)))
            return FLYER_BOUNCES;
    }
    return FLYER_DONE;
}

bool arc_flyer_run(ArcFlyer *flyer, const ArcThrow *thrown, int n, const double *t_s,
                   const ArcSimOutput *output)
{
    if (flyer->flight.settings.bounce.is_on) {
        flyer->end = fly_over_bounces(flyer, thrown, n, t_s, output);
        return flyer->end == FLYER_DONE;
    }
    double x0[ARC_SIM_MAX_DIMENSIONS], v0[ARC_SIM_MAX_DIMENSIONS];
    take_weights(flyer, thrown);
    ArcSimStart start = {.x0 = x0, .v0 = v0, .p = thrown->values};
    arc_flyer_release(thrown, &start.t0, x0, v0);
    start.origin = start.t0;
    flyer->end = flyer_end(arc_sim_run(flyer->simulator, &start, n, t_s, output, NULL));
    return flyer->end == FLYER_DONE;
}

int arc_flyer_bounces(ArcFlyer *flyer, const ArcThrow *thrown, double until_s, int most,
                      double *bounce_s)
{
    ArcSegment segment = segment_first(flyer, thrown);
    double t0_s = segment.t_s;
    int n = 0;
    for (ArcSimMeeting meeting; n < most; n++) {
        if (meet_plane(flyer, &segment, t0_s, until_s, false, &meeting) != ARC_SIM_DONE)
            break;
        bounce_s[n] = meeting.t;
        if (!arc_segment_bounce(&flyer->flight, t0_s, &meeting, &segment, flyer->scratch))
            return n + 1;
    }
    return n;
}

/* g of the event at a state, and its rate there. */
static double event_value(const ArcFlyer *flyer, const ArcSimEvent *event, double time_s,
                          const double *x, const double *v, const double *a, double *rate)
{
    double g_x[ARC_SIM_MAX_DIMENSIONS], g_v[ARC_SIM_MAX_DIMENSIONS];
    double g = event->value(event->context, time_s, x, v, rate, g_x, g_v);
    for (int c = 0; c < flyer->flight.n_coordinates; c++)
        *rate += g_x[c] * v[c] + g_v[c] * a[c];
    return g;
}

static bool is_wanted(const ArcSimEvent *event, double before, double after)
{
    return before * after < 0.0 && (event->direction == ARC_SIM_EITHER ||
                                    (event->direction == ARC_SIM_RISING) == (after > 0.0));
}

/* Copies the meeting with the plane, rate of the event's g in place of the plane's. */
static void meeting_copy(const ArcFlyer *flyer, const ArcSimMeeting *from, double rate,
                         ArcSimMeeting *to)
{
    size_t bytes = sizeof(double) * (size_t)flyer->flight.n_coordinates, Q = (size_t)flyer->Q;
    to->t = from->t;
    to->slope = rate;
    memcpy(to->x, from->x, bytes);
    memcpy(to->v, from->v, bytes);
    memcpy(to->a, from->a, bytes);
    if (to->t_q == NULL)
        return;
    memcpy(to->t_q, from->t_q, sizeof(double) * Q);
    memcpy(to->x_q, from->x_q, bytes * Q);
    memcpy(to->v_q, from->v_q, bytes * Q);
}

static FlyerEnd find_over_bounces(ArcFlyer *flyer, const ArcThrow *thrown, const ArcSimEvent *event,
                                  double limit_s, ArcSimMeeting *meeting)
{
    ArcSegment segment = segment_first(flyer, thrown);
    double t0_s = segment.t_s, until = t0_s + limit_s;
    for (int bounces = 0; bounces <= ARC_FLYER_BOUNCES; bounces++) {
        ArcSimMeeting plane;
        ArcSimEnd end = meet_plane(flyer, &segment, t0_s, until, meeting->t_q != NULL, &plane);
        const ArcSimStart start = segment_start(&segment, t0_s);
        ArcSimEnd found = arc_sim_find(flyer->simulator, &start, event,
                                       end == ARC_SIM_DONE ? plane.t : until, meeting);
        if (found == ARC_SIM_DONE)
            meeting_chain(flyer, &segment, meeting);
        if (found != ARC_SIM_NO_EVENT || end != ARC_SIM_DONE)
            return flyer_end(found != ARC_SIM_NO_EVENT ? found : end);
        double rate, rate_after, time_s = plane.t - t0_s;
        double before = event_value(flyer, event, time_s, plane.x, plane.v, plane.a, &rate);
        if (is_wanted(event, -rate, rate) && fabs(before) <= same_time_s * fabs(rate)) {
            meeting_copy(flyer, &plane, rate, meeting);
            return FLYER_DONE;
        }
        if (!arc_segment_bounce(&flyer->flight, t0_s, &plane, &segment, flyer->scratch))
            return FLYER_BOUNCES;
        double after =
            event_value(flyer, event, time_s, segment.x, segment.v, plane.a, &rate_after);
        if (is_wanted(event, before, after)) {
            meeting_copy(flyer, &plane, rate, meeting);
            return FLYER_DONE;
        }
    }
    return FLYER_BOUNCES;
}

bool arc_flyer_find(ArcFlyer *flyer, const ArcThrow *thrown, const ArcSimEvent *event,
                    double limit_s, ArcSimMeeting *meeting)
{
    if (flyer->flight.settings.bounce.is_on) {
        flyer->end = find_over_bounces(flyer, thrown, event, limit_s, meeting);
        return flyer->end == FLYER_DONE;
    }
    take_weights(flyer, thrown);
    ArcSegment segment = segment_first(flyer, thrown);
    const ArcSimStart start = segment_start(&segment, segment.t_s);
    flyer->end =
        flyer_end(arc_sim_find(flyer->simulator, &start, event, segment.t_s + limit_s, meeting));
    return flyer->end == FLYER_DONE;
}

void arc_flyer_chain(const ArcThrow *thrown, int K, const double *q_row, double rate, double *row)
{
    const ArcFlight *flight = thrown->flight;
    int d = flight->settings.dimensions, D = flight->n_coordinates, P = flight->n_parameters;
    const double *of_release = q_row + P + K;
    double v0[3], v_q[9];
    arc_release_velocity(thrown->release, d, flight->settings.up, thrown->values + P + 1 + d, v0,
                         v_q);
    memcpy(row, q_row, sizeof(double) * (size_t)P);
    row[P] = -rate;
    for (int c = 0; c < d; c++) {
        row[P + 1 + c] = of_release[c];
        row[P + 1 + d + c] = 0.0;
        for (int i = 0; i < d; i++)
            row[P + 1 + d + c] += of_release[D + i] * v_q[i * d + c];
    }
    memcpy(row + P + 1 + 2 * d, q_row + P, sizeof(double) * (size_t)K);
}
