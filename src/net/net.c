/* The net's shape, first weights and scratch memory. */
#include "net/net.h"

#include "net/layers.h"
#include "net/products.h"
#include "net/windows.h"

#include <limits.h>
#include <math.h>

static const char *const activation_names[] = {
#define ARC_X(enumerator, word) [enumerator] = #word,
    ARC_ACTIVATION_LIST(ARC_X)
#undef ARC_X
};

static const char *const init_names[] = {
    [ARC_INIT_SPREAD] = "spread",
    [ARC_INIT_GLOROT_NORMAL] = "glorot-normal",
    [ARC_INIT_GLOROT_UNIFORM] = "glorot-uniform",
};

enum { N_INITS = sizeof init_names / sizeof init_names[0] };

/* Centres of ARC_INIT_SPREAD reach a little beyond the data's [-1, 1]. */
static const double SPREAD_SPAN = 1.2;
static const double SPREAD_JITTER_SD = 0.05;

ArcNetSettings arc_net_settings_default(void)
{
    return (ArcNetSettings){.n_hidden = 1,
                            .widths = {24},
                            .activation = ARC_ACTIVATION_TANH,
                            .init = ARC_INIT_SPREAD,
                            .slope_low = 1.0,
                            .slope_high = 1.5,
                            .fourier_base = 1.0,
                            .windows = 1};
}

static int settings_n_inputs(const ArcNetSettings *settings)
{
    return 1 + 2 * settings->fourier_modes;
}

static int settings_n_windows(const ArcNetSettings *settings)
{
    return settings->windows > 1 ? settings->windows : 1;
}

bool arc_net_settings_can_skip(const ArcNetSettings *settings)
{
    for (int l = 1; l < settings->n_hidden; l++)
        if (settings->widths[l] == settings->widths[l - 1])
            return true;
    return false;
}

size_t arc_net_settings_n_weights(const ArcNetSettings *settings, int n_outputs)
{
    size_t n = 0, fan_in = (size_t)settings_n_inputs(settings);
    for (int l = 0; l < settings->n_hidden; l++) {
        n += (fan_in + 1) * (size_t)settings->widths[l];
        fan_in = (size_t)settings->widths[l];
    }
    return (n + (fan_in + 1) * (size_t)n_outputs) * (size_t)settings_n_windows(settings);
}

const char *arc_activation_name(int activation)
{
    return activation >= 0 && activation < ARC_ACTIVATION_COUNT ? activation_names[activation]
                                                                : NULL;
}

const char *arc_net_init_name(int init)
{
    return init >= 0 && init < N_INITS ? init_names[init] : NULL;
}

static ArcStatus settings_check_shape(const ArcNetSettings *settings, int n_outputs, ArcError *err)
{
    if (settings->n_hidden < 1 || settings->n_hidden > ARC_NET_MAX_LAYERS)
        return arc_error_set(err, ARC_INPUT, "error: net has %d hidden layers; give 1 to %d",
                             settings->n_hidden, ARC_NET_MAX_LAYERS);
    for (int l = 0; l < settings->n_hidden; l++)
        if (settings->widths[l] < 1 || settings->widths[l] > ARC_NET_MAX_WIDTH)
            return arc_error_set(err, ARC_INPUT,
                                 "error: net's hidden layer %d has width %d; give 1 to %d", l + 1,
                                 settings->widths[l], ARC_NET_MAX_WIDTH);
    if (n_outputs < 1 || n_outputs > ARC_NET_MAX_WIDTH)
        return arc_error_set(err, ARC_INPUT, "error: net has %d outputs; give 1 to %d", n_outputs,
                             ARC_NET_MAX_WIDTH);
    if (settings->windows < 0 || settings->windows > ARC_NET_MAX_WINDOWS)
        return arc_error_set(err, ARC_INPUT, "error: net has %d windows; give 1 to %d",
                             settings->windows, ARC_NET_MAX_WINDOWS);
    if (settings->skip && !arc_net_settings_can_skip(settings))
        return arc_error_set(err, ARC_INPUT,
                             "error: net has skip connections, but no two neighbouring hidden "
                             "layers of one width; give widths such as 32, 32, or no skip");
    return ARC_OK;
}

static ArcStatus settings_check_values(const ArcNetSettings *settings, ArcError *err)
{
    if (arc_activation_name((int)settings->activation) == NULL)
        return arc_error_set(err, ARC_INPUT, "error: net's activation %d is unknown",
                             (int)settings->activation);
    if (arc_net_init_name((int)settings->init) == NULL)
        return arc_error_set(err, ARC_INPUT, "error: net's init %d is unknown",
                             (int)settings->init);
    if (settings->init == ARC_INIT_SPREAD &&
        !(settings->slope_low > 0.0 && settings->slope_low <= settings->slope_high &&
          isfinite(settings->slope_high)))
        return arc_error_set(err, ARC_INPUT,
                             "error: net's slopes %g to %g: give 0 < slope_low <= slope_high",
                             settings->slope_low, settings->slope_high);
    if (settings->fourier_modes < 0 || settings->fourier_modes > ARC_NET_MAX_MODES)
        return arc_error_set(err, ARC_INPUT, "error: net has %d fourier modes; give 0 to %d",
                             settings->fourier_modes, ARC_NET_MAX_MODES);
    if (settings->fourier_modes > 0 &&
        !(settings->fourier_base > 0.0 && isfinite(settings->fourier_base)))
        return arc_error_set(err, ARC_INPUT, "error: net's fourier base is %g; give one above 0",
                             settings->fourier_base);
    return ARC_OK;
}

ArcStatus arc_net_create(const ArcNetSettings *settings, int n_outputs, ArcArena *arena,
                         ArcNet **net, ArcError *err)
{
    *net = NULL;
    ArcStatus status = settings_check_shape(settings, n_outputs, err);
    if (status == ARC_OK)
        status = settings_check_values(settings, err);
    if (status != ARC_OK)
        return status;
    ArcNet *created = ARC_ALLOC(arena, 1, ArcNet);
    if (created == NULL)
        return arc_error_no_memory(err);
    created->settings = *settings;
    created->n_windows = settings_n_windows(settings);
    created->n_inputs = settings_n_inputs(settings);
    created->n_outputs = n_outputs;
    created->kernels = arc_kernels(arc_kernels_vector_unit());
    for (int l = 0; l <= settings->n_hidden; l++) {
        created->offsets[l] = created->n_weights;
        size_t fan_in = (size_t)arc_layer_width(created, l - 1);
        created->n_weights += (fan_in + 1) * (size_t)arc_layer_width(created, l);
    }
    if (created->n_windows > 1) {
        ArcNetSettings window = *settings;
        window.windows = 1;
        status = arc_net_create(&window, n_outputs, arena, &created->window, err);
        if (status != ARC_OK)
            return status;
        created->n_weights *= (size_t)created->n_windows;
        created->offsets[settings->n_hidden] *= (size_t)created->n_windows;
    }
    *net = created;
    return ARC_OK;
}

size_t arc_net_n_weights(const ArcNet *net)
{
    return net->n_weights;
}

int arc_net_n_features(const ArcNet *net)
{
    return (net->settings.widths[net->settings.n_hidden - 1] + 1) * net->n_windows;
}

size_t arc_net_output_offset(const ArcNet *net)
{
    return net->offsets[net->settings.n_hidden];
}

/* `size` weights of variance 2 / (fan in + fan out), normal or uniform. */
static void init_glorot(ArcNetInit init, int fan_in, int fan_out, size_t size, ArcRandom *random,
                        double *W)
{
    double sd = sqrt(2.0 / (fan_in + fan_out));
    double limit = sqrt(3.0) * sd;
    for (size_t k = 0; k < size; k++)
        W[k] = init == ARC_INIT_GLOROT_UNIFORM ? arc_random_uniform(random, -limit, limit)
                                               : sd * arc_random_normal(random);
}

/* Unit j is steepest where tau is its centre: slope (tau - centre), with waves on top. */
static void init_spread(const ArcNet *net, ArcRandom *random, double *W, double *b)
{
    int H = net->settings.widths[0];
    size_t n_inputs = (size_t)net->n_inputs;
    if (n_inputs > 1)
        init_glorot(ARC_INIT_SPREAD, net->n_inputs, H, (size_t)H * n_inputs, random, W);
    for (int j = 0; j < H; j++) {
        double place = H > 1 ? 2.0 * j / (H - 1) - 1.0 : 0.0;
        double centre = SPREAD_SPAN * place + SPREAD_JITTER_SD * arc_random_normal(random);
        double slope =
            arc_random_uniform(random, net->settings.slope_low, net->settings.slope_high);
        slope = arc_random_uniform(random, -1.0, 1.0) < 0.0 ? -slope : slope;
        W[(size_t)j * n_inputs] = slope;
        b[j] = -slope * centre;
    }
}

/* The hidden layers of one window; net: its own. */
static void init_hidden(const ArcNet *net, ArcRandom *random, double *weights)
{
    bool is_spread = net->settings.init == ARC_INIT_SPREAD;
    for (int l = 0; l < net->settings.n_hidden; l++) {
        int fan_in = arc_layer_width(net, l - 1), fan_out = net->settings.widths[l];
        size_t size = (size_t)fan_in * (size_t)fan_out;
        double *W = weights + net->offsets[l];
        if (is_spread && l == 0)
            init_spread(net, random, W, W + size);
        else
            init_glorot(net->settings.init, fan_in, fan_out, size, random, W);
    }
}

/* Output weights as if each window were a net; the biases stay zero. */
static void init_output(const ArcNet *net, ArcRandom *random, double *W)
{
    int H = net->settings.widths[net->settings.n_hidden - 1];
    for (int o = 0; o < net->n_outputs; o++)
        for (int w = 0; w < net->n_windows; w++)
            init_glorot(net->settings.init, H, net->n_outputs, (size_t)H, random,
                        W + arc_windows_output_place(net, w, o, 0));
}

void arc_net_init(const ArcNet *net, ArcRandom *random, double *weights)
{
    const ArcNet *window = net->window != NULL ? net->window : net;
    for (size_t k = 0; k < net->n_weights; k++)
        weights[k] = 0.0;
    for (int w = 0; w < net->n_windows; w++)
        init_hidden(window, random, weights + (size_t)w * arc_net_output_offset(window));
    if (net->settings.init != ARC_INIT_SPREAD)
        init_output(net, random, weights + arc_net_output_offset(net));
}

static size_t larger_of(size_t a, size_t b)
{
    return a > b ? a : b;
}

bool arc_net_work_alloc(const ArcNet *net, size_t M, ArcArena *arena, ArcNetWork *work)
{
    work->max_points = (int)M;
    if (net->window != NULL)
        return arc_windows_work_alloc(net, M, arena, work);
    size_t widest = 0, transposed = 0, n_inputs = (size_t)net->n_inputs;
    bool complete = true;
    for (int l = 0; l < net->settings.n_hidden; l++) {
        ArcLayerJets *layer = &work->layers[l];
        size_t H = (size_t)net->settings.widths[l];
        widest = larger_of(widest, H);
        complete = complete && (layer->y = ARC_ALLOC(arena, 3 * M * H, double)) != NULL &&
                   (layer->partials = ARC_ALLOC(arena, 3 * M * H, double)) != NULL;
    }
    for (int l = 0; l <= net->settings.n_hidden; l++)
        transposed = larger_of(transposed, arc_product_n_transposed(arc_layer_width(net, l - 1),
                                                                    arc_layer_width(net, l)));
    size_t widest_Z = larger_of(widest, (size_t)net->n_outputs);
    size_t widest_y = larger_of(widest, n_inputs);
    return complete && (work->input = ARC_ALLOC(arena, 3 * M * n_inputs, double)) != NULL &&
           (work->Y = ARC_ALLOC(arena, 3 * M * widest, double)) != NULL &&
           (work->Z = ARC_ALLOC(arena, 3 * M * widest, double)) != NULL &&
           (work->transposed = ARC_ALLOC(arena, transposed, double)) != NULL &&
           (work->Z_columns = ARC_ALLOC(arena, 3 * M * widest_Z, double)) != NULL &&
           (work->y_columns = ARC_ALLOC(arena, 3 * M * widest_y, double)) != NULL;
}

ArcStatus arc_net_work_create(const ArcNet *net, int max_points, ArcArena *arena, ArcNetWork **work,
                              ArcError *err)
{
    *work = NULL;
    /* The stacked rows are counted in BLAS's int. */
    if (max_points < 1 || max_points > INT_MAX / 3)
        return arc_error_set(err, ARC_INPUT, "error: net at %d points; give 1 to %d", max_points,
                             INT_MAX / 3);
    ArcNetWork *created = ARC_ALLOC(arena, 1, ArcNetWork);
    if (created == NULL || !arc_net_work_alloc(net, (size_t)max_points, arena, created))
        return arc_error_no_memory(err);
    *work = created;
    return ARC_OK;
}

bool arc_net_settings_have_same_shape(const ArcNetSettings *a, const ArcNetSettings *b)
{
    int a_windows = a->windows > 1 ? a->windows : 1, b_windows = b->windows > 1 ? b->windows : 1;
    bool same = a->n_hidden == b->n_hidden && a->activation == b->activation &&
                a->skip == b->skip && a->fourier_modes == b->fourier_modes &&
                a->fourier_base == b->fourier_base && a_windows == b_windows;
    for (int i = 0; same && i < a->n_hidden; i++)
        same = a->widths[i] == b->widths[i];
    return same;
}
