/* Profile likelihood: against closed forms, and the ways in which a parameter is not identified. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit_case.h"
#include "sweep.h"
#include "uncertainty_case.h"

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
#define VACUUM                                                                                     \
    CASE_HEAD "flight: {dimensions: 2}\n"                                                          \
              "parameters: {x0: 0.5, y0: 2, vx0: 4.6, vy0: {prior: {mean: 6.4, sd: 0.01}}}\n"
    static const char text[] = CASE_HEAD
        "flight: {dimensions: 2}\n"
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
#define LUMPED CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
    static const char text[] = LUMPED
        "parameters: {k: free, s: {start: 0.02}, spin: {start: 10}}\n"
        "fit: {profile: [spin, k]}\n";
    ArcCapture *capture = case_capture(
        LUMPED "parameters: {k: 0.03, s: 0.01, spin: 20, x0: 0.5, y0: 2, vx0: 4.6, vy0: 6.4}\n", 20,
        0.9, 1e-3);
    for (int m = 0; m < 2; m++) {
        ArcFit *fit = case_explore(text, capture, m == 0 ? ARC_DIRECT : ARC_PINN, 1);
        const ArcProfile *spin = case_profile(fit, "spin"), *k = case_profile(fit, "k");
        assert_int_equal(case_parameter(fit, "spin")->status, ARC_PARAMETER_UNIDENTIFIED);
        for(int q=0;q<spin->n;q++) print_message("%g %g\n", spin->value[q], spin->rise[q]);
        print_message("%s %s %s\n", arc_profile_kind_text(spin->kind), arc_profile_end_text(spin->end[0]), arc_profile_end_text(spin->end[1]));
        assert_int_equal(spin->kind, ARC_PROFILE_FLAT);
        assert_int_equal(k->kind, ARC_PROFILE_IDENTIFIABLE);
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* Lift by the rational law saturates: a fast spin has a lower end only. */
static void test_profile_of_a_saturated_spin_is_open_above(void **state)
{
    (void)state;
#define RATIONAL                                                                                   \
    CASE_HEAD "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: rational}\n"
    static const char text[] = RATIONAL "parameters: {cd: 0.5, spin: {start: -300}}\n"
                                        "fit: {profile: [spin]}\n";
    ArcCapture *capture = case_capture(
        RATIONAL "parameters: {cd: 0.5, spin: -400, x0: 0, y0: 2, vx0: 4.6, vy0: 6.4}\n", 12, 0.9,
        3e-3);
    ArcFit *fit = case_explore(text, capture, ARC_DIRECT, 1);
    const ArcProfile *spin = case_profile(fit, "spin");
        for(int q=0;q<spin->n;q++) print_message("%g %g\n", spin->value[q], spin->rise[q]);
        print_message("%s %s %s %d\n", arc_profile_kind_text(spin->kind), arc_profile_end_text(spin->end[0]), arc_profile_end_text(spin->end[1]), spin->n_fits);
    assert_int_equal(spin->kind, ARC_PROFILE_OPEN_BELOW);
    assert_true(isinf(spin->interval[0]) && spin->interval[1] < 0.0);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_of_a_linear_problem_is_the_covariance_parabola),
        cmocka_unit_test(test_profile_of_a_product_is_flat),
        cmocka_unit_test(test_profile_of_a_saturated_spin_is_open_above),
    };
    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
