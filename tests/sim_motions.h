/* Motions with all their partials, for the simulator's test. */
#ifndef ARC_TESTS_SIM_MOTIONS_H
#define ARC_TESTS_SIM_MOTIONS_H

#include "sim/simulator.h"

#include <math.h>
#include <string.h>

static const double G = 9.80665;

/* a = -g up y, in the plane, no parameters. */
static void vacuum(void *context, double t, const double *x, const double *v, const double *p,
                   double *a, double *a_x, double *a_v, double *a_p)
{
    (void)context, (void)t, (void)x, (void)v, (void)p, (void)a_p;
    a[0] = 0;
    a[1] = -G;
    if (a_v != NULL) {
        memset(a_x, 0, 4 * sizeof(double));
        memset(a_v, 0, 4 * sizeof(double));
    }
}

/* a = -b v - g up y, in the plane, p = (b). */
static void linear_drag(void *context, double t, const double *x, const double *v, const double *p,
                        double *a, double *a_x, double *a_v, double *a_p)
{
    (void)context, (void)t, (void)x;
    a[0] = -p[0] * v[0];
    a[1] = -p[0] * v[1] - G;
    if (a_v != NULL) {
        memset(a_x, 0, 4 * sizeof(double));
        a_v[0] = a_v[3] = -p[0];
        a_v[1] = a_v[2] = 0;
        a_p[0] = -v[0];
        a_p[1] = -v[1];
    }
}

/* a = -k x, on a line, p = (k). */
static void oscillator(void *context, double t, const double *x, const double *v, const double *p,
                       double *a, double *a_x, double *a_v, double *a_p)
{
    (void)context, (void)t, (void)v;
    a[0] = -p[0] * x[0];
    if (a_v != NULL) {
        a_x[0] = -p[0];
        a_v[0] = 0;
        a_p[0] = -x[0];
    }
}

/* a = -k |v| v, on a line, p = (k). */
static void quadratic_drag(void *context, double t, const double *x, const double *v,
                           const double *p, double *a, double *a_x, double *a_v, double *a_p)
{
    (void)context, (void)t, (void)x;
    a[0] = -p[0] * fabs(v[0]) * v[0];
    if (a_v != NULL) {
        a_x[0] = 0;
        a_v[0] = -2 * p[0] * fabs(v[0]);
        a_p[0] = -fabs(v[0]) * v[0];
    }
}

/* a = -k |v| v + q (v_y, -v_x) - g up y, in the plane, p = (k, q). */
static void ball(void *context, double t, const double *x, const double *v, const double *p,
                 double *a, double *a_x, double *a_v, double *a_p)
{
    (void)context, (void)t, (void)x;
    double speed = sqrt(v[0] * v[0] + v[1] * v[1]), ratio = speed > 0 ? p[0] / speed : 0;
    a[0] = -p[0] * speed * v[0] + p[1] * v[1];
    a[1] = -p[0] * speed * v[1] - p[1] * v[0] - G;
    if (a_v != NULL) {
        memset(a_x, 0, 4 * sizeof(double));
        a_v[0] = -p[0] * speed - ratio * v[0] * v[0];
        a_v[1] = p[1] - ratio * v[0] * v[1];
        a_v[2] = -p[1] - ratio * v[0] * v[1];
        a_v[3] = -p[0] * speed - ratio * v[1] * v[1];
    }
    if (a_p != NULL) {
        a_p[0] = -speed * v[0];
        a_p[1] = v[1];
        a_p[2] = -speed * v[1];
        a_p[3] = -v[0];
    }
}

/* Looks at everything: a = -k x |x|^2 - c v + s (t, t^2, t^3), in space, p = (k, c, s). */
static void crowded(void *context, double t, const double *x, const double *v, const double *p,
                    double *a, double *a_x, double *a_v, double *a_p)
{
    (void)context;
    double size2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    for (int e = 0; e < 3; e++) {
        double push = e == 0 ? t : e == 1 ? t * t : t * t * t;
        a[e] = -p[0] * size2 * x[e] - p[1] * v[e] + p[2] * push;
        if (a_v == NULL)
            continue;
        for (int c = 0; c < 3; c++) {
            a_x[e * 3 + c] = -p[0] * (2 * x[e] * x[c] + (e == c ? size2 : 0));
            a_v[e * 3 + c] = e == c ? -p[1] : 0;
        }
        a_p[e * 3] = -size2 * x[e];
        a_p[e * 3 + 1] = -v[e];
        a_p[e * 3 + 2] = push;
    }
}

/* Circular orbit a = -x / |x|^3, in the plane, no parameters. */
static void orbit(void *context, double t, const double *x, const double *v, const double *p,
                  double *a, double *a_x, double *a_v, double *a_p)
{
    (void)context, (void)t, (void)v, (void)p, (void)a_p;
    double r2 = x[0] * x[0] + x[1] * x[1], r3 = r2 * sqrt(r2);
    for (int e = 0; e < 2; e++) {
        a[e] = -x[e] / r3;
        for (int c = 0; a_v != NULL && c < 2; c++) {
            a_x[e * 2 + c] = (3 * x[e] * x[c] / r2 - (e == c)) / r3;
            a_v[e * 2 + c] = 0;
        }
    }
}

/* Explodes: a = v^2, v = v0 / (1 - v0 t), on a line. */
static void explosion(void *context, double t, const double *x, const double *v, const double *p,
                      double *a, double *a_x, double *a_v, double *a_p)
{
    (void)context, (void)t, (void)x, (void)p, (void)a_p;
    a[0] = v[0] * v[0];
    if (a_v != NULL) {
        a_x[0] = 0;
        a_v[0] = 2 * v[0];
    }
}

/* Has no value after half a second. */
static void cliff(void *context, double t, const double *x, const double *v, const double *p,
                  double *a, double *a_x, double *a_v, double *a_p)
{
    (void)context, (void)x, (void)v, (void)p, (void)a_p;
    a[0] = t > 0.5 ? NAN : 1;
    if (a_v != NULL)
        a_x[0] = a_v[0] = 0;
}

static const ArcMotion VACUUM = {2, 0, true, NULL, vacuum, 0, 0, false};
static const ArcMotion LINEAR_DRAG = {2, 1, true, NULL, linear_drag, 0, 0, false};
static const ArcMotion OSCILLATOR = {1, 1, false, NULL, oscillator, 0, 0, false};
static const ArcMotion QUADRATIC_DRAG = {1, 1, true, NULL, quadratic_drag, 0, 0, false};
static const ArcMotion BALL = {2, 2, true, NULL, ball, 0, 0, false};
static const ArcMotion CROWDED = {3, 3, false, NULL, crowded, 0, 0, false};
static const ArcMotion ORBIT = {2, 0, false, NULL, orbit, 0, 0, false};
static const ArcMotion EXPLOSION = {1, 0, true, NULL, explosion, 0, 0, false};
static const ArcMotion CLIFF = {1, 0, true, NULL, cliff, 0, 0, false};

#endif
