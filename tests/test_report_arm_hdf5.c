/* Arms, readings, swings and identifiability as HDF5: read back bit by bit, so that reports of a
 * file are those of the fit; layout; hostile files; exhaustion. */
#include "base/arena.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "hdf5_change.h"
#include "report_arm_case.h"

static char folder[] = "/tmp/arcfit-test-report-arm-XXXXXX";
static char path[64], other[64];

static const int told_parameters[3] = {8, 9, 22}, untold_parameters[2] = {22, 24};
static const double told_factors[3] = {1, 0.83, -0.25}, untold_factors[2] = {1, -3.5};
static const ArcCombination told[2] = {{2, told_parameters, told_factors, 0.912, 0.002},
                                       {1, told_parameters + 2, told_factors, 0.61, 0.01}};
static const ArcCombination untold[1] = {{2, untold_parameters, untold_factors, NAN, NAN}};
static double sd_after[2][ARM_FREE];
static const ArcMeasurement measurements[2] = {
    {1, {22}, {0.0017}, 1, 0, 0, 0.25, sd_after[0]},
    {2, {24, 25}, {0.05, 0.06}, 1, 0, 2, 0.125, sd_after[1]}};
static const ArcIdentifiability found = {ARM_FREE, ARM_FREE - 1, 4, 3,           2, told,
                                         1,        untold,       2, measurements};

static void assert_same_readings(const ArcFit *a, const ArcFit *b)
{
    assert_int_equal(a->residuals.n_readings, b->residuals.n_readings);
    assert_int_equal(a->residuals.n_swing, b->residuals.n_swing);
    assert_same(1, &a->residuals.readings_chi2, &b->residuals.readings_chi2);
    assert_same(1, &a->residuals.swing_chi2, &b->residuals.swing_chi2);
    assert_int_equal(a->readings == NULL, b->readings == NULL);
    for (int i = 0; b->readings != NULL && i < b->residuals.n_readings; i++) {
        assert_string_equal(a->readings[i].name, b->readings[i].name);
        assert_string_equal(a->readings[i].unit, b->readings[i].unit);
        assert_same(1, &a->readings[i].value, &b->readings[i].value);
        assert_same(1, &a->readings[i].sd, &b->readings[i].sd);
        assert_same(1, &a->readings[i].fitted, &b->readings[i].fitted);
        assert_same(1, &a->readings[i].residual_sd, &b->readings[i].residual_sd);
        assert_int_equal(a->readings[i].line, b->readings[i].line);
    }
}

static void assert_same_measured(const ArcSwingFit *a, const ArcSwingFit *b)
{
    assert_int_equal(a->n_parts, b->n_parts);
    for (int i = 0; i < b->n_parts; i++) {
        assert_int_equal(a->parts[i].kind, b->parts[i].kind);
        assert_int_equal(a->parts[i].index, b->parts[i].index);
        assert_int_equal(a->parts[i].numbers, b->parts[i].numbers);
        assert_same(1, &a->parts[i].rms, &b->parts[i].rms);
        assert_same(1, &a->parts[i].chi2, &b->parts[i].chi2);
    }
    assert_int_equal(a->numbers, b->numbers);
    for (int i = 0; i < b->numbers; i++) {
        const ArcSwingNumber *one = &a->measured[i], *two = &b->measured[i];
        assert_int_equal(one->row, two->row);
        assert_int_equal(one->kind, two->kind);
        assert_int_equal(one->index, two->index);
        assert_int_equal(one->axis, two->axis);
        assert_int_equal(one->line, two->line);
        assert_same(1, &one->value, &two->value);
        assert_same(1, &one->sigma, &two->sigma);
    }
    assert_same(b->numbers, a->number_time_s, b->number_time_s);
    assert_same(b->numbers, a->fitted, b->fitted);
}

static void assert_same_swing(const ArcSwingFit *a, const ArcSwingFit *b)
{
    int n = b->n_times * b->n_joints;
    assert_int_equal(a->rows, b->rows);
    assert_same(1, &a->chi2, &b->chi2);
    assert_same(1, &a->physics_rms_rad_s2, &b->physics_rms_rad_s2);
    assert_same(1, &a->physics_rms_fine_rad_s2, &b->physics_rms_fine_rad_s2);
    assert_same(1, &a->sigma_phys_rad_s2, &b->sigma_phys_rad_s2);
    assert_same_measured(a, b);
    assert_int_equal(a->n_times, b->n_times);
    assert_int_equal(a->n_joints, b->n_joints);
    assert_same(b->n_times, a->time_s, b->time_s);
    assert_same(n, a->theta_rad, b->theta_rad);
    assert_same(n, a->omega_rad_s, b->omega_rad_s);
    assert_same(n, a->acceleration_rad_s2, b->acceleration_rad_s2);
    assert_same(n, a->motor_n_m, b->motor_n_m);
    assert_same(n, a->friction_n_m, b->friction_n_m);
}

static void assert_same_arm(const ArcFit *of_a, const ArcFit *of_b)
{
    const ArcArmFit *a = of_a->arm, *b = of_b->arm;
    assert_same_readings(of_a, of_b);
    assert_int_equal(a == NULL, b == NULL);
    if (b == NULL)
        return;
    assert_int_equal(a->n_joints, b->n_joints);
    assert_int_equal(a->dimensions, b->dimensions);
    assert_int_equal(a->first, b->first);
    assert_int_equal(a->n_parameters, b->n_parameters);
    assert_int_equal(a->theta, b->theta);
    assert_int_equal(a->omega, b->omega);
    assert_int_equal(a->release, b->release);
    assert_same(2 * b->dimensions * of_b->n_free, a->tie, b->tie);
    assert_int_equal(a->n_solutions, b->n_solutions);
    for (int i = 0; i < b->n_solutions; i++) {
        const ArcArmSolution *one = &a->solutions[i], *two = &b->solutions[i];
        assert_same(b->n_joints, one->theta_rad, two->theta_rad);
        assert_same(b->n_joints, one->omega_rad_s, two->omega_rad_s);
        assert_same(1, &one->chi2, &two->chi2);
        assert_int_equal(one->is_fitted, two->is_fitted);
        assert_int_equal(one->converged, two->converged);
        assert_int_equal(one->is_within_limits, two->is_within_limits);
        assert_int_equal(one->is_told_apart, two->is_told_apart);
    }
    assert_int_equal(a->swing == NULL, b->swing == NULL);
    if (b->swing != NULL)
        assert_same_swing(a->swing, b->swing);
}

/* Text and JSON of a result and of the same one read back. */
static void assert_same_reports(ArcResult *made, ArcResult *read)
{
    char *texts[2][3];
    ArcResult *const results[2] = {made, read};
    made->arena = arc_arena_create();
    assert_int_equal(arc_result_compare(made, NULL), ARC_OK);
    for (int i = 0; i < 2; i++) {
        const ArcResult *one = results[i];
        assert_int_equal(arc_report_text(one, false, &texts[i][0], NULL), ARC_OK);
        assert_int_equal(arc_report_comparison_text(1, &one, &texts[i][1], NULL), ARC_OK);
        assert_int_equal(arc_report_json(1, &one, false, &texts[i][2], NULL), ARC_OK);
    }
    for (int k = 0; k < 3; k++) {
        assert_string_equal(texts[0][k], texts[1][k]);
        arc_text_free(texts[0][k]);
        arc_text_free(texts[1][k]);
    }
    arc_arena_free(made->arena);
}

/* The time of a fit is not stored. */
static void forget_time(ArcResult *made, ArcFit fits[2])
{
    for (int i = 0; i < 2; i++) {
        fits[i] = *made->fits[i];
        fits[i].wall_s = NAN;
        made->fits[i] = &fits[i];
    }
}

static void test_report_read_hdf5_arm_gives_every_field(void **state)
{
    (void)state;
    ArcResult *read = NULL, made = arm_result;
    ArcFit fits[2];
    forget_time(&made, fits);
    assert_int_equal(arc_report_write_hdf5(&made, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    for (int i = 0; i < 2; i++) {
        assert_same_arm(read->fits[i], &fits[i]);
        assert_int_equal(read->fits[i]->parameters[2].status, ARC_PARAMETER_TIED);
        assert_null(read->fits[i]->identifiability);
    }
    assert_same_reports(&made, read);
    arc_result_free(read);
}

static void test_report_read_hdf5_flights_of_an_arm_give_every_field(void **state)
{
    (void)state;
    ArcResult *read = NULL, made = arm_joint_result;
    ArcFit fits[2];
    forget_time(&made, fits);
    assert_int_equal(arc_report_write_hdf5(&made, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    for (int i = 0; i < 2; i++) {
        assert_same_readings(read->fits[i], &fits[i]);
        assert_null(read->fits[i]->arm);
        for (int f = 0; f < ARM_FLIGHTS; f++) {
            assert_same_arm(&read->fits[i]->flights[f], &fits[i].flights[f]);
            assert_int_equal(read->fits[i]->flights[f].parameters[2].status, ARC_PARAMETER_TIED);
        }
    }
    assert_same_reports(&made, read);
    arc_result_free(read);
}

/* Without a swing, a reading, or anything free. */
static void test_report_read_hdf5_bare_arm_reads_back(void **state)
{
    (void)state;
    ArcResult *read = NULL, made = arm_result;
    ArcFit fits[2];
    ArcArmFit bare[2];
    forget_time(&made, fits);
    for (int i = 0; i < 2; i++) {
        bare[i] = *fits[i].arm;
        bare[i].swing = NULL;
        bare[i].n_solutions = 0;
        fits[i].arm = &bare[i];
        fits[i].readings = NULL;
        fits[i].residuals.n_readings = fits[i].residuals.n_swing = 0;
        fits[i].residuals.readings_chi2 = fits[i].residuals.swing_chi2 = 0;
    }
    assert_int_equal(arc_report_write_hdf5(&made, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    assert_same_arm(read->fits[0], &fits[0]);
    assert_same_reports(&made, read);
    arc_result_free(read);
}

/* A reading of t0 without any arm. */
static void test_report_read_hdf5_reading_without_an_arm_reads_back(void **state)
{
    (void)state;
    ArcResult *read = NULL, made = result;
    ArcFit fits[2];
    forget_time(&made, fits);
    for (int i = 0; i < 2; i++) {
        fits[i].readings = arm_readings + 2;
        fits[i].residuals.n_readings = 1;
        fits[i].residuals.readings_chi2 = 1.44;
    }
    assert_int_equal(arc_report_write_hdf5(&made, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    assert_same_arm(read->fits[1], &fits[1]);
    assert_same_reports(&made, read);
    arc_result_free(read);
}

static void assert_same_combinations(int n, const ArcCombination *a, const ArcCombination *b)
{
    for (int i = 0; i < n; i++) {
        assert_int_equal(a[i].n_parts, b[i].n_parts);
        assert_memory_equal(a[i].parameters, b[i].parameters,
                            (size_t)b[i].n_parts * sizeof *b[i].parameters);
        assert_same(b[i].n_parts, a[i].factors, b[i].factors);
        assert_same(1, &a[i].value, &b[i].value);
        assert_same(1, &a[i].sd, &b[i].sd);
    }
}

static ArcResult made_identifiability(ArcFit fits[2])
{
    ArcResult made = arm_result;
    forget_time(&made, fits);
    fits[1].identifiability = &found;
    return made;
}

static void test_report_read_hdf5_identifiability_gives_every_field(void **state)
{
    (void)state;
    ArcResult *read = NULL;
    ArcFit fits[2];
    ArcResult made = made_identifiability(fits);
    assert_int_equal(arc_report_write_hdf5(&made, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    assert_null(read->fits[0]->identifiability);
    const ArcIdentifiability *got = read->fits[1]->identifiability;
    assert_non_null(got);
    assert_int_equal(got->n_free, found.n_free);
    assert_int_equal(got->rank, found.rank);
    assert_int_equal(got->release_numbers, found.release_numbers);
    assert_int_equal(got->n_readings, found.n_readings);
    assert_int_equal(got->n_determined, 2);
    assert_int_equal(got->n_undetermined, 1);
    assert_same_combinations(2, got->determined, told);
    assert_same_combinations(1, got->undetermined, untold);
    assert_int_equal(got->n_measurements, 2);
    for (int i = 0; i < 2; i++) {
        const ArcMeasurement *a = &got->measurements[i], *b = &measurements[i];
        assert_int_equal(a->n_readings, b->n_readings);
        assert_memory_equal(a->parameters, b->parameters, sizeof b->parameters);
        assert_same(ARC_MEASUREMENT_READINGS, a->sd, b->sd);
        assert_int_equal(a->n_settled, b->n_settled);
        assert_int_equal(a->n_null_left, b->n_null_left);
        assert_int_equal(a->n_unidentified_left, b->n_unidentified_left);
        assert_same(1, &a->reduction, &b->reduction);
        assert_same(ARM_FREE, a->sd_after, b->sd_after);
    }
    assert_same_reports(&made, read);
    arc_result_free(read);
}

static herr_t check_object(hid_t group, const char *name, const H5O_info_t *info, void *context)
{
    int *n = context;
    if (info->type != H5O_TYPE_DATASET)
        return 0;
    hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    if (H5Aexists(dataset, "units") <= 0)
        fail_msg("'%s' has no units", name);
    hid_t space = H5Dget_space(dataset);
    int rank = H5Sget_simple_extent_ndims(space);
    for (int i = 0; i < rank && H5DSis_scale(dataset) == 0; i++)
        if (H5DSget_num_scales(dataset, (unsigned)i) != 1)
            fail_msg("'%s' has no scale along %d", name, i);
    H5Sclose(space);
    H5Dclose(dataset);
    (*n)++;
    return 0;
}

static void test_report_write_hdf5_arm_layout_is_as_documented(void **state)
{
    (void)state;
    static const char *const names[2][6] = {
        {"/fits/pinn/arm/swing/theta", "/fits/pinn/arm/tie", "/fits/direct/arm/solution/theta",
         "/fits/direct/measured/reading/value", "/fits/direct/arm/swing/number/fitted",
         "/fits/direct/identifiability/measurement/sd_after"},
        {"/fits/pinn/flights/arm/swing/motor", "/fits/pinn/flights/arm/tie",
         "/fits/direct/flights/arm/swing/part/rms", "/fits/direct/flights/measured/readings",
         "/fits/direct/measured/swing_chi2", "/fits/direct/flights/arm/swing/present"}};
    ArcFit fits[2];
    ArcResult made = made_identifiability(fits);
    const ArcResult *const results[2] = {&made, &arm_joint_result};
    for (int k = 0; k < 2; k++) {
        int n = 0;
        assert_int_equal(arc_report_write_hdf5(results[k], path, NULL), ARC_OK);
        hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
        assert_true(file >= 0);
        for (int i = 0; i < 6; i++)
            assert_true(H5Oexists_by_name(file, names[k][i], H5P_DEFAULT) > 0);
        assert_true(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, check_object, &n) >= 0);
        assert_true(n > 100);
        H5Fclose(file);
    }
}

static void assert_refused(const ArcResult *made, int n, const Change *changes)
{
    ArcError err;
    char start[96];
    snprintf(start, sizeof start, "%s:1:1: error: ", path);
    assert_int_equal(read_changed(made, path, &(Change){.kind = CHANGE_NOTHING}, &err), ARC_OK);
    for (int i = 0; i < n; i++) {
        if (read_changed(made, path, &changes[i], &err) != ARC_INPUT)
            fail_msg("'%s' [%d] = %d is read", changes[i].name, changes[i].index, changes[i].value);
        assert_memory_equal(err.text, start, strlen(start));
    }
}

static void test_report_read_hdf5_hostile_arm_gives_input(void **state)
{
    (void)state;
    static const Change changes[] = {
        {CHANGE_COUNT, "/fits/pinn/arm@joints", 0, 0},
        {CHANGE_COUNT, "/fits/pinn/arm@joints", 0, 3},
        {CHANGE_COUNT, "/fits/pinn/arm@joints", 0, -1},
        {CHANGE_COUNT, "/fits/pinn/arm@dimensions", 0, 3},
        {CHANGE_COUNT, "/fits/pinn/arm@first", 0, -1},
        {CHANGE_COUNT, "/fits/pinn/arm@parameters", 0, 21},
        {CHANGE_COUNT, "/fits/pinn/arm@theta", 0, 25},
        {CHANGE_COUNT, "/fits/pinn/arm@theta", 0, 5},
        {CHANGE_COUNT, "/fits/pinn/arm@omega", 0, 25},
        {CHANGE_COUNT, "/fits/pinn/arm@release", 0, 23},
        {CHANGE_COUNT, "/fits/pinn/arm@release", 0, -7},
        {CHANGE_WHOLE, "/fits/pinn/arm/solutions", 0, 1},
        {CHANGE_WHOLE, "/fits/pinn/arm/solutions", 0, -2},
        {CHANGE_REMOVE, "/fits/pinn/arm/solution/theta", 0, 0},
        {CHANGE_REMOVE, "/fits/pinn/arm/tie", 0, 0},
        {CHANGE_REMOVE, "/fits/pinn/arm", 0, 0},
        {CHANGE_WHOLE, "/fits/pinn/measured/readings", 0, 4},
        {CHANGE_WHOLE, "/fits/pinn/measured/readings", 0, 2},
        {CHANGE_WHOLE, "/fits/pinn/measured/readings", 0, -3},
        {CHANGE_WHOLE, "/fits/pinn/measured/swing", 0, -1},
        {CHANGE_REMOVE, "/fits/pinn/measured/reading", 0, 0},
        {CHANGE_REMOVE, "/fits/pinn/measured/reading/unit", 0, 0},
        {CHANGE_REMOVE, "/fits/pinn/measured", 0, 0},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/numbers", 0, 7},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/numbers", 0, 5},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/numbers", 0, -6},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/numbers", 0, 2147483647},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/parts", 0, 5},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/parts", 0, -4},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/times", 0, 6},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/times", 0, -5},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/joints", 0, 4},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/present", 0, 0},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/rows", 0, -1},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/rows", 0, 1},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/part/kind", 0, 3},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/part/kind", 1, -1},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/part/index", 1, 3},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/part/index", 2, 2},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/part/numbers", 0, -1},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/number/kind", 0, 7},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/number/index", 0, -2},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/number/index", 4, 2},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/number/axis", 1, 2},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/number/axis", 1, -1},
        {CHANGE_WHOLE, "/fits/pinn/arm/swing/number/row", 5, 2},
        {CHANGE_REMOVE, "/fits/pinn/arm/swing/number/time", 0, 0},
        {CHANGE_REMOVE, "/fits/pinn/arm/swing/friction", 0, 0},
    };
    assert_refused(&arm_result, sizeof changes / sizeof changes[0], changes);
}

static void test_report_read_hdf5_hostile_flights_of_an_arm_give_input(void **state)
{
    (void)state;
    static const Change changes[] = {
        {CHANGE_COUNT, "/fits/direct/flights/arm@joints", 0, 4},
        {CHANGE_WHOLE, "/fits/direct/flights/arm/solutions", 1, 5},
        {CHANGE_WHOLE, "/fits/direct/flights/measured/readings", 1, 3},
        {CHANGE_WHOLE, "/fits/direct/flights/measured/readings", 2, -2},
        {CHANGE_WHOLE, "/fits/direct/flights/arm/swing/present", 1, 1},
        {CHANGE_WHOLE, "/fits/direct/flights/arm/swing/present", 2, 0},
        {CHANGE_WHOLE, "/fits/direct/flights/arm/swing/times", 1, 5},
        {CHANGE_WHOLE, "/fits/direct/flights/arm/swing/numbers", 2, 7},
        {CHANGE_WHOLE, "/fits/direct/flights/parameters/status", 0, 5},
        {CHANGE_REMOVE, "/fits/direct/flights/measured", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/flights/arm", 0, 0},
    };
    assert_refused(&arm_joint_result, sizeof changes / sizeof changes[0], changes);
}

static void test_report_read_hdf5_hostile_identifiability_gives_input(void **state)
{
    (void)state;
    static const Change changes[] = {
        {CHANGE_COUNT, "/fits/direct/identifiability@free", 0, 12},
        {CHANGE_COUNT, "/fits/direct/identifiability@rank", 0, 12},
        {CHANGE_COUNT, "/fits/direct/identifiability@release_numbers", 0, -1},
        {CHANGE_WHOLE, "/fits/direct/identifiability/determined/parts", 0, 3},
        {CHANGE_WHOLE, "/fits/direct/identifiability/determined/parts", 0, 0},
        {CHANGE_WHOLE, "/fits/direct/identifiability/determined/parts", 1, -1},
        {CHANGE_WHOLE, "/fits/direct/identifiability/determined/part/parameter", 2, 26},
        {CHANGE_WHOLE, "/fits/direct/identifiability/undetermined/part/parameter", 1, -1},
        {CHANGE_WHOLE, "/fits/direct/identifiability/measurement/readings", 0, 2},
        {CHANGE_WHOLE, "/fits/direct/identifiability/measurement/readings", 1, 5},
        {CHANGE_WHOLE, "/fits/direct/identifiability/measurement/readings", 1, 1},
        {CHANGE_WHOLE, "/fits/direct/identifiability/measurement/readings", 0, 0},
        {CHANGE_WHOLE, "/fits/direct/identifiability/measurement/reading/parameter", 0, 77},
        {CHANGE_REMOVE, "/fits/direct/identifiability/measurement/sd_after", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/identifiability/undetermined/part", 0, 0},
    };
    ArcFit fits[2];
    const ArcResult made = made_identifiability(fits);
    assert_refused(&made, sizeof changes / sizeof changes[0], changes);
}

static bool allow_some(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

typedef enum Stage { STAGE_READ, STAGE_WRITE, STAGE_TEXT, STAGE_JSON, N_STAGES } Stage;

/* One of what is done with a result, with memory refused after so many allocations. */
static ArcStatus run_stage(Stage stage, const ArcResult *given, int left)
{
    ArcResult *read = NULL;
    char *text = NULL;
    ArcStatus status = ARC_OK;
    arc_memory_set_hook(allow_some, &left);
    if (stage == STAGE_READ)
        status = arc_report_read_hdf5(path, &read, NULL);
    else if (stage == STAGE_WRITE)
        status = arc_report_write_hdf5(given, other, NULL);
    else if (stage == STAGE_TEXT)
        status = arc_report_text(given, true, &text, NULL);
    else
        status = arc_report_json(1, &given, false, &text, NULL);
    arc_memory_set_hook(NULL, NULL);
    if (status == ARC_OK)
        arc_text_free(text);
    arc_result_free(read);
    return status;
}

/* The sanitizers make a run several times as long: there a part of the allocations is refused. */
#ifdef __SANITIZE_ADDRESS__
enum { EVERY_ONE_UP_TO = 20, THEN_EACH = 11 };
#else
enum { EVERY_ONE_UP_TO = 1000, THEN_EACH = 1 };
#endif

static void test_report_hdf5_exhaustion_with_an_arm_gives_memory(void **state)
{
    (void)state;
    ArcFit fits[2];
    const ArcResult made = made_identifiability(fits);
    const ArcResult *const results[2] = {&made, &arm_joint_result};
    for (int k = 0; k < 2 * N_STAGES; k++) {
        Stage stage = (Stage)(k % N_STAGES);
        const ArcResult *given = results[k / N_STAGES];
        ArcStatus status = ARC_MEMORY;
        int refused = 0;
        assert_int_equal(arc_report_write_hdf5(given, path, NULL), ARC_OK);
        for (int n = 0; n < 10000 && status != ARC_OK; n += n < EVERY_ONE_UP_TO ? 1 : THEN_EACH) {
            status = run_stage(stage, given, n);
            if (status != ARC_OK)
                assert_int_equal(status, ARC_MEMORY);
            refused += status != ARC_OK;
        }
        assert_int_equal(status, ARC_OK);
        assert_true(refused > 0);
    }
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/a.h5", folder);
    snprintf(other, sizeof other, "%s/b.h5", folder);
    make_arm_result();
    for (int i = 0; i < ARM_FREE; i++) {
        sd_after[0][i] = 0.001 * (i + 1);
        sd_after[1][i] = i == 3 ? (double)NAN : 0.002 * (i + 1);
    }
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    unlink(other);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_read_hdf5_arm_gives_every_field),
        cmocka_unit_test(test_report_read_hdf5_flights_of_an_arm_give_every_field),
        cmocka_unit_test(test_report_read_hdf5_bare_arm_reads_back),
        cmocka_unit_test(test_report_read_hdf5_reading_without_an_arm_reads_back),
        cmocka_unit_test(test_report_read_hdf5_identifiability_gives_every_field),
        cmocka_unit_test(test_report_write_hdf5_arm_layout_is_as_documented),
        cmocka_unit_test(test_report_read_hdf5_hostile_arm_gives_input),
        cmocka_unit_test(test_report_read_hdf5_hostile_flights_of_an_arm_give_input),
        cmocka_unit_test(test_report_read_hdf5_hostile_identifiability_gives_input),
        cmocka_unit_test(test_report_hdf5_exhaustion_with_an_arm_gives_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
