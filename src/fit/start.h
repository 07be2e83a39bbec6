/* Starts from the data: no tuning needed by a user. */
#ifndef ARC_FIT_START_H
#define ARC_FIT_START_H

#include "fit/problem.h"

/* Fits a parabola to each axis (a line or a point where there are fewer times) about t0 and takes
 * release position and velocity from it, where the experiment gives no start, and the net's first
 * acceleration. ARC_MEMORY. */
ArcStatus arc_start_from_data(ArcProblem *problem, ArcError *err);

/* The same through cameras (start_view.c), for a problem with a view: by equations linear in
 * position, velocity and acceleration. Where a scale or roll of plane points is free and has no
 * start, gravity gives it. ARC_INPUT where such points fall upwards. ARC_MEMORY. */
ArcStatus arc_start_from_view(ArcProblem *problem, ArcError *err);

#endif
