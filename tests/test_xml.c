/* XML as a tree. */
#include "arena_case.h"

#include "io/xml.h"

#include <stdlib.h>

static const ArcXmlNode *read_text(const char *text)
{
    ArcXmlNode *root = NULL;
    ArcError err = {ARC_OK, ""};
    if (arc_xml_read("a.xml", text, strlen(text), arena, &root, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return root;
}

static void assert_refused(const char *text, const char *what)
{
    ArcXmlNode *root = NULL;
    ArcError err = {ARC_OK, ""};
    assert_int_equal(arc_xml_read("a.xml", text, strlen(text), arena, &root, &err), ARC_INPUT);
    assert_null(root);
    if (strstr(err.text, what) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, what);
}

static void test_xml_read_elements_attributes_and_text_come(void **state)
{
    (void)state;
    const ArcXmlNode *root =
        read_text("<?xml version=\"1.0\"?>\n<!-- c -->\n<a b=\"1\" c='&lt;2'>\n"
                  " x <d>4</d><![CDATA[<y>]]>\n<d/></a>");
    assert_string_equal(root->name, "a");
    assert_string_equal(root->text, "x <y>");
    assert_string_equal(arc_xml_attribute(root, "c"), "<2");
    assert_true(arc_xml_attribute_is(root, "b", "1"));
    assert_false(arc_xml_attribute_is(root, "e", "1"));
    assert_int_equal(root->line, 3);
    const ArcXmlNode *d = arc_xml_child(root, "d");
    assert_string_equal(d->text, "4");
    assert_int_equal(d->line, 4);
    assert_string_equal(d->next->text, "");
    assert_int_equal(d->next->line, 5);
    assert_null(arc_xml_child(root, "e"));
    assert_null(arc_xml_child(NULL, "e"));
}

static void test_xml_read_any_encoding_is_taken(void **state)
{
    (void)state;
    static const char wide[] = "\xff\xfe<\0a\0>\0\xe9\0<\0/\0a\0>\0";
    ArcXmlNode *root = NULL;
    assert_string_equal(read_text("\xef\xbb\xbf<a>\xc3\xa9</a>")->text, "\xc3\xa9");
    assert_string_equal(
        read_text("<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>\xe9t\xe9</a>")->text,
        "\xc3\xa9t\xc3\xa9");
    assert_int_equal(arc_xml_read("a.xml", wide, sizeof wide - 1, arena, &root, NULL), ARC_OK);
    assert_string_equal(root->text, "\xc3\xa9");
}

static void test_xml_read_damage_has_its_place(void **state)
{
    (void)state;
    assert_refused("", "a.xml:1:1: error:");
    assert_refused("no xml", "a.xml:1:1: error: not well-formed XML");
    assert_refused("<a>\n<b>\n</a>", "a.xml:3:");
    assert_refused("<a>", "not well-formed XML");
    assert_refused("<a b=1/>", "not well-formed XML");
    assert_refused("<a>&other;</a>", "not well-formed XML");
}

static void test_xml_read_document_types_and_depth_are_refused(void **state)
{
    (void)state;
    enum { DEPTH = 5000 };
    static char deep[7 * DEPTH + 1];
    assert_refused("<!-- c --><!DOCTYPE a [<!ENTITY b \"b\">]><a>&b;</a>", "document type");
    assert_refused("<?xml version=\"1.0\"?>\n<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>",
                   "document type");
    for (int i = 0; i < DEPTH; i++) {
        memcpy(deep + 3 * i, "<a>", 3);
        memcpy(deep + 3 * DEPTH + 4 * i, "</a>", 4);
    }
    assert_refused(deep, "not well-formed XML");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_xml_read_elements_attributes_and_text_come),
        cmocka_unit_test(test_xml_read_any_encoding_is_taken),
        cmocka_unit_test(test_xml_read_damage_has_its_place),
        cmocka_unit_test(test_xml_read_document_types_and_depth_are_refused),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}
