/* The section `aim`: what a file becomes, and each way to be broken with its place. */
#include "arcfit/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double degree = M_PI / 180.0;

#define THROW                                                                                      \
    "arcfit: 1\n"                                                                                  \
    "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: rational}\n"                 \
    "release: polar\n"                                                                             \
    "parameters: {x0: 0 m, y0: 1.8 m, angle: {bounds: [0, 80 deg]}}\n"
#define SPACE                                                                                      \
    "arcfit: 1\n"                                                                                  \
    "flight: {dimensions: 3, ball: basketball, drag: quadratic}\n"                                 \
    "release: polar\n"
#define ARM                                                                                        \
    "arcfit: 1\n"                                                                                  \
    "flight: {dimensions: 2, ball: basketball}\n"                                                  \
    "release: arm\n"                                                                               \
    "arm: {joints: [{length: 0.5 m}, {length: 0.4 m}]}\n"

static ArcExperiment *parse(const char *text)
{
    ArcError err = {ARC_OK, ""};
    ArcExperiment *experiment = NULL;
    if (arc_experiment_parse("lab/f.yaml", text, strlen(text), 0, NULL, &experiment, &err) !=
        ARC_OK)
        fail_msg("%s", err.text);
    return experiment;
}

static const char *recorded(const ArcExperiment *experiment, const char *path)
{
    for (int i = 0; i < experiment->n_settings; i++)
        if (strcmp(experiment->setting_paths[i], path) == 0)
            return experiment->setting_values[i];
    return "";
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-14 * fmax(1.0, fabs(expected))))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static bool is_unknown(const ArcExperiment *experiment, const char *name)
{
    return experiment->aim.unknown[arc_experiment_parameter(experiment, name)];
}

static void test_parse_hoop_with_all_keys_fills_every_field(void **state)
{
    (void)state;
    ArcExperiment *made =
        parse(THROW "aim:\n"
                    "  target: {hoop: {centre: [4.191 m, 3.048 m], radius: 9 in, backboard: "
                    "x=4.572 m}}\n"
                    "  from: ../results/throw.h5\n"
                    "  unknowns: [speed, angle, spin]\n"
                    "  time: 1200 ms\n"
                    "  angles: [50 deg, 0.9]\n"
                    "  scatter: {speed: 10 cm/s, angle: 1 deg, cd: 0.01}\n"
                    "  objectives: {speed: 1, entry_angle: -0.5}\n"
                    "  limits: {height: {most: 6 m}, clearance: {least: 2 cm}, entry_angle: "
                    "{least: 40 deg, most: 1}, energy: {most: 0.03 kJ}}\n"
                    "  pareto: [miss, speed]\n"
                    "  pareto_points: 15\n"
                    "  monte_carlo: 1000\n"
                    "  contact: {stiffness: 20 N/mm, restitution: 0.5, width: 2 mm, wire: 8 mm}\n");
    const ArcAimSettings *aim = &made->aim;
    assert_int_equal(aim->goal.kind, ARC_GOAL_HOOP);
    assert_true(arc_goal_is_target(&aim->goal));
    assert_near(aim->goal.point_m[0], 4.191);
    assert_near(aim->goal.point_m[1], 3.048);
    assert_near(aim->goal.radius_m, 0.2286);
    assert_true(aim->goal.has_backboard);
    assert_int_equal(aim->goal.backboard.axis, 0);
    assert_near(aim->goal.backboard.level_m, 4.572);
    assert_string_equal(aim->from_file, "lab/../results/throw.h5");
    int n_unknown = 0;
    for (int i = 0; i < made->n_parameters; i++)
        n_unknown += aim->unknown[i];
    assert_int_equal(n_unknown, 3);
    assert_true(is_unknown(made, "speed") && is_unknown(made, "angle") && is_unknown(made, "spin"));
    assert_near(aim->time_s, 1.2);
    assert_int_equal(aim->n_angles, 2);
    assert_near(aim->angles_rad[0], 50 * degree);
    assert_near(aim->angles_rad[1], 0.9);
    assert_near(aim->scatter_sd[arc_experiment_parameter(made, "speed")], 0.1);
    assert_near(aim->scatter_sd[arc_experiment_parameter(made, "angle")], degree);
    assert_near(aim->scatter_sd[arc_experiment_parameter(made, "cd")], 0.01);
    assert_near(aim->scatter_sd[arc_experiment_parameter(made, "spin")], 0);
    assert_near(aim->weight[ARC_AIM_SPEED], 1);
    assert_near(aim->weight[ARC_AIM_ENTRY_ANGLE], -0.5);
    assert_near(aim->weight[ARC_AIM_MISS], 0);
    assert_near(aim->most[ARC_AIM_HEIGHT], 6);
    assert_true(aim->least[ARC_AIM_HEIGHT] == -INFINITY);
    assert_near(aim->least[ARC_AIM_CLEARANCE], 0.02);
    assert_true(aim->most[ARC_AIM_CLEARANCE] == INFINITY);
    assert_near(aim->least[ARC_AIM_ENTRY_ANGLE], 40 * degree);
    assert_near(aim->most[ARC_AIM_ENTRY_ANGLE], 1);
    assert_near(aim->most[ARC_AIM_ENERGY], 30);
    assert_true(aim->has_front);
    assert_int_equal(aim->front[0], ARC_AIM_MISS);
    assert_int_equal(aim->front[1], ARC_AIM_SPEED);
    assert_int_equal(aim->n_front, 15);
    assert_int_equal(aim->monte_carlo, 1000);
    assert_true(aim->contact.is_on);
    assert_near(aim->contact.stiffness_n_m, 20000);
    assert_near(aim->contact.restitution, 0.5);
    assert_near(aim->contact.width_m, 0.002);
    assert_near(aim->contact.wire_m, 0.008);
    assert_false(aim->maximise_probability || aim->swing.is_on);
    assert_string_equal(recorded(made, "aim.scatter.speed"), "0.1 m/s");
    assert_string_equal(recorded(made, "aim.objectives.entry_angle"), "-0.5");
    assert_string_equal(recorded(made, "aim.limits.height.most"), "6 m");
    assert_string_equal(recorded(made, "aim.limits.energy.most"), "30 J");
    assert_string_equal(recorded(made, "aim.unknowns"), "[speed, angle, spin]");
    assert_string_equal(recorded(made, "aim.pareto"), "[miss, speed]");
    assert_string_equal(recorded(made, "aim.contact.wire"), "0.008 m");
    arc_experiment_free(made);
}

static void test_parse_least_target_has_the_defaults(void **state)
{
    (void)state;
    ArcExperiment *made = parse(THROW "aim: {target: {point: [5 m, 2.5 m]}}\n");
    const ArcAimSettings *aim = &made->aim, fresh = arc_aim_settings_default();
    assert_int_equal(aim->goal.kind, ARC_GOAL_POINT);
    assert_near(aim->goal.point_m[0], 5);
    assert_null(aim->from_file);
    assert_true(isnan(aim->time_s) && isnan(fresh.time_s));
    assert_int_equal(aim->n_angles, 4);
    for (int i = 0; i < 4; i++) {
        assert_near(aim->angles_rad[i], (30 + 15 * i) * degree);
        assert_near(fresh.angles_rad[i], (30 + 15 * i) * degree);
    }
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++)
        assert_true(aim->weight[k] == 0 && aim->least[k] == -INFINITY && aim->most[k] == INFINITY);
    for (int i = 0; i < made->n_parameters; i++)
        assert_true(!aim->unknown[i] && aim->scatter_sd[i] == 0);
    assert_false(aim->has_front || aim->contact.is_on || aim->swing.is_on);
    assert_int_equal(aim->n_front, fresh.n_front);
    assert_int_equal(aim->monte_carlo, 0);
    assert_string_equal(recorded(made, "aim.pareto_points"), "20");
    arc_experiment_free(made);
}

static void test_parse_area_size_goes_to_the_axes_in_its_plane(void **state)
{
    (void)state;
    ArcExperiment *made = parse(SPACE "aim: {target: {area: {plane: y=5 m, centre: [1, 5, 2], "
                                      "size: [40 cm, 1 m]}}}\n");
    const ArcGoal *goal = &made->aim.goal;
    assert_int_equal(goal->kind, ARC_GOAL_AREA);
    assert_int_equal(goal->axis, 1);
    assert_near(goal->half_m[0], 0.2);
    assert_near(goal->half_m[1], 0);
    assert_near(goal->half_m[2], 0.5);
    assert_near(goal->point_m[2], 2);
    arc_experiment_free(made);
    made = parse(SPACE "aim: {target: {area: {plane: z=0, centre: [1, 5, 0], size: 3 m}}}\n");
    assert_int_equal(made->aim.goal.axis, 2);
    assert_near(made->aim.goal.half_m[0], 1.5);
    assert_near(made->aim.goal.half_m[1], 1.5);
    assert_near(made->aim.goal.half_m[2], 0);
    arc_experiment_free(made);
    made = parse(THROW "aim: {target: {area: {plane: x=5 m, centre: [5, 2.5], size: [0.4]}}}\n");
    assert_int_equal(made->aim.goal.axis, 0);
    assert_near(made->aim.goal.half_m[0], 0);
    assert_near(made->aim.goal.half_m[1], 0.2);
    arc_experiment_free(made);
}

static void test_parse_arm_has_swing_torque_limits_and_joints_for_unknowns(void **state)
{
    (void)state;
    ArcExperiment *made =
        parse(ARM "aim: {target: {point: [1.5, 2]}, unknowns: [theta1, theta2, omega1, l1], "
                  "scatter: {theta1: 1 deg}, swing: {from: [-60 deg, 90 deg], time: 0.3 s}, "
                  "objectives: {peak_torque: 0.1}, limits: {peak_torque: {most: 3000 N cm}}}\n");
    const ArcAimSettings *aim = &made->aim;
    assert_true(aim->swing.is_on);
    assert_near(aim->swing.from_rad[0], -60 * degree);
    assert_near(aim->swing.from_rad[1], 90 * degree);
    assert_true(isnan(aim->swing.from_rad[2]));
    assert_near(aim->swing.time_s, 0.3);
    assert_near(aim->most[ARC_AIM_PEAK_TORQUE], 30);
    assert_true(is_unknown(made, "l1") && is_unknown(made, "omega1"));
    arc_experiment_free(made);
    made = parse(ARM "aim: {target: {point: [1.5, 2]}, swing: {time: 0.3 s}}\n");
    assert_true(isnan(made->aim.swing.from_rad[0]));
    arc_experiment_free(made);
}

/* What a file asks for is left out from the command line. */
static void test_parse_none_takes_back_what_the_file_asks_for(void **state)
{
    (void)state;
    static const char text[] =
        THROW "aim: {target: {hoop: {centre: [4, 3], radius: 0.2}}, scatter: {speed: 1}, maximise: "
              "probability, pareto: [miss, speed], contact: {}}\n";
    static const char *const overrides[] = {"aim.maximise=none", "aim.pareto=none",
                                            "aim.contact=none", "aim.objectives={speed: 1}"};
    ArcError err = {ARC_OK, ""};
    ArcExperiment *made = NULL;
    assert_int_equal(
        arc_experiment_parse("f.yaml", text, sizeof text - 1, 4, overrides, &made, &err), ARC_OK);
    assert_false(made->aim.maximise_probability || made->aim.has_front || made->aim.contact.is_on);
    assert_near(made->aim.weight[ARC_AIM_SPEED], 1);
    arc_experiment_free(made);
}

/* A throw may be aimed where nothing was seen. */
static void test_parse_without_a_capture_is_an_experiment(void **state)
{
    (void)state;
    ArcExperiment *made = parse(THROW "aim: {target: {point: [5, 2.5]}, maximise: probability, "
                                      "scatter: {speed: 0.1}}\n");
    assert_null(made->capture.file);
    assert_true(made->aim.maximise_probability);
    arc_experiment_free(made);
}

typedef struct Refusal {
    const char *text, *message;
} Refusal;

static void assert_refused(int n, const Refusal *rows)
{
    for (int i = 0; i < n; i++) {
        ArcError err = {ARC_OK, ""};
        ArcExperiment *experiment = NULL;
        ArcStatus status = arc_experiment_parse("f.yaml", rows[i].text, strlen(rows[i].text), 0,
                                                NULL, &experiment, &err);
        if (status != ARC_INPUT || strncmp(err.text, rows[i].message, strlen(rows[i].message)) != 0)
            fail_msg("row %d gives %d, '%s' instead of '%s'", i, (int)status, err.text,
                     rows[i].message);
        assert_null(experiment);
    }
}

#define N(rows) ((int)(sizeof(rows) / sizeof((rows)[0])))
#define AIM(keys) THROW "aim: {target: {point: [5, 2.5]}, " keys "}\n"

static void test_parse_broken_goals_are_refused_at_their_place(void **state)
{
    (void)state;
    static const Refusal rows[] = {
        {THROW "aim: {}\n", "f.yaml:5:6: error: aim is without a goal; wanted: a mapping with"},
        {THROW "aim: far\n", "f.yaml:5:6: error: 'far' is not accepted for aim"},
        {THROW "aim: {target: {}}\n", "f.yaml:5:7: error: aim.target has 0 keys; aim at one thing"},
        {THROW "aim: {target: {pont: [1, 2]}}\n",
         "f.yaml:5:16: error: unknown key 'pont' in aim.target; did you mean 'point'?"},
        {THROW "aim: {target: {point: [1, 2], hoop: {centre: [1, 2], radius: 1}}}\n",
         "f.yaml:5:31: error: aim.target has 2 keys; aim at one thing"},
        {THROW "aim: {target: {point: [1, 2, 3]}}\n",
         "f.yaml:5:23: error: aim.target.point has 3 entries"},
        {THROW "aim: {target: {point: []}}\n", "f.yaml:5:23: error: aim.target.point has 0 entr"},
        {THROW "aim: {target: {point: [1, .nan]}}\n", "f.yaml:5:27: error: "},
        {THROW "aim: {target: {point: [1, 1e300]}}\n", "f.yaml:5:27: error: aim.target.point is "},
        {THROW "aim: {target: {point: [1, 2 s]}}\n", "f.yaml:5:27: error: "},
        {THROW "aim: {target: {hoop: {centre: [1, 2]}}}\n",
         "f.yaml:5:16: error: 'radius' is missing: aim.target.hoop.radius"},
        {THROW "aim: {target: {hoop: {centre: [1, 2], radius: 0}}}\n",
         "f.yaml:5:47: error: aim.target.hoop.radius is '0', out of its range"},
        {THROW "aim: {target: {hoop: {centre: [4, 3], radius: 12 cm}}}\n",
         "f.yaml:5:47: error: a hoop of 0.24 m across lets no ball of 0.24 m through"},
        {THROW "aim: {target: {hoop: {centre: [4, 3], radius: 0.2, backboard: y=4}}}\n",
         "f.yaml:5:63: error: aim.target.hoop.backboard stands across y, which is up"},
        {THROW "aim: {target: {hoop: {centre: [4, 3], radius: 0.2, backboard: x=4.1}}}\n",
         "f.yaml:5:63: error: the backboard at x = 4.1 m cuts the hoop"},
        {THROW "aim: {target: {hoop: {centre: [4, 3], radius: 0.2, backboard: z=4}}}\n",
         "f.yaml:5:63: error: aim.target.hoop.backboard stands across z"},
        {THROW "aim: {target: {area: {plane: x=5, centre: [4, 3], size: 1}}}\n",
         "f.yaml:5:43: error: the centre's x is 4 m, but the plane stands at x = 5 m"},
        {THROW "aim: {target: {area: {plane: x=5, centre: [5, 3], size: [1, 2, 3]}}}\n",
         "f.yaml:5:57: error: aim.target.area.size has 3 entries; wanted: one length, or 1"},
        {THROW "aim: {target: {area: {plane: x=5, centre: [5, 3], size: []}}}\n",
         "f.yaml:5:57: error: aim.target.area.size has 0 entries"},
        {THROW "aim: {target: {area: {plane: x=5, centre: [5, 3], size: [0]}}}\n",
         "f.yaml:5:58: error: aim.target.area.size is '0', out of its range"},
        {THROW "aim: {target: {area: {plane: x=5, centre: [5, 3], size: -1 m}}}\n",
         "f.yaml:5:57: error: aim.target.area.size is '-1 m', out of its range"},
        {THROW "aim: {target: {area: {plane: w=5, centre: [5, 3], size: 1}}}\n",
         "f.yaml:5:30: error: 'w=5' is not accepted for aim.target.area.plane"},
        {ARM "aim: {release: {position: [0, 1], velocity: [1, 1]}, target: {point: [1, 2]}}\n",
         "f.yaml:5:54: error: aim has a release already; aim at one thing"},
        {ARM "aim: {release: {position: [0, 1], velocity: [1, 1]}, objectives: {speed: 1}}\n",
         "f.yaml:5:54: error: 'objectives' of aim is for a target"},
        {ARM "aim: {release: {position: [0, 1], velocity: [1, 1]}, from: a.h5}\n",
         "f.yaml:5:54: error: 'from' of aim is for a target"},
    };
    assert_refused(N(rows), rows);
}

static void test_parse_names_of_no_parameter_are_refused(void **state)
{
    (void)state;
    static const Refusal rows[] = {
        {AIM("unknowns: [sped]"), "f.yaml:5:45: error: aim.unknowns: 'sped' is no parameter of "
                                  "this throw; did you mean 'speed'? it has cd, spin, x0, y0"},
        {AIM("unknowns: []"), "f.yaml:5:44: error: aim.unknowns is an empty list"},
        {AIM("unknowns: speed"), "f.yaml:5:44: error: 'speed' is not accepted for aim.unknowns"},
        {AIM("unknowns: [[speed]]"), "f.yaml:5:45: error: aim.unknowns is a list"},
        {AIM("unknowns: [speed, speed]"), "f.yaml:5:52: error: 'speed' is given twice in aim.unkn"},
        {AIM("unknowns: [t0]"), "f.yaml:5:45: error: aim.unknowns: 't0' changes nothing"},
        {AIM("unknowns: [y0]"), "f.yaml:5:45: error: aim.unknowns: 'y0' is fixed under parameters"},
        {AIM("scatter: {sped: 1}"), "f.yaml:5:44: error: aim.scatter: 'sped' is no parameter"},
        {AIM("scatter: {speed: 0}"), "f.yaml:5:51: error: aim.scatter.speed is '0'; a standard"},
        {AIM("scatter: {speed: -1}"), "f.yaml:5:51: error: aim.scatter.speed is '-1'; a standard"},
        {AIM("scatter: {speed: .nan}"), "f.yaml:5:51: error: "},
        {AIM("scatter: {speed: .inf}"), "f.yaml:5:51: error: "},
        {AIM("scatter: {speed: 1 deg}"), "f.yaml:5:51: error: 'deg' is the unit of an angle"},
        {AIM("scatter: {speed: 1, speed: 2}"), "f.yaml:5:54: error: "},
        {AIM("scatter: [1]"), "f.yaml:5:43: error: aim.scatter is a list"},
        {ARM "aim: {target: {point: [1, 2]}, unknowns: [vx0]}\n",
         "f.yaml:5:43: error: aim.unknowns: 'vx0' follows from the arm"},
        {ARM "aim: {target: {point: [1, 2]}, scatter: {x0: 1}}\n",
         "f.yaml:5:42: error: aim.scatter: 'x0' follows from the arm"},
    };
    assert_refused(N(rows), rows);
}

static void test_parse_broken_numbers_of_a_throw_are_refused(void **state)
{
    (void)state;
    static const Refusal rows[] = {
        {AIM("objectives: {sped: 1}"), "f.yaml:5:47: error: 'sped' is not accepted for "
                                       "aim.objectives; did you mean 'speed'?"},
        {AIM("objectives: {speed: .inf}"), "f.yaml:5:54: error: "},
        {AIM("objectives: {speed: 1e13}"), "f.yaml:5:54: error: aim.objectives.speed is '1e13'"},
        {AIM("objectives: {speed: 1 m/s}"), "f.yaml:5:54: error: "},
        {AIM("objectives: {peak_torque: 1}"),
         "f.yaml:5:47: error: aim.objectives: peak_torque: there is no arm"},
        {AIM("objectives: {clearance: -1}"),
         "f.yaml:5:47: error: aim.objectives: clearance: a point has no rim to clear"},
        {AIM("limits: {height: {least: 3, most: 2 m}}"),
         "f.yaml:5:59: error: aim.limits.height: least, '3', is more than most, '2 m'"},
        {AIM("limits: {height: {}}"), "f.yaml:5:51: error: aim.limits.height is a mapping without"},
        {AIM("limits: {height: 3}"), "f.yaml:5:51: error: '3' is not accepted for aim.limits.hei"},
        {AIM("limits: {height: {moist: 3}}"),
         "f.yaml:5:52: error: unknown key 'moist' in aim.limits.height; did you mean 'most'?"},
        {AIM("limits: {speed: {most: -1}}"), "f.yaml:5:57: error: aim.limits.speed.most is '-1'"},
        {AIM("limits: {speed: {most: .nan}}"), "f.yaml:5:57: error: "},
        {AIM("limits: {entry_angle: {most: 100 deg}}"),
         "f.yaml:5:63: error: aim.limits.entry_angle.most is '100 deg', out of its range"},
        {AIM("limits: {miss: {most: 1 cm}}"), "f.yaml:5:43: error: aim.limits: miss: a throw that"},
        {AIM("pareto: [miss]"), "f.yaml:5:42: error: aim.pareto has 1 entries; wanted: none, or"},
        {AIM("pareto: [miss, speed, time]"), "f.yaml:5:42: error: aim.pareto has 3 entries"},
        {AIM("pareto: [speed, speed]"), "f.yaml:5:50: error: 'speed' is given twice"},
        {AIM("pareto: [miss, torque]"), "f.yaml:5:49: error: 'torque' is not accepted"},
        {AIM("pareto: [miss, peak_torque]"), "f.yaml:5:49: error: aim.pareto: peak_torque: there"},
        {AIM("pareto_points: 1"), "f.yaml:5:49: error: aim.pareto_points is 1, out of its range"},
        {AIM("monte_carlo: -1"), "f.yaml:5:47: error: aim.monte_carlo is -1, out of its range"},
        {ARM "aim: {target: {point: [1, 2]}, limits: {peak_torque: {most: 3}}}\n",
         "f.yaml:5:41: error: aim.limits: peak_torque: it is of the swing"},
    };
    assert_refused(N(rows), rows);
}

static void test_parse_keys_that_disagree_are_refused(void **state)
{
    (void)state;
    static const Refusal rows[] = {
        {AIM("time: 0 s"), "f.yaml:5:40: error: aim.time is '0 s', out of its range"},
        {AIM("time: 61 s"), "f.yaml:5:40: error: aim.time is '61 s', out of its range"},
        {AIM("angles: []"), "f.yaml:5:42: error: aim.angles has 0 entries; wanted: a list of 1 to"},
        {AIM("angles: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"),
         "f.yaml:5:42: error: aim.angles has 17 entries"},
        {AIM("angles: [91 deg]"), "f.yaml:5:43: error: aim.angles is '91 deg', out of its range"},
        {AIM("maximise: speed"), "f.yaml:5:44: error: 'speed' is not accepted for aim.maximise; "
                                 "wanted: none, or probability"},
        {AIM("maximise: probability"), "f.yaml:5:34: error: aim.maximise asks for a probability, "
                                       "but nothing scatters"},
        {AIM("monte_carlo: 10"), "f.yaml:5:34: error: aim.monte_carlo asks for a probability"},
        {AIM("maximise: probability, scatter: {speed: 1}, objectives: {speed: 1}"),
         "f.yaml:5:34: error: aim has both maximise and objectives"},
        {AIM("contact: {}"), "f.yaml:5:34: error: aim.contact is of rim and backboard"},
        {THROW "aim: {target: {hoop: {centre: [4, 3], radius: 1}}, contact: {restitution: 2}}\n",
         "f.yaml:5:75: error: aim.contact.restitution is '2', out of its range"},
        {THROW "aim: {target: {hoop: {centre: [4, 3], radius: 1}}, contact: {wire: 0}}\n",
         "f.yaml:5:68: error: aim.contact.wire is '0', out of its range"},
        {AIM("swing: {time: 1}"), "f.yaml:5:34: error: aim.swing is for a throw of an arm"},
        {ARM "aim: {target: {point: [1, 2]}, swing: {from: [1], time: 1}}\n",
         "f.yaml:5:46: error: aim.swing.from has 1 entries; wanted: one angle for each of 2"},
        {ARM "aim: {target: {point: [1, 2]}, swing: {from: [1, 2]}}\n",
         "f.yaml:5:32: error: 'time' is missing: aim.swing.time"},
        {ARM "aim: {target: {point: [1, 2]}, swing: {time: 0}}\n",
         "f.yaml:5:46: error: aim.swing.time is '0', out of its range"},
        {AIM("from: \"\""), "f.yaml:5:40: error: aim.from is empty"},
        {AIM("unknown: [speed]"), "f.yaml:5:34: error: unknown key 'unknown' in aim; did you mean"},
    };
    assert_refused(N(rows), rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_hoop_with_all_keys_fills_every_field),
        cmocka_unit_test(test_parse_least_target_has_the_defaults),
        cmocka_unit_test(test_parse_area_size_goes_to_the_axes_in_its_plane),
        cmocka_unit_test(test_parse_arm_has_swing_torque_limits_and_joints_for_unknowns),
        cmocka_unit_test(test_parse_none_takes_back_what_the_file_asks_for),
        cmocka_unit_test(test_parse_without_a_capture_is_an_experiment),
        cmocka_unit_test(test_parse_broken_goals_are_refused_at_their_place),
        cmocka_unit_test(test_parse_names_of_no_parameter_are_refused),
        cmocka_unit_test(test_parse_broken_numbers_of_a_throw_are_refused),
        cmocka_unit_test(test_parse_keys_that_disagree_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
