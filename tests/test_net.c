/* The shape of a net, its first weights, its errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net_case.h"
#include "sweep.h"

static void test_net_init_name_known_and_unknown(void **state)
{
    (void)state;
    assert_string_equal(arc_net_init_name(ARC_INIT_SPREAD), "spread");
    assert_string_equal(arc_net_init_name(ARC_INIT_GLOROT_NORMAL), "glorot-normal");
    assert_string_equal(arc_net_init_name(ARC_INIT_GLOROT_UNIFORM), "glorot-uniform");
    assert_null(arc_net_init_name(-1));
    assert_null(arc_net_init_name(3));
}

static void test_net_create_sizes_follow_the_layout(void **state)
{
    (void)state;
    ArcNetSettings settings = arc_net_settings_default();
    settings.n_hidden = 2;
    settings.widths[0] = 5;
    settings.widths[1] = 7;
    Case c;
    case_create(&c, settings, 3, 2, 1);
    assert_int_equal(arc_net_n_weights(c.net), 5 + 5 + 7 * 5 + 7 + 3 * 7 + 3);
    assert_int_equal(arc_net_output_offset(c.net), 5 + 5 + 7 * 5 + 7);
    assert_int_equal(arc_net_n_features(c.net), 8);
    case_free(&c);
}

static void test_net_settings_default_is_the_documented_net(void **state)
{
    (void)state;
    ArcNetSettings settings = arc_net_settings_default();
    assert_int_equal(settings.n_hidden, 1);
    assert_int_equal(settings.widths[0], 24);
    assert_int_equal(settings.init, ARC_INIT_SPREAD);
    assert_true(settings.slope_low == 1.0 && settings.slope_high == 1.5);
}

static void test_net_settings_can_skip_wants_equal_neighbours(void **state)
{
    (void)state;
    ArcNetSettings settings = arc_net_settings_default();
    assert_false(arc_net_settings_can_skip(&settings));
    settings.n_hidden = 3;
    settings.widths[1] = 7;
    settings.widths[2] = 24;
    assert_false(arc_net_settings_can_skip(&settings));
    settings.widths[1] = 24;
    settings.widths[2] = 7;
    assert_true(arc_net_settings_can_skip(&settings));
}

static void test_net_settings_n_weights_counts_waves(void **state)
{
    (void)state;
    ArcNetSettings settings = arc_net_settings_default();
    assert_int_equal(arc_net_settings_n_weights(&settings, 2), 24 * 2 + 2 * 25);
    settings.fourier_modes = 3;
    settings.n_hidden = 2;
    settings.widths[1] = 5;
    assert_int_equal(arc_net_settings_n_weights(&settings, 2), 24 * 8 + 5 * 25 + 2 * 6);
}

static void test_activation_name_known_and_unknown(void **state)
{
    (void)state;
    const char *const names[] = {"tanh", "sin", "silu", "softplus", "gelu"};
    for (int i = 0; i < ARC_ACTIVATION_COUNT; i++)
        assert_string_equal(arc_activation_name(i), names[i]);
    assert_null(arc_activation_name(-1));
    assert_null(arc_activation_name(ARC_ACTIVATION_COUNT));
}

static double mean_square(const double *values, size_t n)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += values[k] * values[k];
    return sum / (double)n;
}

static void assert_all_zero(const double *values, size_t n)
{
    for (size_t k = 0; k < n; k++)
        assert_true(values[k] == 0.0);
}

static void test_net_init_spread_centres_and_slopes(void **state)
{
    (void)state;
    ArcNetSettings settings = arc_net_settings_default();
    settings.n_hidden = 2;
    settings.widths[1] = 40;
    settings.slope_low = 2.0;
    settings.slope_high = 3.0;
    Case c;
    case_create(&c, settings, 2, 1, 1);
    int n_positive = 0, n_low = 0, n_jittered = 0;
    double jitter = 0.0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        ArcRandom random = arc_random_create(seed, ARC_STREAM_NET);
        arc_net_init(c.net, &random, c.weights);
        for (int j = 0; j < 24; j++) {
            double W = c.weights[j], centre = -c.weights[24 + j] / W;
            assert_true(fabs(W) >= 2.0 && fabs(W) <= 3.0);
            n_positive += W > 0.0;
            n_low += fabs(W) < 2.5;
            double off = centre - (-1.2 + 2.4 * j / 23.0);
            assert_true(fabs(off) < 0.3);
            n_jittered += off != 0.0;
            jitter += off * off;
        }
        assert_all_zero(c.weights + 48 + 40 * 24, 40 + 2 * 40 + 2);
        assert_near(mean_square(c.weights + 48, 40 * 24), 2.0 / 64.0, 0.2 * 2.0 / 64.0);
    }
    assert_near(n_positive, 600.0, 90.0);
    assert_near(n_low, 600.0, 90.0);
    assert_true(n_jittered == 1200);
    assert_near(sqrt(jitter / 1200.0), 0.05, 0.005);
    case_free(&c);
}

/* Among waves the slope and the centre are those of tau; the waves get glorot-normal weights. */
static void test_net_init_spread_with_waves(void **state)
{
    (void)state;
    ArcNetSettings settings = arc_net_settings_default();
    settings.fourier_modes = 4;
    Case c;
    case_create(&c, settings, 2, 1, 1);
    arc_net_init(c.net, &c.random, c.weights);
    double sum = 0.0;
    for (int j = 0; j < 24; j++) {
        const double *row = c.weights + 9 * j;
        double centre = -c.weights[9 * 24 + j] / row[0];
        assert_true(fabs(row[0]) >= 1.0 && fabs(row[0]) <= 1.5);
        assert_near(centre, -1.2 + 2.4 * j / 23.0, 0.3);
        sum += mean_square(row + 1, 8) / 24.0;
    }
    assert_near(sum, 2.0 / 33.0, 0.3 * 2.0 / 33.0);
    case_free(&c);
}

static void test_net_init_spread_single_unit_is_centred(void **state)
{
    (void)state;
    ArcNetSettings settings = arc_net_settings_default();
    settings.widths[0] = 1;
    Case c;
    case_create(&c, settings, 1, 1, 1);
    arc_net_init(c.net, &c.random, c.weights);
    assert_near(c.weights[1] / c.weights[0], 0.0, 0.3);
    case_free(&c);
}

static void test_net_init_glorot_variance_and_range(void **state)
{
    (void)state;
    for (int init = ARC_INIT_GLOROT_NORMAL; init <= ARC_INIT_GLOROT_UNIFORM; init++) {
        ArcNetSettings settings = arc_net_settings_default();
        settings.n_hidden = 2;
        settings.widths[0] = settings.widths[1] = 40;
        settings.init = (ArcNetInit)init;
        settings.slope_low = -1.0; /* not looked at */
        Case c;
        case_create(&c, settings, 3, 1, 1);
        arc_net_init(c.net, &c.random, c.weights);
        const double *W2 = c.weights + 80, *W3 = W2 + 1640;
        assert_near(mean_square(c.weights, 40), 2.0 / 41.0, 1.0 / 41.0);
        assert_near(mean_square(W2, 1600), 2.0 / 80.0, 0.2 / 80.0);
        assert_near(mean_square(W3, 120), 2.0 / 43.0, 0.8 / 43.0);
        double largest = 0.0, limit = sqrt(6.0 / 80.0);
        for (int k = 0; k < 1600; k++)
            largest = fmax(largest, fabs(W2[k]));
        assert_true(init == ARC_INIT_GLOROT_UNIFORM ? largest <= limit : largest > limit);
        assert_all_zero(c.weights + 40, 40);
        assert_all_zero(W2 + 1600, 40);
        assert_all_zero(W3 + 120, 3);
        case_free(&c);
    }
}

static void test_net_init_same_seed_gives_same_bits(void **state)
{
    (void)state;
    Case c;
    case_create(&c, arc_net_settings_default(), 2, 1, 1);
    double first[98];
    assert_int_equal(c.n_weights, 98);
    for (int k = 0; k < 3; k++) {
        ArcRandom random = arc_random_create(k == 2 ? 10 : 9, ARC_STREAM_NET);
        arc_net_init(c.net, &random, c.weights);
        if (k == 0)
            memcpy(first, c.weights, sizeof first);
        else
            assert_int_equal(memcmp(first, c.weights, sizeof first) == 0, k == 1);
    }
    case_free(&c);
}

static void expect_refused(ArcNetSettings settings, int n_outputs, const char *words)
{
    ArcArena *arena = arc_arena_create();
    ArcNet *net = (ArcNet *)&arena;
    ArcError err;
    assert_int_equal(arc_net_create(&settings, n_outputs, arena, &net, &err), ARC_INPUT);
    assert_null(net);
    assert_non_null(strstr(err.text, words));
    assert_int_equal(arc_net_create(&settings, n_outputs, arena, &net, NULL), ARC_INPUT);
    arc_arena_free(arena);
}

static void test_net_create_bad_settings_are_refused(void **state)
{
    (void)state;
    const ArcNetSettings good = arc_net_settings_default();
    ArcNetSettings bad = good;
    bad.n_hidden = 0;
    expect_refused(bad, 2, "0 hidden layers; give 1 to 8");
    bad.n_hidden = ARC_NET_MAX_LAYERS + 1;
    expect_refused(bad, 2, "9 hidden layers");
    bad = good;
    bad.n_hidden = 2;
    expect_refused(bad, 2, "layer 2 has width 0; give 1 to 1024");
    bad.widths[1] = ARC_NET_MAX_WIDTH + 1;
    expect_refused(bad, 2, "layer 2 has width 1025");
    bad.widths[1] = -3;
    expect_refused(bad, 2, "width -3");
    expect_refused(good, 0, "0 outputs");
    expect_refused(good, ARC_NET_MAX_WIDTH + 1, "1025 outputs");
    bad = good;
    bad.activation = ARC_ACTIVATION_COUNT;
    expect_refused(bad, 2, "activation 5");
    bad = good;
    bad.skip = true;
    expect_refused(bad, 2, "no two neighbouring hidden layers of one width");
    bad = good;
    bad.fourier_modes = -1;
    expect_refused(bad, 2, "-1 fourier modes; give 0 to 64");
    bad.fourier_modes = ARC_NET_MAX_MODES + 1;
    expect_refused(bad, 2, "65 fourier modes");
    const double bases[] = {0.0, -1.0, NAN, INFINITY};
    bad.fourier_modes = 1;
    for (int k = 0; k < 4; k++) {
        bad.fourier_base = bases[k];
        expect_refused(bad, 2, "fourier base");
    }
    bad = good;
    bad.init = (ArcNetInit)9;
    expect_refused(bad, 2, "init 9");
    const double slopes[][2] = {{0.0, 1.0}, {2.0, 1.0}, {NAN, 1.0}, {1.0, NAN}, {1.0, INFINITY}};
    for (size_t k = 0; k < sizeof slopes / sizeof slopes[0]; k++) {
        bad = good;
        bad.slope_low = slopes[k][0];
        bad.slope_high = slopes[k][1];
        expect_refused(bad, 2, "slope_low");
    }
}

static void test_net_work_create_bad_points_are_refused(void **state)
{
    (void)state;
    Case c;
    case_create(&c, arc_net_settings_default(), 2, 1, 1);
    const int bad[] = {0, -1, INT32_MAX};
    for (int k = 0; k < 3; k++) {
        ArcNetWork *work = c.work;
        ArcError err;
        assert_int_equal(arc_net_work_create(c.net, bad[k], c.arena, &work, &err), ARC_INPUT);
        assert_null(work);
        assert_non_null(strstr(err.text, "points"));
    }
    case_free(&c);
}

typedef struct Exhaustion {
    int n_seen;
    int fail_at;
} Exhaustion;

static bool exhaust(void *context, size_t size)
{
    (void)size;
    Exhaustion *exhaustion = context;
    return exhaustion->n_seen++ != exhaustion->fail_at;
}

/* Fails the n-th block of memory, for every n until all goes well. */
static void test_net_create_exhaustion_gives_memory_status(void **state)
{
    (void)state;
    ArcNetSettings settings = arc_net_settings_default();
    settings.n_hidden = 3;
    settings.widths[0] = settings.widths[1] = settings.widths[2] = 64;
    int n_failed = 0;
    ArcStatus status = ARC_MEMORY;
    for (int fail_at = 1; status != ARC_OK; fail_at++) {
        Exhaustion exhaustion = {.fail_at = fail_at};
        arc_memory_set_hook(exhaust, &exhaustion);
        ArcArena *arena = arc_arena_create(), *other = NULL;
        ArcNet *net = NULL;
        ArcNetWork *work = NULL;
        ArcError err;
        status = arc_net_create(&settings, 3, arena, &net, &err);
        assert_int_equal(status == ARC_OK, net != NULL);
        if (status == ARC_OK) {
            arc_memory_set_hook(NULL, NULL);
            other = arc_arena_create();
            arc_memory_set_hook(exhaust, &exhaustion);
            status = arc_net_work_create(net, 100, other, &work, &err);
            assert_int_equal(status == ARC_OK, work != NULL);
        }
        arc_memory_set_hook(NULL, NULL);
        if (status != ARC_OK) {
            assert_int_equal(status, ARC_MEMORY);
            assert_non_null(strstr(err.text, "memory"));
            n_failed++;
        }
        assert_int_equal(status == ARC_OK, exhaustion.n_seen <= fail_at);
        arc_arena_free(other);
        arc_arena_free(arena);
        assert_true(fail_at < 1000);
    }
    /* The blocks of the net and the work, and at least z and y of each layer. */
    assert_true(n_failed >= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_net_init_name_known_and_unknown),
        cmocka_unit_test(test_net_create_sizes_follow_the_layout),
        cmocka_unit_test(test_net_settings_default_is_the_documented_net),
        cmocka_unit_test(test_net_init_spread_centres_and_slopes),
        cmocka_unit_test(test_net_settings_can_skip_wants_equal_neighbours),
        cmocka_unit_test(test_net_settings_n_weights_counts_waves),
        cmocka_unit_test(test_activation_name_known_and_unknown),
        cmocka_unit_test(test_net_init_spread_with_waves),
        cmocka_unit_test(test_net_init_spread_single_unit_is_centred),
        cmocka_unit_test(test_net_init_glorot_variance_and_range),
        cmocka_unit_test(test_net_init_same_seed_gives_same_bits),
        cmocka_unit_test(test_net_create_bad_settings_are_refused),
        cmocka_unit_test(test_net_work_create_bad_points_are_refused),
        cmocka_unit_test(test_net_create_exhaustion_gives_memory_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
