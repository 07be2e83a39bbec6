/* Captures of own equations: columns by channel with their units, runs in one file, sigmas, what is
 * taken for granted, and each way to be broken with the message's place. */
#include "arcfit/captures.h"
#include "arcfit/diagnosis.h"
#include "arcfit/equations.h"
#include "base/arena.h"
#include "base/file.h"
#include "io/gzip.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* No plug-in: of what captures ask, names and units are enough. */
static ArcEquations bench(void)
{
    static const ArcParameterInfo channels[] = {{"theta", "rad", 0, -9, 9, "angle"},
                                                {"theta_motor", "rad", 0, -9, 9, "angle"},
                                                {"T", "N m", 0, -9, 9, "torque"},
                                                {"V", "1", 0, -9, 9, "share"},
                                                {"sigma_r", "N m/rad", 0, -9, 9, "by angle"}};
    ArcEquations equations = {.path = "bench.c", .name = "bench", .order = 1, .n_states = 5};
    equations.n_channels = 5;
    memcpy(equations.channels, channels, sizeof channels);
    return equations;
}

static char folder[] = "/tmp/arcfit-channels-XXXXXX";
static char file[64];
static ArcEquations equations;

static int setup(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(file, sizeof file, "%s/run.csv", folder);
    equations = bench();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(file);
    return rmdir(folder);
}

static ArcCaptureSettings settings_of(const char *text)
{
    ArcCaptureSettings settings = arc_capture_settings_default();
    settings.file = file;
    settings.place = (ArcPlace){"e.yaml", 3, 9};
    settings.equations = &equations;
    settings.dimensions = equations.n_channels;
    for (int c = 0; c < equations.n_channels; c++)
        settings.channel_sigma[c] = 0.1 * (c + 1);
    assert_int_equal(arc_file_replace(file, text, strlen(text), NULL), ARC_OK);
    return settings;
}

static ArcCapture *read_settings(ArcCaptureSettings settings)
{
    ArcError err = {ARC_OK, ""};
    ArcCapture *capture = NULL;
    if (arc_capture_read(&settings, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return capture;
}

static ArcCapture *read_text(const char *text)
{
    return read_settings(settings_of(text));
}

static double value(const ArcCapture *capture, int i, int c)
{
    return capture->position_m[i * capture->n_channels + c];
}

static double sigma(const ArcCapture *capture, int i, int c)
{
    return capture->sigma_m[i * capture->n_channels + c];
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-15 * (1 + fabs(b))))
        fail_msg("%.17g instead of %.17g", a, b);
}

static void assert_notes(const ArcCapture *capture, int n, const char *word)
{
    if (capture->n_notes != n || (n > 0 && strstr(capture->notes[n - 1], word) == NULL))
        fail_msg("%d notes, the last '%s'", capture->n_notes,
                 capture->n_notes == 0 ? "" : capture->notes[capture->n_notes - 1]);
}

static void test_columns_are_channels_in_si(void **state)
{
    (void)state;
    ArcCapture *capture = read_text("# comment\ntime_ms,theta_deg,theta_motor_rad,T (N cm),v\n"
                                    "0,90,1,50,0.5\n9,180,,60,\n20,,,,\n");
    assert_int_equal(capture->n_channels, 5);
    assert_int_equal(capture->dimensions, 5);
    assert_int_equal(capture->n_points, 3);
    assert_int_equal(capture->n_fit, 2);
    assert_int_equal(capture->use[2], ARC_POINT_UNUSED);
    assert_true(capture->time_s[1] == 0.009);
    assert_near(value(capture, 0, 0), M_PI / 2);
    assert_near(value(capture, 1, 0), M_PI);
    assert_true(value(capture, 0, 1) == 1);
    assert_true(isnan(value(capture, 1, 1)));
    assert_near(value(capture, 0, 2), 0.5);
    assert_true(value(capture, 0, 3) == 0.5);
    assert_true(isnan(value(capture, 0, 4)));
    assert_true(sigma(capture, 0, 2) == 0.1 * 3);
    assert_int_equal(capture->line[1], 4);
    assert_string_equal(capture->channels[2].unit, "N m");
    assert_notes(capture, 0, NULL);
    arc_capture_free(capture);
}

/* A channel may be called as another's sigma would be, or begin as another one. */
static void test_columns_of_like_names_are_told_apart(void **state)
{
    (void)state;
    ArcCapture *capture =
        read_text("t;THETA_MOTOR;sigma_theta_motor;sigma_r;sigma_sigma_r;sigma_t_n_m;T\n"
                  "0;1;0,25;3;0,5;7;1\n1;2;;4;;8;2\n");
    assert_true(isnan(value(capture, 0, 0)));
    assert_true(value(capture, 1, 1) == 2);
    assert_true(sigma(capture, 0, 1) == 0.25);
    assert_true(sigma(capture, 1, 1) == 0.1 * 2);
    assert_true(value(capture, 0, 4) == 3);
    assert_true(sigma(capture, 0, 4) == 0.5);
    assert_true(sigma(capture, 1, 2) == 8);
    assert_notes(capture, 3, "no unit for sigma_r; it is taken for N m/rad");
    arc_capture_free(capture);
}

/* A sigma without a unit is in that of its channel's column. */
static void test_sigma_columns_have_the_unit_of_their_channel(void **state)
{
    (void)state;
    ArcCapture *capture =
        read_text("time_s,theta_deg,sigma_theta,T_n_m,sigma_T (N cm)\n0,1,2,3,4\n1,1,2,3,4\n");
    assert_near(sigma(capture, 0, 0), 2 * M_PI / 180);
    assert_near(sigma(capture, 1, 2), 0.04);
    arc_capture_free(capture);
}

static void test_columns_and_units_can_be_chosen(void **state)
{
    (void)state;
    ArcCaptureSettings settings =
        settings_of("when,theta_rad,angle_deg,x,time_s\n0,7,90,50,5\n1000,7,180,25,6\n");
    settings.columns[settings.n_columns++] = (ArcColumnChoice){.role = "t", .column = "when"};
    settings.columns[settings.n_columns++] = (ArcColumnChoice){.role = "theta", .column = "3"};
    settings.columns[settings.n_columns++] =
        (ArcColumnChoice){.role = "V", .column = "x", .unit = "%"};
    settings.time_scale_s = 1e-3;
    ArcCapture *capture = read_settings(settings);
    assert_true(capture->time_s[1] == 1);
    assert_near(value(capture, 0, 0), M_PI / 2);
    assert_near(value(capture, 0, 3), 0.5);
    assert_notes(capture, 1,
                 "columns that are nothing of the model bench are not read: theta_rad, "
                 "time_s");
    arc_capture_free(capture);
}

static void test_window_every_and_hold_out_choose_rows(void **state)
{
    (void)state;
    char text[400] = "time_s,V\n";
    for (int i = 0; i < 20; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,%d\n", i, i);
    ArcCaptureSettings settings = settings_of(text);
    settings.window_s[0] = 3;
    settings.window_s[1] = 14;
    settings.every = 2;
    settings.hold_out = ARC_HOLD_OUT_EVERY;
    settings.hold_out_every = 3;
    settings.t0_s = 2.5;
    ArcCapture *capture = read_settings(settings);
    assert_int_equal(capture->n_fit, 4);
    assert_int_equal(capture->n_held_out, 2);
    assert_int_equal(capture->use[3], ARC_POINT_FIT);
    assert_int_equal(capture->use[4], ARC_POINT_UNUSED);
    assert_int_equal(capture->use[7], ARC_POINT_HELD_OUT);
    assert_true(capture->has_t0 && capture->t0_s == 2.5);
    arc_capture_free(capture);
}

static void test_a_file_counts_its_runs(void **state)
{
    (void)state;
    static const char text[] = "time_s,V,flight\n0,1,7\n1,2,7\n0,3,2\n2,9,7\n1,4,2\n";
    ArcCaptureSettings settings[2] = {settings_of(text), settings_of(text)};
    settings[1].one_flight = true;
    settings[1].flight_number = 2;
    ArcCaptures *captures = NULL;
    ArcError err;
    if (arc_captures_read(2, settings, &captures, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(captures->n, 3);
    assert_int_equal(captures->captures[0]->n_points, 3);
    assert_string_equal(captures->captures[0]->flight, "7");
    assert_true(value(captures->captures[0], 2, 3) == 9);
    assert_string_equal(captures->captures[1]->flight, "2");
    assert_true(value(captures->captures[2], 1, 3) == 4);
    arc_captures_free(captures);
}

/* Only a factor is to be found: relative ones as given, else alike in SI. */
static void test_estimated_sigmas_are_relative(void **state)
{
    (void)state;
    static const char text[] = "time_s,theta_rad,V\n0,1,2\n1,1,2\n";
    ArcCaptureSettings settings = settings_of(text);
    settings.sigma_estimated = true;
    ArcCapture *capture = read_settings(settings);
    assert_true(sigma(capture, 0, 0) == 0.1 && sigma(capture, 0, 3) == 0.1 * 4);
    assert_notes(capture, 0, NULL);
    arc_capture_free(capture);
    for (int c = 0; c < 5; c++)
        settings.channel_sigma[c] = NAN;
    capture = read_settings(settings);
    assert_true(sigma(capture, 0, 0) == 1e-3 && sigma(capture, 1, 3) == 1e-3);
    assert_notes(capture, 1, "takes all channels for equally exact");
    arc_capture_free(capture);
}

static void test_gzip_and_round_trip_keep_every_bit(void **state)
{
    (void)state;
    ArcCapture *capture =
        read_text("time_s,theta_rad,sigma_theta_rad,T_n_m,sigma_T_n_m\n0.1,0.1,0.3,,0.7\n"
                  "0.2,1e-300,0.3,0.30000000000000004,0.7\n");
    ArcError err;
    char path[80];
    snprintf(path, sizeof path, "%s/again.csv.gz", folder);
    if (arc_capture_write(capture, "made\nhere", path, &err) != ARC_OK)
        fail_msg("%s", err.text);
    ArcCaptureSettings settings = settings_of("time_s,V\n0,1\n1,2\n");
    settings.file = path;
    ArcCapture *again = read_settings(settings);
    unlink(path);
    assert_int_equal(again->n_points, 2);
    for (int i = 0; i < 2; i++) {
        assert_true(again->time_s[i] == capture->time_s[i]);
        for (int c = 0; c < 5; c++) {
            double a = value(again, i, c), b = value(capture, i, c);
            assert_true(a == b || (isnan(a) && isnan(b)));
            if (!isnan(a))
                assert_true(sigma(again, i, c) == sigma(capture, i, c));
        }
    }
    char *text = NULL;
    assert_int_equal(arc_capture_text(capture, "made\nhere", &text, &err), ARC_OK);
    const char *head = "# made\n# here\ntime_s,theta_rad,T_n_m,sigma_theta_rad,sigma_T_n_m\n"
                       "0.1,0.1,,0.3,0.7\n";
    if (strncmp(text, head, strlen(head)) != 0)
        fail_msg("%s", text);
    arc_text_free(text);
    arc_capture_free(again);
    arc_capture_free(capture);
}

static void test_runs_in_memory_are_written_with_their_number(void **state)
{
    (void)state;
    const double t_s[] = {0, 1}, y[] = {1, NAN, NAN, NAN, 2, 3, NAN, NAN, NAN, 4},
                 s[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    ArcCapture given = {.n_points = 2,
                        .dimensions = 5,
                        .n_channels = 5,
                        .channels = equations.channels,
                        .time_s = t_s,
                        .position_m = y,
                        .sigma_m = s};
    ArcCapture *runs[2];
    char *text = NULL;
    ArcError err;
    for (int f = 0; f < 2; f++)
        if (arc_capture_create(&given, &runs[f], &err) != ARC_OK)
            fail_msg("%s", err.text);
    assert_int_equal(arc_captures_text(2, (const ArcCapture *const *)runs, NULL, &text, &err),
                     ARC_OK);
    assert_string_equal(text, "time_s,theta_rad,sigma_r_n_m_rad,sigma_theta_rad,"
                              "sigma_sigma_r_n_m_rad,flight\n"
                              "0,1,2,1,1,1\n1,3,4,1,1,1\n0,1,2,1,1,2\n1,3,4,1,1,2\n");
    arc_text_free(text);
    /* Nobody knows how such states move, so nothing is found wrong with them. */
    ArcDiagnosis diagnosis;
    assert_int_equal(arc_diagnosis_create(runs[0], NULL, true, NULL, &diagnosis, &err), ARC_OK);
    assert_int_equal(diagnosis.n_warnings, 0);
    for (int f = 0; f < 2; f++)
        arc_capture_free(runs[f]);
    given.n_channels = 4;
    assert_int_equal(arc_capture_create(&given, &runs[0], &err), ARC_USAGE);
}

static void assert_refused(ArcCaptureSettings settings, const char *message)
{
    ArcError err = {ARC_OK, ""};
    ArcCapture *capture = NULL;
    ArcStatus status = arc_capture_read(&settings, &capture, &err);
    if (capture != NULL)
        fail_msg("no '%s'", message);
    if (status != ARC_INPUT || strstr(err.text, message) == NULL)
        fail_msg("'%s' instead of '%s'", err.text, message);
}

static void test_broken_files_are_refused_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"time_s,theta_m\n0,1\n1,2\n",
         "run.csv:1:8: error: 'theta_m' has a unit that is not one of theta, which is in rad; call "
         "the column theta_rad"},
        {"time_s,theta (m)\n0,1\n1,2\n", "run.csv:1:8: error: 'theta (m)' has a unit"},
        {"time_s,theta (foo)\n0,1\n1,2\n", "run.csv:1:8: error: 'theta (foo)' has a unit"},
        {"time_s,theta_f\n0,1\n1,2\n", "run.csv:1:1: error: no column of the model bench"},
        {"time_s,V_m\n0,1\n1,2\n", "run.csv:1:8: error: 'V_m' has a unit that is not one of V, "
                                   "which is in 1; call the column V, or"},
        {"time_m,V\n0,1\n1,2\n", "run.csv:1:1: error: no column of times; call it time_s"},
        {"time (kg),V\n0,1\n1,2\n", "run.csv:1:1: error: 'time (kg)' has a unit"},
        {"time_s,x_m\n0,1\n1,2\n",
         "run.csv:1:1: error: no column of the model bench; it has theta_rad, theta_motor_rad, "
         "T_n_m, V, sigma_r_n_m_rad; others can be chosen, for example `columns: {theta: 2}`"},
        {"time_s,V,v\n0,1,1\n1,2,2\n", "run.csv:1:10: error: both column 2 and column 3 are V"},
        {"time_s,V,t\n0,1,1\n1,2,2\n", "run.csv:1:10: error: both column 1 and column 3 are t"},
        {"time_s,V,flight,flight\n0,1,1,1\n1,2,2,2\n", "run.csv:1:17: error: both column 3"},
        {"time_s,V\n0,1\n1,inf\n", "run.csv:3:3: error: "},
        {"time_s,V\n0,1\n1,1e13\n", "run.csv:3:3: error: "},
        {"time_s,V\n0,1\n1,abc\n", "run.csv:3:3: error: "},
        {"time_s,V\n0,1\n,2\n", "run.csv:3:1: error: a row without a time"},
        {"time_s,V\n1,1\n0,2\n", "run.csv:3:1: error: line 3 has an earlier time than line 2"},
        {"time_s,V\n1,1\n1,2\n", "run.csv:3:1: error: line 3 has the same time as line 2"},
        {"time_s,V\n1,1\n2,\n", "run.csv:3:1: error: 1 point in this file; at least two"},
        {"time_s,V,sigma_V\n0,1,0\n1,2,1\n", "run.csv:2:5: error: the standard deviation '0' is "
                                             "not above zero"},
        {"time_s,V,flight\n0,1,1\n1,2,\n", "run.csv:3:5: error: this row does not tell the number "
                                           "of its run"},
        {"time_s,V,flight\n0,1,1\n1,2,1.5\n", "run.csv:3:5: error: '1.5' is no number"},
        {"time_s,V,flight\n0,1,1\n1,2,1\n0,1,2\n", "run.csv:4:1: error: 1 point in this file; at "
                                                   "least two are needed (flight 2)"},
        {"0,1\n1,2\n", "run.csv:1:1: error: "},
        {"time_s,V\n", "run.csv:1:1: error: "},
        {"", "run.csv:1:1: error: "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_refused(settings_of(rows[i].text), rows[i].message);
}

static void test_broken_settings_are_refused_at_their_place(void **state)
{
    (void)state;
    static const char good[] = "time_s,V,w\n0,1,1\n1,2,3\n";
    ArcCaptureSettings settings = settings_of(good);
    settings.channel_sigma[3] = NAN;
    assert_refused(settings, "e.yaml:3:9: error: no standard deviation for V in line 2 of '");
    settings = settings_of("time_s,theta,sigma_theta,V\n0,1,1,\n1,2,1,2\n");
    settings.sigma_estimated = true;
    for (int c = 0; c < 5; c++)
        settings.channel_sigma[c] = NAN;
    assert_refused(settings, "e.yaml:3:9: error: no standard deviation for V in line 3 of '");
    settings = settings_of(good);
    settings.one_flight = true;
    assert_refused(settings, "e.yaml:3:9: error: flight 0 is chosen, but '");
    settings = settings_of("time_s,V,flight\n0,1,1\n1,2,1\n");
    settings.one_flight = true;
    assert_refused(settings, "run.csv' has no flight 0; it has 1 of them, the first is 1");
    settings = settings_of(good);
    settings.window_s[0] = 5;
    assert_refused(settings, "e.yaml:3:9: error: window, every and hold_out leave 0 of 2 points");
    settings = settings_of(good);
    settings.file = "/tmp/arcfit-no-such-file.csv";
    assert_refused(settings, "e.yaml:3:9: error: ");
    static const struct {
        const char *role, *column, *unit, *message;
    } choices[] = {{"V", "none", NULL, "e.yaml:4:7: error: no column 'none' in '"},
                   {"V", "4", NULL, "e.yaml:4:7: error: no column '4' in '"},
                   {"x", "w", NULL, "e.yaml:4:7: error: the model bench has no column 'x'"},
                   {"V", NULL, "kg", "e.yaml:4:7: error: 'kg' is no unit of V, which is in 1"}};
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        settings = settings_of(good);
        settings.columns[settings.n_columns++] = (ArcColumnChoice){
            choices[i].role, choices[i].column, choices[i].unit, (ArcPlace){"e.yaml", 4, 7}};
        assert_refused(settings, choices[i].message);
    }
    settings = settings_of(good);
    settings.columns[0] = (ArcColumnChoice){"V", "w", NULL, {"e.yaml", 4, 7}};
    settings.columns[1] = (ArcColumnChoice){"theta", "3", NULL, {"e.yaml", 5, 7}};
    settings.n_columns = 2;
    assert_refused(settings, "e.yaml:5:7: error: column '3' is chosen twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_channels_in_si),
        cmocka_unit_test(test_columns_of_like_names_are_told_apart),
        cmocka_unit_test(test_sigma_columns_have_the_unit_of_their_channel),
        cmocka_unit_test(test_columns_and_units_can_be_chosen),
        cmocka_unit_test(test_window_every_and_hold_out_choose_rows),
        cmocka_unit_test(test_a_file_counts_its_runs),
        cmocka_unit_test(test_estimated_sigmas_are_relative),
        cmocka_unit_test(test_gzip_and_round_trip_keep_every_bit),
        cmocka_unit_test(test_runs_in_memory_are_written_with_their_number),
        cmocka_unit_test(test_broken_files_are_refused_at_their_place),
        cmocka_unit_test(test_broken_settings_are_refused_at_their_place),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
