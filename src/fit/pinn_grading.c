/* The hidden layers of a net as they are drawn, graded by the motion that a phase begins with. */
#include "fit/phase.h"
#include "fit/pinn.h"

bool arc_pinn_is_graded(const ArcPinn *pinn)
{
    const ArcProblem *problem = pinn->problem;
    return problem->phase != NULL && problem->phase->detail != NULL && problem->pinn.net_auto;
}

ArcStatus arc_pinn_draw(ArcPinn *pinn, ArcError *err)
{
    enum { N = ARC_GRADING_POINTS };
    const ArcProblem *problem = pinn->problem;
    ArcRandom random = arc_random_create(problem->seed, ARC_STREAM_NET);
    double s[N], density[N];
    ArcDetail detail = {.density = density};
    arc_net_init(pinn->net, &random, pinn->weights);
    if (pinn->grading == NULL)
        return ARC_OK;
    for (int i = 0; i < N; i++)
        s[i] = pinn->span_s * i / (N - 1);
    if (!problem->phase->detail(problem, pinn->values, N, s, &detail))
        return arc_error_no_memory(err);
    arc_grading_make(pinn->grading, density, detail.is_sharp, detail.rate * pinn->span_s);
    if (!arc_grading_units(pinn->grading, &pinn->settings, pinn->weights))
        pinn->grading = NULL;
    return ARC_OK;
}
