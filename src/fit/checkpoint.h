/* The checkpoint of a PINN fit: sections in a file replaced in one step: one a
 * start, and one for the run by stages that a failed fit is followed by.
 *
 * File: the line "arcfit checkpoint 1", then little blocks of 64-bit numbers: the key of the
 * problem, the number of sections, each section's length and bytes; last the zlib crc32 of all
 * before it. The key is a checksum of everything that decides the numbers, so that a run is only
 * resumed on the same points and settings.
 */
#ifndef ARC_FIT_CHECKPOINT_H
#define ARC_FIT_CHECKPOINT_H

#include "fit/problem.h"
#include "fit/store.h"

typedef struct ArcCheckpoint ArcCheckpoint;

/* Reads options->resume where it is given. ARC_INPUT: it is no checkpoint, damaged, or of another
 * problem. NULL results where neither a checkpoint nor a resume is asked for. */
ArcStatus arc_checkpoint_create(const ArcProblem *problem, const ArcFitOptions *options,
                                int n_sections, ArcArena *arena, ArcCheckpoint **checkpoint,
                                ArcError *err);

/* Accepts NULL. */
void arc_checkpoint_free(ArcCheckpoint *checkpoint);

/* A stored section; false where there is none. */
bool arc_checkpoint_section(const ArcCheckpoint *checkpoint, int section, ArcStore *reader);

/* ARC_INPUT: what the resumed file says cannot be of this run, though its checksum fits. */
ArcStatus arc_checkpoint_refuse(const ArcCheckpoint *checkpoint, ArcError *err);

/* True once the time between two saves has passed for this section; never for NULL. */
bool arc_checkpoint_is_due(const ArcCheckpoint *checkpoint, int section);

/* Takes over what was written and replaces the file, if one was asked for. By any thread.
 * ARC_SYSTEM where the file cannot be written, ARC_MEMORY. */
ArcStatus arc_checkpoint_put(ArcCheckpoint *checkpoint, int section, ArcStore *written,
                             ArcError *err);

#endif
