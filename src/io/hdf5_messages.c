/* Arrays and attributes: what the messages of an object header say of them. See hdf5_image.h;
 * sections in brackets are the specification's. */
#include "io/hdf5_image.h"

#include <string.h>

/* Types of header messages [IV.A.2]. */
enum {
    MESSAGE_SPACE = 0x01,
    MESSAGE_TYPE = 0x03,
    MESSAGE_OLD_FILL = 0x04,
    MESSAGE_FILL = 0x05,
    MESSAGE_LAYOUT = 0x08,
    MESSAGE_FILTERS = 0x0b,
    MESSAGE_ATTRIBUTE = 0x0c
};

static const uint64_t undefined_address = UINT64_MAX;

/* [IV.A.2.b] */
static void read_space(ArcHdf5Cursor *data, ArcHdf5Space *space)
{
    unsigned version = (unsigned)arc_hdf5_number_of(data, 1);
    int rank = (int)arc_hdf5_number_of(data, 1);
    arc_hdf5_take(data, 1);
    unsigned kind = version == 2 ? (unsigned)arc_hdf5_number_of(data, 1) : rank == 0 ? 0 : 1;
    arc_hdf5_take(data, version == 1 ? 5 : 0);
    if (data->failed || (version != 1 && version != 2) || rank > ARC_HDF5_MAX_RANK || kind > 1)
        return;
    uint64_t count = 1;
    for (int i = 0; i < rank; i++) {
        space->sizes[i] = arc_hdf5_number_of(data, 8);
        if (__builtin_mul_overflow(count, space->sizes[i], &count))
            return;
    }
    space->rank = rank;
    space->count = count;
    space->is_known = !data->failed;
}

/* [IV.A.2.d] Whether a float of that size is IEEE 754's: bits, exponent, mantissa, bias. */
static bool is_ieee(ArcHdf5Cursor *data, uint32_t size)
{
    const unsigned char *p = arc_hdf5_take(data, 12);
    if (p == NULL || p[0] != 0 || p[1] != 0 || p[2] != 8 * size || p[3] != 0)
        return false;
    static const unsigned char four[] = {23, 8, 0, 23, 127, 0, 0, 0};
    static const unsigned char eight[] = {52, 11, 0, 52, 0xff, 3, 0, 0};
    return (size == 4 && memcmp(p + 4, four, 8) == 0) ||
           (size == 8 && memcmp(p + 4, eight, 8) == 0);
}

static void read_type(ArcHdf5Cursor *data, ArcHdf5Type *type)
{
    unsigned class = (unsigned)arc_hdf5_number_of(data, 1) & 15;
    uint64_t bits = arc_hdf5_number_of(data, 3);
    *type = (ArcHdf5Type){.size = (uint32_t)arc_hdf5_number_of(data, 4)};
    uint32_t size = type->size;
    if (data->failed || size == 0)
        return;
    type->is_big_endian = (bits & 1) != 0;
    if (class == 0 && (size == 1 || size == 2 || size == 4 || size == 8)) {
        const unsigned char *p = arc_hdf5_take(data, 4);
        type->is_signed = (bits & 8) != 0;
        if (p != NULL && p[0] == 0 && p[1] == 0 && p[2] == 8 * size && p[3] == 0)
            type->class = ARC_HDF5_CLASS_INTEGER;
    } else if (class == 1 && (bits & 0x40) == 0 && is_ieee(data, size)) {
        type->class = ARC_HDF5_CLASS_FLOAT;
    } else if (class == 3) {
        type->class = ARC_HDF5_CLASS_STRING;
        type->is_space_padded = (bits & 15) == 2;
    } else if (class == 9 && (bits & 15) == 1 && size == 16) {
        type->class = ARC_HDF5_CLASS_VARIABLE;
    }
}

/* [IV.A.2.i] */
static void read_chunked(ArcHdf5Cursor *data, ArcHdf5Data *array)
{
    int rank = (int)arc_hdf5_number_of(data, 1) - 1;
    array->tree = arc_hdf5_number_of(data, 8);
    if (rank < 1 || rank > ARC_HDF5_MAX_RANK)
        return;
    for (int i = 0; i < rank; i++)
        array->chunk[i] = arc_hdf5_number_of(data, 4);
    if (!data->failed)
        array->layout = ARC_HDF5_LAYOUT_CHUNKED;
    array->chunk_rank = rank;
}

static void read_layout(ArcHdf5Image *image, ArcHdf5Cursor *data, ArcHdf5Data *array)
{
    unsigned version = (unsigned)arc_hdf5_number_of(data, 1);
    unsigned class = (unsigned)arc_hdf5_number_of(data, 1);
    array->layout = ARC_HDF5_LAYOUT_UNKNOWN;
    if (version != 3 && version != 4)
        return;
    if (class == 0) {
        array->size = arc_hdf5_number_of(data, 2);
        array->data = arc_hdf5_take(data, array->size);
        if (array->data != NULL)
            array->layout = ARC_HDF5_LAYOUT_WHOLE;
    } else if (class == 1) {
        uint64_t address = arc_hdf5_number_of(data, 8);
        array->size = arc_hdf5_number_of(data, 8);
        array->data =
            address == undefined_address ? NULL : arc_hdf5_image_at(image, address, array->size);
        if (!data->failed && (array->data != NULL || address == undefined_address))
            array->layout = ARC_HDF5_LAYOUT_WHOLE;
    } else if (class == 2 && version == 3) {
        read_chunked(data, array);
    }
}

/* [IV.A.2.l] A number of filters over the room makes the layout unknown. */
static void read_filters(ArcHdf5Cursor *data, ArcHdf5Data *array)
{
    unsigned version = (unsigned)arc_hdf5_number_of(data, 1);
    int n = (int)arc_hdf5_number_of(data, 1);
    arc_hdf5_take(data, version == 1 ? 6 : 0);
    if (n > ARC_HDF5_MAX_FILTERS)
        data->failed = true;
    for (int i = 0; i < n && !data->failed; i++) {
        array->filters[i] = (uint16_t)arc_hdf5_number_of(data, 2);
        uint64_t name = version == 1 || array->filters[i] >= 256 ? arc_hdf5_number_of(data, 2) : 0;
        arc_hdf5_take(data, 2);
        uint64_t n_values = arc_hdf5_number_of(data, 2);
        arc_hdf5_take(data, version == 1 ? (name + 7) / 8 * 8 : name);
        arc_hdf5_take(data, 4 * (n_values + (version == 1 ? n_values % 2 : 0)));
    }
    array->n_filters = data->failed ? -1 : n;
}

/* [IV.A.2.f] */
static void read_fill(ArcHdf5Cursor *data, bool is_old, ArcHdf5Data *array, uint64_t *size)
{
    unsigned version = is_old ? 0 : (unsigned)arc_hdf5_number_of(data, 1);
    bool is_defined = true;
    if (version == 1 || version == 2) {
        arc_hdf5_take(data, 2);
        is_defined = arc_hdf5_number_of(data, 1) != 0 || version == 1;
    } else if (version == 3) {
        is_defined = (arc_hdf5_number_of(data, 1) & 0x20) != 0;
    }
    *size = is_defined ? arc_hdf5_number_of(data, 4) : 0;
    array->fill = *size > 0 ? arc_hdf5_take(data, *size) : NULL;
}

typedef struct ArrayVisit {
    ArcHdf5Image *image;
    ArcHdf5Data *array;
    bool has_shared;
    uint64_t fill_size;
} ArrayVisit;

static bool visit_array(void *context, ArcHdf5Message *message)
{
    ArrayVisit *visit = context;
    ArcHdf5Cursor *data = &message->data;
    bool is_ours = message->type == MESSAGE_SPACE || message->type == MESSAGE_TYPE ||
                   message->type == MESSAGE_LAYOUT || message->type == MESSAGE_FILTERS;
    if (message->is_shared && is_ours)
        visit->has_shared = true;
    else if (message->is_shared)
        return true;
    else if (message->type == MESSAGE_SPACE)
        read_space(data, &visit->array->space);
    else if (message->type == MESSAGE_TYPE)
        read_type(data, &visit->array->type);
    else if (message->type == MESSAGE_LAYOUT)
        read_layout(visit->image, data, visit->array);
    else if (message->type == MESSAGE_FILTERS)
        read_filters(data, visit->array);
    else if (message->type == MESSAGE_FILL ||
             (message->type == MESSAGE_OLD_FILL && visit->array->fill == NULL))
        read_fill(data, message->type == MESSAGE_OLD_FILL, visit->array, &visit->fill_size);
    return true;
}

bool arc_hdf5_image_array(ArcHdf5Image *image, uint64_t address, ArcHdf5Data *array)
{
    *array = (ArcHdf5Data){.layout = ARC_HDF5_LAYOUT_NONE};
    ArrayVisit visit = {image, array, false, 0};
    if (!arc_hdf5_image_visit(image, address, visit_array, &visit))
        return false;
    if (visit.fill_size != array->type.size)
        array->fill = NULL;
    if (visit.has_shared) /* what it is stands elsewhere */
        array->type = (ArcHdf5Type){.class = ARC_HDF5_CLASS_OTHER, .size = 1};
    return array->layout != ARC_HDF5_LAYOUT_NONE && array->space.is_known && array->type.size > 0;
}

typedef struct AttributeVisit {
    const char *name;
    ArcHdf5Data *attribute;
    bool found;
} AttributeVisit;

/* [IV.A.2.m] */
static bool visit_attribute(void *context, ArcHdf5Message *message)
{
    AttributeVisit *visit = context;
    ArcHdf5Cursor *data = &message->data;
    if (message->type != MESSAGE_ATTRIBUTE || message->is_shared)
        return true;
    unsigned version = (unsigned)arc_hdf5_number_of(data, 1);
    unsigned flags = (unsigned)arc_hdf5_number_of(data, 1);
    uint64_t sizes[3], step = version == 1 ? 8 : 1;
    const unsigned char *parts[3];
    for (int i = 0; i < 3; i++)
        sizes[i] = arc_hdf5_number_of(data, 2);
    arc_hdf5_take(data, version == 3 ? 1 : 0);
    for (int i = 0; i < 3; i++)
        parts[i] = arc_hdf5_take(data, (sizes[i] + step - 1) / step * step);
    size_t length = strlen(visit->name);
    if (data->failed || version < 1 || version > 3 || sizes[0] != length + 1 ||
        memcmp(parts[0], visit->name, length + 1) != 0)
        return true;
    ArcHdf5Cursor type = {parts[1], parts[1] + sizes[1], false};
    ArcHdf5Cursor space = {parts[2], parts[2] + sizes[2], false};
    ArcHdf5Data *attribute = visit->attribute;
    *attribute = (ArcHdf5Data){.layout = ARC_HDF5_LAYOUT_WHOLE};
    if (version == 1 || (flags & 3) == 0) { /* neither is shared */
        read_type(&type, &attribute->type);
        read_space(&space, &attribute->space);
    }
    attribute->size = arc_hdf5_left(data);
    attribute->data = data->at;
    visit->found = attribute->space.is_known && attribute->type.size > 0;
    return false;
}

bool arc_hdf5_image_attribute(ArcHdf5Image *image, uint64_t address, const char *name,
                              ArcHdf5Data *attribute)
{
    AttributeVisit visit = {name, attribute, false};
    return arc_hdf5_image_visit(image, address, visit_attribute, &visit) && visit.found;
}
