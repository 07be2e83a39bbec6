/* Predictions of a fit: where its flight is, and when and where it crosses a plane. */
#ifndef ARCFIT_PREDICT_H
#define ARCFIT_PREDICT_H

#include "arcfit/fit.h"

#pragma GCC visibility push(default)

/* States with standard deviations; (n,d) each, any may be NULL. sd is NaN where the data cannot
 * tell. Of own equations x_m and x_sd_m are those of the channels, (n,n_channels), each in its
 * unit, and velocities are left alone. With a closure its weights are unknown beside the
 * parameters, by the covariance of both; where the fit holds none (fit.h) they count as known. */
typedef struct ArcPrediction {
    double *x_m, *v_m_s, *x_sd_m, *v_sd_m_s;
    double *x_covariance_m2; /* (n,d,d) of the position at each time; none of own equations */
} ArcPrediction;

/* State with bands at times inside or beyond the data: flies fit's estimate through the simulator.
 * t_s (n) ascending. ARC_INPUT: a time before t0. ARC_USAGE: a fit that has lost its closure.
 * ARC_NUMERIC: the flight cannot be followed so far. */
ArcStatus arc_predict_state(const ArcExperiment *experiment, const ArcFit *fit, int n,
                            const double *t_s, const ArcPrediction *prediction, ArcError *err);

/* The first crossing of a plane after t0. sds at the crossing: of its time, and of
 * the state there (the axis itself has sd 0). */
typedef struct ArcCrossing {
    bool crossed;
    double t_s, t_sd_s;
    double x_m[3], v_m_s[3], x_sd_m[3], v_sd_m_s[3];
} ArcCrossing;

/* Looks limit_s far after t0. ARC_OK also where nothing is crossed. ARC_USAGE: own equations. */
ArcStatus arc_predict_crossing(const ArcExperiment *experiment, const ArcFit *fit, ArcPlane plane,
                               double limit_s, ArcCrossing *crossing, ArcError *err);

/* A meeting of a trajectory with the plane that it bounces on: the row before it, and the state on
 * arrival. */
typedef struct ArcMet {
    int row;
    double time_s;
    double x_m[3], v_m_s[3], a_m_s2[3];
} ArcMet;

/* The first bounces of fit's own trajectory, at most so many; returns how many there are. */
int arc_predict_bounces(const ArcFlight *flight, const ArcFit *fit, int most, ArcMet *bounces);

/* By how much fit's own trajectory leaves the equations of motion: its accelerations less those of
 * the model at its positions and velocities, residual_m_s2 (n_trajectory,d). The model is that of
 * the estimates, with closure and wind, and behind a bounce with the spin that it left. A direct
 * fit's is rounding, a PINN's what its net leaves; behind the last fitted point both are simulated.
 * NaN where the trajectory is. ARC_USAGE: own equations; a fit that has lost its closure or has no
 * accelerations. ARC_MEMORY. */
ArcStatus arc_predict_physics(const ArcExperiment *experiment, const ArcFit *fit,
                              double *residual_m_s2, ArcError *err);

/* Where and when the ball was by each point of capture, as fit sees it through clock, scale, roll,
 * biases and cameras: time_s (n), position_m (n,d). A pixel of a space camera is a ray, of which it
 * is the point next to the flight. NaN: a coordinate that is missing, a point that the fit has no
 * position for (predicted_m). ARC_USAGE: own equations. ARC_INPUT: capture is another one.
 * ARC_MEMORY. */
ArcStatus arc_predict_seen(const ArcExperiment *experiment, const ArcFit *fit,
                           const ArcCapture *capture, double *time_s, double *position_m,
                           ArcError *err);

#pragma GCC visibility pop

#endif
