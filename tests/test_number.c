/* Numbers as text: the grammar, the bits, and the process's locale, which must not matter. */
#include "base/number.h"

#include "base/random.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static double read_all(const char *text)
{
    double value = -99.0;
    assert_true(arc_number_read(text, strlen(text), &value));
    return value;
}

static void assert_same_bits(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void test_number_read_forms_give_their_values(void **state)
{
    (void)state;
    assert_same_bits(read_all("0"), 0.0);
    assert_same_bits(read_all("-0"), -0.0);
    assert_same_bits(read_all("+1.5"), 1.5);
    assert_same_bits(read_all(".5"), 0.5);
    assert_same_bits(read_all("5."), 5.0);
    assert_same_bits(read_all("1E1"), 10.0);
    assert_same_bits(read_all("1.234E-05"), 1.234e-5);
    assert_same_bits(read_all("2e+002"), 200.0);
    assert_same_bits(read_all("9007199254740993"), 9007199254740992.0);
    assert_same_bits(read_all("2.2250738585072011e-308"), 2.2250738585072011e-308);
    assert_same_bits(read_all("1e-999"), 0.0);
    assert_same_bits(read_all("-1e999"), -HUGE_VAL);
}

static void test_number_read_other_texts_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",    "-",     "+",    ".",   "e5",          "-.",    "1e",
                                      "1e+", "1 ",    " 1",   "1,5", "inf",         "nan",   "0x1p",
                                      "1_0", "1.2.3", "--1",  "1d5", "1f",          "1'000", "NaN",
                                      "+-1", "1e1.5", "0x10", "INF", "\xe2\x88\x92"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value = 7.0;
        assert_false(arc_number_read(bad[i], strlen(bad[i]), &value));
        assert_same_bits(value, 7.0);
    }
    char longest[600];
    memset(longest, '1', sizeof longest);
    double value;
    assert_false(arc_number_read(longest, sizeof longest, &value));
    assert_true(arc_number_read(longest, 300, &value));
}

static void test_number_read_prefix_takes_the_longest_number(void **state)
{
    (void)state;
    double value;
    assert_int_equal(arc_number_read_prefix("3 mm", 4, &value), 1);
    assert_same_bits(value, 3.0);
    assert_int_equal(arc_number_read_prefix("1.5e", 4, &value), 3);
    assert_same_bits(value, 1.5);
    assert_int_equal(arc_number_read_prefix("2e3m", 4, &value), 3);
    assert_same_bits(value, 2000.0);
    assert_int_equal(arc_number_read_prefix("12345", 2, &value), 2);
    assert_same_bits(value, 12.0);
    assert_int_equal(arc_number_read_prefix("m", 1, &value), 0);
}

static void test_number_read_integer_limits_are_kept(void **state)
{
    (void)state;
    long long value = 0;
    assert_true(arc_number_read_integer("-42", 3, &value));
    assert_true(value == -42);
    assert_true(arc_number_read_integer("9223372036854775807", 19, &value));
    assert_true(value == INT64_MAX);
    assert_false(arc_number_read_integer("9223372036854775808", 19, &value));
    assert_false(arc_number_read_integer("1.0", 3, &value));
    assert_false(arc_number_read_integer("1e3", 3, &value));
    assert_false(arc_number_read_integer("", 0, &value));
    assert_false(arc_number_read_integer("-", 1, &value));
    assert_false(arc_number_read_integer(" 1", 2, &value));
}

static void test_number_write_reads_back_as_the_same_bits(void **state)
{
    (void)state;
    char text[ARC_NUMBER_TEXT];
    ArcRandom random = arc_random_create(7, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = arc_random_bits(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        assert_same_bits(read_all(arc_number_write(text, value)), value);
    }
    assert_same_bits(read_all(arc_number_write(text, 5e-324)), 5e-324);
    assert_same_bits(read_all(arc_number_write(text, -0.0)), -0.0);
}

static void test_number_write_is_short(void **state)
{
    (void)state;
    char text[ARC_NUMBER_TEXT];
    assert_string_equal(arc_number_write(text, 0.1), "0.1");
    assert_string_equal(arc_number_write(text, 9.80665), "9.80665");
    assert_string_equal(arc_number_write(text, 0.1 + 0.2), "0.30000000000000004");
    assert_string_equal(arc_number_write(text, NAN), "nan");
    assert_string_equal(arc_number_write(text, INFINITY), "inf");
    assert_string_equal(arc_number_write(text, -INFINITY), "-inf");
    assert_string_equal(arc_number_write_digits(text, 3.14159, 3), "3.14");
}

static void test_number_comma_locale_changes_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nb_NO.UTF-8",
                                        "es_ES.UTF-8", "de_DE",      "pl_PL.UTF-8"};
    bool is_set = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !is_set; i++)
        is_set = setlocale(LC_ALL, names[i]) != NULL;
    if (!is_set || strcmp(localeconv()->decimal_point, ",") != 0) {
        print_message("no locale with a decimal comma is installed\n");
        setlocale(LC_ALL, "C");
        skip();
    }
    char text[ARC_NUMBER_TEXT];
    assert_string_equal(arc_number_write(text, 1234.5), "1234.5");
    assert_string_equal(arc_number_write_digits(text, 0.25, 3), "0.25");
    assert_same_bits(read_all("1234.5"), 1234.5);
    double value;
    assert_false(arc_number_read("1,5", 3, &value));
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_read_forms_give_their_values),
        cmocka_unit_test(test_number_read_other_texts_are_refused),
        cmocka_unit_test(test_number_read_prefix_takes_the_longest_number),
        cmocka_unit_test(test_number_read_integer_limits_are_kept),
        cmocka_unit_test(test_number_write_reads_back_as_the_same_bits),
        cmocka_unit_test(test_number_write_is_short),
        cmocka_unit_test(test_number_comma_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
