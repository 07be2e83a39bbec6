/* Beliefs: of priors, of results, and corrected by throws, against closed forms of a linear world
 * and against fits of all throws at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "belief_case.h"
#include "slow.h"
#include "sweep.h"

#include <jansson.h>
#include <stdlib.h>

static const bool all_known[SHARED] = {true, true, true, true};
static const bool without_cd[SHARED] = {true, true, true, false};
static const bool without_lengths[SHARED] = {false, false, true, true};

static const double truth[SHARED] = {0.506, 0.391, -0.02, 0.58};

/* n throws, fitted with the text. */
static LinearThrow *throws_create(int n, const char *text, const bool *has, bool only_sum)
{
    ArcRandom random = arc_random_create(20261201, ARC_STREAM_TRUTH);
    LinearThrow *t = calloc((size_t)n, sizeof *t);
    assert_non_null(t);
    for (int k = 0; k < n; k++) {
        linear_throw(&t[k], &random, truth, only_sum);
        linear_fit(&t[k], text, has, only_sum);
    }
    return t;
}

static ArcBelief *belief_of(const ArcExperiment *experiment)
{
    ArcBelief *belief = calloc(1, sizeof *belief); /* its padding is compared, too */
    assert_non_null(belief);
    arc_belief_of_experiment(experiment, belief);
    return belief;
}

static void correct(const ArcExperiment *experiment, int n, const ArcResult *const *results,
                    ArcBelief *belief)
{
    ArcError err;
    if (arc_belief_correct(experiment, n, results, belief, &err) != ARC_OK)
        fail_msg("%s", err.text);
}

static void test_of_experiment_priors_are_taken_unknowns_are_not(void **state)
{
    (void)state;
    ArcExperiment *e = case_experiment(
        LINEAR_HEAD "parameters:\n  l1: {prior: {mean: 0.51 m, sd: 10 mm}}\n"
                    "  l2: {prior: {mean: 0.4 m, sd: 3 mm}, measured: {value: 0.41 m, sd: 4 mm}}\n"
                    "  theta1: {prior: {mean: 1 rad, sd: 0.1 rad}}\n  cd: 0.47\n"
                    "  offset1: free\n");
    ArcBelief *b = belief_of(e);
    int l1 = arc_experiment_parameter(e, "l1"), l2 = arc_experiment_parameter(e, "l2");
    int theta1 = arc_experiment_parameter(e, "theta1"), cd = arc_experiment_parameter(e, "cd");
    assert_int_equal(b->n, e->n_parameters);
    assert_near(b->mean[l1], 0.51, 1e-15);
    assert_near(b->covariance[l1 * b->n + l1], 1e-4, 1e-18);
    /* A prior and a measurement are weighed by 1/sd^2. */
    assert_near(b->mean[l2], (0.4 / 9.0 + 0.41 / 16.0) / (1.0 / 9.0 + 1.0 / 16.0), 1e-14);
    assert_near(b->covariance[l2 * b->n + l2], 1e-6 / (1.0 / 9.0 + 1.0 / 16.0), 1e-18);
    assert_near(b->covariance[theta1 * b->n + theta1], 0.0, 0.0);
    assert_near(b->mean[cd], 0.47, 1e-15);
    int uncertain = 0;
    for (int i = 0; i < b->n * b->n; i++)
        uncertain += b->covariance[i] != 0.0;
    assert_int_equal(uncertain, 2);
    /* An unknown of the aim is no matter of belief. */
    e->aim.unknown[l1] = true;
    arc_belief_of_experiment(e, b);
    assert_near(b->covariance[l1 * b->n + l1], 0.0, 0.0);
    assert_near(b->covariance[theta1 * b->n + theta1], 0.01, 1e-15);
    free(b);
    arc_experiment_free(e);
}

static void check_batch(const char *text, const bool *has)
{
    double mean[SHARED], covariance[SHARED * SHARED];
    ArcExperiment *e = case_experiment(text);
    LinearThrow *t = throws_create(MOST_THROWS, text, has, false);
    const ArcResult *results[MOST_THROWS], *backwards[MOST_THROWS];
    for (int k = 0; k < MOST_THROWS; k++)
        results[k] = backwards[MOST_THROWS - 1 - k] = &t[k].result;
    ArcBelief *together = belief_of(e), *single = belief_of(e), *other = belief_of(e);
    correct(e, MOST_THROWS, results, together);
    for (int k = 0; k < MOST_THROWS; k++) {
        correct(e, 1, &results[k], single);
        correct(e, 1, &backwards[k], other);
        linear_batch(k + 1, t, has, mean, covariance);
        assert_true(linear_off(e, single, mean, covariance) < 1e-9);
    }
    assert_true(linear_off(e, together, mean, covariance) < 1e-9);
    assert_true(linear_off(e, other, mean, covariance) < 1e-9);
    for (int i = 0; i < together->n; i++)
        for (int j = 0; j < together->n; j++)
            assert_true(together->covariance[i * together->n + j] ==
                        together->covariance[j * together->n + i]);
    free(together);
    free(single);
    free(other);
    free(t);
    arc_experiment_free(e);
}

static void test_correct_throws_one_by_one_are_the_batch(void **state)
{
    (void)state;
    check_batch(LINEAR_TEXT, all_known);
}

static void test_correct_parameter_without_prior_is_the_batch(void **state)
{
    (void)state;
    check_batch(LINEAR_FLAT_CD, without_cd);
}

/* Fits whose own priors were others, also none: only their data count. */
static void test_correct_priors_of_the_fits_do_not_matter(void **state)
{
    (void)state;
    double mean[SHARED], covariance[SHARED * SHARED];
    ArcExperiment *e = case_experiment(LINEAR_TEXT);
    LinearThrow *t = throws_create(3, LINEAR_FLAT_CD, without_cd, false);
    const ArcResult *results[] = {&t[0].result, &t[1].result, &t[2].result};
    ArcBelief *belief = belief_of(e);
    correct(e, 3, results, belief);
    linear_batch(3, t, all_known, mean, covariance);
    assert_true(linear_off(e, belief, mean, covariance) < 1e-9);
    free(belief);
    free(t);
    arc_experiment_free(e);
}

/* Rows that know l1 + l2 alone: of l1 - l2, scaled to the priors, nothing changes, whether the fits
 * had priors or a null direction. */
static void test_correct_untold_direction_keeps_its_prior(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const bool *has;
    } fits[] = {{LINEAR_TEXT, all_known}, {LINEAR_FLAT_LENGTHS, without_lengths}};
    double mean[SHARED], covariance[SHARED * SHARED];
    ArcExperiment *e = case_experiment(LINEAR_TEXT);
    int l1 = arc_experiment_parameter(e, "l1"), l2 = arc_experiment_parameter(e, "l2");
    for (int f = 0; f < 2; f++) {
        LinearThrow *t = throws_create(3, fits[f].text, fits[f].has, true);
        const ArcResult *results[] = {&t[0].result, &t[1].result, &t[2].result};
        ArcBelief *belief = belief_of(e);
        correct(e, 3, results, belief);
        linear_batch(3, t, all_known, mean, covariance);
        assert_true(linear_off(e, belief, mean, covariance) < 1e-9);
        /* w = l1/sd1^2 - l2/sd2^2 is independent of l1 + l2 before. */
        double w1 = 1e4, w2 = 2500.0, *C = belief->covariance;
        double variance = w1 * w1 * C[l1 * belief->n + l1] + w2 * w2 * C[l2 * belief->n + l2] -
                          2.0 * w1 * w2 * C[l1 * belief->n + l2];
        assert_near(variance / (w1 + w2), 1.0, 1e-9);
        assert_near(w1 * (belief->mean[l1] - 0.5) - w2 * (belief->mean[l2] - 0.4), 0.0, 1e-7);
        free(belief);
        free(t);
    }
    arc_experiment_free(e);
}

/* What is fixed here is taken at its value: a prior of no width. */
static void test_correct_known_parameter_conditions_the_others(void **state)
{
    (void)state;
    double mean[SHARED], covariance[SHARED * SHARED], b[SHARED] = {0};
    ArcExperiment *e =
        case_experiment(LINEAR_HEAD "parameters:\n  l2: {prior: {mean: 0.4 m, sd: 20 mm}}\n"
                                    "  offset1: {prior: {mean: 0.01 rad, sd: 0.04 rad}}\n"
                                    "  cd: {prior: {mean: 0.5, sd: 0.1}}\n");
    LinearThrow *t = throws_create(2, LINEAR_TEXT, all_known, false);
    const ArcResult *results[] = {&t[0].result, &t[1].result};
    ArcBelief *belief = belief_of(e);
    correct(e, 2, results, belief);
    linear_batch(2, t, all_known, mean, covariance);
    /* The batch given l1 = 0.5. Its prior there makes no difference then. */
    for (int i = 1; i < SHARED; i++)
        b[i] = covariance[i * SHARED] / covariance[0];
    for (int i = 1; i < SHARED; i++) {
        int at = arc_experiment_parameter(e, linear_names[i]);
        double sd = sqrt(covariance[i * SHARED + i] - b[i] * b[i] * covariance[0]);
        assert_near(belief->mean[at], mean[i] + b[i] * (0.5 - mean[0]), 1e-9 * sd);
        assert_near(sqrt(belief->covariance[at * (belief->n + 1)]), sd, 1e-9 * sd);
    }
    free(belief);
    free(t);
    arc_experiment_free(e);
}

/* Chi-square of throws that follow their model has its degrees of freedom; of one that does not,
 * not. */
static void test_change_chi2_tells_a_throw_that_is_off(void **state)
{
    (void)state;
    ArcError err;
    ArcRandom random = arc_random_create(3, ARC_STREAM_TRUTH);
    ArcExperiment *e = case_experiment(LINEAR_TEXT);
    ArcBelief *belief = belief_of(e);
    LinearThrow *t = calloc(MOST_THROWS, sizeof *t);
    ArcBeliefChange *change = malloc(sizeof *change);
    const ArcResult *results[MOST_THROWS];
    double sum = 0.0, drawn[SHARED];
    enum { WORLDS = FEWER(400, 40) };
    for (int world = 0; world < WORLDS; world++) {
        for (int j = 0; j < SHARED; j++)
            drawn[j] = linear_mean[j] + linear_sd[j] * arc_random_normal(&random);
        for (int k = 0; k < MOST_THROWS; k++) {
            linear_throw(&t[k], &random, drawn, false);
            linear_fit(&t[k], LINEAR_TEXT, all_known, false);
            results[k] = &t[k].result;
        }
        assert_int_equal(arc_belief_change(e, MOST_THROWS, results, belief, change, &err), ARC_OK);
        assert_int_equal(change->dof, MOST_THROWS * SHARED);
        sum += change->chi2;
    }
    /* n degrees of freedom have the variance 2 n. */
    assert_near(sum, WORLDS * MOST_THROWS * SHARED,
                4.0 * sqrt(2.0 * WORLDS * MOST_THROWS * SHARED));
    drawn[0] += 6.0 * linear_sd[0];
    linear_throw(&t[2], &random, drawn, false);
    linear_fit(&t[2], LINEAR_TEXT, all_known, false);
    assert_int_equal(arc_belief_change(e, MOST_THROWS, results, belief, change, &err), ARC_OK);
    assert_true(change->chi2_p < 1e-6);
    assert_int_equal(change->worst, 2);
    assert_true(change->worst_p < 1e-4);
    char *text = NULL;
    assert_int_equal(arc_belief_change_text(e, change, &text, &err), ARC_OK);
    assert_non_null(strstr(text, "corrected by 5 throws: they DO NOT AGREE with each other"));
    assert_non_null(strstr(text, "the furthest off is result 3"));
    arc_text_free(text);
    static const char *const documents[] = {"{}", "{\n  \"a\": [1, 2]\n}\n"};
    for (int i = 0; i < 2; i++) {
        json_error_t error;
        assert_int_equal(arc_belief_change_json(e, change, documents[i], &text, &err), ARC_OK);
        json_t *root = json_loads(text, 0, &error);
        if (root == NULL)
            fail_msg("%s: %s", error.text, text);
        assert_int_equal(json_object_size(root), (size_t)i + 1);
        json_t *worst = json_object_get(json_object_get(root, "correction"), "worst_result");
        assert_int_equal(json_integer_value(worst), 3);
        json_decref(root);
        arc_text_free(text);
    }
    assert_int_equal(arc_belief_change_json(e, change, "[1]", &text, &err), ARC_USAGE);
    assert_int_equal(arc_belief_change_json(e, change, "{", &text, &err), ARC_USAGE);
    free(change);
    free(t);
    free(belief);
    arc_experiment_free(e);
}

typedef struct Refusal {
    long count, refused_at;
} Refusal;

static bool refuse_one(void *context, size_t size)
{
    Refusal *refusal = context;
    (void)size;
    return ++refusal->count != refusal->refused_at;
}

/* Whichever block is refused, it is told, and what was believed stays. */
static void test_correct_exhausted_says_so(void **state)
{
    (void)state;
    ArcError err;
    ArcExperiment *e = case_experiment(LINEAR_TEXT);
    LinearThrow *t = throws_create(2, LINEAR_TEXT, all_known, false);
    const ArcResult *results[] = {&t[0].result, &t[1].result};
    ArcBelief *belief = belief_of(e), *before = belief_of(e);
    Refusal refusal = {0, 0};
    ArcStatus status = ARC_MEMORY;
    for (long at = 1; status != ARC_OK; at++) {
        refusal = (Refusal){0, at};
        arc_memory_set_hook(refuse_one, &refusal);
        status = arc_belief_correct(e, 2, results, belief, &err);
        arc_memory_set_hook(NULL, NULL);
        if (status == ARC_OK)
            assert_true(refusal.count < at);
        else
            assert_int_equal(status, ARC_MEMORY);
        if (status != ARC_OK)
            assert_memory_equal(belief, before, sizeof *belief);
    }
    assert_true(refusal.count > 10);
    free(belief);
    free(before);
    free(t);
    arc_experiment_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_experiment_priors_are_taken_unknowns_are_not),
        cmocka_unit_test(test_correct_throws_one_by_one_are_the_batch),
        cmocka_unit_test(test_correct_parameter_without_prior_is_the_batch),
        cmocka_unit_test(test_correct_priors_of_the_fits_do_not_matter),
        cmocka_unit_test(test_correct_untold_direction_keeps_its_prior),
        cmocka_unit_test(test_correct_known_parameter_conditions_the_others),
        cmocka_unit_test(test_change_chi2_tells_a_throw_that_is_off),
        cmocka_unit_test(test_correct_exhausted_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
