/* Results of own equations as HDF5: written and read back field by field, layout, hostile files. */
#include <hdf5.h>
#include <hdf5_hl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "hdf5_change.h"
#include "report_states_case.h"

static char folder[] = "/tmp/arcfit-test-states-XXXXXX";
static char path[64], other[64];

static void assert_same_states(const ArcStatesFit *a, const ArcStatesFit *b)
{
    assert_non_null(a);
    assert_string_equal(a->model, b->model);
    assert_int_equal(a->order, b->order);
    assert_int_equal(a->n_states, b->n_states);
    assert_int_equal(a->n_channels, b->n_channels);
    for (int c = 0; c < b->n_channels; c++) {
        const ArcChannelFit *one = &a->channels[c], *of = &b->channels[c];
        assert_string_equal(one->name, of->name);
        assert_string_equal(one->unit, of->unit);
        assert_int_equal(one->n, of->n);
        assert_int_equal(one->n_held_out, of->n_held_out);
        assert_same(1, &one->rms, &of->rms);
        assert_same(1, &one->chi2, &of->chi2);
        assert_same(1, &one->held_out_rms, &of->held_out_rms);
    }
}

static void assert_same_run(const ArcFit *a, const ArcFit *b, int n_points)
{
    int n = b->n_trajectory * b->states->n_states;
    assert_same_states(a->states, b->states);
    assert_int_equal(a->n_trajectory, b->n_trajectory);
    assert_int_equal(a->dimensions, b->states->n_states);
    assert_same(b->n_trajectory, a->time_s, b->time_s);
    assert_same(n, a->position_m, b->position_m);
    assert_same(n, a->velocity_m_s, b->velocity_m_s);
    assert_int_equal(a->acceleration_m_s2 == NULL, b->acceleration_m_s2 == NULL);
    if (b->acceleration_m_s2 != NULL)
        assert_same(n, a->acceleration_m_s2, b->acceleration_m_s2);
    assert_same(n_points * b->states->n_channels, a->predicted_m, b->predicted_m);
    assert_same(1, &a->residuals.physics_rms_m_s2, &b->residuals.physics_rms_m_s2);
    assert_same(1, &a->residuals.sigma_phys_m_s2, &b->residuals.sigma_phys_m_s2);
    assert_same(2, a->residuals.sigma_phys_ci95_m_s2, b->residuals.sigma_phys_ci95_m_s2);
    assert_int_equal(a->n_parameters, b->n_parameters);
    for (int p = 0; p < b->n_parameters; p++) {
        assert_string_equal(a->parameters[p].name, b->parameters[p].name);
        assert_string_equal(a->parameters[p].unit, b->parameters[p].unit);
        assert_same(1, &a->parameters[p].value, &b->parameters[p].value);
    }
}

static void assert_same_capture(const ArcCapture *a, const ArcCapture *b, int channels)
{
    assert_int_equal(a->n_points, b->n_points);
    assert_int_equal(a->dimensions, channels);
    assert_int_equal(a->n_channels, channels);
    assert_same(b->n_points, a->time_s, b->time_s);
    assert_same(b->n_points * channels, a->position_m, b->position_m);
    assert_same(b->n_points * channels, a->sigma_m, b->sigma_m);
    assert_int_equal(a->n_fit, b->n_fit);
    assert_int_equal(a->n_held_out, b->n_held_out);
}

static ArcResult *read_back(const ArcResult *made)
{
    ArcError err;
    ArcResult *read = NULL;
    assert_int_equal(arc_report_write_hdf5(made, path, NULL), ARC_OK);
    if (arc_report_read_hdf5(path, &read, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_string_equal(read->model_path, made->model_path);
    assert_string_equal(read->model_text, made->model_text);
    return read;
}

static void test_report_read_hdf5_states_give_every_field(void **state)
{
    (void)state;
    ArcResult *read = read_back(&states_result);
    assert_int_equal(read->n_fits, 2);
    for (int i = 0; i < 2; i++)
        assert_same_run(read->fits[i], &states_fits[i], N_POINTS);
    assert_same_capture(read->capture, &states_capture, STATES_CHANNELS);
    assert_int_equal(read->fits[0]->spread.outliers[0].axis, 1);
    assert_int_equal(read->fits[0]->net.n_outputs, 2);
    assert_int_equal(read->comparison.verdict, ARC_VERDICT_AGREE);
    arc_result_free(read);
}

static void test_report_read_hdf5_first_order_gives_every_field(void **state)
{
    (void)state;
    ArcResult *read = read_back(&states_first_result);
    assert_same_run(read->fits[0], &states_first_fit, N_POINTS);
    assert_same_capture(read->capture, &states_two, 2);
    arc_result_free(read);
}

static void test_report_read_hdf5_runs_give_every_field(void **state)
{
    (void)state;
    ArcResult *read = read_back(&states_joint_result);
    assert_int_equal(read->n_flights, STATES_RUNS);
    assert_same_capture(read->capture, &states_whole, STATES_CHANNELS);
    for (int i = 0; i < 2; i++) {
        assert_same_states(read->fits[i]->states, &states_both);
        for (int f = 0; f < STATES_RUNS; f++) {
            ArcFit expected = states_flights[i][f];
            expected.predicted_m = states_predicted + f * N_POINTS * STATES_CHANNELS;
            assert_same_run(&read->fits[i]->flights[f], &expected, N_POINTS);
            assert_same_capture(read->flights[f], &states_parts[f], STATES_CHANNELS);
        }
    }
    arc_result_free(read);
}

/* What was read can be written again. */
static void test_report_write_hdf5_read_states_are_written_again(void **state)
{
    (void)state;
    ArcResult *read = read_back(&states_result), *again = NULL;
    assert_int_equal(arc_report_write_hdf5(read, other, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(other, &again, NULL), ARC_OK);
    for (int i = 0; i < 2; i++)
        assert_same_run(again->fits[i], &states_fits[i], N_POINTS);
    assert_string_equal(again->model_text, states_result.model_text);
    arc_result_free(again);
    arc_result_free(read);
}

static herr_t check_object(hid_t group, const char *name, const H5O_info_t *info, void *context)
{
    int *n = context;
    if (info->type != H5O_TYPE_DATASET)
        return 0;
    hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    assert_true(H5Aexists(dataset, "units") > 0);
    hid_t space = H5Dget_space(dataset);
    int rank = H5Sget_simple_extent_ndims(space);
    for (int i = 0; i < rank && H5DSis_scale(dataset) == 0; i++)
        assert_int_equal(H5DSget_num_scales(dataset, (unsigned)i), 1);
    H5Sclose(space);
    H5Dclose(dataset);
    (*n)++;
    return 0;
}

static void assert_units(hid_t file, const char *name, const char *units)
{
    char text[64] = "";
    assert_true(H5Oexists_by_name(file, name, H5P_DEFAULT) > 0);
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t attribute = H5Aopen(dataset, "units", H5P_DEFAULT), type = H5Aget_type(attribute);
    if (H5Tis_variable_str(type) > 0) {
        char *found = NULL;
        assert_true(H5Aread(attribute, type, &found) >= 0);
        snprintf(text, sizeof text, "%s", found);
        H5free_memory(found);
    } else {
        assert_true(H5Tget_size(type) < sizeof text);
        assert_true(H5Aread(attribute, type, text) >= 0);
    }
    assert_string_equal(text, units);
    H5Tclose(type);
    H5Aclose(attribute);
    H5Dclose(dataset);
}

static void test_report_write_hdf5_states_layout_is_as_documented(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"/model/channel", "text"},
        {"/model/unit", "text"},
        {"/model/text", "text"},
        {"/capture/time", "s"},
        {"/capture/channels/vtheta", "rad/s"},
        {"/capture/sigma/theta", "rad"},
        {"/fits/pinn/states/rms", "unit of the row"},
        {"/fits/pinn/predicted/theta", "rad"},
        {"/fits/direct/trajectory/time", "s"},
        {"/fits/direct/trajectory/states/x/value", "m"},
        {"/fits/direct/trajectory/states/theta/rate", "rad/s"},
        {"/fits/direct/trajectory/states/theta/second", "rad/s^2"}};
    int n = 0;
    assert_int_equal(arc_report_write_hdf5(&states_result, path, NULL), ARC_OK);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_units(file, names[i][0], names[i][1]);
    assert_int_equal(H5Lexists(file, "/axis", H5P_DEFAULT), 0);
    hid_t fit = H5Gopen2(file, "/fits/pinn", H5P_DEFAULT);
    assert_true(H5Aexists(fit, "physics_rms") > 0 && H5Aexists(fit, "physics_rms_m_s2") == 0);
    H5Gclose(fit);
    assert_int_equal(H5Lexists(file, "/capture/position", H5P_DEFAULT), 0);
    assert_true(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, check_object, &n) >= 0);
    assert_true(n > 50);
    H5Fclose(file);
}

static void assert_refused(const ArcResult *made, size_t n, const Change *changes)
{
    ArcError err;
    const Change nothing = {CHANGE_NOTHING, NULL, 0, 0};
    assert_int_equal(read_changed(made, path, &nothing, &err), ARC_OK);
    for (size_t i = 0; i < n; i++)
        if (read_changed(made, path, &changes[i], &err) != ARC_INPUT)
            fail_msg("%s[%d] = %d is taken", changes[i].name, changes[i].index, changes[i].value);
}

static void test_report_read_hdf5_hostile_states_give_input(void **state)
{
    (void)state;
    static const Change changes[] = {
        {CHANGE_COUNT, "/model@order", 0, 0},
        {CHANGE_COUNT, "/model@order", 0, 3},
        {CHANGE_COUNT, "/model@order", 0, 1},
        {CHANGE_REMOVE, "/model/unit", 0, 0},
        {CHANGE_REMOVE, "/model/text", 0, 0},
        {CHANGE_REMOVE, "/model", 0, 0},
        {CHANGE_REMOVE, "/capture/channels/theta", 0, 0},
        {CHANGE_REMOVE, "/capture/sigma", 0, 0},
        {CHANGE_WHOLE, "/fits/pinn/states/points", 1, -1},
        {CHANGE_WHOLE, "/fits/pinn/states/held_out_points", 3, -1},
        {CHANGE_REMOVE, "/fits/pinn/states/chi2", 0, 0},
        {CHANGE_REMOVE, "/fits/pinn/states", 0, 0},
        {CHANGE_WHOLE, "/fits/pinn/outliers/axis", 0, 4},
        {CHANGE_REMOVE, "/fits/pinn/predicted/theta", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/trajectory/time", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/trajectory/states/theta/second", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/trajectory/states", 0, 0},
    };
    assert_refused(&states_result, sizeof changes / sizeof changes[0], changes);
}

static void test_report_read_hdf5_hostile_runs_give_input(void **state)
{
    (void)state;
    static const Change changes[] = {
        {CHANGE_WHOLE, "/fits/direct/flights/states/points", 5, -1},
        {CHANGE_REMOVE, "/fits/direct/flights/states", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/flights/trajectory/states/x", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/flights/trajectory/time", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/states", 0, 0},
    };
    assert_refused(&states_joint_result, sizeof changes / sizeof changes[0], changes);
}

static bool allow_some(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

/* One of the things that take memory, with so many blocks left. */
static ArcStatus run_limited(int what, const ArcResult *made, int left)
{
    ArcResult *read = NULL;
    char *text = NULL;
    ArcStatus status;
    arc_memory_set_hook(allow_some, &left);
    if (what == 0)
        status = arc_report_read_hdf5(path, &read, NULL);
    else if (what == 1)
        status = arc_report_write_hdf5(made, other, NULL);
    else if (what == 2)
        status = arc_report_text(made, true, &text, NULL);
    else
        status = arc_report_json(1, &made, false, &text, NULL);
    arc_memory_set_hook(NULL, NULL);
    arc_text_free(text);
    arc_result_free(read);
    return status;
}

static void test_report_hdf5_exhaustion_with_states_gives_memory(void **state)
{
    (void)state;
    assert_int_equal(arc_report_write_hdf5(&states_joint_result, path, NULL), ARC_OK);
    for (int what = 0; what < 4; what++) {
        ArcStatus status = ARC_MEMORY;
        int n = 0;
        for (; n < 1000 && status != ARC_OK; n++) {
            status = run_limited(what, &states_joint_result, n);
            assert_true(status == ARC_OK || status == ARC_MEMORY);
        }
        assert_int_equal(status, ARC_OK);
        assert_true(n > 1);
    }
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/a.h5", folder);
    snprintf(other, sizeof other, "%s/b.h5", folder);
    make_states_result();
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
        cmocka_unit_test(test_report_read_hdf5_states_give_every_field),
        cmocka_unit_test(test_report_read_hdf5_first_order_gives_every_field),
        cmocka_unit_test(test_report_read_hdf5_runs_give_every_field),
        cmocka_unit_test(test_report_write_hdf5_read_states_are_written_again),
        cmocka_unit_test(test_report_write_hdf5_states_layout_is_as_documented),
        cmocka_unit_test(test_report_read_hdf5_hostile_states_give_input),
        cmocka_unit_test(test_report_read_hdf5_hostile_runs_give_input),
        cmocka_unit_test(test_report_hdf5_exhaustion_with_states_gives_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
