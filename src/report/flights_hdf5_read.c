/* Flights fitted together read back, the mirror image of flights_hdf5.c; nothing is believed before
 * it is checked. */
#include "report/arm_hdf5.h"
#include "report/flights_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 96 };

typedef struct Reader {
    ArcHdf5 *file;
    ArcArena *arena;
    const char *group;
    int n; /* flights */
    ArcFit *flights;
    const ArcFit *joint;
    const ArcResult *result;
    bool no_memory;
    ArcStatesFile *states;
} Reader;

static const char *flight_path(char path[PATH_SIZE], const Reader *reader, const char *name)
{
    snprintf(path, PATH_SIZE, "%.40s/flights/%.40s", reader->group, name);
    return path;
}

static bool is_good(const Reader *reader)
{
    return !reader->no_memory && arc_hdf5_is_good(reader->file);
}

static void refuse(Reader *reader, const char *name)
{
    arc_hdf5_refuse(reader->file, "'%s/flights/%s' does not fit", reader->group, name);
}

static const int *read_whole(Reader *reader, const char *name)
{
    char path[PATH_SIZE];
    return arc_hdf5_integers(reader->file, flight_path(path, reader, name), reader->n);
}

static const double *read_reals(Reader *reader, const char *name)
{
    char path[PATH_SIZE];
    return arc_hdf5_reals(reader->file, flight_path(path, reader, name), reader->n, 0);
}

static void read_numbers(Reader *reader)
{
    const int *converged = read_whole(reader, "converged"), *points = read_whole(reader, "points");
    const int *observations = read_whole(reader, "observations"), *dof = read_whole(reader, "dof");
    const int *held = read_whole(reader, "held_out_points");
    const double *chi2 = read_reals(reader, "chi2"), *prior = read_reals(reader, "prior_chi2");
    const double *p = read_reals(reader, "chi2_p"), *rms = read_reals(reader, "rms");
    const double *held_rms = read_reals(reader, "held_out_rms");
    const double *px = read_reals(reader, "rms_px"),
                 *held_px = read_reals(reader, "held_out_rms_px");
    const double *physics = read_reals(reader, "physics_rms");
    const double *fine = read_reals(reader, "physics_rms_fine");
    const double *sigma = read_reals(reader, "sigma_phys");
    if (!is_good(reader))
        return;
    for (int f = 0; f < reader->n; f++) {
        ArcFit *flight = &reader->flights[f];
        flight->method = reader->joint->method;
        flight->stop = reader->joint->stop;
        flight->iterations = reader->joint->iterations;
        flight->spread = reader->joint->spread;
        flight->interval_factor = reader->joint->interval_factor;
        flight->wall_s = NAN;
        flight->converged = converged[f] != 0;
        flight->n_starts = 1;
        flight->n_starts_converged = flight->converged;
        ArcResiduals *r = &flight->residuals;
        r->points = points[f];
        r->observations = observations[f];
        r->chi2 = chi2[f];
        r->prior_chi2 = prior[f];
        r->dof = dof[f];
        r->chi2_p = p[f];
        r->rms_m = rms[f];
        r->physics_rms_m_s2 = physics[f];
        r->physics_rms_fine_m_s2 = fine[f];
        r->sigma_phys_m_s2 = sigma[f];
        r->sigma_phys_ci95_m_s2[0] = r->sigma_phys_ci95_m_s2[1] = NAN;
        r->held_out_points = held[f];
        r->held_out_rms_m = held_rms[f];
        r->rms_px = px[f];
        r->held_out_rms_px = held_px[f];
    }
}

static void read_cameras(Reader *reader)
{
    char path[PATH_SIZE];
    ArcHdf5 *file = reader->file;
    int cameras = reader->joint->residuals.n_cameras, n = reader->n * cameras;
    if (cameras == 0)
        return;
    const int *points = arc_hdf5_integers(file, flight_path(path, reader, "cameras/points"), n);
    const int *observations =
        arc_hdf5_integers(file, flight_path(path, reader, "cameras/observations"), n);
    const double *rms = arc_hdf5_reals(file, flight_path(path, reader, "cameras/rms_px"), n, 0);
    const double *chi2 = arc_hdf5_reals(file, flight_path(path, reader, "cameras/chi2"), n, 0);
    const double *held =
        arc_hdf5_reals(file, flight_path(path, reader, "cameras/held_out_rms_px"), n, 0);
    ArcCameraResiduals *list = ARC_ALLOC(reader->arena, (size_t)n, ArcCameraResiduals);
    reader->no_memory = reader->no_memory || list == NULL;
    for (int i = 0; i < n && is_good(reader); i++) {
        list[i] = reader->joint->residuals.cameras[i % cameras];
        list[i].points = points[i];
        list[i].observations = observations[i];
        list[i].rms_px = rms[i];
        list[i].chi2 = chi2[i];
        list[i].held_out_rms_px = held[i];
        reader->flights[i / cameras].residuals.n_cameras = cameras;
        reader->flights[i / cameras].residuals.cameras = list + i / cameras * cameras;
    }
}

/* All flights have the first one's parameters, and each free one a row of the covariance. */
static bool parameters_fit(const ArcFit *flight, const ArcFit *first)
{
    bool seen[ARC_MAX_PARAMETERS] = {false};
    int n = 0;
    for (int p = 0; p < flight->n_parameters; p++) {
        int k = flight->parameters[p].free_index;
        if (strcmp(flight->parameters[p].name, first->parameters[p].name) != 0)
            return false;
        if (k < 0)
            continue;
        if (k >= flight->n_free || seen[k])
            return false;
        seen[k] = true;
        n++;
    }
    return n == flight->n_free;
}

static const char *row_path(char path[PATH_SIZE], const Reader *reader, const char *name,
                            const char *column)
{
    snprintf(path, PATH_SIZE, "%.40s/flights/%.20s/%.20s", reader->group, name, column);
    return path;
}

/* Reasons of the rows that have one. */
static void read_reasons(Reader *reader, const char *name, int n, ArcEstimate *all)
{
    char path[PATH_SIZE];
    ArcHdf5 *file = reader->file;
    int count = arc_hdf5_rows(file, row_path(path, reader, name, "reason_row"));
    const int *rows = arc_hdf5_integers(file, path, count);
    const char **texts = arc_hdf5_texts(file, row_path(path, reader, name, "reason"), count);
    for (int i = 0; i < count && is_good(reader); i++) {
        if (rows[i] < 0 || rows[i] >= n)
            refuse(reader, "reason_row");
        else
            all[rows[i]].reason = texts[i];
    }
}

/* The rows of all flights; NULL where they cannot be read. */
static const ArcEstimate *read_rows(Reader *reader, const char *name, int most, int *n)
{
    char path[PATH_SIZE];
    ArcHdf5 *file = reader->file;
    int kinds = arc_hdf5_rows(file, row_path(path, reader, name, "kind_name"));
    const char **names = arc_hdf5_texts(file, path, kinds);
    const char **units = arc_hdf5_texts(file, row_path(path, reader, name, "kind_unit"), kinds);
    *n = arc_hdf5_rows(file, row_path(path, reader, name, "kind"));
    const int *kind = arc_hdf5_integers(file, path, *n);
    const double *value = arc_hdf5_reals(file, row_path(path, reader, name, "value"), *n, 0);
    const double *sd = arc_hdf5_reals(file, row_path(path, reader, name, "sd"), *n, 0);
    const double *start = arc_hdf5_reals(file, row_path(path, reader, name, "start"), *n, 0);
    const double *ci95 = arc_hdf5_reals(file, row_path(path, reader, name, "ci95"), *n, 2);
    const int *status = arc_hdf5_integers(file, row_path(path, reader, name, "status"), *n);
    const int *place = arc_hdf5_integers(file, row_path(path, reader, name, "free_index"), *n);
    ArcEstimate *all = ARC_ALLOC(reader->arena, (size_t)*n, ArcEstimate);
    reader->no_memory = reader->no_memory || all == NULL;
    if (is_good(reader) && *n > most)
        refuse(reader, name);
    for (int i = 0; i < *n && is_good(reader); i++) {
        if (kind[i] < 0 || kind[i] >= kinds || status[i] < ARC_PARAMETER_FREE ||
            status[i] > ARC_PARAMETER_TIED) {
            refuse(reader, name);
            return NULL;
        }
        all[i].name = names[kind[i]];
        all[i].unit = units[kind[i]];
        all[i].value = value[i];
        all[i].sd = sd[i];
        all[i].ci95[0] = ci95[2 * i];
        all[i].ci95[1] = ci95[2 * i + 1];
        all[i].start = start[i];
        all[i].status = (ArcParameterStatus)status[i];
        all[i].free_index = place[i];
    }
    if (is_good(reader))
        read_reasons(reader, name, *n, all);
    return is_good(reader) ? all : NULL;
}

static void read_parameters(Reader *reader)
{
    char path[PATH_SIZE];
    int total = 0, n = reader->n;
    const ArcEstimate *all = read_rows(reader, "parameters", n * ARC_MAX_PARAMETERS, &total);
    int free = arc_hdf5_rows(reader->file, flight_path(path, reader, "free"));
    if (is_good(reader) && (total < n || total % n != 0 || free < 1 || free > ARC_MAX_PARAMETERS))
        refuse(reader, "parameters");
    if (!is_good(reader))
        return;
    const double *covariance =
        arc_hdf5_reals(reader->file, flight_path(path, reader, "covariance"), n * free, free);
    for (int f = 0; f < n && is_good(reader); f++) {
        ArcFit *flight = &reader->flights[f];
        flight->n_parameters = total / n;
        flight->parameters = all + f * flight->n_parameters;
        flight->n_free = free;
        flight->covariance = covariance + f * free * free;
        if (!parameters_fit(flight, &reader->flights[0]))
            refuse(reader, "parameters/free_index");
    }
}

/* counts (n) >= 0 that add up to total. */
static bool counts_fit(const Reader *reader, const int *counts, int total)
{
    int left = total;
    for (int f = 0; f < reader->n; f++) {
        if (counts[f] < 0 || counts[f] > left)
            return false;
        left -= counts[f];
    }
    return left == 0;
}

static void read_derived(Reader *reader)
{
    char path[PATH_SIZE];
    int total = 0, at = 0, said = 0;
    const ArcEstimate *all = read_rows(reader, "derived", reader->n * ARC_MAX_DERIVED, &total);
    const int *counts = read_whole(reader, "derived_count");
    const int *remarks = read_whole(reader, "remarks_count");
    int n_remarks = arc_hdf5_rows(reader->file, flight_path(path, reader, "remarks"));
    const char **texts = arc_hdf5_texts(reader->file, path, n_remarks);
    if (is_good(reader) && !counts_fit(reader, counts, total))
        refuse(reader, "derived_count");
    if (is_good(reader) && !counts_fit(reader, remarks, n_remarks))
        refuse(reader, "remarks_count");
    for (int f = 0; f < reader->n && is_good(reader); f++) {
        ArcFit *flight = &reader->flights[f];
        flight->n_derived = counts[f];
        flight->derived = all + at;
        flight->n_remarks = remarks[f];
        flight->remarks = (const char *const *)texts + said;
        at += counts[f];
        said += remarks[f];
    }
}

static void read_unidentified(Reader *reader)
{
    char path[PATH_SIZE];
    const int *counts = read_whole(reader, "unidentified_count");
    int n = arc_hdf5_rows(reader->file, flight_path(path, reader, "unidentified/size"));
    const int *sizes = arc_hdf5_integers(reader->file, path, n);
    int n_members =
        arc_hdf5_rows(reader->file, flight_path(path, reader, "unidentified/parameter"));
    const int *members = arc_hdf5_integers(reader->file, path, n_members);
    int free = is_good(reader) ? reader->flights[0].n_free : 1, member = 0;
    const double *directions =
        n > 0 ? arc_hdf5_reals(reader->file, flight_path(path, reader, "unidentified/direction"), n,
                               free)
              : NULL;
    const int **groups = ARC_ALLOC(reader->arena, (size_t)n, const int *);
    reader->no_memory = reader->no_memory || groups == NULL;
    if (is_good(reader) && !counts_fit(reader, counts, n))
        refuse(reader, "unidentified_count");
    for (int g = 0; g < n && is_good(reader); g++) {
        if (sizes[g] < 1 || sizes[g] > n_members - member) {
            refuse(reader, "unidentified/size");
            return;
        }
        groups[g] = members + member;
        for (int i = 0; i < sizes[g]; i++, member++)
            if (members[member] < 0 || members[member] >= reader->flights[0].n_parameters)
                refuse(reader, "unidentified/parameter");
    }
    for (int f = 0, g = 0; f < reader->n && is_good(reader); g += counts[f++]) {
        ArcFit *flight = &reader->flights[f];
        if (counts[f] > free)
            refuse(reader, "unidentified_count");
        flight->n_unidentified = counts[f];
        flight->unidentified_size = sizes + g;
        flight->unidentified = groups + g;
        flight->null_directions = directions != NULL ? directions + g * free : NULL;
    }
}

/* All flights' states, and of own equations their channels; returns the rows. */
static int read_motion(Reader *reader, int d, const double **time, const double *states[3])
{
    static const char *const names[] = {"trajectory/position", "trajectory/velocity",
                                        "trajectory/acceleration"};
    char path[PATH_SIZE];
    if (reader->states->states != NULL) {
        snprintf(path, sizeof path, "%.40s/flights", reader->group);
        int rows = arc_states_read_trajectory(reader->states, path, time, states);
        arc_states_read_fits(reader->states, path, reader->n, reader->flights);
        reader->no_memory = reader->no_memory || reader->states->no_memory;
        return rows;
    }
    int rows = arc_hdf5_rows(reader->file, flight_path(path, reader, "trajectory/time"));
    *time = arc_hdf5_reals(reader->file, path, rows, 0);
    for (int k = 0; k < 3; k++)
        states[k] = arc_hdf5_reals(reader->file, flight_path(path, reader, names[k]), rows, d);
    return rows;
}

static void read_trajectories(Reader *reader)
{
    const double *time = NULL, *states[3] = {NULL, NULL, NULL};
    int n = reader->n, seen = reader->result->capture->dimensions;
    int d = reader->states->states != NULL ? reader->states->states->n_states : seen;
    int rows = read_motion(reader, d, &time, states);
    if (is_good(reader) && (rows < n || rows % n != 0))
        refuse(reader, "trajectory/time");
    for (int f = 0, point = 0; f < n && is_good(reader); f++) {
        ArcFit *flight = &reader->flights[f];
        int points = rows / n;
        flight->dimensions = d;
        flight->n_trajectory = points;
        flight->time_s = time + f * points;
        flight->position_m = states[0] + f * points * d;
        flight->velocity_m_s = states[1] + f * points * d;
        flight->acceleration_m_s2 = states[2] == NULL ? NULL : states[2] + f * points * d;
        flight->predicted_m = reader->joint->predicted_m + point * seen;
        if (reader->joint->predicted_px != NULL)
            flight->predicted_px = reader->joint->predicted_px + 3 * point;
        point += reader->result->flights[f]->n_points;
    }
}

bool arc_flights_read(ArcStatesFile *set, const char *group, const ArcResult *result, ArcFit *fit)
{
    ArcHdf5 *file = set->file;
    ArcArena *arena = set->arena;
    Reader reader = {.file = file,
                     .arena = arena,
                     .group = group,
                     .n = result->n_flights,
                     .joint = fit,
                     .result = result,
                     .states = set};
    reader.flights = ARC_ALLOC(arena, (size_t)result->n_flights, ArcFit);
    if (reader.flights == NULL)
        return false;
    for (int f = 0; f < reader.n; f++) {
        const ArcCapture *capture = result->flights[f];
        reader.flights[f].flight =
            capture->flight == NULL
                ? capture->file
                : arc_arena_format(arena, "%s, flight %s", capture->file, capture->flight);
        reader.no_memory = reader.no_memory || reader.flights[f].flight == NULL;
    }
    if (is_good(&reader))
        read_numbers(&reader);
    if (is_good(&reader))
        read_cameras(&reader);
    if (is_good(&reader))
        read_parameters(&reader);
    if (is_good(&reader))
        read_derived(&reader);
    if (is_good(&reader))
        read_unidentified(&reader);
    if (is_good(&reader))
        read_trajectories(&reader);
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.40s/flights", group);
    if (is_good(&reader) && !arc_arm_hdf5_read(file, arena, path, reader.n, reader.flights))
        reader.no_memory = true;
    if (is_good(&reader)) {
        fit->n_flights = reader.n;
        fit->flights = reader.flights;
    }
    return !reader.no_memory;
}
