/* The joint problem: each flight's own, and what they share. */
#include "fit/joint.h"
#include "fit/closure_search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What one of several is called. */
static const char *word_of(const ArcExperiment *experiment)
{
    return experiment->equations != NULL ? "run" : "flight";
}

/* What a fit of several flights does not have, with what to do instead. */
static ArcStatus check_possible(const ArcExperiment *experiment, ArcError *err)
{
    const ArcPinnSettings *pinn = &experiment->pinn;
    const ArcUncertaintySettings *beyond = &experiment->uncertainty;
    const char *wrong = NULL;
    if (experiment->loss.kind != ARC_LOSS_GAUSS)
        wrong = "fit.loss: gauss alone";
    else if (experiment->starts > 1)
        wrong = "fit.starts: 1 alone";
    else if (experiment->curriculum.n > 0 && !experiment->curriculum.is_auto)
        wrong = "no fit.stages";
    else if (beyond->profiles != 0 || beyond->bootstrap > 0 || beyond->sample > 0)
        wrong = "no profile, bootstrap or sample";
    else if (experiment->use_pinn && pinn->physics_auto)
        wrong = "fit.pinn.physics: exact, or a number,";
    else if (experiment->use_pinn && experiment->capture.sigma_estimated &&
             pinn->sigma_phys_m_s2 > 0.0)
        wrong = "either sigma: estimate or a number for fit.pinn.physics";
    for (int i = 0; wrong == NULL && i < experiment->n_parameters; i++)
        if (experiment->parameters[i].is_free &&
            experiment->parameters[i].measure == ARC_MEASURE_SIGMA)
            wrong = "no camera's own sigma free";
    for (int i = 0; wrong == NULL && experiment->use_pinn && i < pinn->n_stages; i++)
        if (pinn->stages[i].optimizer != ARC_OPTIMIZER_LINEAR)
            wrong = "the stage linear alone in fit.pinn.train";
    if (wrong == NULL)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, experiment->capture.place,
                            "several %ss are fitted together with %s; change it, or give each "
                            "%s an experiment of its own",
                            word_of(experiment), wrong, word_of(experiment));
}

/* The message of one flight's problem says which. */
static void name_flight(ArcError *err, const char *word, int flight, const char *name)
{
    size_t used = err != NULL ? strlen(err->text) : 0;
    if (err != NULL)
        snprintf(err->text + used, sizeof err->text - used, " (%s %d, %.200s)", word, flight + 1,
                 name);
}

/* Parameters of cameras are told by their place among them. */
static ArcStatus check_cameras(const ArcExperiment *experiment, const ArcCapture *first,
                               const ArcCapture *capture, ArcError *err)
{
    bool same = first->n_cameras == capture->n_cameras;
    for (int c = 0; same && c < first->n_cameras; c++)
        same = strcmp(first->cameras[c].name, capture->cameras[c].name) == 0;
    return same ? ARC_OK
                : arc_error_set_at(err, ARC_INPUT, experiment->capture.place,
                                   "flights fitted together are seen by the same cameras, in the "
                                   "same order; give each capture all of them");
}

/* Each flight's problem, without the priors that count once. */
static ArcStatus create_flights(ArcJoint *joint, const ArcExperiment *experiment,
                                const ArcCapture *const *captures, ArcError *err)
{
    ArcExperiment own = *experiment;
    own.capture.sigma_estimated = false;
    for (int i = 0; i < own.n_parameters; i++) {
        if (own.parameters[i].sharing != ARC_PER_FLIGHT)
            own.parameters[i].has_prior = false;
        own.parameters[i].sharing = ARC_PER_FLIGHT;
    }
    for (int f = 0; f < joint->n_flights; f++) {
        const ArcCapture *capture = captures[f];
        const char *name = joint->names[f] =
            arc_arena_format(joint->arena, "%s%s%s", capture->file != NULL ? capture->file : "?",
                             capture->flight != NULL ? ", flight " : "",
                             capture->flight != NULL ? capture->flight : "");
        if (name == NULL)
            return arc_error_no_memory(err);
        if (experiment->n_captures == joint->n_flights)
            own.capture.place = experiment->captures[f].place;
        /* What was read of a shared parameter counts once, too. */
        for (int i = 0; f == 1 && i < own.n_parameters; i++)
            if (experiment->parameters[i].sharing == ARC_SHARED)
                own.parameters[i].has_reading = false;
        ArcStatus status = check_cameras(&own, captures[0], capture, err);
        if (status == ARC_OK)
            status = arc_problem_create(&own, capture, &joint->flights[f], err);
        if (status != ARC_OK) {
            name_flight(err, word_of(experiment), f, name);
            return status;
        }
        joint->flights[f]->curriculum = (ArcCurriculum){0};
        joint->n_observations += arc_problem_n_observed(joint->flights[f]);
        joint->n_priors += joint->flights[f]->n_priors;
    }
    return ARC_OK;
}

/* Start: the mean of what the flights' data say. Bounds: the narrowest. */
static ArcJointUnknown shared_unknown(const ArcJoint *joint, int i)
{
    const ArcParameter *given = &joint->given[i];
    ArcJointUnknown unknown = {.parameter = i,
                               .is_mean = given->sharing == ARC_HIERARCHICAL,
                               .low = -INFINITY,
                               .high = INFINITY,
                               .prior_mean = given->prior_mean,
                               .prior_sd = given->has_prior ? given->prior_sd : INFINITY};
    for (int f = 0; f < joint->n_flights; f++) {
        const ArcProblem *flight = joint->flights[f];
        unknown.start += flight->start[i] / joint->n_flights;
        unknown.low = fmax(unknown.low, flight->parameters[i].low);
        unknown.high = fmin(unknown.high, flight->parameters[i].high);
    }
    unknown.start = fmin(fmax(unknown.start, unknown.low), unknown.high);
    return unknown;
}

static ArcStatus list_shared(ArcJoint *joint, const ArcExperiment *experiment, ArcError *err)
{
    const ArcProblem *first = joint->flights[0];
    size_t n = (size_t)experiment->n_parameters;
    joint->given = ARC_ALLOC(joint->arena, n, ArcParameter);
    joint->shared = ARC_ALLOC(joint->arena, n, ArcJointUnknown);
    joint->shared_of = ARC_ALLOC(joint->arena, 4 * n, int);
    joint->head.parameters = ARC_ALLOC(joint->arena, n, ArcParameter);
    if (joint->given == NULL || joint->shared == NULL || joint->shared_of == NULL ||
        joint->head.parameters == NULL)
        return arc_error_no_memory(err);
    joint->mean_of = joint->shared_of + n;
    joint->column_shared = joint->mean_of + n;
    joint->column_mean = joint->column_shared + n;
    for (size_t i = 0; i < n; i++) {
        ArcParameter *given = &joint->given[i];
        *given = experiment->parameters[i];
        given->name = first->parameters[i].name;
        given->unit = first->parameters[i].unit;
        joint->shared_of[i] = joint->mean_of[i] = -1;
        if (!given->is_free || given->sharing == ARC_PER_FLIGHT)
            continue;
        int k = joint->n_shared++;
        joint->shared[k] = shared_unknown(joint, (int)i);
        joint->head.parameters[k] = *given;
        *(joint->shared[k].is_mean ? &joint->mean_of[i] : &joint->shared_of[i]) = k;
        joint->n_populations += joint->shared[k].is_mean;
        joint->n_priors += given->has_prior;
    }
    joint->head.n_parameters = joint->n_shared;
    joint->head.seed = first->seed;
    for (int k = 0; k < first->n_free; k++) {
        joint->column_shared[k] = joint->shared_of[first->free_parameter[k]];
        joint->column_mean[k] = joint->mean_of[first->free_parameter[k]];
        joint->n_unknowns += joint->column_shared[k] < 0 ? joint->n_flights : 0;
    }
    joint->n_unknowns += joint->n_shared;
    joint->n_priors += joint->n_populations * joint->n_flights;
    return ARC_OK;
}

static ArcStatus joint_check(const ArcJoint *joint, const ArcExperiment *experiment, ArcError *err)
{
    for (int k = 0; k < joint->n_shared; k++) {
        const ArcJointUnknown *unknown = &joint->shared[k];
        if (unknown->low > unknown->high)
            return arc_error_set_at(err, ARC_INPUT, joint->given[unknown->parameter].place,
                                    "'%s' cannot have one value for all flights: their ranges do "
                                    "not overlap; make it flights: per-flight",
                                    joint->given[unknown->parameter].name);
        if (unknown->is_mean && joint->n_flights < 3)
            return arc_error_set_at(err, ARC_INPUT, joint->given[unknown->parameter].place,
                                    "the population of '%s' cannot be found from %d flights; "
                                    "give 3 or more, or make it flights: per-flight or shared",
                                    joint->given[unknown->parameter].name, joint->n_flights);
    }
    int spare = joint->n_observations + joint->n_priors - joint->n_unknowns;
    if (joint->sigma_estimated && spare < 1)
        return arc_error_set_at(err, ARC_INPUT, experiment->capture.place,
                                "sigma cannot be estimated: %d numbers and %d priors for %d free "
                                "parameters leave no scatter; give a sigma, or fix parameters",
                                joint->n_observations, joint->n_priors, joint->n_unknowns);
    return ARC_OK;
}

static ArcStatus closure_check(ArcJoint *joint, ArcError *err)
{
    if (joint->n_populations > 0)
        return arc_error_set_at(err, ARC_INPUT, joint->closure.place,
                                "a closure does not go together with flights: hierarchical; make "
                                "the parameter shared or per-flight");
    if (joint->closure.choice == ARC_CLOSURE_CROSS_VALIDATION && joint->n_flights < 3)
        return arc_error_set_at(err, ARC_INPUT, joint->closure.place,
                                "cross-validation of a closure needs 3 flights or more, and here "
                                "are %d; choose evidence",
                                joint->n_flights);
    joint->found = ARC_ALLOC(joint->arena, 1, ArcClosureFound);
    return joint->found == NULL ? arc_error_no_memory(err)
                                : arc_closed_check(joint->flights[0], joint->closure.place, err);
}

ArcStatus arc_joint_create(const ArcExperiment *experiment, int n_flights,
                           const ArcCapture *const *captures, ArcJoint **result, ArcError *err)
{
    if (n_flights < 1)
        return arc_error_set(err, ARC_USAGE, "error: no flight to fit; give one or more");
    ArcStatus status = check_possible(experiment, err);
    if (status != ARC_OK)
        return status;
    ArcArena *arena = arc_arena_create();
    ArcJoint *joint = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcJoint);
    if (joint == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    joint->arena = arena;
    joint->sigma_estimated = experiment->capture.sigma_estimated;
    joint->closure = experiment->closure;
    joint->flights = ARC_ALLOC(arena, (size_t)n_flights, ArcProblem *);
    joint->names = ARC_ALLOC(arena, (size_t)n_flights, const char *);
    if (joint->flights == NULL || joint->names == NULL)
        status = arc_error_no_memory(err);
    if (status == ARC_OK) {
        joint->n_flights = n_flights;
        status = create_flights(joint, experiment, captures, err);
    }
    if (status == ARC_OK)
        status = list_shared(joint, experiment, err);
    if (status == ARC_OK)
        status = joint_check(joint, experiment, err);
    if (status == ARC_OK && joint->closure.is_on)
        status = closure_check(joint, err);
    if (status == ARC_OK)
        *result = joint;
    else
        arc_joint_free(joint);
    return status;
}

void arc_joint_free(ArcJoint *joint)
{
    if (joint == NULL)
        return;
    for (int f = 0; f < joint->n_flights; f++)
        arc_problem_free(joint->flights[f]);
    arc_arena_free(joint->arena);
}
