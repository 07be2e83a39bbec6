/* The search for what the flight model leaves out: false alarms over simulated good flights, and
 * gusts, kicks and bounces found where they were put. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bounce_case.h"
#include "fit/breach.h"
#include "slow.h"
#include "sweep.h"

#include <string.h>

#define DRAG BOUNCE_FLIGHT
#define DRAG_TRUE CASE_HEAD DRAG "parameters: {k: 0.03, x0: 0, y0: 2, vx0: 4.6, vy0: 6.4}\n"
#define DRAG_FIT CASE_HEAD DRAG "parameters: {k: {start: 0.1}}\n"
#define SPACE "flight: {dimensions: 3, ball: basketball, drag: quadratic, lift: rational}\n"
#define SPACE_TRUE                                                                                 \
    CASE_HEAD SPACE "parameters: {cd: 0.5, wx: 0, wy: -15, wz: 5, x0: 0, y0: 0, z0: 2, vx0: 5, "   \
                    "vy0: 1, vz0: 6}\n"
#define SPACE_FIT                                                                                  \
    CASE_HEAD SPACE "parameters: {cd: {start: 0.5, prior: {mean: 0.5, sd: 0.1}}, wx: {fixed: 0}, " \
                    "wy: {fixed: -15 rad/s}, wz: {fixed: 5 rad/s}}\n"

/* The PINN fit of a capture and what is found about it. */
static ArcBreach breach_of_seed(const char *text, const ArcCapture *capture, uint64_t seed)
{
    ArcError err;
    ArcBreach breach;
    ArcProblem *problem = case_problem(text, capture);
    problem->seed = seed;
    ArcFit *fit = NULL;
    if (arc_fit_run(problem, ARC_PINN, NULL, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_true(fit->converged);
    if (arc_breach_find(problem, fit, &breach, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_fit_free(fit);
    arc_problem_free(problem);
    return breach;
}

static ArcBreach breach_of(const char *text, const ArcCapture *capture)
{
    return breach_of_seed(text, capture, 1);
}

/* The capture with an acceleration added from begin_s to end_s, which moves the ball as in vacuum.
 */
static ArcCapture *pushed(const ArcCapture *capture, double begin_s, double end_s,
                          const double *push_m_s2)
{
    ArcError err;
    ArcCapture *result = NULL;
    int n = capture->n_points, d = capture->dimensions;
    double *x = calloc((size_t)(n * d), sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < n; i++) {
        double since = fmax(capture->time_s[i] - begin_s, 0.0);
        double after = fmax(capture->time_s[i] - end_s, 0.0);
        for (int c = 0; c < d; c++)
            x[i * d + c] = capture->position_m[i * d + c] +
                           0.5 * push_m_s2[c] * (since * since - after * after);
    }
    ArcCapture given = *capture;
    given.position_m = x;
    if (arc_capture_create(&given, &result, &err) != ARC_OK)
        fail_msg("%s", err.text);
    free(x);
    return result;
}

/* Shares of n good flights whose p lies under each level. */
static void false_alarms(const char *name, const char *truth, const char *text, int points, int n)
{
    static const double levels[] = {0.5, 0.1, 0.05, 0.01};
    int below[2][4] = {{0}};
    for (int i = 0; i < n; i++) {
        ArcCapture *capture = case_capture_seed(truth, points, 0.9, 0.003, (uint64_t)(500000 + i));
        ArcBreach breach = breach_of_seed(text, capture, (uint64_t)i);
        assert_true(breach.searched);
        for (int k = 0; k < 4; k++) {
            below[0][k] += breach.p <= levels[k];
            below[1][k] += breach.p_scaled <= levels[k];
        }
        arc_capture_free(capture);
    }
    for (int k = 0; k < 4; k++) {
        double sd = sqrt(n * levels[k] * (1.0 - levels[k]));
        print_message("%s: p <= %g in %.2f %%, scaled %.2f %%\n", name, levels[k],
                      100.0 * below[0][k] / n, 100.0 * below[1][k] / n);
        assert_near(below[0][k], n * levels[k], 4.0 * sd);
        assert_near(below[1][k], n * levels[k], 4.0 * sd);
    }
}

static void test_breach_find_good_flights_give_few_alarms(void **state)
{
    (void)state;
    int n = FEWER(400, 40) * (slow_is_wanted() ? 10 : 1);
    false_alarms("plane, 12 points", DRAG_TRUE, DRAG_FIT, 12, n);
    false_alarms("plane, 5 points", DRAG_TRUE, DRAG_FIT, 5, n);
    false_alarms("space, 30 points", SPACE_TRUE, SPACE_FIT, 30, n / 2);
}

static void show(const char *name, const ArcBreach *b)
{
    print_message("%s: %.3f to %.3f s, %.2f +- %.2f m/s^2, axes %.2f %.2f %.2f, along %.2f, across "
                  "%.2f, up %.2f, %.3f m, chi2 %.0f, p %.4f, scaled %.4f\n",
                  name, b->interval_s[0], b->interval_s[1], b->size_m_s2, b->size_sd_m_s2,
                  b->direction[0], b->direction[1], b->direction[2], b->relative[0], b->relative[1],
                  b->relative[2], b->displacement_m, b->chi2_explained, b->p, b->p_scaled);
}

/* A clear finding: as unlikely as drawing can say, with any noise. */
static void check_clear(const ArcBreach *b)
{
    assert_true(b->searched);
    assert_false(b->tolerated);
    assert_near(b->p, ARC_BREACH_LEAST_P, 1e-12);
    assert_near(b->p_scaled, ARC_BREACH_LEAST_P, 1e-12);
    double size = 0.0, parts = 0.0;
    for (int c = 0; c < 3; c++) {
        size += b->direction[c] * b->direction[c];
        parts += b->relative[c] * b->relative[c];
    }
    assert_near(size, 1.0, 1e-12);
    assert_near(parts, 1.0, 1e-12);
}

/* What a push does to the speed is told better than its size and its length. */
static double speed_change(const ArcBreach *b)
{
    return b->size_m_s2 * (b->interval_s[1] - b->interval_s[0]);
}

static void test_breach_find_gust_is_found(void **state)
{
    (void)state;
    const double push[2] = {-6.0, 0.0};
    ArcCapture *calm = case_capture(DRAG_TRUE, 40, 0.9, 0.003);
    ArcCapture *capture = pushed(calm, 0.4, 0.55, push);
    ArcBreach b = breach_of(DRAG_FIT, capture);
    show("gust", &b);
    check_clear(&b);
    assert_near(b.interval_s[0], 0.4, 0.03);
    assert_near(b.interval_s[1], 0.55, 0.03);
    assert_near(b.size_m_s2, 6.0, 1.0);
    assert_near(speed_change(&b), 0.9, 0.1);
    assert_true(b.direction[0] < -0.99);
    assert_true(b.relative[0] < -0.9);
    assert_near(b.displacement_m, 0.9 * (0.9 - 0.475), 0.05);
    arc_capture_free(capture);
    arc_capture_free(calm);
}

static void test_breach_find_kick_in_space_is_found(void **state)
{
    (void)state;
    const double push[3] = {0.0, 25.0, 0.0};
    ArcCapture *calm = case_capture(SPACE_TRUE, 40, 0.9, 0.003);
    ArcCapture *capture = pushed(calm, 0.45, 0.47, push);
    ArcBreach b = breach_of(SPACE_FIT, capture);
    show("kick", &b);
    check_clear(&b);
    assert_near(0.5 * (b.interval_s[0] + b.interval_s[1]), 0.46, 0.02);
    assert_true(b.interval_s[1] - b.interval_s[0] < 0.08);
    assert_near(speed_change(&b), 0.5, 0.03);
    assert_true(b.direction[1] > 0.99);
    assert_true(b.relative[1] < -0.9); /* +y is to the left of +x seen from +z */
    arc_capture_free(capture);
    arc_capture_free(calm);
}

static void test_breach_find_bounce_is_found(void **state)
{
    (void)state;
    double bounce_s;
    ArcCapture *capture = bouncing_capture(&bounce_s);
    ArcBreach b = breach_of(DRAG_FIT, capture);
    show("bounce", &b);
    check_clear(&b);
    assert_near(0.5 * (b.interval_s[0] + b.interval_s[1]), bounce_s, 0.03);
    assert_true(b.direction[1] > 0.99);
    arc_capture_free(capture);
}

#define TABLE                                                                                      \
    CASE_HEAD "flight: {ball: table-tennis, drag: quadratic, lift: linear, bounce: {plane: y=2 "   \
              "cm, restitution: 0.85, friction: 0.1}}\n"
#define TABLE_TRUE                                                                                 \
    TABLE "parameters: {cm: 1.3, spin: 80, x0: 0, y0: 0.3, vx0: 4, vy0: 1, restitution: 0.8}\n"
#define TABLE_FIT TABLE "parameters: {cm: 1.3, spin: 80, cd: free, restitution: free}\n"

/* A bounce that the model knows is none: good flights over it give few alarms, and a gust after it
 * is found there. */
static void test_breach_find_modelled_bounce_is_no_breach(void **state)
{
    (void)state;
    const double push[2] = {-4.0, 0.0};
    enum { N = FEWER(60, 12), MOST = FEWER(9, 3) };
    int below = 0;
    for (int i = 0; i < N; i++) {
        ArcCapture *capture = case_capture_seed(TABLE_TRUE, 40, 0.65, 0.002, (uint64_t)(1 + i));
        ArcBreach b = breach_of_seed(TABLE_FIT, capture, (uint64_t)i);
        assert_true(b.searched);
        below += b.p < 0.05;
        arc_capture_free(capture);
    }
    print_message("over a bounce: %d of %d below 0.05\n", below, N);
    assert_true(below <= MOST);
    ArcCapture *calm = case_capture(TABLE_TRUE, 60, 0.65, 0.002);
    ArcCapture *capture = pushed(calm, 0.5, 0.58, push);
    ArcBreach b = breach_of(TABLE_FIT, capture);
    show("gust after a bounce", &b);
    check_clear(&b);
    assert_near(b.interval_s[0], 0.5, 0.03);
    assert_near(b.interval_s[1], 0.58, 0.03);
    assert_near(speed_change(&b), 0.32, 0.05);
    assert_true(b.direction[0] < -0.95);
    arc_capture_free(capture);
    arc_capture_free(calm);
}

/* Much noise is no push: of the two chances only the one that believes the sigma is small. */
static void test_breach_find_noise_beyond_sigma_is_no_breach(void **state)
{
    (void)state;
    int scaled = 0;
    for (int i = 0; i < 20; i++) {
        ArcCapture *capture = case_capture_seed(DRAG_TRUE, 40, 0.9, 0.012, (uint64_t)(100 + i));
        double sigma[80];
        for (int k = 0; k < 80; k++)
            sigma[k] = 0.003;
        ArcCapture given = *capture, *stated = NULL;
        given.sigma_m = sigma;
        assert_int_equal(arc_capture_create(&given, &stated, NULL), ARC_OK);
        ArcBreach b = breach_of_seed(DRAG_FIT, stated, (uint64_t)i);
        assert_true(b.searched);
        assert_true(b.p < 0.01);
        scaled += b.p_scaled < 0.05;
        arc_capture_free(stated);
        arc_capture_free(capture);
    }
    assert_true(scaled <= 4);
}

/* The 30-point flight with point moved by off_m upwards, and the one behind it by as much times
 * more. */
static ArcBreach breach_with_bad_point(int point, double off_m, double more)
{
    ArcError err;
    ArcCapture *good = case_capture_seed(DRAG_TRUE, 30, 0.9, 0.003, 77), *bad = NULL;
    double *x = malloc(sizeof *x * (size_t)(good->n_points * good->dimensions));
    assert_non_null(x);
    memcpy(x, good->position_m, sizeof *x * (size_t)(good->n_points * good->dimensions));
    x[point * 2 + 1] += off_m;
    if (point + 1 < good->n_points)
        x[point * 2 + 3] += more * off_m;
    ArcCapture given = *good;
    given.position_m = x;
    if (arc_capture_create(&given, &bad, &err) != ARC_OK)
        fail_msg("%s", err.text);
    ArcBreach breach = breach_of(DRAG_FIT, bad);
    arc_capture_free(bad);
    arc_capture_free(good);
    free(x);
    return breach;
}

/* A wrong point, in the middle or at an end, is an outlier and no force; two in a row may be one.
 */
static void test_breach_find_single_bad_point_is_no_force(void **state)
{
    (void)state;
    static const int points[] = {0, 13, 29};
    for (int i = 0; i < 3; i++) {
        ArcBreach breach = breach_with_bad_point(points[i], 0.04, 0.0);
        show("one bad point", &breach);
        assert_true(breach.searched);
        assert_true(breach.p > 0.01);
        assert_true(breach.p_scaled > 0.01);
    }
    ArcBreach breach = breach_with_bad_point(13, 0.04, 1.0);
    show("two bad points", &breach);
    assert_near(breach.p, ARC_BREACH_LEAST_P, 1e-12);
}

static void test_breach_find_number_for_physics_is_tolerated(void **state)
{
    (void)state;
    const double push[2] = {-6.0, 0.0};
    ArcCapture *calm = case_capture(DRAG_TRUE, 40, 0.9, 0.003);
    ArcCapture *capture = pushed(calm, 0.4, 0.55, push);
    ArcBreach b = breach_of(DRAG_FIT "fit: {pinn: {physics: 2 m/s^2}}\n", capture);
    assert_true(b.searched);
    assert_true(b.tolerated);
    assert_near(b.interval_s[0], 0.4, 0.03);
    assert_near(b.interval_s[1], 0.55, 0.03);
    arc_capture_free(capture);
    arc_capture_free(calm);
}

/* Where sigma is estimated only the chance that knows no scale counts. */
static void test_breach_find_estimated_sigma_asks_the_scaled_chance(void **state)
{
    (void)state;
    static const char text[] = "arcfit: 1\ncapture: {file: none.csv, sigma: estimate}\n" DRAG
                               "parameters: {k: {start: 0.1}}\n";
    const double push[2] = {-6.0, 0.0};
    ArcCapture *calm = case_capture(DRAG_TRUE, 40, 0.9, 0.003);
    ArcCapture *capture = pushed(calm, 0.4, 0.55, push);
    ArcBreach b = breach_of(text, capture), quiet = breach_of(text, calm);
    show("estimated sigma", &b);
    check_clear(&b);
    assert_near(b.interval_s[0], 0.4, 0.03);
    assert_near(b.size_m_s2, 6.0, 2.0);
    assert_true(b.size_sd_m_s2 < 0.5);
    assert_true(quiet.p > 0.01);
    assert_near(quiet.p, quiet.p_scaled, 0.0);
    arc_capture_free(capture);
    arc_capture_free(calm);
}

/* Three points in the plane leave one degree of freedom for two axes. */
static void test_breach_find_too_few_points_are_not_searched(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(DRAG_TRUE, 3, 0.9, 0.003);
    ArcBreach b = breach_of(DRAG_FIT, capture);
    assert_false(b.searched);
    arc_capture_free(capture);
}

/* A prior that contradicts the points leaves the second, looser fit far away from the first, where
 * a linear look took 300 off a chi2 of 6. */
static void test_breach_find_no_more_than_chi2_is_explained(void **state)
{
    (void)state;
    enum { N = 20 };
    static const char text[] =
        CASE_HEAD "flight: {drag: lumped}\n"
                  "parameters: {k: {start: 0.03, prior: {mean: 0.05, sd: 0.02}}, roll: free}\n";
    double t[N], x[2 * N], sigma[2 * N];
    int line[N];
    for (int i = 0; i < N; i++) {
        t[i] = 0.05 * i;
        x[2 * i] = 7.0 * t[i];
        x[2 * i + 1] = 2.0 + 6.0 * t[i] - 4.9 * t[i] * t[i];
        sigma[2 * i] = sigma[2 * i + 1] = 0.003;
        line[i] = i + 2;
    }
    ArcCapture given = {.file = "none.csv",
                        .n_points = N,
                        .dimensions = 2,
                        .time_s = t,
                        .position_m = x,
                        .sigma_m = sigma,
                        .line = line};
    ArcCapture *capture = NULL;
    ArcError err;
    if (arc_capture_create(&given, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    ArcBreach b = breach_of(text, capture);
    show("contradicting prior", &b);
    assert_true(!b.searched || b.p > 0.01);
    arc_capture_free(capture);
}

static void test_breach_find_direct_fit_is_not_searched(void **state)
{
    (void)state;
    ArcBreach b = {.searched = true};
    ArcCapture *capture = case_capture(DRAG_TRUE, 10, 0.9, 0.003);
    ArcProblem *problem = case_problem(DRAG_FIT, capture);
    ArcFit *fit = case_fit(DRAG_FIT, capture, ARC_DIRECT);
    assert_int_equal(arc_breach_find(problem, fit, &b, NULL), ARC_OK);
    assert_false(b.searched);
    arc_fit_free(fit);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

static void test_breach_find_same_seed_gives_the_same_bits(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(DRAG_TRUE, 12, 0.9, 0.003);
    ArcBreach a = breach_of_seed(DRAG_FIT, capture, 3), b = breach_of_seed(DRAG_FIT, capture, 3);
    assert_memory_equal(&a, &b, sizeof a);
    arc_capture_free(capture);
}

/* The path flown is a coordinate of the net, with rows of another weight: it raises no alarms. */
static void test_breach_find_fading_spin_gives_few_alarms(void **state)
{
    (void)state;
#define SOCCER                                                                                     \
    CASE_HEAD "flight: {dimensions: 3, ball: soccer, drag: quadratic, lift: linear, spin_decay: "  \
              "aerodynamic}\n"
    int below = 0;
    for (int i = 0; i < 30; i++) {
        ArcCapture *capture = case_capture_seed(
            SOCCER "parameters: {cd: 0.25, cm: 1, wz: 60, x0: 0, y0: 0, z0: 0.2, vx0: 25, vy0: 2, "
                   "vz0: 8}\n",
            60, 1.2, 0.005, (uint64_t)(11 + i));
        below +=
            breach_of_seed(SOCCER "parameters: {cd: free, cm: 1, wz: 60}\n", capture, (uint64_t)i)
                .p < 0.05;
        arc_capture_free(capture);
    }
    print_message("fading spin: p < 0.05 in %d of 30\n", below);
    assert_true(below <= 5);
}

/* Flights that only a wide net can follow. */
static void test_breach_find_fast_flights_give_few_alarms(void **state)
{
    (void)state;
    static const char golf[] = CASE_HEAD
        "flight: {dimensions: 3, ball: golf, drag: quadratic, lift: linear}\n"
        "parameters: {cd: 0.25, cm: 1, wx: 20, wy: -300, wz: 10, x0: 0, y0: 0, z0: 0, vx0: 66.4, "
        "vy0: 1, vz0: 14}\n";
    static const char golf_fit[] = CASE_HEAD
        "flight: {dimensions: 3, ball: golf, drag: quadratic, lift: linear}\n"
        "parameters: {cd: {start: 0.3}, cm: 1, wx: {start: 0, prior: {mean: 20, sd: 300}}, wy: "
        "{start: 0, prior: {mean: -300, sd: 300}}, wz: {start: 0, prior: {mean: 10, sd: 300}}}\n";
    static const char badminton[] =
        CASE_HEAD DRAG "parameters: {k: 0.2, x0: 0, y0: 2, vx0: 75, vy0: 5}\n";
    enum { N = FEWER(20, 5), MOST = FEWER(4, 2) };
    int below[2] = {0, 0};
    for (int i = 0; i < N; i++) {
        ArcCapture *drive = case_capture_seed(golf, 60, 6.0, 0.003, (uint64_t)(1 + i));
        ArcCapture *smash = case_capture_seed(badminton, 40, 1.5, 0.003, (uint64_t)(1 + i));
        below[0] += breach_of_seed(golf_fit, drive, (uint64_t)i).p < 0.05;
        below[1] += breach_of_seed(DRAG_FIT, smash, (uint64_t)i).p < 0.05;
        arc_capture_free(smash);
        arc_capture_free(drive);
    }
    print_message("p < 0.05: golf %d, badminton %d, of %d\n", below[0], below[1], N);
    assert_true(below[0] <= MOST && below[1] <= MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_breach_find_good_flights_give_few_alarms),
        cmocka_unit_test(test_breach_find_gust_is_found),
        cmocka_unit_test(test_breach_find_kick_in_space_is_found),
        cmocka_unit_test(test_breach_find_bounce_is_found),
        cmocka_unit_test(test_breach_find_modelled_bounce_is_no_breach),
        cmocka_unit_test(test_breach_find_noise_beyond_sigma_is_no_breach),
        cmocka_unit_test(test_breach_find_single_bad_point_is_no_force),
        cmocka_unit_test(test_breach_find_number_for_physics_is_tolerated),
        cmocka_unit_test(test_breach_find_estimated_sigma_asks_the_scaled_chance),
        cmocka_unit_test(test_breach_find_too_few_points_are_not_searched),
        cmocka_unit_test(test_breach_find_no_more_than_chi2_is_explained),
        cmocka_unit_test(test_breach_find_direct_fit_is_not_searched),
        cmocka_unit_test(test_breach_find_same_seed_gives_the_same_bits),
        cmocka_unit_test(test_breach_find_fading_spin_gives_few_alarms),
        cmocka_unit_test(test_breach_find_fast_flights_give_few_alarms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
