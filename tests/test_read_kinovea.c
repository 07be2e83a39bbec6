/* Kinovea's CSV and text, in both separators and both generations, and each way to be damaged. */
#include "table_case.h"

#define US                                                                                         \
    "\"Time\",\"Trajectory 1/0/X\",\"Trajectory 1/0/Y\",\"Marker 1/0/X\",\"Marker 1/0/Y\"\r\n"
#define EU                                                                                         \
    "\"Time\";\"Trajectory 1/0/X\";\"Trajectory 1/0/Y\";\"Marker 1/0/X\";\"Marker 1/0/Y\"\r\n"

static ArcCaptureSettings of_track(const char *track)
{
    ArcCaptureSettings settings = reader_settings();
    settings.track = track;
    return settings;
}

static void test_kinovea_csv_read_both_list_separators_are_the_same(void **state)
{
    (void)state;
    static const char *const texts[] = {
        US "\"-0.03333333\",\"-0.0005117606\",\"2.134623\",\"0.5\",\"1.25\"\r\n"
           "\"0\",\"1.234E-05\",\"2.320313\",,\r\n\"0.1\",,,\"0.5\",\"1.25\"\r\n",
        EU "\"-0,03333333\";\"-0,0005117606\";\"2,134623\";\"0,5\";\"1,25\"\r\n"
           "\"0\";\"1,234E-05\";\"2,320313\";;\r\n\"0,1\";;;\"0,5\";\"1,25\"\r\n",
        /* What a spreadsheet makes of it. */
        "Time\tTrajectory 1/0/X\tTrajectory 1/0/Y\tMarker 1/0/X\tMarker 1/0/Y\n"
        "-0,03333333\t-0,0005117606\t2,134623\t0,5\t1,25\n0\t1,234E-05\t2,320313\t\t\n"
        "0,1\t\t\t0,5\t1,25\n",
        "\xef\xbb\xbf" US "\"\xe2\x88\x92"
        "0.03333333\",\"\xe2\x88\x92"
        "0.0005117606\","
        "\"2.134623\",\"0.5\",\"1.25\"\n\"0\",\"1.234e-005\",\"2.320313\",,\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ArcRecording *recording =
            reader_read_as(of_track("Trajectory 1/0"), "kinovea-csv", texts[i]);
        assert_int_equal(recording->n_samples, 2);
        reader_assert_sample(recording, 0, -0.03333333, -0.0005117606, 2.134623);
        reader_assert_sample(recording, 1, 0.0, 1.234e-5, 2.320313);
        reader_assert_note(recording, "times are taken as seconds, since the file names no unit");
        reader_assert_note(recording, "positions are taken as metres");
        reader_assert_no_note(recording, "apart");
        reader_assert_no_note(recording, "reach");
        reader_round_trip(recording);
        reader_refuse(reader_settings(), texts[i], "1:1",
                      ": Trajectory 1/0, Marker 1/0; choose one with `capture.track`");
    }
    ArcRecording *recording = reader_read_as(of_track("Marker 1/0"), "kinovea-csv", texts[0]);
    reader_assert_sample(recording, 1, 0.1, 0.5, 1.25);
    assert_int_equal(recording->samples[1].line, 4);
    assert_int_equal(recording->samples[1].column, 9);
    arc_recording_free(recording);
}

static void test_kinovea_csv_read_odd_times_and_lengths_are_told(void **state)
{
    (void)state;
    static const char ms[] = "\"Time\",\"a/0/X\",\"a/0/Y\"\n\"0\",\"866\",\"320\"\n"
                             "\"33.33333\",\"847\",\"321\"\n";
    static const char frames[] = "\"Time\",\"a/0/X\",\"a/0/Y\"\n\"-1\",\"866\",\"320\"\n"
                                 "\"2\",\"847\",\"321\"\n";
    ArcRecording *recording = reader_read_as(reader_settings(), "kinovea-csv", ms);
    reader_assert_note(recording, "they are 33.3333 apart, as milliseconds or frames are");
    reader_assert_note(recording, "they reach 866, as pixels or millimetres do");
    arc_recording_free(recording);
    ArcCaptureSettings settings = reader_settings();
    settings.time_scale_s = 1e-3;
    settings.position_is_px = true;
    recording = reader_read_as(settings, "kinovea-csv", ms);
    assert_int_equal(recording->axes, 0);
    assert_int_equal(recording->n_notes, 0);
    assert_true(recording->samples[1].time_s == 33.33333 / 1000.0);
    assert_true(recording->samples[1].pixel_px[0] == 847.0);
    reader_round_trip(recording);
    settings = reader_settings();
    settings.rate_per_s = 50.0;
    recording = reader_read_as(settings, "kinovea-csv", frames);
    reader_assert_sample(recording, 0, -0.02, 866.0, 320.0);
    reader_assert_sample(recording, 1, 0.04, 847.0, 321.0);
    assert_true(recording->samples[1].frame == 2.0);
    reader_assert_note(recording, "times are taken as numbers of frames");
    arc_recording_free(recording);
}

static void test_kinovea_csv_read_dialogs_name_their_units(void **state)
{
    (void)state;
    ArcRecording *recording = reader_read_as(reader_settings(), "kinovea-csv",
                                             "\"Time (\xce\xbcs)\";\"X (cm)\";\"Y (cm)\"\n"
                                             "\"0\";\"1\";\"2,5\"\n\"33000\";\"3\";\"4\"\n");
    reader_assert_sample(recording, 1, 0.033, 0.03, 0.04);
    reader_assert_note(recording, "Kinovea filters what its dialogs export");
    reader_round_trip(recording);
    /* In Windows-1252 the micro sign is one byte. */
    recording = reader_read_as(reader_settings(), "kinovea-csv",
                               "\"Time (\xb5s)\";\"X (px)\";\"Y (px)\"\n"
                               "\"0\";\"1\";\"2,5\"\n\"33000\";\"3\";\"4\"\n");
    assert_int_equal(recording->axes, 0);
    reader_assert_sample(recording, 0, 0.0, 1.0, 2.5);
    reader_assert_note(recording, "read as Windows-1252");
    assert_int_equal(recording->samples[0].column, 5);
    reader_round_trip(recording);
    reader_refuse(reader_settings(), "\"Time (ms)\",\"X (cm)\",\"Y (parsec)\"\n\"0\",\"1\",\"2\"\n",
                  "1:13", "the unit of X and Y is not known or not one");
    reader_refuse(reader_settings(), "\"Time (ms)\",\"a (m/s)\",\"b (m/s)\"\n\"0\",\"1\",\"2\"\n",
                  "1:1", "no columns of X and Y; export the trajectories themselves");
}

static void test_kinovea_csv_read_samples_are_the_points(void **state)
{
    (void)state;
    char path[1024];
    ArcCaptureSettings settings = reader_sample_settings(path, "kinovea_2025_us.csv");
    settings.track = "Trajectory 1/0";
    ArcRecording *recording = reader_read_file_as(settings, "kinovea-csv");
    reader_assert_points(recording, true, 1e-7, -1e-6);
    reader_round_trip(recording);
    settings.rate_per_s = 30.0;
    recording = reader_read_file_as(settings, "kinovea-csv");
    reader_assert_points(recording, true, 1e-11, -1e-6);
    arc_recording_free(recording);
    recording =
        reader_read_file_as(reader_sample_settings(path, "kinovea_scatter_us.csv"), "kinovea-csv");
    reader_assert_points(recording, false, 1e-7, -1e-6);
    reader_round_trip(recording);
}

static void test_kinovea_csv_read_damaged_files_are_refused_in_their_place(void **state)
{
    (void)state;
    static const ReaderDamage rows[] = {
        /* truncated */
        {US "\"0\",\"1\",\"2\",,\n\"0.1\",\"1\"", "3:10", "2 cells where the header has 5"},
        {US "\"0\",\"1\",\"2\",,\n\"0.1\",\"1", "3:7", "quote without its end"},
        {US, "1:1", "no rows with numbers below the header"},
        {US "\"0\",\"1\",\"2\",,\n\"0.1\",\"1\",,,\n", "3:11", "lacks one of its coordinates"},
        /* wrong separator */
        {US "\"0\",\"1\",\"2\",,\n\"0.1\";\"1\";\"2\";;\n", "3:6", "text behind a closing quote"},
        {EU "\"0\";\"1\";\"2\";;\n0.1,1,2,,\n", "3:10", "1 cell where the header has 5"},
        /* decimal marks */
        {EU "\"0,1\";\"1,5\";\"2,5\";;\n\"0,2\";\"1.5\";\"2,5\";;\n", "3:7",
         "'1.5' has a decimal point, but '0,1' in line 2 a decimal comma"},
        {US "\"0.1\",\"1.5\",\"2.5\",,\n\"0.2\",\"1,5\",\"2.5\",,\n", "3:7",
         "'1,5' has a decimal comma"},
        {US "\"0\",\"1,234\",\"2\",,\n", "2:5", "may be a thousand or a fraction"},
        /* missing column */
        {"\"Time\",\"a/0/X\",\"a/0/Y\",\"b/0/X\"\n\"0\",\"1\",\"2\",\"3\"\n", "1:24",
         "column 'b/0/X' stands alone"},
        {"\"Time\",\"a/0/X\",\"a/0/Y\",\"b/0/X\",\"c/0/Y\"\n\"0\",\"1\",\"2\",\"3\",\"4\"\n",
         "1:24", "column 'b/0/X' stands alone"},
        /* text for a number */
        {US "\"0\",\"1\",\"2\",,\n\"0.1\",\"one\",\"2\",,\n", "3:7", "'one' is not a number"},
        {US "\"0:00:01\",\"1\",\"2\",,\n", "2:1", "'0:00:01' is not a number"},
        {US "\"0\",\"\xe2\x88\x9e\",\"2\",,\n", "2:5", "is infinite"},
        {US ",\"1\",\"2\",,\n", "2:1", "a point without a time"},
    };
    reader_refuse_all(sizeof rows / sizeof rows[0], rows);
}

#define TXT "#Kinovea Trajectory data export\r\n#T X Y\r\n\r\n"

static void test_kinovea_txt_read_named_blocks_are_tracks(void **state)
{
    (void)state;
    static const char text[] = TXT "# Ball \xc3\xa4\r\n0 -0.5 2\r\n0.04 0.5 2.25\r\n\r\n"
                                   "# Marker\r\n0.04 7 8\r\n\r\n0.08 8 9\r\n";
    ArcRecording *recording = reader_read_as(of_track("Ball \xc3\xa4"), "kinovea-txt", text);
    assert_int_equal(recording->n_samples, 2);
    reader_assert_sample(recording, 1, 0.04, 0.5, 2.25);
    assert_int_equal(recording->samples[1].line, 6);
    assert_int_equal(recording->samples[1].column, 6);
    reader_round_trip(recording);
    recording = reader_read_as(of_track("Marker"), "kinovea-txt", text);
    assert_int_equal(recording->n_samples, 2);
    reader_assert_sample(recording, 1, 0.08, 8.0, 9.0);
    arc_recording_free(recording);
    recording =
        reader_read_as(reader_settings(), "kinovea-txt", TXT "# a\n-0,04 -0,5 2\n0 1,5E-03 2,25\n");
    reader_assert_sample(recording, 0, -0.04, -0.5, 2.0);
    reader_assert_sample(recording, 1, 0.0, 0.0015, 2.25);
    reader_round_trip(recording);
    recording = reader_read_as(of_track("a (2)"), "kinovea-txt", TXT "# a\n0 1 2\n\n# a\n0 3 4\n");
    reader_assert_sample(recording, 0, 0.0, 3.0, 4.0);
    arc_recording_free(recording);
}

/* Hundredths of a second, rounded: at 30 frames a second 03, 07, 10. */
static void test_kinovea_txt_read_timecodes_are_seconds(void **state)
{
    (void)state;
    static const char text[] = "#Kinovea Trajectory data export\n#T X Y\n"
                               "1:01:01:00 866,00 320,00 \n1:01:01:03 847,00 321,00 \n"
                               "1:01:01:07 828,50 322,00 \n1:01:01:10 810,00 323,00 \n";
    ArcRecording *recording = reader_read_as(reader_settings(), "kinovea-txt", text);
    assert_int_equal(recording->n_samples, 4);
    reader_assert_sample(recording, 0, 3661.0, 866.0, 320.0);
    reader_assert_sample(recording, 2, 3661.07, 828.5, 322.0);
    reader_assert_note(recording, "times are rounded: their last digit is 0.01 s");
    reader_assert_note(recording, "they reach 866");
    reader_round_trip(recording);
    ArcCaptureSettings settings = reader_settings();
    settings.rate_per_s = 30.0;
    recording = reader_read_as(settings, "kinovea-txt", text);
    reader_assert_sample(recording, 1, 3661.0 + 1.0 / 30.0, 847.0, 321.0);
    assert_true(fabs(recording->samples[2].time_s - (3661.0 + 2.0 / 30.0)) < 1e-12);
    reader_assert_note(recording, "those of whole frames at 30 Hz");
    arc_recording_free(recording);
    settings.rate_per_s = 240.0;
    reader_refuse(settings, text, "1:1", "too coarsely to tell frames at 240 Hz apart");
    /* In Latin-1, two tracks without names. */
    static const char two[] = "#Kinovea Trajectory data export\n#T X Y \xe9\n0:00:00:00 1 2 \n"
                              "-0:00:01:50 3 4 \n\n0:00:00:00 5 6 \n";
    recording = reader_read_as(of_track("T X Y \xc3\xa9"), "kinovea-txt", two);
    reader_assert_sample(recording, 1, -1.5, 3.0, 4.0);
    reader_assert_note(recording, "read as Windows-1252");
    arc_recording_free(recording);
    recording =
        reader_read_as(of_track("2"), "kinovea-txt",
                       "#Kinovea Trajectory data export\n0:00:00:00 1 2 \n0:00:00:04 3 4 \n\n"
                       "0:00:00:00 5 6 \n");
    assert_int_equal(recording->n_samples, 1);
    reader_assert_sample(recording, 0, 0.0, 5.0, 6.0);
    arc_recording_free(recording);
}

static void test_kinovea_txt_read_sample_is_the_points(void **state)
{
    (void)state;
    char path[1024];
    ArcRecording *recording =
        reader_read_file_as(reader_sample_settings(path, "kinovea_2025.txt"), "kinovea-txt");
    assert_string_equal(recording->track, "Trajectory 1");
    reader_assert_points(recording, false, 1e-7, -1e-6);
    reader_round_trip(recording);
}

static void test_kinovea_txt_read_damaged_files_are_refused_in_their_place(void **state)
{
    (void)state;
    static const ReaderDamage rows[] = {
        /* truncated */
        {TXT "# a\n0 1 2\n0.1 1", "6:6", "2 cells where time, x and y are needed"},
        {TXT "# a\n", "1:1", "no rows of time, x and y"},
        {TXT, "1:1", "no rows of time, x and y"},
        /* wrong separator */
        {TXT "# a\n0 1 2\n0.1;1;2\n", "6:8", "1 cell where time, x and y are needed"},
        {TXT "# a\n0 1 2\n0.1, 1, 2\n", "6:1", "'0.1,' is not a number"},
        {TXT "# a\n0 1 2\n0.1 1 2 3\n", "6:9", "4 cells where time, x and y are needed"},
        /* decimal marks */
        {TXT "# a\n0.5 1 2\n0.6 1,5 2\n", "6:5", "'1,5' has a decimal comma, but '0.5' in line 5"},
        {TXT "# a\n0,5 1 2\n0,6 1 2.5\n", "6:7", "'2.5' has a decimal point, but '0,5' in line 5"},
        /* missing column */
        {TXT "# a\n0 1\n0.1 2\n", "5:4", "2 cells where time, x and y are needed"},
        {TXT "# a\n0 1 nan\n", "5:1", "a row without its time or one coordinate"},
        /* text for a number */
        {TXT "# a\n0 1 2\n0.1 one 2\n", "6:5", "'one' is not a number"},
        {TXT "0:00:00:00 1 2\n0:00:61:00 1 2\n", "5:1", "'0:00:61:00' is no time"},
        {TXT "0:00:00:00 1 2\n0:00:00 1 2\n", "5:1", "'0:00:00' is no time"},
        {TXT "0:00:00:00 1 2\n0:00::00 1 2\n", "5:1", "'0:00::00' is no time"},
        {TXT "0:00:00:00:00 1 2\n", "4:1", "'0:00:00:00:00' is no time"},
        {TXT "0:00:00:00 1 2\n0.1 1 2\n", "5:1", "timecodes and numbers in one file"},
        {TXT "0 inf 2\n", "4:3", "is infinite"},
    };
    reader_refuse_all(sizeof rows / sizeof rows[0], rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinovea_csv_read_both_list_separators_are_the_same),
        cmocka_unit_test(test_kinovea_csv_read_odd_times_and_lengths_are_told),
        cmocka_unit_test(test_kinovea_csv_read_dialogs_name_their_units),
        cmocka_unit_test(test_kinovea_csv_read_samples_are_the_points),
        cmocka_unit_test(test_kinovea_csv_read_damaged_files_are_refused_in_their_place),
        cmocka_unit_test(test_kinovea_txt_read_named_blocks_are_tracks),
        cmocka_unit_test(test_kinovea_txt_read_timecodes_are_seconds),
        cmocka_unit_test(test_kinovea_txt_read_sample_is_the_points),
        cmocka_unit_test(test_kinovea_txt_read_damaged_files_are_refused_in_their_place),
    };
    return cmocka_run_group_tests(tests, reader_setup, reader_teardown);
}
