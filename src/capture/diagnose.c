/* The diagnosis of a capture: its longest flight with free gravity, and what that shows.
 *
 * Where gravity comes out several times too large or small, a unit or a clock is wrong; drag and
 * lift are then expected by how far the points reach alone, since no length can be believed. Its
 * parts: cadence.c (times), reasons.c (scale), findings.c (each warning).
 */
#include "capture/diagnosing.h"

#include "capture/findings.h"
#include "capture/seen.h"
#include "solve/statistics.h"

#include <math.h>
#include <string.h>

/* Gravity by its points alone: an sd of so many times its size. */
static const double open_share = 1e3;
/* Accelerations within these of gravity's size may be a flight at the right scale. */
static const double low_ratio = 0.2, high_ratio = 5.0;
/* At an unknown scale: drag and lift by how far they bend the whole way; gravity's sd. */
static const double way_drag = 0.3, way_lift = 0.3, guess_share = 0.3;
/* Errors larger than this share of the way are no errors but another path. */
static const double error_share = 0.02;
/* Coordinates left over from which on their size is taken for that of the errors, and what their
 * median is worth of them; the chance that is meant by clear. */
static const double least_dof = 6.0, median_share = 0.4, small_chance = 3e-6;
/* Drag that depends on the speed by a law of its own is followed only roughly. */
static const double steep_caution = 2.5;
/* Windows of so many parts of the points tell the acceleration that most of them have. */
enum { PARTS = 6, LEAST_WINDOW = 5, MOST_WINDOWS = 256 };
enum { MOST_ROUNDS = 4 };
/* A slip of the clock by dropped frames, at most. */
static const double most_slip_steps = 12.0;

const char *arc_finding_code(ArcFinding finding)
{
    static const char *const codes[] = {
#define ARC_X(name, code) [name] = code,
        ARC_FINDING_LIST(ARC_X)
#undef ARC_X
    };
    return codes[finding];
}

ArcWarning *arc_diagnosing_warn(ArcDiagnosing *diagnosing, ArcFinding finding)
{
    ArcDiagnosis *made = diagnosing->made;
    if (made->n_warnings == ARC_WARNINGS_MOST)
        return NULL;
    ArcWarning *warning = &made->warnings[made->n_warnings++];
    *warning = (ArcWarning){.finding = finding, .value = NAN, .sd = NAN, .expected = NAN};
    for (int i = 0; i < ARC_WARNING_POINTS; i++)
        warning->points[i] = -1;
    return warning;
}

void arc_diagnosing_name(const ArcDiagnosing *diagnosing, ArcWarning *warning, int i)
{
    int at = 0;
    while (at < ARC_WARNING_POINTS && warning->points[at] >= 0)
        at++;
    if (at < ARC_WARNING_POINTS)
        warning->points[at] = diagnosing->points.point[i];
    warning->n++;
}

static double size_of(int d, const double *vector)
{
    double square = 0.0;
    for (int e = 0; e < d; e++)
        square += vector[e] * vector[e];
    return sqrt(square);
}

/* The acceleration of a parabola through begin to end - 1. */
static bool parabola(const ArcDiagnosing *diagnosing, int begin, int end, double a[3])
{
    ArcExpectation straight = {0};
    ArcBallistic fit;
    const ArcTrack *track = diagnosing->track;
    double way = arc_track_way(track, begin, end),
           span = track->time_s[end - 1] - track->time_s[begin];
    if (!(way > 0.0))
        return false;
    straight.gravity_sd_m_s2 = 1e4 * way / (span * span);
    straight.drag_sd_per_m = 1e-6 / way;
    straight.drag_change = 1.0;
    straight.lift_sd_per_m = 1e-6 / way;
    if (!arc_ballistic_fit(diagnosing->work, track, begin, end, &straight, &fit))
        return false;
    memcpy(a, fit.p + 2 * track->d, sizeof(double) * (size_t)track->d);
    return true;
}

/* The acceleration that most parts of the track have; false where none has one. */
static bool usual_acceleration(const ArcDiagnosing *diagnosing, double a[3])
{
    const ArcTrack *track = diagnosing->track;
    double found[3][MOST_WINDOWS], one[3];
    int window = track->n / PARTS > LEAST_WINDOW ? track->n / PARTS : LEAST_WINDOW, n = 0;
    if (track->n < 2 * LEAST_WINDOW)
        return parabola(diagnosing, 0, track->n, a);
    int by = window / 2 > track->n / MOST_WINDOWS + 1 ? window / 2 : track->n / MOST_WINDOWS + 1;
    for (int begin = 0; begin + window <= track->n && n < MOST_WINDOWS; begin += by)
        if (parabola(diagnosing, begin, begin + window, one)) {
            for (int e = 0; e < track->d; e++)
                found[e][n] = one[e];
            n++;
        }
    for (int e = 0; e < track->d && n > 0; e++)
        a[e] = arc_track_median(n, found[e]);
    return n > 0;
}

/* Another gravity, at an unknown scale: how far the points reach is all that is known. */
static ArcExpectation guess(const ArcDiagnosing *diagnosing, const double a[3])
{
    const ArcTrack *track = diagnosing->track;
    ArcExpectation expected = diagnosing->expected;
    double size = size_of(track->d, a);
    double ratio = size / fmax(size_of(track->d, expected.gravity_m_s2), 1e-9);
    memcpy(expected.gravity_m_s2, a, sizeof(double) * (size_t)track->d);
    expected.gravity_sd_m_s2 = guess_share * size;
    if (ratio > low_ratio && ratio < high_ratio)
        return expected;
    double way = arc_track_way(track, 0, track->n);
    expected.air = NULL;
    expected.drag_per_m = expected.drag_sd_per_m = way_drag / way;
    expected.lift_sd_per_m = way_lift / way;
    return expected;
}

static int points_in(int n, const ArcStretch *stretches)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += stretches[i].n_points;
    return sum;
}

/* Finds the flights, of which the diagnosis keeps the longest: with gravity as it is known, and
 * where that leaves most points over with the one that most of them have. */
static ArcStatus find_flights(ArcDiagnosing *diagnosing, ArcStretch flights[ARC_STRETCHES_MOST],
                              ArcError *err)
{
    ArcStretch found[2][ARC_STRETCHES_MOST];
    const ArcTrack *track = diagnosing->track;
    int n[2] = {0, 0}, best = 0, longest = 0, up = diagnosing->flight->settings.up;
    double a[3] = {0};
    ArcExpectation expected[2] = {diagnosing->expected, diagnosing->expected};
    ArcStatus status =
        arc_stretches_grow(track, &expected[0], up, diagnosing->arena, found[0], &n[0], err);
    bool is_poor = 2 * points_in(n[0], found[0]) < track->n;
    if (status == ARC_OK && is_poor && usual_acceleration(diagnosing, a) && size_of(3, a) > 0.0) {
        expected[1] = guess(diagnosing, a);
        status =
            arc_stretches_grow(track, &expected[1], up, diagnosing->arena, found[1], &n[1], err);
        best = points_in(n[1], found[1]) > points_in(n[0], found[0]);
    }
    if (status != ARC_OK)
        return status;
    diagnosing->expected = expected[best];
    diagnosing->made->n_stretches = n[best];
    memcpy(flights, found[best], sizeof *flights * (size_t)n[best]);
    for (int i = 1; i < n[best]; i++)
        if (found[best][i].n_points > found[best][longest].n_points)
            longest = i;
    diagnosing->begin = 0;
    diagnosing->end = track->n;
    if (n[best] > 0) {
        diagnosing->made->stretch = found[best][longest];
        diagnosing->begin = found[best][longest].first;
        diagnosing->end = found[best][longest].last + 1;
    }
    return ARC_OK;
}

double arc_diagnosing_error(const ArcDiagnosing *diagnosing)
{
    const ArcBallistic *fit = &diagnosing->fit;
    double error = fit->dof >= least_dof ? fmax(fit->factor, sqrt(fit->chi2 / fit->dof)) : 1.0;
    return diagnosing->sigma_is_known ? fmax(error, 1.0) : error;
}

double arc_diagnosing_caution(const ArcDiagnosing *diagnosing)
{
    double dof = fmax(median_share * diagnosing->fit.dof, 1.0);
    bool is_steep = diagnosing->flight->settings.drag > ARC_DRAG_QUADRATIC;
    double caution = is_steep ? steep_caution : 1.0;
    if (diagnosing->sigma_is_known)
        return caution;
    return caution * arc_statistics_t_quantile(1.0 - small_chance, dof) /
           arc_statistics_normal_quantile(1.0 - small_chance);
}

bool arc_diagnosing_fit(ArcDiagnosing *diagnosing)
{
    const ArcTrack *track = diagnosing->track;
    int d = track->d, begin = diagnosing->begin, n = diagnosing->end - begin;
    ArcBallistic *fit = &diagnosing->fit;
    if (!arc_ballistic_fit(diagnosing->work, track, begin, diagnosing->end, &diagnosing->expected,
                           fit))
        return false;
    arc_ballistic_at(fit, &diagnosing->expected, n, track->time_s + begin, diagnosing->x,
                     diagnosing->v, NULL);
    for (int i = 0; i < n * d; i++) {
        double x = track->position_m[begin * d + i];
        diagnosing->off[i] =
            isnan(x) ? 0.0 : (x - diagnosing->x[i]) / track->sigma_m[begin * d + i];
        if (!isfinite(diagnosing->off[i]))
            return false;
    }
    return true;
}

/* The flight whole, where no stretch was found: too few points, or nothing that falls. */
static void settle_whole(ArcDiagnosing *diagnosing)
{
    const ArcTrack *track = diagnosing->track;
    double sum = 0.0;
    for (int i = 0; i < track->n * track->d; i++)
        sum += isnan(track->position_m[i]) ? 0.0 : track->sigma_m[i];
    double error = diagnosing->fit.factor * sum / diagnosing->fit.n_coordinates;
    bool is_flight =
        diagnosing->fit.dof < 6.0 || error < error_share * arc_track_way(track, 0, track->n);
    diagnosing->made->has_flight = is_flight;
    diagnosing->made->stretch =
        (ArcStretch){.first = 0,
                     .last = track->n - 1,
                     .window_s = {track->time_s[0], track->time_s[track->n - 1]},
                     .n_points = track->n,
                     .outside = {-1, -1},
                     .off_m = {NAN, NAN},
                     .off_sd = {NAN, NAN}};
    if (!is_flight)
        arc_diagnosing_warn(diagnosing, ARC_FINDING_NO_FLIGHT);
}

/* The flights, and the longest of them fitted with gravity left open. */
static ArcStatus settle_flight(ArcDiagnosing *diagnosing, ArcError *err)
{
    diagnosing->expected = arc_expectation_of(diagnosing->flight, diagnosing->track->time_s[0]);
    diagnosing->expected.slip_steps = most_slip_steps;
    ArcStretch flights[ARC_STRETCHES_MOST];
    ArcStatus status = find_flights(diagnosing, flights, err);
    if (status != ARC_OK)
        return status;
    double size = size_of(3, diagnosing->expected.gravity_m_s2);
    diagnosing->expected.gravity_sd_m_s2 = open_share * fmax(size, 1e-3);
    diagnosing->made->has_flight = arc_diagnosing_fit(diagnosing);
    return ARC_OK;
}

static ArcStatus diagnose_flight(ArcDiagnosing *diagnosing, ArcError *err)
{
    ArcDiagnosis *made = diagnosing->made;
    bool has_slipped = true;
    ArcStatus status = settle_flight(diagnosing, err);
    if (status == ARC_OK && made->has_flight && made->n_stretches == 0)
        settle_whole(diagnosing);
    for (int round = 0; round < MOST_ROUNDS && has_slipped && status == ARC_OK; round++) {
        has_slipped = false;
        if (made->has_flight)
            status = arc_cadence_find_dropped(diagnosing, &has_slipped, err);
        /* With the times put right more may belong to the flight. */
        bool is_cut = made->stretch.outside[0] >= 0 || made->stretch.outside[1] >= 0;
        has_slipped = has_slipped && is_cut;
        if (has_slipped && status == ARC_OK)
            status = settle_flight(diagnosing, err);
    }
    if (status != ARC_OK || !made->has_flight)
        return status;
    arc_findings_of_gravity(diagnosing);
    arc_cadence_find_repeated(diagnosing);
    arc_findings_of_ends(diagnosing);
    arc_stretch_renumber(&diagnosing->points, &diagnosing->made->stretch);
    return arc_findings_of_errors(diagnosing, err);
}

/* The gravest first, by the order of the findings. */
static void put_in_order(ArcDiagnosis *made)
{
    for (int i = 1; i < made->n_warnings; i++)
        for (int j = i; j > 0 && made->warnings[j - 1].finding > made->warnings[j].finding; j--) {
            ArcWarning kept = made->warnings[j];
            made->warnings[j] = made->warnings[j - 1];
            made->warnings[j - 1] = kept;
        }
}

static ArcStatus diagnose(ArcDiagnosing *diagnosing, ArcError *err)
{
    const ArcCapture *capture = diagnosing->capture;
    ArcStatus status = arc_track_create(capture, diagnosing->sigma_is_known, diagnosing->arena,
                                        &diagnosing->points, err);
    if (status != ARC_OK)
        return status;
    size_t n = (size_t)diagnosing->points.track.n, d = (size_t)capture->dimensions;
    double *room = ARC_ALLOC(diagnosing->arena, n, double);
    diagnosing->work = arc_ballistic_work_create(diagnosing->arena);
    diagnosing->off = ARC_ALLOC(diagnosing->arena, n * d, double);
    diagnosing->x = ARC_ALLOC(diagnosing->arena, n * d, double);
    diagnosing->v = ARC_ALLOC(diagnosing->arena, n * d, double);
    if (room == NULL || diagnosing->work == NULL || diagnosing->off == NULL ||
        diagnosing->x == NULL || diagnosing->v == NULL)
        return arc_error_no_memory(err);
    diagnosing->track = &diagnosing->points.track;
    diagnosing->made->n_used = diagnosing->track->n;
    arc_cadence_find(diagnosing, room);
    arc_seen_find_offsets(diagnosing);
    if (diagnosing->track->n >= 2)
        status = diagnose_flight(diagnosing, err);
    put_in_order(diagnosing->made);
    return status;
}

ArcStatus arc_diagnosis_create(const ArcCapture *capture, const ArcFlight *flight,
                               bool sigma_is_known, const ArcOpen *open, ArcDiagnosis *diagnosis,
                               ArcError *err)
{
    ArcDiagnosis made = {.noise_m = {NAN, NAN, NAN},
                         .speed_m_s = {NAN, NAN},
                         .gravity_m_s2 = NAN,
                         .gravity_sd_m_s2 = NAN,
                         .tilt_rad = NAN,
                         .tilt_sd_rad = NAN,
                         .drag_per_m = NAN,
                         .drag_sd_per_m = NAN};
    if (capture->n_channels > 0) { /* nothing is known of how such states move */
        *diagnosis = made;
        return ARC_OK;
    }
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcDiagnosing diagnosing = {.capture = capture,
                                .flight = flight,
                                .sigma_is_known = sigma_is_known,
                                .open = open != NULL ? *open : (ArcOpen){0},
                                .arena = arena,
                                .made = &made};
    ArcStatus status = diagnose(&diagnosing, err);
    arc_arena_free(arena);
    if (status == ARC_OK)
        *diagnosis = made;
    return status;
}

ArcStatus arc_stretches_find_unscaled(const ArcCapture *capture, const ArcFlight *flight,
                                      bool sigma_is_known, ArcStretch stretches[ARC_STRETCHES_MOST],
                                      int *n, ArcError *err)
{
    ArcDiagnosis made = {0};
    ArcStretch found[ARC_STRETCHES_MOST];
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcDiagnosing diagnosing = {.capture = capture,
                                .flight = flight,
                                .sigma_is_known = sigma_is_known,
                                .work = arc_ballistic_work_create(arena),
                                .arena = arena,
                                .made = &made};
    ArcStatus status = diagnosing.work == NULL ? arc_error_no_memory(err)
                                               : arc_track_create(capture, sigma_is_known, arena,
                                                                  &diagnosing.points, err);
    diagnosing.track = &diagnosing.points.track;
    if (status == ARC_OK && diagnosing.track->n >= 2) {
        diagnosing.expected = arc_expectation_of(flight, diagnosing.track->time_s[0]);
        status = find_flights(&diagnosing, found, err);
    }
    for (int i = 0; i < made.n_stretches && status == ARC_OK; i++) {
        stretches[i] = found[i];
        arc_stretch_renumber(&diagnosing.points, &stretches[i]);
    }
    if (status == ARC_OK)
        *n = made.n_stretches;
    arc_arena_free(arena);
    return status;
}
