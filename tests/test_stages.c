/* The PINN's stages: all weights by lm, and what follows a linear stage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit_case.h"
#include "sweep.h"

#define FLIGHT                                                                                     \
    "arcfit: 1\n"                                                                                  \
    "capture: {file: tests/bench/plane-lumped-00.csv, sigma: 3 mm}\n"                              \
    "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"                                        \
    "parameters: {k: {start: 0.1, bounds: [0, 1]}, s: 0.08, spin: {start: 0}}\n"

static ArcCapture *bench_capture(void)
{
    ArcError err;
    ArcExperiment *experiment = case_experiment(FLIGHT);
    ArcCapture *capture = NULL;
    if (arc_capture_read(&experiment->capture, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_experiment_free(experiment);
    return capture;
}

static void check_stages(const char *pinn, double estimate_sd)
{
    char text[1024];
    snprintf(text, sizeof text, FLIGHT "fit: {pinn: {%s}}\n", pinn);
    ArcCapture *capture = bench_capture();
    ArcFit *direct = case_fit(text, capture, ARC_DIRECT), *fit = case_fit(text, capture, ARC_PINN);
    CaseGap gap = case_gap(fit, direct);
    print_message("%s: %d iterations, stop %s, fine %.2g sigma_phys, %.1e sd, sd %.1e\n", pinn,
                  fit->iterations, arc_stop_text(fit->stop),
                  fit->residuals.physics_rms_fine_m_s2 / fit->residuals.sigma_phys_m_s2,
                  gap.estimate_sd, gap.sd_share);
    assert_true(direct->converged);
    assert_true(gap.estimate_sd <= estimate_sd);
    arc_fit_free(fit);
    arc_fit_free(direct);
    arc_capture_free(capture);
}

static void test_fit_run_lm_alone_reaches_the_direct_answer(void **state)
{
    (void)state;
    check_stages("net: nets/tanh-16x2.yaml, train: [{optimizer: lm, steps: 400}]", 0.05);
}

static void test_fit_run_lm_after_linear_keeps_the_answer(void **state)
{
    (void)state;
    check_stages("net: nets/tanh-24.yaml, train: [{optimizer: linear}, {optimizer: lm, steps: 50}]",
                 1e-3);
}

/* The linear stage leaves output weights of thousands there, which lm must not begin from. */
static void test_fit_run_lm_after_linear_on_a_poor_basis_reaches_the_direct_answer(void **state)
{
    (void)state;
    check_stages("net: nets/tanh-16x2.yaml, train: [{optimizer: linear}, {optimizer: lm, steps: "
                 "400}]",
                 1e-3);
}

static void test_fit_run_linear_after_lm_keeps_the_answer(void **state)
{
    (void)state;
    check_stages("net: nets/tanh-16x2.yaml, train: [{optimizer: lm, steps: 50}, {optimizer: "
                 "linear}]",
                 0.05);
}

/* Hidden layers as drawn by Glorot's rule bend too little: the judge must see it. */
static void test_fit_run_linear_on_a_poor_basis_does_not_converge(void **state)
{
    (void)state;
    ArcCapture *capture = bench_capture();
    ArcFit *fit = case_fit(FLIGHT "fit: {pinn: {net: nets/tanh-16x2.yaml}}\n", capture, ARC_PINN);
    assert_true(arc_stop_is_converged(fit->stop));
    assert_false(fit->converged);
    assert_true(fit->residuals.physics_rms_fine_m_s2 > fit->residuals.sigma_phys_m_s2);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_lm_alone_reaches_the_direct_answer),
        cmocka_unit_test(test_fit_run_lm_after_linear_keeps_the_answer),
        cmocka_unit_test(test_fit_run_lm_after_linear_on_a_poor_basis_reaches_the_direct_answer),
        cmocka_unit_test(test_fit_run_linear_after_lm_keeps_the_answer),
        cmocka_unit_test(test_fit_run_linear_on_a_poor_basis_does_not_converge),
    };
    return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
