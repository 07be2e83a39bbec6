/* Chances by linearisation, and whether its second-order terms matter.
 *
 * K sources z: first the `rank` normal ones of the parameters, turned so that the first of them are
 * those that move the offset, then the randomised quantities. At z_a = +-h and all others 0 flights
 * with partials G give, of the offset,
 *
 *   H_aa = (o+ - 2 o + o-) / h^2          H_ab  = (G_b+ - G_b-) / 2 h
 *   T_a  = ((o+ - o-) / 2 h - G_a) / h^2  T_aab = (G_b+ + G_b- - 2 G_b) / h^2
 *   o(z) = o + sum_a z_a (G_a + T_a z_a^2 + sum_b z_b (H_ab + z_a T_aab) / 2),   T_aaa = 0
 *
 * and v is linear in z. Draws of this model, each judged as a hit by it and by the linear part,
 * tell what linearisation misses, uniform quantities taken for normal ones among it. A randomised
 * setting is no parameter: G_a = (o+ - o-) / 2 at +-1 sd, and of two of them H_ab = 0.
 */
#include "aim/probability.h"
#include "aim/sources.h"
#include "solve/statistics.h"

#include <math.h>
#include <string.h>

enum { FEW_DRAWS = 2048, MOST_DRAWS = 16 * FEW_DRAWS };

static const double normal_step = 1.7320508075688772; /* sqrt 3: as Gauss and Hermite have it */
static const double most_missed = 0.005, sure_sds = 2.0;

/* A shot with one setting at its mean and +- its sd. */
typedef struct Side {
    ArcShot *shots[2]; /* NULL: a parameter */
} Side;

/* Of a state: offset (3), velocity (3), each with slopes by the sources (3, K). */
typedef struct Local {
    double o[3], v[3], *G, *V;
} Local;

struct ArcOdds {
    const ArcExperiment *experiment, *middle; /* settings at their means */
    ArcSources sources;
    ArcShot *shot;
    Side sides[ARC_MAX_RANDOM_QUANTITIES];
    int n, K;
    double *values, *moved, *turned; /* (n), (n), (n, n) */
    Local centre, plus, minus;
    double *H, *T, *cubic; /* (3, K, K), the same, (3, K) */
    double *z, *normal;    /* (K) */
    ArcShotState state;
};

/* An experiment with settings at their means, the k-th off by so many sds. */
static ArcStatus make(const ArcOdds *odds, int k, double sds, ArcArena *arena,
                      const ArcExperiment **made, ArcError *err)
{
    double quantities[ARC_MAX_RANDOM_QUANTITIES];
    ArcExperiment *experiment = ARC_ALLOC(arena, 1, ArcExperiment);
    if (experiment == NULL)
        return arc_error_no_memory(err);
    memcpy(quantities, odds->sources.mean, sizeof quantities);
    if (k >= 0)
        quantities[k] += sds * odds->sources.sd[k];
    *made = experiment;
    return arc_randomise_apply(odds->experiment, quantities, experiment, err);
}

static ArcStatus create_shots(ArcOdds *odds, ArcArena *arena, ArcError *err)
{
    ArcStatus status = ARC_OK;
    odds->middle = odds->experiment;
    if (odds->sources.has_settings)
        status = make(odds, -1, 0.0, arena, &odds->middle, err);
    if (status == ARC_OK)
        status = arc_shot_create(odds->middle, arena, &odds->shot, err);
    for (int k = 0; k < odds->sources.n_random && status == ARC_OK; k++)
        for (int side = 0; side < 2 && status == ARC_OK; side++) {
            const ArcExperiment *made = NULL;
            if (odds->experiment->randomise.quantities[k].parameter >= 0)
                continue;
            status = make(odds, k, side == 0 ? 1.0 : -1.0, arena, &made, err);
            if (status == ARC_OK)
                status = arc_shot_create(made, arena, &odds->sides[k].shots[side], err);
        }
    return status;
}

ArcStatus arc_odds_create(const ArcExperiment *experiment, ArcArena *arena, ArcOdds **result,
                          ArcError *err)
{
    ArcOdds *odds = ARC_ALLOC(arena, 1, ArcOdds);
    if (odds == NULL)
        return arc_error_no_memory(err);
    size_t n = (size_t)experiment->n_parameters, most = n + (size_t)experiment->randomise.n;
    odds->experiment = experiment;
    odds->n = experiment->n_parameters;
    ArcStatus status = arc_sources_create(experiment, arena, &odds->sources, err);
    odds->values = ARC_ALLOC(arena, n, double);
    odds->moved = ARC_ALLOC(arena, n, double);
    odds->turned = ARC_ALLOC(arena, n * n, double);
    odds->H = ARC_ALLOC(arena, 3 * most * most, double);
    odds->T = ARC_ALLOC(arena, 3 * most * most, double);
    odds->cubic = ARC_ALLOC(arena, 3 * most, double);
    odds->z = ARC_ALLOC(arena, most, double);
    odds->normal = ARC_ALLOC(arena, most, double);
    Local *const locals[] = {&odds->centre, &odds->plus, &odds->minus};
    for (int k = 0; k < 3; k++) {
        locals[k]->G = ARC_ALLOC(arena, 3 * most, double);
        locals[k]->V = ARC_ALLOC(arena, 3 * most, double);
    }
    if (status == ARC_OK && arc_arena_is_exhausted(arena))
        status = arc_error_no_memory(err);
    if (status == ARC_OK)
        status = create_shots(odds, arena, err);
    if (status == ARC_OK)
        *result = odds;
    return status;
}

/* Flies a throw; offset, velocity, and by their partials the slopes of all sources that are
 * parameters. */
static bool fly(ArcOdds *odds, ArcShot *shot, const double *values, bool partials, Local *local)
{
    const ArcSources *sources = &odds->sources;
    const ArcGoal *goal = &odds->experiment->aim.goal;
    const ArcFlightSettings *flight = &odds->experiment->flight.settings;
    ArcShotState *state = &odds->state;
    int K = odds->K, rank = sources->rank;
    if (!arc_shot_meet(shot, values, partials, state))
        return false;
    arc_goal_offset(odds->experiment, state->x_m, local->o);
    for (int c = 0; c < 3; c++) {
        bool has = c < flight->dimensions && arc_goal_has_axis(goal, flight->up, c);
        local->v[c] = state->v_m_s[c];
        double *G = local->G + c * K, *V = local->V + c * K;
        for (int a = 0; partials && a < K; a++) {
            G[a] = V[a] = 0.0;
            int parameter =
                a < rank ? -1 : odds->experiment->randomise.quantities[a - rank].parameter;
            for (int i = 0; a < rank && i < odds->n; i++) {
                G[a] += has ? state->by_x[c][i] * sources->L[i * rank + a] : 0.0;
                V[a] += state->by_v[c][i] * sources->L[i * rank + a];
            }
            if (parameter >= 0) {
                G[a] = has ? state->by_x[c][parameter] * sources->sd[a - rank] : 0.0;
                V[a] = state->by_v[c][parameter] * sources->sd[a - rank];
            }
        }
    }
    return true;
}

/* The flights at +-h of source a, into plus and minus. */
static bool fly_sides(ArcOdds *odds, int a, double h, bool partials)
{
    const ArcSources *sources = &odds->sources;
    Local *const locals[] = {&odds->plus, &odds->minus};
    int rank = sources->rank;
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? h : -h;
        ArcShot *shot = a < rank ? NULL : odds->sides[a - rank].shots[side];
        memcpy(odds->moved, odds->values, sizeof(double) * (size_t)odds->n);
        for (int i = 0; a < rank && i < odds->n; i++)
            odds->moved[i] += sign * sources->L[i * rank + a];
        if (a >= rank && shot == NULL)
            odds->moved[odds->experiment->randomise.quantities[a - rank].parameter] +=
                sign * sources->sd[a - rank];
        if (!fly(odds, shot == NULL ? odds->shot : shot, odds->moved, partials, locals[side]))
            return false;
    }
    return true;
}

static bool is_setting(const ArcOdds *odds, int a)
{
    return a >= odds->sources.rank && odds->sides[a - odds->sources.rank].shots[0] != NULL;
}

bool arc_odds_linear(ArcOdds *odds, const ArcBelief *belief, const double *values,
                     ArcAimChance *chance)
{
    ArcSources *sources = &odds->sources;
    Local *centre = &odds->centre;
    double S[9] = {0};
    arc_sources_take(sources, belief);
    arc_sources_middle(sources, values, odds->values);
    odds->K = sources->rank + sources->n_random;
    int K = odds->K;
    if (!fly(odds, odds->shot, odds->values, true, centre))
        return false;
    for (int a = sources->rank; a < K; a++) {
        if (!is_setting(odds, a))
            continue;
        if (!fly_sides(odds, a, 1.0, false))
            return false;
        for (int c = 0; c < 3; c++) {
            centre->G[c * K + a] = 0.5 * (odds->plus.o[c] - odds->minus.o[c]);
            centre->V[c * K + a] = 0.5 * (odds->plus.v[c] - odds->minus.v[c]);
        }
    }
    for (int c = 0; c < 9; c++)
        for (int a = 0; a < K; a++)
            S[c] += centre->G[c / 3 * K + a] * centre->G[c % 3 * K + a];
    *chance = (ArcAimChance){
        .value = K == 0 ? (double)NAN : arc_hit_chance(odds->middle, centre->o, S, centre->v),
        .checked = NAN,
        .checked_sd = NAN};
    for (int c = 0; c < 3; c++)
        chance->offset_sd_m[c] = sqrt(S[c * 4]);
    return true;
}

/* Takes from w (n) what lies along the first m rows of Q (.., n); returns the length left. */
static double take_out(int n, int m, const double *Q, double *w)
{
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < m; k++) {
            double dot = 0.0;
            for (int i = 0; i < n; i++)
                dot += Q[k * n + i] * w[i];
            for (int i = 0; i < n; i++)
                w[i] -= dot * Q[k * n + i];
        }
    double square = 0.0;
    for (int i = 0; i < n; i++)
        square += w[i] * w[i];
    return sqrt(square);
}

static void put_unit(int n, double size, double *w)
{
    for (int i = 0; i < n; i++)
        w[i] /= size;
}

/* Orthogonal rows Q (rank, rank): those that the offset's slopes span, then any others, each time
 * the axis that has most left. */
static void find_turn(const ArcOdds *odds, double *Q)
{
    int n = odds->sources.rank, m = 0;
    for (int c = 0; c < 3 && m < n; c++) {
        double *w = Q + m * n, square = 0.0;
        memcpy(w, odds->centre.G + c * odds->K, sizeof(double) * (size_t)n);
        for (int i = 0; i < n; i++)
            square += w[i] * w[i];
        double left = take_out(n, m, Q, w);
        if (!(left > 1e-6 * sqrt(square)))
            continue;
        put_unit(n, left, w);
        m++;
    }
    for (; m < n; m++) {
        int best = 0;
        double *w = Q + m * n, least = INFINITY;
        for (int i = 0; i < n; i++) {
            double within = 0.0;
            for (int k = 0; k < m; k++)
                within += Q[k * n + i] * Q[k * n + i];
            if (within < least) {
                least = within;
                best = i;
            }
        }
        memset(w, 0, sizeof(double) * (size_t)n);
        w[best] = 1.0;
        put_unit(n, take_out(n, m, Q, w), w);
    }
}

/* M (rows, rank of ld columns) times Q'. */
static void turn_rows(const ArcOdds *odds, int rows, int ld, const double *Q, double *M)
{
    int n = odds->sources.rank;
    double row[ARC_MAX_PARAMETERS];
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < n; k++) {
            row[k] = 0.0;
            for (int i = 0; i < n; i++)
                row[k] += M[r * ld + i] * Q[k * n + i];
        }
        memcpy(M + r * ld, row, sizeof(double) * (size_t)n);
    }
}

/* What the flights at +-h of source a say. */
static void take_curvature(ArcOdds *odds, int a, double h)
{
    const Local *plus = &odds->plus, *minus = &odds->minus, *centre = &odds->centre;
    int K = odds->K;
    for (int c = 0; c < 3; c++) {
        double *H = odds->H + c * K * K, *T = odds->T + c * K * K;
        for (int b = 0; b < K; b++) {
            int at = c * K + b;
            if (b == a || is_setting(odds, b))
                continue;
            double slope = (plus->G[at] - minus->G[at]) / (2.0 * h);
            T[a * K + b] = (plus->G[at] + minus->G[at] - 2.0 * centre->G[at]) / (h * h);
            /* Either of the two knows it; a setting's is the only one. */
            double share = is_setting(odds, a) ? 1.0 : 0.5;
            H[a * K + b] += share * slope;
            H[b * K + a] += share * slope;
        }
        H[a * K + a] = (plus->o[c] - 2.0 * centre->o[c] + minus->o[c]) / (h * h);
        odds->cubic[c * K + a] =
            ((plus->o[c] - minus->o[c]) / (2.0 * h) - centre->G[c * K + a]) / (h * h);
    }
}

/* Sources as they are, and the normal ones that linearisation takes for them. */
static void draw(const ArcOdds *odds, ArcRandom *random, double *z, double *normal)
{
    const ArcSources *sources = &odds->sources;
    for (int a = 0; a < sources->rank; a++)
        z[a] = normal[a] = arc_random_normal(random);
    for (int k = 0; k < sources->n_random; k++) {
        double u = arc_random_uniform(random, 0.0, 1.0);
        double value = arc_random_quantity_at(&odds->experiment->randomise.quantities[k], u);
        z[sources->rank + k] =
            sources->sd[k] > 0.0 ? (value - sources->mean[k]) / sources->sd[k] : 0.0;
        normal[sources->rank + k] = arc_statistics_normal_quantile(u);
    }
}

/* Offset and velocity of a draw by the model. */
static bool is_hit_by_model(const ArcOdds *odds, const double *z)
{
    int K = odds->K;
    double o[3], v[3];
    for (int c = 0; c < 3; c++) {
        const double *H = odds->H + c * K * K, *T = odds->T + c * K * K;
        const double *G = odds->centre.G + c * K, *V = odds->centre.V + c * K;
        o[c] = odds->centre.o[c];
        v[c] = odds->centre.v[c];
        for (int a = 0; a < K; a++) {
            double bend = 0.0;
            for (int b = 0; b < K; b++)
                bend += z[b] * (H[a * K + b] + z[a] * T[a * K + b]);
            o[c] += z[a] * (G[a] + 0.5 * bend + odds->cubic[c * K + a] * z[a] * z[a]);
            v[c] += z[a] * V[a];
        }
    }
    return arc_hit_is(odds->middle, o, v);
}

static bool is_hit_linearly(const ArcOdds *odds, const double *z)
{
    double o[3];
    for (int c = 0; c < 3; c++) {
        o[c] = odds->centre.o[c];
        for (int a = 0; a < odds->K; a++)
            o[c] += z[a] * odds->centre.G[c * odds->K + a];
    }
    return arc_hit_is(odds->middle, o, odds->centre.v);
}

/* Whether the model's draws say that linearisation misses less than its bound: until that is sure,
 * or else likely after the most. */
static bool is_small(ArcOdds *odds)
{
    ArcRandom random = arc_random_create(odds->experiment->seed, ARC_STREAM_ODDS);
    int gained = 0, changed = 0;
    double missed = 0.0, sd = 0.0;
    for (int n = 1; n <= MOST_DRAWS; n++) {
        draw(odds, &random, odds->z, odds->normal);
        int difference =
            (int)is_hit_by_model(odds, odds->z) - (int)is_hit_linearly(odds, odds->normal);
        gained += difference;
        changed += difference != 0;
        if (n % FEW_DRAWS != 0)
            continue;
        missed = fabs((double)gained / n);
        sd = sqrt(changed + 1.0) / n;
        if (fabs(missed - most_missed) > sure_sds * sd)
            break;
    }
    return missed + sd < most_missed;
}

bool arc_odds_full(ArcOdds *odds, const ArcBelief *belief, const double *values,
                   ArcAimChance *chance)
{
    ArcSources *sources = &odds->sources;
    if (!arc_odds_linear(odds, belief, values, chance))
        return false;
    size_t K = (size_t)odds->K;
    int rank = sources->rank;
    if (!isfinite(chance->value))
        return true;
    find_turn(odds, odds->turned);
    turn_rows(odds, sources->n, rank, odds->turned, sources->L);
    turn_rows(odds, 3, odds->K, odds->turned, odds->centre.G);
    turn_rows(odds, 3, odds->K, odds->turned, odds->centre.V);
    memset(odds->H, 0, sizeof(double) * 3 * K * K);
    memset(odds->T, 0, sizeof(double) * 3 * K * K);
    for (int a = 0; a < odds->K; a++) {
        double h = a < rank ? normal_step : 1.0;
        if (!fly_sides(odds, a, h, true))
            return true;
        take_curvature(odds, a, h);
    }
    /* What a ball does that touches the rim no linearisation tells. */
    chance->is_valid = !(odds->experiment->aim.contact.is_on &&
                         odds->experiment->aim.goal.kind == ARC_GOAL_HOOP) &&
                       is_small(odds);
    return true;
}

ArcStatus arc_aim_chance(const ArcExperiment *experiment, const ArcBelief *belief,
                         const double *values, ArcAimChance *chance, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcOdds *odds = NULL;
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_odds_create(experiment, arena, &odds, err);
    if (status == ARC_OK && !arc_odds_full(odds, belief, values, chance))
        status = arc_error_set(err, ARC_NUMERIC,
                               "a throw or one a little off it does not come to its target");
    arc_arena_free(arena);
    return status;
}
