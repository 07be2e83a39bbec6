/* The program behind scripts/coverage: its table is the same for any number of threads, and what it
 * is asked wrongly it refuses. With ARCFIT_SLOW=1 the whole table is run: over 4,000 captures a
 * case, 300 of the case by bootstrap, 95 % intervals of every parameter and derived number hold the
 * truth as often as they say, within 4.4 binomial standard errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MOST_TEXT = 1 << 16 };

/* Runs it with these words; what it printed goes to text, the return is its exit code. */
static int run(const char *words, char *text, bool show)
{
    char command[4096];
    const char *program = getenv("ARCFIT_COVERAGE");
    if (program == NULL)
        fail_msg("ARCFIT_COVERAGE must name the program");
    snprintf(command, sizeof command, "OPENBLAS_NUM_THREADS=1 '%s' %s 2>&1", program, words);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    size_t used = 0;
    while (fgets(text + used, (int)(MOST_TEXT - used), stream) != NULL) {
        if (show)
            print_message("%s", text + used);
        used += strlen(text + used);
        assert_true(used < MOST_TEXT - 4096);
    }
    text[used] = '\0';
    int status = pclose(stream);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_coverage_table_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    static char one[MOST_TEXT], three[MOST_TEXT];
    const char *const words = "--case plane-6 --captures 200 tests/coverage --threads ";
    char text[128];
    snprintf(text, sizeof text, "%s1", words);
    assert_int_equal(run(text, one, true), 0);
    snprintf(text, sizeof text, "%s3", words);
    assert_int_equal(run(text, three, false), 0);
    assert_string_equal(one, three);
    assert_non_null(strstr(one, "| plane-6 | cd | "));
    assert_non_null(strstr(one, "| plane-6 | flight_time | "));
}

/* Bounds that leave out the truth make wrong intervals, which the program must see. */
static void test_coverage_intervals_that_miss_the_truth_are_seen(void **state)
{
    (void)state;
    static char text[MOST_TEXT];
    char folder[] = "/tmp/arcfit-coverage-XXXXXX", command[256], words[128];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "sed 's/cd: free/cd: {start: 0.4, bounds: [0, 0.45]}/' tests/coverage/plane-6.yaml "
             ">%s/plane-6.yaml",
             folder);
    assert_int_equal(system(command), 0);
    snprintf(words, sizeof words, "--case plane-6 --captures 500 %s", folder);
    int code = run(words, text, false);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(code, 1);
    assert_non_null(strstr(text, " outside"));
}

static void test_coverage_bad_usage_is_refused(void **state)
{
    (void)state;
    static char text[MOST_TEXT];
    assert_int_equal(run("", text, false), 2);
    assert_int_equal(run("--captures 0 tests/coverage", text, false), 2);
    assert_int_equal(run("--case nothing tests/coverage", text, false), 2);
    assert_non_null(strstr(text, "nothing"));
    assert_int_equal(run("--captures 10 tests/nowhere", text, false), 2);
}

static void test_coverage_of_every_case_is_95_percent(void **state)
{
    (void)state;
    static char text[MOST_TEXT];
    if (getenv("ARCFIT_SLOW") == NULL) {
        print_message("skipped: ARCFIT_SLOW=1 runs the whole table\n");
        skip();
    }
#ifdef __SANITIZE_ADDRESS__
    const char *words = "--captures 20 --bootstrap-captures 2 tests/coverage";
#else
    const char *words = "--bootstrap-captures 300 tests/coverage";
#endif
    assert_int_equal(run(words, text, true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage_table_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(test_coverage_intervals_that_miss_the_truth_are_seen),
        cmocka_unit_test(test_coverage_bad_usage_is_refused),
        cmocka_unit_test(test_coverage_of_every_case_is_95_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
