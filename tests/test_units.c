/* Units: known conversions, the traps, and what is refused. */
#include "base/units.h"

#include "arcfit/experiment.h"
#include "arcfit/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ArcPlace place = {"f.yaml", 3, 5};

static void assert_reads(const char *text, ArcQuantity quantity, bool is_difference,
                         double expected)
{
    double value = NAN;
    ArcError error = {ARC_OK, ""};
    if (arc_unit_read(text, quantity, is_difference, place, &value, &error) != ARC_OK)
        fail_msg("%s", error.text);
    if (!(fabs(value - expected) <= 4e-16 * fabs(expected)))
        fail_msg("'%s' is %.17g instead of %.17g", text, value, expected);
}

static void test_read_conversions_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ArcQuantity quantity;
        double value;
    } rows[] = {
        {"3", ARC_LENGTH, 3},
        {"3 mm", ARC_LENGTH, 0.003},
        {"3mm", ARC_LENGTH, 0.003},
        {"-2.5e1 cm", ARC_LENGTH, -0.25},
        {"7 um", ARC_LENGTH, 7e-6},
        {"7 \xc2\xb5m", ARC_LENGTH, 7e-6},
        {"1 km", ARC_LENGTH, 1000},
        {"1 in", ARC_LENGTH, 0.0254},
        {"18 inch", ARC_LENGTH, 0.4572},
        {"10 ft", ARC_LENGTH, 3.048},
        {"1 yd", ARC_LENGTH, 0.9144},
        {"45.93 g", ARC_MASS, 0.04593},
        {"1 lb", ARC_MASS, 0.45359237},
        {"16 oz", ARC_MASS, 0.45359237},
        {"0.62 kg", ARC_MASS, 0.62},
        {"5 ms", ARC_TIME, 0.005},
        {"5 us", ARC_TIME, 5e-6},
        {"2 min", ARC_TIME, 120},
        {"0.9 s", ARC_TIME, 0.9},
        {"180 deg", ARC_ANGLE, M_PI},
        {"180 \xc2\xb0", ARC_ANGLE, M_PI},
        {"0.5 rev", ARC_ANGLE, M_PI},
        {"1.5 rad", ARC_ANGLE, 1.5},
        {"36 km/h", ARC_SPEED, 10},
        {"1 mph", ARC_SPEED, 0.44704},
        {"10 ft/s", ARC_SPEED, 3.048},
        {"10 cm/s", ARC_SPEED, 0.1},
        {"-3 Hz", ARC_ANGULAR_RATE, -18.849555921538759},
        {"180 rpm", ARC_ANGULAR_RATE, 18.849555921538759},
        {"3 rps", ARC_ANGULAR_RATE, 18.849555921538759},
        {"180 deg/s", ARC_ANGULAR_RATE, M_PI},
        {"2 rad/s", ARC_ANGULAR_RATE, 2},
        {"9.81 m/s^2", ARC_ACCELERATION, 9.81},
        {"9.81 m/s2", ARC_ACCELERATION, 9.81},
        {"9.81 m/s\xc2\xb2", ARC_ACCELERATION, 9.81},
        {"10 ft/s^2", ARC_ACCELERATION, 3.048},
        {"20 degC", ARC_TEMPERATURE, 293.15},
        {"20 \xc2\xb0"
         "C",
         ARC_TEMPERATURE, 293.15},
        {"-40 degF", ARC_TEMPERATURE, 233.15},
        {"68 degF", ARC_TEMPERATURE, 293.15},
        {"293.15 K", ARC_TEMPERATURE, 293.15},
        {"1013.25 hPa", ARC_PRESSURE, 101325},
        {"1013.25 mbar", ARC_PRESSURE, 101325},
        {"101.325 kPa", ARC_PRESSURE, 101325},
        {"1 atm", ARC_PRESSURE, 101325},
        {"1 bar", ARC_PRESSURE, 1e5},
        {"1 mmHg", ARC_PRESSURE, 133.322387415},
        {"1.2 kg/m^3", ARC_DENSITY, 1.2},
        {"0.5 g/cm3", ARC_DENSITY, 500},
        {"28 cm^2", ARC_AREA, 28e-4},
        {"0.02 1/m", ARC_PER_LENGTH, 0.02},
        {"1 1/ft", ARC_PER_LENGTH, 1 / 0.3048},
        {"50 %", ARC_ONE, 0.5},
        {"50%", ARC_ONE, 0.5},
        {"0.5 1", ARC_ONE, 0.5},
        {"1.5 px", ARC_PIXELS, 1.5},
        {"0.04 kg m^2", ARC_INERTIA, 0.04},
        {"400 kg cm2", ARC_INERTIA, 0.04},
        {"5e4 g cm^2", ARC_INERTIA, 0.005},
        {"3 N m", ARC_TORQUE, 3},
        {"3 Nm", ARC_TORQUE, 3},
        {"25 N cm", ARC_TORQUE, 0.25},
        {"2 lbf ft", ARC_TORQUE, 2.7116358966628007},
        {"0.1 N m s", ARC_DAMPING, 0.1},
        {"0.1 Nms", ARC_DAMPING, 0.1},
        {"21 J", ARC_ENERGY, 21},
        {"0.021 kJ", ARC_ENERGY, 21},
        {"21000 mJ", ARC_ENERGY, 21},
        {"20000 N/m", ARC_STIFFNESS, 20000},
        {"20 kN/m", ARC_STIFFNESS, 20000},
        {"200 N/cm", ARC_STIFFNESS, 20000},
        {"20 N/mm", ARC_STIFFNESS, 20000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_reads(rows[i].text, rows[i].quantity, false, rows[i].value);
}

static void test_read_difference_takes_slope_only(void **state)
{
    (void)state;
    assert_reads("1 degC", ARC_TEMPERATURE, true, 1);
    assert_reads("9 degF", ARC_TEMPERATURE, true, 5);
    assert_reads("2 K", ARC_TEMPERATURE, true, 2);
    assert_reads("3 mm", ARC_LENGTH, true, 0.003);
}

static void assert_refused(const char *text, ArcQuantity quantity, const char *message)
{
    double value = 42;
    ArcError error = {ARC_OK, ""};
    assert_int_equal(arc_unit_read(text, quantity, false, place, &value, &error), ARC_INPUT);
    if (strncmp(error.text, "f.yaml:3:5: error: ", 19) != 0 || strstr(error.text, message) == NULL)
        fail_msg("'%s' instead of '%s'", error.text, message);
    assert_true(value == 42);
}

static void test_read_bad_values_are_refused(void **state)
{
    (void)state;
    assert_refused("3 kg", ARC_LENGTH, "'kg' is the unit of a mass, but a length is wanted (m, cm");
    assert_refused("3 rad", ARC_ONE, "'rad' is the unit of an angle");
    assert_refused("3 Hz", ARC_ANGLE, "'Hz' is the unit of an angular rate");
    assert_refused("3 mmm", ARC_LENGTH, "unknown unit 'mmm'; did you mean 'mm'?");
    assert_refused("3 parsec", ARC_LENGTH, "unknown unit 'parsec'; units of a length: m, cm, mm");
    assert_refused("3 MM", ARC_LENGTH, "unknown unit 'MM'");
    assert_refused("3 m m", ARC_LENGTH, "unknown unit 'm m'");
    assert_refused("mm", ARC_LENGTH, "'mm' is not a number; a length is wanted");
    assert_refused("", ARC_LENGTH, "'' is not a number");
    assert_refused(".nan", ARC_LENGTH, "'.nan' is not a number");
    assert_refused("nan", ARC_LENGTH, "'nan' is not a number");
    assert_refused("-.inf", ARC_LENGTH, "'-.inf' is not a number");
    assert_refused("0x10", ARC_LENGTH, "unknown unit 'x10'");
    assert_refused("1,5 m", ARC_LENGTH, "the decimal mark is a point");
    assert_refused("1e400", ARC_LENGTH, "'1e400' is too large");
    assert_refused("1e308 km", ARC_LENGTH, "'1e308 km' is too large");
    assert_refused("3 mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm", ARC_LENGTH, "unknown unit");
}

static void test_slope_of_unit_alone(void **state)
{
    (void)state;
    double slope = 0;
    ArcError error = {ARC_OK, ""};
    assert_int_equal(arc_unit_slope("ms", ARC_TIME, place, &slope, &error), ARC_OK);
    assert_true(slope == 1e-3);
    assert_int_equal(arc_unit_slope("mm", ARC_TIME, place, &slope, &error), ARC_INPUT);
    assert_non_null(strstr(error.text, "'mm' is the unit of a length, but a time is wanted"));
    assert_true(slope == 1e-3);
}

static void test_quantity_unit_finds_its_quantity(void **state)
{
    (void)state;
    for (int i = 0; i < ARC_N_QUANTITIES; i++) {
        ArcQuantity quantity, found = ARC_N_QUANTITIES;
        quantity = (ArcQuantity)i;
        assert_true(arc_quantity_find(arc_quantity_unit(quantity), &found));
        assert_int_equal(found, quantity);
        assert_true(strlen(arc_quantity_text(quantity)) > 0);
        double slope = 0;
        assert_int_equal(arc_unit_slope(arc_quantity_unit(quantity), quantity, place, &slope, NULL),
                         ARC_OK);
        assert_true(slope == 1);
    }
    ArcQuantity none = ARC_MASS;
    assert_false(arc_quantity_find("stone", &none));
    assert_int_equal(none, ARC_MASS);
}

static void test_value_read_takes_the_units_of_an_si_unit(void **state)
{
    (void)state;
    double value = 0;
    ArcError error;
    assert_int_equal(arc_value_read("305 cm", "m", place, &value, &error), ARC_OK);
    assert_true(fabs(value - 3.05) < 1e-15);
    assert_int_equal(arc_value_read("3 kg", "m", place, &value, &error), ARC_INPUT);
    assert_memory_equal(error.text, "f.yaml:3:5: error: ", 19);
    assert_int_equal(arc_value_read("3", "furlong", place, &value, &error), ARC_USAGE);
    assert_true(fabs(value - 3.05) < 1e-15);
}

static void test_units_text_names_every_quantity(void **state)
{
    (void)state;
    char *text;
    assert_int_equal(arc_units_text(&text, NULL), ARC_OK);
    for (int q = 0; q < ARC_N_QUANTITIES; q++) {
        assert_non_null(strstr(text, arc_quantity_text((ArcQuantity)q)));
        assert_non_null(strstr(text, arc_quantity_unit((ArcQuantity)q)));
    }
    arc_text_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_conversions_are_exact),
        cmocka_unit_test(test_read_difference_takes_slope_only),
        cmocka_unit_test(test_read_bad_values_are_refused),
        cmocka_unit_test(test_slope_of_unit_alone),
        cmocka_unit_test(test_value_read_takes_the_units_of_an_si_unit),
        cmocka_unit_test(test_units_text_names_every_quantity),
        cmocka_unit_test(test_quantity_unit_finds_its_quantity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
