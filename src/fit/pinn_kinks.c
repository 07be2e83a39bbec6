/* The kinks of a phase's equations in its net. */
#include "fit/phase.h"
#include "fit/pinn.h"

#include <math.h>
#include <string.h>

/* Of the span: further from its kinks a net does not follow what the pieces between leave open, and
 * standard deviations come out too small. */
static const double kink_shift = 2e-3;
static const double kink_edge = 1e-4; /* of the span: nearer to its ends there is none */

/* Whether the kinks are where they were when the net was made. */
bool arc_pinn_holds_kinks(const ArcPinn *pinn)
{
    const ArcProblem *problem = pinn->problem;
    double shift_s = fabs(pinn->values[problem->t0_index] - pinn->kinks_t0_s);
    return pinn->kinks.n == 0 || shift_s <= kink_shift * pinn->span_s;
}

/* Places of kinks inside the span, by the present values. */
void arc_pinn_place_kinks(ArcPinn *pinn)
{
    const ArcProblem *problem = pinn->problem;
    double places[ARC_MAX_KINKS], edge_s = kink_edge * pinn->span_s;
    bool has_kinks = problem->phase->kinks != NULL;
    int n = has_kinks ? problem->phase->kinks(problem, pinn->values, places) : 0;
    pinn->kinks.n_places = 0;
    for (int i = 0; i < n; i++)
        if (places[i] > edge_s && places[i] < pinn->span_s - edge_s)
            pinn->kinks.place_s[pinn->kinks.n_places++] = places[i];
    pinn->kinks.n = ARC_KINK_ORDERS * pinn->kinks.n_places;
    pinn->kinks_t0_s = pinn->values[problem->t0_index];
    memset(pinn->kinks.weights, 0, sizeof(double) * (size_t)(problem->D * pinn->kinks.n));
}

ArcStatus arc_pinn_create_kinks(ArcPinn *pinn, ArcArena *arena, ArcError *err)
{
    size_t most = ARC_MAX_KINKS * ARC_KINK_ORDERS * (size_t)pinn->problem->D;
    memcpy(pinn->values, pinn->problem->start,
           sizeof(double) * (size_t)pinn->problem->n_parameters);
    pinn->kinks.weights = ARC_ALLOC(arena, most, double);
    if (pinn->kinks.weights == NULL)
        return arc_error_no_memory(err);
    arc_pinn_place_kinks(pinn);
    return ARC_OK;
}

/* Features of all kinks, each of which asks for a node more. */
int arc_pinn_count_kinks(const ArcProblem *problem)
{
    double places[ARC_MAX_KINKS];
    if (problem->phase == NULL || problem->phase->kinks == NULL)
        return 0;
    return ARC_KINK_ORDERS * problem->phase->kinks(problem, problem->start, places);
}

void arc_pinn_forward(ArcPinn *pinn, int n, const double *tau)
{
    arc_net_forward(pinn->net, pinn->work, pinn->weights, n, tau, pinn->jets);
    if (pinn->kinks.n > 0)
        arc_kinks_add(&pinn->kinks, pinn->span_s, pinn->problem->D, n, tau, pinn->jets);
}
