/* The line that a coach reads, by how a fit ended, and what an aim comes to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report_case.h"

#include "aim_report_case.h"
#include "page_case.h"

static ArcEstimate release[2] = {
    {"release_speed", "m/s", 7.5123, 0.0121, {7.48, 7.54}, NAN, ARC_PARAMETER_FREE, -1, NULL},
    {"release_angle", "rad", 0.9076, 0.001, {0.9, 0.91}, NAN, ARC_PARAMETER_FREE, -1, NULL}};

/* Six points, all told. */
static int begin(void **state)
{
    make_result();
    for (int i = 0; i < 2; i++) {
        ArcFit *fit = i == 0 ? &pinn : &direct;
        fit->n_derived = 2;
        fit->derived = release;
        fit->residuals.points = 6;
        fit->spread = direct.spread;
    }
    result.comparison.chi2_p = 0.69;
    return page_case_begin(state);
}

/* The page's headline, between its tags. */
static const char *headline(char buffer[1024], ArcUnits units)
{
    const ArcPageItem item = {NULL, &result, NULL, NULL};
    char *page = page_case_text(1, &item, units);
    const char *first = strstr(page, "<p class=\"headline ");
    assert_non_null(first);
    snprintf(buffer, 1024, "%.*s", (int)(strstr(first, "</p>") - first), first);
    arc_text_free(page);
    return buffer;
}

static void tell(ArcParameterStatus status)
{
    for (int i = 0; i < 2; i++)
        parameters[i][0].status = status;
    pinn.n_unidentified = direct.n_unidentified = status == ARC_PARAMETER_UNIDENTIFIED;
}

static void test_page_headline_agreement_is_plain(void **state)
{
    (void)state;
    char line[1024];
    tell(ARC_PARAMETER_FREE);
    headline(line, ARC_UNITS_SI);
    tell(ARC_PARAMETER_UNIDENTIFIED);
    page_case_has(line, "<p class=\"headline good\">The ball left the hand at <strong>");
    page_case_has(line, "<span class=\"in-si\">7.51 ± 0.01&nbsp;m/s</span>");
    page_case_has(line, "<span class=\"in-imperial\">16.80 ± 0.03&nbsp;mph</span>");
    page_case_has(line, "<strong>52° up</strong>; both methods agree and the flight model "
                        "explains the 6 points.");
}

static void test_page_headline_untold_parameter_is_named(void **state)
{
    (void)state;
    char line[1024];
    headline(line, ARC_UNITS_SI);
    page_case_has(line, "headline unsure");
    page_case_has(line, "But the points do not tell <bdi>k</bdi>.");
}

static void test_page_headline_misfit_warns(void **state)
{
    (void)state;
    char line[1024];
    result.comparison.verdict = ARC_VERDICT_MISFIT;
    result.comparison.chi2_p = 1e-9;
    headline(line, ARC_UNITS_SI);
    page_case_has(line, "headline unsure");
    page_case_has(line, "not explain the points");
}

static void test_page_headline_difference_warns(void **state)
{
    (void)state;
    char line[1024];
    result.comparison.verdict = ARC_VERDICT_DIFFER;
    result.comparison.max_in_sd = 3.1;
    headline(line, ARC_UNITS_SI);
    page_case_has(line, "up to 3.1 standard deviations apart");
    page_case_has(line, "trust neither");
}

static void test_page_headline_no_convergence_gives_no_number(void **state)
{
    (void)state;
    char line[1024];
    result.comparison.verdict = ARC_VERDICT_NOT_CONVERGED;
    pinn.converged = false;
    headline(line, ARC_UNITS_SI);
    page_case_has(line, "headline bad");
    page_case_has(line, "No answer yet.");
    page_case_has(line, "The PINN fit did not come to rest");
    page_case_lacks(line, "7.51");
}

static void test_page_headline_no_degree_of_freedom_is_said(void **state)
{
    (void)state;
    char line[1024];
    result.comparison.chi2_p = NAN;
    headline(line, ARC_UNITS_SI);
    page_case_has(line, "The 6 points are too few to test the flight model");
}

static void test_page_aim_hits_are_counted(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    static ArcAim aim;
    report_case_hit(experiment, &aim);
    static const char *const laid_over[] = {"aim.maximise=probability", "seed=8"};
    experiment->n_overrides = 2;
    experiment->overrides = laid_over;
    aim.version = "0.0.1";
    aim.libraries = "OpenBLAS 0.3";
    const ArcPageItem items[2] = {{"aim.h5", NULL, NULL, &aim}, {"aim.h5", NULL, NULL, &aim}};
    char *page = page_case_text(1, items, ARC_UNITS_METRIC);
    page_case_has(page, "<h1><bdi>Basket</bdi></h1>");
    page_case_has(page,
                  "headline good\"><strong>2 throws hit</strong>; the slowest leaves the hand at");
    page_case_has(page, "goes in 63 times of a hundred.");
    page_case_has(page, "<caption>Throws, one a row</caption>");
    page_case_has(page, "<td>62.7&nbsp;%</td>");
    page_case_has(page,
                  "arcfit aim basket.yaml --set aim.maximise=probability --set seed=8 -o aim.h5");
    page_case_has(page, "<dt>Version of arcfit</dt><dd><bdi>0.0.1</bdi>");
    page_case_has(page, "<dt>Its libraries</dt><dd><bdi>OpenBLAS 0.3</bdi>");
    page_case_has(page, "<dt>Seed</dt>");
    page_case_has(page, "name: Basket\n");
    arc_text_free(page);
    aim.solutions[0].cost = 1; /* by an objective, by throws that were drawn, and another surer */
    aim.solutions[0].chance.checked = 0.25;
    aim.solutions[1].chance.value = 0.5;
    page = page_case_text(1, items, ARC_UNITS_METRIC);
    page_case_has(page, "; the best leaves the hand at");
    page_case_has(page,
                  "goes in 25 times of a hundred; throw 2 is the surest, with 50 of a hundred.");
    page_case_has(page, "<caption>Throws, the best first</caption>");
    arc_text_free(page);
    page = page_case_text(2, items, ARC_UNITS_METRIC); /* nothing to compare */
    page_case_lacks(page, "id=\"compared\"");
    page_case_has(page, "id=\"result-2-throws\"");
    arc_text_free(page);
    report_case_short(experiment, &aim);
    page = page_case_text(1, items, ARC_UNITS_SI);
    page_case_has(page, "headline bad\"><strong>No throw hits</strong> within the limits");
    page_case_has(page, "would have to be faster by ");
    arc_text_free(page);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_page_headline_agreement_is_plain, begin,
                                        page_case_end),
        cmocka_unit_test_setup_teardown(test_page_headline_untold_parameter_is_named, begin,
                                        page_case_end),
        cmocka_unit_test_setup_teardown(test_page_headline_misfit_warns, begin, page_case_end),
        cmocka_unit_test_setup_teardown(test_page_headline_difference_warns, begin, page_case_end),
        cmocka_unit_test_setup_teardown(test_page_headline_no_convergence_gives_no_number, begin,
                                        page_case_end),
        cmocka_unit_test_setup_teardown(test_page_headline_no_degree_of_freedom_is_said, begin,
                                        page_case_end),
        cmocka_unit_test_setup_teardown(test_page_aim_hits_are_counted, begin, page_case_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
