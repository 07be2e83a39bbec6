/* Beliefs of an experiment alone and of a result's estimates. */
#include "arcfit/belief.h"

#include "aim/information.h"
#include "arcfit/report.h"

#include <string.h>

void arc_belief_of_experiment(const ArcExperiment *experiment, ArcBelief *belief)
{
    int n = experiment->n_parameters;
    belief->n = n;
    memset(belief->mean, 0, sizeof belief->mean);
    memset(belief->covariance, 0, sizeof belief->covariance);
    for (int i = 0; i < n; i++) {
        const ArcParameter *parameter = &experiment->parameters[i];
        double mean, sd;
        belief->mean[i] = parameter->start;
        /* A joint's own reading is of what its encoder says, of another throw. */
        if (arc_belief_is_unknown(experiment, i) || parameter->is_tied ||
            !arc_belief_prior(parameter, &mean, &sd))
            continue;
        belief->mean[i] = mean;
        belief->covariance[i * n + i] = sd * sd;
    }
}

void arc_belief_apply(const ArcBelief *belief, ArcExperiment *experiment)
{
    for (int i = 0; i < belief->n; i++)
        if (!arc_belief_is_unknown(experiment, i) && !experiment->parameters[i].is_tied)
            experiment->parameters[i].start = belief->mean[i];
}

/* Where the throw of the result began, of what this experiment leaves to data. */
static void take_release(const ArcExperiment *experiment, const ArcMeeting *meeting,
                         ArcBelief *belief)
{
    for (int i = 0; i < experiment->n_parameters; i++) {
        const ArcParameter *parameter = &experiment->parameters[i];
        const ArcEstimate *estimate = arc_meeting_estimate(meeting, parameter->name);
        if (estimate != NULL && arc_belief_is_own(experiment, i) && parameter->is_free &&
            !parameter->has_start && !parameter->has_prior &&
            !arc_belief_is_unknown(experiment, i) && strcmp(estimate->unit, parameter->unit) == 0)
            belief->mean[i] = estimate->value;
    }
}

/* The estimates that meet, with their covariance, in place of what belief has of them. */
static ArcStatus take_estimates(const ArcMeeting *meeting, ArcBelief *belief, ArcError *err)
{
    const ArcFit *fit = meeting->fit;
    for (int k = 0; k < meeting->n; k++) {
        const ArcParameter *parameter = &meeting->of->parameters[meeting->there[k]];
        const ArcEstimate *estimate = arc_meeting_estimate(meeting, parameter->name);
        if (estimate->status == ARC_PARAMETER_UNIDENTIFIED)
            return arc_error_set(err, ARC_INPUT,
                                 "error: %s: its data do not tell %s; fit with a prior of it, or "
                                 "with more throws",
                                 meeting->who, parameter->name);
        int i = meeting->here[k];
        belief->mean[i] = estimate->value;
        for (int j = 0; j < belief->n; j++)
            belief->covariance[i * belief->n + j] = belief->covariance[j * belief->n + i] = 0.0;
    }
    for (int k = 0; k < meeting->n; k++)
        for (int l = 0; l < meeting->n; l++)
            belief->covariance[meeting->here[k] * belief->n + meeting->here[l]] =
                fit->covariance[meeting->row[k] * fit->n_free + meeting->row[l]];
    return ARC_OK;
}

static ArcStatus belief_of_result(const ArcExperiment *experiment, const ArcResult *result,
                                  const char *who, ArcBelief *belief, ArcError *err)
{
    ArcMeeting meeting;
    ArcArena *arena = arc_arena_create();
    ArcBelief *made = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcBelief);
    if (made == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    arc_belief_of_experiment(experiment, made);
    ArcStatus status = arc_meeting_open(experiment, result, who, arena, &meeting, err);
    if (status == ARC_OK) {
        take_release(experiment, &meeting, made);
        status = arc_meeting_join(experiment, NULL, &meeting, err);
        if (status == ARC_OK)
            status = take_estimates(&meeting, made, err);
        arc_experiment_free(meeting.of);
    }
    if (status == ARC_OK)
        *belief = *made;
    arc_arena_free(arena);
    return status;
}

ArcStatus arc_belief_of_result(const ArcExperiment *experiment, const ArcResult *result,
                               ArcBelief *belief, ArcError *err)
{
    return belief_of_result(experiment, result, "the result", belief, err);
}

ArcStatus arc_belief_for_aim(const ArcExperiment *experiment, ArcBelief *belief, ArcError *err)
{
    const char *file = experiment->aim.from_file;
    ArcResult *result = NULL;
    if (file == NULL) {
        arc_belief_of_experiment(experiment, belief);
        return ARC_OK;
    }
    ArcStatus status = arc_report_read_hdf5(file, &result, err);
    if (status == ARC_OK)
        status = belief_of_result(experiment, result, file, belief, err);
    arc_result_free(result);
    return status;
}
