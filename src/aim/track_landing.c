/* The landing: the surface of a goal, met by the simulator's events.
 *
 * The level of the release height moves with the release: with v the velocity at the landing,
 *   d x/d level = v / v_up,   d t/d level = 1 / v_up
 * come on top of the derivatives at a fixed level.
 */
#include "aim/track_landing.h"

#include "fit/predict.h"

#include <string.h>

/* The goal that a derived target would be. */
static bool goal_of_target(const ArcTarget *target, int up, ArcGoal *goal)
{
    *goal = arc_goal_default();
    switch (target->kind) {
    case ARC_TARGET_PLANE:
        goal->kind = ARC_GOAL_AREA;
        goal->axis = target->plane.axis;
        goal->point_m[goal->axis] = target->plane.level_m;
        return true;
    case ARC_TARGET_HEIGHT:
        goal->kind = ARC_GOAL_HOOP;
        goal->point_m[up] = target->height_m;
        return true;
    case ARC_TARGET_POINT:
        goal->kind = ARC_GOAL_POINT;
        memcpy(goal->point_m, target->point_m, sizeof goal->point_m);
        return true;
    case ARC_TARGET_RIM:
        goal->kind = ARC_GOAL_HOOP;
        goal->radius_m = target->radius_m;
        memcpy(goal->point_m, target->centre_m, sizeof goal->point_m);
        return true;
    }
    return false;
}

static void take_goal(ArcTrackLanding *landing)
{
    const ArcExperiment *experiment = landing->experiment;
    landing->goal = arc_goal_default();
    landing->is_aimed = arc_goal_is_target(&experiment->aim.goal);
    if (landing->is_aimed)
        landing->goal = experiment->aim.goal;
    for (int i = 0; i < experiment->n_targets && !arc_goal_is_target(&landing->goal); i++)
        if (!goal_of_target(&experiment->targets[i], landing->up, &landing->goal))
            landing->goal = arc_goal_default();
}

static void take_surface(ArcTrackLanding *landing)
{
    const ArcFlight *flight = &landing->experiment->flight;
    const ArcGoal *goal = &landing->goal;
    int axis = goal->kind == ARC_GOAL_AREA ? goal->axis : landing->up;
    landing->surface = goal->kind == ARC_GOAL_POINT
                           ? arc_surface_point(flight, goal->point_m)
                           : arc_surface_plane(flight, (ArcPlane){axis, goal->point_m[axis]});
    landing->direction = goal->kind == ARC_GOAL_POINT  ? ARC_SIM_RISING
                         : goal->kind == ARC_GOAL_AREA ? ARC_SIM_EITHER
                                                       : ARC_SIM_FALLING;
}

ArcStatus arc_track_landing_create(const ArcExperiment *experiment, ArcFlyer *flyer,
                                   ArcArena *arena, ArcTrackLanding *landing, ArcError *err)
{
    const ArcFlight *flight = &experiment->flight;
    int d = flight->settings.dimensions, P = flight->n_parameters, D = flight->n_coordinates;
    size_t Q = (size_t)(P + 2 * D), states = (size_t)D;
    *landing = (ArcTrackLanding){.experiment = experiment,
                                 .d = d,
                                 .up = flight->settings.up,
                                 .P = P,
                                 .Q = (int)Q,
                                 .n = P + 1 + 2 * d,
                                 .flyer = flyer};
    landing->x = ARC_ALLOC(arena, 3 * states + Q * (1 + 2 * states), double);
    if (landing->x == NULL)
        return arc_error_no_memory(err);
    landing->v = landing->x + states;
    landing->a = landing->v + states;
    landing->t_q = landing->a + states;
    landing->x_q = landing->t_q + Q;
    landing->v_q = landing->x_q + states * Q;
    take_goal(landing);
    take_surface(landing);
    return ARC_OK;
}

/* What the level's own movement adds. */
static void move_level(const ArcTrackLanding *landing, ArcTrackMeeting *meeting)
{
    int height = landing->P + 1 + landing->up;
    double rate = meeting->v_m_s[landing->up];
    meeting->by_time[height] += 1.0 / rate;
    for (int c = 0; c < landing->d; c++)
        meeting->by_x[c][height] += meeting->v_m_s[c] / rate;
}

bool arc_track_landing_meet(ArcTrackLanding *landing, const double *values,
                            ArcTrackMeeting *meeting)
{
    const ArcExperiment *experiment = landing->experiment;
    const ArcThrow thrown = {&experiment->flight, experiment->release, values};
    bool moves = landing->goal.kind == ARC_GOAL_NONE;
    if (moves)
        landing->surface.level_m = values[landing->P + 1 + landing->up];
    const ArcSimEvent event = arc_surface_event(&landing->surface, landing->direction);
    ArcSimMeeting met = {.x = landing->x,
                         .v = landing->v,
                         .a = landing->a,
                         .t_q = landing->t_q,
                         .x_q = landing->x_q,
                         .v_q = landing->v_q};
    if (!arc_flyer_find(landing->flyer, &thrown, &event, ARC_LONGEST_FLIGHT_S, &met))
        return false;
    meeting->time_s = met.t;
    /* The clock's time moves with t0 as a whole: the place does not move at all. */
    arc_flyer_chain(&thrown, 0, landing->t_q, -1.0, meeting->by_time);
    for (int c = 0; c < landing->d; c++) {
        meeting->x_m[c] = landing->x[c];
        meeting->v_m_s[c] = landing->v[c];
        arc_flyer_chain(&thrown, 0, landing->x_q + c * landing->Q, 0.0, meeting->by_x[c]);
    }
    if (moves)
        move_level(landing, meeting);
    else if (landing->goal.kind != ARC_GOAL_POINT) {
        int axis = landing->surface.axis; /* across it there is no doubt, and no rounding */
        meeting->x_m[axis] = landing->surface.level_m;
        memset(meeting->by_x[axis], 0, sizeof meeting->by_x[axis]);
    }
    return true;
}
