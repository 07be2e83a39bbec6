/* The loss of the observations: rho(r) of a residual r in units of its sigma.
 *
 *   gauss      r^2 / 2
 *   huber      r^2 / 2 for |r| <= k, k |r| - k^2 / 2 beyond                        k = 1.345
 *   cauchy     c^2 / 2 log(1 + r^2 / c^2)                                          c = 2.385
 *   student-t  (nu + 1) / 2 log(1 + r^2 / nu)                                      nu = 4
 *
 * (Huber 1964; Holland and Welsch 1977, with an efficiency of 95 % on normal errors; Lange, Little
 * and Taylor 1989.) All minimise half a sum of squares, so each residual is handed to the solvers
 * as s(r) = sign(r) sqrt(2 rho(r)) with the slope s'(r) = psi / s, psi = rho': half the sum of s^2
 * is the sum of rho, and s s' is psi, so that cost and gradient are those of the loss. The
 * curvature s'^2 that Gauss-Newton then takes lies between that of the loss and psi / r, the one of
 * iteratively reweighted least squares, which never overshoots: steps go downhill like those, but
 * are longer where far points make the weighted ones short.
 */
#ifndef ARC_FIT_LOSS_H
#define ARC_FIT_LOSS_H

#include "arcfit/experiment.h"

/* rho and its first and second derivative. */
double arc_loss_rho(const ArcLoss *loss, double r);
double arc_loss_psi(const ArcLoss *loss, double r);
double arc_loss_bend(const ArcLoss *loss, double r);

/* s(r); its slope into *slope, above zero for every finite r. */
double arc_loss_transform(const ArcLoss *loss, double r, double *slope);

/* r of s, and the slope there. */
double arc_loss_restore(const ArcLoss *loss, double s, double *slope);

/* psi(r) / r over its value at 0: 1 for gauss, towards 0 for an outlier. */
double arc_loss_weight(const ArcLoss *loss, double r);

/* chi(r), whose mean is beta where sigma is right, and its derivative: r^2 (gauss), r psi
 * (student-t, its likelihood), min(r^2, 1) for the others (Huber's Proposal 2). For normal errors
 * the sd of that log sigma is 1.02 / sqrt(n), of the median's 1.17; Proposal 2 with huber's 1.345
 * has 0.88, but 39 % of outliers carry it to infinity, here 52 %. With 30 % it is 1.5 times too
 * large. */
double arc_loss_chi(const ArcLoss *loss, double r);
double arc_loss_chi_slope(const ArcLoss *loss, double r);
double arc_loss_beta(const ArcLoss *loss);

/* The same loss, or for one whose minima are many (cauchy, student-t) Huber's, from whose only
 * minimum they start. */
ArcLoss arc_loss_convex(const ArcLoss *loss);

bool arc_loss_is_convex(const ArcLoss *loss);

#endif
