/* A capture with a bounce in it that no flight model knows. Include after cmocka.h. */
#ifndef BOUNCE_CASE_H
#define BOUNCE_CASE_H

#include "arcfit/predict.h"
#include "fit_case.h"

#define BOUNCE_FLIGHT "flight: {dimensions: 2, drag: lumped}\n"

/* A throw that is reflected at the floor, keeping 0.7 of its height; bounce_s: when. */
static inline ArcCapture *bouncing_capture(double *bounce_s)
{
    ArcError err;
    ArcCapture *flown = case_capture(CASE_HEAD BOUNCE_FLIGHT
                                     "parameters: {k: 0.03, x0: 0, y0: 1, vx0: 4.6, vy0: 2}\n",
                                     30, 0.95, 0.003);
    ArcCapture *capture = NULL;
    double position[2 * 30];
    memcpy(position, flown->position_m, sizeof position);
    for (int i = 0; i < 30; i++)
        position[2 * i + 1] *= position[2 * i + 1] < 0.0 ? -0.7 : 1.0;
    if (arc_capture_create(GIVEN(30, 2, flown->time_s, position, flown->sigma_m), &capture, &err) !=
        ARC_OK)
        fail_msg("%s", err.text);
    ArcExperiment *truth = case_experiment(
        CASE_HEAD BOUNCE_FLIGHT "parameters: {k: 0.03, x0: 0, y0: 1, vx0: 4.6, vy0: 2}\n");
    ArcFit *fit =
        case_fit(CASE_HEAD BOUNCE_FLIGHT "parameters: {k: {start: 0.03}}\n", flown, ARC_DIRECT);
    ArcCrossing crossing;
    assert_int_equal(arc_predict_crossing(truth, fit, (ArcPlane){1, 0.0}, 2.0, &crossing, &err),
                     ARC_OK);
    assert_true(crossing.crossed);
    *bounce_s = crossing.t_s;
    arc_fit_free(fit);
    arc_experiment_free(truth);
    arc_capture_free(flown);
    return capture;
}

#endif
