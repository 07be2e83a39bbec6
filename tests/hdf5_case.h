/* Files of other programs, member by member, as the image of a file has them. */
#ifndef ARC_TESTS_HDF5_CASE_H
#define ARC_TESTS_HDF5_CASE_H

#include "io/hdf5_handle.h"

/* The name of a group's index-th member; NULL behind the last. */
static inline const char *hdf5_member(ArcHdf5 *file, const char *group, int index)
{
    uint64_t address;
    if (!arc_hdf5_image_find(&file->image, group, &address))
        return NULL;
    return arc_hdf5_image_member(&file->image, address, index, file->arena);
}

/* The array at path; false where there is none. */
static inline bool hdf5_array(ArcHdf5 *file, const char *path, ArcHdf5Data *array)
{
    uint64_t address;
    return arc_hdf5_image_find(&file->image, path, &address) &&
           arc_hdf5_image_array(&file->image, address, array);
}

/* All its numbers; NULL with a reason. */
static inline double *hdf5_numbers(ArcHdf5 *file, const char *path, size_t *n, const char **reason)
{
    ArcHdf5Data array;
    *reason = "no array of numbers";
    if (!hdf5_array(file, path, &array) ||
        (array.type.class != ARC_HDF5_CLASS_INTEGER && array.type.class != ARC_HDF5_CLASS_FLOAT))
        return NULL;
    *n = (size_t)array.space.count;
    const unsigned char *bytes = arc_hdf5_image_bytes(&file->image, &array, file->arena, reason);
    double *values = bytes == NULL ? NULL : ARC_ALLOC(file->arena, *n, double);
    for (size_t i = 0; values != NULL && i < *n; i++)
        values[i] = arc_hdf5_element_real(&array.type, bytes, i);
    return values;
}

#endif
