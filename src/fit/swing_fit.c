/* What a fit says of the swing: its motion, its torques, and how far the measured numbers are off.
 */
#include "fit/swing_fit.h"

#include "fit/phase.h"
#include "fit/swing.h"

#include <math.h>
#include <string.h>

void arc_swing_in_time(const ArcProblem *swing, int *order)
{
    const ArcObservation *o = swing->observations; /* the latest row first */
    int to = 0;
    for (int end = swing->n_observations, begin; end > 0; end = begin) {
        begin = end - 1;
        while (begin > 0 && o[begin - 1].time == o[end - 1].time)
            begin--;
        for (int i = begin; i < end; i++)
            order[to++] = i;
    }
}

/* The fitted swing where it is looked at. */
typedef struct Look {
    const ArcProblem *swing;
    const double *values;
    ArcTrajectory trajectory; /* by the clock that goes on from t0; zero: it is simulated */
    ArcPhaseRunner *runner;
    ArcArena *arena; /* scratch */
} Look;

/* theta and -omega, and accelerations, at n ascending s; NaN where they cannot be had. */
static ArcStatus look_at(const Look *look, int n, const double *s, double *x, double *v, double *a,
                         ArcError *err)
{
    int J = look->swing->D;
    double t0_s = look->values[look->swing->t0_index];
    double *clock = ARC_ALLOC(look->arena, (size_t)n, double);
    if (clock == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < n; i++)
        clock[i] = t0_s + s[i];
    const ArcSimOutput output = {.x = x, .v = v, .a = a};
    bool known = look->runner != NULL
                     ? arc_phase_run(look->runner, look->values, n, s, &output)
                     : look->trajectory.states(look->trajectory.context, n, clock, x, v, a);
    for (int i = 0; !known && i < n * J; i++)
        x[i] = v[i] = a[i] = NAN;
    return ARC_OK;
}

/* States at equal times from the first row to the release. */
static ArcStatus fill_motion(const ArcFit *fit, const Look *look, ArcSwingFit *made, ArcError *err)
{
    enum { N = ARC_TRAJECTORY_POINTS };
    const ArcProblem *swing = look->swing;
    const double *p = look->values + swing->arm_index;
    size_t J = (size_t)swing->D;
    double *time_s = ARC_ALLOC(fit->arena, N, double);
    double *rows = ARC_ALLOC(fit->arena, 5 * N * J, double);
    double *s = ARC_ALLOC(look->arena, N, double);
    double *x = ARC_ALLOC(look->arena, 3 * N * J, double);
    if (time_s == NULL || rows == NULL || s == NULL || x == NULL)
        return arc_error_no_memory(err);
    double *theta = rows, *omega = theta + N * J, *a = omega + N * J, *motor = a + N * J;
    double *friction = motor + N * J, *v = x + N * J, *bent = v + N * J;
    double t0_s = look->values[swing->t0_index], span_s = t0_s - swing->time_s[swing->n_times - 1];
    for (int i = 0; i < N; i++)
        s[i] = span_s * i / (N - 1);
    ArcStatus status = look_at(look, N, s, x, v, bent, err);
    for (size_t i = 0; status == ARC_OK && i < N; i++) {
        size_t from = (N - 1 - i) * J, to = i * J;
        time_s[i] = t0_s - s[N - 1 - i];
        for (size_t j = 0; j < J; j++) {
            theta[to + j] = x[from + j];
            omega[to + j] = -v[from + j];
            a[to + j] = bent[from + j];
        }
        arc_arm_torques(&swing->arm, time_s[i], omega + to, p, motor + to, friction + to);
    }
    made->n_times = N;
    made->n_joints = (int)J;
    made->time_s = time_s;
    made->theta_rad = theta;
    made->omega_rad_s = omega;
    made->acceleration_rad_s2 = a;
    made->motor_n_m = motor;
    made->friction_n_m = friction;
    return status;
}

/* The part that a number belongs to, made where it is the first. */
static ArcSwingPart *part_of(ArcSwingPart *parts, int *n, const ArcSwingNumber *number)
{
    for (int i = 0; i < *n; i++)
        if (parts[i].kind == number->kind && parts[i].index == number->index)
            return &parts[i];
    parts[*n] = (ArcSwingPart){.kind = number->kind, .index = number->index};
    return &parts[(*n)++];
}

static void add_parts(ArcSwingFit *made, ArcSwingPart *parts)
{
    for (int i = 0; i < made->numbers; i++) {
        double off = made->fitted[i] - made->measured[i].value,
               in_sd = off / made->measured[i].sigma;
        ArcSwingPart *part = part_of(parts, &made->n_parts, &made->measured[i]);
        part->numbers++;
        part->rms += off * off;
        part->chi2 += in_sd * in_sd;
        made->chi2 += in_sd * in_sd;
    }
    for (int i = 0; i < made->n_parts; i++)
        parts[i].rms = sqrt(parts[i].rms / parts[i].numbers);
    made->parts = parts;
}

/* The measured numbers in the order of their times, beside what is fitted. */
static ArcStatus fill_numbers(const ArcFit *fit, const Look *look, ArcSwingFit *made, ArcError *err)
{
    const ArcProblem *swing = look->swing;
    const ArcSwingNumber *numbers = arc_swing_numbers(swing);
    size_t n = (size_t)swing->n_observations, rows = (size_t)swing->n_times, J = (size_t)swing->D;
    ArcSwingNumber *measured = ARC_ALLOC(fit->arena, n, ArcSwingNumber);
    ArcSwingPart *parts = ARC_ALLOC(fit->arena, n, ArcSwingPart);
    double *fitted = ARC_ALLOC(fit->arena, 2 * n, double), *time_s = fitted + n;
    double *s = ARC_ALLOC(look->arena, rows, double);
    double *x = ARC_ALLOC(look->arena, 3 * rows * J, double);
    int *order = ARC_ALLOC(look->arena, n, int);
    ArcSight *sight = NULL;
    if (measured == NULL || parts == NULL || fitted == NULL || s == NULL || x == NULL ||
        order == NULL)
        return arc_error_no_memory(err);
    double t0_s = look->values[swing->t0_index];
    for (size_t i = 0; i < rows; i++)
        s[i] = t0_s - swing->time_s[i];
    ArcStatus status = arc_sight_create(swing, look->arena, &sight, err);
    if (status == ARC_OK)
        status = look_at(look, (int)rows, s, x, x + rows * J, x + 2 * rows * J, err);
    if (status != ARC_OK)
        return status;
    arc_sight_look(sight, look->values, x, x + rows * J, NULL);
    arc_swing_in_time(swing, order);
    for (size_t k = 0; k < n; k++) {
        const ArcObservation *o = &swing->observations[order[k]];
        measured[k] = numbers[order[k]];
        measured[k].value = o->value;
        fitted[k] = arc_sight_y(sight, order[k]);
        time_s[k] = swing->time_s[o->time];
    }
    made->rows = (int)rows;
    made->left_out = arc_swing_left_out(swing);
    made->numbers = (int)n;
    made->measured = measured;
    made->fitted = fitted;
    made->number_time_s = time_s;
    add_parts(made, parts);
    return ARC_OK;
}

static ArcStatus look_create(const ArcProblem *problem, const ArcOutcome *outcome, Look *look,
                             ArcError *err)
{
    look->values = outcome->values;
    look->trajectory = outcome->swing;
    ArcStatus status = arc_swing_with(problem, look->arena, &look->swing, err);
    if (status == ARC_OK && outcome->swing.states == NULL)
        status = arc_phase_runner_create(look->swing, look->arena, &look->runner, err);
    return status;
}

ArcStatus arc_fit_fill_swing(ArcFit *fit, const ArcProblem *problem, const ArcOutcome *outcome,
                             ArcError *err)
{
    if (problem->swing == NULL || fit->arm == NULL)
        return ARC_OK;
    ArcArmFit *arm = (ArcArmFit *)(uintptr_t)fit->arm; /* of this fit */
    ArcSwingFit *made = ARC_ALLOC(fit->arena, 1, ArcSwingFit);
    Look look = {.arena = arc_arena_create()};
    ArcStatus status = made == NULL || look.arena == NULL ? arc_error_no_memory(err) : ARC_OK;
    if (status == ARC_OK)
        status = look_create(problem, outcome, &look, err);
    if (status == ARC_OK)
        status = fill_motion(fit, &look, made, err);
    if (status == ARC_OK)
        status = fill_numbers(fit, &look, made, err);
    if (status == ARC_OK) {
        bool is_pinn = outcome->pinn != NULL;
        made->physics_rms_rad_s2 = is_pinn ? outcome->swing_rms_rad_s2 : (double)NAN;
        made->physics_rms_fine_rad_s2 = is_pinn ? outcome->swing_rms_fine_rad_s2 : (double)NAN;
        made->sigma_phys_rad_s2 = is_pinn ? outcome->swing_sigma_phys_rad_s2 : (double)NAN;
        arm->swing = made;
    }
    arc_arena_free(look.arena);
    return status;
}
