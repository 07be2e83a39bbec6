/* Which parameters of a result's fit are those of the experiment that aims, by name; what does not
 * go together is told. */
#include "aim/information.h"

#include <math.h>
#include <string.h>

static const double same_value = 1e-9;

/* Index of t0: behind the flight's. */
static int time_of(const ArcExperiment *experiment)
{
    return experiment->flight.n_parameters;
}

/* Of the arm's first, or where it would be. */
static int arm_of(const ArcExperiment *experiment)
{
    return time_of(experiment) + 1 + 2 * experiment->flight_settings.dimensions;
}

static bool is_arm_release(const ArcExperiment *experiment, int i)
{
    int k = i - arm_of(experiment);
    return experiment->has_arm && k >= experiment->arm.theta && k < experiment->arm.n_parameters;
}

bool arc_belief_is_unknown(const ArcExperiment *experiment, int i)
{
    bool any = false;
    for (int k = 0; k < experiment->n_parameters; k++)
        any = any || experiment->aim.unknown[k];
    if (any || experiment->equations != NULL)
        return experiment->aim.unknown[i];
    int d = experiment->flight_settings.dimensions, velocity = time_of(experiment) + 1 + d;
    return experiment->has_arm ? is_arm_release(experiment, i) : i >= velocity && i < velocity + d;
}

bool arc_belief_is_own(const ArcExperiment *experiment, int i)
{
    const ArcParameter *parameter = &experiment->parameters[i];
    bool is_release = i >= time_of(experiment) && i < arm_of(experiment);
    return is_release || is_arm_release(experiment, i) || parameter->is_tied ||
           parameter->sharing != ARC_SHARED;
}

static bool is_lasting(const ArcExperiment *experiment, int i)
{
    return !arc_belief_is_own(experiment, i) && !arc_belief_is_unknown(experiment, i);
}

bool arc_belief_is_open(const ArcExperiment *experiment, const ArcBelief *belief, int i)
{
    const ArcParameter *parameter = &experiment->parameters[i];
    double mean, sd;
    bool is_flat = parameter->is_free && !arc_belief_prior(parameter, &mean, &sd);
    return is_lasting(experiment, i) && (belief->covariance[i * belief->n + i] > 0.0 || is_flat);
}

bool arc_belief_prior(const ArcParameter *parameter, double *mean, double *sd)
{
    double weight = 0.0, sum = 0.0;
    if (parameter->has_prior) {
        weight += pow(parameter->prior_sd, -2);
        sum += pow(parameter->prior_sd, -2) * parameter->prior_mean;
    }
    if (parameter->has_reading) {
        weight += pow(parameter->reading_sd, -2);
        sum += pow(parameter->reading_sd, -2) * parameter->reading;
    }
    if (!parameter->is_free || weight == 0.0)
        return false;
    *mean = sum / weight;
    *sd = 1.0 / sqrt(weight);
    return true;
}

const ArcEstimate *arc_meeting_estimate(const ArcMeeting *meeting, const char *name)
{
    for (int i = 0; i < meeting->fit->n_parameters; i++)
        if (strcmp(meeting->fit->parameters[i].name, name) == 0)
            return &meeting->fit->parameters[i];
    return NULL;
}

/* The result's text with its own --set texts. */
static ArcStatus restore(const ArcResult *result, ArcArena *arena, ArcExperiment **of,
                         ArcError *err)
{
    int n = result->n_overrides;
    const char **overrides = ARC_ALLOC(arena, (size_t)n + 1, const char *);
    if (overrides == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < n; i++)
        overrides[i] = result->overrides[i];
    overrides[n] = "fit.pinn.net=auto"; /* a file of a net is not needed */
    return arc_experiment_parse(result->experiment_path, result->experiment_text,
                                strlen(result->experiment_text), n + 1, overrides, of, err);
}

ArcStatus arc_meeting_open(const ArcExperiment *experiment, const ArcResult *result,
                           const char *who, ArcArena *arena, ArcMeeting *meeting, ArcError *err)
{
    int d = experiment->flight_settings.dimensions;
    if (experiment->equations != NULL || result->model_text != NULL)
        return arc_error_set(err, ARC_INPUT,
                             "error: %s: own equations have no throws to aim; results of flights "
                             "are wanted",
                             who);
    const ArcFit *direct = arc_result_fit(result, ARC_DIRECT);
    *meeting = (ArcMeeting){.who = who, .fit = direct != NULL ? direct : result->fits[0]};
    if (!meeting->fit->converged)
        return arc_error_set(err, ARC_INPUT,
                             "error: %s: its fit did not converge; what it says cannot be used",
                             who);
    ArcStatus status = restore(result, arena, &meeting->of, err);
    if (status != ARC_OK || meeting->of->flight_settings.dimensions == d)
        return status;
    status = arc_error_set(err, ARC_INPUT,
                           "error: %s: it is of a throw in %d dimensions, this experiment of one "
                           "in %d",
                           who, meeting->of->flight_settings.dimensions, d);
    arc_experiment_free(meeting->of);
    meeting->of = NULL;
    return status;
}

/* Parameter j of the fit's experiment that was held at a value. */
static ArcStatus check_fixed(const ArcExperiment *experiment, const ArcBelief *belief,
                             const ArcParameter *held, int here, const char *who, ArcError *err)
{
    double mean = belief->mean[here], value = held->start;
    const char *unit = strcmp(held->unit, "1") == 0 ? "" : held->unit;
    const char *blank = unit[0] == '\0' ? "" : " ";
    if (arc_belief_is_open(experiment, belief, here))
        return arc_error_set(err, ARC_INPUT,
                             "error: %s: %s is uncertain here and was fixed at %.6g%s%s there, so "
                             "that what else it says holds for that value alone; fit with %s free "
                             "and the same prior",
                             who, held->name, value, blank, unit, held->name);
    if (fabs(value - mean) > same_value * fmax(fabs(value), fabs(mean)))
        return arc_error_set(err, ARC_INPUT,
                             "error: %s: %s was fixed at %.9g%s%s, and is %.9g%s%s here; fit again "
                             "with the same value",
                             who, held->name, value, blank, unit, mean, blank, unit);
    return ARC_OK;
}

/* Whether parameter j may be left out, which is not here, or here no matter. */
static ArcStatus check_missing(const ArcParameter *parameter, const char *who, ArcError *err)
{
    if (!parameter->is_free || parameter->measure != ARC_MEASURE_NONE)
        return ARC_OK;
    return arc_error_set(err, ARC_INPUT,
                         "error: %s: it has a parameter %s, which this experiment has not; its "
                         "laws or its arm are others",
                         who, parameter->name);
}

/* Takes parameter j of the result's experiment where it is of use. */
static ArcStatus meet_one(const ArcExperiment *experiment, const ArcBelief *belief, int j,
                          ArcMeeting *meeting, ArcError *err)
{
    const char *who = meeting->who;
    const ArcParameter *parameter = &meeting->of->parameters[j];
    const ArcEstimate *estimate = arc_meeting_estimate(meeting, parameter->name);
    int here = arc_experiment_parameter(experiment, parameter->name);
    if (here < 0)
        return belief == NULL ? ARC_OK : check_missing(parameter, who, err);
    if (!is_lasting(experiment, here))
        return ARC_OK;
    const char *unit = estimate != NULL ? estimate->unit : parameter->unit;
    if (strcmp(unit, experiment->parameters[here].unit) != 0)
        return arc_error_set(err, ARC_INPUT, "error: %s: its %s is in %s, this experiment's in %s",
                             who, parameter->name, unit, experiment->parameters[here].unit);
    if (!parameter->is_free)
        return belief == NULL || parameter->measure != ARC_MEASURE_NONE
                   ? ARC_OK
                   : check_fixed(experiment, belief, parameter, here, who, err);
    if (estimate == NULL || estimate->free_index < 0 ||
        estimate->free_index >= meeting->fit->n_free)
        return ARC_OK;
    if (estimate->status == ARC_PARAMETER_AT_BOUND)
        return arc_error_set(err, ARC_INPUT,
                             "error: %s: its %s is at a bound, where its covariance says nothing; "
                             "fit with wider bounds",
                             who, parameter->name);
    meeting->here[meeting->n] = here;
    meeting->there[meeting->n] = j;
    meeting->row[meeting->n++] = estimate->free_index;
    return ARC_OK;
}

ArcStatus arc_meeting_join(const ArcExperiment *experiment, const ArcBelief *belief,
                           ArcMeeting *meeting, ArcError *err)
{
    ArcStatus status = ARC_OK;
    meeting->n = 0;
    for (int j = 0; j < meeting->of->n_parameters && status == ARC_OK; j++)
        if (!arc_belief_is_own(meeting->of, j))
            status = meet_one(experiment, belief, j, meeting, err);
    if (status == ARC_OK && meeting->n == 0)
        return arc_error_set(err, ARC_INPUT,
                             "error: %s: it has none of the parameters that this experiment wants "
                             "to know",
                             meeting->who);
    return status;
}
