/* What a fit learned by its closure, as parts of the reports; nothing of a fit without one. */
#ifndef ARC_REPORT_CLOSURE_PARTS_H
#define ARC_REPORT_CLOSURE_PARTS_H

#include "arcfit/closure.h"
#include "arcfit/result.h"
#include "base/arena.h"
#include "base/text.h"
#include "io/hdf5.h"
#include "io/json.h"
#include "report/table.h"

/* A closure is there, and its ridge is not infinite for all outputs. */
bool arc_closure_parts_is_wanted(const ArcClosureFit *closure);

/* What the log Bayes factor says, by Kass and Raftery's scale: "want it strongly". */
const char *arc_closure_parts_words(const ArcClosureFit *closure);

/* A log Bayes factor: "132", "-2.86". */
const char *arc_closure_parts_log_bayes(char buffer[ARC_TABLE_NUMBER], double log_bayes);

/* A block with a row a number and a column a fit, and what it says in words. */
void arc_closure_parts_text(ArcText *table, const ArcResult *result);

/* {"inputs", "outputs", ..., "table": {..}}. */
json_t *arc_closure_parts_json(ArcJson *json, const ArcFit *fit);

/* GROUP/closure: numbers as attributes; input, input_unit, input_kind, input_axis, output,
 * output_unit, ridge, weights, covariance, parameter_covariance (flights x free,
 * weights); table/{row,inputs,values,sd}. False where there is no memory. What does not fit refuses
 * the file.
 */
bool arc_closure_parts_write(ArcHdf5 *file, ArcArena *arena, const char *group, const ArcFit *fit);
bool arc_closure_parts_read(ArcHdf5 *file, ArcArena *arena, const char *group, ArcFit *fit);

#endif
