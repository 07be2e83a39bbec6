/* Throws of a two-link arm with readings, and fits of them by both methods. Include after cmocka.h.
 */
#ifndef THROWN_CASE_H
#define THROWN_CASE_H

#include "throw_case.h"

enum { POINTS = 12, READINGS = 8 };

#define SIGMA_M 0.002
#define SPAN_S 0.6
#define PLANE_FLIGHT "ball: basketball, drag: quadratic"
#define PLANE                                                                                      \
    "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\n"                                          \
    "flight: {ball: basketball, drag: quadratic}\nparameters: {cd: 0.5}\n"
#define SPACE                                                                                      \
    "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\n"                                          \
    "flight: {dimensions: 3, ball: basketball, drag: quadratic}\nparameters: {cd: 0.5}\n"

static const double theta_plane[] = {130 * DEGREE, -25 * DEGREE};
static const double omega_plane[] = {-3.0, -9.0};

/* A throw, its capture, and what was read off: the truth and normal errors. */
typedef struct Thrown {
    ArmThrow truth;
    ArcCapture *capture;
    ArcRandom random;
    ArcReading readings[READINGS];
} Thrown;

static inline Thrown *throw_with(ArmThrow truth, const char *flight, uint64_t seed)
{
    Thrown *thrown = calloc(1, sizeof *thrown);
    assert_non_null(thrown);
    thrown->truth = truth;
    thrown->capture = arm_capture(&truth, flight, POINTS, SPAN_S, SIGMA_M, seed);
    thrown->random = arc_random_create(seed, ARC_STREAM_TRUTH);
    thrown->capture->readings = thrown->readings;
    return thrown;
}

static inline Thrown *throw_plane(uint64_t seed)
{
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    return throw_with(arm_throw(&settings, theta_plane, omega_plane), PLANE_FLIGHT, seed);
}

static inline void throw_read(Thrown *thrown, const char *name, double sd)
{
    bool is_t0 = strcmp(name, "t0") == 0;
    double truth = is_t0 ? thrown->truth.t0_s : *arm_truth(&thrown->truth, name);
    thrown->readings[thrown->capture->n_readings++] =
        (ArcReading){name, truth + sd * arc_random_normal(&thrown->random), sd, 2};
}

static inline void throw_free(Thrown *thrown)
{
    arc_capture_free(thrown->capture);
    free(thrown);
}

/* Estimates within so many sds of the truth. */
static inline void check_truth(const ArcFit *fit, Thrown *thrown, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        const ArcEstimate *e = case_parameter(fit, names[i]);
        double truth = *arm_truth(&thrown->truth, names[i]);
        if (!(fabs(e->value - truth) <= 4.0 * e->sd && e->sd > 0.0))
            fail_msg("%s is %.6g, sd %.2g, in truth %.6g", names[i], e->value, e->sd, truth);
    }
}

/* Both methods at one minimum, with one spread; returns the direct fit. */
static inline ArcFit *fit_both(const ArcExperiment *experiment, const Thrown *thrown)
{
    ArcFit *pinn = arm_fit(experiment, thrown->capture, ARC_PINN);
    ArcFit *direct = arm_fit(experiment, thrown->capture, ARC_DIRECT);
    assert_true(pinn->converged && direct->converged);
    CaseGap gap = case_gap(pinn, direct);
    if (!(gap.estimate_sd < 0.05) || !(gap.sd_share < 1e-2))
        fail_msg("the methods are %.2g sd apart, their sds %.2g", gap.estimate_sd, gap.sd_share);
    for (int i = 0; i < direct->n_parameters; i++) {
        const ArcEstimate *a = &pinn->parameters[i], *b = &direct->parameters[i];
        if (b->status != ARC_PARAMETER_TIED)
            continue;
        double off = fabs(a->value - b->value) / b->sd, share = fabs(a->sd / b->sd - 1.0);
        if (!(off < 0.05) || !(share < 1e-2))
            fail_msg("%s is %.2g sd apart, the sds %.2g", b->name, off, share);
    }
    arc_fit_free(pinn);
    return direct;
}

static const char *const motion[] = {"theta1", "theta2", "omega1", "omega2"};

static inline void free_arm(ArcExperiment *experiment, bool t0)
{
    static const char *const names[] = {"l1", "l2", "t0"};
    for (int i = 0; i < 2 + t0; i++)
        arm_free(experiment, names[i]);
}

#endif
