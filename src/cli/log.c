/* The log of a fit. */
#include "cli/log.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINE = 2048 };

struct ArcLog {
    const char *path;
    int descriptor;
    int reason; /* errno of the first failure, 0: none */
    int n_parameters;
    const char *names[ARC_MAX_PARAMETERS]; /* the experiment's, borrowed */
};

typedef struct Line {
    char text[MOST_LINE];
    size_t length;
} Line;

__attribute__((format(printf, 2, 3))) static void add(Line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line->text + line->length, MOST_LINE - line->length, format, arguments);
    va_end(arguments);
    size_t room = MOST_LINE - 1 - line->length;
    line->length += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
}

/* ",value", "," where it is not a number. */
static void add_number(Line *line, double value)
{
    if (isnan(value))
        add(line, ",");
    else
        add(line, ",%.17g", value);
}

/* "m/s" as "_m_s", "1/m" as "_per_m", "N m" as "_N_m", "1" as nothing. */
static void add_unit(Line *line, const char *unit)
{
    if (strcmp(unit, "1") == 0)
        return;
    bool inverse = strncmp(unit, "1/", 2) == 0;
    add(line, "%s", inverse ? "_per_" : "_");
    for (const char *at = inverse ? unit + 2 : unit; *at != '\0'; at++) {
        if (*at != '^')
            add(line, "%c", *at == '/' || *at == ' ' ? '_' : *at);
    }
}

static void make_header(Line *line, const ArcExperiment *experiment)
{
    add(line, "method,start,stage,optimizer,iteration,cost,observations,physics,priors,step_sd,"
              "rate");
    for (int i = 0; i < experiment->n_parameters; i++) {
        add(line, ",%s", experiment->parameters[i].name);
        add_unit(line, experiment->parameters[i].unit);
    }
    add(line, "\n");
}

static void write_line(ArcLog *log, const Line *line)
{
    size_t done = 0;
    while (log->reason == 0 && done < line->length) {
        ssize_t n = write(log->descriptor, line->text + done, line->length - done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            log->reason = n == 0 ? EIO : errno;
    }
}

/* Whether the file, which is not empty, begins with the header. */
static bool has_header(const ArcLog *log, const Line *header)
{
    char text[MOST_LINE];
    ssize_t n = pread(log->descriptor, text, header->length, 0);
    return n == (ssize_t)header->length && memcmp(text, header->text, header->length) == 0;
}

/* A last row that a full disk cut off is ended, so that the next one stands on a line of its own.
 */
static void end_last_row(ArcLog *log, off_t size)
{
    char last = '\n';
    const Line line_break = {.text = "\n", .length = 1};
    if (pread(log->descriptor, &last, 1, size - 1) == 1 && last != '\n')
        write_line(log, &line_break);
}

/* As for results, a missing last folder is made; where it cannot be, opening the file tells why. */
static void make_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? NULL : strndup(path, (size_t)(slash - path));
    if (folder != NULL && folder[0] != '\0')
        (void)mkdir(folder, 0777);
    free(folder);
}

ArcStatus arc_log_open(const char *path, bool append, const ArcExperiment *experiment,
                       ArcLog **result, ArcError *err)
{
    ArcLog *log = calloc(1, sizeof *log);
    if (log == NULL)
        return arc_error_set(err, ARC_MEMORY, "error: out of memory");
    log->path = path;
    log->n_parameters = experiment->n_parameters;
    for (int i = 0; i < log->n_parameters; i++)
        log->names[i] = experiment->parameters[i].name;
    make_folder(path);
    log->descriptor =
        open(path, (append ? O_RDWR : O_WRONLY | O_TRUNC) | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log->descriptor < 0) {
        int reason = errno;
        free(log);
        return arc_error_set(err, ARC_SYSTEM, "error: cannot write '%.400s': %s", path,
                             strerror(reason));
    }
    Line header = {.length = 0};
    make_header(&header, experiment);
    off_t size = append ? lseek(log->descriptor, 0, SEEK_END) : 0;
    if (size > 0 && !has_header(log, &header)) {
        close(log->descriptor);
        free(log);
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){path, 1, 1},
                                "this is no log of the experiment; give --log another file");
    }
    if (size > 0)
        end_last_row(log, size);
    else
        write_line(log, &header);
    *result = log;
    return ARC_OK;
}

bool arc_log_add(ArcLog *log, const ArcProgressState *state)
{
    const ArcHistoryRow *row = state->row;
    Line line = {.length = 0};
    add(&line, "%s,%d,%d,%s,%d", state->method == ARC_PINN ? "pinn" : "direct", row->start,
        row->stage, state->optimizer, row->iteration);
    const double numbers[] = {row->cost,   row->observations, row->physics,
                              row->priors, row->step_sd,      row->rate};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add_number(&line, numbers[i]);
    /* Of several flights only the parameters that they share are told: the other cells stay empty.
     */
    for (int i = 0; i < log->n_parameters; i++) {
        int at = 0;
        while (at < state->n_parameters && strcmp(state->parameters[at].name, log->names[i]) != 0)
            at++;
        add_number(&line, at < state->n_parameters ? state->values[at] : (double)NAN);
    }
    add(&line, "\n");
    write_line(log, &line);
    return log->reason == 0;
}

ArcStatus arc_log_close(ArcLog *log, ArcError *err)
{
    if (log == NULL)
        return ARC_OK;
    if (close(log->descriptor) != 0 && log->reason == 0)
        log->reason = errno;
    ArcStatus status = ARC_OK;
    if (log->reason != 0)
        status = arc_error_set(err, ARC_SYSTEM, "error: cannot write '%.400s': %s", log->path,
                               strerror(log->reason));
    free(log);
    return status;
}
