/* What was measured of an arm, from its tables: swings and readings, of one flight and of several,
 * and each way to be broken with the message's place. */
#include "arcfit/captures.h"
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

static char folder[] = "/tmp/arcfit-swing-XXXXXX";
static char points[64], table[64], readings[64];

static int setup(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(points, sizeof points, "%s/throw.csv", folder);
    snprintf(table, sizeof table, "%s/swing.csv", folder);
    snprintf(readings, sizeof readings, "%s/readings.csv", folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(points);
    unlink(table);
    unlink(readings);
    return rmdir(folder);
}

static void write_text(const char *path, const char *text)
{
    assert_int_equal(arc_file_replace(path, text, strlen(text), NULL), ARC_OK);
}

static const char one_flight[] = "time_s,x_m,y_m\n0.5,0,1\n0.6,1,2\n0.7,2,2.5\n";
static const char two_flights[] = "flight,time_s,x_m,y_m\n7,0.5,0,1\n7,0.6,1,2\n"
                                  "3,0.5,0,1\n3,0.6,1,3\n";

/* The flight's points beside a swing and readings of an arm of two joints; NULL: without. */
static ArcCaptureSettings settings_of(const char *flight, const char *swing, const char *read)
{
    ArcCaptureSettings settings = arc_capture_settings_default();
    settings.file = points;
    settings.sigma_m = 0.003;
    settings.place = (ArcPlace){"e.yaml", 3, 9};
    settings.swing.n_joints = 2;
    settings.swing.place = (ArcPlace){"e.yaml", 5, 7};
    settings.swing.readings_place = (ArcPlace){"e.yaml", 8, 7};
    write_text(points, flight);
    if (swing != NULL) {
        write_text(table, swing);
        settings.swing.file = table;
    }
    if (read != NULL) {
        write_text(readings, read);
        settings.swing.readings = readings;
    }
    return settings;
}

static ArcCaptures *read_captures(int n, const ArcCaptureSettings *settings)
{
    ArcError err;
    ArcCaptures *captures = NULL;
    if (arc_captures_read(n, settings, &captures, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return captures;
}

static void refuse(ArcCaptureSettings settings, const char *file, const char *place,
                   const char *what)
{
    char expected[128];
    ArcError err = {ARC_OK, ""};
    ArcCaptures *captures = NULL;
    ArcStatus status = arc_captures_read(1, &settings, &captures, &err);
    snprintf(expected, sizeof expected, "%s:%s: error: ", file, place);
    if (status != ARC_INPUT || strncmp(err.text, expected, strlen(expected)) != 0 ||
        strstr(err.text, what) == NULL)
        fail_msg("status %d, '%s'; expected '%s' and '%s'", status, err.text, expected, what);
    assert_null(captures);
}

static void assert_number(const ArcSwing *swing, int i, ArcSwingNumber expected)
{
    const ArcSwingNumber *number = &swing->numbers[i];
    if (number->row != expected.row || number->kind != expected.kind ||
        number->index != expected.index || number->axis != expected.axis ||
        number->line != expected.line || fabs(number->value - expected.value) > 1e-15 ||
        number->sigma != expected.sigma)
        fail_msg("number %d: row %d, kind %d of %d, axis %d, %.17g, sigma %g, line %d", i,
                 number->row, (int)number->kind, number->index, number->axis, number->value,
                 number->sigma, number->line);
}

static void assert_note(const ArcCapture *capture, const char *words)
{
    for (int i = 0; i < capture->n_notes; i++)
        if (strstr(capture->notes[i], words) != NULL)
            return;
    fail_msg("none of %d notes says '%s'", capture->n_notes, words);
}

/* Every kind of column, in units of its own; empty cells are no numbers, and angles stay as read.
 */
static void test_swing_read_takes_places_angles_and_rates(void **state)
{
    (void)state;
    ArcCaptureSettings settings =
        settings_of(one_flight,
                    "time_ms,elbow_x_cm,hand_y_m,ball_x_mm,joint2_x_m,theta1_deg,Theta2 (rad),"
                    "omega1_deg_s,omega2 [rad/s]\n"
                    "100,50,1.25,700,0.75,540,0.25,90,-2\n"
                    "200,,1.5,,,,,,\n"
                    "300,,,,,,,,\n",
                    NULL);
    settings.swing.sigma_rad = 0.002;
    settings.swing.sigma_rad_s = 0.5;
    ArcCaptures *captures = read_captures(1, &settings);
    const ArcCapture *capture = captures->captures[0];
    const ArcSwing *swing = capture->swing;
    assert_string_equal(swing->file, table);
    assert_int_equal(swing->n_rows, 2);
    assert_true(swing->time_s[0] == 0.1 && swing->time_s[1] == 0.2);
    assert_int_equal(swing->n_numbers, 9);
    assert_number(swing, 0, (ArcSwingNumber){0, ARC_SWING_PLACE, 1, 0, 0.5, 0.003, 2});
    assert_number(swing, 1, (ArcSwingNumber){0, ARC_SWING_PLACE, 2, 1, 1.25, 0.003, 2});
    assert_number(swing, 2, (ArcSwingNumber){0, ARC_SWING_PLACE, ARC_ARM_BALL, 0, 0.7, 0.003, 2});
    assert_number(swing, 3, (ArcSwingNumber){0, ARC_SWING_PLACE, 2, 0, 0.75, 0.003, 2});
    assert_number(swing, 4, (ArcSwingNumber){0, ARC_SWING_ANGLE, 0, 0, 3 * M_PI, 0.002, 2});
    assert_number(swing, 5, (ArcSwingNumber){0, ARC_SWING_ANGLE, 1, 0, 0.25, 0.002, 2});
    assert_number(swing, 6, (ArcSwingNumber){0, ARC_SWING_RATE, 0, 0, M_PI / 2, 0.5, 2});
    assert_number(swing, 7, (ArcSwingNumber){0, ARC_SWING_RATE, 1, 0, -2, 0.5, 2});
    assert_number(swing, 8, (ArcSwingNumber){1, ARC_SWING_PLACE, 2, 1, 1.5, 0.003, 3});
    assert_int_equal(capture->n_notes, 0);
    assert_int_equal(capture->n_readings, 0);
    arc_captures_free(captures);
}

static void test_swing_read_own_sigma_and_window_hold(void **state)
{
    (void)state;
    ArcCaptureSettings settings =
        settings_of(one_flight, "time_s,hand_x_m\n0,1\n0.1,2\n0.2,3\n0.3,4\n", NULL);
    settings.swing.sigma_m = 0.01;
    settings.swing.window_s[0] = 0.1;
    settings.swing.window_s[1] = 0.2;
    ArcCaptures *captures = read_captures(1, &settings);
    const ArcSwing *swing = captures->captures[0]->swing;
    assert_int_equal(swing->n_rows, 2);
    assert_true(swing->time_s[0] == 0.1);
    assert_int_equal(swing->n_numbers, 2);
    assert_number(swing, 1, (ArcSwingNumber){1, ARC_SWING_PLACE, 2, 0, 3, 0.01, 4});
    arc_captures_free(captures);
    settings.swing.window_s[0] = 0.31;
    settings.swing.window_s[1] = 9;
    refuse(settings, "e.yaml", "5:7", "is inside swing.window [0.31 s, 9 s]");
}

/* In the plane a third axis is none, nor has the arm a third joint; the rest is somebody else's. */
static void test_swing_read_unknown_columns_are_noted(void **state)
{
    (void)state;
    ArcCaptureSettings settings = settings_of(
        one_flight, "time_s,hand_x_m,hand_z_m,theta3_deg,joint3_x_m,gripper\n0,1,2,3,4,open\n",
        NULL);
    ArcCaptures *captures = read_captures(1, &settings);
    const ArcCapture *capture = captures->captures[0];
    assert_int_equal(capture->swing->n_numbers, 1);
    assert_note(capture, "swing.csv: note: columns that are nothing of this arm are not read: "
                         "hand_z_m, theta3_deg, joint3_x_m, gripper");
    arc_captures_free(captures);
}

static void test_swing_read_gzip_is_unpacked(void **state)
{
    (void)state;
    static const char text[] = "time_s,hand_x_m\n0.1,2\n";
    ArcCaptureSettings settings = settings_of(one_flight, text, NULL);
    ArcArena *arena = arc_arena_create();
    char *packed = NULL;
    size_t size = 0;
    assert_int_equal(arc_gzip_compress(text, sizeof text - 1, arena, &packed, &size, NULL), ARC_OK);
    assert_int_equal(arc_file_replace(table, packed, size, NULL), ARC_OK);
    ArcCaptures *captures = read_captures(1, &settings);
    assert_true(captures->captures[0]->swing->numbers[0].value == 2);
    arc_captures_free(captures);
    arc_arena_free(arena);
}

/* Each flight has its rows and its clock; a flight without rows has no swing. */
static void test_swing_read_flights_have_their_own_rows(void **state)
{
    (void)state;
    ArcCaptureSettings settings = settings_of(
        two_flights, "flight,time_s,hand_x_m\n3,0.2,1\n7,0.1,2\n7,0.2,3\n3,0.4,4\n9,0,0\n",
        "flight,theta1_rad,sigma_theta1_rad\n3,0.5,0.1\n");
    ArcCaptures *captures = read_captures(1, &settings);
    const ArcCapture *seventh = captures->captures[0], *third = captures->captures[1];
    assert_string_equal(seventh->flight, "7");
    assert_int_equal(seventh->swing->n_rows, 2);
    assert_true(seventh->swing->time_s[1] == 0.2 && seventh->swing->numbers[1].value == 3);
    assert_true(third->swing->time_s[1] == 0.4 && third->swing->numbers[1].value == 4);
    assert_int_equal(third->swing->numbers[1].row, 1);
    assert_int_equal(third->swing->numbers[1].line, 5);
    assert_int_equal(seventh->n_readings, 0);
    assert_null(seventh->readings);
    assert_int_equal(third->n_readings, 1);
    assert_true(third->readings[0].value == 0.5 && third->readings[0].sd == 0.1);
    assert_note(seventh, "readings.csv: note: no row of it is of this flight");
    assert_note(seventh, "swing.csv: note: 1 rows are of flights that");
    arc_captures_free(captures);
    settings.one_flight = true;
    settings.flight_number = 3;
    captures = read_captures(1, &settings);
    assert_int_equal(captures->captures[0]->n_notes, 0);
    assert_int_equal(captures->captures[0]->swing->n_rows, 2);
    arc_captures_free(captures);
}

/* Files that do not count flights are known by their names. */
static void test_swing_read_files_are_flights_by_their_names(void **state)
{
    (void)state;
    char other[64];
    snprintf(other, sizeof other, "%s/second.csv", folder);
    write_text(other, one_flight);
    ArcCaptureSettings settings[2];
    settings[0] = settings_of(one_flight, "flight,time_s,hand_x_m\nthrow,0.1,2\nsecond.csv,0.3,1\n",
                              "flight,t0_ms,sigma_t0_ms\nsecond,400,1\n");
    settings[1] = settings[0];
    settings[1].file = other;
    ArcCaptures *captures = read_captures(2, settings);
    unlink(other);
    assert_true(captures->captures[0]->swing->time_s[0] == 0.1);
    assert_true(captures->captures[1]->swing->time_s[0] == 0.3);
    assert_int_equal(captures->captures[0]->n_readings, 0);
    assert_string_equal(captures->captures[1]->readings[0].name, "t0");
    assert_true(captures->captures[1]->readings[0].value == 0.4);
    arc_captures_free(captures);
}

static void test_readings_read_are_in_si_with_their_sd(void **state)
{
    (void)state;
    ArcCaptureSettings settings =
        settings_of(one_flight, NULL,
                    "theta1_deg,theta2_rad,sigma_theta2_rad,omega1_rad_s,omega2_deg_s,t0_ms,"
                    "l1_mm,sigma_l1_mm,base_x_m,sigma_base_x_cm,gain1,sigma_gain1,payload_g,note\n"
                    "45,-0.5,0.01,-4,0,400,500,2,,1,1.01,0.002,,x\n");
    settings.swing.readings_sigma_rad = 0.002;
    settings.swing.readings_sigma_rad_s = 0.03;
    settings.swing.readings_sigma_share = 0.01;
    settings.swing.readings_sigma_s = 0.0005;
    ArcCaptures *captures = read_captures(1, &settings);
    const ArcCapture *capture = captures->captures[0];
    static const struct {
        const char *name;
        double value, sd;
    } rows[] = {{"theta1", M_PI / 4, 0.002}, {"theta2", -0.5, 0.01}, {"omega1", -4, 0.05},
                {"omega2", 0, 0.03},         {"t0", 0.4, 0.0005},    {"l1", 0.5, 0.002},
                {"gain1", 1.01, 0.002}};
    assert_int_equal(capture->n_readings, 7);
    for (int i = 0; i < 7; i++) {
        const ArcReading *reading = &capture->readings[i];
        assert_string_equal(reading->name, rows[i].name);
        assert_int_equal(reading->line, 2);
        if (fabs(reading->value - rows[i].value) > 1e-15 || fabs(reading->sd - rows[i].sd) > 1e-15)
            fail_msg("%s is %.17g with %.17g", reading->name, reading->value, reading->sd);
    }
    assert_null(capture->swing);
    assert_note(capture, "are not read: note");
    arc_captures_free(captures);
}

static void test_swing_read_broken_tables_are_refused_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *words;
    } rows[] = {
        {"", "1:1", "empty"},
        {"time_s,hand_x_m\n", "1:1", "no rows with numbers"},
        {"0.1,2\n0.2,3\n", "1:1", "no header"},
        {"hand_x_m\n1\n", "1:1", "no column of times; call it time_s"},
        {"time_s,foo\n1,2\n", "1:1", "no column of the arm; known are elbow_x_m"},
        {"time_s,hand_x\n1,2\n", "1:8",
         "'hand_x' has no unit that is known; call the column "
         "hand_x_m"},
        {"time_s,hand_x_deg\n1,2\n", "1:8", "'hand_x_deg' has the unit of something else"},
        {"time,hand_x_m\n1,2\n", "1:1", "'time' has no unit that is known; call the column time_s"},
        {"time_s,theta1\n1,2\n", "1:8", "call the column theta1_rad"},
        {"time_s,omega1_deg\n1,2\n", "1:8", "call the column omega1_rad_s"},
        {"time_s,theta1_deg\n1,2\n", "1:8",
         "'theta1_deg' has no standard deviation; give one in "
         "the experiment, for example `swing: {sigma_angle"},
        {"time_s,omega1_deg_s\n1,2\n", "1:8", "swing: {sigma_rate"},
        {"time_s,hand_x_m,hand_x_mm\n1,2,3\n", "1:17", "both column 2 and column 3 are 'hand_x'"},
        {"time_s,t_s,hand_x_m\n1,2,3\n", "1:8", "two columns of times"},
        {"time_s,hand_x_m\n0.1,2\n0.1,3\n", "3:1", "time '0.1' is not above the one before it"},
        {"time_s,hand_x_m\n0.1,2\n0.05,3\n", "3:1", "sort the rows"},
        {"time_s,hand_x_m\n0.1,2\n,3\n", "3:1", "a row without a time"},
        {"time_s,hand_x_m\n0.1,two\n0.2,1\n", "2:5", "two"},
        {"time_s,hand_x_m\n0.1,2\n0.2,inf\n", "3:5", "inf"},
        {"time_s,hand_x_m\n0.1,2\n0.2,1e13\n", "3:5", "out of range"},
        {"time_s,hand_x_m\n0.1,2\n0.2\n", "3:4", "1 cell where the header has 2"},
        {"flight,time_s,hand_x_m\nthrow,0.1,2\n,0.2,3\n", "3:1", "does not tell its flight"},
        {"flight,time_s,hand_x_m,flight\n1,0.1,2,1\n", "1:24", "both column 1 and column 4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        refuse(settings_of(one_flight, rows[i].text, NULL), table, rows[i].place, rows[i].words);
}

static void test_readings_read_broken_tables_are_refused_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *words;
    } rows[] = {
        {"foo\n1\n", "1:1", "no column of a reading; known are theta1_rad"},
        {"theta3_rad\n1\n", "1:1", "no column of a reading"},
        {"theta1\n1\n", "1:1", "call the column theta1_rad"},
        {"l1_rad\n1\n", "1:1", "'l1_rad' has the unit of something else; call the column l1_m"},
        {"gain1_m\n1\n", "1:1", "gain1 is a plain number"},
        {"theta1_rad\n1\n", "2:1",
         "'theta1' has no standard deviation; give a column sigma_theta1"},
        {"l1_m,sigma_l1_m\n1,\n", "2:1", "'l1' has no standard deviation"},
        {"l1_m,sigma_l1_m\n1,0\n", "2:3", "the standard deviation of 'l1' is 0"},
        {"l1_m,sigma_l1_m\n1,-0.1\n", "2:3", "it must be above zero"},
        {"l1_m,sigma_l1_rad\n1,1\n", "1:6", "call the column sigma_l1_m"},
        {"omega1_rad_s\n0\n", "2:1", "give sigma_rate beside sigma_rate_share"},
        {"l1_m,sigma_l1_m\n1,0.1\n1,0.1\n", "3:1",
         "a second row of one flight; readings have one "
         "row a flight, which a column `flight` names"},
        {"l1_m,sigma_l1_m\nlong,0.1\n", "2:1", "long"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcCaptureSettings settings = settings_of(one_flight, NULL, rows[i].text);
        settings.swing.readings_sigma_share = 0.01;
        refuse(settings, readings, rows[i].place, rows[i].words);
    }
}

static void test_arms_tables_of_other_flights_are_refused(void **state)
{
    (void)state;
    refuse(settings_of(two_flights, "time_s,hand_x_m\n0.1,1\n", NULL), table, "1:1",
           "no column `flight`, but");
    refuse(settings_of(two_flights, NULL, "l1_m,sigma_l1_m\n1,0.1\n"), readings, "1:1",
           "holds 2 flights");
    refuse(settings_of(one_flight, "flight,time_s,hand_x_m\n1,0.1,1\n", NULL), "e.yaml", "5:7",
           "is of a flight here");
    refuse(settings_of(two_flights, NULL, "flight,l1_m,sigma_l1_m\n8,1,0.1\n"), "e.yaml", "8:7",
           "is of a flight here");
    refuse(settings_of(two_flights, NULL, "flight,l1_m,sigma_l1_m\n7,1,0.1\n7,1,0.1\n"), readings,
           "3:1", "a second row of one flight; readings have one row a flight");
    ArcCaptureSettings settings = settings_of(one_flight, NULL, NULL);
    settings.swing.file = "/tmp/arcfit-no-such-file";
    refuse(settings, "e.yaml", "5:7", "cannot open");
    settings.swing.file = NULL;
    settings.swing.readings = "/tmp/arcfit-no-such-file";
    refuse(settings, "e.yaml", "8:7", "cannot open");
}

static void test_readings_read_are_so_many_at_most(void **state)
{
    (void)state;
    char text[1024] = "theta1_rad";
    static const char *const stems[] = {"theta", "omega",  "l",       "offset", "gain",
                                        "mass",  "centre", "inertia", "viscous"};
    static const char *const units[] = {"rad", "rad_s", "m",     "rad",  "",
                                        "kg",  "m",     "kg_m2", "n_m_s"};
    int n = 1;
    for (int k = 0; k < 9; k++)
        for (int j = 1; j <= 4 && n < 33; j++) {
            if (k == 0 && j == 1)
                continue;
            snprintf(text + strlen(text), sizeof text - strlen(text), ",%s%d%s%s", stems[k], j,
                     units[k][0] == '\0' ? "" : "_", units[k]);
            n++;
        }
    strcat(text, "\n1");
    for (int i = 1; i < n; i++)
        strcat(text, ",1");
    strcat(text, "\n");
    assert_int_equal(n, 33);
    ArcCaptureSettings settings = settings_of(one_flight, NULL, text);
    settings.swing.n_joints = 4;
    char place[16];
    snprintf(place, sizeof place, "1:%d", (int)(strrchr(strtok(text, "\n"), ',') - text) + 2);
    refuse(settings, readings, place, "more than 32 readings of a flight");
}

/* What is made in memory is copied whole, and checked. */
static void test_capture_create_copies_swing_and_readings(void **state)
{
    (void)state;
    double time_s[] = {0, 0.1}, position_m[] = {0, 0, 1, 1}, sigma_m[] = {1, 1, 1, 1};
    double swing_time_s[] = {-0.2, -0.1};
    ArcSwingNumber numbers[] = {{0, ARC_SWING_PLACE, 1, 0, 0.5, 0.002, 0},
                                {1, ARC_SWING_ANGLE, 0, 0, 0.25, 0.01, 0}};
    ArcSwing swing = {NULL, 2, swing_time_s, 2, numbers};
    char name[] = "theta1";
    ArcReading reading = {name, 0.5, 0.001, 0};
    ArcCapture given = {.n_points = 2,
                        .dimensions = 2,
                        .time_s = time_s,
                        .position_m = position_m,
                        .sigma_m = sigma_m,
                        .swing = &swing,
                        .n_readings = 1,
                        .readings = &reading};
    ArcCapture *capture = NULL;
    ArcError err;
    assert_int_equal(arc_capture_create(&given, &capture, &err), ARC_OK);
    swing_time_s[0] = 9;
    numbers[1].value = 9;
    name[0] = 'x';
    assert_true(capture->swing->time_s[0] == -0.2 && capture->swing->numbers[1].value == 0.25);
    assert_string_equal(capture->swing->file, "(memory)");
    assert_string_equal(capture->readings[0].name, "theta1");
    arc_capture_free(capture);
    assert_int_equal(arc_capture_create(&given, &capture, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "times must be finite and increase"));
    swing_time_s[0] = -0.2;
    numbers[1].sigma = 0;
    assert_int_equal(arc_capture_create(&given, &capture, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "the second above zero"));
    numbers[1].sigma = 1;
    numbers[1].row = 2;
    assert_int_equal(arc_capture_create(&given, &capture, &err), ARC_INPUT);
    numbers[1].row = 1;
    reading.sd = NAN;
    assert_int_equal(arc_capture_create(&given, &capture, &err), ARC_INPUT);
    assert_null(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swing_read_takes_places_angles_and_rates),
        cmocka_unit_test(test_swing_read_own_sigma_and_window_hold),
        cmocka_unit_test(test_swing_read_unknown_columns_are_noted),
        cmocka_unit_test(test_swing_read_gzip_is_unpacked),
        cmocka_unit_test(test_swing_read_flights_have_their_own_rows),
        cmocka_unit_test(test_swing_read_files_are_flights_by_their_names),
        cmocka_unit_test(test_readings_read_are_in_si_with_their_sd),
        cmocka_unit_test(test_swing_read_broken_tables_are_refused_at_their_place),
        cmocka_unit_test(test_readings_read_broken_tables_are_refused_at_their_place),
        cmocka_unit_test(test_arms_tables_of_other_flights_are_refused),
        cmocka_unit_test(test_readings_read_are_so_many_at_most),
        cmocka_unit_test(test_capture_create_copies_swing_and_readings),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
