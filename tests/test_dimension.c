/* Units as products: what they come to, which are alike, what is refused, and their suffixes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/dimension.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

static const ArcPlace place = {"f.yaml", 3, 5};

static void test_products_of_one_dimension_are_alike(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        double ratio; /* a in b */
    } rows[] = {
        {"N m/rad", "kg m^2/(s^2 rad)", 1},
        {"N s/m", "kg/s", 1},
        {"kN/m", "N/mm", 1},
        {"J", "N m", 1},
        {"W", "N m/s", 1},
        {"V s", "Wb", 1},
        {"V/A", "ohm", 1},
        {"1/F", "V/(A s)", 1},
        {"H", "V s/A", 1},
        {"T", "Wb/m^2", 1},
        {"S", "1/ohm", 1},
        {"C", "A s", 1},
        {"mbar", "Pa", 100},
        {"deg/s", "rad/s", M_PI / 180},
        {"rpm", "rad/s", M_PI / 30},
        {"N m/rpm", "N m s/rad", 30 / M_PI},
        {"km/h", "m/s", 1 / 3.6},
        {"1/min", "1/s", 1.0 / 60},
        {"g*cm^2", "kg m2", 1e-7},
        {"m s^-2", "m/s\xc2\xb2", 1},
        {"\xc2\xb5m", "m", 1e-6},
        {"N\xc2\xb7m", "N m", 1},
        {"1/(m s)", "1/m/s", 1},
        {"mmol/l", "mol/m^3", 1},
        {"%", "1", 0.01},
        {"m/m", "1", 1},
        {"px/s", "px/s", 1},
        {"lbf ft", "N m", 4.4482216152605 * 0.3048},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcDimension a, b;
        if (!arc_dimension_read(rows[i].a, &a, NULL, NULL) ||
            !arc_dimension_read(rows[i].b, &b, NULL, NULL))
            fail_msg("'%s' or '%s' is not known", rows[i].a, rows[i].b);
        if (!arc_dimension_is_alike(&a, &b) ||
            !(fabs(a.slope / b.slope - rows[i].ratio) <= 1e-14 * rows[i].ratio))
            fail_msg("%s is %.17g %s", rows[i].a, a.slope / b.slope, rows[i].b);
    }
}

static void test_products_of_other_dimensions_are_not(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"N m", "N m/rad"}, {"1/s", "rad/s"}, {"N", "kg"},
                                           {"px", "m"},        {"K", "1"},       {"V", "A"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        ArcDimension a, b;
        assert_true(arc_dimension_read(pairs[i][0], &a, NULL, NULL));
        assert_true(arc_dimension_read(pairs[i][1], &b, NULL, NULL));
        assert_false(arc_dimension_is_alike(&a, &b));
    }
}

/* Every unit of the table, but those with an offset and Hz, is what the table says of it. */
static void test_units_of_the_table_are_products(void **state)
{
    (void)state;
    for (int i = 0; arc_unit_at(i) != NULL; i++) {
        const ArcUnit *unit = arc_unit_at(i);
        ArcDimension own, si;
        if (unit->offset != 0 || strstr(unit->name, "Hz") != NULL ||
            strstr(unit->name, "krpm") != NULL || strcmp(unit->name, "Nm") == 0 ||
            strcmp(unit->name, "Nms") == 0)
            continue;
        if (!arc_dimension_read(unit->name, &own, NULL, NULL))
            fail_msg("'%s' is not known", unit->name);
        assert_true(arc_dimension_read(arc_quantity_unit(unit->quantity), &si, NULL, NULL));
        assert_true(arc_dimension_is_alike(&own, &si));
        if (!(fabs(own.slope / unit->slope - 1) <= 1e-14))
            fail_msg("'%s' is %.17g", unit->name, own.slope);
    }
}

static void test_what_is_no_product_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *unit, *wrong;
    } rows[] = {{"N furlong", "'furlong'"},
                {"", "''"},
                {"m/s s", "' s'"},
                {"m^0", "'^0'"},
                {"m^99", "'^99'"},
                {"1/(m s", "''"},
                {"degC/s", "'degC'"},
                {"Hz", "'Hz'"},
                {"/s", "'/'"},
                {"m//s", "'/'"},
                {"m^x", "'^'"},
                {"m)", "')'"},
                {"3 m", "'3'"},
                {"m + s", "'+'"},
                {"(m s)", "'('"},
                {"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", "'abcdefghijklmnopqrst'"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcError error = {ARC_OK, ""};
        assert_int_equal(arc_unit_check(rows[i].unit, "parameter 'k'", place, &error), ARC_INPUT);
        if (strncmp(error.text, "f.yaml:3:5: error: ", 19) != 0 ||
            strstr(error.text, "of parameter 'k' is not known") == NULL ||
            strstr(error.text, rows[i].wrong) == NULL)
            fail_msg("'%s' instead of %s", error.text, rows[i].wrong);
    }
    assert_int_equal(arc_unit_check("N m/rad", "parameter 'k'", place, NULL), ARC_OK);
}

static void test_read_as_takes_units_of_the_dimension(void **state)
{
    (void)state;
    static const struct {
        const char *text, *unit;
        double value;
    } rows[] = {{"3", "N m/rad", 3},        {"3 N cm/deg", "N m/rad", 3 * 0.01 * 180 / M_PI},
                {"20 degC", "K", 293.15},   {"2 Hz", "rad/s", 4 * M_PI},
                {"2 Hz", "1/s", 2},         {"50 %", "1", 0.5},
                {"2 kJ", "N m", 2000},      {"90 deg", "deg", 90},
                {"2 1/(V s)", "1/(V s)", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value = NAN;
        ArcError error = {ARC_OK, ""};
        if (arc_unit_read_as(rows[i].text, rows[i].unit, false, place, &value, &error) != ARC_OK)
            fail_msg("%s", error.text);
        if (!(fabs(value - rows[i].value) <= 1e-14 * fabs(rows[i].value)))
            fail_msg("'%s' is %.17g", rows[i].text, value);
    }
    static const char *const bad[][3] = {
        {"3 N m", "N m/rad", "'N m' is the unit of something else; N m/rad"},
        {"3 N stone", "N m/rad", "unknown unit 'N stone', because of 'stone'"},
        {"3 stone", "N m/rad", "unknown unit 'stone'; give one as N m/rad"},
        {"x", "N m/rad", "'x' is not a number"},
        {"1e308 GPa", "Pa", "'1e308 GPa' is too large"},
        {"3 kg", "m", "'kg' is the unit of a mass, but a length is wanted (m, cm"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value = 42;
        ArcError error = {ARC_OK, ""};
        assert_int_equal(arc_unit_read_as(bad[i][0], bad[i][1], false, place, &value, &error),
                         ARC_INPUT);
        if (strncmp(error.text, "f.yaml:3:5: error: ", 19) != 0 ||
            strstr(error.text, bad[i][2]) == NULL)
            fail_msg("'%s' instead of '%s'", error.text, bad[i][2]);
        assert_true(value == 42);
    }
}

static void test_suffixes_find_their_units(void **state)
{
    (void)state;
    static const struct {
        const char *unit, *suffix;
    } written[] = {
        {"N m", "n_m"},   {"m/s^2", "m_s2"},  {"kg m^2", "kg_m2"},      {"1", ""},
        {"1/s", "per_s"}, {"rad/s", "rad_s"}, {"1/(kg m)", "per_kg_m"}, {"N m s/rad", "n_m_s_rad"}};
    char suffix[32];
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++)
        assert_string_equal(arc_dimension_suffix(written[i].unit, suffix, sizeof suffix),
                            written[i].suffix);
    assert_string_equal(arc_dimension_suffix("kg m^2", suffix, 4), "kg_");
    ArcDimension angle, length;
    bool is_unit = false;
    assert_true(arc_dimension_read("rad", &angle, NULL, NULL));
    assert_true(arc_dimension_read("m", &length, NULL, NULL));
    assert_true(arc_dimension_of_suffix("deg", &angle, NULL) == M_PI / 180);
    assert_true(arc_dimension_of_suffix("mm", &length, NULL) == 1e-3);
    assert_true(isnan(arc_dimension_of_suffix("kg", &length, &is_unit)) && is_unit);
    assert_true(isnan(arc_dimension_of_suffix("dot", &length, &is_unit)) && !is_unit);
    assert_true(isnan(arc_dimension_of_suffix("f", &length, &is_unit)) && !is_unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products_of_one_dimension_are_alike),
        cmocka_unit_test(test_products_of_other_dimensions_are_not),
        cmocka_unit_test(test_units_of_the_table_are_products),
        cmocka_unit_test(test_what_is_no_product_is_told),
        cmocka_unit_test(test_read_as_takes_units_of_the_dimension),
        cmocka_unit_test(test_suffixes_find_their_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
