/* The distance from the camera and its scatter. */
#include "fit/depth.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum { SPACE = 3 };
static const double most_share = 0.15; /* of the distance, its sd */
/* Of an unknown's variance, from which on it is not known without the distance. */
static const double most_variance = 0.5;

/* Distance from the nearest camera that has points, with its partials by the position. */
static double nearest(const ArcProblem *problem, const double *values, double partials[SPACE])
{
    const ArcView *view = problem->view;
    const double *theta = values + arc_problem_first_measure(problem);
    const double *release_m = values + problem->t0_index + 1;
    double least_m = INFINITY;
    int before = -1;
    for (int i = 0; i < problem->n_times; i++) {
        int c = view->camera[problem->time_point[i]];
        if (c == before || view->cameras[c].is_metres)
            continue;
        before = c;
        const ArcCamera camera = arc_view_corrected(view, theta, c);
        double seen_m[SPACE]; /* R X + t */
        memcpy(seen_m, camera.translation_m, sizeof seen_m);
        cblas_dgemv(CblasRowMajor, CblasNoTrans, SPACE, SPACE, 1.0, camera.rotation, SPACE,
                    release_m, 1, 1.0, seen_m, 1);
        double distance_m = cblas_dnrm2(SPACE, seen_m, 1);
        if (!(distance_m < least_m) || !(distance_m > 0.0))
            continue;
        least_m = distance_m;
        cblas_dgemv(CblasRowMajor, CblasTrans, SPACE, SPACE, 1.0 / distance_m, camera.rotation,
                    SPACE, seen_m, 1, 0.0, partials, 1);
    }
    return least_m;
}

/* g (n) and its length, the sd of the distance. */
static double direction_of(const ArcProblem *problem, const double *values,
                           const ArcPosterior *posterior, const double partials[SPACE], double *g)
{
    int n = posterior->n;
    double by_free[ARC_MAX_PARAMETERS] = {0}, tie[2 * SPACE * ARC_MAX_PARAMETERS];
    if (problem->has_arm)
        arc_problem_tie_free(problem, values, tie);
    for (int c = 0; c < SPACE; c++) {
        int k = problem->free_index[problem->t0_index + 1 + c];
        if (k >= 0)
            by_free[k] = partials[c];
        if (problem->has_arm)
            cblas_daxpy(n, partials[c], tie + c * n, 1, by_free, 1);
    }
    memset(g, 0, sizeof(double) * (size_t)n);
    for (int k = 0; k < n; k++)
        if (by_free[k] != 0.0)
            cblas_daxpy(n, by_free[k], posterior->covariance + k * n, 1, g, 1);
    double sd_m = sqrt(fmax(cblas_ddot(n, by_free, 1, g, 1), 0.0));
    cblas_dscal(n, sd_m > 0.0 ? 1.0 / sd_m : 0.0, g, 1);
    return sd_m;
}

ArcStatus arc_depth_take_out(ArcPosterior *posterior, const double *g, const bool *with,
                             ArcArena *arena, ArcError *err)
{
    int n = posterior->n;
    double *null = ARC_ALLOC(arena, (size_t)((posterior->n_null + 1) * n), double);
    if (null == NULL)
        return arc_error_no_memory(err);
    double *direction = null + posterior->n_null * n;
    if (posterior->n_null > 0)
        memcpy(null, posterior->null, sizeof(double) * (size_t)(posterior->n_null * n));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            if (with[i] || with[j])
                posterior->covariance[i * n + j] -= g[i] * g[j];
        direction[i] = with[i] ? g[i] / posterior->scale[i] : 0.0;
        posterior->identified[i] = posterior->identified[i] && !with[i];
    }
    cblas_dscal(n, 1.0 / cblas_dnrm2(n, direction, 1), direction, 1);
    posterior->null = null;
    posterior->n_null++;
    return ARC_OK;
}

ArcStatus arc_depth_judge(const ArcProblem *problem, const double *values, ArcArena *arena,
                          ArcPosterior *posterior, ArcDepth *depth, ArcError *err)
{
    *depth = (ArcDepth){.distance_m = NAN, .sd_m = NAN};
    if (problem->view == NULL || problem->d != SPACE)
        return ARC_OK;
    int n = posterior->n;
    double partials[SPACE] = {0}, g[ARC_MAX_PARAMETERS], most = 0.0;
    depth->distance_m = nearest(problem, values, partials);
    depth->sd_m = direction_of(problem, values, posterior, partials, g);
    if (!(depth->sd_m > most_share * depth->distance_m))
        return ARC_OK;
    bool *with = ARC_ALLOC(arena, (size_t)n, bool);
    if (with == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(g[k] / posterior->scale[k]));
    for (int k = 0; k < n; k++)
        with[k] = g[k] * g[k] > most_variance * posterior->covariance[k * (n + 1)] &&
                  fabs(g[k] / posterior->scale[k]) > ARC_POSTERIOR_PART * sqrt((double)n) * most;
    for (int k = 0; k < n; k++)
        depth->is_unknown = depth->is_unknown || with[k];
    if (!depth->is_unknown)
        return ARC_OK;
    depth->with = with;
    return arc_depth_take_out(posterior, g, with, arena, err);
}
