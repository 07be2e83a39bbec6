/* The table of settings. To add one: a field in a public struct, its default there, a row in the
 * file of its section (settings_rows.h). */
#include "experiment/settings_rows.h"

#include <string.h>

const ArcSettingRow *arc_setting_at(int i)
{
    static const ArcSettingPart *const parts[] = {
        &arc_settings_capture, &arc_settings_flight,    &arc_settings_arm, &arc_settings_closure,
        &arc_settings_fit,     &arc_settings_randomise, &arc_settings_aim, &arc_settings_simulate};
    for (size_t k = 0; i >= 0 && k < sizeof parts / sizeof parts[0]; k++) {
        if (i < parts[k]->n)
            return &parts[k]->rows[i];
        i -= parts[k]->n;
    }
    return NULL;
}

const ArcSettingRow *arc_setting_find(const char *path)
{
    const ArcSettingRow *row = arc_setting_at(0);
    for (int i = 1; row != NULL && strcmp(row->path, path) != 0; i++)
        row = arc_setting_at(i);
    return row;
}

const char *arc_setting_name(const ArcSettingRow *row)
{
    const char *dot = strrchr(row->path, '.');
    return dot == NULL ? row->path : dot + 1;
}

bool arc_setting_is_in(const ArcSettingRow *row, const char *section)
{
    const char *name = arc_setting_name(row);
    if (section[0] == '\0')
        return name == row->path;
    size_t length = strlen(section);
    return name == row->path + length + 1 && strncmp(row->path, section, length) == 0;
}
