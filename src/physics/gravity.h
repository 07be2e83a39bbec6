/* Gravity as parameters of a flight: its size, and how it leans. */
#ifndef ARC_PHYSICS_GRAVITY_H
#define ARC_PHYSICS_GRAVITY_H

#include "arcfit/flight.h"

/* Appends the parameters that the flight's settings ask for, and sets their index and number. */
void arc_gravity_add(ArcFlight *flight);

/* The acceleration of a ball at rest in the air by the flight's parameters p (P): g (3), and where
 * g_p is not NULL its partials by the flight's n_gravity parameters of gravity, row-major (3,
 * n_gravity). */
void arc_gravity_vector(const ArcFlight *flight, const double *p, double *g, double *g_p);

#endif
