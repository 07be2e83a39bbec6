/* Covariance, intervals and outliers of a fit that has ended. */
#include "fit/spread.h"

#include "fit/arm_fit.h"
#include "fit/objectives.h"
#include "fit/outliers.h"
#include "fit/rows.h"
#include "solve/statistics.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum { FEW_POINTS = 30 };
static const double least_rest = 1e-9;
/* Normal numbers cut off there have this variance: 1 - 2 c phi(c) / (2 Phi(c) - 1). */
static const double core_sd = 2.5, core_variance = 0.911256911;
static const char few_points[] =
    "fewer than 30 points: a robust loss rests its intervals on few of them; compare those of "
    "--bootstrap";

/* The fit's rows at its end; *rows stays NULL where they cannot be had. */
static ArcStatus look_at_end(const ArcProblem *problem, const ArcOutcome *outcome, ArcArena *arena,
                             ArcRows **rows, ArcError *err)
{
    ArcObjective objective;
    ArcTrajectory states;
    ArcRows *seen = NULL;
    double *values = NULL, *z = NULL, u[ARC_MAX_PARAMETERS];
    ArcStatus status;
    if (outcome->pinn != NULL) {
        status = arc_linear_objective(outcome->pinn, arena, &objective, &z, err);
    } else {
        status = arc_direct_objective(problem, arena, &objective, &states, &values, err);
        for (int k = 0; k < problem->n_free; k++)
            u[k] = outcome->values[problem->free_parameter[k]];
        z = u;
    }
    if (status == ARC_OK)
        status = arc_rows_create(&objective, problem->n_observations, arena, &seen, err);
    if (status == ARC_OK && arc_rows_look(seen, &problem->loss, z)) {
        status = arc_rows_weigh(seen, arena, err);
        *rows = seen;
    }
    return status;
}

/* What the weighed row of an observation adds: psi^2 / (m (1 - h)^2). One that alone tells some
 * combination of the parameters leaves no residual, and counts by its sigma. */
static double score_variance(const ArcRows *rows, const ArcLoss *loss, int i)
{
    double rest = 1.0 - rows->leverage[i], psi = arc_loss_psi(loss, rows->off[i]) / rest;
    return rest > least_rest ? psi * psi / rows->curvature : rows->curvature;
}

/* C = sum over the rows of their variance times influence influence'. */
static void sandwich(const ArcRows *rows, const ArcLoss *loss, double *covariance)
{
    int p = rows->n_outer;
    const double *others = rows->influence + (size_t)rows->n * (size_t)p;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, p, rows->m - rows->n, 1.0, others, p, 0.0,
                covariance, p);
    for (int i = 0; i < rows->n; i++)
        cblas_dsyr(CblasColMajor, CblasLower, p, score_variance(rows, loss, i),
                   rows->influence + (size_t)i * (size_t)p, 1, covariance, p);
    for (int j = 0; j < p; j++)
        for (int i = 0; i < j; i++)
            covariance[i + j * p] = covariance[j + i * p];
}

/* r as a normal number: under student-t the one that is as unlikely. */
static double normal_score(const ArcLoss *loss, double r)
{
    if (loss->kind != ARC_LOSS_STUDENT_T)
        return fabs(r);
    return -arc_statistics_normal_quantile(0.5 * arc_statistics_f_p(r * r, 1.0, loss->dof));
}

/* Whether a robust fit explains the bulk of its points: chi2 of those within core_sd, over what
 * normal numbers so cut off have. Where that is less than half of them it explains nothing. */
static double core_p(const ArcProblem *problem, const ArcRows *rows, const double *values)
{
    int n = 0;
    double chi2 = 0.0;
    for (int i = 0; i < rows->n; i++) {
        double z = normal_score(&problem->loss, rows->off[i]);
        bool is_core = z <= core_sd;
        n += is_core;
        chi2 += is_core ? z * z / core_variance : 0.0;
    }
    if (2 * n < rows->n)
        return 0.0;
    for (int i = 0; i < problem->n_parameters; i++) {
        const ArcParameter *p = &problem->parameters[i];
        double off = (values[i] - p->prior_mean) / p->prior_sd;
        chi2 += problem->free_index[i] >= 0 && p->has_prior ? off * off : 0.0;
    }
    chi2 += arc_problem_readings_chi2(problem, values);
    /* Of a flight with its swing the rows looked at are the flight's, and so is their part of the
     * unknowns. */
    int n_fitted = problem->swing != NULL ? (int)lround(rows->effective) : problem->n_free;
    return arc_statistics_chi2_p(chi2, n + problem->n_priors - n_fitted);
}

/* Whether all that is fitted was seen by cameras. */
static bool is_in_pixels(const ArcProblem *problem)
{
    const ArcView *view = problem->view;
    for (int i = 0; view != NULL && i < problem->n_times; i++)
        if (view->cameras[view->camera[problem->time_point[i]]].is_metres)
            return false;
    return view != NULL;
}

/* Whether it was measured in both. */
static bool is_mixed(const ArcProblem *problem)
{
    const ArcView *view = problem->view;
    int n_metres = 0;
    for (int i = 0; view != NULL && i < problem->n_times; i++)
        n_metres += view->cameras[view->camera[problem->time_point[i]]].is_metres;
    return n_metres > 0 && n_metres < problem->n_times;
}

double arc_spread_common_sigma(const ArcProblem *problem, bool *is_px)
{
    *is_px = is_in_pixels(problem);
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < problem->n_observations; i++) {
        low = fmin(low, problem->observations[i].sigma);
        high = fmax(high, problem->observations[i].sigma);
    }
    bool is_one = high - low <= 1e-12 * high && !is_mixed(problem) && problem->equations == NULL;
    return is_one ? high : (double)NAN;
}

static void set_interval(const ArcProblem *problem, const ArcRows *rows, ArcSpreadFound *found)
{
    ArcSpread *spread = &found->spread;
    bool robust = problem->loss.kind != ARC_LOSS_GAUSS;
    double effective = rows != NULL ? rows->effective : problem->n_free;
    if (!robust && !problem->sigma_estimated && problem->n_sigmas == 0)
        return;
    spread->interval_dof = fmax(problem->n_observations - effective, 1.0);
    if (problem->n_sigmas > 0 && problem->sigma_dof > 0.0)
        spread->interval_dof = fmin(spread->interval_dof, problem->sigma_dof);
    found->interval_factor = arc_statistics_t_quantile(0.975, spread->interval_dof);
    if (robust && problem->n_times < FEW_POINTS)
        spread->note = few_points;
}

ArcStatus arc_spread_find(const ArcProblem *problem, const ArcOutcome *outcome, ArcArena *arena,
                          ArcArena *scratch, ArcSpreadFound *found, ArcError *err)
{
    bool robust = problem->loss.kind != ARC_LOSS_GAUSS, is_px;
    double sigma = arc_spread_common_sigma(problem, &is_px);
    *found = (ArcSpreadFound){
        .sigma_sd = problem->sigma_sd,
        .spread = {.loss = problem->loss,
                   .loss_dof_ci95 = {problem->loss_dof_ci95[0], problem->loss_dof_ci95[1]},
                   .sigma_estimated = problem->sigma_estimated,
                   .sigma_factor = problem->sigma_factor,
                   .sigma_factor_sd = problem->sigma_factor_sd,
                   .sigma_m = is_px ? (double)NAN : sigma,
                   .sigma_px = is_px ? sigma : 0.0,
                   .interval_dof = INFINITY},
        .interval_factor = ARC_Z95,
        .chi2_p = NAN,
    };
    ArcStatus status = robust || problem->sigma_estimated
                           ? look_at_end(problem, outcome, scratch, &found->rows, err)
                           : ARC_OK;
    robust = robust && found->rows != NULL;
    if (status == ARC_OK)
        status =
            arc_posterior_create(problem->n_free, robust ? found->rows->elimination.T : outcome->T,
                                 arena, &found->posterior, err);
    if (status != ARC_OK)
        return status;
    set_interval(problem, found->rows, found);
    if (robust)
        sandwich(found->rows, &problem->loss, found->posterior.covariance);
    if (robust && !problem->sigma_estimated && problem->n_sigmas == 0)
        found->chi2_p = core_p(problem, found->rows, outcome->values);
    return ARC_OK;
}

ArcStatus arc_spread_find_outliers(const ArcProblem *problem, const ArcOutcome *outcome,
                                   ArcArena *arena, ArcArena *scratch, ArcSpreadFound *found,
                                   ArcError *err)
{
    int n = 0;
    const ArcOutlier *outliers = NULL;
    ArcStatus status = ARC_OK;
    if (found->rows == NULL)
        status = look_at_end(problem, outcome, scratch, &found->rows, err);
    if (status == ARC_OK && found->rows != NULL)
        status = arc_outliers_find(problem, found->rows, scratch, &n, &outliers, err);
    /* Copied out of the arena of the rows. */
    ArcOutlier *kept = status == ARC_OK ? ARC_ALLOC(arena, (size_t)n, ArcOutlier) : NULL;
    if (kept == NULL)
        return status != ARC_OK ? status : arc_error_no_memory(err);
    if (n > 0)
        memcpy(kept, outliers, sizeof(ArcOutlier) * (size_t)n);
    found->spread.n_outliers = n;
    found->spread.outliers = kept;
    return ARC_OK;
}
