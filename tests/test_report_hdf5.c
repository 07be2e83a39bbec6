/* Results as HDF5: written and read back field by field, layout, equal bytes, hostile files. */
#include "base/file.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "report_case.h"

static char folder[] = "/tmp/arcfit-test-report-XXXXXX";
static char path[64], other[64];

static void assert_same_estimates(int n, const ArcEstimate *a, const ArcEstimate *b)
{
    for (int i = 0; i < n; i++) {
        assert_string_equal(a[i].name, b[i].name);
        assert_string_equal(a[i].unit, b[i].unit);
        assert_same(1, &a[i].value, &b[i].value);
        assert_same(1, &a[i].sd, &b[i].sd);
        assert_same(2, a[i].ci95, b[i].ci95);
        assert_same(1, &a[i].start, &b[i].start);
        assert_int_equal(a[i].status, b[i].status);
        assert_int_equal(a[i].free_index, b[i].free_index);
        assert_int_equal(a[i].reason == NULL, b[i].reason == NULL);
        if (a[i].reason != NULL)
            assert_string_equal(a[i].reason, b[i].reason);
    }
}

static void assert_same_net(const ArcFittedNet *a, const ArcFittedNet *b)
{
    assert_int_equal(a->n_weights, b->n_weights);
    assert_int_equal(a->weights == NULL, b->weights == NULL);
    assert_same(b->n_weights, a->weights, b->weights);
    assert_int_equal(a->settings.n_hidden, b->settings.n_hidden);
    assert_int_equal(a->settings.widths[0], b->settings.widths[0]);
    assert_int_equal(a->settings.activation, b->settings.activation);
    assert_int_equal(a->settings.init, b->settings.init);
    assert_same(1, &a->settings.slope_low, &b->settings.slope_low);
    assert_same(1, &a->settings.slope_high, &b->settings.slope_high);
    assert_int_equal(a->settings.fourier_modes, b->settings.fourier_modes);
    assert_same(1, &a->settings.fourier_base, &b->settings.fourier_base);
    assert_int_equal(a->settings.skip, b->settings.skip);
    assert_int_equal(a->n_outputs, b->n_outputs);
    assert_int_equal(a->n_segments, b->n_segments);
    assert_same(a->n_segments, a->begin_s, b->begin_s);
    assert_same(a->n_segments, a->span_s, b->span_s);
    assert_same(1, &a->scale_m_s2, &b->scale_m_s2);
    assert_int_equal(a->collocation, b->collocation);
}

static void assert_same_spread(const ArcSpread *a, const ArcSpread *b)
{
    assert_int_equal(a->loss.kind, b->loss.kind);
    assert_int_equal(a->loss.dof_estimated, b->loss.dof_estimated);
    assert_same(1, &a->loss.tuning, &b->loss.tuning);
    assert_same(1, &a->loss.dof, &b->loss.dof);
    assert_same(2, a->loss_dof_ci95, b->loss_dof_ci95);
    assert_int_equal(a->sigma_estimated, b->sigma_estimated);
    assert_same(1, &a->sigma_factor, &b->sigma_factor);
    assert_same(1, &a->sigma_factor_sd, &b->sigma_factor_sd);
    assert_same(1, &a->sigma_m, &b->sigma_m);
    assert_same(1, &a->interval_dof, &b->interval_dof);
    assert_int_equal(a->note == NULL, b->note == NULL);
    if (b->note != NULL)
        assert_string_equal(a->note, b->note);
    assert_int_equal(a->n_outliers, b->n_outliers);
    for (int i = 0; i < b->n_outliers; i++) {
        assert_int_equal(a->outliers[i].point, b->outliers[i].point);
        assert_int_equal(a->outliers[i].line, b->outliers[i].line);
        assert_int_equal(a->outliers[i].axis, b->outliers[i].axis);
        assert_same(1, &a->outliers[i].residual_m, &b->outliers[i].residual_m);
        assert_same(1, &a->outliers[i].residual_sd, &b->outliers[i].residual_sd);
        assert_same(1, &a->outliers[i].weight, &b->outliers[i].weight);
    }
}

static void assert_same_fit(const ArcFit *a, const ArcFit *b)
{
    assert_int_equal(a->method, b->method);
    assert_int_equal(a->converged, b->converged);
    assert_int_equal(a->stop, b->stop);
    assert_int_equal(a->iterations, b->iterations);
    assert_int_equal(a->n_parameters, b->n_parameters);
    assert_same_estimates(b->n_parameters, a->parameters, b->parameters);
    assert_int_equal(a->n_derived, b->n_derived);
    assert_same_estimates(b->n_derived, a->derived, b->derived);
    assert_int_equal(a->n_remarks, b->n_remarks);
    for (int i = 0; i < b->n_remarks; i++)
        assert_string_equal(a->remarks[i], b->remarks[i]);
    assert_same_spread(&a->spread, &b->spread);
    assert_same(1, &a->interval_factor, &b->interval_factor);
    assert_int_equal(a->n_free, b->n_free);
    assert_same(b->n_free * b->n_free, a->covariance, b->covariance);
    assert_int_equal(a->n_unidentified, b->n_unidentified);
    assert_int_equal(a->unidentified_size[0], b->unidentified_size[0]);
    assert_memory_equal(a->unidentified[0], b->unidentified[0], sizeof group_members);
    assert_same(N_FREE, a->null_directions, b->null_directions);
    assert_int_equal(a->residuals.points, b->residuals.points);
    assert_int_equal(a->residuals.observations, b->residuals.observations);
    assert_int_equal(a->residuals.dof, b->residuals.dof);
    assert_int_equal(a->residuals.held_out_points, b->residuals.held_out_points);
    assert_same(1, &a->residuals.chi2, &b->residuals.chi2);
    assert_same(1, &a->residuals.prior_chi2, &b->residuals.prior_chi2);
    assert_same(1, &a->residuals.chi2_p, &b->residuals.chi2_p);
    assert_same(1, &a->residuals.rms_m, &b->residuals.rms_m);
    assert_same(1, &a->residuals.physics_rms_m_s2, &b->residuals.physics_rms_m_s2);
    assert_same(1, &a->residuals.physics_rms_fine_m_s2, &b->residuals.physics_rms_fine_m_s2);
    assert_same(1, &a->residuals.sigma_phys_m_s2, &b->residuals.sigma_phys_m_s2);
    assert_same(2, a->residuals.sigma_phys_ci95_m_s2, b->residuals.sigma_phys_ci95_m_s2);
    assert_int_equal(a->n_starts, b->n_starts);
    assert_int_equal(a->n_starts_converged, b->n_starts_converged);
    assert_same(1, &a->start_spread_sd, &b->start_spread_sd);
    assert_int_equal(a->stages == NULL, b->stages == NULL);
    if (b->stages != NULL)
        assert_string_equal(a->stages, b->stages);
    assert_int_equal(a->stop_note == NULL, b->stop_note == NULL);
    if (b->stop_note != NULL)
        assert_string_equal(a->stop_note, b->stop_note);
    assert_same(1, &a->residuals.held_out_rms_m, &b->residuals.held_out_rms_m);
    assert_int_equal(a->n_trajectory, b->n_trajectory);
    assert_int_equal(a->dimensions, b->dimensions);
    assert_same(b->n_trajectory, a->time_s, b->time_s);
    assert_same(2 * b->n_trajectory, a->position_m, b->position_m);
    assert_same(2 * b->n_trajectory, a->velocity_m_s, b->velocity_m_s);
    assert_same(2 * b->n_trajectory, a->acceleration_m_s2, b->acceleration_m_s2);
    assert_same(2 * N_POINTS, a->predicted_m, b->predicted_m);
    assert_int_equal(a->n_history, b->n_history);
    for (int i = 0; i < b->n_history; i++) {
        assert_int_equal(a->history[i].start, b->history[i].start);
        assert_int_equal(a->history[i].stage, b->history[i].stage);
        assert_int_equal(a->history[i].iteration, b->history[i].iteration);
        assert_same(1, &a->history[i].cost, &b->history[i].cost);
        assert_same(1, &a->history[i].observations, &b->history[i].observations);
        assert_same(1, &a->history[i].physics, &b->history[i].physics);
        assert_same(1, &a->history[i].priors, &b->history[i].priors);
        assert_same(1, &a->history[i].rate, &b->history[i].rate);
        assert_same(1, &a->history[i].step_sd, &b->history[i].step_sd);
    }
    assert_same_net(&a->net, &b->net);
}

static void test_report_read_hdf5_written_gives_every_field(void **state)
{
    (void)state;
    ArcResult *read;
    assert_int_equal(arc_report_write_hdf5(&result, path, NULL), ARC_OK);
    assert_true(arc_report_is_hdf5(path));
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    assert_string_equal(read->version, result.version);
    assert_ptr_equal(strstr(read->libraries, "OpenBLAS 0."), read->libraries);
    assert_non_null(strstr(read->libraries, ", HDF5 1."));
    assert_non_null(strstr(read->libraries, ", Jansson 2."));
    assert_non_null(strstr(read->libraries, ", zlib 1."));
    assert_string_equal(read->experiment_path, result.experiment_path);
    assert_string_equal(read->experiment_text, result.experiment_text);
    assert_string_equal(read->name, result.name);
    assert_true(read->seed == result.seed);
    assert_int_equal(read->n_settings, 2);
    assert_string_equal(read->setting_paths[1], setting_paths[1]);
    assert_string_equal(read->setting_values[0], setting_values[0]);
    assert_int_equal(read->n_overrides, 1);
    assert_string_equal(read->overrides[0], overrides[0]);
    assert_string_equal(read->capture->file, capture.file);
    assert_int_equal(read->capture->n_points, N_POINTS);
    assert_int_equal(read->capture->dimensions, 2);
    assert_int_equal(read->capture->n_fit, 2);
    assert_int_equal(read->capture->n_held_out, 1);
    assert_same(N_POINTS, read->capture->time_s, point_times);
    assert_same(2 * N_POINTS, read->capture->position_m, point_positions);
    assert_same(2 * N_POINTS, read->capture->sigma_m, point_sigmas);
    assert_memory_equal(read->capture->use, point_uses, sizeof point_uses);
    assert_memory_equal(read->capture->line, point_lines, sizeof point_lines);
    assert_int_equal(read->n_fits, 2);
    assert_same_fit(read->fits[0], &pinn);
    assert_same_fit(read->fits[1], &direct);
    assert_true(isnan(read->fits[0]->wall_s));
    assert_true(read->comparison.both);
    const ArcBreach *found = &read->comparison.physics;
    assert_true(found->searched);
    assert_true(found->tolerated);
    assert_same(2, found->interval_s, breach.interval_s);
    assert_same(1, &found->size_m_s2, &breach.size_m_s2);
    assert_same(1, &found->size_sd_m_s2, &breach.size_sd_m_s2);
    assert_same(3, found->direction, breach.direction);
    assert_same(3, found->relative, breach.relative);
    assert_same(1, &found->displacement_m, &breach.displacement_m);
    assert_same(1, &found->chi2_explained, &breach.chi2_explained);
    assert_same(1, &found->p, &breach.p);
    assert_same(1, &found->p_scaled, &breach.p_scaled);
    arc_result_free(read);
}

static void test_report_read_hdf5_single_fit_reads_back(void **state)
{
    (void)state;
    ArcResult *read, single = result;
    ArcFit bare = direct;
    bare.n_unidentified = 0;
    bare.n_free = 0;
    bare.n_derived = 0;
    bare.n_remarks = 0;
    bare.n_history = 0;
    ArcEstimate fixed = parameters[0][1];
    bare.parameters = &fixed;
    bare.n_parameters = 1;
    single.n_fits = 1;
    single.fits[0] = &bare;
    single.n_overrides = 0;
    single.comparison.physics = (ArcBreach){.searched = false};
    assert_int_equal(arc_report_write_hdf5(&single, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    assert_int_equal(read->n_fits, 1);
    assert_int_equal(read->fits[0]->method, ARC_DIRECT);
    assert_int_equal(read->fits[0]->n_free, 0);
    assert_int_equal(read->n_overrides, 0);
    assert_false(read->comparison.both);
    assert_false(read->comparison.physics.searched);
    arc_result_free(read);
}

/* One fit may find an apex where the other does not. */
static void test_report_read_hdf5_other_derived_numbers_read_back(void **state)
{
    (void)state;
    ArcResult *read, one = result;
    ArcFit bare = direct;
    bare.n_derived = 0;
    one.fits[1] = &bare;
    assert_int_equal(arc_report_write_hdf5(&one, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    assert_int_equal(read->fits[0]->n_derived, 1);
    assert_int_equal(read->fits[1]->n_derived, 0);
    arc_result_free(read);
}

/* No search ends in an infinite number. */
static void test_report_read_hdf5_infinite_breach_is_refused(void **state)
{
    (void)state;
    ArcError err;
    ArcResult *read = NULL, one = result;
    one.comparison.physics.interval_s[1] = -INFINITY;
    assert_int_equal(arc_report_write_hdf5(&one, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "'end_s' of '/comparison/physics' is infinite"));
    assert_null(read);
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

static void test_report_write_hdf5_layout_is_as_documented(void **state)
{
    (void)state;
    static const char *const names[] = {
        "/capture/time",
        "/fits/pinn/parameters/name",
        "/fits/pinn/parameters/value",
        "/fits/pinn/parameters/sd",
        "/fits/direct/parameters/unit",
        "/fits/direct/covariance",
        "/fits/direct/trajectory/time",
        "/fits/direct/trajectory/position",
        "/fits/direct/trajectory/velocity",
        "/fits/direct/trajectory/acceleration",
        "/fits/direct/history",
        "/fits/pinn/net/weights",
    };
    static const char *const attributes[] = {"schema",  "experiment", "seed",
                                             "arcfit",  "hdf5",       "openblas",
                                             "jansson", "zlib",       "experiment_path"};
    int n = 0;
    assert_int_equal(arc_report_write_hdf5(&result, path, NULL), ARC_OK);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_true(H5Oexists_by_name(file, names[i], H5P_DEFAULT) > 0);
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
        assert_true(H5Aexists(file, attributes[i]) > 0);
    assert_true(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, check_object, &n) >= 0);
    assert_true(n > 50);
    H5Fclose(file);
}

/* Two processes, whose fresh memory holds different rubbish. */
static void test_report_write_hdf5_other_process_gives_equal_bytes(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    const char *const files[2] = {path, other};
    char *bytes[2];
    size_t size[2];
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        if (child == 0) {
            pinn.wall_s = 0.1 * i; /* must not show */
            void *rubbish[64];
            for (int k = 0; k < 64; k++) {
                size_t room = (size_t)100 << (k / 6);
                rubbish[k] = malloc(room);
                if (rubbish[k] != NULL)
                    memset(rubbish[k], 0x11 * (i + 1), room);
            }
            for (int k = 0; k < 64; k++)
                free(rubbish[k]);
            _exit(arc_report_write_hdf5(&result, files[i], NULL) == ARC_OK ? 0 : 1);
        }
        int ended = 1;
        assert_int_equal(waitpid(child, &ended, 0), child);
        assert_int_equal(ended, 0);
        assert_int_equal(arc_file_read(files[i], (ArcPlace){NULL, 0, 0}, 1 << 24, arena, &bytes[i],
                                       &size[i], NULL),
                         ARC_OK);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    arc_arena_free(arena);
}

/* Puts the checksum behind the file at path that arcfit would, as one who means harm could. */
static void seal_file(void)
{
    ArcArena *arena = arc_arena_create();
    char *bytes;
    size_t size;
    assert_int_equal(
        arc_file_read(path, (ArcPlace){NULL, 0, 0}, 1 << 24, arena, &bytes, &size, NULL), ARC_OK);
    FILE *stream = fopen(path, "a");
    assert_non_null(stream);
    fprintf(stream, "\narcfit-crc32 %08lx\n\n",
            crc32_z(0, (const unsigned char *)bytes, size) & 0xffffffffu);
    assert_int_equal(fclose(stream), 0);
    arc_arena_free(arena);
}

/* Changes the file at path through HDF5, as another program could, and reads it. */
static ArcStatus read_changed(void (*change)(hid_t file), ArcError *err)
{
    ArcResult *read = NULL;
    assert_int_equal(arc_report_write_hdf5(&result, path, NULL), ARC_OK);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(truncate(path, info.st_size - 24), 0); /* without its seal */
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    change(file);
    H5Fclose(file);
    seal_file();
    ArcStatus status = arc_report_read_hdf5(path, &read, err);
    arc_result_free(read);
    return status;
}

static void change_integer(hid_t file, const char *name, int value)
{
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    int data[16] = {value, value, value, value, value, value, value, value};
    assert_true(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(dataset);
}

static void change_nothing(hid_t file)
{
    (void)file;
}

static void change_schema(hid_t file)
{
    hid_t attribute = H5Aopen(file, "schema", H5P_DEFAULT);
    uint64_t schema = 99;
    assert_true(H5Awrite(attribute, H5T_NATIVE_UINT64, &schema) >= 0);
    H5Aclose(attribute);
}

static void change_free_index(hid_t file)
{
    change_integer(file, "/fits/pinn/parameters/free_index", 1000);
}

static void change_use(hid_t file)
{
    change_integer(file, "/capture/use", -1);
}

static void change_group(hid_t file)
{
    change_integer(file, "/fits/direct/unidentified/parameter", 77);
}

static void change_group_size(hid_t file)
{
    change_integer(file, "/fits/direct/unidentified/size", -5);
}

static void change_widths(hid_t file)
{
    change_integer(file, "/fits/pinn/net/widths", 1 << 30);
}

static void remove_fits(hid_t file)
{
    assert_true(H5Ldelete(file, "/fits", H5P_DEFAULT) >= 0);
}

static void remove_time(hid_t file)
{
    assert_true(H5Ldelete(file, "/fits/pinn/trajectory/time", H5P_DEFAULT) >= 0);
}

static void test_report_read_hdf5_hostile_gives_input(void **state)
{
    (void)state;
    void (*const changes[])(hid_t) = {change_schema, change_free_index, change_use,
                                      change_group,  change_group_size, change_widths,
                                      remove_fits,   remove_time};
    ArcError err;
    char start[96];
    snprintf(start, sizeof start, "%s:1:1: error: ", path);
    assert_int_equal(read_changed(change_nothing, &err), ARC_OK);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        assert_int_equal(read_changed(changes[i], &err), ARC_INPUT);
        assert_memory_equal(err.text, start, strlen(start));
    }
    ArcResult *read = NULL;
    assert_int_equal(arc_report_read_hdf5("/nowhere/a.h5", &read, &err), ARC_INPUT);
    assert_int_equal(arc_report_read_hdf5("/dev/null", &read, &err), ARC_INPUT);
    assert_null(read);
}

static bool allow_some(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

static void test_report_read_hdf5_exhaustion_gives_memory(void **state)
{
    (void)state;
    assert_int_equal(arc_report_write_hdf5(&result, path, NULL), ARC_OK);
    ArcStatus status = ARC_MEMORY;
    int refused = 0;
    for (int n = 0; n < 1000 && status != ARC_OK; n++) {
        int left = n;
        ArcResult *read = NULL;
        arc_memory_set_hook(allow_some, &left);
        status = arc_report_read_hdf5(path, &read, NULL);
        if (status == ARC_OK)
            status = arc_report_write_hdf5(&result, other, NULL);
        char *text = NULL;
        if (status == ARC_OK)
            status = arc_report_text(&result, true, &text, NULL);
        arc_memory_set_hook(NULL, NULL);
        if (status != ARC_OK) {
            assert_int_equal(status, ARC_MEMORY);
            refused++;
        }
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
    make_result();
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
        cmocka_unit_test(test_report_write_hdf5_other_process_gives_equal_bytes),
        cmocka_unit_test(test_report_read_hdf5_written_gives_every_field),
        cmocka_unit_test(test_report_read_hdf5_single_fit_reads_back),
        cmocka_unit_test(test_report_read_hdf5_other_derived_numbers_read_back),
        cmocka_unit_test(test_report_read_hdf5_infinite_breach_is_refused),
        cmocka_unit_test(test_report_write_hdf5_layout_is_as_documented),
        cmocka_unit_test(test_report_read_hdf5_hostile_gives_input),
        cmocka_unit_test(test_report_read_hdf5_exhaustion_gives_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
