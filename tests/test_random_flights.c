/* Two hundred seeded random flights: laws, dimensions, releases, numbers of points, noise. Wherever
 * the data identify the parameters, PINN and direct fit must agree within 0.01 sd.
 And over many captures the 95 % intervals cover 95 %. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "fit_case.h"
#include "slow.h"
#include "sweep.h"

enum { FLIGHTS = FEWER(200, 30), CAPTURES = FEWER(2000, 200), TEXT = 1024 };

/* One drawn flight: the truth to fly and the experiment to fit. */
typedef struct Flight {
    char truth[TEXT], fit[TEXT];
    int n;
    double span_s, sigma_m;
} Flight;

/* The laws' parameters: true values, and starts that know only the order of magnitude. */
static void draw_laws(ArcRandom *random, int d, bool lumped, char truth[TEXT], char fit[TEXT])
{
    double k =
        lumped ? arc_random_uniform(random, 0.01, 0.15) : arc_random_uniform(random, 0.2, 0.6);
    double spin = arc_random_uniform(random, -40.0, 40.0);
    const char *drag = lumped ? "k" : "cd", *lift = lumped ? "s: 0.02, " : "cm: 1.2, ";
    double start = lumped ? 0.05 : 0.5;
    if (d == 2) {
        snprintf(truth, TEXT, "%s: %.6f, %sspin: %.6f", drag, k, lift, spin);
        snprintf(fit, TEXT, "%s: {start: %g}, %sspin: {start: 0}", drag, start, lift);
    } else {
        snprintf(truth, TEXT, "%s: %.6f, %swx: %.6f, wy: %.6f, wz: 3", drag, k, lift, 0.3 * spin,
                 spin);
        snprintf(fit, TEXT,
                 "%s: {start: %g}, %swx: {start: 0, prior: {mean: 0, sd: 50}}, wy: {start: 0, "
                 "prior: {mean: 0, sd: 50}}, wz: {start: 0, prior: {mean: 0, sd: 50}}",
                 drag, start, lift);
    }
}

static void draw_flight(ArcRandom *random, Flight *flight)
{
    static const char *const balls[] = {"basketball", "soccer", "tennis", "table-tennis"};
    int d = arc_random_bits(random) % 2 ? 2 : 3, up = (int)(arc_random_bits(random) % (unsigned)d);
    bool lumped = arc_random_bits(random) % 2, polar = arc_random_bits(random) % 2;
    char head[TEXT], release[256], laws[TEXT], laws_fit[TEXT];
    double v[3];
    for (int c = 0; c < 3; c++)
        v[c] = c == up ? arc_random_uniform(random, 0.0, 8.0)
                       : arc_random_uniform(random, c == (up + 1) % d ? 2.0 : -4.0, 12.0);
    flight->n = 6 + (int)(arc_random_bits(random) % 35);
    flight->span_s = arc_random_uniform(random, 0.5, 1.5);
    flight->sigma_m = pow(10.0, arc_random_uniform(random, -4.0, -2.0));
    snprintf(head, TEXT,
             "arcfit: 1\ncapture: {file: none.csv, sigma: 3 mm}\nflight: {dimensions: %d, up: %c, "
             "ball: %s, drag: %s, lift: %s, wind: [%.3f, 0%s]}\n",
             d, "xyz"[up], balls[arc_random_bits(random) % 4], lumped ? "lumped" : "quadratic",
             lumped ? "lumped" : "linear", arc_random_uniform(random, -3.0, 3.0),
             d == 2 ? "" : ", 0");
    snprintf(release, sizeof release, "x0: 0.1, y0: -0.2, %svx0: %.6f, vy0: %.6f%s",
             d == 2 ? "" : "z0: 1.5, ", v[0], v[1], d == 2 ? "" : ", vz0: ");
    if (d == 3)
        snprintf(release + strlen(release), 32, "%.6f", v[2]);
    draw_laws(random, d, lumped, laws, laws_fit);
    snprintf(flight->truth, TEXT, "%.500sparameters: {%.300s, %.200s}\n", head, laws, release);
    snprintf(flight->fit, TEXT, "%.500srelease: %s\nparameters: {%.400s}\n", head,
             polar ? "polar" : "cartesian", laws_fit);
}

static void test_fit_run_random_flights_agree(void **state)
{
    (void)state;
    ArcRandom random = arc_random_create(20, ARC_STREAM_STARTS);
    CaseGap worst = {0, 0};
    int n_compared = 0, most_iterations = 0;
    for (int i = 0; i < FLIGHTS; i++) {
        Flight flight;
        draw_flight(&random, &flight);
        ArcCapture *capture = case_capture_seed(flight.truth, flight.n, flight.span_s,
                                                flight.sigma_m, (uint64_t)i + 1);
        ArcFit *pinn = case_fit(flight.fit, capture, ARC_PINN);
        ArcFit *direct = case_fit(flight.fit, capture, ARC_DIRECT);
        CaseGap gap = case_gap(pinn, direct);
        if (!(pinn->converged && direct->converged && gap.estimate_sd <= 0.01 &&
              gap.sd_share <= 1e-3))
            fail_msg(
                "flight %d: converged %d and %d, %g sd, sd %g, chi2 p %g and %g, %d points\n%s", i,
                pinn->converged, direct->converged, gap.estimate_sd, gap.sd_share,
                pinn->residuals.chi2_p, direct->residuals.chi2_p, flight.n, flight.fit);
        assert_true(direct->residuals.chi2_p > 1e-6);
        worst.estimate_sd = fmax(worst.estimate_sd, gap.estimate_sd);
        worst.sd_share = fmax(worst.sd_share, gap.sd_share);
        if (pinn->iterations > most_iterations)
            most_iterations = pinn->iterations;
        n_compared += pinn->n_unidentified == 0;
        arc_fit_free(pinn);
        arc_fit_free(direct);
        arc_capture_free(capture);
    }
    print_message("%d flights, %d with all identified: worst %.1e sd, sd %.1e, %d iterations\n",
                  FLIGHTS, n_compared, worst.estimate_sd, worst.sd_share, most_iterations);
    assert_true(n_compared >= FLIGHTS * 9 / 10);
}

/* Six points of a plane throw, two thousand times: the 95 % intervals hold the truth 95 times in a
 * hundred, for every parameter and both methods. */
static void test_fit_run_intervals_cover_the_truth(void **state)
{
    (void)state;
    static const char head[] = CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n";
    static const char *const names[] = {"k", "spin", "x0", "y0", "vx0", "vy0"};
    const double values[] = {0.03, 2.0, 0.0, 2.0, 4.6, 6.4};
    enum { NAMES = 6 };
    char truth[TEXT], text[TEXT];
    snprintf(truth, TEXT,
             "%sparameters: {k: 0.03, s: 0.08, spin: 2, x0: 0, y0: 2, vx0: 4.6, vy0: 6.4}\n", head);
    snprintf(text, TEXT, "%sparameters: {k: {start: 0.1}, s: 0.08, spin: {start: 0}}\n", head);
    for (int method = 0; method < 2; method++) {
        int inside[NAMES] = {0};
        for (uint64_t seed = 1; seed <= CAPTURES; seed++) {
            ArcCapture *capture = case_capture_seed(truth, 6, 0.8, 0.003, seed);
            ArcFit *fit = case_fit(text, capture, method == 0 ? ARC_PINN : ARC_DIRECT);
            assert_true(fit->converged);
            for (int k = 0; k < NAMES; k++) {
                const ArcEstimate *e = case_parameter(fit, names[k]);
                inside[k] += e->ci95[0] <= values[k] && values[k] <= e->ci95[1];
            }
            arc_fit_free(fit);
            arc_capture_free(capture);
        }
        for (int k = 0; k < NAMES; k++) {
            double share = 100.0 * inside[k] / CAPTURES;
            print_message("%s %s: %.2f %%\n", method == 0 ? "pinn" : "direct", names[k], share);
            assert_near(share, 95.0, 1.5 * sqrt(2000.0 / CAPTURES));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_random_flights_agree),
        cmocka_unit_test(test_fit_run_intervals_cover_the_truth),
    };
    return cmocka_run_group_tests_name("random flights", tests, NULL, NULL);
}
