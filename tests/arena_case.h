/* What tests of parsers share: an arena for each test, and cmocka. */
#ifndef ARC_TESTS_ARENA_CASE_H
#define ARC_TESTS_ARENA_CASE_H

#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static ArcArena *arena;

static inline int make_arena(void **state)
{
    (void)state;
    arena = arc_arena_create();
    return arena == NULL ? -1 : 0;
}

static inline int free_arena(void **state)
{
    (void)state;
    arc_arena_free(arena);
    return 0;
}

#endif
