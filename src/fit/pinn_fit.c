/* The PINN fit: the widening ladder of nets, the stages on each, and the judge between the nodes.
 *
 * A net counts as fine enough when the physics residual on the grid that training never saw is at
 * most 0.1 sigma_phys. Where points pull against the equations (a bounce in the data, or a
 * `physics` that lets the flight break the model) the residual is rightly larger; then a net is
 * fine enough once widening it changed the residual by no more than that.
 */
#include "fit/pinn.h"

#include <math.h>
#include <string.h>

static const double judge_share = 0.1; /* of sigma_phys */
static const double points_a_unit = 1.5;
enum { LEAST_COLLOCATION = 32, MAX_RESPANS = 8 };

typedef struct Rung {
    int width, collocation;
    double slope_low, slope_high;
} Rung;

static const Rung ladder[] = {
    {24, 32, 1.0, 1.5}, {48, 72, 1.5, 3.0}, {96, 144, 3.0, 10.0}, {160, 240, 5.0, 20.0}};
enum { N_RUNGS = sizeof ladder / sizeof ladder[0] };

static int hidden_units(const ArcNetSettings *net)
{
    int units = 0;
    for (int i = 0; i < net->n_hidden; i++)
        units += net->widths[i];
    return units;
}

/* Collocation points: as wished, but never so few that the net could wiggle between them. */
static int collocation_of(const ArcPinnSettings *settings, const ArcNetSettings *net, int automatic)
{
    int least = (int)ceil(1.3 * hidden_units(net));
    if (settings->collocation > 0)
        return settings->collocation > least ? settings->collocation : least;
    return automatic;
}

static ArcStatus train(ArcPinn *pinn, ArcHistory *history, ArcArena *arena, ArcOutcome *outcome,
                       ArcError *err)
{
    const ArcPinnSettings *settings = &pinn->problem->pinn;
    ArcStatus status = ARC_OK;
    outcome->stop = ARC_STOP_LIMIT;
    bool last_linear = false;
    for (int i = 0; i < settings->n_stages && status == ARC_OK; i++) {
        const ArcStage *stage = &settings->stages[i];
        last_linear = stage->optimizer == ARC_OPTIMIZER_LINEAR;
        status = last_linear
                     ? arc_pinn_train_linear(pinn, stage->steps, history, arena, outcome, err)
                     : arc_pinn_train_weights(pinn, stage->steps, history, arena, outcome, err);
        history->stage++;
        if (outcome->stop == ARC_STOP_INTERRUPTED)
            break;
    }
    if (status == ARC_OK && !last_linear) {
        /* The posterior is that of the linear problem at the weights just found. */
        ArcStop stop = outcome->stop;
        status = arc_pinn_train_linear(pinn, 0, history, arena, outcome, err);
        outcome->stop = stop;
    }
    return status;
}

static bool pinn_states(void *context, int n, const double *t_s, double *x, double *v, double *a);

/* One net trained; a t0 that left the span is followed by a new span. */
static ArcStatus train_net(const ArcProblem *problem, const ArcNetSettings *net, int collocation,
                           ArcHistory *history, ArcArena *arena, ArcOutcome *outcome, ArcError *err)
{
    ArcPinn *pinn = NULL;
    outcome->iterations = 0;
    ArcStatus status = arc_pinn_create(problem, net, collocation, arena, &pinn, err);
    for (int attempt = 0; status == ARC_OK; attempt++) {
        status = train(pinn, history, arena, outcome, err);
        if (status != ARC_OK || outcome->stop == ARC_STOP_INTERRUPTED || arc_pinn_fits_span(pinn))
            break;
        if (attempt == MAX_RESPANS) {
            outcome->stop = ARC_STOP_LIMIT;
            break;
        }
        arc_pinn_respan(pinn);
    }
    if (status != ARC_OK)
        return status;
    outcome->values = pinn->values;
    outcome->sigma_phys_m_s2 = pinn->sigma_phys_m_s2;
    outcome->physics_rms_m_s2 = arc_pinn_physics_rms(pinn);
    outcome->physics_rms_fine_m_s2 = arc_pinn_physics_rms_fine(pinn);
    outcome->trajectory = (ArcTrajectory){pinn, pinn_states};
    outcome->net = (ArcFittedNet){.settings = pinn->settings,
                                  .n_weights = pinn->n_weights,
                                  .weights = pinn->weights,
                                  .span_s = pinn->span_s,
                                  .scale_m_s2 = pinn->scale_m_s2,
                                  .collocation = pinn->M};
    return ARC_OK;
}

/* In batches, since the net's scratch has room for so many points. */
static bool pinn_states(void *context, int n, const double *t_s, double *x, double *v, double *a)
{
    ArcPinn *pinn = context;
    int d = pinn->problem->d, batch = pinn->F;
    double t0 = pinn->values[pinn->problem->t0_index];
    double *tau = pinn->batch_tau, *s = pinn->batch_s;
    for (int begin = 0; begin < n; begin += batch) {
        int count = n - begin < batch ? n - begin : batch;
        for (int i = 0; i < count; i++) {
            s[i] = t_s[begin + i] - t0;
            tau[i] = 2.0 * s[i] / pinn->span_s - 1.0;
        }
        arc_net_forward(pinn->net, pinn->work, pinn->weights, count, tau, pinn->jets);
        arc_pinn_states(pinn, count, s);
        const double *from[3] = {pinn->x, pinn->v, pinn->a};
        double *to[3] = {x, v, a};
        for (int part = 0; part < 3; part++)
            if (to[part] != NULL)
                memcpy(to[part] + begin * d, from[part], sizeof(double) * (size_t)(count * d));
    }
    return true;
}

static bool fine_enough(const ArcOutcome *outcome, double rms_before)
{
    double allowed = judge_share * outcome->sigma_phys_m_s2;
    double rms = outcome->physics_rms_fine_m_s2;
    return rms <= allowed || fabs(rms - rms_before) <= allowed;
}

/* The better of two nets: converged first, then by the residual between the nodes. */
static bool is_better(const ArcOutcome *a, const ArcOutcome *b)
{
    if (b->T == NULL || a->T == NULL)
        return a->T != NULL;
    if (a->converged != b->converged)
        return a->converged;
    return a->physics_rms_fine_m_s2 < b->physics_rms_fine_m_s2;
}

static ArcStatus climb(const ArcProblem *problem, ArcHistory *history, ArcArena *arena,
                       ArcOutcome *best, ArcError *err)
{
    double rms_before = INFINITY;
    int iterations = 0;
    for (int i = 0; i < N_RUNGS; i++) {
        const Rung *rung = &ladder[i];
        ArcNetSettings net = arc_net_settings_default();
        net.widths[0] = rung->width;
        net.slope_low = rung->slope_low;
        net.slope_high = rung->slope_high;
        ArcOutcome outcome = {0};
        int collocation = collocation_of(&problem->pinn, &net, rung->collocation);
        ArcStatus status = train_net(problem, &net, collocation, history, arena, &outcome, err);
        if (status != ARC_OK)
            return status;
        iterations += outcome.iterations;
        outcome.converged =
            arc_stop_is_converged(outcome.stop) && fine_enough(&outcome, rms_before);
        rms_before = outcome.physics_rms_fine_m_s2;
        if (i == 0 || is_better(&outcome, best))
            *best = outcome;
        if (best->converged || outcome.stop == ARC_STOP_INTERRUPTED)
            break;
    }
    best->iterations = iterations;
    return ARC_OK;
}

ArcStatus arc_pinn_fit(const ArcProblem *problem, const ArcFitOptions *options, ArcArena *arena,
                       ArcOutcome *outcome, ArcError *err)
{
    int capacity = 0;
    for (int i = 0; i < problem->pinn.n_stages; i++)
        capacity += problem->pinn.stages[i].steps;
    ArcHistory history;
    ArcStatus status =
        arc_history_create(ARC_PINN, options, capacity * N_RUNGS + 1, arena, &history, err);
    if (status != ARC_OK)
        return status;
    *outcome = (ArcOutcome){0};
    if (problem->pinn.net_auto) {
        status = climb(problem, &history, arena, outcome, err);
    } else {
        const ArcNetSettings *net = &problem->pinn.net;
        int automatic = (int)ceil(points_a_unit * hidden_units(net));
        if (automatic < LEAST_COLLOCATION)
            automatic = LEAST_COLLOCATION;
        status = train_net(problem, net, collocation_of(&problem->pinn, net, automatic), &history,
                           arena, outcome, err);
        bool loose = problem->pinn.sigma_phys_m_s2 > 0.0;
        /* One net alone cannot tell a broken model from a coarse net; nodes and grid must agree. */
        double rms = loose ? outcome->physics_rms_m_s2 : INFINITY;
        outcome->converged =
            status == ARC_OK && arc_stop_is_converged(outcome->stop) && fine_enough(outcome, rms);
    }
    outcome->n_history = history.n;
    outcome->history = history.rows;
    return status;
}
