/* What a diagnosis found, in words and as JSON. */
#ifndef ARC_REPORT_DIAGNOSIS_PARTS_H
#define ARC_REPORT_DIAGNOSIS_PARTS_H

#include "arcfit/diagnosis.h"
#include "base/text.h"
#include "io/json.h"

/* Noise, speed and gravity as found, a paragraph each, then one for each warning. scale_is_open: a
 * parameter is the scale or the clock, so that what is found is in no true units, and said so. */
void arc_diagnosis_parts_text(ArcText *table, const ArcCapture *capture, const ArcFlight *flight,
                              const ArcDiagnosis *diagnosis, bool scale_is_open);

/* {"step_s", "regular", "flights", "noise_m", "speed_m_s", "gravity_m_s2": {"value", "sd"},
 * "tilt_rad": .., "drag_1_m": ..}. */
json_t *arc_diagnosis_parts_json(ArcJson *json, const ArcCapture *capture,
                                 const ArcDiagnosis *diagnosis);

/* [{"code", "text", "value", "sd", "expected", "n", "lines", "reasons"}], the gravest first. */
json_t *arc_diagnosis_parts_warnings(ArcJson *json, const ArcCapture *capture,
                                     const ArcFlight *flight, const ArcDiagnosis *diagnosis);

#endif
