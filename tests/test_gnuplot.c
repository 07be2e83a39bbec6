/* Figures drawn by gnuplot: whole pictures of every kind, the same bytes each time, and texts of
 * users that are never run. ARCFIT_KEEP keeps the pictures, to be looked at. */
#include "arcfit/text.h"
#include "figure/gnuplot_script.h"
#include "figure/look.h"

#include "program_run.h"

#include "drawn_case.h"
#include "drawn_exhaust.h"

static char folder[] = "/tmp/arcfit-gnuplot-XXXXXX";
static const ArcFigures all = {.n = N_DRAWN, .figures = drawn};

static void assert_holds(const char *path, const char *what)
{
    size_t size;
    char *text = run_read_file(path, &size);
    run_assert_says(text, what);
    free(text);
}

static void need_gnuplot(void)
{
    if (system("gnuplot --version >/dev/null 2>&1") != 0)
        skip();
}

static void draw(const char *into, ArcPictureFormat format)
{
    ArcError err;
    if (arc_figures_write_gnuplot(&all, into, format, ARC_UNITS_SI, &err) != ARC_OK)
        fail_msg("%s", err.text);
}

static void test_gnuplot_quote_texts_are_one_word(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"plain", "'plain'"},
        {"it's `x` \"y\" \\", "'it''s `x` \"y\" \\'"},
        {"a\nb\rc\td\x7f", "'a b c d '"},
        {"\xff \xc3\xa9 \xf0\x9f\x8f\x80", "'? \xc3\xa9 \xe2\x96\xa1'"},
        {"0123456789abc", "'0123456789ab...'"},
        {"", "''"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        ArcText text = {0};
        arc_gnuplot_quote(&text, pairs[i][0], i == 4 ? 12 : 40);
        assert_string_equal(text.bytes, pairs[i][1]);
        arc_text_free(text.bytes);
    }
}

static void test_gnuplot_data_has_blocks_of_shown_numbers(void **state)
{
    (void)state;
    ArcText text = {0};
    arc_gnuplot_data(&text, &drawn[DRAWN_FLIGHT], ARC_UNITS_IMPERIAL);
    run_assert_says(text.bytes, "# '95 %': x low high\n0 6.2335958 6.88976378\n");
    run_assert_says(text.bytes, "\n\n\n# 'PINN': x y\n");
    /* the line that NaN parts: one blank line between rows, so that it stays one block */
    run_assert_says(text.bytes, "\n\n6.56167979 ");
    arc_text_free(text.bytes);
    text = (ArcText){0};
    arc_gnuplot_data(&text, &drawn[DRAWN_EMPTY], ARC_UNITS_SI);
    assert_string_equal(text.bytes, "# 'PINN': x y\nNaN NaN NaN NaN NaN NaN NaN\n");
    arc_text_free(text.bytes);
}

/* What the script of a figure of one series says in a format. */
static char *script_of(const ArcFigure *figure, ArcPictureFormat format)
{
    ArcText text = {0};
    ArcError err;
    char *bytes = NULL;
    const ArcGnuplotFiles files = {"a.gp", "a.dat", "a.pic", format, ARC_UNITS_SI};
    arc_gnuplot_script(&text, figure, &files);
    if (arc_text_finish(&text, &bytes, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return bytes;
}

static void assert_script_says(const ArcFigure *figure, const char *what)
{
    char *script = script_of(figure, ARC_PICTURE_PNG);
    run_assert_says(script, what);
    arc_text_free(script);
}

/* Numbers that are long have few tics, so that they stand beside each other in 85 mm; whole ones
 * have none between; digits are equally many. */
static void test_gnuplot_script_tics_do_not_overlap(void **state)
{
    (void)state;
    static const double fine[] = {-0.0105, 0.0079}, whole[] = {1.0, 3.0}, y[] = {2.0, 3.0};
    const ArcSeries series = {.mark = ARC_MARK_POINTS, .n = 2, .x = fine, .y = y};
    ArcSeries counted = series;
    counted.x = whole;
    ArcFigure figure = {.name = "a",
                        .title = "t",
                        .x = {"x0", "m", false, 0, NULL},
                        .y = {"y", "m", false, 0, NULL},
                        .n_series = 1,
                        .series = &series};
    assert_script_says(&figure, "set xtics 0.005\nset format x '%.3f'\n");
    figure.series = &counted;
    assert_script_says(&figure, "set xtics 1\nset format x '%.0f'\n");
}

/* Results of one name differ in what stands behind it, which must not be cut. */
static void test_gnuplot_script_long_names_lose_their_middle(void **state)
{
    (void)state;
    static const char *const names[] = {"Free throw, six camera points (result 1)", "b"};
    static const double x[] = {0.0, 1.0}, y[] = {0.05, 0.06};
    const ArcSeries series = {.mark = ARC_MARK_BARS, .n = 2, .x = x, .y = y};
    const ArcFigure figure = {.name = "a",
                              .title = "t",
                              .x = {"x", "1", false, 2, names},
                              .y = {"y", "m", false, 0, NULL},
                              .n_series = 1,
                              .series = &series};
    assert_script_says(&figure, "('Free throw... (result 1)' 0, 'b' 1)\n");
    assert_script_says(&figure, "\nset lmargin 18.0\n");
}

/* Bars that do not stand on zero lie. */
static void test_gnuplot_script_bars_stand_on_zero(void **state)
{
    (void)state;
    static const double x[] = {0.0, 1.0}, y[] = {0.05, 0.06};
    const ArcSeries series = {.mark = ARC_MARK_BARS, .n = 2, .x = x, .y = y};
    const ArcFigure figure = {.name = "a",
                              .title = "t",
                              .x = {"x", "1", false, 0, NULL},
                              .y = {"y", "m", false, 0, NULL},
                              .n_series = 1,
                              .series = &series};
    assert_script_says(&figure, "set yrange [0:*]\n");
    ArcFigure second = figure;
    second.flight = 2;
    assert_script_says(&second, "set title 't, flight 2' noenhanced\n");
}

/* gnuplot leaves the legend of a figure in space out, unless it is placed by its top. */
static void test_gnuplot_script_legend_in_space_is_placed_by_its_top(void **state)
{
    (void)state;
    for (int i = 0; i < N_DRAWN; i++)
        if (drawn[i].is_space)
            assert_script_says(&drawn[i], " top center vertical maxrows ");
}

/* A band has the colour of the series that comes over it. */
static void test_series_look_band_is_that_of_its_line(void **state)
{
    (void)state;
    const ArcSeries series[] = {{.mark = ARC_MARK_BAND, .role = ARC_ROLE_OTHER},
                                {.mark = ARC_MARK_LINE, .role = ARC_ROLE_OTHER},
                                {.mark = ARC_MARK_BAND, .role = ARC_ROLE_OTHER},
                                {.mark = ARC_MARK_LINE, .role = ARC_ROLE_OTHER}};
    const ArcFigure figure = {.n_series = 4, .series = series};
    const char *first = arc_series_look(&figure, 0).colour;
    const char *second = arc_series_look(&figure, 2).colour;
    assert_string_equal(arc_series_look(&figure, 1).colour, first);
    assert_string_equal(arc_series_look(&figure, 3).colour, second);
    assert_string_not_equal(first, second);
}

static void test_figures_write_gnuplot_every_format_is_whole(void **state)
{
    (void)state;
    need_gnuplot();
    for (int format = 0; format < 3; format++)
        draw("all", (ArcPictureFormat)format);
    assert_holds("all/flight-side.svg", "The flight from the side");
    assert_holds("all/parameters.svg", ">50% `touch pwned`<");
    assert_holds("all/parameters.svg", ">a_b^{c}<");
}

static void test_figures_write_gnuplot_texts_of_users_are_not_run(void **state)
{
    (void)state;
    need_gnuplot();
    draw("all", ARC_PICTURE_SVG);
    assert_holds("all/hostile.svg", "`touch pwned`");
    assert_holds("all/hostile.svg", "&lt;script>alert(1)&lt;/script>");
    assert_int_equal(access("all/pwned", F_OK), -1);
    assert_int_equal(access("pwned", F_OK), -1);
}

static void test_figures_write_gnuplot_same_figure_is_same_bytes(void **state)
{
    (void)state;
    need_gnuplot();
    draw("first", ARC_PICTURE_SVG);
    draw("second", ARC_PICTURE_SVG);
    run_assert_same_files("first/flight-side.svg", "second/flight-side.svg");
    run_assert_same_files("first/closure.svg", "second/closure.svg");
    draw("first", ARC_PICTURE_PNG);
    draw("second", ARC_PICTURE_PNG);
    run_assert_same_files("first/flight-space.png", "second/flight-space.png");
}

static void test_figures_write_gnuplot_scripts_run_again(void **state)
{
    (void)state;
    need_gnuplot();
    draw("again", ARC_PICTURE_SVG);
    assert_int_equal(unlink("again/training.svg"), 0);
    assert_int_equal(system("cd again && gnuplot training.gp"), 0);
    assert_int_equal(access("again/training.svg", F_OK), 0);
}

static void test_figures_write_gnuplot_without_it_leaves_scripts(void **state)
{
    (void)state;
    ArcError err;
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    ArcStatus status = arc_figures_write_gnuplot(&all, "bare", ARC_PICTURE_SVG, ARC_UNITS_SI, &err);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, ARC_SYSTEM);
    run_assert_says(err.text, "there is no gnuplot to draw the figures");
    assert_int_equal(access("bare/training.gp", F_OK), 0);
    assert_int_equal(access("bare/training.dat", F_OK), 0);
}

/* A gnuplot that fails, and one that writes half a picture, as on a full disk. */
static void test_figures_write_gnuplot_its_failures_are_told(void **state)
{
    (void)state;
    ArcError err;
    char *path = strdup(getenv("PATH")), first[PATH_MAX];
    snprintf(first, sizeof first, "%s/bin:%s", folder, path);
    assert_int_equal(mkdir("bin", 0777), 0);
    run_write_file("bin/gnuplot",
                   "#!/bin/sh\necho 'a warning' >&2\necho 'bad.gp line 3: what' >&2\nexit 1\n");
    assert_int_equal(chmod("bin/gnuplot", 0755), 0);
    setenv("PATH", first, 1);
    ArcStatus status =
        arc_figures_write_gnuplot(&all, "broken", ARC_PICTURE_SVG, ARC_UNITS_SI, &err);
    assert_int_equal(status, ARC_SYSTEM);
    run_assert_says(err.text, "gnuplot failed in 'broken': bad.gp line 3: what");
    run_write_file("bin/gnuplot", "#!/bin/sh\nfor f in *.gp; do echo '<svg>' > ${f%gp}svg; done\n");
    assert_int_equal(chmod("bin/gnuplot", 0755), 0);
    status = arc_figures_write_gnuplot(&all, "broken", ARC_PICTURE_SVG, ARC_UNITS_SI, &err);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, ARC_SYSTEM);
    run_assert_says(err.text, "did not write 'broken/flight-side.svg' to its end");
}

static ArcStatus run_gnuplot(ArcError *err)
{
    ArcText text = {0};
    char *bytes = NULL;
    const ArcGnuplotFiles files = {"a.gp", "a.dat", "a.svg", ARC_PICTURE_SVG, ARC_UNITS_SI};
    arc_gnuplot_data(&text, &drawn[DRAWN_MATRIX], ARC_UNITS_SI);
    arc_gnuplot_data(&text, &drawn[DRAWN_FLIGHT], ARC_UNITS_SI);
    arc_gnuplot_script(&text, &drawn[DRAWN_HOSTILE], &files);
    ArcStatus status = arc_text_finish(&text, &bytes, err);
    arc_text_free(bytes);
    return status;
}

static void test_gnuplot_script_without_memory_is_refused(void **state)
{
    (void)state;
    drawn_exhaust(run_gnuplot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gnuplot_quote_texts_are_one_word),
        cmocka_unit_test(test_gnuplot_data_has_blocks_of_shown_numbers),
        cmocka_unit_test(test_gnuplot_script_tics_do_not_overlap),
        cmocka_unit_test(test_gnuplot_script_bars_stand_on_zero),
        cmocka_unit_test(test_gnuplot_script_long_names_lose_their_middle),
        cmocka_unit_test(test_gnuplot_script_legend_in_space_is_placed_by_its_top),
        cmocka_unit_test(test_series_look_band_is_that_of_its_line),
        cmocka_unit_test(test_figures_write_gnuplot_every_format_is_whole),
        cmocka_unit_test(test_figures_write_gnuplot_texts_of_users_are_not_run),
        cmocka_unit_test(test_figures_write_gnuplot_same_figure_is_same_bytes),
        cmocka_unit_test(test_figures_write_gnuplot_scripts_run_again),
        cmocka_unit_test(test_figures_write_gnuplot_without_it_leaves_scripts),
        cmocka_unit_test(test_figures_write_gnuplot_its_failures_are_told),
        cmocka_unit_test(test_gnuplot_script_without_memory_is_refused),
    };
    drawn_make();
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (getenv("ARCFIT_KEEP") == NULL)
        run_remove_folder(folder);
    else
        puts(folder);
    return failed;
}
