/* Decompression runs twice: once to count the bytes, so that a bomb costs no memory and the result
 * is one exact block of the arena, and once to keep them. zlib takes its memory from an arena too.
 */
#include "io/gzip.h"

#include "base/file.h"

#include <limits.h>
#include <stdbool.h>
#define ZLIB_CONST
#include <zlib.h>

/* windowBits of zlib: the largest window, plus 16 for a gzip header. */
enum { GZIP_WINDOW = 15 + 16, SCRATCH_BYTES = 1 << 16 };

/* Reasons that are told apart by address. */
static const char out_of_memory[] = "out of memory";
static const char truncated[] = "it is cut short";

static void *zlib_take(void *arena, unsigned count, unsigned size)
{
    return arc_arena_alloc(arena, count, size);
}

static void zlib_give_back(void *arena, void *address)
{
    (void)arena;
    (void)address;
}

static bool is_gzip(const unsigned char *bytes, size_t size)
{
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static bool is_all_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0)
            return false;
    }
    return true;
}

/* Decompresses all members of bytes[0..n). into NULL: only counts, at most *size. Otherwise into
 * has room for *size + 1 bytes: zlib wants a free byte even where nothing is left to come. *size is
 * what came out. Gives a reason, NULL where all is well. */
static const char *gzip_inflate(z_stream *stream, const char *bytes, size_t n, char *into,
                                size_t *size)
{
    unsigned char scratch[SCRATCH_BYTES];
    size_t most = *size, done = 0;
    stream->next_in = (const unsigned char *)bytes;
    stream->avail_in = (uInt)n;
    while (stream->avail_in > 0) {
        stream->next_out = into == NULL ? scratch : (unsigned char *)into + done;
        stream->avail_out = into == NULL ? (uInt)sizeof scratch : (uInt)(most + 1 - done);
        uInt room = stream->avail_out;
        int result = inflate(stream, Z_NO_FLUSH);
        done += room - stream->avail_out;
        if (done > most)
            return "too large";
        if (result == Z_STREAM_END) {
            *size = done;
            /* Tape programs pad with zeros; anything else behind a member is damage. */
            if (is_all_zero(stream->next_in, stream->avail_in))
                return NULL;
            if (!is_gzip(stream->next_in, stream->avail_in) || inflateReset(stream) != Z_OK)
                return "other bytes stand behind its end";
        } else if (result == Z_MEM_ERROR) {
            return out_of_memory;
        } else if (result == Z_BUF_ERROR) {
            return truncated;
        } else if (result != Z_OK) {
            return stream->msg != NULL ? stream->msg : "invalid data";
        }
    }
    return truncated;
}

static const char *gzip_expand(const char *bytes, size_t n, ArcArena *arena, char **expanded,
                               size_t *size)
{
    z_stream stream = {.zalloc = zlib_take, .zfree = zlib_give_back, .opaque = arena};
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
        return out_of_memory;
    *size = ARC_GZIP_MAX_BYTES;
    const char *reason = gzip_inflate(&stream, bytes, n, NULL, size);
    if (reason == NULL) {
        *expanded = arc_arena_alloc(arena, *size + 1, 1);
        reason = *expanded == NULL || inflateReset(&stream) != Z_OK
                     ? out_of_memory
                     : gzip_inflate(&stream, bytes, n, *expanded, size);
        if (reason == NULL)
            (*expanded)[*size] = '\0';
    }
    inflateEnd(&stream);
    return reason;
}

ArcStatus arc_gzip_read_file(const char *path, ArcPlace from, ArcArena *arena, char **bytes,
                             size_t *size, ArcError *err)
{
    char *raw;
    size_t raw_size;
    ArcStatus status = arc_file_read(path, from, ARC_GZIP_MAX_BYTES, arena, &raw, &raw_size, err);
    if (status != ARC_OK)
        return status;
    if (!is_gzip((const unsigned char *)raw, raw_size)) {
        *bytes = raw;
        *size = raw_size;
        return ARC_OK;
    }
    char *expanded;
    size_t expanded_size;
    const char *reason = gzip_expand(raw, raw_size, arena, &expanded, &expanded_size);
    if (reason == out_of_memory)
        return arc_error_no_memory(err);
    if (reason != NULL)
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){path, 1, 1},
                                "cannot read the gzip file: %s (at most %d MB decompressed)",
                                reason, ARC_GZIP_MAX_BYTES >> 20);
    *bytes = expanded;
    *size = expanded_size;
    return ARC_OK;
}

ArcStatus arc_gzip_compress(const void *bytes, size_t size, ArcArena *arena, char **compressed,
                            size_t *compressed_size, ArcError *err)
{
    z_stream stream = {.zalloc = zlib_take, .zfree = zlib_give_back, .opaque = arena};
    if (size > UINT_MAX / 2 || deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
                                            MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        return arc_error_no_memory(err);
    size_t bound = deflateBound(&stream, (uLong)size);
    char *into = arc_arena_alloc(arena, bound, 1);
    int result = Z_MEM_ERROR;
    if (into != NULL) {
        stream.next_in = bytes;
        stream.avail_in = (uInt)size;
        stream.next_out = (unsigned char *)into;
        stream.avail_out = (uInt)bound;
        result = deflate(&stream, Z_FINISH);
    }
    size_t done = stream.total_out;
    deflateEnd(&stream);
    if (result != Z_STREAM_END)
        return arc_error_no_memory(err);
    *compressed = into;
    *compressed_size = done;
    return ARC_OK;
}
