/* The growing text and the nearest name. */
#include "base/text.h"

#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static bool refuse(void *context, size_t size)
{
    size_t *limit = context;
    return size <= *limit;
}

static int remove_hook(void **state)
{
    (void)state;
    arc_memory_set_hook(NULL, NULL);
    return 0;
}

static void test_text_append_grows_and_keeps_all(void **state)
{
    (void)state;
    ArcText text = {0};
    for (int i = 0; i < 5000; i++)
        arc_text_append(&text, "%04d;", i);
    arc_text_append_bytes(&text, "a\0b", 3);
    assert_int_equal(text.size, 25003);
    char *bytes = NULL;
    assert_int_equal(arc_text_finish(&text, &bytes, NULL), ARC_OK);
    assert_memory_equal(bytes + 4999 * 5, "4999;a\0b", 9);
    assert_memory_equal(bytes, "0000;0001;", 10);
    assert_null(text.bytes);
    arc_text_free(bytes);
}

static void test_text_finish_empty_is_an_empty_text(void **state)
{
    (void)state;
    ArcText text = {0};
    char *bytes = NULL;
    assert_int_equal(arc_text_finish(&text, &bytes, NULL), ARC_OK);
    assert_string_equal(bytes, "");
    arc_text_free(bytes);
    arc_text_free(NULL);
}

static void test_text_finish_exhaustion_is_remembered(void **state)
{
    (void)state;
    size_t limit = 2048;
    arc_memory_set_hook(refuse, &limit);
    ArcText text = {0};
    for (int i = 0; i < 300; i++)
        arc_text_append(&text, "ten bytes.");
    arc_memory_set_hook(NULL, NULL);
    arc_text_append(&text, "more");
    char *bytes = NULL;
    ArcError err;
    assert_int_equal(arc_text_finish(&text, &bytes, &err), ARC_MEMORY);
    assert_null(bytes);
    assert_int_equal(err.status, ARC_MEMORY);
}

static void test_text_nearest_finds_slips_and_nothing_else(void **state)
{
    (void)state;
    static const char *const names[] = {"sigma", "file", "format", "window", "every"};
    assert_string_equal(arc_text_nearest("sgima", 5, names), "sigma");
    assert_string_equal(arc_text_nearest("fil", 5, names), "file");
    assert_string_equal(arc_text_nearest("windows", 5, names), "window");
    assert_string_equal(arc_text_nearest("every", 5, names), "every");
    assert_null(arc_text_nearest("gravity", 5, names));
    assert_null(arc_text_nearest("x", 5, names));
    assert_null(arc_text_nearest("", 5, names));
    char word[200];
    memset(word, 'e', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_null(arc_text_nearest(word, 5, names));
}

static void test_text_save_writes_all_or_tells(void **state)
{
    (void)state;
    char folder[] = "/tmp/arcfit-test-text-XXXXXX", path[64], back[16] = "";
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.txt", folder);
    assert_int_equal(arc_text_save("a line\n", path, NULL), ARC_OK);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    assert_int_equal(fread(back, 1, sizeof back - 1, stream), 7);
    fclose(stream);
    assert_string_equal(back, "a line\n");
    assert_int_equal(arc_text_save("a line\n", folder, NULL), ARC_SYSTEM);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_append_grows_and_keeps_all),
        cmocka_unit_test(test_text_finish_empty_is_an_empty_text),
        cmocka_unit_test_teardown(test_text_finish_exhaustion_is_remembered, remove_hook),
        cmocka_unit_test(test_text_save_writes_all_or_tells),
        cmocka_unit_test(test_text_nearest_finds_slips_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
