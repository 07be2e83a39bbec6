/* The list of segments: how many, where each ends, how the next begins. */
#include "fit/segments.h"

#include "fit/flyer.h"

#include <math.h>
#include <string.h>

enum { NEWTON_STEPS = 30, SCAN_POINTS = 48, MAX_BOUNCES = ARC_MAX_SEGMENTS - 1 };
static const double short_step = 1e-5; /* of the span */

/* Height over the plane on the ball's side, and its rate. */
static double height_of(const ArcPinn *pinn, const double *x)
{
    const ArcFlightSettings *settings = &pinn->problem->flight.settings;
    return pinn->side * (x[settings->bounce.plane.axis] - settings->bounce.plane.level_m);
}

/* Newton's method from s; NaN where it does not settle inside the net's reach. A basis (basis.h) is
 * rough in its last digits, so that steps may stop getting shorter a little above rounding. */
static double newton(const ArcPinn *pinn, const ArcSegmentState *state, double s)
{
    int axis = pinn->problem->flight.settings.bounce.plane.axis;
    double x[4], v[4], a[4], before = INFINITY;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        state->at(state->context, s, x, v, a);
        double speed = pinn->side * v[axis], step = -height_of(pinn, x) / speed;
        bool is_short = fabs(step) <= short_step * pinn->span_s;
        if (is_short && fabs(step) >= before)
            return speed < 0.0 ? s : NAN;
        s += step;
        if (!(s > 0.0 && s < 1.5 * pinn->span_s))
            return NAN;
        before = is_short ? 0.5 * fabs(step) : INFINITY;
    }
    return NAN;
}

/* Where the height first falls through zero, on a grid over the span; NaN: nowhere. */
static double scan(const ArcPinn *pinn, const ArcSegmentState *state)
{
    double x[4], v[4], a[4], before = 0.0, s_before = 0.0;
    for (int i = 1; i <= SCAN_POINTS; i++) {
        double s = pinn->span_s * i / SCAN_POINTS;
        state->at(state->context, s, x, v, a);
        double height = height_of(pinn, x);
        if (before > 0.0 && height <= 0.0)
            return s_before + (s - s_before) * before / (before - height);
        before = height;
        s_before = s;
    }
    return NAN;
}

bool arc_segments_find_end(ArcPinn *pinn, const ArcSegmentState *state)
{
    /* From a place that knows nothing of earlier searches, so that equal states have equal ends. */
    double end = newton(pinn, state, pinn->span_s / (1.0 + ARC_PINN_SPAN_MARGIN));
    if (isnan(end)) {
        double near = scan(pinn, state);
        end = isnan(near) ? NAN : newton(pinn, state, near);
    }
    if (isnan(end))
        return false;
    pinn->end_s = end;
    return true;
}

void arc_segments_begin(ArcPinn *pinn, const ArcSegment *after)
{
    const ArcProblem *problem = pinn->problem;
    ArcPinn *next = pinn->next;
    int t0 = problem->t0_index, d = problem->d;
    size_t position = sizeof(double) * (size_t)d;
    memcpy(next->values, after->p, sizeof(double) * (size_t)problem->P);
    memcpy(next->values + t0 + 1, after->x, position);
    memcpy(next->values + t0 + 1 + d, after->v, position);
    next->values[t0] = pinn->values[t0] + pinn->end_s;
    int measured = arc_problem_first_measure(problem);
    memcpy(next->values + measured, pinn->values + measured,
           sizeof(double) * (size_t)(problem->n_parameters - measured));
    next->clock_s = pinn->clock_s + pinn->end_s;
    next->path_m = problem->D > d ? after->v[d] : 0.0;
    arc_pinn_place_times(next);
}

static void state_by_weights(void *context, double s, double *x, double *v, double *a)
{
    ArcPinn *pinn = context;
    size_t bytes = sizeof(double) * (size_t)pinn->problem->D;
    double tau = 2.0 * s / pinn->span_s - 1.0;
    arc_net_forward(pinn->net, pinn->work, pinn->weights, 1, &tau, pinn->jets);
    arc_pinn_states(pinn, 1, &s);
    memcpy(x, pinn->x, bytes);
    memcpy(v, pinn->v, bytes);
    memcpy(a, pinn->a, bytes);
}

bool arc_segments_walk(ArcPinn *first)
{
    double x[4], v[4], a[4];
    bool met = true;
    for (ArcPinn *pinn = first; pinn->next != NULL; pinn = pinn->next) {
        const ArcProblem *problem = pinn->problem;
        ArcSegmentState state = {pinn, state_by_weights};
        met = arc_segments_find_end(pinn, &state) && met;
        state_by_weights(pinn, pinn->end_s, x, v, a);
        ArcSegment segment = {0};
        memcpy(segment.p, pinn->values, sizeof(double) * (size_t)problem->P);
        const ArcSimMeeting meeting = {.t = pinn->clock_s + pinn->end_s, .x = x, .v = v, .a = a};
        if (arc_segment_bounce(&problem->flight, 0.0, &meeting, &segment, NULL))
            arc_segments_begin(pinn, &segment);
    }
    return met;
}

bool arc_segments_are_all(ArcPinn *first)
{
    ArcPinn *last = first;
    while (last->next != NULL)
        last = last->next;
    ArcSegmentState state = {last, state_by_weights};
    double last_s = arc_pinn_last_s(last), end = scan(last, &state);
    return last_s >= last->begin_s && !(end < last_s);
}

ArcPinn *arc_segments_at(ArcPinn *first, double t_s)
{
    ArcPinn *pinn = first;
    while (pinn->next != NULL && t_s - pinn->values[pinn->problem->t0_index] >= pinn->end_s)
        pinn = pinn->next;
    return pinn;
}

/* Times of the bounces of the flight from the problem's starts, up to the last fitted one, into
 * bounce_s; how many, -1 where it cannot be flown. */
static int bounces_of(const ArcProblem *problem, double *bounce_s, ArcArena *arena)
{
    ArcFlyer *flyer = NULL;
    ArcThrow thrown = {&problem->flight, problem->release, problem->start};
    if (arc_flyer_create(&problem->flight, problem->direct_tolerance, arena, &flyer, NULL) !=
        ARC_OK)
        return -1;
    double until = arc_problem_last_time(problem, problem->start);
    return arc_flyer_bounces(flyer, &thrown, until, MAX_BOUNCES, bounce_s);
}

bool arc_segments_has(const ArcProblem *problem)
{
    return problem->flight.settings.bounce.is_on;
}

/* A copy of the problem for a later segment: its release is Cartesian. */
static ArcStatus copy_problem(const ArcProblem *problem, ArcArena *arena, ArcProblem **result,
                              ArcError *err)
{
    ArcProblem *copy = ARC_ALLOC(arena, 1, ArcProblem);
    if (copy == NULL)
        return arc_error_no_memory(err);
    *copy = *problem;
    copy->release = ARC_RELEASE_CARTESIAN;
    *result = copy;
    return ARC_OK;
}

ArcStatus arc_segments_create(const ArcProblem *problem, const ArcNetSettings *settings,
                              int collocation, ArcArena *arena, ArcPinn **first, ArcError *err)
{
    double begin_s = problem->start[problem->t0_index];
    double last_s = arc_problem_last_time(problem, problem->start), bounce_s[MAX_BOUNCES + 1];
    int n = bounces_of(problem, bounce_s, arena);
    n = n < 0 ? 0 : n;
    bounce_s[n] = last_s;
    int axis = problem->flight.settings.bounce.plane.axis;
    double height = problem->start[problem->t0_index + 1 + axis] -
                    problem->flight.settings.bounce.plane.level_m;
    ArcPinn *before = NULL;
    for (int k = 0; k <= n; k++) {
        double flight_s = last_s - problem->start[problem->t0_index];
        double span_s = fmax((1.0 + ARC_PINN_SPAN_MARGIN) * (bounce_s[k] - begin_s),
                             arc_pinn_shortest_span(flight_s));
        ArcSegmentSpan span = {span_s, flight_s, collocation, k<n, k> 0};
        const ArcProblem *own = problem;
        ArcProblem *copy = NULL;
        ArcStatus status = k > 0 ? copy_problem(problem, arena, &copy, err) : ARC_OK;
        ArcPinn *pinn = NULL;
        own = copy != NULL ? copy : problem;
        if (status == ARC_OK)
            status = arc_pinn_create_segment(own, settings, span, arena, &pinn, err);
        if (status != ARC_OK)
            return status;
        pinn->side = height < 0.0 ? -1.0 : 1.0;
        pinn->begin_s = k > 0 ? 0.0 : -INFINITY;
        pinn->end_s = k < n ? bounce_s[k] - begin_s : INFINITY;
        begin_s = bounce_s[k];
        *(before != NULL ? &before->next : first) = pinn;
        before = pinn;
    }
    return ARC_OK;
}
