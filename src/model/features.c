/* Features of a closure: where they are placed, their values and slopes.
 *
 * Units are columns of `hidden`, so that each loop over them runs along memory and is a vector
 * loop. Radial: with r = z - c,
 *   slope = -b^2 phi     d phi / d c_i = -slope r_i     d phi / d b = slope |r|^2 / b
 * ridge: slope = s'(a . z + b), d phi / d a_i = slope z_i, d phi / d b = slope.
 */
#include "model/features.h"

#include <math.h>
#include <string.h>

/* Beyond this exponent a radial unit is 0: exp would give numbers too small for full precision,
 * which are slow. */
static const double largest_exponent = 690;

static double distance2(int I, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < I; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

int arc_features_choose(int I, int n, const double *points, double reach, int most, int *chosen,
                        double *distance)
{
    const double origin[ARC_CLOSURE_MAX_INPUTS] = {0};
    int next = 0, count = 0;
    double nearest = INFINITY;
    for (int i = 0; i < n; i++) {
        double d2 = distance2(I, points + i * I, origin);
        distance[i] = INFINITY;
        if (d2 < nearest) {
            nearest = d2;
            next = i;
        }
    }
    double farthest = INFINITY;
    while (count < most && farthest > reach * reach) {
        chosen[count++] = next;
        farthest = 0;
        const double *at = points + chosen[count - 1] * I;
        for (int i = 0; i < n; i++) {
            double d2 = distance2(I, points + i * I, at);
            if (d2 < distance[i])
                distance[i] = d2;
            if (distance[i] > farthest) {
                farthest = distance[i];
                next = i;
            }
        }
    }
    return count;
}

/* A random unit vector, uniform over directions. */
static void draw_direction(int I, ArcRandom *random, double *direction)
{
    double size2 = 0;
    for (int i = 0; i < I; i++) {
        direction[i] = arc_random_normal(random);
        size2 += direction[i] * direction[i];
    }
    for (int i = 0; i < I; i++)
        direction[i] /= sqrt(size2);
}

void arc_features_place(const ArcFeatures *features, const double *points, int first, int n,
                        const int *chosen, double width, double *hidden)
{
    int I = features->I, H = features->H;
    for (int h = 0; h < n; h++) {
        for (int i = 0; i < I; i++)
            hidden[i * H + first + h] = points[chosen[h] * I + i];
        hidden[I * H + first + h] = 1 / width;
    }
}

void arc_features_draw(const ArcFeatures *features, const double *points, int n_chosen,
                       const int *chosen, double width, ArcRandom *random, double *hidden)
{
    int I = features->I, H = features->H;
    for (int h = 0; h < H; h++) {
        const double *at = points + chosen[h % n_chosen] * I;
        double column[ARC_CLOSURE_MAX_INPUTS + 1] = {0};
        if (features->activation == ARC_ACTIVATION_SIN) {
            for (int i = 0; i < I; i++)
                column[i] = arc_random_normal(random) / width;
            column[I] = arc_random_uniform(random, -M_PI, M_PI);
        } else {
            draw_direction(I, random, column);
            for (int i = 0; i < I; i++) {
                column[i] /= width;
                column[I] -= column[i] * at[i];
            }
        }
        for (int i = 0; i <= I; i++)
            hidden[i * H + h] = column[i];
    }
}

static void radial_at(const ArcFeatures *features, const double *hidden, const double *z,
                      double *phi, double *slope)
{
    int I = features->I, H = features->H;
    const double *b = hidden + I * H;
    for (int h = 0; h < H; h++)
        phi[h] = (z[0] - hidden[h]) * (z[0] - hidden[h]);
    for (int i = 1; i < I; i++) {
        const double *c = hidden + i * H;
        for (int h = 0; h < H; h++)
            phi[h] += (z[i] - c[h]) * (z[i] - c[h]);
    }
    for (int h = 0; h < H; h++) {
        double exponent = 0.5 * b[h] * b[h] * phi[h];
        phi[h] = exponent > largest_exponent ? 0 : features->gain[h] * exp(-exponent);
    }
    for (int h = 0; h < H && slope != NULL; h++)
        slope[h] = -b[h] * b[h] * phi[h];
}

/* s and s' of net/kernels.h; phi holds the argument. */
static void activate(ArcActivation activation, int H, double *phi, double *slope)
{
    for (int h = 0; h < H; h++) {
        double z = phi[h], s = 0, s1 = 0;
        if (activation == ARC_ACTIVATION_TANH) {
            s = tanh(z);
            s1 = 1 - s * s;
        } else if (activation == ARC_ACTIVATION_SIN) {
            s = sin(z);
            s1 = cos(z);
        } else if (activation == ARC_ACTIVATION_GELU) {
            double share = 0.5 * erfc(-z * M_SQRT1_2);
            s = z * share;
            s1 = share + z * exp(-0.5 * z * z) * (0.5 * M_SQRT1_2 * M_2_SQRTPI);
        } else {
            double share = 1 / (1 + exp(-z));
            bool is_silu = activation == ARC_ACTIVATION_SILU;
            s = is_silu ? z * share : fmax(z, 0) + log1p(exp(-fabs(z)));
            s1 = is_silu ? share + z * share * (1 - share) : share;
        }
        phi[h] = s;
        if (slope != NULL)
            slope[h] = s1;
    }
}

void arc_features_at(const ArcFeatures *features, const double *hidden, const double *z,
                     double *phi, double *slope)
{
    int I = features->I, H = features->H;
    if (features->is_radial) {
        radial_at(features, hidden, z, phi, slope);
        return;
    }
    memcpy(phi, hidden + I * H, (size_t)H * sizeof(double));
    for (int i = 0; i < I; i++) {
        const double *a = hidden + i * H;
        for (int h = 0; h < H; h++)
            phi[h] += a[h] * z[i];
    }
    activate(features->activation, H, phi, slope);
}

double arc_features_dot(int n, const double *a, const double *b)
{
    double lanes[8] = {0}, rest = 0;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        for (int k = 0; k < 8; k++)
            lanes[k] += a[i + k] * b[i + k];
    }
    for (; i < n; i++)
        rest += a[i] * b[i];
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
           ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7])) + rest;
}

void arc_features_gradient(const ArcFeatures *features, const double *hidden, const double *z,
                           const double *W, const double *slope, double *weighted, double *by_z)
{
    int I = features->I, H = features->H;
    double sum = 0;
    for (int h = 0; h < H; h++)
        weighted[h] = W[h] * slope[h];
    for (int h = 0; h < H && features->is_radial; h++)
        sum += weighted[h];
    for (int i = 0; i < I; i++) {
        double along = arc_features_dot(H, weighted, hidden + i * H);
        by_z[i] = features->is_radial ? sum * z[i] - along : along;
    }
}

void arc_features_by_hidden(const ArcFeatures *features, const double *hidden, const double *z,
                            const double *W, const double *slope, double factor, double *by_hidden)
{
    int I = features->I, H = features->H;
    const double *b = hidden + I * H;
    double *by_b = by_hidden + I * H;
    for (int h = 0; h < H; h++) {
        double weight = factor * W[h] * slope[h], r2 = 0;
        for (int i = 0; i < I; i++) {
            double r = z[i] - hidden[i * H + h];
            r2 += r * r;
            by_hidden[i * H + h] = weight * (features->is_radial ? -r : z[i]);
        }
        by_b[h] = features->is_radial ? weight * r2 / b[h] : weight;
    }
}
