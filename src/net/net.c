/* The net's shape, first weights and scratch memory. */
#include "net/net.h"

#include "net/layers.h"

#include <limits.h>
#include <math.h>

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
                            .slope_high = 1.5};
}

const char *arc_net_init_name(int init)
{
    return init >= 0 && init < N_INITS ? init_names[init] : NULL;
}

static ArcStatus settings_check(const ArcNetSettings *settings, int n_outputs, ArcError *err)
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
    return ARC_OK;
}

ArcStatus arc_net_create(const ArcNetSettings *settings, int n_outputs, ArcArena *arena,
                         ArcNet **net, ArcError *err)
{
    *net = NULL;
    ArcStatus status = settings_check(settings, n_outputs, err);
    if (status != ARC_OK)
        return status;
    ArcNet *created = ARC_ALLOC(arena, 1, ArcNet);
    if (created == NULL)
        return arc_error_no_memory(err);
    created->n_hidden = settings->n_hidden;
    created->n_outputs = n_outputs;
    created->init = settings->init;
    created->slope_low = settings->slope_low;
    created->slope_high = settings->slope_high;
    created->activate = arc_activation_kernel(settings->activation, arc_activation_vector_unit());
    for (int l = 0; l < settings->n_hidden; l++)
        created->widths[l] = settings->widths[l];
    for (int l = 0; l <= settings->n_hidden; l++) {
        created->offsets[l] = created->n_weights;
        size_t fan_in = (size_t)arc_layer_width(created, l - 1);
        created->n_weights += (fan_in + 1) * (size_t)arc_layer_width(created, l);
    }
    *net = created;
    return ARC_OK;
}

size_t arc_net_n_weights(const ArcNet *net)
{
    return net->n_weights;
}

int arc_net_n_outputs(const ArcNet *net)
{
    return net->n_outputs;
}

int arc_net_n_features(const ArcNet *net)
{
    return net->widths[net->n_hidden - 1] + 1;
}

size_t arc_net_output_offset(const ArcNet *net)
{
    return net->offsets[net->n_hidden];
}

/* Unit j is steepest where tau is its centre: slope (tau - centre). */
static void init_spread(const ArcNet *net, ArcRandom *random, double *W, double *b)
{
    int H = net->widths[0];
    for (int j = 0; j < H; j++) {
        double place = H > 1 ? 2.0 * j / (H - 1) - 1.0 : 0.0;
        double centre = SPREAD_SPAN * place + SPREAD_JITTER_SD * arc_random_normal(random);
        double slope = arc_random_uniform(random, net->slope_low, net->slope_high);
        W[j] = arc_random_uniform(random, -1.0, 1.0) < 0.0 ? -slope : slope;
        b[j] = -W[j] * centre;
    }
}

/* Variance 2 / (fan in + fan out), normal or uniform. */
static void init_glorot(ArcNetInit init, int fan_in, int fan_out, ArcRandom *random, double *W)
{
    double sd = sqrt(2.0 / (fan_in + fan_out));
    double limit = sqrt(3.0) * sd;
    size_t size = (size_t)fan_in * (size_t)fan_out;
    for (size_t k = 0; k < size; k++)
        W[k] = init == ARC_INIT_GLOROT_UNIFORM ? arc_random_uniform(random, -limit, limit)
                                               : sd * arc_random_normal(random);
}

void arc_net_init(const ArcNet *net, ArcRandom *random, double *weights)
{
    bool is_spread = net->init == ARC_INIT_SPREAD;
    for (size_t k = 0; k < net->n_weights; k++)
        weights[k] = 0.0;
    for (int l = 0; l <= net->n_hidden; l++) {
        int fan_in = arc_layer_width(net, l - 1);
        int fan_out = arc_layer_width(net, l);
        double *W = weights + net->offsets[l];
        if (is_spread && l == 0)
            init_spread(net, random, W, W + fan_out);
        else if (!is_spread || l < net->n_hidden)
            init_glorot(net->init, fan_in, fan_out, random, W);
    }
}

static bool work_alloc(const ArcNet *net, size_t M, ArcArena *arena, ArcNetWork *work)
{
    size_t widest = 0;
    bool complete = true;
    for (int l = 0; l < net->n_hidden; l++) {
        ArcLayerJets *layer = &work->layers[l];
        size_t H = (size_t)net->widths[l];
        widest = H > widest ? H : widest;
        complete = complete && (layer->z = ARC_ALLOC(arena, 3 * M * H, double)) != NULL &&
                   (layer->y = ARC_ALLOC(arena, 3 * M * H, double)) != NULL &&
                   (layer->s1 = ARC_ALLOC(arena, M * H, double)) != NULL &&
                   (layer->s2 = ARC_ALLOC(arena, M * H, double)) != NULL &&
                   (layer->s3 = ARC_ALLOC(arena, M * H, double)) != NULL;
    }
    size_t widest_bar = widest > (size_t)net->n_outputs ? widest : (size_t)net->n_outputs;
    return complete && (work->input = ARC_ALLOC(arena, 3 * M, double)) != NULL &&
           (work->bar = ARC_ALLOC(arena, 3 * M * widest, double)) != NULL &&
           (work->bar_below = ARC_ALLOC(arena, 3 * M * widest, double)) != NULL &&
           (work->bar_columns = ARC_ALLOC(arena, 3 * M * widest_bar, double)) != NULL &&
           (work->y_columns = ARC_ALLOC(arena, 3 * M * widest, double)) != NULL;
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
    if (created == NULL || !work_alloc(net, (size_t)max_points, arena, created))
        return arc_error_no_memory(err);
    created->max_points = max_points;
    *work = created;
    return ARC_OK;
}
