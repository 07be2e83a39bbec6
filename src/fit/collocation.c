/* Collocation points: fixed rules, and drawn ones. */
#include "fit/collocation.h"

#include "fit/quadrature.h"

#include <math.h>
#include <stdlib.h>

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Evenly drawn and sorted, so that points come in the order of time. */
static void draw_evenly(ArcPinn *pinn)
{
    for (int j = 0; j < pinn->M; j++)
        pinn->tau[j] = arc_random_uniform(&pinn->random, -1.0, 1.0);
    qsort(pinn->tau, (size_t)pinn->M, sizeof *pinn->tau, compare_reals);
    for (int j = 0; j < pinn->M; j++)
        pinn->root_weight[j] = 1.0 / pinn->M;
}

/* From the fine grid, by systematic sampling along the summed probabilities; each point drawn
 * evenly from its cell, its weight the inverse of its density. The cells of both ends are half as
 * wide. */
static void draw_by_breach(ArcPinn *pinn)
{
    double mean = arc_pinn_breach(pinn, pinn->breach), half = 1.0 / (pinn->F - 1), sum = 0.0;
    bool follows = mean > 0.0 && isfinite(mean);
    for (int i = 0; i < pinn->F; i++) {
        pinn->breach[i] = (follows ? pinn->breach[i] / mean : 0.0) + 1.0;
        sum += pinn->breach[i] * (i == 0 || i == pinn->F - 1 ? 0.5 : 1.0);
    }
    double step = sum / pinn->M, next = step * arc_random_uniform(&pinn->random, 0.0, 1.0);
    double passed = 0.0, weights = 0.0;
    int j = 0;
    for (int i = 0; i < pinn->F && j < pinn->M; i++) {
        passed += pinn->breach[i] * (i == 0 || i == pinn->F - 1 ? 0.5 : 1.0);
        for (; j < pinn->M && next < passed; j++, next += step) {
            double low = i == 0 ? 0.0 : -half, high = i == pinn->F - 1 ? 0.0 : half;
            pinn->tau[j] =
                2.0 * i / (pinn->F - 1) - 1.0 + arc_random_uniform(&pinn->random, low, high);
            pinn->root_weight[j] = 1.0 / pinn->breach[i];
            weights += pinn->root_weight[j];
        }
    }
    for (; j < pinn->M; j++) { /* rounding left the last one out */
        pinn->tau[j] = 1.0;
        pinn->root_weight[j] = 1.0 / pinn->breach[pinn->F - 1];
        weights += pinn->root_weight[j];
    }
    /* Only points of one cell change places, which have one weight. */
    qsort(pinn->tau, (size_t)pinn->M, sizeof *pinn->tau, compare_reals);
    for (j = 0; j < pinn->M; j++)
        pinn->root_weight[j] /= weights;
}

/* Weights of a graded rule no longer sum to one exactly. */
static void grade(ArcPinn *pinn)
{
    double sum = 0.0, slope;
    for (int j = 0; j < pinn->M; j++) {
        pinn->tau[j] = arc_grading_map(pinn->grading, pinn->tau[j], &slope);
        pinn->root_weight[j] *= slope;
        sum += pinn->root_weight[j];
    }
    for (int j = 0; j < pinn->M; j++)
        pinn->root_weight[j] /= sum;
}

static void settle(ArcPinn *pinn)
{
    if (pinn->grading != NULL)
        grade(pinn);
    for (int j = 0; j < pinn->M; j++) {
        pinn->root_weight[j] = sqrt(pinn->root_weight[j]);
        pinn->tau[j] = arc_pinn_stretch(pinn, pinn->tau[j]);
    }
    arc_pinn_place_rows(pinn);
}

void arc_collocation_place(ArcPinn *pinn)
{
    switch (pinn->problem->pinn.collocation_kind) {
    case ARC_COLLOCATION_GAUSS:
        arc_quadrature_gauss(pinn->M, pinn->tau, pinn->root_weight);
        break;
    case ARC_COLLOCATION_UNIFORM:
    case ARC_COLLOCATION_ADAPTIVE:
        for (int j = 0; j < pinn->M; j++) {
            pinn->tau[j] = (2.0 * j + 1.0) / pinn->M - 1.0;
            pinn->root_weight[j] = 1.0 / pinn->M;
        }
        break;
    case ARC_COLLOCATION_RANDOM:
        draw_evenly(pinn);
        break;
    }
    settle(pinn);
}

bool arc_collocation_redraw(ArcPinn *pinn)
{
    ArcCollocationKind kind = pinn->problem->pinn.collocation_kind;
    if (kind != ARC_COLLOCATION_RANDOM && kind != ARC_COLLOCATION_ADAPTIVE)
        return false;
    if (kind == ARC_COLLOCATION_RANDOM)
        draw_evenly(pinn);
    else
        draw_by_breach(pinn);
    settle(pinn);
    return true;
}
