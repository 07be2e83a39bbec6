/* What lies beyond the covariance: profiles, posterior samples, bootstrap replicates.
 *
 * Beside a profile stands the parabola that the covariance takes it for, ((p - estimate) / sd)^2;
 * beside a histogram the normal curve of the fit's estimate and sd, as high as n draws make it:
 * n width exp(-((p - estimate) / sd)^2 / 2) / (sd sqrt(2 pi)).
 */
#include "figure/maker.h"
#include "report/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CURVE = 101, MOST_PAIRS = 6, MOST_DRAWN = 2000, MOST_BINS = 40 };

/* A figure whose axes are parameters: name with its number, title with what it is of. */
static ArcFigure *begin(ArcMaker *maker, const char *stem, int number, const char *title)
{
    const char *name = arc_arena_format(maker->arena, "%s-%d", stem, number);
    return name == NULL || title == NULL
               ? NULL
               : arc_maker_figure(maker, ARC_FIGURES_UNCERTAINTY, name, title);
}

/* The level that a profile's interval ends at: where intervals are Student's t, its square. */
static double level_of(const ArcFit *fit)
{
    return isfinite(fit->spread.interval_dof) ? fit->interval_factor * fit->interval_factor
                                              : ARC_PROFILE_RISE;
}

static void add_parabola(ArcMaker *maker, const ArcProfile *profile, const ArcEstimate *estimate)
{
    double *x = ARC_ALLOC(maker->arena, 2 * CURVE, double);
    double from = profile->value[0], to = profile->value[profile->n - 1], highest = 0.0;
    int n = 0;
    if (x == NULL || !(estimate->sd > 0.0))
        return;
    for (int i = 0; i < profile->n; i++)
        highest = fmax(highest, isfinite(profile->rise[i]) ? profile->rise[i] : 0.0);
    for (int i = 0; i < CURVE; i++) {
        double p = from + (to - from) * i / (CURVE - 1), off = (p - estimate->value) / estimate->sd;
        if (off * off > 2.0 * highest)
            continue; /* a parabola far too narrow must not hide the profile */
        x[n] = p;
        x[CURVE + n++] = off * off;
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = "by the covariance",
                                         .n = n,
                                         .x = x,
                                         .y = x + CURVE});
}

static void add_level(ArcMaker *maker, const ArcFit *fit, const ArcProfile *profile)
{
    double *x = ARC_ALLOC(maker->arena, 8, double);
    int n = 0;
    if (x == NULL)
        return;
    x[0] = profile->value[0];
    x[1] = profile->value[profile->n - 1];
    x[2] = x[3] = x[6] = x[7] = level_of(fit);
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = "95 % level",
                                         .n = 2,
                                         .x = x,
                                         .y = x + 2});
    for (int side = 0; side < 2; side++)
        if (profile->end[side] == ARC_PROFILE_END_FOUND && isfinite(profile->interval[side]))
            x[4 + n++] = profile->interval[side];
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                         .role = ARC_ROLE_TARGET,
                                         .name = "ends of the interval",
                                         .n = n,
                                         .x = x + 4,
                                         .y = x + 6});
}

static const ArcProfile *profile_of(const ArcFit *fit, const char *name)
{
    const ArcUncertainty *u = fit->uncertainty;
    for (int i = 0; u != NULL && i < u->n_profiles; i++)
        if (u->profiles[i].n > 0 &&
            strcmp(fit->parameters[u->profiles[i].parameter].name, name) == 0)
            return &u->profiles[i];
    return NULL;
}

/* "from 0.1 to 0.3", each end or why it has none. */
static const char *profile_caption(ArcMaker *maker, const ArcFit *fit, const ArcProfile *profile,
                                   const ArcEstimate *estimate)
{
    char low[ARC_TABLE_NUMBER], high[ARC_TABLE_NUMBER], value[ARC_TABLE_NUMBER];
    char lowest[ARC_TABLE_NUMBER];
    const char *end[2], *unit = arc_maker_unit(maker, estimate->unit);
    arc_table_number(low, profile->interval[0], estimate->sd);
    arc_table_number(high, profile->interval[1], estimate->sd);
    for (int side = 0; side < 2; side++)
        end[side] = profile->end[side] == ARC_PROFILE_END_OPEN   ? "no end"
                    : profile->end[side] == ARC_PROFILE_END_LOST ? "no end found"
                                                                 : (side == 0 ? low : high);
    const char *text = arc_arena_format(
        maker->arena,
        "Least rise of chi2 with %s held, by the %s fit: 95 %% interval from %s%s to "
        "%s%s%s; the covariance has %s%s.",
        estimate->name, arc_maker_method_name(fit->method), end[0],
        profile->end[0] == ARC_PROFILE_END_BOUND ? " (its bound)" : "", end[1],
        profile->end[1] == ARC_PROFILE_END_BOUND ? " (its bound)" : "", unit,
        arc_table_value(value, estimate->value, estimate->sd, 1.0), unit);
    if (text != NULL && profile->lowest < -0.01)
        text = arc_arena_format(maker->arena,
                                "%s It is %s lower at %s: the fit was not in the "
                                "lowest valley.",
                                text, arc_table_plain(low, -profile->lowest, 2),
                                arc_table_plain(lowest, profile->lowest_value, 4));
    return text;
}

static ArcStatus make_profile(ArcMaker *maker, const ArcFit *fit, int k, ArcError *err)
{
    const ArcProfile *profile = &fit->uncertainty->profiles[k];
    const ArcEstimate *estimate = &fit->parameters[profile->parameter];
    if (profile->n == 0)
        return ARC_OK;
    ArcFigure *figure = begin(maker, "profile", k + 1,
                              arc_arena_format(maker->arena, "Profile of %s", estimate->name));
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->x = (ArcAxis){.label = estimate->name, .unit = estimate->unit};
    figure->y = (ArcAxis){.label = "rise of chi2", .unit = "1"};
    add_parabola(maker, profile, estimate);
    for (int m = 0; m < maker->result->n_fits; m++) {
        const ArcFit *of = maker->result->fits[m];
        const ArcProfile *own = profile_of(of, estimate->name);
        if (own != NULL)
            arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                                 .role = arc_maker_method_role(of->method),
                                                 .name = arc_maker_method_name(of->method),
                                                 .n = own->n,
                                                 .x = own->value,
                                                 .y = own->rise});
    }
    add_level(maker, fit, profile);
    figure->caption = profile_caption(maker, fit, profile, estimate);
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

/* Draws of one number, finite ones alone, with what the fit has of it. */
typedef struct Draws {
    const char *name, *unit;
    double value, sd; /* the fit's; sd NaN: unknown */
    int n;
    const double *values;
} Draws;

static ArcStatus gather(ArcMaker *maker, const double *matrix, int rows, const int column[2],
                        Draws *draws, ArcError *err)
{
    double *values = ARC_ALLOC(maker->arena, (size_t)rows, double);
    if (values == NULL)
        return arc_error_no_memory(err);
    draws->values = values;
    for (int i = 0; i < rows; i++) {
        double value = matrix[(size_t)i * (size_t)column[1] + (size_t)column[0]];
        if (isfinite(value))
            values[draws->n++] = value;
    }
    return ARC_OK;
}

static void add_normal(ArcMaker *maker, const Draws *draws, double low, double width, int bins)
{
    double *x = ARC_ALLOC(maker->arena, 2 * CURVE, double);
    if (x == NULL || !(draws->sd > 0.0))
        return;
    for (int i = 0; i < CURVE; i++) {
        x[i] = low + width * bins * i / (CURVE - 1);
        double off = (x[i] - draws->value) / draws->sd;
        x[CURVE + i] = draws->n * width * exp(-0.5 * off * off) / (draws->sd * sqrt(2.0 * M_PI));
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = "by the covariance",
                                         .n = CURVE,
                                         .x = x,
                                         .y = x + CURVE});
}

/* Counts in bins of equal width over all draws. */
static void add_histogram(ArcMaker *maker, const Draws *draws, const char *name)
{
    int bins = (int)fmin(MOST_BINS, fmax(1.0, ceil(sqrt(draws->n))));
    double low = INFINITY, high = -INFINITY, *x = ARC_ALLOC(maker->arena, 2 * (size_t)bins, double);
    if (x == NULL)
        return;
    for (int i = 0; i < draws->n; i++) {
        low = fmin(low, draws->values[i]);
        high = fmax(high, draws->values[i]);
    }
    double width = (high - low) / bins;
    if (!(width > 0.0)) { /* all alike */
        width = draws->sd > 0.0 ? draws->sd : 1.0;
        low -= 0.5 * width * bins;
    }
    for (int i = 0; i < bins; i++)
        x[i] = low + (i + 0.5) * width;
    for (int i = 0; i < draws->n; i++) {
        int bin = (int)((draws->values[i] - low) / width);
        x[bins + (bin < bins ? bin : bins - 1)] += 1.0;
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_BARS,
                                         .role = ARC_ROLE_DIRECT,
                                         .name = name,
                                         .n = bins,
                                         .x = x,
                                         .y = x + bins});
    add_normal(maker, draws, low, width, bins);
}

static double sd_of(const ArcFit *fit, const char *name)
{
    for (int i = 0; i < fit->n_parameters; i++)
        if (strcmp(fit->parameters[i].name, name) == 0)
            return fit->parameters[i].sd;
    for (int i = 0; i < fit->n_derived; i++)
        if (strcmp(fit->derived[i].name, name) == 0)
            return fit->derived[i].sd;
    return NAN;
}

static ArcStatus make_sampled(ArcMaker *maker, const ArcFit *fit, int k, ArcError *err)
{
    char mean[ARC_TABLE_NUMBER], low[ARC_TABLE_NUMBER], high[ARC_TABLE_NUMBER];
    char usual[ARC_TABLE_NUMBER], r_hat[ARC_TABLE_NUMBER];
    const ArcSamples *samples = fit->uncertainty->samples;
    const ArcSampledNumber *number = &samples->numbers[k];
    Draws draws = {number->name, number->unit, number->value, sd_of(fit, number->name), 0, NULL};
    const int column[2] = {k, samples->n_numbers};
    ArcStatus status = gather(maker, samples->draws, samples->n_kept, column, &draws, err);
    if (status != ARC_OK || draws.n == 0)
        return status;
    ArcFigure *figure = begin(maker, "samples", k + 1,
                              arc_arena_format(maker->arena, "Posterior of %s", number->name));
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->x = (ArcAxis){.label = number->name, .unit = number->unit};
    figure->y = (ArcAxis){.label = "draws", .unit = "1"};
    const char *unit = arc_maker_unit(maker, number->unit);
    add_histogram(maker, &draws, "draws of the chains");
    figure->caption = arc_arena_format(
        maker->arena,
        "%d draws: %s%s, 95 %% of them from %s to %s%s; the covariance has %s%s. R-hat %s%s",
        draws.n, arc_table_value(mean, number->mean, number->sd, 1.0), unit,
        arc_table_number(low, number->ci95[0], number->sd),
        arc_table_number(high, number->ci95[1], number->sd), unit,
        arc_table_value(usual, number->value, draws.sd, 1.0), unit,
        arc_table_plain(r_hat, number->r_hat, 4),
        samples->believable ? "." : "; the chains are too short to be believed.");
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

/* Two numbers of the chains and how they go together. */
typedef struct Pair {
    int a, b;
    double correlation;
} Pair;

static double sampled_correlation(const ArcSamples *samples, int a, int b)
{
    const ArcSampledNumber *A = &samples->numbers[a], *B = &samples->numbers[b];
    double sum[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < samples->n_kept; i++) {
        const double *draw = samples->draws + (size_t)i * (size_t)samples->n_numbers;
        double x = draw[a] - A->mean, y = draw[b] - B->mean;
        sum[0] += x * x;
        sum[1] += y * y;
        sum[2] += x * y;
    }
    return sum[0] > 0.0 && sum[1] > 0.0 ? sum[2] / sqrt(sum[0] * sum[1]) : 0.0;
}

static int compare_pairs(const void *one, const void *other)
{
    const Pair *a = one, *b = other;
    double x = fabs(a->correlation), y = fabs(b->correlation);
    if (x > y || x < y)
        return x > y ? -1 : 1;
    return a->a != b->a ? a->a - b->a : a->b - b->b;
}

static ArcStatus make_pair(ArcMaker *maker, const ArcSamples *samples, const Pair *pair, int number,
                           ArcError *err)
{
    char correlation[ARC_TABLE_NUMBER];
    const ArcSampledNumber *a = &samples->numbers[pair->a], *b = &samples->numbers[pair->b];
    int step = (samples->n_kept + MOST_DRAWN - 1) / MOST_DRAWN;
    int n = (samples->n_kept + step - 1) / step, columns = samples->n_numbers;
    const double *x = arc_maker_column(maker, samples->draws + pair->a, n, step * columns);
    const double *y = arc_maker_column(maker, samples->draws + pair->b, n, step * columns);
    double *at = ARC_ALLOC(maker->arena, 2, double);
    ArcFigure *figure =
        begin(maker, "pair", number,
              arc_arena_format(maker->arena, "Posterior of %s and %s", a->name, b->name));
    if (x == NULL || y == NULL || at == NULL || figure == NULL)
        return arc_error_no_memory(err);
    at[0] = a->value;
    at[1] = b->value;
    figure->x = (ArcAxis){.label = a->name, .unit = a->unit};
    figure->y = (ArcAxis){.label = b->name, .unit = b->unit};
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                         .role = ARC_ROLE_OTHER,
                                         .name = "draws of the chains",
                                         .n = n,
                                         .x = x,
                                         .y = y});
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                         .role = ARC_ROLE_POINTS,
                                         .name = "the fit",
                                         .n = 1,
                                         .x = at,
                                         .y = at + 1});
    figure->caption =
        arc_arena_format(maker->arena, "%d of %d draws; their correlation is %s.", n,
                         samples->n_kept, arc_table_plain(correlation, pair->correlation, 3));
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

static ArcStatus make_samples(ArcMaker *maker, const ArcFit *fit, ArcError *err)
{
    const ArcSamples *samples = fit->uncertainty->samples;
    int n = samples->n_numbers, n_pairs = 0;
    Pair *pairs = ARC_ALLOC(maker->arena, (size_t)n * (size_t)n, Pair);
    ArcStatus status = pairs == NULL ? arc_error_no_memory(err) : ARC_OK;
    for (int k = 0; k < n && status == ARC_OK; k++)
        status = make_sampled(maker, fit, k, err);
    for (int a = 0; a < n && status == ARC_OK && samples->n_kept > 0; a++)
        for (int b = a + 1; b < n; b++)
            pairs[n_pairs++] = (Pair){a, b, sampled_correlation(samples, a, b)};
    if (n_pairs > 0)
        qsort(pairs, (size_t)n_pairs, sizeof *pairs, compare_pairs);
    for (int i = 0; i < n_pairs && i < MOST_PAIRS && status == ARC_OK; i++)
        status = make_pair(maker, samples, &pairs[i], i + 1, err);
    return status;
}

static ArcStatus make_bootstrap(ArcMaker *maker, const ArcFit *fit, int k, ArcError *err)
{
    char sd[ARC_TABLE_NUMBER], low[ARC_TABLE_NUMBER], high[ARC_TABLE_NUMBER];
    char usual[ARC_TABLE_NUMBER];
    const ArcBootstrap *bootstrap = fit->uncertainty->bootstrap;
    const ArcBootstrapNumber *number = &bootstrap->numbers[k];
    Draws draws = {number->name, number->unit, number->value, sd_of(fit, number->name), 0, NULL};
    const int column[2] = {k, bootstrap->n_numbers};
    const char *method = fit->method == ARC_PINN ? "bootstrap-pinn" : "bootstrap";
    ArcStatus status = gather(maker, bootstrap->replicates, bootstrap->n, column, &draws, err);
    if (status != ARC_OK || draws.n == 0)
        return status;
    ArcFigure *figure = begin(maker, method, k + 1,
                              arc_arena_format(maker->arena, "Bootstrap of %s (%s)", number->name,
                                               arc_maker_method_name(fit->method)));
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->x = (ArcAxis){.label = number->name, .unit = number->unit};
    figure->y = (ArcAxis){.label = "replicates", .unit = "1"};
    const char *unit = arc_maker_unit(maker, number->unit);
    const char *failed =
        draws.n == bootstrap->n
            ? ""
            : arc_arena_format(maker->arena, " of %d (the others failed or have none)",
                               bootstrap->n);
    if (failed == NULL)
        return arc_error_no_memory(err);
    add_histogram(maker, &draws, "replicates");
    figure->caption = arc_arena_format(
        maker->arena,
        "%d replicates%s: sd %s%s, where the covariance has %s%s; 95 %% of them from %s to %s%s.",
        draws.n, failed, arc_table_plain(sd, number->sd, 3), unit,
        arc_table_plain(usual, draws.sd, 3), unit,
        arc_table_number(low, number->percentile95[0], number->sd),
        arc_table_number(high, number->percentile95[1], number->sd), unit);
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

/* Profiles that the fit that counts does not have, or both: once each, by that fit if it can. */
static ArcStatus make_profiles(ArcMaker *maker, ArcError *err)
{
    const ArcFit *fit = maker->fit;
    ArcStatus status = ARC_OK;
    if (fit->uncertainty == NULL || fit->uncertainty->n_profiles == 0)
        fit = arc_result_fit(maker->result, ARC_PINN);
    if (fit == NULL || fit->uncertainty == NULL)
        return ARC_OK;
    for (int k = 0; k < fit->uncertainty->n_profiles && status == ARC_OK; k++)
        status = make_profile(maker, fit, k, err);
    return status;
}

ArcStatus arc_make_uncertainty(ArcMaker *maker, ArcError *err)
{
    ArcStatus status = make_profiles(maker, err);
    for (int m = 0; m < maker->result->n_fits && status == ARC_OK; m++) {
        const ArcFit *fit = maker->result->fits[m];
        const ArcUncertainty *u = fit->uncertainty;
        if (u != NULL && u->samples != NULL)
            status = make_samples(maker, fit, err);
        for (int k = 0;
             u != NULL && u->bootstrap != NULL && k < u->bootstrap->n_numbers && status == ARC_OK;
             k++)
            status = make_bootstrap(maker, fit, k, err);
    }
    return status;
}
