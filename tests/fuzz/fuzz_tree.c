/* See fuzz.h. */
#include "fuzz.h"
#include "io/yaml.h"

int fuzz_check_tree(const ArcYamlNode *node)
{
    int n = 1, n_children = 0;
    if ((node->kind == ARC_YAML_SCALAR) != (node->text != NULL) || node->place.line < 1 ||
        node->place.column < 1)
        fuzz_fail("a node without text or place");
    for (const ArcYamlNode *child = node->first; child != NULL; child = child->next) {
        if ((node->kind == ARC_YAML_MAPPING) != (child->key != NULL))
            fuzz_fail("a key where none belongs, or none where one does");
        n += fuzz_check_tree(child);
        n_children++;
    }
    if (n_children != node->n_children)
        fuzz_fail("a wrong number of children");
    return n;
}
