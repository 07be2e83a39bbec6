/* Nets with windows of time: what holds of them beside what test_jets checks of all nets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net_case.h"
#include "sweep.h"

static ArcNetSettings settings_of(int windows, int width)
{
    ArcNetSettings settings = arc_net_settings_default();
    settings.widths[0] = width;
    settings.windows = windows;
    return settings;
}

static void forward(Case *c)
{
    arc_net_forward(c->net, c->work, c->weights, c->M, c->tau, c->jets);
}

/* Zero output weights but all biases 1: the net is the sum of the windows, on and off the span. */
static void test_net_forward_windows_add_up_to_one(void **state)
{
    (void)state;
    for (int W = 2; W <= ARC_NET_MAX_WINDOWS; W += W < 9 ? 1 : 11) {
        Case c;
        case_create(&c, settings_of(W, 3), 1, MAX_POINTS, (uint64_t)W);
        double *output = c.weights + arc_net_output_offset(c.net);
        for (int k = 0; k < 4 * W; k++)
            output[k] = k % 4 == 3 ? 1.0 : 0.0;
        for (int round = 0; round < 50; round++) {
            for (int i = 0; i < c.M; i++)
                c.tau[i] = arc_random_uniform(&c.random, -1.5, 1.5);
            c.tau[0] = 2.0 * draw_int(&c.random, 0, 2 * W) / (2.0 * W) - 1.0;
            forward(&c);
            for (int i = 0; i < c.M; i++) {
                assert_near(c.jets[i], 1.0, 1e-15);
                assert_near(c.jets[c.M + i], 0.0, 1e-13 * W);
                assert_near(c.jets[2 * c.M + i], 0.0, 1e-13 * W * W);
            }
        }
        case_free(&c);
    }
}

/* The bias features are the B_w: between 0 and 1, at most two above 0, the ends' 1 beyond it. */
static void test_net_features_windows_are_local(void **state)
{
    (void)state;
    enum { W = 5, H = 2, K = W * (H + 1) };
    Case c;
    case_create(&c, settings_of(W, H), 1, MAX_POINTS, 4);
    for (int i = 0; i < c.M; i++)
        c.tau[i] = -1.2 + 2.4 * i / (c.M - 1);
    double features[3 * MAX_POINTS * K];
    arc_net_features(c.net, c.work, c.weights, c.M, c.tau, features);
    for (int i = 0; i < c.M; i++) {
        int n_inside = 0;
        for (int w = 0; w < W; w++) {
            const double *row = features + i * K + w * (H + 1);
            n_inside += row[H] > 0.0;
            assert_true(row[H] >= 0.0 && row[H] <= 1.0);
            if (row[H] == 0.0)
                assert_true(row[0] == 0.0 && row[1] == 0.0);
            if (fabs(c.tau[i]) >= 1.0)
                assert_true(row[H] == (w == (c.tau[i] < 0.0 ? 0 : W - 1) ? 1.0 : 0.0));
            /* A window's share is its own but for the overlap. */
            double middle = -1.0 + (2.0 * w + 1.0) / W;
            if (fabs(c.tau[i] - middle) > (1.0 + ARC_NET_WINDOW_OVERLAP) / W && w > 0 && w < W - 1)
                assert_true(row[H] == 0.0);
        }
        assert_true(n_inside == 1 || n_inside == 2);
    }
    case_free(&c);
}

/* Across the ends of an overlap the jets go on without a jump, also the second derivative. */
static void test_net_forward_windows_are_smooth_at_their_ends(void **state)
{
    (void)state;
    Case c;
    case_create(&c, settings_of(4, 5), 1, 2, 6);
    for (int k = 0; k < 8; k++) {
        /* An overlap begins and ends so far from each inner edge. */
        double reach = 0.25 * ARC_NET_WINDOW_OVERLAP;
        double end = -0.5 + 0.5 * (k / 2) + (k % 2 == 0 ? -reach : reach);
        c.tau[0] = end - 1e-9;
        c.tau[1] = end + 1e-9;
        forward(&c);
        for (int order = 0; order < 3; order++)
            assert_near(c.jets[2 * order], c.jets[2 * order + 1], 1e-6);
    }
    case_free(&c);
}

/* 0 and 1 are the same net, and that of old: sizes, first weights, jets and reverse pass. */
static void test_net_create_one_window_is_the_plain_net(void **state)
{
    (void)state;
    Case a, b;
    case_create(&a, settings_of(0, 24), 2, MAX_POINTS, 7);
    case_create(&b, settings_of(1, 24), 2, MAX_POINTS, 7);
    assert_int_equal(a.n_weights, 98);
    assert_int_equal(b.n_weights, 98);
    Case *cases[2] = {&a, &b};
    for (int k = 0; k < 2; k++) {
        Case *c = cases[k];
        arc_net_init(c->net, &c->random, c->weights);
        c->weights[60] = 0.5;
        forward(c);
        arc_net_backward(c->net, c->work, c->weights, c->M, c->bar, c->gradient);
        arc_net_jacobian(c->net, c->work, c->weights, c->M, c->bar, c->J, c->ld);
    }
    assert_memory_equal(a.weights, b.weights, sizeof(double) * 98);
    assert_memory_equal(a.jets, b.jets, sizeof(double) * 6 * MAX_POINTS);
    assert_memory_equal(a.gradient, b.gradient, sizeof(double) * 98);
    assert_memory_equal(a.J, b.J, sizeof(double) * 98 * a.ld);
    case_free(&a);
    case_free(&b);
}

/* The order of the points is that of the rows and nothing else. */
static void test_net_features_windows_take_points_in_any_order(void **state)
{
    (void)state;
    enum { W = 3, H = 4, K = W * (H + 1) };
    Case c;
    case_create(&c, settings_of(W, H), 2, MAX_POINTS, 8);
    double there[3 * MAX_POINTS * K], back[3 * MAX_POINTS * K], tau[MAX_POINTS];
    arc_net_features(c.net, c.work, c.weights, c.M, c.tau, there);
    for (int i = 0; i < c.M; i++)
        tau[i] = c.tau[c.M - 1 - i];
    arc_net_features(c.net, c.work, c.weights, c.M, tau, back);
    for (int i = 0; i < c.M; i++)
        for (int order = 0; order < 3; order++)
            assert_memory_equal(there + (order * c.M + i) * K,
                                back + (order * c.M + c.M - 1 - i) * K, K * sizeof(double));
    case_free(&c);
}

static void test_net_forward_windows_nan_is_seen(void **state)
{
    (void)state;
    Case c;
    case_create(&c, settings_of(4, 5), 2, MAX_POINTS, 9);
    c.tau[3] = NAN;
    forward(&c);
    for (int row = 0; row < 3 * c.M; row++)
        assert_int_equal(isnan(c.jets[2 * row]) != 0, row % c.M == 3);
    /* A window's weights are seen inside it. */
    c.tau[3] = 0.0;
    c.weights[0] = NAN;
    forward(&c);
    for (int row = 0; row < 3 * c.M; row++)
        assert_int_equal(isnan(c.jets[2 * row]) != 0,
                         c.tau[row % c.M] < -0.5 + 0.25 * ARC_NET_WINDOW_OVERLAP);
    case_free(&c);
}

/* Each window draws weights of its own; spread leaves the output layer at zero, glorot the biases.
 */
static void test_net_init_windows_draws_each(void **state)
{
    (void)state;
    for (int init = ARC_INIT_SPREAD; init <= ARC_INIT_GLOROT_UNIFORM; init++) {
        enum { W = 3, H = 6, N_HIDDEN = 2 * H, COLUMNS = W * (H + 1) - 1 };
        ArcNetSettings settings = settings_of(W, H);
        settings.init = (ArcNetInit)init;
        Case c;
        case_create(&c, settings, 2, 1, 1);
        arc_net_init(c.net, &c.random, c.weights);
        for (int k = 0; k < H; k++)
            assert_true(c.weights[k] != c.weights[k + N_HIDDEN] &&
                        c.weights[k] != c.weights[k + 2 * N_HIDDEN]);
        const double *output = c.weights + (size_t)W * N_HIDDEN;
        for (int k = 0; k < 2 * COLUMNS; k++)
            assert_int_equal(output[k] == 0.0,
                             init == ARC_INIT_SPREAD || k % COLUMNS % (H + 1) == H);
        assert_true(output[2 * COLUMNS] == 0.0 && output[2 * COLUMNS + 1] == 0.0);
        case_free(&c);
    }
}

static void test_net_create_bad_windows_are_refused(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    static const int bad[] = {-1, ARC_NET_MAX_WINDOWS + 1};
    for (int k = 0; k < 2; k++) {
        ArcNetSettings settings = settings_of(bad[k], 24);
        ArcNet *net = (ArcNet *)&arena;
        ArcError err;
        assert_int_equal(arc_net_create(&settings, 2, arena, &net, &err), ARC_INPUT);
        assert_null(net);
        assert_non_null(strstr(err.text, "windows; give 1 to 64"));
    }
    arc_arena_free(arena);
}

/* The two ends of what memory may fail in are those of test_net; here the windows' own. */
typedef struct Exhaustion {
    int n_seen, fail_at;
} Exhaustion;

static bool exhaust(void *context, size_t size)
{
    (void)size;
    Exhaustion *exhaustion = context;
    return exhaustion->n_seen++ != exhaustion->fail_at;
}

static void test_net_create_windows_exhaustion_gives_memory_status(void **state)
{
    (void)state;
    ArcNetSettings settings = settings_of(8, 64);
    ArcStatus status = ARC_MEMORY;
    int n_failed = 0;
    for (int fail_at = 1; status != ARC_OK; fail_at++, n_failed++) {
        Exhaustion exhaustion = {.fail_at = fail_at};
        arc_memory_set_hook(exhaust, &exhaustion);
        ArcArena *arena = arc_arena_create();
        ArcNet *net = NULL;
        ArcNetWork *work = NULL;
        status = arc_net_create(&settings, 3, arena, &net, NULL);
        if (status == ARC_OK)
            status = arc_net_work_create(net, 1000, arena, &work, NULL);
        arc_memory_set_hook(NULL, NULL);
        assert_int_equal(status == ARC_OK, work != NULL);
        assert_true(status == ARC_OK || status == ARC_MEMORY);
        arc_arena_free(arena);
        assert_true(fail_at < 1000);
    }
    assert_true(n_failed >= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_net_forward_windows_add_up_to_one),
        cmocka_unit_test(test_net_features_windows_are_local),
        cmocka_unit_test(test_net_forward_windows_are_smooth_at_their_ends),
        cmocka_unit_test(test_net_create_one_window_is_the_plain_net),
        cmocka_unit_test(test_net_features_windows_take_points_in_any_order),
        cmocka_unit_test(test_net_forward_windows_nan_is_seen),
        cmocka_unit_test(test_net_init_windows_draws_each),
        cmocka_unit_test(test_net_create_bad_windows_are_refused),
        cmocka_unit_test(test_net_create_windows_exhaustion_gives_memory_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
