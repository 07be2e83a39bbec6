/* Whether a net of own equations is wide enough. That it follows them at the estimate does not
 * tell: motions beside the present one may change faster, by kinks or in a boundary layer, and a
 * net that cannot follow those takes what it cannot do for knowledge.
 */
#include "fit/pinn.h"
#include "fit/stage.h"
#include "solve/posterior.h"

#include <math.h>

/* How far estimates may move from one net to the next, and how far both may leave the equations, in
 * sigma_phys. */
static const double settled_sd = 0.02, settled_share = 10.0;
/* By how much the next net may find larger standard deviations. */
static const double wider_share = 0.02;

bool arc_pinn_is_settled(const ArcPinn *pinn, const double *T, double rms_fine)
{
    const ArcProblem *problem = pinn->problem;
    ArcPosterior posterior;
    ArcArena *arena = arc_arena_create();
    bool settled = arena != NULL && rms_fine < settled_share * pinn->sigma_phys_m_s2 &&
                   arc_posterior_create(problem->n_free, T, arena, &posterior, NULL) == ARC_OK;
    for (int k = 0; settled && k < problem->n_free; k++) {
        int i = problem->free_parameter[k];
        double moved = pinn->values[i] - problem->start[i];
        double sd = sqrt(posterior.covariance[k * (problem->n_free + 1)]);
        settled = !posterior.identified[k] || fabs(moved) <= settled_sd * sd;
    }
    arc_arena_free(arena);
    return settled;
}

/* The covariance of pinn's parameters where it stands. */
static bool find_posterior(ArcPinn *pinn, ArcArena *arena, ArcPosterior *posterior)
{
    int n = pinn->problem->n_free;
    double *T = ARC_ALLOC(arena, (size_t)(n * n), double), remaining;
    ArcStatus status = ARC_OK;
    return T != NULL && arc_stage_posterior(pinn, arena, T, &remaining, &status, NULL) &&
           arc_posterior_create(n, T, arena, posterior, NULL) == ARC_OK;
}

bool arc_pinn_is_wide(const ArcProblem *problem, int rung, ArcPinn *pinn)
{
    if (rung + 1 >= arc_pinn_n_rungs(problem))
        return true;
    ArcArena *arena = arc_arena_create();
    ArcPinn *next = NULL;
    ArcPosterior own, other;
    int n = problem->n_free;
    bool known =
        arena != NULL &&
        arc_pinn_create_rung(problem, rung + 1, pinn->values, arena, &next, NULL) == ARC_OK &&
        find_posterior(pinn, arena, &own) && find_posterior(next, arena, &other);
    bool wide = known;
    for (int k = 0; wide && k < n; k++) {
        double ratio = sqrt(other.covariance[k * (n + 1)] / own.covariance[k * (n + 1)]);
        bool is_told = own.identified[k] && other.identified[k];
        wide = own.identified[k] == other.identified[k] && (!is_told || ratio < 1.0 + wider_share);
    }
    arc_arena_free(arena);
    return wide;
}
