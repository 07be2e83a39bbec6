/* The free throw of experiments/aim-free-throw.yaml: the slowest throw, the one that goes in most
 * often, clean or by the rim too, and what the air and the player's scatter change (figures of
 * experiments/README.md).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim/probability.h"
#include "aim/touch.h"
#include "slow.h"

#include <math.h>
#include <stdio.h>

#define DEGREE (M_PI / 180.0)
enum { MOST_OVERRIDES = 8 };

typedef struct Overrides {
    int n;
    const char *texts[MOST_OVERRIDES];
} Overrides;

static ArcExperiment *read_experiment(const Overrides *overrides)
{
    ArcError err;
    ArcExperiment *experiment = NULL;
    if (arc_experiment_read("experiments/aim-free-throw.yaml", overrides->n, overrides->texts,
                            &experiment, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return experiment;
}

/* The best throw with two more overrides (nullable). */
static ArcAimSolution best_throw(const Overrides *overrides, const char *first, const char *second)
{
    ArcError err;
    ArcAim *aim = NULL;
    Overrides all = *overrides;
    const char *const more[] = {first, second};
    for (int k = 0; k < 2; k++)
        if (more[k] != NULL)
            all.texts[all.n++] = more[k];
    ArcExperiment *experiment = read_experiment(&all);
    if (arc_aim_find(experiment, NULL, NULL, &aim, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_true(aim->is_reachable && aim->n_solutions > 0);
    ArcAimSolution best = aim->solutions[0];
    arc_aim_free(aim);
    arc_experiment_free(experiment);
    return best;
}

static double speed_of(const ArcAimSolution *solution)
{
    return hypot(solution->velocity_m_s[0], solution->velocity_m_s[1]);
}

static double angle_deg_of(const ArcAimSolution *solution)
{
    return atan2(solution->velocity_m_s[1], solution->velocity_m_s[0]) / DEGREE;
}

static void check(const char *what, double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s: %.6g, not %.6g", what, value, expected);
}

#define DRY "aim.monte_carlo=0"

/* A flight with more and more of the air: the slowest throw, and the speed at 52 deg through the
 * middle as it was integrated elsewhere. */
static const struct Air {
    const char *name;
    Overrides overrides;
    double speed_m_s, angle_deg, at_52_m_s;
} airs[] = {
    {"vacuum",
     {4, {DRY, "flight.drag=none", "flight.lift=none", "flight.buoyancy=false"}},
     7.1438,
     51.15,
     7.1458},
    {"drag", {3, {DRY, "flight.lift=none", "flight.buoyancy=false"}}, 7.4357, 50.50, 7.4424},
    {"drag, buoyancy", {2, {DRY, "flight.lift=none"}}, 7.3834, 50.50, 7.3901},
    {"drag, buoyancy, spin", {1, {DRY}}, 7.3349, 49.64, 7.3516},
    {"with Nathan's lift", {2, {DRY, "flight.lift=nathan"}}, 7.3206, 49.32, 7.3421},
};
enum { N_AIRS = sizeof airs / sizeof airs[0] };

static void test_free_throw_slowest_by_what_the_air_does(void **state)
{
    (void)state;
    for (int k = 0; k < N_AIRS; k++) {
        const ArcAimSolution best =
            best_throw(&airs[k].overrides, "aim.objectives={speed: 1}", NULL);
        if (slow_is_wanted())
            print_message("%-22s slowest %.4f m/s at %.2f deg\n", airs[k].name, speed_of(&best),
                          angle_deg_of(&best));
        check(airs[k].name, speed_of(&best), airs[k].speed_m_s, 2e-4);
        check(airs[k].name, angle_deg_of(&best), airs[k].angle_deg, 0.02);
    }
    /* In vacuum: 45 deg and half of the target's angle, v^2 = g (h + sqrt(h^2 + x^2)). */
    double h = 3.048 - 2.1336, g = 9.80665;
    check("closed form", airs[0].angle_deg, 45.0 + 0.5 * atan2(h, 4.191) / DEGREE, 0.01);
    check("closed form", airs[0].speed_m_s, sqrt(g * (h + hypot(h, 4.191))), 1e-4);
}

static void test_free_throw_at_52_degrees_through_the_middle(void **state)
{
    (void)state;
    for (int k = 0; k < N_AIRS; k++) {
        const ArcAimSolution best =
            best_throw(&airs[k].overrides, "aim.unknowns=[speed]", "parameters.angle=52 deg");
        check(airs[k].name, speed_of(&best), airs[k].at_52_m_s, 2e-4);
    }
}

/* The best chance of a clean pass is the best of a scan, and as many throws pass. */
static void test_free_throw_likeliest_clean_pass(void **state)
{
    (void)state;
    const Overrides few = {1, {FEWER("aim.monte_carlo=20000", "aim.monte_carlo=500")}};
    const Overrides none = {1, {DRY}};
    const ArcAimSolution best = best_throw(&few, "aim.maximise=probability", NULL);
    double most = 0.0, at = 0.0;
    for (int angle = 46; angle < 70; angle++) {
        char text[64];
        snprintf(text, sizeof text, "parameters.angle=%d deg", angle);
        const ArcAimSolution one = best_throw(&none, "aim.unknowns=[speed]", text);
        if (one.chance.value > most) {
            most = one.chance.value;
            at = angle;
        }
    }
    check("of a scan", angle_deg_of(&best), at, 1.0);
    assert_true(best.chance.value >= most);
    check("chance", best.chance.value, 0.431, 1e-3);
    check("angle", angle_deg_of(&best), 58.5, 0.2);
    check("speed", speed_of(&best), 7.583, 5e-3);
    assert_true(best.chance.is_valid);
    check("throws", best.chance.checked, best.chance.value, 0.01 + 3.0 * best.chance.checked_sd);
}

/* What goes in, by speed and angle: a chance is the sum over it under a scatter. */
enum { SPEEDS = 141, ANGLES = 113 };
static const double slowest_m_s = 6.7, speed_step_m_s = 0.0125, lowest_deg = 42.0, step_deg = 0.25;

typedef struct Map {
    int stride; /* places of the grid that are left out */
    bool clean[ANGLES][SPEEDS], in[ANGLES][SPEEDS];
} Map;

static void fill_map(Map *map, const Overrides *overrides)
{
    ArcError err;
    ArcArena *arena = arc_arena_create();
    ArcShot *shot = NULL;
    ArcTouch *touch = NULL;
    ArcExperiment *e = read_experiment(overrides);
    double values[ARC_MAX_PARAMETERS];
    int speed = arc_experiment_parameter(e, "speed"), angle = arc_experiment_parameter(e, "angle");
    assert_int_equal(arc_shot_create(e, arena, &shot, &err), ARC_OK);
    assert_int_equal(arc_touch_create(shot, arena, &touch, &err), ARC_OK);
    for (int i = 0; i < e->n_parameters; i++)
        values[i] = isfinite(e->parameters[i].start) ? e->parameters[i].start : 0.0;
    for (int i = 0; i < ANGLES; i += map->stride)
        for (int j = 0; j < SPEEDS; j += map->stride) {
            ArcShotState state;
            ArcTouched touched;
            double o[3] = {0};
            values[angle] = (lowest_deg + i * step_deg) * DEGREE;
            values[speed] = slowest_m_s + j * speed_step_m_s;
            assert_true(arc_shot_meet(shot, values, false, &state));
            o[0] = state.x_m[0] - e->aim.goal.point_m[0];
            map->clean[i][j] = arc_hit_is(e, o, state.v_m_s);
            map->in[i][j] = map->clean[i][j] || (arc_touch_fly(touch, values, false, &touched) &&
                                                 touched.end == ARC_TOUCH_IN);
        }
    arc_experiment_free(e);
    arc_arena_free(arena);
}

static double chance_of(const Map *map, bool by_rim, double angle_deg, double speed_m_s,
                        const double sd[2])
{
    double sum = 0.0, all = 0.0;
    for (int i = 0; i < ANGLES; i += map->stride)
        for (int j = 0; j < SPEEDS; j += map->stride) {
            double a = (lowest_deg + i * step_deg - angle_deg) / sd[1];
            double v = (slowest_m_s + j * speed_step_m_s - speed_m_s) / sd[0];
            double weight = exp(-0.5 * (a * a + v * v));
            all += weight;
            sum += (by_rim ? map->in : map->clean)[i][j] ? weight : 0.0;
        }
    return sum / all;
}

typedef struct Best {
    double angle_deg, speed_m_s, chance;
} Best;

static Best best_of(const Map *map, bool by_rim, const double sd[2])
{
    Best best = {0};
    for (double angle = 46.0; angle < 66.0; angle += 0.5)
        for (double speed = 7.2; speed < 8.05; speed += 0.0125) {
            double chance = chance_of(map, by_rim, angle, speed, sd);
            if (chance > best.chance)
                best = (Best){angle, speed, chance};
        }
    return best;
}

/* Players by their scatter, from the best one that was seen to the worst. */
static const struct Player {
    double sd[2]; /* m/s, deg */
    Best clean, in;
} players[] = {
    {{0.05, 1.3}, {54.5, 7.413, 0.586}, {52.0, 7.400, 0.939}},
    {{0.09, 1.3}, {58.5, 7.588, 0.428}, {54.5, 7.450, 0.742}},
    {{0.13, 1.3}, {62.5, 7.888, 0.354}, {57.5, 7.563, 0.600}},
};

/* Off the rim, without the board: the better the player, the nearer to 52 deg. */
static void test_free_throw_likeliest_off_the_rim(void **state)
{
    (void)state;
    static Map map;
    const Overrides overrides = {
        1, {"aim.target={hoop: {centre: [4.191 m, 3.048 m], radius: 0.2286 m}}"}};
    map.stride = slow_is_wanted() ? 1 : FEWER(2, 4);
    fill_map(&map, &overrides);
    /* A coarse map tells nothing of a narrow scatter. */
    for (int k = FEWER(0, 1); k < FEWER(3, 2); k++) {
        const struct Player *player = &players[k];
        Best clean = best_of(&map, false, player->sd), in = best_of(&map, true, player->sd);
        if (slow_is_wanted())
            print_message("sd %.2f m/s, %.1f deg: clean %.1f deg %.3f m/s %.3f; off the rim %.1f "
                          "deg %.3f m/s %.3f\n",
                          player->sd[0], player->sd[1], clean.angle_deg, clean.speed_m_s,
                          clean.chance, in.angle_deg, in.speed_m_s, in.chance);
        check("clean, chance", clean.chance, player->clean.chance, FEWER(0.02, 0.1));
        check("off the rim, chance", in.chance, player->in.chance, FEWER(0.02, 0.1));
        /* Tops are flat. */
        const Best *by[] = {&player->clean, &player->in};
        for (int rim = 0; rim < 2; rim++) {
            double there =
                chance_of(&map, rim == 1, by[rim]->angle_deg, by[rim]->speed_m_s, player->sd);
            check("there", there, (rim == 1 ? in : clean).chance, FEWER(0.01, 0.1));
        }
        /* Beyond the middle, which at 52 deg is 7.352 m/s. */
        double middle = chance_of(&map, true, 52.0, 7.352, player->sd);
        double beyond = chance_of(&map, true, 52.0, 7.40, player->sd);
        if (slow_is_wanted())
            print_message("    at 52 deg through the middle %.3f, at 7.40 m/s %.3f\n", middle,
                          beyond);
        assert_true(beyond > middle);
    }
}

/* Off the board it is still likelier, where nothing goes astray to the side. */
static void test_free_throw_likeliest_off_the_board(void **state)
{
    (void)state;
    static Map map;
    const Overrides overrides = {1, {DRY}};
    if (!slow_is_wanted())
        skip();
    map.stride = 1;
    fill_map(&map, &overrides);
    for (int k = 0; k < 3; k++) {
        const Best board = best_of(&map, true, players[k].sd);
        print_message("sd %.2f m/s, %.1f deg: off rim or board %.1f deg %.3f m/s %.3f\n",
                      players[k].sd[0], players[k].sd[1], board.angle_deg, board.speed_m_s,
                      board.chance);
        assert_true(board.chance > players[k].in.chance && board.speed_m_s > 7.8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_throw_slowest_by_what_the_air_does),
        cmocka_unit_test(test_free_throw_at_52_degrees_through_the_middle),
        cmocka_unit_test(test_free_throw_likeliest_clean_pass),
        cmocka_unit_test(test_free_throw_likeliest_off_the_rim),
        cmocka_unit_test(test_free_throw_likeliest_off_the_board),
    };
    return cmocka_run_group_tests_name("free throw", tests, NULL, NULL);
}
