/* Kinovea's own files. */
#include "reader_case.h"

static const char sound[] =
    "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<KinoveaVideoAnalysis>\n"
    "<FormatVersion>2.0</FormatVersion>\n<ImageSize>751;421</ImageSize>\n"
    "<AverageTimeStampsPerFrame>512</AverageTimeStampsPerFrame>\n"
    "<CaptureFramerate>240</CaptureFramerate>\n<FirstTimeStamp>1024</FirstTimeStamp>\n"
    "<Calibration>\n<CalibrationLine>\n<Length>100</Length>\n<Segment>\n<A>375;210</A>\n"
    "<B>475;210</B>\n</Segment>\n</CalibrationLine>\n<Unit Abbreviation=\"cm\">Centimeters</Unit>\n"
    "</Calibration>\n<Tracks>\n<Track id=\"1\" name=\"ball\">\n"
    "<TrackPointList Count=\"3\" UserUnitLength=\"cm\">\n<TrackPoint>10.5;20;1024</TrackPoint>\n"
    "<TrackPoint>11.5;19;1536</TrackPoint>\n<TrackPoint>12.5;18.25;2560</TrackPoint>\n"
    "</TrackPointList>\n</Track>\n</Tracks>\n</KinoveaVideoAnalysis>\n";

static void test_kva_read_points_are_pixels_by_frames(void **state)
{
    (void)state;
    ArcRecording *recording = reader_read_text(reader_settings(), sound);
    assert_string_equal(recording->format, "kinovea-kva");
    assert_string_equal(recording->track, "ball");
    assert_int_equal(recording->axes, 0);
    assert_int_equal(recording->n_samples, 3);
    assert_true(recording->samples[0].frame == 0.0);
    assert_true(recording->samples[2].frame == 3.0);
    assert_true(recording->samples[2].time_s == 3.0 / 240.0);
    assert_true(recording->samples[2].pixel_px[1] == 18.25);
    assert_true(recording->image_px[1] == 421.0);
    assert_true(reader_noted(recording, "from [375, 210] to [475, 210] px and is 100 cm long"));
    reader_round_trip(recording);
}

static void test_kva_read_rate_of_the_settings_wins(void **state)
{
    (void)state;
    ArcCaptureSettings settings = reader_settings();
    settings.rate_per_s = 1000.0;
    ArcRecording *recording = reader_read_text(settings, sound);
    assert_true(recording->samples[2].time_s == 0.003);
    arc_recording_free(recording);
}

static void test_kva_read_damage_is_named(void **state)
{
    (void)state;
    ArcCaptureSettings any = reader_settings();
    char cut[sizeof sound];
    memcpy(cut, sound, sizeof cut);
    cut[sizeof cut - 100] = '\0';
    reader_refused_text(any, cut, "not well-formed XML");
    reader_refused_changed(any, sound, "11.5;19;1536", "11.5,19,1536",
                           ":22:1: error: '11.5,19,1536' is no point");
    reader_refused_changed(any, sound, "11.5;19;1536", "11,5;19;1536", "expected x;y;time");
    reader_refused_changed(any, sound, "11.5;19;1536", "11.5;19", "expected x;y;time");
    reader_refused_changed(any, sound, ">512<", ">0<", "AverageTimeStampsPerFrame is 0");
    reader_refused_changed(any, sound, ">512<", ">many<", "'many' is not a number");
    reader_refused_changed(any, sound, "<Tracks>\n<Track ",
                           "<Tracks>\n</Tracks>\n<Tracks>\n<Track ", "no track with points");
}

static void test_kva_read_without_memory_says_so(void **state)
{
    (void)state;
    arc_recording_free(reader_read_text(reader_settings(), sound));
    reader_exhaust(reader_settings());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kva_read_points_are_pixels_by_frames),
        cmocka_unit_test(test_kva_read_rate_of_the_settings_wins),
        cmocka_unit_test(test_kva_read_damage_is_named),
        cmocka_unit_test(test_kva_read_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, reader_setup, reader_teardown);
}
