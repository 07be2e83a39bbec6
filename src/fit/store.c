/* Bytes of this machine: a checkpoint goes on where it was made. */
#include "fit/store.h"

#include <limits.h>
#include <string.h>

ArcStore arc_store_reader(const char *bytes, size_t size)
{
    return (ArcStore){.reads = true, .bytes = bytes, .size = size};
}

/* A length in bytes before every run of numbers, so that a wrong reader notices at once. */
static void store_bytes(ArcStore *store, void *values, size_t size)
{
    uint64_t length = size;
    if (!store->reads) {
        arc_text_append_bytes(&store->text, (const char *)&length, sizeof length);
        arc_text_append_bytes(&store->text, values, size);
        store->failed = store->failed || store->text.failed;
        return;
    }
    if (store->failed || store->size - store->at < sizeof length) {
        store->failed = true;
        return;
    }
    memcpy(&length, store->bytes + store->at, sizeof length);
    if (length != size || store->size - store->at - sizeof length < size) {
        store->failed = true;
        return;
    }
    memcpy(values, store->bytes + store->at + sizeof length, size);
    store->at += sizeof length + size;
}

void arc_store_reals(ArcStore *store, double *values, size_t n)
{
    store_bytes(store, values, n * sizeof *values);
}

void arc_store_bits(ArcStore *store, uint64_t *values, size_t n)
{
    store_bytes(store, values, n * sizeof *values);
}

void arc_store_whole(ArcStore *store, int *value)
{
    uint64_t bits = (uint64_t)(int64_t)*value;
    store_bytes(store, &bits, sizeof bits);
    int64_t whole = (int64_t)bits;
    if (whole < INT_MIN || whole > INT_MAX)
        store->failed = true;
    else
        *value = (int)whole;
}

void arc_store_flag(ArcStore *store, bool *value)
{
    int whole = *value;
    arc_store_whole(store, &whole);
    *value = whole != 0;
}
