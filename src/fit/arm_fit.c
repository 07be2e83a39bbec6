/* What a fit says of its arm and of what was read off. */
#include "fit/arm_fit.h"

#include "fit/arm_problem.h"

#include <math.h>
#include <string.h>

static const double same_rad = 1e-3;

ArcStatus arc_fit_fill_readings(ArcFit *fit, const ArcProblem *problem, const double *values,
                                ArcError *err)
{
    double u[ARC_MAX_PARAMETERS], r[ARC_MAX_PRIORS];
    size_t n = (size_t)problem->n_readings;
    ArcFittedReading *readings = ARC_ALLOC(fit->arena, n, ArcFittedReading);
    if (readings == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < problem->n_free; k++)
        u[k] = values[problem->free_parameter[k]];
    arc_problem_read(problem, u, r, NULL, 0);
    for (size_t i = 0; i < n; i++) {
        const ArcProblemReading *from = &problem->readings[i];
        const ArcParameter *parameter = &problem->parameters[from->parameter];
        readings[i] = (ArcFittedReading){.name = parameter->name,
                                         .unit = parameter->unit,
                                         .value = from->value,
                                         .sd = from->sd,
                                         .fitted = from->value + r[i] * from->sd,
                                         .residual_sd = r[i],
                                         .line = from->line};
        readings[i].name =
            arc_arena_copy_text(fit->arena, parameter->name, strlen(parameter->name));
        readings[i].unit =
            arc_arena_copy_text(fit->arena, parameter->unit, strlen(parameter->unit));
        if (readings[i].name == NULL || readings[i].unit == NULL)
            return arc_error_no_memory(err);
    }
    fit->readings = n > 0 ? readings : NULL;
    return ARC_OK;
}

double arc_problem_readings_chi2(const ArcProblem *problem, const double *values)
{
    double u[ARC_MAX_PARAMETERS], r[ARC_MAX_PRIORS], sum = 0.0;
    for (int k = 0; k < problem->n_free; k++)
        u[k] = values[problem->free_parameter[k]];
    arc_problem_read(problem, u, r, NULL, 0);
    for (int i = 0; i < problem->n_readings; i++)
        sum += r[i] * r[i];
    return sum;
}

ArcStatus arc_fit_create_arm(ArcFit *fit, const ArcProblem *problem, const double *values,
                             ArcError *err)
{
    if (!problem->has_arm)
        return ARC_OK;
    int d = problem->d;
    ArcArmFit *made = ARC_ALLOC(fit->arena, 1, ArcArmFit);
    double *tie = ARC_ALLOC(fit->arena, 2 * (size_t)d * (size_t)problem->n_free, double);
    if (made == NULL || tie == NULL)
        return arc_error_no_memory(err);
    arc_problem_tie_free(problem, values, tie);
    *made = (ArcArmFit){.n_joints = problem->arm.settings.n_joints,
                        .dimensions = d,
                        .first = problem->arm_index,
                        .n_parameters = problem->arm.n_parameters,
                        .theta = problem->arm_index + problem->arm.theta,
                        .omega = problem->arm_index + problem->arm.omega,
                        .release = problem->t0_index + 1,
                        .tie = tie};
    fit->arm = made;
    return ARC_OK;
}

static void take_solution(const ArcArmFit *arm, const double *values, ArcArmSolution *solution)
{
    size_t bytes = sizeof(double) * (size_t)arm->n_joints;
    *solution = (ArcArmSolution){0};
    memcpy(solution->theta_rad, values + arm->theta, bytes);
    memcpy(solution->omega_rad_s, values + arm->omega, bytes);
}

static void judge_solution(const ArcProblem *problem, const ArcArmFit *arm,
                           ArcArmSolution *solution)
{
    solution->is_within_limits =
        arc_arm_is_within(problem, solution->theta_rad, solution->omega_rad_s);
    const ArcArmSolution *first = &arm->solutions[0];
    solution->is_told_apart = solution->chi2 >= first->chi2 + ARC_ARM_TOLD_APART ||
                              (first->is_within_limits && !solution->is_within_limits);
}

/* Whether the list has a pose so near. */
static bool is_listed(const ArcProblem *problem, const ArcArmFit *arm, const double *theta,
                      double near)
{
    for (int i = 0; i < arm->n_solutions; i++)
        if (arc_arm_apart(problem, arm->solutions[i].theta_rad, theta) < near)
            return true;
    return false;
}

/* Where the fits from the poses ended that arrived; of a swing, whose other poses nothing else can
 * tell, the others too. */
static void list_fitted(const ArcProblem *problem, const ArcStarts *starts, ArcArmFit *arm)
{
    for (int i = 0; i < arc_starts_n(starts) && arm->n_solutions < ARC_ARM_MAX_POSES; i++) {
        const ArcOutcome *outcome = arc_starts_outcome(starts, i);
        ArcArmSolution *solution = &arm->solutions[arm->n_solutions];
        if (outcome->T == NULL || !(outcome->converged || problem->swing != NULL))
            continue;
        take_solution(arm, outcome->values, solution);
        if (is_listed(problem, arm, solution->theta_rad, same_rad))
            continue;
        solution->is_fitted = true;
        solution->chi2 = 2.0 * outcome->cost;
        solution->converged = outcome->converged;
        judge_solution(problem, arm, solution);
        arm->n_solutions++;
    }
}

/* Squares of readings and priors by these values. */
static double own_chi2(const ArcProblem *problem, const double *values)
{
    double u[ARC_MAX_PARAMETERS], r[ARC_MAX_PRIORS], sum = 0.0;
    for (int k = 0; k < problem->n_free; k++)
        u[k] = values[problem->free_parameter[k]];
    arc_problem_priors(problem, u, r, NULL, 0);
    for (int i = 0; i < problem->n_priors; i++)
        sum += r[i] * r[i];
    return sum;
}

/* Other poses of the same release, that no fit has come to. */
static void list_others(const ArcProblem *problem, const double *values, ArcArmFit *arm)
{
    double theta[ARC_ARM_MAX_POSES * ARC_ARM_MAX_JOINTS], missing[3], other[ARC_MAX_PARAMETERS];
    size_t J = (size_t)arm->n_joints, d = (size_t)arm->dimensions;
    const double *p = values + arm->first, *x = values + arm->release;
    double own = own_chi2(problem, values), speed = 0.0;
    int n = problem->swing != NULL ? 0 /* it would have to swing otherwise */
                                   : arc_arm_poses(&problem->arm, p, x, values + arm->theta, theta);
    for (size_t c = 0; c < d; c++)
        speed = hypot(speed, x[d + c]);
    for (int i = 0; i < n && arm->n_solutions < ARC_ARM_MAX_POSES; i++) {
        const double *pose = theta + (size_t)i * J;
        ArcArmSolution *solution = &arm->solutions[arm->n_solutions];
        double apart = arc_arm_apart(problem, pose, values + arm->theta), off = 0.0;
        if (apart < same_rad || is_listed(problem, arm, pose, 0.5 * apart))
            continue;
        memcpy(other, values, sizeof(double) * (size_t)problem->n_parameters);
        memcpy(other + arm->theta, pose, sizeof(double) * J);
        arc_arm_rates_for(&problem->arm, p, pose, x + d, other + arm->omega, missing);
        for (size_t c = 0; c < d; c++)
            off = hypot(off, missing[c]);
        bool is_held = false; /* a joint that is fixed stands nowhere else */
        for (size_t j = 0; j < J; j++)
            is_held = is_held || problem->free_index[(size_t)arm->theta + j] < 0 ||
                      problem->free_index[(size_t)arm->omega + j] < 0;
        if (is_held || off > 1e-6 * speed)
            continue;
        take_solution(arm, other, solution);
        solution->chi2 = arm->solutions[0].chi2 - own + own_chi2(problem, other);
        judge_solution(problem, arm, solution);
        arm->n_solutions++;
    }
}

void arc_fit_list_poses(ArcFit *fit, const ArcProblem *problem, const ArcOutcome *outcome,
                        const ArcStarts *starts)
{
    if (fit->arm == NULL)
        return;
    ArcArmFit *arm = (ArcArmFit *)(uintptr_t)fit->arm;
    ArcArmSolution *first = &arm->solutions[0];
    take_solution(arm, outcome->values, first);
    first->is_fitted = true;
    first->converged = fit->converged;
    first->chi2 = 2.0 * outcome->cost;
    first->is_within_limits = arc_arm_is_within(problem, first->theta_rad, first->omega_rad_s);
    arm->n_solutions = 1;
    if (starts != NULL)
        list_fitted(problem, starts, arm);
    list_others(problem, outcome->values, arm);
}
