/* Remarks about derived numbers, and those numbers side by side. */
#ifndef ARC_REPORT_REMARKS_H
#define ARC_REPORT_REMARKS_H

#include "arcfit/fit.h"
#include "base/text.h"

/* One paragraph a remark; what both fits say is said once. */
void arc_remarks_text(ArcText *table, int n_fits, const ArcFit *const *fits);

/* The derived number of this name, NULL where the fit has none. */
const ArcEstimate *arc_remarks_derived(const ArcFit *fit, const char *name);

#endif
