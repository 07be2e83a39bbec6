/* The diagnosis of an experiment's capture: what its parameters leave open is not asked about. */
#include "arcfit/diagnosis.h"
#include "arcfit/experiment.h"

/* Whether some camera's parameter of that kind is free; camera -1: of any. */
static bool is_open(const ArcExperiment *experiment, int measure, int camera)
{
    for (int i = 0; i < experiment->n_parameters; i++) {
        const ArcParameter *parameter = &experiment->parameters[i];
        if (parameter->is_free && parameter->measure == measure &&
            (camera < 0 || parameter->camera == camera))
            return true;
    }
    return false;
}

/* Clocks are compared with the first camera's. */
static bool is_left_open(const ArcExperiment *experiment, const ArcWarning *warning)
{
    return warning->finding == ARC_FINDING_CAMERA_OFFSET &&
           (is_open(experiment, ARC_MEASURE_TIME_OFFSET, warning->axis) ||
            is_open(experiment, ARC_MEASURE_TIME_OFFSET, 0));
}

ArcStatus arc_experiment_diagnose(const ArcExperiment *experiment, const ArcCapture *capture,
                                  ArcDiagnosis *diagnosis, ArcError *err)
{
    ArcFlight flight = experiment->flight;
    int scale = ARC_MEASURE_CORRECTION + ARC_CORRECTION_SCALE;
    int roll = ARC_MEASURE_CORRECTION + ARC_CORRECTION_ROLL;
    /* Gravity measures what is unknown of lengths and times, and of which way is down. */
    if (is_open(experiment, scale, -1) || is_open(experiment, ARC_MEASURE_CLOCK_RATE, -1))
        flight.settings.has_gravity = true;
    if (is_open(experiment, roll, -1))
        flight.settings.has_tilt[0] = true;
    ArcStatus status = arc_diagnosis_create(capture, &flight, !experiment->capture.sigma_estimated,
                                            diagnosis, err);
    int n = 0;
    for (int i = 0; status == ARC_OK && i < diagnosis->n_warnings; i++)
        if (!is_left_open(experiment, &diagnosis->warnings[i]))
            diagnosis->warnings[n++] = diagnosis->warnings[i];
    if (status == ARC_OK)
        diagnosis->n_warnings = n;
    return status;
}
