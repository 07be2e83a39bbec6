/* Projects of Tracker: .trk and .trz. */
#include "reader_case.h"

#include <zip.h>

/* A flight of one mass and two marks of another, as Tracker writes it. */
static const char head[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<object class=\"org.opensourcephysics.cabrillo.tracker.TrackerPanel\">\n"
    "<property name=\"semantic_version\" type=\"string\">6.1.6</property>\n"
    "<property name=\"width\" type=\"double\">640.0</property>\n"
    "<property name=\"height\" type=\"double\">480.0</property>\n"
    "<property name=\"description\" type=\"string\"><![CDATA[a <b>toss</b>]]></property>\n"
    "<property name=\"videoclip\" type=\"object\">\n"
    "<object class=\"org.opensourcephysics.media.core.VideoClip\">\n"
    "<property name=\"startframe\" type=\"int\">2</property>\n"
    "<property name=\"stepsize\" type=\"int\">1</property>\n"
    "<property name=\"stepcount\" type=\"int\">5</property>\n"
    "<property name=\"starttime\" type=\"double\">500.0</property>\n"
    "</object>\n</property>\n"
    "<property name=\"clipcontrol\" type=\"object\">\n"
    "<object class=\"org.opensourcephysics.media.core.StepperClipControl\">\n"
    "<property name=\"delta_t\" type=\"double\">40.0</property>\n"
    "</object>\n</property>\n"
    "<property name=\"coords\" type=\"object\">\n"
    "<object class=\"org.opensourcephysics.media.core.ImageCoordSystem\">\n"
    "<property name=\"fixedorigin\" type=\"boolean\">true</property>\n"
    "<property name=\"framedata\" type=\"array\">\n"
    "<property name=\"[0]\" type=\"object\">\n"
    "<object class=\"org.opensourcephysics.media.core.ImageCoordSystem$FrameData\">\n"
    "<property name=\"xorigin\" type=\"double\">100.0</property>\n"
    "<property name=\"yorigin\" type=\"double\">400.0</property>\n"
    "<property name=\"angle\" type=\"double\">30.0</property>\n"
    "<property name=\"xscale\" type=\"double\">2.0</property>\n"
    "<property name=\"yscale\" type=\"double\">4.0</property>\n"
    "</object>\n</property>\n"
    "<property name=\"[4]\" type=\"object\">\n"
    "<object class=\"org.opensourcephysics.media.core.ImageCoordSystem$FrameData\">\n"
    "<property name=\"xorigin\" type=\"double\">110.0</property>\n"
    "<property name=\"yorigin\" type=\"double\">400.0</property>\n"
    "<property name=\"angle\" type=\"double\">0.0</property>\n"
    "<property name=\"xscale\" type=\"double\">2.0</property>\n"
    "<property name=\"yscale\" type=\"double\">2.0</property>\n"
    "</object>\n</property>\n"
    "</property>\n</object>\n</property>\n"
    "<property name=\"length_unit\" type=\"string\">cm</property>\n"
    "<property name=\"tracks\" type=\"collection\" class=\"java.util.ArrayList\">\n";
static const char stick[] =
    "<property name=\"item\" type=\"object\">\n"
    "<object class=\"org.opensourcephysics.cabrillo.tracker.TapeMeasure\">\n"
    "<property name=\"stickmode\" type=\"boolean\">true</property>\n"
    "<property name=\"framedata\" type=\"array\">\n<property name=\"[0]\" type=\"object\">\n"
    "<object class=\"org.opensourcephysics.cabrillo.tracker.TapeMeasure$FrameData\">\n"
    "<property name=\"x1\" type=\"double\">10.0</property>\n"
    "<property name=\"y1\" type=\"double\">20.0</property>\n"
    "<property name=\"x2\" type=\"double\">10.0</property>\n"
    "<property name=\"y2\" type=\"double\">220.0</property>\n</object>\n</property>\n</property>\n"
    "<property name=\"worldlengths\" type=\"array\">\n"
    "<property name=\"[0]\" "
    "type=\"double\">100.0</property>\n</property>\n</object>\n</property>\n";
#define MARK(frame, x, y)                                                                          \
    "<property name=\"[" frame "]\" type=\"object\">\n"                                            \
    "<object class=\"org.opensourcephysics.cabrillo.tracker.PointMass$FrameData\">\n"              \
    "<property name=\"x\" type=\"double\">" x "</property>\n"                                      \
    "<property name=\"y\" type=\"double\">" y "</property>\n</object>\n</property>\n"
#define MASS(name, marks)                                                                          \
    "<property name=\"item\" type=\"object\">\n"                                                   \
    "<object class=\"org.opensourcephysics.cabrillo.tracker.PointMass\">\n"                        \
    "<property name=\"mass\" type=\"double\">1.0</property>\n"                                     \
    "<property name=\"name\" type=\"string\">" name "</property>\n"                                \
    "<property name=\"framedata\" type=\"array\">\n" marks "</property>\n</object>\n</property>\n"
static const char mass[] = MASS("mass A", MARK("1", "1.0", "1.0") MARK("2", "120.0", "360.0") MARK(
                                              "3", "130.0", "340.0") MARK("5", "150.0", "300.0"));
static const char tail[] = "</property>\n</object>\n";

static char *project(const char *masses)
{
    size_t size = sizeof head + sizeof stick + strlen(masses) + sizeof tail;
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%s%s%s%s", head, stick, masses, tail);
    return text;
}

static void test_trk_read_gives_times_world_and_pixels(void **state)
{
    (void)state;
    char *text = project(mass);
    ArcRecording *recording = reader_read_text(reader_settings(), text);
    assert_string_equal(recording->format, "tracker-trk");
    assert_string_equal(recording->track, "mass A");
    assert_int_equal(recording->axes, 2);
    assert_int_equal(recording->n_samples, 3);
    const ArcSample *first = &recording->samples[0], *last = &recording->samples[2];
    /* 20 px right of the origin and 40 above: 10 and 10 units along the image's axes. */
    assert_true(first->time_s == 0.5);
    assert_true(first->frame == 2.0);
    reader_near(first->position_m[0], 0.1 * (sqrt(0.75) + 0.5), 1e-15);
    reader_near(first->position_m[1], 0.1 * (sqrt(0.75) - 0.5), 1e-15);
    assert_true(first->pixel_px[0] == 119.5 && first->pixel_px[1] == 359.5);
    /* Frame 5, by the system that holds from frame 4 on. */
    reader_near(last->time_s, 0.62, 1e-15);
    reader_near(last->position_m[0], 0.2, 1e-15);
    reader_near(last->position_m[1], 0.5, 1e-15);
    assert_true(recording->image_px[0] == 640.0 && recording->image_px[1] == 480.0);
    reader_near(recording->rate_per_s, 25.0, 1e-12);
    assert_true(reader_noted(recording, "stick goes from [9.5, 19.5] to [9.5, 219.5] px and is "
                                        "100 length units"));
    assert_true(reader_noted(recording, "1 marks beside the clip"));
    reader_round_trip(recording);
    free(text);
}

/* A clip that does not say how many steps it has goes on to the last mark. */
static void test_trk_read_without_a_number_of_steps_is_read(void **state)
{
    (void)state;
    static const char count[] = "<property name=\"stepcount\" type=\"int\">5</property>\n";
    char *whole = project(mass), *text = reader_changed(whole, count, "");
    ArcRecording *recording = reader_read_text(reader_settings(), text);
    assert_int_equal(recording->n_samples, 3);
    arc_recording_free(recording);
    free(text);
    free(whole);
}

static void test_trk_read_rate_of_the_settings_counts_from_the_clip(void **state)
{
    (void)state;
    char *text = project(mass);
    ArcCaptureSettings settings = reader_settings();
    settings.rate_per_s = 240.0;
    ArcRecording *recording = reader_read_text(settings, text);
    assert_true(recording->samples[0].time_s == 0.0);
    reader_near(recording->samples[2].time_s, 3.0 / 240.0, 1e-15);
    arc_recording_free(recording);
    free(text);
}

static void test_trk_read_bytes_of_another_code_page_are_taken(void **state)
{
    (void)state;
    char *text = project(MASS("bal\xf3n", MARK("2", "1.0", "2.0") MARK("3", "2.0", "3.0")));
    ArcRecording *recording = reader_read_text(reader_settings(), text);
    assert_string_equal(recording->track, "bal\xc3\xb3n");
    arc_recording_free(recording);
    free(text);
}

static void test_trk_read_several_masses_ask(void **state)
{
    (void)state;
    char *text = project(MASS("a", MARK("2", "1.0", "2.0") MARK("3", "2.0", "3.0"))
                             MASS("b", MARK("4", "5.0", "6.0")) MASS("empty", ""));
    ArcCaptureSettings settings = reader_settings();
    reader_refused_text(settings, text, "2 tracks in");
    settings.track = "b";
    ArcRecording *recording = reader_read_text(settings, text);
    assert_int_equal(recording->n_samples, 1);
    arc_recording_free(recording);
    free(text);
}

static void test_trk_read_damage_is_named(void **state)
{
    (void)state;
    ArcCaptureSettings any = reader_settings();
    char *text = project(mass);
    char *cut = strdup(text);
    assert_non_null(cut);
    cut[strlen(cut) - 300] = '\0';
    reader_refused_text(any, cut, "not well-formed XML");
    free(cut);
    reader_refused_changed(any, text, ">130.0<", ">13O.0<", "'13O.0' is not a number for 'x'");
    reader_refused_changed(any, text, "\"[3]\"", "\"[x]\"", "'[x]' is no number of a frame");
    reader_refused_changed(any, text, "\"[3]\"", "\"[-3]\"", "'[-3]' is no number of a frame");
    reader_refused_changed(any, text, "name=\"coords\"", "name=\"cords\"", "no coordinate system");
    reader_refused_changed(any, text, ">2.0</property>\n<property name=\"yscale\"",
                           ">0.0</property>\n<property name=\"yscale\"", "must be above zero");
    reader_refused_changed(any, text, ">40.0<", ">-40.0<", "delta_t is -40 ms");
    reader_refused_changed(any, text, ">130.0<", ">1e300<", "out of range");
    reader_refused_changed(any, text, "tracker.PointMass\"", "tracker.PointMess\"",
                           "no point mass in this file");
    reader_refused_changed(any, text, "cabrillo.tracker.TrackerPanel", "cabrillo.tracker.TFrame",
                           "its root is 'object'");
    reader_refused_changed(any, text, "<object class=\"org.opensourcephysics.cabrillo",
                           "<!DOCTYPE a [<!ENTITY b \"c\">]><object class=\"org.opensourcephysics."
                           "cabrillo",
                           "a document type");
    reader_refused_text(any, "<?xml version=\"1.0\"?>\n<a><b/></a>\n", "no project of Tracker");
    free(text);
}

static void test_trk_read_message_tells_the_line(void **state)
{
    (void)state;
    char *text = project(mass);
    char *changed = reader_changed(text, ">130.0<", ">13O.0<");
    char place[96];
    int line = 1;
    for (const char *at = changed; at < strstr(changed, "13O.0"); at++)
        line += *at == '\n';
    snprintf(place, sizeof place, "%s:%d:1: error:", reader_file, line);
    reader_refused_text(reader_settings(), changed, place);
    free(changed);
    free(text);
}

static void archive_add(zip_t *archive, const char *name, const char *text, size_t size)
{
    zip_source_t *source = zip_source_buffer(archive, text, size, 0);
    assert_non_null(source);
    assert_true(zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8) >= 0);
}

static zip_t *zip_begin(void)
{
    int code = 0;
    zip_t *archive = zip_open(reader_file, ZIP_CREATE | ZIP_TRUNCATE, &code);
    assert_non_null(archive);
    return archive;
}

static void test_trz_read_is_the_trk_in_it(void **state)
{
    (void)state;
    char *text = project(mass);
    zip_t *archive = zip_begin();
    archive_add(archive, "videos/toss.mp4", "not a video", 11);
    archive_add(archive, "toss.trk", text, strlen(text));
    assert_int_equal(zip_close(archive), 0);
    ArcRecording *recording = reader_read_file(reader_settings());
    assert_string_equal(recording->format, "tracker-trz");
    assert_string_equal(recording->track, "mass A");
    assert_int_equal(recording->n_samples, 3);
    reader_round_trip(recording);
    free(text);
}

static void test_trz_read_several_projects_ask(void **state)
{
    (void)state;
    char *text = project(mass);
    ArcCaptureSettings settings = reader_settings();
    ArcError err;
    ArcRecording *recording = NULL;
    zip_t *archive = zip_begin();
    archive_add(archive, "a.trk", text, strlen(text));
    archive_add(archive, "sub/b.trk", text, strlen(text));
    assert_int_equal(zip_close(archive), 0);
    assert_int_equal(arc_recording_read(&settings, &recording, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "a.trk/mass A, b.trk/mass A"));
    settings.track = "b.trk/mass A";
    recording = reader_read_file(settings);
    assert_int_equal(recording->n_samples, 3);
    arc_recording_free(recording);
    free(text);
}

/* What is wrong with the project in an archive is said of the project. */
static void test_trz_read_damaged_project_is_named(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {">130.0<", ">13O.0<", "'13O.0' is not a number for 'x'"},
        {">130.0<", ">130,0<", "'130,0' is not a number for 'x'"},
        {"name=\"coords\"", "name=\"cords\"", "no coordinate system"},
        {"</object>", "", "not well-formed XML"},
    };
    char *text = project(mass);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *changed = reader_changed(text, rows[i][0], rows[i][1]);
        ArcCaptureSettings any = reader_settings();
        ArcRecording *recording = NULL;
        ArcError err = {ARC_OK, ""};
        zip_t *archive = zip_begin();
        archive_add(archive, "a.trk", changed, strlen(changed));
        assert_int_equal(zip_close(archive), 0);
        assert_int_equal(arc_recording_read(&any, &recording, &err), ARC_INPUT);
        if (strstr(err.text, rows[i][2]) == NULL)
            fail_msg("'%s' does not say '%s'", err.text, rows[i][2]);
        free(changed);
    }
    free(text);
}

static void test_trz_read_damage_is_named(void **state)
{
    (void)state;
    ArcCaptureSettings any = reader_settings();
    ArcError err;
    ArcRecording *recording = NULL;
    char *text = project(mass);
    size_t bomb_size = (size_t)70 << 20;
    char *bomb = calloc(1, bomb_size);
    assert_non_null(bomb);
    zip_t *archive = zip_begin();
    archive_add(archive, "readme.txt", "x", 1);
    assert_int_equal(zip_close(archive), 0);
    assert_int_equal(arc_recording_read(&any, &recording, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "without any .trk"));
    archive = zip_begin();
    archive_add(archive, "a.trk", bomb, bomb_size);
    assert_int_equal(zip_close(archive), 0);
    assert_int_equal(arc_recording_read(&any, &recording, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "too large (at most 64 MB unpacked)"));
    archive = zip_begin();
    archive_add(archive, "a.trk", text, strlen(text));
    assert_int_equal(zip_close(archive), 0);
    char bytes[20000];
    FILE *stream = fopen(reader_file, "rb");
    assert_non_null(stream);
    size_t size = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    reader_refused(any, bytes, size / 2, "cannot read the zip archive");
    for (size_t i = 60; i < 400; i++)
        bytes[i] = (char)(bytes[i] ^ 0x55);
    reader_refused(any, bytes, size, "cannot read the zip archive");
    free(bomb);
    free(text);
}

static void test_trk_read_without_memory_says_so(void **state)
{
    (void)state;
    char *text = project(mass);
    arc_recording_free(reader_read_text(reader_settings(), text));
    reader_exhaust(reader_settings());
    zip_t *archive = zip_begin();
    archive_add(archive, "toss.trk", text, strlen(text));
    assert_int_equal(zip_close(archive), 0);
    reader_exhaust(reader_settings());
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trk_read_gives_times_world_and_pixels),
        cmocka_unit_test(test_trk_read_without_a_number_of_steps_is_read),
        cmocka_unit_test(test_trk_read_rate_of_the_settings_counts_from_the_clip),
        cmocka_unit_test(test_trk_read_bytes_of_another_code_page_are_taken),
        cmocka_unit_test(test_trk_read_several_masses_ask),
        cmocka_unit_test(test_trk_read_damage_is_named),
        cmocka_unit_test(test_trk_read_message_tells_the_line),
        cmocka_unit_test(test_trz_read_is_the_trk_in_it),
        cmocka_unit_test(test_trz_read_several_projects_ask),
        cmocka_unit_test(test_trz_read_damaged_project_is_named),
        cmocka_unit_test(test_trz_read_damage_is_named),
        cmocka_unit_test(test_trk_read_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, reader_setup, reader_teardown);
}
