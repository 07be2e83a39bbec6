/* A Result as text, JSON and HDF5, and back from HDF5. Formats: README, "Results". */
#ifndef ARCFIT_REPORT_H
#define ARCFIT_REPORT_H

#include "arcfit/result.h"
#include "arcfit/text.h"

#pragma GCC visibility push(default)

/* Tables of 80 columns: what was fitted, parameters of both methods side by side with sd, derived
 * numbers, residuals, the comparison and its verdict in one sentence. verbose adds correlations and
 * history. Caller frees with arc_text_free. */
ArcStatus arc_report_text(const ArcResult *result, bool verbose, char **text, ArcError *err);

/* Only the comparison: PINN, direct, difference in sd, a row a parameter. Several results: a
 * ranking by AIC under it. */
ArcStatus arc_report_comparison_text(int n, const ArcResult *const *results, char **text,
                                     ArcError *err);

/* One object, or an array where is_array. */
ArcStatus arc_report_json(int n, const ArcResult *const *results, bool is_array, char **text,
                          ArcError *err);

/* Builds the file in memory and replaces path in one step. ARC_SYSTEM where it cannot be written.
 */
ArcStatus arc_report_write_hdf5(const ArcResult *result, const char *path, ArcError *err);

/* ARC_INPUT where path is no result of arcfit, of an unknown schema, or damaged. */
ArcStatus arc_report_read_hdf5(const char *path, ArcResult **result, ArcError *err);

#pragma GCC visibility pop

#endif
