/* Delimited text: every delimiter, and every cell as a number. */
#include "fuzz.h"
#include "io/delimited.h"

/* The first byte chooses the delimiter; anything else than these lets it be found. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char delimiters[] = {0, ',', ';', '\t', ' '};
    if (size == 0)
        return 0;
    char delimiter = delimiters[bytes[0] % sizeof delimiters];
    ArcArena *arena = arc_arena_create();
    ArcTable table;
    ArcError err;
    ArcStatus status = arc_delimited_read("fuzz.csv", (const char *)bytes + 1, size - 1, delimiter,
                                          arena, &table, &err);
    fuzz_check_verdict(status, &err);
    int n_cells = status == ARC_OK ? table.n_rows * table.n_columns : 0;
    for (int i = 0; i < n_cells; i++) {
        double value;
        fuzz_check_verdict(arc_delimited_number(&table, &table.cells[i], &value, &err), &err);
    }
    arc_arena_free(arena);
    return 0;
}
