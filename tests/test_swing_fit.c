/* Fits of a throw with its swing: what comes back, that both methods agree, and what is a misfit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/joint.h"
#include "arcfit/result.h"
#include "sweep.h"
#include "swing_case.h"

/* Both methods' fits of one throw. */
typedef struct Pair {
    SwingCase c;
    ArcFit *direct, *pinn;
} Pair;

static void pair_fit(Pair *pair, const char *truth, const char *text, SwingSight sight)
{
    swing_case(truth, 0.3, 0.9, sight, &pair->c);
    pair->direct = case_fit(text, &pair->c.seen, ARC_DIRECT);
    pair->pinn = case_fit(text, &pair->c.seen, ARC_PINN);
    assert_true(pair->direct->converged);
    assert_true(pair->pinn->converged);
}

static void pair_free(Pair *pair)
{
    arc_fit_free(pair->direct);
    arc_fit_free(pair->pinn);
    swing_free(&pair->c);
}

/* Estimates within 0.05 sd of each other, sd within 4 % (the net's are the smaller ones where a
 * torque's end lies before the release), chi2 alike. */
static void assert_agree(const Pair *pair)
{
    double most = 0.0, least = 1.0, largest = 1.0;
    for (int i = 0; i < pair->direct->n_parameters; i++) {
        const ArcEstimate *a = &pair->direct->parameters[i], *b = &pair->pinn->parameters[i];
        if (a->free_index < 0 || a->status == ARC_PARAMETER_AT_BOUND)
            continue;
        most = fmax(most, fabs(a->value - b->value) / a->sd);
        least = fmin(least, b->sd / a->sd);
        largest = fmax(largest, b->sd / a->sd);
    }
    print_message("largest difference %.3f sd, sd %.3f to %.3f\n", most, least, largest);
    assert_true(most < 0.05);
    assert_true(least > 0.96 && largest < 1.015);
    assert_near(pair->direct->residuals.chi2, pair->pinn->residuals.chi2, 0.05);
}

/* All that is free within `sds` standard deviations of the truth's value, free or not there. */
static void assert_recovered(const ArcFit *fit, const char *truth_text, double sds)
{
    ArcExperiment *truth = case_experiment(truth_text);
    for (int i = 0; i < fit->n_parameters; i++) {
        const ArcEstimate *e = &fit->parameters[i];
        double off = e->value - truth->parameters[i].start;
        if (e->free_index >= 0 && !(fabs(off) <= sds * e->sd))
            fail_msg("%s: %g is %.1f sd off", e->name, e->value, off / e->sd);
    }
    arc_experiment_free(truth);
}

#define COULOMB_FREE                                                                               \
    SWING_HEAD "arm:\n  span: [0 s, 0.3 s]\n  base: [0 m, 1 m]\n  joints:\n"                       \
               "    - {" SWING_LINK_1 ", viscous: 0.1, torque: {curve: spline}}\n"                 \
               "    - {" SWING_LINK_2 ", viscous: 0.05, torque: {curve: spline}}\n"
#define SMOOTH_TRUTH COULOMB_FREE "parameters:\n" SWING_RELEASE SWING_TORQUES
#define SMOOTH_FIT COULOMB_FREE "parameters:\n" SWING_FREE

static void test_recovers_all_from_points_without_noise(void **state)
{
    (void)state;
    Pair pair;
    SwingSight sight = swing_usual;
    sight.seed = 0;
    pair_fit(&pair, SMOOTH_TRUTH, SMOOTH_FIT, sight);
    assert_agree(&pair);
    assert_recovered(pair.direct, SMOOTH_TRUTH, 1e-3);
    assert_recovered(pair.pinn, SMOOTH_TRUTH, 0.02);
    pair_free(&pair);
}

static void test_recovers_all_from_noisy_points(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        Pair pair;
        SwingSight sight = swing_usual;
        sight.seed = seed;
        pair_fit(&pair, SMOOTH_TRUTH, SMOOTH_FIT, sight);
        assert_agree(&pair);
        assert_recovered(pair.direct, SMOOTH_TRUTH, 4.0);
        assert_int_equal(pair.direct->residuals.n_swing, 80);
        assert_int_equal(pair.direct->residuals.dof, 24 + 80 - 19);
        assert_true(pair.direct->residuals.chi2_p > 1e-3);
        pair_free(&pair);
    }
}

static void test_recovers_from_encoders_with_their_offsets(void **state)
{
    (void)state;
    static const char *const text = SMOOTH_FIT "  offset1: free\n  offset2: free\n";
    Pair pair;
    SwingSight sight = swing_usual;
    sight.elbow = false;
    sight.angles = sight.rates = true;
    sight.offset_rad = 0.02;
    /* Encoders exist by the file's settings alone. */
    char encoders[4096], truth[4096];
    snprintf(encoders, sizeof encoders, "%s", text);
    snprintf(truth, sizeof truth, "%s", SMOOTH_TRUTH "  offset1: 0.02\n  offset2: 0.02\n");
    char *places[2] = {strstr(encoders, "arm:\n  span"), strstr(truth, "arm:\n  span")};
    for (int i = 0; i < 2; i++) {
        assert_non_null(places[i]);
        memmove(places[i] + 24, places[i] + 5, strlen(places[i] + 5) + 1);
        memcpy(places[i] + 5, "  encoders: true  \n", 19);
    }
    pair_fit(&pair, truth, encoders, sight);
    assert_agree(&pair);
    assert_recovered(pair.direct, truth, 4.0);
    pair_free(&pair);
}

#define TRAPEZOIDS                                                                                 \
    SWING_HEAD                                                                                     \
    "arm:\n  span: [0 s, 0.3 s]\n  base: [0 m, 1 m]\n  friction_width: 1 rad/s\n"                  \
    "  joints:\n"                                                                                  \
    "    - {" SWING_LINK_1 ", viscous: 0.1, coulomb: 0.5, torque: {curve: trapezoid}}\n"           \
    "    - {" SWING_LINK_2 ", viscous: 0.05, coulomb: 0.2, torque: {curve: trapezoid}}\n"          \
    "parameters:\n"
#define TRAPEZOID_SHARES "  torque1_2: 0.4\n  torque1_3: 0.3\n  torque2_2: 0.5\n  torque2_3: 0.2\n"

static void test_recovers_trapezoids_with_friction(void **state)
{
    (void)state;
    static const char *const truth =
        TRAPEZOIDS SWING_RELEASE TRAPEZOID_SHARES "  torque1_1: 50\n  torque2_1: 14\n";
    static const char *const text =
        TRAPEZOIDS SWING_FREE TRAPEZOID_SHARES "  viscous1: free\n  coulomb1: free\n";
    Pair pair;
    pair_fit(&pair, truth, text, swing_usual);
    assert_agree(&pair);
    assert_recovered(pair.direct, truth, 4.0);
    pair_free(&pair);
}

/* Of torques that leave little open the sd grow by what a net may be off its equations, by 1 %. */
static void test_well_determined_swings_keep_their_sd(void **state)
{
    (void)state;
    static const char *const text =
        SWING_HEAD "arm:\n  span: [0 s, 0.3 s]\n  base: [0 m, 1 m]\n  joints:\n"
                   "    - {" SWING_LINK_1 ", viscous: 0.1}\n    - {" SWING_LINK_2
                   ", viscous: 0.05}\nparameters:\n";
    char truth[4096], fit[4096];
    Pair pair;
    SwingSight sight = swing_usual;
    sight.rows = 60;
    snprintf(truth, sizeof truth, "%s%s", text, SWING_RELEASE "  torque1: 30\n  torque2: 6\n");
    snprintf(fit, sizeof fit, "%s%s", text, SWING_FREE);
    pair_fit(&pair, truth, fit, sight);
    assert_agree(&pair);
    assert_recovered(pair.direct, truth, 4.0);
    pair_free(&pair);
}

/* Equations whose torques cannot change do not follow a swing whose torques did. */
static void test_wrong_equations_are_a_misfit(void **state)
{
    (void)state;
    static const char *const constant =
        SWING_TWO("curve: constant", "curve: constant") "parameters:\n" SWING_FREE;
    SwingCase c;
    swing_case(SMOOTH_TRUTH, 0.3, 0.9, swing_usual, &c);
    ArcFit *fit = case_fit(constant, &c.seen, ARC_DIRECT);
    assert_true(fit->residuals.chi2_p < ARC_MISFIT_P);
    arc_fit_free(fit);
    swing_free(&c);
}

/* Motion, torques and residuals that the fit tells are those of its estimates. */
static void test_fit_tells_the_swing(void **state)
{
    (void)state;
    Pair pair;
    SwingSight sight = swing_usual;
    sight.rates = true;
    pair_fit(&pair, SMOOTH_TRUTH, SMOOTH_FIT, sight);
    const ArcFit *fits[] = {pair.direct, pair.pinn};
    for (int f = 0; f < 2; f++) {
        const ArcSwingFit *swing = fits[f]->arm->swing;
        const ArcArmFit *arm = fits[f]->arm;
        assert_non_null(swing);
        assert_int_equal(swing->rows, 20);
        assert_int_equal(swing->numbers, 120);
        assert_int_equal(swing->n_parts, 4);
        int last = swing->n_times - 1;
        double chi2 = 0.0, by_parts = 0.0;
        assert_near(swing->time_s[0], pair.c.time_s[0], 1e-12);
        assert_near(swing->time_s[last], fits[f]->time_s[0], 1e-12);
        for (int j = 0; j < 2; j++) {
            assert_near(swing->theta_rad[last * 2 + j], fits[f]->parameters[arm->theta + j].value,
                        1e-12);
            assert_near(swing->omega_rad_s[last * 2 + j], fits[f]->parameters[arm->omega + j].value,
                        1e-12);
            for (int i = 1; i < last; i++) {
                double h = swing->time_s[i + 1] - swing->time_s[i - 1];
                double slope =
                    (swing->theta_rad[2 * (i + 1) + j] - swing->theta_rad[2 * (i - 1) + j]) / h;
                assert_near(slope, swing->omega_rad_s[2 * i + j], 0.1);
            }
        }
        for (int i = 0; i < swing->numbers; i++) {
            double off = (swing->fitted[i] - swing->measured[i].value) / swing->measured[i].sigma;
            chi2 += off * off;
            assert_true(i == 0 || swing->number_time_s[i] >= swing->number_time_s[i - 1]);
        }
        for (int i = 0; i < swing->n_parts; i++)
            by_parts += swing->parts[i].chi2;
        assert_near(chi2, swing->chi2, 1e-9);
        assert_near(by_parts, swing->chi2, 1e-9);
        assert_near(fits[f]->residuals.swing_chi2, swing->chi2, 1e-9);
        assert_true(isnan(swing->physics_rms_rad_s2) == (f == 0));
    }
    pair_free(&pair);
}

/* A release after the flight's first points is no bound that estimates stand at. */
static void test_release_may_come_after_first_points(void **state)
{
    (void)state;
    Pair pair;
    SwingSight sight = swing_usual;
    sight.seed = 3;
    pair_fit(&pair, SMOOTH_TRUTH, SMOOTH_FIT, sight);
    const ArcEstimate *t0 = case_find(pair.direct->n_parameters, pair.direct->parameters, "t0");
    assert_int_equal(t0->status, ARC_PARAMETER_FREE);
    assert_true(t0->value > 0.304);
    assert_agree(&pair);
    pair_free(&pair);
}

/* Two numbers of the swing far off spoil a plain fit, and not one by Huber's loss. */
static void test_robust_losses_hold_the_swings_numbers_too(void **state)
{
    (void)state;
    static const char *const text = SMOOTH_FIT "fit: {loss: huber}\n";
    Pair pair;
    swing_case(SMOOTH_TRUTH, 0.3, 0.9, swing_usual, &pair.c);
    pair.c.numbers[10].value += 0.05;
    pair.c.numbers[33].value -= 0.1;
    pair.direct = case_fit(text, &pair.c.seen, ARC_DIRECT);
    pair.pinn = case_fit(text, &pair.c.seen, ARC_PINN);
    assert_true(pair.direct->converged && pair.pinn->converged);
    assert_agree(&pair);
    assert_recovered(pair.direct, SMOOTH_TRUTH, 4.0);
    ArcFit *plain = case_fit(SMOOTH_FIT, &pair.c.seen, ARC_DIRECT);
    assert_true(plain->residuals.chi2_p < ARC_MISFIT_P);
    assert_true(pair.direct->residuals.chi2_p > 0.01);
    arc_fit_free(plain);
    pair_free(&pair);
}

/* Dry friction as wide as it is by default, in joints that turn round. */
static void test_dry_friction_is_followed_by_both(void **state)
{
    (void)state;
    Pair pair;
    pair_fit(&pair, SWING_TRUTH, SWING_FIT, swing_usual);
    assert_agree(&pair);
    assert_recovered(pair.direct, SWING_TRUTH, 4.0);
    pair_free(&pair);
}

/* Two throws share their links, and have swings of their own. */
static void test_throws_with_swings_are_fitted_together(void **state)
{
    (void)state;
    SwingCase c[2];
    const ArcCapture *captures[2];
    ArcError err;
    for (int i = 0; i < 2; i++) {
        SwingSight sight = swing_usual;
        sight.seed = (uint64_t)i + 1;
        swing_case(SMOOTH_TRUTH, 0.3, 0.9, sight, &c[i]);
        captures[i] = &c[i].seen;
    }
    ArcExperiment *experiment = case_experiment(SMOOTH_FIT);
    ArcJoint *joint = NULL;
    ArcFit *fits[2];
    assert_int_equal(arc_joint_create(experiment, 2, captures, &joint, &err), ARC_OK);
    for (int m = 0; m < 2; m++) {
        assert_int_equal(arc_joint_fit(joint, m == 0 ? ARC_DIRECT : ARC_PINN, NULL, &fits[m], &err),
                         ARC_OK);
        assert_true(fits[m]->converged);
        assert_int_equal(fits[m]->residuals.n_swing, 160);
        assert_true(fits[m]->residuals.chi2_p > 1e-3);
    }
    const ArcEstimate *l1 = case_find(fits[0]->n_parameters, fits[0]->parameters, "l1");
    const ArcEstimate *other = case_find(fits[1]->n_parameters, fits[1]->parameters, "l1");
    ArcFit *alone = case_fit(SMOOTH_FIT, captures[0], ARC_DIRECT);
    double sd = case_find(alone->n_parameters, alone->parameters, "l1")->sd;
    assert_near(l1->value, other->value, 0.05 * l1->sd);
    assert_near(l1->sd, sd / sqrt(2.0), 0.02 * sd);
    assert_near(l1->value, 0.5, 4.0 * l1->sd);
    arc_fit_free(alone);
    for (int m = 0; m < 2; m++) {
        arc_fit_free(fits[m]);
        swing_free(&c[m]);
    }
    arc_joint_free(joint);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recovers_all_from_points_without_noise),
        cmocka_unit_test(test_recovers_all_from_noisy_points),
        cmocka_unit_test(test_recovers_from_encoders_with_their_offsets),
        cmocka_unit_test(test_recovers_trapezoids_with_friction),
        cmocka_unit_test(test_well_determined_swings_keep_their_sd),
        cmocka_unit_test(test_wrong_equations_are_a_misfit),
        cmocka_unit_test(test_fit_tells_the_swing),
        cmocka_unit_test(test_release_may_come_after_first_points),
        cmocka_unit_test(test_robust_losses_hold_the_swings_numbers_too),
        cmocka_unit_test(test_dry_friction_is_followed_by_both),
        cmocka_unit_test(test_throws_with_swings_are_fitted_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
