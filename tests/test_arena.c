/* The arena: alignment, zeroing, growth, overflow, and the hook that injects exhaustion. */
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Allows the first `allowed` blocks and counts all that are asked for. */
typedef struct Budget {
    int allowed;
    int asked;
} Budget;

static bool budget_hook(void *context, size_t size)
{
    Budget *budget = context;
    assert_true(size > 0);
    return budget->asked++ < budget->allowed;
}

static int remove_hook(void **state)
{
    (void)state;
    arc_memory_set_hook(NULL, NULL);
    return 0;
}

static void test_arena_alloc_blocks_are_aligned_zeroed_and_apart(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    assert_non_null(arena);
    unsigned char *blocks[200];
    for (size_t i = 0; i < 200; i++) {
        size_t size = 1 + 97 * i;
        blocks[i] = arc_arena_alloc(arena, size, 1);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 64, 0);
        for (size_t k = 0; k < size; k++)
            assert_int_equal(blocks[i][k], 0);
        memset(blocks[i], (int)i, size);
    }
    for (size_t i = 0; i < 200; i++) {
        assert_int_equal(blocks[i][0], i);
        assert_int_equal(blocks[i][97 * i], i);
    }
    arc_arena_free(arena);
}

static void test_arena_alloc_nothing_is_not_null(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    void *a = arc_arena_alloc(arena, 0, 8);
    void *b = arc_arena_alloc(arena, 8, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    arc_arena_free(arena);
}

static void test_arena_alloc_overflow_is_null(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    assert_non_null(arc_arena_alloc(arena, 10, 1));
    assert_false(arc_arena_is_exhausted(arena));
    assert_null(arc_arena_alloc(arena, SIZE_MAX, 2));
    assert_true(arc_arena_is_exhausted(arena));
    assert_null(arc_arena_alloc(arena, SIZE_MAX / 2, 3));
    assert_null(arc_arena_alloc(arena, SIZE_MAX, 1));
    assert_null(arc_arena_alloc(arena, SIZE_MAX - 200, 1));
    assert_non_null(arc_arena_alloc(arena, 10, 1));
    arc_arena_free(arena);
}

static void test_arena_copy_text_and_format_are_terminated(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    assert_string_equal(arc_arena_copy_text(arena, "throw.csv", 5), "throw");
    assert_string_equal(arc_arena_format(arena, "%s:%d", "f", 3), "f:3");
    arc_arena_free(arena);
}

static void test_memory_set_hook_refusal_gives_null(void **state)
{
    (void)state;
    Budget none = {0, 0};
    arc_memory_set_hook(budget_hook, &none);
    assert_null(arc_arena_create());
    assert_int_equal(none.asked, 1);
    assert_false(arc_memory_allows(1));

    Budget two = {2, 0};
    arc_memory_set_hook(budget_hook, &two);
    ArcArena *arena = arc_arena_create();
    assert_non_null(arena);
    assert_non_null(arc_arena_alloc(arena, 100, 1));
    assert_null(arc_arena_alloc(arena, 1 << 20, 1));
    assert_null(arc_arena_copy_text(arena, "x", (size_t)1 << 20));
    /* What fits into the block that is there needs no new one. */
    int asked = two.asked;
    assert_non_null(arc_arena_alloc(arena, 100, 1));
    assert_int_equal(two.asked, asked);
    arc_arena_free(arena);
}

static void test_arena_free_accepts_null(void **state)
{
    (void)state;
    arc_arena_free(NULL);
    ArcError err;
    assert_int_equal(arc_error_no_memory(&err), ARC_MEMORY);
    assert_string_equal(err.text, "error: out of memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena_alloc_blocks_are_aligned_zeroed_and_apart),
        cmocka_unit_test(test_arena_alloc_nothing_is_not_null),
        cmocka_unit_test(test_arena_alloc_overflow_is_null),
        cmocka_unit_test(test_arena_copy_text_and_format_are_terminated),
        cmocka_unit_test_teardown(test_memory_set_hook_refusal_gives_null, remove_hook),
        cmocka_unit_test(test_arena_free_accepts_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
