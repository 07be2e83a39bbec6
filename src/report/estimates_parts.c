/* Estimates to HDF5 and back, a column a field. */
#include "report/estimates_parts.h"

#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 96 };

/* Columns of the estimates, gathered from the structs. */
typedef struct EstimateColumns {
    const char **name, **unit, **status, **reason;
    double *value, *sd, *start, *ci95;
    int *free_index;
} EstimateColumns;

static const char *column_path(char path[PATH_SIZE], const char *group, const char *name,
                               const char *column)
{
    snprintf(path, PATH_SIZE, "%.50s/%.20s/%.20s", group, name, column);
    return path;
}

static bool columns_gather(ArcArena *arena, int n, const ArcEstimate *estimates,
                           EstimateColumns *columns)
{
    size_t rows = (size_t)n;
    const char **texts = ARC_ALLOC(arena, 4 * rows, const char *);
    double *reals = ARC_ALLOC(arena, 5 * rows, double);
    columns->free_index = ARC_ALLOC(arena, rows, int);
    if (texts == NULL || reals == NULL || columns->free_index == NULL)
        return false;
    columns->name = texts;
    columns->unit = texts + rows;
    columns->status = texts + 2 * rows;
    columns->reason = texts + 3 * rows;
    columns->value = reals;
    columns->sd = reals + rows;
    columns->start = reals + 2 * rows;
    columns->ci95 = reals + 3 * rows;
    for (size_t i = 0; i < rows; i++) {
        columns->name[i] = estimates[i].name;
        columns->unit[i] = estimates[i].unit;
        columns->status[i] = arc_parameter_status_text(estimates[i].status);
        columns->reason[i] = estimates[i].reason;
        columns->value[i] = estimates[i].value;
        columns->sd[i] = estimates[i].sd;
        columns->start[i] = estimates[i].start;
        columns->ci95[2 * i] = estimates[i].ci95[0];
        columns->ci95[2 * i + 1] = estimates[i].ci95[1];
        columns->free_index[i] = estimates[i].free_index;
    }
    return true;
}

bool arc_estimates_write(ArcHdf5 *file, ArcArena *arena, const char *group, const char *name, int n,
                         const ArcEstimate *estimates)
{
    static const char *const units = "unit of the row";
    EstimateColumns columns;
    char scale[PATH_SIZE], path[PATH_SIZE];
    if (!columns_gather(arena, n, estimates, &columns))
        return false;
    column_path(scale, group, name, "name");
    const struct {
        const char *name, *units;
        ArcHdf5Kind kind;
        const void *data;
        size_t columns;
        const char *scale[2];
    } rows[] = {
        {"name", "text", ARC_HDF5_TEXT, columns.name, 0, {NULL, NULL}},
        {"value", units, ARC_HDF5_REAL, columns.value, 0, {scale, NULL}},
        {"sd", units, ARC_HDF5_REAL, columns.sd, 0, {scale, NULL}},
        {"unit", "text", ARC_HDF5_TEXT, columns.unit, 0, {scale, NULL}},
        {"start", units, ARC_HDF5_REAL, columns.start, 0, {scale, NULL}},
        {"status", "text", ARC_HDF5_TEXT, columns.status, 0, {scale, NULL}},
        {"free_index", "1", ARC_HDF5_INTEGER, columns.free_index, 0, {scale, NULL}},
        {"reason", "text", ARC_HDF5_TEXT, columns.reason, 0, {scale, NULL}},
        {"ci95", units, ARC_HDF5_REAL, columns.ci95, 2, {scale, "/interval"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        arc_hdf5_write(file, &(ArcHdf5Array){.path = column_path(path, group, name, rows[i].name),
                                             .units = rows[i].units,
                                             .kind = rows[i].kind,
                                             .rows = (size_t)n,
                                             .columns = rows[i].columns,
                                             .data = rows[i].data,
                                             .scale = {rows[i].scale[0], rows[i].scale[1]}});
    return true;
}

static ArcParameterStatus read_status(ArcHdf5 *file, const char *text)
{
    for (int i = ARC_PARAMETER_FREE; i <= ARC_PARAMETER_TIED; i++) {
        if (strcmp(text, arc_parameter_status_text((ArcParameterStatus)i)) == 0)
            return (ArcParameterStatus)i;
    }
    arc_hdf5_refuse(file, "unknown status of a parameter");
    return ARC_PARAMETER_FIXED;
}

bool arc_estimates_read(ArcHdf5 *file, ArcArena *arena, const char *group, const char *name,
                        int most, int *count, const ArcEstimate **result)
{
    char path[PATH_SIZE];
    int n = arc_hdf5_rows(file, column_path(path, group, name, "name"));
    if (n > most) {
        arc_hdf5_refuse(file, "'%s' has too many rows", path);
        return true;
    }
    const char **names = arc_hdf5_texts(file, path, n);
    const char **units = arc_hdf5_texts(file, column_path(path, group, name, "unit"), n);
    const char **statuses = arc_hdf5_texts(file, column_path(path, group, name, "status"), n);
    const char **reasons = arc_hdf5_texts(file, column_path(path, group, name, "reason"), n);
    const double *values = arc_hdf5_reals(file, column_path(path, group, name, "value"), n, 0);
    const double *sds = arc_hdf5_reals(file, column_path(path, group, name, "sd"), n, 0);
    const double *starts = arc_hdf5_reals(file, column_path(path, group, name, "start"), n, 0);
    const double *ci95 = arc_hdf5_reals(file, column_path(path, group, name, "ci95"), n, 2);
    const int *free_index =
        arc_hdf5_integers(file, column_path(path, group, name, "free_index"), n);
    ArcEstimate *estimates = ARC_ALLOC(arena, (size_t)n, ArcEstimate);
    if (estimates == NULL)
        return false;
    if (!arc_hdf5_is_good(file))
        return true;
    for (int i = 0; i < n; i++)
        estimates[i] = (ArcEstimate){names[i],
                                     units[i],
                                     values[i],
                                     sds[i],
                                     {ci95[2 * i], ci95[2 * i + 1]},
                                     starts[i],
                                     read_status(file, statuses[i]),
                                     free_index[i],
                                     reasons[i][0] == '\0' ? NULL : reasons[i]};
    *count = n;
    *result = estimates;
    return true;
}
