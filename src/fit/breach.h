/* Where along the flight the equations of motion are broken.
 *
 * A second fit of the PINN, whose flight may break the model by a fifth of gravity, follows the
 * points wherever they go. About it the problem is linear: with f an acceleration that the model
 * leaves out (physics rows, weighted), the output weights b and the parameters u,
 *   physics       J_pb db + J_pu du + rho = f
 *   observations  J_ob db + J_ou du + r
 * and db eliminated by the first, the residuals of a flight that keeps to the equations but for f
 * are r - R rho + R f + (J_ou - R J_pu) du, R = J_ob J_pb^+. R is Green's function of the flight;
 * r - R rho what the points are off the equations, whatever was allowed in the second fit. solve/
 * scan.h looks for the interval with a constant extra acceleration that explains most of it, and
 * says how likely that is by the noise of the points alone. Coordinates that the fit names as
 * outliers are left out of it where the points before and behind are none: a single point that is
 * off is no force, while two in a row may be what a bounce or a knock leaves. (Of fewer than 10
 * times all are kept, since the two cannot be told apart there.)
 */
#ifndef ARC_FIT_BREACH_H
#define ARC_FIT_BREACH_H

#include "arcfit/result.h"
#include "fit/problem.h"

/* fit: the PINN's of this problem. breach->searched stays false where there is nothing to go by:
 * no net, a fit that did not converge, fewer degrees of freedom than axes. ARC_MEMORY. */
ArcStatus arc_breach_find(const ArcProblem *problem, const ArcFit *fit, ArcBreach *breach,
                          ArcError *err);

#endif
