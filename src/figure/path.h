/* The path of a fit as it is drawn: its trajectory with the places of its bounces, and how well
 * each position is known. */
#ifndef ARC_FIGURE_PATH_H
#define ARC_FIGURE_PATH_H

#include "figure/maker.h"

/* Rows are the trajectory's and, where the flight bounces, one more at each meeting with the plane.
 * Arrays are row-major. */
typedef struct ArcPath {
    const ArcFit *fit;
    int n, d;
    const double *time_s;                    /* (n) */
    const double *position_m, *velocity_m_s; /* (n, d); at a bounce the velocity before it */
    const bool *is_bounce;                   /* (n); NULL: there is none */
    int n_bounces;
    const double *sd_m;          /* (n, d) by arc_predict_state; NULL: not known */
    const double *covariance_m2; /* (n, d, d) of the same */
} ArcPath;

/* The path of one of the flight's fits, made once. What cannot be followed is left out, with a
 * note. ARC_MEMORY. */
ArcStatus arc_maker_path(ArcMaker *maker, const ArcFit *fit, const ArcPath **path, ArcError *err);

/* The state at a time within the path, by the cubic between two rows: x (d). False outside. */
bool arc_path_at(const ArcPath *path, double time_s, double *x);

/* The line of a path by axes a and b (and c in space; -1: the time, -2: there is no third). */
void arc_path_add_line(ArcMaker *maker, const ArcPath *path, const int axes[3]);

/* The 95 % band of an axis against time: position +- factor sd. */
void arc_path_add_band_in_time(ArcMaker *maker, const ArcPath *path, int axis);

/* The 95 % band of a path in the plane of axes a and b; returns its largest half width across the
 * path in m, NaN where there is none. See path_band.c. */
double arc_path_add_band(ArcMaker *maker, const ArcPath *path, int a, int b);

#endif
