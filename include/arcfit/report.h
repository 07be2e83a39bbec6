/* Results, checks and predictions as text and JSON; results as HDF5 and back. Formats: README,
 * "Results". Text is tables of 80 columns. The caller frees every text with arc_text_free.
 */
#ifndef ARCFIT_REPORT_H
#define ARCFIT_REPORT_H

#include "arcfit/diagnosis.h"
#include "arcfit/predict.h"
#include "arcfit/result.h"
#include "arcfit/text.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

/* Tables of 80 columns: what was fitted, parameters of both methods side by side with sd, derived
 * numbers, residuals, the comparison and its verdict in one sentence. verbose adds correlations and
 * history. Caller frees with arc_text_free. */
ArcStatus arc_report_text(const ArcResult *result, bool verbose, char **text, ArcError *err);

/* Only the comparison: PINN, direct, difference in sd, a row a parameter. Several results: a
 * ranking under it (ranking.h). */
ArcStatus arc_report_comparison_text(int n, const ArcResult *const *results, char **text,
                                     ArcError *err);

/* One object, or an array where is_array. */
ArcStatus arc_report_json(int n, const ArcResult *const *results, bool is_array, char **text,
                          ArcError *err);

/* The same, and in an array each result has its place in the ranking, under "ranking". */
ArcStatus arc_report_comparison_json(int n, const ArcResult *const *results, bool is_array,
                                     char **text, ArcError *err);

/* Builds the file in memory and replaces path in one step. ARC_SYSTEM where it cannot be written.
 */
ArcStatus arc_report_write_hdf5(const ArcResult *result, const char *path, ArcError *err);

/* True when the file at path is HDF5, as results are. */
bool arc_report_is_hdf5(const char *path);

/* ARC_INPUT where path is no result of arcfit, of an unknown schema, or damaged.
 * wall_s is not stored (NaN), so that equal results are equal bytes. */
ArcStatus arc_report_read_hdf5(const char *path, ArcResult **result, ArcError *err);

/* The experiment of a result, as it was when it was fitted; its net is not needed, so that no net
 * file is. Own equations come from their file, or from the text in the result where that file has
 * changed or is gone, of which note (nullable; else of an empty message) tells at the file. */
ArcStatus arc_report_experiment(const ArcResult *result, ArcExperiment **experiment, ArcError *note,
                                ArcError *err);

/* What will be fitted: points, parameters with start, bounds and prior, and what the data can
 * identify by forecast (arc_fit_forecast); what a diagnosis (NULL: none) finds wrong with them. */
ArcStatus arc_report_check_text(const ArcExperiment *experiment, const ArcCapture *capture,
                                const ArcFit *forecast, const ArcDiagnosis *diagnosis, char **text,
                                ArcError *err);
ArcStatus arc_report_check_json(const ArcExperiment *experiment, const ArcCapture *capture,
                                const ArcFit *forecast, const ArcDiagnosis *diagnosis, char **text,
                                ArcError *err);

/* One warning of a diagnosis: what, how much, what to do; "" where there is none of that index. */
ArcStatus arc_report_warning_text(const ArcCapture *capture, const ArcFlight *flight,
                                  const ArcDiagnosis *diagnosis, int index, char **text,
                                  ArcError *err);

/* What `arcfit predict` found for a result, by one of its fits; d axes, of own equations channels,
 * which have no velocities and cross no planes. */
typedef struct ArcPredicted {
    ArcMethod method;
    int n_states;
    const double *t_s;    /* (n_states) */
    ArcPrediction states; /* (n_states,d) */
    int n_crossings;
    const ArcPlane *planes; /* (n_crossings) */
    const ArcCrossing *crossings;
    int n_held_out;         /* all held-out points of the capture, in order; 0: not asked */
    ArcPrediction held_out; /* (n_held_out,d), NaN before t0 */
} ArcPredicted;

ArcStatus arc_report_prediction_text(const ArcResult *result, const ArcPredicted *predicted,
                                     char **text, ArcError *err);
ArcStatus arc_report_prediction_json(const ArcResult *result, const ArcPredicted *predicted,
                                     char **text, ArcError *err);

#pragma GCC visibility pop

#endif
