/* arcfit predict: states with bands from a result, crossings of a plane, held-out points scored. */
#include "cli/commands.h"
#include "cli/output.h"

#include "arcfit/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double predict_limit_s = 60.0;

/* All numbers of one prediction, in one block. */
typedef struct Prediction {
    ArcPredicted predicted;
    ArcCrossing *crossings;
    double *block;
} Prediction;

static ArcPrediction prediction_rows(double *block, size_t size)
{
    return (ArcPrediction){block, block + size, block + 2 * size, block + 3 * size, NULL};
}

static ArcStatus prediction_reserve(Prediction *p, const ArcOptions *options,
                                    const ArcCapture *capture, ArcError *err)
{
    size_t d = (size_t)capture->dimensions, n = (size_t)options->n_times;
    size_t held = options->held_out ? (size_t)capture->n_held_out : 0;
    p->block = malloc((4 * d * (n + held) + held + 1) * sizeof(double));
    p->crossings = calloc((size_t)options->n_planes + 1, sizeof *p->crossings);
    if (p->block == NULL || p->crossings == NULL)
        return arc_error_set(err, ARC_MEMORY, "error: out of memory");
    p->predicted.states = prediction_rows(p->block, n * d);
    p->predicted.held_out = prediction_rows(p->block + 4 * n * d, held * d);
    return ARC_OK;
}

/* States at the held-out points from t0 on; NaN before. */
static ArcStatus predict_held_out(Prediction *p, const ArcExperiment *experiment, const ArcFit *fit,
                                  const ArcCapture *capture, ArcError *err)
{
    int n = 0, early = 0, d = capture->dimensions;
    double t0 = -INFINITY;
    double *times = p->predicted.held_out.v_sd_m_s + capture->n_held_out * d;
    for (int i = 0; i < fit->n_parameters; i++) {
        if (strcmp(fit->parameters[i].name, "t0") == 0)
            t0 = fit->parameters[i].value;
    }
    for (int i = 0; i < capture->n_points; i++) {
        if (capture->use[i] != ARC_POINT_HELD_OUT)
            continue;
        times[n++] = capture->time_s[i];
        early += capture->time_s[i] < t0 ? 1 : 0;
    }
    ArcPrediction *rows = &p->predicted.held_out;
    double *const starts[] = {rows->x_m, rows->v_m_s, rows->x_sd_m, rows->v_sd_m_s};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < early * d; i++)
            starts[k][i] = NAN;
    }
    p->predicted.n_held_out = n;
    const ArcPrediction later = {rows->x_m + early * d, rows->v_m_s + early * d,
                                 rows->x_sd_m + early * d, rows->v_sd_m_s + early * d, NULL};
    if (n == early)
        return ARC_OK;
    return arc_predict_state(experiment, fit, n - early, times + early, &later, err);
}

static ArcStatus predict_all(Prediction *p, const ArcOptions *options, const ArcResult *result,
                             const ArcExperiment *experiment, ArcError *err)
{
    const ArcFit *direct = arc_result_fit(result, ARC_DIRECT);
    const ArcFit *fit = direct != NULL ? direct : result->fits[0];
    int d = result->capture->dimensions;
    ArcStatus status = prediction_reserve(p, options, result->capture, err);
    p->predicted.method = fit->method;
    p->predicted.n_states = options->n_times;
    p->predicted.t_s = options->times_s;
    p->predicted.n_crossings = options->n_planes;
    p->predicted.planes = options->planes;
    p->predicted.crossings = p->crossings;
    if (status == ARC_OK && options->n_times > 0)
        status = arc_predict_state(experiment, fit, options->n_times, options->times_s,
                                   &p->predicted.states, err);
    for (int i = 0; i < options->n_planes && status == ARC_OK; i++) {
        if (options->planes[i].axis >= d)
            return arc_error_set(err, ARC_USAGE, "error: --plane z: this flight is in the plane");
        status = arc_predict_crossing(experiment, fit, options->planes[i], predict_limit_s,
                                      &p->crossings[i], err);
    }
    if (status == ARC_OK && options->held_out)
        status = predict_held_out(p, experiment, fit, result->capture, err);
    return status;
}

static int predict_print(const ArcOptions *options, const ArcResult *result,
                         const ArcPredicted *predicted)
{
    ArcError err;
    char *text = NULL;
    int code = 0;
    if (arc_output_is_text_wanted(options)) {
        ArcStatus status = arc_report_prediction_text(result, predicted, &text, &err);
        code = arc_output_text(status, text, &err);
    }
    if (code == 0 && options->json != NULL) {
        ArcStatus status = arc_report_prediction_json(result, predicted, &text, &err);
        code = arc_output_json(status, text, options->json, &err);
    }
    for (int i = 0; i < predicted->n_crossings && code == 0; i++) {
        if (!predicted->crossings[i].crossed)
            code = arc_status_exit_code(ARC_NUMERIC);
    }
    return code;
}

static ArcStatus predict_check(const ArcOptions *options, const ArcResult *result, ArcError *err)
{
    if (options->n_times == 0 && options->n_planes == 0 && !options->held_out)
        return arc_error_set(err, ARC_USAGE,
                             "error: predict what? --at TIME..., --plane y=3.05m, --held-out");
    if (options->n_planes > 0 && result->model_text != NULL)
        return arc_error_set(err, ARC_USAGE,
                             "error: --plane is for flights; own equations have states without "
                             "planes: ask with --at TIME...");
    if (options->held_out && result->capture->n_cameras > 0)
        return arc_error_set(err, ARC_INPUT,
                             "error: held-out points of cameras are scored by the fit itself, in "
                             "pixels; look at its report");
    if (options->held_out && result->capture->n_held_out == 0)
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){options->operands[0], 1, 1},
                                "no points were held out; give capture.hold_out and fit again");
    return ARC_OK;
}

/* One of several flights as if it were the only one. */
static ArcStatus predict_choose(const ArcOptions *options, const ArcResult *result, ArcResult *one,
                                ArcError *err)
{
    const char *word = result->model_text != NULL ? "run" : "flight";
    *one = *result;
    if (result->n_flights == 0 && options->flight > 0)
        return arc_error_set(err, ARC_USAGE,
                             "error: --flight %d: this result has one %s; leave it out",
                             options->flight, word);
    if (result->n_flights == 0)
        return ARC_OK;
    int flight = options->flight == 0 && result->n_flights == 1 ? 1 : options->flight;
    if (flight < 1 || flight > result->n_flights)
        return arc_error_set(err, ARC_USAGE, "error: which of %d %ss? --flight 1 to --flight %d",
                             result->n_flights, word, result->n_flights);
    *one = arc_result_of_flight(result, flight - 1);
    return ARC_OK;
}

int arc_command_predict(const ArcOptions *options)
{
    ArcResult *result = NULL, one;
    ArcExperiment *experiment = NULL;
    Prediction prediction = {0};
    ArcError err;
    ArcStatus status = arc_report_read_hdf5(options->operands[0], &result, &err);
    if (status == ARC_OK)
        status = predict_choose(options, result, &one, &err);
    if (status == ARC_OK)
        status = predict_check(options, &one, &err);
    if (status == ARC_OK)
        status = arc_output_restore(&one, &experiment, &err);
    if (status == ARC_OK)
        status = predict_all(&prediction, options, &one, experiment, &err);
    int code = status == ARC_OK ? predict_print(options, &one, &prediction.predicted)
                                : arc_output_error(&err);
    free(prediction.block);
    free(prediction.crossings);
    arc_experiment_free(experiment);
    arc_result_free(result);
    return code;
}
