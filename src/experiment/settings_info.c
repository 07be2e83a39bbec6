/* What the table of settings tells to those above (arcfit/settings.h): rows, and the paths of keys
 * as users write them. */
#include "experiment/settings.h"

#include "arcfit/settings.h"
#include "arcfit/text.h"

#include <string.h>

static const char net_file[] = "net file.";

/* A list whose entries have keys of their own. */
static bool is_list(const ArcSettingRow *row)
{
    static const char list[] = "a list of ", entries[] = " mappings";
    size_t length = row->accepts == NULL ? 0 : strlen(row->accepts);
    return length > sizeof list + sizeof entries &&
           strncmp(row->accepts, list, strlen(list)) == 0 &&
           strcmp(row->accepts + length - strlen(entries), entries) == 0;
}

static int count_below(const ArcSettingRow *row)
{
    const ArcSettingRow *other;
    int n = 0;
    for (int i = 0; (other = arc_setting_at(i)) != NULL; i++)
        n += arc_setting_is_in(other, row->path);
    return n;
}

bool arc_setting_info(int i, ArcSettingInfo *info)
{
    const ArcSettingRow *row = arc_setting_at(i);
    if (row == NULL)
        return false;
    *info = (ArcSettingInfo){.path = row->path,
                             .doc = row->doc,
                             .is_file = row->type == ARC_SETTING_FILE,
                             .is_flag = row->type == ARC_SETTING_FLAG,
                             .choice = row->type == ARC_SETTING_CHOICE ? row->choice : NULL,
                             .n_below = count_below(row)};
    return true;
}

/* The row of the path's first length bytes. */
static const ArcSettingRow *find_part(const char *path, size_t length)
{
    const ArcSettingRow *row;
    for (int i = 0; (row = arc_setting_at(i)) != NULL; i++) {
        if (strlen(row->path) == length && strncmp(row->path, path, length) == 0)
            return row;
    }
    return NULL;
}

/* A list's entry is named by its number, behind the list's own name. */
bool arc_setting_override(int i, char path[ARC_SETTING_PATH])
{
    const ArcSettingRow *row = arc_setting_at(i);
    if (row == NULL || strncmp(row->path, net_file, strlen(net_file)) == 0)
        return false;
    size_t n = 0;
    for (const char *c = row->path; *c != '\0' && n + 4 < ARC_SETTING_PATH; c++) {
        path[n++] = *c;
        const ArcSettingRow *section =
            *c == '.' ? find_part(row->path, (size_t)(c - row->path)) : NULL;
        if (section != NULL && is_list(section)) {
            path[n++] = '0';
            path[n++] = '.';
        }
    }
    path[n] = '\0';
    return true;
}

/* The next name of a path: its length; *rest is what follows the point, or NULL. */
static size_t part_of(const char *path, const char **rest)
{
    size_t length = strcspn(path, ".");
    *rest = path[length] == '.' ? path + length + 1 : NULL;
    return length;
}

/* Whether key says the row's path: NAME stands for any name, and numbers of a list's entries are
 * passed over. */
static bool is_said(const char *key, const char *path)
{
    while (key != NULL && path != NULL) {
        const char *key_rest, *path_rest;
        size_t n = part_of(key, &key_rest), m = part_of(path, &path_rest);
        bool is_any = m == 4 && strncmp(path, "NAME", 4) == 0 && n > 0;
        bool is_number = n > 0 && strspn(key, "0123456789") == n;
        if (is_any || (n == m && strncmp(key, path, n) == 0))
            path = path_rest;
        else if (!is_number)
            return false;
        key = key_rest;
    }
    return path == NULL && (key == NULL || strspn(key, "0123456789") == strlen(key));
}

/* What may be meant: a row whose last name it is, else one that is spelt nearly so. */
static const char *nearest_of(const char *key)
{
    enum { MOST_ROWS = 512 };
    const char *paths[MOST_ROWS], *names[MOST_ROWS];
    const ArcSettingRow *row;
    int n = 0;
    for (; n < MOST_ROWS && (row = arc_setting_at(n)) != NULL; n++) {
        paths[n] = row->path;
        names[n] = arc_setting_name(row);
        if (strcmp(names[n], key) == 0)
            return row->path;
    }
    const char *nearest = arc_text_nearest(key, n, paths);
    if (nearest != NULL || strchr(key, '.') != NULL)
        return nearest;
    const char *name = arc_text_nearest(key, n, names);
    for (int i = 0; i < n && name != NULL; i++) {
        if (names[i] == name)
            return paths[i];
    }
    return NULL;
}

int arc_setting_row(const char *key, const char **nearest)
{
    const ArcSettingRow *row;
    for (int pass = 0; pass < 2; pass++) { /* a row's own path before one with a name in it */
        for (int i = 0; (row = arc_setting_at(i)) != NULL; i++) {
            if (pass == 0 ? strcmp(row->path, key) == 0 : is_said(key, row->path))
                return i;
        }
    }
    if (nearest != NULL)
        *nearest = nearest_of(key);
    return -1;
}
