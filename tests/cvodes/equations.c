/* See equations.h. */
#include "equations.h"

#include <math.h>
#include <string.h>

/* CIPM-2007 at 400 ppm carbon dioxide, t in degC. */
static double air_density(double t, double p, double humidity)
{
    double T = t + 273.15, R = 8.314472, Ma = 28.96546e-3, Mv = 18.01528e-3;
    double saturation =
        exp(1.2378847e-5 * T * T - 1.9121316e-2 * T + 33.93711047 - 6.3431645e3 / T);
    double xv = humidity * (1.00062 + 3.14e-8 * p + 5.6e-7 * t * t) * saturation / p;
    double first = 1.58123e-6 - 2.9331e-8 * t + 1.1043e-10 * t * t +
                   (5.707e-6 - 2.051e-8 * t) * xv + (1.9898e-4 - 2.376e-6 * t) * xv * xv;
    double Z = 1 - p / T * first + p * p / (T * T) * (1.83e-11 - 0.765e-8 * xv * xv);
    return p * Ma / (Z * R * T) * (1 - xv * (1 - Mv / Ma));
}

/* On the ellipsoid and h above it, by the geometry of WGS 84. */
static double normal_gravity(double latitude_deg, double h)
{
    double a = 6378137, f = 1 / 298.257223563, b = a * (1 - f), GM = 3.986004418e14;
    double omega = 7.292115e-5, equator = 9.7803253359, pole = 9.8321849379;
    double sine = sin(latitude_deg * M_PI / 180), cosine = cos(latitude_deg * M_PI / 180);
    double c2 = cosine * cosine, s2 = sine * sine;
    double g = (a * equator * c2 + b * pole * s2) / sqrt(a * a * c2 + b * b * s2);
    double m = omega * omega * a * a * b / GM;
    return g * (1 - 2 / a * (1 + f + m - 2 * f * s2) * h + 3 * h * h / (a * a));
}

Constants flight_constants(const Flight *flight)
{
    bool usual = flight->pressure_pa == 0;
    double t = usual ? 20 : flight->temperature_c, T = t + 273.15, d = flight->diameter_m;
    return (Constants){
        .density =
            air_density(t, usual ? 101325 : flight->pressure_pa, usual ? 0.5 : flight->humidity),
        .viscosity = 1.458e-6 * sqrt(T) * T / (T + 110.4),
        .gravity =
            flight->has_latitude ? normal_gravity(flight->latitude_deg, flight->height_m) : 9.80665,
        .area = M_PI * d * d / 4,
        .volume = M_PI * d * d * d / 6,
    };
}

static Complex norm(const Complex *a)
{
    return csqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static void cross(const Complex *a, const Complex *b, Complex *c)
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Slope at a free first knot, of the parabola through three. */
static double free_slope(double h0, double h1, double D0, double D1)
{
    return ((2 * h0 + h1) * D0 - h0 * D1) / (h0 + h1);
}

static double inner_slope(double h0, double h1, double D0, double D1)
{
    if (D0 * D1 <= 0)
        return 0;
    return 3 * (h0 + h1) / ((2 * h1 + h0) / D0 + (h1 + 2 * h0) / D1);
}

/* At most twice the secant, and never against it. */
static double limited(double slope, double secant)
{
    return slope * secant <= 0 ? 0 : copysign(fmin(fabs(slope), 2 * fabs(secant)), secant);
}

/* By Hermite's basis of the fifth degree for no curvature at the knots. */
static Complex monotone(int n, const double *x, const double *y, bool free_start, Complex at)
{
    double h[MAX_KNOTS], D[MAX_KNOTS], slope[MAX_KNOTS + 1] = {0};
    if (creal(at) <= x[0])
        return y[0];
    if (creal(at) >= x[n - 1])
        return y[n - 1];
    for (int i = 0; i < n - 1; i++) {
        h[i] = x[i + 1] - x[i];
        D[i] = (y[i + 1] - y[i]) / h[i];
    }
    if (free_start)
        slope[0] = limited(free_slope(h[0], h[1], D[0], D[1]), D[0]);
    for (int i = 1; i < n - 1; i++) {
        slope[i] = inner_slope(h[i - 1], h[i], D[i - 1], D[i]);
        slope[i] = limited(limited(slope[i], D[i - 1]), D[i]);
    }
    int i = 0;
    while (creal(at) > x[i + 1])
        i++;
    Complex z = (at - x[i]) / h[i], w = 1 - z, z3 = z * z * z, w3 = w * w * w;
    return w3 * (1 + 3 * z + 6 * z * z) * y[i] + z3 * (1 + 3 * w + 6 * w * w) * y[i + 1] +
           h[i] * z * w * (w * w * (1 + 3 * z) * slope[i] - z * z * (1 + 3 * w) * slope[i + 1]);
}

/* Through (0, 0) first where from_zero. */
static Complex table(const double pairs[MAX_KNOTS][2], bool from_zero, Complex at)
{
    double x[MAX_KNOTS + 1] = {0}, y[MAX_KNOTS + 1] = {0};
    int n = from_zero;
    for (int i = 0; i < MAX_KNOTS && pairs[i][0] > 0; i++, n++) {
        x[n] = pairs[i][0];
        y[n] = pairs[i][1];
    }
    return monotone(n, x, y, from_zero, at);
}

static Complex morrison(Complex Re)
{
    Complex y = Re / 5, z = Re / 263000, x = Re / 1e6;
    return 24 / Re + 2.6 * y / (1 + cpow(y, 1.52)) + 0.411 * cpow(z, -7.94) / (1 + cpow(z, -8)) +
           0.25 * x / (1 + x);
}

static Complex drag_coefficient(const Flight *flight, const Constants *c, const Complex *q,
                                Complex speed, Complex rate)
{
    switch (flight->drag) {
    case DRAG_QUADRATIC:
        return q[Q_cd];
    case DRAG_LOGISTIC:
        return q[Q_cd_after] + q[Q_cd_drop] / (1 + cexp((speed - q[Q_v_crisis]) / q[Q_v_width]));
    case DRAG_MORRISON:
        return morrison(c->density * speed * flight->diameter_m / c->viscosity);
    case DRAG_SPIN:
        return q[Q_cd0] + q[Q_cd_w] * rate;
    case DRAG_TABLE:
        return table(flight->drag_table, false, speed);
    default:
        return 0;
    }
}

static Complex sawicki(Complex S)
{
    Complex z = (S - 0.1) / 0.02;
    if (creal(z) <= -1)
        return 1.5 * S;
    if (creal(z) >= 1)
        return 0.09 + 0.6 * S;
    /* 0.12 at S = 0.08, then the integral of 1.5 - 0.9 (2 + 3 z - z^3) / 4 */
    Complex step = (2 * z + 1.5 * z * z - z * z * z * z / 4 + 0.75) / 4;
    return 0.12 + 0.02 * (1.5 * (z + 1) - 0.9 * step);
}

static Complex lift_coefficient(const Flight *flight, const Complex *q, Complex S)
{
    switch (flight->lift) {
    case LIFT_CONSTANT:
        return q[Q_cl];
    case LIFT_LINEAR:
        return q[Q_cm] * S;
    case LIFT_RATIONAL:
        return 1 / (2 + 1 / S);
    case LIFT_NATHAN:
        return 1.120 * S / (0.583 + 2.333 * S);
    case LIFT_SAWICKI:
        return sawicki(S);
    case LIFT_TABLE:
        return table(flight->lift_table, true, S);
    default:
        return 0;
    }
}

static Complex shear(const Flight *flight, Complex height)
{
    if (flight->reference_m == 0)
        return 1;
    double n = flight->exponent;
    Complex z = (height - flight->ground_m) / flight->reference_m, y = z / 0.01;
    if (creal(z) <= 0)
        return 0;
    return creal(z) < 0.01 ? pow(0.01, n) * ((3 - n) * y * y - (2 - n) * y * y * y) : cpow(z, n);
}

static void air_speed(const Flight *flight, double t, const Complex *x, const Complex *v,
                      Complex *u)
{
    double off = flight->gust_width > 0 ? (t - flight->gust_time) / flight->gust_width : 0;
    double pulse = flight->gust_width > 0 ? exp(-off * off / 2) : 0;
    Complex share = shear(flight, x[flight->up]);
    for (int c = 0; c < 3; c++)
        u[c] = v[c] - flight->wind[c] * share - flight->gust[c] * pulse;
}

void flight_rates(const Flight *flight, const Constants *constants, double t, const Complex *q,
                  const Complex *y, Complex *rates)
{
    const Complex *x = y, *v = y + 3, *w = y + 6;
    double m = flight->mass_kg > 0 ? flight->mass_kg : 1,
           rho_V = constants->density * constants->volume;
    double inertia = m + (flight->added_mass ? rho_V / 2 : 0);
    double weight = (m - (flight->buoyancy ? rho_V : 0)) * constants->gravity;
    Complex u[3], n[3];
    air_speed(flight, t, x, v, u);
    cross(w, u, n);
    Complex speed = norm(u), turn = norm(n), rate = norm(w);
    Complex pressure = constants->density * constants->area * speed * speed / 2;
    Complex drag = pressure * drag_coefficient(flight, constants, q, speed, rate) / speed, lift = 0;
    if (flight->drag == DRAG_LUMPED)
        drag = m * q[Q_k] * speed;
    if (flight->lift == LIFT_LUMPED)
        lift = m * q[Q_s];
    else if (flight->lift != LIFT_NONE)
        lift = pressure / turn *
               lift_coefficient(flight, q, flight->diameter_m / 2 * turn / speed / speed);
    Complex fading = flight->decay == DECAY_EXPONENTIAL   ? 1 / q[Q_spin_tau]
                     : flight->decay == DECAY_AERODYNAMIC ? q[Q_spin_decay] * speed
                                                          : 0;
    for (int c = 0; c < 3; c++) {
        rates[c] = v[c];
        rates[3 + c] = (lift * n[c] - drag * u[c] - (c == flight->up ? weight : 0)) / inertia;
        rates[6 + c] = -fading * w[c];
    }
}

void flight_release(const Flight *flight, const Complex *q, Complex *y)
{
    memset(y, 0, sizeof(Complex) * N_STATES);
    bool plane = flight->dimensions == 2;
    for (int c = 0; c < flight->dimensions; c++) {
        y[c] = q[Q_x0 + c];
        y[3 + c] = q[Q_vx0 + c];
    }
    if (flight->polar) {
        /* the first level axis follows up in the circle x y z; in the plane it is the other one */
        int up = flight->up, first = plane ? 1 - up : (up + 1) % 3, second = (up + 2) % 3;
        Complex level = q[Q_speed] * ccos(q[Q_angle]);
        y[3 + up] = q[Q_speed] * csin(q[Q_angle]);
        y[3 + first] = level * ccos(q[Q_azimuth]);
        if (!plane)
            y[3 + second] = level * csin(q[Q_azimuth]);
    }
    for (int c = 0; c < 3; c++)
        y[6 + c] = plane ? (c == 2 ? -q[Q_spin] : 0) : q[Q_wx + c];
}
