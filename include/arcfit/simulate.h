/* Synthetic captures: an experiment's own parameters flown, with noise.
 *
 * A frame's stated time is t_i. The ball is seen where it is at the true time t_i + jitter z
 * (before release: where it would have come from), every coordinate off by sigma z. An outlier's
 * coordinates are off by its own standard deviation instead (Tukey's contaminated normal
 * distribution: A Survey of Sampling from Contaminated Distributions, 1960). Lost frames are a
 * Markov chain of two states with the wanted share and mean run (Gilbert, Bell Syst. Tech. J. 39
 * (1960) 1253). Last the coordinates are rounded to the grid. The sigma that the capture states is
 * always the plain one. A sensor's latency and bias (sensor.h) are drawn once a capture; where the
 * experiment has parameters of these names they are their values. What `randomise` lists
 * (randomise.h) is drawn once a replica, for all its flights.
 *
 * Of an arm the release follows from its parameters. Its swing is followed backwards from there and
 * seen at evenly spaced times, what an encoder gives with its offset and gain; readings are of the
 * release.
 *
 * Own equations run from their starts (defaults where none is given) and are seen by channel, the
 * states unless channels are chosen; noise counts each channel's standard deviations.
 *
 * The random numbers are the experiment's seed's. Every kind of noise has a stream of its own, so
 * that turning one on leaves the others as they were; so has every replica, and of flights that are
 * thrown together every one. Those have one truth of what flights share.
 */
#ifndef ARCFIT_SIMULATE_H
#define ARCFIT_SIMULATE_H

#include "arcfit/capture.h"
#include "arcfit/experiment.h"

#pragma GCC visibility push(default)

/* The parameters that are flown, truth (n_parameters of the experiment): fixed values and starts;
 * with settings.draw those with a prior from it. t0 is 0 unless set. ARC_INPUT where release
 * position or velocity, or a joint of an arm, has no value, or the bounds leave a prior nothing to
 * draw. */
ArcStatus arc_simulate_truth(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                             double *truth, ArcError *err);

/* The time that they take from t0 until the ball is back at release height; NaN where it never
 * rises or does not come back within a minute. Errors as arc_simulate_capture. */
ArcStatus arc_simulate_flight_time(const ArcExperiment *experiment,
                                   const ArcSimulateSettings *settings, double *seconds,
                                   ArcError *err);

/* Number of frames, and times_s: what settings say of points, duration and rate, or list. *times_s
 * is for free. ARC_INPUT: fewer than two frames, points, duration and rate all three given, or own
 * equations and no duration. */
ArcStatus arc_simulate_times(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                             int *n, double **times_s, ArcError *err);

/* Flies the truth at n ascending times. settings by value: its points, duration and rate are not
 * looked at. ARC_INPUT: as arc_simulate_truth, no sigma, a time before t0, noise that cannot be, a
 * swing or readings without an arm or sigma; ARC_NUMERIC where flight or swing cannot be followed.
 */
ArcStatus arc_simulate_capture(const ArcExperiment *experiment, int n, const double *t_s,
                               ArcSimulateSettings settings, ArcCapture **capture, ArcError *err);

/* Of own equations: the standard deviation of a channel's noise in their own units; NaN: the
 * channel is not seen, or none is given. */
double arc_simulate_sigma(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                          int channel);

/* What the comment of a file says beside seed and sigma: the noise and the truth, a line each;
 * empty for gaussian noise alone on one capture without drawing. Of flights thrown together the
 * first one's begins with what they share. Caller frees with arc_text_free. */
ArcStatus arc_simulate_text(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                            char **text, ArcError *err);

#pragma GCC visibility pop

#endif
