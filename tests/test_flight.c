/* Flight model: every law against its formula as written in flight.h, every partial against central
 * differences, invariants, limits. */
#include "flight_case.h"

/* A point's acceleration with all partials. */
typedef struct Partials {
    double a[MAX_D], a_x[MAX_D * MAX_D], a_v[MAX_D * MAX_D], a_p[MAX_D * MAX_P];
} Partials;

static Partials partials_of(const ArcFlight *flight, const FlightPoint *at, const double *p)
{
    Partials made;
    memset(&made, 0xff, sizeof made); /* not a number where nothing is written */
    arc_flight_acceleration(flight, 1, &at->t, at->x, at->v, p, made.a, made.a_x, made.a_v,
                            made.a_p);
    return made;
}

static void check_formula(const ArcFlight *flight, const double *p)
{
    if (flight->settings.drag == ARC_DRAG_TABLE || flight->settings.lift == ARC_LIFT_TABLE)
        return;
    /* the corner that sawicki's law rounds */
    double tolerance = flight->settings.lift == ARC_LIFT_SAWICKI ? 0.04 : 1e-12;
    for (int i = 0; i < N_STATES; i++) {
        FlightPoint at = point_of(flight, i);
        double a[MAX_D], expected[MAX_D];
        accelerate(flight, &at, p, a);
        formula(flight, &at, p, expected);
        for (int e = 0; e < flight->n_coordinates; e++)
            assert_true(fabs(a[e] - expected[e]) <= tolerance * (1 + fabs(expected[e])));
    }
}

static void test_flight_acceleration_all_laws_follow_their_formula(void **state)
{
    (void)state;
    for_all_cases(check_formula);
}

/* Compares one analytic column (D numbers, stride apart) with central differences in *variable over
 * a sweep of steps: close at the best step, and not the same bits at all of them; where the column
 * is zero, nothing moves. */
static void check_column(const ArcFlight *flight, FlightPoint *at, double *p, double *variable,
                         const double *column, int stride)
{
    int D = flight->n_coordinates;
    double size = 0, best = INFINITY, start = *variable;
    bool all_equal = true;
    for (int e = 0; e < D; e++) {
        assert_true(isfinite(column[e * stride]));
        size = fmax(size, fabs(column[e * stride]));
    }
    for (double step = 0.03 * fmin(1, fabs(start) + 1e-2); step > 1e-7; step *= 0.3) {
        double forth[MAX_D], back[MAX_D], worst = 0;
        *variable = start + step;
        accelerate(flight, at, p, forth);
        *variable = start - step;
        accelerate(flight, at, p, back);
        *variable = start;
        for (int e = 0; e < D; e++) {
            double difference = (forth[e] - back[e]) / (2 * step);
            if (size == 0 && !(fabs(forth[e] - back[e]) <= 1e-13 * (10 + fabs(forth[e]))))
                fail_msg("drag %d lift %d decay %d d %d: %g moves by %g, not 0",
                         flight->settings.drag, flight->settings.lift, flight->settings.spin_decay,
                         flight->settings.dimensions, start, forth[e] - back[e]);
            worst = fmax(worst, fabs(difference - column[e * stride]));
            all_equal = all_equal && difference == column[e * stride];
        }
        best = fmin(best, worst);
    }
    if (size == 0)
        return;
    if (!(best < 5e-8 * size + 1e-10))
        fail_msg("drag %d lift %d decay %d d %d: %g of %g", flight->settings.drag,
                 flight->settings.lift, flight->settings.spin_decay, flight->settings.dimensions,
                 best, size);
    assert_false(all_equal);
}

static void check_partials(const ArcFlight *flight, const double *p_given)
{
    int D = flight->n_coordinates, P = flight->n_parameters;
    for (int i = 0; i < N_STATES; i++) {
        FlightPoint at = point_of(flight, i);
        double p[MAX_P];
        memcpy(p, p_given, sizeof p);
        Partials made = partials_of(flight, &at, p);
        for (int c = 0; c < D; c++) {
            check_column(flight, &at, p, &at.x[c], made.a_x + c, D);
            check_column(flight, &at, p, &at.v[c], made.a_v + c, D);
        }
        for (int c = 0; c < P; c++)
            check_column(flight, &at, p, &p[c], made.a_p + c, P);
        for (int c = 0; arc_flight_is_position_free(flight) && c < D * D; c++)
            assert_true(made.a_x[c] == 0);
    }
}

static void test_flight_acceleration_all_partials_are_the_derivatives(void **state)
{
    (void)state;
    for_all_cases(check_partials);
}

/* Partials that no law leaves out are not zero: a forgotten column would be. */
static void check_columns_move(const ArcFlight *flight, const double *p)
{
    const ArcFlightSettings *s = &flight->settings;
    int d = s->dimensions, D = flight->n_coordinates, P = flight->n_parameters;
    /* the constant law feels only the direction of the rotation, which the plane holds */
    bool feels_size = s->drag == ARC_DRAG_SPIN_DEPENDENT ||
                      (s->lift != ARC_LIFT_NONE && s->lift != ARC_LIFT_CONSTANT);
    FlightPoint at = point_of(flight, 0);
    Partials made = partials_of(flight, &at, p);
    for (int c = 0; c < P; c++) {
        bool is_spin = c >= flight->n_drag + flight->n_lift;
        bool is_gravity = c >= flight->gravity_index;
        bool is_decay = c >= flight->n_drag + flight->n_lift + (d == 2 ? 1 : 3);
        bool is_bounce = s->bounce.is_on && c >= flight->bounce_index;
        bool is_zero = is_bounce || (!is_gravity && is_spin && !feels_size && (d == 2 || is_decay));
        double size = 0;
        for (int e = 0; e < D; e++)
            size = fmax(size, fabs(made.a_p[e * P + c]));
        assert_true((size > 0) != is_zero);
    }
    double by_path = D > d ? fabs(made.a_v[d]) + fabs(made.a_v[D + d]) : 0;
    assert_true((by_path > 0) == (D > d && feels_size));
    double by_height = fabs(made.a_x[s->up]) + fabs(made.a_x[D + s->up]);
    assert_true((by_height > 0) ==
                (s->shear.is_on && (s->drag != ARC_DRAG_NONE || s->lift != ARC_LIFT_NONE)));
}

static void test_flight_acceleration_columns_are_zero_only_where_the_law_says_so(void **state)
{
    (void)state;
    for_all_cases(check_columns_move);
}

static void check_batch(const ArcFlight *flight, const double *p)
{
    int D = flight->n_coordinates, P = flight->n_parameters;
    double x[N_STATES * MAX_D], v[N_STATES * MAX_D], a[N_STATES * MAX_D], alone[N_STATES * MAX_D];
    double a_x[N_STATES * MAX_D * MAX_D], a_v[N_STATES * MAX_D * MAX_D];
    double a_p[N_STATES * MAX_D * MAX_P];
    for (int i = 0; i < N_STATES; i++) {
        FlightPoint at = point_of(flight, i);
        memcpy(x + i * D, at.x, (size_t)D * sizeof(double));
        memcpy(v + i * D, at.v, (size_t)D * sizeof(double));
    }
    arc_flight_acceleration(flight, N_STATES, TIMES, x, v, p, a, a_x, a_v, a_p);
    arc_flight_acceleration(flight, N_STATES, TIMES, x, v, p, alone, NULL, NULL, NULL);
    assert_memory_equal(a, alone, (size_t)(N_STATES * D) * sizeof(double));
    for (int i = 0; i < N_STATES; i++) {
        FlightPoint at = point_of(flight, i);
        Partials one = partials_of(flight, &at, p);
        assert_memory_equal(one.a, a + i * D, (size_t)D * sizeof(double));
        assert_memory_equal(one.a_x, a_x + i * D * D, (size_t)(D * D) * sizeof(double));
        assert_memory_equal(one.a_v, a_v + i * D * D, (size_t)(D * D) * sizeof(double));
        if (P > 0)
            assert_memory_equal(one.a_p, a_p + i * D * P, (size_t)(D * P) * sizeof(double));
    }
}

static void test_flight_acceleration_batch_gives_the_bits_of_single_states(void **state)
{
    (void)state;
    for_all_cases(check_batch);
}

static void check_no_work(const ArcFlight *flight, const double *p)
{
    int d = flight->settings.dimensions;
    ArcFlightSettings settings = flight->settings;
    if (settings.lift == ARC_LIFT_NONE || settings.spin_decay != ARC_SPIN_DECAY_NONE)
        return;
    settings.lift = ARC_LIFT_NONE;
    ArcFlight without = flight_of(settings);
    double p_without[MAX_P] = {0}, wind[3];
    for (int k = 0; k < without.n_parameters; k++)
        p_without[k] = value_of(flight, p, without.parameters[k].name);
    for (int i = 0; i < N_STATES; i++) {
        FlightPoint at = point_of(flight, i);
        double a[MAX_D], b[MAX_D], work = 0, lift2 = 0, speed2 = 0;
        accelerate(flight, &at, p, a);
        accelerate(&without, &at, p_without, b);
        formula_wind(&settings, &at, wind);
        for (int e = 0; e < d; e++) {
            double u = at.v[e] - wind[e];
            work += (a[e] - b[e]) * u;
            lift2 += (a[e] - b[e]) * (a[e] - b[e]);
            speed2 += u * u;
        }
        assert_true(lift2 > 1e-8);
        assert_true(fabs(work) <= 1e-13 * sqrt(speed2) * (sqrt(lift2) + 30));
    }
}

static void test_flight_acceleration_lift_does_no_work(void **state)
{
    (void)state;
    for_all_cases(check_no_work);
}

/* The column of the space's parameter that is the plane's k-th, and its sign. */
static int space_column(const ArcFlight *plane, int k, double *sign)
{
    int spin = plane->n_drag + plane->n_lift;
    bool is_spin = plane->has_rotation && k == spin;
    *sign = is_spin ? -1 : 1;
    return is_spin ? spin + 2 : plane->has_rotation && k > spin ? k + 2 : k;
}

/* The plane is space with z left out: spin = -wz. */
static void check_plane(const ArcFlight *plane, const double *p)
{
    if (plane->settings.dimensions != 2)
        return;
    ArcFlightSettings settings = plane->settings;
    settings.dimensions = 3;
    settings.wind_m_s[2] = settings.gust.velocity_m_s[2] = 0;
    ArcFlight space = flight_of(settings);
    int P = plane->n_parameters, P3 = space.n_parameters, D = plane->n_coordinates, D3 = D + 1;
    double p3[MAX_P] = {0}, sign;
    for (int k = 0; k < P; k++)
        p3[space_column(plane, k, &sign)] = p[k];
    if (plane->has_rotation)
        p3[plane->n_drag + plane->n_lift + 2] *= -1;
    for (int i = 0; i < N_STATES; i++) {
        FlightPoint at = point_of(plane, i), at3 = point_of(&space, i);
        at3.x[2] = at3.v[2] = 0;
        Partials flat = partials_of(plane, &at, p), full = partials_of(&space, &at3, p3);
        assert_true(fabs(full.a[2]) < 1e-14);
        for (int e = 0; e < D; e++) {
            int e3 = e == 2 ? 3 : e;
            assert_true(fabs(flat.a[e] - full.a[e3]) < 1e-12);
            for (int c = 0; c < D; c++)
                assert_true(fabs(flat.a_v[e * D + c] - full.a_v[e3 * D3 + (c == 2 ? 3 : c)]) <
                            1e-12);
            for (int k = 0; k < P; k++) {
                int k3 = space_column(plane, k, &sign);
                assert_true(fabs(flat.a_p[e * P + k] - sign * full.a_p[e3 * P3 + k3]) < 1e-11);
            }
        }
    }
}

static void test_flight_acceleration_plane_equals_space_without_z(void **state)
{
    (void)state;
    for_all_cases(check_plane);
}

/* A ball at rest in the wind, and one that does not spin: nothing divides by zero. */
static void check_limits(const ArcFlight *flight, const double *p_given)
{
    int d = flight->settings.dimensions, D = flight->n_coordinates, P = flight->n_parameters;
    int n_spin = flight->has_rotation ? (d == 2 ? 1 : 3) : 0;
    double *spin, wind[3], g[3];
    for (int i = 0; i < 4; i++) {
        FlightPoint at = point_of(flight, 0);
        double p[MAX_P];
        memcpy(p, p_given, sizeof p);
        spin = p + flight->n_drag + flight->n_lift;
        formula_wind(&flight->settings, &at, wind);
        formula_gravity(flight, p, g);
        for (int e = 0; e < d; e++)
            at.v[e] = wind[e] + (i % 2 == 0 ? 0 : VELOCITIES[0][e]);
        for (int c = 0; i < 2 && c < n_spin; c++)
            spin[c] = 0;
        for (int c = 0; i == 3 && n_spin == 3 && c < 3; c++)
            spin[c] = 2 * VELOCITIES[0][c];
        Partials made = partials_of(flight, &at, p);
        for (int c = 0; c < D; c++)
            assert_true(isfinite(made.a[c]));
        for (int c = 0; c < D * D; c++)
            assert_true(isfinite(made.a_v[c]) && isfinite(made.a_x[c]));
        for (int c = 0; c < D * P; c++)
            assert_true(isfinite(made.a_p[c]));
        for (int e = 0; i == 0 && e < d; e++)
            assert_true(fabs(made.a[e] - g[e] * flight->gravity_share) < 1e-14);
    }
}

static void test_flight_acceleration_at_rest_or_without_spin_is_finite(void **state)
{
    (void)state;
    for_all_cases(check_limits);
}

/* Laws that rise with the spin have a slope at none, by differences from one side. */
static void test_flight_acceleration_lift_at_zero_spin_has_the_slope_of_the_limit(void **state)
{
    (void)state;
    static const ArcLift laws[] = {ARC_LIFT_RATIONAL, ARC_LIFT_NATHAN, ARC_LIFT_SAWICKI,
                                   ARC_LIFT_TABLE};
    for (int i = 0; i < 8; i++) {
        ArcFlight flight = flight_of(settings_of(2 + i / 4, 1, ARC_DRAG_NONE, laws[i % 4], 0));
        FlightPoint at = point_of(&flight, 0);
        for (int k = 0; k < flight.n_parameters; k++) {
            double p[MAX_P] = {0}, b[MAX_D];
            Partials made = partials_of(&flight, &at, p);
            p[k] = 1e-6;
            accelerate(&flight, &at, p, b);
            double size = 0;
            for (int e = 0; e < flight.n_coordinates; e++) {
                double slope = made.a_p[e * flight.n_parameters + k];
                size = fmax(size, fabs(slope));
                assert_true(fabs((b[e] - made.a[e]) / 1e-6 - slope) < 1e-7);
            }
            assert_true(size > 1e-3);
        }
    }
}

/* At no tilt and at one below and above where the series ends, the vector and its partials. */
static void test_flight_acceleration_small_tilts_are_smooth(void **state)
{
    (void)state;
    for (int up = 0; up < 3; up++) {
        ArcFlightSettings settings = settings_of(3, up, ARC_DRAG_NONE, ARC_LIFT_NONE, 0);
        settings.has_gravity = true;
        for (int e = 0; e < 3; e++)
            settings.has_tilt[e] = e != up;
        ArcFlight flight = flight_of(settings);
        assert_int_equal(flight.n_gravity, 3);
        for (int i = 0; i < 4; i++) {
            static const double tilts[] = {0, 1e-7, 0.00999, 0.01001};
            double p[MAX_P] = {9.7, 0.6 * tilts[i], -0.8 * tilts[i]}, g[3];
            FlightPoint at = point_of(&flight, 0);
            Partials made = partials_of(&flight, &at, p);
            formula_gravity(&flight, p, g);
            for (int e = 0; e < 3; e++) {
                assert_true(fabs(made.a[e] - g[e] * flight.gravity_share) < 2e-14);
                check_column(&flight, &at, p, &p[e], made.a_p + e, 3);
            }
        }
    }
}

/* A positive tilt leans gravity from -y towards +x in the plane; about x from -z towards +y. */
static void test_flight_create_tilt_is_right_handed(void **state)
{
    (void)state;
    double p[MAX_P] = {0.1}, a[MAX_D];
    ArcFlightSettings settings = settings_of(2, 1, ARC_DRAG_NONE, ARC_LIFT_NONE, 0);
    settings.has_tilt[2] = true;
    ArcFlight flight = flight_of(settings);
    FlightPoint at = point_of(&flight, 0);
    assert_string_equal(flight.parameters[0].name, "tilt");
    accelerate(&flight, &at, p, a);
    assert_true(a[0] > 0.9 && a[1] < -9.5);
    settings = settings_of(3, 2, ARC_DRAG_NONE, ARC_LIFT_NONE, 0);
    settings.has_tilt[0] = true;
    flight = flight_of(settings);
    assert_string_equal(flight.parameters[0].name, "tilt_x");
    accelerate(&flight, &at, p, a);
    assert_true(a[0] == 0 && a[1] > 0.9 && a[2] < -9.5);
    settings.has_tilt[2] = true; /* about the axis that is up */
    ArcError err;
    assert_int_equal(arc_flight_create(&settings, &flight, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "level"));
}

static void check_not_finite(const ArcFlight *flight, const double *p_given)
{
    int D = flight->n_coordinates;
    int P = flight->settings.bounce.is_on ? flight->bounce_index : flight->n_parameters;
    bool is_vacuum =
        flight->settings.drag == ARC_DRAG_NONE && flight->settings.lift == ARC_LIFT_NONE;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3 && !is_vacuum; i++) {
        for (int k = 0; k < D + P; k++) {
            FlightPoint at = point_of(flight, 0);
            double p[MAX_P], a[MAX_D], sum = 0;
            memcpy(p, p_given, sizeof p);
            *(k < D ? &at.v[k] : &p[k - D]) = bad[i];
            accelerate(flight, &at, p, a);
            for (int e = 0; e < D; e++)
                sum += a[e];
            if (isfinite(sum))
                fail_msg("drag %d lift %d decay %d input %d of %d + %d is %g",
                         flight->settings.drag, flight->settings.lift, flight->settings.spin_decay,
                         k, D, P, bad[i]);
        }
    }
}

static void test_flight_acceleration_not_finite_input_shows_in_the_output(void **state)
{
    (void)state;
    for_all_cases(check_not_finite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flight_acceleration_all_laws_follow_their_formula),
        cmocka_unit_test(test_flight_acceleration_all_partials_are_the_derivatives),
        cmocka_unit_test(test_flight_acceleration_columns_are_zero_only_where_the_law_says_so),
        cmocka_unit_test(test_flight_acceleration_batch_gives_the_bits_of_single_states),
        cmocka_unit_test(test_flight_acceleration_lift_does_no_work),
        cmocka_unit_test(test_flight_acceleration_plane_equals_space_without_z),
        cmocka_unit_test(test_flight_acceleration_at_rest_or_without_spin_is_finite),
        cmocka_unit_test(test_flight_acceleration_lift_at_zero_spin_has_the_slope_of_the_limit),
        cmocka_unit_test(test_flight_acceleration_small_tilts_are_smooth),
        cmocka_unit_test(test_flight_create_tilt_is_right_handed),
        cmocka_unit_test(test_flight_acceleration_not_finite_input_shows_in_the_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
