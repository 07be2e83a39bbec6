/* The table of settings. To add one: a field in a public struct, its default there, a row here. */
#include "experiment/settings.h"

#include "arcfit/recording.h"

#include <math.h>
#include <string.h>

static const char *choice_of(const char *const *names, int n, int index)
{
    return index >= 0 && index < n ? names[index] : NULL;
}

static const char *axis_name(int index)
{
    static const char *const names[] = {"x", "y", "z"};
    return choice_of(names, 3, index);
}

static const char *split_name(int index)
{
    static const char *const names[] = {"none", "auto"};
    return choice_of(names, 2, index);
}

static const char *format_name(int index)
{
    return index == 0 ? "auto" : arc_format_name(index - 1);
}

static const char *rows_from_name(int index)
{
    static const char *const names[] = {"auto", "top", "bottom"};
    return choice_of(names, 3, index);
}

static const char *lens_model_name(int index)
{
    static const char *const names[] = {"pinhole", "fisheye"};
    return choice_of(names, 2, index);
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
    static const char *const names[] = {"cartesian", "polar"};
    return choice_of(names, 2, index);
}

static const char *sharing_name(int index)
{
    static const char *const names[] = {"shared", "per-flight", "hierarchical"};
    return choice_of(names, 3, index);
}

const char *arc_loss_name(int index)
{
    static const char *const names[] = {"gauss", "huber", "cauchy", "student-t"};
    return choice_of(names, 4, index);
}

const char *arc_optimizer_name(int index)
{
    static const char *const names[] = {"linear", "lm", "adam", "lbfgs"};
    return choice_of(names, 4, index);
}

const char *arc_law_stage_name(int index)
{
    static const char *const names[] = {"vacuum", "drag", "lift", "spin_decay"};
    return choice_of(names, ARC_N_LAW_STAGES, index);
}

static const char *schedule_name(int index)
{
    static const char *const names[] = {"constant", "cosine", "exponential"};
    return choice_of(names, 3, index);
}

static const char *weighting_name(int index)
{
    static const char *const names[] = {"fixed", "gradient-norm", "self-adaptive", "causal"};
    return choice_of(names, 4, index);
}

static const char *bootstrap_name(int index)
{
    static const char *const names[] = {"residual", "case"};
    return choice_of(names, 2, index);
}

static const char *collocation_name(int index)
{
    static const char *const names[] = {"gauss", "uniform", "random", "adaptive"};
    return choice_of(names, 4, index);
}

#define FIELD_FOR(type, field, optimizer)                                                          \
    offsetof(type, field), sizeof(((type *)NULL)->field), optimizer
#define FIELD(type, field) FIELD_FOR(type, field, NULL)
#define OF(field) FIELD(ArcExperiment, field)
#define NO_FIELD 0, 0, NULL
#define CAMERA(field) FIELD(ArcCameraSettings, field)
#define ADAM(field) FIELD_FOR(ArcStage, field, "adam")
#define RANGE(quantity, low, high) quantity, low, high, NULL, NULL, NULL
#define CHOICE(function) ARC_ONE, 0, 0, function, NULL, NULL
#define READ(function, accepts) ARC_ONE, 0, 0, NULL, function, accepts
#define PLAIN ARC_ONE, 0, 0, NULL, NULL, NULL
#define COLUMN(role)                                                                               \
    {                                                                                              \
        "capture.columns." role, ARC_SETTING_SPECIAL, NULL, "by the header's name",                \
            "the file's column that holds " role, NO_FIELD,                                        \
            READ(arc_special_column, "a column's name")                                            \
    }

static const ArcSettingRow rows[] = {
    {"arcfit", ARC_SETTING_WHOLE, NULL, "required", "version of the file's format", NO_FIELD,
     RANGE(ARC_ONE, 1, 1)},
    {"name", ARC_SETTING_TEXT, NULL, "the file's name", "a title for reports", OF(name), PLAIN},

    {"capture", ARC_SETTING_SPECIAL, "{}", NULL, "what the cameras saw", NO_FIELD,
     READ(arc_special_capture, "a mapping, or a list of them, a flight each")},
    {"capture.file", ARC_SETTING_FILE, NULL, "none; only simulate goes without",
     "the points' file; a list of names: a flight each, with the other keys in common",
     OF(capture.file), PLAIN},
    {"capture.format", ARC_SETTING_CHOICE, "auto", NULL, "the file's format", OF(capture.format),
     CHOICE(format_name)},
    {"capture.track", ARC_SETTING_TEXT, NULL, "the only one", "which of several in the file",
     OF(capture.track), PLAIN},
    {"capture.flight", ARC_SETTING_WHOLE, NULL, "all, fitted together",
     "which of the flights that the file counts", OF(capture.flight_number),
     RANGE(ARC_ONE, 0, 1e9)},
    {"capture.rate", ARC_SETTING_NUMBER, NULL, "the file's own times",
     "frames a second, of a file that has frames and no times, or rounded ones",
     OF(capture.rate_per_s), RANGE(ARC_FREQUENCY, 1e-6, 1e9)},
    {"capture.image", ARC_SETTING_SECTION, NULL, "the file's own",
     "size of the pictures, which some files cannot tell", NO_FIELD, PLAIN},
    {"capture.image.width", ARC_SETTING_NUMBER, NULL, "the file's own", "in pixels",
     OF(capture.image_px[0]), RANGE(ARC_ONE, 1, 1e6)},
    {"capture.image.height", ARC_SETTING_NUMBER, NULL, "the file's own", "in pixels",
     OF(capture.image_px[1]), RANGE(ARC_ONE, 1, 1e6)},
    {"capture.offsets", ARC_SETTING_FILE, NULL, "PREFIXoffsets beside PREFIXxypts, if any",
     "the cameras' frame offsets, of DLTdv or Argus", OF(capture.offsets), PLAIN},
    {"capture.views", ARC_SETTING_WHOLE, NULL, "by the file, or its offsets",
     "cameras a point, of a table that does not name them", OF(capture.n_views),
     RANGE(ARC_ONE, 1, 1000)},
    {"capture.rows_from", ARC_SETTING_CHOICE, "auto", NULL,
     "from where pixels count rows, if not as the format has it; bottom needs image.height",
     OF(capture.rows_from), CHOICE(rows_from_name)},
    {"capture.sigma", ARC_SETTING_SPECIAL, NULL, "the file's own",
     "standard deviation of points that bring none; estimate: one factor of all of them is fitted",
     OF(capture.sigma_m), ARC_LENGTH, 1e-12, 1e3, NULL, arc_special_sigma,
     "estimate, pixels as 0.5 px, or a length, 1e-12 to 1000 m"},
    {"capture.cameras", ARC_SETTING_SPECIAL, "{}", NULL,
     "the cameras of points in pixels, by name; one alone need not be named in the file",
     OF(capture.cameras), READ(arc_special_cameras, "a mapping by name")},
    {"capture.cameras.NAME", ARC_SETTING_SPECIAL, NULL, "none",
     "known by calibration, focal or stick; by none of them it sees a plane, 1 m a pixel", NO_FIELD,
     READ(NULL, "a mapping")},
    {"capture.cameras.NAME.calibration", ARC_SETTING_FILE, NULL, "none", "calibration file",
     CAMERA(calibration), PLAIN},
    {"capture.cameras.NAME.entry", ARC_SETTING_TEXT, NULL, "the only one",
     "which of the calibration's cameras, by name or by number", CAMERA(entry), PLAIN},
    {"capture.cameras.NAME.dlt_rows_from", ARC_SETTING_CHOICE, NULL, "capture.rows_from",
     "where its DLT coefficients count rows from: top, DLTdv 8; bottom, DLTdv 5 to 7 and Argus",
     CAMERA(dlt_rows_from), CHOICE(rows_from_name)},
    {"capture.cameras.NAME.unit", ARC_SETTING_SPECIAL, NULL, "m",
     "unit of the calibration's lengths", CAMERA(unit_m), ARC_LENGTH, 0, 0, NULL, arc_special_scale,
     "a unit of length"},
    {"capture.cameras.NAME.file", ARC_SETTING_FILE, NULL, "the capture's",
     "file of this camera's points", CAMERA(file), PLAIN},
    {"capture.cameras.NAME.format", ARC_SETTING_CHOICE, NULL, "the capture's", "its format",
     CAMERA(format), CHOICE(format_name)},
    {"capture.cameras.NAME.sigma", ARC_SETTING_NUMBER, NULL, "the capture's",
     "standard deviation of points that bring none", CAMERA(sigma_px),
     RANGE(ARC_PIXELS, 1e-9, 1e6)},
    {"capture.cameras.NAME.focal", ARC_SETTING_SPECIAL, NULL, "none",
     "focal length, where there is no calibration; of both axes, or of each", CAMERA(focal_px),
     ARC_PIXELS, 1e-3, 1e9, NULL, arc_special_focal, "a number of pixels, or [fx, fy]"},
    {"capture.cameras.NAME.centre", ARC_SETTING_SPECIAL, NULL, "required with focal",
     "where its axis meets the image", CAMERA(centre_px), ARC_PIXELS, -1e9, 1e9, NULL,
     arc_special_numbers, "[u, v]"},
    {"capture.cameras.NAME.lens", ARC_SETTING_SPECIAL, NULL, "none",
     "distortion in OpenCV's order: k1 k2 p1 p2 k3 k4 k5 k6 s1 s2 s3 s4 tau_x tau_y; fisheye k1 "
     "to k4",
     CAMERA(lens), ARC_ONE, -1e9, 1e9, NULL, arc_special_lens,
     "a list of 4, 5, 8, 12 or 14 numbers"},
    {"capture.cameras.NAME.lens_model", ARC_SETTING_CHOICE, NULL, "the calibration's, else pinhole",
     "which lens, of the distortion given here or of a calibration that does not say",
     CAMERA(lens_model), CHOICE(lens_model_name)},
    {"capture.cameras.NAME.pose", ARC_SETTING_SPECIAL, NULL, "the calibration's",
     "where it stands: x_camera = R x + t", NO_FIELD, READ(arc_special_part, "a mapping")},
    {"capture.cameras.NAME.pose.rotation", ARC_SETTING_SPECIAL, NULL, "the calibration's",
     "R as axis times angle", CAMERA(rotation_rad), ARC_ANGLE, -1e3, 1e3, NULL, arc_special_numbers,
     "a list of three angles"},
    {"capture.cameras.NAME.pose.translation", ARC_SETTING_SPECIAL, NULL, "the calibration's",
     "t, not the camera's place", CAMERA(translation_m), ARC_LENGTH, -1e7, 1e7, NULL,
     arc_special_numbers, "a list of three lengths"},
    {"capture.cameras.NAME.stick", ARC_SETTING_SPECIAL, NULL, "none",
     "a length that is seen in the plane of the flight", NO_FIELD,
     READ(arc_special_part, "a mapping")},
    {"capture.cameras.NAME.stick.from", ARC_SETTING_SPECIAL, NULL, "required", "one end",
     CAMERA(stick.from_px), ARC_PIXELS, -1e9, 1e9, NULL, arc_special_numbers, "[u, v]"},
    {"capture.cameras.NAME.stick.to", ARC_SETTING_SPECIAL, NULL, "required", "the other end",
     CAMERA(stick.to_px), ARC_PIXELS, -1e9, 1e9, NULL, arc_special_numbers, "[u, v]"},
    {"capture.cameras.NAME.stick.length", ARC_SETTING_NUMBER, NULL, "required", "from end to end",
     CAMERA(stick.length_m), RANGE(ARC_LENGTH, 1e-6, 1e6)},
    {"capture.cameras.NAME.stick.angle", ARC_SETTING_NUMBER, NULL, "the image's rows are level",
     "of the stick above level: 0 where it lies, 90 deg where it stands", CAMERA(stick.angle_rad),
     RANGE(ARC_ANGLE, -M_PI, M_PI)},
    {"capture.cameras.NAME.origin", ARC_SETTING_SPECIAL, NULL, "the first pixel",
     "the pixel at which (0, 0) of the plane is seen", CAMERA(origin_px), ARC_PIXELS, -1e9, 1e9,
     NULL, arc_special_numbers, "[u, v]"},
    {"capture.columns", ARC_SETTING_SECTION, NULL, "by the header's names",
     "columns by name, where the header leaves doubt", NO_FIELD, PLAIN},
    COLUMN("t"),
    COLUMN("x"),
    COLUMN("y"),
    COLUMN("z"),
    COLUMN("sigma"),
    COLUMN("sigma_x"),
    COLUMN("sigma_y"),
    COLUMN("sigma_z"),
    COLUMN("frame"),
    COLUMN("u"),
    COLUMN("v"),
    COLUMN("sigma_px"),
    COLUMN("radius"),
    COLUMN("sigma_radius"),
    COLUMN("flight"),
    COLUMN("camera"),
    {"capture.units", ARC_SETTING_SECTION, NULL, "by the header, else SI",
     "units of the file's numbers, where it leaves doubt", NO_FIELD, PLAIN},
    {"capture.units.t", ARC_SETTING_SPECIAL, NULL, "by the header, else s",
     "unit of the file's times", OF(capture.time_scale_s), ARC_TIME, 0, 0, NULL, arc_special_scale,
     "a unit of time"},
    {"capture.units.position", ARC_SETTING_SPECIAL, NULL, "by the header, else m",
     "unit of the file's positions", OF(capture.position_scale_m), ARC_LENGTH, 0, 0, NULL,
     arc_special_scale, "a unit of length, or px"},
    {"capture.t0", ARC_SETTING_NUMBER, NULL, "by parameters.t0, else the first used point's",
     "time of the release, by the file's clock", OF(capture.t0_s), RANGE(ARC_TIME, -1e9, 1e9)},
    {"capture.window", ARC_SETTING_SPECIAL, NULL, "all", "times used, both ends included",
     OF(capture.window_s), ARC_TIME, -1e9, 1e9, NULL, arc_special_window,
     "auto (free flight), all, or [time, time]"},
    {"capture.split", ARC_SETTING_CHOICE, "none", NULL,
     "auto: every stretch of free flight is a flight of its own, fitted together",
     OF(capture.split), CHOICE(split_name)},
    {"capture.every", ARC_SETTING_WHOLE, "1", NULL, "of those, points 1, n+1, 2n+1, ... are used",
     OF(capture.every), RANGE(ARC_ONE, 1, 1e6)},
    {"capture.hold_out", ARC_SETTING_SPECIAL, "none", NULL,
     "of those, kept from the fit and scored in the result", OF(capture.hold_out),
     READ(arc_special_hold_out, "none, {every: n} or {after: time}")},
    {"capture.hold_out.every", ARC_SETTING_WHOLE, NULL, "not by number", "each n-th point",
     OF(capture.hold_out_every), RANGE(ARC_ONE, 2, 1e6)},
    {"capture.hold_out.after", ARC_SETTING_NUMBER, NULL, "not by time", "points later than this",
     OF(capture.hold_out_after_s), RANGE(ARC_TIME, -1e9, 1e9)},

    {"flight", ARC_SETTING_SPECIAL, "{}", NULL, "the equations of motion", NO_FIELD,
     READ(arc_special_flight, "a mapping")},
    {"flight.dimensions", ARC_SETTING_WHOLE, "2", NULL, "2: the plane, x and y; 3: space",
     OF(flight_settings.dimensions), RANGE(ARC_ONE, 2, 3)},
    {"flight.up", ARC_SETTING_CHOICE, NULL, "y in the plane, z in space", "the axis that points up",
     OF(flight_settings.up), CHOICE(axis_name)},
    {"flight.gravity", ARC_SETTING_SPECIAL, "9.80665 m/s^2", NULL,
     "size of gravity, or the place on earth that has it", OF(flight_settings.gravity_m_s2),
     ARC_ACCELERATION, 0, 1e3, NULL, arc_special_gravity,
     "an acceleration, 0 to 1000 m/s^2, or {latitude: angle, height: length}"},
    {"flight.gravity.latitude", ARC_SETTING_NUMBER, NULL, "required", "geodetic latitude",
     OF(flight_settings.latitude_rad), RANGE(ARC_ANGLE, -M_PI / 2, M_PI / 2)},
    {"flight.gravity.height", ARC_SETTING_NUMBER, "0 m", NULL,
     "height above the sea (strictly: the ellipsoid)", OF(flight_settings.height_m),
     RANGE(ARC_LENGTH, -1e3, 5e4)},
    {"flight.ball", ARC_SETTING_SPECIAL, "none", NULL, "the ball; physical laws need one",
     OF(flight_settings.ball), READ(arc_special_ball, "none, a preset's name, or a mapping")},
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
     NULL, arc_special_wind, "a list of speeds, or a mapping"},
    {"flight.wind.velocity", ARC_SETTING_SPECIAL, NULL, "none",
     "velocity of the air, one entry an axis; with shear, at its height",
     OF(flight_settings.wind_m_s), ARC_SPEED, -1e3, 1e3, NULL, arc_special_velocity,
     "a list of speeds"},
    {"flight.wind.shear", ARC_SETTING_SPECIAL, NULL, "none", "wind that grows with the height",
     OF(flight_settings.shear.is_on), READ(arc_special_shear, "a mapping")},
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
     OF(flight_settings.gust.is_on), READ(arc_special_gust, "a mapping")},
    {"flight.wind.gust.velocity", ARC_SETTING_SPECIAL, NULL, "required",
     "at its height, one entry an axis", OF(flight_settings.gust.velocity_m_s), ARC_SPEED, -1e3,
     1e3, NULL, arc_special_velocity, "a list of speeds"},
    {"flight.wind.gust.time", ARC_SETTING_NUMBER, NULL, "required", "of its height, since release",
     OF(flight_settings.gust.time_s), RANGE(ARC_TIME, -1e6, 1e6)},
    {"flight.wind.gust.width", ARC_SETTING_NUMBER, NULL, "required",
     "standard deviation of its bell curve in time", OF(flight_settings.gust.width_s),
     RANGE(ARC_TIME, 1e-6, 1e6)},
    {"flight.drag", ARC_SETTING_CHOICE, "none", NULL, "law of drag (see `arcfit models`)",
     OF(flight_settings.drag), CHOICE(drag_name)},
    {"flight.drag_table", ARC_SETTING_SPECIAL, NULL, "none; drag: table needs one",
     "drag coefficient by speed", OF(flight_settings.drag_table), ARC_SPEED, 0, 100, NULL,
     arc_special_table, "a list of 2 to 32 pairs [speed, cd], the speeds rising"},
    {"flight.lift", ARC_SETTING_CHOICE, "none", NULL, "law of lift (see `arcfit models`)",
     OF(flight_settings.lift), CHOICE(lift_name)},
    {"flight.lift_table", ARC_SETTING_SPECIAL, NULL, "none; lift: table needs one",
     "lift coefficient by spin parameter", OF(flight_settings.lift_table), ARC_ONE, -100, 100, NULL,
     arc_special_table, "a list of 2 to 32 pairs [S, cl], S rising"},
    {"flight.spin_decay", ARC_SETTING_CHOICE, "none", NULL, "how spin fades (see `arcfit models`)",
     OF(flight_settings.spin_decay), CHOICE(spin_decay_name)},
    {"flight.buoyancy", ARC_SETTING_FLAG, NULL, "true with a ball, else false",
     "the air's buoyancy", OF(flight_settings.buoyancy), PLAIN},
    {"flight.added_mass", ARC_SETTING_FLAG, "false", NULL,
     "inertia of the air that moves with the ball", OF(flight_settings.added_mass), PLAIN},
    {"flight.bounce", ARC_SETTING_SPECIAL, "none", NULL,
     "a plane that the ball bounces on, once or more, from either side",
     OF(flight_settings.bounce.is_on), READ(arc_special_bounce, "none, or a mapping")},
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
     -1e7, 1e7, NULL, arc_special_plane, "axis=level, as y=0.12 m"},

    {"release", ARC_SETTING_CHOICE, "cartesian", NULL,
     "cartesian: vx0 vy0 vz0; polar: speed angle azimuth", OF(release), CHOICE(release_name)},

    {"parameters", ARC_SETTING_SPECIAL, "{}", NULL,
     "the flight's and the release's parameters; of the measurement those that are named: "
     "clock_rate, and for each camera NAME.time_offset, line_time, scale, roll, x, y, z, rx, ry, "
     "rz, focal, sigma, radius_bias (with one camera without its name)",
     OF(parameters), READ(arc_parameters_read, "a mapping by name")},
    {"parameters.NAME", ARC_SETTING_SPECIAL, NULL, "default",
     "a number fixes, free frees, a mapping with no fixed frees", NO_FIELD,
     READ(NULL, "a number, free, or a mapping")},
    {"parameters.NAME.start", ARC_SETTING_PARAMETER, NULL, "by the data, or the default",
     "where the fit begins", FIELD(ArcParameter, start), READ(arc_parameter_read, "a number")},
    {"parameters.NAME.bounds", ARC_SETTING_SPECIAL, NULL, "none", "limits of the estimate",
     FIELD(ArcParameter, low), READ(arc_special_pair, "[low, high]")},
    {"parameters.NAME.prior", ARC_SETTING_SPECIAL, NULL, "none", "what is known beforehand",
     FIELD(ArcParameter, has_prior), READ(arc_parameter_read_prior, "{mean: number, sd: number}")},
    {"parameters.NAME.prior.mean", ARC_SETTING_PARAMETER, NULL, "required", "its mean",
     FIELD(ArcParameter, prior_mean), READ(arc_parameter_read, "a number")},
    {"parameters.NAME.prior.sd", ARC_SETTING_PARAMETER, NULL, "required", "its standard deviation",
     FIELD(ArcParameter, prior_sd), READ(arc_parameter_read_sd, "a number above 0")},
    {"parameters.NAME.flights", ARC_SETTING_CHOICE, NULL, "release per-flight, others shared",
     "of several flights: one value for all, one for each, or each from a population whose mean "
     "and sd are found",
     FIELD(ArcParameter, sharing), CHOICE(sharing_name)},
    {"parameters.NAME.fixed", ARC_SETTING_PARAMETER, NULL, "free", "fixes it at this value",
     FIELD(ArcParameter, start), READ(arc_parameter_read, "a number")},

    {"derived", ARC_SETTING_SPECIAL, "{}", NULL,
     "where the flight meets planes, heights, points and rims: 8 at most, names of 1 to 20 of "
     "a-z 0-9 _ -",
     OF(targets), READ(arc_special_derived, "a mapping by name")},
    {"derived.NAME", ARC_SETTING_SPECIAL, NULL, "none",
     "gives NAME_time (since release), the position, NAME_speed, NAME_entry_angle (below level)",
     NO_FIELD, READ(NULL, "a mapping with one of plane, height, point and rim")},
    {"derived.NAME.plane", ARC_SETTING_SPECIAL, NULL, "none", "the first crossing of a plane",
     FIELD(ArcTarget, plane), ARC_LENGTH, -1e7, 1e7, NULL, arc_special_plane,
     "axis=level, as y=0.12 m"},
    {"derived.NAME.height", ARC_SETTING_NUMBER, NULL, "none", "a height on the way down",
     FIELD(ArcTarget, height_m), RANGE(ARC_LENGTH, -1e7, 1e7)},
    {"derived.NAME.point", ARC_SETTING_SPECIAL, NULL, "none",
     "the first closest approach to a point; NAME_distance in place of the position",
     FIELD(ArcTarget, point_m), ARC_LENGTH, -1e7, 1e7, NULL, arc_special_position,
     "a list of positions, one an axis"},
    {"derived.NAME.rim", ARC_SETTING_SPECIAL, NULL, "none",
     "a level circle, crossed from above; also NAME_miss, the distance from its centre", NO_FIELD,
     READ(arc_special_rim, "{centre: [..], radius: ..}")},
    {"derived.NAME.rim.radius", ARC_SETTING_NUMBER, NULL, "required", "its radius",
     FIELD(ArcTarget, radius_m), RANGE(ARC_LENGTH, 1e-6, 1e3)},
    {"derived.NAME.rim.centre", ARC_SETTING_SPECIAL, NULL, "required", "its centre",
     FIELD(ArcTarget, centre_m), ARC_LENGTH, -1e7, 1e7, NULL, arc_special_position,
     "a list of positions, one an axis"},

    {"fit", ARC_SETTING_SECTION, NULL, "all defaults", "how to fit", NO_FIELD, PLAIN},
    {"fit.methods", ARC_SETTING_SPECIAL, "[pinn, direct]", NULL, "which fits are run", OF(use_pinn),
     READ(arc_special_methods, "a list of pinn and direct")},
    {"fit.seed", ARC_SETTING_WHOLE, "1", NULL, "seed of every random number", OF(seed),
     RANGE(ARC_ONE, 0, 9007199254740992.0)},
    {"fit.starts", ARC_SETTING_WHOLE, "1", NULL,
     "fits from different nets and coefficients; the best is kept", OF(starts),
     RANGE(ARC_ONE, 1, 1000)},
    {"fit.loss", ARC_SETTING_SPECIAL, "gauss", NULL,
     "loss of the observations: its kind, or more about it", NO_FIELD,
     READ(arc_special_loss, "gauss, huber, cauchy, student-t, or a mapping")},
    {"fit.loss.kind", ARC_SETTING_CHOICE, "gauss", NULL,
     "gauss; or one that outliers pull less: huber, cauchy, student-t", OF(loss.kind),
     CHOICE(arc_loss_name)},
    {"fit.loss.tuning", ARC_SETTING_NUMBER, NULL, "huber 1.345, cauchy 2.385",
     "from how many sigma on a point counts less", OF(loss.tuning), RANGE(ARC_ONE, 0.1, 100)},
    {"fit.loss.dof", ARC_SETTING_SPECIAL, NULL, "4 for student-t",
     "degrees of freedom of student-t", OF(loss.dof), ARC_ONE, 1, 200, NULL, arc_special_dof,
     "estimate, or 1 to 200"},
    {"fit.profile", ARC_SETTING_SPECIAL, "[]", NULL,
     "free parameters whose likelihood is followed to both sides", OF(uncertainty.profiles),
     READ(arc_special_profile, "a list of free parameters")},
    {"fit.bootstrap", ARC_SETTING_WHOLE, "0", NULL, "fits of redrawn captures; 0: none",
     OF(uncertainty.bootstrap), RANGE(ARC_ONE, 0, 1e6)},
    {"fit.bootstrap_kind", ARC_SETTING_CHOICE, "residual", NULL,
     "what is redrawn: residuals, or whole points (case)", OF(uncertainty.bootstrap_kind),
     CHOICE(bootstrap_name)},
    {"fit.sample", ARC_SETTING_WHOLE, "0", NULL,
     "draws to keep of Markov chains on the direct fit's posterior; 0: none",
     OF(uncertainty.sample), RANGE(ARC_ONE, 0, 1e7)},
    {"fit.stages", ARC_SETTING_SPECIAL, "auto", NULL,
     "laws switched on one after the other; auto: where the plain fit fails", OF(curriculum.stages),
     READ(arc_special_stages, "auto, none, or a list in the order vacuum, drag, lift, spin_decay")},
    {"fit.pinn", ARC_SETTING_SECTION, NULL, "all defaults", "the network's fit", NO_FIELD, PLAIN},
    {"fit.pinn.net", ARC_SETTING_SPECIAL, "auto", NULL,
     "auto: one layer, widened while the physics asks; or a net file", OF(pinn.net),
     READ(arc_special_net, "auto, or a file")},
    {"fit.pinn.collocation", ARC_SETTING_SPECIAL, "auto", NULL,
     "points where the equations are held: their number, or more about them", NO_FIELD, ARC_ONE, 4,
     1e5, NULL, arc_special_collocation, "auto, 4 to 100000, or a mapping"},
    {"fit.pinn.collocation.points", ARC_SETTING_SPECIAL, "auto", NULL, "their number",
     OF(pinn.collocation), ARC_ONE, 4, 1e5, NULL, arc_special_points, "auto, or 4 to 100000"},
    {"fit.pinn.collocation.kind", ARC_SETTING_CHOICE, "gauss", NULL,
     "gauss: Gauss-Legendre; random: drawn anew; adaptive: drawn where the residual is large",
     OF(pinn.collocation_kind), CHOICE(collocation_name)},
    {"fit.pinn.collocation.every", ARC_SETTING_WHOLE, "100", NULL,
     "steps between two drawings of random or adaptive points", OF(pinn.collocation_every),
     RANGE(ARC_ONE, 1, 1e6)},
    {"fit.pinn.physics", ARC_SETTING_SPECIAL, "exact", NULL,
     "how far the flight may break the equations; auto: as far as the points ask",
     OF(pinn.sigma_phys_m_s2), ARC_ACCELERATION, 1e-12, 1e6, NULL, arc_special_physics,
     "exact, auto, or an acceleration"},
    {"fit.pinn.weighting", ARC_SETTING_CHOICE, "fixed", NULL,
     "balance of points and equations under adam and lbfgs", OF(pinn.weighting),
     CHOICE(weighting_name)},
    {"fit.pinn.weighting_every", ARC_SETTING_WHOLE, "100", NULL,
     "steps between two updates of the balance", OF(pinn.weighting_every), RANGE(ARC_ONE, 1, 1e6)},
    {"fit.pinn.causal_epsilon", ARC_SETTING_NUMBER, "1", NULL,
     "how sharply causal weighting makes later points wait for earlier ones",
     OF(pinn.causal_epsilon), RANGE(ARC_ONE, 1e-9, 1e9)},
    {"fit.pinn.windows", ARC_SETTING_WHOLE, "1", NULL,
     "windows of time, each with a net of its own", OF(pinn.windows), RANGE(ARC_ONE, 1, 64)},
    {"fit.pinn.train", ARC_SETTING_SPECIAL, "[{optimizer: linear}]", NULL, "stages, in order",
     OF(pinn.stages), READ(arc_special_train, "a list of 1 to 8 mappings")},
    {"fit.pinn.train.optimizer", ARC_SETTING_CHOICE, NULL, "required",
     "linear: output layer and parameters; lm, adam, lbfgs: all weights",
     FIELD(ArcStage, optimizer), CHOICE(arc_optimizer_name)},
    {"fit.pinn.train.steps", ARC_SETTING_WHOLE, NULL, "linear and lm 100, adam 5000, lbfgs 500",
     "at most so many iterations", FIELD(ArcStage, steps), RANGE(ARC_ONE, 1, 1e6)},
    {"fit.pinn.train.rate", ARC_SETTING_NUMBER, "0.01", NULL, "learning rate of the weights",
     ADAM(rate), RANGE(ARC_ONE, 1e-12, 1e3)},
    {"fit.pinn.train.parameter_rate", ARC_SETTING_NUMBER, NULL, "the rate",
     "learning rate of the parameters", ADAM(parameter_rate), RANGE(ARC_ONE, 1e-12, 1e3)},
    {"fit.pinn.train.schedule", ARC_SETTING_CHOICE, "cosine", NULL,
     "how the rates fall after the warm-up", ADAM(schedule), CHOICE(schedule_name)},
    {"fit.pinn.train.warm_up", ARC_SETTING_WHOLE, "0", NULL,
     "first steps, in which the rates rise; at most steps", ADAM(warm_up), RANGE(ARC_ONE, 0, 1e6)},
    {"fit.pinn.train.final", ARC_SETTING_NUMBER, "0.01", NULL,
     "share of the rates at the end, by cosine and exponential", ADAM(final_share),
     RANGE(ARC_ONE, 1e-12, 1)},
    {"fit.pinn.train.clip", ARC_SETTING_NUMBER, "0", NULL, "largest norm of the gradient; 0: none",
     ADAM(clip), RANGE(ARC_ONE, 0, 1e12)},
    {"fit.pinn.train.weight_decay", ARC_SETTING_NUMBER, "0", NULL,
     "pull of the weights towards zero; 0: none", ADAM(weight_decay), RANGE(ARC_ONE, 0, 1e3)},
    {"fit.pinn.train.memory", ARC_SETTING_WHOLE, "20", NULL, "earlier steps that are remembered",
     FIELD_FOR(ArcStage, memory, "lbfgs"), RANGE(ARC_ONE, 1, 200)},
    {"fit.pinn.train.geodesic", ARC_SETTING_FLAG, "false", NULL, "with geodesic acceleration",
     FIELD_FOR(ArcStage, geodesic, "lm"), PLAIN},
    {"fit.direct", ARC_SETTING_SECTION, NULL, "all defaults", "the simulator's fit", NO_FIELD,
     PLAIN},
    {"fit.direct.tolerance", ARC_SETTING_NUMBER, "1e-10", NULL, "of the integration, relative",
     OF(direct_tolerance), RANGE(ARC_ONE, 1e-14, 1e-2)},

    {"simulate", ARC_SETTING_SECTION, NULL, "all defaults", "how `arcfit simulate` makes a capture",
     NO_FIELD, PLAIN},
    {"simulate.points", ARC_SETTING_WHOLE, NULL, "by rate and duration, else 30",
     "points; --points wins", OF(simulate.points), RANGE(ARC_ONE, 2, 1e6)},
    {"simulate.duration", ARC_SETTING_NUMBER, NULL,
     "by points and rate, else until back at the release height, or 1 s",
     "from release; --duration wins", OF(simulate.duration_s), RANGE(ARC_TIME, 1e-9, 1e6)},
    {"simulate.rate", ARC_SETTING_NUMBER, NULL, "by points and duration", "frames a second",
     OF(simulate.rate_per_s), RANGE(ARC_FREQUENCY, 1e-6, 1e9)},
    {"simulate.sigma", ARC_SETTING_SPECIAL, NULL, "capture.sigma",
     "gaussian noise of each coordinate, which the file states; --sigma wins", OF(simulate.sigma_m),
     ARC_LENGTH, 1e-12, 1e3, NULL, arc_special_noise_sigma, "a length, or of pixels as 0.5 px"},
    {"simulate.draw", ARC_SETTING_FLAG, "false", NULL,
     "parameters with a prior are drawn from it, within their bounds; --draw", OF(simulate.draw),
     PLAIN},
    {"simulate.noise", ARC_SETTING_SECTION, NULL, "gaussian alone",
     "what else is wrong with points", NO_FIELD, PLAIN},
    {"simulate.noise.outliers", ARC_SETTING_SECTION, NULL, "none", "points that are far off",
     NO_FIELD, PLAIN},
    {"simulate.noise.outliers.share", ARC_SETTING_NUMBER, "0", NULL, "share of the points",
     OF(simulate.noise.outlier_share), RANGE(ARC_ONE, 0, 1)},
    {"simulate.noise.outliers.size", ARC_SETTING_SPECIAL, "10", NULL,
     "their standard deviation: so many times that of the others, or a length",
     OF(simulate.noise.outlier_size_sd), ARC_LENGTH, 0, 1e6, NULL, arc_simulate_read_size,
     "a number, or a length with its unit"},
    {"simulate.noise.dropped", ARC_SETTING_SECTION, NULL, "none",
     "frames that are lost, never the first and the last", NO_FIELD, PLAIN},
    {"simulate.noise.dropped.share", ARC_SETTING_NUMBER, "0", NULL, "share of the frames",
     OF(simulate.noise.dropped_share), RANGE(ARC_ONE, 0, 0.99)},
    {"simulate.noise.dropped.run", ARC_SETTING_NUMBER, NULL, "each frame by itself",
     "frames lost at a time, on average", OF(simulate.noise.dropped_run), RANGE(ARC_ONE, 1, 1e6)},
    {"simulate.noise.rounding", ARC_SETTING_NUMBER, "0 m", NULL,
     "grid that coordinates are rounded to, as pixels do; 0: none", OF(simulate.noise.rounding_m),
     RANGE(ARC_LENGTH, 0, 1e3)},
    {"simulate.noise.jitter", ARC_SETTING_NUMBER, "0 s", NULL,
     "standard deviation of the true times about the stated ones", OF(simulate.noise.jitter_s),
     RANGE(ARC_TIME, 0, 1e3)},

    {"output", ARC_SETTING_SECTION, NULL, "all defaults", "where the result goes", NO_FIELD, PLAIN},
    {"output.file", ARC_SETTING_FILE, NULL, "STEM.h5 in the current folder",
     "the result's HDF5 file; -o wins", OF(output_file), PLAIN},

    {"net file.net", ARC_SETTING_WHOLE, NULL, "required", "version of the net file's format",
     NO_FIELD, RANGE(ARC_ONE, 1, 1)},
    {"net file.hidden", ARC_SETTING_SPECIAL, NULL, "required", "widths of the hidden layers",
     FIELD(ArcNetSettings, widths), ARC_ONE, 1, ARC_NET_MAX_WIDTH, NULL, arc_special_hidden,
     "a list of 1 to 8, each 1 to 1024"},
    {"net file.activation", ARC_SETTING_CHOICE, "tanh", NULL, "of the hidden layers",
     FIELD(ArcNetSettings, activation), CHOICE(arc_activation_name)},
    {"net file.init", ARC_SETTING_CHOICE, "spread", NULL, "how the first weights are drawn",
     FIELD(ArcNetSettings, init), CHOICE(arc_net_init_name)},
    {"net file.fourier", ARC_SETTING_SECTION, NULL, "none", "waves of the time as further inputs",
     NO_FIELD, PLAIN},
    {"net file.fourier.modes", ARC_SETTING_WHOLE, "0", NULL, "how many waves",
     FIELD(ArcNetSettings, fourier_modes), RANGE(ARC_ONE, 0, ARC_NET_MAX_MODES)},
    {"net file.fourier.base", ARC_SETTING_NUMBER, "1", NULL,
     "periods of the first wave over the flight; wave k has k times as many",
     FIELD(ArcNetSettings, fourier_base), RANGE(ARC_ONE, 0.01, 100)},
    {"net file.skip", ARC_SETTING_FLAG, "false", NULL,
     "hidden layers as wide as the one below add to its output", FIELD(ArcNetSettings, skip),
     PLAIN},
};

const ArcSettingRow *arc_settings(int *n)
{
    *n = (int)(sizeof rows / sizeof rows[0]);
    return rows;
}

const char *arc_setting_name(const ArcSettingRow *row)
{
    const char *dot = strrchr(row->path, '.');
    return dot == NULL ? row->path : dot + 1;
}

bool arc_setting_is_in(const ArcSettingRow *row, const char *section)
{
    const char *name = arc_setting_name(row);
    if (section[0] == '\0')
        return name == row->path;
    size_t length = strlen(section);
    return name == row->path + length + 1 && strncmp(row->path, section, length) == 0;
}
