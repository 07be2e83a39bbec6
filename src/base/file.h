/* Whole files: read in one piece, replaced in one step. */
#ifndef ARC_BASE_FILE_H
#define ARC_BASE_FILE_H

#include "arcfit/error.h"
#include "base/arena.h"

/* Reads all of path into the arena, a '\0' behind the last byte. from says who names the file (its
 * place stands in the message when it cannot be opened); from.file NULL: the file itself at 1:1.
 * ARC_INPUT: missing, unreadable, a folder, longer than max_bytes. ARC_MEMORY. */
ArcStatus arc_file_read(const char *path, ArcPlace from, size_t max_bytes, ArcArena *arena,
                        char **bytes, size_t *size, ArcError *err);

/* Writes bytes to a new file beside path, flushes it to the disk and renames it over path: a reader
 * sees the old file or the new one, never a part, nor is a part left where the process is killed.
 * A missing last folder is made. A path that is a device or a pipe is written into. ARC_SYSTEM when
 * it cannot be written; path is then as it was. */
ArcStatus arc_file_replace(const char *path, const void *bytes, size_t size, ArcError *err);

/* folder/name, or name where it is absolute or folder is empty; NULL on exhaustion. */
char *arc_file_join(ArcArena *arena, const char *folder, const char *name);

/* The part of path before the last '/' ("" where there is none); NULL on exhaustion. */
char *arc_file_folder(ArcArena *arena, const char *path);

/* The part of path after the last '/'; points into path. */
const char *arc_file_name(const char *path);

#endif
