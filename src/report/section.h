/* Sections that several text reports share. */
#ifndef ARC_REPORT_SECTION_H
#define ARC_REPORT_SECTION_H

#include "arcfit/result.h"
#include "base/text.h"
#include "report/table.h"

#include <stdbool.h>

/* Name, experiment, capture, points, laws, overrides. */
void arc_section_header(ArcText *table, const ArcResult *result);

/* How each fit ended and what is left over, a column a fit. */
void arc_section_residuals(ArcText *table, const ArcResult *result, bool verbose);

/* The parameters of all fits, with an arm by what they are of; is_compared: how far both methods
 * are apart in place of the statuses. */
void arc_section_parameters(ArcText *table, const ArcResult *result, bool is_compared);

/* One line of such a block: a label and a cell per fit, left out where all are empty. */
void arc_section_row(ArcText *table, int n_fits, const char *label,
                     char cells[2][ARC_TABLE_NUMBER]);

/* Unidentified groups, the reasons of parameters at bounds, and remarks about derived numbers. */
void arc_section_remarks(ArcText *table, int n_fits, const ArcFit *const *fits);

/* Correlation of the free parameters i and j; NaN where one is unidentified. */
double arc_section_correlation(const ArcFit *fit, int i, int j);

/* What equations are broken by, behind a blank: " m/s^2"; of own ones a share of the states' sizes
 * by time. */
const char *arc_section_physics_unit(const ArcFit *fit);

/* The fit that counts: direct where there is one. */
const ArcFit *arc_section_fit(const ArcResult *result);

#endif
