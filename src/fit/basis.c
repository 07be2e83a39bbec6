/* The basis of accelerations of one net. */
#include "fit/basis.h"

#include "fit/phase.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

static const double basis_truncation = 1e-13;

static ArcStatus basis_allocate(ArcPinn *pinn, ArcArena *arena, ArcBasis **result, ArcError *err)
{
    ArcBasis *basis = ARC_ALLOC(arena, 1, ArcBasis);
    if (basis == NULL)
        return arc_error_no_memory(err);
    basis->pinn = pinn;
    basis->K = arc_net_n_features(pinn->net) + pinn->kinks.n;
    basis->points = pinn->n_points;
    size_t K = (size_t)basis->K, M = (size_t)pinn->M, points = (size_t)pinn->max_points;
    basis->n_work = 64 * (basis->K + 1);
    basis->C = ARC_ALLOC(arena, M * K, double);
    basis->pivot = ARC_ALLOC(arena, K, int);
    basis->tau = ARC_ALLOC(arena, K, double);
    basis->work = ARC_ALLOC(arena, (size_t)basis->n_work, double);
    basis->features = ARC_ALLOC(arena, 3 * points * K, double);
    basis->weighted = ARC_ALLOC(arena, M, double);
    basis->coefficient = ARC_ALLOC(arena, 3 * M, double);
    if (basis->C == NULL || basis->pivot == NULL || basis->tau == NULL || basis->work == NULL ||
        basis->features == NULL || basis->weighted == NULL || basis->coefficient == NULL)
        return arc_error_no_memory(err);
    *result = basis;
    return ARC_OK;
}

static ArcStatus allocate_states(ArcBasis *basis, ArcArena *arena, ArcError *err)
{
    size_t points = (size_t)basis->points, K = (size_t)basis->K;
    basis->Bx = ARC_ALLOC(arena, 3 * points * K, double);
    if (basis->Bx == NULL)
        return arc_error_no_memory(err);
    basis->Bv = basis->Bx + points * K;
    basis->Ba = basis->Bv + points * K;
    return ARC_OK;
}

static bool all_finite(int n, const double *values)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += values[i] * 0.0;
    return sum == 0.0;
}

/* Features of net and kinks at n points of tau, (3 n, K) row-major. */
static void place_features(ArcBasis *basis, int n, const double *tau)
{
    ArcPinn *pinn = basis->pinn;
    int K = basis->K, own = K - pinn->kinks.n;
    double *features = basis->features;
    arc_net_features(pinn->net, pinn->work, pinn->weights, n, tau, features);
    if (K == own)
        return;
    for (int row = 3 * n - 1; row > 0; row--)
        memmove(features + row * K, features + row * own, sizeof(double) * (size_t)own);
    arc_kinks_features(&pinn->kinks, pinn->span_s, n, tau, features + own, K);
}

/* QR of C from the features at all points, and its rank. */
static void make_basis(ArcBasis *basis)
{
    ArcPinn *pinn = basis->pinn;
    int K = basis->K, M = pinn->M, points = basis->points;
    double L = pinn->scale_m_s2, rate = 2.0 / pinn->span_s;
    place_features(basis, points, pinn->tau);
    const double *F0 = basis->features, *F1 = F0 + points * K, *F2 = F1 + points * K;
    for (int j = 0; j < M; j++) {
        double s = pinn->s[j], w = L * pinn->root_weight[j];
        for (int k = 0; k < K; k++)
            basis->C[j + k * M] = w * (2.0 * F0[j * K + k] +
                                       rate * s * (4.0 * F1[j * K + k] + rate * s * F2[j * K + k]));
    }
    basis->rank = 0;
    /* Pivoting would put a column of NaN last and drop it. */
    if (!all_finite(M * K, basis->C))
        return;
    memset(basis->pivot, 0, sizeof(int) * (size_t)K);
    if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, M, K, basis->C, M, basis->pivot, basis->tau,
                            basis->work, basis->n_work) != 0)
        return;
    int limit = M < K ? M : K;
    double first = fabs(basis->C[0]);
    while (basis->rank < limit && fabs(basis->C[basis->rank * (M + 1)]) > basis_truncation * first)
        basis->rank++;
}

/* Bx, Bv, Ba at the points from begin on, whose features stand in basis->features: times R^-1,
 * then the ansatz. */
static void place_states(ArcBasis *basis, int begin)
{
    ArcPinn *pinn = basis->pinn;
    int K = basis->K, n = basis->points - begin, rank = basis->rank, points = basis->points;
    double *jets[3] = {basis->Bx + begin, basis->Bv + begin, basis->Ba + begin};
    for (int part = 0; part < 3; part++) {
        const double *features = basis->features + part * n * K;
        for (int k = 0; k < rank; k++)
            for (int i = 0; i < n; i++)
                jets[part][i + k * points] = features[i * K + basis->pivot[k] - 1];
        /* Solved, not multiplied by an inverse: only so is the basis times b the features times
         * their weights to the last digits. */
        cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, n, rank, 1.0,
                    basis->C, pinn->M, jets[part], points);
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

void arc_basis_place(ArcBasis *basis, int begin)
{
    ArcPinn *pinn = basis->pinn;
    place_features(basis, basis->points - begin, pinn->tau + begin);
    place_states(basis, begin);
}

void arc_basis_states(ArcBasis *basis, const double *b)
{
    ArcPinn *pinn = basis->pinn;
    const ArcProblem *problem = pinn->problem;
    int D = problem->D, points = basis->points, rank = basis->rank;
    /* With a zero net the ansatz leaves x0 + v0 s, v0, 0: the part of the release. */
    memset(pinn->jets, 0, sizeof(double) * 3 * (size_t)points * (size_t)D);
    arc_pinn_states(pinn, points, pinn->s);
    const double *of_b[3] = {basis->Bx, basis->Bv, basis->Ba};
    double *states[3] = {pinn->x, pinn->v, pinn->a};
    for (int part = 0; part < 3; part++)
        for (int c = 0; c < D; c++)
            cblas_dgemv(CblasColMajor, CblasNoTrans, points, rank, 1.0, of_b[part], points,
                        b + c * rank, 1, 1.0, states[part] + c, D);
}

/* Observation i through its camera or other sight. */
static void seen_row(const ArcBasis *basis, int i, double *J, size_t ld)
{
    const ArcPinn *pinn = basis->pinn;
    const double *by_x = arc_sight_by_x(pinn->sight, i), *by_v = arc_sight_by_v(pinn->sight, i);
    int rank = basis->rank, point = pinn->M + pinn->problem->observations[i].time;
    for (int c = 0; c < pinn->problem->D; c++) {
        double weight = pinn->row_weight[i] * by_x[c];
        double *row = J + i + (size_t)(c * rank) * ld;
        for (int k = 0; k < rank; k++)
            row[(size_t)k * ld] = weight * basis->Bx[point + k * basis->points];
        for (int k = 0; by_v != NULL && k < rank; k++)
            row[(size_t)k * ld] +=
                pinn->row_weight[i] * by_v[c] * basis->Bv[point + k * basis->points];
    }
}

/* The observations, then physics rows e with coefficients of Ba, Bv, Bx. */
void arc_basis_columns(ArcBasis *basis, double *J, size_t ld)
{
    const ArcPinn *pinn = basis->pinn;
    const ArcProblem *problem = pinn->problem;
    int D = problem->D, M = pinn->M, rank = basis->rank, points = basis->points;
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        if (pinn->sight != NULL) {
            seen_row(basis, i, J, ld);
            continue;
        }
        double *row = J + i + (size_t)(o->axis * rank) * ld;
        for (int k = 0; k < rank; k++)
            row[(size_t)k * ld] = pinn->row_weight[i] * basis->Bx[M + o->time + k * points];
    }
    double *of_a = basis->coefficient, *of_v = of_a + M, *of_x = of_v + M;
    bool position_free = arc_problem_is_position_free(problem);
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
                const double *Ba = basis->Ba + k * points, *Bv = basis->Bv + k * points;
                const double *Bx = basis->Bx + k * points;
                for (int j = 0; j < M; j++)
                    column[j] = of_a[j] * Ba[j] + of_v[j] * Bv[j];
                for (int j = 0; !position_free && j < M; j++)
                    column[j] += of_x[j] * Bx[j];
            }
        }
    }
}

/* b of the accelerations that stand in pinn->a at the collocation points. */
static void project_accelerations(ArcBasis *basis, double *b)
{
    const ArcPinn *pinn = basis->pinn;
    int D = pinn->problem->D, M = pinn->M;
    for (int c = 0; c < D; c++) {
        for (int j = 0; j < M; j++)
            basis->weighted[j] = pinn->a[j * D + c] * pinn->root_weight[j] * pinn->root_weight[j];
        cblas_dgemv(CblasColMajor, CblasTrans, M, basis->rank, 1.0, basis->Ba, basis->points,
                    basis->weighted, 1, 0.0, b + c * basis->rank, 1);
    }
}

/* R^-1 b, back in the features' order. */
void arc_basis_store(ArcBasis *basis, const double *b)
{
    ArcPinn *pinn = basis->pinn;
    pinn->trained = true;
    int D = pinn->problem->D, n_kinks = pinn->kinks.n, width = basis->K - 1 - n_kinks;
    double *W = pinn->weights + arc_net_output_offset(pinn->net), *bias = W + D * width;
    memset(W, 0, sizeof(double) * (size_t)(D * (width + 1)));
    if (n_kinks > 0)
        memset(pinn->kinks.weights, 0, sizeof(double) * (size_t)(D * n_kinks));
    for (int c = 0; c < D; c++) {
        memcpy(basis->features, b + c * basis->rank, sizeof(double) * (size_t)basis->rank);
        cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, basis->rank, basis->C,
                    pinn->M, basis->features, 1);
        for (int k = 0; k < basis->rank; k++) {
            int feature = basis->pivot[k] - 1;
            double *weight = feature < width ? W + c * width + feature
                             : feature == width
                                 ? bias + c
                                 : pinn->kinks.weights + c * n_kinks + feature - width - 1;
            *weight = basis->features[k];
        }
    }
}

/* b of the net's own output weights: R times them. */
static void take_weights(ArcBasis *basis, double *b)
{
    const ArcPinn *pinn = basis->pinn;
    int D = pinn->problem->D, n_kinks = pinn->kinks.n, width = basis->K - 1 - n_kinks;
    int rank = basis->rank;
    const double *W = pinn->weights + arc_net_output_offset(pinn->net), *bias = W + D * width;
    memset(b, 0, sizeof(double) * (size_t)(D * rank));
    for (int c = 0; c < D; c++) {
        for (int k = 0; k < basis->K; k++) {
            int feature = basis->pivot[k] - 1;
            double weight = feature < width ? W[c * width + feature]
                            : feature == width
                                ? bias[c]
                                : pinn->kinks.weights[c * n_kinks + feature - width - 1];
            cblas_daxpy(k + 1 < rank ? k + 1 : rank, weight, basis->C + k * pinn->M, 1,
                        b + c * rank, 1);
        }
    }
}

/* Drawn weights are no better than zero ones, from which no fit would converge. */
ArcStatus arc_basis_start(ArcBasis *basis, double *b, ArcError *err)
{
    ArcPinn *pinn = basis->pinn;
    if (pinn->trained) {
        take_weights(basis, b);
        return ARC_OK;
    }
    const ArcPhase *phase = pinn->problem->phase;
    if (phase != NULL && !phase->guess(pinn->problem, pinn->values, pinn->M, pinn->s, pinn->a))
        return arc_error_no_memory(err);
    for (int j = 0; phase == NULL && j < pinn->M; j++)
        memcpy(pinn->a + j * pinn->problem->D, pinn->problem->start_acceleration,
               sizeof(double) * (size_t)pinn->problem->D);
    project_accelerations(basis, b);
    return ARC_OK;
}

/* The basis does not depend on the span, and its states have a place for each flight. */
static ArcStatus borrow_basis(ArcPinn *pinn, ArcArena *arena, ArcBasis **result, ArcError *err)
{
    ArcPinnLender *lender = pinn->lender;
    ArcBasis *basis = ARC_ALLOC(arena, 1, ArcBasis);
    if (basis == NULL)
        return arc_error_no_memory(err);
    if (lender->basis == NULL) {
        ArcBasis *first = NULL;
        ArcStatus status = basis_allocate(&lender->scratch, lender->arena, &first, err);
        if (status != ARC_OK)
            return status;
        first->pinn = pinn;
        first->points = pinn->n_points;
        make_basis(first);
        lender->basis = first;
    }
    *basis = *lender->basis;
    basis->pinn = pinn;
    basis->points = pinn->n_points;
    arc_net_features(pinn->net, pinn->work, pinn->weights, basis->points, pinn->tau,
                     basis->features);
    *result = basis;
    return ARC_OK;
}

ArcStatus arc_basis_create(ArcPinn *pinn, ArcArena *arena, ArcBasis **basis, ArcError *err)
{
    ArcStatus status;
    if (pinn->lender != NULL) {
        status = borrow_basis(pinn, arena, basis, err);
    } else {
        status = basis_allocate(pinn, arena, basis, err);
        if (status == ARC_OK)
            make_basis(*basis);
    }
    if (status == ARC_OK)
        status = allocate_states(*basis, arena, err);
    if (status == ARC_OK && (*basis)->rank > 0)
        place_states(*basis, 0);
    return status;
}
