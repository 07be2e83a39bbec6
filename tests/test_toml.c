/* TOML as a tree: what is read, places, what is refused. */
#include "arena_case.h"

#include "io/toml.h"

static ArcError error;

static ArcYamlNode *parse(const char *text)
{
    ArcYamlNode *root = NULL;
    if (arc_toml_parse("f.toml", text, strlen(text), arena, &root, &error) != ARC_OK)
        fail_msg("%s", error.text);
    return root;
}

/* The scalar at "a.b.c"; a number is an index. */
static const char *at(const ArcYamlNode *node, const char *path)
{
    char part[32];
    while (*path != '\0') {
        size_t length = strcspn(path, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, path);
        if (node->kind == ARC_YAML_SEQUENCE) {
            node = node->first;
            for (int i = part[0] - '0'; i > 0; i--)
                node = node->next;
        } else {
            node = arc_yaml_find(node, part);
        }
        assert_non_null(node);
        path += length + (path[length] == '.');
    }
    assert_int_equal(node->kind, ARC_YAML_SCALAR);
    return node->text;
}

static void test_parse_tables_arrays_and_scalars_make_a_tree(void **state)
{
    (void)state;
    const ArcYamlNode *root = parse("title = \"a # b\" # comment\n"
                                    "count = 1_000\r\n"
                                    "on = true\n"
                                    "day = 2026-12-01T07:30:00Z\n"
                                    "\n"
                                    "[cam01]\n"
                                    "size = [ 1280, 720,]\n"
                                    "matrix = [ [ 1.5e3, 0.0,], # row\n"
                                    "  [ 0.0, -1.25,],\n"
                                    "]\n"
                                    "lens . \"k 1\" = +0.5\n"
                                    "[cam01.pose]\n"
                                    "t = {x = 1, 'y' = nan}\n"
                                    "[[take]]\n"
                                    "n = 1\n"
                                    "[[take]]\n"
                                    "n = 2\n"
                                    "[take.by]\n"
                                    "who = 'me'\n");
    assert_string_equal(at(root, "title"), "a # b");
    assert_string_equal(at(root, "count"), "1000");
    assert_string_equal(at(root, "on"), "true");
    assert_string_equal(at(root, "day"), "2026-12-01T07:30:00Z");
    assert_string_equal(at(root, "cam01.size.1"), "720");
    assert_int_equal(arc_yaml_find(arc_yaml_find(root, "cam01"), "size")->n_children, 2);
    assert_string_equal(at(root, "cam01.matrix.0.0"), "1.5e3");
    assert_string_equal(at(root, "cam01.matrix.1.1"), "-1.25");
    assert_string_equal(at(root, "cam01.lens.k 1"), "+0.5");
    assert_string_equal(at(root, "cam01.pose.t.x"), "1");
    assert_string_equal(at(root, "cam01.pose.t.y"), "nan");
    assert_string_equal(at(root, "take.0.n"), "1");
    assert_string_equal(at(root, "take.1.n"), "2");
    assert_string_equal(at(root, "take.1.by.who"), "me");
    assert_true(arc_yaml_find(root, "title")->is_quoted);
    assert_false(arc_yaml_find(root, "count")->is_quoted);
}

static void test_parse_strings_of_all_kinds(void **state)
{
    (void)state;
    const ArcYamlNode *root = parse("a = \"t\\tq\\\"b\\\\u\\u00e9U\\U0001F3C0\"\n"
                                    "b = 'C:\\new'\n"
                                    "c = \"\"\"\n"
                                    "one\n"
                                    "two \\\n"
                                    "   three\"\"\"\"\n"
                                    "d = '''it's'''\n"
                                    "e = ''\n");
    assert_string_equal(at(root, "a"), "t\tq\"b\\u\xc3\xa9U\xf0\x9f\x8f\x80");
    assert_string_equal(at(root, "b"), "C:\\new");
    assert_string_equal(at(root, "c"), "one\ntwo three\"");
    assert_string_equal(at(root, "d"), "it's");
    assert_string_equal(at(root, "e"), "");
}

static void test_parse_places_count_lines_and_bytes(void **state)
{
    (void)state;
    const ArcYamlNode *root = parse("\xef\xbb\xbf"
                                    "# \xc3\xa9\r\n"
                                    "[ cam ]\r\n"
                                    "k = '\xc3\xa9' \n"
                                    "m = ['\xc3\xa9', 2]\n");
    const ArcYamlNode *cam = root->first;
    assert_int_equal(cam->place.line, 2);
    assert_int_equal(cam->place.column, 3);
    assert_int_equal(cam->first->key_place.line, 3);
    assert_int_equal(cam->first->place.column, 5);
    assert_int_equal(cam->last->last->place.line, 4);
    assert_int_equal(cam->last->last->place.column, 12);
    assert_string_equal(cam->last->place.file, "f.toml");
}

static void assert_refused_bytes(const char *text, size_t size, const char *message)
{
    ArcYamlNode *root = NULL;
    error = (ArcError){ARC_OK, ""};
    ArcStatus status = arc_toml_parse("f.toml", text, size, arena, &root, &error);
    if (status != ARC_INPUT || strncmp(error.text, message, strlen(message)) != 0)
        fail_msg("status %d, '%s' instead of '%s'", (int)status, error.text, message);
    assert_null(root);
}

static void assert_refused(const char *text, const char *message)
{
    assert_refused_bytes(text, strlen(text), message);
}

static void test_parse_refusals_have_their_place(void **state)
{
    (void)state;
    assert_refused("", "f.toml:1:1: error: empty");
    assert_refused("\n# nothing\n", "f.toml:1:1: error: empty");
    assert_refused("a = 1\na = 2\n",
                   "f.toml:2:1: error: the key 'a' is given twice, first in line 1");
    assert_refused("[t]\nb=1\n[t]\n",
                   "f.toml:3:2: error: the table 't' is given twice, first in line 1");
    assert_refused("[t]\n[[t]]\n", "f.toml:2:3: error: the table 't' is given twice");
    assert_refused("t = 1\n[t]\n", "f.toml:2:2: error: the table 't' is given twice");
    assert_refused("t = 1\nt.x = 2\n", "f.toml:2:1: error: the key 't' is given twice");
    assert_refused("t = [1]\n[[t]]\n", "f.toml:2:3: error: the table 't' is given twice");
    assert_refused("t = {a = 1}\nt.b = 2\n", "f.toml:2:1: error: the key 't' is given twice");
    assert_refused("a = 3 mm\n", "f.toml:1:7: error: one key or table a line; here is 'm'");
    assert_refused("a = mm\n", "f.toml:1:5: error: 'mm' is no value; a text stands in quotes");
    assert_refused("a = 1,5\n", "f.toml:1:6: error: one key or table a line; here is ','");
    assert_refused("a = \n", "f.toml:1:5: error: a value is missing; the line ends here");
    assert_refused("a =", "f.toml:1:4: error: a value is missing; the file ends here");
    assert_refused("a : 1\n", "f.toml:1:3: error: a key and its value stand on one line, with '='");
    assert_refused("= 1\n", "f.toml:1:1: error: a key is missing; here is '='");
    assert_refused("\xc3\xa9 = 1\n", "f.toml:1:1: error: a key is missing; here is '\xc3\xa9'");
    assert_refused("[t\nx = 1\n", "f.toml:1:3: error: ']' is missing behind the table's name");
    assert_refused("[[t]\n", "f.toml:1:4: error: ']]' is missing behind the table's name");
    assert_refused(
        "a = [1, 2\nb = 3\n",
        "f.toml:2:1: error: an array goes on with a comma or ends with ']'; here is 'b'");
    assert_refused("a = [1, [2, 3\n", "f.toml:2:1: error: an array goes on");
    assert_refused("a = {b = 1 c = 2}\n", "f.toml:1:12: error: a table in braces goes on");
    assert_refused("\na = \"open\nb = 1\n",
                   "f.toml:2:5: error: a string that starts here has no end");
    assert_refused("a = '''open\nb = 1\n",
                   "f.toml:1:5: error: a string that starts here has no end");
    assert_refused("a = \"\\q\"\n", "f.toml:1:7: error: an escape must be one of");
    assert_refused("a = \"\\ud800\"\n", "f.toml:1:7: error: an escape must be one of");
    assert_refused("a = \"\\u00g0\"\n", "f.toml:1:7: error: an escape must be one of");
}

static void test_parse_bytes_that_are_no_text_are_refused(void **state)
{
    (void)state;
    assert_refused("a = 1\nb = '\xff'\n", "f.toml:2:6: error: not UTF-8 text (byte 0xff)");
    assert_refused("a = '\x01'\n", "f.toml:1:6: error: not UTF-8 text (byte 0x01)");
    assert_refused_bytes("a = 1\nb\0", 8, "f.toml:2:2: error: not UTF-8 text (byte 0x00)");
}

static void test_parse_limits_are_enforced(void **state)
{
    (void)state;
    size_t size = ARC_YAML_MAX_BYTES + 1, used = 0;
    char *text = arc_arena_alloc(arena, size + 1, 1);
    memset(text, '#', size);
    assert_refused(text, "f.toml:1:1: error: too large: 1048577 bytes");
    memset(text, '[', 70);
    memcpy(text, "a=", 2);
    text[70] = '\0';
    assert_refused(text, "f.toml:1:66: error: nested deeper than 64 levels");
    for (int i = 0; i < 65; i++)
        used += (size_t)snprintf(text + used, size - used, "%sa", i == 0 ? "" : ".");
    snprintf(text + used, size - used, "=1");
    assert_refused(text, "f.toml:1:127: error: nested deeper than 64 levels");
    used = 0;
    for (int i = 0; i <= ARC_YAML_MAX_KEYS; i++)
        used += (size_t)snprintf(text + used, size - used, "k%d=1\n", i);
    assert_refused(text, "f.toml:1001:1: error: more than 1000 keys");
}

/* A megabyte of strings is read in linear time and memory. */
static void test_parse_largest_array_is_read(void **state)
{
    (void)state;
    enum { N = 200000 };
    char *text = arc_arena_alloc(arena, 5 * N + 16, 1);
    memcpy(text, "a=[", 3);
    for (int i = 0; i < N; i++)
        memcpy(text + 3 + 5 * i, "'ab',", 5);
    text[3 + 5 * N] = ']';
    assert_int_equal(parse(text)->first->n_children, N);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_parse_tables_arrays_and_scalars_make_a_tree,
                                        make_arena, free_arena),
        cmocka_unit_test_setup_teardown(test_parse_strings_of_all_kinds, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(test_parse_places_count_lines_and_bytes, make_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(test_parse_refusals_have_their_place, make_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(test_parse_bytes_that_are_no_text_are_refused, make_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(test_parse_limits_are_enforced, make_arena, free_arena),
        cmocka_unit_test_setup_teardown(test_parse_largest_array_is_read, make_arena, free_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
