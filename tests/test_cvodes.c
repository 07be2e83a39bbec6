/* arcfit's simulator against an independent integration of independently written equations:
 * tests/cvodes/reference.txt, which tests/cvodes/cvodes.c wrote with SUNDIALS CVODES. Every law's
 * states and their partials in every parameter agree to 1e-8 of their column's largest. With
 * ARCFIT_SLOW=1 that program runs anew, where it was built (SUNDIALS installed), and is held to the
 * committed numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "fit/flyer.h"
#include "fit_case.h"

#include <unistd.h>

enum { MOST_COLUMNS = 24, MOST_TIMES = 3, MOST_LINE = 4096, MOST_FLIGHTS = 40 };

/* The numbers of a flight: column 0 is the state, the others are its partials in names[column]. */
typedef struct Reference {
    char name[128], text[1024], release[16];
    int d, n_times, n_columns, n_values;
    double t_s[MOST_TIMES];
    char names[MOST_COLUMNS][16];
    char value_names[MOST_COLUMNS][16];
    double values[MOST_COLUMNS];
    double numbers[MOST_TIMES][MOST_COLUMNS][6]; /* position (d), velocity (d) */
} Reference;

static Reference reference[MOST_FLIGHTS], again[MOST_FLIGHTS];

/* The row of a column at the time read last. */
static void read_row(Reference *r, const char *name, char *rest)
{
    int column = 0;
    while (column < r->n_columns && strcmp(r->names[column], name) != 0)
        column++;
    assert_true(column < MOST_COLUMNS && r->n_times > 0);
    if (column == r->n_columns)
        snprintf(r->names[r->n_columns++], 16, "%s", name);
    for (int i = 0; i < 2 * r->d; i++)
        r->numbers[r->n_times - 1][column][i] = strtod(rest, &rest);
}

/* All flights of a file; returns how many. */
static int read_reference(FILE *stream, Reference *flights)
{
    static char line[MOST_LINE];
    int n = 0;
    while (fgets(line, sizeof line, stream) != NULL) {
        char word[32];
        int used = 0;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || sscanf(line, "%31s %n", word, &used) != 1)
            continue;
        char *rest = line + used;
        if (strcmp(word, "flight") == 0) {
            assert_true(n < MOST_FLIGHTS);
            flights[n] = (Reference){.d = 0};
            snprintf(flights[n++].name, 128, "%s", rest);
            continue;
        }
        assert_true(n > 0);
        Reference *r = &flights[n - 1];
        if (strcmp(word, "text") == 0) {
            r->d = strncmp(rest, "{dimensions: 2", 14) == 0 ? 2 : 3;
            snprintf(r->text, sizeof r->text, "%s", rest);
        } else if (strcmp(word, "release") == 0) {
            snprintf(r->release, sizeof r->release, "%s", rest);
        } else if (strcmp(word, "value") == 0) {
            assert_true(r->n_values < MOST_COLUMNS);
            assert_int_equal(sscanf(rest, "%15s %lf", r->value_names[r->n_values],
                                    &r->values[r->n_values]),
                             2);
            r->n_values++;
        } else if (strcmp(word, "time") == 0) {
            assert_true(r->n_times < MOST_TIMES);
            r->t_s[r->n_times++] = strtod(rest, NULL);
        } else {
            read_row(r, word, rest);
        }
    }
    return n;
}

static int committed(void)
{
    FILE *stream = fopen("tests/cvodes/reference.txt", "r");
    assert_non_null(stream);
    int n = read_reference(stream, reference);
    fclose(stream);
    return n;
}

/* Largest of a column's positions (part 0) or velocities (part 1) over all times. */
static double column_size(const Reference *r, int column, int part)
{
    double size = 0;
    for (int i = 0; i < r->n_times; i++)
        for (int c = part * r->d; c < (part + 1) * r->d; c++)
            size = fmax(size, fabs(r->numbers[i][column][c]));
    return size;
}

/* Where two are furthest apart, as a share of the column's size. */
typedef struct Gap {
    double share;
    const char *column;
} Gap;

static Gap largest_gap(const Reference *a, const Reference *b)
{
    Gap gap = {0, ""};
    for (int column = 0; column < a->n_columns; column++) {
        for (int i = 0; i < a->n_times * 2 * a->d; i++) {
            int time = i / (2 * a->d), c = i % (2 * a->d);
            /* of a column that is zero but for rounding, the rounding counts as size */
            double size = fmax(column_size(a, column, c / a->d), 1e-6);
            double off = fabs(a->numbers[time][column][c] - b->numbers[time][column][c]) / size;
            if (!(off <= gap.share))
                gap = (Gap){off, a->names[column]};
        }
    }
    return gap;
}

static ArcExperiment *experiment_of(const Reference *r)
{
    char text[MOST_LINE];
    int used = snprintf(text, sizeof text, CASE_HEAD "flight: %s\nrelease: %s\nparameters: {t0: 0.7",
                        r->text, r->release);
    for (int k = 0; k < r->n_values; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, ", %s: %.17g", r->value_names[k],
                         r->values[k]);
    snprintf(text + used, sizeof text - (size_t)used, "}\n");
    return case_experiment(text);
}

/* The parameter of that name in the experiment's order. */
static int parameter_index(const ArcExperiment *experiment, const char *name)
{
    for (int k = 0; k < experiment->n_parameters; k++)
        if (strcmp(experiment->parameters[k].name, name) == 0)
            return k;
    fail_msg("arcfit has no parameter %s", name);
    return -1;
}
