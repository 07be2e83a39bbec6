/* Inverse kinematics: poses that put the ball somewhere, and rates that move it.
 *
 * Two pitches: from the first of them the ball lies D = (u, z) away, r beyond the second, at the
 * angle beta above that link's line. Then with c = (D^2 - l^2 - r^2) / (2 l r), held to -1..1,
 *   theta_2 + beta = +- acos c,   theta_1 = atan2(z, u) - atan2(r sin, l + r cos)
 * less what the joints in front have turned. A yaw in front of pitches turns their plane so that
 * the ball, `side` beside it, meets the target: u^2 + side^2 = x^2 + y^2, both signs of u (Spong,
 * Hutchinson and Vidyasagar, Robot Modeling and Control (2006), ch. 3).
 *
 * Other chains, and targets that these do not reach: the least |ball(theta) - target|^2 by Newton's
 * method with a shift (Levenberg, Marquardt), from near and, until one arrives, from starts spread
 * about it. Second partials: x_jk = a_min(j,k) x x_max(j,k).
 *
 * Rates: the pseudo-inverse by one-sided Jacobi rotations (Golub and Van Loan, Matrix Computations,
 * 8.6).
 */
#include "physics/arm_chain.h"

#include <math.h>
#include <string.h>

enum { MOST = ARC_ARM_MAX_JOINTS, MOST_STARTS = 24, MOST_STEPS = 100 };

static const double arrived = 1e-9;  /* of the arm's reach */
static const double the_same = 1e-6; /* rad, of two poses */
static const double no_rank = 1e-10; /* of the largest singular value */

/* A target in the arm's axes, from its base, and the poses that were found. */
typedef struct Search {
    const ArcArm *arm;
    const double *p, *near;
    double target[3], reach;
    double nearest[MOST], off; /* best pose so far, and how far it is from the target */
    int n;
    double poses[ARC_ARM_MAX_POSES][MOST], turned[ARC_ARM_MAX_POSES]; /* and how far from near */
} Search;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The ball less the target, with its partials (nullable); returns half its square. */
static double miss(const Search *search, const double *theta, double *off, ArcArmChain *chain,
                   double by[MOST][3])
{
    int J = search->arm->settings.n_joints;
    arc_arm_chain_place(search->arm, search->p, theta, NULL, chain);
    arc_arm_chain_ball(search->arm, search->p, chain, off);
    for (int i = 0; i < 3; i++)
        off[i] += chain->o[J][i];
    for (int j = 0; by != NULL && j < J; j++) {
        const double *o = chain->o[j], r[3] = {off[0] - o[0], off[1] - o[1], off[2] - o[2]};
        arc_vector3_cross(chain->axis[j], r, by[j]);
    }
    for (int i = 0; i < 3; i++)
        off[i] -= search->target[i];
    return dot(off, off) / 2;
}

/* Takes a pose up into what was found. */
static void offer(Search *search, const double *pose)
{
    int J = search->arm->settings.n_joints;
    double theta[MOST], off[3], turned = 0;
    ArcArmChain chain;
    for (int j = 0; j < J; j++) {
        double turn = remainder(pose[j] - search->near[j], 2 * M_PI);
        theta[j] = search->near[j] + turn;
        turned += turn * turn;
    }
    double away = sqrt(2 * miss(search, theta, off, &chain, NULL));
    if (away < search->off) {
        search->off = away;
        memcpy(search->nearest, theta, sizeof theta);
    }
    if (!(away <= arrived * search->reach))
        return;
    for (int i = 0; i < search->n; i++) {
        double most = 0;
        for (int j = 0; j < J; j++)
            most = fmax(most, fabs(remainder(theta[j] - search->poses[i][j], 2 * M_PI)));
        if (most < the_same)
            return;
    }
    if (search->n == ARC_ARM_MAX_POSES)
        return;
    int at = search->n++; /* nearest to near first */
    for (; at > 0 && search->turned[at - 1] > turned; at--) {
        memcpy(search->poses[at], search->poses[at - 1], sizeof theta);
        search->turned[at] = search->turned[at - 1];
    }
    memcpy(search->poses[at], theta, sizeof theta);
    search->turned[at] = turned;
}

/* The last pitches bring the ball to (u, z) from the base, in the plane that they turn in; joints
 * from `first` to them stand where they are. */
static void reach_in_plane(Search *search, double *theta, int first, double u, double z)
{
    const ArcArm *arm = search->arm;
    const double *p = search->p;
    int J = arm->settings.n_joints, last = J - 1, before = J - 2;
    double along = p[arm->length + last] + p[arm->ball], across = p[arm->ball + 1], angle = 0;
    double r = hypot(along, across), beta = atan2(across, along);
    for (int j = 0; j < (before > first ? before : first); j++) {
        angle += j < first ? 0 : theta[j];
        u -= p[arm->length + j] * cos(angle);
        z -= p[arm->length + j] * sin(angle);
    }
    double D = hypot(u, z), direction = atan2(z, u);
    if (before < first) { /* one pitch alone */
        theta[last] = (D > 0 ? direction : search->near[last] + beta) - beta;
        offer(search, theta);
        return;
    }
    double l = p[arm->length + before], c = (D * D - l * l - r * r) / (2 * l * r);
    for (int elbow = -1; elbow <= 1; elbow += 2) {
        double bend = elbow * acos(fmin(fmax(c, -1), 1));
        if (!(l * r > 0)) /* either is on a circle, whatever the elbow */
            bend = search->near[last] + beta;
        theta[last] = bend - beta;
        theta[before] = direction - atan2(r * sin(bend), l + r * cos(bend)) - angle;
        offer(search, theta);
    }
}

/* Pitches, perhaps with a yaw in front. */
static bool is_plain(const ArcArm *arm)
{
    for (int j = 1; j < arm->settings.n_joints; j++)
        if (arm->settings.joints[j].axis != ARC_JOINT_PITCH)
            return false;
    return arm->settings.joints[0].axis == ARC_JOINT_PITCH ||
           (arm->settings.joints[0].axis == ARC_JOINT_YAW && arm->settings.n_joints > 1);
}

static void reach_plainly(Search *search)
{
    const ArcArm *arm = search->arm;
    double theta[MOST], azimuth = arm->azimuth < 0 ? 0 : search->p[arm->azimuth];
    double side = arm->settings.dimensions == 3 ? search->p[arm->ball + 2] : 0;
    double x = search->target[0], y = search->target[1], z = search->target[2];
    memcpy(theta, search->near, sizeof(double) * (size_t)arm->settings.n_joints);
    if (arm->settings.joints[0].axis == ARC_JOINT_PITCH) {
        reach_in_plane(search, theta, 0, x * cos(azimuth) + y * sin(azimuth), z);
        return;
    }
    double level2 = x * x + y * y - side * side;
    for (int front = 1; front >= -1; front -= 2) {
        double u = front * sqrt(fmax(level2, 0));
        memcpy(theta, search->near, sizeof(double) * (size_t)arm->settings.n_joints);
        if (hypot(x, y) > 1e-12 * search->reach)
            theta[0] = atan2(y, x) - atan2(side, u) - azimuth;
        reach_in_plane(search, theta, 1, u, z);
    }
}

/* Gradient and Hessian of half the square of the miss. */
static double expand(const Search *search, const double *theta, double *gradient,
                     double hessian[MOST][MOST])
{
    int J = search->arm->settings.n_joints;
    ArcArmChain chain;
    double off[3], by[MOST][3], bend[3], value = miss(search, theta, off, &chain, by);
    for (int j = 0; j < J; j++) {
        gradient[j] = dot(by[j], off);
        for (int k = 0; k <= j; k++) {
            arc_vector3_cross(chain.axis[k], by[j], bend);
            hessian[j][k] = hessian[k][j] = dot(by[j], by[k]) + dot(bend, off);
        }
    }
    return value;
}

/* step = -(hessian + shift)^-1 gradient; false where that is not positive definite. */
static bool newton_step(int n, double hessian[MOST][MOST], double shift, const double *gradient,
                        double *step)
{
    double L[MOST][MOST];
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = hessian[i][j] + (i == j ? shift : 0);
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 1e-14 * shift))
                return false;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    for (int j = 0; j < n; j++) {
        double sum = -gradient[j];
        for (int k = 0; k < j; k++)
            sum -= L[j][k] * step[k];
        step[j] = sum / L[j][j];
    }
    for (int j = n - 1; j >= 0; j--) {
        double sum = step[j];
        for (int k = j + 1; k < n; k++)
            sum -= L[k][j] * step[k];
        step[j] = sum / L[j][j];
    }
    return true;
}

/* Down to the nearest pose; theta is where it begins. */
static void reach_by_newton(Search *search, double *theta)
{
    int J = search->arm->settings.n_joints;
    double size = search->reach * search->reach, shift = 1e-2 * size;
    double gradient[MOST], hessian[MOST][MOST], step[MOST], off[3], moved[MOST];
    ArcArmChain chain;
    double value = expand(search, theta, gradient, hessian);
    for (int i = 0; i < MOST_STEPS; i++) {
        double longest = 0;
        bool is_down = newton_step(J, hessian, shift, gradient, step);
        for (int j = 0; is_down && j < J; j++) {
            moved[j] = theta[j] + step[j];
            longest = fmax(longest, fabs(step[j]));
        }
        if (is_down && longest < 1e-13)
            break;
        if (is_down && longest < 1 && miss(search, moved, off, &chain, NULL) <= value) {
            memcpy(theta, moved, sizeof(double) * (size_t)J);
            value = expand(search, theta, gradient, hessian);
            shift = fmax(shift * 0.1, 1e-13 * size);
        } else {
            shift *= 10;
        }
        if (shift > 1e12 * size)
            break;
    }
    offer(search, theta);
}

/* Start i: near, then all about it, by the golden ratio's multiples in each joint. */
static void start_at(const Search *search, int i, double *theta)
{
    static const double ratios[MOST] = {0.8566748838545029, 0.733891856627126, 0.6287067210378087,
                                        0.5385972572236101}; /* of 1.16730..: x^5 = x + 1 */
    for (int j = 0; j < search->arm->settings.n_joints; j++)
        theta[j] = search->near[j] + 2 * M_PI * remainder(i * ratios[j], 1);
}

int arc_arm_poses(const ArcArm *arm, const double *p, const double *x_m, const double *near,
                  double *theta)
{
    int J = arm->settings.n_joints, d = arm->settings.dimensions;
    Search search = {.arm = arm, .p = p, .near = near, .off = INFINITY};
    double from_base[3] = {0}, start[MOST];
    for (int c = 0; c < d; c++)
        from_base[c] = x_m[c] - p[arm->base + c];
    arc_arm_chain_take(arm, from_base, search.target);
    for (int j = 0; j < J; j++)
        search.reach += fabs(p[arm->length + j]);
    for (int c = 0; c < d; c++)
        search.reach += fabs(p[arm->ball + c]);
    memcpy(search.nearest, near, sizeof(double) * (size_t)J);
    bool plain = is_plain(arm), has_spare = J > d;
    if (plain)
        reach_plainly(&search);
    /* where a closed form falls short, spare joints may help, and else its best is near the best */
    if (search.n == 0 && plain) {
        memcpy(start, search.nearest, sizeof start);
        reach_by_newton(&search, start);
    }
    for (int i = 0; i < MOST_STARTS && search.reach > 0; i++) {
        if ((plain && (search.n > 0 || !has_spare)) || (has_spare && search.n > 0))
            break;
        start_at(&search, i, start);
        reach_by_newton(&search, start);
    }
    for (int i = 0; i < search.n; i++)
        memcpy(theta + i * J, search.poses[i], sizeof(double) * (size_t)J);
    if (search.n == 0)
        memcpy(theta, search.nearest, sizeof(double) * (size_t)J);
    return search.n;
}

/* Columns of a (d of them, of length n) are turned until they stand on each other at right angles;
 * V (d, d) takes the same turns. */
static void orthogonalise(int n, int d, double a[3][MOST], double V[3][3])
{
    for (int sweep = 0; sweep < 30; sweep++) {
        bool is_done = true;
        for (int i = 0; i < d; i++)
            for (int k = i + 1; k < d; k++) {
                double ii = 0, kk = 0, ik = 0;
                for (int j = 0; j < n; j++) {
                    ii += a[i][j] * a[i][j];
                    kk += a[k][j] * a[k][j];
                    ik += a[i][j] * a[k][j];
                }
                if (!(fabs(ik) > 1e-16 * sqrt(ii * kk)))
                    continue;
                is_done = false;
                double zeta = (kk - ii) / (2 * ik);
                double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
                double c = 1 / sqrt(1 + t * t), s = c * t;
                for (int j = 0; j < n; j++) {
                    double x = a[i][j], y = a[k][j];
                    a[i][j] = c * x - s * y;
                    a[k][j] = s * x + c * y;
                }
                for (int j = 0; j < d; j++) {
                    double x = V[i][j], y = V[k][j];
                    V[i][j] = c * x - s * y;
                    V[k][j] = s * x + c * y;
                }
            }
        if (is_done)
            return;
    }
}

void arc_arm_rates_for(const ArcArm *arm, const double *p, const double *theta, const double *v_m_s,
                       double *omega, double *missing_m_s)
{
    int J = arm->settings.n_joints, d = arm->settings.dimensions;
    static const double at_rest[MOST] = {0};
    double rows[3][MOST] = {{0}}, V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, size[3], most = 0;
    ArcArmPoint ball;
    arc_arm_point(arm, ARC_ARM_BALL, p, theta, at_rest, &ball);
    for (int c = 0; c < d; c++)
        memcpy(rows[c], ball.x_theta[c], sizeof(double) * (size_t)J);
    orthogonalise(J, d, rows, V);
    for (int i = 0; i < d; i++) {
        size[i] = 0;
        for (int j = 0; j < J; j++)
            size[i] += rows[i][j] * rows[i][j];
        most = fmax(most, size[i]);
    }
    memset(omega, 0, sizeof(double) * (size_t)J);
    for (int i = 0; i < d; i++) {
        double share = 0;
        for (int c = 0; c < d; c++)
            share += V[i][c] * v_m_s[c];
        for (int j = 0; size[i] > no_rank * no_rank * most && j < J; j++)
            omega[j] += rows[i][j] * share / size[i];
    }
    for (int c = 0; missing_m_s != NULL && c < d; c++) {
        missing_m_s[c] = v_m_s[c];
        for (int j = 0; j < J; j++)
            missing_m_s[c] -= ball.x_theta[c][j] * omega[j];
    }
}
