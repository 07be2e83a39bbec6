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
    char names[MOST_COLUMNS][32];
    char value_names[MOST_COLUMNS][32];
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
        snprintf(r->names[r->n_columns++], 32, "%s", name);
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
            assert_int_equal(
                sscanf(rest, "%31s %lf", r->value_names[r->n_values], &r->values[r->n_values]), 2);
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

/* Of the state, column 0, or of the partials. */
static Gap largest_gap(const Reference *a, const Reference *b, bool partials)
{
    Gap gap = {0, ""};
    for (int column = partials; column < (partials ? a->n_columns : 1); column++) {
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
    int used =
        snprintf(text, sizeof text, CASE_HEAD "flight: %s\nrelease: %s\nparameters: {t0: 0.7",
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

/* The flight as arcfit's simulator has it, in the layout of r. It is released at 0.7 s on the
 * clock, of which the equations must know nothing. */
static Reference fly(const Reference *r, double tolerance)
{
    Reference flown = *r;
    ArcError err;
    ArcExperiment *experiment = experiment_of(r);
    ArcArena *arena = arc_arena_create();
    ArcFlyer *flyer = NULL;
    assert_non_null(arena);
    if (arc_flyer_create(&experiment->flight, tolerance, arena, &flyer, &err) != ARC_OK)
        fail_msg("%s: %s", r->name, err.text);
    double values[ARC_MAX_PARAMETERS], t_s[MOST_TIMES], row[ARC_MAX_PARAMETERS];
    for (int k = 0; k < experiment->n_parameters; k++)
        values[k] = experiment->parameters[k].start;
    for (int i = 0; i < r->n_times; i++)
        t_s[i] = 0.7 + r->t_s[i];
    int d = r->d, D = experiment->flight.n_coordinates, Q = experiment->flight.n_parameters + 2 * D;
    static double x[MOST_TIMES * 4], v[MOST_TIMES * 4], a[MOST_TIMES * 4];
    static double x_q[MOST_TIMES * 4 * 40], v_q[MOST_TIMES * 4 * 40];
    ArcThrow thrown = {&experiment->flight, experiment->release, values};
    ArcSimOutput output = {.x = x, .v = v, .a = a, .x_q = x_q, .v_q = v_q};
    assert_true(D <= 4 && Q <= 40);
    if (!arc_flyer_run(flyer, &thrown, r->n_times, t_s, &output))
        fail_msg("%s cannot be followed", r->name);
    for (int i = 0; i < r->n_times * 2 * d; i++) {
        int time = i / (2 * d), part = i % (2 * d) / d, c = i % d, at = time * D + c;
        double *to = flown.numbers[time][0] + part * d + c;
        *to = part == 0 ? x[at] : v[at];
        arc_flyer_chain(&thrown, 0, (part == 0 ? x_q : v_q) + at * Q, part == 0 ? v[at] : a[at],
                        row);
        for (int column = 1; column < r->n_columns; column++)
            to[column * 6] = row[parameter_index(experiment, r->names[column])];
    }
    arc_arena_free(arena);
    arc_experiment_free(experiment);
    return flown;
}

/* Everything to the last digits that the tolerance of the integration leaves; most_state and
 * most_partials are what is allowed. */
static void check_flights(double tolerance, double most_state, double most_partials)
{
    int n = committed();
    assert_true(n >= 19);
    for (int i = 0; i < n; i++) {
        assert_int_equal(reference[i].n_times, MOST_TIMES);
        assert_int_equal(reference[i].n_columns, reference[i].n_values + 2);
        Reference flown = fly(&reference[i], tolerance);
        Gap state = largest_gap(&reference[i], &flown, false);
        Gap partials = largest_gap(&reference[i], &flown, true);
        print_message("%.0e: state %.0e, partials %.0e (%s): %s\n", tolerance, state.share,
                      partials.share, partials.column, reference[i].name);
        if (!(state.share <= most_state && partials.share <= most_partials))
            fail_msg("%s: state off by %g, partials in %s by %g of their largest",
                     reference[i].name, state.share, partials.column, partials.share);
        assert_true(partials.share > 1e-16); /* else it was compared with itself */
    }
}

static void test_flyer_run_every_law_agrees_with_cvodes(void **state)
{
    (void)state;
    check_flights(1e-14, 1e-8, 1e-8);
}

/* Partials are only to be as good as a fit needs them, above all behind the knots of a table, where
 * their rates have kinks. */
static void test_flyer_run_as_a_fit_does_agrees_with_cvodes(void **state)
{
    (void)state;
    check_flights(1e-10, 1e-8, 1e-5);
}

static void accelerate(void *context, double t, const double *x, const double *v, const double *p,
                       double *a, double *a_x, double *a_v, double *a_p)
{
    arc_flight_acceleration(context, 1, &t, x, v, p, a, a_x, a_v, a_p);
}

/* Steps of one length from release to the end of r; the error at the end of the state and of the
 * partials. Partials y_q of the whole way follow from those
 * of each step, Y, by y_q <- Y y_q and the columns of the parameters added. */
static void fly_in_steps(const Reference *r, int n, double error[2])
{
    enum { MOST = 4, MOST_Q = 40 };
    ArcError err;
    ArcExperiment *experiment = experiment_of(r);
    ArcArena *arena = arc_arena_create();
    ArcSimulator *simulator = NULL;
    assert_non_null(arena);
    ArcMotion motion = {.dimensions = experiment->flight.n_coordinates,
                        .n_parameters = experiment->flight.n_parameters,
                        .position_free = arc_flight_is_position_free(&experiment->flight),
                        .context = &experiment->flight,
                        .acceleration = accelerate};
    ArcSimSettings settings = arc_sim_settings_default();
    settings.tolerance = 1; /* whatever the error: the step is ours */
    assert_int_equal(arc_sim_create(&motion, &settings, arena, &simulator, &err), ARC_OK);
    double values[ARC_MAX_PARAMETERS], t0, y[2 * MOST], step_q[2 * MOST * MOST_Q];
    double y_q[2 * MOST][MOST_Q] = {{0}};
    for (int k = 0; k < experiment->n_parameters; k++)
        values[k] = experiment->parameters[k].start;
    ArcThrow thrown = {&experiment->flight, experiment->release, values};
    int D = experiment->flight.n_coordinates, P = experiment->flight.n_parameters, Q = P + 2 * D;
    assert_true(D <= MOST && Q <= MOST_Q);
    arc_flyer_release(&thrown, &t0, y, y + D);
    for (int i = 0; i < 2 * D; i++)
        y_q[i][P + i] = 1;
    ArcSimOutput output = {.x = y, .v = y + D, .x_q = step_q, .v_q = step_q + D * Q};
    double h = r->t_s[MOST_TIMES - 1] / n;
    for (int step = 0; step < n; step++) {
        double from[2 * MOST], before[2 * MOST][MOST_Q], end = t0 + (step + 1) * h;
        int n_steps;
        memcpy(from, y, sizeof from);
        memcpy(before, y_q, sizeof before);
        ArcSimStart start = {
            .t0 = t0 + step * h, .x0 = from, .v0 = from + D, .p = values, .origin = t0};
        assert_int_equal(arc_sim_run(simulator, &start, 1, &end, &output, &n_steps), ARC_SIM_DONE);
        assert_int_equal(n_steps, 1);
        for (int i = 0; i < 2 * D * Q; i++) {
            int row = i / Q, q = i % Q;
            y_q[row][q] = q < P ? step_q[i] : 0;
            for (int k = 0; k < 2 * D; k++)
                y_q[row][q] += step_q[row * Q + P + k] * before[k][q];
        }
    }
    Reference flown = *r;
    double row[ARC_MAX_PARAMETERS];
    for (int i = 0; i < 2 * r->d; i++) {
        int at = i / r->d * D + i % r->d;
        double *to = flown.numbers[MOST_TIMES - 1][0] + i;
        *to = y[at];
        arc_flyer_chain(&thrown, 0, y_q[at], 0, row);
        for (int column = 1; column < r->n_columns - 1; column++)
            to[column * 6] = row[parameter_index(experiment, r->names[column])];
    }
    arc_arena_free(arena);
    arc_experiment_free(experiment);
    for (int partials = 0; partials < 2; partials++)
        error[partials] = largest_gap(r, &flown, partials).share;
}

static void test_sim_run_steps_of_a_flight_are_of_the_eighth_order(void **state)
{
    (void)state;
    int n = committed(), k = 0;
    while (k < n && strncmp(reference[k].name, "smooth", 6) != 0)
        k++;
    assert_true(k < n);
    for (int steps = 8; steps <= 16; steps *= 2) {
        double coarse[2], fine[2];
        fly_in_steps(&reference[k], steps, coarse);
        fly_in_steps(&reference[k], 2 * steps, fine);
        for (int i = 0; i < 2; i++) {
            double order = log2(coarse[i] / fine[i]);
            print_message("%s, %d to %d steps: error %.1e, order %.2f\n",
                          i == 0 ? "state" : "partials", steps, 2 * steps, coarse[i], order);
            if (!(order > 7.5 && order < 9))
                fail_msg("order %g from %d to %d steps", order, steps, 2 * steps);
        }
    }
}

static void assert_flown(int n, const char *wanted, int least)
{
    int times = 0;
    for (int i = 0; i < n; i++)
        times += strstr(reference[i].text, wanted) != NULL;
    if (times < least)
        fail_msg("'%s' is flown %d times", wanted, times);
}

/* Every name of a law in the tables is flown, and every term beside them. */
static void test_reference_has_every_law(void **state)
{
    (void)state;
    static const char *const keys[] = {"drag", "lift", "spin_decay"};
    static const char *const terms[] = {"gravity: {", "buoyancy: false", "added_mass: true",
                                        "wind: [",    "shear: {",        "gust: {"};
    int n = committed(), n_laws;
    for (int table = 0; table < 3; table++) {
        const ArcLaw *laws = table == 0   ? arc_drag_laws(&n_laws)
                             : table == 1 ? arc_lift_laws(&n_laws)
                                          : arc_spin_decay_laws(&n_laws);
        for (int law = 1; law < n_laws; law++) {
            char wanted[64];
            snprintf(wanted, sizeof wanted, "%s: %s", keys[table], laws[law].name);
            assert_flown(n, wanted, 2);
        }
    }
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++)
        assert_flown(n, terms[i], 1);
}

static void test_cvodes_run_again_gives_the_committed_numbers(void **state)
{
    (void)state;
    const char *program = getenv("ARCFIT_CVODES");
    if (getenv("ARCFIT_SLOW") == NULL || program == NULL || access(program, X_OK) != 0) {
        print_message("skipped: needs ARCFIT_SLOW=1 and a build with SUNDIALS\n");
        skip();
    }
    int n = committed();
    FILE *stream = popen(program, "r");
    assert_non_null(stream);
    assert_int_equal(read_reference(stream, again), n);
    assert_int_equal(pclose(stream), 0);
    for (int i = 0; i < n; i++) {
        Gap state_gap = largest_gap(&reference[i], &again[i], false);
        Gap gap = largest_gap(&reference[i], &again[i], true);
        assert_string_equal(reference[i].text, again[i].text);
        if (!(state_gap.share <= 1e-10 && gap.share <= 1e-10))
            fail_msg("%s: state %g, %s %g of the largest", reference[i].name, state_gap.share,
                     gap.column, gap.share);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flyer_run_every_law_agrees_with_cvodes),
        cmocka_unit_test(test_flyer_run_as_a_fit_does_agrees_with_cvodes),
        cmocka_unit_test(test_sim_run_steps_of_a_flight_are_of_the_eighth_order),
        cmocka_unit_test(test_reference_has_every_law),
        cmocka_unit_test(test_cvodes_run_again_gives_the_committed_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
