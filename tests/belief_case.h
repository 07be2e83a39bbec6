/* Throws of a linear world for the tests of beliefs: results made by hand, of fits that are known
 * in closed form, and the batch of all throws beside them. Include after cmocka.h. */
#ifndef BELIEF_CASE_H
#define BELIEF_CASE_H

#include "arcfit/belief.h"
#include "base/random.h"
#include "fit_case.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Shared: l1, l2, offset1, cd; own: theta1, theta2. */
enum { SHARED = 4, OWN = 2, UNKNOWNS = SHARED + OWN, ROWS = 7, MOST_THROWS = 5 };
enum { MOST_BATCH = SHARED + OWN * MOST_THROWS };

static const char *const linear_names[UNKNOWNS] = {"l1", "l2", "offset1", "cd", "theta1", "theta2"};
static const char *const linear_units[UNKNOWNS] = {"m", "m", "rad", "1", "rad", "rad"};
static const double linear_mean[SHARED] = {0.5, 0.4, 0.01, 0.5};
static const double linear_sd[SHARED] = {0.01, 0.02, 0.04, 0.1};

#define LINEAR_HEAD                                                                                \
    "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\n"                                          \
    "flight: {dimensions: 2, ball: basketball, drag: quadratic}\nrelease: arm\n"                   \
    "arm: {encoders: true, joints: [{length: 0.5 m}, {length: 0.4 m}], base: [0 m, 1.4 m]}\n"
#define LINEAR_TEXT                                                                                \
    LINEAR_HEAD "parameters:\n  l1: {prior: {mean: 0.5 m, sd: 10 mm}}\n"                           \
                "  l2: {prior: {mean: 0.4 m, sd: 20 mm}}\n"                                        \
                "  offset1: {prior: {mean: 0.01 rad, sd: 0.04 rad}}\n"                             \
                "  cd: {prior: {mean: 0.5, sd: 0.1}}\n"
/* The same but for what is known of cd, or of the lengths: nothing. */
#define LINEAR_FLAT_CD                                                                             \
    LINEAR_HEAD "parameters:\n  l1: {prior: {mean: 0.5 m, sd: 10 mm}}\n"                           \
                "  l2: {prior: {mean: 0.4 m, sd: 20 mm}}\n"                                        \
                "  offset1: {prior: {mean: 0.01 rad, sd: 0.04 rad}}\n"                             \
                "  cd: free\n"
#define LINEAR_FLAT_LENGTHS                                                                        \
    LINEAR_HEAD "parameters:\n  l1: free\n  l2: free\n"                                            \
                "  offset1: {prior: {mean: 0.01 rad, sd: 0.04 rad}}\n"                             \
                "  cd: {prior: {mean: 0.5, sd: 0.1}}\n"

/* Rows of a throw in its unknowns, of noise one: M (ROWS, UNKNOWNS) row-major, y. */
typedef struct LinearThrow {
    double M[ROWS * UNKNOWNS], y[ROWS];
    double covariance[UNKNOWNS * UNKNOWNS], null[UNKNOWNS];
    ArcEstimate estimates[UNKNOWNS];
    ArcFit fit;
    ArcResult result;
} LinearThrow;

/* Sizes of the unknowns, by which rows tell a few times more than priors. */
static inline double linear_size(int j)
{
    return j < SHARED ? linear_sd[j] : 0.05;
}

static inline void linear_invert(int n, double *A)
{
    assert_int_equal(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, A, n), 0);
    assert_int_equal(LAPACKE_dpotri(LAPACK_ROW_MAJOR, 'L', n, A, n), 0);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            A[i * n + j] = A[j * n + i];
}

/* A truth within the priors, seen through random rows. only_sum: of the lengths the rows know
 * l1 + l2 alone. */
static inline void linear_throw(LinearThrow *t, ArcRandom *random, const double *truth,
                                bool only_sum)
{
    for (int i = 0; i < ROWS; i++) {
        t->y[i] = arc_random_normal(random);
        for (int j = 0; j < UNKNOWNS; j++) {
            double *m = &t->M[i * UNKNOWNS + j];
            *m = 2.0 * arc_random_normal(random) / linear_size(j);
            if (only_sum && j == 1)
                *m = m[-1];
            t->y[i] += *m * (j < SHARED ? truth[j] : 0.3 + 0.1 * j);
        }
    }
}

/* Precision and its product with the mean of the priors that has names, into A (n, n) and b. */
static inline void linear_add_priors(int n, const bool *has, double *A, double *b)
{
    for (int j = 0; j < SHARED; j++) {
        double weight = has[j] ? pow(linear_sd[j], -2) : 0.0;
        A[j * n + j] += weight;
        b[j] += weight * linear_mean[j];
    }
}

/* The rows of a throw, whose own unknowns stand from `own` on. */
static inline void linear_add_rows(const LinearThrow *t, int n, int own, double *A, double *b)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < UNKNOWNS; j++) {
            int at_j = j < SHARED ? j : own + j - SHARED;
            b[at_j] += t->M[i * UNKNOWNS + j] * t->y[i];
            for (int k = 0; k < UNKNOWNS; k++)
                A[at_j * n + (k < SHARED ? k : own + k - SHARED)] +=
                    t->M[i * UNKNOWNS + j] * t->M[i * UNKNOWNS + k];
        }
}

/* As a fit of the text gives it. Where lengths have no prior and the rows their sum alone, l1 - l2
 * is a null direction, held at zero difference from the start here. */
static inline void linear_fit(LinearThrow *t, const char *text, const bool *has, bool only_sum)
{
    double b[UNKNOWNS] = {0}, *C = t->covariance;
    bool is_null = only_sum && !has[0];
    memset(C, 0, sizeof t->covariance);
    linear_add_priors(UNKNOWNS, has, C, b);
    linear_add_rows(t, UNKNOWNS, SHARED, C, b);
    /* Any generalised inverse will do: one with a weight on the null direction. */
    double weight = is_null ? 1e3 : 0.0;
    C[0] += weight;
    C[1] -= weight;
    C[UNKNOWNS] -= weight;
    C[UNKNOWNS + 1] += weight;
    linear_invert(UNKNOWNS, C);
    for (int j = 0; j < UNKNOWNS; j++) {
        double value = 0.0;
        for (int k = 0; k < UNKNOWNS; k++)
            value += C[j * UNKNOWNS + k] * b[k];
        t->estimates[j] = (ArcEstimate){.name = linear_names[j],
                                        .unit = linear_units[j],
                                        .value = value,
                                        .status = ARC_PARAMETER_FREE,
                                        .free_index = j};
    }
    t->null[0] = 0.01;
    t->null[1] = -0.01;
    t->fit = (ArcFit){.method = ARC_DIRECT,
                      .converged = true,
                      .n_parameters = UNKNOWNS,
                      .parameters = t->estimates,
                      .n_free = UNKNOWNS,
                      .covariance = C,
                      .n_unidentified = is_null,
                      .null_directions = t->null};
    t->result = (ArcResult){
        .experiment_path = "case.yaml", .experiment_text = text, .n_fits = 1, .fits = {&t->fit}};
}

/* All throws in one: the shared ones' mean and covariance (SHARED, SHARED). */
static inline void linear_batch(int n_throws, const LinearThrow *t, const bool *has, double *mean,
                                double *covariance)
{
    double A[MOST_BATCH * MOST_BATCH] = {0}, b[MOST_BATCH] = {0};
    int n = SHARED + OWN * n_throws;
    linear_add_priors(n, has, A, b);
    for (int k = 0; k < n_throws; k++)
        linear_add_rows(&t[k], n, SHARED + OWN * k, A, b);
    linear_invert(n, A);
    for (int i = 0; i < SHARED; i++) {
        mean[i] = 0.0;
        for (int k = 0; k < n; k++)
            mean[i] += A[i * n + k] * b[k];
        for (int j = 0; j < SHARED; j++)
            covariance[i * SHARED + j] = A[i * n + j];
    }
}

/* Largest difference of a belief from that, in its sds and its covariance's size. */
static inline double linear_off(const ArcExperiment *experiment, const ArcBelief *belief,
                                const double *mean, const double *covariance)
{
    double off = 0.0;
    int at[SHARED];
    for (int i = 0; i < SHARED; i++)
        at[i] = arc_experiment_parameter(experiment, linear_names[i]);
    for (int i = 0; i < SHARED; i++) {
        double sd = sqrt(covariance[i * SHARED + i]);
        off = fmax(off, fabs(belief->mean[at[i]] - mean[i]) / sd);
        for (int j = 0; j < SHARED; j++)
            off = fmax(off, fabs(belief->covariance[at[i] * belief->n + at[j]] -
                                 covariance[i * SHARED + j]) /
                                (sd * sqrt(covariance[j * SHARED + j])));
    }
    return off;
}

#endif
