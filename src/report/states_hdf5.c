/* See states_hdf5.h. */
#include "report/states_hdf5.h"

#include "report/fields.h"
#include "report/states_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 192, N_MOTIONS = 3 };

static const char *const motion_names[N_MOTIONS] = {"value", "rate", "second"};

static const ArcField channel_fields[] = {
    {"name", "text", ARC_FIELD_TEXT, offsetof(ArcChannelFit, name)},
    {"unit", "text", ARC_FIELD_TEXT, offsetof(ArcChannelFit, unit)},
    {"points", "1", ARC_FIELD_WHOLE, offsetof(ArcChannelFit, n)},
    {"rms", "unit of the row", ARC_FIELD_REAL, offsetof(ArcChannelFit, rms)},
    {"chi2", "1", ARC_FIELD_REAL, offsetof(ArcChannelFit, chi2)},
    {"held_out_points", "1", ARC_FIELD_WHOLE, offsetof(ArcChannelFit, n_held_out)},
    {"held_out_rms", "unit of the row", ARC_FIELD_REAL, offsetof(ArcChannelFit, held_out_rms)},
};

static const ArcFieldTable channel_table = {"states", channel_fields,
                                            sizeof channel_fields / sizeof channel_fields[0],
                                            sizeof(ArcChannelFit)};

static void *room(ArcStatesFile *set, int rows, int columns, size_t size)
{
    void *made = arc_arena_alloc(set->arena, (size_t)rows * (size_t)columns, size);
    set->no_memory = set->no_memory || made == NULL;
    return made;
}

static bool is_good(const ArcStatesFile *set)
{
    return !set->no_memory && arc_hdf5_is_good(set->file);
}

const char *arc_states_physics_suffix(const ArcStatesFit *states)
{
    return states == NULL ? "_m_s2" : "";
}

const char *arc_states_physics_unit(const ArcStatesFit *states)
{
    return states == NULL ? "m/s^2" : states->order == 1 ? "1/s" : "1/s^2";
}

void arc_states_write_model(ArcStatesFile *set, const ArcResult *result)
{
    const ArcStatesFit *states = set->states;
    if (states == NULL)
        return;
    int n = states->n_channels;
    const char **texts = room(set, 2, n, sizeof *texts);
    if (texts == NULL)
        return;
    for (int c = 0; c < n; c++) {
        texts[c] = states->channels[c].name;
        texts[n + c] = states->channels[c].unit;
    }
    const ArcHdf5Array arrays[] = {
        {.path = "/model/channel", .rows = (size_t)n, .data = texts},
        {.path = "/model/unit", .rows = (size_t)n, .data = texts + n, .scale = {"/model/channel"}},
        {.path = "/model/text", .rows = 1, .data = &result->model_text}};
    for (int i = 0; i < 3; i++) {
        ArcHdf5Array array = arrays[i];
        array.units = "text";
        array.kind = ARC_HDF5_TEXT;
        arc_hdf5_write(set->file, &array);
    }
    arc_hdf5_put_text(set->file, "/model", "name", states->model);
    arc_hdf5_put_text(set->file, "/model", "path",
                      result->model_path == NULL ? "" : result->model_path);
    arc_hdf5_put_count(set->file, "/model", "order", (uint64_t)states->order);
}

void arc_states_read_model(ArcStatesFile *set, ArcResult *result)
{
    ArcHdf5 *file = set->file;
    if (!arc_hdf5_has(file, "/model"))
        return;
    int n = arc_hdf5_rows(file, "/model/channel");
    uint64_t order = arc_hdf5_count(file, "/model", "order");
    if (is_good(set) && (order < 1 || order > 2 || n < 1 || n > ARC_EQUATIONS_MAX_CHANNELS ||
                         n % (int)order != 0 || n / (int)order > ARC_EQUATIONS_MAX_STATES))
        arc_hdf5_refuse(file, "'/model' does not fit");
    const char **names = arc_hdf5_texts(file, "/model/channel", n);
    const char **units = arc_hdf5_texts(file, "/model/unit", n);
    const char **text = arc_hdf5_texts(file, "/model/text", 1);
    ArcStatesFit *states = room(set, 1, 1, sizeof *states);
    if (!is_good(set))
        return;
    *states = (ArcStatesFit){.model = arc_hdf5_text(file, "/model", "name"),
                             .order = (int)order,
                             .n_states = n / (int)order,
                             .n_channels = n};
    for (int c = 0; c < n; c++)
        states->channels[c] =
            (ArcChannelFit){.name = names[c], .unit = units[c], .rms = NAN, .held_out_rms = NAN};
    result->model_path = arc_hdf5_text(file, "/model", "path");
    result->model_text = text[0];
    set->states = states;
}

static const char *column_path(char path[PATH_SIZE], const char *group, const char *name,
                               const char *rest)
{
    snprintf(path, PATH_SIZE, "%.60s/%.80s%s%.10s", group, name, rest == NULL ? "" : "/",
             rest == NULL ? "" : rest);
    return path;
}

/* Column c of values (rows, columns) as an array of its own. */
static void write_column(ArcStatesFile *set, const ArcHdf5Array *shape, int c, int columns,
                         const double *values)
{
    int rows = (int)shape->rows;
    double *column = room(set, rows, 1, sizeof *column);
    if (column == NULL)
        return;
    for (int i = 0; i < rows; i++)
        column[i] = values[i * columns + c];
    ArcHdf5Array array = *shape;
    array.kind = ARC_HDF5_REAL;
    array.data = column;
    arc_hdf5_write(set->file, &array);
}

/* The array at path into column c of values (rows, columns). */
static void read_column(ArcStatesFile *set, const char *path, int c, int rows, int columns,
                        double *values)
{
    const double *column = arc_hdf5_reals(set->file, path, rows, 0);
    for (int i = 0; column != NULL && values != NULL && i < rows; i++)
        values[i * columns + c] = column[i];
}

void arc_states_write_channels(ArcStatesFile *set, const char *group, const char *scale, int rows,
                               const double *values)
{
    char path[PATH_SIZE];
    for (int c = 0; c < set->states->n_channels; c++) {
        const ArcChannelFit *channel = &set->states->channels[c];
        write_column(set,
                     &(ArcHdf5Array){.path = column_path(path, group, channel->name, NULL),
                                     .units = channel->unit,
                                     .rows = (size_t)rows,
                                     .scale = {scale, NULL}},
                     c, set->states->n_channels, values);
    }
}

const double *arc_states_read_channels(ArcStatesFile *set, const char *group, int rows)
{
    char path[PATH_SIZE];
    int n = set->states->n_channels;
    double *values = is_good(set) ? room(set, rows, n, sizeof *values) : NULL;
    for (int c = 0; c < n && is_good(set); c++)
        read_column(set, column_path(path, group, set->states->channels[c].name, NULL), c, rows, n,
                    values);
    return values;
}

void arc_states_write_fits(ArcStatesFile *set, const char *group, int n, const ArcFit *fits)
{
    int columns = set->states == NULL ? 0 : set->states->n_channels;
    if (columns == 0)
        return;
    ArcFieldSet fields = {.file = set->file, .arena = set->arena, .group = group};
    ArcChannelFit *rows = room(set, n, columns, sizeof *rows);
    for (int f = 0; f < n && rows != NULL; f++)
        memcpy(rows + f * columns, fits[f].states->channels, (size_t)columns * sizeof *rows);
    if (rows != NULL)
        arc_field_write(&fields, &channel_table, (size_t)(n * columns), rows);
    set->no_memory = set->no_memory || fields.no_memory;
}

void arc_states_read_fits(ArcStatesFile *set, const char *group, int n, ArcFit *fits)
{
    int columns = set->states == NULL ? 0 : set->states->n_channels;
    if (columns == 0)
        return;
    ArcFieldSet fields = {.file = set->file, .arena = set->arena, .group = group};
    ArcStatesFit *all = room(set, n, 1, sizeof *all);
    ArcChannelFit *rows = room(set, n, columns, sizeof *rows);
    if (!is_good(set))
        return;
    if (arc_field_rows(&fields, &channel_table, n * columns) != n * columns)
        arc_field_refuse(&fields, "states");
    arc_field_read(&fields, &channel_table, n * columns, rows);
    for (int f = 0; f < n && arc_field_is_good(&fields); f++) {
        all[f] = *set->states;
        for (int c = 0; c < columns; c++) {
            ArcChannelFit row = rows[f * columns + c];
            if (strcmp(row.name, all[f].channels[c].name) != 0 || row.n < 0 || row.n_held_out < 0)
                arc_field_refuse(&fields, "states");
            all[f].channels[c] = row;
        }
        fits[f].states = &all[f];
    }
    set->no_memory = set->no_memory || fields.no_memory;
}

/* What a state's group has: values and rates, of second order what follows, too. */
static int n_motions(const ArcStatesFit *states)
{
    return states->order + 1;
}

void arc_states_write_trajectory(ArcStatesFile *set, const char *group, int rows,
                                 const double *time_s, const double *const motion[3])
{
    char time[PATH_SIZE], names[PATH_SIZE], path[PATH_SIZE], unit[ARC_STATES_UNIT];
    column_path(time, group, "trajectory/time", NULL);
    column_path(names, group, "trajectory/states", NULL);
    arc_hdf5_write(set->file, &(ArcHdf5Array){.path = time,
                                              .units = "s",
                                              .kind = ARC_HDF5_REAL,
                                              .rows = (size_t)rows,
                                              .data = time_s});
    for (int c = 0; c < set->states->n_states; c++)
        for (int k = 0; k < n_motions(set->states); k++) {
            const ArcChannelFit *channel = &set->states->channels[c];
            arc_states_parts_rate_unit(unit, channel->unit, k);
            write_column(
                set,
                &(ArcHdf5Array){.path = column_path(path, names, channel->name, motion_names[k]),
                                .units = unit,
                                .rows = (size_t)rows,
                                .scale = {time, NULL}},
                c, set->states->n_states, motion[k]);
        }
}

int arc_states_read_trajectory(ArcStatesFile *set, const char *group, const double **time_s,
                               const double *motion[3])
{
    char path[PATH_SIZE], names[PATH_SIZE];
    int n = set->states->n_states;
    column_path(path, group, "trajectory/time", NULL);
    column_path(names, group, "trajectory/states", NULL);
    int rows = arc_hdf5_rows(set->file, path);
    const double *time = arc_hdf5_reals(set->file, path, rows, 0);
    for (int k = 0; k < n_motions(set->states) && is_good(set); k++) {
        double *values = room(set, rows, n, sizeof *values);
        for (int c = 0; c < n && is_good(set); c++)
            read_column(set,
                        column_path(path, names, set->states->channels[c].name, motion_names[k]), c,
                        rows, n, values);
        motion[k] = values;
    }
    if (is_good(set))
        *time_s = time;
    return is_good(set) ? rows : 0;
}
