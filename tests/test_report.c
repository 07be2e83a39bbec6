/* Reports of a result made by hand: HDF5 and back field by field, JSON names, tables of 80 columns.
 */
#include "arcfit/report.h"

#include "base/file.h"
#include "report/table.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { N_POINTS = 4, N_PARAMETERS = 4, N_FREE = 3, N_HISTORY = 3, N_WEIGHTS = 3 * 2 + 2 * 4 };

static char folder[] = "/tmp/arcfit-test-report-XXXXXX";
static char path[64], other[64];

static const double point_times[N_POINTS] = {0, 0.1, 0.25, 0.4};
static const double point_positions[N_POINTS * 2] = {0, 2, 0.7, 2.4, 1.5, NAN, 2.4, 2.1};
static const double point_sigmas[N_POINTS * 2] = {3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 4e-3};
static const ArcPointUse point_uses[N_POINTS] = {ARC_POINT_FIT, ARC_POINT_FIT, ARC_POINT_HELD_OUT,
                                                 ARC_POINT_UNUSED};
static const int point_lines[N_POINTS] = {2, 3, 4, 6};
static ArcCapture capture = {.file = "../data/throw.csv",
                             .n_points = N_POINTS,
                             .dimensions = 2,
                             .time_s = point_times,
                             .position_m = point_positions,
                             .sigma_m = point_sigmas,
                             .use = point_uses,
                             .line = point_lines,
                             .n_fit = 2,
                             .n_held_out = 1};
static ArcEstimate parameters[2][N_PARAMETERS] = {
    {{"k", "1/m", 0.1, NAN, {NAN, NAN}, 0.2, ARC_PARAMETER_UNIDENTIFIED, 1, "no data tell it"},
     {"spin", "rad/s", -20.5, 0, {-20.5, -20.5}, -20.5, ARC_PARAMETER_FIXED, -1, NULL},
     {"vx0", "m/s", 5.123456, 0.0123, {5.1, 5.15}, 5, ARC_PARAMETER_FREE, 0, NULL},
     {"angle", "rad", 0.9, 1.2e-7, {0.9, 0.9}, 1, ARC_PARAMETER_AT_BOUND, 2, "at its low bound"}}};
static ArcEstimate derived[1] = {
    {"release_angle", "rad", 0.94, 0.001, {0.938, 0.942}, NAN, ARC_PARAMETER_FREE, -1, NULL}};
static const double covariance[N_FREE * N_FREE] = {1.5e-4, NAN,   1e-10, NAN,     NAN,
                                                   NAN,    1e-10, NAN,   1.44e-14};
static const int group_size[1] = {2};
static const int group_members[2] = {0, 1};
static const int *const groups[1] = {group_members};
static const double null_directions[N_FREE] = {0, 1, 0.5};
static const ArcHistoryRow history[N_HISTORY] = {{0, 1, 5.5, 100}, {0, 2, 1.5, 0.1}, {1, 3, 1, 0}};
static double times[ARC_TRAJECTORY_POINTS], states[3][2 * ARC_TRAJECTORY_POINTS];
static double predicted[2 * N_POINTS];
static double weights[N_WEIGHTS];
static ArcFit pinn, direct;
static const char *const setting_paths[] = {"flight.drag", "flight.lift"};
static const char *const setting_values[] = {"lumped", "none"};
static const char *const overrides[] = {"fit.seed=7"};
static const double differences[N_PARAMETERS] = {NAN, NAN, 1e-4, 2e-8};
static const double in_sd[N_PARAMETERS] = {NAN, NAN, 0.0081, -0.17};
static ArcResult result;

static void make_fit(ArcFit *fit, ArcMethod method)
{
    *fit = (ArcFit){.method = method,
                    .converged = true,
                    .stop = method == ARC_PINN ? ARC_STOP_COST : ARC_STOP_STEP,
                    .iterations = 4,
                    .wall_s = 0.25,
                    .n_parameters = N_PARAMETERS,
                    .parameters = parameters[method == ARC_PINN ? 0 : 1],
                    .n_derived = 1,
                    .derived = derived,
                    .n_free = N_FREE,
                    .covariance = covariance,
                    .n_unidentified = 1,
                    .unidentified_size = group_size,
                    .unidentified = groups,
                    .null_directions = null_directions,
                    .residuals = {2, 4, 2.7, 0.1, -1, NAN, 0.0021, NAN, NAN, NAN, 1, 0.004},
                    .n_trajectory = ARC_TRAJECTORY_POINTS,
                    .dimensions = 2,
                    .time_s = times,
                    .position_m = states[0],
                    .velocity_m_s = states[1],
                    .acceleration_m_s2 = states[2],
                    .predicted_m = predicted,
                    .n_history = N_HISTORY,
                    .history = history};
    if (method == ARC_DIRECT)
        return;
    fit->residuals.physics_rms_m_s2 = 1e-6;
    fit->residuals.physics_rms_fine_m_s2 = 2e-6;
    fit->residuals.sigma_phys_m_s2 = 1e-3;
    fit->net = (ArcFittedNet){.settings = arc_net_settings_default(),
                              .n_weights = N_WEIGHTS,
                              .weights = weights,
                              .span_s = 0.4,
                              .scale_m_s2 = 9.8,
                              .collocation = 32};
    fit->net.settings.widths[0] = 3;
}

static void make_result(void)
{
    memcpy(parameters[1], parameters[0], sizeof parameters[0]);
    parameters[1][2].value += 1e-4;
    for (int i = 0; i < ARC_TRAJECTORY_POINTS; i++)
        times[i] = 0.004 * i;
    for (int i = 0; i < 6 * ARC_TRAJECTORY_POINTS; i++)
        states[i / (2 * ARC_TRAJECTORY_POINTS)][i % (2 * ARC_TRAJECTORY_POINTS)] = 0.1 * i;
    for (int i = 0; i < 2 * N_POINTS; i++)
        predicted[i] = i < 2 ? (double)NAN : i;
    for (int i = 0; i < N_WEIGHTS; i++)
        weights[i] = 1.0 / (1 + i);
    make_fit(&pinn, ARC_PINN);
    make_fit(&direct, ARC_DIRECT);
    result = (ArcResult){
        .version = "0.1.0",
        .experiment_path = "experiments/throw.yaml",
        .experiment_text = "arcfit: 1\nname: Throw\n",
        .name = "Throw \xc3\xa9",
        .seed = 7,
        .n_fits = 2,
        .fits = {&pinn, &direct},
        .comparison = {true, N_PARAMETERS, differences, in_sd, 0.17, 1e-5, NAN, ARC_VERDICT_AGREE},
        .capture = &capture,
        .n_settings = 2,
        .setting_paths = setting_paths,
        .setting_values = setting_values,
        .n_overrides = 1,
        .overrides = overrides};
}

/* Equal, NaN for NaN. */
static void assert_same(int n, const double *a, const double *b)
{
    for (int i = 0; i < n; i++)
        assert_true(a[i] == b[i] || (isnan(a[i]) && isnan(b[i])));
}

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
    assert_same(1, &a->span_s, &b->span_s);
    assert_same(1, &a->scale_m_s2, &b->scale_m_s2);
    assert_int_equal(a->collocation, b->collocation);
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
        assert_int_equal(a->history[i].stage, b->history[i].stage);
        assert_int_equal(a->history[i].iteration, b->history[i].iteration);
        assert_same(1, &a->history[i].cost, &b->history[i].cost);
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
    bare.n_history = 0;
    ArcEstimate fixed = parameters[0][1];
    bare.parameters = &fixed;
    bare.n_parameters = 1;
    single.n_fits = 1;
    single.fits[0] = &bare;
    single.n_overrides = 0;
    assert_int_equal(arc_report_write_hdf5(&single, path, NULL), ARC_OK);
    assert_int_equal(arc_report_read_hdf5(path, &read, NULL), ARC_OK);
    assert_int_equal(read->n_fits, 1);
    assert_int_equal(read->fits[0]->method, ARC_DIRECT);
    assert_int_equal(read->fits[0]->n_free, 0);
    assert_int_equal(read->n_overrides, 0);
    assert_false(read->comparison.both);
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
               "unidentified", "correlation", "residuals", "trajectory");
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
               "physics_rms_m_s2", "physics_rms_fine_m_s2", "held_out_points", "held_out_rms_m");
    json_t *trajectory = json_object_get(fit, "trajectory");
    ASSERT_HAS(trajectory, "time_s", "position_m", "velocity_m_s", "acceleration_m_s2");
    assert_int_equal(json_array_size(json_object_get(trajectory, "position_m")),
                     ARC_TRAJECTORY_POINTS);
    json_t *comparison = json_object_get(root, "comparison");
    ASSERT_HAS(comparison, "parameters", "max_in_sd", "trajectory_max_m", "chi2_p", "verdict");
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
    assert_non_null(strstr(text, "correlation"));
    if (getenv("ARCFIT_TEST_PRINT") != NULL)
        print_message("%s", text);
    arc_text_free(text);
    assert_int_equal(arc_report_text(&result, false, &text, NULL), ARC_OK);
    assert_reads_well(text);
    assert_null(strstr(text, "correlation"));
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
        assert_non_null(strstr(text, rows[i].words));
        arc_text_free(text);
    }
}

static void test_report_comparison_text_several_are_ranked(void **state)
{
    (void)state;
    ArcResult worse = result, elsewhere = result;
    ArcFit worse_fit = direct;
    ArcCapture another = capture;
    double moved[2 * N_POINTS];
    char *text;
    worse_fit.residuals.chi2 = 50;
    worse.fits[1] = &worse_fit;
    worse.experiment_path = "a/very/long/path/that/does/not/fit/into/a/column/worse.yaml";
    const ArcResult *const results[2] = {&worse, &result};
    assert_int_equal(arc_report_comparison_text(2, results, &text, NULL), ARC_OK);
    assert_reads_well(text);
    char *rank = strstr(text, "rank");
    assert_non_null(rank);
    assert_true(strstr(rank, "throw.yaml") < strstr(rank, "worse.yaml"));
    assert_null(strstr(text, "means nothing"));
    arc_text_free(text);
    memcpy(moved, point_positions, sizeof moved);
    moved[0] += 1e-3;
    another.position_m = moved;
    elsewhere.capture = &another;
    const ArcResult *const different[2] = {&result, &elsewhere};
    assert_int_equal(arc_report_comparison_text(2, different, &text, NULL), ARC_OK);
    assert_non_null(strstr(text, "means nothing"));
    arc_text_free(text);
    assert_int_equal(arc_report_comparison_text(1, results, &text, NULL), ARC_OK);
    assert_reads_well(text);
    assert_null(strstr(text, "rank"));
    assert_non_null(strstr(text, "0.0081 sd"));
    arc_text_free(text);
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
    assert_int_equal(arc_report_check_text(&experiment, &capture, &direct, &text, NULL), ARC_OK);
    assert_reads_well(text);
    assert_non_null(strstr(text, "0.5 \xc2\xb1 0.1"));
    assert_non_null(strstr(text, "[0, inf]"));
    assert_non_null(strstr(text, "k, spin"));
    assert_non_null(strstr(text, "0 s to 0.25 s"));
    arc_text_free(text);
    assert_int_equal(arc_report_check_json(&experiment, &capture, &direct, &text, NULL), ARC_OK);
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
    const ArcPrediction one = {x, v, x_sd, v_sd};
    const int axes[2] = {1, 0};
    const double levels[2] = {3.05, 2};
    const ArcCrossing crossings[2] = {
        {.crossed = false}, {.crossed = true, .t_s = 0.3, .t_sd_s = 0.001, .x_m = {2, 2.1}}};
    const ArcPredicted prediction = {ARC_DIRECT, 1, &t, one, 2, axes, levels, crossings, 1, one};
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
                {3, 0, "3"},
                {3, NAN, "3 \xc2\xb1 ?"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char buffer[ARC_TABLE_NUMBER];
        assert_string_equal(arc_table_value(buffer, rows[i].value, rows[i].sd, 1), rows[i].text);
    }
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
        cmocka_unit_test(test_report_write_hdf5_layout_is_as_documented),
        cmocka_unit_test(test_report_read_hdf5_hostile_gives_input),
        cmocka_unit_test(test_report_read_hdf5_exhaustion_gives_memory),
        cmocka_unit_test(test_report_json_result_has_every_name),
        cmocka_unit_test(test_report_json_several_is_an_array),
        cmocka_unit_test(test_report_text_result_reads_well),
        cmocka_unit_test(test_report_text_verdicts_each_have_a_sentence),
        cmocka_unit_test(test_report_comparison_text_several_are_ranked),
        cmocka_unit_test(test_report_check_made_experiment_shows_what_is_fitted),
        cmocka_unit_test(test_report_prediction_states_are_scored),
        cmocka_unit_test(test_table_value_digits_follow_sd),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
