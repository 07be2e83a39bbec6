/* Gzip: round trip, several members, damage, truncation, a bomb, and exhaustion. */
#include "io/gzip.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "slow.h"

static char path[] = "/tmp/arcfit-gzip-XXXXXX";
static ArcArena *arena;

static int make_file(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    arena = arc_arena_create();
    return descriptor < 0 || arena == NULL ? -1 : close(descriptor);
}

static int remove_file(void **state)
{
    (void)state;
    arc_arena_free(arena);
    return unlink(path);
}

static ArcStatus read_back(const void *bytes, size_t size, char **text, size_t *n, ArcError *err)
{
    assert_int_equal(arc_file_replace(path, bytes, size, NULL), ARC_OK);
    return arc_gzip_read_file(path, (ArcPlace){"e.yaml", 2, 3}, arena, text, n, err);
}

static void assert_refused(const void *bytes, size_t size, const char *reason)
{
    char *text = NULL;
    size_t n = 0;
    ArcError err = {0};
    assert_int_equal(read_back(bytes, size, &text, &n, &err), ARC_INPUT);
    char expected[256];
    snprintf(expected, sizeof expected, "%s:1:1: error: cannot read the gzip file: %s", path,
             reason);
    if (strncmp(err.text, expected, strlen(expected)) != 0)
        fail_msg("'%s' does not begin with '%s'", err.text, expected);
    assert_null(text);
}

/* Text that neither is trivial to compress nor random. */
static char *some_text(size_t size)
{
    char *text = arc_arena_alloc(arena, size + 1, 1);
    for (size_t i = 0; i < size; i++)
        text[i] = (char)('0' + (i * i / 7 + i / 1000) % 10);
    return text;
}

static void test_gzip_compress_round_trip_gives_the_same_bytes(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 1000000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char *text = some_text(sizes[i]), *packed, *again, *back = NULL;
        size_t n, m, size;
        assert_int_equal(arc_gzip_compress(text, sizes[i], arena, &packed, &n, NULL), ARC_OK);
        assert_int_equal(arc_gzip_compress(text, sizes[i], arena, &again, &m, NULL), ARC_OK);
        assert_int_equal(n, m);
        assert_memory_equal(packed, again, n);
        assert_memory_equal(packed + 4, "\0\0\0\0", 4); /* no modification time */
        assert_int_equal(read_back(packed, n, &back, &size, NULL), ARC_OK);
        assert_int_equal(size, sizes[i]);
        assert_memory_equal(back, text, size);
        assert_int_equal(back[size], '\0');
    }
}

static void test_gzip_read_file_plain_bytes_pass(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    assert_int_equal(read_back("time_s,x_m\n", 11, &text, &size, NULL), ARC_OK);
    assert_string_equal(text, "time_s,x_m\n");
    assert_int_equal(read_back("\x1f", 1, &text, &size, NULL), ARC_OK);
    assert_int_equal(size, 1);
}

static void test_gzip_read_file_members_are_joined(void **state)
{
    (void)state;
    char *a, *b, *text = NULL;
    size_t n, m, size;
    assert_int_equal(arc_gzip_compress("first\n", 6, arena, &a, &n, NULL), ARC_OK);
    assert_int_equal(arc_gzip_compress("second\n", 7, arena, &b, &m, NULL), ARC_OK);
    char *both = arc_arena_alloc(arena, n + m + 512, 1);
    memcpy(both, a, n);
    memcpy(both + n, b, m);
    assert_int_equal(read_back(both, n + m, &text, &size, NULL), ARC_OK);
    assert_string_equal(text, "first\nsecond\n");
    /* Zeros behind the end are padding, other bytes are damage. */
    assert_int_equal(read_back(both, n + m + 512, &text, &size, NULL), ARC_OK);
    assert_string_equal(text, "first\nsecond\n");
    both[n + m + 5] = 'x';
    assert_refused(both, n + m + 512, "other bytes stand behind its end");
    assert_refused(both, n + m - 3, "it is cut short");
}

static void test_gzip_read_file_every_truncation_is_refused(void **state)
{
    (void)state;
    char *text = some_text(300), *packed;
    size_t n;
    assert_int_equal(arc_gzip_compress(text, 300, arena, &packed, &n, NULL), ARC_OK);
    for (size_t size = 2; size < n; size++)
        assert_refused(packed, size, "it is cut short");
}

static void test_gzip_read_file_damage_is_refused(void **state)
{
    (void)state;
    char *text = some_text(3000), *packed;
    size_t n;
    assert_int_equal(arc_gzip_compress(text, 3000, arena, &packed, &n, NULL), ARC_OK);
    packed[n - 6] ^= 1; /* in the checksum */
    assert_refused(packed, n, "incorrect data check");
    packed[n - 6] ^= 1;
    packed[2] = 3; /* no such method */
    assert_refused(packed, n, "unknown compression method");
}

static void test_gzip_read_file_bomb_is_refused_at_the_cap(void **state)
{
    (void)state;
    SKIP_UNDER_SANITIZERS();
    size_t size = (size_t)ARC_GZIP_MAX_BYTES + 1, n;
    char *zeros = calloc(size, 1), *packed;
    assert_non_null(zeros);
    assert_int_equal(arc_gzip_compress(zeros, size, arena, &packed, &n, NULL), ARC_OK);
    assert_refused(packed, n, "too large (at most 256 MB decompressed)");
    char *text = NULL;
    assert_int_equal(arc_gzip_compress(zeros, size - 1, arena, &packed, &n, NULL), ARC_OK);
    assert_int_equal(read_back(packed, n, &text, &size, NULL), ARC_OK);
    assert_int_equal(size, ARC_GZIP_MAX_BYTES);
    free(zeros);
}

static void test_gzip_read_file_missing_is_refused_where_named(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    ArcError err;
    assert_int_equal(arc_gzip_read_file("/tmp/arcfit-no-such-file", (ArcPlace){"e.yaml", 2, 3},
                                        arena, &text, &size, &err),
                     ARC_INPUT);
    assert_non_null(strstr(err.text, "e.yaml:2:3: error: cannot open"));
}

static bool refuse_from(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

static void test_gzip_exhaustion_at_each_block_is_reported(void **state)
{
    (void)state;
    char *text = some_text(100000), *packed, *keep;
    size_t n, m;
    assert_int_equal(arc_gzip_compress(text, 100000, arena, &keep, &m, NULL), ARC_OK);
    assert_int_equal(arc_file_replace(path, keep, m, NULL), ARC_OK);
    int n_failed = 0;
    for (int allowed = 1;; allowed++) {
        int left = allowed;
        arc_memory_set_hook(refuse_from, &left);
        ArcArena *small = arc_arena_create();
        ArcError err = {0};
        char *back = NULL;
        ArcStatus status = arc_gzip_compress(text, 100000, small, &packed, &n, &err);
        if (status == ARC_OK)
            status = arc_gzip_read_file(path, (ArcPlace){0}, small, &back, &n, &err);
        arc_memory_set_hook(NULL, NULL);
        arc_arena_free(small);
        if (status == ARC_OK)
            break;
        n_failed++;
        assert_int_equal(status, ARC_MEMORY);
        assert_int_equal(err.status, ARC_MEMORY);
        assert_null(back);
    }
    assert_true(n_failed >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gzip_compress_round_trip_gives_the_same_bytes),
        cmocka_unit_test(test_gzip_read_file_plain_bytes_pass),
        cmocka_unit_test(test_gzip_read_file_members_are_joined),
        cmocka_unit_test(test_gzip_read_file_every_truncation_is_refused),
        cmocka_unit_test(test_gzip_read_file_damage_is_refused),
        cmocka_unit_test(test_gzip_read_file_bomb_is_refused_at_the_cap),
        cmocka_unit_test(test_gzip_read_file_missing_is_refused_where_named),
        cmocka_unit_test(test_gzip_exhaustion_at_each_block_is_reported),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
