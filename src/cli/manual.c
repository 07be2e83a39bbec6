/* The pages of the manual, from the tables of commands, options and topics. */
#include "cli/manual.h"

#include "arcfit/settings.h"
#include "arcfit/text.h"
#include "cli/tables.h"

#include <string.h>

enum { COMMAND_COLUMN = 36, OPTION_COLUMN = 29, TOPIC_COLUMN = 16 };

static const char first_steps[] =
    "  arcfit help experiment         a first experiment, to copy\n"
    "  arcfit check my-throw.yaml     what will be fitted, what the points can tell\n"
    "  arcfit fit my-throw.yaml       fits it; the result is my-throw.h5\n"
    "  arcfit report my-throw.h5      a page of pictures, my-throw.html\n";

static void put_options(ArcWriter *writer, int commands, bool is_exact)
{
    const ArcOptionRow *option;
    writer->column = OPTION_COLUMN;
    for (int i = 0; (option = arc_option_at(i)) != NULL; i++) {
        char term[64];
        if (is_exact ? option->commands != commands : (option->commands & commands) == 0)
            continue;
        snprintf(term, sizeof term, "%s%s%s%s%s",
                 option->letter != NULL ? option->letter
                 : writer->is_man       ? ""
                                        : "    ",
                 option->letter == NULL ? "" : ", ", option->name, option->value == NULL ? "" : " ",
                 option->value == NULL ? "" : option->value);
        arc_writer_item(writer, term, option->doc);
    }
}

/* Where names of commands and topics are explained: for the prompt and for man(1). */
static void put_see(ArcWriter *writer, const char *names)
{
    char line[512] = "";
    size_t used = 0;
    while (*names != '\0' && used < sizeof line) {
        char name[32];
        size_t length = strcspn(names, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        const ArcTopicRow *topic = arc_topic_find(name);
        /* keys stand on the page of experiments */
        const char *page = strcmp(name, "settings") == 0 ? "experiment" : name;
        if (writer->is_man)
            used +=
                (size_t)snprintf(line + used, sizeof line - used, "%s`arcfit-%s`(%d)",
                                 used == 0 ? "" : ", ", page, topic == NULL ? 1 : topic->section);
        else
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%s",
                                     used == 0 ? "  arcfit help " : " | ", name);
        names += length + (names[length] == ' ');
    }
    arc_writer_heading(writer, "See also");
    arc_writer_words(writer, line);
}

static void put_commands(ArcWriter *writer)
{
    const ArcCommandRow *row;
    writer->column = COMMAND_COLUMN;
    arc_writer_heading(writer, "Commands");
    for (int i = 0; (row = arc_command_at(i)) != NULL; i++) {
        char term[64];
        snprintf(term, sizeof term, writer->is_man ? "%s%s %s" : "%s%-8s %s",
                 writer->is_man ? "arcfit " : "", row->name, row->operands);
        arc_writer_item(writer, term, row->doc);
    }
}

static void put_topics(ArcWriter *writer)
{
    const ArcTopicRow *topic;
    writer->column = TOPIC_COLUMN;
    arc_writer_heading(writer, "Topics");
    for (int i = 0; (topic = arc_topic_at(i)) != NULL; i++)
        arc_writer_item(writer, topic->name, topic->doc);
}

static void put_exit_codes(ArcWriter *writer)
{
    arc_writer_heading(writer, writer->is_man ? "Exit status" : "Exit codes");
    arc_topic_exit_codes(writer);
}

/* Where a section of experiments has the name of a command or a topic. */
static void put_keys(ArcWriter *writer, const char *name)
{
    char words[128];
    if (writer->is_man || arc_setting_row(name, NULL) < 0)
        return;
    snprintf(words, sizeof words, "Keys of an experiment's section `%s`: `arcfit help %s.`", name,
             name);
    arc_writer_words(writer, words);
}

void arc_manual_overview(ArcWriter *writer)
{
    arc_writer_title(writer, "arcfit", 1,
                     "a thrown ball's flight, and the numbers behind it, from camera points");
    if (writer->is_man)
        arc_writer_synopsis(writer, "arcfit COMMAND [OPTION]... OPERAND...");
    arc_writer_heading(writer, "First steps");
    arc_writer_words(writer, first_steps);
    put_commands(writer);
    arc_writer_heading(writer, "Options of every command");
    put_options(writer, ARC_COMMAND_ANY, true);
    put_topics(writer);
    if (!writer->is_man) {
        arc_writer_words(writer, "`arcfit help TOPIC` explains a topic, a command, or a key of an "
                                 "experiment, as `arcfit help flight.wind`.");
        return;
    }
    put_exit_codes(writer);
    arc_writer_heading(writer, "Environment");
    arc_writer_item(writer, "NO_COLOR", "set and not empty: no colours on a terminal");
    arc_writer_item(writer, "ARCFIT_PLOTLY", "the file of Plotly.js that `report` puts into pages");
    arc_writer_item(writer, "CC", "the compiler of own equations");
    arc_writer_item(writer, "TMPDIR", "where they are compiled");
    put_see(writer, "experiment captures parameters nets results units exit-codes check fit "
                    "report");
}

void arc_manual_command(ArcWriter *writer, ArcCommand command)
{
    const ArcCommandRow *row = arc_command_row(command);
    char text[128];
    if (row == NULL)
        return;
    snprintf(text, sizeof text, "arcfit%c%s", writer->is_man ? '-' : ' ', row->name);
    arc_writer_title(writer, text, 1, row->doc);
    snprintf(text, sizeof text, "arcfit %s %s [OPTION]...", row->name, row->operands);
    arc_writer_synopsis(writer, text);
    if (writer->is_man)
        arc_writer_heading(writer, "Description");
    arc_writer_words(writer, row->about);
    put_keys(writer, row->name);
    arc_writer_heading(writer, "Options");
    put_options(writer, (int)command, false);
    arc_writer_heading(writer, "Examples");
    arc_writer_words(writer, row->examples);
    put_exit_codes(writer);
    put_see(writer, row->see);
}

ArcStatus arc_manual_topic(ArcWriter *writer, const ArcTopicRow *topic, ArcError *err)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", writer->is_man ? "arcfit-" : "", topic->name);
    arc_writer_title(writer, name, topic->section, topic->doc);
    if (writer->is_man)
        arc_writer_heading(writer, "Description");
    arc_writer_words(writer, topic->about);
    ArcStatus status = topic->more == NULL ? ARC_OK : topic->more(writer, err);
    if (status != ARC_OK)
        return status;
    put_keys(writer, topic->name);
    put_see(writer, topic->see);
    return ARC_OK;
}

ArcStatus arc_manual_setting(ArcWriter *writer, int i, ArcError *err)
{
    char *text = NULL;
    ArcStatus status = arc_setting_text(i, &text, err);
    if (status == ARC_OK)
        fputs(text, writer->stream);
    arc_text_free(text);
    return status;
}
