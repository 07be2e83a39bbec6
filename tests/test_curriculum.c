/* Laws switched on one after the other: how many far starts arrive without stages, with automatic
 * and with given ones; that plain fits are left alone; progress, interruption and checkpoints of a
 * fit by stages. With ARCFIT_TEST_VERBOSE set the shares are of five times as many
 * starts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "fit_case.h"
#include "slow.h"
#include "sweep.h"

#include <unistd.h>

enum { TIMES_VERBOSE = 5, MOST_TEXT = 2048, FAR_GOLF = 49 };
static const char path[] = "/tmp/arcfit-test-curriculum.ckp";

/* A flight, a usual start, and a far one: a template of which each % becomes a number between the
 * limits that follow, a velocity where these are equal. */
typedef struct Flight {
    const char *name, *model, *truth, *usual, *far;
    double limits[4][2]; /* of the first numbers of far; the rest is the release velocity */
    int n_limits, n_velocity;
    int n_points;
    double span_s;
    int few[2]; /* starts of the quick run: by PINN, directly */
} Flight;

#define WIDE "prior: {mean: 0, sd: 300}"
#define GOLF_SPIN "wx: {start: %, " WIDE "}, wy: {start: %, " WIDE "}, wz: {start: %, " WIDE "}"
#define SPACE_VELOCITY "vx0: {start: %}, vy0: {start: %}, vz0: {start: %}"
#define PLANE_VELOCITY "vx0: {start: %}, vy0: {start: %}"

static const Flight flights[] = {
    {"basketball",
     "flight: {ball: basketball, drag: quadratic, lift: rational}\n",
     "cd: 0.5, spin: -15, x0: 0, y0: 2, vx0: 6, vy0: 7",
     "cd: {start: 0.5}, spin: {start: -1}",
     "cd: {start: %}, spin: {start: %}, " PLANE_VELOCITY,
     {{0, 10}, {-3000, 3000}},
     2,
     2,
     30,
     1.2,
     {8, 8}},
    {"golf",
     "flight: {dimensions: 3, ball: golf, drag: quadratic, lift: linear}\n",
     "cd: 0.25, cm: 1, wx: 20, wy: -300, wz: 10, x0: 0, y0: 0, z0: 0, vx0: 66, vy0: 1, vz0: 14",
     "cd: {start: 0.3}, cm: 1, wx: {start: 0, " WIDE "}, wy: {start: 0, " WIDE
     "}, wz: {start: 0, " WIDE "}",
     "cd: {start: %}, cm: 1, " GOLF_SPIN ", " SPACE_VELOCITY,
     {{0, 10}, {-3000, 3000}, {-3000, 3000}, {-3000, 3000}},
     4,
     3,
     60,
     6.0,
     {8, 8}},
    {"golf, 5 points",
     "flight: {ball: golf, drag: quadratic, lift: constant}\n",
     "cd: 0.25, cl: 0.2, spin: -300, x0: 0, y0: 0, vx0: 66, vy0: 14",
     "cd: {start: 0.3}, cl: {start: 0.1}, spin: -300",
     "cd: {start: %}, cl: {start: %}, spin: -300, " PLANE_VELOCITY,
     {{0, 10}, {-3, 3}},
     2,
     2,
     5,
     6.0,
     {8, 8}},
    {"badminton",
     "flight: {drag: lumped, lift: lumped}\n",
     "k: 0.2, s: 0.08, spin: 1, x0: 0, y0: 2, vx0: 90, vy0: 20",
     "k: {start: 0.1}, s: 0.08, spin: {start: 0}",
     "k: {start: %}, s: 0.08, spin: {start: %}, " PLANE_VELOCITY,
     {{0, 50}, {-3000, 3000}},
     2,
     2,
     40,
     1.5,
     {2, 2}},
};
enum { N_FLIGHTS = sizeof flights / sizeof flights[0] };

/* Coefficients and spins up to a hundred times too large, up to 1000 m/s in any direction. */
static void far_start(const Flight *flight, int number, char text[MOST_TEXT])
{
    ArcRandom random = arc_random_create(7, (uint64_t)number);
    double numbers[8], speed = arc_random_uniform(&random, 0.0, 1000.0), norm = 0.0;
    int n = flight->n_limits;
    for (int i = 0; i < n; i++)
        numbers[i] = arc_random_uniform(&random, flight->limits[i][0], flight->limits[i][1]);
    for (int c = 0; c < flight->n_velocity; c++) {
        numbers[n + c] = arc_random_normal(&random);
        norm = hypot(norm, numbers[n + c]);
    }
    for (int c = 0; c < flight->n_velocity; c++)
        numbers[n + c] *= speed / norm;
    size_t used = 0;
    int next = 0;
    for (const char *at = flight->far; *at != '\0'; at++)
        used +=
            (size_t)(*at == '%' ? snprintf(text + used, MOST_TEXT - used, "%.17g", numbers[next++])
                                : snprintf(text + used, MOST_TEXT - used, "%c", *at));
    assert_int_equal(next, n + flight->n_velocity);
    assert_true(used < MOST_TEXT - 1);
}

static void experiment_text(const Flight *flight, const char *parameters, const char *stages,
                            char text[MOST_TEXT])
{
    int length = snprintf(text, MOST_TEXT, "%s%sparameters: {%s}\nfit: {stages: %s}\n", CASE_HEAD,
                          flight->model, parameters, stages);
    assert_true(length < MOST_TEXT);
}

/* NULL where not even the start can be evaluated. */
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

static const char *const all_stages[] = {"none", "auto", "[vacuum, drag, lift]"};

/* How many of the starts arrive, by kind of stages. */
static void count_right(const Flight *flight, ArcMethod method, int n, int right[3])
{
    char text[MOST_TEXT], far[MOST_TEXT];
    double wall_s[3] = {0.0};
    int by_stages = 0;
    experiment_text(flight, flight->truth, "none", text);
    ArcCapture *capture = case_capture(text, flight->n_points, flight->span_s, 0.003);
    experiment_text(flight, flight->usual, "none", text);
    ArcFit *reference = case_fit(text, capture, method);
    assert_true(reference->converged);
    right[0] = right[1] = right[2] = 0;
    for (int k = 0; k < n; k++) {
        far_start(flight, k, far);
        for (int s = 0; s < 3; s++) {
            experiment_text(flight, far, all_stages[s], text);
            ArcFit *fit = fit_of(text, capture, method);
            right[s] += is_right(fit, reference);
            wall_s[s] += fit == NULL ? 0.0 : fit->wall_s;
            by_stages += s == 1 && fit != NULL && fit->stages != NULL;
            arc_fit_free(fit);
        }
    }
    print_message("%-15s %-6s of %3d far starts arrive: none %3d, auto %3d (%d by stages), given "
                  "%3d; ms %.1f %.1f %.1f\n",
                  flight->name, method == ARC_PINN ? "pinn" : "direct", n, right[0], right[1],
                  by_stages, right[2], 1e3 * wall_s[0] / n, 1e3 * wall_s[1] / n,
                  1e3 * wall_s[2] / n);
    arc_fit_free(reference);
    arc_capture_free(capture);
}

static void test_fit_run_far_starts_arrive_by_stages(void **state)
{
    (void)state;
    int total = 0, sum[3] = {0, 0, 0};
    for (int f = 0; f < N_FLIGHTS; f++)
        for (int method = 0; method < 2; method++) {
            int right[3];
            int n = FEWER(flights[f].few[method], (flights[f].few[method] + 7) / 8);
            n *= getenv("ARCFIT_TEST_VERBOSE") != NULL ? TIMES_VERBOSE : 1;
            count_right(&flights[f], (ArcMethod)method, n, right);
            assert_true(right[1] >= right[0]);
            total += n;
            for (int s = 0; s < 3; s++)
                sum[s] += right[s];
        }
    print_message("of %d in all: none %d, auto %d, given %d\n", total, sum[0], sum[1], sum[2]);
    /* Those that go astray are few: under the sanitizers there may be none among so few. */
    assert_true(sum[0] < total || FEWER(false, true));
    assert_true(total - sum[1] <= (total - sum[0]) / 2);
    assert_true(total - sum[2] <= (total - sum[0]) / 2);
}

static const Flight *const golf = &flights[1];
static const char near_start[] =
    "cd: {start: 0.3}, cm: 1, wx: 20, wy: {start: 0, " WIDE "}, wz: {start: 0, " WIDE "}";

static ArcCapture *golf_capture(void)
{
    char text[MOST_TEXT];
    experiment_text(golf, golf->truth, "none", text);
    return case_capture(text, 60, 6.0, 0.003);
}

static void assert_same_fit(const ArcFit *a, const ArcFit *b)
{
    assert_int_equal(a->iterations, b->iterations);
    assert_int_equal(a->n_history, b->n_history);
    for (int i = 0; i < a->n_parameters; i++)
        assert_memory_equal(&a->parameters[i].value, &b->parameters[i].value, sizeof(double));
    for (int i = 0; i < a->n_history; i++)
        assert_memory_equal(&a->history[i].cost, &b->history[i].cost, sizeof(double));
}

static void test_fit_run_automatic_stages_leave_a_plain_fit_alone(void **state)
{
    (void)state;
    char text[MOST_TEXT];
    ArcCapture *capture = golf_capture();
    for (int method = 0; method < 2; method++) {
        experiment_text(golf, near_start, "none", text);
        ArcFit *plain = case_fit(text, capture, (ArcMethod)method);
        experiment_text(golf, near_start, "auto", text);
        ArcFit *automatic = case_fit(text, capture, (ArcMethod)method);
        assert_true(plain->converged);
        assert_null(automatic->stages);
        assert_same_fit(plain, automatic);
        /* Given stages take another way to the same place. */
        experiment_text(golf, near_start, "[drag]", text);
        ArcFit *staged = case_fit(text, capture, (ArcMethod)method);
        assert_string_equal(staged->stages, "drag, all laws");
        assert_true(staged->converged);
        CaseGap gap = case_gap(staged, plain);
        assert_true(gap.estimate_sd <= 1e-3 && gap.sd_share <= 1e-3);
        assert_true(staged->history[0].stage == 0);
        for (int i = 1; i < staged->n_history; i++)
            assert_true(staged->history[i].stage >= staged->history[i - 1].stage);
        assert_true(staged->history[staged->n_history - 1].stage >= 1);
        arc_fit_free(plain);
        arc_fit_free(automatic);
        arc_fit_free(staged);
    }
    arc_capture_free(capture);
}

/* A flight that has no laws has no stages, nor has a stage with nothing to fit a place. */
static void test_fit_run_stages_without_a_use_are_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *text, *stages;
    } rows[] = {
        {"flight: {drag: none}\nfit: {stages: [vacuum, drag, lift]}\n", NULL},
        {"flight: {drag: lumped}\nfit: {stages: [drag, lift, spin_decay]}\n", "all laws"},
        {"flight: {drag: lumped}\nfit: {stages: [vacuum, lift]}\n", "vacuum, all laws"},
        {"flight: {ball: golf, drag: quadratic, lift: linear, spin_decay: exponential}\n"
         "parameters: {spin: -100}\nfit: {stages: [vacuum, drag, lift, spin_decay]}\n",
         "vacuum, drag, lift, all laws"},
        {"flight: {drag: lumped}\nparameters: {k: free, x0: 0, y0: 2, vx0: 5, vy0: 6}\nfit: "
         "{stages: [vacuum]}\n",
         "all laws"}};
    ArcCapture *capture =
        case_capture(CASE_HEAD "parameters: {x0: 0, y0: 2, vx0: 5, vy0: 6}\n", 12, 0.9, 0.003);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[MOST_TEXT];
        snprintf(text, sizeof text, "%s%s", CASE_HEAD, rows[i].text);
        ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
        assert_true(fit->converged);
        assert_true((fit->stages == NULL) == (rows[i].stages == NULL));
        if (fit->stages != NULL)
            assert_string_equal(fit->stages, rows[i].stages);
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* Who looks on sees the whole flight's parameters in every stage, and may stop in any. */
typedef struct Onlooker {
    int left, n, stage, wrong; /* nothing may fail in there, which would never be left */
} Onlooker;

static bool look(void *context, const ArcProgressState *state)
{
    Onlooker *onlooker = context;
    onlooker->wrong += state->n_parameters != 12 || strcmp(state->parameters[0].name, "cd") != 0 ||
                       state->values[1] != 1.0 || state->row->stage < onlooker->stage;
    onlooker->stage = state->row->stage;
    onlooker->n++;
    return --onlooker->left != 0;
}

static ArcFit *run(const ArcProblem *problem, ArcMethod method, const ArcFitOptions *options)
{
    ArcError err;
    ArcFit *fit = NULL;
    if (arc_fit_run(problem, method, options, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return fit;
}

static void test_fit_run_stages_are_seen_and_interrupted(void **state)
{
    (void)state;
    char text[MOST_TEXT];
    ArcCapture *capture = golf_capture();
    experiment_text(golf, near_start, "[vacuum, drag]", text);
    ArcProblem *problem = case_problem(text, capture);
    for (int method = 0; method < 2; method++) {
        Onlooker all = {0};
        ArcFitOptions options = {.progress = look, .context = &all};
        ArcFit *fit = run(problem, (ArcMethod)method, &options);
        assert_true(fit->converged && all.stage >= 2);
        assert_int_equal(all.wrong, 0);
        for (int left = 1; left < all.n; left++) {
            Onlooker some = {.left = left};
            options.context = &some;
            ArcFit *part = run(problem, (ArcMethod)method, &options);
            assert_int_equal(part->stop, ARC_STOP_INTERRUPTED);
            assert_false(part->converged);
            assert_int_equal(some.n, left);
            arc_fit_free(part);
        }
        arc_fit_free(fit);
    }
    arc_problem_free(problem);
    arc_capture_free(capture);
}

/* Interrupted after any step and gone on with: the same bits, whichever run the step was of. */
static void check_resumed(const char *parameters, const char *stages)
{
    char text[MOST_TEXT];
    ArcCapture *capture = golf_capture();
    experiment_text(golf, parameters, stages, text);
    ArcProblem *problem = case_problem(text, capture);
    Onlooker all = {0};
    ArcFitOptions options = {.progress = look, .context = &all};
    ArcFit *alone = run(problem, ARC_PINN, &options);
    assert_true(alone->converged);
    assert_non_null(alone->stages);
    assert_int_equal(all.wrong, 0);
    assert_int_equal(alone->history[alone->n_history - 1].stage, all.stage);
    int every = 1 + all.n / 6;
    for (int left = 1; left < all.n; left += every) {
        Onlooker some = {.left = left};
        options = (ArcFitOptions){.progress = look, .context = &some, .checkpoint = path};
        unlink(path);
        arc_fit_free(run(problem, ARC_PINN, &options));
        const ArcFitOptions going_on = {.resume = access(path, F_OK) == 0 ? path : NULL};
        ArcFit *fit = run(problem, ARC_PINN, &going_on);
        assert_same_fit(fit, alone);
        arc_fit_free(fit);
    }
    unlink(path);
    arc_fit_free(alone);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

static void test_fit_run_stages_resumed_give_the_same_bits(void **state)
{
    (void)state;
    char far[MOST_TEXT];
    check_resumed(near_start, "[vacuum, drag]");
    far_start(golf, FAR_GOLF, far);
    check_resumed(far, "auto");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_automatic_stages_leave_a_plain_fit_alone),
        cmocka_unit_test(test_fit_run_stages_without_a_use_are_left_out),
        cmocka_unit_test(test_fit_run_stages_are_seen_and_interrupted),
        cmocka_unit_test(test_fit_run_stages_resumed_give_the_same_bits),
        cmocka_unit_test(test_fit_run_far_starts_arrive_by_stages),
    };
    return cmocka_run_group_tests_name("curriculum", tests, NULL, NULL);
}
