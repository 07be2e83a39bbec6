/* HDF5 files of other programs: every member of every group, its shape, its numbers and texts.
 * Flags: -max_len=8192
 */
#include "../hdf5_case.h"
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

enum { MOST_MEMBERS = 12, MOST_DEPTH = 4, MOST_PATH = 256 };

/* Each by a handle of its own, since a failed one reads no more. */
static void read_array(const char *bytes, size_t size, const char *path)
{
    for (int i = 0; i < 3; i++) {
        ArcArena *arena = arc_arena_create();
        ArcHdf5 *file = NULL;
        ArcError err = {ARC_OK, ""};
        const char *reason;
        size_t n = 0;
        if (arc_hdf5_open_bytes("fuzz.h5", bytes, size, arena, &file, &err) != ARC_OK)
            fuzz_fail("does not open again");
        if (i == 0) {
            (void)hdf5_numbers(file, path, &n, &reason);
        } else {
            int rows = arc_hdf5_rows(file, path);
            const void *read = i == 1 ? (const void *)arc_hdf5_texts(file, path, rows)
                                      : (const void *)arc_hdf5_integers(file, path, rows);
            ArcStatus status = arc_hdf5_status(file, &err);
            fuzz_check_verdict(status, &err);
            if ((status == ARC_OK) != (read != NULL))
                fuzz_fail("data without success, or none with it");
        }
        arc_hdf5_close(file);
        arc_arena_free(arena);
    }
}

static void look_around(ArcHdf5 *file, const char *bytes, size_t size, const char *group, int depth)
{
    const char *name;
    for (int i = 0; i < MOST_MEMBERS; i++) {
        char path[MOST_PATH];
        ArcHdf5Data array;
        name = hdf5_member(file, group, i);
        if (name == NULL || strlen(group) + strlen(name) + 2 > sizeof path)
            break;
        snprintf(path, sizeof path, "%s/%s", group, name);
        if (hdf5_array(file, path, &array))
            read_array(bytes, size, path);
        else if (depth < MOST_DEPTH)
            look_around(file, bytes, size, path, depth + 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *text = (const char *)bytes;
    ArcArena *arena = arc_arena_create();
    ArcHdf5 *file = NULL;
    ArcError err;
    ArcStatus status = arc_hdf5_open_bytes("fuzz.h5", text, size, arena, &file, &err);
    fuzz_check_verdict(status, &err);
    if (status == ARC_OK) {
        look_around(file, text, size, "", 0);
        arc_hdf5_text(file, "/", "variable");
        fuzz_check_verdict(arc_hdf5_status(file, &err), &err);
        arc_hdf5_close(file);
    }
    arc_arena_free(arena);
    return 0;
}
