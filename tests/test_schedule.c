/* Learning rates: values by hand, ends, continuity, refusals. */
#include "solve/schedule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_close(double value, double expected)
{
    assert_true(fabs(value - expected) <= 1e-15 * fabs(expected));
}

static void test_schedule_rate_constant_never_changes(void **state)
{
    (void)state;
    ArcRateSchedule s = arc_schedule_default();
    s.rate = 0.02;
    for (int64_t k = 0; k < 100000; k += 999)
        assert_true(arc_schedule_rate(&s, k) == 0.02);
}

static void test_schedule_rate_cosine_goes_half_way_at_half_time(void **state)
{
    (void)state;
    ArcRateSchedule s = {.kind = ARC_RATE_COSINE, .rate = 1.0, .final_rate = 0.2, .steps = 120};
    assert_true(arc_schedule_rate(&s, 0) == 1.0);
    assert_close(arc_schedule_rate(&s, 60), 0.6);
    assert_close(arc_schedule_rate(&s, 40), 0.8); /* cos 60 degrees is 1/2 */
    assert_close(arc_schedule_rate(&s, 80), 0.4);
    assert_close(arc_schedule_rate(&s, 120), 0.2);
    assert_close(arc_schedule_rate(&s, 100000), 0.2);
    for (int64_t k = 0; k < 120; k++)
        assert_true(arc_schedule_rate(&s, k + 1) < arc_schedule_rate(&s, k));
}

static void test_schedule_rate_exponential_ends_at_its_floor(void **state)
{
    (void)state;
    ArcRateSchedule s = {
        .kind = ARC_RATE_EXPONENTIAL, .rate = 8.0, .final_rate = 0.3, .decay = 0.5};
    const double expected[] = {8.0, 4.0, 2.0, 1.0, 0.5, 0.3, 0.3};
    for (int k = 0; k < 7; k++)
        assert_close(arc_schedule_rate(&s, k), expected[k]);
}

static void test_schedule_rate_warm_up_rises_evenly_then_hands_over(void **state)
{
    (void)state;
    ArcRateSchedule s = {
        .kind = ARC_RATE_COSINE, .rate = 1.0, .final_rate = 0.0, .warm_up_steps = 4, .steps = 10};
    const double expected[] = {0.25, 0.5, 0.75, 1.0, 1.0};
    for (int k = 0; k < 5; k++)
        assert_close(arc_schedule_rate(&s, k), expected[k]);
    assert_close(arc_schedule_rate(&s, 7), 0.5);
    assert_true(arc_schedule_rate(&s, 10) == 0.0);
}

static void test_schedule_check_wrong_values_are_named(void **state)
{
    (void)state;
    const struct {
        ArcRateSchedule schedule;
        const char *named;
    } rows[] = {
        {{.rate = 0.0}, "learning rate 0"},
        {{.rate = -1.0}, "learning rate -1"},
        {{.rate = NAN}, "learning rate"},
        {{.rate = INFINITY}, "learning rate"},
        {{.rate = 1.0, .warm_up_steps = -3}, "warm-up of -3"},
        {{.kind = ARC_RATE_COSINE, .rate = 1.0, .final_rate = 2.0, .steps = 9}, "final rate 2"},
        {{.kind = ARC_RATE_COSINE, .rate = 1.0, .warm_up_steps = 9, .steps = 9}, "9 steps"},
        {{.kind = ARC_RATE_EXPONENTIAL, .rate = 1.0, .decay = 1.5}, "decay 1.5"},
        {{.kind = ARC_RATE_EXPONENTIAL, .rate = 1.0, .decay = 0.0}, "decay 0"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ArcError err = {0};
        assert_int_equal(arc_schedule_check(&rows[i].schedule, &err), ARC_INPUT);
        assert_non_null(strstr(err.text, rows[i].named));
    }
}

static void test_schedule_check_right_values_pass(void **state)
{
    (void)state;
    ArcRateSchedule rows[] = {
        arc_schedule_default(),
        {.kind = ARC_RATE_COSINE, .rate = 1.0, .warm_up_steps = 8, .steps = 9},
        {.kind = ARC_RATE_EXPONENTIAL, .rate = 1.0, .final_rate = 1.0, .decay = 1.0}};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(arc_schedule_check(&rows[i], NULL), ARC_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedule_rate_constant_never_changes),
        cmocka_unit_test(test_schedule_rate_cosine_goes_half_way_at_half_time),
        cmocka_unit_test(test_schedule_rate_exponential_ends_at_its_floor),
        cmocka_unit_test(test_schedule_rate_warm_up_rises_evenly_then_hands_over),
        cmocka_unit_test(test_schedule_check_wrong_values_are_named),
        cmocka_unit_test(test_schedule_check_right_values_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
