/* Measurements laid over a covariance with directions of infinite variance.
 *
 * With c = N h: where |c| is not nothing, u = N'c / c'c and a = C h,
 *   C+ = C - u a' - a u' + (h'a + s^2) u u',   N+ = rows 2.. of H N,
 * H the Householder reflection that takes c to the first axis; else
 *   C+ = C - a a' / (s^2 + h'a).
 */
#include "solve/diffuse.h"

#include <cblas.h>
#include <math.h>

/* Of a direction, what is left of it beside the others before it counts as one of them. */
static const double least_left = 1e-9;

void arc_diffuse_straighten(ArcDiffuse *diffuse)
{
    int n = diffuse->n, kept = 0;
    for (int g = 0; g < diffuse->m; g++) {
        double *row = diffuse->N + kept * n;
        double before = cblas_dnrm2(n, diffuse->N + g * n, 1);
        if (kept != g)
            cblas_dcopy(n, diffuse->N + g * n, 1, row, 1);
        for (int twice = 0; twice < 2; twice++)
            for (int other = 0; other < kept; other++) {
                const double *of = diffuse->N + other * n;
                cblas_daxpy(n, -cblas_ddot(n, of, 1, row, 1), of, 1, row, 1);
            }
        double left = cblas_dnrm2(n, row, 1);
        if (!(left > least_left * before))
            continue;
        cblas_dscal(n, 1.0 / left, row, 1);
        kept++;
    }
    diffuse->m = kept;
}

/* The rows of N become those across N'c, one fewer; work (n). */
static void turn_away(ArcDiffuse *diffuse, double *c, double length, double *work)
{
    int n = diffuse->n, m = diffuse->m;
    double *w = c;
    w[0] += c[0] < 0.0 ? -length : length;
    double square = cblas_ddot(m, w, 1, w, 1);
    cblas_dgemv(CblasRowMajor, CblasTrans, m, n, 1.0, diffuse->N, n, w, 1, 0.0, work, 1);
    for (int g = 1; g < m; g++) {
        cblas_dcopy(n, diffuse->N + g * n, 1, diffuse->N + (g - 1) * n, 1);
        cblas_daxpy(n, -2.0 * w[g] / square, work, 1, diffuse->N + (g - 1) * n, 1);
    }
    diffuse->m--;
}

bool arc_diffuse_measure(ArcDiffuse *diffuse, const double *h, double sd, double least,
                         double *work)
{
    int n = diffuse->n, m = diffuse->m;
    double *a = work, *u = work + n, *c = work + 2 * n;
    double length = 0.0;
    if (m > 0) {
        cblas_dgemv(CblasRowMajor, CblasNoTrans, m, n, 1.0, diffuse->N, n, h, 1, 0.0, c, 1);
        length = cblas_dnrm2(m, c, 1);
    }
    cblas_dsymv(CblasRowMajor, CblasUpper, n, 1.0, diffuse->C, n, h, 1, 0.0, a, 1);
    double variance = cblas_ddot(n, h, 1, a, 1);
    bool settles = length > least * cblas_dnrm2(n, h, 1);
    if (settles)
        cblas_dgemv(CblasRowMajor, CblasTrans, m, n, 1.0 / (length * length), diffuse->N, n, c, 1,
                    0.0, u, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            diffuse->C[i * n + j] +=
                settles ? (variance + sd * sd) * u[i] * u[j] - u[i] * a[j] - a[i] * u[j]
                        : -a[i] * a[j] / (sd * sd + variance);
    if (settles)
        turn_away(diffuse, c, length, u);
    return settles;
}

void arc_diffuse_echelon(int m, int n, double *N, int *lead)
{
    for (int g = 0; g < m; g++) {
        int pivot = g * n;
        for (int i = g * n; i < m * n; i++)
            if (fabs(N[i]) > fabs(N[pivot]))
                pivot = i;
        lead[g] = pivot % n;
        double *row = N + g * n;
        cblas_dswap(n, row, 1, N + pivot - lead[g], 1);
        cblas_dscal(n, 1.0 / row[lead[g]], row, 1);
        for (int other = 0; other < m; other++)
            if (other != g)
                cblas_daxpy(n, -N[other * n + lead[g]], row, 1, N + other * n, 1);
    }
}
