/* Laws switched on one after the other: what far starts end as without stages, with automatic and
 * with given ones; that plain fits are left alone. With ARCFIT_TEST_VERBOSE set the table of shares
 * is printed over many starts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "fit_case.h"
#include "sweep.h"

#include <stdlib.h>

typedef struct Flight {
    const char *name, *model, *truth, *usual; /* the parameters of truth, and a usual start */
    const char *far;                          /* format of a far start: of how many numbers */
    int n_points;
    double span_s;
    bool is_space;
} Flight;

static const Flight flights[] = {
    {"lumped, plane", "flight: {drag: lumped, lift: lumped}\n",
     "k: 0.03, s: 0.08, spin: 2, x0: 0, y0: 2, vx0: 4.6, vy0: 6.4",
     "k: {start: 0.1}, s: 0.08, spin: {start: 0}", "s: 0.08", 11, 0.8, false},
    {"rational, plane", "flight: {ball: basketball, drag: quadratic, lift: rational}\n",
     "cd: 0.5, spin: -15, x0: 0, y0: 2, vx0: 6, vy0: 7", "cd: {start: 0.5}, spin: {start: -1}", "",
     30, 1.2, false},
    {"golf, space", "flight: {dimensions: 3, ball: golf, drag: quadratic, lift: linear}\n",
     "cd: 0.25, cm: 1, wx: 20, wy: -300, wz: 10, x0: 0, y0: 0, z0: 0, vx0: 66, vy0: 1, vz0: 14",
     "cd: {start: 0.3}, cm: 1, wx: {start: 0, prior: {mean: 0, sd: 300}}, wy: {start: 0, prior: "
     "{mean: 0, sd: 300}}, wz: {start: 0, prior: {mean: 0, sd: 300}}",
     "cm: 1", 60, 6.0, true},
    {"polar golf",
     "flight: {dimensions: 3, ball: golf, drag: quadratic, lift: rational}\nrelease: polar\n",
     "cd: 0.25, wx: 20, wy: -300, wz: 10, x0: 0, y0: 0, z0: 0, speed: 67, angle: 0.2, azimuth: "
     "0.02",
     "cd: {start: 0.3}, wx: {start: 0, prior: {mean: 0, sd: 300}}, wy: {start: 0, prior: "
     "{mean: 0, sd: 300}}, wz: {start: 0, prior: {mean: 0, sd: 300}}",
     "", 60, 6.0, true},
    {"badminton", "flight: {drag: lumped, lift: lumped}\n",
     "k: 0.2, s: 0.08, spin: 1, x0: 0, y0: 2, vx0: 90, vy0: 20",
     "k: {start: 0.1}, s: 0.08, spin: {start: 0}", "s: 0.08", 40, 1.5, false},
    {"golf, 5 points", "flight: {dimensions: 2, ball: golf, drag: quadratic, lift: constant}\n",
     "cd: 0.25, cl: 0.2, spin: -300, x0: 0, y0: 0, vx0: 66, vy0: 14",
     "cd: {start: 0.3}, cl: {start: 0.1}, spin: -300", "spin: -300", 5, 6.0, false},
};
enum { N_FLIGHTS = sizeof flights / sizeof flights[0] };

/* Coefficients ten times and more off, release velocities of any direction. */
static void far_start(const Flight *flight, ArcRandom *random, size_t size, char *text)
{
    double speed = arc_random_uniform(random, 0.0, 100.0);
    double v[3], norm = 0.0;
    for (int c = 0; c < 3; c++)
        v[c] = c < 2 || flight->is_space ? arc_random_normal(random) : 0.0;
    for (int c = 0; c < 3; c++)
        norm += v[c] * v[c];
    double wild = getenv("WILD") != NULL ? atof(getenv("WILD")) : 1.0;
    speed *= wild;
    double drag = wild * arc_random_uniform(random, 0.0, 5.0);
    if (drag > 10.0 && strncmp(flight->truth, "cd", 2) == 0)
        drag = 10.0;
    double w[3];
    for (int c = 0; c < 3; c++)
        w[c] = wild * arc_random_uniform(random, -300.0, 300.0);
    for (int c = 0; c < 3; c++)
        v[c] *= speed / sqrt(norm);
    if (strstr(flight->model, "polar") != NULL) {
        snprintf(
            text, size,
            "parameters: {cd: {start: %.17g}, speed: {start: %.17g}, angle: {start: %.17g}, "
            "azimuth: {start: %.17g}, wx: {start: %.17g, prior: {mean: 0, sd: 300}}, wy: {start: "
            "%.17g, prior: {mean: 0, sd: 300}}, wz: {start: %.17g, prior: {mean: 0, sd: "
            "300}}}\n",
            drag, speed, atan2(v[2], hypot(v[0], v[1])), atan2(v[1], v[0]), w[0], w[1], w[2]);
        return;
    }
    if (strstr(flight->model, "constant") != NULL) {
        snprintf(text, size,
                 "parameters: {cd: {start: %.17g}, spin: -300, cl: {start: %.17g}, vx0: {start: "
                 "%.17g}, vy0: {start: %.17g}}\n",
                 drag, w[0] / 100.0 / wild, v[0], v[1]);
        return;
    }
    int n = snprintf(text, size,
                     "parameters: {%s: {start: %.17g}, %s%svx0: {start: %.17g}, vy0: "
                     "{start: %.17g}, ",
                     strncmp(flight->truth, "cd", 2) == 0 ? "cd" : "k", drag, flight->far,
                     flight->far[0] == '\0' ? "" : ", ", v[0], v[1]);
    if (flight->is_space)
        snprintf(text + n, size - (size_t)n,
                 "vz0: {start: %.17g}, wx: {start: %.17g, prior: {mean: 0, sd: 300}}, wy: {start: "
                 "%.17g, prior: {mean: 0, sd: 300}}, wz: {start: %.17g, prior: {mean: 0, sd: "
                 "300}}}\n",
                 v[2], w[0], w[1], w[2]);
    else
        snprintf(text + n, size - (size_t)n, "spin: {start: %.17g}}\n", w[0]);
}

/* The fit, or NULL where not even the start can be evaluated. */
static ArcFit *fit_of(const char *text, const ArcCapture *capture, ArcMethod method)
{
    ArcError err;
    ArcProblem *problem = case_problem(text, capture);
    ArcFit *fit = NULL;
    ArcStatus status = arc_fit_run(problem, method, NULL, &fit, &err);
    assert_true(status == ARC_OK || status == ARC_NUMERIC);
    arc_problem_free(problem);
    return fit;
}

static const char *const stages[] = {"none", "auto", "[vacuum, drag, lift]"};

static bool is_right(const ArcFit *fit, const ArcFit *reference)
{
    if (fit == NULL || !fit->converged)
        return false;
    for (int i = 0; i < fit->n_parameters; i++) {
        const ArcEstimate *a = &fit->parameters[i], *b = &reference->parameters[i];
        if (b->free_index >= 0 && !(fabs(a->value - b->value) <= 0.01 * b->sd))
            return false;
    }
    return true;
}

static void test_stages_table(void **state)
{
    (void)state;
    int n = getenv("ARCFIT_TEST_VERBOSE") != NULL ? atoi(getenv("ARCFIT_TEST_VERBOSE")) : 20;
    for (int f = getenv("F") ? atoi(getenv("F")) : 0; f < N_FLIGHTS; f++) {
        const Flight *flight = &flights[f];
        char text[4096], far[2048];
        snprintf(text, sizeof text, "%s%sparameters: {%s}\n", CASE_HEAD, flight->model,
                 flight->truth);
        ArcCapture *capture = case_capture(text, flight->n_points, flight->span_s, 0.003);
        snprintf(text, sizeof text, "%s%sparameters: {%s}\n", CASE_HEAD, flight->model,
                 flight->usual);
        for (int m = 0; m < 2; m++) {
            ArcFit *reference = case_fit(text, capture, m == 0 ? ARC_PINN : ARC_DIRECT);
            assert_true(reference->converged);
            int right[3] = {0}, used = 0, none = 0;
            double wall[3] = {0};
            for (int k = 0; k < n; k++) {
                ArcRandom random = arc_random_create(7, (uint64_t)k);
                far_start(flight, &random, sizeof far, far);
                for (int s = 0; s < 3; s++) {
                    snprintf(text, sizeof text, "%s%s%sfit: {stages: %s}\n", CASE_HEAD,
                             flight->model, far, stages[s]);
                    ArcFit *fit = fit_of(text, capture, m == 0 ? ARC_PINN : ARC_DIRECT);
                    right[s] += is_right(fit, reference);
                    used += s == 1 && fit != NULL && fit->stages != NULL;
                    none += s == 0 && fit == NULL;
                    wall[s] += fit != NULL ? fit->wall_s : 0;
                    if (s == 0 && !is_right(fit, reference))
                        print_message("k %d: ", k);
                    if (s > 0 && !is_right(fit, reference))
                        print_message("k %d fails %s\n", k, stages[s]);
                    arc_fit_free(fit);
                }
            }
            print_message("%-16s %-6s of %d: none %d (%d not evaluated), auto %d (%d by stages), "
                          "given %d; ms %.1f %.1f %.1f\n",
                          flight->name, m == 0 ? "pinn" : "direct", n, right[0], none, right[1],
                          used, right[2], 1e3 * wall[0] / n, 1e3 * wall[1] / n, 1e3 * wall[2] / n);
            arc_fit_free(reference);
            snprintf(text, sizeof text, "%s%sparameters: {%s}\n", CASE_HEAD, flight->model,
                     flight->usual);
        }
        arc_capture_free(capture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages_table),
    };
    return cmocka_run_group_tests_name("curriculum", tests, NULL, NULL);
}
