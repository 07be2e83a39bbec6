/* The linear stage: output layer and parameters by Gauss-Newton, hidden layers held.
 *
 * The net's outputs enter through b: with F the jets of the last hidden layer (and the bias) at the
 * collocation points, the acceleration that a unit output weight makes, times sqrt(w), is
 *   C = sqrt(w) L (2 F + 4 s F'/h + s^2 F''/h^2) = Q R   (pivoted QR, truncated)
 * and b = R (output weights) makes C times weights = Q b: an orthonormal basis of accelerations. In
 * it the physics rows are nearly orthonormal whatever the net, which keeps the elimination of b
 * (eliminate.h) accurate and cheap. The basis depends on the hidden layers alone: one QR a stage.
 */
#include "fit/objectives.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

static const double basis_truncation = 1e-13;

typedef struct Linear {
    ArcPinn *pinn;
    int K;       /* features: last hidden width + 1 */
    int rank;    /* columns of the basis; 0: the hidden layers are not finite */
    int points;  /* M + n_times */
    int m;       /* all rows */
    double *C;   /* (M, K): its QR; R in the upper triangle */
    int *pivot;  /* (K) */
    double *tau; /* (K) of the QR */
    double *work;
    int n_work;
    double *features;     /* (3 points, K) row-major */
    double *Bx, *Bv, *Ba; /* (points, rank) column-major: states that each b makes */
    double *weighted;     /* (M) scratch */
    double *coefficient;  /* (3 M) scratch */
    double *z;
} Linear;

static ArcStatus linear_create(ArcPinn *pinn, ArcArena *arena, Linear **result, ArcError *err)
{
    Linear *linear = ARC_ALLOC(arena, 1, Linear);
    if (linear == NULL)
        return arc_error_no_memory(err);
    const ArcProblem *problem = pinn->problem;
    linear->pinn = pinn;
    linear->K = arc_net_n_features(pinn->net);
    linear->points = pinn->M + problem->n_times;
    linear->m = arc_pinn_n_rows(pinn) + problem->n_priors;
    size_t K = (size_t)linear->K, M = (size_t)pinn->M, points = (size_t)linear->points;
    linear->n_work = 64 * (linear->K + 1);
    linear->C = ARC_ALLOC(arena, M * K, double);
    linear->pivot = ARC_ALLOC(arena, K, int);
    linear->tau = ARC_ALLOC(arena, K, double);
    linear->work = ARC_ALLOC(arena, (size_t)linear->n_work, double);
    linear->features = ARC_ALLOC(arena, 3 * points * K, double);
    linear->Bx = ARC_ALLOC(arena, 3 * points * K, double);
    linear->weighted = ARC_ALLOC(arena, M, double);
    linear->coefficient = ARC_ALLOC(arena, 3 * M, double);
    linear->z = ARC_ALLOC(arena, K * (size_t)problem->D + (size_t)problem->n_free, double);
    if (linear->C == NULL || linear->pivot == NULL || linear->tau == NULL || linear->work == NULL ||
        linear->features == NULL || linear->Bx == NULL || linear->weighted == NULL ||
        linear->coefficient == NULL || linear->z == NULL)
        return arc_error_no_memory(err);
    linear->Bv = linear->Bx + points * K;
    linear->Ba = linear->Bv + points * K;
    *result = linear;
    return ARC_OK;
}

static bool all_finite(int n, const double *values)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += values[i] * 0.0;
    return sum == 0.0;
}

/* QR of C from the features at all points, and its rank. */
static void make_basis(Linear *linear)
{
    ArcPinn *pinn = linear->pinn;
    int K = linear->K, M = pinn->M, points = linear->points;
    double L = pinn->scale_m_s2, rate = 2.0 / pinn->span_s;
    arc_net_features(pinn->net, pinn->work, pinn->weights, points, pinn->tau, linear->features);
    const double *F0 = linear->features, *F1 = F0 + points * K, *F2 = F1 + points * K;
    for (int j = 0; j < M; j++) {
        double s = pinn->s[j], w = L * pinn->root_weight[j];
        for (int k = 0; k < K; k++)
            linear->C[j + k * M] =
                w *
                (2.0 * F0[j * K + k] + rate * s * (4.0 * F1[j * K + k] + rate * s * F2[j * K + k]));
    }
    linear->rank = 0;
    /* Pivoting would put a column of NaN last and drop it. */
    if (!all_finite(M * K, linear->C))
        return;
    memset(linear->pivot, 0, sizeof(int) * (size_t)K);
    if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, M, K, linear->C, M, linear->pivot, linear->tau,
                            linear->work, linear->n_work) != 0)
        return;
    int limit = M < K ? M : K;
    double first = fabs(linear->C[0]);
    while (linear->rank < limit &&
           fabs(linear->C[linear->rank * (M + 1)]) > basis_truncation * first)
        linear->rank++;
}

/* Bx, Bv, Ba at the points from begin on, whose features stand in linear->features: times R^-1,
 * then the ansatz. */
static void place_basis(Linear *linear, int begin)
{
    ArcPinn *pinn = linear->pinn;
    int K = linear->K, n = linear->points - begin, rank = linear->rank, points = linear->points;
    double *jets[3] = {linear->Bx + begin, linear->Bv + begin, linear->Ba + begin};
    for (int part = 0; part < 3; part++) {
        const double *features = linear->features + part * n * K;
        for (int k = 0; k < rank; k++)
            for (int i = 0; i < n; i++)
                jets[part][i + k * points] = features[i * K + linear->pivot[k] - 1];
        /* Solved, not multiplied by an inverse: only so is the basis times b the features times
         * their weights to the last digits. */
        cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, n, rank, 1.0,
                    linear->C, pinn->M, jets[part], points);
    }
    double L = pinn->scale_m_s2, rate = 2.0 / pinn->span_s;
    const double *s = pinn->s + begin;
    for (int k = 0; k < rank; k++) {
        double *x = jets[0] + k * points, *v = jets[1] + k * points, *a = jets[2] + k * points;
        for (int i = 0; i < n; i++) {
            double N0 = L * x[i], N1 = L * rate * v[i], N2 = L * rate * rate * a[i];
            x[i] = s[i] * s[i] * N0;
            v[i] = s[i] * (2.0 * N0 + s[i] * N1);
            a[i] = 2.0 * N0 + s[i] * (4.0 * N1 + s[i] * N2);
        }
    }
}

/* pinn->x, v, a of the states that z = (b, u) makes at all points. */
static void linear_states(Linear *linear, const double *b)
{
    ArcPinn *pinn = linear->pinn;
    const ArcProblem *problem = pinn->problem;
    int D = problem->D, points = linear->points, rank = linear->rank;
    /* With a zero net the ansatz leaves x0 + v0 s, v0, 0: the part of the release. */
    memset(pinn->jets, 0, sizeof(double) * 3 * (size_t)points * (size_t)D);
    arc_pinn_states(pinn, points, pinn->s);
    const double *basis[3] = {linear->Bx, linear->Bv, linear->Ba};
    double *states[3] = {pinn->x, pinn->v, pinn->a};
    for (int part = 0; part < 3; part++)
        for (int c = 0; c < D; c++)
            cblas_dgemv(CblasColMajor, CblasNoTrans, points, rank, 1.0, basis[part], points,
                        b + c * rank, 1, 1.0, states[part] + c, D);
}

/* Columns of b: observations, then physics rows e with coefficients of Ba, Bv, Bx. */
static void linear_columns(Linear *linear, double *J)
{
    const ArcPinn *pinn = linear->pinn;
    const ArcProblem *problem = pinn->problem;
    int D = problem->D, M = pinn->M, rank = linear->rank, points = linear->points;
    size_t ld = (size_t)linear->m;
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        double *row = J + i + (size_t)(o->axis * rank) * ld;
        for (int k = 0; k < rank; k++)
            row[(size_t)k * ld] = pinn->row_weight[i] * linear->Bx[M + o->time + k * points];
    }
    double *of_a = linear->coefficient, *of_v = of_a + M, *of_x = of_v + M;
    bool position_free = arc_flight_is_position_free(&problem->flight);
    for (int e = 0; e < D; e++) {
        const double *weight = pinn->row_weight + problem->n_observations + e * M;
        for (int c = 0; c < D; c++) {
            for (int j = 0; j < M; j++) {
                of_a[j] = e == c ? weight[j] : 0.0;
                of_v[j] = -weight[j] * pinn->a_v[(j * D + e) * D + c];
                of_x[j] = -weight[j] * pinn->a_x[(j * D + e) * D + c];
            }
            for (int k = 0; k < rank; k++) {
                double *column = J + problem->n_observations + e * M + (size_t)(c * rank + k) * ld;
                const double *Ba = linear->Ba + k * points, *Bv = linear->Bv + k * points;
                const double *Bx = linear->Bx + k * points;
                for (int j = 0; j < M; j++)
                    column[j] = of_a[j] * Ba[j] + of_v[j] * Bv[j];
                for (int j = 0; !position_free && j < M; j++)
                    column[j] += of_x[j] * Bx[j];
            }
        }
    }
}

static bool linear_evaluate(void *context, const double *z, double *r, double *J)
{
    Linear *linear = context;
    ArcPinn *pinn = linear->pinn;
    const ArcProblem *problem = pinn->problem;
    int n_inner = problem->D * linear->rank, rows = arc_pinn_n_rows(pinn);
    const double *u = z + n_inner;
    if (linear->rank == 0)
        return false;
    arc_problem_scatter(problem, u, pinn->values);
    if (problem->free_index[problem->t0_index] >= 0) {
        arc_pinn_place_observations(pinn);
        arc_net_features(pinn->net, pinn->work, pinn->weights, problem->n_times,
                         pinn->tau + pinn->M, linear->features);
        place_basis(linear, pinn->M);
    }
    linear_states(linear, z);
    arc_pinn_residual(pinn, J != NULL, r);
    size_t ld = (size_t)linear->m;
    double *outer = J != NULL ? J + (size_t)n_inner * ld : NULL;
    arc_problem_priors(problem, u, r + rows, outer != NULL ? outer + rows : NULL, ld);
    if (J != NULL) {
        linear_columns(linear, J);
        ArcPartials partials = {rows, pinn->q_rows, pinn->t0_rows, pinn->row_weight};
        arc_problem_chain(problem, pinn->values, &partials, outer, ld);
    }
    return all_finite(linear->m, r);
}

/* b of the accelerations that stand in pinn->a at the collocation points. */
static void project_accelerations(Linear *linear, double *b)
{
    const ArcPinn *pinn = linear->pinn;
    int D = pinn->problem->D, M = pinn->M;
    for (int c = 0; c < D; c++) {
        for (int j = 0; j < M; j++)
            linear->weighted[j] = pinn->a[j * D + c] * pinn->root_weight[j] * pinn->root_weight[j];
        cblas_dgemv(CblasColMajor, CblasTrans, M, linear->rank, 1.0, linear->Ba, linear->points,
                    linear->weighted, 1, 0.0, b + c * linear->rank, 1);
    }
}

/* Output weights of the net from b: R^-1 b, back in the features' order. */
void arc_linear_store(const ArcObjective *objective, const double *b)
{
    Linear *linear = objective->context;
    ArcPinn *pinn = linear->pinn;
    pinn->trained = true;
    int D = pinn->problem->D, width = linear->K - 1;
    double *W = pinn->weights + arc_net_output_offset(pinn->net), *bias = W + D * width;
    memset(W, 0, sizeof(double) * (size_t)(D * linear->K));
    for (int c = 0; c < D; c++) {
        memcpy(linear->features, b + c * linear->rank, sizeof(double) * (size_t)linear->rank);
        cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, linear->rank, linear->C,
                    pinn->M, linear->features, 1);
        for (int k = 0; k < linear->rank; k++) {
            int feature = linear->pivot[k] - 1;
            *(feature < width ? W + c * width + feature : bias + c) = linear->features[k];
        }
    }
}

/* b of the net's own output weights: R times them. */
static void take_weights(Linear *linear, double *b)
{
    const ArcPinn *pinn = linear->pinn;
    int D = pinn->problem->D, width = linear->K - 1, rank = linear->rank;
    const double *W = pinn->weights + arc_net_output_offset(pinn->net), *bias = W + D * width;
    memset(b, 0, sizeof(double) * (size_t)(D * rank));
    for (int c = 0; c < D; c++) {
        for (int k = 0; k < linear->K; k++) {
            int feature = linear->pivot[k] - 1;
            double weight = feature < width ? W[c * width + feature] : bias[c];
            cblas_daxpy(k + 1 < rank ? k + 1 : rank, weight, linear->C + k * pinn->M, 1,
                        b + c * rank, 1);
        }
    }
}

/* Where the stage begins: the net's own output weights, or the data's parabola for a net that no
 * stage has trained. Drawn weights are no better than zero ones, from which no fit would converge.
 */
static void start_outputs(Linear *linear)
{
    ArcPinn *pinn = linear->pinn;
    if (pinn->trained) {
        take_weights(linear, linear->z);
        return;
    }
    for (int j = 0; j < pinn->M; j++)
        memcpy(pinn->a + j * pinn->problem->D, pinn->problem->start_acceleration,
               sizeof(double) * (size_t)pinn->problem->D);
    project_accelerations(linear, linear->z);
}

ArcStatus arc_linear_objective(ArcPinn *pinn, ArcArena *arena, ArcObjective *objective,
                               double **start, ArcError *err)
{
    const ArcProblem *problem = pinn->problem;
    Linear *linear = NULL;
    ArcStatus status = linear_create(pinn, arena, &linear, err);
    if (status != ARC_OK)
        return status;
    make_basis(linear);
    *objective = (ArcObjective){.m = linear->m,
                                .n_inner = problem->D * linear->rank,
                                .n_outer = problem->n_free,
                                .context = linear,
                                .evaluate = linear_evaluate};
    *start = linear->z;
    if (linear->rank > 0) {
        place_basis(linear, 0);
        start_outputs(linear);
    }
    for (int k = 0; k < problem->n_free; k++)
        linear->z[objective->n_inner + k] = pinn->values[problem->free_parameter[k]];
    return ARC_OK;
}
