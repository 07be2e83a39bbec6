/* The YAML tree: places, what is refused, overrides. */
#include "arena_case.h"

#include "io/yaml.h"

#include <stdlib.h>

static ArcError error;

static ArcYamlNode *parse(const char *text)
{
    ArcYamlNode *root = NULL;
    if (arc_yaml_parse("f.yaml", text, strlen(text), arena, &root, &error) != ARC_OK)
        fail_msg("%s", error.text);
    return root;
}

static void assert_place(ArcPlace place, const char *file, int line, int column)
{
    assert_string_equal(place.file, file);
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
}

static void test_parse_places_count_lines_and_bytes(void **state)
{
    (void)state;
    const ArcYamlNode *root = parse("# head\n"
                                    "name: \"\xc3\xa9\xe2\x82\xac\"\n"
                                    "box: {\xc3\xa9: [1, two], b: 'x'}\r\n"
                                    "empty:\n"
                                    "list:\n"
                                    "  - p: 1\n"
                                    "  - |\n"
                                    "    block\n");
    assert_int_equal(root->kind, ARC_YAML_MAPPING);
    assert_int_equal(root->n_children, 4);
    assert_place(root->place, "f.yaml", 2, 1);
    const ArcYamlNode *name = arc_yaml_find(root, "name");
    assert_true(name->is_quoted);
    assert_string_equal(name->text, "\xc3\xa9\xe2\x82\xac");
    assert_place(name->place, "f.yaml", 2, 7);
    const ArcYamlNode *box = arc_yaml_find(root, "box");
    assert_place(box->key_place, "f.yaml", 3, 1);
    assert_place(box->first->key_place, "f.yaml", 3, 7);
    assert_int_equal(box->first->kind, ARC_YAML_SEQUENCE);
    /* the two-byte letter before it counts as two columns */
    assert_place(box->first->place, "f.yaml", 3, 11);
    assert_place(box->first->last->place, "f.yaml", 3, 15);
    assert_false(box->first->last->is_quoted);
    assert_place(box->last->key_place, "f.yaml", 3, 21);
    assert_true(arc_yaml_is_null(arc_yaml_find(root, "empty")));
    assert_int_equal(arc_yaml_find(root, "empty")->place.line, 4);
    const ArcYamlNode *list = arc_yaml_find(root, "list");
    assert_int_equal(list->n_children, 2);
    assert_place(list->first->first->place, "f.yaml", 6, 8);
    assert_string_equal(list->last->text, "block\n");
    assert_null(arc_yaml_find(root, "none"));
    assert_null(arc_yaml_find(list, "p"));
}

static void test_parse_storage_passes_what_opencv_writes(void **state)
{
    (void)state;
    static const char text[] = "%YAML:1.0\r\n"
                               "# made by a camera\n"
                               "---\n"
                               "K: !!opencv-matrix\n"
                               "   rows: 1\n"
                               "   data: [ 1., 2.e+003,\n"
                               "       .5 ]\n"
                               "when: !!str \"1: 2\"\n";
    ArcYamlNode *root = NULL;
    if (arc_yaml_parse_storage("f.yml", text, strlen(text), arena, &root, &error) != ARC_OK)
        fail_msg("%s", error.text);
    const ArcYamlNode *data = arc_yaml_find(arc_yaml_find(root, "K"), "data");
    assert_place(data->last->place, "f.yml", 7, 8);
    assert_string_equal(data->first->next->text, "2.e+003");
    assert_string_equal(root->last->text, "1: 2");
    /* without the tags' leave it is no YAML, and nor is a directive further down */
    assert_int_equal(arc_yaml_parse("f.yml", text, strlen(text), arena, &root, &error), ARC_INPUT);
    root = NULL;
    assert_int_equal(arc_yaml_parse_storage("f.yml", "a: &x 1", 7, arena, &root, &error),
                     ARC_INPUT);
    assert_string_equal(error.text, "f.yml:1:4: error: the anchor '&x' is not accepted; write the "
                                    "value where it is used");
    assert_null(root);
}

static void test_parse_byte_order_mark_is_skipped(void **state)
{
    (void)state;
    const ArcYamlNode *root = parse("\xef\xbb\xbf"
                                    "a: 1\n");
    assert_string_equal(root->first->key, "a");
    assert_place(root->first->place, "f.yaml", 1, 4);
}

static void test_is_null_plain_only(void **state)
{
    (void)state;
    const ArcYamlNode *root = parse("[~, null, '', 'null', x]");
    const bool expected[] = {true, true, false, false, false};
    int i = 0;
    for (const ArcYamlNode *node = root->first; node != NULL; node = node->next)
        assert_int_equal(arc_yaml_is_null(node), expected[i++]);
    assert_string_equal(arc_yaml_kind_text(root), "a list");
    assert_string_equal(arc_yaml_kind_text(root->first), "text");
}

/* size 0: the text's length. */
static void assert_refused(const char *text, size_t size, const char *message)
{
    ArcYamlNode *root = NULL;
    error = (ArcError){ARC_OK, ""};
    ArcStatus status =
        arc_yaml_parse("f.yaml", text, size == 0 ? strlen(text) : size, arena, &root, &error);
    if (status != ARC_INPUT || strncmp(error.text, message, strlen(message)) != 0)
        fail_msg("status %d, '%s' instead of '%s'", (int)status, error.text, message);
    assert_null(root);
}

static void test_parse_refusals_have_their_place(void **state)
{
    (void)state;
    assert_refused("", 0, "f.yaml:1:1: error: empty");
    assert_refused("# nothing\n\n", 0, "f.yaml:1:1: error: empty");
    assert_refused("a: 1\nb: *x\n", 0, "f.yaml:2:4: error: the alias '*x'");
    assert_refused("a: &x 1\n", 0, "f.yaml:1:4: error: the anchor '&x'");
    assert_refused("a: &x [1]\n", 0, "f.yaml:1:4: error: the anchor '&x'");
    assert_refused("a: !!str 1\n", 0, "f.yaml:1:4: error: the tag 'tag:yaml.org,2002:str'");
    assert_refused("a: !!map {b: 1}\n", 0, "f.yaml:1:4: error: the tag");
    assert_refused("a: ! x\n", 0, "f.yaml:1:4: error: the tag '!'");
    assert_refused("a: 1\nb: 2\na: 3\n", 0,
                   "f.yaml:3:1: error: the key 'a' is given twice, first in line 1");
    assert_refused("{a: 1, \"a\": 2}", 0, "f.yaml:1:8: error: the key 'a' is given twice");
    assert_refused("a: 1\n---\nb: 2\n", 0, "f.yaml:2:1: error: a second document");
    assert_refused("? [a]\n: 1\n", 0, "f.yaml:1:3: error: a key must be a word");
    assert_refused("a: \"x\\0y\"\n", 0, "f.yaml:1:4: error: a zero character");
}

static void test_parse_syntax_errors_have_their_place(void **state)
{
    (void)state;
    assert_refused("a: 1\nb: [1, 2\n", 0,
                   "f.yaml:3:1: error: not valid YAML: did not find "
                   "expected ',' or ']' while parsing a flow sequence");
    assert_refused("a: b: c\n", 0, "f.yaml:1:5: error: not valid YAML: mapping values");
    assert_refused("a:\n\tb: 1\n", 0, "f.yaml:2:1: error: not valid YAML: found character");
    assert_non_null(strstr(error.text, "not tabs"));
    assert_refused("\xc3\xa9: \"a\n", 0, "f.yaml:2:1: error: not valid YAML: found unexpected end");
    assert_refused("\xc3\xa9: @\n", 0, "f.yaml:1:5: error: not valid YAML: found character");
    assert_refused("a: 1\n b: 2\n", 0, "f.yaml:2:3: error: not valid YAML");
}

static void test_parse_encoding_errors_have_their_place(void **state)
{
    (void)state;
    assert_refused("a: 1\nb: \xff\n", 0, "f.yaml:2:4: error: not UTF-8 text");
    assert_refused("a: \xc3\xa9 \xe9t\n", 0, "f.yaml:1:8: error: not UTF-8 text");
    assert_refused("a: \x01\n", 0, "f.yaml:1:4: error: not UTF-8 text: control characters");
    assert_refused("a: 1\nb\0c: 2\n", 12, "f.yaml:2:2: error: a zero byte");
    assert_refused("\xff\xfe"
                   "a\0:\0",
                   6, "f.yaml:1:1: error: UTF-16");
    assert_refused("a\0:\0 \0", 6, "f.yaml:1:2: error: a zero byte");
}

static void test_parse_limits_are_enforced(void **state)
{
    (void)state;
    size_t size = ARC_YAML_MAX_BYTES + 1;
    char *text = arc_arena_alloc(arena, size + 1, 1);
    assert_non_null(text);
    memset(text, '#', size);
    assert_refused(text, size, "f.yaml:1:1: error: too large: 1048577 bytes");
    memset(text, '[', 65);
    text[65] = '\0';
    assert_refused(text, 65, "f.yaml:1:65: error: nested deeper than 64");
    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    ArcYamlNode *root = NULL;
    assert_int_equal(arc_yaml_parse("f.yaml", text, 128, arena, &root, &error), ARC_OK);
    size_t used = 0;
    for (int i = 0; i <= ARC_YAML_MAX_KEYS; i++)
        used += (size_t)snprintf(text + used, size - used, "k%d: 1\n", i);
    assert_refused(text, used, "f.yaml:1001:1: error: more than 1000 keys");
}

/* A megabyte of short items, the most nodes that a file can hold, is read in linear time. */
static void test_parse_largest_list_is_read(void **state)
{
    (void)state;
    size_t size = ARC_YAML_MAX_BYTES;
    char *text = arc_arena_alloc(arena, size + 1, 1);
    for (size_t i = 0; i < size; i++)
        text[i] = i % 2 == 0 ? 'a' : ',';
    text[0] = '[';
    text[1] = 'a';
    text[2] = ',';
    text[size - 1] = ']';
    text[3] = 'a';
    text[4] = ' ';
    text[5] = ',';
    ArcYamlNode *root = NULL;
    if (arc_yaml_parse("f.yaml", text, size, arena, &root, &error) != ARC_OK)
        fail_msg("%s", error.text);
    assert_true(root->n_children > 500000);
    assert_int_equal(root->last->place.column, size - 1);
}

static void override(ArcYamlNode *root, const char *text, int number)
{
    if (arc_yaml_override(root, text, number, arena, &error) != ARC_OK)
        fail_msg("%s", error.text);
}

static void test_override_replaces_and_makes(void **state)
{
    (void)state;
    ArcYamlNode *root = parse("a: {b: 1, c: 2}\nlist: [{p: 1}, {p: 2}]\nnone:\n");
    override(root, "a.b={x: -3 Hz, y: [1, 2]}", 1);
    const ArcYamlNode *a = arc_yaml_find(root, "a");
    const ArcYamlNode *b = arc_yaml_find(a, "b");
    assert_int_equal(a->n_children, 2);
    assert_string_equal(arc_yaml_find(a, "c")->text, "2");
    assert_place(b->key_place, "--set", 1, 3);
    assert_place(b->place, "--set", 1, 5);
    assert_string_equal(arc_yaml_find(b, "x")->text, "-3 Hz");
    assert_place(arc_yaml_find(b, "x")->place, "--set", 1, 9);
    override(root, "new.deep.key= 3 mm", 2);
    const ArcYamlNode *made = arc_yaml_find(arc_yaml_find(root, "new"), "deep");
    assert_string_equal(made->first->text, "3 mm");
    assert_place(made->first->place, "--set", 2, 15);
    assert_place(made->key_place, "--set", 2, 5);
    override(root, "list.1.p=7", 3);
    assert_string_equal(arc_yaml_find(root, "list")->last->first->text, "7");
    assert_string_equal(arc_yaml_find(root, "list")->first->first->text, "1");
    override(root, "none.x=1", 4);
    assert_string_equal(arc_yaml_find(root, "none")->first->key, "x");
}

static void assert_override_refused(const char *text, const char *message)
{
    ArcYamlNode *root = parse("a: {b: 1}\nlist: [1, 2]\n");
    ArcStatus status = arc_yaml_override(root, text, 5, arena, &error);
    if (status != ARC_INPUT || strncmp(error.text, message, strlen(message)) != 0)
        fail_msg("status %d, '%s' instead of '%s'", (int)status, error.text, message);
}

static void test_override_refusals_have_their_place(void **state)
{
    (void)state;
    assert_override_refused("a.b", "--set:5:1: error: 'a.b' is not of the form");
    assert_override_refused("=1", "--set:5:1: error: '=1' is not of the form");
    assert_override_refused("a..b=1", "--set:5:3: error: a name is missing");
    assert_override_refused("a.b.=1", "--set:5:3: error: 'b' is '1', which has no keys");
    assert_override_refused("a.=1", "--set:5:3: error: a name is missing");
    assert_override_refused("a.b=", "--set:5:5: error: empty");
    assert_override_refused("a.b=[1", "--set:5:7: error: not valid YAML");
    assert_override_refused("a.b={c: 1, c: 2}", "--set:5:12: error: the key 'c'");
    assert_override_refused("a.b=*x", "--set:5:5: error: the alias");
    assert_override_refused("a.b=1\n", "--set:5:1: error: more than one line");
    assert_override_refused("list.2=1", "--set:5:6: error: '2' is not an index of a list of 2");
    assert_override_refused("list.x=1", "--set:5:6: error: 'x' is not an index");
    assert_override_refused("list.-1=1", "--set:5:6: error: '-1' is not an index");
}

static bool refuse_memory(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

static void test_parse_without_memory_gives_status(void **state)
{
    (void)state;
    char text[20000] = "a: [";
    for (int i = 0; i < 1500; i++)
        strcat(text, "value, ");
    strcat(text, "x]\n");
    int refused = 0;
    for (int n = 0; n < 20; n++) {
        int left = n;
        ArcYamlNode *root = NULL;
        arc_memory_set_hook(refuse_memory, &left);
        ArcArena *own = arc_arena_create();
        ArcStatus status = own == NULL
                               ? ARC_MEMORY
                               : arc_yaml_parse("f.yaml", text, strlen(text), own, &root, &error);
        arc_memory_set_hook(NULL, NULL);
        arc_arena_free(own);
        assert_true(status == ARC_OK || status == ARC_MEMORY);
        refused += status == ARC_MEMORY;
    }
    assert_true(refused > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_parse_places_count_lines_and_bytes, make_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(test_parse_storage_passes_what_opencv_writes, make_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(test_parse_byte_order_mark_is_skipped, make_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(test_is_null_plain_only, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(test_parse_refusals_have_their_place, make_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(test_parse_syntax_errors_have_their_place, make_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(test_parse_encoding_errors_have_their_place, make_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(test_parse_limits_are_enforced, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(test_parse_largest_list_is_read, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(test_override_replaces_and_makes, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(test_override_refusals_have_their_place, make_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(test_parse_without_memory_gives_status, make_arena,
                                        free_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
