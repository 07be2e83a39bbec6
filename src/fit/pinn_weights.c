/* The lm stage: all weights and parameters by Levenberg-Marquardt.
 *
 * Each residual row depends on the three jets of the net at one point: with Y = L N, rate = 2 / T,
 *   x: s^2 Y        v: 2 s Y + s^2 rate Y'        a: 2 Y + 4 s rate Y' + s^2 rate^2 Y''
 * so row e of the physics has the cotangents, per output c (delta = 1 where e = c),
 *   Y: 2 delta - 2 s a_v[e][c] - s^2 a_x[e][c]    Y': rate (4 s delta - s^2 a_v[e][c])
 *   Y'': rate^2 s^2 delta
 * and one batched reverse pass per output gives the rows of that axis for all points.
 */
#include "fit/objectives.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

static const double largest_output = 1e3;
static const double poor_share = 0.1; /* of sigma_phys */

/* Points whose rows are made at a time; the rows of all would be half of J again. */
enum { BATCH_POINTS = 128 };

typedef struct Weights {
    ArcPinn *pinn;
    int points; /* M + n_times */
    int batch;  /* points, or BATCH_POINTS where that is less */
    int m;
    int output_offset;    /* of the output layer among the net's weights */
    double *bar;          /* (3 batch, D) */
    double *rows;         /* (batch, n_weights) column-major */
    int numbers;          /* of a point: D, or more of one that a camera sees */
    int *observation_row; /* (n_times, numbers): row of the observation, -1 where missing */
    double *z;
} Weights;

static ArcStatus weights_create(ArcPinn *pinn, ArcArena *arena, Weights **result, ArcError *err)
{
    Weights *weights = ARC_ALLOC(arena, 1, Weights);
    if (weights == NULL)
        return arc_error_no_memory(err);
    const ArcProblem *problem = pinn->problem;
    size_t D = (size_t)problem->D, n_times = (size_t)problem->n_times;
    weights->pinn = pinn;
    weights->numbers = problem->D;
    if (pinn->sight != NULL && problem->D < ARC_VIEW_NUMBERS)
        weights->numbers = ARC_VIEW_NUMBERS;
    size_t numbers = n_times * (size_t)weights->numbers;
    weights->points = pinn->M + problem->n_times;
    weights->m = arc_pinn_n_rows(pinn) + problem->n_priors;
    weights->batch = weights->points < BATCH_POINTS ? weights->points : BATCH_POINTS;
    weights->bar = ARC_ALLOC(arena, 3 * (size_t)weights->batch * D, double);
    weights->rows = ARC_ALLOC(arena, (size_t)weights->batch * (size_t)pinn->n_weights, double);
    weights->observation_row = ARC_ALLOC(arena, numbers, int);
    weights->z = ARC_ALLOC(arena, (size_t)(pinn->n_weights + problem->n_free), double);
    if (weights->bar == NULL || weights->rows == NULL || weights->observation_row == NULL ||
        weights->z == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < numbers; i++)
        weights->observation_row[i] = -1;
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        weights->observation_row[o->time * weights->numbers + o->axis] = i;
    }
    *result = weights;
    return ARC_OK;
}

/* Cotangents (D) of an observation, number e of its point: h = L s^2 by the net's output. */
static void fill_seen_bar(const ArcPinn *pinn, int row, int e, double h, double *bar)
{
    if (row >= 0 && pinn->sight == NULL)
        bar[e] = pinn->row_weight[row] * h;
    for (int c = 0; row >= 0 && pinn->sight != NULL && c < pinn->problem->D; c++)
        bar[c] = pinn->row_weight[row] * h * arc_sight_by_x(pinn->sight, row)[c];
}

/* Cotangents of the rows of axis e for n points from begin on: physics at the collocation points,
 * the observation elsewhere. */
static void fill_bar(Weights *weights, int e, int begin, int n)
{
    const ArcPinn *pinn = weights->pinn;
    const ArcProblem *problem = pinn->problem;
    int D = problem->D, M = pinn->M;
    size_t stride = (size_t)n * (size_t)D;
    double L = pinn->scale_m_s2, rate = 2.0 / pinn->span_s;
    memset(weights->bar, 0, sizeof(double) * 3 * stride);
    for (int i = 0; i < n; i++) {
        int j = begin + i;
        double s = pinn->s[j];
        double *bar = weights->bar + i * D;
        if (j >= M) {
            int row = weights->observation_row[(j - M) * weights->numbers + e];
            fill_seen_bar(pinn, row, e, L * s * s, bar);
            continue;
        }
        if (e >= D)
            continue;
        double w = L * pinn->row_weight[problem->n_observations + e * M + j];
        for (int c = 0; c < D; c++) {
            double delta = e == c ? 1.0 : 0.0;
            double a_v = pinn->a_v[(j * D + e) * D + c], a_x = pinn->a_x[(j * D + e) * D + c];
            bar[c] = w * (2.0 * delta - 2.0 * s * a_v - s * s * a_x);
            bar[stride + (size_t)c] = w * rate * (4.0 * s * delta - s * s * a_v);
            bar[2 * stride + (size_t)c] = w * rate * rate * s * s * delta;
        }
    }
}

/* Column of weight k in J: the output layer's are inner unknowns and come first. */
static size_t column_of(const Weights *weights, int k)
{
    int offset = weights->output_offset, n_output = weights->pinn->n_weights - offset;
    return (size_t)(k < offset ? n_output + k : k - offset);
}

/* What stands in rows, for axis e and n points from begin on, into J. */
static void scatter_rows(const Weights *weights, int e, int begin, int n, double *J)
{
    const ArcPinn *pinn = weights->pinn;
    const ArcProblem *problem = pinn->problem;
    int M = pinn->M, n_points = begin >= M ? 0 : begin + n > M ? M - begin : n;
    int n_physics = e < problem->D ? n_points : 0;
    for (int k = 0; k < pinn->n_weights; k++) {
        const double *from = weights->rows + (size_t)k * (size_t)n;
        double *to = J + column_of(weights, k) * (size_t)weights->m;
        if (n_physics > 0)
            memcpy(to + problem->n_observations + e * M + begin, from,
                   sizeof(double) * (size_t)n_physics);
        for (int i = n_points; i < n; i++) {
            int row = weights->observation_row[(begin + i - M) * weights->numbers + e];
            if (row >= 0)
                to[row] = from[i];
        }
    }
}

/* Columns of all weights, after the forward pass of all points. */
static void weights_columns(Weights *weights, double *J)
{
    const ArcPinn *pinn = weights->pinn;
    for (int begin = 0; begin < weights->points; begin += weights->batch) {
        int left = weights->points - begin, n = left < weights->batch ? left : weights->batch;
        if (weights->points > weights->batch)
            arc_net_forward(pinn->net, pinn->work, pinn->weights, n, pinn->tau + begin, pinn->jets);
        for (int e = 0; e < weights->numbers; e++) {
            fill_bar(weights, e, begin, n);
            arc_net_jacobian(pinn->net, pinn->work, pinn->weights, n, weights->bar, weights->rows,
                             (size_t)n);
            scatter_rows(weights, e, begin, n, J);
        }
    }
}

/* The output layer that the walk begins from. One that adds up large numbers to small ones and
 * still breaks the equations, as the linear stage leaves it where the hidden layers are too poor,
 * leaves no room to move these: then it is better found again with them. Hidden outputs and what
 * the net gives are of the size of one. */
static void start_output(const Weights *weights, int n_output)
{
    ArcPinn *pinn = weights->pinn;
    const double *output = pinn->weights + weights->output_offset;
    memcpy(weights->z, output, sizeof(double) * (size_t)n_output);
    if (fabs(output[cblas_idamax(n_output, output, 1)]) <= largest_output)
        return;
    double physics_rms_m_s2;
    arc_pinn_cost(pinn, &physics_rms_m_s2);
    if (physics_rms_m_s2 > poor_share * pinn->sigma_phys_m_s2)
        memset(weights->z, 0, sizeof(double) * (size_t)n_output);
}

/* pinn's weights from z, which has the output layer in front. */
static void take_weights(const Weights *weights, const double *z)
{
    ArcPinn *pinn = weights->pinn;
    size_t offset = (size_t)weights->output_offset, n_output = (size_t)pinn->n_weights - offset;
    memcpy(pinn->weights + offset, z, sizeof(double) * n_output);
    memcpy(pinn->weights, z + n_output, sizeof(double) * offset);
}

static bool weights_evaluate(void *context, const double *z, double *r, double *J)
{
    Weights *weights = context;
    ArcPinn *pinn = weights->pinn;
    const ArcProblem *problem = pinn->problem;
    int rows = arc_pinn_n_rows(pinn);
    const double *u = z + pinn->n_weights;
    take_weights(weights, z);
    arc_problem_scatter(problem, u, pinn->values);
    arc_pinn_place_observations(pinn);
    arc_net_forward(pinn->net, pinn->work, pinn->weights, weights->points, pinn->tau, pinn->jets);
    arc_pinn_states(pinn, weights->points, pinn->s);
    arc_pinn_residual(pinn, J != NULL, r);
    size_t ld = (size_t)weights->m;
    double *outer = J != NULL ? J + (size_t)pinn->n_weights * ld : NULL;
    arc_problem_priors(problem, u, r + rows, outer != NULL ? outer + rows : NULL, ld);
    if (J != NULL) {
        weights_columns(weights, J);
        ArcPartials partials = {rows, pinn->q_rows, pinn->t0_rows, pinn->row_weight, pinn->sight};
        arc_problem_chain(problem, pinn->values, &partials, outer, ld);
    }
    double sum = 0.0;
    for (int i = 0; i < weights->m; i++)
        sum += r[i] * 0.0;
    return sum == 0.0;
}

ArcStatus arc_weights_objective(ArcPinn *pinn, ArcArena *arena, ArcObjective *objective,
                                double **start, ArcError *err)
{
    const ArcProblem *problem = pinn->problem;
    Weights *weights = NULL;
    ArcStatus status = weights_create(pinn, arena, &weights, err);
    if (status != ARC_OK)
        return status;
    weights->output_offset = (int)arc_net_output_offset(pinn->net);
    int n_output = pinn->n_weights - weights->output_offset;
    *objective = (ArcObjective){.m = weights->m,
                                .n_inner = n_output,
                                .n_damped = weights->output_offset,
                                .n_outer = problem->n_free,
                                .context = weights,
                                .evaluate = weights_evaluate};
    *start = weights->z;
    start_output(weights, n_output);
    memcpy(weights->z + n_output, pinn->weights, sizeof(double) * (size_t)weights->output_offset);
    for (int k = 0; k < problem->n_free; k++)
        weights->z[pinn->n_weights + k] = pinn->values[problem->free_parameter[k]];
    return ARC_OK;
}

void arc_weights_store(const ArcObjective *objective, const double *z)
{
    const Weights *weights = objective->context;
    take_weights(weights, z);
    weights->pinn->trained = true;
}
