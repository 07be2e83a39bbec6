/* Profiles, bootstrap and chains in a result's JSON. */
#include "report/uncertainty.h"

static json_t *json_profile(ArcJson *json, const ArcProfile *profile)
{
    json_t *object = arc_json_object(json), *ends = arc_json_array(json);
    json_t *curve = arc_json_object(json);
    for (int s = 0; s < 2; s++)
        arc_json_push(json, ends, arc_json_string(json, arc_profile_end_text(profile->end[s])));
    arc_json_put(json, curve, "value", arc_json_vector(json, profile->n, profile->value));
    arc_json_put(json, curve, "rise", arc_json_vector(json, profile->n, profile->rise));
    arc_json_put_string(json, object, "kind", arc_profile_kind_text(profile->kind));
    arc_json_put(json, object, "interval95", arc_json_vector(json, 2, profile->interval));
    arc_json_put(json, object, "ends", ends);
    arc_json_put_number(json, object, "lowest", profile->lowest);
    arc_json_put_number(json, object, "lowest_value", profile->lowest_value);
    arc_json_put_integer(json, object, "fits", profile->n_fits);
    arc_json_put(json, object, "curve", curve);
    return object;
}

static json_t *json_bootstrap(ArcJson *json, const ArcBootstrap *bootstrap)
{
    json_t *object = arc_json_object(json), *numbers = arc_json_object(json);
    for (int j = 0; j < bootstrap->n_numbers; j++) {
        const ArcBootstrapNumber *number = &bootstrap->numbers[j];
        json_t *row = arc_json_object(json);
        arc_json_put_number(json, row, "value", number->value);
        arc_json_put_number(json, row, "sd", number->sd);
        arc_json_put_number(json, row, "bias", number->bias);
        arc_json_put(json, row, "t95", arc_json_vector(json, 2, number->t95));
        arc_json_put(json, row, "percentile95", arc_json_vector(json, 2, number->percentile95));
        arc_json_put_string(json, row, "unit", number->unit);
        arc_json_put_integer(json, row, "n", number->n);
        arc_json_put(json, numbers, number->name, row);
    }
    arc_json_put_string(json, object, "kind",
                        bootstrap->kind == ARC_BOOTSTRAP_CASE ? "case" : "residual");
    arc_json_put_integer(json, object, "replicates", bootstrap->n);
    arc_json_put_integer(json, object, "failed", bootstrap->n_failed);
    arc_json_put(json, object, "numbers", numbers);
    return object;
}

static json_t *json_samples(ArcJson *json, const ArcSamples *samples)
{
    json_t *object = arc_json_object(json), *numbers = arc_json_object(json);
    for (int k = 0; k < samples->n_numbers; k++) {
        const ArcSampledNumber *number = &samples->numbers[k];
        json_t *row = arc_json_object(json);
        arc_json_put_number(json, row, "value", number->value);
        arc_json_put_number(json, row, "mean", number->mean);
        arc_json_put_number(json, row, "sd", number->sd);
        arc_json_put(json, row, "ci95", arc_json_vector(json, 2, number->ci95));
        arc_json_put_string(json, row, "unit", number->unit);
        arc_json_put_number(json, row, "r_hat", number->r_hat);
        arc_json_put_number(json, row, "ess_bulk", number->ess_bulk);
        arc_json_put_number(json, row, "ess_tail", number->ess_tail);
        arc_json_put(json, numbers, number->name, row);
    }
    arc_json_put_integer(json, object, "ensembles", samples->n_ensembles);
    arc_json_put_integer(json, object, "walkers", samples->n_walkers);
    arc_json_put_integer(json, object, "burn_in", samples->n_burn_in);
    arc_json_put_integer(json, object, "thin", samples->thin);
    arc_json_put_integer(json, object, "draws", samples->n_kept);
    arc_json_put_number(json, object, "acceptance", samples->acceptance);
    arc_json_put_bool(json, object, "believable", samples->believable);
    arc_json_put(json, object, "numbers", numbers);
    return object;
}

void arc_document_uncertainty(ArcJson *json, json_t *object, const ArcFit *fit)
{
    const ArcUncertainty *u = fit->uncertainty;
    if (u == NULL)
        return;
    if (u->n_profiles > 0) {
        json_t *profiles = arc_json_object(json);
        for (int i = 0; i < u->n_profiles; i++)
            arc_json_put(json, profiles, fit->parameters[u->profiles[i].parameter].name,
                         json_profile(json, &u->profiles[i]));
        arc_json_put(json, object, "profiles", profiles);
    }
    if (u->bootstrap != NULL)
        arc_json_put(json, object, "bootstrap", json_bootstrap(json, u->bootstrap));
    if (u->samples != NULL)
        arc_json_put(json, object, "samples", json_samples(json, u->samples));
    if (u->note != NULL)
        arc_json_put_string(json, object, "uncertainty_note", u->note);
}
