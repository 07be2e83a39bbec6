/* Delimited text: every delimiter, and every cell as a number. */
#include "fuzz.h"
#include "io/delimited.h"
#include "io/encoding.h"

/* The first byte chooses the delimiter; anything else than these lets it be found. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const delimiters[] = {NULL, ",", ";", "\t", " "};
    if (size == 0)
        return 0;
    const size_t chosen = bytes[0] % (sizeof delimiters / sizeof delimiters[0]);
    ArcArena *arena = arc_arena_create();
    ArcDecoded decoded;
    ArcTable table;
    ArcError err;
    ArcStatus status =
        arc_encoding_decode("fuzz.csv", (const char *)bytes + 1, size - 1, arena, &decoded, &err);
    if (status == ARC_OK) {
        const ArcDelimited request = {.part = {"fuzz.csv", decoded.text, decoded.size, 1,
                                               arc_encoding_counts_characters(decoded.encoding)},
                                      .delimiter = {delimiters[chosen], chosen == 4},
                                      .header_line = ARC_HEADER_FOUND};
        status = arc_delimited_read_text(&request, arena, &table, &err);
    }
    fuzz_check_verdict(status, &err);
    int n_cells = status == ARC_OK ? table.n_rows * table.n_columns : 0;
    for (int i = 0; i < n_cells; i++) {
        double value;
        fuzz_check_verdict(arc_delimited_number(&table, &table.cells[i], &value, &err), &err);
    }
    arc_arena_free(arena);
    return 0;
}
