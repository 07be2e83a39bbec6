/* See aim_fields.h. */
#include "aim/aim_fields.h"

#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 64 };

#define AT(field) offsetof(ArcAimSolution, field)
#define NUMBER(number) (AT(numbers) + (number) * sizeof(double))
static const ArcAimField throws[] = {
    {"hits", "1", ARC_AIM_FLAG, AT(hits)},
    {"hit_probability_valid", "1", ARC_AIM_FLAG, AT(chance.is_valid)},
    {"speed", "m/s", ARC_AIM_ONE, NUMBER(ARC_AIM_SPEED)},
    {"miss", "m", ARC_AIM_ONE, NUMBER(ARC_AIM_MISS)},
    {"entry_angle", "rad", ARC_AIM_ONE, NUMBER(ARC_AIM_ENTRY_ANGLE)},
    {"entry_speed", "m/s", ARC_AIM_ONE, NUMBER(ARC_AIM_ENTRY_SPEED)},
    {"time", "s", ARC_AIM_ONE, NUMBER(ARC_AIM_TIME)},
    {"height", "m", ARC_AIM_ONE, NUMBER(ARC_AIM_HEIGHT)},
    {"clearance", "m", ARC_AIM_ONE, NUMBER(ARC_AIM_CLEARANCE)},
    {"energy", "J", ARC_AIM_ONE, NUMBER(ARC_AIM_ENERGY)},
    {"peak_torque", "N m", ARC_AIM_ONE, NUMBER(ARC_AIM_PEAK_TORQUE)},
    {"cost", "1", ARC_AIM_ONE, AT(cost)},
    {"hit_probability", "1", ARC_AIM_ONE, AT(chance.value)},
    {"checked", "1", ARC_AIM_ONE, AT(chance.checked)},
    {"checked_sd", "1", ARC_AIM_ONE, AT(chance.checked_sd)},
    {"position", "m", ARC_AIM_AXES, AT(position_m)},
    {"velocity", "m/s", ARC_AIM_AXES, AT(velocity_m_s)},
    {"arrival", "m", ARC_AIM_AXES, AT(arrival_m)},
    {"arrival_velocity", "m/s", ARC_AIM_AXES, AT(arrival_velocity_m_s)},
    {"offset_sd", "m", ARC_AIM_AXES, AT(chance.offset_sd_m)},
    {"values", "unit of the column", ARC_AIM_PARAMETERS, AT(values)},
    {"miss_by", "m per unit of the column", ARC_AIM_PARAMETERS, AT(miss_by)},
    {"commands", "rad", ARC_AIM_JOINTS, AT(commands_rad)},
};
#undef NUMBER
#undef AT
#define AT(field) offsetof(ArcAimPoint, field)
static const ArcAimField front[] = {
    {"values", "unit of the column", ARC_AIM_PARAMETERS, AT(values)},
};
#undef AT
#define AT(field) offsetof(ArcReachThrow, field)
static const ArcAimField reach[] = {
    {"theta", "rad", ARC_AIM_JOINTS, AT(theta_rad)},
    {"omega", "rad/s", ARC_AIM_JOINTS, AT(omega_rad_s)},
    {"position", "m", ARC_AIM_AXES, AT(position_m)},
    {"velocity", "m/s", ARC_AIM_AXES, AT(velocity_m_s)},
    {"distance", "1", ARC_AIM_ONE, AT(distance)},
    {"miss", "m", ARC_AIM_ONE, AT(miss_m)},
    {"miss_speed", "m/s", ARC_AIM_ONE, AT(miss_m_s)},
    {"time", "s", ARC_AIM_ONE, AT(time_s)},
    {"arrival_velocity", "m/s", ARC_AIM_AXES, AT(arrival_m_s)},
    {"angle_over", "rad", ARC_AIM_JOINTS, AT(angle_over_rad)},
    {"rate_over", "1", ARC_AIM_JOINTS, AT(rate_over)},
    {"missing_velocity", "m/s", ARC_AIM_AXES, AT(missing_m_s)},
    {"within", "1", ARC_AIM_FLAG, AT(is_within)},
};
#undef AT
#define AT(field) offsetof(ArcReachCure, field)
static const ArcAimField cures[] = {
    {"limit", "1", ARC_AIM_WHOLE, AT(limit)},
    {"joint", "1", ARC_AIM_WHOLE, AT(joint)},
    {"change", "unit of the limit", ARC_AIM_ONE, AT(change)},
};
#undef AT

#define TABLE(group, scale, fields, type)                                                          \
    {                                                                                              \
        group, group "/" scale, fields, (int)(sizeof(fields) / sizeof((fields)[0])), sizeof(type)  \
    }
ArcAimTable arc_aim_table_of_throws(void)
{
    return (ArcAimTable)TABLE("/throws", "rank", throws, ArcAimSolution);
}

ArcAimTable arc_aim_table_of_banks(void)
{
    return (ArcAimTable)TABLE("/banks", "rank", throws, ArcAimSolution);
}

ArcAimTable arc_aim_table_of_front(void)
{
    return (ArcAimTable)TABLE("/front", "point", front, ArcAimPoint);
}

ArcAimTable arc_aim_table_of_reach(void)
{
    return (ArcAimTable)TABLE("/reach/throws", "rank", reach, ArcReachThrow);
}

ArcAimTable arc_aim_table_of_cures(void)
{
    return (ArcAimTable)TABLE("/reach/cures", "rank", cures, ArcReachCure);
}
#undef TABLE

static bool is_integer(const ArcAimField *field)
{
    return field->width == ARC_AIM_FLAG || field->width == ARC_AIM_WHOLE;
}

/* Numbers of a row; 0 of a field that there is not without an arm. */
static int columns_of(const ArcAimFile *file, const ArcAimField *field)
{
    switch (field->width) {
    case ARC_AIM_AXES:
        return file->n_axes;
    case ARC_AIM_PARAMETERS:
        return file->n_parameters;
    case ARC_AIM_JOINTS:
        return file->n_joints;
    default:
        return 1;
    }
}

/* The array that the columns go by; NULL: they are one. */
static const char *scale_of(const ArcAimField *field)
{
    return field->width == ARC_AIM_AXES         ? "/axis"
           : field->width == ARC_AIM_PARAMETERS ? "/parameters/name"
           : field->width == ARC_AIM_JOINTS     ? "/joint"
                                                : NULL;
}

static void write_field(ArcAimFile *file, const ArcAimTable *table, const ArcAimField *field,
                        int rows, const char *structs)
{
    size_t columns = (size_t)columns_of(file, field), n = (size_t)rows;
    bool is_whole = is_integer(field);
    size_t size = is_whole ? sizeof(int) : sizeof(double);
    char path[PATH_SIZE];
    char *array = arc_arena_alloc(file->arena, n * columns, size);
    if (array == NULL)
        file->no_memory = true;
    for (size_t i = 0; array != NULL && i < n; i++) {
        const char *from = structs + i * table->size + field->offset;
        int flag = field->width == ARC_AIM_FLAG ? *(const bool *)from : 0;
        memcpy(array + i * columns * size,
               field->width == ARC_AIM_FLAG ? (const char *)&flag : from, columns * size);
    }
    if (array == NULL || (columns == 0 && scale_of(field) != NULL))
        return;
    snprintf(path, sizeof path, "%.30s/%.30s", table->group, field->name);
    arc_hdf5_write(file->file, &(ArcHdf5Array){.path = path,
                                               .units = field->units,
                                               .kind = is_whole ? ARC_HDF5_INTEGER : ARC_HDF5_REAL,
                                               .rows = n,
                                               .columns = scale_of(field) == NULL ? 0 : columns,
                                               .data = array,
                                               .scale = {table->scale, scale_of(field)}});
}

void arc_aim_fields_write(ArcAimFile *file, const ArcAimTable *table, int rows, const void *structs)
{
    int *rank = ARC_ALLOC(file->arena, (size_t)rows, int);
    if (rank == NULL) {
        file->no_memory = true;
        return;
    }
    for (int i = 0; i < rows; i++)
        rank[i] = i + 1;
    arc_hdf5_write(file->file, &(ArcHdf5Array){.path = table->scale,
                                               .units = "1",
                                               .kind = ARC_HDF5_INTEGER,
                                               .rows = (size_t)rows,
                                               .data = rank});
    for (int k = 0; rows > 0 && k < table->n_fields; k++)
        write_field(file, table, &table->fields[k], rows, structs);
}

int arc_aim_fields_rows(ArcAimFile *file, const ArcAimTable *table, int most)
{
    int rows = arc_hdf5_rows(file->file, table->scale);
    if (rows <= most)
        return rows;
    arc_hdf5_refuse(file->file, "'%s' has too many rows", table->scale);
    return 0;
}

static void read_field(ArcAimFile *file, const ArcAimTable *table, const ArcAimField *field,
                       int rows, char *structs)
{
    size_t columns = (size_t)columns_of(file, field);
    char path[PATH_SIZE];
    if (columns == 0)
        return;
    snprintf(path, sizeof path, "%.30s/%.30s", table->group, field->name);
    const int *whole = is_integer(field) ? arc_hdf5_integers(file->file, path, rows) : NULL;
    const double *reals =
        is_integer(field)
            ? NULL
            : arc_hdf5_reals(file->file, path, rows, scale_of(field) == NULL ? 0 : (int)columns);
    for (size_t i = 0; (whole != NULL || reals != NULL) && i < (size_t)rows; i++) {
        char *to = structs + i * table->size + field->offset;
        if (field->width == ARC_AIM_FLAG)
            *(bool *)to = whole[i] != 0;
        else if (whole != NULL)
            memcpy(to, &whole[i], sizeof whole[i]);
        else
            memcpy(to, reals + i * columns, columns * sizeof *reals);
    }
}

void arc_aim_fields_read(ArcAimFile *file, const ArcAimTable *table, int rows, void *structs)
{
    for (int k = 0; rows > 0 && k < table->n_fields; k++)
        read_field(file, table, &table->fields[k], rows, structs);
}
