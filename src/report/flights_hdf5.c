/* Flights fitted together to HDF5 and back.
 *
 *   /flights/{name,number,points}      where each stands in the arrays of /capture
 *   /fits/METHOD/flights/
 *      {converged,points,observations,dof,held_out_points,chi2,...}   a row a flight
 *      parameters, derived             all flights' rows one behind the other:
 *         {kind,value,sd,start,ci95,status,free_index}, {kind_name,kind_unit} by kind,
 *         {reason_row,reason}          of rows that have one
 *      {derived,unidentified,remarks}_count                           of each flight
 *      covariance (flights x free, free), unidentified/{size,parameter,direction}, remarks
 *      trajectory/{time,position,velocity,acceleration}               (flights x points)
 *      of own equations states, trajectory/{time,states}          (states_hdf5.h)
 *      net/{weights,weights_count,span,span_count,scale}              (PINN)
 *      measured, arm                   (report_arm_hdf5.c)
 * Predicted positions are those of the whole fit. Nets are written for other programs; no command
 * needs them.
 */
#include "report/arm_hdf5.h"
#include "report/flights_parts.h"
#include "report/states_parts.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 96, MOST_FLIGHTS = 1000000 };

/* Numbers of a flight that have a row each. */
typedef struct Column {
    const char *name, *units;
    bool is_real;
    size_t offset; /* in ArcResiduals */
} Column;

static const Column columns[] = {
    {"points", "1", false, offsetof(ArcResiduals, points)},
    {"observations", "1", false, offsetof(ArcResiduals, observations)},
    {"dof", "1", false, offsetof(ArcResiduals, dof)},
    {"held_out_points", "1", false, offsetof(ArcResiduals, held_out_points)},
    {"chi2", "1", true, offsetof(ArcResiduals, chi2)},
    {"prior_chi2", "1", true, offsetof(ArcResiduals, prior_chi2)},
    {"chi2_p", "1", true, offsetof(ArcResiduals, chi2_p)},
    {"rms", "m", true, offsetof(ArcResiduals, rms_m)},
    {"held_out_rms", "m", true, offsetof(ArcResiduals, held_out_rms_m)},
    {"rms_px", "px", true, offsetof(ArcResiduals, rms_px)},
    {"held_out_rms_px", "px", true, offsetof(ArcResiduals, held_out_rms_px)},
    {"physics_rms", "m/s^2", true, offsetof(ArcResiduals, physics_rms_m_s2)},
    {"physics_rms_fine", "m/s^2", true, offsetof(ArcResiduals, physics_rms_fine_m_s2)},
    {"sigma_phys", "m/s^2", true, offsetof(ArcResiduals, sigma_phys_m_s2)},
};
enum { N_COLUMNS = sizeof columns / sizeof columns[0] };

/* Of own equations what they are broken by is no acceleration. */
static const char *units_of(const Column *column, const ArcStatesFit *states)
{
    return strcmp(column->units, "m/s^2") == 0 ? arc_states_physics_unit(states) : column->units;
}

/* Names of the arrays of a trajectory, in the order of the pointers in ArcFit. */
static const char *const trajectory_names[] = {"trajectory/position", "trajectory/velocity",
                                               "trajectory/acceleration"};
static const char *const trajectory_units[] = {"m", "m/s", "m/s^2"};

/* An array of one group's flights, written one after the other. */
typedef struct Writer {
    ArcHdf5 *file;
    ArcArena *arena;
    const char *group;
    char scale[PATH_SIZE]; /* of the flights */
} Writer;

static const char *flight_path(char path[PATH_SIZE], const char *group, const char *name)
{
    snprintf(path, PATH_SIZE, "%.40s/flights/%.40s", group, name);
    return path;
}

/* (rows [, columns]) along scales; a scale of NULL makes it one. */
static void write_array(const Writer *writer, const char *name, const ArcHdf5Array *shape)
{
    char path[PATH_SIZE];
    ArcHdf5Array array = *shape;
    array.path = flight_path(path, writer->group, name);
    arc_hdf5_write(writer->file, &array);
}

static bool write_numbers(const Writer *writer, const ArcFit *fit)
{
    size_t n = (size_t)fit->n_flights;
    for (int k = -1; k < N_COLUMNS; k++) {
        double *reals = ARC_ALLOC(writer->arena, n, double);
        int *whole = ARC_ALLOC(writer->arena, n, int);
        bool is_real = k >= 0 && columns[k].is_real;
        if (reals == NULL || whole == NULL)
            return false;
        for (size_t f = 0; f < n; f++) {
            const char *residuals = (const char *)&fit->flights[f].residuals;
            if (k < 0)
                whole[f] = fit->flights[f].converged;
            else
                memcpy(is_real ? (void *)&reals[f] : (void *)&whole[f],
                       residuals + columns[k].offset, is_real ? sizeof(double) : sizeof(int));
        }
        write_array(writer, k < 0 ? "converged" : columns[k].name,
                    &(ArcHdf5Array){.units = k < 0 ? "1" : units_of(&columns[k], fit->states),
                                    .kind = is_real ? ARC_HDF5_REAL : ARC_HDF5_INTEGER,
                                    .rows = n,
                                    .data = is_real ? (void *)reals : (void *)whole,
                                    .scale = {writer->scale, NULL}});
    }
    return true;
}

static void write_counts(const Writer *writer, const char *name, int n, const int *counts)
{
    write_array(writer, name,
                &(ArcHdf5Array){.units = "1",
                                .kind = ARC_HDF5_INTEGER,
                                .rows = (size_t)n,
                                .data = counts,
                                .scale = {writer->scale, NULL}});
}

/* Estimates of all flights in columns. Texts repeat from flight to flight: the kinds are listed
 * once, reasons where there are some. */
typedef struct Rows {
    int n, n_kinds, n_reasons;
    const ArcEstimate *all;
    const char **kind_name, **kind_unit, **reason_text;
    int *kind, *status, *free_index, *reason_row;
    double *value, *sd, *start, *ci95;
} Rows;

static int kind_of(Rows *rows, const ArcEstimate *e)
{
    for (int k = 0; k < rows->n_kinds; k++)
        if (strcmp(rows->kind_name[k], e->name) == 0 && strcmp(rows->kind_unit[k], e->unit) == 0)
            return k;
    rows->kind_name[rows->n_kinds] = e->name;
    rows->kind_unit[rows->n_kinds] = e->unit;
    return rows->n_kinds++;
}

static bool rows_gather(ArcArena *arena, Rows *rows)
{
    size_t n = (size_t)rows->n;
    const char **texts = ARC_ALLOC(arena, 3 * n, const char *);
    int *whole = ARC_ALLOC(arena, 4 * n, int);
    double *reals = ARC_ALLOC(arena, 5 * n, double);
    if (texts == NULL || whole == NULL || reals == NULL)
        return false;
    rows->kind_name = texts;
    rows->kind_unit = texts + n;
    rows->reason_text = texts + 2 * n;
    rows->kind = whole;
    rows->status = whole + n;
    rows->free_index = whole + 2 * n;
    rows->reason_row = whole + 3 * n;
    rows->value = reals;
    rows->sd = reals + n;
    rows->start = reals + 2 * n;
    rows->ci95 = reals + 3 * n;
    for (int i = 0; i < rows->n; i++) {
        const ArcEstimate *e = &rows->all[i];
        rows->kind[i] = kind_of(rows, e);
        rows->status[i] = (int)e->status;
        rows->free_index[i] = e->free_index;
        rows->value[i] = e->value;
        rows->sd[i] = e->sd;
        rows->start[i] = e->start;
        rows->ci95[2 * i] = e->ci95[0];
        rows->ci95[2 * i + 1] = e->ci95[1];
        if (e->reason == NULL)
            continue;
        rows->reason_row[rows->n_reasons] = i;
        rows->reason_text[rows->n_reasons++] = e->reason;
    }
    return true;
}

static void write_rows(const Writer *writer, const char *name, const Rows *rows)
{
    char inner[40], path[PATH_SIZE], names[PATH_SIZE], reasons[PATH_SIZE], kinds[PATH_SIZE];
    snprintf(inner, sizeof inner, "%.20s/kind", name);
    flight_path(kinds, writer->group, inner);
    snprintf(inner, sizeof inner, "%.20s/kind_name", name);
    flight_path(names, writer->group, inner);
    snprintf(inner, sizeof inner, "%.20s/reason_row", name);
    flight_path(reasons, writer->group, inner);
    const struct {
        const char *name, *units, *scale;
        ArcHdf5Kind kind;
        const void *data;
        int rows, columns;
    } columns_of[] = {
        {"kind_name", "text", NULL, ARC_HDF5_TEXT, rows->kind_name, rows->n_kinds, 0},
        {"kind_unit", "text", names, ARC_HDF5_TEXT, rows->kind_unit, rows->n_kinds, 0},
        {"kind", "1", NULL, ARC_HDF5_INTEGER, rows->kind, rows->n, 0},
        {"value", "unit of the kind", kinds, ARC_HDF5_REAL, rows->value, rows->n, 0},
        {"sd", "unit of the kind", kinds, ARC_HDF5_REAL, rows->sd, rows->n, 0},
        {"start", "unit of the kind", kinds, ARC_HDF5_REAL, rows->start, rows->n, 0},
        {"ci95", "unit of the kind", kinds, ARC_HDF5_REAL, rows->ci95, rows->n, 2},
        {"status", "1", kinds, ARC_HDF5_INTEGER, rows->status, rows->n, 0},
        {"free_index", "1", kinds, ARC_HDF5_INTEGER, rows->free_index, rows->n, 0},
        {"reason_row", "1", NULL, ARC_HDF5_INTEGER, rows->reason_row, rows->n_reasons, 0},
        {"reason", "text", reasons, ARC_HDF5_TEXT, rows->reason_text, rows->n_reasons, 0},
    };
    for (size_t i = 0; i < sizeof columns_of / sizeof columns_of[0]; i++) {
        snprintf(inner, sizeof inner, "%.20s/%.15s", name, columns_of[i].name);
        write_array(writer, inner,
                    &(ArcHdf5Array){.units = columns_of[i].units,
                                    .kind = columns_of[i].kind,
                                    .rows = (size_t)columns_of[i].rows,
                                    .columns = (size_t)columns_of[i].columns,
                                    .data = columns_of[i].data,
                                    .scale = {columns_of[i].scale,
                                              columns_of[i].columns > 0 ? "/interval" : NULL}});
    }
    snprintf(inner, sizeof inner, "%.20s/status", name);
    arc_hdf5_put_text(writer->file, flight_path(path, writer->group, inner), "values",
                      "0 free, 1 fixed, 2 at-bound, 3 unidentified, 4 tied");
}

/* All flights' parameters, or derived numbers, one behind the other. */
static bool write_all_estimates(const Writer *writer, const ArcFit *fit, bool is_derived)
{
    int n = 0, *counts = ARC_ALLOC(writer->arena, (size_t)fit->n_flights, int);
    for (int f = 0; f < fit->n_flights; f++)
        n += is_derived ? fit->flights[f].n_derived : fit->flights[f].n_parameters;
    ArcEstimate *all = ARC_ALLOC(writer->arena, (size_t)n, ArcEstimate);
    if (counts == NULL || all == NULL)
        return false;
    Rows rows = {.all = all};
    for (int f = 0; f < fit->n_flights; f++) {
        const ArcFit *flight = &fit->flights[f];
        counts[f] = is_derived ? flight->n_derived : flight->n_parameters;
        for (int i = 0; i < counts[f]; i++)
            all[rows.n++] = is_derived ? flight->derived[i] : flight->parameters[i];
    }
    if (!rows_gather(writer->arena, &rows))
        return false;
    if (is_derived)
        write_counts(writer, "derived_count", fit->n_flights, counts);
    write_rows(writer, is_derived ? "derived" : "parameters", &rows);
    return true;
}

static bool write_unidentified(const Writer *writer, const ArcFit *fit)
{
    int free = fit->flights[0].n_free, n = 0, n_members = 0;
    for (int f = 0; f < fit->n_flights; f++) {
        n += fit->flights[f].n_unidentified;
        for (int g = 0; g < fit->flights[f].n_unidentified; g++)
            n_members += fit->flights[f].unidentified_size[g];
    }
    int *counts = ARC_ALLOC(writer->arena, (size_t)(fit->n_flights + n + n_members), int);
    double *directions = ARC_ALLOC(writer->arena, (size_t)n * (size_t)free + 1, double);
    if (counts == NULL || directions == NULL)
        return false;
    int *sizes = counts + fit->n_flights, *members = sizes + n, group = 0, member = 0;
    for (int f = 0; f < fit->n_flights; f++) {
        const ArcFit *flight = &fit->flights[f];
        counts[f] = flight->n_unidentified;
        for (int g = 0; g < counts[f]; g++, group++) {
            sizes[group] = flight->unidentified_size[g];
            memcpy(directions + group * free, flight->null_directions + g * free,
                   sizeof(double) * (size_t)free);
            for (int i = 0; i < sizes[group]; i++)
                members[member++] = flight->unidentified[g][i];
        }
    }
    char size_path[PATH_SIZE];
    write_counts(writer, "unidentified_count", fit->n_flights, counts);
    write_array(
        writer, "unidentified/size",
        &(ArcHdf5Array){.units = "1", .kind = ARC_HDF5_INTEGER, .rows = (size_t)n, .data = sizes});
    write_array(
        writer, "unidentified/parameter",
        &(ArcHdf5Array){
            .units = "1", .kind = ARC_HDF5_INTEGER, .rows = (size_t)n_members, .data = members});
    flight_path(size_path, writer->group, "unidentified/size");
    char free_path[PATH_SIZE];
    if (n > 0)
        write_array(
            writer, "unidentified/direction",
            &(ArcHdf5Array){.units = "unit of the column",
                            .kind = ARC_HDF5_REAL,
                            .rows = (size_t)n,
                            .columns = (size_t)free,
                            .data = directions,
                            .scale = {size_path, flight_path(free_path, writer->group, "free")}});
    return true;
}

static bool write_covariances(const Writer *writer, const ArcFit *fit)
{
    const ArcFit *first = &fit->flights[0];
    size_t free = (size_t)first->n_free, n = (size_t)fit->n_flights;
    const char **names = ARC_ALLOC(writer->arena, free, const char *);
    double *all = ARC_ALLOC(writer->arena, n * free * free, double);
    int *rows = ARC_ALLOC(writer->arena, n * free, int);
    if (names == NULL || all == NULL || rows == NULL)
        return false;
    for (int p = 0; p < first->n_parameters; p++)
        if (first->parameters[p].free_index >= 0)
            names[first->parameters[p].free_index] = first->parameters[p].name;
    for (size_t f = 0; f < n; f++)
        memcpy(all + f * free * free, fit->flights[f].covariance, sizeof(double) * free * free);
    for (size_t i = 0; i < n * free; i++)
        rows[i] = (int)(i / free) + 1;
    char row_path[PATH_SIZE], free_path[PATH_SIZE];
    write_array(
        writer, "free",
        &(ArcHdf5Array){.units = "text", .kind = ARC_HDF5_TEXT, .rows = free, .data = names});
    write_array(
        writer, "covariance_flight",
        &(ArcHdf5Array){.units = "1", .kind = ARC_HDF5_INTEGER, .rows = n * free, .data = rows});
    write_array(writer, "covariance",
                &(ArcHdf5Array){.units = "product of the rows' units",
                                .kind = ARC_HDF5_REAL,
                                .rows = n * free,
                                .columns = free,
                                .data = all,
                                .scale = {flight_path(row_path, writer->group, "covariance_flight"),
                                          flight_path(free_path, writer->group, "free")}});
    return true;
}

/* Of own equations; states (3 motions, rows, d) one behind the other. */
static bool write_states(const Writer *writer, const ArcFit *fit, int rows, const double *time,
                         const double *states)
{
    char group[PATH_SIZE];
    ArcStatesFile set = {.file = writer->file, .arena = writer->arena, .states = fit->states};
    int size = rows * set.states->n_states;
    const double *const motion[] = {states, states + size, states + 2 * size};
    snprintf(group, sizeof group, "%.40s/flights", writer->group);
    arc_states_write_trajectory(&set, group, rows, time, motion);
    arc_states_write_fits(&set, group, fit->n_flights, fit->flights);
    return !set.no_memory;
}

static bool write_trajectories(const Writer *writer, const ArcFit *fit)
{
    size_t n = (size_t)fit->n_flights, points = (size_t)fit->flights[0].n_trajectory;
    size_t d = (size_t)fit->flights[0].dimensions;
    double *time = ARC_ALLOC(writer->arena, n * points, double);
    double *states = ARC_ALLOC(writer->arena, 3 * n * points * d, double);
    if (time == NULL || states == NULL)
        return false;
    for (size_t f = 0; f < n; f++) {
        const ArcFit *flight = &fit->flights[f];
        const double *from[3] = {flight->position_m, flight->velocity_m_s,
                                 flight->acceleration_m_s2};
        memcpy(time + f * points, flight->time_s, sizeof(double) * points);
        for (size_t k = 0; k < 3; k++)
            if (from[k] != NULL) /* own equations of first order have no second derivative */
                memcpy(states + (k * n + f) * points * d, from[k], sizeof(double) * points * d);
    }
    if (fit->states != NULL)
        return write_states(writer, fit, (int)(n * points), time, states);
    char path[PATH_SIZE];
    write_array(
        writer, "trajectory/time",
        &(ArcHdf5Array){.units = "s", .kind = ARC_HDF5_REAL, .rows = n * points, .data = time});
    flight_path(path, writer->group, "trajectory/time");
    for (size_t k = 0; k < 3; k++)
        write_array(writer, trajectory_names[k],
                    &(ArcHdf5Array){.units = trajectory_units[k],
                                    .kind = ARC_HDF5_REAL,
                                    .rows = n * points,
                                    .columns = d,
                                    .data = states + k * n * points * d,
                                    .scale = {path, "/axis"}});
    return true;
}

static bool write_remarks(const Writer *writer, const ArcFit *fit)
{
    int n = 0, *counts = ARC_ALLOC(writer->arena, (size_t)fit->n_flights, int);
    for (int f = 0; f < fit->n_flights; f++)
        n += fit->flights[f].n_remarks;
    const char **remarks = ARC_ALLOC(writer->arena, (size_t)n, const char *);
    if (counts == NULL || remarks == NULL)
        return false;
    n = 0;
    for (int f = 0; f < fit->n_flights; f++) {
        counts[f] = fit->flights[f].n_remarks;
        for (int i = 0; i < counts[f]; i++)
            remarks[n++] = fit->flights[f].remarks[i];
    }
    write_counts(writer, "remarks_count", fit->n_flights, counts);
    write_array(writer, "remarks",
                &(ArcHdf5Array){
                    .units = "text", .kind = ARC_HDF5_TEXT, .rows = (size_t)n, .data = remarks});
    return true;
}

/* What each flight's cameras saw: their rows one behind the other. */
static bool write_cameras(const Writer *writer, const ArcFit *fit)
{
    static const char *const names[] = {"cameras/rms_px", "cameras/chi2",
                                        "cameras/held_out_rms_px"};
    static const char *const units[] = {"px", "1", "px"};
    size_t cameras = (size_t)fit->residuals.n_cameras, n = (size_t)fit->n_flights * cameras;
    int *counts = ARC_ALLOC(writer->arena, 2 * n, int);
    double *sums = ARC_ALLOC(writer->arena, 3 * n, double);
    char path[PATH_SIZE];
    if (cameras == 0)
        return true;
    if (counts == NULL || sums == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const ArcCameraResiduals *one = &fit->flights[i / cameras].residuals.cameras[i % cameras];
        counts[i] = one->points;
        counts[n + i] = one->observations;
        sums[i] = one->rms_px;
        sums[n + i] = one->chi2;
        sums[2 * n + i] = one->held_out_rms_px;
    }
    write_array(writer, "cameras/points",
                &(ArcHdf5Array){.units = "1", .kind = ARC_HDF5_INTEGER, .rows = n, .data = counts});
    flight_path(path, writer->group, "cameras/points");
    write_array(writer, "cameras/observations",
                &(ArcHdf5Array){.units = "1",
                                .kind = ARC_HDF5_INTEGER,
                                .rows = n,
                                .data = counts + n,
                                .scale = {path, NULL}});
    for (size_t k = 0; k < 3; k++)
        write_array(writer, names[k],
                    &(ArcHdf5Array){.units = units[k],
                                    .kind = ARC_HDF5_REAL,
                                    .rows = n,
                                    .data = sums + k * n,
                                    .scale = {path, NULL}});
    return true;
}

static bool write_nets(const Writer *writer, const ArcFit *fit)
{
    size_t n = (size_t)fit->n_flights, weights = 0, spans = 0;
    for (size_t f = 0; f < n; f++) {
        weights += (size_t)fit->flights[f].net.n_weights;
        spans += (size_t)fit->flights[f].net.n_segments;
    }
    double *all = ARC_ALLOC(writer->arena, weights + spans + n, double);
    int *counts = ARC_ALLOC(writer->arena, 2 * n, int);
    if (all == NULL || counts == NULL)
        return false;
    double *span = all + weights, *scale = span + spans;
    size_t at = 0, segment = 0;
    for (size_t f = 0; f < n; f++) {
        const ArcFittedNet *net = &fit->flights[f].net;
        memcpy(all + at, net->weights, sizeof(double) * (size_t)net->n_weights);
        memcpy(span + segment, net->span_s, sizeof(double) * (size_t)net->n_segments);
        at += (size_t)net->n_weights;
        segment += (size_t)net->n_segments;
        counts[f] = net->n_weights;
        counts[n + f] = net->n_segments;
        scale[f] = net->scale_m_s2;
    }
    write_counts(writer, "net/weights_count", (int)n, counts);
    write_counts(writer, "net/span_count", (int)n, counts + n);
    write_array(writer, "net/weights",
                &(ArcHdf5Array){.units = "1", .kind = ARC_HDF5_REAL, .rows = weights, .data = all});
    write_array(writer, "net/span",
                &(ArcHdf5Array){.units = "s", .kind = ARC_HDF5_REAL, .rows = spans, .data = span});
    write_array(writer, "net/scale",
                &(ArcHdf5Array){.units = "m/s^2",
                                .kind = ARC_HDF5_REAL,
                                .rows = n,
                                .data = scale,
                                .scale = {writer->scale, NULL}});
    return true;
}

bool arc_flights_write(ArcHdf5 *file, ArcArena *arena, const char *group, const ArcFit *fit)
{
    Writer writer = {file, arena, group, "/flights/name"};
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.40s/flights", group);
    return write_numbers(&writer, fit) && write_all_estimates(&writer, fit, false) &&
           write_all_estimates(&writer, fit, true) && write_covariances(&writer, fit) &&
           write_unidentified(&writer, fit) && write_trajectories(&writer, fit) &&
           write_remarks(&writer, fit) && write_cameras(&writer, fit) &&
           (fit->method == ARC_DIRECT || write_nets(&writer, fit)) &&
           arc_arm_hdf5_write(file, arena, path, fit->n_flights, fit->flights);
}

bool arc_flights_write_captures(ArcHdf5 *file, ArcArena *arena, const ArcResult *result)
{
    size_t n = (size_t)result->n_flights;
    const char **texts = ARC_ALLOC(arena, 2 * n, const char *);
    int *points = ARC_ALLOC(arena, n, int);
    if (n == 0)
        return true;
    if (texts == NULL || points == NULL)
        return false;
    for (size_t f = 0; f < n; f++) {
        texts[f] = result->flights[f]->file;
        texts[n + f] = result->flights[f]->flight;
        points[f] = result->flights[f]->n_points;
    }
    const ArcHdf5Array arrays[] = {
        {.path = "/flights/name", .units = "text", .kind = ARC_HDF5_TEXT, .data = texts},
        {.path = "/flights/number",
         .units = "text",
         .kind = ARC_HDF5_TEXT,
         .data = texts + n,
         .scale = {"/flights/name", NULL}},
        {.path = "/flights/points",
         .units = "1",
         .kind = ARC_HDF5_INTEGER,
         .data = points,
         .scale = {"/flights/name", NULL}}};
    for (int i = 0; i < 3; i++) {
        ArcHdf5Array array = arrays[i];
        array.rows = n;
        arc_hdf5_write(file, &array);
    }
    return true;
}

/* What of the capture belongs to one flight. */
static ArcCapture part_of(const ArcCapture *whole, int begin, int n)
{
    ArcCapture part = *whole;
    int d = whole->dimensions;
    part.n_points = n;
    part.time_s += begin;
    part.position_m += begin * d;
    part.sigma_m += begin * d;
    part.use += begin;
    part.line += begin;
    if (part.n_cameras > 0) {
        part.camera += begin;
        part.pixel_px += 2 * begin;
        part.sigma_px += begin;
        part.radius_px += begin;
        part.sigma_radius_px += begin;
    }
    part.n_fit = part.n_held_out = 0;
    for (int i = 0; i < n; i++) {
        part.n_fit += part.use[i] == ARC_POINT_FIT;
        part.n_held_out += part.use[i] == ARC_POINT_HELD_OUT;
    }
    return part;
}

bool arc_flights_read_captures(ArcHdf5 *file, ArcArena *arena, ArcResult *result)
{
    if (!arc_hdf5_has(file, "/flights"))
        return true;
    int n = arc_hdf5_rows(file, "/flights/name"), at = 0;
    if (n > MOST_FLIGHTS)
        arc_hdf5_refuse(file, "'/flights/name' has too many rows");
    const char **names = arc_hdf5_texts(file, "/flights/name", n);
    const char **numbers = arc_hdf5_texts(file, "/flights/number", n);
    const int *points = arc_hdf5_integers(file, "/flights/points", n);
    ArcCapture *parts = ARC_ALLOC(arena, (size_t)n, ArcCapture);
    const ArcCapture **list = ARC_ALLOC(arena, (size_t)n, const ArcCapture *);
    if (parts == NULL || list == NULL)
        return false;
    for (int f = 0; arc_hdf5_is_good(file) && f < n; f++) {
        if (points[f] < 1 || points[f] > result->capture->n_points - at) {
            arc_hdf5_refuse(file, "'/flights/points' does not fit");
            break;
        }
        parts[f] = part_of(result->capture, at, points[f]);
        parts[f].file = names[f];
        parts[f].flight = numbers[f][0] == '\0' ? NULL : numbers[f];
        list[f] = &parts[f];
        at += points[f];
    }
    if (arc_hdf5_is_good(file) && (n < 1 || at != result->capture->n_points))
        arc_hdf5_refuse(file, "'/flights/points' does not fit");
    if (arc_hdf5_is_good(file)) {
        result->n_flights = n;
        result->flights = list;
    }
    return true;
}
