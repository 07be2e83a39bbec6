/* Markov chains on the direct fit's posterior, where that is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "fit_case.h"
#include "slow.h"
#include "sweep.h"
#include "uncertainty_case.h"

#define VACUUM CASE_HEAD "flight: {dimensions: 2}\n"
#define THROW VACUUM "parameters: {x0: 0.5, y0: 2, vx0: 4.6, vy0: 6.4}\n"

static const ArcSampledNumber *number_of(const ArcFit *fit, const char *name)
{
    const ArcSamples *s = fit->uncertainty->samples;
    for (int k = 0; k < s->n_numbers; k++)
        if (strcmp(s->numbers[k].name, name) == 0)
            return &s->numbers[k];
    fail_msg("there is no number '%s'", name);
    return NULL;
}

/* A vacuum flight is linear: its posterior is the normal distribution of estimate and covariance.
 */
static void test_sample_of_a_linear_problem_is_the_normal_posterior(void **state)
{
    (void)state;
    SKIP_UNDER_SANITIZERS();
    ArcCapture *capture = case_capture(THROW, 8, 0.9, 3e-3);
    ArcFit *fit = case_explore(
        VACUUM "parameters: {vy0: {prior: {mean: 6.4, sd: 0.005}}}\nfit: {sample: 4000}\n", capture,
        ARC_DIRECT, 2);
    const ArcSamples *s = fit->uncertainty->samples;
    assert_true(s->believable);
    assert_true(s->n_kept >= 4000 && s->n_kept % (s->n_ensembles * s->n_walkers) == 0);
    assert_int_equal(s->n_numbers, 4);
    assert_true(s->acceptance > 0.2 && s->acceptance < 0.9);
    double product = 0.0;
    for (int k = 0; k < 4; k++) {
        const ArcSampledNumber *number = &s->numbers[k];
        const ArcEstimate *e = case_parameter(fit, number->name);
        assert_true(number->r_hat < 1.01 && number->ess_bulk > 1500 && number->ess_tail > 1500);
        assert_near((number->mean - e->value) / e->sd, 0.0, 0.1);
        assert_near(number->sd / e->sd, 1.0, 0.07);
        for (int side = 0; side < 2; side++)
            assert_near((number->ci95[side] - e->ci95[side]) / e->sd, 0.0, 0.25);
    }
    const ArcSampledNumber *x0 = &s->numbers[0], *vx0 = &s->numbers[2];
    for (int i = 0; i < s->n_kept; i++)
        product += (s->draws[4 * i] - x0->mean) * (s->draws[4 * i + 2] - vx0->mean) / s->n_kept;
    double correlation = fit->covariance[2] / sqrt(fit->covariance[0] * fit->covariance[10]);
    assert_true(correlation < -0.5);
    assert_near(product / x0->sd / vx0->sd, correlation, 0.05);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* A bound right at the estimate leaves half of a normal: its mean is sqrt(2/pi) sd inside. */
static void test_sample_at_a_bound_is_the_half_normal(void **state)
{
    (void)state;
    char text[256];
    ArcCapture *capture = case_capture(THROW, 8, 0.9, 3e-3);
    static const char free_text[] = VACUUM "parameters: {x0: 0.5, y0: 2, vy0: 6.4}\n";
    ArcFit *fit = case_fit(free_text, capture, ARC_DIRECT);
    double value = case_parameter(fit, "vx0")->value, sd = case_parameter(fit, "vx0")->sd;
    arc_fit_free(fit);
    static const char *const bounds[] = {"[%.17g, 1000]", "[-1000, %.17g]"};
    for (int side = 0; side < 2; side++) {
        char bound[64];
        snprintf(bound, sizeof bound, bounds[side], value);
        snprintf(text, sizeof text,
                 VACUUM "parameters: {x0: 0.5, y0: 2, vy0: 6.4, vx0: {bounds: %s}}\n"
                        "fit: {sample: %d}\n",
                 bound, FEWER(4000, 1000));
        fit = case_explore(text, capture, ARC_DIRECT, 1);
        const ArcSampledNumber *number = number_of(fit, "vx0");
        double sign = side == 0 ? 1.0 : -1.0, inside = sign * (number->mean - value) / sd;
        assert_true(fit->uncertainty->samples->believable);
        assert_near(inside, sqrt(2.0 / M_PI), FEWER(0.05, 0.1));
        assert_near(number->sd / sd, sqrt(1.0 - 2.0 / M_PI), FEWER(0.04, 0.08));
        /* 2.5 and 97.5 % of |z| */
        assert_near(sign * (number->ci95[side] - value) / sd, 0.0313, FEWER(0.02, 0.04));
        assert_near(sign * (number->ci95[1 - side] - value) / sd, 2.2414, FEWER(0.15, 0.3));
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

static void test_sample_is_the_same_for_any_threads(void **state)
{
    (void)state;
    static const char text[] = VACUUM "fit: {sample: 300}\n";
    ArcCapture *capture = case_capture(THROW, 8, 0.9, 3e-3);
    ArcFit *one = case_explore(text, capture, ARC_DIRECT, 1);
    ArcFit *four = case_explore(text, capture, ARC_DIRECT, 4);
    const ArcSamples *a = one->uncertainty->samples, *b = four->uncertainty->samples;
    assert_int_equal(a->n_kept, b->n_kept);
    assert_memory_equal(a->draws, b->draws, sizeof(double) * (size_t)(a->n_kept * a->n_numbers));
    arc_fit_free(one);
    arc_fit_free(four);
    arc_capture_free(capture);
}

/* Lift and spin come as a product: nothing holds them, and the chains do not pretend. */
static void test_sample_of_an_unidentified_product_is_not_believed(void **state)
{
    (void)state;
    SKIP_UNDER_SANITIZERS();
#define LUMPED CASE_HEAD "flight: {dimensions: 2, lift: lumped}\n"
    ArcCapture *capture =
        case_capture(LUMPED "parameters: {s: 0.01, spin: 20, x0: 0.5, y0: 2, vx0: 4.6, vy0: 6.4}\n",
                     8, 0.9, 3e-3);
    ArcFit *fit = case_explore(
        LUMPED "parameters: {s: {start: 0.02}, spin: {start: 10}, x0: 0.5, y0: 2, vx0: 4.6}\n"
               "fit: {sample: 500}\n",
        capture, ARC_DIRECT, 2);
    assert_false(fit->uncertainty->samples->believable);
    assert_true(number_of(fit, "spin")->r_hat > 1.01);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* The chains are the direct fit's; the PINN's posterior is the same. */
static void test_sample_of_the_pinn_is_not_run(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 8, 0.9, 3e-3);
    ArcFit *fit = case_explore(VACUUM "fit: {sample: 100}\n", capture, ARC_PINN, 1);
    assert_null(fit->uncertainty->samples);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

static bool allow_some(void *context, size_t size)
{
    int *left = context;
    (void)size;
    return (*left)-- > 0;
}

static void test_sample_exhaustion_gives_memory(void **state)
{
    (void)state;
    static const char text[] = VACUUM "parameters: {x0: 0.5, y0: 2, vy0: 6.4}\nfit: {sample: 10}\n";
    ArcCapture *capture = case_capture(THROW, 8, 0.9, 3e-3);
    ArcExperiment *experiment = case_experiment(text);
    ArcProblem *problem = case_problem(text, capture);
    ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
    ArcStatus status = ARC_MEMORY;
    int refused = 0;
    for (int n = 0; n < 1000 && status != ARC_OK; n++, refused++) {
        int left = n;
        arc_memory_set_hook(allow_some, &left);
        status = arc_uncertainty_run(problem, &experiment->uncertainty, NULL, fit, NULL);
        arc_memory_set_hook(NULL, NULL);
        assert_true(status == ARC_OK || status == ARC_MEMORY);
        assert_true((fit->uncertainty != NULL) == (status == ARC_OK));
    }
    assert_int_equal(status, ARC_OK);
    assert_true(refused > 2);
    arc_fit_free(fit);
    arc_problem_free(problem);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample_of_a_linear_problem_is_the_normal_posterior),
        cmocka_unit_test(test_sample_at_a_bound_is_the_half_normal),
        cmocka_unit_test(test_sample_is_the_same_for_any_threads),
        cmocka_unit_test(test_sample_of_an_unidentified_product_is_not_believed),
        cmocka_unit_test(test_sample_of_the_pinn_is_not_run),
        cmocka_unit_test(test_sample_exhaustion_gives_memory),
    };
    return cmocka_run_group_tests_name("sample", tests, NULL, NULL);
}
