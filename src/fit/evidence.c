/* The evidence of sigma_phys on a grid. */
#include "fit/evidence.h"

#include "fit/objectives.h"

#include <math.h>

enum { GRID = 33 };
static const double interval_drop = 1.92; /* half the 95 % point of chi-square with one freedom */

typedef struct Grid {
    double log_sigma[GRID], log_evidence[GRID];
    int best;
} Grid;

/* One point: the linear problem solved at this sigma_phys, from where the one before ended. */
static double evidence_at(ArcPinn *pinn, const ArcObjective *objective, ArcLeastSquares *solver,
                          double *z, double log_sigma)
{
    pinn->sigma_phys_m_s2 = exp(log_sigma);
    arc_pinn_place_rows(pinn);
    ArcLeastSquaresResult result = arc_least_squares_run(solver, z);
    if (!arc_stop_is_converged(result.stop))
        return -INFINITY;
    /* The rows of the path flown keep their sigma. */
    int n_scaled = arc_linear_n_inner(objective) / pinn->problem->D * pinn->problem->d;
    return -result.cost - 0.5 * arc_least_squares_log_det(solver) - n_scaled * log_sigma;
}

/* Where log E crosses its maximum less the drop, between the best point and the end of direction.
 */
static double interval_end(const Grid *grid, double top, int direction)
{
    for (int i = grid->best; i + direction >= 0 && i + direction < GRID; i += direction) {
        double inside = grid->log_evidence[i] - (top - interval_drop);
        double outside = grid->log_evidence[i + direction] - (top - interval_drop);
        if (outside >= 0.0)
            continue;
        double share = isfinite(outside) ? inside / (inside - outside) : 0.0;
        return exp(grid->log_sigma[i] +
                   share * (grid->log_sigma[i + direction] - grid->log_sigma[i]));
    }
    return direction < 0 ? 0.0 : INFINITY;
}

static ArcEvidence evaluate_grid(Grid *grid)
{
    int i = grid->best;
    double top = grid->log_evidence[i], at = grid->log_sigma[i];
    if (i > 0 && i < GRID - 1) {
        double below = grid->log_evidence[i - 1], above = grid->log_evidence[i + 1];
        double bend = below - 2.0 * top + above, step = grid->log_sigma[i + 1] - at;
        if (isfinite(bend) && bend < 0.0) {
            double share = 0.5 * (below - above) / bend;
            at += share * step;
            top -= 0.25 * (below - above) * share;
        }
    }
    return (ArcEvidence){.sigma_phys_m_s2 = exp(at),
                         .ci95_m_s2 = {interval_end(grid, top, -1), interval_end(grid, top, 1)}};
}

ArcStatus arc_evidence_maximise(ArcPinn *pinn, ArcArena *arena, ArcEvidence *evidence,
                                ArcError *err)
{
    const ArcProblem *problem = pinn->problem;
    ArcObjective objective;
    double *z = NULL;
    ArcLeastSquares *solver = NULL;
    ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
    ArcStatus status = arc_linear_objective(pinn, arena, &objective, &z, err);
    if (status == ARC_OK)
        status = arc_least_squares_create(&objective, &settings, problem->low, problem->high, arena,
                                          &solver, err);
    if (status != ARC_OK)
        return status;
    Grid grid = {.best = 0};
    double exact = pinn->sigma_phys_m_s2, low = log(exact), high = log(pinn->scale_m_s2);
    for (int i = 0; i < GRID; i++) {
        grid.log_sigma[i] = low + (fmax(high, low + 1.0) - low) * i / (GRID - 1);
        grid.log_evidence[i] = evidence_at(pinn, &objective, solver, z, grid.log_sigma[i]);
        if (grid.log_evidence[i] > grid.log_evidence[grid.best])
            grid.best = i;
    }
    *evidence = isfinite(grid.log_evidence[grid.best]) ? evaluate_grid(&grid)
                                                       : (ArcEvidence){exact, {NAN, NAN}};
    return ARC_OK;
}
