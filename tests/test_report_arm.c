/* Results with an arm as text and JSON: what is shown, in which order, and what a misfit of the
 * swing says. */
#include "base/arena.h"
#include "report/arm_parts.h"
#include "report/arm_sections.h"
#include "report/table.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report_arm_case.h"

static void assert_has(const char *text, const char *what)
{
    if (strstr(text, what) == NULL)
        fail_msg("no '%s' in\n%s", what, text == NULL ? "nothing" : text);
}

/* The same, wherever its lines are broken: every run of blanks is one. */
static void assert_says(const char *text, const char *what)
{
    char *plain = malloc(strlen(text) + 1), *to = plain;
    assert_non_null(plain);
    for (; *text != '\0'; text++)
        if (!strchr(" \n", *text) || (to > plain && to[-1] != ' '))
            *to++ = *text == '\n' ? ' ' : *text;
    *to = '\0';
    if (strstr(plain, what) == NULL)
        fail_msg("no '%s' in\n%s", what, plain);
    free(plain);
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

static char *text_of(const ArcResult *shown, bool is_compared)
{
    char *text;
    ArcStatus status = is_compared ? arc_report_comparison_text(1, &shown, &text, NULL)
                                   : arc_report_text(shown, false, &text, NULL);
    assert_int_equal(status, ARC_OK);
    assert_reads_well(text);
    if (getenv("ARCFIT_TEST_PRINT") != NULL)
        print_message("%s", text);
    return text;
}

static void test_arm_section_of_names_goes_by_the_arm(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        ArcArmSection section;
    } rows[] = {{"base_x", ARC_SECTION_GEOMETRY},    {"l1", ARC_SECTION_GEOMETRY},
                {"azimuth", ARC_SECTION_GEOMETRY},   {"ball_side", ARC_SECTION_GEOMETRY},
                {"l", ARC_SECTION_FLIGHT},           {"l1x", ARC_SECTION_FLIGHT},
                {"l2.mean", ARC_SECTION_GEOMETRY},   {"l2.sd", ARC_SECTION_GEOMETRY},
                {"l2.scale", ARC_SECTION_FLIGHT},    {"offset3", ARC_SECTION_ENCODERS},
                {"gain4", ARC_SECTION_ENCODERS},     {"mass1", ARC_SECTION_DYNAMICS},
                {"mass", ARC_SECTION_FLIGHT},        {"payload", ARC_SECTION_DYNAMICS},
                {"coulomb2", ARC_SECTION_DYNAMICS},  {"torque1", ARC_SECTION_TORQUES},
                {"torque1_12", ARC_SECTION_TORQUES}, {"torque1_", ARC_SECTION_FLIGHT},
                {"torque_1", ARC_SECTION_FLIGHT},    {"theta1", ARC_SECTION_POSE},
                {"omega2", ARC_SECTION_POSE},        {"t0", ARC_SECTION_RELEASE},
                {"vz0", ARC_SECTION_RELEASE},        {"vx0.mean", ARC_SECTION_RELEASE},
                {"k", ARC_SECTION_FLIGHT},           {"spin", ARC_SECTION_FLIGHT},
                {"clock_rate", ARC_SECTION_FLIGHT}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (arc_arm_section_of(rows[i].name) != rows[i].section)
            fail_msg("'%s' is in section %d", rows[i].name, (int)arc_arm_section_of(rows[i].name));
}

static void test_arm_parts_name_places_by_their_links(void **state)
{
    (void)state;
    char name[ARC_ARM_NAME];
    assert_string_equal(arc_arm_parts_name(name, ARC_SWING_PLACE, -1, 3), "ball");
    assert_string_equal(arc_arm_parts_name(name, ARC_SWING_PLACE, 0, 3), "base");
    assert_string_equal(arc_arm_parts_name(name, ARC_SWING_PLACE, 1, 3), "elbow");
    assert_string_equal(arc_arm_parts_name(name, ARC_SWING_PLACE, 2, 3), "joint2");
    assert_string_equal(arc_arm_parts_name(name, ARC_SWING_PLACE, 3, 3), "hand");
    assert_string_equal(arc_arm_parts_name(name, ARC_SWING_PLACE, 1, 1), "hand");
    assert_string_equal(arc_arm_parts_name(name, ARC_SWING_ANGLE, 0, 3), "theta1");
    assert_string_equal(arc_arm_parts_name(name, ARC_SWING_RATE, 2, 3), "omega3");
}

static void test_report_text_arm_then_release_then_flight(void **state)
{
    (void)state;
    static const char *const order[] = {
        "\narm             PINN",          "\nencoders        PINN",
        "\ndynamics        PINN",          "\ntorques         PINN",
        "\nat release      PINN",          "\nreading      measured",
        "\npose 1          theta",         "\npose 2          theta",
        "\nswing                    PINN", "\nrelease         PINN",
        "\nflight          PINN",          "\nderived         PINN",
        "\nfit                      PINN"};
    for (int k = 0; k < 2; k++) {
        char *text = text_of(&arm_result, k == 1);
        const char *at = text;
        for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
            const char *found = strstr(at, order[i]);
            if (found == NULL)
                fail_msg("no '%s' behind '%.80s'", order[i], at);
            at = found + 1;
        }
        arc_text_free(text);
    }
}

static void test_report_text_arm_shows_its_numbers(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "\nswing           ../data/swing.csv: 6 numbers of elbow, hand, theta1, omega2 at 2",
        "\nreadings        3: theta1, omega1, t0\n",
        "\nl1              0.50121 \xc2\xb1 0.00050      0.50120 \xc2\xb1 0.00050      m     "
        "free\n",
        "fixed: base_x 0 m, base_y 1 m, ball_along 0 m, ball_across 0.03",
        "fixed: offset2 28.6479 deg, gain1 1, gain2 1\n",
        "kg m\xc2\xb2 free\n",
        "34.95 \xc2\xb1 0.29           34.95 \xc2\xb1 0.29           deg\n",
        "177.7 \xc2\xb1 5.7            177.6 \xc2\xb1 5.7            deg/s\n",
        "\ntheta1       35.000 \xc2\xb1 0.097      35.059     0.61    35.059     0.61    deg\n",
        "\nt0           0.4000 \xc2\xb1 0.0010     0.4012     1.2     0.4012     1.2     s\n",
        "theta 34.95, -41.83 deg, omega 177.6, 297.9 deg/s; the estimate,",
        "theta -1.719, 41.83 deg, omega 252.1, -297.9 deg/s; chi2 0.25\n                more, as",
        "\n  rms of elbow (2)       1.9 mm, chi2 1.8 ",
        "\n  rms of theta1 (1)      0.0974 deg, chi2 0.95 ",
        "\n  rms of omega2 (1)      2.01 deg/s, chi2 1.1 ",
        "\ntime                     0.1 to 0.4012 s ",
        "\nlargest torque, joint 1  4.25 N m at 0.401 s ",
        "\nlargest rate, joint 2    -60.16 deg/s at 0.401 s ",
        "\n  between nodes          0.02 of 0.5 rad/s^2\n",
        "\nx0              0.6100 \xc2\xb1 0.0021        0.6100 \xc2\xb1 0.0021        m     "
        "tied\n",
        "\nchi2 of observations     15.5 (13 numbers)",
        "\n  of readings            5.75 (3 numbers)",
        "\n  of the swing           6.25 (6 numbers)",
        "swings 0.0057 deg\n"};
    char *text = text_of(&arm_result, false);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
        assert_has(text, pieces[i]);
    arc_text_free(text);
    text = text_of(&arm_result, true);
    assert_has(text,
               "\nvy0             3.700 \xc2\xb1 0.012          3.700 \xc2\xb1 0.012          "
               "m/s   0.01 sd\n");
    assert_has(text, "swings 0.0057 deg\n");
    arc_text_free(text);
}

/* Of the poses that which is not fitted, beyond limits, or worse is told so. */
static void test_report_text_poses_say_how_they_stand(void **state)
{
    (void)state;
    ArcResult one = arm_result;
    ArcFit fit = arm_fits[1];
    ArcArmFit arm = *arm_fits[1].arm;
    arm.solutions[1].is_fitted = false;
    arm.solutions[1].chi2 = 49.25;
    arm.solutions[1].is_told_apart = true;
    arm.solutions[1].is_within_limits = false;
    fit.arm = &arm;
    one.fits[1] = &fit;
    char *text = text_of(&one, false);
    assert_says(text, "chi2 at most 40 more, beyond the joints' limits");
    assert_null(strstr(text, "as good"));
    arc_text_free(text);
    arm.solutions[1].is_fitted = true;
    arm.solutions[1].converged = false;
    text = text_of(&one, false);
    assert_says(text, "chi2 40 more, beyond the joints' limits, not converged");
    arc_text_free(text);
}

/* Both elbows: said where nothing tells them apart. */
static void test_report_text_poses_as_good_are_remarked(void **state)
{
    (void)state;
    ArcResult one = arm_result;
    ArcFit fit = arm_fits[1];
    ArcArmFit arm = *arm_fits[1].arm;
    fit.arm = &arm;
    one.fits[1] = &fit;
    char *text = text_of(&one, false);
    assert_has(text, "\nremark          the elbow may be bent either way: nothing that was");
    arc_text_free(text);
    arm.solutions[1].chi2 = arm.solutions[0].chi2 - 1e-9;
    text = text_of(&one, false);
    assert_says(text, "-297.9 deg/s; the same chi2, as good");
    arc_text_free(text);
    arm.solutions[1].is_told_apart = true;
    text = text_of(&one, false);
    assert_null(strstr(text, "\nremark"));
    arc_text_free(text);
}

static void test_report_text_flights_of_an_arm_share_it(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "12 numbers of elbow, hand, theta1, omega2 at\n                4 times of 2 swings\n",
        "\nreadings        8 of 3 flights\n",
        "\ntorques         fixed: torque2_1 11 N m\n",
        "\nreadings, rms off        PINN                       direct\n",
        "\n  theta1 (3)             0.606 sd                   0.606 sd\n",
        "\n  t0 (2)                 1.2 sd                     1.2 sd\n",
        "\nposes           2 of 3 flights could have left from another pose as well:",
        "\n  rms of elbow (4)       1.9 mm, chi2 3.6 ",
        "\nflight chi2                theta1     theta2     omega1     omega2         t0\n"
        "                              deg        deg      deg/s      deg/s          s\n"
        "1      15.6 of 2            34.95     -41.83      177.6      297.9    0.40120\n"
        "2      15.6 of 2            63.60     -41.83      177.6      297.9    0.40120\n",
        "\nflight     torque1\n               N m\n1            23.40\n"};
    char *text = text_of(&arm_joint_result, false);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
        assert_has(text, pieces[i]);
    assert_true(strstr(text, "\narm             PINN") < strstr(text, "\nflight chi2"));
    assert_null(strstr(text, "\npose 1"));
    arc_text_free(text);
    arc_text_free(text_of(&arm_joint_result, true));
}

/* A fit without an arm may have a reading of t0 still. */
static void test_report_text_reading_without_an_arm_is_shown(void **state)
{
    (void)state;
    ArcResult one = result;
    ArcFit fits[2] = {pinn, direct};
    for (int i = 0; i < 2; i++) {
        fits[i].readings = arm_readings + 2;
        fits[i].residuals.n_readings = 1;
        fits[i].residuals.readings_chi2 = 1.44;
        one.fits[i] = &fits[i];
    }
    for (int k = 0; k < 2; k++) {
        char *text = text_of(&one, k == 1);
        assert_has(text, "\nt0           0.4000 \xc2\xb1 0.0010     0.4012     1.2 ");
        assert_has(text, "\n  of readings            1.44 (1 numbers)");
        assert_null(strstr(text, "pose 1"));
        arc_text_free(text);
    }
    const ArcResult *shown = &one;
    char *text;
    assert_int_equal(arc_report_json(1, &shown, false, &text, NULL), ARC_OK);
    assert_has(text, "\"readings\": [");
    assert_null(strstr(text, "\"arm\""));
    arc_text_free(text);
}

static void test_verdict_misfit_of_swing_or_readings_says_so(void **state)
{
    (void)state;
    ArcResult one = arm_result;
    ArcFit fit = arm_fits[1];
    one.fits[1] = &fit;
    one.comparison.verdict = ARC_VERDICT_MISFIT;
    one.comparison.chi2_p = 1e-9;
    fit.residuals.swing_chi2 = 60;
    char *text = text_of(&one, false);
    assert_says(text, "the swing does not follow its equations (chi2 60 of 6 numbers)");
    assert_null(strstr(text, "the readings do not fit"));
    arc_text_free(text);
    fit.residuals.swing_chi2 = 6;
    fit.residuals.readings_chi2 = 50;
    text = text_of(&one, false);
    assert_says(text, "the readings do not fit");
    assert_null(strstr(text, "the swing does not"));
    arc_text_free(text);
    fit.residuals.readings_chi2 = 3;
    text = text_of(&one, false);
    assert_says(text, "look for another force");
    arc_text_free(text);
    one = arm_joint_result;
    ArcFit joint = arm_joints[1];
    one.fits[1] = &joint;
    one.comparison.verdict = ARC_VERDICT_MISFIT;
    one.comparison.chi2_p = 1e-9;
    joint.residuals.swing_chi2 = 90;
    text = text_of(&one, false);
    assert_says(text, "(chi2 90 of 12");
    arc_text_free(text);
}

/* A PINN whose swing breaks its equations by more than is allowed, and one whose net is too loose
 * between its points. */
static void test_verdict_broken_swing_is_told_from_a_broken_flight(void **state)
{
    (void)state;
    ArcSwingFit swing = arm_swings[0];
    ArcArmFit arm = *arm_fits[0].arm;
    ArcFit fit = arm_fits[0];
    ArcResult one = arm_result;
    one.arena = arc_arena_create();
    arm.swing = &swing;
    fit.arm = &arm;
    one.fits[0] = &fit;
    assert_int_equal(arc_result_compare(&one, NULL), ARC_OK);
    assert_int_equal(one.comparison.verdict, ARC_VERDICT_AGREE);
    swing.physics_rms_fine_rad_s2 = 0.75;
    assert_int_equal(arc_result_compare(&one, NULL), ARC_OK);
    assert_int_equal(one.comparison.verdict, ARC_VERDICT_MISFIT);
    char *text = text_of(&one, false);
    assert_says(text, "misfit: the PINN breaks the swing's equations by 0.75 rad/s^2 where 0.5");
    arc_text_free(text);
    fit.converged = false;
    assert_int_equal(arc_result_compare(&one, NULL), ARC_OK);
    text = text_of(&one, false);
    assert_says(text, "its net does not follow the swing's equations between the");
    assert_says(text, "(0.75 of 0.05 rad/s^2");
    arc_text_free(text);
    arc_arena_free(one.arena);
}

static void test_result_compare_swings_by_their_largest_angle(void **state)
{
    (void)state;
    ArcResult one = arm_result;
    one.arena = arc_arena_create();
    assert_int_equal(arc_result_compare(&one, NULL), ARC_OK);
    /* The PINN's is 1e-5 of itself off, and 0.3 rad at most (row 4 of i - 3 from -3 to 6). */
    double most = 0;
    for (int i = 0; i < ARM_TIMES * ARM_JOINTS; i++)
        most = fmax(most, fabs(arm_motion[1][0][i]));
    assert_true(fabs(one.comparison.swing_max_rad - 1e-5 * most) < 1e-12);
    /* What is tied is compared as what is free is. */
    assert_true(fabs(one.comparison.in_sd[2] - 0.01) < 1e-9);
    assert_true(isnan(one.comparison.in_sd[6]));
    arc_arena_free(one.arena);
    one = arm_joint_result;
    one.arena = arc_arena_create();
    assert_int_equal(arc_result_compare(&one, NULL), ARC_OK);
    assert_true(fabs(one.comparison.swing_max_rad - 1e-5 * most) < 1e-12);
    arc_arena_free(one.arena);
    one = result;
    one.arena = arc_arena_create();
    assert_int_equal(arc_result_compare(&one, NULL), ARC_OK);
    assert_true(isnan(one.comparison.swing_max_rad));
    arc_arena_free(one.arena);
}

static const json_t *get(const json_t *object, const char *name)
{
    const json_t *found = json_object_get(object, name);
    if (found == NULL)
        fail_msg("no '%s'", name);
    return found;
}

static void assert_keys(const json_t *object, int n, const char *const *names)
{
    assert_int_equal(json_object_size(object), n);
    for (int i = 0; i < n; i++)
        get(object, names[i]);
}

#define ASSERT_KEYS(object, ...)                                                                   \
    do {                                                                                           \
        const char *const names[] = {__VA_ARGS__};                                                 \
        assert_keys((object), (int)(sizeof names / sizeof names[0]), names);                       \
    } while (0)

static json_t *json_of(const ArcResult *shown)
{
    char *text;
    assert_int_equal(arc_report_json(1, &shown, false, &text, NULL), ARC_OK);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    arc_text_free(text);
    return root;
}

static void assert_swing_keys(const json_t *swing)
{
    ASSERT_KEYS(swing, "residuals", "time_s", "theta_rad", "omega_rad_s", "acceleration_rad_s2",
                "torque_n_m", "friction_n_m", "measured");
    const json_t *residuals = get(swing, "residuals"), *measured = get(swing, "measured");
    ASSERT_KEYS(residuals, "times", "left_out", "numbers", "chi2", "physics_rms_rad_s2",
                "physics_rms_fine_rad_s2", "sigma_phys_rad_s2", "parts");
    const json_t *part = json_array_get(get(residuals, "parts"), 3);
    ASSERT_KEYS(part, "of", "numbers", "rms", "unit", "chi2");
    assert_string_equal(json_string_value(get(part, "of")), "omega2");
    assert_string_equal(json_string_value(get(part, "unit")), "rad/s");
    ASSERT_KEYS(measured, "of", "axis", "time_s", "value", "sigma", "fitted", "line");
    assert_int_equal(json_array_size(get(measured, "fitted")), ARM_NUMBERS);
    assert_string_equal(json_string_value(json_array_get(get(measured, "axis"), 1)), "y");
    assert_true(json_is_null(json_array_get(get(measured, "axis"), 4)));
    assert_int_equal(json_array_size(get(swing, "time_s")), ARM_TIMES);
    const json_t *row = json_array_get(get(swing, "torque_n_m"), 1);
    assert_int_equal(json_array_size(row), ARM_JOINTS);
    assert_true(json_number_value(json_array_get(row, 1)) == arm_motion[0][3][1 * ARM_JOINTS + 1]);
}

static void test_report_json_arm_has_every_name(void **state)
{
    (void)state;
    json_t *root = json_of(&arm_result);
    const json_t *fit = json_array_get(get(root, "fits"), 0), *arm = get(fit, "arm");
    ASSERT_KEYS(arm, "solutions", "remark", "readings", "swing");
    assert_null(json_object_get(fit, "readings"));
    const json_t *pose = json_array_get(get(arm, "solutions"), 1);
    ASSERT_KEYS(pose, "theta_rad", "omega_rad_s", "chi2", "fitted", "converged", "within_limits",
                "told_apart");
    assert_int_equal(json_array_size(get(pose, "theta_rad")), ARM_JOINTS);
    assert_int_equal(json_array_size(get(arm, "readings")), ARM_READINGS);
    const json_t *reading = json_array_get(get(arm, "readings"), 1);
    ASSERT_KEYS(reading, "name", "unit", "value", "sd", "fitted", "residual_sd", "line");
    assert_swing_keys(get(arm, "swing"));
    const json_t *x0 = get(get(fit, "parameters"), "x0");
    assert_string_equal(json_string_value(get(x0, "status")), "tied");
    assert_true(json_number_value(get(x0, "sd")) == 0.0021);
    assert_true(json_is_null(get(x0, "start")));
    const json_t *residuals = get(fit, "residuals");
    assert_int_equal(json_integer_value(get(residuals, "readings")), ARM_READINGS);
    assert_int_equal(json_integer_value(get(residuals, "swing")), ARM_NUMBERS);
    assert_true(json_number_value(get(residuals, "readings_chi2")) == 5.75);
    assert_true(json_number_value(get(residuals, "swing_chi2")) == 6.25);
    assert_true(json_number_value(get(get(root, "comparison"), "swing_max_rad")) == 1e-4);
    json_decref(root);
    root = json_of(&arm_joint_result);
    fit = json_array_get(get(root, "fits"), 0);
    assert_null(json_object_get(fit, "arm"));
    assert_int_equal(json_integer_value(get(get(fit, "residuals"), "swing")), 2 * ARM_NUMBERS);
    const json_t *flights = get(fit, "flights");
    ASSERT_KEYS(get(json_array_get(flights, 0), "arm"), "solutions", "remark", "readings", "swing");
    ASSERT_KEYS(get(json_array_get(flights, 1), "arm"), "solutions", "readings");
    json_decref(root);
    root = json_of(&result);
    assert_null(json_object_get(get(root, "comparison"), "swing_max_rad"));
    json_decref(root);
}

static ArcExperiment made_experiment(void)
{
    ArcExperiment experiment = {.path = "experiments/arm.yaml",
                                .name = "Arm",
                                .n_parameters = ARM_PARAMETERS,
                                .use_direct = true,
                                .has_arm = true,
                                .arm.settings = arc_arm_settings_default()};
    for (int p = 0; p < ARM_PARAMETERS; p++)
        experiment.parameters[p] =
            (ArcParameter){.name = arm_estimates[p].name,
                           .unit = arm_estimates[p].unit,
                           .is_free = arm_estimates[p].status == ARC_PARAMETER_FREE,
                           .is_tied = arm_estimates[p].status == ARC_PARAMETER_TIED,
                           .start = 1,
                           .low = -INFINITY,
                           .high = INFINITY,
                           .has_prior = p == 12,
                           .prior_mean = 0,
                           .prior_sd = 0.1};
    return experiment;
}

/* What was measured, what is free, and whether one flight can tell that much. */
static void test_report_check_arm_counts_what_is_told(void **state)
{
    (void)state;
    const double swing_times[2] = {0.1, 0.2};
    const ArcSwing swing = {"swing.csv", 2, swing_times, ARM_NUMBERS, arm_numbers};
    ArcExperiment experiment = made_experiment();
    ArcCapture one = capture;
    ArcFit forecast = arm_fits[1];
    char *text;
    assert_int_equal(arc_report_check_text(&experiment, &one, &forecast, NULL, &text, NULL),
                     ARC_OK);
    assert_reads_well(text);
    assert_says(text, "arm pitch, pitch; free: t0, l1, l2, offset1, inertia1, torque1, theta1, "
                      "theta2, omega1, omega2 ");
    assert_says(text, "readings theta1 35.000 \xc2\xb1 0.097 deg, omega1 171.9 \xc2\xb1 2.9 "
                      "deg/s, t0 0.4000 \xc2\xb1 0.0010 s ");
    assert_says(text, "tells its release (4 numbers), readings 3 more, priors 1; free of arm and "
                      "release: 10, 2 more than that ");
    assert_says(text, " 4 observations, 3 readings, 6 numbers of the swing, 11 free parameters ");
    assert_has(text, "\narm           start  ");
    assert_has(text, "\nat release    start  ");
    assert_has(text, "\n                fixed: base_x 0 m, base_y 1 m,");
    assert_true(strstr(text, "\nl1 ") < strstr(text, "\nx0 ") &&
                strstr(text, "\nx0 ") < strstr(text, "\nk "));
    arc_text_free(text);
    one.swing = &swing;
    assert_int_equal(arc_report_check_text(&experiment, &one, &forecast, NULL, &text, NULL),
                     ARC_OK);
    assert_reads_well(text);
    assert_says(text, "swing swing.csv: 6 numbers at 2 times from 0.1 s to 0.2 s; 2 of elbow, "
                      "sigma 2 mm, 2 of hand, sigma 2 mm, 1 of theta1, sigma 0.0974 deg, 1 of "
                      "omega2, sigma 2.01 deg/s ");
    assert_says(text, "tells its release (4 numbers), the swing how");
    arc_text_free(text);
    assert_int_equal(arc_report_check_json(&experiment, &one, &forecast, NULL, &text, NULL),
                     ARC_OK);
    json_t *root = json_loads(text, 0, NULL);
    const json_t *arm = get(root, "arm");
    ASSERT_KEYS(arm, "joints", "release_numbers", "free", "readings", "priors", "swing");
    assert_int_equal(json_integer_value(get(arm, "free")), 10);
    assert_int_equal(json_integer_value(get(get(get(arm, "swing"), "of"), "hand")), 2);
    assert_int_equal(json_array_size(get(root, "readings")), ARM_READINGS);
    json_decref(root);
    arc_text_free(text);
}

/* Of flights fitted together: what each has of its own, and what all share. */
static void test_report_check_flights_of_an_arm_count_what_they_share(void **state)
{
    (void)state;
    ArcExperiment experiment = made_experiment();
    char *text;
    assert_int_equal(
        arc_report_check_text(&experiment, &capture, &arm_joints[1], NULL, &text, NULL), ARC_OK);
    assert_reads_well(text);
    assert_says(text, "readings 3 more; free of arm and release: 6 of each, 4 of all 3 flights ");
    arc_text_free(text);
    assert_int_equal(
        arc_report_check_json(&experiment, &capture, &arm_joints[1], NULL, &text, NULL), ARC_OK);
    json_t *root = json_loads(text, 0, NULL);
    assert_int_equal(json_integer_value(get(get(root, "arm"), "free_shared")), 4);
    json_decref(root);
    arc_text_free(text);
}

static int make_case(void **state)
{
    (void)state;
    make_arm_result();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm_section_of_names_goes_by_the_arm),
        cmocka_unit_test(test_arm_parts_name_places_by_their_links),
        cmocka_unit_test(test_report_text_arm_then_release_then_flight),
        cmocka_unit_test(test_report_text_arm_shows_its_numbers),
        cmocka_unit_test(test_report_text_poses_say_how_they_stand),
        cmocka_unit_test(test_report_text_poses_as_good_are_remarked),
        cmocka_unit_test(test_report_text_flights_of_an_arm_share_it),
        cmocka_unit_test(test_report_text_reading_without_an_arm_is_shown),
        cmocka_unit_test(test_verdict_misfit_of_swing_or_readings_says_so),
        cmocka_unit_test(test_verdict_broken_swing_is_told_from_a_broken_flight),
        cmocka_unit_test(test_result_compare_swings_by_their_largest_angle),
        cmocka_unit_test(test_report_json_arm_has_every_name),
        cmocka_unit_test(test_report_check_arm_counts_what_is_told),
        cmocka_unit_test(test_report_check_flights_of_an_arm_count_what_they_share),
    };
    return cmocka_run_group_tests(tests, make_case, NULL);
}
