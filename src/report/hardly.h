/* Which estimates tell next to nothing, whatever is known beforehand. */
#ifndef ARC_REPORT_HARDLY_H
#define ARC_REPORT_HARDLY_H

#include "arcfit/fit.h"

/* Why the number is hardly known, NULL where it is: a factor or gravity whose sd is a third of it,
 * a drag coefficient whose sd is as large as the number. */
const char *arc_hardly_known(const ArcEstimate *e);

#endif
