/* HDF5 files built in memory by the HDF5 library. See hdf5.h; reading is hdf5_read.c.
 *
 * The core driver without a backing store holds the file; H5Fget_file_image gives its bytes. The
 * library's own error printing is silenced while a file is open here.
 */
#include "base/file.h"
#include "io/hdf5_handle.h"

#include <hdf5_hl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum {
    HDF5_CORE_STEP = 1 << 16, /* bytes by which the file in memory grows */
    HDF5_DEFLATE_FROM = 1024, /* numbers */
    HDF5_DEFLATE_LEVEL = 6,
    HDF5_CHUNK_ROWS = 1 << 14,
    HDF5_TRANSFER_BYTES = 1 << 14,
    HDF5_MAX_PATH = 192 /* bytes of a path inside the file */
};

const char arc_hdf5_seal_head[] = "\narcfit-crc32 ";

void arc_hdf5_fail(ArcHdf5 *file, ArcStatus status, const char *what, const char *path)
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
    arc_hdf5_fail(file, ARC_INPUT, reason, "");
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
    if (!file->writes)
        return;
    if (file->file >= 0)
        H5Fclose(file->file);
    H5Eset_auto2(H5E_DEFAULT, file->print, file->print_context);
    arc_arena_free(file->arena);
}

/* Access through memory only. */
static hid_t hdf5_access(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_fapl_core(access, HDF5_CORE_STEP, false) < 0) {
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
    *made = (ArcHdf5){.arena = arena, .writes = true, .file = H5I_INVALID_HID, .path = ""};
    hdf5_silence(made);
    char name[48];
    hid_t access = hdf5_access();
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
        if (i == 1 || H5Lexists(file->file, part, H5P_DEFAULT) > 0)
            continue;
        hid_t creation = hdf5_timeless(H5P_GROUP_CREATE);
        hid_t group = H5Gcreate2(file->file, part, H5P_DEFAULT, creation, H5P_DEFAULT);
        if (group < 0 || H5Gclose(group) < 0)
            arc_hdf5_fail(file, ARC_SYSTEM, "cannot make the group", part);
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
        arc_hdf5_fail(file, ARC_SYSTEM, "cannot write the attribute", name);
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
        arc_hdf5_fail(file, ARC_MEMORY, "no memory", "");
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
        arc_hdf5_fail(file, ARC_SYSTEM, "cannot write the array", array->path);
    H5Dclose(dataset);
    H5Pclose(transfer);
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(text);
    arc_hdf5_put_text(file, array->path, "units", array->units);
}

void arc_hdf5_seal(char seal[ARC_HDF5_SEAL_SIZE + 1], const char *bytes, size_t size)
{
    unsigned long sum = crc32_z(0, (const unsigned char *)bytes, size);
    snprintf(seal, ARC_HDF5_SEAL_SIZE + 1, "%s%08lx\n\n", arc_hdf5_seal_head, sum & 0xffffffffu);
}

ArcStatus arc_hdf5_save(ArcHdf5 *file, const char *path, ArcError *err)
{
    if (file->status == ARC_OK && H5Fflush(file->file, H5F_SCOPE_GLOBAL) < 0)
        arc_hdf5_fail(file, ARC_SYSTEM, "cannot finish the file in memory", "");
    ssize_t size = file->status == ARC_OK ? H5Fget_file_image(file->file, NULL, 0) : 0;
    if (size < 0)
        arc_hdf5_fail(file, ARC_SYSTEM, "cannot finish the file in memory", "");
    if (file->status != ARC_OK)
        return arc_hdf5_status(file, err);
    char *bytes = arc_arena_alloc(file->arena, (size_t)size + ARC_HDF5_SEAL_SIZE + 1, 1);
    if (bytes == NULL)
        return arc_error_no_memory(err);
    if (H5Fget_file_image(file->file, bytes, (size_t)size) != size) {
        arc_hdf5_fail(file, ARC_SYSTEM, "cannot copy the file out of memory", "");
        return arc_hdf5_status(file, err);
    }
    arc_hdf5_seal(bytes + size, bytes, (size_t)size);
    return arc_file_replace(path, bytes, (size_t)size + ARC_HDF5_SEAL_SIZE, err);
}
