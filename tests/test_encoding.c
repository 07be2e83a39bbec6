/* Encodings: each is recognised and becomes the same UTF-8; what is damaged is refused in its
 * place.
 */
#include "arena_case.h"

#include "io/delimited.h"
#include "io/encoding.h"

#include <locale.h>
#include <math.h>

/* Bytes and their number, so that zeros may stand among them. */
#define BYTES(text) (text), sizeof(text) - 1

static void assert_decodes(const char *bytes, size_t size, const char *text, size_t text_size,
                           ArcEncoding encoding)
{
    ArcDecoded decoded;
    ArcError err = {0};
    if (arc_encoding_decode("f", bytes, size, arena, &decoded, &err) != ARC_OK) {
        fail_msg("'%s': %s", text, err.text);
        return;
    }
    assert_int_equal(decoded.encoding, encoding);
    assert_int_equal(decoded.size, text_size);
    assert_memory_equal(decoded.text, text, text_size);
}

static void assert_refused(const char *bytes, size_t size, const char *expected)
{
    ArcDecoded decoded = {.size = 77};
    ArcError err = {0};
    ArcStatus status = arc_encoding_decode("f", bytes, size, arena, &decoded, &err);
    if (status != ARC_INPUT || strstr(err.text, expected) != err.text)
        fail_msg("status %d, '%s' does not begin with '%s'", status, err.text, expected);
    assert_int_equal(decoded.size, 77);
}

static void test_encoding_decode_utf8_with_and_without_mark_stays(void **state)
{
    (void)state;
    assert_decodes(BYTES("t,\xce\xbcs\n"), BYTES("t,\xce\xbcs\n"), ARC_ENCODING_UTF8);
    assert_decodes(BYTES("\xef\xbb\xbft\r\n1"), BYTES("t\r\n1"), ARC_ENCODING_UTF8);
    assert_decodes(BYTES(""), BYTES(""), ARC_ENCODING_UTF8);
    assert_decodes(BYTES("\xef\xbb\xbf"), BYTES(""), ARC_ENCODING_UTF8);
    assert_decodes(BYTES("a\xf0\x9f\x8f\x80"), BYTES("a\xf0\x9f\x8f\x80"), ARC_ENCODING_UTF8);
}

static void test_encoding_decode_utf16_in_both_orders_becomes_utf8(void **state)
{
    (void)state;
    assert_decodes(BYTES("\xff\xfet\0\xbc\x03\n\0"), BYTES("t\xce\xbc\n"), ARC_ENCODING_UTF16_LE);
    assert_decodes(BYTES("\xfe\xff\0t\x03\xbc\0\n"), BYTES("t\xce\xbc\n"), ARC_ENCODING_UTF16_BE);
    assert_decodes(BYTES("t\0,\0x\0\n\0"), BYTES("t,x\n"), ARC_ENCODING_UTF16_LE);
    assert_decodes(BYTES("\0t\0,\0x\0\n"), BYTES("t,x\n"), ARC_ENCODING_UTF16_BE);
    /* One character beyond the first 65,536, and U+2212. */
    assert_decodes(BYTES("\xff\xfe\x3c\xd8\xc0\xdf\x12\x22"), BYTES("\xf0\x9f\x8f\x80\xe2\x88\x92"),
                   ARC_ENCODING_UTF16_LE);
    assert_decodes(BYTES("\xff\xfe"), BYTES(""), ARC_ENCODING_UTF16_LE);
}

static void test_encoding_decode_latin1_and_windows_1252_become_utf8(void **state)
{
    (void)state;
    assert_decodes(BYTES("t (\xb5s);x\n"), BYTES("t (\xc2\xb5s);x\n"), ARC_ENCODING_WINDOWS_1252);
    assert_decodes(BYTES("\x80\x96\xff"), BYTES("\xe2\x82\xac\xe2\x80\x93\xc3\xbf"),
                   ARC_ENCODING_WINDOWS_1252);
    /* What a line cut short in UTF-8 looks like by itself. */
    assert_decodes(BYTES("t\n\xe2\x88"), BYTES("t\n\xc3\xa2\xcb\x86"), ARC_ENCODING_WINDOWS_1252);
}

static void test_encoding_decode_damaged_bytes_are_refused_in_their_place(void **state)
{
    (void)state;
    assert_refused(BYTES("\xce\xbcs \xc3\xa9\nx\xff"),
                   "f:2:2: error: wrong encoding: not UTF-8 (byte 0xff)");
    assert_refused(BYTES("\xef\xbb\xbfx\r\ny\xe9"),
                   "f:2:2: error: wrong encoding: not UTF-8 (byte 0xe9)");
    assert_refused(BYTES("a\rb\x81"), "f:2:2: error: wrong encoding: not UTF-8 (byte 0x81)");
    assert_refused(BYTES("x\x1b\xe9"), "f:1:2: error: wrong encoding");
    assert_refused(BYTES("t,x\n\0001"), "f:2:1: error: binary file (byte 0x00)");
    assert_refused(BYTES("\0\0\0\0"), "f:1:1: error: binary file (byte 0x00)");
    assert_refused(BYTES("\xff\xfet\0\n\0x\0\0\xd8y\0"),
                   "f:2:2: error: wrong encoding: half a character (0xd800)");
    assert_refused(BYTES("\xff\xfet\0\xbc"),
                   "f:1:2: error: wrong encoding: UTF-16 that ends with half");
    assert_refused(BYTES("\xff\xfe\xbc\x03\0\0"), "f:1:2: error: binary file (a zero in UTF-16)");
}

static ArcTable read_bytes(const char *bytes, size_t size)
{
    ArcTable table;
    ArcError err = {0};
    if (arc_delimited_read("f", bytes, size, arena, &table, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return table;
}

/* Columns in bytes where the file is UTF-8, in characters where an editor must translate it. */
static void test_encoding_decode_places_are_those_of_the_file(void **state)
{
    (void)state;
    ArcTable table = read_bytes(BYTES("\xc2\xb5,\xc3\xa9t\xc3\xa9,x\n1,2,3\n"));
    assert_int_equal(table.header[1].column, 4);
    assert_int_equal(table.header[2].column, 10);
    table = read_bytes(BYTES("\xb5,\xe9t\xe9,x\n1,2,3\n"));
    assert_int_equal(table.header[1].column, 3);
    assert_int_equal(table.header[2].column, 7);
    assert_memory_equal(table.header[1].text, "\xc3\xa9t\xc3\xa9", 5);
    table = read_bytes(BYTES("\xff\xfe\xb5\0,\0\xe9\0,\0x\0\r\0\n\0"
                             "1\0,\0"
                             "2\0,\0x\0"));
    assert_int_equal(table.header[2].column, 5);
    assert_int_equal(table.cells[2].line, 2);
    assert_int_equal(table.cells[2].column, 5);
    ArcError err = {0};
    double value;
    assert_int_equal(arc_delimited_number(&table, &table.cells[2], &value, &err), ARC_INPUT);
    assert_true(strstr(err.text, "f:2:5: error: 'x' is not a number") == err.text);
}

/* Numbers are read alike where the process writes its own with a comma. */
static void test_encoding_numbers_do_not_depend_on_the_locale(void **state)
{
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        print_message("skipped: no locale de_DE.UTF-8\n");
        skip();
    }
    static const char *const texts[] = {"t;x\n0,5;-1,25E-2\n", "t,x\n0.5,-1.25e-002\n",
                                        "\"t\",\"x\"\n\"0,5\",\"-0,0125\"\n", "t|x\n.5|-12.5E-3\n",
                                        "T\tX\n0.5\t\xe2\x88\x92"
                                        "0.0125E0\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ArcTable table = read_bytes(texts[i], strlen(texts[i]));
        double value[2] = {0.0, 0.0};
        for (int k = 0; k < 2; k++)
            assert_int_equal(arc_delimited_number(&table, &table.cells[k], &value[k], NULL),
                             ARC_OK);
        assert_true(value[0] == 0.5);
        assert_true(value[1] == -0.0125);
    }
    setlocale(LC_ALL, "C");
}

static void test_cell_form_is_as_written(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ArcCellForm form;
    } rows[] = {{"2.135", {3, 0, 4}},
                {"-0,001", {3, 0, 1}},
                {"1.234E-2", {3, -2, 4}},
                {"866", {0, 0, 3}},
                {"0.000000000E0", {9, 0, 0}},
                {"5e+002", {0, 2, 1}},
                {"\xe2\x88\x92"
                 "0.50",
                 {2, 0, 2}}};
    ArcCellForm form = {-7, -7, -7};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcCell cell = {rows[i].text, (int)strlen(rows[i].text), 1, 1, false};
        assert_true(arc_cell_form(&cell, &form));
        assert_int_equal(form.decimals, rows[i].form.decimals);
        assert_int_equal(form.exponent, rows[i].form.exponent);
        assert_int_equal(form.digits, rows[i].form.digits);
    }
    ArcCell word = {"ball", 4, 1, 1, false};
    assert_false(arc_cell_form(&word, &form));
    ArcCell nothing = {"", 0, 1, 1, false};
    assert_false(arc_cell_form(&nothing, &form));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encoding_decode_utf8_with_and_without_mark_stays),
        cmocka_unit_test(test_encoding_decode_utf16_in_both_orders_becomes_utf8),
        cmocka_unit_test(test_encoding_decode_latin1_and_windows_1252_become_utf8),
        cmocka_unit_test(test_encoding_decode_damaged_bytes_are_refused_in_their_place),
        cmocka_unit_test(test_encoding_decode_places_are_those_of_the_file),
        cmocka_unit_test(test_encoding_numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(test_cell_form_is_as_written),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}
