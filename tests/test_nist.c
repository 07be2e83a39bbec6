/* The 27 nonlinear regressions that NIST certified to 11 digits, from both starts.
 *
 * A result's digits are the least log relative error of its parameters, -log10(|b - c| / |c|), at
 * most 11; its sd digits those of sd = residual sd * sqrt(diagonal of inverse(J'J)). With
 * ARCFIT_TEST_VERBOSE set a line for every run is printed. */
#include "shared_folder.h"

#include "nist_models.h"
#include "solve/least_squares.h"
#include "solve/posterior.h"
#include "sweep.h"

#include <float.h>
#include <string.h>

enum { MAX_ROWS = 300, MAX_PARAMETERS = 9, LONGEST = 2000 };

typedef struct Regression {
    const NistModel *model;
    int m;
    double y[MAX_ROWS], x[MAX_ROWS][2];
    double start[2][MAX_PARAMETERS], certified[MAX_PARAMETERS], sd[MAX_PARAMETERS];
} Regression;

/* Parameters stand from line 41 on (start 1, start 2, certified, sd), data from line 61 on. */
static void read_regression(const NistModel *model, Regression *regression)
{
    char path[1024], name[64], line[256];
    snprintf(name, sizeof name, "nist/%s.dat", model->name);
    FILE *file = fopen(shared_path(path, name), "r");
    if (file == NULL)
        fail_msg("cannot open %s", path);
    *regression = (Regression){.model = model};
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        int j = number - 41;
        if (j >= 0 && j < model->n) {
            char *equals = strchr(line, '=');
            assert_non_null(equals);
            assert_int_equal(sscanf(equals + 1, "%lf %lf %lf %lf", &regression->start[0][j],
                                    &regression->start[1][j], &regression->certified[j],
                                    &regression->sd[j]),
                             4);
        }
        double *x = regression->x[regression->m];
        if (number < 61 || sscanf(line, "%lf %lf %lf", &regression->y[regression->m], x, x + 1) < 2)
            continue;
        assert_true(regression->m < MAX_ROWS - 1);
        if (model->log_response)
            regression->y[regression->m] = log(regression->y[regression->m]);
        regression->m++;
    }
    fclose(file);
    assert_true(regression->m > model->n);
}

static bool evaluate(void *context, const double *b, double *r, double *J)
{
    const Regression *regression = context;
    size_t m = (size_t)regression->m;
    double sum = 0.0, g[MAX_PARAMETERS];
    for (size_t i = 0; i < m; i++) {
        r[i] = regression->model->function(b, regression->x[i], g) - regression->y[i];
        sum += 0.0 * r[i];
        for (int j = 0; J != NULL && j < regression->model->n; j++) {
            J[i + (size_t)j * m] = g[j];
            sum += 0.0 * g[j];
        }
    }
    return sum == 0.0;
}

static double digits(double value, double certified)
{
    double share = fabs(value - certified) / fabs(certified);
    return isnan(share) ? 0.0 : fmin(11.0, fmax(0.0, -log10(fmax(share, DBL_MIN))));
}

typedef struct Outcome {
    ArcLeastSquaresResult result;
    double digits, sd_digits;
} Outcome;

static Outcome fit(Regression *regression, int start)
{
    int n = regression->model->n, m = regression->m;
    ArcObjective objective = {.m = m, .n_outer = n, .context = regression, .evaluate = evaluate};
    ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
    settings.max_iterations = LONGEST;
    settings.tolerance = 0.0;
    settings.relative_tolerance = 1e-14;
    ArcArena *arena = arc_arena_create();
    ArcLeastSquares *solver = NULL;
    assert_int_equal(
        arc_least_squares_create(&objective, &settings, NULL, NULL, arena, &solver, NULL), ARC_OK);
    double b[MAX_PARAMETERS];
    memcpy(b, regression->start[start], sizeof b);
    Outcome outcome = {.result = arc_least_squares_run(solver, b), .digits = 11.0};
    for (int j = 0; j < n; j++)
        outcome.digits = fmin(outcome.digits, digits(b[j], regression->certified[j]));
    ArcPosterior posterior;
    assert_int_equal(
        arc_posterior_create(n, arc_least_squares_factor(solver), arena, &posterior, NULL), ARC_OK);
    double residual_sd = sqrt(2.0 * outcome.result.cost / (m - n));
    outcome.sd_digits = 11.0;
    for (int j = 0; j < n; j++) {
        double sd = residual_sd * sqrt(posterior.covariance[j * (n + 1)]);
        outcome.sd_digits = fmin(outcome.sd_digits, digits(sd, regression->sd[j]));
    }
    arc_arena_free(arena);
    return outcome;
}

static void test_least_squares_run_nist(void **state)
{
    (void)state;
    static Regression regression;
    for (int k = 0; k < N_NIST_MODELS; k++) {
        read_regression(&nist_models[k], &regression);
        for (int start = 0; start < 2; start++) {
            Outcome o = fit(&regression, start);
            print_message(
                "%-10s start %d: %5.1f digits, sd %5.1f, %4d iterations, %4d evaluations, %s\n",
                nist_models[k].name, start + 1, o.digits, o.sd_digits, o.result.iterations,
                o.result.evaluations, arc_stop_text(o.result.stop));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_least_squares_run_nist)};
    return cmocka_run_group_tests_name("nist", tests, NULL, NULL);
}
