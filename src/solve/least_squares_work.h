/* What a solver of least squares holds. Private to this folder. */
#ifndef ARC_SOLVE_LEAST_SQUARES_WORK_H
#define ARC_SOLVE_LEAST_SQUARES_WORK_H

#include "solve/damped.h"
#include "solve/dual.h"
#include "solve/least_squares.h"

struct ArcLeastSquares {
    ArcObjective objective;
    ArcLeastSquaresSettings settings;
    ArcElimination elimination;
    ArcDampedWork *damped;
    ArcDual dual;  /* of the damped unknowns */
    double *white; /* (m, n_inner + n_outer + 1): J and r of the others, whitened */
    double *low, *high, *step_low, *step_high;
    double *r, *r_new, *J, *J_new, *z_new;
    double *D, *d, *step, *image;
    double *curvature, *acceleration; /* geodesic: r'', and its answer */
    double *rest;                     /* (m) */
    double image_norm;                /* |J d| */
    double full_step_norm;            /* of the last step taken whole and undamped; else infinite */
    bool keeps_factor; /* the next step changes J too little for another factorisation */
    double lambda, growth;
    int n_short; /* steps within the tolerance in a row */
    double cost;
    double polished_norm; /* image_norm of the last step that was taken below rounding */
};

/* r, J and the factor at z; false, with the reason in result->stop, where they cannot be had. */
bool arc_least_squares_look(ArcLeastSquares *solver, double *z, ArcLeastSquaresResult *result);

#endif
