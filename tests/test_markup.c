/* Texts of users made harmless, and numbers in all units. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "page/markup.h"

#include <math.h>
#include <string.h>

static void check(ArcText *page, const char *expected)
{
    assert_false(page->failed);
    assert_string_equal(page->bytes == NULL ? "" : page->bytes, expected);
    arc_text_free(page->bytes);
    *page = (ArcText){0};
}

static void test_markup_text_markup_is_text(void **state)
{
    (void)state;
    ArcText page = {0};
    arc_markup_text(&page, "a<b>&\"c\"'\n\td");
    check(&page, "a&lt;b&gt;&amp;&quot;c&quot;&#39;\n\td");
    arc_markup_text(&page, "");
    check(&page, "");
}

static void test_markup_text_what_is_not_seen_is_shown(void **state)
{
    (void)state;
    ArcText page = {0};
    arc_markup_text(&page, "\x01\x1f\x7f");
    check(&page, "\xe2\x90\x81\xe2\x90\x9f\xe2\x90\xa1");
    arc_markup_text(&page, "a\xe2\x80\xae"
                           "b\xe2\x81\xa6\xc2\x85");
    check(&page, "a[U+202E]b[U+2066][U+0085]");
    arc_markup_text(&page, "\xff\xc3(\xe2\x80");
    check(&page, "\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd");
    arc_markup_text(&page, "\xd7\x90\xf0\x9f\x98\x80\xe2\x80\x8f");
    check(&page, "\xd7\x90\xf0\x9f\x98\x80\xe2\x80\x8f");
}

static void test_markup_name_has_its_own_direction(void **state)
{
    (void)state;
    ArcText page = {0};
    arc_markup_name(&page, "<");
    check(&page, "<bdi>&lt;</bdi>");
}

static void test_markup_json_ends_no_script(void **state)
{
    (void)state;
    ArcText page = {0};
    arc_markup_json(&page, "</script>&\"\\\n\t\x01\xe2\x80\xa8\xe2\x80\xa9");
    check(&page, "\"\\u003c/script\\u003e\\u0026\\\"\\\\\\n\\t\xe2\x90\x81\\u2028\\u2029\"");
}

static void test_markup_id_keeps_names_apart(void **state)
{
    (void)state;
    ArcText page = {0};
    arc_markup_id(&page, "profile-a b_\"\xc3\xa9.");
    check(&page, "profile-a.20b_.22.c3.a9.2e");
}

static void test_markup_number_has_as_few_digits_as_it_needs(void **state)
{
    (void)state;
    ArcText page = {0};
    const double values[] = {0.5, -3, 1.0 / 3.0, 1e-12, 123456789.123, NAN, INFINITY};
    const char *const texts[] = {"0.5", "-3", "0.333333333", "1e-12", "123456789", "null", "null"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        arc_markup_number(&page, values[i]);
        check(&page, texts[i]);
    }
}

static void test_markup_unit_is_read(void **state)
{
    (void)state;
    ArcText page = {0};
    static const char *const units[][2] = {{"1", ""},
                                           {"deg", "°"},
                                           {"degC", "&nbsp;°C"},
                                           {"m/s^2", "&nbsp;m/s²"},
                                           {"kg/m^3", "&nbsp;kg/m³"},
                                           {"m^20", "&nbsp;m^20"},
                                           {"\xc3\xa9<", "&nbsp;\xc3\xa9&lt;"}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        arc_markup_unit(&page, units[i][0]);
        check(&page, units[i][1]);
    }
}

static void test_markup_value_is_there_in_all_units(void **state)
{
    (void)state;
    ArcText page = {0};
    arc_markup_value(&page, 1.5, 0.25, "s");
    check(&page, "1.50 ± 0.25&nbsp;s");
    arc_markup_value(&page, 3.048, 0.3048, "m");
    check(&page, "<span class=\"in-si\">3.05 ± 0.30&nbsp;m</span>"
                 "<span class=\"in-metric\">3.05 ± 0.30&nbsp;m</span>"
                 "<span class=\"in-imperial\">10.0 ± 1.0&nbsp;ft</span>");
    /* A temperature has an offset, its sd has none. */
    arc_markup_value(&page, 300, 1, "K");
    check(&page, "<span class=\"in-si\">300.0 ± 1.0&nbsp;K</span>"
                 "<span class=\"in-metric\">26.9 ± 1.0&nbsp;°C</span>"
                 "<span class=\"in-imperial\">80.3 ± 1.8&nbsp;°F</span>");
}

static void test_markup_interval_open_end_is_said(void **state)
{
    (void)state;
    ArcText page = {0};
    const double interval[2] = {0.25, INFINITY};
    arc_markup_interval(&page, interval, 0.1, "s");
    check(&page, "0.25 to open&nbsp;s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markup_text_markup_is_text),
        cmocka_unit_test(test_markup_text_what_is_not_seen_is_shown),
        cmocka_unit_test(test_markup_name_has_its_own_direction),
        cmocka_unit_test(test_markup_json_ends_no_script),
        cmocka_unit_test(test_markup_id_keeps_names_apart),
        cmocka_unit_test(test_markup_number_has_as_few_digits_as_it_needs),
        cmocka_unit_test(test_markup_unit_is_read),
        cmocka_unit_test(test_markup_value_is_there_in_all_units),
        cmocka_unit_test(test_markup_interval_open_end_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
