/* Results as JSON; names and nesting are fixed in README, "Results". NaN becomes null. */
#include "arcfit/report.h"

#include "arcfit/version.h"
#include "io/json.h"
#include "report/arm_parts.h"
#include "report/breach_parts.h"
#include "report/camera_parts.h"
#include "report/closure_parts.h"
#include "report/document.h"
#include "report/flights_parts.h"
#include "report/identifiability_parts.h"
#include "report/randomised_parts.h"
#include "report/ranking_parts.h"
#include "report/section.h"
#include "report/spread.h"
#include "report/states_parts.h"
#include "report/stretch_parts.h"
#include "report/uncertainty.h"
#include "report/verdict.h"

#include <math.h>
#include <string.h>

/* Parameters carry start and status, derived numbers do not. */
static json_t *json_estimate(ArcJson *json, const ArcEstimate *estimate, bool is_derived)
{
    json_t *object = arc_json_object(json);
    arc_json_put_number(json, object, "value", estimate->value);
    arc_json_put_number(json, object, "sd", estimate->sd);
    arc_json_put(json, object, "ci95", arc_json_vector(json, 2, estimate->ci95));
    arc_json_put_string(json, object, "unit", estimate->unit);
    if (is_derived)
        return object;
    arc_json_put_number(json, object, "start", estimate->start);
    arc_json_put_string(json, object, "status", arc_parameter_status_text(estimate->status));
    if (estimate->reason != NULL)
        arc_json_put_string(json, object, "reason", estimate->reason);
    return object;
}

json_t *arc_document_estimates(ArcJson *json, int n, const ArcEstimate *estimates, bool is_derived)
{
    json_t *object = arc_json_object(json);
    for (int i = 0; i < n; i++)
        arc_json_put(json, object, estimates[i].name,
                     json_estimate(json, &estimates[i], is_derived));
    return object;
}

json_t *arc_document_unidentified(ArcJson *json, const ArcFit *fit)
{
    json_t *groups = arc_json_array(json);
    for (int g = 0; g < fit->n_unidentified; g++) {
        json_t *names = arc_json_array(json);
        for (int i = 0; i < fit->unidentified_size[g]; i++)
            arc_json_push(json, names,
                          arc_json_string(json, fit->parameters[fit->unidentified[g][i]].name));
        arc_json_push(json, groups, names);
    }
    return groups;
}

static json_t *json_correlation(ArcJson *json, const ArcFit *fit)
{
    json_t *object = arc_json_object(json);
    json_t *names = arc_json_array(json);
    json_t *matrix = arc_json_array(json);
    for (int i = 0; i < fit->n_free; i++) {
        json_t *row = arc_json_array(json);
        for (int p = 0; p < fit->n_parameters; p++) {
            if (fit->parameters[p].free_index == i)
                arc_json_push(json, names, arc_json_string(json, fit->parameters[p].name));
        }
        for (int j = 0; j < fit->n_free; j++)
            arc_json_push(json, row, arc_json_number(json, arc_section_correlation(fit, i, j)));
        arc_json_push(json, matrix, row);
    }
    arc_json_put(json, object, "names", names);
    arc_json_put(json, object, "matrix", matrix);
    return object;
}

json_t *arc_document_residuals(ArcJson *json, const ArcResiduals *residuals)
{
    json_t *object = arc_json_object(json);
    arc_json_put_integer(json, object, "points", residuals->points);
    arc_json_put_integer(json, object, "observations", residuals->observations);
    arc_json_put_number(json, object, "chi2", residuals->chi2);
    arc_json_put_number(json, object, "prior_chi2", residuals->prior_chi2);
    arc_json_put_integer(json, object, "dof", residuals->dof);
    arc_json_put_number(json, object, "chi2_p", residuals->chi2_p);
    arc_json_put_number(json, object, "rms_m", residuals->rms_m);
    arc_json_put_number(json, object, "physics_rms_m_s2", residuals->physics_rms_m_s2);
    arc_json_put_number(json, object, "physics_rms_fine_m_s2", residuals->physics_rms_fine_m_s2);
    arc_json_put_number(json, object, "sigma_phys_m_s2", residuals->sigma_phys_m_s2);
    arc_json_put(json, object, "sigma_phys_ci95_m_s2",
                 arc_json_vector(json, 2, residuals->sigma_phys_ci95_m_s2));
    arc_json_put_integer(json, object, "held_out_points", residuals->held_out_points);
    arc_json_put_number(json, object, "held_out_rms_m", residuals->held_out_rms_m);
    arc_arm_parts_json_counts(json, object, residuals);
    arc_camera_parts_json(json, object, residuals);
    return object;
}

json_t *arc_document_trajectory(ArcJson *json, const ArcFit *fit)
{
    if (fit->states != NULL)
        return arc_states_parts_trajectory(json, fit);
    json_t *object = arc_json_object(json);
    int n = fit->n_trajectory, d = fit->dimensions;
    arc_json_put(json, object, "time_s", arc_json_vector(json, n, fit->time_s));
    arc_json_put(json, object, "position_m", arc_json_matrix(json, n, d, fit->position_m));
    arc_json_put(json, object, "velocity_m_s", arc_json_matrix(json, n, d, fit->velocity_m_s));
    arc_json_put(json, object, "acceleration_m_s2",
                 arc_json_matrix(json, n, d, fit->acceleration_m_s2));
    return object;
}

static json_t *json_net(ArcJson *json, const ArcFittedNet *net)
{
    json_t *object = arc_json_object(json);
    json_t *hidden = arc_json_array(json);
    for (int i = 0; i < net->settings.n_hidden; i++)
        arc_json_push(json, hidden, json_integer(net->settings.widths[i]));
    arc_json_put(json, object, "hidden", hidden);
    arc_json_put_string(json, object, "activation",
                        arc_activation_name((int)net->settings.activation));
    arc_json_put_string(json, object, "init", arc_net_init_name((int)net->settings.init));
    arc_json_put_integer(json, object, "fourier_modes", net->settings.fourier_modes);
    arc_json_put_number(json, object, "fourier_base", net->settings.fourier_base);
    arc_json_put_bool(json, object, "skip", net->settings.skip);
    arc_json_put_integer(json, object, "windows",
                         net->settings.windows > 1 ? net->settings.windows : 1);
    arc_json_put_integer(json, object, "collocation", net->collocation);
    return object;
}

/* A column a key, so that a program plots one against another. */
static json_t *json_history(ArcJson *json, const ArcFit *fit)
{
    enum { INTEGERS = 3, REALS = 6 };
    static const char *const names[] = {"start",   "stage",  "iteration", "cost", "observations",
                                        "physics", "priors", "step_sd",   "rate"};
    json_t *object = arc_json_object(json);
    json_t *columns[INTEGERS + REALS];
    for (int k = 0; k < INTEGERS + REALS; k++)
        columns[k] = arc_json_array(json);
    for (int i = 0; i < fit->n_history; i++) {
        const ArcHistoryRow *row = &fit->history[i];
        const int whole[INTEGERS] = {row->start, row->stage, row->iteration};
        const double real[REALS] = {row->cost,   row->observations, row->physics,
                                    row->priors, row->step_sd,      row->rate};
        for (int k = 0; k < INTEGERS; k++)
            arc_json_push(json, columns[k], json_integer(whole[k]));
        for (int k = 0; k < REALS; k++)
            arc_json_push(json, columns[INTEGERS + k], arc_json_number(json, real[k]));
    }
    for (int k = 0; k < INTEGERS + REALS; k++)
        arc_json_put(json, object, names[k], columns[k]);
    return object;
}

static json_t *json_starts(ArcJson *json, const ArcFit *fit)
{
    json_t *object = arc_json_object(json);
    arc_json_put_integer(json, object, "n", fit->n_starts);
    arc_json_put_integer(json, object, "converged", fit->n_starts_converged);
    arc_json_put_number(json, object, "spread_sd", fit->start_spread_sd);
    return object;
}

static json_t *json_remarks(ArcJson *json, const ArcFit *fit)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < fit->n_remarks; i++)
        arc_json_push(json, array, arc_json_string(json, fit->remarks[i]));
    return array;
}

static json_t *json_fit(ArcJson *json, const ArcFit *fit, const ArcCapture *capture)
{
    json_t *object = arc_json_object(json);
    arc_json_put_string(json, object, "method", fit->method == ARC_PINN ? "pinn" : "direct");
    arc_json_put_bool(json, object, "converged", fit->converged);
    arc_json_put_string(json, object, "stop", arc_stop_text(fit->stop));
    if (fit->stop_note != NULL)
        arc_json_put_string(json, object, "stop_note", fit->stop_note);
    if (fit->stages != NULL)
        arc_json_put_string(json, object, "stages", fit->stages);
    arc_json_put_integer(json, object, "iterations", fit->iterations);
    arc_json_put(json, object, "starts", json_starts(json, fit));
    arc_json_put_number(json, object, "wall_s", fit->wall_s);
    arc_json_put(json, object, "parameters",
                 arc_document_estimates(json, fit->n_parameters, fit->parameters, false));
    arc_json_put(json, object, "derived",
                 arc_document_estimates(json, fit->n_derived, fit->derived, true));
    if (fit->n_remarks > 0)
        arc_json_put(json, object, "derived_remarks", json_remarks(json, fit));
    arc_json_put(json, object, "unidentified", arc_document_unidentified(json, fit));
    if (fit->identifiability != NULL)
        arc_json_put(json, object, "identifiability", arc_identifiability_parts_json(json, fit));
    arc_json_put(json, object, "correlation", json_correlation(json, fit));
    arc_json_put(json, object, "residuals", arc_document_residuals(json, &fit->residuals));
    arc_arm_parts_json(json, object, fit);
    arc_states_parts_json(json, object, fit);
    if (fit->closure != NULL)
        arc_json_put(json, object, "closure", arc_closure_parts_json(json, fit));
    arc_spread_json(json, object, fit);
    arc_document_uncertainty(json, object, fit);
    arc_randomised_parts_json(json, object, fit);
    if (fit->method == ARC_PINN && fit->n_flights == 0)
        arc_json_put(json, object, "net", json_net(json, &fit->net));
    if (fit->n_flights > 0)
        arc_json_put(json, object, "flights", arc_flights_json(json, fit));
    else
        arc_json_put(json, object, "trajectory", arc_document_trajectory(json, fit));
    if (capture->n_cameras > 0 && fit->predicted_px != NULL)
        arc_json_put(json, object, "predicted_px",
                     arc_camera_parts_predicted(json, fit, capture->n_points));
    arc_json_put(json, object, "history", json_history(json, fit));
    return object;
}

static json_t *json_sentence(ArcJson *json, const ArcResult *result)
{
    ArcText text = {0};
    char *sentence;
    arc_verdict_sentence(&text, result);
    if (arc_text_finish(&text, &sentence, NULL) != ARC_OK) {
        json->failed = true;
        return json_null();
    }
    json_t *string = arc_json_string(json, sentence);
    arc_text_free(sentence);
    return string;
}

static json_t *json_comparison(ArcJson *json, const ArcResult *result)
{
    const ArcComparison *comparison = &result->comparison;
    json_t *object = arc_json_object(json);
    json_t *parameters = arc_json_object(json);
    for (int p = 0; comparison->both && p < comparison->n_parameters; p++) {
        if (comparison->in_sd[p] != comparison->in_sd[p])
            continue;
        json_t *row = arc_json_object(json);
        arc_json_put_number(json, row, "difference", comparison->difference[p]);
        arc_json_put_number(json, row, "in_sd", comparison->in_sd[p]);
        arc_json_put(json, parameters, result->fits[0]->parameters[p].name, row);
    }
    arc_json_put(json, object, "parameters", parameters);
    if (comparison->n_flights > 0)
        arc_json_put(json, object, "flights", arc_flights_comparison_json(json, result));
    arc_json_put(json, object, "max_in_sd",
                 comparison->both ? arc_json_number(json, comparison->max_in_sd) : json_null());
    arc_states_parts_distance(json, object, result,
                              comparison->both ? comparison->trajectory_max_m : (double)NAN);
    if (comparison->both && !isnan(comparison->swing_max_rad))
        arc_json_put_number(json, object, "swing_max_rad", comparison->swing_max_rad);
    arc_json_put_number(json, object, "chi2_p", comparison->chi2_p);
    arc_json_put(json, object, "physics",
                 arc_breach_parts_json(json, &comparison->physics, result->capture->dimensions));
    arc_json_put_string(json, object, "verdict", arc_verdict_text(comparison->verdict));
    arc_json_put(json, object, "verdict_text", json_sentence(json, result));
    return object;
}

json_t *arc_document_head(ArcJson *json, const char *version, const char *experiment,
                          const char *name, uint64_t seed)
{
    json_t *object = arc_json_object(json);
    arc_json_put_string(json, object, "arcfit", version);
    arc_json_put_integer(json, object, "schema", ARC_DOCUMENT_SCHEMA);
    arc_json_put_string(json, object, "experiment", experiment);
    arc_json_put_string(json, object, "name", name);
    arc_json_put_integer(json, object, "seed", (long long)seed);
    return object;
}

static json_t *json_result(ArcJson *json, const ArcResult *result)
{
    json_t *object = arc_document_head(json, result->version, result->experiment_path, result->name,
                                       result->seed);
    json_t *fits = arc_json_array(json);
    for (int i = 0; i < result->n_fits; i++)
        arc_json_push(json, fits, json_fit(json, result->fits[i], result->capture));
    if (result->capture->stretch != NULL)
        arc_json_put(json, object, "window", arc_stretch_parts_json(json, result->capture));
    arc_json_put(json, object, "fits", fits);
    arc_json_put(json, object, "comparison", json_comparison(json, result));
    return object;
}

/* The results, each with its place among the others where ranked. */
static ArcStatus json_of_results(int n, const ArcResult *const *results, bool is_array,
                                 const ArcRanking *const *rankings, char **text, ArcError *err)
{
    ArcJson json = {0};
    if (!is_array)
        return arc_json_text(&json, json_result(&json, results[0]), text, err);
    json_t *array = arc_json_array(&json);
    for (int i = 0; i < n; i++) {
        json_t *object = json_result(&json, results[i]);
        if (rankings != NULL)
            arc_json_put(&json, object, "ranking",
                         arc_ranking_parts_json(&json, rankings, results, i));
        arc_json_push(&json, array, object);
    }
    return arc_json_text(&json, array, text, err);
}

ArcStatus arc_report_json(int n, const ArcResult *const *results, bool is_array, char **text,
                          ArcError *err)
{
    return json_of_results(n, results, is_array, NULL, text, err);
}

ArcStatus arc_report_comparison_json(int n, const ArcResult *const *results, bool is_array,
                                     char **text, ArcError *err)
{
    ArcRanking *rankings[2] = {NULL, NULL};
    ArcStatus status = arc_ranking_create(n, results, ARC_DIRECT, &rankings[0], err);
    if (status == ARC_OK)
        status = arc_ranking_create(n, results, ARC_PINN, &rankings[1], err);
    if (status == ARC_OK)
        status =
            json_of_results(n, results, is_array, (const ArcRanking *const *)rankings, text, err);
    arc_ranking_free(rankings[0]);
    arc_ranking_free(rankings[1]);
    return status;
}
