/* Where a flight comes down: what it is followed to, and how that varies with its parameters. */
#ifndef ARC_AIM_TRACK_LANDING_H
#define ARC_AIM_TRACK_LANDING_H

#include "arcfit/track.h"
#include "base/arena.h"
#include "fit/flyer.h"
#include "fit/surface.h"

typedef struct ArcTrackLanding {
    const ArcExperiment *experiment;
    ArcGoal goal;    /* as `aim.target` would have it; none: back to the release height */
    bool is_aimed;   /* goal is the aim's */
    int d, up, P, Q; /* of the flight */
    int n;           /* values of a throw that count: P + 1 + 2 d */
    ArcFlyer *flyer; /* lent */
    ArcSurface surface;
    ArcSimDirection direction;
    double *x, *v, *a, *t_q, *x_q, *v_q; /* of the last search */
} ArcTrackLanding;

/* A landing, with its total derivatives by the values of a throw. */
typedef struct ArcTrackMeeting {
    double time_s; /* on the throw's clock */
    double x_m[3], v_m_s[3];
    double by_time[ARC_MAX_PARAMETERS], by_x[3][ARC_MAX_PARAMETERS];
} ArcTrackMeeting;

/* By the experiment's aim, its derived targets or neither; borrows experiment and flyer. */
ArcStatus arc_track_landing_create(const ArcExperiment *experiment, ArcFlyer *flyer,
                                   ArcArena *arena, ArcTrackLanding *landing, ArcError *err);

/* False where the flight of values (n, in the experiment's order) does not get there. */
bool arc_track_landing_meet(ArcTrackLanding *landing, const double *values,
                            ArcTrackMeeting *meeting);

#endif
