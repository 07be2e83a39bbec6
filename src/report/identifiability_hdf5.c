/* Identifiability to HDF5 and back.
 *
 *   GROUP/identifiability/     free rank release_numbers readings as attributes
 *      determined, undetermined/{parts,value,sd}, part/{parameter,factor}
 *      measurement/{readings,settled,null_left,unidentified_left,reduction}
 *         reading/{parameter,sd}
 *         sd_after                                             (measurements, free)
 *
 * Parts and readings of all rows stand one behind the other; parameters are indices into
 * GROUP/parameters.
 */
#include "report/identifiability_hdf5.h"

#include "report/fields.h"

#include <string.h>

enum { MOST_ROWS = 1000000 };

/* A parameter with a number: a part's factor, or a reading's sd. */
typedef struct Part {
    int parameter;
    double number;
} Part;

static const ArcField combination_fields[] = {
    {"parts", "1", ARC_FIELD_WHOLE, offsetof(ArcCombination, n_parts)},
    {"value", "unit of the first part", ARC_FIELD_REAL, offsetof(ArcCombination, value)},
    {"sd", "unit of the first part", ARC_FIELD_REAL, offsetof(ArcCombination, sd)},
};
static const ArcField part_fields[] = {
    {"parameter", "1", ARC_FIELD_WHOLE, offsetof(Part, parameter)},
    {"factor", "unit of the first part by that of this one", ARC_FIELD_REAL,
     offsetof(Part, number)},
};
static const ArcField measurement_fields[] = {
    {"readings", "1", ARC_FIELD_WHOLE, offsetof(ArcMeasurement, n_readings)},
    {"settled", "1", ARC_FIELD_WHOLE, offsetof(ArcMeasurement, n_settled)},
    {"null_left", "1", ARC_FIELD_WHOLE, offsetof(ArcMeasurement, n_null_left)},
    {"unidentified_left", "1", ARC_FIELD_WHOLE, offsetof(ArcMeasurement, n_unidentified_left)},
    {"reduction", "1", ARC_FIELD_REAL, offsetof(ArcMeasurement, reduction)},
};
static const ArcField reading_fields[] = {
    {"parameter", "1", ARC_FIELD_WHOLE, offsetof(Part, parameter)},
    {"sd", "unit of the parameter", ARC_FIELD_REAL, offsetof(Part, number)},
};

#define TABLE(name, fields, type)                                                                  \
    {                                                                                              \
        name, fields, sizeof fields / sizeof fields[0], sizeof(type)                               \
    }

/* Told, not told: the combinations, then their parts. */
static const ArcFieldTable combinations[2][2] = {
    {TABLE("identifiability/determined", combination_fields, ArcCombination),
     TABLE("identifiability/determined/part", part_fields, Part)},
    {TABLE("identifiability/undetermined", combination_fields, ArcCombination),
     TABLE("identifiability/undetermined/part", part_fields, Part)}};
static const ArcFieldTable measurements =
    TABLE("identifiability/measurement", measurement_fields, ArcMeasurement);
static const ArcFieldTable readings =
    TABLE("identifiability/measurement/reading", reading_fields, Part);

static const struct {
    const char *name;
    size_t offset;
} attributes[] = {
    {"free", offsetof(ArcIdentifiability, n_free)},
    {"rank", offsetof(ArcIdentifiability, rank)},
    {"release_numbers", offsetof(ArcIdentifiability, release_numbers)},
    {"readings", offsetof(ArcIdentifiability, n_readings)},
};
enum { N_ATTRIBUTES = sizeof attributes / sizeof attributes[0] };

static void write_combinations(ArcFieldSet *set, int which, int n, const ArcCombination *rows)
{
    size_t n_parts = 0, at = 0;
    for (int i = 0; i < n; i++)
        n_parts += (size_t)rows[i].n_parts;
    Part *parts = arc_field_alloc(set, n_parts, sizeof *parts);
    if (n == 0 || parts == NULL)
        return;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < rows[i].n_parts; k++)
            parts[at++] = (Part){rows[i].parameters[k], rows[i].factors[k]};
    arc_field_write(set, &combinations[which][0], (size_t)n, rows);
    arc_field_write(set, &combinations[which][1], n_parts, parts);
}

static void write_measurements(ArcFieldSet *set, const ArcIdentifiability *found)
{
    size_t n = (size_t)found->n_measurements, free = (size_t)found->n_free, at = 0;
    Part *parts = arc_field_alloc(set, n * ARC_MEASUREMENT_READINGS, sizeof *parts);
    double *after = arc_field_alloc(set, n * free, sizeof *after);
    if (n == 0 || free == 0 || parts == NULL || after == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        const ArcMeasurement *m = &found->measurements[i];
        for (int k = 0; k < m->n_readings; k++)
            parts[at++] = (Part){m->parameters[k], m->sd[k]};
        memcpy(after + i * free, m->sd_after, free * sizeof *after);
    }
    arc_field_write(set, &measurements, n, found->measurements);
    arc_field_write(set, &readings, at, parts);
    arc_field_write_array(set, "identifiability/measurement/sd_after",
                          "identifiability/measurement/readings", "free",
                          &(ArcHdf5Array){.units = "unit of the column",
                                          .kind = ARC_HDF5_REAL,
                                          .rows = n,
                                          .columns = free,
                                          .data = after});
}

bool arc_identifiability_write(ArcHdf5 *file, ArcArena *arena, const char *group, const ArcFit *fit)
{
    const ArcIdentifiability *found = fit->identifiability;
    ArcFieldSet set = {.file = file, .arena = arena, .group = group};
    char path[ARC_FIELD_PATH];
    if (found == NULL)
        return true;
    arc_field_path(path, &set, "identifiability");
    for (int k = 0; k < N_ATTRIBUTES; k++) {
        int count;
        memcpy(&count, (const char *)found + attributes[k].offset, sizeof count);
        arc_hdf5_put_count(file, path, attributes[k].name, (uint64_t)count);
    }
    write_combinations(&set, 0, found->n_determined, found->determined);
    write_combinations(&set, 1, found->n_undetermined, found->undetermined);
    write_measurements(&set, found);
    return !set.no_memory;
}

static bool has(const ArcFieldSet *set, const char *name)
{
    char path[ARC_FIELD_PATH];
    return arc_hdf5_has(set->file, arc_field_path(path, set, name));
}

/* The parts of a table, each of one of the fit's parameters; NULL where they do not fit. */
static const Part *read_parts(ArcFieldSet *set, const ArcFieldTable *table, const ArcFit *fit,
                              int *n)
{
    *n = arc_field_rows(set, table, MOST_ROWS);
    Part *parts = arc_field_alloc(set, (size_t)*n, sizeof *parts);
    if (!arc_field_is_good(set))
        return NULL;
    arc_field_read(set, table, *n, parts);
    for (int i = 0; i < *n && arc_field_is_good(set); i++)
        if (parts[i].parameter < 0 || parts[i].parameter >= fit->n_parameters)
            arc_field_refuse(set, table->name);
    return arc_field_is_good(set) ? parts : NULL;
}

static const ArcCombination *read_combinations(ArcFieldSet *set, int which, const ArcFit *fit,
                                               int *n)
{
    const ArcFieldTable *table = &combinations[which][0];
    int total = 0, at = 0;
    *n = 0;
    if (!has(set, table->name))
        return NULL;
    int rows = arc_field_rows(set, table, MOST_ROWS);
    const Part *parts = read_parts(set, &combinations[which][1], fit, &total);
    ArcCombination *all = arc_field_alloc(set, (size_t)rows, sizeof *all);
    int *parameters = arc_field_alloc(set, (size_t)total, sizeof *parameters);
    double *factors = arc_field_alloc(set, (size_t)total, sizeof *factors);
    if (!arc_field_is_good(set))
        return NULL;
    arc_field_read(set, table, rows, all);
    for (int i = 0; i < total; i++) {
        parameters[i] = parts[i].parameter;
        factors[i] = parts[i].number;
    }
    for (int i = 0; i < rows && arc_field_is_good(set); at += all[i++].n_parts) {
        if (all[i].n_parts < 1 || all[i].n_parts > total - at) {
            arc_field_refuse(set, table->name);
            return NULL;
        }
        all[i].parameters = parameters + at;
        all[i].factors = factors + at;
    }
    if (arc_field_is_good(set) && at != total)
        arc_field_refuse(set, table->name);
    *n = rows;
    return all;
}

static void read_measurements(ArcFieldSet *set, const ArcFit *fit, ArcIdentifiability *found)
{
    char path[ARC_FIELD_PATH];
    int total = 0, at = 0, free = fit->n_free;
    if (!has(set, measurements.name))
        return;
    int n = arc_field_rows(set, &measurements, ARC_MAX_MEASUREMENTS);
    const Part *parts = read_parts(set, &readings, fit, &total);
    ArcMeasurement *all = arc_field_alloc(set, (size_t)n, sizeof *all);
    const double *after = arc_hdf5_reals(
        set->file, arc_field_path(path, set, "identifiability/measurement/sd_after"), n, free);
    if (!arc_field_is_good(set))
        return;
    arc_field_read(set, &measurements, n, all);
    for (int i = 0; i < n && arc_field_is_good(set); i++) {
        ArcMeasurement *m = &all[i];
        if (m->n_readings < 1 || m->n_readings > ARC_MEASUREMENT_READINGS ||
            m->n_readings > total - at) {
            arc_field_refuse(set, measurements.name);
            return;
        }
        for (int k = 0; k < m->n_readings; k++, at++) {
            m->parameters[k] = parts[at].parameter;
            m->sd[k] = parts[at].number;
        }
        m->sd_after = after + (size_t)i * (size_t)free;
    }
    if (arc_field_is_good(set) && at != total)
        arc_field_refuse(set, measurements.name);
    found->n_measurements = n;
    found->measurements = all;
}

bool arc_identifiability_read(ArcHdf5 *file, ArcArena *arena, const char *group, ArcFit *fit)
{
    ArcFieldSet set = {.file = file, .arena = arena, .group = group};
    char path[ARC_FIELD_PATH];
    if (!arc_field_is_good(&set) || !has(&set, "identifiability"))
        return true;
    ArcIdentifiability *found = arc_field_alloc(&set, 1, sizeof *found);
    if (found == NULL)
        return false;
    arc_field_path(path, &set, "identifiability");
    for (int k = 0; k < N_ATTRIBUTES; k++) {
        uint64_t count = arc_hdf5_count(file, path, attributes[k].name);
        int value = count <= (uint64_t)MOST_ROWS ? (int)count : -1;
        memcpy((char *)found + attributes[k].offset, &value, sizeof value);
    }
    if (arc_field_is_good(&set) &&
        (found->n_free != fit->n_free || found->rank < 0 || found->rank > fit->n_free ||
         found->release_numbers < 0 || found->n_readings < 0))
        arc_field_refuse(&set, "identifiability");
    if (arc_field_is_good(&set))
        found->determined = read_combinations(&set, 0, fit, &found->n_determined);
    if (arc_field_is_good(&set))
        found->undetermined = read_combinations(&set, 1, fit, &found->n_undetermined);
    if (arc_field_is_good(&set))
        read_measurements(&set, fit, found);
    if (arc_field_is_good(&set))
        fit->identifiability = found;
    return !set.no_memory;
}
