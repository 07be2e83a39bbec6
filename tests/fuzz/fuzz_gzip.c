/* Files that begin as gzip does, and others. */
#include "fuzz.h"
#include "io/gzip.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ArcArena *arena = arc_arena_create();
    char *read = NULL;
    size_t n = 0;
    ArcError err;
    ArcStatus status =
        arc_gzip_read_file(fuzz_file(bytes, size), (ArcPlace){NULL, 0, 0}, arena, &read, &n, &err);
    fuzz_check_verdict(status, &err);
    if (status == ARC_OK && read[n] != '\0')
        fuzz_fail("no end behind the last byte");
    arc_arena_free(arena);
    return 0;
}
