/* Figures as CSV: columns, units, quotes, and folders that cannot be written. */
#include "arcfit/text.h"

#include "program_run.h"

#include "drawn_case.h"
#include "drawn_exhaust.h"

static char folder[] = "/tmp/arcfit-csv-XXXXXX";
static const ArcFigures all = {.n = N_DRAWN, .figures = drawn};

static void assert_holds(const char *path, const char *what)
{
    size_t size;
    char *text = run_read_file(path, &size);
    run_assert_says(text, what);
    free(text);
}

static void test_figures_write_csv_rows_and_units(void **state)
{
    (void)state;
    ArcError err;
    assert_int_equal(arc_figures_write_csv(&all, "all", &err), ARC_OK);
    assert_holds("all/flight-side.csv",
                 "# The flight from the side\n# Both methods, and two outliers.\n"
                 "# x: forward; y: height\n"
                 "series,mark,x_m,y_m,low_m,high_m,label\n"
                 "95 %,band,0,,1.9,2.1,\n");
    assert_holds("all/flight-side.csv", "\ndirect,line,1.68,,,,\n"); /* what is missing is empty */
    assert_holds("all/flight-side.csv", "\noutliers,points,1,3.4,,,throw.csv:31\n");
    assert_holds("all/closure.csv", "series,mark,x_m,y_m,z_m_s2,low_m,high_m,label\n");
    assert_holds("all/parameters.csv", "series,mark,x_sd,y,low_sd,high_sd,label\n"
                                       "PINN,intervals,0.2,vx0,0.1,0.3,\n");
    assert_holds("all/correlation.csv", "\n,cells,vy0,vx0,-0.45,,,\n");
}

static void test_figures_write_csv_has_a_row_a_point(void **state)
{
    (void)state;
    size_t size, rows = 0;
    char *text = run_read_file("all/flight-side.csv", &size);
    for (size_t i = 0; i < size; i++)
        rows += text[i] == '\n' ? 1 : 0;
    assert_int_equal(rows, 3 + 1 + 3 * DRAWN_POINTS + 2);
    free(text);
}

static void test_figures_write_csv_texts_of_users_are_texts(void **state)
{
    (void)state;
    assert_holds("all/flight-side.csv", ",\"'=cmd|'/c calc'!A1\"\n");
    assert_holds("all/hostile.csv",
                 "\n\"`touch pwned` \"\"`touch pwned`\"\" '`touch pwned`'\n!touch pwned\n"
                 "@x \\\",line,");
    assert_holds("all/hostile.csv", "# @x \\\n# x: ");
}

static void test_figures_write_csv_names_become_files(void **state)
{
    (void)state;
    ArcError err;
    ArcFigure figure = drawn[DRAWN_LOG];
    figure.name = "../camera of `x`";
    assert_int_equal(
        arc_figures_write_csv(&(ArcFigures){.n = 1, .figures = &figure}, "named", &err), ARC_OK);
    assert_int_equal(access("named/_.-camera-of--x-.csv", F_OK), 0);
}

static void test_figures_write_csv_bad_folders_are_refused(void **state)
{
    (void)state;
    ArcError err;
    run_write_file("plain", "");
    assert_int_equal(arc_figures_write_csv(&all, "plain", &err), ARC_SYSTEM);
    run_assert_says(err.text, "cannot make the folder 'plain'");
    assert_int_equal(arc_figures_write_csv(&all, "none/deep", &err), ARC_SYSTEM);
    run_assert_says(err.text, "No such file");
}

static ArcStatus run_csv(ArcError *err)
{
    return arc_figures_write_csv(&(ArcFigures){.n = 1, .figures = &drawn[DRAWN_MATRIX]}, "again",
                                 err);
}

static void test_figures_write_csv_without_memory_is_refused(void **state)
{
    (void)state;
    drawn_exhaust(run_csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_write_csv_rows_and_units),
        cmocka_unit_test(test_figures_write_csv_has_a_row_a_point),
        cmocka_unit_test(test_figures_write_csv_texts_of_users_are_texts),
        cmocka_unit_test(test_figures_write_csv_names_become_files),
        cmocka_unit_test(test_figures_write_csv_bad_folders_are_refused),
        cmocka_unit_test(test_figures_write_csv_without_memory_is_refused),
    };
    drawn_make();
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_remove_folder(folder);
    return failed;
}
