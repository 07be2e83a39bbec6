/* Completions for fish. */
#include "cli/completion.h"

#include <string.h>

static const char head[] =
    "# fish completion of arcfit; written by `arcfit help --as fish`.\n"
    "#\n"
    "# To try it: arcfit help --as fish | source\n\n"
    "# Whether the command is one of these; without any: whether there is none yet.\n"
    "function __arcfit_is\n"
    "    set -l words (commandline -opc)\n"
    "    set -e words[1]\n"
    "    for word in $words\n"
    "        if contains -- $word $__arcfit_commands\n"
    "            contains -- $word $argv\n"
    "            return\n"
    "        end\n"
    "    end\n"
    "    test (count $argv) -eq 0\n"
    "end\n\n";

/* Where a path has NAME or a list's 0, what was typed there stays. */
static const char keys[] =
    "# Keys of an experiment behind --set, and their choices.\n"
    "function __arcfit_setting\n"
    "    set -l typed (string replace -r '^--set=' '' -- (commandline -ct))\n"
    "    if string match -q '*=*' -- $typed\n"
    "        set -l key (string split -m 1 = -- $typed)[1]\n"
    "        for choice in (__arcfit_choices $key)\n"
    "            echo $key=$choice\n"
    "        end\n"
    "    else\n"
    "        __arcfit_keys $typed | string replace -r '\\t|$' '=$0'\n"
    "    end\n"
    "end\n\n"
    "function __arcfit_keys # TYPED\n"
    "    set -l parts (string split . -- $argv[1])\n"
    "    set -l rows (__arcfit_paths)\n"
    "    for i in (seq (math (count $parts) - 1))\n"
    "        test $i -gt 1; or continue\n"
    "        set -l front (string join . -- $parts[1..(math $i - 1)])\n"
    "        set -l name $front.$parts[$i]\n"
    "        set front (string escape --style=regex -- $front)\n"
    "        set rows (string replace -r \"^$front\\.(?:NAME|0)(?=[.\\t])\" $name -- $rows)\n"
    "    end\n"
    "    printf '%s\\n' $rows\n"
    "end\n\n"
    "function __arcfit_topic\n"
    "    string split ' ' -- $__arcfit_topics\n"
    "    __arcfit_keys (commandline -ct)\n"
    "end\n\n"
    "complete -c arcfit -f\n";

/* In single quotes, as fish reads it. */
static void put_quoted(FILE *stream, const char *text)
{
    fputc('\'', stream);
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', stream);
        fputc(*text, stream);
    }
    fputc('\'', stream);
}

static void put_path(FILE *stream, const char *path, const char *doc)
{
    fprintf(stream, "    '%s' ", path);
    put_quoted(stream, doc);
    fprintf(stream, " \\\n");
}

/* A star of a pattern stands for any name. */
static void put_choices(FILE *stream, const char *pattern, const char *choices)
{
    fprintf(stream, "        case '%s'\n            printf '%%s\\n' %s\n", pattern, choices);
}

/* What completes a word of that kind; options beside -a say so to fish. */
static void put_action(FILE *stream, ArcWordKind kind)
{
    const char *endings = arc_word_endings(kind);
    if (endings != NULL && endings[0] != '\0') {
        fprintf(stream, " -k -a '(");
        for (bool is_first = true; *endings != '\0'; is_first = false) {
            size_t length = strcspn(endings, " ");
            fprintf(stream, "%s__fish_complete_suffix .%.*s", is_first ? "" : ";", (int)length,
                    endings);
            endings += length + (endings[length] == ' ');
        }
        fprintf(stream, ")'");
    } else {
        fprintf(stream, "%s",
                endings != NULL            ? " -F"
                : kind == ARC_WORD_FOLDER  ? " -a '(__fish_complete_directories)'"
                : kind == ARC_WORD_TOPIC   ? " -a '(__arcfit_topic)'"
                : kind == ARC_WORD_SETTING ? " -a '(__arcfit_setting)'"
                                           : "");
    }
}

static void put_option(FILE *stream, const ArcOptionRow *option, const ArcKnownParameters *known)
{
    fprintf(stream, "complete -c arcfit");
    if (option->commands != ARC_COMMAND_ANY) {
        fprintf(stream, " -n '__arcfit_is");
        for (int i = 0; arc_command_at(i) != NULL; i++) {
            if ((option->commands & (int)arc_command_at(i)->command) != 0)
                fprintf(stream, " %s", arc_command_at(i)->name);
        }
        fprintf(stream, "'");
    }
    if (option->letter != NULL)
        fprintf(stream, " -s %s", option->letter + 1);
    fprintf(stream, " -l %s -d ", option->name + 2);
    put_quoted(stream, option->doc);
    if (option->value != NULL)
        fprintf(stream, option->kind == ARC_WORD_FILE ? " -r" : " -x");
    if (option->kind == ARC_WORD_CHOICE) {
        fprintf(stream, " -a '");
        arc_completion_option_choices(stream, option);
        fprintf(stream, "'");
    } else if (option->kind == ARC_WORD_PARAMETER) {
        fprintf(stream, " -a '");
        for (int k = 0; k < known->n; k++)
            fprintf(stream, "%s%s", k == 0 ? "" : " ", known->rows[k].name);
        fprintf(stream, "'");
    } else {
        put_action(stream, option->kind);
    }
    fputc('\n', stream);
}

static void put_commands(FILE *stream)
{
    const ArcCommandRow *row;
    for (int i = 0; (row = arc_command_at(i)) != NULL; i++) {
        fprintf(stream, "complete -c arcfit -n __arcfit_is -a %s -d ", row->name);
        put_quoted(stream, row->doc);
        fprintf(stream, "\ncomplete -c arcfit -n '__arcfit_is %s'", row->name);
        put_action(stream, row->kind);
        fputc('\n', stream);
    }
}

void arc_completion_fish(FILE *stream, const ArcKnownParameters *known)
{
    const ArcOptionRow *option;
    fprintf(stream, "%s", head);
    fprintf(stream, "set -g __arcfit_commands");
    for (int i = 0; arc_command_at(i) != NULL; i++)
        fprintf(stream, " %s", arc_command_at(i)->name);
    fprintf(stream, "\nset -g __arcfit_topics '");
    arc_completion_topics(stream);
    fprintf(stream, "'\n\nfunction __arcfit_paths\n    printf '%%s\\t%%s\\n' \\\n");
    arc_completion_paths(stream, known, put_path);
    fprintf(stream, "\nend\n\nfunction __arcfit_choices # PATH\n    switch $argv[1]\n");
    arc_completion_choices(stream, put_choices);
    fprintf(stream, "    end\nend\n\n");
    fputs(keys, stream);
    put_commands(stream);
    for (int i = 0; (option = arc_option_at(i)) != NULL; i++)
        put_option(stream, option, known);
}
