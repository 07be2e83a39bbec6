/* The checkpoint of a PINN fit: one section a start, in a file replaced in one step.
 *
 * File: the line "arcfit checkpoint 1", then little blocks of 64-bit numbers: the key of the
 * problem, the number of starts, each section's length and bytes; last the zlib crc32 of all before
 * it. The key is a checksum of everything that decides the numbers, so that a run is only resumed
 * on the same points and settings.
 */
#ifndef ARC_FIT_CHECKPOINT_H
#define ARC_FIT_CHECKPOINT_H

#include "fit/problem.h"
#include "fit/store.h"

typedef struct ArcCheckpoint ArcCheckpoint;

/* Reads options->resume where it is given. ARC_INPUT: it is no checkpoint, damaged, or of another
 * problem. NULL results where neither a checkpoint nor a resume is asked for. */
ArcStatus arc_checkpoint_create(const ArcProblem *problem, const ArcFitOptions *options,
                                int n_starts, ArcArena *arena, ArcCheckpoint **checkpoint,
                                ArcError *err);

/* Accepts NULL. */
void arc_checkpoint_free(ArcCheckpoint *checkpoint);

/* The stored section of a start; false where there is none. */
bool arc_checkpoint_section(const ArcCheckpoint *checkpoint, int start, ArcStore *reader);

/* True once the time between two saves has passed for this start; never for NULL. */
bool arc_checkpoint_is_due(const ArcCheckpoint *checkpoint, int start);

/* Takes over what was written and replaces the file, if one was asked for. By any thread.
 * ARC_SYSTEM where the file cannot be written, ARC_MEMORY. */
ArcStatus arc_checkpoint_put(ArcCheckpoint *checkpoint, int start, ArcStore *written,
                             ArcError *err);

#endif
