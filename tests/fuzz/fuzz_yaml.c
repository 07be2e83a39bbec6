/* YAML as a tree; every node is looked at. */
#include "fuzz.h"
#include "io/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ArcArena *arena = arc_arena_create();
    ArcYamlNode *root = NULL;
    ArcError err;
    ArcStatus status = arc_yaml_parse("fuzz.yaml", (const char *)bytes, size, arena, &root, &err);
    fuzz_check_verdict(status, &err);
    if (status == ARC_OK)
        fuzz_check_tree(root);
    arc_arena_free(arena);
    return 0;
}
