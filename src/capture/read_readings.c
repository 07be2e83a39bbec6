/* The table of readings: a row a flight, columns by the names of parameters.
 *
 * What is known here is the kind of each parameter, for its unit; whether the arm has it, knows who
 * makes the problem. The standard deviation of a rate: its own column, else
 * sqrt(sigma_rate^2 + (sigma_rate_share rate)^2).
 */
#include "capture/arm_table.h"

#include <math.h>
#include <string.h>

static const double least_sd = 1e-12;

typedef struct Name {
    const char *name;
    bool is_of_joint; /* a number follows */
    ArcHeadingKind kind;
} Name;

static const Name names[] = {
    {"theta", true, ARC_HEADING_ANGLE},        {"omega", true, ARC_HEADING_RATE},
    {"t0", false, ARC_HEADING_TIME},           {"l", true, ARC_HEADING_LENGTH},
    {"base_x", false, ARC_HEADING_LENGTH},     {"base_y", false, ARC_HEADING_LENGTH},
    {"base_z", false, ARC_HEADING_LENGTH},     {"azimuth", false, ARC_HEADING_ANGLE},
    {"ball_along", false, ARC_HEADING_LENGTH}, {"ball_across", false, ARC_HEADING_LENGTH},
    {"ball_side", false, ARC_HEADING_LENGTH},  {"offset", true, ARC_HEADING_ANGLE},
    {"gain", true, ARC_HEADING_NONE},          {"mass", true, ARC_HEADING_MASS},
    {"centre", true, ARC_HEADING_LENGTH},      {"inertia", true, ARC_HEADING_INERTIA},
    {"payload", false, ARC_HEADING_MASS},      {"viscous", true, ARC_HEADING_DAMPING},
    {"coulomb", true, ARC_HEADING_TORQUE},
};

static const char prefix[] = "sigma_";

/* The parameter of that name; NULL: there is none, or the arm has no such joint. */
static const Name *name_find(const ArcCaptureSettings *settings, const char *name)
{
    int n_joints = settings->swing.n_joints > 0 ? settings->swing.n_joints : ARC_ARM_MAX_JOINTS;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int joint = arc_heading_number(name, names[i].name);
        if (names[i].is_of_joint ? joint > 0 && joint <= n_joints
                                 : strcmp(names[i].name, name) == 0)
            return &names[i];
    }
    return NULL;
}

static int column_find(const ArcArmTable *read, const char *before, const char *name)
{
    size_t length = strlen(before);
    for (int i = 0; i < read->table.n_columns; i++)
        if (strncmp(read->heading[i].name, before, length) == 0 &&
            strcmp(read->heading[i].name + length, name) == 0)
            return i;
    return -1;
}

ArcStatus arc_readings_find_columns(const ArcCaptureSettings *settings, ArcArmTable *read,
                                    ArcError *err)
{
    const ArcTable *table = &read->table;
    int n = 0;
    for (int i = 0; i < table->n_columns; i++) {
        const char *own = read->heading[i].name;
        bool is_sd = strncmp(own, prefix, sizeof prefix - 1) == 0;
        if (is_sd)
            own += sizeof prefix - 1;
        const Name *name = name_find(settings, own);
        if (name == NULL || (is_sd && column_find(read, "", own) < 0))
            continue;
        ArcStatus status = arc_arm_table_take(read, i, name->kind, err);
        if (status != ARC_OK)
            return status;
        n += !is_sd;
        if (n > ARC_MAX_READINGS)
            return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, &table->header[i]),
                                    "more than %d readings of a flight; leave some out",
                                    ARC_MAX_READINGS);
    }
    if (n > 0)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, table->header),
                            "no column of a reading; known are theta1_rad, omega1_rad_s, t0_s, "
                            "l1_m and the like, by the names of the arm's parameters");
}

/* By the settings; NaN: they do not tell. */
static double sd_of(const ArcSwingSettings *settings, const Name *name, double value)
{
    double rate = settings->readings_sigma_rad_s, share = settings->readings_sigma_share;
    if (strcmp(name->name, "theta") == 0)
        return settings->readings_sigma_rad;
    if (strcmp(name->name, "t0") == 0)
        return settings->readings_sigma_s;
    if (strcmp(name->name, "omega") != 0 || (isnan(rate) && isnan(share)))
        return NAN;
    return hypot(isnan(rate) ? 0 : rate, isnan(share) ? 0 : share * value);
}

/* The sd of the reading in column, from its own column where it has one. */
static ArcStatus sd_read(const ArcSwingReading *reading, int row, int column, double value,
                         double *sd, ArcError *err)
{
    const ArcArmTable *read = reading->read;
    const char *own = read->heading[column].name;
    const Name *name = name_find(reading->settings, own);
    int of_sd = column_find(read, prefix, own), at = column;
    ArcStatus status = ARC_OK;
    *sd = NAN;
    if (of_sd >= 0)
        status = arc_arm_table_number(read, row, of_sd, sd, err);
    if (status == ARC_OK && !isnan(*sd))
        at = of_sd;
    else if (status == ARC_OK)
        *sd = sd_of(&reading->settings->swing, name, value);
    if (status != ARC_OK || *sd >= least_sd)
        return status;
    const ArcCell *cell = arc_arm_table_cell(read, row, at);
    ArcPlace place = arc_delimited_place(&read->table, cell);
    if (isnan(*sd))
        return arc_error_set_at(err, ARC_INPUT, place,
                                "'%s' has no standard deviation; give a column sigma_%s, with "
                                "its unit, or of an angle, a rate and t0 `sigma_angle`, "
                                "`sigma_rate` and `sigma_time` in the experiment",
                                own, own);
    return arc_error_set_at(err, ARC_INPUT, place,
                            "the standard deviation of '%s' is %g; it must be above zero%s", own,
                            *sd, at == column ? "; give sigma_rate beside sigma_rate_share" : "");
}

static ArcStatus row_read(const ArcSwingReading *reading, int row, ArcReading *readings, int *n,
                          ArcError *err)
{
    const ArcArmTable *read = reading->read;
    ArcStatus status = ARC_OK;
    *n = 0;
    for (int i = 0; i < read->table.n_columns && status == ARC_OK; i++) {
        const char *own = read->heading[i].name;
        double value = NAN, sd = NAN;
        if (!read->is_known[i] || name_find(reading->settings, own) == NULL)
            continue;
        status = arc_arm_table_number(read, row, i, &value, err);
        if (status != ARC_OK || isnan(value))
            continue;
        status = sd_read(reading, row, i, value, &sd, err);
        const char *name = arc_arena_copy_text(reading->arena, own, strlen(own));
        if (status == ARC_OK && name == NULL)
            status = arc_error_no_memory(err);
        if (status == ARC_OK)
            readings[(*n)++] =
                (ArcReading){name, value, sd, arc_arm_table_cell(read, row, i)->line};
    }
    return status;
}

ArcStatus arc_readings_read(const ArcSwingReading *reading, int *n, const ArcReading **readings,
                            ArcError *err)
{
    const ArcArmTable *read = reading->read;
    *n = 0;
    *readings = NULL;
    if (reading->n == 0)
        return ARC_OK;
    if (reading->n > 1) {
        const ArcCell *cell = arc_arm_table_cell(read, reading->rows[1], 0);
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(&read->table, cell),
                                "a second row of one flight; readings have one row a flight%s",
                                read->flight < 0 ? ", which a column `flight` names" : "");
    }
    ArcReading *made = ARC_ALLOC(reading->arena, ARC_MAX_READINGS, ArcReading);
    if (made == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = row_read(reading, reading->rows[0], made, n, err);
    if (status == ARC_OK && *n > 0)
        *readings = made;
    return status;
}
