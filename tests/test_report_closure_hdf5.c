/* Closures in HDF5: written and read back field by field, layout, hostile files, no memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "hdf5_change.h"
#include "report_closure_case.h"
#include "slow.h"

static char folder[] = "/tmp/arcfit-test-closure-XXXXXX";
static char path[64], other[64];

static void assert_same_texts(int n, const char *const *a, const char *const *b)
{
    for (int i = 0; i < n; i++)
        assert_string_equal(a[i], b[i]);
}

static void assert_same_closure(const ArcClosureFit *a, const ArcClosureFit *b)
{
    const ArcClosureSettings *one = &a->settings, *of = &b->settings;
    const ArcClosureTable *table = &a->table, *expected = &b->table;
    int K = b->n_weights, n = expected->n_rows, I = expected->n_inputs, O = expected->n_outputs;
    assert_non_null(a);
    assert_true(one->is_on);
    assert_int_equal(one->n_inputs, of->n_inputs);
    for (int i = 0; i < of->n_inputs; i++) {
        assert_int_equal(one->inputs[i].kind, of->inputs[i].kind);
        assert_int_equal(one->inputs[i].axis, of->inputs[i].axis);
    }
    assert_int_equal(one->output, of->output);
    assert_int_equal(one->axes, of->axes);
    assert_int_equal(one->replaces, of->replaces);
    assert_int_equal(one->net_auto, of->net_auto);
    assert_int_equal(one->choice, of->choice);
    assert_int_equal(one->trains_all, of->trains_all);
    assert_int_equal(a->is_lost, b->is_lost);
    assert_same(1, &one->ridge, &of->ridge);
    assert_same(1, &one->width, &of->width);
    assert_int_equal(a->n_units, b->n_units);
    assert_int_equal(a->n_weights, K);
    assert_int_equal(a->n_outputs, b->n_outputs);
    assert_int_equal(a->n_folds, b->n_folds);
    assert_same(O, a->ridge, b->ridge);
    assert_same(I, a->centre, b->centre);
    assert_same(I, a->scale, b->scale);
    assert_int_equal(a->n_hidden, b->n_hidden);
    assert_same(b->n_hidden, a->hidden, b->hidden);
    assert_int_equal(one->net.activation, of->net.activation);
    assert_same(K, a->weights, b->weights);
    assert_same(K * K, a->covariance, b->covariance);
    const double *const pairs[][2] = {{&a->width, &b->width},
                                      {&a->effective, &b->effective},
                                      {&a->log_bayes, &b->log_bayes},
                                      {&a->chi2_without, &b->chi2_without},
                                      {&a->chi2_with, &b->chi2_with},
                                      {&a->misfit_explained, &b->misfit_explained},
                                      {&a->rms, &b->rms},
                                      {&a->rms_share, &b->rms_share},
                                      {&a->held_out_with, &b->held_out_with},
                                      {&a->held_out_without, &b->held_out_without}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_same(1, pairs[i][0], pairs[i][1]);
    assert_int_equal(table->n_rows, n);
    assert_int_equal(table->n_inputs, I);
    assert_int_equal(table->n_outputs, O);
    assert_int_equal(table->grid[0], expected->grid[0]);
    assert_int_equal(table->grid[1], expected->grid[1]);
    assert_same_texts(I, table->input_names, expected->input_names);
    assert_same_texts(I, table->input_units, expected->input_units);
    assert_same_texts(O, table->output_names, expected->output_names);
    assert_same_texts(O, table->output_units, expected->output_units);
    assert_int_equal(table->node == NULL, expected->node == NULL);
    for (int k = 0; k < n && expected->node != NULL; k++)
        assert_int_equal(table->node[k], expected->node[k]);
    assert_same(n * I, table->input, expected->input);
    assert_same(n * O, table->value, expected->value);
    assert_same(n * O, table->sd, expected->sd);
}

static void test_report_read_hdf5_closures_give_every_field(void **state)
{
    (void)state;
    ArcError err;
    ArcResult *read = NULL, *again = NULL;
    make_closures();
    field.is_lost = true;
    assert_int_equal(arc_report_write_hdf5(&result, path, NULL), ARC_OK);
    if (arc_report_read_hdf5(path, &read, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_same_closure(read->fits[0]->closure, &curve);
    assert_same_closure(read->fits[1]->closure, &field);
    /* what was read can be written again, and says the same */
    assert_int_equal(arc_report_write_hdf5(read, other, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(other, &again, NULL), ARC_OK);
    assert_same_closure(again->fits[1]->closure, &field);
    char *one, *two;
    assert_int_equal(arc_closure_text(&field, &one, NULL), ARC_OK);
    assert_int_equal(arc_closure_text(again->fits[1]->closure, &two, NULL), ARC_OK);
    assert_string_equal(one, two);
    arc_text_free(one);
    arc_text_free(two);
    arc_result_free(again);
    arc_result_free(read);
}

static void test_report_read_hdf5_without_a_closure_has_none(void **state)
{
    (void)state;
    ArcResult *read = NULL;
    make_closures();
    direct.closure = NULL;
    assert_int_equal(arc_report_write_hdf5(&result, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    assert_non_null(read->fits[0]->closure);
    assert_null(read->fits[1]->closure);
    arc_result_free(read);
}

static void test_report_read_hdf5_hostile_closures_give_input(void **state)
{
    (void)state;
    static const Change changes[] = {
        {CHANGE_COUNT, "/fits/direct/closure@gives", 0, 3},
        {CHANGE_COUNT, "/fits/direct/closure@replaces", 0, 2},
        {CHANGE_COUNT, "/fits/direct/closure@choice", 0, 2},
        {CHANGE_COUNT, "/fits/direct/closure@features", 0, -1},
        {CHANGE_COUNT, "/fits/direct/closure@folds", 0, -1},
        {CHANGE_COUNT, "/fits/direct/closure@lost", 0, 2},
        {CHANGE_COUNT, "/fits/direct/closure/table@grid_0", 0, -1},
        {CHANGE_COUNT, "/fits/direct/closure/table@grid_1", 0, 1},
        {CHANGE_WHOLE, "/fits/direct/closure/input_kind", 0, 6},
        {CHANGE_WHOLE, "/fits/direct/closure/input_kind", 1, -1},
        {CHANGE_WHOLE, "/fits/direct/closure/input_axis", 1, 16},
        {CHANGE_WHOLE, "/fits/direct/closure/table/row", 4, 6},
        {CHANGE_WHOLE, "/fits/direct/closure/table/row", 0, -1},
        {CHANGE_REMOVE, "/fits/direct/closure/input", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/closure/input_unit", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/closure/output", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/closure/hidden", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/closure/centre", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/closure/ridge", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/closure/weights", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/closure/covariance", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/closure/table/values", 0, 0},
        {CHANGE_REMOVE, "/fits/direct/closure/table", 0, 0},
    };
    const Change nothing = {CHANGE_NOTHING, NULL, 0, 0};
    ArcError err;
    make_closures();
    assert_int_equal(read_changed(&result, path, &nothing, &err), ARC_OK);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        if (read_changed(&result, path, &changes[i], &err) != ARC_INPUT)
            fail_msg("%s[%d] = %d is taken", changes[i].name, changes[i].index, changes[i].value);
}

static bool allow_some(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

static void test_report_hdf5_exhaustion_with_closures_gives_memory(void **state)
{
    (void)state;
    ArcStatus status = ARC_MEMORY;
    int refused = 0;
    make_closures();
    assert_int_equal(arc_report_write_hdf5(&result, path, NULL), ARC_OK);
    for (int n = 0; n < 1000 && status != ARC_OK; n += FEWER(1, 4)) {
        int left = n;
        ArcResult *read = NULL;
        char *text = NULL;
        const ArcResult *one = &result;
        arc_memory_set_hook(allow_some, &left);
        status = arc_report_read_hdf5(path, &read, NULL);
        if (status == ARC_OK)
            status = arc_report_write_hdf5(&result, other, NULL);
        if (status == ARC_OK)
            status = arc_report_json(1, &one, false, &text, NULL);
        arc_memory_set_hook(NULL, NULL);
        assert_true(status == ARC_OK || status == ARC_MEMORY);
        refused += status != ARC_OK;
        if (status == ARC_OK)
            arc_text_free(text);
        arc_result_free(read);
    }
    assert_int_equal(status, ARC_OK);
    assert_true(refused > 2);
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/a.h5", folder);
    snprintf(other, sizeof other, "%s/b.h5", folder);
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
        cmocka_unit_test(test_report_read_hdf5_closures_give_every_field),
        cmocka_unit_test(test_report_read_hdf5_without_a_closure_has_none),
        cmocka_unit_test(test_report_read_hdf5_hostile_closures_give_input),
        cmocka_unit_test(test_report_hdf5_exhaustion_with_closures_gives_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
