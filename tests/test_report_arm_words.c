/* What a result with an arm says of a release time that nothing told, and of two poses that its
 * fits ended in. */
#include "report/arm_parts.h"
#include "report/table.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report_arm_case.h"

static char *text_of(const ArcResult *shown)
{
    char *text;
    assert_int_equal(arc_report_text(shown, false, &text, NULL), ARC_OK);
    return text;
}

/* The first fit's t0 fixed, with one setting of the experiment. */
static bool is_release_remarked(ArcParameterStatus t0, const char *path)
{
    static ArcEstimate estimates[ARC_MAX_PARAMETERS];
    const char *paths[1] = {path}, *values[1] = {"0 s"};
    ArcResult one = arm_result;
    ArcFit fit = arm_fits[0];
    memcpy(estimates, fit.parameters, sizeof estimates[0] * (size_t)fit.n_parameters);
    for (int p = 0; p < fit.n_parameters; p++)
        if (strcmp(estimates[p].name, "t0") == 0)
            estimates[p].status = t0;
    fit.parameters = estimates;
    one.fits[0] = &fit;
    one.n_settings = 1;
    one.setting_paths = paths;
    one.setting_values = values;
    char *text = text_of(&one);
    bool found = strstr(text, "\nremark          the release is taken to be at the first") != NULL;
    arc_text_free(text);
    return found;
}

static void test_report_text_release_time_that_nothing_told_is_remarked(void **state)
{
    (void)state;
    assert_true(is_release_remarked(ARC_PARAMETER_FIXED, "capture.sigma"));
    assert_false(is_release_remarked(ARC_PARAMETER_FREE, "capture.sigma"));
    assert_false(is_release_remarked(ARC_PARAMETER_FIXED, "capture.t0"));
    assert_false(is_release_remarked(ARC_PARAMETER_FIXED, "parameters.t0.fixed"));
}

static void test_verdict_fits_of_two_poses_alike_name_both(void **state)
{
    (void)state;
    ArcResult one = arm_result;
    ArcFit fits[2] = {arm_fits[0], arm_fits[1]};
    ArcArmFit postures[2] = {*arm_fits[0].arm, *arm_fits[1].arm};
    ArcText text = {0};
    char *said;
    for (int i = 0; i < 2; i++) {
        fits[i].arm = &postures[i];
        fits[i].residuals.chi2 = 40.0 + 0.1 * i;
        one.fits[i] = &fits[i];
    }
    memcpy(postures[1].solutions[0].theta_rad, postures[0].solutions[0].theta_rad,
           sizeof postures[1].solutions[0].theta_rad);
    assert_false(arc_arm_parts_say_poses(&text, &one));
    postures[0].solutions[0].theta_rad[1] = 0.5 * M_PI;
    postures[1].solutions[0].theta_rad[1] = -0.5 * M_PI;
    fits[1].residuals.chi2 = 45.0;
    assert_false(arc_arm_parts_say_poses(&text, &one));
    fits[1].residuals.chi2 = 40.1;
    assert_true(arc_arm_parts_say_poses(&text, &one));
    assert_int_equal(arc_text_finish(&text, &said, NULL), ARC_OK);
    assert_non_null(strstr(said, ", 90 deg (PINN) and "));
    assert_non_null(strstr(said, ", -90 deg (direct); measure an angle"));
    arc_text_free(said);
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
        cmocka_unit_test(test_report_text_release_time_that_nothing_told_is_remarked),
        cmocka_unit_test(test_verdict_fits_of_two_poses_alike_name_both),
    };
    return cmocka_run_group_tests(tests, make_case, NULL);
}
