/* A folder for temporary files, gone again whatever happens. */
#ifndef ARC_MODEL_WORKPLACE_H
#define ARC_MODEL_WORKPLACE_H

#include "base/arena.h"

typedef struct ArcWorkplace {
    ArcArena *arena;
    char *folder; /* NULL: there is none */
} ArcWorkplace;

/* In $TMPDIR, or else /tmp. ARC_SYSTEM where none can be made. */
ArcStatus arc_workplace_create(ArcArena *arena, ArcWorkplace *place, ArcError *err);

/* The path of a file in it; NULL on exhaustion. */
char *arc_workplace_path(const ArcWorkplace *place, const char *name);

ArcStatus arc_workplace_write(const ArcWorkplace *place, const char *name, const char *text,
                              ArcError *err);

/* Removes all that it holds. Accepts one that was not made. */
void arc_workplace_remove(ArcWorkplace *place);

#endif
