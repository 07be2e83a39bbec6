/* sigma_phys of a net: what is exact by the noise (pinn.h), of a phase by its own rule. */
#include "fit/phase.h"
#include "fit/pinn.h"

#include <math.h>

static const double exact_share = 0.1; /* of sigma / (T^2 sqrt(n)) */

/* Of an observation's sigma in metres, a pixel's by what a metre is there. */
static double inverse_square(const ArcProblem *problem, int i)
{
    double sigma = problem->observations[i].sigma, per_m = arc_problem_per_metre(problem, i);
    return per_m * per_m / (sigma * sigma);
}

/* Of a phase, in that of a flight. */
static double phase_share(const ArcPinn *pinn)
{
    const ArcPhase *phase = pinn->problem->phase;
    double own = phase->sigma != NULL ? phase->sigma(pinn->problem, pinn->values) : (double)NAN;
    double share = own / pinn->sigma_exact_m_s2;
    return isfinite(share) && share > 0.0 ? share : phase->physics_share;
}

void arc_pinn_settle_sigma(ArcPinn *pinn)
{
    const ArcProblem *problem = pinn->problem;
    double sum = 0.0;
    int n = 0; /* without radii, which say nothing of a place across */
    for (int i = 0; i < problem->n_observations; i++) {
        double one = inverse_square(problem, i);
        sum += one;
        n += one > 0.0;
    }
    double sigma_m = sqrt(fmax(n, 1.0) / sum);
    pinn->sigma_exact_m_s2 =
        exact_share * sigma_m / (pinn->flight_s * pinn->flight_s * sqrt((double)problem->n_times));
    if (problem->phase != NULL)
        pinn->sigma_exact_m_s2 *= phase_share(pinn);
    bool is_exact = !(problem->pinn.sigma_phys_m_s2 > 0.0);
    pinn->sigma_phys_m_s2 = is_exact ? pinn->sigma_exact_m_s2 : problem->pinn.sigma_phys_m_s2;
}
