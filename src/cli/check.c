/* arcfit check: what will be fitted, what the data can identify, and what is wrong with them. */
#include "cli/commands.h"
#include "cli/output.h"

#include "arcfit/diagnosis.h"
#include "arcfit/joint.h"
#include "arcfit/report.h"

/* The forecast of what the data can tell, made from scratch of its own; *shown is the capture that
 * it is about, of several flights the one that tells what is wrong. */
static ArcStatus check_forecast(const ArcExperiment *experiment, const ArcCaptures *captures,
                                const ArcCapture **shown, ArcFit **forecast, ArcError *err)
{
    ArcProblem *problem = NULL;
    ArcJoint *joint = NULL;
    ArcStatus status;
    if (captures->n > 1 || experiment->closure.is_on) {
        status = arc_joint_create(experiment, captures->n, captures->captures, &joint, err);
        if (status == ARC_OK)
            status = arc_joint_forecast(joint, forecast, err);
    } else {
        status = arc_problem_create(experiment, captures->captures[0], &problem, err);
        if (status == ARC_OK)
            status = arc_fit_forecast(problem, forecast, err);
    }
    if (status == ARC_OK)
        *shown = captures->captures[arc_joint_telling_flight(*forecast)];
    arc_problem_free(problem);
    arc_joint_free(joint);
    return status;
}

static bool check_is_identified(const ArcFit *forecast)
{
    bool identified = forecast->n_unidentified == 0;
    for (int f = 0; f < forecast->n_flights; f++)
        identified = identified && forecast->flights[f].n_unidentified == 0;
    return identified;
}

int arc_command_check(const ArcOptions *options)
{
    ArcExperiment *experiment = NULL;
    ArcCaptures *captures = NULL;
    const ArcCapture *capture = NULL;
    ArcFit *forecast = NULL;
    ArcDiagnosis diagnosis;
    ArcError err;
    char *text = NULL;
    int code = 0;
    ArcStatus status = arc_experiment_read(options->operands[0], options->n_overrides,
                                           options->overrides, &experiment, &err);
    for (int i = 0; status == ARC_OK && options->json != NULL && i < experiment->n_captures; i++)
        status = arc_output_check_capture(options->json, &experiment->captures[i], &err);
    if (status == ARC_OK)
        status = arc_captures_read(experiment->n_captures, experiment->captures, &captures, &err);
    if (status == ARC_OK && !options->quiet)
        arc_output_notes(captures);
    if (status == ARC_OK)
        status = check_forecast(experiment, captures, &capture, &forecast, &err);
    if (status == ARC_OK && experiment->equations == NULL) {
        ArcOpen open = arc_experiment_open(experiment, capture);
        status =
            arc_diagnosis_create(capture, &experiment->flight, !experiment->capture.sigma_estimated,
                                 &open, &diagnosis, &err);
    }
    if (status != ARC_OK)
        code = arc_output_error(&err);
    /* A diagnosis lays a flight through the points. */
    const ArcDiagnosis *found =
        status == ARC_OK && experiment->equations == NULL ? &diagnosis : NULL;
    if (status == ARC_OK && arc_output_is_text_wanted(options)) {
        ArcStatus made = arc_report_check_text(experiment, capture, forecast, found, &text, &err);
        code = arc_output_text(made, text, &err);
    }
    if (status == ARC_OK && code == 0 && options->json != NULL) {
        ArcStatus made = arc_report_check_json(experiment, capture, forecast, found, &text, &err);
        code = arc_output_json(made, text, options->json, &err);
    }
    if (status == ARC_OK && code == 0 && !check_is_identified(forecast))
        code = arc_status_exit_code(ARC_NUMERIC);
    arc_fit_free(forecast);
    arc_captures_free(captures);
    arc_experiment_free(experiment);
    return code;
}
