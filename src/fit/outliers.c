/* Outliers: found one by one under gauss, at once under a robust loss. */
#include "fit/outliers.h"

#include "solve/statistics.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double false_share = 0.01; /* of clean captures that have one named */
/* From here on a point is all that tells some combination of the parameters. */
static const double whole_leverage = 1.0 - 1e-9;
/* Taking out goes on for at most this share of the points; a fit so bad is a misfit. */
static const double most_share = 0.5;

typedef struct Search {
    const ArcProblem *problem;
    const ArcRows *rows;
    double *off, *leverage; /* (n), after what was taken out */
    double *in_sd;          /* (n) */
    double *gram;           /* (n_all, n_all): the inverse of what is left, in coordinates */
    double *image, *share;  /* (n_all), (n) scratch */
    bool *out;              /* (n) */
    double square, spare;   /* of those left: sum of squares, degrees of freedom */
} Search;

static ArcStatus search_create(const ArcProblem *problem, const ArcRows *rows, ArcArena *arena,
                               Search *search, ArcError *err)
{
    size_t n = (size_t)rows->n, all = (size_t)rows->n_all;
    *search = (Search){.problem = problem, .rows = rows};
    search->off = ARC_ALLOC(arena, 4 * n, double);
    search->gram = ARC_ALLOC(arena, (all + 1) * all, double);
    search->out = ARC_ALLOC(arena, n, bool);
    if (search->off == NULL || search->gram == NULL || search->out == NULL)
        return arc_error_no_memory(err);
    search->leverage = search->off + n;
    search->in_sd = search->leverage + n;
    search->share = search->in_sd + n;
    search->image = search->gram + all * all;
    memcpy(search->off, rows->off, sizeof(double) * n);
    memcpy(search->leverage, rows->leverage, sizeof(double) * n);
    for (size_t k = 0; k < all; k++)
        search->gram[k * (all + 1)] = 1.0;
    for (size_t i = 0; i < n; i++)
        search->square += rows->off[i] * rows->off[i];
    search->spare = rows->n - rows->effective;
    return ARC_OK;
}

/* The limit of |t| that one of n reaches by chance in a false_share of captures. */
static double limit_of(const Search *search)
{
    const ArcProblem *problem = search->problem;
    double dof = problem->loss.kind == ARC_LOSS_STUDENT_T ? problem->loss.dof
                 : problem->sigma_estimated               ? search->spare - 1.0
                                                          : INFINITY;
    return arc_statistics_t_quantile(1.0 - 0.5 * false_share / search->rows->n, dof);
}

/* t of an observation that is in; 0 where nothing can be said. */
static double studentised(const Search *search, int i)
{
    double off = search->off[i], h = search->leverage[i];
    if (!(h < whole_leverage))
        return 0.0;
    double t = off / sqrt(1.0 - h);
    if (!search->problem->sigma_estimated)
        return t;
    double left = (search->square - t * t) / (search->spare - 1.0);
    return left > 0.0 ? t / sqrt(left) : copysign(INFINITY, t);
}

/* Takes observation i out: the others' residuals and leverages without it, and its own as that of
 * a point foretold. */
static void take_out(Search *search, int i)
{
    const ArcRows *rows = search->rows;
    int all = rows->n_all;
    const double *row = rows->coordinates + (size_t)i * (size_t)all;
    double off = search->off[i], rest = 1.0 - search->leverage[i];
    cblas_dsymv(CblasColMajor, CblasLower, all, 1.0, search->gram, all, row, 1, 0.0, search->image,
                1);
    cblas_dgemv(CblasRowMajor, CblasNoTrans, rows->n, all, 1.0, rows->coordinates, all,
                search->image, 1, 0.0, search->share, 1);
    for (int j = 0; j < rows->n; j++) {
        search->off[j] += search->share[j] * off / rest;
        search->leverage[j] += search->share[j] * search->share[j] / rest;
    }
    cblas_dsyr(CblasColMajor, CblasLower, all, 1.0 / rest, search->image, 1, search->gram, all);
    search->square = fmax(search->square - off * off / rest, 0.0);
    search->spare -= 1.0;
    search->out[i] = true;
}

static void search_gauss(Search *search)
{
    int n = search->rows->n, n_out = 0;
    bool estimated = search->problem->sigma_estimated;
    while (n_out < most_share * n && search->spare > 1.0) {
        int worst = -1;
        double largest = limit_of(search);
        for (int i = 0; i < n; i++) {
            double t = search->out[i] ? 0.0 : fabs(studentised(search, i));
            if (t > largest) {
                largest = t;
                worst = i;
            }
        }
        if (worst < 0)
            break;
        take_out(search, worst);
        n_out++;
    }
    double scale = estimated ? sqrt(search->square / search->spare) : 1.0;
    for (int i = 0; i < n; i++)
        search->in_sd[i] =
            search->out[i] ? search->off[i] / (scale * sqrt(1.0 + search->leverage[i])) : 0.0;
}

static void search_robust(Search *search)
{
    const ArcLoss *loss = &search->problem->loss;
    for (int i = 0; i < search->rows->n; i++) {
        double h = search->leverage[i], off = search->off[i];
        if (!(h < whole_leverage))
            continue;
        search->off[i] = off + h / (1.0 - h) * arc_loss_psi(loss, off);
        search->in_sd[i] = search->off[i] * sqrt(1.0 - h);
    }
}

static int compare_outliers(const void *a, const void *b)
{
    const ArcOutlier *one = a, *other = b;
    double x = fabs(one->residual_sd), y = fabs(other->residual_sd);
    if (x > y || x < y)
        return x > y ? -1 : 1;
    return one->point != other->point ? one->point - other->point : one->axis - other->axis;
}

/* The capture's camera of a point; -1 where it is in metres. */
static int camera_of(const ArcProblem *problem, int point)
{
    const ArcView *view = problem->view;
    return view == NULL || view->cameras[view->camera[point]].is_metres ? -1 : view->camera[point];
}

ArcStatus arc_outliers_find(const ArcProblem *problem, const ArcRows *rows, ArcArena *arena,
                            int *n_outliers, const ArcOutlier **outliers, ArcError *err)
{
    Search search;
    ArcStatus status = search_create(problem, rows, arena, &search, err);
    if (status != ARC_OK)
        return status;
    if (problem->loss.kind == ARC_LOSS_GAUSS)
        search_gauss(&search);
    else
        search_robust(&search);
    double limit = limit_of(&search);
    int n = 0;
    for (int i = 0; i < rows->n; i++)
        n += fabs(search.in_sd[i]) > limit;
    ArcOutlier *list = ARC_ALLOC(arena, (size_t)n, ArcOutlier);
    if (list == NULL)
        return arc_error_no_memory(err);
    n = 0;
    for (int i = 0; i < rows->n; i++) {
        const ArcObservation *o = &problem->observations[i];
        if (!(fabs(search.in_sd[i]) > limit))
            continue;
        int point = problem->time_point[o->time];
        list[n++] = (ArcOutlier){.point = point,
                                 .line = problem->point_line[point],
                                 .axis = o->axis,
                                 .camera = camera_of(problem, point),
                                 .residual_m = -search.off[i] * o->sigma,
                                 .residual_sd = -search.in_sd[i],
                                 .weight = arc_loss_weight(&problem->loss, rows->off[i])};
    }
    qsort(list, (size_t)n, sizeof *list, compare_outliers);
    *n_outliers = n;
    *outliers = list;
    return ARC_OK;
}
