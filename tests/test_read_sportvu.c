/* JSON of moments. */
#include "reader_case.h"

#define PLAYER "[1610612737, 203145, 40.1, 20.5, 0.0]"

static const char sound[] =
    "{\"gameid\": \"1\", \"events\": [\n"
    "{\"eventId\": \"1\", \"moments\": [\n"
    " [1, 1445991000000, 700.1, 12.2, null, [[-1, -1, 10, 20, 6.5], " PLAYER "]],\n"
    " [1, 1445991000040, 700.1, 12.2, null, [[-1, -1, 11, 21, 7.5], " PLAYER "]],\n"
    " [1, 1445991000080, 700.0, 12.1, null, [" PLAYER "]]]},\n"
    "{\"eventId\": \"2\", \"moments\": []},\n"
    "{\"eventId\": \"3\", \"moments\": [\n"
    " [1, 1445991000040, 700.1, 12.2, null, [[-1, -1, 11, 21, 7.5]]],\n"
    " [1, 1445991000120, 700.0, 12.1, null, [[-1, -1, 12, 22, 8.0]]]]}]}\n";

static void test_sportvu_read_events_are_flights_without_repeats(void **state)
{
    (void)state;
    ArcRecording *recording = reader_read_text(reader_settings(), sound);
    assert_string_equal(recording->format, "sportvu");
    assert_string_equal(recording->track, "ball");
    assert_int_equal(recording->axes, 3);
    assert_int_equal(recording->n_samples, 3);
    assert_true(recording->samples[0].time_s == 0.0);
    assert_true(recording->samples[1].time_s == 0.04);
    assert_true(recording->samples[2].time_s == 0.12);
    reader_near(recording->samples[0].position_m[2], 6.5 * 0.3048, 1e-15);
    reader_near(recording->samples[2].position_m[0], 12 * 0.3048, 1e-15);
    assert_int_equal(recording->samples[1].flight, 0);
    assert_int_equal(recording->samples[2].flight, 2);
    assert_true(reader_noted(recording, "1445991000.000 s since 1970"));
    reader_round_trip(recording);
}

static void test_sportvu_read_damage_is_named(void **state)
{
    (void)state;
    ArcCaptureSettings any = reader_settings();
    char cut[sizeof sound];
    memcpy(cut, sound, sizeof cut);
    cut[sizeof cut - 30] = '\0';
    reader_refused_text(any, cut, "not JSON");
    reader_refused_changed(any, sound, "1445991000040,", "\"1445991000040\",",
                           "events[0].moments[1] has no time");
    reader_refused_changed(any, sound, "[-1, -1, 11,", "[-1, -1, \"11,0\",",
                           "events[0].moments[1] has a ball without x, y and z");
    reader_refused_changed(any, sound, "[-1, -1, 11, 21, 7.5]", "[-1, -1, 11, 21]",
                           "has a ball without x, y and z");
    reader_refused_changed(any, sound, "null, [" PLAYER "]", "null",
                           "events[0].moments[2] has no list of positions");
    reader_refused_changed(any, sound, "\"events\"", "\"evnts\"", "no events with moments");
    reader_refused_changed(any, sound, "11, 21", "11e300, 21", "out of range");
}

static void test_sportvu_read_without_memory_says_so(void **state)
{
    (void)state;
    arc_recording_free(reader_read_text(reader_settings(), sound));
    reader_exhaust(reader_settings());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sportvu_read_events_are_flights_without_repeats),
        cmocka_unit_test(test_sportvu_read_damage_is_named),
        cmocka_unit_test(test_sportvu_read_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, reader_setup, reader_teardown);
}
