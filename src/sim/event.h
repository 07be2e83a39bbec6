/* Events: where a motion first meets a surface g(t, x, v) = 0, with sensitivities.
 *
 * With X, V the sensitivities at a fixed time and g' = g_t + g_x . v + g_v . a along the motion,
 * the event's time and state vary as dt/dq = -(g_x . X + g_v . V + g_q) / g',   dx/dq = X + v
 * dt/dq,   dv/dq = V + a dt/dq.
 *
 * The search looks at the dense output of each step: at nine times, and where g turns between two
 * of them, so that a surface met twice within one step is met twice. What it finds is then reached
 * by a step of its own, so that time and state are as exact as a run that ends there.
 *
 * A start on the surface (g = 0) is no event; once left, meeting it again is. A touch (g turns at
 * the surface, by less than a tenth of the tolerance of its size beyond it) is none either: its
 * time has no sensitivities.
 */
#ifndef ARC_SIM_EVENT_H
#define ARC_SIM_EVENT_H

#include "sim/simulator.h"

typedef enum ArcSimDirection {
    ARC_SIM_FALLING = -1, /* g comes from above zero */
    ARC_SIM_EITHER = 0,
    ARC_SIM_RISING = 1
} ArcSimDirection;

/* A surface; context is borrowed. value gives g at a state (d), t counted as the motion's (from the
 * start's origin), and its partials g_t, g_x (d), g_v (d), all set. */
typedef struct ArcSimEvent {
    const void *context;
    double (*value)(const void *context, double t, const double *x, const double *v, double *g_t,
                    double *g_x, double *g_v);
    ArcSimDirection direction;
} ArcSimEvent;

/* The event: its time, g' and the state there (d each), and what they vary by: t_q (Q), x_q, v_q
 * (d,Q) row-major, total derivatives. The three of them may be NULL together, and x, v, a. */
typedef struct ArcSimMeeting {
    double t, slope;
    double *x, *v, *a;
    double *t_q, *x_q, *v_q;
} ArcSimMeeting;

/* The first event after the start, up to a time. ARC_SIM_DONE: found. ARC_SIM_NO_EVENT: none until
 * then. Else how the run ended before one was found, or ARC_SIM_NON_FINITE for a g that is not
 * finite; then meeting is undefined. At most max_steps steps are tried; each looks at g at most a
 * few hundred times. */
ArcSimEnd arc_sim_find(ArcSimulator *simulator, const ArcSimStart *start, const ArcSimEvent *event,
                       double until, ArcSimMeeting *meeting);

#endif
