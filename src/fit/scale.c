/* Sigma, degrees of freedom and start, before the fit. */
#include "fit/scale.h"

#include "fit/objectives.h"
#include "fit/rows.h"
#include "fit/sigmas.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 60, INNER_ROUNDS = 100, REFINEMENTS = 12 };
static const double settled_change = 1e-6; /* of log s: far below its sd */
static const double middle_dof = 4.0;      /* before it is estimated */
static const double slow_change = 1e-2;
static const double interval_drop = 1.92; /* half the 95 % point of chi-square with one freedom */
static const double dof_grid[] = {1, 1.5, 2, 3, 4, 6, 9, 14, 22, 35, 60, 100, 200};
enum { N_DOF = sizeof dof_grid / sizeof dof_grid[0] };

typedef struct Scale {
    ArcProblem *problem;
    ArcLeastSquares *solver;
    ArcRows *rows;
    double *z;
    int n_z;
    double cost;
} Scale;

static void multiply_sigmas(ArcProblem *problem, double factor)
{
    for (int i = 0; i < problem->n_observations; i++)
        problem->observations[i].sigma *= factor;
    problem->sigma_factor *= factor;
}

/* Whether any sigma is to be found. */
static bool is_sought(const ArcProblem *problem)
{
    return problem->sigma_estimated || problem->n_sigmas > 0;
}

/* The least factor that leaves every sigma above its limit. */
static double least_factor(const ArcProblem *problem)
{
    double smallest = INFINITY;
    for (int i = 0; i < problem->n_observations; i++)
        smallest = fmin(smallest, problem->observations[i].sigma);
    return ARC_LEAST_ESTIMATED_SIGMA_M / smallest;
}

/* The factor that solves the equation of s for residuals that stay as they are. */
static double factor_of(const Scale *scale)
{
    const ArcRows *rows = scale->rows;
    const ArcLoss *loss = &scale->problem->loss;
    double spare = rows->n - rows->effective, factor = 1.0;
    if (!(spare > 0.0))
        return 1.0;
    for (int round = 0; round < INNER_ROUNDS; round++) {
        double sum = 0.0;
        for (int i = 0; i < rows->n; i++)
            sum += arc_loss_chi(loss, rows->off[i] / factor);
        double change = sqrt(sum / (spare * arc_loss_beta(loss)));
        if (!(change > 0.0) || !isfinite(factor * change))
            break;
        factor *= change;
        if (fabs(log(change)) < 0.1 * settled_change)
            break;
    }
    return fmax(factor, least_factor(scale->problem));
}

/* The fit at the present loss, and with it s where that is sought; false where it does not
 * converge. */
static bool scale_fit(Scale *scale, bool seek)
{
    double factor = 1.0;
    for (int round = 0; round < ROUNDS; round++) {
        ArcLeastSquaresResult result = arc_least_squares_run(scale->solver, scale->z);
        scale->cost = result.cost;
        if (!arc_stop_is_converged(result.stop) ||
            !arc_rows_look(scale->rows, &scale->problem->loss, scale->z))
            return false;
        if (!seek)
            return true;
        if (scale->problem->n_sigmas > 0) {
            factor = exp(arc_sigmas_step(scale->problem, scale->rows));
        } else {
            factor = factor_of(scale);
            multiply_sigmas(scale->problem, factor);
        }
        if (fabs(log(factor)) < settled_change)
            return true;
    }
    /* Near the breakdown point the two converge slowly; what is left is small beside the sd. */
    return fabs(log(factor)) < slow_change;
}

/* sd of log s, after a fit. */
static double spread_of_factor(const Scale *scale)
{
    const ArcRows *rows = scale->rows;
    const ArcLoss *loss = &scale->problem->loss;
    double spare = rows->n - rows->effective;
    if (loss->kind == ARC_LOSS_GAUSS)
        return 1.0 / sqrt(2.0 * spare);
    double mean = 0.0, square = 0.0, slope = 0.0;
    for (int i = 0; i < rows->n; i++) {
        double r = rows->off[i], chi = arc_loss_chi(loss, r);
        mean += chi / rows->n;
        square += chi * chi / rows->n;
        slope += r * arc_loss_chi_slope(loss, r) / rows->n;
    }
    return sqrt(fmax(square - mean * mean, 0.0) / spare) / slope;
}

/* log of the likelihood of student-t at these degrees of freedom, all else fitted. */
static double likelihood_at(Scale *scale, double log_dof)
{
    ArcProblem *problem = scale->problem;
    double dof = exp(log_dof);
    problem->loss.dof = dof;
    if (!scale_fit(scale, is_sought(problem)))
        return -INFINITY;
    double constant = lgamma(0.5 * (dof + 1.0)) - lgamma(0.5 * dof) - 0.5 * log(dof);
    return problem->n_observations * (constant - log(problem->sigma_factor)) - scale->cost -
           arc_sigmas_log(problem);
}

/* Where the likelihood has fallen to `level` between a log_dof above and one below it. */
static double crossing(Scale *scale, double inside, double outside, double level)
{
    for (int i = 0; i < REFINEMENTS; i++) {
        double middle = 0.5 * (inside + outside);
        *(likelihood_at(scale, middle) > level ? &inside : &outside) = middle;
    }
    return exp(0.5 * (inside + outside));
}

/* The maximum between grid points low and high, by golden section in log nu. */
static double maximise_between(Scale *scale, double low, double high, double *top)
{
    const double share = 0.61803398874989485;
    double a = high - share * (high - low), b = low + share * (high - low);
    double at_a = likelihood_at(scale, a), at_b = likelihood_at(scale, b);
    for (int i = 0; i < REFINEMENTS; i++) {
        if (at_a > at_b) {
            high = b, b = a, at_b = at_a;
            a = high - share * (high - low);
            at_a = likelihood_at(scale, a);
        } else {
            low = a, a = b, at_a = at_b;
            b = low + share * (high - low);
            at_b = likelihood_at(scale, b);
        }
    }
    *top = fmax(at_a, at_b);
    return at_a > at_b ? a : b;
}

/* nu, its interval and s, and the fit at them. */
static bool settle_dof(Scale *scale)
{
    ArcProblem *problem = scale->problem;
    double value[N_DOF], top;
    int best = 0;
    for (int i = 0; i < N_DOF; i++) {
        value[i] = likelihood_at(scale, log(dof_grid[i]));
        if (value[i] > value[best])
            best = i;
    }
    if (!isfinite(value[best]))
        return false;
    double log_dof = log(dof_grid[best]);
    top = value[best];
    if (best > 0 && best < N_DOF - 1)
        log_dof = maximise_between(scale, log(dof_grid[best - 1]), log(dof_grid[best + 1]), &top);
    double level = top - interval_drop;
    int low = best, high = best;
    while (low >= 0 && value[low] > level)
        low--;
    while (high < N_DOF && value[high] > level)
        high++;
    /* The grid's ends are those of what is looked at: beyond them the interval is open. */
    problem->loss_dof_ci95[0] =
        low < 0 ? 0.0
                : crossing(scale, fmin(log_dof, log(dof_grid[low + 1])), log(dof_grid[low]), level);
    problem->loss_dof_ci95[1] =
        high == N_DOF
            ? INFINITY
            : crossing(scale, fmax(log_dof, log(dof_grid[high - 1])), log(dof_grid[high]), level);
    return isfinite(likelihood_at(scale, log_dof));
}

static ArcStatus scale_create(ArcProblem *problem, bool by_net, ArcArena *arena, Scale *scale,
                              ArcError *err)
{
    ArcObjective objective;
    ArcTrajectory states;
    double *values = NULL, *z = NULL;
    ArcPinn *pinn = NULL;
    ArcStatus status;
    if (by_net) {
        status = arc_pinn_first(problem, arena, &pinn, err);
        if (status == ARC_OK)
            status = arc_linear_objective(pinn, arena, &objective, &z, err);
    } else {
        status = arc_direct_objective(problem, arena, &objective, &states, &values, err);
        z = ARC_ALLOC(arena, (size_t)problem->n_free, double);
        if (status == ARC_OK && z == NULL)
            status = arc_error_no_memory(err);
        for (int k = 0; status == ARC_OK && k < problem->n_free; k++)
            z[k] = problem->start[problem->free_parameter[k]];
    }
    if (status != ARC_OK)
        return status;
    ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
    *scale = (Scale){.problem = problem, .z = z, .n_z = objective.n_inner + objective.n_outer};
    status = arc_least_squares_create(&objective, &settings, problem->low, problem->high, arena,
                                      &scale->solver, err);
    return status == ARC_OK
               ? arc_rows_create(&objective, problem->n_observations, arena, &scale->rows, err)
               : status;
}

/* From the Huber fit, which many outliers on one side pull off, to the valley of a loss with
 * several: at first with larger sigmas, where there are fewer valleys. */
static void descend(Scale *scale)
{
    ArcProblem *problem = scale->problem;
    for (int factor = 8; factor > 1; factor /= 2) {
        multiply_sigmas(problem, factor);
        arc_least_squares_run(scale->solver, scale->z);
        multiply_sigmas(problem, 1.0 / factor);
    }
}

/* All that is sought; false where a fit on the way does not converge. */
static bool scale_settle(Scale *scale)
{
    ArcProblem *problem = scale->problem;
    ArcLoss loss = problem->loss;
    bool seek = is_sought(problem), is_convex = arc_loss_is_convex(&loss);
    problem->loss = arc_loss_convex(&loss);
    bool found = scale_fit(scale, seek && is_convex);
    problem->loss = loss;
    if (!is_convex && loss.dof_estimated)
        problem->loss.dof = middle_dof;
    if (!is_convex)
        descend(scale);
    if (loss.dof_estimated)
        found = found && settle_dof(scale);
    else if (seek && !is_convex)
        found = found && scale_fit(scale, true);
    const double *u = scale->z + scale->n_z - problem->n_free;
    arc_problem_scatter(problem, u, problem->start);
    if (problem->sigma_estimated)
        problem->sigma_factor_sd = problem->sigma_factor * spread_of_factor(scale);
    return found;
}

ArcStatus arc_scale_settle(ArcProblem *problem, ArcMethod method, ArcArena *arena, ArcError *err)
{
    bool sought = is_sought(problem) || !arc_loss_is_convex(&problem->loss);
    bool by_net = method == ARC_PINN && problem->pinn.sigma_phys_m_s2 > 0.0;
    if (!sought)
        return ARC_OK;
    size_t n = (size_t)problem->n_observations, n_parameters = (size_t)problem->n_parameters;
    ArcObservation *observations = ARC_ALLOC(arena, n, ArcObservation);
    double *start = ARC_ALLOC(arena, n_parameters, double);
    ArcArena *scratch = arc_arena_create();
    ArcStatus status = observations == NULL || start == NULL || scratch == NULL
                           ? arc_error_no_memory(err)
                           : ARC_OK;
    ArcProblem settled = *problem;
    bool found = false;
    /* Shooting may fail where the net does not, and the other way round. */
    for (int attempt = 0; attempt < 2 && status == ARC_OK && !found; attempt++) {
        memcpy(observations, problem->observations, sizeof(ArcObservation) * n);
        memcpy(start, problem->start, sizeof(double) * n_parameters);
        settled = *problem;
        settled.observations = observations;
        settled.start = start;
        Scale scale;
        status = scale_create(&settled, by_net != (attempt == 1), scratch, &scale, err);
        found = status == ARC_OK && scale_settle(&scale);
        if (found && settled.n_sigmas > 0)
            status = arc_sigmas_inform(&settled, scale.rows, arena, err);
    }
    arc_arena_free(scratch);
    if (status != ARC_OK)
        return status;
    if (found)
        *problem = settled;
    else if (is_sought(problem))
        problem->sigma_factor_sd = NAN;
    if (!found && problem->loss.dof_estimated)
        problem->loss.dof = dof_grid[N_DOF - 1];
    return ARC_OK;
}

/* The cameras' own factors as the fit has them. */
static void keep_own(const ArcProblem *problem, const ArcFit *fit, ArcProblem *kept)
{
    int first = arc_problem_first_measure(problem);
    for (int i = 0; i < problem->n_observations && problem->n_sigmas > 0; i++) {
        ArcObservation *o = &kept->observations[i];
        int camera = problem->view->camera[problem->time_point[o->time]];
        int m = problem->view->cameras[camera].parameter[ARC_MEASURE_SIGMA];
        if (m >= 0)
            o->sigma *= fit->parameters[first + m].value / problem->start[first + m];
    }
    kept->n_sigmas = 0;
}

const ArcProblem *arc_scale_keep(const ArcProblem *problem, const ArcFit *fit, ArcArena *arena)
{
    if (!is_sought(problem) && !problem->loss.dof_estimated)
        return problem;
    size_t n = (size_t)problem->n_observations;
    ArcProblem *kept = ARC_ALLOC(arena, 1, ArcProblem);
    ArcObservation *observations = ARC_ALLOC(arena, n, ArcObservation);
    if (kept == NULL || observations == NULL)
        return NULL;
    *kept = *problem;
    memcpy(observations, problem->observations, sizeof(ArcObservation) * n);
    kept->observations = observations;
    multiply_sigmas(kept, fit->spread.sigma_factor / problem->sigma_factor);
    keep_own(problem, fit, kept);
    kept->sigma_estimated = false;
    kept->loss = fit->spread.loss;
    kept->loss.dof_estimated = false;
    return kept;
}
