/* arcfit help: how to begin, a command, a topic, a key of an experiment; as text, as a page of the
 * manual, as a schema, or as completions for a shell. */
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/manual.h"
#include "cli/output.h"
#include "cli/tables.h"

#include "arcfit/settings.h"
#include "arcfit/text.h"

#include <string.h>

enum { MOST_TOPIC = 200, MOST_NAMES = 64 };

const char *arc_help_form_name(int index)
{
    static const char *const names[] = {"text", "man", "schema", "bash", "zsh", "fish"};
    return index >= 0 && index < 6 ? names[index] : NULL;
}

/* What was asked for, in one line. */
static ArcStatus join_operands(const ArcOptions *options, char topic[MOST_TOPIC], ArcError *err)
{
    size_t used = 0;
    topic[0] = '\0';
    for (int i = 0; i < options->n_operands; i++) {
        int n = snprintf(topic + used, MOST_TOPIC - used, "%s%s", i == 0 ? "" : " ",
                         options->operands[i]);
        if (n < 0 || (size_t)n >= MOST_TOPIC - used)
            return arc_error_set(err, ARC_USAGE, "error: no topic of help has so long a name");
        used += (size_t)n;
    }
    return ARC_OK;
}

/* A command's row by its name; NULL: it is none. */
static const ArcCommandRow *command_of(const char *name)
{
    const ArcCommandRow *row;
    for (int i = 0; (row = arc_command_at(i)) != NULL; i++) {
        if (strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

/* The nearest of commands, topics and keys. */
static ArcStatus topic_unknown(const char *topic, const char *nearest_key, ArcError *err)
{
    const char *names[MOST_NAMES];
    int n = 0;
    for (int i = 0; arc_command_at(i) != NULL && n < MOST_NAMES; i++)
        names[n++] = arc_command_at(i)->name;
    for (int i = 0; arc_topic_at(i) != NULL && n < MOST_NAMES; i++)
        names[n++] = arc_topic_at(i)->name;
    const char *nearest = arc_text_nearest(topic, n, names);
    const char *point = nearest_key == NULL ? NULL : strrchr(nearest_key, '.');
    bool is_last_name = point != NULL && strcmp(point + 1, topic) == 0;
    if (nearest == NULL || is_last_name)
        nearest = nearest_key;
    if (nearest != NULL)
        return arc_error_set(err, ARC_USAGE,
                             "error: unknown topic '%.100s'; did you mean `arcfit help %s`?", topic,
                             nearest);
    return arc_error_set(err, ARC_USAGE,
                         "error: unknown topic '%.100s'; `arcfit help` lists them, and `arcfit "
                         "help settings` the keys of an experiment",
                         topic);
}

/* A command before a topic before a key; with a point at its end it is a key ("fit."). */
static ArcStatus help_topic(ArcWriter *writer, char *topic, ArcError *err)
{
    size_t length = strlen(topic);
    bool is_key = length > 1 && topic[length - 1] == '.';
    if (is_key)
        topic[length - 1] = '\0';
    const ArcCommandRow *command = is_key ? NULL : command_of(topic);
    const ArcTopicRow *row = is_key ? NULL : arc_topic_find(topic);
    if (writer->is_man && row != NULL && strcmp(row->name, "settings") == 0)
        row = arc_topic_find("experiment"); /* whose page has them */
    if (command != NULL) {
        arc_manual_command(writer, command->command);
        return ARC_OK;
    }
    if (row != NULL)
        return arc_manual_topic(writer, row, err);
    const char *nearest = NULL;
    int i = arc_setting_row(topic, &nearest);
    if (i < 0)
        return topic_unknown(topic, nearest, err);
    if (writer->is_man)
        return arc_error_set(err, ARC_USAGE,
                             "error: keys have no pages of their own; see `arcfit help experiment "
                             "--as man`");
    return arc_manual_setting(writer, i, err);
}

/* Scripts and schemas are of all arcfit, not of a topic. */
static ArcStatus help_script(const ArcOptions *options, const char *topic, ArcError *err)
{
    if (topic[0] != '\0')
        return arc_error_set(err, ARC_USAGE,
                             "error: completions are of all commands; leave '%.100s' out", topic);
    return arc_completion_write(stdout, (ArcHelpForm)options->form, err);
}

static ArcStatus help_schema(const char *topic, ArcError *err)
{
    char *text = NULL;
    bool is_net = strcmp(topic, "nets") == 0;
    if (!is_net && strcmp(topic, "experiment") != 0)
        return arc_error_set(err, ARC_USAGE,
                             "error: schemas there are of experiments and nets: `arcfit help "
                             "experiment --as schema`, `arcfit help nets --as schema`");
    ArcStatus status = is_net ? arc_net_schema(&text, err) : arc_settings_schema(&text, err);
    if (status == ARC_OK)
        fputs(text, stdout);
    arc_text_free(text);
    return status;
}

int arc_command_help(const ArcOptions *options)
{
    ArcError err;
    char topic[MOST_TOPIC];
    ArcWriter writer = {.stream = stdout, .is_man = options->form == ARC_HELP_MAN};
    ArcStatus status = join_operands(options, topic, &err);
    if (status != ARC_OK)
        return arc_output_error(&err);
    if (options->form >= ARC_HELP_BASH)
        status = help_script(options, topic, &err);
    else if (options->form == ARC_HELP_SCHEMA)
        status = help_schema(topic, &err);
    else if (topic[0] == '\0')
        arc_manual_overview(&writer);
    else
        status = help_topic(&writer, topic, &err);
    return status == ARC_OK ? 0 : arc_output_error(&err);
}
