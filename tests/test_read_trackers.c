/* Trackers by learning and motion capture (TrackNet, DeepLabCut, SLEAP, OptiTrack, Vicon): what
 * they write, and each way to be damaged. */
#include "table_case.h"

static void test_tracknet_read_invisible_rows_are_missing(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Frame,Visibility,X,Y\n0,1,303,494\n1,0,0,0\n2,1,310,486\n3,0,12,13\n4,1,0,0\n",
        "Frame,Visibility_GT,X,Y,Inpaint_Mask,Visibility\r\n0,1,303,494,0,1\r\n1,1,0,0,1,0\r\n"
        "2,0,310,486,0,1\r\n3,1,12,13,0,0\r\n4,1,0,0,0,2\r\n",
        "frame;visibility;x;y\n0;1;303;494\n1;0;;\n2;1;310;486\n3;0;;\n4;1;0;0\n",
        "file name,visibility,x-coordinate,y-coordinate,status\n0000.jpg,1,303,494,0\n"
        "0001.jpg,0,,,\n0002.jpg,2,310,486,1\n0003.jpg,0,,,\n0004.jpg,1,0,0,0\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ArcRecording *recording = reader_read_as(reader_settings(), "tracknet", texts[i]);
        assert_int_equal(recording->n_samples, 3);
        assert_int_equal(recording->axes, 0);
        assert_false(recording->has_times);
        reader_assert_sample(recording, 0, 0.0, 303.0, 494.0);
        reader_assert_sample(recording, 1, 2.0, 310.0, 486.0);
        reader_assert_sample(recording, 2, 4.0, 0.0, 0.0);
        assert_int_equal(recording->samples[1].line, 4);
        reader_assert_note(recording, "the ball is not seen in 2 of 5 frames");
        reader_assert_note(recording, "pixels are whole numbers");
        reader_round_trip(recording);
    }
    ArcCaptureSettings settings = reader_settings();
    settings.rate_per_s = 120.0;
    ArcRecording *recording = reader_read_as(settings, "tracknet", texts[0]);
    reader_assert_sample(recording, 1, 2.0 / 120.0, 310.0, 486.0);
    arc_recording_free(recording);
    recording = reader_read_as(reader_settings(), "tracknet",
                               "Frame,Visibility,X,Y\n0,1,303.5,494\n1,1,304,495.25\n");
    reader_assert_no_note(recording, "whole numbers");
    arc_recording_free(recording);
}

/* The first camera of another tool's file of the same flight, whose pixels count from 1. */
static void test_tracknet_read_sample_is_the_other_files_pixels(void **state)
{
    (void)state;
    char path[1024], line[256];
    ArcRecording *recording =
        reader_read_file_as(reader_sample_settings(path, "tracknet_ball.csv"), "tracknet");
    FILE *stream = fopen(shared_path(path, "samples/dltdv8_xypts.csv"), "r");
    assert_non_null(stream);
    int n = 0, n_compared = 0, frame = -1;
    for (; fgets(line, sizeof line, stream) != NULL; frame++) {
        double u, v;
        bool is_here = n < recording->n_samples && recording->samples[n].frame == frame;
        const ArcSample *sample = &recording->samples[is_here ? n++ : 0];
        if (frame < 0 || !is_here || sscanf(line, "%lf,%lf", &u, &v) != 2 || isnan(u))
            continue;
        assert_true(fabs(sample->pixel_px[0] - (u - 1.0)) <= 0.5 + 1e-6);
        assert_true(fabs(sample->pixel_px[1] - (v - 1.0)) <= 0.5 + 1e-6);
        n_compared++;
    }
    fclose(stream);
    assert_int_equal(n, recording->n_samples);
    assert_true(n_compared > 50);
    arc_recording_free(recording);
}

static void test_tracknet_read_damaged_files_are_refused_in_their_place(void **state)
{
    (void)state;
#define HEAD "Frame,Visibility,X,Y\n0,1,303,494\n"
    static const ReaderDamage rows[] = {
        {HEAD "1,1,30", "3:7", "3 cells where the header has 4"},
        {"Frame,Visibility,X,Y\n", "1:1", "no rows with numbers"},
        {HEAD "1,1,304,\n", "3:9", "lacks one of its coordinates"},
        {HEAD "1;1;304;493\n", "3:12", "1 cell where the header has 4"},
        {HEAD "1,1,304,5,493\n", "3:11", "5 cells where the header has 4"},
        {HEAD "1,1,304.5,\"493,5\"\n", "3:11", "'493,5' has a decimal comma"},
        {HEAD "1,1,ball,493\n", "3:5", "'ball' is not a number"},
        {HEAD "1.5,1,304,493\n", "3:1", "'1.5' is no number of a frame"},
        {HEAD "-1,1,304,493\n", "3:1", "'-1' is no number of a frame"},
        {HEAD ",1,304,493\n", "3:1", "a row without its frame"},
        {HEAD "1,,304,493\n", "3:3", "a row without its visibility"},
        {HEAD "1,1,inf,493\n", "3:5", "is infinite"},
        {"file name,visibility,x-coordinate,y-coordinate\nball.jpg,1,2,3\n", "2:1",
         "neither a frame nor a picture with a number"},
    };
    reader_refuse_all(sizeof rows / sizeof rows[0], rows);
#undef HEAD
    ArcCaptureSettings settings = reader_settings();
    settings.format = "tracknet";
    reader_refuse(settings, "Frame,X,Y\n0,1,2\n1,2,3\n", "1:1", "a column is missing");
}

static void test_deeplabcut_read_bodyparts_are_tracks(void **state)
{
    (void)state;
    static const char three[] = "scorer,DLC_resnet50,DLC_resnet50,DLC_resnet50,DLC_resnet50,"
                                "DLC_resnet50,DLC_resnet50\n"
                                "bodyparts,ball,ball,ball,hand,hand,hand\n"
                                "coords,x,y,likelihood,x,y,likelihood\n"
                                "0,304.08,495.32,0.999,10,20,0.2\n"
                                "1,311.12,487.49,0.6,11,21,0.9\n"
                                "2,500.00,1.00,0.59,12,22,0.9\n"
                                "3,,,,13,23,1\n";
    ArcCaptureSettings settings = reader_settings();
    settings.track = "ball";
    ArcRecording *recording = reader_read_as(settings, "deeplabcut", three);
    assert_int_equal(recording->n_samples, 2);
    reader_assert_sample(recording, 0, 0.0, 304.08, 495.32);
    reader_assert_sample(recording, 1, 1.0, 311.12, 487.49);
    reader_assert_note(recording, "2 points whose likelihood is below 0.6 are taken as missing");
    reader_round_trip(recording);
    settings.track = "hand";
    recording = reader_read_as(settings, "deeplabcut", three);
    assert_int_equal(recording->n_samples, 3);
    assert_int_equal(recording->samples[0].column, 21);
    arc_recording_free(recording);
    reader_refuse(reader_settings(), three, "1:1", "2 tracks in ");
    settings.track = "b/ball";
    recording = reader_read_as(settings, "deeplabcut",
                               "scorer,me,me,me,me\nindividuals,a,a,b,b\nbodyparts,ball,ball,ball,"
                               "ball\ncoords,x,y,x,y\nlabeled-data/v1/img007.png,1,2,3,4\n"
                               "labeled-data/v1/img009.png,1,2,,\n");
    assert_int_equal(recording->n_samples, 1);
    reader_assert_sample(recording, 0, 7.0, 3.0, 4.0);
    reader_round_trip(recording);
    recording = reader_read_as(reader_settings(), "deeplabcut",
                               "scorer,,,me,me\nbodyparts,,,ball,ball\ncoords,,,x,y\n"
                               "labeled-data,v1,img010.png,1.5,2\n");
    reader_assert_sample(recording, 0, 10.0, 1.5, 2.0);
    arc_recording_free(recording);
}

static void test_deeplabcut_read_damaged_files_are_refused_in_their_place(void **state)
{
    (void)state;
#define HEAD "scorer,s,s,s\nbodyparts,ball,ball,ball\ncoords,x,y,likelihood\n"
    static const ReaderDamage rows[] = {
        {HEAD "0,1,2,1\n1,3", "5:4", "2 cells where the header has 4"},
        {HEAD, "3:1", "no rows with numbers"},
        {HEAD "0,1,2,1\n1,3,,1\n", "5:5", "lacks one of its coordinates"},
        {HEAD "0;1;2;1\n", "4:8", "1 cell where the header has 4"},
        {HEAD "0,1.5,2.5,1\n1,1.5,\"2,5\",1\n", "5:7", "'2,5' has a decimal comma"},
        {HEAD "0,1.5,2.5,1\n1,1,5,2.5,1\n", "5:11", "5 cells where the header has 4"},
        {"scorer,s,s,s\nbodyparts,ball,ball,ball\ncoords,x,likelihood,y\n0,1,2,3\n", "3:8",
         "x without y behind it"},
        {"scorer,s,s,s\nbodyparts,ball,ball\ncoords,x,y,likelihood\n0,1,2,3\n", "2:1",
         "3 cells here, 4 in the line of coords"},
        {"scorer,s,s,s\nbody,ball,ball,ball\ncoords,x,y,likelihood\n0,1,2,3\n", "1:1",
         "the lines scorer, bodyparts and coords"},
        {HEAD "0,1,two,1\n", "4:5", "'two' is not a number"},
        {HEAD "0,1,2,high\n", "4:7", "'high' is not a number"},
        {HEAD "first,1,2,1\n", "4:1", "neither a frame nor a picture"},
        {HEAD ",1,2,1\n", "4:1", "a row without its frame"},
    };
    reader_refuse_all(sizeof rows / sizeof rows[0], rows);
#undef HEAD
}

#define SLEAP "track,frame_idx,instance.score,ball.x,ball.y,ball.score\n"

static void test_sleap_read_tracks_and_nodes_are_told_apart(void **state)
{
    (void)state;
    ArcRecording *recording =
        reader_read_as(reader_settings(), "sleap",
                       SLEAP ",3,0.97,304.08,495.32,0.9\n,4,0.97,,,\n,5,0.97,311.12,487.49,0.9\n");
    assert_string_equal(recording->track, "ball");
    assert_int_equal(recording->n_samples, 2);
    reader_assert_sample(recording, 1, 5.0, 311.12, 487.49);
    assert_int_equal(recording->samples[1].line, 4);
    reader_round_trip(recording);
    static const char two[] = SLEAP "track_0,3,0.97,1,2,0.9\ntrack_1,3,0.97,3,4,0.9\n"
                                    "track_0,4,0.97,5,6,0.9\n";
    ArcCaptureSettings settings = reader_settings();
    settings.track = "track_0";
    recording = reader_read_as(settings, "sleap", two);
    assert_int_equal(recording->n_samples, 2);
    reader_assert_sample(recording, 1, 4.0, 5.0, 6.0);
    reader_round_trip(recording);
    reader_refuse(reader_settings(), two, "1:1", "2 tracks in ");
    settings.track = "track_0/hand";
    recording =
        reader_read_as(settings, "sleap",
                       "track,frame_idx,instance.score,ball.x,ball.y,ball.score,hand.x,hand.y,"
                       "hand.score\ntrack_0,3,0.9,1,2,0.9,3,4,0.9\n");
    reader_assert_sample(recording, 0, 3.0, 3.0, 4.0);
    arc_recording_free(recording);
}

static void test_sleap_read_damaged_files_are_refused_in_their_place(void **state)
{
    (void)state;
    static const ReaderDamage rows[] = {
        {SLEAP ",3,0.9,1,2,0.9\n,4,0.9,1", "3:9", "4 cells where the header has 6"},
        {SLEAP, "1:1", "no rows with numbers"},
        {SLEAP ",3,0.9,1,,0.9\n", "2:10", "lacks one of its coordinates"},
        {SLEAP ";3;0.9;1;2;0.9\n", "2:15", "1 cell where the header has 6"},
        {SLEAP ",3,0.9,1.5,\"2,5\",0.9\n", "2:12", "'2,5' has a decimal comma"},
        {"track,frame_idx,instance.score,ball.x,ball.score\n,3,0.9,1,0.9\n", "1:1", "no column"},
        {SLEAP ",3,0.9,one,2,0.9\n", "2:8", "'one' is not a number"},
        {SLEAP ",x,0.9,1,2,0.9\n", "2:2", "'x' is not a number"},
        {SLEAP ",,0.9,1,2,0.9\n", "2:2", "a row without its frame"},
        {SLEAP ",3,0.9,1,2,0.9\n,3,0.9,7,8,0.9\n", "3:8", "two instances without a track"},
        {"track,frame_idx,instance.score,a.x,a.y,b.x\n,3,0.9,1,2,3\n", "1:40", "has no .y behind"},
    };
    reader_refuse_all(sizeof rows / sizeof rows[0], rows);
}

#define MOTIVE                                                                                     \
    "Format Version,1.23,Take Name,Take 3,Take Notes,,Capture Frame Rate,240.000000,"              \
    "Export Frame Rate,120.000000,Total Frames in Take,3,Rotation Type,Quaternion,"                \
    "Length Units,Millimeters,Coordinate Space,Global\r\n\r\n"
#define BODIES                                                                                     \
    ",,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,"   \
    "Marker,Marker,Marker\r\n"                                                                     \
    ",,Ball,Ball,Ball,Ball,Ball,Ball,Ball,Ball,Unlabeled 7,Unlabeled 7,Unlabeled 7\r\n"            \
    ",,\"4CF0\",\"4CF0\",\"4CF0\",\"4CF0\",\"4CF0\",\"4CF0\",\"4CF0\",\"4CF0\",1,1,1\r\n"          \
    ",,Rotation,Rotation,Rotation,Rotation,Position,Position,Position,Mean Marker Error,"          \
    "Position,Position,Position\r\n"                                                               \
    "Frame,Time (Seconds),X,Y,Z,W,X,Y,Z,,X,Y,Z\r\n"

static void test_optitrack_read_bodies_and_markers_are_tracks(void **state)
{
    (void)state;
    static const char text[] =
        MOTIVE BODIES "0,0.000000,0,0,0,1,100.123456,2000.000000,-30.500000,0.1,,,\r\n"
                      "1,0.008333,,,,,,,,,1.000000,2.000000,3.000000\r\n"
                      "2,0.016667,0,0,0,1,170.123456,2040.000000,-30.500000,0.1,,,\r\n";
    ArcCaptureSettings settings = reader_settings();
    settings.track = "Ball";
    ArcRecording *recording = reader_read_as(settings, "optitrack", text);
    assert_int_equal(recording->n_samples, 2);
    assert_int_equal(recording->axes, 3);
    assert_true(recording->rate_per_s == 120.0);
    reader_assert_sample(recording, 0, 0.0, 100.123456 / 1000.0, 2.0);
    assert_true(recording->samples[1].position_m[2] == -0.0305);
    assert_true(recording->samples[1].frame == 2.0);
    assert_int_equal(recording->samples[1].line, 10);
    reader_assert_note(recording, "exported at 120 frames a second of 240 captured");
    reader_assert_note(recording, "y is up in Motive");
    reader_assert_no_note(recording, "taken as");
    reader_round_trip(recording);
    settings.rate_per_s = 120.0;
    recording = reader_read_as(settings, "optitrack", text);
    assert_true(recording->samples[1].time_s == 2.0 / 120.0);
    arc_recording_free(recording);
    settings.track = "Unlabeled 7";
    settings.rate_per_s = NAN;
    recording = reader_read_as(settings, "optitrack", text);
    reader_assert_sample(recording, 0, 0.008333, 0.001, 0.002);
    arc_recording_free(recording);
    reader_refuse(reader_settings(), text, "1:1", ": Ball, Unlabeled 7; choose one");
}

/* From 1.24 on lines have names, and a column of timecodes may come first. */
static void test_optitrack_read_newer_headers_are_understood(void **state)
{
    (void)state;
    static const char text[] =
        "Format Version,1.25,Export Frame Rate,120.000000,Length Units,Centimeters\n\n"
        ",Type,,Rigid Body Marker,Rigid Body Marker,Rigid Body Marker,Marker,Marker,Marker\n"
        ",Name,,A:1,A:1,A:1,A:1,A:1,A:1\n,ID,,x,x,x,y,y,y\n,Parent,,A,A,A,,,\n"
        ",,,Position,Position,Position,Position,Position,Position\n"
        "Frame,Time (Seconds),TimeCode,X,Y,Z,X,Y,Z\n"
        "7,0.058333,15:26:46:12.02,1,2,3,4,5,6\n8,0.066667,15:26:46:12.03,1,2,3,4,5,6\n";
    ArcCaptureSettings settings = reader_settings();
    settings.track = "A:1 (Marker)";
    ArcRecording *recording = reader_read_as(settings, "optitrack", text);
    reader_assert_sample(recording, 0, 0.058333, 0.04, 0.05);
    reader_round_trip(recording);
    settings.track = "A:1";
    recording = reader_read_as(settings, "optitrack", text);
    reader_assert_sample(recording, 0, 0.058333, 0.01, 0.02);
    arc_recording_free(recording);
}

static void test_optitrack_read_damaged_files_are_refused_in_their_place(void **state)
{
    (void)state;
#define HEAD                                                                                       \
    "Format Version,1.23,Export Frame Rate,120,Length Units,Meters\n\n,,Marker,Marker,Marker\n"    \
    ",,b,b,b\n,,1,1,1\n,,Position,Position,Position\nFrame,Time (Seconds),X,Y,Z\n"
    static const ReaderDamage rows[] = {
        {HEAD "0,0.0,1,2,3\n1,0.1,1", "9:8", "3 cells where the header has 5"},
        {HEAD, "7:1", "no rows with numbers"},
        {"Format Version,1.23,Length Units,Meters\n\n,,Marker\n", "1:1",
         "no line Frame,Time (Seconds),X,Y,Z"},
        {HEAD "0,0.0,1,,3\n", "8:9", "lacks one of its coordinates"},
        {HEAD "0;0.0;1;2;3\n", "8:12", "1 cell where the header has 5"},
        {HEAD "0,0.0,1.5,2,3\n1,0.1,\"1,5\",2,3\n", "9:7", "'1,5' has a decimal comma"},
        {HEAD "0,0,0,1,5,2,3\n", "8:1", "'0,0' is not a number in a comma-separated file"},
        {"Format Version,1.23\n,,Marker,Marker,Marker\n,,b,b,b\n,,Position,Position,Position\n"
         "Frame,Time (Seconds),X,Z,Y\n0,0,1,2,3\n",
         "5:22", "X without Y and Z"},
        {"Format Version,1.23\n,,Bone,Bone,Bone\n,,b,b,b\n,,Rotation,Rotation,Rotation\n"
         "Frame,Time (Seconds),X,Y,Z\n0,0,1,2,3\n",
         "5:1", "no columns X, Y, Z of a Position"},
        {HEAD "0,0.0,one,2,3\n", "8:7", "'one' is not a number"},
        {HEAD "0,,1,2,3\n", "8:3", "a row without its time"},
        {HEAD "0.5,0,1,2,3\n", "8:1", "no number of a frame"},
        {"Format Version,1.23,Export Frame Rate,fast\nFrame,Time (Seconds),X,Y,Z\n0,0,1,2,3\n",
         "1:39", "'fast' is not a number"},
        {"Format Version,1.23,Export Frame Rate,0\nFrame,Time (Seconds),X,Y,Z\n0,0,1,2,3\n", "1:39",
         "'0' is no frame rate"},
    };
    reader_refuse_all(sizeof rows / sizeof rows[0], rows);
#undef HEAD
}

#define NEXUS                                                                                      \
    "Trajectories\n200\n,,Ann:Ball,,,Ann:Hand,,\nFrame,Sub Frame,X,Y,Z,X,Y,Z\n"                    \
    ",,mm,mm,mm,mm,mm,mm\n"

static void test_vicon_read_trajectories_among_sections(void **state)
{
    (void)state;
    static const char text[] =
        "Devices\n1000\n,,Force\nFrame,Sub Frame,Fx\n,,N\n1,0,5\n1,1,6\n\n" NEXUS
        "11,0,100,200,1500,1,2,3\n12,0,,,,1,2,3\n13,0,150,200,1600,,,\n\n"
        "Events\n200\nnothing,here\n";
    ArcCaptureSettings settings = reader_settings();
    settings.track = "Ann:Ball";
    ArcRecording *recording = reader_read_as(settings, "vicon", text);
    assert_int_equal(recording->n_samples, 2);
    assert_int_equal(recording->axes, 3);
    assert_true(recording->rate_per_s == 200.0);
    reader_assert_sample(recording, 0, 0.05, 0.1, 0.2);
    reader_assert_sample(recording, 1, 0.06, 0.15, 0.2);
    assert_true(recording->samples[1].position_m[2] == 1.6);
    assert_int_equal(recording->samples[1].line, 16);
    reader_round_trip(recording);
    settings.track = "Ann:Hand";
    recording = reader_read_as(settings, "vicon", NEXUS "1,0,,,,1,2,3\n2,0,,,,1,2,3\n");
    assert_int_equal(recording->n_samples, 2);
    reader_assert_sample(recording, 0, 0.0, 0.001, 0.002);
    arc_recording_free(recording);
}

static void test_vicon_read_damaged_files_are_refused_in_their_place(void **state)
{
    (void)state;
    static const ReaderDamage rows[] = {
        {NEXUS "1,0,1,2,3,4,5,6\n2,0,1", "7:6", "3 cells where the header has 8"},
        {"Trajectories\n200\n,,Ball,,\n", "3:1", "ends in its header"},
        {"Devices\n1000\n,,Force\nFrame,Sub Frame,Fx\n,,N\n1,0,5\n", "6:1",
         "no section Trajectories"},
        {NEXUS "1,0,1,2,3,4,,6\n", "6:13", "lacks one of its coordinates"},
        {NEXUS "1;0;1;2;3;4;5;6\n", "6:16", "1 cell where the header has 8"},
        {NEXUS "1,0,1.5,2,3,4,5,6\n2,0,\"1,5\",2,3,4,5,6\n", "7:5", "'1,5' has a decimal comma"},
        {"Trajectories\n200\n,,Ball,,\nFrame,Sub Frame,X,Z,Y\n,,mm,mm,mm\n1,0,1,2,3\n", "4:1",
         "no columns X, Y, Z"},
        {"Trajectories\n200\n,,Ball,,\nFrame,\"Sub\" Frame,X,Y,Z\n,,mm,mm,mm\n1,0,1,2,3\n", "4:1",
         "no columns X, Y, Z"},
        {NEXUS "1,0,one,2,3,4,5,6\n", "6:5", "'one' is not a number"},
        {NEXUS "0,0,1,2,3,4,5,6\n", "6:1", "a row without its frame; they count from 1"},
        {"Trajectories\n0\n,,Ball,,\nFrame,Sub Frame,X,Y,Z\n,,mm,mm,mm\n1,0,1,2,3\n", "2:1",
         "must be the frame rate"},
    };
    reader_refuse_all(sizeof rows / sizeof rows[0], rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tracknet_read_invisible_rows_are_missing),
        cmocka_unit_test(test_tracknet_read_sample_is_the_other_files_pixels),
        cmocka_unit_test(test_tracknet_read_damaged_files_are_refused_in_their_place),
        cmocka_unit_test(test_deeplabcut_read_bodyparts_are_tracks),
        cmocka_unit_test(test_deeplabcut_read_damaged_files_are_refused_in_their_place),
        cmocka_unit_test(test_sleap_read_tracks_and_nodes_are_told_apart),
        cmocka_unit_test(test_sleap_read_damaged_files_are_refused_in_their_place),
        cmocka_unit_test(test_optitrack_read_bodies_and_markers_are_tracks),
        cmocka_unit_test(test_optitrack_read_newer_headers_are_understood),
        cmocka_unit_test(test_optitrack_read_damaged_files_are_refused_in_their_place),
        cmocka_unit_test(test_vicon_read_trajectories_among_sections),
        cmocka_unit_test(test_vicon_read_damaged_files_are_refused_in_their_place),
    };
    return cmocka_run_group_tests(tests, reader_setup, reader_teardown);
}
