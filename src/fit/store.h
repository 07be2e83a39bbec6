/* Numbers put into a block of bytes and taken out again by the same code.
 *
 * A function that stores a thing calls the arc_store_* functions on each of its numbers in turn; on
 * a store that writes they append, on one that reads they fill. A block that is too short or says
 * another length sets `failed`, once for all, and leaves the numbers as they are.
 */
#ifndef ARC_FIT_STORE_H
#define ARC_FIT_STORE_H

#include "base/text.h"

#include <stdint.h>

typedef struct ArcStore {
    bool reads;
    bool failed;
    ArcText text;      /* while writing */
    const char *bytes; /* while reading */
    size_t size, at;
} ArcStore;

ArcStore arc_store_reader(const char *bytes, size_t size);

void arc_store_reals(ArcStore *store, double *values, size_t n);
void arc_store_bits(ArcStore *store, uint64_t *values, size_t n);
void arc_store_whole(ArcStore *store, int *value);
void arc_store_flag(ArcStore *store, bool *value);

#endif
