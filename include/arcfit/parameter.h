/* A parameter: a named number with a unit that is free, fixed or tied.
 *
 * Those of the flight come from its laws (flight.h), those of the arm from the arm (arm.h); the
 * release has t0, x0 y0 z0, and vx0 vy0 vz0 or speed angle azimuth; the measurement scale,
 * CAMERA.scale and the like.
 */
#ifndef ARCFIT_PARAMETER_H
#define ARCFIT_PARAMETER_H

#include "arcfit/camera.h"
#include "arcfit/error.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

enum { ARC_MAX_PARAMETERS = 64 };

/* By an arm: position and velocity are cartesian and follow from its parameters. */
typedef enum ArcReleaseForm {
    ARC_RELEASE_CARTESIAN,
    ARC_RELEASE_POLAR,
    ARC_RELEASE_ARM
} ArcReleaseForm;

/* Whether several flights fitted together have one value of a parameter, or each its own;
 * hierarchical: each its own, from a population whose mean and standard deviation are found. */
typedef enum ArcSharing { ARC_SHARED, ARC_PER_FLIGHT, ARC_HIERARCHICAL } ArcSharing;

/* What a parameter of the measurement changes (fit/view.h): the clocks, what a camera sees by its
 * corrections (camera.h), its sigma as a factor of the capture's, the apparent radius; a constant
 * offset (sensor.h). */
typedef enum ArcMeasure {
    ARC_MEASURE_NONE, /* a parameter of the flight or the release */
    ARC_MEASURE_CLOCK_RATE,
    ARC_MEASURE_TIME_OFFSET,
    ARC_MEASURE_LATENCY,
    ARC_MEASURE_LINE_TIME,
    ARC_MEASURE_SIGMA,
    ARC_MEASURE_RADIUS_BIAS,
    ARC_MEASURE_BIAS_U, /* of a camera */
    ARC_MEASURE_BIAS_V,
    ARC_MEASURE_BIAS_X, /* of positions in metres */
    ARC_MEASURE_BIAS_Y,
    ARC_MEASURE_BIAS_Z,
    ARC_MEASURE_CORRECTION, /* the first of ARC_N_CORRECTIONS */
    ARC_N_MEASURES = ARC_MEASURE_CORRECTION + ARC_N_CORRECTIONS
} ArcMeasure;

/* One parameter of the flight, the release or the measurement. Its name, unit and default come from
 * the flight model (flight.h), the release (t0; x0 y0 z0; vx0 vy0 vz0 | speed angle azimuth) or the
 * measurement (scale, CAMERA.scale, ...). */
typedef struct ArcParameter {
    const char *name;
    const char *unit;
    const char *doc;
    bool is_free;
    bool has_start;   /* start was given; else the data give it (release) or the default */
    double start;     /* value where fixed, start where free */
    double low, high; /* bounds; -inf, inf where none */
    bool has_prior;
    double prior_mean, prior_sd; /* of a hierarchical one: of its population's mean */
    bool is_tied;                /* follows from the arm's parameters; not free */
    bool has_reading;            /* it was measured: an observation of its own */
    double reading, reading_sd;  /* of a joint's angle as its encoder gives it */
    ArcSharing sharing;          /* matters where there are several flights */
    int measure;                 /* ArcMeasure */
    int camera;     /* that it belongs to, of the capture's; -1: the points in metres, or all */
    ArcPlace place; /* where the experiment names it; of `parameters`, else of the file */
} ArcParameter;

#pragma GCC visibility pop

#endif
