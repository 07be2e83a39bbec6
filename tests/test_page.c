/* The page of results and aims: its parts, its figures' numbers, what users wrote, its size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report_case.h"

#include "base/arena.h"
#include "page_case.h"

#include <jansson.h>

static const ArcPageItem item = {"results/throw.h5", &result, NULL, NULL};

static int begin(void **state)
{
    make_result();
    for (int i = 0; i < ARC_TRAJECTORY_POINTS; i++) { /* a throw, with the height in z's place */
        states[0][2 * i] = 5 * times[i];
        states[0][2 * i + 1] = 2 + 4 * times[i] - 4.9 * times[i] * times[i];
    }
    return page_case_begin(state);
}

/* The JSON of the script of this id; for json_decref. */
static json_t *data_of(const char *page, const char *id)
{
    char head[80];
    json_error_t error;
    snprintf(head, sizeof head, "<script type=\"application/json\" id=\"%s\">", id);
    const char *first = strstr(page, head);
    assert_non_null(first);
    first += strlen(head);
    json_t *data = json_loadb(first, (size_t)(strstr(first, "</script>") - first), 0, &error);
    if (data == NULL)
        fail_msg("%s: %s", id, error.text);
    return data;
}

static void test_page_text_result_has_its_parts(void **state)
{
    (void)state;
    result.libraries = "OpenBLAS 0.3";
    char *page = page_case_text(1, &item, ARC_UNITS_METRIC);
    static const char *const in_order[] = {
        "<!doctype html>",
        "<html lang=\"en\" data-units=\"metric\">",
        "charset=\"utf-8\"",
        "default-src 'none'",
        "<title>Throw \xc3\xa9",
        "href=\"#content\"",
        "<option value=\"metric\" selected>",
        "<main id=\"content\"",
        "<h1><bdi>Throw \xc3\xa9",
        "class=\"headline",
        "class=\"verdict",
        "<nav aria-label=\"Sections\">",
        "<section id=\"numbers\"",
        "<th scope=\"row\"><bdi>vx0</bdi>",
        "<bdi>release_angle</bdi>",
        "hoop: the ball&#39;s centre",
        "<section id=\"fit\"",
        "<section id=\"text\"",
        "corr. PINN",
        "<section id=\"origin\"",
        "<dt>Version of arcfit</dt><dd><bdi>0.1.0</bdi>",
        "<dt>Its libraries</dt><dd><bdi>OpenBLAS 0.3",
        "<dt>Seed</dt>",
        "arcfit fit experiments/throw.yaml --set "
        "fit.seed=7 -o results/throw.h5\narcfit report results/throw.h5",
        "name: Throw\n",
        "flight.drag: lumped",
        "</main>",
        "Permission is hereby granted",
        "id=\"page-units\"",
        "id=\"figures\"",
        "/* Plotly, MIT */",
        "</html>"};
    const char *at = page;
    for (size_t i = 0; i < sizeof in_order / sizeof in_order[0]; i++) {
        const char *found = strstr(at, in_order[i]);
        if (found == NULL)
            fail_msg("missing, or out of order: %s", in_order[i]);
        at = found + strlen(in_order[i]);
    }
    assert_int_equal(page_case_count(page, "<h1"), 1);
    page_case_lacks(page, "src=\"");
    page_case_lacks(page, "href=\"http");
    arc_text_free(page);
}

/* Every figure has its place, its data, and a table's place. */
static void test_page_text_figures_are_all_there(void **state)
{
    (void)state;
    char id[160], *page = page_case_text(1, &item, ARC_UNITS_SI);
    ArcFigures *figures;
    assert_int_equal(arc_figures_of_result(&result, NULL, &figures, NULL), ARC_OK);
    json_t *data = data_of(page, "figures");
    assert_true(figures->n > 0);
    assert_int_equal(json_array_size(data), figures->n);
    assert_int_equal(page_case_count(page, "<figure "), figures->n);
    assert_int_equal(page_case_count(page, "<figcaption>"), figures->n);
    assert_int_equal(page_case_count(page, "class=\"numbers\""), figures->n);
    for (int i = 0; i < figures->n; i++) {
        const json_t *figure = json_array_get(data, (size_t)i);
        assert_string_equal(json_string_value(json_object_get(figure, "name")),
                            figures->figures[i].name);
        snprintf(id, sizeof id, "<figure id=\"figure-%s\"", figures->figures[i].name);
        page_case_has(page, id);
        snprintf(id, sizeof id, "aria-describedby=\"words-%s\"", figures->figures[i].name);
        page_case_has(page, id);
        snprintf(id, sizeof id, "<p class=\"words\" id=\"words-%s\">", figures->figures[i].name);
        page_case_has(page, id);
    }
    json_decref(data);
    arc_figures_free(figures);
    arc_text_free(page);
}

static size_t n_numbers;

static void compare(const json_t *series, const char *name, int n, const double *values)
{
    const json_t *array = json_object_get(series, name);
    if (values == NULL) {
        assert_null(array);
        return;
    }
    assert_int_equal(json_array_size(array), n);
    for (int i = 0; i < n; i++) {
        const json_t *number = json_array_get(array, (size_t)i);
        n_numbers++;
        if (!isfinite(values[i]))
            assert_true(json_is_null(number));
        else
            assert_true(fabs(json_number_value(number) - values[i]) <= 1e-8 * fabs(values[i]));
    }
}

static void test_page_text_data_are_the_figures_numbers(void **state)
{
    (void)state;
    char *page = page_case_text(1, &item, ARC_UNITS_SI);
    ArcFigures *figures;
    assert_int_equal(arc_figures_of_result(&result, NULL, &figures, NULL), ARC_OK);
    json_t *data = data_of(page, "figures");
    n_numbers = 0;
    for (int i = 0; i < figures->n; i++) {
        const ArcFigure *figure = &figures->figures[i];
        const json_t *all = json_object_get(json_array_get(data, (size_t)i), "series");
        assert_int_equal(json_array_size(all), figure->n_series);
        for (int k = 0; k < figure->n_series; k++) {
            const ArcSeries *series = &figure->series[k];
            const json_t *of = json_array_get(all, (size_t)k);
            if (series->mark == ARC_MARK_CELLS)
                continue;
            compare(of, "x", series->n, series->x);
            compare(of, "y", series->n, series->y);
            compare(of, "z", series->n, series->z);
            compare(of, "low", series->n, series->low);
            compare(of, "high", series->n, series->high);
        }
    }
    assert_true(n_numbers > 400);
    /* What is not the figures' (style, scripts, tables) is some 60 kB. */
    assert_true(strlen(page) < strlen(PAGE_LIBRARY) + 60000 + 40 * n_numbers);
    json_decref(data);
    arc_figures_free(figures);
    arc_text_free(page);
}

static void test_page_text_units_of_axes_are_there(void **state)
{
    (void)state;
    char *page = page_case_text(1, &item, ARC_UNITS_IMPERIAL);
    json_t *data = data_of(page, "page-units");
    const json_t *imperial = json_array_get(json_object_get(data, "m"), 2);
    assert_string_equal(json_string_value(json_array_get(imperial, 0)), "ft");
    assert_true(fabs(json_number_value(json_array_get(imperial, 1)) - 1 / 0.3048) < 1e-12);
    page_case_has(page, "data-units=\"imperial\"");
    page_case_has(page, "<span class=\"in-metric\">53.858 ± 0.057°</span>");
    json_decref(data);
    arc_text_free(page);
}

/* Whatever users name is text, and all scripts are the page's own. */
static void test_page_text_hostile_names_are_text(void **state)
{
    (void)state;
    static const char *const hostile[] = {PAGE_HOSTILE};
    const ArcPageItem evil = {PAGE_HOSTILE, &result, NULL, NULL};
    const ArcCapture before = capture;
    capture.file = result.name = result.experiment_path = PAGE_HOSTILE;
    result.experiment_text = result.model_text = result.model_path = PAGE_HOSTILE;
    result.overrides = hostile;
    parameters[0][2].name = parameters[1][2].name = parameters[0][0].name = PAGE_HOSTILE;
    parameters[0][0].reason = PAGE_HOSTILE;
    const char *derived_name = derived[0].name;
    derived[0].name = PAGE_HOSTILE;
    char *page = page_case_text(1, &evil, ARC_UNITS_SI);
    assert_int_equal(page_case_count(page, "<script"), 4);
    assert_int_equal(page_case_count(page, "</script"), 4);
    assert_int_equal(page_case_count(page, "<!--"), 0);
    page_case_lacks(page, "<script>");
    page_case_lacks(page, "\xe2\x80\xae");
    page_case_lacks(page, "\x01");
    assert_true(page_case_count(page, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;") >
                12);
    page_case_has(page, "[U+202E]\xd7\x90\xd7\x91");
    page_case_has(page, "\xf0\x9f\x98\x80");
    page_case_has(page, "<title>&lt;script");
    /* A shell gets it as it is. */
    page_case_has(page, "arcfit fit $&#39;&lt;script");
    json_t *data = data_of(page, "figures");
    json_decref(data);
    arc_text_free(page);
    capture = before;
    derived[0].name = derived_name;
    parameters[0][0].name = "k";
    parameters[0][2].name = "vx0";
    parameters[0][0].reason = "no data tell it";
}

static void test_page_text_library_does_not_end_its_script(void **state)
{
    (void)state;
    char *page = page_case_text(1, &item, ARC_UNITS_SI);
    page_case_has(page, "var a = \"<\\/script>\", b = \"<\\!-- c\", d = \"<\\/SCRIPT>\";");
    assert_int_equal(page_case_count(page, "<script"), 4);
    arc_text_free(page);
}

static void test_page_text_scripts_carry_the_nonce_of_their_page(void **state)
{
    (void)state;
    char nonce[2][17], head[64];
    for (int i = 0; i < 2; i++) {
        result.name = i == 0 ? "One" : "Other";
        char *page = page_case_text(1, &item, ARC_UNITS_SI);
        const char *at = strstr(page, "script-src 'nonce-");
        assert_non_null(at);
        memcpy(nonce[i], at + strlen("script-src 'nonce-"), 16);
        nonce[i][16] = '\0';
        snprintf(head, sizeof head, " nonce=\"%s\">", nonce[i]);
        assert_int_equal(page_case_count(page, head), 2);
        arc_text_free(page);
    }
    assert_string_not_equal(nonce[0], nonce[1]);
}

static void test_page_text_no_library_says_what_to_do(void **state)
{
    (void)state;
    ArcError err = {ARC_OK, ""};
    char *page = (char *)1;
    const ArcPageSettings settings = {.library = "/nowhere/plotly.js"};
    assert_int_equal(arc_page_text(1, &item, &settings, &page, &err), ARC_SYSTEM);
    assert_null(page);
    page_case_has(err.text, "/nowhere/plotly.js");
    page_case_has(err.text, "scripts/deps");
}

/* No id twice, each result's own by its number, and links to all. */
static void test_page_text_results_are_compared_and_apart(void **state)
{
    (void)state;
    ArcResult second = result;
    second.name = "Second";
    const ArcPageItem items[] = {item, {"second.h5", &second, NULL, NULL}};
    char *page = page_case_text(2, items, ARC_UNITS_SI), id[200];
    page_case_has(page, "<h1>2 results</h1>");
    page_case_has(page,
                  "<article id=\"compared\">\n<p class=\"headline good\"><strong>Result 1 explains "
                  "the points best</strong>; result 2 explains them about as well.</p>");
    page_case_has(page, "<section id=\"ranking\"");
    page_case_has(page, "<p class=\"changes\">With <code><bdi>fit.seed=7</bdi></code></p>");
    page_case_has(page, "<article id=\"result-1\">\n<h2>1. <bdi>Throw");
    page_case_has(page, "<article id=\"result-2\">\n<h2>2. <bdi>Second");
    page_case_has(page, "<a href=\"#result-2\">2. <bdi>Second</bdi></a>");
    page_case_has(page, "<figure id=\"figure-result-1-flight");
    page_case_has(page, "<figure id=\"figure-result-2-flight");
    page_case_has(page, "\"name\":\"result-2-flight");
    page_case_has(page, "<a href=\"#result-2-numbers\">");
    for (const char *at = page; (at = strstr(at, " id=\"")) != NULL; at++) {
        snprintf(id, sizeof id, "%.*s\"", (int)(strcspn(at + 5, "\"") + 5), at);
        if (page_case_count(page, id) != 1)
            fail_msg("%d times: %s", page_case_count(page, id), id);
    }
    arc_text_free(page);
}

/* Landmarks of one page have names of their own. */
static void test_page_text_results_regions_have_different_names(void **state)
{
    (void)state;
    const ArcPageItem items[] = {item, item};
    char *page = page_case_text(2, items, ARC_UNITS_SI), name[300];
    int n = 0;
    for (const char *at = page; (at = strstr(at, "role=\"region\" aria-label=\"")) != NULL; at++) {
        snprintf(name, sizeof name, "%.*s\"", (int)(strcspn(at + 26, "\"") + 26), at);
        if (page_case_count(page, name) != 1)
            fail_msg("%d times: %s", page_case_count(page, name), name);
        n++;
    }
    assert_true(n >= 6);
    arc_text_free(page);
}

/* Whether the points are met comes before numbers that few read; what was held takes no rows. */
static void test_page_text_result_shows_fit_before_numbers(void **state)
{
    (void)state;
    const ArcSpread before = direct.spread;
    const char *file = capture.file;
    direct.spread.n_outliers = N_OUTLIERS;
    direct.spread.outliers = outliers;
    capture.file = "../a/../experiments/../data/throw.csv";
    char *page = page_case_text(1, &item, ARC_UNITS_SI);
    direct.spread = before;
    capture.file = file;
    static const char *const in_order[] = {
        "<section id=\"outliers\"",    "<td><bdi>throw.csv</bdi>:3</td>",
        "<section id=\"numbers\"",     "Held fixed: <span><b><bdi>spin</bdi></b>",
        "<section id=\"fit\"",         "<section id=\"training\"",
        "<bdi>../data/throw.csv</bdi>"};
    const char *at = page;
    for (size_t i = 0; i < sizeof in_order / sizeof in_order[0]; i++) {
        const char *found = strstr(at, in_order[i]);
        if (found == NULL)
            fail_msg("missing, or out of order: %s", in_order[i]);
        at = found;
    }
    page_case_lacks(page, "<th scope=\"row\"><bdi>spin</bdi>");
    arc_text_free(page);
}

/* A release angle is told in degrees, whatever the tables have; nearly nothing has no digits. */
static void test_page_text_result_tells_numbers_as_people_read_them(void **state)
{
    (void)state;
    static double tiny[N_PARAMETERS] = {NAN, NAN, -9.2e-06, 1.4e-05};
    const double *before = result.comparison.in_sd;
    result.comparison.in_sd = tiny;
    char *page = page_case_text(1, &item, ARC_UNITS_SI);
    result.comparison.in_sd = before;
    page_case_has(page, "<dt><bdi>release angle</bdi></dt><dd>");
    const char *fact = strstr(page, "<dt><bdi>release angle</bdi></dt><dd>");
    const char *end = strstr(fact, "</dd>"), *degree = strstr(fact, "°");
    assert_true(degree != NULL && degree < end);
    assert_true(strstr(fact, "rad") == NULL || strstr(fact, "rad") > end);
    assert_int_equal(page_case_count(page, "<td>&lt;&nbsp;0.001&nbsp;sd</td>"), 2);
    page_case_lacks(page, "e-06&nbsp;sd");
    arc_text_free(page);
}

static int allowed;

/* One alone is refused, so that what goes on after it does not hide it. */
static bool allows(void *context, size_t size)
{
    (void)context;
    (void)size;
    return allowed-- != 0;
}

static void test_page_text_exhaustion_is_told(void **state)
{
    (void)state;
    ArcError err;
    ArcStatus status = ARC_MEMORY;
    int n = 0;
    const ArcPageSettings settings = {.library = page_library};
    for (; n < 5000; n++) {
        char *page = (char *)1;
        allowed = n;
        arc_memory_set_hook(allows, NULL);
        status = arc_page_text(1, &item, &settings, &page, &err);
        arc_memory_set_hook(NULL, NULL);
        if (status == ARC_MEMORY)
            assert_null(page);
        else
            arc_text_free(page);
        if (allowed >= 0) /* none was refused */
            break;
        assert_int_equal(status, ARC_MEMORY);
    }
    assert_int_equal(status, ARC_OK);
    assert_true(n > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_page_text_result_has_its_parts, begin, page_case_end),
        cmocka_unit_test_setup_teardown(test_page_text_figures_are_all_there, begin, page_case_end),
        cmocka_unit_test_setup_teardown(test_page_text_data_are_the_figures_numbers, begin,
                                        page_case_end),
        cmocka_unit_test_setup_teardown(test_page_text_units_of_axes_are_there, begin,
                                        page_case_end),
        cmocka_unit_test_setup_teardown(test_page_text_hostile_names_are_text, begin,
                                        page_case_end),
        cmocka_unit_test_setup_teardown(test_page_text_library_does_not_end_its_script, begin,
                                        page_case_end),
        cmocka_unit_test_setup_teardown(test_page_text_scripts_carry_the_nonce_of_their_page, begin,
                                        page_case_end),
        cmocka_unit_test_setup_teardown(test_page_text_no_library_says_what_to_do, begin,
                                        page_case_end),
        cmocka_unit_test_setup_teardown(test_page_text_results_are_compared_and_apart, begin,
                                        page_case_end),
        cmocka_unit_test_setup_teardown(test_page_text_results_regions_have_different_names, begin,
                                        page_case_end),
        cmocka_unit_test_setup_teardown(test_page_text_result_shows_fit_before_numbers, begin,
                                        page_case_end),
        cmocka_unit_test_setup_teardown(test_page_text_result_tells_numbers_as_people_read_them,
                                        begin, page_case_end),
        cmocka_unit_test_setup_teardown(test_page_text_exhaustion_is_told, begin, page_case_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
