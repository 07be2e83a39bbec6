/* Completions for zsh, by its own _arguments and _describe. */
#include "cli/completion.h"

#include <string.h>

static const char head[] = "#compdef arcfit\n"
                           "# zsh completion of arcfit; written by `arcfit help --as zsh`.\n"
                           "#\n"
                           "# To try it: source <(arcfit help --as zsh)\n\n";

/* Where a path has NAME or a list's 0, what was typed there stays. */
static const char keys[] = "# Keys of an experiment behind --set, and their choices.\n"
                           "_arcfit_setting() {\n"
                           "  local typed=$PREFIX\n"
                           "  if [[ $typed == *=* ]]; then\n"
                           "    local choices=\n"
                           "    _arcfit_choices ${typed%%=*}\n"
                           "    compset -P 1 '*='\n"
                           "    if [[ -n $choices ]]; then\n"
                           "      compadd -- ${=choices}\n"
                           "    else\n"
                           "      _files\n"
                           "    fi\n"
                           "    return\n"
                           "  fi\n"
                           "  _arcfit_keys =\n"
                           "}\n\n"
                           "_arcfit_keys() { # END\n"
                           "  local typed=$PREFIX row mark head rest\n"
                           "  local -a rows\n"
                           "  for row in $_arcfit_paths; do\n"
                           "    for mark in NAME .0.; do\n"
                           "      head=${${row%%:*}%%$mark*}\n"
                           "      [[ $head != ${row%%:*} ]] || continue\n"
                           "      [[ $mark == NAME ]] || head+=.\n"
                           "      [[ $typed == ${head}?*.* ]] || continue\n"
                           "      rest=${typed#$head}\n"
                           "      if [[ $mark == NAME ]]; then\n"
                           "        row=$head${rest%%.*}${row#${head}NAME}\n"
                           "      else\n"
                           "        row=$head${rest%%.*}.${row#${head}0.}\n"
                           "      fi\n"
                           "    done\n"
                           "    rows+=($row)\n"
                           "  done\n"
                           "  _describe -t keys key rows -S \"$1\"\n"
                           "}\n\n"
                           "_arcfit_topic() {\n"
                           "  local -a topics=(${=_arcfit_topics})\n"
                           "  _describe -t topics topic topics\n"
                           "  _arcfit_keys ''\n"
                           "}\n\n";

static const char tail[] = "    esac\n"
                           "    ;;\n"
                           "  esac\n"
                           "  return ret\n"
                           "}\n\n"
                           "if [[ ${funcstack[1]-} == _arcfit ]]; then\n"
                           "  _arcfit \"$@\"\n"
                           "else\n"
                           "  compdef _arcfit arcfit\n"
                           "fi\n";

/* text in single quotes, with a backslash in front of what stands for itself alone between the
 * colons and brackets of _arguments and _describe. */
static void put_text(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr(":[]\\", *text) != NULL)
            fputc('\\', stream);
        if (*text == '\'')
            fputs("'\\''", stream);
        else
            fputc(*text, stream);
    }
}

static void put_path(FILE *stream, const char *path, const char *doc)
{
    fprintf(stream, "  '%s:", path);
    put_text(stream, doc);
    fprintf(stream, "'\n");
}

static void put_choices(FILE *stream, const char *pattern, const char *choices)
{
    fprintf(stream, "  %s) choices='%s' ;;\n", pattern, choices);
}

/* What completes a word of that kind, behind "message:". */
static void put_action(FILE *stream, ArcWordKind kind)
{
    const char *endings = arc_word_endings(kind);
    if (endings != NULL && endings[0] != '\0') {
        bool are_several = strchr(endings, ' ') != NULL; /* (h5) alone would be a qualifier */
        fprintf(stream, "_files -g \"*.%s", are_several ? "(" : "");
        for (; *endings != '\0'; endings++)
            fputc(*endings == ' ' ? '|' : *endings, stream);
        fprintf(stream, "%s\"", are_several ? ")" : "");
    } else {
        fprintf(stream, "%s",
                endings != NULL            ? "_files"
                : kind == ARC_WORD_FOLDER  ? "_files -/"
                : kind == ARC_WORD_TOPIC   ? "_arcfit_topic"
                : kind == ARC_WORD_SETTING ? "_arcfit_setting"
                                           : " ");
    }
}

static void put_option(FILE *stream, const ArcOptionRow *option, const ArcKnownParameters *known)
{
    bool repeats = option->key == ARC_OPTION_AT || strstr(option->doc, "may repeat") != NULL;
    const char *star = repeats ? "*" : "", *equals = option->value == NULL ? "" : "=";
    if (option->letter != NULL)
        fprintf(stream, "      '%s(%s %s)'{%s,%s%s}'[", star, option->letter, option->name,
                option->letter, option->name, equals);
    else
        fprintf(stream, "      '%s%s%s[", star, option->name, equals);
    put_text(stream, option->doc);
    fprintf(stream, "]");
    if (option->value != NULL) {
        fprintf(stream, ":");
        put_text(stream, option->value);
        fprintf(stream, ":");
        if (option->kind == ARC_WORD_CHOICE) {
            fprintf(stream, "(");
            arc_completion_option_choices(stream, option);
            fprintf(stream, ")");
        } else if (option->kind == ARC_WORD_PARAMETER) {
            fprintf(stream, "(");
            for (int k = 0; k < known->n; k++)
                fprintf(stream, "%s%s", k == 0 ? "" : " ", known->rows[k].name);
            fprintf(stream, ")");
        } else {
            put_action(stream, option->kind);
        }
    }
    fprintf(stream, "' \\\n");
}

static void put_commands(FILE *stream, const ArcKnownParameters *known)
{
    const ArcCommandRow *row;
    const ArcOptionRow *option;
    for (int i = 0; (row = arc_command_at(i)) != NULL; i++) {
        fprintf(stream, "    %s)\n      _arguments \\\n", row->name);
        for (int k = 0; (option = arc_option_at(k)) != NULL; k++) {
            if ((option->commands & (int)row->command) != 0)
                put_option(stream, option, known);
        }
        fprintf(stream, "      '*:");
        put_text(stream, row->operands);
        fputc(':', stream);
        put_action(stream, row->kind);
        fprintf(stream, "' && ret=0\n      ;;\n");
    }
}

void arc_completion_zsh(FILE *stream, const ArcKnownParameters *known)
{
    const ArcCommandRow *row;
    const ArcOptionRow *option;
    fputs(head, stream);
    fprintf(stream, "typeset -ga _arcfit_paths=(\n");
    arc_completion_paths(stream, known, put_path);
    fprintf(stream, ")\n\ntypeset -g _arcfit_topics='");
    arc_completion_topics(stream);
    fprintf(stream, "'\n\n_arcfit_choices() { # PATH\n  case $1 in\n");
    arc_completion_choices(stream, put_choices);
    fprintf(stream, "  esac\n}\n\n");
    fputs(keys, stream);
    fprintf(stream, "_arcfit() {\n  local curcontext=$curcontext state line ret=1\n"
                    "  typeset -A opt_args\n  local -a commands=(\n");
    for (int i = 0; (row = arc_command_at(i)) != NULL; i++) {
        fprintf(stream, "    '%s:", row->name);
        put_text(stream, row->doc);
        fprintf(stream, "'\n");
    }
    fprintf(stream, "  )\n  _arguments -C \\\n");
    for (int k = 0; (option = arc_option_at(k)) != NULL; k++) {
        if (option->commands == ARC_COMMAND_ANY)
            put_option(stream, option, known);
    }
    fprintf(stream,
            "      '1:command:->command' '*::operand:->operand' && ret=0\n"
            "  case $state in\n  command) _describe -t commands command commands && ret=0 ;;\n"
            "  operand)\n    case $line[1] in\n");
    put_commands(stream, known);
    fputs(tail, stream);
}
