/* Parts that profile, bootstrap and chains share: a problem fitted again, and who looks on. */
#ifndef ARC_FIT_UNCERTAINTY_H
#define ARC_FIT_UNCERTAINTY_H

#include "arcfit/uncertainty.h"
#include "fit/method.h"
#include "fit/rows.h"
#include "fit/starts.h"

/* What is explored: a fit of a problem, in which sigma and the loss's degrees of freedom are those
 * that the fit found, and how the caller follows it. */
typedef struct ArcExplorer {
    const ArcProblem *problem;
    const ArcFit *fit;
    const ArcFitOptions *options; /* may be NULL */
    bool interrupted;             /* to be read by arc_explorer_is_interrupted where threads run */
} ArcExplorer;

/* Threads to use for n pieces of work. */
int arc_explorer_threads(const ArcExplorer *explorer, int n);

/* Whether the caller has stopped it. By any thread. */
bool arc_explorer_is_interrupted(const ArcExplorer *explorer);

/* Tells who looks on that `done` of `total` pieces of an activity are done; false: stop. By any
 * thread. */
bool arc_explorer_tell(ArcExplorer *explorer, const char *activity, int done, int total);

/* The net as it was trained, and a stage that fits its output layer with the parameters. Nets
 * beside the flight's (of a swing, of own equations) are made anew. */
void arc_refit_keep_net(const ArcFit *fit, bool is_made_anew, ArcPinnSettings *pinn);

/* A copy of the problem that begins where values (n_parameters) are, with observations, bounds and
 * parameters of its own to be changed. The PINN keeps the fit's net and refits by its linear stage.
 * Borrows the rest of the problem; in the arena. NULL on exhaustion. */
ArcProblem *arc_refit_problem(const ArcExplorer *explorer, const double *values, ArcArena *arena);

/* Fits the copy by the fit's method from its start. The caller frees starts. */
ArcStatus arc_refit_run(const ArcExplorer *explorer, const ArcProblem *problem, ArcStarts **starts,
                        ArcError *err);

/* What each observation says at the fit's values, by the simulated flight for both methods; *rows
 * is NULL where it cannot be flown. In the arena. */
ArcStatus arc_explorer_rows(const ArcExplorer *explorer, ArcArena *arena, ArcRows **rows,
                            ArcError *err);

/* Each fills its part of uncertainty, in the fit's arena, unless the explorer is interrupted. */
ArcStatus arc_profile_run(ArcExplorer *explorer, int parameter, ArcProfile *profile, ArcError *err);
ArcStatus arc_bootstrap_run(ArcExplorer *explorer, const ArcUncertaintySettings *settings,
                            ArcUncertainty *uncertainty, ArcError *err);
ArcStatus arc_sample_run(ArcExplorer *explorer, int n, ArcUncertainty *uncertainty, ArcError *err);

#endif
