/* `physics: auto` on flights that break the model by a known amount: against the marginal
 * likelihood of a Gaussian process in closed form, by coverage, and where nothing is broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/result.h"
#include "fit/evidence.h"
#include "fit_case.h"
#include "slow.h"
#include "sweep.h"

#include "base/random.h"

enum { POINTS = 24, MODES = 12, SEEDS = 40 };

static const double span_s = 0.9, noise_m = 0.003;

/* Without drag the model is linear in everything, so that Laplace's method is exact. */
#define FLIGHT                                                                                     \
    CASE_HEAD "flight: {dimensions: 2}\n"                                                          \
              "parameters: {x0: {start: 0}, y0: {start: 2}, vx0: {start: 4}, vy0: {start: 6}}\n"
#define AUTO FLIGHT "fit: {pinn: {physics: auto}}\n"

/* What a unit of the k-th orthonormal acceleration, root two cos(k pi u), adds to the place. */
static double mode_at(int k, double u)
{
    double T2 = span_s * span_s;
    return k == 0 ? 0.5 * T2 * u * u
                  : sqrt(2.0) * T2 * (1.0 - cos(k * M_PI * u)) / (k * k * M_PI * M_PI);
}

/* Points of a flight whose acceleration is off by modes of sd breach_m_s2 each. */
static ArcCapture *broken_capture(double breach_m_s2, uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, 95);
    double t[POINTS], x[2 * POINTS], sigma[2 * POINTS], z[2][MODES];
    for (int k = 0; k < MODES; k++)
        for (int c = 0; c < 2; c++)
            z[c][k] = breach_m_s2 * arc_random_normal(&random);
    for (int i = 0; i < POINTS; i++) {
        double u = (double)i / (POINTS - 1);
        t[i] = u * span_s;
        x[2 * i] = 0.1 + 4.0 * t[i];
        x[2 * i + 1] = 2.0 + 6.0 * t[i] - 0.5 * 9.80665 * t[i] * t[i];
        for (int c = 0; c < 2; c++) {
            for (int k = 0; k < MODES; k++)
                x[2 * i + c] += z[c][k] * mode_at(k, u);
            x[2 * i + c] += noise_m * arc_random_normal(&random);
            sigma[2 * i + c] = noise_m;
        }
    }
    ArcError err;
    ArcCapture *capture = NULL;
    if (arc_capture_create(GIVEN(POINTS, 2, t, x, sigma), &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return capture;
}

/* V (n, n) becomes its Cholesky factor; returns log det V. */
static double factorise(int n, double *V)
{
    double log_det = 0.0;
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double sum = V[i + j * n];
            for (int k = 0; k < j; k++)
                sum -= V[i + k * n] * V[j + k * n];
            V[i + j * n] = i == j ? sqrt(sum) : sum / V[j + j * n];
        }
        log_det += 2.0 * log(V[j + j * n]);
    }
    return log_det;
}

static void solve_lower(int n, const double *L, double *b)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= L[i + k * n] * b[k];
        b[i] /= L[i + i * n];
    }
}

/* log of the likelihood of the points of both axes, place and velocity integrated out. */
static double log_likelihood(const ArcCapture *capture, double sigma_phys_m_s2)
{
    static double V[POINTS * POINTS];
    double columns[4][POINTS], sum = 0.0; /* 1, t, both axes */
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++) {
            double u = (double)i / (POINTS - 1), w = (double)j / (POINTS - 1);
            double entry = i == j ? noise_m * noise_m : 0.0;
            for (int k = 0; k < MODES; k++)
                entry += sigma_phys_m_s2 * sigma_phys_m_s2 * mode_at(k, u) * mode_at(k, w);
            V[i + j * POINTS] = entry;
        }
    sum -= factorise(POINTS, V); /* once for each axis */
    for (int i = 0; i < POINTS; i++) {
        double t = capture->time_s[i];
        columns[0][i] = 1.0;
        columns[1][i] = t;
        columns[2][i] = capture->position_m[2 * i];
        columns[3][i] = capture->position_m[2 * i + 1] + 0.5 * 9.80665 * t * t;
    }
    for (int c = 0; c < 4; c++)
        solve_lower(POINTS, V, columns[c]);
    double product[4][4] = {{0.0}};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int i = 0; i < POINTS; i++)
                product[a][b] += columns[a][i] * columns[b][i];
    double det = product[0][0] * product[1][1] - product[0][1] * product[0][1];
    sum -= log(det);
    for (int c = 2; c < 4; c++) {
        double p = product[0][c], q = product[1][c];
        sum -=
            0.5 *
            (product[c][c] -
             (product[1][1] * p * p - 2.0 * product[0][1] * p * q + product[0][0] * q * q) / det);
    }
    return sum;
}

static ArcEvidence evidence_of(const ArcCapture *capture, double *exact_m_s2)
{
    ArcProblem *problem = case_problem(AUTO, capture);
    ArcArena *arena = arc_arena_create();
    ArcNetSettings net = arc_net_settings_default();
    ArcPinn *pinn = NULL;
    ArcEvidence evidence;
    ArcError err;
    assert_int_equal(arc_pinn_create(problem, &net, 32, arena, &pinn, &err), ARC_OK);
    *exact_m_s2 = pinn->sigma_phys_m_s2;
    assert_int_equal(arc_evidence_maximise(pinn, arena, &evidence, &err), ARC_OK);
    arc_arena_free(arena);
    arc_problem_free(problem);
    return evidence;
}

/* The maximum and the ends of the interval, by a fine search on the closed form. */
static void test_evidence_maximise_agrees_with_the_closed_form(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t seed = 1; seed <= FEWER(10, 2); seed++) {
        ArcCapture *capture = broken_capture(0.6, seed);
        double exact, top = -INFINITY, best = NAN, low = NAN, high = NAN;
        ArcEvidence evidence = evidence_of(capture, &exact);
        for (double at = 0.02; at < 9.0; at *= 1.01) {
            double value = log_likelihood(capture, at);
            best = value > top ? at : best;
            top = fmax(top, value);
        }
        for (double at = 0.02; at < 9.0; at *= 1.01)
            if (log_likelihood(capture, at) >= top - 1.92) {
                low = isnan(low) ? at : low;
                high = at;
            }
        /* A grid of 33 points and a parabola are good for a tenth. */
        worst = fmax(worst, fabs(log(evidence.sigma_phys_m_s2 / best)));
        assert_near(evidence.sigma_phys_m_s2 / best, 1.0, 0.1);
        assert_near(evidence.ci95_m_s2[0] / low, 1.0, 0.1);
        assert_near(evidence.ci95_m_s2[1] / high, 1.0, 0.1);
        arc_capture_free(capture);
    }
    print_message("worst log ratio of the estimates %.3f\n", worst);
}

static void test_evidence_maximise_interval_covers_what_was_put_in(void **state)
{
    (void)state;
    const double truths[] = {0.2, 1.0};
    for (int k = 0; k < 2; k++) {
        int covered = 0;
        double log_mean = 0.0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            ArcCapture *capture = broken_capture(truths[k], seed);
            double exact;
            ArcEvidence evidence = evidence_of(capture, &exact);
            assert_true(evidence.ci95_m_s2[0] <= evidence.sigma_phys_m_s2 &&
                        evidence.sigma_phys_m_s2 <= evidence.ci95_m_s2[1]);
            covered += evidence.ci95_m_s2[0] <= truths[k] && truths[k] <= evidence.ci95_m_s2[1];
            log_mean += log(evidence.sigma_phys_m_s2 / truths[k]) / SEEDS;
            arc_capture_free(capture);
        }
        print_message("%g m/s^2: covered in %d of %d, geometric mean %.2f of it\n", truths[k],
                      covered, SEEDS, exp(log_mean));
        /* 95 %: 33 or fewer of 40 has a probability of 2e-3. */
        assert_true(covered >= 33);
        assert_near(log_mean, 0.0, log(2.0));
    }
}

static void test_evidence_maximise_sound_flight_allows_exact_physics(void **state)
{
    (void)state;
    int n_zero = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        ArcCapture *capture = broken_capture(0.0, seed);
        double exact;
        ArcEvidence evidence = evidence_of(capture, &exact);
        n_zero += evidence.ci95_m_s2[0] == 0.0;
        assert_true(evidence.sigma_phys_m_s2 >= 0.99 * exact && evidence.sigma_phys_m_s2 < 0.5);
        assert_true(evidence.ci95_m_s2[1] < 1.0);
        arc_capture_free(capture);
    }
    print_message("lower end 0 in %d of %d\n", n_zero, SEEDS);
    assert_true(n_zero >= 36);
}

/* What the fit reports, and that it then agrees with the direct one. */
static void test_fit_run_auto_physics_is_reported(void **state)
{
    (void)state;
    ArcCapture *capture = broken_capture(0.0, 3);
    double exact;
    ArcEvidence evidence = evidence_of(capture, &exact);
    ArcFit *fit = case_fit(AUTO, capture, ARC_PINN), *direct = case_fit(AUTO, capture, ARC_DIRECT);
    assert_true(fit->converged && direct->converged);
    assert_true(fit->residuals.sigma_phys_m_s2 == evidence.sigma_phys_m_s2);
    for (int i = 0; i < 2; i++) {
        assert_true(fit->residuals.sigma_phys_ci95_m_s2[i] == evidence.ci95_m_s2[i]);
        assert_true(isnan(direct->residuals.sigma_phys_ci95_m_s2[i]));
    }
    CaseGap gap = case_gap(fit, direct);
    print_message("sound: %.2g m/s^2, %.2g sd from direct\n", fit->residuals.sigma_phys_m_s2,
                  gap.estimate_sd);
    assert_true(gap.estimate_sd < 1.0);
    arc_fit_free(fit);
    arc_fit_free(direct);
    arc_capture_free(capture);
    /* A broken flight: sds grow, as they should. */
    capture = broken_capture(1.0, 3);
    fit = case_fit(AUTO, capture, ARC_PINN);
    direct = case_fit(AUTO, capture, ARC_DIRECT);
    assert_true(fit->converged);
    print_message("broken by 1 m/s^2: %.2g m/s^2 from %.2g to %.2g, rms of the breach %.2g; chi2 "
                  "%.0f, direct %.0f\n",
                  fit->residuals.sigma_phys_m_s2, fit->residuals.sigma_phys_ci95_m_s2[0],
                  fit->residuals.sigma_phys_ci95_m_s2[1], fit->residuals.physics_rms_fine_m_s2,
                  fit->residuals.chi2, direct->residuals.chi2);
    assert_true(case_parameter(fit, "vx0")->sd > 2.0 * case_parameter(direct, "vx0")->sd);
    assert_true(fit->residuals.chi2 < 0.1 * direct->residuals.chi2);
    assert_true(fit->residuals.physics_rms_fine_m_s2 > 0.3);
    arc_fit_free(fit);
    arc_fit_free(direct);
    ArcFit *fixed = case_fit(FLIGHT "fit: {pinn: {physics: 0.5 m/s^2}}\n", capture, ARC_PINN);
    assert_true(fixed->residuals.sigma_phys_m_s2 == 0.5);
    assert_true(isnan(fixed->residuals.sigma_phys_ci95_m_s2[0]));
    arc_fit_free(fixed);
    arc_capture_free(capture);
}

static ArcVerdict verdict_of(double breach_m_s2, uint64_t seed)
{
    ArcCapture *capture = broken_capture(breach_m_s2, seed);
    ArcFit *pinn = case_fit(AUTO, capture, ARC_PINN), *direct = case_fit(AUTO, capture, ARC_DIRECT);
    ArcResult result = {.n_fits = 2, .fits = {pinn, direct}, .arena = arc_arena_create()};
    assert_non_null(result.arena);
    assert_int_equal(arc_result_compare(&result, NULL), ARC_OK);
    ArcVerdict verdict = result.comparison.verdict;
    arc_arena_free(result.arena);
    arc_fit_free(pinn);
    arc_fit_free(direct);
    arc_capture_free(capture);
    return verdict;
}

/* As long as exact physics lies in the interval, nothing says that a force is missing. */
static void test_result_compare_sound_flight_is_no_misfit(void **state)
{
    (void)state;
    int sound = 0, broken = 0, differ = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        ArcVerdict verdict = verdict_of(0.0, seed);
        sound += verdict == ARC_VERDICT_MISFIT;
        differ += verdict == ARC_VERDICT_DIFFER;
        broken += verdict_of(1.0, seed) == ARC_VERDICT_MISFIT;
    }
    print_message("misfit: %d of %d sound, %d broken by 1 m/s^2; differ: %d sound\n", sound, SEEDS,
                  broken, differ);
    /* An interval of 95 % leaves zero out in one of forty. */
    assert_true(sound <= 4);
    /* A PINN whose flight may break the model is apart by what it knows less. */
    assert_int_equal(differ, 0);
    assert_int_equal(broken, SEEDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evidence_maximise_agrees_with_the_closed_form),
        cmocka_unit_test(test_evidence_maximise_interval_covers_what_was_put_in),
        cmocka_unit_test(test_evidence_maximise_sound_flight_allows_exact_physics),
        cmocka_unit_test(test_fit_run_auto_physics_is_reported),
        cmocka_unit_test(test_result_compare_sound_flight_is_no_misfit),
    };
    return cmocka_run_group_tests_name("evidence", tests, NULL, NULL);
}
