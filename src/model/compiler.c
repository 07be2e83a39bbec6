/* The compiler is called without a shell, so that blanks and quotes in paths mean nothing. Its
 * texts are read in English, and of them the first error alone is told.
 *
 * Rates are in the arithmetic of IEEE 754 without contraction, so that they are the same on all
 * machines. Vectors are off: of one state there is little to put into them, and making them of
 * partials costs more than it gives. Compilers that do not know all options are asked again with
 * fewer.
 */
#include "model/compiler.h"

#include "base/file.h"
#include "model/process.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMPILER_MAX_WORDS = 48, COMPILER_MAX_COMPILATIONS = 4 };
static const double COMPILER_TIME_S = 60.0;

/* Options of all, then of gcc, of clang, of any other; products of complex numbers are those of the
 * textbook, which is all that partials need (model.h). */
static const char *const COMPILER_ALWAYS[] = {
    "-std=gnu17",          "-fPIC", "-D_GNU_SOURCE", "-Werror=implicit-function-declaration",
    "-Werror=return-type", NULL};
/* Of partials: zero times a number is zero, of which most columns are full. Where numbers are not
 * finite the rates say so, which are compiled without this. */
static const char *const COMPILER_PARTIALS[] = {"-DARC_MODEL_PARTIALS", "-ffinite-math-only",
                                                "-fno-signed-zeros", NULL};
static const char *const COMPILER_PROGRAM[] = {"-O0", NULL}; /* runs once */
static const char *const COMPILER_SETS[][10] = {
    {"-O3", "-fvisibility=hidden", "-fno-math-errno", "-fno-trapping-math", "-fno-tree-vectorize",
     "-ffp-contract=off", "-fcx-limited-range", "-ftrack-macro-expansion=0", NULL},
    {"-O3", "-fvisibility=hidden", "-fno-math-errno", "-fno-vectorize", "-fno-slp-vectorize",
     "-ffp-contract=off", NULL},
    {"-O2", NULL},
};
enum { COMPILER_N_SETS = sizeof COMPILER_SETS / sizeof *COMPILER_SETS };

/* As it is here, in English. */
static const char *const *compiler_environment(ArcArena *arena)
{
    size_t n = 0, kept = 0;
    while (environ != NULL && environ[n] != NULL)
        n++;
    const char **all = ARC_ALLOC(arena, n + 2, const char *);
    if (all == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "LC_ALL=", 7) != 0)
            all[kept++] = environ[i];
    all[kept++] = "LC_ALL=C";
    return all;
}

ArcStatus arc_compiler_find(ArcArena *arena, ArcCompiler *compiler, ArcError *err)
{
    const char *command = getenv("CC");
    *compiler = (ArcCompiler){.environment = compiler_environment(arena)};
    if (command == NULL || command[strspn(command, " \t")] == '\0')
        command = "cc";
    char *text = arc_arena_copy_text(arena, command, strlen(command));
    if (text == NULL || compiler->environment == NULL)
        return arc_error_no_memory(err);
    char *state = NULL;
    for (char *word = strtok_r(text, " \t", &state); word != NULL;
         word = strtok_r(NULL, " \t", &state)) {
        if (compiler->n_words == (int)(sizeof compiler->words / sizeof *compiler->words))
            return arc_error_set(err, ARC_SYSTEM, "too many words in CC='%s'; at most %d", command,
                                 compiler->n_words);
        compiler->words[compiler->n_words++] = word;
    }
    return ARC_OK;
}

static int compiler_add(const char **words, int n, const char *const *options)
{
    for (; *options != NULL; options++)
        words[n++] = *options;
    return n;
}

/* A call's words, ended by NULL. */
static bool compiler_words(const ArcCompiler *compiler, const ArcWorkplace *workplace, int set,
                           const ArcCompilation *one, const char **words)
{
    int n = 0;
    for (int i = 0; i < compiler->n_words; i++)
        words[n++] = compiler->words[i];
    n = compiler_add(words, n, COMPILER_ALWAYS);
    n = compiler_add(words, n, COMPILER_SETS[set]);
    if (one->is_partials)
        n = compiler_add(words, n, COMPILER_PARTIALS);
    if (!one->is_shared)
        n = compiler_add(words, n, COMPILER_PROGRAM);
    words[n++] = "-I";
    words[n++] = workplace->folder;
    if (one->author != NULL) {
        const char *folder = arc_file_folder(workplace->arena, one->author);
        words[n++] = "-iquote";
        words[n++] = folder != NULL && folder[0] == '\0' ? "." : folder;
    }
    words[n++] = arc_workplace_path(workplace, one->source);
    if (one->is_shared) {
        words[n++] = "-shared";
        words[n++] = "-Wl,-z,defs";
    }
    words[n++] = "-o";
    words[n++] = arc_workplace_path(workplace, one->output);
    words[n++] = "-lm";
    words[n++] = "-ldl";
    words[n] = NULL;
    return !arc_arena_is_exhausted(workplace->arena);
}

/* The texts of a call, "" where there are none. */
static char *compiler_messages(const ArcWorkplace *workplace, const char *path)
{
    char *text = "";
    size_t size;
    if (arc_file_read(path, (ArcPlace){0}, (size_t)1 << 24, workplace->arena, &text, &size, NULL) !=
        ARC_OK)
        return "";
    return text;
}

/* A line of text, without its end; the next one. */
static char *compiler_next_line(char *line)
{
    char *end = strchr(line, '\n');
    if (end == NULL)
        return NULL;
    *end = '\0';
    return end[1] == '\0' ? NULL : end + 1;
}

/* Takes "FILE:LINE:COLUMN: " before what: the last two numbers before it. False: there are none. */
static bool compiler_place(ArcArena *arena, const char *line, const char *what, ArcPlace *place)
{
    int numbers[2] = {0, 0};
    const char *end = what;
    for (int k = 0; k < 2; k++) {
        while (end > line && (end[-1] == ' ' || end[-1] == ':'))
            end--;
        const char *start = end;
        while (start > line && isdigit((unsigned char)start[-1]))
            start--;
        if (start == end || start == line || start[-1] != ':')
            return false;
        numbers[k] = atoi(start);
        end = start - 1;
    }
    const char *file = arc_arena_copy_text(arena, line, (size_t)(end - line));
    *place = (ArcPlace){file, numbers[1], numbers[0]};
    return file != NULL;
}

/* Where the author's file is named first: of an error that is in our frame, because of it. */
static bool compiler_authors_place(ArcArena *arena, const char *text, const char *author,
                                   ArcPlace *place)
{
    size_t length = strlen(author);
    for (const char *at = strstr(text, author); at != NULL; at = strstr(at + 1, author)) {
        int line = 0, column = 0;
        if ((at == text || strchr("\n /", at[-1]) != NULL) &&
            sscanf(at + length, ":%d:%d", &line, &column) == 2 && column > 0) {
            *place = (ArcPlace){arc_arena_copy_text(arena, author, length), line, column};
            return place->file != NULL;
        }
    }
    return false;
}

/* Numbers that carry derivatives cannot be compared, which is what fails most often. */
static const char *compiler_hint(const ArcCompilation *one, const char *text)
{
    bool compares = strstr(text, "invalid operands") != NULL ||
                    strstr(text, "wrong type argument") != NULL ||
                    strstr(text, "where arithmetic or pointer type is required") != NULL;
    return compares && one->is_partials ? "; what is compared is value(x), not x (model.h)" : "";
}

static ArcStatus compiler_undefined(const ArcCompilation *one, ArcPlace from, const char *found,
                                    ArcError *err)
{
    const char *start = found + strcspn(found, "`':");
    start += strspn(start, "`': ");
    return arc_error_set_at(err, ARC_INPUT, from, "'%s' uses %.*s, which is nowhere defined",
                            one->author, (int)strcspn(start, "`'\n "), start);
}

/* What went wrong in one call, whose texts these are. */
static ArcStatus compiler_failure(const ArcCompiler *compiler, const ArcWorkplace *workplace,
                                  ArcPlace from, const ArcCompilation *one, char *text,
                                  ArcError *err)
{
    ArcArena *arena = workplace->arena;
    char *all = arc_arena_copy_text(arena, text, strlen(text));
    if (all == NULL)
        return arc_error_no_memory(err);
    const char *last = "it says nothing";
    for (char *line = text, *next; line != NULL; line = next) {
        next = compiler_next_line(line);
        if (line[0] != '\0')
            last = line;
        const char *undefined = strstr(line, "undefined reference to");
        undefined = undefined == NULL ? strstr(line, "undefined symbol") : undefined;
        if (undefined != NULL && one->author != NULL)
            return compiler_undefined(one, from, undefined, err);
        const char *what = strstr(line, " error: "), *fatal = strstr(line, " fatal error: ");
        ArcPlace place;
        if (what == NULL || one->author == NULL)
            continue;
        bool is_placed = compiler_place(arena, line, fatal != NULL ? fatal : what, &place);
        if (!is_placed && !compiler_authors_place(arena, line, one->author, &place))
            continue;
        if (strncmp(place.file, workplace->folder, strlen(workplace->folder)) == 0) {
            if (strstr(line, "arc_order") != NULL || strstr(line, "arc_rates") != NULL ||
                strstr(line, "arc_D") != NULL || strstr(line, "'real'") != NULL ||
                strstr(line, "'ArcModel") != NULL)
                return arc_error_set_at(err, ARC_INPUT, from,
                                        "'%s' has no model: it includes <arcfit/model.h> and ends "
                                        "with ARC_MODEL(...)",
                                        one->author);
            if (!compiler_authors_place(arena, all, one->author, &place))
                place = from;
        }
        what += strlen(" error: ");
        return arc_error_set_at(err, ARC_INPUT, place, "%s%s", what, compiler_hint(one, what));
    }
    return arc_error_set(err, ARC_SYSTEM, "the C compiler '%s' fails: %s; name another in CC",
                         compiler->words[0], last);
}

static bool compiler_knows_options(const char *text)
{
    return strstr(text, "unknown argument") == NULL &&
           strstr(text, "unrecognized command") == NULL && strstr(text, "bad value") == NULL &&
           strstr(text, "unsupported option") == NULL;
}

/* All calls with one set of options; *failed: the first that failed, -1: none, and its texts. */
static ArcStatus compiler_try(const ArcCompiler *compiler, const ArcWorkplace *workplace, int set,
                              int n, const ArcCompilation *compilations, int *failed, char **text,
                              ArcError *err)
{
    ArcProcess processes[COMPILER_MAX_COMPILATIONS];
    char *messages[COMPILER_MAX_COMPILATIONS];
    int started = 0, number = 0;
    bool is_late = false;
    for (; started < n && number == 0; started += number == 0) {
        const char *words[COMPILER_MAX_WORDS];
        messages[started] = arc_arena_format(workplace->arena, "%s/messages-%d-%d",
                                             workplace->folder, set, started);
        if (messages[started] == NULL ||
            !compiler_words(compiler, workplace, set, &compilations[started], words))
            number = ENOMEM;
        else
            number = arc_process_start(words, messages[started], compiler->environment,
                                       COMPILER_TIME_S, &processes[started]);
    }
    *failed = -1;
    for (int i = 0; i < started; i++) {
        ArcProcessEnd end = arc_process_wait(&processes[i]);
        const char *output = arc_workplace_path(workplace, compilations[i].output);
        bool is_made = output != NULL && access(output, R_OK) == 0;
        is_late = is_late || end.timed_out;
        if (*failed < 0 && (end.exit_status != 0 || !is_made))
            *failed = i;
    }
    if (number == ENOMEM || arc_arena_is_exhausted(workplace->arena))
        return arc_error_no_memory(err);
    if (number != 0)
        return arc_error_set(err, ARC_SYSTEM,
                             "cannot run the C compiler '%s': %s; install one, or name it in CC",
                             compiler->words[0], strerror(number));
    if (is_late)
        return arc_error_set(err, ARC_SYSTEM, "the C compiler '%s' takes more than %g s",
                             compiler->words[0], COMPILER_TIME_S);
    *text = *failed < 0 ? NULL : compiler_messages(workplace, messages[*failed]);
    return ARC_OK;
}

ArcStatus arc_compiler_run(const ArcCompiler *compiler, const ArcWorkplace *workplace,
                           ArcPlace from, int n, const ArcCompilation *compilations, ArcError *err)
{
    for (int set = 0; set < COMPILER_N_SETS; set++) {
        int failed;
        char *text;
        ArcStatus status =
            compiler_try(compiler, workplace, set, n, compilations, &failed, &text, err);
        if (status != ARC_OK || failed < 0)
            return status;
        if (compiler_knows_options(text) || set + 1 == COMPILER_N_SETS)
            return compiler_failure(compiler, workplace, from, &compilations[failed], text, err);
    }
    return ARC_OK;
}
