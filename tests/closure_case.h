/* Cases of closures: flights in the plane through a field of acceleration that the equations do not
 * know, integrated here by classical Runge-Kutta steps. Include after cmocka.h. */
#ifndef CLOSURE_CASE_H
#define CLOSURE_CASE_H

#include "arcfit/joint.h"
#include "arcfit/result.h"
#include "base/random.h"
#include "fit_case.h"

enum { CLOSURE_MOST = 40, CLOSURE_STEPS = 40 };

/* A ball of mass 0.62 kg and diameter 0.24 m in air of 1.2 kg/m^3, as the experiments below have
 * it, with a gust of Gaussian shape along x. */
typedef struct ClosureTruth {
    double cd, s, spin; /* drag, lift s (w x u) */
    double gust_m_s2, gust_sd_m, gust_x, gust_y;
    double (*cd_of)(double speed); /* NULL: cd */
} ClosureTruth;

/* rho A / (2 m) */
#define CLOSURE_PER_CD (1.2 * M_PI * 0.24 * 0.24 / (8.0 * 0.62))

static ArcCapture *closure_flights[CLOSURE_MOST];

static inline double closure_gust(const ClosureTruth *truth, double x, double y)
{
    double r2 =
        (x - truth->gust_x) * (x - truth->gust_x) + (y - truth->gust_y) * (y - truth->gust_y);
    return truth->gust_m_s2 * exp(-0.5 * r2 / (truth->gust_sd_m * truth->gust_sd_m));
}

static inline void closure_rates(const ClosureTruth *truth, const double *z, double *f)
{
    double speed = hypot(z[2], z[3]);
    double k = CLOSURE_PER_CD * (truth->cd_of != NULL ? truth->cd_of(speed) : truth->cd);
    /* In the plane w = (0, 0, -spin): w x u = spin (u_y, -u_x). */
    f[0] = z[2];
    f[1] = z[3];
    f[2] = -k * speed * z[2] + truth->s * truth->spin * z[3] + closure_gust(truth, z[0], z[1]);
    f[3] = -9.80665 - k * speed * z[3] - truth->s * truth->spin * z[2];
}

static inline void closure_step(const ClosureTruth *truth, double h, double *z)
{
    double a[4], b[4], c[4], d[4], at[4];
    closure_rates(truth, z, a);
    for (int i = 0; i < 4; i++)
        at[i] = z[i] + 0.5 * h * a[i];
    closure_rates(truth, at, b);
    for (int i = 0; i < 4; i++)
        at[i] = z[i] + 0.5 * h * b[i];
    closure_rates(truth, at, c);
    for (int i = 0; i < 4; i++)
        at[i] = z[i] + h * c[i];
    closure_rates(truth, at, d);
    for (int i = 0; i < 4; i++)
        z[i] += h * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0;
}

/* A flight of n points over span_s from a release (x, y, vx, vy). */
static inline ArcCapture *closure_fly(const ClosureTruth *truth, const double *release, int n,
                                      double span_s, double sigma_m, ArcRandom *random)
{
    double *t = calloc((size_t)n * 5, sizeof *t), *x = t + n, *sigma = x + 2 * n, z[4];
    assert_non_null(t);
    memcpy(z, release, sizeof z);
    for (int i = 0; i < n; i++) {
        t[i] = span_s * i / (n - 1);
        for (int step = 0; i > 0 && step < CLOSURE_STEPS; step++)
            closure_step(truth, (t[i] - t[i - 1]) / CLOSURE_STEPS, z);
        for (int c = 0; c < 2; c++) {
            x[2 * i + c] = z[c] + sigma_m * arc_random_normal(random);
            sigma[2 * i + c] = sigma_m;
        }
    }
    ArcCapture *capture = NULL;
    ArcError err;
    if (arc_capture_create(GIVEN(n, 2, t, x, sigma), &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    free(t);
    return capture;
}

/* n throws of a hand near the origin through the gust, each down to where it began. */
static inline void closure_throw(const ClosureTruth *truth, int n, int points, uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, 3);
    for (int f = 0; f < n; f++) {
        double speed = arc_random_uniform(&random, 5.5, 7.5);
        double angle = arc_random_uniform(&random, 50.0, 70.0) * M_PI / 180.0;
        double release[4] = {0.1 * arc_random_normal(&random),
                             2.0 + 0.1 * arc_random_normal(&random), speed * cos(angle),
                             speed * sin(angle)};
        double span_s = 1.94 * release[3] / 9.80665;
        closure_flights[f] = closure_fly(truth, release, points, span_s, 0.002, &random);
    }
}

static inline void closure_land(int n)
{
    for (int f = 0; f < n; f++)
        arc_capture_free(closure_flights[f]);
}

#define CLOSURE_TRUTH                                                                              \
    {                                                                                              \
        .cd = 0.5, .s = 0.005, .spin = 15.0, .gust_m_s2 = 2.0, .gust_sd_m = 0.5, .gust_x = 1.8,    \
        .gust_y = 3.3                                                                              \
    }

#define CLOSURE_FLIGHT                                                                             \
    "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\n"                                          \
    "flight: {ball: {mass: 0.62 kg, diameter: 0.24 m}, air: {density: 1.2 kg/m^3}, "               \
    "buoyancy: false, drag: quadratic, lift: lumped}\n"                                            \
    "parameters: {cd: {start: 0.4}, s: {start: 0.01}, spin: 15}\n"
#define CLOSURE_FIELD CLOSURE_FLIGHT "closure: {inputs: [x, y], outputs: acceleration}\n"

static inline ArcJoint *closure_join(const char *text, int n)
{
    ArcError err;
    ArcJoint *joint = NULL;
    ArcExperiment *experiment = case_experiment(text);
    if (arc_joint_create(experiment, n, (const ArcCapture *const *)closure_flights, &joint, &err) !=
        ARC_OK)
        fail_msg("%s", err.text);
    arc_experiment_free(experiment);
    return joint;
}

/* Relative L2 error of the field's first output at the table's nodes. */
static inline double closure_field_error(const ArcClosureTable *table, const ClosureTruth *truth)
{
    double off = 0.0, size = 0.0;
    for (int i = 0; i < table->n_rows; i++) {
        double gust = closure_gust(truth, table->input[2 * i], table->input[2 * i + 1]);
        double miss = table->value[i * table->n_outputs] - gust;
        off += miss * miss;
        size += gust * gust;
    }
    return sqrt(off / size);
}

#endif
