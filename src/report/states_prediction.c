/* See states_prediction.h. A held-out number is judged by its difference over
 * sqrt(sigma^2 + sd^2): noise of the measurement and of the prediction. */
#include "report/states_prediction.h"

#include "report/states_parts.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>

enum { TIME_WIDTH = 12, VALUE_WIDTH = 21, CHANNEL_WIDTH = 11, MOST_COLUMNS = 3 };

/* One held-out number of one channel. */
typedef struct HeldOut {
    int channel;
    double time_s, observed, sigma, value, sd, in_sd;
} HeldOut;

/* Of what a channel's come to. */
typedef struct Score {
    int n;         /* with a difference */
    int n_chi2;    /* with an sd as well */
    double square; /* sum of the differences' */
    double chi2;
} Score;

/* Steps through the held-out numbers in the capture's order. */
typedef struct Walk {
    const ArcResult *result;
    const ArcPredicted *predicted;
    double factor; /* all sigmas of the capture times this were in force */
    int point, row, channel;
} Walk;

static Walk walk_begin(const ArcResult *result, const ArcPredicted *predicted)
{
    const ArcFit *fit = arc_result_fit(result, predicted->method);
    bool is_scaled = fit != NULL && fit->spread.sigma_estimated;
    return (Walk){.result = result,
                  .predicted = predicted,
                  .factor = is_scaled ? fit->spread.sigma_factor : 1.0};
}

static bool walk_next(Walk *walk, HeldOut *next)
{
    const ArcCapture *capture = walk->result->capture;
    int n = capture->dimensions;
    for (; walk->point < capture->n_points && walk->row < walk->predicted->n_held_out;
         walk->point++, walk->channel = 0) {
        if (capture->use[walk->point] != ARC_POINT_HELD_OUT)
            continue;
        for (; walk->channel < n; walk->channel++) {
            int at = walk->point * n + walk->channel, from = walk->row * n + walk->channel;
            if (isnan(capture->position_m[at]))
                continue;
            *next = (HeldOut){.channel = walk->channel++,
                              .time_s = capture->time_s[walk->point],
                              .observed = capture->position_m[at],
                              .sigma = walk->factor * capture->sigma_m[at],
                              .value = walk->predicted->held_out.x_m[from],
                              .sd = walk->predicted->held_out.x_sd_m[from]};
            next->in_sd = (next->value - next->observed) /
                          sqrt(next->sigma * next->sigma + next->sd * next->sd);
            return true;
        }
        walk->row++;
    }
    return false;
}

static void scores_add(Score *scores, const HeldOut *one)
{
    Score *score = &scores[one->channel];
    double off = one->value - one->observed;
    if (!isfinite(off))
        return;
    score->n++;
    score->square += off * off;
    if (!isfinite(one->in_sd))
        return;
    score->n_chi2++;
    score->chi2 += one->in_sd * one->in_sd;
}

/* Channels first to last at the asked times. */
static void states_table(ArcText *table, const ArcStatesFit *states, const ArcPredicted *predicted,
                         int first, int last)
{
    char cell[2 * ARC_TABLE_NUMBER];
    arc_table_cell(table, TIME_WIDTH, "time (s)");
    for (int c = first; c < last; c++) {
        const ArcChannelFit *channel = &states->channels[c];
        snprintf(cell, sizeof cell, "%.40s (%.40s)", channel->name, channel->unit);
        if (c + 1 < last)
            arc_table_cell(table, VALUE_WIDTH, cell);
        else
            arc_table_last(table, 0, cell);
    }
    for (int i = 0; i < predicted->n_states; i++) {
        arc_table_cell(table, TIME_WIDTH, arc_table_plain(cell, predicted->t_s[i], 8));
        for (int c = first; c < last; c++) {
            int at = i * states->n_channels + c;
            arc_table_value(cell, predicted->states.x_m[at], predicted->states.x_sd_m[at], 1);
            if (c + 1 < last)
                arc_table_cell(table, VALUE_WIDTH, cell);
            else
                arc_table_last(table, 0, cell);
        }
    }
    arc_text_append(table, "\n");
}

static void held_out_row(ArcText *table, const ArcStatesFit *states, const HeldOut *one,
                         bool is_first)
{
    char cell[ARC_TABLE_NUMBER];
    arc_table_cell(table, TIME_WIDTH, is_first ? arc_table_plain(cell, one->time_s, 8) : "");
    arc_table_cell(table, CHANNEL_WIDTH, states->channels[one->channel].name);
    arc_table_cell(table, 12, arc_table_number(cell, one->observed, one->sigma));
    arc_table_cell(table, 22, arc_table_value(cell, one->value, one->sd, 1));
    arc_text_append(table, "%11s", arc_table_plain(cell, one->value - one->observed, 3));
    arc_text_append(table, " %6s\n", arc_table_plain(cell, one->in_sd, 2));
}

static void scores_text(ArcText *table, const ArcStatesFit *states, const Score *scores)
{
    char rms[ARC_TABLE_NUMBER], chi2[ARC_TABLE_NUMBER];
    ArcText line = {0};
    int n = 0;
    for (int c = 0; c < states->n_channels; c++) {
        const Score *score = &scores[c];
        const char *unit = states->channels[c].unit;
        if (score->n == 0)
            continue;
        bool has_unit = unit[0] != '1' || unit[1] != '\0';
        arc_text_append(&line, "%s: rms %s%s%s over %d; chi2 %s of %d", states->channels[c].name,
                        arc_table_plain(rms, sqrt(score->square / score->n), 3),
                        has_unit ? " " : "", has_unit ? unit : "", score->n,
                        arc_table_plain(chi2, score->chi2, 4), score->n_chi2);
        arc_table_entry_of(table, n++ == 0 ? "score" : "", &line);
    }
}

void arc_states_prediction_text(ArcText *table, const ArcResult *result,
                                const ArcPredicted *predicted)
{
    const ArcStatesFit *states = arc_states_parts_of_result(result);
    Score scores[ARC_EQUATIONS_MAX_CHANNELS] = {{0}};
    for (int c = 0; predicted->n_states > 0 && c < states->n_channels; c += MOST_COLUMNS)
        states_table(table, states, predicted, c,
                     c + MOST_COLUMNS < states->n_channels ? c + MOST_COLUMNS : states->n_channels);
    if (predicted->n_held_out == 0)
        return;
    HeldOut one;
    Walk walk = walk_begin(result, predicted);
    arc_text_append(table, "%-*s %-*s %-12s %-22s %11s %6s\n", TIME_WIDTH, "held out (s)",
                    CHANNEL_WIDTH, "channel", "observed", "predicted", "differ", "in sd");
    for (int last = -1; walk_next(&walk, &one); last = walk.point) {
        held_out_row(table, states, &one, walk.point != last);
        scores_add(scores, &one);
    }
    arc_text_append(table, "\n");
    scores_text(table, states, scores);
}

static json_t *value_json(ArcJson *json, const ArcChannelFit *channel, double value, double sd)
{
    json_t *object = arc_json_object(json);
    arc_json_put_string(json, object, "unit", channel->unit);
    arc_json_put_number(json, object, "value", value);
    arc_json_put_number(json, object, "sd", sd);
    return object;
}

static json_t *states_json(ArcJson *json, const ArcStatesFit *states, const ArcPredicted *predicted)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < predicted->n_states; i++) {
        json_t *object = arc_json_object(json), *channels = arc_json_object(json);
        for (int c = 0; c < states->n_channels; c++) {
            int at = i * states->n_channels + c;
            arc_json_put(json, channels, states->channels[c].name,
                         value_json(json, &states->channels[c], predicted->states.x_m[at],
                                    predicted->states.x_sd_m[at]));
        }
        arc_json_put_number(json, object, "time_s", predicted->t_s[i]);
        arc_json_put(json, object, "channels", channels);
        arc_json_push(json, array, object);
    }
    return array;
}

/* The held-out numbers point by point, and what they come to. */
static json_t *held_out_json(ArcJson *json, const ArcStatesFit *states, Walk walk, Score *scores)
{
    json_t *array = arc_json_array(json), *channels = NULL;
    HeldOut one;
    for (int last = -1; walk_next(&walk, &one); last = walk.point) {
        if (walk.point != last) {
            json_t *object = arc_json_object(json);
            channels = arc_json_object(json);
            arc_json_put_number(json, object, "time_s", one.time_s);
            arc_json_put(json, object, "channels", channels);
            arc_json_push(json, array, object);
        }
        const ArcChannelFit *channel = &states->channels[one.channel];
        json_t *value = value_json(json, channel, one.value, one.sd);
        arc_json_put_number(json, value, "observed", one.observed);
        arc_json_put_number(json, value, "sigma", one.sigma);
        arc_json_put_number(json, value, "in_sd", one.in_sd);
        arc_json_put(json, channels, channel->name, value);
        scores_add(scores, &one);
    }
    return array;
}

void arc_states_prediction_json(ArcJson *json, json_t *object, const ArcResult *result,
                                const ArcPredicted *predicted)
{
    const ArcStatesFit *states = arc_states_parts_of_result(result);
    Score scores[ARC_EQUATIONS_MAX_CHANNELS] = {{0}};
    json_t *channels = arc_json_array(json);
    double chi2 = 0.0;
    arc_json_put(json, object, "states", states_json(json, states, predicted));
    arc_json_put(json, object, "held_out",
                 held_out_json(json, states, walk_begin(result, predicted), scores));
    for (int c = 0; c < states->n_channels; c++) {
        const Score *score = &scores[c];
        json_t *row = arc_json_object(json);
        arc_json_put_string(json, row, "name", states->channels[c].name);
        arc_json_put_string(json, row, "unit", states->channels[c].unit);
        arc_json_put_integer(json, row, "points", score->n);
        arc_json_put_number(json, row, "rms",
                            score->n > 0 ? sqrt(score->square / score->n) : (double)NAN);
        arc_json_put_number(json, row, "chi2", score->chi2);
        arc_json_push(json, channels, row);
        chi2 += score->chi2;
    }
    arc_json_put(json, object, "held_out_channels", channels);
    arc_json_put_integer(json, object, "held_out_points", predicted->n_held_out);
    arc_json_put_number(json, object, "held_out_rms_m", NAN); /* units differ */
    arc_json_put_number(json, object, "held_out_chi2", chi2);
}
