/* Sections that several text reports share. */
#ifndef ARC_REPORT_SECTION_H
#define ARC_REPORT_SECTION_H

#include "arcfit/result.h"
#include "base/text.h"

#include <stdbool.h>

/* Name, experiment, capture, points, laws, overrides. */
void arc_section_header(ArcText *table, const ArcResult *result);

/* How each fit ended and what is left over, a column a fit. */
void arc_section_residuals(ArcText *table, const ArcResult *result, bool verbose);

/* Unidentified groups, the reasons of parameters at bounds, and remarks about derived numbers. */
void arc_section_remarks(ArcText *table, int n_fits, const ArcFit *const *fits);

/* The comparison's figures and its verdict in a sentence. */
void arc_section_verdict(ArcText *table, const ArcResult *result);

/* Correlation of the free parameters i and j; NaN where one is unidentified. */
double arc_section_correlation(const ArcFit *fit, int i, int j);

/* The fit that counts: direct where there is one. */
const ArcFit *arc_section_fit(const ArcResult *result);

/* chi2 + prior chi2 + 2 n_free of the direct fit, of the PINN where there is none (Akaike, IEEE
 * Trans. Autom. Control 19 (1974) 716). */
double arc_section_aic(const ArcResult *result);

#endif
