/* HDF5 files read from memory. See hdf5.h; what stands where in a file is hdf5_image.h's. */
#include "base/file.h"
#include "io/hdf5_handle.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { HDF5_MAX_ELEMENTS = 1 << 26 };

static const char hdf5_signature[] = "\x89HDF\r\n\x1a\n";

bool arc_hdf5_is_file(const char *path)
{
    char head[sizeof hdf5_signature - 1];
    struct stat info;
    /* A look into a pipe would wait for its writer and take what is read away from the reader. */
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return false;
    size_t n = fread(head, 1, sizeof head, stream);
    fclose(stream);
    return n == sizeof head && memcmp(head, hdf5_signature, sizeof head) == 0;
}

/* Takes the seal off: what does not carry the sum of its bytes is not whole. */
static ArcStatus hdf5_check_seal(const char *path, const char *bytes, size_t *size, ArcError *err)
{
    char seal[ARC_HDF5_SEAL_SIZE + 1];
    size_t head = strlen(arc_hdf5_seal_head);
    ArcPlace place = {path, 1, 1};
    if (*size < sizeof hdf5_signature - 1 ||
        memcmp(bytes, hdf5_signature, sizeof hdf5_signature - 1) != 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "not a result of arcfit (no HDF5 file); `arcfit fit` makes one");
    if (*size < ARC_HDF5_SEAL_SIZE ||
        memcmp(bytes + *size - ARC_HDF5_SEAL_SIZE, arc_hdf5_seal_head, head) != 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "not whole, or not written by arcfit (its checksum is missing at "
                                "the end); make it again with `arcfit fit`");
    *size -= ARC_HDF5_SEAL_SIZE;
    arc_hdf5_seal(seal, bytes, *size);
    if (memcmp(bytes + *size, seal, ARC_HDF5_SEAL_SIZE) != 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "damaged, or changed since arcfit wrote it (its checksum does not "
                                "fit); make it again with `arcfit fit`");
    return ARC_OK;
}

ArcStatus arc_hdf5_open_bytes(const char *name, const char *bytes, size_t size, ArcArena *arena,
                              ArcHdf5 **file, ArcError *err)
{
    ArcHdf5 *opened = ARC_ALLOC(arena, 1, ArcHdf5);
    if (opened == NULL)
        return arc_error_no_memory(err);
    *opened = (ArcHdf5){.arena = arena, .path = name};
    if (!arc_hdf5_image_open((const unsigned char *)bytes, size, &opened->image)) {
        arc_hdf5_refuse(opened, "its head is damaged, or of another kind than is read here");
        return arc_hdf5_status(opened, err);
    }
    *file = opened;
    return ARC_OK;
}

ArcStatus arc_hdf5_open(const char *path, ArcArena *arena, ArcHdf5 **file, ArcError *err)
{
    char *bytes;
    size_t size;
    ArcStatus status =
        arc_file_read(path, (ArcPlace){NULL, 0, 0}, (size_t)1 << 30, arena, &bytes, &size, err);
    if (status == ARC_OK)
        status = hdf5_check_seal(path, bytes, &size, err);
    return status == ARC_OK ? arc_hdf5_open_bytes(path, bytes, size, arena, file, err) : status;
}

bool arc_hdf5_has(ArcHdf5 *file, const char *path)
{
    uint64_t address;
    return file->status == ARC_OK && arc_hdf5_image_find(&file->image, path, &address);
}

/* The array at path; false (and a failed file) where there is none. */
static bool hdf5_find(ArcHdf5 *file, const char *path, ArcHdf5Data *array)
{
    uint64_t address;
    if (file->status != ARC_OK)
        return false;
    if (!arc_hdf5_image_find(&file->image, path, &address))
        arc_hdf5_fail(file, ARC_INPUT, "missing:", path);
    else if (!arc_hdf5_image_array(&file->image, address, array))
        arc_hdf5_fail(file, ARC_INPUT, "no array:", path);
    else if (array->space.count > HDF5_MAX_ELEMENTS ||
             !arc_hdf5_image_can_hold(&file->image, array->space.count, array->type.size))
        arc_hdf5_fail(file, ARC_INPUT, "of a size that cannot be:", path);
    return file->status == ARC_OK;
}

int arc_hdf5_rows(ArcHdf5 *file, const char *path)
{
    ArcHdf5Data array;
    if (!hdf5_find(file, path, &array))
        return 0;
    if (array.space.rank < 1 || array.space.rank > 2 || array.space.sizes[0] > INT_MAX)
        arc_hdf5_fail(file, ARC_INPUT, "no array:", path);
    return file->status == ARC_OK ? (int)array.space.sizes[0] : 0;
}

static bool hdf5_is_of_kind(const ArcHdf5Type *type, ArcHdf5Kind kind)
{
    return type->class == (kind == ARC_HDF5_REAL      ? ARC_HDF5_CLASS_FLOAT
                           : kind == ARC_HDF5_INTEGER ? ARC_HDF5_CLASS_INTEGER
                                                      : ARC_HDF5_CLASS_VARIABLE);
}

/* All elements as they stand; NULL (and a failed file) where they cannot be read. */
static const unsigned char *hdf5_bytes(ArcHdf5 *file, const char *path, const ArcHdf5Data *data)
{
    const char *reason;
    const unsigned char *bytes = arc_hdf5_image_bytes(&file->image, data, file->arena, &reason);
    if (bytes == NULL && reason[0] == '\0')
        arc_hdf5_fail(file, ARC_MEMORY, "no memory", "");
    else if (bytes == NULL)
        arc_hdf5_refuse(file, "cannot read '%s': %s", path, reason);
    return bytes;
}

/* The bytes of an array of exactly that shape and kind, or tells why not. */
static const unsigned char *hdf5_read(ArcHdf5 *file, const char *path, ArcHdf5Kind kind, int rows,
                                      int columns, ArcHdf5Data *array)
{
    int rank = columns == 0 ? 1 : 2;
    if (rows < 0 || columns < 0 || !hdf5_find(file, path, array))
        return NULL;
    const ArcHdf5Space *space = &array->space;
    if (space->rank != rank)
        arc_hdf5_fail(file, ARC_INPUT, "no such array, or not of the expected shape:", path);
    else if (space->sizes[0] != (uint64_t)rows ||
             (rank == 2 && space->sizes[1] != (uint64_t)columns) ||
             !hdf5_is_of_kind(&array->type, kind))
        arc_hdf5_fail(file, ARC_INPUT, "not of the expected size and type:", path);
    return file->status == ARC_OK ? hdf5_bytes(file, path, array) : NULL;
}

static void *hdf5_room(ArcHdf5 *file, size_t count, size_t size)
{
    void *room = arc_arena_alloc(file->arena, count, size);
    if (room == NULL)
        arc_hdf5_fail(file, ARC_MEMORY, "no memory", "");
    return room;
}

double *arc_hdf5_reals(ArcHdf5 *file, const char *path, int rows, int columns)
{
    ArcHdf5Data array;
    const unsigned char *bytes = hdf5_read(file, path, ARC_HDF5_REAL, rows, columns, &array);
    double *data = bytes == NULL ? NULL : hdf5_room(file, array.space.count, sizeof(double));
    for (size_t i = 0; data != NULL && i < array.space.count; i++)
        data[i] = arc_hdf5_element_real(&array.type, bytes, i);
    return data;
}

int *arc_hdf5_integers(ArcHdf5 *file, const char *path, int rows)
{
    ArcHdf5Data array;
    const unsigned char *bytes = hdf5_read(file, path, ARC_HDF5_INTEGER, rows, 0, &array);
    int *data = bytes == NULL ? NULL : hdf5_room(file, array.space.count, sizeof(int));
    for (size_t i = 0; data != NULL && i < array.space.count; i++) {
        int64_t whole = (int64_t)arc_hdf5_element_bits(&array.type, bytes, i);
        if (whole < INT_MIN || whole > INT_MAX) {
            arc_hdf5_fail(file, ARC_INPUT, "a whole number out of range in", path);
            return NULL;
        }
        data[i] = (int)whole;
    }
    return data;
}

/* Element i as text; "" (and a failed file) where it cannot be read. */
static const char *hdf5_text(ArcHdf5 *file, const char *path, const ArcHdf5Type *type,
                             const unsigned char *bytes, size_t i)
{
    const char *reason;
    const char *text = arc_hdf5_element_text(&file->image, type, bytes, i, file->arena, &reason);
    if (text == NULL && reason[0] == '\0')
        arc_hdf5_fail(file, ARC_MEMORY, "no memory", "");
    else if (text == NULL)
        arc_hdf5_refuse(file, "cannot read '%s': %s", path, reason);
    return text == NULL ? "" : text;
}

const char **arc_hdf5_texts(ArcHdf5 *file, const char *path, int rows)
{
    ArcHdf5Data array;
    const unsigned char *bytes = hdf5_read(file, path, ARC_HDF5_TEXT, rows, 0, &array);
    const char **data = bytes == NULL ? NULL : hdf5_room(file, array.space.count, sizeof(char *));
    for (size_t i = 0; data != NULL && i < array.space.count; i++)
        data[i] = hdf5_text(file, path, &array.type, bytes, i);
    return file->status == ARC_OK ? data : NULL;
}

/* The bytes of a scalar attribute of that kind; NULL (and a failed file) where there is none. */
static const unsigned char *hdf5_get(ArcHdf5 *file, const char *path, const char *name,
                                     ArcHdf5Kind kind, ArcHdf5Data *attribute)
{
    uint64_t address;
    if (file->status != ARC_OK)
        return NULL;
    if (!arc_hdf5_image_find(&file->image, path, &address)) {
        arc_hdf5_fail(file, ARC_INPUT, "missing:", path);
        return NULL;
    }
    if (!arc_hdf5_image_attribute(&file->image, address, name, attribute) ||
        attribute->space.count != 1 || !hdf5_is_of_kind(&attribute->type, kind)) {
        arc_hdf5_fail(file, ARC_INPUT, "missing or wrong attribute", name);
        return NULL;
    }
    return hdf5_bytes(file, name, attribute);
}

double arc_hdf5_number(ArcHdf5 *file, const char *path, const char *name)
{
    ArcHdf5Data attribute;
    const unsigned char *bytes = hdf5_get(file, path, name, ARC_HDF5_REAL, &attribute);
    return bytes == NULL ? NAN : arc_hdf5_element_real(&attribute.type, bytes, 0);
}

uint64_t arc_hdf5_count(ArcHdf5 *file, const char *path, const char *name)
{
    ArcHdf5Data attribute;
    const unsigned char *bytes = hdf5_get(file, path, name, ARC_HDF5_INTEGER, &attribute);
    return bytes == NULL ? 0 : arc_hdf5_element_bits(&attribute.type, bytes, 0);
}

const char *arc_hdf5_text(ArcHdf5 *file, const char *path, const char *name)
{
    ArcHdf5Data attribute;
    const unsigned char *bytes = hdf5_get(file, path, name, ARC_HDF5_TEXT, &attribute);
    return bytes == NULL ? "" : hdf5_text(file, name, &attribute.type, bytes, 0);
}
