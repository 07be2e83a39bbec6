/* Reach as JSON: what `arcfit aim --json` writes. */
#include "aim/describe.h"
#include "aim/reach_parts.h"

#include <math.h>

static const char *const limit_names[ARC_N_REACH_LIMITS] = {"length_m", "low_rad", "high_rad",
                                                            "rate_rad_s"};

static json_t *json_arm(ArcJson *json, const ArcReach *reach, const ArcReachThrow *thrown)
{
    json_t *object = arc_json_object(json);
    int J = reach->n_joints, d = reach->dimensions;
    arc_json_put(json, object, "theta_rad", arc_json_vector(json, J, thrown->theta_rad));
    arc_json_put(json, object, "omega_rad_s", arc_json_vector(json, J, thrown->omega_rad_s));
    arc_json_put(json, object, "position_m", arc_json_vector(json, d, thrown->position_m));
    arc_json_put(json, object, "velocity_m_s", arc_json_vector(json, d, thrown->velocity_m_s));
    arc_json_put_bool(json, object, "within_limits", thrown->is_within);
    arc_json_put(json, object, "angle_over_rad", arc_json_vector(json, J, thrown->angle_over_rad));
    arc_json_put(json, object, "rate_over", arc_json_vector(json, J, thrown->rate_over));
    arc_json_put(json, object, "missing_m_s", arc_json_vector(json, d, thrown->missing_m_s));
    return object;
}

static json_t *json_throw(ArcJson *json, const ArcReach *reach, const ArcReachThrow *thrown)
{
    double above, azimuth, entry, of_entry;
    json_t *object = arc_json_object(json);
    double speed =
        arc_aim_split(reach->dimensions, reach->up, thrown->velocity_m_s, &above, &azimuth);
    double entry_speed =
        arc_aim_split(reach->dimensions, reach->up, thrown->arrival_m_s, &entry, &of_entry);
    arc_json_put_number(json, object, "speed_m_s", speed);
    arc_json_put_number(json, object, "angle_rad", above);
    arc_json_put_number(json, object, "azimuth_rad", azimuth);
    arc_json_put_number(json, object, "spin_rad_s", reach->spin_rad_s);
    arc_json_put_number(json, object, "time_s", thrown->time_s);
    arc_json_put_number(json, object, "miss_m", thrown->miss_m);
    arc_json_put_number(json, object, "miss_m_s", thrown->miss_m_s);
    arc_json_put_number(json, object, "entry_angle_rad", -entry);
    arc_json_put_number(json, object, "entry_speed_m_s", entry_speed);
    arc_json_put_number(json, object, "hit_probability", NAN);
    arc_json_put(json, object, "arm", json_arm(json, reach, thrown));
    return object;
}

void arc_reach_parts_json(ArcJson *json, json_t *object, const ArcReach *reach)
{
    json_t *cures = arc_json_array(json), *by = arc_json_object(json);
    for (int i = 0; i < reach->n_cures; i++) {
        json_t *cure = arc_json_object(json);
        arc_json_put_string(json, cure, "limit", limit_names[reach->cures[i].limit]);
        arc_json_put_integer(json, cure, "joint", reach->cures[i].joint + 1);
        arc_json_put_number(json, cure, "change", reach->cures[i].change);
        arc_json_push(json, cures, cure);
    }
    for (int limit = 0; limit < ARC_N_REACH_LIMITS; limit++)
        arc_json_put(json, by, limit_names[limit],
                     arc_json_vector(json, reach->n_joints, reach->by[limit]));
    arc_json_put(json, object, "changes", cures);
    arc_json_put(json, object, "distance_by", by);
}

static json_t *json_shortfall(ArcJson *json, const ArcReach *reach)
{
    json_t *object = arc_json_object(json);
    const ArcReachThrow *nearest = &reach->nearest;
    arc_json_put_number(json, object, "speed_m_s", reach->is_reachable ? 0.0 : nearest->miss_m_s);
    arc_json_put_number(json, object, "miss_m", reach->is_reachable ? 0.0 : nearest->miss_m);
    arc_json_put_number(json, object, "distance", reach->is_reachable ? 0.0 : nearest->distance);
    arc_reach_parts_json(json, object, reach);
    return object;
}

ArcStatus arc_reach_json(const ArcReach *reach, char **text, ArcError *err)
{
    ArcJson json = {0};
    json_t *object = arc_json_object(&json), *solutions = arc_json_array(&json);
    json_t *poses = arc_json_array(&json);
    for (int i = 0; i < reach->n_solutions; i++)
        arc_json_push(&json, solutions, json_throw(&json, reach, &reach->solutions[i]));
    for (int i = 0; i < reach->n_poses && !reach->is_too_short; i++)
        arc_json_push(&json, poses, json_arm(&json, reach, &reach->poses[i]));
    arc_json_put_bool(&json, object, "reachable", reach->is_reachable);
    arc_json_put(&json, object, "shortfall", json_shortfall(&json, reach));
    arc_json_put(&json, object, "solutions", solutions);
    arc_json_put(&json, object, "poses", poses);
    return arc_json_text(&json, object, text, err);
}
