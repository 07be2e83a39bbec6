/* A parabola through what cameras see, by linear equations.
 *
 *   X(s) = x0 + v0 s + a s^2 / 2,  rows_i (X(s_i), 1) = 0 for each pixel (camera.h)
 *
 * the cross-multiplied equations of projection, divided by their depth (found in rounds) and sigma;
 * positions in metres have rows of their own. Where the loss is a robust one the rows are so too
 * (Huber's loss, reweighted in rounds).
 */
#ifndef ARC_FIT_START_LINEAR_H
#define ARC_FIT_START_LINEAR_H

#include "fit/problem.h"

enum { ARC_LINEAR_UNKNOWNS = 9 };

/* Of gravity: what drag may change of the acceleration, as a standard deviation. */
#define ARC_LINEAR_DRAG_SHARE 0.3

/* Two or three rows of one point; its equations at unit depth. */
typedef struct ArcLinearSighting {
    int time, n;
    double s, sigma;
    double rows[3][4]; /* (n, d + 1) */
    double depth[4];   /* (d + 1); of a position: 0, .., 1 */
} ArcLinearSighting;

typedef struct ArcLinearStart {
    ArcProblem *problem;
    double span, share; /* of gravity, that the acceleration may be off */
    double anchor_m;    /* depth that the flight's middle is held at; 0: as it comes */
    int n;              /* sightings */
    ArcLinearSighting *sightings;
    int n_rows, ld;
    double *matrix, *rhs, *off, *size; /* (ld, ARC_LINEAR_UNKNOWNS), (ld) ... */
    double c[ARC_LINEAR_UNKNOWNS];     /* x0, v0 span, a span^2 / 2 */
} ArcLinearStart;

/* Room for all points of a problem with a view, in the arena. ARC_MEMORY. */
ArcStatus arc_linear_create(ArcProblem *problem, ArcArena *arena, ArcLinearStart *start,
                            ArcError *err);

/* The fitted points of the cameras whose bits are set, as the problem's starts have them. */
void arc_linear_look(ArcLinearStart *start, unsigned cameras);

/* The parabola through what was looked at; gravity: its acceleration is kept near that, by
 * start->share. False where there are too few points. */
bool arc_linear_solve(ArcLinearStart *start, bool gravity);

/* The parabola's position (d) at s. */
void arc_linear_position(const ArcLinearStart *start, double s, double *x);

/* What a sighting's rows are multiplied by: the inverse of its depth at the parabola, which round 0
 * does not know, and of sigma. */
double arc_linear_weight(const ArcLinearStart *start, const ArcLinearSighting *sighting, int round);

/* The median size of the residuals, as a sigma. */
double arc_linear_off(ArcLinearStart *start);

/* The index of camera c's parameter where its start may be set: it is free without one; else -1. */
int arc_linear_open(const ArcProblem *problem, int c, int measure);

/* Clocks that are free and have no start, where they are far apart: camera by camera, each beside
 * those that are settled, wherever their points overlap the parabola misses them least
 * (start_clocks.c). t0 is then the first point's again. */
void arc_linear_clocks(ArcLinearStart *start);

#endif
