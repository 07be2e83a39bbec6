/* The weighted numbers of a throw made small.
 *
 * The peak of the torques has a kink where joints or times change places, so that it is an unknown
 * of its own, T, above all of them: around each of many even times of the swing, half a step to
 * both sides, the largest of the quartic through tau_j^2 at five of them is at most T^2. It varies
 * as at a fixed time, by the weights of the five there.
 * Joints keep their limits throughout the swing.
 */
#include "aim/optimise.h"

#include "aim/numbers.h"
#include "aim/probability.h"
#include "aim/torques.h"

#include <math.h>
#include <string.h>

enum {
    TIMES = 65, /* of the swing; points of a quartic, and steps to its top: */
    POINTS = 5,
    TOP_STEPS = 5,
    MOST = ARC_SEARCH_UNKNOWNS + 1 /* unknowns, with the peak */
};
static const double first_miss_m = 1e-2; /* of a throw that had better miss */
static const double done_optimality = 1e-6, done_violation = 1e-7;
static const double chance_step = 1e-3; /* by sizes, of differences */
static const double most_torque_n_m = 1e9;
static const double joint_size = 1.0; /* rad, rad/s over a joint's limit */

/* What matters of a number. */
static const double number_size[ARC_N_AIM_NUMBERS] = {
    [ARC_AIM_MISS] = 0.1,        [ARC_AIM_SPEED] = 1.0,  [ARC_AIM_ENTRY_ANGLE] = 0.3,
    [ARC_AIM_ENTRY_SPEED] = 1.0, [ARC_AIM_TIME] = 0.3,   [ARC_AIM_HEIGHT] = 1.0,
    [ARC_AIM_CLEARANCE] = 0.1,   [ARC_AIM_ENERGY] = 5.0, [ARC_AIM_PEAK_TORQUE] = 10.0};

struct ArcOptimise {
    ArcSearch *search;
    const ArcBelief *belief;
    ArcConstrainedSolver *solver;
    ArcOdds *odds; /* NULL: the probability is not asked for */
    int n, J;      /* unknowns: K, s, T; joints */
    double low[MOST], high[MOST], size[MOST], begin[MOST];
    bool has_peak;                                             /* T counts */
    double torque_n_m[TIMES * ARC_ARM_MAX_JOINTS], *torque_by; /* (TIMES, J, parameters) */
    int n_joint_limits;
    double *over_by; /* (n_joint_limits, parameters) */
    double row_size[ARC_CONSTRAINED_MAX_ROWS];
    const ArcOptimiseTask *task; /* of the present run */
    unsigned wanted;
    bool has_weight;
    double scale; /* of the value */
    ArcShotState state;
    ArcShotNumbers numbers;
};

ArcOptimiseTask arc_optimise_task_default(void)
{
    ArcOptimiseTask task = {.what = ARC_OPTIMISE_NUMBERS};
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++) {
        task.least[k] = -INFINITY;
        task.most[k] = INFINITY;
    }
    return task;
}

/* What matters of an unknown. */
static double size_of(const char *unit, double value)
{
    if (strcmp(unit, "rad") == 0)
        return 0.3;
    if (strcmp(unit, "m") == 0)
        return 0.1;
    double least = strcmp(unit, "m/s") == 0 || strcmp(unit, "rad/s") == 0 ? 1.0 : 1e-2;
    return fmax(0.3 * fabs(value), least);
}

/* The numbers, as far as they are wanted; of the release alone without a flight to the goal. */
static bool take_numbers(ArcOptimise *optimise, const double *values, bool partials)
{
    const unsigned of_release = 1u << ARC_AIM_SPEED | 1u << ARC_AIM_ENERGY;
    ArcShot *shot = optimise->search->shot;
    if (optimise->wanted == 0)
        return true;
    return (optimise->wanted & ~of_release) == 0
               ? arc_shot_release_numbers(shot, values, partials, &optimise->numbers)
               : arc_shot_numbers(shot, values, optimise->wanted, partials, &optimise->numbers);
}

/* x(s) - X, and its gradients. */
static bool put_hit(ArcOptimise *optimise, const double *z, const double *values, double *rows,
                    double *J)
{
    const ArcSearch *search = optimise->search;
    ArcShotState *state = &optimise->state;
    if (!arc_shot_at(search->shot, values, z[search->K], J != NULL, state))
        return false;
    for (int c = 0; c < search->d; c++) {
        rows[c] = state->x_m[c] - search->experiment->aim.goal.point_m[c];
        for (int k = 0; J != NULL && k < search->K; k++)
            J[c * optimise->n + k] = state->by_x[c][search->index[k]];
        if (J != NULL)
            J[c * optimise->n + search->K] = state->v_m_s[c];
    }
    return true;
}

/* A row of share times a number's gradient. */
static void put_gradient(const ArcOptimise *optimise, int number, double share, double *row)
{
    const ArcSearch *search = optimise->search;
    for (int k = 0; row != NULL && k < search->K; k++)
        row[k] += share * optimise->numbers.by[number][search->index[k]];
}

/* Lagrange's weights of five values, even ones about 0, at x. */
static void weigh(double x, double *w)
{
    for (int i = 0; i < POINTS; i++) {
        w[i] = 1.0;
        for (int k = 0; k < POINTS; k++)
            if (k != i)
                w[i] *= (x - (k - 2)) / (i - k);
    }
}

/* Where between low and high the quartic through five values is largest. */
static double find_top(const double *y, double low, double high)
{
    const double c[POINTS] = {y[2], (y[0] - 8.0 * y[1] + 8.0 * y[3] - y[4]) / 12.0,
                              (-y[0] + 16.0 * y[1] - 30.0 * y[2] + 16.0 * y[3] - y[4]) / 24.0,
                              (-y[0] + 2.0 * y[1] - 2.0 * y[3] + y[4]) / 12.0,
                              (y[0] - 4.0 * y[1] + 6.0 * y[2] - 4.0 * y[3] + y[4]) / 24.0};
    double at[3] = {low, high, 0.5 * (low + high)}, best = low, most = -INFINITY;
    for (int i = 0; i < TOP_STEPS; i++) {
        double x = at[2], slope = c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + 4.0 * c[4] * x));
        double bend = 2.0 * c[2] + x * (6.0 * c[3] + 12.0 * c[4] * x);
        at[2] = bend < 0.0 ? fmin(fmax(x - slope / bend, low), high) : slope < 0.0 ? low : high;
    }
    for (int i = 0; i < 3; i++) {
        double x = at[i], value = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
        if (value > most) {
            most = value;
            best = x;
        }
    }
    return best;
}

/* The row of a time and a joint: what is at most around it, less T^2. */
static void put_torque(const ArcOptimise *optimise, int time, int joint, double T, double *row,
                       double *J)
{
    const ArcSearch *search = optimise->search;
    double size = number_size[ARC_AIM_PEAK_TORQUE], square[POINTS], w[POINTS];
    int middle = time < 2 ? 2 : time > TIMES - 3 ? TIMES - 3 : time;
    for (int i = 0; i < POINTS; i++)
        square[i] = pow(optimise->torque_n_m[(middle + i - 2) * optimise->J + joint], 2);
    double low = time == 0 ? 0.0 : -0.5, high = time == TIMES - 1 ? 0.0 : 0.5;
    weigh(find_top(square, low + time - middle, high + time - middle), w);
    *row = -T * T / size;
    if (J != NULL)
        J[optimise->n - 1] = -2.0 * T / size;
    for (int i = 0; i < POINTS; i++) {
        int at = (middle + i - 2) * optimise->J + joint;
        double share = 2.0 * w[i] * optimise->torque_n_m[at] / size;
        *row += w[i] * square[i] / size;
        for (int k = 0; J != NULL && k < search->K; k++)
            J[k] += share * optimise->torque_by[at * search->n + search->index[k]];
    }
}

/* Torques below the peak; false where they cannot be had. */
static bool put_torques(ArcOptimise *optimise, const double *z, const double *values, double *rows,
                        double *J)
{
    if (!arc_shot_torques(optimise->search->shot, values, TIMES, optimise->torque_n_m,
                          J != NULL ? optimise->torque_by : NULL))
        return false;
    for (int i = 0; i < TIMES * optimise->J; i++)
        put_torque(optimise, i / optimise->J, i % optimise->J, z[optimise->n - 1], &rows[i],
                   J != NULL ? J + i * optimise->n : NULL);
    return true;
}

/* Joints within their limits all the way to the release. False where it cannot be followed. */
static bool put_joints(ArcOptimise *optimise, const double *values, double *rows, double *J)
{
    const ArcSearch *search = optimise->search;
    if (optimise->n_joint_limits == 0)
        return true;
    int n = arc_shot_over_limits(search->shot, values, rows, J != NULL ? optimise->over_by : NULL);
    for (int row = 0; J != NULL && row < n; row++)
        for (int k = 0; k < search->K; k++)
            J[row * optimise->n + k] = optimise->over_by[row * search->n + search->index[k]];
    return n >= 0;
}

/* The limits, each as a row that is at most 0. Returns how many. */
static int put_limits(const ArcOptimise *optimise, double *rows, double *J)
{
    const ArcOptimiseTask *task = optimise->task;
    int n = 0;
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++) {
        double value = optimise->numbers.value[k], most = task->most[k];
        if (isfinite(most) && !(k == ARC_AIM_PEAK_TORQUE && optimise->has_peak)) {
            bool is_square = k == ARC_AIM_MISS && most > 0.0;
            rows[n] = is_square ? (value * value - most * most) / (2.0 * most) : value - most;
            put_gradient(optimise, k, is_square ? value / most : 1.0,
                         J != NULL ? J + n * optimise->n : NULL);
            n++;
        }
        if (isfinite(task->least[k])) {
            rows[n] = task->least[k] - value;
            put_gradient(optimise, k, -1.0, J != NULL ? J + n * optimise->n : NULL);
            n++;
        }
    }
    return n;
}

/* The chance of a hit; NaN where it cannot be had. */
static double chance_at(const ArcOptimise *optimise, const double *z)
{
    double values[ARC_MAX_PARAMETERS];
    ArcAimChance chance;
    arc_search_values(optimise->search, z, values);
    return arc_odds_linear(optimise->odds, optimise->belief, values, &chance) ? chance.value
                                                                              : (double)NAN;
}

/* 1 - P, which rounding leaves more of, by central differences. */
static double put_chance(const ArcOptimise *optimise, const double *z, double *gradient)
{
    double at[MOST];
    memcpy(at, z, sizeof(double) * (size_t)optimise->n);
    for (int k = 0; gradient != NULL && k < optimise->search->K; k++) {
        double h = chance_step * optimise->size[k];
        at[k] = z[k] + h;
        double ahead = chance_at(optimise, at);
        at[k] = z[k] - h;
        gradient[k] = (chance_at(optimise, at) - ahead) / (2.0 * h);
        at[k] = z[k];
    }
    return 1.0 - chance_at(optimise, z);
}

static double put_value(const ArcOptimise *optimise, const double *z, double *gradient)
{
    const ArcOptimiseTask *task = optimise->task;
    double sum = 0.0;
    if (task->what == ARC_OPTIMISE_PROBABILITY)
        return put_chance(optimise, z, gradient);
    if (task->what == ARC_OPTIMISE_NEAREST) {
        double miss = optimise->numbers.value[ARC_AIM_MISS];
        put_gradient(optimise, ARC_AIM_MISS, miss, gradient);
        return 0.5 * miss * miss;
    }
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++)
        if (task->weight[k] != 0.0) {
            double share = optimise->scale * task->weight[k];
            bool is_peak = k == ARC_AIM_PEAK_TORQUE && optimise->has_peak;
            sum += share * (is_peak ? z[optimise->n - 1] : optimise->numbers.value[k]);
            if (!is_peak)
                put_gradient(optimise, k, share, gradient);
            else if (gradient != NULL)
                gradient[optimise->n - 1] += share;
        }
    for (int k = 0; !optimise->has_weight && k <= optimise->search->K; k++) {
        double off = (z[k] - optimise->begin[k]) / optimise->size[k];
        sum += 0.5 * off * off;
        if (gradient != NULL)
            gradient[k] = off / optimise->size[k];
    }
    return sum;
}

static bool evaluate(void *context, const double *z, double *f, double *gradient, double *rows,
                     double *J)
{
    ArcOptimise *optimise = context;
    const ArcSearch *search = optimise->search;
    double values[ARC_MAX_PARAMETERS];
    int n_equal = optimise->task->misses ? 0 : search->d, n = optimise->n;
    arc_search_values(search, z, values);
    if (J != NULL) {
        memset(gradient, 0, sizeof(double) * (size_t)n);
        memset(J, 0, sizeof(double) * (size_t)(ARC_CONSTRAINED_MAX_ROWS * n));
    }
    if (n_equal > 0 && !put_hit(optimise, z, values, rows, J))
        return false;
    if (!take_numbers(optimise, values, J != NULL))
        return false;
    int done = n_equal + put_limits(optimise, rows + n_equal, J != NULL ? J + n_equal * n : NULL);
    if (!put_joints(optimise, values, rows + done, J != NULL ? J + done * n : NULL))
        return false;
    done += optimise->n_joint_limits;
    if (optimise->has_peak &&
        !put_torques(optimise, z, values, rows + done, J != NULL ? J + done * n : NULL))
        return false;
    *f = put_value(optimise, z, gradient);
    return isfinite(*f);
}

/* Bounds and sizes of the unknowns. */
static void take_unknowns(ArcOptimise *optimise)
{
    const ArcSearch *search = optimise->search;
    int K = search->K;
    memcpy(optimise->low, search->low, sizeof search->low);
    memcpy(optimise->high, search->high, sizeof search->high);
    for (int k = 0; k < K; k++)
        optimise->size[k] = size_of(search->experiment->parameters[search->index[k]].unit,
                                    search->values[search->index[k]]);
    optimise->size[K] = number_size[ARC_AIM_TIME];
    optimise->low[K + 1] = 0.0;
    optimise->high[K + 1] = most_torque_n_m;
    optimise->size[K + 1] = number_size[ARC_AIM_PEAK_TORQUE];
}

ArcStatus arc_optimise_create(ArcSearch *search, const ArcBelief *belief, ArcArena *arena,
                              ArcOptimise **result, ArcError *err)
{
    const ArcExperiment *experiment = search->experiment;
    ArcOptimise *optimise = ARC_ALLOC(arena, 1, ArcOptimise);
    if (optimise == NULL)
        return arc_error_no_memory(err);
    optimise->search = search;
    optimise->belief = belief;
    optimise->n = search->K + 2;
    optimise->J = experiment->has_arm ? experiment->arm.settings.n_joints : 0;
    take_unknowns(optimise);
    ArcStatus status = ARC_OK;
    if (experiment->aim.swing.is_on) {
        size_t rows = (size_t)(TIMES * optimise->J);
        optimise->torque_by = ARC_ALLOC(arena, rows * (size_t)search->n, double);
        optimise->over_by = ARC_ALLOC(arena, (size_t)(ARC_TORQUES_MOST_LIMITS * search->n), double);
        optimise->n_joint_limits = arc_shot_count_limits(search->shot);
        if (optimise->torque_by == NULL || optimise->over_by == NULL)
            return arc_error_no_memory(err);
    }
    if (experiment->aim.maximise_probability)
        status = arc_odds_create(experiment, arena, &optimise->odds, err);
    const ArcConstrained problem = {.n = optimise->n,
                                    .low = optimise->low,
                                    .high = optimise->high,
                                    .size = optimise->size,
                                    .row_size = optimise->row_size,
                                    .context = optimise,
                                    .evaluate = evaluate};
    const ArcConstrainedSettings settings = arc_constrained_settings_default();
    *result = optimise;
    return status != ARC_OK
               ? status
               : arc_constrained_create(&problem, &settings, arena, &optimise->solver, err);
}

/* What the task wants, and the sizes of its rows. */
static void take_task(ArcOptimise *optimise, const ArcOptimiseTask *task)
{
    int n_equal = task->misses ? 0 : optimise->search->d, n_most = 0;
    double largest = 0.0, most = task->most[ARC_AIM_PEAK_TORQUE];
    optimise->task = task;
    optimise->wanted = task->what == ARC_OPTIMISE_NEAREST ? 1u << ARC_AIM_MISS : 0;
    optimise->has_peak =
        optimise->torque_by != NULL && (isfinite(most) || task->weight[ARC_AIM_PEAK_TORQUE] != 0.0);
    optimise->high[optimise->n - 1] = isfinite(most) ? most : most_torque_n_m;
    for (int r = 0; r < n_equal; r++)
        optimise->row_size[r] = 1.0;
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++) {
        bool is_peak = k == ARC_AIM_PEAK_TORQUE && optimise->has_peak;
        int limits = (isfinite(task->most[k]) && !is_peak) + isfinite(task->least[k]);
        for (int i = 0; i < limits; i++)
            optimise->row_size[n_equal + n_most++] = number_size[k];
        if (limits > 0 || (task->weight[k] != 0.0 && !is_peak))
            optimise->wanted |= 1u << k;
        largest = fmax(largest, fabs(task->weight[k]) * number_size[k]);
    }
    for (int i = 0; i < optimise->n_joint_limits; i++)
        optimise->row_size[n_equal + n_most++] = joint_size;
    for (int i = 0; optimise->has_peak && i < TIMES * optimise->J; i++)
        optimise->row_size[n_equal + n_most++] = number_size[ARC_AIM_PEAK_TORQUE];
    optimise->has_weight = largest > 0.0;
    optimise->scale = largest > 0.0 ? 1.0 / largest : 1.0;
    arc_constrained_set_rows(optimise->solver, n_equal, n_most, optimise->row_size);
}

/* The peak's place among the unknowns: what it is there. */
static void start_peak(ArcOptimise *optimise, double *z)
{
    double values[ARC_MAX_PARAMETERS], peak = 0.0;
    int last = optimise->n - 1;
    arc_search_values(optimise->search, z, values);
    if (optimise->has_peak)
        arc_shot_peak_torque(optimise->search->shot, values, &peak, NULL);
    z[last] = fmin(peak, optimise->high[last]);
}

ArcConstrainedResult arc_optimise_run(ArcOptimise *optimise, const ArcOptimiseTask *task,
                                      ArcSearchThrow *thrown)
{
    double z[MOST];
    size_t bytes = sizeof(double) * (size_t)(optimise->n - 1);
    take_task(optimise, task);
    memcpy(z, thrown->z, bytes);
    start_peak(optimise, z);
    memcpy(optimise->begin, z, sizeof z);
    ArcConstrainedResult result = arc_constrained_run(optimise->solver, z);
    memcpy(thrown->z, z, bytes);
    thrown->distance_m = task->misses ? optimise->numbers.value[ARC_AIM_MISS] : result.violation;
    if (task->what != ARC_OPTIMISE_NUMBERS)
        return result;
    result.value /= optimise->scale;
    for (int r = 0; r < ARC_CONSTRAINED_MAX_ROWS; r++)
        result.multiplier[r] /= optimise->scale;
    return result;
}

bool arc_optimise_is_done(const ArcConstrainedResult *result)
{
    return result->optimality <= done_optimality && result->violation <= done_violation;
}

ArcConstrainedResult arc_optimise_run_missing(ArcOptimise *optimise, const ArcOptimiseTask *task,
                                              ArcSearchThrow *thrown)
{
    ArcOptimiseTask of = *task;
    ArcSearchThrow hit = *thrown;
    double pull = 0.0, weight = task->weight[ARC_AIM_MISS];
    of.misses = false;
    of.weight[ARC_AIM_MISS] = 0.0;
    ArcConstrainedResult at_hit = arc_optimise_run(optimise, &of, &hit);
    for (int c = 0; c < optimise->search->d; c++)
        pull += at_hit.multiplier[c] * at_hit.multiplier[c];
    if (sqrt(pull) <= weight) {
        *thrown = hit;
        return at_hit;
    }
    /* The miss has no gradient where it is nothing. */
    of.misses = true;
    of.most[ARC_AIM_MISS] = first_miss_m;
    *thrown = hit;
    arc_optimise_run(optimise, &of, thrown);
    of = *task;
    of.misses = true;
    ArcConstrainedResult result = arc_optimise_run(optimise, &of, thrown);
    if (!arc_optimise_is_done(&result) && at_hit.value < result.value) {
        *thrown = hit;
        return at_hit;
    }
    return result;
}
