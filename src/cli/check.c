/* arcfit check: what will be fitted, what the data can identify, and what is wrong with them. */
#include "cli/commands.h"
#include "cli/output.h"

#include "arcfit/diagnosis.h"
#include "arcfit/report.h"

/* The forecast of what the data can tell, made from scratch of its own. */
static ArcStatus check_forecast(const ArcOptions *options, ArcExperiment **experiment,
                                ArcCapture **capture, ArcFit **forecast, ArcError *err)
{
    ArcProblem *problem = NULL;
    ArcStatus status = arc_experiment_read(options->operands[0], options->n_overrides,
                                           options->overrides, experiment, err);
    if (status == ARC_OK)
        status = arc_capture_read(&(*experiment)->capture, capture, err);
    if (status == ARC_OK && !options->quiet)
        arc_output_notes(*capture);
    if (status == ARC_OK)
        status = arc_problem_create(*experiment, *capture, &problem, err);
    if (status == ARC_OK)
        status = arc_fit_forecast(problem, forecast, err);
    arc_problem_free(problem);
    return status;
}

int arc_command_check(const ArcOptions *options)
{
    ArcExperiment *experiment = NULL;
    ArcCapture *capture = NULL;
    ArcFit *forecast = NULL;
    ArcDiagnosis diagnosis;
    ArcError err;
    char *text = NULL;
    int code = 0;
    ArcStatus status = check_forecast(options, &experiment, &capture, &forecast, &err);
    if (status == ARC_OK)
        status = arc_diagnosis_create(capture, &experiment->flight,
                                      !experiment->capture.sigma_estimated, &diagnosis, &err);
    if (status != ARC_OK)
        code = arc_output_error(&err);
    if (status == ARC_OK && arc_output_is_text_wanted(options)) {
        ArcStatus made =
            arc_report_check_text(experiment, capture, forecast, &diagnosis, &text, &err);
        code = arc_output_text(made, text, &err);
    }
    if (status == ARC_OK && code == 0 && options->json != NULL) {
        ArcStatus made =
            arc_report_check_json(experiment, capture, forecast, &diagnosis, &text, &err);
        code = arc_output_json(made, text, options->json, &err);
    }
    if (status == ARC_OK && code == 0 && forecast->n_unidentified > 0)
        code = arc_status_exit_code(ARC_NUMERIC);
    arc_fit_free(forecast);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
    return code;
}
