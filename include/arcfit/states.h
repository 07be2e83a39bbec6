/* What a fit of own equations says beside an ArcFit: names, units and residuals of its channels.
 *
 * The fit's trajectory holds D = dimensions states in position_m, their rates in velocity_m_s and,
 * of second order, their second derivatives in acceleration_m_s2 (of first order NULL), all in
 * their own SI units; predicted_m has the channels (capture points, n_channels).
 */
#ifndef ARCFIT_STATES_H
#define ARCFIT_STATES_H

#include "arcfit/equations.h"

#pragma GCC visibility push(default)

typedef struct ArcChannelFit {
    const char *name, *unit;
    int n;      /* fitted numbers; 0: not observed */
    double rms; /* of their residuals; NaN: none */
    double chi2;
    int n_held_out;
    double held_out_rms; /* NaN: none */
} ArcChannelFit;

typedef struct ArcStatesFit {
    const char *model; /* its name */
    int order, n_states, n_channels;
    ArcChannelFit channels[ARC_EQUATIONS_MAX_CHANNELS];
} ArcStatesFit;

#pragma GCC visibility pop

#endif
