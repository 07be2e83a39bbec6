/* Sorted residuals against the quantiles of the noise that was taken for granted.
 *
 * Of n residuals r_(1) <= ... <= r_(n) in sd, each is expected near s Q((i - 1/2) / n), Q the
 * quantiles of the standard normal distribution, or of Student's t where that is the loss, whose
 * sigma is its scale. s is the share of the noise that a fit leaves in its residuals, the root of
 * dof / numbers. Where they are independent, Q^-1(r_(i) / s) is the i-th of n uniform numbers,
 * Beta(i, n + 1 - i) (David and Nagaraja, Order statistics, 3rd ed., Wiley 2003, 2.1), so that it
 * lies between s Q of the 2.5 and 97.5 % points of that with a chance of 95 %, each for itself.
 * Other robust losses claim no distribution: of theirs the bulk is expected to be normal.
 */
#include "figure/observed.h"
#include "report/table.h"
#include "solve/statistics.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ORDERS = 101, HALVINGS = 60 };
/* Scatter is not as stated where chance gives as little or as much in fewer than so many cases. */
static const double least_p = 0.01;

typedef struct Quantiles {
    const ArcFit *fit;
    double dof;    /* of Student's t; INFINITY: normal */
    double shrunk; /* s */
    int n;
    const ArcObserved **sorted; /* (n) */
} Quantiles;

static int compare(const void *a, const void *b)
{
    const ArcObserved *one = *(const ArcObserved *const *)a;
    const ArcObserved *other = *(const ArcObserved *const *)b;
    return one->in_sd < other->in_sd ? -1 : one->in_sd > other->in_sd;
}

static double quantile(const Quantiles *q, double p)
{
    return q->shrunk * arc_statistics_t_quantile(p, q->dof);
}

/* The chance of less than x. */
static double chance_below(const Quantiles *q, double x)
{
    double t = x / q->shrunk;
    double tail = isinf(q->dof) ? 0.5 * erfc(fabs(t) / M_SQRT2)
                                : 0.5 * arc_statistics_f_p(t * t, 1.0, q->dof);
    return t < 0.0 ? tail : 1.0 - tail;
}

/* The u below which the i-th (from 1) of n uniform numbers lies with the chance p, by halving. */
static double order_quantile(int i, int n, double p)
{
    double low = 0.0, high = 1.0;
    for (int k = 0; k < HALVINGS; k++) {
        double u = 0.5 * (low + high);
        if (arc_statistics_beta_i(i, n + 1.0 - i, u, 1.0 - u) < p)
            low = u;
        else
            high = u;
    }
    return 0.5 * (low + high);
}

static double plotted_at(const Quantiles *q, int i)
{
    return quantile(q, (i - 0.5) / q->n);
}

static void add_envelope(ArcMaker *maker, const Quantiles *q)
{
    int n = q->n < MOST_ORDERS ? q->n : MOST_ORDERS;
    double *x = ARC_ALLOC(maker->arena, 3 * (size_t)n, double);
    if (x == NULL)
        return;
    for (int k = 0; k < n; k++) {
        /* Of many, orders lie closer at the ends, where the band bends. */
        double share = n == 1 ? 0.0 : 0.5 - 0.5 * cos(M_PI * k / (n - 1));
        int i = n == q->n ? k + 1 : 1 + (int)lround(share * (q->n - 1));
        x[k] = plotted_at(q, i);
        x[n + k] = quantile(q, order_quantile(i, q->n, 0.025));
        x[2 * n + k] = quantile(q, order_quantile(i, q->n, 0.975));
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_BAND,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = "95 % of each order",
                                         .n = n,
                                         .x = x,
                                         .low = x + n,
                                         .high = x + 2 * n});
}

static void add_diagonal(ArcMaker *maker, const Quantiles *q)
{
    double *x = ARC_ALLOC(maker->arena, 2, double);
    if (x == NULL)
        return;
    x[0] = plotted_at(q, 1);
    x[1] = plotted_at(q, q->n);
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = "as stated",
                                         .n = 2,
                                         .x = x,
                                         .y = x});
}

static void add_residuals(ArcMaker *maker, const Quantiles *q, bool of_outliers)
{
    double *x = ARC_ALLOC(maker->arena, 2 * (size_t)q->n, double);
    const char **labels = ARC_ALLOC(maker->arena, (size_t)q->n, const char *);
    int n = 0;
    if (x == NULL || labels == NULL)
        return;
    for (int i = 0; i < q->n; i++) {
        if (q->sorted[i]->is_outlier != of_outliers)
            continue;
        x[n] = plotted_at(q, i + 1);
        x[q->n + n] = q->sorted[i]->in_sd;
        labels[n++] = arc_observed_label(maker, q->sorted[i]);
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                         .role = of_outliers ? ARC_ROLE_OUTLIER : ARC_ROLE_POINTS,
                                         .name = of_outliers ? "outliers" : "residuals",
                                         .n = n,
                                         .x = x,
                                         .y = x + q->n,
                                         .labels = labels});
}

/* How far the bulk scatters in what was stated: the root mean square, or, where outliers are
 * expected, by the middle half of the residuals. */
static double scatter(const Quantiles *q)
{
    double square = 0.0;
    if (q->fit->spread.loss.kind != ARC_LOSS_GAUSS && q->n >= 4)
        return (q->sorted[(3 * q->n) / 4]->in_sd - q->sorted[q->n / 4]->in_sd) /
               (quantile(q, ((3 * q->n) / 4 + 0.5) / q->n) - quantile(q, (q->n / 4 + 0.5) / q->n));
    for (int i = 0; i < q->n; i++)
        square += q->sorted[i]->in_sd * q->sorted[i]->in_sd;
    return sqrt(square / q->n) / q->shrunk;
}

static const char *verdict(const Quantiles *q, double size)
{
    const ArcSpread *spread = &q->fit->spread;
    if (spread->sigma_estimated)
        return "sigma was found from this scatter";
    if (spread->loss.kind != ARC_LOSS_GAUSS)
        return "of the middle half of the residuals";
    int dof = (int)lround(q->n * q->shrunk * q->shrunk);
    double p = arc_statistics_chi2_p(size * size * dof, dof);
    return dof < 1             ? "too few numbers to judge"
           : p < least_p       ? "more than the stated sigma lets it be"
           : p > 1.0 - least_p ? "less than the stated sigma would have it"
                               : "as stated, within chance";
}

static const char *caption(ArcMaker *maker, const Quantiles *q)
{
    char largest[ARC_TABLE_NUMBER], size[ARC_TABLE_NUMBER];
    const ArcObserved *low = q->sorted[0], *high = q->sorted[q->n - 1];
    const ArcObserved *most = fabs(low->in_sd) > fabs(high->in_sd) ? low : high;
    const char *label = arc_observed_label(maker, most);
    int outside = 0;
    for (int i = 0; i < q->n; i++) {
        double u = chance_below(q, q->sorted[i]->in_sd);
        double p = arc_statistics_beta_i(i + 1.0, q->n - (double)i, u, 1.0 - u);
        outside += p < 0.025 || p > 0.975;
    }
    double measured = scatter(q);
    const char *left =
        outside == 0 ? "All are in their 95 % range"
        : outside == 1
            ? "One of them leaves its 95 % range"
            : arc_arena_format(maker->arena, "%d of them leave their 95 %% ranges", outside);
    return label == NULL || left == NULL
               ? NULL
               : arc_arena_format(maker->arena,
                                  "The largest of %d residuals is %s sd (%s). They scatter by %s "
                                  "times what is expected: %s. %s.",
                                  q->n, arc_table_plain(largest, most->in_sd, 3), label,
                                  arc_table_plain(size, measured, 3), verdict(q, measured), left);
}

ArcStatus arc_make_quantile(ArcMaker *maker, ArcError *err)
{
    const ArcFit *fit = maker->fit;
    bool is_t = fit->spread.loss.kind == ARC_LOSS_STUDENT_T && fit->spread.loss.dof > 0.0;
    Quantiles q = {.fit = fit, .dof = is_t ? fit->spread.loss.dof : (double)INFINITY};
    ArcObservedList all;
    int notes = maker->n_notes;
    ArcStatus status = arc_maker_observed(maker, fit, &all, err);
    maker->n_notes = notes; /* those of residuals say it */
    if (status != ARC_OK)
        return status;
    q.shrunk = arc_observed_shrinkage(fit);
    q.sorted = ARC_ALLOC(maker->arena, (size_t)all.n, const ArcObserved *);
    if (q.sorted == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < all.n; i++)
        if (!all.list[i].is_held)
            q.sorted[q.n++] = &all.list[i];
    if (q.n < 2)
        return ARC_OK;
    qsort(q.sorted, (size_t)q.n, sizeof *q.sorted, compare);
    ArcFigure *figure = arc_maker_figure(maker, ARC_FIGURES_RESIDUALS, "residuals-quantiles",
                                         "Residuals against their expected size");
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->x =
        (ArcAxis){.label = is_t ? "quantiles of Student's t" : "normal quantiles", .unit = "sd"};
    figure->y = (ArcAxis){.label = "sorted residuals", .unit = "sd"};
    figure->caption = caption(maker, &q);
    add_envelope(maker, &q);
    add_diagonal(maker, &q);
    add_residuals(maker, &q, false);
    add_residuals(maker, &q, true);
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}
