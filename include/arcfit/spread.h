/* How wide the intervals of a fit are and why, the sigma that it found, and the points that it does
 * not believe. */
#ifndef ARCFIT_SPREAD_H
#define ARCFIT_SPREAD_H

#include "arcfit/experiment.h"

/* One coordinate of a point that lies further from the flight than noise would carry it: beyond
 * the quantile that one clean capture in a hundred reaches by any of its coordinates. The residual
 * is the measured coordinate less that of the flight that the other points tell, so that a point
 * does not hide by pulling the flight to itself. */
typedef struct ArcOutlier {
    int point;          /* index into the capture's points */
    int line;           /* in the file; 0 where made in memory */
    int axis;           /* of a camera's point: 0 u, 1 v, 2 the radius */
    int camera;         /* of the capture; -1: a position in metres */
    double residual_m;  /* of a camera's point in px */
    double residual_sd; /* in its own sd: of noise and of the flight there */
    double weight;      /* in the fit, of 1 */
} ArcOutlier;

/* What a camera's points say at the end of a fit. */
typedef struct ArcCameraResiduals {
    const char *name;
    int points, observations; /* fitted */
    double rms_px;
    double chi2;
    double held_out_rms_px; /* NaN where none */
    double sigma_factor;    /* its own: its sigmas of the capture times this were in force */
    double sigma_factor_sd; /* 0 where given */
} ArcCameraResiduals;

typedef struct ArcSpread {
    ArcLoss loss;            /* with the degrees of freedom in force */
    double loss_dof_ci95[2]; /* of estimated degrees of freedom, infinite where open; else NaN */
    bool sigma_estimated;
    double sigma_factor;    /* all sigmas of the capture times this were in force; 1 where given */
    double sigma_factor_sd; /* 0 where given; NaN where it could not be found */
    double sigma_m;         /* in force, where it is the same for all; else NaN */
    double sigma_px;        /* the same where all points are pixels; else 0 */
    double interval_dof;    /* of Student's t behind the intervals; infinite: normal */
    const char *note;       /* what to know of the intervals; NULL: nothing */
    int n_outliers;
    const ArcOutlier *outliers; /* largest residual_sd first */
} ArcSpread;

#endif
