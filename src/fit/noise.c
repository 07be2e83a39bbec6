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
    if (!(noise->rounding_m >= 0.0 && isfinite(noise->rounding_m)) ||
        !(noise->jitter_s >= 0.0 && isfinite(noise->jitter_s)))
        return arc_error_set(err, ARC_INPUT,
                             "error: rounding to %g m and a jitter of %g s; both are 0 or more",
                             noise->rounding_m, noise->jitter_s);
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

/* The nearest multiple; by the inverse of the grid where that is whole, since 0.1 * 3 is not 0.3.
 */
static double round_to(double grid_m, double x_m)
{
    double inverse = round(1.0 / grid_m);
    return inverse * grid_m == 1.0 ? round(x_m * inverse) / inverse : round(x_m / grid_m) * grid_m;
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
            *x += sd_m * arc_random_normal(&random);
            if (noise->rounding_m > 0.0)
                *x = round_to(noise->rounding_m, *x);
        }
    }
}
