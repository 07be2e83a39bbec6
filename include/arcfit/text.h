/* Text handed to the caller by functions named arc_*_text. */
#ifndef ARCFIT_TEXT_H
#define ARCFIT_TEXT_H

#include "arcfit/error.h"

#pragma GCC visibility push(default)

/* Frees what an arc_*_text function returned; accepts NULL. */
void arc_text_free(char *text);

/* Writes text to a new file and renames it over path: a reader sees the old file or the new one.
 * ARC_SYSTEM where it cannot be written; path is then as it was. */
ArcStatus arc_text_save(const char *text, const char *path, ArcError *err);

/* Edit distance for "did you mean": the nearest of n names to word, or NULL where none is within a
 * third of the word's length (at least 1, at most 3 edits). */
const char *arc_text_nearest(const char *word, int n, const char *const *names);

#pragma GCC visibility pop

#endif
