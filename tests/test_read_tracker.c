/* Tracker's data export: every delimiter, decimal mark and form, and each way to be damaged. */
#include "table_case.h"

static const char tab[] = "\tball\t\t\t\t\n"
                          "t\tx\ty\tvx\tvy\t\n"
                          "0.000\t-0.001\t2.135\t\t\n"
                          "0.033\t0.150\t2.320\t4.47\t5.43\n"
                          "0.067\t\t\t\t\n"
                          "0.100\t0.450\t2.662\t\t\n";

/* The table above with another delimiter, decimal mark and end of line. */
static const char *rewritten(const char *delimiter, char mark, const char *end)
{
    static char text[1024];
    size_t n = 0;
    for (const char *c = tab; *c != '\0'; c++) {
        const char *put = *c == '\t' ? delimiter : *c == '\n' ? end : NULL;
        if (put == NULL)
            text[n++] = *c == '.' ? mark : *c;
        for (; put != NULL && *put != '\0'; put++)
            text[n++] = *put;
    }
    text[n] = '\0';
    return text;
}

static void assert_is_table(ArcRecording *recording)
{
    assert_string_equal(recording->track, "ball");
    assert_int_equal(recording->n_samples, 3);
    assert_int_equal(recording->axes, 2);
    reader_assert_sample(recording, 0, 0.0, -0.001, 2.135);
    reader_assert_sample(recording, 1, 0.033, 0.15, 2.32);
    reader_assert_sample(recording, 2, 0.1, 0.45, 2.662);
    assert_int_equal(recording->samples[2].line, 6);
    reader_assert_note(recording, "positions are rounded: their last digit is 0.001");
    reader_assert_note(recording, "times are rounded: their last digit is 0.001");
    reader_assert_note(recording, "positions are taken as metres");
    arc_recording_free(recording);
}

static void test_tracker_read_any_delimiter_and_mark_is_the_same_table(void **state)
{
    (void)state;
    static const char *const delimiters[] = {"\t", ";", "|", ":", " ", "<>", " ; ", "#", "::"};
    for (size_t i = 0; i < sizeof delimiters / sizeof delimiters[0]; i++) {
        for (int k = 0; k < 4; k++) {
            const char *text =
                rewritten(delimiters[i], k % 2 == 0 ? '.' : ',', k < 2 ? "\n" : "\r\n");
            assert_is_table(reader_read_as(reader_settings(), "tracker", text));
        }
    }
    assert_is_table(reader_read_as(reader_settings(), "tracker", rewritten(",", '.', "\n")));
    assert_is_table(reader_read_as(reader_settings(), "tracker", rewritten("\t", '.', "\r")));
}

static void test_tracker_read_comma_as_mark_and_delimiter_is_refused(void **state)
{
    (void)state;
    reader_refuse(reader_settings(), rewritten(",", ',', "\n"), "3:1",
                  "'0,000' is not a number in a comma-separated file; decimal commas need another "
                  "separator (in Tracker: File > Export > Data File with tab");
}

static void test_tracker_read_several_tracks_are_told_apart(void **state)
{
    (void)state;
    static const char text[] = "#multi:\n"
                               "\tmasa \xc3\xa1\t\t\tm\xc3\xa4rke 2\t\t\n"
                               "t\ty\tvx\tx\tx\ty\t\n"
                               "0.000000\t2.000001\t\t1.000001\t\t\n"
                               "0.040000\t2.100001\t1\t1.100001\t7.000001\t-8.000001\n"
                               "0.080000\t\t\t\t7.100001\t\xe2\x88\x92"
                               "8.100001\n";
    ArcCaptureSettings settings = reader_settings();
    reader_refuse(settings, text, "1:1", "2 tracks in '");
    reader_refuse(settings, text, "1:1", "masa \xc3\xa1, m\xc3\xa4rke 2; choose one with");
    settings.track = "masa \xc3\xa1";
    ArcRecording *recording = reader_read_as(settings, "tracker", text);
    assert_int_equal(recording->n_samples, 2);
    reader_assert_sample(recording, 1, 0.04, 1.100001, 2.100001);
    assert_int_equal(recording->samples[1].column, 21);
    reader_assert_no_note(recording, "rounded");
    arc_recording_free(recording);
    settings.track = "m\xc3\xa4rke 2";
    recording = reader_read_as(settings, "tracker", text);
    assert_int_equal(recording->n_samples, 2);
    reader_assert_sample(recording, 1, 0.08, 7.100001, -8.100001);
    reader_round_trip(recording);
    settings.track = "elbow";
    reader_refuse(settings, text, "1:1", "no track 'elbow'");
}

/* Blanks part the cells and stand in the names. */
static void test_tracker_read_names_with_the_delimiter_are_placed(void **state)
{
    (void)state;
    static const char text[] = "#multi:\n"
                               " mass A   mass B  \n"
                               "t x y v x y \n"
                               "0.1 1 2  3 4\n"
                               "0.2    5 6\n";
    ArcCaptureSettings settings = reader_settings();
    settings.track = "mass B";
    ArcRecording *recording = reader_read_as(settings, "tracker", text);
    assert_int_equal(recording->n_samples, 2);
    reader_assert_sample(recording, 1, 0.2, 5.0, 6.0);
    arc_recording_free(recording);
    settings.track = "mass A";
    recording = reader_read_as(settings, "tracker", text);
    assert_int_equal(recording->n_samples, 1);
    reader_assert_sample(recording, 0, 0.1, 1.0, 2.0);
    arc_recording_free(recording);
    recording =
        reader_read_as(reader_settings(), "tracker", " mass A  \nt x y \n0.1 1 2\n0.2 3 4\n");
    assert_string_equal(recording->track, "mass A");
    arc_recording_free(recording);
}

/* A spreadsheet pads or strips what stands behind the last column. */
static void test_tracker_read_resaved_tables_are_read(void **state)
{
    (void)state;
    ArcCaptureSettings settings = reader_settings();
    settings.track = "b";
    ArcRecording *recording = reader_read_as(
        settings, "tracker", "#multi:,,,,\n,a,,b,\nt,x,y,x,y\n0.1,1,2,3,4\n0.2,,,5,6\n");
    assert_int_equal(recording->n_samples, 2);
    reader_assert_sample(recording, 1, 0.2, 5.0, 6.0);
    arc_recording_free(recording);
}

static void test_tracker_read_equal_names_stay_two_tracks(void **state)
{
    (void)state;
    ArcCaptureSettings settings = reader_settings();
    settings.track = "ball (2)";
    ArcRecording *recording = reader_read_as(
        settings, "tracker",
        "#multi:\n\tball\t\tball\t\t\nt\tx\ty\tx\ty\t\n0\t1\t2\t3\t4\n1\t2\t3\t4\t5\n");
    reader_assert_sample(recording, 0, 0.0, 3.0, 4.0);
    arc_recording_free(recording);
}

/* Versions 4 and 5, and what the clipboard holds. */
static void test_tracker_read_old_forms_are_known_by_their_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "mass_A\nt\tx\ty\n0.000000000E0\t1.245986911E1\t-1.328191643E1\n"
        "3.200000000E-2\t1.164289057E1\t-1.262051106E1\n",
        "mass_A\nt                x               y\n"
        "0.000000000E0    1.245986911E1   -1.328191643E1\n"
        "3.200000000E-2   1.164289057E1   -1.262051106E1\n",
        "mass_A\r\nt\tx\ty\tv_{x}\tv_{y}\r\n0.000000000E0\t1.245986911E1\t-1.328191643E1\t\t\r\n"
        "3.200000000E-2\t1.164289057E1\t-1.262051106E1\t1.1E1\t2.0E0\r\n",
        "mass_A\nt,x,y\n0.000000000E0,1.245986911E1,-1.328191643E1\n"
        "3.2e-002,1.164289057E1,-1.262051106e+001\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ArcRecording *recording = reader_read_as(reader_settings(), "tracker", texts[i]);
        assert_string_equal(recording->track, "mass_A");
        assert_int_equal(recording->n_samples, 2);
        reader_assert_sample(recording, 0, 0.0, 12.45986911, -13.28191643);
        reader_assert_sample(recording, 1, 0.032, 11.64289057, -12.62051106);
        reader_round_trip(recording);
    }
}

static void test_tracker_read_pixels_and_frames_are_taken(void **state)
{
    (void)state;
    ArcRecording *recording =
        reader_read_as(reader_settings(), "tracker",
                       "\tball\t\t\t\t\nt\ttheta\tpixely\tpixelx\tframe\t\n"
                       "0.5\t12.5\t200.5\t100\t15\n1.5\t\t\t\t45\n2.5\t90\t0.5\t0.5\t75\n");
    assert_int_equal(recording->axes, 0);
    assert_true(recording->has_pixels);
    assert_int_equal(recording->n_samples, 2);
    reader_assert_sample(recording, 0, 0.5, 99.5, 200.0);
    reader_assert_sample(recording, 1, 2.5, 0.0, 0.0);
    assert_true(recording->samples[1].frame == 75.0);
    reader_round_trip(recording);
}

static void test_tracker_read_rate_sets_rounded_times_right(void **state)
{
    (void)state;
    ArcCaptureSettings settings = reader_settings();
    settings.rate_per_s = 30.0;
    ArcRecording *recording = reader_read_as(settings, "tracker", tab);
    assert_true(recording->samples[1].time_s == 1.0 / 30.0);
    assert_true(recording->samples[2].time_s == 3.0 / 30.0);
    reader_assert_note(recording, "those of whole frames at 30 Hz");
    arc_recording_free(recording);
    settings.rate_per_s = 25.0;
    reader_refuse(settings, tab, "4:1", "0.033 s is no time of a frame at 25 Hz");
    settings.rate_per_s = 1000.0;
    reader_refuse(settings, tab, "1:1", "too coarsely to tell frames at 1000 Hz apart");
}

static void test_tracker_read_samples_are_the_points(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool has_gaps;
        double time_digit_s, digit_m;
    } files[] = {{"tracker5_old.txt", false, -1e-9, -1e-9},
                 {"tracker6_tab.txt", true, 1e-3, 1e-3},
                 {"tracker6_tab_comma.txt", true, 1e-3, 1e-3}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[1024];
        ArcRecording *recording =
            reader_read_file_as(reader_sample_settings(path, files[i].name), "tracker");
        reader_assert_points(recording, files[i].has_gaps, files[i].time_digit_s, files[i].digit_m);
        reader_round_trip(recording);
    }
    char path[1024];
    ArcCaptureSettings settings = reader_sample_settings(path, "tracker6_tab.txt");
    settings.rate_per_s = 30.0;
    ArcRecording *recording = reader_read_file_as(settings, "tracker");
    reader_assert_points(recording, true, 1e-11, 1e-3);
    arc_recording_free(recording);
}

static void test_tracker_read_damaged_files_are_refused_in_their_place(void **state)
{
    (void)state;
#define HEAD "\tball\t\t\nt\tx\ty\t\n"
    static const ReaderDamage rows[] = {
        /* truncated */
        {HEAD "0.1\t1.0\t2.0\n0.2\t1", "4:6", "2 cells where the header has 3"},
        {HEAD, "2:1", "no rows with numbers below the header"},
        {HEAD "0.1\t1.0\t2.0\n0.2\t1.1\t\n", "4:9", "a point that lacks one of its coordinates"},
        /* wrong separator */
        {HEAD "0.1\t1.0\t2.0\n0.2;1.1;2.1\n", "4:12", "1 cell where the header has 3"},
        {HEAD "0.1\t1.0\t2.0\n0.2\t1.1\t2.1\t3\n", "4:13", "4 cells where the header has 3"},
        /* decimal marks */
        {HEAD "0.1\t1.0\t2.0\n0.2\t1,1\t2.1\n", "4:5",
         "'1,1' has a decimal comma, but '0.1' in line 3"},
        {HEAD "0,1\t1,0\t2,0\n0,2\t1,1\t2.1\n", "4:9",
         "'2.1' has a decimal point, but '0,1' in line 3"},
        {HEAD "0.1\t1.0\t2.0\n0.2\t1.234.567\t2.1\n", "4:5", "without thousands separators"},
        /* missing column */
        {"\tball\t\t\nt\tx\tvy\t\n0.1\t1.0\t2.0\n0.2\t1.0\t2.0\n", "2:1",
         "no track has both x and y"},
        {"#multi:\n\tA\t\tB\t\t\nt\tvx\tvy\tvx\tvy\t\n0.03\t30.47\t23.79\t-26.66\t22.55\n", "3:1",
         "no track has both x and y (or pixelx and pixely)"},
        /* text and worse for a number */
        {HEAD "0.1\t1.0\t2.0\n0.2\tabc\t2.1\n", "4:5", "'abc' is not a number"},
        {HEAD "0.1\t1.0\t2.0\nx\t1.0\t2.1\n", "4:1", "'x' is not a number"},
        {HEAD "0.1\t1.0\t2.0\n0.2\tInfinity\t2.1\n", "4:5", "is infinite"},
        {HEAD "0.1\t1.0\t2.0\n0.2\t1e300\t2.1\n", "4:5", "is out of range"},
        {HEAD "0.1\t1.0\t2.0\n\t1.1\t2.1\n", "4:1", "a point without a time"},
        {"\tball\t\t\t\nt\tx\ty\tframe\t\n0.1\t1.0\t2.0\t1.5\n0.2\t1\t2\t2\n", "3:13",
         "no number of a frame"},
    };
    reader_refuse_all(sizeof rows / sizeof rows[0], rows);
#undef HEAD
    ArcCaptureSettings settings = reader_settings();
    settings.format = "tracker";
    reader_refuse(settings, "a,b\n1,2\n", "1:1", "no data of Tracker");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tracker_read_any_delimiter_and_mark_is_the_same_table),
        cmocka_unit_test(test_tracker_read_comma_as_mark_and_delimiter_is_refused),
        cmocka_unit_test(test_tracker_read_several_tracks_are_told_apart),
        cmocka_unit_test(test_tracker_read_names_with_the_delimiter_are_placed),
        cmocka_unit_test(test_tracker_read_resaved_tables_are_read),
        cmocka_unit_test(test_tracker_read_equal_names_stay_two_tracks),
        cmocka_unit_test(test_tracker_read_old_forms_are_known_by_their_numbers),
        cmocka_unit_test(test_tracker_read_pixels_and_frames_are_taken),
        cmocka_unit_test(test_tracker_read_rate_sets_rounded_times_right),
        cmocka_unit_test(test_tracker_read_samples_are_the_points),
        cmocka_unit_test(test_tracker_read_damaged_files_are_refused_in_their_place),
    };
    return cmocka_run_group_tests(tests, reader_setup, reader_teardown);
}
