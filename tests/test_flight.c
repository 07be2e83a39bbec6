/* Flight model: every law against its formula as written in flight.h, every partial against central
 * differences, invariants, tables and refusals. */
#include "arcfit/flight.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N_STATES = 3, N_DRAG = 3, N_LIFT = 5, MAX_P = ARC_FLIGHT_MAX_PARAMETERS };

static const double VELOCITIES[N_STATES][3] = {
    {5.1, 6.3, -1.2}, {-22.0, 3.5, 9.1}, {0.4, -0.7, 0.2}};

static ArcFlightSettings settings_of(int d, int up, ArcDrag drag, ArcLift lift, bool windy)
{
    ArcFlightSettings settings = arc_flight_settings_default();
    settings.dimensions = d;
    settings.up = up;
    settings.drag = drag;
    settings.lift = lift;
    settings.has_ball = true;
    settings.buoyancy = true;
    settings.ball = *arc_ball_find("basketball");
    if (windy) {
        settings.wind_m_s[0] = 1.5;
        settings.wind_m_s[1] = -0.7;
        settings.wind_m_s[2] = 0.4;
    }
    return settings;
}

static ArcFlight flight_of(ArcFlightSettings settings)
{
    ArcFlight flight;
    assert_int_equal(arc_flight_create(&settings, &flight, NULL), ARC_OK);
    return flight;
}

/* Values without symmetry; returns how many. */
static int parameters_of(const ArcFlight *flight, double *p)
{
    static const double spin[3] = {3.1, -17.0, 6.4};
    int n = 0, n_spin = flight->settings.dimensions == 2 ? 1 : 3;
    if (flight->settings.drag != ARC_DRAG_NONE)
        p[n++] = flight->settings.drag == ARC_DRAG_LUMPED ? 0.11 : 0.53;
    if (flight->settings.lift != ARC_LIFT_NONE) {
        if (flight->settings.lift != ARC_LIFT_RATIONAL)
            p[n++] = 0.37;
        for (int i = 0; i < n_spin; i++)
            p[n++] = spin[i + (n_spin == 1)];
    }
    assert_int_equal(n, flight->n_parameters);
    return n;
}

static void accelerate(const ArcFlight *flight, const double *v, const double *p, double *a)
{
    double t = 0.3, x[3] = {1, 2, 3};
    arc_flight_acceleration(flight, 1, &t, x, v, p, a, NULL, NULL, NULL);
}

/* The equations of flight.h word for word, in space; the plane is embedded with w along z. */
static void formula(const ArcFlight *flight, const double *v, const double *p, double *a)
{
    const ArcFlightSettings *s = &flight->settings;
    int d = s->dimensions;
    double u[3] = {0}, w[3] = {0}, coefficient = 0, density = 0;
    assert_int_equal(arc_air_density(&s->air, &density, NULL), ARC_OK);
    double mass = s->ball.mass_kg, r = s->ball.diameter_m / 2;
    double c = density * M_PI * r * r / (2 * mass), b = density * 4 / 3 * M_PI * r * r * r / mass;
    for (int e = 0; e < d; e++)
        u[e] = v[e] - s->wind_m_s[e];
    double speed = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), q = 0;
    if (s->drag == ARC_DRAG_LUMPED)
        q = *p++;
    else if (s->drag == ARC_DRAG_QUADRATIC)
        q = c * *p++;
    if (s->lift != ARC_LIFT_NONE && s->lift != ARC_LIFT_RATIONAL)
        coefficient = *p++;
    if (s->lift != ARC_LIFT_NONE && d == 2)
        w[2] = -p[0];
    else if (s->lift != ARC_LIFT_NONE)
        memcpy(w, p, sizeof w);
    double m[3] = {w[1] * u[2] - w[2] * u[1], w[2] * u[0] - w[0] * u[2], w[0] * u[1] - w[1] * u[0]};
    double size = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]), factor = 0;
    double S = r * (size / speed) / speed;
    if (s->lift == ARC_LIFT_LUMPED)
        factor = coefficient;
    else if (s->lift == ARC_LIFT_CONSTANT)
        factor = c * coefficient * speed * speed / size;
    else if (s->lift == ARC_LIFT_LINEAR)
        factor = c * coefficient * r;
    else if (s->lift == ARC_LIFT_RATIONAL)
        factor = c / (2 + 1 / S) * speed * speed / size;
    for (int e = 0; e < d; e++)
        a[e] = (e == s->up ? -s->gravity_m_s2 * (1 - b) : 0) - q * speed * u[e] + factor * m[e];
}

typedef void (*CaseTest)(const ArcFlight *flight, const double *p);

/* Every drag x lift x dimension x axis up x wind. */
static void for_all_cases(CaseTest test)
{
    for (int i = 0; i < N_DRAG * N_LIFT * 5 * 2; i++) {
        int axis = i % 5, d = axis < 2 ? 2 : 3, up = d == 2 ? axis : axis - 2;
        int law = i / 5 % (N_DRAG * N_LIFT);
        ArcFlight flight = flight_of(settings_of(
            d, up, (ArcDrag)(law / N_LIFT), (ArcLift)(law % N_LIFT), i >= N_DRAG * N_LIFT * 5));
        double p[MAX_P] = {0};
        parameters_of(&flight, p);
        test(&flight, p);
    }
}

static void check_formula(const ArcFlight *flight, const double *p)
{
    for (int i = 0; i < N_STATES; i++) {
        double a[3], expected[3];
        accelerate(flight, VELOCITIES[i], p, a);
        formula(flight, VELOCITIES[i], p, expected);
        for (int e = 0; e < flight->settings.dimensions; e++)
            assert_true(fabs(a[e] - expected[e]) <= 1e-13 * (10 + fabs(expected[e])));
    }
}

static void test_flight_acceleration_all_laws_follow_their_formula(void **state)
{
    (void)state;
    for_all_cases(check_formula);
}

/* Compares one analytic column (d numbers, stride apart) with central differences in *variable over
 * a sweep of steps: close at the best step, and not the same bits at all of them. */
static void check_column(const ArcFlight *flight, double *v, double *p, double *variable,
                         const double *column, int stride, bool is_zero)
{
    int d = flight->settings.dimensions;
    double size = 0, best = INFINITY, start = *variable;
    bool all_equal = true;
    for (int e = 0; e < d; e++)
        size = fmax(size, fabs(column[e * stride]));
    if (is_zero) {
        assert_true(size == 0);
        return;
    }
    assert_true(size > 0);
    for (double step = 1e-1; step > 1e-7; step *= 0.3) {
        double forth[3], back[3], worst = 0;
        *variable = start + step;
        accelerate(flight, v, p, forth);
        *variable = start - step;
        accelerate(flight, v, p, back);
        *variable = start;
        for (int e = 0; e < d; e++) {
            double difference = (forth[e] - back[e]) / (2 * step);
            worst = fmax(worst, fabs(difference - column[e * stride]));
            all_equal = all_equal && difference == column[e * stride];
        }
        best = fmin(best, worst / size);
    }
    assert_true(best < 2e-8);
    assert_false(all_equal);
}

static void check_partials(const ArcFlight *flight, const double *p_given)
{
    int d = flight->settings.dimensions, P = flight->n_parameters;
    bool is_vacuum =
        flight->settings.drag == ARC_DRAG_NONE && flight->settings.lift == ARC_LIFT_NONE;
    for (int i = 0; i < N_STATES; i++) {
        double t = 0, x[3] = {0}, v[3], p[MAX_P], a[3], a_x[9], a_v[9], a_p[3 * MAX_P];
        memcpy(v, VELOCITIES[i], sizeof v);
        memcpy(p, p_given, sizeof p);
        arc_flight_acceleration(flight, 1, &t, x, v, p, a, a_x, a_v, a_p);
        for (int c = 0; c < d * d; c++)
            assert_true(a_x[c] == 0);
        for (int c = 0; c < d; c++)
            check_column(flight, v, p, &v[c], a_v + c, d, is_vacuum);
        /* the constant law feels only the direction of the rotation, which the plane holds */
        bool is_spin_free = d == 2 && flight->settings.lift == ARC_LIFT_CONSTANT;
        for (int c = 0; c < P; c++)
            check_column(flight, v, p, &p[c], a_p + c, P, is_spin_free && c == P - 1);
    }
}

static void test_flight_acceleration_all_partials_are_the_derivatives(void **state)
{
    (void)state;
    for_all_cases(check_partials);
}

static void check_batch(const ArcFlight *flight, const double *p)
{
    int d = flight->settings.dimensions, P = flight->n_parameters;
    double t[N_STATES] = {0}, x[N_STATES * 3] = {0}, v[N_STATES * 3];
    double a[N_STATES * 3], a_x[N_STATES * 9], a_v[N_STATES * 9], a_p[N_STATES * 3 * MAX_P];
    double alone[N_STATES * 3];
    for (int i = 0; i < N_STATES; i++)
        memcpy(v + i * d, VELOCITIES[i], (size_t)d * sizeof(double));
    arc_flight_acceleration(flight, N_STATES, t, x, v, p, a, a_x, a_v, a_p);
    arc_flight_acceleration(flight, N_STATES, t, x, v, p, alone, NULL, NULL, NULL);
    assert_memory_equal(a, alone, (size_t)(N_STATES * d) * sizeof(double));
    for (int i = 0; i < N_STATES; i++) {
        double one[3], one_v[9], one_p[3 * MAX_P];
        arc_flight_acceleration(flight, 1, t, x, v + i * d, p, one, NULL, one_v, one_p);
        assert_memory_equal(one, a + i * d, (size_t)d * sizeof(double));
        assert_memory_equal(one_v, a_v + i * d * d, (size_t)(d * d) * sizeof(double));
        if (P > 0)
            assert_memory_equal(one_p, a_p + i * d * P, (size_t)(d * P) * sizeof(double));
    }
}

static void test_flight_acceleration_batch_gives_the_bits_of_single_states(void **state)
{
    (void)state;
    for_all_cases(check_batch);
}

static void check_no_work(const ArcFlight *flight, const double *p)
{
    if (flight->settings.lift == ARC_LIFT_NONE)
        return;
    int d = flight->settings.dimensions;
    ArcFlightSettings settings = flight->settings;
    settings.lift = ARC_LIFT_NONE;
    ArcFlight without = flight_of(settings);
    for (int i = 0; i < N_STATES; i++) {
        double a[3], b[3], work = 0, lift2 = 0, speed2 = 0;
        accelerate(flight, VELOCITIES[i], p, a);
        accelerate(&without, VELOCITIES[i], p, b);
        for (int e = 0; e < d; e++) {
            double u = VELOCITIES[i][e] - settings.wind_m_s[e];
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

/* The plane is space with z left out: spin = -wz. */
static void check_plane(const ArcFlight *plane, const double *p)
{
    if (plane->settings.dimensions != 2)
        return;
    ArcFlightSettings settings = plane->settings;
    settings.dimensions = 3;
    settings.wind_m_s[2] = 0;
    ArcFlight space = flight_of(settings);
    int P = plane->n_parameters, P3 = space.n_parameters, n_spin = P3 > P;
    double p3[MAX_P] = {0}, t = 0, x[3] = {0};
    memcpy(p3, p, (size_t)(P - n_spin) * sizeof(double));
    if (n_spin)
        p3[P3 - 1] = -p[P - 1];
    for (int i = 0; i < N_STATES; i++) {
        double v[3] = {VELOCITIES[i][0], VELOCITIES[i][1], 0};
        double a[2], a_v[4], a_p[2 * MAX_P], b[3], b_v[9], b_p[3 * MAX_P];
        arc_flight_acceleration(plane, 1, &t, x, v, p, a, NULL, a_v, a_p);
        arc_flight_acceleration(&space, 1, &t, x, v, p3, b, NULL, b_v, b_p);
        assert_true(fabs(b[2]) < 1e-14);
        for (int e = 0; e < 2; e++) {
            assert_true(fabs(a[e] - b[e]) < 1e-12);
            for (int c = 0; c < 2; c++)
                assert_true(fabs(a_v[e * 2 + c] - b_v[e * 3 + c]) < 1e-12);
            for (int c = 0; c < P - n_spin; c++)
                assert_true(fabs(a_p[e * P + c] - b_p[e * P3 + c]) < 1e-11);
            if (n_spin)
                assert_true(fabs(a_p[e * P + P - 1] + b_p[e * P3 + P3 - 1]) < 1e-12);
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
    int d = flight->settings.dimensions, P = flight->n_parameters;
    bool has_lift = flight->settings.lift != ARC_LIFT_NONE;
    for (int i = 0; i < 4; i++) {
        double t = 0, x[3] = {0}, v[3], p[MAX_P], a[3], a_x[9], a_v[9], a_p[3 * MAX_P];
        memcpy(p, p_given, sizeof p);
        for (int e = 0; e < 3; e++)
            v[e] = flight->settings.wind_m_s[e] + (i % 2 == 0 ? 0 : VELOCITIES[0][e]);
        for (int c = 0; has_lift && i < 2 && c < (d == 2 ? 1 : 3); c++)
            p[P - 1 - c] = 0;
        for (int c = 0; has_lift && i == 3 && d == 3 && c < 3; c++)
            p[P - 3 + c] = 2 * VELOCITIES[0][c];
        arc_flight_acceleration(flight, 1, &t, x, v, p, a, a_x, a_v, a_p);
        for (int c = 0; c < d; c++)
            assert_true(isfinite(a[c]));
        for (int c = 0; c < d * d; c++)
            assert_true(isfinite(a_v[c]));
        for (int c = 0; c < d * P; c++)
            assert_true(isfinite(a_p[c]));
        for (int e = 0; i == 0 && e < d; e++)
            assert_true(a[e] == flight->gravity_m_s2[e]);
    }
}

static void test_flight_acceleration_at_rest_or_without_spin_is_finite(void **state)
{
    (void)state;
    for_all_cases(check_limits);
}

static void test_flight_acceleration_rational_at_zero_spin_has_the_slope_of_the_limit(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        ArcFlight flight = flight_of(settings_of(d, 1, ARC_DRAG_NONE, ARC_LIFT_RATIONAL, false));
        for (int k = 0; k < flight.n_parameters; k++) {
            double t = 0, x[3] = {0}, p[MAX_P] = {0}, a[3], b[3], a_v[9], a_p[3 * MAX_P];
            arc_flight_acceleration(&flight, 1, &t, x, VELOCITIES[0], p, a, NULL, a_v, a_p);
            p[k] = 1e-6;
            accelerate(&flight, VELOCITIES[0], p, b);
            double size = 0;
            for (int e = 0; e < d; e++) {
                double slope = a_p[e * flight.n_parameters + k];
                size = fmax(size, fabs(slope));
                assert_true(fabs((b[e] - a[e]) / 1e-6 - slope) < 1e-7);
            }
            assert_true(size > 1e-3);
        }
    }
}

static void check_not_finite(const ArcFlight *flight, const double *p_given)
{
    int d = flight->settings.dimensions, P = flight->n_parameters;
    bool is_vacuum =
        flight->settings.drag == ARC_DRAG_NONE && flight->settings.lift == ARC_LIFT_NONE;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3 && !is_vacuum; i++) {
        for (int k = 0; k < d + P; k++) {
            double v[3], p[MAX_P], a[3], sum = 0;
            memcpy(v, VELOCITIES[0], sizeof v);
            memcpy(p, p_given, sizeof p);
            *(k < d ? &v[k] : &p[k - d]) = bad[i];
            accelerate(flight, v, p, a);
            for (int e = 0; e < d; e++)
                sum += a[e];
            assert_true(!isfinite(sum));
        }
    }
}

static void test_flight_acceleration_not_finite_input_shows_in_the_output(void **state)
{
    (void)state;
    for_all_cases(check_not_finite);
}

static void test_flight_create_parameters_stand_in_the_documented_order(void **state)
{
    (void)state;
    static const struct {
        int d;
        ArcDrag drag;
        ArcLift lift;
        const char *names;
    } rows[] = {
        {2, ARC_DRAG_NONE, ARC_LIFT_NONE, ""},
        {2, ARC_DRAG_LUMPED, ARC_LIFT_LUMPED, "k s spin "},
        {3, ARC_DRAG_LUMPED, ARC_LIFT_LUMPED, "k s wx wy wz "},
        {2, ARC_DRAG_QUADRATIC, ARC_LIFT_CONSTANT, "cd cl spin "},
        {3, ARC_DRAG_QUADRATIC, ARC_LIFT_LINEAR, "cd cm wx wy wz "},
        {2, ARC_DRAG_QUADRATIC, ARC_LIFT_RATIONAL, "cd spin "},
        {3, ARC_DRAG_NONE, ARC_LIFT_RATIONAL, "wx wy wz "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcFlight flight = flight_of(settings_of(rows[i].d, 1, rows[i].drag, rows[i].lift, false));
        char names[200] = "";
        for (int k = 0; k < flight.n_parameters; k++) {
            const ArcParameterInfo *info = &flight.parameters[k];
            strcat(strcat(names, info->name), " ");
            assert_true(info->low <= info->value && info->value <= info->high);
            assert_true(strlen(info->unit) > 0 && strlen(info->doc) > 0);
        }
        assert_string_equal(names, rows[i].names);
        assert_true(arc_flight_is_position_free(&flight));
    }
}

static void test_flight_create_ball_gives_constants_and_default_cd(void **state)
{
    (void)state;
    ArcFlightSettings settings = settings_of(3, 2, ARC_DRAG_QUADRATIC, ARC_LIFT_NONE, false);
    settings.ball = *arc_ball_find("tennis");
    settings.air.density_kg_m3 = 1.1993;
    ArcFlight flight = flight_of(settings);
    assert_true(flight.parameters[0].value == 0.507);
    assert_true(flight.radius_m == 0.0335);
    assert_true(fabs(flight.drag_per_m * 0.507 - 0.0186) < 5e-5);
    assert_true(fabs(1 + flight.gravity_m_s2[2] / 9.80665 - 0.0033) < 5e-5);
    assert_true(flight.gravity_m_s2[0] == 0 && flight.gravity_m_s2[1] == 0);
    settings.buoyancy = false;
    assert_true(flight_of(settings).gravity_m_s2[2] == -9.80665);
    settings.ball = (ArcBall){.mass_kg = 1, .diameter_m = 0.1};
    assert_true(flight_of(settings).parameters[0].value == 0.5);
}

static void test_flight_create_bad_settings_are_refused_with_the_reason(void **state)
{
    (void)state;
    ArcFlightSettings good = settings_of(2, 1, ARC_DRAG_QUADRATIC, ARC_LIFT_LINEAR, true);
    struct {
        ArcFlightSettings settings;
        const char *part;
    } rows[16];
    int n = 0;
#define BAD(change, text)                                                                          \
    rows[n].settings = good;                                                                       \
    rows[n].settings.change;                                                                       \
    rows[n++].part = text
    BAD(dimensions = 4, "dimensions 4");
    BAD(up = 2, "use x or y");
    BAD(up = -1, "axis -1");
    BAD(gravity_m_s2 = -9.8, "gravity -9.8");
    BAD(gravity_m_s2 = NAN, "gravity");
    BAD(wind_m_s[1] = INFINITY, "wind inf");
    BAD(ball.mass_kg = 0, "mass 0 kg");
    BAD(ball.mass_kg = NAN, "mass");
    BAD(ball.diameter_m = -0.24, "diameter -0.24 m");
    BAD(air.humidity = 50, "humidity 50");
    BAD(has_ball = false, "drag 'quadratic' needs a ball");
    BAD(drag = (ArcDrag)17, "drag law 17");
    BAD(lift = (ArcLift)17, "lift law 17");
    rows[n] = rows[10];
    rows[n].settings.drag = ARC_DRAG_LUMPED;
    rows[n++].part = "lift 'linear' needs a ball";
    rows[n] = rows[n - 1];
    rows[n].settings.lift = ARC_LIFT_LUMPED;
    rows[n++].part = "buoyancy needs a ball";
#undef BAD
    for (int i = 0; i < n; i++) {
        ArcError err = {0};
        ArcFlight flight = {.n_parameters = -7};
        assert_int_equal(arc_flight_create(&rows[i].settings, &flight, &err), ARC_INPUT);
        assert_int_equal(flight.n_parameters, -7);
        assert_non_null(strstr(err.text, rows[i].part));
    }
}

static void test_ball_presets_have_the_published_numbers(void **state)
{
    (void)state;
    static const ArcBall expected[] = {
        {"basketball", 0.62, 0.24, 0.5, ""},   {"table-tennis", 0.0027, 0.040, 0.47, ""},
        {"tennis", 0.0577, 0.067, 0.507, ""},  {"soccer", 0.43, 0.22, 0.25, ""},
        {"baseball", 0.145, 0.0732, 0.35, ""}, {"golf", 0.04593, 0.04267, 0.25, ""},
        {"badminton", 0.005, 0.06, 0.6, ""},
    };
    int n;
    const ArcBall *presets = arc_ball_presets(&n);
    assert_int_equal(n, sizeof expected / sizeof expected[0]);
    for (int i = 0; i < n; i++) {
        assert_ptr_equal(arc_ball_find(expected[i].name), &presets[i]);
        assert_true(presets[i].mass_kg == expected[i].mass_kg);
        assert_true(presets[i].diameter_m == expected[i].diameter_m);
        assert_true(presets[i].cd == expected[i].cd);
        assert_true(strlen(presets[i].source) > 0);
    }
    assert_null(arc_ball_find("cannonball"));
}

static void test_drag_laws_and_lift_laws_are_indexed_by_enumerator(void **state)
{
    (void)state;
    int n_drag, n_lift;
    const ArcLaw *drag = arc_drag_laws(&n_drag), *lift = arc_lift_laws(&n_lift);
    assert_int_equal(n_drag, N_DRAG);
    assert_int_equal(n_lift, N_LIFT);
    assert_string_equal(drag[ARC_DRAG_NONE].name, "none");
    assert_string_equal(drag[ARC_DRAG_LUMPED].name, "lumped");
    assert_string_equal(drag[ARC_DRAG_QUADRATIC].name, "quadratic");
    assert_string_equal(lift[ARC_LIFT_NONE].name, "none");
    assert_string_equal(lift[ARC_LIFT_LUMPED].name, "lumped");
    assert_string_equal(lift[ARC_LIFT_CONSTANT].name, "constant");
    assert_string_equal(lift[ARC_LIFT_LINEAR].name, "linear");
    assert_string_equal(lift[ARC_LIFT_RATIONAL].name, "rational");
    assert_true(drag[ARC_DRAG_QUADRATIC].needs_ball && lift[ARC_LIFT_RATIONAL].needs_ball);
    assert_false(drag[ARC_DRAG_LUMPED].needs_ball || lift[ARC_LIFT_LUMPED].needs_ball);
}

static void test_flight_settings_default_is_the_vacuum_in_the_plane(void **state)
{
    (void)state;
    ArcFlight flight = flight_of(arc_flight_settings_default());
    double v[2] = {3, 4}, a[2];
    assert_int_equal(flight.settings.dimensions, 2);
    assert_int_equal(flight.n_parameters, 0);
    accelerate(&flight, v, v, a);
    assert_true(a[0] == 0 && a[1] == -9.80665);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flight_acceleration_all_laws_follow_their_formula),
        cmocka_unit_test(test_flight_acceleration_all_partials_are_the_derivatives),
        cmocka_unit_test(test_flight_acceleration_batch_gives_the_bits_of_single_states),
        cmocka_unit_test(test_flight_acceleration_lift_does_no_work),
        cmocka_unit_test(test_flight_acceleration_plane_equals_space_without_z),
        cmocka_unit_test(test_flight_acceleration_at_rest_or_without_spin_is_finite),
        cmocka_unit_test(test_flight_acceleration_rational_at_zero_spin_has_the_slope_of_the_limit),
        cmocka_unit_test(test_flight_acceleration_not_finite_input_shows_in_the_output),
        cmocka_unit_test(test_flight_create_parameters_stand_in_the_documented_order),
        cmocka_unit_test(test_flight_create_ball_gives_constants_and_default_cd),
        cmocka_unit_test(test_flight_create_bad_settings_are_refused_with_the_reason),
        cmocka_unit_test(test_ball_presets_have_the_published_numbers),
        cmocka_unit_test(test_drag_laws_and_lift_laws_are_indexed_by_enumerator),
        cmocka_unit_test(test_flight_settings_default_is_the_vacuum_in_the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
