/* Tables of laws, parameters and balls; what a flight is created from; each law's curve by numbers
 * worked out elsewhere. */
#include "arcfit/arm.h"
#include "flight_case.h"

#include <stdio.h>

static void test_flight_create_parameters_stand_in_the_documented_order(void **state)
{
    (void)state;
    static const struct {
        int d;
        ArcDrag drag;
        ArcLift lift;
        ArcSpinDecay decay;
        const char *names;
    } rows[] = {
        {2, ARC_DRAG_NONE, ARC_LIFT_NONE, 0, ""},
        {2, ARC_DRAG_LUMPED, ARC_LIFT_LUMPED, 0, "k s spin "},
        {3, ARC_DRAG_LUMPED, ARC_LIFT_LUMPED, 0, "k s wx wy wz "},
        {2, ARC_DRAG_QUADRATIC, ARC_LIFT_CONSTANT, 0, "cd cl spin "},
        {3, ARC_DRAG_QUADRATIC, ARC_LIFT_LINEAR, 0, "cd cm wx wy wz "},
        {2, ARC_DRAG_QUADRATIC, ARC_LIFT_RATIONAL, 0, "cd spin "},
        {3, ARC_DRAG_NONE, ARC_LIFT_RATIONAL, 0, "wx wy wz "},
        {2, ARC_DRAG_LOGISTIC, ARC_LIFT_NATHAN, 0, "cd_after cd_drop v_crisis v_width spin "},
        {3, ARC_DRAG_SPIN_DEPENDENT, ARC_LIFT_NONE, 0, "cd0 cd_w wx wy wz "},
        {2, ARC_DRAG_SPIN_DEPENDENT, ARC_LIFT_NONE, 1, "cd0 cd_w spin spin_tau "},
        {3, ARC_DRAG_MORRISON, ARC_LIFT_SAWICKI, 1, "wx wy wz spin_tau "},
        {3, ARC_DRAG_TABLE, ARC_LIFT_TABLE, 2, "wx wy wz spin_decay "},
        {2, ARC_DRAG_LUMPED, ARC_LIFT_LUMPED, 2, "k s spin spin_decay "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcFlightSettings settings = settings_of(rows[i].d, 1, rows[i].drag, rows[i].lift, 0);
        settings.spin_decay = rows[i].decay;
        ArcFlight flight = flight_of(settings);
        char names[200] = "";
        for (int k = 0; k < flight.n_parameters; k++) {
            const ArcParameterInfo *info = &flight.parameters[k];
            strcat(strcat(names, info->name), " ");
            assert_true(info->low <= info->value && info->value <= info->high);
            assert_true(strlen(info->unit) > 0 && strlen(info->doc) > 0);
        }
        assert_string_equal(names, rows[i].names);
        assert_true(arc_flight_is_position_free(&flight));
        assert_int_equal(flight.n_coordinates, rows[i].d + (rows[i].decay == 2));
    }
}

static void test_flight_is_position_free_not_with_shear(void **state)
{
    (void)state;
    ArcFlightSettings settings = settings_of(2, 1, ARC_DRAG_LUMPED, ARC_LIFT_NONE, 2);
    ArcFlight sheared = flight_of(settings);
    settings.shear.is_on = false;
    ArcFlight gusty = flight_of(settings);
    assert_false(arc_flight_is_position_free(&sheared));
    assert_true(arc_flight_is_position_free(&gusty));
}

static void test_flight_create_ball_gives_constants_and_default_cd(void **state)
{
    (void)state;
    ArcFlightSettings settings = settings_of(3, 2, ARC_DRAG_QUADRATIC, ARC_LIFT_NONE, 0);
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
    ArcFlightSettings good = settings_of(2, 1, ARC_DRAG_QUADRATIC, ARC_LIFT_LINEAR, 1);
    struct {
        ArcFlightSettings settings;
        const char *part;
    } rows[40];
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
    BAD(spin_decay = (ArcSpinDecay)17, "law 17 of spin decay");
    BAD(gust = ((ArcGust){true, {0, INFINITY}, 0, 1}), "gust inf");
    BAD(gust = ((ArcGust){true, {0}, NAN, 1}), "gust time");
    BAD(gust = ((ArcGust){true, {0}, 0, 0}), "gust width 0");
    BAD(shear = ((ArcShear){true, 1.5, 10, 0}), "shear exponent 1.5");
    BAD(shear = ((ArcShear){true, 0.1, 0, 0}), "shear height 0");
    BAD(shear = ((ArcShear){true, 0.1, 10, NAN}), "shear ground");
    good.drag = ARC_DRAG_TABLE;
    good.lift = ARC_LIFT_TABLE;
    BAD(drag_table.n = 1, "drag table has 1 pairs; give 2 to 32");
    BAD(drag_table.x[2] = 7, "pair 3 of the drag table is at 7, which is not above 7");
    BAD(drag_table.x[0] = -1, "pair 1 of the drag table is at -1");
    BAD(drag_table.y[1] = -0.1, "pair 2 of the drag table has the coefficient -0.1");
    BAD(lift_table.n = 33, "lift table has 33 pairs");
    BAD(lift_table.y[1] = NAN, "pair 2 of the lift table");
    BAD(lift_table.x[0] = 0, "no lift; give 0 there");
    good.drag = ARC_DRAG_MORRISON;
    good.air.density_kg_m3 = 1.2;
    BAD(air.temperature_k = 20, "temperature 20 K");
    good = rows[0].settings;
    good.dimensions = 2;
    good.lift = ARC_LIFT_NONE;
    BAD(spin_decay = ARC_SPIN_DECAY_EXPONENTIAL, "spin decay 'exponential' has no spin to act on");
    rows[n] = rows[10];
    rows[n].settings.drag = ARC_DRAG_LUMPED;
    rows[n++].part = "lift 'linear' needs a ball";
    rows[n] = rows[n - 1];
    rows[n].settings.lift = ARC_LIFT_LUMPED;
    rows[n++].part = "buoyancy needs a ball";
    rows[n] = rows[n - 1];
    rows[n].settings.buoyancy = false;
    rows[n].settings.added_mass = true;
    rows[n++].part = "added mass needs a ball";
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
        {"basketball", 0.62, 0.24, 0.5, ""},       {"basketball-6", 0.53, 0.23, 0.5, ""},
        {"table-tennis", 0.0027, 0.040, 0.47, ""}, {"tennis", 0.0577, 0.067, 0.507, ""},
        {"soccer", 0.43, 0.22, 0.25, ""},          {"baseball", 0.145, 0.0732, 0.35, ""},
        {"softball", 0.188, 0.097, 0.35, ""},      {"volleyball", 0.27, 0.21, 0.15, ""},
        {"golf", 0.04593, 0.04267, 0.25, ""},      {"shot", 7.26, 0.12, 0.47, ""},
        {"shot-4", 4, 0.1025, 0.47, ""},           {"badminton", 0.005, 0.06, 0.6, ""},
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
    static const char *const drags[] = {"none",     "lumped",         "quadratic", "logistic",
                                        "morrison", "spin-dependent", "table"};
    static const char *const lifts[] = {"none",     "lumped", "constant", "linear",
                                        "rational", "nathan", "sawicki",  "table"};
    static const char *const decays[] = {"none", "exponential", "aerodynamic"};
    int n_decay;
    const ArcLaw *decay = arc_spin_decay_laws(&n_decay);
    assert_int_equal(n_decay, N_DECAY);
    for (int i = 0; i < N_DRAG; i++)
        assert_string_equal(drag[i].name, drags[i]);
    for (int i = 0; i < N_LIFT; i++)
        assert_string_equal(lift[i].name, lifts[i]);
    for (int i = 0; i < N_DECAY; i++)
        assert_string_equal(decay[i].name, decays[i]);
    assert_true(drag[ARC_DRAG_QUADRATIC].needs_ball && lift[ARC_LIFT_RATIONAL].needs_ball);
    assert_false(drag[ARC_DRAG_LUMPED].needs_ball || lift[ARC_LIFT_LUMPED].needs_ball);
}

static void test_flight_settings_default_is_the_vacuum_in_the_plane(void **state)
{
    (void)state;
    ArcFlight flight = flight_of(arc_flight_settings_default());
    FlightPoint at = {0, {0}, {3, 4}};
    double a[2];
    assert_int_equal(flight.settings.dimensions, 2);
    assert_int_equal(flight.n_parameters, 0);
    accelerate(&flight, &at, at.v, a);
    assert_true(a[0] == 0 && a[1] == -9.80665);
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g is not %.12g", value, expected);
}

/* cd that a flight without lift has at a speed. */
static double cd_at(const ArcFlight *flight, double speed, const double *p)
{
    FlightPoint at = {0, {0}, {speed, 0}};
    double a[MAX_D];
    accelerate(flight, &at, p, a);
    return -a[0] / (flight->drag_per_m * speed * speed);
}

static void test_drag_logistic_soccer_falls_from_half_to_a_sixth(void **state)
{
    (void)state;
    ArcFlight flight = flight_of(settings_of(2, 1, ARC_DRAG_LOGISTIC, ARC_LIFT_NONE, 0));
    double p[MAX_P];
    for (int k = 0; k < flight.n_parameters; k++)
        p[k] = flight.parameters[k].value;
    assert_near(cd_at(&flight, 1, p), 0.500933, 1e-6);
    assert_near(cd_at(&flight, 12.19, p), 0.155 + 0.173, 1e-12);
    assert_near(cd_at(&flight, 30, p), 0.15500042673, 1e-10);
}

static void test_drag_morrison_known_reynolds_numbers_and_stokes_limit(void **state)
{
    (void)state;
    ArcFlight flight = flight_of(settings_of(2, 1, ARC_DRAG_MORRISON, ARC_LIFT_NONE, 0));
    assert_near(flight.viscosity_m2_s * flight.density_kg_m3, 1.8134e-5, 1e-9);
    double per_speed = flight.settings.ball.diameter_m / flight.viscosity_m2_s;
    /* the formula at Re = 100, 1e5, 4e5 */
    assert_near(cd_at(&flight, 100 / per_speed, NULL), 1.038125279, 1e-9);
    assert_near(cd_at(&flight, 1e5 / per_speed, NULL), 0.425711921, 1e-9);
    assert_near(cd_at(&flight, 4e5 / per_speed, NULL), 0.0930470866, 1e-9);
    double slow = 1e-9 / per_speed;
    assert_near(cd_at(&flight, slow, NULL) * 1e-9, 24, 1e-6);
    FlightPoint rest = {0, {0}, {0}};
    double a[2], a_v[4], a_p[1];
    arc_flight_acceleration(&flight, 1, &rest.t, rest.x, rest.v, NULL, a, NULL, a_v, a_p);
    /* 3 pi mu d / m */
    double stokes = 3 * M_PI * flight.viscosity_m2_s * flight.density_kg_m3 * 0.24 / 0.62;
    assert_near(a_v[0], -stokes, 1e-12 * stokes);
    assert_true(a_v[1] == 0);
}

static void test_drag_spin_dependent_counts_radians_a_second(void **state)
{
    (void)state;
    ArcFlight flight = flight_of(settings_of(2, 1, ARC_DRAG_SPIN_DEPENDENT, ARC_LIFT_NONE, 0));
    double p[3] = {0.3008, flight.parameters[1].value, 2000 * M_PI / 30};
    assert_near(cd_at(&flight, 40, p), 0.3008 + 2 * 0.0292, 1e-9);
    p[2] = -p[2];
    assert_near(cd_at(&flight, 40, p), 0.3008 + 2 * 0.0292, 1e-9);
    p[2] = 0;
    assert_near(cd_at(&flight, 40, p), 0.3008, 2e-6);
}

static void test_drag_table_passes_its_pairs_and_neither_overshoots_nor_leaves(void **state)
{
    (void)state;
    ArcFlightSettings settings = settings_of(2, 1, ARC_DRAG_TABLE, ARC_LIFT_NONE, 0);
    ArcFlight flight = flight_of(settings);
    const ArcTable *table = &settings.drag_table;
    for (int i = 0; i < table->n; i++)
        assert_near(cd_at(&flight, table->x[i], NULL), table->y[i], 1e-12);
    assert_near(cd_at(&flight, 1, NULL), 0.55, 1e-12);
    assert_near(cd_at(&flight, 90, NULL), 0.24, 1e-12);
    double before = 0.55;
    for (double v = 3; v <= 30; v += 0.01) {
        double cd = cd_at(&flight, v, NULL);
        if (v <= 12)
            assert_true(cd <= before + 1e-12);
        else
            assert_true(cd >= 0.2 - 1e-12 && cd <= 0.24 + 1e-12);
        before = cd;
    }
    /* the slopes at 3, 7, 12, 30 are 0, -0.0203.., 0, 0: a weighted harmonic mean at 7 */
    double slope = 3 * 9 / (14 / (-0.05 / 4) + 13 / (-0.3 / 5));
    assert_true(fabs(slope) < 2 * 0.0125);
    assert_near(cd_at(&flight, 5, NULL), (0.55 + 0.5) / 2 - 4 * slope * 5 / 32, 1e-12);
}

/* CL that a flight without drag has at a spin parameter. */
static double cl_at(ArcLift law, double S)
{
    ArcFlight flight = flight_of(settings_of(2, 1, ARC_DRAG_NONE, law, 0));
    FlightPoint at = {0, {0}, {20, 0}};
    double a[MAX_D], p[1] = {-S * 20 / flight.radius_m};
    accelerate(&flight, &at, p, a);
    return (a[1] - flight.gravity_m_s2[1]) / (flight.drag_per_m * 400);
}

static void test_lift_laws_known_spin_parameters(void **state)
{
    (void)state;
    assert_near(cl_at(ARC_LIFT_RATIONAL, 0.310), 0.191, 5e-4);
    assert_near(cl_at(ARC_LIFT_NATHAN, 0.310), 0.266, 5e-4);
    assert_near(cl_at(ARC_LIFT_SAWICKI, 0.05), 0.075, 1e-12);
    assert_near(cl_at(ARC_LIFT_SAWICKI, 0.08), 0.12, 1e-12);
    assert_near(cl_at(ARC_LIFT_SAWICKI, 0.12), 0.162, 1e-12);
    assert_near(cl_at(ARC_LIFT_SAWICKI, 0.31), 0.276, 1e-12);
    assert_near(cl_at(ARC_LIFT_SAWICKI, 0.1), 0.15 - 0.003375, 1e-12);
    assert_near(cl_at(ARC_LIFT_TABLE, 0.1), 0.11, 1e-12);
    assert_near(cl_at(ARC_LIFT_TABLE, 0.4), 0.25, 1e-12);
    assert_near(cl_at(ARC_LIFT_TABLE, 3), 0.31, 1e-12);
    assert_near(cl_at(ARC_LIFT_TABLE, 1e-7), 1.2e-7, 0.2e-7);
}

static void test_lift_sawicki_rounded_corner_leaves_the_law_by_what_is_stated(void **state)
{
    (void)state;
    double worst = 0, before = 0;
    for (int i = 1; i <= 400; i++) {
        double S = i * 1e-3, law = S <= 0.1 ? 1.5 * S : 0.09 + 0.6 * S;
        double cl = cl_at(ARC_LIFT_SAWICKI, S);
        worst = fmax(worst, fabs(cl - law));
        assert_true(cl > before && cl < law + 1e-12);
        before = cl;
    }
    assert_near(worst, 0.0034, 5e-5);
}

static void test_lift_table_from_zero_is_the_same_with_and_without_its_first_pair(void **state)
{
    (void)state;
    ArcFlightSettings settings = settings_of(2, 1, ARC_DRAG_NONE, ARC_LIFT_TABLE, 0);
    ArcFlight without = flight_of(settings);
    settings.lift_table = (ArcTable){4, {0, 0.1, 0.4, 1.2}, {0, 0.11, 0.25, 0.31}};
    ArcFlight with = flight_of(settings);
    assert_memory_equal(&with.lift_curve, &without.lift_curve, sizeof with.lift_curve);
}

/* The wind is what makes a ball at its velocity fall freely. */
static void assert_wind(const ArcFlight *flight, double t, double height, double vx, double vy)
{
    FlightPoint at = {t, {3, height}, {vx, vy}};
    double a[MAX_D], p[1] = {1};
    accelerate(flight, &at, p, a);
    assert_near(a[0], 0, 1e-12);
    assert_near(a[1], flight->gravity_m_s2[1], 1e-12);
}

static void test_wind_shear_and_gust_known_places_and_times(void **state)
{
    (void)state;
    ArcFlightSettings settings = arc_flight_settings_default();
    settings.drag = ARC_DRAG_LUMPED;
    settings.wind_m_s[0] = 4;
    settings.shear = (ArcShear){true, 0.25, 10, 2};
    ArcFlight flight = flight_of(settings);
    assert_wind(&flight, 0, 12, 4, 0);
    assert_wind(&flight, 0, 2 + 160, 8, 0);
    assert_wind(&flight, 0, 2 + 0.625, 2, 0);
    assert_wind(&flight, 0, 2, 0, 0);
    assert_wind(&flight, 0, -5, 0, 0);
    /* half way up the lowest hundredth: 0.01^0.25 (1/4) (3 - 0.25 - 1.75 / 2) */
    assert_wind(&flight, 0, 2 + 0.05, 4 * pow(0.01, 0.25) * 0.46875, 0);
    settings.gust = (ArcGust){true, {1, -3}, 0.5, 0.2};
    flight = flight_of(settings);
    assert_wind(&flight, 0.5, 12, 5, -3);
    assert_wind(&flight, 0.9, 12, 4 + exp(-2), -3 * exp(-2));
    assert_wind(&flight, 100, 12, 4, 0);
}

/* Value and slope are one function's on both sides of each joint. */
static void test_wind_shear_has_no_corner(void **state)
{
    (void)state;
    ArcFlightSettings settings = settings_of(2, 1, ARC_DRAG_LUMPED, ARC_LIFT_NONE, 2);
    settings.gust.is_on = false;
    settings.shear.ground_m = 0;
    ArcFlight flight = flight_of(settings);
    static const double joints[] = {0, 0.08};
    for (int i = 0; i < 2; i++) {
        double a[2][MAX_D], a_x[2][4], a_v[4], a_p[2], p[1] = {0.1}, t = 0;
        for (int side = 0; side < 2; side++) {
            double x[2] = {0, joints[i] + (side ? 1e-9 : -1e-9)}, v[2] = {5, 6};
            arc_flight_acceleration(&flight, 1, &t, x, v, p, a[side], a_x[side], a_v, a_p);
        }
        assert_near(a[0][0], a[1][0], 1e-7);
        assert_near(a_x[0][1], a_x[1][1], 1e-6);
        assert_true(i == 0 || fabs(a_x[0][1]) > 1);
    }
}

static void test_flight_create_added_mass_slows_gravity_and_drag_alike(void **state)
{
    (void)state;
    ArcFlightSettings settings = settings_of(2, 1, ARC_DRAG_QUADRATIC, ARC_LIFT_LINEAR, 0);
    ArcFlight plain = flight_of(settings);
    settings.added_mass = true;
    ArcFlight heavy = flight_of(settings);
    FlightPoint at = point_of(&plain, 0);
    double p[3] = {0.5, 1.2, -19}, a[2], b[2];
    accelerate(&plain, &at, p, a);
    accelerate(&heavy, &at, p, b);
    /* 0.70 % of a basketball's mass */
    assert_near(a[0] / b[0], 1.0070, 5e-5);
    assert_near(a[1] / b[1], a[0] / b[0], 1e-13);
}

static void test_flight_spin_decay_what_is_left_of_the_lift(void **state)
{
    (void)state;
    ArcFlightSettings settings = settings_of(2, 1, ARC_DRAG_NONE, ARC_LIFT_LUMPED, 0);
    settings.spin_decay = ARC_SPIN_DECAY_EXPONENTIAL;
    ArcFlight flight = flight_of(settings);
    FlightPoint at = {2, {0}, {10, 0, 40}};
    double a[MAX_D], p[3] = {0.1, -20, 4};
    accelerate(&flight, &at, p, a);
    assert_near(a[1] - flight.gravity_m_s2[1], 20 * exp(-0.5), 1e-12);
    settings.spin_decay = ARC_SPIN_DECAY_AERODYNAMIC;
    flight = flight_of(settings);
    p[2] = 0.01;
    accelerate(&flight, &at, p, a);
    assert_near(a[1] - flight.gravity_m_s2[1], 20 * exp(-0.4), 1e-12);
    assert_true(a[2] == 10);
}

static void test_gravity_at_known_places(void **state)
{
    (void)state;
    static const struct {
        double latitude_deg, height_m, gravity_m_s2;
    } rows[] = {{0, 0, 9.7803253359},  {90, 0, 9.8321849379},    {-90, 0, 9.8321849379},
                {45, 0, 9.8061977694}, {45, 1000, 9.8031119427}, {0, 1000, 9.7772388}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double g = 0;
        assert_int_equal(
            arc_gravity_at(rows[i].latitude_deg * M_PI / 180, rows[i].height_m, &g, NULL), ARC_OK);
        assert_near(g, rows[i].gravity_m_s2, rows[i].height_m > 0 ? 5e-6 : 2e-9);
    }
}

static void test_gravity_at_out_of_range_is_refused_with_the_value(void **state)
{
    (void)state;
    static const struct {
        double latitude_rad, height_m;
        const char *part;
    } rows[] = {{1.6, 0, "latitude 1.6"},
                {NAN, 0, "latitude"},
                {0, 60000, "height 60000 m"},
                {0, -2000, "height -2000"},
                {0, NAN, "height"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcError err = {0};
        double g = 7;
        assert_int_equal(arc_gravity_at(rows[i].latitude_rad, rows[i].height_m, &g, &err),
                         ARC_INPUT);
        assert_true(g == 7);
        assert_non_null(strstr(err.text, rows[i].part));
    }
}

/* Experiments know axes and curves by these rows. */
static void test_arm_laws_are_indexed_by_enumerator(void **state)
{
    (void)state;
    int n;
    const ArcLaw *laws = arc_joint_axes(&n);
    assert_int_equal(n, 3);
    assert_string_equal(laws[ARC_JOINT_PITCH].name, "pitch");
    assert_string_equal(laws[ARC_JOINT_YAW].name, "yaw");
    assert_string_equal(laws[ARC_JOINT_ROLL].name, "roll");
    laws = arc_torque_curves(&n);
    assert_int_equal(n, 4);
    assert_string_equal(laws[ARC_TORQUE_CONSTANT].name, "constant");
    assert_string_equal(laws[ARC_TORQUE_POLYNOMIAL].name, "polynomial");
    assert_string_equal(laws[ARC_TORQUE_TRAPEZOID].name, "trapezoid");
    assert_string_equal(laws[ARC_TORQUE_SPLINE].name, "spline");
}

/* Every parameter of an arm of one joint stands in the row of some equation or of its curve. */
static void test_arm_laws_name_every_parameter(void **state)
{
    (void)state;
    ArcArm arm;
    ArcArmSettings settings = arc_arm_settings_default();
    settings.dimensions = 3;
    settings.n_joints = 1;
    settings.has_encoders = settings.has_swing = true;
    settings.end_s = 1;
    assert_int_equal(arc_arm_create(&settings, &arm, NULL), ARC_OK);
    char names[1024] = " ";
    int n;
    const ArcLaw *terms = arc_arm_terms(&n);
    for (int i = 0; i < n; i++)
        strcat(strcat(names, terms[i].parameters), " ");
    strcat(strcat(names, arc_torque_curves(&n)[ARC_TORQUE_CONSTANT].parameters), " ");
    int n_listed = 0;
    for (const char *at = names; (at = strchr(at, ' ')) != NULL; at++)
        n_listed += at[1] != '\0' && at[1] != ' ';
    assert_int_equal(n_listed, arm.n_parameters);
    for (int k = 0; k < arm.n_parameters; k++) {
        char name[32];
        snprintf(name, sizeof name, " %s ", arm.parameters[k].name);
        if (strstr(names, name) == NULL)
            fail_msg("%s is in no row", arm.parameters[k].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flight_create_parameters_stand_in_the_documented_order),
        cmocka_unit_test(test_flight_is_position_free_not_with_shear),
        cmocka_unit_test(test_flight_create_ball_gives_constants_and_default_cd),
        cmocka_unit_test(test_flight_create_bad_settings_are_refused_with_the_reason),
        cmocka_unit_test(test_ball_presets_have_the_published_numbers),
        cmocka_unit_test(test_drag_laws_and_lift_laws_are_indexed_by_enumerator),
        cmocka_unit_test(test_arm_laws_are_indexed_by_enumerator),
        cmocka_unit_test(test_arm_laws_name_every_parameter),
        cmocka_unit_test(test_flight_settings_default_is_the_vacuum_in_the_plane),
        cmocka_unit_test(test_drag_logistic_soccer_falls_from_half_to_a_sixth),
        cmocka_unit_test(test_drag_morrison_known_reynolds_numbers_and_stokes_limit),
        cmocka_unit_test(test_drag_spin_dependent_counts_radians_a_second),
        cmocka_unit_test(test_drag_table_passes_its_pairs_and_neither_overshoots_nor_leaves),
        cmocka_unit_test(test_lift_laws_known_spin_parameters),
        cmocka_unit_test(test_lift_sawicki_rounded_corner_leaves_the_law_by_what_is_stated),
        cmocka_unit_test(test_lift_table_from_zero_is_the_same_with_and_without_its_first_pair),
        cmocka_unit_test(test_wind_shear_and_gust_known_places_and_times),
        cmocka_unit_test(test_wind_shear_has_no_corner),
        cmocka_unit_test(test_flight_create_added_mass_slows_gravity_and_drag_alike),
        cmocka_unit_test(test_flight_spin_decay_what_is_left_of_the_lift),
        cmocka_unit_test(test_gravity_at_known_places),
        cmocka_unit_test(test_gravity_at_out_of_range_is_refused_with_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
