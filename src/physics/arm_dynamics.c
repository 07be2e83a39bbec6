/* The arm's equations of motion with their partials, by d'Alembert's principle.
 *
 * The chain is a few bodies, each the vector x(theta) with a mass mu: the centres of the links and
 * the payload as points, and for the inertia I of a slender link its unit vector e, since W . I W =
 * I |de/dt|^2 where there is none about e. With x_j = dx/dtheta_j and f = d^2 x / dt^2 + g up (of
 * e: without g), what the motors must give is
 *
 *   rho_j = sum mu x_j . f + friction_j - motor_j = 0,   M_jk = sum mu x_j . x_k
 *
 * and its partials at fixed accelerations, with r = x - o_(k-1) (of e: e) and x_k = a_k x r, are
 *   d rho_j / d theta_k = sum mu (x_jk . f + x_j . d^2 x_k / dt^2),  x_jk = a_min(j,k) x x_max(j,k)
 *   d rho_j / d omega_k = sum mu x_j . 2 dx_k / dt
 *   d rho_j / d l_i     = sum mu ((a_j x e_i) . f [j <= i] + x_j . d^2 e_i / dt^2)
 * the last over the bodies behind link i; centre and ball likewise. Then with M a = -rho(a = 0)
 *   da/dz = -M^-1 d rho / dz
 * (Newton's and Euler's equations as in Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 2
 * and 5, each body's moment about each axis in front of it).
 */
#include "physics/arm_chain.h"
#include "physics/arm_plane.h"
#include "physics/torque.h"

#include <math.h>
#include <string.h>

enum {
    MOST = ARC_ARM_MAX_JOINTS,
    MOST_BODIES = 2 * MOST + 1,
    MOST_COLUMNS = ARC_ARM_MAX_PARAMETERS
};

/* A vector with its first and second derivative in time. */
typedef struct Moving {
    double x[3], v[3], a[3];
} Moving;

/* Of e its x is no place: nothing pulls at it, and joints turn it about no point. */
typedef struct Body {
    Moving at;
    double mass;
    int n; /* joints in front of it */
    bool is_place;
    double f[3];
    double by[MOST][3]; /* x_j */
} Body;

typedef struct Dynamics {
    const ArcArm *arm;
    const double *p, *omega;
    ArcArmChain chain;
    double turning[MOST + 1][3];      /* dW/dt */
    Moving axis[MOST], end[MOST + 1]; /* a_j, o_i */
    Moving along[MOST + 1];           /* e_i; [0] unused */
    Moving ball[3];                   /* its axes */
    Body bodies[MOST_BODIES];         /* centre and e of link 1, 2, .., the payload */
    double M[MOST][MOST], rho[MOST];  /* of the bodies alone; M is factored by dynamics_solve */
    double root[MOST];
} Dynamics;

static inline double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void add_to(double *sum, double factor, const double *a)
{
    for (int i = 0; i < 3; i++)
        sum[i] += factor * a[i];
}

/* Derivatives in time of a vector that turns with W. */
static void turn_with(const double *W, const double *turning, Moving *moving)
{
    double swing[3];
    arc_vector3_cross(W, moving->x, moving->v);
    arc_vector3_cross(W, moving->v, swing);
    arc_vector3_cross(turning, moving->x, moving->a);
    add_to(moving->a, 1, swing);
}

/* sum += factor part, with its derivatives. */
static void move_by(Moving *sum, double factor, const Moving *part)
{
    add_to(sum->x, factor, part->x);
    add_to(sum->v, factor, part->v);
    add_to(sum->a, factor, part->a);
}

static void column_of(const double *R, int column, double *x)
{
    for (int i = 0; i < 3; i++)
        x[i] = R[3 * i + column];
}

/* All that moves; acceleration NULL: with joints that have none. */
static void dynamics_move(Dynamics *now, const double *acceleration)
{
    const ArcArm *arm = now->arm;
    const ArcArmChain *chain = &now->chain;
    const double *p = now->p;
    int J = arm->settings.n_joints, d = arm->settings.dimensions;
    memset(now->turning[0], 0, sizeof now->turning[0]);
    now->end[0] = (Moving){0};
    for (int j = 0; j < J; j++) {
        Moving *axis = &now->axis[j], *e = &now->along[j + 1];
        double *turning = now->turning[j + 1];
        memcpy(axis->x, chain->axis[j], sizeof axis->x);
        turn_with(chain->W[j], now->turning[j], axis);
        memcpy(turning, now->turning[j], sizeof now->turning[j]);
        add_to(turning, now->omega[j], axis->v);
        if (acceleration != NULL)
            add_to(turning, acceleration[j], axis->x);
        column_of(chain->R[j + 1], 0, e->x);
        turn_with(chain->W[j + 1], turning, e);
        Body *centre = &now->bodies[2 * j], *inertia = centre + 1;
        centre->at = now->end[j];
        move_by(&centre->at, p[arm->centre + j], e);
        inertia->at = *e;
        now->end[j + 1] = now->end[j];
        move_by(&now->end[j + 1], p[arm->length + j], e);
    }
    Body *payload = &now->bodies[2 * J];
    payload->at = now->end[J];
    for (int b = 0; b < d; b++) {
        column_of(chain->R[J], arc_arm_ball_columns[b], now->ball[b].x);
        turn_with(chain->W[J], now->turning[J], &now->ball[b]);
        move_by(&payload->at, p[arm->ball + b], &now->ball[b]);
    }
    for (int i = 0; i <= 2 * J; i++) {
        Body *body = &now->bodies[i];
        memcpy(body->f, body->at.a, sizeof body->f);
        body->f[2] += body->is_place ? arm->settings.gravity_m_s2 : 0;
    }
}

/* The place of joint k's axis, for what it does to the body. */
static void arm_of(const Dynamics *now, const Body *body, int k, double *r)
{
    memcpy(r, body->at.x, sizeof body->at.x);
    if (body->is_place)
        add_to(r, -1, now->end[k].x);
}

static void dynamics_begin(Dynamics *now, const ArcArm *arm, const double *theta,
                           const double *omega, const double *p)
{
    int J = arm->settings.n_joints;
    now->arm = arm;
    now->p = p;
    now->omega = omega;
    arc_arm_chain_place(arm, p, theta, omega, &now->chain);
    for (int i = 0; i <= 2 * J; i++) {
        Body *body = &now->bodies[i];
        body->is_place = i == 2 * J || i % 2 == 0;
        body->n = i == 2 * J ? J : i / 2 + 1;
        body->mass = i == 2 * J   ? p[arm->payload]
                     : i % 2 == 0 ? p[arm->mass + i / 2]
                                  : p[arm->inertia + i / 2];
    }
}

/* x_j of all bodies, and M. */
static void dynamics_inertia(Dynamics *now)
{
    int J = now->arm->settings.n_joints;
    memset(now->M, 0, sizeof now->M);
    for (int i = 0; i <= 2 * J; i++) {
        Body *body = &now->bodies[i];
        for (int j = 0; j < body->n; j++) {
            double r[3];
            arm_of(now, body, j, r);
            arc_vector3_cross(now->chain.axis[j], r, body->by[j]);
            for (int k = 0; k <= j; k++)
                now->M[j][k] += body->mass * dot(body->by[j], body->by[k]);
        }
    }
    for (int j = 0; j < J; j++)
        for (int k = 0; k < j; k++)
            now->M[k][j] = now->M[j][k];
}

static void dynamics_force(Dynamics *now)
{
    int J = now->arm->settings.n_joints;
    memset(now->rho, 0, sizeof now->rho);
    for (int i = 0; i <= 2 * J; i++) {
        const Body *body = &now->bodies[i];
        for (int j = 0; j < body->n; j++)
            now->rho[j] += body->mass * dot(body->by[j], body->f);
    }
}

/* M = L L', in place; where M is not positive definite the root is not a number. */
static void dynamics_factor(Dynamics *now)
{
    int J = now->arm->settings.n_joints;
    for (int j = 0; j < J; j++) {
        double pivot = now->M[j][j], least = 1e-14 * pivot;
        for (int k = 0; k < j; k++)
            pivot -= now->M[j][k] * now->M[j][k];
        now->root[j] = pivot > least ? 1 / sqrt(pivot) : NAN;
        for (int i = j + 1; i < J; i++) {
            double sum = now->M[i][j];
            for (int k = 0; k < j; k++)
                sum -= now->M[i][k] * now->M[j][k];
            now->M[i][j] = sum * now->root[j];
        }
    }
}

/* x (J) at a stride becomes -M^-1 x. */
static void dynamics_solve(const Dynamics *now, double *x, int stride)
{
    int J = now->arm->settings.n_joints;
    for (int j = 0; j < J; j++) {
        double sum = -x[j * stride];
        for (int k = 0; k < j; k++)
            sum -= now->M[j][k] * x[k * stride];
        x[j * stride] = sum * now->root[j];
    }
    for (int j = J - 1; j >= 0; j--) {
        double sum = x[j * stride];
        for (int k = j + 1; k < J; k++)
            sum -= now->M[k][j] * x[k * stride];
        x[j * stride] = sum * now->root[j];
    }
}

/* What the bodies add to d rho / d theta and d rho / d omega. */
static void by_state(const Dynamics *now, double *by_theta, double *by_omega)
{
    int J = now->arm->settings.n_joints;
    double moment[MOST][3] = {{0}}; /* sum mu x_k x f */
    memset(by_theta, 0, sizeof(double) * (size_t)(J * J));
    memset(by_omega, 0, sizeof(double) * (size_t)(J * J));
    for (int i = 0; i <= 2 * J; i++) {
        const Body *body = &now->bodies[i];
        for (int k = 0; k < body->n; k++) {
            const Moving *axis = &now->axis[k];
            Moving r = body->at;
            if (body->is_place)
                move_by(&r, -1, &now->end[k]);
            double part[3], v[3], a[3];
            arc_vector3_cross(body->by[k], body->f, part);
            add_to(moment[k], body->mass, part);
            arc_vector3_cross(axis->v, r.x, v);
            arc_vector3_cross(axis->x, r.v, part);
            add_to(v, 1, part);
            arc_vector3_cross(axis->a, r.x, a);
            arc_vector3_cross(axis->v, r.v, part);
            add_to(a, 2, part);
            arc_vector3_cross(axis->x, r.a, part);
            add_to(a, 1, part);
            for (int j = 0; j < body->n; j++) {
                by_theta[j * J + k] += body->mass * dot(body->by[j], a);
                by_omega[j * J + k] += 2 * body->mass * dot(body->by[j], v);
            }
        }
    }
    for (int j = 0; j < J; j++)
        for (int k = 0; k < J; k++)
            by_theta[j * J + k] += dot(now->axis[j < k ? j : k].x, moment[j < k ? k : j]);
}

/* sum mu f and sum mu x_j of some bodies. */
typedef struct Load {
    double f[3], by[MOST][3];
} Load;

static void load_add(Load *load, const Body *body)
{
    add_to(load->f, body->mass, body->f);
    for (int j = 0; j < body->n; j++)
        add_to(load->by[j], body->mass, body->by[j]);
}

/* d rho by a length along a vector that turns with link i (from 1), carrying the load; column of
 * by_p at a stride. */
static void by_length(const Dynamics *now, const Load *load, int i, const Moving *along, double *by,
                      int stride)
{
    for (int j = 0; j < now->arm->settings.n_joints; j++) {
        double turned[3], sum = dot(load->by[j], along->a);
        if (j < i) {
            arc_vector3_cross(now->axis[j].x, along->x, turned);
            sum += dot(turned, load->f);
        }
        by[j * stride] = sum;
    }
}

static void by_mass(const Dynamics *now, const Body *body, double *by, int stride)
{
    for (int j = 0; j < now->arm->settings.n_joints; j++)
        by[j * stride] = j < body->n ? dot(body->by[j], body->f) : 0;
}

/* Columns of the bodies: lengths, ball, masses, centres, inertia, payload. */
static void by_bodies(const Dynamics *now, const bool *wanted, double *by)
{
    const ArcArm *arm = now->arm;
    int J = arm->settings.n_joints, A = arm->n_parameters;
    Load behind = {.f = {0}};
    load_add(&behind, &now->bodies[2 * J]);
    for (int b = 0; b < arm->settings.dimensions; b++)
        if (wanted[arm->ball + b])
            by_length(now, &behind, J, &now->ball[b], by + arm->ball + b, A);
    if (wanted[arm->payload])
        by_mass(now, &now->bodies[2 * J], by + arm->payload, A);
    for (int i = J; i >= 1; i--) {
        const Body *centre = &now->bodies[2 * i - 2];
        Load alone = {.f = {0}};
        load_add(&alone, centre);
        if (wanted[arm->length + i - 1])
            by_length(now, &behind, i, &now->along[i], by + arm->length + i - 1, A);
        if (wanted[arm->centre + i - 1])
            by_length(now, &alone, i, &now->along[i], by + arm->centre + i - 1, A);
        if (wanted[arm->mass + i - 1])
            by_mass(now, centre, by + arm->mass + i - 1, A);
        if (wanted[arm->inertia + i - 1])
            by_mass(now, centre + 1, by + arm->inertia + i - 1, A);
        load_add(&behind, centre);
    }
}

/* Columns of a joint's own forces, which are zero but in its row. */
static void by_force(const ArcArm *arm, int j, const ArcTorque *motor, const ArcTorque *friction,
                     const bool *wanted, double *by)
{
    int J = arm->settings.n_joints, A = arm->n_parameters;
    for (int k = -2; k < arm->settings.joints[j].n_torques; k++) {
        int column = k == -2 ? arm->viscous + j : k == -1 ? arm->coulomb + j : arm->torque[j] + k;
        for (int i = 0; wanted[column] && i < J; i++)
            by[i * A + column] = i != j ? 0 : k < 0 ? friction->by[k + 2] : -motor->by[k];
    }
}

/* Where no column is written by the others, a knows nothing of the parameter. */
static void clear_columns(const ArcArm *arm, const bool *wanted, double *by)
{
    for (int k = 0; k < arm->n_parameters; k++)
        for (int j = 0; wanted[k] && j < arm->settings.n_joints; j++)
            by[j * arm->n_parameters + k] = 0;
}

static void one_state(const ArcArm *arm, int state, const double *t_s, const double *theta,
                      const double *omega, const double *p, const ArcArmRates *rates)
{
    int J = arm->settings.n_joints, A = arm->n_parameters;
    Dynamics now;
    ArcTorque motor[MOST], friction[MOST];
    double *a = rates->a + state * J;
    dynamics_begin(&now, arm, theta + state * J, omega + state * J, p);
    dynamics_move(&now, NULL);
    dynamics_inertia(&now);
    dynamics_force(&now);
    dynamics_factor(&now);
    for (int j = 0; j < J; j++) {
        arc_torque_motor(arm, j, t_s[state], now.omega[j], p, &motor[j]);
        arc_torque_friction(arm, j, now.omega[j], p, &friction[j]);
        a[j] = now.rho[j] + friction[j].value - motor[j].value;
    }
    dynamics_solve(&now, a, 1);
    if (rates->by_theta == NULL)
        return;
    double *by_theta = rates->by_theta + state * J * J, *by_omega = rates->by_omega + state * J * J;
    double *by_t = rates->by_t + state * J, *by_p = rates->by_p + (size_t)state * (size_t)(J * A);
    dynamics_move(&now, a);
    by_state(&now, by_theta, by_omega);
    clear_columns(arm, rates->wanted, by_p);
    by_bodies(&now, rates->wanted, by_p);
    for (int j = 0; j < J; j++) {
        by_omega[j * J + j] += friction[j].by_omega - motor[j].by_omega;
        by_t[j] = -motor[j].by_t;
        by_force(arm, j, &motor[j], &friction[j], rates->wanted, by_p);
    }
    for (int k = 0; k < J; k++) {
        dynamics_solve(&now, by_theta + k, J);
        dynamics_solve(&now, by_omega + k, J);
    }
    dynamics_solve(&now, by_t, 1);
    for (int k = arm->length; k < arm->theta; k++)
        if (rates->wanted[k])
            dynamics_solve(&now, by_p + k, A);
}

void arc_arm_acceleration(const ArcArm *arm, int n, const double *t_s, const double *theta,
                          const double *omega, const double *p, const ArcArmRates *rates)
{
    bool is_plane = arm->settings.dimensions == 2;
    for (int i = 0; i < n; i++)
        (is_plane ? arc_arm_plane_state : one_state)(arm, i, t_s, theta, omega, p, rates);
}

void arc_arm_torques(const ArcArm *arm, double t_s, const double *omega, const double *p,
                     double *motor_n_m, double *friction_n_m)
{
    for (int j = 0; j < arm->settings.n_joints; j++) {
        ArcTorque torque;
        if (motor_n_m != NULL) {
            arc_torque_motor(arm, j, t_s, omega[j], p, &torque);
            motor_n_m[j] = torque.value;
        }
        if (friction_n_m != NULL) {
            arc_torque_friction(arm, j, omega[j], p, &torque);
            friction_n_m[j] = torque.value;
        }
    }
}

void arc_arm_energy(const ArcArm *arm, const double *theta, const double *omega, const double *p,
                    double *kinetic_j, double *height_j)
{
    Dynamics now;
    double base = p[arm->base + arm->settings.up];
    dynamics_begin(&now, arm, theta, omega, p);
    dynamics_move(&now, NULL);
    *kinetic_j = *height_j = 0;
    for (int i = 0; i <= 2 * arm->settings.n_joints; i++) {
        const Body *body = &now.bodies[i];
        *kinetic_j += body->mass * dot(body->at.v, body->at.v) / 2;
        if (body->is_place)
            *height_j += body->mass * arm->settings.gravity_m_s2 * (base + body->at.x[2]);
    }
}

void arc_arm_inverse_dynamics(const ArcArm *arm, const double *theta, const double *omega,
                              const double *acceleration, const double *p, double *torque_n_m)
{
    Dynamics now;
    dynamics_begin(&now, arm, theta, omega, p);
    dynamics_move(&now, acceleration);
    dynamics_inertia(&now);
    dynamics_force(&now);
    for (int j = 0; j < arm->settings.n_joints; j++) {
        ArcTorque friction;
        arc_torque_friction(arm, j, omega[j], p, &friction);
        torque_n_m[j] = now.rho[j] + friction.value;
    }
}

/* M is what a unit of acceleration takes; what the motors give is no part of rho here. */
void arc_arm_demand(const ArcArm *arm, const double *theta, const double *omega,
                    const double *acceleration, const double *p, ArcArmDemand *demand)
{
    int J = arm->settings.n_joints, A = arm->n_parameters;
    Dynamics now;
    bool wanted[MOST_COLUMNS];
    memset(wanted, true, sizeof wanted);
    dynamics_begin(&now, arm, theta, omega, p);
    dynamics_move(&now, acceleration);
    dynamics_inertia(&now);
    dynamics_force(&now);
    by_state(&now, demand->by_theta, demand->by_omega);
    clear_columns(arm, wanted, demand->by_p);
    by_bodies(&now, wanted, demand->by_p);
    for (int j = 0; j < J; j++) {
        ArcTorque friction;
        arc_torque_friction(arm, j, omega[j], p, &friction);
        demand->torque_n_m[j] = now.rho[j] + friction.value;
        demand->by_omega[j * J + j] += friction.by_omega;
        demand->by_p[j * A + arm->viscous + j] = friction.by[0];
        demand->by_p[j * A + arm->coulomb + j] = friction.by[1];
        for (int k = 0; k < J; k++)
            demand->by_acceleration[j * J + k] = now.M[j][k];
    }
}
