/* What was measured of the arm: places of it seen during the swing, its encoders, and readings of
 * single parameters at a release.
 *
 * A swing's file is a table, a row a time by the clock of the flight's capture:
 *   time_s, elbow_x_m elbow_y_m [elbow_z_m], hand_.., ball_.. (ends of the first and last link, the
 *   ball in the hand), joint1_x_m.. (end of link 1, and so on), theta1_rad.., omega1_rad_s..
 * as far as it has them, and `flight` where it holds several throws. Rows after the latest release
 * that the bounds of t0 allow are passed over; those between it and the release are taken for the
 * arm's motion on, which the window may end. A table of readings has a row a flight:
 * `flight`, then columns of parameters with their unit (theta1_rad, omega1_rad_s, t0_s, l1_m) and,
 * in front of any of them, sigma_ for its own sd. Empty cells are missing.
 */
#ifndef ARCFIT_SWING_H
#define ARCFIT_SWING_H

#include "arcfit/arm.h"

#pragma GCC visibility push(default)

enum { ARC_MAX_READINGS = 32 };

typedef struct ArcSwingSettings {
    const char *file; /* resolved; NULL: none */
    ArcPlace place;
    int n_joints;                           /* of the arm; 0: not known */
    double sigma_m, sigma_rad, sigma_rad_s; /* of places (NaN: the capture's), angles and rates */
    double window_s[2];                     /* inclusive; -inf, inf: all */
    const char *readings;                   /* file of the table of readings; NULL: none */
    ArcPlace readings_place;
    double readings_sigma_rad, readings_sigma_rad_s, readings_sigma_s; /* NaN: not given */
    double readings_sigma_share; /* of rates, beside or instead of readings_sigma_rad_s; NaN */
} ArcSwingSettings;

/* Nothing measured. */
ArcSwingSettings arc_swing_settings_default(void);

typedef enum ArcSwingKind { ARC_SWING_PLACE, ARC_SWING_ANGLE, ARC_SWING_RATE } ArcSwingKind;

/* One number of a row. */
typedef struct ArcSwingNumber {
    int row; /* index into the times */
    ArcSwingKind kind;
    int index; /* the place (arm.h), or the joint from 0 */
    int axis;  /* of a place */
    double value, sigma;
    int line;
} ArcSwingNumber;

/* Read-only; owned by the arena of who made it. */
typedef struct ArcSwing {
    const char *file;
    int n_rows;
    const double *time_s; /* (n_rows) strictly increasing */
    int n_numbers;
    const ArcSwingNumber *numbers; /* by row */
} ArcSwing;

/* A parameter of arm or release that was read off, with its sd; angles of joints as encoders give
 * them. */
typedef struct ArcReading {
    const char *name; /* of the parameter */
    double value, sd;
    int line; /* in the table; 0: of the experiment */
} ArcReading;

/* What a synthetic swing has of the arm, as bits by what `simulate.swing.places` names. */
enum {
    ARC_SWING_ELBOW = 1,
    ARC_SWING_HAND = 2,
    ARC_SWING_BALL = 4,
    ARC_SWING_JOINT = 8 /* the end of link 1; << 1: of link 2, and so on */
};

/* How a synthetic swing is made (simulate.h). Its rows end one step before the release. */
typedef struct ArcSwingSamples {
    bool is_on;
    int points;        /* 0: by duration and rate; without a rate 20 */
    double duration_s; /* from the first row to the release; NaN: by points and rate, else 0.3 s */
    double rate_per_s; /* NaN: by points and duration */
    unsigned places;
    bool angles, rates;                     /* of all joints, as their encoders give them */
    double sigma_m, sigma_rad, sigma_rad_s; /* NaN: capture.swing's */
} ArcSwingSamples;

/* n captures' swings, or readings, as a table as above: with a column `flight` where n > 1, that of
 * i being i + 1. comment as arc_capture_text's. In SI. ARC_INPUT where none
 * has one. text is for arc_text_free. */
struct ArcCapture;
ArcStatus arc_swing_text(int n, const struct ArcCapture *const *captures, int n_joints,
                         const char *comment, char **text, ArcError *err);
ArcStatus arc_readings_text(int n, const struct ArcCapture *const *captures, const char *comment,
                            char **text, ArcError *err);

#pragma GCC visibility pop

#endif
