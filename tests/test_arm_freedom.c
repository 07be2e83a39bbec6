/* Each kind of an arm's parameters free, fixed, with a prior, measured and within bounds, with the
 * swing seen; limits of joints in fits of a swing by both methods. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/arm_fit.h"
#include "swing_case.h"

#define JOINT_2(more)                                                                              \
    "    - {" SWING_LINK_2 ", viscous: 0.05, coulomb: 0.1, " more                                  \
    "torque: {curve: spline, coefficients: 6}}\n"
#define ARM(more)                                                                                  \
    SWING_HEAD "arm:\n  span: [0 s, 0.3 s]\n  base: [0 m, 1 m]\n  encoders: true\n  joints:\n"     \
               "    - {" SWING_LINK_1 ", viscous: 0.1, coulomb: 0.2, "                             \
               "torque: {curve: spline, coefficients: 6}}\n" JOINT_2(more) "parameters:\n"
#define TRUTH ARM("") SWING_RELEASE SWING_TORQUES

/* A parameter, and what a prior or a reading of it is good to where the data say little: 0 where
 * they say enough alone. */
typedef struct Kind {
    const char *name;
    double sd;
} Kind;

static const Kind kinds[] = {{"base_x", 0},      {"l1", 0},          {"ball_along", 0},
                             {"offset1", 0},     {"gain1", 0},       {"theta1", 0},
                             {"omega1", 0},      {"t0", 0},          {"torque1_3", 0},
                             {"mass1", 0.02},    {"centre1", 2e-3},  {"payload", 0.02},
                             {"inertia1", 1e-3}, {"viscous1", 0.05}, {"coulomb1", 0.1}};

static SwingSight sight_of_all(void)
{
    SwingSight sight = swing_usual;
    sight.ball = sight.angles = true;
    return sight;
}

/* The experiment with one parameter as `said`. */
static void write_text(const char *name, const char *said, char *text, size_t size)
{
    static const char *const always[] = {"l1", "l2", "t0"};
    int n = snprintf(text, size, "%s", ARM(""));
    for (int i = 0; i < 3; i++)
        if (strcmp(always[i], name) != 0)
            n += snprintf(text + n, size - (size_t)n, "  %s: free\n", always[i]);
    snprintf(text + n, size - (size_t)n, "  %s: %s\n", name, said);
}

static ArcFit *fit_of(const SwingCase *c, const char *name, ArcMethod method, const char *format,
                      ...)
{
    char said[256], text[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(said, sizeof said, format, list);
    va_end(list);
    write_text(name, said, text, sizeof text);
    ArcFit *fit = case_fit(text, &c->seen, method);
    assert_true(fit->converged);
    return fit;
}

static void check_close(double value, double expected, double slack)
{
    if (!(fabs(value - expected) <= slack))
        fail_msg("%.12g is not %.12g within %.3g", value, expected, slack);
}

static void check_fixed(const SwingCase *c, const Kind *kind, ArcMethod method, double value)
{
    ArcFit *fit = fit_of(c, kind->name, method, "%.17g", value);
    const ArcEstimate *e = case_parameter(fit, kind->name);
    assert_int_equal(e->status, ARC_PARAMETER_FIXED);
    assert_true(e->value == value && e->sd == 0.0);
    arc_fit_free(fit);
}

/* A prior and a reading off by an sd of that size: the same estimates, between both by the inverse
 * squares. */
static void check_told(const SwingCase *c, const Kind *kind, ArcMethod method, double value,
                       double own_sd)
{
    double sd = kind->sd > 0.0 ? kind->sd : own_sd, told = value + sd;
    ArcFit *prior = fit_of(c, kind->name, method, "{prior: {mean: %.17g, sd: %.17g}}", told, sd);
    ArcFit *read = fit_of(c, kind->name, method,
                          "{start: %.17g, measured: {value: %.17g, sd: %.17g}}", told, told, sd);
    const ArcEstimate *a = case_parameter(prior, kind->name), *b = case_parameter(read, kind->name);
    assert_int_equal(prior->residuals.n_readings, 0);
    assert_int_equal(read->residuals.n_readings, 1);
    assert_int_equal(a->status, ARC_PARAMETER_FREE);
    assert_int_equal(b->status, ARC_PARAMETER_FREE);
    /* A direct fit stops a thousandth of an sd from its end. */
    check_close(a->value, b->value, 5e-3 * sd);
    check_close(a->sd, b->sd, 5e-3 * sd);
    if (kind->sd == 0.0) {
        check_close(b->value, value + 0.5 * sd, 0.05 * sd);
        check_close(b->sd, sd / sqrt(2.0), 0.05 * sd);
    }
    arc_fit_free(prior);
    arc_fit_free(read);
}

static void check_bounds(const SwingCase *c, const Kind *kind, ArcMethod method, double value,
                         double sd)
{
    double low = value + 0.5 * sd;
    ArcFit *fit = fit_of(c, kind->name, method, "{start: %.17g, bounds: [%.17g, %.17g]}",
                         low + 0.5 * sd, low, low + 40.0 * sd);
    const ArcEstimate *e = case_parameter(fit, kind->name);
    assert_int_equal(e->status, ARC_PARAMETER_AT_BOUND);
    assert_true(e->value == low);
    arc_fit_free(fit);
}

static void check_kind(const SwingCase *c, const Kind *kind, ArcMethod method)
{
    const ArcEstimate *truth;
    ArcExperiment *experiment = case_experiment(TRUTH);
    double value = NAN, sd = kind->sd;
    for (int i = 0; i < experiment->n_parameters; i++)
        if (strcmp(experiment->parameters[i].name, kind->name) == 0)
            value = experiment->parameters[i].start;
    arc_experiment_free(experiment);
    if (kind->sd == 0.0) {
        ArcFit *fit = fit_of(c, kind->name, method, "{start: %.17g}", value);
        truth = case_parameter(fit, kind->name);
        assert_int_equal(truth->status, ARC_PARAMETER_FREE);
        assert_true(fabs(truth->value - value) < 4.0 * truth->sd);
        value = truth->value;
        sd = truth->sd;
        arc_fit_free(fit);
        check_bounds(c, kind, method, value, sd);
    }
    check_fixed(c, kind, method, value);
    check_told(c, kind, method, value, sd);
}

static void test_every_kind_takes_each_state_direct(void **state)
{
    (void)state;
    SwingCase c;
    swing_case(TRUTH, 0.3, 0.9, sight_of_all(), &c);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        print_message("%s\n", kinds[k].name);
        check_kind(&c, &kinds[k], ARC_DIRECT);
    }
    swing_free(&c);
}

static void test_some_kinds_take_each_state_pinn(void **state)
{
    (void)state;
    static const Kind some[] = {{"l1", 0}, {"offset1", 0}, {"theta1", 0}, {"payload", 0.02}};
    SwingCase c;
    swing_case(TRUTH, 0.3, 0.9, sight_of_all(), &c);
    for (size_t k = 0; k < sizeof some / sizeof some[0]; k++) {
        print_message("%s\n", some[k].name);
        check_kind(&c, &some[k], ARC_PINN);
    }
    swing_free(&c);
}

/* theta2 is 25 deg at the release: limits that leave it out hold it. */
static void check_limit(const char *text, double limit_rad)
{
    static const ArcMethod methods[] = {ARC_DIRECT, ARC_PINN};
    SwingCase c;
    double theta1[2];
    swing_case(TRUTH, 0.3, 0.9, sight_of_all(), &c);
    for (int k = 0; k < 2; k++) {
        ArcFit *fit = case_fit(text, &c.seen, methods[k]);
        const ArcEstimate *e = case_parameter(fit, "theta2");
        assert_int_equal(e->status, ARC_PARAMETER_AT_BOUND);
        check_close(e->value, limit_rad, 1e-12);
        theta1[k] = case_parameter(fit, "theta1")->value;
        assert_true(fit->arm->solutions[0].is_within_limits);
        arc_fit_free(fit);
    }
    check_close(theta1[0], theta1[1], 1e-3);
    swing_free(&c);
}

static void test_limit_holds_the_release_of_a_swing(void **state)
{
    (void)state;
    check_limit(ARM("limits: [-150 deg, 24 deg], ") SWING_FREE, 24.0 * M_PI / 180.0);
    check_limit(ARM("limits: [26 deg, 150 deg], ") SWING_FREE, 26.0 * M_PI / 180.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_takes_each_state_direct),
        cmocka_unit_test(test_some_kinds_take_each_state_pinn),
        cmocka_unit_test(test_limit_holds_the_release_of_a_swing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
