/* Bounces and the targets of derived numbers in experiments: read, and refused at their places. */
#include "arcfit/experiment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static ArcExperiment *parse(const char *text)
{
    ArcError err;
    ArcExperiment *experiment = NULL;
    if (arc_experiment_parse("f.yaml", text, strlen(text), 0, NULL, &experiment, &err) != ARC_OK)
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

static void test_parse_bounce_makes_parameters_of_its_coefficients(void **state)
{
    (void)state;
    ArcExperiment *experiment =
        parse("arcfit: 1\nflight: {ball: basketball, lift: rational, bounce: {plane: y = 12 cm, "
              "restitution: 0.8, friction: 0.3}}\nparameters: {restitution: free, friction: "
              "{start: 0.2}}\nfit: {methods: [direct]}\n");
    const ArcBounce *bounce = &experiment->flight.settings.bounce;
    assert_true(bounce->is_on);
    assert_int_equal(bounce->plane.axis, 1);
    assert_true(bounce->plane.level_m == 0.12);
    int first = experiment->flight.bounce_index;
    const ArcParameter *parameters = experiment->parameters + first;
    assert_int_equal(first, experiment->flight.n_parameters - 3);
    assert_string_equal(parameters[0].name, "restitution");
    assert_true(parameters[0].is_free && parameters[0].start == 0.8);
    assert_string_equal(parameters[1].name, "friction");
    assert_true(parameters[1].is_free && parameters[1].start == 0.2);
    assert_string_equal(parameters[2].name, "spin_coupling");
    assert_true(!parameters[2].is_free && parameters[2].start == 1.5);
    assert_string_equal(recorded(experiment, "flight.bounce.restitution"), "0.8");
    arc_experiment_free(experiment);
    experiment = parse("arcfit: 1\nflight: {bounce: none}\n");
    assert_false(experiment->flight.settings.bounce.is_on);
    assert_int_equal(experiment->flight.n_parameters, 0);
    arc_experiment_free(experiment);
}

static void test_parse_targets_of_all_kinds_are_read(void **state)
{
    (void)state;
    ArcExperiment *experiment = parse(
        "arcfit: 1\nflight: {dimensions: 3}\nderived:\n  floor: {plane: z=0.12 m}\n  a-1: "
        "{height: 10 ft}\n  post_2: {point: [1, 2 cm, 3]}\n  hoop: {rim: {centre: [4, 0, 3.05], "
        "radius: 9 in}}\n");
    const ArcTarget *t = experiment->targets;
    assert_int_equal(experiment->n_targets, 4);
    assert_string_equal(t[0].name, "floor");
    assert_int_equal(t[0].kind, ARC_TARGET_PLANE);
    assert_true(t[0].plane.axis == 2 && t[0].plane.level_m == 0.12);
    assert_string_equal(t[1].name, "a-1");
    assert_int_equal(t[1].kind, ARC_TARGET_HEIGHT);
    assert_true(t[1].height_m > 3.0479 && t[1].height_m < 3.0481);
    assert_int_equal(t[2].kind, ARC_TARGET_POINT);
    assert_true(t[2].point_m[0] == 1 && t[2].point_m[1] == 0.02 && t[2].point_m[2] == 3);
    assert_int_equal(t[3].kind, ARC_TARGET_RIM);
    assert_true(t[3].centre_m[2] == 3.05 && t[3].radius_m > 0.2285 && t[3].radius_m < 0.2287);
    assert_string_equal(recorded(experiment, "derived.floor.plane"), "z=0.12 m");
    assert_string_equal(recorded(experiment, "derived.hoop.rim.centre"), "[4, 0, 3.05]");
    arc_experiment_free(experiment);
}

static void assert_refused(const char *line, const char *message)
{
    char text[1024];
    ArcError err = {ARC_OK, ""};
    ArcExperiment *experiment = NULL;
    snprintf(text, sizeof text, "arcfit: 1\n%s\n", line);
    ArcStatus status =
        arc_experiment_parse("f.yaml", text, strlen(text), 0, NULL, &experiment, &err);
    if (status != ARC_INPUT || strstr(err.text, message) == NULL)
        fail_msg("%s gives status %d, '%s' without '%s'", line, (int)status, err.text, message);
    assert_null(experiment);
}

static void test_parse_broken_targets_are_refused_at_their_places(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } rows[] = {
        {"derived: 3", "f.yaml:2:10: error: '3' is not accepted for derived; wanted: a mapping"},
        {"derived: {a: 3}", "f.yaml:2:14: error: '3' is not accepted for derived.a; wanted: a map"},
        {"derived: {a: {}}", "f.yaml:2:11: error: derived.a has 0 keys; wanted: one of plane"},
        {"derived: {a: {height: 3, plane: y=1}}", "f.yaml:2:11: error: derived.a has 2 keys"},
        {"derived: {a: {hight: 3}}", "f.yaml:2:15: error: unknown key 'hight' in derived.a; did "
                                     "you mean 'height'?"},
        {"derived: {A: {height: 3}}", "f.yaml:2:11: error: 'A' in derived is no name of 1 to 20"},
        {"derived: {\"a b\": {height: 3}}", "f.yaml:2:11: error: 'a b' in derived is no name"},
        {"derived: {abcdefghijklmnopqrstu: {height: 3}}", "is no name of 1 to 20"},
        {"derived: {apex: {height: 3}}", "f.yaml:2:11: error: 'apex' in derived is what numbers of "
                                         "every fit are called"},
        {"derived: {a: {height: 3 kg}}", "f.yaml:2:23: error: "},
        {"derived: {a: {plane: 3}}", "f.yaml:2:22: error: '3' is not accepted for derived.a.plane; "
                                     "wanted: axis=level, as y=0.12 m"},
        {"derived: {a: {plane: w=3}}", "f.yaml:2:22: error: 'w=3' is not accepted"},
        {"derived: {a: {plane: z=3}}", "f.yaml:2:22: error: derived.a.plane stands across z"},
        {"derived: {a: {plane: y=}}", "f.yaml:2:22: error: "},
        {"derived: {a: {plane: y=1e9}}", "f.yaml:2:22: error: derived.a.plane is "},
        {"derived: {a: {point: [1]}}", "f.yaml:2:22: error: derived.a.point has 1 entries; wanted: "
                                       "one position for each of 2"},
        {"derived: {a: {point: [1, .inf]}}", "f.yaml:2:26: error: "},
        {"derived: {a: {rim: {radius: 1}}}", "f.yaml:2:15: error: 'centre' is missing"},
        {"derived: {a: {rim: {centre: [1, 2]}}}", "f.yaml:2:15: error: 'radius' is missing"},
        {"derived: {a: {rim: {centre: [1, 2], radius: 0}}}", "f.yaml:2:45: error: derived.a.rim."
                                                             "radius is '0', out of its range"},
        {"derived: {a: {rim: {radius: 1, center: [1, 2]}}}", "did you mean 'centre'?"},
        {"derived: {a: {height: 1}, b: {height: 1}, c: {height: 1}, d: {height: 1}, e: {height: "
         "1}, f: {height: 1}, g: {height: 1}, h: {height: 1}, i: {height: 1}}",
         "f.yaml:2:139: error: derived has more than 8 entries; leave some out"},
        {"flight: {bounce: yes}", "f.yaml:2:18: error: 'yes' is not accepted for flight.bounce"},
        {"flight: {bounce: {restitution: 0.5}}", "f.yaml:2:10: error: 'plane' is missing"},
        {"flight: {bounce: {plane: y=0, restitution: 1.2}}", "f.yaml:2:44: error: flight.bounce."
                                                             "restitution is '1.2', out of"},
        {"flight: {bounce: {plane: z=0}}", "f.yaml:2:26: error: flight.bounce.plane stands across"},
        {"flight: {bounce: {plane: y=0}}", "f.yaml:2:18: error: the PINN fit cannot follow a "
                                           "bounce; give fit.methods: [direct]"},
        {"flight: {lift: lumped, bounce: {plane: y=0}}\nfit: {methods: [direct]}",
         "f.yaml:2:32: error: a bounce with a spin needs the ball's radius; give flight.ball"},
        {"parameters: {friction: free}", "f.yaml:2:14: error: the parameter 'friction' belongs to "
                                         "bounce: {plane: ..}, which this flight does not have"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_refused(rows[i].line, rows[i].message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_bounce_makes_parameters_of_its_coefficients),
        cmocka_unit_test(test_parse_targets_of_all_kinds_are_read),
        cmocka_unit_test(test_parse_broken_targets_are_refused_at_their_places),
    };
    return cmocka_run_group_tests_name("targets", tests, NULL, NULL);
}
