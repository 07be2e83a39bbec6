/* Fits that went wrong in prototypes (DESIGN, numerics 1 to 3 and 6): each must now go right.
 *
 * "Agree" is the standing demand on a PINN whose physics is exact: within 1e-3 sd of the direct
 * fit, sds within 0.1 %. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/result.h"
#include "base/arena.h"
#include "bounce_case.h"
#include "slow.h"
#include "sweep.h"

#define LUMPED "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
#define DRAG BOUNCE_FLIGHT
#define THROW                                                                                      \
    CASE_HEAD LUMPED "parameters: {k: 0.03, s: 0.08, spin: 2, x0: 0, y0: 2, vx0: 4.6, vy0: 6.4}\n"
#define THROW_FIT CASE_HEAD LUMPED "parameters: {k: {start: 0.1}, s: 0.08, spin: {start: 0}}\n"

/* Both fits of one capture; what they give stands side by side. */
typedef struct Pair {
    ArcFit *pinn, *direct;
    CaseGap gap;
} Pair;

static Pair pair_fit(const char *text, const ArcCapture *capture)
{
    Pair pair = {.pinn = case_fit(text, capture, ARC_PINN),
                 .direct = case_fit(text, capture, ARC_DIRECT)};
    pair.gap = case_gap(pair.pinn, pair.direct);
    return pair;
}

static void pair_free(Pair *pair)
{
    arc_fit_free(pair->pinn);
    arc_fit_free(pair->direct);
}

static void check_agreement(const char *name, const Pair *pair)
{
    print_message("%s: %.1e sd, sd %.1e, %d units, %d and %d iterations\n", name,
                  pair->gap.estimate_sd, pair->gap.sd_share, pair->pinn->net.settings.widths[0],
                  pair->pinn->iterations, pair->direct->iterations);
    assert_true(pair->pinn->converged);
    assert_true(pair->direct->converged);
    assert_true(pair->gap.estimate_sd <= 1e-3);
    assert_true(pair->gap.sd_share <= 1e-3);
}

/* True values within 4.5 sd of the estimates: the right valley. */
static void check_truth(const ArcFit *fit, int n, const char *const *names, const double *values)
{
    for (int i = 0; i < n; i++) {
        const ArcEstimate *e = case_parameter(fit, names[i]);
        assert_near((e->value - values[i]) / e->sd, 0.0, 4.5);
    }
}

static void check_flight(const char *name, const char *truth, const char *fit, int n, double span_s)
{
    ArcCapture *capture = case_capture(truth, n, span_s, 0.003);
    Pair pair = pair_fit(fit, capture);
    check_agreement(name, &pair);
    pair_free(&pair);
    arc_capture_free(capture);
}

static void test_fit_run_golf_in_space_agrees(void **state)
{
    (void)state;
    check_flight("golf",
                 CASE_HEAD "flight: {dimensions: 3, ball: golf, drag: quadratic, lift: linear}\n"
                           "parameters: {cd: 0.25, cm: 1, wx: 20, wy: -300, wz: 10, x0: 0, y0: 0, "
                           "z0: 0, vx0: 66.4, vy0: 1, vz0: 14}\n",
                 CASE_HEAD "flight: {dimensions: 3, ball: golf, drag: quadratic, lift: linear}\n"
                           "parameters: {cd: {start: 0.3}, cm: 1, wx: {start: 0, prior: {mean: 0, "
                           "sd: 300}}, wy: {start: 0, prior: {mean: 0, sd: 300}}, wz: {start: 0, "
                           "prior: {mean: 0, sd: 300}}}\n",
                 60, 6.0);
}

static void test_fit_run_badminton_agrees(void **state)
{
    (void)state;
    for (int speed = 50; speed <= 100; speed += 25) {
        char truth[512], name[32];
        snprintf(truth, sizeof truth,
                 CASE_HEAD DRAG "parameters: {k: 0.2, x0: 0, y0: 2, vx0: %d, vy0: 5}\n", speed);
        snprintf(name, sizeof name, "badminton %d m/s", speed);
        check_flight(name, truth, CASE_HEAD DRAG "parameters: {k: {start: 0.1}}\n", 40, 1.5);
        snprintf(name, sizeof name, "the same from k 0");
        check_flight(name, truth, CASE_HEAD DRAG "parameters: {k: {start: 0}}\n", 40, 1.5);
    }
}

static void test_result_compare_bounce_in_the_data_is_a_misfit(void **state)
{
    (void)state;
    double bounce_s;
    ArcCapture *capture = bouncing_capture(&bounce_s);
    Pair pair = pair_fit(CASE_HEAD DRAG "parameters: {k: {start: 0.1}}\n", capture);
    print_message("bounce: %.1e sd, chi2 %.0f at dof %d\n", pair.gap.estimate_sd,
                  pair.direct->residuals.chi2, pair.direct->residuals.dof);
    assert_true(pair.pinn->converged && pair.direct->converged);
    /* Points that pull hard against the equations bend even nearly exact ones a little. */
    assert_true(pair.gap.estimate_sd <= 0.05);
    assert_true(pair.direct->residuals.chi2 > 1000.0);
    assert_true(pair.direct->residuals.chi2_p < 1e-3);
    ArcResult result = {.n_fits = 2, .fits = {pair.pinn, pair.direct}, .arena = arc_arena_create()};
    ArcError err;
    assert_int_equal(arc_result_compare(&result, &err), ARC_OK);
    assert_int_equal(result.comparison.verdict, ARC_VERDICT_MISFIT);
    assert_int_equal(arc_result_exit_code(&result), 0);
    arc_arena_free(result.arena);
    pair_free(&pair);
    arc_capture_free(capture);
}

/* The time at which the fitted flight breaks its model most. */
static double time_of_breach(const ArcFit *fit, const ArcFlight *flight)
{
    double largest = 0.0, t_s = NAN;
    for (int i = 0; i < fit->n_trajectory; i++) {
        double k = case_parameter(fit, "k")->value, law[2];
        arc_flight_acceleration(flight, 1, &fit->time_s[i], &fit->position_m[2 * i],
                                &fit->velocity_m_s[2 * i], &k, law, NULL, NULL, NULL);
        double breach = hypot(fit->acceleration_m_s2[2 * i] - law[0],
                              fit->acceleration_m_s2[2 * i + 1] - law[1]);
        if (breach > largest) {
            largest = breach;
            t_s = fit->time_s[i];
        }
    }
    return t_s;
}

static void test_fit_run_loose_physics_shows_the_bounce(void **state)
{
    (void)state;
    static const char text[] =
        CASE_HEAD DRAG "parameters: {k: {start: 0.1}}\nfit: {pinn: {physics: 2 m/s^2}}\n";
    double bounce_s;
    ArcCapture *capture = bouncing_capture(&bounce_s);
    ArcExperiment *experiment = case_experiment(text);
    ArcFit *fit = case_fit(text, capture, ARC_PINN);
    assert_true(fit->converged);
    double breach_s = time_of_breach(fit, &experiment->flight);
    print_message("bounce at %.3f s, shown at %.3f s\n", bounce_s, breach_s);
    assert_near(breach_s, bounce_s, 0.03);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

static void test_fit_run_absurd_starts_reach_the_answer(void **state)
{
    (void)state;
    static const char *const starts[] = {
        "k: {start: 5}, s: 0.08, spin: {start: 300}", "k: {start: 5}, s: 0.08, spin: {start: -300}",
        "k: {start: 5}, s: 0.08, spin: {start: -300}, vx0: {start: -50}, vy0: {start: 100}",
        "k: {start: 0.1}, s: 0.08, spin: {start: 0}, vx0: {start: 0}, vy0: {start: 0}"};
    static const char *const names[] = {"k", "spin", "vx0", "vy0"};
    const double truth[] = {0.03, 2.0, 4.6, 6.4};
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    Pair usual = pair_fit(THROW_FIT, capture);
    check_truth(usual.direct, 4, names, truth);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i += FEWER(1, 2)) {
        char text[512];
        snprintf(text, sizeof text, CASE_HEAD LUMPED "parameters: {%s}\n", starts[i]);
        Pair pair = pair_fit(text, capture);
        check_agreement(starts[i], &pair);
        assert_true(case_gap(pair.direct, usual.direct).estimate_sd <= 1e-3);
        assert_true(case_gap(pair.pinn, usual.direct).estimate_sd <= 1e-3);
        pair_free(&pair);
    }
    pair_free(&usual);
    arc_capture_free(capture);
}

/* Shooting from the parabola of a strongly curved flight ends in a far valley (chi2 of 500,000),
 * collocation does not: the direct fit must find its way back. */
static void test_fit_run_far_valley_is_left(void **state)
{
    (void)state;
    static const char flight[] =
        CASE_HEAD "flight: {dimensions: 3, up: x, drag: lumped, lift: lumped}\n";
    char truth[512], text[512];
    snprintf(truth, sizeof truth,
             "%sparameters: {k: 0.0055, s: 0.02, wx: 51.7, wy: 172.3, wz: 34.5, x0: 0.1, y0: -0.2, "
             "z0: 1.5, vx0: -3.6, vy0: 13.5, vz0: 26.2}\n",
             flight);
    snprintf(text, sizeof text,
             "%srelease: polar\nparameters: {k: {start: 0.05}, s: 0.02, wx: {start: 0.1, prior: "
             "{mean: 0, sd: 200}}, wy: {start: 0, prior: {mean: 0, sd: 200}}, wz: {start: 0.1, "
             "prior: {mean: 0, sd: 200}}}\n",
             flight);
    ArcCapture *capture = case_capture(truth, 26, 0.38, 0.003);
    Pair pair = pair_fit(text, capture);
    check_agreement("far valley", &pair);
    assert_true(pair.direct->residuals.chi2_p > 1e-3);
    /* Both runs and the collocation between them stand in the history. */
    assert_int_equal(pair.direct->history[pair.direct->n_history - 1].stage, 2);
    pair_free(&pair);
    arc_capture_free(capture);
}

/* From an absurd drag an optimiser may wind a polar release round: the answer may not be wound. */
static void test_fit_run_polar_release_is_not_wound(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i += FEWER(1, 3)) {
        char text[512];
        snprintf(text, sizeof text,
                 CASE_HEAD LUMPED "release: polar\nparameters: {k: {start: %d}, s: 0.08, spin: "
                                  "{start: %d}}\n",
                 2 + i / 2, i % 2 == 0 ? 300 : -300);
        ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
        Pair pair = pair_fit(text, capture);
        check_agreement("polar from absurd starts", &pair);
        for (int m = 0; m < 2; m++) {
            const ArcFit *fit = m == 0 ? pair.pinn : pair.direct;
            assert_near(case_parameter(fit, "speed")->value, hypot(4.6, 6.4), 0.1);
            assert_near(case_parameter(fit, "angle")->value, atan2(6.4, 4.6), 0.02);
        }
        pair_free(&pair);
        arc_capture_free(capture);
    }
}

static void test_fit_run_tiny_sigma_agrees(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 1e-6);
    Pair pair = pair_fit(THROW_FIT, capture);
    check_agreement("sigma 1e-6 m", &pair);
    assert_true(pair.direct->residuals.chi2_p > 1e-3);
    pair_free(&pair);
    arc_capture_free(capture);
}

static void test_fit_run_ten_thousand_points_agree(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 10000, 0.8, 0.003);
    Pair pair = pair_fit(THROW_FIT, capture);
    check_agreement("10,000 points", &pair);
    pair_free(&pair);
    arc_capture_free(capture);
}

/* Physics strong from the start: a weak one would fit the noise first and stay there. */
static void test_fit_run_ordinary_throw_takes_few_iterations(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        ArcError err;
        ArcExperiment *experiment = case_experiment(THROW_FIT);
        ArcProblem *problem = NULL;
        ArcFit *fit = NULL;
        experiment->seed = seed;
        assert_int_equal(arc_problem_create(experiment, capture, &problem, &err), ARC_OK);
        assert_int_equal(arc_fit_run(problem, ARC_PINN, NULL, &fit, &err), ARC_OK);
        assert_true(fit->converged);
        assert_true(fit->iterations <= 7);
        assert_int_equal(fit->net.settings.widths[0], 24);
        arc_fit_free(fit);
        arc_problem_free(problem);
        arc_experiment_free(experiment);
    }
    arc_capture_free(capture);
}

/* `physics: exact` must not widen the sds, however many points there are; a loose one does. */
static void test_fit_run_exact_physics_keeps_the_sd(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    Pair exact = pair_fit(THROW_FIT, capture);
    Pair loose = pair_fit(THROW_FIT "fit: {pinn: {physics: 0.05 m/s^2}}\n", capture);
    check_agreement("exact", &exact);
    assert_true(loose.pinn->converged);
    assert_near(loose.pinn->residuals.sigma_phys_m_s2, 0.05, 1e-15);
    assert_true(case_parameter(loose.pinn, "k")->sd > 1.01 * case_parameter(exact.pinn, "k")->sd);
    double expected = 0.1 * 0.003 / (0.8 * 0.8 * sqrt(11.0));
    assert_near(exact.pinn->residuals.sigma_phys_m_s2 / expected, 1.0, 1e-12);
    pair_free(&loose);
    pair_free(&exact);
    arc_capture_free(capture);
}

static void test_fit_run_too_few_collocation_points_are_raised(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    Pair pair =
        pair_fit(THROW_FIT "fit: {pinn: {net: nets/tanh-24.yaml, collocation: 8}}\n", capture);
    assert_int_equal(pair.pinn->net.collocation, 32); /* 1.3 * 24, upwards */
    check_agreement("8 collocation points wished", &pair);
    pair_free(&pair);
    pair = pair_fit(THROW_FIT "fit: {pinn: {net: nets/tanh-24.yaml, collocation: 50}}\n", capture);
    assert_int_equal(pair.pinn->net.collocation, 50);
    pair_free(&pair);
    arc_capture_free(capture);
}

/* A net too coarse for the flight satisfies the equations at the nodes alone; the grid that
 * training never saw must tell. */
static void test_fit_run_coarse_net_does_not_converge(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(
        CASE_HEAD DRAG "parameters: {k: 0.2, x0: 0, y0: 2, vx0: 100, vy0: 5}\n", 40, 1.5, 0.003);
    Pair pair = pair_fit(CASE_HEAD DRAG "parameters: {k: {start: 0.1}}\n"
                                        "fit: {pinn: {net: nets/tanh-24.yaml}}\n",
                         capture);
    print_message("coarse net: %.1e sd off, fine rms %.1e sigma_phys, stop %s\n",
                  pair.gap.estimate_sd,
                  pair.pinn->residuals.physics_rms_fine_m_s2 / pair.pinn->residuals.sigma_phys_m_s2,
                  arc_stop_text(pair.pinn->stop));
    assert_true(arc_stop_is_converged(pair.pinn->stop));
    assert_true(pair.gap.estimate_sd > 1.0);
    assert_false(pair.pinn->converged);
    assert_true(pair.direct->converged);
    pair_free(&pair);
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_golf_in_space_agrees),
        cmocka_unit_test(test_fit_run_badminton_agrees),
        cmocka_unit_test(test_result_compare_bounce_in_the_data_is_a_misfit),
        cmocka_unit_test(test_fit_run_loose_physics_shows_the_bounce),
        cmocka_unit_test(test_fit_run_absurd_starts_reach_the_answer),
        cmocka_unit_test(test_fit_run_far_valley_is_left),
        cmocka_unit_test(test_fit_run_polar_release_is_not_wound),
        cmocka_unit_test(test_fit_run_tiny_sigma_agrees),
        cmocka_unit_test(test_fit_run_ten_thousand_points_agree),
        cmocka_unit_test(test_fit_run_ordinary_throw_takes_few_iterations),
        cmocka_unit_test(test_fit_run_exact_physics_keeps_the_sd),
        cmocka_unit_test(test_fit_run_too_few_collocation_points_are_raised),
        cmocka_unit_test(test_fit_run_coarse_net_does_not_converge),
    };
    return cmocka_run_group_tests_name("traps", tests, NULL, NULL);
}
