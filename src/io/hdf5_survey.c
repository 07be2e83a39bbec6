/* A walk through the groups. See hdf5_survey.h. */
#include "io/hdf5_survey.h"

#include "io/hdf5_image.h"

#include <stdint.h>
#include <string.h>

enum { MATLAB_BLOCK = 512 };

static const char signature[] = "\x89HDF\r\n\x1a\n";

typedef struct Walk {
    ArcHdf5Image image;
    ArcArena *arena;
    ArcHdf5Survey survey;
    int capacity;
    bool is_out_of_memory;
    const char *damage; /* NULL: none was met */
} Walk;

bool arc_hdf5_survey_is(const char *bytes, size_t size)
{
    size_t length = sizeof signature - 1;
    return (size >= length && memcmp(bytes, signature, length) == 0) ||
           (size >= MATLAB_BLOCK + length && memcmp(bytes + MATLAB_BLOCK, signature, length) == 0);
}

/* The attribute `units`; "" where it is none or no text. */
static const char *units_of(Walk *walk, uint64_t address)
{
    ArcHdf5Data attribute;
    const char *reason, *text = NULL;
    if (arc_hdf5_image_attribute(&walk->image, address, "units", &attribute) &&
        attribute.space.count == 1) {
        const unsigned char *bytes =
            arc_hdf5_image_bytes(&walk->image, &attribute, walk->arena, &reason);
        if (bytes != NULL)
            text = arc_hdf5_element_text(&walk->image, &attribute.type, bytes, 0, walk->arena,
                                         &reason);
    }
    return text == NULL ? "" : text;
}

static bool is_wanted(const ArcHdf5Data *data)
{
    const uint64_t *sizes = data->space.sizes;
    int rank = data->space.rank;
    bool is_number =
        data->type.class == ARC_HDF5_CLASS_FLOAT || data->type.class == ARC_HDF5_CLASS_INTEGER;
    return is_number && data->space.count > 0 &&
           (rank == 1 || (rank == 2 && (sizes[0] <= ARC_HDF5_SURVEY_MAX_COLUMNS ||
                                        sizes[1] <= ARC_HDF5_SURVEY_MAX_COLUMNS)));
}

/* Whole numbers beyond 2^53 are counted from the first one, so that none is rounded. */
static void values_of(const ArcHdf5Data *data, const unsigned char *bytes, double *values,
                      double *origin)
{
    const int64_t most = (int64_t)1 << 53;
    size_t n = (size_t)data->space.count;
    int64_t first = 0;
    if (data->type.class == ARC_HDF5_CLASS_INTEGER && data->type.size == 8) {
        first = (int64_t)arc_hdf5_element_bits(&data->type, bytes, 0);
        first = first > -most && first < most ? 0 : first;
    }
    for (size_t i = 0; i < n; i++) {
        if (first == 0) {
            values[i] = arc_hdf5_element_real(&data->type, bytes, i);
            continue;
        }
        uint64_t difference = arc_hdf5_element_bits(&data->type, bytes, i) - (uint64_t)first;
        values[i] = (double)(int64_t)difference;
    }
    *origin = (double)first;
}

static ArcHdf5Numbers *survey_add(Walk *walk)
{
    ArcHdf5Survey *survey = &walk->survey;
    if (survey->n == walk->capacity) {
        int capacity = walk->capacity == 0 ? 16 : 2 * walk->capacity;
        ArcHdf5Numbers *longer = ARC_ALLOC(walk->arena, (size_t)capacity, ArcHdf5Numbers);
        if (longer == NULL)
            return NULL;
        if (survey->n > 0)
            memcpy(longer, survey->arrays, (size_t)survey->n * sizeof *longer);
        survey->arrays = longer;
        walk->capacity = capacity;
    }
    return &survey->arrays[survey->n++];
}

static void array_take(Walk *walk, const char *path, uint64_t address, const ArcHdf5Data *data)
{
    const char *reason = NULL;
    if (!is_wanted(data))
        return;
    const unsigned char *bytes = arc_hdf5_image_bytes(&walk->image, data, walk->arena, &reason);
    if (bytes == NULL) {
        walk->is_out_of_memory = walk->is_out_of_memory || reason[0] == '\0';
        walk->damage = reason;
        walk->survey.n_unread++;
        return;
    }
    double *values = ARC_ALLOC(walk->arena, (size_t)data->space.count, double);
    ArcHdf5Numbers *array = values == NULL ? NULL : survey_add(walk);
    if (array == NULL) {
        walk->is_out_of_memory = true;
        return;
    }
    *array = (ArcHdf5Numbers){.path = path,
                              .units = units_of(walk, address),
                              .rows = (size_t)data->space.sizes[0],
                              .columns = data->space.rank == 2 ? (size_t)data->space.sizes[1] : 0,
                              .values = values};
    values_of(data, bytes, values, &array->origin);
}

/* Members of the group at address and below. A loop of groups ends at the depth, a wide one by the
 * work that the image counts. */
static void group_walk(Walk *walk, const char *path, uint64_t address, int depth)
{
    const char *name;
    for (int i = 0; !walk->is_out_of_memory && walk->survey.n < ARC_HDF5_SURVEY_MAX_ARRAYS &&
                    (name = arc_hdf5_image_member(&walk->image, address, i, walk->arena)) != NULL;
         i++) {
        ArcHdf5Data data;
        uint64_t member;
        const char *whole = arc_arena_format(walk->arena, "%s/%s", path, name);
        if (whole == NULL) {
            walk->is_out_of_memory = true;
            return;
        }
        if (!arc_hdf5_image_find(&walk->image, whole, &member))
            continue;
        if (arc_hdf5_image_array(&walk->image, member, &data))
            array_take(walk, whole, member, &data);
        else if (depth < ARC_HDF5_SURVEY_MAX_DEPTH)
            group_walk(walk, whole, member, depth + 1);
    }
}

ArcStatus arc_hdf5_survey(const char *file, const char *bytes, size_t size, ArcArena *arena,
                          ArcHdf5Survey *survey, ArcError *err)
{
    Walk walk = {.arena = arena};
    ArcPlace at = {file, 1, 1};
    if (!arc_hdf5_image_open((const unsigned char *)bytes, size, &walk.image))
        return arc_error_set_at(err, ARC_INPUT, at,
                                "no HDF5 file, cut short, or of a kind that is not read");
    group_walk(&walk, "", walk.image.root, 0);
    if (walk.is_out_of_memory)
        return arc_error_no_memory(err);
    if (walk.survey.n == 0 && walk.damage != NULL)
        return arc_error_set_at(err, ARC_INPUT, at, "cannot read an array of this HDF5 file: %s",
                                walk.damage);
    if (walk.image.work == 0)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "this HDF5 file is damaged, or has too many arrays to look at");
    *survey = walk.survey;
    return ARC_OK;
}
