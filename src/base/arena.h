/* A growing memory arena: many allocations, one free.
 *
 * Every handle of arcfit owns one arena that holds the handle itself and all that it points to, so
 * that free is one call and a failure half-way leaks nothing. All memory of the library (not of the
 * libraries it calls) comes from here, so a test injects exhaustion through one hook.
 */
#ifndef ARC_BASE_ARENA_H
#define ARC_BASE_ARENA_H

#include "arcfit/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ArcArena ArcArena;

/* Asked before every block taken from the system; false means "no memory". Counts allocations in
 * tests. Pass NULL to remove. Process-wide; not to be changed while other threads allocate. */
typedef bool (*ArcMemoryHook)(void *context, size_t size);
void arc_memory_set_hook(ArcMemoryHook hook, void *context);

/* Asks the hook; for the few places outside the arena that take memory themselves. */
bool arc_memory_allows(size_t size);

/* NULL when there is no memory. */
ArcArena *arc_arena_create(void);

/* Accepts NULL. */
void arc_arena_free(ArcArena *arena);

/* count * size bytes, zeroed, aligned to 64; NULL on exhaustion or overflow. Never NULL for
 * count * size == 0. */
void *arc_arena_alloc(ArcArena *arena, size_t count, size_t size);

/* True once the arena was refused memory; for who cannot pass NULL on. */
bool arc_arena_is_exhausted(const ArcArena *arena);

/* A copy of length bytes with a '\0' behind; NULL on exhaustion. */
char *arc_arena_copy_text(ArcArena *arena, const char *text, size_t length);

/* printf into the arena; NULL on exhaustion. */
char *arc_arena_format(ArcArena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets ARC_MEMORY with the usual text and returns it. */
ArcStatus arc_error_no_memory(ArcError *err);

#define ARC_ALLOC(arena, count, type) ((type *)arc_arena_alloc((arena), (count), sizeof(type)))

#endif
