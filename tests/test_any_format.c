/* Every format's reader on files that it was told to read and that are of another kind, or cut
 * short where it hurts: taken or refused with a place. Most of them were found by fuzzing
 * (scripts/fuzz).
 */
#include "reader_case.h"

static const char *const texts[] = {
    "",
    "\n",
    "0,1\n1,2\n", /* no header */
    "1;2;3\n",
    "a,b,c\n",
    "Trajectories\n",
    /* a quote without its end above the header */
    "Trajectories\n100\n,,s:ball\n,\"rame,X,Y,Z\n,mm,mm,mm,mm\n1,0,1,2\n2,0,1,2\n",
    "scorer,a,a\n\"bodyparts,b,b\ncoords,x,y\n0,1,2\n1,2,3\n",
    "Format Version,1.23,Export Frame Rate,100\n,\"Rigid\nFrame,Time (Seconds),X,Y,Z\n0,0,1,2,3\n",
    "#multi:\n",
    "#Kinovea Trajectory data export\n#T X Y\n",
    "Sparse format camera coordinates file\n0\t0\t0\n",
    "<a/>",
    "<object class=\"org.opensourcephysics.cabrillo.tracker.TrackerPanel\"/>",
    "<KinoveaVideoAnalysis/>",
    "{}",
    "[]",
    "{\"events\": [{\"moments\": [[]]}]}",
    "PK\x03\x04",
    "\x89HDF\r\n\x1a\n",
};

static void test_format_any_on_files_of_other_kinds_is_refused(void **state)
{
    (void)state;
    for (int i = 0; arc_format_name(i) != NULL; i++) {
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
            ArcCaptureSettings settings = reader_settings();
            ArcRecording *recording = NULL;
            ArcError err = {ARC_OK, ""};
            settings.format = arc_format_name(i);
            assert_int_equal(arc_file_replace(reader_file, texts[k], strlen(texts[k]), NULL),
                             ARC_OK);
            ArcStatus status = arc_recording_read(&settings, &recording, &err);
            assert_int_equal(status == ARC_OK, recording != NULL);
            if (status != ARC_OK &&
                (status != ARC_INPUT || strncmp(err.text, reader_file, strlen(reader_file)) != 0 ||
                 strstr(err.text, ": error: ") == NULL))
                fail_msg("%s, text %zu: %d, %s", settings.format, k, (int)status, err.text);
            arc_recording_free(recording);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format_any_on_files_of_other_kinds_is_refused),
    };
    return cmocka_run_group_tests(tests, reader_setup, reader_teardown);
}
