/* A Result as HDF5. The layout is README's "Results"; report_hdf5_read.c is its mirror image.
 *
 *   /                  schema arcfit name seed experiment experiment_path, versions of libraries
 * (libraries.h) /axis /interval    names of the axes, of the ends of an interval
 *   /settings/{path,value}  /overrides
 *   /capture           file; {time,position,sigma,use,line}
 *   /fits/{pinn,direct}     how it ended and the residuals as attributes;
 *      parameters, derived  {name,value,sd,ci95,unit,start,status,free_index,reason}
 *      remarks (where there are any)
 *      free covariance predicted unidentified/{size,parameter,direction}
 *      trajectory/{time,position,velocity,acceleration}
 *      history/{row,start,stage,iteration,cost,observations,physics,priors,step_sd,rate}
 *      net/{widths,weights,begin,span} (PINN)
 *      outliers/{row,point,line,axis,residual,residual_sd,weight}
 *      profiles bootstrap samples (report_uncertainty_hdf5.c)
 *      randomised (randomised_parts.h)
 *      measured arm (report_arm_hdf5.c), identifiability (identifiability_hdf5.c)
 *      flights (flights_hdf5.c), closure (closure_hdf5.c)
 *   /model                  own equations: states_hdf5.h, also for what their trajectories,
 * captures and predicted numbers have in place of the above /flights                where each of
 * several flights stands in /capture (flights_hdf5.c) /comparison/physics     where the flight
 * leaves its equations, as attributes
 *
 * The time that a fit took is left out, so that equal results are equal bytes.
 */
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
#include "report/states_parts.h"
#include "report/uncertainty.h"

#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 96 };

/* What every array of one fit needs. */
typedef struct FitWriter {
    ArcHdf5 *file;
    ArcArena *arena;
    const char *group; /* "/fits/pinn" */
} FitWriter;

/* A dimension scale: its path and length. */
typedef struct Scale {
    const char *path;
    int length;
} Scale;

static Scale write_scale(ArcHdf5 *file, Scale scale, ArcHdf5Kind kind, const void *data,
                         const char *units)
{
    arc_hdf5_write(file, &(ArcHdf5Array){.path = scale.path,
                                         .units = units,
                                         .kind = kind,
                                         .rows = (size_t)scale.length,
                                         .data = data});
    return scale;
}

/* One-dimensional array along scale. */
static void write_along(ArcHdf5 *file, const char *path, Scale scale, ArcHdf5Kind kind,
                        const void *data, const char *units)
{
    arc_hdf5_write(file, &(ArcHdf5Array){.path = path,
                                         .units = units,
                                         .kind = kind,
                                         .rows = (size_t)scale.length,
                                         .data = data,
                                         .scale = {scale.path, NULL}});
}

/* Two-dimensional array of numbers along two scales. */
static void write_matrix(ArcHdf5 *file, const char *path, Scale rows, Scale columns,
                         const double *data, const char *units)
{
    arc_hdf5_write(file, &(ArcHdf5Array){.path = path,
                                         .units = units,
                                         .kind = ARC_HDF5_REAL,
                                         .rows = (size_t)rows.length,
                                         .columns = (size_t)columns.length,
                                         .data = data,
                                         .scale = {rows.path, columns.path}});
}

static Scale scale_axis(int dimensions)
{
    return (Scale){"/axis", dimensions};
}

static const char *fit_path(char path[PATH_SIZE], const FitWriter *writer, const char *rest)
{
    snprintf(path, PATH_SIZE, "%.40s/%.50s", writer->group, rest);
    return path;
}

/* Covariance with the names of its rows, and the groups that cannot be told apart. */
static bool write_covariance(const FitWriter *writer, const ArcFit *fit)
{
    char free_path[PATH_SIZE], size_path[PATH_SIZE], path[PATH_SIZE];
    const char **names = ARC_ALLOC(writer->arena, (size_t)fit->n_free, const char *);
    int n_members = 0;
    for (int g = 0; g < fit->n_unidentified; g++)
        n_members += fit->unidentified_size[g];
    int *members = ARC_ALLOC(writer->arena, (size_t)n_members, int);
    if (names == NULL || members == NULL)
        return false;
    for (int p = 0; p < fit->n_parameters; p++) {
        if (fit->parameters[p].free_index >= 0)
            names[fit->parameters[p].free_index] = fit->parameters[p].name;
    }
    Scale unknowns =
        write_scale(writer->file, (Scale){fit_path(free_path, writer, "free"), fit->n_free},
                    ARC_HDF5_TEXT, names, "text");
    if (fit->n_free > 0)
        write_matrix(writer->file, fit_path(path, writer, "covariance"), unknowns, unknowns,
                     fit->covariance, "product of the rows' units");
    Scale group_sizes =
        write_scale(writer->file,
                    (Scale){fit_path(size_path, writer, "unidentified/size"), fit->n_unidentified},
                    ARC_HDF5_INTEGER, fit->unidentified_size, "1");
    if (fit->n_unidentified > 0)
        write_matrix(writer->file, fit_path(path, writer, "unidentified/direction"), group_sizes,
                     unknowns, fit->null_directions, "unit of the column");
    for (int g = 0, k = 0; g < fit->n_unidentified; g++) {
        for (int i = 0; i < fit->unidentified_size[g]; i++)
            members[k++] = fit->unidentified[g][i];
    }
    write_scale(writer->file, (Scale){fit_path(path, writer, "unidentified/parameter"), n_members},
                ARC_HDF5_INTEGER, members, "1");
    return true;
}

static void write_trajectory(const FitWriter *writer, const ArcFit *fit, int n_points)
{
    char time_path[PATH_SIZE], path[PATH_SIZE];
    Scale axis = scale_axis(fit->dimensions);
    Scale time = write_scale(
        writer->file, (Scale){fit_path(time_path, writer, "trajectory/time"), fit->n_trajectory},
        ARC_HDF5_REAL, fit->time_s, "s");
    write_matrix(writer->file, fit_path(path, writer, "trajectory/position"), time, axis,
                 fit->position_m, "m");
    write_matrix(writer->file, fit_path(path, writer, "trajectory/velocity"), time, axis,
                 fit->velocity_m_s, "m/s");
    write_matrix(writer->file, fit_path(path, writer, "trajectory/acceleration"), time, axis,
                 fit->acceleration_m_s2, "m/s^2");
    write_matrix(writer->file, fit_path(path, writer, "predicted"),
                 (Scale){"/capture/time", n_points}, axis, fit->predicted_m, "m");
}

static bool write_history(const FitWriter *writer, const ArcFit *fit)
{
    static const char *const integer_names[] = {"history/row", "history/start", "history/stage",
                                                "history/iteration"};
    static const char *const real_names[] = {"history/cost",    "history/observations",
                                             "history/physics", "history/priors",
                                             "history/step_sd", "history/rate"};
    enum { INTEGERS = 4, REALS = 6 };
    size_t n = (size_t)fit->n_history;
    int *integers = ARC_ALLOC(writer->arena, INTEGERS * n, int);
    double *reals = ARC_ALLOC(writer->arena, REALS * n, double);
    char row_path[PATH_SIZE], path[PATH_SIZE];
    if (integers == NULL || reals == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const ArcHistoryRow *row = &fit->history[i];
        const int whole[INTEGERS] = {(int)i, row->start, row->stage, row->iteration};
        const double real[REALS] = {row->cost,   row->observations, row->physics,
                                    row->priors, row->step_sd,      row->rate};
        for (size_t k = 0; k < INTEGERS; k++)
            integers[k * n + i] = whole[k];
        for (size_t k = 0; k < REALS; k++)
            reals[k * n + i] = real[k];
    }
    Scale row = write_scale(writer->file,
                            (Scale){fit_path(row_path, writer, integer_names[0]), fit->n_history},
                            ARC_HDF5_INTEGER, integers, "1");
    for (size_t k = 1; k < INTEGERS; k++)
        write_along(writer->file, fit_path(path, writer, integer_names[k]), row, ARC_HDF5_INTEGER,
                    integers + k * n, "1");
    for (size_t k = 0; k < REALS; k++)
        write_along(writer->file, fit_path(path, writer, real_names[k]), row, ARC_HDF5_REAL,
                    reals + k * n, "1");
    return true;
}

/* What equations are broken by, as an attribute. */
static void write_physics(const FitWriter *writer, const char *name, const ArcStatesFit *states,
                          double value)
{
    char whole[40];
    snprintf(whole, sizeof whole, "%.25s%s", name, arc_states_physics_suffix(states));
    arc_hdf5_put_number(writer->file, writer->group, whole, value);
}

static void write_residuals(const FitWriter *writer, const ArcResiduals *residuals,
                            const ArcStatesFit *states)
{
    const char *group = writer->group;
    arc_hdf5_put_count(writer->file, group, "points", (uint64_t)residuals->points);
    arc_hdf5_put_count(writer->file, group, "observations", (uint64_t)residuals->observations);
    arc_hdf5_put_number(writer->file, group, "chi2", residuals->chi2);
    arc_hdf5_put_number(writer->file, group, "prior_chi2", residuals->prior_chi2);
    arc_hdf5_put_number(writer->file, group, "dof", residuals->dof);
    arc_hdf5_put_number(writer->file, group, "chi2_p", residuals->chi2_p);
    arc_hdf5_put_number(writer->file, group, "rms_m", residuals->rms_m);
    write_physics(writer, "physics_rms", states, residuals->physics_rms_m_s2);
    write_physics(writer, "physics_rms_fine", states, residuals->physics_rms_fine_m_s2);
    write_physics(writer, "sigma_phys", states, residuals->sigma_phys_m_s2);
    write_physics(writer, "sigma_phys_low", states, residuals->sigma_phys_ci95_m_s2[0]);
    write_physics(writer, "sigma_phys_high", states, residuals->sigma_phys_ci95_m_s2[1]);
    arc_hdf5_put_count(writer->file, group, "held_out_points",
                       (uint64_t)residuals->held_out_points);
    arc_hdf5_put_number(writer->file, group, "held_out_rms_m", residuals->held_out_rms_m);
}

static void write_net(const FitWriter *writer, const ArcFittedNet *net)
{
    char group[PATH_SIZE], path[PATH_SIZE], span[PATH_SIZE];
    const ArcNetSettings *settings = &net->settings;
    fit_path(group, writer, "net");
    write_scale(writer->file, (Scale){fit_path(path, writer, "net/widths"), settings->n_hidden},
                ARC_HDF5_INTEGER, settings->widths, "1");
    write_scale(writer->file, (Scale){fit_path(path, writer, "net/weights"), net->n_weights},
                ARC_HDF5_REAL, net->weights, "1");
    arc_hdf5_put_text(writer->file, group, "activation",
                      arc_activation_name((int)settings->activation));
    arc_hdf5_put_text(writer->file, group, "init", arc_net_init_name((int)settings->init));
    arc_hdf5_put_number(writer->file, group, "slope_low", settings->slope_low);
    arc_hdf5_put_number(writer->file, group, "slope_high", settings->slope_high);
    arc_hdf5_put_count(writer->file, group, "fourier_modes", (uint64_t)settings->fourier_modes);
    arc_hdf5_put_number(writer->file, group, "fourier_base", settings->fourier_base);
    arc_hdf5_put_count(writer->file, group, "skip", settings->skip ? 1 : 0);
    arc_hdf5_put_count(writer->file, group, "windows",
                       settings->windows > 1 ? (uint64_t)settings->windows : 1);
    Scale segment =
        write_scale(writer->file, (Scale){fit_path(path, writer, "net/begin"), net->n_segments},
                    ARC_HDF5_REAL, net->begin_s, "s");
    write_along(writer->file, fit_path(span, writer, "net/span"), segment, ARC_HDF5_REAL,
                net->span_s, "s");
    arc_hdf5_put_count(writer->file, group, "outputs", (uint64_t)net->n_outputs);
    arc_hdf5_put_number(writer->file, group, "scale_m_s2", net->scale_m_s2);
    arc_hdf5_put_count(writer->file, group, "collocation", (uint64_t)net->collocation);
}

static void write_remarks(FitWriter *writer, const ArcFit *fit)
{
    char path[PATH_SIZE];
    if (fit->n_remarks > 0)
        write_scale(writer->file, (Scale){fit_path(path, writer, "remarks"), fit->n_remarks},
                    ARC_HDF5_TEXT, fit->remarks, "1");
}

/* Of own equations: channels, predicted and trajectory. */
static bool write_states(ArcHdf5 *file, ArcArena *arena, const char *group, const ArcFit *fit,
                         int n_points)
{
    char path[PATH_SIZE];
    ArcStatesFile set = {.file = file, .arena = arena, .states = fit->states};
    const double *const motion[] = {fit->position_m, fit->velocity_m_s, fit->acceleration_m_s2};
    arc_states_write_fits(&set, group, 1, fit);
    arc_states_write_trajectory(&set, group, fit->n_trajectory, fit->time_s, motion);
    snprintf(path, sizeof path, "%.40s/predicted", group);
    arc_states_write_channels(&set, path, "/capture/time", n_points, fit->predicted_m);
    return !set.no_memory;
}

static bool write_fit(ArcHdf5 *file, ArcArena *arena, const ArcFit *fit, int n_points)
{
    FitWriter writer = {file, arena, fit->method == ARC_PINN ? "/fits/pinn" : "/fits/direct"};
    arc_hdf5_put_count(file, writer.group, "converged", fit->converged ? 1 : 0);
    arc_hdf5_put_text(file, writer.group, "stop", arc_stop_text(fit->stop));
    arc_hdf5_put_count(file, writer.group, "iterations", (uint64_t)fit->iterations);
    arc_hdf5_put_text(file, writer.group, "stop_note",
                      fit->stop_note == NULL ? "" : fit->stop_note);
    arc_hdf5_put_text(file, writer.group, "stages", fit->stages == NULL ? "" : fit->stages);
    arc_hdf5_put_count(file, writer.group, "starts", (uint64_t)fit->n_starts);
    arc_hdf5_put_count(file, writer.group, "starts_converged", (uint64_t)fit->n_starts_converged);
    arc_hdf5_put_number(file, writer.group, "start_spread_sd", fit->start_spread_sd);
    write_residuals(&writer, &fit->residuals, fit->states);
    if (!arc_estimates_write(file, arena, writer.group, "parameters", fit->n_parameters,
                             fit->parameters) ||
        !arc_estimates_write(file, arena, writer.group, "derived", fit->n_derived, fit->derived) ||
        !arc_spread_write(file, arena, writer.group, fit) || !write_covariance(&writer, fit) ||
        !write_history(&writer, fit))
        return false;
    write_remarks(&writer, fit);
    if (fit->states == NULL)
        write_trajectory(&writer, fit, n_points);
    else if (!write_states(file, arena, writer.group, fit, n_points))
        return false;
    if (fit->net.weights != NULL)
        write_net(&writer, &fit->net);
    if (fit->n_flights > 0 && !arc_flights_write(file, arena, writer.group, fit))
        return false;
    if (!arc_arm_hdf5_write(file, arena, writer.group, 1, fit) ||
        !arc_identifiability_write(file, arena, writer.group, fit))
        return false;
    if (!arc_closure_parts_write(file, arena, writer.group, fit) ||
        !arc_camera_parts_write_fit(file, arena, writer.group, fit, n_points))
        return false;
    return arc_uncertainty_write(file, arena, writer.group, fit) &&
           arc_randomised_parts_write(file, arena, writer.group, fit);
}

static bool write_capture(ArcHdf5 *file, ArcArena *arena, const ArcCapture *capture,
                          const ArcStatesFit *states)
{
    ArcStatesFile set = {.file = file, .arena = arena, .states = states};
    int n = capture->n_points;
    Scale time = {"/capture/time", n}, axis = scale_axis(capture->dimensions);
    int *use = ARC_ALLOC(arena, (size_t)n, int);
    if (use == NULL)
        return false;
    for (int i = 0; i < n; i++)
        use[i] = (int)capture->use[i];
    write_scale(file, time, ARC_HDF5_REAL, capture->time_s, "s");
    if (states == NULL) {
        write_matrix(file, "/capture/position", time, axis, capture->position_m, "m");
        write_matrix(file, "/capture/sigma", time, axis, capture->sigma_m, "m");
    } else {
        arc_states_write_channels(&set, "/capture/channels", time.path, n, capture->position_m);
        arc_states_write_channels(&set, "/capture/sigma", time.path, n, capture->sigma_m);
    }
    write_along(file, "/capture/use", time, ARC_HDF5_INTEGER, use, "1");
    arc_hdf5_put_text(file, "/capture/use", "values", "0 unused, 1 fitted, 2 held out");
    write_along(file, "/capture/line", time, ARC_HDF5_INTEGER, capture->line, "1");
    arc_hdf5_put_text(file, "/capture", "file", capture->file);
    return !set.no_memory && arc_camera_parts_write(file, arena, capture);
}

static void write_root(ArcHdf5 *file, const ArcResult *result)
{
    static const char *const axes[] = {"x", "y", "z"};
    static const char *const ends[] = {"low", "high"};
    arc_hdf5_put_count(file, "/", "schema", ARC_DOCUMENT_SCHEMA);
    arc_hdf5_put_text(file, "/", "arcfit", result->version);
    arc_hdf5_put_text(file, "/", "name", result->name);
    arc_hdf5_put_count(file, "/", "seed", result->seed);
    arc_hdf5_put_text(file, "/", "experiment", result->experiment_text);
    arc_hdf5_put_text(file, "/", "experiment_path", result->experiment_path);
    arc_libraries_write(file);
    Scale paths = {"/settings/path", result->n_settings};
    if (arc_states_parts_of_result(result) == NULL)
        write_scale(file, scale_axis(result->capture->dimensions), ARC_HDF5_TEXT, axes, "text");
    write_scale(file, (Scale){"/interval", 2}, ARC_HDF5_TEXT, ends, "text");
    write_scale(file, paths, ARC_HDF5_TEXT, result->setting_paths, "text");
    write_along(file, "/settings/value", paths, ARC_HDF5_TEXT, result->setting_values, "text");
    write_scale(file, (Scale){"/overrides", result->n_overrides}, ARC_HDF5_TEXT, result->overrides,
                "text");
}

ArcStatus arc_report_write_hdf5(const ArcResult *result, const char *path, ArcError *err)
{
    ArcHdf5 *file = NULL;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_hdf5_create(&file, err);
    if (status == ARC_OK) {
        ArcStatesFile set = {file, arena, arc_states_parts_of_result(result), false};
        write_root(file, result);
        arc_states_write_model(&set, result);
        bool gathered = !set.no_memory && write_capture(file, arena, result->capture, set.states) &&
                        arc_flights_write_captures(file, arena, result);
        for (int i = 0; gathered && i < result->n_fits; i++)
            gathered = write_fit(file, arena, result->fits[i], result->capture->n_points);
        arc_breach_parts_write(file, &result->comparison.physics);
        status = gathered ? arc_hdf5_save(file, path, err) : arc_error_no_memory(err);
    }
    arc_hdf5_close(file);
    arc_arena_free(arena);
    return status;
}
