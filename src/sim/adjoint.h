/* Sensitivities by the adjoint system: for motions of many parameters.
 *
 * Of the state y = (x, v), with A = [0 1; a_x a_v], the columns of p follow q' = A q + (0, a_p).
 * By the transition matrix Phi(t, s) of y' = A y and its adjoint Psi = Phi^-T, Psi' = -A^T Psi
 * (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, 2nd ed. (1993), sec.
 * I.11 and I.14; Pontryagin's adjoint state), over a step that begins at t_n
 *
 *   q(t) = Phi(t, t_n) (q(t_n) + integral from t_n to t of Psi(s, t_n)^T (0, a_p(s)) ds)
 *
 * so that the 2 d columns of Phi are integrated instead of all P + 2 d, and a_p is looked at where
 * the integral asks for it alone. Phi begins as the identity with each step: over one step it stays
 * near it, whatever the motion does in the long run, so that its inverse is had without loss, also
 * of unstable and chaotic motions.
 *
 * The integral is that of the polynomial through the integrand at the nodes of Gauss, at which
 * state and Phi come from the step's dense output. Where its last coefficients are not below the
 * tolerance of the sensitivities, the step is looked at in halves, and these again.
 */
#ifndef ARC_SIM_ADJOINT_H
#define ARC_SIM_ADJOINT_H

#include "sim/simulator.h"

/* Whether runs of such a motion should go this way: told, or by its size. */
bool arc_sim_wants_adjoint(const ArcMotion *motion, const ArcSimSettings *settings);

/* What such runs need beside the simulator, into its adjoint. */
ArcStatus arc_sim_adjoint_create(ArcSimulator *sim, ArcArena *arena, ArcError *err);

/* arc_sim_run with sensitivities; n_steps is set. */
ArcSimEnd arc_sim_run_adjoint(ArcSimulator *sim, const ArcSimStart *start, int n, const double *t,
                              const ArcSimOutput *output, int *n_steps);

#endif
