/* The table of formats: each file is taken for what it is, and for nothing else. */
#include "table_case.h"

#include "capture/reading.h"

#include <dirent.h>

/* What a detector must give to be heard, and what free CSV gives to everything. */
enum { HEARD = 20, ANYTHING = 25 };

/* One text of each format, as short as it can be told from. */
static const struct {
    const char *format, *text;
} texts[] = {
    {"csv", "time_s,x_m,y_m\n0,1,2\n1,2,3\n"},
    {"csv", "# from a list\nt;x (cm);y (cm)\n0;1,5;2\n1;2;3\n"},
    {"csv", ",frame,x,y,undistort_x,undistort_y\n2,2,555.0,314.0,526.49,301.48\n"},
    {"csv", "frame,camera,u_px,v_px\n3,left,10.5,20\n3,right,11,21\n"},
    {"csv", "0,1,2\n1,2,3\n"},
    {"csv", "Time (ms),X (cm),Y (cm)\n0,1,2\n33,2,3\n"},
    {"csv", "Frame,X,Y\n0,1,2\n1,2,3\n"},
    {"csv", "trial 3\ntime_s,x_m,y_m\n0,1,2\n1,2,3\n"},
    {"csv", "\"Time (s)\",\"X (m)\",\"Y (m)\",\"Z (m)\"\n0,1,2,3\n"},
    {"csv", "\"Time (s)\",\"X (m)\",\"Y (m)\",\"sigma_m\"\n0,1,2,3\n"},
    {"tracker", "\tball\t\t\nt\tx\ty\t\n0.1\t1\t2\n"},
    {"tracker", ",ball,,,\nt,x,y,vx\n0.1,1,2,\n"},
    {"tracker", "#multi:\n;a;;b;;\nt;x;y;x;y;\n0,1;1;2;3;4\n"},
    {"tracker", "\xef\xbb\xbfmass_A\nt\tx\ty\n0.0E0\t1.2E1\t-1.3E1\n"},
    {"tracker", "mass A\nt x y\n0.1 1 2\n"},
    {"tracker", "|mass A||\nt|vx|vy|\n0.1|1|2\n"},
    {"kinovea-csv", "\"Time\",\"a/0/X\",\"a/0/Y\"\n\"0\",\"1\",\"2\"\n"},
    {"kinovea-csv", "Time;a/0/X;a/0/Y\n0;1;2\n"},
    {"kinovea-csv", "\"Time (ms)\",\"X (cm)\",\"Y (cm)\"\n\"0\",\"1\",\"2\"\n"},
    {"kinovea-txt", "#Kinovea Trajectory data export\n#T X Y\n\n# a\n0 1 2\n"},
    {"kinovea-txt", "#Kinovea Trajectory data export\n#T X Y\n0:00:00:00 1 2 \n"},
    {"tracknet", "Frame,Visibility,X,Y\n0,1,3,4\n"},
    {"tracknet", "file name,visibility,x-coordinate,y-coordinate,status\n0.jpg,1,2,3,0\n"},
    {"deeplabcut", "scorer,s,s,s\nbodyparts,b,b,b\ncoords,x,y,likelihood\n0,1,2,1\n"},
    {"deeplabcut", "scorer,s,s\nindividuals,a,a\nbodyparts,b,b\ncoords,x,y\nimg01.png,1,2\n"},
    {"sleap", "track,frame_idx,instance.score,b.x,b.y,b.score\n,3,0.9,1,2,0.9\n"},
    {"optitrack", "Format Version,1.23,Length Units,Meters\n\n,,Marker,Marker,Marker\n,,b,b,b\n"
                  ",,Position,Position,Position\nFrame,Time (Seconds),X,Y,Z\n0,0,1,2,3\n"},
    {"vicon", "Trajectories\n100\n,,b,,\nFrame,Sub Frame,X,Y,Z\n,,mm,mm,mm\n1,0,1,2,3\n"},
    {"tracker-trk", "<?xml version=\"1.0\"?>\n"
                    "<object class=\"org.opensourcephysics.cabrillo.tracker.TrackerPanel\"/>\n"},
    {"kinovea-json",
     "{\"metadata\": {\"producer\": \"Kinovea.2025\"}, \"data\": {\"timeseries\": "
     "[{\"name\": \"a\", \"timeUnit\": \"s\", \"dataUnit\": \"m\", \"time\": [0, 1], "
     "\"data\": {\"0\": [[1, 2], [2, 3]]}}]}}"},
    {"kinovea-kva",
     "<?xml version=\"1.0\"?>\n<KinoveaVideoAnalysis>\n<CaptureFramerate>30"
     "</CaptureFramerate>\n<AverageTimeStampsPerFrame>1</AverageTimeStampsPerFrame>\n"
     "<Tracks><Track><TrackPointList><TrackPoint>1;2;0</TrackPoint><TrackPoint>2;3;1"
     "</TrackPoint></TrackPointList></Track></Tracks>\n</KinoveaVideoAnalysis>\n"},
    {"dltdv", "ball_cam1_U,ball_cam1_V\nNaN,NaN\n3.5,4\n"},
    {"dltdv", "pt1_X\tpt1_Y\tpt1_Z\n1\t2\t3\n"},
    {"dltdv-sparse", "Sparse format 3D coordinates file\n2\t3\t3\n2\t1\t0.5\n2\t2\t1\n2\t3\t2\n"},
    {"sportvu", "{\"events\": [{\"moments\": [[1, 1445991000000, 7, 1, null, [[-1, -1, 1, 2, 3]]], "
                "[1, 1445991000040, 7, 1, null, [[-1, -1, 2, 3, 4]]]]}]}"},
};

/* How sure each row of the table is of these bytes. */
static void detect_all(const char *bytes, size_t size, int *sure)
{
    int n;
    const ArcFormat *formats = arc_formats(&n);
    ArcCaptureSettings settings = reader_settings();
    ArcArena *arena = arc_arena_create();
    assert_non_null(arena);
    ArcSource source = {
        .file = "f", .bytes = bytes, .size = size, .settings = &settings, .scratch = arena};
    (void)arc_encoding_decode("f", bytes, size, arena, &source.decoded, NULL);
    for (int i = 0; i < n; i++)
        sure[i] = formats[i].detect(&source);
    arc_arena_free(arena);
}

/* Only the named format recognises the bytes; free CSV recognises nothing, and who is only there to
 * refuse a kind of text in better words is not heard. */
static void assert_detected(const char *what, const char *bytes, size_t size, const char *format)
{
    int n, sure[64];
    const ArcFormat *formats = arc_formats(&n);
    assert_true(n <= 64);
    detect_all(bytes, size, sure);
    for (int i = 0; i < n; i++) {
        bool is_csv = strcmp(formats[i].name, "csv") == 0;
        bool is_wanted = strcmp(formats[i].name, format) == 0;
        if (is_csv ? sure[i] > ANYTHING : is_wanted != (sure[i] >= HEARD && sure[i] != ARC_PERHAPS))
            fail_msg("'%s' is %d sure of '%s', which is '%s'", formats[i].name, sure[i], what,
                     format);
    }
}

static void test_format_find_takes_each_text_for_its_format_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_detected(texts[i].text, texts[i].text, strlen(texts[i].text), texts[i].format);
}

static void test_format_find_takes_each_sample_for_its_format_alone(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"tracker5_old.txt", "tracker"},        {"tracker6_tab.txt", "tracker"},
        {"tracker6_tab_comma.txt", "tracker"},  {"kinovea_2025.txt", "kinovea-txt"},
        {"kinovea_2025_us.csv", "kinovea-csv"}, {"kinovea_scatter_us.csv", "kinovea-csv"},
        {"kinovea_2025.json", "kinovea-json"},  {"tracknet_ball.csv", "tracknet"},
        {"dltdv7_xypts.csv", "dltdv"},          {"dltdv8_xypts.csv", "dltdv"},
        {"dltdv7_xyzpts.csv", "dltdv"},         {"dltdv7_offsets.csv", "dltdv"},
        {"argus_offsets.csv", "dltdv"},
    };
    char folder[1024];
    DIR *directory = opendir(shared_path(folder, "samples"));
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        ArcArena *arena = arc_arena_create();
        char path[2048], *bytes;
        size_t size;
        const char *expected = "csv"; /* calibrations and lists of numbers are nothing else */
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            expected = strcmp(rows[i][0], entry->d_name) == 0 ? rows[i][1] : expected;
        if (entry->d_name[0] != '.') {
            assert_int_equal(
                arc_file_read(path, (ArcPlace){NULL, 0, 0}, 1 << 20, arena, &bytes, &size, NULL),
                ARC_OK);
            assert_detected(entry->d_name, bytes, size, expected);
        }
        arc_arena_free(arena);
    }
    closedir(directory);
}

static void test_format_find_asks_where_two_are_as_likely(void **state)
{
    (void)state;
    /* OptiTrack's header without the lines above, which tell the unit; or a list of one's own. */
    static const char motive[] = "Frame,Time (Seconds),X,Y,Z\n0,0,1,2,3\n1,0.1,2,3,4\n";
    reader_refuse(reader_settings(), motive, "1:1",
                  "may be of format 'optitrack' or of 'csv'; say which with capture.format");
    reader_refuse(reader_settings(), "frame_idx,b.x,b.y\n0,1,2\n1,2,3\n", "1:1",
                  "may be of format 'sleap' or of 'csv'");
    ArcCaptureSettings settings = reader_settings();
    settings.format = "optitrack";
    ArcRecording *recording = reader_read_as(settings, "optitrack", motive);
    assert_int_equal(recording->axes, 3);
    arc_recording_free(recording);
    settings.format = "sleap";
    recording = reader_read_as(settings, "sleap", "frame_idx,b.x,b.y\n0,1,2\n1,2,3\n");
    assert_true(recording->has_pixels);
    arc_recording_free(recording);
}

/* What is at hand beside captures is told from them. */
static void test_format_find_knows_experiments_and_calibrations(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"# a throw\narcfit: 1\ncapture: {file: a.csv, sigma: 3 mm}\n", "an experiment"},
        {"image_width: 1280\ncamera_matrix:\n  rows: 3\n  data: [1, 0, 2]\n", "a calibration"},
        {"[cam]\nmatrix = [[1, 0, 2], [0, 1, 2]]\ndistortions = [0, 0]\n", "a calibration"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        reader_refuse(reader_settings(), rows[i][0], "1:1", rows[i][1]);
}

/* A format that the settings name is read without being recognised: files of anything else are
 * refused, whatever they begin with. */
static void test_format_find_takes_a_named_format_at_its_word(void **state)
{
    (void)state;
    static const char *const others[] = {
        "# a, b\n0,1\n1,2\n", "#\n", "0,1,2\n1,2,3\n", "\"a\nb\n", "a,b\n", "t\n1\n", ",\n,\n",
        "Trajectories\n"};
    int n;
    const ArcFormat *formats = arc_formats(&n);
    for (int k = 0; k < n; k++) {
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            ArcCaptureSettings settings = reader_settings();
            settings.format = formats[k].name;
            reader_refuse(settings, others[i], "", "error: ");
        }
    }
}

/* The text in UTF-16 with its mark, (2 n + 2) bytes. */
static size_t to_utf16(const char *text, char *bytes)
{
    size_t n = strlen(text);
    memcpy(bytes, "\xff\xfe", 2);
    for (size_t k = 0; k < n; k++) {
        bytes[2 + 2 * k] = text[k];
        bytes[3 + 2 * k] = '\0';
    }
    return 2 + 2 * n;
}

static bool is_ascii(const char *text)
{
    while (*text != '\0' && (unsigned char)*text < 0x80)
        text++;
    return *text == '\0';
}

/* In every encoding, a text is the same to every reader. */
static void test_format_find_knows_texts_in_utf16(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char bytes[2048];
        ArcCaptureSettings settings = reader_settings();
        ArcRecording *plain = NULL, *wide = NULL;
        ArcError err = {ARC_OK, ""};
        if (!is_ascii(texts[i].text))
            continue;
        size_t size = to_utf16(texts[i].text, bytes);
        assert_detected(texts[i].text, bytes, size, texts[i].format);
        assert_int_equal(arc_file_replace(reader_file, texts[i].text, strlen(texts[i].text), NULL),
                         ARC_OK);
        ArcStatus status = arc_recording_read(&settings, &plain, &err);
        assert_int_equal(arc_file_replace(reader_file, bytes, size, NULL), ARC_OK);
        if (arc_recording_read(&settings, &wide, &err) != status)
            fail_msg("otherwise in UTF-16: %s, of: %s", err.text, texts[i].text);
        for (int k = 0; status == ARC_OK && k < plain->n_samples; k++) {
            const ArcSample *a = &plain->samples[k], *b = &wide->samples[k];
            assert_int_equal(plain->n_samples, wide->n_samples);
            assert_true(reader_same(a->time_s, b->time_s) && reader_same(a->frame, b->frame));
            assert_true(reader_same(a->position_m[1], b->position_m[1]));
            assert_true(reader_same(a->pixel_px[1], b->pixel_px[1]));
        }
        arc_recording_free(plain);
        arc_recording_free(wide);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format_find_takes_each_text_for_its_format_alone),
        cmocka_unit_test(test_format_find_takes_each_sample_for_its_format_alone),
        cmocka_unit_test(test_format_find_asks_where_two_are_as_likely),
        cmocka_unit_test(test_format_find_knows_experiments_and_calibrations),
        cmocka_unit_test(test_format_find_takes_a_named_format_at_its_word),
        cmocka_unit_test(test_format_find_knows_texts_in_utf16),
    };
    return cmocka_run_group_tests(tests, reader_setup, reader_teardown);
}
