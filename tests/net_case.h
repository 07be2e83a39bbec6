/* A net with drawn weights, points and cotangents, for the tests of the net layer. Include after
 * cmocka.h. */
#ifndef NET_CASE_H
#define NET_CASE_H

#include "net/net.h"

#include <math.h>
#include <string.h>

enum { MAX_WINDOWS = 6, MAX_POINTS = 19, MAX_OUTPUTS = 3, MAX_JETS = 3 * 19 * 3 };

typedef struct Case {
    ArcArena *arena;
    ArcNetSettings settings;
    int n_outputs;
    int M;
    size_t n_weights;
    ArcNet *net;
    ArcNetWork *work;
    ArcRandom random;
    double *weights;
    double *gradient;
    double *J; /* (n_weights, ld): column-major (ld, n_weights) */
    size_t ld;
    double tau[MAX_POINTS];
    double bar[MAX_JETS];
    double jets[MAX_JETS];
} Case;

static inline int draw_int(ArcRandom *random, int low, int high)
{
    return low + (int)(arc_random_bits(random) % (uint64_t)(high - low + 1));
}

static inline void case_create(Case *c, ArcNetSettings settings, int n_outputs, int M,
                               uint64_t seed)
{
    memset(c, 0, sizeof *c);
    c->random = arc_random_create(seed, 77);
    c->settings = settings;
    c->n_outputs = n_outputs;
    c->M = M;
    c->arena = arc_arena_create();
    ArcError err;
    assert_int_equal(arc_net_create(&settings, n_outputs, c->arena, &c->net, &err), ARC_OK);
    assert_int_equal(arc_net_work_create(c->net, MAX_POINTS, c->arena, &c->work, &err), ARC_OK);
    c->n_weights = arc_net_n_weights(c->net);
    c->ld = (size_t)M + 3;
    c->weights = ARC_ALLOC(c->arena, c->n_weights, double);
    c->gradient = ARC_ALLOC(c->arena, c->n_weights, double);
    c->J = ARC_ALLOC(c->arena, c->n_weights * c->ld, double);
    assert_non_null(c->weights);
    assert_non_null(c->gradient);
    assert_non_null(c->J);
    for (size_t k = 0; k < c->n_weights; k++)
        c->weights[k] = arc_random_normal(&c->random);
    /* Deeper layers scaled, or they saturate and every derivative is lost in rounding. */
    size_t at = 0;
    for (int w = 0; w < (settings.windows > 1 ? settings.windows : 1); w++) {
        at += (size_t)(2 + 2 * settings.fourier_modes) * (size_t)settings.widths[0];
        for (int l = 1; l < settings.n_hidden; l++) {
            int fan_in = settings.widths[l - 1];
            size_t size = (size_t)(fan_in * settings.widths[l]);
            for (size_t k = at; k < at + size; k++)
                c->weights[k] /= sqrt((double)fan_in);
            at += size + (size_t)settings.widths[l];
        }
    }
    assert_int_equal(at, arc_net_output_offset(c->net));
    int n_last = arc_net_n_features(c->net) - 1;
    for (size_t k = at; k < at + (size_t)(n_outputs * n_last); k++)
        c->weights[k] /= sqrt((double)n_last);
    assert_int_equal(at + (size_t)(n_outputs * (n_last + 1)), c->n_weights);
    assert_int_equal(arc_net_settings_n_weights(&settings, n_outputs), c->n_weights);
    for (int i = 0; i < M; i++)
        c->tau[i] = arc_random_uniform(&c->random, -1.0, 1.0);
    for (int k = 0; k < 3 * M * n_outputs; k++)
        c->bar[k] = arc_random_normal(&c->random);
}

/* Any activation, by the seed; skips, waves and windows by chance, with windows points beyond the
 * span too. */
static inline void case_random(Case *c, uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, 5);
    ArcNetSettings settings = arc_net_settings_default();
    settings.n_hidden = draw_int(&random, 1, 4);
    for (int l = 0; l < settings.n_hidden; l++)
        settings.widths[l] =
            l > 0 && draw_int(&random, 0, 1) ? settings.widths[l - 1] : draw_int(&random, 1, 40);
    settings.activation = (ArcActivation)(seed % ARC_ACTIVATION_COUNT);
    settings.skip = arc_net_settings_can_skip(&settings) && draw_int(&random, 0, 3) > 0;
    if (draw_int(&random, 0, 1)) {
        settings.fourier_modes = draw_int(&random, 1, 6);
        settings.fourier_base = arc_random_uniform(&random, 0.2, 0.7);
    }
    int n_outputs = draw_int(&random, 1, MAX_OUTPUTS), M = draw_int(&random, 1, MAX_POINTS);
    if (draw_int(&random, 0, 2) == 0)
        settings.windows = draw_int(&random, 2, MAX_WINDOWS);
    case_create(c, settings, n_outputs, M, seed);
    for (int i = 0; i < M && settings.windows > 1; i++)
        c->tau[i] *= 1.2;
}

static inline void case_free(Case *c)
{
    arc_arena_free(c->arena);
}

#endif
