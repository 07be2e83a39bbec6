/* Torques of a planned and of a driven swing, their peak and its gradient. */
#include "aim/torques.h"

#include "aim/driven.h"
#include "aim/shot.h"
#include "physics/torque.h"

#include <math.h>
#include <string.h>

enum { J_MAX = ARC_ARM_MAX_JOINTS, GRID = ARC_TORQUES_MOST_TIMES, NARROWINGS = 32 };

struct ArcTorques {
    ArcArm arm; /* with a span */
    double time_s;
    bool has_from;
    double from_rad[J_MAX];
    ArcDriven *driven; /* NULL: a planned swing */
    /* The last release of a driven one: of these parameters, by these. */
    bool is_known, has_partials;
    double known_p[ARC_ARM_MAX_PARAMETERS];
    double release[2 * J_MAX];
    double *release_p; /* (2 J, A) */
    /* The grid of the last look for a peak. */
    double *torque; /* (GRID, J) */
};

static int first_of_arm(const ArcExperiment *experiment)
{
    return experiment->flight.n_parameters + 1 + 2 * experiment->flight.settings.dimensions;
}

/* Whether aim looks for any of the arm's parameters from begin to end. */
static bool is_any_unknown(const ArcExperiment *experiment, int begin, int end)
{
    bool is_any = false;
    for (int k = begin; k < end; k++)
        is_any = is_any || experiment->aim.unknown[first_of_arm(experiment) + k];
    return is_any;
}

bool arc_torques_is_driven(const ArcExperiment *experiment)
{
    const ArcArm *arm = &experiment->arm;
    if (!experiment->has_arm || !arm->settings.has_swing || !experiment->aim.swing.is_on)
        return false;
    if (is_any_unknown(experiment, arm->torque[0], arm->theta))
        return true;
    bool is_given = false;
    for (int k = arm->torque[0]; k < arm->theta; k++)
        is_given = is_given || experiment->parameters[first_of_arm(experiment) + k].has_start;
    return is_given && !is_any_unknown(experiment, arm->theta, arm->n_parameters);
}

static bool is_capture_swing(const ArcExperiment *experiment)
{
    bool is_any = experiment->capture.swing.file != NULL;
    for (int i = 0; i < experiment->n_captures; i++)
        is_any = is_any || experiment->captures[i].swing.file != NULL;
    return is_any;
}

/* Why the swing cannot be had; NULL: it can. */
static const char *fault_of(const ArcExperiment *experiment)
{
    const ArcArm *arm = &experiment->arm;
    const ArcAimSwing *swing = &experiment->aim.swing;
    if (!experiment->has_arm || !arm->settings.has_swing)
        return "aim.swing is of an arm; give release: arm and arm, or leave it out";
    if (!(swing->time_s > 0.0 && isfinite(swing->time_s)))
        return "a swing takes time; give aim.swing.time";
    for (int j = 0; j < arm->settings.n_joints; j++)
        if (swing->from_rad[j] > arm->settings.joints[j].high_rad ||
            swing->from_rad[j] < arm->settings.joints[j].low_rad)
            return "aim.swing.from is beyond the joints' limits; give angles within them";
    if (!arc_torques_is_driven(experiment))
        return NULL;
    if (is_any_unknown(experiment, arm->theta, arm->n_parameters))
        return "angles and rates of the release follow from the torques; leave either out of "
               "aim.unknowns";
    for (int j = 0; j < arm->settings.n_joints; j++)
        if (!isfinite(swing->from_rad[j]))
            return "torques drive the arm from where it rests; give aim.swing.from";
    if (isnan(arm->settings.begin_s) && is_capture_swing(experiment))
        return "the torque curves' span is that of a capture, which aim does not read; give "
               "arm.span";
    return NULL;
}

/* Curves without a span run over the swing. */
static void settle_span(ArcTorques *torques)
{
    ArcArmSettings *settings = &torques->arm.settings;
    if (!isnan(settings->begin_s))
        return;
    settings->begin_s = 0.0;
    settings->end_s = torques->time_s;
}

ArcStatus arc_torques_create(const ArcExperiment *experiment, ArcArena *arena, ArcTorques **result,
                             ArcError *err)
{
    const ArcAimSwing *swing = &experiment->aim.swing;
    if (!swing->is_on) {
        *result = NULL;
        return ARC_OK;
    }
    const char *fault = fault_of(experiment);
    if (fault != NULL)
        return arc_error_set_at(err, ARC_INPUT, arc_shot_place(experiment), "%s", fault);
    ArcTorques *torques = ARC_ALLOC(arena, 1, ArcTorques);
    if (torques == NULL)
        return arc_error_no_memory(err);
    int J = experiment->arm.settings.n_joints, A = experiment->arm.n_parameters;
    torques->arm = experiment->arm;
    torques->time_s = swing->time_s;
    torques->has_from = isfinite(swing->from_rad[0]);
    for (int j = 0; j < J; j++)
        torques->from_rad[j] = torques->has_from ? swing->from_rad[j] : 0.0;
    settle_span(torques);
    torques->torque = ARC_ALLOC(arena, (size_t)(GRID * J), double);
    torques->release_p = ARC_ALLOC(arena, (size_t)(2 * J * A), double);
    if (torques->torque == NULL || torques->release_p == NULL)
        return arc_error_no_memory(err);
    *result = torques;
    return arc_torques_is_driven(experiment) ? arc_driven_create(&torques->arm, torques->from_rad,
                                                                 GRID, arena, &torques->driven, err)
                                             : ARC_OK;
}

/* theta and omega behind the others follow, so that they tell nothing of what is known. */
static bool is_known(const ArcTorques *torques, const double *p, bool partials)
{
    size_t size = sizeof(double) * (size_t)torques->arm.theta;
    return torques->is_known && (torques->has_partials || !partials) &&
           memcmp(torques->known_p, p, size) == 0;
}

static bool find_release(ArcTorques *torques, const double *p, bool partials)
{
    ArcDriven *driven = torques->driven;
    int J = torques->arm.settings.n_joints, A = torques->arm.n_parameters;
    if (is_known(torques, p, partials))
        return true;
    torques->is_known = arc_driven_run(driven, p, 1, &torques->time_s, partials);
    if (!torques->is_known)
        return false;
    torques->has_partials = partials;
    memcpy(torques->known_p, p, sizeof(double) * (size_t)torques->arm.theta);
    memcpy(torques->release, driven->theta_rad, sizeof(double) * (size_t)J);
    memcpy(torques->release + J, driven->omega_rad_s, sizeof(double) * (size_t)J);
    memset(torques->release_p, 0, sizeof(double) * (size_t)(2 * J * A));
    for (int j = 0; partials && j < J; j++) {
        arc_driven_add(driven, 1.0, driven->theta_q + j * driven->Q, torques->release_p + j * A);
        arc_driven_add(driven, 1.0, driven->omega_q + j * driven->Q,
                       torques->release_p + (J + j) * A);
    }
    return true;
}

bool arc_torques_release(ArcTorques *torques, double *p, double *release_p)
{
    const ArcArm *arm = &torques->arm;
    int J = arm->settings.n_joints;
    if (torques->driven == NULL)
        return true;
    if (!find_release(torques, p, release_p != NULL))
        return false;
    memcpy(p + arm->theta, torques->release, sizeof(double) * (size_t)J);
    memcpy(p + arm->omega, torques->release + J, sizeof(double) * (size_t)J);
    if (release_p != NULL)
        memcpy(release_p, torques->release_p, sizeof(double) * (size_t)(2 * J * arm->n_parameters));
    return true;
}

/* A planned motion is linear in theta and omega T: these are the weights of both, and the weights'
 * derivatives by u. */
typedef struct Weights {
    double of_theta[3], of_omega[3];
} Weights;

static Weights weights_at(const ArcTorques *torques, double u)
{
    if (!torques->has_from)
        return (Weights){{1.0, 0.0, 0.0}, {-0.5 * (1.0 - u * u), u, 1.0}};
    return (Weights){{u * u * (3.0 - 2.0 * u), 6.0 * u * (1.0 - u), 6.0 - 12.0 * u},
                     {u * u * (u - 1.0), u * (3.0 * u - 2.0), 6.0 * u - 2.0}};
}

/* Angles, rates and accelerations, state (3, J_MAX). */
static void planned_state(const ArcTorques *torques, const double *p, const Weights *weights,
                          double state[3][J_MAX])
{
    const ArcArm *arm = &torques->arm;
    double T = torques->time_s, per = 1.0;
    for (int order = 0; order < 3; order++, per /= T)
        for (int j = 0; j < arm->settings.n_joints; j++) {
            double from = torques->from_rad[j], way = p[arm->theta + j] - from;
            state[order][j] = (order == 0 ? from : 0.0) +
                              per * (weights->of_theta[order] * way +
                                     weights->of_omega[order] * T * p[arm->omega + j]);
        }
}

/* Torques (J) at s of a planned swing; by_p (J, A), NULL: not wanted. */
static void planned_torques(const ArcTorques *torques, const double *p, double s, double *torque,
                            double *by_p)
{
    const ArcArm *arm = &torques->arm;
    int J = arm->settings.n_joints, A = arm->n_parameters;
    double T = torques->time_s, state[3][J_MAX];
    const Weights w = weights_at(torques, s / T);
    ArcArmDemand demand;
    planned_state(torques, p, &w, state);
    if (by_p == NULL) {
        arc_arm_inverse_dynamics(arm, state[0], state[1], state[2], p, torque);
        return;
    }
    arc_arm_demand(arm, state[0], state[1], state[2], p, &demand);
    memcpy(torque, demand.torque_n_m, sizeof(double) * (size_t)J);
    memcpy(by_p, demand.by_p, sizeof(double) * (size_t)(J * A));
    for (int j = 0; j < J; j++)
        for (int k = 0; k < J; k++) {
            const double by[3] = {demand.by_theta[j * J + k], demand.by_omega[j * J + k] / T,
                                  demand.by_acceleration[j * J + k] / (T * T)};
            by_p[j * A + arm->theta + k] =
                by[0] * w.of_theta[0] + by[1] * w.of_theta[1] + by[2] * w.of_theta[2];
            by_p[j * A + arm->omega + k] =
                T * (by[0] * w.of_omega[0] + by[1] * w.of_omega[1] + by[2] * w.of_omega[2]);
        }
}

/* The same of the i-th state of the last run of a driven one, at s. */
static void driven_torques(const ArcTorques *torques, const double *p, double s, int i,
                           double *torque, double *by_p)
{
    const ArcArm *arm = &torques->arm;
    const ArcDriven *driven = torques->driven;
    int J = arm->settings.n_joints, A = arm->n_parameters;
    if (by_p != NULL)
        memset(by_p, 0, sizeof(double) * (size_t)(J * A));
    for (int j = 0; j < J; j++) {
        ArcTorque motor;
        int row = i * J + j;
        arc_torque_motor(arm, j, arm->settings.begin_s + s, driven->omega_rad_s[row], p, &motor);
        torque[j] = motor.value;
        if (by_p == NULL)
            continue;
        for (int k = 0; k < arm->settings.joints[j].n_torques; k++)
            by_p[j * A + arm->torque[j] + k] = motor.by[k];
        arc_driven_add(driven, motor.by_omega, driven->omega_q + row * driven->Q, by_p + j * A);
    }
}

static double time_of(const ArcTorques *torques, int n, int i)
{
    return i == n - 1 ? torques->time_s : torques->time_s * i / (n - 1);
}

bool arc_torques_at(ArcTorques *torques, const double *p, int n, double *torque_n_m, double *by_p)
{
    int J = torques->arm.settings.n_joints, A = torques->arm.n_parameters;
    double s[GRID];
    if (n < 2 || n > GRID)
        return false;
    for (int i = 0; i < n; i++)
        s[i] = time_of(torques, n, i);
    if (torques->driven != NULL && !arc_driven_run(torques->driven, p, n, s, by_p != NULL))
        return false;
    for (int i = 0; i < n; i++) {
        double *by = by_p != NULL ? by_p + (size_t)(i * J) * (size_t)A : NULL;
        if (torques->driven != NULL)
            driven_torques(torques, p, s[i], i, torque_n_m + i * J, by);
        else
            planned_torques(torques, p, s[i], torque_n_m + i * J, by);
    }
    return true;
}

/* |tau_j| between the grid's times. A driven joint's rate is the cubic through rates and
 * accelerations of the two grid times around s: it only says where the peak is. */
static double size_at(const ArcTorques *torques, const double *p, int j, double s)
{
    const ArcDriven *driven = torques->driven;
    int J = torques->arm.settings.n_joints;
    double torque[J_MAX];
    ArcTorque motor;
    if (driven == NULL) {
        planned_torques(torques, p, s, torque, NULL);
        return fabs(torque[j]);
    }
    double h = torques->time_s / (GRID - 1);
    int i = (int)fmin(fmax(floor(s / h), 0.0), GRID - 2.0), a = i * J + j, b = a + J;
    double u = s / h - i, v = 1.0 - u;
    double rate = driven->omega_rad_s[a] * v * v * (1.0 + 2.0 * u) +
                  driven->omega_rad_s[b] * u * u * (3.0 - 2.0 * u) +
                  h * u * v * (driven->alpha_rad_s2[a] * v - driven->alpha_rad_s2[b] * u);
    arc_torque_motor(&torques->arm, j, torques->arm.settings.begin_s + s, rate, p, &motor);
    return fabs(motor.value);
}

/* The largest |tau_j| near the i-th time of the grid, by the golden section; where it is. */
static double narrow(const ArcTorques *torques, const double *p, int j, int i, double *size)
{
    static const double golden = 0.61803398874989485;
    double low = time_of(torques, GRID, i > 0 ? i - 1 : 0);
    double high = time_of(torques, GRID, i < GRID - 1 ? i + 1 : GRID - 1);
    const double ends[2] = {low, high};
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = size_at(torques, p, j, a), at_b = size_at(torques, p, j, b);
    for (int k = 0; k < NARROWINGS; k++) {
        if (at_a >= at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - golden * (high - low);
            at_a = size_at(torques, p, j, a);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + golden * (high - low);
            at_b = size_at(torques, p, j, b);
        }
    }
    double best = 0.5 * (low + high);
    *size = size_at(torques, p, j, best);
    for (int k = 0; k < 2; k++) {
        double there = size_at(torques, p, j, ends[k]);
        if (there >= *size) {
            best = ends[k];
            *size = there;
        }
    }
    return best;
}

/* Whether the grid has a local maximum of |tau_j| at its i-th time; of a level stretch the first.
 */
static bool is_top(const double *torque, int J, int j, int i)
{
    double here = fabs(torque[i * J + j]);
    return (i == 0 || here > fabs(torque[(i - 1) * J + j])) &&
           (i == GRID - 1 || here >= fabs(torque[(i + 1) * J + j]));
}

/* Torques at one time. */
static bool torques_once(ArcTorques *torques, const double *p, double s, double *torque,
                         double *by_p)
{
    if (torques->driven == NULL) {
        planned_torques(torques, p, s, torque, by_p);
        return true;
    }
    if (!arc_driven_run(torques->driven, p, 1, &s, by_p != NULL))
        return false;
    driven_torques(torques, p, s, 0, torque, by_p);
    return true;
}

/* Where the slope of a driven motor's torque is zero, by Newton's steps from near it, the states
 * being the run's own: between the grid's times its rate was only near enough to say about where.
 */
static double polish(const ArcTorques *torques, const double *p, int j, double s)
{
    const ArcArm *arm = &torques->arm;
    const ArcDriven *driven = torques->driven;
    double h = torques->time_s / (GRID - 1), apart = h / 64.0, best = s;
    for (int step = 0; step < 2; step++) {
        const double times[2] = {best, best + apart};
        double slope[2];
        if (best <= 0.0 || times[1] >= torques->time_s ||
            !arc_driven_run(torques->driven, p, 2, times, false))
            break;
        for (int i = 0; i < 2; i++) {
            ArcTorque motor;
            int row = i * arm->settings.n_joints + j;
            arc_torque_motor(arm, j, arm->settings.begin_s + times[i], driven->omega_rad_s[row], p,
                             &motor);
            slope[i] = motor.by_t + motor.by_omega * driven->alpha_rad_s2[row];
            slope[i] *= motor.value < 0.0 ? -1.0 : 1.0;
        }
        double move = -slope[0] * apart / (slope[1] - slope[0]);
        if (!(slope[1] < slope[0] && fabs(move) < h))
            break;
        best = fmin(fmax(best + move, 0.0), torques->time_s);
    }
    return best;
}

bool arc_torques_peak(ArcTorques *torques, const double *p, bool partials, ArcTorquesPeak *peak)
{
    int J = torques->arm.settings.n_joints, A = torques->arm.n_parameters;
    double torque[J_MAX], by_p[J_MAX * ARC_ARM_MAX_PARAMETERS], most = -1.0, size;
    ArcTorquesPeak found = {.torque_n_m = NAN};
    if (!arc_torques_at(torques, p, GRID, torques->torque, NULL))
        return false;
    for (int j = 0; j < J; j++)
        for (int i = 0; i < GRID; i++) {
            if (!is_top(torques->torque, J, j, i))
                continue;
            double s = narrow(torques, p, j, i, &size);
            if (size > most) {
                most = size;
                found.joint = j;
                found.time_s = s;
            }
        }
    if (torques->driven != NULL && isfinite(torques->arm.settings.joints[found.joint].stall_n_m))
        found.time_s = polish(torques, p, found.joint, found.time_s);
    if (most < 0.0 || !torques_once(torques, p, found.time_s, torque, partials ? by_p : NULL))
        return false;
    double sign = torque[found.joint] < 0.0 ? -1.0 : 1.0;
    found.torque_n_m = fabs(torque[found.joint]);
    for (int k = 0; partials && k < A; k++)
        found.by[k] = sign * by_p[found.joint * A + k];
    *peak = found;
    return isfinite(peak->torque_n_m);
}

/* A limit of a joint: 0 its high angle, 1 its low one, 2 its rate. */
static double limit_of(const ArcArmJoint *joint, int kind)
{
    return kind == 0 ? joint->high_rad : kind == 1 ? joint->low_rad : joint->rate_limit_rad_s;
}

/* Angle and rate of a joint at the i-th time of the grid, of a driven swing in its last run. */
static void joint_at(const ArcTorques *torques, const double *p, int i, int j, double *angle,
                     double *rate)
{
    int J = torques->arm.settings.n_joints;
    double state[3][J_MAX];
    if (torques->driven != NULL) {
        *angle = torques->driven->theta_rad[i * J + j];
        *rate = torques->driven->omega_rad_s[i * J + j];
        return;
    }
    const Weights weights = weights_at(torques, (double)i / (GRID - 1));
    planned_state(torques, p, &weights, state);
    *angle = state[0][j];
    *rate = state[1][j];
}

/* A row of what limits are over. */
typedef struct Over {
    int joint, kind, time; /* of the grid */
    double sign, value;
} Over;

/* The worst of the grid by each limit. */
static int list_over(const ArcTorques *torques, const double *p, Over *rows)
{
    int n = 0;
    for (int j = 0; j < torques->arm.settings.n_joints; j++)
        for (int kind = 0; kind < 3; kind++) {
            Over worst = {.joint = j, .kind = kind, .value = -INFINITY};
            double limit = limit_of(&torques->arm.settings.joints[j], kind);
            if (isinf(limit))
                continue;
            for (int i = 0; i < GRID; i++) {
                double angle, rate;
                joint_at(torques, p, i, j, &angle, &rate);
                double sign = kind == 0 ? 1.0 : kind == 1 ? -1.0 : rate < 0.0 ? -1.0 : 1.0;
                double over = kind < 2 ? sign * (angle - limit) : sign * rate - limit;
                if (over > worst.value)
                    worst = (Over){j, kind, i, sign, over};
            }
            rows[n++] = worst;
        }
    return n;
}

/* Their partials; a driven swing is run again to the times that count. */
static bool by_limits(ArcTorques *torques, const double *p, int n, const Over *rows, double *by_p)
{
    ArcDriven *driven = torques->driven;
    int J = torques->arm.settings.n_joints, A = torques->arm.n_parameters, n_times = 0;
    int place[GRID] = {0};
    double s[GRID], T = torques->time_s;
    memset(by_p, 0, sizeof(double) * (size_t)(n * A));
    for (int i = 0; i < GRID; i++) {
        bool is_used = false;
        for (int row = 0; row < n; row++)
            is_used = is_used || rows[row].time == i;
        place[i] = n_times;
        if (is_used)
            s[n_times++] = time_of(torques, GRID, i);
    }
    if (driven != NULL && n > 0 && !arc_driven_run(driven, p, n_times, s, true))
        return false;
    for (int row = 0; row < n; row++) {
        const Over *of = &rows[row];
        int order = of->kind == 2 ? 1 : 0;
        double *by = by_p + row * A;
        if (driven != NULL) {
            const double *q = order == 0 ? driven->theta_q : driven->omega_q;
            arc_driven_add(driven, of->sign, q + (place[of->time] * J + of->joint) * driven->Q, by);
            continue;
        }
        const Weights w = weights_at(torques, (double)of->time / (GRID - 1));
        double per = order == 0 ? 1.0 : 1.0 / T;
        by[torques->arm.theta + of->joint] = of->sign * per * w.of_theta[order];
        by[torques->arm.omega + of->joint] = of->sign * per * T * w.of_omega[order];
    }
    return true;
}

int arc_torques_over_limits(ArcTorques *torques, const double *p, double *over, double *by_p)
{
    Over rows[ARC_TORQUES_MOST_LIMITS];
    double s[GRID];
    for (int i = 0; i < GRID; i++)
        s[i] = time_of(torques, GRID, i);
    if (torques->driven != NULL && !arc_driven_run(torques->driven, p, GRID, s, false))
        return -1;
    int n = list_over(torques, p, rows);
    for (int row = 0; row < n; row++)
        over[row] = rows[row].value;
    return by_p == NULL || by_limits(torques, p, n, rows, by_p) ? n : -1;
}

/* With tau(a) the torques of the pose at rest under accelerations a, M omega = tau(omega) - tau(0):
 * twice the energy is omega . M omega. */
double arc_torques_energy(const ArcTorques *torques, const double *p, double *by)
{
    const ArcArm *arm = &torques->arm;
    int J = arm->settings.n_joints, A = arm->n_parameters;
    const double *theta = p + arm->theta, *omega = p + arm->omega;
    const double still[J_MAX] = {0};
    ArcArmDemand moved, rests;
    double energy = 0.0;
    arc_arm_demand(arm, theta, still, omega, p, &moved);
    arc_arm_demand(arm, theta, still, still, p, &rests);
    if (by != NULL)
        memset(by, 0, sizeof(double) * (size_t)A);
    for (int j = 0; j < J; j++) {
        double momentum = moved.torque_n_m[j] - rests.torque_n_m[j], half = 0.5 * omega[j];
        energy += half * momentum;
        if (by == NULL)
            continue;
        for (int k = 0; k < A; k++)
            by[k] += half * (moved.by_p[j * A + k] - rests.by_p[j * A + k]);
        for (int k = 0; k < J; k++)
            by[arm->theta + k] += half * (moved.by_theta[j * J + k] - rests.by_theta[j * J + k]);
        by[arm->omega + j] += momentum;
    }
    return energy;
}
