/* Recordings: what holds for all formats, by the canonical CSV. */
#include "arcfit/recording.h"
#include "arcfit/text.h"
#include "base/file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/arcfit-recording-XXXXXX";

static int setup(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
    (void)state;
    return unlink(path);
}

static ArcCaptureSettings any(void)
{
    ArcCaptureSettings settings = arc_capture_settings_default();
    settings.file = path;
    settings.dimensions = 0;
    return settings;
}

static ArcRecording *read_text(ArcCaptureSettings settings, const char *text)
{
    ArcRecording *recording = NULL;
    ArcError err = {ARC_OK, ""};
    assert_int_equal(arc_file_replace(path, text, strlen(text), NULL), ARC_OK);
    if (arc_recording_read(&settings, &recording, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return recording;
}

static void assert_refused(ArcCaptureSettings settings, const char *text, const char *what)
{
    ArcRecording *recording = NULL;
    ArcError err = {ARC_OK, ""};
    assert_int_equal(arc_file_replace(path, text, strlen(text), NULL), ARC_OK);
    assert_int_equal(arc_recording_read(&settings, &recording, &err), ARC_INPUT);
    assert_null(recording);
    if (strstr(err.text, what) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, what);
}

static void test_recording_read_canonical_columns_come_back(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "time_s,x_m,y_m\n0,1,2\n0.009,,-2\n",
        "time_s,x_m,y_m,z_m,sigma_x_m,sigma_y_m,sigma_z_m\n0,1,2,3,0.1,0.1,0.2\n",
        "time_s,x_m,y_m,sigma_m,flight\n0,1,2,0.1,0\n0.5,1,3,,1\n",
        "frame,camera,u_px,v_px,sigma_px\n3,left,10.5,20,0.5\n3,\"a, b\",11,21,\n",
        "frame,camera,u_px,v_px\n3,camera_matrix: distortion,10.5,20\n",
        "frame,camera,u_px,v_px\n3,Sparse format,10.5,20\n",
        "time_s,camera,frame,u_px,v_px\n3,Sparse format,3,10.5,20\n",
        "frame,camera,u_px,v_px\n3,le\"ft,10.5,20\n3,\"a, \"\"b\",11,21\n4,\"a, \"\"b\",1,2\n",
        "time_s,x_m,y_m,camera,frame,u_px,v_px,radius_px,sigma_radius_px\n"
        "0,1,2,,0,,,,\n0.1,,,c,1,5,6,7,0.25\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ArcRecording *recording = read_text(any(), texts[i]);
        char *text = NULL;
        assert_int_equal(arc_recording_text(recording, NULL, &text, NULL), ARC_OK);
        assert_string_equal(text, texts[i]);
        arc_text_free(text);
        arc_recording_free(recording);
    }
}

static void test_recording_read_frames_become_times_by_the_rate(void **state)
{
    (void)state;
    ArcCaptureSettings settings = any();
    settings.rate_per_s = 120.0;
    ArcRecording *recording = read_text(settings, "frame,x_m,y_m\n6,1,2\n12,2,3\n");
    assert_true(recording->has_times);
    assert_true(recording->samples[0].time_s == 0.05);
    assert_true(recording->samples[1].time_s == 0.1);
    assert_true(recording->rate_per_s == 120.0);
    arc_recording_free(recording);
    recording = read_text(any(), "frame,x_m,y_m\n6,1,2\n12,2,3\n");
    assert_false(recording->has_times);
    assert_true(isnan(recording->samples[0].time_s));
    arc_recording_free(recording);
    assert_refused(settings, "time_s,x_m,y_m\n0,1,2\n1,2,3\n", "has times of its own");
}

static void test_recording_read_rows_are_frames_where_only_the_rate_is_known(void **state)
{
    (void)state;
    ArcCaptureSettings settings = any();
    settings.rate_per_s = 50.0;
    settings.position_is_px = true;
    ArcRecording *recording = read_text(settings, "x,y\n7,8\n,\n9,10\n");
    assert_int_equal(recording->n_samples, 3);
    assert_int_equal(recording->axes, 0);
    assert_true(recording->has_pixels);
    assert_true(recording->samples[2].time_s == 0.04);
    assert_true(recording->samples[2].pixel_px[1] == 10.0);
    assert_true(isnan(recording->samples[1].pixel_px[0]));
    assert_int_equal(recording->n_notes, 1);
    arc_recording_free(recording);
    assert_refused(any(), "x,y\n7,8\n9,10\n", "no column for 't'");
}

static void test_recording_read_columns_in_px_are_pixels(void **state)
{
    (void)state;
    ArcRecording *recording = read_text(any(), "t,x (px),y (px)\n0,7,8\n1,9,10\n");
    assert_int_equal(recording->axes, 0);
    assert_true(recording->samples[0].pixel_px[0] == 7.0);
    assert_true(recording->samples[1].pixel_px[1] == 10.0);
    arc_recording_free(recording);
}

static void assert_note(const ArcRecording *recording, const char *words)
{
    for (int i = 0; i < recording->n_notes; i++) {
        if (strstr(recording->notes[i], words) != NULL)
            return;
    }
    fail_msg("none of %d notes says '%s'", recording->n_notes, words);
}

static void test_recording_read_what_was_taken_for_granted_is_noted(void **state)
{
    (void)state;
    ArcRecording *recording = read_text(any(), "Rate,120\nt,x,y\n0,555,314\n33,570,310\n");
    assert_int_equal(recording->n_notes, 3);
    assert_note(recording, "what stands above the header in line 2 is not read");
    assert_note(recording, "times are taken as seconds, since the file names no unit; they are 33");
    assert_note(recording, "positions are taken as metres, since the file names no unit; they "
                           "reach 570, as pixels");
    arc_recording_free(recording);
    recording = read_text(any(), "time_s,x_m,y_m\n0,555,314\n33,570,310\n");
    assert_int_equal(recording->n_notes, 0);
    arc_recording_free(recording);
    ArcCaptureSettings settings = any();
    settings.time_scale_s = 1e-3;
    settings.position_scale_m = 0.01;
    recording = read_text(settings, "t,x,y\n0,555,314\n33,570,310\n");
    assert_int_equal(recording->n_notes, 0);
    assert_true(recording->samples[1].time_s == 0.033);
    assert_true(recording->samples[1].position_m[0] == 5.7);
    arc_recording_free(recording);
    recording = read_text(any(), "t (s);x (m);y (m);f\xfc\xdf"
                                 "e\n0;1;2;0\n0,5;2;3;0\n");
    assert_int_equal(recording->n_notes, 1);
    assert_note(recording, "read as Windows-1252 (Latin-1), since it is no UTF-8");
    arc_recording_free(recording);
}

/* Two columns of one name are told apart by their numbers. */
static void test_recording_read_columns_may_be_numbers(void **state)
{
    (void)state;
    static const char text[] = "t,x,y,x,y\n0,1,2,3,4\n1,2,3,4,5\n";
    ArcCaptureSettings settings = any();
    assert_refused(settings, text, "both column 2 and column 4 may be 'x'");
    settings.n_columns = 2;
    settings.columns[0] = (ArcColumnChoice){"x", "4", NULL, {"e.yaml", 1, 1}};
    settings.columns[1] = (ArcColumnChoice){"y", "5", NULL, {"e.yaml", 2, 1}};
    ArcRecording *recording = read_text(settings, text);
    assert_true(recording->samples[0].position_m[0] == 3.0);
    assert_true(recording->samples[1].position_m[1] == 5.0);
    arc_recording_free(recording);
    settings.columns[0].column = "6";
    assert_refused(settings, text, "no column '6'");
}

/* An index of the rows stands in front and has no name. */
static void test_recording_read_columns_without_a_name_are_left_out(void **state)
{
    (void)state;
    ArcCaptureSettings settings = any();
    settings.position_is_px = true;
    settings.rate_per_s = 100.0;
    ArcRecording *recording = read_text(settings, ",frame,x,y,undistort_x,undistort_y\n"
                                                  "2,2,555.0,314.0,526.492588,301.481624\n"
                                                  "4,4,591.0,306.0,568.71089,294.731662\n");
    assert_true(recording->samples[1].time_s == 0.04);
    assert_true(recording->samples[1].pixel_px[0] == 591.0);
    assert_true(recording->samples[1].pixel_px[1] == 306.0);
    arc_recording_free(recording);
}

static void test_recording_read_wrong_choices_are_refused(void **state)
{
    (void)state;
    ArcCaptureSettings settings = any();
    settings.track = "elbow";
    assert_refused(settings, "t,x,y\n0,1,2\n1,2,3\n", "no track 'elbow'");
    settings = any();
    settings.format = "c4d";
    assert_refused(settings, "t,x,y\n0,1,2\n1,2,3\n", "unknown format 'c4d'");
    assert_refused(any(), "t,x,y,flight\n0,1,2,0.5\n1,2,3,1\n", "no number of a flight");
    assert_refused(any(), "frame,u_px,v_px\n,1,2\n1,2,3\n", "a point without a frame");
    settings = any();
    settings.position_is_px = true;
    assert_refused(settings, "t,x_m,y_m\n0,1,2\n1,2,3\n", "'x' is a length by its header");
}

/* What any reader might let through, and the canonical CSV could not say. */
static void test_recording_read_what_cannot_be_is_refused(void **state)
{
    (void)state;
    ArcCaptureSettings settings = any();
    assert_refused(settings, "t,x,y\n0,,\n1,NaN,-\n", ":1:1: error: nothing was seen");
    settings.rate_per_s = 1e-300;
    assert_refused(settings, "frame,x_m,y_m\n0,1,2\n1000,2,3\n", ":3:1: error: sample 2 is out");
    settings = any();
    settings.format = "sportvu";
    assert_refused(settings, "{\"events\": [{\"moments\": [[1, 1e12, 9, null, null, []]]}]}",
                   "nothing was seen");
}

static void test_format_names_end_in_null(void **state)
{
    (void)state;
    int n = 0;
    while (arc_format_name(n) != NULL) {
        assert_non_null(arc_format_what(n));
        n++;
    }
    assert_true(n >= 1);
    assert_null(arc_format_what(n));
    assert_null(arc_format_name(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recording_read_canonical_columns_come_back),
        cmocka_unit_test(test_recording_read_frames_become_times_by_the_rate),
        cmocka_unit_test(test_recording_read_rows_are_frames_where_only_the_rate_is_known),
        cmocka_unit_test(test_recording_read_columns_in_px_are_pixels),
        cmocka_unit_test(test_recording_read_what_was_taken_for_granted_is_noted),
        cmocka_unit_test(test_recording_read_columns_may_be_numbers),
        cmocka_unit_test(test_recording_read_columns_without_a_name_are_left_out),
        cmocka_unit_test(test_recording_read_wrong_choices_are_refused),
        cmocka_unit_test(test_recording_read_what_cannot_be_is_refused),
        cmocka_unit_test(test_format_names_end_in_null),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
