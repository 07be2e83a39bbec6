/* The points of a capture while it is made: arrays that can still be written. */
#ifndef ARC_CAPTURE_POINTS_H
#define ARC_CAPTURE_POINTS_H

#include "arcfit/capture.h"
#include "arcfit/recording.h"
#include "base/arena.h"
#include "capture/notes.h"

/* Shapes as in ArcCapture. */
typedef struct ArcPoints {
    int n;
    int d;
    double *time_s;
    double *position_m;
    double *sigma_m;
    ArcPointUse *use;
    int *line;
    int n_cameras; /* 0: the arrays that follow are not there */
    int *camera;
    double *pixel_px, *sigma_px, *radius_px, *sigma_radius_px;
    int n_fit;
    int n_held_out;
    ArcStretch *stretch; /* of window_auto */
    int n_stretches;
} ArcPoints;

/* Room for n points with d axes, all unused; with cameras also for what these see. ARC_MEMORY. */
ArcStatus arc_points_create(int n, int d, int n_cameras, ArcArena *arena, ArcPoints *points,
                            ArcError *err);

/* One recording of a capture. */
typedef struct ArcIntake {
    const ArcCaptureSettings *settings; /* whose file is the recording's */
    const ArcRecording *recording;
    int first;  /* of the points that become its samples */
    int camera; /* that all of it is of; -1: its samples tell */
} ArcIntake;

/* Fills the points from the recording's samples. ARC_INPUT at the settings' place: frames alone and
 * no rate, another number of axes than the settings', no sigma at all; at 1:1 of the file: pixels
 * alone and no camera; at the line: a point without time, a camera that the settings do not have.
 */
ArcStatus arc_points_take(const ArcIntake *intake, ArcPoints *points, ArcError *err);

/* The part of it that cameras see (pixels.c): point i; *taken is false where the sample is a
 * position in metres. */
ArcStatus arc_points_take_pixel(const ArcIntake *intake, const ArcSample *sample, int i,
                                ArcPoints *points, bool *taken, ArcError *err);

/* Points of several cameras by time; those of one time stay in their order. ARC_MEMORY. */
ArcStatus arc_points_sort(ArcPoints *points, ArcArena *arena, ArcError *err);

/* arc_capture_cameras, with what the calibrations took for granted. */
ArcStatus arc_cameras_take(const ArcCaptureSettings *settings, ArcNotes *notes, int *n,
                           ArcCamera *cameras, ArcError *err);

/* The capture's file; without one the first of its cameras' files; "capture" without any. */
const char *arc_points_name(const ArcCaptureSettings *settings);

/* value in a unit whose SI value is scale. Divides by 1000 rather than multiplying by 0.001, so
 * that 9 ms is the double nearest to 0.009. */
double arc_points_scale(double value, double scale);

/* Decides what each point is for: rows without any coordinate are no points; then window, every,
 * hold_out. ARC_INPUT: times of used points that fall or repeat, fewer than two points to fit. */
ArcStatus arc_points_select(const ArcCaptureSettings *settings, ArcPoints *points, ArcError *err);

/* Settles what settings.window_auto asks for: the longest stretch of free flight among the points
 * (whose cameras are given) goes into points->stretch (in the arena), its times into
 * settings->window_s; points of cameras then stand by time. ARC_INPUT: as above, there is none, or
 * one camera in space, which tells no place. */
ArcStatus arc_points_find_window(ArcCaptureSettings *settings, const ArcCamera *cameras,
                                 ArcPoints *points, ArcArena *arena, ArcError *err);

/* The stretches of free flight among the used points, *n of them. ARC_INPUT where there is none. */
ArcStatus arc_window_stretches(const ArcCaptureSettings *settings, const ArcCapture *capture,
                               ArcStretch *stretches, int *n, ArcError *err);

/* The settings' place, or 1:1 of the file where they have none. */
ArcPlace arc_points_settings_place(const ArcCaptureSettings *settings);

/* True where point i has at least one coordinate. */
bool arc_points_is_seen(const ArcPoints *points, int i);

/* Values beyond these are no ball's, and their squares over sigma would not stay finite. */
#define ARC_POINTS_MOST 1e12
#define ARC_POINTS_LEAST_SIGMA_M 1e-12
/* Of every point where `sigma: estimate` finds the true one as a multiple. */
#define ARC_POINTS_UNIT_SIGMA_M 1e-3
#define ARC_POINTS_UNIT_SIGMA_PX 1.0

#endif
