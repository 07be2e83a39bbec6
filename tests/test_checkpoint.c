/* Checkpoints of the PINN's training: a run interrupted after any of its steps and gone on with
 * ends with the bits of one left alone, for every optimizer; what is damaged or belongs to another
 * run is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "fit_case.h"
#include "slow.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define PLANE CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
#define THROW PLANE "parameters: {k: 0.03, s: 0.08, spin: 2, x0: 0, y0: 2, vx0: 4.6, vy0: 6.4}\n"
#define FREE PLANE "parameters: {k: {start: 0.1, bounds: [0, 1]}, s: 0.08, spin: {start: 0}}\n"
#define SMALL "net: nets/silu-16.yaml"
#define ADAM "{optimizer: adam, steps: 9, warm_up: 2, clip: 100, weight_decay: 0.01}"

static char folder[] = "/tmp/arcfit-test-checkpoint-XXXXXX";
static char path[64], other[64];
static ArcCapture *throw, *fast;

typedef struct Case {
    const char *name, *text;
    bool is_fast; /* a flight that needs a wider net */
} Case;

static const Case cases[] = {
    {"linear", FREE, false},
    {"ladder", PLANE "parameters: {k: {start: 0.1}}\n", true},
    {"moving span", PLANE "parameters: {k: 0.03, s: 0.08, spin: 2, t0: {start: -2}, y0: 1.5}\n",
     false},
    {"lm", FREE "fit: {pinn: {" SMALL ", train: [{optimizer: lm, steps: 12}]}}\n", false},
    {"lm deep",
     FREE "fit: {pinn: {net: nets/tanh-16x2.yaml, train: [{optimizer: lm, steps: 8}]}}\n", false},
    {"lm geodesic",
     FREE "fit: {pinn: {" SMALL ", train: [{optimizer: lm, steps: 10, geodesic: true}]}}\n", false},
    {"adam random self-adaptive",
     FREE "fit: {pinn: {" SMALL ", collocation: {kind: random, every: 4}, weighting: self-adaptive,"
          " weighting_every: 3, train: [" ADAM "]}}\n",
     false},
    {"adam adaptive causal",
     FREE "fit: {pinn: {" SMALL ", collocation: {kind: adaptive, every: 3}, weighting: causal, "
          "weighting_every: 2, causal_epsilon: 1e-3, train: [" ADAM "]}}\n",
     false},
    {"lbfgs", FREE "fit: {pinn: {" SMALL ", train: [{optimizer: lbfgs, steps: 15, memory: 4}]}}\n",
     false},
    {"lbfgs random gradient-norm",
     FREE "fit: {pinn: {" SMALL ", collocation: {kind: random, every: 5}, weighting: gradient-norm,"
          " weighting_every: 3, train: [{optimizer: lbfgs, steps: 12, memory: 3}]}}\n",
     false},
    {"chain",
     FREE "fit: {pinn: {" SMALL ", physics: 0.1 m/s^2, train: [" ADAM ", {optimizer: lbfgs, steps: "
          "4}, {optimizer: lm, steps: 4}, {optimizer: linear}, {optimizer: adam, steps: 3}]}}\n",
     false},
    {"several starts",
     FREE "fit: {starts: 3, pinn: {" SMALL ", train: [{optimizer: adam, steps: 4}, {optimizer: "
          "linear}]}}\n",
     false},
    {"windows",
     FREE "fit: {pinn: {net: auto, windows: 3, train: [{optimizer: adam, steps: 4}, {optimizer: "
          "lm, steps: 3}, {optimizer: linear}]}}\n",
     false},
    {"physics auto", FREE "fit: {pinn: {physics: auto}}\n", false},
    {"cauchy",
     FREE "fit: {loss: cauchy, pinn: {" SMALL ", train: [{optimizer: lbfgs, steps: 5}, "
          "{optimizer: linear}]}}\n",
     false},
    {"student-t of any dof", FREE "fit: {loss: {kind: student-t, dof: estimate}}\n", false},
};

/* A progress function that lets so many iterations pass. */
static bool stop_after(void *context, const ArcProgressState *state)
{
    (void)state;
    int *left = context;
    return --*left > 0;
}

static ArcFit *run(const ArcProblem *problem, const ArcFitOptions *options)
{
    ArcError err;
    ArcFit *fit = NULL;
    if (arc_fit_run(problem, ARC_PINN, options, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return fit;
}

static bool is_same(size_t n, const double *a, const double *b)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

/* The first thing in which two fits differ in any bit; NULL where there is none. */
static const char *difference(const ArcFit *a, const ArcFit *b)
{
    size_t n = (size_t)a->n_free, states = (size_t)(a->n_trajectory * a->dimensions);
    if (a->stop != b->stop || a->converged != b->converged)
        return "stop";
    if (a->iterations != b->iterations)
        return "iterations";
    if (a->net.n_weights != b->net.n_weights ||
        !is_same((size_t)a->net.n_weights, a->net.weights, b->net.weights))
        return "weights";
    for (int i = 0; i < a->n_parameters; i++)
        if (!is_same(1, &a->parameters[i].value, &b->parameters[i].value) ||
            !is_same(1, &a->parameters[i].sd, &b->parameters[i].sd))
            return a->parameters[i].name;
    if (!is_same(n * n, a->covariance, b->covariance))
        return "covariance";
    if (!is_same(states, a->position_m, b->position_m) ||
        !is_same(states, a->acceleration_m_s2, b->acceleration_m_s2))
        return "trajectory";
    if (!is_same(1, &a->residuals.physics_rms_fine_m_s2, &b->residuals.physics_rms_fine_m_s2) ||
        !is_same(1, &a->residuals.sigma_phys_m_s2, &b->residuals.sigma_phys_m_s2) ||
        !is_same(2, a->residuals.sigma_phys_ci95_m_s2, b->residuals.sigma_phys_ci95_m_s2))
        return "residuals";
    if (a->n_starts_converged != b->n_starts_converged ||
        !is_same(1, &a->start_spread_sd, &b->start_spread_sd))
        return "starts";
    if (a->n_history != b->n_history)
        return "length of the history";
    for (int i = 0; i < a->n_history; i++) {
        const ArcHistoryRow *x = &a->history[i], *y = &b->history[i];
        if (x->start != y->start || x->stage != y->stage || x->iteration != y->iteration ||
            !is_same(6, &x->cost, &y->cost))
            return "history";
    }
    return NULL;
}

static void assert_resumes(const Case *row, const ArcProblem *problem, const ArcFit *alone,
                           int first, int second)
{
    int left = first;
    ArcFitOptions options = {
        .progress = stop_after, .context = &left, .checkpoint = path, .checkpoint_every_s = 1e9};
    ArcFit *fit = run(problem, &options);
    assert_int_equal(fit->stop, ARC_STOP_INTERRUPTED);
    assert_false(fit->converged);
    arc_fit_free(fit);
    if (second > 0) { /* gone on with, and interrupted again */
        left = second;
        options.resume = path;
        arc_fit_free(run(problem, &options));
    }
    const ArcFitOptions going_on = {.resume = path};
    fit = run(problem, &going_on);
    const char *what = difference(alone, fit);
    if (what != NULL)
        fail_msg("%s, interrupted after %d and %d steps: %s differs", row->name, first, second,
                 what);
    arc_fit_free(fit);
}

static bool count_steps(void *context, const ArcProgressState *state)
{
    (void)state;
    ++*(int *)context;
    return true;
}

static void test_fit_run_resumed_after_any_step_gives_the_same_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Case *row = &cases[i];
        ArcProblem *problem = case_problem(row->text, row->is_fast ? fast : throw);
        int steps = 0;
        const ArcFitOptions counted = {.progress = count_steps, .context = &steps};
        ArcFit *alone = run(problem, &counted);
        assert_true(steps > 2);
        for (int k = 1; k <= steps; k += FEWER(1, 3))
            assert_resumes(row, problem, alone, k, k % 3);
        print_message("%s: %d steps\n", row->name, steps);
        arc_fit_free(alone);
        arc_problem_free(problem);
    }
}

/* Threads change neither the starts nor what their checkpoint holds. */
static void test_fit_run_resumed_by_threads_gives_the_same_bits(void **state)
{
    (void)state;
    ArcProblem *problem =
        case_problem(FREE "fit: {starts: 5, pinn: {" SMALL ", train: [{optimizer: adam, steps: 6}, "
                          "{optimizer: linear}]}}\n",
                     throw);
    ArcFit *alone = run(problem, NULL);
    for (int k = 1; k < 40; k += 4) {
        int left = k;
        ArcFitOptions options = {
            .progress = stop_after, .context = &left, .threads = 3, .checkpoint = path};
        arc_fit_free(run(problem, &options));
        const ArcFitOptions going_on = {.threads = 2, .resume = path};
        ArcFit *fit = run(problem, &going_on);
        assert_null(difference(alone, fit));
        arc_fit_free(fit);
    }
    arc_fit_free(alone);
    arc_problem_free(problem);
}

/* A finished run leaves a checkpoint too, from which nothing is left to do. */
static void test_fit_run_resumed_at_the_end_takes_no_step(void **state)
{
    (void)state;
    ArcProblem *problem = case_problem(cases[10].text, throw);
    const ArcFitOptions written = {.checkpoint = path, .checkpoint_every_s = 1e9};
    int steps = 0;
    const ArcFitOptions again = {.progress = count_steps, .context = &steps, .resume = path};
    ArcFit *alone = run(problem, &written), *fit = run(problem, &again);
    assert_null(difference(alone, fit));
    assert_int_equal(steps, 0);
    arc_fit_free(fit);
    arc_fit_free(alone);
    arc_problem_free(problem);
}

typedef struct Copies {
    int n;
    ArcArena *arena;
    char *bytes[64];
    size_t size[64];
} Copies;

/* Keeps what stands in the file at this moment. */
static bool keep_copy(void *context, const ArcProgressState *state)
{
    (void)state;
    Copies *copies = context;
    if (copies->n < 64 && access(path, R_OK) == 0) {
        ArcStatus status = arc_file_read(path, (ArcPlace){NULL, 0, 0}, 1 << 24, copies->arena,
                                         &copies->bytes[copies->n], &copies->size[copies->n], NULL);
        assert_int_equal(status, ARC_OK);
        copies->n++;
    }
    return true;
}

/* A run that saves after every step can be gone on with from each of these files. */
static void test_fit_run_every_step_saved_gives_the_same_bits(void **state)
{
    (void)state;
    ArcProblem *problem = case_problem(cases[10].text, throw);
    Copies copies = {.arena = arc_arena_create()};
    unlink(path);
    const ArcFitOptions options = {.progress = keep_copy, .context = &copies, .checkpoint = path};
    ArcFit *alone = run(problem, &options);
    assert_true(copies.n > 15);
    for (int i = 0; i < copies.n; i++) {
        assert_int_equal(arc_file_replace(other, copies.bytes[i], copies.size[i], NULL), ARC_OK);
        const ArcFitOptions going_on = {.resume = other};
        ArcFit *fit = run(problem, &going_on);
        assert_null(difference(alone, fit));
        arc_fit_free(fit);
    }
    arc_arena_free(copies.arena);
    arc_fit_free(alone);
    arc_problem_free(problem);
}

static void assert_refused(const ArcProblem *problem, const char *file, const char *words)
{
    ArcError err;
    ArcFit *fit = NULL;
    char start[96];
    const ArcFitOptions options = {.resume = file};
    ArcStatus status = arc_fit_run(problem, ARC_PINN, &options, &fit, &err);
    snprintf(start, sizeof start, "%s:1:1: error: ", file);
    if (status != ARC_INPUT || fit != NULL || strncmp(err.text, start, strlen(start)) != 0 ||
        strstr(err.text, words) == NULL)
        fail_msg("status %d: %s", (int)status, err.text);
}

static void test_fit_run_damaged_checkpoint_is_refused(void **state)
{
    (void)state;
    ArcProblem *problem = case_problem(cases[3].text, throw);
    int left = 2;
    const ArcFitOptions options = {.progress = stop_after, .context = &left, .checkpoint = path};
    arc_fit_free(run(problem, &options));
    ArcArena *arena = arc_arena_create();
    char *bytes;
    size_t size;
    assert_int_equal(
        arc_file_read(path, (ArcPlace){NULL, 0, 0}, 1 << 24, arena, &bytes, &size, NULL), ARC_OK);
    print_message("%zu bytes\n", size);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= (char)(1 << (i % 8));
        FILE *stream = fopen(other, "w"); /* not flushed to the disk, as arc_file_replace would */
        assert_non_null(stream);
        assert_int_equal(fwrite(bytes, 1, size, stream), size);
        assert_int_equal(fclose(stream), 0);
        assert_refused(problem, other, "damaged");
        bytes[i] ^= (char)(1 << (i % 8));
    }
    for (size_t keep = 0; keep < size; keep += 1 + keep / 7) {
        assert_int_equal(arc_file_replace(other, bytes, keep, NULL), ARC_OK);
        assert_refused(problem, other, "damaged");
    }
    assert_refused(problem, "/nowhere/a.ck", "cannot open");
    assert_refused(problem, folder, "");
    arc_arena_free(arena);
    arc_problem_free(problem);
}

/* Sets the checksum right, as one who forges a file would. */
static void write_summed(const char *file, char *bytes, size_t size)
{
    uint64_t sum = crc32_z(0, (const unsigned char *)bytes, size - sizeof sum);
    memcpy(bytes + size - sizeof sum, &sum, sizeof sum);
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

/* The run's own numbers stand first: rung, attempt and stage, each behind its length. */
static void test_fit_run_forged_checkpoint_is_refused(void **state)
{
    (void)state;
    enum { RUNG = 20 + 3 * 8 + 8, NEXT = 16 };
    static const int64_t forged[] = {-1, 4, 9, INT_MAX, INT_MIN, 1LL << 32};
    ArcProblem *problem = case_problem(cases[3].text, throw);
    int left = 2;
    const ArcFitOptions options = {.progress = stop_after, .context = &left, .checkpoint = path};
    arc_fit_free(run(problem, &options));
    ArcArena *arena = arc_arena_create();
    char *bytes;
    size_t size;
    assert_int_equal(
        arc_file_read(path, (ArcPlace){NULL, 0, 0}, 1 << 24, arena, &bytes, &size, NULL), ARC_OK);
    for (int k = 0; k < 3; k++) {
        char sound[8];
        memcpy(sound, bytes + RUNG + k * NEXT, 8);
        for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
            if (k == 1 && forged[i] == 4)
                continue; /* as good an attempt as any */
            memcpy(bytes + RUNG + k * NEXT, &forged[i], 8);
            write_summed(other, bytes, size);
            assert_refused(problem, other, "damaged");
        }
        memcpy(bytes + RUNG + k * NEXT, sound, 8);
    }
    arc_arena_free(arena);
    arc_problem_free(problem);
}

/* Each of these would end elsewhere. */
static void test_fit_run_checkpoint_of_another_run_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        FREE "fit: {seed: 2}\n",
        FREE "fit: {pinn: {physics: 0.1 m/s^2}}\n",
        FREE "fit: {pinn: {collocation: 40}}\n",
        FREE "fit: {loss: huber}\n",
        FREE "fit: {pinn: {net: nets/tanh-24.yaml}}\n",
        FREE "fit: {pinn: {train: [{optimizer: linear, steps: 99}]}}\n",
        FREE "fit: {pinn: {train: [{optimizer: adam}, {optimizer: linear}]}}\n",
        PLANE "parameters: {k: {start: 0.1}, s: 0.08, spin: {start: 0}}\n",
        PLANE "parameters: {k: {start: 0.1, bounds: [0, 1]}, s: 0.07, spin: {start: 0}}\n",
        PLANE "parameters: {k: {start: 0.1, bounds: [0, 1], prior: {mean: 0, sd: 1}}, s: 0.08, "
              "spin: {start: 0}}\n",
        CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped, gravity: 9.8 m/s^2}\n"
                  "parameters: {k: {start: 0.1, bounds: [0, 1]}, s: 0.08, spin: {start: 0}}\n"};
    ArcProblem *problem = case_problem(FREE, throw);
    const ArcFitOptions options = {.checkpoint = path};
    ArcFit *fit = run(problem, &options);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ArcProblem *stranger = case_problem(texts[i], throw);
        assert_refused(stranger, path, "other points or settings");
        arc_problem_free(stranger);
    }
    ArcProblem *moved = case_problem(FREE, fast);
    assert_refused(moved, path, "other points or settings");
    arc_problem_free(moved);
    ArcProblem *many = case_problem(FREE "fit: {starts: 2}\n", throw);
    assert_refused(many, path, "other points or settings");
    arc_problem_free(many);
    ArcError err;
    ArcFit *other_fit = NULL;
    const ArcFitOptions warm = {.resume = path, .warm_start = fit};
    assert_int_equal(arc_fit_run(problem, ARC_PINN, &warm, &other_fit, &err), ARC_INPUT);
    arc_fit_free(fit);
    arc_problem_free(problem);
}

#define BALL(more) CASE_HEAD "flight: {dimensions: 2, ball: basketball, drag: quadratic" more "}\n"
#define SPUN(more) BALL(", lift: linear" more) "parameters: {spin: 2}\n"

/* Each pair differs in one thing that a training rests on. */
static void test_fit_run_checkpoint_of_another_flight_or_noise_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *written, *read;
    } pairs[] = {
        {BALL(", bounce: {plane: y=-5 m}"), BALL(", bounce: {plane: y=-6 m}")},
        {BALL(", bounce: {plane: y=-5 m}"), BALL(", bounce: {plane: y=-5 m, friction: 0.4}")},
        {BALL(""), BALL(", added_mass: true")},
        {BALL(", wind: {gust: {velocity: [1, 0], time: 1, width: 1}}"),
         BALL(", wind: {gust: {velocity: [1, 0], time: 1, width: 2}}")},
        {BALL(", wind: {velocity: [1, 0], shear: {height: 10}}"),
         BALL(", wind: {velocity: [1, 0], shear: {height: 9}}")},
        {SPUN(""), SPUN(", spin_decay: exponential")},
        {CASE_HEAD "flight: {dimensions: 2, ball: basketball, drag: table, drag_table: [[1, 0.5], "
                   "[9, 0.4]]}\n",
         CASE_HEAD "flight: {dimensions: 2, ball: basketball, drag: table, drag_table: [[1, 0.5], "
                   "[9, 0.3]]}\n"},
        {BALL("") "fit: {loss: huber}\n", BALL("") "fit: {loss: {kind: huber, tuning: 2}}\n"},
        {BALL("") "fit: {loss: student-t}\n",
         BALL("") "fit: {loss: {kind: student-t, dof: estimate}}\n"},
        {BALL("") "fit: {loss: cauchy}\n",
         BALL("") "fit: {loss: cauchy, direct: {tolerance: 1e-9}}\n"},
        {BALL("") "fit: {stages: [vacuum]}\n", BALL("") "fit: {stages: none}\n"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        ArcProblem *problem = case_problem(pairs[i].written, throw);
        ArcProblem *stranger = case_problem(pairs[i].read, throw);
        const ArcFitOptions options = {.checkpoint = path}, again = {.resume = path};
        arc_fit_free(run(problem, &options));
        arc_fit_free(run(problem, &again));
        assert_refused(stranger, path, "other points or settings");
        arc_problem_free(stranger);
        arc_problem_free(problem);
    }
}

static void test_fit_run_checkpoint_that_cannot_be_written_says_so(void **state)
{
    (void)state;
    ArcProblem *problem = case_problem(FREE, throw);
    ArcError err;
    ArcFit *fit = NULL;
    const ArcFitOptions options = {.checkpoint = folder};
    assert_int_equal(arc_fit_run(problem, ARC_PINN, &options, &fit, &err), ARC_SYSTEM);
    assert_null(fit);
    assert_non_null(strstr(err.text, folder));
    arc_problem_free(problem);
}

/* Memory that runs out after so many blocks. */
static bool memory_hook(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

static void test_fit_run_checkpoint_without_memory_says_so(void **state)
{
    (void)state;
    ArcProblem *problem = case_problem(cases[6].text, throw);
    int left = 3, refused = 0;
    const ArcFitOptions begun = {.progress = stop_after, .context = &left, .checkpoint = other};
    arc_fit_free(run(problem, &begun));
    ArcStatus status = ARC_MEMORY;
    for (; status != ARC_OK; refused++) {
        ArcError err;
        ArcFit *fit = NULL;
        int blocks = refused;
        const ArcFitOptions options = {.checkpoint = path, .resume = other};
        arc_memory_set_hook(memory_hook, &blocks);
        status = arc_fit_run(problem, ARC_PINN, &options, &fit, &err);
        arc_memory_set_hook(NULL, NULL);
        if (status != ARC_OK && (status != ARC_MEMORY || fit != NULL))
            fail_msg("%d blocks: status %d, %s", refused, (int)status, err.text);
        arc_fit_free(fit);
    }
    print_message("%d blocks refused in turn\n", refused);
    assert_true(refused > 10);
    arc_problem_free(problem);
}

/* From the net of an earlier fit the linear stage has next to nothing to do; one of another shape
 * gives its parameters only. */
static void test_fit_run_warm_start_begins_where_the_other_ended(void **state)
{
    (void)state;
    static const char trained[] = FREE "fit: {pinn: {" SMALL ", train: [{optimizer: linear}]}}\n";
    static const char adam[] =
        FREE "fit: {pinn: {" SMALL ", train: [{optimizer: adam, steps: 1, rate: 1e-9}]}}\n";
    static const char deeper[] = FREE "fit: {pinn: {net: nets/tanh-16x2.yaml, train: [{optimizer: "
                                      "adam, steps: 1, rate: 1e-9}]}}\n";
    ArcFit *first = case_fit(trained, throw, ARC_PINN);
    ArcProblem *problem = case_problem(adam, throw), *deep = case_problem(deeper, throw);
    const ArcFitOptions options = {.warm_start = first};
    ArcFit *cold = run(problem, NULL), *warm = run(problem, &options), *other_net;
    other_net = run(deep, &options);
    assert_true(warm->history[0].cost < 2.0 * first->history[first->n_history - 1].cost);
    assert_true(cold->history[0].cost > 1e3 * warm->history[0].cost);
    assert_true(fabs(case_parameter(warm, "k")->value - case_parameter(first, "k")->value) < 1e-6);
    double gap = case_parameter(other_net, "vx0")->value - case_parameter(first, "vx0")->value;
    assert_true(fabs(gap) < 1e-6);
    assert_true(other_net->net.n_weights != first->net.n_weights);
    arc_fit_free(cold);
    arc_fit_free(warm);
    arc_fit_free(other_net);
    arc_fit_free(first);
    arc_problem_free(problem);
    arc_problem_free(deep);
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/a.ck", folder);
    snprintf(other, sizeof other, "%s/b.ck", folder);
    throw = case_capture(THROW, 11, 0.8, 0.003);
    fast =
        case_capture(PLANE "parameters: {k: 0.2, s: 0, spin: 0, x0: 0, y0: 2, vx0: 50, vy0: 5}\n",
                     20, 1.0, 0.003);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    arc_capture_free(throw);
    arc_capture_free(fast);
    unlink(path);
    unlink(other);
    return rmdir(folder); /* fails where a part of a file was left */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_resumed_after_any_step_gives_the_same_bits),
        cmocka_unit_test(test_fit_run_resumed_by_threads_gives_the_same_bits),
        cmocka_unit_test(test_fit_run_resumed_at_the_end_takes_no_step),
        cmocka_unit_test(test_fit_run_every_step_saved_gives_the_same_bits),
        cmocka_unit_test(test_fit_run_damaged_checkpoint_is_refused),
        cmocka_unit_test(test_fit_run_forged_checkpoint_is_refused),
        cmocka_unit_test(test_fit_run_checkpoint_of_another_run_is_refused),
        cmocka_unit_test(test_fit_run_checkpoint_of_another_flight_or_noise_is_refused),
        cmocka_unit_test(test_fit_run_checkpoint_that_cannot_be_written_says_so),
        cmocka_unit_test(test_fit_run_checkpoint_without_memory_says_so),
        cmocka_unit_test(test_fit_run_warm_start_begins_where_the_other_ended),
    };
    return cmocka_run_group_tests_name("checkpoint", tests, make_folder, remove_folder);
}
