/* A capture: what cameras saw of one flight.
 *
 * Arrays are row-major; n points in file order, d axes. A missing coordinate is NaN. */
#ifndef ARCFIT_CAPTURE_H
#define ARCFIT_CAPTURE_H

#include "arcfit/calibration.h"
#include "arcfit/camera.h"
#include "arcfit/error.h"
#include "arcfit/sensor.h"
#include "arcfit/swing.h"
#include "arcfit/text.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

enum { ARC_CAPTURE_MAX_COLUMNS = 80, ARC_MAX_CAMERAS = 8 };
/* `hold_out`: points kept from the fit and scored afterwards. */
typedef enum ArcHoldOut { ARC_HOLD_OUT_NONE, ARC_HOLD_OUT_EVERY, ARC_HOLD_OUT_AFTER } ArcHoldOut;

/* A column of the file given a meaning, by its name in the header, else by its number ("1" is the
 * first); what is not chosen is found by the header's names. role is "t",
 * "x", "y", "z", "sigma", "sigma_x", "sigma_y", "sigma_z", "frame", "u", "v", "sigma_px", "radius",
 * "sigma_radius", "flight", "camera"; of own equations "t", "flight", a channel's name, or that
 * with "sigma_" before it. place is where the experiment says so. */
typedef struct ArcColumnChoice {
    const char *role;
    const char *column; /* NULL: by the header */
    const char *unit;   /* of own equations' channels; NULL: by the header */
    ArcPlace place;
} ArcColumnChoice;

struct ArcFlight;
struct ArcEquations;

/* A camera as an experiment has it: by a calibration file, by itself (focal and centre, in space),
 * by a stick of known length or by nothing at all (in the plane: 1 m a pixel, of which a free scale
 * makes the true one). Numbers that are not given are NaN, texts NULL. */
typedef struct ArcCameraSettings {
    const char *name;
    ArcPlace place;
    const char *calibration, *entry; /* file (calibration.h), and which of its cameras */
    ArcRowsFrom dlt_rows_from;       /* of its DLT coefficients; as usual: the capture's */
    double unit_m;                   /* of its lengths; NaN: metres */
    const char *file, *format;       /* of its own points; NULL: they are in the capture's file */
    double sigma_px;                 /* of its points; NaN: the capture's */
    double focal_px[2], centre_px[2];
    ArcLensModel lens_model;
    double lens[ARC_LENS_COEFFICIENTS];
    int n_lens;
    double rotation_rad[3], translation_m[3]; /* wins over the calibration's pose */
    ArcStick stick;                           /* of length NaN: none */
    double origin_px[2];                      /* plane: where (0, 0) is seen */
} ArcCameraSettings;

/* Of a camera of which nothing is known. */
ArcCameraSettings arc_camera_settings_default(void);

/* Whether a file's points are parted into flights by what they do. */
typedef enum ArcSplit { ARC_SPLIT_NONE, ARC_SPLIT_AUTO } ArcSplit;

typedef struct ArcCaptureSettings {
    const char *file;   /* resolved against the experiment's folder */
    ArcPlace place;     /* of the file's name in the experiment; of `capture` where there is none */
    const char *format; /* "auto", or a format's name (recording.h) */
    int dimensions;     /* axes wanted: 2 or 3 */
    const char *track;  /* of several in the file; NULL: the only one */
    bool one_flight;    /* of the flights that the file counts only this one: */
    int flight_number;
    double rate_per_s;     /* of a file that has frames, or rounded times; NaN: the file's own */
    double image_px[2];    /* width, height, which some files cannot tell; NaN: unknown */
    const char *offsets;   /* file of the cameras' frame offsets; NULL: beside the file, if any */
    int n_views;           /* cameras a point, of tables that do not name them; 0: not told */
    ArcRowsFrom rows_from; /* of the file's pixels; as usual: as the format has them */
    double sigma_m;        /* for points without their own; NaN: none given */
    double sigma_px;       /* the same for pixels */
    bool sigma_estimated; /* all sigmas are known but for a common factor, which a fit finds; points
                           * of a file without any then have 1 mm or 1 px each */
    int n_cameras;        /* 0: positions alone, or pixels of a camera of which nothing is known */
    ArcCameraSettings cameras[ARC_MAX_CAMERAS];
    int n_columns; /* 0: by the header's names */
    ArcColumnChoice columns[ARC_CAPTURE_MAX_COLUMNS];
    double time_scale_s;     /* file's time unit in s; NaN: from the header, else s */
    double position_scale_m; /* file's length unit in m; NaN: from the header, else m. It wins over
                              * the header's for positions; a sigma column that states a unit
                              * keeps its own. */
    bool position_is_px;     /* the file's positions are pixels */
    double t0_s;             /* file time of the release; NaN: not told */
    double window_s[2];      /* file time, inclusive; -inf, inf: all */
    bool window_auto;        /* the longest stretch of free flight instead (diagnosis.h), */
    ArcSplit split;          /* every stretch of it is a flight of its own (captures.h) */
    const struct ArcFlight *flight; /* of this ball, borrowed; NULL: of any */
    bool scale_is_open; /* a parameter is the scale or the clock: falls of any size are flights */
    ArcSwingSettings swing;               /* what was measured of the arm */
    const struct ArcEquations *equations; /* whose channels it has, borrowed; NULL: a flight */
    double channel_sigma[32];             /* by the equations' channels; NaN: not given */
    ArcSensor sensor;                     /* what the points are off by beside their sigma */
    int every;                            /* points 1, every + 1, ... of those in the window */
    ArcHoldOut hold_out;
    int hold_out_every;      /* of the used points, each n-th is held out */
    double hold_out_after_s; /* file time: points later than this are held out */
} ArcCaptureSettings;

ArcCaptureSettings arc_capture_settings_default(void);

/* What a point is for. A row without any coordinate is no point: it is kept, but unused, and
 * `every` and `hold_out` do not count it. */
typedef enum ArcPointUse { ARC_POINT_UNUSED, ARC_POINT_FIT, ARC_POINT_HELD_OUT } ArcPointUse;

/* Why a stretch of free flight begins or ends where it does. */
typedef enum ArcStretchEnd {
    ARC_END_OF_POINTS, /* no points beyond */
    ARC_END_GAP,       /* the points beyond come much later or earlier */
    ARC_END_BOUNCE,    /* the ball meets something and flies on */
    ARC_END_CONTACT    /* it leaves its path: held, caught, touched, or another thing is tracked */
} ArcStretchEnd;

/* Points first to last of the capture; side 0 is the beginning, 1 the end. */
typedef struct ArcStretch {
    int first, last;
    double window_s[2]; /* their times */
    int n_points;       /* used ones among them */
    ArcStretchEnd ends[2];
    int outside[2];        /* the next used point beyond; -1: none */
    double off_m[2];       /* how far it lies from the flight; NaN: none */
    double off_sd[2];      /* the same in errors */
    double jump_m_s[2][3]; /* of the velocity there, forwards in time; NaN where not known */
} ArcStretch;

/* Read-only; owned by its arena. A point is a position in metres or what one camera saw: its
 * position_m are then NaN. */
typedef struct ArcCapture {
    const char *file;   /* "(memory)" where made by arc_capture_create */
    const char *flight; /* its number in a file of several flights; NULL: of none */
    bool has_t0;        /* the release was at t0_s */
    double t0_s;
    int n_points;
    int dimensions;
    const double *time_s;     /* (n), of the used points never falling, and strictly increasing over
                               * those of one camera; NaN: unused only */
    const double *position_m; /* (n,d) */
    const double *sigma_m;    /* (n,d), > 0; may be NaN where the coordinate is missing */
    const ArcPointUse *use;   /* (n) */
    const int *line;          /* (n), in the file; 0 where made by arc_capture_create */
    int n_cameras;            /* 0: all points are in metres, and what follows is NULL */
    const ArcCamera *cameras; /* (n_cameras), each with its name */
    const int *camera;        /* (n) of each point; -1: its position is in metres */
    const double *pixel_px;   /* (n,2) u, v; NaN: missing */
    const double *sigma_px;   /* (n) */
    const double *radius_px;  /* (n) apparent radius of the ball; NaN: missing */
    const double *sigma_radius_px;   /* (n) */
    const char *const *camera_files; /* (n_cameras) that its points are from */
    int n_fit;
    int n_held_out;
    int n_notes;
    const char *const *notes; /* "FILE: note: what was taken for granted" */
    int n_channels;           /* of own equations: the axes of position_m, sigma_m; 0: a flight */
    const ArcParameterInfo *channels; /* (n_channels) name and unit of each */
    const ArcSwing *swing;            /* before the release; NULL: none */
    int n_readings;
    const ArcReading *readings;
    const ArcStretch *stretch; /* that window_auto took; NULL without it */
    int n_stretches;           /* of so many that there are */
    void *arena;
} ArcCapture;

/* The cameras that settings describe, into cameras (ARC_MAX_CAMERAS), whose names are the
 * settings'; *n may be 0. ARC_INPUT at a camera's place: no whole description, or two at once. */
ArcStatus arc_capture_cameras(const ArcCaptureSettings *settings, int *n, ArcCamera *cameras,
                              ArcError *err);

/* Reads, converts to SI and checks. ARC_INPUT with file:line:column: not a number, infinity, times
 * missing, falling or repeated, beyond 1e12 s or m, sigma < 1e-12 m or none, fewer than two points
 * to fit, no such column, position columns missing, an unknown unit, a z column for a flight in the
 * plane unless x or y is chosen, and whatever the text reader (delimited or gzipped) refuses. What
 * the file has no place for is at settings.place: no such file, no sigma, an empty window, no free
 * flight for window_auto. */
ArcStatus arc_capture_read(const ArcCaptureSettings *settings, ArcCapture **capture, ArcError *err);

/* Writes the canonical CSV (time_s, x_m, y_m[, z_m], sigma_m where all axes share one, else
 * sigma_x_m...; of own equations theta_rad.., sigma_theta_rad.. of the channels that were seen),
 * comment (nullable) first, to path; gzip when it ends in ".gz". ARC_SYSTEM where it cannot. */
ArcStatus arc_capture_write(const ArcCapture *capture, const char *comment, const char *path,
                            ArcError *err);

/* The same as text, for arc_text_free (text.h). */
ArcStatus arc_capture_text(const ArcCapture *capture, const char *comment, char **text,
                           ArcError *err);

/* A capture made in memory: copies n_points, dimensions, time_s, position_m and sigma_m of given,
 * its swing and readings and, where it has cameras, what belongs to these (radii may be NULL);
 * of own equations the channels, as many as dimensions. Else nothing; all points are ARC_POINT_FIT.
 * ARC_USAGE: n < 1, a flight's dimensions not 2 or 3. ARC_INPUT: times not rising, sigma <= 0. */
ArcStatus arc_capture_create(const ArcCapture *given, ArcCapture **capture, ArcError *err);

void arc_capture_free(ArcCapture *capture); /* accepts NULL */
#pragma GCC visibility pop

#endif
