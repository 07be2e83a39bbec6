/* Readings, arm and swing read back, the mirror image of report_arm_hdf5.c; nothing is believed
 * before it is checked. */
#include "report/arm_hdf5.h"

#include "report/arm_fields.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 100000000 };

/* The fits of a group, on their way. */
typedef struct Set {
    ArcFieldSet fields;
    int n;
    ArcFit *fits;
    ArcArmFit *arms; /* (n) */
} Set;

static bool is_good(const Set *set)
{
    return arc_field_is_good(&set->fields);
}

static bool has(const Set *set, const char *name)
{
    char path[ARC_FIELD_PATH];
    return arc_hdf5_has(set->fields.file, arc_field_path(path, &set->fields, name));
}

static void refuse(Set *set, const char *name)
{
    arc_field_refuse(&set->fields, name);
}

static void read_readings(Set *set)
{
    ArcResiduals *counts = arc_field_alloc(&set->fields, (size_t)set->n, sizeof *counts);
    bool has_rows = has(set, "measured/reading");
    int total = has_rows ? arc_field_rows(&set->fields, &arc_arm_readings, MOST_ROWS) : 0, at = 0;
    ArcFittedReading *all = arc_field_alloc(&set->fields, (size_t)total, sizeof *all);
    if (!is_good(set))
        return;
    arc_field_read(&set->fields, &arc_arm_counts, set->n, counts);
    if (has_rows)
        arc_field_read(&set->fields, &arc_arm_readings, total, all);
    for (int f = 0; f < set->n && is_good(set); f++) {
        int n = counts[f].n_readings;
        ArcResiduals *r = &set->fits[f].residuals;
        /* Of flights fitted together only each of them has its rows. */
        bool is_whole = set->fits[f].n_flights > 0;
        if (n < 0 || counts[f].n_swing < 0 || (!is_whole && n > total - at)) {
            refuse(set, "measured/readings");
            return;
        }
        r->n_readings = n;
        r->n_swing = counts[f].n_swing;
        r->readings_chi2 = counts[f].readings_chi2;
        r->swing_chi2 = counts[f].swing_chi2;
        set->fits[f].readings = is_whole ? NULL : all + at;
        at += is_whole ? 0 : n;
    }
    if (is_good(set) && at != total)
        refuse(set, "measured/readings");
}

/* Where the arm's parameters and the release stand among those of a fit. */
static void read_attributes(Set *set, ArcArmFit *arm)
{
    const ArcFit *fit = &set->fits[0];
    char path[ARC_FIELD_PATH];
    int most = fit->n_parameters;
    arc_field_path(path, &set->fields, "arm");
    for (int k = 0; k < ARC_ARM_ATTRIBUTES && is_good(set); k++) {
        uint64_t count = arc_hdf5_count(set->fields.file, path, arc_arm_attributes[k].name);
        int value = count <= (uint64_t)most ? (int)count : -1;
        memcpy((char *)arm + arc_arm_attributes[k].offset, &value, sizeof value);
    }
    int J = arm->n_joints, first = arm->first, n = arm->n_parameters;
    bool fits = J >= 1 && J <= ARC_ARM_MAX_JOINTS && arm->dimensions == fit->dimensions &&
                first >= 0 && n >= 0 && n <= most - first;
    fits = fits && arm->theta >= first && arm->omega >= first && arm->theta + J <= first + n &&
           arm->omega + J <= first + n && arm->release >= 0 &&
           arm->release + 2 * arm->dimensions <= most;
    if (is_good(set) && !fits)
        refuse(set, "arm");
}

static void read_solutions(Set *set)
{
    char path[ARC_FIELD_PATH];
    int rows = arc_field_rows(&set->fields, &arc_arm_solutions, MOST_ROWS), at = 0;
    const int *counts = arc_hdf5_integers(
        set->fields.file, arc_field_path(path, &set->fields, "arm/solutions"), set->n);
    ArcArmSolution *all = arc_field_alloc(&set->fields, (size_t)rows, sizeof *all);
    if (!is_good(set))
        return;
    arc_field_read(&set->fields, &arc_arm_solutions, rows, all);
    if (is_good(set) && !arc_field_counts_fit(set->n, counts, rows))
        refuse(set, "arm/solutions");
    for (int f = 0; f < set->n && is_good(set); at += counts[f++]) {
        if (counts[f] > ARC_ARM_MAX_POSES) {
            refuse(set, "arm/solutions");
            return;
        }
        set->arms[f].n_solutions = counts[f];
        for (int i = 0; i < counts[f]; i++)
            set->arms[f].solutions[i] = all[at + i];
    }
}

static void read_tie(Set *set)
{
    char path[ARC_FIELD_PATH];
    int d2 = 2 * set->arms[0].dimensions, free = set->fits[0].n_free;
    const double *tie = NULL;
    if (free > 0)
        tie = arc_hdf5_reals(set->fields.file, arc_field_path(path, &set->fields, "arm/tie"),
                             set->n * d2, free);
    for (int f = 0; f < set->n && tie != NULL && is_good(set); f++)
        set->arms[f].tie = tie + (size_t)f * (size_t)(d2 * free);
}

/* A number must be one of this arm's, and in a row of its swing. */
static bool number_fits(const Set *set, const ArcSwingNumber *number, int rows)
{
    int J = set->fields.columns;
    bool is_place = number->kind == ARC_SWING_PLACE;
    if ((int)number->kind < ARC_SWING_PLACE || (int)number->kind > ARC_SWING_RATE ||
        number->row < 0 || number->row >= rows)
        return false;
    if (is_place)
        return number->index >= ARC_ARM_BALL && number->index <= J && number->axis >= 0 &&
               number->axis < set->arms[0].dimensions;
    return number->index >= 0 && number->index < J;
}

static bool part_fits(const Set *set, const ArcSwingPart *part)
{
    const ArcSwingNumber number = {.kind = part->kind, .index = part->index};
    return part->numbers >= 0 && number_fits(set, &number, 1);
}

/* The swings' numbers of rows are below what is there. */
static bool swing_fits(const Set *set, const ArcSwingFit *swing, bool is_present)
{
    if (!is_present)
        return swing->numbers == 0 && swing->n_parts == 0 && swing->n_times == 0;
    return swing->numbers >= 0 && swing->n_parts >= 0 && swing->n_times >= 0 && swing->rows >= 0 &&
           swing->left_out >= 0 && swing->n_joints == set->fields.columns;
}

/* What a swing still has to be given, counted off from the front. */
typedef struct Rest {
    int parts, numbers, times;
} Rest;

static void read_numbers(Set *set, ArcSwingFit *swings, Rest rest)
{
    char path[ARC_FIELD_PATH];
    ArcSwingNumber *all = arc_field_alloc(&set->fields, (size_t)rest.numbers, sizeof *all);
    const double *time = arc_hdf5_reals(set->fields.file,
                                        arc_field_path(path, &set->fields, "arm/swing/number/time"),
                                        rest.numbers, 0);
    const double *fitted = arc_hdf5_reals(
        set->fields.file, arc_field_path(path, &set->fields, "arm/swing/number/fitted"),
        rest.numbers, 0);
    if (!is_good(set))
        return;
    arc_field_read(&set->fields, &arc_arm_swing_numbers, rest.numbers, all);
    for (int f = 0, at = 0; f < set->n && is_good(set); at += swings[f++].numbers) {
        swings[f].measured = all + at;
        swings[f].number_time_s = time + at;
        swings[f].fitted = fitted + at;
        for (int i = 0; i < swings[f].numbers; i++)
            if (!number_fits(set, &all[at + i], swings[f].rows)) {
                refuse(set, "arm/swing/number");
                return;
            }
    }
}

static void read_parts(Set *set, ArcSwingFit *swings, Rest rest)
{
    ArcSwingPart *all = arc_field_alloc(&set->fields, (size_t)rest.parts, sizeof *all);
    if (!is_good(set))
        return;
    arc_field_read(&set->fields, &arc_arm_swing_parts, rest.parts, all);
    for (int i = 0; i < rest.parts && is_good(set); i++)
        if (!part_fits(set, &all[i]))
            refuse(set, "arm/swing/part");
    for (int f = 0, at = 0; f < set->n; at += swings[f++].n_parts)
        swings[f].parts = all + at;
}

static void read_motion(Set *set, ArcSwingFit *swings, Rest rest)
{
    char path[ARC_FIELD_PATH], name[40];
    const double *motion[ARC_ARM_MOTIONS];
    int J = set->fields.columns;
    const double *time = arc_hdf5_reals(
        set->fields.file, arc_field_path(path, &set->fields, "arm/swing/time"), rest.times, 0);
    for (int k = 0; k < ARC_ARM_MOTIONS; k++) {
        snprintf(name, sizeof name, "arm/swing/%.20s", arc_arm_motion_names[k]);
        motion[k] = arc_hdf5_reals(set->fields.file, arc_field_path(path, &set->fields, name),
                                   rest.times, J);
    }
    for (int f = 0, at = 0; f < set->n && is_good(set); at += swings[f++].n_times) {
        size_t from = (size_t)at * (size_t)J;
        swings[f].time_s = time + at;
        swings[f].theta_rad = motion[0] + from;
        swings[f].omega_rad_s = motion[1] + from;
        swings[f].acceleration_rad_s2 = motion[2] + from;
        swings[f].motor_n_m = motion[3] + from;
        swings[f].friction_n_m = motion[4] + from;
    }
}

/* How much the counts of the swings come to, as far as they can be believed. */
static Rest rest_of(Set *set, const ArcSwingFit *swings, const int *present)
{
    Rest rest = {0, 0, 0};
    for (int f = 0; f < set->n && is_good(set); f++) {
        const ArcSwingFit *swing = &swings[f];
        if (!swing_fits(set, swing, present[f] != 0) || swing->n_parts > MOST_ROWS - rest.parts ||
            swing->numbers > MOST_ROWS - rest.numbers || swing->n_times > MOST_ROWS - rest.times) {
            refuse(set, "arm/swing/numbers");
            break;
        }
        rest.parts += swing->n_parts;
        rest.numbers += swing->numbers;
        rest.times += swing->n_times;
    }
    return rest;
}

static void read_swings(Set *set)
{
    char path[ARC_FIELD_PATH];
    ArcSwingFit *swings = arc_field_alloc(&set->fields, (size_t)set->n, sizeof *swings);
    const int *present = arc_hdf5_integers(
        set->fields.file, arc_field_path(path, &set->fields, "arm/swing/present"), set->n);
    if (!is_good(set))
        return;
    arc_field_read(&set->fields, &arc_arm_swings, set->n, swings);
    Rest rest = rest_of(set, swings, present);
    /* What there is must be that much before room is made for it. */
    if (is_good(set) &&
        (arc_field_rows(&set->fields, &arc_arm_swing_parts, INT_MAX) != rest.parts ||
         arc_field_rows(&set->fields, &arc_arm_swing_numbers, INT_MAX) != rest.numbers))
        refuse(set, "arm/swing/numbers");
    if (is_good(set))
        read_parts(set, swings, rest);
    if (is_good(set))
        read_numbers(set, swings, rest);
    if (is_good(set))
        read_motion(set, swings, rest);
    for (int f = 0; f < set->n && is_good(set); f++)
        set->arms[f].swing = present[f] != 0 ? &swings[f] : NULL;
}

static void read_arms(Set *set)
{
    set->arms = arc_field_alloc(&set->fields, (size_t)set->n, sizeof *set->arms);
    if (set->arms == NULL)
        return;
    read_attributes(set, &set->arms[0]);
    if (!is_good(set))
        return;
    for (int f = 1; f < set->n; f++)
        set->arms[f] = set->arms[0];
    set->fields.columns = set->arms[0].n_joints;
    read_solutions(set);
    if (is_good(set))
        read_tie(set);
    if (is_good(set) && has(set, "arm/swing"))
        read_swings(set);
    for (int f = 0; f < set->n && is_good(set); f++)
        set->fits[f].arm = &set->arms[f];
}

bool arc_arm_hdf5_read(ArcHdf5 *file, ArcArena *arena, const char *group, int n, ArcFit *fits)
{
    Set set = {{file, arena, group, 0, "arm/joint", false}, n, fits, NULL};
    if (is_good(&set) && has(&set, "measured"))
        read_readings(&set);
    if (is_good(&set) && fits[0].n_flights == 0 && has(&set, "arm"))
        read_arms(&set);
    return !set.fields.no_memory;
}
