/* See folder.h. */
#include "figure/folder.h"

#include "base/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

char *arc_figure_path(ArcArena *arena, const ArcFigure *figure, const char *folder,
                      const char *ending)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    char *name = arc_arena_format(arena, "%s.%s", figure->name, ending);
    for (size_t i = 0; name != NULL && name[i] != '\0'; i++)
        if (strchr(plain, name[i]) == NULL || (i == 0 && (name[0] == '-' || name[0] == '.')))
            name[i] = i == 0 ? '_' : '-';
    return name == NULL || folder == NULL ? name : arc_file_join(arena, folder, name);
}

ArcStatus arc_figure_make_folder(const char *folder, ArcError *err)
{
    struct stat info;
    if (mkdir(folder, 0777) == 0 ||
        (errno == EEXIST && stat(folder, &info) == 0 && S_ISDIR(info.st_mode)))
        return ARC_OK;
    return arc_error_set(err, ARC_SYSTEM, "error: cannot make the folder '%.400s': %s", folder,
                         strerror(errno));
}
