/* Where texts go, messages, and the interrupt. */
#include "cli/output.h"

#include "arcfit/equations.h"
#include "arcfit/text.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_S = 1 };

enum { COLUMNS = 80, INDENT = 18 };

static const char good_colour[] = "\033[32m", bad_colour[] = "\033[31m";
static const char warning_colour[] = "\033[33m", no_colour[] = "\033[0m";

static volatile sig_atomic_t output_interrupted;
static volatile sig_atomic_t output_may_leave; /* nothing is being written */
static const char interrupted_text[] = "error: interrupted; nothing was written\n";

static void output_on_interrupt(int signal_number)
{
    (void)signal_number;
    output_interrupted = 1;
    if (output_may_leave)
        alarm(PATIENCE_S);
}

/* A single step of a wide net can take long; who interrupts does not wait for it. */
static void output_on_alarm(int signal_number)
{
    (void)signal_number;
    if (!output_may_leave)
        return;
    ssize_t written = write(STDERR_FILENO, interrupted_text, sizeof interrupted_text - 1);
    (void)written;
    _exit(arc_status_exit_code(ARC_INTERRUPTED));
}

void arc_output_catch_interrupt(bool may_leave)
{
    struct sigaction action = {.sa_handler = output_on_alarm};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    /* A second Ctrl-C ends at once, should the first not be looked at soon enough. */
    action.sa_handler = output_on_interrupt;
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGINT, &action, NULL);
    output_may_leave = may_leave;
}

enum { CRASHES = 5 };
static const int crash_signals[CRASHES] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static struct sigaction crash_before[CRASHES];

static void output_put(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

/* A plug-in's crash is told as what is wrong with the plug-in; any other is what it was: it happens
 * again as soon as this returns. */
static void output_on_crash(int number)
{
    const char *path = arc_equations_running();
    for (int i = 0; path == NULL && i < CRASHES; i++)
        sigaction(crash_signals[i], &crash_before[i], NULL);
    if (path == NULL)
        return;
    output_put(path);
    output_put(":1:1: error: its rates crash at values that a fit came to, though not in their "
               "trial (");
    output_put(number == SIGFPE                        ? "division of whole numbers by zero"
               : number == SIGILL                      ? "a statement that cannot be"
               : number == SIGSEGV || number == SIGBUS ? "memory that is not theirs"
                                                       : "abort");
    output_put("); let them give NAN there\n");
    _exit(arc_status_exit_code(ARC_INPUT));
}

void arc_output_catch_crashes(void)
{
    struct sigaction action = {.sa_handler = output_on_crash};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < CRASHES; i++) {
        struct sigaction before;
        sigaction(crash_signals[i], &action, &before);
        if (before.sa_handler != output_on_crash) /* as it is from the second time on */
            crash_before[i] = before;
    }
}

bool arc_output_end_interrupt(void)
{
    output_may_leave = 0;
    alarm(0);
    return output_interrupted != 0;
}

bool arc_output_is_interrupted(void)
{
    return output_interrupted != 0;
}

int arc_output_error(const ArcError *err)
{
    fprintf(stderr, "%s\n", err->text);
    return arc_status_exit_code(err->status);
}

bool arc_output_is_coloured(FILE *stream)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return (no == NULL || no[0] == '\0') && terminal != NULL && terminal[0] != '\0' &&
           strcmp(terminal, "dumb") != 0 && isatty(fileno(stream));
}

/* line on standard error, the word in it in its colour. */
static void output_put_coloured(const char *line, const char *word, const char *colour)
{
    const char *there = arc_output_is_coloured(stderr) ? strstr(line, word) : NULL;
    if (there == NULL)
        fprintf(stderr, "%s\n", line);
    else
        fprintf(stderr, "%.*s%s%s%s%s\n", (int)(there - line), line, colour, word, no_colour,
                there + strlen(word));
}

void arc_output_warning(ArcPlace place, const char *format, ...)
{
    ArcError line;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    arc_error_set(&line, ARC_OK, "%s:%d:%d: warning: %s", place.file, place.line, place.column,
                  text);
    output_put_coloured(line.text, "warning:", warning_colour);
}

ArcStatus arc_output_restore(const ArcResult *result, ArcExperiment **experiment, ArcError *err)
{
    ArcError note;
    ArcStatus status = arc_report_experiment(result, experiment, &note, err);
    if (note.text[0] != '\0')
        fprintf(stderr, "%s\n", note.text);
    return status;
}

static bool output_has_note(const ArcCapture *capture, const char *note)
{
    for (int i = 0; capture != NULL && i < capture->n_notes; i++)
        if (strcmp(capture->notes[i], note) == 0)
            return true;
    return false;
}

void arc_output_notes(const ArcCaptures *captures)
{
    for (int f = 0; f < captures->n; f++) {
        const ArcCapture *capture = captures->captures[f];
        for (int i = 0; i < capture->n_notes; i++)
            if (!output_has_note(f > 0 ? captures->captures[f - 1] : NULL, capture->notes[i]))
                fprintf(stderr, "%s\n", capture->notes[i]);
    }
}

bool arc_output_is_text_wanted(const ArcOptions *options)
{
    return !options->quiet && (options->json == NULL || strcmp(options->json, "-") != 0);
}

int arc_output_text(ArcStatus status, char *text, const ArcError *err)
{
    if (status != ARC_OK)
        return arc_output_error(err);
    errno = 0;
    bool written = fputs(text, stdout) >= 0 && fflush(stdout) == 0;
    arc_text_free(text);
    if (written)
        return 0;
    fprintf(stderr, "error: cannot write to standard output: %s\n", strerror(errno));
    return arc_status_exit_code(ARC_SYSTEM);
}

/* Prints text with the verdict's first words in colour. */
static void output_print_report(const char *text)
{
    static const char begin[] = "\nverdict";
    const char *line;
    while ((line = strstr(text, begin)) != NULL) {
        const char *words = line + strlen(begin) + strspn(line + strlen(begin), " ");
        int length = (int)strcspn(words, ":;,\n");
        bool is_good = strncmp(words, "agree", 5) == 0;
        bool is_bad = strncmp(words, "misfit", 6) == 0 || strncmp(words, "differ", 6) == 0 ||
                      strncmp(words, "not converged", 13) == 0;
        const char *colour = is_good ? good_colour : is_bad ? bad_colour : "";
        printf("%.*s%s%.*s%s", (int)(words - text), text, colour, length, words,
               is_good || is_bad ? no_colour : "");
        text = words + length;
    }
    fputs(text, stdout);
}

int arc_output_report(ArcStatus status, char *text, const ArcError *err)
{
    if (status != ARC_OK || !arc_output_is_coloured(stdout))
        return arc_output_text(status, text, err);
    output_print_report(text);
    text[0] = '\0';
    return arc_output_text(status, text, err);
}

int arc_output_json(ArcStatus status, char *text, const char *file, const ArcError *err)
{
    ArcError failure;
    if (status != ARC_OK || strcmp(file, "-") == 0)
        return arc_output_text(status, text, err);
    status = arc_text_save(text, file, &failure);
    arc_text_free(text);
    return status == ARC_OK ? 0 : arc_output_error(&failure);
}

ArcStatus arc_output_check_path(const char *path, ArcError *err)
{
    struct stat info;
    char folder[4096];
    if (path[0] == '\0')
        return arc_error_set(err, ARC_USAGE, "error: a file to write to has no name");
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return arc_error_set(err, ARC_SYSTEM, "error: cannot write '%.400s': it is a folder", path);
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path || (size_t)(slash - path) >= sizeof folder)
        return ARC_OK;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    if (stat(folder, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return ARC_OK;
        return arc_error_set(err, ARC_SYSTEM, "error: cannot write '%.400s': '%.400s' is no folder",
                             path, folder);
    }
    /* The last folder will be made; the one above must be there. */
    char *above = strrchr(folder, '/');
    if (above == NULL || above == folder)
        return ARC_OK;
    *above = '\0';
    if (stat(folder, &info) == 0 && S_ISDIR(info.st_mode))
        return ARC_OK;
    return arc_error_set(err, ARC_SYSTEM, "error: cannot write '%.400s': no folder '%.400s'", path,
                         folder);
}

ArcStatus arc_output_check_input(const char *path, const char *input, ArcError *err)
{
    struct stat to, from;
    if (input == NULL || stat(path, &to) != 0 || stat(input, &from) != 0 || !S_ISREG(to.st_mode) ||
        to.st_dev != from.st_dev || to.st_ino != from.st_ino)
        return ARC_OK;
    return arc_error_set(err, ARC_USAGE,
                         "error: '%.400s' is read by this run, so it is not written to; give "
                         "another file",
                         path);
}

void arc_output_row(const char *label, const char *words)
{
    int column = printf("  %-*s", INDENT - 2, label);
    bool first = true;
    while (*words != '\0') {
        int length = (int)strcspn(words, " ");
        if (!first && column + 1 + length > COLUMNS) {
            printf("\n%*s", INDENT, "");
            column = INDENT;
            first = true;
        }
        column += printf("%s%.*s", first ? "" : " ", length, words);
        first = false;
        words += length + (int)strspn(words + length, " ");
    }
    printf("\n");
}

ArcStatus arc_output_check_calibrations(const char *path, const ArcCaptureSettings *settings,
                                        ArcError *err)
{
    ArcStatus status = ARC_OK;
    for (int c = 0; c < settings->n_cameras && status == ARC_OK; c++)
        status = arc_output_check_input(path, settings->cameras[c].calibration, err);
    return status;
}

ArcStatus arc_output_check_capture(const char *path, const ArcCaptureSettings *settings,
                                   ArcError *err)
{
    ArcStatus status = arc_output_check_input(path, settings->file, err);
    if (status == ARC_OK)
        status = arc_output_check_input(path, settings->offsets, err);
    if (status == ARC_OK)
        status = arc_output_check_input(path, settings->swing.file, err);
    if (status == ARC_OK)
        status = arc_output_check_input(path, settings->swing.readings, err);
    for (int c = 0; c < settings->n_cameras && status == ARC_OK; c++)
        status = arc_output_check_input(path, settings->cameras[c].file, err);
    return status == ARC_OK ? arc_output_check_calibrations(path, settings, err) : status;
}

ArcStatus arc_output_check_operands(const ArcOptions *options, ArcError *err)
{
    const char *const outputs[] = {options->out, options->json};
    ArcStatus status = ARC_OK;
    for (int i = 0; i < options->n_operands; i++)
        for (int k = 0; k < 2 && status == ARC_OK; k++)
            if (outputs[k] != NULL)
                status = arc_output_check_input(outputs[k], options->operands[i], err);
    return status;
}
