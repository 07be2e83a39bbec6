/* Chances of throws: by linearisation against closed forms and against throws flown one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "hit_case.h"
#include "slow.h"
#include "solve/binormal.h"

#define PLANE                                                                                      \
    "release: polar\nflight: {ball: basketball, drag: quadratic, lift: rational, buoyancy: "       \
    "true}\n"
#define SPACE                                                                                      \
    "release: polar\nflight: {dimensions: 3, up: z, ball: basketball, drag: quadratic, lift: "     \
    "rational, buoyancy: "                                                                         \
    "true}\n"
#define FREE_THROW                                                                                 \
    "parameters: {cd: 0.5, spin: -3 Hz, t0: 0, x0: 0, y0: 2.1336 m, speed: 7.4 m/s, angle: 51 "    \
    "deg}\n"
#define FREE_THROW_SPACE                                                                           \
    "parameters: {cd: 0.5, wx: 0, wy: -3 Hz, wz: 0, t0: 0, x0: 0, y0: 0, z0: 2.1336 m, speed: "    \
    "7.4 m/s, angle: 51 deg, azimuth: 0}\n"

#define BARE                                                                                       \
    "release: polar\nflight: {drag: none}\nparameters: {t0: 0, x0: 0, y0: 2.1336 m, speed: 5.2 "   \
    "m/s, angle: 62 deg}\n"

/* A throw that may scatter: where it is to go, and how. */
typedef struct Case {
    const char *name;
    bool is_space;
    ArcGoalKind kind;
    double speed, angle_deg;            /* NaN speed: that which meets the target */
    double speed_sd, angle_sd, side_sd; /* m/s, deg, deg */
    double cd_sd, spin_sd;              /* of the belief; Hz */
    double correlation;                 /* of these */
    const char *randomise; /* NULL: in vacuum without a ball, the hoop where it falls */
} Case;

static const Case cases[] = {
    {"plane hoop, tiny", false, ARC_GOAL_HOOP, NAN, 51, 0.001, 0.01, 0, 0, 0, 0, ""},
    {"plane hoop, small", false, ARC_GOAL_HOOP, NAN, 51, 0.02, 0.2, 0, 0, 0, 0, ""},
    {"plane hoop, literature", false, ARC_GOAL_HOOP, NAN, 51, 0.08, 1.0, 0, 0, 0, 0, ""},
    {"plane hoop, wide", false, ARC_GOAL_HOOP, NAN, 51, 0.3, 3.0, 0, 0, 0, 0, ""},
    {"plane hoop, wild", false, ARC_GOAL_HOOP, NAN, 51, 1.5, 15.0, 0, 0, 0, 0, ""},
    {"plane hoop, flat", false, ARC_GOAL_HOOP, NAN, 44, 0.06, 1.0, 0, 0, 0, 0, ""},
    {"plane hoop, loft", false, ARC_GOAL_HOOP, NAN, 68, 0.06, 1.0, 0, 0, 0, 0, ""},
    {"plane hoop, angle alone at its best", false, ARC_GOAL_HOOP, NAN, 50, 0, 5.0, 0, 0, 0, 0, ""},
    {"plane hoop, belief", false, ARC_GOAL_HOOP, NAN, 51, 0.03, 0.5, 0, 0.1, 0.5, 0.6, ""},
    {"plane hoop, wind", false, ARC_GOAL_HOOP, NAN, 51, 0.03, 0.5, 0, 0, 0, 0,
     "randomise: {wind_x: {mean: 0 m/s, sd: 0.5 m/s}}\n"},
    {"plane hoop, even wind alone", false, ARC_GOAL_HOOP, NAN, 51, 0, 0, 0, 0, 0, 0,
     "randomise: {wind_x: [-0.8 m/s, 0.8 m/s]}\n"},
    {"plane hoop, air and mass", false, ARC_GOAL_HOOP, NAN, 51, 0.06, 0.5, 0, 0, 0, 0,
     "randomise: {temperature: {mean: 20 degC, sd: 8 K}, mass: {mean: 0.62 kg, sd: 0.02 kg}}\n"},
    {"plane point", false, ARC_GOAL_POINT, NAN, 51, 0.1, 1.0, 0, 0, 0, 0, ""},
    {"plane area", false, ARC_GOAL_AREA, NAN, 51, 0.15, 1.5, 0, 0.1, 0, 0, ""},
    {"space hoop, small", true, ARC_GOAL_HOOP, NAN, 51, 0.03, 0.3, 0.2, 0, 0, 0, ""},
    {"space hoop, literature", true, ARC_GOAL_HOOP, NAN, 52, 0.08, 1.0, 1.0, 0, 0, 0, ""},
    {"space hoop, wide", true, ARC_GOAL_HOOP, NAN, 52, 0.4, 4.0, 3.0, 0, 0, 0, ""},
    {"space hoop, wind and belief", true, ARC_GOAL_HOOP, NAN, 52, 0.04, 0.5, 0.5, 0.05, 0.3, 0.5,
     "randomise: {wind_x: {mean: 0 m/s, sd: 0.3 m/s}, wind_y: {mean: 0 m/s, sd: 0.5 m/s}}\n"},
    {"space point", true, ARC_GOAL_POINT, NAN, 51, 0.1, 1.0, 1.0, 0, 0, 0, ""},
    {"space point, wide", true, ARC_GOAL_POINT, NAN, 51, 0.5, 6.0, 5.0, 0, 0, 0, ""},
    {"space area", true, ARC_GOAL_AREA, NAN, 51, 0.15, 1.5, 2.0, 0, 0, 0, ""},
    {"space area, aimed at an edge", true, ARC_GOAL_AREA, 7.7, 51, 0.1, 1.0, 1.0, 0, 0, 0, ""},
    {"plane hoop, aimed long", false, ARC_GOAL_HOOP, 7.5, 51, 0.08, 1.0, 0, 0, 0, 0, ""},
    /* Without a ball, so that it goes in however flat, and some throws never rise so high. */
    {"plane hoop, some below the rim", false, ARC_GOAL_HOOP, 5.2, 62, 0.2, 1.0, 0, 0, 0, 0, NULL},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

static ArcExperiment *experiment_of(const Case *c)
{
    char text[2048];
    const char *flight = c->is_space ? SPACE : PLANE;
    const char *parameters = c->is_space ? FREE_THROW_SPACE : FREE_THROW;
    bool is_bare = c->randomise == NULL;
    snprintf(text, sizeof text, "%s%s%s%s", CASE_HEAD, is_bare ? BARE : flight,
             is_bare ? "" : parameters, is_bare ? "" : c->randomise);
    double level = c->is_space ? 0.0 : HIT_HEIGHT_M, x = is_bare ? 1.58 : 4.191;
    ArcExperiment *e = c->kind == ARC_GOAL_HOOP ? hit_hoop(text, x, level, HIT_HEIGHT_M)
                       : c->kind == ARC_GOAL_POINT
                           ? hit_point(text, x, level, HIT_HEIGHT_M)
                           : hit_area(text, 0, x, level, HIT_HEIGHT_M, 0.25);
    hit_scatter(e, "speed", c->speed_sd);
    hit_scatter(e, "angle", c->angle_sd * HIT_DEGREE);
    if (c->is_space)
        hit_scatter(e, "azimuth", c->side_sd * HIT_DEGREE);
    return e;
}

static void belief_of(const Case *c, const ArcExperiment *e, ArcBelief *belief)
{
    int n = e->n_parameters, cd = arc_experiment_parameter(e, "cd");
    int spin = arc_experiment_parameter(e, c->is_space ? "wy" : "spin");
    double sds[2] = {c->cd_sd, 2.0 * M_PI * c->spin_sd};
    *belief = (ArcBelief){.n = n};
    if (cd < 0)
        return;
    belief->covariance[cd * n + cd] = sds[0] * sds[0];
    belief->covariance[spin * n + spin] = sds[1] * sds[1];
    belief->covariance[cd * n + spin] = belief->covariance[spin * n + cd] =
        c->correlation * sds[0] * sds[1];
}

/* The throw's values, its speed by bisection where none is given. */
static void throw_of(const Case *c, const ArcExperiment *e, double *values)
{
    ArcError err;
    ArcArena *arena = arc_arena_create();
    ArcShot *shot = NULL;
    double low = 6.0, high = 11.0;
    assert_int_equal(arc_shot_create(e, arena, &shot, &err), ARC_OK);
    hit_values(e, values);
    hit_value(e, values, "angle", c->angle_deg * HIT_DEGREE);
    hit_value(e, values, "speed", c->speed);
    for (int k = 0; isnan(c->speed) && k < 50; k++) {
        ArcShotState state;
        double speed = 0.5 * (low + high);
        hit_value(e, values, "speed", speed);
        int up = e->flight.settings.up;
        bool is_far = arc_shot_meet(shot, values, false, &state);
        if (is_far && c->kind == ARC_GOAL_HOOP)
            is_far = state.x_m[0] > 4.191;
        else if (is_far)
            is_far = state.x_m[up] > HIT_HEIGHT_M;
        *(is_far ? &high : &low) = speed;
    }
    arc_arena_free(arena);
}

/* Within a percentage point of throws flown one by one wherever it says that it is valid, beyond
 * what so many throws scatter by; what is farther off is flagged. */
static void test_aim_chance_holds_where_it_says_so(void **state)
{
    (void)state;
    int throws = slow_is_wanted() ? 100000 : FEWER(8000, 1000), valid = 0, far = 0;
    double worst = 0.0;
    for (int k = 0; k < N_CASES; k++) {
        ArcError err;
        ArcBelief belief;
        ArcAimChance chance;
        double values[ARC_MAX_PARAMETERS];
        ArcExperiment *e = experiment_of(&cases[k]);
        belief_of(&cases[k], e, &belief);
        throw_of(&cases[k], e, values);
        if (arc_aim_chance(e, &belief, values, &chance, &err) != ARC_OK ||
            arc_aim_check_chance(e, &belief, values, (ArcAimTrial){throws, 2}, &chance, &err) !=
                ARC_OK)
            fail_msg("%s: %s", cases[k].name, err.text);
        double off = fabs(chance.value - chance.checked), sd = chance.checked_sd;
        if (slow_is_wanted())
            print_message("%-36s %.4f %-7s checked %.4f +- %.4f, off %.4f\n", cases[k].name,
                          chance.value, chance.is_valid ? "valid" : "flagged", chance.checked, sd,
                          off);
        if (chance.is_valid && !(off < 0.01 + (slow_is_wanted() ? 0.0 : 2.0 * sd)))
            fail_msg("%s: %.4f by linearisation, %.4f +- %.4f by throws", cases[k].name,
                     chance.value, chance.checked, sd);
        worst = chance.is_valid ? fmax(worst, off) : worst;
        valid += chance.is_valid;
        far += off > 0.01 + 2.0 * sd;
        arc_experiment_free(e);
    }
    /* Neither word is always right. */
    if (slow_is_wanted())
        print_message("%d of %d valid, of which the farthest is off %.4f; %d are far off\n", valid,
                      (int)N_CASES, worst, far);
    assert_true(valid >= N_CASES / 2 && far >= FEWER(3, 1));
}

/* A throw anywhere with any scatter: flat and lofted, on its target or beside it. */
static Case any_case(ArcRandom *random)
{
    static const ArcGoalKind kinds[] = {ARC_GOAL_HOOP, ARC_GOAL_POINT, ARC_GOAL_AREA};
    Case c = {.name = "any",
              .is_space = arc_random_uniform(random, 0, 1) < 0.5,
              .kind = kinds[(int)arc_random_uniform(random, 0, 3)],
              .speed = NAN,
              .angle_deg = arc_random_uniform(random, 42, 70),
              .randomise = arc_random_uniform(random, 0, 1) < 0.7
                               ? ""
                               : "randomise: {wind_x: {mean: 0 m/s, sd: 0.4 m/s}, mass: [0.6 kg, "
                                 "0.64 kg]}\n"};
    double scale = pow(10.0, arc_random_uniform(random, -1.5, 0.7));
    c.speed_sd = scale * arc_random_uniform(random, 0, 0.15);
    c.angle_sd = scale * arc_random_uniform(random, 0, 3.0);
    c.side_sd = scale * arc_random_uniform(random, 0, 3.0);
    c.cd_sd = arc_random_uniform(random, 0, 1) < 0.5 ? 0.0 : scale * 0.1;
    return c;
}

static void test_aim_chance_of_any_throw(void **state)
{
    (void)state;
    ArcRandom random = arc_random_create(1, ARC_STREAM_TRUTH);
    int n = slow_is_wanted() ? 400 : FEWER(12, 3), throws = slow_is_wanted() ? 20000 : 2000;
    int valid = 0, off_though_valid = 0, right_though_flagged = 0;
    double worst = 0.0;
    for (int k = 0; k < n; k++) {
        ArcError err;
        ArcBelief belief;
        ArcAimChance chance;
        double values[ARC_MAX_PARAMETERS];
        const Case c = any_case(&random);
        ArcExperiment *e = experiment_of(&c);
        belief_of(&c, e, &belief);
        throw_of(&c, e, values);
        values[arc_experiment_parameter(e, "speed")] += arc_random_uniform(&random, -0.05, 0.05);
        ArcStatus status = arc_aim_chance(e, &belief, values, &chance, &err);
        if (status == ARC_OK)
            status =
                arc_aim_check_chance(e, &belief, values, (ArcAimTrial){throws, 2}, &chance, &err);
        assert_true(status == ARC_OK || status == ARC_NUMERIC);
        if (status == ARC_OK) {
            double off = fabs(chance.value - chance.checked);
            double sure = 3.0 * chance.checked_sd;
            off_though_valid += chance.is_valid && off > 0.01 + sure;
            right_though_flagged += !chance.is_valid && off < 0.002;
            valid += chance.is_valid;
            worst = chance.is_valid ? fmax(worst, off - sure) : worst;
        }
        arc_experiment_free(e);
    }
    if (slow_is_wanted())
        print_message("of %d any throws %d valid, of these %d surely off by more than 0.01 (surely "
                      "%.4f at most); %d flagged that are 0.002 off at most\n",
                      n, valid, off_though_valid, worst, right_though_flagged);
    assert_int_equal(off_though_valid, 0);
    assert_true(valid > n / 3);
}

#define FALL CASE_HEAD "flight: {drag: none, gravity: 9.81 m/s^2}\nparameters: {x0: 0, y0: 1.5 m, "
#define FALL_END "vx0: 6 m/s, vy0: 4 m/s}\n"
static const double fall_s = 0.5; /* to x = 3 m */

/* Across a wall the height is linear in vy0 and y0. */
static void test_aim_chance_free_fall_is_the_normal_distribution(void **state)
{
    (void)state;
    ArcError err;
    ArcAimChance chance;
    double values[ARC_MAX_PARAMETERS], height = 1.5 + 4.0 * fall_s - 0.5 * 9.81 * fall_s * fall_s;
    ArcExperiment *e = hit_area(FALL FALL_END, 0, 3.0, height - 0.05, 0, 0.1);
    hit_values(e, values);
    hit_scatter(e, "vy0", 0.3);
    hit_scatter(e, "y0", 0.02);
    assert_int_equal(arc_aim_chance(e, NULL, values, &chance, &err), ARC_OK);
    double sd = hypot(0.3 * fall_s, 0.02), expected = arc_normal_within(0.05, sd, -0.1, 0.1);
    assert_true(fabs(chance.value - expected) < 1e-8 && chance.is_valid);
    assert_true(fabs(chance.offset_sd_m[1] - sd) < 1e-8 && chance.offset_sd_m[0] == 0.0);
    assert_true(isnan(chance.checked) && isnan(chance.checked_sd));
    assert_int_equal(arc_aim_check_chance(e, NULL, values, (ArcAimTrial){40000, 1}, &chance, &err),
                     ARC_OK);
    assert_true(fabs(chance.checked - expected) < 4.0 * chance.checked_sd);
    assert_true(fabs(chance.checked_sd - sqrt(expected * (1 - expected) / 40000)) < 1e-4);
    assert_true(fabs(chance.value - expected) < 1e-8 && chance.is_valid);
    arc_experiment_free(e);
}

/* Of an arm: a belief of its links, its joints' scatter. */
static void test_aim_chance_of_an_arm(void **state)
{
    (void)state;
    ArcError err;
    ArcAim *aim = NULL;
    ArcExperiment *experiment = NULL;
    const char *const overrides[] = {FEWER("aim.monte_carlo=8000", "aim.monte_carlo=500")};
    if (arc_experiment_read("experiments/aim-loop.yaml", 1, overrides, &experiment, &err) !=
            ARC_OK ||
        arc_aim_find(experiment, NULL, NULL, &aim, &err) != ARC_OK)
        fail_msg("%s", err.text);
    const ArcAimChance *chance = &aim->solutions[0].chance;
    assert_true(chance->value > 0.05 && chance->value < 0.95 && chance->offset_sd_m[0] > 0.05);
    if (!(fabs(chance->value - chance->checked) < 0.01 + 3.0 * chance->checked_sd))
        fail_msg("%.4f by linearisation, %.4f +- %.4f by throws", chance->value, chance->checked,
                 chance->checked_sd);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

/* Two that are uncertain together and make up for each other leave nothing. */
static void test_aim_chance_takes_the_belief_with_its_correlations(void **state)
{
    (void)state;
    ArcError err;
    ArcAimChance chance;
    ArcBelief belief;
    double values[ARC_MAX_PARAMETERS], height = 1.5 + 4.0 * fall_s - 0.5 * 9.81 * fall_s * fall_s;
    ArcExperiment *e = hit_area(FALL FALL_END, 0, 3.0, height, 0, 0.1);
    int n = e->n_parameters, y = arc_experiment_parameter(e, "y0");
    int vy = arc_experiment_parameter(e, "vy0");
    hit_values(e, values);
    for (int sign = -1; sign <= 1; sign += 2) {
        belief = (ArcBelief){.n = n};
        belief.covariance[vy * n + vy] = 0.04;
        belief.covariance[y * n + y] = 0.04 * fall_s * fall_s;
        belief.covariance[y * n + vy] = belief.covariance[vy * n + y] = sign * 0.04 * fall_s;
        assert_int_equal(arc_aim_chance(e, &belief, values, &chance, &err), ARC_OK);
        double sd = sign < 0 ? 0.0 : 2.0 * 0.2 * fall_s;
        assert_true(fabs(chance.offset_sd_m[1] - sd) < 1e-8);
        assert_true(fabs(chance.value - arc_normal_within(0, sd, -0.1, 0.1)) < 1e-8);
        assert_int_equal(
            arc_aim_check_chance(e, &belief, values, (ArcAimTrial){20000, 1}, &chance, &err),
            ARC_OK);
        assert_true(fabs(chance.checked - chance.value) <= 4.0 * chance.checked_sd);
    }
    arc_experiment_free(e);
}

/* The middle of what is randomised is its own distribution's, whatever the throw says. */
static void test_aim_chance_randomised_is_about_its_own_mean(void **state)
{
    (void)state;
    ArcError err;
    ArcAimChance chance;
    double values[ARC_MAX_PARAMETERS];
    double height = 1.5 + 4.0 * fall_s - 0.5 * 9.81 * fall_s * fall_s;
    ArcExperiment *e =
        hit_area(FALL "vx0: 6 m/s, vy0: {fixed: 3 m/s}}\n"
                      "randomise: {vy0: {mean: 4 m/s, sd: 0.3 m/s}, gravity: [9.8, 9.9]}\n",
                 0, 3.0, height, 0, 0.1);
    hit_values(e, values);
    assert_int_equal(arc_aim_chance(e, NULL, values, &chance, &err), ARC_OK);
    double of_g = 0.5 * fall_s * fall_s, sd = hypot(0.3 * fall_s, of_g * 0.1 / sqrt(12.0));
    double expected = arc_normal_within(-of_g * 0.04, sd, -0.1, 0.1);
    if (!(fabs(chance.value - expected) < 1e-7))
        fail_msg("%.9g, not %.9g", chance.value, expected);
    assert_true(chance.is_valid);
    assert_int_equal(arc_aim_check_chance(e, NULL, values, (ArcAimTrial){20000, 1}, &chance, &err),
                     ARC_OK);
    assert_true(fabs(chance.checked - expected) < 4.0 * chance.checked_sd);
    arc_experiment_free(e);
}

/* A normal quantity that is cut off has another mean and sd: of the half above its mean
 * sqrt(2 / pi) and sqrt(1 - 2 / pi). */
static void test_aim_chance_takes_a_cut_off_quantity_as_it_is(void **state)
{
    (void)state;
    ArcError err;
    ArcAimChance chance;
    double values[ARC_MAX_PARAMETERS];
    ArcExperiment *e = hit_area(FALL "vx0: 6 m/s, vy0: 4 m/s}\n"
                                     "randomise: {y0: {mean: 1.5 m, sd: 0.1 m}}\n",
                                0, 3.0, 2.3, 0, 0.1);
    hit_values(e, values);
    e->randomise.quantities[0].low = 1.5;
    assert_int_equal(arc_aim_chance(e, NULL, values, &chance, &err), ARC_OK);
    double sd = 0.1 * sqrt(1.0 - 2.0 / M_PI), of_mean = 0.1 * sqrt(2.0 / M_PI);
    double middle = 1.5 + of_mean + 4.0 * fall_s - 0.5 * 9.81 * fall_s * fall_s;
    assert_true(fabs(chance.offset_sd_m[1] - sd) < 1e-9);
    assert_true(fabs(chance.value - arc_normal_within(middle - 2.3, sd, -0.1, 0.1)) < 1e-7);
    /* Which is no normal number. */
    assert_false(chance.is_valid);
    arc_experiment_free(e);
}

/* Balls off the rim are hits of throws flown one by one alone. */
static void test_aim_check_chance_with_contact_counts_touches(void **state)
{
    (void)state;
    ArcError err;
    ArcAimChance clean, touched;
    double values[ARC_MAX_PARAMETERS];
    int throws = FEWER(1500, 200);
    for (int k = 2; k < 10; k += 7) { /* the second has a wind, so that each throw has a rim */
        ArcExperiment *e = experiment_of(&cases[k]);
        throw_of(&cases[k], e, values);
        assert_int_equal(arc_aim_chance(e, NULL, values, &clean, &err), ARC_OK);
        assert_int_equal(
            arc_aim_check_chance(e, NULL, values, (ArcAimTrial){throws, 2}, &clean, &err), ARC_OK);
        e->aim.contact.is_on = true;
        assert_int_equal(arc_aim_chance(e, NULL, values, &touched, &err), ARC_OK);
        assert_int_equal(
            arc_aim_check_chance(e, NULL, values, (ArcAimTrial){throws, 2}, &touched, &err),
            ARC_OK);
        assert_true(touched.value == clean.value && clean.is_valid && !touched.is_valid);
        assert_true(touched.checked > clean.checked + 0.1 && touched.checked < 1.0);
        arc_experiment_free(e);
    }
}

static void test_aim_chance_without_scatter_is_nan(void **state)
{
    (void)state;
    ArcError err;
    ArcAimChance chance;
    ArcBelief belief;
    double values[ARC_MAX_PARAMETERS];
    ArcExperiment *e = hit_area(FALL FALL_END, 0, 3.0, 2.0, 0, 0.1);
    hit_values(e, values);
    belief = (ArcBelief){.n = e->n_parameters};
    /* What a flight does not depend on is no scatter of it. */
    hit_scatter(e, "t0", 0.1);
    assert_int_equal(arc_aim_chance(e, &belief, values, &chance, &err), ARC_OK);
    assert_true(isnan(chance.value) && !chance.is_valid);
    /* A wall behind the throw is never met. */
    e->aim.goal.point_m[0] = -1.0;
    hit_scatter(e, "vy0", 0.1);
    assert_int_equal(arc_aim_chance(e, &belief, values, &chance, &err), ARC_NUMERIC);
    assert_int_equal(arc_aim_check_chance(e, NULL, values, (ArcAimTrial){1000, 1}, &chance, &err),
                     ARC_OK);
    assert_true(chance.checked == 0.0 && chance.checked_sd == 0.0);
    arc_experiment_free(e);
}

static void test_aim_check_chance_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    for (int k = 9; k < 18; k += 8) {
        ArcError err;
        ArcAimChance chance = {0};
        double values[ARC_MAX_PARAMETERS], first = NAN;
        ArcExperiment *e = experiment_of(&cases[k]);
        throw_of(&cases[k], e, values);
        for (int threads = 0; threads < 5; threads++) {
            assert_int_equal(
                arc_aim_check_chance(e, NULL, values, (ArcAimTrial){1777, threads}, &chance, &err),
                ARC_OK);
            assert_true(threads == 0 || chance.checked == first);
            first = chance.checked;
        }
        e->seed++;
        assert_int_equal(
            arc_aim_check_chance(e, NULL, values, (ArcAimTrial){1777, 2}, &chance, &err), ARC_OK);
        assert_true(chance.checked != first);
        arc_experiment_free(e);
    }
}

/* The linear part alone gives the same chance, again and again, and a throw elsewhere another. */
static void test_odds_linear_leaves_nothing_behind(void **state)
{
    (void)state;
    ArcError err;
    ArcArena *arena = arc_arena_create();
    for (int k = 0; k < N_CASES; k++) {
        ArcBelief belief;
        ArcAimChance once, full, again, other;
        ArcOdds *odds = NULL;
        double values[ARC_MAX_PARAMETERS];
        ArcExperiment *e = experiment_of(&cases[k]);
        belief_of(&cases[k], e, &belief);
        throw_of(&cases[k], e, values);
        assert_int_equal(arc_odds_create(e, arena, &odds, &err), ARC_OK);
        assert_true(arc_odds_linear(odds, &belief, values, &once));
        assert_true(arc_odds_full(odds, &belief, values, &full));
        values[arc_experiment_parameter(e, "speed")] += 0.02;
        assert_true(arc_odds_linear(odds, &belief, values, &other));
        values[arc_experiment_parameter(e, "speed")] -= 0.02;
        assert_true(arc_odds_linear(odds, &belief, values, &again));
        assert_true(fabs(once.value - again.value) < 1e-9 && once.value == full.value);
        assert_true(other.offset_sd_m[0] != once.offset_sd_m[0] ||
                    other.offset_sd_m[1] != once.offset_sd_m[1]);
        assert_false(once.is_valid);
        arc_experiment_free(e);
    }
    arc_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aim_chance_free_fall_is_the_normal_distribution),
        cmocka_unit_test(test_aim_chance_of_an_arm),
        cmocka_unit_test(test_aim_chance_takes_the_belief_with_its_correlations),
        cmocka_unit_test(test_aim_chance_randomised_is_about_its_own_mean),
        cmocka_unit_test(test_aim_chance_takes_a_cut_off_quantity_as_it_is),
        cmocka_unit_test(test_aim_check_chance_with_contact_counts_touches),
        cmocka_unit_test(test_aim_chance_without_scatter_is_nan),
        cmocka_unit_test(test_aim_check_chance_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(test_odds_linear_leaves_nothing_behind),
        cmocka_unit_test(test_aim_chance_holds_where_it_says_so),
        cmocka_unit_test(test_aim_chance_of_any_throw),
    };
    return cmocka_run_group_tests_name("chance", tests, NULL, NULL);
}
