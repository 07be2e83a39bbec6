/* Results as HDF5 that another program has changed, with a checksum that fits: what one who means
 * harm could hand over. */
#ifndef ARC_TESTS_HDF5_CHANGE_H
#define ARC_TESTS_HDF5_CHANGE_H

#include "arcfit/report.h"
#include "base/arena.h"
#include "base/file.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* One thing of a file that somebody changed. */
typedef enum ChangeKind { CHANGE_NOTHING, CHANGE_WHOLE, CHANGE_COUNT, CHANGE_REMOVE } ChangeKind;
typedef struct Change {
    ChangeKind kind;
    const char *name; /* of the array, attribute (group@name) or object */
    int index, value;
} Change;

static void change_array(hid_t file, const Change *change)
{
    hid_t dataset = H5Dopen2(file, change->name, H5P_DEFAULT);
    assert_true(dataset >= 0);
    int data[256];
    hid_t space = H5Dget_space(dataset);
    assert_in_range(H5Sget_simple_extent_npoints(space), change->index + 1, 256);
    H5Sclose(space);
    assert_true(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    data[change->index] = change->value;
    assert_true(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(dataset);
}

static void change_attribute(hid_t file, const Change *change)
{
    char group[96];
    snprintf(group, sizeof group, "%s", change->name);
    char *name = strchr(group, '@');
    uint64_t value = (uint64_t)(int64_t)change->value;
    assert_non_null(name);
    *name++ = '\0';
    hid_t opened = H5Gopen2(file, group, H5P_DEFAULT);
    hid_t attribute = H5Aopen(opened, name, H5P_DEFAULT);
    assert_true(attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_UINT64, &value) >= 0);
    H5Aclose(attribute);
    H5Gclose(opened);
}

/* The checksum that arcfit would put behind the file, as one who means harm could. */
static void seal_file(const char *path)
{
    ArcArena *arena = arc_arena_create();
    char *bytes;
    size_t size;
    assert_int_equal(
        arc_file_read(path, (ArcPlace){NULL, 0, 0}, 1 << 24, arena, &bytes, &size, NULL), ARC_OK);
    FILE *stream = fopen(path, "a");
    assert_non_null(stream);
    fprintf(stream, "\narcfit-crc32 %08lx\n\n",
            crc32_z(0, (const unsigned char *)bytes, size) & 0xffffffffu);
    assert_int_equal(fclose(stream), 0);
    arc_arena_free(arena);
}

/* Changes the sound file at path. */
static void change_file(const char *path, const Change *change)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(truncate(path, info.st_size - 24), 0); /* without its seal */
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    if (change->kind == CHANGE_WHOLE)
        change_array(file, change);
    else if (change->kind == CHANGE_COUNT)
        change_attribute(file, change);
    else if (change->kind == CHANGE_REMOVE)
        assert_true(H5Ldelete(file, change->name, H5P_DEFAULT) >= 0);
    H5Fclose(file);
    seal_file(path);
}

static inline ArcStatus read_changed(const ArcResult *made, const char *path, const Change *change,
                                     ArcError *err)
{
    ArcResult *read = NULL;
    assert_int_equal(arc_report_write_hdf5(made, path, NULL), ARC_OK);
    change_file(path, change);
    ArcStatus status = arc_report_read_hdf5(path, &read, err);
    arc_result_free(read);
    return status;
}

#endif
