/* See libraries.h. */
#include "report/libraries.h"

#include <cblas.h>
#include <jansson.h>
#include <string.h>
#include <zlib.h>

void arc_libraries_write(ArcHdf5 *file)
{
    char version[32];
    arc_hdf5_put_text(file, "/", "hdf5", arc_hdf5_version(version));
    arc_hdf5_put_text(file, "/", "openblas", openblas_get_config());
    arc_hdf5_put_text(file, "/", "jansson", jansson_version_str());
    arc_hdf5_put_text(file, "/", "zlib", zlibVersion());
}

const char *arc_libraries_read(ArcHdf5 *file, ArcArena *arena)
{
    /* OpenBLAS says its own name, and a blank behind its last word. */
    const char *openblas = arc_hdf5_text(file, "/", "openblas");
    const char *hdf5 = arc_hdf5_text(file, "/", "hdf5");
    const char *jansson = arc_hdf5_text(file, "/", "jansson");
    const char *zlib = arc_hdf5_text(file, "/", "zlib");
    int length = (int)strlen(openblas);
    while (length > 0 && openblas[length - 1] == ' ')
        length--;
    if (!arc_hdf5_is_good(file))
        return "";
    return arc_arena_format(arena, "%.*s, HDF5 %s, Jansson %s, zlib %s", length, openblas, hdf5,
                            jansson, zlib);
}
