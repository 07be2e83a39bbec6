/* Release velocity, cartesian or polar. */
#include "fit/release.h"

#include <math.h>
#include <string.h>

/* The level axes: first and, in space, second. */
static void level_axes(int d, int up, int axes[2])
{
    axes[0] = d == 2 ? 1 - up : (up + 1) % 3;
    axes[1] = d == 2 ? axes[0] : (up + 2) % 3;
}

void arc_release_velocity(ArcReleaseForm form, int d, int up, const double *values, double *v,
                          double *v_q)
{
    if (v_q != NULL)
        memset(v_q, 0, sizeof(double) * (size_t)(d * d));
    if (form != ARC_RELEASE_POLAR) {
        for (int i = 0; i < d; i++) {
            v[i] = values[i];
            if (v_q != NULL)
                v_q[i * d + i] = 1.0;
        }
        return;
    }
    int axes[2];
    level_axes(d, up, axes);
    double speed = values[0];
    double rise = sin(values[1]), level = cos(values[1]);
    double east = d == 3 ? cos(values[2]) : 1.0, north = d == 3 ? sin(values[2]) : 0.0;
    v[up] = speed * rise;
    if (d == 3)
        v[axes[1]] = speed * level * north;
    v[axes[0]] = speed * level * east;
    if (v_q == NULL)
        return;
    v_q[up * d] = rise;
    v_q[up * d + 1] = speed * level;
    if (d == 3) {
        v_q[axes[1] * d] = level * north;
        v_q[axes[1] * d + 1] = -speed * rise * north;
        v_q[axes[1] * d + 2] = speed * level * east;
        v_q[axes[0] * d + 2] = -speed * level * north;
    }
    v_q[axes[0] * d] = level * east;
    v_q[axes[0] * d + 1] = -speed * rise * east;
}

void arc_release_polar(int d, int up, const double *v, double polar[3], double *gradient)
{
    int axes[2];
    level_axes(d, up, axes);
    double a = v[axes[0]], b = d == 3 ? v[axes[1]] : 0.0, c = v[up];
    double level = d == 3 ? hypot(a, b) : a; /* in the plane backwards is an angle over 90 deg */
    double speed = hypot(level, c);
    polar[0] = speed;
    polar[1] = speed > 0.0 ? atan2(c, level) : 0.0;
    polar[2] = d == 3 && level > 0.0 ? atan2(b, a) : 0.0;
    if (gradient == NULL)
        return;
    memset(gradient, 0, sizeof(double) * (size_t)(3 * d));
    if (speed == 0.0)
        return;
    for (int i = 0; i < d; i++)
        gradient[i] = v[i] / speed;
    gradient[d + up] = level / (speed * speed);
    double share = -c / (speed * speed);
    gradient[d + axes[0]] = d == 3 ? (level > 0.0 ? share * a / level : 0.0) : share;
    if (d == 3 && level > 0.0) {
        gradient[d + axes[1]] = share * b / level;
        gradient[2 * d + axes[0]] = -b / (level * level);
        gradient[2 * d + axes[1]] = a / (level * level);
    }
}

void arc_release_from_velocity(ArcReleaseForm form, int d, int up, const double *v, double *values)
{
    if (form != ARC_RELEASE_POLAR) {
        memcpy(values, v, sizeof(double) * (size_t)d);
        return;
    }
    double polar[3];
    arc_release_polar(d, up, v, polar, NULL);
    memcpy(values, polar, sizeof(double) * (size_t)d);
}
