/* What the scripts of all shells say. */
#include "cli/completion.h"

#include "arcfit/settings.h"
#include "cli/topics.h"

#include <string.h>

void arc_completion_quote(FILE *stream, const char *text)
{
    fputc('\'', stream);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\''", stream);
        else
            fputc(*text, stream);
    }
    fputc('\'', stream);
}

void arc_completion_paths(FILE *stream, const ArcKnownParameters *known,
                          void (*put)(FILE *stream, const char *path, const char *doc))
{
    ArcSettingInfo info;
    char path[ARC_SETTING_PATH];
    for (int i = 0; arc_setting_info(i, &info); i++) {
        if (!arc_setting_override(i, path))
            continue;
        put(stream, path, info.doc);
        for (int k = 0; strcmp(path, "parameters") == 0 && k < known->n; k++) {
            char name[ARC_SETTING_PATH];
            snprintf(name, sizeof name, "parameters.%s", known->rows[k].name);
            put(stream, name, known->rows[k].doc);
        }
    }
}

/* path with * for NAME and for a list's number. */
static void write_pattern(const char *path, char pattern[ARC_SETTING_PATH])
{
    size_t n = 0;
    while (*path != '\0') {
        size_t length = strcspn(path, "."), end = length + (path[length] == '.');
        bool is_any = strncmp(path, "NAME", length) == 0 || strncmp(path, "0", length) == 0;
        n += (size_t)snprintf(pattern + n, ARC_SETTING_PATH - n, "%.*s%s",
                              (int)(is_any ? 1 : length), is_any ? "*" : path,
                              end > length ? "." : "");
        path += end;
    }
}

void arc_completion_choices(FILE *stream,
                            void (*put)(FILE *stream, const char *pattern, const char *choices))
{
    ArcSettingInfo info;
    for (int i = 0; arc_setting_info(i, &info); i++) {
        char path[ARC_SETTING_PATH], pattern[ARC_SETTING_PATH], choices[512] = "true false";
        if ((!info.is_flag && info.choice == NULL) || !arc_setting_override(i, path))
            continue;
        size_t used = 0;
        for (int k = 0; !info.is_flag && info.choice(k) != NULL && used < sizeof choices; k++)
            used += (size_t)snprintf(choices + used, sizeof choices - used, "%s%s",
                                     k == 0 ? "" : " ", info.choice(k));
        write_pattern(path, pattern);
        put(stream, pattern, choices);
    }
}

void arc_completion_topics(FILE *stream)
{
    for (int i = 0; arc_command_at(i) != NULL; i++)
        fprintf(stream, "%s%s", i == 0 ? "" : " ", arc_command_at(i)->name);
    for (int i = 0; arc_topic_at(i) != NULL; i++)
        fprintf(stream, " %s", arc_topic_at(i)->name);
}

void arc_completion_option_choices(FILE *stream, const ArcOptionRow *option)
{
    for (int i = 0; option->choice(i) != NULL; i++)
        fprintf(stream, "%s%s", i == 0 ? "" : " ", option->choice(i));
}

ArcStatus arc_completion_write(FILE *stream, ArcHelpForm shell, ArcError *err)
{
    ArcKnownParameters known;
    ArcStatus status = arc_known_parameters(&known, err);
    if (status != ARC_OK)
        return status;
    if (shell == ARC_HELP_BASH)
        arc_completion_bash(stream, &known);
    else if (shell == ARC_HELP_ZSH)
        arc_completion_zsh(stream, &known);
    else
        arc_completion_fish(stream, &known);
    return ARC_OK;
}
