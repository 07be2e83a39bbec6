/* Tracks as JSON lines: what `arcfit track` writes. */
#include "arcfit/track.h"

#include "io/json.h"

#include <math.h>

static void put_place(ArcJson *json, json_t *object, ArcTrackPlace place)
{
    arc_json_put_integer(json, object, "frame", place.frame);
    arc_json_put_integer(json, object, "line", place.line);
    if (place.is_last)
        arc_json_put_bool(json, object, "final", true);
}

static json_t *json_numbers(ArcJson *json, const ArcTrack *track)
{
    json_t *all = arc_json_object(json);
    for (int i = 0; i < track->n_numbers; i++) {
        const ArcTrackNumber *number = &track->numbers[i];
        json_t *object = arc_json_object(json);
        arc_json_put_number(json, object, "value", number->value);
        arc_json_put_number(json, object, "sd", number->sd);
        arc_json_put_string(json, object, "unit", number->unit);
        arc_json_put_string(json, object, "status", arc_parameter_status_text(number->status));
        arc_json_put(json, all, number->name, object);
    }
    return all;
}

static json_t *json_landing(ArcJson *json, const ArcTrack *track)
{
    int d = track->dimensions;
    double sd_m[3];
    json_t *object = arc_json_object(json);
    for (int c = 0; c < d; c++)
        sd_m[c] = sqrt(fmax(track->landing_covariance_m2[c * (d + 1)], 0.0));
    arc_json_put(json, object, "position_m", arc_json_vector(json, d, track->landing_m));
    arc_json_put(json, object, "sd_m", arc_json_vector(json, d, sd_m));
    arc_json_put(json, object, "covariance_m2",
                 arc_json_matrix(json, d, d, track->landing_covariance_m2));
    arc_json_put(json, object, "velocity_m_s",
                 arc_json_vector(json, d, track->landing_velocity_m_s));
    arc_json_put_number(json, object, "time_s", track->landing_time_s);
    arc_json_put_number(json, object, "time_sd_s", track->landing_time_sd_s);
    return object;
}

ArcStatus arc_track_json(const ArcTrack *track, ArcTrackPlace place, char **text, ArcError *err)
{
    ArcJson json = {0};
    json_t *root = arc_json_object(&json);
    put_place(&json, root, place);
    arc_json_put_number(&json, root, "time_s", track->time_s);
    arc_json_put_string(&json, root, "state", arc_track_state_text(track->state));
    arc_json_put_integer(&json, root, "points", track->points);
    arc_json_put_number(&json, root, "t0_s", track->t0_s);
    arc_json_put(&json, root, "parameters", json_numbers(&json, track));
    arc_json_put(&json, root, "landing",
                 track->has_landing ? json_landing(&json, track) : json_null());
    arc_json_put_number(&json, root, "hit_probability", track->hit_probability);
    arc_json_put_number(&json, root, "chi2", track->chi2);
    arc_json_put_integer(&json, root, "dof", track->dof);
    return arc_json_line(&json, root, text, err);
}

ArcStatus arc_track_skip_json(ArcTrackPlace place, double time_s, const char *why, char **text,
                              ArcError *err)
{
    ArcJson json = {0};
    json_t *root = arc_json_object(&json);
    put_place(&json, root, place);
    arc_json_put_number(&json, root, "time_s", time_s);
    arc_json_put_string(&json, root, "skipped", why);
    return arc_json_line(&json, root, text, err);
}
