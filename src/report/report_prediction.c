/* Predicted states, crossings and held-out points with their bands: what `arcfit predict` prints.
 *
 * A held-out coordinate is judged by its difference over sqrt(sigma^2 + sd^2): noise of the camera
 * and of the prediction.
 */
#include "arcfit/report.h"

#include "io/json.h"
#include "report/document.h"
#include "report/states_parts.h"
#include "report/states_prediction.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>

static const char *const axis_names[3] = {"x", "y", "z"};

/* One table of positions or velocities at the asked times. */
static void prediction_table(ArcText *table, const ArcPredicted *predicted, int d, bool velocity)
{
    char value[ARC_TABLE_NUMBER];
    arc_table_cell(table, 12, "time (s)");
    for (int c = 0; c < d; c++) {
        snprintf(value, sizeof value, velocity ? "v%s (m/s)" : "%s (m)", axis_names[c]);
        if (c + 1 < d)
            arc_table_cell(table, 21, value);
        else
            arc_table_last(table, 0, value);
    }
    for (int i = 0; i < predicted->n_states; i++) {
        const double *values = velocity ? predicted->states.v_m_s : predicted->states.x_m;
        const double *sds = velocity ? predicted->states.v_sd_m_s : predicted->states.x_sd_m;
        arc_table_cell(table, 12, arc_table_plain(value, predicted->t_s[i], 8));
        for (int c = 0; c < d; c++) {
            arc_table_value(value, values[i * d + c], sds[i * d + c], 1);
            if (c + 1 < d)
                arc_table_cell(table, 21, value);
            else
                arc_table_last(table, 0, value);
        }
    }
    arc_text_append(table, "\n");
}

static void prediction_crossing(ArcText *table, const ArcPredicted *predicted, int i, int d)
{
    char label[ARC_TABLE_NUMBER], value[ARC_TABLE_NUMBER];
    const ArcCrossing *s = &predicted->crossings[i];
    arc_table_plain(value, predicted->planes[i].level_m, 6);
    snprintf(label, sizeof label, "%s = %.24s m", axis_names[predicted->planes[i].axis], value);
    arc_table_cell(table, 16, label);
    if (!s->crossed) {
        arc_table_last(table, 0, "is not crossed");
        return;
    }
    arc_text_append(table, "at %s s\n", arc_table_value(value, s->t_s, s->t_sd_s, 1));
    for (int c = 0; c < d; c++) {
        arc_text_append(table, "%16s %s ", "", axis_names[c]);
        arc_table_cell(table, 22, arc_table_value(value, s->x_m[c], s->x_sd_m[c], 1));
        arc_text_append(table, "m     v%s ", axis_names[c]);
        arc_text_append(table, "%s m/s\n", arc_table_value(value, s->v_m_s[c], s->v_sd_m_s[c], 1));
    }
}

/* Rows of the capture that are held out, and what they sum up to. */
typedef struct HeldOutScore {
    int points;
    int coordinates; /* with a distance */
    double squares_m2;
    int n_chi2; /* coordinates with an sd as well */
    double chi2;
} HeldOutScore;

static double held_out_in_sd(double observed, double sigma, double predicted, double sd)
{
    return (predicted - observed) / sqrt(sigma * sigma + sd * sd);
}

/* All sigmas of the capture times this were in force. */
static double held_out_factor(const ArcResult *result, const ArcPredicted *predicted)
{
    const ArcFit *fit = arc_result_fit(result, predicted->method);
    return fit != NULL && fit->spread.sigma_estimated ? fit->spread.sigma_factor : 1.0;
}

static HeldOutScore held_out_score(const ArcResult *result, const ArcPredicted *predicted)
{
    const ArcCapture *capture = result->capture;
    HeldOutScore score = {0};
    int d = capture->dimensions;
    double factor = held_out_factor(result, predicted);
    for (int i = 0, k = 0; i < capture->n_points && k < predicted->n_held_out; i++) {
        if (capture->use[i] != ARC_POINT_HELD_OUT)
            continue;
        const double *x = predicted->held_out.x_m + k * d;
        const double *sd = predicted->held_out.x_sd_m + k * d;
        int before = score.coordinates;
        k++;
        for (int c = 0; c < d; c++) {
            double observed = capture->position_m[i * d + c];
            double in_sd =
                held_out_in_sd(observed, factor * capture->sigma_m[i * d + c], x[c], sd[c]);
            double off_m = x[c] - observed;
            if (!isfinite(off_m))
                continue;
            score.coordinates++;
            score.squares_m2 += off_m * off_m;
            if (!isfinite(in_sd))
                continue;
            score.n_chi2++;
            score.chi2 += in_sd * in_sd;
        }
        score.points += score.coordinates > before ? 1 : 0;
    }
    return score;
}

/* Root mean square distance of a coordinate, as a fit's held_out_rms_m. */
static double held_out_rms(const HeldOutScore *score)
{
    return score->coordinates > 0 ? sqrt(score->squares_m2 / score->coordinates) : NAN;
}

static void prediction_held_out(ArcText *table, const ArcResult *result,
                                const ArcPredicted *predicted)
{
    const ArcCapture *capture = result->capture;
    double factor = held_out_factor(result, predicted);
    char value[ARC_TABLE_NUMBER], line[128], second[ARC_TABLE_NUMBER];
    int d = capture->dimensions;
    arc_text_append(table, "%-12s %-4s %-13s %-22s %13s %8s\n", "held out (s)", "axis",
                    "observed (m)", "predicted (m)", "differ (mm)", "in sd");
    for (int i = 0, k = 0; i < capture->n_points && k < predicted->n_held_out; i++) {
        if (capture->use[i] != ARC_POINT_HELD_OUT)
            continue;
        const double *x = predicted->held_out.x_m + k * d;
        const double *sd = predicted->held_out.x_sd_m + k * d;
        k++;
        for (int c = 0; c < d; c++) {
            double observed = capture->position_m[i * d + c];
            double sigma = factor * capture->sigma_m[i * d + c];
            arc_table_cell(table, 12, c == 0 ? arc_table_plain(value, capture->time_s[i], 8) : "");
            arc_table_cell(table, 4, axis_names[c]);
            arc_table_cell(table, 13, arc_table_number(value, observed, sigma));
            arc_table_cell(table, 22, arc_table_value(value, x[c], sd[c], 1));
            arc_text_append(table, "%13s", arc_table_plain(value, 1e3 * (x[c] - observed), 3));
            arc_table_plain(value, held_out_in_sd(observed, sigma, x[c], sd[c]), 2);
            arc_text_append(table, " %8s\n", value);
        }
    }
    HeldOutScore score = held_out_score(result, predicted);
    snprintf(line, sizeof line, "rms %.24s mm over %d points; chi2 %.24s of %d coordinates",
             arc_table_plain(value, 1e3 * held_out_rms(&score), 3), score.points,
             arc_table_plain(second, score.chi2, 4), score.n_chi2);
    arc_text_append(table, "\n");
    arc_table_entry(table, "score", line);
}

ArcStatus arc_report_prediction_text(const ArcResult *result, const ArcPredicted *predicted,
                                     char **text, ArcError *err)
{
    ArcText table = {0};
    int d = result->capture->dimensions;
    arc_table_last(&table, ARC_TABLE_WIDTH, result->name);
    arc_table_entry(&table, "experiment", result->experiment_path);
    arc_table_entry(&table, "estimate", predicted->method == ARC_PINN ? "PINN" : "direct");
    arc_text_append(&table, "\n");
    if (arc_states_parts_of_result(result) != NULL) {
        arc_states_prediction_text(&table, result, predicted);
        return arc_text_finish(&table, text, err);
    }
    if (predicted->n_states > 0) {
        prediction_table(&table, predicted, d, false);
        prediction_table(&table, predicted, d, true);
    }
    for (int i = 0; i < predicted->n_crossings; i++)
        prediction_crossing(&table, predicted, i, d);
    if (predicted->n_held_out > 0)
        prediction_held_out(&table, result, predicted);
    return arc_text_finish(&table, text, err);
}

/* The i-th state of rows. */
static json_t *prediction_state(ArcJson *json, double t_s, const ArcPrediction *rows, int i, int d)
{
    json_t *object = arc_json_object(json);
    arc_json_put_number(json, object, "time_s", t_s);
    arc_json_put(json, object, "position_m", arc_json_vector(json, d, rows->x_m + i * d));
    arc_json_put(json, object, "position_sd_m", arc_json_vector(json, d, rows->x_sd_m + i * d));
    arc_json_put(json, object, "velocity_m_s", arc_json_vector(json, d, rows->v_m_s + i * d));
    arc_json_put(json, object, "velocity_sd_m_s", arc_json_vector(json, d, rows->v_sd_m_s + i * d));
    return object;
}

static json_t *prediction_crossings(ArcJson *json, const ArcPredicted *predicted, int d)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < predicted->n_crossings; i++) {
        ArcCrossing c = predicted->crossings[i];
        const ArcPrediction there = {c.x_m, c.v_m_s, c.x_sd_m, c.v_sd_m_s, NULL};
        json_t *object =
            c.crossed ? prediction_state(json, c.t_s, &there, 0, d) : arc_json_object(json);
        if (c.crossed)
            arc_json_put_number(json, object, "time_sd_s", c.t_sd_s);
        arc_json_put_string(json, object, "axis", axis_names[predicted->planes[i].axis]);
        arc_json_put_number(json, object, "level_m", predicted->planes[i].level_m);
        arc_json_put_bool(json, object, "crossed", c.crossed);
        arc_json_push(json, array, object);
    }
    return array;
}

static json_t *prediction_scores(ArcJson *json, const ArcResult *result,
                                 const ArcPredicted *predicted)
{
    const ArcCapture *capture = result->capture;
    json_t *array = arc_json_array(json);
    int d = capture->dimensions;
    double factor = held_out_factor(result, predicted);
    for (int i = 0, k = 0; i < capture->n_points && k < predicted->n_held_out; i++) {
        if (capture->use[i] != ARC_POINT_HELD_OUT)
            continue;
        json_t *object = prediction_state(json, capture->time_s[i], &predicted->held_out, k, d);
        double in_sd[3], sigma_m[3];
        for (int c = 0; c < d; c++) {
            sigma_m[c] = factor * capture->sigma_m[i * d + c];
            in_sd[c] = held_out_in_sd(capture->position_m[i * d + c], sigma_m[c],
                                      predicted->held_out.x_m[k * d + c],
                                      predicted->held_out.x_sd_m[k * d + c]);
        }
        k++;
        arc_json_put(json, object, "observed_m",
                     arc_json_vector(json, d, capture->position_m + i * d));
        arc_json_put(json, object, "sigma_m", arc_json_vector(json, d, sigma_m));
        arc_json_put(json, object, "in_sd", arc_json_vector(json, d, in_sd));
        arc_json_push(json, array, object);
    }
    return array;
}

ArcStatus arc_report_prediction_json(const ArcResult *result, const ArcPredicted *predicted,
                                     char **text, ArcError *err)
{
    ArcJson json = {0};
    int d = result->capture->dimensions;
    json_t *object = arc_document_head(&json, result->version, result->experiment_path,
                                       result->name, result->seed);
    if (arc_states_parts_of_result(result) != NULL) {
        arc_json_put_string(&json, object, "method",
                            predicted->method == ARC_PINN ? "pinn" : "direct");
        arc_states_prediction_json(&json, object, result, predicted);
        return arc_json_text(&json, object, text, err);
    }
    HeldOutScore score = held_out_score(result, predicted);
    json_t *states = arc_json_array(&json);
    for (int i = 0; i < predicted->n_states; i++)
        arc_json_push(&json, states,
                      prediction_state(&json, predicted->t_s[i], &predicted->states, i, d));
    arc_json_put_string(&json, object, "method", predicted->method == ARC_PINN ? "pinn" : "direct");
    arc_json_put(&json, object, "states", states);
    arc_json_put(&json, object, "crossings", prediction_crossings(&json, predicted, d));
    arc_json_put(&json, object, "held_out", prediction_scores(&json, result, predicted));
    arc_json_put_integer(&json, object, "held_out_points", score.points);
    arc_json_put_number(&json, object, "held_out_rms_m", held_out_rms(&score));
    arc_json_put_number(&json, object, "held_out_chi2", score.chi2);
    return arc_json_text(&json, object, text, err);
}
