/* Swings for tests: the motion of an arm that ends in a release, integrated apart from the
 * library's simulator by Runge and Kutta's classical rule, what is seen of it, and the flight that
 * follows. Include after cmocka.h. */
#ifndef SWING_CASE_H
#define SWING_CASE_H

#include "base/random.h"
#include "fit_case.h"

enum { SWING_ROWS = 64, SWING_NUMBERS = 512 };

/* What is seen of a swing. */
typedef struct SwingSight {
    int rows, points; /* of swing and flight */
    bool elbow, hand, ball, angles, rates;
    double sigma_m, sigma_rad, sigma_rad_s;
    double offset_rad;  /* of all encoders */
    uint64_t seed;      /* 0: no noise */
    const char *flight; /* section of the experiment */
} SwingSight;

#define SWING_FLIGHT "flight: {dimensions: 2, ball: basketball, drag: quadratic}\n"

static const SwingSight swing_usual = {.rows = 20,
                                       .points = 12,
                                       .elbow = true,
                                       .hand = true,
                                       .sigma_m = 2e-3,
                                       .sigma_rad = 2e-3,
                                       .sigma_rad_s = 0.05,
                                       .seed = 1,
                                       .flight = SWING_FLIGHT};

typedef struct SwingCase {
    ArcCapture *flight; /* as simulated */
    ArcCapture seen;    /* with the swing */
    ArcSwing swing;
    double time_s[SWING_ROWS];
    ArcSwingNumber numbers[SWING_NUMBERS];
} SwingCase;

/* One step of h, which may be negative, of theta and omega from t. */
static inline void swing_step(const ArcArm *arm, const double *p, double t, double h, double *theta,
                              double *omega)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, share[4] = {1.0, 2.0, 2.0, 1.0};
    int J = arm->settings.n_joints;
    double v[4], a[4], x[4], x_sum[4] = {0}, v_sum[4] = {0}, k_x[4] = {0}, k_v[4] = {0};
    for (int stage = 0; stage < 4; stage++) {
        double now = t + at[stage] * h;
        for (int j = 0; j < J; j++) {
            x[j] = theta[j] + at[stage] * h * k_x[j];
            v[j] = omega[j] + at[stage] * h * k_v[j];
        }
        arc_arm_acceleration(arm, 1, &now, x, v, p, &(ArcArmRates){.a = a});
        for (int j = 0; j < J; j++) {
            k_x[j] = v[j];
            k_v[j] = a[j];
            x_sum[j] += share[stage] * k_x[j];
            v_sum[j] += share[stage] * k_v[j];
        }
    }
    for (int j = 0; j < J; j++) {
        theta[j] += h / 6.0 * x_sum[j];
        omega[j] += h / 6.0 * v_sum[j];
    }
}

/* From `from` to `to` in steps of about 50 us. */
static inline void swing_move(const ArcArm *arm, const double *p, double from, double to,
                              double *theta, double *omega)
{
    int n = (int)ceil(fabs(to - from) / 5e-5);
    for (int i = 0; i < n; i++)
        swing_step(arm, p, from + (to - from) * i / n, (to - from) / n, theta, omega);
}

static inline void swing_add(SwingCase *c, ArcRandom *random, const SwingSight *sight,
                             ArcSwingNumber number)
{
    if (sight->seed != 0)
        number.value += number.sigma * arc_random_normal(random);
    assert_true(c->swing.n_numbers < SWING_NUMBERS);
    c->numbers[c->swing.n_numbers++] = number;
}

static inline void swing_see(SwingCase *c, ArcRandom *random, const ArcArm *arm, const double *p,
                             const SwingSight *sight, int row, const double *theta,
                             const double *omega)
{
    int J = arm->settings.n_joints, d = arm->settings.dimensions;
    const int places[3] = {sight->elbow ? 1 : 0, sight->hand ? J : 0,
                           sight->ball ? ARC_ARM_BALL : 0};
    for (int k = 0; k < 3; k++) {
        ArcArmPoint point;
        arc_arm_point(arm, places[k], p, theta, omega, &point);
        for (int axis = 0; places[k] != 0 && axis < d; axis++)
            swing_add(c, random, sight,
                      (ArcSwingNumber){.row = row,
                                       .kind = ARC_SWING_PLACE,
                                       .index = places[k],
                                       .axis = axis,
                                       .value = point.x_m[axis],
                                       .sigma = sight->sigma_m});
    }
    for (int j = 0; j < J; j++) {
        if (sight->angles)
            swing_add(c, random, sight,
                      (ArcSwingNumber){.row = row,
                                       .kind = ARC_SWING_ANGLE,
                                       .index = j,
                                       .value = theta[j] + sight->offset_rad,
                                       .sigma = sight->sigma_rad});
        if (sight->rates)
            swing_add(c, random, sight,
                      (ArcSwingNumber){.row = row,
                                       .kind = ARC_SWING_RATE,
                                       .index = j,
                                       .value = omega[j],
                                       .sigma = sight->sigma_rad_s});
    }
}

/* The flight that the truth's arm lets go, its points at the given times. */
static inline ArcCapture *swing_flight(const ArcExperiment *truth, const double *values,
                                       const SwingSight *sight, const double *t_s)
{
    static const char *const axes = "xyz";
    const ArcArm *arm = &truth->arm;
    int t0 = truth->flight.n_parameters, d = truth->flight.settings.dimensions;
    const double *p = values + t0 + 1 + 2 * d;
    char text[1024];
    ArcArmPoint ball;
    ArcError err;
    ArcCapture *capture = NULL;
    arc_arm_point(arm, ARC_ARM_BALL, p, p + arm->theta, p + arm->omega, &ball);
    int n = snprintf(text, sizeof text, CASE_HEAD "%sparameters:\n  t0: %.17g\n", sight->flight,
                     values[t0]);
    for (int c = 0; c < d; c++)
        n += snprintf(text + n, sizeof text - (size_t)n, "  %c0: %.17g\n  v%c0: %.17g\n", axes[c],
                      ball.x_m[c], axes[c], ball.v_m_s[c]);
    ArcExperiment *flight = case_experiment(text);
    flight->seed = sight->seed != 0 ? sight->seed : 1;
    ArcSimulateSettings settings = arc_simulate_settings_default();
    settings.sigma_m = sight->seed != 0 ? sight->sigma_m : 1e-12;
    if (arc_simulate_capture(flight, sight->points, t_s, settings, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    for (int i = 0; i < sight->points * d; i++)
        ((double *)(uintptr_t)capture->sigma_m)[i] = sight->sigma_m;
    arc_experiment_free(flight);
    return capture;
}

/* What is seen of the throw that the experiment text tells, whose swing lasts span_s; rows and
 * points stand a little off the release. */
static inline void swing_case(const char *text, double span_s, double flight_s, SwingSight sight,
                              SwingCase *c)
{
    ArcExperiment *truth = case_experiment(text);
    double values[ARC_MAX_PARAMETERS], times[SWING_ROWS];
    const ArcArm *arm = &truth->arm;
    int t0 = truth->flight.n_parameters, d = truth->flight.settings.dimensions;
    const double *p = values + t0 + 1 + 2 * d;
    *c = (SwingCase){.swing = {.file = "swing.csv", .n_rows = sight.rows}};
    for (int i = 0; i < truth->n_parameters; i++)
        values[i] = truth->parameters[i].start;
    for (int i = 0; i < sight.points; i++)
        times[i] = values[t0] + 0.004 + (flight_s - 0.004) * i / (sight.points - 1);
    c->flight = swing_flight(truth, values, &sight, times);
    c->seen = *c->flight;
    c->seen.swing = &c->swing;
    c->swing.time_s = c->time_s;
    c->swing.numbers = c->numbers;
    ArcRandom random = arc_random_create(sight.seed, 77);
    double theta[4], omega[4], now = values[t0];
    memcpy(theta, p + arm->theta, sizeof(double) * (size_t)arm->settings.n_joints);
    memcpy(omega, p + arm->omega, sizeof(double) * (size_t)arm->settings.n_joints);
    for (int i = sight.rows - 1; i >= 0; i--) {
        c->time_s[i] = values[t0] - span_s + (span_s - 0.007) * i / (sight.rows - 1);
        swing_move(arm, p, now, c->time_s[i], theta, omega);
        now = c->time_s[i];
        swing_see(c, &random, arm, p, &sight, i, theta, omega);
    }
    arc_experiment_free(truth);
}

static inline void swing_free(SwingCase *c)
{
    arc_capture_free(c->flight);
}

/* Two links that throw a ball of 0.6 kg; JOINTS of the arm, parameters and the fit follow. */
#define SWING_HEAD                                                                                 \
    "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm, swing: {file: swing.csv}}\n" SWING_FLIGHT   \
    "release: arm\n"
#define SWING_LINK_1 "length: 0.5 m, mass: 2 kg, centre: 0.25 m, inertia: 0.04 kg m^2"
#define SWING_LINK_2 "length: 0.4 m, mass: 1 kg, centre: 0.2 m, inertia: 0.015 kg m^2"
#define SWING_TWO(torque1, torque2)                                                                \
    SWING_HEAD "arm:\n  span: [0 s, 0.3 s]\n  base: [0 m, 1 m]\n  joints:\n"                       \
               "    - {" SWING_LINK_1 ", viscous: 0.1, coulomb: 0.2, torque: {" torque1 "}}\n"     \
               "    - {" SWING_LINK_2 ", viscous: 0.05, coulomb: 0.1, torque: {" torque2 "}}\n"
#define SWING_SPLINES SWING_TWO("curve: spline, coefficients: 6", "curve: spline, coefficients: 6")
#define SWING_RELEASE                                                                              \
    "  t0: 0.3 s\n  theta1: 60 deg\n  theta2: 25 deg\n  omega1: 6 rad/s\n  omega2: 9 rad/s\n"
#define SWING_TORQUES                                                                              \
    "  torque1_1: 30\n  torque1_2: 42\n  torque1_3: 55\n  torque1_4: 60\n  torque1_5: 45\n"        \
    "  torque1_6: 20\n  torque2_1: 6\n  torque2_2: 9\n  torque2_3: 14\n  torque2_4: 16\n"          \
    "  torque2_5: 12\n  torque2_6: 5\n"
#define SWING_FREE "  t0: free\n  l1: free\n  l2: free\n"
#define SWING_TRUTH SWING_SPLINES "parameters:\n" SWING_RELEASE SWING_TORQUES
#define SWING_FIT SWING_SPLINES "parameters:\n" SWING_FREE

#endif
