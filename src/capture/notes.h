/* What was taken for granted while a capture was made: sentences, each once, with their file. */
#ifndef ARC_CAPTURE_NOTES_H
#define ARC_CAPTURE_NOTES_H

#include "base/arena.h"

/* The arena keeps the texts. */
typedef struct ArcNotes {
    ArcArena *arena;
    int n, capacity;
    const char **texts;
    bool failed; /* memory ran out; to be asked once, at the end */
} ArcNotes;

/* Adds "FILE: note: TEXT" for each of n texts that is not there yet. notes NULL: nobody wants them.
 */
void arc_notes_add(ArcNotes *notes, const char *file, int n, const char *const *texts);

#endif
