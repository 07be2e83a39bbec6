/* One folder a load, of a name that no other has (mkdtemp), readable by its owner alone. */
#include "model/workplace.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ArcStatus arc_workplace_create(ArcArena *arena, ArcWorkplace *place, ArcError *err)
{
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || parent[0] == '\0')
        parent = "/tmp";
    *place = (ArcWorkplace){arena, NULL};
    char *folder = arc_file_join(arena, parent, "arcfit-XXXXXX");
    if (folder == NULL)
        return arc_error_no_memory(err);
    if (mkdtemp(folder) == NULL)
        return arc_error_set(err, ARC_SYSTEM,
                             "cannot make a folder for temporary files in '%s': %s; name another "
                             "in TMPDIR",
                             parent, strerror(errno));
    char absolute[PATH_MAX];
    place->folder = realpath(folder, absolute) == NULL
                        ? folder
                        : arc_arena_copy_text(arena, absolute, strlen(absolute));
    if (place->folder != NULL)
        return ARC_OK;
    rmdir(folder);
    return arc_error_no_memory(err);
}

char *arc_workplace_path(const ArcWorkplace *place, const char *name)
{
    return arc_file_join(place->arena, place->folder, name);
}

/* A name with a folder before it has that made first. */
ArcStatus arc_workplace_write(const ArcWorkplace *place, const char *name, const char *text,
                              ArcError *err)
{
    char *path = arc_workplace_path(place, name);
    char *folder = path == NULL ? NULL : arc_file_folder(place->arena, path);
    if (folder == NULL)
        return arc_error_no_memory(err);
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return arc_error_set(err, ARC_SYSTEM, "cannot make '%s': %s", folder, strerror(errno));
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    size_t left = strlen(text);
    bool is_sound = descriptor >= 0;
    while (is_sound && left > 0) {
        ssize_t n = write(descriptor, text, left);
        if (n > 0) {
            text += n;
            left -= (size_t)n;
        } else if (n < 0 && errno != EINTR) {
            is_sound = false;
        }
    }
    int number = errno;
    if (descriptor >= 0)
        close(descriptor);
    if (!is_sound)
        return arc_error_set(err, ARC_SYSTEM,
                             "cannot write '%s': %s; name another folder in TMPDIR", path,
                             strerror(number));
    return ARC_OK;
}

/* descriptor: of the folder, closed here. */
static void workplace_empty(int descriptor, int depth)
{
    DIR *all = descriptor < 0 ? NULL : fdopendir(descriptor);
    if (all == NULL)
        return;
    for (struct dirent *entry = readdir(all); entry != NULL; entry = readdir(all)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(descriptor, entry->d_name, 0) == 0 || depth == 0)
            continue;
        workplace_empty(openat(descriptor, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                        depth - 1);
        unlinkat(descriptor, entry->d_name, AT_REMOVEDIR);
    }
    closedir(all);
}

void arc_workplace_remove(ArcWorkplace *place)
{
    if (place->folder == NULL)
        return;
    workplace_empty(open(place->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 2);
    rmdir(place->folder);
    place->folder = NULL;
}
