/* A Result read back from HDF5, the mirror image of report_hdf5_write.c. Everything lies in one
 * arena, the result's; nothing in the file is believed before it is checked. */
#include "arcfit/report.h"

#include "base/arena.h"
#include "io/hdf5.h"
#include "report/arm_hdf5.h"
#include "report/breach_parts.h"
#include "report/camera_parts.h"
#include "report/closure_parts.h"
#include "report/document.h"
#include "report/estimates_parts.h"
#include "report/flights_parts.h"
#include "report/identifiability_hdf5.h"
#include "report/libraries.h"
#include "report/randomised_parts.h"
#include "report/spread.h"
#include "report/states_hdf5.h"
#include "report/uncertainty.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 96, N_LOSSES = 6 };

typedef struct FitReader {
    ArcHdf5 *file;
    ArcArena *arena;
    const char *group; /* "/fits/pinn" */
    bool no_memory;
    ArcStatesFile states; /* of own equations */
} FitReader;

static const char *fit_path(char path[PATH_SIZE], const FitReader *reader, const char *rest)
{
    snprintf(path, PATH_SIZE, "%.40s/%.50s", reader->group, rest);
    return path;
}

static void *reader_alloc(FitReader *reader, int count, size_t size)
{
    void *room = arc_arena_alloc(reader->arena, (size_t)count, size);
    if (room == NULL)
        reader->no_memory = true;
    return room;
}

#define READER_ALLOC(reader, count, type) ((type *)reader_alloc((reader), (count), sizeof(type)))

static bool reader_is_good(const FitReader *reader)
{
    return !reader->no_memory && arc_hdf5_is_good(reader->file);
}

/* A count that must lie in low..high. */
static int read_count(FitReader *reader, const char *path, const char *name, int low, int high)
{
    uint64_t value = arc_hdf5_count(reader->file, path, name);
    if (reader_is_good(reader) && (value < (uint64_t)low || value > (uint64_t)high))
        arc_hdf5_refuse(reader->file, "attribute '%s' of '%s' is out of range", name, path);
    return reader_is_good(reader) ? (int)value : low;
}

/* Every row of the covariance belongs to exactly one parameter. */
static void check_free(FitReader *reader, const ArcFit *fit)
{
    bool seen[ARC_MAX_PARAMETERS] = {false};
    int n = 0;
    for (int p = 0; p < fit->n_parameters; p++) {
        int index = fit->parameters[p].free_index;
        if (index < 0)
            continue;
        if (index >= fit->n_free || seen[index]) {
            arc_hdf5_refuse(reader->file, "'%s/parameters/free_index' does not fit", reader->group);
            return;
        }
        seen[index] = true;
        n++;
    }
    if (n != fit->n_free)
        arc_hdf5_refuse(reader->file, "'%s/free' does not fit its parameters", reader->group);
}

static void read_unidentified(FitReader *reader, ArcFit *fit)
{
    char path[PATH_SIZE];
    int n = arc_hdf5_rows(reader->file, fit_path(path, reader, "unidentified/size"));
    const int *size = arc_hdf5_integers(reader->file, path, n);
    int n_members = arc_hdf5_rows(reader->file, fit_path(path, reader, "unidentified/parameter"));
    const int *members = arc_hdf5_integers(reader->file, path, n_members);
    const int **groups = READER_ALLOC(reader, n, const int *);
    if (!reader_is_good(reader))
        return;
    int used = 0;
    for (int g = 0; g < n; g++) {
        if (size[g] < 1 || size[g] > n_members - used)
            break;
        groups[g] = members + used;
        used += size[g];
    }
    bool good = used == n_members && (n == 0 || groups[n - 1] != NULL);
    for (int i = 0; i < n_members; i++)
        good = good && members[i] >= 0 && members[i] < fit->n_parameters;
    if (!good)
        arc_hdf5_refuse(reader->file, "'%s/unidentified' does not fit", reader->group);
    if (n > fit->n_free)
        arc_hdf5_refuse(reader->file, "'%s' has too many rows", path);
    if (n > 0 && fit->n_free > 0)
        fit->null_directions = arc_hdf5_reals(
            reader->file, fit_path(path, reader, "unidentified/direction"), n, fit->n_free);
    fit->n_unidentified = good ? n : 0;
    fit->unidentified_size = size;
    fit->unidentified = groups;
}

static void read_covariance(FitReader *reader, ArcFit *fit)
{
    char path[PATH_SIZE];
    fit->n_free = arc_hdf5_rows(reader->file, fit_path(path, reader, "free"));
    if (fit->n_free > ARC_MAX_PARAMETERS)
        arc_hdf5_refuse(reader->file, "'%s' has too many rows", path);
    if (!reader_is_good(reader))
        return;
    check_free(reader, fit);
    fit->covariance = fit->n_free > 0
                          ? arc_hdf5_reals(reader->file, fit_path(path, reader, "covariance"),
                                           fit->n_free, fit->n_free)
                          : READER_ALLOC(reader, 0, double);
}

static void read_trajectory(FitReader *reader, ArcFit *fit, const ArcCapture *capture)
{
    char path[PATH_SIZE];
    ArcHdf5 *file = reader->file;
    int n = arc_hdf5_rows(file, fit_path(path, reader, "trajectory/time"));
    int d = capture->dimensions;
    fit->n_trajectory = n;
    fit->dimensions = d;
    fit->time_s = arc_hdf5_reals(file, path, n, 0);
    fit->position_m = arc_hdf5_reals(file, fit_path(path, reader, "trajectory/position"), n, d);
    fit->velocity_m_s = arc_hdf5_reals(file, fit_path(path, reader, "trajectory/velocity"), n, d);
    fit->acceleration_m_s2 =
        arc_hdf5_reals(file, fit_path(path, reader, "trajectory/acceleration"), n, d);
    fit->predicted_m =
        arc_hdf5_reals(file, fit_path(path, reader, "predicted"), capture->n_points, d);
}

/* The same of own equations, and their channels. */
static void read_states(FitReader *reader, ArcFit *fit, const ArcCapture *capture)
{
    char path[PATH_SIZE];
    ArcStatesFile *set = &reader->states;
    const double *motion[3] = {NULL, NULL, NULL};
    fit->n_trajectory = arc_states_read_trajectory(set, reader->group, &fit->time_s, motion);
    fit->dimensions = set->states->n_states;
    fit->position_m = motion[0];
    fit->velocity_m_s = motion[1];
    fit->acceleration_m_s2 = motion[2];
    fit->predicted_m =
        arc_states_read_channels(set, fit_path(path, reader, "predicted"), capture->n_points);
    arc_states_read_fits(set, reader->group, 1, fit);
    reader->no_memory = reader->no_memory || set->no_memory;
}

static void read_history(FitReader *reader, ArcFit *fit)
{
    char path[PATH_SIZE];
    ArcHdf5 *file = reader->file;
    int n = arc_hdf5_rows(file, fit_path(path, reader, "history/row"));
    const int *start = arc_hdf5_integers(file, fit_path(path, reader, "history/start"), n);
    const int *stage = arc_hdf5_integers(file, fit_path(path, reader, "history/stage"), n);
    const int *iteration = arc_hdf5_integers(file, fit_path(path, reader, "history/iteration"), n);
    static const char *const names[N_LOSSES] = {"history/cost",    "history/observations",
                                                "history/physics", "history/priors",
                                                "history/step_sd", "history/rate"};
    const double *reals[N_LOSSES];
    for (int i = 0; i < N_LOSSES; i++)
        reals[i] = arc_hdf5_reals(file, fit_path(path, reader, names[i]), n, 0);
    ArcHistoryRow *rows = READER_ALLOC(reader, n, ArcHistoryRow);
    if (!reader_is_good(reader))
        return;
    for (int i = 0; i < n; i++)
        rows[i] = (ArcHistoryRow){.start = start[i],
                                  .stage = stage[i],
                                  .iteration = iteration[i],
                                  .cost = reals[0][i],
                                  .observations = reals[1][i],
                                  .physics = reals[2][i],
                                  .priors = reals[3][i],
                                  .step_sd = reals[4][i],
                                  .rate = reals[5][i]};
    fit->n_history = n;
    fit->history = rows;
}

/* What equations are broken by. */
static double read_physics(FitReader *reader, const char *name)
{
    char whole[40];
    snprintf(whole, sizeof whole, "%.25s%s", name,
             arc_states_physics_suffix(reader->states.states));
    return arc_hdf5_number(reader->file, reader->group, whole);
}

static void read_residuals(FitReader *reader, ArcResiduals *residuals)
{
    ArcHdf5 *file = reader->file;
    const char *group = reader->group;
    residuals->points = read_count(reader, group, "points", 0, INT_MAX);
    residuals->observations = read_count(reader, group, "observations", 0, INT_MAX);
    residuals->chi2 = arc_hdf5_number(file, group, "chi2");
    residuals->prior_chi2 = arc_hdf5_number(file, group, "prior_chi2");
    double dof = arc_hdf5_number(file, group, "dof");
    residuals->dof = dof > -1e9 && dof < 1e9 ? (int)dof : 0;
    residuals->chi2_p = arc_hdf5_number(file, group, "chi2_p");
    residuals->rms_m = arc_hdf5_number(file, group, "rms_m");
    residuals->physics_rms_m_s2 = read_physics(reader, "physics_rms");
    residuals->physics_rms_fine_m_s2 = read_physics(reader, "physics_rms_fine");
    residuals->sigma_phys_m_s2 = read_physics(reader, "sigma_phys");
    residuals->sigma_phys_ci95_m_s2[0] = read_physics(reader, "sigma_phys_low");
    residuals->sigma_phys_ci95_m_s2[1] = read_physics(reader, "sigma_phys_high");
    residuals->held_out_points = read_count(reader, group, "held_out_points", 0, INT_MAX);
    residuals->held_out_rms_m = arc_hdf5_number(file, group, "held_out_rms_m");
}

/* The index of text among the names that table gives; refuses where there is none. */
static int read_choice(FitReader *reader, const char *path, const char *name,
                       const char *(*table)(int))
{
    const char *text = arc_hdf5_text(reader->file, path, name);
    for (int i = 0; table(i) != NULL; i++) {
        if (strcmp(text, table(i)) == 0)
            return i;
    }
    arc_hdf5_refuse(reader->file, "unknown %s in '%s'", name, path);
    return 0;
}

static void read_net(FitReader *reader, ArcFittedNet *net, int d)
{
    char group[PATH_SIZE], path[PATH_SIZE];
    ArcHdf5 *file = reader->file;
    fit_path(group, reader, "net");
    int n = arc_hdf5_rows(file, fit_path(path, reader, "net/widths"));
    if (n < 1 || n > ARC_NET_MAX_LAYERS)
        arc_hdf5_refuse(file, "'%s' does not fit", path);
    const int *widths = arc_hdf5_integers(file, path, n);
    if (!reader_is_good(reader))
        return;
    net->settings.n_hidden = n;
    for (int i = 0; i < n; i++) {
        net->settings.widths[i] = widths[i];
        if (widths[i] < 1 || widths[i] > ARC_NET_MAX_WIDTH) {
            arc_hdf5_refuse(file, "'%s' is out of range", path);
            return;
        }
    }
    net->settings.activation =
        (ArcActivation)read_choice(reader, group, "activation", arc_activation_name);
    net->settings.init = (ArcNetInit)read_choice(reader, group, "init", arc_net_init_name);
    net->settings.slope_low = arc_hdf5_number(file, group, "slope_low");
    net->settings.slope_high = arc_hdf5_number(file, group, "slope_high");
    net->settings.fourier_modes = read_count(reader, group, "fourier_modes", 0, ARC_NET_MAX_MODES);
    net->settings.fourier_base = arc_hdf5_number(file, group, "fourier_base");
    net->settings.skip = read_count(reader, group, "skip", 0, 1) == 1;
    net->settings.windows = read_count(reader, group, "windows", 1, ARC_NET_MAX_WINDOWS);
    net->n_outputs = read_count(reader, group, "outputs", d, d + 1);
    net->n_segments = arc_hdf5_rows(file, fit_path(path, reader, "net/begin"));
    if (net->n_segments < 1 || net->n_segments > ARC_MAX_SEGMENTS)
        arc_hdf5_refuse(file, "'%s' does not fit", path);
    if (!reader_is_good(reader))
        return;
    net->begin_s = arc_hdf5_reals(file, path, net->n_segments, 0);
    net->span_s = arc_hdf5_reals(file, fit_path(path, reader, "net/span"), net->n_segments, 0);
    net->scale_m_s2 = arc_hdf5_number(file, group, "scale_m_s2");
    net->collocation = read_count(reader, group, "collocation", 0, INT_MAX);
    net->n_weights =
        net->n_segments * (int)arc_net_settings_n_weights(&net->settings, net->n_outputs);
    net->weights = arc_hdf5_reals(file, fit_path(path, reader, "net/weights"), net->n_weights, 0);
}

static const char *stop_name(int i)
{
    return i >= 0 && i <= ARC_STOP_INTERRUPTED ? arc_stop_text((ArcStop)i) : NULL;
}

static const ArcFit *read_fit(FitReader *reader, ArcMethod method, const ArcResult *result)
{
    const ArcCapture *capture = result->capture;
    char path[PATH_SIZE];
    ArcFit *fit = READER_ALLOC(reader, 1, ArcFit);
    if (!reader_is_good(reader))
        return NULL;
    fit->method = method;
    fit->wall_s = NAN; /* is not stored */
    fit->converged = read_count(reader, reader->group, "converged", 0, 1) == 1;
    fit->stop = (ArcStop)read_choice(reader, reader->group, "stop", stop_name);
    fit->iterations = read_count(reader, reader->group, "iterations", 0, INT_MAX);
    const char *note = arc_hdf5_text(reader->file, reader->group, "stop_note");
    fit->stop_note = note[0] == '\0' ? NULL : note;
    const char *stages = arc_hdf5_text(reader->file, reader->group, "stages");
    fit->stages = stages[0] == '\0' ? NULL : stages;
    fit->n_starts = read_count(reader, reader->group, "starts", 0, INT_MAX);
    fit->n_starts_converged = read_count(reader, reader->group, "starts_converged", 0, INT_MAX);
    fit->start_spread_sd = arc_hdf5_number(reader->file, reader->group, "start_spread_sd");
    read_residuals(reader, &fit->residuals);
    if (!arc_spread_read(reader->file, reader->arena, reader->group, capture, fit))
        reader->no_memory = true;
    if (!arc_estimates_read(reader->file, reader->arena, reader->group, "parameters",
                            2 * ARC_MAX_PARAMETERS, &fit->n_parameters, &fit->parameters) ||
        !arc_estimates_read(reader->file, reader->arena, reader->group, "derived", ARC_MAX_DERIVED,
                            &fit->n_derived, &fit->derived))
        reader->no_memory = true;
    if (arc_hdf5_has(reader->file, fit_path(path, reader, "remarks"))) {
        fit->n_remarks = arc_hdf5_rows(reader->file, path);
        fit->remarks = arc_hdf5_texts(reader->file, path, fit->n_remarks);
    }
    read_covariance(reader, fit);
    read_unidentified(reader, fit);
    if (reader->states.states == NULL)
        read_trajectory(reader, fit, capture);
    else
        read_states(reader, fit, capture);
    read_history(reader, fit);
    if (arc_hdf5_has(reader->file, fit_path(path, reader, "net")))
        read_net(reader, &fit->net, fit->dimensions);
    if (!arc_camera_parts_read_fit(reader->file, reader->arena, reader->group, capture, fit))
        reader->no_memory = true;
    if (!arc_uncertainty_read(reader->file, reader->arena, reader->group, fit) ||
        (result->n_flights > 0 && !arc_flights_read(&reader->states, reader->group, result, fit)) ||
        !arc_randomised_parts_read(reader->file, reader->arena, reader->group, fit))
        reader->no_memory = true;
    if (reader_is_good(reader) &&
        (!arc_closure_parts_read(reader->file, reader->arena, reader->group, fit) ||
         !arc_arm_hdf5_read(reader->file, reader->arena, reader->group, 1, fit) ||
         !arc_identifiability_read(reader->file, reader->arena, reader->group, fit)))
        reader->no_memory = true;
    return fit;
}

static const ArcCapture *read_capture(FitReader *reader)
{
    ArcHdf5 *file = reader->file;
    ArcCapture *capture = READER_ALLOC(reader, 1, ArcCapture);
    int n = arc_hdf5_rows(file, "/capture/time");
    ArcStatesFile *set = &reader->states;
    int d = set->states != NULL ? set->states->n_channels : arc_hdf5_rows(file, "/axis");
    if (set->states == NULL && (d < 2 || d > 3))
        arc_hdf5_refuse(file, "neither two nor three axes");
    const int *use = arc_hdf5_integers(file, "/capture/use", n);
    ArcPointUse *uses = READER_ALLOC(reader, n, ArcPointUse);
    if (!reader_is_good(reader))
        return NULL;
    capture->file = arc_hdf5_text(file, "/capture", "file");
    capture->n_points = n;
    capture->dimensions = d;
    capture->time_s = arc_hdf5_reals(file, "/capture/time", n, 0);
    if (set->states == NULL) {
        capture->position_m = arc_hdf5_reals(file, "/capture/position", n, d);
        capture->sigma_m = arc_hdf5_reals(file, "/capture/sigma", n, d);
    } else {
        capture->n_channels = d;
        capture->position_m = arc_states_read_channels(set, "/capture/channels", n);
        capture->sigma_m = arc_states_read_channels(set, "/capture/sigma", n);
        reader->no_memory = reader->no_memory || set->no_memory;
    }
    capture->line = arc_hdf5_integers(file, "/capture/line", n);
    capture->use = uses;
    for (int i = 0; i < n; i++) {
        if (use[i] < ARC_POINT_UNUSED || use[i] > ARC_POINT_HELD_OUT) {
            arc_hdf5_refuse(file, "'/capture/use' is out of range");
            break;
        }
        uses[i] = (ArcPointUse)use[i];
        capture->n_fit += uses[i] == ARC_POINT_FIT ? 1 : 0;
        capture->n_held_out += uses[i] == ARC_POINT_HELD_OUT ? 1 : 0;
    }
    if (!arc_camera_parts_read(file, reader->arena, capture))
        reader->no_memory = true;
    return capture;
}

static void read_root(FitReader *reader, ArcResult *result)
{
    ArcHdf5 *file = reader->file;
    uint64_t schema = arc_hdf5_count(file, "/", "schema");
    if (arc_hdf5_is_good(file) && schema != ARC_DOCUMENT_SCHEMA)
        arc_hdf5_refuse(file, "schema %llu is not known to this arcfit (it knows %d)",
                        (unsigned long long)schema, ARC_DOCUMENT_SCHEMA);
    result->version = arc_hdf5_text(file, "/", "arcfit");
    result->libraries = arc_libraries_read(file, reader->arena);
    reader->no_memory = reader->no_memory || result->libraries == NULL;
    result->name = arc_hdf5_text(file, "/", "name");
    result->seed = arc_hdf5_count(file, "/", "seed");
    result->experiment_text = arc_hdf5_text(file, "/", "experiment");
    result->experiment_path = arc_hdf5_text(file, "/", "experiment_path");
    result->n_settings = arc_hdf5_rows(file, "/settings/path");
    result->setting_paths = arc_hdf5_texts(file, "/settings/path", result->n_settings);
    result->setting_values = arc_hdf5_texts(file, "/settings/value", result->n_settings);
    result->n_overrides = arc_hdf5_rows(file, "/overrides");
    result->overrides = arc_hdf5_texts(file, "/overrides", result->n_overrides);
}

/* Of one flight: the same arm in both, and as many readings. */
static bool arms_fit(const ArcFit *a, const ArcFit *b)
{
    return (a->arm == NULL) == (b->arm == NULL) &&
           a->residuals.n_readings == b->residuals.n_readings &&
           (a->arm == NULL || a->arm->n_joints == b->arm->n_joints);
}

/* Both fits describe the same parameters, else nothing can be compared. */
static void check_fits(ArcHdf5 *file, const ArcResult *result)
{
    if (result->n_fits == 0)
        arc_hdf5_refuse(file, "no fit in it");
    if (!arc_hdf5_is_good(file) || result->n_fits < 2)
        return;
    const ArcFit *a = result->fits[0], *b = result->fits[1];
    bool same = arms_fit(a, b) && a->n_parameters == b->n_parameters &&
                a->n_trajectory == b->n_trajectory && a->n_flights == b->n_flights;
    if (same && a->n_flights > 0)
        same = a->flights[0].n_parameters == b->flights[0].n_parameters &&
               a->flights[0].n_trajectory == b->flights[0].n_trajectory;
    for (int f = 0; same && f < a->n_flights; f++)
        same = arms_fit(&a->flights[f], &b->flights[f]);
    for (int p = 0; same && p < a->n_parameters; p++)
        same = strcmp(a->parameters[p].name, b->parameters[p].name) == 0;
    if (!same)
        arc_hdf5_refuse(file, "its two fits do not fit each other");
}

static ArcStatus read_result(FitReader *reader, ArcResult *result, ArcError *err)
{
    static const char *const groups[] = {"/fits/pinn", "/fits/direct"};
    read_root(reader, result);
    arc_states_read_model(&reader->states, result);
    if (reader->states.no_memory)
        return arc_error_no_memory(err);
    result->capture = read_capture(reader);
    if (result->capture != NULL && !arc_flights_read_captures(reader->file, reader->arena, result))
        reader->no_memory = true;
    for (int i = 0; i < 2; i++) {
        reader->group = groups[i];
        if (result->capture != NULL && arc_hdf5_has(reader->file, groups[i]))
            result->fits[result->n_fits++] =
                read_fit(reader, i == 0 ? ARC_PINN : ARC_DIRECT, result);
    }
    arc_breach_parts_read(reader->file, &result->comparison.physics);
    if (reader->no_memory)
        return arc_error_no_memory(err);
    check_fits(reader->file, result);
    return arc_hdf5_status(reader->file, err);
}

ArcStatus arc_report_read_hdf5(const char *path, ArcResult **result, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcResult *read = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcResult);
    ArcHdf5 *file = NULL;
    if (read == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    read->arena = arena;
    ArcStatus status = arc_hdf5_open(path, arena, &file, err);
    if (status == ARC_OK) {
        FitReader reader = {
            .file = file, .arena = arena, .group = "", .states = {.file = file, .arena = arena}};
        status = read_result(&reader, read, err);
        arc_hdf5_close(file);
    }
    if (status == ARC_OK)
        status = arc_result_compare(read, err);
    if (status != ARC_OK) {
        arc_arena_free(arena);
        return status;
    }
    *result = read;
    return ARC_OK;
}

bool arc_report_is_hdf5(const char *path)
{
    return arc_hdf5_is_file(path);
}
