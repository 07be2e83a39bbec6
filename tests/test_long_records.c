/* Time windows: flights that one small net cannot follow, fitted by a few of it side by side.
 *
 * "Agree" is as in test_traps: within 1e-3 sd of the direct fit, sds within 0.1 %. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit_case.h"

#define DRAG CASE_HEAD "flight: {dimensions: 2, drag: lumped}\n"
#define SPIN CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
#define GOLF CASE_HEAD "flight: {dimensions: 3, ball: golf, drag: quadratic, lift: linear}\n"
#define UNSURE "{start: 0, prior: {mean: 0, sd: 300}}"

typedef struct Record {
    const char *name, *truth, *fit;
    double span_s;
} Record;

static const Record records[] = {
    {"drag, 10 s", DRAG "parameters: {k: 0.005, x0: 0, y0: 2, vx0: 30, vy0: 40}\n",
     DRAG "parameters: {k: {start: 0.1}}\n", 10.0},
    {"badminton 30 m/s, 1.5 s", DRAG "parameters: {k: 0.2, x0: 0, y0: 2, vx0: 30, vy0: 5}\n",
     DRAG "parameters: {k: {start: 0.1}}\n", 1.5},
    {"spin, 10 s",
     SPIN "parameters: {k: 0.004, s: 0.02, spin: -40, x0: 0, y0: 2, vx0: 60, vy0: 20}\n",
     SPIN "parameters: {k: {start: 0.01}, s: 0.02, spin: {start: 0}}\n", 10.0},
    {"golf, 9 s",
     GOLF "parameters: {cd: 0.25, cm: 1, wx: 20, wy: -500, wz: 10, x0: 0, y0: 0, z0: 0, vx0: 76.4, "
          "vy0: 1, vz0: 14}\n",
     GOLF "parameters: {cd: {start: 0.3}, cm: 1, wx: " UNSURE ", wy: " UNSURE ", wz: " UNSURE "}\n",
     9.0},
    {"spin, 15 s",
     SPIN "parameters: {k: 0.004, s: 0.02, spin: -40, x0: 0, y0: 2, vx0: 60, vy0: 20}\n",
     SPIN "parameters: {k: {start: 0.01}, s: 0.02, spin: {start: 0}}\n", 15.0}};
enum { DRAG_10_S, BADMINTON, SPIN_10_S, GOLF_9_S, SPIN_15_S };

typedef struct Outcome {
    bool converged;
    double fine; /* rms between the nodes, in sigma_phys */
    CaseGap gap;
    int n_weights, collocation, windows;
} Outcome;

static Outcome outcome_of(const Record *record, int seed, const char *pinn)
{
    char text[1024];
    snprintf(text, sizeof text, "%sfit: {seed: %d, pinn: {%s}}\n", record->fit, seed, pinn);
    ArcCapture *capture = case_capture(record->truth, 60, record->span_s, 0.003);
    ArcFit *fit = case_fit(text, capture, ARC_PINN), *direct = case_fit(text, capture, ARC_DIRECT);
    assert_true(direct->converged);
    const ArcResiduals *residuals = &fit->residuals;
    Outcome outcome = {.converged = fit->converged,
                       .fine = residuals->physics_rms_fine_m_s2 / residuals->sigma_phys_m_s2,
                       .gap = case_gap(fit, direct),
                       .n_weights = fit->net.n_weights,
                       .collocation = fit->net.collocation,
                       .windows = fit->net.settings.windows};
    print_message("%s, %s: fine %.1e sigma_phys, %.1e sd, sd %.1e, %d iterations, %.0f ms\n",
                  record->name, pinn, outcome.fine, outcome.gap.estimate_sd, outcome.gap.sd_share,
                  fit->iterations, 1e3 * fit->wall_s);
    arc_fit_free(direct);
    arc_fit_free(fit);
    arc_capture_free(capture);
    return outcome;
}

static void check_agreement(const Outcome *outcome)
{
    assert_true(outcome->converged);
    assert_true(outcome->fine <= 0.1);
    assert_true(outcome->gap.estimate_sd <= 1e-3);
    assert_true(outcome->gap.sd_share <= 1e-3);
}

static void check_record(int which, const char *net, double least_gap_sd)
{
    char pinn[128];
    snprintf(pinn, sizeof pinn, "net: nets/%s.yaml", net);
    Outcome alone = outcome_of(&records[which], 1, pinn);
    assert_false(alone.converged);
    assert_true(alone.fine > 1.0);
    assert_true(alone.gap.estimate_sd >= least_gap_sd);
    snprintf(pinn, sizeof pinn, "net: nets/%s.yaml, windows: 8", net);
    for (int seed = 1; seed <= 5; seed++) {
        Outcome windows = outcome_of(&records[which], seed, pinn);
        check_agreement(&windows);
        assert_int_equal(windows.windows, 8);
        assert_int_equal(windows.n_weights, 8 * alone.n_weights);
        assert_int_equal(windows.collocation, 8 * alone.collocation);
    }
}

static void test_fit_run_windows_follow_a_badminton_flight(void **state)
{
    (void)state;
    check_record(BADMINTON, "tanh-24", 1.0);
}

static void test_fit_run_windows_follow_a_long_golf_flight(void **state)
{
    (void)state;
    check_record(GOLF_9_S, "silu-16", 0.1);
}

static void test_fit_run_windows_follow_ten_seconds_of_drag(void **state)
{
    (void)state;
    check_record(DRAG_10_S, "silu-16", 0.1);
}

static void test_fit_run_windows_follow_ten_seconds_of_spin(void **state)
{
    (void)state;
    check_record(SPIN_10_S, "silu-16", 1.0);
}

/* All weights of all windows after the linear stage: the answer stays. */
static void test_fit_run_windows_lm_keeps_the_answer(void **state)
{
    (void)state;
    Outcome outcome = outcome_of(&records[BADMINTON], 1,
                                 "net: nets/silu-16.yaml, windows: 8, train: [{optimizer: linear}, "
                                 "{optimizer: lm, steps: 60}]");
    assert_true(outcome.gap.estimate_sd <= 1e-3);
}

/* What the ladder alone does not reach: each window has its own widened nets. */
static void test_fit_run_windows_help_the_ladder(void **state)
{
    (void)state;
    Outcome alone = outcome_of(&records[SPIN_15_S], 1, "net: auto");
    assert_false(alone.converged);
    assert_true(alone.gap.estimate_sd > 0.1);
    Outcome windows = outcome_of(&records[SPIN_15_S], 1, "net: auto, windows: 4");
    assert_true(windows.fine <= 0.05 * alone.fine);
    assert_true(windows.gap.estimate_sd <= 1e-3);
    assert_true(windows.gap.sd_share <= 1e-3);
    assert_int_equal(windows.windows, 4);
}

static void test_fit_run_windows_too_few_collocation_points_are_raised(void **state)
{
    (void)state;
    Outcome outcome =
        outcome_of(&records[BADMINTON], 1, "net: nets/silu-16.yaml, windows: 3, collocation: 8");
    assert_int_equal(outcome.collocation, 3 * 21); /* 1.3 * 16, upwards */
    outcome =
        outcome_of(&records[BADMINTON], 1, "net: nets/silu-16.yaml, windows: 3, collocation: 70");
    assert_int_equal(outcome.collocation, 70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_windows_follow_a_badminton_flight),
        cmocka_unit_test(test_fit_run_windows_follow_a_long_golf_flight),
        cmocka_unit_test(test_fit_run_windows_follow_ten_seconds_of_drag),
        cmocka_unit_test(test_fit_run_windows_follow_ten_seconds_of_spin),
        cmocka_unit_test(test_fit_run_windows_lm_keeps_the_answer),
        cmocka_unit_test(test_fit_run_windows_help_the_ladder),
        cmocka_unit_test(test_fit_run_windows_too_few_collocation_points_are_raised),
    };
    return cmocka_run_group_tests_name("long records", tests, NULL, NULL);
}
