/* The scan over all intervals, and its null distribution by drawing. */
#include "solve/scan.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { D = ARC_SCAN_MAX_AXES };
/* A parameter whose column adds less than this to those before it adds nothing. */
static const double dependent_share = 1e-7;
/* An interval counts where more than this of its effect (squared) is none of the parameters'. */
static const double seen_share = 1e-6;
/* Up to so many degrees of freedom chi-square is drawn as a sum of squares. */
enum { SUMMED_DOF = 50 };

typedef struct Interval {
    int first, end;
    double L[D * D]; /* lower Cholesky factor of G_I, row-major */
} Interval;

typedef struct Scan {
    const ArcScanProblem *problem;
    int columns;        /* d cells */
    double *norm;       /* (columns, columns): F' F before the projection */
    double *G;          /* (columns, columns) after it; then its pivoted factor */
    double *s, *drawn;  /* (columns) */
    double *sum;        /* (d, cells + 1) running sums of s */
    double *running[2]; /* (d, d, cells + 1, cells + 1) of norm and of G */
    double *scratch;    /* (max(columns, n + 1, 2 columns)) */
    int *pivot, rank;   /* of G */
    Interval *intervals;
    int n_intervals;
} Scan;

static ArcStatus scan_create(const ArcScanProblem *problem, ArcArena *arena, Scan *scan,
                             ArcError *err)
{
    int cells = problem->cells, d = problem->d;
    size_t columns = (size_t)(d * cells), corners = (size_t)((cells + 1) * (cells + 1) * d * d);
    *scan = (Scan){.problem = problem, .columns = (int)columns};
    scan->norm = ARC_ALLOC(arena, 2 * columns * columns, double);
    scan->s = ARC_ALLOC(arena, 2 * columns, double);
    scan->sum = ARC_ALLOC(arena, (size_t)(d * (cells + 1)), double);
    scan->running[0] = ARC_ALLOC(arena, 2 * corners, double);
    scan->scratch = ARC_ALLOC(arena, 2 * columns + (size_t)problem->n + 1, double);
    scan->pivot = ARC_ALLOC(arena, columns, int);
    scan->intervals = ARC_ALLOC(arena, (size_t)(cells * (cells + 1) / 2), Interval);
    if (scan->norm == NULL || scan->s == NULL || scan->sum == NULL || scan->running[0] == NULL ||
        scan->scratch == NULL || scan->pivot == NULL || scan->intervals == NULL)
        return arc_error_no_memory(err);
    scan->G = scan->norm + columns * columns;
    scan->drawn = scan->s + columns;
    scan->running[1] = scan->running[0] + corners;
    return ARC_OK;
}

/* J becomes an orthonormal basis of its range (Gram-Schmidt, twice); returns its rank. */
static int orthonormalise(const ArcScanProblem *problem, double *scratch)
{
    int m = problem->rows, rank = 0;
    for (int k = 0; k < problem->n; k++) {
        double *column = problem->J + (size_t)k * (size_t)m;
        double *kept = problem->J + (size_t)rank * (size_t)m;
        double size = cblas_dnrm2(m, column, 1);
        if (!(size > 0.0))
            continue;
        for (int i = 0; i < m; i++)
            kept[i] = column[i] / size;
        for (int turn = 0; turn < 2 && rank > 0; turn++) {
            cblas_dgemv(CblasColMajor, CblasTrans, m, rank, 1.0, problem->J, m, kept, 1, 0.0,
                        scratch, 1);
            cblas_dgemv(CblasColMajor, CblasNoTrans, m, rank, -1.0, problem->J, m, scratch, 1, 1.0,
                        kept, 1);
        }
        double left = cblas_dnrm2(m, kept, 1);
        if (left < dependent_share)
            continue;
        cblas_dscal(m, 1.0 / left, kept, 1);
        rank++;
    }
    return rank;
}

/* Takes the range of the orthonormal Q (rank columns) off n columns of A. */
static void project(const ArcScanProblem *problem, int rank, int n, double *A, double *scratch)
{
    int m = problem->rows;
    for (int k = 0; k < n && rank > 0; k++) {
        double *column = A + (size_t)k * (size_t)m;
        cblas_dgemv(CblasColMajor, CblasTrans, m, rank, 1.0, problem->J, m, column, 1, 0.0, scratch,
                    1);
        cblas_dgemv(CblasColMajor, CblasNoTrans, m, rank, -1.0, problem->J, m, scratch, 1, 1.0,
                    column, 1);
    }
}

/* gram (columns, columns) = F' F, all of it. */
static void gram_of(const Scan *scan, double *gram)
{
    int n = scan->columns;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, n, scan->problem->rows, 1.0,
                scan->problem->F, scan->problem->rows, 0.0, gram, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            gram[i + j * n] = gram[j + i * n];
}

/* running[(a, b) block][(i, j)] = sum of gram over cells < i of axis a and < j of axis b. */
static void run_sums(const Scan *scan, const double *gram, double *running)
{
    int d = scan->problem->d, cells = scan->problem->cells, side = cells + 1;
    for (int a = 0; a < d; a++) {
        for (int b = 0; b < d; b++) {
            double *block = running + (a * d + b) * side * side;
            const double *of = gram + a * cells + (size_t)(b * cells) * (size_t)scan->columns;
            for (int i = 0; i < cells; i++)
                for (int j = 0; j < cells; j++)
                    block[(i + 1) * side + j + 1] = of[i + j * scan->columns] +
                                                    block[i * side + j + 1] +
                                                    block[(i + 1) * side + j] - block[i * side + j];
        }
    }
}

static double block_sum(const Scan *scan, const double *running, int block, int first, int end)
{
    int side = scan->problem->cells + 1;
    const double *of = running + block * side * side;
    return of[end * side + end] - of[first * side + end] - of[end * side + first] +
           of[first * side + first];
}

/* The factor of one interval; false where the parameters can do all that its push does. */
static bool interval_factor(const Scan *scan, Interval *interval)
{
    int d = scan->problem->d;
    double *L = interval->L;
    for (int a = 0; a < d; a++) {
        for (int b = 0; b <= a; b++) {
            double sum =
                block_sum(scan, scan->running[1], a * d + b, interval->first, interval->end);
            for (int k = 0; k < b; k++)
                sum -= L[a * d + k] * L[b * d + k];
            if (a != b) {
                L[a * d + b] = sum / L[b * d + b];
                continue;
            }
            double whole =
                block_sum(scan, scan->running[0], a * d + a, interval->first, interval->end);
            if (!(sum > seen_share * whole))
                return false;
            L[a * d + a] = sqrt(sum);
        }
    }
    return true;
}

static void list_intervals(Scan *scan)
{
    for (int first = 0; first < scan->problem->cells; first++) {
        for (int end = first + 1; end <= scan->problem->cells; end++) {
            Interval *interval = &scan->intervals[scan->n_intervals];
            *interval = (Interval){.first = first, .end = end};
            scan->n_intervals += interval_factor(scan, interval);
        }
    }
}

/* y = L^-1 s_I, from the running sums of s; returns T. */
static double interval_statistic(const Scan *scan, const Interval *interval, double y[D])
{
    int d = scan->problem->d, side = scan->problem->cells + 1;
    double T = 0.0;
    for (int a = 0; a < d; a++) {
        double value = scan->sum[a * side + interval->end] - scan->sum[a * side + interval->first];
        for (int k = 0; k < a; k++)
            value -= interval->L[a * d + k] * y[k];
        y[a] = value / interval->L[a * d + a];
        T += y[a] * y[a];
    }
    return T;
}

/* The largest T of the scores s, and whose it is. */
static double largest_statistic(const Scan *scan, const double *s, int *which)
{
    int d = scan->problem->d, cells = scan->problem->cells;
    double largest = -1.0, y[D];
    for (int a = 0; a < d; a++)
        for (int j = 0; j < cells; j++)
            scan->sum[a * (cells + 1) + j + 1] = scan->sum[a * (cells + 1) + j] + s[a * cells + j];
    for (int i = 0; i < scan->n_intervals; i++) {
        double T = interval_statistic(scan, &scan->intervals[i], y);
        if (T > largest) {
            largest = T;
            *which = i;
        }
    }
    return largest;
}

/* push = L^-T y, and the inverse of L L'. */
static void describe(const Scan *scan, const Interval *interval, ArcScanResult *result)
{
    int d = scan->problem->d;
    const double *L = interval->L;
    double y[D], inverse[D * D] = {0}; /* of L, lower, row-major */
    interval_statistic(scan, interval, y);
    for (int j = 0; j < d; j++) {
        inverse[j * d + j] = 1.0 / L[j * d + j];
        for (int i = j + 1; i < d; i++) {
            double sum = 0.0;
            for (int k = j; k < i; k++)
                sum -= L[i * d + k] * inverse[k * d + j];
            inverse[i * d + j] = sum / L[i * d + i];
        }
    }
    for (int a = 0; a < d; a++) {
        result->push[a] = 0.0;
        for (int k = a; k < d; k++)
            result->push[a] += inverse[k * d + a] * y[k];
        for (int b = 0; b < d; b++) {
            double sum = 0.0;
            for (int k = a > b ? a : b; k < d; k++)
                sum += inverse[k * d + a] * inverse[k * d + b];
            result->covariance[a * d + b] = sum;
        }
    }
    result->first = interval->first;
    result->last = interval->end - 1;
}

/* Of many degrees by the cube root (Wilson and Hilferty, PNAS 17 (1931) 684). */
static double draw_chi2(ArcRandom *random, int dof)
{
    double sum = 0.0;
    if (dof > SUMMED_DOF) {
        double share = 2.0 / (9.0 * dof);
        double root = 1.0 - share + sqrt(share) * arc_random_normal(random);
        return dof * root * root * root;
    }
    for (int i = 0; i < dof; i++) {
        double n = arc_random_normal(random);
        sum += n * n;
    }
    return sum;
}

/* Scores s = P L n without a push, from the pivoted factor in G; returns |r|^2 that goes with them.
 */
static double draw_scores(Scan *scan, int dof, ArcRandom *random)
{
    int n = scan->columns, rank = scan->rank;
    double *normal = scan->scratch, *product = scan->scratch + n, chi2 = 0.0;
    for (int k = 0; k < rank; k++) {
        normal[k] = arc_random_normal(random);
        chi2 += normal[k] * normal[k];
    }
    memset(product, 0, sizeof(double) * (size_t)n);
    for (int k = 0; k < rank; k++)
        cblas_daxpy(n - k, normal[k], scan->G + k + (size_t)k * (size_t)n, 1, product + k, 1);
    for (int k = 0; k < n; k++)
        scan->drawn[scan->pivot[k] - 1] = product[k];
    return chi2 + draw_chi2(random, dof - rank);
}

/* Chances of as large a statistic, plain and scaled, by sequential drawing. */
static void draw_chances(Scan *scan, ArcRandom random, ArcScanResult *result)
{
    int above[2] = {0, 0}, drawn[2] = {0, 0}, which;
    double observed[2] = {result->statistic, result->statistic / result->chi2};
    for (int i = 0; i < ARC_SCAN_DRAWS; i++) {
        if (above[0] >= ARC_SCAN_EXCEEDANCES && above[1] >= ARC_SCAN_EXCEEDANCES)
            break;
        double chi2 = draw_scores(scan, result->dof, &random);
        double T = largest_statistic(scan, scan->drawn, &which);
        const double values[2] = {T, T / chi2};
        for (int k = 0; k < 2; k++) {
            if (above[k] >= ARC_SCAN_EXCEEDANCES)
                continue;
            above[k] += values[k] >= observed[k];
            drawn[k]++;
        }
    }
    double p[2];
    for (int k = 0; k < 2; k++)
        p[k] = above[k] >= ARC_SCAN_EXCEEDANCES ? (double)above[k] / drawn[k]
                                                : (above[k] + 1.0) / (drawn[k] + 1.0);
    result->p = p[0];
    result->p_scaled = p[1];
}

ArcStatus arc_scan_run(const ArcScanProblem *problem, ArcRandom random, ArcArena *arena,
                       ArcScanResult *result, ArcError *err)
{
    Scan scan;
    ArcStatus status = scan_create(problem, arena, &scan, err);
    if (status != ARC_OK)
        return status;
    int m = problem->rows, n = scan.columns;
    gram_of(&scan, scan.norm);
    int rank = orthonormalise(problem, scan.scratch);
    project(problem, rank, n, problem->F, scan.scratch);
    project(problem, rank, 1, problem->r, scan.scratch);
    gram_of(&scan, scan.G);
    cblas_dgemv(CblasColMajor, CblasTrans, m, n, 1.0, problem->F, m, problem->r, 1, 0.0, scan.s, 1);
    *result = (ArcScanResult){.chi2 = cblas_ddot(m, problem->r, 1, problem->r, 1), .dof = m - rank};
    if (!isfinite(result->chi2) || !isfinite(cblas_dasum(n * n, scan.G, 1)) ||
        !isfinite(cblas_dasum(n, scan.s, 1)))
        return arc_error_set(err, ARC_NUMERIC, "error: a number of the scan is not finite");
    run_sums(&scan, scan.norm, scan.running[0]);
    run_sums(&scan, scan.G, scan.running[1]);
    list_intervals(&scan);
    if (scan.n_intervals == 0)
        return ARC_OK;
    int which = 0;
    result->found = true;
    result->statistic = largest_statistic(&scan, scan.s, &which);
    describe(&scan, &scan.intervals[which], result);
    if (LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', n, scan.G, n, scan.pivot, &scan.rank, -1.0,
                            scan.scratch) < 0)
        return arc_error_set(err, ARC_NUMERIC, "error: the scan has no null distribution");
    scan.rank = scan.rank < result->dof ? scan.rank : result->dof;
    draw_chances(&scan, random, result);
    return ARC_OK;
}
