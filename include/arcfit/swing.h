/* What was measured of the arm: places of it seen during the swing, its encoders, and readings of
 * single parameters at a release.
 *
 * A swing's file is a table, a row a time by the clock of the flight's capture:
 *   time_s, elbow_x_m elbow_y_m [elbow_z_m], hand_.., ball_.. (ends of the first and last link, the
 *   ball in the hand), joint1_x_m.. (end of link 1, and so on), theta1_rad.., omega1_rad_s..
 * as far as it has them, and `flight` where it holds several throws. Rows after the release are no
 * swing any more: the window tells, or the fit. A table of readings has a row a flight:
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

#pragma GCC visibility pop

#endif
