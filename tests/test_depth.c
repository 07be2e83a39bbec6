/* When a view is said not to tell the distance, by covariances made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/depth.h"
#include "view_case.h"

#include <math.h>
#include <string.h>

static const char seen_text[] =
    CAMERA_ONE CAMERA_BALL "parameters: {cd: {start: 0.5, prior: {mean: 0.5, sd: 0.03}}, "
                           "gravity: {start: 9.8}, " CAMERA_THROW "}\n";

enum { CD, GRAVITY, X0, Y0, Z0, VX0, VY0, VZ0, N_FREE };

/* What goes with a metre of y0, straight away from the camera, and each one's own sd. */
static const double with_y0[N_FREE] = {0.001, 1.6, 0.05, 1.0, 0.001, 0.75, 0.02, 0.95};
static const double own_sd[N_FREE] = {0.03, 0.02, 0.004, 0.003, 0.002, 0.01, 0.03, 0.01};

typedef struct Case {
    ArcCapture *capture;
    ArcProblem *problem;
    ArcArena *arena;
    ArcPosterior posterior;
    double before[N_FREE * N_FREE];
} Case;

/* C = diag(own^2) + depth^2 w w'. */
static Case make_case(const char *text, double depth_sd_m)
{
    Case c = {.capture = camera_capture(seen_text, 30, 1.0, 3), .arena = arc_arena_create()};
    c.problem = case_problem(text, c.capture);
    assert_int_equal(c.problem->n_free, N_FREE);
    c.posterior = (ArcPosterior){.n = N_FREE,
                                 .covariance = ARC_ALLOC(c.arena, N_FREE * N_FREE, double),
                                 .identified = ARC_ALLOC(c.arena, N_FREE, bool),
                                 .null = ARC_ALLOC(c.arena, N_FREE, double),
                                 .scale = ARC_ALLOC(c.arena, N_FREE, double)};
    for (int i = 0; i < N_FREE; i++) {
        c.posterior.identified[i] = true;
        c.posterior.scale[i] = own_sd[i];
        for (int j = 0; j < N_FREE; j++)
            c.posterior.covariance[i * N_FREE + j] =
                depth_sd_m * depth_sd_m * with_y0[i] * with_y0[j] +
                (i == j ? own_sd[i] * own_sd[i] : 0.0);
    }
    memcpy(c.before, c.posterior.covariance, sizeof c.before);
    return c;
}

static void free_case(Case *c)
{
    arc_arena_free(c->arena);
    arc_problem_free(c->problem);
    arc_capture_free(c->capture);
}

static ArcDepth judge(Case *c, double y0_m)
{
    ArcError err;
    ArcDepth depth;
    double values[ARC_MAX_PARAMETERS];
    memcpy(values, c->problem->start, sizeof(double) * (size_t)c->problem->n_parameters);
    double *release = values + c->problem->t0_index + 1;
    release[0] = 2.5; /* straight before the camera, which stands at (2.5, -6, 2) */
    release[1] = y0_m;
    release[2] = 2.0;
    assert_int_equal(arc_depth_judge(c->problem, values, c->arena, &c->posterior, &depth, &err),
                     ARC_OK);
    return depth;
}

static void test_judge_unknown_depth_takes_the_direction_out(void **state)
{
    (void)state;
    Case c = make_case(seen_text, 1.5);
    ArcDepth depth = judge(&c, 0.0);
    assert_true(depth.is_unknown);
    assert_true(fabs(depth.distance_m - 6.0) < 1e-9);
    assert_true(fabs(depth.sd_m - sqrt(1.5 * 1.5 + 9e-6)) < 1e-9);
    static const bool expected[N_FREE] = {
        [GRAVITY] = true, [X0] = true, [Y0] = true, [VX0] = true, [VZ0] = true};
    assert_int_equal(c.posterior.n_null, 1);
    for (int i = 0; i < N_FREE; i++) {
        const double *C = c.posterior.covariance;
        assert_int_equal(depth.with[i], expected[i]);
        assert_int_equal(c.posterior.identified[i], !expected[i]);
        /* Left: its own scatter, and of the others all. */
        double left = sqrt(C[i * (N_FREE + 1)]);
        double all = sqrt(c.before[i * (N_FREE + 1)]);
        if (i != Y0) /* all of y0's goes with the distance */
            assert_true(fabs(left / (expected[i] ? own_sd[i] : all) - 1.0) < 0.05);
        for (int j = 0; j < N_FREE; j++) {
            assert_true(fabs(C[i * N_FREE + j] - C[j * N_FREE + i]) < 1e-15);
            if (!expected[i] && !expected[j])
                assert_true(C[i * N_FREE + j] == c.before[i * N_FREE + j]);
        }
    }
    /* In unscaled unknowns it is what goes with y0. */
    const double *null = c.posterior.null;
    double per_m = 1.0 / (null[Y0] * c.posterior.scale[Y0]), length = 0.0;
    for (int i = 0; i < N_FREE; i++) {
        length += null[i] * null[i];
        double expected_i = expected[i] ? with_y0[i] : 0.0;
        assert_true(fabs(null[i] * c.posterior.scale[i] * per_m - expected_i) < 1e-5);
    }
    assert_true(fabs(length - 1.0) < 1e-12);
    free_case(&c);
}

/* The same sd is little of a longer way. */
static void test_judge_known_depth_changes_nothing(void **state)
{
    (void)state;
    static const double sds_m[] = {0.85, 1.5}, places_m[] = {0.0, 6.0};
    for (int i = 0; i < 2; i++) {
        Case c = make_case(seen_text, sds_m[i]);
        assert_false(judge(&c, places_m[i]).is_unknown);
        assert_int_equal(c.posterior.n_null, 0);
        assert_memory_equal(c.posterior.covariance, c.before, sizeof c.before);
        free_case(&c);
    }
    Case c = make_case(seen_text, 0.95);
    assert_true(judge(&c, 0.0).is_unknown);
    free_case(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judge_unknown_depth_takes_the_direction_out),
        cmocka_unit_test(test_judge_known_depth_changes_nothing),
    };
    return cmocka_run_group_tests_name("depth", tests, NULL, NULL);
}
