/* The table of settings: the file, and what the cameras saw. */
#include "experiment/settings_rows.h"

#include "arcfit/recording.h"

#include <math.h>

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

#define COLUMN(role)                                                                               \
    {                                                                                              \
        "capture.columns." role, ARC_SETTING_SPECIAL, NULL, "by the header's name",                \
            "the file's column that holds " role, NO_FIELD,                                        \
            READ(arc_special_column, "a column's name", "TEXT")                                    \
    }

#define SWING(field) OF(capture.swing.field)

static const ArcSettingRow rows[] = {
    {"arcfit", ARC_SETTING_WHOLE, NULL, "required", "version of the file's format", NO_FIELD,
     RANGE(ARC_ONE, 1, 1)},
    {"name", ARC_SETTING_TEXT, NULL, "the file's name", "a title for reports", OF(name), PLAIN},

    {"model", ARC_SETTING_SPECIAL, NULL, "none: a flight",
     "own equations in place of the flight's; captures then have a column for each of its states",
     NO_FIELD, READ(arc_special_model, "{plugin: FILE}", "KEYS")},
    {"model.plugin", ARC_SETTING_SPECIAL, NULL, "required",
     "a C file with the header arcfit/model.h, which is compiled and tried (`arcfit models FILE` "
     "shows it)",
     OF(equations), READ(arc_special_plugin, "a C file's name", "FILE")},

    {"capture", ARC_SETTING_SPECIAL, "{}", NULL, "what the cameras saw", NO_FIELD,
     READ(arc_special_capture, "a mapping, or a list of them, a flight each", "KEYS|[KEYS 1..]")},
    {"capture.file", ARC_SETTING_FILE, NULL, "none; only simulate goes without",
     "the points' file; a list of names: a flight each, with the other keys in common",
     OF(capture.file), SHAPED("FILE|[FILE 1..]")},
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
     "standard deviation of points that bring none; estimate: one factor of all of them is fitted; "
     "of a model one number for all channels, or a mapping by channel, also with factor: estimate",
     OF(capture.sigma_m), ARC_LENGTH, 1e-12, 1e3, NULL, arc_special_sigma,
     "estimate, pixels as 0.5 px, a length, 1e-12 to 1000 m, or {CHANNEL: number}",
     "estimate|PIXELS|NUMBER;estimate|POSITIVE|CHANNELS"},
    {"capture.cameras", ARC_SETTING_SPECIAL, "{}", NULL,
     "the cameras of points in pixels, by name; one alone need not be named in the file",
     OF(capture.cameras), READ(arc_special_cameras, "a mapping by name", "NAMES:camera")},
    {"capture.cameras.NAME", ARC_SETTING_SPECIAL, NULL, "none",
     "known by calibration, focal or stick; by none of them it sees a plane, 1 m a pixel", NO_FIELD,
     READ(NULL, "a mapping", "KEYS")},
    {"capture.cameras.NAME.calibration", ARC_SETTING_FILE, NULL, "none", "calibration file",
     CAMERA(calibration), PLAIN},
    {"capture.cameras.NAME.entry", ARC_SETTING_TEXT, NULL, "the only one",
     "which of the calibration's cameras, by name or by number", CAMERA(entry), PLAIN},
    {"capture.cameras.NAME.dlt_rows_from", ARC_SETTING_CHOICE, NULL, "capture.rows_from",
     "where its DLT coefficients count rows from: top, DLTdv 8; bottom, DLTdv 5 to 7 and Argus",
     CAMERA(dlt_rows_from), CHOICE(rows_from_name)},
    {"capture.cameras.NAME.unit", ARC_SETTING_SPECIAL, NULL, "m",
     "unit of the calibration's lengths", CAMERA(unit_m), ARC_LENGTH, 0, 0, NULL, arc_special_scale,
     "a unit of length", "UNIT"},
    {"capture.cameras.NAME.file", ARC_SETTING_FILE, NULL, "the capture's",
     "file of this camera's points", CAMERA(file), PLAIN},
    {"capture.cameras.NAME.format", ARC_SETTING_CHOICE, NULL, "the capture's", "its format",
     CAMERA(format), CHOICE(format_name)},
    {"capture.cameras.NAME.sigma", ARC_SETTING_NUMBER, NULL, "the capture's",
     "standard deviation of points that bring none", CAMERA(sigma_px),
     RANGE(ARC_PIXELS, 1e-9, 1e6)},
    {"capture.cameras.NAME.focal", ARC_SETTING_SPECIAL, NULL, "none",
     "focal length, where there is no calibration; of both axes, or of each", CAMERA(focal_px),
     ARC_PIXELS, 1e-3, 1e9, NULL, arc_special_focal, "a number of pixels, or [fx, fy]",
     "NUMBER|[NUMBER 2]"},
    {"capture.cameras.NAME.centre", ARC_SETTING_SPECIAL, NULL, "required with focal",
     "where its axis meets the image", CAMERA(centre_px), ARC_PIXELS, -1e9, 1e9, NULL,
     arc_special_numbers, "[u, v]", "[NUMBER 2]"},
    {"capture.cameras.NAME.lens", ARC_SETTING_SPECIAL, NULL, "none",
     "distortion in OpenCV's order: k1 k2 p1 p2 k3 k4 k5 k6 s1 s2 s3 s4 tau_x tau_y; fisheye k1 "
     "to k4",
     CAMERA(lens), ARC_ONE, -1e9, 1e9, NULL, arc_special_lens,
     "a list of 4, 5, 8, 12 or 14 numbers", "[NUMBER 0..14]"},
    {"capture.cameras.NAME.lens_model", ARC_SETTING_CHOICE, NULL, "the calibration's, else pinhole",
     "which lens, of the distortion given here or of a calibration that does not say",
     CAMERA(lens_model), CHOICE(lens_model_name)},
    {"capture.cameras.NAME.pose", ARC_SETTING_SPECIAL, NULL, "the calibration's",
     "where it stands: x_camera = R x + t", NO_FIELD, READ(arc_special_part, "a mapping", "KEYS")},
    {"capture.cameras.NAME.pose.rotation", ARC_SETTING_SPECIAL, NULL, "the calibration's",
     "R as axis times angle", CAMERA(rotation_rad), ARC_ANGLE, -1e3, 1e3, NULL, arc_special_numbers,
     "a list of three angles", "[NUMBER 3]"},
    {"capture.cameras.NAME.pose.translation", ARC_SETTING_SPECIAL, NULL, "the calibration's",
     "t, not the camera's place", CAMERA(translation_m), ARC_LENGTH, -1e7, 1e7, NULL,
     arc_special_numbers, "a list of three lengths", "[NUMBER 3]"},
    {"capture.cameras.NAME.stick", ARC_SETTING_SPECIAL, NULL, "none",
     "a length that is seen in the plane of the flight", NO_FIELD,
     READ(arc_special_part, "a mapping", "KEYS")},
    {"capture.cameras.NAME.stick.from", ARC_SETTING_SPECIAL, NULL, "required", "one end",
     CAMERA(stick.from_px), ARC_PIXELS, -1e9, 1e9, NULL, arc_special_numbers, "[u, v]",
     "[NUMBER 2]"},
    {"capture.cameras.NAME.stick.to", ARC_SETTING_SPECIAL, NULL, "required", "the other end",
     CAMERA(stick.to_px), ARC_PIXELS, -1e9, 1e9, NULL, arc_special_numbers, "[u, v]", "[NUMBER 2]"},
    {"capture.cameras.NAME.stick.length", ARC_SETTING_NUMBER, NULL, "required", "from end to end",
     CAMERA(stick.length_m), RANGE(ARC_LENGTH, 1e-6, 1e6)},
    {"capture.cameras.NAME.stick.angle", ARC_SETTING_NUMBER, NULL, "the image's rows are level",
     "of the stick above level: 0 where it lies, 90 deg where it stands", CAMERA(stick.angle_rad),
     RANGE(ARC_ANGLE, -M_PI, M_PI)},
    {"capture.cameras.NAME.origin", ARC_SETTING_SPECIAL, NULL, "the first pixel",
     "the pixel at which (0, 0) of the plane is seen", CAMERA(origin_px), ARC_PIXELS, -1e9, 1e9,
     NULL, arc_special_numbers, "[u, v]", "[NUMBER 2]"},
    {"capture.columns", ARC_SETTING_SPECIAL, NULL, "by the header's names",
     "columns by name, where the header leaves doubt; of a model t, flight, its channels and "
     "sigma_CHANNEL",
     NO_FIELD, READ(arc_special_columns, "a mapping", "KEYS;OPEN")},
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
    {"capture.units", ARC_SETTING_SPECIAL, NULL, "by the header, else SI",
     "units of the file's numbers, where it leaves doubt; of a model of t and of its channels",
     NO_FIELD, READ(arc_special_units, "a mapping", "KEYS;OPEN")},
    {"capture.units.t", ARC_SETTING_SPECIAL, NULL, "by the header, else s",
     "unit of the file's times", OF(capture.time_scale_s), ARC_TIME, 0, 0, NULL, arc_special_scale,
     "a unit of time", "UNIT"},
    {"capture.units.position", ARC_SETTING_SPECIAL, NULL, "by the header, else m",
     "unit of the file's positions", OF(capture.position_scale_m), ARC_LENGTH, 0, 0, NULL,
     arc_special_scale, "a unit of length, or px", "px|UNIT"},
    {"capture.t0", ARC_SETTING_NUMBER, NULL, "by parameters.t0, else the first used point's",
     "time of the release, by the file's clock", OF(capture.t0_s), RANGE(ARC_TIME, -1e9, 1e9)},
    {"capture.window", ARC_SETTING_SPECIAL, NULL, "all", "times used, both ends included",
     OF(capture.window_s), ARC_TIME, -1e9, 1e9, NULL, arc_special_window,
     "auto (free flight), all, or [time, time]", "auto|all|[NUMBER 2];all|[NUMBER 2]"},
    {"capture.split", ARC_SETTING_CHOICE, "none", NULL,
     "auto: every stretch of free flight is a flight of its own, fitted together",
     OF(capture.split), CHOICE(split_name)},
    {"capture.swing", ARC_SETTING_SPECIAL, NULL, "none",
     "the arm before the release: places of it, its encoders, their rates", NO_FIELD,
     READ(arc_special_swing, "a mapping", "KEYS")},
    {"capture.swing.file", ARC_SETTING_FILE, NULL, "required",
     "table with time_s, elbow_x_m.., hand_x_m.., ball_x_m.., joint1_x_m.., theta1_rad.., "
     "omega1_rad_s.., flight; times by the flight's clock",
     SWING(file), PLAIN},
    {"capture.swing.sigma", ARC_SETTING_NUMBER, NULL, "capture.sigma",
     "standard deviation of places", SWING(sigma_m), RANGE(ARC_LENGTH, 1e-12, 1e3)},
    {"capture.swing.sigma_angle", ARC_SETTING_NUMBER, NULL, "required with angles",
     "standard deviation of angles", SWING(sigma_rad), RANGE(ARC_ANGLE, 1e-12, 1e3)},
    {"capture.swing.sigma_rate", ARC_SETTING_NUMBER, NULL, "required with rates",
     "standard deviation of rates", SWING(sigma_rad_s), RANGE(ARC_ANGULAR_RATE, 1e-12, 1e6)},
    {"capture.swing.window", ARC_SETTING_SPECIAL, NULL, "all", "times used, both ends included",
     SWING(window_s), ARC_TIME, -1e9, 1e9, NULL, arc_special_pair, "[time, time]", "[NUMBER 2]"},
    {"capture.readings", ARC_SETTING_SPECIAL, NULL, "none", "of the arm at release, a row a flight",
     NO_FIELD, READ(arc_special_readings, "a mapping", "KEYS")},
    {"capture.readings.file", ARC_SETTING_FILE, NULL, "required",
     "table with flight, theta1_rad.., omega1_rad_s.., t0_s, l1_m and the like, and sigma_ in "
     "front of any of them",
     SWING(readings), PLAIN},
    {"capture.readings.sigma_angle", ARC_SETTING_NUMBER, NULL, "the table's own",
     "standard deviation of angles", SWING(readings_sigma_rad), RANGE(ARC_ANGLE, 1e-12, 1e3)},
    {"capture.readings.sigma_rate", ARC_SETTING_NUMBER, NULL, "the table's own",
     "standard deviation of rates", SWING(readings_sigma_rad_s),
     RANGE(ARC_ANGULAR_RATE, 1e-12, 1e6)},
    {"capture.readings.sigma_rate_share", ARC_SETTING_NUMBER, NULL, "none",
     "the same as a share of the rate; with sigma_rate the root of the squares' sum",
     SWING(readings_sigma_share), RANGE(ARC_ONE, 1e-9, 10)},
    {"capture.readings.sigma_time", ARC_SETTING_NUMBER, NULL, "the table's own",
     "standard deviation of t0", SWING(readings_sigma_s), RANGE(ARC_TIME, 1e-12, 1e6)},
    {"capture.sensor", ARC_SETTING_SPECIAL, NULL, "none",
     "what points are off by beside their sigma", NO_FIELD,
     READ(arc_special_sensor, "a mapping", "KEYS")},
    {"capture.sensor.quantisation", ARC_SETTING_SPECIAL, NULL, "none",
     "grid that numbers were rounded to: a twelfth of its square adds to the square of sigma",
     OF(capture.sensor.quantisation_m), ARC_LENGTH, 1e-12, 1e3, NULL, arc_special_sensor_size,
     "a length, or pixels as 1 px", "NUMBER|PIXELS"},
    {"capture.sensor.bias", ARC_SETTING_SPECIAL, NULL, "none",
     "standard deviation of a constant offset of each axis: bias_x, bias_y, bias_z, of a camera "
     "bias_u, bias_v become free parameters with that prior",
     OF(capture.sensor.bias_m), ARC_LENGTH, 1e-12, 1e3, NULL, arc_special_sensor_size,
     "a length, or pixels as 1 px", "NUMBER|PIXELS"},
    {"capture.sensor.latency", ARC_SETTING_SPECIAL, NULL, "none",
     "what the stated times are late by: the parameter latency, free where it has an sd", NO_FIELD,
     READ(arc_special_latency, "a time, or {mean: time, sd: time}", "NUMBER|KEYS")},
    {"capture.sensor.latency.mean", ARC_SETTING_NUMBER, "0 s", NULL, "its mean",
     OF(capture.sensor.latency_s), RANGE(ARC_TIME, -1e3, 1e3)},
    {"capture.sensor.latency.sd", ARC_SETTING_NUMBER, "0 s", NULL, "its standard deviation",
     OF(capture.sensor.latency_sd_s), RANGE(ARC_TIME, 0, 1e3)},
    {"capture.every", ARC_SETTING_WHOLE, "1", NULL, "of those, points 1, n+1, 2n+1, ... are used",
     OF(capture.every), RANGE(ARC_ONE, 1, 1e6)},
    {"capture.hold_out", ARC_SETTING_SPECIAL, "none", NULL,
     "of those, kept from the fit and scored in the result", OF(capture.hold_out),
     READ(arc_special_hold_out, "none, {every: n} or {after: time}", "none|ONE")},
    {"capture.hold_out.every", ARC_SETTING_WHOLE, NULL, "not by number", "each n-th point",
     OF(capture.hold_out_every), RANGE(ARC_ONE, 2, 1e6)},
    {"capture.hold_out.after", ARC_SETTING_NUMBER, NULL, "not by time", "points later than this",
     OF(capture.hold_out_after_s), RANGE(ARC_TIME, -1e9, 1e9)},
};

const ArcSettingPart arc_settings_capture = PART(rows);
