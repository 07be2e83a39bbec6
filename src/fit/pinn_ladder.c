/* The ladder of wider nets, and when one is fine enough. */
#include "fit/closed.h"
#include "fit/phase.h"
#include "fit/pinn.h"

#include <math.h>
#include <string.h>

static const double judge_share = 0.1; /* of sigma_phys */
/* Of its: what is left of a torque's corners changes its sign from node to node. */
static const double phase_judge_share = 0.5;
/* Of own equations, whose rates may have kinks that no net follows. */
static const double system_judge_share = 1.0;
static const double points_a_unit = 1.5;
enum { LEAST_COLLOCATION = 32 };

typedef struct Rung {
    int width, collocation;
    double slope_low, slope_high;
} Rung;

static const Rung ladder[] = {
    {24, 32, 1.0, 1.5}, {48, 72, 1.5, 3.0}, {96, 144, 3.0, 10.0}, {160, 240, 5.0, 20.0}};
enum { N_RUNGS = sizeof ladder / sizeof ladder[0] };

/* Of a swing, which bends more: narrower nets cannot follow what its torques leave open, and the
 * standard deviations come out too small (of 64 units by 2 %, of 48 by 10 %). */
static const Rung swing_ladder[] = {
    {72, 108, 4.0, 8.0}, {96, 144, 5.0, 10.0}, {160, 240, 5.0, 20.0}};
enum { N_SWING_RUNGS = sizeof swing_ladder / sizeof swing_ladder[0] };

/* Of own equations: the first has a number of units for each turn of what is observed. Centres lie
 * 2.4 / width apart; slopes between 0.03 and 0.12 of the width overlap as those above do. Of many
 * states the widest take too long. The last comes twice, drawn anew for the motion that it found.
 */
static const int system_widths[] = {48, 96, 160, 240, 360, 540, 720};
static const int units_a_turn = 10, most_columns = 1600, least_widths = 2;
enum { N_SYSTEM_WIDTHS = sizeof system_widths / sizeof system_widths[0] };

static int n_system_widths(const ArcProblem *problem)
{
    int n = N_SYSTEM_WIDTHS;
    while (n > least_widths && system_widths[n - 1] * problem->D > most_columns)
        n--;
    return n;
}

static int first_system_width(const ArcProblem *problem)
{
    int first = 0, wanted = units_a_turn * (problem->phase->turns + 1);
    while (first < n_system_widths(problem) - 1 && system_widths[first] < wanted)
        first++;
    return first;
}

static Rung rung_of(const ArcProblem *problem, int rung)
{
    if (problem->equations == NULL)
        return ladder[rung];
    int i = first_system_width(problem) + rung, last = n_system_widths(problem) - 1;
    int width = system_widths[i < last ? i : last];
    return (Rung){width, (int)ceil(points_a_unit * width), 0.03 * width, 0.12 * width};
}

static int hidden_units(const ArcNetSettings *net)
{
    int units = 0;
    for (int i = 0; i < net->n_hidden; i++)
        units += net->widths[i];
    return units;
}

/* The net of a rung, and its collocation points: as wished, but never so few that the net could
 * wiggle between them. Each window of time is such a net and brings its points. */
static int collocation_of(const ArcProblem *problem, const Rung *rung, ArcNetSettings *net)
{
    const ArcPinnSettings *settings = &problem->pinn;
    int automatic;
    if (settings->net_auto) {
        *net = arc_net_settings_default();
        net->widths[0] = rung->width;
        net->slope_low = rung->slope_low;
        net->slope_high = rung->slope_high;
        automatic = rung->collocation;
    } else {
        *net = settings->net;
        automatic = (int)ceil(points_a_unit * hidden_units(net));
        automatic = automatic < LEAST_COLLOCATION ? LEAST_COLLOCATION : automatic;
    }
    net->windows = settings->windows > 1 ? settings->windows : 1;
    int least = net->windows * (int)ceil(1.3 * hidden_units(net));
    if (settings->collocation > 0)
        return settings->collocation > least ? settings->collocation : least;
    return net->windows * automatic;
}

static ArcPinnShape shape_of(const ArcProblem *problem, const Rung *rung)
{
    ArcPinnShape shape;
    shape.collocation = collocation_of(problem, rung, &shape.net);
    return shape;
}

/* Nets of two rungs, of flight and swing. */
ArcStatus arc_pinn_create_rungs(const ArcProblem *given, const int rungs[2], const double *values,
                                ArcArena *arena, ArcPinn **pinn, ArcError *err)
{
    size_t n_values = (size_t)arc_problem_n_values(given), bytes = sizeof(double) * n_values;
    const Rung rung = rung_of(given, rungs[0]);
    const ArcPinnShape shape = shape_of(given, &rung);
    const ArcPinnShape swing = shape_of(given, &swing_ladder[rungs[1]]);
    ArcProblem *problem = ARC_ALLOC(arena, 1, ArcProblem);
    double *start = ARC_ALLOC(arena, n_values, double);
    if (problem == NULL || start == NULL)
        return arc_error_no_memory(err);
    *problem = *given;
    problem->start = memcpy(start, values, bytes);
    return arc_pinn_create_both(problem, &shape, &swing, arena, pinn, err);
}

ArcStatus arc_pinn_create_rung(const ArcProblem *problem, int rung, const double *values,
                               ArcArena *arena, ArcPinn **pinn, ArcError *err)
{
    const int rungs[2] = {rung, rung < N_SWING_RUNGS ? rung : N_SWING_RUNGS - 1};
    return arc_pinn_create_rungs(problem, rungs, values, arena, pinn, err);
}

int arc_pinn_n_rungs(const ArcProblem *problem)
{
    int n = problem->equations == NULL ? N_RUNGS
                                       : n_system_widths(problem) + 1 - first_system_width(problem);
    return problem->pinn.net_auto ? n : 1;
}

int arc_pinn_n_swing_rungs(const ArcProblem *problem)
{
    return problem->pinn.net_auto && problem->swing != NULL ? N_SWING_RUNGS : 1;
}

bool arc_pinn_is_fine(const ArcPinn *pinn, double rms, double rms_fine, double rms_before)
{
    double share = pinn->problem->equations != NULL ? system_judge_share
                   : pinn->problem->phase != NULL   ? phase_judge_share
                                                    : judge_share;
    double allowed = share * pinn->sigma_phys_m_s2;
    /* One net alone cannot tell a broken model from a coarse net; nodes and grid must agree. */
    if (!pinn->problem->pinn.net_auto && pinn->problem->pinn.sigma_phys_m_s2 > 0.0)
        rms_before = rms;
    return rms_fine <= allowed || fabs(rms_fine - rms_before) <= allowed;
}

ArcStatus arc_pinn_first(const ArcProblem *problem, ArcArena *arena, ArcPinn **pinn, ArcError *err)
{
    const int rungs[2] = {0, 0};
    return arc_pinn_create_rungs(problem, rungs, problem->start, arena, pinn, err);
}
