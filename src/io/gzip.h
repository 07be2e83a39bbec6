/* Gzip (RFC 1952) through zlib, in memory. */
#ifndef ARC_IO_GZIP_H
#define ARC_IO_GZIP_H

#include "arcfit/error.h"
#include "base/arena.h"

#include <stddef.h>

enum { ARC_GZIP_MAX_BYTES = 256 << 20 };

/* Reads a whole file into the arena, a '\0' behind the last byte; where it begins with gzip's magic
 * bytes it is decompressed, every member of it. from: see arc_file_read. ARC_INPUT: what
 * arc_file_read refuses; over ARC_GZIP_MAX_BYTES before or after decompression; a damaged or
 * truncated gzip file (at 1:1 of the file). ARC_MEMORY. */
ArcStatus arc_gzip_read_file(const char *path, ArcPlace from, ArcArena *arena, char **bytes,
                             size_t *size, ArcError *err);

/* Compresses into the arena. The same bytes give the same result: no time or name is recorded.
 * ARC_MEMORY. */
ArcStatus arc_gzip_compress(const void *bytes, size_t size, ArcArena *arena, char **compressed,
                            size_t *compressed_size, ArcError *err);

#endif
