/* A synthetic swing: the arm's motion that ends in the release, and what is read off the arm.
 *
 * The motion is followed backwards from the release. With s = t0 - t the way y(s) = theta(t0 - s)
 * has y' = -theta' and y'' = theta''(t0 - s, y, -y'), so that y(0) = theta, y'(0) = -omega. An
 * encoder gives gain theta + offset; rates are theta'. A reading's stated sd, as far as it is a
 * share, is that of what was read; its noise has the share of the truth.
 */
#include "fit/synthetic_arm.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/random.h"
#include "sim/simulator.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_POINTS = 20, MOST_ROWS = 100000 };
static const double default_duration_s = 0.3;

/* Where the experiment as a whole is wrong. */
static ArcPlace top_of(const ArcExperiment *experiment)
{
    return (ArcPlace){experiment->path, 1, 1};
}

static int release_index(const ArcExperiment *experiment)
{
    return experiment->flight.n_parameters + 1;
}

static int arm_index(const ArcExperiment *experiment)
{
    return release_index(experiment) + 2 * experiment->flight.settings.dimensions;
}

void arc_synthetic_arm_tie(const ArcExperiment *experiment, double *values)
{
    const ArcArm *arm = &experiment->arm;
    ArcArmPoint point;
    if (!experiment->has_arm)
        return;
    const double *p = values + arm_index(experiment);
    size_t bytes = sizeof(double) * (size_t)experiment->flight.settings.dimensions;
    double *release = values + release_index(experiment);
    arc_arm_point(arm, ARC_ARM_BALL, p, p + arm->theta, p + arm->omega, &point);
    memcpy(release, point.x_m, bytes);
    memcpy(release + experiment->flight.settings.dimensions, point.v_m_s, bytes);
}

/* Everything of one swing; the motion is that of row n - 1 first, backwards in time. */
typedef struct Swing {
    const ArcExperiment *experiment;
    const ArcSwingSamples *samples;
    ArcArm *arm;     /* of which the torques' span is settled */
    const double *p; /* of the arm */
    double t0_s, rate_per_s, duration_s;
    double sigma_m, sigma_rad, sigma_rad_s;
    int n, n_numbers;
    double *time_s, *since_s; /* (n) */
    double *y, *y_dot;        /* (n, J) */
    ArcSwingNumber *numbers;
} Swing;

static ArcStatus swing_settle_rows(Swing *swing, ArcError *err)
{
    const ArcSwingSamples *samples = swing->samples;
    double rate = samples->rate_per_s, seconds = samples->duration_s, rows = samples->points;
    bool has_rate = isfinite(rate), has_duration = isfinite(seconds), has_points = rows > 0;
    if (has_rate && has_duration && has_points)
        return arc_error_set_at(err, ARC_INPUT, top_of(swing->experiment),
                                "%g rows of the swing at %g a second last no %g s; leave "
                                "points, rate or duration of simulate.swing out",
                                rows, rate, seconds);
    if (!has_duration)
        seconds = has_rate && has_points ? rows / rate : default_duration_s;
    if (!has_points)
        rows = has_rate ? floor(seconds * rate + 1e-9) : DEFAULT_POINTS;
    if (!(rows >= 1.0 && rows <= MOST_ROWS))
        return arc_error_set_at(err, ARC_INPUT, top_of(swing->experiment),
                                "a swing needs one to %d rows, not %g; give other points, "
                                "rate or duration of simulate.swing",
                                MOST_ROWS, rows);
    swing->n = (int)rows;
    swing->rate_per_s = rate;
    swing->duration_s = seconds;
    return ARC_OK;
}

static ArcStatus swing_settle_sigmas(Swing *swing, ArcError *err)
{
    const ArcSwingSamples *samples = swing->samples;
    const ArcSwingSettings *stated = &swing->experiment->capture.swing;
    const struct {
        bool is_wanted;
        double own, stated;
        double *sigma;
        const char *key;
    } kinds[] = {
        {samples->places != 0, samples->sigma_m,
         isnan(stated->sigma_m) ? swing->experiment->capture.sigma_m : stated->sigma_m,
         &swing->sigma_m, "sigma"},
        {samples->angles, samples->sigma_rad, stated->sigma_rad, &swing->sigma_rad, "sigma_angle"},
        {samples->rates, samples->sigma_rad_s, stated->sigma_rad_s, &swing->sigma_rad_s,
         "sigma_rate"},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        *kinds[k].sigma = isnan(kinds[k].own) ? kinds[k].stated : kinds[k].own;
        if (kinds[k].is_wanted && !(*kinds[k].sigma > 0.0 && isfinite(*kinds[k].sigma)))
            return arc_error_set_at(err, ARC_INPUT, top_of(swing->experiment),
                                    "how much noise has the swing? give simulate.swing.%s or "
                                    "capture.swing.%s, more than 0",
                                    kinds[k].key, kinds[k].key);
    }
    if (samples->places == 0 && !samples->angles && !samples->rates)
        return arc_error_set_at(err, ARC_INPUT, top_of(swing->experiment),
                                "nothing of the swing is seen; give simulate.swing.places, "
                                "angles or rates");
    return ARC_OK;
}

static ArcStatus swing_allocate(Swing *swing, ArcArena *arena, ArcError *err)
{
    size_t n = (size_t)swing->n, J = (size_t)swing->arm->settings.n_joints;
    size_t d = (size_t)swing->arm->settings.dimensions;
    swing->time_s = ARC_ALLOC(arena, n, double);
    swing->since_s = ARC_ALLOC(arena, n, double);
    swing->y = ARC_ALLOC(arena, n * J, double);
    swing->y_dot = ARC_ALLOC(arena, n * J, double);
    swing->numbers = ARC_ALLOC(arena, n * ((J + 1) * d + 2 * J), ArcSwingNumber);
    if (swing->time_s == NULL || swing->since_s == NULL || swing->y == NULL ||
        swing->y_dot == NULL || swing->numbers == NULL)
        return arc_error_no_memory(err);
    return ARC_OK;
}

/* The motion against time; the release is at context's t0_s, and v = -omega. */
static void accelerate(void *context, double t, const double *x, const double *v, const double *p,
                       double *a, double *a_x, double *a_v, double *a_p)
{
    const Swing *swing = context;
    double time_s = swing->t0_s - t, omega[ARC_ARM_MAX_JOINTS];
    (void)a_x, (void)a_v, (void)a_p; /* never asked for: no sensitivities are wanted */
    for (int j = 0; j < swing->arm->settings.n_joints; j++)
        omega[j] = -v[j];
    const ArcArmRates rates = {.a = a};
    arc_arm_acceleration(swing->arm, 1, &time_s, x, omega, p, &rates);
}

static ArcStatus swing_follow(Swing *swing, ArcArena *arena, ArcError *err)
{
    const ArcArm *arm = swing->arm;
    int J = arm->settings.n_joints;
    double y_dot[ARC_ARM_MAX_JOINTS];
    ArcSimulator *simulator = NULL;
    const ArcMotion motion = {.dimensions = J,
                              .n_parameters = arm->n_parameters,
                              .context = swing,
                              .acceleration = accelerate};
    ArcSimSettings settings = arc_sim_settings_default();
    settings.tolerance = swing->experiment->direct_tolerance;
    ArcStatus status = arc_sim_create(&motion, &settings, arena, &simulator, err);
    if (status != ARC_OK)
        return status;
    for (int j = 0; j < J; j++)
        y_dot[j] = -swing->p[arm->omega + j];
    const ArcSimStart start = {.x0 = swing->p + arm->theta, .v0 = y_dot, .p = swing->p};
    const ArcSimOutput output = {.x = swing->y, .v = swing->y_dot};
    if (arc_sim_run(simulator, &start, swing->n, swing->since_s, &output, NULL) == ARC_SIM_DONE)
        return ARC_OK;
    char text[ARC_NUMBER_TEXT];
    return arc_error_set(err, ARC_NUMERIC,
                         "error: the swing cannot be followed back from the release to %s s; give "
                         "it a shorter simulate.swing.duration, or other torques",
                         arc_number_write_digits(text, swing->time_s[0], 6));
}

static void put(Swing *swing, ArcSwingNumber number)
{
    swing->numbers[swing->n_numbers++] = number;
}

/* Whether the end of link i is wanted, under whichever of its names. */
static bool is_seen(const Swing *swing, int i)
{
    unsigned places = swing->samples->places;
    return (i == 1 && (places & ARC_SWING_ELBOW) != 0) ||
           (i == swing->arm->settings.n_joints && (places & ARC_SWING_HAND) != 0) ||
           (places & ((unsigned)ARC_SWING_JOINT << (i - 1))) != 0;
}

static void put_place(Swing *swing, int row, int place, const double *theta, const double *omega)
{
    ArcArmPoint point;
    arc_arm_point(swing->arm, place, swing->p, theta, omega, &point);
    for (int c = 0; c < swing->arm->settings.dimensions; c++)
        put(swing, (ArcSwingNumber){.row = row,
                                    .kind = ARC_SWING_PLACE,
                                    .index = place,
                                    .axis = c,
                                    .value = point.x_m[c],
                                    .sigma = swing->sigma_m});
}

/* What is seen of the arm in a row, without noise yet. */
static void put_row(Swing *swing, int row, const double *theta, const double *omega)
{
    const ArcArm *arm = swing->arm;
    int J = arm->settings.n_joints;
    bool has_encoders = arm->settings.has_encoders;
    for (int i = 1; i <= J; i++)
        if (is_seen(swing, i))
            put_place(swing, row, i, theta, omega);
    if ((swing->samples->places & ARC_SWING_BALL) != 0)
        put_place(swing, row, ARC_ARM_BALL, theta, omega);
    for (int kind = ARC_SWING_ANGLE; kind <= ARC_SWING_RATE; kind++) {
        bool is_angle = kind == ARC_SWING_ANGLE;
        for (int j = 0; (is_angle ? swing->samples->angles : swing->samples->rates) && j < J; j++) {
            double gain = has_encoders && is_angle ? swing->p[arm->gain + j] : 1.0;
            double offset = has_encoders && is_angle ? swing->p[arm->offset + j] : 0.0;
            put(swing, (ArcSwingNumber){.row = row,
                                        .kind = (ArcSwingKind)kind,
                                        .index = j,
                                        .value = is_angle ? gain * theta[j] + offset : omega[j],
                                        .sigma = is_angle ? swing->sigma_rad : swing->sigma_rad_s});
        }
    }
}

/* Each kind has a stream of its own, so that seeing more of the arm leaves the rest as it was. */
static void add_noise(Swing *swing, ArcNoiseSource source)
{
    static const uint64_t streams[] = {ARC_STREAM_SWING_PLACES, ARC_STREAM_SWING_ANGLES,
                                       ARC_STREAM_SWING_RATES};
    ArcRandom randoms[3];
    for (int kind = 0; kind < 3; kind++)
        randoms[kind] = arc_noise_stream(source, streams[kind]);
    for (int i = 0; i < swing->n_numbers; i++) {
        ArcSwingNumber *number = &swing->numbers[i];
        number->value += number->sigma * arc_random_normal(&randoms[number->kind]);
    }
}

/* The rows in the order of time: the last is one step before the release. Torque curves whose span
 * nobody gave reach from the first to the last row, as a fit of them takes it. */
static ArcStatus swing_run(Swing *swing, ArcNoiseSource source, ArcArena *arena, ArcError *err)
{
    int n = swing->n, J = swing->arm->settings.n_joints;
    double omega[ARC_ARM_MAX_JOINTS];
    for (int i = 0; i < n; i++) {
        /* written so that neither way loses a digit */
        double since_s = isfinite(swing->rate_per_s) ? (i + 1) / swing->rate_per_s
                                                     : swing->duration_s * ((double)(i + 1) / n);
        swing->time_s[n - 1 - i] = swing->t0_s - since_s;
        swing->since_s[i] = swing->t0_s - swing->time_s[n - 1 - i];
    }
    if (isnan(swing->arm->settings.begin_s)) {
        swing->arm->settings.begin_s = swing->time_s[0];
        swing->arm->settings.end_s = swing->time_s[n - 1];
    }
    ArcStatus status = swing_follow(swing, arena, err);
    for (int row = 0; row < n && status == ARC_OK; row++) {
        const double *theta = swing->y + (n - 1 - row) * J;
        for (int j = 0; j < J; j++)
            omega[j] = -swing->y_dot[(n - 1 - row) * J + j];
        put_row(swing, row, theta, omega);
    }
    if (status == ARC_OK)
        add_noise(swing, source);
    return status;
}

static ArcStatus add_swing(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                           const double *values, ArcCapture *capture, ArcError *err)
{
    ArcArena *arena = capture->arena;
    Swing swing = {.experiment = experiment,
                   .samples = &settings->swing,
                   .arm = ARC_ALLOC(arena, 1, ArcArm),
                   .p = values + arm_index(experiment),
                   .t0_s = values[experiment->flight.n_parameters]};
    ArcSwing *made = ARC_ALLOC(arena, 1, ArcSwing);
    if (swing.arm == NULL || made == NULL)
        return arc_error_no_memory(err);
    *swing.arm = experiment->arm;
    if (!swing.arm->settings.has_swing)
        return arc_error_set_at(err, ARC_INPUT, top_of(experiment),
                                "the arm has no masses and torques, by which it swings");
    ArcStatus status = swing_settle_rows(&swing, err);
    if (status == ARC_OK)
        status = swing_settle_sigmas(&swing, err);
    if (status == ARC_OK)
        status = swing_allocate(&swing, arena, err);
    if (status == ARC_OK)
        status = swing_run(&swing, arc_noise_source(experiment, settings), arena, err);
    if (status != ARC_OK)
        return status;
    *made = (ArcSwing){.file = "(memory)",
                       .n_rows = swing.n,
                       .time_s = swing.time_s,
                       .n_numbers = swing.n_numbers,
                       .numbers = swing.numbers};
    capture->swing = made;
    return ARC_OK;
}

/* The sd of a reading of the i-th parameter, where it is of this size; NaN: nothing says so. */
static double reading_sd(const ArcExperiment *experiment, int i, double value)
{
    const ArcSwingSettings *stated = &experiment->capture.swing;
    const ArcParameter *parameter = &experiment->parameters[i];
    if (parameter->has_reading)
        return parameter->reading_sd;
    if (strcmp(parameter->unit, "rad") == 0)
        return stated->readings_sigma_rad;
    if (strcmp(parameter->unit, "s") == 0)
        return stated->readings_sigma_s;
    if (strcmp(parameter->unit, "rad/s") != 0)
        return NAN;
    double fixed = stated->readings_sigma_rad_s, share = stated->readings_sigma_share;
    if (isnan(fixed) && isnan(share))
        return NAN;
    return hypot(isnan(fixed) ? 0.0 : fixed, isnan(share) ? 0.0 : share * fabs(value));
}

/* What an instrument shows of the i-th parameter. */
static double shown(const ArcExperiment *experiment, int i, const double *values)
{
    const ArcArm *arm = &experiment->arm;
    int first = arm_index(experiment), joint = i - first - arm->theta;
    if (!arm->settings.has_encoders || joint < 0 || joint >= arm->settings.n_joints)
        return values[i];
    return values[first + arm->gain + joint] * values[i] + values[first + arm->offset + joint];
}

static ArcStatus add_readings(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                              const double *values, ArcCapture *capture, ArcError *err)
{
    ArcRandom random =
        arc_noise_stream(arc_noise_source(experiment, settings), ARC_STREAM_READINGS);
    ArcReading *readings = ARC_ALLOC(capture->arena, (size_t)settings->n_readings, ArcReading);
    if (readings == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < settings->n_readings; k++) {
        int i = arc_experiment_parameter(experiment, settings->readings[k]);
        if (i < 0)
            return arc_error_set_at(err, ARC_INPUT, top_of(experiment),
                                    "simulate.readings: there is no parameter '%.60s'",
                                    settings->readings[k]);
        double value = shown(experiment, i, values), sd = reading_sd(experiment, i, value);
        if (!(sd > 0.0 && isfinite(sd)))
            return arc_error_set_at(err, ARC_INPUT, top_of(experiment),
                                    "how well is '%s' read? give its sd by the sigmas of "
                                    "capture.readings, or by parameters.%s.measured",
                                    settings->readings[k], settings->readings[k]);
        value += sd * arc_random_normal(&random);
        readings[k] =
            (ArcReading){.name = arc_arena_copy_text(capture->arena, settings->readings[k],
                                                     strlen(settings->readings[k])),
                         .value = value,
                         .sd = reading_sd(experiment, i, value)};
        if (readings[k].name == NULL)
            return arc_error_no_memory(err);
    }
    capture->readings = readings;
    capture->n_readings = settings->n_readings;
    return ARC_OK;
}

ArcStatus arc_synthetic_arm_add(const ArcExperiment *experiment,
                                const ArcSimulateSettings *settings, const double *values,
                                ArcCapture *capture, ArcError *err)
{
    ArcStatus status = ARC_OK;
    if (!experiment->has_arm && (settings->swing.is_on || settings->n_readings > 0))
        return arc_error_set_at(err, ARC_INPUT, top_of(experiment),
                                "simulate.%s is of an arm; give `release: arm` and `arm`",
                                settings->swing.is_on ? "swing" : "readings");
    if (settings->swing.is_on)
        status = add_swing(experiment, settings, values, capture, err);
    if (status == ARC_OK && settings->n_readings > 0)
        status = add_readings(experiment, settings, values, capture, err);
    return status;
}
