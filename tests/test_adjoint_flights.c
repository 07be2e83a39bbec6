/* Flights of all laws: sensitivities by transition matrices against those integrated forwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/flyer.h"
#include "fit_case.h"
#include "law_case.h"
#include "sweep.h"

#include "sim/simulator.h"

enum { TIMES = 9, MOST_D = 4, MOST_Q = ARC_FLIGHT_MAX_PARAMETERS + 2 * MOST_D, TEXT = 2048 };

static void accelerate(void *context, double t, const double *x, const double *v, const double *p,
                       double *a, double *a_x, double *a_v, double *a_p)
{
    arc_flight_acceleration(context, 1, &t, x, v, p, a, a_x, a_v, a_p);
}

static ArcExperiment *experiment_of(const LawCase *law, int d)
{
    char text[TEXT], flight[LAW_TEXT], parameters[LAW_TEXT];
    law_flight(law, d, flight);
    law_parameters(law, d, d - 1, parameters);
    snprintf(text, TEXT,
             CASE_HEAD "flight: {dimensions: %d, ball: basketball, %s}\n"
                       "parameters: {%st0: {start: -0.05}, x0: {start: 0.3}, y0: {start: 2}, %s"
                       "vx0: {start: 4}, vy0: {start: 5}%s}\n",
             d, flight, parameters, d == 2 ? "" : "z0: {start: 1}, ",
             d == 2 ? "" : ", vz0: {start: -3}");
    return case_experiment(text);
}

static void run(const ArcExperiment *experiment, ArcSimSensitivities how, double *x_q, double *v_q)
{
    const ArcFlight *flight = &experiment->flight;
    double values[ARC_MAX_PARAMETERS], x0[MOST_D], v0[MOST_D], t[TIMES];
    ArcArena *arena = arc_arena_create();
    ArcSimulator *simulator = NULL;
    ArcMotion motion = {.dimensions = flight->n_coordinates,
                        .n_parameters = flight->n_parameters,
                        .position_free = arc_flight_is_position_free(flight),
                        .context = (void *)(uintptr_t)flight,
                        .acceleration = accelerate,
                        .pulse_s = flight->settings.gust.time_s,
                        .pulse_width_s =
                            flight->settings.gust.is_on ? flight->settings.gust.width_s : 0};
    ArcSimSettings settings = {1e-14, 10000, how};
    assert_int_equal(arc_sim_create(&motion, &settings, arena, &simulator, NULL), ARC_OK);
    for (int k = 0; k < experiment->n_parameters; k++)
        values[k] = experiment->parameters[k].start;
    ArcThrow thrown = {flight, experiment->release, values};
    ArcSimStart start = {.x0 = x0, .v0 = v0, .p = values};
    arc_flyer_release(&thrown, &start.t0, x0, v0);
    start.origin = start.t0;
    for (int i = 0; i < TIMES; i++)
        t[i] = start.t0 + 0.1 * i;
    ArcSimOutput output = {.x_q = x_q, .v_q = v_q};
    assert_int_equal(arc_sim_run(simulator, &start, TIMES, t, &output, NULL), ARC_SIM_DONE);
    arc_arena_free(arena);
}

/* The largest difference, of each column's own size, or of a hundredth of a metre (a second). */
static double differ(int n, int Q, const double *a, const double *b)
{
    double worst = 0;
    for (int q = 0; q < Q; q++) {
        double size = 0.01, off = 0;
        for (int i = 0; i < n; i++) {
            size = fmax(size, fabs(b[i * Q + q]));
            off = fmax(off, fabs(a[i * Q + q] - b[i * Q + q]));
            assert_true(isfinite(a[i * Q + q]) && isfinite(b[i * Q + q]));
        }
        worst = fmax(worst, off / size);
    }
    return worst;
}

static void test_adjoint_flights_of_all_laws_are_forward(void **state)
{
    (void)state;
    static double x_q[2][TIMES * MOST_D * MOST_Q], v_q[2][TIMES * MOST_D * MOST_Q];
    double worst = 0;
    int n_compared = 0;
    for (int i = 0; i < 3 * LAW_DRAGS * LAW_LIFTS; i++) {
        LawCase law = law_case(i);
        char name[LAW_NAME];
        law_name(&law, name);
        ArcExperiment *experiment = experiment_of(&law, 2 + i % 2);
        int D = experiment->flight.n_coordinates, P = experiment->flight.n_parameters;
        if (P > 0) {
            run(experiment, ARC_SIM_FORWARD, x_q[0], v_q[0]);
            run(experiment, ARC_SIM_ADJOINT, x_q[1], v_q[1]);
            double off = fmax(differ(TIMES * D, P + 2 * D, x_q[1], x_q[0]),
                              differ(TIMES * D, P + 2 * D, v_q[1], v_q[0]));
            if (!(off < 1e-10))
                fail_msg("%s: apart by %g", name, off);
            worst = fmax(worst, off);
            n_compared++;
        }
        arc_experiment_free(experiment);
    }
    print_message("%d flights: apart by at most %.1e\n", n_compared, worst);
    assert_true(n_compared > 100 && worst > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adjoint_flights_of_all_laws_are_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
