/* Torques of a swing by integral regression.
 *
 * Along a motion that is nearly known the accelerations are linear in the coefficients c of the
 * torque curves, theta'' = a0(t) + G(t) c, so that the motion is linear in c and in where it
 * begins: theta(t) = theta_b + omega_b (t - b) + integral of integral of (a0 + G c) Least squares
 * against the measured poses gives all three; the motion that they make is the next one to go
 * along. No derivative of measured numbers is taken.
 */
#include "fit/start_swing.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum {
    ROUNDS = 4,
    J_MAX = ARC_ARM_MAX_JOINTS,
    C_MAX = J_MAX * ARC_ARM_MAX_TORQUES,
    COLUMNS = 2 * J_MAX + C_MAX
};
/* Of a metre and of a metre a second where the flight begins, beside a radian of a pose. */
static const double place_weight = 1.0, velocity_weight = 0.1;
static const double ridge =
    1e-3; /* of a coefficient's column: what the poses do not tell stays small */

/* State of the path at t, cubic between its times. */
void arc_swing_path_at(const ArcSwingPath *path, int J, double t_s, double *theta, double *omega)
{
    double place = (t_s - path->time_s[0]) / path->step_s, h = path->step_s;
    int i = (int)fmin(fmax(floor(place), 0.0), path->n - 2);
    double u = place - i, w = 1.0 - u;
    for (int j = 0; j < J; j++) {
        const double *x = path->theta + i * J + j, *v = path->omega + i * J + j;
        theta[j] = w * w * ((1.0 + 2.0 * u) * x[0] + u * h * v[0]) +
                   u * u * ((3.0 - 2.0 * u) * x[J] - w * h * v[J]);
        omega[j] = w * v[0] + u * v[J];
    }
}

/* The arm with motors that have no limit, in which it is linear, and what is to be found. */
typedef struct Regression {
    const ArcProblem *problem;
    ArcSwingPath *path;
    const ArcSwingEnd *end;
    ArcArm arm;
    double p[ARC_ARM_MAX_PARAMETERS];
    int n_c, list[C_MAX]; /* parameters of the arm */
    bool wanted[ARC_ARM_MAX_PARAMETERS];
    double *X, *V; /* (n, J, 1 + n_c): the integrals of a0 and G, twice and once */
} Regression;

static void list_torques(Regression *r)
{
    const ArcProblem *problem = r->problem;
    for (int j = 0; j < r->arm.settings.n_joints; j++) {
        const ArcArmJoint *joint = &r->arm.settings.joints[j];
        int n = joint->curve == ARC_TORQUE_TRAPEZOID ? 1 : joint->n_torques;
        for (int k = 0; k < n; k++) {
            int i = r->arm.torque[j] + k;
            const ArcParameter *parameter = &problem->parameters[problem->arm_index + i];
            if (!parameter->is_free || parameter->has_start)
                continue;
            r->wanted[i] = true;
            r->list[r->n_c++] = i;
        }
    }
}

/* a0 and G at the i-th time of the path: (J, 1 + n_c). */
static void rates_at(const Regression *r, int i, double *rates)
{
    const ArcSwingPath *path = r->path;
    int J = r->arm.settings.n_joints, A = r->arm.n_parameters, columns = 1 + r->n_c;
    double a[J_MAX], by_theta[J_MAX * J_MAX], by_omega[J_MAX * J_MAX], by_t[J_MAX];
    double by_p[J_MAX * ARC_ARM_MAX_PARAMETERS];
    const ArcArmRates out = {a, by_theta, by_omega, by_t, by_p, r->wanted};
    arc_arm_acceleration(&r->arm, 1, &path->time_s[i], path->theta + i * J, path->omega + i * J,
                         r->p, &out);
    for (int j = 0; j < J; j++) {
        rates[j * columns] = a[j];
        for (int k = 0; k < r->n_c; k++) {
            double g = by_p[j * A + r->list[k]];
            rates[j * columns + 1 + k] = g;
            rates[j * columns] -= g * r->p[r->list[k]];
        }
    }
}

/* By the trapezoid rule, its end corrected for the slope of the rates between. */
static void integrate(const Regression *r)
{
    int size = r->arm.settings.n_joints * (1 + r->n_c);
    double rates[2][J_MAX * (1 + C_MAX)], h = r->path->step_s;
    memset(r->X, 0, sizeof(double) * (size_t)size);
    memset(r->V, 0, sizeof(double) * (size_t)size);
    rates_at(r, 0, rates[0]);
    for (int i = 1; i < r->path->n; i++) {
        const double *before = rates[(i - 1) % 2];
        double *now = rates[i % 2], *X = r->X + i * size, *V = r->V + i * size;
        rates_at(r, i, now);
        for (int k = 0; k < size; k++) {
            V[k] = V[k - size] + 0.5 * h * (before[k] + now[k]);
            X[k] = X[k - size] + h * (V[k - size] + h * (2.0 * before[k] + now[k]) / 6.0);
        }
    }
}

/* One number between the times of the path. */
static double between(const Regression *r, const double *column, double t_s)
{
    int size = r->arm.settings.n_joints * (1 + r->n_c);
    double place = (t_s - r->path->time_s[0]) / r->path->step_s;
    int i = (int)fmin(fmax(floor(place), 0.0), r->path->n - 2);
    double share = place - i;
    return (1.0 - share) * column[i * size] + share * column[(i + 1) * size];
}

/* Rows of the ball's place and velocity where the flight begins, linear about the path, from
 * `first` on. */
static void end_rows(const Regression *r, int first, int rows, double *A, double *b)
{
    int J = r->arm.settings.n_joints, n_c = r->n_c, d = r->arm.settings.dimensions;
    double theta[J_MAX], omega[J_MAX], t = r->end->time_s, since = t - r->path->time_s[0];
    ArcArmPoint ball;
    arc_swing_path_at(r->path, J, t, theta, omega);
    arc_arm_point(&r->arm, ARC_ARM_BALL, r->p, theta, omega, &ball);
    for (int i = 0; i < 2 * d; i++) {
        bool is_place = i < d;
        int c = i % d, row = first + i;
        double weight = is_place ? place_weight : velocity_weight;
        double off = is_place ? r->end->x_m[c] - ball.x_m[c] : r->end->v_m_s[c] - ball.v_m_s[c];
        for (int j = 0; j < J; j++) {
            double by_theta = weight * (is_place ? ball.x_theta[c][j] : ball.v_theta[c][j]);
            double by_omega = is_place ? 0.0 : weight * ball.x_theta[c][j];
            const double *X = r->X + j * (1 + n_c), *V = r->V + j * (1 + n_c);
            A[row + j * rows] = by_theta;
            A[row + (J + j) * rows] = by_theta * since + by_omega;
            for (int k = 0; k < n_c; k++)
                A[row + (2 * J + k) * rows] +=
                    by_theta * between(r, X + 1 + k, t) + by_omega * between(r, V + 1 + k, t);
            b[row] +=
                by_theta * (theta[j] - between(r, X, t)) + by_omega * (omega[j] - between(r, V, t));
        }
        b[row] += weight * off;
    }
}

static int count_rows(const Regression *r, const ArcSwingPoses *poses)
{
    int J = r->arm.settings.n_joints, d = r->arm.settings.dimensions;
    return poses->n * J + r->n_c + (r->end != NULL ? 2 * d : 0);
}

/* Least squares: theta_b, omega_b, c into x. False where it fails. */
static bool solve(const Regression *r, const ArcSwingPoses *poses, double *A, double *b, double *x)
{
    int J = r->arm.settings.n_joints, n_c = r->n_c, n = 2 * J + n_c;
    int rows = count_rows(r, poses);
    memset(A, 0, sizeof(double) * (size_t)(rows * n));
    memset(b, 0, sizeof(double) * (size_t)rows);
    for (int i = 0; i < poses->n; i++) {
        double t = poses->time_s[i];
        for (int j = 0; j < J; j++) {
            int row = i * J + j;
            const double *column = r->X + j * (1 + n_c);
            A[row + j * rows] = 1.0;
            A[row + (J + j) * rows] = t - r->path->time_s[0];
            for (int k = 0; k < n_c; k++)
                A[row + (2 * J + k) * rows] = between(r, column + 1 + k, t);
            b[row] = poses->theta[i * J + j] - between(r, column, t);
        }
    }
    for (int k = 0; k < n_c; k++) {
        double square = 0.0, *column = A + (2 * J + k) * rows;
        for (int i = 0; i < poses->n * J; i++)
            square += column[i] * column[i];
        column[poses->n * J + k] = ridge * sqrt(square) + 1e-12;
    }
    if (r->end != NULL)
        end_rows(r, poses->n * J + n_c, rows, A, b);
    if (rows < n || LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', rows, n, 1, A, rows, b, rows) != 0)
        return false;
    for (int k = 0; k < n; k++) {
        x[k] = b[k];
        if (!isfinite(x[k]))
            return false;
    }
    return true;
}

/* The motion that x makes becomes the path, its c those of the arm. */
static void follow(Regression *r, const double *x)
{
    int J = r->arm.settings.n_joints, columns = 1 + r->n_c;
    for (int i = 0; i < r->path->n; i++) {
        for (int j = 0; j < J; j++) {
            const double *X = r->X + (i * J + j) * columns, *V = r->V + (i * J + j) * columns;
            double since = r->path->time_s[i] - r->path->time_s[0];
            double theta = x[j] + since * x[J + j] + X[0], omega = x[J + j] + V[0];
            for (int k = 0; k < r->n_c; k++) {
                theta += x[2 * J + k] * X[1 + k];
                omega += x[2 * J + k] * V[1 + k];
            }
            r->path->theta[i * J + j] = theta;
            r->path->omega[i * J + j] = omega;
        }
    }
    for (int k = 0; k < r->n_c; k++)
        r->p[r->list[k]] = x[2 * J + k];
}

ArcStatus arc_start_torques(ArcProblem *problem, const ArcSwingPoses *poses, const ArcSwingEnd *end,
                            ArcArena *arena, ArcSwingPath *path, ArcError *err)
{
    Regression *r = ARC_ALLOC(arena, 1, Regression);
    if (r == NULL)
        return arc_error_no_memory(err);
    r->problem = problem;
    r->path = path;
    r->end = end;
    r->arm = problem->arm;
    int J = r->arm.settings.n_joints;
    for (int j = 0; j < J; j++)
        r->arm.settings.joints[j].stall_n_m = r->arm.settings.joints[j].idle_rad_s = INFINITY;
    memcpy(r->p, problem->start + problem->arm_index, sizeof(double) * (size_t)r->arm.n_parameters);
    list_torques(r);
    size_t size = (size_t)(path->n * J * (1 + r->n_c)), n = (size_t)(2 * J + r->n_c);
    size_t rows = (size_t)count_rows(r, poses);
    r->X = ARC_ALLOC(arena, size, double);
    r->V = ARC_ALLOC(arena, size, double);
    double *A = ARC_ALLOC(arena, rows * n, double), *b = ARC_ALLOC(arena, rows + n, double);
    if (r->X == NULL || r->V == NULL || A == NULL || b == NULL)
        return arc_error_no_memory(err);
    double x[COLUMNS];
    for (int round = 0; round < ROUNDS; round++) {
        integrate(r);
        if (!solve(r, poses, A, b, x))
            return ARC_OK;
        follow(r, x);
    }
    for (int k = 0; k < r->n_c; k++)
        problem->start[problem->arm_index + r->list[k]] = r->p[r->list[k]];
    return ARC_OK;
}
