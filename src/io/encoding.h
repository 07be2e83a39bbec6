/* The encoding of a text file: whatever people's programs write, as UTF-8.
 *
 * Taken are UTF-8 and UTF-16, each with or without a byte-order mark, and what is no UTF-8 as
 * Windows-1252, of which Latin-1's letters are a part. UTF-16 without a mark is evident where three
 * of four characters have the upper byte zero. A file in which characters of UTF-8 outnumber the
 * bytes that are none is damaged UTF-8, and refused.
 */
#ifndef ARC_IO_ENCODING_H
#define ARC_IO_ENCODING_H

#include "arcfit/error.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum ArcEncoding {
    ARC_ENCODING_UTF8,
    ARC_ENCODING_UTF16_LE,
    ARC_ENCODING_UTF16_BE,
    ARC_ENCODING_WINDOWS_1252
} ArcEncoding;

/* A text without its mark, in well-formed UTF-8 and without zero bytes; not terminated. */
typedef struct ArcDecoded {
    const char *text;
    size_t size;
    ArcEncoding encoding;
} ArcDecoded;

/* As people call it. */
const char *arc_encoding_name(ArcEncoding encoding);

/* The columns of UTF-8 count bytes, as everywhere; of all others characters, as editors show them.
 */
bool arc_encoding_counts_characters(ArcEncoding encoding);

/* Decodes a whole file that stands in memory; file is its name in messages. The text points into
 * bytes where they are UTF-8 already, else into the arena. ARC_INPUT with file:line:column: binary,
 * damaged. ARC_MEMORY. */
ArcStatus arc_encoding_decode(const char *file, const char *bytes, size_t size, ArcArena *arena,
                              ArcDecoded *decoded, ArcError *err);

#endif
