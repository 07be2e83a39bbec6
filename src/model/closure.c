/* The closure inside the equations.
 *
 * With G_oi = sum_h W_oh dphi_h / dz_i / scale_i an output's differential is sum_i G_oi dinput_i
 * (closure_inputs.h). Accelerations are the outputs; of cd and cl a = y f(u, w), so that
 * da = f dy + y df. By weights: da_e / dW_oh = phi_h, or f_e phi_h.
 */
#include "model/closure.h"

#include "model/closure_inputs.h"

#include <math.h>
#include <string.h>

/* Points of flights lie this close to a unit's middle, in widths. Along one input there are units
 * of three widths, each half the one before with a quarter of its gain: a curve that is smooth at
 * most places and bends at some. Over two or more inputs these would be too many. */
static const double reach_of_one = 0.4, reach_of_more = 0.75;
static const double gain_of_half = 0.25;
static const double level_sd = 1;

enum { MOST_UNITS = 256, LEVELS = 3, ROOM = ARC_CLOSURE_MAX_UNITS + 1 };

ArcClosureSettings arc_closure_settings_default(void)
{
    return (ArcClosureSettings){.output = ARC_CLOSURE_ACCELERATION,
                                .net_auto = true,
                                .net = arc_net_settings_default(),
                                .ridge = NAN,
                                .width = NAN,
                                .choice = ARC_CLOSURE_EVIDENCE};
}

/* Inputs of one unit share a scale, so that a width is the same length along all of them. Of own
 * equations each has its own. */
static int scale_group(const ArcClosureSettings *settings, const ArcFlight *flight, int i)
{
    static const int groups[] = {
        [ARC_CLOSURE_POSITION] = 0, [ARC_CLOSURE_HEIGHT] = 0,     [ARC_CLOSURE_VELOCITY] = 1,
        [ARC_CLOSURE_SPEED] = 1,    [ARC_CLOSURE_SPIN_RATIO] = 2, [ARC_CLOSURE_TIME] = 3};
    return flight == NULL ? i : groups[settings->inputs[i].kind];
}

static void set_scales(ArcClosure *closure, const ArcFlight *flight, int n, const double *points)
{
    int I = closure->I, group[ARC_CLOSURE_MAX_INPUTS] = {0};
    double half[ARC_CLOSURE_MAX_INPUTS] = {0};
    for (int i = 0; i < I; i++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < n; k++) {
            low = fmin(low, points[k * I + i]);
            high = fmax(high, points[k * I + i]);
        }
        group[i] = scale_group(&closure->settings, flight, i);
        closure->centre[i] = 0.5 * (low + high);
        half[i] = 0.5 * (high - low);
    }
    for (int i = 0; i < I; i++) {
        for (int k = 0; k < I; k++) {
            if (group[k] == group[i])
                closure->scale[i] = fmax(closure->scale[i], half[k]);
        }
    }
    /* what never moves has no scale of its own */
    for (int i = 0; i < I; i++) {
        if (!(closure->scale[i] > 1e-12 * (1 + fabs(closure->centre[i]))))
            closure->scale[i] = 1;
    }
}

static void scaled(const ArcClosure *closure, const double *input, double *z)
{
    for (int i = 0; i < closure->I; i++)
        z[i] = (input[i] - closure->centre[i]) / closure->scale[i];
}

static void set_outputs(ArcClosure *closure, const ArcFlight *flight)
{
    const ArcClosureSettings *settings = &closure->settings;
    closure->O = 1;
    if (settings->output != ARC_CLOSURE_ACCELERATION) {
        closure->has_level = settings->output == ARC_CLOSURE_CD
                                 ? flight->settings.drag == ARC_DRAG_NONE
                                 : flight->settings.lift == ARC_LIFT_NONE;
        return;
    }
    closure->O = 0;
    for (int e = 0; e < closure->D; e++) {
        if (settings->axes >> e & 1)
            closure->axis[closure->O++] = e;
    }
}

/* Where units are placed: points (n,I) in scaled inputs. */
typedef struct Places {
    int n, most;
    double *z, *distance;
    int *chosen; /* (most) */
} Places;

/* Gains of radial units by how many times their widths, as drawn, were halved. */
static ArcStatus set_gains(ArcClosure *closure, ArcArena *arena, ArcError *err)
{
    int H = closure->features.H;
    const double *inverse = closure->hidden + closure->I * H;
    double *gain = ARC_ALLOC(arena, (size_t)H, double);
    if (gain == NULL)
        return arc_error_no_memory(err);
    for (int h = 0; h < H; h++)
        gain[h] = pow(gain_of_half, round(log2(closure->width * inverse[h])));
    closure->features.gain = gain;
    return ARC_OK;
}

/* Radial units that cover the points, of one width or, along one input, of several as far as there
 * is room. */
static ArcStatus place_units(ArcClosure *closure, const Places *places, ArcArena *arena,
                             ArcError *err)
{
    ArcFeatures *features = &closure->features;
    int I = closure->I, levels = I == 1 ? LEVELS : 1, count[LEVELS] = {0}, H = 0;
    double reach = (I == 1 ? reach_of_one : reach_of_more) * closure->width;
    for (int l = 0; l < levels && (l == 0 || H < places->most); l++) {
        count[l] = arc_features_choose(I, places->n, places->z, ldexp(reach, -l), places->most - H,
                                       places->chosen + H, places->distance);
        if (l > 0 && H + count[l] == places->most)
            count[l] = 0;
        H += count[l];
    }
    closure->hidden = ARC_ALLOC(arena, (size_t)((I + 1) * H), double);
    if (closure->hidden == NULL)
        return arc_error_no_memory(err);
    *features = (ArcFeatures){.I = I, .H = H, .is_radial = true};
    for (int l = 0, first = 0; l < levels; first += count[l++])
        arc_features_place(features, places->z, first, count[l], places->chosen + first,
                           ldexp(closure->width, -l), closure->hidden);
    return set_gains(closure, arena, err);
}

/* Units of a net file. */
static ArcStatus draw_units(ArcClosure *closure, const Places *places, uint64_t seed,
                            ArcArena *arena, ArcError *err)
{
    int I = closure->I, H = places->most;
    closure->features =
        (ArcFeatures){.I = I, .H = H, .activation = closure->settings.net.activation};
    closure->hidden = ARC_ALLOC(arena, (size_t)((I + 1) * H), double);
    if (closure->hidden == NULL)
        return arc_error_no_memory(err);
    ArcRandom random = arc_random_create(seed, ARC_STREAM_CLOSURE);
    int count = arc_features_choose(I, places->n, places->z, 0, places->most, places->chosen,
                                    places->distance);
    arc_features_draw(&closure->features, places->z, count, places->chosen, closure->width, &random,
                      closure->hidden);
    return ARC_OK;
}

static ArcStatus set_features(ArcClosure *closure, int n, const double *points, uint64_t seed,
                              ArcArena *arena, ArcError *err)
{
    const ArcClosureSettings *settings = &closure->settings;
    int I = closure->I, most = ARC_CLOSURE_MAX_WEIGHTS / closure->O - 1;
    Places places = {.n = n, .most = most < MOST_UNITS ? most : MOST_UNITS};
    if (!settings->net_auto)
        places.most = settings->net.widths[0];
    places.z = ARC_ALLOC(arena, (size_t)(n * I), double);
    places.distance = ARC_ALLOC(arena, (size_t)n, double);
    places.chosen = ARC_ALLOC(arena, (size_t)places.most, int);
    if (places.z == NULL || places.distance == NULL || places.chosen == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < n; k++)
        scaled(closure, points + k * I, places.z + k * I);
    return settings->net_auto ? place_units(closure, &places, arena, err)
                              : draw_units(closure, &places, seed, arena, err);
}

ArcStatus arc_closure_create(const ArcClosureSettings *settings, const ArcFlight *flight, int D,
                             int n, const double *points, uint64_t seed, ArcArena *arena,
                             ArcClosure **closure, ArcError *err)
{
    *closure = NULL;
    ArcClosure *made = ARC_ALLOC(arena, 1, ArcClosure);
    if (made == NULL)
        return arc_error_no_memory(err);
    made->settings = *settings;
    made->D = D;
    made->I = settings->n_inputs;
    made->width = settings->width;
    set_outputs(made, flight);
    set_scales(made, flight, n, points);
    ArcStatus status = set_features(made, n, points, seed, arena, err);
    if (status != ARC_OK)
        return status;
    made->H = made->features.H + made->has_level;
    made->K = made->O * made->H + (settings->trains_all ? (made->I + 1) * made->features.H : 0);
    if (made->features.H > ARC_CLOSURE_MAX_UNITS || made->K > ARC_CLOSURE_MAX_WEIGHTS)
        return arc_error_set_at(err, ARC_INPUT, settings->place,
                                "the closure has %d units and %d weights; at most %d and %d work: "
                                "give a net with fewer units, or fewer outputs",
                                made->features.H, made->K, ARC_CLOSURE_MAX_UNITS,
                                ARC_CLOSURE_MAX_WEIGHTS);
    *closure = made;
    return ARC_OK;
}

ArcStatus arc_closure_restore(const ArcClosureFit *fit, const ArcFlight *flight, int D,
                              ArcArena *arena, ArcClosure **closure, ArcError *err)
{
    *closure = NULL;
    const ArcClosureSettings *settings = &fit->settings;
    ArcClosure *made = ARC_ALLOC(arena, 1, ArcClosure);
    double *hidden = ARC_ALLOC(arena, (size_t)fit->n_hidden, double);
    if (made == NULL || hidden == NULL)
        return arc_error_no_memory(err);
    *made = (ArcClosure){.settings = *settings,
                         .D = D,
                         .I = settings->n_inputs,
                         .H = fit->n_units,
                         .K = fit->n_weights,
                         .width = fit->width,
                         .hidden = hidden};
    made->settings.width = fit->width;
    set_outputs(made, flight);
    /* Asked for, training may not have been worth it. */
    made->settings.trains_all = settings->trains_all && made->K > made->O * made->H;
    made->features = (ArcFeatures){.I = made->I,
                                   .H = made->H - made->has_level,
                                   .is_radial = settings->net_auto,
                                   .activation = settings->net.activation};
    int n_hidden = (made->I + 1) * made->features.H;
    if (made->O != fit->n_outputs || made->features.H < 1 || n_hidden != fit->n_hidden ||
        made->K != made->O * made->H + (made->settings.trains_all ? n_hidden : 0))
        return arc_error_set(err, ARC_INPUT, "error: the closure's numbers do not fit each other");
    memcpy(hidden, fit->hidden, (size_t)n_hidden * sizeof(double));
    memcpy(made->centre, fit->centre, sizeof made->centre);
    memcpy(made->scale, fit->scale, sizeof made->scale);
    ArcStatus status = made->features.is_radial ? set_gains(made, arena, err) : ARC_OK;
    if (status == ARC_OK)
        *closure = made;
    return status;
}

void arc_closure_prior(const ArcClosure *closure, int k, const double *ridge, double *mean,
                       double *sd)
{
    int n_output = closure->O * closure->H;
    *mean = 0;
    if (k >= n_output) {
        *mean = closure->hidden[k - n_output];
        *sd = 1 / closure->width;
    } else if (closure->has_level && k % closure->H == closure->H - 1) {
        *sd = level_sd;
    } else {
        *sd = 1 / sqrt(ridge[k / closure->H]);
    }
}

void arc_closure_start(const ArcClosure *closure, double *w)
{
    int n_output = closure->O * closure->H;
    for (int k = 0; k < n_output; k++)
        w[k] = 0;
    for (int k = n_output; k < closure->K; k++)
        w[k] = closure->hidden[k - n_output];
}

/* Where the hidden layer is trained it stands behind the output weights. */
static const double *hidden_of(const ArcClosure *closure, const double *w)
{
    return closure->settings.trains_all ? w + closure->O * closure->H : closure->hidden;
}

static bool needs_air(const ArcClosureSettings *settings)
{
    bool needs = settings->output != ARC_CLOSURE_ACCELERATION;
    for (int i = 0; i < settings->n_inputs; i++)
        needs = needs || settings->inputs[i].kind == ARC_CLOSURE_SPEED ||
                settings->inputs[i].kind == ARC_CLOSURE_SPIN_RATIO;
    return needs;
}

bool arc_closure_is_position_free(const ArcClosureSettings *settings, const ArcFlight *flight)
{
    for (int i = 0; i < settings->n_inputs; i++)
        if (settings->inputs[i].kind == ARC_CLOSURE_POSITION ||
            settings->inputs[i].kind == ARC_CLOSURE_HEIGHT)
            return false;
    return flight == NULL || !flight->settings.shear.is_on || !needs_air(settings);
}

/* State k of n as the arrays hold them. */
static ArcClosureState state_at(const ArcFlight *flight, int D, int k, const double *t_s,
                                const double *x, const double *v, const double *p)
{
    return (ArcClosureState){.flight = flight,
                             .D = D,
                             .t_s = t_s[k],
                             .x = x + k * D,
                             .v = v == NULL ? NULL : v + k * D,
                             .p = p};
}

void arc_closure_inputs(const ArcClosureSettings *settings, const ArcFlight *flight, int D, int n,
                        const double *t_s, const double *x, const double *v, const double *p,
                        double *z)
{
    bool is_aerial = needs_air(settings);
    for (int k = 0; k < n; k++) {
        ArcClosureState state = state_at(flight, D, k, t_s, x, v, p);
        ArcClosureAir air = {0};
        if (is_aerial)
            air = arc_closure_air(&state);
        for (int i = 0; i < settings->n_inputs; i++)
            z[k * settings->n_inputs + i] = arc_closure_input(settings, i, &state, &air);
    }
}

/* Features with the level; slope as arc_features_at, 0 of the level. */
static void features_at(const ArcClosure *closure, const double *hidden, const double *z,
                        double *phi, double *slope)
{
    arc_features_at(&closure->features, hidden, z, phi, slope);
    if (closure->has_level)
        phi[closure->H - 1] = 1;
}

void arc_closure_outputs(const ArcClosure *closure, const double *w, int n, const double *z,
                         double *y, double *phi)
{
    int I = closure->I, H = closure->H, O = closure->O;
    for (int k = 0; k < n; k++) {
        double at[ARC_CLOSURE_MAX_INPUTS], own[ROOM];
        double *features = phi == NULL ? own : phi + k * H;
        scaled(closure, z + k * I, at);
        features_at(closure, hidden_of(closure, w), at, features, NULL);
        for (int o = 0; o < O; o++)
            y[k * O + o] = arc_features_dot(H, w + o * H, features);
    }
}

/* Row (K) of output o by all weights, times factor; added to nothing. */
static void set_weights_row(const ArcClosure *closure, const double *w, int o, double factor,
                            const double *z, const double *phi, const double *slope, double *row)
{
    int H = closure->H, n_output = closure->O * H;
    memset(row, 0, (size_t)n_output * sizeof(double));
    for (int h = 0; h < H; h++)
        row[o * H + h] = factor * phi[h];
    if (closure->settings.trains_all)
        arc_features_by_hidden(&closure->features, hidden_of(closure, w), z, w + o * H, slope,
                               factor, row + n_output);
}

void arc_closure_by_weights(const ArcClosure *closure, const double *w, int o, int n,
                            const double *z, double *by_w)
{
    for (int k = 0; k < n; k++) {
        double at[ARC_CLOSURE_MAX_INPUTS], phi[ROOM], slope[ROOM];
        scaled(closure, z + k * closure->I, at);
        features_at(closure, hidden_of(closure, w), at, phi, slope);
        set_weights_row(closure, w, o, 1, at, phi, slope, by_w + k * closure->K);
    }
}

/* What is known of a state once its features are. */
typedef struct ClosureAt {
    ArcClosureState state;
    ArcClosureAir air;
    double z[ARC_CLOSURE_MAX_INPUTS]; /* scaled */
    double phi[ROOM], slope[ROOM];
} ClosureAt;

static void closure_look(const ArcClosure *closure, const double *w, bool is_aerial,
                         bool with_slopes, ClosureAt *at)
{
    double input[ARC_CLOSURE_MAX_INPUTS];
    at->air = (ArcClosureAir){0};
    if (is_aerial)
        at->air = arc_closure_air(&at->state);
    for (int i = 0; i < closure->I; i++)
        input[i] = arc_closure_input(&closure->settings, i, &at->state, &at->air);
    scaled(closure, input, at->z);
    features_at(closure, hidden_of(closure, w), at->z, at->phi, with_slopes ? at->slope : NULL);
}

/* Gradient of output o. */
static ArcClosureGradient output_gradient(const ArcClosure *closure, const double *w, int o,
                                          const ClosureAt *at)
{
    ArcClosureGradient gradient = {0};
    double by_z[ARC_CLOSURE_MAX_INPUTS], weighted[ROOM];
    arc_features_gradient(&closure->features, hidden_of(closure, w), at->z, w + o * closure->H,
                          at->slope, weighted, by_z);
    for (int i = 0; i < closure->I; i++)
        arc_closure_add_input(&closure->settings, i, &at->state, &at->air,
                              by_z[i] / closure->scale[i], &gradient);
    return gradient;
}

/* The gradient of y f_e. */
static ArcClosureGradient scaled_gradient(const ArcClosureGradient *gradient, int D, double y,
                                          const ArcClosureForce *force, int e)
{
    ArcClosureGradient made = {0};
    for (int c = 0; c < D; c++) {
        made.by_x[c] = force->f[e] * gradient->by_x[c];
        made.by_v[c] = force->f[e] * gradient->by_v[c];
    }
    for (int c = 0; c < 3; c++) {
        made.by_u[c] = force->f[e] * gradient->by_u[c] + y * force->by_u[e][c];
        made.by_w[c] = force->f[e] * gradient->by_w[c] + y * force->by_w[e][c];
    }
    return made;
}

/* Rows of one state in the arrays of partials; each nullable. */
typedef struct ClosureRows {
    double *a, *a_x, *a_v, *a_p;
    int D, P;
} ClosureRows;

static double *row_of(double *partials, int e, int width)
{
    return partials == NULL ? NULL : partials + e * width;
}

static void add_accelerations(const ArcClosure *closure, const double *w, const ClosureAt *at,
                              ClosureRows rows)
{
    int D = rows.D, P = rows.P, K = closure->K;
    for (int e = 0; e < D && rows.a_p != NULL; e++)
        memset(rows.a_p + e * P + P - K, 0, (size_t)K * sizeof(double));
    for (int o = 0; o < closure->O; o++) {
        int e = closure->axis[o];
        rows.a[e] += arc_features_dot(closure->H, w + o * closure->H, at->phi);
        if (rows.a_x == NULL && rows.a_v == NULL && rows.a_p == NULL)
            continue;
        ArcClosureGradient gradient = output_gradient(closure, w, o, at);
        arc_closure_chain(&at->state, &at->air, &gradient, row_of(rows.a_x, e, D),
                          row_of(rows.a_v, e, D), row_of(rows.a_p, e, P));
        if (rows.a_p != NULL)
            set_weights_row(closure, w, o, 1, at->z, at->phi, at->slope, rows.a_p + e * P + P - K);
    }
}

/* cd and cl. */
static void add_forces(const ArcClosure *closure, const double *w, const ClosureAt *at,
                       ClosureRows rows)
{
    const ArcFlight *flight = at->state.flight;
    int D = rows.D, P = rows.P, K = closure->K, d = flight->settings.dimensions;
    ArcClosureForce force = closure->settings.output == ARC_CLOSURE_CD
                                ? arc_closure_drag(flight, &at->air)
                                : arc_closure_lift(flight, &at->air);
    double y = arc_features_dot(closure->H, w, at->phi);
    for (int e = 0; e < d; e++)
        rows.a[e] += y * force.f[e];
    if (rows.a_x == NULL && rows.a_v == NULL && rows.a_p == NULL)
        return;
    ArcClosureGradient gradient = output_gradient(closure, w, 0, at);
    for (int e = 0; e < d; e++) {
        ArcClosureGradient row = scaled_gradient(&gradient, D, y, &force, e);
        arc_closure_chain(&at->state, &at->air, &row, row_of(rows.a_x, e, D),
                          row_of(rows.a_v, e, D), row_of(rows.a_p, e, P));
        if (rows.a_p != NULL)
            set_weights_row(closure, w, 0, force.f[e], at->z, at->phi, at->slope,
                            rows.a_p + e * P + P - K);
    }
    for (int e = d; e < D && rows.a_p != NULL; e++)
        memset(rows.a_p + e * P + P - K, 0, (size_t)K * sizeof(double));
}

void arc_closure_add(const ArcClosure *closure, const ArcFlight *flight, int n, const double *t_s,
                     const double *x, const double *v, const double *p, const double *w, int P,
                     double *a, double *a_x, double *a_v, double *a_p)
{
    int D = closure->D;
    bool is_aerial = needs_air(&closure->settings);
    bool with_slopes = a_x != NULL || a_v != NULL || a_p != NULL;
    ClosureAt at;
    for (int k = 0; k < n; k++) {
        at.state = state_at(flight, D, k, t_s, x, v, p);
        closure_look(closure, w, is_aerial, with_slopes, &at);
        ClosureRows rows = {
            a + k * D, row_of(a_x, k, D * D), row_of(a_v, k, D * D), row_of(a_p, k, D * P), D, P};
        if (closure->settings.output == ARC_CLOSURE_ACCELERATION)
            add_accelerations(closure, w, &at, rows);
        else
            add_forces(closure, w, &at, rows);
    }
}
