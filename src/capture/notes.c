/* See notes.h. */
#include "capture/notes.h"

#include <string.h>

static bool is_there(const ArcNotes *notes, const char *text)
{
    for (int i = 0; i < notes->n; i++)
        if (strcmp(notes->texts[i], text) == 0)
            return true;
    return false;
}

static bool make_room(ArcNotes *notes)
{
    if (notes->n < notes->capacity)
        return true;
    int capacity = 2 * notes->capacity + 8;
    const char **texts = ARC_ALLOC(notes->arena, (size_t)capacity, const char *);
    if (texts == NULL)
        return false;
    if (notes->n > 0)
        memcpy(texts, notes->texts, sizeof *texts * (size_t)notes->n);
    notes->texts = texts;
    notes->capacity = capacity;
    return true;
}

void arc_notes_add(ArcNotes *notes, const char *file, int n, const char *const *texts)
{
    for (int i = 0; i < n && notes != NULL && !notes->failed; i++) {
        const char *text = arc_arena_format(notes->arena, "%s: note: %s", file, texts[i]);
        notes->failed = text == NULL || !make_room(notes);
        if (!notes->failed && !is_there(notes, text))
            notes->texts[notes->n++] = text;
    }
}
