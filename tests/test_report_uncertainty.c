/* Profiles, bootstrap and chains in a result's text, JSON and HDF5, and back. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "report_case.h"

static char folder[] = "/tmp/arcfit-test-uncertainty-XXXXXX";
static char path[64];

static const double values[2][4] = {{0.05, 0.1, 0.15, 0.2}, {5.10, 5.11, 5.12, 5.13}};
static const double rises[2][4] = {{1e-7, 0, 2e-7, -1e-7}, {5.5, 3.841458820694124, 0, -0.5}};
static const ArcProfile profiles[2] = {{.parameter = 0,
                                        .kind = ARC_PROFILE_FLAT,
                                        .end = {ARC_PROFILE_END_BOUND, ARC_PROFILE_END_OPEN},
                                        .interval = {0.05, INFINITY},
                                        .n = 4,
                                        .value = values[0],
                                        .rise = rises[0],
                                        .lowest = -1e-7,
                                        .lowest_value = 0.2,
                                        .n_fits = 12},
                                       {.parameter = 2,
                                        .kind = ARC_PROFILE_OPEN_ABOVE,
                                        .end = {ARC_PROFILE_END_FOUND, ARC_PROFILE_END_LOST},
                                        .interval = {5.11, INFINITY},
                                        .n = 4,
                                        .value = values[1],
                                        .rise = rises[1],
                                        .lowest = -0.5,
                                        .lowest_value = 5.13,
                                        .n_fits = 34}};
static const ArcBootstrapNumber bootstrap_numbers[2] = {
    {"vx0", "m/s", 5.123456, 0.0131, -1e-3, {5.09, 5.151}, {5.08, 5.16}, 2},
    {"release_angle", "rad", 0.94, 0.0011, NAN, {NAN, NAN}, {NAN, NAN}, 1}};
static const double replicates[6] = {5.1, 0.94, NAN, NAN, 5.2, NAN};
static const ArcBootstrap bootstrap = {ARC_BOOTSTRAP_CASE, 3, 1, 2, bootstrap_numbers, replicates};
static const ArcSampledNumber sampled[2] = {
    {"vx0", "m/s", 5.123456, 5.12, 0.0125, {5.09, 5.14}, 1.003, 812.5, 777},
    {"angle", "rad", 0.9, 0.91, 1e-3, {0.901, 0.92}, 1.27, 31, 17}};
static const double draws[8] = {5.1, 0.9, 5.11, 0.91, 5.12, 0.92, 5.13, 0.93};
static const ArcSamples samples = {2, 1, 400, 7, 4, 0.44, 2, sampled, draws, false};
static const ArcUncertainty uncertainty = {2, profiles, &bootstrap, &samples, "it was interrupted"};
static const ArcUncertainty note_only = {.note = "the fit did not converge"};

static void assert_same_profiles(const ArcUncertainty *a, const ArcUncertainty *b)
{
    assert_int_equal(a->n_profiles, b->n_profiles);
    for (int i = 0; i < b->n_profiles; i++) {
        const ArcProfile *p = &a->profiles[i], *q = &b->profiles[i];
        assert_int_equal(p->parameter, q->parameter);
        assert_int_equal(p->kind, q->kind);
        assert_int_equal(p->end[0], q->end[0]);
        assert_int_equal(p->end[1], q->end[1]);
        assert_same(2, p->interval, q->interval);
        assert_int_equal(p->n, q->n);
        assert_same(q->n, p->value, q->value);
        assert_same(q->n, p->rise, q->rise);
        assert_same(1, &p->lowest, &q->lowest);
        assert_same(1, &p->lowest_value, &q->lowest_value);
        assert_int_equal(p->n_fits, q->n_fits);
    }
}

static void assert_same_bootstrap(const ArcBootstrap *a, const ArcBootstrap *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_failed, b->n_failed);
    assert_int_equal(a->n_numbers, b->n_numbers);
    assert_same(b->n * b->n_numbers, a->replicates, b->replicates);
    for (int j = 0; j < b->n_numbers; j++) {
        const ArcBootstrapNumber *p = &a->numbers[j], *q = &b->numbers[j];
        assert_string_equal(p->name, q->name);
        assert_string_equal(p->unit, q->unit);
        assert_same(1, &p->value, &q->value);
        assert_same(1, &p->sd, &q->sd);
        assert_same(1, &p->bias, &q->bias);
        assert_same(2, p->percentile95, q->percentile95);
        assert_same(2, p->t95, q->t95);
        assert_int_equal(p->n, q->n);
    }
}

static void assert_same_samples(const ArcSamples *a, const ArcSamples *b)
{
    assert_int_equal(a->n_ensembles, b->n_ensembles);
    assert_int_equal(a->n_walkers, b->n_walkers);
    assert_int_equal(a->n_burn_in, b->n_burn_in);
    assert_int_equal(a->thin, b->thin);
    assert_int_equal(a->n_kept, b->n_kept);
    assert_same(1, &a->acceptance, &b->acceptance);
    assert_int_equal(a->believable, b->believable);
    assert_int_equal(a->n_numbers, b->n_numbers);
    assert_same(b->n_kept * b->n_numbers, a->draws, b->draws);
    for (int k = 0; k < b->n_numbers; k++) {
        const ArcSampledNumber *p = &a->numbers[k], *q = &b->numbers[k];
        assert_string_equal(p->name, q->name);
        assert_string_equal(p->unit, q->unit);
        assert_same(1, &p->value, &q->value);
        assert_same(1, &p->mean, &q->mean);
        assert_same(1, &p->sd, &q->sd);
        assert_same(2, p->ci95, q->ci95);
        assert_same(1, &p->r_hat, &q->r_hat);
        assert_same(1, &p->ess_bulk, &q->ess_bulk);
        assert_same(1, &p->ess_tail, &q->ess_tail);
    }
}

static void test_report_read_hdf5_uncertainty_gives_every_field(void **state)
{
    (void)state;
    ArcResult *read;
    direct.uncertainty = &uncertainty;
    pinn.uncertainty = &note_only;
    assert_int_equal(arc_report_write_hdf5(&result, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    const ArcUncertainty *u = read->fits[1]->uncertainty;
    assert_non_null(u);
    assert_same_profiles(u, &uncertainty);
    assert_same_bootstrap(u->bootstrap, &bootstrap);
    assert_same_samples(u->samples, &samples);
    assert_string_equal(u->note, uncertainty.note);
    u = read->fits[0]->uncertainty;
    assert_non_null(u);
    assert_int_equal(u->n_profiles, 0);
    assert_true(u->bootstrap == NULL && u->samples == NULL);
    assert_string_equal(u->note, note_only.note);
    arc_result_free(read);
    direct.uncertainty = pinn.uncertainty = NULL;
    assert_int_equal(arc_report_write_hdf5(&result, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    assert_true(read->fits[0]->uncertainty == NULL && read->fits[1]->uncertainty == NULL);
    arc_result_free(read);
}

static json_t *at(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (value == NULL)
        fail_msg("no '%s'", key);
    return value;
}

static void test_report_json_uncertainty_has_its_fields(void **state)
{
    (void)state;
    char *text;
    const ArcResult *results[] = {&result};
    direct.uncertainty = &uncertainty;
    assert_int_equal(arc_report_json(1, results, false, &text, NULL), ARC_OK);
    json_t *root = json_loads(text, 0, NULL), *fits = at(root, "fits");
    json_t *with = json_array_get(fits, 1), *without = json_array_get(fits, 0);
    assert_null(json_object_get(without, "profiles"));
    assert_null(json_object_get(without, "bootstrap"));
    assert_null(json_object_get(without, "samples"));
    json_t *vx0 = at(at(with, "profiles"), "vx0");
    assert_string_equal(json_string_value(at(vx0, "kind")), "open-above");
    assert_string_equal(json_string_value(json_array_get(at(vx0, "ends"), 1)), "lost");
    assert_true(json_real_value(json_array_get(at(vx0, "interval95"), 0)) == 5.11);
    assert_true(json_is_null(json_array_get(at(vx0, "interval95"), 1)));
    assert_int_equal(json_array_size(at(at(vx0, "curve"), "rise")), 4);
    json_t *b = at(with, "bootstrap"), *angle = at(at(b, "numbers"), "release_angle");
    assert_string_equal(json_string_value(at(b, "kind")), "case");
    assert_int_equal(json_integer_value(at(b, "replicates")), 3);
    assert_int_equal(json_integer_value(at(b, "failed")), 1);
    assert_true(json_is_null(json_array_get(at(angle, "t95"), 0)));
    assert_true(json_real_value(at(angle, "sd")) == 0.0011);
    json_t *s = at(with, "samples");
    assert_int_equal(json_integer_value(at(s, "draws")), 4);
    assert_true(json_is_false(at(s, "believable")));
    assert_true(json_real_value(at(at(at(s, "numbers"), "angle"), "r_hat")) == 1.27);
    assert_string_equal(json_string_value(at(with, "uncertainty_note")), uncertainty.note);
    json_decref(root);
    arc_text_free(text);
    direct.uncertainty = NULL;
}

static void test_report_text_uncertainty_says_what_it_means(void **state)
{
    (void)state;
    static const char *const words[] = {
        "profiles        of the likelihood, all else fitted again (direct)",
        "0.0500 to open",
        "structurally not identifiable: any value of k fits as well",
        "no fit succeeds beyond the end of the curve",
        "at 5.13 the sum of squares is lower than the fit's",
        "3 captures of redrawn points, 1 of their fits failed (direct)",
        "vx0               5.080 to 5.160",
        "4 draws of 2 x 1 walkers, one each 7 sweeps after 400",
        "?: too few of the fits tell this interval",
        "1.27  17",
        "the chains have not come together",
        "it was interrupted",
    };
    char *text;
    direct.uncertainty = &uncertainty;
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
    direct.uncertainty = NULL;
}

static bool allow_some(void *context, size_t size)
{
    int *left = context;
    (void)size;
    return (*left)-- > 0;
}

static void test_report_hdf5_uncertainty_exhaustion_gives_memory(void **state)
{
    (void)state;
    direct.uncertainty = &uncertainty;
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
        if (status != ARC_OK) {
            assert_int_equal(status, ARC_MEMORY);
            refused++;
        }
        arc_result_free(read);
    }
    assert_int_equal(status, ARC_OK);
    assert_true(refused > 2);
    direct.uncertainty = NULL;
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
        cmocka_unit_test(test_report_read_hdf5_uncertainty_gives_every_field),
        cmocka_unit_test(test_report_json_uncertainty_has_its_fields),
        cmocka_unit_test(test_report_text_uncertainty_says_what_it_means),
        cmocka_unit_test(test_report_hdf5_uncertainty_exhaustion_gives_memory),
    };
    return cmocka_run_group_tests_name("report_uncertainty", tests, make_folder, remove_folder);
}
