/* See zip.h. An entry is read in pieces that grow with what has come out so far. */
#include "io/zip.h"

#include <string.h>
#include <strings.h>
#include <zip.h>

enum { FIRST_PIECE_BYTES = 1 << 12 };

bool arc_zip_is(const char *bytes, size_t size)
{
    return size >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0);
}

static ArcStatus refuse(const char *file, const char *what, ArcError *err)
{
    return arc_error_set_at(err, ARC_INPUT, (ArcPlace){file, 1, 1},
                            "cannot read the zip archive: %s (at most %d MB unpacked)", what,
                            ARC_ZIP_MAX_BYTES >> 20);
}

static bool ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);
    return length >= tail && strcasecmp(name + length - tail, suffix) == 0;
}

/* Adds to *total what came out. */
static ArcStatus entry_read(const char *file, zip_file_t *stream, ArcArena *arena,
                            ArcZipEntry *entry, size_t *total, ArcError *err)
{
    size_t capacity = FIRST_PIECE_BYTES, size = 0;
    char *bytes = arc_arena_alloc(arena, capacity + 1, 1);
    for (;;) {
        if (bytes == NULL)
            return arc_error_no_memory(err);
        zip_int64_t got = zip_fread(stream, bytes + size, capacity - size);
        if (got < 0)
            return refuse(file, zip_file_strerror(stream), err);
        size += (size_t)got;
        if (*total + size > ARC_ZIP_MAX_BYTES)
            return refuse(file, "too large", err);
        if (got == 0)
            break;
        if (size < capacity)
            continue;
        char *longer = arc_arena_alloc(arena, 2 * capacity + 1, 1);
        if (longer != NULL)
            memcpy(longer, bytes, size);
        bytes = longer;
        capacity *= 2;
    }
    bytes[size] = '\0';
    entry->bytes = bytes;
    entry->size = size;
    *total += size;
    return ARC_OK;
}

/* An archive that is open. */
typedef struct Archive {
    const char *file, *suffix;
    zip_t *zip;
    ArcArena *arena;
} Archive;

static ArcStatus archive_read(const Archive *archive, int *n, ArcZipEntry **entries, ArcError *err)
{
    const char *file = archive->file;
    ArcArena *arena = archive->arena;
    zip_int64_t count = zip_get_num_entries(archive->zip, 0);
    size_t total = 0;
    int found = 0;
    if (count < 0 || count > ARC_ZIP_MAX_ENTRIES)
        return refuse(file, "too many files in it", err);
    ArcZipEntry *list = ARC_ALLOC(arena, (size_t)count, ArcZipEntry);
    if (list == NULL)
        return arc_error_no_memory(err);
    for (zip_int64_t i = 0; i < count; i++) {
        const char *name = zip_get_name(archive->zip, (zip_uint64_t)i, ZIP_FL_ENC_GUESS);
        if (name == NULL || !ends_in(name, archive->suffix))
            continue;
        zip_file_t *stream = zip_fopen_index(archive->zip, (zip_uint64_t)i, 0);
        if (stream == NULL)
            return refuse(file, zip_strerror(archive->zip), err);
        list[found].name = arc_arena_copy_text(arena, name, strlen(name));
        ArcStatus status = list[found].name == NULL
                               ? arc_error_no_memory(err)
                               : entry_read(file, stream, arena, &list[found], &total, err);
        zip_fclose(stream);
        if (status != ARC_OK)
            return status;
        found++;
    }
    *n = found;
    *entries = list;
    return ARC_OK;
}

ArcStatus arc_zip_read(const ArcZip *zip, const char *suffix, ArcArena *arena, int *n,
                       ArcZipEntry **entries, ArcError *err)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(zip->bytes, zip->size, 0, &error);
    Archive archive = {zip->file, suffix, NULL, arena};
    if (source != NULL)
        archive.zip = zip_open_from_source(source, ZIP_RDONLY, &error);
    ArcStatus status;
    if (archive.zip == NULL) {
        status = zip_error_code_zip(&error) == ZIP_ER_MEMORY
                     ? arc_error_no_memory(err)
                     : refuse(zip->file, zip_error_strerror(&error), err);
        zip_source_free(source);
    } else {
        status = archive_read(&archive, n, entries, err);
        zip_discard(archive.zip);
    }
    zip_error_fini(&error);
    return status;
}
