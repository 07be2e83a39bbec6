/* An arm that does not know itself throws at a hoop, is watched, and throws again: how often it
 * hits before and after its throws have corrected what it goes by. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim/numbers.h"
#include "arcfit/aim.h"
#include "belief_case.h"
#include "slow.h"
#include "sweep.h"

#include <stdlib.h>

enum { JOINTS = 2, POINTS = 25, THROWS = 10, TRIES = 50, STEPS = 50, N_HIDDEN = 7 };

#define SIGMA_M 0.002
#define SPAN_S 0.9
#define DEGREE (M_PI / 180.0)
#define ENTRY (50.0 * DEGREE)
#define RADIUS_M 0.2286

#define TEXT                                                                                       \
    "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm, t0: 0 s}\n"                                 \
    "flight: {dimensions: 2, ball: basketball, drag: quadratic}\nrelease: arm\n"                   \
    "arm: {encoders: true, joints: [{length: 0.5 m}, {length: 0.4 m}], base: [0 m, 1.4 m]}\n"      \
    "parameters:\n"                                                                                \
    "  l1: {prior: {mean: 50 cm, sd: 1 cm}}\n  l2: {prior: {mean: 40 cm, sd: 1 cm}}\n"             \
    "  base_x: {prior: {mean: 0 cm, sd: 1 cm}}\n  base_y: {prior: {mean: 1.4 m, sd: 1 cm}}\n"      \
    "  offset1: {prior: {mean: 0 deg, sd: 2 deg}}\n"                                               \
    "  offset2: {prior: {mean: 0 deg, sd: 2 deg}}\n  cd: {prior: {mean: 0.5, sd: 0.1}}\n"

static const char *const hidden_names[N_HIDDEN] = {"l1",      "l2",      "base_x", "base_y",
                                                   "offset1", "offset2", "cd"};
/* What the arm has of its own that it does not know. */
static const double hidden_size[N_HIDDEN] = {0.005,      0.005,      0.005, 0.005,
                                             1 * DEGREE, 1 * DEGREE, 0.1};
/* Near where its joints are when it lets go, and how fast. */
static const double pose_rad[JOINTS] = {30.0 * DEGREE, 40.0 * DEGREE};

/* How throws scatter about what was meant: angles, and rates as a share. A reading is what was
 * commanded, so that it is off by as much. */
typedef struct Scatter {
    double angle_rad, rate_share;
} Scatter;

typedef struct Loop {
    Scatter scatter;
    bool by_search; /* throws are those that arc_aim_find puts first */
    ArcExperiment *experiment;
    ArcArena *arena;
    ArcShot *shot;
    int theta, omega, hidden[N_HIDDEN];
    ArcBelief *belief;
    double truth[ARC_MAX_PARAMETERS]; /* of the arm; not its joints */
    double command_rad[JOINTS], rate_rad_s[JOINTS];
    ArcRandom random;
} Loop;

static Loop loop_create(Scatter scatter)
{
    ArcError err;
    Loop loop = {.scatter = scatter, .arena = arc_arena_create()};
    ArcExperiment *e = loop.experiment = case_experiment(TEXT);
    e->aim.goal =
        (ArcGoal){.kind = ARC_GOAL_HOOP, .point_m = {-4.191, 3.048}, .radius_m = RADIUS_M};
    e->aim.least[ARC_AIM_ENTRY_ANGLE] = ENTRY;
    loop.theta = arc_experiment_parameter(e, "theta1");
    loop.omega = arc_experiment_parameter(e, "omega1");
    for (int k = 0; k < N_HIDDEN; k++)
        loop.hidden[k] = arc_experiment_parameter(e, hidden_names[k]);
    loop.belief = calloc(1, sizeof *loop.belief);
    assert_non_null(loop.belief);
    if (arc_shot_create(e, loop.arena, &loop.shot, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return loop;
}

static void loop_free(Loop *loop)
{
    free(loop->belief);
    arc_arena_free(loop->arena);
    arc_experiment_free(loop->experiment);
}

/* An arm that is off by the full size of each, one way or the other; or drawn from its priors. */
static void loop_begin(Loop *loop, uint64_t arm, bool from_priors)
{
    const ArcExperiment *e = loop->experiment;
    loop->random = arc_random_create(20261201 + arm, ARC_STREAM_TRUTH);
    arc_belief_of_experiment(e, loop->belief);
    memcpy(loop->truth, loop->belief->mean, sizeof loop->truth);
    for (int k = 0; k < N_HIDDEN; k++) {
        double side = arc_random_uniform(&loop->random, -1.0, 1.0) < 0.0 ? -1.0 : 1.0;
        double size =
            from_priors ? e->parameters[loop->hidden[k]].prior_sd * arc_random_normal(&loop->random)
                        : side * hidden_size[k];
        loop->truth[loop->hidden[k]] += size;
    }
}

/* Rates in the pose that put the ball through the middle at the wanted angle, by what is believed:
 * Newton's method on offset and entry angle. The command is what the encoders would then say. */
static void loop_solve(Loop *loop)
{
    ArcShotNumbers numbers;
    double values[ARC_MAX_PARAMETERS], *rates = values + loop->omega;
    memcpy(values, loop->belief->mean, sizeof values);
    memcpy(values + loop->theta, pose_rad, sizeof pose_rad);
    rates[0] = 11.0;
    rates[1] = 2.0;
    double off = INFINITY;
    for (int i = 0; i < STEPS && off > 1e-10; i++) {
        if (!arc_shot_numbers(loop->shot, values, 1u << ARC_AIM_ENTRY_ANGLE, true, &numbers))
            fail_msg("the throw does not come down to the hoop");
        double x = numbers.offset_m[0], angle = numbers.value[ARC_AIM_ENTRY_ANGLE] - ENTRY;
        const double *by_x = numbers.by_offset[0] + loop->omega;
        const double *by_angle = numbers.by[ARC_AIM_ENTRY_ANGLE] + loop->omega;
        double det = by_x[0] * by_angle[1] - by_x[1] * by_angle[0];
        double step[2] = {(by_angle[1] * x - by_x[1] * angle) / det,
                          (by_x[0] * angle - by_angle[0] * x) / det};
        double share = fmin(1.0, 1.0 / fmax(fabs(step[0]), fabs(step[1])));
        rates[0] -= share * step[0];
        rates[1] -= share * step[1];
        off = fabs(x) + fabs(angle);
    }
    assert_true(off < 1e-8);
    int offset = arc_experiment_parameter(loop->experiment, "offset1");
    for (int j = 0; j < JOINTS; j++) {
        loop->command_rad[j] = pose_rad[j] + loop->belief->mean[offset + j];
        loop->rate_rad_s[j] = rates[j];
    }
}

static void loop_aim(Loop *loop)
{
    ArcAim *aim = NULL;
    ArcError err;
    if (!loop->by_search) {
        loop_solve(loop);
        return;
    }
    if (arc_aim_find(loop->experiment, loop->belief, &(ArcAimOptions){.threads = 1}, &aim, &err) !=
        ARC_OK)
        fail_msg("%s", err.text);
    assert_true(aim->is_reachable && aim->n_solutions > 0);
    for (int j = 0; j < JOINTS; j++) {
        loop->command_rad[j] = aim->solutions[0].commands_rad[j];
        loop->rate_rad_s[j] = aim->solutions[0].values[loop->omega + j];
    }
    arc_aim_free(aim);
}

/* What the arm truly does when told so. */
static void loop_throw(Loop *loop, double *values)
{
    int offset = arc_experiment_parameter(loop->experiment, "offset1");
    memcpy(values, loop->truth, sizeof loop->truth);
    for (int j = 0; j < JOINTS; j++) {
        values[loop->theta + j] = loop->command_rad[j] - loop->truth[offset + j] +
                                  loop->scatter.angle_rad * arc_random_normal(&loop->random);
        values[loop->omega + j] =
            loop->rate_rad_s[j] *
            (1.0 + loop->scatter.rate_share * arc_random_normal(&loop->random));
    }
}

/* The share of its throws that go through clean. */
static double loop_rate(Loop *loop)
{
    ArcShotNumbers numbers;
    double values[ARC_MAX_PARAMETERS], r = loop->experiment->flight.radius_m;
    int hits = 0;
    for (int i = 0; i < TRIES; i++) {
        loop_throw(loop, values);
        if (arc_shot_numbers(loop->shot, values, 1u << ARC_AIM_ENTRY_ANGLE, false, &numbers))
            hits +=
                fabs(numbers.offset_m[0]) <= RADIUS_M - r / sin(numbers.value[ARC_AIM_ENTRY_ANGLE]);
    }
    return (double)hits / TRIES;
}

/* One throw, as a camera and the commands have it. */
static ArcCapture *loop_watch(Loop *loop, ArcReading *readings)
{
    static const char *const names[2 * JOINTS] = {"theta1", "theta2", "omega1", "omega2"};
    double values[ARC_MAX_PARAMETERS], t_s[POINTS], x_m[2 * POINTS], sigma_m[2 * POINTS];
    ArcShotState state;
    ArcCapture *capture = NULL;
    ArcError err;
    loop_throw(loop, values);
    for (int i = 0; i < POINTS; i++) {
        t_s[i] = SPAN_S * i / (POINTS - 1);
        assert_true(arc_shot_at(loop->shot, values, t_s[i], false, &state));
        for (int c = 0; c < 2; c++) {
            x_m[2 * i + c] = state.x_m[c] + SIGMA_M * arc_random_normal(&loop->random);
            sigma_m[2 * i + c] = SIGMA_M;
        }
    }
    if (arc_capture_create(GIVEN(POINTS, 2, t_s, x_m, sigma_m), &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    for (int j = 0; j < JOINTS; j++) {
        readings[j] = (ArcReading){names[j], loop->command_rad[j], loop->scatter.angle_rad, 0};
        readings[JOINTS + j] =
            (ArcReading){names[JOINTS + j], loop->rate_rad_s[j],
                         loop->scatter.rate_share * fabs(loop->rate_rad_s[j]), 0};
    }
    capture->n_readings = 2 * JOINTS;
    capture->readings = readings;
    capture->has_t0 = true;
    capture->t0_s = 0.0;
    return capture;
}

static void loop_learn(Loop *loop)
{
    ArcReading readings[2 * JOINTS];
    ArcError err;
    ArcProblem *problem = NULL;
    ArcFit *fit = NULL;
    ArcCapture *capture = loop_watch(loop, readings);
    if (arc_problem_create(loop->experiment, capture, &problem, &err) != ARC_OK ||
        arc_fit_run(problem, ARC_DIRECT, NULL, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    const ArcResult result = {
        .experiment_path = "case.yaml", .experiment_text = TEXT, .n_fits = 1, .fits = {fit}};
    const ArcResult *const results[] = {&result};
    if (arc_belief_correct(loop->experiment, 1, results, loop->belief, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_fit_free(fit);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

/* How far the truth lies from the belief, squared, in its own covariance: chi-square of the hidden
 * numbers where the belief is honest. */
static double loop_off(const Loop *loop)
{
    double C[N_HIDDEN * N_HIDDEN], off[N_HIDDEN], y[N_HIDDEN], sum = 0.0;
    const ArcBelief *belief = loop->belief;
    for (int k = 0; k < N_HIDDEN; k++) {
        y[k] = off[k] = loop->truth[loop->hidden[k]] - belief->mean[loop->hidden[k]];
        for (int l = 0; l < N_HIDDEN; l++)
            C[k * N_HIDDEN + l] = belief->covariance[loop->hidden[k] * belief->n + loop->hidden[l]];
    }
    assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', N_HIDDEN, 1, C, N_HIDDEN, y, 1), 0);
    for (int k = 0; k < N_HIDDEN; k++)
        sum += y[k] * off[k];
    return sum;
}

/* Mean rates before, after 1, 3 and 10 throws, and of arms that know themselves; and loop_off after
 * the throws. */
typedef struct Rates {
    double rate[4], ceiling, off;
} Rates;

static Rates loop_run(Scatter scatter, int arms, bool from_priors, bool by_search)
{
    static const int after[4] = {0, 1, 3, THROWS};
    Loop loop = loop_create(scatter);
    loop.by_search = by_search;
    Rates rates = {.ceiling = 0.0};
    for (int arm = 0; arm < arms; arm++) {
        loop_begin(&loop, (uint64_t)arm, from_priors);
        for (int k = 0, stage = 0; stage < 4; k++) {
            loop_aim(&loop);
            if (k == after[stage])
                rates.rate[stage++] += loop_rate(&loop) / arms;
            if (k < THROWS)
                loop_learn(&loop);
        }
        rates.off += loop_off(&loop) / arms;
        memcpy(loop.belief->mean, loop.truth, sizeof loop.truth);
        loop_aim(&loop);
        rates.ceiling += loop_rate(&loop) / arms;
    }
    loop_free(&loop);
    print_message("%d arms: hits %.1f %% before, %.1f, %.1f, %.1f %% after 1, 3, 10 throws; %.1f "
                  "%% knowing themselves; chi2 of the truth %.2f of %d\n",
                  arms, 100.0 * rates.rate[0], 100.0 * rates.rate[1], 100.0 * rates.rate[2],
                  100.0 * rates.rate[3], 100.0 * rates.ceiling, rates.off, N_HIDDEN);
    return rates;
}

static int arms_wanted(void)
{
    return slow_is_wanted() ? 200 : FEWER(20, 2);
}

/* 1 deg, 5 mm and 20 % of cd. */
static void test_loop_of_hidden_errors_hits_after_ten_throws(void **state)
{
    (void)state;
    Rates rates = loop_run((Scatter){0.05 * DEGREE, 0.001}, arms_wanted(), false, false);
    assert_true(rates.rate[0] < 0.6);
    assert_true(rates.rate[1] > rates.rate[0] + 0.2);
    assert_true(rates.rate[3] >= 0.95);
}

/* Throws that scatter so much that even an arm that knows itself misses one in twenty: what the
 * loop loses beside it. */
static void test_loop_of_wide_scatter_comes_near_its_ceiling(void **state)
{
    (void)state;
    Rates rates = loop_run((Scatter){0.1 * DEGREE, 0.002}, arms_wanted(), false, false);
    assert_true(rates.ceiling < 0.98);
    assert_true(rates.rate[3] > rates.ceiling - 0.03);
}

/* Errors drawn from what is believed before: then the truth lies within the belief as often as it
 * says, although each fit was linearised where it ended. */
static void test_loop_of_drawn_errors_believes_honestly(void **state)
{
    (void)state;
    int arms = arms_wanted();
    Rates rates = loop_run((Scatter){0.05 * DEGREE, 0.001}, arms, true, false);
    assert_true(rates.rate[3] >= 0.95);
    assert_near(rates.off, N_HIDDEN, 4.0 * sqrt(2.0 * N_HIDDEN / arms));
}

/* The same by the throws that `arcfit aim` names. */
static void test_loop_by_the_search_hits_as_often(void **state)
{
    (void)state;
    SKIP_UNDER_SANITIZERS();
    Rates rates = loop_run((Scatter){0.05 * DEGREE, 0.001}, slow_is_wanted() ? 20 : 1, false, true);
    assert_true(rates.rate[3] >= 0.95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loop_of_hidden_errors_hits_after_ten_throws),
        cmocka_unit_test(test_loop_of_wide_scatter_comes_near_its_ceiling),
        cmocka_unit_test(test_loop_of_drawn_errors_believes_honestly),
        cmocka_unit_test(test_loop_by_the_search_hits_as_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
