/* How often a tracker's 95 % intervals hold where the ball comes down, at each tenth of the flight,
 * over simulated flights that are drawn from the experiment's priors.
 *
 *   track_coverage [--captures N] [--threads N] EXPERIMENT...
 *
 * Flight i depends on the experiment and i alone, so the table is the same for any number of
 * threads. The truth is the landing of the drawn values, by a tracker's own search. A row is a
 * tenth of the flight: of each coordinate of the landing, and of its time, the share of flights
 * whose truth is within 1.96 sd, how many of those that had a landing to tell, and the root mean
 * square of (estimate - truth) / sd; at the end of a row the calibration of the hit probability,
 * the mean of what was foretold and the share of flights that hit. A flight without a landing
 * counts as a miss.
 *
 * The binomial standard error of a share of 95 % over 4,000 is 0.34 %. A row fails where a share is
 * further from 95 % than 1.5 %, at N captures 1.5 % sqrt(4000 / N); the program then ends with 1.
 */
#include "arcfit/track.h"
#include "aim/probability.h"
#include "aim/track_landing.h"
#include "arcfit/simulate.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPTURES = 4000, TENTHS = 10, NUMBERS = 4, MOST_FRAMES = 1000, MOST_PATHS = 8 };

/* At a tenth of the flight; numbers are the coordinates of the landing and behind them the time. */
typedef struct Row {
    int inside[NUMBERS], told;
    double square[NUMBERS]; /* sum of ((estimate - truth) / sd)^2 */
    double foretold;        /* sum of hit probabilities */
    int hits;
} Row;

static void die(const char *what)
{
    fprintf(stderr, "track_coverage: %s\n", what);
    exit(2);
}

/* Where the drawn values come down. */
static bool true_landing(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                         ArcTrackMeeting *meeting)
{
    ArcError err;
    ArcFlyer *flyer = NULL;
    ArcTrackLanding landing;
    double truth[ARC_MAX_PARAMETERS];
    ArcArena *arena = arc_arena_create();
    if (arena == NULL || arc_simulate_truth(experiment, settings, truth, &err) != ARC_OK ||
        arc_flyer_create(&experiment->flight, 1e-10, arena, &flyer, &err) != ARC_OK ||
        arc_track_landing_create(experiment, flyer, arena, &landing, &err) != ARC_OK)
        die("no landing of the truth");
    bool lands = arc_track_landing_meet(&landing, truth, meeting);
    arc_arena_free(arena);
    return lands;
}

static void add(Row *row, const ArcTrack *track, const ArcTrackMeeting *truth, bool hit)
{
    int d = track->dimensions;
    if (!track->has_landing)
        return;
    row->told++;
    for (int c = 0; c <= d; c++) {
        double off =
            c < d ? track->landing_m[c] - truth->x_m[c] : track->landing_time_s - truth->time_s;
        double sd =
            c < d ? sqrt(track->landing_covariance_m2[c * (d + 1)]) : track->landing_time_sd_s;
        row->inside[c] += fabs(off) <= 1.959963984540054 * sd;
        row->square[c] += sd > 0.0 ? off * off / (sd * sd) : 0.0;
    }
    row->foretold += isnan(track->hit_probability) ? 0.0 : track->hit_probability;
    row->hits += hit;
}

/* Follows flight i; false: it never gets to the target. */
static bool follow(const ArcExperiment *experiment, int i, Row rows[TENTHS])
{
    ArcError err;
    ArcTracker *tracker = NULL;
    ArcCapture *capture = NULL;
    ArcTrackMeeting truth;
    ArcSimulateSettings settings = experiment->simulate;
    const ArcGoal *goal = &experiment->aim.goal;
    double at_s[MOST_FRAMES], offset[3] = {0};
    int n = settings.points;
    settings.replica = (uint64_t)i + 1;
    settings.draw = true;
    if (n > MOST_FRAMES || !true_landing(experiment, &settings, &truth))
        return false;
    for (int c = 0; c < experiment->flight.settings.dimensions; c++)
        offset[c] = truth.x_m[c] - goal->point_m[c];
    bool hit = arc_goal_is_target(goal) && arc_hit_is(experiment, offset, truth.v_m_s);
    for (int k = 0; k < n; k++)
        at_s[k] = settings.duration_s * k / (n - 1);
    if (arc_simulate_capture(experiment, n, at_s, settings, &capture, &err) != ARC_OK ||
        arc_tracker_create(experiment, &tracker, &err) != ARC_OK)
        die(err.text);
    for (int k = 0; k < n; k++) {
        ArcFrame frame = {.time_s = capture->time_s[k], .sigma_m = {NAN, NAN, NAN}};
        memcpy(frame.position_m, capture->position_m + k * capture->dimensions,
               sizeof(double) * (size_t)capture->dimensions);
        if (arc_tracker_add(tracker, &frame, NULL, NULL, &err) != ARC_OK)
            die(err.text);
        for (int tenth = 1; tenth <= TENTHS; tenth++)
            if (k + 1 == n * tenth / TENTHS)
                add(&rows[tenth - 1], arc_tracker_track(tracker), &truth, hit);
    }
    arc_tracker_free(tracker);
    arc_capture_free(capture);
    return true;
}

static void sum(Row *total, const Row *part)
{
    for (int c = 0; c < NUMBERS; c++) {
        total->inside[c] += part->inside[c];
        total->square[c] += part->square[c];
    }
    total->told += part->told;
    total->foretold += part->foretold;
    total->hits += part->hits;
}

/* Prints the table; returns how many shares fail. */
static int print(const ArcExperiment *experiment, int n, const Row rows[TENTHS])
{
    static const char *const names[] = {"x", "y", "z"};
    int d = experiment->flight.settings.dimensions, failed = 0;
    double allowed = 1.5 * sqrt((double)CAPTURES / n);
    printf("| tenth | number | inside %% | rms of off / sd | told %% | foretold, hit %% |\n"
           "| --- | --- | --- | --- | --- | --- |\n");
    for (int tenth = 0; tenth < TENTHS; tenth++)
        for (int c = 0; c <= d; c++) {
            const Row *row = &rows[tenth];
            double share = 100.0 * row->inside[c] / n;
            bool off = fabs(share - 95.0) > allowed;
            if (c < d && row->square[c] == 0.0)
                continue; /* across the target */
            failed += off;
            printf("| %d | %s | %.2f | %.3f | %.2f | %.2f, %.2f |%s\n", tenth + 1,
                   c < d ? names[c] : "time", share,
                   sqrt(row->square[c] / (row->told > 0 ? row->told : 1)), 100.0 * row->told / n,
                   100.0 * row->foretold / n, 100.0 * row->hits / n, off ? " outside" : "");
        }
    return failed;
}

static int positive(const char *text)
{
    int n = text == NULL ? 0 : atoi(text);
    if (n < 1)
        die("--captures and --threads need a number from 1 on");
    return n;
}

/* Follows all flights of an experiment and prints their table; returns how many shares fail. */
static int run(const char *path, int captures, int threads)
{
    ArcError err;
    ArcExperiment *experiment = NULL;
    Row rows[TENTHS] = {0};
    int n = 0;
    if (arc_experiment_read(path, 0, NULL, &experiment, &err) != ARC_OK)
        die(err.text);
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (int i = 0; i < captures; i++) {
        Row part[TENTHS] = {0};
        bool lands = follow(experiment, i, part);
#pragma omp critical
        {
            n += lands;
            for (int tenth = 0; tenth < TENTHS && lands; tenth++)
                sum(&rows[tenth], &part[tenth]);
        }
    }
    printf("%s\n\n", path);
    int failed = n > 0 ? print(experiment, n, rows) : 1;
    printf("\n%d flights of %d get to the target; %d outside\n\n", n, captures, failed);
    fflush(stdout);
    arc_experiment_free(experiment);
    return failed;
}

int main(int argc, char **argv)
{
    int captures = CAPTURES, threads = omp_get_max_threads(), failed = 0, n_paths = 0;
    const char *paths[MOST_PATHS];
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--captures") == 0)
            captures = positive(argv[++i]);
        else if (strcmp(argv[i], "--threads") == 0)
            threads = positive(argv[++i]);
        else if (n_paths < MOST_PATHS)
            paths[n_paths++] = argv[i];
    }
    if (n_paths == 0)
        die("usage: track_coverage [--captures N] [--threads N] EXPERIMENT...");
    for (int i = 0; i < n_paths; i++)
        failed += run(paths[i], captures, threads);
    return failed > 0;
}
