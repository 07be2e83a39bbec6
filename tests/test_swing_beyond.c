/* What is asked beyond a fit, of one with a swing: profiles and a bootstrap by both methods. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "slow.h"
#include "swing_case.h"
#include "uncertainty_case.h"

enum { REPLICATES = 200 };

/* Torques of few coefficients and no dry friction, by which the fit is nearly linear. */
#define TORQUE "viscous: 0.1, torque: {curve: polynomial, coefficients: 3}}\n"
#define ARM                                                                                        \
    SWING_HEAD "arm:\n  span: [0 s, 0.3 s]\n  base: [0 m, 1 m]\n  joints:\n"                       \
               "    - {" SWING_LINK_1 ", " TORQUE "    - {" SWING_LINK_2 ", " TORQUE               \
               "parameters:\n"
#define TRUTH                                                                                      \
    ARM SWING_RELEASE "  torque1_1: 30\n  torque1_2: 60\n  torque1_3: -50\n"                       \
                      "  torque2_1: 6\n  torque2_2: 20\n  torque2_3: -18\n"
#define FIT ARM SWING_FREE

static const ArcMethod methods[] = {ARC_DIRECT, ARC_PINN};
static const char *const names[] = {"t0", "l1", "l2", "theta1", "omega2"};

/* The fit with its profiles and what the text asks for. */
static ArcFit *explore(const char *text, ArcMethod method)
{
    SwingCase c;
    ArcError err;
    ArcProblem *problem = NULL;
    ArcFit *fit = NULL;
    swing_case(TRUTH, 0.3, 0.9, swing_usual, &c);
    ArcExperiment *experiment = case_experiment(text);
    for (int i = 0; experiment->uncertainty.bootstrap == 0 && i < experiment->n_parameters; i++)
        if (strcmp(experiment->parameters[i].name, "l1") == 0 ||
            strcmp(experiment->parameters[i].name, "t0") == 0)
            experiment->uncertainty.profiles |= UINT64_C(1) << i;
    if (arc_problem_create(experiment, &c.seen, &problem, &err) != ARC_OK ||
        arc_fit_run(problem, method, NULL, &fit, &err) != ARC_OK ||
        arc_uncertainty_run(problem, &experiment->uncertainty, NULL, fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_problem_free(problem);
    arc_experiment_free(experiment);
    swing_free(&c);
    return fit;
}

static void test_profile_with_a_swing_is_the_covariances(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        ArcFit *fit = explore(FIT, methods[m]);
        for (int k = 0; k < 2; k++) {
            const ArcEstimate *e = case_parameter(fit, names[k]);
            const ArcProfile *profile = case_profile(fit, names[k]);
            for (int side = 0; side < 2; side++)
                if (!(fabs(profile->interval[side] - e->ci95[side]) < 0.1 * e->sd))
                    fail_msg("%s: %.6g by profile, %.6g by covariance", names[k],
                             profile->interval[side], e->ci95[side]);
        }
        arc_fit_free(fit);
    }
}

static const ArcBootstrapNumber *number_of(const ArcBootstrap *b, const char *name)
{
    for (int i = 0; i < b->n_numbers; i++)
        if (strcmp(b->numbers[i].name, name) == 0)
            return &b->numbers[i];
    fail_msg("no '%s'", name);
    return NULL;
}

/* The swing is drawn anew as well: lengths, which it alone tells, would else not scatter. */
static void check_bootstrap(const char *text, double slack)
{
    for (int m = 0; m < 2; m++) {
        ArcFit *fit = explore(text, methods[m]);
        const ArcBootstrap *b = fit->uncertainty->bootstrap;
        assert_non_null(b);
        assert_true(b->n_failed <= REPLICATES / 20);
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            double ratio = number_of(b, names[k])->sd / case_parameter(fit, names[k])->sd;
            if (!(fabs(ratio - 1.0) < slack))
                fail_msg("%s: sd %.3f of the covariance's", names[k], ratio);
        }
        arc_fit_free(fit);
    }
}

static void test_bootstrap_of_residuals_draws_the_swing(void **state)
{
    (void)state;
    SKIP_UNDER_SANITIZERS();
    check_bootstrap(FIT "fit: {bootstrap: 200}\n", 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_with_a_swing_is_the_covariances),
        cmocka_unit_test(test_bootstrap_of_residuals_draws_the_swing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
