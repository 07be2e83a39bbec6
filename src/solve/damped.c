/* Damped, bounded linear least squares: pivoted QR of the stacked matrix. */
#include "solve/damped.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* A held unknown's gradient, relative to its column and the residual, that is no more than
 * rounding.
 */
static const double rounding_pull = 1e-12;

struct ArcDampedWork {
    double *stacked; /* (q + n, n) */
    double *rhs;     /* (q + n) */
    double *rest;    /* (q) */
    double *y;       /* (n) */
    double *tau;
    double *work;
    int n_work;
    int *pivot;
    int *member;    /* unknowns still solved for */
    bool *held;     /* set to a bound */
    double *before; /* (n): d of the turn before */
};

ArcStatus arc_damped_create(int q, int n, ArcArena *arena, ArcDampedWork **work, ArcError *err)
{
    ArcDampedWork *w = ARC_ALLOC(arena, 1, ArcDampedWork);
    if (w == NULL)
        return arc_error_no_memory(err);
    size_t rows = (size_t)q + (size_t)n;
    w->n_work = 64 * (q + n) + 64;
    w->stacked = ARC_ALLOC(arena, rows * (size_t)n + 1, double);
    w->rhs = ARC_ALLOC(arena, rows, double);
    w->rest = ARC_ALLOC(arena, (size_t)q, double);
    w->y = ARC_ALLOC(arena, rows, double);
    w->tau = ARC_ALLOC(arena, rows, double);
    w->work = ARC_ALLOC(arena, (size_t)w->n_work, double);
    w->pivot = ARC_ALLOC(arena, (size_t)n + 1, int);
    w->member = ARC_ALLOC(arena, (size_t)n + 1, int);
    w->held = ARC_ALLOC(arena, (size_t)n + 1, bool);
    w->before = ARC_ALLOC(arena, (size_t)n + 1, double);
    if (w->stacked == NULL || w->rhs == NULL || w->rest == NULL || w->y == NULL || w->tau == NULL ||
        w->work == NULL || w->pivot == NULL || w->member == NULL || w->held == NULL ||
        w->before == NULL)
        return arc_error_no_memory(err);
    *work = w;
    return ARC_OK;
}

/* min |S y + rhs| with S (rows, side) in w->stacked, y into w->y; truncated pivoted QR. */
static bool solve_stacked(ArcDampedWork *w, int rows, int side, double truncation)
{
    for (int j = 0; j < side; j++)
        w->pivot[j] = 0;
    if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, rows, side, w->stacked, rows, w->pivot, w->tau,
                            w->work, w->n_work) != 0)
        return false;
    if (LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', rows, 1, side < rows ? side : rows,
                            w->stacked, rows, w->tau, w->rhs, rows, w->work, w->n_work) != 0)
        return false;
    size_t ld = (size_t)rows;
    int limit = side < rows ? side : rows;
    int rank = 0;
    double first = fabs(w->stacked[0]);
    while (rank < limit && fabs(w->stacked[(size_t)rank * (ld + 1)]) > truncation * first)
        rank++;
    if (rank > 0)
        cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, rank, w->stacked, rows,
                    w->rhs, 1);
    memset(w->y, 0, sizeof(double) * (size_t)side);
    for (int i = 0; i < rank; i++)
        w->y[w->pivot[i] - 1] = -w->rhs[i];
    return true;
}

/* Square root of lambda under the block of `side` columns that starts at row q. */
static void stack_damping(ArcDampedWork *w, int q, int rows, int side, double lambda)
{
    for (int j = 0; j < side; j++)
        for (int i = q; i < rows; i++)
            w->stacked[(size_t)i + (size_t)j * (size_t)rows] = i - q == j ? sqrt(lambda) : 0.0;
    memset(w->rhs + q, 0, sizeof(double) * (size_t)(rows - q));
}

/* The unknowns in w->member for what stands in w->rest; y holds D d of each. */
static bool solve_scaled(ArcDampedWork *w, const ArcDampedProblem *problem, int n_members)
{
    int q = problem->q;
    int rows = problem->lambda > 0.0 ? q + n_members : q;
    for (int k = 0; k < n_members; k++) {
        int j = w->member[k];
        const double *column = problem->B + (size_t)j * (size_t)problem->ld;
        for (int i = 0; i < q; i++)
            w->stacked[(size_t)i + (size_t)k * (size_t)rows] = column[i] / problem->D[j];
    }
    memcpy(w->rhs, w->rest, sizeof(double) * (size_t)q);
    if (rows > q)
        stack_damping(w, q, rows, n_members, problem->lambda);
    return solve_stacked(w, rows, n_members, problem->truncation);
}

/* Solves for the unknowns that are not held, given the held ones' d. */
static bool solve_members(ArcDampedWork *w, const ArcDampedProblem *problem, double *d)
{
    int n_members = 0;
    memcpy(w->rest, problem->c, sizeof(double) * (size_t)problem->q);
    for (int j = 0; j < problem->n; j++) {
        if (w->held[j])
            cblas_daxpy(problem->q, d[j], problem->B + (size_t)j * (size_t)problem->ld, 1, w->rest,
                        1);
        else
            w->member[n_members++] = j;
    }
    if (n_members == 0)
        return true;
    bool solved = solve_scaled(w, problem, n_members);
    for (int k = 0; solved && k < n_members; k++)
        d[w->member[k]] = w->y[k] / problem->D[w->member[k]];
    return solved;
}

/* B_j'(B d + c), with what stands in rest for B d + c. */
static double gradient(const ArcDampedProblem *problem, int j, const double *rest)
{
    return cblas_ddot(problem->q, problem->B + (size_t)j * (size_t)problem->ld, 1, rest, 1);
}

/* d = 0. An unknown already at its bound with the gradient pushing outward is held from the start.
 * False where B or c is not finite. */
static bool begin(ArcDampedWork *w, const ArcDampedProblem *problem, double *d)
{
    double sum = 0.0;
    for (int j = 0; j < problem->n; j++) {
        double g = gradient(problem, j, problem->c);
        w->held[j] = (problem->low[j] >= 0.0 && g > 0.0) || (problem->high[j] <= 0.0 && g < 0.0);
        d[j] = 0.0;
        sum += 0.0 * g;
    }
    return sum == 0.0;
}

/* Sets to its bound and holds each unknown that lies outside; false when none does. */
static bool hold_outside(ArcDampedWork *w, const ArcDampedProblem *problem, double *d)
{
    bool any = false;
    for (int j = 0; j < problem->n; j++) {
        if (w->held[j] || (d[j] >= problem->low[j] && d[j] <= problem->high[j]))
            continue;
        d[j] = d[j] < problem->low[j] ? problem->low[j] : problem->high[j];
        w->held[j] = true;
        any = true;
    }
    return any;
}

/* Goes from `before` towards d until a bound is met, and holds what met it. */
static bool hold_first(ArcDampedWork *w, const ArcDampedProblem *problem, double *d)
{
    double share = 1.0;
    int first = -1;
    for (int j = 0; j < problem->n; j++) {
        if (w->held[j] || (d[j] >= problem->low[j] && d[j] <= problem->high[j]))
            continue;
        double bound = d[j] < problem->low[j] ? problem->low[j] : problem->high[j];
        double reached = (bound - w->before[j]) / (d[j] - w->before[j]);
        if (first < 0 || reached < share) {
            share = reached;
            first = j;
        }
    }
    if (first < 0)
        return false;
    double bound = d[first] < problem->low[first] ? problem->low[first] : problem->high[first];
    for (int j = 0; j < problem->n; j++)
        if (!w->held[j]) {
            double part = w->before[j] + share * (d[j] - w->before[j]);
            d[j] = fmin(fmax(part, problem->low[j]), problem->high[j]);
        }
    d[first] = bound;
    w->held[first] = true;
    return true;
}

/* Frees the held unknown whose gradient pulls it inside most; false when none is pulled. */
static bool release_worst(ArcDampedWork *w, const ArcDampedProblem *problem, const double *d)
{
    int q = problem->q, worst = -1;
    double largest = rounding_pull;
    if (memchr(w->held, true, sizeof(bool) * (size_t)problem->n) == NULL)
        return false;
    memcpy(w->rest, problem->c, sizeof(double) * (size_t)q);
    for (int j = 0; j < problem->n; j++)
        if (d[j] != 0.0)
            cblas_daxpy(q, d[j], problem->B + (size_t)j * (size_t)problem->ld, 1, w->rest, 1);
    double size = cblas_dnrm2(q, problem->c, 1) + cblas_dnrm2(q, w->rest, 1);
    for (int j = 0; j < problem->n; j++) {
        if (!w->held[j] || !(problem->low[j] < problem->high[j]))
            continue;
        double damping = problem->lambda * problem->D[j] * problem->D[j] * d[j];
        double g = gradient(problem, j, w->rest) + damping;
        double length = cblas_dnrm2(q, problem->B + (size_t)j * (size_t)problem->ld, 1);
        double pull = (d[j] <= problem->low[j] ? -g : g) / (length * size + fabs(damping));
        if (pull > largest) {
            largest = pull;
            worst = j;
        }
    }
    if (worst >= 0)
        w->held[worst] = false;
    return worst >= 0;
}

bool arc_damped_solve(ArcDampedWork *w, const ArcDampedProblem *problem, double *d)
{
    size_t n = (size_t)problem->n;
    if (!begin(w, problem, d))
        return false;
    /* Holding all that lies outside is quick and mostly right. Where it is not, unknowns are freed
     * again, and from there on no turn may raise the value, or the turns might never end. */
    bool released = false;
    for (int turn = 0; turn < 4 * problem->n + 10; turn++) {
        memcpy(w->before, d, sizeof(double) * n);
        if (!solve_members(w, problem, d))
            return false;
        double sum = 0.0;
        for (size_t j = 0; j < n; j++)
            sum += 0.0 * d[j];
        if (!(sum == 0.0))
            return false;
        if (released ? hold_first(w, problem, d) : hold_outside(w, problem, d))
            continue;
        if (!release_worst(w, problem, d))
            return true;
        released = true;
    }
    return true;
}
