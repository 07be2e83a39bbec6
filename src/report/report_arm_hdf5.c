/* Readings, arm and swing to HDF5 and back. The rows of n fits stand one behind the other; arrays
 * of n say how many are whose. Nothing is written where nothing was measured and no arm threw.
 *
 *   GROUP/measured/{readings,readings_chi2,swing,swing_chi2}      (n) counts, and parts of chi2
 *      reading/{name,unit,value,sd,fitted,residual_sd,line}       of a flight of its own
 *   GROUP/arm/         joints dimensions first parameters theta omega release as attributes
 *      joint {solutions}                                          (n)
 *      solution/{chi2,theta,omega,fitted,converged,within_limits,told_apart}
 *      tie, tied                                                  (n 2 d, free)
 *      swing/{numbers,present,rows,chi2,parts,times,...}          (n)
 *         part/{kind,index,numbers,rms,chi2}
 *         number/{value,row,kind,index,axis,sigma,line,time,fitted}
 *         {time,theta,omega,acceleration,motor,friction}          the motion
 *
 * The fields stand in arm_fields.c; report_arm_hdf5_read.c is the mirror image.
 */
#include "report/arm_hdf5.h"

#include "report/arm_fields.h"

#include <stdio.h>
#include <string.h>

static const char *const kind_values =
    "0 a place: 0 the base, i the end of link i, -1 the ball; 1 a joint's angle; 2 its rate";

/* The fits of a group, on their way. */
typedef struct Set {
    ArcFieldSet fields;
    int n;
    const ArcFit *fits;
} Set;

static void write_readings(Set *set)
{
    size_t rows = 0, at = 0;
    ArcResiduals *counts = arc_field_alloc(&set->fields, (size_t)set->n, sizeof *counts);
    for (int f = 0; f < set->n; f++)
        rows += set->fits[f].readings == NULL ? 0 : (size_t)set->fits[f].residuals.n_readings;
    ArcFittedReading *all = arc_field_alloc(&set->fields, rows, sizeof *all);
    if (counts == NULL || all == NULL)
        return;
    for (int f = 0; f < set->n; f++) {
        counts[f] = set->fits[f].residuals;
        size_t n = set->fits[f].readings == NULL ? 0 : (size_t)counts[f].n_readings;
        if (n > 0)
            memcpy(all + at, set->fits[f].readings, n * sizeof *all);
        at += n;
    }
    arc_field_write(&set->fields, &arc_arm_counts, (size_t)set->n, counts);
    if (rows > 0)
        arc_field_write(&set->fields, &arc_arm_readings, rows, all);
}

static void write_solutions(Set *set)
{
    size_t rows = 0;
    int *counts = arc_field_alloc(&set->fields, (size_t)set->n, sizeof *counts);
    ArcArmSolution *all =
        arc_field_alloc(&set->fields, (size_t)set->n * ARC_ARM_MAX_POSES, sizeof *all);
    if (counts == NULL || all == NULL)
        return;
    for (int f = 0; f < set->n; f++) {
        const ArcArmFit *arm = set->fits[f].arm;
        counts[f] = arm->n_solutions;
        memcpy(all + rows, arm->solutions, (size_t)counts[f] * sizeof *all);
        rows += (size_t)counts[f];
    }
    arc_field_write_array(
        &set->fields, "arm/solutions", NULL, NULL,
        &(ArcHdf5Array){
            .units = "1", .kind = ARC_HDF5_INTEGER, .rows = (size_t)set->n, .data = counts});
    arc_field_write(&set->fields, &arc_arm_solutions, rows, all);
}

/* The release's partials, a row a number of it. */
static void write_tie(Set *set)
{
    const ArcArmFit *arm = set->fits[0].arm;
    size_t d2 = 2 * (size_t)arm->dimensions, free = (size_t)set->fits[0].n_free;
    size_t rows = (size_t)set->n * d2;
    const char **names = arc_field_alloc(&set->fields, rows, sizeof *names);
    double *all = arc_field_alloc(&set->fields, rows * free, sizeof *all);
    if (free == 0 || names == NULL || all == NULL)
        return;
    for (size_t i = 0; i < rows; i++)
        names[i] = set->fits[0].parameters[(size_t)arm->release + i % d2].name;
    for (size_t f = 0; f < (size_t)set->n; f++)
        memcpy(all + f * d2 * free, set->fits[f].arm->tie, d2 * free * sizeof *all);
    arc_field_write_array(
        &set->fields, "arm/tied", NULL, NULL,
        &(ArcHdf5Array){.units = "text", .kind = ARC_HDF5_TEXT, .rows = rows, .data = names});
    arc_field_write_array(&set->fields, "arm/tie", "arm/tied", "free",
                          &(ArcHdf5Array){.units = "unit of the row by that of the column",
                                          .kind = ARC_HDF5_REAL,
                                          .rows = rows,
                                          .columns = free,
                                          .data = all});
}

/* Where a swing's arrays go among those of all, and where they come from. */
typedef struct Motion {
    const double *columns[ARC_ARM_MOTIONS];
} Motion;

static Motion motion_of(const ArcSwingFit *swing)
{
    return (Motion){{swing->theta_rad, swing->omega_rad_s, swing->acceleration_rad_s2,
                     swing->motor_n_m, swing->friction_n_m}};
}

/* How much there is of all swings together. */
typedef struct Totals {
    size_t parts, numbers, times;
} Totals;

static void write_motion(Set *set, const ArcSwingFit *swings, const Totals *totals)
{
    size_t J = (size_t)set->fields.columns;
    double *time = arc_field_alloc(&set->fields, totals->times, sizeof *time);
    double *all = arc_field_alloc(&set->fields, totals->times * J, sizeof *all);
    if (time == NULL || all == NULL)
        return;
    for (int k = -1; k < ARC_ARM_MOTIONS; k++) {
        size_t at = 0;
        char name[40];
        for (int f = 0; f < set->n; f++) {
            size_t n = (size_t)swings[f].n_times;
            if (n > 0 && k < 0)
                memcpy(time + at, swings[f].time_s, n * sizeof *time);
            else if (n > 0)
                memcpy(all + at * J, motion_of(&swings[f]).columns[k], n * J * sizeof *all);
            at += n;
        }
        snprintf(name, sizeof name, "arm/swing/%.20s", k < 0 ? "time" : arc_arm_motion_names[k]);
        arc_field_write_array(&set->fields, name, k < 0 ? NULL : "arm/swing/time",
                              k < 0 ? NULL : "arm/joint",
                              &(ArcHdf5Array){.units = k < 0 ? "s" : arc_arm_motion_units[k],
                                              .kind = ARC_HDF5_REAL,
                                              .rows = totals->times,
                                              .columns = k < 0 ? 0 : J,
                                              .data = k < 0 ? time : all});
    }
}

/* The numbers that were measured, with their times and what is fitted to them. */
static void write_numbers(Set *set, const ArcSwingFit *swings, const Totals *totals)
{
    char path[ARC_FIELD_PATH];
    ArcSwingNumber *all = arc_field_alloc(&set->fields, totals->numbers, sizeof *all);
    double *reals = arc_field_alloc(&set->fields, 2 * totals->numbers, sizeof *reals);
    double *fitted = reals + totals->numbers;
    size_t at = 0;
    if (all == NULL || reals == NULL)
        return;
    for (int f = 0; f < set->n; f++) {
        size_t n = (size_t)swings[f].numbers;
        if (n == 0)
            continue;
        memcpy(all + at, swings[f].measured, n * sizeof *all);
        memcpy(reals + at, swings[f].number_time_s, n * sizeof *reals);
        memcpy(fitted + at, swings[f].fitted, n * sizeof *reals);
        at += n;
    }
    arc_field_write(&set->fields, &arc_arm_swing_numbers, at, all);
    arc_hdf5_put_text(set->fields.file, arc_field_path(path, &set->fields, "arm/swing/number/kind"),
                      "values", kind_values);
    for (int k = 0; k < 2; k++)
        arc_field_write_array(&set->fields,
                              k == 0 ? "arm/swing/number/time" : "arm/swing/number/fitted",
                              "arm/swing/number/value", NULL,
                              &(ArcHdf5Array){.units = k == 0 ? "s" : "m, rad or rad/s by the kind",
                                              .kind = ARC_HDF5_REAL,
                                              .rows = at,
                                              .data = k == 0 ? reals : fitted});
}

static void write_swings(Set *set)
{
    ArcSwingFit *swings = arc_field_alloc(&set->fields, (size_t)set->n, sizeof *swings);
    int *present = arc_field_alloc(&set->fields, (size_t)set->n, sizeof *present);
    Totals totals = {0, 0, 0};
    bool is_any = false;
    for (int f = 0; f < set->n && arc_field_is_good(&set->fields); f++) {
        const ArcSwingFit *swing = set->fits[f].arm->swing;
        present[f] = swing != NULL;
        if (swing != NULL)
            swings[f] = *swing;
        is_any = is_any || swing != NULL;
        totals.parts += (size_t)swings[f].n_parts;
        totals.numbers += (size_t)swings[f].numbers;
        totals.times += (size_t)swings[f].n_times;
    }
    ArcSwingPart *parts = arc_field_alloc(&set->fields, totals.parts, sizeof *parts);
    if (!is_any || !arc_field_is_good(&set->fields))
        return;
    for (size_t f = 0, at = 0; f < (size_t)set->n; at += (size_t)swings[f++].n_parts)
        if (swings[f].n_parts > 0)
            memcpy(parts + at, swings[f].parts, (size_t)swings[f].n_parts * sizeof *parts);
    arc_field_write(&set->fields, &arc_arm_swings, (size_t)set->n, swings);
    arc_field_write_array(
        &set->fields, "arm/swing/present", "arm/swing/numbers", NULL,
        &(ArcHdf5Array){
            .units = "1", .kind = ARC_HDF5_INTEGER, .rows = (size_t)set->n, .data = present});
    arc_field_write(&set->fields, &arc_arm_swing_parts, totals.parts, parts);
    write_numbers(set, swings, &totals);
    write_motion(set, swings, &totals);
}

bool arc_arm_hdf5_write(ArcHdf5 *file, ArcArena *arena, const char *group, int n,
                        const ArcFit *fits)
{
    const ArcArmFit *arm = fits[0].arm;
    Set set = {{file, arena, group, arm == NULL ? 0 : arm->n_joints, "arm/joint", false}, n, fits};
    char path[ARC_FIELD_PATH];
    int joints[ARC_ARM_MAX_JOINTS];
    bool is_measured = false;
    for (int f = 0; f < n; f++)
        is_measured = is_measured || fits[f].residuals.n_readings + fits[f].residuals.n_swing > 0;
    if (is_measured)
        write_readings(&set);
    if (arm == NULL || set.fields.no_memory)
        return !set.fields.no_memory;
    for (int j = 0; j < arm->n_joints; j++)
        joints[j] = j + 1;
    arc_field_path(path, &set.fields, "arm");
    for (int k = 0; k < ARC_ARM_ATTRIBUTES; k++) {
        int count;
        memcpy(&count, (const char *)arm + arc_arm_attributes[k].offset, sizeof count);
        arc_hdf5_put_count(file, path, arc_arm_attributes[k].name, (uint64_t)count);
    }
    arc_field_write_array(
        &set.fields, "arm/joint", NULL, NULL,
        &(ArcHdf5Array){
            .units = "1", .kind = ARC_HDF5_INTEGER, .rows = (size_t)arm->n_joints, .data = joints});
    write_solutions(&set);
    write_tie(&set);
    write_swings(&set);
    return !set.fields.no_memory;
}
