/* Rows of observations, priors and physics at one point. */
#include "fit/rows.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* A redescending loss on points that fit nothing bends down on average; such a fit has no
 * curvature to speak of, and this little keeps its figures finite. */
static const double least_curvature = 0.05;
static const double truncation = 1e-13;

ArcStatus arc_rows_create(const ArcObjective *objective, int n, ArcArena *arena, ArcRows **result,
                          ArcError *err)
{
    ArcRows *rows = ARC_ALLOC(arena, 1, ArcRows);
    if (rows == NULL)
        return arc_error_no_memory(err);
    size_t m = (size_t)objective->m, inner = (size_t)objective->n_inner;
    size_t p = (size_t)objective->n_outer, all = inner + p, count = (size_t)n;
    rows->objective = *objective;
    rows->m = objective->m;
    rows->n = n;
    rows->n_outer = objective->n_outer;
    rows->n_all = (int)all;
    rows->off = ARC_ALLOC(arena, count, double);
    rows->coordinates = ARC_ALLOC(arena, count * all, double);
    rows->leverage = ARC_ALLOC(arena, count, double);
    rows->influence = ARC_ALLOC(arena, m * p, double);
    rows->r = ARC_ALLOC(arena, m, double);
    rows->J = ARC_ALLOC(arena, m * all, double);
    rows->inner = ARC_ALLOC(arena, count * inner + 1, double);
    rows->outer = ARC_ALLOC(arena, m * p, double);
    if (rows->off == NULL || rows->coordinates == NULL || rows->leverage == NULL ||
        rows->influence == NULL || rows->r == NULL || rows->J == NULL || rows->inner == NULL ||
        rows->outer == NULL)
        return arc_error_no_memory(err);
    *result = rows;
    return arc_elimination_create(objective->m, objective->n_inner, objective->n_outer, arena,
                                  &rows->elimination, err);
}

/* From the rows as the solvers see them: residuals before the loss, rows weighed by sqrt(m). */
static void reweigh(ArcRows *rows, const ArcLoss *loss)
{
    double bend = 0.0;
    for (int i = 0; i < rows->n; i++) {
        double slope;
        rows->off[i] = arc_loss_restore(loss, rows->r[i], &slope);
        bend += arc_loss_bend(loss, rows->off[i]) / rows->n;
        rows->r[i] = 1.0 / slope;
    }
    rows->curvature = fmax(bend, least_curvature);
    double root = sqrt(rows->curvature);
    for (int k = 0; loss->kind != ARC_LOSS_GAUSS && k < rows->n_all; k++) {
        double *column = rows->J + (size_t)k * (size_t)rows->m;
        for (int i = 0; i < rows->n; i++)
            column[i] *= root * rows->r[i];
    }
}

bool arc_rows_look(ArcRows *rows, const ArcLoss *loss, const double *z)
{
    const ArcObjective *objective = &rows->objective;
    int n_inner = objective->n_inner, n_all = rows->n_all;
    if (!objective->evaluate(objective->context, z, rows->r, rows->J))
        return false;
    reweigh(rows, loss);
    /* The right side plays no part in what is asked for. */
    memset(rows->r, 0, sizeof(double) * (size_t)rows->m);
    if (!arc_elimination_run(&rows->elimination, rows->J, rows->r, truncation) ||
        !arc_elimination_rows(&rows->elimination, rows->J, rows->n, rows->inner, rows->outer))
        return false;
    rows->effective = 0.0;
    for (int i = 0; i < rows->n; i++) {
        double *row = rows->coordinates + (size_t)i * (size_t)n_all;
        cblas_dcopy(n_inner, rows->inner + i, rows->n, row, 1);
        cblas_dcopy(rows->n_outer, rows->outer + i, rows->m, row + n_inner, 1);
        rows->leverage[i] = fmin(cblas_ddot(n_all, row, 1, row, 1), 1.0);
        rows->effective += rows->leverage[i];
    }
    return isfinite(rows->effective);
}

ArcStatus arc_rows_weigh(ArcRows *rows, ArcArena *arena, ArcError *err)
{
    int m = rows->m, p = rows->n_outer;
    const double *T = rows->elimination.T;
    ArcStatus status = arc_posterior_create(p, T, arena, &rows->posterior, err);
    double *gain = status == ARC_OK ? ARC_ALLOC(arena, (size_t)(p * p), double) : NULL;
    if (gain == NULL)
        return status == ARC_OK ? arc_error_no_memory(err) : status;
    /* C T', then the rows of Q times its transpose. */
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, p, p, p, 1.0, rows->posterior.covariance,
                p, T, p, 0.0, gain, p);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, p, m, p, 1.0, gain, p, rows->outer, m, 0.0,
                rows->influence, p);
    return ARC_OK;
}
