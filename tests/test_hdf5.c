/* HDF5: what is written reads back and is well formed, equal bytes, damaged and hostile files. */
#include "io/hdf5.h"

#include "base/file.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { BIG = 5000 };

static char folder[] = "/tmp/arcfit-test-hdf5-XXXXXX";
static char path[64], other[64];

static ArcStatus write_sample(const char *file_path)
{
    ArcHdf5 *file;
    ArcError err;
    static double big[BIG];
    for (int i = 0; i < BIG; i++)
        big[i] = i / 7;
    const char *names[] = {"x", "y"};
    const double matrix[] = {1, 2, 3, 4};
    const int lines[] = {2, -3};
    assert_int_equal(arc_hdf5_create(&file, &err), ARC_OK);
    arc_hdf5_put_count(file, "/", "seed", UINT64_MAX);
    arc_hdf5_put_text(file, "/", "text", "one\ntwo");
    arc_hdf5_put_number(file, "/a/b", "chi2", 2.5);
    arc_hdf5_write(file,
                   &(ArcHdf5Array){"/names", "text", ARC_HDF5_TEXT, 2, 0, names, {NULL, NULL}});
    arc_hdf5_write(
        file,
        &(ArcHdf5Array){"/a/b/matrix", "m", ARC_HDF5_REAL, 2, 2, matrix, {"/names", "/names"}});
    arc_hdf5_write(file,
                   &(ArcHdf5Array){"/lines", "1", ARC_HDF5_INTEGER, 2, 0, lines, {"/names", NULL}});
    arc_hdf5_write(file, &(ArcHdf5Array){"/big", "s", ARC_HDF5_REAL, BIG, 0, big, {NULL, NULL}});
    arc_hdf5_write(file, &(ArcHdf5Array){"/none", "s", ARC_HDF5_REAL, 0, 0, big, {NULL, NULL}});
    arc_hdf5_write(file,
                   &(ArcHdf5Array){"/empty", "m", ARC_HDF5_REAL, 0, 2, big, {"/none", "/names"}});
    ArcStatus status = arc_hdf5_save(file, file_path, &err);
    arc_hdf5_close(file);
    return status;
}

static void test_hdf5_save_sample_reads_back(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    ArcHdf5 *file;
    assert_int_equal(write_sample(path), ARC_OK);
    assert_true(arc_hdf5_is_file(path));
    assert_int_equal(arc_hdf5_open(path, arena, &file, NULL), ARC_OK);
    assert_true(arc_hdf5_count(file, "/", "seed") == UINT64_MAX);
    assert_string_equal(arc_hdf5_text(file, "/", "text"), "one\ntwo");
    assert_true(arc_hdf5_number(file, "/a/b", "chi2") == 2.5);
    assert_int_equal(arc_hdf5_rows(file, "/big"), BIG);
    assert_int_equal(arc_hdf5_rows(file, "/empty"), 0);
    double *big = arc_hdf5_reals(file, "/big", BIG, 0);
    double *matrix = arc_hdf5_reals(file, "/a/b/matrix", 2, 2);
    int *lines = arc_hdf5_integers(file, "/lines", 2);
    const char **names = arc_hdf5_texts(file, "/names", 2);
    assert_int_equal(arc_hdf5_status(file, NULL), ARC_OK);
    assert_true(big[BIG - 1] == (BIG - 1) / 7 && matrix[2] == 3 && lines[1] == -3);
    assert_string_equal(names[1], "y");
    assert_true(arc_hdf5_has(file, "/a/b") && !arc_hdf5_has(file, "/a/c/d"));
    arc_hdf5_close(file);
    arc_arena_free(arena);
}

static herr_t check_object(hid_t group, const char *name, const H5O_info_t *info, void *context)
{
    int *n = context;
    if (info->type != H5O_TYPE_DATASET)
        return 0;
    hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    assert_true(H5Aexists(dataset, "units") > 0);
    hid_t space = H5Dget_space(dataset);
    int rank = H5Sget_simple_extent_ndims(space);
    for (int i = 0; i < rank && H5DSis_scale(dataset) == 0; i++)
        assert_int_equal(H5DSget_num_scales(dataset, (unsigned)i), 1);
    if (strcmp(name, "big") == 0) {
        hid_t creation = H5Dget_create_plist(dataset);
        assert_int_equal(H5Pget_layout(creation), H5D_CHUNKED);
        assert_int_equal(H5Pget_nfilters(creation), 2);
        H5Pclose(creation);
    }
    H5Sclose(space);
    H5Dclose(dataset);
    (*n)++;
    return 0;
}

static void test_hdf5_write_every_array_has_units_and_scales(void **state)
{
    (void)state;
    int n = 0;
    assert_int_equal(write_sample(path), ARC_OK);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_true(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, check_object, &n) >= 0);
    assert_int_equal(n, 6);
    H5Fclose(file);
}

static char *read_whole(ArcArena *arena, const char *file_path, size_t *size)
{
    char *bytes;
    assert_int_equal(
        arc_file_read(file_path, (ArcPlace){NULL, 0, 0}, 1 << 24, arena, &bytes, size, NULL),
        ARC_OK);
    return bytes;
}

static void test_hdf5_save_twice_gives_equal_bytes(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    size_t n, m;
    assert_int_equal(write_sample(path), ARC_OK);
    usleep(1100000); /* a stored time would have changed */
    assert_int_equal(write_sample(other), ARC_OK);
    char *a = read_whole(arena, path, &n);
    char *b = read_whole(arena, other, &m);
    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
    arc_arena_free(arena);
}

/* Reads everything of the sample from such bytes; gives the status. */
static ArcStatus read_bytes(const char *bytes, size_t size, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcHdf5 *file;
    assert_int_equal(arc_file_replace(other, bytes, size, NULL), ARC_OK);
    ArcStatus status = arc_hdf5_open(other, arena, &file, err);
    if (status == ARC_OK) {
        arc_hdf5_reals(file, "/big", BIG, 0);
        arc_hdf5_reals(file, "/a/b/matrix", 2, 2);
        arc_hdf5_texts(file, "/names", 2);
        arc_hdf5_text(file, "/", "text");
        status = arc_hdf5_status(file, err);
        arc_hdf5_close(file);
    }
    arc_arena_free(arena);
    return status;
}

static void test_hdf5_open_damaged_gives_input(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    ArcError err;
    size_t size;
    char start[80];
    snprintf(start, sizeof start, "%s:1:1: error: ", other);
    assert_int_equal(write_sample(path), ARC_OK);
    char *bytes = read_whole(arena, path, &size);
    assert_int_equal(read_bytes(bytes, size, &err), ARC_OK);
    for (size_t i = 8; i < size - 24; i += 97) {
        bytes[i] ^= 0x5a;
        assert_int_equal(read_bytes(bytes, size, &err), ARC_INPUT);
        assert_memory_equal(err.text, start, strlen(start));
        bytes[i] ^= 0x5a;
    }
    for (size_t n = 0; n + 24 < size; n += 501)
        assert_int_equal(read_bytes(bytes, n, &err), ARC_INPUT);
    assert_int_equal(read_bytes("arcfit: 1\n", 10, &err), ARC_INPUT);
    assert_int_equal(read_bytes(bytes, size - 24, &err), ARC_INPUT); /* sound, but who knows */
    arc_arena_free(arena);
}

static void test_hdf5_read_wrong_shape_or_type_gives_input(void **state)
{
    (void)state;
    assert_int_equal(write_sample(path), ARC_OK);
    for (int i = 0; i < 9; i++) {
        ArcArena *arena = arc_arena_create();
        ArcHdf5 *file;
        ArcError err = {0};
        assert_int_equal(arc_hdf5_open(path, arena, &file, &err), ARC_OK);
        switch (i) {
        case 0:
            assert_null(arc_hdf5_reals(file, "/big", BIG - 1, 0));
            break;
        case 1:
            assert_null(arc_hdf5_reals(file, "/a/b/matrix", 4, 0));
            break;
        case 2:
            assert_null(arc_hdf5_texts(file, "/lines", 2));
            break;
        case 3:
            assert_null(arc_hdf5_integers(file, "/names", 2));
            break;
        case 4:
            assert_null(arc_hdf5_reals(file, "/a/b", 2, 0));
            break;
        case 5:
            assert_true(arc_hdf5_count(file, "/", "text") == 0);
            break;
        case 6:
            assert_string_equal(arc_hdf5_text(file, "/nowhere", "text"), "");
            break;
        case 7:
            assert_int_equal(arc_hdf5_rows(file, "/a"), 0);
            break;
        default:
            arc_hdf5_refuse(file, "schema %d", 7);
            break;
        }
        assert_false(arc_hdf5_is_good(file));
        assert_int_equal(arc_hdf5_status(file, &err), ARC_INPUT);
        assert_non_null(strstr(err.text, ":1:1: error: "));
        arc_hdf5_close(file);
        arc_arena_free(arena);
    }
}

static void test_hdf5_save_over_folder_gives_system(void **state)
{
    (void)state;
    assert_int_equal(write_sample(folder), ARC_SYSTEM);
    assert_false(arc_hdf5_is_file(folder));
}

static void test_hdf5_version_names_library(void **state)
{
    (void)state;
    char version[32];
    assert_non_null(strchr(arc_hdf5_version(version), '.'));
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/a.h5", folder);
    snprintf(other, sizeof other, "%s/b.h5", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    unlink(other);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hdf5_save_sample_reads_back),
        cmocka_unit_test(test_hdf5_write_every_array_has_units_and_scales),
        cmocka_unit_test(test_hdf5_save_twice_gives_equal_bytes),
        cmocka_unit_test(test_hdf5_open_damaged_gives_input),
        cmocka_unit_test(test_hdf5_read_wrong_shape_or_type_gives_input),
        cmocka_unit_test(test_hdf5_save_over_folder_gives_system),
        cmocka_unit_test(test_hdf5_version_names_library),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
