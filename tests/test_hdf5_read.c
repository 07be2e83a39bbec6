/* HDF5 files of other programs, made here by the HDF5 library in the many ways it can: they read as
 * the library has them, or are refused with a reason; spoilt files end in one or the other. */
#include "hdf5_case.h"

#include "base/file.h"
#include "base/random.h"
#include "shared_folder.h"

#include <hdf5.h>
#include <math.h>
#include <string.h>

enum { MOST_ELEMENTS = 4000, MOST_RANK = 3 };
enum {
    SHUFFLE = 1,
    DEFLATE = 2,
    FLETCHER = 4,
    COMPACT = 8,
    LATEST = 16,
    PART = 32,
    USER_BLOCK = 64
};

typedef struct Form {
    const char *name;
    int type; /* index into stored_type */
    int rank;
    hsize_t sizes[MOST_RANK];
    hsize_t chunk[MOST_RANK]; /* of 0: none */
    int flags;
} Form;

static hid_t stored_type(int i)
{
    const hid_t types[] = {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE,
                           H5T_STD_I32LE,  H5T_STD_U8LE,   H5T_STD_I8LE,   H5T_STD_I16BE,
                           H5T_STD_U64LE,  H5T_STD_I64BE,  H5T_STD_U16LE};
    return types[i];
}

static const Form forms[] = {
    {"doubles", 0, 1, {7}, {0}, 0},
    {"floats", 1, 2, {5, 3}, {0}, 0},
    {"big-endian", 2, 1, {4}, {0}, 0},
    {"big-endian floats", 3, 1, {4}, {0}, COMPACT},
    {"integers", 4, 1, {9}, {0}, 0},
    {"bytes", 5, 3, {2, 3, 4}, {0}, 0},
    {"signed bytes", 6, 1, {9}, {0}, COMPACT},
    {"big-endian shorts", 7, 1, {9}, {4}, 0},
    {"longs", 8, 1, {9}, {0}, 0},
    {"big-endian longs", 9, 1, {9}, {0}, 0},
    {"scalar", 0, 0, {0}, {0}, 0},
    {"nothing", 0, 1, {0}, {0}, 0},
    {"chunks", 0, 1, {100}, {7}, 0},
    {"chunks of rows", 0, 2, {11, 5}, {4, 5}, DEFLATE},
    {"chunks of both", 1, 2, {11, 5}, {4, 3}, SHUFFLE | DEFLATE},
    {"chunks of three", 4, 3, {5, 6, 7}, {2, 4, 3}, SHUFFLE | DEFLATE | FLETCHER},
    {"chunks summed", 0, 1, {50}, {8}, FLETCHER},
    {"a chunk too large", 0, 2, {3, 3}, {16, 16}, DEFLATE},
    {"many chunks", 0, 1, {4000}, {9}, DEFLATE},
    {"half written", 0, 2, {11, 5}, {4, 3}, DEFLATE | PART},
    {"never written", 0, 1, {11}, {0}, PART},
    {"user's block", 0, 1, {11}, {3}, USER_BLOCK},
    {"latest", 0, 1, {7}, {0}, LATEST},
    {"latest compact", 4, 2, {2, 3}, {0}, LATEST | COMPACT},
};

enum { N_FORMS = sizeof forms / sizeof forms[0] };

static char folder[] = "/tmp/arcfit-test-hdf5-read-XXXXXX";
static char path[64];

static size_t count_of(const Form *form)
{
    size_t n = 1;
    for (int i = 0; i < form->rank; i++)
        n *= form->sizes[i];
    return n;
}

static hid_t create_file(int flags)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
    if (flags & LATEST)
        assert_true(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0);
    if (flags & USER_BLOCK)
        assert_true(H5Pset_userblock(creation, 1024) >= 0);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    assert_true(file >= 0);
    H5Pclose(access);
    H5Pclose(creation);
    return file;
}

/* The array at `name`, of values 0, 1, 2, ...; of a part only the first row is written, and the
 * rest is filled with 42. */
static void write_form(hid_t file, const char *name, const Form *form)
{
    static double values[MOST_ELEMENTS];
    const double fill = 42;
    for (int i = 0; i < MOST_ELEMENTS; i++)
        values[i] = i % 100;
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t any[MOST_RANK] = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED};
    hid_t space = H5Screate_simple(form->rank, form->sizes, form->chunk[0] > 0 ? any : NULL);
    hid_t part = H5Scopy(space);
    H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &fill);
    if (form->chunk[0] > 0)
        assert_true(H5Pset_chunk(creation, form->rank, form->chunk) >= 0);
    if (form->flags & SHUFFLE)
        H5Pset_shuffle(creation);
    if (form->flags & DEFLATE)
        H5Pset_deflate(creation, 6);
    if (form->flags & FLETCHER)
        H5Pset_fletcher32(creation);
    if (form->flags & COMPACT)
        H5Pset_layout(creation, H5D_COMPACT);
    hid_t array =
        H5Dcreate2(file, name, stored_type(form->type), space, H5P_DEFAULT, creation, H5P_DEFAULT);
    assert_true(array >= 0);
    const hsize_t start[MOST_RANK] = {0}, first[MOST_RANK] = {1, form->sizes[1], form->sizes[2]};
    if (form->flags & PART)
        H5Sselect_hyperslab(part, H5S_SELECT_SET, start, NULL, first, NULL);
    if (!(form->flags & PART) || form->rank > 1)
        assert_true(H5Dwrite(array, H5T_NATIVE_DOUBLE, part, part, H5P_DEFAULT, values) >= 0);
    H5Sclose(part);
    H5Sclose(space);
    H5Pclose(creation);
    H5Dclose(array);
}

/* What the library has at `name` of the file at path. */
static void read_by_library(const char *name, double *values)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t array = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(H5Dread(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(array);
    H5Fclose(file);
}

static ArcHdf5 *open_here(ArcArena *arena)
{
    char *bytes;
    size_t size;
    ArcError err;
    ArcHdf5 *file = NULL;
    assert_int_equal(
        arc_file_read(path, (ArcPlace){NULL, 0, 0}, 1 << 24, arena, &bytes, &size, &err), ARC_OK);
    if (arc_hdf5_open_bytes("a.h5", bytes, size, arena, &file, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return file;
}

static void test_hdf5_numbers_of_every_form_are_the_librarys(void **state)
{
    (void)state;
    static double wanted[MOST_ELEMENTS];
    for (int i = 0; i < N_FORMS; i++) {
        const Form *form = &forms[i];
        ArcArena *arena = arc_arena_create();
        hid_t made = create_file(form->flags);
        write_form(made, "a", form);
        H5Fclose(made);
        read_by_library("a", wanted);
        ArcHdf5 *file = open_here(arena);
        ArcHdf5Data array;
        const char *reason;
        size_t n = 0;
        assert_true(hdf5_array(file, "/a", &array));
        assert_int_equal(array.space.rank, form->rank);
        for (int k = 0; k < form->rank; k++)
            assert_int_equal(array.space.sizes[k], form->sizes[k]);
        double *values = hdf5_numbers(file, "/a", &n, &reason);
        if (values == NULL) {
            fail_msg("%s: %s", form->name, reason);
            return;
        }
        assert_int_equal(n, count_of(form));
        for (size_t k = 0; k < n; k++)
            if (values[k] != wanted[k])
                fail_msg("%s: element %zu is %g, not %g", form->name, k, values[k], wanted[k]);
        arc_hdf5_close(file);
        arc_arena_free(arena);
    }
}

static void assert_numbers_refused(const char *words)
{
    ArcArena *arena = arc_arena_create();
    ArcHdf5 *file = open_here(arena);
    const char *reason;
    size_t n;
    assert_null(hdf5_numbers(file, "/a", &n, &reason));
    if (strstr(reason, words) == NULL)
        fail_msg("'%s' is not in: %s", words, reason);
    arc_hdf5_close(file);
    arc_arena_free(arena);
}

/* An array of such a type; the file is closed, and the type with it. */
static void make_array(hid_t type, hid_t creation, hid_t file)
{
    const hsize_t size = 20;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t array = H5Dcreate2(file, "a", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const double values[20] = {0};
    assert_true(array >= 0);
    if (H5Tget_class(type) == H5T_FLOAT && creation != H5P_DEFAULT)
        H5Dwrite(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(array);
    H5Sclose(space);
    H5Tclose(type);
    H5Fclose(file);
}

static void test_hdf5_numbers_of_forms_that_are_not_read_are_refused(void **state)
{
    (void)state;
    hid_t pair = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(pair, "x", 0, H5T_IEEE_F64LE);
    H5Tinsert(pair, "y", 8, H5T_IEEE_F64LE);
    make_array(pair, H5P_DEFAULT, create_file(0));
    assert_numbers_refused("no array of numbers");
    make_array(H5Tcopy(H5T_C_S1), H5P_DEFAULT, create_file(0));
    assert_numbers_refused("no array of numbers");
    hid_t file = create_file(0), committed = H5Tcopy(H5T_IEEE_F64LE);
    assert_true(H5Tcommit2(file, "t", committed, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    make_array(committed, H5P_DEFAULT, file);
    assert_numbers_refused("no array of numbers");
    /* A chunk index of the latest format, and a filter that is not known. */
    const hsize_t chunk = 5;
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, &chunk);
    make_array(H5Tcopy(H5T_IEEE_F64LE), creation, create_file(LATEST));
    assert_numbers_refused("h5repack");
    H5Pset_scaleoffset(creation, H5Z_SO_FLOAT_DSCALE, 2);
    make_array(H5Tcopy(H5T_IEEE_F64LE), creation, create_file(0));
    assert_numbers_refused("h5repack");
    H5Pclose(creation);
    H5Fclose(create_file(0));
    assert_numbers_refused("no array of numbers");
}

/* Groups of many members, one in another, and links that lead elsewhere. */
static void write_groups(int flags, int n)
{
    static const Form one = {"one", 0, 1, {3}, {0}, 0};
    hid_t file = create_file(flags);
    hid_t group = H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t inner = H5Gcreate2(group, "inner", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (int i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "a%03d", i);
        write_form(inner, name, &one);
    }
    H5Lcreate_soft("/g/inner", group, "soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("other.h5", "/", group, "outside", H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(inner);
    H5Gclose(group);
    H5Fclose(file);
}

static void check_groups(int n)
{
    ArcArena *arena = arc_arena_create();
    ArcHdf5 *file = open_here(arena);
    ArcHdf5Data array;
    const char *reason;
    int found = 0;
    assert_string_equal(hdf5_member(file, "/", 0), "g");
    assert_null(hdf5_member(file, "/", 1));
    assert_null(hdf5_member(file, "/nowhere", 0));
    assert_false(hdf5_array(file, "/g/inner", &array));
    while (hdf5_member(file, "/g/inner", found) != NULL)
        found++;
    assert_int_equal(found, n);
    for (int i = 0; i < n; i++) {
        char name[32];
        size_t count;
        snprintf(name, sizeof name, "/g/inner/a%03d", i);
        assert_true(arc_hdf5_has(file, name));
        assert_non_null(hdf5_numbers(file, name, &count, &reason));
        assert_int_equal(count, 3);
    }
    assert_false(arc_hdf5_has(file, "/g/inner/a"));
    assert_false(arc_hdf5_has(file, "/g/soft/a000"));
    assert_false(arc_hdf5_has(file, "/g/outside"));
    assert_int_equal(arc_hdf5_status(file, NULL), ARC_OK);
    arc_hdf5_close(file);
    arc_arena_free(arena);
}

static void test_hdf5_member_of_groups_large_and_small_is_found(void **state)
{
    (void)state;
    write_groups(0, 300);
    check_groups(300);
    write_groups(LATEST, 6);
    check_groups(6);
}

static void put_text(hid_t object, const char *name, size_t size, H5T_str_t padding,
                     const void *text)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, size);
    if (size != H5T_VARIABLE)
        H5Tset_strpad(type, padding);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, type, text) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

/* More attributes than the header of a group has room for, so that it goes on elsewhere. */
static void test_hdf5_attributes_are_read(void **state)
{
    (void)state;
    const int flags[] = {0, USER_BLOCK};
    const char *text = "of any length";
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        ArcArena *arena = arc_arena_create();
        hid_t made = create_file(flags[i]);
        for (int k = 0; k < 40; k++) {
            char name[16];
            snprintf(name, sizeof name, "more %d", k);
            put_text(made, name, 8, H5T_STR_NULLTERM, "1234567");
        }
        put_text(made, "variable", H5T_VARIABLE, H5T_STR_NULLTERM, &text);
        H5Fclose(made);
        ArcHdf5 *file = open_here(arena);
        assert_string_equal(arc_hdf5_text(file, "/", "variable"), text);
        assert_int_equal(arc_hdf5_status(file, NULL), ARC_OK);
        assert_string_equal(arc_hdf5_text(file, "/", "nothing"), "");
        assert_int_equal(arc_hdf5_status(file, NULL), ARC_INPUT);
        arc_hdf5_close(file);
        arc_arena_free(arena);
    }
}

/* Looks at all members of a group, and theirs to some depth. */
static void look_around(ArcHdf5 *file, ArcArena *arena, const char *group, int depth)
{
    const char *name;
    for (int i = 0; i < 20 && (name = hdf5_member(file, group, i)) != NULL; i++) {
        char *inner = arc_arena_format(arena, "%s/%s", group, name);
        ArcHdf5Data array;
        const char *reason;
        size_t n;
        if (hdf5_array(file, inner, &array))
            hdf5_numbers(file, inner, &n, &reason);
        else if (depth > 0)
            look_around(file, arena, inner, depth - 1);
    }
    arc_hdf5_text(file, group, "variable");
}

static void look_at(const char *bytes, size_t size)
{
    ArcArena *arena = arc_arena_create();
    ArcHdf5 *file;
    ArcError err;
    if (arc_hdf5_open_bytes("a.h5", bytes, size, arena, &file, &err) == ARC_OK) {
        look_around(file, arena, "", 3);
        arc_hdf5_close(file);
    } else {
        assert_memory_equal(err.text, "a.h5:1:1: error: ", 17);
    }
    arc_arena_free(arena);
}

static void write_all_forms(int flags)
{
    hid_t file = create_file(flags);
    const char *text = "text";
    put_text(file, "variable", H5T_VARIABLE, H5T_STR_NULLTERM, &text);
    for (int i = 0; i < N_FORMS; i += 1 + (flags != 0))
        if (((forms[i].flags ^ flags) & LATEST) == 0 && count_of(&forms[i]) < 100)
            write_form(file, forms[i].name, &forms[i]);
    H5Fclose(file);
}

/* Single bytes and lengths; the sanitizers look at what a wrong number leads to. */
static void test_hdf5_spoilt_files_end(void **state)
{
    (void)state;
    const int flags[] = {0, LATEST};
    ArcRandom random = arc_random_create(11, 0);
    for (size_t k = 0; k < 2; k++) {
        ArcArena *arena = arc_arena_create();
        char *bytes;
        size_t size;
        write_all_forms(flags[k]);
        assert_int_equal(
            arc_file_read(path, (ArcPlace){NULL, 0, 0}, 1 << 24, arena, &bytes, &size, NULL),
            ARC_OK);
        for (int i = 0; i < 4000; i++) {
            size_t at = (size_t)(arc_random_bits(&random) % size);
            size_t n = 1 + (size_t)(arc_random_bits(&random) % 8);
            char kept[8];
            n = n > size - at ? size - at : n;
            memcpy(kept, bytes + at, n);
            uint64_t bits = i % 3 == 0 ? UINT64_MAX : arc_random_bits(&random);
            memcpy(bytes + at, &bits, n);
            look_at(bytes, size);
            memcpy(bytes + at, kept, n);
        }
        for (size_t n = 0; n < size; n += 1 + n / 37)
            look_at(bytes, n);
        arc_arena_free(arena);
    }
}

/* Compares one array of a file with what the library has of it. */
static herr_t compare_array(hid_t root, const char *name, const H5O_info_t *info, void *context)
{
    ArcHdf5 *file = context;
    char full[512];
    size_t n = 0;
    if (info->type != H5O_TYPE_DATASET)
        return 0;
    hid_t array = H5Dopen2(root, name, H5P_DEFAULT), type = H5Dget_type(array);
    H5T_class_t class = H5Tget_class(type);
    if (class == H5T_FLOAT || class == H5T_INTEGER) {
        snprintf(full, sizeof full, "/%s", name);
        const char *reason;
        double *values = hdf5_numbers(file, full, &n, &reason);
        if (values == NULL) {
            fail_msg("%s", reason);
            return 0;
        }
        double *wanted = calloc(n + 1, sizeof *wanted);
        assert_true(H5Dread(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, wanted) >= 0);
        assert_memory_equal(values, wanted, n * sizeof *wanted);
        free(wanted);
    }
    H5Tclose(type);
    H5Dclose(array);
    return 0;
}

static void test_hdf5_numbers_of_a_real_capture_are_the_librarys(void **state)
{
    (void)state;
    char real[1024];
    shared_path(real, "data/table-tennis-launcher/mn5008_backspin.hdf5");
    ArcArena *arena = arc_arena_create();
    char *bytes;
    size_t size;
    ArcHdf5 *file;
    assert_int_equal(
        arc_file_read(real, (ArcPlace){NULL, 0, 0}, 1 << 24, arena, &bytes, &size, NULL), ARC_OK);
    assert_int_equal(arc_hdf5_open_bytes(real, bytes, size, arena, &file, NULL), ARC_OK);
    hid_t library = H5Fopen(real, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(library >= 0);
    assert_true(H5Ovisit(library, H5_INDEX_NAME, H5_ITER_NATIVE, compare_array, file) >= 0);
    H5Fclose(library);
    arc_hdf5_close(file);
    arc_arena_free(arena);
}

static void test_hdf5_open_bytes_of_other_files_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "time_s,x_m\n0,1\n", "\x89HDF\r\n\x1a\n",
                                        "\x89HDF\r\n\x1a\n\x07\x08\x08\x08\x08"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ArcArena *arena = arc_arena_create();
        ArcHdf5 *file = NULL;
        ArcError err;
        assert_int_equal(
            arc_hdf5_open_bytes("a.h5", texts[i], strlen(texts[i]), arena, &file, &err), ARC_INPUT);
        assert_null(file);
        assert_memory_equal(err.text, "a.h5:1:1: error: ", 17);
        arc_arena_free(arena);
    }
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/a.h5", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hdf5_numbers_of_every_form_are_the_librarys),
        cmocka_unit_test(test_hdf5_numbers_of_forms_that_are_not_read_are_refused),
        cmocka_unit_test(test_hdf5_member_of_groups_large_and_small_is_found),
        cmocka_unit_test(test_hdf5_attributes_are_read),
        cmocka_unit_test(test_hdf5_spoilt_files_end),
        cmocka_unit_test(test_hdf5_numbers_of_a_real_capture_are_the_librarys),
        cmocka_unit_test(test_hdf5_open_bytes_of_other_files_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
