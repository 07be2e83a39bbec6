/* Flights over bounces by a net for each segment: the objective's Jacobian by differences, the same
 * answer as the direct fit's, starts from the data, and checkpoints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/segments.h"
#include "fit_case.h"
#include "objective_check.h"

#include <unistd.h>

#define PLANE                                                                                      \
    CASE_HEAD                                                                                      \
    "flight: {ball: table-tennis, drag: quadratic, lift: linear, bounce: {plane: y=2 cm, "         \
    "restitution: 0.85, friction: 0.1}}\n"
#define SPACE                                                                                      \
    CASE_HEAD                                                                                      \
    "flight: {dimensions: 3, ball: table-tennis, drag: quadratic, lift: linear, bounce: "          \
    "{plane: z=2 cm, restitution: 0.85, friction: 0.1}, wind: [0.5, 0.2, 0]}\n"
#define PLANE_TRUTH                                                                                \
    PLANE "parameters: {cm: 1.3, spin: 80, x0: 0, y0: 0.3, vx0: 4, vy0: 1, restitution: 0.8}\n"
#define SPACE_TRUTH                                                                                \
    SPACE "parameters: {cm: 1.3, wx: 20, wy: 60, wz: -30, x0: 0, y0: 0.1, z0: 0.3, vx0: 4, "       \
          "vy0: 0.5, vz0: 1, restitution: 0.8}\n"

#define FADING(law)                                                                                \
    CASE_HEAD "flight: {ball: table-tennis, drag: quadratic, lift: linear, spin_decay: " law       \
              ", bounce: {plane: y=2 cm, restitution: 0.85, friction: 0.1}}\n"

/* Fits from the data's own starts: {parameters, fitted time, segments of it, dimensions}. */
typedef struct Flight {
    const char *name, *text, *truth;
    double span_s;
    int points, segments;
} Flight;

static const Flight flights[] = {
    {"one bounce",
     PLANE "parameters: {cm: 1.3, spin: free, cd: free, restitution: free, friction: "
           "free}\n",
     PLANE_TRUTH, 0.6, 40, 2},
    {"two bounces",
     PLANE "parameters: {cm: 1.3, spin: free, cd: free, restitution: free, "
           "friction: free}\n",
     PLANE_TRUTH, 0.8, 60, 3},
    {"three bounces", PLANE "parameters: {cm: 1.3, spin: free, restitution: free}\n", PLANE_TRUTH,
     1.05, 60, 4},
    {"polar, free t0",
     PLANE "release: polar\nparameters: {cm: 1.3, spin: free, restitution: free, friction: free, "
           "x0: 0, t0: {start: -1 ms}}\n",
     PLANE_TRUTH, 0.6, 40, 2},
    {"space",
     SPACE "parameters: {cm: 1.3, wx: free, wy: free, wz: free, cd: free, restitution: "
           "free, friction: free}\n",
     SPACE_TRUTH, 0.5, 60, 2},
    {"spin fades with time",
     FADING("exponential") "parameters: {cm: 1.3, spin: free, spin_tau: 1, restitution: free}\n",
     FADING("exponential") "parameters: {cm: 1.3, spin: 80, spin_tau: 1, x0: 0, y0: 0.3, vx0: 4, "
                           "vy0: 1, restitution: 0.8}\n",
     0.8, 60, 3},
    {"spin fades with the path",
     FADING(
         "aerodynamic") "parameters: {cm: 1.3, spin: free, spin_decay: 0.2, restitution: free}\n",
     FADING("aerodynamic") "parameters: {cm: 1.3, spin: 80, spin_decay: 0.2, x0: 0, y0: 0.3, "
                           "vx0: 4, vy0: 1, restitution: 0.8}\n",
     0.8, 60, 3},
    {"no bounce yet", PLANE "parameters: {cm: 1.3, spin: free}\n", PLANE_TRUTH, 0.25, 20, 1},
    {"from below",
     CASE_HEAD "flight: {gravity: 0, bounce: {plane: y=1 m, restitution: 0.7, friction: 0}}\n"
               "parameters: {restitution: free}\n",
     CASE_HEAD "flight: {gravity: 0, bounce: {plane: y=1 m, restitution: 0.8, friction: 0}}\n"
               "parameters: {x0: 0, y0: 0, vx0: 1, vy0: 2}\n",
     1.0, 20, 2},
};
enum { N_FLIGHTS = sizeof flights / sizeof flights[0] };

static int segments_of(ArcPinn *first)
{
    int n = 0;
    for (; first != NULL; first = first->next)
        n++;
    return n;
}

static void test_segments_objective_jacobian_is_that_of_differences(void **state)
{
    (void)state;
    for (int i = 0; i < N_FLIGHTS; i++) {
        ArcError err;
        ArcCapture *capture = case_capture(flights[i].truth, 12, flights[i].span_s, 1e-3);
        ArcProblem *problem = case_problem(flights[i].text, capture);
        ArcArena *arena = arc_arena_create();
        ArcObjective objective;
        ArcPinn *pinn = NULL;
        double *z = NULL;
        ArcNetSettings net = arc_net_settings_default();
        net.widths[0] = 8;
        assert_int_equal(arc_pinn_create(problem, &net, 12, arena, &pinn, &err), ARC_OK);
        assert_int_equal(arc_linear_objective(pinn, arena, &objective, &z, &err), ARC_OK);
        double worst = check_objective(problem, &objective, z, segments_of(pinn) * 12 * problem->D);
        if (!(worst <= 1e-6))
            fail_msg("%s: error %g of the largest entry", flights[i].name, worst);
        print_message("%s: worst error %.1e\n", flights[i].name, worst);
        arc_arena_free(arena);
        arc_problem_free(problem);
        arc_capture_free(capture);
    }
}

static void test_fit_run_over_bounces_finds_the_direct_fits_answer(void **state)
{
    (void)state;
    for (int i = 0; i < N_FLIGHTS; i++) {
        const Flight *flight = &flights[i];
        ArcCapture *capture = case_capture(flight->truth, flight->points, flight->span_s, 1e-3);
        ArcFit *pinn = case_fit(flight->text, capture, ARC_PINN);
        ArcFit *direct = case_fit(flight->text, capture, ARC_DIRECT);
        CaseGap gap = case_gap(pinn, direct);
        print_message("%s: %d and %d steps, %.1e sd apart, sds %.1e\n", flight->name,
                      pinn->iterations, direct->iterations, gap.estimate_sd, gap.sd_share);
        assert_true(pinn->converged && direct->converged);
        assert_int_equal(pinn->net.n_segments, flight->segments);
        assert_true(gap.estimate_sd <= 1e-3);
        assert_true(gap.sd_share <= 1e-3);
        assert_true(pinn->residuals.chi2_p > 1e-3);
        const ArcEstimate *e = case_parameter(pinn, "restitution");
        assert_true(flight->segments == 1 || fabs(e->value - 0.8) <= 4.0 * e->sd);
        for (int k = 0; k < pinn->n_trajectory * pinn->dimensions; k++) {
            assert_true(fabs(pinn->position_m[k] - direct->position_m[k]) <= 1e-6);
            assert_true(fabs(pinn->velocity_m_s[k] - direct->velocity_m_s[k]) <= 1e-4);
        }
        arc_fit_free(pinn);
        arc_fit_free(direct);
        arc_capture_free(capture);
    }
}

/* A bounce that comes much earlier than the starts say: the spans of the nets follow. */
static void test_fit_run_bounce_far_from_the_start_moves_the_spans(void **state)
{
    (void)state;
    const char *text = PLANE "parameters: {cm: 1.3, spin: free, restitution: {start: 0.6}, vy0: "
                             "{start: 1.8}, y0: {start: 0.5}}\n";
    ArcCapture *capture = case_capture(PLANE_TRUTH, 40, 0.6, 1e-3);
    ArcFit *pinn = case_fit(text, capture, ARC_PINN);
    ArcFit *direct = case_fit(text, capture, ARC_DIRECT);
    CaseGap gap = case_gap(pinn, direct);
    assert_true(pinn->converged && direct->converged);
    assert_true(gap.estimate_sd <= 1e-3);
    arc_fit_free(pinn);
    arc_fit_free(direct);
    arc_capture_free(capture);
}

static bool stop_at(void *context, const ArcProgressState *progress)
{
    (void)progress;
    return --*(int *)context > 0;
}

/* Interrupted after each step and gone on with: the same bits. */
static void test_fit_run_over_a_bounce_resumed_gives_the_same_bits(void **state)
{
    (void)state;
    char path[] = "/tmp/arcfit-segments-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    ArcError err;
    ArcCapture *capture = case_capture(PLANE_TRUTH, 40, 0.6, 1e-3);
    ArcProblem *problem = case_problem(flights[0].text, capture);
    ArcFit *whole = NULL;
    assert_int_equal(arc_fit_run(problem, ARC_PINN, NULL, &whole, &err), ARC_OK);
    for (int stop = 1; stop < whole->iterations; stop++) {
        int left = stop;
        ArcFit *part = NULL, *rest = NULL;
        ArcFitOptions options = {.progress = stop_at, .context = &left, .checkpoint = path};
        assert_int_equal(arc_fit_run(problem, ARC_PINN, &options, &part, &err), ARC_OK);
        assert_int_equal(part->stop, ARC_STOP_INTERRUPTED);
        options = (ArcFitOptions){.resume = path};
        assert_int_equal(arc_fit_run(problem, ARC_PINN, &options, &rest, &err), ARC_OK);
        assert_int_equal(rest->iterations, whole->iterations);
        for (int i = 0; i < whole->n_parameters; i++)
            assert_true(rest->parameters[i].value == whole->parameters[i].value);
        for (int i = 0; i < whole->net.n_weights; i++)
            assert_true(rest->net.weights[i] == whole->net.weights[i]);
        arc_fit_free(part);
        arc_fit_free(rest);
    }
    unlink(path);
    arc_fit_free(whole);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

static void test_experiment_parse_training_that_knows_no_bounce_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"physics: auto", "windows: 2",
                                        "train: [{optimizer: adam}]"};
    for (int i = 0; i < 3; i++) {
        char text[1024];
        ArcError err;
        ArcExperiment *experiment = NULL;
        snprintf(text, sizeof text, "%sfit: {pinn: {%s}}\n", PLANE, wrong[i]);
        assert_int_equal(
            arc_experiment_parse("case.yaml", text, strlen(text), 0, NULL, &experiment, &err),
            ARC_INPUT);
        assert_non_null(strstr(err.text, "case.yaml:3:"));
        assert_non_null(strstr(err.text, "bounce"));
        assert_null(experiment);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segments_objective_jacobian_is_that_of_differences),
        cmocka_unit_test(test_fit_run_over_bounces_finds_the_direct_fits_answer),
        cmocka_unit_test(test_fit_run_bounce_far_from_the_start_moves_the_spans),
        cmocka_unit_test(test_fit_run_over_a_bounce_resumed_gives_the_same_bits),
        cmocka_unit_test(test_experiment_parse_training_that_knows_no_bounce_is_refused),
    };
    return cmocka_run_group_tests_name("segments", tests, NULL, NULL);
}
