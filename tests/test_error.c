/* Statuses, exit codes and one-line messages. */
#include "arcfit/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_status_text_each_status_has_its_own_words(void **state)
{
    (void)state;
    assert_string_equal(arc_status_text(ARC_OK), "ok");
    assert_string_equal(arc_status_text(ARC_USAGE), "bad usage");
    assert_string_equal(arc_status_text(ARC_INPUT), "bad input");
    assert_string_equal(arc_status_text(ARC_MEMORY), "out of memory");
    assert_string_equal(arc_status_text(ARC_SYSTEM), "system failure");
    assert_string_equal(arc_status_text(ARC_NUMERIC), "numerical failure");
    assert_string_equal(arc_status_text(ARC_INTERRUPTED), "interrupted");
    assert_string_equal(arc_status_text((ArcStatus)99), "unknown status");
}

static void test_status_exit_code_follows_the_interface(void **state)
{
    (void)state;
    assert_int_equal(arc_status_exit_code(ARC_OK), 0);
    assert_int_equal(arc_status_exit_code(ARC_NUMERIC), 1);
    assert_int_equal(arc_status_exit_code(ARC_USAGE), 2);
    assert_int_equal(arc_status_exit_code(ARC_INPUT), 2);
    assert_int_equal(arc_status_exit_code(ARC_MEMORY), 3);
    assert_int_equal(arc_status_exit_code(ARC_SYSTEM), 3);
    assert_int_equal(arc_status_exit_code(ARC_INTERRUPTED), 130);
    assert_int_equal(arc_status_exit_code((ArcStatus)99), 3);
}

static void test_error_set_at_puts_the_place_first(void **state)
{
    (void)state;
    ArcError err;
    ArcPlace place = {"a.yaml", 12, 5};
    ArcStatus status = arc_error_set_at(&err, ARC_INPUT, place, "unknown key '%s'", "sgima");
    assert_int_equal(status, ARC_INPUT);
    assert_int_equal(err.status, ARC_INPUT);
    assert_string_equal(err.text, "a.yaml:12:5: error: unknown key 'sgima'");
}

static void test_error_set_control_characters_stay_on_one_line(void **state)
{
    (void)state;
    ArcError err;
    arc_error_set(&err, ARC_USAGE, "a%sb\x1b[0m \xc2\xb5s\xc2\x9b", "\r\n");
    assert_int_equal(err.status, ARC_USAGE);
    assert_string_equal(err.text, "a??b?[0m \xc2\xb5s??");
}

static void test_error_set_long_text_is_cut_and_terminated(void **state)
{
    (void)state;
    char word[3000];
    memset(word, 'w', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    ArcError err;
    memset(&err, 'x', sizeof err);
    arc_error_set(&err, ARC_INPUT, "%s", word);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    arc_error_set_at(&err, ARC_INPUT, (ArcPlace){word, 3, 4}, "what is wrong");
    assert_non_null(strstr(err.text, "www:3:4: error: what is wrong"));
}

static void test_error_set_without_error_still_gives_the_status(void **state)
{
    (void)state;
    assert_int_equal(arc_error_set(NULL, ARC_SYSTEM, "x"), ARC_SYSTEM);
    assert_int_equal(arc_error_set_at(NULL, ARC_INPUT, (ArcPlace){"f", 1, 1}, "x"), ARC_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status_text_each_status_has_its_own_words),
        cmocka_unit_test(test_status_exit_code_follows_the_interface),
        cmocka_unit_test(test_error_set_at_puts_the_place_first),
        cmocka_unit_test(test_error_set_control_characters_stay_on_one_line),
        cmocka_unit_test(test_error_set_long_text_is_cut_and_terminated),
        cmocka_unit_test(test_error_set_without_error_still_gives_the_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
