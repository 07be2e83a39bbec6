/* One warning of a diagnosis in words: what, how much, and what to do. */
#ifndef ARC_REPORT_WARNING_WORDS_H
#define ARC_REPORT_WARNING_WORDS_H

#include "arcfit/diagnosis.h"
#include "base/text.h"

/* Appends one sentence or more, without a line break. */
void arc_warning_words(ArcText *text, const ArcCapture *capture, const ArcFlight *flight,
                       const ArcDiagnosis *diagnosis, const ArcWarning *warning);

#endif
