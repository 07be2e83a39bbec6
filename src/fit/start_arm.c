/* Where the joints begin: poses that put the ball where the flight begins, each with the rates that
 * give its velocity.
 *
 * The order is that of arm_fit.h as far as it can be told before a fit: within the limits, nearer
 * to what is known of the angles, with less yaw and roll, bent further down. Poses beyond the
 * limits are no starts while there are others, and neither are those that readings of the angles
 * speak against by far.
 */
#include "fit/arm_problem.h"

#include <math.h>
#include <string.h>

enum { T0_STEPS = 200, T0_ROUNDS = 3 };
static const double limit_slack = 0.05;   /* rad: a start may be off by that */
static const double rate_slack = 0.1;     /* of the limit */
static const double same_pose = 1e-6;     /* rad */
static const double same_square = 1e-4;   /* rad^2, of what poses are ordered by */
static const double stretched_bend = 0.1; /* rad, of a last joint whose arm does not reach */

typedef struct Pose {
    double theta[ARC_ARM_MAX_JOINTS], omega[ARC_ARM_MAX_JOINTS];
    bool is_within;
    double away, turned; /* squared, from what is known; of yaw and roll joints */
    double bent;         /* the last joint's angle, within half a turn */
    double chi2;         /* of readings of the angles */
} Pose;

/* What is known of the joints before the fit. */
typedef struct Known {
    const ArcProblem *problem;
    int J;
    double near[ARC_ARM_MAX_JOINTS];
    bool is_known[ARC_ARM_MAX_JOINTS];
    bool are_all_known;
} Known;

static const ArcParameter *theta_of(const ArcProblem *problem, int j)
{
    return &problem->parameters[problem->arm_index + problem->arm.theta + j];
}

static const ArcParameter *omega_of(const ArcProblem *problem, int j)
{
    return &problem->parameters[problem->arm_index + problem->arm.omega + j];
}

/* Whether the experiment says where it begins. */
static bool is_given(const ArcParameter *parameter)
{
    return parameter->has_start || !parameter->is_free;
}

static double wrapped(double angle)
{
    return remainder(angle, 2.0 * M_PI);
}

double arc_arm_apart(const ArcProblem *problem, const double *one, const double *other)
{
    double most = 0.0;
    for (int j = 0; j < problem->arm.settings.n_joints; j++)
        most = fmax(most, fabs(wrapped(one[j] - other[j])));
    return most;
}

static bool is_within(const ArcProblem *problem, const double *theta, const double *omega,
                      double slack, double share)
{
    bool within = true;
    for (int j = 0; j < problem->arm.settings.n_joints; j++) {
        double rate = problem->arm.settings.joints[j].rate_limit_rad_s;
        within = within && theta[j] >= theta_of(problem, j)->low - slack &&
                 theta[j] <= theta_of(problem, j)->high + slack &&
                 fabs(omega[j]) <= rate * (1.0 + share);
    }
    return within;
}

bool arc_arm_is_within(const ArcProblem *problem, const double *theta, const double *omega)
{
    return is_within(problem, theta, omega, 0.0, 0.0);
}

bool arc_arm_may_begin(const ArcProblem *problem, const double *theta, const double *omega)
{
    return is_within(problem, theta, omega, limit_slack, rate_slack);
}

static void gather_known(const ArcProblem *problem, Known *known)
{
    *known =
        (Known){.problem = problem, .J = problem->arm.settings.n_joints, .are_all_known = true};
    for (int j = 0; j < known->J; j++) {
        const ArcParameter *theta = theta_of(problem, j);
        int i = problem->arm_index + problem->arm.theta + j;
        const ArcProblemReading *reading = arc_problem_reading(problem, i);
        const ArcArmJoint *joint = &problem->arm.settings.joints[j];
        known->is_known[j] = is_given(theta) || reading != NULL;
        known->are_all_known = known->are_all_known && known->is_known[j];
        if (is_given(theta))
            known->near[j] = theta->start;
        else if (reading != NULL)
            known->near[j] = arc_problem_reading_start(problem, reading);
        else if (isfinite(joint->low_rad) && isfinite(joint->high_rad))
            known->near[j] = 0.5 * (joint->low_rad + joint->high_rad);
    }
}

/* The turn of an angle that lies within the bounds, where there is one. */
static double turned_within(const ArcParameter *theta, double angle)
{
    double turn = 2.0 * M_PI;
    if (angle < theta->low && angle + turn <= theta->high)
        return angle + turn;
    return angle > theta->high && angle - turn >= theta->low ? angle - turn : angle;
}

/* What poses are ordered by, of one whose angles and rates are set. */
static void pose_mark(const Known *known, Pose *pose)
{
    const ArcProblem *problem = known->problem;
    pose->away = pose->turned = 0.0;
    for (int j = 0; j < known->J; j++) {
        double off = wrapped(pose->theta[j] - known->near[j]), angle = wrapped(pose->theta[j]);
        bool is_pitch = problem->arm.settings.joints[j].axis == ARC_JOINT_PITCH;
        pose->away += known->is_known[j] ? off * off : 0.0;
        pose->turned += is_pitch ? 0.0 : angle * angle;
    }
    pose->bent = wrapped(pose->theta[known->J - 1]);
}

double arc_arm_against(const ArcProblem *problem, const double *theta)
{
    double chi2 = 0.0;
    for (int i = 0; i < problem->n_readings; i++) {
        const ArcProblemReading *reading = &problem->readings[i];
        int j = reading->parameter - (problem->arm_index + problem->arm.theta);
        if (j < 0 || j >= problem->arm.settings.n_joints)
            continue;
        double gain = reading->gain < 0 ? 1.0 : problem->start[reading->gain];
        double off = wrapped(gain * (theta[j] - arc_problem_reading_start(problem, reading)));
        chi2 += off * off / (reading->sd * reading->sd);
    }
    return chi2;
}

/* Rates and marks of a pose whose angles are set. */
static void pose_judge(const Known *known, const double *v, Pose *pose)
{
    const ArcProblem *problem = known->problem;
    for (int j = 0; j < known->J; j++)
        pose->theta[j] = theta_of(problem, j)->is_free
                             ? turned_within(theta_of(problem, j), pose->theta[j])
                             : theta_of(problem, j)->start;
    arc_arm_rates_for(&problem->arm, problem->start + problem->arm_index, pose->theta, v,
                      pose->omega, NULL);
    for (int j = 0; j < known->J; j++)
        if (is_given(omega_of(problem, j)))
            pose->omega[j] = omega_of(problem, j)->start;
    pose_mark(known, pose);
    pose->chi2 = arc_arm_against(problem, pose->theta);
    pose->is_within = arc_arm_may_begin(problem, pose->theta, pose->omega);
}

static bool is_before(const Pose *a, const Pose *b)
{
    if (a->is_within != b->is_within)
        return a->is_within;
    if (fabs(a->away - b->away) > same_square)
        return a->away < b->away;
    if (fabs(a->turned - b->turned) > same_square)
        return a->turned < b->turned;
    return a->bent < b->bent;
}

bool arc_arm_prefers(const ArcProblem *problem, const double *values, const double *others)
{
    Known known;
    Pose poses[2] = {0};
    const double *const both[] = {values, others};
    gather_known(problem, &known);
    for (int i = 0; i < 2; i++) {
        const double *p = both[i] + problem->arm_index;
        memcpy(poses[i].theta, p + problem->arm.theta, sizeof(double) * (size_t)known.J);
        memcpy(poses[i].omega, p + problem->arm.omega, sizeof(double) * (size_t)known.J);
        poses[i].is_within = arc_arm_is_within(problem, poses[i].theta, poses[i].omega);
        pose_mark(&known, &poses[i]);
    }
    return is_before(&poses[0], &poses[1]);
}

/* Angles of all poses that put the ball at x; where none does, of what comes near. */
static int list_angles(const Known *known, const double *x, Pose *poses)
{
    const ArcProblem *problem = known->problem;
    double theta[ARC_ARM_MAX_POSES * ARC_ARM_MAX_JOINTS];
    size_t J = (size_t)known->J;
    int n =
        arc_arm_poses(&problem->arm, problem->start + problem->arm_index, x, known->near, theta);
    for (int i = 0; i < n; i++)
        memcpy(poses[i].theta, theta + (size_t)i * J, sizeof(double) * J);
    if (n > 0)
        return n;
    if (known->are_all_known) {
        memcpy(poses[0].theta, known->near, sizeof(double) * J);
        return 1;
    }
    /* Stretched out no rate moves the ball along the arm: a little bent it can be fitted. */
    for (int i = 0; i < 2; i++) {
        memcpy(poses[i].theta, theta, sizeof(double) * J);
        poses[i].theta[J - 1] += i == 0 ? -stretched_bend : stretched_bend;
    }
    return 2;
}

/* Keeps those that are worth a fit, in order; returns how many. */
static int choose(const Known *known, int n, Pose *poses)
{
    double least = INFINITY;
    int kept = 0;
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && is_before(&poses[k], &poses[k - 1]); k--) {
            Pose swap = poses[k];
            poses[k] = poses[k - 1];
            poses[k - 1] = swap;
        }
    /* Beyond the limits readings may be met better, but there is no start. */
    bool any_within = poses[0].is_within;
    for (int i = 0; i < n; i++)
        least = poses[i].is_within || !any_within ? fmin(least, poses[i].chi2) : least;
    for (int i = 0; i < n; i++) {
        bool is_new = true;
        for (int k = 0; k < kept; k++)
            is_new =
                is_new && arc_arm_apart(known->problem, poses[i].theta, poses[k].theta) > same_pose;
        if (is_new && poses[i].chi2 <= least + ARC_ARM_AGAINST &&
            (poses[i].is_within || !any_within))
            poses[kept++] = poses[i];
    }
    return kept;
}

/* How far the ball of the pose that is known lies from the flight so long before its first point,
 * squared. */
static double miss_at(const ArcProblem *problem, const ArcArmPoint *ball, double before_s)
{
    const double *x = problem->start + problem->t0_index + 1, *v = x + problem->d;
    double sum = 0.0;
    for (int c = 0; c < problem->d; c++) {
        double fall = 0.5 * problem->start_acceleration[c] * before_s;
        double off = x[c] - before_s * (v[c] - fall) - ball->x_m[c];
        sum += off * off;
    }
    return sum;
}

/* A t0 that nothing tells but the pose: where the flight followed backwards comes nearest to it. */
static void seek_t0(const Known *known, ArcProblem *problem)
{
    int t0 = problem->t0_index, d = problem->d;
    const ArcParameter *parameter = &problem->parameters[t0];
    const double none[ARC_ARM_MAX_JOINTS] = {0};
    if (!parameter->is_free || parameter->has_start || !known->are_all_known ||
        arc_problem_reading(problem, t0) != NULL)
        return;
    ArcArmPoint ball;
    arc_arm_point(&problem->arm, ARC_ARM_BALL, problem->start + problem->arm_index, known->near,
                  none, &ball);
    double span = arc_problem_last_time(problem, problem->start) - problem->start[t0];
    double low = 0.0, high = fmin(span, problem->start[t0] - parameter->low), best = 0.0;
    for (int round = 0; round < T0_ROUNDS && high > low; round++) {
        double step = (high - low) / T0_STEPS;
        for (int i = 0; i <= T0_STEPS; i++)
            if (miss_at(problem, &ball, low + i * step) < miss_at(problem, &ball, best))
                best = low + i * step;
        low = fmax(best - step, low);
        high = fmin(best + step, high);
    }
    double *x = problem->start + t0 + 1, *v = x + d;
    for (int c = 0; c < d; c++) {
        double a = problem->start_acceleration[c];
        x[c] -= best * (v[c] - 0.5 * a * best);
        v[c] -= best * a;
    }
    problem->start[t0] -= best;
}

/* Numbers of a pose: from t0 to the arm's last parameter. */
static size_t pose_size(const ArcProblem *problem)
{
    return (size_t)(problem->arm_index + problem->arm.n_parameters - problem->t0_index);
}

void arc_start_keep(ArcProblem *problem, int pose)
{
    size_t size = pose_size(problem);
    memcpy(problem->poses + (size_t)pose * size, problem->start + problem->t0_index,
           sizeof(double) * size);
}

ArcStatus arc_start_list(ArcProblem *problem, int n, ArcError *err)
{
    problem->poses = ARC_ALLOC(problem->arena, (size_t)n * pose_size(problem), double);
    if (problem->poses == NULL)
        return arc_error_no_memory(err);
    problem->n_poses = n;
    for (int i = 0; i < n; i++)
        arc_start_keep(problem, i);
    return ARC_OK;
}

void arc_start_pose(const ArcProblem *problem, int pose, double *start)
{
    size_t size = pose_size(problem);
    int first = problem->t0_index;
    memcpy(start + first, problem->poses + (size_t)pose * size, sizeof(double) * size);
    for (int i = first; i < first + (int)size; i++) {
        const ArcParameter *parameter = &problem->parameters[i];
        if (parameter->is_free)
            start[i] = fmin(fmax(start[i], parameter->low), parameter->high);
    }
    arc_problem_tie(problem, start);
}

ArcStatus arc_start_arm(ArcProblem *problem, ArcError *err)
{
    Known known;
    Pose poses[ARC_ARM_MAX_POSES] = {0};
    double x[3], v[3];
    size_t d = (size_t)problem->d, J = (size_t)problem->arm.settings.n_joints;
    for (int i = 0; i < problem->arm.n_parameters; i++)
        if (isnan(problem->start[problem->arm_index + i]))
            problem->start[problem->arm_index + i] = problem->arm.parameters[i].value;
    gather_known(problem, &known);
    seek_t0(&known, problem);
    memcpy(x, problem->start + problem->t0_index + 1, sizeof(double) * d);
    memcpy(v, problem->start + problem->t0_index + 1 + d, sizeof(double) * d);
    int n = list_angles(&known, x, poses);
    for (int i = 0; i < n; i++)
        pose_judge(&known, v, &poses[i]);
    n = choose(&known, n, poses);
    /* The first begins where the experiment wants it to. */
    for (size_t j = 0; j < J; j++)
        if (is_given(theta_of(problem, (int)j)))
            poses[0].theta[j] = theta_of(problem, (int)j)->start;
    double *theta = problem->start + problem->arm_index + problem->arm.theta;
    double *omega = problem->start + problem->arm_index + problem->arm.omega;
    ArcStatus status = arc_start_list(problem, n, err);
    for (int i = n - 1; status == ARC_OK && i >= 0; i--) { /* the first stays as the start */
        memcpy(theta, poses[i].theta, sizeof(double) * J);
        memcpy(omega, poses[i].omega, sizeof(double) * J);
        arc_start_keep(problem, i);
    }
    if (status == ARC_OK)
        arc_start_pose(problem, 0, problem->start);
    return status;
}
