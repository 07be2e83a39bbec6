/* See arm_equations.h. */
#include "arm_equations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double gravity = 9.80665;

int arm_slot(const char *name)
{
    static const struct {
        const char *name;
        int slot;
    } whole[] = {{"ball_along", ALONG},
                 {"ball_across", ACROSS},
                 {"ball_side", SIDE},
                 {"payload", PAYLOAD}},
      of_joint[] = {{"l", LENGTH},        {"mass", MASS},       {"centre", CENTRE},
                    {"inertia", INERTIA}, {"viscous", VISCOUS}, {"coulomb", COULOMB},
                    {"theta", THETA},     {"omega", OMEGA},     {"torque", TORQUE}};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, whole[i].name) == 0)
            return whole[i].slot;
    char word[16];
    int joint, torque = 1;
    if (sscanf(name, "%15[a-z]%d_%d", word, &joint, &torque) < 2 || joint < 1 || joint > MAX_JOINTS)
        return -1;
    for (int i = 0; i < 9; i++)
        if (strcmp(word, of_joint[i].name) == 0)
            return AT(joint - 1, of_joint[i].slot + torque - 1);
    return -1;
}

/* All bodies at some angles: rotations of the links, their centres, the payload. */
typedef struct Bodies {
    Complex R[MAX_JOINTS][3][3], centre[MAX_JOINTS][3], payload[3];
} Bodies;

static void multiply(Complex a[3][3], Complex b[3][3], Complex c[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            c[i][k] = a[i][0] * b[0][k] + a[i][1] * b[1][k] + a[i][2] * b[2][k];
}

static void rotation(char axis, Complex angle, Complex R[3][3])
{
    Complex c = ccos(angle), s = csin(angle);
    Complex pitch[3][3] = {{c, 0, -s}, {0, 1, 0}, {s, 0, c}};
    Complex yaw[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
    Complex roll[3][3] = {{1, 0, 0}, {0, c, -s}, {0, s, c}};
    memcpy(R, axis == 'p' ? pitch : axis == 'y' ? yaw : roll, sizeof pitch);
}

static void place(const Arm *arm, const Complex *values, const Complex *q, Bodies *bodies)
{
    Complex frame[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, end[3] = {0}, turn[3][3];
    for (int j = 0; j < arm->n_joints; j++) {
        rotation(arm->joints[j].axis, q[j], turn);
        multiply(frame, turn, bodies->R[j]);
        memcpy(frame, bodies->R[j], sizeof frame);
        for (int i = 0; i < 3; i++) {
            bodies->centre[j][i] = end[i] + values[AT(j, CENTRE)] * frame[i][0];
            end[i] += values[AT(j, LENGTH)] * frame[i][0];
        }
    }
    for (int i = 0; i < 3; i++)
        bodies->payload[i] = end[i] + values[ALONG] * frame[i][0] + values[ACROSS] * frame[i][2] +
                             values[SIDE] * frame[i][1];
}

/* Derivatives by each angle of all that place gives. */
static void differentiate(const Arm *arm, const Complex *values, const Complex *q, Bodies *by)
{
    enum { N = sizeof(Bodies) / sizeof(Complex) };
    for (int j = 0; j < arm->n_joints; j++) {
        Complex moved[MAX_JOINTS];
        Bodies forth = {0}, back = {0};
        memcpy(moved, q, sizeof(Complex) * (size_t)arm->n_joints);
        moved[j] = q[j] + M_PI / 2;
        place(arm, values, moved, &forth);
        moved[j] = q[j] - M_PI / 2;
        place(arm, values, moved, &back);
        Complex *to = (Complex *)&by[j];
        const Complex *f = (const Complex *)&forth, *b = (const Complex *)&back;
        for (int i = 0; i < N; i++)
            to[i] = (f[i] - b[i]) / 2;
    }
}

static Complex square(const Complex *a)
{
    return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

/* T; by: what differentiate gave. */
static Complex kinetic(const Arm *arm, const Complex *values, const Bodies *at, const Bodies *by,
                       const Complex *rates)
{
    Bodies moving = {0};
    Complex T = 0;
    for (int j = 0; j < arm->n_joints; j++)
        for (size_t i = 0; i < sizeof moving / sizeof(Complex); i++)
            ((Complex *)&moving)[i] += ((const Complex *)&by[j])[i] * rates[j];
    for (int j = 0; j < arm->n_joints; j++) {
        Complex W[3], along = 0;
        for (int i = 0; i < 3; i++) { /* dR/dt R' is the matrix of W x */
            int k = (i + 1) % 3, l = (i + 2) % 3;
            W[i] = 0;
            for (int c = 0; c < 3; c++)
                W[i] += moving.R[j][l][c] * at->R[j][k][c];
        }
        for (int i = 0; i < 3; i++)
            along += W[i] * at->R[j][i][0];
        T += values[AT(j, MASS)] * square(moving.centre[j]) / 2 +
             values[AT(j, INERTIA)] * (square(W) - along * along) / 2;
    }
    return T + values[PAYLOAD] * square(moving.payload) / 2;
}

/* M at q; its form at the rates is twice the kinetic energy. */
static void inertia(const Arm *arm, const Complex *values, const Complex *q,
                    Complex M[MAX_JOINTS][MAX_JOINTS])
{
    int J = arm->n_joints;
    Bodies at = {0}, by[MAX_JOINTS] = {0};
    Complex alone[MAX_JOINTS];
    place(arm, values, q, &at);
    differentiate(arm, values, q, by);
    for (int j = 0; j < J; j++)
        for (int k = 0; k <= j; k++) {
            Complex rates[MAX_JOINTS] = {0};
            rates[j] = 1;
            if (k == 0)
                alone[j] = kinetic(arm, values, &at, by, rates);
            rates[k] = 1;
            Complex both = k < j ? kinetic(arm, values, &at, by, rates) : 4 * alone[j];
            M[j][k] = M[k][j] = both - alone[j] - alone[k];
        }
}

/* dV/dq_j */
static Complex weight(const Arm *arm, const Complex *values, const Bodies *by)
{
    Complex sum = values[PAYLOAD] * by->payload[2];
    for (int j = 0; j < arm->n_joints; j++)
        sum += values[AT(j, MASS)] * by->centre[j][2];
    return gravity * sum;
}

static Complex ramp(Complex u)
{
    double at = creal(u);
    Complex s = at < 0.5 ? 4 * u : 4 * (1 - u), part;
    if (at <= 0 || at >= 1)
        return at >= 1;
    if (at >= 0.25 && at <= 0.75)
        return 0.5 + (u - 0.5) * 4 / 3;
    part = s * s * s * s * (2.5 - 3 * s + s * s) / 3; /* of 4/3 times the integral over s / 4 */
    return at < 0.5 ? part : 1 - part;
}

/* Equal knots, the end ones fourfold; xi does not depend on what is differentiated. */
static Complex spline(int n, double xi, const Complex *q)
{
    double u = xi * (n - 3), knots[MAX_TORQUES + 4];
    int span = 3;
    Complex d[4];
    for (int i = 0; i < n + 4; i++)
        knots[i] = fmin(fmax(i - 3, 0), n - 3);
    while (span < n - 1 && u >= knots[span + 1])
        span++;
    for (int i = 0; i < 4; i++)
        d[i] = q[span - 3 + i];
    for (int level = 1; level <= 3; level++)
        for (int i = 3; i >= level; i--) {
            double left = knots[span - 3 + i], right = knots[span + 1 + i - level];
            double share = (u - left) / (right - left);
            d[i] = (1 - share) * d[i - 1] + share * d[i];
        }
    return d[3];
}

static Complex motor(const Arm *arm, int j, double t, const Complex *values, Complex rate)
{
    const Joint *joint = &arm->joints[j];
    const Complex *q = values + AT(j, TORQUE);
    double xi = (t - arm->begin_s) / (arm->end_s - arm->begin_s);
    Complex c = q[0];
    if (joint->curve == 'p') {
        c = 0;
        for (int k = joint->n_torques - 1; k >= 0; k--)
            c = c * xi + q[k];
    } else if (joint->curve == 't') {
        c = q[0] * ramp(xi / q[1]) * ramp((1 - xi) / q[2]);
    } else if (joint->curve == 's') {
        c = spline(joint->n_torques, xi, q);
    }
    if (joint->stall_n_m == 0)
        return c;
    Complex speed = joint->idle_rad_s > 0 ? rate / joint->idle_rad_s : 0;
    Complex left = joint->stall_n_m * (creal(c) > 0 ? 1 - speed : 1 + speed);
    if (creal(left) < 0.1 * joint->stall_n_m)
        fprintf(stderr, "cvodes_arms: %s: a motor near its idle rate\n", arm->name);
    return c * cpow(1 + cpow(c * c / (left * left), 4), -0.125);
}

static void solve(int n, Complex M[MAX_JOINTS][MAX_JOINTS], Complex *x)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            Complex factor = M[i][k] / M[k][k];
            for (int c = k; c < n; c++)
                M[i][c] -= factor * M[k][c];
            x[i] -= factor * x[k];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int c = i + 1; c < n; c++)
            x[i] -= M[i][c] * x[c];
        x[i] /= M[i][i];
    }
}

void arm_accelerations(const Arm *arm, double t, const Complex *values, const Complex *z,
                       Complex *accelerations)
{
    int J = arm->n_joints;
    const Complex *rates = z + J;
    Complex M[MAX_JOINTS][MAX_JOINTS], moved[MAX_JOINTS], shifted[MAX_JOINTS][MAX_JOINTS];
    Bodies by[MAX_JOINTS] = {0};
    differentiate(arm, values, z, by);
    for (int j = 0; j < J; j++) {
        Complex w = rates[j];
        accelerations[j] = motor(arm, j, t, values, w) - values[AT(j, VISCOUS)] * w -
                           values[AT(j, COULOMB)] * ctanh(w / arm->width_rad_s) -
                           weight(arm, values, &by[j]);
    }
    for (int l = 0; l < J; l++)
        for (int k = 0; k < 4; k++) {
            double shift = (2 * k + 1) * M_PI / 4, half = sin(shift / 2);
            double share = (k % 2 == 0 ? 1 : -1) / (8 * half * half);
            memcpy(moved, z, sizeof(Complex) * (size_t)J);
            moved[l] += shift;
            inertia(arm, values, moved, shifted);
            for (int i = 0; i < J; i++)
                for (int c = 0; c < J; c++) {
                    Complex slope = share * shifted[i][c];
                    accelerations[i] -= slope * rates[c] * rates[l];
                    accelerations[l] += slope * rates[i] * rates[c] / 2;
                }
        }
    inertia(arm, values, z, M);
    solve(J, M, accelerations);
}
