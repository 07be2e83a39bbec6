/* Times one step of each optimiser for scripts/bench, as the trainer takes it: warm, the median of
 * many, inside one process.
 *
 *   bench_steps EXPERIMENT                 all: prints `NAME VALUE UNIT`
 *   bench_steps EXPERIMENT STEP            one, such as adam_step_66x32x3
 *   bench_steps EXPERIMENT STEP --calls    takes a few steps only, for a program that counts
 *                                          instructions: prints `calls NAME FUNCTION NUMBER`
 *
 * POINTSxWIDTHxLAYERS names the net and the points it is evaluated at: collocation points and the
 * experiment's observed times. dgemm_share is what a bare loop of the step's matrix products, in
 * one DGEMM each, takes of the time of the adam step; both are timed in turns.
 */
#include "arcfit/fit.h"
#include "fit/stage.h"

#include "measure.h"

#include <cblas.h>
#include <stdio.h>
#include <string.h>

enum { MAX_STEPS = 4000, WARM_STEPS = 100, COUNTED_STEPS = 10, MAX_RUNS = 400, N_OUTPUTS = 2 };

typedef struct Step {
    const char *name;
    int points, width, n_hidden;
    ArcNetInit init;
    ArcStage stage;
    int steps; /* to time */
    bool shares;
} Step;

#define ADAM                                                                                       \
    {                                                                                              \
        .optimizer = ARC_OPTIMIZER_ADAM, .steps = MAX_STEPS + WARM_STEPS, .rate = 1e-3,            \
        .parameter_rate = 1e-3, .final_share = 1.0                                                 \
    }

static const Step steps[] = {
    {"adam_step", 66, 32, 3, ARC_INIT_GLOROT_NORMAL, ADAM, 4000, false},
    {"adam_step", 256, 64, 4, ARC_INIT_GLOROT_NORMAL, ADAM, 1000, true},
    {"lbfgs_step",
     66,
     32,
     3,
     ARC_INIT_GLOROT_NORMAL,
     {.optimizer = ARC_OPTIMIZER_LBFGS, .steps = MAX_STEPS, .memory = 20},
     2000,
     false},
    {"lm_step",
     59,
     16,
     2,
     ARC_INIT_GLOROT_NORMAL,
     {.optimizer = ARC_OPTIMIZER_LM, .steps = 400},
     400,
     false},
    {"linear_step",
     43,
     24,
     1,
     ARC_INIT_SPREAD,
     {.optimizer = ARC_OPTIMIZER_LINEAR, .steps = 100},
     1000,
     false},
};
enum { N_STEPS = sizeof steps / sizeof steps[0] };

/* Operands of the bare products: (3 points, width), (width, width), (3 points, width). */
typedef struct Products {
    const Step *step;
    double *A, *B, *C, *gradient;
} Products;

static ArcStatus products_create(const Step *step, ArcArena *arena, Products *products,
                                 ArcError *err)
{
    size_t rows = 3 * (size_t)step->points, width = (size_t)step->width;
    *products = (Products){.step = step,
                           .A = ARC_ALLOC(arena, rows * width, double),
                           .B = ARC_ALLOC(arena, width * width, double),
                           .C = ARC_ALLOC(arena, rows * width, double),
                           .gradient = ARC_ALLOC(arena, width * width, double)};
    if (products->A == NULL || products->B == NULL || products->C == NULL ||
        products->gradient == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < rows * width; i++)
        products->A[i] = (double)(i % 61) / 61.0 - 0.5;
    for (size_t i = 0; i < width * width; i++)
        products->B[i] = (double)(i % 53) / 53.0 - 0.5;
    return ARC_OK;
}

/* The three products of a layer, rows (3 points): z = y W', gradient = Z' y, and Z W. */
static void bare_layer(const Products *p, int fan_out)
{
    int rows = 3 * p->step->points, fan_in = p->step->width;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, fan_out, fan_in, 1.0, p->A, fan_in,
                p->B, fan_in, 0.0, p->C, fan_out);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, fan_in, fan_out, 1.0, p->A,
                fan_out, p->B, fan_in, 0.0, p->C, fan_in);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, fan_out, fan_in, rows, 1.0, p->A, fan_out,
                p->C, fan_in, 0.0, p->gradient, fan_in);
}

/* All products of a step, but for the first layer's: it has one input. */
static double time_products(const Products *p)
{
    double start = measure_now_us();
    for (int l = 1; l < p->step->n_hidden; l++)
        bare_layer(p, p->step->width);
    bare_layer(p, N_OUTPUTS);
    return measure_now_us() - start;
}

/* One training run of the step's stage, until enough steps are timed. */
static ArcStatus run_stage(const Step *step, const ArcProblem *problem, ArcArena *arena,
                           const Products *products, int most, double *times, double *shares,
                           int *n, ArcError *err)
{
    ArcNetSettings net = arc_net_settings_default();
    net.init = step->init;
    net.n_hidden = step->n_hidden;
    for (int l = 0; l < net.n_hidden; l++)
        net.widths[l] = step->width;
    ArcPinn *pinn = NULL;
    ArcHistory history = {
        .problem = problem, .method = ARC_PINN, .capacity = arc_history_rows_of(step->stage.steps)};
    ArcStageRun *run = NULL;
    ArcStatus status =
        arc_pinn_create(problem, &net, step->points - problem->n_times, arena, &pinn, err);
    if (status == ARC_OK)
        status = arc_history_create(&history, arena, err);
    if (status == ARC_OK)
        status = arc_stage_create(pinn, &step->stage, &history, arena, &run, err);
    if (status == ARC_OK)
        arc_stage_begin(run, NULL);
    bool goes_on = status == ARC_OK;
    while (goes_on && *n < most) {
        double start = measure_now_us();
        goes_on = arc_stage_step(run);
        times[*n] = measure_now_us() - start;
        if (step->shares)
            shares[*n] = time_products(products) / times[*n];
        (*n)++;
    }
    return status;
}

/* Unit, if any, behind the name and before the sizes. */
static void step_name(const Step *step, const char *unit, char name[64])
{
    snprintf(name, 64, "%s%s_%dx%dx%d", step->name, unit, step->points, step->width,
             step->n_hidden);
}

/* From seed after seed, since some optimisers arrive in a few steps. */
static ArcStatus time_step(const Step *step, ArcExperiment *experiment, const ArcCapture *capture,
                           int most, ArcError *err)
{
    static double times[MAX_STEPS + WARM_STEPS], shares[MAX_STEPS + WARM_STEPS];
    char name[64];
    int n = 0;
    ArcStatus status = ARC_OK;
    for (int seed = 1; n < most && seed <= MAX_RUNS && status == ARC_OK; seed++) {
        ArcProblem *problem = NULL;
        Products products = {0};
        ArcArena *arena = arc_arena_create();
        experiment->seed = (uint64_t)seed;
        status = arena == NULL ? arc_error_no_memory(err)
                               : arc_problem_create(experiment, capture, &problem, err);
        if (status == ARC_OK)
            status = products_create(step, arena, &products, err);
        if (status == ARC_OK)
            status = run_stage(step, problem, arena, &products, most, times, shares, &n, err);
        arc_problem_free(problem);
        arc_arena_free(arena);
    }
    if (status == ARC_OK && n < most)
        status = arc_error_set(err, ARC_NUMERIC, "bench: no %d steps of %s", most, step->name);
    if (status != ARC_OK)
        return status;
    if (most <= COUNTED_STEPS) {
        step_name(step, "", name);
        printf("calls %s arc_stage_step %d\n", name, most);
        return ARC_OK;
    }
    int warm = most - step->steps;
    step_name(step, "_us", name);
    printf("%s %.2f us\n", name, measure_median(step->steps, times + warm));
    if (step->shares)
        printf("dgemm_share_%dx%dx%d %.3f 1\n", step->points, step->width, step->n_hidden,
               measure_median(step->steps, shares + warm));
    return ARC_OK;
}

int main(int argc, char **argv)
{
    bool counts = argc == 4 && strcmp(argv[3], "--calls") == 0;
    if (argc < 2 || (argc > 3 && !counts)) {
        fputs("usage: bench_steps EXPERIMENT [STEP [--calls]]\n", stderr);
        return 2;
    }
    ArcError err;
    ArcExperiment *experiment = NULL;
    ArcCapture *capture = NULL;
    ArcStatus status = arc_experiment_read(argv[1], 0, NULL, &experiment, &err);
    if (status == ARC_OK)
        status = arc_capture_read(&experiment->capture, &capture, &err);
    for (int i = 0; i < N_STEPS && status == ARC_OK; i++) {
        char name[64];
        step_name(&steps[i], "", name);
        if (argc == 2 || strcmp(argv[2], name) == 0)
            status = time_step(&steps[i], experiment, capture,
                               counts ? COUNTED_STEPS : steps[i].steps + WARM_STEPS, &err);
    }
    if (status != ARC_OK)
        fprintf(stderr, "%s\n", err.text);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
    return arc_status_exit_code(status);
}
