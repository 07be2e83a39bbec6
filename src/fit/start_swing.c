/* Starts of a swing.
 *
 * Row by row the pose that its numbers tell, by Gauss-Newton from that of the row beside it, the
 * first from a grid of poses; through them a polynomial in time, which gives rates and
 * accelerations. Torques: those that the joints then need (arc_arm_inverse_dynamics) are linear in
 * the curves' coefficients. The release: where the smooth swing's ball meets the flight followed
 * backwards in position and velocity.
 */
#include "fit/start_swing.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum {
    GRID_POSES = 4096,
    BEST_POSES = 6,
    POSE_STEPS = 30,
    TORQUE_TIMES = 48,
    RELEASE_TIMES = 200,
    J_MAX = ARC_ARM_MAX_JOINTS
};
static const double least_damping = 1e-9; /* of the pose's normal equations, relative */
static const double beyond = 1.2;         /* largest tau */
static const double meeting_s = 0.02; /* a velocity off counts as the place it leads to by then */
static const double torque_ridge = 1e-4; /* relative; what the swing does not tell stays small */

/* The measured numbers of a swing and what is found of its poses. */
typedef struct Poses {
    const ArcProblem *problem, *swing;
    const ArcSwingNumber *numbers;
    const double *p; /* starts of the arm's parameters */
    int *first;      /* (n_times + 1) observation of each row */
    double *theta;   /* (n_times, J) */
    bool *known;     /* (n_times) */
} Poses;

void arc_smooth_swing_at(const ArcSmoothSwing *smooth, double t_s, double *theta, double *omega,
                         double *acceleration)
{
    double tau = fmin(fmax((t_s - smooth->middle_s) / smooth->half_s, -beyond), beyond);
    for (int j = 0; j < smooth->n_joints; j++) {
        double x = 0.0, v = 0.0, a = 0.0;
        for (int k = smooth->n_terms - 1; k >= 0; k--) {
            a = a * tau + 2.0 * v;
            v = v * tau + x;
            x = x * tau + smooth->c[j][k];
        }
        theta[j] = x;
        omega[j] = v / smooth->half_s;
        acceleration[j] = a / (smooth->half_s * smooth->half_s);
    }
}

/* A row's sum of squares at a pose, and J'J and J'r where they are wanted. Rates tell no pose. */
static double pose_cost(const Poses *poses, int row, const double *theta, double *JJ, double *Jr)
{
    const ArcArm *arm = &poses->problem->arm;
    const double still[J_MAX] = {0};
    int J = arm->settings.n_joints;
    double cost = 0.0;
    if (JJ != NULL) {
        memset(JJ, 0, sizeof(double) * (size_t)(J * J));
        memset(Jr, 0, sizeof(double) * (size_t)J);
    }
    for (int i = poses->first[row]; i < poses->first[row + 1]; i++) {
        const ArcSwingNumber *number = &poses->numbers[i];
        double by[J_MAX] = {0}, off;
        if (number->kind == ARC_SWING_RATE)
            continue;
        if (number->kind == ARC_SWING_PLACE) {
            ArcArmPoint point;
            arc_arm_point(arm, number->index, poses->p, theta, still, &point);
            off = point.x_m[number->axis] - number->value;
            memcpy(by, point.x_theta[number->axis], sizeof(double) * (size_t)J);
        } else {
            int j = number->index;
            double gain = arm->gain >= 0 ? poses->p[arm->gain + j] : 1.0;
            double offset = arm->offset >= 0 ? poses->p[arm->offset + j] : 0.0;
            off = remainder(gain * theta[j] + offset - number->value, 2.0 * M_PI);
            by[j] = gain;
        }
        off /= number->sigma;
        cost += off * off;
        for (int a = 0; JJ != NULL && a < J; a++) {
            Jr[a] += by[a] / number->sigma * off;
            for (int b = 0; b < J; b++)
                JJ[a * J + b] += by[a] * by[b] / (number->sigma * number->sigma);
        }
    }
    return cost;
}

/* Levenberg-Marquardt from theta; returns the cost. */
static double settle_pose(const Poses *poses, int row, double *theta)
{
    int J = poses->problem->arm.settings.n_joints;
    double JJ[J_MAX * J_MAX], Jr[J_MAX], damping = least_damping;
    double cost = pose_cost(poses, row, theta, JJ, Jr);
    for (int step = 0; step < POSE_STEPS; step++) {
        double A[J_MAX * J_MAX], d[J_MAX], moved[J_MAX], size = 0.0, trace = 0.0;
        for (int j = 0; j < J; j++)
            trace += JJ[j * J + j];
        memcpy(A, JJ, sizeof A);
        for (int j = 0; j < J; j++) {
            A[j * J + j] += damping * trace + 1e-300;
            d[j] = -Jr[j];
        }
        if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', J, 1, A, J, d, J) != 0)
            return INFINITY;
        for (int j = 0; j < J; j++) {
            moved[j] = theta[j] + d[j];
            size = fmax(size, fabs(d[j]));
        }
        double reached = pose_cost(poses, row, moved, A, d);
        if (!(reached <= cost)) {
            damping = fmax(10.0 * damping, 1e-6);
            continue;
        }
        damping *= 0.1;
        cost = reached;
        memcpy(theta, moved, sizeof(double) * (size_t)J);
        memcpy(JJ, A, sizeof A);
        memcpy(Jr, d, sizeof d);
        if (size < 1e-10)
            break;
    }
    return cost;
}

/* A pose of the grid: angles within the joints' limits, else all round. */
static void grid_pose(const ArcArm *arm, int each, int index, double *theta)
{
    for (int j = 0; j < arm->settings.n_joints; j++, index /= each) {
        const ArcArmJoint *joint = &arm->settings.joints[j];
        double low = fmax(joint->low_rad, -M_PI), high = fmin(joint->high_rad, M_PI);
        theta[j] = low + (high - low) * (index % each + 0.5) / each;
    }
}

/* The best of the poses from which a row may be settled; of equal ones that near the start. */
static double find_pose(const Poses *poses, int row, double *theta)
{
    const ArcArm *arm = &poses->problem->arm;
    int J = arm->settings.n_joints, each = (int)(pow(GRID_POSES, 1.0 / J) + 1e-9), total = 1;
    double best[BEST_POSES][J_MAX], costs[BEST_POSES], least = INFINITY;
    each = each > 36 ? 36 : each;
    for (int j = 0; j < J; j++)
        total *= each;
    for (int k = 0; k < BEST_POSES; k++)
        costs[k] = INFINITY;
    for (int i = 0; i < total; i++) {
        double pose[J_MAX], cost;
        grid_pose(arm, each, i, pose);
        cost = pose_cost(poses, row, pose, NULL, NULL);
        int k = BEST_POSES;
        for (; k > 0 && cost < costs[k - 1]; k--) {
            if (k == BEST_POSES)
                continue;
            costs[k] = costs[k - 1];
            memcpy(best[k], best[k - 1], sizeof best[k]);
        }
        if (k == BEST_POSES)
            continue;
        costs[k] = cost;
        memcpy(best[k], pose, sizeof best[k]);
    }
    for (int k = 0; k < BEST_POSES && isfinite(costs[k]); k++) {
        double cost = settle_pose(poses, row, best[k]), apart = 0.0;
        for (int j = 0; j < J; j++)
            apart += fabs(remainder(best[k][j] - poses->p[arm->theta + j], 2.0 * M_PI));
        cost += 1e-3 * apart;
        if (cost < least) {
            least = cost;
            memcpy(theta, best[k], sizeof(double) * (size_t)J);
        }
    }
    return least;
}

/* Numbers of a row that tell a pose. */
static int count_row(const Poses *poses, int row)
{
    int n = 0;
    for (int i = poses->first[row]; i < poses->first[row + 1]; i++)
        n += poses->numbers[i].kind != ARC_SWING_RATE;
    return n;
}

/* From the row that tells most, both ways. */
static void find_poses(Poses *poses)
{
    int n = poses->swing->n_times, J = poses->problem->arm.settings.n_joints, begin = 0;
    size_t bytes = sizeof(double) * (size_t)J;
    for (int row = 1; row < n; row++)
        if (count_row(poses, row) > count_row(poses, begin))
            begin = row;
    poses->known[begin] =
        count_row(poses, begin) >= J && isfinite(find_pose(poses, begin, poses->theta + begin * J));
    if (!poses->known[begin])
        return;
    for (int way = -1; way <= 1; way += 2) {
        const double *near = poses->theta + begin * J;
        for (int row = begin + way; row >= 0 && row < n; row += way) {
            double *theta = poses->theta + row * J;
            memcpy(theta, near, bytes);
            poses->known[row] =
                count_row(poses, row) >= J && isfinite(settle_pose(poses, row, theta));
            if (poses->known[row])
                near = theta;
        }
    }
}

/* Lengths of links of which both ends were seen: the mean distance. */
static void start_lengths(ArcProblem *problem, const Poses *poses)
{
    const ArcArm *arm = &problem->arm;
    int d = arm->settings.dimensions;
    for (int j = 0; j < arm->settings.n_joints; j++) {
        const ArcParameter *length = &problem->parameters[problem->arm_index + arm->length + j];
        double sum = 0.0;
        int n = 0;
        if (!length->is_free || length->has_start || length->has_prior || length->has_reading)
            continue;
        for (int row = 0; row < poses->swing->n_times; row++) {
            double between[3] = {0}; /* a link that begins at the base has its beginning there */
            int seen = 0;
            for (int c = 0; c < d && j == 0; c++)
                between[c] = -poses->p[arm->base + c];
            for (int i = poses->first[row]; i < poses->first[row + 1]; i++) {
                const ArcSwingNumber *number = &poses->numbers[i];
                if (number->kind != ARC_SWING_PLACE)
                    continue;
                bool is_end = number->index == j + 1, is_begin = j > 0 && number->index == j;
                between[number->axis] += is_end ? number->value : is_begin ? -number->value : 0.0;
                seen += is_end || is_begin;
            }
            if (seen == (j == 0 ? d : 2 * d)) {
                sum += sqrt(between[0] * between[0] + between[1] * between[1] +
                            between[2] * between[2]);
                n++;
            }
        }
        if (n > 0)
            problem->start[problem->arm_index + arm->length + j] = sum / n;
    }
}

/* The polynomials through the poses that are known. */
static ArcStatus smooth_poses(const Poses *poses, ArcArena *arena, ArcSmoothSwing *smooth,
                              ArcError *err)
{
    static const int terms_of[] = {0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6};
    int n_rows = poses->swing->n_times, J = poses->problem->arm.settings.n_joints, n = 0;
    double first = INFINITY, last = -INFINITY;
    for (int row = 0; row < n_rows; row++) {
        if (!poses->known[row])
            continue;
        first = fmin(first, poses->swing->time_s[row]);
        last = fmax(last, poses->swing->time_s[row]);
        n++;
    }
    int terms = n > 12 ? ARC_SMOOTH_TERMS : terms_of[n];
    *smooth = (ArcSmoothSwing){.n_joints = J};
    if (terms < 2)
        return ARC_OK;
    smooth->middle_s = 0.5 * (first + last);
    smooth->half_s = 0.5 * (last - first);
    double *A = ARC_ALLOC(arena, (size_t)(n * terms), double);
    double *b = ARC_ALLOC(arena, (size_t)(n * J), double);
    if (A == NULL || b == NULL)
        return arc_error_no_memory(err);
    for (int row = 0, i = 0; row < n_rows; row++) {
        if (!poses->known[row])
            continue;
        double tau = (poses->swing->time_s[row] - smooth->middle_s) / smooth->half_s, power = 1.0;
        for (int k = 0; k < terms; k++, power *= tau)
            A[i + k * n] = power;
        for (int j = 0; j < J; j++)
            b[i + j * n] = poses->theta[row * J + j];
        i++;
    }
    if (LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', n, terms, J, A, n, b, n) != 0)
        return ARC_OK;
    smooth->n_terms = terms;
    for (int j = 0; j < J; j++)
        memcpy(smooth->c[j], b + j * n, sizeof(double) * (size_t)terms);
    return ARC_OK;
}

/* How far flight and ball in the hand are apart at t, in place and soon after. */
static double apart_at(const ArcProblem *problem, const ArcSmoothSwing *smooth, double t_s)
{
    const double *release = problem->start + problem->t0_index;
    double theta[J_MAX], omega[J_MAX], a[J_MAX], sum = 0.0, since = t_s - release[0];
    ArcArmPoint ball;
    int d = problem->d;
    arc_smooth_swing_at(smooth, t_s, theta, omega, a);
    arc_arm_point(&problem->arm, ARC_ARM_BALL, problem->start + problem->arm_index, theta, omega,
                  &ball);
    for (int c = 0; c < d; c++) {
        double g = problem->start_acceleration[c], v0 = release[1 + d + c];
        double off = release[1 + c] + since * (v0 + 0.5 * since * g) - ball.x_m[c];
        double off_v = (v0 + since * g - ball.v_m_s[c]) * meeting_s;
        sum += off * off + off_v * off_v;
    }
    return sum;
}

/* t0 where nothing tells it: between the swing's last row and the first point, with a little room
 * before the former. */
static void start_release_time(ArcProblem *problem, const ArcProblem *swing,
                               const ArcSmoothSwing *smooth)
{
    ArcParameter *t0 = &problem->parameters[problem->t0_index];
    if (!t0->is_free || t0->has_start || t0->has_prior || t0->has_reading)
        return;
    double span = 2.0 * smooth->half_s;
    double low = fmax(t0->low, swing->time_s[0] - 0.05 * span), high = t0->high;
    high = fmin(high, swing->time_s[0] + (beyond - 1.0) * smooth->half_s);
    double best = problem->start[problem->t0_index], least = INFINITY;
    for (int i = 0; i <= RELEASE_TIMES && high > low; i++) {
        double t = low + (high - low) * i / RELEASE_TIMES, apart = apart_at(problem, smooth, t);
        if (apart < least) {
            least = apart;
            best = t;
        }
    }
    problem->start[problem->t0_index] = best;
}

static void start_pose(ArcProblem *problem, const ArcSmoothSwing *smooth)
{
    const ArcArm *arm = &problem->arm;
    double theta[J_MAX], omega[J_MAX], a[J_MAX];
    arc_smooth_swing_at(smooth, problem->start[problem->t0_index], theta, omega, a);
    for (int j = 0; j < arm->settings.n_joints; j++) {
        int i = problem->arm_index + arm->theta + j, k = problem->arm_index + arm->omega + j;
        if (problem->parameters[i].is_free && !problem->parameters[i].has_start)
            problem->start[i] = theta[j];
        if (problem->parameters[k].is_free && !problem->parameters[k].has_start)
            problem->start[k] = omega[j];
    }
}

/* The coefficients of one joint's curve in which it is linear, and that are to be found. */
static int list_torques(const ArcProblem *problem, int j, int *list)
{
    const ArcArmJoint *joint = &problem->arm.settings.joints[j];
    int n = joint->curve == ARC_TORQUE_TRAPEZOID ? 1 : joint->n_torques, count = 0;
    for (int k = 0; k < n; k++) {
        int i = problem->arm_index + problem->arm.torque[j] + k;
        if (problem->parameters[i].is_free && !problem->parameters[i].has_start)
            list[count++] = problem->arm.torque[j] + k;
    }
    return count;
}

/* Linear regression of what the joints need by the curves' coefficients. */
static void start_torques(ArcProblem *problem, double begin_s, const ArcSmoothSwing *smooth)
{
    enum { N = TORQUE_TIMES, ROWS = N + ARC_ARM_MAX_TORQUES };
    ArcArm arm = problem->arm;
    double p[ARC_ARM_MAX_PARAMETERS], A[ROWS * ARC_ARM_MAX_TORQUES], b[ROWS];
    double motor[J_MAX], base[J_MAX], needed[J_MAX], theta[J_MAX], omega[J_MAX], a[J_MAX];
    double end_s = problem->start[problem->t0_index];
    int J = arm.settings.n_joints, list[ARC_ARM_MAX_TORQUES];
    for (int j = 0; j < J; j++)
        arm.settings.joints[j].stall_n_m = arm.settings.joints[j].idle_rad_s = INFINITY;
    for (int j = 0; j < J; j++) {
        int n = list_torques(problem, j, list);
        if (n == 0)
            continue;
        memset(A, 0, sizeof A);
        memset(b, 0, sizeof b);
        for (int i = 0; i < N; i++) {
            double share = (i + 0.5) / N, t = begin_s + share * (end_s - begin_s);
            double end = 2.0 * share - 1.0, weight = 1.0 - 0.9 * end * end * end * end;
            memcpy(p, problem->start + problem->arm_index,
                   sizeof(double) * (size_t)arm.n_parameters);
            arc_smooth_swing_at(smooth, t, theta, omega, a);
            arc_arm_inverse_dynamics(&arm, theta, omega, a, p, needed);
            for (int k = 0; k < n; k++)
                p[list[k]] = 0.0;
            arc_arm_torques(&arm, t, omega, p, base, NULL);
            for (int k = 0; k < n; k++) {
                p[list[k]] = 1.0;
                arc_arm_torques(&arm, t, omega, p, motor, NULL);
                p[list[k]] = 0.0;
                A[i + k * ROWS] = weight * (motor[j] - base[j]);
            }
            b[i] = weight * (needed[j] - base[j]);
        }
        for (int k = 0; k < n; k++)
            A[N + k + k * ROWS] = sqrt(torque_ridge * N);
        if (LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', ROWS, n, 1, A, ROWS, b, ROWS) != 0)
            continue;
        for (int k = 0; k < n; k++)
            if (isfinite(b[k]))
                problem->start[problem->arm_index + list[k]] = b[k];
    }
}

static ArcStatus poses_create(const ArcProblem *problem, const ArcProblem *swing,
                              const ArcSwingNumber *numbers, ArcArena *arena, Poses *poses,
                              ArcError *err)
{
    size_t n = (size_t)swing->n_times;
    *poses = (Poses){.problem = problem,
                     .swing = swing,
                     .numbers = numbers,
                     .p = problem->start + problem->arm_index,
                     .first = ARC_ALLOC(arena, n + 1, int),
                     .theta = ARC_ALLOC(arena, n * J_MAX, double),
                     .known = ARC_ALLOC(arena, n, bool)};
    if (poses->first == NULL || poses->theta == NULL || poses->known == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < swing->n_observations; i++)
        poses->first[swing->observations[i].time + 1] = i + 1;
    return ARC_OK;
}

ArcStatus arc_start_swing(ArcProblem *problem, const ArcProblem *swing,
                          const ArcSwingNumber *numbers, ArcSmoothSwing *smooth, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    Poses poses;
    ArcStatus status = arena == NULL ? arc_error_no_memory(err)
                                     : poses_create(problem, swing, numbers, arena, &poses, err);
    if (status == ARC_OK) {
        start_lengths(problem, &poses);
        find_poses(&poses);
        status = smooth_poses(&poses, arena, smooth, err);
    }
    if (status == ARC_OK && smooth->n_terms > 0) {
        start_release_time(problem, swing, smooth);
        start_pose(problem, smooth);
        start_torques(problem, swing->time_s[swing->n_times - 1], smooth);
    }
    arc_arena_free(arena);
    return status;
}
