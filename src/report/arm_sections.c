/* Which part of an arm's result a parameter belongs to goes by its name alone (arm.h lists them),
 * so that shared parameters of several flights and results read back need nothing else. */
#include "report/arm_sections.h"

#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Names that begin so and go on with the number of a joint (torque1_2: of a coefficient). */
static const struct {
    const char *name;
    bool is_of_joint;
    ArcArmSection section;
} kinds[] = {
    {"base_x", false, ARC_SECTION_GEOMETRY},
    {"base_y", false, ARC_SECTION_GEOMETRY},
    {"base_z", false, ARC_SECTION_GEOMETRY},
    {"azimuth", false, ARC_SECTION_GEOMETRY},
    {"l", true, ARC_SECTION_GEOMETRY},
    {"ball_along", false, ARC_SECTION_GEOMETRY},
    {"ball_across", false, ARC_SECTION_GEOMETRY},
    {"ball_side", false, ARC_SECTION_GEOMETRY},
    {"offset", true, ARC_SECTION_ENCODERS},
    {"gain", true, ARC_SECTION_ENCODERS},
    {"mass", true, ARC_SECTION_DYNAMICS},
    {"centre", true, ARC_SECTION_DYNAMICS},
    {"inertia", true, ARC_SECTION_DYNAMICS},
    {"payload", false, ARC_SECTION_DYNAMICS},
    {"viscous", true, ARC_SECTION_DYNAMICS},
    {"coulomb", true, ARC_SECTION_DYNAMICS},
    {"torque", true, ARC_SECTION_TORQUES},
    {"theta", true, ARC_SECTION_POSE},
    {"omega", true, ARC_SECTION_POSE},
    {"t0", false, ARC_SECTION_RELEASE},
    {"x0", false, ARC_SECTION_RELEASE},
    {"y0", false, ARC_SECTION_RELEASE},
    {"z0", false, ARC_SECTION_RELEASE},
    {"vx0", false, ARC_SECTION_RELEASE},
    {"vy0", false, ARC_SECTION_RELEASE},
    {"vz0", false, ARC_SECTION_RELEASE},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static const char *const headings[ARC_N_SECTIONS] = {
    "arm", "encoders", "dynamics", "torques", "at release", "release", "flight"};

/* How long the name itself is: a population's has its mean and sd behind it. */
static size_t own_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    bool is_population = dot != NULL && (strcmp(dot, ".mean") == 0 || strcmp(dot, ".sd") == 0);
    return is_population ? (size_t)(dot - name) : strlen(name);
}

/* "2", or "2_13". */
static bool is_number_of_joint(const char *text, size_t length)
{
    size_t digits = strspn(text, "0123456789");
    if (digits >= length)
        return digits > 0;
    return digits > 0 && text[digits] == '_' && length > digits + 1 &&
           strspn(text + digits + 1, "0123456789") >= length - digits - 1;
}

ArcArmSection arc_arm_section_of(const char *name)
{
    size_t length = own_length(name);
    for (int i = 0; i < N_KINDS; i++) {
        size_t n = strlen(kinds[i].name);
        if (length < n || memcmp(name, kinds[i].name, n) != 0)
            continue;
        if (kinds[i].is_of_joint ? is_number_of_joint(name + n, length - n) : length == n)
            return kinds[i].section;
    }
    return ARC_SECTION_FLIGHT;
}

const char *arc_arm_section_heading(ArcArmSection section)
{
    return headings[section];
}

bool arc_arm_section_is_told(const ArcEstimate *estimate)
{
    return estimate->status == ARC_PARAMETER_FIXED &&
           arc_arm_section_of(estimate->name) < ARC_SECTION_POSE;
}

/* Several flights have all of what is fixed in each of them. */
bool arc_arm_section_fixed(ArcText *table, const char *heading, const ArcFit *fit,
                           ArcArmSection section)
{
    const ArcFit *one = fit->n_flights > 0 ? fit->flights : fit;
    ArcText line = {0};
    char *text, number[ARC_TABLE_NUMBER];
    const char *between = "fixed: ";
    for (int p = 0; p < one->n_parameters; p++) {
        const ArcEstimate *e = &one->parameters[p];
        double factor = 1;
        const char *unit = arc_table_joint_unit(e->unit, &factor);
        if (arc_arm_section_of(e->name) != section || !arc_arm_section_is_told(e))
            continue;
        unit = unit != NULL ? unit : arc_table_unit(e->unit);
        arc_text_append(&line, "%s%s %s%s%s", between, e->name,
                        arc_table_plain(number, factor * e->value, 6),
                        strcmp(unit, "1") == 0 ? "" : " ", strcmp(unit, "1") == 0 ? "" : unit);
        between = ", ";
    }
    bool is_any = line.size > 0;
    if (arc_text_finish(&line, &text, NULL) != ARC_OK) {
        table->failed = true;
        return false;
    }
    if (is_any)
        arc_table_entry(table, heading, text);
    arc_text_free(text);
    return is_any;
}

/* The last cell of a row. */
static const char *section_last(char cell[ARC_TABLE_NUMBER], const ArcResult *result, int p,
                                bool is_compared)
{
    const ArcEstimate *row[2] = {&result->fits[0]->parameters[p],
                                 &result->fits[result->n_fits - 1]->parameters[p]};
    char number[ARC_TABLE_NUMBER];
    if (!is_compared)
        return arc_table_status(result->n_fits, row);
    double in_sd = result->comparison.in_sd[p];
    snprintf(cell, ARC_TABLE_NUMBER, "%.30s%s",
             isnan(in_sd) ? "-" : arc_table_plain(number, in_sd, 2), isnan(in_sd) ? "" : " sd");
    return cell;
}

static void section_table(ArcText *table, const ArcResult *result, ArcArmSection section,
                          bool is_compared)
{
    const ArcFit *a = result->fits[0], *b = result->fits[result->n_fits - 1];
    bool has_heading = false;
    char cell[ARC_TABLE_NUMBER];
    for (int p = 0; p < a->n_parameters; p++) {
        const ArcEstimate *row[2] = {&a->parameters[p], &b->parameters[p]};
        if (arc_arm_section_of(row[0]->name) != section || arc_arm_section_is_told(row[0]))
            continue;
        if (!has_heading)
            arc_table_heading(table, result->n_fits, result->fits, headings[section],
                              is_compared ? "difference" : "status");
        has_heading = true;
        arc_table_estimate(table, result->n_fits, row, section_last(cell, result, p, is_compared),
                           section != ARC_SECTION_FLIGHT);
    }
    bool has_fixed = arc_arm_section_fixed(table, has_heading ? "" : headings[section], a, section);
    if (has_heading || has_fixed)
        arc_text_append(table, "\n");
}

void arc_arm_sections_text(ArcText *table, const ArcResult *result, ArcArmSection first,
                           ArcArmSection last, bool is_compared)
{
    for (int section = (int)first; section <= (int)last; section++)
        section_table(table, result, (ArcArmSection)section, is_compared);
}
