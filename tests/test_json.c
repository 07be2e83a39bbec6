/* JSON writing: what Jansson reads back, NaN as null, text that is no UTF-8, exhaustion, locale. */
#include "io/json.h"

#include "arcfit/text.h"
#include "base/arena.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static char *write_sample(ArcStatus *status)
{
    ArcJson json = {0};
    char *text = NULL;
    const double values[] = {1, 0.1, NAN, 1e-300, -2.5, INFINITY};
    json_t *root = arc_json_object(&json);
    arc_json_put_number(&json, root, "tenth", 0.1);
    arc_json_put_number(&json, root, "none", NAN);
    arc_json_put_integer(&json, root, "points", 6);
    arc_json_put_bool(&json, root, "converged", true);
    arc_json_put_string(&json, root, "name", "a \"b\"\n\xc3\xa9\xff\xed\xa0\x80");
    arc_json_put_string(&json, root, "nothing", NULL);
    arc_json_put(&json, root, "vector", arc_json_vector(&json, 3, values));
    arc_json_put(&json, root, "matrix", arc_json_matrix(&json, 2, 3, values));
    json_t *list = arc_json_array(&json);
    arc_json_push(&json, list, arc_json_number(&json, 2));
    arc_json_put(&json, root, "list", list);
    *status = arc_json_text(&json, root, &text, NULL);
    return text;
}

static void test_json_text_sample_reads_back(void **state)
{
    (void)state;
    ArcStatus status;
    char *text = write_sample(&status);
    assert_int_equal(status, ARC_OK);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_true(json_real_value(json_object_get(root, "tenth")) == 0.1);
    assert_true(json_is_null(json_object_get(root, "none")));
    assert_true(json_is_null(json_object_get(root, "nothing")));
    assert_int_equal(json_integer_value(json_object_get(root, "points")), 6);
    assert_true(json_is_true(json_object_get(root, "converged")));
    assert_string_equal(json_string_value(json_object_get(root, "name")),
                        "a \"b\"\n\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    json_t *matrix = json_object_get(root, "matrix");
    assert_int_equal(json_array_size(matrix), 2);
    assert_true(json_real_value(json_array_get(json_array_get(matrix, 1), 0)) == 1e-300);
    assert_true(json_is_null(json_array_get(json_array_get(matrix, 1), 2)));
    assert_int_equal(json_array_size(json_object_get(root, "vector")), 3);
    assert_int_equal(text[strlen(text) - 1], '\n');
    json_decref(root);
    arc_text_free(text);
}

/* A parameter's name in a result that someone else made. */
static void test_json_put_key_that_is_no_utf8_is_replaced(void **state)
{
    (void)state;
    ArcJson json = {0};
    char *text = NULL;
    json_t *root = arc_json_object(&json);
    arc_json_put_number(&json, root, "k\xff\xc3\xa9", 2);
    assert_int_equal(arc_json_text(&json, root, &text, NULL), ARC_OK);
    assert_string_equal(text, "{\n  \"k\xef\xbf\xbd\xc3\xa9\": 2.0\n}\n");
    arc_text_free(text);
}

static void test_json_text_comma_locale_writes_points(void **state)
{
    (void)state;
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL)
        skip();
    ArcStatus status;
    char *text = write_sample(&status);
    setlocale(LC_NUMERIC, "C");
    assert_int_equal(status, ARC_OK);
    assert_non_null(strstr(text, "0.1"));
    arc_text_free(text);
}

static int allocations_left;

static void *limited_malloc(size_t size)
{
    return allocations_left-- > 0 ? malloc(size) : NULL;
}

static void test_json_text_exhaustion_gives_memory(void **state)
{
    (void)state;
    json_set_alloc_funcs(limited_malloc, free);
    int refused = 0;
    ArcStatus status = ARC_MEMORY;
    for (int n = 0; n < 1000 && status != ARC_OK; n++) {
        allocations_left = n;
        char *text = write_sample(&status);
        if (status != ARC_OK) {
            assert_int_equal(status, ARC_MEMORY);
            assert_null(text);
            refused++;
        }
        arc_text_free(text);
    }
    json_set_alloc_funcs(malloc, free);
    assert_int_equal(status, ARC_OK);
    assert_true(refused > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_text_sample_reads_back),
        cmocka_unit_test(test_json_put_key_that_is_no_utf8_is_replaced),
        cmocka_unit_test(test_json_text_comma_locale_writes_points),
        cmocka_unit_test(test_json_text_exhaustion_gives_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
