/* Steps of DOP853 for x'' = a(t, x, x', p) together with its variational equations.
 *
 * Layout of the vectors: integration.h.
 *
 * The error of a step is Hairer's combination of the embedded 5th and 3rd order estimates, once
 * for the state and once for the sensitivities, which are held more loosely; the larger rules.
 */
#include "sim/integration.h"

#include "sim/dop853.h"

#include <math.h>
#include <string.h>

/* Vectors are multiples of SIM_BLOCK numbers. */
enum { SIM_BLOCK = ARC_SIM_BLOCK, SIM_PAIR = ARC_SIM_PAIR };

#define INLINE static inline __attribute__((always_inline))

/* What every processor has registers for; wider ones spill where they are missing. */
typedef double Pair __attribute__((vector_size(SIM_PAIR * sizeof(double)), may_alias));

static const double step_safety = 0.9, step_shrink = 0.2, step_grow = 10;

/* First step in units of tolerance^(1/8) / (rate of change of the motion), and the share of the
 * turning rate in that; measured on flights. */
static const double step_first = 4, step_turning = 0.2;
/* Of what is left of a run: nearer to a kink it stands on it. */
static const double kink_apart = 1e-9;

/* n_pairs (a constant in each copy) pairs of out = base + h * sum of weight * stage. */
INLINE void sim_combine_pairs(int n_pairs, int n, const ArcDop853Row *row, const double *stages,
                              const double *base, double h, double *out)
{
    Pair sum[SIM_BLOCK] = {0};
    for (int k = 0; k < row->n; k++) {
        const Pair *stage = (const Pair *)(stages + row->stage[k] * n);
        Pair weight = {row->weight[k], row->weight[k]};
        for (int i = 0; i < n_pairs; i++)
            sum[i] += weight * stage[i];
    }
    Pair step = {h, h};
    for (int i = 0; i < n_pairs; i++)
        ((Pair *)out)[i] = ((const Pair *)base)[i] + step * sum[i];
}

#ifdef __x86_64__
typedef double Quad __attribute__((vector_size(4 * sizeof(double)), may_alias, aligned(8)));

/* n_quads (a constant in each copy) at once. */
#define COMBINE_QUADS(n_quads)                                                                     \
    do {                                                                                           \
        Quad sum[n_quads] = {{0}}, step = {h, h, h, h};                                            \
        for (int k = 0; k < row->n; k++) {                                                         \
            const Quad *stage = (const Quad *)(stages + row->stage[k] * n + i);                    \
            double w = row->weight[k];                                                             \
            Quad weight = {w, w, w, w};                                                            \
            for (int j = 0; j < (n_quads); j++)                                                    \
                sum[j] += weight * stage[j];                                                       \
        }                                                                                          \
        for (int j = 0; j < (n_quads); j++)                                                        \
            ((Quad *)(out + i))[j] = ((const Quad *)(base + i))[j] + step * sum[j];                \
    } while (0)

/* arc_sim_combine on wider registers: the same sums in the same order. */
__attribute__((target("avx2"))) static void sim_combine_wide(int n, const ArcDop853Row *row,
                                                             const double *stages,
                                                             const double *base, double h,
                                                             double *out)
{
    int i = 0;
    for (; i + 4 * SIM_BLOCK <= n; i += 4 * SIM_BLOCK)
        COMBINE_QUADS(4);
    for (; i + 2 * SIM_BLOCK <= n; i += 2 * SIM_BLOCK)
        COMBINE_QUADS(2);
    if (i < n)
        COMBINE_QUADS(1);
}
#endif

void arc_sim_combine(int n, const ArcDop853Row *row, const double *stages, const double *base,
                     double h, double *out)
{
    int i = 0;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        sim_combine_wide(n, row, stages, base, h, out);
        return;
    }
#endif
    for (; i + 2 * SIM_BLOCK <= n; i += 2 * SIM_BLOCK)
        sim_combine_pairs(SIM_BLOCK, n, row, stages + i, base + i, h, out + i);
    if (i < n)
        sim_combine_pairs(SIM_BLOCK / 2, n, row, stages + i, base + i, h, out + i);
}

/* A = a_v V (+ a_x X) + a_p for all columns; d is a constant in each copy but the last. */
INLINE void sim_rate_columns(const ArcSimulator *sim, int d, const double *X, const double *V,
                             double *A)
{
    int stride = sim->stride, P = sim->n_p;
    const double *a_x = sim->a_x, *a_v = sim->a_v, *a_p = sim->a_p;
    for (int c = 0; c < stride; c += SIM_PAIR) {
        for (int e = 0; e < d; e++) {
            Pair sum = {0};
            for (int k = 0; k < d; k++)
                sum += a_v[e * d + k] * *(const Pair *)(V + k * stride + c);
            if (!sim->motion.position_free) {
                for (int k = 0; k < d; k++)
                    sum += a_x[e * d + k] * *(const Pair *)(X + k * stride + c);
            }
            if (c < P)
                sum[0] += a_p[e * P + c];
            if (c + 1 < P)
                sum[1] += a_p[e * P + c + 1];
            *(Pair *)(A + e * stride + c) = sum;
        }
    }
}

/* Accelerations a of state and sensitivities at t, x, v. */
static void sim_rate(ArcSimulator *sim, double t, const double *x, const double *v, double *a)
{
    const ArcMotion *motion = &sim->motion;
    t -= sim->origin;
    if (sim->columns == ARC_SIM_NO_COLUMNS) {
        motion->acceleration(motion->context, t, x, v, sim->p, a, NULL, NULL, NULL);
        return;
    }
    double *a_p = sim->columns == ARC_SIM_ALL_COLUMNS ? sim->a_p : sim->a_p_unasked;
    motion->acceleration(motion->context, t, x, v, sim->p, a, sim->a_x, sim->a_v, a_p);
    const double *X = x + sim->lanes, *V = v + sim->lanes;
    double *A = a + sim->lanes;
    if (motion->dimensions == 2)
        sim_rate_columns(sim, 2, X, V, A);
    else if (motion->dimensions == 3)
        sim_rate_columns(sim, 3, X, V, A);
    else if (motion->dimensions == 4)
        sim_rate_columns(sim, 4, X, V, A);
    else
        sim_rate_columns(sim, motion->dimensions, X, V, A);
}

/* Stages first to last of a step h from t, sim->x and stage 0. */
static void sim_stages(ArcSimulator *sim, double t, double h, int first, int last)
{
    int n = sim->size;
    bool position_free = sim->motion.position_free;
    const double *x = position_free ? sim->x : sim->x_stage;
    for (int i = first; i <= last; i++) {
        const ArcDop853Row *row = &arc_dop853_stages[i];
        arc_sim_combine(n, row, sim->a, sim->v, h, sim->v + i * n);
        if (!position_free)
            arc_sim_combine(n, row, sim->v, sim->x, h, sim->x_stage);
        sim_rate(sim, t + arc_dop853_nodes[i] * h, x, sim->v + i * n, sim->a + i * n);
    }
}

/* Squares of the scaled estimates, summed by lane. */
typedef struct SimError {
    Pair fifth, third;
} SimError;

/* Adds what numbers first to last (even) of the stages' vectors contribute. */
INLINE void sim_error_add(int n, const double *stages, int first, int last,
                          const double *inverse_scale, SimError *sums)
{
    const ArcDop853Row *row5 = &arc_dop853_error5, *row3 = &arc_dop853_error3;
    for (int i = first; i < last; i += SIM_PAIR) {
        Pair fifth = {0}, third = {0}, scale = *(const Pair *)(inverse_scale + i);
        for (int k = 0; k < row5->n; k++) { /* both rows name the same stages */
            Pair stage = *(const Pair *)(stages + row5->stage[k] * n + i);
            fifth += row5->weight[k] * stage;
            third += row3->weight[k] * stage;
        }
        fifth *= scale;
        third *= scale;
        sums->fifth += fifth * fifth;
        sums->third += third * third;
    }
}

static double sim_error_norm(const SimError *sums, double h, int n)
{
    double fifth = sums->fifth[0] + sums->fifth[1], third = sums->third[0] + sums->third[1];
    double under = fifth + 0.01 * third;
    return under == 0 ? 0 : h * fifth / sqrt(under * n);
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* One over the allowed error of each number: per column of the sensitivities, from its largest
 * value so far, which goes to peak_new. */
static void sim_scale_columns(ArcSimulator *sim, const double *v_new, double *inverse_scale)
{
    int d = sim->motion.dimensions, stride = sim->stride;
    double *peak = sim->peak_new;
    memcpy(peak, sim->peak, (size_t)stride * sizeof(double));
    for (int e = 0; e < d; e++) {
        const double *X = sim->x_new + sim->lanes + e * stride;
        const double *V = v_new + sim->lanes + e * stride;
        for (int c = 0; c < stride; c++)
            peak[c] = larger(peak[c], larger(fabs(X[c]), fabs(V[c])));
    }
    for (int c = 0; c < stride; c++) {
        double inverse = arc_sim_inverse_allowed(sim, peak[c]);
        for (int e = 0; e < d; e++)
            inverse_scale[sim->lanes + e * stride + c] = inverse;
    }
}

/* The error in units of what is allowed; not a number where a stage was not finite. */
static double sim_error(ArcSimulator *sim, double h)
{
    int n = sim->size, d = sim->motion.dimensions;
    const double *v_new = sim->v + ARC_DOP853_STEP * n;
    double x_scale[ARC_SIM_MAX_DIMENSIONS] __attribute__((aligned(sizeof(Pair))));
    double v_scale[ARC_SIM_MAX_DIMENSIONS] __attribute__((aligned(sizeof(Pair))));
    for (int i = d; i < sim->lanes; i++)
        x_scale[i] = v_scale[i] = 0;
    for (int i = 0; i < d; i++) {
        double x_size = larger(fabs(sim->x[i]), fabs(sim->x_new[i]));
        double v_size = larger(fabs(sim->v[i]), fabs(v_new[i]));
        x_scale[i] = 1 / (sim->settings.tolerance * (1 + x_size));
        v_scale[i] = 1 / (sim->settings.tolerance * (1 + v_size));
    }
    SimError state = {0};
    sim_error_add(n, sim->v, 0, sim->lanes, x_scale, &state);
    sim_error_add(n, sim->a, 0, sim->lanes, v_scale, &state);
    double error = sim_error_norm(&state, h, 2 * d);
    if (sim->columns == ARC_SIM_NO_COLUMNS)
        return error;
    SimError columns = {0};
    sim_scale_columns(sim, v_new, sim->inverse_scale);
    sim_error_add(n, sim->v, sim->lanes, n, sim->inverse_scale, &columns);
    sim_error_add(n, sim->a, sim->lanes, n, sim->inverse_scale, &columns);
    double error_columns = sim_error_norm(&columns, h, 2 * d * sim->stride);
    return error_columns > error || isnan(error_columns) ? error_columns : error;
}

/* Weights of the dense output at theta in (0, 1) of the step, so that x = x_old + h sum w v. */
static ArcDop853Row sim_dense_row(double theta)
{
    double rest = 1 - theta;
    double w1 = theta * rest, w2 = theta * w1, w3 = w1 * w1;
    double ends = theta - w1 + 2 * w2;
    double w[ARC_DOP853_DENSE] = {w3, w3 * theta, w3 * w1, w3 * w1 * theta};
    const ArcDop853Row *step = &arc_dop853_stages[ARC_DOP853_STEP];
    ArcDop853Row row = arc_dop853_dense[0]; /* all four name the same stages */
    for (int k = 0; k < row.n; k++) {
        row.weight[k] = 0;
        for (int j = 0; j < ARC_DOP853_DENSE; j++)
            row.weight[k] += w[j] * arc_dop853_dense[j].weight[k];
        if (k < step->n)
            row.weight[k] += ends * step->weight[k];
        if (row.stage[k] == ARC_DOP853_STEP)
            row.weight[k] -= w2;
    }
    row.weight[0] += w1 - w2;
    return row;
}

void arc_sim_dense_prepare(ArcSimulator *sim, const ArcSimStep *step)
{
    sim_stages(sim, step->begin, step->h, ARC_DOP853_STEP + 1, ARC_DOP853_STAGES - 1);
}

void arc_sim_dense(ArcSimulator *sim, const ArcSimStep *step, double t, bool with_v)
{
    ArcDop853Row row = sim_dense_row((t - step->begin) / step->h);
    arc_sim_combine(sim->size, &row, sim->v, sim->x, step->h, sim->x_dense);
    if (with_v)
        arc_sim_combine(sim->size, &row, sim->a, sim->v, step->h, sim->v_dense);
}

void arc_sim_dense_state(ArcSimulator *sim, const ArcSimStep *step, double t, double *x, double *v)
{
    int n = sim->size;
    ArcDop853Row row = sim_dense_row((t - step->begin) / step->h);
    for (int i = 0; i < sim->lanes; i += SIM_BLOCK) {
        sim_combine_pairs(SIM_BLOCK / SIM_PAIR, n, &row, sim->v + i, sim->x + i, step->h, x + i);
        sim_combine_pairs(SIM_BLOCK / SIM_PAIR, n, &row, sim->a + i, sim->v + i, step->h, v + i);
    }
}

static bool sim_is_finite(const ArcSimulator *sim, const double *x, const double *v,
                          const double *a)
{
    double sum = 0; /* zero times a number that is not finite is not a number */
    for (int i = 0; i < sim->motion.dimensions; i++)
        sum += 0 * x[i] + 0 * v[i] + 0 * a[i];
    return sum == 0;
}

void arc_sim_set_columns(ArcSimulator *sim, ArcSimColumns columns)
{
    int d = sim->motion.dimensions;
    sim->columns = columns;
    sim->n_p = columns == ARC_SIM_ALL_COLUMNS ? sim->motion.n_parameters : 0;
    sim->stride = arc_sim_round_up(sim->n_p + (sim->motion.position_free ? d : 2 * d), SIM_PAIR);
    sim->size = sim->lanes;
    if (columns != ARC_SIM_NO_COLUMNS)
        sim->size += arc_sim_round_up(d * sim->stride, SIM_BLOCK);
}

bool arc_sim_begin(ArcSimulator *sim, const ArcSimStart *start, ArcSimColumns columns)
{
    arc_sim_set_columns(sim, columns);
    sim->p = start->p;
    sim->origin = start->origin;
    sim->n_kinks = start->n_kinks;
    sim->kinks = start->kinks;
    int d = sim->motion.dimensions;
    size_t bytes = (size_t)sim->size * sizeof(double);
    memset(sim->x, 0, bytes);
    memset(sim->v, 0, bytes);
    memset(sim->peak, 0, (size_t)sim->stride * sizeof(double));
    memset(sim->a, 0, ARC_DOP853_STAGES * bytes);
    memcpy(sim->x, start->x0, (size_t)d * sizeof(double));
    memcpy(sim->v, start->v0, (size_t)d * sizeof(double));
    if (columns != ARC_SIM_NO_COLUMNS) {
        int first_v0 = sim->n_p + (sim->motion.position_free ? 0 : d);
        for (int e = 0; e < d; e++) {
            if (!sim->motion.position_free)
                sim->x[sim->lanes + e * sim->stride + sim->n_p + e] = 1;
            sim->v[sim->lanes + e * sim->stride + first_v0 + e] = 1;
        }
    }
    sim_rate(sim, start->t0, sim->x, sim->v, sim->a);
    return sim_is_finite(sim, sim->x, sim->v, sim->a);
}

/* A first step from the motion's rates at the start: damping (symmetric a_v) times how fast it
 * changes on the way, and turning (the rest of a_v, a_x), which high order follows easily. A guess
 * that is too long costs one rejected step. */
static double sim_first_step(ArcSimulator *sim, double t0, double span)
{
    const ArcMotion *motion = &sim->motion;
    int d = motion->dimensions;
    double a[ARC_SIM_MAX_DIMENSIONS], damping = 0, turning = 0, stiffness = 0, speed = 0, rate = 0;
    motion->acceleration(motion->context, t0 - sim->origin, sim->x, sim->v, sim->p, a, sim->a_x,
                         sim->a_v, sim->a_p_unasked);
    for (int e = 0; e < d; e++) {
        for (int c = 0; c < d; c++) {
            double forth = sim->a_v[e * d + c], back = sim->a_v[c * d + e];
            damping += 0.25 * (forth + back) * (forth + back);
            turning += 0.25 * (forth - back) * (forth - back);
            stiffness += sim->a_x[e * d + c] * sim->a_x[e * d + c];
        }
        speed += sim->v[e] * sim->v[e];
        rate += a[e] * a[e];
    }
    damping = sqrt(damping);
    double change = sqrt(damping * (damping + sqrt(rate / speed))) +
                    step_turning * (sqrt(turning) + sqrt(sqrt(stiffness)));
    double h = step_first * sqrt(sqrt(sqrt(sim->settings.tolerance))) / change;
    return h > 0 && h < span ? h : span;
}

/* The step that the error allows. */
static double sim_next_step(double h, double error, double most)
{
    if (!isfinite(error))
        return 0.1 * h;
    double factor = step_safety / sqrt(sqrt(sqrt(error)));
    return h * fmin(most, fmax(step_shrink, factor));
}

void arc_sim_advance(ArcSimulator *sim)
{
    size_t bytes = (size_t)sim->size * sizeof(double);
    memcpy(sim->v, sim->v + ARC_DOP853_STEP * sim->size, bytes);
    memcpy(sim->a, sim->a + ARC_DOP853_STEP * sim->size, bytes);
    memcpy(sim->x, sim->x_new, bytes);
    if (sim->columns != ARC_SIM_NO_COLUMNS)
        memcpy(sim->peak, sim->peak_new, (size_t)sim->stride * sizeof(double));
}

/* Tries a step h from t: its error, with x_new and the velocity at its end set. */
static double sim_try(ArcSimulator *sim, double t, double h)
{
    int n = sim->size;
    const ArcDop853Row *step = &arc_dop853_stages[ARC_DOP853_STEP];
    sim_stages(sim, t, h, 1, ARC_DOP853_STEP - 1);
    arc_sim_combine(n, step, sim->a, sim->v, h, sim->v + ARC_DOP853_STEP * n);
    arc_sim_combine(n, step, sim->v, sim->x, h, sim->x_new);
    return sim_error(sim, h);
}

bool arc_sim_again(ArcSimulator *sim, double begin, double h)
{
    double *v_end = sim->v + ARC_DOP853_STEP * sim->size;
    double *a_end = sim->a + ARC_DOP853_STEP * sim->size;
    sim_try(sim, begin, h);
    sim_rate(sim, begin + h, sim->x_new, v_end, a_end);
    return sim_is_finite(sim, sim->x_new, v_end, a_end);
}

ArcSimClock arc_sim_clock(ArcSimulator *sim, double t0, double end)
{
    return (ArcSimClock){
        .now = t0, .end = end, .h = sim_first_step(sim, t0, end - t0), .most = step_grow};
}

/* The longest step from now that does not jump over the motion's pulse. */
static double sim_longest_step(const ArcSimulator *sim, double now)
{
    double left = fabs(sim->motion.pulse_s - (now - sim->origin));
    if (!(sim->motion.pulse_width_s > 0))
        return INFINITY;
    return larger(sim->motion.pulse_width_s, 0.5 * left);
}

/* Where the next piece of the run ends: at the first kink that is not where it stands, or with it.
 */
static double sim_goal(const ArcSimulator *sim, const ArcSimClock *clock)
{
    double least = kink_apart * (clock->end - clock->now);
    for (int i = 0; i < sim->n_kinks; i++)
        if (sim->kinks[i] - clock->now > least)
            return fmin(sim->kinks[i], clock->end);
    return clock->end;
}

ArcSimEnd arc_sim_step(ArcSimulator *sim, ArcSimClock *clock, ArcSimStep *step)
{
    double *v_end = sim->v + ARC_DOP853_STEP * sim->size;
    double *a_end = sim->a + ARC_DOP853_STEP * sim->size;
    for (; clock->tried < sim->settings.max_steps; clock->tried++) {
        double now = clock->now, goal = sim_goal(sim, clock), left = goal - now;
        double longest = sim_longest_step(sim, now);
        double h = clock->h > longest ? longest : clock->h; /* not a number stays so */
        bool is_last = h >= left;
        if (is_last)
            h = left;
        else if (h > 0.5 * left) /* two equal steps rather than a long and a short one */
            h = 0.5 * left;
        double error = sim_try(sim, now, h), next = is_last ? goal : now + h;
        if (!(error <= 1)) {
            clock->h = sim_next_step(h, error, 1);
            clock->most = 1;
            if (!(now + clock->h > now))
                return isfinite(error) ? ARC_SIM_TOO_MANY_STEPS : ARC_SIM_NON_FINITE;
            continue;
        }
        sim_rate(sim, next, sim->x_new, v_end, a_end);
        if (!sim_is_finite(sim, sim->x_new, v_end, a_end))
            return ARC_SIM_NON_FINITE;
        *step = (ArcSimStep){now, next, h};
        clock->now = next;
        clock->h = sim_next_step(h, error, clock->most);
        clock->most = step_grow;
        clock->tried++;
        clock->n_steps++;
        return ARC_SIM_DONE;
    }
    return ARC_SIM_TOO_MANY_STEPS;
}
