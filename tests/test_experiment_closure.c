/* The `closure` of an experiment: what a file becomes, and each way to be broken. */
#include "experiment/reader.h"
#include "experiment/special.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char ball[] =
    "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: linear}\n";
static const char space[] = "flight: {dimensions: 3, ball: basketball, drag: none, lift: none}\n";
static const char lumped[] = "flight: {dimensions: 2, drag: lumped}\n";

static ArcStatus try_parse(const char *flight, const char *closure, ArcExperiment **experiment,
                           ArcError *error)
{
    char text[1024];
    snprintf(text, sizeof text, "arcfit: 1\n%s%s%s", flight,
             closure[0] == '\0' ? "" : "closure: ", closure);
    return arc_experiment_parse("lab/f.yaml", text, strlen(text), 0, NULL, experiment, error);
}

static ArcExperiment *parse(const char *flight, const char *closure)
{
    ArcError error = {ARC_OK, ""};
    ArcExperiment *experiment = NULL;
    if (try_parse(flight, closure, &experiment, &error) != ARC_OK)
        fail_msg("%s: %s", closure, error.text);
    return experiment;
}

static void refused(const char *flight, const char *closure, const char *place, const char *what)
{
    ArcError error = {ARC_OK, ""};
    ArcExperiment *experiment = NULL;
    assert_int_equal(try_parse(flight, closure, &experiment, &error), ARC_INPUT);
    assert_null(experiment);
    if (strncmp(error.text, place, strlen(place)) != 0 || strstr(error.text, what) == NULL)
        fail_msg("'%s' is not at %s or does not say '%s'", error.text, place, what);
}

static const char *recorded(const ArcExperiment *experiment, const char *path)
{
    for (int i = 0; i < experiment->n_settings; i++)
        if (strcmp(experiment->setting_paths[i], path) == 0)
            return experiment->setting_values[i];
    return "";
}

static void test_parse_without_a_closure_there_is_none(void **state)
{
    (void)state;
    const char *const texts[] = {"", "none\n"};
    for (int i = 0; i < 2; i++) {
        ArcExperiment *made = parse(ball, texts[i]);
        assert_false(made->closure.is_on);
        assert_string_equal(recorded(made, "closure"), "none");
        arc_experiment_free(made);
    }
}

static void test_parse_least_closure_adds_accelerations_on_all_axes(void **state)
{
    (void)state;
    ArcExperiment *made = parse(ball, "{inputs: [x, y]}\n");
    const ArcClosureSettings *closure = &made->closure;
    assert_true(closure->is_on && closure->net_auto);
    assert_int_equal(closure->n_inputs, 2);
    assert_int_equal(closure->inputs[1].kind, ARC_CLOSURE_POSITION);
    assert_int_equal(closure->inputs[1].axis, 1);
    assert_int_equal(closure->output, ARC_CLOSURE_ACCELERATION);
    assert_int_equal(closure->axes, 3);
    assert_true(isnan(closure->ridge) && isnan(closure->width));
    assert_int_equal(closure->choice, ARC_CLOSURE_EVIDENCE);
    assert_false(closure->trains_all || closure->replaces);
    assert_int_equal(closure->place.line, 3);
    assert_string_equal(recorded(made, "closure.inputs"), "[x, y]");
    assert_string_equal(recorded(made, "closure.ridge"), "auto");
    assert_string_equal(recorded(made, "closure.replaces"), "false");
    arc_experiment_free(made);
}

static void test_parse_every_input_and_key_is_read(void **state)
{
    (void)state;
    static const ArcClosureInputKind kinds[] = {ARC_CLOSURE_VELOCITY, ARC_CLOSURE_SPEED,
                                                ARC_CLOSURE_HEIGHT, ARC_CLOSURE_TIME};
    ArcExperiment *made = parse(ball, "{inputs: [vy, speed, height, time], outputs: [ay], ridge: 4,"
                                      " width: 0.5, choose: cross-validation, train: all}\n");
    const ArcClosureSettings *closure = &made->closure;
    for (int i = 0; i < 4; i++)
        assert_int_equal(closure->inputs[i].kind, kinds[i]);
    assert_int_equal(closure->inputs[0].axis, 1);
    assert_int_equal(closure->axes, 2);
    assert_true(closure->ridge == 4 && closure->width == 0.5 && closure->trains_all);
    assert_int_equal(closure->choice, ARC_CLOSURE_CROSS_VALIDATION);
    arc_experiment_free(made);
    made = parse(space, "{inputs: [vz, z], outputs: [x, az]}\n");
    assert_int_equal(made->closure.inputs[0].axis, 2);
    assert_int_equal(made->closure.axes, 5);
    arc_experiment_free(made);
}

static void test_parse_cd_without_a_law_replaces_it(void **state)
{
    (void)state;
    ArcExperiment *made = parse(space, "{inputs: [speed], outputs: cd}\n");
    assert_int_equal(made->closure.output, ARC_CLOSURE_CD);
    assert_true(made->closure.replaces && !made->flight.has_rotation);
    assert_string_equal(recorded(made, "closure.replaces"), "true");
    arc_experiment_free(made);
    made = parse(ball, "{inputs: [speed], outputs: cd, replaces: false}\n");
    assert_false(made->closure.replaces);
    arc_experiment_free(made);
}

/* A closure that gives the lift gives the flight a spin, and one that may fade. */
static void test_parse_cl_without_a_law_gives_the_flight_a_spin(void **state)
{
    (void)state;
    ArcExperiment *made =
        parse("flight: {dimensions: 3, ball: basketball, drag: quadratic, spin_decay: "
              "aerodynamic}\nparameters: {wy: {fixed: -20}}\n",
              "{inputs: [spin_ratio], outputs: cl, replaces: true}\n");
    assert_true(made->flight.has_rotation && made->closure.replaces);
    assert_string_equal(made->parameters[1].name, "wx");
    assert_string_equal(made->parameters[4].name, "spin_decay");
    arc_experiment_free(made);
    made = parse(ball, "{inputs: [spin_ratio], outputs: cl}\n");
    assert_false(made->closure.replaces);
    arc_experiment_free(made);
    refused("flight: {dimensions: 3, ball: basketball, spin_decay: aerodynamic}\n",
            "{inputs: [speed], outputs: cd}\n", "lab/f.yaml:2:", "no spin to act on");
}

static void test_parse_wrong_inputs_are_refused_where_they_stand(void **state)
{
    (void)state;
    refused(ball, "{outputs: cd}\n", "lab/f.yaml:3:", "'inputs' is missing");
    refused(ball, "{inputs: x}\n", "lab/f.yaml:3:19:", "closure.inputs");
    refused(ball, "{inputs: []}\n", "lab/f.yaml:3:19:", "0 entries");
    refused(ball, "{inputs: [x, y, vx, vy, time]}\n", "lab/f.yaml:3:19:", "5 entries");
    refused(ball, "{inputs: [x, z]}\n", "lab/f.yaml:3:23:", "'z' is no input");
    refused(ball, "{inputs: [vz]}\n", "lab/f.yaml:3:20:", "vx, vy, speed");
    refused(ball, "{inputs: [wind]}\n", "lab/f.yaml:3:20:", "spin_ratio, time");
    refused(ball, "{inputs: [x, [y]]}\n", "lab/f.yaml:3:23:", "a list");
    refused(ball, "{inputs: [x, x]}\n", "lab/f.yaml:3:23:", "already");
    refused(ball, "{inputs: [height, y]}\n", "lab/f.yaml:3:28:", "already");
    refused(lumped, "{inputs: [spin_ratio]}\n", "lab/f.yaml:3:20:", "needs a ball");
    refused(space, "{inputs: [spin_ratio]}\n", "lab/f.yaml:3:20:", "needs a spin");
}

static void test_parse_wrong_outputs_are_refused_where_they_stand(void **state)
{
    (void)state;
    refused(lumped, "{inputs: [speed], outputs: cd}\n", "lab/f.yaml:3:37:", "cd needs a ball");
    refused(lumped, "{inputs: [x], outputs: cl}\n", "lab/f.yaml:3:33:", "cl needs a ball");
    refused(ball, "{inputs: [x], outputs: force}\n", "lab/f.yaml:3:33:", "'force'");
    refused(ball, "{inputs: [x], outputs: []}\n", "lab/f.yaml:3:33:", "an empty list");
    refused(ball, "{inputs: [x], outputs: [z]}\n", "lab/f.yaml:3:34:", "'z' is no output");
    refused(ball, "{inputs: [x], outputs: [x, ax]}\n", "lab/f.yaml:3:37:", "twice");
}

static void test_parse_replaces_must_fit_the_laws(void **state)
{
    (void)state;
    refused(ball, "{inputs: [x], replaces: true}\n", "lab/f.yaml:3:34:", "none");
    refused(ball, "{inputs: [speed], outputs: cd, replaces: true}\n",
            "lab/f.yaml:3:51:", "flight.drag: none");
    refused(ball, "{inputs: [spin_ratio], outputs: cl, replaces: true}\n",
            "lab/f.yaml:3:56:", "flight.lift: none");
    refused(space, "{inputs: [speed], outputs: cd, replaces: false}\n",
            "lab/f.yaml:3:51:", "no law of drag");
}

static void test_parse_wrong_values_are_refused_where_they_stand(void **state)
{
    (void)state;
    refused(ball, "field\n", "lab/f.yaml:3:10:", "none, or a mapping");
    refused(ball, "{inputs: [x], ridge: 0}\n", "lab/f.yaml:3:31:", "out of its range");
    refused(ball, "{inputs: [x], width: wide}\n", "lab/f.yaml:3:31:", "auto, or a number");
    refused(ball, "{inputs: [x], width: 1e4}\n", "lab/f.yaml:3:31:", "out of its range");
    refused(ball, "{inputs: [x], choose: luck}\n", "lab/f.yaml:3:32:", "cross-validation");
    refused(ball, "{inputs: [x], train: none}\n", "lab/f.yaml:3:31:", "output, or all");
    refused(ball, "{inputs: [x], weights: 3}\n", "lab/f.yaml:3:24:", "unknown key 'weights'");
    refused(ball, "{inputs: [x], net: nowhere.yaml}\n", "lab/f.yaml:3:29:", "nowhere.yaml");
}

/* A net file of these keys, as the closure's; refused with what it says, or read where that is
 * NULL. */
static void check_net(const char *keys, const char *what)
{
    char path[] = "/tmp/arcfit-closure-XXXXXX", closure[128];
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    fprintf(stream, "net: 1\n%s", keys);
    fclose(stream);
    snprintf(closure, sizeof closure, "{inputs: [x], net: %s}\n", path);
    if (what != NULL) {
        refused(ball, closure, "lab/f.yaml:3:29:", what);
    } else {
        ArcExperiment *made = parse(ball, closure);
        assert_false(made->closure.net_auto);
        assert_int_equal(made->closure.net.widths[0], 8);
        assert_int_equal(made->closure.net.activation, ARC_ACTIVATION_SIN);
        assert_true(made->pinn.net_auto);
        arc_experiment_free(made);
    }
    unlink(path);
}

static void test_parse_net_files_have_one_spread_layer(void **state)
{
    (void)state;
    check_net("hidden: [8]\nactivation: sin\n", NULL);
    check_net("hidden: [8, 8]\n", "2 hidden layers");
    check_net("hidden: [600]\n", "600 units");
    check_net("hidden: [8]\ninit: glorot-normal\n", "an init of its own");
    check_net("hidden: [8]\nfourier: {modes: 2}\n", "fourier modes");
}

static void test_parse_shipped_net_is_one_of_eight_units(void **state)
{
    (void)state;
    char folder[400], closure[512];
    assert_non_null(getcwd(folder, sizeof folder)); /* tests run in the project's folder */
    snprintf(closure, sizeof closure, "{inputs: [x, y], net: %s/nets/closure-8.yaml}\n", folder);
    ArcExperiment *made = parse(ball, closure);
    assert_int_equal(made->closure.net.n_hidden, 1);
    assert_int_equal(made->closure.net.widths[0], 8);
    assert_int_equal(made->closure.net.activation, ARC_ACTIVATION_TANH);
    arc_experiment_free(made);
}

/* Own equations with states a and b of second order, as the reader meets them. */
static ArcStatus read_for_equations(const char *text, int order, ArcExperiment *experiment,
                                    ArcError *error)
{
    static const char *const names[] = {"a", "b", "va", "vb"};
    static ArcEquations equations;
    equations = (ArcEquations){.order = order, .n_states = 2, .n_channels = 2 * order};
    for (int i = 0; i < equations.n_channels; i++)
        equations.channels[i].name = names[i];
    ArcArena *arena = arc_arena_create();
    ArcYamlNode *root = NULL;
    *experiment = (ArcExperiment){.path = "f.yaml",
                                  .equations = &equations,
                                  .flight_settings = arc_flight_settings_default()};
    ArcReader reader = {.arena = arena, .experiment = experiment, .folder = "."};
    assert_int_equal(arc_yaml_parse("f.yaml", text, strlen(text), arena, &root, error), ARC_OK);
    reader.root = root;
    ArcSetting setting = {arc_setting_find("closure"), "closure", arc_yaml_find(root, "closure"),
                          experiment};
    ArcStatus status = arc_special_closure(&reader, &setting, error);
    arc_arena_free(arena);
    return status;
}

static void test_read_of_own_equations_takes_their_names(void **state)
{
    (void)state;
    ArcExperiment made;
    ArcError error = {ARC_OK, ""};
    assert_int_equal(
        read_for_equations("closure: {inputs: [b, va, time], outputs: [b]}\n", 2, &made, &error),
        ARC_OK);
    assert_int_equal(made.closure.inputs[0].kind, ARC_CLOSURE_POSITION);
    assert_int_equal(made.closure.inputs[0].axis, 1);
    assert_int_equal(made.closure.inputs[1].kind, ARC_CLOSURE_VELOCITY);
    assert_int_equal(made.closure.inputs[1].axis, 0);
    assert_int_equal(made.closure.inputs[2].kind, ARC_CLOSURE_TIME);
    assert_int_equal(made.closure.axes, 2);
    assert_int_equal(read_for_equations("closure: {inputs: [a]}\n", 1, &made, &error), ARC_OK);
    assert_int_equal(made.closure.axes, 3);
}

static void test_read_of_own_equations_refuses_what_they_lack(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what;
    } wrong[] = {{"closure: {inputs: [x]}\n", "there are a, b, time"},
                 {"closure: {inputs: [va]}\n", "'va' is no input"},
                 {"closure: {inputs: [a], outputs: [c]}\n", "'c' is no output"},
                 {"closure: {inputs: [a], outputs: cd}\n", "no law of drag or lift"},
                 {"closure: {inputs: [a, a]}\n", "already"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ArcExperiment made;
        ArcError error = {ARC_OK, ""};
        assert_int_equal(read_for_equations(wrong[i].text, 1, &made, &error), ARC_INPUT);
        if (strstr(error.text, wrong[i].what) == NULL)
            fail_msg("'%s' does not say '%s'", error.text, wrong[i].what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_without_a_closure_there_is_none),
        cmocka_unit_test(test_parse_least_closure_adds_accelerations_on_all_axes),
        cmocka_unit_test(test_parse_every_input_and_key_is_read),
        cmocka_unit_test(test_parse_cd_without_a_law_replaces_it),
        cmocka_unit_test(test_parse_cl_without_a_law_gives_the_flight_a_spin),
        cmocka_unit_test(test_parse_wrong_inputs_are_refused_where_they_stand),
        cmocka_unit_test(test_parse_wrong_outputs_are_refused_where_they_stand),
        cmocka_unit_test(test_parse_replaces_must_fit_the_laws),
        cmocka_unit_test(test_parse_wrong_values_are_refused_where_they_stand),
        cmocka_unit_test(test_parse_net_files_have_one_spread_layer),
        cmocka_unit_test(test_parse_shipped_net_is_one_of_eight_units),
        cmocka_unit_test(test_read_of_own_equations_takes_their_names),
        cmocka_unit_test(test_read_of_own_equations_refuses_what_they_lack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
