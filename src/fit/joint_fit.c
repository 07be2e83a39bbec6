/* Fits of several flights: both methods, the ladder of nets flight by flight, sigma. */
#include "fit/arm_fit.h"
#include "fit/closure_search.h"
#include "fit/fill.h"
#include "fit/joint.h"

#include "solve/posterior.h"
#include "solve/statistics.h"

#include <math.h>
#include <string.h>

enum { MOST_RESPANS = 8, SIGMA_ROUNDS = 30 };
static const double doubtful_p = 1e-6, settled_sigma = 1e-6;

static ArcStatus create_members(ArcJointRun *run, ArcError *err)
{
    ArcStatus status = ARC_OK;
    for (int f = 0; f < run->joint->n_flights && status == ARC_OK; f++)
        status = arc_member_create(run, f, err);
    return status;
}

/* A member's net is judged: the next rung where it is not fine, another span where t0 or a bounce
 * has left the one it has. *again: there is a new net. */
static ArcStatus judge_member(ArcJointRun *run, int flight, bool *again, ArcError *err)
{
    ArcMember *member = &run->members[flight];
    ArcPinn *pinn = member->pinn;
    bool arrived = arc_stop_is_converged(run->result.stop);
    if (arrived && !arc_pinn_fits_span(pinn)) {
        if (member->respans++ == MOST_RESPANS) {
            member->is_fine = false;
            return ARC_OK;
        }
        *again = true;
        return arc_member_create(run, flight, err);
    }
    member->cost = arc_pinn_cost(pinn, &member->rms);
    member->rms_fine = arc_pinn_physics_rms_fine(pinn);
    member->is_fine = arc_pinn_is_fine(pinn, member->rms, member->rms_fine, member->rms_before);
    if (member->problem.equations != NULL && member->is_fine && arrived)
        member->is_fine = arc_pinn_is_wide(&member->problem, member->rung, pinn);
    if (pinn->swing != NULL) {
        arc_pinn_swing_rms(pinn, &member->swing_rms, &member->swing_rms_fine);
        member->is_fine = member->is_fine && arc_pinn_is_fine(pinn->swing, member->swing_rms,
                                                              member->swing_rms_fine, INFINITY);
    }
    member->is_last = member->rung + 1 >= arc_pinn_n_rungs(&member->problem);
    bool is_lost = run->closure != NULL && run->joint->found->is_lost && !arrived;
    if (member->is_fine || member->is_last || is_lost || run->history.interrupted)
        return ARC_OK;
    member->rms_before = member->rms_fine;
    member->rung++;
    *again = true;
    return arc_member_create(run, flight, err);
}

/* All flights by their nets, until each follows its equations or has no wider net left. A wider net
 * is not worth its time where the whole has not arrived. */
static ArcStatus run_pinn(ArcJointRun *run, ArcError *err)
{
    ArcStatus status = create_members(run, err);
    for (bool again = true; again && status == ARC_OK;) {
        again = false;
        status = arc_joint_solve(run, err);
        if (run->failed >= 0)
            return status;
        for (int f = 0; f < run->joint->n_flights && status == ARC_OK; f++)
            status = judge_member(run, f, &again, err);
    }
    return status;
}

static bool is_doubtful(const ArcJointRun *run)
{
    const ArcJoint *joint = run->joint;
    int dof = joint->n_observations + joint->n_priors - joint->n_unknowns;
    if (run->result.stop == ARC_STOP_INTERRUPTED || !arc_stop_is_converged(run->result.stop))
        return run->result.stop != ARC_STOP_INTERRUPTED;
    return dof > 0 && !joint->sigma_estimated &&
           arc_statistics_chi2_p(2.0 * run->result.cost, dof) < doubtful_p;
}

/* Where the flights and the shared unknowns stand. */
typedef struct Place {
    double *values; /* (n_flights, n_parameters) */
    double *s, *population_sd;
    ArcLeastSquaresResult result;
} Place;

static ArcStatus place_create(const ArcJointRun *run, Place *place, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    size_t n = (size_t)arc_problem_n_values(&run->members[0].problem);
    size_t shared = (size_t)run->n_shared;
    place->values = ARC_ALLOC(run->arena, (size_t)joint->n_flights * n + 2 * shared, double);
    if (place->values == NULL)
        return arc_error_no_memory(err);
    place->s = place->values + (size_t)joint->n_flights * n;
    place->population_sd = place->s + shared;
    return ARC_OK;
}

static void place_take(const ArcJointRun *run, Place *place)
{
    size_t n = (size_t)run->joint->flights[0]->n_parameters;
    size_t shared = (size_t)run->joint->n_shared;
    for (int f = 0; f < run->joint->n_flights; f++)
        memcpy(place->values + (size_t)f * n, run->members[f].values, sizeof(double) * n);
    memcpy(place->s, run->s, sizeof(double) * shared);
    memcpy(place->population_sd, run->population_sd, sizeof(double) * shared);
    place->result = run->result;
}

/* The run from there on: of a direct one, whose unknowns are its parameters alone. */
static void place_restore(ArcJointRun *run, const Place *place)
{
    size_t n = (size_t)run->joint->flights[0]->n_parameters;
    size_t shared = (size_t)run->joint->n_shared;
    for (int f = 0; f < run->joint->n_flights; f++) {
        ArcMember *member = &run->members[f];
        const double *values = place->values + (size_t)f * n;
        arc_problem_gather(&member->problem, values, member->z);
    }
    memcpy(run->s, place->s, sizeof(double) * shared);
    memcpy(run->population_sd, place->population_sd, sizeof(double) * shared);
}

/* The PINN's linear stage on small nets: where it ends, as a place. */
static ArcStatus collocate(const ArcJointRun *run, Place *place, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    ArcJointRun nets;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status =
        arc_joint_run_create(joint, ARC_PINN, run->history.options, arena, &nets, err);
    if (status == ARC_OK)
        status = arc_joint_run_take(&nets, err);
    for (int f = 0; f < joint->n_flights && status == ARC_OK; f++) {
        ArcPinnSettings *pinn = &nets.members[f].problem.pinn;
        pinn->net_auto = true;
        pinn->collocation = 0;
        pinn->windows = 1;
        pinn->sigma_phys_m_s2 = 0.0;
        nets.members[f].problem.observations = run->members[f].problem.observations;
        status = arc_member_create(&nets, f, err);
    }
    if (status == ARC_OK)
        status = arc_joint_solve(&nets, err);
    if (status == ARC_OK)
        place_take(&nets, place);
    arc_joint_run_free(&nets);
    arc_arena_free(arena);
    return status;
}

static bool is_better(const ArcLeastSquaresResult *a, const ArcLeastSquaresResult *b)
{
    if (a->stop == ARC_STOP_NON_FINITE || b->stop == ARC_STOP_NON_FINITE)
        return b->stop == ARC_STOP_NON_FINITE && a->stop != ARC_STOP_NON_FINITE;
    return a->cost < b->cost;
}

/* Shooting can end in a far valley, where collocation does not: once more from where that ends. */
static ArcStatus run_direct(ArcJointRun *run, bool forecast, ArcError *err)
{
    ArcStatus status = create_members(run, err);
    if (status == ARC_OK)
        status = arc_joint_solve(run, err);
    if (status != ARC_OK || forecast || !is_doubtful(run))
        return status;
    Place first, second;
    status = place_create(run, &first, err);
    if (status == ARC_OK)
        status = place_create(run, &second, err);
    if (status != ARC_OK)
        return status;
    place_take(run, &first);
    status = collocate(run, &second, err);
    if (status != ARC_OK || !arc_stop_is_converged(second.result.stop))
        return status;
    place_restore(run, &second);
    status = arc_joint_solve(run, err);
    if (status != ARC_OK || is_better(&run->result, &first.result) ||
        first.result.stop == ARC_STOP_NON_FINITE)
        return status;
    place_restore(run, &first);
    return arc_joint_solve(run, err);
}

double arc_joint_run_chi2(const ArcJointRun *run)
{
    double sum = 0.0;
    for (int f = 0; f < run->joint->n_flights; f++) {
        const ArcMember *member = &run->members[f];
        sum += 2.0 * member->cost;
        for (int k = 0; k < member->problem.n_free; k++) {
            int i = member->problem.free_parameter[k];
            const ArcParameter *p = &member->problem.parameters[i];
            double off = (member->values[i] - p->prior_mean) / p->prior_sd;
            sum -= p->has_prior ? off * off : 0.0;
        }
        sum -= arc_problem_readings_chi2(&member->problem, member->values);
    }
    return sum;
}

/* The same of readings, whose rows have a parameter and what its encoder has. */
static double reading_leverage(const ArcJointRun *run, int flight, const ArcPosterior *posterior)
{
    const ArcJoint *joint = run->joint;
    const ArcProblem *problem = &run->members[flight].problem;
    int n = posterior->n, at[ARC_MAX_PARAMETERS], own = 0, n_read = problem->n_readings;
    double u[ARC_MAX_PARAMETERS], r[ARC_MAX_PRIORS], sum = 0.0;
    double J[ARC_MAX_PRIORS * ARC_MAX_PARAMETERS];
    memset(J, 0, sizeof(double) * (size_t)(n_read * problem->n_free));
    for (int k = 0; k < problem->n_free; k++) {
        u[k] = run->members[flight].values[problem->free_parameter[k]];
        at[k] =
            joint->column_shared[k] >= 0 ? n - joint->n_shared + joint->column_shared[k] : own++;
    }
    arc_problem_read(problem, u, r, J, (size_t)n_read);
    for (int i = 0; i < n_read; i++)
        for (int k = 0; k < problem->n_free; k++)
            for (int l = 0; J[i + k * n_read] != 0.0 && l < problem->n_free; l++)
                sum += J[i + k * n_read] * J[i + l * n_read] *
                       posterior->covariance[at[k] * n + at[l]];
    return sum;
}

/* What priors and ties tell of one flight's unknowns: the sum of their rows' leverages. */
static double prior_leverage(const ArcJointRun *run, int flight, const ArcPosterior *posterior)
{
    const ArcJoint *joint = run->joint;
    const ArcProblem *problem = &run->members[flight].problem;
    int n = posterior->n, n_own = n - joint->n_shared, own = 0;
    double sum = 0.0;
    const double *C = posterior->covariance;
    for (int k = 0; k < problem->n_free; k++) {
        const ArcParameter *p = &problem->parameters[problem->free_parameter[k]];
        if (joint->column_shared[k] >= 0)
            continue;
        int j = own++, mean = joint->column_mean[k];
        if (p->has_prior)
            sum += C[j * (n + 1)] / (p->prior_sd * p->prior_sd);
        if (mean < 0)
            continue;
        int m = n_own + mean;
        double variance = C[j * (n + 1)] + C[m * (n + 1)] - 2.0 * C[j * n + m];
        sum += variance / (run->population_sd[mean] * run->population_sd[mean]);
    }
    return sum + reading_leverage(run, flight, posterior);
}

/* Unknowns that the observations determine: all, less what priors tell. */
static ArcStatus effective_unknowns(ArcJointRun *run, double *effective, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    double F[4 * ARC_MAX_PARAMETERS * ARC_MAX_PARAMETERS], sum = joint->n_unknowns;
    bool known = arc_joint_named_factor(run, -1, F);
    ArcArena *scratch = arc_arena_create();
    ArcStatus status = scratch == NULL ? arc_error_no_memory(err) : ARC_OK;
    ArcPosterior posterior;
    if (status == ARC_OK && known && joint->n_shared > 0)
        status = arc_posterior_create(joint->n_shared, F, scratch, &posterior, err);
    for (int k = 0; k < joint->n_shared && status == ARC_OK && known; k++) {
        double sd = joint->shared[k].prior_sd;
        sum -= posterior.covariance[k * (joint->n_shared + 1)] / (sd * sd);
    }
    if (status == ARC_OK && known && run->closure != NULL)
        status = arc_joint_effective_weights(run, scratch, &sum, err);
    for (int f = 0; f < joint->n_flights && status == ARC_OK && known; f++) {
        int n = arc_joint_solver_n_own(run->solver, f) + joint->n_shared;
        ArcArena *own = arc_arena_create();
        bool has_factor = own != NULL && arc_joint_named_factor(run, f, F);
        if (own == NULL)
            status = arc_error_no_memory(err);
        else if (has_factor)
            status = arc_posterior_create(n, F, own, &posterior, err);
        if (has_factor && status == ARC_OK)
            sum -= prior_leverage(run, f, &posterior);
        arc_arena_free(own);
    }
    arc_arena_free(scratch);
    *effective = sum;
    return status;
}

void arc_joint_run_multiply_sigmas(ArcJointRun *run, double factor)
{
    run->sigma_factor *= factor;
    for (int f = 0; f < run->joint->n_flights; f++) {
        ArcProblem *problem = &run->members[f].problem;
        problem->sigma_factor *= factor;
        for (int i = 0; i < problem->n_observations; i++)
            problem->observations[i].sigma *= factor;
    }
}

/* s^2 = chi2 / (n - e), together with the fit, of a direct run; sd(log s) as scale.h. */
static ArcStatus settle_sigma(ArcJointRun *run, ArcError *err)
{
    ArcStatus status = ARC_OK;
    double n = run->joint->n_observations, effective = 0.0;
    run->sigma_factor_sd = NAN;
    for (int round = 0; round < SIGMA_ROUNDS && status == ARC_OK; round++) {
        if (!arc_stop_is_converged(run->result.stop))
            return ARC_OK;
        status = effective_unknowns(run, &effective, err);
        if (status != ARC_OK || !(n - effective > 0.5))
            return status;
        double factor = sqrt(arc_joint_run_chi2(run) / (n - effective));
        factor = fmax(factor,
                      ARC_LEAST_ESTIMATED_SIGMA_M / run->members[0].problem.observations[0].sigma);
        arc_joint_run_multiply_sigmas(run, factor);
        status = arc_joint_solve(run, err);
        if (fabs(log(factor)) < settled_sigma) {
            run->sigma_factor_sd = run->sigma_factor / sqrt(2.0 * (n - effective));
            break;
        }
    }
    return status;
}

/* The sigmas that the simulator's form finds: with exact physics both methods solve one problem. */
static ArcStatus take_sigma(ArcJointRun *run, ArcError *err)
{
    ArcJointRun direct;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status =
        arc_joint_run_create(run->joint, ARC_DIRECT, run->history.options, arena, &direct, err);
    if (status == ARC_OK)
        status = arc_joint_run_take(&direct, err);
    if (status == ARC_OK)
        status = run_direct(&direct, false, err);
    if (status == ARC_OK && direct.failed < 0)
        status = settle_sigma(&direct, err);
    if (status == ARC_OK) {
        arc_joint_run_multiply_sigmas(run, direct.sigma_factor);
        run->sigma_factor_sd = direct.sigma_factor_sd;
    }
    arc_joint_run_free(&direct);
    arc_arena_free(arena);
    return status;
}

static ArcStatus refuse_flight(const ArcJointRun *run, ArcError *err)
{
    return arc_error_set(err, ARC_NUMERIC,
                         "error: the %s of %s %d (%s) cannot be evaluated at the start values; "
                         "give starts or bounds nearer to it, or leave it out",
                         run->method == ARC_PINN ? "physics residual" : "simulation",
                         run->joint->flights[0]->equations != NULL ? "run" : "flight",
                         run->failed + 1, run->joint->names[run->failed]);
}

ArcStatus arc_joint_run_direct(ArcJointRun *run, ArcError *err)
{
    ArcStatus status = create_members(run, err);
    if (status == ARC_OK)
        status = arc_joint_solve(run, err);
    if (status == ARC_OK && run->failed < 0 && run->joint->sigma_estimated)
        status = settle_sigma(run, err);
    return status == ARC_OK && run->failed >= 0 ? refuse_flight(run, err) : status;
}

static ArcStatus run_method(ArcJointRun *run, bool forecast, ArcError *err)
{
    ArcStatus status = ARC_OK;
    bool estimated = run->joint->sigma_estimated && !forecast;
    if (forecast)
        run->settings.max_iterations = 0;
    if (run->method == ARC_PINN) {
        if (estimated)
            status = take_sigma(run, err);
        if (status == ARC_OK)
            status = run_pinn(run, err);
    } else {
        status = run_direct(run, forecast, err);
        if (status == ARC_OK && estimated && run->failed < 0)
            status = settle_sigma(run, err);
    }
    if (status == ARC_OK && run->failed >= 0)
        status = refuse_flight(run, err);
    return status;
}

static ArcStatus joint_fit(const ArcJoint *joint, ArcMethod method, const ArcFitOptions *options,
                           bool forecast, ArcFit **result, ArcError *err)
{
    double begin_s = arc_fit_seconds_now();
    ArcArena *arena = arc_arena_create(), *scratch = arc_arena_create();
    ArcFit *fit = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcFit);
    ArcJointRun run = {.joint = joint};
    ArcStatus status = fit == NULL || scratch == NULL ? arc_error_no_memory(err) : ARC_OK;
    if (status == ARC_OK)
        status = arc_joint_run_create(joint, method, options, scratch, &run, err);
    if (status == ARC_OK && joint->closure.is_on && !forecast)
        status = arc_closure_search(joint, options, err);
    if (status == ARC_OK)
        status = arc_joint_run_take(&run, err);
    if (status == ARC_OK)
        status = run_method(&run, forecast, err);
    if (status == ARC_OK) {
        fit->arena = arena;
        fit->method = method;
        fit->wall_s = begin_s; /* until it is over */
        status = arc_joint_outcome(&run, fit, err);
        if (status == ARC_OK && !forecast)
            status = arc_joint_closure(&run, fit, err);
    }
    arc_joint_run_free(&run);
    arc_arena_free(scratch);
    if (status == ARC_OK)
        *result = fit;
    else
        arc_arena_free(arena);
    return status;
}

ArcStatus arc_joint_fit(const ArcJoint *joint, ArcMethod method, const ArcFitOptions *options,
                        ArcFit **fit, ArcError *err)
{
    return joint_fit(joint, method, options, false, fit, err);
}

ArcStatus arc_joint_forecast(const ArcJoint *joint, ArcFit **fit, ArcError *err)
{
    return joint_fit(joint, ARC_DIRECT, NULL, true, fit, err);
}

int arc_joint_telling_flight(const ArcFit *fit)
{
    for (int f = 0; f < fit->n_flights; f++)
        if (fit->flights[f].n_unidentified > 0)
            return f;
    return 0;
}
