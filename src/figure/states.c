/* Own equations: each channel against time with its points, both methods and the band of 95 %; two
 * or three states against each other; PINN minus direct.
 *
 * Channels are the states and, of second order, then their rates (equations.h), which a fit's
 * trajectory holds. Bands are those of the fit that counts, by arc_predict_state.
 */
#include "arcfit/states.h"
#include "arcfit/predict.h"
#include "figure/maker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAME = 40, FINE = 4 };
static const double least_sd = 0.001; /* below, digits tell of rounding alone */
static const double within_95 = 1.959963984540054;

/* What of a fit's states is drawn. */
typedef struct Channels {
    ArcMaker *maker;
    const ArcStatesFit *states;
    const double *value, *sd; /* (n_trajectory, n_channels) of the fit that counts; NULL: no band */
} Channels;

/* A channel of a fit along its trajectory. NULL on exhaustion. */
static const double *channel_of(ArcMaker *maker, const ArcFit *fit, int channel)
{
    int D = fit->dimensions;
    const double *first =
        channel < D ? fit->position_m + channel : fit->velocity_m_s + (channel - D);
    return arc_maker_column(maker, first, fit->n_trajectory, D);
}

/* Times, and a channel, with FINE - 1 places between each two rows, by the cubic through values and
 * slopes there: what turns often shall not look like a polygon. NULL on exhaustion. */
static int count_fine(const ArcFit *fit)
{
    return FINE * (fit->n_trajectory - 1) + 1;
}

static const double *fine_times(ArcMaker *maker, const ArcFit *fit)
{
    int n = count_fine(fit);
    double *fine = ARC_ALLOC(maker->arena, (size_t)n, double);
    for (int i = 0; fine != NULL && i < n; i++) {
        int row = i / FINE < fit->n_trajectory - 1 ? i / FINE : fit->n_trajectory - 2;
        double u = (double)(i - row * FINE) / FINE;
        fine[i] = u == 0.0   ? fit->time_s[row]
                  : u == 1.0 ? fit->time_s[row + 1]
                             : fit->time_s[row] * (1.0 - u) + fit->time_s[row + 1] * u;
    }
    return fine;
}

static const double *fine_channel(ArcMaker *maker, const ArcFit *fit, int channel)
{
    int D = fit->dimensions, n = count_fine(fit), c = channel < D ? channel : channel - D;
    const double *value = (channel < D ? fit->position_m : fit->velocity_m_s) + c;
    const double *slopes = channel < D ? fit->velocity_m_s : fit->acceleration_m_s2;
    const double *slope = slopes == NULL ? NULL : slopes + c;
    double *fine = ARC_ALLOC(maker->arena, (size_t)n, double);
    for (int i = 0; fine != NULL && i < n; i++) {
        int row = i / FINE < fit->n_trajectory - 1 ? i / FINE : fit->n_trajectory - 2;
        double u = (double)(i - row * FINE) / FINE, h = fit->time_s[row + 1] - fit->time_s[row];
        double a = value[row * D], b = value[(row + 1) * D];
        double at_a = slope == NULL ? (b - a) / h : slope[row * D];
        double at_b = slope == NULL ? (b - a) / h : slope[(row + 1) * D];
        fine[i] = u == 0.0 ? a
                  : u == 1.0
                      ? b
                      : a * (1.0 + 2.0 * u) * (1.0 - u) * (1.0 - u) + b * u * u * (3.0 - 2.0 * u) +
                            h * at_a * u * (1.0 - u) * (1.0 - u) + h * at_b * u * u * (u - 1.0);
    }
    return fine;
}

/* Bands, where the experiment is there and the fit's motion can be followed. */
static ArcStatus predict(Channels *channels, ArcError *err)
{
    ArcMaker *maker = channels->maker;
    const ArcFit *fit = maker->fit;
    size_t size = (size_t)fit->n_trajectory * (size_t)channels->states->n_channels;
    ArcError why = {ARC_OK, ""};
    if (maker->experiment == NULL)
        return ARC_OK;
    double *value = ARC_ALLOC(maker->arena, 2 * size, double);
    if (value == NULL)
        return arc_error_no_memory(err);
    const ArcPrediction prediction = {.x_m = value, .x_sd_m = value + size};
    ArcStatus status = arc_predict_state(maker->experiment, fit, fit->n_trajectory, fit->time_s,
                                         &prediction, &why);
    if (status == ARC_MEMORY)
        return arc_error_no_memory(err);
    if (status == ARC_OK) {
        channels->value = value;
        channels->sd = value + size;
    } else {
        arc_maker_note(maker, "There are no bands of the states: %s", why.text);
    }
    return ARC_OK;
}

static void add_band(const Channels *channels, int channel)
{
    ArcMaker *maker = channels->maker;
    const ArcFit *fit = maker->fit;
    int n = fit->n_trajectory, C = channels->states->n_channels;
    double *low = channels->sd == NULL ? NULL : ARC_ALLOC(maker->arena, 2 * (size_t)n, double);
    if (low == NULL)
        return;
    for (int i = 0; i < n; i++) {
        double half = within_95 * channels->sd[i * C + channel];
        low[i] = channels->value[i * C + channel] - half;
        low[n + i] = channels->value[i * C + channel] + half;
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_BAND,
                                         .role = arc_maker_method_role(fit->method),
                                         .name = "95 %",
                                         .n = n,
                                         .x = fit->time_s,
                                         .low = low,
                                         .high = low + n});
}

/* Points of a channel that are for a use, with where they stand in their file. */
static void add_points(const Channels *channels, int channel, ArcPointUse use)
{
    ArcMaker *maker = channels->maker;
    const ArcCapture *capture = maker->result->capture;
    int C = channels->states->n_channels, n = 0;
    size_t room = (size_t)capture->n_points;
    double *x = ARC_ALLOC(maker->arena, 2 * room, double);
    const char **labels = ARC_ALLOC(maker->arena, room, const char *);
    if (x == NULL || labels == NULL)
        return;
    for (int i = 0; i < capture->n_points; i++) {
        double value = capture->position_m[i * C + channel];
        if (capture->use[i] != use || !isfinite(value))
            continue;
        x[n] = capture->time_s[i];
        x[room + (size_t)n] = value;
        labels[n++] = arc_maker_point_label(maker, i);
    }
    bool is_fitted = use == ARC_POINT_FIT;
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                         .role = is_fitted ? ARC_ROLE_POINTS : ARC_ROLE_HELD_OUT,
                                         .name = is_fitted ? "points" : "held out",
                                         .n = n,
                                         .x = x,
                                         .y = x + room,
                                         .labels = labels});
}

static const char *caption_of(const Channels *channels, int channel)
{
    const ArcChannelFit *of = &channels->states->channels[channel];
    ArcMaker *maker = channels->maker;
    const char *words =
        of->n == 0
            ? arc_maker_words(maker, "%s was not observed.", of->name)
            : arc_maker_words(maker, "%d numbers of %s; the rms of their residuals is %.3g%s.",
                              of->n, of->name, of->rms, arc_maker_unit(maker, of->unit));
    if (of->n_held_out > 0)
        words = arc_maker_words(maker, "%s Of the %d held out it is %.3g%s.", words, of->n_held_out,
                                of->held_out_rms, arc_maker_unit(maker, of->unit));
    return words;
}

/* Begins a figure of a channel; name_format has a %d for its number. */
static ArcFigure *begin(const Channels *channels, int channel, ArcFigureGroup group,
                        const char *stem, const char *title)
{
    const ArcChannelFit *of = &channels->states->channels[channel];
    ArcMaker *maker = channels->maker;
    char name[MOST_NAME];
    snprintf(name, sizeof name, "%.20s-%d", stem, channel + 1);
    ArcFigure *figure =
        arc_maker_figure(maker, group, name, arc_maker_words(maker, "%s: %s", of->name, title));
    if (figure == NULL)
        return NULL;
    figure->x = (ArcAxis){.label = "time", .unit = "s"};
    figure->y = (ArcAxis){.label = of->name, .unit = of->unit};
    return figure;
}

static void draw_channel(const Channels *channels, int channel)
{
    ArcMaker *maker = channels->maker;
    ArcFigure *figure =
        begin(channels, channel, ARC_FIGURES_STATES, "states", "fit and points against time");
    if (figure == NULL)
        return;
    figure->caption = caption_of(channels, channel);
    add_band(channels, channel);
    for (int k = 0; k < maker->result->n_fits; k++) {
        const ArcFit *fit = maker->result->fits[k];
        arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                             .role = arc_maker_method_role(fit->method),
                                             .name = arc_maker_method_name(fit->method),
                                             .n = count_fine(fit),
                                             .x = fine_times(maker, fit),
                                             .y = fine_channel(maker, fit, channel)});
    }
    add_points(channels, channel, ARC_POINT_FIT);
    add_points(channels, channel, ARC_POINT_HELD_OUT);
}

/* PINN minus direct within the direct fit's band about zero. */
static void draw_difference(const Channels *channels, const ArcFit *pinn, const ArcFit *direct,
                            int channel)
{
    ArcMaker *maker = channels->maker;
    int n = direct->n_trajectory, C = channels->states->n_channels;
    const double *a = channel_of(maker, pinn, channel), *b = channel_of(maker, direct, channel);
    double *off = ARC_ALLOC(maker->arena, 3 * (size_t)n, double);
    double most = 0.0, most_sd = 0.0;
    if (a == NULL || b == NULL || off == NULL)
        return;
    for (int i = 0; i < n; i++) {
        double sd = channels->sd == NULL ? (double)NAN : channels->sd[i * C + channel];
        off[i] = a[i] - b[i];
        off[n + i] = -within_95 * sd;
        off[2 * n + i] = within_95 * sd;
        most = fmax(most, fabs(off[i]));
        if (sd > 0.0)
            most_sd = fmax(most_sd, fabs(off[i]) / sd);
    }
    ArcFigure *figure = begin(channels, channel, ARC_FIGURES_METHODS, "difference-states",
                              "PINN minus direct, against time");
    if (figure == NULL)
        return;
    figure->y.label = arc_maker_words(maker, "%s, PINN minus direct", figure->y.label);
    figure->caption =
        arc_maker_words(maker, "At most %.3g%s apart", most, arc_maker_unit(maker, figure->y.unit));
    figure->caption =
        channels->sd == NULL
            ? arc_maker_words(maker, "%s.", figure->caption)
            : arc_maker_words(
                  maker, "%s, and %s%.2g of the direct fit's sd, whose 95 %% are the band.",
                  figure->caption, most_sd < least_sd ? "less than " : "", fmax(most_sd, least_sd));
    if (channels->sd != NULL)
        arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_BAND,
                                             .role = ARC_ROLE_EXPECTED,
                                             .name = "95 % of direct",
                                             .n = n,
                                             .x = direct->time_s,
                                             .low = off + n,
                                             .high = off + 2 * n});
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_PINN,
                                         .name = "PINN minus direct",
                                         .n = n,
                                         .x = direct->time_s,
                                         .y = off});
}

/* Which channels stand against each other: of two or three the states, of one of second order it
 * and its rate; how many, 0 for others. */
static int phase_channels(const ArcStatesFit *states)
{
    if (states->n_states == 1 && states->order == 2)
        return 2;
    return states->n_states == 2 || states->n_states == 3 ? states->n_states : 0;
}

/* Points of which all channels of the phase were seen. */
static void add_phase_points(const Channels *channels, int n_axes)
{
    ArcMaker *maker = channels->maker;
    const ArcCapture *capture = maker->result->capture;
    int C = channels->states->n_channels, n = 0;
    size_t room = (size_t)capture->n_points;
    double *x = ARC_ALLOC(maker->arena, 3 * room, double);
    if (x == NULL)
        return;
    for (int i = 0; i < capture->n_points; i++) {
        bool is_whole = capture->use[i] == ARC_POINT_FIT;
        for (int k = 0; k < n_axes; k++)
            is_whole = is_whole && isfinite(capture->position_m[i * C + k]);
        for (int k = 0; k < n_axes && is_whole; k++)
            x[(size_t)k * room + (size_t)n] = capture->position_m[i * C + k];
        n += is_whole ? 1 : 0;
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                         .role = ARC_ROLE_POINTS,
                                         .name = "points",
                                         .n = n,
                                         .x = x,
                                         .y = x + room,
                                         .z = n_axes == 3 ? x + 2 * room : NULL});
}

static void draw_phase(const Channels *channels)
{
    ArcMaker *maker = channels->maker;
    const ArcStatesFit *states = channels->states;
    const ArcChannelFit *of = states->channels;
    int n_axes = phase_channels(states);
    if (n_axes == 0)
        return;
    ArcFigure *figure = arc_maker_figure(maker, ARC_FIGURES_STATES, "states-phase",
                                         "The states against each other");
    if (figure == NULL)
        return;
    figure->x = (ArcAxis){.label = of[0].name, .unit = of[0].unit};
    figure->y = (ArcAxis){.label = of[1].name, .unit = of[1].unit};
    figure->is_space = n_axes == 3;
    if (n_axes == 3)
        figure->z = (ArcAxis){.label = of[2].name, .unit = of[2].unit};
    figure->caption = arc_maker_words(maker, "The way of %s from its start, and where it was seen.",
                                      states->model);
    for (int k = 0; k < maker->result->n_fits; k++) {
        const ArcFit *fit = maker->result->fits[k];
        arc_maker_series(maker,
                         &(ArcSeries){.mark = ARC_MARK_LINE,
                                      .role = arc_maker_method_role(fit->method),
                                      .name = arc_maker_method_name(fit->method),
                                      .n = count_fine(fit),
                                      .x = fine_channel(maker, fit, 0),
                                      .y = fine_channel(maker, fit, 1),
                                      .z = n_axes == 3 ? fine_channel(maker, fit, 2) : NULL});
    }
    const ArcFit *fit = maker->fit;
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                         .role = ARC_ROLE_RELEASE,
                                         .name = "start",
                                         .n = 1,
                                         .x = channel_of(maker, fit, 0),
                                         .y = channel_of(maker, fit, 1),
                                         .z = n_axes == 3 ? channel_of(maker, fit, 2) : NULL});
    add_phase_points(channels, n_axes);
}

ArcStatus arc_make_states(ArcMaker *maker, ArcError *err)
{
    const ArcFit *pinn = arc_result_fit(maker->result, ARC_PINN);
    const ArcFit *direct = arc_result_fit(maker->result, ARC_DIRECT);
    Channels channels = {.maker = maker, .states = maker->fit->states};
    if (channels.states == NULL || maker->fit->n_trajectory < 2)
        return ARC_OK;
    ArcStatus status = predict(&channels, err);
    for (int c = 0; c < channels.states->n_channels && status == ARC_OK; c++)
        draw_channel(&channels, c);
    if (status != ARC_OK)
        return status;
    draw_phase(&channels);
    for (int c = 0; c < channels.states->n_channels; c++)
        if (pinn != NULL && direct != NULL && pinn->n_trajectory == direct->n_trajectory)
            draw_difference(&channels, pinn, direct, c);
    return ARC_OK;
}
