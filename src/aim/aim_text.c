/* Aim in words: the verdict, the throws side by side, what their miss changes with, chances, what
 * is missing where none hits, and the front. */
#include "aim/describe.h"
#include "aim/reach_parts.h"
#include "base/number.h"
#include "base/text.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

enum {
    LABEL = 15,
    CELL = 10,
    THROWS_A_BLOCK = 5,
    MOST_SENSITIVITIES = 12,
    FRONT_LABEL = 5,
    FRONT_CELL = 15,
    FRONT_COLUMNS = 4
};

static const double degrees = 180.0 / M_PI;

/* A row of the table of throws. */
typedef struct Row {
    const char *label, *unit;
    double factor;
} Row;

static void append_number(ArcText *text, double value, int digits)
{
    char number[ARC_NUMBER_TEXT];
    arc_text_append(text, "%s", arc_number_write_digits(number, value, digits));
}

static void append_label(ArcText *text, const char *label)
{
    arc_text_append(text, "%-*s ", LABEL, label);
}

/* "3.1 mm", "31 cm", "2.9 m". */
static void append_length(ArcText *text, double length_m)
{
    double size = fabs(length_m);
    double factor = size >= 1.0 ? 1.0 : size >= 1e-2 ? 1e2 : 1e3;
    append_number(text, factor * length_m, 3);
    arc_text_append(text, size >= 1.0 ? " m" : size >= 1e-2 ? " cm" : " mm");
}

static void append_place(ArcText *text, const ArcAim *aim, const double *x_m)
{
    for (int c = 0; c < aim->dimensions; c++) {
        arc_text_append(text, "%s", c == 0 ? "(" : ", ");
        append_number(text, x_m[c], 5);
    }
    arc_text_append(text, ") m");
}

/* A number, right-aligned; nothing where it has no meaning. */
static void append_cell(ArcText *text, int width, double value)
{
    char number[ARC_NUMBER_TEXT];
    if (isfinite(value))
        arc_number_write_digits(number, fabs(value) < 1e-6 ? 0.0 : value, 4);
    arc_text_append(text, "%*s", width, isfinite(value) ? number : "");
}

static void append_goal(ArcText *text, const ArcAim *aim)
{
    const ArcGoal *goal = &aim->settings.goal;
    append_label(text, "aim");
    if (goal->kind == ARC_GOAL_HOOP) {
        arc_text_append(text, "down through a hoop of ");
        append_length(text, goal->radius_m);
        arc_text_append(text, " radius at ");
    } else if (goal->kind == ARC_GOAL_AREA) {
        bool is_first = true;
        arc_text_append(text, "through an area of ");
        for (int c = 0; c < aim->dimensions; c++) {
            if (c == goal->axis)
                continue;
            arc_text_append(text, "%s", is_first ? "" : " by ");
            append_length(text, 2.0 * goal->half_m[c]);
            is_first = false;
        }
        arc_text_append(text, " about ");
    } else {
        arc_text_append(text, "through ");
    }
    append_place(text, aim, goal->point_m);
    arc_text_append(text, "\n");
}

/* "8.28 m/s, 51 deg". */
static void append_release(ArcText *text, const ArcAimRelease *release)
{
    append_number(text, release->speed_m_s, 4);
    arc_text_append(text, " m/s, ");
    append_number(text, degrees * release->angle_rad, 4);
    arc_text_append(text, " deg");
}

static void append_verdict(ArcText *text, const ArcAim *aim)
{
    append_label(text, "verdict");
    if (aim->n_solutions == 0) {
        arc_text_append(text, "cannot be hit: no throw comes near\n");
        return;
    }
    const ArcAimSolution *best = &aim->solutions[0];
    double miss_m = best->numbers[ARC_AIM_MISS];
    bool passes = miss_m <= ARC_AIM_TOLERANCE_M;
    ArcAimRelease release;
    arc_aim_describe(aim, best, &release);
    arc_text_append(text, "%s",
                    aim->is_reachable ? "throw at "
                    : passes          ? "cannot be hit within the limits: "
                                      : "cannot be hit: ");
    append_release(text, &release);
    arc_text_append(text, "%s",
                    aim->is_reachable ? ": hits"
                    : passes          ? " passes"
                                      : " comes nearest, ");
    if (!aim->is_reachable && !passes) {
        append_length(text, miss_m);
        arc_text_append(text, " off");
    }
    if (aim->is_reachable && aim->settings.goal.kind == ARC_GOAL_HOOP &&
        best->numbers[ARC_AIM_CLEARANCE] < 0.0)
        arc_text_append(text, ", touching the rim");
    if (isfinite(best->chance.value)) {
        arc_text_append(text, ", ");
        append_number(text, 100.0 * best->chance.value, 3);
        arc_text_append(text, " %% of throws");
    }
    arc_text_append(text, "\n");
}

/* One row of the throws from to to; left out where none has the number. */
static void append_row(ArcText *text, const Row *row, int n, const double *values)
{
    bool has_any = false;
    for (int i = 0; i < n; i++)
        has_any = has_any || isfinite(values[i]);
    if (!has_any)
        return;
    append_label(text, row->label);
    for (int i = 0; i < n; i++)
        append_cell(text, CELL, row->factor * values[i]);
    arc_text_append(text, "%s%s\n", row->unit[0] == '\0' ? "" : " ", row->unit);
}

static void append_releases(ArcText *text, const ArcAim *aim, int n, const ArcAimSolution *of)
{
    static const Row rows[] = {{"speed", "m/s", 1.0},
                               {"angle", "deg", 180.0 / M_PI},
                               {"azimuth", "deg", 180.0 / M_PI},
                               {"spin", "Hz", 0.5 / M_PI}};
    for (int k = 0; k < 4; k++) {
        double values[THROWS_A_BLOCK];
        for (int i = 0; i < n; i++) {
            ArcAimRelease release;
            arc_aim_describe(aim, &of[i], &release);
            values[i] = k == 0   ? release.speed_m_s
                        : k == 1 ? release.angle_rad
                        : k == 2 ? release.azimuth_rad
                                 : release.spin_rad_s;
        }
        append_row(text, &rows[k], n, values);
    }
}

/* Whether the table has the parameter in its rows of the release already. */
static bool is_told(const ArcAim *aim, int i)
{
    static const char *const told[] = {"speed", "angle", "azimuth", "spin"};
    for (size_t k = 0; k < sizeof told / sizeof told[0]; k++)
        if (strcmp(aim->parameters[i].name, told[k]) == 0)
            return true;
    return false;
}

/* The other unknowns: of an arm its joints. */
static void append_unknowns(ArcText *text, const ArcAim *aim, int n, const ArcAimSolution *of)
{
    for (int p = 0; p < aim->n_parameters; p++) {
        if (!aim->unknown[p] || is_told(aim, p))
            continue;
        const ArcAimUnit unit = arc_aim_parameter_unit_read(aim, p);
        const Row row = {aim->parameters[p].name, unit.name, unit.factor};
        double values[THROWS_A_BLOCK];
        for (int i = 0; i < n; i++)
            values[i] = of[i].values[p];
        append_row(text, &row, n, values);
    }
    for (int j = 0; j < arc_aim_joints(aim) && aim->experiment->arm.settings.has_encoders; j++) {
        static const char *const labels[] = {"command 1", "command 2", "command 3", "command 4"};
        const Row row = {labels[j], "deg", degrees};
        double values[THROWS_A_BLOCK];
        for (int i = 0; i < n; i++)
            values[i] = of[i].commands_rad[j];
        append_row(text, &row, n, values);
    }
}

static void append_numbers(ArcText *text, const ArcAim *aim, int n, const ArcAimSolution *of)
{
    static const ArcAimNumber order[] = {
        ARC_AIM_ENTRY_ANGLE, ARC_AIM_ENTRY_SPEED, ARC_AIM_CLEARANCE,   ARC_AIM_HEIGHT,
        ARC_AIM_TIME,        ARC_AIM_ENERGY,      ARC_AIM_PEAK_TORQUE, ARC_AIM_MISS};
    static const Row chance = {"hits", "%", 100.0};
    double values[THROWS_A_BLOCK];
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        const ArcAimUnit unit = arc_aim_number_unit_read((int)order[k]);
        const Row row = {arc_aim_number_words((int)order[k]), unit.name, unit.factor};
        for (int i = 0; i < n; i++)
            values[i] = order[k] == ARC_AIM_MISS && of[i].hits ? NAN : of[i].numbers[order[k]];
        append_row(text, &row, n, values);
    }
    for (int i = 0; i < n; i++)
        values[i] = of[i].chance.value;
    append_row(text, &chance, n, values);
    (void)aim;
}

static void append_throws(ArcText *text, const ArcAim *aim)
{
    for (int first = 0; first < aim->n_solutions; first += THROWS_A_BLOCK) {
        int n = aim->n_solutions - first;
        n = n < THROWS_A_BLOCK ? n : THROWS_A_BLOCK;
        const ArcAimSolution *of = aim->solutions + first;
        append_label(text, aim->is_reachable ? "throw" : "nearest");
        for (int i = 0; i < n; i++)
            arc_text_append(text, "%*d", CELL, first + i + 1);
        arc_text_append(text, "\n");
        append_releases(text, aim, n, of);
        append_unknowns(text, aim, n, of);
        append_numbers(text, aim, n, of);
    }
}

/* Throws that go in off the board. */
static void append_banks(ArcText *text, const ArcAim *aim)
{
    for (int first = 0; first < aim->n_banks; first += THROWS_A_BLOCK) {
        int n = aim->n_banks - first;
        n = n < THROWS_A_BLOCK ? n : THROWS_A_BLOCK;
        append_label(text, "off the board");
        for (int i = 0; i < n; i++)
            arc_text_append(text, "%*d", CELL, first + i + 1);
        arc_text_append(text, "\n");
        append_releases(text, aim, n, aim->banks + first);
        append_unknowns(text, aim, n, aim->banks + first);
        append_numbers(text, aim, n, aim->banks + first);
        static const Row chance = {"hits", "%", 100.0};
        double values[THROWS_A_BLOCK];
        for (int i = 0; i < n; i++)
            values[i] = aim->banks[first + i].chance.checked;
        append_row(text, &chance, n, values);
    }
}

/* "deg", "0.1 m/s", "0.1". */
static void append_step(ArcText *text, const ArcAimUnit *unit)
{
    double step = unit->factor * unit->step;
    bool is_one = fabs(step - 1.0) < 1e-12 && unit->name[0] != '\0';
    if (!is_one)
        append_number(text, step, 3);
    arc_text_append(text, "%s%s", is_one || unit->name[0] == '\0' ? "" : " ", unit->name);
}

/* What the best throw's place at the goal changes with, the largest first, by usable steps. */
static void append_sensitivity(ArcText *text, const ArcAim *aim)
{
    int order[ARC_MAX_PARAMETERS], n = 0;
    double size_m[ARC_MAX_PARAMETERS];
    for (int p = 0; aim->n_solutions > 0 && p < aim->n_parameters; p++) {
        double by = aim->solutions[0].miss_by[p] * arc_aim_parameter_unit_read(aim, p).step;
        int at = n;
        if (!(fabs(by) > 1e-6) || !isfinite(by))
            continue;
        for (; at > 0 && by > size_m[at - 1]; at--) {
            size_m[at] = size_m[at - 1];
            order[at] = order[at - 1];
        }
        size_m[at] = by;
        order[at] = p;
        n++;
    }
    for (int k = 0; k < n && k < MOST_SENSITIVITIES; k++) {
        const ArcAimUnit unit = arc_aim_parameter_unit_read(aim, order[k]);
        append_label(text, k == 0 ? "sensitivity" : "");
        append_length(text, size_m[k]);
        arc_text_append(text, " off %swith each ", k == 0 ? "at the goal " : "");
        append_step(text, &unit);
        arc_text_append(text, " of %s\n", aim->parameters[order[k]].name);
    }
}

/* How sure the chance of the best throw is, and what it comes of. */
static void append_chance(ArcText *text, const ArcAim *aim)
{
    if (aim->n_solutions == 0 || !isfinite(aim->solutions[0].chance.value))
        return;
    const ArcAimChance *chance = &aim->solutions[0].chance;
    append_label(text, "scatter");
    for (int c = 0, told = 0; c < aim->dimensions; c++) {
        if (chance->offset_sd_m[c] <= 0.0)
            continue;
        arc_text_append(text, "%s", told++ == 0 ? "sd at the goal " : ", ");
        append_length(text, chance->offset_sd_m[c]);
        arc_text_append(text, " along %c", "xyz"[c]);
    }
    arc_text_append(text, "\n");
    if (!chance->is_valid) {
        append_label(text, "");
        arc_text_append(text, "too wide for the linearisation that its chance comes of%s\n",
                        isfinite(chance->checked) ? "" : "; give aim.monte_carlo");
    }
    if (!isfinite(chance->checked))
        return;
    append_label(text, "");
    append_number(text, 100.0 * chance->checked, 4);
    arc_text_append(text, " ± ");
    append_number(text, 100.0 * chance->checked_sd, 2);
    arc_text_append(text, " %% of %d seeded throws hit\n", aim->settings.monte_carlo);
}

/* What is taken for uncertain. */
static void append_belief(ArcText *text, const ArcAim *aim)
{
    char value[ARC_TABLE_NUMBER];
    bool is_first = true;
    for (int p = 0; p < aim->n_parameters; p++) {
        if (aim->unknown[p] || !(aim->believed_sd[p] > 0.0))
            continue;
        const ArcAimUnit unit = arc_aim_parameter_unit_read(aim, p);
        append_label(text, is_first ? "taken" : "");
        arc_text_append(text, "%s %s", aim->parameters[p].name,
                        arc_table_value(value, aim->believed[p], aim->believed_sd[p], unit.factor));
        arc_text_append(text, "%s%s\n", unit.name[0] == '\0' ? "" : " ", unit.name);
        is_first = false;
    }
}

/* Whether something keeps the release from being faster. */
static bool has_speed_limit(const ArcAim *aim)
{
    int speed = arc_experiment_parameter(aim->experiment, "speed");
    return isfinite(aim->settings.most[ARC_AIM_SPEED]) ||
           (speed >= 0 && aim->unknown[speed] && isfinite(aim->parameters[speed].high));
}

/* Limits that the nearest throw does not keep. */
static void append_broken(ArcText *text, const ArcAim *aim)
{
    const ArcAimSolution *nearest = &aim->solutions[0];
    bool is_first = true;
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++) {
        const ArcAimUnit unit = arc_aim_number_unit_read(k);
        double value = nearest->numbers[k], slack = 1e-6 * fmax(1.0, fabs(value));
        bool is_over = value > aim->settings.most[k] + slack;
        if (!is_over && !(value < aim->settings.least[k] - slack))
            continue;
        append_label(text, is_first ? "limits" : "");
        is_first = false;
        arc_text_append(text, "its %s, ", arc_aim_number_words(k));
        append_number(text, unit.factor * value, 4);
        arc_text_append(text, " %s, is %s ", unit.name, is_over ? "above" : "below");
        append_number(text,
                      unit.factor * (is_over ? aim->settings.most[k] : aim->settings.least[k]), 4);
        arc_text_append(text, " %s\n", unit.name);
    }
}

/* Of speed what is missing; nothing where the throw passes and only limits stand in the way. */
static void append_speed(ArcText *text, const ArcAim *aim)
{
    if (aim->shortfall_speed_m_s > 0.0) {
        append_number(text, aim->shortfall_speed_m_s, 3);
        arc_text_append(text, " m/s more speed would do");
        if (isfinite(aim->least_speed_m_s)) {
            arc_text_append(text, ": ");
            append_number(text, aim->least_speed_m_s, 4);
            arc_text_append(text, " m/s hits");
        }
        arc_text_append(text, "\n");
    } else if (has_speed_limit(aim)) {
        arc_text_append(text, "no speed would do with all else as it is\n");
    } else {
        arc_text_append(text, "it is not for want of speed\n");
    }
}

static void append_shortfall(ArcText *text, const ArcAim *aim)
{
    bool passes =
        aim->n_solutions > 0 && aim->solutions[0].numbers[ARC_AIM_MISS] <= ARC_AIM_TOLERANCE_M;
    if (aim->shortfall_speed_m_s > 0.0 || (!passes && !aim->has_reach)) {
        append_label(text, "shortfall");
        append_speed(text, aim);
    }
    if (aim->n_solutions > 0)
        append_broken(text, aim);
    if (aim->has_reach)
        arc_reach_parts_text(text, &aim->reach);
}

/* Whether one of the front's own columns has the parameter: its speed. */
static bool is_of_front(const ArcAim *aim, int p)
{
    for (int k = 0; k < 2; k++)
        if (strcmp(aim->parameters[p].name, arc_aim_number_name((int)aim->settings.front[k])) == 0)
            return true;
    return false;
}

static void append_front(ArcText *text, const ArcAim *aim)
{
    const ArcAimNumber *front = aim->settings.front;
    int columns[FRONT_COLUMNS], n = 0;
    if (aim->n_front == 0)
        return;
    for (int p = 0; p < aim->n_parameters && n < FRONT_COLUMNS; p++)
        if (aim->unknown[p] && !is_of_front(aim, p))
            columns[n++] = p;
    arc_text_append(text, "%-*s", FRONT_LABEL, "front");
    for (int k = 0; k < 2; k++)
        arc_text_append(text, "%*s", FRONT_CELL, arc_aim_number_words((int)front[k]));
    for (int k = 0; k < n; k++)
        arc_text_append(text, "%*s", CELL, aim->parameters[columns[k]].name);
    arc_text_append(text, "\n%-*s", FRONT_LABEL, "");
    for (int k = 0; k < 2; k++)
        arc_text_append(text, "%*s", FRONT_CELL, arc_aim_number_unit_read((int)front[k]).name);
    for (int k = 0; k < n; k++)
        arc_text_append(text, "%*s", CELL, arc_aim_parameter_unit_read(aim, columns[k]).name);
    arc_text_append(text, "\n");
    for (int i = 0; i < aim->n_front; i++) {
        arc_text_append(text, "%*d", FRONT_LABEL, i + 1);
        for (int k = 0; k < 2; k++)
            append_cell(text, FRONT_CELL,
                        arc_aim_number_unit_read((int)front[k]).factor * aim->front[i].numbers[k]);
        for (int k = 0; k < n; k++)
            append_cell(text, CELL,
                        arc_aim_parameter_unit_read(aim, columns[k]).factor *
                            aim->front[i].values[columns[k]]);
        arc_text_append(text, "\n");
    }
}

ArcStatus arc_aim_text(const ArcAim *aim, char **text, ArcError *err)
{
    ArcText made = {0};
    append_goal(&made, aim);
    append_verdict(&made, aim);
    append_belief(&made, aim);
    append_throws(&made, aim);
    append_banks(&made, aim);
    append_chance(&made, aim);
    append_sensitivity(&made, aim);
    if (!aim->is_reachable)
        append_shortfall(&made, aim);
    append_front(&made, aim);
    return arc_text_finish(&made, text, err);
}
