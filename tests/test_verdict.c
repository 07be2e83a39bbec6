/* The verdict's sentence for each way that a comparison can end, and the breach in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "report/breach_parts.h"
#include "report/ranking_parts.h"
#include "report/verdict.h"
#include "report_case.h"

/* A clear push upwards and a little back, late in the flight of 0.4 s. */
static const ArcBreach push = {.searched = true,
                               .interval_s = {0.31, 0.33},
                               .size_m_s2 = 51.66,
                               .size_sd_m_s2 = 0.84,
                               .direction = {-0.28, 0.96, 0},
                               .relative = {-0.4, 0, 0.9165},
                               .displacement_m = 0.05,
                               .chi2_explained = 5340,
                               .p = ARC_BREACH_LEAST_P,
                               .p_scaled = ARC_BREACH_LEAST_P};

/* Two good fits that can be spoilt, without unidentified parameters. */
typedef struct Case {
    ArcFit fits[2];
    ArcEstimate estimates[N_PARAMETERS];
    ArcResult result;
} Case;

static void case_make(Case *c, ArcVerdict verdict, double chi2_p)
{
    make_result();
    c->fits[0] = pinn;
    c->fits[1] = direct;
    memcpy(c->estimates, parameters[1], sizeof c->estimates);
    c->estimates[0].status = ARC_PARAMETER_FREE;
    c->estimates[0].sd = 0.01;
    c->result = result;
    for (int i = 0; i < 2; i++) {
        c->fits[i].n_unidentified = 0;
        c->fits[i].parameters = c->estimates;
        c->fits[i].stop_note = NULL;
        c->fits[i].residuals.chi2 = 10300;
        c->fits[i].residuals.dof = 40;
        c->result.fits[i] = &c->fits[i];
    }
    c->result.comparison.physics = (ArcBreach){.searched = false};
    c->result.comparison.verdict = verdict;
    c->result.comparison.chi2_p = chi2_p;
}

static void check_sentence(const ArcResult *one, const char *begin, const char *words)
{
    ArcText text = {0};
    char *sentence;
    arc_verdict_sentence(&text, one);
    assert_int_equal(arc_text_finish(&text, &sentence, NULL), ARC_OK);
    if (strncmp(sentence, begin, strlen(begin)) != 0 || strstr(sentence, words) == NULL)
        fail_msg("'%s' does not begin with '%s' or has no '%s'", sentence, begin, words);
    assert_null(strchr(sentence, '\n'));
    arc_text_free(sentence);
}

static void test_verdict_sentence_agreement_says_what_chi2_says(void **state)
{
    (void)state;
    Case c;
    case_make(&c, ARC_VERDICT_AGREE, 0.4);
    check_sentence(&c.result, "agree: ", "the same flight, and the model explains the data");
    c.result.comparison.chi2_p = NAN;
    check_sentence(&c.result, "agree: ", "no degree of freedom is left");
    c.result.comparison.chi2_p = 0.99995;
    check_sentence(&c.result, "agree: ", "(p 0.99995): the sigmas are too large");
    c.fits[1].spread.sigma_estimated = true;
    check_sentence(&c.result, "agree: ", "sigma is estimated, so that chi2 cannot test the model");
    c.fits[1].spread.sigma_estimated = false;
    c.result.comparison.verdict = ARC_VERDICT_NONE;
    c.result.comparison.chi2_p = 0.4;
    check_sentence(&c.result, "one method only", "explains the data");
}

static void test_verdict_sentence_too_little_data_is_named(void **state)
{
    (void)state;
    static const char *const paths[] = {"parameters.vx0.prior.sd", "parameters.k.bounds"};
    static const char *const values[] = {"0.0125 m/s", "[0 1/m, 0.03 1/m]"};
    Case c;
    case_make(&c, ARC_VERDICT_AGREE, 0.4);
    c.estimates[0].status = ARC_PARAMETER_UNIDENTIFIED;
    c.estimates[0].sd = NAN;
    check_sentence(&c.result, "agree: ", "; but too little data for k (unidentified)");
    case_make(&c, ARC_VERDICT_AGREE, 0.4);
    c.result.n_settings = 2;
    c.result.setting_paths = paths;
    c.result.setting_values = values;
    check_sentence(&c.result, "agree: ",
                   "; but too little data for k (its sd spans its bounds) and vx0 (its prior alone "
                   "tells it)");
    c.estimates[0].status = c.estimates[2].status = ARC_PARAMETER_UNIDENTIFIED;
    check_sentence(&c.result, "agree: ", "; but too little data for k and vx0 (unidentified)");
    c.estimates[0].status = c.estimates[2].status = ARC_PARAMETER_FREE;
    c.estimates[0].sd = 0.001;
    c.estimates[2].sd = 0.001;
    check_sentence(&c.result, "agree: ", "explains the data");
}

static void test_verdict_sentence_misfit_says_where(void **state)
{
    (void)state;
    Case c;
    case_make(&c, ARC_VERDICT_MISFIT, 1e-80);
    check_sentence(&c.result, "misfit: the model does not explain the data (chi2 p 1e-80)",
                   "look for another force");
    c.result.comparison.physics = push;
    check_sentence(&c.result, "misfit: ",
                   "51.66 \xc2\xb1 0.84 m/s^2, mostly upwards, from 0.3100 to 0.3300 s explains "
                   "5.34e+03 of chi2 1.03e+04: look there for a bounce");
    c.fits[0].residuals.chi2 =
        5000; /* of the PINN, whose flight was searched; less than the push */
    check_sentence(&c.result, "misfit: ", "explains all of chi2 5e+03: look there");
    c.fits[0].residuals.chi2 = 10300;
    c.result.comparison.physics.interval_s[0] = 0.1;
    check_sentence(&c.result, "misfit: ", "look there for a force that the model leaves out");
    c.result.comparison.physics.p_scaled = 0.3;
    check_sentence(&c.result, "misfit: ", "the noise is about 16 times the stated sigma (no part");
    /* chi2 alone would have let it pass. */
    c.result.comparison.physics = push;
    c.result.comparison.chi2_p = 0.02;
    check_sentence(&c.result, "misfit: chi2 as a whole passes (p 0.02)",
                   "mostly upwards, from 0.3100 to 0.3300 s (p < 0.0005)");
    c.result.comparison.chi2_p = NAN; /* sigma estimated */
    check_sentence(&c.result, "misfit: the flight leaves its equations", "upwards");
    c.result.comparison.chi2_p = 0.02;
    c.result.comparison.physics.tolerated = true;
    check_sentence(&c.result, "misfit: the PINN breaks the equations", "was allowed");
}

static void test_verdict_section_search_left_out_is_said(void **state)
{
    (void)state;
    Case c;
    case_make(&c, ARC_VERDICT_AGREE, 0.4);
    for (int i = 0; i < 3; i++) {
        ArcText table = {0};
        char *text;
        c.result.comparison.physics.searched = i == 1;
        c.result.comparison.physics.p = 0.4;
        c.fits[0].converged = i < 2;
        arc_verdict_section(&table, &c.result);
        assert_int_equal(arc_text_finish(&table, &text, NULL), ARC_OK);
        assert_true((strstr(text, "physics         not searched") != NULL) == (i == 0));
        arc_text_free(text);
    }
}

static void test_verdict_sentence_difference_names_the_worst(void **state)
{
    (void)state;
    Case c;
    case_make(&c, ARC_VERDICT_DIFFER, 0.4);
    check_sentence(&c.result, "differ: ", "up to 0.17 sd apart (angle)");
}

static void test_verdict_sentence_not_converged_says_which_and_what_to_try(void **state)
{
    (void)state;
    static const struct {
        ArcStop stop;
        const char *words;
    } rows[] = {
        {ARC_STOP_LIMIT, "the direct fit ran out of steps (limit): give it more steps"},
        {ARC_STOP_STALLED, "the direct fit found no better step (stalled): fix or bound"},
        {ARC_STOP_NON_FINITE, "the direct fit met numbers that are not finite: give starts"},
        {ARC_STOP_INTERRUPTED, "the direct fit was interrupted: run it again"}};
    Case c;
    case_make(&c, ARC_VERDICT_NOT_CONVERGED, 0.4);
    c.fits[1].converged = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        c.fits[1].stop = rows[i].stop;
        check_sentence(&c.result, "not converged: ", rows[i].words);
    }
    c.fits[0].converged = false;
    c.fits[0].stop = ARC_STOP_COST;
    check_sentence(&c.result, "not converged: the PINN fit came to rest, but its net does not",
                   "; the direct fit was interrupted");
}

static void test_breach_parts_entry_tells_only_what_stands_out(void **state)
{
    (void)state;
    ArcBreach other = push;
    ArcText table = {0};
    char *text;
    arc_breach_parts_entry(&table, &other);
    other.p = 0.2;
    arc_breach_parts_entry(&table, &other);
    other.searched = false;
    arc_breach_parts_entry(&table, &other);
    assert_int_equal(arc_text_finish(&table, &text, NULL), ARC_OK);
    assert_non_null(strstr(text, "51.66 \xc2\xb1 0.84 m/s^2, mostly upwards"));
    assert_non_null(strstr(text, "50 mm"));
    const char *second = strstr(text, "\nphysics");
    assert_non_null(second);
    assert_non_null(strstr(second, "no part of the flight stands out"));
    assert_non_null(strstr(second, "(p 0.2)"));
    assert_null(strstr(second + 1, "\nphysics"));
    arc_text_free(text);
}

/* A ranking made by hand: places, standings, words. */
static void test_ranking_parts_sentence_puts_each_model_in_its_place(void **state)
{
    (void)state;
    ArcRankedModel models[5] = {{.index = 3, .converged = true, .weight = 0.6, .chi2_p = 0.5},
                                {.index = 0, .converged = true, .delta = 1.2, .chi2_p = 0.4},
                                {.index = 1, .converged = true, .delta = 3, .chi2_p = 0.2},
                                {.index = 2, .converged = true, .delta = 80, .chi2_p = 1e-9},
                                {.index = 4, .converged = false, .delta = NAN, .chi2_p = 0.5}};
    ArcRanking ranking = {.method = ARC_DIRECT, .n = 5, .models = models, .by_aicc = true};
    static const char found[] =
        "the data prefer model 1 (weight 0.6); model 2 cannot be told from it; model 3 explains "
        "them less well; model 4 is ruled out by chi2; model 5 has no criterion or did not "
        "converge";
    static const char ruled_out[] =
        "of the models that chi2 rules out, model 1 has the least AICc; models 1, 2, 3 and 4 are "
        "ruled out by chi2; model 5 has no criterion or did not converge";
    const char *const sentences[] = {found, ruled_out, "the models cannot be ranked: because"};
    for (int i = 0; i < 3; i++) {
        ArcText text = {0};
        char *sentence;
        for (int k = 0; i == 1 && k < 4; k++)
            models[k].chi2_p = 1e-5;
        ranking.not_comparable = i == 2 ? "because" : NULL;
        arc_ranking_parts_sentence(&text, &ranking);
        assert_int_equal(arc_text_finish(&text, &sentence, NULL), ARC_OK);
        assert_string_equal(sentence, sentences[i]);
        arc_text_free(sentence);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdict_sentence_agreement_says_what_chi2_says),
        cmocka_unit_test(test_verdict_sentence_too_little_data_is_named),
        cmocka_unit_test(test_verdict_sentence_misfit_says_where),
        cmocka_unit_test(test_verdict_section_search_left_out_is_said),
        cmocka_unit_test(test_verdict_sentence_difference_names_the_worst),
        cmocka_unit_test(test_verdict_sentence_not_converged_says_which_and_what_to_try),
        cmocka_unit_test(test_breach_parts_entry_tells_only_what_stands_out),
        cmocka_unit_test(test_ranking_parts_sentence_puts_each_model_in_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
