/* The jets and the reverse pass: against a naive net and against differences.
 *
 * Random architectures: 1 to 4 hidden layers, widths 1 to 40, 1 to 3 outputs, 1 to 19 points; each
 * activation in turn, half of them with waves, many with skips, a third with 2 to 6 windows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "naive_net.h"
#include "net_case.h"
#include "slow.h"
#include "sweep.h"

enum { N_ARCHITECTURES = 120 };

static void forward(Case *c)
{
    arc_net_forward(c->net, c->work, c->weights, c->M, c->tau, c->jets);
}

/* sum(bar .* jets) of point i; of all points where i < 0. */
static double weighted_sum(Case *c, int i)
{
    forward(c);
    double sum = 0.0;
    for (int row = 0; row < 3 * c->M; row++)
        for (int o = 0; o < c->n_outputs; o++)
            if (i < 0 || row % c->M == i)
                sum += c->bar[row * c->n_outputs + o] * c->jets[row * c->n_outputs + o];
    return sum;
}

static void test_net_forward_random_nets_match_naive(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < N_ARCHITECTURES; seed++) {
        Case c;
        case_random(&c, seed);
        forward(&c);
        for (int i = 0; i < c.M; i++) {
            NaiveJet expected[MAX_OUTPUTS];
            naive_net_jets(&c.settings, c.n_outputs, c.weights, SIZE_MAX, c.tau[i], expected);
            for (int o = 0; o < c.n_outputs; o++)
                for (int order = 0; order < 3; order++)
                    assert_near(c.jets[(order * c.M + i) * c.n_outputs + o], expected[o].d[order],
                                1e-12 * (1.0 + fabs(expected[o].d[order])));
        }
        case_free(&c);
    }
}

/* Value to first derivative, and first to second, as tau moves. */
static void test_net_forward_jets_match_differences_in_tau(void **state)
{
    (void)state;
    for (uint64_t seed = 100; seed < 100 + N_ARCHITECTURES; seed++) {
        Case c;
        case_random(&c, seed);
        c.M = 1;
        double tau = c.tau[0];
        forward(&c);
        double at[3 * MAX_OUTPUTS];
        memcpy(at, c.jets, sizeof at);
        Sweep sweeps[2 * MAX_OUTPUTS] = {{0}};
        int n = 2 * c.n_outputs;
        for (int k = 0; k < N_STEPS; k++) {
            double above[3 * MAX_OUTPUTS];
            c.tau[0] = tau + steps[k];
            forward(&c);
            memcpy(above, c.jets, sizeof above);
            c.tau[0] = tau - steps[k];
            forward(&c);
            for (int o = 0; o < n; o++)
                sweep_add(&sweeps[o], at[o + c.n_outputs], above[o], c.jets[o], steps[k]);
        }
        for (int o = 0; o < n; o++)
            sweep_check(&sweeps[o], at[o + c.n_outputs], 1.0 + fabs(at[o + c.n_outputs]));
        case_free(&c);
    }
}

static void test_net_features_times_output_weights_are_jets(void **state)
{
    (void)state;
    for (uint64_t seed = 200; seed < 200 + N_ARCHITECTURES; seed++) {
        Case c;
        case_random(&c, seed);
        forward(&c);
        int K = arc_net_n_features(c.net), H = K - 1;
        assert_int_equal(K, c.settings.windows * (c.settings.widths[c.settings.n_hidden - 1] + 1));
        double features[3 * MAX_POINTS * 41 * MAX_WINDOWS];
        const double *W = c.weights + arc_net_output_offset(c.net);
        /* The output layer must not matter. */
        double *other = ARC_ALLOC(c.arena, c.n_weights, double);
        memcpy(other, c.weights, arc_net_output_offset(c.net) * sizeof *other);
        arc_net_features(c.net, c.work, other, c.M, c.tau, features);
        for (int row = 0; row < 3 * c.M; row++)
            for (int o = 0; o < c.n_outputs; o++) {
                double sum = features[row * K + H] * W[c.n_outputs * H + o];
                for (int j = 0; j < H; j++)
                    sum += features[row * K + j] * W[o * H + j];
                assert_near(c.jets[row * c.n_outputs + o], sum, 1e-12 * (1.0 + fabs(sum)));
            }
        case_free(&c);
    }
}

/* Every weight of small nets, 60 drawn ones of others. */
static void test_net_jacobian_and_backward_match_naive(void **state)
{
    (void)state;
    for (uint64_t seed = 300; seed < 300 + FEWER(N_ARCHITECTURES, N_ARCHITECTURES / 4); seed++) {
        Case c;
        case_random(&c, seed);
        forward(&c);
        arc_net_jacobian(c.net, c.work, c.weights, c.M, c.bar, c.J, c.ld);
        arc_net_backward(c.net, c.work, c.weights, c.M, c.bar, c.gradient);
        size_t n = c.n_weights <= FEWER(200, 40) ? c.n_weights : FEWER(60, 20);
        for (size_t k = 0; k < n; k++) {
            size_t j = n == c.n_weights ? k : (size_t)arc_random_bits(&c.random) % c.n_weights;
            double total = 0.0, size = 1.0;
            for (int i = 0; i < c.M; i++) {
                NaiveJet jets[MAX_OUTPUTS];
                naive_net_jets(&c.settings, c.n_outputs, c.weights, j, c.tau[i], jets);
                double sum = 0.0;
                for (int o = 0; o < c.n_outputs; o++)
                    for (int order = 0; order < 3; order++)
                        sum += c.bar[(order * c.M + i) * c.n_outputs + o] * jets[o].t[order];
                assert_near(c.J[(size_t)i + j * c.ld], sum, 1e-11 * (1.0 + fabs(sum)));
                total += sum;
                size += fabs(sum);
            }
            assert_near(c.gradient[j], total, 1e-11 * size);
        }
        case_free(&c);
    }
}

/* A window without the point has no part in it: zero, and then no difference at all. */
static void check_slope(const Case *c, const Sweep *sweep, double analytic, double scale)
{
    if (c->settings.windows > 1 && analytic == 0.0)
        assert_int_equal(sweep->n_equal, sweep->n);
    else
        sweep_check(sweep, analytic, scale);
}

/* The drawn weights and the first of every layer; the row between M and ld must stay untouched. */
static void test_net_jacobian_and_backward_match_differences(void **state)
{
    (void)state;
    for (uint64_t seed = 400; seed < 400 + N_ARCHITECTURES; seed++) {
        Case c;
        case_random(&c, seed);
        for (size_t k = 0; k < c.n_weights * c.ld; k++)
            c.J[k] = 7.0;
        forward(&c);
        arc_net_jacobian(c.net, c.work, c.weights, c.M, c.bar, c.J, c.ld);
        arc_net_backward(c.net, c.work, c.weights, c.M, c.bar, c.gradient);
        for (size_t j = 0; j < c.n_weights; j++)
            for (size_t i = (size_t)c.M; i < c.ld; i++)
                assert_true(c.J[i + j * c.ld] == 7.0);
        for (int k = 0; k < 12; k++) {
            size_t j = k == 0   ? 0
                       : k == 1 ? arc_net_output_offset(c.net)
                       : k == 2 ? c.n_weights - 1
                                : (size_t)arc_random_bits(&c.random) % c.n_weights;
            int i = draw_int(&c.random, 0, c.M - 1);
            double weight = c.weights[j];
            Sweep whole = {0}, point = {0};
            for (int s = 0; s < N_STEPS; s++) {
                c.weights[j] = weight + steps[s];
                double above = weighted_sum(&c, -1), above_point = weighted_sum(&c, i);
                c.weights[j] = weight - steps[s];
                double below = weighted_sum(&c, -1), below_point = weighted_sum(&c, i);
                sweep_add(&whole, c.gradient[j], above, below, steps[s]);
                sweep_add(&point, c.J[(size_t)i + j * c.ld], above_point, below_point, steps[s]);
            }
            c.weights[j] = weight;
            double scale = 1.0 + fabs(weighted_sum(&c, -1)) + fabs(c.gradient[j]);
            check_slope(&c, &whole, c.gradient[j], scale);
            check_slope(&c, &point, c.J[(size_t)i + j * c.ld], scale);
        }
        case_free(&c);
    }
}

/* The widest and the narrowest layers: what is not blocked, and what is all tail. */
static void test_net_extreme_widths_match_naive(void **state)
{
    (void)state;
    static const int widths[][3] = {{1024, 1, 1024}, {1, 1, 1}, {256, 256, 5}};
    for (int k = 0; k < 3; k++) {
        ArcNetSettings settings = arc_net_settings_default();
        settings.n_hidden = 3;
        memcpy(settings.widths, widths[k], sizeof widths[k]);
        settings.activation = ARC_ACTIVATION_SILU;
        settings.skip = k > 0;
        settings.fourier_modes = k;
        Case c;
        case_create(&c, settings, 2, 2, (uint64_t)k);
        forward(&c);
        arc_net_jacobian(c.net, c.work, c.weights, c.M, c.bar, c.J, c.ld);
        arc_net_backward(c.net, c.work, c.weights, c.M, c.bar, c.gradient);
        for (int n = 0; n < 20; n++) {
            size_t j = (size_t)arc_random_bits(&c.random) % c.n_weights;
            double total = 0.0;
            for (int i = 0; i < c.M; i++) {
                NaiveJet jets[MAX_OUTPUTS];
                naive_net_jets(&c.settings, c.n_outputs, c.weights, j, c.tau[i], jets);
                double sum = 0.0;
                for (int k_jet = 0; k_jet < 6; k_jet++) {
                    int order = k_jet / 2, at = (order * c.M + i) * 2 + k_jet % 2;
                    sum += c.bar[at] * jets[k_jet % 2].t[order];
                    double expected = jets[k_jet % 2].d[order];
                    assert_near(c.jets[at], expected, 1e-11 * (1.0 + fabs(expected)));
                }
                assert_near(c.J[(size_t)i + j * c.ld], sum, 1e-10 * (1.0 + fabs(sum)));
                total += c.J[(size_t)i + j * c.ld];
            }
            assert_near(c.gradient[j], total, 1e-10 * (1.0 + fabs(total)));
        }
        case_free(&c);
    }
}

static void test_net_forward_again_gives_same_bits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Case a, b;
        case_random(&a, seed);
        case_random(&b, seed);
        for (int k = 0; k < 3; k++) {
            forward(&a);
            arc_net_backward(a.net, a.work, a.weights, a.M, a.bar, a.gradient);
        }
        arc_net_jacobian(a.net, a.work, a.weights, a.M, a.bar, a.J, a.ld);
        /* The other work has seen another batch before. */
        b.M = 1;
        forward(&b);
        b.M = a.M;
        forward(&b);
        arc_net_jacobian(b.net, b.work, b.weights, b.M, b.bar, b.J, b.ld);
        arc_net_backward(b.net, b.work, b.weights, b.M, b.bar, b.gradient);
        assert_memory_equal(a.jets, b.jets, sizeof(double) * (size_t)(3 * a.M * a.n_outputs));
        assert_memory_equal(a.gradient, b.gradient, a.n_weights * sizeof(double));
        assert_memory_equal(a.J, b.J, a.n_weights * a.ld * sizeof(double));
        case_free(&a);
        case_free(&b);
    }
}

/* One hidden layer: a point's features have the same bits alone and in any batch. */
static void test_net_features_of_a_point_ignore_the_batch(void **state)
{
    (void)state;
    ArcNetSettings settings = arc_net_settings_default();
    settings.widths[0] = 23;
    Case c;
    case_create(&c, settings, 2, MAX_POINTS, 3);
    enum { K = 24 };
    double all[3 * MAX_POINTS * K], alone[3 * K];
    arc_net_features(c.net, c.work, c.weights, c.M, c.tau, all);
    for (int i = 0; i < c.M; i++) {
        arc_net_features(c.net, c.work, c.weights, 1, &c.tau[i], alone);
        for (int order = 0; order < 3; order++)
            assert_memory_equal(alone + order * K, all + (order * c.M + i) * K, K * sizeof(double));
    }
    case_free(&c);
}

static void test_net_forward_nan_is_seen(void **state)
{
    (void)state;
    Case c;
    case_create(&c, arc_net_settings_default(), 2, MAX_POINTS, 11);
    c.weights[0] = NAN;
    forward(&c);
    for (int k = 0; k < 3 * c.M * c.n_outputs; k++)
        assert_true(isnan(c.jets[k]));
    c.weights[0] = 1.0;
    c.tau[c.M - 1] = NAN;
    forward(&c);
    for (int row = 0; row < 3 * c.M; row++)
        assert_int_equal(isnan(c.jets[row * c.n_outputs]) != 0, row % c.M == c.M - 1);
    case_free(&c);
}

static void test_net_backward_no_points_gives_zero(void **state)
{
    (void)state;
    Case c;
    case_random(&c, 12);
    c.M = 0;
    c.gradient[0] = c.gradient[c.n_weights - 1] = 1.0;
    forward(&c);
    arc_net_backward(c.net, c.work, c.weights, 0, c.bar, c.gradient);
    for (size_t j = 0; j < c.n_weights; j++)
        assert_true(c.gradient[j] == 0.0);
    case_free(&c);
}

static bool refuse(void *context, size_t size)
{
    (void)size;
    ++*(int *)context;
    return false;
}

static void test_net_forward_and_reverse_take_no_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Case c;
        case_random(&c, seed);
        int n_asked = 0;
        arc_memory_set_hook(refuse, &n_asked);
        forward(&c);
        arc_net_backward(c.net, c.work, c.weights, c.M, c.bar, c.gradient);
        arc_net_jacobian(c.net, c.work, c.weights, c.M, c.bar, c.J, c.ld);
        arc_memory_set_hook(NULL, NULL);
        assert_int_equal(n_asked, 0);
        case_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_net_forward_random_nets_match_naive),
        cmocka_unit_test(test_net_forward_jets_match_differences_in_tau),
        cmocka_unit_test(test_net_features_times_output_weights_are_jets),
        cmocka_unit_test(test_net_jacobian_and_backward_match_naive),
        cmocka_unit_test(test_net_jacobian_and_backward_match_differences),
        cmocka_unit_test(test_net_extreme_widths_match_naive),
        cmocka_unit_test(test_net_forward_again_gives_same_bits),
        cmocka_unit_test(test_net_features_of_a_point_ignore_the_batch),
        cmocka_unit_test(test_net_forward_nan_is_seen),
        cmocka_unit_test(test_net_backward_no_points_gives_zero),
        cmocka_unit_test(test_net_forward_and_reverse_take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
