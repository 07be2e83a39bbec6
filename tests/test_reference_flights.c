/* A basketball free throw, against numbers of an independent integration: the release speed that
 * hits the middle of the rim and the angle of entry, law by law, and how far a law left out moves
 * the ball. Release at 7 ft and 52 deg, rim at 10 ft, 4.191 m away; 0.62 kg, 0.24 m, cd 0.5, air of
 * 20 degC, 101325 Pa and 50 %. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/flyer.h"

#include <math.h>

static const double release_m[2] = {0, 2.1336}, rim_m[2] = {4.191, 3.048}, spin_hz = -3;

static double angle_rad(void)
{
    return 52 * M_PI / 180;
}

static ArcFlight flight_of(ArcDrag drag, bool buoyancy, ArcLift lift)
{
    ArcFlightSettings settings = arc_flight_settings_default();
    ArcFlight flight;
    ArcError err = {0};
    settings.has_ball = true;
    settings.ball = *arc_ball_find("basketball");
    settings.drag = drag;
    settings.buoyancy = buoyancy;
    settings.lift = lift;
    if (arc_flight_create(&settings, &flight, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return flight;
}

/* State at t with its partials by the release speed. */
typedef struct Flown {
    double x[2], v[2], x_speed[2];
} Flown;

static Flown fly(const ArcFlight *flight, double speed, double t)
{
    Flown flown;
    ArcArena *arena = arc_arena_create();
    ArcFlyer *flyer = NULL;
    assert_int_equal(arc_flyer_create(flight, 1e-12, arena, &flyer, NULL), ARC_OK);
    double values[9] = {0}, x_q[2 * 8], v_q[2 * 8], row[9];
    int P = flight->n_parameters, Q = P + 4, n = 0;
    if (flight->n_drag > 0)
        values[n++] = 0.5;
    if (flight->has_rotation)
        values[n++] = 2 * M_PI * spin_hz;
    assert_int_equal(n, P);
    values[P + 1] = release_m[0];
    values[P + 2] = release_m[1];
    values[P + 3] = speed;
    values[P + 4] = angle_rad();
    ArcThrow thrown = {flight, ARC_RELEASE_POLAR, values};
    ArcSimOutput output = {.x = flown.x, .v = flown.v, .x_q = x_q, .v_q = v_q};
    assert_true(arc_flyer_run(flyer, &thrown, 1, &t, &output));
    for (int e = 0; e < 2; e++) {
        arc_flyer_chain(&thrown, 0, x_q + e * Q, flown.v[e], row);
        flown.x_speed[e] = row[P + 3];
    }
    arc_arena_free(arena);
    return flown;
}

/* Release speed and time by Newton's method, from the vacuum's. */
static Flown hit_rim(const ArcFlight *flight, double *speed, double *t)
{
    Flown flown = {0};
    *speed = 7.2;
    *t = 0.97;
    for (int i = 0; i < 20; i++) {
        flown = fly(flight, *speed, *t);
        double miss[2] = {rim_m[0] - flown.x[0], rim_m[1] - flown.x[1]};
        double det = flown.x_speed[0] * flown.v[1] - flown.x_speed[1] * flown.v[0];
        *speed += (miss[0] * flown.v[1] - miss[1] * flown.v[0]) / det;
        *t += (flown.x_speed[0] * miss[1] - flown.x_speed[1] * miss[0]) / det;
    }
    flown = fly(flight, *speed, *t);
    assert_true(fabs(flown.x[0] - rim_m[0]) < 1e-10 && fabs(flown.x[1] - rim_m[1]) < 1e-10);
    return flown;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.8g is not %.8g", value, expected);
}

static void test_flyer_free_throw_speeds_and_entry_angles(void **state)
{
    (void)state;
    static const struct {
        ArcDrag drag;
        bool buoyancy;
        ArcLift lift;
        double speed_m_s, speed_digit, entry_deg, entry_digit, time_s;
    } rows[] = {
        {ARC_DRAG_NONE, false, ARC_LIFT_NONE, 7.1458, 5e-5, 40.15, 5e-3, 0.953},
        {ARC_DRAG_QUADRATIC, false, ARC_LIFT_NONE, 7.4424, 5e-5, 42.6, 5e-2, 0.969},
        {ARC_DRAG_QUADRATIC, true, ARC_LIFT_NONE, 7.3901, 5e-5, 42.6, 5e-2, 0.976},
        {ARC_DRAG_QUADRATIC, true, ARC_LIFT_RATIONAL, 7.3516, 5e-5, 43.2, 5e-2, 0.997},
        {ARC_DRAG_QUADRATIC, true, ARC_LIFT_NATHAN, 7.3421, 5e-5, 43.5, 5e-2, 1.004},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcFlight flight = flight_of(rows[i].drag, rows[i].buoyancy, rows[i].lift);
        double speed, t;
        Flown flown = hit_rim(&flight, &speed, &t);
        print_message("%.5f m/s, entry %.3f deg, %.4f s\n", speed,
                      atan2(-flown.v[1], flown.v[0]) * 180 / M_PI, t);
        assert_near(speed, rows[i].speed_m_s, rows[i].speed_digit);
        assert_near(atan2(-flown.v[1], flown.v[0]) * 180 / M_PI, rows[i].entry_deg,
                    rows[i].entry_digit);
        assert_near(t, rows[i].time_s, 5e-4);
    }
}

/* Where a flight of this speed comes down to the rim's height. */
static double landing_m(const ArcFlight *flight, double speed)
{
    double t = 1;
    for (int i = 0; i < 20; i++) {
        Flown flown = fly(flight, speed, t);
        t -= (flown.x[1] - rim_m[1]) / flown.v[1];
    }
    return fly(flight, speed, t).x[0];
}

static void test_flyer_free_throw_law_left_out_moves_the_landing(void **state)
{
    (void)state;
    ArcFlight full = flight_of(ARC_DRAG_QUADRATIC, true, ARC_LIFT_RATIONAL);
    ArcFlight no_drag = flight_of(ARC_DRAG_NONE, true, ARC_LIFT_RATIONAL);
    ArcFlight no_buoyancy = flight_of(ARC_DRAG_QUADRATIC, false, ARC_LIFT_RATIONAL);
    ArcFlight no_lift = flight_of(ARC_DRAG_QUADRATIC, true, ARC_LIFT_NONE);
    double speed, t;
    hit_rim(&full, &speed, &t);
    print_message("%.2f %.2f %.2f mm\n", 1e3 * (landing_m(&no_drag, speed) - rim_m[0]),
                  1e3 * (landing_m(&no_buoyancy, speed) - rim_m[0]),
                  1e3 * (landing_m(&no_lift, speed) - rim_m[0]));
    assert_near(landing_m(&no_drag, speed) - rim_m[0], 0.451, 5e-4);
    assert_near(landing_m(&no_buoyancy, speed) - rim_m[0], -0.067, 5e-4);
    assert_near(landing_m(&no_lift, speed) - rim_m[0], -0.050, 5e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flyer_free_throw_speeds_and_entry_angles),
        cmocka_unit_test(test_flyer_free_throw_law_left_out_moves_the_landing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
