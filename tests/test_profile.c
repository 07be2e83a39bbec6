/* Profile likelihood: against closed forms, and the ways in which a parameter is not identified. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit_case.h"
#include "sweep.h"
#include "uncertainty_case.h"

#define LIFTED CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
#define RATIONAL                                                                                   \
    CASE_HEAD "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: rational}\n"
#define DRAGGED CASE_HEAD "flight: {dimensions: 2, drag: lumped}\n"
#define THROW DRAGGED "parameters: {k: 0.03, x0: 0.5, y0: 2, vx0: 4.6, vy0: 6.4}\n"

static const double z95 = 1.959963984540054;

static void check_curve(const ArcFit *fit, const ArcProfile *profile)
{
    bool has_estimate = false;
    double at = fit->parameters[profile->parameter].value;
    double sd = fit->parameters[profile->parameter].sd;
    assert_true(profile->n >= 3);
    for (int i = 0; i < profile->n; i++) {
        if (i > 0)
            assert_true(profile->value[i] > profile->value[i - 1]);
        has_estimate = has_estimate ||
                       (fabs(profile->value[i] - at) <= (isnan(sd) ? 1e-3 * fabs(at) : 1e-3 * sd) &&
                        fabs(profile->rise[i]) < 1e-6);
    }
    assert_true(has_estimate);
}

/* A vacuum flight is linear in all its unknowns: rise = ((p - estimate) / sd)^2. */
static void test_profile_of_a_linear_problem_is_the_covariance_parabola(void **state)
{
    (void)state;
    static const char text[] = CASE_HEAD "flight: {dimensions: 2}\n"
                                         "parameters: {vy0: {prior: {mean: 6.4, sd: 0.01}}}\n"
                                         "fit: {profile: [x0, y0, vx0, vy0]}\n";
    ArcCapture *capture = case_capture(
        CASE_HEAD "flight: {dimensions: 2}\nparameters: {x0: 0.5, y0: 2, vx0: 4.6, vy0: 6.4}\n", 12,
        0.9, 3e-3);
    ArcFit *fit = case_explore(text, capture, ARC_DIRECT, 1);
    assert_int_equal(fit->uncertainty->n_profiles, 4);
    for (int i = 0; i < 4; i++) {
        const ArcProfile *profile = &fit->uncertainty->profiles[i];
        const ArcEstimate *e = &fit->parameters[profile->parameter];
        assert_int_equal(profile->kind, ARC_PROFILE_IDENTIFIABLE);
        check_curve(fit, profile);
        assert_near(profile->interval[0], e->value - z95 * e->sd, 1e-5 * e->sd);
        assert_near(profile->interval[1], e->value + z95 * e->sd, 1e-5 * e->sd);
        for (int k = 0; k < profile->n; k++) {
            double z = (profile->value[k] - e->value) / e->sd;
            assert_near(profile->rise[k], z * z, 1e-5);
        }
    }
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* s and spin come as a product only: neither is told, however far it goes. */
static void test_profile_of_a_product_is_flat(void **state)
{
    (void)state;
    static const char text[] = LIFTED "parameters: {k: free, s: {start: 0.02}, spin: {start: 10}}\n"
                                      "fit: {profile: [spin, k]}\n";
    ArcCapture *capture = case_capture(
        LIFTED "parameters: {k: 0.03, s: 0.01, spin: 20, x0: 0.5, y0: 2, vx0: 4.6, vy0: 6.4}\n", 20,
        0.9, 1e-3);
    for (int m = 0; m < 2; m++) {
        ArcFit *fit = case_explore(text, capture, m == 0 ? ARC_DIRECT : ARC_PINN, 1);
        const ArcProfile *spin = case_profile(fit, "spin"), *k = case_profile(fit, "k");
        assert_int_equal(case_parameter(fit, "spin")->status, ARC_PARAMETER_UNIDENTIFIED);
        assert_int_equal(spin->kind, ARC_PROFILE_FLAT);
        assert_int_equal(k->kind, ARC_PROFILE_IDENTIFIABLE);
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* Lift by the rational law saturates: a fast backspin has one end only. */
static void test_profile_of_a_saturated_spin_is_open_below(void **state)
{
    (void)state;
    static const char text[] = RATIONAL "parameters: {cd: 0.5, spin: {start: -300}}\n"
                                        "fit: {profile: [spin]}\n";
    ArcCapture *capture = case_capture(
        RATIONAL "parameters: {cd: 0.5, spin: -400, x0: 0, y0: 2, vx0: 4.6, vy0: 6.4}\n", 12, 0.9,
        3e-3);
    ArcFit *fit = case_explore(text, capture, ARC_DIRECT, 1);
    const ArcProfile *spin = case_profile(fit, "spin");
    assert_int_equal(spin->kind, ARC_PROFILE_OPEN_BELOW);
    assert_int_equal(spin->end[0], ARC_PROFILE_END_OPEN);
    assert_int_equal(spin->end[1], ARC_PROFILE_END_FOUND);
    assert_true(isinf(spin->interval[0]) && spin->interval[1] < 0.0);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* Where a profile of the covariance's parabola would end. */
static void test_profile_at_a_bound_ends_there(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 12, 0.9, 3e-3);
    ArcFit *fit = case_fit(DRAGGED "parameters: {k: free}\n", capture, ARC_DIRECT);
    char text[256];
    const ArcEstimate *k = case_parameter(fit, "k");
    double high = k->value + k->sd;
    snprintf(text, sizeof text,
             DRAGGED "parameters: {k: {start: 0.03, bounds: [0, %.17g]}}\nfit: {profile: [k]}\n",
             high);
    ArcFit *bound = case_explore(text, capture, ARC_DIRECT, 1);
    const ArcProfile *profile = case_profile(bound, "k");
    assert_int_equal(profile->kind, ARC_PROFILE_OPEN_ABOVE);
    assert_int_equal(profile->end[0], ARC_PROFILE_END_FOUND);
    assert_int_equal(profile->end[1], ARC_PROFILE_END_BOUND);
    assert_true(profile->interval[1] == high);
    assert_near(profile->rise[profile->n - 1], 1.0, 0.05);
    assert_near((profile->interval[0] - k->value) / k->sd, -z95, 0.05);
    arc_fit_free(fit);
    arc_fit_free(bound);
    arc_capture_free(capture);
}

/* Priors count: a flat parameter with a prior has the prior's interval. */
static void test_profile_of_a_product_with_a_prior_is_the_prior(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(
        LIFTED "parameters: {k: 0.03, s: 0.01, spin: 20, x0: 0.5, y0: 2, vx0: 4.6, vy0: 6.4}\n", 20,
        0.9, 1e-3);
    ArcFit *fit = case_explore(
        LIFTED "parameters: {k: free, s: {start: 0.02, prior: {mean: 0.01, sd: 0.002}}, spin: "
               "{start: 10}}\nfit: {profile: [s, spin]}\n",
        capture, ARC_DIRECT, 1);
    const ArcProfile *s = case_profile(fit, "s"), *spin = case_profile(fit, "spin");
    assert_near(s->interval[0], 0.01 - z95 * 0.002, 1e-7);
    assert_near(s->interval[1], 0.01 + z95 * 0.002, 1e-7);
    /* spin = product / s: not symmetric as the covariance has it */
    const ArcEstimate *e = case_parameter(fit, "spin");
    assert_int_equal(spin->kind, ARC_PROFILE_IDENTIFIABLE);
    assert_near(spin->interval[1], 0.01 * e->value / (0.01 - z95 * 0.002), 0.05 * e->sd);
    assert_near(spin->interval[0], 0.01 * e->value / (0.01 + z95 * 0.002), 0.05 * e->sd);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

static void check_same_profiles(const char *text, const ArcCapture *capture)
{
    ArcFit *direct = case_explore(text, capture, ARC_DIRECT, 1);
    ArcFit *pinn = case_explore(text, capture, ARC_PINN, 1);
    assert_true(direct->uncertainty->n_profiles > 0);
    assert_int_equal(pinn->uncertainty->n_profiles, direct->uncertainty->n_profiles);
    for (int i = 0; i < direct->uncertainty->n_profiles; i++) {
        const ArcProfile *a = &pinn->uncertainty->profiles[i];
        const ArcProfile *b = &direct->uncertainty->profiles[i];
        double sd = direct->parameters[b->parameter].sd;
        assert_int_equal(a->parameter, b->parameter);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(b->kind, ARC_PROFILE_IDENTIFIABLE);
        for (int side = 0; side < 2; side++) {
            assert_int_equal(a->end[side], b->end[side]);
            assert_near((a->interval[side] - b->interval[side]) / sd, 0.0, 2e-3);
        }
    }
    arc_fit_free(direct);
    arc_fit_free(pinn);
}

static void test_profile_of_the_pinn_is_that_of_the_direct_fit(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 12, 0.9, 3e-3);
    check_same_profiles(DRAGGED "parameters: {k: free}\nfit: {profile: [k, x0, vy0]}\n", capture);
    /* Hidden layers that lm has trained are kept. */
    check_same_profiles(DRAGGED "parameters: {k: free}\nfit: {profile: [k], pinn: {train: "
                                "[{optimizer: linear}, {optimizer: lm, steps: 30}]}}\n",
                        capture);
    /* The only unknown; and one of time. */
    check_same_profiles(DRAGGED "parameters: {k: free, x0: 0.5, y0: 2, vx0: 4.6, vy0: 6.4}\n"
                                "fit: {profile: [k]}\n",
                        capture);
    check_same_profiles(DRAGGED "parameters: {k: 0.03, t0: {start: -0.05, bounds: [-0.2, 0.5]}, "
                                "x0: 0.3, y0: free}\nfit: {profile: [y0]}\n",
                        capture);
    arc_capture_free(capture);
}

/* Sigma estimated: the problem is linear, and the interval ends at Student's t, as the
 * covariance's. */
static void test_profile_of_an_estimated_sigma_ends_at_students_t(void **state)
{
    (void)state;
    static const char text[] = "arcfit: 1\ncapture: {file: none.csv, sigma: estimate}\n"
                               "flight: {dimensions: 2}\nfit: {profile: [x0, vy0]}\n";
    ArcCapture *capture = case_capture(
        CASE_HEAD "flight: {dimensions: 2}\nparameters: {x0: 0.5, y0: 2, vx0: 4.6, vy0: 6.4}\n", 6,
        0.9, 3e-3);
    ArcFit *fit = case_explore(text, capture, ARC_DIRECT, 1);
    assert_true(fit->spread.interval_dof < 10.0 && fit->interval_factor > 2.2);
    for (int i = 0; i < 2; i++) {
        const ArcProfile *profile = &fit->uncertainty->profiles[i];
        const ArcEstimate *e = &fit->parameters[profile->parameter];
        for (int side = 0; side < 2; side++)
            assert_near((profile->interval[side] - e->ci95[side]) / e->sd, 0.0, 1e-5);
    }
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* A robust sum has kinks where points come to count less: over a hundred points its parabola,
 * scaled to the sandwich, ends where the covariance's interval does. */
static void test_profile_of_a_robust_loss_has_the_width_of_the_sandwich(void **state)
{
    (void)state;
    static const char *const losses[] = {"huber", "cauchy", "student-t"};
    ArcCapture *capture = case_capture(THROW, 100, 0.9, 3e-3);
    double *x = (double *)(uintptr_t)capture->position_m;
    for (int i = 0; i < 200; i += 9)
        x[i] += i % 2 == 0 ? 0.05 : -0.04;
    for (int i = 0; i < 3; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 DRAGGED "parameters: {k: free}\nfit: {loss: %s, profile: [k, y0]}\n", losses[i]);
        ArcFit *fit = case_explore(text, capture, ARC_DIRECT, 1);
        for (int j = 0; j < 2; j++) {
            const ArcProfile *profile = &fit->uncertainty->profiles[j];
            const ArcEstimate *e = &fit->parameters[profile->parameter];
            assert_int_equal(profile->kind, ARC_PROFILE_IDENTIFIABLE);
            for (int side = 0; side < 2; side++)
                assert_near((profile->interval[side] - e->ci95[side]) / e->sd, 0.0, 0.35);
        }
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* A fit that was stopped before its end has no minimum to start from. */
static void test_profile_of_a_fit_not_converged_says_so(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 12, 0.9, 3e-3);
    ArcFit *fit = case_explore(DRAGGED "parameters: {k: free}\nfit: {profile: [k], pinn: {train: "
                                       "[{optimizer: adam, steps: 3}]}}\n",
                               capture, ARC_PINN, 1);
    assert_int_equal(fit->uncertainty->n_profiles, 0);
    assert_non_null(strstr(fit->uncertainty->note, "did not converge"));
    arc_fit_free(fit);
    arc_capture_free(capture);
}

static void test_profile_text_names_every_kind_and_end(void **state)
{
    (void)state;
    assert_string_equal(arc_profile_kind_text(ARC_PROFILE_IDENTIFIABLE), "identifiable");
    assert_string_equal(arc_profile_kind_text(ARC_PROFILE_FLAT), "flat");
    assert_string_equal(arc_profile_end_text(ARC_PROFILE_END_FOUND), "found");
    assert_string_equal(arc_profile_end_text(ARC_PROFILE_END_LOST), "lost");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_of_a_linear_problem_is_the_covariance_parabola),
        cmocka_unit_test(test_profile_of_a_product_is_flat),
        cmocka_unit_test(test_profile_of_a_saturated_spin_is_open_below),
        cmocka_unit_test(test_profile_at_a_bound_ends_there),
        cmocka_unit_test(test_profile_of_a_product_with_a_prior_is_the_prior),
        cmocka_unit_test(test_profile_of_the_pinn_is_that_of_the_direct_fit),
        cmocka_unit_test(test_profile_of_an_estimated_sigma_ends_at_students_t),
        cmocka_unit_test(test_profile_of_a_robust_loss_has_the_width_of_the_sandwich),
        cmocka_unit_test(test_profile_of_a_fit_not_converged_says_so),
        cmocka_unit_test(test_profile_text_names_every_kind_and_end),
    };
    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
