/* A flight with touches, piece by piece.
 *
 * Unknowns are q = (p, x0, v0), Q = P + 2 D. S = d(x, v)/dq at a piece's begin (2 D, Q); with the
 * piece's own partials X by (p, x, v) at its begin, a row of them becomes one of the flight's by
 *   row . (dp/dq; S) = (row_p, 0, 0) + row_(x,v) S.
 */
#include "aim/touch.h"

#include "fit/predict.h"
#include "fit/surface.h"

#include <math.h>
#include <string.h>

/* A piece near rim or board covers at most this share of the ball's radius; a ball slower than this
 * speed is taken to have it. */
static const double piece_share = 0.1, slow_m_s = 0.5;
static const double tolerance = 1e-11;

/* A touch changes the velocity by more than this within a piece. */
static const double touch_m_s = 0.01;

struct ArcTouch {
    ArcShot *shot;
    const ArcExperiment *experiment;
    ArcContactLaw law;
    bool has_board;
    ArcSimulator *simulator;
    ArcSurface level;
    int P, d, D, Q;
    double x[ARC_SIM_MAX_DIMENSIONS], v[ARC_SIM_MAX_DIMENSIONS]; /* where the piece begins */
    double a_free[ARC_SIM_MAX_DIMENSIONS];                       /* there, without a touch */
    double x_end[ARC_SIM_MAX_DIMENSIONS], v_end[ARC_SIM_MAX_DIMENSIONS];
    double a_end[ARC_SIM_MAX_DIMENSIONS];
    double *S, *S_end;                  /* (2 D, Q) */
    double *t_q, *x_q, *v_q, *unwanted; /* (Q), (D,Q), (D,Q), (D,P) */
};

static void touch_acceleration(void *context, double t, const double *x, const double *v,
                               const double *p, double *a, double *a_x, double *a_v, double *a_p)
{
    const ArcTouch *touch = context;
    arc_flight_acceleration(&touch->experiment->flight, 1, &t, x, v, p, a, a_x, a_v,
                            a_p == NULL && a_v != NULL ? touch->unwanted : a_p);
    arc_contact_add(&touch->law, touch->D, x, v, a, a_x, a_v);
}

static ArcStatus check(const ArcExperiment *experiment, ArcError *err)
{
    const ArcGoal *goal = &experiment->aim.goal;
    const ArcFlightSettings *flight = &experiment->flight.settings;
    ArcPlace place = arc_shot_place(experiment);
    if (goal->kind != ARC_GOAL_HOOP)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "there is no rim to touch; give aim.target with a hoop, or leave "
                                "contact out");
    if (!flight->has_ball)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "what touches a rim needs a mass and a radius; give flight.ball, "
                                "or leave contact out");
    if (flight->bounce.is_on)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "a flight that touches rim and board is not followed over a "
                                "bounce; leave flight.bounce or contact out");
    if (!(experiment->flight.radius_m < goal->radius_m))
        return arc_error_set_at(err, ARC_INPUT, place,
                                "the ball, of radius %g m, does not fit through the hoop's %g m; "
                                "give a wider hoop",
                                experiment->flight.radius_m, goal->radius_m);
    return ARC_OK;
}

static ArcContactSettings contact_of(const ArcExperiment *experiment)
{
    const ArcGoal *goal = &experiment->aim.goal;
    const ArcAimContact *contact = &experiment->aim.contact;
    const ArcFlightSettings *flight = &experiment->flight.settings;
    int axis = goal->backboard.axis;
    ArcContactSettings settings = {.dimensions = flight->dimensions,
                                   .up = flight->up,
                                   .mass_kg = flight->ball.mass_kg,
                                   .radius_m = experiment->flight.radius_m,
                                   .has_rim = true,
                                   .circle_m = goal->radius_m + contact->wire_m,
                                   .wire_m = contact->wire_m,
                                   .axis = axis,
                                   .face_m = goal->backboard.level_m,
                                   .stiffness_n_m = contact->stiffness_n_m,
                                   .restitution = contact->restitution,
                                   .width_m = contact->width_m};
    settings.front = goal->point_m[axis] < settings.face_m ? -1.0 : 1.0;
    memcpy(settings.centre_m, goal->point_m, sizeof settings.centre_m);
    return settings;
}

/* All scratch but the simulator's. */
static bool take_memory(ArcTouch *touch, ArcArena *arena)
{
    size_t D = (size_t)touch->D, Q = (size_t)touch->Q, P = (size_t)touch->P;
    touch->S = ARC_ALLOC(arena, Q * (6 * D + 1) + D * P, double);
    if (touch->S == NULL)
        return false;
    touch->S_end = touch->S + 2 * D * Q;
    touch->x_q = touch->S_end + 2 * D * Q;
    touch->v_q = touch->x_q + D * Q;
    touch->t_q = touch->v_q + D * Q;
    touch->unwanted = touch->t_q + Q;
    return true;
}

ArcStatus arc_touch_create(ArcShot *shot, ArcArena *arena, ArcTouch **result, ArcError *err)
{
    const ArcExperiment *experiment = arc_shot_experiment(shot);
    ArcStatus status = check(experiment, err);
    ArcTouch *touch = status == ARC_OK ? ARC_ALLOC(arena, 1, ArcTouch) : NULL;
    if (status != ARC_OK)
        return status;
    if (touch == NULL)
        return arc_error_no_memory(err);
    const ArcFlight *flight = &experiment->flight;
    const ArcGoal *goal = &experiment->aim.goal;
    const ArcContactSettings settings = contact_of(experiment);
    int up = flight->settings.up, D = flight->n_coordinates, P = flight->n_parameters;
    *touch = (ArcTouch){.shot = shot,
                        .experiment = experiment,
                        .law = arc_contact_create(&settings),
                        .has_board = goal->has_backboard,
                        .P = P,
                        .d = flight->settings.dimensions,
                        .D = D,
                        .Q = P + 2 * D};
    touch->level = arc_surface_plane(flight, (ArcPlane){up, goal->point_m[up] - flight->radius_m});
    if (!take_memory(touch, arena))
        return arc_error_no_memory(err);
    const ArcMotion motion = {.dimensions = D,
                              .n_parameters = P,
                              .context = touch,
                              .acceleration = touch_acceleration,
                              .pulse_s = flight->settings.gust.time_s,
                              .pulse_width_s =
                                  flight->settings.gust.is_on ? flight->settings.gust.width_s : 0.0,
                              .spares_a_p = true};
    ArcSimSettings sim = arc_sim_settings_default();
    sim.tolerance = tolerance;
    sim.sensitivities = ARC_SIM_FORWARD;
    status = arc_sim_create(&motion, &sim, arena, &touch->simulator, err);
    if (status == ARC_OK)
        *result = touch;
    return status;
}

const ArcContactLaw *arc_touch_law(const ArcTouch *touch)
{
    return &touch->law;
}

/* A row of a piece's partials as the flight's. */
static void chain(const ArcTouch *touch, const double *row, double *to)
{
    int P = touch->P, Q = touch->Q;
    memset(to, 0, sizeof(double) * (size_t)Q);
    memcpy(to, row, sizeof(double) * (size_t)P);
    for (int k = 0; k < 2 * touch->D; k++)
        for (int c = 0; c < Q; c++)
            to[c] += row[P + k] * touch->S[k * Q + c];
}

/* How long the next piece may be: until the ball may come near to rim or board, and where it is
 * near a share of its radius. */
static double piece_time(ArcTouch *touch, const double *p, double time_s)
{
    double speed = 0.0, pull = touch->experiment->flight.settings.gravity_m_s2;
    arc_flight_acceleration(&touch->experiment->flight, 1, &time_s, touch->x, touch->v, p,
                            touch->a_free, NULL, NULL, NULL);
    for (int c = 0; c < touch->d; c++) {
        speed = hypot(speed, touch->v[c]);
        pull += 2.0 * fabs(touch->a_free[c]);
    }
    double room = arc_contact_gap(&touch->law, touch->x) - touch->law.reach_m;
    double near = piece_share * touch->law.settings.radius_m / fmax(speed, slow_m_s);
    double far = room > 0.0 ? 2.0 * room / (speed + sqrt(speed * speed + 2.0 * pull * room)) : 0.0;
    return fmax(near, far);
}

/* What was touched in the piece of that duration: near to rim and board all else changes slowly. */
static void take_touch(const ArcTouch *touch, double duration_s, ArcTouched *touched)
{
    double pushed = 0.0, rim = arc_contact_gap_rim(&touch->law, touch->x_end);
    double board = arc_contact_gap_board(&touch->law, touch->x_end);
    for (int c = 0; c < touch->d; c++)
        pushed = hypot(pushed, touch->v_end[c] - touch->v[c] - duration_s * touch->a_free[c]);
    double near_m = touch->law.reach_m + piece_share * touch->law.settings.radius_m;
    if (pushed < touch_m_s || fmin(rim, board) > near_m)
        return;
    touched->rim = touched->rim || rim < board;
    touched->board = touched->board || board <= rim;
}

/* Whether the piece may have come down through the level. */
static bool may_fall(const ArcTouch *touch)
{
    int up = touch->level.axis;
    double before = touch->x[up] - touch->level.level_m;
    double after = touch->x_end[up] - touch->level.level_m;
    bool turns = touch->v[up] > 0.0 && touch->v_end[up] < 0.0;
    return after < 0.0 && (before > 0.0 || turns);
}

/* The state at the end of a flight, whose rows of partials are those of its last piece. */
static void take_state(ArcTouch *touch, double time_s, bool is_event, bool partials,
                       ArcTouched *touched)
{
    ArcShotState *state = &touched->state;
    double row[ARC_FLIGHT_MAX_PARAMETERS + 2 * ARC_SIM_MAX_DIMENSIONS];
    memset(state, 0, sizeof *state);
    state->t_s = time_s;
    for (int c = 0; c < touch->d; c++) {
        state->x_m[c] = touch->x_end[c];
        state->v_m_s[c] = touch->v_end[c];
        state->a_m_s2[c] = touch->a_end[c];
        if (!partials)
            continue;
        chain(touch, touch->x_q + c * touch->Q, row);
        arc_shot_chain(touch->shot, row, state->by_x[c]);
        chain(touch, touch->v_q + c * touch->Q, row);
        arc_shot_chain(touch->shot, row, state->by_v[c]);
    }
    if (!partials || !is_event)
        return;
    chain(touch, touch->t_q, row);
    arc_shot_chain(touch->shot, row, state->by_t);
}

static void take_offset(const ArcTouch *touch, bool partials, ArcTouched *touched)
{
    const ArcGoal *goal = &touch->experiment->aim.goal;
    int n = touch->experiment->n_parameters;
    double distance = 0.0;
    for (int c = 0; c < 3; c++) {
        bool is_level = c < touch->d && c != touch->level.axis;
        touched->offset_m[c] = is_level ? touched->state.x_m[c] - goal->point_m[c] : 0.0;
        distance = hypot(distance, touched->offset_m[c]);
        for (int i = 0; partials && i < n; i++)
            touched->by_offset[c][i] = is_level ? touched->state.by_x[c][i] : 0.0;
    }
    touched->margin_m = goal->radius_m - distance;
    for (int i = 0; partials && i < n; i++) {
        touched->by_margin[i] = 0.0;
        for (int c = 0; c < 3 && distance > 0.0; c++)
            touched->by_margin[i] -= touched->offset_m[c] / distance * touched->by_offset[c][i];
    }
}

/* The piece's end becomes the begin of the next. */
static void go_on(ArcTouch *touch, bool partials)
{
    size_t bytes = sizeof(double) * (size_t)touch->D;
    memcpy(touch->x, touch->x_end, bytes);
    memcpy(touch->v, touch->v_end, bytes);
    if (!partials)
        return;
    for (int e = 0; e < touch->D; e++) {
        chain(touch, touch->x_q + e * touch->Q, touch->S_end + e * touch->Q);
        chain(touch, touch->v_q + e * touch->Q, touch->S_end + (touch->D + e) * touch->Q);
    }
    memcpy(touch->S, touch->S_end, sizeof(double) * (size_t)(2 * touch->D * touch->Q));
}

/* Sets the state to the release. */
static void begin(ArcTouch *touch, const ArcThrow *thrown, double *t0_s)
{
    const ArcContactSettings *settings = &touch->law.settings;
    arc_flyer_release(thrown, t0_s, touch->x, touch->v);
    touch->law.settings.has_board =
        touch->has_board && settings->front * (touch->x[settings->axis] - settings->face_m) > 0.0;
    memset(touch->S, 0, sizeof(double) * (size_t)(2 * touch->D * touch->Q));
    for (int k = 0; k < 2 * touch->D; k++)
        touch->S[k * touch->Q + touch->P + k] = 1.0;
}

/* Flies a piece: 1 came down through the level at *end_s, 0 did not, -1 cannot be followed. */
static int fly_piece(ArcTouch *touch, const ArcSimStart *start, bool partials, double *end_s)
{
    double *x_q = partials ? touch->x_q : NULL, *v_q = partials ? touch->v_q : NULL;
    const ArcSimOutput output = {touch->x_end, touch->v_end, touch->a_end, x_q, v_q};
    if (arc_sim_run(touch->simulator, start, 1, end_s, &output, NULL) != ARC_SIM_DONE)
        return -1;
    if (!may_fall(touch))
        return 0;
    const ArcSimEvent event = arc_surface_event(&touch->level, ARC_SIM_FALLING);
    ArcSimMeeting meeting = {.x = touch->x_end,
                             .v = touch->v_end,
                             .a = touch->a_end,
                             .t_q = partials ? touch->t_q : NULL,
                             .x_q = x_q,
                             .v_q = v_q};
    ArcSimEnd end = arc_sim_find(touch->simulator, start, &event, *end_s, &meeting);
    if (end == ARC_SIM_DONE) {
        *end_s = meeting.t;
        return 1;
    }
    if (end != ARC_SIM_NO_EVENT)
        return -1;
    return arc_sim_run(touch->simulator, start, 1, end_s, &output, NULL) == ARC_SIM_DONE ? 0 : -1;
}

bool arc_touch_fly(ArcTouch *touch, const double *values, bool partials, ArcTouched *touched)
{
    double t0_s, t_s, until_s = INFINITY;
    const ArcThrow *thrown = arc_shot_throw(touch->shot, values, partials);
    if (thrown == NULL)
        return false;
    begin(touch, thrown, &t0_s);
    touched->rim = touched->board = false;
    for (t_s = t0_s; t_s < t0_s + ARC_LONGEST_FLIGHT_S;) {
        const ArcSimStart start = {
            .t0 = t_s, .origin = t0_s, .x0 = touch->x, .v0 = touch->v, .p = thrown->values};
        double end_s = fmin(t_s + piece_time(touch, thrown->values, t_s - t0_s), until_s);
        int fallen = fly_piece(touch, &start, partials, &end_s);
        if (fallen < 0)
            return false;
        take_touch(touch, end_s - t_s, touched);
        bool is_over = touch->x_end[touch->level.axis] > touch->level.level_m;
        if (fallen == 0 && end_s >= until_s && !is_over)
            return false;
        if (fallen > 0 || end_s >= until_s) {
            take_state(touch, end_s - t0_s, fallen > 0, partials, touched);
            take_offset(touch, partials, touched);
            touched->end = fallen == 0               ? ARC_TOUCH_LIES
                           : touched->margin_m > 0.0 ? ARC_TOUCH_IN
                                                     : ARC_TOUCH_OUT;
            return true;
        }
        if (until_s == INFINITY && (touched->rim || touched->board))
            until_s = end_s + ARC_TOUCH_LONGEST_S;
        go_on(touch, partials);
        t_s = end_s;
    }
    return false;
}
