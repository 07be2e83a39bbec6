/* Parts of a diagnosis: cadence, the reasons of a wrong scale, frames that the times do not tell.
 */
#ifndef ARC_CAPTURE_DIAGNOSING_H
#define ARC_CAPTURE_DIAGNOSING_H

#include "arcfit/diagnosis.h"
#include "capture/stretches.h"

/* A diagnosis while it is made. */
typedef struct ArcDiagnosing {
    const ArcCapture *capture;
    const ArcFlight *flight;
    bool sigma_is_known;
    ArcOpen open;
    ArcTrackPoints points;
    ArcTrack *track; /* of points; its times may be put right on the way */
    ArcBallisticWork *work;
    ArcArena *arena;
    ArcExpectation expected; /* with gravity left open */
    ArcBallistic fit;        /* of the longest stretch, points begin to end - 1 of the track */
    int begin, end;
    double *off, *x, *v; /* (n,d) residuals in errors, and the flight, of the stretch's points */
    ArcDiagnosis *made;
} ArcDiagnosing;

/* Adds a warning; NULL where there are as many as there may be. */
ArcWarning *arc_diagnosing_warn(ArcDiagnosing *diagnosing, ArcFinding finding);

/* Names point i of the track in a warning, and counts it. */
void arc_diagnosing_name(const ArcDiagnosing *diagnosing, ArcWarning *warning, int i);

/* The size of the errors in sigmas: by their median and by their mean square as they count, the
 * larger; 1 at least where the sigmas are known. */
double arc_diagnosing_error(const ArcDiagnosing *diagnosing);

/* How much further off than so many sds something must be, where the size of the errors is itself
 * known from few points alone (the same chance by Student's t), or drag is of a law that bends: 1
 * and more. */
double arc_diagnosing_caution(const ArcDiagnosing *diagnosing);

/* Fits the stretch anew, with residuals. False where it cannot be. */
bool arc_diagnosing_fit(ArcDiagnosing *diagnosing);

/* The usual step of the times and whether they keep it; frames missing by the times. */
void arc_cadence_find(ArcDiagnosing *diagnosing, double *room);

/* Points that repeat the one before; frames that are missing though the times go on as if not,
 * which are put right in the track, and the stretch is fitted anew; *found where there are.
 * ARC_MEMORY.
 */
void arc_cadence_find_repeated(ArcDiagnosing *diagnosing);
ArcStatus arc_cadence_find_dropped(ArcDiagnosing *diagnosing, bool *found, ArcError *err);

/* What by itself makes gravity `ratio` times as large as it is, known to a share. step_s: of the
 * times; NaN where they are not regular. Returns how many. */
int arc_reasons_find(double ratio, double ratio_sd, double step_s, bool whole_times,
                     ArcReason reasons[ARC_REASONS_MOST]);

#endif
