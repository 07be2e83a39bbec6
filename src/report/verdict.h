/* The verdict of a comparison in one sentence. */
#ifndef ARC_REPORT_VERDICT_H
#define ARC_REPORT_VERDICT_H

#include "arcfit/result.h"
#include "base/text.h"

/* What the comparison comes to and why, in order of what matters: a fit that did not converge and
 * what to try; chi2, since two methods can agree on a wrong model, and where along the flight the
 * model fails; a difference of the methods; agreement, with what the data are too few for. */
void arc_verdict_sentence(ArcText *text, const ArcResult *result);

/* The comparison's figures, where the flight leaves its equations, and the sentence, as entries of
 * a table. */
void arc_verdict_section(ArcText *table, const ArcResult *result);

#endif
