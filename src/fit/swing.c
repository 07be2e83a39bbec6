/* The arm's motion before the release: its equations, and what is seen of it. */
#include "fit/swing.h"

#include "fit/kinks.h"
#include "fit/phase.h"
#include "fit/start_swing.h"
#include "physics/torque.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the motion that a net begins with; and how far it may be off what was measured. */
static const double guess_tolerance = 1e-6, astray_rad = 1.0;
static const double looseness = 3e3; /* of the tolerance: moves estimates by less than 1e-4 sd */
/* Of a flight's sigma_phys: what a net cannot follow of the torques would else count as knowledge;
 * sd grow by 1 % for it at most, and by 2 % for 30 (test_swing_fit.c). */
static const double physics_share = 20.0;
static const double late_share = 0.05; /* of the flight that a late release may leave behind */

enum { STATES_AT_ONCE = 8, COLUMNS = ARC_MAX_PARAMETERS };

/* Columns are those of the free parameters alone. */
typedef struct Swing {
    ArcPhase phase;
    bool wanted[ARC_ARM_MAX_PARAMETERS]; /* parameters of the arm that its equations take */
    int n_law;                           /* columns: of the arm's parameters, then of t0 */
    int law[COLUMNS];                    /* the arm's parameter; -1: t0 */
    int n_seen;
    int seen[COLUMNS];       /* the arm's parameter of each column of by_m */
    int law_of[COLUMNS];     /* of each unknown: its column of the law, else -1 */
    int seen_of[COLUMNS];    /* and of by_m */
    double rate_per_unit;    /* 1 / the swing's duration */
    ArcSwingNumber *numbers; /* (n_observations) */
    int left_out;            /* rows later than any release */
    int n_smooth;            /* what fits begin with, one of each pose; 0: not known */
    ArcSmoothSwing smooth[ARC_ARM_MAX_POSES];
} Swing;

static const Swing *swing_of(const ArcProblem *problem)
{
    return problem->phase->context;
}

static void swing_begin(const ArcProblem *problem, const double *values, double *x0, double *v0)
{
    const double *p = values + problem->arm_index;
    for (int j = 0; j < problem->D; j++) {
        x0[j] = p[problem->arm.theta + j];
        v0[j] = -p[problem->arm.omega + j];
    }
}

/* Partials of some states as the phase has them. */
static void take_partials(const ArcProblem *problem, const ArcPhaseStates *states, int begin,
                          const ArcArmRates *rates, int n)
{
    const Swing *swing = swing_of(problem);
    int J = problem->D, A = problem->arm.n_parameters, P = problem->P;
    size_t squares = (size_t)(n * J * J), first = (size_t)(begin * J * J);
    memcpy(states->a_x + first, rates->by_theta, sizeof(double) * squares);
    for (size_t i = 0; i < squares; i++)
        states->a_v[first + i] = -rates->by_omega[i];
    for (int row = 0; row < n * J; row++) {
        double *to = states->a_p + (size_t)(begin * J + row) * (size_t)P;
        for (int k = 0; k < P; k++)
            to[k] = swing->law[k] < 0 ? rates->by_t[row] : rates->by_p[row * A + swing->law[k]];
    }
}

static void swing_accelerate(const ArcProblem *problem, const double *values,
                             const ArcPhaseStates *states)
{
    enum { J_MAX = ARC_ARM_MAX_JOINTS, N = STATES_AT_ONCE };
    const Swing *swing = swing_of(problem);
    const double *p = values + problem->arm_index;
    double t[N], omega[N * J_MAX], by_theta[N * J_MAX * J_MAX], by_omega[N * J_MAX * J_MAX];
    double by_t[N * J_MAX], by_p[N * J_MAX * ARC_ARM_MAX_PARAMETERS];
    int J = problem->D;
    for (int begin = 0, n; begin < states->n; begin += n) {
        n = states->n - begin < N ? states->n - begin : N;
        for (int i = 0; i < n; i++)
            t[i] = values[problem->t0_index] - states->s[begin + i];
        for (int i = 0; i < n * J; i++)
            omega[i] = -states->v[begin * J + i];
        ArcArmRates rates = {.a = states->a + begin * J, .wanted = swing->wanted};
        if (states->a_x != NULL) {
            rates.by_theta = by_theta;
            rates.by_omega = by_omega;
            rates.by_t = by_t;
            rates.by_p = by_p;
        }
        arc_arm_acceleration(&problem->arm, n, t, states->x + begin * J, omega, p, &rates);
        if (states->a_x != NULL)
            take_partials(problem, states, begin, &rates, n);
    }
}

/* One number at a state of the arm; point is that of its place. */
static void see_number(const ArcProblem *problem, const double *p, const ArcArmPoint *point,
                       const double *state[2], ArcSight *sight, int i)
{
    const Swing *swing = swing_of(problem);
    const ArcSwingNumber *number = &swing->numbers[i];
    const ArcArm *arm = &problem->arm;
    int J = problem->D, M = swing->n_seen, j = number->index;
    double *by_x = sight->by_x + i * J, *by_v = sight->by_v + i * J, *by_m = sight->by_m + i * M;
    memset(by_x, 0, sizeof(double) * (size_t)J);
    memset(by_v, 0, sizeof(double) * (size_t)J);
    memset(by_m, 0, sizeof(double) * (size_t)M);
    if (number->kind == ARC_SWING_PLACE) {
        sight->y[i] = point->x_m[number->axis];
        memcpy(by_x, point->x_theta[number->axis], sizeof(double) * (size_t)J);
        for (int m = 0; m < M; m++)
            if (swing->seen[m] < arm->n_geometry)
                by_m[m] = point->x_p[number->axis][swing->seen[m]];
        return;
    }
    if (number->kind == ARC_SWING_RATE) {
        sight->y[i] = -state[1][j];
        by_v[j] = -1.0;
        return;
    }
    double gain = arm->gain >= 0 ? p[arm->gain + j] : 1.0;
    double angle = gain * state[0][j] + (arm->offset >= 0 ? p[arm->offset + j] : 0.0);
    double near = problem->observations[i].value;
    sight->y[i] = near + remainder(angle - near, 2.0 * M_PI);
    by_x[j] = gain;
    for (int m = 0; m < M && arm->gain >= 0; m++)
        by_m[m] = swing->seen[m] == arm->gain + j     ? state[0][j]
                  : swing->seen[m] == arm->offset + j ? 1.0
                                                      : 0.0;
}

static void swing_look(ArcSight *sight, const double *values, const double *x, const double *v)
{
    const ArcProblem *problem = sight->problem;
    const Swing *swing = swing_of(problem);
    const double *p = values + problem->arm_index;
    double still[ARC_ARM_MAX_JOINTS] = {0};
    ArcArmPoint point;
    int J = problem->D, time = -1, place = 0;
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcSwingNumber *number = &swing->numbers[i];
        int at = problem->observations[i].time;
        const double *state[2] = {x + at * J, v + at * J};
        bool is_place = number->kind == ARC_SWING_PLACE;
        if (is_place && (at != time || number->index != place)) {
            time = at;
            place = number->index;
            arc_arm_point(&problem->arm, place, p, state[0], still, &point);
        }
        see_number(problem, p, &point, state, sight, i);
    }
}

/* How far a place is from the base with the arm stretched out: what a radian moves it by. */
static double reach_of(const ArcProblem *problem, int place)
{
    const ArcArm *arm = &problem->arm;
    const double *p = problem->start + problem->arm_index;
    int J = problem->D, n = place == ARC_ARM_BALL ? J : place;
    double reach = 0.0, square = 0.0;
    for (int j = 0; j < n; j++)
        reach += fabs(p[arm->length + j]);
    for (int b = 0; place == ARC_ARM_BALL && b < arm->settings.dimensions; b++)
        square += p[arm->ball + b] * p[arm->ball + b];
    return reach + sqrt(square);
}

static double swing_per_unit(const ArcProblem *problem, int i)
{
    const Swing *swing = swing_of(problem);
    const ArcSwingNumber *number = &swing->numbers[i];
    const ArcArm *arm = &problem->arm;
    switch (number->kind) {
    case ARC_SWING_PLACE:
        return reach_of(problem, number->index);
    case ARC_SWING_ANGLE:
        return arm->gain < 0 ? 1.0
                             : fabs(problem->start[problem->arm_index + arm->gain + number->index]);
    case ARC_SWING_RATE:
        break;
    }
    return swing->rate_per_unit;
}

/* The smooth motion that begins where values do; NULL: none is known. */
static const ArcSmoothSwing *smooth_of(const ArcProblem *problem, const double *values)
{
    const Swing *swing = swing_of(problem);
    const double *theta = values + problem->arm_index + problem->arm.theta;
    const ArcSmoothSwing *nearest = NULL;
    double least = INFINITY;
    for (int i = 0; i < swing->n_smooth; i++) {
        double at[ARC_ARM_MAX_JOINTS], omega[ARC_ARM_MAX_JOINTS], bent[ARC_ARM_MAX_JOINTS];
        arc_smooth_swing_at(&swing->smooth[i], values[problem->t0_index], at, omega, bent);
        double apart = 0.0;
        for (int j = 0; j < problem->D; j++)
            apart = fmax(apart, fabs(at[j] - theta[j]));
        if (apart < least)
            nearest = &swing->smooth[i];
        least = fmin(least, apart);
    }
    return nearest;
}

/* The motion by the starts themselves, where it can be had and stays with what was measured: into
 * *known. False: no memory. */
static bool simulate_guess(const ArcProblem *problem, const double *values, int n, const double *s,
                           double *a, bool *known)
{
    const ArcSmoothSwing *smooth = smooth_of(problem, values);
    int J = problem->D, before = 0;
    ArcArena *arena = arc_arena_create();
    ArcProblem rough = *problem;
    ArcPhaseRunner *runner = NULL;
    rough.direct_tolerance = fmax(rough.direct_tolerance, guess_tolerance);
    while (before < n && s[before] < 0.0)
        before++;
    rough.n_times = before > 0 ? before : 1;
    double *x = arena != NULL ? ARC_ALLOC(arena, (size_t)(n * J), double) : NULL;
    ArcStatus status =
        x == NULL ? ARC_MEMORY : arc_phase_runner_create(&rough, arena, &runner, NULL);
    const ArcSimOutput output = {.x = x, .a = a};
    *known = status == ARC_OK && arc_phase_run(runner, values, n, s, &output);
    for (int i = 0; *known && smooth != NULL && i < n; i++) {
        double theta[ARC_ARM_MAX_JOINTS], omega[ARC_ARM_MAX_JOINTS], bent[ARC_ARM_MAX_JOINTS];
        arc_smooth_swing_at(smooth, values[problem->t0_index] - s[i], theta, omega, bent);
        for (int j = 0; j < J; j++)
            *known = *known && fabs(x[i * J + j] - theta[j]) < astray_rad;
    }
    arc_arena_free(arena);
    return status != ARC_MEMORY;
}

static bool swing_guess(const ArcProblem *problem, const double *values, int n, const double *s,
                        double *a)
{
    const ArcSmoothSwing *smooth = smooth_of(problem, values);
    double theta[ARC_ARM_MAX_JOINTS], omega[ARC_ARM_MAX_JOINTS];
    bool known = false;
    if (!simulate_guess(problem, values, n, s, a, &known))
        return false;
    if (known)
        return true;
    memset(a, 0, sizeof(double) * (size_t)(n * problem->D));
    for (int i = 0; i < n && smooth != NULL; i++)
        arc_smooth_swing_at(smooth, values[problem->t0_index] - s[i], theta, omega,
                            a + i * problem->D);
    return true;
}

static int swing_kinks(const ArcProblem *problem, const double *values, double *places)
{
    const ArcArm *arm = &problem->arm;
    const ArcArmSettings *settings = &arm->settings;
    double span_s = settings->end_s - settings->begin_s, xi[ARC_ARM_MAX_TORQUES];
    int n = 0;
    for (int j = 0; j < problem->D; j++) {
        int n_knots = arc_torque_knots(arm, j, values + problem->arm_index, xi);
        for (int i = 0; i < n_knots && n < ARC_MAX_KINKS; i++) {
            double s = values[problem->t0_index] - (settings->begin_s + xi[i] * span_s);
            bool is_new = true;
            for (int k = 0; k < n; k++)
                is_new = is_new && fabs(places[k] - s) > 1e-3 * span_s;
            if (is_new)
                places[n++] = s;
        }
    }
    return n;
}

/* The law's columns stand first in a row, then those of theta and -omega. */
static void swing_chain(const ArcProblem *problem, const double *values,
                        const ArcPartials *partials, double *J, size_t ld)
{
    (void)values;
    const Swing *swing = swing_of(problem);
    int Q = problem->Q, P = problem->P, D = problem->D, n = partials->n;
    int theta = problem->arm_index + problem->arm.theta;
    int omega = problem->arm_index + problem->arm.omega;
    const double *weight = partials->weight;
    int seen_rows = partials->sight == NULL       ? 0
                    : n < problem->n_observations ? n
                                                  : problem->n_observations;
    for (int k = 0; k < problem->n_free; k++) {
        int parameter = problem->free_parameter[k], q = swing->law_of[k], m = swing->seen_of[k];
        double *column = J + (size_t)k * ld, sign = 1.0;
        if (parameter >= theta && parameter < theta + D) {
            q = P + parameter - theta;
        } else if (parameter >= omega && parameter < omega + D) {
            q = P + D + parameter - omega;
            sign = -1.0;
        }
        bool is_t0 = parameter == problem->t0_index && partials->t0 != NULL;
        if (q < 0 && m < 0 && !is_t0)
            continue; /* always zero */
        for (int i = 0; i < n; i++) {
            double sum = q >= 0 ? sign * partials->q[(size_t)i * (size_t)Q + (size_t)q] : 0.0;
            column[i] = weight[i] * (is_t0 ? sum + partials->t0[i] : sum);
        }
        for (int i = 0; m >= 0 && i < seen_rows; i++)
            column[i] += weight[i] * arc_sight_by_m(partials->sight, i)[m];
    }
}

const ArcSwingNumber *arc_swing_numbers(const ArcProblem *swing)
{
    return swing_of(swing)->numbers;
}

int arc_swing_left_out(const ArcProblem *swing)
{
    return swing_of(swing)->left_out;
}

/* Whether the arm's equations take a parameter. */
static bool is_of_law(const ArcArm *arm, int i)
{
    bool is_encoder =
        arm->offset >= 0 && i >= arm->offset && i < arm->offset + 2 * arm->settings.n_joints;
    if (i < arm->n_geometry)
        return i >= arm->length;
    return i < arm->theta && !is_encoder;
}

/* Whether a number that was measured depends on a parameter for itself. */
static bool is_of_sight(const ArcArm *arm, int i)
{
    return i < arm->n_geometry ||
           (arm->offset >= 0 && i >= arm->offset && i < arm->offset + 2 * arm->settings.n_joints);
}

static void list_columns(const ArcProblem *problem, Swing *swing)
{
    const ArcArm *arm = &problem->arm;
    memset(swing->wanted, 0, sizeof swing->wanted);
    swing->n_law = swing->n_seen = 0;
    for (int k = 0; k < problem->n_free; k++) {
        int parameter = problem->free_parameter[k], i = parameter - problem->arm_index;
        bool is_arm = i >= 0 && i < arm->n_parameters;
        swing->law_of[k] = swing->seen_of[k] = -1;
        if (is_arm && is_of_law(arm, i)) {
            swing->wanted[i] = true;
            swing->law_of[k] = swing->n_law;
            swing->law[swing->n_law++] = i;
        }
        if (is_arm && is_of_sight(arm, i)) {
            swing->seen_of[k] = swing->n_seen;
            swing->seen[swing->n_seen++] = i;
        }
        if (parameter == problem->t0_index) {
            swing->law_of[k] = swing->n_law;
            swing->law[swing->n_law++] = -1;
        }
    }
}

/* Unknowns, starts and loss of the flight, and the columns that follow from what is free. */
static void take_columns(const ArcProblem *flight, Swing *swing, ArcProblem *problem)
{
    list_columns(flight, swing);
    swing->phase.context = swing;
    swing->phase.M = swing->n_seen;
    problem->phase = &swing->phase;
    problem->P = swing->n_law;
    problem->Q = problem->P + 2 * problem->D;
    problem->n_parameters = flight->n_parameters;
    problem->parameters = flight->parameters;
    problem->t0_index = flight->t0_index;
    problem->arm_index = flight->arm_index;
    problem->n_free = flight->n_free;
    problem->free_parameter = flight->free_parameter;
    problem->free_index = flight->free_index;
    problem->low = flight->low;
    problem->high = flight->high;
    problem->start = flight->start;
    problem->loss = flight->loss;
    problem->seed = flight->seed;
    problem->direct_tolerance = flight->direct_tolerance;
}

/* The last time that can belong to the swing. */
static double last_time(const ArcProblem *problem)
{
    const ArcParameter *t0 = &problem->parameters[problem->t0_index];
    double first_s = arc_problem_time(problem, problem->start, 0);
    return t0->is_free ? fmin(t0->high, first_s) : problem->start[problem->t0_index];
}

static int compare_numbers(const void *a, const void *b)
{
    const ArcSwingNumber *one = a, *other = b;
    if (one->row != other->row)
        return one->row > other->row ? -1 : 1;
    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    if (one->index != other->index)
        return one->index < other->index ? -1 : 1;
    return one->axis - other->axis;
}

/* Rows up to the release, the latest first, and their numbers. */
static ArcStatus take_numbers(const ArcProblem *flight, const ArcSwing *data, Swing *swing,
                              ArcProblem *problem, ArcError *err)
{
    ArcArena *arena = flight->arena;
    size_t n = (size_t)data->n_numbers;
    double until_s = last_time(flight);
    int row = -1;
    swing->numbers = ARC_ALLOC(arena, n, ArcSwingNumber);
    problem->observations = ARC_ALLOC(arena, n, ArcObservation);
    problem->time_s = ARC_ALLOC(arena, (size_t)data->n_rows, double);
    if (swing->numbers == NULL || problem->observations == NULL || problem->time_s == NULL)
        return arc_error_no_memory(err);
    problem->n_observations = problem->n_times = 0;
    swing->left_out = 0;
    for (int i = 0; i < data->n_rows; i++)
        swing->left_out += data->time_s[i] > until_s;
    for (int i = 0; i < data->n_numbers; i++)
        if (data->time_s[data->numbers[i].row] <= until_s)
            swing->numbers[problem->n_observations++] = data->numbers[i];
    qsort(swing->numbers, (size_t)problem->n_observations, sizeof *swing->numbers, compare_numbers);
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcSwingNumber *number = &swing->numbers[i];
        if (number->row != row)
            problem->time_s[problem->n_times++] = data->time_s[number->row];
        row = number->row;
        problem->observations[i] =
            (ArcObservation){problem->n_times - 1, number->axis, number->value, number->sigma};
    }
    return ARC_OK;
}

/* Swing and flight leave the release open by milliseconds, since the hand goes on as the ball does:
 * it may come after the flight's first points, which are then where the ball would have come from.
 * A bound by the first point would cut estimates off. */
static void allow_late_release(ArcProblem *flight)
{
    ArcParameter *t0 = &flight->parameters[flight->t0_index];
    double first_s = arc_problem_time(flight, flight->start, 0);
    double last_s = arc_problem_last_time(flight, flight->start);
    if (t0->is_free && flight->view == NULL && t0->high == first_s)
        t0->high = first_s + late_share * (last_s - first_s);
}

/* Torque curves run from the first to the last time of the swing where no span was given. */
static ArcStatus settle_span(ArcProblem *flight, const ArcProblem *swing, ArcPlace place,
                             ArcError *err)
{
    ArcArmSettings *settings = &flight->arm.settings;
    double begin_s = swing->time_s[swing->n_times - 1], end_s = swing->time_s[0];
    if (!isnan(settings->begin_s))
        return ARC_OK;
    if (swing->n_times == 1)
        end_s = fmax(flight->start[flight->t0_index], last_time(flight));
    if (!(end_s > begin_s) || end_s - begin_s > ARC_ARM_MOST_SPAN_S)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "the swing's times from %g to %g s are no span for the torque "
                                "curves; give arm.span",
                                begin_s, end_s);
    settings->begin_s = begin_s;
    settings->end_s = end_s;
    return ARC_OK;
}

/* What is of the flight alone. */
static void forget_flight(ArcProblem *problem)
{
    problem->flight.settings.bounce.is_on = false;
    problem->view = NULL;
    problem->has_arm = false;
    problem->n_readings = problem->n_priors = problem->n_sigmas = problem->n_points = 0;
    problem->swing = NULL;
    problem->pool = NULL;
    problem->pinn.sigma_phys_m_s2 = 0.0;
    problem->pinn.physics_auto = false;
}

static ArcStatus refuse_settings(const ArcProblem *problem, ArcPlace place, ArcError *err)
{
    if (problem->sigma_estimated || problem->n_sigmas > 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "sigma cannot be estimated with a swing, whose lengths and "
                                "angles have sigmas of their own; give capture.sigma a length");
    for (int i = 0; i < problem->pinn.n_stages; i++)
        if (problem->pinn.stages[i].optimizer != ARC_OPTIMIZER_LINEAR)
            return arc_error_set_at(err, ARC_INPUT, place,
                                    "with a swing the net is trained by its linear stage "
                                    "alone, not by %s; leave pinn.train out",
                                    arc_optimizer_name((int)problem->pinn.stages[i].optimizer));
    return ARC_OK;
}

ArcStatus arc_swing_create(ArcProblem *flight, const ArcSwing *data, ArcPlace place, ArcError *err)
{
    ArcArena *arena = flight->arena;
    if (!flight->has_arm || data == NULL)
        return ARC_OK;
    ArcStatus status = refuse_settings(flight, place, err);
    if (status != ARC_OK)
        return status;
    ArcProblem *problem = ARC_ALLOC(arena, 1, ArcProblem);
    Swing *swing = ARC_ALLOC(arena, 1, Swing);
    if (problem == NULL || swing == NULL)
        return arc_error_no_memory(err);
    *problem = *flight;
    forget_flight(problem);
    allow_late_release(flight);
    status = take_numbers(flight, data, swing, problem, err);
    if (status != ARC_OK)
        return status;
    if (problem->n_observations == 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "no row of '%s' is before the release; its times are by the clock "
                                "of the flight's capture",
                                data->file);
    status = settle_span(flight, problem, place, err);
    if (status != ARC_OK)
        return status;
    problem->arm = flight->arm;
    status = arc_start_swing(flight, problem, swing->numbers, swing->smooth, err);
    if (status != ARC_OK)
        return status;
    swing->n_smooth = swing->smooth[0].n_terms > 0 ? flight->n_poses : 0;
    double t0_s = flight->start[flight->t0_index];
    double span_s = t0_s - problem->time_s[problem->n_times - 1];
    if (!(span_s > 0.0))
        return arc_error_set_at(err, ARC_INPUT, place,
                                "the swing of '%s' begins at the release, so that it has no "
                                "duration",
                                data->file);
    problem->d = problem->D = flight->arm.settings.n_joints;
    swing->rate_per_unit = 1.0 / span_s;
    problem->phase = &swing->phase;
    swing->phase = (ArcPhase){.context = swing,
                              .runs_backwards = true,
                              .scale = 1.0 / (span_s * span_s),
                              .looseness = looseness,
                              .physics_share = physics_share,
                              .begin = swing_begin,
                              .accelerate = swing_accelerate,
                              .look = swing_look,
                              .per_unit = swing_per_unit,
                              .guess = swing_guess,
                              .kinks = swing_kinks,
                              .chain = swing_chain};
    flight->swing = problem;
    return ARC_OK;
}

ArcStatus arc_swing_with(const ArcProblem *flight, ArcArena *arena, const ArcProblem **swing,
                         ArcError *err)
{
    *swing = NULL;
    if (flight->swing == NULL)
        return ARC_OK;
    ArcProblem *problem = ARC_ALLOC(arena, 1, ArcProblem);
    Swing *own = ARC_ALLOC(arena, 1, Swing);
    if (problem == NULL || own == NULL)
        return arc_error_no_memory(err);
    *problem = *flight->swing;
    *own = *swing_of(flight->swing);
    take_columns(flight, own, problem);
    *swing = problem;
    return ARC_OK;
}
