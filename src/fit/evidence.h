/* `physics: auto`: how far the flight breaks the model, from the data.
 *
 * The physics residual is a Gaussian prior of sigma_phys over what the net can add to the law
 * (dimension N = outputs * basis). By Laplace's method (MacKay, Neural Comput. 4 (1992) 415) the
 * evidence is log E(sigma_phys) = -F - log det(J'J) / 2 - N log sigma_phys + constant at the
 * minimum F of the linear stage for that sigma_phys. It is maximised over a grid in log sigma_phys
 * from `exact` to gravity, refined by a parabola; the interval is where log E lies within 1.92 of
 * its maximum.
 */
#ifndef ARC_FIT_EVIDENCE_H
#define ARC_FIT_EVIDENCE_H

#include "fit/pinn.h"

typedef struct ArcEvidence {
    double sigma_phys_m_s2;
    double ci95_m_s2[2]; /* the lower end is 0 where `exact` lies inside */
} ArcEvidence;

/* pinn as made; its weights, values and sigma_phys are used up. ARC_MEMORY. Where no point of the
 * grid can be fitted: `exact` with an interval of NaN. */
ArcStatus arc_evidence_maximise(ArcPinn *pinn, ArcArena *arena, ArcEvidence *evidence,
                                ArcError *err);

#endif
