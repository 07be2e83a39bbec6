/* TOML as a tree; every node is looked at.
 * Words: tests/test_toml.c
 */
#include "fuzz.h"
#include "io/toml.h"

/* Nodes below and with this one; aborts where one is not as yaml.h says. */
static int count_nodes(const ArcYamlNode *node)
{
    int n = 1, n_children = 0;
    if ((node->kind == ARC_YAML_SCALAR) != (node->text != NULL) || node->place.line < 1 ||
        node->place.column < 1)
        fuzz_fail("a node without text or place");
    for (const ArcYamlNode *child = node->first; child != NULL; child = child->next) {
        if ((node->kind == ARC_YAML_MAPPING) != (child->key != NULL))
            fuzz_fail("a key where none belongs, or none where one does");
        n += count_nodes(child);
        n_children++;
    }
    if (n_children != node->n_children)
        fuzz_fail("a wrong number of children");
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ArcArena *arena = arc_arena_create();
    ArcYamlNode *root = NULL;
    ArcError err;
    ArcStatus status = arc_toml_parse("fuzz.toml", (const char *)bytes, size, arena, &root, &err);
    fuzz_check_verdict(status, &err);
    if (status == ARC_OK && count_nodes(root) < 1)
        fuzz_fail("no tree");
    arc_arena_free(arena);
    return 0;
}
