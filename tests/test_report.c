/* Reports of a result made by hand as text of 80 columns and JSON with its names. */
#include "base/arena.h"
#include "report/table.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report_case.h"

static void assert_has(json_t *object, int n, const char *const *names)
{
    assert_true(json_is_object(object));
    for (int i = 0; i < n; i++) {
        if (json_object_get(object, names[i]) == NULL)
            fail_msg("no '%s'", names[i]);
    }
}

#define ASSERT_HAS(object, ...)                                                                    \
    do {                                                                                           \
        const char *const names[] = {__VA_ARGS__};                                                 \
        assert_has((object), (int)(sizeof names / sizeof names[0]), names);                        \
    } while (0)

static json_t *json_of_result(bool is_array)
{
    const ArcResult *const results[2] = {&result, &result};
    char *text;
    assert_int_equal(arc_report_json(is_array ? 2 : 1, results, is_array, &text, NULL), ARC_OK);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    arc_text_free(text);
    return root;
}

static void test_report_json_result_has_every_name(void **state)
{
    (void)state;
    json_t *root = json_of_result(false);
    ASSERT_HAS(root, "arcfit", "schema", "experiment", "name", "seed", "fits", "comparison");
    assert_int_equal(json_array_size(json_object_get(root, "fits")), 2);
    json_t *fit = json_array_get(json_object_get(root, "fits"), 0);
    ASSERT_HAS(fit, "method", "converged", "stop", "iterations", "wall_s", "parameters", "derived",
               "unidentified", "correlation", "residuals", "trajectory", "history", "starts",
               "stop_note", "stages", "net");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(fit, "starts"), "n")), 8);
    json_t *columns = json_object_get(fit, "history");
    ASSERT_HAS(columns, "start", "stage", "iteration", "cost", "observations", "physics", "priors",
               "step_sd", "rate");
    assert_int_equal(json_array_size(json_object_get(columns, "physics")), N_HISTORY);
    assert_true(json_is_null(json_array_get(json_object_get(columns, "rate"), 0)));
    ASSERT_HAS(json_object_get(fit, "net"), "hidden", "fourier_modes", "fourier_base", "skip");
    assert_string_equal(json_string_value(json_object_get(fit, "stop")), "cost");
    json_t *k = json_object_get(json_object_get(fit, "parameters"), "k");
    ASSERT_HAS(k, "value", "sd", "ci95", "unit", "start", "status", "reason");
    assert_true(json_is_null(json_object_get(k, "sd")));
    assert_string_equal(json_string_value(json_object_get(k, "status")), "unidentified");
    ASSERT_HAS(json_object_get(json_object_get(fit, "derived"), "release_angle"), "value", "sd",
               "unit");
    json_t *group = json_array_get(json_object_get(fit, "unidentified"), 0);
    assert_string_equal(json_string_value(json_array_get(group, 1)), "spin");
    json_t *correlation = json_object_get(fit, "correlation");
    assert_int_equal(json_array_size(json_object_get(correlation, "matrix")), N_FREE);
    assert_string_equal(json_string_value(json_array_get(json_object_get(correlation, "names"), 0)),
                        "vx0");
    ASSERT_HAS(json_object_get(fit, "residuals"), "points", "chi2", "prior_chi2", "dof", "rms_m",
               "physics_rms_m_s2", "physics_rms_fine_m_s2", "sigma_phys_ci95_m_s2",
               "held_out_points", "held_out_rms_m");
    json_t *trajectory = json_object_get(fit, "trajectory");
    ASSERT_HAS(trajectory, "time_s", "position_m", "velocity_m_s", "acceleration_m_s2");
    assert_int_equal(json_array_size(json_object_get(trajectory, "position_m")),
                     ARC_TRAJECTORY_POINTS);
    json_t *comparison = json_object_get(root, "comparison");
    ASSERT_HAS(comparison, "parameters", "max_in_sd", "trajectory_max_m", "chi2_p", "verdict",
               "verdict_text", "physics");
    ASSERT_HAS(json_object_get(comparison, "physics"), "interval_s", "size_m_s2", "size_sd_m_s2",
               "direction", "along", "across", "up", "displacement_m", "chi2_explained", "p",
               "p_scaled", "tolerated");
    json_t *compared = json_object_get(comparison, "parameters");
    assert_int_equal(json_object_size(compared), 2);
    ASSERT_HAS(json_object_get(compared, "vx0"), "difference", "in_sd");
    json_decref(root);
}

static void test_report_json_several_is_an_array(void **state)
{
    (void)state;
    json_t *root = json_of_result(true);
    assert_true(json_is_array(root));
    assert_int_equal(json_array_size(root), 2);
    json_decref(root);
}

/* Compared, each result of an array has its place; alone it has none. */
static void test_report_comparison_json_results_have_their_place(void **state)
{
    (void)state;
    ArcResult worse = result;
    ArcFit worse_fit = direct;
    char *text;
    worse_fit.residuals.chi2 = 50;
    worse.fits[1] = &worse_fit;
    const ArcResult *const results[2] = {&worse, &result};
    assert_int_equal(arc_report_comparison_json(2, results, true, &text, NULL), ARC_OK);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    for (int i = 0; i < 2; i++) {
        json_t *ranking = json_object_get(json_array_get(root, (size_t)i), "ranking");
        ASSERT_HAS(ranking, "direct", "pinn");
        json_t *by_direct = json_object_get(ranking, "direct");
        ASSERT_HAS(by_direct, "rank", "n", "k", "deviance", "aic", "aicc", "bic", "ranked_by",
                   "delta", "weight", "chi2_p", "nested_in", "not_comparable", "sentence");
        assert_int_equal(json_integer_value(json_object_get(by_direct, "rank")), 2 - i);
        assert_true(json_is_null(json_object_get(by_direct, "not_comparable")));
    }
    json_decref(root);
    arc_text_free(text);
    assert_int_equal(arc_report_comparison_json(1, results, false, &text, NULL), ARC_OK);
    assert_null(strstr(text, "\"ranking\""));
    arc_text_free(text);
}

/* No line is longer than 80 characters or ends in a blank. */
static void assert_reads_well(const char *text)
{
    const char *line = text;
    while (*line != '\0') {
        size_t bytes = strcspn(line, "\n");
        char copy[1024];
        assert_true(bytes < sizeof copy);
        memcpy(copy, line, bytes);
        copy[bytes] = '\0';
        if (arc_table_length(copy) > ARC_TABLE_WIDTH || (bytes > 0 && copy[bytes - 1] == ' '))
            fail_msg("line reads badly: '%s'", copy);
        line += bytes + (line[bytes] == '\n' ? 1 : 0);
    }
}

static void test_report_text_result_reads_well(void **state)
{
    (void)state;
    char *text;
    assert_int_equal(arc_report_text(&result, true, &text, NULL), ARC_OK);
    assert_reads_well(text);
    assert_non_null(strstr(text, "5.123 \xc2\xb1 0.012"));
    assert_non_null(strstr(text, "5.124 \xc2\xb1 0.012"));
    assert_non_null(strstr(text, "0.1 \xc2\xb1 ?"));
    assert_non_null(strstr(text, "53.858 \xc2\xb1 0.057"));
    assert_non_null(strstr(text, "-3.26268"));
    assert_non_null(strstr(text, "agree"));
    assert_non_null(strstr(text, "k, spin"));
    assert_non_null(strstr(text, "corr. PINN"));
    assert_non_null(strstr(text, "7 of 8, 0.012 sd apart"));
    assert_non_null(strstr(text, "0.0005 to 0.002 m/s^2"));
    assert_non_null(strstr(text, "physics not finite at step 3"));
    assert_non_null(strstr(text, "observed"));
    if (getenv("ARCFIT_TEST_PRINT") != NULL)
        print_message("%s", text);
    arc_text_free(text);
    assert_int_equal(arc_report_text(&result, false, &text, NULL), ARC_OK);
    assert_reads_well(text);
    assert_null(strstr(text, "corr. PINN"));
    arc_text_free(text);
}

/* The flight with all that it has; stages once where both methods went through the same. */
static void test_report_text_flight_and_stages_are_told(void **state)
{
    (void)state;
    static const char *const paths[] = {"flight.drag",           "flight.lift",
                                        "flight.wind.velocity",  "flight.wind.shear.exponent",
                                        "flight.wind.gust.time", "flight.added_mass",
                                        "flight.bounce.plane"};
    static const char *const values[] = {"logistic", "none", "[1, 0]", "0.2",
                                         "1 s",      "true", "y=0 m"};
    ArcResult one = result;
    ArcFit other = direct;
    char *text;
    one.n_settings = 7;
    one.setting_paths = paths;
    one.setting_values = values;
    one.fits[1] = &other;
    other.stages = pinn.stages;
    assert_int_equal(arc_report_text(&one, false, &text, NULL), ARC_OK);
    assert_reads_well(text);
    assert_non_null(
        strstr(text, "drag logistic, lift none, wind with shear and gust, added mass,"));
    assert_non_null(strstr(text, " bounces\n"));
    assert_non_null(strstr(text, "\nlaws in stages  vacuum, all laws\n"));
    assert_null(strstr(text, "all laws (PINN)"));
    arc_text_free(text);
    other.stages = NULL;
    other.iterations = 1;
    other.residuals.chi2_p = NAN;
    one.n_settings = 3;
    assert_int_equal(arc_report_text(&one, false, &text, NULL), ARC_OK);
    assert_non_null(strstr(text, "drag logistic, lift none, wind\n"));
    assert_non_null(strstr(text, "\nlaws in stages  vacuum, all laws (PINN)\n"));
    assert_null(strstr(text, "(p none)"));
    assert_non_null(strstr(text, ", 1 step)"));
    arc_text_free(text);
}

/* A name wider than its column makes the column wider: header and numbers end alike. */
static void test_report_text_correlation_columns_hold_their_names(void **state)
{
    (void)state;
    ArcFit one = direct;
    ArcEstimate estimates[N_PARAMETERS];
    ArcResult shown = result;
    char *text;
    memcpy(estimates, direct.parameters, sizeof estimates);
    for (int p = 0; p < N_PARAMETERS; p++)
        if (estimates[p].free_index >= 0)
            estimates[p].name = p % 2 == 0 ? "spin_coupling" : "restitution";
    one.parameters = estimates;
    shown.fits[1] = &one;
    assert_int_equal(arc_report_text(&shown, true, &text, NULL), ARC_OK);
    assert_reads_well(text);
    const char *header = strstr(text, "corr. direct");
    assert_non_null(header);
    const char *row = strchr(header, '\n') + 1;
    assert_int_equal(strcspn(header, "\n"), strcspn(row, "\n"));
    arc_text_free(text);
}

static void test_report_text_control_characters_are_not_printed(void **state)
{
    (void)state;
    ArcResult one = result;
    char *text;
    one.name = "a\nb\x1b[31mc\xc2\x9b";
    one.experiment_path = "new\nline.yaml";
    assert_int_equal(arc_report_text(&one, false, &text, NULL), ARC_OK);
    assert_non_null(strstr(text, "a?b?[31mc?\n"));
    assert_non_null(strstr(text, "new?line.yaml\n"));
    assert_null(strchr(text, '\x1b'));
    arc_text_free(text);
}

static void test_report_text_verdicts_each_have_a_sentence(void **state)
{
    (void)state;
    static const struct {
        ArcVerdict verdict;
        const char *words;
    } rows[] = {{ARC_VERDICT_NONE, "one method only"},
                {ARC_VERDICT_AGREE, "same flight"},
                {ARC_VERDICT_MISFIT, "misfit"},
                {ARC_VERDICT_DIFFER, "0.17 sd apart"},
                {ARC_VERDICT_NOT_CONVERGED, "not converged"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text;
        ArcResult one = result;
        one.comparison.verdict = rows[i].verdict;
        assert_int_equal(arc_report_text(&one, false, &text, NULL), ARC_OK);
        assert_reads_well(text);
        if (strstr(text, rows[i].words) == NULL)
            fail_msg("no '%s' in '%s'", rows[i].words, strstr(text, "\ncomparison"));
        arc_text_free(text);
    }
}

/* The sentence names the number that was judged: the residual between the nodes. */
static void test_report_text_misfit_of_the_physics_names_what_was_judged(void **state)
{
    (void)state;
    ArcFit loose = pinn;
    ArcResult one = result;
    char *text;
    loose.residuals.physics_rms_m_s2 = 0.01;
    loose.residuals.physics_rms_fine_m_s2 = 0.07;
    loose.residuals.sigma_phys_m_s2 = 0.05;
    one.fits[0] = &loose;
    one.comparison.verdict = ARC_VERDICT_MISFIT;
    one.comparison.chi2_p = 0.5;
    assert_int_equal(arc_report_text(&one, false, &text, NULL), ARC_OK);
    const char *sentence = strstr(text, "misfit:");
    assert_non_null(sentence);
    assert_non_null(strstr(sentence, "by 0.07 m/s^2"));
    arc_text_free(text);
}

/* One fit may find an apex where the other does not. */
static void test_report_text_derived_of_one_fit_only_are_shown(void **state)
{
    (void)state;
    static const ArcEstimate more[2] = {
        {"release_angle", "rad", 0.94, 0.001, {0.938, 0.942}, NAN, ARC_PARAMETER_FREE, -1, NULL},
        {"apex_time", "s", 0.456, 0.001, {0.454, 0.458}, NAN, ARC_PARAMETER_FREE, -1, NULL}};
    for (int i = 0; i < 2; i++) {
        ArcFit longer = i == 0 ? pinn : direct;
        ArcResult one = result;
        char *text;
        longer.n_derived = 2;
        longer.derived = more;
        one.fits[i] = &longer;
        assert_int_equal(arc_report_text(&one, false, &text, NULL), ARC_OK);
        assert_reads_well(text);
        const char *row = strstr(text, "apex_time");
        assert_non_null(row);
        const char *value = strstr(row, "0.4560 \xc2\xb1 0.0010"), *none = strstr(row, "none");
        assert_true(value != NULL && none != NULL && (value < none) == (i == 0));
        arc_text_free(text);
    }
}

/* What both fits remark is said once; what one does, by its name. Long names keep their ends. */
static void test_report_text_remarks_and_long_names_are_shown(void **state)
{
    (void)state;
    static const ArcEstimate angle = {"hoop_entry_angle", "rad", 0.94, 0.001, {0.938, 0.942}, NAN,
                                      ARC_PARAMETER_FREE, -1,    NULL};
    ArcFit named = pinn;
    ArcResult one = result;
    char *text;
    named.n_derived = 1;
    named.derived = &angle;
    one.fits[0] = &named;
    assert_int_equal(arc_report_text(&one, false, &text, NULL), ARC_OK);
    assert_reads_well(text);
    const char *shared = strstr(text, "\nderived         hoop: the ball's centre passes inside");
    assert_non_null(shared);
    assert_null(strstr(shared + 40, "hoop: the ball"));
    assert_non_null(strstr(text, "\nderived, PINN   wall is left out"));
    assert_non_null(strstr(text, "\nhoop_entry_angle 0.9400"));
    assert_non_null(strstr(text, "\nrelease_angle")); /* of the direct fit alone */
    arc_text_free(text);
    const ArcResult *const both = &result;
    assert_int_equal(arc_report_json(1, &both, false, &text, NULL), ARC_OK);
    assert_non_null(strstr(text, "\"derived_remarks\""));
    assert_non_null(strstr(text, "wall is left out"));
    arc_text_free(text);
}

static void test_report_comparison_text_several_are_ranked(void **state)
{
    (void)state;
    ArcResult worse = result, elsewhere = result;
    ArcFit worse_fit = direct;
    ArcCapture another = capture;
    double moved[2 * N_POINTS];
    char *text;
    worse_fit.residuals.chi2 = 389234.5; /* wider than its column with all digits */
    worse_fit.residuals.chi2_p = 2.7512e-194;
    worse.fits[1] = &worse_fit;
    const char *const law[] = {"flight.drag=none"};
    worse.n_overrides = 1;
    worse.overrides = law;
    worse.experiment_path = "a/very/long/path/that/does/not/fit/into/a/column/worse.yaml";
    const ArcResult *const results[2] = {&worse, &result};
    assert_int_equal(arc_report_comparison_text(2, results, &text, NULL), ARC_OK);
    assert_reads_well(text);
    char *rank = strstr(text, "rank");
    assert_non_null(rank);
    assert_true(strstr(rank, "throw.yaml") < strstr(rank, "worse.yaml"));
    assert_non_null(strstr(rank, "\n     flight.drag=none\n"));
    assert_null(strstr(text, "\nwarning "));
    arc_text_free(text);
    memcpy(moved, point_positions, sizeof moved);
    moved[0] += 1e-3;
    another.position_m = moved;
    elsewhere.capture = &another;
    const ArcResult *const different[2] = {&result, &elsewhere};
    assert_int_equal(arc_report_comparison_text(2, different, &text, NULL), ARC_OK);
    assert_non_null(strstr(text, "\nwarning "));
    arc_text_free(text);
    assert_int_equal(arc_report_comparison_text(1, results, &text, NULL), ARC_OK);
    assert_reads_well(text);
    assert_null(strstr(text, "rank"));
    assert_non_null(strstr(text, "0.0081 sd"));
    assert_non_null(strstr(text, "\nrelease_angle"));
    arc_text_free(text);
}

/* A fit without a chi2 ranks behind all others. */
static void test_report_comparison_text_unknown_chi2_is_last(void **state)
{
    (void)state;
    ArcResult unknown = result;
    ArcFit unknown_fit = direct;
    char *text;
    unknown_fit.residuals.chi2 = NAN;
    unknown.fits[1] = &unknown_fit;
    unknown.experiment_path = "a/unknown.yaml";
    const ArcResult *const results[2] = {&unknown, &result};
    for (int i = 0; i < 2; i++) {
        const ArcResult *const order[2] = {results[i], results[1 - i]};
        assert_int_equal(arc_report_comparison_text(2, order, &text, NULL), ARC_OK);
        const char *rank = strstr(text, "rank");
        assert_non_null(rank);
        assert_true(strstr(rank, "throw.yaml") < strstr(rank, "unknown.yaml"));
        arc_text_free(text);
    }
}

static void test_result_compare_unknown_trajectory_is_no_distance(void **state)
{
    (void)state;
    static double unknown[2 * ARC_TRAJECTORY_POINTS];
    ArcFit lost = direct;
    ArcResult one = result;
    one.arena = arc_arena_create();
    memcpy(unknown, states[0], sizeof unknown);
    unknown[7] = NAN;
    lost.position_m = unknown;
    one.fits[1] = &lost;
    assert_int_equal(arc_result_compare(&one, NULL), ARC_OK);
    assert_true(isnan(one.comparison.trajectory_max_m));
    arc_arena_free(one.arena);
}

static ArcExperiment made_experiment(void)
{
    ArcExperiment experiment = {.path = "experiments/throw.yaml",
                                .name = "Throw",
                                .n_parameters = N_PARAMETERS,
                                .use_pinn = true,
                                .seed = 7};
    for (int p = 0; p < N_PARAMETERS; p++)
        experiment.parameters[p] = (ArcParameter){.name = parameters[0][p].name,
                                                  .unit = parameters[0][p].unit,
                                                  .is_free = p != 1,
                                                  .start = 1,
                                                  .low = p == 0 ? 0 : -INFINITY,
                                                  .high = INFINITY,
                                                  .has_prior = p == 2,
                                                  .prior_mean = 0.5,
                                                  .prior_sd = 0.1};
    return experiment;
}

static void test_report_check_made_experiment_shows_what_is_fitted(void **state)
{
    (void)state;
    ArcExperiment experiment = made_experiment();
    char *text;
    assert_int_equal(arc_report_check_text(&experiment, &capture, &direct, NULL, &text, NULL),
                     ARC_OK);
    assert_reads_well(text);
    assert_non_null(strstr(text, "0.5 \xc2\xb1 0.1"));
    assert_non_null(strstr(text, "[0, inf]"));
    assert_non_null(strstr(text, "k, spin"));
    assert_non_null(strstr(text, "0 s to 0.25 s"));
    assert_null(strstr(text, "next to nothing"));
    arc_text_free(text);
    experiment.parameters[2].prior_sd = direct.parameters[2].sd;
    assert_int_equal(arc_report_check_text(&experiment, &capture, &direct, NULL, &text, NULL),
                     ARC_OK);
    assert_non_null(strstr(text, "next to nothing of vx0"));
    arc_text_free(text);
    experiment.parameters[2].prior_sd = 0.1;
    experiment.parameters[2].low = 1;
    experiment.parameters[2].high = 1 + 4 * direct.parameters[2].sd;
    assert_int_equal(arc_report_check_text(&experiment, &capture, &direct, NULL, &text, NULL),
                     ARC_OK);
    assert_non_null(strstr(text, "next to nothing of vx0"));
    arc_text_free(text);
    experiment.parameters[2].low = -INFINITY;
    experiment.parameters[2].high = INFINITY;
    assert_int_equal(arc_report_check_json(&experiment, &capture, &direct, NULL, &text, NULL),
                     ARC_OK);
    json_t *root = json_loads(text, 0, NULL);
    ASSERT_HAS(root, "arcfit", "schema", "points", "time_s", "parameters", "unidentified");
    json_t *speed = json_object_get(json_object_get(root, "parameters"), "vx0");
    ASSERT_HAS(speed, "start", "sd", "bounds", "prior");
    json_decref(root);
    arc_text_free(text);
}

static void test_report_prediction_states_are_scored(void **state)
{
    (void)state;
    double t = 0.25, x[2] = {1.503, 2.2}, x_sd[2] = {0.004, 0.002};
    double v[2] = {1, -2}, v_sd[2] = {0.1, 0.2};
    const ArcPrediction one = {x, v, x_sd, v_sd, NULL};
    const ArcPlane planes[2] = {{1, 3.05}, {0, 2}};
    const ArcCrossing crossings[2] = {
        {.crossed = false}, {.crossed = true, .t_s = 0.3, .t_sd_s = 0.001, .x_m = {2, 2.1}}};
    const ArcPredicted prediction = {ARC_DIRECT, 1, &t, one, 2, planes, crossings, 1, one};
    char *text;
    assert_int_equal(arc_report_prediction_text(&result, &prediction, &text, NULL), ARC_OK);
    assert_reads_well(text);
    assert_non_null(strstr(text, "is not crossed"));
    assert_non_null(strstr(text, "1.5030 \xc2\xb1 0.0040"));
    assert_non_null(strstr(text, "at 0.3000 \xc2\xb1 0.0010 s"));
    assert_non_null(strstr(text, "rms 3 mm over 1 points"));
    arc_text_free(text);
    assert_int_equal(arc_report_prediction_json(&result, &prediction, &text, NULL), ARC_OK);
    json_t *root = json_loads(text, 0, NULL);
    ASSERT_HAS(root, "method", "states", "crossings", "held_out", "held_out_rms_m");
    json_t *scored = json_array_get(json_object_get(root, "held_out"), 0);
    double in_sd_x = json_real_value(json_array_get(json_object_get(scored, "in_sd"), 0));
    assert_true(fabs(in_sd_x - 0.6) < 1e-9); /* 3 mm over a 3-4-5 triangle of sds */
    assert_true(json_is_null(json_array_get(json_object_get(scored, "in_sd"), 1)));
    json_decref(root);
    arc_text_free(text);
}

/* What the data cannot tell has no sd, but its distance counts as it does in the fit. */
static void test_report_prediction_without_sd_is_scored_by_distance(void **state)
{
    (void)state;
    double x[2] = {1.503, 2.2}, x_sd[2] = {NAN, 0.002}, v[2] = {1, -2}, v_sd[2] = {NAN, NAN};
    const ArcPrediction one = {x, v, x_sd, v_sd, NULL};
    const ArcPredicted prediction = {.method = ARC_DIRECT, .n_held_out = 1, .held_out = one};
    char *text;
    assert_int_equal(arc_report_prediction_text(&result, &prediction, &text, NULL), ARC_OK);
    assert_non_null(strstr(text, "rms 3 mm over 1 points; chi2 0 of 0 coordinates"));
    arc_text_free(text);
}

static void test_table_value_digits_follow_sd(void **state)
{
    (void)state;
    static const struct {
        double value, sd;
        const char *text;
    } rows[] = {{5.123456, 0.0123, "5.123 \xc2\xb1 0.012"},
                {5.123456, 0.0996, "5.12 \xc2\xb1 0.10"},
                {123456, 1234, "123456 \xc2\xb1 1234"},
                {0.9, 1.2e-7, "0.90000000 \xc2\xb1 1.2e-07"},
                {-0.3, 70, "0 \xc2\xb1 70"},
                {3, 0, "3"},
                {3, NAN, "3 \xc2\xb1 ?"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char buffer[ARC_TABLE_NUMBER];
        assert_string_equal(arc_table_value(buffer, rows[i].value, rows[i].sd, 1), rows[i].text);
    }
}

static int make_case(void **state)
{
    (void)state;
    make_result();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_json_result_has_every_name),
        cmocka_unit_test(test_report_json_several_is_an_array),
        cmocka_unit_test(test_report_comparison_json_results_have_their_place),
        cmocka_unit_test(test_report_text_result_reads_well),
        cmocka_unit_test(test_report_text_flight_and_stages_are_told),
        cmocka_unit_test(test_report_text_correlation_columns_hold_their_names),
        cmocka_unit_test(test_report_text_control_characters_are_not_printed),
        cmocka_unit_test(test_report_text_verdicts_each_have_a_sentence),
        cmocka_unit_test(test_report_text_derived_of_one_fit_only_are_shown),
        cmocka_unit_test(test_report_text_misfit_of_the_physics_names_what_was_judged),
        cmocka_unit_test(test_report_text_remarks_and_long_names_are_shown),
        cmocka_unit_test(test_report_comparison_text_several_are_ranked),
        cmocka_unit_test(test_result_compare_unknown_trajectory_is_no_distance),
        cmocka_unit_test(test_report_comparison_text_unknown_chi2_is_last),
        cmocka_unit_test(test_report_check_made_experiment_shows_what_is_fitted),
        cmocka_unit_test(test_report_prediction_states_are_scored),
        cmocka_unit_test(test_report_prediction_without_sd_is_scored_by_distance),
        cmocka_unit_test(test_table_value_digits_follow_sd),
    };
    return cmocka_run_group_tests(tests, make_case, NULL);
}
