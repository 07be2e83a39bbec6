/* The trainer's settings: stages by optimizer, weighting, collocation, windows, starts. */
#include "arcfit/experiment.h"

#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ArcExperiment *parse_over(const char *text, int n, const char *const *overrides)
{
    ArcError error = {ARC_OK, ""};
    ArcExperiment *experiment = NULL;
    if (arc_experiment_parse("f.yaml", text, strlen(text), n, overrides, &experiment, &error) !=
        ARC_OK)
        fail_msg("%s", error.text);
    return experiment;
}

static ArcExperiment *parse(const char *text)
{
    return parse_over(text, 0, NULL);
}

static const char *recorded(const ArcExperiment *experiment, const char *path)
{
    for (int i = 0; i < experiment->n_settings; i++) {
        if (strcmp(experiment->setting_paths[i], path) == 0)
            return experiment->setting_values[i];
    }
    return "";
}

static void test_parse_least_file_has_training_defaults(void **state)
{
    (void)state;
    ArcExperiment *made = parse("arcfit: 1\n");
    const ArcPinnSettings *pinn = &made->pinn;
    assert_int_equal(made->starts, 1);
    assert_int_equal(pinn->collocation, 0);
    assert_int_equal(pinn->collocation_kind, ARC_COLLOCATION_GAUSS);
    assert_int_equal(pinn->collocation_every, 100);
    assert_true(pinn->sigma_phys_m_s2 == 0 && !pinn->physics_auto);
    assert_int_equal(pinn->weighting, ARC_WEIGHTING_FIXED);
    assert_int_equal(pinn->weighting_every, 100);
    assert_true(pinn->causal_epsilon == 1);
    assert_int_equal(pinn->windows, 1);
    assert_int_equal(pinn->n_stages, 1);
    assert_int_equal(pinn->stages[0].optimizer, ARC_OPTIMIZER_LINEAR);
    assert_int_equal(pinn->stages[0].steps, 100);
    assert_string_equal(recorded(made, "fit.pinn.train.0.steps"), "100");
    assert_string_equal(recorded(made, "fit.pinn.collocation"), "auto");
    assert_string_equal(recorded(made, "fit.pinn.collocation.kind"), "");
    assert_string_equal(recorded(made, "fit.pinn.weighting"), "fixed");
    arc_experiment_free(made);
}

static void assert_stage_equal(const ArcStage *stage, const ArcStage *expected)
{
    assert_int_equal(stage->optimizer, expected->optimizer);
    assert_int_equal(stage->steps, expected->steps);
    assert_true(stage->rate == expected->rate);
    assert_true(stage->parameter_rate == expected->parameter_rate);
    assert_int_equal(stage->schedule, expected->schedule);
    assert_int_equal(stage->warm_up, expected->warm_up);
    assert_true(stage->final_share == expected->final_share);
    assert_true(stage->clip == expected->clip);
    assert_true(stage->weight_decay == expected->weight_decay);
    assert_int_equal(stage->memory, expected->memory);
    assert_int_equal(stage->geodesic, expected->geodesic);
}

static void test_parse_stages_have_their_optimizers_defaults(void **state)
{
    (void)state;
    ArcExperiment *made =
        parse("arcfit: 1\n"
              "fit: {pinn: {train: [{optimizer: adam}, {optimizer: lbfgs}, {optimizer: lm}, "
              "{optimizer: linear}]}}\n");
    static const ArcStage expected[] = {
        {.optimizer = ARC_OPTIMIZER_ADAM,
         .steps = 5000,
         .rate = 0.01,
         .parameter_rate = 0.01,
         .schedule = ARC_SCHEDULE_COSINE,
         .final_share = 0.01},
        {.optimizer = ARC_OPTIMIZER_LBFGS, .steps = 500, .memory = 20},
        {.optimizer = ARC_OPTIMIZER_LM, .steps = 100},
        {.optimizer = ARC_OPTIMIZER_LINEAR, .steps = 100}};
    assert_int_equal(made->pinn.n_stages, 4);
    for (int i = 0; i < 4; i++)
        assert_stage_equal(&made->pinn.stages[i], &expected[i]);
    assert_string_equal(recorded(made, "fit.pinn.train.0.steps"), "5000");
    assert_string_equal(recorded(made, "fit.pinn.train.0.parameter_rate"), "0.01");
    assert_string_equal(recorded(made, "fit.pinn.train.0.memory"), "");
    assert_string_equal(recorded(made, "fit.pinn.train.1.steps"), "500");
    assert_string_equal(recorded(made, "fit.pinn.train.1.rate"), "");
    assert_string_equal(recorded(made, "fit.pinn.train.2.geodesic"), "false");
    arc_experiment_free(made);
}

static const char full_text[] =
    "arcfit: 1\n"
    "fit:\n"
    "  starts: 1000\n"
    "  pinn:\n"
    "    collocation: {points: 64, kind: adaptive, every: 250}\n"
    "    physics: auto\n"
    "    weighting: causal\n"
    "    weighting_every: 50\n"
    "    causal_epsilon: 0.5\n"
    "    windows: 64\n"
    "    train:\n"
    "      - {optimizer: adam, steps: 1000, rate: 3e-3, parameter_rate: 0.1, final: 0.001,\n"
    "         schedule: exponential, warm_up: 1000, clip: 1.5, weight_decay: 1e-4}\n"
    "      - {optimizer: adam, rate: 0.2, schedule: constant, final: 1}\n"
    "      - {optimizer: lbfgs, steps: 40, memory: 200}\n"
    "      - {optimizer: lm, geodesic: true}\n";

static void test_parse_full_training_fills_settings(void **state)
{
    (void)state;
    ArcExperiment *made = parse(full_text);
    const ArcPinnSettings *pinn = &made->pinn;
    static const ArcStage expected[] = {
        {.optimizer = ARC_OPTIMIZER_ADAM,
         .steps = 1000,
         .rate = 3e-3,
         .parameter_rate = 0.1,
         .schedule = ARC_SCHEDULE_EXPONENTIAL,
         .warm_up = 1000,
         .final_share = 0.001,
         .clip = 1.5,
         .weight_decay = 1e-4},
        {.optimizer = ARC_OPTIMIZER_ADAM,
         .steps = 5000,
         .rate = 0.2,
         .parameter_rate = 0.2,
         .schedule = ARC_SCHEDULE_CONSTANT,
         .final_share = 1},
        {.optimizer = ARC_OPTIMIZER_LBFGS, .steps = 40, .memory = 200},
        {.optimizer = ARC_OPTIMIZER_LM, .steps = 100, .geodesic = true}};
    assert_int_equal(made->starts, 1000);
    assert_int_equal(pinn->collocation, 64);
    assert_int_equal(pinn->collocation_kind, ARC_COLLOCATION_ADAPTIVE);
    assert_int_equal(pinn->collocation_every, 250);
    assert_true(pinn->physics_auto && pinn->sigma_phys_m_s2 == 0);
    assert_int_equal(pinn->weighting, ARC_WEIGHTING_CAUSAL);
    assert_int_equal(pinn->weighting_every, 50);
    assert_true(pinn->causal_epsilon == 0.5);
    assert_int_equal(pinn->windows, 64);
    assert_int_equal(pinn->n_stages, 4);
    for (int i = 0; i < 4; i++)
        assert_stage_equal(&pinn->stages[i], &expected[i]);
    arc_experiment_free(made);
}

static void test_parse_names_are_their_enumerators(void **state)
{
    (void)state;
    static const struct {
        const char *override;
        int weighting, kind, schedule;
    } rows[] = {
        {"fit.pinn.weighting=fixed", ARC_WEIGHTING_FIXED, 0, ARC_SCHEDULE_COSINE},
        {"fit.pinn.weighting=gradient-norm", ARC_WEIGHTING_GRADIENT_NORM, 0, ARC_SCHEDULE_COSINE},
        {"fit.pinn.weighting=self-adaptive", ARC_WEIGHTING_SELF_ADAPTIVE, 0, ARC_SCHEDULE_COSINE},
        {"fit.pinn.collocation.kind=gauss", 0, ARC_COLLOCATION_GAUSS, ARC_SCHEDULE_COSINE},
        {"fit.pinn.collocation.kind=uniform", 0, ARC_COLLOCATION_UNIFORM, ARC_SCHEDULE_COSINE},
        {"fit.pinn.collocation.kind=random", 0, ARC_COLLOCATION_RANDOM, ARC_SCHEDULE_COSINE},
        {"fit.pinn.train.0.schedule=constant", 0, 0, ARC_SCHEDULE_CONSTANT},
        {"fit.pinn.train.0.schedule=exponential", 0, 0, ARC_SCHEDULE_EXPONENTIAL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcExperiment *made = parse_over("arcfit: 1\nfit: {pinn: {train: [{optimizer: adam}]}}\n",
                                         1, &rows[i].override);
        assert_int_equal(made->pinn.weighting, rows[i].weighting);
        assert_int_equal(made->pinn.collocation_kind, rows[i].kind);
        assert_int_equal(made->pinn.stages[0].schedule, rows[i].schedule);
        arc_experiment_free(made);
    }
}

static void test_optimizer_name_every_name_reads_as_its_enumerator(void **state)
{
    (void)state;
    int n = 0;
    for (; arc_optimizer_name(n) != NULL; n++) {
        char text[128];
        snprintf(text, sizeof text, "arcfit: 1\nfit: {pinn: {train: [{optimizer: %s}]}}\n",
                 arc_optimizer_name(n));
        ArcExperiment *made = parse(text);
        assert_int_equal(made->pinn.stages[0].optimizer, n);
        arc_experiment_free(made);
    }
    assert_int_equal(n, 4);
    assert_string_equal(arc_optimizer_name(ARC_OPTIMIZER_LBFGS), "lbfgs");
    assert_null(arc_optimizer_name(-1));
}

static void test_parse_physics_takes_its_three_forms(void **state)
{
    (void)state;
    static const struct {
        const char *override;
        double sigma_phys_m_s2;
        bool is_auto;
    } rows[] = {{"fit.pinn.physics=exact", 0, false},
                {"fit.pinn.physics=auto", 0, true},
                {"fit.pinn.physics=0.25 m/s^2", 0.25, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcExperiment *made = parse_over(full_text, 1, &rows[i].override);
        assert_true(made->pinn.sigma_phys_m_s2 == rows[i].sigma_phys_m_s2);
        assert_int_equal(made->pinn.physics_auto, rows[i].is_auto);
        arc_experiment_free(made);
    }
}

static void test_parse_collocation_takes_its_three_forms(void **state)
{
    (void)state;
    static const struct {
        const char *override;
        int points, kind, every;
    } rows[] = {{"fit.pinn.collocation=auto", 0, ARC_COLLOCATION_GAUSS, 100},
                {"fit.pinn.collocation=40", 40, ARC_COLLOCATION_GAUSS, 100},
                {"fit.pinn.collocation={}", 0, ARC_COLLOCATION_GAUSS, 100},
                {"fit.pinn.collocation={points: 40}", 40, ARC_COLLOCATION_GAUSS, 100},
                {"fit.pinn.collocation={kind: random}", 0, ARC_COLLOCATION_RANDOM, 100},
                {"fit.pinn.collocation.points=auto", 0, ARC_COLLOCATION_ADAPTIVE, 250},
                {"fit.pinn.collocation.every=7", 64, ARC_COLLOCATION_ADAPTIVE, 7}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcExperiment *made = parse_over(full_text, 1, &rows[i].override);
        assert_int_equal(made->pinn.collocation, rows[i].points);
        assert_int_equal(made->pinn.collocation_kind, rows[i].kind);
        assert_int_equal(made->pinn.collocation_every, rows[i].every);
        arc_experiment_free(made);
    }
}

/* All that text records, laid as overrides over a file with as many stages, in given order. */
static void assert_round_trip(const char *text, const char *bare)
{
    enum { MOST = 100 };
    static char overrides[MOST][160];
    const char *list[MOST];
    int n = 0;
    ArcExperiment *first = parse(text);
    for (int i = 0; i < first->n_settings; i++) {
        if (strncmp(first->setting_paths[i], "fit.", 4) != 0)
            continue;
        assert_true(n < MOST);
        snprintf(overrides[n], sizeof overrides[n], "%s=%s", first->setting_paths[i],
                 first->setting_values[i]);
        list[n] = overrides[n];
        n++;
    }
    ArcExperiment *second = parse_over(bare, n, list);
    assert_int_equal(second->starts, first->starts);
    /* behind the net, where no struct is copied whole, bytes tell */
    const size_t from = offsetof(ArcPinnSettings, collocation);
    assert_memory_equal((const char *)&second->pinn + from, (const char *)&first->pinn + from,
                        sizeof first->pinn - from);
    assert_int_equal(second->n_settings, first->n_settings);
    for (int i = 0; i < first->n_settings; i++)
        assert_string_equal(recorded(second, first->setting_paths[i]), first->setting_values[i]);
    arc_experiment_free(first);
    arc_experiment_free(second);
}

static void test_parse_recorded_values_give_the_same_settings(void **state)
{
    (void)state;
    static const char four[] = "arcfit: 1\nfit: {pinn: {train: [{}, {}, {}, {}]}}\n";
    static const char one[] = "arcfit: 1\nfit: {pinn: {train: [{}]}}\n";
    assert_round_trip(full_text, four);
    assert_round_trip("arcfit: 1\n", one);
    assert_round_trip("arcfit: 1\n"
                      "fit: {pinn: {collocation: 40, physics: 50 mm/s^2, windows: 3, train: "
                      "[{optimizer: linear}, {optimizer: adam, rate: 5 %, clip: 0.1}, "
                      "{optimizer: lbfgs}, {optimizer: lm}]}}\n",
                      four);
}

static void test_parse_optimizers_exchanged_are_refused_where_keys_remain(void **state)
{
    (void)state;
    static const char *const change[] = {"fit.pinn.train.2.optimizer=adam"};
    ArcError error = {ARC_OK, ""};
    ArcExperiment *made = NULL;
    assert_int_equal(
        arc_experiment_parse("f.yaml", full_text, strlen(full_text), 1, change, &made, &error),
        ARC_INPUT);
    assert_string_equal(error.text,
                        "f.yaml:15:39: error: the key 'memory' in fit.pinn.train.2 belongs to "
                        "lbfgs, but this stage's optimizer is adam; leave it out");
    assert_null(made);
}

/* Settings of fit.pinn, in line 2 from column 14; stages from column 22. */
#define PINN(text) "arcfit: 1\nfit: {pinn: {" text "}}\n"
#define STAGE(text) PINN("train: [{" text "}]")

static const struct {
    const char *text, *message;
} broken[] = {
    {"arcfit: 1\nfit: {starts: 0}\n", "2:15: error: fit.starts is 0, out of its range 1 to 1000"},
    {"arcfit: 1\nfit: {starts: 2.5}\n", "2:15: error: fit.starts is '2.5', which is not a whole"},
    {"arcfit: 1\nfit: {start: 2}\n", "2:7: error: unknown key 'start' in fit; did you mean 'star"},
    {PINN("windows: 65"), "2:23: error: fit.pinn.windows is 65, out of its range 1 to 64"},
    {PINN("windows: 0"), "2:23: error: fit.pinn.windows is 0, out of its range 1 to 64"},
    {PINN("window: 2"), "2:14: error: unknown key 'window' in fit.pinn; did you mean 'windows'?"},
    {PINN("weighting: gradnorm"), "2:25: error: 'gradnorm' is not accepted for fit.pinn.weighting"},
    {PINN("weighting: casual"), "2:25: error: 'casual' is not accepted for fit.pinn.weighting; did "
                                "you mean 'causal'? accepted: fixed, gradient-norm, self-adaptive, "
                                "causal"},
    {PINN("weighting: {}"), "2:25: error: fit.pinn.weighting is a mapping; wanted: fixed, gradi"},
    {PINN("weighting_every: 0"), "2:31: error: fit.pinn.weighting_every is 0, out of its range"},
    {PINN("causal_epsilon: 0"), "2:30: error: fit.pinn.causal_epsilon is '0', out of its range"},
    {PINN("causal_epsilon: 1 s"), "2:30: error: 's' is the unit of a time, but a plain number is"},
    {PINN("physics: atuo"), "2:23: error: 'atuo' is not accepted for fit.pinn.physics; wanted: "
                            "exact, auto, or an acceleration"},
    {PINN("physics: -1"), "2:23: error: fit.pinn.physics is '-1', out of its range"},
    {PINN("physics: [auto]"), "2:23: error: fit.pinn.physics is a list; wanted: exact, auto, or"},
    {"arcfit: 1\nfit:\n  pinn:\n    physics:\n",
     "4:13: error: fit.pinn.physics is empty; wanted: exact, auto, or"},
    {PINN("collocation: gauss"), "2:27: error: 'gauss' is not accepted for fit.pinn.collocation; "
                                 "wanted: auto, 4 to 100000, or a mapping"},
    {PINN("collocation: [40]"), "2:27: error: fit.pinn.collocation is a list; wanted: auto, 4 to"},
    {PINN("collocation: 40.5"), "2:27: error: fit.pinn.collocation is '40.5', which is not a whol"},
    {PINN("collocation: {points: 3}"), "2:36: error: fit.pinn.collocation.points is 3, out of its"},
    {PINN("collocation: {points: many}"), "2:36: error: 'many' is not accepted for fit.pinn.colloc"
                                          "ation.points; wanted: auto, or 4 to 100000"},
    {PINN("collocation: {kind: gaus}"), "2:34: error: 'gaus' is not accepted for fit.pinn.collocat"
                                        "ion.kind; did you mean 'gauss'? accepted: gauss, uniform, "
                                        "random, adaptive"},
    {PINN("collocation: {evry: 3}"), "2:28: error: unknown key 'evry' in fit.pinn.collocation; did "
                                     "you mean 'every'?"},
    {PINN("collocation: {every: 0}"), "2:35: error: fit.pinn.collocation.every is 0, out of its"},
    {STAGE("optimizer: admm"),
     "2:34: error: 'admm' is not accepted for fit.pinn.train.0.optimizer; "
     "did you mean 'adam'? accepted: linear, lm, adam, lbfgs"},
    {STAGE("optimizer: [adam], rate: 1"), "2:34: error: fit.pinn.train.0.optimizer is a list"},
    {STAGE("rate: 1"), "2:22: error: 'optimizer' is missing: fit.pinn.train.0.optimizer"},
    {PINN("train: [adam]"), "2:22: error: fit.pinn.train.0 is text; wanted: a mapping of keys"},
    {STAGE("optimizer: adam, steps: 1000001"), "2:47: error: fit.pinn.train.0.steps is 1000001"},
    {STAGE("optimizer: adam, rate: 0"), "2:46: error: fit.pinn.train.0.rate is '0', out of its"},
    {STAGE("optimizer: adam, rate: fast"), "2:46: error: 'fast' is not a number"},
    {STAGE("optimizer: adam, parameter_rate: -1"),
     "2:56: error: fit.pinn.train.0.parameter_rate is "
     "'-1', out of its range 1e-12 to 1000"},
    {STAGE("optimizer: adam, parameter_rat: 1"), "2:40: error: unknown key 'parameter_rat' in fit."
                                                 "pinn.train.0; did you mean 'parameter_rate'?"},
    {STAGE("optimizer: adam, schedule: cosin"), "2:50: error: 'cosin' is not accepted for fit.pinn."
                                                "train.0.schedule; did you mean 'cosine'?"},
    {STAGE("optimizer: adam, final: 0"), "2:47: error: fit.pinn.train.0.final is '0', out of its"},
    {STAGE("optimizer: adam, final: 1.1"), "2:47: error: fit.pinn.train.0.final is '1.1', out of"},
    {STAGE("optimizer: adam, warm_up: -1"), "2:49: error: fit.pinn.train.0.warm_up is -1, out of"},
    {STAGE("optimizer: adam, warm_up: 5001"), "2:49: error: fit.pinn.train.0.warm_up is 5001, but "
                                              "the stage has 5000 steps; give more steps"},
    {STAGE("optimizer: adam, warm_up: 9, steps: 8"), "2:49: error: fit.pinn.train.0.warm_up is 9, "
                                                     "but the stage has 8 steps"},
    {STAGE("optimizer: adam, clip: -1"), "2:46: error: fit.pinn.train.0.clip is '-1', out of its"},
    {STAGE("optimizer: adam, clip: inf"), "2:46: error: 'inf' is not a"},
    {STAGE("optimizer: adam, weight_decay: -0.1"), "2:54: error: fit.pinn.train.0.weight_decay is "
                                                   "'-0.1', out of its range"},
    {STAGE("optimizer: lbfgs, memory: 0"), "2:49: error: fit.pinn.train.0.memory is 0, out of its "
                                           "range 1 to 200"},
    {STAGE("optimizer: lbfgs, memory: 201"), "2:49: error: fit.pinn.train.0.memory is 201, out of"},
    {STAGE("optimizer: lm, geodesic: 1"), "2:48: error: '1' is not accepted for fit.pinn.train.0."
                                          "geodesic; accepted: true, false"},
    {STAGE("optimizer: lm, rate: 1"), "2:38: error: the key 'rate' in fit.pinn.train.0 belongs to "
                                      "adam, but this stage's optimizer is lm; leave it out"},
    {STAGE("geodesic: true, optimizer: lbfgs"), "2:23: error: the key 'geodesic' in fit.pinn.train"
                                                ".0 belongs to lm, but this stage's optimizer is "
                                                "lbfgs"},
    {STAGE("optimizer: linear, memory: 3"), "2:42: error: the key 'memory' in fit.pinn.train.0 belo"
                                            "ngs to lbfgs, but this stage's optimizer is linear"},
    {STAGE("optimizer: lbfgs, clip: 0"), "2:41: error: the key 'clip' in fit.pinn.train.0 belongs "
                                         "to adam, but this stage's optimizer is lbfgs"},
    {STAGE("optimizer: lm, momentum: 1"),
     "2:38: error: unknown key 'momentum' in fit.pinn.train.0; "
     "known are optimizer, steps, geodesic"},
    {PINN("train: [{optimizer: lm}, {optimizer: lm, rate: 1}]"), "2:55: error: the key 'rate' in fi"
                                                                 "t.pinn.train.1 belongs to adam"},
};

static void test_parse_broken_training_is_refused_at_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        ArcError error = {ARC_OK, ""};
        ArcExperiment *made = NULL;
        char expected[300];
        snprintf(expected, sizeof expected, "f.yaml:%s", broken[i].message);
        ArcStatus status = arc_experiment_parse("f.yaml", broken[i].text, strlen(broken[i].text), 0,
                                                NULL, &made, &error);
        if (status != ARC_INPUT || strncmp(error.text, expected, strlen(expected)) != 0)
            fail_msg("row %d: status %d, '%s' instead of '%s'", (int)i, (int)status, error.text,
                     expected);
        assert_null(made);
    }
}

static bool refuse_memory(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

/* The short form of collocation, whose defaults are read apart, and stages with all their keys. */
static void test_parse_training_without_memory_gives_status(void **state)
{
    (void)state;
    static const char *const change[] = {"fit.pinn.collocation=40"};
    int n = 0;
    ArcStatus status = ARC_MEMORY;
    for (; status != ARC_OK && n < 10000; n++) {
        int left = n;
        ArcExperiment *made = NULL;
        ArcError error = {ARC_OK, ""};
        arc_memory_set_hook(refuse_memory, &left);
        status =
            arc_experiment_parse("f.yaml", full_text, strlen(full_text), 1, change, &made, &error);
        arc_memory_set_hook(NULL, NULL);
        assert_true(status == ARC_OK || status == ARC_MEMORY);
        assert_int_equal(error.status, status);
        arc_experiment_free(made);
    }
    assert_true(n > 5 && status == ARC_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_least_file_has_training_defaults),
        cmocka_unit_test(test_parse_stages_have_their_optimizers_defaults),
        cmocka_unit_test(test_parse_full_training_fills_settings),
        cmocka_unit_test(test_parse_names_are_their_enumerators),
        cmocka_unit_test(test_optimizer_name_every_name_reads_as_its_enumerator),
        cmocka_unit_test(test_parse_physics_takes_its_three_forms),
        cmocka_unit_test(test_parse_collocation_takes_its_three_forms),
        cmocka_unit_test(test_parse_recorded_values_give_the_same_settings),
        cmocka_unit_test(test_parse_optimizers_exchanged_are_refused_where_keys_remain),
        cmocka_unit_test(test_parse_broken_training_is_refused_at_its_place),
        cmocka_unit_test(test_parse_training_without_memory_gives_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
