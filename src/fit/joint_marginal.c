/* Factors of the named unknowns of a joint run, the closure's weights integrated out.
 *
 * Of a triangular factor F over (own, named, weights), inverse(F'F) their covariance, the columns
 * of the weights are put first and F is made triangular again: what stands behind their rows is the
 * factor of the others. No normal equations are formed. With (T U; 0 F) that triangular factor
 * over (weights, others), of others y with covariance C the weights follow
 *   w = -inverse(T) U y + what is independent of y,   cov(y, w) = -C U' inverse(T)'
 */
#include "fit/joint.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

size_t arc_joint_marginal_size(const ArcJointRun *run)
{
    size_t n = (size_t)(run->n_shared + run->joint->flights[0]->n_free);
    return 2 * n * n + n + 64 * n;
}

/* F (n, n) of which the last K columns are to come first, into A; its triangle. */
static bool turn_factor(int n, int K, const double *F, double *A, double *work)
{
    size_t size = (size_t)n, first = (size_t)(n - K) * size;
    memcpy(A, F + first, sizeof(double) * size * (size_t)K);
    memcpy(A + (size_t)K * size, F, sizeof(double) * first);
    double *tau = work, *rest = work + n;
    return LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, n, n, A, n, tau, rest, 64 * n) == 0;
}

bool arc_joint_named_factor(ArcJointRun *run, int flight, double *F)
{
    int S = run->joint->n_shared, K = run->n_shared - S;
    int own = flight < 0 ? 0 : arc_joint_solver_n_own(run->solver, flight), m = own + S, n = m + K;
    if (flight >= 0 && K == 0)
        return arc_joint_solver_block_factor(run->solver, flight, F);
    const double *R = arc_joint_solver_factor(run->solver);
    if (R == NULL)
        return false;
    if (K == 0) {
        memcpy(F, R, sizeof(double) * (size_t)S * (size_t)S);
        return true;
    }
    double *A = run->marginal, *whole = A + (size_t)n * (size_t)n;
    double *work = whole + (size_t)n * (size_t)n;
    if (flight < 0)
        memcpy(whole, R, sizeof(double) * (size_t)n * (size_t)n);
    else if (!arc_joint_solver_block_factor(run->solver, flight, whole))
        return false;
    if (!turn_factor(n, K, whole, A, work))
        return false;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            F[i + j * m] = i <= j ? A[(size_t)(K + i) + (size_t)(K + j) * (size_t)n] : 0.0;
    return true;
}

/* Covariance X (m, K), row-major, of a factor's m unknowns with the weights, from their own C (m,
 * m). Scratch is of m K numbers. */
static void with_weights(const ArcJointRun *run, int m, const double *C, double *scratch, double *X)
{
    int K = run->n_shared - run->joint->n_shared, n = m + K;
    const double *T = run->marginal, *U = T + (size_t)K * (size_t)n;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < K; i++)
            scratch[i + j * K] = -U[(size_t)i + (size_t)j * (size_t)n];
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, K, m, 1.0, T, n,
                scratch, K);
    /* Columns of the scratch are rows of (m, K). */
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, K, m, 1.0, C, m, scratch, K, 0.0, X,
                K);
}

void arc_joint_list_places(const ArcJoint *joint, int n_free, int n_own, int *at)
{
    int own = 0;
    for (int k = 0; k < n_free; k++)
        at[k] = joint->column_shared[k] >= 0 ? n_own + joint->column_shared[k] : own++;
}

ArcStatus arc_joint_keep_weights(ArcJointRun *run, int f, const ArcPosterior *whole,
                                 ArcArena *scratch, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    size_t K = (size_t)(run->n_shared - joint->n_shared), m = (size_t)whole->n;
    int at[ARC_MAX_PARAMETERS], n_free = joint->flights[f]->n_free;
    if (run->closure == NULL)
        return ARC_OK;
    double *X = ARC_ALLOC(scratch, 2 * m * K, double);
    run->with_weights[f] = ARC_ALLOC(run->arena, (size_t)n_free * K, double);
    if (X == NULL || run->with_weights[f] == NULL)
        return arc_error_no_memory(err);
    with_weights(run, whole->n, whole->covariance, X + m * K, X);
    arc_joint_list_places(joint, n_free, whole->n - joint->n_shared, at);
    for (int k = 0; k < n_free; k++)
        memcpy(run->with_weights[f] + (size_t)k * K, X + (size_t)at[k] * K, sizeof(double) * K);
    return ARC_OK;
}

bool arc_joint_weights_covariance(ArcJointRun *run, double *C)
{
    int S = run->joint->n_shared, n = run->n_shared, K = n - S;
    const double *R = arc_joint_solver_factor(run->solver);
    if (R == NULL)
        return false;
    for (int j = 0; j < K; j++)
        for (int i = 0; i < K; i++)
            C[i + j * K] = i <= j ? R[(size_t)(S + i) + (size_t)(S + j) * (size_t)n] : 0.0;
    if (LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'U', K, C, K) != 0)
        return false;
    for (int j = 0; j < K; j++)
        for (int i = j + 1; i < K; i++)
            C[i + j * K] = C[j + i * K];
    return true;
}

ArcStatus arc_joint_effective_weights(ArcJointRun *run, ArcArena *scratch, double *sum,
                                      ArcError *err)
{
    int S = run->joint->n_shared, K = run->n_shared - S;
    double *C = ARC_ALLOC(scratch, (size_t)K * (size_t)K, double);
    if (C == NULL)
        return arc_error_no_memory(err);
    if (!arc_joint_weights_covariance(run, C))
        return ARC_OK;
    for (int k = 0; k < K; k++) {
        double sd = run->shared.prior_sd[S + k];
        *sum += 1.0 - C[k * (K + 1)] / (sd * sd);
    }
    return ARC_OK;
}
