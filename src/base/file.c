/* Whole files through POSIX calls, because every failure of a full disk must be seen: write, fsync
 * and close are all checked before the rename. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *arc_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

char *arc_file_folder(ArcArena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return arc_arena_copy_text(arena, "", 0);
    return arc_arena_copy_text(arena, path, slash == path ? 1 : (size_t)(slash - path));
}

char *arc_file_join(ArcArena *arena, const char *folder, const char *name)
{
    if (name[0] == '/' || folder[0] == '\0')
        return arc_arena_copy_text(arena, name, strlen(name));
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    return arc_arena_format(arena, "%s%s%s", folder, slash, name);
}

/* Reads up to max_bytes + 1 so that a file that grows meanwhile is noticed too. */
static ArcStatus file_read_open(int descriptor, const char *path, ArcPlace at, size_t max_bytes,
                                ArcArena *arena, char **bytes, size_t *size, ArcError *err)
{
    struct stat info;
    if (fstat(descriptor, &info) != 0)
        return arc_error_set_at(err, ARC_INPUT, at, "cannot read '%s': %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return arc_error_set_at(err, ARC_INPUT, at, "'%s' is a folder, not a file", path);
    size_t capacity = S_ISREG(info.st_mode) ? (size_t)info.st_size : max_bytes;
    if (capacity > max_bytes)
        return arc_error_set_at(err, ARC_INPUT, at, "'%s' is too large: %zu bytes, at most %zu",
                                path, capacity, max_bytes);
    char *data = arc_arena_alloc(arena, capacity + 2, 1);
    if (data == NULL)
        return arc_error_no_memory(err);
    size_t used = 0;
    while (used < capacity + 1) {
        ssize_t n = read(descriptor, data + used, capacity + 1 - used);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return arc_error_set_at(err, ARC_INPUT, at, "cannot read '%s': %s", path,
                                    strerror(errno));
        if (n == 0)
            break;
        used += (size_t)n;
    }
    if (used > capacity)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "'%s' is too large or still growing: at most "
                                "%zu bytes are read",
                                path, capacity);
    data[used] = '\0';
    *bytes = data;
    *size = used;
    return ARC_OK;
}

ArcStatus arc_file_read(const char *path, ArcPlace from, size_t max_bytes, ArcArena *arena,
                        char **bytes, size_t *size, ArcError *err)
{
    ArcPlace at = from.file != NULL ? from : (ArcPlace){path, 1, 1};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return arc_error_set_at(err, ARC_INPUT, at, "cannot open '%s': %s", path, strerror(errno));
    /* Opening does not wait for a pipe that nobody writes; reading waits for the one who does. */
    (void)fcntl(descriptor, F_SETFL, 0);
    ArcStatus status = file_read_open(descriptor, path, at, max_bytes, arena, bytes, size, err);
    close(descriptor);
    return status;
}

static bool file_write_all(int descriptor, const char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = write(descriptor, bytes + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return fsync(descriptor) == 0 ||
           errno == EINVAL; /* EINVAL: a pipe or device, nothing to sync */
}

/* Writes, flushes and closes; 0 or the reason as an errno. */
static int file_write_and_close(int descriptor, const char *bytes, size_t size)
{
    int reason = file_write_all(descriptor, bytes, size) ? 0 : errno;
    if (close(descriptor) != 0 && reason == 0)
        reason = errno;
    return reason;
}

static ArcStatus file_cannot_write(const char *path, int reason, ArcError *err)
{
    return arc_error_set(err, ARC_SYSTEM, "error: cannot write '%s': %s", path, strerror(reason));
}

/* A device or a pipe is written into: renaming over it would take it away. */
static ArcStatus file_write_device(const char *path, const void *bytes, size_t size, ArcError *err)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    int reason = descriptor < 0 ? errno : file_write_and_close(descriptor, bytes, size);
    return reason == 0 ? ARC_OK : file_cannot_write(path, reason, err);
}

/* Makes the renamed entry itself durable; a file system that cannot do it is no failure. */
static void file_sync_folder(const char *folder)
{
    int descriptor = open(folder[0] == '\0' ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        close(descriptor);
    }
}

/* Writes a file without a name in folder and names it `other` once it is whole, so that nothing is
 * left half-written when the process is killed. 0, the reason as an errno, or -1 where the system
 * has no such files. */
static int file_write_nameless(const char *folder, const char *other, const char *bytes,
                               size_t size)
{
    char link[64];
    int descriptor = open(folder[0] == '\0' ? "." : folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return -1;
    int reason = file_write_all(descriptor, bytes, size) ? 0 : errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    if (reason == 0) {
        (void)unlink(other);
        if (linkat(AT_FDCWD, link, AT_FDCWD, other, AT_SYMLINK_FOLLOW) != 0)
            reason = -1;
    }
    if (close(descriptor) != 0 && reason == 0)
        reason = errno;
    return reason;
}

static int file_write_named(const char *other, const char *bytes, size_t size)
{
    int descriptor = open(other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return descriptor < 0 ? errno : file_write_and_close(descriptor, bytes, size);
}

static ArcStatus file_replace_in(ArcArena *arena, const char *path, const void *bytes, size_t size,
                                 ArcError *err)
{
    char *folder = arc_file_folder(arena, path);
    char *other =
        folder == NULL ? NULL : arc_arena_format(arena, "%s.part-%ld", path, (long)getpid());
    if (other == NULL)
        return arc_error_no_memory(err);
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return arc_error_set(err, ARC_SYSTEM, "error: cannot write '%s': it is a folder", path);
    if (exists && !S_ISREG(info.st_mode))
        return file_write_device(path, bytes, size, err);
    if (folder[0] != '\0' && mkdir(folder, 0777) != 0 && errno != EEXIST)
        return arc_error_set(err, ARC_SYSTEM, "error: cannot make the folder '%s': %s", folder,
                             strerror(errno));
    int reason = file_write_nameless(folder, other, bytes, size);
    if (reason < 0)
        reason = file_write_named(other, bytes, size);
    if (reason == 0 && rename(other, path) != 0)
        reason = errno;
    if (reason != 0) {
        unlink(other);
        return arc_error_set(err, ARC_SYSTEM,
                             "error: cannot write '%s': %s; what stood there is "
                             "unchanged",
                             path, strerror(reason));
    }
    file_sync_folder(folder);
    return ARC_OK;
}

ArcStatus arc_file_replace(const char *path, const void *bytes, size_t size, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = file_replace_in(arena, path, bytes, size, err);
    arc_arena_free(arena);
    return status;
}
