/* The cameras' sigmas by restricted likelihood. */
#include "fit/sigmas.h"

#include "fit/method.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { HALVINGS = 80 };
static const double widest_log = 12.0; /* of a factor's change in one step */

/* The camera of observation i, and which of the sought factors it has; -1: none. */
static int which_of(const ArcProblem *problem, int i)
{
    const ArcView *view = problem->view;
    int camera = view->camera[problem->time_point[problem->observations[i].time]];
    int m = view->cameras[camera].parameter[ARC_MEASURE_SIGMA];
    for (int k = 0; k < problem->n_sigmas; k++)
        if (m >= 0 && problem->sigma_parameter[k] == arc_problem_first_measure(problem) + m)
            return k;
    return -1;
}

/* One camera's equation. */
typedef struct Equation {
    const ArcProblem *problem;
    const ArcRows *rows;
    int which, n;
    double spare;  /* n_c - e_c */
    double factor; /* s_c in force */
    const ArcParameter *parameter;
} Equation;

static Equation equation_of(const ArcProblem *problem, const ArcRows *rows, int which)
{
    int parameter = problem->sigma_parameter[which];
    Equation e = {.problem = problem,
                  .rows = rows,
                  .which = which,
                  .factor = problem->start[parameter],
                  .parameter = &problem->parameters[parameter]};
    for (int i = 0; i < rows->n; i++) {
        if (which_of(problem, i) != which)
            continue;
        e.n++;
        e.spare += 1.0 - rows->leverage[i];
    }
    return e;
}

/* What is left of the equation at the factor times exp(log_change): falls with it. */
static double remainder_at(const Equation *e, double log_change)
{
    const ArcLoss *loss = &e->problem->loss;
    double change = exp(log_change), s = e->factor * change, sum = 0.0;
    for (int i = 0; i < e->rows->n; i++)
        if (which_of(e->problem, i) == e->which)
            sum += arc_loss_chi(loss, e->rows->off[i] / change);
    double pull = 0.0;
    if (e->parameter->has_prior)
        pull =
            s * (s - e->parameter->prior_mean) / (e->parameter->prior_sd * e->parameter->prior_sd);
    return sum / arc_loss_beta(loss) - e->spare - pull;
}

static double solve(const Equation *e)
{
    double low = -widest_log, high = widest_log;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        *(remainder_at(e, middle) > 0.0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

double arc_sigmas_step(ArcProblem *problem, const ArcRows *rows)
{
    double largest = 0.0, change[ARC_MAX_CAMERAS + 1] = {0};
    for (int k = 0; k < problem->n_sigmas; k++) {
        Equation e = equation_of(problem, rows, k);
        if (!(e.spare > 0.0) && !e.parameter->has_prior)
            continue;
        double s = e.factor * exp(solve(&e));
        s = fmin(fmax(s, fmax(e.parameter->low, ARC_LEAST_ESTIMATED_SIGMA_M)), e.parameter->high);
        change[k] = log(s / e.factor);
        problem->start[problem->sigma_parameter[k]] = s;
        largest = fmax(largest, fabs(change[k]));
    }
    for (int i = 0; i < problem->n_observations; i++) {
        int k = which_of(problem, i);
        if (k >= 0)
            problem->observations[i].sigma *= exp(change[k]);
    }
    return largest;
}

/* Variance of log s by the scatter of a robust chi. */
static double robust_variance(const Equation *e)
{
    const ArcLoss *loss = &e->problem->loss;
    double mean = 0.0, square = 0.0, slope = 0.0;
    for (int i = 0; i < e->rows->n; i++) {
        if (which_of(e->problem, i) != e->which)
            continue;
        double r = e->rows->off[i], chi = arc_loss_chi(loss, r);
        mean += chi / e->n;
        square += chi * chi / e->n;
        slope += r * arc_loss_chi_slope(loss, r) / e->n;
    }
    return fmax(square - mean * mean, 0.0) / e->spare / (slope * slope);
}

/* A_k = sum of the coordinates' outer products over the observations of factor k. */
static void fill_gram(const ArcProblem *problem, const ArcRows *rows, int k, double *gram)
{
    int all = rows->n_all;
    memset(gram, 0, sizeof(double) * (size_t)all * (size_t)all);
    for (int i = 0; i < rows->n; i++)
        if (which_of(problem, i) == k)
            cblas_dger(CblasColMajor, all, all, 1.0, rows->coordinates + (size_t)i * (size_t)all, 1,
                       rows->coordinates + (size_t)i * (size_t)all, 1, gram, all);
}

/* I of the logarithms, (n_sigmas, n_sigmas). */
static void fill_information(const ArcProblem *problem, const ArcRows *rows, double *grams,
                             double *information)
{
    int n = problem->n_sigmas, size = rows->n_all * rows->n_all;
    bool robust = problem->loss.kind != ARC_LOSS_GAUSS;
    for (int k = 0; k < n; k++)
        fill_gram(problem, rows, k, grams + (size_t)k * (size_t)size);
    for (int k = 0; k < n; k++) {
        Equation e = equation_of(problem, rows, k);
        for (int l = 0; l < n; l++)
            information[k * n + l] = robust
                                         ? 0.0
                                         : 2.0 * cblas_ddot(size, grams + (size_t)k * (size_t)size,
                                                            1, grams + (size_t)l * (size_t)size, 1);
        information[k * (n + 1)] +=
            robust ? 1.0 / robust_variance(&e) : 2.0 * (2.0 * e.spare - e.n);
        if (e.parameter->has_prior)
            information[k * (n + 1)] +=
                e.factor * e.factor / (e.parameter->prior_sd * e.parameter->prior_sd);
    }
}

/* Freedoms of a variance to which each camera adds as it determines unknowns: the mean of their
 * inverses, so weighed. It is less than Satterthwaite's, by about what the weights' own scatter
 * adds to that of the estimates (Kenward and Roger, Biometrics 53 (1997) 983). */
static double freedoms_of(const ArcProblem *problem, const ArcRows *rows, const double *variance)
{
    double all = 0.0, part = 0.0;
    for (int i = 0; i < rows->n; i++)
        all += rows->leverage[i];
    for (int k = 0; k < problem->n_sigmas; k++) {
        Equation e = equation_of(problem, rows, k);
        double share = (e.n - e.spare) / all;
        part += share * 2.0 * variance[k]; /* 1 / freedoms of it */
    }
    return part > 0.0 ? fmax(1.0 / part, 1.0) : (double)INFINITY;
}

ArcStatus arc_sigmas_inform(ArcProblem *problem, const ArcRows *rows, ArcArena *arena,
                            ArcError *err)
{
    int n = problem->n_sigmas;
    size_t size = (size_t)rows->n_all * (size_t)rows->n_all;
    double *sd = ARC_ALLOC(arena, (size_t)n, double);
    double *grams = ARC_ALLOC(arena, size * (size_t)n, double);
    double information[(ARC_MAX_CAMERAS + 1) * (ARC_MAX_CAMERAS + 1)],
        variance[ARC_MAX_CAMERAS + 1];
    if (sd == NULL || grams == NULL)
        return arc_error_no_memory(err);
    fill_information(problem, rows, grams, information);
    bool known = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, information, n) == 0 &&
                 LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', n, information, n) == 0;
    for (int k = 0; k < n; k++) {
        variance[k] = known ? information[k * (n + 1)] : (double)NAN;
        sd[k] = problem->start[problem->sigma_parameter[k]] * sqrt(variance[k]);
    }
    problem->sigma_sd = sd;
    problem->sigma_dof = known ? freedoms_of(problem, rows, variance) : 1.0;
    return ARC_OK;
}

ArcStatus arc_sigmas_foretell(ArcProblem *problem, ArcArena *arena, ArcError *err)
{
    double *sd = ARC_ALLOC(arena, (size_t)problem->n_sigmas, double);
    if (sd == NULL)
        return arc_error_no_memory(err);
    double share = 1.0 - (double)problem->n_free / problem->n_observations;
    for (int k = 0; k < problem->n_sigmas; k++) {
        const ArcParameter *parameter = &problem->parameters[problem->sigma_parameter[k]];
        double s = problem->start[problem->sigma_parameter[k]], information = 0.0;
        for (int i = 0; i < problem->n_observations; i++)
            information += which_of(problem, i) == k ? 2.0 * share : 0.0;
        if (parameter->has_prior)
            information += s * s / (parameter->prior_sd * parameter->prior_sd);
        sd[k] = s / sqrt(information);
    }
    problem->sigma_sd = sd;
    return ARC_OK;
}

void arc_sigmas_interval(double factor, double sd, double ci95[2])
{
    double spread = 4.0 * sd * sd / (9.0 * factor * factor); /* 2 / (9 freedoms) */
    for (int side = 0; side < 2; side++) {
        double z = side == 0 ? ARC_Z95 : -ARC_Z95;
        double root = fmax(1.0 - spread + z * sqrt(spread), 0.0);
        ci95[side] = factor / sqrt(root * root * root);
    }
}

double arc_sigmas_log(const ArcProblem *problem)
{
    double sum = 0.0;
    for (int i = 0; i < problem->n_observations && problem->n_sigmas > 0; i++) {
        int k = which_of(problem, i);
        sum += k < 0 ? 0.0 : log(problem->start[problem->sigma_parameter[k]]);
    }
    return sum;
}
