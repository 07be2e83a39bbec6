/* The sizes of a problem of own equations, and what such a problem cannot have. */
#include "fit/system.h"

#include <math.h>

static ArcStatus refuse_settings(const ArcExperiment *experiment, ArcError *err)
{
    const ArcPinnSettings *pinn = &experiment->pinn;
    for (int i = 0; experiment->use_pinn && i < pinn->n_stages; i++)
        if (pinn->stages[i].optimizer != ARC_OPTIMIZER_LINEAR)
            return arc_error_set_at(err, ARC_INPUT, experiment->capture.place,
                                    "with own equations the net is trained by its linear stage "
                                    "alone, not by %s; leave pinn.train out",
                                    arc_optimizer_name((int)pinn->stages[i].optimizer));
    if (experiment->use_pinn && (pinn->sigma_phys_m_s2 > 0.0 || pinn->physics_auto))
        return arc_error_set_at(err, ARC_INPUT, experiment->capture.place,
                                "with own equations fit.pinn.physics is exact alone, whose states "
                                "have units of their own; leave it out");
    return ARC_OK;
}

ArcStatus arc_system_shape(ArcProblem *problem, const ArcExperiment *experiment,
                           const ArcCapture *capture, ArcError *err)
{
    const ArcEquations *equations = experiment->equations;
    int n = equations->n_parameters + 1 + equations->n_channels;
    if (experiment->n_parameters != n)
        return arc_error_set(err, ARC_USAGE,
                             "error: the experiment has %d parameters, its model %d with t0 and "
                             "starts; make both of one model",
                             experiment->n_parameters, n);
    if (capture->n_channels != equations->n_channels ||
        capture->dimensions != equations->n_channels)
        return arc_error_set_at(err, ARC_INPUT, experiment->capture.place,
                                "the capture has %d channels, the model %d; make them one",
                                capture->n_channels, equations->n_channels);
    ArcStatus status = refuse_settings(experiment, err);
    if (status != ARC_OK)
        return status;
    problem->equations = equations;
    problem->d = problem->D = equations->n_states;
    problem->n_axes = equations->n_channels;
    problem->t0_index = equations->n_parameters;
    for (int i = 0; i < problem->t0_index; i++)
        problem->P += experiment->parameters[i].is_free;
    problem->Q = problem->P + 2 * problem->D;
    return ARC_OK;
}
