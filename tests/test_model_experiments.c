/* The worked experiments of models, from the command line: both methods find the truth behind their
 * captures and agree. And how `arcfit simulate` writes such captures, and what other commands say
 * of a model. A plug-in is compiled at each run, so that most experiments wait for ARCFIT_SLOW. */
#include "program_run.h"
#include "slow.h"

#include <jansson.h>
#include <math.h>

static Run run;
static char folder[] = "/tmp/arcfit-models-XXXXXX", root[PATH_MAX];

enum { MOST_TRUTHS = 6 };

static int enter(void **state)
{
    (void)state;
    if (getcwd(root, sizeof root) == NULL)
        return -1;
    run_enter_folder(folder);
    return 0;
}

static int leave(void **state)
{
    (void)state;
    return run_remove_folder(folder);
}

static void run_experiment(const char *command, const char *name, const char *more)
{
    char line[2 * PATH_MAX];
    snprintf(line, sizeof line, "%s %s/experiments/%s.yaml %s", command, root, name, more);
    run_line(&run, NULL, line);
}

typedef struct Truth {
    const char *name;
    double value;
} Truth;

/* What scripts/make-data makes the captures with, and those of the public test problems. */
static const struct {
    const char *name;
    bool is_slow;
    Truth truths[MOST_TRUTHS];
} experiments[] = {
    {"drone", false, {{"mass", 1.35}, {"drag", 0.4}, {"lag", 0.18}, {"thrust0", 13.2}}},
    {"gripper",
     false,
     {{"touch", 32 * M_PI / 180}, {"stiffness", 600}, {"loss", 2}, {"damping", 0.01}}},
    {"projectile-model", false, {{"k", 0.01}, {"vx0", 10.2606043}, {"vy0", 28.1907786}}},
    {"fitzhugh-nagumo", false, {{"a", 0.2}, {"b", 0.2}, {"c", 3}, {"V0", -1}, {"R0", 1}}},
    {"pendulum", true, {{"length", 0.82}, {"friction", 0.08}, {"theta0", 40 * M_PI / 180}}},
    {"cart", true, {{"grip", 0.65}, {"stiffness", 10}, {"rolling", 0.2}}},
    {"knee", true, {{"torque", 28}, {"activation", 0.05}, {"damping", 0.7}}},
    {"lorenz", true, {{"sigma", 10}, {"rho", 15}, {"beta", 8.0 / 3}}},
    {"lotka-volterra", true, {{"growth", 1.5}, {"catch", 1}, {"death", 3}, {"gain", 1}}},
    {"projectile", true, {{"k", 0.01}, {"vx0", 10.2606043}, {"vy0", 28.1907786}}},
};

static void assert_holds(const char *experiment, const json_t *fit, const Truth *truth)
{
    const char *method = json_string_value(json_object_get(fit, "method"));
    const json_t *parameter = json_object_get(json_object_get(fit, "parameters"), truth->name);
    double value = json_number_value(json_object_get(parameter, "value"));
    double sd = json_number_value(json_object_get(parameter, "sd"));
    if (!(sd > 0.0) || !(fabs(value - truth->value) < 4.5 * sd))
        fail_msg("%s, %s: %s is %g with sd %g, not %g", experiment, method, truth->name, value, sd,
                 truth->value);
}

static void test_model_experiments_find_the_truth(void **state)
{
    (void)state;
    for (size_t e = 0; e < sizeof experiments / sizeof experiments[0]; e++) {
        const char *name = experiments[e].name;
        if (experiments[e].is_slow && !slow_is_wanted())
            continue;
        run_experiment("fit", name, "-o result.h5 --json result.json");
        if (run.code != 0)
            fail_msg("%s ends with %d: %s", name, run.code, run.messages);
        run_assert_says(run.output, "verdict         agree");
        json_error_t error;
        json_t *result = json_load_file("result.json", 0, &error);
        assert_non_null(result);
        const json_t *fits = json_object_get(result, "fits");
        assert_int_equal(json_array_size(fits), 2);
        for (size_t i = 0; i < 2; i++)
            for (int k = 0; k < MOST_TRUTHS && experiments[e].truths[k].name != NULL; k++)
                assert_holds(name, json_array_get(fits, i), &experiments[e].truths[k]);
        double apart =
            json_number_value(json_object_get(json_object_get(result, "comparison"), "max_in_sd"));
        print_message("%s: PINN and direct fit %.2g sd apart\n", name, apart);
        assert_true(apart < 0.05);
        json_decref(result);
    }
}

/* The committed capture comes out again. */
static void test_simulate_makes_the_committed_capture(void **state)
{
    (void)state;
    char path[PATH_MAX + 32], text[20000], again[20000];
    run_experiment("simulate", "drone",
                   "--quiet -o drone.csv --seed 82 --set parameters.mass=1.35kg --set "
                   "parameters.drag=0.4kg/s --set parameters.lag=180ms --set "
                   "parameters.thrust0=13.2N");
    assert_int_equal(run.code, 0);
    snprintf(path, sizeof path, "%s/data/drone-80.csv", root);
    const char *const paths[] = {path, "drone.csv"};
    char *const texts[] = {text, again};
    for (int k = 0; k < 2; k++) {
        FILE *file = fopen(paths[k], "r");
        assert_non_null(file);
        size_t size = fread(texts[k], 1, sizeof text - 1, file);
        texts[k][size] = '\0';
        fclose(file);
        assert_true(size > 1000);
    }
    /* But for the values' spelling in the comments, and a last digit of another machine's tanh. */
    const char *a = strstr(text, "\ntime_s") + 1, *b = strstr(again, "\ntime_s") + 1;
    size_t header = strcspn(a, "\n");
    assert_true(strncmp(a, b, header + 1) == 0);
    for (int row = 0; row < 80; row++) {
        double one[3], two[3];
        a = strchr(a, '\n') + 1;
        b = strchr(b, '\n') + 1;
        assert_int_equal(sscanf(a, "%lf,%lf,%lf", &one[0], &one[1], &one[2]), 3);
        assert_int_equal(sscanf(b, "%lf,%lf,%lf", &two[0], &two[1], &two[2]), 3);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(one[k] - two[k]) <= 1e-11);
    }
}

static void test_simulate_refuses_what_a_model_does_not_have(void **state)
{
    (void)state;
    run_experiment("simulate", "drone", "--sigma 3mm");
    assert_int_equal(run.code, 2);
    run_assert_says(run.messages, "--sigma is of the points of a ball; of a model give --set "
                                  "simulate.sigma=");
    run_experiment("simulate", "drone", "--points 3 --duration 1s --flights 2 -o -");
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "sigma height 0.01 m\n");
    run_assert_says(run.output, "time_s,height_m,sigma_height_m,flight\n0,");
    run_experiment("check", "drone", "--set parameters.trim=free --set parameters.target=free");
    assert_int_equal(run.code, 1);
    run_experiment("aim", "drone", "");
    assert_int_equal(run.code, 2);
    run_assert_says(run.messages, "error: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model_experiments_find_the_truth),
        cmocka_unit_test(test_simulate_makes_the_committed_capture),
        cmocka_unit_test(test_simulate_refuses_what_a_model_does_not_have),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
