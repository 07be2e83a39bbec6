/* What a fit learned by its closure: in words, as JSON, and what compare says of a model without.
 */
#include "arcfit/ranking.h"
#include "report/closure_parts.h"
#include "report/table.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "report_closure_case.h"

static json_t *get(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (value == NULL)
        fail_msg("no '%s'", key);
    return value;
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(get(object, key));
}

static void assert_says(const char *text, const char *what)
{
    if (strstr(text, what) == NULL) {
        fputs(text, stderr);
        fail_msg("'%s' is not there", what);
    }
}

static void assert_narrow(const char *text)
{
    for (const char *line = text; *line != '\0';) {
        const char *end = strchr(line, '\n');
        char copy[512];
        snprintf(copy, sizeof copy, "%.*s", (int)(end - line), line);
        if (arc_table_length(copy) > ARC_TABLE_WIDTH)
            fail_msg("too long: '%s'", copy);
        line = end + 1;
    }
}

/* The text with every run of blanks and line breaks as one blank. */
static char *flat(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        bool is_blank = *from == ' ' || *from == '\n';
        if (!is_blank)
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    *to = '\0';
    return text;
}

static char *text_of(void)
{
    char *text;
    assert_int_equal(arc_report_text(&result, true, &text, NULL), ARC_OK);
    assert_narrow(text);
    return flat(text);
}

static void test_report_text_a_closure_is_told_by_numbers_and_words(void **state)
{
    (void)state;
    make_closures();
    char *text = text_of();
    assert_says(text, "closure PINN direct");
    assert_says(text, "feature width 0.531 0.531");
    assert_says(text, "features 2 3");
    assert_says(text, "ridge ax 1.25 1.25 ridge ay infinite");
    assert_says(text, "weights told 2.5 of 2 2.5 of 6");
    assert_says(text, "log Bayes 0.25 132");
    assert_says(text, "misfit told 97.5 %");
    assert_says(text, "its size (rms) 0.512 m/s^2 0.512 m/s^2");
    assert_says(text, "of drag 12.5 %");
    assert_says(text, "held out, with 3.25");
    assert_says(text,
                "closure added to the equations, ax and ay of x and y: the data want it "
                "strongly (log Bayes factor 132); it explains 97.5 % of the misfit; it stands "
                "out most at x 1 m, y 3 m: ax 1.91 \xc2\xb1 0.11 m/s^2");
    arc_text_free(text);
    /* the curve, by one method alone */
    result.n_fits = 1;
    text = text_of();
    assert_says(text, "closure in place of the law, cd of speed: the data do not tell whether they "
                      "want it (log Bayes factor 0.25); it stands out most at speed 12.5 m/s: cd "
                      "0.300 \xc2\xb1 0.010");
    assert_null(strstr(text, "held out, with"));
    assert_null(strstr(text, "misfit told"));
    arc_text_free(text);
    pinn.closure = NULL;
    text = text_of();
    assert_null(strstr(text, "closure"));
    arc_text_free(text);
}

static void test_report_text_a_lost_search_says_what_helps(void **state)
{
    (void)state;
    make_closures();
    field.is_lost = curve.is_lost = true;
    char *text = text_of();
    assert_non_null(strstr(text, "its search has not arrived: give starts nearer"));
    assert_null(strstr(text, "stands out most"));
    arc_text_free(text);
}

static void test_closure_words_follow_the_bayes_factor(void **state)
{
    (void)state;
    static const struct {
        double log_bayes;
        const char *words;
    } rows[] = {{-7, "want no closure"},  {-0.5, "do not tell whether they want it"},
                {2, "lean towards it"},   {4, "want it"},
                {50, "want it strongly"}, {NAN, "cannot tell whether they want it"}};
    make_closures();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        field.log_bayes = rows[i].log_bayes;
        assert_string_equal(arc_closure_parts_words(&field), rows[i].words);
    }
    field.log_bayes = 50;
    field.ridge[0] = INFINITY;
    assert_false(arc_closure_parts_is_wanted(&field));
    assert_string_equal(arc_closure_parts_words(&field), "want no closure");
    char *text = text_of();
    assert_says(text, "the data want no closure");
    assert_null(strstr(text, "stands out"));
    arc_text_free(text);
}

static void test_report_json_a_closure_has_its_table(void **state)
{
    (void)state;
    char *text;
    const ArcResult *one = &result;
    make_closures();
    assert_int_equal(arc_report_json(1, &one, false, &text, NULL), ARC_OK);
    json_t *root = json_loads(text, 0, NULL);
    json_t *fits = get(root, "fits"), *closure = get(json_array_get(fits, 1), "closure");
    assert_true(number(closure, "log_bayes") == 131.5);
    assert_true(number(closure, "effective") == 2.5);
    assert_int_equal(json_integer_value(get(closure, "weights")), FIELD_WEIGHTS);
    assert_true(json_is_true(get(closure, "wanted")) && json_is_false(get(closure, "replaces")));
    assert_string_equal(json_string_value(get(closure, "gives")), "acceleration");
    assert_string_equal(json_string_value(get(closure, "data")), "want it strongly");
    assert_true(json_is_null(json_array_get(get(closure, "ridge"), 1)));
    assert_true(number(get(closure, "held_out"), "log_density_without") == 2.75);
    json_t *table = get(closure, "table");
    assert_int_equal(json_integer_value(json_array_get(get(table, "grid"), 1)), 3);
    assert_int_equal(json_integer_value(json_array_get(get(table, "node"), 3)), 4);
    json_t *ay = get(get(table, "outputs"), "ay"), *y = get(get(table, "inputs"), "y");
    assert_string_equal(json_string_value(get(ay, "unit")), "m/s^2");
    for (int k = 0; k < FIELD_ROWS; k++) {
        assert_true(json_number_value(json_array_get(get(y, "value"), (size_t)k)) ==
                    field_input[2 * k + 1]);
        assert_true(json_number_value(json_array_get(get(ay, "value"), (size_t)k)) ==
                    field_value[2 * k + 1]);
        assert_true(json_number_value(json_array_get(get(ay, "sd"), (size_t)k)) ==
                    field_sd[2 * k + 1]);
    }
    closure = get(json_array_get(fits, 0), "closure");
    assert_true(json_is_null(get(closure, "held_out")));
    assert_true(json_is_null(get(closure, "misfit_explained")));
    assert_null(json_object_get(get(closure, "table"), "node"));
    json_decref(root);
    arc_text_free(text);
}

/* The same experiment without its closure, whose vx0 is off. */
static ArcFit bare;
static ArcEstimate bare_parameters[N_PARAMETERS];
static ArcResult without;

static void make_bare(void)
{
    make_closures();
    result.n_fits = 1;
    result.fits[0] = &direct;
    bare = direct;
    bare.closure = NULL;
    memcpy(bare_parameters, direct.parameters, sizeof bare_parameters);
    bare_parameters[2].value += 5 * bare_parameters[2].sd;
    bare.parameters = bare_parameters;
    bare.residuals.chi2 = 842.5;
    without = result;
    without.fits[0] = &bare;
    without.experiment_path = "experiments/bare.yaml";
}

static void test_ranking_a_model_without_the_closure_is_paired_with_that_with_it(void **state)
{
    (void)state;
    const ArcResult *const both[2] = {&without, &result};
    ArcRanking *ranking = NULL;
    make_bare();
    assert_int_equal(arc_ranking_create(2, both, ARC_DIRECT, &ranking, NULL), ARC_OK);
    assert_int_equal(ranking->n_pairs, 1);
    assert_int_equal(ranking->n_tests, 0);
    const ArcClosurePair *pair = &ranking->pairs[0];
    assert_int_equal(ranking->models[pair->without].index, 0);
    assert_int_equal(ranking->models[pair->with].index, 1);
    assert_true(pair->log_bayes == 131.5 && pair->chi2_without == 842.5);
    int found = 0;
    for (int k = 0; k < pair->n; k++) {
        bool is_off = strcmp(pair->names[k], "vx0") == 0;
        assert_true(fabs(pair->in_sd[k] - (is_off ? 5 : 0)) < 1e-9);
        found += is_off;
    }
    assert_int_equal(found, 1);
    /* the weights that are told count as parameters */
    ArcCriteria with = arc_ranking_criteria(&result, &direct);
    ArcCriteria bare_criteria = arc_ranking_criteria(&without, &bare);
    assert_int_equal(with.k, bare_criteria.k + 3);
    arc_ranking_free(ranking);
    /* another law is another model */
    static const char *const other[] = {"quadratic", "none"};
    without.setting_values = other;
    assert_int_equal(arc_ranking_create(2, both, ARC_DIRECT, &ranking, NULL), ARC_OK);
    assert_int_equal(ranking->n_pairs, 0);
    arc_ranking_free(ranking);
    /* unless the closure stands in its place */
    direct.closure = &curve;
    assert_int_equal(arc_ranking_create(2, both, ARC_DIRECT, &ranking, NULL), ARC_OK);
    assert_int_equal(ranking->n_pairs, 1);
    arc_ranking_free(ranking);
}

static void test_compare_says_what_is_biased_without_the_closure(void **state)
{
    (void)state;
    const ArcResult *const both[2] = {&without, &result};
    char *text;
    make_bare();
    assert_int_equal(arc_report_comparison_text(2, both, &text, NULL), ARC_OK);
    assert_narrow(text);
    flat(text);
    assert_says(text, "without its closure; the data want it strongly (log Bayes factor 132; chi2 "
                      "842.5 without, 2.7 with); without it parameters are biased: vx0 by 5 sd");
    arc_text_free(text);
    field.log_bayes = -0.5;
    assert_int_equal(arc_report_comparison_text(2, both, &text, NULL), ARC_OK);
    flat(text);
    assert_says(text, "the data do not tell whether they want it (log Bayes factor -0.50;");
    assert_says(text, "without it parameters move: vx0 by 5 sd");
    arc_text_free(text);
    assert_int_equal(arc_report_comparison_json(2, both, true, &text, NULL), ARC_OK);
    json_t *root = json_loads(text, 0, NULL);
    json_t *ranking = get(get(json_array_get(root, 0), "ranking"), "direct");
    json_t *pair = json_array_get(get(ranking, "lacks_closure_of"), 0);
    assert_non_null(pair);
    assert_true(number(pair, "log_bayes") == -0.5);
    assert_true(fabs(number(get(get(pair, "parameters"), "vx0"), "in_sd") - 5) < 1e-9);
    json_decref(root);
    arc_text_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_text_a_closure_is_told_by_numbers_and_words),
        cmocka_unit_test(test_report_text_a_lost_search_says_what_helps),
        cmocka_unit_test(test_closure_words_follow_the_bayes_factor),
        cmocka_unit_test(test_report_json_a_closure_has_its_table),
        cmocka_unit_test(test_ranking_a_model_without_the_closure_is_paired_with_that_with_it),
        cmocka_unit_test(test_compare_says_what_is_biased_without_the_closure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
