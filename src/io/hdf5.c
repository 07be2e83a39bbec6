/* HDF5 files built in memory and read from memory. See hdf5.h.
 *
 * The core driver without a backing store holds the file; H5Fget_file_image gives its bytes. The
 * library's own error printing is silenced while a file is open here.
 */
#include "io/hdf5.h"

#include "base/file.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum {
    HDF5_CORE_STEP = 1 << 16, /* bytes by which the file in memory grows */
    HDF5_DEFLATE_FROM = 1024, /* numbers */
    HDF5_DEFLATE_LEVEL = 6,
    HDF5_CHUNK_ROWS = 1 << 14,
    HDF5_TRANSFER_BYTES = 1 << 14,
    HDF5_MAX_ELEMENTS = 1 << 26, /* a damaged size must not ask for all memory */
    HDF5_SEAL_SIZE = 24,
    HDF5_MAX_PATH = 192 /* bytes of a path inside the file */
};

static const char hdf5_signature[] = "\x89HDF\r\n\x1a\n";
static const char hdf5_seal_head[] = "\narcfit-crc32 ";

struct ArcHdf5 {
    ArcArena *arena; /* own where writing, the caller's where reading */
    bool owns_arena;
    hid_t file;
    const char *path; /* read from */
    ArcStatus status; /* of the first failure */
    char reason[512];
    H5E_auto2_t print; /* the error printing to put back */
    void *print_context;
};

static void hdf5_fail(ArcHdf5 *file, ArcStatus status, const char *what, const char *path)
{
    if (file->status != ARC_OK)
        return;
    file->status = status;
    snprintf(file->reason, sizeof file->reason, "%s%s%s%s", what, path[0] == '\0' ? "" : " '", path,
             path[0] == '\0' ? "" : "'");
}

void arc_hdf5_refuse(ArcHdf5 *file, const char *format, ...)
{
    char reason[sizeof file->reason];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    hdf5_fail(file, ARC_INPUT, reason, "");
}

bool arc_hdf5_is_good(const ArcHdf5 *file)
{
    return file->status == ARC_OK;
}

ArcStatus arc_hdf5_status(const ArcHdf5 *file, ArcError *err)
{
    if (file->status == ARC_OK)
        return ARC_OK;
    if (file->status == ARC_MEMORY)
        return arc_error_no_memory(err);
    if (file->status == ARC_SYSTEM)
        return arc_error_set(err, ARC_SYSTEM, "error: HDF5 failed: %s", file->reason);
    return arc_error_set_at(err, ARC_INPUT, (ArcPlace){file->path, 1, 1},
                            "damaged, or no result of arcfit: %s; make it again with `arcfit fit`",
                            file->reason);
}

const char *arc_hdf5_version(char buffer[32])
{
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    snprintf(buffer, 32, "%u.%u.%u", major, minor, release);
    return buffer;
}

static void hdf5_silence(ArcHdf5 *file)
{
    H5Eget_auto2(H5E_DEFAULT, &file->print, &file->print_context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void arc_hdf5_close(ArcHdf5 *file)
{
    if (file == NULL)
        return;
    if (file->file >= 0)
        H5Fclose(file->file);
    H5Eset_auto2(H5E_DEFAULT, file->print, file->print_context);
    if (file->owns_arena)
        arc_arena_free(file->arena);
}

/* Access through memory only; image (nullable) is copied by the library. */
static hid_t hdf5_access(char *image, size_t size)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0)
        return H5I_INVALID_HID;
    if (H5Pset_fapl_core(access, HDF5_CORE_STEP, false) < 0 ||
        (image != NULL && H5Pset_file_image(access, image, size) < 0)) {
        H5Pclose(access);
        return H5I_INVALID_HID;
    }
    return access;
}

/* A name that no file can have (the core driver refuses one that exists) and no other file in
 * memory has (the library takes equal names for the same file). */
static const char *hdf5_name(char buffer[48])
{
    static atomic_uint opened;
    snprintf(buffer, 48, "/dev/null/arcfit-%u", atomic_fetch_add(&opened, 1));
    return buffer;
}

/* A creation list of the class without times, so that equal contents are equal bytes. */
static hid_t hdf5_timeless(hid_t class)
{
    hid_t list = H5Pcreate(class);
    if (list >= 0 && H5Pset_obj_track_times(list, false) < 0) {
        H5Pclose(list);
        return H5I_INVALID_HID;
    }
    return list;
}

ArcStatus arc_hdf5_create(ArcHdf5 **file, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcHdf5 *made = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcHdf5);
    if (made == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    *made = (ArcHdf5){.arena = arena, .owns_arena = true, .file = H5I_INVALID_HID, .path = ""};
    hdf5_silence(made);
    char name[48];
    hid_t access = hdf5_access(NULL, 0);
    hid_t creation = hdf5_timeless(H5P_FILE_CREATE);
    if (access >= 0 && creation >= 0)
        made->file = H5Fcreate(hdf5_name(name), H5F_ACC_TRUNC, creation, access);
    H5Pclose(access);
    H5Pclose(creation);
    if (made->file < 0) {
        arc_hdf5_close(made);
        return arc_error_set(err, ARC_SYSTEM, "error: HDF5 cannot make a file in memory");
    }
    *file = made;
    return ARC_OK;
}

bool arc_hdf5_has(ArcHdf5 *file, const char *path)
{
    if (file->status != ARC_OK)
        return false;
    if (strcmp(path, "/") == 0)
        return true;
    char part[HDF5_MAX_PATH];
    for (const char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
        size_t length = slash == NULL ? strlen(path) : (size_t)(slash - path);
        if (length >= sizeof part)
            return false;
        memcpy(part, path, length);
        part[length] = '\0';
        if (H5Lexists(file->file, part, H5P_DEFAULT) <= 0)
            return false;
        if (slash == NULL)
            return true;
    }
}

/* Makes the groups above path, and path itself where whole. */
static void hdf5_make_groups(ArcHdf5 *file, const char *path, bool whole)
{
    char part[HDF5_MAX_PATH];
    size_t end = strlen(path);
    for (size_t i = 1; i <= end && file->status == ARC_OK; i++) {
        if (i >= sizeof part || (path[i] != '/' && path[i] != '\0') || (path[i] == '\0' && !whole))
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (i == 1 || arc_hdf5_has(file, part))
            continue;
        hid_t creation = hdf5_timeless(H5P_GROUP_CREATE);
        hid_t group = H5Gcreate2(file->file, part, H5P_DEFAULT, creation, H5P_DEFAULT);
        if (group < 0 || H5Gclose(group) < 0)
            hdf5_fail(file, ARC_SYSTEM, "cannot make the group", part);
        H5Pclose(creation);
    }
}

/* UTF-8 text of any length; the caller closes it. */
static hid_t hdf5_text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 &&
        (H5Tset_size(type, H5T_VARIABLE) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        H5Tclose(type);
        return H5I_INVALID_HID;
    }
    return type;
}

static void hdf5_put(ArcHdf5 *file, const char *path, const char *name, hid_t stored, hid_t memory,
                     const void *value)
{
    if (file->status != ARC_OK)
        return;
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate_by_name(file->file, path, name, stored, space, H5P_DEFAULT,
                                        H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || H5Awrite(attribute, memory, value) < 0)
        hdf5_fail(file, ARC_SYSTEM, "cannot write the attribute", name);
    H5Aclose(attribute);
    H5Sclose(space);
}

void arc_hdf5_put_number(ArcHdf5 *file, const char *path, const char *name, double value)
{
    hdf5_make_groups(file, path, true);
    hdf5_put(file, path, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void arc_hdf5_put_count(ArcHdf5 *file, const char *path, const char *name, uint64_t value)
{
    hdf5_make_groups(file, path, true);
    hdf5_put(file, path, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

void arc_hdf5_put_text(ArcHdf5 *file, const char *path, const char *name, const char *text)
{
    hdf5_make_groups(file, path, true);
    hid_t type = hdf5_text_type();
    hdf5_put(file, path, name, type, type, &text);
    H5Tclose(type);
}

/* How texts go to and fro: the library's own conversion buffer, 1 MB and cleared for every array,
 * takes longer than all the rest. */
static hid_t hdf5_transfer(void)
{
    hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    if (transfer >= 0 && H5Pset_buffer(transfer, HDF5_TRANSFER_BYTES, NULL, NULL) < 0) {
        H5Pclose(transfer);
        return H5I_INVALID_HID;
    }
    return transfer;
}

/* Layout of a new array: small ones in one piece, big ones chunked and deflated. */
static hid_t hdf5_layout(const ArcHdf5Array *array)
{
    hid_t creation = hdf5_timeless(H5P_DATASET_CREATE);
    size_t columns = array->columns == 0 ? 1 : array->columns;
    if (creation < 0 || array->kind == ARC_HDF5_TEXT || array->rows * columns < HDF5_DEFLATE_FROM)
        return creation;
    hsize_t rows = array->rows < HDF5_CHUNK_ROWS ? array->rows : HDF5_CHUNK_ROWS;
    hsize_t chunk[2] = {rows, columns};
    if (H5Pset_chunk(creation, array->columns == 0 ? 1 : 2, chunk) < 0 ||
        H5Pset_shuffle(creation) < 0 || H5Pset_deflate(creation, HDF5_DEFLATE_LEVEL) < 0) {
        H5Pclose(creation);
        return H5I_INVALID_HID;
    }
    return creation;
}

static bool hdf5_attach_scales(ArcHdf5 *file, const ArcHdf5Array *array, hid_t dataset)
{
    const char *name = strrchr(array->path, '/') + 1;
    if (array->scale[0] == NULL)
        return H5DSset_scale(dataset, name) >= 0;
    for (unsigned i = 0; i < (array->columns == 0 ? 1 : 2); i++) {
        hid_t scale = H5Dopen2(file->file, array->scale[i], H5P_DEFAULT);
        bool attached = scale >= 0 && H5DSattach_scale(dataset, scale, i) >= 0;
        H5Dclose(scale);
        if (!attached)
            return false;
    }
    return true;
}

/* The library wants a pointer for every text, also for none. */
static const void *hdf5_data(ArcHdf5 *file, const ArcHdf5Array *array)
{
    if (array->kind != ARC_HDF5_TEXT)
        return array->data;
    const char *const *texts = array->data;
    const char **whole = ARC_ALLOC(file->arena, array->rows, const char *);
    for (size_t i = 0; whole != NULL && i < array->rows; i++)
        whole[i] = texts[i] == NULL ? "" : texts[i];
    return whole;
}

void arc_hdf5_write(ArcHdf5 *file, const ArcHdf5Array *array)
{
    hdf5_make_groups(file, array->path, false);
    const void *data = hdf5_data(file, array);
    if (data == NULL && array->rows > 0)
        hdf5_fail(file, ARC_MEMORY, "no memory", "");
    if (file->status != ARC_OK)
        return;
    hid_t text = hdf5_text_type();
    hid_t stored[] = {H5T_IEEE_F64LE, H5T_STD_I32LE, text};
    hid_t memory[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_INT, text};
    hsize_t size[2] = {array->rows, array->columns};
    hid_t space = H5Screate_simple(array->columns == 0 ? 1 : 2, size, NULL);
    hid_t creation = hdf5_layout(array), transfer = hdf5_transfer();
    hid_t dataset = H5Dcreate2(file->file, array->path, stored[array->kind], space, H5P_DEFAULT,
                               creation, H5P_DEFAULT);
    if (dataset < 0 ||
        (array->rows > 0 &&
         H5Dwrite(dataset, memory[array->kind], H5S_ALL, H5S_ALL, transfer, data) < 0) ||
        !hdf5_attach_scales(file, array, dataset))
        hdf5_fail(file, ARC_SYSTEM, "cannot write the array", array->path);
    H5Dclose(dataset);
    H5Pclose(transfer);
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(text);
    arc_hdf5_put_text(file, array->path, "units", array->units);
}

static void hdf5_seal(char seal[HDF5_SEAL_SIZE + 1], const char *bytes, size_t size)
{
    unsigned long sum = crc32_z(0, (const unsigned char *)bytes, size);
    snprintf(seal, HDF5_SEAL_SIZE + 1, "%s%08lx\n\n", hdf5_seal_head, sum & 0xffffffffu);
}

ArcStatus arc_hdf5_save(ArcHdf5 *file, const char *path, ArcError *err)
{
    if (file->status == ARC_OK && H5Fflush(file->file, H5F_SCOPE_GLOBAL) < 0)
        hdf5_fail(file, ARC_SYSTEM, "cannot finish the file in memory", "");
    ssize_t size = file->status == ARC_OK ? H5Fget_file_image(file->file, NULL, 0) : 0;
    if (size < 0)
        hdf5_fail(file, ARC_SYSTEM, "cannot finish the file in memory", "");
    if (file->status != ARC_OK)
        return arc_hdf5_status(file, err);
    char *bytes = arc_arena_alloc(file->arena, (size_t)size + HDF5_SEAL_SIZE + 1, 1);
    if (bytes == NULL)
        return arc_error_no_memory(err);
    if (H5Fget_file_image(file->file, bytes, (size_t)size) != size) {
        hdf5_fail(file, ARC_SYSTEM, "cannot copy the file out of memory", "");
        return arc_hdf5_status(file, err);
    }
    hdf5_seal(bytes + size, bytes, (size_t)size);
    return arc_file_replace(path, bytes, (size_t)size + HDF5_SEAL_SIZE, err);
}

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

/* Takes the seal off. The library crashes on some damaged files, so none that does not carry the
 * sum of its bytes reaches it. */
static ArcStatus hdf5_check_seal(const char *path, const char *bytes, size_t *size, ArcError *err)
{
    char seal[HDF5_SEAL_SIZE + 1];
    size_t head = strlen(hdf5_seal_head);
    ArcPlace place = {path, 1, 1};
    if (*size < sizeof hdf5_signature - 1 ||
        memcmp(bytes, hdf5_signature, sizeof hdf5_signature - 1) != 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "not a result of arcfit (no HDF5 file); `arcfit fit` makes one");
    if (*size < HDF5_SEAL_SIZE || memcmp(bytes + *size - HDF5_SEAL_SIZE, hdf5_seal_head, head) != 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "not whole, or not written by arcfit (its checksum is missing at "
                                "the end); make it again with `arcfit fit`");
    *size -= HDF5_SEAL_SIZE;
    hdf5_seal(seal, bytes, *size);
    if (memcmp(bytes + *size, seal, HDF5_SEAL_SIZE) != 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "damaged, or changed since arcfit wrote it (its checksum does not "
                                "fit); make it again with `arcfit fit`");
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
    if (status != ARC_OK)
        return status;
    ArcHdf5 *opened = ARC_ALLOC(arena, 1, ArcHdf5);
    if (opened == NULL)
        return arc_error_no_memory(err);
    *opened = (ArcHdf5){.arena = arena, .file = H5I_INVALID_HID, .path = path};
    hdf5_silence(opened);
    char name[48];
    hid_t access = hdf5_access(bytes, size);
    if (access >= 0)
        opened->file = H5Fopen(hdf5_name(name), H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (opened->file < 0) {
        arc_hdf5_refuse(opened, "HDF5 cannot open it");
        status = arc_hdf5_status(opened, err);
        arc_hdf5_close(opened);
        return status;
    }
    *file = opened;
    return ARC_OK;
}

/* Sizes of the array's dimensions; false (and a failed file) where it is none of that rank. */
static bool hdf5_sizes(ArcHdf5 *file, hid_t dataset, const char *path, int rank, hsize_t size[2])
{
    hid_t space = dataset < 0 ? H5I_INVALID_HID : H5Dget_space(dataset);
    bool good = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                H5Sget_simple_extent_dims(space, size, NULL) == rank;
    H5Sclose(space);
    if (good && (size[0] > HDF5_MAX_ELEMENTS || (rank == 2 && size[1] > HDF5_MAX_ELEMENTS / 64)))
        good = false;
    if (!good)
        hdf5_fail(file, ARC_INPUT, "no such array, or not of the expected shape:", path);
    return good;
}

int arc_hdf5_rows(ArcHdf5 *file, const char *path)
{
    if (!arc_hdf5_has(file, path)) {
        hdf5_fail(file, ARC_INPUT, "missing:", path);
        return 0;
    }
    hid_t dataset = H5Dopen2(file->file, path, H5P_DEFAULT);
    hid_t space = dataset < 0 ? H5I_INVALID_HID : H5Dget_space(dataset);
    int rank = space < 0 ? 0 : H5Sget_simple_extent_ndims(space);
    hsize_t size[2] = {0, 0};
    bool good = (rank == 1 || rank == 2) && hdf5_sizes(file, dataset, path, rank, size);
    if (!good)
        hdf5_fail(file, ARC_INPUT, "no array:", path);
    H5Sclose(space);
    H5Dclose(dataset);
    return good ? (int)size[0] : 0;
}

static bool hdf5_is_of_kind(hid_t type, ArcHdf5Kind kind)
{
    H5T_class_t class = H5Tget_class(type);
    if (kind == ARC_HDF5_TEXT)
        return class == H5T_STRING && H5Tis_variable_str(type) > 0;
    return class == (kind == ARC_HDF5_REAL ? H5T_FLOAT : H5T_INTEGER);
}

/* Reads an array of exactly that shape into data, or tells why not. */
static void hdf5_read(ArcHdf5 *file, const char *path, ArcHdf5Kind kind, int rows, int columns,
                      void *data)
{
    if (!arc_hdf5_has(file, path)) {
        hdf5_fail(file, ARC_INPUT, "missing:", path);
        return;
    }
    int rank = columns == 0 ? 1 : 2;
    hsize_t size[2] = {0, 0};
    hid_t dataset = H5Dopen2(file->file, path, H5P_DEFAULT);
    hid_t type = dataset < 0 ? H5I_INVALID_HID : H5Dget_type(dataset);
    hid_t text = hdf5_text_type();
    if (hdf5_sizes(file, dataset, path, rank, size)) {
        const hid_t memory[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_INT, text};
        hid_t transfer = hdf5_transfer();
        bool fits = size[0] == (hsize_t)rows && (rank == 1 || size[1] == (hsize_t)columns);
        if (!fits || type < 0 || !hdf5_is_of_kind(type, kind))
            hdf5_fail(file, ARC_INPUT, "not of the expected size and type:", path);
        else if (rows > 0 && H5Dread(dataset, memory[kind], H5S_ALL, H5S_ALL, transfer, data) < 0)
            hdf5_fail(file, ARC_INPUT, "cannot read", path);
        H5Pclose(transfer);
    }
    H5Tclose(text);
    H5Tclose(type);
    H5Dclose(dataset);
}

static void *hdf5_room(ArcHdf5 *file, int rows, int columns, size_t size)
{
    if (file->status != ARC_OK || rows < 0 || columns < 0)
        return NULL;
    size_t count = (size_t)rows * (columns == 0 ? 1 : (size_t)columns);
    void *room = arc_arena_alloc(file->arena, count, size);
    if (room == NULL)
        hdf5_fail(file, ARC_MEMORY, "no memory", "");
    return room;
}

double *arc_hdf5_reals(ArcHdf5 *file, const char *path, int rows, int columns)
{
    double *data = hdf5_room(file, rows, columns, sizeof(double));
    if (data != NULL)
        hdf5_read(file, path, ARC_HDF5_REAL, rows, columns, data);
    return file->status == ARC_OK ? data : NULL;
}

int *arc_hdf5_integers(ArcHdf5 *file, const char *path, int rows)
{
    int *data = hdf5_room(file, rows, 0, sizeof(int));
    if (data != NULL)
        hdf5_read(file, path, ARC_HDF5_INTEGER, rows, 0, data);
    return file->status == ARC_OK ? data : NULL;
}

/* A copy in the arena of a text of the library's (NULL: empty). */
static const char *hdf5_copy(ArcHdf5 *file, const char *text)
{
    char *copy =
        arc_arena_copy_text(file->arena, text == NULL ? "" : text, text == NULL ? 0 : strlen(text));
    if (copy == NULL)
        hdf5_fail(file, ARC_MEMORY, "no memory", "");
    return copy;
}

const char **arc_hdf5_texts(ArcHdf5 *file, const char *path, int rows)
{
    char **data = hdf5_room(file, rows, 0, sizeof(char *));
    if (data == NULL)
        return NULL;
    hdf5_read(file, path, ARC_HDF5_TEXT, rows, 0, data);
    for (int i = 0; i < rows; i++) {
        char *read = data[i];
        data[i] = (char *)hdf5_copy(file, read);
        H5free_memory(read);
    }
    return file->status == ARC_OK ? (const char **)data : NULL;
}

/* Reads a scalar attribute of that kind. */
static void hdf5_get(ArcHdf5 *file, const char *path, const char *name, ArcHdf5Kind kind,
                     hid_t memory, void *value)
{
    if (!arc_hdf5_has(file, path)) {
        hdf5_fail(file, ARC_INPUT, "missing:", path);
        return;
    }
    hid_t attribute = H5I_INVALID_HID;
    if (H5Aexists_by_name(file->file, path, name, H5P_DEFAULT) > 0)
        attribute = H5Aopen_by_name(file->file, path, name, H5P_DEFAULT, H5P_DEFAULT);
    hid_t type = attribute < 0 ? H5I_INVALID_HID : H5Aget_type(attribute);
    hid_t space = attribute < 0 ? H5I_INVALID_HID : H5Aget_space(attribute);
    if (type < 0 || space < 0 || H5Sget_simple_extent_npoints(space) != 1 ||
        !hdf5_is_of_kind(type, kind) || H5Aread(attribute, memory, value) < 0)
        hdf5_fail(file, ARC_INPUT, "missing or wrong attribute", name);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
}

double arc_hdf5_number(ArcHdf5 *file, const char *path, const char *name)
{
    double value = NAN;
    hdf5_get(file, path, name, ARC_HDF5_REAL, H5T_NATIVE_DOUBLE, &value);
    return file->status == ARC_OK ? value : NAN;
}

uint64_t arc_hdf5_count(ArcHdf5 *file, const char *path, const char *name)
{
    uint64_t value = 0;
    hdf5_get(file, path, name, ARC_HDF5_INTEGER, H5T_NATIVE_UINT64, &value);
    return file->status == ARC_OK ? value : 0;
}

const char *arc_hdf5_text(ArcHdf5 *file, const char *path, const char *name)
{
    char *read = NULL;
    hid_t type = hdf5_text_type();
    hdf5_get(file, path, name, ARC_HDF5_TEXT, type, &read);
    H5Tclose(type);
    const char *copy = file->status == ARC_OK ? hdf5_copy(file, read) : "";
    H5free_memory(read);
    return copy == NULL ? "" : copy;
}
