/* The weighted numbers of a throw made small. */
#include "aim/optimise.h"

#include "aim/numbers.h"

#include <math.h>
#include <string.h>

static const double first_miss_m = 1e-2; /* of a throw that had better miss */
static const double done_optimality = 1e-6, done_violation = 1e-7;

/* What matters of a number. */
static const double number_size[ARC_N_AIM_NUMBERS] = {
    [ARC_AIM_MISS] = 0.1,        [ARC_AIM_SPEED] = 1.0,  [ARC_AIM_ENTRY_ANGLE] = 0.3,
    [ARC_AIM_ENTRY_SPEED] = 1.0, [ARC_AIM_TIME] = 0.3,   [ARC_AIM_HEIGHT] = 1.0,
    [ARC_AIM_CLEARANCE] = 0.1,   [ARC_AIM_ENERGY] = 5.0, [ARC_AIM_PEAK_TORQUE] = 10.0};

struct ArcOptimise {
    ArcSearch *search;
    const ArcBelief *belief;
    ArcConstrainedSolver *solver;
    int n; /* K + 1 */
    double size[ARC_SEARCH_UNKNOWNS], begin[ARC_SEARCH_UNKNOWNS];
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

/* The limits, each as a row that is at most 0. Returns how many. */
static int put_limits(const ArcOptimise *optimise, double *rows, double *J)
{
    const ArcOptimiseTask *task = optimise->task;
    int n = 0;
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++) {
        double value = optimise->numbers.value[k], most = task->most[k];
        if (isfinite(most)) {
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

static double put_value(const ArcOptimise *optimise, const double *z, double *gradient)
{
    const ArcOptimiseTask *task = optimise->task;
    double sum = 0.0;
    if (task->what == ARC_OPTIMISE_NEAREST) {
        double miss = optimise->numbers.value[ARC_AIM_MISS];
        put_gradient(optimise, ARC_AIM_MISS, miss, gradient);
        return 0.5 * miss * miss;
    }
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++)
        if (task->weight[k] != 0.0) {
            sum += optimise->scale * task->weight[k] * optimise->numbers.value[k];
            put_gradient(optimise, k, optimise->scale * task->weight[k], gradient);
        }
    for (int k = 0; !optimise->has_weight && k < optimise->n; k++) {
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
    put_limits(optimise, rows + n_equal, J != NULL ? J + n_equal * n : NULL);
    *f = put_value(optimise, z, gradient);
    return isfinite(*f);
}

ArcStatus arc_optimise_create(ArcSearch *search, const ArcBelief *belief, ArcArena *arena,
                              ArcOptimise **result, ArcError *err)
{
    ArcOptimise *optimise = ARC_ALLOC(arena, 1, ArcOptimise);
    if (optimise == NULL)
        return arc_error_no_memory(err);
    optimise->search = search;
    optimise->belief = belief;
    optimise->n = search->K + 1;
    for (int k = 0; k < search->K; k++)
        optimise->size[k] = size_of(search->experiment->parameters[search->index[k]].unit,
                                    search->values[search->index[k]]);
    optimise->size[search->K] = 0.3;
    const ArcConstrained problem = {.n = optimise->n,
                                    .low = search->low,
                                    .high = search->high,
                                    .size = optimise->size,
                                    .row_size = optimise->row_size,
                                    .context = optimise,
                                    .evaluate = evaluate};
    const ArcConstrainedSettings settings = arc_constrained_settings_default();
    *result = optimise;
    return arc_constrained_create(&problem, &settings, arena, &optimise->solver, err);
}

/* What the task wants, and the sizes of its rows. */
static void take_task(ArcOptimise *optimise, const ArcOptimiseTask *task)
{
    int n_equal = task->misses ? 0 : optimise->search->d, n_most = 0;
    double largest = 0.0;
    optimise->task = task;
    optimise->wanted = task->what == ARC_OPTIMISE_NEAREST ? 1u << ARC_AIM_MISS : 0;
    for (int r = 0; r < n_equal; r++)
        optimise->row_size[r] = 1.0;
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++) {
        int limits = isfinite(task->most[k]) + isfinite(task->least[k]);
        for (int i = 0; i < limits; i++)
            optimise->row_size[n_equal + n_most++] = number_size[k];
        if (limits > 0 || task->weight[k] != 0.0)
            optimise->wanted |= 1u << k;
        largest = fmax(largest, fabs(task->weight[k]) * number_size[k]);
    }
    optimise->has_weight = largest > 0.0;
    optimise->scale = largest > 0.0 ? 1.0 / largest : 1.0;
    arc_constrained_set_rows(optimise->solver, n_equal, n_most, optimise->row_size);
}

ArcConstrainedResult arc_optimise_run(ArcOptimise *optimise, const ArcOptimiseTask *task,
                                      ArcSearchThrow *thrown)
{
    take_task(optimise, task);
    memcpy(optimise->begin, thrown->z, sizeof(double) * (size_t)optimise->n);
    ArcConstrainedResult result = arc_constrained_run(optimise->solver, thrown->z);
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
