/* The program and the script that fit real captures: what they print of a flight whose numbers are
 * known, and what they refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MOST_TEXT = 1 << 16 };

/* Runs the command; what it printed goes to text, the return is its exit code. */
static int run(const char *command, char *text)
{
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    size_t used = fread(text, 1, MOST_TEXT - 1, stream);
    text[used] = '\0';
    int status = pclose(stream);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static const char *program(const char *variable)
{
    const char *path = getenv(variable);
    if (path == NULL)
        fail_msg("%s must name the program", variable);
    return path;
}

/* The number behind `name ` in the line of a model. */
static double number_of(const char *text, const char *model, const char *name)
{
    const char *line = strstr(text, model);
    const char *at = line == NULL ? NULL : strstr(line + strlen(model), name);
    if (at == NULL)
        fail_msg("no '%s' of '%s' in\n%s", name, model, text);
    return strtod(at + strlen(name), NULL);
}

/* A flight under a gravity of 9.3 m/s^2, which the experiment does not know of. */
static void test_real_flights_free_gravity_is_found(void **state)
{
    (void)state;
    static char text[MOST_TEXT];
    char folder[] = "/tmp/arcfit-real-XXXXXX", command[4096];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "export OPENBLAS_NUM_THREADS=1; "
             "for seed in 1 2; do '%s' simulate tests/real/basketball-pixels.yaml --seed $seed "
             "--set flight.gravity=9.3 --set parameters.k=0.03 --set "
             "parameters.x0=7 "
             "--set parameters.y0=3 --set parameters.vx0=-3.2 --set parameters.vy0=6.5 "
             "--set simulate.points=78 --set simulate.duration=1.28 -o %s/throw_$seed.csv; done; "
             "'%s' tests/real basketball-pixels %s/throw_*.csv 2>&1",
             program("ARCFIT_PROGRAM"), folder, program("ARCFIT_REAL_FLIGHTS"), folder);
    int code = run(command, text);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    print_message("%s", text);
    assert_int_equal(code, 0);
    assert_true(fabs(number_of(text, "| throw_1 | drag, gravity free |", "gravity ") - 9.3) < 0.06);
    assert_true(fabs(number_of(text, "| throw_1 | drag, gravity free |", " k ") - 0.03) < 0.005);
    assert_non_null(strstr(text, "| throw_2 | drag | 78 |"));
    assert_non_null(strstr(text, "| throw | drag | k | 2 |"));
    assert_non_null(strstr(text, "| misfit, "));
}

/* A throw that is seen from 0.1 s after its release on: where it was let go is known, the time is
 * found. */
static void test_real_flights_release_is_dated(void **state)
{
    (void)state;
    static char text[MOST_TEXT];
    char folder[] = "/tmp/arcfit-real-XXXXXX", command[4096];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "export OPENBLAS_NUM_THREADS=1; "
             "'%s' simulate tests/real/basketball-pixels.yaml -q --set parameters.x0=7 "
             "--set parameters.k=0.03 --set parameters.y0=3 --set parameters.vx0=-3.2 "
             "--set parameters.vy0=6.5 --set parameters.t0=0.25 --set simulate.start=0.1 "
             "--set simulate.points=78 --set simulate.duration=1.2 -o %s/throw.csv; "
             "'%s' tests/real release basketball-pixels "
             "'late|capture.file=%s/throw.csv|parameters.y0=3|parameters.t0={start: 0.2}' 2>&1",
             program("ARCFIT_PROGRAM"), folder, program("ARCFIT_REAL_FLIGHTS"), folder);
    int code = run(command, text);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    print_message("%s", text);
    assert_int_equal(code, 0);
    double t0_ms = number_of(text, "| late |", "begins in flight |");
    double sd_ms = number_of(text, "begins in flight |", "± ");
    assert_true(sd_ms > 0.05 && sd_ms < 2.0);
    assert_true(fabs(t0_ms - 250.0) < 4.0 * sd_ms);
}

static void test_real_flights_bad_usage_is_refused(void **state)
{
    (void)state;
    static char text[MOST_TEXT];
    char command[4096];
    snprintf(command, sizeof command, "'%s' tests/real 2>&1", program("ARCFIT_REAL_FLIGHTS"));
    assert_int_equal(run(command, text), 2);
    snprintf(command, sizeof command, "'%s' tests/real nothing x.csv 2>&1",
             program("ARCFIT_REAL_FLIGHTS"));
    assert_int_equal(run(command, text), 2);
    assert_non_null(strstr(text, "nothing"));
    snprintf(command, sizeof command, "'%s' tests/real juggling-robot nowhere.csv 2>&1",
             program("ARCFIT_REAL_FLIGHTS"));
    assert_int_equal(run(command, text), 2);
    assert_int_equal(run("scripts/real-flights nothing 2>&1", text), 2);
    assert_non_null(strstr(text, "basketball-pixels"));
    assert_int_equal(run("ARCFIT_SHARED=/nowhere scripts/real-flights 2>&1", text), 77);
    assert_non_null(strstr(text, "ARCFIT_SHARED"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real_flights_free_gravity_is_found),
        cmocka_unit_test(test_real_flights_release_is_dated),
        cmocka_unit_test(test_real_flights_bad_usage_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
