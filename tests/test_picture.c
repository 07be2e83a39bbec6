/* Pictures of characters: their size, what stands where, texts that a terminal must not obey. */
#include "arcfit/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drawn_case.h"
#include "drawn_exhaust.h"

static char *picture_of(int figure, int columns, int rows, bool is_coloured)
{
    char *text = NULL;
    ArcError err;
    if (arc_figure_picture(&drawn[figure], columns, rows, is_coloured, &text, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return text;
}

/* Characters of the longest line, and the number of lines. */
static void measure(const char *text, int *columns, int *rows)
{
    int column = 0;
    *columns = *rows = 0;
    for (; *text != '\0'; text++) {
        column += ((unsigned char)*text & 0xc0) != 0x80 && *text != '\n' ? 1 : 0;
        *columns = column > *columns ? column : *columns;
        *rows += *text == '\n' ? 1 : 0;
        column = *text == '\n' ? 0 : column;
    }
}

static void test_figure_picture_all_keep_to_their_size(void **state)
{
    (void)state;
    static const int sizes[][2] = {{20, 5}, {21, 6}, {40, 12}, {80, 19}, {80, 24}, {132, 50}};
    for (int i = 0; i < N_DRAWN; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            int columns, rows;
            char *text = picture_of(i, sizes[k][0], sizes[k][1], false);
            measure(text, &columns, &rows);
            if (columns > sizes[k][0] || rows > sizes[k][1])
                fail_msg("%s at %d by %d: %d by %d\n%s", drawn[i].name, sizes[k][0], sizes[k][1],
                         columns, rows, text);
            arc_text_free(text);
        }
}

static void test_figure_picture_too_small_is_refused(void **state)
{
    (void)state;
    char *text = NULL;
    ArcError err;
    assert_int_equal(arc_figure_picture(&drawn[0], 19, 5, false, &text, &err), ARC_USAGE);
    assert_int_equal(arc_figure_picture(&drawn[0], 20, 4, false, &text, &err), ARC_USAGE);
    assert_null(text);
}

static void test_figure_picture_line_falls_from_corner_to_corner(void **state)
{
    (void)state;
    char *text = picture_of(DRAWN_LOG, 31, 9, false);
    assert_string_equal(text, "Training: cost\n"
                              "    1e+04 |ppp\n"
                              "          |   ppppp\n"
                              "          |       pppppp\n"
                              "          |            ppppp\n"
                              " 3.78e-07 |                 ppp\n"
                              "          +--------------------\n"
                              "           0    iteration    60\n"
                              "p cost\n");
    arc_text_free(text);
}

static void test_figure_picture_lines_in_one_cell_are_both(void **state)
{
    (void)state;
    char *text = picture_of(DRAWN_FLIGHT, 80, 20, false);
    assert_non_null(strstr(text, "= both"));
    assert_non_null(strstr(text, "====="));
    assert_non_null(strchr(text, 'x'));
    arc_text_free(text);
}

static void test_figure_picture_colours_only_where_asked(void **state)
{
    (void)state;
    char *plain = picture_of(DRAWN_FLIGHT, 80, 20, false);
    char *coloured = picture_of(DRAWN_FLIGHT, 80, 20, true), *to = coloured;
    assert_null(strchr(plain, '\033'));
    assert_non_null(strstr(coloured, "\033[38;5;32m"));
    for (const char *from = coloured; *from != '\0'; from++) {
        if (*from == '\033')
            from = strchr(from, 'm');
        else
            *to++ = *from;
    }
    *to = '\0';
    assert_string_equal(plain, coloured);
    arc_text_free(plain);
    arc_text_free(coloured);
}

static void test_figure_picture_controls_are_shown(void **state)
{
    (void)state;
    char *text = NULL;
    ArcError err;
    ArcFigure figure = drawn[DRAWN_RESIDUALS];
    figure.title = "\033]0;owned\a\x9b"
                   "31m \xc2\x9b \xe2\x80\xae drawn \xe2\x80\x94 \r\b";
    assert_int_equal(arc_figure_picture(&figure, 80, 20, false, &text, &err), ARC_OK);
    const char *expected = "?]0;owned??31m ? ? drawn \xe2\x80\x94 ??: residual (sd)\n";
    if (strncmp(text, expected, strlen(expected)) != 0)
        fail_msg("%s", text);
    arc_text_free(text);
}

static ArcStatus run_picture(ArcError *err)
{
    char *text = NULL;
    ArcStatus status = arc_figure_picture(&drawn[DRAWN_FLIGHT], 80, 20, true, &text, err);
    arc_text_free(text);
    return status;
}

/* Of several flights, the picture says which one it is, as do its words. */
static void test_figure_picture_tells_its_flight(void **state)
{
    (void)state;
    ArcFigure figure = drawn[0];
    ArcError err;
    char *text = NULL;
    figure.flight = 3;
    assert_int_equal(arc_figure_picture(&figure, 60, 12, false, &text, &err), ARC_OK);
    assert_non_null(strstr(text, ", flight 3"));
    arc_text_free(text);
    assert_int_equal(arc_figure_words(&figure, ARC_UNITS_SI, &text, &err), ARC_OK);
    assert_non_null(strstr(text, ", flight 3. "));
    arc_text_free(text);
}

static void test_figure_picture_without_memory_is_refused(void **state)
{
    (void)state;
    drawn_exhaust(run_picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_picture_all_keep_to_their_size),
        cmocka_unit_test(test_figure_picture_too_small_is_refused),
        cmocka_unit_test(test_figure_picture_line_falls_from_corner_to_corner),
        cmocka_unit_test(test_figure_picture_lines_in_one_cell_are_both),
        cmocka_unit_test(test_figure_picture_colours_only_where_asked),
        cmocka_unit_test(test_figure_picture_controls_are_shown),
        cmocka_unit_test(test_figure_picture_tells_its_flight),
        cmocka_unit_test(test_figure_picture_without_memory_is_refused),
    };
    drawn_make();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
