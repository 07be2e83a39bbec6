/* What an arm adds to a problem: the release that follows from it, and its readings.
 *
 * x0 = ball(p, theta), v0 = d ball / d theta omega (arm.h), with theta and omega among the arm's
 * parameters: the release has no unknowns of its own then, so that both methods are tied exactly.
 */
#include "fit/problem.h"

#include <math.h>
#include <string.h>

static void point_of(const ArcProblem *problem, const double *values, ArcArmPoint *point)
{
    const double *p = values + problem->arm_index;
    arc_arm_point(&problem->arm, ARC_ARM_BALL, p, p + problem->arm.theta, p + problem->arm.omega,
                  point);
}

void arc_problem_tie(const ArcProblem *problem, double *values)
{
    ArcArmPoint point;
    int d = problem->d;
    double *release = values + problem->t0_index + 1;
    if (!problem->has_arm)
        return;
    point_of(problem, values, &point);
    memcpy(release, point.x_m, sizeof(double) * (size_t)d);
    memcpy(release + d, point.v_m_s, sizeof(double) * (size_t)d);
}

void arc_problem_tie_partials(const ArcProblem *problem, const double *values, double *R)
{
    const ArcArm *arm = &problem->arm;
    ArcArmPoint point;
    int d = problem->d, A = arm->n_parameters, J = arm->settings.n_joints;
    point_of(problem, values, &point);
    memset(R, 0, sizeof(double) * (size_t)(2 * d * A));
    for (int c = 0; c < d; c++) {
        double *of_x = R + c * A, *of_v = R + (d + c) * A;
        memcpy(of_x, point.x_p[c], sizeof(double) * (size_t)arm->n_geometry);
        memcpy(of_v, point.v_p[c], sizeof(double) * (size_t)arm->n_geometry);
        for (int j = 0; j < J; j++) {
            of_x[arm->theta + j] = point.x_theta[c][j];
            of_v[arm->theta + j] = point.v_theta[c][j];
            of_v[arm->omega + j] = point.x_theta[c][j];
        }
    }
}

static double value_at(const ArcProblem *problem, const double *u, int parameter)
{
    int k = problem->free_index[parameter];
    return k >= 0 ? u[k] : problem->start[parameter];
}

void arc_problem_read(const ArcProblem *problem, const double *u, double *r, double *J, size_t ld)
{
    for (int i = 0; i < problem->n_readings; i++) {
        const ArcProblemReading *reading = &problem->readings[i];
        double value = value_at(problem, u, reading->parameter);
        double gain = reading->gain < 0 ? 1.0 : value_at(problem, u, reading->gain);
        double offset = reading->offset < 0 ? 0.0 : value_at(problem, u, reading->offset);
        double off = gain * value + offset - reading->value;
        r[i] = (reading->is_angle ? remainder(off, 2.0 * M_PI) : off) / reading->sd;
        const struct {
            int parameter;
            double slope;
        } parts[] = {{reading->parameter, gain}, {reading->gain, value}, {reading->offset, 1.0}};
        for (int part = 0; J != NULL && part < 3; part++) {
            int of = parts[part].parameter, k = of < 0 ? -1 : problem->free_index[of];
            if (k >= 0)
                J[(size_t)i + (size_t)k * ld] = parts[part].slope / reading->sd;
        }
    }
}

void arc_problem_tie_free(const ArcProblem *problem, const double *values, double *tie)
{
    double R[6 * ARC_ARM_MAX_PARAMETERS];
    int A = problem->arm.n_parameters, n = problem->n_free;
    arc_problem_tie_partials(problem, values, R);
    for (int row = 0; row < 2 * problem->d; row++)
        for (int k = 0; k < n; k++) {
            int i = problem->free_parameter[k] - problem->arm_index;
            tie[row * n + k] = i >= 0 && i < A ? R[row * A + i] : 0.0;
        }
}

/* Whether the joint's encoder reads a turn as a turn. */
static bool is_gain_one(const ArcProblem *problem, int joint)
{
    int gain = problem->arm_index + problem->arm.gain + joint;
    return problem->arm.gain < 0 || (problem->free_index[gain] < 0 && problem->start[gain] == 1.0);
}

bool arc_problem_turn_joints(const ArcProblem *problem, double *u)
{
    bool changed = false;
    int first = problem->arm_index + problem->arm.theta;
    for (int j = 0; j < problem->arm.settings.n_joints; j++) {
        int k = problem->free_index[first + j];
        double turns = k < 0 ? 0.0 : round((problem->start[first + j] - u[k]) / (2.0 * M_PI));
        /* An encoder whose gain is not 1 tells the turns apart. */
        bool is_open = k >= 0 && !problem->parameters[first + j].has_prior;
        bool is_read = problem->swing != NULL; /* which may have the encoder's angles */
        for (int i = 0; i < problem->n_readings; i++)
            is_read = is_read || problem->readings[i].parameter == first + j;
        is_open = is_open && (!is_read || is_gain_one(problem, j));
        double turned = k < 0 ? 0.0 : u[k] + 2.0 * M_PI * turns;
        if (!is_open || turns == 0.0 || turned < problem->low[k] || turned > problem->high[k])
            continue;
        u[k] = turned;
        changed = true;
    }
    return changed;
}
