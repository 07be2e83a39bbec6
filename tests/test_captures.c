/* Captures of several flights: one file that counts them, and files one after the other. */
#include "arcfit/captures.h"
#include "base/file.h"

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

static char paths[2][40] = {"/tmp/arcfit-captures-XXXXXX", "/tmp/arcfit-captures-XXXXXX"};

static int setup(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        int fd = mkstemp(paths[i]);
        if (fd < 0)
            return -1;
        close(fd);
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    return unlink(paths[0]) + unlink(paths[1]);
}

static ArcCaptureSettings settings_of(int file, const char *text)
{
    ArcCaptureSettings settings = arc_capture_settings_default();
    settings.file = paths[file];
    settings.sigma_m = 0.003;
    settings.place = (ArcPlace){"e.yaml", 3, 9};
    assert_int_equal(arc_file_replace(paths[file], text, strlen(text), NULL), ARC_OK);
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

static void refuse(ArcCaptureSettings settings, const char *place, const char *what)
{
    ArcError err = {ARC_OK, ""};
    ArcCaptures *captures = NULL;
    assert_int_equal(arc_captures_read(1, &settings, &captures, &err), ARC_INPUT);
    assert_null(captures);
    if (strstr(err.text, place) == NULL || strstr(err.text, what) == NULL)
        fail_msg("'%s' does not say '%s' at '%s'", err.text, what, place);
}

static const char counted[] = "flight,time_s,x_m,y_m\n"
                              "7,0,0,1\n7,0.1,1,2\n3,0,10,1\n7,0.2,2,2\n3,0.1,11,1\n3,0.2,12,1\n";

/* Rows of two flights mixed: each has its own times, in the order of their first rows. */
static void test_captures_read_numbered_flights_are_captures_each(void **state)
{
    (void)state;
    ArcCaptureSettings settings = settings_of(0, counted);
    ArcCaptures *captures = read_captures(1, &settings);
    assert_int_equal(captures->n, 2);
    const ArcCapture *first = captures->captures[0], *second = captures->captures[1];
    assert_string_equal(first->flight, "7");
    assert_string_equal(second->flight, "3");
    assert_int_equal(first->n_points, 3);
    assert_int_equal(second->n_points, 3);
    assert_true(first->position_m[4] == 2.0 && second->position_m[0] == 10.0);
    assert_int_equal(second->line[0], 4);
    assert_true(second->time_s[2] == 0.2);
    arc_captures_free(captures);
}

static void test_captures_read_chosen_flight_is_the_only_one(void **state)
{
    (void)state;
    ArcCaptureSettings settings = settings_of(0, counted);
    settings.one_flight = true;
    settings.flight_number = 3;
    ArcCaptures *captures = read_captures(1, &settings);
    assert_int_equal(captures->n, 1);
    assert_true(captures->captures[0]->position_m[0] == 10.0);
    arc_captures_free(captures);
    settings.flight_number = 4;
    refuse(settings, "e.yaml:3:9: error: ", "has no flight 4; it has 2 of them");
    settings = settings_of(0, "time_s,x_m,y_m\n0,0,0\n1,1,1\n");
    settings.one_flight = true;
    refuse(settings, "e.yaml:3:9: error: ", "no column that counts flights");
}

/* Every setting goes for each flight by itself. */
static void test_captures_read_settings_hold_for_each_flight(void **state)
{
    (void)state;
    ArcCaptureSettings settings = settings_of(0, counted);
    settings.every = 2;
    ArcCaptures *captures = read_captures(1, &settings);
    for (int f = 0; f < 2; f++) {
        assert_int_equal(captures->captures[f]->n_fit, 2);
        assert_int_equal(captures->captures[f]->use[0], ARC_POINT_FIT);
        assert_int_equal(captures->captures[f]->use[1], ARC_POINT_UNUSED);
    }
    arc_captures_free(captures);
}

static void test_captures_read_files_follow_each_other(void **state)
{
    (void)state;
    const ArcCaptureSettings both[2] = {settings_of(0, "time_s,x_m,y_m\n0,5,0\n1,6,1\n"),
                                        settings_of(1, counted)};
    ArcCaptures *captures = read_captures(2, both);
    assert_int_equal(captures->n, 3);
    assert_null(captures->captures[0]->flight);
    assert_true(captures->captures[0]->position_m[0] == 5.0);
    assert_string_equal(captures->captures[2]->flight, "3");
    assert_string_equal(captures->captures[0]->file, paths[0]);
    assert_string_equal(captures->captures[2]->file, paths[1]);
    arc_captures_free(captures);
}

static void test_captures_read_broken_flights_are_refused(void **state)
{
    (void)state;
    char place[64];
    snprintf(place, sizeof place, "%s:3:", paths[0]);
    refuse(settings_of(0, "flight,time_s,x_m,y_m\n1,0,0,0\n,1,1,1\n"), place, "others do not");
    refuse(settings_of(0, "flight,time_s,x_m,y_m\n1,0,0,0\n1,1,1,1\n2,0,0,0\n"),
           "error: ", "(flight 2)");
    snprintf(place, sizeof place, "%s:6:", paths[0]);
    refuse(settings_of(0, "flight,time_s,x_m,y_m\n1,0,0,0\n1,1,1,1\n2,0,0,0\n2,3,1,1\n2,2,2,2\n"),
           place, "(flight 2)");
}

/* What takes one capture asks which. */
static void test_capture_read_several_flights_asks_for_one(void **state)
{
    (void)state;
    ArcError err = {ARC_OK, ""};
    ArcCapture *capture = NULL;
    ArcCaptureSettings settings = settings_of(0, counted);
    assert_int_equal(arc_capture_read(&settings, &capture, &err), ARC_INPUT);
    assert_null(capture);
    assert_non_null(strstr(err.text, "holds 2 flights; choose one, for example `flight: 7`"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_captures_read_numbered_flights_are_captures_each),
        cmocka_unit_test(test_captures_read_chosen_flight_is_the_only_one),
        cmocka_unit_test(test_captures_read_settings_hold_for_each_flight),
        cmocka_unit_test(test_captures_read_files_follow_each_other),
        cmocka_unit_test(test_captures_read_broken_flights_are_refused),
        cmocka_unit_test(test_capture_read_several_flights_asks_for_one),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
