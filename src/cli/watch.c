/* The progress line. */
#include "cli/watch.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { COLUMNS = 79, MOST_TEXT = 512 }; /* the cursor takes one of 80 */

static const double least_interval_s = 0.1;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Appends one word, or nothing where the line would become longer than the terminal. */
__attribute__((format(printf, 2, 3))) static void add(char line[MOST_TEXT], const char *format, ...)
{
    char word[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(word, sizeof word, format, arguments);
    va_end(arguments);
    size_t length = strlen(line);
    if (length + strlen(word) <= COLUMNS)
        snprintf(line + length, MOST_TEXT - length, "%s", word);
}

/* "1.2e+04" without what says nothing: "1.2e4". */
static const char *brief(char text[32], double value, int digits)
{
    snprintf(text, 32, "%.*g", digits, value);
    char *e = strchr(text, 'e');
    if (e != NULL) {
        char *to = e[1] == '-' ? e + 2 : e + 1, *from = e + 2;
        from += strspn(from, "0");
        memmove(to, from, strlen(from) + 1);
    }
    return text;
}

static void add_losses(char line[MOST_TEXT], const ArcHistoryRow *row)
{
    char text[32];
    add(line, " obs %s", brief(text, row->observations, 3));
    if (!isnan(row->physics))
        add(line, " phys %s", brief(text, row->physics, 3));
    if (row->priors != 0)
        add(line, " prior %s", brief(text, row->priors, 2));
    if (!isnan(row->rate))
        add(line, " rate %s", brief(text, row->rate, 2));
}

/* The longest that the stage can still take, once its pace is known. */
static void add_time_left(char line[MOST_TEXT], ArcWatch *watch, const ArcProgressState *state,
                          double now_s)
{
    const ArcHistoryRow *row = state->row;
    bool same = watch->began_at > 0 && watch->method == state->method &&
                watch->start == row->start && watch->stage == row->stage &&
                row->iteration >= watch->began_at;
    if (!same) {
        watch->began_s = now_s;
        watch->began_at = row->iteration;
        watch->method = state->method;
        watch->start = row->start;
        watch->stage = row->stage;
    }
    int done = row->iteration - watch->began_at;
    if (done > 0) {
        double left_s = (now_s - watch->began_s) / done * (state->steps - row->iteration);
        if (left_s < 100)
            add(line, " <%.0f s", ceil(left_s));
        else
            add(line, " <%.0f min", ceil(left_s / 60));
    }
}

static void show(const char *line)
{
    fprintf(stderr, "\r\033[K%s", line);
    fflush(stderr);
}

void arc_watch_show(ArcWatch *watch, const ArcProgressState *state)
{
    if (!watch->shown)
        return;
    double now_s = seconds_now();
    if (now_s - watch->drawn_s < least_interval_s)
        return;
    watch->drawn_s = now_s;
    char line[MOST_TEXT] = "", text[32];
    const ArcHistoryRow *row = state->row;
    const char *method = state->method == ARC_PINN ? "PINN" : "direct";
    if (watch->total > 1)
        add(line, "[%d/%d] ", watch->number, watch->total);
    add(line, "%s", method);
    if (strcmp(method, state->optimizer) != 0)
        add(line, " %s", state->optimizer);
    if (row == NULL) {
        add(line, state->steps > 0 ? ", %d/%d" : ", %d fits", state->done, state->steps);
        show(line);
        return;
    }
    if (row->start > 0)
        add(line, ", start %d", row->start);
    add(line, ", stage %d, %d/%d:", row->stage, row->iteration, state->steps);
    add_losses(line, row);
    add_time_left(line, watch, state, now_s);
    for (int i = 0; i < state->n_parameters; i++) {
        if (state->parameters[i].is_free)
            add(line, " %s %s", state->parameters[i].name, brief(text, state->values[i], 3));
    }
    show(line);
}
