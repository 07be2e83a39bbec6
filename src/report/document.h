/* Parts that several JSON reports share. */
#ifndef ARC_REPORT_DOCUMENT_H
#define ARC_REPORT_DOCUMENT_H

#include "arcfit/fit.h"
#include "io/json.h"

#include <stdint.h>

/* Number of the format of results, JSON and HDF5; raised when a reader of the old would fail. */
enum { ARC_DOCUMENT_SCHEMA = 1 };

/* {"arcfit", "schema", "experiment", "name", "seed"}. */
json_t *arc_document_head(ArcJson *json, const char *version, const char *experiment,
                          const char *name, uint64_t seed);

/* {name: {"value", "sd", "ci95", "unit"}}, for parameters also "start", "status", "reason". */
json_t *arc_document_estimates(ArcJson *json, int n, const ArcEstimate *estimates, bool is_derived);

/* [["s", "spin"]]. */
json_t *arc_document_unidentified(ArcJson *json, const ArcFit *fit);

json_t *arc_document_residuals(ArcJson *json, const ArcResiduals *residuals);
json_t *arc_document_trajectory(ArcJson *json, const ArcFit *fit);

#endif
