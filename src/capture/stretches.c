/* Stretches of free flight.
 *
 * From a seed of a few points a stretch grows to both sides: the flight through its points is
 * carried on over the next ones, and these belong to it until some lie clearly off: by `clear`
 * errors, the prediction's own among them, one after the other, and so far that it takes a push of
 * `push` gravities at least to bring the ball there. What a law of drag or lift leaves out pushes
 * less; a hand, a floor or a racket more. A stretch counts where its own gravity, left free, comes
 * out as gravity.
 */
#include "capture/stretches.h"

#include <math.h>
#include <string.h>

enum { SEED = 5, LEAST = 5, MOST_GROWTHS = 60, MOST_WRONG = 3 };
static const double clear = 5.0, single = 8.0, push = 0.7;
/* What is off by so small a share of the way predicted, or of the stretch, is no contact. */
static const double way_share = 2e-3, stretch_share = 4e-4;
/* A gap so many times the stretch or the usual step ends it. */
static const double gap_stretches = 2.0, gap_steps = 30.0;
/* The gravity of a stretch by itself: known to this share, and right to that. */
static const double known_share = 0.3, right_share = 0.35, free_share = 1e2;
/* Errors larger than this share of the way are no errors but another path. */
static const double error_share = 0.01;
/* A ball that comes back with less of its speed than this has been caught. */
static const double rebound_share = 0.15;
/* Velocities that a contact would not leave so alike. */
static const double same_m_s = 0.1, same_share = 0.03;

typedef struct Grower {
    const ArcTrack *track;
    const ArcExpectation *expected;
    ArcBallisticWork *work;
    double *time_s, *x, *v, *sd; /* room for a prediction */
    double g_m_s2, step_s;       /* size of gravity, usual step in time */
    int up;
} Grower;

/* How far point i lies from a predicted position: largest of the axes, in errors. */
typedef struct Off {
    double size_m, errors, push_m_s2;
    bool is_seen;
} Off;

static Off off_at(const Grower *grower, const ArcBallistic *fit, int i, int row, int edge)
{
    const ArcTrack *track = grower->track;
    int d = track->d;
    Off off = {0};
    double factor = fmax(fit->factor, 1.0), square = 0.0, way = 0.0, allowed = 0.0;
    for (int e = 0; e < d; e++) {
        double x = track->position_m[i * d + e], from = track->position_m[edge * d + e];
        double moved = grower->x[row * d + e] - from;
        way += isfinite(moved) ? moved * moved : 0.0;
        off.is_seen = off.is_seen || isfinite(x);
    }
    for (int e = 0; e < d; e++) {
        double away = track->position_m[i * d + e] - grower->x[row * d + e];
        if (isnan(away))
            continue;
        double error = factor * hypot(track->sigma_m[i * d + e], grower->sd[row * d + e]);
        error = hypot(error, way_share * sqrt(way));
        error = hypot(error, stretch_share * fit->speed_m_s * fit->span_s);
        off.errors = fmax(off.errors, fabs(away) / error);
        square += away * away;
        allowed = fmax(allowed, error);
    }
    double s = fabs(track->time_s[i] - track->time_s[edge]);
    off.size_m = sqrt(square);
    off.push_m_s2 = 2.0 * (off.size_m - 2.0 * allowed) / (s * s);
    return off;
}

/* Predicts points from to (not included) by the fit, in the grower's room. False where the flight
 * cannot be carried on so far. */
static bool predict(const Grower *grower, const ArcBallistic *fit, int from, int to)
{
    int n = to - from, d = grower->track->d;
    arc_ballistic_at(fit, grower->expected, n, grower->track->time_s + from, grower->x, grower->v,
                     grower->sd);
    for (int i = 0; i < n * d; i++)
        if (!isfinite(grower->x[i]) || !isfinite(grower->sd[i]))
            return false;
    return true;
}

static bool is_off(const Grower *grower, const Off *off, double errors)
{
    return off->is_seen && off->errors > errors && off->push_m_s2 > push * grower->g_m_s2;
}

/* Whether a run of points from k on, in the direction of a side, stays off the flight: more of them
 * than a few wrong ones, or up to the last that is looked at. */
static bool stays_off(const Grower *grower, const ArcBallistic *fit, int edge, int from, int side,
                      int k, int look)
{
    int n_off = 0;
    for (int j = k; j < look && n_off <= MOST_WRONG; j++) {
        int i = side == 1 ? edge + 1 + j : edge - 1 - j;
        Off off = off_at(grower, fit, i, i - from, edge);
        if (off.is_seen && !is_off(grower, &off, clear))
            return false;
        n_off += off.is_seen;
    }
    int last = side == 1 ? edge + look : edge - look;
    bool is_last = last == (side == 1 ? grower->track->n - 1 : 0);
    int i = side == 1 ? edge + 1 + k : edge - 1 - k;
    Off off = off_at(grower, fit, i, i - from, edge);
    return n_off > 1 || (is_last && off.errors > single);
}

/* How many of the next points on a side belong to the flight through begin to end - 1, of `look`
 * that are asked for; some more, up to `room`, are looked at. */
static int accepted(const Grower *grower, const ArcBallistic *fit, int begin, int end, int side,
                    int look, int room)
{
    const ArcTrack *track = grower->track;
    int beyond = look + 1 + MOST_WRONG < room ? look + 1 + MOST_WRONG : room;
    int from = side == 1 ? end : begin - beyond, edge = side == 1 ? end - 1 : begin;
    double span = track->time_s[end - 1] - track->time_s[begin];
    for (int k = 0; k < beyond; k++) {
        int i = side == 1 ? end + k : begin - 1 - k;
        double gap = fabs(track->time_s[i] - track->time_s[side == 1 ? i - 1 : i + 1]);
        if (gap > gap_stretches * span && gap > gap_steps * grower->step_s)
            beyond = k;
    }
    if (!predict(grower, fit, from, side == 1 ? end + beyond : begin))
        return 0;
    look = look < beyond ? look : beyond;
    for (int k = 0; k < look; k++) {
        int i = side == 1 ? end + k : begin - 1 - k;
        Off off = off_at(grower, fit, i, i - from, edge);
        if (is_off(grower, &off, clear) && stays_off(grower, fit, edge, from, side, k, beyond))
            return k;
    }
    return look;
}

/* Points at an end that are off by the stretch's own flight. */
static int trimmed(const Grower *grower, const ArcBallistic *fit, int begin, int end, int side)
{
    const ArcTrack *track = grower->track;
    int d = track->d, n = end - begin, most = n / 4 < 6 ? n / 4 : 6, cut = 0;
    if (!predict(grower, fit, begin, end))
        return 0;
    for (; cut < most; cut++) {
        int i = side == 1 ? end - 1 - cut : begin + cut;
        bool is_off = false;
        for (int e = 0; e < d; e++) {
            double away = track->position_m[i * d + e] - grower->x[(i - begin) * d + e];
            double error = fmax(fit->factor, 1.0) * track->sigma_m[i * d + e];
            is_off = is_off || fabs(away) > clear * error;
        }
        if (!is_off)
            break;
    }
    return cut;
}

/* Grows begin to end - 1 to both sides; false where no flight goes through it. */
static bool grow(const Grower *grower, int low, int high, int *begin, int *end, ArcBallistic *fit)
{
    bool stopped[2] = {*begin <= low, *end >= high};
    for (int round = 0; round < MOST_GROWTHS; round++) {
        if (!arc_ballistic_fit(grower->work, grower->track, *begin, *end, grower->expected, fit))
            return false;
        if (stopped[0] && stopped[1])
            return true;
        int side = stopped[0] ? 1 : stopped[1] ? 0 : round % 2 == 0;
        int look = (*end - *begin) / 2 + 2, room = side == 1 ? high - *end : *begin - low;
        look = look < room ? look : room;
        int more = accepted(grower, fit, *begin, *end, side, look, room);
        *end += side == 1 ? more : 0;
        *begin -= side == 0 ? more : 0;
        stopped[side] = more < look || more == room;
    }
    return true;
}

static double error_of(const Grower *grower, const ArcBallistic *fit, int begin, int end)
{
    const ArcTrack *track = grower->track;
    double sum = 0.0;
    int n = 0;
    for (int i = begin * track->d; i < end * track->d; i++)
        if (isfinite(track->position_m[i])) {
            sum += track->sigma_m[i];
            n++;
        }
    return fit->factor * sum / n;
}

/* Whether gravity, left free, comes out of the stretch as it is expected. */
static bool falls(const Grower *grower, int begin, int end)
{
    ArcExpectation open = *grower->expected;
    ArcBallistic fit;
    int d = grower->track->d;
    double along = 0.0, variance = 0.0, factor;
    open.gravity_sd_m_s2 = free_share * grower->g_m_s2;
    if (!arc_ballistic_fit(grower->work, grower->track, begin, end, &open, &fit))
        return false;
    factor = fmax(fit.factor, 1.0);
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            double unit_i = open.gravity_m_s2[i] / grower->g_m_s2;
            double unit_j = open.gravity_m_s2[j] / grower->g_m_s2;
            along += i == j ? unit_i * fit.p[2 * d + i] : 0.0;
            variance += unit_i * unit_j * fit.covariance[(2 * d + i) * fit.m + 2 * d + j];
        }
    double sd = factor * sqrt(variance) / grower->g_m_s2, share = along / grower->g_m_s2;
    return sd < known_share && share > 3.0 * sd && fabs(share - 1.0) < right_share + 2.0 * sd &&
           error_of(grower, &fit, begin, end) <
               error_share * arc_track_way(grower->track, begin, end);
}

/* What lies beyond an end of a stretch that has been grown. */
static void describe_end(const Grower *grower, const ArcBallistic *fit, int side,
                         ArcStretch *stretch)
{
    const ArcTrack *track = grower->track;
    int d = track->d, edge = side == 1 ? stretch->last : stretch->first;
    int i = side == 1 ? edge + 1 : edge - 1, next = side == 1 ? i + 1 : i - 1;
    stretch->outside[side] = -1;
    stretch->off_m[side] = stretch->off_sd[side] = NAN;
    for (int e = 0; e < 3; e++)
        stretch->jump_m_s[side][e] = NAN;
    stretch->ends[side] = ARC_END_OF_POINTS;
    if (i < 0 || i >= track->n)
        return;
    stretch->outside[side] = i;
    double gap = fabs(track->time_s[i] - track->time_s[edge]);
    double span = stretch->window_s[1] - stretch->window_s[0];
    bool is_gap = gap > gap_stretches * span && gap > gap_steps * grower->step_s;
    stretch->ends[side] = is_gap ? ARC_END_GAP : ARC_END_CONTACT;
    if (!predict(grower, fit, i, i + 1))
        return;
    Off off = off_at(grower, fit, i, 0, edge);
    stretch->off_m[side] = off.size_m;
    stretch->off_sd[side] = off.errors;
    if (is_gap || next < 0 || next >= track->n)
        return;
    double h = track->time_s[next] - track->time_s[i], before = grower->v[grower->up];
    for (int e = 0; e < d; e++) {
        double beyond = (track->position_m[next * d + e] - track->position_m[i * d + e]) / h;
        stretch->jump_m_s[side][e] = (side == 1 ? 1.0 : -1.0) * (beyond - grower->v[e]);
    }
    /* From the ground the ball comes up again; before the first bounce it came down. */
    double jump = stretch->jump_m_s[side][grower->up];
    double beyond = side == 1 ? before + jump : before - jump;
    double sigma = track->sigma_m[i * d + grower->up] * fmax(fit->factor, 1.0);
    double least = rebound_share * fabs(before) + clear * sigma / fabs(h);
    if (side == 1 ? before < 0.0 && beyond > least : before > 0.0 && beyond < -least)
        stretch->ends[side] = ARC_END_BOUNCE;
}

/* The median step in time. */
static double usual_step(const ArcTrack *track, double *room)
{
    for (int i = 0; i + 1 < track->n; i++)
        room[i] = track->time_s[i + 1] - track->time_s[i];
    return track->n > 1 ? arc_track_median(track->n - 1, room) : 0.0;
}

/* fits: of its first part and of its last. */
static ArcStretch finish(const Grower *grower, const ArcBallistic *const fits[2], int begin,
                         int end)
{
    const ArcTrack *track = grower->track;
    ArcStretch stretch = {.first = begin, .last = end - 1, .n_points = end - begin};
    stretch.window_s[0] = track->time_s[begin];
    stretch.window_s[1] = track->time_s[end - 1];
    for (int side = 0; side < 2; side++)
        describe_end(grower, fits[side], side, &stretch);
    return stretch;
}

/* A stretch grown from the seed at `at` between low and high; false where there is none. *past:
 * where to go on. */
static bool stretch_from(const Grower *grower, int at, int low, int high, ArcStretch *stretch,
                         int *past)
{
    ArcBallistic fit;
    int begin = at, end = at + SEED;
    *past = at + 1;
    if (!grow(grower, low, high, &begin, &end, &fit))
        return false;
    int first = begin == low ? 0 : trimmed(grower, &fit, begin, end, 0);
    int last = end == high ? 0 : trimmed(grower, &fit, begin, end, 1);
    begin += first;
    end -= last;
    *past = end > *past ? end - (end - at) / 2 : *past;
    if (end - begin < LEAST || !falls(grower, begin, end) ||
        !arc_ballistic_fit(grower->work, grower->track, begin, end, grower->expected, &fit))
        return false;
    const ArcBallistic *const fits[2] = {&fit, &fit};
    *stretch = finish(grower, fits, begin, end);
    *past = end;
    return true;
}

/* Points of begin to end - 1 that lie off one flight through all of them, by so many errors; -1
 * where there is none. */
static int n_off_one_flight(const Grower *grower, int begin, int end, double factor,
                            ArcBallistic *fit)
{
    const ArcTrack *track = grower->track;
    int d = track->d, n_off = 0;
    if (!arc_ballistic_fit(grower->work, track, begin, end, grower->expected, fit) ||
        !predict(grower, fit, begin, end))
        return -1;
    for (int i = begin; i < end; i++) {
        bool is_off = false;
        for (int e = 0; e < d; e++) {
            double away = track->position_m[i * d + e] - grower->x[(i - begin) * d + e];
            is_off = is_off || fabs(away) > clear * factor * track->sigma_m[i * d + e];
        }
        n_off += is_off;
    }
    return n_off;
}

/* Two flights of which the second is the first one some time later, no more than a slip of the
 * clock lets it be: nothing has touched the ball between. */
static bool flies_on(const Grower *grower, const ArcBallistic fits[2], double time_s)
{
    int d = grower->track->d;
    double x[2][3], v[2][3], sd[3], half = 0.5 * grower->step_s;
    arc_ballistic_at(&fits[1], grower->expected, 1, &time_s, x[1], v[1], sd);
    for (int slip = 0; 0.5 * slip <= grower->expected->slip_steps; slip++) {
        double then_s = time_s + slip * half, jump2 = 0.0, speed2 = 0.0, away2 = 0.0;
        arc_ballistic_at(&fits[0], grower->expected, 1, &then_s, x[0], v[0], sd);
        for (int e = 0; e < d; e++) {
            jump2 += (v[1][e] - v[0][e]) * (v[1][e] - v[0][e]);
            away2 += (x[1][e] - x[0][e]) * (x[1][e] - x[0][e]);
            speed2 += v[0][e] * v[0][e];
        }
        if (sqrt(jump2) < same_m_s + same_share * sqrt(speed2) && sqrt(away2) < half * sqrt(speed2))
            return true;
    }
    return false;
}

/* Two stretches are one where one flight goes through both, or the ball flies on from the one (from
 * its last piece, that begins at point `piece`) to the other: a few wrong points or a slip of the
 * clock had parted them. */
static bool merge(const Grower *grower, ArcStretch *one, int piece, const ArcStretch *next)
{
    ArcBallistic fit, fits[2];
    const int first[2] = {piece, next->first}, last[2] = {one->last, next->last};
    double factor = 1.0, middle_s = 0.5 * (one->window_s[1] + next->window_s[0]);
    for (int i = 0; i < 2; i++) {
        if (!arc_ballistic_fit(grower->work, grower->track, first[i], last[i] + 1, grower->expected,
                               &fits[i]))
            return false;
        factor = fmax(factor, fits[i].factor);
    }
    int begin = one->first, end = next->last + 1;
    int n_off = n_off_one_flight(grower, begin, end, factor, &fit);
    bool is_one = n_off >= 0 && n_off <= MOST_WRONG;
    if (one->ends[1] == ARC_END_GAP || (!is_one && !flies_on(grower, fits, middle_s)))
        return false;
    const ArcBallistic *const parts[2] = {is_one ? &fit : &fits[0], is_one ? &fit : &fits[1]};
    ArcStretch made = finish(grower, parts, begin, end);
    if (!is_one) { /* what its first piece saw before it */
        made.ends[0] = one->ends[0];
        made.off_m[0] = one->off_m[0];
        made.off_sd[0] = one->off_sd[0];
        memcpy(made.jump_m_s[0], one->jump_m_s[0], sizeof made.jump_m_s[0]);
    }
    *one = made;
    return true;
}

ArcStatus arc_stretches_grow(const ArcTrack *track, const ArcExpectation *expected, int up,
                             ArcArena *arena, ArcStretch stretches[ARC_STRETCHES_MOST], int *n,
                             ArcError *err)
{
    size_t room = (size_t)track->n, d = (size_t)track->d;
    Grower grower = {.track = track,
                     .expected = expected,
                     .work = arc_ballistic_work_create(arena),
                     .time_s = ARC_ALLOC(arena, room, double),
                     .x = ARC_ALLOC(arena, room * d, double),
                     .v = ARC_ALLOC(arena, room * d, double),
                     .sd = ARC_ALLOC(arena, room * d, double),
                     .up = up};
    if (grower.work == NULL || grower.time_s == NULL || grower.x == NULL || grower.v == NULL ||
        grower.sd == NULL)
        return arc_error_no_memory(err);
    for (int e = 0; e < track->d; e++)
        grower.g_m_s2 = hypot(grower.g_m_s2, expected->gravity_m_s2[e]);
    grower.step_s = usual_step(track, grower.time_s);
    *n = 0;
    int low = 0, piece = 0;
    for (int at = 0, past; at + SEED <= track->n && *n < ARC_STRETCHES_MOST; at = past) {
        ArcStretch found;
        if (!stretch_from(&grower, at, low, track->n, &found, &past))
            continue;
        low = found.last + 1;
        if (*n == 0 || !merge(&grower, &stretches[*n - 1], piece, &found))
            stretches[(*n)++] = found;
        piece = found.first;
    }
    return ARC_OK;
}

void arc_stretch_renumber(const ArcTrackPoints *points, ArcStretch *stretch)
{
    stretch->first = points->point[stretch->first];
    stretch->last = points->point[stretch->last];
    for (int side = 0; side < 2; side++)
        if (stretch->outside[side] >= 0)
            stretch->outside[side] = points->point[stretch->outside[side]];
}

ArcStatus arc_stretches_find(const ArcCapture *capture, const ArcFlight *flight,
                             bool sigma_is_known, ArcStretch stretches[ARC_STRETCHES_MOST], int *n,
                             ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcTrackPoints points;
    ArcStretch found[ARC_STRETCHES_MOST];
    int n_found = 0;
    ArcStatus status = arena == NULL
                           ? arc_error_no_memory(err)
                           : arc_track_create(capture, sigma_is_known, arena, &points, err);
    if (status == ARC_OK && points.track.n > 0) {
        ArcExpectation expected = arc_expectation_of(flight, points.time_s[0]);
        status = arc_stretches_grow(&points.track, &expected, flight->settings.up, arena, found,
                                    &n_found, err);
    }
    for (int i = 0; i < n_found && status == ARC_OK; i++) {
        stretches[i] = found[i];
        arc_stretch_renumber(&points, &stretches[i]);
    }
    if (status == ARC_OK)
        *n = n_found;
    arc_arena_free(arena);
    return status;
}
