/* The search of a closure before a fit: its end where it does not arrive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/simulate.h"
#include "fit/closure_search.h"
#include "model_case.h"
#include "system_case.h"

/* A swing from a far start, of which shooting finds no valley: rounds end, and so do the fits,
 * which say that they have not arrived. */
static void test_a_search_that_does_not_arrive_has_an_end(void **state)
{
    (void)state;
    static const char pendulum[] = "arcfit: 1\nmodel: {plugin: experiments/models/pendulum.c}\n"
                                   "capture: {file: none.csv, sigma: {theta: 0.1 deg}}\n";
    char text[512];
    snprintf(text, sizeof text,
             "%sparameters: {length: {start: 0.82}, friction: 0.3, drag: 0.1, "
             "theta0: {start: 1.745}, vtheta0: {start: 0}}\n",
             pendulum);
    ArcCapture *capture = system_capture_over(text, 60, 119 / 30.0, 0x1, 1.0, 94);
    snprintf(text, sizeof text,
             "%sclosure: {inputs: [vtheta], outputs: acceleration}\n"
             "parameters: {length: {start: 1, bounds: [0.1, 3]}, friction: 0, drag: 0}\n",
             pendulum);
    ArcError err;
    ArcJoint *joint = NULL;
    ArcExperiment *experiment = model_experiment(text);
    const ArcCapture *captures[] = {capture};
    if (arc_joint_create(experiment, 1, captures, &joint, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(arc_closure_search(joint, NULL, &err), ARC_OK);
    assert_true(joint->found->is_lost);
    for (int i = 0; i < 2; i++) {
        ArcJointRun run;
        ArcArena *arena = arc_arena_create();
        ArcMethod method = i == 0 ? ARC_DIRECT : ARC_PINN;
        assert_int_equal(arc_joint_run_create(joint, method, NULL, arena, &run, &err), ARC_OK);
        int most = run.settings.max_iterations;
        assert_int_equal(arc_joint_run_take(&run, &err), ARC_OK);
        assert_true(5 * run.settings.max_iterations <= most);
        arc_joint_run_free(&run);
        arc_arena_free(arena);
    }
    arc_joint_free(joint);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_search_that_does_not_arrive_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, model_clear);
}
