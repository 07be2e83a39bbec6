#include "physics/torque.h"

#include <math.h>
#include <string.h>

/* A value and its slope. */
typedef struct Sloped {
    double value, slope;
} Sloped;

static const double margin = 0.05; /* D */

/* xi that goes on no further than a little outside 0 to 1. */
static Sloped held(double xi)
{
    double edge = xi < 0 ? 0.0 : 1.0;
    if (!(xi < 0 || xi > 1))
        return (Sloped){xi, 1};
    double s = tanh((xi - edge) / margin);
    return (Sloped){edge + margin * s, 1 - s * s};
}

static void polynomial(int n, double xi, const double *q, ArcTorque *torque)
{
    double power = 1, slope = 0;
    for (int k = 0; k < n; k++) {
        torque->value += q[k] * power;
        torque->by_t += q[k] * slope;
        torque->by[k] = power;
        slope = power * (k + 1);
        power *= xi;
    }
}

/* S: in the first corner the integral of the smooth step, in the last its mirror image. */
static Sloped ramp(double u)
{
    static const double corner = 0.25, top = 1 / (1 - 0.25); /* of the slope */
    if (!(u > 0))
        return (Sloped){isnan(u) ? u : 0, 0};
    if (u >= 1)
        return (Sloped){1, 0};
    double from_end = u < 0.5 ? u : 1 - u, value, slope = top;
    if (from_end < corner) {
        double s = from_end / corner, s2 = s * s;
        value = top * corner * s2 * s2 * (2.5 + s * (s - 3));
        slope = top * s2 * s * (10 + s * (6 * s - 15));
    } else {
        value = top * (from_end - corner / 2);
    }
    return (Sloped){u < 0.5 ? value : 1 - value, slope};
}

static void trapezoid(double xi, const double *q, ArcTorque *torque)
{
    Sloped up = ramp(xi / q[1]), down = ramp((1 - xi) / q[2]);
    torque->by[0] = up.value * down.value;
    torque->value = q[0] * torque->by[0];
    torque->by_t = q[0] * (up.slope / q[1] * down.value - up.value * down.slope / q[2]);
    torque->by[1] = -q[0] * up.slope * xi / (q[1] * q[1]) * down.value;
    torque->by[2] = -q[0] * up.value * down.slope * (1 - xi) / (q[2] * q[2]);
}

/* Knot i of the spline in units of their distance; n_spans of them. */
static double knot(int i, int n_spans)
{
    return i < 3 ? 0 : i - 3 > n_spans ? n_spans : i - 3;
}

static void spline(int n, double xi, const double *q, ArcTorque *torque)
{
    int n_spans = n - 3, span = 0;
    double u = xi * n_spans, basis[4] = {1, 0, 0, 0}, slope[4] = {0};
    while (span < n_spans - 1 && u >= span + 1)
        span++;
    /* basis[r] is B_(span + 3 - degree + r) of the degree reached */
    for (int degree = 1; degree <= 3; degree++) {
        double carried = 0;
        for (int r = 0; r < degree; r++) {
            double left = knot(span + 4 + r - degree, n_spans);
            double right = knot(span + 4 + r, n_spans), part = basis[r] / (right - left);
            if (degree == 3) {
                slope[r] -= 3 * part;
                slope[r + 1] += 3 * part;
            }
            basis[r] = carried + (right - u) * part;
            carried = (u - left) * part;
        }
        basis[degree] = carried;
    }
    for (int r = 0; r < 4; r++) {
        torque->value += q[span + r] * basis[r];
        torque->by_t += q[span + r] * slope[r] * n_spans;
        torque->by[span + r] = basis[r];
    }
}

void arc_torque_curve(const ArcArmJoint *joint, double xi, double xi_t, const double *q,
                      ArcTorque *torque)
{
    *torque = (ArcTorque){0};
    if (joint->curve == ARC_TORQUE_CONSTANT) {
        torque->value = q[0];
        torque->by[0] = 1;
        return;
    }
    Sloped at = held(xi);
    switch (joint->curve) {
    case ARC_TORQUE_POLYNOMIAL:
        polynomial(joint->n_torques, at.value, q, torque);
        break;
    case ARC_TORQUE_TRAPEZOID:
        trapezoid(at.value, q, torque);
        break;
    default:
        spline(joint->n_torques, at.value, q, torque);
        break;
    }
    torque->by_t *= at.slope * xi_t;
}

/* g */
static Sloped what_is_left(double s)
{
    static const double joint = 0.1;
    double u = s / joint;
    if (!(u < 1))
        return (Sloped){s, 1};
    if (u <= 0)
        return (Sloped){0, 0};
    return (Sloped){joint * u * u * u * (6 + u * (3 * u - 8)), u * u * (18 + u * (15 * u - 32))};
}

/* (1 + x)^(-1/8) */
static double root(double x)
{
    return 1 / sqrt(sqrt(sqrt(1 + x)));
}

static double eighth(double x)
{
    double x2 = x * x, x4 = x2 * x2;
    return x4 * x4;
}

/* Cuts the curve's torque to what the motor has at its rate. */
static void limit(const ArcArmJoint *joint, double omega, ArcTorque *torque)
{
    double c = torque->value, sign = c < 0 ? -1 : 1, stall = joint->stall_n_m;
    if (isinf(stall))
        return;
    Sloped left = what_is_left(1 - sign * omega / joint->idle_rad_s);
    double most = stall * left.value, by_most, by_curve;
    if (fabs(c) <= most) {
        double x = most > 0 ? c / most : 0, x8 = eighth(x), r = root(x8);
        torque->value = c * r;
        by_curve = most > 0 ? r / (1 + x8) : 0;
        by_most = x8 * x * by_curve;
    } else {
        double x = most / c, x8 = eighth(x), r = root(x8);
        torque->value = sign * most * r;
        by_most = sign * r / (1 + x8);
        by_curve = fabs(x) * x8 * r / (1 + x8);
    }
    torque->by_t *= by_curve;
    torque->by_omega = -by_most * stall * left.slope * sign / joint->idle_rad_s;
    for (int k = 0; k < joint->n_torques; k++)
        torque->by[k] *= by_curve;
}

void arc_torque_motor(const ArcArm *arm, int j, double t_s, double omega, const double *p,
                      ArcTorque *motor)
{
    const ArcArmSettings *settings = &arm->settings;
    double rate = 1 / (settings->end_s - settings->begin_s);
    arc_torque_curve(&settings->joints[j], (t_s - settings->begin_s) * rate, rate,
                     p + arm->torque[j], motor);
    limit(&settings->joints[j], omega, motor);
}

void arc_torque_friction(const ArcArm *arm, int j, double omega, const double *p,
                         ArcTorque *friction)
{
    double width = arm->settings.friction_width_rad_s, sign = tanh(omega / width);
    double viscous = p[arm->viscous + j], coulomb = p[arm->coulomb + j];
    *friction = (ArcTorque){.value = viscous * omega + coulomb * sign,
                            .by_omega = viscous + coulomb * (1 - sign * sign) / width,
                            .by = {omega, sign}};
}

int arc_torque_knots(const ArcArm *arm, int j, const double *p, double *xi)
{
    static const double corners[] = {0.25, 0.75, 1.0};
    const ArcArmJoint *joint = &arm->settings.joints[j];
    const double *q = p + arm->torque[j];
    int n = 0;
    for (int i = 1; joint->curve == ARC_TORQUE_SPLINE && i < joint->n_torques - 3; i++)
        xi[n++] = i / (joint->n_torques - 3.0);
    for (int i = 0; joint->curve == ARC_TORQUE_TRAPEZOID && i < 3; i++) {
        xi[n++] = q[1] * corners[i];
        xi[n++] = 1.0 - q[2] * corners[i];
    }
    if (joint->curve != ARC_TORQUE_CONSTANT) {
        xi[n++] = 0.0;
        xi[n++] = 1.0;
    }
    return n;
}
