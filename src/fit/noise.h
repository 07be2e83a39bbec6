/* Noise of synthetic captures (arcfit/simulate.h has its equations). */
#ifndef ARC_FIT_NOISE_H
#define ARC_FIT_NOISE_H

#include "arcfit/experiment.h"
#include "base/random.h"

/* Whose random numbers: of a seed, by kind, replica and flight. */
typedef struct ArcNoiseSource {
    uint64_t seed, replica, flight;
} ArcNoiseSource;

ArcNoiseSource arc_noise_source(const ArcExperiment *experiment,
                                const ArcSimulateSettings *settings);

/* stream: one of random.h's below ARC_STREAM_BOOTSTRAP. */
ArcRandom arc_noise_stream(ArcNoiseSource source, uint64_t stream);

/* ARC_INPUT where a share, size or sd is out of range, or lost frames cannot have such runs. */
ArcStatus arc_noise_check(const ArcNoise *noise, double sigma_m, ArcError *err);

/* kept (n): false where the frame is lost. */
void arc_noise_drop(const ArcNoise *noise, ArcNoiseSource source, int n, bool *kept);

/* true_s (n) of the stated t_s. */
void arc_noise_jitter(const ArcNoise *noise, ArcNoiseSource source, int n, const double *t_s,
                      double *true_s);

/* What a camera (0 also of positions in metres) of a capture is constantly off by: latency, and
 * bias in px or m of each axis; drawn once for all flights of a capture. Without what a parameter
 * of the experiment stands for, which has it for its value (arc_noise_gives). */
typedef struct ArcNoiseOffset {
    double latency_s, bias[3];
} ArcNoiseOffset;
ArcNoiseOffset arc_noise_offset(const ArcExperiment *experiment,
                                const ArcSimulateSettings *settings, int camera);

/* The value of a parameter of the measurement where the noise has it; else false. */
bool arc_noise_gives(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                     const ArcParameter *parameter, double *value);

/* The nearest multiple of the grid; x itself where that is 0 or NaN. */
double arc_noise_round(double grid, double x);

/* Gaussian noise, outliers and rounding onto x_m (n, d). */
void arc_noise_add(const ArcNoise *noise, ArcNoiseSource source, double sigma_m, int n, int d,
                   double *x_m);

#endif
