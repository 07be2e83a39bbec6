/* The flight model flown by the simulator: the bridge between physics and sim. */
#ifndef ARC_FIT_FLYER_H
#define ARC_FIT_FLYER_H

#include "fit/problem.h"
#include "sim/simulator.h"

/* A flight from its release, borrowed: the model, and all parameters in the experiment's order. */
typedef struct ArcThrow {
    const ArcFlight *flight;
    ArcReleaseForm release;
    const double *values; /* (n_parameters = P + 1 + 2 d) */
} ArcThrow;

/* A simulator of the flight, in the arena; flight is copied. */
ArcStatus arc_flyer_create(const ArcFlight *flight, double tolerance, ArcArena *arena,
                           ArcSimulator **simulator, ArcError *err);

/* x0 (D), v0 (D) of the release and its time; D = n_coordinates of the flight. */
void arc_flyer_release(const ArcThrow *thrown, double *t0_s, double *x0, double *v0);

/* Flies from the release to n ascending times >= t0; outputs have D coordinates. False where it
 * cannot be followed. */
bool arc_flyer_run(ArcSimulator *simulator, const ArcThrow *thrown, int n, const double *t_s,
                   const ArcSimOutput *output);

/* One row of partials, from the physical unknowns (q_row, Q = P + 2 D, as the simulator gives it)
 * to all parameters: row (n_parameters = P + 1 + 2 d). A flight knows only the time since its
 * release, so that the t0 column is minus the number's rate of change at a fixed time. */
void arc_flyer_chain(const ArcThrow *thrown, const double *q_row, double rate, double *row);

#endif
