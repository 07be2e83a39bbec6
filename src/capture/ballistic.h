/* A stretch of points as the flight of some ball, whose gravity, drag and lift are held only as far
 * as they are known beforehand.
 *
 *   a = g - (k + k' w) |u| u + (S + S' w) x u      u = v - wind, w = |u| / U - 1
 *
 * U is the stretch's own speed. Unknowns p, in this order: position and velocity at a time in the
 * middle (d each), g (d), k, k', S and S' (plane: 1 each, about the viewer; space: 3 each). Of k',
 * S' and with them of any law of drag and lift only so much is assumed as that they change smoothly
 * with the speed. Points count by their sigma; those far off count less, so that a few wrong ones
 * do not carry the flight away.
 */
#ifndef ARC_CAPTURE_BALLISTIC_H
#define ARC_CAPTURE_BALLISTIC_H

#include "arcfit/flight.h"
#include "base/arena.h"

enum { ARC_BALLISTIC_MOST = 17 };

/* Points in order of time; d axes, 2 or 3. */
typedef struct ArcTrack {
    int n, d;
    const double *time_s;     /* (n) strictly increasing */
    const double *position_m; /* (n,d), NaN where missing */
    const double *sigma_m;    /* (n,d), > 0 where there is a position */
} ArcTrack;

/* What is known of a flight before its points are looked at. */
typedef struct ArcExpectation {
    const ArcFlightSettings *air; /* its wind; NULL: calm */
    double first_s;               /* when a gust's clock starts */
    double gravity_m_s2[3];
    double gravity_sd_m_s2; /* of each component */
    double drag_per_m, drag_sd_per_m;
    double drag_change;   /* sd of k', as a share of k */
    double lift_sd_per_m; /* of each component of S over the speed */
    bool is_plain;        /* points far off count in full */
    double slip_steps;    /* of the clock, in steps, that part no flight */
} ArcExpectation;

typedef struct ArcBallistic {
    int d, m;
    double time_s; /* of position and velocity */
    double span_s; /* of the points */
    double speed_m_s;
    double p[ARC_BALLISTIC_MOST];
    double covariance[ARC_BALLISTIC_MOST * ARC_BALLISTIC_MOST]; /* (m,m) by the sigmas */
    double factor; /* size of the errors in sigmas, by their median; 0 where none are left over */
    double dof;    /* coordinates less what the unknowns take up of them */
    double chi2;   /* of the coordinates as they count */
    int n_coordinates;
} ArcBallistic;

typedef struct ArcBallisticWork ArcBallisticWork;

/* NULL where there is no memory. */
ArcBallisticWork *arc_ballistic_work_create(ArcArena *arena);

/* Fits points begin to end - 1; of a long stretch every so-many-th. False where they are too few
 * (two a coordinate), or the fit does not settle. */
bool arc_ballistic_fit(ArcBallisticWork *work, const ArcTrack *track, int begin, int end,
                       const ArcExpectation *expected, ArcBallistic *fit);

/* The fitted flight at n ascending times: x (n,d), v (n,d) and, where not NULL, sd (n,d) of x by
 * the covariance. Not finite where it cannot be followed. */
void arc_ballistic_at(const ArcBallistic *fit, const ArcExpectation *expected, int n,
                      const double *time_s, double *x, double *v, double *sd);

/* Partials of the positions at n ascending times by the unknowns: jacobian (n,d,m). */
void arc_ballistic_jacobian(const ArcBallistic *fit, const ArcExpectation *expected, int n,
                            const double *time_s, double *jacobian);

#endif
