/* The table of settings: the equations of motion and the release. */
#include "experiment/settings_rows.h"

#include <math.h>

static const char *axis_name(int index)
{
    static const char *const names[] = {"x", "y", "z"};
    return choice_of(names, 3, index);
}

static const char *drag_name(int index)
{
    int n;
    const ArcLaw *laws = arc_drag_laws(&n);
    return index >= 0 && index < n ? laws[index].name : NULL;
}

static const char *lift_name(int index)
{
    int n;
    const ArcLaw *laws = arc_lift_laws(&n);
    return index >= 0 && index < n ? laws[index].name : NULL;
}

static const char *spin_decay_name(int index)
{
    int n;
    const ArcLaw *laws = arc_spin_decay_laws(&n);
    return index >= 0 && index < n ? laws[index].name : NULL;
}

static const char *release_name(int index)
{
    static const char *const names[] = {"cartesian", "polar", "arm"};
    return choice_of(names, 3, index);
}

static const ArcSettingRow rows[] = {
    {"flight", ARC_SETTING_SPECIAL, "{}", NULL, "the equations of motion", NO_FIELD,
     READ(arc_special_flight, "a mapping", "KEYS")},
    {"flight.dimensions", ARC_SETTING_WHOLE, "2", NULL, "2: the plane, x and y; 3: space",
     OF(flight_settings.dimensions), RANGE(ARC_ONE, 2, 3)},
    {"flight.up", ARC_SETTING_CHOICE, NULL, "y in the plane, z in space", "the axis that points up",
     OF(flight_settings.up), CHOICE(axis_name)},
    {"flight.gravity", ARC_SETTING_SPECIAL, "9.80665 m/s^2", NULL,
     "size of gravity, or the place on earth that has it", OF(flight_settings.gravity_m_s2),
     ARC_ACCELERATION, 0, 1e3, NULL, arc_special_gravity,
     "an acceleration, 0 to 1000 m/s^2, or {latitude: angle, height: length}", "NUMBER|KEYS"},
    {"flight.gravity.latitude", ARC_SETTING_NUMBER, NULL, "required", "geodetic latitude",
     OF(flight_settings.latitude_rad), RANGE(ARC_ANGLE, -M_PI / 2, M_PI / 2)},
    {"flight.gravity.height", ARC_SETTING_NUMBER, "0 m", NULL,
     "height above the sea (strictly: the ellipsoid)", OF(flight_settings.height_m),
     RANGE(ARC_LENGTH, -1e3, 5e4)},
    {"flight.ball", ARC_SETTING_SPECIAL, "none", NULL, "the ball; physical laws need one",
     OF(flight_settings.ball),
     READ(arc_special_ball, "none, a preset's name, or a mapping", "none|BALL|KEYS")},
    {"flight.ball.mass", ARC_SETTING_NUMBER, NULL, "required", "of a ball without preset",
     OF(flight_settings.ball.mass_kg), RANGE(ARC_MASS, 1e-9, 1e6)},
    {"flight.ball.diameter", ARC_SETTING_NUMBER, NULL, "required", "of a ball without preset",
     OF(flight_settings.ball.diameter_m), RANGE(ARC_LENGTH, 1e-6, 1e3)},
    {"flight.air", ARC_SETTING_SECTION, NULL, "20 degC, 101325 Pa, 50 %",
     "the air's state, or its density", NO_FIELD, PLAIN},
    {"flight.air.temperature", ARC_SETTING_NUMBER, "20 degC", NULL, "temperature",
     OF(flight_settings.air.temperature_k), RANGE(ARC_TEMPERATURE, 233.15, 333.15)},
    {"flight.air.pressure", ARC_SETTING_NUMBER, "101325 Pa", NULL,
     "measured at the place, not reduced to sea level", OF(flight_settings.air.pressure_pa),
     RANGE(ARC_PRESSURE, 3e4, 1.1e5)},
    {"flight.air.humidity", ARC_SETTING_NUMBER, "0.5", NULL, "relative humidity",
     OF(flight_settings.air.humidity), RANGE(ARC_ONE, 0, 1)},
    {"flight.air.density", ARC_SETTING_NUMBER, NULL, "from the three above", "density, instead",
     OF(flight_settings.air.density_kg_m3), RANGE(ARC_DENSITY, 1e-9, 2e3)},
    {"flight.wind", ARC_SETTING_SPECIAL, NULL, "none",
     "velocity of the air, one entry an axis, or more about it", NO_FIELD, ARC_SPEED, -1e3, 1e3,
     NULL, arc_special_wind, "a list of speeds, or a mapping", "[NUMBER 2..3]|KEYS"},
    {"flight.wind.velocity", ARC_SETTING_SPECIAL, NULL, "none",
     "velocity of the air, one entry an axis; with shear, at its height",
     OF(flight_settings.wind_m_s), ARC_SPEED, -1e3, 1e3, NULL, arc_special_velocity,
     "a list of speeds", "[NUMBER 2..3]"},
    {"flight.wind.shear", ARC_SETTING_SPECIAL, NULL, "none", "wind that grows with the height",
     OF(flight_settings.shear.is_on), READ(arc_special_shear, "a mapping", "KEYS")},
    {"flight.wind.shear.exponent", ARC_SETTING_NUMBER, "0.143", NULL,
     "power of the height above the ground", OF(flight_settings.shear.exponent),
     RANGE(ARC_ONE, 0, 1)},
    {"flight.wind.shear.height", ARC_SETTING_NUMBER, "10 m", NULL,
     "height above the ground that has the given velocity", OF(flight_settings.shear.height_m),
     RANGE(ARC_LENGTH, 1e-3, 1e4)},
    {"flight.wind.shear.ground", ARC_SETTING_NUMBER, "0 m", NULL,
     "the ground, along the axis that points up", OF(flight_settings.shear.ground_m),
     RANGE(ARC_LENGTH, -1e7, 1e7)},
    {"flight.wind.gust", ARC_SETTING_SPECIAL, NULL, "none", "a pulse of the wind, added to it",
     OF(flight_settings.gust.is_on), READ(arc_special_gust, "a mapping", "KEYS")},
    {"flight.wind.gust.velocity", ARC_SETTING_SPECIAL, NULL, "required",
     "at its height, one entry an axis", OF(flight_settings.gust.velocity_m_s), ARC_SPEED, -1e3,
     1e3, NULL, arc_special_velocity, "a list of speeds", "[NUMBER 2..3]"},
    {"flight.wind.gust.time", ARC_SETTING_NUMBER, NULL, "required", "of its height, since release",
     OF(flight_settings.gust.time_s), RANGE(ARC_TIME, -1e6, 1e6)},
    {"flight.wind.gust.width", ARC_SETTING_NUMBER, NULL, "required",
     "standard deviation of its bell curve in time", OF(flight_settings.gust.width_s),
     RANGE(ARC_TIME, 1e-6, 1e6)},
    {"flight.drag", ARC_SETTING_CHOICE, "none", NULL, "law of drag (see `arcfit models`)",
     OF(flight_settings.drag), CHOICE(drag_name)},
    {"flight.drag_table", ARC_SETTING_SPECIAL, NULL, "none; drag: table needs one",
     "drag coefficient by speed", OF(flight_settings.drag_table), ARC_SPEED, 0, 100, NULL,
     arc_special_table, "a list of 2 to 32 pairs [speed, cd], the speeds rising", "[PAIR 2..32]"},
    {"flight.lift", ARC_SETTING_CHOICE, "none", NULL, "law of lift (see `arcfit models`)",
     OF(flight_settings.lift), CHOICE(lift_name)},
    {"flight.lift_table", ARC_SETTING_SPECIAL, NULL, "none; lift: table needs one",
     "lift coefficient by spin parameter", OF(flight_settings.lift_table), ARC_ONE, -100, 100, NULL,
     arc_special_table, "a list of 2 to 32 pairs [S, cl], S rising", "[PAIR 2..32]"},
    {"flight.spin_decay", ARC_SETTING_CHOICE, "none", NULL, "how spin fades (see `arcfit models`)",
     OF(flight_settings.spin_decay), CHOICE(spin_decay_name)},
    {"flight.buoyancy", ARC_SETTING_FLAG, NULL, "true with a ball, else false",
     "the air's buoyancy", OF(flight_settings.buoyancy), PLAIN},
    {"flight.added_mass", ARC_SETTING_FLAG, "false", NULL,
     "inertia of the air that moves with the ball", OF(flight_settings.added_mass), PLAIN},
    {"flight.bounce", ARC_SETTING_SPECIAL, "none", NULL,
     "a plane that the ball bounces on, once or more, from either side",
     OF(flight_settings.bounce.is_on), READ(arc_special_bounce, "none, or a mapping", "none|KEYS")},
    {"flight.bounce.restitution", ARC_SETTING_NUMBER, "0.75", NULL,
     "normal speed after over before; freed as the parameter of that name, as are the next two",
     OF(flight_settings.bounce.restitution), RANGE(ARC_ONE, 0, 1)},
    {"flight.bounce.friction", ARC_SETTING_NUMBER, "0.5", NULL, "of the ball sliding on the plane",
     OF(flight_settings.bounce.friction), RANGE(ARC_ONE, 0, 10)},
    {"flight.bounce.spin_coupling", ARC_SETTING_NUMBER, "1.5", NULL,
     "mass times radius squared over moment of inertia: thin shell 1.5, solid ball 2.5",
     OF(flight_settings.bounce.spin_coupling), RANGE(ARC_ONE, 0, 100)},
    {"flight.bounce.plane", ARC_SETTING_SPECIAL, NULL, "required",
     "where the ball's centre is when it touches", OF(flight_settings.bounce.plane), ARC_LENGTH,
     -1e7, 1e7, NULL, arc_special_plane, "axis=level, as y=0.12 m", "PLANE"},

    {"release", ARC_SETTING_CHOICE, "cartesian", NULL,
     "cartesian: vx0 vy0 vz0; polar: speed angle azimuth; arm: it follows from the arm",
     OF(release), CHOICE(release_name)},
};

const ArcSettingPart arc_settings_flight = PART(rows);
