/* Lenses, with second derivatives carried through by jets in (x, y). */
#include "physics/distortion.h"

#include <math.h>
#include <string.h>

enum { K1, K2, P1, P2, K3, K4, K5, K6, S1, S2, S3, S4, TAU_X, TAU_Y };
enum { MAX_DEGREE = 6, NEWTON_STEPS = 30, BISECTIONS = 60 };

/* No lens is looked at further out than this |n|^2: 0.06 degrees from square to the axis. */
static const double farthest = 1e6;

/* A function of x and y: value, first and second derivatives. */
typedef struct Jet {
    double v, x, y, xx, xy, yy;
} Jet;

static Jet jet_add(Jet a, Jet b)
{
    return (Jet){a.v + b.v, a.x + b.x, a.y + b.y, a.xx + b.xx, a.xy + b.xy, a.yy + b.yy};
}

static Jet jet_times(double k, Jet a)
{
    return (Jet){k * a.v, k * a.x, k * a.y, k * a.xx, k * a.xy, k * a.yy};
}

static Jet jet_multiply(Jet a, Jet b)
{
    return (Jet){a.v * b.v,
                 a.x * b.v + a.v * b.x,
                 a.y * b.v + a.v * b.y,
                 a.xx * b.v + 2 * a.x * b.x + a.v * b.xx,
                 a.xy * b.v + a.x * b.y + a.y * b.x + a.v * b.xy,
                 a.yy * b.v + 2 * a.y * b.y + a.v * b.yy};
}

/* f(a) by f, f' and f'' at a. */
static Jet jet_chain(Jet a, const double f[3])
{
    return (Jet){f[0],
                 f[1] * a.x,
                 f[1] * a.y,
                 f[1] * a.xx + f[2] * a.x * a.x,
                 f[1] * a.xy + f[2] * a.x * a.y,
                 f[1] * a.yy + f[2] * a.y * a.y};
}

static Jet jet_divide(Jet a, Jet b)
{
    double inverse = 1 / b.v;
    return jet_multiply(
        a, jet_chain(b, (double[]){inverse, -inverse * inverse, 2 * inverse * inverse * inverse}));
}

/* c0 + c1 q + .. by Horner. */
static Jet jet_polynomial(int degree, const double *c, Jet q)
{
    Jet sum = {.v = c[degree]};
    for (int k = degree - 1; k >= 0; k--) {
        sum = jet_multiply(sum, q);
        sum.v += c[k];
    }
    return sum;
}

bool arc_lens_has(ArcCameraKind kind, int n)
{
    if (kind == ARC_CAMERA_FISHEYE)
        return n == 0 || n == 4;
    if (kind == ARC_CAMERA_PINHOLE)
        return n == 0 || n == 4 || n == 5 || n == 8 || n == 12 || n == 14;
    return n == 0;
}

static double polynomial(int degree, const double *c, double q)
{
    double sum = c[degree];
    for (int k = degree - 1; k >= 0; k--)
        sum = sum * q + c[k];
    return sum;
}

/* The roots of c0 + c1 q + .. in (0, end), in order, into roots (degree): between the roots of the
 * derivative it is monotone. */
static int roots_of(int degree, const double *c, double end, double *roots)
{
    double slope[MAX_DEGREE + 1], turns[MAX_DEGREE + 1];
    int n = 0, n_turns = 0;
    if (degree < 1)
        return 0;
    for (int k = 1; k <= degree; k++)
        slope[k - 1] = k * c[k];
    n_turns = roots_of(degree - 1, slope, end, turns);
    turns[n_turns++] = end;
    double low = 0;
    for (int i = 0; i < n_turns; i++) {
        double a = low, b = turns[i], at_a = polynomial(degree, c, a);
        low = b;
        if (at_a * polynomial(degree, c, b) > 0 || a == b)
            continue;
        for (int k = 0; k < 2 * BISECTIONS; k++) {
            double middle = 0.5 * (a + b);
            if (at_a * polynomial(degree, c, middle) > 0)
                a = middle;
            else
                b = middle;
        }
        if (b < end && (n == 0 || b > roots[n - 1]))
            roots[n++] = b;
    }
    return n;
}

/* The first root in (0, end), or end. */
static double first_root(int degree, const double *c, double end)
{
    double roots[MAX_DEGREE + 1];
    while (degree > 0 && c[degree] == 0)
        degree--;
    return roots_of(degree, c, end, roots) > 0 ? roots[0] : end;
}

/* Numerator and denominator of g, by powers of q. */
static void radial_terms(const double *k, double above[4], double below[4])
{
    memcpy(above, (double[]){1, k[K1], k[K2], k[K3]}, 4 * sizeof(double));
    memcpy(below, (double[]){1, k[K4], k[K5], k[K6]}, 4 * sizeof(double));
}

/* r N / M grows while N M + 2 q (N' M - N M') > 0 and M > 0. */
static double pinhole_reach(const double *k)
{
    double above[4], below[4], growth[MAX_DEGREE + 1] = {0};
    radial_terms(k, above, below);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            growth[i + j] += (1 + 2 * (i - j)) * above[i] * below[j];
    double reach = first_root(MAX_DEGREE, growth, farthest);
    reach = fmin(reach, first_root(3, below, farthest));
    return reach < farthest ? reach : INFINITY;
}

/* theta (1 + k1 theta^2 + ..) grows while its derivative, a polynomial in theta^2, is above 0. */
static double fisheye_reach(const double *k)
{
    const double quarter = 1.57079632679489662;
    double growth[] = {1, 3 * k[0], 5 * k[1], 7 * k[2], 9 * k[3]};
    double theta = sqrt(first_root(4, growth, quarter * quarter));
    return theta < quarter ? tan(theta) * tan(theta) : INFINITY;
}

double arc_lens_reach(const ArcCamera *camera)
{
    if (camera->n_lens == 0 && camera->kind != ARC_CAMERA_FISHEYE)
        return INFINITY;
    return camera->kind == ARC_CAMERA_FISHEYE ? fisheye_reach(camera->lens)
                                              : pinhole_reach(camera->lens);
}

/* A(q) = atan(sqrt q) / sqrt q with two derivatives: 2 q A' = 1 / (1 + q) - A; near 0 its series
 * sum (-q)^k / (2 k + 1). */
static void arc_ratio(double q, double f[3])
{
    memset(f, 0, 3 * sizeof(double));
    if (q < 0.02) {
        for (int k = 12; k >= 0; k--)
            f[0] = f[0] * q + (k % 2 ? -1.0 : 1.0) / (2 * k + 1);
        for (int k = 12; k >= 1; k--)
            f[1] = f[1] * q + (k % 2 ? -1.0 : 1.0) * k / (2 * k + 1);
        for (int k = 12; k >= 2; k--)
            f[2] = f[2] * q + (k % 2 ? -1.0 : 1.0) * k * (k - 1) / (2 * k + 1);
        return;
    }
    double r = sqrt(q), under = 1 / (1 + q);
    f[0] = atan(r) / r;
    f[1] = (under - f[0]) / (2 * q);
    f[2] = (-under * under - 3 * f[1]) / (2 * q);
}

static void fisheye_jets(const double *k, Jet x, Jet y, Jet q, Jet out[2])
{
    double f[3];
    arc_ratio(q.v, f);
    Jet ratio = jet_chain(q, f), theta2 = jet_multiply(jet_multiply(ratio, ratio), q);
    Jet g = jet_multiply(ratio, jet_polynomial(4, (double[]){1, k[0], k[1], k[2], k[3]}, theta2));
    out[0] = jet_multiply(x, g);
    out[1] = jet_multiply(y, g);
}

/* The sensor's tilt: a projective map of the image. */
static void tilt_jets(const double *k, Jet out[2])
{
    double sx = sin(k[TAU_X]), cx = cos(k[TAU_X]), sy = sin(k[TAU_Y]), cy = cos(k[TAU_Y]);
    double t[3][3] = {{cy, sy * sx, -sy * cx}, {0, cx, sx}, {sy, -cy * sx, cy * cx}};
    Jet turned[3];
    for (int i = 0; i < 3; i++) {
        turned[i] = jet_add(jet_times(t[i][0], out[0]), jet_times(t[i][1], out[1]));
        turned[i].v += t[i][2];
    }
    for (int i = 0; i < 2; i++)
        out[i] = jet_divide(jet_add(jet_times(t[2][2], turned[i]), jet_times(-t[i][2], turned[2])),
                            turned[2]);
}

static void pinhole_jets(const double *k, int n, Jet x, Jet y, Jet q, Jet out[2])
{
    double above[4], below[4];
    radial_terms(k, above, below);
    Jet g = jet_polynomial(3, above, q);
    if (n > K4)
        g = jet_divide(g, jet_polynomial(3, below, q));
    Jet xy = jet_times(2, jet_multiply(x, y));
    Jet xx = jet_add(q, jet_times(2, jet_multiply(x, x)));
    Jet yy = jet_add(q, jet_times(2, jet_multiply(y, y)));
    out[0] = jet_add(jet_multiply(x, g), jet_add(jet_times(k[P1], xy), jet_times(k[P2], xx)));
    out[1] = jet_add(jet_multiply(y, g), jet_add(jet_times(k[P1], yy), jet_times(k[P2], xy)));
    if (n > S1) {
        out[0] = jet_add(out[0], jet_polynomial(2, (double[]){0, k[S1], k[S2]}, q));
        out[1] = jet_add(out[1], jet_polynomial(2, (double[]){0, k[S3], k[S4]}, q));
    }
    if (n > TAU_X)
        tilt_jets(k, out);
}

/* The lens at any n, within its reach or not. */
static void bend(const ArcCamera *camera, double x_value, double y_value, ArcLensPoint *out)
{
    Jet x = {x_value, 1, 0, 0, 0, 0}, y = {y_value, 0, 1, 0, 0, 0}, to[2];
    Jet q = jet_add(jet_multiply(x, x), jet_multiply(y, y));
    if (camera->kind == ARC_CAMERA_FISHEYE)
        fisheye_jets(camera->lens, x, y, q, to);
    else
        pinhole_jets(camera->lens, camera->n_lens, x, y, q, to);
    for (int i = 0; i < 2; i++) {
        out->value[i] = to[i].v;
        out->first[i][0] = to[i].x;
        out->first[i][1] = to[i].y;
    }
    out->det = to[0].x * to[1].y - to[0].y * to[1].x;
    out->det_by[0] =
        to[0].xx * to[1].y + to[0].x * to[1].xy - to[0].xy * to[1].x - to[0].y * to[1].xx;
    out->det_by[1] =
        to[0].xy * to[1].y + to[0].x * to[1].yy - to[0].yy * to[1].x - to[0].y * to[1].xy;
}

bool arc_lens_bend(const ArcCamera *camera, double x, double y, ArcLensPoint *out)
{
    if (!(x * x + y * y < camera->reach))
        return false;
    if (camera->n_lens == 0 && camera->kind != ARC_CAMERA_FISHEYE) {
        *out = (ArcLensPoint){{x, y}, {{1, 0}, {0, 1}}, 1, {0, 0}};
        return true;
    }
    ArcLensPoint point;
    bend(camera, x, y, &point);
    if (!(point.det > 0))
        return false;
    *out = point;
    return true;
}

/* Takes the sensor's tilt off (a, b). False where it sees the sensor from behind. */
static bool untilt(const double *k, const double bent[2], double out[2])
{
    double sx = sin(k[TAU_X]), cx = cos(k[TAU_X]), sy = sin(k[TAU_Y]), cy = cos(k[TAU_Y]);
    double t[3][3] = {{cy, sy * sx, -sy * cx}, {0, cx, sx}, {sy, -cy * sx, cy * cx}};
    double p[3] = {(bent[0] + t[0][2]) / t[2][2], (bent[1] + t[1][2]) / t[2][2], 1}, back[3];
    for (int i = 0; i < 3; i++)
        back[i] = t[0][i] * p[0] + t[1][i] * p[1] + t[2][i] * p[2];
    if (!(back[2] > 0))
        return false;
    out[0] = back[0] / back[2];
    out[1] = back[1] / back[2];
    return true;
}

/* How far the radial part alone carries r. */
static double radial(const ArcCamera *camera, double r)
{
    const double *k = camera->lens;
    double q = r * r, above[4], below[4];
    if (camera->kind == ARC_CAMERA_FISHEYE) {
        double theta = atan(r);
        return theta * polynomial(4, (double[]){1, k[0], k[1], k[2], k[3]}, theta * theta);
    }
    radial_terms(k, above, below);
    return r * polynomial(3, above, q) / polynomial(3, below, q);
}

/* n with the radial part alone, by bisection; at the reach where it does not get so far. */
static void straighten_radially(const ArcCamera *camera, const double bent[2], double n[2])
{
    double size = hypot(bent[0], bent[1]), low = 0;
    double high = sqrt(fmin(camera->reach, farthest)) * (1 - 1e-9);
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (low + high);
        if (radial(camera, middle) < size)
            low = middle;
        else
            high = middle;
    }
    for (int i = 0; i < 2; i++)
        n[i] = size > 0 ? bent[i] * (low / size) : 0;
}

/* How far n is bent from where it should be; infinite outside the lens. */
static double bend_error(const ArcCamera *camera, const double bent[2], const double n[2],
                         ArcLensPoint *point, double error[2])
{
    if (!arc_lens_bend(camera, n[0], n[1], point))
        return INFINITY;
    error[0] = bent[0] - point->value[0];
    error[1] = bent[1] - point->value[1];
    return hypot(error[0], error[1]);
}

bool arc_lens_straighten(const ArcCamera *camera, const double bent[2], double n[2])
{
    double start[2] = {bent[0], bent[1]}, at[2], e[2];
    double rounding = 1e-15 * (1 + hypot(bent[0], bent[1]));
    if (!isfinite(rounding))
        return false;
    if (camera->n_lens == 0 && camera->kind != ARC_CAMERA_FISHEYE) {
        memcpy(n, bent, 2 * sizeof(double));
        return true;
    }
    if (camera->n_lens > TAU_X && !untilt(camera->lens, bent, start))
        return false;
    straighten_radially(camera, start, at);
    ArcLensPoint point;
    double left = bend_error(camera, bent, at, &point, e);
    for (int step = 0; step < NEWTON_STEPS && left > rounding && isfinite(left); step++) {
        double to0 = (point.first[1][1] * e[0] - point.first[0][1] * e[1]) / point.det;
        double to1 = (point.first[0][0] * e[1] - point.first[1][0] * e[0]) / point.det;
        double next[2], next_e[2], next_left = INFINITY, share = 1;
        ArcLensPoint next_point;
        for (; share > 1e-3 && !(next_left < left); share *= 0.5) {
            next[0] = at[0] + share * to0;
            next[1] = at[1] + share * to1;
            next_left = bend_error(camera, bent, next, &next_point, next_e);
        }
        if (!(next_left < left))
            break;
        left = next_left;
        point = next_point;
        memcpy(at, next, sizeof at);
        memcpy(e, next_e, sizeof e);
    }
    if (!(left < 1e4 * rounding))
        return false;
    memcpy(n, at, 2 * sizeof(double));
    return true;
}
