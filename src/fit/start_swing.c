/* Starts of a swing.
 *
 * Row by row the pose that its numbers tell, by Gauss-Newton from that of the row beside it, the
 * first from a grid of poses; through them a polynomial in time, which gives rates and
 * accelerations to begin with; from it the torques, and a motion that they make
 * (start_torques.c). The release: where that motion's ball meets the flight followed backwards, in
 * position and velocity. Other poses that put the ball where the first row's has it, and whose
 * motion keeps to all numbers as well, are starts for themselves.
 */
#include "fit/start_swing.h"

#include "fit/arm_problem.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum {
    GRID_POSES = 4096,
    BEST_POSES = 6,
    POSE_STEPS = 30,
    PATH_TIMES = 161,
    J_MAX = ARC_ARM_MAX_JOINTS
};
static const double least_damping = 1e-9; /* of the pose's normal equations, relative */
static const double beyond = 1.2;         /* largest tau */
static const double other_rad = 0.05; /* by which another pose differs in some joint, at least */

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

/* The row that tells most. */
static int find_beginning(const Poses *poses)
{
    int begin = 0;
    for (int row = 1; row < poses->swing->n_times; row++)
        if (count_row(poses, row) > count_row(poses, begin))
            begin = row;
    return begin;
}

/* Where the motion through two rows goes on to: an arm that is stretched out between two rows
 * swings through. */
static void go_on(const Poses *poses, int far, int near, int row, double *theta)
{
    const double *t = poses->swing->time_s;
    int J = poses->problem->arm.settings.n_joints;
    double share = far == near ? 0.0 : (t[row] - t[near]) / (t[near] - t[far]);
    for (int j = 0; j < J; j++) {
        double at = poses->theta[near * J + j];
        theta[j] = at + share * (at - poses->theta[far * J + j]);
    }
}

/* Both ways from a row whose pose, at this cost, is known; returns the cost of all rows, or of some
 * that is above `most`. */
static double follow_poses(Poses *poses, int begin, double cost, double most)
{
    enum { BACK = 3 }; /* rows that a rate is taken over */
    int n = poses->swing->n_times, J = poses->problem->arm.settings.n_joints;
    for (int way = -1; way <= 1; way += 2) {
        int last[BACK] = {begin, begin, begin}; /* known rows, the nearest first */
        for (int row = begin + way; row >= 0 && row < n && cost <= most; row += way) {
            double *theta = poses->theta + row * J;
            go_on(poses, last[BACK - 1], last[0], row, theta);
            double own = count_row(poses, row) >= J ? settle_pose(poses, row, theta) : INFINITY;
            poses->known[row] = isfinite(own);
            if (!poses->known[row])
                continue;
            cost += own;
            memmove(last + 1, last, sizeof last - sizeof last[0]);
            last[0] = row;
        }
    }
    return cost;
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

static void start_pose(ArcProblem *problem, const ArcSwingPath *path, bool of_other)
{
    const ArcArm *arm = &problem->arm;
    double theta[J_MAX], omega[J_MAX];
    arc_swing_path_at(path, arm->settings.n_joints, problem->start[problem->t0_index], theta,
                      omega);
    for (int j = 0; j < arm->settings.n_joints; j++) {
        int i = problem->arm_index + arm->theta + j, k = problem->arm_index + arm->omega + j;
        if (problem->parameters[i].is_free && (of_other || !problem->parameters[i].has_start))
            problem->start[i] = theta[j];
        if (problem->parameters[k].is_free && (of_other || !problem->parameters[k].has_start))
            problem->start[k] = omega[j];
    }
}

/* The smooth motion from the first row to where the release may be. */
static ArcStatus path_create(const ArcProblem *problem, const ArcProblem *swing,
                             const ArcSmoothSwing *smooth, ArcArena *arena, ArcSwingPath *path,
                             ArcError *err)
{
    int J = smooth->n_joints;
    double a[J_MAX], low, high, begin = swing->time_s[swing->n_times - 1], end = swing->time_s[0];
    if (arc_start_seeks_release(problem, swing, &low, &high))
        end = fmax(end, high);
    else
        end = fmax(end, problem->start[problem->t0_index]);
    path->n = PATH_TIMES;
    path->step_s = (end - begin) / (PATH_TIMES - 1);
    path->time_s = ARC_ALLOC(arena, PATH_TIMES, double);
    path->theta = ARC_ALLOC(arena, (size_t)(2 * PATH_TIMES * J), double);
    if (path->time_s == NULL || path->theta == NULL)
        return arc_error_no_memory(err);
    path->omega = path->theta + PATH_TIMES * J;
    for (int i = 0; i < PATH_TIMES; i++) {
        path->time_s[i] = begin + i * path->step_s;
        arc_smooth_swing_at(smooth, path->time_s[i], path->theta + i * J, path->omega + i * J, a);
    }
    return ARC_OK;
}

/* From the smooth motion to torques, and to the release. */
static ArcStatus start_motion(ArcProblem *problem, const Poses *poses, ArcArena *arena,
                              const ArcSmoothSwing *smooth, bool of_other, ArcError *err)
{
    const ArcProblem *swing = poses->swing;
    int J = smooth->n_joints, n = 0;
    double *time_s = ARC_ALLOC(arena, (size_t)swing->n_times, double);
    if (time_s == NULL)
        return arc_error_no_memory(err);
    for (int row = 0; row < swing->n_times; row++) {
        if (!poses->known[row])
            continue;
        time_s[n] = swing->time_s[row];
        memmove(poses->theta + n * J, poses->theta + row * J, sizeof(double) * (size_t)J);
        n++;
    }
    const ArcSwingPoses seen = {n, time_s, poses->theta};
    ArcSwingPath path;
    ArcStatus status = path_create(problem, swing, smooth, arena, &path, err);
    if (status == ARC_OK)
        status = arc_start_torques(problem, &seen, NULL, arena, &path, err);
    if (status == ARC_OK)
        status = arc_start_meeting(problem, swing, &seen, arena, &path, err);
    if (status != ARC_OK)
        return status;
    start_pose(problem, &path, of_other);
    return status;
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

/* Whether a pose is a new one, and nothing that is known of the angles speaks against it. */
static bool is_other(const ArcProblem *problem, const double *theta, int n, double before[][J_MAX])
{
    const ArcArm *arm = &problem->arm;
    bool is_new = arc_arm_against(problem, theta) < ARC_ARM_AGAINST;
    for (int i = 0; i < n; i++)
        is_new = is_new && arc_arm_apart(problem, theta, before[i]) > other_rad;
    for (int j = 0; j < arm->settings.n_joints; j++)
        is_new = is_new && problem->parameters[problem->arm_index + arm->theta + j].is_free;
    return is_new;
}

/* The other poses that put the ball where the row has it in that found, as starts of their own. Of
 * all rows their cost is at most `most`. */
static ArcStatus start_others(ArcProblem *problem, Poses *poses, int row, const double *found,
                              double most, ArcArena *arena, ArcSmoothSwing *smooth, ArcError *err)
{
    const ArcArm *arm = &problem->arm;
    const double still[J_MAX] = {0};
    const double *start = problem->start + problem->arm_index;
    double list[ARC_ARM_MAX_POSES + 1][J_MAX], all[ARC_ARM_MAX_POSES * J_MAX];
    int J = arm->settings.n_joints, n = 1;
    ArcArmPoint ball;
    arc_arm_point(arm, ARC_ARM_BALL, start, found, still, &ball);
    int n_all = arc_arm_poses(arm, start, ball.x_m, found, all);
    ArcStatus status = arc_start_list(problem, ARC_ARM_MAX_POSES, err);
    memcpy(list[0], found, sizeof(double) * (size_t)J);
    for (int i = 0; status == ARC_OK && i < n_all && n < ARC_ARM_MAX_POSES; i++) {
        double *theta = poses->theta + row * J;
        memcpy(theta, all + i * J, sizeof(double) * (size_t)J);
        double cost = settle_pose(poses, row, theta);
        memcpy(list[n], theta, sizeof(double) * (size_t)J);
        if (!is_other(problem, theta, n, list) || !(follow_poses(poses, row, cost, most) <= most))
            continue;
        status = smooth_poses(poses, arena, &smooth[n], err);
        if (status == ARC_OK && smooth[n].n_terms > 0)
            status = start_motion(problem, poses, arena, &smooth[n], true, err);
        if (status == ARC_OK && smooth[n].n_terms > 0 &&
            arc_arm_may_begin(problem, start + arm->theta, start + arm->omega))
            arc_start_keep(problem, n++);
        arc_start_pose(problem, 0, problem->start);
    }
    problem->n_poses = n;
    return status;
}

ArcStatus arc_start_swing(ArcProblem *problem, const ArcProblem *swing,
                          const ArcSwingNumber *numbers, ArcSmoothSwing *smooth, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    Poses poses;
    double found[J_MAX], cost = INFINITY;
    int row = 0, J = problem->arm.settings.n_joints;
    problem->n_poses = 1;
    ArcStatus status = arena == NULL ? arc_error_no_memory(err)
                                     : poses_create(problem, swing, numbers, arena, &poses, err);
    if (status == ARC_OK) {
        start_lengths(problem, &poses);
        row = find_beginning(&poses);
        if (count_row(&poses, row) >= J)
            cost = find_pose(&poses, row, poses.theta + row * J);
        poses.known[row] = isfinite(cost);
        memcpy(found, poses.theta + row * J, sizeof(double) * (size_t)J);
        if (poses.known[row])
            cost = follow_poses(&poses, row, cost, INFINITY);
        status = smooth_poses(&poses, arena, smooth, err);
    }
    if (status == ARC_OK && smooth->n_terms > 0)
        status = start_motion(problem, &poses, arena, smooth, false, err);
    if (status == ARC_OK && smooth->n_terms > 0)
        status =
            start_others(problem, &poses, row, found, cost + ARC_ARM_AGAINST, arena, smooth, err);
    arc_arena_free(arena);
    return status;
}
