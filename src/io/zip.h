/* Files inside zip archives, through libzip, from memory to memory.
 *
 * Sizes are those that come out, not those that the archive tells: no entry and no archive can ask
 * for more than ARC_ZIP_MAX_BYTES.
 */
#ifndef ARC_IO_ZIP_H
#define ARC_IO_ZIP_H

#include "arcfit/error.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum { ARC_ZIP_MAX_BYTES = 64 << 20, ARC_ZIP_MAX_ENTRIES = 100000 };

/* A whole archive in memory; file is its name in messages. */
typedef struct ArcZip {
    const char *file;
    const char *bytes;
    size_t size;
} ArcZip;

typedef struct ArcZipEntry {
    const char *name;
    const char *bytes; /* a '\0' behind the last */
    size_t size;
} ArcZipEntry;

/* True where the bytes begin as zip archives do. */
bool arc_zip_is(const char *bytes, size_t size);

/* All entries whose names end in suffix (in any case), in the archive's order; n may be 0.
 * ARC_INPUT at file:1:1: damaged, encrypted, too many entries, together over ARC_ZIP_MAX_BYTES.
 * ARC_MEMORY. */
ArcStatus arc_zip_read(const ArcZip *zip, const char *suffix, ArcArena *arena, int *n,
                       ArcZipEntry **entries, ArcError *err);

#endif
