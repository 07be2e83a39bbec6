/* Completions for bash. What is typed comes as words that are parted at each "=" too; they are
 * joined again, and of an answer only what stands behind the last "=" is given. */
#include "cli/completion.h"

static const char head[] = "# bash completion of arcfit; written by `arcfit help --as bash`.\n"
                           "#\n"
                           "# To try it: source <(arcfit help --as bash)\n\n";

/* The functions that do the work; the tables come before them. */
static const char body[] =
    "# Answers of one word a line that go on from what was typed.\n"
    "_arcfit_words() { # TYPED WORD...\n"
    "    local typed=$1\n"
    "    shift\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$*\" -- \"$typed\")\n"
    "}\n\n"
    "# Files that end so, any without an ending, and folders.\n"
    "_arcfit_files() { # TYPED ENDING...\n"
    "    local typed=$1 ending\n"
    "    shift\n"
    "    [ $# -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- \"$typed\")\n"
    "    for ending in \"$@\"; do\n"
    "        mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(\n"
    "            compgen -f -X \"!*.$ending\" -- \"$typed\")\n"
    "    done\n"
    "    [ $# -eq 0 ] || mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(\n"
    "        compgen -d -- \"$typed\")\n"
    "    compopt -o filenames 2>/dev/null\n"
    "}\n\n"
    "# Keys of an experiment; where a path has NAME or a list's 0, what was typed there stays.\n"
    "_arcfit_keys() { # TYPED END\n"
    "    local typed=$1 path mark head rest\n"
    "    for path in $_arcfit_paths; do\n"
    "        for mark in NAME .0.; do\n"
    "            head=${path%%\"$mark\"*}\n"
    "            [ \"$head\" != \"$path\" ] || continue\n"
    "            [ \"$mark\" = NAME ] || head+=.\n"
    "            [[ $typed == \"$head\"?*.* ]] || continue\n"
    "            rest=${typed#\"$head\"}\n"
    "            [ \"$mark\" = NAME ] && path=$head${rest%%.*}${path#\"$head\"NAME} ||\n"
    "                path=$head${rest%%.*}.${path#\"$head\"0.}\n"
    "        done\n"
    "        [[ $path == \"$typed\"* ]] && COMPREPLY+=(\"$path$2\")\n"
    "    done\n"
    "    [ -z \"$2\" ] || compopt -o nospace 2>/dev/null\n"
    "}\n\n"
    "_arcfit_setting() { # TYPED\n"
    "    local choices=\n"
    "    if [[ $1 == *=* ]]; then\n"
    "        _arcfit_choices \"${1%%=*}\"\n"
    "        [ -z \"$choices\" ] || _arcfit_words \"${1#*=}\" \"$choices\"\n"
    "        [ -n \"$choices\" ] || _arcfit_files \"${1#*=}\"\n"
    "    else\n"
    "        _arcfit_keys \"$1\" =\n"
    "    fi\n"
    "}\n\n"
    "# kind: what the word is, as the tables name it.\n"
    "_arcfit_answer() { # TYPED KIND\n"
    "    case $2 in\n"
    "    none) ;;\n"
    "    setting) _arcfit_setting \"$1\" ;;\n"
    "    folder)\n"
    "        mapfile -t COMPREPLY < <(compgen -d -- \"$1\")\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        ;;\n"
    "    topic)\n"
    "        _arcfit_words \"$1\" \"$_arcfit_topics\"\n"
    "        _arcfit_keys \"$1\" ''\n"
    "        ;;\n"
    "    words*) _arcfit_words \"$1\" \"${2#words }\" ;;\n"
    "    files*) _arcfit_files \"$1\" ${2#files} ;;\n"
    "    esac\n"
    "}\n\n"
    "_arcfit() {\n"
    "    local -a words=()\n"
    "    local i n=0 word command= kind= options\n"
    "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if [[ $word == = && $n -gt 0 ]]; then\n"
    "            words[n - 1]+==\n"
    "            if ((i < COMP_CWORD)); then\n"
    "                words[n - 1]+=${COMP_WORDS[++i]}\n"
    "            fi\n"
    "        else\n"
    "            words[n++]=$word\n"
    "        fi\n"
    "    done\n"
    "    # the command, and what an option in front asks for\n"
    "    for ((i = 0; i < n - 1; i++)); do\n"
    "        if [ -n \"$kind\" ]; then\n"
    "            kind=\n"
    "        elif [[ ${words[i]} == -* && ${words[i]} != *=* ]]; then\n"
    "            _arcfit_kind \"${words[i]}\"\n"
    "        elif [[ ${words[i]} != -* && -z $command ]]; then\n"
    "            command=${words[i]}\n"
    "        fi\n"
    "    done\n"
    "    word=${words[n - 1]-} COMPREPLY=()\n"
    "    if [ -n \"$kind\" ]; then\n"
    "        _arcfit_answer \"$word\" \"$kind\"\n"
    "    elif [[ $word == --*=* ]]; then\n"
    "        _arcfit_kind \"${word%%=*}\"\n"
    "        _arcfit_answer \"${word#*=}\" \"$kind\"\n"
    "    elif [[ $word == -* ]]; then\n"
    "        _arcfit_options \"$command\"\n"
    "        _arcfit_words \"$word\" \"$options\"\n"
    "    elif [ -z \"$command\" ]; then\n"
    "        _arcfit_words \"$word\" \"$_arcfit_commands\"\n"
    "    else\n"
    "        _arcfit_operand \"$command\"\n"
    "        _arcfit_answer \"$word\" \"$kind\"\n"
    "    fi\n"
    "    # a shell that parts no words at \"=\" wants them whole\n"
    "    if [[ $COMP_WORDBREAKS != *=* && $word == *=* ]]; then\n"
    "        COMPREPLY=(\"${COMPREPLY[@]/#/${word%=*}=}\")\n"
    "    fi\n"
    "}\n\n"
    "complete -F _arcfit arcfit\n";

static void put_path(FILE *stream, const char *path, const char *doc)
{
    (void)doc;
    fprintf(stream, "\n%s", path);
}

static void put_choices(FILE *stream, const char *pattern, const char *choices)
{
    fprintf(stream, "    %s) choices='%s' ;;\n", pattern, choices);
}

static void put_kind(FILE *stream, ArcWordKind kind)
{
    const char *endings = arc_word_endings(kind);
    if (endings != NULL)
        fprintf(stream, "'files%s%s'", endings[0] == '\0' ? "" : " ", endings);
    else
        fprintf(stream, "%s",
                kind == ARC_WORD_FOLDER    ? "folder"
                : kind == ARC_WORD_TOPIC   ? "topic"
                : kind == ARC_WORD_SETTING ? "setting"
                                           : "none");
}

static void put_kinds(FILE *stream, const ArcKnownParameters *known)
{
    const ArcOptionRow *option;
    fprintf(stream, "_arcfit_kind() { # OPTION\n    case $1 in\n");
    for (int i = 0; (option = arc_option_at(i)) != NULL; i++) {
        if (option->value == NULL)
            continue;
        fprintf(stream, "    %s%s%s) kind=", option->name, option->letter == NULL ? "" : " | ",
                option->letter == NULL ? "" : option->letter);
        if (option->kind == ARC_WORD_CHOICE) {
            fprintf(stream, "'words ");
            arc_completion_option_choices(stream, option);
            fprintf(stream, "'");
        } else if (option->kind == ARC_WORD_PARAMETER) {
            fprintf(stream, "'words");
            for (int k = 0; k < known->n; k++)
                fprintf(stream, " %s", known->rows[k].name);
            fprintf(stream, "'");
        } else {
            put_kind(stream, option->kind);
        }
        fprintf(stream, " ;;\n");
    }
    fprintf(stream, "    esac\n}\n\n");
}

static void put_options(FILE *stream, int commands)
{
    const ArcOptionRow *option;
    for (int i = 0; (option = arc_option_at(i)) != NULL; i++) {
        if ((option->commands & commands) == commands)
            fprintf(stream, "%s%s %s", option->letter == NULL ? "" : " ",
                    option->letter == NULL ? "" : option->letter, option->name);
    }
}

static void put_commands(FILE *stream)
{
    const ArcCommandRow *row;
    fprintf(stream, "_arcfit_options() { # COMMAND\n    case $1 in\n");
    for (int i = 0; (row = arc_command_at(i)) != NULL; i++) {
        fprintf(stream, "    %s) options='", row->name);
        put_options(stream, (int)row->command);
        fprintf(stream, "' ;;\n");
    }
    fprintf(stream, "    *) options='");
    put_options(stream, ARC_COMMAND_ANY);
    fprintf(stream, "' ;;\n    esac\n}\n\n_arcfit_operand() { # COMMAND\n    case $1 in\n");
    for (int i = 0; (row = arc_command_at(i)) != NULL; i++) {
        fprintf(stream, "    %s) kind=", row->name);
        put_kind(stream, row->kind);
        fprintf(stream, " ;;\n");
    }
    fprintf(stream, "    esac\n}\n\n_arcfit_commands='");
    for (int i = 0; (row = arc_command_at(i)) != NULL; i++)
        fprintf(stream, "%s%s", i == 0 ? "" : " ", row->name);
    fprintf(stream, "'\n");
}

void arc_completion_bash(FILE *stream, const ArcKnownParameters *known)
{
    fputs(head, stream);
    put_commands(stream);
    fprintf(stream, "_arcfit_topics='");
    arc_completion_topics(stream);
    fprintf(stream, "'\n\n_arcfit_paths='");
    arc_completion_paths(stream, known, put_path);
    fprintf(stream, "'\n\n");
    put_kinds(stream, known);
    fprintf(stream, "_arcfit_choices() { # PATH\n    case $1 in\n");
    arc_completion_choices(stream, put_choices);
    fprintf(stream, "    esac\n}\n\n");
    fputs(body, stream);
}
