/* The scalar objective of the first-order optimisers: F = sum of phi r^2 / 2 and its gradient.
 *
 * r are the rows of the least-squares problem (pinn.h), phi the weights of the loss balance: one a
 * block, and one a collocation point. Unknowns x = (weights, y), a parameter being scale * y so
 * that all y are of the size of one. The gradient by the weights is one reverse pass: with g = phi
 * r times the row's weight, the cotangents of the rows (pinn_weights.c) summed over the rows of
 * each point.
 *
 * Balances, all renewed at times and constant in between:
 *   gradient-norm  observations and priors grow until their gradient's norm is the physics'
 *                  (Wang, Teng, Perdikaris, SIAM J. Sci. Comput. 43 (2021) A3055; running mean)
 *   self-adaptive  a point's weight grows with its residual, by ascent (McClenny, Braga-Neto,
 *                  J. Comput. Phys. 474 (2023) 111722), held to a mean of one
 *   causal         exp(-epsilon sum over earlier points of (breach / scale)^2), so that a point
 *                  counts once those before it are satisfied (Wang, Sankaran, Perdikaris, Comput.
 *                  Methods Appl. Mech. Eng. 421 (2024) 116813)
 */
#include "fit/objectives.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

static const double balance_memory = 0.9;
static const double ascent_rate = 0.5;
static const double flight_share = 0.1, release_share = 0.01; /* of a parameter's size */

struct ArcGradient {
    ArcPinn *pinn;
    int points, m, n;
    double *r;       /* (m) */
    double *factor;  /* (m): phi r times the row's weight; priors: phi r */
    double *bar;     /* (3 points, D) */
    double *columns; /* (m, n_free) column-major, of the parameters */
    double *scale;   /* (n_free) */
    double *phi;     /* (M + 2): collocation points, observations, priors */
    double *norms;   /* (n) scratch */
    double parts[3];
};

static ArcStatus gradient_create(ArcPinn *pinn, ArcArena *arena, ArcGradient **result,
                                 ArcError *err)
{
    ArcGradient *g = ARC_ALLOC(arena, 1, ArcGradient);
    if (g == NULL)
        return arc_error_no_memory(err);
    const ArcProblem *problem = pinn->problem;
    g->pinn = pinn;
    g->points = pinn->M + problem->n_times;
    g->m = arc_pinn_n_rows(pinn) + problem->n_priors;
    g->n = pinn->n_weights + problem->n_free;
    size_t m = (size_t)g->m, n_free = (size_t)problem->n_free;
    g->r = ARC_ALLOC(arena, m, double);
    g->factor = ARC_ALLOC(arena, m, double);
    g->bar = ARC_ALLOC(arena, 3 * (size_t)g->points * (size_t)problem->D, double);
    g->columns = ARC_ALLOC(arena, m * n_free, double);
    g->scale = ARC_ALLOC(arena, n_free, double);
    g->phi = ARC_ALLOC(arena, (size_t)pinn->M + 2, double);
    g->norms = ARC_ALLOC(arena, (size_t)g->n, double);
    if (g->r == NULL || g->factor == NULL || g->bar == NULL || g->columns == NULL ||
        g->scale == NULL || g->phi == NULL || g->norms == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < pinn->M + 2; i++)
        g->phi[i] = 1.0;
    *result = g;
    return ARC_OK;
}

/* Half the weighted squares of each block, and factor. */
static double weigh(ArcGradient *g)
{
    const ArcPinn *pinn = g->pinn;
    const ArcProblem *problem = pinn->problem;
    int n_observations = problem->n_observations, M = pinn->M, rows = arc_pinn_n_rows(pinn);
    memset(g->parts, 0, sizeof g->parts);
    double cost = 0.0;
    for (int i = 0; i < g->m; i++) {
        int block = i < n_observations ? 0 : i < rows ? 1 : 2;
        double phi = block == 0   ? g->phi[M]
                     : block == 2 ? g->phi[M + 1]
                                  : g->phi[(i - n_observations) % M];
        double half = 0.5 * g->r[i] * g->r[i];
        g->parts[block] += half;
        cost += phi * half;
        g->factor[i] = phi * g->r[i] * (block == 2 ? 1.0 : pinn->row_weight[i]);
    }
    return cost;
}

/* Cotangents of the net's jets at all points from factor. */
static void fill_bar(ArcGradient *g)
{
    const ArcPinn *pinn = g->pinn;
    const ArcProblem *problem = pinn->problem;
    int D = problem->D, M = pinn->M;
    size_t stride = (size_t)g->points * (size_t)D;
    double L = pinn->scale_m_s2, rate = 2.0 / pinn->span_s;
    const double *physics = g->factor + problem->n_observations;
    memset(g->bar, 0, sizeof(double) * 3 * stride);
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        double s = pinn->s[M + o->time], *bar = g->bar + (M + o->time) * D;
        if (pinn->sight == NULL)
            bar[o->axis] = g->factor[i] * L * s * s;
        else
            cblas_daxpy(D, g->factor[i] * L * s * s, arc_sight_by_x(pinn->sight, i), 1, bar, 1);
    }
    for (int j = 0; j < M; j++) {
        double s = pinn->s[j];
        for (int c = 0; c < D; c++) {
            double by_x = 0.0, by_v = 0.0, by_a = physics[c * M + j];
            for (int e = 0; e < D; e++) {
                by_x -= physics[e * M + j] * pinn->a_x[(j * D + e) * D + c];
                by_v -= physics[e * M + j] * pinn->a_v[(j * D + e) * D + c];
            }
            double *bar = g->bar + j * D + c;
            bar[0] = L * (2.0 * by_a + s * (2.0 * by_v + s * by_x));
            bar[stride] = L * rate * s * (4.0 * by_a + s * by_v);
            bar[2 * stride] = L * rate * rate * s * s * by_a;
        }
    }
}

/* Free parameter k of x; a bound is met exactly, which scaling forth and back would miss. What a
 * line search tries beyond one is the bound: no law and no joint is asked further. */
static double value_of(const ArcGradient *g, const double *x, int k)
{
    const ArcProblem *problem = g->pinn->problem;
    double y = x[g->pinn->n_weights + k], scale = g->scale[k];
    if (!isfinite(y))
        return NAN;
    if (y <= problem->low[k] / scale)
        return problem->low[k];
    return y >= problem->high[k] / scale ? problem->high[k] : scale * y;
}

/* Whether it stays the same for small changes of x. */
static bool is_beyond(const ArcGradient *g, const double *x, int k)
{
    const ArcProblem *problem = g->pinn->problem;
    double y = x[g->pinn->n_weights + k], scale = g->scale[k];
    return y < problem->low[k] / scale || y > problem->high[k] / scale;
}

/* Residuals and partials at x; false where one is not finite. */
static bool look(ArcGradient *g, const double *x)
{
    ArcPinn *pinn = g->pinn;
    const ArcProblem *problem = pinn->problem;
    int rows = arc_pinn_n_rows(pinn);
    double u[ARC_MAX_PARAMETERS];
    memcpy(pinn->weights, x, sizeof(double) * (size_t)pinn->n_weights);
    for (int k = 0; k < problem->n_free; k++)
        u[k] = value_of(g, x, k);
    arc_problem_scatter(problem, u, pinn->values);
    arc_pinn_place_observations(pinn);
    arc_net_forward(pinn->net, pinn->work, pinn->weights, g->points, pinn->tau, pinn->jets);
    arc_pinn_states(pinn, g->points, pinn->s);
    arc_pinn_residual(pinn, true, g->r);
    size_t ld = (size_t)g->m;
    arc_problem_priors(problem, u, g->r + rows, g->columns + rows, ld);
    ArcPartials partials = {rows, pinn->q_rows, pinn->t0_rows, pinn->row_weight, pinn->sight};
    arc_problem_chain(problem, pinn->values, &partials, g->columns, ld);
    double sum = 0.0;
    for (int i = 0; i < g->m; i++)
        sum += g->r[i] * 0.0;
    return sum == 0.0;
}

/* The gradient of what stands in r, phi and factor. */
static void descend(ArcGradient *g, double *gradient)
{
    ArcPinn *pinn = g->pinn;
    const ArcProblem *problem = pinn->problem;
    int rows = arc_pinn_n_rows(pinn), n_free = problem->n_free;
    fill_bar(g);
    arc_net_backward(pinn->net, pinn->work, pinn->weights, g->points, g->bar, gradient);
    /* The columns hold the rows' weights already. */
    for (int i = 0; i < rows; i++)
        g->factor[i] /= pinn->row_weight[i];
    cblas_dgemv(CblasColMajor, CblasTrans, g->m, n_free, 1.0, g->columns, g->m, g->factor, 1, 0.0,
                gradient + pinn->n_weights, 1);
    for (int k = 0; k < n_free; k++)
        gradient[pinn->n_weights + k] *= g->scale[k];
}

static bool gradient_evaluate(void *context, const double *x, double *f, double *gradient)
{
    ArcGradient *g = context;
    if (!look(g, x))
        return false;
    *f = weigh(g);
    descend(g, gradient);
    for (int k = 0; k < g->pinn->problem->n_free; k++)
        if (is_beyond(g, x, k))
            gradient[g->pinn->n_weights + k] = 0.0;
    return isfinite(*f);
}

/* The size of parameter k: its value, or more where only more makes a difference to the flight, a
 * share of L in the acceleration and of L T^2 in the places. Bounds and priors say less: they may
 * be as wide as they like. Wants columns with scales of one. */
static double size_of(const ArcGradient *g, int k)
{
    const ArcPinn *pinn = g->pinn;
    const ArcProblem *problem = pinn->problem;
    int i = problem->free_parameter[k], n_observations = problem->n_observations;
    const double *column = g->columns + (size_t)k * (size_t)g->m;
    double L = pinn->scale_m_s2, T = pinn->span_s, wanted, square = 0.0;
    if (i < problem->P) {
        wanted = flight_share * L;
        for (int row = n_observations; row < arc_pinn_n_rows(pinn); row++)
            square += column[row] * column[row];
        square *= pinn->sigma_phys_m_s2 * pinn->sigma_phys_m_s2;
    } else {
        wanted = release_share * L * T * T;
        for (int row = 0; row < n_observations; row++) {
            double per_m = arc_problem_per_metre(problem, row);
            if (!(per_m > 0.0))
                continue;
            double moved = column[row] / pinn->row_weight[row] / per_m;
            square += moved * moved / n_observations;
        }
    }
    double value = fabs(pinn->values[i]), effect = wanted / sqrt(square);
    double size = isfinite(effect) ? fmax(value, effect) : value;
    return size > 0.0 ? size : 1.0;
}

ArcStatus arc_gradient_create(ArcPinn *pinn, ArcArena *arena, ArcGradient **gradient, double **x,
                              ArcError *err)
{
    const ArcProblem *problem = pinn->problem;
    ArcGradient *g = NULL;
    ArcStatus status = gradient_create(pinn, arena, &g, err);
    double *start = status == ARC_OK ? ARC_ALLOC(arena, (size_t)g->n, double) : NULL;
    if (start == NULL)
        return status == ARC_OK ? arc_error_no_memory(err) : status;
    memcpy(start, pinn->weights, sizeof(double) * (size_t)pinn->n_weights);
    double *y = start + pinn->n_weights;
    for (int k = 0; k < problem->n_free; k++) {
        g->scale[k] = 1.0;
        y[k] = pinn->values[problem->free_parameter[k]];
    }
    bool finite = look(g, start);
    for (int k = 0; k < problem->n_free; k++) {
        g->scale[k] = finite ? size_of(g, k) : 1.0;
        y[k] = pinn->values[problem->free_parameter[k]] / g->scale[k];
    }
    *gradient = g;
    *x = start;
    return ARC_OK;
}

ArcScalarObjective arc_gradient_objective(ArcGradient *gradient)
{
    return (ArcScalarObjective){.context = gradient, .evaluate = gradient_evaluate};
}

int arc_gradient_n(const ArcGradient *gradient)
{
    return gradient->n;
}

const double *arc_gradient_parts(const ArcGradient *gradient)
{
    return gradient->parts;
}

/* Whether x is what was evaluated last. */
static bool stands_at(const ArcGradient *g, const double *x)
{
    const ArcPinn *pinn = g->pinn;
    bool stands = memcmp(pinn->weights, x, sizeof(double) * (size_t)pinn->n_weights) == 0;
    for (int k = 0; stands && k < pinn->problem->n_free; k++)
        stands = pinn->values[pinn->problem->free_parameter[k]] == value_of(g, x, k);
    return stands;
}

const double *arc_gradient_parts_at(ArcGradient *g, const double *x)
{
    if (!stands_at(g, x) && look(g, x))
        weigh(g);
    return g->parts;
}

void arc_gradient_keep_bounds(const ArcGradient *g, double *x)
{
    const ArcProblem *problem = g->pinn->problem;
    double *y = x + g->pinn->n_weights;
    for (int k = 0; k < problem->n_free; k++)
        y[k] = fmin(fmax(y[k], problem->low[k] / g->scale[k]), problem->high[k] / g->scale[k]);
}

/* Norm of the gradient of the blocks whose phi is set. */
static double norm_of(ArcGradient *g)
{
    weigh(g);
    descend(g, g->norms);
    return cblas_dnrm2(g->n, g->norms, 1);
}

static void balance_norms(ArcGradient *g)
{
    int M = g->pinn->M;
    double before = g->phi[M];
    g->phi[M] = g->phi[M + 1] = 0.0;
    double physics = norm_of(g);
    for (int j = 0; j < M; j++)
        g->phi[j] = 0.0;
    g->phi[M] = g->phi[M + 1] = 1.0;
    double others = norm_of(g);
    for (int j = 0; j < M; j++)
        g->phi[j] = 1.0;
    double wanted = others > 0.0 && isfinite(physics / others) ? physics / others : before;
    g->phi[M] = g->phi[M + 1] = balance_memory * before + (1.0 - balance_memory) * wanted;
}

/* Squared residual of collocation point j, over all axes. */
static double square_of(const ArcGradient *g, int j)
{
    const ArcProblem *problem = g->pinn->problem;
    double sum = 0.0;
    for (int e = 0; e < problem->D; e++) {
        double r = g->r[problem->n_observations + e * g->pinn->M + j];
        sum += r * r;
    }
    return sum;
}

static void balance_points(ArcGradient *g)
{
    int M = g->pinn->M;
    double mean = 0.0, weight = 0.0;
    for (int j = 0; j < M; j++)
        mean += square_of(g, j) / M;
    for (int j = 0; mean > 0.0 && j < M; j++) {
        g->phi[j] += ascent_rate * square_of(g, j) / mean;
        weight += g->phi[j] / M;
    }
    for (int j = 0; weight > 0.0 && j < M; j++)
        g->phi[j] /= weight;
}

static void balance_causes(ArcGradient *g)
{
    const ArcPinn *pinn = g->pinn;
    double epsilon = pinn->problem->pinn.causal_epsilon, passed = 0.0;
    double unit = pinn->sigma_phys_m_s2 / pinn->scale_m_s2;
    for (int j = 0; j < pinn->M; j++) {
        g->phi[j] = exp(-epsilon * passed);
        passed += unit * unit * square_of(g, j);
    }
}

bool arc_gradient_balance(ArcGradient *g, const double *x)
{
    ArcWeighting weighting = g->pinn->problem->pinn.weighting;
    if (weighting == ARC_WEIGHTING_FIXED || !look(g, x))
        return false;
    if (weighting == ARC_WEIGHTING_GRADIENT_NORM)
        balance_norms(g);
    else if (weighting == ARC_WEIGHTING_SELF_ADAPTIVE)
        balance_points(g);
    else
        balance_causes(g);
    return true;
}

void arc_gradient_store_balance(ArcGradient *g, ArcStore *store)
{
    arc_store_reals(store, g->phi, (size_t)g->pinn->M + 2);
    /* The sizes come from where the stage began, which the values have left since. */
    arc_store_reals(store, g->scale, (size_t)g->pinn->problem->n_free);
}

void arc_gradient_finish(ArcGradient *g, const double *x)
{
    ArcPinn *pinn = g->pinn;
    const ArcProblem *problem = pinn->problem;
    memcpy(pinn->weights, x, sizeof(double) * (size_t)pinn->n_weights);
    double u[ARC_MAX_PARAMETERS];
    for (int k = 0; k < problem->n_free; k++)
        u[k] = value_of(g, x, k);
    arc_problem_scatter(problem, u, pinn->values);
    arc_pinn_place_observations(pinn);
    pinn->trained = true;
}
