/* Noise of synthetic captures. A stream a kind and replica, so that none shifts another's numbers.
 */
#include "fit/noise.h"

#include <math.h>

ArcNoiseSource arc_noise_source(const ArcExperiment *experiment,
                                const ArcSimulateSettings *settings)
{
    return (ArcNoiseSource){experiment->seed, settings->replica, settings->flight};
}

/* Replicas lie in the upper half of the stream's number. */
ArcRandom arc_noise_stream(ArcNoiseSource source, uint64_t stream)
{
    return arc_random_create(source.seed, stream + (source.flight << 8) + (source.replica << 32));
}

ArcStatus arc_noise_check(const ArcNoise *noise, double sigma_m, ArcError *err)
{
    double share = noise->dropped_share, run = noise->dropped_run;
    if (!(sigma_m > 0.0 && isfinite(sigma_m)))
        return arc_error_set(err, ARC_INPUT,
                             "error: how much noise? sigma is %g m; give --sigma or the "
                             "experiment's capture.sigma, more than 0",
                             sigma_m);
    double size = isnan(noise->outlier_size_m) ? noise->outlier_size_sd : noise->outlier_size_m;
    if (!(noise->outlier_share >= 0.0 && noise->outlier_share <= 1.0) || !(size >= 0.0) ||
        isinf(size))
        return arc_error_set(err, ARC_INPUT,
                             "error: outliers of share %g and size %g; the share is 0 to 1, the "
                             "size 0 or more",
                             noise->outlier_share, size);
    if (!(share >= 0.0 && share < 1.0) || !(isnan(run) || run >= 1.0))
        return arc_error_set(err, ARC_INPUT,
                             "error: a share %g of frames dropped in runs of %g; the share is 0 "
                             "to below 1, the run 1 or more",
                             share, run);
    /* Between two runs there is a frame at least. */
    if (run * (1.0 - share) < share)
        return arc_error_set(err, ARC_INPUT,
                             "error: a share %g of frames dropped wants runs of %g or more, not "
                             "of %g, since a frame stands between two runs",
                             share, share / (1.0 - share), run);
    const ArcSensor *sensor = &noise->sensor;
    if (!(noise->jitter_s >= 0.0 && isfinite(noise->jitter_s)) || sensor->quantisation_m < 0.0 ||
        isinf(sensor->quantisation_m))
        return arc_error_set(err, ARC_INPUT,
                             "error: rounding to %g m and a jitter of %g s; both are 0 or more",
                             sensor->quantisation_m, noise->jitter_s);
    if (isinf(sensor->latency_s) || sensor->latency_sd_s < 0.0 || isinf(sensor->latency_sd_s) ||
        sensor->bias_m < 0.0 || isinf(sensor->bias_m) || sensor->bias_px < 0.0 ||
        isinf(sensor->bias_px))
        return arc_error_set(err, ARC_INPUT,
                             "error: a latency of %g s +- %g s, a bias of %g m or %g px; all are "
                             "finite, and but for the latency itself 0 or more",
                             sensor->latency_s, sensor->latency_sd_s, sensor->bias_m,
                             sensor->bias_px);
    return ARC_OK;
}

void arc_noise_drop(const ArcNoise *noise, ArcNoiseSource source, int n, bool *kept)
{
    ArcRandom random = arc_noise_stream(source, ARC_STREAM_DROPPED);
    double share = noise->dropped_share;
    double run = isnan(noise->dropped_run) ? 1.0 / (1.0 - share) : noise->dropped_run;
    double enter = share / (run * (1.0 - share)), stay = 1.0 - 1.0 / run;
    bool lost = arc_random_uniform(&random, 0.0, 1.0) < share;
    for (int i = 0; i < n; i++) {
        kept[i] = !lost || i == 0 || i == n - 1;
        lost = arc_random_uniform(&random, 0.0, 1.0) < (lost ? stay : enter);
    }
}

void arc_noise_jitter(const ArcNoise *noise, ArcNoiseSource source, int n, const double *t_s,
                      double *true_s)
{
    ArcRandom random = arc_noise_stream(source, ARC_STREAM_JITTER);
    for (int i = 0; i < n; i++)
        true_s[i] = t_s[i] + noise->jitter_s * arc_random_normal(&random);
}

/* By the inverse of the grid where that is whole, since 0.1 * 3 is not 0.3. */
double arc_noise_round(double grid, double x)
{
    double inverse = round(1.0 / grid);
    if (!(grid > 0.0))
        return x;
    return inverse * grid == 1.0 ? round(x * inverse) / inverse : round(x / grid) * grid;
}

static bool is_in_pixels(const ArcExperiment *experiment)
{
    return experiment->capture.n_cameras > 0 || experiment->capture.position_is_px;
}

/* All of it, whatever is a parameter. Every camera takes its numbers, whether they are used or not.
 */
static ArcNoiseOffset draw_offset(const ArcExperiment *experiment,
                                  const ArcSimulateSettings *settings, int camera)
{
    const ArcSensor *sensor = &settings->noise.sensor;
    double bias = is_in_pixels(experiment) ? sensor->bias_px : sensor->bias_m;
    ArcNoiseSource source = arc_noise_source(experiment, settings);
    source.flight = 0;
    ArcRandom random = arc_noise_stream(source, ARC_STREAM_SENSOR);
    ArcNoiseOffset offset = {0};
    for (int c = 0; c <= camera; c++) {
        double late = arc_random_normal(&random);
        offset.latency_s =
            isnan(sensor->latency_s) ? 0.0 : sensor->latency_s + sensor->latency_sd_s * late;
        for (int k = 0; k < 3; k++) {
            double off = arc_random_normal(&random);
            offset.bias[k] = isnan(bias) ? 0.0 : bias * off;
        }
    }
    return offset;
}

/* The number of an offset that a parameter stands for: 0 latency, from 1 on the bias; -1: none. */
static int part_of(int measure)
{
    if (measure == ARC_MEASURE_LATENCY)
        return 0;
    if (measure < ARC_MEASURE_BIAS_U || measure > ARC_MEASURE_BIAS_Z)
        return -1;
    return 1 + measure - (measure < ARC_MEASURE_BIAS_X ? ARC_MEASURE_BIAS_U : ARC_MEASURE_BIAS_X);
}

ArcNoiseOffset arc_noise_offset(const ArcExperiment *experiment,
                                const ArcSimulateSettings *settings, int camera)
{
    ArcNoiseOffset offset = draw_offset(experiment, settings, camera);
    for (int i = 0; i < experiment->n_parameters; i++) {
        const ArcParameter *parameter = &experiment->parameters[i];
        int part = part_of(parameter->measure);
        if (part < 0 || (parameter->camera < 0 ? 0 : parameter->camera) != camera)
            continue;
        *(part == 0 ? &offset.latency_s : &offset.bias[part - 1]) = 0.0;
    }
    return offset;
}

bool arc_noise_gives(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                     const ArcParameter *parameter, double *value)
{
    const ArcSensor *sensor = &settings->noise.sensor;
    int part = part_of(parameter->measure);
    double bias = is_in_pixels(experiment) ? sensor->bias_px : sensor->bias_m;
    if (part < 0 || isnan(part == 0 ? sensor->latency_s : bias))
        return false;
    ArcNoiseOffset offset =
        draw_offset(experiment, settings, parameter->camera < 0 ? 0 : parameter->camera);
    *value = part == 0 ? offset.latency_s : offset.bias[part - 1];
    return true;
}

void arc_noise_add(const ArcNoise *noise, ArcNoiseSource source, double sigma_m, int n, int d,
                   double *x_m)
{
    ArcRandom random = arc_noise_stream(source, ARC_STREAM_NOISE);
    ArcRandom choice = arc_noise_stream(source, ARC_STREAM_OUTLIERS);
    double outlier_m =
        isnan(noise->outlier_size_m) ? noise->outlier_size_sd * sigma_m : noise->outlier_size_m;
    for (int i = 0; i < n; i++) {
        bool is_outlier = arc_random_uniform(&choice, 0.0, 1.0) < noise->outlier_share;
        double sd_m = is_outlier ? outlier_m : sigma_m;
        for (int c = 0; c < d; c++) {
            double *x = &x_m[i * d + c];
            *x = arc_noise_round(noise->sensor.quantisation_m,
                                 *x + sd_m * arc_random_normal(&random));
        }
    }
}
