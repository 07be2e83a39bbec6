/* Own equations in text and JSON: channels and runs, no ball and no metres. */
#include "arcfit/ranking.h"
#include "report/states_parts.h"
#include "report/table.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "report_states_case.h"

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

/* Lines of 80 columns, and no word of a ball's flight. */
static void assert_plain(const char *text)
{
    static const char *const words[] = {"flight", "Flight", "ball",  "release", " mm",
                                        "m/s^2",  "drag",   "metre", "throw,"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i]) != NULL)
            fail_msg("'%s' is in\n%s", words[i], text);
    for (const char *line = text; *line != '\0';) {
        const char *end = strchr(line, '\n');
        char copy[512];
        snprintf(copy, sizeof copy, "%.*s", (int)(end - line), line);
        if (arc_table_length(copy) > ARC_TABLE_WIDTH)
            fail_msg("too long: '%s'", copy);
        line = end + 1;
    }
}

static char *text_of(const ArcResult *of)
{
    char *text;
    assert_int_equal(arc_report_text(of, true, &text, NULL), ARC_OK);
    return text;
}

static void test_rate_unit_of_any_unit_counts_seconds(void **state)
{
    (void)state;
    char buffer[ARC_STATES_UNIT];
    assert_string_equal(arc_states_parts_rate_unit(buffer, "rad", 0), "rad");
    assert_string_equal(arc_states_parts_rate_unit(buffer, "rad", 1), "rad/s");
    assert_string_equal(arc_states_parts_rate_unit(buffer, "rad", 2), "rad/s^2");
    assert_string_equal(arc_states_parts_rate_unit(buffer, "1", 1), "1/s");
    assert_string_equal(arc_states_parts_rate_unit(buffer, "m/s", 1), "m/s^2");
    assert_string_equal(arc_states_parts_rate_unit(buffer, "m/s^2", 1), "m/s^3");
    assert_string_equal(arc_states_parts_rate_unit(buffer, "N m", 1), "N m/s");
    /* A second among others is left alone. */
    assert_string_equal(arc_states_parts_rate_unit(buffer, "N m s/rad", 1), "N m s/rad/s");
}

static void test_start_of_parameter_is_its_channel(void **state)
{
    (void)state;
    assert_int_equal(arc_states_parts_start(&states_made, "theta0"), 1);
    assert_int_equal(arc_states_parts_start(&states_made, "vtheta0"), 3);
    assert_int_equal(arc_states_parts_start(&states_made, "t0"), -1);
    assert_int_equal(arc_states_parts_start(&states_made, "theta"), -1);
    assert_int_equal(arc_states_parts_start(&states_made, "0"), -1);
}

static void test_report_text_states_have_their_units(void **state)
{
    (void)state;
    char *text = text_of(&states_result);
    assert_plain(text);
    assert_says(text, "\npoints          2 fitted, 1 held out, 1 unused\n");
    assert_says(text,
                "\nsigma           theta 0.01 rad, vtheta 0.05 rad/s; times a factor that is\n"
                "                estimated\n");
    assert_says(text, "\nmodel           cart: 2 coordinates of second order; models/cart.c\n");
    assert_says(text, "\nparameter   PINN                   direct                 unit      "
                      "status\n");
    assert_says(text,
                "\nlength      0.812 \xc2\xb1 0.012          0.812 \xc2\xb1 0.012          m   "
                "      free\n");
    assert_says(text, " N m s/rad unidentified\n");
    assert_says(text, "\nstate at t0 PINN ");
    assert_says(text, "\ntheta0      0.5000 \xc2\xb1 0.0052        0.5000 \xc2\xb1 0.0052        "
                      "rad       free\n");
    assert_says(text, "\n            28.65 \xc2\xb1 0.30           28.65 \xc2\xb1 0.30           "
                      "deg\n");
    assert_says(text, "\nchannel         unit      numbers    rms PINN      chi2  rms direct"
                      "      chi2\n"
                      "theta           rad             2      0.0123       3.5      0.0123"
                      "       3.5\n"
                      "  held out                      1        0.02                  0.02\n"
                      "vtheta          rad/s           1       0.045      0.75       0.045"
                      "      0.75\n");
    assert_says(text, "\nnot observed    x, vx\n");
    assert_says(text, " trajectories 2e-07 of a state's\n                size apart at most\n");
    assert_says(text, "\nverdict         agree: both methods find the same run");
    assert_says(text, "\nphysics rms              1e-06 of 0.001 /s^2");
    arc_text_free(text);
}

/* Its outliers are told by the fit that counts: here the only one. */
static void test_report_text_outlier_has_its_channel(void **state)
{
    (void)state;
    ArcResult one = states_result;
    one.n_fits = 1;
    one.comparison.both = false;
    char *text = text_of(&one);
    assert_plain(text);
    assert_says(text, "\noutliers         point   line          off    off, sd   weight  channel\n"
                      "                     2      3      -0.0625      -20.5    0.062  theta, "
                      "rad\n");
    arc_text_free(text);
}

static void test_report_text_first_order_has_states(void **state)
{
    (void)state;
    char *text = text_of(&states_first_result);
    assert_plain(text);
    assert_says(text, "\nmodel           three: 2 states of first order; models/cart.c\n");
    assert_says(text, "\nb               N m/s           2        0.75       2.5\n");
    arc_text_free(text);
}

static void test_report_text_several_are_runs(void **state)
{
    (void)state;
    char *text = text_of(&states_joint_result);
    assert_says(text, "\nruns            2, fitted together\n");
    assert_says(text, "\nrun    chi2                theta0\n");
    assert_says(text, "\nrun 2           ");
    assert_says(text, "find the same runs");
    assert_says(text, "\ntheta           rad             4      0.0123         7 ");
    assert_null(strstr(text, "ball"));
    assert_null(strstr(text, " mm"));
    arc_text_free(text);
}

static char *sentence_of(ArcVerdict verdict, ArcStop stop)
{
    ArcResult one = states_result;
    ArcFit fits[2] = {states_fits[0], states_fits[1]};
    char *text;
    for (int i = 0; i < 2; i++) {
        fits[i].stop = stop;
        fits[i].stop_note = NULL;
        fits[i].converged = verdict != ARC_VERDICT_NOT_CONVERGED;
        one.fits[i] = &fits[i];
    }
    one.comparison.verdict = verdict;
    if (verdict == ARC_VERDICT_MISFIT)
        one.comparison.chi2_p = 1e-5;
    assert_int_equal(arc_report_text(&one, false, &text, NULL), ARC_OK);
    assert_plain(text);
    return text;
}

/* Where chi2 passes, but the net does not follow the equations. */
static char *broken_sentence(void)
{
    ArcResult one = states_result;
    char *text;
    one.comparison.verdict = ARC_VERDICT_MISFIT;
    assert_int_equal(arc_report_text(&one, false, &text, NULL), ARC_OK);
    assert_plain(text);
    return text;
}

static void test_verdict_of_states_knows_no_flight(void **state)
{
    (void)state;
    static const ArcStop stops[] = {ARC_STOP_LIMIT, ARC_STOP_NON_FINITE, ARC_STOP_STALLED,
                                    ARC_STOP_STEP, ARC_STOP_INTERRUPTED};
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++)
        arc_text_free(sentence_of(ARC_VERDICT_NOT_CONVERGED, stops[i]));
    arc_text_free(sentence_of(ARC_VERDICT_DIFFER, ARC_STOP_STEP));
    char *text = sentence_of(ARC_VERDICT_MISFIT, ARC_STOP_STEP);
    assert_says(text, "theta is furthest off (chi2 3.5 of 2");
    arc_text_free(text);
    text = broken_sentence();
    assert_says(text, "the PINN breaks the equations by 2e-06 /s^2 where 0.001\n");
    assert_says(text, "was allowed; the model misses a term\n");
    arc_text_free(text);
    /* A spring's constant is no drag coefficient, whose usual size is known. */
    text = sentence_of(ARC_VERDICT_AGREE, ARC_STOP_STEP);
    assert_null(strstr(text, "as large as the number"));
    arc_text_free(text);
}

static json_t *json_of(const ArcResult *of)
{
    char *text;
    assert_int_equal(arc_report_json(1, &of, false, &text, NULL), ARC_OK);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    arc_text_free(text);
    return root;
}

static void test_report_json_states_have_channels(void **state)
{
    (void)state;
    json_t *root = json_of(&states_result), *fit = json_array_get(get(root, "fits"), 0);
    json_t *model = get(fit, "states"), *theta = json_array_get(get(model, "channels"), 1);
    assert_string_equal(json_string_value(get(model, "model")), "cart");
    assert_int_equal(json_integer_value(get(model, "order")), 2);
    assert_int_equal(json_array_size(get(model, "channels")), 4);
    assert_string_equal(json_string_value(get(theta, "name")), "theta");
    assert_string_equal(json_string_value(get(theta, "unit")), "rad");
    assert_int_equal(json_integer_value(get(theta, "points")), 2);
    assert_true(number(theta, "rms") == 0.0123);
    assert_true(number(theta, "chi2") == 3.5);
    assert_int_equal(json_integer_value(get(theta, "held_out_points")), 1);
    assert_true(number(theta, "held_out_rms") == 0.02);
    json_t *x = json_array_get(get(model, "channels"), 0);
    assert_true(json_is_null(get(x, "rms")) && json_is_null(get(x, "chi2")));
    json_t *trajectory = get(fit, "trajectory"), *moved = get(get(trajectory, "states"), "theta");
    assert_null(json_object_get(trajectory, "position_m"));
    assert_int_equal(json_array_size(get(trajectory, "time_s")), ARC_TRAJECTORY_POINTS);
    assert_string_equal(json_string_value(get(moved, "unit")), "rad");
    assert_true(json_number_value(json_array_get(get(moved, "value"), 3)) == states[0][7]);
    assert_true(json_number_value(json_array_get(get(moved, "rate"), 3)) == states[1][7]);
    assert_true(json_number_value(json_array_get(get(moved, "second"), 3)) == states[2][7]);
    assert_null(json_object_get(get(trajectory, "states"), "vtheta"));
    assert_true(json_is_null(get(get(fit, "residuals"), "rms_m")));
    assert_true(json_is_null(get(get(fit, "residuals"), "physics_rms_m_s2")));
    assert_true(number(get(fit, "residuals"), "physics_rms") == 1e-6);
    json_t *outlier = json_array_get(get(fit, "outliers"), 0);
    assert_string_equal(json_string_value(get(outlier, "channel")), "theta");
    assert_true(number(outlier, "residual") == -0.0625);
    assert_null(json_object_get(outlier, "residual_m"));
    assert_true(json_is_null(get(get(root, "comparison"), "trajectory_max_m")));
    assert_true(number(get(root, "comparison"), "trajectory_max") == 2e-7);
    json_decref(root);
}

static void test_report_json_first_order_has_no_second(void **state)
{
    (void)state;
    json_t *root = json_of(&states_first_result);
    json_t *moved =
        get(get(get(json_array_get(get(root, "fits"), 0), "trajectory"), "states"), "b");
    assert_int_equal(json_array_size(get(moved, "rate")), ARC_TRAJECTORY_POINTS);
    assert_null(json_object_get(moved, "second"));
    json_decref(root);
}

static void test_report_json_runs_have_channels(void **state)
{
    (void)state;
    json_t *root = json_of(&states_joint_result), *fit = json_array_get(get(root, "fits"), 1);
    json_t *run = json_array_get(get(fit, "flights"), 1);
    assert_int_equal(json_array_size(get(get(run, "states"), "channels")), 4);
    assert_non_null(get(get(get(run, "trajectory"), "states"), "x"));
    json_t *compared = json_array_get(get(get(root, "comparison"), "flights"), 1);
    assert_true(json_is_null(get(compared, "trajectory_max_m")));
    assert_true(number(compared, "trajectory_max") == 2e-7);
    json_decref(root);
}

/* Two times, and the held-out point. */
static void made_prediction(ArcPredicted *asked)
{
    static double t_s[2] = {0.5, 1}, x[8], sd[8], held[4] = {0, 0.32, 0, NAN};
    static double held_sd[4] = {0.1, 0.0, 0.1, NAN};
    for (int i = 0; i < 8; i++) {
        x[i] = 0.5 * i;
        sd[i] = i == 5 ? (double)NAN : 0.01;
    }
    *asked = (ArcPredicted){.method = ARC_DIRECT,
                            .n_states = 2,
                            .t_s = t_s,
                            .states = {.x_m = x, .x_sd_m = sd},
                            .n_held_out = 1,
                            .held_out = {.x_m = held, .x_sd_m = held_sd}};
}

static void test_report_prediction_text_has_channels(void **state)
{
    (void)state;
    ArcPredicted asked;
    char *text;
    made_prediction(&asked);
    assert_int_equal(arc_report_prediction_text(&states_result, &asked, &text, NULL), ARC_OK);
    assert_plain(text);
    assert_says(text, "\ntime (s)     x (m)                 theta (rad)           vx (m/s)\n");
    assert_says(text, "\ntime (s)     vtheta (rad/s)\n");
    assert_says(text,
                "\n1            2.000 \xc2\xb1 0.010         2.5 \xc2\xb1 ?               3.000 "
                "\xc2\xb1 0.010\n");
    assert_says(text,
                "\n0.25         theta       0.300        0.32                          0.02   "
                "   2\n");
    assert_says(text, "\nscore           theta: rms 0.02 rad over 1; chi2 4 of 1\n");
    arc_text_free(text);
}

static void test_report_prediction_json_has_channels(void **state)
{
    (void)state;
    ArcPredicted asked;
    char *text;
    made_prediction(&asked);
    assert_int_equal(arc_report_prediction_json(&states_result, &asked, &text, NULL), ARC_OK);
    json_t *root = json_loads(text, 0, NULL);
    arc_text_free(text);
    json_t *second = json_array_get(get(root, "states"), 1);
    assert_true(number(second, "time_s") == 1);
    json_t *theta = get(get(second, "channels"), "theta");
    assert_true(number(theta, "value") == 2.5);
    assert_true(json_is_null(get(theta, "sd")));
    assert_string_equal(json_string_value(get(theta, "unit")), "rad");
    json_t *channels = get(json_array_get(get(root, "held_out"), 0), "channels");
    assert_int_equal(json_object_size(channels), 2); /* those that were measured */
    assert_true(number(get(channels, "theta"), "observed") == 0.3);
    assert_true(number(get(channels, "theta"), "sigma") == 0.01);
    assert_float_equal(number(get(channels, "theta"), "in_sd"), 2, 1e-12);
    assert_true(json_is_null(get(get(channels, "vtheta"), "in_sd")));
    assert_float_equal(number(root, "held_out_chi2"), 4, 1e-12);
    json_t *score = json_array_get(get(root, "held_out_channels"), 1);
    assert_float_equal(number(score, "rms"), 0.02, 1e-12);
    json_decref(root);
}

/* A result of the same points, of which only some of the channels are there, by other names of what
 * nobody saw. */
typedef struct Other {
    ArcResult result;
    ArcFit fit;
    ArcStatesFit states;
    ArcCapture capture;
    double values[N_POINTS * 3], sigmas[N_POINTS * 3];
} Other;

static void make_other(Other *other)
{
    *other = (Other){.result = states_result, .fit = states_fits[1], .capture = states_capture};
    other->states = (ArcStatesFit){.model = "other",
                                   .order = 1,
                                   .n_states = 3,
                                   .n_channels = 3,
                                   .channels = {{"vtheta", "rad/s", 1, 0.1, 1, 0, NAN},
                                                {"theta", "rad", 2, 0.1, 3, 0, NAN},
                                                {"hidden", "1", 0, NAN, 0, 0, NAN}}};
    for (int i = 0; i < N_POINTS; i++) {
        for (int c = 0; c < 2; c++) {
            int from = i * STATES_CHANNELS + (c == 0 ? 3 : 1);
            other->values[3 * i + c] = states_values[from];
            other->sigmas[3 * i + c] = states_sigmas[from];
        }
        other->values[3 * i + 2] = other->sigmas[3 * i + 2] = NAN;
    }
    other->capture.dimensions = other->capture.n_channels = 3;
    other->capture.position_m = other->values;
    other->capture.sigma_m = other->sigmas;
    other->fit.states = &other->states;
    other->result.n_fits = 1;
    other->result.fits[0] = &other->fit;
    other->result.capture = &other->capture;
}

/* Why the case and the other cannot be ranked; n_tests: how many nested pairs there are. */
static const char *ranked(const Other *other, int *n_tests)
{
    static const char *words;
    ArcResult one = states_result;
    ArcRanking *ranking = NULL;
    one.n_fits = 1;
    one.fits[0] = &states_fits[1];
    const ArcResult *const results[2] = {&one, &other->result};
    assert_int_equal(arc_ranking_create(2, results, ARC_DIRECT, &ranking, NULL), ARC_OK);
    words = ranking->not_comparable;
    *n_tests = ranking->n_tests;
    arc_ranking_free(ranking);
    return words;
}

static void test_ranking_of_states_goes_by_what_was_seen(void **state)
{
    (void)state;
    static Other other;
    int n_tests;
    make_other(&other);
    assert_null(ranked(&other, &n_tests));
    other.values[3 * 0 + 2] = 0.5; /* a number that the other does not have */
    assert_non_null(strstr(ranked(&other, &n_tests), "not fitted to the same points"));
    make_other(&other);
    other.states.channels[1].name = "phi";
    assert_non_null(strstr(ranked(&other, &n_tests), "not fitted to the same points"));
    make_other(&other);
    other.values[3 * 1 + 1] += 1e-9;
    assert_non_null(strstr(ranked(&other, &n_tests), "not fitted to the same points"));
    make_other(&other);
    other.sigmas[3 * 1 + 1] *= 2;
    assert_non_null(strstr(ranked(&other, &n_tests), "the sigmas of the points differ"));
}

/* One parameter less is a case of the same equations, not of others. */
static void test_ranking_of_states_nests_the_same_equations(void **state)
{
    (void)state;
    static Other other;
    static ArcEstimate held[STATES_PARAMETERS];
    int n_tests;
    make_other(&other);
    memcpy(held, states_parameters[1], sizeof held);
    held[0].status = ARC_PARAMETER_FIXED;
    held[0].free_index = -1;
    held[2].free_index = held[5].free_index = -1;
    other.fit.parameters = held;
    other.fit.n_free = 2;
    other.fit.n_unidentified = 1;
    assert_null(ranked(&other, &n_tests));
    assert_int_equal(n_tests, 1);
    other.result.model_text = "other text";
    assert_null(ranked(&other, &n_tests));
    assert_int_equal(n_tests, 0);
}

static int make_case(void **state)
{
    (void)state;
    make_states_result();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate_unit_of_any_unit_counts_seconds),
        cmocka_unit_test(test_start_of_parameter_is_its_channel),
        cmocka_unit_test(test_report_text_states_have_their_units),
        cmocka_unit_test(test_report_text_outlier_has_its_channel),
        cmocka_unit_test(test_report_text_first_order_has_states),
        cmocka_unit_test(test_report_text_several_are_runs),
        cmocka_unit_test(test_verdict_of_states_knows_no_flight),
        cmocka_unit_test(test_report_json_states_have_channels),
        cmocka_unit_test(test_report_json_first_order_has_no_second),
        cmocka_unit_test(test_report_json_runs_have_channels),
        cmocka_unit_test(test_report_prediction_text_has_channels),
        cmocka_unit_test(test_report_prediction_json_has_channels),
        cmocka_unit_test(test_ranking_of_states_goes_by_what_was_seen),
        cmocka_unit_test(test_ranking_of_states_nests_the_same_equations),
    };
    return cmocka_run_group_tests(tests, make_case, NULL);
}
