/* The schema's own language: every row that is more than a plain value has a shape that reads, what
 * is no shape is told, and memory that runs out is told. tests/check_schema has the rest. */
#include "experiment/schema.h"

#include "base/arena.h"
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "slow.h"

/* Where the shape's text goes wrong; NULL: nowhere. */
static const char *wrong_of(const ArcSettingRow *row)
{
    ArcSchema schema = {.arena = arc_arena_create()};
    const char *wrong = NULL;
    json_decref(arc_schema_shape(&schema, row, -1, &wrong));
    assert_false(schema.json.failed);
    arc_arena_free(schema.arena);
    return wrong;
}

static void test_shape_every_special_row_has_one_that_reads(void **state)
{
    (void)state;
    int n = 0;
    const ArcSettingRow *row;
    for (int i = 0; (row = arc_setting_at(i)) != NULL; i++) {
        bool is_special = row->type == ARC_SETTING_SPECIAL || row->type == ARC_SETTING_PARAMETER;
        if (is_special && row->shape == NULL)
            fail_msg("%s has no shape for the schema", row->path);
        if (row->shape != NULL && wrong_of(row) != NULL)
            fail_msg("%s: the shape goes wrong at '%s'", row->path, wrong_of(row));
        n += row->shape != NULL;
    }
    assert_true(n > 90);
}

static void test_shape_slips_are_told(void **state)
{
    (void)state;
    static const char *const slips[] = {"NUMBR", "[NUMBER",   "[NUMBER 2",       "none|",  "", "[]",
                                        "A;",    "none none", "[NUMBER 2 uniq]", "NUMBER]"};
    ArcSettingRow row = *arc_setting_find("flight.gravity");
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        row.shape = slips[i];
        if (wrong_of(&row) == NULL)
            fail_msg("'%s' passes for a shape", slips[i]);
    }
}

static void test_schema_text_has_every_key(void **state)
{
    (void)state;
    char *texts[2] = {NULL, NULL}, key[80];
    assert_int_equal(arc_settings_schema(&texts[0], NULL), ARC_OK);
    assert_int_equal(arc_net_schema(&texts[1], NULL), ARC_OK);
    const ArcSettingRow *row;
    for (int i = 0; (row = arc_setting_at(i)) != NULL; i++) {
        const char *name = arc_setting_name(row);
        bool is_net = strncmp(row->path, "net file.", 9) == 0;
        if (strcmp(name, "NAME") == 0)
            continue;
        snprintf(key, sizeof key, "\"%s\": {", name);
        if (strstr(texts[is_net], key) == NULL)
            fail_msg("%s is not in the schema", row->path);
    }
    arc_text_free(texts[0]);
    arc_text_free(texts[1]);
}

/* Of all that is asked for, by us and by Jansson, one block is refused; or all from there on. */
static struct {
    long n, refused_at; /* asked for so far; the one that is refused, -1: none */
    bool goes_on;
} memory;

static bool memory_gives(void)
{
    long i = memory.n++;
    return memory.refused_at < 0 ||
           (memory.goes_on ? i < memory.refused_at : i != memory.refused_at);
}

static bool memory_hook(void *context, size_t size)
{
    (void)context;
    (void)size;
    return memory_gives();
}

static void *jansson_malloc(size_t size)
{
    return memory_gives() ? malloc(size) : NULL;
}

typedef ArcStatus (*SchemaWriter)(char **text, ArcError *err);

/* What was asked for. */
static long write_refused(SchemaWriter write, long refused_at, bool goes_on)
{
    char *text = NULL;
    ArcError err = {ARC_OK, ""};
    memory.n = 0;
    memory.refused_at = refused_at;
    memory.goes_on = goes_on;
    arc_memory_set_hook(memory_hook, NULL);
    json_set_alloc_funcs(jansson_malloc, free);
    ArcStatus status = write(&text, &err);
    json_set_alloc_funcs(malloc, free);
    arc_memory_set_hook(NULL, NULL);
    if (status != (refused_at < 0 ? ARC_OK : ARC_MEMORY) || (text == NULL) != (refused_at >= 0))
        fail_msg("block %ld refused: %d '%s'", refused_at, (int)status, err.text);
    arc_text_free(text);
    return memory.n;
}

/* In about tries places; 0: in all. */
static void refuse_memory(SchemaWriter write, long tries)
{
    long n = write_refused(write, -1, false), step = tries == 0 ? 1 : n / tries + 1;
    assert_true(n > 100);
    for (long i = 0; i < n; i += i < 50 ? 1 : step)
        for (int goes_on = 0; goes_on < 2; goes_on++)
            write_refused(write, i, goes_on);
    write_refused(write, n - 1, false);
}

static void test_schema_short_of_memory_is_told(void **state)
{
    (void)state;
    refuse_memory(arc_net_schema, slow_is_wanted() ? 0 : FEWER(300, 100));
    refuse_memory(arc_settings_schema, slow_is_wanted() ? 2000 : FEWER(60, 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape_every_special_row_has_one_that_reads),
        cmocka_unit_test(test_shape_slips_are_told),
        cmocka_unit_test(test_schema_text_has_every_key),
        cmocka_unit_test(test_schema_short_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
