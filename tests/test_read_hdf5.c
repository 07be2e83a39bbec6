/* HDF5 files of other programs and of arcfit, as captures. */
#include "reader_case.h"
#include "shared_folder.h"

#include <hdf5.h>

enum { N = 5, BIG = 3000 };

static const double times_s[N] = {0.0, 0.005, 0.0125, 0.015, 0.02};

static hid_t begin(void)
{
    hid_t file = H5Fcreate(reader_file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

/* An array with its groups made, of units where they are not NULL. */
static void put(hid_t file, const char *path, hid_t type, int rank, const hsize_t *sizes,
                const void *data, const char *units)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    if (sizes[0] == BIG) {
        const hsize_t chunk[2] = {500, 3};
        H5Pset_chunk(creation, rank, chunk);
        H5Pset_shuffle(creation);
        H5Pset_deflate(creation, 6);
    }
    hid_t space = H5Screate_simple(rank, sizes, NULL);
    hid_t dataset = H5Dcreate2(file, path, type, space, links, creation, H5P_DEFAULT);
    assert_true(dataset >= 0);
    assert_true(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    if (units != NULL) {
        hid_t text = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
        H5Tset_size(text, strlen(units) + 1);
        hid_t attribute = H5Acreate2(dataset, "units", text, one, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Awrite(attribute, text, units) >= 0);
        H5Aclose(attribute);
        H5Sclose(one);
        H5Tclose(text);
    }
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(creation);
    H5Pclose(links);
}

static void put_reals(hid_t file, const char *path, int rank, hsize_t rows, hsize_t columns,
                      const double *data, const char *units)
{
    put(file, path, H5T_NATIVE_DOUBLE, rank, (const hsize_t[]){rows, columns}, data, units);
}

/* Value k of point i. */
static double truth(int i, int k)
{
    return k + 0.25 * i;
}

static void fill(double *plain, double *turned, int n)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            plain[3 * i + k] = truth(i, k);
            turned[k * n + i] = truth(i, k);
        }
    }
}

static void assert_flight(const ArcRecording *recording, double length_m)
{
    assert_string_equal(recording->format, "hdf5");
    assert_int_equal(recording->axes, 3);
    assert_int_equal(recording->n_samples, N);
    for (int i = 0; i < N; i++) {
        reader_near(recording->samples[i].time_s, times_s[i], 1e-15);
        for (int k = 0; k < 3; k++)
            reader_near(recording->samples[i].position_m[k], truth(i, k) * length_m, 1e-15);
    }
}

static void test_hdf5_read_groups_are_tracks(void **state)
{
    (void)state;
    double plain[3 * N], turned[3 * N];
    const double times_ms[N] = {0, 5, 12.5, 15, 20};
    ArcCaptureSettings settings = reader_settings();
    fill(plain, turned, N);
    hid_t file = begin();
    put_reals(file, "/throws/0/time_stamps", 1, N, 0, times_s, NULL);
    put_reals(file, "/throws/0/positions", 2, N, 3, plain, NULL);
    put_reals(file, "/throws/0/launch_param", 1, N, 0, times_s, NULL);
    put_reals(file, "/throws/10/t", 2, 1, N, times_ms, "ms");
    put_reals(file, "/throws/10/xyz", 2, 3, N, turned, "mm");
    assert_true(H5Fclose(file) >= 0);
    ArcRecording *recording = NULL;
    ArcError err;
    assert_int_equal(arc_recording_read(&settings, &recording, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "2 tracks in"));
    assert_non_null(strstr(err.text, "throws/0, throws/10; choose one"));
    settings.track = "throws/0";
    recording = reader_read_file(settings);
    assert_flight(recording, 1.0);
    assert_true(reader_noted(recording, "'/throws/0/time_stamps' are taken as seconds"));
    assert_true(reader_noted(recording, "positions are taken as metres"));
    reader_round_trip(recording);
    settings.track = "throws/10";
    recording = reader_read_file(settings);
    assert_flight(recording, 0.001);
    assert_int_equal(recording->n_notes, 0);
    arc_recording_free(recording);
    settings.track = "throws/11";
    assert_int_equal(arc_recording_read(&settings, &recording, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "no track 'throws/11'"));
    assert_non_null(strstr(err.text, "its tracks are: throws/0, throws/10"));
}

static void test_hdf5_read_arrays_can_be_named(void **state)
{
    (void)state;
    double plain[3 * N], turned[3 * N];
    ArcCaptureSettings settings = reader_settings();
    fill(plain, turned, N);
    hid_t file = begin();
    put_reals(file, "/a/when", 1, N, 0, times_s, "s");
    put_reals(file, "/b/where", 2, N, 3, plain, "m");
    for (int k = 0; k < 3; k++)
        put_reals(file, (const char *const[]){"/c/p", "/c/q", "/c/r"}[k], 1, N, 0, turned + k * N,
                  "m");
    assert_true(H5Fclose(file) >= 0);
    settings.n_columns = 2;
    settings.columns[0] = (ArcColumnChoice){"t", "/a/when", NULL, {"e.yaml", 4, 5}};
    settings.columns[1] = (ArcColumnChoice){"x", "b/where", NULL, {"e.yaml", 5, 5}};
    ArcRecording *recording = reader_read_file(settings);
    assert_flight(recording, 1.0);
    arc_recording_free(recording);
    settings.n_columns = 4;
    settings.columns[1].column = "/c/p";
    settings.columns[2] = (ArcColumnChoice){"y", "/c/q", NULL, {"e.yaml", 6, 5}};
    settings.columns[3] = (ArcColumnChoice){"z", "/c/r", NULL, {"e.yaml", 7, 5}};
    recording = reader_read_file(settings);
    assert_flight(recording, 1.0);
    arc_recording_free(recording);
    settings.columns[2].column = "/c/s";
    ArcError err;
    assert_int_equal(arc_recording_read(&settings, &recording, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "e.yaml:6:5: error: no array of numbers '/c/s'"));
    settings.n_columns = 2;
    assert_int_equal(arc_recording_read(&settings, &recording, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "'/c/p' holds no positions"));
}

static void test_hdf5_read_big_stamps_lose_no_digit(void **state)
{
    (void)state;
    static double positions[3 * BIG];
    static int64_t stamps[BIG];
    hid_t file = begin();
    for (int i = 0; i < BIG; i++) {
        stamps[i] = 1764550000123456789 + 5555555ll * i;
        for (int k = 0; k < 3; k++)
            positions[3 * i + k] = truth(i, k);
    }
    put(file, "/time", H5T_STD_I64LE, 1, (const hsize_t[]){BIG}, stamps, NULL);
    put_reals(file, "/position", 2, BIG, 3, positions, "m");
    assert_true(H5Fclose(file) >= 0);
    ArcRecording *recording = reader_read_file(reader_settings());
    assert_string_equal(recording->track, "/");
    assert_int_equal(recording->n_samples, BIG);
    for (int i = 0; i < BIG; i++) {
        reader_near(recording->samples[i].time_s, 5555555e-9 * i, 1e-12);
        assert_true(recording->samples[i].position_m[2] == truth(i, 2));
    }
    assert_true(reader_noted(recording, "are taken as nanoseconds"));
    assert_true(reader_noted(recording, "counted from its first"));
    arc_recording_free(recording);
}

static void test_hdf5_read_frames_serve_where_a_rate_is_given(void **state)
{
    (void)state;
    double plain[3 * N], turned[3 * N];
    ArcCaptureSettings settings = reader_settings();
    fill(plain, turned, N);
    hid_t file = begin();
    put_reals(file, "/points", 2, N, 3, plain, "cm");
    assert_true(H5Fclose(file) >= 0);
    settings.rate_per_s = 50.0;
    ArcRecording *recording = reader_read_file(settings);
    assert_true(recording->samples[4].time_s == 0.08);
    reader_near(recording->samples[4].position_m[0], 0.01, 1e-15);
    arc_recording_free(recording);
}

/* The bytes of the file that stands there. */
static size_t file_bytes(char *bytes, size_t room)
{
    FILE *stream = fopen(reader_file, "rb");
    assert_non_null(stream);
    size_t size = fread(bytes, 1, room, stream);
    fclose(stream);
    assert_true(size > 0 && size < room);
    return size;
}

static void test_hdf5_read_damage_is_named(void **state)
{
    (void)state;
    static char bytes[65536];
    double plain[3 * N], turned[3 * N];
    ArcCaptureSettings any = reader_settings();
    fill(plain, turned, N);
    hid_t file = begin();
    put_reals(file, "/a/time", 1, N, 0, times_s, "s");
    put_reals(file, "/a/position", 2, N, 3, plain, "m");
    assert_true(H5Fclose(file) >= 0);
    size_t size = file_bytes(bytes, sizeof bytes);
    reader_refused(any, bytes, 40, "no HDF5 file, cut short");
    reader_refused(any, bytes, size / 2, "capture:1:1: error:");
    memcpy(bytes, "MATLAB 5.0 MAT-file, Platform", 29);
    reader_refused(any, bytes, size, "MATLAB file of version 5 or 7; save it as CSV");
    file = begin();
    put_reals(file, "/a/time", 1, N - 1, 0, times_s, "s");
    put_reals(file, "/a/position", 2, N, 3, plain, "m");
    assert_true(H5Fclose(file) >= 0);
    size = file_bytes(bytes, sizeof bytes);
    reader_refused(any, bytes, size, "'/a/time' has 4 times and 5 positions");
    file = begin();
    put_reals(file, "/a/time", 1, N, 0, times_s, "s");
    put_reals(file, "/a/velocity", 2, N, 3, plain, "m/s");
    assert_true(H5Fclose(file) >= 0);
    size = file_bytes(bytes, sizeof bytes);
    reader_refused(any, bytes, size, "no group with arrays of times and positions among 2");
    file = begin();
    put_reals(file, "/a/time", 1, N, 0, (const double[N]){NAN, NAN, NAN, NAN, NAN}, "s");
    put_reals(file, "/a/position", 2, N, 3, plain, "m");
    assert_true(H5Fclose(file) >= 0);
    size = file_bytes(bytes, sizeof bytes);
    reader_refused(any, bytes, size, "sample 1 has no time and no frame");
    plain[4] = INFINITY;
    file = begin();
    put_reals(file, "/a/time", 1, N, 0, times_s, "s");
    put_reals(file, "/a/position", 2, N, 3, plain, "m");
    assert_true(H5Fclose(file) >= 0);
    size = file_bytes(bytes, sizeof bytes);
    reader_refused(any, bytes, size, "out of range");
}

/* Whatever a byte is, the reader comes to an end and says what is wrong. */
static void test_hdf5_read_any_byte_may_be_wrong(void **state)
{
    (void)state;
    static char sound[65536], bytes[65536];
    double plain[3 * N], turned[3 * N];
    fill(plain, turned, N);
    hid_t file = begin();
    put_reals(file, "/a/time", 1, N, 0, times_s, "s");
    put_reals(file, "/a/position", 2, N, 3, plain, "m");
    assert_true(H5Fclose(file) >= 0);
    size_t size = file_bytes(sound, sizeof sound);
    for (size_t i = 8; i < size; i += 3) {
        ArcCaptureSettings any = reader_settings();
        ArcRecording *recording = NULL;
        ArcError err = {ARC_OK, ""};
        memcpy(bytes, sound, size);
        bytes[i] = (char)(bytes[i] ^ (i % 2 == 0 ? 0xff : 0x10));
        assert_int_equal(arc_file_replace(reader_file, bytes, size, NULL), ARC_OK);
        ArcStatus status = arc_recording_read(&any, &recording, &err);
        assert_true(status == ARC_OK || status == ARC_INPUT);
        arc_recording_free(recording);
    }
}

static void test_hdf5_read_launcher_file_reads_as_it_stands(void **state)
{
    (void)state;
    char path[1024], csv[1024], line[200];
    ArcCaptureSettings settings = reader_settings();
    shared_path(path, "data/table-tennis-launcher/mn5008_backspin.hdf5");
    settings.file = path;
    settings.track = "originals/0";
    ArcRecording *recording = reader_read_file(settings);
    assert_int_equal(recording->axes, 3);
    assert_int_equal(recording->n_samples, 110);
    /* The same flight was cut before its bounce and written as text. */
    FILE *stream = fopen(shared_path(csv, "data/table-tennis-launcher/backspin_00.csv"), "r");
    assert_non_null(stream);
    int n = 0;
    while (fgets(line, sizeof line, stream) != NULL) {
        double t, x[3];
        if (sscanf(line, "%lf,%lf,%lf,%lf", &t, &x[0], &x[1], &x[2]) != 4)
            continue;
        reader_near(recording->samples[n].time_s, t, 0.5000001e-5);
        for (int k = 0; k < 3; k++)
            reader_near(recording->samples[n].position_m[k], x[k], 0.5000001e-5);
        n++;
    }
    fclose(stream);
    assert_true(n > 20);
    reader_round_trip(recording);
}

static void test_hdf5_read_without_memory_says_so(void **state)
{
    (void)state;
    static double positions[3 * BIG], times[BIG];
    for (int i = 0; i < BIG; i++) {
        times[i] = 0.01 * i;
        for (int k = 0; k < 3; k++)
            positions[3 * i + k] = truth(i, k);
    }
    hid_t file = begin();
    put_reals(file, "/t", 1, BIG, 0, times, "s");
    put_reals(file, "/xyz", 2, BIG, 3, positions, "m");
    assert_true(H5Fclose(file) >= 0);
    reader_exhaust(reader_settings());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hdf5_read_groups_are_tracks),
        cmocka_unit_test(test_hdf5_read_arrays_can_be_named),
        cmocka_unit_test(test_hdf5_read_big_stamps_lose_no_digit),
        cmocka_unit_test(test_hdf5_read_frames_serve_where_a_rate_is_given),
        cmocka_unit_test(test_hdf5_read_damage_is_named),
        cmocka_unit_test(test_hdf5_read_any_byte_may_be_wrong),
        cmocka_unit_test(test_hdf5_read_launcher_file_reads_as_it_stands),
        cmocka_unit_test(test_hdf5_read_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, reader_setup, reader_teardown);
}
