/* Readings, poses and swing in words and tables. Angles are read in degrees here. */
#include "report/arm_parts.h"

#include "report/arm_sections.h"
#include "report/section.h"
#include "report/table.h"
#include "solve/statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { READING_NAME = 12, READING_VALUE = 19, READING_FITTED = 10, READING_OFF = 7 };
/* Of the sums over a swing's parts: places, angles and rates of every joint. */
enum { MOST_PARTS = 3 * ARC_ARM_MAX_JOINTS + 2 };

const ArcArmFit *arc_arm_parts_of(const ArcFit *fit)
{
    return fit->n_flights > 0 ? fit->flights[0].arm : fit->arm;
}

const char *arc_arm_parts_name(char buffer[ARC_ARM_NAME], ArcSwingKind kind, int index,
                               int n_joints)
{
    if (kind != ARC_SWING_PLACE)
        snprintf(buffer, ARC_ARM_NAME, "%s%d", kind == ARC_SWING_ANGLE ? "theta" : "omega",
                 index + 1);
    else if (index <= 0 || index == n_joints || index == 1)
        snprintf(buffer, ARC_ARM_NAME, "%s",
                 index < 0           ? "ball"
                 : index == 0        ? "base"
                 : index == n_joints ? "hand"
                                     : "elbow");
    else
        snprintf(buffer, ARC_ARM_NAME, "joint%d", index);
    return buffer;
}

const char arc_arm_remark[] = "the elbow may be bent either way: nothing that was measured tells "
                              "these poses apart; a reading or limits of an angle would";

static bool is_as_good(const ArcArmSolution *pose)
{
    return !pose->is_told_apart && pose->is_within_limits;
}

int arc_arm_parts_others(const ArcArmFit *arm)
{
    int n = 0;
    for (int i = 1; i < arm->n_solutions; i++)
        n += is_as_good(&arm->solutions[i]);
    return n;
}

/* The i-th arm of a fit that has one, or one a flight. */
static const ArcArmFit *arm_at(const ArcFit *fit, int i)
{
    return fit->n_flights > 0 ? fit->flights[i].arm : fit->arm;
}

static int arm_count(const ArcFit *fit)
{
    return fit->n_flights > 0 ? fit->n_flights : 1;
}

/* A joint's largest torque or rate, with its sign. */
typedef struct Peak {
    double value, time_s;
} Peak;

/* What a fit's swings come to together. */
typedef struct SwingSum {
    int swings, rows, left_out, numbers, n_parts;
    ArcSwingPart parts[MOST_PARTS];
    double span_s[2];
    double physics, fine, sigma; /* the largest of each */
    Peak torque[ARC_ARM_MAX_JOINTS], rate[ARC_ARM_MAX_JOINTS];
} SwingSum;

static void sum_part(SwingSum *sum, const ArcSwingPart *part)
{
    int k = 0;
    while (k < sum->n_parts &&
           (sum->parts[k].kind != part->kind || sum->parts[k].index != part->index))
        k++;
    if (k == MOST_PARTS)
        return;
    if (k == sum->n_parts)
        sum->parts[sum->n_parts++] = (ArcSwingPart){.kind = part->kind, .index = part->index};
    ArcSwingPart *to = &sum->parts[k];
    double squares = to->numbers * to->rms * to->rms + part->numbers * part->rms * part->rms;
    to->numbers += part->numbers;
    to->rms = to->numbers > 0 ? sqrt(squares / to->numbers) : NAN;
    to->chi2 += part->chi2;
}

static void find_peak(Peak *peak, const ArcSwingFit *swing, const double *values, int joint)
{
    for (int i = 0; i < swing->n_times; i++) {
        double value = values[i * swing->n_joints + joint];
        if (!(fabs(value) <= fabs(peak->value)))
            *peak = (Peak){value, swing->time_s[i]};
    }
}

static void sum_swing(SwingSum *sum, const ArcSwingFit *swing)
{
    sum->swings++;
    sum->rows += swing->rows;
    sum->left_out += swing->left_out;
    sum->numbers += swing->numbers;
    for (int k = 0; k < swing->n_parts; k++)
        sum_part(sum, &swing->parts[k]);
    sum->physics = fmax(sum->physics, swing->physics_rms_rad_s2);
    sum->fine = fmax(sum->fine, swing->physics_rms_fine_rad_s2);
    sum->sigma = fmax(sum->sigma, swing->sigma_phys_rad_s2);
    if (swing->n_times > 0) {
        sum->span_s[0] = swing->time_s[0];
        sum->span_s[1] = swing->time_s[swing->n_times - 1];
    }
    for (int j = 0; j < swing->n_joints; j++) {
        find_peak(&sum->torque[j], swing, swing->motor_n_m, j);
        find_peak(&sum->rate[j], swing, swing->omega_rad_s, j);
    }
}

static SwingSum sum_swings(const ArcFit *fit)
{
    SwingSum sum = {.span_s = {NAN, NAN}, .physics = NAN, .fine = NAN, .sigma = NAN};
    for (int i = 0; i < arm_count(fit); i++) {
        const ArcArmFit *arm = arm_at(fit, i);
        if (arm != NULL && arm->swing != NULL)
            sum_swing(&sum, arm->swing);
    }
    return sum;
}

/* "2: theta1, omega1" of one flight's readings; of several how many. */
static void header_readings(ArcText *line, const ArcFit *fit)
{
    int n = fit->residuals.n_readings;
    arc_text_append(line, "%d", n);
    if (fit->n_flights > 0)
        arc_text_append(line, " of %d flights", fit->n_flights);
    for (int k = 0; fit->n_flights == 0 && k < n; k++)
        arc_text_append(line, "%s%s", k == 0 ? ": " : ", ", fit->readings[k].name);
}

static void header_swing(ArcText *line, const ArcResult *result, const SwingSum *sum, int n_joints)
{
    const char *file = arc_result_setting(result, "capture.swing.file");
    const char *between = " of ";
    char name[ARC_ARM_NAME];
    if (file != NULL)
        arc_text_append(line, "%s: ", file);
    arc_text_append(line, "%d numbers", sum->numbers);
    for (int k = 0; k < sum->n_parts; k++) {
        const ArcSwingPart *part = &sum->parts[k];
        arc_text_append(line, "%s%s", between,
                        arc_arm_parts_name(name, part->kind, part->index, n_joints));
        between = ", ";
    }
    arc_text_append(line, " at %d times", sum->rows);
    if (sum->swings > 1)
        arc_text_append(line, " of %d swings", sum->swings);
    if (sum->left_out > 0)
        arc_text_append(line, "; %d times later than the release left out", sum->left_out);
}

void arc_arm_parts_header(ArcText *table, const ArcResult *result)
{
    const ArcFit *fit = result->n_fits > 0 ? result->fits[0] : NULL;
    if (fit == NULL)
        return;
    SwingSum sum = sum_swings(fit);
    ArcText swing = {0}, readings = {0};
    if (sum.swings > 0) {
        header_swing(&swing, result, &sum, arc_arm_parts_of(fit)->n_joints);
        arc_table_entry_of(table, "swing", &swing);
    }
    if (fit->residuals.n_readings > 0) {
        header_readings(&readings, fit);
        arc_table_entry_of(table, "readings", &readings);
    }
}

/* Two digits, or as many as fit the column. */
static const char *off_text(char cell[ARC_TABLE_NUMBER], double off)
{
    double size = fabs(off);
    if (size >= 99.5 && size < 1e6)
        return arc_table_number(cell, off, 10.0); /* no decimals */
    return arc_table_plain(cell, size < 5e-4 ? 0.0 : off, size < 1e6 ? 2 : 1);
}

/* What was read, and what each fit makes of it. */
static void reading_row(ArcText *table, const ArcResult *result, int k)
{
    const ArcFittedReading *first = &result->fits[0]->readings[k];
    char cell[ARC_TABLE_NUMBER];
    double factor = 1;
    const char *unit = arc_table_joint_unit(first->unit, &factor);
    arc_table_name(table, READING_NAME, first->name);
    arc_table_cell(table, READING_VALUE, arc_table_value(cell, first->value, first->sd, factor));
    for (int i = 0; i < result->n_fits; i++) {
        const ArcFittedReading *reading = &result->fits[i]->readings[k];
        arc_table_number(cell, factor * reading->fitted, factor * reading->sd);
        arc_table_cell(table, READING_FITTED, cell);
        arc_table_cell(table, READING_OFF, off_text(cell, reading->residual_sd));
    }
    arc_table_last(table, 0, unit != NULL ? unit : first->unit);
}

static void readings_table(ArcText *table, const ArcResult *result)
{
    int n = result->fits[0]->residuals.n_readings;
    if (n == 0)
        return;
    arc_table_cell(table, READING_NAME, "reading");
    arc_table_cell(table, READING_VALUE, "measured");
    for (int i = 0; i < result->n_fits; i++) {
        arc_table_cell(table, READING_FITTED,
                       result->fits[i]->method == ARC_PINN ? "PINN" : "direct");
        arc_table_cell(table, READING_OFF, "off, sd");
    }
    arc_table_last(table, 0, "unit");
    for (int k = 0; k < n; k++)
        reading_row(table, result, k);
    arc_text_append(table, "\n");
}

/* The readings of one parameter over all flights. */
typedef struct ReadingSum {
    const char *name;
    int n;
    double chi2;
} ReadingSum;

static int sum_readings(const ArcFit *fit, ReadingSum *sums)
{
    int n = 0;
    for (int f = 0; f < fit->n_flights; f++) {
        const ArcFit *flight = &fit->flights[f];
        for (int k = 0; k < flight->residuals.n_readings; k++) {
            const ArcFittedReading *reading = &flight->readings[k];
            int i = 0;
            while (i < n && strcmp(sums[i].name, reading->name) != 0)
                i++;
            if (i == ARC_MAX_PARAMETERS)
                continue;
            if (i == n)
                sums[n++] = (ReadingSum){.name = reading->name};
            sums[i].n++;
            sums[i].chi2 += reading->residual_sd * reading->residual_sd;
        }
    }
    return n;
}

/* Of several flights: how far the readings of each parameter are off. */
static void readings_of_flights(ArcText *table, const ArcResult *result)
{
    ReadingSum sums[2][ARC_MAX_PARAMETERS];
    int n = sum_readings(result->fits[0], sums[0]), last = result->n_fits - 1;
    char label[ARC_TABLE_NUMBER], cells[2][ARC_TABLE_NUMBER] = {"", ""}, number[ARC_TABLE_NUMBER];
    if (last == 1)
        sum_readings(result->fits[1], sums[1]);
    for (int i = 0; i < result->n_fits; i++)
        snprintf(cells[i], sizeof cells[i], "%s",
                 result->fits[i]->method == ARC_PINN ? "PINN" : "direct");
    if (n > 0)
        arc_section_row(table, result->n_fits, "readings, rms off", cells);
    for (int k = 0; k < n; k++) {
        snprintf(label, sizeof label, "  %.20s (%d)", sums[0][k].name, sums[0][k].n);
        for (int i = 0; i < result->n_fits; i++)
            snprintf(cells[i], sizeof cells[i], "%.24s sd",
                     arc_table_plain(number, sqrt(sums[i][k].chi2 / sums[i][k].n), 3));
        arc_section_row(table, result->n_fits, label, cells);
    }
    if (n > 0)
        arc_text_append(table, "\n");
}

void arc_arm_parts_readings(ArcText *table, const ArcResult *result)
{
    if (result->fits[0]->n_flights > 0)
        readings_of_flights(table, result);
    else
        readings_table(table, result);
}

/* "theta 35, -42 deg". */
static void pose_numbers(ArcText *line, const char *name, const double *values, int n,
                         const char *unit)
{
    char number[ARC_TABLE_NUMBER];
    arc_text_append(line, "%s ", name);
    for (int j = 0; j < n; j++)
        arc_text_append(line, "%s%s", j == 0 ? "" : ", ",
                        arc_table_plain(number, 180 / M_PI * values[j], 4));
    arc_text_append(line, " %s", unit);
}

/* How another pose stands to the first. */
static void pose_standing(ArcText *line, const ArcArmSolution *pose, double first_chi2)
{
    static const double least = 0.001; /* of chi2 that is worth a word */
    char number[ARC_TABLE_NUMBER];
    double more = pose->chi2 - first_chi2;
    if (fabs(more) < least)
        arc_text_append(line, "; the same chi2");
    else
        arc_text_append(line, "; chi2 %s%s %s", pose->is_fitted ? "" : "at most ",
                        arc_table_plain(number, fabs(more), 3), more < 0 ? "less" : "more");
    arc_text_append(line, "%s%s%s", is_as_good(pose) ? ", as good" : "",
                    pose->is_within_limits ? "" : ", beyond the joints' limits",
                    !pose->is_fitted || pose->converged ? "" : ", not converged");
}

/* An entry for each pose that the ball may have left from. */
static void poses_text(ArcText *table, const ArcArmFit *arm)
{
    char label[ARC_TABLE_NUMBER], number[ARC_TABLE_NUMBER];
    for (int i = 0; i < arm->n_solutions; i++) {
        const ArcArmSolution *pose = &arm->solutions[i];
        ArcText line = {0};
        pose_numbers(&line, "theta", pose->theta_rad, arm->n_joints, "deg");
        arc_text_append(&line, ", ");
        pose_numbers(&line, "omega", pose->omega_rad_s, arm->n_joints, "deg/s");
        if (i == 0)
            arc_text_append(&line, "; the estimate, chi2 %s",
                            arc_table_plain(number, pose->chi2, 5));
        else
            pose_standing(&line, pose, arm->solutions[0].chi2);
        snprintf(label, sizeof label, "pose %d", i + 1);
        arc_table_entry_of(table, label, &line);
    }
    if (arc_arm_parts_others(arm) > 0)
        arc_table_entry(table, "remark", arc_arm_remark);
    if (arm->n_solutions > 0)
        arc_text_append(table, "\n");
}

/* How many of several flights could have left from another pose as well. */
static void poses_of_flights(ArcText *table, const ArcFit *fit)
{
    char line[160];
    int n = 0;
    for (int f = 0; f < fit->n_flights; f++) {
        const ArcArmFit *arm = fit->flights[f].arm;
        bool is_open = false;
        for (int i = 1; arm != NULL && i < arm->n_solutions; i++)
            is_open =
                is_open || (!arm->solutions[i].is_told_apart && arm->solutions[i].is_within_limits);
        n += is_open;
    }
    if (n == 0)
        return;
    snprintf(line, sizeof line,
             "%d of %d flights could have left from another pose as well: measure an angle of a "
             "joint, or give its limits",
             n, fit->n_flights);
    arc_table_entry(table, "poses", line);
    arc_text_append(table, "\n");
}

/* The rows of the swing below those of its parts. */
enum { ROW_SPAN, ROW_TORQUE, ROW_RATE = ROW_TORQUE + ARC_ARM_MAX_JOINTS };
enum { ROW_PHYSICS = ROW_RATE + ARC_ARM_MAX_JOINTS, ROW_FINE, N_ROWS };

static void swing_label(char label[ARC_TABLE_NUMBER], int row)
{
    bool is_rate = row >= ROW_RATE;
    if (row == ROW_SPAN || row >= ROW_PHYSICS)
        snprintf(label, ARC_TABLE_NUMBER, "%s",
                 row == ROW_SPAN      ? "time"
                 : row == ROW_PHYSICS ? "physics rms"
                                      : "  between nodes");
    else
        snprintf(label, ARC_TABLE_NUMBER, "largest %s, joint %d", is_rate ? "rate" : "torque",
                 row - (is_rate ? ROW_RATE : ROW_TORQUE) + 1);
}

/* One row of one fit; "" where it has nothing to say. */
static void swing_cell(char cell[ARC_TABLE_NUMBER], const SwingSum *sum, int n_joints, int row)
{
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    cell[0] = '\0';
    if (row == ROW_SPAN && sum->swings == 1) {
        snprintf(cell, ARC_TABLE_NUMBER, "%.24s to %.24s s", arc_table_plain(a, sum->span_s[0], 4),
                 arc_table_plain(b, sum->span_s[1], 4));
    } else if (row >= ROW_PHYSICS && !isnan(sum->physics)) {
        snprintf(cell, ARC_TABLE_NUMBER, "%.16s of %.16s rad/s^2",
                 arc_table_plain(a, row == ROW_FINE ? sum->fine : sum->physics, 2),
                 arc_table_plain(b, sum->sigma, 2));
    } else if (row >= ROW_TORQUE && row < ROW_PHYSICS) {
        bool is_rate = row >= ROW_RATE;
        int joint = row - (is_rate ? ROW_RATE : ROW_TORQUE);
        const Peak *peak = is_rate ? &sum->rate[joint] : &sum->torque[joint];
        if (joint < n_joints)
            snprintf(cell, ARC_TABLE_NUMBER, "%.16s %s at %.16s s",
                     arc_table_plain(a, (is_rate ? 180 / M_PI : 1) * peak->value, 4),
                     is_rate ? "deg/s" : "N m", arc_table_plain(b, peak->time_s, 3));
    }
}

/* rms of the k-th part of the first fit's sum, wherever it stands in this one's. */
static void part_cell(char cell[ARC_TABLE_NUMBER], const SwingSum *sum, const ArcSwingPart *of)
{
    static const char *const units[] = {"mm", "deg", "deg/s"};
    char number[ARC_TABLE_NUMBER], chi2[ARC_TABLE_NUMBER];
    cell[0] = '\0';
    for (int k = 0; k < sum->n_parts; k++) {
        const ArcSwingPart *part = &sum->parts[k];
        if (part->kind == of->kind && part->index == of->index)
            snprintf(cell, ARC_TABLE_NUMBER, "%.16s %s, chi2 %.16s",
                     arc_table_plain(
                         number, (part->kind == ARC_SWING_PLACE ? 1e3 : 180 / M_PI) * part->rms, 3),
                     units[part->kind], arc_table_plain(chi2, part->chi2, 4));
    }
}

static void swing_table(ArcText *table, const ArcResult *result)
{
    SwingSum sums[2] = {sum_swings(result->fits[0]), sum_swings(result->fits[result->n_fits - 1])};
    int n = result->n_fits, n_joints = arc_arm_parts_of(result->fits[0])->n_joints;
    char cells[2][ARC_TABLE_NUMBER], label[ARC_TABLE_NUMBER], name[ARC_ARM_NAME];
    if (sums[0].swings == 0)
        return;
    for (int i = 0; i < n; i++)
        snprintf(cells[i], sizeof cells[i], "%s",
                 result->fits[i]->method == ARC_PINN ? "PINN" : "direct");
    arc_section_row(table, n, sums[0].swings > 1 ? "swings" : "swing", cells);
    for (int k = 0; k < sums[0].n_parts; k++) {
        const ArcSwingPart *part = &sums[0].parts[k];
        snprintf(label, sizeof label, "  rms of %s (%d)",
                 arc_arm_parts_name(name, part->kind, part->index, n_joints), part->numbers);
        for (int i = 0; i < n; i++)
            part_cell(cells[i], &sums[i], part);
        arc_section_row(table, n, label, cells);
    }
    for (int row = 0; row < N_ROWS; row++) {
        swing_label(label, row);
        for (int i = 0; i < n; i++)
            swing_cell(cells[i], &sums[i], n_joints, row);
        arc_section_row(table, n, label, cells);
    }
    arc_text_append(table, "\n");
}

void arc_arm_parts_say_release(ArcText *text, double t0_s)
{
    char number[ARC_TABLE_NUMBER];
    arc_text_append(
        text,
        "the release is taken to be at the first point, t0 = %s s; where the arm let go "
        "earlier give its time as capture.t0, or free it by `parameters: {t0: free}`",
        arc_table_plain(number, t0_s, 6));
}

/* Whether the experiment tells t0, a capture's or the parameter's. */
static bool is_release_told(const ArcResult *result)
{
    static const char path[] = "parameters.t0";
    bool told = result->n_settings == 0 || arc_result_setting(result, "capture.t0") != NULL;
    for (int i = 0; i < result->n_settings; i++)
        told = told || strncmp(result->setting_paths[i], path, sizeof path - 1) == 0;
    return told;
}

static void release_remark(ArcText *table, const ArcResult *result)
{
    const ArcFit *fit = result->fits[0];
    ArcText line = {0};
    if (fit->n_flights > 0 || is_release_told(result))
        return;
    for (int p = 0; p < fit->n_parameters; p++)
        if (strcmp(fit->parameters[p].name, "t0") == 0 &&
            fit->parameters[p].status == ARC_PARAMETER_FIXED) {
            arc_arm_parts_say_release(&line, fit->parameters[p].value);
            arc_table_entry_of(table, "remark", &line);
            arc_text_append(table, "\n");
        }
}

void arc_arm_parts_text(ArcText *table, const ArcResult *result, bool is_compared)
{
    const ArcFit *fit = arc_section_fit(result);
    arc_arm_sections_text(table, result, ARC_SECTION_GEOMETRY, ARC_SECTION_POSE, is_compared);
    arc_arm_parts_readings(table, result);
    if (fit->n_flights == 0)
        poses_text(table, fit->arm);
    else
        poses_of_flights(table, fit);
    swing_table(table, result);
    arc_arm_sections_text(table, result, ARC_SECTION_RELEASE, ARC_SECTION_RELEASE, is_compared);
    release_remark(table, result);
    arc_arm_sections_text(table, result, ARC_SECTION_FLIGHT, ARC_SECTION_FLIGHT, is_compared);
}

bool arc_arm_parts_say_where(ArcText *text, const ArcFit *fit)
{
    const ArcResiduals *r = &fit->residuals;
    char number[ARC_TABLE_NUMBER];
    bool is_swing = arc_statistics_chi2_p(r->swing_chi2, r->n_swing) < ARC_MISFIT_P;
    bool is_reading = arc_statistics_chi2_p(r->readings_chi2, r->n_readings) < ARC_MISFIT_P;
    if (is_swing)
        arc_text_append(text,
                        "; the swing does not follow its equations (chi2 %s of %d numbers): look "
                        "at the torque curves, friction and masses, or its sigmas",
                        arc_table_plain(number, r->swing_chi2, 4), r->n_swing);
    if (is_reading)
        arc_text_append(text,
                        "; the readings do not fit the flight (chi2 %s of %d): look at t0, when "
                        "the arm let go, at what is fixed of it, its encoders, or the readings' "
                        "sds",
                        arc_table_plain(number, r->readings_chi2, 4), r->n_readings);
    return is_swing || is_reading;
}

bool arc_arm_parts_say_poses(ArcText *text, const ArcResult *result)
{
    static const double apart_rad = 0.01, alike = 1.0; /* of chi2 */
    const ArcFit *a = result->fits[0], *b = result->fits[result->n_fits - 1];
    char degrees[ARC_TABLE_NUMBER];
    double apart = 0.0;
    if (a->arm == NULL || b->arm == NULL || a->arm->n_solutions == 0 || b->arm->n_solutions == 0 ||
        !(fabs(a->residuals.chi2 - b->residuals.chi2) < alike))
        return false;
    const double *theta[2] = {a->arm->solutions[0].theta_rad, b->arm->solutions[0].theta_rad};
    for (int j = 0; j < a->arm->n_joints; j++)
        apart = fmax(apart, fabs(theta[0][j] - theta[1][j]));
    if (!(apart > apart_rad))
        return false;
    arc_text_append(text, "differ: two poses of the arm explain the data alike, theta");
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < a->arm->n_joints; j++)
            arc_text_append(text, "%s %s", j == 0 ? "" : ",",
                            arc_table_plain(degrees, 180 / M_PI * theta[i][j], 3));
        arc_text_append(text, " deg%s", i == 0 ? " (PINN) and" : " (direct)");
    }
    arc_text_append(text, "; measure an angle, or give limits (arm.joints.limits)");
    return true;
}

void arc_arm_parts_physics(const ArcFit *fit, double *fine, double *allowed)
{
    SwingSum sum = sum_swings(fit);
    *fine = sum.fine;
    *allowed = sum.sigma;
}
