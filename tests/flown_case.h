/* Points of flights flown by hand for tests of what is found before any fit: drag and lift by
 * classical Runge-Kutta, motion of a hand, bounces, noise. Include after cmocka.h. */
#ifndef FLOWN_CASE_H
#define FLOWN_CASE_H

#include "arcfit/diagnosis.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

enum { FLOWN_MOST = 2000 };

/* What flies: a = g - k |v| v + S x v, the axis up falling; in the plane S[2] alone. */
typedef struct Ball {
    int d, up;
    double g_m_s2, k_per_m, S_1_s[3];
} Ball;

/* Points as they are made. */
typedef struct Flown {
    int n, d;
    double time_s[FLOWN_MOST], position_m[3 * FLOWN_MOST], sigma_m[3 * FLOWN_MOST];
} Flown;

static inline void flown_accelerate(const Ball *ball, const double *v, double *a)
{
    double speed = sqrt(v[0] * v[0] + v[1] * v[1] + (ball->d == 3 ? v[2] * v[2] : 0));
    double w[3] = {v[0], v[1], ball->d == 3 ? v[2] : 0};
    for (int e = 0; e < ball->d; e++) {
        int i = (e + 1) % 3, j = (e + 2) % 3;
        a[e] = -ball->k_per_m * speed * v[e] + ball->S_1_s[i] * w[j] - ball->S_1_s[j] * w[i] -
               (e == ball->up ? ball->g_m_s2 : 0);
    }
}

/* Moves the ball on by h. */
static inline void flown_step(const Ball *ball, double h, double *x, double *v)
{
    double a[4][3], u[4][3];
    for (int stage = 0; stage < 4; stage++) {
        double share = stage == 0 ? 0 : stage == 3 ? h : h / 2;
        for (int e = 0; e < ball->d; e++)
            u[stage][e] = v[e] + (stage > 0 ? share * a[stage - 1][e] : 0);
        flown_accelerate(ball, u[stage], a[stage]);
    }
    for (int e = 0; e < ball->d; e++) {
        x[e] += h * (u[0][e] + 2 * u[1][e] + 2 * u[2][e] + u[3][e]) / 6;
        v[e] += h * (a[0][e] + 2 * a[1][e] + 2 * a[2][e] + a[3][e]) / 6;
    }
}

static inline void flown_point(Flown *flown, double time_s, const double *x)
{
    assert_true(flown->n < FLOWN_MOST);
    flown->time_s[flown->n] = time_s;
    for (int e = 0; e < flown->d; e++)
        flown->position_m[flown->n * flown->d + e] = x[e];
    flown->n++;
}

/* Appends n points of a flight from x, v, the first at time_s; they end where the flight does. */
static inline void flown_flight(Flown *flown, const Ball *ball, int n, double time_s, double step_s,
                                double *x, double *v)
{
    flown->d = ball->d;
    for (int i = 0; i < n; i++) {
        flown_point(flown, time_s + i * step_s, x);
        for (int part = 0; part < 8; part++)
            flown_step(ball, step_s / 8, x, v);
    }
}

/* Appends n points of a hand that brings the ball from rest to velocity v at x, which the next
 * point would have. */
static inline void flown_hand(Flown *flown, int d, int n, double time_s, double step_s,
                              const double *x, const double *v)
{
    flown->d = d;
    for (int i = 0; i < n; i++) {
        double at[3], before = (n - i) * step_s, span = n * step_s;
        for (int e = 0; e < d; e++)
            at[e] = x[e] - v[e] * (before - before * before / (2 * span));
        flown_point(flown, time_s + i * step_s, at);
    }
}

static inline void flown_noise(Flown *flown, double sigma_m, uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, 77);
    for (int i = 0; i < flown->n * flown->d; i++) {
        flown->position_m[i] += sigma_m * arc_random_normal(&random);
        flown->sigma_m[i] = sigma_m;
    }
}

static inline ArcCapture *flown_capture(const Flown *flown)
{
    ArcError err;
    ArcCapture *capture = NULL;
    ArcCapture given = {.n_points = flown->n,
                        .dimensions = flown->d,
                        .time_s = flown->time_s,
                        .position_m = flown->position_m,
                        .sigma_m = flown->sigma_m};
    if (arc_capture_create(&given, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return capture;
}

/* The flight that an experiment would state: any ball in still air, or the preset of a name. */
static inline ArcFlight flown_knowledge(int d, int up, const char *ball)
{
    ArcFlightSettings settings = arc_flight_settings_default();
    ArcFlight flight;
    settings.dimensions = d;
    settings.up = up;
    settings.has_ball = ball != NULL;
    if (ball != NULL)
        settings.ball = *arc_ball_find(ball);
    assert_int_equal(arc_flight_create(&settings, &flight, NULL), ARC_OK);
    return flight;
}

#endif
