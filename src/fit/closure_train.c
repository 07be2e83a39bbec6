/* A closure whose hidden layer is trained as well, from where its output weights alone have led.
 *
 * The hidden numbers are drawn ones with a normal prior about what was drawn (arc_closure_prior),
 * so that both closures have an evidence: by Laplace's rule at their optima, half the sum of
 * squares, half the log determinant of J'J with the priors' rows, and the logs of the priors' sds.
 * Such a net has many minima; it is kept only where that improves.
 */
#include "fit/closure_search.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 60 };

/* By how much the log of the evidence has to improve. */
static const double least_gain = 1.0;

/* A direct run with the closure, from the search's end: -log evidence, infinite where it fails;
 * weights (K) become where it ends. */
static ArcStatus run_closure(const ArcJoint *joint, const ArcFitOptions *options,
                             const ArcClosure *closure, const double *mean, const double *sd,
                             double *weights, double *evidence, ArcError *err)
{
    ArcClosureFound *found = joint->found, kept = *found;
    ArcJointRun run;
    ArcArena *arena = arc_arena_create();
    *evidence = INFINITY;
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_joint_run_create(joint, ARC_DIRECT, options, arena, &run, err);
    found->closure = (ArcClosure *)(uintptr_t)closure;
    found->mean = (double *)(uintptr_t)mean;
    found->sd = (double *)(uintptr_t)sd;
    found->weights = weights;
    found->is_found = true;
    if (status == ARC_OK)
        status = arc_joint_run_take(&run, err);
    *found = kept;
    if (closure->settings.trains_all)
        run.settings.max_iterations = MOST_STEPS;
    if (status == ARC_OK)
        status = arc_joint_run_direct(&run, err);
    /* The fit itself goes on from where these steps end. */
    ArcStop stop = run.result.stop;
    if (status == ARC_OK && (arc_stop_is_converged(stop) || stop == ARC_STOP_LIMIT)) {
        double value = arc_joint_solver_evidence(run.solver, run.population_sd);
        for (int k = 0; k < closure->K; k++)
            value += log(sd[k]);
        *evidence = isnan(value) ? INFINITY : value;
        memcpy(weights, run.s + joint->n_shared, sizeof(double) * (size_t)closure->K);
    }
    arc_joint_run_free(&run);
    arc_arena_free(arena);
    /* What cannot be flown is no improvement, and no failure. */
    return status == ARC_NUMERIC ? ARC_OK : status;
}

/* The same features with their own numbers as weights. */
static ArcStatus create_trained(const ArcJoint *joint, const ArcClosure *drawn,
                                ArcClosure **trained, ArcError *err)
{
    const ArcProblem *first = joint->flights[0];
    ArcClosureSettings settings = drawn->settings;
    settings.trains_all = true;
    return arc_closure_create(&settings, first->phase == NULL ? &first->flight : NULL, first->D,
                              joint->found->n_points, joint->found->points, first->seed,
                              joint->arena, trained, err);
}

ArcStatus arc_closure_train(const ArcJoint *joint, const ArcFitOptions *options, ArcError *err)
{
    ArcClosureFound *found = joint->found;
    const ArcClosure *drawn = found->closure;
    ArcClosure *trained = NULL;
    double before, after;
    if (drawn == NULL || found->is_lost)
        return ARC_OK;
    ArcStatus status = create_trained(joint, drawn, &trained, err);
    if (status != ARC_OK)
        return status;
    size_t K = (size_t)trained->K, n = (size_t)drawn->K;
    double *weights = ARC_ALLOC(joint->arena, 3 * K, double), *mean = weights + K, *sd = mean + K;
    double ridge[ARC_EQUATIONS_MAX_STATES];
    if (weights == NULL)
        return arc_error_no_memory(err);
    status =
        run_closure(joint, options, drawn, found->mean, found->sd, found->weights, &before, err);
    if (status != ARC_OK)
        return status;
    arc_closure_start(trained, weights);
    memcpy(weights, found->weights, sizeof(double) * n);
    for (int o = 0; o < drawn->O; o++)
        ridge[o] = 1.0 / (found->sd[o * drawn->H] * found->sd[o * drawn->H]);
    for (size_t k = 0; k < K; k++)
        arc_closure_prior(trained, (int)k, ridge, &mean[k], &sd[k]);
    status = run_closure(joint, options, trained, mean, sd, weights, &after, err);
    if (status != ARC_OK || !(after < before - least_gain))
        return status;
    for (int o = 0; o < drawn->O; o++)
        found->output[o] = o;
    memcpy(found->ridge, ridge, sizeof ridge);
    found->whole = found->closure = trained;
    found->weights = weights;
    found->mean = mean;
    found->sd = sd;
    found->is_trained = true;
    return ARC_OK;
}
