/* The worked experiments of arms, from the command line: both methods find the truth behind their
 * captures and agree; the one that cannot be identified says so. And how `arcfit simulate` writes
 * such captures: swing, readings, several throws in one file, refusals. */
#include "program_run.h"

#include <jansson.h>
#include <math.h>

static Run run;
static char folder[] = "/tmp/arcfit-arms-XXXXXX", root[PATH_MAX];

enum { MOST_TRUTHS = 14 };

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

static json_t *read_json(const char *path)
{
    json_error_t error;
    json_t *json = json_load_file(path, 0, &error);
    if (json == NULL)
        fail_msg("%s: %s", path, error.text);
    return json;
}

typedef struct Truth {
    const char *name;
    double value;
} Truth;

#define DEGREE (M_PI / 180.0)
#define JOINTS                                                                                     \
    {"theta1", -57 * DEGREE}, {"theta2", 35 * DEGREE}, {"omega1", 10.9},                           \
    {                                                                                              \
        "omega2", -4.6                                                                             \
    }
#define LINKS                                                                                      \
    {"l1", 0.503},                                                                                 \
    {                                                                                              \
        "l2", 0.396                                                                                \
    }

/* What scripts/make-data makes the captures with. */
static const struct {
    const char *name;
    Truth truths[MOST_TRUTHS];
} experiments[] = {
    {"arm-two-link", {LINKS, {"t0", 0}, JOINTS}},
    {"arm-swing",
     {LINKS,
      {"t0", 0},
      JOINTS,
      {"torque1_1", -8},
      {"torque1_2", 130},
      {"torque1_3", -75},
      {"torque2_1", 2},
      {"torque2_2", 29},
      {"torque2_3", -5}}},
    {"arm-encoders", {LINKS, {"t0", 0}, JOINTS, {"torque1_6", 36}, {"torque2_6", 26}}},
    {"arm-three-link",
     {{"l3", 0.104},
      {"t0", 0},
      {"theta1", -70 * DEGREE},
      {"theta2", 25 * DEGREE},
      {"theta3", 20 * DEGREE},
      {"omega1", 9},
      {"omega2", 6},
      {"omega3", 8}}},
    {"arm-yaw",
     {{"theta1", 20 * DEGREE},
      {"theta2", -56 * DEGREE},
      {"theta3", 36 * DEGREE},
      {"omega1", 1.5},
      {"omega2", 11},
      {"omega3", -4}}},
    {"arm-calibration",
     {{"l1", 0.505}, {"l2", 0.395}, {"offset1", 1 * DEGREE}, {"offset2", -1 * DEGREE}}},
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

static void test_arm_experiments_find_the_truth(void **state)
{
    (void)state;
    for (size_t e = 0; e < sizeof experiments / sizeof experiments[0]; e++) {
        const char *name = experiments[e].name;
        run_experiment("fit", name, "-o result.h5 --json result.json");
        if (run.code != 0)
            fail_msg("%s ends with %d: %s", name, run.code, run.messages);
        run_assert_says(run.output, "verdict         agree");
        json_t *result = read_json("result.json");
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

static void test_arm_experiment_that_cannot_be_identified_says_so(void **state)
{
    (void)state;
    run_experiment("fit", "arm-unidentified", "-o result.h5 --json result.json");
    assert_int_equal(run.code, 1);
    run_assert_says(run.output, "the data tell   4 of 6 combinations");
    run_assert_says(run.output, "would settle");
    json_t *result = read_json("result.json");
    const json_t *fit = json_array_get(json_object_get(result, "fits"), 0);
    static const char *const names[] = {"l1", "l2", "theta1", "theta2", "omega1", "omega2"};
    for (int i = 0; i < 6; i++) {
        const json_t *p = json_object_get(json_object_get(fit, "parameters"), names[i]);
        assert_string_equal(json_string_value(json_object_get(p, "status")), "unidentified");
    }
    json_decref(result);
}

#define THROW                                                                                      \
    " --set parameters.theta1=-1 --set parameters.theta2=0.6 --set parameters.omega1=11 --set "    \
    "parameters.omega2=-5 --set parameters.t0=0"
#define SWUNG                                                                                      \
    THROW " --set arm.joints.0.torque.values=[-8,130,-75] --set "                                  \
          "arm.joints.1.torque.values=[2,29,-5]"

static void assert_header(const char *path, const char *header)
{
    size_t size;
    char *text = run_read_file(path, &size);
    if (strstr(text, "# synthetic: arcfit simulate arm-") == NULL)
        fail_msg("%s does not say what made it", path);
    if (strstr(text, header) == NULL)
        fail_msg("%s has no '%s':\n%.300s", path, header, text);
    free(text);
}

static void test_simulate_writes_flight_swing_and_readings(void **state)
{
    (void)state;
    run_experiment("simulate", "arm-swing",
                   "-o throw.csv --swing motion.csv --seed 3" THROW
                   " --set arm.joints.0.torque.values=[1,60,-9]");
    assert_int_equal(run.code, 0);
    assert_string_equal(run.output, "12 points in throw.csv\n");
    assert_header("motion.csv", "\ntime_s,elbow_x_m,elbow_y_m,hand_x_m,hand_y_m\n-0.3,");
    run_experiment("simulate", "arm-two-link", "-o throw.csv --readings readings.csv" THROW);
    assert_int_equal(run.code, 0);
    assert_header("readings.csv", "\ntheta1_rad,theta2_rad,omega1_rad_s,omega2_rad_s\n");
    /* without -o the flight goes to standard output, the table still to its file */
    assert_int_equal(remove("readings.csv"), 0);
    run_experiment("simulate", "arm-two-link", "--readings readings.csv" THROW);
    assert_int_equal(run.code, 0);
    run_assert_says(run.output, "\ntime_s,x_m,y_m,sigma_m\n0.01,");
    assert_header("readings.csv", "\ntheta1_rad,");
}

static void test_simulate_flights_are_counted_in_one_file(void **state)
{
    (void)state;
    static const char *const more = "-o %s.csv --readings %s-read.csv --flights 3 --draw --seed 5 "
                                    "--threads %d --set parameters.theta1.prior.mean=-1 --set "
                                    "parameters.theta1.prior.sd=0.2 --set parameters.theta2=0.6 "
                                    "--set parameters.omega1=9 --set parameters.omega2=2";
    char words[512];
    snprintf(words, sizeof words, more, "a", "a", 1);
    run_experiment("simulate", "arm-calibration", words);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.output, "36 points of 3 flights in a.csv\n");
    assert_header("a.csv", "\n# truth of flight 3: t0 0 s, x0 ");
    assert_header("a.csv", "\n# truth: cd 0.5, base_x 0 m, ");
    assert_header("a.csv", "\ntime_s,x_m,y_m,sigma_m,flight\n");
    assert_header("a-read.csv", "\nflight,theta1_rad,theta2_rad,omega1_rad_s,omega2_rad_s\n1,");
    snprintf(words, sizeof words, more, "b", "b", 2);
    run_experiment("simulate", "arm-calibration", words);
    assert_int_equal(run.code, 0);
    run_assert_same_files("a.csv", "b.csv");
    run_assert_same_files("a-read.csv", "b-read.csv");
}

static void test_simulate_arm_refuses_what_cannot_be(void **state)
{
    (void)state;
    static const struct {
        const char *name, *words, *says;
        int code;
    } rows[] = {
        {"arm-two-link", "-o a.csv --readings a.csv" THROW, "cannot be written twice", 2},
        {"arm-two-link", "-o t.csv --swing m.csv" THROW, "nothing was seen of a swing", 2},
        {"arm-swing", "-o t.csv --swing m.csv --readings r.csv" SWUNG,
         "nothing was read of the arm", 2},
        {"arm-swing", "--set simulate.swing.angles=true" SWUNG,
         ".yaml:1:1: error: how much noise has the swing?", 2},
        {"arm-yaw",
         "-o t.csv --readings m.csv --set parameters.theta3=0.5 --set parameters.omega3=1" THROW,
         "nothing was read of the arm", 2},
        {"arm-two-link", "-o many --replicas 2 --readings r.csv" THROW, "leave --flights", 2},
        {"arm-two-link", "-o many --replicas 2 --flights 2" THROW, "leave --flights", 2},
        {"arm-two-link", "--flights 0" THROW, "--flights wants", 2},
        {"arm-two-link", "-o t.csv --readings no/such/r.csv" THROW, "no/such", 3},
        {"arm-two-link", "--set simulate.readings=[theta9]" THROW,
         ".yaml:1:1: error: simulate.readings: there is no parameter 'theta9'", 2},
        {"arm-two-link", "--set simulate.readings=3" THROW, "a list of parameters", 2},
        {"arm-swing", "--set simulate.swing.places=[foot]" THROW, "foot", 2},
        {"arm-swing", "--set simulate.swing.places=[hand,hand]" THROW, "twice", 2},
        {"arm-swing", "--set simulate.swing=5" THROW, "a mapping of keys", 2},
        {"arm-two-link", "", "a value for 'theta1'", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run_experiment("simulate", rows[i].name, rows[i].words);
        if (run.code != rows[i].code || strstr(run.messages, rows[i].says) == NULL)
            fail_msg("%s %s ends with %d and '%s'", rows[i].name, rows[i].words, run.code,
                     run.messages);
    }
    assert_int_equal(access("m.csv", F_OK), -1);
    assert_int_equal(access("t.csv", F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm_experiments_find_the_truth),
        cmocka_unit_test(test_arm_experiment_that_cannot_be_identified_says_so),
        cmocka_unit_test(test_simulate_writes_flight_swing_and_readings),
        cmocka_unit_test(test_simulate_flights_are_counted_in_one_file),
        cmocka_unit_test(test_simulate_arm_refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
