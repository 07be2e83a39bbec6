/* A figure in words: numbers, units, categories, what is not there. */
#include "arcfit/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drawn_case.h"
#include "drawn_exhaust.h"

static void assert_words(int figure, ArcUnits units, const char *what)
{
    char *text = NULL;
    ArcError err;
    assert_int_equal(arc_figure_words(&drawn[figure], units, &text, &err), ARC_OK);
    if (strstr(text, what) == NULL)
        fail_msg("'%s' is not in\n%s", what, text);
    arc_text_free(text);
}

static void test_figure_words_lines_have_ends_and_extremes(void **state)
{
    (void)state;
    assert_words(
        DRAWN_FLIGHT, ARC_UNITS_SI,
        "The flight from the side. Across: forward 0 to 4.8 m; up: height 1.9 to 3.997 m.");
    assert_words(DRAWN_FLIGHT, ARC_UNITS_SI,
                 "PINN: a line through 61 points from (0 m, 2 m) to (4.8 m, 2.137 m), lowest at "
                 "(0 m, 2 m), highest at (2.48 m, 3.835 m).");
    assert_words(DRAWN_FLIGHT, ARC_UNITS_SI,
                 "a band along 61 points, widest at (4.8 m) from 1.917 to 2.357 m");
}

static void test_figure_words_few_points_are_all_there(void **state)
{
    (void)state;
    assert_words(DRAWN_FLIGHT, ARC_UNITS_SI,
                 "2 points at (1 m, 3.4 m) throw.csv:31; (3 m, 3.9 m) =cmd|'/c calc'!A1.");
    assert_words(
        DRAWN_PARAMETERS, ARC_UNITS_SI,
        "PINN: 5 intervals at (0.2 sd, vx0) from 0.1 to 0.3 sd; (-0.4 sd, vy0) from -0.9 to "
        "0.1 sd; (0.9 sd, cd) from 0.7 to 1.1 sd; (0.1 sd, 50% `touch pwned`) from -0.3 to "
        "0.5 sd.");
    assert_words(DRAWN_EMPTY, ARC_UNITS_SI, "Across: time nothing;");
}

static void test_figure_words_units_are_those_asked_for(void **state)
{
    (void)state;
    assert_words(DRAWN_FLIGHT, ARC_UNITS_IMPERIAL, "forward 0 to 15.75 ft");
    assert_words(DRAWN_FIELD_CELLS, ARC_UNITS_IMPERIAL,
                 "highest 3.281 ft/s^2 at (26.25 ft, 39.37 ft)");
}

static void test_figure_words_cells_have_place_and_value(void **state)
{
    (void)state;
    assert_words(DRAWN_MATRIX, ARC_UNITS_SI,
                 "5 by 5 cells, lowest -0.45 at (vy0, vx0), highest 1 at (vx0, vx0).");
    assert_words(DRAWN_LOG, ARC_UNITS_SI, "up: cost 3.775e-07 to 1e+04, logarithmic");
    assert_words(DRAWN_SPACE, ARC_UNITS_SI,
                 "into the depth: sideways -0.5 to 0.4998 m; up: height");
}

static ArcStatus run_words(ArcError *err)
{
    char *text = NULL;
    ArcStatus status = arc_figure_words(&drawn[DRAWN_FLIGHT], ARC_UNITS_SI, &text, err);
    arc_text_free(text);
    return status;
}

static void test_figure_words_without_memory_is_refused(void **state)
{
    (void)state;
    drawn_exhaust(run_words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_words_lines_have_ends_and_extremes),
        cmocka_unit_test(test_figure_words_few_points_are_all_there),
        cmocka_unit_test(test_figure_words_units_are_those_asked_for),
        cmocka_unit_test(test_figure_words_cells_have_place_and_value),
        cmocka_unit_test(test_figure_words_without_memory_is_refused),
    };
    drawn_make();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
