/* Whether a net of own equations is wide enough. That it follows them at the estimate does not
 * tell: motions beside the present one may change faster, by kinks or in a boundary layer, and a
 * net that cannot follow those takes what it cannot do for knowledge.
 */
#include "fit/basis.h"
#include "fit/stage.h"
#include "fit/system.h"
#include "solve/posterior.h"

#include <math.h>

/* How far estimates may move from one net to the next, and how far both may leave the equations, in
 * sigma_phys. */
static const double settled_sd = 0.02, settled_share = 10.0;
/* By how much the next net may find larger standard deviations. */
static const double wider_share = 0.02;
/* How closely a net must follow the motion that it begins with, in sigma_phys or in the size of its
 * accelerations: one that cannot would only lead astray. A motion that follows the data is rough
 * itself. */
static const double follows_share = 10.0, follows_size = 3e-4, path_size = 1e-2;

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

/* Whether the net comes near enough to the accelerations of the guess, between the nodes too; true
 * where there is no memory to tell. */
static bool follows_guess(ArcPinn *pinn, ArcArena *arena)
{
    const ArcProblem *problem = pinn->problem;
    int D = problem->D, n = pinn->F * D;
    ArcBasis *basis = NULL;
    double *a = ARC_ALLOC(arena, (size_t)n, double), off = 0.0, size = 0.0, misfit;
    if (a == NULL || arc_basis_create(pinn, arena, &basis, NULL) != ARC_OK)
        return true;
    double *b = ARC_ALLOC(arena, (size_t)(D * basis->K), double);
    if (b == NULL || arc_basis_start(basis, b, NULL) != ARC_OK ||
        !arc_start_system_motion(problem, pinn->values, pinn->F, pinn->fine_s,
                                 &(ArcSimOutput){.a = a}, &misfit))
        return true;
    arc_basis_store(basis, b);
    arc_pinn_forward(pinn, pinn->F, pinn->fine_tau);
    arc_pinn_states(pinn, pinn->F, pinn->fine_s);
    for (int i = 0; i < n; i++) {
        off += (pinn->a[i] - a[i]) * (pinn->a[i] - a[i]) / pinn->F;
        size += a[i] * a[i] / pinn->F;
    }
    double share = isfinite(misfit) ? follows_size : path_size;
    return sqrt(off) <= fmax(follows_share * pinn->sigma_phys_m_s2, share * sqrt(size));
}

int arc_pinn_rung_for(const ArcProblem *problem, int rung, const double *values)
{
    bool follows = problem->equations == NULL;
    for (; !follows && rung + 1 < arc_pinn_n_rungs(problem); rung += !follows) {
        ArcArena *arena = arc_arena_create();
        ArcPinn *pinn = NULL;
        bool known = arena != NULL &&
                     arc_pinn_create_rung(problem, rung, values, arena, &pinn, NULL) == ARC_OK;
        follows = !known || follows_guess(pinn, arena);
        arc_arena_free(arena);
    }
    return rung;
}
