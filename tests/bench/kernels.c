/* Times the net's kernels for scripts/bench: warm, the median of many, inside one process.
 *
 *   bench_kernels              prints `NAME VALUE UNIT`, a line a measure
 *   bench_kernels --calls      calls those of one net a few times only, for a program that counts
 *                              instructions: prints `calls NAME FUNCTION NUMBER`
 *
 * POINTSxWIDTHxLAYERS names a net with two outputs.
 *   forward_us, backward_us, jacobian_us   one call each
 *   passes_dgemm_share                     of the time of forward and backward: what a bare loop of
 *                                          their matrix products takes; both are timed in turns
 *   passes_product_share                   the same, the loop's products in blocks as the net's
 *                                          are, which is faster: how much is left to gain elsewhere
 *   activate_ACTIVATION_ns, reverse_ns     the elementwise kernels, a unit of a layer at a point
 */
#include "net/kernels.h"
#include "net/net.h"
#include "net/products.h"

#include "measure.h"

#include <cblas.h>
#include <stdio.h>
#include <string.h>

enum { N_ROUNDS = 401, N_OUTPUTS = 2, KERNEL_ROWS = 64, KERNEL_WIDTH = 64, COUNTED_CALLS = 10 };

/* One net with all that a step reads and writes. */
typedef struct Bench {
    int M, width, n_hidden;
    size_t n_weights;
    ArcNet *net;
    ArcNetWork *work;
    double *weights, *tau, *jets, *bar, *gradient, *J;
    double *A, *B, *C; /* operands of the bare products: (3M, width), (width, width), (3M, width) */
} Bench;

static ArcStatus bench_create(Bench *bench, ArcArena *arena, ArcError *err)
{
    ArcNetSettings settings = arc_net_settings_default();
    settings.init = ARC_INIT_GLOROT_NORMAL;
    settings.n_hidden = bench->n_hidden;
    for (int l = 0; l < settings.n_hidden; l++)
        settings.widths[l] = bench->width;
    ArcStatus status = arc_net_create(&settings, N_OUTPUTS, arena, &bench->net, err);
    if (status == ARC_OK)
        status = arc_net_work_create(bench->net, bench->M, arena, &bench->work, err);
    if (status != ARC_OK)
        return status;
    size_t M = (size_t)bench->M, H = (size_t)bench->width;
    bench->n_weights = arc_net_n_weights(bench->net);
    if ((bench->weights = ARC_ALLOC(arena, bench->n_weights, double)) == NULL ||
        (bench->tau = ARC_ALLOC(arena, M, double)) == NULL ||
        (bench->jets = ARC_ALLOC(arena, 3 * M * N_OUTPUTS, double)) == NULL ||
        (bench->bar = ARC_ALLOC(arena, 3 * M * N_OUTPUTS, double)) == NULL ||
        (bench->gradient = ARC_ALLOC(arena, bench->n_weights, double)) == NULL ||
        (bench->J = ARC_ALLOC(arena, M * bench->n_weights, double)) == NULL ||
        (bench->A = ARC_ALLOC(arena, 3 * M * H, double)) == NULL ||
        (bench->B = ARC_ALLOC(arena, H * H, double)) == NULL ||
        (bench->C = ARC_ALLOC(arena, 3 * M * H, double)) == NULL)
        return arc_error_no_memory(err);
    ArcRandom random = arc_random_create(1, ARC_STREAM_NET);
    arc_net_init(bench->net, &random, bench->weights);
    for (size_t i = 0; i < M; i++)
        bench->tau[i] = 2.0 * (double)i / (double)M - 1.0;
    for (size_t k = 0; k < 3 * M * N_OUTPUTS; k++)
        bench->bar[k] = arc_random_normal(&random);
    for (size_t k = 0; k < 3 * M * H; k++)
        bench->A[k] = arc_random_normal(&random);
    for (size_t k = 0; k < H * H; k++)
        bench->B[k] = arc_random_normal(&random);
    return ARC_OK;
}

static void forward(Bench *bench)
{
    arc_net_forward(bench->net, bench->work, bench->weights, bench->M, bench->tau, bench->jets);
}

static void backward(Bench *bench)
{
    arc_net_backward(bench->net, bench->work, bench->weights, bench->M, bench->bar,
                     bench->gradient);
}

/* The three products of a layer, rows (3M): z = y W', gradient = Z' y, and Z W. */
static void bare_layer(Bench *bench, int fan_in, int fan_out)
{
    int rows = 3 * bench->M;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, fan_out, fan_in, 1.0, bench->A,
                fan_in, bench->B, fan_in, 0.0, bench->C, fan_out);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, fan_in, fan_out, 1.0, bench->A,
                fan_out, bench->B, fan_in, 0.0, bench->C, fan_in);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, fan_out, fan_in, rows, 1.0, bench->A,
                fan_out, bench->C, fan_in, 0.0, bench->gradient, fan_in);
}

/* The same as the net takes them. The transposed W goes where the gradient has been. */
static void blocked_layer(Bench *bench, int fan_in, int fan_out)
{
    int rows = 3 * bench->M;
    arc_product_forward(rows, fan_in, fan_out, bench->A, bench->B, bench->gradient, bench->C);
    arc_product_backward(rows, fan_in, fan_out, bench->A, bench->B, 0.0, bench->C);
    arc_product_gradient(rows, fan_in, fan_out, bench->A, bench->C, bench->gradient);
}

typedef void Layer(Bench *bench, int fan_in, int fan_out);

/* All products of forward and backward, but for the first layer's: it has one input. */
static void products(Bench *bench, Layer *layer)
{
    for (int l = 1; l < bench->n_hidden; l++)
        layer(bench, bench->width, bench->width);
    layer(bench, bench->width, N_OUTPUTS);
}

static void time_net(Bench *bench)
{
    static double times[5][N_ROUNDS];
    for (int i = -20; i < N_ROUNDS; i++) {
        int k = i < 0 ? 0 : i;
        double start = measure_now_us();
        forward(bench);
        double middle = measure_now_us();
        backward(bench);
        double end = measure_now_us();
        products(bench, bare_layer);
        double bare_end = measure_now_us();
        products(bench, blocked_layer);
        times[0][k] = middle - start;
        times[1][k] = end - middle;
        times[2][k] = (bare_end - end) / (end - start);
        times[3][k] = (measure_now_us() - bare_end) / (end - start);
    }
    for (int i = 0; i < N_ROUNDS; i++) {
        double start = measure_now_us();
        arc_net_jacobian(bench->net, bench->work, bench->weights, bench->M, bench->bar, bench->J,
                         (size_t)bench->M);
        times[4][i] = measure_now_us() - start;
    }
    const char *names[] = {"forward_us", "backward_us", "passes_dgemm_share",
                           "passes_product_share", "jacobian_us"};
    const char *units[] = {"us", "us", "1", "1", "us"};
    for (int i = 0; i < 5; i++)
        printf("%s_%dx%dx%d %.3f %s\n", names[i], bench->M, bench->width, bench->n_hidden,
               measure_median(N_ROUNDS, times[i]), units[i]);
}

static ArcStatus time_kernels(ArcArena *arena, ArcError *err)
{
    const ArcKernels *kernels = arc_kernels(arc_kernels_vector_unit());
    size_t n = (size_t)KERNEL_ROWS * KERNEL_WIDTH;
    double *z = ARC_ALLOC(arena, 3 * n, double), *y = ARC_ALLOC(arena, 3 * n, double);
    double *partials = ARC_ALLOC(arena, 3 * n, double), *b = ARC_ALLOC(arena, n, double);
    if (z == NULL || y == NULL || partials == NULL || b == NULL)
        return arc_error_no_memory(err);
    static double times[N_ROUNDS];
    for (int activation = 0; activation <= ARC_ACTIVATION_COUNT; activation++) {
        for (int i = 0; i < N_ROUNDS; i++) {
            for (size_t k = 0; k < 3 * n; k++)
                y[k] = (double)(k % 61) / 10.0 - 3.0;
            double start = measure_now_us();
            if (activation < ARC_ACTIVATION_COUNT)
                kernels->activate[activation](KERNEL_ROWS, KERNEL_WIDTH, n, b, NULL, y, partials);
            else
                kernels->reverse(n, partials, y, z);
            times[i] = 1e3 * (measure_now_us() - start) / (double)n;
        }
        if (activation < ARC_ACTIVATION_COUNT)
            printf("activate_%s_ns %.3f ns\n", arc_activation_name(activation),
                   measure_median(N_ROUNDS, times));
        else
            printf("reverse_ns %.3f ns\n", measure_median(N_ROUNDS, times));
    }
    return ARC_OK;
}

/* A few calls of each kernel, for a program that counts instructions. */
static void take_calls(Bench *bench)
{
    for (int i = 0; i < COUNTED_CALLS; i++) {
        forward(bench);
        backward(bench);
    }
    for (int i = 0; i < COUNTED_CALLS; i++)
        arc_net_jacobian(bench->net, bench->work, bench->weights, bench->M, bench->bar, bench->J,
                         (size_t)bench->M);
    const char *names[] = {"forward", "backward", "jacobian"};
    for (int i = 0; i < 3; i++)
        printf("calls %s_%dx%dx%d arc_net_%s %d\n", names[i], bench->M, bench->width,
               bench->n_hidden, names[i], COUNTED_CALLS);
}

int main(int argc, char **argv)
{
    bool counts = argc == 2 && strcmp(argv[1], "--calls") == 0;
    if (argc != 1 && !counts) {
        fputs("usage: bench_kernels [--calls]\n", stderr);
        return 2;
    }
    Bench benches[] = {{.M = 256, .width = 64, .n_hidden = 4},
                       {.M = 66, .width = 32, .n_hidden = 3}};
    ArcError err;
    ArcArena *arena = arc_arena_create();
    ArcStatus status = arena == NULL ? arc_error_no_memory(&err) : ARC_OK;
    if (status == ARC_OK && !counts)
        status = time_kernels(arena, &err);
    for (int i = 0; i < 2 && status == ARC_OK; i++) {
        if (counts && i > 0)
            break;
        status = bench_create(&benches[i], arena, &err);
        if (status == ARC_OK && counts)
            take_calls(&benches[i]);
        else if (status == ARC_OK)
            time_net(&benches[i]);
    }
    if (status != ARC_OK)
        fprintf(stderr, "%s\n", err.text);
    arc_arena_free(arena);
    return arc_status_exit_code(status);
}
