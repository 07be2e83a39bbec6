/* How good a PINN is: its sum of squares, its breach of the equations, and whether it is finite. */
#include "fit/pinn.h"

#include <math.h>

static double squared_breach(const ArcPinn *pinn, int point)
{
    const ArcProblem *problem = pinn->problem;
    double sum = 0.0, path = pinn->sigma_phys_m_s2 / pinn->sigma_exact_m_s2;
    for (int e = 0; e < problem->D; e++) {
        size_t at = (size_t)(point * problem->D + e);
        double off = (pinn->a[at] - pinn->law[at]) * (e < problem->d ? 1.0 : path);
        sum += off * off;
    }
    return sum;
}

/* Adds half the squares of the segment's rows; returns the weighted mean square of its breach. */
static double segment_cost(ArcPinn *pinn, double *cost)
{
    const ArcProblem *problem = pinn->problem;
    int points = pinn->M + problem->n_times, rows = arc_pinn_own_rows(pinn);
    double sum = 0.0, breach = 0.0;
    arc_pinn_forward(pinn, points, pinn->tau);
    arc_pinn_states(pinn, points, pinn->s);
    arc_pinn_residual(pinn, false, pinn->r);
    for (int i = 0; i < rows; i++)
        if (i >= problem->n_observations || arc_pinn_holds(pinn, problem->observations[i].time))
            sum += pinn->r[i] * pinn->r[i];
    for (int j = 0; j < pinn->M; j++)
        breach += pinn->root_weight[j] * pinn->root_weight[j] * squared_breach(pinn, j);
    *cost += 0.5 * sum;
    return breach;
}

double arc_pinn_cost(ArcPinn *pinn, double *physics_rms_m_s2)
{
    const ArcProblem *problem = pinn->problem;
    double u[ARC_MAX_PARAMETERS], priors[ARC_MAX_PRIORS], cost = 0.0;
    double breach = 0.0, weight = 0.0;
    for (ArcPinn *segment = pinn; segment != NULL; segment = segment->next) {
        breach += segment->span_s * segment_cost(segment, &cost);
        weight += segment->span_s;
    }
    if (pinn->swing != NULL)
        segment_cost(pinn->swing, &cost);
    for (int k = 0; k < problem->n_free; k++)
        u[k] = pinn->values[problem->free_parameter[k]];
    arc_problem_priors(problem, u, priors, NULL, 0);
    for (int i = 0; i < problem->n_priors; i++)
        cost += 0.5 * priors[i] * priors[i];
    *physics_rms_m_s2 = sqrt(breach / weight);
    return cost;
}

double arc_pinn_breach(ArcPinn *pinn, double *squared)
{
    const double *s = pinn->fine_s;
    arc_pinn_forward(pinn, pinn->F, pinn->fine_tau);
    arc_pinn_states(pinn, pinn->F, s);
    arc_pinn_law(pinn, pinn->F, s, false);
    double sum = 0.0;
    for (int j = 0; j < pinn->F; j++) {
        squared[j] = squared_breach(pinn, j);
        sum += squared[j];
    }
    return sum / pinn->F;
}

double arc_pinn_physics_rms_fine(ArcPinn *pinn)
{
    double sum = 0.0, weight = 0.0;
    for (ArcPinn *segment = pinn; segment != NULL; segment = segment->next) {
        sum += segment->span_s * arc_pinn_breach(segment, segment->breach);
        weight += segment->span_s;
    }
    return sqrt(sum / weight);
}

void arc_pinn_swing_rms(ArcPinn *pinn, double *rms, double *rms_fine)
{
    double cost = 0.0;
    *rms = *rms_fine = NAN;
    if (pinn->swing == NULL)
        return;
    *rms = sqrt(segment_cost(pinn->swing, &cost));
    *rms_fine = arc_pinn_physics_rms_fine(pinn->swing);
}

static bool all_finite(int n, const double *values)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static const char *non_finite_block(const ArcPinn *pinn)
{
    const ArcProblem *problem = pinn->problem;
    int physics = pinn->M * problem->D;
    if (!all_finite(pinn->n_weights, pinn->weights))
        return "weights";
    if (!all_finite(problem->n_parameters, pinn->values))
        return "parameters";
    if (!all_finite(problem->n_times * problem->D, pinn->x + physics))
        return "observations";
    if (!all_finite(physics, pinn->a) || !all_finite(physics, pinn->law))
        return "physics";
    return NULL;
}

const char *arc_pinn_non_finite_block(const ArcPinn *pinn)
{
    const char *block = non_finite_block(pinn);
    if (block == NULL && pinn->swing != NULL)
        block = non_finite_block(pinn->swing);
    for (pinn = pinn->next; block == NULL && pinn != NULL; pinn = pinn->next)
        block = non_finite_block(pinn);
    return block;
}
