/* Synthetic throws of an arm: the release is the arm's, the swing leads to it by equations written
 * out anew, what is seen and read has the noise that was asked for, and tables hold it to the bit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/captures.h"
#include "arcfit/recording.h"

#include "fit_case.h"
#include "sweep.h"

#include <unistd.h>

enum { FEW = 20, MANY = 5000, REPLICAS = 4000 };
static const double g = 9.80665;

/* Lengths and torques of a two-link arm; the tests' own equations below know the same numbers. */
#define HEAD                                                                                       \
    "arcfit: 1\n"                                                                                  \
    "capture: {file: none.csv, sigma: 2 mm,\n"                                                     \
    "  swing: {file: none-motion.csv, sigma: 3 mm, sigma_angle: 0.2 deg, sigma_rate: 0.1},\n"      \
    "  readings: {file: none-readings.csv, sigma_angle: 0.1 deg, sigma_rate_share: 2 %,\n"         \
    "    sigma_time: 1 ms}}\n"                                                                     \
    "release: arm\n"
#define ARM                                                                                        \
    "arm:\n"                                                                                       \
    "  joints:\n"                                                                                  \
    "    - {length: 0.5, mass: 2, centre: 0.25, inertia: 0.045, viscous: 0.3,\n"                   \
    "       torque: {curve: polynomial, values: [-8, 130, -75]}}\n"                                \
    "    - {length: 0.4, mass: 1.2, centre: 0.2, inertia: 0.018, viscous: 0.2,\n"                  \
    "       torque: {curve: polynomial, values: [2, 29, -5]}}\n"                                   \
    "  base: [0.1, 1.4]\n"                                                                         \
    "  payload: 0.62\n"                                                                            \
    "  span: [0.1, 0.4]\n"
#define VALUES                                                                                     \
    "parameters: {t0: 0.4, theta1: -0.99, theta2: 0.61, omega1: 10.9, omega2: -4.6,\n"             \
    "  gain1: 1.02, offset2: 0.03}\n"
#define SEEN                                                                                       \
    "simulate: {points: 12, duration: 0.9, swing: {places: [elbow, hand], angles: true,\n"         \
    "  rates: true}, readings: [theta1, omega1, theta2, t0]}\n"
#define JOINTS "parameters: {t0: 0.4, theta1: -0.99, theta2: 0.61, omega1: 10.9, omega2: -4.6}\n"
#define THROW HEAD ARM VALUES SEEN

static ArcCapture *synthesise(const ArcExperiment *experiment, const ArcSimulateSettings *settings)
{
    ArcError err;
    ArcCapture *capture = NULL;
    double *t_s = NULL;
    int n = 0;
    if (arc_simulate_times(experiment, settings, &n, &t_s, &err) != ARC_OK ||
        arc_simulate_capture(experiment, n, t_s, *settings, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    free(t_s);
    return capture;
}

static double value_of(const ArcExperiment *experiment, const double *truth, const char *name)
{
    for (int i = 0; i < experiment->n_parameters; i++)
        if (strcmp(experiment->parameters[i].name, name) == 0)
            return truth[i];
    fail_msg("there is no parameter '%s'", name);
    return NAN;
}

/* The number of a row; NaN where there is none. */
static double seen(const ArcSwing *swing, int row, ArcSwingKind kind, int index, int axis)
{
    for (int i = 0; i < swing->n_numbers; i++) {
        const ArcSwingNumber *number = &swing->numbers[i];
        if (number->row == row && number->kind == kind && number->index == index &&
            (kind != ARC_SWING_PLACE || number->axis == axis))
            return number->value;
    }
    return NAN;
}

static ArcSimulateSettings without_noise(const ArcExperiment *experiment)
{
    ArcSimulateSettings settings = experiment->simulate;
    settings.swing.sigma_m = settings.swing.sigma_rad = settings.swing.sigma_rad_s = 1e-13;
    return settings;
}

static void test_simulate_arm_release_is_its_kinematics(void **state)
{
    (void)state;
    ArcError err;
    ArcExperiment *experiment = case_experiment(THROW);
    double truth[ARC_MAX_PARAMETERS];
    assert_int_equal(arc_simulate_truth(experiment, &experiment->simulate, truth, &err), ARC_OK);
    double a = -0.99, b = -0.99 + 0.61, wa = 10.9, wb = 10.9 - 4.6;
    assert_near(value_of(experiment, truth, "x0"), 0.1 + 0.5 * cos(a) + 0.4 * cos(b), 1e-14);
    assert_near(value_of(experiment, truth, "y0"), 1.4 + 0.5 * sin(a) + 0.4 * sin(b), 1e-14);
    assert_near(value_of(experiment, truth, "vx0"), -0.5 * wa * sin(a) - 0.4 * wb * sin(b), 1e-13);
    assert_near(value_of(experiment, truth, "vy0"), 0.5 * wa * cos(a) + 0.4 * wb * cos(b), 1e-13);
    /* in vacuum the ball flies a parabola from there */
    ArcSimulateSettings settings = experiment->simulate;
    settings.sigma_m = 1e-13;
    settings.start_s = 0.05;
    ArcCapture *capture = synthesise(experiment, &settings);
    assert_int_equal(capture->n_points, 12);
    assert_near(capture->time_s[0], 0.45, 1e-15);
    assert_near(capture->time_s[11], 1.35, 1e-15);
    for (int i = 0; i < capture->n_points; i++) {
        double t = capture->time_s[i] - 0.4;
        double x = value_of(experiment, truth, "x0") + value_of(experiment, truth, "vx0") * t;
        double y = value_of(experiment, truth, "y0") + value_of(experiment, truth, "vy0") * t;
        assert_near(capture->position_m[2 * i], x, 1e-10);
        assert_near(capture->position_m[2 * i + 1], y - 0.5 * g * t * t, 1e-10);
    }
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

/* Accelerations of the two links with the ball as a third, point-like body: Spong, Hutchinson,
 * Vidyasagar, Robot Modeling and Control (2006), section 7.3. */
static void accelerate(double t, const double *s, double *rate)
{
    double xi = (t - 0.1) / 0.3, c2 = cos(s[1]), wa = s[2], wb = s[3];
    double m2 = 1.2, mb = 0.62;
    double d11 = 0.045 + 2 * 0.25 * 0.25 + 0.018 + m2 * (0.25 + 0.04 + 2 * 0.5 * 0.2 * c2) +
                 mb * (0.25 + 0.16 + 2 * 0.5 * 0.4 * c2);
    double d12 = 0.018 + m2 * (0.04 + 0.5 * 0.2 * c2) + mb * (0.16 + 0.5 * 0.4 * c2);
    double d22 = 0.018 + m2 * 0.04 + mb * 0.16;
    double h = -(m2 * 0.5 * 0.2 + mb * 0.5 * 0.4) * sin(s[1]);
    double phi2 = g * (m2 * 0.2 + mb * 0.4) * cos(s[0] + s[1]);
    double phi1 = g * (2 * 0.25 + m2 * 0.5 + mb * 0.5) * cos(s[0]) + phi2;
    double u1 = -8 + 130 * xi - 75 * xi * xi - 0.3 * wa - h * (2 * wa * wb + wb * wb) - phi1;
    double u2 = 2 + 29 * xi - 5 * xi * xi - 0.2 * wb + h * wa * wa - phi2;
    double det = d11 * d22 - d12 * d12;
    rate[0] = wa;
    rate[1] = wb;
    rate[2] = (d22 * u1 - d12 * u2) / det;
    rate[3] = (d11 * u2 - d12 * u1) / det;
}

/* Runge and Kutta's classic step. */
static void step(double t, double dt, double *s)
{
    double k[4][4], at[4];
    for (int stage = 0; stage < 4; stage++) {
        double share = stage == 0 ? 0.0 : stage == 3 ? 1.0 : 0.5;
        for (int i = 0; i < 4; i++)
            at[i] = s[i] + (stage == 0 ? 0.0 : share * dt * k[stage - 1][i]);
        accelerate(t + share * dt, at, k[stage]);
    }
    for (int i = 0; i < 4; i++)
        s[i] += dt / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
}

static void test_simulate_swing_leads_to_the_release(void **state)
{
    (void)state;
    enum { STEPS = 3000 };
    ArcExperiment *experiment = case_experiment(THROW);
    ArcSimulateSettings settings = without_noise(experiment);
    ArcCapture *capture = synthesise(experiment, &settings);
    const ArcSwing *swing = capture->swing;
    assert_int_equal(swing->n_rows, 20);
    assert_near(swing->time_s[0], 0.1, 1e-15);
    assert_near(swing->time_s[19], 0.385, 1e-15);
    double s[4] = {seen(swing, 0, ARC_SWING_ANGLE, 0, 0) / 1.02,
                   seen(swing, 0, ARC_SWING_ANGLE, 1, 0) - 0.03,
                   seen(swing, 0, ARC_SWING_RATE, 0, 0), seen(swing, 0, ARC_SWING_RATE, 1, 0)};
    for (int i = 0; i < STEPS; i++)
        step(0.1 + 0.3 * i / STEPS, 0.3 / STEPS, s);
    assert_near(s[0], -0.99, 1e-8);
    assert_near(s[1], 0.61, 1e-8);
    assert_near(s[2], 10.9, 1e-7);
    assert_near(s[3], -4.6, 1e-7);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

static void test_simulate_swing_places_are_those_of_its_angles(void **state)
{
    (void)state;
    ArcExperiment *experiment = case_experiment(THROW);
    ArcSimulateSettings settings = without_noise(experiment);
    settings.swing.places = ARC_SWING_ELBOW | ARC_SWING_JOINT << 1 | ARC_SWING_BALL;
    ArcCapture *capture = synthesise(experiment, &settings);
    const ArcSwing *swing = capture->swing;
    assert_int_equal(swing->n_numbers, 20 * (3 * 2 + 2 + 2));
    for (int row = 0; row < swing->n_rows; row++) {
        double a = seen(swing, row, ARC_SWING_ANGLE, 0, 0) / 1.02;
        double b = a + seen(swing, row, ARC_SWING_ANGLE, 1, 0) - 0.03;
        double x = 0.1 + 0.5 * cos(a), y = 1.4 + 0.5 * sin(a);
        assert_near(seen(swing, row, ARC_SWING_PLACE, 1, 0), x, 1e-11);
        assert_near(seen(swing, row, ARC_SWING_PLACE, 1, 1), y, 1e-11);
        for (int place = ARC_ARM_BALL; place <= 2; place += 3) { /* the ball is at link 2's end */
            assert_near(seen(swing, row, ARC_SWING_PLACE, place, 0), x + 0.4 * cos(b), 1e-11);
            assert_near(seen(swing, row, ARC_SWING_PLACE, place, 1), y + 0.4 * sin(b), 1e-11);
        }
    }
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

/* Rows by points, rate and duration; of torques without a span it is that of the rows. */
static void test_simulate_swing_rows_are_as_asked_for(void **state)
{
    (void)state;
    static const struct {
        int points;
        double rate_per_s, duration_s;
        int rows;
        double first_s;
    } cases[] = {{0, NAN, NAN, 20, 0.1}, {6, NAN, NAN, 6, 0.1},    {0, 100, NAN, 30, 0.1},
                 {7, 100, NAN, 7, 0.33}, {0, 50, 0.2, 10, 0.2},    {5, NAN, 0.25, 5, 0.15},
                 {0, NAN, 0.2, 20, 0.2}, {1, NAN, 0.001, 1, 0.399}};
    ArcError err;
    ArcExperiment *experiment = case_experiment(THROW);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ArcSimulateSettings settings = without_noise(experiment);
        settings.swing.points = cases[i].points;
        settings.swing.rate_per_s = cases[i].rate_per_s;
        settings.swing.duration_s = cases[i].duration_s;
        ArcCapture *capture = synthesise(experiment, &settings);
        assert_int_equal(capture->swing->n_rows, cases[i].rows);
        assert_near(capture->swing->time_s[0], cases[i].first_s, 1e-12);
        arc_capture_free(capture);
    }
    ArcSimulateSettings settings = without_noise(experiment);
    ArcCapture *capture = NULL;
    const double t_s[] = {0.5, 0.6};
    settings.swing.points = 20;
    settings.swing.rate_per_s = 100;
    settings.swing.duration_s = 0.3;
    assert_int_equal(arc_simulate_capture(experiment, 2, t_s, settings, &capture, &err), ARC_INPUT);
    assert_null(capture);
    experiment->arm.settings.begin_s = experiment->arm.settings.end_s = NAN;
    settings.swing.points = 0;
    ArcCapture *open = synthesise(experiment, &settings);
    experiment->arm.settings.begin_s = 0.1;
    experiment->arm.settings.end_s = 0.39;
    ArcCapture *told = synthesise(experiment, &settings);
    for (int i = 0; i < told->swing->n_numbers; i++)
        assert_near(open->swing->numbers[i].value, told->swing->numbers[i].value, 1e-10);
    arc_capture_free(open);
    arc_capture_free(told);
    arc_experiment_free(experiment);
}

/* Of its size, by kind; what more is seen leaves the rest as it was. */
static void test_simulate_swing_noise_is_of_its_sigma(void **state)
{
    (void)state;
    static const double sigma[] = {
        [ARC_SWING_PLACE] = 0.003, [ARC_SWING_ANGLE] = 0.2 * M_PI / 180.0, [ARC_SWING_RATE] = 0.1};
    ArcExperiment *experiment = case_experiment(THROW);
    ArcSimulateSettings settings = without_noise(experiment);
    settings.swing.points = MANY;
    ArcCapture *still = synthesise(experiment, &settings);
    settings = experiment->simulate;
    settings.swing.points = MANY;
    ArcCapture *noisy = synthesise(experiment, &settings);
    settings.swing.angles = settings.swing.rates = false;
    ArcCapture *places = synthesise(experiment, &settings);
    double square[3] = {0}, sum[3] = {0};
    int n[3] = {0}, at = 0;
    for (int i = 0; i < noisy->swing->n_numbers; i++) {
        const ArcSwingNumber *number = &noisy->swing->numbers[i];
        double off = (number->value - still->swing->numbers[i].value) / sigma[number->kind];
        assert_near(number->sigma / sigma[number->kind], 1.0, 1e-14);
        square[number->kind] += off * off;
        sum[number->kind] += off;
        n[number->kind]++;
        if (number->kind == ARC_SWING_PLACE)
            assert_true(places->swing->numbers[at++].value == number->value);
    }
    assert_int_equal(at, places->swing->n_numbers);
    for (int kind = 0; kind < 3; kind++) {
        assert_int_equal(n[kind], (kind == ARC_SWING_PLACE ? 4 : 2) * MANY);
        assert_near(square[kind] / n[kind], 1.0, 4.5 * sqrt(2.0 / n[kind]));
        assert_near(sum[kind] / n[kind], 0.0, 4.5 / sqrt(n[kind]));
    }
    arc_capture_free(still);
    arc_capture_free(noisy);
    arc_capture_free(places);
    arc_experiment_free(experiment);
}

/* By encoders where they have some, with the sd that is stated. */
static void test_simulate_readings_scatter_by_their_sd(void **state)
{
    (void)state;
    ArcExperiment *experiment = case_experiment(THROW);
    ArcSimulateSettings settings = experiment->simulate;
    static const char *const names[] = {"theta1", "omega1", "theta2", "t0"};
    const double true_value[] = {1.02 * -0.99, 10.9, 0.61 + 0.03, 0.4};
    const double sd[] = {0.1 * M_PI / 180.0, 0.02 * 10.9, 0.1 * M_PI / 180.0, 0.001};
    double sum[4] = {0}, square[4] = {0};
    settings.swing.is_on = false;
    for (int i = 0; i < REPLICAS; i++) {
        settings.replica = (uint64_t)i + 1;
        ArcCapture *capture = synthesise(experiment, &settings);
        assert_null(capture->swing);
        assert_int_equal(capture->n_readings, 4);
        for (int k = 0; k < 4; k++) {
            const ArcReading *reading = &capture->readings[k];
            double off = (reading->value - true_value[k]) / sd[k];
            assert_string_equal(reading->name, names[k]);
            assert_near(reading->sd, k == 1 ? 0.02 * reading->value : sd[k], 1e-12);
            sum[k] += off;
            square[k] += off * off;
        }
        arc_capture_free(capture);
    }
    for (int k = 0; k < 4; k++) {
        assert_near(sum[k] / REPLICAS, 0.0, 4.5 / sqrt(REPLICAS));
        assert_near(square[k] / REPLICAS, 1.0, 4.5 * sqrt(2.0 / REPLICAS));
    }
    arc_experiment_free(experiment);
}

#define DRAWN                                                                                      \
    HEAD ARM "parameters: {t0: 0.4, theta1: {prior: {mean: -1, sd: 0.3}}, theta2: 0.61, omega1: "  \
             "10.9,\n"                                                                             \
             "  omega2: -4.6, l1: {prior: {mean: 0.5, sd: 0.05}}}\n" SEEN

static void test_simulate_flights_share_what_is_shared(void **state)
{
    (void)state;
    ArcError err;
    ArcExperiment *experiment = case_experiment(DRAWN);
    ArcSimulateSettings settings = experiment->simulate;
    double truth[4][ARC_MAX_PARAMETERS];
    settings.draw = true;
    for (int f = 0; f < 4; f++) {
        settings.replica = f == 3 ? 1 : 0;
        settings.flight = f == 3 ? 1 : (uint64_t)f + 1;
        assert_int_equal(arc_simulate_truth(experiment, &settings, truth[f], &err), ARC_OK);
    }
    double l1 = value_of(experiment, truth[0], "l1");
    assert_true(l1 != 0.5 && l1 == value_of(experiment, truth[1], "l1") &&
                l1 == value_of(experiment, truth[2], "l1"));
    assert_true(l1 != value_of(experiment, truth[3], "l1"));
    for (int f = 1; f < 4; f++)
        for (int e = 0; e < f; e++)
            assert_true(value_of(experiment, truth[f], "theta1") !=
                        value_of(experiment, truth[e], "theta1"));
    /* noise of their own, too */
    settings.replica = 0;
    settings.flight = 1;
    ArcCapture *one = synthesise(experiment, &settings);
    ArcCapture *again = synthesise(experiment, &settings);
    settings.flight = 2;
    ArcCapture *two = synthesise(experiment, &settings);
    assert_memory_equal(one->swing->numbers, again->swing->numbers,
                        sizeof(ArcSwingNumber) * (size_t)one->swing->n_numbers);
    assert_true(one->readings[3].value != two->readings[3].value); /* of t0, the same in truth */
    arc_capture_free(one);
    arc_capture_free(again);
    arc_capture_free(two);
    arc_experiment_free(experiment);
}

static void write_table(ArcStatus status, char *text, const char *path, const ArcError *err)
{
    ArcError written;
    if (status != ARC_OK)
        fail_msg("%s", err->text);
    if (arc_recording_save(text, path, &written) != ARC_OK)
        fail_msg("%s", written.text);
    arc_text_free(text);
}

/* Written and read again, of one throw or several: the same bits. */
static void check_round_trip(int n)
{
    enum { MOST = 3 };
    char folder[] = "/tmp/arcfit-arm-XXXXXX", path[3][64];
    ArcError err;
    char *text = NULL;
    ArcCapture *made[MOST];
    ArcCaptures *read = NULL;
    ArcExperiment *experiment = case_experiment(THROW);
    ArcSimulateSettings settings = experiment->simulate;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 3; i++)
        snprintf(path[i], sizeof path[i], "%s/%d.csv%s", folder, i, i == 1 ? ".gz" : "");
    for (int f = 0; f < n; f++) {
        settings.flight = n > 1 ? (uint64_t)f + 1 : 0;
        made[f] = synthesise(experiment, &settings);
    }
    const ArcCapture *const *captures = (const ArcCapture *const *)made;
    ArcStatus status = arc_captures_text(n, captures, "a comment", &text, &err);
    write_table(status, text, path[0], &err);
    status = arc_swing_text(n, captures, 2, "a comment\nof two lines", &text, &err);
    write_table(status, text, path[1], &err);
    status = arc_readings_text(n, captures, NULL, &text, &err);
    write_table(status, text, path[2], &err);
    ArcCaptureSettings given = experiment->capture;
    given.file = path[0];
    given.swing.file = path[1];
    given.swing.readings = path[2];
    if (arc_captures_read(1, &given, &read, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(read->n, n);
    for (int f = 0; f < n; f++) {
        const ArcCapture *capture = read->captures[f];
        const ArcSwing *was = made[f]->swing, *is = capture->swing;
        assert_int_equal(capture->n_points, made[f]->n_points);
        assert_memory_equal(capture->position_m, made[f]->position_m,
                            sizeof(double) * (size_t)(2 * capture->n_points));
        assert_non_null(is);
        assert_int_equal(is->n_rows, was->n_rows);
        assert_memory_equal(is->time_s, was->time_s, sizeof(double) * (size_t)was->n_rows);
        assert_int_equal(is->n_numbers, was->n_numbers);
        for (int i = 0; i < was->n_numbers; i++) {
            const ArcSwingNumber *number = &was->numbers[i];
            assert_true(seen(is, number->row, number->kind, number->index, number->axis) ==
                        number->value);
        }
        assert_int_equal(capture->n_readings, 4);
        for (int k = 0; k < 4; k++) {
            assert_string_equal(capture->readings[k].name, made[f]->readings[k].name);
            assert_true(capture->readings[k].value == made[f]->readings[k].value);
            assert_near(capture->readings[k].sd / made[f]->readings[k].sd, 1.0, 1e-14);
        }
    }
    arc_captures_free(read);
    for (int f = 0; f < n; f++)
        arc_capture_free(made[f]);
    for (int i = 0; i < 3; i++)
        unlink(path[i]);
    rmdir(folder);
    arc_experiment_free(experiment);
}

static void test_simulate_tables_of_an_arm_read_back_as_the_same_bits(void **state)
{
    (void)state;
    check_round_trip(1);
    check_round_trip(3);
}

/* Experiments that cannot be simulated, and what is said of them. */
static void test_simulate_arm_refusals_say_why(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"arcfit: 1\ncapture: {file: n.csv, sigma: 2 mm}\nparameters: {x0: 0, y0: 2, vx0: 4, vy0: "
         "6}\nsimulate: {swing: {}}\n",
         "swing is of an arm"},
        {"arcfit: 1\ncapture: {file: n.csv, sigma: 2 mm}\nparameters: {x0: 0, y0: 2, vx0: 4, vy0: "
         "6}\nsimulate: {readings: [t0]}\n",
         "readings is of an arm"},
        {HEAD ARM JOINTS "simulate: {swing: {places: []}}\n", "nothing of the swing is seen"},
        {HEAD ARM JOINTS "simulate: {readings: [theta3]}\n", "no parameter 'theta3'"},
        {HEAD ARM JOINTS "simulate: {readings: [l1]}\n", "how well is 'l1' read"},
        {HEAD ARM "parameters: {theta1: 1, theta2: 0.5, omega1: 3}\n" SEEN, "a value for 'omega2'"},
        {"arcfit: 1\ncapture: {file: n.csv, sigma: 2 mm}\nrelease: arm\n" ARM JOINTS
         "simulate: {swing: {angles: true}}\n",
         "simulate.swing.sigma_angle"},
        {"arcfit: 1\ncapture: {file: n.csv, sigma: 2 mm}\nrelease: arm\n" ARM JOINTS
         "simulate: {swing: {rates: true}}\n",
         "simulate.swing.sigma_rate"},
        {"arcfit: 1\ncapture: {file: n.csv, sigma: 2 mm}\nrelease: arm\narm: {joints: [{length: 1, "
         "mass: 1, viscous: 1e6}]}\nparameters: {theta1: 0, omega1: 1}\nsimulate: {swing: {}}\n",
         "cannot be followed back"},
    };
    const double t_s[] = {0.5, 0.6};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ArcError err = {ARC_OK, ""};
        ArcCapture *capture = NULL;
        ArcExperiment *experiment = case_experiment(cases[i].text);
        ArcStatus status =
            arc_simulate_capture(experiment, 2, t_s, experiment->simulate, &capture, &err);
        assert_true(status == ARC_INPUT || status == ARC_NUMERIC);
        assert_null(capture);
        if (strstr(err.text, cases[i].words) == NULL)
            fail_msg("'%s' does not say '%s'", err.text, cases[i].words);
        arc_experiment_free(experiment);
    }
    ArcExperiment *experiment = case_experiment(HEAD ARM JOINTS "simulate: {points: 5}\n");
    ArcCapture *capture = synthesise(experiment, &experiment->simulate);
    const ArcCapture *const captures[] = {capture};
    ArcError err;
    char *text = NULL;
    assert_int_equal(arc_swing_text(1, captures, 2, NULL, &text, &err), ARC_INPUT);
    assert_int_equal(arc_readings_text(1, captures, NULL, &text, &err), ARC_INPUT);
    assert_null(text);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simulate_arm_release_is_its_kinematics),
        cmocka_unit_test(test_simulate_swing_leads_to_the_release),
        cmocka_unit_test(test_simulate_swing_places_are_those_of_its_angles),
        cmocka_unit_test(test_simulate_swing_rows_are_as_asked_for),
        cmocka_unit_test(test_simulate_swing_noise_is_of_its_sigma),
        cmocka_unit_test(test_simulate_readings_scatter_by_their_sd),
        cmocka_unit_test(test_simulate_flights_share_what_is_shared),
        cmocka_unit_test(test_simulate_tables_of_an_arm_read_back_as_the_same_bits),
        cmocka_unit_test(test_simulate_arm_refusals_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
