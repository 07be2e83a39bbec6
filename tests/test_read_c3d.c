/* C3D files, written here byte by byte in all byte orders. */
#include "reader_case.h"

enum { BLOCK = 512, INTEL = 84, DEC = 85, SGI = 86, MOST = 1 << 16 };

/* A file while it is made. */
typedef struct Maker {
    unsigned char bytes[MOST];
    size_t size;
    int processor;
    bool is_float, is_nan_missing, is_long;
    int n_frames;
} Maker;

static void put_word(Maker *maker, size_t at, unsigned value)
{
    bool is_big = maker->processor == SGI;
    maker->bytes[at + (is_big ? 1 : 0)] = (unsigned char)value;
    maker->bytes[at + (is_big ? 0 : 1)] = (unsigned char)(value >> 8);
}

static void put_float(Maker *maker, size_t at, float value)
{
    static const int order[3][4] = {{0, 1, 2, 3}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    float stored = maker->processor == DEC ? value * 4.0f : value;
    uint32_t bits;
    memcpy(&bits, &stored, sizeof bits);
    for (int i = 0; i < 4; i++)
        maker->bytes[at + (size_t)order[maker->processor - INTEL][i]] =
            (unsigned char)(bits >> 8 * i);
}

/* A group (id < 0) or a parameter, whose data were put behind its head of size bytes. */
static void put_entry(Maker *maker, int id, const char *name, const unsigned char *body,
                      size_t size)
{
    size_t at = maker->size, length = strlen(name);
    maker->bytes[at] = (unsigned char)length;
    maker->bytes[at + 1] = (unsigned char)id;
    memcpy(maker->bytes + at + 2, name, length);
    put_word(maker, at + 2 + length, (unsigned)(2 + size + 1));
    memcpy(maker->bytes + at + 4 + length, body, size);
    maker->size = at + 4 + length + size + 1; /* an empty description */
}

static void put_group(Maker *maker, int id, const char *name)
{
    put_entry(maker, -id, name, (const unsigned char *)"", 0);
}

static void put_text(Maker *maker, int id, const char *name, int width, int n, const char *text)
{
    unsigned char body[300] = {0xff, 2, (unsigned char)width, (unsigned char)n};
    memcpy(body + 4, text, (size_t)(width * n));
    put_entry(maker, id, name, body, 4 + (size_t)(width * n));
}

static void put_number(Maker *maker, int id, const char *name, float value)
{
    size_t behind = maker->size + 4 + strlen(name) + 2;
    put_entry(maker, id, name, (const unsigned char[]){4, 0, 0, 0, 0, 0}, 6);
    put_float(maker, behind, value);
}

static void put_words(Maker *maker, int id, const char *name, unsigned low, unsigned high)
{
    size_t behind = maker->size + 4 + strlen(name) + 3;
    put_entry(maker, id, name, (const unsigned char[]){2, 1, 2, 0, 0, 0, 0}, 7);
    put_word(maker, behind, low);
    put_word(maker, behind + 2, high);
}

/* In mm, exact in both forms. */
static double truth(int frame, int axis)
{
    return axis == 0 ? 10.0 * frame : axis == 1 ? -250.5 : 1000.0 + 7.5 * frame;
}

static void put_point(Maker *maker, size_t at, int frame, bool is_missing)
{
    size_t width = maker->is_float ? 4 : 2;
    for (int k = 0; k < 3; k++) {
        double value = is_missing ? maker->is_nan_missing ? (double)NAN : 0.0 : truth(frame, k);
        if (maker->is_float)
            put_float(maker, at + width * (size_t)k, (float)value);
        else
            put_word(maker, at + width * (size_t)k, (unsigned)(int)(value / 0.5));
    }
    if (maker->is_float)
        put_float(maker, at + 3 * width, is_missing && !maker->is_nan_missing ? -1.0f : 3.0f);
    else
        put_word(maker, at + 3 * width, is_missing ? 0xffff : 0x0102);
}

/* A marker that lacks frame 2 and another that is never seen, two analog numbers a frame, frames
 * from 11 on at 200 Hz. */
static void make(Maker *maker)
{
    size_t width = maker->is_float ? 4 : 2, frame = (2 * 4 + 2) * width;
    memset(maker->bytes, 0, sizeof maker->bytes);
    unsigned last = maker->is_long ? 65535 : (unsigned)(10 + maker->n_frames);
    maker->bytes[0] = 2;
    maker->bytes[1] = 0x50;
    put_word(maker, 2, 2);
    put_word(maker, 4, 2);
    put_word(maker, 6, 11);
    put_word(maker, 8, last);
    put_float(maker, 12, maker->is_float ? -0.5f : 0.5f);
    put_word(maker, 16, 4);
    put_float(maker, 20, 200.0f);
    maker->bytes[BLOCK + 2] = 2;
    maker->bytes[BLOCK + 3] = (unsigned char)maker->processor;
    maker->size = BLOCK + 4;
    put_group(maker, 1, "POINT");
    put_text(maker, 1, "LABELS", 6, 2, "ball  other ");
    put_text(maker, 1, "UNITS", 2, 1, "mm");
    put_number(maker, 1, "RATE", 200.0f);
    put_number(maker, 1, "SCALE", maker->is_float ? -0.5f : 0.5f);
    if (maker->is_long) {
        put_group(maker, 2, "TRIAL");
        put_words(maker, 2, "ACTUAL_START_FIELD", 11, 0);
        put_words(maker, 2, "ACTUAL_END_FIELD", (unsigned)(10 + maker->n_frames), 0);
    }
    maker->size = 3 * BLOCK;
    for (int i = 0; i < maker->n_frames; i++, maker->size += frame) {
        put_point(maker, maker->size, i, i == 2);
        put_point(maker, maker->size + 4 * width, i, true);
    }
}

static void assert_flight(ArcRecording *recording, int n_frames)
{
    assert_string_equal(recording->format, "c3d");
    assert_string_equal(recording->track, "ball");
    assert_int_equal(recording->axes, 3);
    assert_int_equal(recording->n_samples, n_frames - 1);
    assert_true(recording->rate_per_s == 200.0);
    for (int i = 0; i < recording->n_samples; i++) {
        const ArcSample *sample = &recording->samples[i];
        int frame = i < 2 ? i : i + 1;
        assert_true(sample->frame == 10.0 + frame);
        assert_true(sample->time_s == sample->frame / 200.0);
        for (int k = 0; k < 3; k++)
            reader_near(sample->position_m[k], truth(frame, k) / 1000.0, 1e-15);
    }
    reader_round_trip(recording);
}

static void test_c3d_read_all_byte_orders_and_forms_are_one_flight(void **state)
{
    (void)state;
    static Maker maker;
    for (int variant = 0; variant < 24; variant++) {
        maker = (Maker){.processor = INTEL + variant % 3,
                        .is_float = variant / 3 % 2 == 0,
                        .is_nan_missing = variant / 6 % 2 == 0,
                        .is_long = variant / 12 == 0,
                        .n_frames = 9};
        if (maker.is_nan_missing && (!maker.is_float || maker.processor == DEC))
            continue; /* words and DEC's floats have no NaN */
        make(&maker);
        assert_flight(reader_read(reader_settings(), maker.bytes, maker.size), 9);
    }
}

static void test_c3d_read_rate_of_the_settings_wins(void **state)
{
    (void)state;
    static Maker maker;
    maker = (Maker){.processor = INTEL, .is_float = true, .n_frames = 4};
    ArcCaptureSettings settings = reader_settings();
    settings.rate_per_s = 100.0;
    make(&maker);
    ArcRecording *recording = reader_read(settings, maker.bytes, maker.size);
    assert_true(recording->samples[1].time_s == 0.11);
    arc_recording_free(recording);
}

/* Where the name of a parameter stands. */
static size_t find(const Maker *maker, const char *name)
{
    const unsigned char *found = memmem(maker->bytes, maker->size, name, strlen(name));
    assert_non_null(found);
    return (size_t)(found - maker->bytes);
}

static void test_c3d_read_missing_parameters_are_done_without(void **state)
{
    (void)state;
    static Maker maker;
    maker = (Maker){.processor = INTEL, .is_float = true, .n_frames = 4};
    ArcCaptureSettings settings = reader_settings();
    make(&maker);
    maker.bytes[find(&maker, "LABELS")] = 'Q';
    maker.bytes[find(&maker, "UNITS")] = 'Q';
    maker.bytes[find(&maker, "RATE")] = 'Q';
    ArcRecording *recording = reader_read(settings, maker.bytes, maker.size);
    assert_string_equal(recording->track, "point 1");
    assert_true(recording->rate_per_s == 200.0);
    assert_true(reader_noted(recording, "taken as metres"));
    assert_true(recording->samples[0].position_m[2] == 1000.0);
    arc_recording_free(recording);
}

static void test_c3d_read_damage_is_named(void **state)
{
    (void)state;
    static Maker sound, maker;
    ArcCaptureSettings any = reader_settings();
    sound = (Maker){.processor = INTEL, .is_float = true, .n_frames = 9};
    make(&sound);
    reader_refused(any, sound.bytes, sound.size - 8, "of 9 frames of 2 points and holds 8");
    reader_refused(any, sound.bytes, 700, "parameters lie behind its end");
    maker = sound;
    maker.bytes[BLOCK + 3] = 90;
    reader_refused(any, maker.bytes, maker.size, "byte order is not known");
    maker = sound;
    maker.bytes[BLOCK + 3] = SGI; /* its numbers are Intel's */
    reader_refused(any, maker.bytes, maker.size, "damaged C3D file");
    maker = sound;
    maker.bytes[0] = 200;
    reader_refused(any, maker.bytes, maker.size, "parameters lie behind its end");
    maker = sound;
    put_word(&maker, 2, 0);
    reader_refused(any, maker.bytes, maker.size, "holds no points");
    maker = sound;
    put_word(&maker, 2, 60000);
    reader_refused(any, maker.bytes, maker.size, "more than 10,000 points");
    maker = sound;
    put_word(&maker, 8, 3);
    reader_refused(any, maker.bytes, maker.size, "last frame comes before its first");
    maker = sound;
    put_word(&maker, 8, 65000);
    reader_refused(any, maker.bytes, maker.size, "it is cut short");
    maker = sound;
    put_word(&maker, 16, 0);
    reader_refused(any, maker.bytes, maker.size, "where its points begin");
    maker = sound;
    put_float(&maker, find(&maker, "SCALE") + 9, 0.0f);
    reader_refused(any, maker.bytes, maker.size, "scale is zero");
    maker = sound;
    put_float(&maker, 3 * BLOCK, INFINITY);
    reader_refused(any, maker.bytes, maker.size, "out of range");
}

/* Whatever a byte of the head is, the reader comes to an end and says what is wrong. */
static void test_c3d_read_any_byte_of_the_head_may_be_wrong(void **state)
{
    (void)state;
    static Maker sound, maker;
    static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
    sound = (Maker){.processor = INTEL, .is_float = true, .is_long = true, .n_frames = 9};
    make(&sound);
    for (size_t i = 0; i < BLOCK + 260; i++) {
        for (size_t k = 0; k < sizeof values; k++) {
            ArcCaptureSettings any = reader_settings();
            ArcRecording *recording = NULL;
            ArcError err = {ARC_OK, ""};
            maker = sound;
            maker.bytes[i] = values[k];
            any.format = "c3d";
            assert_int_equal(arc_file_replace(reader_file, maker.bytes, maker.size, NULL), ARC_OK);
            ArcStatus status = arc_recording_read(&any, &recording, &err);
            assert_true(status == ARC_OK || status == ARC_INPUT);
            arc_recording_free(recording);
            if (i >= 24 && i < BLOCK)
                break; /* bytes that nobody looks at */
        }
    }
}

static void test_c3d_read_without_memory_says_so(void **state)
{
    (void)state;
    static Maker maker;
    maker = (Maker){.processor = INTEL, .is_float = true, .n_frames = 200};
    make(&maker);
    arc_recording_free(reader_read(reader_settings(), maker.bytes, maker.size));
    reader_exhaust(reader_settings());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_c3d_read_all_byte_orders_and_forms_are_one_flight),
        cmocka_unit_test(test_c3d_read_rate_of_the_settings_wins),
        cmocka_unit_test(test_c3d_read_missing_parameters_are_done_without),
        cmocka_unit_test(test_c3d_read_damage_is_named),
        cmocka_unit_test(test_c3d_read_any_byte_of_the_head_may_be_wrong),
        cmocka_unit_test(test_c3d_read_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, reader_setup, reader_teardown);
}
