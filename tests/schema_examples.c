/* Experiments that the program accepts, for tests/check_schema: each row of the table of settings
 * at many values in the experiment that it can be tried in (settings_texts.h). Prints those that
 * are read: the text, a byte 1, the override, a byte 0. */
#include "experiment/reader.h"

#include <stdio.h>
#include <string.h>

#include "settings_texts.h"

static void try_value(const ArcSettingRow *row, const char *value)
{
    bool is_bounce = strncmp(row->path, "flight.bounce.", 14) == 0;
    char text[300], path[100], override[300];
    snprintf(text, sizeof text,
             "arcfit: 1\n%sflight: {%s}\nfit: {%spinn: {train: [{optimizer: %s}]}}\n",
             section_of(row), flight_of(row), is_bounce ? "methods: [direct], " : "",
             row->optimizer == NULL ? "lm" : row->optimizer);
    path_text(row, path);
    snprintf(override, sizeof override, "%s=%s", path, value);
    const char *const overrides[] = {override};
    ArcExperiment *experiment = NULL;
    if (arc_experiment_parse("f.yaml", text, strlen(text), 1, overrides, &experiment, NULL) !=
        ARC_OK)
        return;
    printf("%s\1%s", text, override);
    putchar('\0');
    arc_experiment_free(experiment);
}

/* A number at the ends of its range, and in each unit and some spellings. */
static void try_numbers(const ArcSettingRow *row)
{
    static const char *const spellings[] = {"m/s2",
                                            "m/s\xc2\xb2",
                                            "\xc2\xb0",
                                            "\xc2\xb5m",
                                            "kg/m3",
                                            "\xc2\xb0"
                                            "C",
                                            "mrad",
                                            "kg/(m s)"};
    char value[100];
    snprintf(value, sizeof value, "%.17g", row->low);
    try_value(row, value);
    snprintf(value, sizeof value, "%.17g", row->high);
    try_value(row, value);
    for (int i = 0; arc_unit_at(i) != NULL; i++) {
        if (row->type != ARC_SETTING_PARAMETER && arc_unit_at(i)->quantity != row->quantity)
            continue;
        snprintf(value, sizeof value, "20 %s", arc_unit_at(i)->name);
        try_value(row, value);
        snprintf(value, sizeof value, "1%s", arc_unit_at(i)->name);
        try_value(row, value);
    }
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        snprintf(value, sizeof value, "1.5e1%s", spellings[i]);
        try_value(row, value);
    }
}

/* Whether an earlier row accepts the same by its type alone: few values tell of the row then. What
 * is read by the row's own code is never alike. */
static bool is_alike(int index)
{
    const ArcSettingRow *row = arc_setting_at(index), *earlier;
    if (row->shape != NULL || row->type == ARC_SETTING_SPECIAL ||
        row->type == ARC_SETTING_PARAMETER || row->type == ARC_SETTING_SECTION)
        return false;
    for (int i = 0; i < index; i++) {
        earlier = arc_setting_at(i);
        if (earlier->type == row->type && earlier->quantity == row->quantity &&
            earlier->choice == row->choice && earlier->shape == NULL)
            return true;
    }
    return false;
}

int main(void)
{
    enum { FEW = 8 }; /* of the values for a row like an earlier one: each 8th, another one first */
    static const char *const values[] = {"none",
                                         "auto",
                                         "all",
                                         "estimate",
                                         "exact",
                                         "free",
                                         "true",
                                         "false",
                                         "text",
                                         "2024",
                                         "'1'",
                                         "'0.5'",
                                         "1.",
                                         "+2",
                                         "5",
                                         "1e-3",
                                         "100",
                                         "0.5 px",
                                         "3 %",
                                         "[0, 1]",
                                         "[1 m, 2 m]",
                                         "[0, 1, 2]",
                                         "[1]",
                                         "[]",
                                         "{}",
                                         "[[1, 0.5], [2, 0.4]]",
                                         "[[1 m/s, 0.5], [2 m/s, 40 %]]",
                                         "x=1",
                                         "y = 1 ft",
                                         "{mean: 1, sd: 1}",
                                         "{value: 1, sd: 1 }",
                                         "{every: 3}",
                                         "{after: 1 s}",
                                         "[x, vx]",
                                         "[direct]",
                                         "[vacuum, drag]",
                                         "huber",
                                         "{kind: student-t, dof: estimate}",
                                         "[miss, speed]",
                                         "golf",
                                         "[speed, time]",
                                         "probability",
                                         "cd",
                                         "acceleration",
                                         "output",
                                         "[elbow, joint2]",
                                         "m",
                                         "inch",
                                         "px",
                                         "[30 deg, 1]",
                                         "{latitude: 48 deg}",
                                         "{mass: 1 kg, diameter: 9 in}",
                                         "{start: 1}",
                                         "{fixed: 1 1/m}",
                                         "{velocity: [1, 0]}",
                                         "[{length: 1, torque: {curve: trapezoid}}]",
                                         "{curve: trapezoid, values: [1 N m, 20 %, 0.2]}",
                                         "[{optimizer: adam, rate: 0.1}]",
                                         "{plane: y=0}",
                                         "{restitution: 0.5, plane: y=0}",
                                         "{points: 30, kind: random}",
                                         "{focal: 1000, centre: [500, 400]}",
                                         "{least: 0, most: 10}",
                                         "[{file: a.csv}, {file: [b, c]}]"};
    const ArcSettingRow *row;
    for (int i = 0; (row = arc_setting_at(i)) != NULL; i++) {
        if (strncmp(row->path, "net file.", 9) == 0 || strncmp(row->path, "model", 5) == 0)
            continue;
        if (row->default_text != NULL)
            try_value(row, row->default_text);
        for (int k = 0; row->choice != NULL && row->choice(k) != NULL; k++)
            try_value(row, row->choice(k));
        size_t step = is_alike(i) ? FEW : 1;
        for (size_t k = (size_t)i % step; k < sizeof values / sizeof values[0]; k += step)
            try_value(row, values[k]);
        if (row->type == ARC_SETTING_NUMBER || row->type == ARC_SETTING_WHOLE ||
            row->type == ARC_SETTING_PARAMETER || row->low < row->high)
            try_numbers(row);
    }
    return 0;
}
