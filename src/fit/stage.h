/* One stage of a PINN's training, step by step: linear, lm, adam or lbfgs.
 *
 * A stage begins from the net and values of its ArcPinn and leaves its own there at the end.
 * Between two steps all of it can be stored, and a stage created alike and read from that store
 * goes on bit for bit.
 */
#ifndef ARC_FIT_STAGE_H
#define ARC_FIT_STAGE_H

#include "fit/pinn.h"
#include "fit/store.h"

typedef struct ArcStageRun ArcStageRun; /* in the arena of its creation */

/* Notes its iterations in history, which learns the stage's name, steps and values by it. */
ArcStatus arc_stage_create(ArcPinn *pinn, const ArcStage *stage, ArcHistory *history,
                           ArcArena *arena, ArcStageRun **run, ArcError *err);

/* Before the first step. stored: NULL, or where the stage stood; what does not fit sets its
 * `failed`. */
void arc_stage_begin(ArcStageRun *run, ArcStore *stored);

/* One step; false when the stage is over. No allocation. */
bool arc_stage_step(ArcStageRun *run);

/* Ends a stage that would go on, as one that has arrived. */
void arc_stage_leave(ArcStageRun *run);

/* True once a step said so for another reason than an interruption. */
bool arc_stage_is_over(const ArcStageRun *run);

/* Where it stands, between two steps, as long as it is not over. */
void arc_stage_store(ArcStageRun *run, ArcStore *store);

typedef struct ArcStageEnd {
    ArcStop stop;
    int iterations;
    const char
        *block; /* of a value that is not finite: "observations", "physics", ...; else NULL */
} ArcStageEnd;

/* Leaves net and values in pinn. */
ArcStageEnd arc_stage_finish(ArcStageRun *run);

/* The factor T (n_free, n_free) of pinn's parameters by the linear problem at its net and values,
 * copied to T; *remaining: |J d| of the Gauss-Newton step that is left. False where it cannot be
 * had; *status then tells exhaustion from numbers that are not finite. */
bool arc_stage_posterior(ArcPinn *pinn, ArcArena *arena, double *T, double *remaining,
                         ArcStatus *status, ArcError *err);

/* The factor that a finished linear stage ended with; NULL for the others. */
const double *arc_stage_factor(const ArcStageRun *run);

#endif
