/* Throws off the backboard: each goes in by a flight of its own, where the clean ball is far
 * beside; the image of a hard board in closed form; none without a board. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim/numbers.h"
#include "aim/touch.h"
#include "arcfit/aim.h"
#include "io/hdf5.h"
#include "shot_case.h"
#include "sweep.h"

#define HOOP "aim: {target: {hoop: {centre: [4.191 m, 3.048 m], radius: 0.2286 m"
#define BOARD ", backboard: x=4.572 m}}, "
#define DRAG SHOT_HEAD "flight: {dimensions: 2, " SHOT_BALL ", lift: linear}\nrelease: polar\n"
#define THROW                                                                                      \
    "parameters: {cd: 0.5, cm: 0.9, spin: -18, x0: 0, y0: 2.1, speed: {start: 8, bounds: [0, "     \
    "20]}, angle: 0.9}\n"

static ArcAim *aim_of(const char *text, ArcExperiment **experiment)
{
    ArcAim *aim = NULL;
    ArcError err;
    *experiment = case_experiment(text);
    if (arc_aim_find(*experiment, NULL, NULL, &aim, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return aim;
}

static void finish(ArcAim *aim, ArcExperiment *experiment)
{
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

static void check_banks(const char *text, int least)
{
    static ArcTouched touched;
    static ArcShotNumbers numbers;
    ArcExperiment *experiment;
    ArcAim *aim = aim_of(text, &experiment);
    ArcArena *arena = arc_arena_create();
    ArcShot *shot = NULL;
    ArcTouch *touch = NULL;
    assert_true(aim->n_banks >= least);
    assert_int_equal(arc_shot_create(experiment, arena, &shot, NULL), ARC_OK);
    assert_int_equal(arc_touch_create(shot, arena, &touch, NULL), ARC_OK);
    for (int i = 0; i < aim->n_banks; i++) {
        const ArcAimSolution *bank = &aim->banks[i];
        assert_true(arc_touch_fly(touch, bank->values, false, &touched));
        assert_int_equal(touched.end, ARC_TOUCH_IN);
        assert_true(touched.board && !touched.rim);
        assert_near(bank->numbers[ARC_AIM_MISS], 0.2286 - touched.margin_m, 1e-7);
        assert_near(bank->numbers[ARC_AIM_TIME], touched.state.t_s, 1e-7);
        /* As a ball that touches nothing it is no hit, and nothing near it is one. */
        for (int side = -1; side <= 1; side++) {
            double values[ARC_MAX_PARAMETERS];
            memcpy(values, bank->values, sizeof values);
            values[arc_experiment_parameter(experiment, "cd")] += 0.02 * side;
            assert_true(arc_shot_numbers(shot, values, 1U << ARC_AIM_CLEARANCE, false, &numbers));
            assert_true(numbers.value[ARC_AIM_CLEARANCE] < -0.12);
        }
        assert_true(i == 0 || bank->numbers[ARC_AIM_SPEED] >= bank[-1].numbers[ARC_AIM_SPEED]);
    }
    arc_arena_free(arena);
    finish(aim, experiment);
}

static void test_bank_throws_go_in_off_the_board(void **state)
{
    (void)state;
    check_banks(DRAG THROW HOOP BOARD "contact: {restitution: 0.75}}\n", 2);
    check_banks(DRAG THROW HOOP BOARD "contact: {restitution: 0.5}}\n", 2);
    check_banks(SHOT_HEAD
                "flight: {dimensions: 3, " SHOT_BALL "}\n"
                "parameters: {cd: 0.5, x0: 0, y0: 0.8, z0: 2.1}\n"
                "aim: {target: {hoop: {centre: [4.191 m, 0 m, 3.048 m], radius: 0.2286 m, "
                "backboard: x=4.572 m}}, contact: {restitution: 0.75}}\n",
                2);
}

static void test_bank_throw_of_an_arm_goes_in(void **state)
{
    (void)state;
    check_banks(SHOT_HEAD "flight: {dimensions: 2, " SHOT_BALL
                          "}\nrelease: arm\narm:\n  base: [0.1 "
                          "m, 1.4 m]\n  joints:\n    - {length: 0.5 m, rate_limit: 15 rad/s}\n"
                          "    - {length: 0.4 m, rate_limit: 15 rad/s}\n" HOOP BOARD
                          "contact: {restitution: 0.75}}\n",
                1);
}

/* Without air, off a board as hard as a wall: the throw of that angle is free fall's to the image.
 */
static void test_bank_of_a_hard_board_is_the_closed_form(void **state)
{
    (void)state;
    ArcExperiment *experiment;
    ArcAim *aim =
        aim_of(SHOT_HEAD "flight: {dimensions: 2, ball: basketball, buoyancy: false}\nrelease: "
                         "polar\nparameters: {x0: 0, y0: 2.1}\n" HOOP BOARD
                         "angles: [60 deg], contact: {restitution: 0.8, stiffness: 100000000 N/m, "
                         "width: 0.001 mm}}\n",
               &experiment);
    double B = 4.572 - 0.12, D = B + (B - 4.191) / 0.8;
    assert_true(aim->n_banks >= 1);
    int of = arc_experiment_parameter(experiment, "angle");
    const ArcAimSolution *bank = &aim->banks[aim->n_banks - 1];
    for (int i = 0; i < aim->n_banks; i++)
        bank = fabs(aim->banks[i].values[of] - M_PI / 3.0) < 1e-6 ? &aim->banks[i] : bank;
    double angle = bank->values[of];
    double speed = sqrt(9.80665 * D * D / (2.0 * pow(cos(angle), 2) * (D * tan(angle) - 0.948)));
    assert_near(angle, M_PI / 3.0, 1e-9);
    assert_near(bank->values[arc_experiment_parameter(experiment, "speed")], speed, 1e-3);
    /* A ball's radius lower it is past the centre, towards the thrower. */
    assert_true(bank->arrival_m[0] < 4.191 && bank->arrival_m[0] > 4.0);
    finish(aim, experiment);
}

static void test_bank_without_board_or_contact_there_is_none(void **state)
{
    (void)state;
    static const char *const texts[] = {DRAG THROW HOOP "}}, contact: {restitution: 0.75}}\n",
                                        DRAG THROW HOOP BOARD "angles: [50 deg]}\n"};
    for (int i = 0; i < 2; i++) {
        ArcExperiment *experiment;
        ArcAim *aim = aim_of(texts[i], &experiment);
        assert_int_equal(aim->n_banks, 0);
        finish(aim, experiment);
    }
}

static void check_file(const ArcAim *aim)
{
    static const char path[] = "/tmp/arcfit-test-bank.h5";
    ArcArena *arena = arc_arena_create();
    ArcHdf5 *file = NULL;
    int n = aim->n_banks, columns = aim->n_parameters;
    assert_int_equal(arc_aim_write(aim, path, NULL), ARC_OK);
    assert_int_equal(arc_hdf5_open(path, arena, &file, NULL), ARC_OK);
    const double *speed = arc_hdf5_reals(file, "/banks/speed", n, 0);
    const double *values = arc_hdf5_reals(file, "/banks/values", n, columns);
    assert_true(speed != NULL && values != NULL);
    for (int i = 0; i < n; i++) {
        assert_true(speed[i] == aim->banks[i].numbers[ARC_AIM_SPEED]);
        assert_memory_equal(values + i * columns, aim->banks[i].values,
                            sizeof(double) * (size_t)columns);
    }
    arc_hdf5_close(file);
    arc_arena_free(arena);
    remove(path);
}

static void test_bank_is_told_in_text_json_and_file(void **state)
{
    (void)state;
    ArcExperiment *experiment;
    char *text = NULL;
    ArcAim *aim = aim_of(DRAG THROW HOOP BOARD "contact: {restitution: 0.75}}\n", &experiment);
    assert_int_equal(arc_aim_text(aim, &text, NULL), ARC_OK);
    assert_non_null(strstr(text, "\noff the board"));
    arc_text_free(text);
    assert_int_equal(arc_aim_json(aim, &text, NULL), ARC_OK);
    assert_non_null(strstr(text, "\"off_the_board\": ["));
    arc_text_free(text);
    check_file(aim);
    finish(aim, experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bank_throws_go_in_off_the_board),
        cmocka_unit_test(test_bank_throw_of_an_arm_goes_in),
        cmocka_unit_test(test_bank_of_a_hard_board_is_the_closed_form),
        cmocka_unit_test(test_bank_without_board_or_contact_there_is_none),
        cmocka_unit_test(test_bank_is_told_in_text_json_and_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
