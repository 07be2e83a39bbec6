/* Stretches of free flight, found by growing them point by point. */
#ifndef ARC_CAPTURE_STRETCHES_H
#define ARC_CAPTURE_STRETCHES_H

#include "arcfit/diagnosis.h"
#include "capture/ballistic.h"

/* What the flight's settings tell of any flight of its ball; all of gravity but 5 %. */
ArcExpectation arc_expectation_of(const ArcFlight *flight, double first_s);

/* Points with their numbers in the capture; those without any coordinate are left out. */
typedef struct ArcTrackPoints {
    ArcTrack track;
    double *position_m, *sigma_m, *time_s;
    int *point; /* (n) */
} ArcTrackPoints;

/* The used points of a capture. Where its sigmas are not known, each axis has the scatter of its
 * points about cubics through their neighbours. ARC_MEMORY. */
ArcStatus arc_track_create(const ArcCapture *capture, bool sigma_is_known, ArcArena *arena,
                           ArcTrackPoints *points, ArcError *err);

/* How far apart points begin to end - 1 lie: the diagonal of the box around them. */
double arc_track_way(const ArcTrack *track, int begin, int end);

/* The upper median of n > 0 values, which are put in order. */
double arc_track_median(int n, double *values);

/* Stretches as numbers of the track's points, first and last among them. */
ArcStatus arc_stretches_grow(const ArcTrack *track, const ArcExpectation *expected, int up,
                             ArcArena *arena, ArcStretch stretches[ARC_STRETCHES_MOST], int *n,
                             ArcError *err);

/* Numbers of the track's points become those of the capture's. */
void arc_stretch_renumber(const ArcTrackPoints *points, ArcStretch *stretch);

#endif
