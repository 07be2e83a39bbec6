/* Hits: what passes clean, against the path's distance from every place of the rim; chances of
 * normal offsets, against closed forms and sums over a fine grid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "hit_case.h"
#include "slow.h"
#include "solve/binormal.h"

#define PLANE CASE_HEAD "flight: {ball: basketball, drag: none}\n"
#define SPACE CASE_HEAD "flight: {dimensions: 3, up: z, ball: basketball, drag: none}\n"
#define SPACE_Y CASE_HEAD "flight: {dimensions: 3, up: y, ball: basketball, drag: none}\n"
#define BARE CASE_HEAD "flight: {dimensions: 3, up: z}\n"

enum { PLACES = 7200 }; /* around the rim */

static const double radius_m = 0.12; /* of the ball */

static void check(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g, not %.12g", value, expected);
}

/* The least distance of a straight path through o (level plane) from the rim, all around it, and
 * whether o lies within it. */
static bool passes(const double o[3], const double v[3], int up, double radius)
{
    double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), least = INFINITY;
    int a = up == 0 ? 1 : 0, b = 3 - up - a;
    static double rim[PLACES][2];
    for (int i = 0; i < PLACES && rim[0][0] == 0.0; i++) {
        rim[PLACES - 1 - i][0] = HIT_RIM_M * cos(2.0 * M_PI * (i + 1) / PLACES);
        rim[PLACES - 1 - i][1] = HIT_RIM_M * sin(2.0 * M_PI * (i + 1) / PLACES);
    }
    for (int i = 0; i < PLACES; i++) {
        double q[3] = {0}, along = 0.0, square = 0.0;
        q[a] = rim[i][0] - o[a];
        q[b] = rim[i][1] - o[b];
        for (int c = 0; c < 3; c++) {
            along += q[c] * v[c] / size;
            square += q[c] * q[c];
        }
        least = fmin(least, sqrt(fmax(square - along * along, 0.0)));
    }
    return hypot(o[a], o[b]) < HIT_RIM_M && least >= radius && v[up] < 0.0;
}

static void test_hit_is_hoop_by_the_distance_from_the_rim(void **state)
{
    (void)state;
    ArcRandom random = arc_random_create(1, ARC_STREAM_TRUTH);
    int hits = 0, n = FEWER(4000, 400);
    for (int up = 1; up < 3; up++) {
        ArcExperiment *experiment = hit_hoop(up == 2 ? SPACE : SPACE_Y, 4.2, 3.0, 3.0);
        for (int trial = 0; trial < n; trial++) {
            double o[3], v[3];
            for (int c = 0; c < 3; c++) {
                o[c] = c == up ? 0.0 : arc_random_uniform(&random, -0.12, 0.12);
                v[c] = arc_random_uniform(&random, -4.0, 4.0);
            }
            v[up] = -arc_random_uniform(&random, 0.0, 9.0);
            bool expected = passes(o, v, up, radius_m);
            /* So near to the edge, where the two differ, neither is wrong. */
            if (expected != passes(o, v, up, radius_m + 1e-6))
                continue;
            if (arc_hit_is(experiment, o, v) != expected)
                fail_msg("offset %.4g %.4g %.4g, velocity %.4g %.4g %.4g", o[0], o[1], o[2], v[0],
                         v[1], v[2]);
            hits += expected;
        }
        arc_experiment_free(experiment);
    }
    assert_true(hits > n / 20 && hits < n);
}

static void test_hit_is_hoop_in_the_plane_by_the_gap(void **state)
{
    (void)state;
    ArcExperiment *experiment = hit_hoop(PLANE, 4.191, HIT_HEIGHT_M, 0);
    for (double angle = 20.0; angle < 90.0; angle += 5.0) {
        double e = angle * HIT_DEGREE, gap = HIT_RIM_M - radius_m / sin(e);
        const double v[3] = {5.0 * cos(e), -5.0 * sin(e), 0};
        for (double x = -0.2; x < 0.2; x += 0.0101) {
            const double o[3] = {x, 0, 0};
            assert_int_equal(arc_hit_is(experiment, o, v), fabs(x) <= gap);
        }
    }
    const double up[3] = {1, 2, 0}, level[3] = {1, 0, 0}, still[3] = {0}, o[3] = {0};
    assert_false(arc_hit_is(experiment, o, up));
    assert_false(arc_hit_is(experiment, o, level));
    assert_false(arc_hit_is(experiment, o, still));
    arc_experiment_free(experiment);
}

static void test_hit_is_point_and_area(void **state)
{
    (void)state;
    const double v[3] = {3, 0, -4}, near[3] = {0.08, 0.0, 0.06}, side[3] = {0, 0.121, 0};
    ArcExperiment *point = hit_point(SPACE, 4, 0, 2), *bare = hit_point(BARE, 4, 0, 2);
    assert_true(arc_hit_is(point, near, v)); /* 0.1 m across the flight */
    assert_false(arc_hit_is(point, side, v));
    assert_false(arc_hit_is(bare, near, v));
    const double tiny[3] = {0.0, 0.0099, 0};
    assert_true(arc_hit_is(bare, tiny, v));
    ArcExperiment *area = hit_area(SPACE, 0, 4, 0, 2, 0.1);
    const double corner[3] = {0, 0.099, -0.099}, above[3] = {0, 0, 0.101};
    assert_true(arc_hit_is(area, corner, v));
    assert_false(arc_hit_is(area, above, v));
    arc_experiment_free(point);
    arc_experiment_free(bare);
    arc_experiment_free(area);
}

static void test_hit_chance_in_the_plane_is_an_interval(void **state)
{
    (void)state;
    ArcExperiment *hoop = hit_hoop(PLANE, 4.191, HIT_HEIGHT_M, 0);
    ArcExperiment *area = hit_area(PLANE, 0, 4.0, 2.0, 0, 0.3);
    ArcExperiment *point = hit_point(PLANE, 4.0, 2.0, 0);
    double e = 45.0 * HIT_DEGREE, gap = HIT_RIM_M - radius_m / sin(e);
    const double v[3] = {5.0 * cos(e), -5.0 * sin(e), 0};
    for (double sd = 0.0; sd < 0.5; sd = 2.0 * sd + 0.001)
        for (double x = -0.1; x < 0.11; x += 0.05) {
            const double level[3] = {x, 0, 0}, upright[3] = {0, x, 0};
            const double of_x[9] = {sd * sd}, of_y[9] = {0, 0, 0, 0, sd * sd};
            check(arc_hit_chance(hoop, level, of_x, v), arc_normal_within(x, sd, -gap, gap), 1e-9);
            check(arc_hit_chance(area, upright, of_y, v), arc_normal_within(x, sd, -0.3, 0.3),
                  1e-9);
            /* Across the flight, along which the spread is without effect. */
            const double across[3] = {x * sin(e), x * cos(e), 0};
            double s = sd * sin(e), c = sd * cos(e), a = 0.7 * cos(e), b = -0.7 * sin(e);
            const double S[9] = {s * s + a * a, s * c + a * b, 0, s * c + a * b, c * c + b * b};
            check(arc_hit_chance(point, across, S, v),
                  arc_normal_within(x, sd, -radius_m, radius_m), 1e-9);
        }
    arc_experiment_free(hoop);
    arc_experiment_free(area);
    arc_experiment_free(point);
}

/* The sum over a grid of the density by hits. The grid lies askew, so that no side of a box runs
 * along its lines. */
static double grid(const ArcExperiment *experiment, const double m[2], const double S[3],
                   const double e1[3], const double e2[3], const double v[3])
{
    enum { N = 600 };
    double sx = sqrt(S[0]), slope = S[1] / S[0], rest = sqrt(S[2] - S[1] * S[1] / S[0]);
    double sum = 0.0, cosine = cos(0.4), sine = sin(0.4);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double u1 = 12.0 * (i + 0.5) / N - 6.0, u2 = 12.0 * (j + 0.5) / N - 6.0, o[3];
            double z1 = cosine * u1 - sine * u2, z2 = sine * u1 + cosine * u2;
            double x = m[0] + sx * z1, y = m[1] + slope * sx * z1 + rest * z2;
            for (int c = 0; c < 3; c++)
                o[c] = x * e1[c] + y * e2[c];
            if (arc_hit_is(experiment, o, v))
                sum += exp(-0.5 * (z1 * z1 + z2 * z2));
        }
    return sum * 12.0 * 12.0 / N / N / (2.0 * M_PI);
}

static void full_covariance(const double S[3], const double e1[3], const double e2[3], double *full)
{
    for (int c = 0; c < 9; c++) {
        int a = c / 3, b = c % 3;
        full[c] =
            S[0] * e1[a] * e1[b] + S[1] * (e1[a] * e2[b] + e2[a] * e1[b]) + S[2] * e2[a] * e2[b];
    }
}

/* Hoop, area and point in space against the sum over a grid. */
static void test_hit_chance_in_space_is_the_sum_over_a_grid(void **state)
{
    (void)state;
    ArcExperiment *const goals[] = {hit_hoop(SPACE, 4.2, 0, 3.0), hit_area(SPACE, 2, 4, 0, 2, 0.1),
                                    hit_point(SPACE, 4, 0, 2), hit_hoop(BARE, 4.2, 0, 3.0)};
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    ArcRandom random = arc_random_create(3, ARC_STREAM_TRUTH);
    int inner = 0, n = FEWER(40, 4);
    for (int trial = 0; trial < n; trial++) {
        const ArcExperiment *experiment = goals[trial % 4];
        double angle = arc_random_uniform(&random, 0, 6.3),
               e = arc_random_uniform(&random, 0.7, 1.5);
        const double v[3] = {4 * cos(e) * cos(angle), 4 * cos(e) * sin(angle), -4 * sin(e)};
        const double along[3] = {sin(e) * cos(angle), sin(e) * sin(angle), cos(e)};
        const double across[3] = {-sin(angle), cos(angle), 0};
        const double *e1 = trial % 4 == 2 ? along : x, *e2 = trial % 4 == 2 ? across : y;
        double sx = arc_random_uniform(&random, 0.02, 0.2), r = arc_random_uniform(&random, -1, 1);
        double sy = arc_random_uniform(&random, 0.02, 0.2), full[9], o[3];
        const double S[3] = {sx * sx, 0.95 * r * sx * sy, sy * sy};
        const double m[2] = {arc_random_uniform(&random, -0.08, 0.08),
                             arc_random_uniform(&random, -0.08, 0.08)};
        full_covariance(S, e1, e2, full);
        for (int c = 0; c < 3; c++)
            o[c] = m[0] * e1[c] + m[1] * e2[c];
        double expected = grid(experiment, m, S, e1, e2, v);
        check(arc_hit_chance(experiment, o, full, v), expected, 5e-4);
        inner += expected > 0.05 && expected < 0.95;
    }
    assert_true(inner > n / 2);
    for (int k = 0; k < 4; k++)
        arc_experiment_free(goals[k]);
}

/* The chance over a hoop's clean region to 1e-6: by fine strips along the flight, each between ends
 * that bisection finds by arc_hit_is. */
static void test_hit_chance_hoop_to_a_millionth(void **state)
{
    (void)state;
    enum { N = 4000 };
    ArcExperiment *experiment = hit_hoop(SPACE, 4.2, 0, 3.0);
    int stride = FEWER(1, 3);
    for (int k = 0; k < 6; k += stride) {
        /* 34 to 84 deg: lenses with corners, and smooth. */
        double e = (34.0 + 10.0 * k) * HIT_DEGREE, sx = 0.05, sy = 0.03, sum = 0.0;
        const double v[3] = {4 * cos(e), 0, -4 * sin(e)}, m[2] = {0.02, -0.01};
        double most = HIT_RIM_M - radius_m / sin(e);
        for (int i = 0; i < N; i++) {
            double u0 = M_PI * i / N, u1 = M_PI * (i + 1) / N, in = 0.0, out = HIT_RIM_M;
            double x = -most * cos(0.5 * (u0 + u1)), z = (x - m[0]) / sx;
            for (int j = 0; j < 40; j++) {
                double half = 0.5 * (in + out);
                const double o[3] = {x, half, 0};
                *(arc_hit_is(experiment, o, v) ? &in : &out) = half;
            }
            sum += most * (cos(u0) - cos(u1)) * exp(-0.5 * z * z) / (sx * sqrt(2 * M_PI)) *
                   arc_normal_within(m[1], sy, -in, in);
        }
        const double o[3] = {m[0], m[1], 0}, S[9] = {sx * sx, 0, 0, 0, sy * sy};
        check(arc_hit_chance(experiment, o, S, v), sum, 1e-6);
    }
    arc_experiment_free(experiment);
}

/* Scatter along the flight alone, as of a throw without an error to the side. */
static void test_hit_chance_hoop_flat_covariance_is_the_gap(void **state)
{
    (void)state;
    ArcExperiment *experiment = hit_hoop(SPACE, 4.2, 0, 3.0);
    double e = 44.0 * HIT_DEGREE, gap = HIT_RIM_M - radius_m / sin(e), sd = 0.05;
    for (double angle = 0.0; angle < 6.0; angle += 0.7) {
        double c = cos(angle), s = sin(angle);
        const double v[3] = {4 * cos(e) * c, 4 * cos(e) * s, -4 * sin(e)};
        const double o[3] = {0.01 * c, 0.01 * s, 0};
        const double S[9] = {sd * sd * c * c, sd * sd * c * s, 0, sd * sd * c * s, sd * sd * s * s};
        check(arc_hit_chance(experiment, o, S, v), arc_normal_within(0.01, sd, -gap, gap), 1e-7);
        const double none[9] = {0}, wide[3] = {0.2 * c, 0.2 * s, 0};
        assert_true(arc_hit_chance(experiment, o, none, v) == 1.0);
        assert_true(arc_hit_chance(experiment, wide, none, v) == 0.0);
        const double steep[3] = {0, 0, -4}, flat[3] = {4 * c, 4 * s, -2};
        assert_true(arc_hit_chance(experiment, o, none, steep) == 1.0);
        assert_true(arc_hit_chance(experiment, o, S, flat) == 0.0);
        const double broken[3] = {NAN, 0, 0};
        assert_true(isnan(arc_hit_chance(experiment, broken, S, v)));
    }
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hit_is_hoop_by_the_distance_from_the_rim),
        cmocka_unit_test(test_hit_is_hoop_in_the_plane_by_the_gap),
        cmocka_unit_test(test_hit_is_point_and_area),
        cmocka_unit_test(test_hit_chance_in_the_plane_is_an_interval),
        cmocka_unit_test(test_hit_chance_in_space_is_the_sum_over_a_grid),
        cmocka_unit_test(test_hit_chance_hoop_to_a_millionth),
        cmocka_unit_test(test_hit_chance_hoop_flat_covariance_is_the_gap),
    };
    return cmocka_run_group_tests_name("hit", tests, NULL, NULL);
}
