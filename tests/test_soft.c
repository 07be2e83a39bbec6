/* Soft hits: the sigmoid and its logarithm by formula, gradients by differences, the hit test as
 * the limit, and ways to a hit from where a hit test is flat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim/numbers.h"
#include "aim/soft.h"
#include "shot_case.h"
#include "sweep.h"

#define THROW                                                                                      \
    SHOT_HEAD                                                                                      \
    "flight: {dimensions: 2, " SHOT_BALL ", lift: linear}\nrelease: polar\n"                       \
    "parameters: {cd: 0.5, cm: 0.9, spin: -18, x0: 0, y0: 2.1, speed: 7.3, angle: 0.9}\n"

static void test_of_is_the_sigmoid(void **state)
{
    (void)state;
    ArcSoft soft = arc_soft_of(0.0, 0.02);
    assert_near(soft.value, 0.5, 1e-15);
    assert_near(soft.log, -log(2.0), 1e-15);
    assert_near(soft.by_margin, 0.25 / 0.02, 1e-12);
    assert_near(soft.log_by_margin, 0.5 / 0.02, 1e-12);
    for (int i = -8; i <= 8; i++) {
        double margin = 0.01 * i + 0.001;
        Sweep value = {0}, log_value = {0};
        soft = arc_soft_of(margin, 0.02);
        assert_near(soft.value, 1.0 / (1.0 + exp(-margin / 0.02)), 1e-15);
        assert_near(soft.log, log(soft.value), 1e-14);
        for (int k = 0; k < N_STEPS; k++) {
            const ArcSoft above = arc_soft_of(margin + 0.1 * steps[k], 0.02);
            const ArcSoft below = arc_soft_of(margin - 0.1 * steps[k], 0.02);
            sweep_add(&value, soft.by_margin, above.value, below.value, 0.1 * steps[k]);
            sweep_add(&log_value, soft.log_by_margin, above.log, below.log, 0.1 * steps[k]);
        }
        sweep_check(&value, soft.by_margin, 50.0);
        sweep_check(&log_value, soft.log_by_margin, 50.0);
    }
}

/* Metres beside it the value is 0, its logarithm still has the whole slope. */
static void test_of_far_out_has_a_slope_in_its_logarithm(void **state)
{
    (void)state;
    const ArcSoft soft = arc_soft_of(-30.0, 0.01);
    assert_near(soft.value, 0.0, 0.0);
    assert_near(soft.log, -3000.0, 1e-9);
    assert_near(soft.log_by_margin, 100.0, 1e-9);
    const ArcSoft in = arc_soft_of(30.0, 0.01);
    assert_near(in.value, 1.0, 0.0);
    assert_near(in.log, 0.0, 0.0);
}

/* Whether the ball passes clean, by the clearance; with ever smaller widths soft is that. */
static void test_hit_of_no_width_is_the_hit_test(void **state)
{
    (void)state;
    int in = 0, out = 0;
    ShotCase c = shot_case(THROW, shot_hoop(4.191, 3.048, 0.0));
    for (int i = 0; i < 40; i++) {
        ArcSoftHit hit;
        ArcShotNumbers numbers;
        c.values[shot_parameter(&c, "speed")] = 6.8 + 0.025 * i;
        assert_true(arc_shot_numbers(c.shot, c.values, 1U << ARC_AIM_CLEARANCE, false, &numbers));
        bool is_hit = numbers.value[ARC_AIM_CLEARANCE] > 0.0;
        in += is_hit;
        out += !is_hit;
        double far = INFINITY;
        for (double width = 0.1; width > 1e-6; width *= 0.1) {
            assert_true(arc_soft_hit(c.shot, NULL, c.values, false, width, &hit));
            double off = fabs(hit.soft.value - (is_hit ? 1.0 : 0.0));
            assert_true(off <= far && off <= exp(-fabs(hit.margin_m) / width));
            far = off;
        }
        assert_near(far, 0.0, 1e-12);
    }
    assert_true(in >= 3 && out >= 3);
    shot_free(&c);
}

typedef struct Case {
    ShotCase shot;
    ArcTouch *touch;
} Case;

static int soft_numbers(void *context, const double *values, double *numbers,
                        double (*by)[ARC_MAX_PARAMETERS])
{
    const Case *c = context;
    ArcSoftHit hit;
    assert_true(arc_soft_hit(c->shot.shot, c->touch, values, by != NULL, 0.05, &hit));
    numbers[0] = hit.margin_m;
    numbers[1] = hit.soft.value;
    numbers[2] = hit.soft.log;
    for (int i = 0; by != NULL && i < c->shot.n; i++) {
        by[0][i] = hit.by_margin[i];
        by[1][i] = hit.soft.by_margin * hit.by_margin[i];
        by[2][i] = hit.soft.log_by_margin * hit.by_margin[i];
    }
    return 3;
}

static void test_hit_gradients_are_differences(void **state)
{
    (void)state;
    const ArcGoal goals[] = {shot_hoop(4.191, 3.048, 0.0), shot_point(4.2, 3.0, 0.0),
                             shot_area(0, 4.0, 3.0, 0.0)};
    for (int i = 0; i < 3; i++) {
        Case c = {.shot = shot_case(THROW, goals[i])};
        shot_check(soft_numbers, &c, c.shot.experiment, c.shot.values, " t0 ", 1e-6);
        shot_free(&c.shot);
    }
    ArcError err;
    Case c = {.shot = shot_case(THROW, shot_hoop(4.191, 3.048, 0.0))};
    c.shot.values[shot_parameter(&c.shot, "speed")] = 7.08; /* off the front of the rim */
    assert_int_equal(arc_touch_create(c.shot.shot, c.shot.arena, &c.touch, &err), ARC_OK);
    shot_check(soft_numbers, &c, c.shot.experiment, c.shot.values, " t0 ", 1e-5);
    shot_free(&c.shot);
}

/* From throws far beside the hoop, where a hit test has no slope, steps along the logarithm's
 * gradient come in, short and long. */
static void test_hit_gradient_leads_to_a_hit(void **state)
{
    (void)state;
    static const double speeds[] = {6.2, 6.7, 7.7, 8.4};
    ShotCase c = shot_case(THROW, shot_hoop(4.191, 3.048, 0.0));
    double *speed = &c.values[shot_parameter(&c, "speed")];
    double width = arc_soft_width(c.experiment);
    assert_near(width, 0.1 * (0.2286 - 0.12), 1e-3);
    for (int i = 0; i < 4; i++) {
        ArcSoftHit hit;
        int k = 0;
        for (int side = -1; side <= 1; side += 2) { /* the hit test is flat here */
            *speed = speeds[i] + 0.1 * side;
            assert_true(arc_soft_hit(c.shot, NULL, c.values, false, width, &hit));
            assert_true(hit.margin_m < 0.0);
        }
        *speed = speeds[i];
        assert_true(arc_soft_hit(c.shot, NULL, c.values, true, width, &hit));
        for (; k < 12 && hit.margin_m <= 0.0; k++) {
            double slope = hit.soft.log_by_margin * hit.by_margin[shot_parameter(&c, "speed")];
            *speed -= hit.soft.log / slope; /* towards a soft hit of 1 */
            assert_true(arc_soft_hit(c.shot, NULL, c.values, true, width, &hit));
        }
        assert_true(k > 0 && hit.margin_m > 0.0);
    }
    shot_free(&c);
}

static void test_width_and_refusals(void **state)
{
    (void)state;
    ArcSoftHit hit;
    ShotCase area = shot_case(THROW, shot_area(0, 4.0, 3.0, 0.0));
    assert_near(arc_soft_width(area.experiment), 0.05, 1e-12); /* half a size of 0.5 along y */
    shot_free(&area);
    ShotCase point = shot_case(SHOT_HEAD "flight: {dimensions: 2}\nparameters: {x0: 0, y0: 1, vx0: "
                                         "4, vy0: 5}\n",
                               shot_point(2.0, 2.0, 0.0));
    assert_near(arc_soft_width(point.experiment), 0.001, 1e-12);
    assert_true(arc_soft_hit(point.shot, NULL, point.values, false, 0.001, &hit));
    shot_free(&point);
    ShotCase low = shot_case(SHOT_HEAD "flight: {dimensions: 2}\nparameters: {x0: 0, y0: 1, vx0: "
                                       "4, vy0: 2}\n",
                             shot_hoop(2.0, 3.0, 0.0));
    assert_false(arc_soft_hit(low.shot, NULL, low.values, false, 0.01, &hit));
    shot_free(&low);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_is_the_sigmoid),
        cmocka_unit_test(test_of_far_out_has_a_slope_in_its_logarithm),
        cmocka_unit_test(test_hit_of_no_width_is_the_hit_test),
        cmocka_unit_test(test_hit_gradients_are_differences),
        cmocka_unit_test(test_hit_gradient_leads_to_a_hit),
        cmocka_unit_test(test_width_and_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
