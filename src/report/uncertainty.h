/* What lies beyond the covariance, in each kind of report. */
#ifndef ARC_REPORT_UNCERTAINTY_H
#define ARC_REPORT_UNCERTAINTY_H

#include "arcfit/uncertainty.h"
#include "base/text.h"
#include "io/hdf5.h"
#include "io/json.h"

#include <stdbool.h>

/* Tables of profiles, bootstrap and chains, beside the covariance; nothing where none was asked
 * for. is_named: the method's name is told. */
void arc_section_uncertainty(ArcText *table, const ArcFit *fit, bool is_named);

/* Puts "profiles", "bootstrap", "samples" and "uncertainty_note" into a fit's object, as far as
 * they are there. */
void arc_document_uncertainty(ArcJson *json, json_t *object, const ArcFit *fit);

/* Below a fit's group ("/fits/direct"): profiles/NAME, bootstrap, samples. False on exhaustion. */
bool arc_uncertainty_write(ArcHdf5 *file, ArcArena *arena, const char *group, const ArcFit *fit);

/* The mirror image, after the fit's parameters were read; failures are the file's. False on
 * exhaustion. */
bool arc_uncertainty_read(ArcHdf5 *file, ArcArena *arena, const char *group, ArcFit *fit);

#endif
