/* The curriculum: the laws of a flight are switched on one after the other.
 *
 * Each stage fits the flight with some of its laws off, from where the one before ended; a
 * parameter that comes with a law begins at its start, or at its default where that is nearer to
 * the points. The last is always the whole flight. A start so far away that the whole flight ends
 * in a far valley is led near by the simpler ones: without drag and lift a flight is a parabola,
 * which any start finds.
 */
#ifndef ARC_FIT_CURRICULUM_H
#define ARC_FIT_CURRICULUM_H

#include "fit/method.h"

/* Whether a fit by stages would do anything else than one without. */
bool arc_curriculum_applies(const ArcProblem *problem, ArcMethod method,
                            const ArcFitOptions *options);

typedef struct ArcCurriculumRun {
    ArcMethod method;
    const ArcFitOptions *options; /* may be NULL */
    ArcStartPlace place;
} ArcCurriculumRun;

/* Fits by the stages of problem->curriculum, all of them where it is automatic. outcome begins as
 * what was found without them, whose history goes before theirs, or as zero. Only the last fit is
 * saved in the place's checkpoint, since the others take milliseconds and give the same bits again.
 */
ArcStatus arc_curriculum_fit(const ArcProblem *problem, const ArcCurriculumRun *run,
                             ArcArena *arena, ArcOutcome *outcome, ArcError *err);

#endif
