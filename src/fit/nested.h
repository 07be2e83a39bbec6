/* Which flight models are special cases of which. */
#ifndef ARC_FIT_NESTED_H
#define ARC_FIT_NESTED_H

#include "arcfit/result.h"

/* True where smaller's model, by its fit, is that of larger with free parameters held at a value or
 * with a law left out that those can switch off. Everything else of the flight, the text of own
 * equations, and the priors of the parameters that both have, must be the same. */
bool arc_nested_is(const ArcResult *smaller, const ArcFit *a, const ArcResult *larger,
                   const ArcFit *b);

/* Unknowns of a fit, each flight's own included, and how many directions of them no datum tells. */
int arc_nested_n_unknowns(const ArcFit *fit, int *n_null);

#endif
