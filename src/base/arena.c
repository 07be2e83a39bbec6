/* The arena: a list of blocks, each at least ARENA_BLOCK_BYTES, filled from front to back. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_ALIGNMENT = 64, ARENA_BLOCK_BYTES = 16384 };

typedef struct ArenaBlock {
    struct ArenaBlock *next;
    size_t size;
    size_t used;
    unsigned char *bytes;
} ArenaBlock;

struct ArcArena {
    ArenaBlock *blocks;
    bool is_exhausted;
};

static ArcMemoryHook memory_hook;
static void *memory_hook_context;

void arc_memory_set_hook(ArcMemoryHook hook, void *context)
{
    memory_hook = hook;
    memory_hook_context = context;
}

bool arc_memory_allows(size_t size)
{
    return memory_hook == NULL || memory_hook(memory_hook_context, size);
}

static void *memory_take(size_t size)
{
    return arc_memory_allows(size) ? malloc(size) : NULL;
}

ArcArena *arc_arena_create(void)
{
    ArcArena *arena = memory_take(sizeof *arena);
    if (arena != NULL)
        *arena = (ArcArena){NULL, false};
    return arena;
}

void arc_arena_free(ArcArena *arena)
{
    if (arena == NULL)
        return;
    ArenaBlock *block = arena->blocks;
    while (block != NULL) {
        ArenaBlock *next = block->next;
        free(block);
        block = next;
    }
    free(arena);
}

bool arc_arena_is_exhausted(const ArcArena *arena)
{
    return arena->is_exhausted;
}

static ArenaBlock *arena_add_block(ArcArena *arena, size_t size)
{
    size_t capacity = size > ARENA_BLOCK_BYTES ? size : ARENA_BLOCK_BYTES;
    if (capacity > PTRDIFF_MAX - sizeof(ArenaBlock) - ARENA_ALIGNMENT)
        return NULL;
    ArenaBlock *block = memory_take(sizeof *block + ARENA_ALIGNMENT + capacity);
    if (block == NULL)
        return NULL;
    uintptr_t start = (uintptr_t)(block + 1);
    size_t padding = (size_t)(-start & (ARENA_ALIGNMENT - 1));
    block->bytes = (unsigned char *)(block + 1) + padding;
    block->size = capacity;
    block->used = 0;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *arc_arena_alloc(ArcArena *arena, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - 2 * (size_t)ARENA_ALIGNMENT) / size) {
        arena->is_exhausted = true;
        return NULL;
    }
    size_t bytes = count * size;
    size_t rounded = (bytes + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
    if (rounded == 0)
        rounded = ARENA_ALIGNMENT;
    ArenaBlock *block = arena->blocks;
    if (block == NULL || block->size - block->used < rounded) {
        block = arena_add_block(arena, rounded);
        if (block == NULL) {
            arena->is_exhausted = true;
            return NULL;
        }
    }
    void *result = block->bytes + block->used;
    block->used += rounded;
    return memset(result, 0, bytes);
}

char *arc_arena_copy_text(ArcArena *arena, const char *text, size_t length)
{
    char *copy = arc_arena_alloc(arena, length + 1, 1);
    if (copy != NULL)
        memcpy(copy, text, length);
    return copy;
}

char *arc_arena_format(ArcArena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        return NULL;
    char *text = arc_arena_alloc(arena, (size_t)length + 1, 1);
    if (text == NULL)
        return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

ArcStatus arc_error_no_memory(ArcError *err)
{
    return arc_error_set(err, ARC_MEMORY, "error: out of memory");
}
