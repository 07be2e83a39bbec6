/* The equations of motion of an arm in the plane, as arm_dynamics.c has them for any arm.
 *
 * Points are complex numbers. With the links' angles phi_k = theta_1 + .. + theta_k above level and
 * rates w_k, a body is at the sum of r_bk e_k, e_k = exp(i phi_k): r_bk = l_k for the links in
 * front of it, the centre's distance on its own; of the payload l_J + along + i across on the last.
 * Its acceleration less that of falling is f_b = sum r_bk e_k (i alpha_k - w_k^2) + i g, and R_j =
 * sum m_b Re(conj(i r_bj e_j) f_b) + I_j alpha_j - (tau_j - tau_(j+1)) = 0 for each link, tau =
 * motor - friction of the joints. With A_jk = sum m_b conj(r_bj) r_bk, H_jk = Re(A_jk e_k / e_j) [+
 * I_j],  S_jk = -Im(A_jk e_k / e_j): R_j = sum (H_jk alpha_k + S_jk w_k^2) + g Re(G_j e_j) - ..,
 * G_j = sum m_b r_bj and partials follow from dH_jk/dphi_k = S_jk = -dH_jk/dphi_j, dS_jk/dphi_k =
 * -(H_jk - I). The joints' accelerations are the differences of alpha.
 */
#include "physics/arm_plane.h"

#include "physics/torque.h"

#include <math.h>
#include <string.h>

enum { MOST = ARC_ARM_MAX_JOINTS };

typedef struct Complex {
    double re, im;
} Complex;

static inline Complex times(Complex a, Complex b)
{
    return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Re(conj(i a) b) */
static inline double across(Complex a, Complex b)
{
    return a.re * b.im - a.im * b.re;
}

typedef struct Plane {
    const ArcArm *arm;
    const double *p;
    int J;
    Complex e[MOST], tip; /* of the links; r of the payload on the last */
    double w[MOST], alpha[MOST];
    double H[MOST][MOST], S[MOST][MOST]; /* H without the inertias */
    double gravity[MOST], turned[MOST];  /* g Re(G_j e_j), g Im(G_j e_j) */
    double L[MOST][MOST], root[MOST];    /* Cholesky's factor of H with them */
    ArcTorque motor[MOST], friction[MOST];
} Plane;

/* m_b r_bk summed over what link k carries as a beam: the bodies behind it. */
static void plane_matrices(Plane *now)
{
    const ArcArm *arm = now->arm;
    const double *l = now->p + arm->length, *mass = now->p + arm->mass;
    const double *centre = now->p + arm->centre;
    double g = arm->settings.gravity_m_s2, payload = now->p[arm->payload], behind = payload;
    int J = now->J;
    for (int k = J - 1; k >= 0; k--) {
        /* A_jk / r_j for j < k, and A_kk: of the centre of k, of what is behind, of the payload. */
        bool is_last = k == J - 1;
        Complex carried = is_last ? (Complex){payload * now->tip.re, payload * now->tip.im}
                                  : (Complex){behind * l[k], 0.0};
        carried.re += mass[k] * centre[k];
        double own = mass[k] * centre[k] * centre[k];
        own += is_last ? payload * (now->tip.re * now->tip.re + now->tip.im * now->tip.im)
                       : behind * l[k] * l[k];
        Complex turned = times(carried, now->e[k]);
        now->H[k][k] = own;
        now->S[k][k] = 0.0;
        now->gravity[k] = g * turned.re;
        now->turned[k] = g * turned.im;
        for (int j = 0; j < k; j++) {
            /* e_k / e_j */
            now->H[j][k] = l[j] * (turned.re * now->e[j].re + turned.im * now->e[j].im);
            now->S[j][k] = -l[j] * across(now->e[j], turned);
            now->H[k][j] = now->H[j][k];
            now->S[k][j] = -now->S[j][k];
        }
        behind += mass[k];
    }
}

static void plane_factor(Plane *now)
{
    int J = now->J;
    for (int j = 0; j < J; j++) {
        double diagonal = now->H[j][j] + now->p[now->arm->inertia + j], pivot = diagonal;
        for (int k = 0; k < j; k++)
            pivot -= now->L[j][k] * now->L[j][k];
        now->root[j] = pivot > 1e-14 * diagonal ? 1.0 / sqrt(pivot) : NAN;
        for (int i = j + 1; i < J; i++) {
            double sum = now->H[i][j];
            for (int k = 0; k < j; k++)
                sum -= now->L[i][k] * now->L[j][k];
            now->L[i][j] = sum * now->root[j];
        }
    }
}

/* R (J) becomes the joints' -H^-1 R: differences of the links'. */
static inline void plane_solve(const Plane *now, double *R)
{
    int J = now->J;
    for (int j = 0; j < J; j++) {
        double sum = -R[j];
        for (int k = 0; k < j; k++)
            sum -= now->L[j][k] * R[k];
        R[j] = sum * now->root[j];
    }
    for (int j = J - 1; j >= 0; j--) {
        double sum = R[j];
        for (int k = j + 1; k < J; k++)
            sum -= now->L[k][j] * R[k];
        R[j] = sum * now->root[j];
    }
    for (int j = J - 1; j > 0; j--)
        R[j] -= R[j - 1];
}

/* R of a change of one joint's torque. */
static inline void by_torque(int j, double change, double *R)
{
    R[j] -= change;
    if (j > 0)
        R[j - 1] += change;
}

static void plane_begin(Plane *now, const ArcArm *arm, double t_s, const double *theta,
                        const double *omega, const double *p)
{
    int J = arm->settings.n_joints;
    double phi = 0.0, w = 0.0;
    now->arm = arm;
    now->p = p;
    now->J = J;
    now->tip = (Complex){p[arm->length + J - 1] + p[arm->ball], p[arm->ball + 1]};
    for (int j = 0; j < J; j++) {
        phi += theta[j];
        w += omega[j];
        now->e[j] = (Complex){cos(phi), sin(phi)};
        now->w[j] = w;
        arc_torque_motor(arm, j, t_s, omega[j], p, &now->motor[j]);
        arc_torque_friction(arm, j, omega[j], p, &now->friction[j]);
    }
    plane_matrices(now);
    plane_factor(now);
}

/* The joints' accelerations, and alpha. */
static void plane_accelerate(Plane *now, double *a)
{
    int J = now->J;
    for (int j = 0; j < J; j++) {
        a[j] = now->gravity[j];
        for (int k = 0; k < J; k++)
            a[j] += now->S[j][k] * now->w[k] * now->w[k];
    }
    for (int j = 0; j < J; j++)
        by_torque(j, now->motor[j].value - now->friction[j].value, a);
    plane_solve(now, a);
    for (int j = 0; j < J; j++)
        now->alpha[j] = a[j] + (j > 0 ? now->alpha[j - 1] : 0.0);
}

/* Column k of an (J, columns) matrix. */
static inline void put(int J, const double *R, double *to, int columns)
{
    for (int j = 0; j < J; j++)
        to[j * columns] = R[j];
}

static void by_state(const Plane *now, double *by_theta, double *by_omega)
{
    int J = now->J;
    double by_phi[MOST][MOST], by_w[MOST][MOST];
    for (int j = 0; j < J; j++) {
        by_phi[j][j] = -now->turned[j];
        by_w[j][j] = 0.0;
        for (int k = 0; k < J; k++) {
            if (k == j)
                continue;
            by_phi[j][k] = now->S[j][k] * now->alpha[k] - now->H[j][k] * now->w[k] * now->w[k];
            by_w[j][k] = 2.0 * now->S[j][k] * now->w[k];
        }
    }
    for (int j = 0; j < J; j++)
        for (int k = 0; k < J; k++)
            by_phi[j][j] -= k != j ? by_phi[j][k] : 0.0;
    double R_theta[MOST] = {0}, R_omega[MOST] = {0}, R[MOST];
    for (int m = J - 1; m >= 0; m--) {
        for (int j = 0; j < J; j++) {
            R_theta[j] += by_phi[j][m];
            R_omega[j] += by_w[j][m];
        }
        memcpy(R, R_theta, sizeof R);
        plane_solve(now, R);
        put(J, R, by_theta + m, J);
        memcpy(R, R_omega, sizeof R);
        by_torque(m, now->motor[m].by_omega - now->friction[m].by_omega, R);
        plane_solve(now, R);
        put(J, R, by_omega + m, J);
    }
}

/* A body: its mass, the links in front of it (n), r of the last of them; the others' are lengths.
 */
typedef struct Body {
    double mass;
    int n;
    Complex r;
    Complex f;
} Body;

static Complex r_of(const Plane *now, const Body *body, int k)
{
    return k == body->n - 1 ? body->r : (Complex){now->p[now->arm->length + k], 0.0};
}

/* e_k (i alpha_k - w_k^2): what a unit of r_bk accelerates. */
static Complex bend(const Plane *now, int k)
{
    return times(now->e[k], (Complex){-now->w[k] * now->w[k], now->alpha[k]});
}

static void body_force(const Plane *now, Body *body)
{
    body->f = (Complex){0.0, now->arm->settings.gravity_m_s2};
    for (int k = 0; k < body->n; k++) {
        Complex part = times(r_of(now, body, k), bend(now, k));
        body->f.re += part.re;
        body->f.im += part.im;
    }
}

/* Adds R of a change of the body's r_k. */
static void by_r(const Plane *now, const Body *body, int k, Complex change, double *R)
{
    Complex along = times(change, bend(now, k));
    for (int j = 0; j < body->n; j++)
        R[j] += body->mass * across(times(r_of(now, body, j), now->e[j]), along);
    R[k] += body->mass * across(times(change, now->e[k]), body->f);
}

static void by_mass(const Plane *now, const Body *body, double *R)
{
    for (int j = 0; j < body->n; j++)
        R[j] += across(times(r_of(now, body, j), now->e[j]), body->f);
}

/* R of one parameter of the bodies. */
static void by_body(const Plane *now, const Body *bodies, int parameter, double *R)
{
    const ArcArm *arm = now->arm;
    const Body *payload = &bodies[now->J];
    static const Complex one = {1.0, 0.0}, aside = {0.0, 1.0};
    int J = now->J, link = parameter - arm->length;
    if (parameter >= arm->length && link < J) {
        for (int i = link + 1; i <= J; i++)
            by_r(now, &bodies[i], link, one, R);
    } else if (parameter == arm->ball) {
        by_r(now, payload, J - 1, one, R);
    } else if (parameter == arm->ball + 1) {
        by_r(now, payload, J - 1, aside, R);
    } else if (parameter == arm->payload) {
        by_mass(now, payload, R);
    } else if (parameter >= arm->mass && parameter < arm->mass + J) {
        by_mass(now, &bodies[parameter - arm->mass], R);
    } else if (parameter >= arm->centre && parameter < arm->centre + J) {
        by_r(now, &bodies[parameter - arm->centre], parameter - arm->centre, one, R);
    } else if (parameter >= arm->inertia && parameter < arm->inertia + J) {
        R[parameter - arm->inertia] += now->alpha[parameter - arm->inertia];
    }
}

/* R of a torque's parameters, by joint. */
static void by_joints(const Plane *now, const bool *wanted, double *by_p)
{
    const ArcArm *arm = now->arm;
    int J = now->J, A = arm->n_parameters;
    for (int j = 0; j < J; j++) {
        double of_one[MOST] = {0};
        by_torque(j, 1.0, of_one);
        plane_solve(now, of_one);
        for (int k = -2; k < arm->settings.joints[j].n_torques; k++) {
            int i = k == -2 ? arm->viscous + j : k == -1 ? arm->coulomb + j : arm->torque[j] + k;
            if (!wanted[i])
                continue;
            double change = k < 0 ? -now->friction[j].by[k + 2] : now->motor[j].by[k];
            for (int row = 0; row < J; row++)
                by_p[row * A + i] = change * of_one[row];
        }
    }
}

static void by_parameters(const Plane *now, const bool *wanted, double *by_p)
{
    const ArcArm *arm = now->arm;
    int J = now->J, A = arm->n_parameters;
    Body bodies[MOST + 1];
    for (int i = 0; i <= J; i++) {
        bodies[i] =
            i < J ? (Body){now->p[arm->mass + i], i + 1, {now->p[arm->centre + i], 0.0}, {0.0, 0.0}}
                  : (Body){now->p[arm->payload], J, now->tip, {0.0, 0.0}};
        body_force(now, &bodies[i]);
    }
    for (int i = 0; i < A; i++) {
        double R[MOST] = {0};
        if (!wanted[i] || (i >= arm->viscous && i < arm->theta))
            continue;
        by_body(now, bodies, i, R);
        plane_solve(now, R);
        put(J, R, by_p + i, A);
    }
    by_joints(now, wanted, by_p);
}

void arc_arm_plane_state(const ArcArm *arm, int state, const double *t_s, const double *theta,
                         const double *omega, const double *p, const ArcArmRates *rates)
{
    int J = arm->settings.n_joints, A = arm->n_parameters;
    Plane now;
    double R[MOST] = {0};
    plane_begin(&now, arm, t_s[state], theta + state * J, omega + state * J, p);
    plane_accelerate(&now, rates->a + state * J);
    if (rates->by_theta == NULL)
        return;
    by_state(&now, rates->by_theta + state * J * J, rates->by_omega + state * J * J);
    for (int j = 0; j < J; j++)
        by_torque(j, now.motor[j].by_t, R);
    plane_solve(&now, R);
    put(J, R, rates->by_t + state * J, 1);
    by_parameters(&now, rates->wanted, rates->by_p + (size_t)state * (size_t)(J * A));
}
