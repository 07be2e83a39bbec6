/* What a fit says of its closure. */
#include "fit/closure_search.h"

#include "model/closure_inputs.h"
#include "model/closure_table.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum { ALONG = 101 }; /* states of each flight that its size is taken at */

/* Weights and covariance of all outputs: of those that are not wanted zero. */
static ArcStatus fill_weights(ArcJointRun *run, ArcArena *arena, ArcClosureFit *closure,
                              ArcError *err)
{
    const ArcClosureFound *found = run->joint->found;
    size_t K = (size_t)found->whole->K, H = (size_t)found->whole->H;
    double *weights = ARC_ALLOC(arena, K + K * K, double), *C = weights + K;
    if (weights == NULL)
        return arc_error_no_memory(err);
    memset(weights, 0, sizeof(double) * (K + K * K));
    closure->n_weights = (int)K;
    closure->weights = weights;
    closure->covariance = C;
    if (run->closure == NULL)
        return ARC_OK;
    size_t k = (size_t)run->closure->K, named = (size_t)run->joint->n_shared;
    double *own = ARC_ALLOC(run->arena, k * k, double);
    if (own == NULL)
        return arc_error_no_memory(err);
    if (!arc_joint_weights_covariance(run, own))
        return arc_error_set(err, ARC_NUMERIC, "error: the covariance of the closure's weights "
                                               "cannot be had");
    for (size_t i = 0; i < k; i++) {
        size_t to = (size_t)found->output[i / H] * H + i % H;
        weights[to] = run->s[named + i];
        closure->effective += 1.0 - own[i * (k + 1)] / (run->shared.prior_sd[named + i] *
                                                        run->shared.prior_sd[named + i]);
        for (size_t j = 0; j < k; j++)
            C[to * K + (size_t)found->output[j / H] * H + j % H] = own[i * k + j];
    }
    return ARC_OK;
}

/* Sums of squares along one flight: of the closure's acceleration, and of drag's. */
static void add_sizes(const ArcProblem *problem, const double *values, int n, const double *states,
                      double sums[2])
{
    const ArcFlight *flight = problem->phase == NULL ? &problem->flight : NULL;
    const ArcClosure *closure = problem->closure;
    int D = problem->D;
    const double *s = states, *x = s + n, *v = x + n * D;
    const double *w = values + problem->n_parameters;
    for (int i = 0; i < n; i++) {
        double a[ARC_EQUATIONS_MAX_STATES] = {0}, still[ARC_SIM_MAX_DIMENSIONS], u2 = 0.0, along = 0.0;
        double law[ARC_SIM_MAX_DIMENSIONS], fall[ARC_SIM_MAX_DIMENSIONS];
        arc_closure_add(closure, flight, 1, s + i, x + i * D, v + i * D, values, w,
                        problem->P + closure->K, a, NULL, NULL, NULL);
        sums[0] += cblas_ddot(D, a, 1, a, 1);
        if (flight == NULL)
            continue;
        ArcClosureState state = {flight, D, s[i], x + i * D, v + i * D, values};
        ArcClosureAir air = arc_closure_air(&state);
        /* What is along u, but for what acts on a ball that stands still in the air, is drag. */
        for (int c = 0; c < D; c++)
            still[c] = v[i * D + c] - (c < 3 ? air.u[c] : 0.0);
        arc_flight_acceleration(flight, 1, s + i, x + i * D, v + i * D, values, law, NULL, NULL,
                                NULL);
        arc_flight_acceleration(flight, 1, s + i, x + i * D, still, values, fall, NULL, NULL, NULL);
        for (int c = 0; c < problem->d; c++) {
            u2 += air.u[c] * air.u[c];
            along += (law[c] - fall[c]) * air.u[c];
        }
        sums[1] += u2 > 0.0 ? along * along / u2 : 0.0;
    }
}

/* rms of the closure's acceleration along the flights, and its share of drag's. */
static ArcStatus fill_sizes(ArcJointRun *run, ArcClosureFit *closure, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    double sums[2] = {0}, numbers = (double)ALONG * joint->n_flights;
    closure->rms = 0.0;
    closure->rms_share = NAN;
    for (int f = 0; f < joint->n_flights && run->closure != NULL; f++) {
        ArcMember *member = &run->members[f];
        const ArcProblem *problem = &member->problem;
        int n = ALONG, D = problem->D;
        ArcArena *scratch = arc_arena_create();
        double *t = scratch == NULL ? NULL : ARC_ALLOC(scratch, (size_t)(n * (2 + 3 * D)), double);
        if (t == NULL) {
            arc_arena_free(scratch);
            return arc_error_no_memory(err);
        }
        double *states = t + n, t0 = member->values[problem->t0_index];
        double span = arc_problem_last_time(problem, member->values) - t0;
        for (int i = 0; i < n; i++) {
            t[i] = i == n - 1 ? t0 + span : t0 + span * i / (n - 1);
            states[i] = t[i] - t0;
        }
        ArcTrajectory trajectory = member->states;
        ArcOutcome outcome = {0};
        ArcStatus status = ARC_OK;
        if (run->method == ARC_PINN) {
            status = arc_pinn_describe(member->pinn, scratch, &outcome, err);
            trajectory = outcome.trajectory;
        }
        if (status == ARC_OK && trajectory.states(trajectory.context, n, t, states + n,
                                                  states + n + n * D, states + n + 2 * n * D))
            add_sizes(problem, member->values, n, states, sums);
        arc_arena_free(scratch);
        if (status != ARC_OK)
            return status;
    }
    if (run->closure != NULL)
        closure->rms = sqrt(sums[0] / numbers);
    if (run->closure != NULL && sums[1] > 0.0)
        closure->rms_share = sqrt(sums[0] / sums[1]);
    else if (run->closure == NULL)
        closure->rms_share = 0.0;
    return ARC_OK;
}

ArcStatus arc_joint_closure(ArcJointRun *run, ArcFit *fit, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    const ArcClosureFound *found = joint->found;
    if (found == NULL || !found->is_found)
        return ARC_OK;
    ArcClosureFit *closure = ARC_ALLOC(fit->arena, 1, ArcClosureFit);
    if (closure == NULL)
        return arc_error_no_memory(err);
    *closure = (ArcClosureFit){.settings = joint->closure,
                               .n_units = found->whole->H,
                               .width = found->whole->width,
                               .n_outputs = found->whole->O,
                               .log_bayes = found->log_bayes,
                               .chi2_without = found->chi2_without,
                               .chi2_with = arc_joint_run_chi2(run),
                               .n_folds = found->n_folds,
                               .held_out_with = found->held_out_with,
                               .held_out_without = found->held_out_without};
    memcpy(closure->ridge, found->ridge, sizeof closure->ridge);
    double expected = joint->n_observations + joint->n_priors - joint->n_unknowns;
    closure->misfit_explained =
        found->chi2_without > expected
            ? (found->chi2_without - closure->chi2_with) / (found->chi2_without - expected)
            : (double)NAN;
    ArcStatus status = fill_weights(run, fit->arena, closure, err);
    if (status == ARC_OK)
        status = fill_sizes(run, closure, err);
    const ArcClosureLearned learned = {.closure = found->whole,
                                       .weights = closure->weights,
                                       .covariance = closure->covariance,
                                       .n = found->n_points,
                                       .flown = found->points};
    if (status == ARC_OK)
        status = arc_closure_tabulate(&learned, fit->arena, &closure->table, err);
    fit->closure = closure;
    return status;
}
