/* The tracker: what becomes of each frame, and what is said of the flight after it. */
#include "arcfit/track.h"

#include "aim/probability.h"
#include "aim/track_fit.h"
#include "aim/track_landing.h"
#include "fit/predict.h"
#include "solve/statistics.h"

#include <math.h>
#include <string.h>

enum {
    SURE_FRAMES = 3, /* so many tell the release's time, or that it was not those before */
    ROUNDS = 2       /* in which a flight gathers the frames that agree with it */
};

/* The chance by which a good frame is taken for an outlier. */
static const double outlier_p = 1e-6;
/* Of the way from the release to the landing: a landing that is less sure than this is not told. */
static const double sure_share = 0.5;

struct ArcTracker {
    ArcArena *arena;
    const ArcExperiment *experiment;
    ArcTrackFit *fit;
    ArcTrackLanding landing;
    ArcTrack track;
    bool t0_is_given;
    bool is_lost;              /* the last solve failed */
    int n_out, ask_at;         /* outliers in a row, and at which number the frames are asked */
    double out_s[SURE_FRAMES]; /* times of the last of them */
    double kept[ARC_MAX_PARAMETERS]; /* values, while another choice is tried */
};

const char *arc_frame_use_text(ArcFrameUse use)
{
    static const char *const texts[] = {[ARC_FRAME_USED] = "used",
                                        [ARC_FRAME_LATE] = "late",
                                        [ARC_FRAME_EMPTY] = "empty",
                                        [ARC_FRAME_REPEATED] = "repeated",
                                        [ARC_FRAME_BEFORE] = "before the release",
                                        [ARC_FRAME_BEHIND] = "long after",
                                        [ARC_FRAME_OUTLIER] = "outlier"};
    return texts[use];
}

const char *arc_track_state_text(ArcTrackState state)
{
    static const char *const texts[] = {[ARC_TRACK_TOO_FEW] = "too few points",
                                        [ARC_TRACK_IN_FLIGHT] = "in flight",
                                        [ARC_TRACK_LANDED] = "landed",
                                        [ARC_TRACK_NO_LANDING] = "no landing",
                                        [ARC_TRACK_LOST] = "lost"};
    return texts[state];
}

/* What of an experiment it does not follow, in words; NULL: nothing. */
static const char *unknown_part(const ArcExperiment *experiment)
{
    const ArcCaptureSettings *capture = &experiment->capture;
    if (experiment->equations != NULL)
        return "own equations are not tracked; describe the ball's flight by `flight`";
    if (experiment->has_arm)
        return "a release by an arm is not tracked; leave `release: arm` out";
    if (experiment->closure.is_on)
        return "what a closure learned is not tracked; leave `closure` out";
    if (experiment->n_captures > 1 || capture->split != ARC_SPLIT_NONE)
        return "one flight is tracked at a time; give one capture";
    if (capture->n_cameras > 0 || capture->position_is_px)
        return "pixels are not tracked; give frames of positions in metres, and no cameras";
    if (capture->sigma_estimated)
        return "frames that come one by one need a sigma; give capture.sigma a size";
    if (isnan(capture->sigma_m))
        return "frames have no sigma; give capture.sigma";
    return NULL;
}

static ArcStatus check(const ArcExperiment *experiment, ArcError *err)
{
    const char *unknown = unknown_part(experiment);
    ArcPlace place = experiment->capture.place;
    int n = 0;
    if (place.file == NULL)
        place = (ArcPlace){experiment->path, 1, 1};
    if (unknown != NULL)
        return arc_error_set_at(err, ARC_INPUT, place, "%s", unknown);
    for (int i = 0; i < experiment->n_parameters; i++) {
        const ArcParameter *parameter = &experiment->parameters[i];
        if (parameter->measure != ARC_MEASURE_NONE)
            return arc_error_set_at(err, ARC_INPUT, parameter->place,
                                    "'%s' is a parameter of the measurement, which is not tracked; "
                                    "leave it out",
                                    parameter->name);
        if (parameter->is_free && parameter->sharing == ARC_HIERARCHICAL)
            return arc_error_set_at(err, ARC_INPUT, parameter->place,
                                    "flights: hierarchical of '%s' needs several flights, and one "
                                    "is tracked; leave it out",
                                    parameter->name);
        n += parameter->is_free;
    }
    return n > 0 ? ARC_OK
                 : arc_error_set_at(err, ARC_INPUT, place,
                                    "nothing to track: every parameter is fixed");
}

/* The chance of a hit at the landing. */
static double hit_chance(const ArcTracker *tracker)
{
    const ArcTrack *track = &tracker->track;
    const ArcGoal *goal = &tracker->experiment->aim.goal;
    int d = track->dimensions;
    double offset[3], S[9] = {0}, v[3] = {0};
    if (!arc_goal_is_target(goal))
        return NAN;
    arc_goal_offset(tracker->experiment, track->landing_m, offset);
    for (int c = 0; c < d; c++) {
        v[c] = track->landing_velocity_m_s[c];
        for (int i = 0; i < d; i++)
            S[3 * c + i] = track->landing_covariance_m2[c * d + i];
    }
    return arc_hit_chance(tracker->experiment, offset, S, v);
}

static void take_numbers(ArcTracker *tracker)
{
    const ArcTrackFit *fit = tracker->fit;
    ArcTrack *track = &tracker->track;
    track->is_identified = fit->stands;
    for (int j = 0; j < fit->n; j++) {
        ArcTrackNumber *number = &track->numbers[j];
        double value = fit->values[fit->free_parameter[j]];
        bool known = fit->stands && fit->identified[j];
        bool at_bound = value <= fit->low[j] || value >= fit->high[j];
        number->value = fit->stands ? value : NAN;
        number->sd = known ? sqrt(fit->covariance[j * fit->n + j]) : NAN;
        number->status = !known     ? ARC_PARAMETER_UNIDENTIFIED
                         : at_bound ? ARC_PARAMETER_AT_BOUND
                                    : ARC_PARAMETER_FREE;
        track->is_identified = track->is_identified && known;
    }
    track->chi2 = fit->stands ? 2.0 * fit->cost : NAN;
    track->dof = fit->n_seen + fit->n_priors - fit->n;
}

/* Whether the landing is told well enough to be spoken of. */
static bool is_sure(const ArcTrack *track, const ArcTrackFit *fit, double time_s)
{
    double way = 0.0, most = 0.0;
    for (int c = 0; c < fit->d; c++) {
        double step = track->landing_m[c] - fit->values[fit->t0_index + 1 + c];
        way += step * step;
        most = fmax(most, track->landing_covariance_m2[c * (fit->d + 1)]);
    }
    return sqrt(most) <= sure_share * sqrt(way) &&
           track->landing_time_sd_s <= sure_share * (time_s - fit->values[fit->t0_index]);
}

/* The landing with its covariance; false: it is not told. */
static bool take_landing(ArcTracker *tracker, const ArcTrackMeeting *meeting)
{
    const ArcTrackFit *fit = tracker->fit;
    ArcTrack *track = &tracker->track;
    int d = fit->d;
    for (int c = 0; c < d; c++) {
        track->landing_m[c] = meeting->x_m[c];
        track->landing_velocity_m_s[c] = meeting->v_m_s[c];
        if (isnan(arc_track_fit_sd(fit, meeting->by_x[c])))
            return false;
        for (int i = 0; i < d; i++)
            track->landing_covariance_m2[c * d + i] =
                arc_track_fit_covariance(fit, meeting->by_x[c], meeting->by_x[i]);
    }
    track->landing_time_s = meeting->time_s;
    track->landing_time_sd_s = arc_track_fit_sd(fit, meeting->by_time);
    return is_sure(track, fit, meeting->time_s);
}

/* The last used point's time. */
static double latest(const ArcTrackFit *fit)
{
    int i = fit->n_points - 1;
    while (i >= 0 && !fit->points[i].is_used)
        i--;
    return i >= 0 ? fit->points[i].time_s : -(double)INFINITY;
}

static void take_state(ArcTracker *tracker)
{
    ArcTrackMeeting meeting;
    const ArcTrackFit *fit = tracker->fit;
    ArcTrack *track = &tracker->track;
    track->has_landing = false;
    track->hit_probability = NAN;
    track->points = fit->n_seen == 0 ? 0 : fit->n_all_used;
    track->t0_s = fit->n_points > 0 || tracker->t0_is_given ? fit->values[fit->t0_index] : NAN;
    take_numbers(tracker);
    if (tracker->is_lost) {
        track->state = ARC_TRACK_LOST;
        return;
    }
    track->state = ARC_TRACK_TOO_FEW;
    if (!fit->stands || fit->n_all_used == 0)
        return;
    if (!arc_track_landing_meet(&tracker->landing, fit->values, &meeting)) {
        track->state = fit->n_null > 0 ? ARC_TRACK_TOO_FEW : ARC_TRACK_NO_LANDING;
        return;
    }
    if (!take_landing(tracker, &meeting))
        return;
    track->has_landing = true;
    track->hit_probability = hit_chance(tracker);
    track->state = latest(fit) > meeting.time_s ? ARC_TRACK_LANDED : ARC_TRACK_IN_FLIGHT;
}

static ArcStatus tracker_fill(ArcTracker *tracker, const ArcExperiment *experiment, ArcError *err)
{
    tracker->experiment = experiment;
    ArcStatus status = arc_track_fit_create(experiment, tracker->arena, &tracker->fit, err);
    if (status != ARC_OK)
        return status;
    ArcTrackFit *fit = tracker->fit;
    const ArcParameter *t0 = &experiment->parameters[fit->t0_index];
    tracker->t0_is_given = t0->has_start || !isnan(experiment->capture.t0_s);
    if (!t0->has_start && tracker->t0_is_given)
        fit->values[fit->t0_index] = experiment->capture.t0_s;
    tracker->ask_at = SURE_FRAMES;
    status =
        arc_track_landing_create(experiment, fit->flyer, tracker->arena, &tracker->landing, err);
    if (status != ARC_OK)
        return status;
    ArcTrack *track = &tracker->track;
    track->dimensions = fit->d;
    track->time_s = NAN;
    track->n_numbers = fit->n;
    for (int j = 0; j < fit->n; j++) {
        track->numbers[j].name = experiment->parameters[fit->free_parameter[j]].name;
        track->numbers[j].unit = experiment->parameters[fit->free_parameter[j]].unit;
    }
    take_state(tracker);
    return ARC_OK;
}

ArcStatus arc_tracker_create(const ArcExperiment *experiment, ArcTracker **result, ArcError *err)
{
    ArcStatus status = check(experiment, err);
    ArcArena *arena = status == ARC_OK ? arc_arena_create() : NULL;
    ArcTracker *tracker = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcTracker);
    if (status != ARC_OK)
        return status;
    if (tracker == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    tracker->arena = arena;
    status = tracker_fill(tracker, experiment, err);
    if (status == ARC_OK)
        *result = tracker;
    else
        arc_arena_free(arena);
    return status;
}

void arc_tracker_free(ArcTracker *tracker)
{
    if (tracker != NULL)
        arc_arena_free(tracker->arena);
}

const ArcTrack *arc_tracker_track(const ArcTracker *tracker)
{
    return &tracker->track;
}

/* Solves; where that fails from where it stands, once more from nothing. A flight that cannot be
 * followed is no error: the next frame may end that. */
static ArcStatus solve(ArcTracker *tracker, bool is_cold, ArcError *err)
{
    ArcTrackFit *fit = tracker->fit;
    is_cold =
        is_cold || !fit->stands || (fit->n_null > 0 && tracker->track.state == ARC_TRACK_TOO_FEW);
    ArcStatus status = arc_track_fit_solve(fit, is_cold, err);
    if (status == ARC_NUMERIC && !is_cold)
        status = arc_track_fit_solve(fit, true, err);
    tracker->is_lost = status == ARC_NUMERIC;
    return status == ARC_NUMERIC ? ARC_OK : status;
}

/* Whether a point agrees with the flight; *off in standard deviations. What cannot be told agrees.
 * Where all frames lie further off than their sigma says, or a prior is far off, it may be as far.
 */
static bool agrees(ArcTrackFit *fit, const ArcTrackPoint *point, bool foreseen, double *off)
{
    int dof, spare = fit->n_seen + fit->n_priors - fit->n;
    double chi2 = arc_track_fit_off(fit, point, foreseen, &dof);
    if (foreseen && spare > 0)
        chi2 /= fmax(1.0, 2.0 * fit->cost / spare);
    *off = sqrt(chi2);
    return isnan(chi2) || arc_statistics_chi2_p(chi2, dof) > outlier_p;
}

/* The flight of the frames that are used now gathers those that agree with it; returns how many do
 * in the end, 0 where there is no such flight. */
static int gather(ArcTracker *tracker, ArcStatus *status, ArcError *err)
{
    ArcTrackFit *fit = tracker->fit;
    double off;
    int n = 0;
    *status = solve(tracker, true, err);
    for (int round = 0; round < ROUNDS && *status == ARC_OK && fit->stands; round++) {
        for (int i = 0; i < fit->n_points; i++)
            fit->points[i].is_used = agrees(fit, &fit->points[i], true, &off);
        fit->n_frozen = 0;
        *status = solve(tracker, false, err);
    }
    for (int i = 0; i < fit->n_points && *status == ARC_OK && fit->stands; i++)
        n += fit->points[i].is_used && agrees(fit, &fit->points[i], false, &off);
    return n;
}

/* Asks the frames which flight most of them agree with: that so far, that of the last outliers, or
 * that of all. */
static ArcStatus ask(ArcTracker *tracker, ArcError *err)
{
    ArcTrackFit *fit = tracker->fit;
    ArcStatus status = ARC_OK;
    int most = 0;
    for (int i = 0; i < fit->n_points; i++) {
        fit->points[i].was_used = fit->points[i].is_used;
        most += fit->points[i].is_used;
    }
    memcpy(tracker->kept, fit->values, sizeof(double) * (size_t)fit->n_values);
    for (int choice = 0; choice < 2 && status == ARC_OK; choice++) {
        for (int i = 0; i < fit->n_points; i++)
            fit->points[i].is_used = choice > 0;
        for (int k = 0; k < SURE_FRAMES && choice == 0; k++) {
            int at = arc_track_fit_find(fit, tracker->out_s[k]);
            if (at >= 0)
                fit->points[at].is_used = true;
        }
        if (gather(tracker, &status, err) > most && status == ARC_OK) {
            tracker->n_out = 0;
            tracker->ask_at = SURE_FRAMES;
            return ARC_OK;
        }
    }
    /* Where it is the priors alone that all of them contradict, the frames are more. */
    for (int i = 0; i < fit->n_points; i++)
        fit->points[i].is_used = fit->points[i].was_used || most == 0;
    fit->n_frozen = 0;
    memcpy(fit->values, tracker->kept, sizeof(double) * (size_t)fit->n_values);
    fit->stands = true;
    return status == ARC_OK ? solve(tracker, false, err) : status;
}

/* The frame as a point. */
static ArcStatus take_point(const ArcTracker *tracker, const ArcFrame *frame, ArcTrackPoint *point,
                            bool *is_empty, ArcError *err)
{
    const ArcExperiment *experiment = tracker->experiment;
    const ArcSensor *sensor = &experiment->capture.sensor;
    *is_empty = true;
    *point = (ArcTrackPoint){.time_s = frame->time_s, .is_used = true};
    if (!isfinite(frame->time_s))
        return arc_error_set(err, ARC_INPUT, "error: a frame's time must be a finite number");
    for (int c = 0; c < tracker->fit->d; c++) {
        double sigma = isnan(frame->sigma_m[c]) ? experiment->capture.sigma_m : frame->sigma_m[c];
        point->x_m[c] = frame->position_m[c];
        point->sigma_m[c] = arc_sensor_sigma(sigma, sensor->quantisation_m);
        if (isnan(frame->position_m[c]))
            continue;
        if (!isfinite(frame->position_m[c]) || !(sigma > 0.0) || !isfinite(sigma))
            return arc_error_set(err, ARC_INPUT,
                                 "error: a frame's position must be finite, its sigma above zero");
        *is_empty = false;
    }
    return ARC_OK;
}

/* The release's time by the first frames: where they contradict each other while they are few, the
 * later to come is right. */
static ArcFrameUse place_release(ArcTracker *tracker, double time_s)
{
    ArcTrackFit *fit = tracker->fit;
    double *t0 = &fit->values[fit->t0_index];
    bool is_first = fit->n_points == 0, few = fit->n_points < SURE_FRAMES;
    bool before = time_s<*t0, behind = time_s> * t0 + ARC_LONGEST_FLIGHT_S;
    if (!tracker->t0_is_given && (is_first || (few && (before || behind)))) {
        int n = 0;
        for (int i = 0; i < fit->n_points; i++)
            if (fabs(fit->points[i].time_s - time_s) <= ARC_LONGEST_FLIGHT_S && !behind)
                fit->points[n++] = fit->points[i];
        fit->n_points = n;
        fit->stands = false;
        tracker->n_out = 0;
        *t0 = time_s;
        return ARC_FRAME_USED;
    }
    return before ? ARC_FRAME_BEFORE : behind ? ARC_FRAME_BEHIND : ARC_FRAME_USED;
}

/* Whether the ball has landed: what comes then may be anything, and no flight is looked for. */
static bool is_behind(const ArcTracker *tracker, double time_s)
{
    return tracker->track.has_landing && time_s > tracker->track.landing_time_s;
}

/* Takes in a point that may be an outlier. */
static ArcStatus take_in(ArcTracker *tracker, ArcTrackPoint *point, ArcFrameUse *use, double *off,
                         ArcError *err)
{
    ArcTrackFit *fit = tracker->fit;
    ArcStatus status = ARC_OK;
    /* The first frame is foreseen by the priors alone, where there is one of everything. */
    if (fit->n_points == 0 && fit->n_priors == fit->n)
        status = solve(tracker, true, err);
    if (status != ARC_OK)
        return status;
    point->is_used = agrees(fit, point, true, off);
    arc_track_fit_insert(fit, point);
    if (point->is_used) {
        tracker->n_out = 0;
        tracker->ask_at = SURE_FRAMES;
        status = solve(tracker, false, err);
    } else {
        tracker->out_s[tracker->n_out++ % SURE_FRAMES] = point->time_s;
        if (tracker->n_out == tracker->ask_at && !is_behind(tracker, point->time_s)) {
            tracker->ask_at *= 2;
            status = ask(tracker, err);
        }
    }
    int at = arc_track_fit_find(fit, point->time_s);
    if (status != ARC_OK)
        return status;
    if (at >= 0 && !fit->points[at].is_used)
        *use = ARC_FRAME_OUTLIER;
    else if (point->time_s < latest(fit))
        *use = ARC_FRAME_LATE;
    return ARC_OK;
}

ArcStatus arc_tracker_add(ArcTracker *tracker, const ArcFrame *frame, ArcFrameUse *use, double *off,
                          ArcError *err)
{
    const double *window_s = tracker->experiment->capture.window_s;
    ArcTrackPoint point;
    ArcFrameUse became = ARC_FRAME_USED;
    bool is_empty;
    double off_sd = NAN;
    ArcStatus status = take_point(tracker, frame, &point, &is_empty, err);
    if (status != ARC_OK)
        return status;
    tracker->track.frames++;
    if (is_empty)
        became = ARC_FRAME_EMPTY;
    else if (frame->time_s < window_s[0])
        became = ARC_FRAME_BEFORE;
    else if (frame->time_s > window_s[1])
        became = ARC_FRAME_BEHIND;
    else if (arc_track_fit_find(tracker->fit, frame->time_s) >= 0)
        became = ARC_FRAME_REPEATED;
    else
        became = place_release(tracker, frame->time_s);
    if (became == ARC_FRAME_USED)
        status = take_in(tracker, &point, &became, &off_sd, err);
    if (status != ARC_OK)
        return status;
    if (became <= ARC_FRAME_LATE) {
        tracker->track.time_s = frame->time_s;
        take_state(tracker);
    }
    if (use != NULL)
        *use = became;
    if (off != NULL)
        *off = became == ARC_FRAME_OUTLIER ? off_sd : NAN;
    return ARC_OK;
}
