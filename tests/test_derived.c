/* Derived numbers at planes, heights, points and rims: closed forms of the vacuum, the scatter of
 * simulated fits, what is left out; and fits over bounces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit_case.h"
#include "slow.h"
#include "sweep.h"

#define TARGETS                                                                                    \
    "derived: {wall: {plane: x=2.5 m}, down: {height: 1.5 m}, post: {point: [3 m, 2.2 m]}, "       \
    "hoop: {rim: {centre: [3.9 m, 1 m], radius: 0.3 m}}}\n"
#define VACUUM CASE_HEAD "flight: {dimensions: 2}\n"
#define THROW "parameters: {x0: 0.5, y0: 2, vx0: 4, vy0: 6}\n"

static const double g_m_s2 = 9.80665;

/* The vacuum flight's numbers by q = (t0, x0, y0, vx, vy), in the order of the fit's. */
enum { N_NUMBERS = 4 + 4 + 4 + 5 };
static const char *const number_names[N_NUMBERS] = {
    "wall_time",        "wall_y",           "wall_speed",       "wall_entry_angle", "down_time",
    "down_x",           "down_speed",       "down_entry_angle", "post_time",        "post_distance",
    "post_speed",       "post_entry_angle", "hoop_time",        "hoop_x",           "hoop_speed",
    "hoop_entry_angle", "hoop_miss"};

static void numbers_velocity(const double *q, double s, double *out)
{
    double vy = q[4] - g_m_s2 * s;
    out[0] = hypot(q[3], vy);
    out[1] = atan2(-vy, q[3]);
}

static void numbers_of(const double *q, double *out)
{
    double s = (2.5 - q[1]) / q[3];
    out[0] = s;
    out[1] = q[2] + q[4] * s - g_m_s2 * s * s / 2;
    numbers_velocity(q, s, out + 2);
    s = (q[4] + sqrt(q[4] * q[4] + 2 * g_m_s2 * (q[2] - 1.5))) / g_m_s2;
    out[4] = s;
    out[5] = q[1] + q[3] * s;
    numbers_velocity(q, s, out + 6);
    s = 0.7; /* the closest approach, by Newton's method */
    for (int i = 0; i < 50; i++) {
        double x = q[1] + q[3] * s - 3, y = q[2] + q[4] * s - g_m_s2 * s * s / 2 - 2.2;
        double vy = q[4] - g_m_s2 * s;
        s -= (x * q[3] + y * vy) / (q[3] * q[3] + vy * vy - g_m_s2 * y);
        out[9] = hypot(x, y);
    }
    out[8] = s;
    numbers_velocity(q, s, out + 10);
    s = (q[4] + sqrt(q[4] * q[4] + 2 * g_m_s2 * (q[2] - 1))) / g_m_s2;
    out[12] = s;
    out[13] = q[1] + q[3] * s;
    numbers_velocity(q, s, out + 14);
    out[16] = fabs(out[13] - 3.9);
}

static void check_vacuum(const char *text, const ArcCapture *capture, ArcMethod method)
{
    ArcFit *fit = case_fit(text, capture, method);
    double q[5], numbers[N_NUMBERS], above[N_NUMBERS], below[N_NUMBERS], gradient[N_NUMBERS][5];
    assert_true(fit->converged);
    for (int p = 0; p < 5; p++)
        q[p] = fit->parameters[p].value;
    numbers_of(q, numbers);
    for (int p = 0; p < 5; p++) {
        double at = q[p];
        q[p] = at + 1e-5;
        numbers_of(q, above);
        q[p] = at - 1e-5;
        numbers_of(q, below);
        q[p] = at;
        for (int i = 0; i < N_NUMBERS; i++)
            gradient[i][p] = (above[i] - below[i]) / 2e-5;
    }
    for (int i = 0; i < N_NUMBERS; i++) {
        const ArcEstimate *e = case_derived(fit, number_names[i]);
        assert_near(e->value, numbers[i], 1e-8);
        assert_near(e->sd / case_propagated(fit, gradient[i]), 1.0, 1e-5);
        assert_near(e->ci95[1] - e->value, 1.96 * e->sd, 1e-12);
    }
    assert_int_equal(fit->n_derived, 5 + N_NUMBERS);
    arc_fit_free(fit);
}

static void test_derived_targets_of_a_vacuum_flight_are_the_closed_forms(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(VACUUM THROW, 9, 0.8, 0.003);
    check_vacuum(VACUUM TARGETS, capture, ARC_DIRECT);
    check_vacuum(VACUUM TARGETS, capture, ARC_PINN);
    /* Times count from a release that is itself estimated. */
    check_vacuum(VACUUM TARGETS "parameters: {y0: 1.5, t0: {start: -0.1}}\n", capture, ARC_DIRECT);
    arc_capture_free(capture);
}

static const char *remark_about(const ArcFit *fit, const char *name)
{
    for (int i = 0; i < fit->n_remarks; i++)
        if (strncmp(fit->remarks[i], name, strlen(name)) == 0)
            return fit->remarks[i];
    return "";
}

static bool has_derived(const ArcFit *fit, const char *name)
{
    for (int i = 0; i < fit->n_derived; i++)
        if (strcmp(fit->derived[i].name, name) == 0)
            return true;
    return false;
}

static void test_derived_targets_not_met_are_left_out_with_a_remark(void **state)
{
    (void)state;
    static const char text[] =
        VACUUM "derived: {a: {plane: x=-1 m}, b: {height: 9 m}, c: {point: [-5 m, 2 m]}, d: {rim: "
               "{centre: [3 m, 8 m], radius: 1 m}}, e: {rim: {centre: [5.5 m, 1 m], radius: 1 m}}, "
               "f: {rim: {centre: [9 m, 1 m], radius: 1 m}}}\n";
    ArcCapture *capture = case_capture(VACUUM THROW, 9, 0.8, 0.003);
    ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
    assert_true(fit->converged);
    const char *const names[] = {"a_time", "b_time", "c_time", "d_time"};
    for (int i = 0; i < 4; i++)
        assert_false(has_derived(fit, names[i]));
    assert_string_equal(remark_about(fit, "a "), "a is left out: the flight never crosses x = -1 m "
                                                 "within a minute");
    assert_string_equal(remark_about(fit, "b "), "b is left out: the flight never comes down "
                                                 "through y = 9 m within a minute");
    assert_non_null(strstr(remark_about(fit, "c "), "never comes nearer to the point"));
    assert_non_null(strstr(remark_about(fit, "d "), "comes down through y = 8 m"));
    assert_non_null(strstr(remark_about(fit, "e:"), "passes inside the rim"));
    assert_non_null(strstr(remark_about(fit, "f:"), "passes outside the rim"));
    assert_int_equal(fit->n_remarks, 6);
    assert_true(has_derived(fit, "e_miss") && has_derived(fit, "f_miss"));
    arc_fit_free(fit);
    arc_capture_free(capture);
}

static void test_derived_targets_of_the_unidentified_have_no_sd(void **state)
{
    (void)state;
    static const char vertical[] =
        VACUUM "parameters: {x0: {start: 1}, t0: {start: -0.1}, vx0: 0}\n"
               "derived: {down: {height: 1 m}, right: {point: [0.5 m, 3 m]}}\n";
    ArcCapture *capture =
        case_capture(VACUUM "parameters: {x0: 0.5, y0: 2, vx0: 0, vy0: 6}\n", 9, 0.8, 0.003);
    ArcFit *fit = case_fit(vertical, capture, ARC_DIRECT);
    /* t0, y0 and vy0 may move together along the flight: how long it was is not told. */
    assert_true(isnan(case_derived(fit, "down_time")->sd));
    assert_int_equal(case_derived(fit, "down_time")->status, ARC_PARAMETER_UNIDENTIFIED);
    assert_true(case_derived(fit, "down_x")->sd > 0 && case_derived(fit, "down_speed")->sd > 0);
    /* Straight through the point: the distance is all noise, which is said. */
    assert_non_null(strstr(remark_about(fit, "right_distance"), "small beside its sd"));
    arc_fit_free(fit);
    arc_capture_free(capture);
}

#define SPACE                                                                                      \
    CASE_HEAD "flight: {dimensions: 3, ball: basketball, drag: quadratic, lift: rational}\n"
#define SPACE_TARGETS                                                                              \
    "derived: {hoop: {rim: {centre: [4 m, 0.2 m, 3.05 m], radius: 0.2286 m}}, post: {point: [2 "   \
    "m, "                                                                                          \
    "0.5 m, 4 m]}, floor: {plane: z=0.12 m}}\n"

static void test_derived_targets_sds_are_the_scatter_of_simulated_fits(void **state)
{
    (void)state;
    static const char *const names[] = {
        "hoop_time", "hoop_x",        "hoop_y",     "hoop_speed", "hoop_entry_angle", "hoop_miss",
        "post_time", "post_distance", "floor_time", "floor_x",    "floor_y"};
    enum { N = sizeof names / sizeof names[0] };
    static const char truth[] = SPACE "parameters: {cd: 0.5, wy: -15, x0: 0, y0: 0, z0: 2.1, vx0: "
                                      "4.4, vy0: 0.5, vz0: 5.8}\n";
    static const char text[] = SPACE "parameters: {cd: {start: 0.4}, wy: -15}\n" SPACE_TARGETS;
    CaseScatter scatter[N] = {{0}};
    for (uint64_t seed = 1; seed <= 400; seed++) {
        ArcCapture *capture = case_capture_seed(truth, 20, 0.9, 0.003, seed);
        ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
        for (int i = 0; i < N; i++) {
            const ArcEstimate *e = case_derived(fit, names[i]);
            case_scatter_add(&scatter[i], e->value, e->sd);
        }
        arc_fit_free(fit);
        arc_capture_free(capture);
    }
    for (int i = 0; i < N; i++)
        case_scatter_check(&scatter[i]);
}

#define COURT                                                                                      \
    CASE_HEAD "fit: {methods: [direct]}\n"                                                         \
              "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: rational, "        \
              "bounce: {plane: y=0.12 m}}\n"

/* Squared distances from the truth in sds over simulated fits, summed. */
typedef struct Pull {
    const char *name;
    double truth, square;
} Pull;

static void check_pulls(const char *truth, const char *text, int n_pulls, Pull *pulls)
{
    enum { FITS = FEWER(100, 20) };
    for (uint64_t seed = 1; seed <= FITS; seed++) {
        ArcCapture *capture = case_capture_seed(truth, 60, 2.0, 0.003, seed);
        ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
        if (!fit->converged || fit->residuals.chi2_p < 1e-4)
            fail_msg("seed %d: %s, p %g", (int)seed, arc_stop_text(fit->stop),
                     fit->residuals.chi2_p);
        for (int i = 0; i < n_pulls; i++) {
            const ArcEstimate *e = case_parameter(fit, pulls[i].name);
            double off = (e->value - pulls[i].truth) / e->sd;
            pulls[i].square += off * off / FITS;
        }
        arc_fit_free(fit);
        arc_capture_free(capture);
    }
    for (int i = 0; i < n_pulls; i++) {
        print_message("%s: mean squared distance %.2f\n", pulls[i].name, pulls[i].square);
        assert_near(pulls[i].square, 1.0, FEWER(0.5, 0.9)); /* sd 0.14, 0.3 by chance */
    }
}

static void test_fit_run_over_bounces_recovers_their_coefficients(void **state)
{
    (void)state;
    /* A slide tells friction; */
    check_pulls(COURT "parameters: {cd: 0.5, spin: -20, x0: 0, y0: 1.5, vx0: 3, vy0: 2, "
                      "restitution: 0.8, friction: 0.12}\n",
                COURT
                "parameters: {cd: 0.5, spin: -20, restitution: free, friction: {start: 0.3}}\n",
                3, (Pull[]){{"restitution", 0.8, 0}, {"friction", 0.12, 0}, {"vx0", 3, 0}});
    /* a grip tells the spin, or the coupling. */
    check_pulls(COURT "parameters: {cd: 0.5, spin: -20, x0: 0, y0: 1.5, vx0: 3, vy0: 2, "
                      "restitution: 0.8, friction: 2, spin_coupling: 2}\n",
                COURT "parameters: {cd: 0.5, spin: -20, friction: 2, restitution: free, "
                      "spin_coupling: free}\n",
                2, (Pull[]){{"restitution", 0.8, 0}, {"spin_coupling", 2, 0}});
}

static void test_fit_run_full_grip_leaves_friction_unidentified(void **state)
{
    (void)state;
    ArcCapture *capture =
        case_capture(COURT "parameters: {cd: 0.5, x0: 0, y0: 1.5, vx0: 1, vy0: 2, restitution: "
                           "0.8, friction: 4}\n",
                     40, 1.5, 0.003);
    ArcFit *fit = case_fit(COURT "parameters: {cd: 0.5, restitution: free, friction: {start: 4}}\n",
                           capture, ARC_DIRECT);
    assert_true(fit->converged);
    assert_int_equal(case_parameter(fit, "friction")->status, ARC_PARAMETER_UNIDENTIFIED);
    assert_int_equal(case_parameter(fit, "restitution")->status, ARC_PARAMETER_FREE);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* Where the ball is behind two bounces, and where it meets a wall there. */
static void test_derived_targets_behind_bounces_scatter_by_their_sds(void **state)
{
    (void)state;
    SKIP_UNDER_SANITIZERS();
    static const char truth[] = COURT "parameters: {cd: 0.5, spin: -20, x0: 0, y0: 1.5, vx0: 3, "
                                      "vy0: 2, restitution: 0.8, friction: 0.12}\n";
    static const char text[] =
        COURT "parameters: {cd: 0.5, spin: -20, restitution: free, friction: "
              "{start: 0.3}}\nderived: {wall: {plane: x=4.5 m}, floor: "
              "{plane: y=0.12 m}}\n";
    CaseScatter time = {0}, height = {0}, floor_x = {0};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        ArcCapture *capture = case_capture_seed(truth, 40, 1.8, 0.003, seed);
        ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
        const ArcEstimate *e = case_derived(fit, "wall_time");
        case_scatter_add(&time, e->value, e->sd);
        e = case_derived(fit, "wall_y");
        case_scatter_add(&height, e->value, e->sd);
        e = case_derived(fit, "floor_x");
        case_scatter_add(&floor_x, e->value, e->sd);
        arc_fit_free(fit);
        arc_capture_free(capture);
    }
    case_scatter_check(&time);
    case_scatter_check(&height);
    case_scatter_check(&floor_x);
}

/* The points that a start is taken from: those before the bounce, with and without an apex. */
static void test_fit_run_over_a_bounce_starts_from_the_points_before_it(void **state)
{
    (void)state;
    for (int n = 8; n <= 64; n *= 2) {
        for (int fall = 0; fall < 2; fall++) {
            char truth[512];
            snprintf(truth, sizeof truth,
                     COURT "parameters: {cd: 0.5, x0: 0, y0: 1.5, vx0: 3, vy0: %d, restitution: "
                           "0.8, friction: 0.3}\n",
                     fall ? -1 : 3);
            ArcCapture *capture = case_capture(truth, n, fall ? 0.9 : 1.6, 0.003);
            ArcFit *fit =
                case_fit(COURT "parameters: {cd: 0.5, restitution: free}\n", capture, ARC_DIRECT);
            double off = fabs(fit->parameters[fit->n_parameters - 1].start - (fall ? -1 : 3));
            if (!(fit->converged && fit->residuals.chi2_p > 1e-4 && off < 0.5))
                fail_msg("%d points: %s, p %g, vy0 starts %g off", n, arc_stop_text(fit->stop),
                         fit->residuals.chi2_p, off);
            arc_fit_free(fit);
            arc_capture_free(capture);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derived_targets_of_a_vacuum_flight_are_the_closed_forms),
        cmocka_unit_test(test_derived_targets_not_met_are_left_out_with_a_remark),
        cmocka_unit_test(test_derived_targets_of_the_unidentified_have_no_sd),
        cmocka_unit_test(test_derived_targets_sds_are_the_scatter_of_simulated_fits),
        cmocka_unit_test(test_fit_run_over_bounces_recovers_their_coefficients),
        cmocka_unit_test(test_fit_run_full_grip_leaves_friction_unidentified),
        cmocka_unit_test(test_derived_targets_behind_bounces_scatter_by_their_sds),
        cmocka_unit_test(test_fit_run_over_a_bounce_starts_from_the_points_before_it),
    };
    return cmocka_run_group_tests_name("derived", tests, NULL, NULL);
}
