/* Air density against values computed independently from the CIPM-2007 equation. */
#include "arcfit/flight.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_air_density_reference_states_to_the_last_digit(void **state)
{
    (void)state;
    static const struct {
        double celsius, pressure_pa, humidity, density_kg_m3;
    } rows[] = {
        {20, 101325, 0.5, 1.199314}, {20, 101325, 0, 1.204557},  {15, 101325, 0, 1.225521},
        {30, 101325, 0.8, 1.150012}, {20, 83400, 0.4, 0.987204},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcAir air = {rows[i].celsius + 273.15, rows[i].pressure_pa, rows[i].humidity, 0};
        double density = 0;
        assert_int_equal(arc_air_density(&air, &density, NULL), ARC_OK);
        assert_true(fabs(density - rows[i].density_kg_m3) < 5.1e-7);
    }
}

static void test_air_density_given_is_taken_as_it_is(void **state)
{
    (void)state;
    ArcAir air = {.temperature_k = NAN, .density_kg_m3 = 1.2};
    double density = 0;
    assert_int_equal(arc_air_density(&air, &density, NULL), ARC_OK);
    assert_true(density == 1.2);
}

static void test_air_density_out_of_range_is_refused_with_the_value(void **state)
{
    (void)state;
    static const struct {
        ArcAir air;
        const char *part;
    } rows[] = {
        {{20, 101325, 0.5, 0}, "temperature 20 K"},    {{334, 101325, 0.5, 0}, "temperature"},
        {{293, 29999, 0.5, 0}, "pressure 29999 Pa"},   {{293, 1013, 0.5, 0}, "pressure"},
        {{293, 110001, 0.5, 0}, "pressure"},           {{293, 101325, 50, 0}, "humidity 50"},
        {{293, 101325, -0.1, 0}, "humidity"},          {{293, 101325, 0.5, -1.2}, "density -1.2"},
        {{NAN, 101325, 0.5, 0}, "temperature"},        {{293, NAN, 0.5, 0}, "pressure"},
        {{293, 101325, NAN, 0}, "humidity"},           {{293, 101325, 0.5, NAN}, "density"},
        {{293, 101325, 0.5, INFINITY}, "density inf"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcError err = {0};
        double density = 7;
        assert_int_equal(arc_air_density(&rows[i].air, &density, &err), ARC_INPUT);
        assert_true(density == 7);
        assert_non_null(strstr(err.text, rows[i].part));
    }
}

/* 1.7894e-5 Pa s at 15 degC is the standard atmosphere's own. */
static void test_air_viscosity_standard_atmosphere(void **state)
{
    (void)state;
    ArcAir air = {288.15, 101325, 0, 1.225};
    double viscosity = 0;
    assert_int_equal(arc_air_viscosity(&air, &viscosity, NULL), ARC_OK);
    assert_true(fabs(viscosity * 1.225 - 1.7894e-5) < 5e-10);
    air.temperature_k = 20;
    assert_int_equal(arc_air_viscosity(&air, &viscosity, NULL), ARC_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_air_density_reference_states_to_the_last_digit),
        cmocka_unit_test(test_air_density_given_is_taken_as_it_is),
        cmocka_unit_test(test_air_density_out_of_range_is_refused_with_the_value),
        cmocka_unit_test(test_air_viscosity_standard_atmosphere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
