/* What training changes of the PINN, for a checkpoint, and a start from an earlier fit. */
#include "fit/pinn.h"

#include <math.h>
#include <string.h>

static void store_segment(ArcPinn *pinn, ArcStore *store)
{
    arc_store_reals(store, pinn->weights, (size_t)pinn->n_weights);
    arc_store_flag(store, &pinn->trained);
    arc_store_reals(store, pinn->values, (size_t)pinn->problem->n_parameters);
    arc_store_reals(store, &pinn->span_s, 1);
    arc_store_reals(store, &pinn->sigma_phys_m_s2, 1);
    arc_store_reals(store, &pinn->sigma_exact_m_s2, 1);
    arc_store_reals(store, &pinn->flight_s, 1);
    arc_store_reals(store, &pinn->end_s, 1);
    arc_store_reals(store, &pinn->clock_s, 1);
    arc_store_reals(store, &pinn->path_m, 1);
    if (pinn->problem->phase != NULL) {
        size_t n = (size_t)(pinn->problem->D * pinn->kinks.n);
        arc_store_reals(store, &pinn->kinks_t0_s, 1);
        arc_store_reals(store, pinn->kinks.place_s, (size_t)pinn->kinks.n_places);
        arc_store_reals(store, pinn->kinks.weights, n);
    }
    if (arc_problem_may_precede(pinn->problem))
        arc_store_reals(store, &pinn->tau_low, 1);
    arc_store_reals(store, pinn->tau, (size_t)pinn->M);
    arc_store_reals(store, pinn->root_weight, (size_t)pinn->M);
    arc_store_bits(store, pinn->random.state, 4);
    if (store->reads && !store->failed) {
        arc_pinn_place_fine(pinn);
        arc_pinn_place_rows(pinn);
    }
}

void arc_pinn_store(ArcPinn *pinn, ArcStore *store)
{
    for (ArcPinn *segment = pinn; segment != NULL; segment = segment->next)
        store_segment(segment, store);
    if (pinn->swing != NULL)
        store_segment(pinn->swing, store);
}

void arc_pinn_warm_start(ArcPinn *pinn, const ArcFit *fit)
{
    const ArcProblem *problem = pinn->problem;
    for (int i = 0; i < problem->n_parameters; i++) {
        int k = problem->free_index[i];
        for (int j = 0; k >= 0 && j < fit->n_parameters; j++)
            if (strcmp(problem->parameters[i].name, fit->parameters[j].name) == 0)
                pinn->values[i] =
                    fmin(fmax(fit->parameters[j].value, problem->low[k]), problem->high[k]);
    }
    arc_problem_tie(problem, pinn->values);
    arc_pinn_place_observations(pinn);
    bool same = pinn->next == NULL && fit->net.weights != NULL &&
                fit->net.n_weights == pinn->n_weights && fit->dimensions == problem->d &&
                arc_net_settings_have_same_shape(&pinn->settings, &fit->net.settings);
    if (!same)
        return;
    /* The net gives accelerations in its own scale over its own span; the shape is what carries
     * over. */
    memcpy(pinn->weights, fit->net.weights, sizeof(double) * (size_t)pinn->n_weights);
    pinn->trained = true;
}
