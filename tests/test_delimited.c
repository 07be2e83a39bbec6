/* The reader of delimited text: what is accepted in all its dialects, and what is refused, where.
 */
#include "arena_case.h"

#include "io/delimited.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static ArcTable read_text(const char *text)
{
    ArcTable table;
    ArcError err = {0};
    if (arc_delimited_read("f", text, strlen(text), arena, &table, &err) != ARC_OK)
        fail_msg("'%s' was refused: %s", text, err.text);
    return table;
}

static double number_at(const ArcTable *table, int row, int column)
{
    double value = -99.0;
    ArcError err = {0};
    const ArcCell *cell = &table->cells[row * table->n_columns + column];
    if (arc_delimited_number(table, cell, &value, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return value;
}

static void assert_cell(const ArcCell *cell, const char *text, int line, int column)
{
    if ((int)strlen(text) != cell->length || memcmp(text, cell->text, strlen(text)) != 0 ||
        cell->line != line || cell->column != column)
        fail_msg("cell '%.*s' at %d:%d, expected '%s' at %d:%d", cell->length, cell->text,
                 cell->line, cell->column, text, line, column);
}

static void assert_refused_bytes(const char *bytes, size_t size, const char *expected)
{
    ArcTable table = {.n_rows = -5};
    ArcError err = {0};
    ArcStatus status = arc_delimited_read("f", bytes, size, arena, &table, &err);
    if (status != ARC_INPUT || strstr(err.text, expected) != err.text)
        fail_msg("'%.60s': status %d, '%s' does not begin with '%s'", bytes, status, err.text,
                 expected);
    assert_int_equal(table.n_rows, -5);
}

/* The same three points in every dialect that a program of the field writes. */
static void test_delimited_read_dialects_give_the_same_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "t,x,y\n0,-0.5,2\n0.25,1.5,-\n0.5,1e-3,4\n",
        "\xef\xbb\xbft,x,y\r\n0,-0.5,2\r\n0.25,1.5,-\r\n0.5,1e-3,4",
        "t,x,y\r0,-0.5,2\r0.25,1.5,-\r0.5,1e-3,4\r",
        "# made by hand\n\n   \n#\nt,x,y\n\n0,-0.5,2\n0.25,1.5,NaN\n\n0.5,1e-3,4\n\n",
        "t;x;y\n0;-0,5;2\n0,25;1,5;\n0,5;1e-3;4\n",
        "t\tx\ty\n0\t-0,5\t2\n0,25\t1,5\t\n0,5\t0,001\t4\n",
        "t x y\n0 -0.5 2\n0.25 1.5 nan\n0.5 0.001 4\n",
        "  t   x\t y  \n  0   -0,5  2 \n 0,25\t1,5   NA\n0,5  1E-3  4\n",
        "\"t\",\"x\",\"y\"\n\"0\",\"-0.5\",\"2\"\n\"0.25\",\"1.5\",\n\"0.5\",\"1E-3\",\"4\"\n",
        "\"Time (ms)\",\"X (cm)\",\"Y\"\n\"0\",\"-0,5\",\"2\"\n\"0,25\",\"1,5\",\n"
        "\"0,5\",\"0,001\",\"4\"\n",
        "t,x,y,\n0,-0.5,2\n0.25,1.5,null\n0.5,1e-003,4\n",
        "t,x,y\n0,-0.5,2,\n0.25,1.5,,\n0.5,.001,4.,\n",
        "t, x, y\n0, \xe2\x88\x92"
        "0.5, +2\n0.25, 1.5,\n0.5, 1e\xe2\x88\x92"
        "3, 4\n",
        "Trial 3, take 2,\nt,x,y,\n0,-0.5,2\n0.25,1.5,\n0.5,0.001,4\n",
        "0,-0.5,2\n0.25,1.5,\n0.5,0.001,4\n",
        "Camera 3\nRate (Hz),120\n2024-05-01\n\n\"a \"broken\" note\nt,x,y\n0,-0.5,2\n"
        "0.25,1.5,\n0.5,0.001,4\n",
        "t|x|y\n0|-0,5|2\n0,25|1,5|\n0,5|0,001|4\n",
        "t,x,y\n0,-0.5,2\n# the net was hit here\n0.25,1.5,\n0.5,0.001,4\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ArcTable table = read_text(texts[i]);
        if (table.n_rows != 3 || table.n_columns != 3)
            fail_msg("%zu: %d rows, %d columns", i, table.n_rows, table.n_columns);
        assert_true(number_at(&table, 0, 0) == 0.0);
        assert_true(number_at(&table, 0, 1) == -0.5);
        assert_true(number_at(&table, 0, 2) == 2.0);
        assert_true(number_at(&table, 1, 0) == 0.25);
        assert_true(number_at(&table, 1, 1) == 1.5);
        assert_true(isnan(number_at(&table, 1, 2)));
        assert_true(number_at(&table, 2, 0) == 0.5);
        assert_true(number_at(&table, 2, 1) == 0.001);
        assert_true(number_at(&table, 2, 2) == 4.0);
        assert_true((table.header == NULL) == (i == 14));
    }
}

/* An exporter that begins and ends its header lines with a separator. */
static void test_delimited_read_titles_and_outer_separators_are_understood(void **state)
{
    (void)state;
    ArcTable table = read_text("#multi:\n\tball\t\t\t\t\nt\tx\ty\tvx\tvy\t\n"
                               "0,000\t-0,001\t2,135\t\t\n0,033\t0,150\t2,320\t4,47\t5,43\n");
    assert_string_equal(table.delimiter.text, "\t");
    assert_int_equal(table.n_columns, 5);
    assert_int_equal(table.n_rows, 2);
    assert_cell(&table.header[3], "vx", 3, 7);
    assert_true(isnan(number_at(&table, 0, 4)));
    assert_true(number_at(&table, 1, 4) == 5.43);
    table = read_text(",frame,x\n2,2,555.0\n3,3,570.0\n");
    assert_cell(&table.header[0], "", 1, 1);
    assert_cell(&table.header[1], "frame", 1, 2);
}

static void test_delimited_read_places_count_bytes_and_lines(void **state)
{
    (void)state;
    ArcTable table = read_text("\xef\xbb\xbf# note\r\n\r\n\xce\xbcs,\"x, \"\"m\"\"\" , y\r\n"
                               "1,  2 ,\"3\"\r\n\r\n4,,6\n");
    assert_cell(&table.header[0], "\xce\xbcs", 3, 1);
    assert_cell(&table.header[1], "x, \"\"m\"\"", 3, 5);
    assert_cell(&table.header[2], "y", 3, 18);
    assert_cell(&table.cells[1], "2", 4, 5);
    assert_cell(&table.cells[2], "3", 4, 8);
    assert_true(table.cells[2].is_quoted);
    assert_cell(&table.cells[3], "4", 6, 1);
    assert_cell(&table.cells[4], "", 6, 3);
    ArcPlace place = arc_delimited_place(&table, &table.cells[5]);
    assert_string_equal(place.file, "f");
    assert_int_equal(place.line, 6);
    assert_int_equal(place.column, 4);
}

static ArcTable read_by(const char *text, const char *delimiter)
{
    const ArcDelimited request = {.part = {"f", text, strlen(text), 1, false},
                                  .delimiter = {delimiter, false},
                                  .header_line = ARC_HEADER_FOUND};
    ArcTable table;
    ArcError err = {0};
    if (arc_delimited_read_text(&request, arena, &table, &err) != ARC_OK)
        fail_msg("'%s' was refused: %s", text, err.text);
    return table;
}

static void test_delimited_read_given_separator_is_used(void **state)
{
    (void)state;
    ArcTable table = read_by("a;b\n1,5;2\n", ";");
    assert_int_equal(table.n_columns, 2);
    assert_true(number_at(&table, 0, 0) == 1.5);
    table = read_by("a;b,c;d\n1;2,3;4\n", ",");
    assert_int_equal(table.n_columns, 2);
    table = read_text("v\n1\n2\n");
    assert_int_equal(table.n_columns, 1);
    assert_int_equal(table.n_rows, 2);
}

static void test_delimited_read_broken_files_are_refused_with_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *expected;
    } rows[] = {
        {"", "f:1:1: error: empty file"},
        {"\xef\xbb\xbf", "f:1:1: error: empty file"},
        {"\n \n# only\n", "f:1:1: error: nothing but blank lines and comments"},
        {"t,x\n0,1\n1,2,3\n", "f:3:5: error: 3 cells where the header has 2"},
        {"t,x,y\n0,1,2\n1,2\n", "f:3:4: error: 2 cells where the header has 3"},
        {"0,1,2\n1\n", "f:2:2: error: 1 cell where the first row has 3"},
        {"t,x,y\n0,1,2,,\n", "f:2:7: error: 5 cells where the header has 3"},
        {"t x y\n0 1 2 3\n", "f:2:7: error: 4 cells where the header has 3"},
        {"t,x\n0,1,2e-08\n", "f:2:3: error: '1,2e-08' is not a number in a comma-separated file; "
                             "decimal commas need another separator"},
        {"t,x\n0,5,1,25\n", "f:2:1: error: '0,5' is not a number in a comma-separated file"},
        {"t,x,y\n0,-1,05,2\n", "f:2:3: error: '-1,05' is not a number in a comma-separated"},
        {"t,x\n0,\"1\n", "f:2:3: error: quote without its end"},
        {"t,x\n\"0\"5,1\n", "f:2:4: error: text behind a closing quote"},
        {"t,x,y\n0,1,2\n\n0.1,\"2,3\n", "f:4:5: error: quote without its end"},
        {"t;x\n0,5;1\n1;2.5\n", "f:3:3: error: '2.5' has a decimal point, but '0,5' in line 2 a "
                                "decimal comma"},
        {"t;x\n0.5;1\n1;2,5\n", "f:3:3: error: '2,5' has a decimal comma, but '0.5' in line 2 a"},
        {"\"t\",\"x\"\n\"0,5\",\"1\"\n\"1\",2.5\n", "f:3:5: error: '2.5' has a decimal point"},
        {"a|b\n1|2|3\n", "f:2:5: error: 3 cells where the header has 2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_refused_bytes(rows[i].text, strlen(rows[i].text), rows[i].expected);
    assert_refused_bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16, "f:1:1: error: binary file");
}

static void test_delimited_read_long_line_is_refused_at_once(void **state)
{
    (void)state;
    size_t size = 10u << 20;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, '1', size);
    memcpy(text, "t,x\n0,", 6);
    clock_t start = clock();
    assert_refused_bytes(text, size,
                         "f:2:1: error: line too long: at most 10000000 lines of 1048576");
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 1.0);
    /* A long line within the limit is an ordinary bad cell. */
    ArcTable table;
    ArcError err;
    assert_int_equal(arc_delimited_read("f", text, 1 << 20, arena, &table, NULL), ARC_OK);
    double value;
    assert_int_equal(arc_delimited_number(&table, &table.cells[1], &value, &err), ARC_INPUT);
    assert_true(strlen(err.text) < 200);
    memset(text, '\n', size);
    assert_refused_bytes(text, size, "f:10000001:1: error: too many lines");
    free(text);
}

static void test_delimited_number_missing_and_wrong_cells_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *cell;
        const char *expected; /* NULL: missing */
    } rows[] = {
        {"", NULL},
        {"-", NULL},
        {"NaN", NULL},
        {"nan", NULL},
        {"NA", NULL},
        {"null", NULL},
        {"\"\"", NULL},
        {"abc", "'abc' is not a number"},
        {"inf", "'inf' is infinite"},
        {"-Infinity", "'-Infinity' is infinite"},
        {"\xe2\x88\x9e", "is infinite"},
        {"1e999", "'1e999' is infinite or too large"},
        {"-1e999", "'-1e999' is infinite or too large"},
        {"1.2.3", "'1.2.3' is not a number"},
        {"0x10", "'0x10' is not a number"},
        {"5 m", "'5 m' is not a number"},
        {"12:30", "'12:30' is not a number"},
        {"\"1,234\"", "'1,234' may be a thousand or a fraction"},
        {"\"1,234.5\"", "'1,234.5' is not a number; write it without thousands separators"},
        {"\"1,2,3\"", "'1,2,3' is not a number; leave"},
        {"1 234.5", "'1 234.5' is not a number; write it without thousands"},
        {"-1'234'567", "write it without thousands"},
        {"12\xe2\x80\xaf"
         "345.6",
         "write it without thousands"},
        {"1.234.567", "write it without thousands"},
        {"1234 567", "is not a number; leave"},
        {"0123456789012345678901234567890123456789abc",
         "'0123456789012345678901234567890123456789'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, "t,x\n0,1\n7,%s\n", rows[i].cell);
        ArcTable table = read_text(text);
        double value = 5.0;
        ArcError err = {0};
        ArcStatus status = arc_delimited_number(&table, &table.cells[3], &value, &err);
        if (rows[i].expected == NULL) {
            assert_int_equal(status, ARC_OK);
            assert_true(isnan(value));
        } else if (status != ARC_INPUT || strstr(err.text, rows[i].expected) == NULL ||
                   strstr(err.text, "f:3:3: error: ") != err.text || value != 5.0) {
            fail_msg("'%s': status %d, '%s'", rows[i].cell, status, err.text);
        }
    }
    ArcTable table = read_text("t,x\n0,\"0,150\"\n");
    assert_true(number_at(&table, 0, 1) == 0.15);
}

static void test_delimited_shown_never_cuts_a_character(void **state)
{
    (void)state;
    char text[64];
    memset(text, 'a', sizeof text);
    assert_int_equal(arc_delimited_shown(text, 12), 12);
    assert_int_equal(arc_delimited_shown(text, 64), 40);
    memcpy(text + 38, "\xe2\x88\x92", 3);
    assert_int_equal(arc_delimited_shown(text, 64), 38);
}

/* Whatever the bytes are: an answer or one line with a place, never a crash (run under sanitizers).
 */
static void test_delimited_read_mutated_bytes_never_crash(void **state)
{
    (void)state;
    static const char seed[] = "# a\nt,\"x\",y\n0,1.5,-2\n0.1,\"2\",nan\n0.2;3\t4 5\r\n\xe2\x88\x92"
                               "1,2,3";
    static const char alphabet[] = "\0\n\r\",;\t #-+.e\xe2\x88\x92\xff"
                                   "019aN";
    unsigned random = 12345;
    for (int round = 0; round < 20000; round++) {
        char *bytes = malloc(sizeof seed);
        assert_non_null(bytes);
        memcpy(bytes, seed, sizeof seed);
        random = random * 1664525u + 1013904223u;
        size_t size = (random >> 8) % sizeof seed;
        for (int k = 0; k < 4 && size > 0; k++) {
            random = random * 1664525u + 1013904223u;
            bytes[(random >> 8) % size] = alphabet[(random >> 20) % (sizeof alphabet - 1)];
        }
        ArcArena *small = arc_arena_create();
        ArcTable table;
        ArcError err = {0};
        ArcStatus status = arc_delimited_read("f", bytes, size, small, &table, &err);
        if (status == ARC_OK) {
            double value;
            for (int i = 0; i < table.n_rows * table.n_columns; i++)
                (void)arc_delimited_number(&table, &table.cells[i], &value, &err);
        } else {
            assert_int_equal(status, ARC_INPUT);
            assert_true(strncmp(err.text, "f:", 2) == 0);
        }
        arc_arena_free(small);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delimited_read_dialects_give_the_same_numbers),
        cmocka_unit_test(test_delimited_read_titles_and_outer_separators_are_understood),
        cmocka_unit_test(test_delimited_read_places_count_bytes_and_lines),
        cmocka_unit_test(test_delimited_read_given_separator_is_used),
        cmocka_unit_test(test_delimited_read_broken_files_are_refused_with_place),
        cmocka_unit_test(test_delimited_read_long_line_is_refused_at_once),
        cmocka_unit_test(test_delimited_number_missing_and_wrong_cells_are_told_apart),
        cmocka_unit_test(test_delimited_shown_never_cuts_a_character),
        cmocka_unit_test(test_delimited_read_mutated_bytes_never_crash),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}
