/* Arms by arcfit's simulator against an independent integration of independently written equations:
 * tests/cvodes/arms.txt, which tests/cvodes/arms.c wrote with SUNDIALS CVODES. States and their
 * partials in every parameter agree to 1e-8 of their column's largest. With ARCFIT_SLOW=1 that
 * program runs anew, where it was built (SUNDIALS installed), and is held to the committed numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arm_case.h"
#include "arm_motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_COLUMNS = 64, MOST_TIMES = 3, MOST_ARMS = 16 };

/* Column 0 is the state, the others are its partials in names[column]. */
typedef struct Reference {
    char name[128];
    ArcArmSettings settings;
    double start_s, t_s[MOST_TIMES];
    int n_joints_read, n_times, n_columns, n_values;
    char names[MOST_COLUMNS][16];
    char value_names[MOST_COLUMNS][16];
    double values[MOST_COLUMNS];
    double numbers[MOST_TIMES][MOST_COLUMNS][2 * CASE_J];
} Reference;

static Reference reference[MOST_ARMS], again[MOST_ARMS];

static void read_of(Reference *r, const char *rest)
{
    r->settings = arc_arm_settings_default();
    r->settings.has_swing = true;
    r->settings.n_joints = 0;
    assert_int_equal(sscanf(rest, "%d %d %lf %lf %lf %lf", &r->settings.dimensions, &r->settings.up,
                            &r->settings.begin_s, &r->settings.end_s,
                            &r->settings.friction_width_rad_s, &r->start_s),
                     6);
}

static void read_joint(Reference *r, const char *rest)
{
    static const double sound[] = {1, 0.5, 0.5}; /* shares of a trapezoid must be */
    ArcArmJoint *joint = &r->settings.joints[r->settings.n_joints++];
    char axis, curve;
    double stall, idle;
    assert_int_equal(
        sscanf(rest, "%c %c %d %lf %lf", &axis, &curve, &joint->n_torques, &stall, &idle), 5);
    joint->axis = axis == 'p' ? ARC_JOINT_PITCH : axis == 'y' ? ARC_JOINT_YAW : ARC_JOINT_ROLL;
    joint->curve = curve == 'c'   ? ARC_TORQUE_CONSTANT
                   : curve == 'p' ? ARC_TORQUE_POLYNOMIAL
                   : curve == 't' ? ARC_TORQUE_TRAPEZOID
                                  : ARC_TORQUE_SPLINE;
    memcpy(joint->torque, sound, sizeof sound);
    joint->stall_n_m = stall > 0 ? stall : INFINITY;
    joint->idle_rad_s = idle > 0 ? idle : INFINITY;
}

/* The row of a column at the time read last. */
static void read_row(Reference *r, const char *name, char *rest)
{
    int column = 0;
    while (column < r->n_columns && strcmp(r->names[column], name) != 0)
        column++;
    assert_true(column < MOST_COLUMNS && r->n_times > 0);
    if (column == r->n_columns)
        snprintf(r->names[r->n_columns++], 16, "%s", name);
    for (int i = 0; i < 2 * r->settings.n_joints; i++)
        r->numbers[r->n_times - 1][column][i] = strtod(rest, &rest);
}

/* All arms of a file; returns how many. */
static int read_reference(FILE *stream, Reference *arms)
{
    static char line[4096];
    int n = 0;
    while (fgets(line, sizeof line, stream) != NULL) {
        char word[16];
        int used = 0;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || sscanf(line, "%15s %n", word, &used) != 1)
            continue;
        char *rest = line + used;
        if (strcmp(word, "arm") == 0) {
            assert_true(n < MOST_ARMS);
            arms[n] = (Reference){.n_times = 0};
            snprintf(arms[n++].name, 128, "%s", rest);
            continue;
        }
        assert_true(n > 0);
        Reference *r = &arms[n - 1];
        if (strcmp(word, "of") == 0) {
            read_of(r, rest);
        } else if (strcmp(word, "joint") == 0) {
            read_joint(r, rest);
        } else if (strcmp(word, "value") == 0) {
            assert_true(r->n_values < MOST_COLUMNS);
            assert_int_equal(
                sscanf(rest, "%15s %lf", r->value_names[r->n_values], &r->values[r->n_values]), 2);
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
    FILE *stream = fopen("tests/cvodes/arms.txt", "r");
    assert_non_null(stream);
    int n = read_reference(stream, reference);
    fclose(stream);
    return n;
}

/* Largest of a column's angles (part 0) or rates (part 1) over all times. */
static double column_size(const Reference *r, int column, int part)
{
    int J = r->settings.n_joints;
    double size = 0;
    for (int i = 0; i < r->n_times; i++)
        for (int c = part * J; c < (part + 1) * J; c++)
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
    int J = a->settings.n_joints;
    for (int column = partials; column < (partials ? a->n_columns : 1); column++) {
        for (int i = 0; i < a->n_times * 2 * J; i++) {
            int time = i / (2 * J), c = i % (2 * J);
            /* a first yaw's angle changes no rate: of such columns this counts as size */
            double size = fmax(column_size(a, column, c / J), 1e-4);
            double off = fabs(a->numbers[time][column][c] - b->numbers[time][column][c]) / size;
            if (!(off <= gap.share))
                gap = (Gap){off, a->names[column]};
        }
    }
    return gap;
}

static int parameter_index(const ArcArm *arm, const char *name)
{
    for (int k = 0; k < arm->n_parameters; k++)
        if (strcmp(arm->parameters[k].name, name) == 0)
            return k;
    fail_msg("arcfit has no parameter %s", name);
    return -1;
}

/* The swing as arcfit has it, in the layout of r. */
static Reference swung(const Reference *r, double tolerance)
{
    static Swing swing;
    Reference made = *r;
    ArcArm arm = arm_made(&r->settings);
    int J = arm.settings.n_joints, A = arm.n_parameters, Q = A + 2 * J;
    double p[CASE_A] = {0};
    for (int k = 0; k < r->n_values; k++)
        p[parameter_index(&arm, r->value_names[k])] = r->values[k];
    ArcSimStart start = {.t0 = r->start_s, .x0 = p + arm.theta, .v0 = p + arm.omega};
    swing_run(&arm, p, &start, tolerance, r->n_times, r->t_s, true, &swing);
    for (int i = 0; i < r->n_times * 2 * J; i++) {
        int time = i / (2 * J), part = i % (2 * J) / J, at = time * J + i % J;
        double *to = made.numbers[time][0] + i % (2 * J);
        *to = (part == 0 ? swing.theta : swing.omega)[at];
        for (int column = 1; column < r->n_columns; column++) {
            int k = parameter_index(&arm, r->names[column]);
            /* theta and omega are those at the start here, not among the equations' own */
            to[column * 2 * CASE_J] =
                (part == 0 ? swing.theta_q
                           : swing.omega_q)[at * Q + (k < arm.theta ? k : k + 2 * J)];
        }
    }
    return made;
}

static void check_arms(double tolerance, double most_state, double most_partials)
{
    int n = committed();
    assert_true(n >= 5);
    for (int i = 0; i < n; i++) {
        assert_int_equal(reference[i].n_times, MOST_TIMES);
        assert_int_equal(reference[i].n_columns, reference[i].n_values + 1);
        Reference made = swung(&reference[i], tolerance);
        Gap state = largest_gap(&reference[i], &made, false);
        Gap partials = largest_gap(&reference[i], &made, true);
        print_message("%.0e: state %.0e, partials %.0e (%s): %s\n", tolerance, state.share,
                      partials.share, partials.column, reference[i].name);
        if (!(state.share <= most_state && partials.share <= most_partials))
            fail_msg("%s: state off by %g, partials in %s by %g of their largest",
                     reference[i].name, state.share, partials.column, partials.share);
        assert_true(partials.share > 1e-16); /* else it was compared with itself */
    }
}

static void test_arm_acceleration_integrated_agrees_with_cvodes(void **state)
{
    (void)state;
    check_arms(1e-14, 1e-8, 1e-8);
}

/* Partials are only to be as good as a fit needs them. */
static void test_arm_acceleration_integrated_as_a_fit_does_agrees_with_cvodes(void **state)
{
    (void)state;
    check_arms(1e-10, 1e-8, 1e-5);
}

/* Each axis and each curve, with a limit and without, and every name that an arm has. */
static void test_reference_has_every_curve_and_axis(void **state)
{
    (void)state;
    int n = committed(), axes[3] = {0}, curves[4][2] = {{0}};
    for (int i = 0; i < n; i++) {
        ArcArm arm = arm_made(&reference[i].settings);
        for (int j = 0; j < arm.settings.n_joints; j++) {
            const ArcArmJoint *joint = &arm.settings.joints[j];
            axes[joint->axis]++;
            curves[joint->curve][isfinite(joint->stall_n_m)]++;
        }
        for (int k = arm.length; k < arm.n_parameters; k++) {
            int found = 0;
            for (int v = 0; v < reference[i].n_values; v++)
                found += strcmp(reference[i].value_names[v], arm.parameters[k].name) == 0;
            assert_int_equal(found, 1);
        }
    }
    for (int k = 0; k < 3; k++)
        assert_true(axes[k] > 0);
    for (int k = 0; k < 4; k++)
        assert_true(curves[k][0] > 0 && curves[k][1] > 0);
}

static void test_cvodes_run_again_gives_the_committed_numbers(void **state)
{
    (void)state;
    const char *program = getenv("ARCFIT_CVODES_ARMS");
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
        assert_string_equal(reference[i].name, again[i].name);
        if (!(state_gap.share <= 1e-10 && gap.share <= 1e-10))
            fail_msg("%s: state %g, %s %g of the largest", reference[i].name, state_gap.share,
                     gap.column, gap.share);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm_acceleration_integrated_agrees_with_cvodes),
        cmocka_unit_test(test_arm_acceleration_integrated_as_a_fit_does_agrees_with_cvodes),
        cmocka_unit_test(test_reference_has_every_curve_and_axis),
        cmocka_unit_test(test_cvodes_run_again_gives_the_committed_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
