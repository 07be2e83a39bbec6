/* Times the tracker for scripts/bench: what a frame takes, warm, on one core.
 *
 *   bench_track TRACK-EXPERIMENT EXPERIMENT
 *
 * Flights of 30 and of 100 frames are simulated by the first experiment, drawn from its priors, and
 * followed frame by frame, all that is said after each included; the median is over all frames of
 * all flights. The second is the flight of direct_fit_us, in turns with the first: the ratio tells
 * more than times on a machine that others use too. Prints NAME VALUE UNIT.
 */
#include "arcfit/track.h"
#include "arcfit/simulate.h"

#include "measure.h"

#include <math.h>
#include <stdio.h>

enum { FLIGHTS = 40, MOST_FRAMES = 100, FITS_A_FLIGHT = 20 };

static const int frames[] = {30, 100};

/* All frames of the i-th flight, their times into times_us. */
static ArcStatus time_flight(const ArcExperiment *experiment, int n, int i, double *times_us,
                             ArcError *err)
{
    ArcSimulateSettings settings = experiment->simulate;
    ArcCapture *capture = NULL;
    ArcTracker *tracker = NULL;
    double at_s[MOST_FRAMES];
    settings.draw = true;
    settings.noise = (ArcNoise){.outlier_size_m = NAN, .dropped_run = NAN};
    settings.noise.sensor = arc_sensor_default();
    settings.replica = (uint64_t)i + 1;
    for (int k = 0; k < n; k++)
        at_s[k] = experiment->simulate.duration_s * k / (n - 1);
    ArcStatus status = arc_simulate_capture(experiment, n, at_s, settings, &capture, err);
    if (status == ARC_OK)
        status = arc_tracker_create(experiment, &tracker, err);
    for (int k = 0; k < n && status == ARC_OK; k++) {
        ArcFrame frame = {.time_s = capture->time_s[k], .sigma_m = {NAN, NAN, NAN}};
        for (int c = 0; c < capture->dimensions; c++)
            frame.position_m[c] = capture->position_m[k * capture->dimensions + c];
        double begin_us = measure_now_us();
        status = arc_tracker_add(tracker, &frame, NULL, NULL, err);
        times_us[k] = measure_now_us() - begin_us;
    }
    arc_tracker_free(tracker);
    arc_capture_free(capture);
    return status;
}

static ArcStatus time_fits(const ArcProblem *problem, double *times_us, ArcError *err)
{
    ArcStatus status = ARC_OK;
    for (int i = 0; i < FITS_A_FLIGHT && status == ARC_OK; i++) {
        ArcFit *fit = NULL;
        status = arc_fit_run(problem, ARC_DIRECT, NULL, &fit, err);
        times_us[i] = status == ARC_OK ? 1e6 * fit->wall_s : 0.0;
        arc_fit_free(fit);
    }
    return status;
}

static ArcStatus time_all(const ArcExperiment *experiment, const ArcProblem *problem, ArcError *err)
{
    static double of_frames[FLIGHTS * MOST_FRAMES], of_fits[FLIGHTS * FITS_A_FLIGHT];
    ArcStatus status = ARC_OK;
    double fit_us = NAN, most_us = 0.0;
    for (int kind = 0; kind < 2; kind++) {
        int n = frames[kind];
        for (int i = -1; i < FLIGHTS && status == ARC_OK; i++) {
            int at = i < 0 ? 0 : i; /* the first is for warmth */
            status = time_flight(experiment, n, at, of_frames + at * n, err);
            if (status == ARC_OK)
                status = time_fits(problem, of_fits + at * FITS_A_FLIGHT, err);
        }
        if (status != ARC_OK)
            return status;
        fit_us = measure_median(FLIGHTS * FITS_A_FLIGHT, of_fits);
        double frame_us = measure_median(FLIGHTS * n, of_frames);
        printf("track_frame_us_%d %.1f us\n", n, frame_us);
        most_us = fmax(most_us, frame_us);
    }
    printf("track_frame_us %.1f us\nratio_track_direct %.2f 1\n", most_us, most_us / fit_us);
    return ARC_OK;
}

int main(int argc, char **argv)
{
    ArcError err;
    ArcExperiment *experiment = NULL, *plain = NULL;
    ArcCapture *capture = NULL;
    ArcProblem *problem = NULL;
    if (argc != 3) {
        fputs("usage: bench_track TRACK-EXPERIMENT EXPERIMENT\n", stderr);
        return 2;
    }
    ArcStatus status = arc_experiment_read(argv[1], 0, NULL, &experiment, &err);
    if (status == ARC_OK)
        status = arc_experiment_read(argv[2], 0, NULL, &plain, &err);
    if (status == ARC_OK)
        status = arc_capture_read(&plain->capture, &capture, &err);
    if (status == ARC_OK)
        status = arc_problem_create(plain, capture, &problem, &err);
    if (status == ARC_OK)
        status = time_all(experiment, problem, &err);
    if (status != ARC_OK)
        fprintf(stderr, "%s\n", err.text);
    arc_problem_free(problem);
    arc_capture_free(capture);
    arc_experiment_free(plain);
    arc_experiment_free(experiment);
    return arc_status_exit_code(status);
}
