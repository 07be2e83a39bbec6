/* Reach in words. */
#include "aim/reach_parts.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

static const double degrees = 180.0 / M_PI;

static void append_number(ArcText *text, double value, int digits)
{
    char number[ARC_NUMBER_TEXT];
    arc_text_append(text, "%s", arc_number_write_digits(number, value, digits));
}

/* "31 mm", "2.9 m". */
static void append_length(ArcText *text, double length_m)
{
    bool is_long = length_m >= 1.0;
    append_number(text, is_long ? length_m : 1e3 * length_m, 3);
    arc_text_append(text, is_long ? " m" : " mm");
}

/* "(1.2, 1.4) m". */
static void append_vector(ArcText *text, int n, const double *values, const char *unit)
{
    for (int c = 0; c < n; c++) {
        arc_text_append(text, "%s", c == 0 ? "(" : ", ");
        append_number(text, fabs(values[c]) < 1e-12 ? 0.0 : values[c], 4);
    }
    arc_text_append(text, ") %s", unit);
}

/* "35.2, -12.1 deg". */
static void append_list(ArcText *text, int n, const double *values, double factor, const char *unit)
{
    for (int j = 0; j < n; j++) {
        arc_text_append(text, "%s", j == 0 ? "" : ", ");
        append_number(text, fabs(values[j]) < 1e-12 ? 0.0 : factor * values[j], 4);
    }
    arc_text_append(text, " %s", unit);
}

static void append_label(ArcText *text, const char *label)
{
    arc_text_append(text, "%-15s ", label);
}

static void append_joints(ArcText *text, const ArcReach *reach, const ArcReachThrow *thrown)
{
    arc_text_append(text, "theta ");
    append_list(text, reach->n_joints, thrown->theta_rad, degrees, "deg");
    arc_text_append(text, reach->n_joints > 2 ? ",\n                omega " : ", omega ");
    append_list(text, reach->n_joints, thrown->omega_rad_s, 1.0, "rad/s");
}

/* What of a throw the arm cannot do. */
static void append_overs(ArcText *text, const ArcReach *reach, const ArcReachThrow *thrown)
{
    double missing = 0.0;
    const char *between = "\n                ";
    for (int j = 0; j < reach->n_joints; j++) {
        double over = thrown->angle_over_rad[j];
        if (fabs(over) > 1e-9) {
            arc_text_append(text, "%sjoint %d's angle is %s limit by ", between, j + 1,
                            over > 0.0 ? "over its high" : "under its low");
            append_number(text, fabs(over) * degrees, 3);
            arc_text_append(text, " deg");
        }
        if (thrown->rate_over[j] > 1e-9) {
            arc_text_append(text, "%sjoint %d's rate is over its limit by ", between, j + 1);
            append_number(text, 100.0 * thrown->rate_over[j], 3);
            arc_text_append(text, " %%");
        }
    }
    for (int c = 0; c < reach->dimensions; c++)
        missing += thrown->missing_m_s[c] * thrown->missing_m_s[c];
    if (sqrt(missing) <= 1e-6)
        return;
    arc_text_append(text, "%sthis pose is singular: no rates give ", between);
    append_vector(text, reach->dimensions, thrown->missing_m_s, "m/s");
    arc_text_append(text, " of the velocity");
}

static void append_release(ArcText *text, const ArcReach *reach, const ArcReachThrow *thrown)
{
    append_vector(text, reach->dimensions, thrown->position_m, "m");
    arc_text_append(text, " with ");
    append_vector(text, reach->dimensions, thrown->velocity_m_s, "m/s");
    if (!arc_goal_is_target(&reach->goal))
        return;
    arc_text_append(text, "\n                %s after ",
                    reach->is_reachable ? "at the target" : "nearest to the target");
    append_number(text, thrown->time_s, 4);
    arc_text_append(text, " s with ");
    append_vector(text, reach->dimensions, thrown->arrival_m_s, "m/s");
}

static void append_goal(ArcText *text, const ArcReach *reach)
{
    const ArcReachThrow *nearest = &reach->nearest;
    bool has_target = arc_goal_is_target(&reach->goal);
    append_label(text, "aim");
    if (has_target) {
        arc_text_append(text, "a throw %s",
                        reach->goal.kind == ARC_GOAL_HOOP   ? "down through the hoop at "
                        : reach->goal.kind == ARC_GOAL_AREA ? "through the area about "
                                                            : "through ");
        append_vector(text, reach->dimensions, reach->goal.point_m, "m");
    } else {
        arc_text_append(text, "release at ");
        append_vector(text, reach->dimensions, reach->goal.position_m, "m");
        arc_text_append(text, " with ");
        append_vector(text, reach->dimensions, reach->goal.velocity_m_s, "m/s");
    }
    arc_text_append(text, "\n");
    append_label(text, "verdict");
    if (reach->is_reachable) {
        arc_text_append(text, "the arm reaches it within its limits\n");
        return;
    }
    arc_text_append(text, "out of reach: the nearest %s misses by ",
                    has_target ? "throw" : "release");
    append_length(text, nearest->miss_m);
    if (!has_target) {
        arc_text_append(text, " and ");
        append_number(text, nearest->miss_m_s, 3);
        arc_text_append(text, " m/s");
    } else if (nearest->miss_m_s > 0.0) {
        arc_text_append(text, " and hardly falls there");
    }
    arc_text_append(text, "\n");
}

static void append_throws(ArcText *text, const ArcReach *reach)
{
    for (int i = 0; i < reach->n_solutions; i++) {
        if (!reach->is_reachable && i > 0)
            break;
        append_label(text, !reach->is_reachable ? "nearest" : i == 0 ? "throw" : "  or");
        append_joints(text, reach, &reach->solutions[i]);
        arc_text_append(text, "\n");
        append_label(text, "");
        append_release(text, reach, &reach->solutions[i]);
        arc_text_append(text, "\n");
    }
    if (reach->is_too_short) {
        append_label(text, "poses");
        arc_text_append(text, "none puts the ball there, limits or not: it comes within ");
        append_length(text, reach->poses[0].miss_m);
        arc_text_append(text, "\n");
        return;
    }
    for (int i = 0; i < reach->n_poses; i++) {
        append_label(text, i == 0 ? "poses" : "");
        append_joints(text, reach, &reach->poses[i]);
        append_overs(text, reach, &reach->poses[i]);
        arc_text_append(text, "\n");
    }
}

void arc_reach_parts_cure(ArcText *text, const ArcReachCure *cure)
{
    double size = fabs(cure->change);
    bool more = cure->change > 0.0;
    switch (cure->limit) {
    case ARC_REACH_LENGTH:
        arc_text_append(text, "link %d would need ", cure->joint + 1);
        append_length(text, size);
        arc_text_append(text, " %s", more ? "more" : "less");
        break;
    case ARC_REACH_RATE:
        arc_text_append(text, "joint %d's rate limit would need ", cure->joint + 1);
        append_number(text, size, 3);
        arc_text_append(text, " rad/s more");
        break;
    default:
        arc_text_append(text, "joint %d's %s limit would need ", cure->joint + 1,
                        cure->limit == ARC_REACH_LOW ? "low" : "high");
        append_number(text, size * degrees, 3);
        arc_text_append(text, " deg %s", more ? "more" : "less");
    }
}

/* How far the nearest is off, in what `sensitivity` counts. */
static void append_distance(ArcText *text, const ArcReach *reach)
{
    bool has_target = arc_goal_is_target(&reach->goal);
    append_label(text, "sensitivity");
    arc_text_append(text, "the %s of ", has_target ? "miss" : "distance");
    if (has_target)
        append_length(text, reach->nearest.miss_m);
    else
        append_number(text, reach->nearest.distance, 3);
    arc_text_append(text, "%s changes by\n", has_target ? "" : " (1: 1 cm or 10 cm/s)");
}

static void append_sensitivity(ArcText *text, const ArcReach *reach)
{
    static const struct {
        const char *of, *unit;
        double step;
    } rows[ARC_N_REACH_LIMITS] = {{"", "cm", 1e-2},
                                  {"low ", "deg", M_PI / 180.0},
                                  {"high ", "deg", M_PI / 180.0},
                                  {"rate ", "rad/s", 1.0}};
    bool first = true;
    for (int limit = 0; limit < ARC_N_REACH_LIMITS; limit++)
        for (int j = 0; j < reach->n_joints; j++) {
            double by = reach->by[limit][j] * rows[limit].step;
            if (fabs(by) < 1e-9)
                continue;
            if (first)
                append_distance(text, reach);
            first = false;
            append_label(text, "");
            append_number(text, by, 3);
            arc_text_append(text, "%s with each %s of ",
                            arc_goal_is_target(&reach->goal) ? " cm" : "", rows[limit].unit);
            if (limit == ARC_REACH_LENGTH)
                arc_text_append(text, "link %d\n", j + 1);
            else
                arc_text_append(text, "joint %d's %slimit\n", j + 1, rows[limit].of);
        }
}

void arc_reach_parts_text(ArcText *text, const ArcReach *reach)
{
    for (int i = 0; i < reach->n_cures; i++) {
        append_label(text, i == 0 ? "shortfall" : "");
        arc_reach_parts_cure(text, &reach->cures[i]);
        arc_text_append(text, "\n");
    }
    if (reach->n_cures == 0) {
        append_label(text, "shortfall");
        arc_text_append(text, "no change of a single length or limit is enough\n");
    }
    append_sensitivity(text, reach);
}

ArcStatus arc_reach_text(const ArcReach *reach, char **text, ArcError *err)
{
    ArcText made = {0};
    append_goal(&made, reach);
    append_throws(&made, reach);
    if (!reach->is_reachable)
        arc_reach_parts_text(&made, reach);
    return arc_text_finish(&made, text, err);
}
