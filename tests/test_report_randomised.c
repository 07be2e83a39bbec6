/* What is randomised in a result's text, JSON and HDF5, and back; the comparison goes by the noise
 * alone. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "arcfit/randomised.h"
#include "base/arena.h"
#include "report_case.h"

static char folder[] = "/tmp/arcfit-test-randomised-XXXXXX";
static char path[64];

static const ArcRandomisedQuantity quantities[2] = {{"mass", "kg", 0.0027, 0.0001},
                                                    {"humidity", "1", 0.5, 0.2}};
static const ArcRandomisedNumber numbers[2] = {
    {"vx0", "m/s", 5.123456, 5.12, 0.012, 0.016, 0.02, {5.08, 5.16}},
    {"release_angle", "rad", 0.94, 0.941, 0.0011, 0.0001, 0.00111, {0.9388, 0.9432}}};
static const ArcRandomised randomised = {32, 1, 2, quantities, 2, numbers, NULL};
static const ArcRandomised note_only = {8, 8, 2, quantities, 0, NULL, "it was interrupted"};

static void assert_same_randomised(const ArcRandomised *a, const ArcRandomised *b)
{
    assert_non_null(a);
    assert_int_equal(a->draws, b->draws);
    assert_int_equal(a->n_failed, b->n_failed);
    assert_int_equal(a->n_quantities, b->n_quantities);
    assert_int_equal(a->n_numbers, b->n_numbers);
    assert_true((a->note == NULL) == (b->note == NULL));
    if (b->note != NULL)
        assert_string_equal(a->note, b->note);
    for (int k = 0; k < b->n_quantities; k++) {
        assert_string_equal(a->quantities[k].name, b->quantities[k].name);
        assert_string_equal(a->quantities[k].unit, b->quantities[k].unit);
        assert_true(a->quantities[k].mean == b->quantities[k].mean);
        assert_true(a->quantities[k].sd == b->quantities[k].sd);
    }
    for (int i = 0; i < b->n_numbers; i++) {
        assert_string_equal(a->numbers[i].name, b->numbers[i].name);
        assert_string_equal(a->numbers[i].unit, b->numbers[i].unit);
        assert_memory_equal(&a->numbers[i].value, &b->numbers[i].value, 7 * sizeof(double));
    }
}

static void test_report_read_hdf5_randomised_gives_every_field(void **state)
{
    (void)state;
    ArcResult *read;
    direct.randomised = &randomised;
    pinn.randomised = &note_only;
    assert_int_equal(arc_report_write_hdf5(&result, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    assert_same_randomised(read->fits[1]->randomised, &randomised);
    assert_same_randomised(read->fits[0]->randomised, &note_only);
    arc_result_free(read);
    direct.randomised = pinn.randomised = NULL;
    assert_int_equal(arc_report_write_hdf5(&result, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    assert_true(read->fits[0]->randomised == NULL && read->fits[1]->randomised == NULL);
    arc_result_free(read);
}

static json_t *at(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (value == NULL)
        fail_msg("no '%s'", key);
    return value;
}

static void test_report_json_randomised_has_its_fields(void **state)
{
    (void)state;
    char *text;
    const ArcResult *results[] = {&result};
    direct.randomised = &randomised;
    assert_int_equal(arc_report_json(1, results, false, &text, NULL), ARC_OK);
    json_t *root = json_loads(text, 0, NULL), *fits = at(root, "fits");
    assert_null(json_object_get(json_array_get(fits, 0), "randomised"));
    json_t *made = at(json_array_get(fits, 1), "randomised");
    assert_int_equal(json_integer_value(at(made, "draws")), 32);
    assert_int_equal(json_integer_value(at(made, "failed")), 1);
    assert_true(json_real_value(at(at(at(made, "quantities"), "mass"), "sd")) == 0.0001);
    json_t *vx0 = at(at(made, "numbers"), "vx0");
    assert_true(json_real_value(at(vx0, "noise_sd")) == 0.012);
    assert_true(json_real_value(at(vx0, "randomised_sd")) == 0.016);
    assert_true(json_real_value(json_array_get(at(vx0, "ci95"), 1)) == 5.16);
    json_decref(root);
    arc_text_free(text);
    direct.randomised = NULL;
}

static void test_report_text_randomised_tells_both_parts(void **state)
{
    (void)state;
    static const char *const words[] = {
        "randomised      32 fits with other values of mass (0.00270",
        "humidity (0.50",
        "(direct)\n",
        "by the values",
        "0.016 ",
        "5.120",
    };
    char *text;
    direct.randomised = &randomised;
    assert_int_equal(arc_report_text(&result, false, &text, NULL), ARC_OK);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i]) == NULL)
            fail_msg("no '%s' in:\n%s", words[i], text);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        int columns = 0;
        for (const char *c = line; *c != '\n'; c++)
            columns += ((unsigned char)*c & 0xc0) != 0x80;
        if (columns > 80)
            fail_msg("%d columns: %.*s", columns, (int)strcspn(line, "\n"), line);
    }
    arc_text_free(text);
    direct.randomised = NULL;
}

/* Wider sds hide no difference between the methods. */
static void test_result_compare_goes_by_the_noise(void **state)
{
    (void)state;
    ArcResult *read;
    assert_int_equal(arc_report_write_hdf5(&result, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    ArcFit *fit = (ArcFit *)(uintptr_t)arc_result_fit(read, ARC_DIRECT);
    int i = 0;
    while (i < fit->n_parameters && strcmp(fit->parameters[i].name, "vx0") != 0)
        i++;
    assert_true(i < fit->n_parameters);
    ((ArcEstimate *)(uintptr_t)&fit->parameters[i])->sd = 0.02;
    assert_int_equal(arc_result_compare(read, NULL), ARC_OK);
    double difference = read->comparison.difference[i];
    assert_true(read->comparison.in_sd[i] == difference / 0.02);
    fit->randomised = &randomised;
    assert_int_equal(arc_result_compare(read, NULL), ARC_OK);
    assert_true(read->comparison.in_sd[i] == difference / 0.012);
    arc_result_free(read);
}

static bool allow_some(void *context, size_t size)
{
    int *left = context;
    (void)size;
    return (*left)-- > 0;
}

static void test_report_hdf5_randomised_exhaustion_gives_memory(void **state)
{
    (void)state;
    direct.randomised = &randomised;
    assert_int_equal(arc_report_write_hdf5(&result, path, NULL), ARC_OK);
    ArcStatus status = ARC_MEMORY;
    int refused = 0;
    for (int n = 0; n < 1000 && status != ARC_OK; n++) {
        int left = n;
        ArcResult *read = NULL;
        arc_memory_set_hook(allow_some, &left);
        status = arc_report_read_hdf5(path, &read, NULL);
        if (status == ARC_OK)
            status = arc_report_write_hdf5(read, path, NULL);
        arc_memory_set_hook(NULL, NULL);
        if (status != ARC_OK)
            assert_int_equal(status, ARC_MEMORY);
        refused += status != ARC_OK;
        arc_result_free(read);
    }
    assert_int_equal(status, ARC_OK);
    assert_true(refused > 2);
    direct.randomised = NULL;
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/a.h5", folder);
    make_result();
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_read_hdf5_randomised_gives_every_field),
        cmocka_unit_test(test_report_json_randomised_has_its_fields),
        cmocka_unit_test(test_report_text_randomised_tells_both_parts),
        cmocka_unit_test(test_result_compare_goes_by_the_noise),
        cmocka_unit_test(test_report_hdf5_randomised_exhaustion_gives_memory),
    };
    return cmocka_run_group_tests_name("report_randomised", tests, make_folder, remove_folder);
}
