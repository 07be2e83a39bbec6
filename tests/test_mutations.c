/* Thousands of good experiments and captures spoilt at random: each is either taken or refused as
 * bad input with its place, and the fits of what is taken end. The seed is fixed, so a
 * failure comes again; ARCFIT_SLOW runs ten times as many. */
#include "arcfit/fit.h"

#include "bad_inputs.h"
#include "base/random.h"
#include "slow.h"

#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { N_MUTATIONS = FEWER(3000, 500), MOST_TEXT = 8192 };

static const char *const pieces[] = {"0",
                                     "-1",
                                     "1e308",
                                     "1e-308",
                                     "nan",
                                     ".inf",
                                     "-inf",
                                     "1e999",
                                     "0x1p3",
                                     "free",
                                     "none",
                                     "auto",
                                     "{}",
                                     "[]",
                                     "[",
                                     "}",
                                     ": ",
                                     "- ",
                                     "&a ",
                                     "*a",
                                     "!!str ",
                                     "'",
                                     "\"",
                                     "#",
                                     "\n",
                                     "\r\n",
                                     "\t",
                                     "  ",
                                     ",",
                                     ";",
                                     "---\n",
                                     "...\n",
                                     "|\n",
                                     ">\n",
                                     "? ",
                                     "\xef\xbb\xbf",
                                     "\xc3",
                                     "\xe2\x88\x92",
                                     "\xff",
                                     "\x01",
                                     "999999999999999999999",
                                     "1,5",
                                     "3 kg",
                                     "180 deg",
                                     "-3 Hz",
                                     "fixed",
                                     "lift: rational\n",
                                     "wind: [1, 2]",
                                     "spin",
                                     "k",
                                     "t0",
                                     "\x7f"};

enum { N_PIECES = sizeof pieces / sizeof pieces[0] };

static size_t below(ArcRandom *random, size_t n)
{
    return n == 0 ? 0 : (size_t)(arc_random_bits(random) % n);
}

/* Puts piece in place of the n_old bytes at `at`. */
static size_t splice(char *text, size_t size, size_t at, size_t n_old, const char *piece, size_t n)
{
    if (size - n_old + n > MOST_TEXT)
        return size;
    memmove(text + at + n, text + at + n_old, size - at - n_old);
    memcpy(text + at, piece, n);
    return size - n_old + n;
}

/* One spoilt place; the new size. */
static size_t mutate(ArcRandom *random, char *text, size_t size)
{
    size_t at = below(random, size), length = 1 + below(random, 12);
    char copy[64];
    if (size == 0)
        return splice(text, size, 0, 0, "x", 1);
    if (length > size - at)
        length = size - at;
    const char *piece = pieces[below(random, N_PIECES)];
    switch (below(random, 7)) {
    case 0: /* any byte */
        text[at] = (char)below(random, 256);
        return size;
    case 1: /* a bit */
        text[at] ^= (char)(1 << below(random, 8));
        return size;
    case 2: /* something left out */
        return splice(text, size, at, length, "", 0);
    case 3: /* something twice */
        memcpy(copy, text + at, length);
        return splice(text, size, below(random, size), 0, copy, length);
    case 4: /* something more */
        return splice(text, size, at, 0, piece, strlen(piece));
    case 5: /* a number changed for something else */
        for (; at < size && (text[at] < '0' || text[at] > '9'); at++)
            ;
        length = strspn(text + at, "0123456789.");
        return splice(text, size, at, length < size - at ? length : size - at, piece,
                      strlen(piece));
    default: /* an end too soon, seldom */
        return below(random, 8) == 0 ? at : size;
    }
}

/* The n-th spoilt version of good; spoilt has MOST_TEXT + 1 bytes. */
static size_t spoil(const char *good, int n, char *spoilt)
{
    ArcRandom random = arc_random_create(2026, (uint64_t)n);
    size_t size = strlen(good);
    memset(spoilt, 0, MOST_TEXT + 1);
    memcpy(spoilt, good, size);
    for (size_t i = 1 + below(&random, 2); i > 0; i--)
        size = mutate(&random, spoilt, size);
    return size;
}

static regex_t place_pattern;

static void assert_taken_or_refused(int n, ArcStatus status, const ArcError *err,
                                    const void *handle)
{
    if (status == ARC_OK && handle != NULL)
        return;
    if (status != ARC_INPUT || handle != NULL || strchr(err->text, '\n') != NULL ||
        regexec(&place_pattern, err->text, 0, NULL, 0) != 0)
        fail_msg("mutation %d gives status %d: %s", n, (int)status, err->text);
}

static int mutations(void)
{
    return slow_is_wanted() ? 10 * N_MUTATIONS : N_MUTATIONS;
}

static void check_spoilt_experiments(const char *good)
{
    static char text[MOST_TEXT + 1];
    int n_taken = 0;
    for (int i = 0; i < mutations(); i++) {
        ArcExperiment *experiment = NULL;
        ArcError err = {ARC_OK, ""};
        size_t size = spoil(good, i, text);
        ArcStatus status =
            arc_experiment_parse("spoilt.yaml", text, size, 0, NULL, &experiment, &err);
        assert_taken_or_refused(i, status, &err, experiment);
        n_taken += status == ARC_OK ? 1 : 0;
        arc_experiment_free(experiment);
    }
    print_message("%d of %d taken\n", n_taken, mutations());
    assert_in_range(n_taken, mutations() / 50, mutations() / 2);
}

static void test_parse_spoilt_experiment_is_taken_or_refused(void **state)
{
    (void)state;
    check_spoilt_experiments(good_experiment);
}

/* Tables, wind, place, bounce, targets, losses and noise. */
static void test_parse_spoilt_rich_experiment_is_taken_or_refused(void **state)
{
    (void)state;
    ArcExperiment *experiment = NULL;
    assert_int_equal(arc_experiment_parse("rich.yaml", rich_experiment, strlen(rich_experiment), 0,
                                          NULL, &experiment, NULL),
                     ARC_OK);
    arc_experiment_free(experiment);
    check_spoilt_experiments(rich_experiment);
}

/* Joints, limits, encoders and what was read of them. */
static void test_parse_spoilt_arm_experiment_is_taken_or_refused(void **state)
{
    (void)state;
    check_spoilt_experiments(arm_experiment);
}

/* Fits both ways, whatever the methods: it must end, with or without an estimate. */
static bool fit_both(int n, const ArcExperiment *experiment, const ArcCapture *capture)
{
    ArcProblem *problem = NULL;
    ArcError err = {ARC_OK, ""};
    ArcStatus status = arc_problem_create(experiment, capture, &problem, &err);
    assert_taken_or_refused(n, status, &err, problem);
    for (int i = 0; i < 3 && problem != NULL; i++) {
        ArcFit *fit = NULL;
        ArcStatus fitted =
            i == 0 ? arc_fit_forecast(problem, &fit, &err)
                   : arc_fit_run(problem, i == 1 ? ARC_DIRECT : ARC_PINN, NULL, &fit, &err);
        if (fitted != ARC_OK && fitted != ARC_NUMERIC)
            fail_msg("mutation %d: fit %d gives %d: %s", n, i, (int)fitted, err.text);
        arc_fit_free(fit);
    }
    arc_problem_free(problem);
    return status == ARC_OK;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

static void test_read_spoilt_capture_is_taken_or_refused(void **state)
{
    (void)state;
    static char text[MOST_TEXT + 1];
    char path[] = "/tmp/arcfit-test-mutations-XXXXXX";
    int n_taken = 0, descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    ArcExperiment *experiment = NULL;
    assert_int_equal(arc_experiment_parse("good.yaml", good_experiment, strlen(good_experiment), 0,
                                          NULL, &experiment, NULL),
                     ARC_OK);
    for (int i = 0; i < mutations(); i++) {
        ArcCapture *capture = NULL;
        ArcError err = {ARC_OK, ""};
        write_bytes(path, text, spoil(good_capture, i, text));
        ArcCaptureSettings settings = experiment->capture;
        settings.file = path;
        ArcStatus status = arc_capture_read(&settings, &capture, &err);
        assert_taken_or_refused(i, status, &err, capture);
        n_taken += status == ARC_OK && fit_both(i, experiment, capture) ? 1 : 0;
        arc_capture_free(capture);
    }
    arc_experiment_free(experiment);
    unlink(path);
    print_message("%d of %d taken\n", n_taken, mutations());
    assert_in_range(n_taken, mutations() / 50, mutations() * 3 / 4);
}

static void fit_spoilt_experiments(const char *good, int n)
{
    static char text[MOST_TEXT + 1];
    char path[] = "/tmp/arcfit-test-mutations-XXXXXX";
    int n_taken = 0, descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    write_bytes(path, good_capture, strlen(good_capture));
    for (int i = 0; i < n; i++) {
        ArcExperiment *experiment = NULL;
        ArcCapture *capture = NULL;
        ArcError err = {ARC_OK, ""};
        size_t size = spoil(good, i, text);
        if (arc_experiment_parse("spoilt.yaml", text, size, 0, NULL, &experiment, &err) != ARC_OK)
            continue;
        ArcCaptureSettings settings = experiment->capture;
        settings.file = settings.file == NULL ? NULL : path;
        ArcStatus status = arc_capture_read(&settings, &capture, &err);
        assert_taken_or_refused(i, status, &err, capture);
        n_taken += status == ARC_OK && fit_both(i, experiment, capture) ? 1 : 0;
        arc_capture_free(capture);
        arc_experiment_free(experiment);
    }
    unlink(path);
    print_message("%d of %d taken\n", n_taken, n);
    assert_true(n_taken > n / 50);
}

static void test_fit_spoilt_experiment_ends(void **state)
{
    (void)state;
    fit_spoilt_experiments(good_experiment, mutations());
}

static void test_fit_spoilt_arm_experiment_ends(void **state)
{
    (void)state;
    fit_spoilt_experiments(arm_experiment, mutations() / 3);
}

static int compile_pattern(void **state)
{
    (void)state;
    return regcomp(&place_pattern, "^[^:]+:[0-9]+:[0-9]+: error: ", REG_EXTENDED | REG_NOSUB);
}

static int free_pattern(void **state)
{
    (void)state;
    regfree(&place_pattern);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_spoilt_experiment_is_taken_or_refused),
        cmocka_unit_test(test_parse_spoilt_rich_experiment_is_taken_or_refused),
        cmocka_unit_test(test_parse_spoilt_arm_experiment_is_taken_or_refused),
        cmocka_unit_test(test_read_spoilt_capture_is_taken_or_refused),
        cmocka_unit_test(test_fit_spoilt_experiment_ends),
        cmocka_unit_test(test_fit_spoilt_arm_experiment_ends),
    };
    return cmocka_run_group_tests(tests, compile_pattern, free_pattern);
}
