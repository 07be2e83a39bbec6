/* TOML as a tree; every node is looked at.
 * Words: tests/test_toml.c
 */
#include "fuzz.h"
#include "io/toml.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ArcArena *arena = arc_arena_create();
    ArcYamlNode *root = NULL;
    ArcError err;
    ArcStatus status = arc_toml_parse("fuzz.toml", (const char *)bytes, size, arena, &root, &err);
    fuzz_check_verdict(status, &err);
    if (status == ARC_OK)
        fuzz_check_tree(root);
    arc_arena_free(arena);
    return 0;
}
