/* Root-finding on dense output.
 *
 * A step is cut into equal intervals, and these where g turns, so that each piece holds one root at
 * most. The side of the surface is carried from piece to piece: a piece that ends on the other side
 * holds a root, which Newton's method finds, kept inside its bracket by bisection. */
#include "sim/event.h"

#include "sim/dop853.h"
#include "sim/integration.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { INTERVALS = 8, HALVINGS = 100, POLISHINGS = 4 };

/* A step of the search covers at most this share of the time looked through, at first: the motion
 * may be so simple that it asks for no step at all, while g is not. */
static const double first_share = 1.0 / 32;

/* Less than this share of the tolerance, times g's size, beyond the surface is a touch. */
static const double touch_share = 0.1;

/* g and its rate along the motion. */
typedef struct Sample {
    double t, g, slope;
} Sample;

typedef struct Search {
    ArcSimulator *sim;
    const ArcSimEvent *event;
    ArcSimStep step;
    double touch; /* g up to which a turn is a touch, in this step */
    int side;     /* of the surface: -1, 1; 0: not left yet */
    double root;
} Search;

/* g at a state with acceleration a (d); partials g_x, g_v (d) may be wanted. */
static Sample search_value(const Search *search, double t, const double *x, const double *v,
                           const double *a, double *g_x, double *g_v)
{
    Sample sample = {.t = t};
    double time = t - search->sim->origin;
    sample.g = search->event->value(search->event->context, time, x, v, &sample.slope, g_x, g_v);
    for (int e = 0; e < search->sim->motion.dimensions; e++)
        sample.slope += g_x[e] * v[e] + g_v[e] * a[e];
    return sample;
}

static Sample search_sample(const Search *search, double t)
{
    double x[ARC_SIM_MAX_DIMENSIONS] __attribute__((aligned(16)));
    double v[ARC_SIM_MAX_DIMENSIONS] __attribute__((aligned(16)));
    double a[ARC_SIM_MAX_DIMENSIONS], g_x[ARC_SIM_MAX_DIMENSIONS], g_v[ARC_SIM_MAX_DIMENSIONS];
    const ArcSimulator *sim = search->sim;
    arc_sim_dense_state(search->sim, &search->step, t, x, v);
    sim->motion.acceleration(sim->motion.context, t - sim->origin, x, v, sim->p, a, NULL, NULL,
                             NULL);
    return search_value(search, t, x, v, a, g_x, g_v);
}

static int sign_of(double value)
{
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

/* The side that a start is on, or leaves to. */
static int side_of(const Sample *sample)
{
    return sample->g != 0 ? sign_of(sample->g) : sign_of(sample->slope);
}

/* The time between two samples at which g (or, of_slope, its rate) comes to have the other sign
 * than at low. */
static Sample search_root(const Search *search, Sample low, Sample high, int sign_low,
                          bool of_slope)
{
    Sample at = low;
    double t = 0.5 * (low.t + high.t), from = low.t, to = high.t;
    for (int i = 0; i < HALVINGS; i++) {
        at = search_sample(search, t);
        if (sign_of(of_slope ? at.slope : at.g) == sign_low)
            from = t;
        else
            to = t;
        double next = of_slope ? 0.5 * (from + to) : t - at.g / at.slope;
        if (!(next > from && next < to))
            next = 0.5 * (from + to);
        if (fabs(next - t) <= 2 * DBL_EPSILON * fabs(t))
            break;
        t = next;
    }
    return at;
}

/* A piece in which g does not turn. True where it ends on the other side in the wanted direction;
 * the root is then set. */
static bool search_piece(Search *search, const Sample *low, const Sample *high)
{
    int side = sign_of(high->g), before = search->side;
    if (!(fabs(high->g) > search->touch)) /* its side is told by the next */
        return false;
    search->side = side;
    int wanted = (int)search->event->direction;
    if (before == 0 || side == before || (wanted != 0 && side != wanted))
        return false;
    search->root = search_root(search, *low, *high, before, false).t;
    return true;
}

/* Between two samples g may turn; where it turns at the surface it only touches it. */
static bool search_interval(Search *search, const Sample *low, const Sample *high)
{
    bool turns = sign_of(low->slope) * sign_of(high->slope) < 0;
    if (!turns || search->side * sign_of(low->slope) > 0)
        return search_piece(search, low, high);
    Sample turn = search_root(search, *low, *high, sign_of(low->slope), true);
    return search_piece(search, low, &turn) || search_piece(search, &turn, high);
}

/* Looks through the step just taken: 1 found, 0 not, -1 where g is not finite. */
static int search_step(Search *search)
{
    Sample samples[INTERVALS + 1];
    double size = 0;
    arc_sim_dense_prepare(search->sim, &search->step);
    for (int i = 0; i <= INTERVALS; i++) {
        double t = search->step.begin + search->step.h * i / INTERVALS;
        samples[i] = search_sample(search, t);
        if (!isfinite(samples[i].g) || !isfinite(samples[i].slope))
            return -1;
        size = fmax(size, fabs(samples[i].g));
    }
    search->touch = touch_share * search->sim->settings.tolerance * size;
    for (int i = 0; i < INTERVALS; i++)
        if (search_interval(search, &samples[i], &samples[i + 1]))
            return 1;
    return 0;
}

/* Total derivatives from those at the fixed time, which meeting holds. */
static void meeting_total(const Search *search, const double *a, const double *g_x,
                          const double *g_v, const double *v, ArcSimMeeting *meeting)
{
    int d = search->sim->motion.dimensions, Q = search->sim->motion.n_parameters + 2 * d;
    for (int c = 0; c < Q; c++) {
        double change = 0;
        for (int e = 0; e < d; e++)
            change += g_x[e] * meeting->x_q[e * Q + c] + g_v[e] * meeting->v_q[e * Q + c];
        meeting->t_q[c] = -change / meeting->slope;
        for (int e = 0; e < d; e++) {
            meeting->x_q[e * Q + c] += v[e] * meeting->t_q[c];
            meeting->v_q[e * Q + c] += a[e] * meeting->t_q[c];
        }
    }
}

/* Steps to the root from where its step began, corrects it, and writes the meeting. */
static ArcSimEnd search_meet(Search *search, ArcSimMeeting *meeting)
{
    ArcSimulator *sim = search->sim;
    double g_x[ARC_SIM_MAX_DIMENSIONS], g_v[ARC_SIM_MAX_DIMENSIONS], t = search->root;
    const double *x = sim->x, *v = sim->v, *a = sim->a;
    Sample at = search_value(search, search->step.begin, x, v, a, g_x, g_v);
    for (int i = 0; i < POLISHINGS && t > search->step.begin; i++) {
        if (!arc_sim_again(sim, search->step.begin, t - search->step.begin))
            return ARC_SIM_NON_FINITE;
        x = sim->x_new;
        v = sim->v + ARC_DOP853_STEP * sim->size;
        a = sim->a + ARC_DOP853_STEP * sim->size;
        at = search_value(search, t, x, v, a, g_x, g_v);
        double by = at.g / at.slope;
        if (!(fabs(by) > 2 * DBL_EPSILON * fabs(t) && fabs(by) < 0.01 * search->step.h))
            break;
        if (i + 1 < POLISHINGS)
            t -= by;
    }
    ArcSimOutput output = {meeting->x, meeting->v, meeting->a, meeting->x_q, meeting->v_q};
    arc_sim_write(sim, &output, 0, at.t, x, v);
    meeting->t = at.t;
    meeting->slope = at.slope;
    if (meeting->t_q != NULL)
        meeting_total(search, a, g_x, g_v, v, meeting);
    return ARC_SIM_DONE;
}

ArcSimEnd arc_sim_find(ArcSimulator *sim, const ArcSimStart *start, const ArcSimEvent *event,
                       double until, ArcSimMeeting *meeting)
{
    Search search = {.sim = sim, .event = event};
    double g_x[ARC_SIM_MAX_DIMENSIONS], g_v[ARC_SIM_MAX_DIMENSIONS];
    bool with_q = meeting->t_q != NULL;
    if (!arc_sim_begin(sim, start, with_q ? ARC_SIM_ALL_COLUMNS : ARC_SIM_NO_COLUMNS))
        return ARC_SIM_NON_FINITE;
    if (!(until > start->t0))
        return ARC_SIM_NO_EVENT;
    Sample first = search_value(&search, start->t0, sim->x, sim->v, sim->a, g_x, g_v);
    search.side = side_of(&first);
    ArcSimClock clock = arc_sim_clock(sim, start->t0, until);
    clock.h = fmin(clock.h, first_share * (until - start->t0));
    while (clock.now < until) {
        ArcSimEnd end = arc_sim_step(sim, &clock, &search.step);
        if (end != ARC_SIM_DONE)
            return end;
        int found = search_step(&search);
        if (found != 0)
            return found > 0 ? search_meet(&search, meeting) : ARC_SIM_NON_FINITE;
        arc_sim_advance(sim);
    }
    return ARC_SIM_NO_EVENT;
}
