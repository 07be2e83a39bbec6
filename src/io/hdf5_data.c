/* What arrays and attributes hold: chunks, filters, strings, numbers. See hdf5_image.h; sections in
 * brackets are the specification's. */
#include "io/hdf5_image.h"

#include <math.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

enum { FILTER_DEFLATE = 1, FILTER_SHUFFLE = 2, FILTER_FLETCHER = 3 };
enum {
    MOST_DEFLATION = 1100, /* times that zlib can shrink anything */
    SPARE_BYTES = 1 << 20, /* of small files that hold nothing but fill */
    MOST_LEVEL = 32,
    STEP_BYTES = 64 /* that count as one step of work */
};

static const char damaged[] = "it is damaged";
static const char not_read[] = "it is stored in a way that is not read here (h5repack, or writing "
                               "it without `libver`, helps)";
static const char out_of_memory[] = "";

bool arc_hdf5_image_can_hold(const ArcHdf5Image *image, uint64_t count, uint64_t size)
{
    uint64_t bytes;
    return !__builtin_mul_overflow(count, size, &bytes) &&
           bytes / MOST_DEFLATION <= image->size + SPARE_BYTES / MOST_DEFLATION;
}

/* An array in chunks while it is read. */
typedef struct Chunked {
    ArcHdf5Image *image;
    const ArcHdf5Data *array;
    unsigned char *bytes; /* the whole array */
    unsigned char *chunk, *scratch;
    size_t chunk_size; /* bytes */
    uint64_t left;     /* chunks that may still come */
    z_stream stream;
} Chunked;

/* Bytes of equal place in all elements stand together; from goes to to. */
static void unshuffle(const unsigned char *from, unsigned char *to, size_t n, size_t element)
{
    size_t count = n / element;
    for (size_t k = 0; k < element; k++)
        for (size_t i = 0; i < count; i++)
            to[i * element + k] = from[k * count + i];
    memcpy(to + count * element, from + count * element, n - count * element);
}

static void *zlib_take(void *arena, unsigned count, unsigned size)
{
    return arc_arena_alloc(arena, count, size);
}

static void zlib_give_back(void *arena, void *address)
{
    (void)arena;
    (void)address;
}

/* Exactly `room` bytes out of n; false otherwise. */
static bool inflate_whole(z_stream *stream, const unsigned char *from, size_t n, unsigned char *to,
                          size_t room)
{
    stream->next_in = from;
    stream->avail_in = (uInt)n;
    stream->next_out = to;
    stream->avail_out = (uInt)room;
    return inflateReset(stream) == Z_OK && inflate(stream, Z_FINISH) == Z_STREAM_END &&
           stream->avail_out == 0;
}

/* Undoes the filters, last first, where the chunk's mask does not leave them out. The result is in
 * chunked->chunk; false where it does not come to a whole chunk. */
static bool unfilter(Chunked *chunked, const unsigned char *stored, size_t n, uint64_t mask)
{
    const ArcHdf5Data *array = chunked->array;
    size_t room = chunked->chunk_size;
    const unsigned char *from = stored;
    for (int i = array->n_filters - 1; i >= 0; i--) {
        unsigned char *to = from == chunked->chunk ? chunked->scratch : chunked->chunk;
        if (mask >> i & 1)
            continue;
        if (array->filters[i] == FILTER_FLETCHER) {
            if (n < 4)
                return false;
            n -= 4; /* the checksum */
        } else if (array->filters[i] == FILTER_DEFLATE) {
            /* A checksum that was made before it is inflated with the rest. */
            size_t want = room + (i > 0 && array->filters[i - 1] == FILTER_FLETCHER ? 4 : 0);
            if (!inflate_whole(&chunked->stream, from, n, to, want))
                return false;
            from = to;
            n = want;
        } else {
            if (n > room)
                return false;
            unshuffle(from, to, n, array->type.size);
            from = to;
        }
    }
    if (n != room)
        return false;
    if (from != chunked->chunk)
        memcpy(chunked->chunk, from, room);
    return true;
}

/* Copies the chunk at these offsets into the array, row by row of the last dimension, as far as it
 * lies within. */
static void place_chunk(Chunked *chunked, const uint64_t *offset)
{
    const ArcHdf5Data *array = chunked->array;
    int last = array->space.rank - 1;
    size_t element = array->type.size;
    uint64_t at[ARC_HDF5_MAX_RANK] = {0};
    uint64_t width = array->space.sizes[last] - offset[last];
    width = width < array->chunk[last] ? width : array->chunk[last];
    for (;;) {
        uint64_t to = 0, from = 0;
        for (int i = 0; i <= last; i++) {
            to = to * array->space.sizes[i] + offset[i] + at[i];
            from = from * array->chunk[i] + at[i];
        }
        memcpy(chunked->bytes + to * element, chunked->chunk + from * element, width * element);
        int i = last - 1;
        for (; i >= 0; at[i--] = 0)
            if (++at[i] < array->chunk[i] && offset[i] + at[i] < array->space.sizes[i])
                break;
        if (i < 0)
            return;
    }
}

/* One chunk of n stored bytes. */
static bool read_chunk(Chunked *chunked, const uint64_t *offset, uint64_t address, uint64_t n,
                       uint64_t mask)
{
    const ArcHdf5Data *array = chunked->array;
    const unsigned char *stored = arc_hdf5_image_at(chunked->image, address, n);
    long steps = (long)((n + chunked->chunk_size) / STEP_BYTES);
    if (stored == NULL || chunked->left-- == 0 || !arc_hdf5_image_work(chunked->image, steps))
        return false;
    for (int i = 0; i < array->space.rank; i++)
        if (offset[i] % array->chunk[i] != 0)
            return false;
    for (int i = 0; i < array->space.rank; i++)
        if (offset[i] >= array->space.sizes[i])
            return true; /* left over from a larger array */
    if (!unfilter(chunked, stored, n, mask))
        return false;
    place_chunk(chunked, offset);
    return true;
}

/* [III.A.1] The tree of chunks: each key says how many bytes, which filters were left out, and
 * where the chunk begins. */
static bool read_tree(Chunked *chunked, uint64_t address, int most_level)
{
    const unsigned char *rest = arc_hdf5_image_at(chunked->image, address, 0);
    if (rest == NULL)
        return false;
    ArcHdf5Cursor cursor = {rest, chunked->image->bytes + chunked->image->size, false};
    int rank = chunked->array->space.rank;
    const unsigned char *mark = arc_hdf5_take(&cursor, 4);
    unsigned kind = (unsigned)arc_hdf5_number_of(&cursor, 1);
    int level = (int)arc_hdf5_number_of(&cursor, 1);
    uint64_t n = arc_hdf5_number_of(&cursor, 2);
    arc_hdf5_take(&cursor, 16);
    if (cursor.failed || memcmp(mark, "TREE", 4) != 0 || kind != 1 || level > most_level)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t offset[ARC_HDF5_MAX_RANK];
        uint64_t size = arc_hdf5_number_of(&cursor, 4), mask = arc_hdf5_number_of(&cursor, 4);
        for (int k = 0; k < rank; k++)
            offset[k] = arc_hdf5_number_of(&cursor, 8);
        arc_hdf5_take(&cursor, 8); /* within an element */
        uint64_t child = arc_hdf5_number_of(&cursor, 8);
        if (cursor.failed || !arc_hdf5_image_work(chunked->image, 1))
            return false;
        if (!(level == 0 ? read_chunk(chunked, offset, child, size, mask)
                         : read_tree(chunked, child, level - 1)))
            return false;
    }
    return true;
}

/* Whether all filters are known; how many chunks there may be, and how large one is. */
static bool plan_chunks(Chunked *chunked)
{
    const ArcHdf5Data *array = chunked->array;
    uint64_t elements = 1;
    chunked->left = 1;
    if (array->space.rank < 1 || array->space.rank != array->chunk_rank)
        return false;
    for (int i = 0; i < array->n_filters; i++)
        if (array->filters[i] < FILTER_DEFLATE || array->filters[i] > FILTER_FLETCHER)
            return false;
    for (int i = 0; i < array->space.rank; i++) {
        uint64_t along = array->chunk[i];
        if (along == 0 || __builtin_mul_overflow(elements, along, &elements))
            return false;
        /* Those left over from a larger array may come as well. */
        uint64_t n = (array->space.sizes[i] - 1) / along + 2;
        if (__builtin_mul_overflow(chunked->left, n, &chunked->left))
            chunked->left = UINT64_MAX;
    }
    chunked->chunk_size = elements * array->type.size;
    return array->n_filters >= 0 &&
           arc_hdf5_image_can_hold(chunked->image, elements, array->type.size) &&
           chunked->chunk_size < UINT32_MAX / 2;
}

static const unsigned char *read_chunks(ArcHdf5Image *image, const ArcHdf5Data *array,
                                        unsigned char *bytes, ArcArena *arena, const char **reason)
{
    Chunked chunked = {.image = image,
                       .array = array,
                       .bytes = bytes,
                       .stream = {.zalloc = zlib_take, .zfree = zlib_give_back, .opaque = arena}};
    *reason = not_read;
    if (!plan_chunks(&chunked))
        return NULL;
    /* Room for a checksum behind. */
    chunked.chunk = arc_arena_alloc(arena, chunked.chunk_size + 4, 1);
    chunked.scratch = arc_arena_alloc(arena, chunked.chunk_size + 4, 1);
    *reason = out_of_memory;
    if (chunked.chunk == NULL || chunked.scratch == NULL || inflateInit(&chunked.stream) != Z_OK)
        return NULL;
    bool read = array->tree == UINT64_MAX || read_tree(&chunked, array->tree, MOST_LEVEL);
    inflateEnd(&chunked.stream);
    *reason = damaged;
    return read ? bytes : NULL;
}

const unsigned char *arc_hdf5_image_bytes(ArcHdf5Image *image, const ArcHdf5Data *data,
                                          ArcArena *arena, const char **reason)
{
    uint64_t count = data->space.count, size = data->type.size;
    *reason = not_read;
    if (data->layout != ARC_HDF5_LAYOUT_WHOLE && data->layout != ARC_HDF5_LAYOUT_CHUNKED)
        return NULL;
    *reason = damaged;
    if (!arc_hdf5_image_can_hold(image, count, size) ||
        !arc_hdf5_image_work(image, (long)(count * size / STEP_BYTES)))
        return NULL;
    if (data->data != NULL)
        return data->size >= count * size ? data->data : NULL;
    unsigned char *bytes = arc_arena_alloc(arena, count * size, 1);
    *reason = out_of_memory;
    if (bytes == NULL)
        return NULL;
    for (uint64_t i = 0; data->fill != NULL && i < count; i++)
        memcpy(bytes + i * size, data->fill, size);
    if (data->layout == ARC_HDF5_LAYOUT_WHOLE || count == 0)
        return bytes;
    return read_chunks(image, data, bytes, arena, reason);
}

/* Element i as a little-endian number of up to 8 bytes. */
static uint64_t raw_bits(const ArcHdf5Type *type, const unsigned char *bytes, size_t i)
{
    const unsigned char *element = bytes + i * type->size;
    uint64_t bits = 0;
    for (uint32_t k = 0; k < type->size; k++)
        bits = bits << 8 | element[type->is_big_endian ? k : type->size - 1 - k];
    return bits;
}

uint64_t arc_hdf5_element_bits(const ArcHdf5Type *type, const unsigned char *bytes, size_t i)
{
    uint64_t bits = raw_bits(type, bytes, i);
    uint32_t spare = 64 - 8 * type->size;
    return type->is_signed ? (uint64_t)((int64_t)(bits << spare) >> spare) : bits;
}

double arc_hdf5_element_real(const ArcHdf5Type *type, const unsigned char *bytes, size_t i)
{
    if (type->class == ARC_HDF5_CLASS_INTEGER) {
        uint64_t bits = arc_hdf5_element_bits(type, bytes, i);
        return type->is_signed ? (double)(int64_t)bits : (double)bits;
    }
    if (type->class != ARC_HDF5_CLASS_FLOAT)
        return NAN;
    uint64_t bits = raw_bits(type, bytes, i);
    if (type->size == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return (double)value;
}

/* [III.E] Object `index` of the collection at address. */
static const unsigned char *heap_object(ArcHdf5Image *image, uint64_t address, uint64_t index,
                                        uint64_t *size)
{
    const unsigned char *head = arc_hdf5_image_at(image, address, 16);
    if (head == NULL || memcmp(head, "GCOL", 4) != 0)
        return NULL;
    ArcHdf5Cursor cursor = {head + 8, head + 16, false};
    uint64_t whole = arc_hdf5_number_of(&cursor, 8);
    if (whole < 16 || arc_hdf5_image_at(image, address, whole) == NULL)
        return NULL;
    cursor = (ArcHdf5Cursor){head + 16, head + whole, false};
    while (!cursor.failed && arc_hdf5_image_work(image, 1)) {
        uint64_t found = arc_hdf5_number_of(&cursor, 2);
        arc_hdf5_take(&cursor, 6);
        *size = arc_hdf5_number_of(&cursor, 8);
        const unsigned char *object = arc_hdf5_take(&cursor, *size);
        arc_hdf5_take(&cursor, -*size & 7);
        if (found == 0 || object == NULL)
            return NULL; /* index 0 is what is free, behind all others */
        if (found == index)
            return object;
    }
    return NULL;
}

const char *arc_hdf5_element_text(ArcHdf5Image *image, const ArcHdf5Type *type,
                                  const unsigned char *bytes, size_t i, ArcArena *arena,
                                  const char **reason)
{
    const unsigned char *text = bytes + i * type->size;
    uint64_t length = type->size;
    *reason = damaged;
    if (type->class == ARC_HDF5_CLASS_VARIABLE) {
        ArcHdf5Cursor cursor = {text, text + type->size, false};
        length = arc_hdf5_number_of(&cursor, 4);
        uint64_t address = arc_hdf5_number_of(&cursor, 8), size = 0;
        uint64_t index = arc_hdf5_number_of(&cursor, 4);
        text = length == 0 ? (const unsigned char *)"" : heap_object(image, address, index, &size);
        if (text == NULL || length > size + (length == 0))
            return NULL;
    } else if (type->class != ARC_HDF5_CLASS_STRING) {
        *reason = "it is no text";
        return NULL;
    }
    length = length == 0 ? 0 : strnlen((const char *)text, length);
    while (type->is_space_padded && length > 0 && text[length - 1] == ' ')
        length--;
    if (!arc_hdf5_image_work(image, (long)(length / STEP_BYTES)))
        return NULL;
    char *copy = arc_arena_copy_text(arena, (const char *)text, length);
    if (copy == NULL)
        *reason = out_of_memory;
    return copy;
}
